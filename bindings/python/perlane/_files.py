# SPDX-License-Identifier: MIT
"""Maps that are stored, opened by the options that they carry as text. Anybody may have written it.

The text is perlane=VERSION, then in any order the options of the field, of its samples, and tables;
or instead of a field's options expression=, a text with & for blanks.
"""

from __future__ import annotations

import math
import os
import re
import reprlib
import stat
import struct
import zlib
from typing import Any, BinaryIO

import numpy as np

from ._arguments import need
from ._field import Expression, Field
from ._geo import rounding
from ._map import DTYPES, Map
from ._noise import Noise

_OTHERS = {  # words that change no height: of pictures, masks and TIFF files
    *("palette", "shade", "light", "relief", "normal_map", "normal_strength", "normal_y"),
    *("mask", "spacing", "unit", "compression"),
}

_MAX_DIGITS = 400  # int() of millions would take minutes
MAX_DESCRIPTION = (8 << 20) - 1  # bytes
_TEXTS = (b"tEXt", b"zTXt", b"iTXt")
_ATTRIBUTE = re.compile(rb"([^\0]{1,255})\0([^\0]{1,255})\0(.{4})", re.DOTALL)  # name, type, size
_DESCRIPTION = 270, 2  # TIFF's tag and its type, text
_MAX_ENTRIES = 1 << 16  # of a TIFF: a tag has 16 bits


def _numbers(text: str, kind: type[int] | type[float]) -> Any:
    values = [kind(number) for number in text.split(",")[::-1]]
    return values[0] if len(values) == 1 else values


def _parse(text: str) -> Map:
    if max(map(len, re.findall(r"\d+", text)), default=0) > _MAX_DIGITS:
        raise ValueError(f"a number has more than {_MAX_DIGITS} digits")
    words = dict(word.partition("=")[::2] for word in text.split()[1:])
    options = {name.replace("-", "_"): value for name, value in words.items()}
    if not text.startswith("perlane=") or options.pop("axes", "2") not in ("1", "2", "3", "4"):
        raise ValueError("it begins with no perlane=VERSION, or has other axes than 1 to 4")
    shape = [int(count) for count in options.pop("size").lower().split("x")[::-1]]
    bits, ends = options.pop("bits", "32"), options.pop("range", "-1,1")
    dtype = DTYPES["32" if "mask" in options else bits]
    kinds = {"first": int, "origin": float, "step": float}
    where = {name: _numbers(options.pop(name), kinds[name]) for name in kinds if name in options}
    system = options.pop("crs", "none")
    names = [name for name in options if name not in _OTHERS]
    field: Noise
    if "expression" in options:
        field = Expression(options.pop("expression").replace("&", " "))
        if names != ["expression"]:
            raise ValueError("an expression has no options of a field")
    else:
        field = Field(" ".join(f"{name}={options[name]}" for name in names))
    low = high = None  # of floats, and those of the field
    if dtype != "float32" and ends != "auto":
        high, low = _numbers(ends, float)
    crs = None if system == "none" else system
    return field._map(shape, **where, dtype=dtype, low=low, high=high, crs=crs)


def parse_map(text: Any) -> Map:
    """Returns the map that a text describes; raises a ValueError if it describes none."""
    try:
        return _parse(text)
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise ValueError(f"not the options of a map: {reprlib.repr(text)}: {error}") from None


# ---- Files ----


def _png(file: BinaryIO) -> bytes | None:
    file.seek(8)
    while True:
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
            return zlib.decompressobj().decompress(text, MAX_DESCRIPTION) if packed else text


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


def _exr(file: BinaryIO) -> bytes | None:
    file.seek(8)
    head, at = file.read(MAX_DESCRIPTION), 0
    while attribute := _ATTRIBUTE.match(head, at):
        begin = attribute.end()
        at = begin + struct.unpack("<I", attribute[3])[0]
        if attribute[1] == b"perlane":
            return head[begin:at]
    return None


_KINDS = {b"\x76\x2f\x31\x01": _exr, b"\x89PNG": _png, b"II": _tiff, b"MM": _tiff}


def _open(path: str) -> BinaryIO:
    if not stat.S_ISREG(os.stat(path).st_mode):  # a fifo would wait for its writer
        raise ValueError(f"{path}: not a file")
    return open(path, "rb")


def _text_of(path: str) -> str:
    """Returns the text in a file, or else that in the one beside it."""
    with _open(path) as file:
        head, text = file.read(4), None
        try:
            for magic, read in _KINDS.items():
                text = read(file) if head.startswith(magic) else text
        except (struct.error, IndexError, zlib.error):
            raise ValueError(f"{path}: damaged") from None
    if text is None or not text.startswith(b"perlane="):
        try:
            with _open(f"{path}.txt") as file:
                lines = file.read(MAX_DESCRIPTION).splitlines()
        except FileNotFoundError:
            problem = f"it carries no options of perlane, and there is no {path}.txt"
            raise ValueError(f"{path}: {problem}") from None
        text = b" ".join(line for line in lines if not line.startswith(b"#"))
    return text.decode("utf-8", "replace")


# ---- Zarr arrays ----


def zarr_python() -> Any:
    """Returns the package zarr."""
    zarr = need("zarr", "perlane.zarr", "zarr")
    if int(zarr.__version__.partition(".")[0]) < 3:
        raise ImportError(f"perlane.zarr needs zarr 3.1.3 or later; this is {zarr.__version__}")
    return zarr


def store_of(where: Any) -> Any:
    """Returns the store of a path or a URL; workers in other folders see the same one."""
    if isinstance(where, str) and "://" in where:
        return zarr_python().storage.FsspecStore.from_url(where)
    if isinstance(where, (str, os.PathLike)):
        return zarr_python().storage.LocalStore(os.path.abspath(where))
    if not hasattr(where, "list_dir"):
        raise TypeError(f"store: expected a path, a URL or a zarr.storage store, not {where!r:.200}")
    return where


def open_array(store: Any, name: str | None = None) -> Any:
    """Returns an array of zarr's, for reading."""
    try:
        return zarr_python().open_array(store_of(store), path=name, mode="r")
    except FileNotFoundError as error:
        raise ValueError(f"{store}: there is no Zarr array; one of a group has a name") from error


# ---- Maps ----


def _problem(array: Any, map_: Map) -> str | None:
    """Returns what an array has that its options do not describe."""
    if tuple(array.shape) != map_.shape:
        return f"shape {array.shape}, not {map_.shape}"
    if not hasattr(array, "dims"):  # which xarray's have
        is_equal = array.dtype.newbyteorder("=") == map_.dtype
        return None if is_equal else f"type {array.dtype}, not {map_.dtype}"
    coords = getattr(array, "coords", {})
    for axis, positions, step in zip(array.dims, map_.coordinates.values(), map_.step):
        if axis not in coords:
            continue
        error = max(1e-3 * abs(step), rounding(coords[axis].values))
        if not np.allclose(coords[axis], positions, 0, error):
            return f"other positions along {axis}"
    for flat in np.linspace(0, math.prod(map_.shape) - 1, 9).astype(np.int64):
        place = tuple(map(int, np.unravel_index(flat, map_.shape)))
        found, wanted = float(array[place]), float(map_[place])
        decoded = wanted * map_.scale + (map_.low or 0)  # as xarray reads integers
        if found != wanted and not abs(found - decoded) < map_.scale:
            return f"another value at {place}"
    return None


def open_map(source: Any) -> Map:
    """Returns the map that a file, an array or attributes describe.

    The shape, the positions and a few samples of an xarray.DataArray, the shape of a zarr.Array
    are compared with the options: attributes outlive slices and arithmetic.

    source: path of a file or folder that the command or perlane.zarr has written, a PNG, TIFF, EXR,
        Zarr array, or any file with a text beside it (map.npy and map.npy.txt); URL of a Zarr
        array; something with attributes, an xarray.DataArray or zarr.Array; the attributes, a
        mapping; or their text.

    Of a picture in colours or a mask, the map has the heights.

    >>> heights = Field(seed=7, octaves=8).xarray((300, 400), origin=10, step=0.5)
    >>> map_ = perlane.open_map(heights)
    >>> map_.field, map_.origin, map_.step
    (Field('seed=7 octaves=8'), (10.0, 10.0), (0.5, 0.5))
    >>> (map_[100:200, -50:] == heights.values[100:200, -50:]).all()
    np.True_
    """
    if isinstance(source, str) and source.startswith("perlane="):
        return parse_map(source)
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        if "://" not in path and not os.path.isdir(path):
            return parse_map(_text_of(path))
        source = open_array(path)
    try:
        text = getattr(source, "attrs", source)["perlane"]
    except (KeyError, TypeError):
        raise ValueError(f"open_map: no attribute 'perlane', the options of a map: {source!r:.200}")
    map_ = parse_map(text)
    problem = _problem(source, map_) if hasattr(source, "shape") else None
    if problem:
        raise ValueError(f"open_map: the array is not the map of its options: it has {problem}")
    return map_
