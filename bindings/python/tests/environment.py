#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fetches what the Python package's tests need: environment.py FOLDER [--all].

    FOLDER/venv      requirements-test.txt
    FOLDER/wheels    NumPy for each Python of the list, and what the package is built with
    FOLDER/pythons   the Pythons that the package is installed in, with their kinds: venv's; with
                     --all the newest and the oldest at hand that NumPy has a wheel for, of CPython,
                     of CPython without the GIL and of PyPy

scripts/setup check calls it, tests/proof/run wheels with --all. Pythons are looked for on the path and
among pyenv's.
"""

import glob
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
REQUIREMENTS = os.path.join(os.path.dirname(HERE), "requirements-test.txt")
ABOUT = (
    "import sys, sysconfig, ensurepip, venv; "
    "print(sys.implementation.name + 't' * bool(sysconfig.get_config_var('Py_GIL_DISABLED')), "
    "sys.version_info[0], sys.version_info[1])"
)


NAME = re.compile(r"python3(\.\d+t?)?|pypy3")
PIP = ["-m", "pip", "-q", "--disable-pip-version-check"]


def pythons():
    """Returns {kind: {version: path}} of the Pythons from 3.8 on that can make environments."""
    folders = os.environ.get("PATH", "").split(os.pathsep)
    root = os.environ.get("PYENV_ROOT") or os.path.expanduser("~/.pyenv")
    folders += sorted(glob.glob(os.path.join(root, "versions", "*", "bin")))
    found = {}
    for path in (path for folder in folders for path in sorted(glob.glob(f"{folder}/*3*"))):
        if NAME.fullmatch(os.path.basename(path)):
            done = subprocess.run([path, "-c", ABOUT], capture_output=True, text=True)
            kind, *version = done.stdout.split() or [""]
            version = tuple(map(int, version))
            if version >= (3, 8):
                found.setdefault(kind, {}).setdefault(version, path)
    return found


def inside(environment):
    return os.path.join(environment, "bin", "python")


def fetches(python, folder):
    """Downloads NumPy's wheel for a Python; returns False if there is none."""
    scratch, wheels = os.path.join(folder, "scratch"), os.path.join(folder, "wheels")
    download = [*PIP, "download", "--only-binary=:all:", "-d", wheels]
    try:
        subprocess.run([python, "-m", "venv", "--clear", scratch], check=True)
        done = subprocess.run([inside(scratch), *download, "numpy", "scikit-build-core"])
        return done.returncode == 0
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def main():
    folder = os.path.abspath(sys.argv[1])
    found, chosen = pythons(), []
    if sys.argv[2:] == ["--all"]:
        for kind, versions in sorted(found.items()):
            paths = [path for _, path in sorted(versions.items())]
            newest = next((path for path in reversed(paths) if fetches(path, folder)), None)
            oldest = next((path for path in paths if path == newest or fetches(path, folder)), None)
            chosen += [f"{kind} {path}\n" for path in dict.fromkeys([newest, oldest]) if path]
    else:
        own = sorted(each for each in found.get("cpython", {}).items() if each[0] >= (3, 11))
        if not own:
            sys.exit("environment.py: the tests need a Python from 3.11 on, with venv")
        python, venv = own[0][1], os.path.join(folder, "venv")
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([python, "-m", "venv", venv], check=True)
        subprocess.run([inside(venv), *PIP, "install", "-r", REQUIREMENTS], check=True)
        subprocess.run([inside(venv), "-m", "pyright", "--version"], check=True)  # npm fetches it
        if not fetches(python, folder):
            sys.exit(f"environment.py: pip found no wheel of NumPy for {python}")
        chosen = [f"cpython {python}\n"]
    with open(os.path.join(folder, "pythons"), "w") as file:
        file.writelines(chosen)


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(f"environment.py: {error}")
