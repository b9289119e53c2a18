# SPDX-License-Identifier: MIT
"""Threads: the GIL is released, and fields may be used and made by any number of threads."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from perlane import Field, _arguments
from perlane._blocks import for_each, share
from perlane._library import Grid
from support import same

SLOW = Field(octaves=12, fractal="eroded", warp_amplitude=50, warp_octaves=8, frequency=0.02)


def test_other_threads_run_during_a_call():
    ran, ended = [0], threading.Event()

    def count():
        while not ended.is_set():
            ran[0] += 1
            time.sleep(0)

    def runs_beside(call):
        for _ in range(100):  # a busy machine may need some
            before = ran[0]
            call()
            if ran[0] != before:
                return True
        return False

    out, x = np.empty((256, 256), np.float32), np.arange(2.0**15)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)  # so that threads change only where one gives the GIL away
    try:
        threading.Thread(target=count).start()
        assert runs_beside(lambda: SLOW.fill((256, 256), out=out))
        assert runs_beside(lambda: SLOW.points(x, x))
        assert runs_beside(lambda: Field(octaves=32).gradient((256, 256)))
    finally:
        sys.setswitchinterval(interval)
        ended.set()


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
    with pytest.raises(ValueError, match="low and high"):
        SLOW.fill((512, 512), out=out, low=1, high=1, threads=4)
    assert not out.any()


def test_threads_after_the_end_of_the_program():
    code = """if True:
        import atexit, threading, zlib, perlane

        def fill(*_):
            print(zlib.crc32(perlane.Field(octaves=6).fill((700, 700), threads=3)))

        def after(main):
            main.join()
            fill()

        fill()
        atexit.register(fill)
        threading.Thread(target=after, args=[threading.main_thread()]).start()"""
    said = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True, check=True)
    assert said.stderr == "" and len(set(said.stdout.split())) == 1 and len(said.stdout.split()) == 3


def test_threads_that_cannot_start(monkeypatch):
    def start(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    assert same(SLOW.fill((300, 300), threads=4), SLOW.fill((300, 300)))


def test_long_calls_are_cut(monkeypatch):
    field, counts = Field(octaves=9, warp_amplitude=9, warp_octaves=3, frequency=0.02), []
    monkeypatch.setattr("perlane._blocks.share", lambda *given: counts.append(given[1]) or share(*given))
    y, x = np.mgrid[:1500:99, :1600:99]
    assert same(field.fill((1500, 1600))[::99, ::99].copy(), field.points(x, y)) and counts[0] > 3


@pytest.mark.parametrize("threads", [1, 3])
def test_an_interrupt_ends_a_call(threads):
    grid, out, pieces = Grid(1), np.empty(1 << 20, np.float32), []
    grid.count[0] = out.size

    def call(piece, address):
        pieces.append(piece.count[0])
        if len(pieces) == 2:
            signal.raise_signal(signal.SIGINT)
        if len(pieces) >= 2 and threads > 1:
            time.sleep(0.05)  # the main thread may have to wait for a processor
        return 0

    with pytest.raises(KeyboardInterrupt):
        for_each(grid, threads, [(out.ctypes.data, out.itemsize)], call, 1 << 12)
    assert len(pieces) < 60 and max(pieces) <= 1 << 14


def test_threads_of_a_container(monkeypatch, tmp_path):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(8), raising=False)
    monkeypatch.setattr(_arguments, "QUOTA", tmp_path / "cpu.max")
    for quota, wish, want in (
        (None, None, 8), ("max 100000\n", None, 8), ("150000 100000\n", None, 2), ("50000 100000\n", None, 1),
        ("1000000 100000\n", None, 8), ("50000 100000\n", "3", 3), ("50000 100000\n", "all", 1), (None, "0", 8),
    ):  # fmt: skip
        monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
        if wish:
            monkeypatch.setenv("OMP_NUM_THREADS", wish)
        (tmp_path / "cpu.max").unlink(missing_ok=True)
        if quota:
            (tmp_path / "cpu.max").write_text(quota)
        assert _arguments.thread_count(0) == want and _arguments.thread_count(5) == 5
