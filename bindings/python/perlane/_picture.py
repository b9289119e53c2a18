# SPDX-License-Identifier: MIT
"""Pictures and masks: the options of Field's, and the arrays that they are."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np

from ._arguments import finite, per_axis
from ._library import Grid, PictureOptions, PlanMemory, library
from ._options import PALETTES, encode

_KINDS = ("palette", "shade", "normals", "normals down", "height", "slope")  # perlane_picture_kind


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
    noise: Any, grid: Grid, kind: str, ends: Any, *, palette: str = "grey", light: Any = None,
    relief: Any = None, spacing: Any = (1, 1), bits: int = 8,
) -> Any:  # fmt: skip
    """Returns the library's plan of a picture.

    The name of a look as palette stands for the look's palette, light and relief.
    """
    picture, plan = PictureOptions(), PlanMemory()
    if library.perlane_picture_look(picture, encode(palette), grid.count[0]) != 0:
        if palette not in PALETTES:
            raise ValueError(f"palette must be one of {', '.join(PALETTES)}, or a look, not {palette!r}")
        library.perlane_picture_init(picture)
        picture.palette = PALETTES.index(palette)
    if kind != "look":  # which has one of its own
        picture.kind = _KINDS.index(kind)
    picture.bits = bits
    picture.low, picture.high = ends
    picture.spacing[:] = spacing
    if light is not None:
        picture.azimuth, picture.altitude = per_axis("light", light, 2, finite)
    strength = "strength" if "normals" in kind else "relief"
    if relief is not None:
        picture.relief = finite(strength, relief)
    status = library.perlane_picture_prepare(plan, picture, noise, grid)
    if status != 0:
        of_status = {10: "spacing", 13: "low, high", 26: "light", 27: strength}  # perlane_status
        at_fault = of_status.get(status, kind.split()[0])
        raise ValueError(f"{at_fault}: {library.perlane_status_string(status).decode()}")
    return plan
