# SPDX-License-Identifier: MIT
"""Samples of a field: a grid of positions, and the type that their values have."""

from __future__ import annotations

import operator
from typing import Any, NamedTuple, Sequence

import numpy as np
from numpy.typing import NDArray

from ._arguments import finite, index, number, per_axis, sequence
from ._library import MAX_DIMS, Grid
from ._options import shortest

FLOAT32: np.dtype[Any] = np.dtype(np.float32)
DTYPES = {"32": FLOAT32, "16": np.dtype(np.uint16), "8": np.dtype(np.uint8)}


class Samples(NamedTuple):
    """Axes are in the order of a shape, x last."""

    shape: tuple[int, ...]
    first: tuple[int, ...]
    origin: tuple[float, ...]
    step: tuple[float, ...]
    dtype: np.dtype[Any]
    low: float  # values that become 0 and the largest integer; -1 and 1 for float32
    high: float

    @classmethod
    def make(
        cls,
        shape: Any,
        *,
        first: Any = 0,
        origin: Any = 0,
        step: Any = 1,
        dtype: Any = None,
        low: Any = -1,
        high: Any = 1,
    ) -> Samples:
        """Returns samples with the arguments of Field.fill."""
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
            low, high = finite("low", low), finite("high", high)
        elif (low, high) != (-1, 1):
            raise ValueError("low, high: have no effect without dtype uint16 or uint8")
        return cls(
            tuple([number("shape", count, 1, 2**63 - 1) for count in counts]),
            per_axis("first", first, dims, index),
            per_axis("origin", origin, dims, finite),
            per_axis("step", step, dims, finite),
            kind,
            low,
            high,
        )

    def block(self, start: Sequence[int], counts: Sequence[int]) -> Samples:
        """Returns a part of the samples."""
        first = tuple(map(operator.add, self.first, start))
        return self._replace(shape=tuple(counts), first=first)

    def grid(self) -> Grid:
        """Returns the library's grid, for an array without gaps."""
        dims = len(self.shape)
        grid = Grid(dims)
        grid.count[:dims] = self.shape[::-1]
        grid.first[:dims] = self.first[::-1]
        grid.origin[:dims] = self.origin[::-1]
        grid.step[:dims] = self.step[::-1]
        return grid

    @property
    def axes(self) -> tuple[str, ...]:
        """The names of the axes."""
        return tuple("wzyx"[-len(self.shape) :])

    @property
    def coordinates(self) -> dict[str, NDArray[Any]]:
        """The positions along the axes, by their names."""
        axes = zip(self.axes, self.shape, self.first, self.origin, self.step)
        return {axis: o + (first + np.arange(n)) * step for axis, n, first, o, step in axes}

    @property
    def levels(self) -> dict[str, float]:
        """What 0 and the largest integer stand for, in single precision."""
        if self.dtype == FLOAT32:
            return {}
        return {name: float(shortest(getattr(self, name), np.float32)) for name in ("low", "high")}

    @property
    def words(self) -> list[str]:
        """The samples as the options of the command, x first."""
        words = ["size=" + "x".join(map(str, self.shape[::-1]))]
        if len(self.shape) != 2:
            words.append(f"axes={len(self.shape)}")
        words.append(f"bits={8 * self.dtype.itemsize}")
        if any(self.origin):
            words.append("origin=" + ",".join(map(shortest, self.origin[::-1])))
        if any(self.first):
            words.append("first=" + ",".join(map(str, self.first[::-1])))
        steps = self.step[::-1] if len(set(self.step)) > 1 else self.step[:1]
        if steps != (1,):
            words.append("step=" + ",".join(map(shortest, steps)))
        return [*words, f"range={shortest(self.low)},{shortest(self.high)}"]
