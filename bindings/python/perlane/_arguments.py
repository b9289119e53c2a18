# SPDX-License-Identifier: MIT
"""Checked arguments: every error names the argument, and comes before anything is written."""

from __future__ import annotations

import importlib
import math
import operator
import os
import reprlib
import sys
from typing import Any, Callable, Sequence, TypeVar

import numpy as np
from numpy.typing import NDArray

MAX_THREADS = 1024
QUOTA = "/sys/fs/cgroup/cpu.max"  # microseconds of processors, in so many of time
Number = TypeVar("Number", int, float)


def plain(value: Any) -> Any:
    """Returns a value of NumPy's as Python's; what is masked becomes None."""
    return value.tolist() if isinstance(value, (np.generic, np.ndarray)) else value


def whole(value: Any) -> int:
    """Returns a whole number, which may be a float; raises a TypeError for others and for bools."""
    if type(value) is int:  # the usual case, which should take no longer than it must
        return value
    value = plain(value)
    if isinstance(value, bool):
        raise TypeError
    return int(value) if isinstance(value, float) and value.is_integer() else operator.index(value)


def real(value: Any) -> float:
    """Returns a number; raises a TypeError for others, for strings and for bools."""
    if type(value) is not float:
        value = plain(value)
    if isinstance(value, (str, bytes, bytearray, bool)):
        raise TypeError
    try:
        return float(value)
    except OverflowError:  # an int beyond the range of double
        return math.inf


def _checked(
    name: str, value: Any, read: Callable[[Any], Number], low: Number, high: Number, accepts: str
) -> Number:
    problem: type[Exception] = ValueError
    try:
        result = read(value)
        if low <= result <= high:
            return result
    except TypeError:
        problem = TypeError
    raise problem(f"{name}: expected {accepts.format(low, high)}, not {reprlib.repr(value)}")


def number(name: str, value: Any, low: int, high: int) -> int:
    """Returns a whole number from low to high."""
    return _checked(name, value, whole, low, high, "a whole number from {} to {}")


def octave_count(octaves: Any) -> int:
    """Returns a number of octaves as in perlane_grid."""
    accepts = "a whole number from {} to {}, or 'shown'"
    is_shown = isinstance(octaves, str) and octaves == "shown"
    return -1 if is_shown else _checked("octaves", octaves, whole, 0, 32, accepts)


def index(name: str, value: Any) -> int:
    """Returns a whole number of 64 bits."""
    return number(name, value, -(2**63), 2**63 - 1)


def finite(name: str, value: Any, accepts: str = "a finite number") -> float:
    """Returns a finite number."""
    return _checked(name, value, real, -sys.float_info.max, sys.float_info.max, accepts)


def _processors() -> int:
    """Returns OMP_NUM_THREADS, or the processors that this process and its container may use."""
    wish = os.environ.get("OMP_NUM_THREADS", "")
    if wish.isdecimal() and 0 < int(wish) <= MAX_THREADS:
        return int(wish)
    affinity = getattr(os, "sched_getaffinity", None)
    count = len(affinity(0)) if affinity else os.cpu_count() or 1
    try:
        with open(QUOTA) as file:
            quota, period = map(float, file.read().split())
    except (OSError, ValueError):  # no control group, or "max"
        return count
    return min(count, math.ceil(quota / period))


def thread_count(threads: Any) -> int:
    """Returns the number of threads to use: for 0, that of the processors."""
    return number("threads", threads, 0, MAX_THREADS) or _processors()


def sequence(value: Any) -> Sequence[Any] | None:
    """Returns the entries of a sequence; None for a single value."""
    value = plain(value)
    if isinstance(value, (tuple, list)):  # Sequence alone would take longer
        return value
    is_single = isinstance(value, (int, float, str, bytes)) or not isinstance(value, Sequence)
    return None if is_single else value


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


def check_names(given: Any, *names: str) -> None:
    """Raises a TypeError if keywords have other names."""
    for name in given:
        if name not in names:
            raise TypeError(f"no argument is called {name!r}; expected {', '.join(names) or 'none'}")


# ---- Arrays ----


def check_unmasked(name: str, array: Any) -> None:
    """Raises a TypeError for a masked array, whose mask would be lost."""
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError(f"{name}: expected an array without a mask, such as array.filled(numpy.nan)")


def used_strides(array: NDArray[Any]) -> list[int]:
    """Returns the strides in bytes; 0 for axes of one element, whose strides have no meaning."""
    return [stride if n > 1 else 0 for n, stride in zip(array.shape, array.strides)]


def check_output(out: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
    """Raises an error unless an array can be filled."""
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


# ---- Packages ----


def need(module: str, user: str, extra: str) -> Any:
    """Returns a module that is imported when a function needs it, or says how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        how = f'pip install ".[{extra}]" in the folder of perlane'
        raise ImportError(f"{user} needs {package}: {how}") from error
