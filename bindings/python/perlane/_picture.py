# SPDX-License-Identifier: MIT
"""Pictures in colours: the options of Field's, and the arrays that they are."""

from __future__ import annotations

import struct
import zlib
from ctypes import byref, c_int, c_uint64
from itertools import count, takewhile
from typing import Any, Iterable

import numpy as np

from ._arguments import finite, per_axis
from ._library import Grid, LookRecord, PictureOptions, library
from ._options import LOOKS

_HAS_PICTURES = hasattr(library, "perlane_picture_fill")
_NAMES: Iterable[bytes] = map(library.perlane_palette_name, count()) if _HAS_PICTURES else ()
PALETTES = tuple(name.decode() for name in takewhile(bool, _NAMES))
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


def _need_pictures() -> None:
    if not _HAS_PICTURES:
        raise ImportError(f"pictures need the Python package's own library, not {library._name}")


def palette_of(name: str) -> tuple[int, LookRecord | None]:
    """Returns a palette's index, and the look if the name is that of a look with a relief."""
    _need_pictures()
    look = LOOKS.get(name)
    if look is not None:
        name = look.palette.decode()
        look = look if look.relief > 0 else None
    if name not in PALETTES:
        raise ValueError(f"palette must be one of {', '.join(PALETTES)}, or a look, not {name!r}")
    return PALETTES.index(name), look


def light_of(light: Any, look: LookRecord | None) -> tuple[float, ...]:
    """Returns azimuth and altitude."""
    if light is None:
        return (315, 45) if look is None else (look.azimuth, look.altitude)
    angles = per_axis("light", light, 2, finite)
    if not (0 <= angles[0] <= 360 and 0 <= angles[1] <= 90):
        raise ValueError(f"light: expected an azimuth up to 360, an altitude up to 90, not {light}")
    return angles


def prepare(noise: Any, grid: Grid, options: dict[str, Any]) -> Any:
    """Returns the library's plan of a picture."""
    _need_pictures()
    plan = (c_uint64 * (library.perlane_picture_plan_size() // 8 + 1))()
    part = c_int()
    picture = PictureOptions(**options)
    problem = library.perlane_picture_prepare(plan, picture, noise, grid, byref(part))
    if problem is not None:
        raise ValueError(f"{_PARTS[part.value][picture.normal_map]}: {problem.decode()}")
    return plan
