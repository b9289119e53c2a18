# SPDX-License-Identifier: MIT
"""Pieces of a grid for threads, as the library cuts it."""

from __future__ import annotations

import operator
import os
from concurrent.futures import ThreadPoolExecutor
from ctypes import addressof, c_char, c_int64, c_uint64
from typing import Any, Callable, Sequence

from numpy.typing import NDArray

from ._library import Grid, check, library

MAX_THREADS = 1024
_Start = c_char * 0


def processors() -> int:
    """Returns the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _address(array: NDArray[Any]) -> int:
    if array.flags.carray:
        return addressof(_Start.from_buffer(array.data))  # much faster than array.ctypes
    return array.ctypes.data


def for_each(
    grid: Grid, threads: int, arrays: Sequence[NDArray[Any]], call: Callable[..., int]
) -> int:
    """Calls call(piece, *addresses of its first elements) for the pieces of a grid in arrays.

    Returns a status that was not 0, if there was one.
    """
    addresses = list(map(_address, arrays))
    pieces = c_uint64()
    if threads > 1:
        check(library.perlane_grid_cut(grid, None, threads, pieces))
    if pieces.value <= 1:
        return call(grid, *addresses)

    def call_piece(index: int) -> int:
        piece, offset = Grid(), c_int64()
        check(library.perlane_grid_piece(grid, None, pieces, index, piece, offset))
        distances = [offset.value * array.itemsize for array in arrays]
        return call(piece, *map(operator.add, addresses, distances))

    with ThreadPoolExecutor(min(threads, pieces.value)) as pool:
        return max(pool.map(call_piece, range(pieces.value)))
