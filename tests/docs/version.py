#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that every file that says a version says that of include/perlane.h.

Usage: version.py SOURCE

Everything else takes the version from the header.
"""

import os
import re
import sys

# Each file, and where it says the version.
PLACES = [
    ("CHANGELOG.md", r"^## ([\d.]+)"),
    ("CITATION.cff", r"^version: (\S+)"),
    ("bindings/python/perlane/_library.py", r'^VERSION = "(\d+\.)"'),
    ("bindings/rust/Cargo.lock", r'name = "perlane"\nversion = "([^"]*)"'),
    ("bindings/rust/Cargo.lock", r'name = "perlane-sys"\nversion = "([^"]*)"'),
    ("bindings/rust/Cargo.toml", r'^version = "([^"]*)"'),
    ("bindings/rust/perlane/Cargo.toml", r'perlane-sys = .*version = "=([^"]*)"'),
    ("bindings/rust/perlane/src/lib.rs", r'version of the library: "([^"]*)"'),
    ("docs/embedding.md", r"find_package\(perlane ([\d.]+) REQUIRED\)"),
    ("docs/embedding.md", r"libperlane\.so\.(\d+)"),
    ("docs/perlane.1", r"^perlane=(\S+)"),
    ("packaging/debian/changelog", r"^perlane \(([\d.]+)-\d+\)"),
    ("packaging/debian/control", r"^Package: libperlane(\d+)"),
    ("packaging/vcpkg/ports/perlane/vcpkg.json", r'"version": "([^"]*)"'),
]


def main():
    def text(name):
        with open(os.path.join(sys.argv[1], name), encoding="utf-8") as file:
            return file.read()

    header = text("include/perlane.h")
    version = re.search(r'PERLANE_VERSION "(.*)"', header)[1]
    parts = [re.search(rf"VERSION_{part} (\d+)", header)[1] for part in ("MAJOR", "MINOR", "PATCH")]
    failed = 0 if ".".join(parts) == version else 1
    for name, place in PLACES:
        found = re.search(place, text(name), re.M)
        said = found[1] if found else "nothing"
        if not found or not f"{version}.".startswith(f"{said.rstrip('.')}."):
            print(f"{name}: says {said}, not {version}")
            failed += 1
    print(f"{len(PLACES) + 1 - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
