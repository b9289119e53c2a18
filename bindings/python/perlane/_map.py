# SPDX-License-Identifier: MIT
"""Map: a field on a grid of positions, which computes the samples that it is indexed by."""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Sequence

import numpy as np
from numpy.typing import NDArray

from ._arguments import finite, index, number, per_axis, sequence
from ._geo import REFERENCE, code_of, conventions
from ._library import MAX_DIMS, Grid, __version__

if TYPE_CHECKING:
    from ._noise import Noise

FLOAT32: np.dtype[Any] = np.dtype(np.float32)
DTYPES = {"32": FLOAT32, "16": np.dtype(np.uint16), "8": np.dtype(np.uint8)}


def _span(count: int, index: Any) -> tuple[int, int, Any]:
    """Returns the first index of an axis that is wanted, how many from there on, and which."""
    if isinstance(index, slice):
        wanted = range(count)[index]
        if not wanted:
            return 0, 0, slice(None)
        begin, end = sorted((wanted[0], wanted[-1]))
        return begin, end - begin + 1, slice(None, None, wanted.step)
    indices = np.asarray(index)
    if indices.size == 0:
        return 0, 0, indices
    if indices.dtype.kind not in "iu" or indices.min() < -count or indices.max() >= count:
        raise IndexError(f"expected slices, or indices of {count} samples, not {index!r}")
    indices = np.where(indices < 0, indices + count, indices)
    begin = int(indices.min())
    return begin, int(indices.max()) - begin + 1, indices - begin


@dataclass(frozen=True)
class Map:
    """A grid of a field, computed where it is indexed: ``map[100:200, -1]``, ``map[...]``.

    Its attributes are the field and, for axes in the order of the shape, the arguments of ``fill``.
    Indices are slices, ``...``, and whole numbers or lists of them.
    """

    field: Any
    """A Field or an Expression."""
    shape: tuple[int, ...]
    first: tuple[int, ...]
    origin: tuple[float, ...]
    step: tuple[float, ...]
    dtype: np.dtype[Any]
    low: float | None
    """Value that becomes 0, and high the value that becomes the largest integer; None of floats."""
    high: float | None
    crs: str | None = None
    """Coordinate reference system, as EPSG's code: of x and y, or with that of heights."""

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def __getitem__(self, index: Any) -> NDArray[Any]:
        given = index if isinstance(index, tuple) else (index,)
        place = next((i for i, each in enumerate(given) if each is ...), len(given))
        before, after = given[:place], given[place + 1 :]
        between = [slice(None)] * (self.ndim - len(before) - len(after))
        full = (*before, *between, *after)
        if len(full) > self.ndim:
            raise IndexError(f"expected {self.ndim} indices, not {len(full)}")
        start, counts, inner = zip(*map(_span, self.shape, full))
        if 0 in counts:
            values: NDArray[Any] = np.empty(counts, self.dtype)[inner]
        else:
            values = self.field._fill(self._block(start, counts))[inner]
        return values

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("a map has no array that copy=False could share; leave copy out")
        return np.asarray(self[...], dtype)

    def _block(self, start: Sequence[int], counts: Sequence[int]) -> Map:
        """Returns a part of the map."""
        first = tuple(map(operator.add, self.first, start))
        return replace(self, shape=tuple(counts), first=first)

    def _grid(self) -> Grid:
        """Returns the library's grid, for an array without gaps."""
        grid = Grid(self.ndim)
        grid.count[: self.ndim] = self.shape[::-1]
        grid.first[: self.ndim] = self.first[::-1]
        grid.origin[: self.ndim] = self.origin[::-1]
        grid.step[: self.ndim] = self.step[::-1]
        return grid

    @property
    def axes(self) -> tuple[str, ...]:
        """The names of the axes."""
        return tuple("wzyx"[-self.ndim :])

    @property
    def coordinates(self) -> dict[str, NDArray[Any]]:
        """The positions along the axes, by their names."""
        axes = zip(self.axes, self.shape, self.first, self.origin, self.step)
        return {axis: o + (first + np.arange(n)) * step for axis, n, first, o, step in axes}

    @property
    def labels(self) -> dict[str, Any]:
        """Coordinates as xarray takes them: axes, values and attributes, by their names."""
        notes = conventions(self.crs)
        system = {REFERENCE: np.asarray(int(self.crs[5:].partition("+")[0]))} if self.crs else {}
        values = {**self.coordinates, **system}
        return {name: ([name] * at.ndim, at, notes.get(name, {})) for name, at in values.items()}

    @property
    def scale(self) -> float:
        """Difference in value between two levels of integers; 0 of floats."""
        if self.low is None or self.high is None:
            return 0
        return (self.high - self.low) / np.iinfo(self.dtype).max

    @property
    def text(self) -> str:
        """All options, as the command's text, x first."""
        places = {"first": self.first, "origin": self.origin, "step": self.step}
        before, after = self.field._words()
        words = [f"perlane={__version__}", *before]
        words += [f"size={'x'.join(map(str, self.shape[::-1]))}", f"axes={self.ndim}"]
        words += [f"{name}={','.join(map(repr, each[::-1]))}" for name, each in places.items()]
        words += [f"bits={8 * self.dtype.itemsize}"]
        words += [f"range={self.low},{self.high}"] if self.scale else []
        words += [f"crs={self.crs}"] if self.crs else []
        return " ".join([*words, *after])

    @property
    def attributes(self) -> dict[str, Any]:
        """What describes the map in a file: its text, and CF's attributes of integers."""
        levels = {"scale_factor": self.scale, "add_offset": self.low} if self.scale else {}
        return {"perlane": self.text, **levels}


def levels(field: Noise, dims: int, low: Any, high: Any) -> tuple[float, float]:
    """Returns the values of the lowest and the highest level: the field's bounds, unless given."""
    if low is None or high is None:
        ends = field.range(dims)
        if math.isinf(ends[0]) or math.isinf(ends[1]):
            raise ValueError("low, high: give both, such as range(shape): the values have no bounds")
        low, high = ends[0] if low is None else low, ends[1] if high is None else high
    return finite("low", low), finite("high", high)


def map_of(
    field: Noise, shape: Any, *, first: Any = 0, origin: Any = 0, step: Any = 1, dtype: Any = None,
    low: Any = None, high: Any = None, crs: Any = None,
) -> Map:  # fmt: skip
    """Returns a map with the arguments of Field.fill."""
    counts = sequence(shape)
    if counts is None:
        counts = [shape]
    dims = len(counts)
    if not 1 <= dims <= MAX_DIMS:
        raise ValueError(f"shape: expected 1 to {MAX_DIMS} counts, not {dims}")
    kind = FLOAT32 if dtype is None else np.dtype(dtype)
    if kind not in DTYPES.values():
        names = ", ".join(map(str, DTYPES.values()))
        raise TypeError(f"dtype: expected one of {names}, not {kind}")
    if kind != FLOAT32:
        low, high = levels(field, dims, low, high)
    elif (low, high) != (None, None):
        raise ValueError("low, high: have no effect without dtype uint16 or uint8")
    return Map(
        field,
        tuple([number("shape", count, 1, 2**63 - 1) for count in counts]),
        per_axis("first", first, dims, index),
        per_axis("origin", origin, dims, finite),
        per_axis("step", step, dims, finite),
        kind,
        low,
        high,
        code_of(crs),
    )
