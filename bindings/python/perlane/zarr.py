# SPDX-License-Identifier: MIT
"""Maps as Zarr arrays of any size, written by threads or a Dask cluster, and verified.

zarr-python stores, packs and shards the chunks; this module decides which, and what is in them.

>>> import perlane.zarr
>>> field = perlane.Field(seed=7, octaves=8, frequency=0.002)
>>> perlane.zarr.write("memory://map.zarr", field, (1000, 2000), (512, 512))
Written(present=0, written=8)
>>> perlane.zarr.write("memory://map.zarr", field, (1000, 2000), (512, 512))
Written(present=8, written=0)
>>> perlane.zarr.verify("memory://map.zarr")
[]
"""

from __future__ import annotations

import math
import re
import warnings
from functools import partial
from typing import TYPE_CHECKING, Any, Callable, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from ._arguments import need, number, per_axis, thread_count
from ._field import Expression, Field
from ._files import open_array, open_map, store_of, zarr_python
from ._geo import REFERENCE
from ._map import Map

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._keywords import MapOptions

__all__ = ["Difference", "Written", "verify", "write"]

_Progress = Optional[Callable[[int, int], object]]
_USUAL_SIDE = (1 << 20, 1024, 128, 32)  # of a chunk in 1 to 4 dimensions: about a million samples
_MARKERS = {".zarray", ".zgroup", "zarr.json"}  # files that make a folder an array or a group
_ZSTD = {  # of each format; higher levels take longer than computing the samples
    2: {"id": "zstd", "level": 1},
    3: {"name": "zstd", "configuration": {"level": 1, "checksum": False}},
}


class Written(NamedTuple):
    """Chunks (or shards) of a part: how many were already present, and how many were written."""

    present: int
    written: int


class Difference(NamedTuple):
    """A chunk, or shard, that is not what it should be."""

    key: str
    problem: str


# ---- Stores and descriptions ----


def _sync(coroutine: Any) -> Any:
    """Runs a coroutine in zarr-python's own loop, where its stores live."""
    return zarr_python().core.sync.sync(coroutine)


def _draft(
    map_: Map, zarr_format: int, name: str | None, compressors: Any, **layout: Any
) -> tuple[dict[str, Any], Any]:  # fmt: skip
    """Returns the files of an array without chunks, or of a group with it, and the array."""
    zarr = zarr_python()
    files: dict[str, Any] = {}
    store = zarr.storage.MemoryStore(files)

    def create(path: str | None, shape: Any, dtype: Any, axes: Any, **options: Any) -> Any:
        if zarr_format == 3:
            options["dimension_names"] = axes
        else:
            options["attributes"] = {"_ARRAY_DIMENSIONS": axes, **options.get("attributes", {})}
            options["chunk_key_encoding"] = {"name": "v2", "separator": "/"}
        empty = 0 if zarr_format == 3 else None  # xarray masks format 2's
        return zarr.create_array(
            store, name=path, shape=shape, dtype=dtype.newbyteorder("<"), zarr_format=zarr_format,
            fill_value=math.nan if dtype.kind == "f" else empty, **options,
        )  # fmt: skip

    attributes = map_.attributes
    if name is not None:
        zarr.create_group(store, zarr_format=zarr_format)
        for each, (axes, values, notes) in map_.labels.items():
            plain = {"chunks": values.shape, "compressors": None, "attributes": notes}
            create(each, values.shape, values.dtype, axes, **plain)[...] = values
        attributes.update({"grid_mapping": REFERENCE, "coordinates": REFERENCE} if map_.crs else {})
    array = create(
        name, map_.shape, map_.dtype, map_.axes, attributes=attributes,
        compressors=_ZSTD[zarr_format] if compressors == "auto" else compressors, **layout,
    )  # fmt: skip
    return files, array


async def _add(store: Any, files: dict[str, Any], name: str) -> None:
    """Adds the files that are not there, unless the store holds something else.

    Of processes that begin at the same time, one writes each file; all compare what is there.
    """
    read = need("zarr.buffer", "perlane.zarr", "zarr").default_buffer_prototype()
    entries = {key async for key in store.list_dir("")}
    inside = {key async for key in store.list_dir(name) if not key.endswith(".partial")}
    others = entries & _MARKERS - files.keys()
    if not inside & _MARKERS:  # chunks without a description may be anybody's
        others |= inside - {".zattrs"}
    if others:
        raise ValueError(f"{store} holds something else, {min(others)}; take another name")
    # An array comes after its group, and what makes it one after its attributes.
    for key in sorted(files, key=lambda key: (key.startswith(f"{name}/"), key.endswith(".zarray"))):
        await store.set_if_not_exists(key, files[key])
        is_chunk = key.endswith(("/0", "/c"))  # of coordinates
        if is_chunk and (await store.get(key, read)).to_bytes() != files[key].to_bytes():
            raise ValueError(f"{store} is a group of other positions: {key} differs")


def _check(array: Any, wanted: Any, words: list[str]) -> None:
    """Raises a ValueError unless an array is the one that is wanted."""
    found = {word: (getattr(array, word), getattr(wanted, word)) for word in words}
    if open_map(array) != open_map(wanted):
        found["options"] = array.attrs["perlane"], wanted.attrs["perlane"]
    lines = [f"\n  {w}: stored {a}, wanted {b}" for w, (a, b) in found.items() if a != b]
    if lines:
        raise ValueError(f"{array.store_path} holds another map; take another name:{''.join(lines)}")


# ---- Units: chunks, or shards of chunks ----


def _counts(array: Any) -> list[int]:
    """Returns the numbers of units along the axes."""
    return [-(-n // side) for n, side in zip(array.shape, array.shards or array.chunks)]


def _place(array: Any, unit: int) -> tuple[str, tuple[slice, ...]]:
    """Returns the key of a unit, and its samples within the array. Units are in C order."""
    index = tuple(map(int, np.unravel_index(unit, _counts(array))))
    axes = zip(index, array.shards or array.chunks, array.shape)
    samples = tuple(slice(i * side, min((i + 1) * side, n)) for i, side, n in axes)
    return array.metadata.encode_chunk_key(index), samples


def _exist(array: Any, units: Sequence[int]) -> list[bool]:
    """Returns whether each unit is stored."""

    async def ask() -> Any:
        import asyncio  # which would take a third of the package's time to load

        paths = [array.store_path / _place(array, unit)[0] for unit in units]
        return await asyncio.gather(*(path.exists() for path in paths))

    found: list[bool] = _sync(ask())
    return found


Faults = List[Tuple[int, str]]  # numbers of units, and what is wrong with each


def _write_units(array: Any, map_: Map, units: range) -> Faults:
    """Writes the units that are missing; returns them."""
    missing = [unit for unit, exists in zip(units, _exist(array, units)) if not exists]
    for unit in missing:
        _, place = _place(array, unit)
        array[place] = map_[place]
    return [(unit, "missing") for unit in missing]


def _problem(array: Any, map_: Map, unit: int) -> str | None:
    """Returns what is wrong with a unit that is stored."""
    _, place = _place(array, unit)
    try:
        stored = np.asarray(array[place], map_.dtype)
    except (ImportError, MemoryError, OSError):  # say nothing about the unit
        raise
    except Exception as error:  # codecs raise errors of any type
        return f"damaged: {error}"
    kind = f"u{map_.dtype.itemsize}"  # compares bits, NaN and the sign of 0 included
    differs = stored.view(kind) != map_[place].view(kind)
    if not differs.any():
        return None
    inside = np.unravel_index(differs.argmax(), differs.shape)
    return f"differs from sample {tuple(s.start + int(i) for s, i in zip(place, inside))} on"


def _compare_units(array: Any, map_: Map, units: range) -> Faults:
    """Compares units; returns those that differ."""
    exist = zip(units, _exist(array, units))
    found = [(u, _problem(array, map_, u) if is_ else "missing") for u, is_ in exist]
    return [(unit, problem) for unit, problem in found if problem is not None]


def _part(array: Any, part: tuple[int, int]) -> range:
    """Returns the units of part (k, n)."""
    if np.shape(part) != (2,):
        raise TypeError(f"part: expected (k, n), not {part!r:.200}")
    k, n = part
    n = number("part", n, 1, 10**9)
    k = number("part", k, 1, n)
    total = math.prod(_counts(array))
    return range(total * (k - 1) // n, total * k // n)


def _run(
    call: Callable[..., Faults], array: Any, map_: Map, units: range, client: Any, threads: int,
    progress: _Progress,
) -> Faults:  # fmt: skip
    """Calls a function for all units, in tasks of several; returns what it finds."""
    from concurrent.futures import ThreadPoolExecutor  # as asyncio

    size = min(max(len(units) // 1024, 1), 64)
    tasks = [units[i : i + size] for i in range(0, len(units), size)]
    done = 0
    faults: Faults = []
    pool: Any = client.get_executor(pure=False) if client else ThreadPoolExecutor(threads)
    results = pool.map(partial(call, array, map_), tasks)
    try:
        for task, found in zip(tasks, results):
            done, faults = done + len(task), faults + found
            if progress is not None:
                progress(done, len(units))
    finally:
        results.close()  # which cancels those that have not begun
        pool.shutdown(wait=not client)
    return faults


def write(
    store: Any, field: Field | Expression, shape: int | Sequence[int],
    chunks: int | Sequence[int] | None = None, *, shards: int | Sequence[int] | None = None,
    name: str | None = None, compressors: Any = "auto",
    zarr_format: int | None = None, client: Any = None, threads: int = 0,
    part: tuple[int, int] = (1, 1), progress: _Progress = None, **options: Unpack[MapOptions],
) -> Written:  # fmt: skip
    """Writes a map as a Zarr array: the chunks that are missing.

    Whatever ends a run, the chunks that are complete stay, and the same call continues.

    store: path of a folder, an fsspec URL such as "s3://bucket/map.zarr", or a zarr.storage store.
    field, shape: as in ``Field.fill``.
    options: first, origin, step, dtype, low, high and crs, as in ``Field.xarray``.
    chunks: samples of a chunk along all axes or each, last axis x; None for about a million.
    shards: samples of a shard, in multiples of a chunk; a shard is computed and written whole.
    name: makes the store a group with the array of this name in it, and with coordinates, which
        ``xarray.open_zarr`` opens. Maps of the same positions may share a group.
    compressors: as in ``zarr.create_array``; "auto" is zstd, or those of the array that is there.
    zarr_format: 2 or 3; None for that of the store, and of a new one 2, or 3 with shards, which need it.
    client: a distributed.Client, whose workers see the store; None for threads.
    threads: number of threads, 0 for one per processor.
    part: (k, n) writes the k-th of n parts; any number of processes may write at the same time.
    progress: is called with the number of chunks that are done, and of all in the part.

    Raises a ValueError, before a chunk is written, if the store holds another map.
    """
    if not isinstance(field, (Field, Expression)):
        is_first = isinstance(store, (Field, Expression))
        order = "the store comes first, then the field" if is_first else repr(field)
        raise TypeError(f"field: expected a perlane.Field or Expression: {order}")
    map_ = field._map(shape, **options)
    if name is not None and not re.fullmatch(r"(?![wxyz]$)\w[\w.-]*", name, re.ASCII):
        raise ValueError(f"name: expected one such as height, but not x, y, z or w; not {name!r}")

    def sides(word: str, value: Any) -> tuple[int, ...]:
        return per_axis(word, value, map_.ndim, lambda w, n: number(w, n, 1, 1 << 30))

    usual = [min(n, _USUAL_SIDE[map_.ndim - 1]) for n in map_.shape]
    place = store_of(store)
    if zarr_format is None:
        zarr_format = 2 if shards is None and not _sync(place.exists("zarr.json")) else 3
    files, wanted = _draft(
        map_, number("zarr_format", zarr_format, 2, 3), name,
        compressors, chunks=sides("chunks", usual if chunks is None else chunks),
        shards=None if shards is None else sides("shards", shards),
    )  # fmt: skip
    units, threads = _part(wanted, part), thread_count(threads)
    _sync(_add(place, files, name or ""))
    array = zarr_python().open_array(place, path=name, mode="r+")
    _check(array, wanted, ["chunks", "shards"] + ["compressors"] * (compressors != "auto"))
    array = array.with_config({"write_empty_chunks": True})  # a chunk that is not there is missing
    written = len(_run(_write_units, array, map_, units, client, threads, progress))
    if units and not _exist(array, units[-1:])[0]:
        raise RuntimeError(f"{place} has no chunks: use a store that the client's workers share")
    if name is not None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that format 3 has no word for it yet
            zarr_python().consolidate_metadata(place, zarr_format=array.metadata.zarr_format)
    return Written(len(units) - written, written)


def verify(
    store: Any, *, name: str | None = None, client: Any = None, threads: int = 0,
    part: tuple[int, int] = (1, 1), progress: _Progress = None,
) -> list[Difference]:  # fmt: skip
    """Computes an array again from the options that it carries, and compares every bit.

    Returns the chunks that are missing, damaged or different, in C order; none if all is well.
    Arguments are those of ``write``. Raises a ValueError if the store has no map of perlane's.
    """
    array, threads = open_array(store, name), thread_count(threads)
    units = _part(array, part)
    faults = _run(_compare_units, array, open_map(array), units, client, threads, progress)
    return [Difference(_place(array, unit)[0], problem) for unit, problem in faults]
