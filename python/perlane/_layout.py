# SPDX-License-Identifier: MIT
"""Layouts of a map in a Zarr array: its units of writing, their keys, bytes and descriptions.

A unit is a chunk, or a shard of chunks. Units at the array's far edges are whole, with zeros beyond
the edge, so that their bytes depend on the array alone.
"""

from __future__ import annotations

import builtins
import dataclasses
import json
import math
import re
import zlib
from typing import Any, ClassVar, Sequence

import numpy as np
from numpy.typing import NDArray

from ._arguments import number, per_axis
from ._map import Map
from ._optional import need

_USUAL_SIDE = (1 << 20, 1024, 128, 32)  # of a chunk in 1 to 4 dimensions: about a million samples
_MAX_UNIT_BYTES = 1 << 30  # most readers keep a chunk's bytes below 2 GiB
_MAX_UNITS = 1 << 32


def _zstd() -> Any:
    return need("numcodecs.zstd", "compressor 'zstd'", "zarr")


def _max_packed(size: int) -> int:
    return size + size // 8 + 1024  # zlib-ng's level 1 has codes of 9 bits


def _unpack_zstd(data: bytes, out: NDArray[np.uint8]) -> None:
    """Fills an array of bytes, neither more nor less."""
    unpack = _zstd().decompress
    try:
        unpack(data, out[:-1])
    except Exception:  # as it must: decompress does not say how many bytes it has written
        unpack(data, out)
    else:
        raise ValueError("it unpacks to less than a chunk")


@dataclasses.dataclass(frozen=True)
class Layout:
    """Format 2: a chunk is a file of samples, little-endian, that zlib or zstd have packed."""

    map: Map
    unit: tuple[int, ...]
    compressor: str | None
    text: str  # of the map, in the words that the array has
    level: int = 1

    compressors: ClassVar[tuple[str | None, ...]] = (None, "zlib", "zstd")
    folder = ""  # of all units

    def __post_init__(self) -> None:
        if self.compressor not in self.compressors:
            raise ValueError(
                f"compressor: expected one of {self.compressors}, not {self.compressor!r}"
            )
        if self._bytes > _MAX_UNIT_BYTES:
            raise ValueError("chunks: more than 1 GiB in a chunk or shard")
        if math.prod(self.counts) > _MAX_UNITS:
            raise ValueError("chunks: more than 2^32 of them")
        if self.map.is_too_large:  # resuming and verifying need the whole field
            raise ValueError("field: an array carries gradient grids of at most 65536 points")

    # ---- Units ----

    @property
    def counts(self) -> tuple[int, ...]:
        """The numbers of units along the axes."""
        return tuple(-(-n // side) for n, side in zip(self.map.shape, self.unit))

    def key(self, unit: int) -> str:
        """Returns the key of a unit, which are numbered in C order."""
        return self.folder + "/".join(map(str, np.unravel_index(unit, self.counts)))

    def unit_of(self, key: str) -> int | None:
        """Returns the number of the unit with a key, None for other keys."""
        if not key.startswith(self.folder):
            return None
        unit, parts = 0, key[len(self.folder) :].split("/")
        if len(parts) != len(self.counts):
            return None
        for part, count in zip(parts, self.counts):
            if not re.fullmatch("0|[1-9][0-9]{0,18}", part) or int(part) >= count:
                return None
            unit = unit * count + int(part)
        return unit

    def start(self, unit: int) -> list[int]:
        """Returns the index of a unit's first sample."""
        numbers = np.unravel_index(unit, self.counts)
        return [int(i) * side for i, side in zip(numbers, self.unit)]

    def compute(self, unit: int) -> NDArray[Any]:
        """Returns a whole unit of samples, little-endian."""
        start = self.start(unit)
        counts = [min(side, n - i) for side, n, i in zip(self.unit, self.map.shape, start)]
        samples = (np.empty if counts == list(self.unit) else np.zeros)(self.unit, self.map.dtype)
        self.map.fill(start, counts, samples[tuple(map(slice, counts))])
        return samples.astype(self.dtype, copy=False)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of stored samples."""
        return np.dtype(self.map.dtype).newbyteorder("<")

    # ---- Bytes ----

    @property
    def _bytes(self) -> int:
        return math.prod(self.unit) * self.dtype.itemsize

    @property
    def max_packed(self) -> int:
        """The number of bytes that no unit exceeds, whatever packs it."""
        return _max_packed(self._bytes)

    def pack(self, samples: NDArray[Any]) -> bytes:
        """Returns the bytes of a unit."""
        if self.compressor == "zlib":
            return zlib.compress(samples.data, self.level)
        if self.compressor == "zstd":
            codec = _zstd().Zstd(self.level)
            packed: bytes = codec.encode(samples)
            return packed
        return samples.tobytes()

    def unpack(self, data: bytes) -> NDArray[Any]:
        """Returns the samples of a unit; raises errors of any type if it is damaged."""
        return self._unpack(data, self.unit)

    def _unpack(self, data: bytes, shape: tuple[int, ...]) -> NDArray[Any]:
        """Returns as many samples as data must have, and takes no more memory if it has more."""
        if self.compressor == "zlib":
            stream = zlib.decompressobj()
            size = math.prod(shape) * self.dtype.itemsize
            data = stream.decompress(data, size + 1)
            if stream.unused_data or not stream.eof:
                raise ValueError("it does not end where its samples do")
        elif self.compressor == "zstd":
            samples = np.empty(shape, self.dtype)
            _unpack_zstd(data, samples.view(np.uint8).reshape(-1))
            return samples
        return np.frombuffer(data, self.dtype).reshape(shape)

    # ---- Descriptions ----

    @property
    def attributes(self) -> dict[str, Any]:
        """The attributes that describe the map."""
        return {**self.map.attributes, "perlane": self.text}

    def describe(self) -> dict[str, Any]:
        """Returns the array's descriptions by their keys; with the last one it is complete."""
        codec = self.compressor and {"id": self.compressor, "level": self.level}
        return {
            ".zattrs": {"_ARRAY_DIMENSIONS": self.map.dims, **self.attributes},
            ".zarray": {
                "chunks": self.unit,
                "compressor": codec,
                "dimension_separator": "/",
                "dtype": self.dtype.str,
                "fill_value": "NaN" if self.map.dtype == "float32" else None,
                "filters": None,
                "order": "C",
                "shape": self.map.shape,
                "zarr_format": 2,
            },
        }


@dataclasses.dataclass(frozen=True)
class Shards(Layout):
    """Format 3: zarr-python packs a shard of chunks, or a chunk, in memory.

    Its own unpacking takes the memory that a chunk asks for, so that is done here.
    """

    chunk: tuple[int, ...] | None = None  # None without shards
    compressors = (None, "zstd")
    folder = "c/"

    def _zarr(self) -> Any:
        zarr = need("zarr", "zarr_format=3", "zarr")
        if int(zarr.__version__.split(".")[0]) < 3:
            raise ImportError(f"zarr_format=3 needs zarr 3; this is {zarr.__version__}")
        return zarr

    def _array(self, shape: Sequence[int], files: dict[str, Any], **options: Any) -> Any:
        zarr = self._zarr()
        codec = [{"name": "zstd", "configuration": {"level": self.level, "checksum": False}}]
        return zarr.create_array(
            zarr.storage.MemoryStore(files),
            shape=shape,
            chunks=self.chunk or self.unit,
            shards=self.chunk and self.unit,
            dtype=self.dtype,
            compressors=codec if self.compressor else None,
            fill_value=math.nan if self.map.dtype == "float32" else 0,
            config={"write_empty_chunks": True},  # a chunk that is not there is missing
            zarr_format=3,
            **options,
        )

    def _key(self) -> str:
        return self.folder + "/".join("0" * len(self.unit))

    def pack(self, samples: NDArray[Any]) -> bytes:
        """Returns the bytes of a unit."""
        files: dict[str, Any] = {}
        self._array(self.unit, files)[...] = samples
        data: bytes = files[self._key()].to_bytes()
        return data

    @property
    def _chunks(self) -> tuple[int, ...]:
        """The numbers of chunks along a shard's axes."""
        return tuple(side // chunk for side, chunk in zip(self.unit, self.chunk or self.unit))

    @property
    def _bytes(self) -> int:
        return super()._bytes + 16 * math.prod(self._chunks)  # with the index of a shard

    @property
    def max_packed(self) -> int:
        """The number of bytes that no unit exceeds, whatever packs it."""
        chunks = math.prod(self._chunks)
        return chunks * (_max_packed(super()._bytes // chunks) + 16) + 4

    def _index(self, data: bytes) -> NDArray[np.uint64]:
        """Returns the offset and the size of each chunk, from the index at a shard's end."""
        zarr, shape = self._zarr(), (math.prod(self._chunks), 2)
        files: dict[str, Any] = {}
        index = zarr.create_array(
            zarr.storage.MemoryStore(files),
            shape=shape,
            chunks=shape,
            dtype="<u8",
            compressors=zarr.codecs.Crc32cCodec(),
            zarr_format=3,
        )
        buffers = need("zarr.core.buffer", "zarr_format=3", "zarr")
        end = data[-16 * shape[0] - 4 :]
        files["c/0/0"] = buffers.default_buffer_prototype().buffer.from_bytes(end)
        entries: NDArray[np.uint64] = index[...]
        return entries

    def unpack(self, data: bytes) -> NDArray[Any]:
        """Returns the samples of a unit; raises errors of any type if it is damaged."""
        if self.chunk is None:
            return super().unpack(data)
        samples = np.empty(self.unit, self.dtype)
        limit = _max_packed(math.prod(self.chunk) * self.dtype.itemsize)
        for chunk, entry in zip(np.ndindex(*self._chunks), self._index(data)):
            begin, size = map(int, entry)
            if size > min(limit, len(data)) or begin > len(data) - size:
                raise ValueError(f"its index has no place for chunk {chunk}")
            inside = tuple(slice(i * n, (i + 1) * n) for i, n in zip(chunk, self.chunk))
            samples[inside] = self._unpack(data[begin : begin + size], self.chunk)
        return samples

    def describe(self) -> dict[str, Any]:
        """Returns the array's descriptions by their keys."""
        files: dict[str, Any] = {}
        self._array(
            self.map.shape, files, dimension_names=self.map.dims, attributes=self.attributes
        )
        return {"zarr.json": json.loads(files["zarr.json"].to_bytes())}


def layout_of(map: Map, chunks: Any, shards: Any, compressor: str | None, format: int) -> Layout:
    """Returns the layout of a map; sides of chunks beyond the array's are cut."""
    dims = len(map.shape)

    def sides(name: str, value: Any) -> list[int]:
        return per_axis(name, value, dims, lambda name, side: number(name, side, 1, 1 << 30))

    given = sides("chunks", _USUAL_SIDE[dims - 1] if chunks is None else chunks)
    chunk = tuple(builtins.map(min, map.shape, given))
    if format == 2 and shards is None:
        if compressor == "zstd":
            _zstd()  # before anything is written
        return Layout(map, chunk, compressor, map.text)
    if format != 3:
        raise ValueError(f"zarr_format: expected 2, or 3, which shards need; not {format!r}")
    if shards is None:
        return Shards(map, chunk, compressor, map.text)
    shard = sides("shards", shards)
    if any(s % c for s, c in zip(shard, chunk)):
        raise ValueError(f"shards: expected multiples of the chunks' {chunk}, not {tuple(shard)}")
    unit = tuple(min(s, -(-n // c) * c) for s, n, c in zip(shard, map.shape, chunk))
    return Shards(map, unit, compressor, map.text, chunk=chunk)


# ---- Stored descriptions ----


def includes(stored: Any, wanted: Any) -> bool:
    """Returns True if two values of JSON are equal; objects that are stored may have more keys."""
    if isinstance(wanted, dict):
        return isinstance(stored, dict) and all(
            key in stored and includes(stored[key], value) for key, value in wanted.items()
        )
    if isinstance(wanted, (list, tuple)):
        return (
            isinstance(stored, list)
            and len(stored) == len(wanted)
            and all(map(includes, stored, wanted))
        )
    return isinstance(stored, bool) == isinstance(wanted, bool) and bool(stored == wanted)


def stored_layout(documents: dict[str, Any]) -> Layout:
    """Returns the layout that descriptions describe, by the keys that describe() has."""
    try:
        if "zarr.json" in documents:
            array = documents["zarr.json"]
            text = array["attributes"]["perlane"]
            unit = array["chunk_grid"]["configuration"]["chunk_shape"]
            codecs, shards = array["codecs"], None
            if codecs[0]["name"] == "sharding_indexed":
                shards, unit = unit, codecs[0]["configuration"]["chunk_shape"]
                codecs = codecs[0]["configuration"]["codecs"]
            named = [codec for codec in codecs if codec["name"] != "bytes"]
            layout = layout_of(
                Map.parse(text), unit, shards, named[0]["name"] if named else None, 3
            )
            level = named[0]["configuration"]["level"] if named else 1
        else:
            array = documents[".zarray"]
            text = documents[".zattrs"]["perlane"]
            codec = array["compressor"]
            layout = layout_of(Map.parse(text), array["chunks"], None, codec and codec["id"], 2)
            level = codec["level"] if codec else 1
        level = number("level", level, 0, 9 if layout.compressor == "zlib" else 22)
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise ValueError(f"it describes no array of perlane's: {error!r}") from None
    return dataclasses.replace(layout, text=text, level=level)
