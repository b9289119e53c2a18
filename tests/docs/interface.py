#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that a program compiled with perlane.h of 2.0 still compiles, and means the same.

Usage: interface.py HEADER FILE [update]

The header stands for those beside it, too.

FILE has one declaration of 2.0 a line: functions, values of enumerations, macros, and members of
structures with their types. All of them must be in the headers; what is new may be there besides.
(tests/proof/layout.h has the offsets.)
"""

import os
import re
import sys


def declarations(header):
    """Returns what the text of a header declares, one string for each."""
    text = re.sub(r"/\* Not part of the interface: \*/.*?(?=\n\})", "", header, flags=re.S)
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S).replace("\\\n", " ")
    for name, body in re.findall(r"^#define (PERLANE_\w+|perlane_\w+\([^)]*\)) +(.+)$", text, re.M):
        if not re.match(r"PERLANE_(API|VISIBLE|H|GPU_H|PARAMS_H|TEXT_H|EXPRESSION_H|PICTURE_H|VERSION|SELFTEST_DIGEST|GPU_SELFTESTS)", name):
            yield f"{name} = {squeezed(body)}"
    text = re.sub(r"^#.*$", "", text, flags=re.M)
    for function in re.findall(r"PERLANE_API ([^;]*);", text):
        yield squeezed(function)
    for body in re.findall(r"enum perlane_\w+ \{([^}]*)\}", text):
        for value, name in enumerate(re.findall(r"PERLANE_\w+", body)):
            if not name.endswith("_COUNT") or name == "PERLANE_ERROR_COUNT":
                yield f"{name} = {value}"
    for name, body in re.findall(r"typedef struct (perlane_\w+) \{([^}]*)\} perlane_\w+;", text):
        for member in body.split(";"):
            if member.strip() and "reserved" not in member:
                yield f"{name}: {squeezed(member)}"


def squeezed(text):
    return " ".join(text.split())


def main():
    header, file = sys.argv[1:3]
    found = []
    for name in [os.path.basename(header), *(f"perlane_{n}.h" for n in ("params", "text", "expression", "picture", "gpu"))]:
        with open(os.path.join(os.path.dirname(header), name), encoding="utf-8") as text:
            found += declarations(text.read())
    if sys.argv[3:] == ["update"]:
        with open(file, "w", encoding="utf-8") as out:
            out.writelines(line + "\n" for line in found)
    with open(file, encoding="utf-8") as lines:
        expected = lines.read().splitlines()
    missing = [line for line in expected if line not in found]
    for line in missing:
        print(f"missing or changed: {line}")
    print(f"{len(expected) - len(missing)} passed, {len(missing)} failed")
    return 1 if missing or len(expected) < 200 else 0


if __name__ == "__main__":
    sys.exit(main())
