# SPDX-License-Identifier: MIT
"""Pieces of a grid for threads, as the library cuts it."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from ctypes import addressof, c_int64, c_uint64, create_string_buffer
from typing import Any, Callable, Sequence

from numpy.typing import NDArray

from ._library import MAX_DIMS, WORK_BYTES, Grid, check, library

_thread = threading.local()
_PIECE_COST = 1 << 26  # some 0.1 s; fast fields have pieces that are large enough to bypass caches


def _give_work(grid: Grid) -> None:
    """Gives a grid the work memory of this thread, which keeps it."""
    if not hasattr(_thread, "work"):
        _thread.work = create_string_buffer(WORK_BYTES)
    grid.work = addressof(_thread.work)
    grid.work_bytes = WORK_BYTES


def for_each(
    grid: Grid, threads: int, arrays: Sequence[NDArray[Any]], call: Callable[..., int], cost: int
) -> int:
    """Calls call(piece, *addresses of its first elements) for the pieces of a grid in arrays.

    No piece takes long, so that Ctrl-C ends a call soon: Python cannot end one of the library's.
    `cost` is that of a sample in 1D, in octaves of a grid; all arrays have as many elements.

    Returns a status that was not 0, if there was one.
    """
    addresses = [array.ctypes.data for array in arrays]
    pieces, unit, stopped = c_uint64(1), None, False
    if threads > 1:
        check(library.perlane_grid_cut(grid, None, threads, pieces))
    wanted = (arrays[-1].size * cost << grid.dims) // _PIECE_COST
    if wanted > pieces.value:
        unit = (c_uint64 * MAX_DIMS)(1, 1, 1, 1)
        check(library.perlane_grid_cut(grid, unit, wanted, pieces))
    if pieces.value <= 1:
        _give_work(grid)
        return call(grid, *addresses)

    def call_piece(index: int) -> int:
        if stopped:
            return 0
        piece, offset = Grid(), c_int64()
        check(library.perlane_grid_piece(grid, unit, pieces, index, piece, offset))
        _give_work(piece)
        places = [at + offset.value * array.itemsize for at, array in zip(addresses, arrays)]
        return call(piece, *places)

    if threads == 1:
        return max(map(call_piece, range(pieces.value)))
    with ThreadPoolExecutor(min(threads, pieces.value)) as pool:
        try:
            return max(pool.map(call_piece, range(pieces.value)))
        finally:
            stopped = True  # after an interrupt
