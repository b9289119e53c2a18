# SPDX-License-Identifier: MIT
"""Threads: the GIL is released, and fields may be used and made by any number of threads."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from perlane import Field
from support import same

SLOW = Field(octaves=12, fractal="eroded", warp_amplitude=50, warp_octaves=8, frequency=0.02)


def longest_gap(call):
    """Returns the seconds that a call takes in another thread, and the longest pause of this one."""
    thread = threading.Thread(target=call)
    begin = last = time.perf_counter()
    gap = 0.0
    thread.start()
    while thread.is_alive():
        now = time.perf_counter()
        gap = max(gap, now - last)
        last = now
    return time.perf_counter() - begin, gap


def seconds_long(call):
    """Calls call(n) with n so large that it takes at least 0.2 seconds; returns longest_gap's."""
    n = 64
    while True:
        took, gap = longest_gap(lambda: call(n))
        if took > 0.2:
            return took, gap
        n *= 2


def test_other_threads_run_during_a_call():
    points = np.random.default_rng(1).uniform(0, 1e3, (2, 2**22))
    smooth = Field(octaves=32)
    for call in (
        lambda n: SLOW.fill((n, n)),
        lambda n: SLOW.fill((n, n), dtype=np.uint8),
        lambda n: smooth.gradient((4 * n, 4 * n)),
        lambda n: SLOW.points(*points[:, : n * n]),
    ):
        took, gap = seconds_long(call)
        assert gap < took / 2, (took, gap)


def test_tiles_of_one_array_from_many_threads():
    field = Field(octaves=5, frequency=0.02)
    out = np.empty((400, 300), np.float32)

    def fill(row):
        field.fill((25, 300), first=(row, 0), out=out[row : row + 25], threads=2)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(fill, range(0, 400, 25)))
    assert same(out, field.fill((400, 300)))


def test_fields_made_by_many_threads():
    def make(seed):
        field = Field(seed=seed, octaves=3, hash_table=np.arange(256)[::-1])
        return field, field.fill((20, 20))

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(make, range(200)))
    assert all(field == make(seed)[0] for seed, (field, _) in enumerate(found))
    assert all(same(values, make(seed)[1]) for seed, (_, values) in enumerate(found))


def test_errors_in_threads_are_raised():
    out = np.zeros((512, 512), np.uint8)
    try:
        SLOW.fill((512, 512), out=out, low=1, high=1, threads=4)
    except ValueError as error:
        assert "low and high" in str(error)
    else:
        raise AssertionError("no error")
    assert not out.any()
