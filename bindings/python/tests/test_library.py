# SPDX-License-Identifier: MIT
"""The C library: layouts of its structures, its records, and loading it."""

import ctypes
import ctypes.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import perlane
from perlane import _library

ROOT = Path(__file__).resolve().parents[3]
LAYOUT = (ROOT / "tests/proof/layout.h").read_text()
COLUMN = 0 if ctypes.sizeof(ctypes.c_void_p) == 8 else 1
STRUCTURES = {
    "PARAMS": _library.Params,
    "GRID": _library.Grid,
    "CHOICE": _library.ChoiceRecord,
    "OPTION": _library.OptionRecord,
}


@pytest.mark.parametrize("name", STRUCTURES)
def test_structures_have_the_layout_that_c_asserts(name):
    structure = STRUCTURES[name]
    macro = rf"LAYOUT_(?:{name}\(|MEMBER\(perlane_{name.lower()}, )"
    rows = re.findall(macro + r"(\w+), (\d+)(?:, (\d+))?\);", LAYOUT)
    offsets = {member: int(numbers[COLUMN] or numbers[0]) for member, *numbers in rows}
    members = [member for member, *_ in structure._fields_ if not member.startswith("_")]
    assert {member: getattr(structure, member).offset for member in members} == {
        member: offsets[member] for member in members
    }
    size = re.search(rf"LAYOUT_SIZE\(perlane_{name.lower()}, (\d+), (\d+)\)", LAYOUT)
    assert ctypes.sizeof(structure) == int(size[1 + COLUMN])


def test_digest():
    header = (ROOT / "include" / "perlane.h").read_text()
    assert perlane.selftest() == int(re.search(r"DIGEST UINT64_C\((0x\w+)\)", header)[1], 16)
    assert perlane.__version__ == re.search(r'PERLANE_VERSION "(.*)"', header)[1]
    assert f'"{perlane.isa()}"' in header


def test_records():
    options = perlane.OPTIONS
    assert {option.kind for option in options.values()} == {"seed", "real", "integer", "choice", "axes", "curve"}
    octaves = options["octaves"]
    assert (octaves.min, octaves.max, octaves.default, octaves.dims) == (1, 32, 1, (1, 2, 3, 4))
    assert octaves.accepts == "a whole number from 1 to 32"
    dims = {choice.name: choice.dims for choice in options["basis"].choices}
    assert dims["cellular"] == (1, 2, 3) and dims["simplex"] == (2, 3)


def imported(**environment):
    """Imports perlane in a process of its own; returns the last line of its errors."""
    code = "import perlane; print(perlane.isa())"
    path = os.path.dirname(os.path.dirname(perlane.__file__))
    done = subprocess.run(
        [sys.executable, "-c", code], text=True, capture_output=True,
        env={**os.environ, "PYTHONPATH": path, **environment},
    )  # fmt: skip
    return (done.stdout + done.stderr).splitlines()[-1]


def test_the_instruction_set_can_be_chosen():
    assert imported(PERLANE_ISA="scalar") == "scalar"


def test_libraries_that_are_none():
    assert "ImportError: cannot load" in imported(PERLANE_LIBRARY="/nonexistent.so")
    assert "ImportError: cannot load" in imported(PERLANE_LIBRARY=__file__)
    libc = "libSystem.dylib" if sys.platform == "darwin" else "libm.so.6"
    assert "ImportError" in imported(PERLANE_LIBRARY=ctypes.util.find_library("m") or libc)


def test_editable_installations(tmp_path):
    package, library = os.path.dirname(perlane.__file__), perlane._library.library._name
    name = "libperlane.dylib" if sys.platform == "darwin" else "libperlane.so"
    shutil.copytree(package, tmp_path / "source/perlane", ignore=shutil.ignore_patterns(name))
    (tmp_path / "site/perlane").mkdir(parents=True)
    shutil.copy(library, tmp_path / "site/perlane" / name)
    path = os.pathsep.join([str(tmp_path / "source"), str(tmp_path / "site")])
    assert imported(PERLANE_LIBRARY="", PYTHONPATH=path) == perlane.isa()


def test_documentation_is_there_without_docstrings_too():
    code = "import perlane; assert 'octaves' in perlane.Field.__doc__"
    subprocess.run([sys.executable, "-OO", "-c", code], check=True)
