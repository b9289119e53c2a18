# SPDX-License-Identifier: MIT
"""Maps as Zarr arrays of any size, written by threads, processes or a cluster, and verified.

An array is what ``perlane fill -o map.zarr`` writes: either continues what the other has begun.

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

import contextlib
import dataclasses
import json
import math
import warnings
from itertools import takewhile
from typing import Any, Callable, Iterable, Iterator, List, NamedTuple, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from ._arguments import number
from ._engine import check_engine, results
from ._field import Field
from ._layout import Layout, layout_of, stored_layout
from ._library import __version__
from ._store import Store, Unreadable, store_of
from ._group import enter
from ._stored import MAX_DESCRIPTION, includes, parse_json, to_json, version_of

__all__ = ["Difference", "Written", "verify", "write"]


def __dir__() -> list[str]:
    return __all__


Progress = Callable[[int, int], object]
_DESCRIPTIONS = (".zattrs", ".zarray", "zarr.json")
_MAX_FAULTS = 100_000
_BLOCK = 1 << 16  # bytes of bits that are looked at together


class Written(NamedTuple):
    """Chunks (or shards) of a part: how many were already present, and how many were written."""

    present: int
    written: int


class Difference(NamedTuple):
    """A chunk, or shard, that is not what it should be."""

    key: str
    problem: str


# ---- Descriptions ----


def _documents(store: Store) -> dict[str, Any]:
    """Returns the descriptions that a store has."""
    documents = {}
    for key in _DESCRIPTIONS:
        try:
            data = store.get(key, MAX_DESCRIPTION)
            if data is not None:
                documents[key] = parse_json(data.decode())
        except ValueError as error:
            raise ValueError(f"cannot read {store.name}/{key}: {error}") from None
    return documents


def _is_complete(documents: dict[str, Any]) -> bool:
    return ".zarray" in documents or "zarr.json" in documents


def _checked(store: Store, documents: dict[str, Any], layout: Layout) -> Layout:
    """Returns the layout in the stored words; raises a ValueError if the store has another one."""
    with contextlib.suppress(ValueError):  # another program's array, whose descriptions differ
        stored = stored_layout(documents)
        words = dataclasses.replace(layout, level=stored.level, text=stored.text)
        if stored == words and version_of(stored.text) == __version__:
            layout = stored
    for key, wanted in layout.describe().items():
        if not (key in documents or _is_complete(documents)):
            continue
        if not includes(documents.get(key), wanted):
            raise ValueError(
                f"{store.name} holds another map, which its {key} describes:\n"
                f"  stored: {json.dumps(documents.get(key, documents))}\n"
                f"  wanted: {json.dumps(wanted)}"
            )
    return layout


def _begin(store: Store, layout: Layout) -> Layout:
    """Returns the layout of a store that is described, now or before."""
    entries = store.entries()  # chunks that these have were written after the descriptions
    documents = _documents(store)
    layout = _checked(store, documents, layout)
    if _is_complete(documents):
        return layout
    if not set(entries) <= set(_DESCRIPTIONS):
        raise ValueError(f"{store.name} has other files and no .zarray; take another name")
    for key, value in layout.describe().items():
        store.put(key, to_json(value), keeps=True)
    return _checked(store, _documents(store), layout)  # another process may have been faster


# ---- Chunks ----


def _units(layout: Layout, part: tuple[int, int]) -> tuple[int, int]:
    """Returns the first unit of part (k, n) and the one after its last."""
    try:
        k, n = part
    except (TypeError, ValueError):
        raise TypeError(f"part: expected (k, n), not {part!r:.200}") from None
    n = number("part", n, 1, 10**9)
    k = number("part", k, 1, n)
    total = math.prod(layout.counts)
    return total * (k - 1) // n, total * k // n


def _present(store: Store, layout: Layout, begin: int, end: int) -> NDArray[np.uint8]:
    """Returns a bit for each unit, set if a store has it, by listing what it has."""
    present = np.zeros(-(-(end - begin) // 8), np.uint8)
    row = math.prod(layout.counts[1:])
    folders: Iterable[str] = [layout.folder.rstrip("/")]
    if row > 1 and end - begin < math.prod(layout.counts):
        folders = (f"{layout.folder}{i}" for i in range(begin // row, -(-end // row)))
    depth = layout.folder.count("/") + len(layout.counts)
    for key in (key for folder in folders for key in store.keys(folder, depth)):
        unit = layout.unit_of(key)
        if unit is not None and begin <= unit < end:
            present[(unit - begin) // 8] |= 1 << (unit - begin) % 8
    return present


def _missing(present: NDArray[np.uint8], begin: int, end: int) -> Iterator[NDArray[np.int64]]:
    """Lists the units whose bits are not set, many at a time."""
    for i in range(0, len(present), _BLOCK):
        bits = np.unpackbits(~present[i : i + _BLOCK], bitorder="little")[: end - begin - 8 * i]
        yield begin + 8 * i + np.flatnonzero(bits)


Units = Union[range, "NDArray[np.int64]"]
Faults = List[Tuple[int, Difference]]  # with the numbers of their units


def _write_units(store: Store, layout: Layout, units: Units) -> tuple[int, Faults]:
    for unit in map(int, units):
        store.put(layout.key(unit), layout.pack(layout.compute(unit)))
    return len(units), []


def _problem(store: Store, layout: Layout, unit: int) -> str | None:
    """Returns what is wrong with a unit."""
    try:
        data = store.get(layout.key(unit), layout.max_packed)
    except Unreadable as error:
        return f"damaged: {error}"
    if data is None:
        return "missing"
    try:
        stored = layout.unpack(data)
    except (ImportError, MemoryError):
        raise
    except Exception as error:  # codecs raise errors of any type
        return f"damaged: {error}"
    kind = f"u{stored.dtype.itemsize}"  # compares bits, NaN and the sign of 0 included
    differs = np.ascontiguousarray(stored).view(kind) != layout.compute(unit).view(kind)
    if not differs.any():
        return None
    inside = np.unravel_index(differs.argmax(), differs.shape)
    index = tuple(begin + int(i) for begin, i in zip(layout.start(unit), inside))
    return f"differs from sample {index} on"


def _compare_units(store: Store, layout: Layout, units: Units) -> tuple[int, Faults]:
    problems = [(unit, _problem(store, layout, unit)) for unit in map(int, units)]
    return len(units), [(u, Difference(layout.key(u), p)) for u, p in problems if p is not None]


def _run(
    call: Callable[[Store, Layout, Units], tuple[int, Faults]],
    store: Store,
    layout: Layout,
    blocks: Iterable[Units],
    total: int,
    engine: Any,
    window: int,
    progress: Progress | None,
) -> Faults:
    """Calls a function for all units, in enough tasks for many workers but no more.

    Stops at _MAX_FAULTS: whoever makes an array can give it billions of chunks that are missing.
    """
    size = min(max(total // 1024, 1), 64)
    faults: Faults = []
    done = 0
    units = (block[i : i + size] for block in blocks for i in range(0, len(block), size))
    wanted = takewhile(lambda _: len(faults) < _MAX_FAULTS, units)
    tasks = ((store, layout, each) for each in wanted)
    with contextlib.closing(results(engine, window, call, tasks)) as found:
        for count, new in found:
            done += count
            faults += new
            if progress is not None:
                progress(done, total)
    return sorted(faults)[:_MAX_FAULTS]


# ---- Functions ----


def write(
    store: Any,
    field: Field,
    shape: int | Sequence[int],
    chunks: int | Sequence[int] | None = None,
    *,
    compressor: str | None = "zstd",
    name: str | None = None,
    zarr_format: int = 2,
    shards: int | Sequence[int] | None = None,
    engine: Any = 0,
    window: int = 256,
    part: tuple[int, int] = (1, 1),
    progress: Progress | None = None,
    **options: Any,
) -> Written:
    """Writes a map as a Zarr array: the chunks that are missing.

    Whatever ends a run, the chunks that are complete stay, and the same call continues.

    store: path of a folder, an fsspec URL such as "s3://bucket/map.zarr", or an fsspec mapper.
    field, shape: as in ``Field.fill``, and so are options: first, origin, step, dtype, low, high.
    chunks: samples of a chunk along all axes or each, last axis x; None for about a million.
    compressor: "zstd", "zlib" or None; "zstd" needs numcodecs. Both at level 1.
    name: makes the store a group with the array of this name in it, and with coordinates, which
        ``xarray.open_zarr`` opens; maps of the same positions may be in the same group.
    zarr_format: 2, or 3, which needs zarr 3 and takes "zstd" or None.
    shards: samples of a shard, in multiples of a chunk, for format 3; a shard is written whole.
    engine: a number of threads, 0 for one per processor; "processes" for one per processor; a
        distributed.Client; or any concurrent.futures.Executor.
    window: tasks, each of 1 to 64 chunks, that the engine has at a time.
    part: (k, n) writes the k-th of n parts; any number of processes may write at the same time.
    progress: is called with the number of chunks written and of those that were missing.

    Raises a ValueError, before anything is written, if the store has another map or a description
    that cannot be read; and if a folder of chunks is a link.
    """
    if not isinstance(field, Field):
        order = "the store comes first, then the field" if isinstance(store, Field) else repr(field)
        raise TypeError(f"field: expected a perlane.Field: {order}")
    samples = field._samples(shape, **options)
    layout = layout_of(field, samples, chunks, shards, compressor, zarr_format)
    place = store_of(store)
    begin, end = _units(layout, part)
    check_engine(engine, window, place.is_shared)
    if name is not None:
        place = enter(place, name, samples, zarr_format)
    layout = _begin(place, layout)
    present = _present(place, layout, begin, end)
    missing = sum(map(len, _missing(present, begin, end)))
    blocks = _missing(present, begin, end)
    _run(_write_units, place, layout, blocks, missing, engine, window, progress)
    return Written(end - begin - missing, missing)


def verify(
    store: Any,
    *,
    name: str | None = None,
    engine: Any = 0,
    window: int = 256,
    part: tuple[int, int] = (1, 1),
    progress: Progress | None = None,
) -> list[Difference]:
    """Computes an array again from the options that it carries, and compares every bit.

    Returns the chunks that are missing, damaged or different, in C order; none if all is well.
    Stops with a warning when there are 100,000. Whatever the array's files are, a task takes no
    more memory than for a whole array of the same chunks.
    Arguments are those of ``write``; name is that of an array in a group. Raises a ValueError if the store has no map of perlane's.
    """
    place = store_of(store) if name is None else store_of(store).inside(name)
    check_engine(engine, window, place.is_shared)
    documents = _documents(place)
    if not _is_complete(documents):
        raise ValueError(f"{place.name}: there is no Zarr array; one of a group has a name")
    try:
        layout = stored_layout(documents)
    except ValueError as error:
        raise ValueError(f"{place.name}: {error}") from None
    version = version_of(layout.text)
    if version != __version__:
        warnings.warn(
            f"perlane {version} wrote {place.name}, and this is {__version__}", stacklevel=2
        )
    _checked(place, documents, layout)
    begin, end = _units(layout, part)
    blocks = [range(begin, end)]
    faults = _run(_compare_units, place, layout, blocks, end - begin, engine, window, progress)
    if len(faults) == _MAX_FAULTS:
        warnings.warn(
            f"{place.name} has {_MAX_FAULTS} faults; not all other chunks were compared",
            stacklevel=2,
        )
    return [difference for _, difference in faults]
