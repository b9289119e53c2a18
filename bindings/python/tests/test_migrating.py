# SPDX-License-Identifier: MIT
"""The programs of docs/migrating: they run, and have the values that the page promises."""

import re
from pathlib import Path

import numpy as np
import perlin_numpy
import pytest

from perlane import Field

ROOT = Path(__file__).resolve().parents[3]
PAGES = ROOT / "docs" / "migrating"


def program(name, title=None):
    """Returns the names that the program of a page, or of its section of that title, defines."""
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    text = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", page, re.M | re.S))[title] if title else page
    (code,) = re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)
    names = {}
    exec(code, names)
    return names


def test_noise():
    names = program("noise")
    rows, columns = np.mgrid[:256, :512]
    assert np.array_equal(names["heights"], names["field"].points(columns, rows))
    assert names["some"].shape == (2,)


@pytest.mark.parametrize("octaves", [1, 3])
@pytest.mark.parametrize("shape, res", [((128, 192), (8, 4)), ((64, 64), (1, 2))])
def test_perlin_numpy(shape, res, octaves):
    ours = program("perlin-numpy")["perlin_numpy_2d"]
    fractal = perlin_numpy.generate_fractal_noise_2d
    theirs = fractal(shape, res, octaves, rng=np.random.RandomState(7))
    rng = np.random.RandomState(7)
    total = sum(0.5**k * ours(shape, np.multiply(res, 2**k), rng) for k in range(octaves))
    assert np.max(abs(total - theirs)) < 4e-7
    np.random.seed(7)
    assert np.array_equal(fractal(shape, res, octaves), theirs)


def test_tileable_perlin_numpy():
    shape, res = (96, 64), (8, 4)
    rng = np.random.RandomState(7)
    theirs = perlin_numpy.generate_perlin_noise_2d(shape, res, (True, True), rng=rng)
    angles = 2 * np.pi * np.random.RandomState(7).uniform(size=(9, 5))
    gradients = np.sqrt(2) * np.stack([np.sin(angles), np.cos(angles)], axis=2)
    field = Field.preset("grid", gradient_grid=gradients[:-1, :-1])
    assert np.max(abs(field.fill(shape, step=(8 / 96, 4 / 64)) - theirs)) < 4e-7


def test_pyfastnoisesimd():
    names = program("others", "pyfastnoisesimd")
    assert np.array_equal(names["heights"], names["field"].fill((512, 512)))


def test_opensimplex():
    names = program("others", "opensimplex")
    assert np.array_equal(names["heights"], names["field"].fill((480, 640), step=1 / 32))
