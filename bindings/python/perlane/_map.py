# SPDX-License-Identifier: MIT
"""Maps that are stored, opened by the options that they carry."""

from __future__ import annotations

import os
import stat
import struct
import zlib
from typing import Any, BinaryIO, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from ._dask import Lazy
from ._field import Field
from ._samples import Samples
from ._stored import parse_map
from .zarr import open_array

MAX_DESCRIPTION = (8 << 20) - 1  # bytes
_TEXTS = (b"tEXt", b"zTXt", b"iTXt")
_DESCRIPTION = 270, 2  # TIFF's tag and its type, text
_MAX_CHUNKS = 1 << 20  # of a PNG
_MAX_ENTRIES = 1 << 16  # of a TIFF: a tag has 16 bits


class Map(Lazy):
    """A stored map, computed again where it is indexed: ``map[100:200, -1]``, ``map[...]``.

    Its attributes are those of ``Field.fill``, for axes in the order of the shape, and field.
    """

    def __init__(self, field: Field, samples: Samples) -> None:
        super().__init__(field._fill, samples)
        self.field = field
        self.first, self.origin, self.step = samples.first, samples.origin, samples.step
        self.low, self.high = samples.low, samples.high

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("a map has no array that copy=False could share; leave copy out")
        return np.asarray(self[...], dtype)

    def __repr__(self) -> str:
        options = ", ".join(
            f"{name}={value!r}" for name, value in self.samples._asdict().items() if name != "dtype"
        )
        return f"<perlane.Map {self.field!r}, {options}, dtype={self.dtype}>"


# ---- Files ----


def _unpack(data: bytes) -> bytes:
    return zlib.decompressobj().decompress(data, MAX_DESCRIPTION)


def _png(file: BinaryIO) -> bytes | None:
    file.seek(8)
    for _ in range(_MAX_CHUNKS):
        size, kind = struct.unpack(">I4s", file.read(8))
        if kind == b"IEND" or not kind.isalpha():  # zeros of a sparse file, of any size
            return None
        if kind not in _TEXTS or size > MAX_DESCRIPTION:
            file.seek(size + 4, os.SEEK_CUR)
            continue
        data = file.read(size)
        if struct.unpack(">I", file.read(4)) != (zlib.crc32(kind + data),):
            raise zlib.error("a checksum is wrong")
        keyword, _, text = data.partition(b"\0")
        if keyword == b"perlane":
            packed = kind == b"zTXt" or (kind == b"iTXt" and text[0] == 1)
            text = text[1:] if kind == b"zTXt" else text
            text = text[2:].split(b"\0", 2)[2] if kind == b"iTXt" else text
            return _unpack(text) if packed else text
    return None


def _tiff(file: BinaryIO) -> bytes | None:
    file.seek(0)
    head = file.read(16)
    order = ">" if head[:1] == b"M" else "<"
    offset, count, place = ("Q", "Q", 8) if b"+" in head[2:4] else ("I", "H", 4)

    def read(form: str) -> tuple[Any, ...]:
        return struct.unpack(order + form, file.read(struct.calcsize(order + form)))

    file.seek(struct.unpack_from(order + offset, head, place)[0])
    for _ in range(min(read(count)[0], _MAX_ENTRIES)):
        *kind, size, start = read(f"HH{offset}{offset}")
        if tuple(kind) == _DESCRIPTION:
            file.seek(start)
            return file.read(min(size, MAX_DESCRIPTION)).rstrip(b"\0")
    return None


_KINDS = {b"\x89PNG": _png, b"II": _tiff, b"MM": _tiff}


def _open(path: str) -> BinaryIO:
    if not stat.S_ISREG(os.stat(path).st_mode):  # a fifo would wait for its writer
        raise ValueError(f"{path}: not a file")
    return open(path, "rb")


def _texts(path: str) -> Iterator[bytes | None]:
    """Yields the text in a file, and that in the one beside it."""
    with _open(path) as file:
        head = file.read(4)
        for magic, read in _KINDS.items():
            if head.startswith(magic):
                yield read(file)
    with _open(f"{path}.txt") as file:
        lines = file.read(MAX_DESCRIPTION).splitlines()
        yield b" ".join(line for line in lines if not line.startswith(b"#"))


def _text_of(path: str) -> str:
    try:
        for text in _texts(path):
            if text is not None and text.startswith(b"perlane="):
                return text.decode()
    except FileNotFoundError as error:
        if error.filename == path:
            raise
    except (struct.error, IndexError, zlib.error):
        raise ValueError(f"{path}: damaged") from None
    raise ValueError(f"{path}: it carries no options of perlane, and there is no {path}.txt")


def _text_in(source: Any) -> Any:
    """Returns the options in what open_map takes."""
    if isinstance(source, str) and source.startswith("perlane="):
        return source
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        if "://" not in path and not os.path.isdir(path):
            return _text_of(path)
        source = open_array(path)
    try:
        return getattr(source, "attrs", source)["perlane"]
    except (KeyError, TypeError):
        raise ValueError(f"open_map: no attribute 'perlane', the options of a map: {source!r:.200}")


def open_map(source: Any) -> Map:
    """Returns the map that a file, an array or attributes describe; no samples are read.

    source: path of a file or folder that the command or perlane.zarr has written, a PNG, TIFF,
        Zarr array, or any file with a text beside it (map.npy and map.npy.txt); URL of a Zarr
        array; something with attributes, an xarray.DataArray or zarr.Array; the attributes, a
        mapping; or their text.

    Of a picture in colours, the map has the heights.

    >>> heights = Field(seed=7, octaves=8).xarray((300, 400), origin=10, step=0.5)
    >>> map_ = perlane.open_map(heights)
    >>> map_.field, map_.origin, map_.step
    (Field('seed=7 octaves=8'), (10.0, 10.0), (0.5, 0.5))
    >>> (map_[100:200, -50:] == heights.values[100:200, -50:]).all()
    np.True_
    """
    try:
        return Map(*parse_map(_text_in(source)))
    except (AttributeError, KeyError, TypeError) as error:  # anybody may have written them
        raise ValueError(f"open_map: not the options of a map: {error!r}") from None
