# SPDX-License-Identifier: MIT
"""Checked arguments: every error names the argument, and comes before anything is written."""

from __future__ import annotations

import math
import reprlib
from typing import Any, Callable, Sequence

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ._blocks import MAX_THREADS, processors
from ._library import MAX_DIMS, Grid
from ._options import real, whole

# ---- Numbers ----


def number(name: str, value: Any, low: int, high: int) -> int:
    """Returns a whole number from low to high."""
    expected = f"{name}: expected a whole number from {low} to {high}, not {reprlib.repr(value)}"
    try:
        result = whole(value)
    except TypeError:
        raise TypeError(expected) from None
    if not low <= result <= high:
        raise ValueError(expected)
    return result


def _index(name: str, value: Any) -> int:
    return number(name, value, -(2**63), 2**63 - 1)


def finite(name: str, value: Any) -> float:
    """Returns a finite number."""
    expected = f"{name}: expected a finite number, not {reprlib.repr(value)}"
    try:
        result = real(value)
    except TypeError:
        raise TypeError(expected) from None
    if not math.isfinite(result):
        raise ValueError(expected)
    return result


def thread_count(threads: Any) -> int:
    """Returns the number of threads to use."""
    return number("threads", threads, 0, MAX_THREADS) or processors()


# ---- Axes ----


def _sequence(value: Any) -> Sequence[Any] | None:
    """Returns the entries of a sequence; None for a single value."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    return value if isinstance(value, Sequence) and not isinstance(value, (str, bytes)) else None


def per_axis(name: str, value: Any, dims: int, check: Callable[[str, Any], Any]) -> list[Any]:
    """Returns a number for each axis, from one for all axes or from a sequence in their order."""
    values = _sequence(value)
    if values is None:
        values = [value] * dims
    if len(values) != dims:
        raise ValueError(f"{name}: expected one number, or {dims} for the axes; not {len(values)}")
    return [check(name, each) for each in values]


def grid_of(shape: Any, first: Any, origin: Any, step: Any) -> Grid:
    """Returns the grid with arguments in the shape's order, the last axis being x."""
    counts = _sequence(shape)
    if counts is None:
        counts = [shape]
    dims = len(counts)
    if not 1 <= dims <= MAX_DIMS:
        raise ValueError(f"shape: expected 1 to {MAX_DIMS} counts, not {dims}")
    grid = Grid(dims=dims)
    grid.count[:dims] = [number("shape", count, 1, 2**63 - 1) for count in reversed(counts)]
    grid.first[:dims] = per_axis("first", first, dims, _index)[::-1]
    grid.origin[:dims] = per_axis("origin", origin, dims, finite)[::-1]
    grid.step[:dims] = per_axis("step", step, dims, finite)[::-1]
    return grid


# ---- Arrays ----


def used_strides(array: NDArray[Any]) -> list[int]:
    """Returns the strides in bytes; 0 for axes of one element, whose strides have no meaning."""
    return [stride if n > 1 else 0 for n, stride in zip(array.shape, array.strides)]


def output(
    out: Any, shape: tuple[int, ...], dtype: DTypeLike | None, accepted: Sequence[np.dtype[Any]]
) -> NDArray[Any]:
    """Returns the array to fill: `out` if it fits, or a new one."""
    if out is not None and not isinstance(out, np.ndarray):
        raise TypeError(f"out: expected a NumPy array, not {type(out).__name__}")
    kind = np.dtype(np.float32) if out is None else out.dtype
    if dtype is not None:
        kind = np.dtype(dtype)
    if kind not in accepted:
        names = ", ".join(str(each) for each in accepted)
        raise TypeError(f"dtype: expected one of {names}, not {kind}")
    if out is None:
        return np.empty(shape, kind)
    if out.dtype != kind:
        raise TypeError(f"out: expected an array of {kind}, not {out.dtype}")
    if out.shape != shape:
        raise ValueError(f"out: expected an array of shape {shape}, not {out.shape}")
    if not out.flags.writeable:
        raise ValueError("out: the array is read-only")
    if not out.flags.aligned or any(stride % out.itemsize for stride in used_strides(out)):
        raise ValueError("out: the array is not aligned to its elements")
    return out
