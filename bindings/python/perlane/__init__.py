# SPDX-License-Identifier: MIT
"""Perlin, simplex and cellular noise for heightmaps, volumes and points, with the same bits on every machine.

>>> import perlane
>>> terrain = perlane.Field(seed=7, octaves=8, frequency=0.002, fractal="ridged")
>>> heights = terrain.fill((512, 1024))  # heights[y, x], float32
>>> heights.shape
(512, 1024)
"""

from . import zarr
from ._field import (
    Cells, Expression, Field, Scattered, clamp, floor, maximum, minimum, mix, smooth, smooth_max,
    smooth_min, sqrt, step, w, where, x, y, z,
)  # fmt: skip
from ._files import open_map
from ._library import __version__, isa, selftest
from ._map import Map
from ._noise import Gradient
from ._options import LOOKS, OPTIONS, PRESETS, Choice, Option
from ._picture import Picture

__all__ = [
    "Cells", "Choice", "Expression", "Field", "Gradient", "LOOKS", "Map", "OPTIONS", "Option",
    "PRESETS", "Picture", "Scattered", "__version__", "clamp", "floor", "isa", "maximum", "minimum", "mix",
    "open_map", "selftest", "smooth", "smooth_max", "smooth_min", "sqrt", "step", "w", "where", "x",
    "y", "z", "zarr",
]  # fmt: skip
