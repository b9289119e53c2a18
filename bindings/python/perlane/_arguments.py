# SPDX-License-Identifier: MIT
"""Checked arguments: every error names the argument, and comes before anything is written."""

from __future__ import annotations

import math
import reprlib
from typing import Any, Callable, Sequence, TypeVar

import numpy as np
from numpy.typing import NDArray

from ._blocks import MAX_THREADS, processors
from ._options import real, whole

Number = TypeVar("Number", int, float)


def number(name: str, value: Any, low: int, high: int) -> int:
    """Returns a whole number from low to high."""
    error: type[Exception] = ValueError
    try:
        result = whole(value)
        if low <= result <= high:
            return result
    except TypeError:
        error = TypeError
    expected = f"a whole number from {low} to {high}"
    raise error(f"{name}: expected {expected}, not {reprlib.repr(value)}")


def index(name: str, value: Any) -> int:
    """Returns a whole number of 64 bits."""
    return number(name, value, -(2**63), 2**63 - 1)


def finite(name: str, value: Any) -> float:
    """Returns a finite number."""
    error: type[Exception] = ValueError
    try:
        result = real(value)
        if math.isfinite(result):
            return result
    except TypeError:
        error = TypeError
    raise error(f"{name}: expected a finite number, not {reprlib.repr(value)}")


def thread_count(threads: Any) -> int:
    """Returns the number of threads to use."""
    return number("threads", threads, 0, MAX_THREADS) or processors()


def sequence(value: Any) -> Sequence[Any] | None:
    """Returns the entries of a sequence; None for a single value."""
    if isinstance(value, (int, float, str, bytes)):
        return None
    if isinstance(value, (tuple, list)):  # Sequence alone would take longer
        return value
    if isinstance(value, np.ndarray):
        return sequence(value.tolist())
    return value if isinstance(value, Sequence) else None


def per_axis(
    name: str, value: Any, dims: int, check: Callable[[str, Any], Number]
) -> tuple[Number, ...]:
    """Returns a number for each axis, from one for all axes or from a sequence in their order."""
    values = sequence(value)
    if values is None:
        return (check(name, value),) * dims
    if len(values) != dims:
        raise ValueError(f"{name}: expected one number, or {dims} for the axes; not {len(values)}")
    return tuple([check(name, each) for each in values])


# ---- Arrays ----


def check_unmasked(name: str, array: Any) -> None:
    """Raises a TypeError for a masked array, whose mask would be lost."""
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError(f"{name}: expected an array without a mask, such as array.filled(numpy.nan)")


def used_strides(array: NDArray[Any]) -> list[int]:
    """Returns the strides in bytes; 0 for axes of one element, whose strides have no meaning."""
    return [stride if n > 1 else 0 for n, stride in zip(array.shape, array.strides)]


def output(out: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Returns the array to fill: `out` if it fits, or a new one."""
    if out is None:
        return np.empty(shape, dtype)
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out: expected a NumPy array, not {type(out).__name__}")
    check_unmasked("out", out)
    if out.dtype != dtype:
        raise TypeError(f"out: expected an array of {dtype}, not {out.dtype}")
    if out.shape != shape:
        raise ValueError(f"out: expected an array of shape {shape}, not {out.shape}")
    if not out.flags.writeable:
        raise ValueError("out: the array is read-only")
    if not out.flags.aligned or any(stride % out.itemsize for stride in used_strides(out)):
        raise ValueError("out: the array is not aligned to its elements")
    return out
