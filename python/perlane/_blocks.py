# SPDX-License-Identifier: MIT
"""Blocks of a grid for threads. A block has its own first index, so its samples are the grid's."""

from __future__ import annotations

import itertools
import math
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Callable, Sequence, TypeVar

Result = TypeVar("Result")
Block = Sequence["tuple[int, int]"]  # begin and end along each axis, in the order of the counts

MAX_THREADS = 1024
# A fill repeats some work in each block, so blocks along x, y, z and w begin at multiples of these.
_UNIT = (1024, 16, 8, 1)
_MIN_SAMPLES = 16 * 1024  # fewer take less time than starting a thread
_MAX_SAMPLES = 2 * 1024 * 1024  # more would leave threads waiting for the last block


def processors() -> int:
    """Returns the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def cut(counts: Sequence[int], threads: int) -> list[Block]:
    """Cuts a grid with these counts, x first, along its outermost axes."""
    samples = math.prod(counts)
    wanted = min(max(threads, samples // _MAX_SAMPLES), max(samples // _MIN_SAMPLES, 1))
    if threads == 1:
        wanted = 1
    axes: list[Block] = []
    for count, unit in reversed(list(zip(counts, _UNIT))):
        units = max(count // unit, 1)
        parts = min(wanted, units)
        begins = [units * part // parts * unit for part in range(parts)]
        axes.append(list(zip(begins, begins[1:] + [count])))
        wanted = -(-wanted // parts)
    return [block[::-1] for block in itertools.product(*axes)]


def for_each(blocks: list[Block], threads: int, call: Callable[[Block], Result]) -> list[Result]:
    """Returns the results of call(block) in the order of the blocks."""
    threads = min(threads, len(blocks))
    if threads == 1:
        return [call(block) for block in blocks]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(call, blocks))
