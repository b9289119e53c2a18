# SPDX-License-Identifier: MIT
"""Layouts of a map in a Zarr array: its units of writing, their keys, bytes and descriptions.

A unit is a chunk, or a shard of chunks. Units at the array's far edges are whole, with zeros beyond
the edge, so that their bytes depend on the array alone.
"""

from __future__ import annotations

import dataclasses
import json
import math
from functools import cached_property
from typing import Any, Sequence

import numpy as np
from numpy.typing import NDArray

from ._arguments import number, per_axis
from ._codecs import max_packed, pack, unpack, zstd
from ._field import Field
from ._optional import need
from ._samples import Samples
from ._stored import parse_map
from ._tables import is_carried

_USUAL_SIDE = (1 << 20, 1024, 128, 32)  # of a chunk in 1 to 4 dimensions: about a million samples
_MAX_UNIT_BYTES = 1 << 30  # most readers keep a chunk's bytes below 2 GiB
_MAX_UNITS = 1 << 32
_COMPRESSORS = {2: (None, "zlib", "zstd"), 3: (None, "zstd")}  # of each format


def zarray(shape: Any, chunks: Any, dtype: np.dtype[Any], compressor: Any) -> dict[str, Any]:
    """Returns the description of an array of format 2."""
    return {
        "chunks": chunks,
        "compressor": compressor,
        "dimension_separator": "/",
        "dtype": dtype.str,
        "fill_value": "NaN" if dtype.kind == "f" else None,
        "filters": None,
        "order": "C",
        "shape": shape,
        "zarr_format": 2,
    }


def array_in_memory(
    files: dict[str, Any], shape: Sequence[int], dtype: np.dtype[Any], **options: Any
) -> Any:
    """Returns an array of format 3 whose files are in memory: one chunk, unless options say more."""
    zarr = need("zarr", "zarr_format=3", "zarr")
    if int(zarr.__version__.split(".")[0]) < 3:
        raise ImportError(f"zarr_format=3 needs zarr 3; this is {zarr.__version__}")
    usual = {"chunks": shape, "compressors": None}
    return zarr.create_array(
        zarr.storage.MemoryStore(files),
        zarr_format=3,
        shape=shape,
        dtype=dtype,
        fill_value=math.nan if dtype.kind == "f" else 0,
        config={"write_empty_chunks": True},  # a chunk that is not there is missing
        **{**usual, **options},
    )


@dataclasses.dataclass(frozen=True)
class Layout:
    """Format 2, or format 3 by zarr-python 3. Samples are little-endian."""

    field: Field
    samples: Samples
    format: int
    unit: tuple[int, ...]
    chunk: tuple[int, ...] | None  # of a shard; None without shards
    compressor: str | None
    text: str  # of the map, in the words that the array has
    level: int = 1

    def __post_init__(self) -> None:
        accepted = _COMPRESSORS[self.format]
        if self.compressor not in accepted:
            raise ValueError(f"compressor: expected one of {accepted}, not {self.compressor!r}")
        if self._bytes + self._index_bytes > _MAX_UNIT_BYTES:
            raise ValueError("chunks: more than 1 GiB in a chunk or shard")
        if math.prod(self.counts) > _MAX_UNITS:
            raise ValueError("chunks: more than 2^32 of them")
        if not all(is_carried(*table) for table in self.field._tables.items()):
            # resuming and verifying need the whole field
            raise ValueError("field: an array carries gradient grids of at most 65536 points")

    # ---- Units ----

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """The numbers of units along the axes."""
        return tuple(-(-n // side) for n, side in zip(self.samples.shape, self.unit))

    @property
    def folder(self) -> str:
        """The beginning of all units' keys."""
        return "c/" if self.format == 3 else ""

    def key(self, unit: int) -> str:
        """Returns the key of a unit, which are numbered in C order."""
        return self.folder + "/".join(map(str, np.unravel_index(unit, self.counts)))

    def unit_of(self, key: str) -> int | None:
        """Returns the number of the unit with a key, None for other keys."""
        try:
            index = tuple(map(int, key[len(self.folder) :].split("/")))
            unit = int(np.ravel_multi_index(index, self.counts))
        except (ValueError, OverflowError):
            return None
        return unit if key == self.key(unit) else None

    def start(self, unit: int) -> list[int]:
        """Returns the index of a unit's first sample."""
        numbers = np.unravel_index(unit, self.counts)
        return [int(i) * side for i, side in zip(numbers, self.unit)]

    def compute(self, unit: int) -> NDArray[Any]:
        """Returns a whole unit of samples."""
        start = self.start(unit)
        counts = [min(side, n - i) for side, n, i in zip(self.unit, self.samples.shape, start)]
        samples = np.zeros(self.unit, self.samples.dtype)
        self.field._fill(self.samples.block(start, counts), samples[tuple(map(slice, counts))])
        return samples.astype(self._dtype, copy=False)

    # ---- Bytes ----

    @property
    def _dtype(self) -> np.dtype[Any]:
        return self.samples.dtype.newbyteorder("<")

    @property
    def _bytes(self) -> int:
        return math.prod(self.unit) * self._dtype.itemsize

    @property
    def _chunks(self) -> tuple[int, ...]:
        """The numbers of chunks along a shard's axes; none without shards."""
        return tuple(side // chunk for side, chunk in zip(self.unit, self.chunk or ()))

    @property
    def _index_bytes(self) -> int:
        return 16 * math.prod(self._chunks) + 4 if self.chunk else 0

    @property
    def max_packed(self) -> int:
        """The number of bytes that no unit exceeds, whatever packs it."""
        chunks = math.prod(self._chunks)
        return chunks * max_packed(self._bytes // chunks) + self._index_bytes

    def pack(self, samples: NDArray[Any]) -> bytes:
        """Returns the bytes of a unit."""
        if self.chunk is None:
            return pack(samples, self.compressor, self.level)
        files: dict[str, Any] = {}
        self._array(files, self.unit)[...] = samples
        return bytes(files[self.key(0)].to_bytes())

    def unpack(self, data: bytes) -> NDArray[Any]:
        """Returns the samples of a unit; raises errors of any type if it is damaged."""
        if self.chunk is None:
            return unpack(data, self.compressor, self.unit, self._dtype)
        samples = np.empty(self.unit, self._dtype)
        limit = min(max_packed(math.prod(self.chunk) * self._dtype.itemsize), len(data))
        for chunk, (begin, size) in zip(np.ndindex(*self._chunks), self._index(data).tolist()):
            if size > limit or begin > len(data) - size:
                raise ValueError(f"its index has no place for chunk {chunk}")
            inside = tuple(slice(i * n, (i + 1) * n) for i, n in zip(chunk, self.chunk))
            piece = data[begin : begin + size]
            samples[inside] = unpack(piece, self.compressor, self.chunk, self._dtype)
        return samples

    # ---- Format 3 ----

    def _array(self, files: dict[str, Any], shape: Sequence[int], **options: Any) -> Any:
        """Returns an array whose files are in memory."""
        codec = {"name": "zstd", "configuration": {"level": self.level, "checksum": False}}
        return array_in_memory(
            files,
            shape,
            self._dtype,
            chunks=self.chunk or self.unit,
            shards=self.chunk and self.unit,
            compressors=[codec] if self.compressor else None,
            **options,
        )

    def _index(self, data: bytes) -> NDArray[np.uint64]:
        """Returns the offset and the size of each chunk, from the index at a shard's end.

        zarr-python's own reading of a shard takes the memory that its chunks ask for.
        """
        index, checksum = data[-self._index_bytes : -4], data[-4:]
        crc32c = need("google_crc32c", "zarr_format=3", "zarr").value
        if crc32c(index) != int.from_bytes(checksum, "little"):
            raise ValueError("its index has another checksum")
        return np.frombuffer(index, "<u8").reshape(math.prod(self._chunks), 2)

    # ---- Descriptions ----

    def describe(self) -> dict[str, Any]:
        """Returns the array's descriptions by their keys; with the last one it is complete."""
        axes, shape = self.samples.axes, self.samples.shape
        attributes = {**self.field._attributes(self.samples), "perlane": self.text}
        if self.format == 3:
            files: dict[str, Any] = {}
            self._array(files, shape, dimension_names=axes, attributes=attributes)
            return {"zarr.json": json.loads(files["zarr.json"].to_bytes())}
        return {
            ".zattrs": {"_ARRAY_DIMENSIONS": axes, **attributes},
            ".zarray": zarray(
                shape,
                self.unit,
                self._dtype,
                self.compressor and {"id": self.compressor, "level": self.level},
            ),
        }


def layout_of(
    field: Field, samples: Samples, chunks: Any, shards: Any, compressor: str | None, format: int
) -> Layout:
    """Returns the layout of a map; sides of chunks beyond the array's are cut."""
    shape = samples.shape

    def sides(name: str, value: Any) -> tuple[int, ...]:
        return per_axis(name, value, len(shape), lambda name, n: number(name, n, 1, 1 << 30))

    if format not in (2, 3) or (format == 2 and shards is not None):
        raise ValueError(f"zarr_format: expected 2, or 3, which shards need; not {format!r}")
    given = sides("chunks", _USUAL_SIDE[len(shape) - 1] if chunks is None else chunks)
    unit, chunk = tuple(map(min, shape, given)), None
    if shards is not None:
        chunk, shard = unit, sides("shards", shards)
        if any(s % c for s, c in zip(shard, chunk)):
            raise ValueError(f"shards: expected multiples of the chunks' {chunk}, not {shard}")
        unit = tuple(min(s, -(-n // c) * c) for s, n, c in zip(shard, shape, chunk))
    text = field._attributes(samples)["perlane"]
    layout = Layout(field, samples, format, unit, chunk, compressor, text)
    if compressor == "zstd":
        zstd()  # before anything is written
    return layout


def stored_layout(documents: dict[str, Any]) -> Layout:
    """Returns the layout that descriptions describe, by the keys that describe() has."""
    shards, codec = None, None
    try:
        if "zarr.json" in documents:
            format, array = 3, documents["zarr.json"]
            text = array["attributes"]["perlane"]
            chunks, codecs = array["chunk_grid"]["configuration"]["chunk_shape"], array["codecs"]
            if codecs[0]["name"] == "sharding_indexed":
                inner = codecs[0]["configuration"]
                shards, chunks, codecs = chunks, inner["chunk_shape"], inner["codecs"]
            for each in codecs:
                if each["name"] != "bytes":
                    codec = codec or {"id": each["name"], **each["configuration"]}
        else:
            format, array = 2, documents[".zarray"]
            text = documents[".zattrs"]["perlane"]
            chunks, codec = array["chunks"], array["compressor"]
        name: Any = codec and codec["id"]
        level = codec["level"] if codec else 1
        layout = layout_of(*parse_map(text), chunks, shards, name, format)
        level = number("level", level, 0, 9 if name == "zlib" else 22)
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise ValueError(f"it describes no array of perlane's: {error!r}") from None
    return dataclasses.replace(layout, text=text, level=level)
