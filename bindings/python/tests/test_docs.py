# SPDX-License-Identifier: MIT
"""Docstrings, types, and the programs of the documentation."""

import doctest
import json
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import perlane

ROOT = Path(__file__).resolve().parents[3]
FILES = sorted(Path(perlane.__file__).parent.glob("*.py"))
PAGES = ["README.md", "docs/python.md", "docs/scale.md"]
MODULES = ["perlane", *(f"perlane.{file.stem}" for file in FILES if file.stem != "__init__")]


def test_doctests(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"perlane": perlane, "np": np, "Field": perlane.Field}
    results = [doctest.testmod(import_module(name), extraglobs=names) for name in MODULES]
    assert sum(result.failed for result in results) == 0
    assert sum(result.attempted for result in results) > 10


def program(page):
    """Returns the programs of a page as one, but for those with pictures (proof/test_gallery.py)."""
    text = (ROOT / page).read_text().partition("## Python by example")[0]
    programs = re.findall(r"^```python\n(.*?)^```", text, re.S | re.M)
    assert programs
    return "\n".join(programs)


@pytest.mark.parametrize("page", PAGES)
def test_programs_of_the_documentation(page, tmp_path):
    (tmp_path / "page.py").write_text(program(page))
    subprocess.run([sys.executable, "page.py"], cwd=tmp_path, check=True)


def test_types_of_options_are_those_of_the_library():
    sys.path.insert(0, str(ROOT / "bindings/python"))
    import keywords

    stub = (ROOT / "bindings/python/perlane/_keywords.pyi").read_text(encoding="utf-8")
    assert keywords.text() == stub, "run bindings/python/keywords.py"


def test_types(tmp_path):
    check_types("pyright", tmp_path)  # proof/test_mypy.py has mypy, which takes longer


def check_types(checker, tmp_path):
    pytest.importorskip(checker)
    source = os.path.dirname(perlane.__file__)
    (tmp_path / "usage.py").write_bytes((Path(__file__).parent / "usage.py").read_bytes())
    for page in PAGES:
        (tmp_path / f"{Path(page).stem}.py").write_text(program(page))
    arguments = ["--strict", "--allow-untyped-calls", "--cache-dir", str(tmp_path / "cache"), source]
    arguments += map(str, tmp_path.glob("*.py"))
    if checker == "pyright":  # which finds marks of errors that are none, too
        settings = {"extraPaths": [os.path.dirname(source)], "reportUnnecessaryTypeIgnoreComment": "error"}
        (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
        arguments = ["--pythonpath", sys.executable]
    done = subprocess.run(
        [sys.executable, "-m", checker, *arguments], text=True, capture_output=True, cwd=tmp_path,
        env={**os.environ, "MYPYPATH": os.path.dirname(source)},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
