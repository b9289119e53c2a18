# SPDX-License-Identifier: MIT
"""Pieces of a grid for threads, as the library cuts it."""

from __future__ import annotations

import threading
from ctypes import addressof, c_int64, c_uint64, create_string_buffer
from math import prod
from typing import Callable, Sequence, Tuple

from ._library import MAX_DIMS, WORK_BYTES, Grid, check, library

_thread = threading.local()
Place = Tuple[int, int]  # an array's first element, and the bytes from one to the next
_PIECE_COST = 1 << 26  # some 0.1 s; fast fields have pieces that are large enough to bypass caches


def _give_work(grid: Grid) -> None:
    """Gives a grid the work memory of this thread, which keeps it."""
    if not hasattr(_thread, "work"):
        _thread.work = create_string_buffer(WORK_BYTES)
    grid.work = addressof(_thread.work)
    grid.work_bytes = WORK_BYTES


def share(call: Callable[[int], int], count: int, threads: int) -> list[int]:
    """Returns the results of call(0) to call(count - 1), in any order, from several threads.

    The calling thread is one of them, and the only one where no other can start: in functions of
    atexit, or in a thread that outlives the main program.
    """
    left, results = list(range(count))[::-1], []
    errors: list[BaseException] = []
    others: list[threading.Thread] = []

    def work() -> None:
        while True:
            try:
                index = left.pop()
            except IndexError:
                return
            try:
                results.append(call(index))
            except BaseException as error:
                left.clear()
                errors.append(error)

    try:
        for _ in range(min(threads, count) - 1):
            thread = threading.Thread(target=work)
            try:
                thread.start()
            except RuntimeError:
                break
            others.append(thread)
        work()
    finally:
        left.clear()  # after an interrupt
        for thread in others:
            thread.join()
    if errors:
        raise errors[0]
    return results


def for_each(
    grid: Grid, threads: int, places: Sequence[Place], call: Callable[..., int], cost: int
) -> int:
    """Calls call(piece, *addresses of its first elements) for the pieces of a grid in arrays.

    No piece takes long, so that Ctrl-C ends a call soon: Python cannot end one of the library's.
    `cost` is that of a sample in 1D, in octaves of a grid.

    Returns a status that was not 0, if there was one.
    """
    pieces, unit = c_uint64(1), None
    if threads > 1:
        check(library.perlane_grid_cut(grid, None, threads, pieces))
    wanted = (prod(grid.count[: grid.dims]) * cost << grid.dims) // _PIECE_COST
    if wanted > pieces.value:
        unit = (c_uint64 * MAX_DIMS)(1, 1, 1, 1)
        check(library.perlane_grid_cut(grid, unit, wanted, pieces))
    if pieces.value <= 1:
        _give_work(grid)
        return call(grid, *[at for at, _ in places])

    def call_piece(index: int) -> int:
        piece, offset = Grid(), c_int64()
        check(library.perlane_grid_piece(grid, unit, pieces, index, piece, offset))
        _give_work(piece)
        return call(piece, *[at + offset.value * size for at, size in places])

    return max(share(call_piece, pieces.value, threads))
