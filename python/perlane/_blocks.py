# SPDX-License-Identifier: MIT
"""Pieces of a grid for threads, as the library cuts it."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from ctypes import c_int64, c_uint64
from typing import Callable, TypeVar

from ._library import Grid, check, library

Result = TypeVar("Result")

MAX_THREADS = 1024


def processors() -> int:
    """Returns the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def for_each(grid: Grid, threads: int, call: Callable[[Grid, int], Result]) -> list[Result]:
    """Returns the results of call(piece, offset of its first sample) for the pieces of a grid."""
    pieces = c_uint64()
    check(library.perlane_grid_cut(grid, None, threads, pieces))

    def call_piece(index: int) -> Result:
        piece, offset = Grid(), c_int64()
        check(library.perlane_grid_piece(grid, None, pieces, index, piece, offset))
        return call(piece, offset.value)

    if pieces.value == 1:
        return [call_piece(0)]
    with ThreadPoolExecutor(min(threads, pieces.value)) as pool:
        return list(pool.map(call_piece, range(pieces.value)))
