# SPDX-License-Identifier: MIT
"""Pictures in colours: the options of Field's, and the arrays that they are."""

from __future__ import annotations

import struct
import zlib
from ctypes import c_int, c_uint64
from typing import Any

import numpy as np

from ._arguments import finite, per_axis
from ._library import Grid, PictureOptions, library
from ._options import LOOK_RECORDS, PALETTES

_PARTS = {0: ("shade", "normals"), 1: ("relief", "strength"), 2: ("low, high",) * 2}


def _chunk(kind: bytes, data: bytes) -> bytes:
    check = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)


class Picture(np.ndarray):
    """Pixels, an array of red, green and blue: (rows, columns, 3). Notebooks show it."""

    def _repr_png_(self) -> bytes | None:
        if self.ndim != 3 or self.shape[2] != 3 or 0 in self.shape:
            return None
        height, width, _ = self.shape
        rows = self.astype(self.dtype.newbyteorder(">"), "C").reshape(height, -1).view(np.uint8)
        filters = np.zeros((height, 1), np.uint8)  # of each row: none
        header = struct.pack(">IIBBBBB", width, height, 8 * self.itemsize, 2, 0, 0, 0)
        data = zlib.compress(np.hstack([filters, rows]).tobytes(), 6)
        chunks = (b"IHDR", header), (b"IDAT", data), (b"IEND", b"")
        return b"".join([b"\x89PNG\r\n\x1a\n", *(_chunk(*chunk) for chunk in chunks)])


def bits_of(dtype: Any) -> int:
    """Returns the bits of a type of levels."""
    bits = {np.dtype(np.uint8): 8, np.dtype(np.uint16): 16}.get(np.dtype(dtype))
    if bits is None:
        raise TypeError(f"dtype: expected uint8 or uint16, not {np.dtype(dtype)}")
    return bits


def prepare(
    noise: Any, grid: Grid, *, palette: str = "grey", light: Any = None, height: Any = None,
    bits: int = 8, **options: Any,
) -> tuple[Any, int]:  # fmt: skip
    """Returns the library's plan of a picture, and its bits per colour.

    The name of a look as palette stands for the look's palette, light and relief.
    """
    look = LOOK_RECORDS.get(palette)
    name = look.palette.decode() if look else palette
    if name not in PALETTES:
        raise ValueError(f"palette must be one of {', '.join(PALETTES)}, or a look, not {name!r}")
    picture = PictureOptions(palette=PALETTES.index(name), height=np.nan, bits=bits, **options)
    picture.azimuth, picture.altitude = 315, 45
    if look and look.relief > 0:
        picture.azimuth, picture.altitude = look.azimuth, look.altitude
        picture.height = look.relief * grid.count[0]
    if light is not None:
        picture.azimuth, picture.altitude = per_axis("light", light, 2, finite)
        if not (0 <= picture.azimuth <= 360 and 0 <= picture.altitude <= 90):
            raise ValueError(f"light: expected an azimuth up to 360, an altitude up to 90, not {light}")
    if height is not None:
        picture.height = finite(_PARTS[1][picture.normal_map], height)
    plan, part = (c_uint64 * (library.perlane_picture_plan_size() // 8 + 1))(), c_int()
    problem = library.perlane_picture_prepare(plan, picture, noise, grid, part)
    if problem is not None:
        raise ValueError(f"{_PARTS[part.value][picture.normal_map]}: {problem.decode()}")
    return plan, bits
