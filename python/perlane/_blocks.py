# SPDX-License-Identifier: MIT
"""Pieces of a grid for threads, as the library cuts it."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from ctypes import c_int64, c_uint64
from typing import Callable

from ._library import Grid, check, library

MAX_THREADS = 1024


def processors() -> int:
    """Returns the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def for_each(grid: Grid, threads: int, call: Callable[[Grid, int], None]) -> None:
    """Calls call(piece, offset of its first sample) for the pieces of a grid; one for one thread."""
    if threads == 1:
        return call(grid, 0)
    pieces = c_uint64()
    check(library.perlane_grid_cut(grid, None, threads, pieces))

    def call_piece(index: int) -> None:
        piece, offset = Grid(), c_int64()
        check(library.perlane_grid_piece(grid, None, pieces, index, piece, offset))
        call(piece, offset.value)

    with ThreadPoolExecutor(min(threads, pieces.value)) as pool:
        list(pool.map(call_piece, range(pieces.value)))
