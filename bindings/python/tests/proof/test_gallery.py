# SPDX-License-Identifier: MIT
"""The gallery: its programs run, and draw the committed pictures."""

import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

GALLERY = Path(__file__).resolve().parents[2] / "gallery"
sys.path.insert(0, str(GALLERY))
import draw

MAX_BYTES = 250_000
# Lines and letters differ between versions of matplotlib, by 4 of 255 on average; an empty picture
# by 8 or more, and another of the gallery by 28.
MAX_DIFFERENCE = 6


def difference(a, b):
    """Returns the mean difference of two pictures, seen from so far that letters blur."""
    size = a.width // 8, a.height // 8
    small = [np.asarray(each.resize(size, Image.Resampling.BOX), float) for each in (a, b)]
    return np.mean(abs(small[0] - small[1]))


@pytest.mark.parametrize("name", draw.PROGRAMS)
def test_picture(name):
    drawn, path = draw.draw(name), draw.path_of(name)
    with Image.open(path) as committed:
        assert committed.size == drawn.size
        found = difference(committed.convert("RGB"), drawn)
    assert found < MAX_DIFFERENCE, f"run {GALLERY / 'draw.py'} {name}, and look at the picture"
    assert path.stat().st_size < MAX_BYTES


def test_every_picture_has_a_program():
    pictures = draw.DOCS.glob("images/python-*.png")
    assert {draw.path_of(name) for name in draw.PROGRAMS} == set(pictures)
