# SPDX-License-Identifier: MIT
"""Perlin, simplex and cellular noise for heightmaps, volumes and points, with the same bits on every machine.

>>> import perlane
>>> terrain = perlane.Field(seed=7, octaves=8, frequency=0.002, fractal="ridged")
>>> heights = terrain.fill((512, 1024))  # heights[y, x], float32
>>> heights.shape
(512, 1024)
"""

from . import zarr
from ._field import Cells, Field
from ._library import __version__, isa, selftest
from ._map import Map, open_map
from ._picture import Picture
from ._options import Choice, Option, looks, options, presets

__all__ = [
    "Cells", "Choice", "Field", "Map", "Option", "__version__", "isa", "looks", "open_map", "options",
    "Picture", "presets", "selftest", "zarr",
]  # fmt: skip
