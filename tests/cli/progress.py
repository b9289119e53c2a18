#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of what long runs print: progress.py PERLANE WORK.

The bar on a terminal, and what a signal leaves and says.
"""

import fcntl
import glob
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

from command import check, clear, listing, read, run_steps, start, write

REMOVED = "\r\x1b[K"


# ---- The line on a terminal ----

BAR = r"[0-9.]+ (?:[kMG] )?of [0-9.]+ (?:[kMG] )?samples, [0-9.]+ (?:[kMG] )?samples/s, \d+:\d\d:\d\d left"


def on_terminal(columns, *options, number=None):
    """What three tiles print on a terminal of this width, and the exit status. The second is a fifo: it is read
    slowly until two bars were printed meanwhile, or with --quiet for twice as long as that takes;
    then a signal ends the run, or it goes on."""
    os.mkfifo("t_x1_y0.r16")
    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("4H", 24, columns, 0, 0))
    process = start("fill -o t.r16 --tiles 3x1 --size 4k --threads 1", *options, stderr=child)
    os.close(child)
    fifo = os.open("t_x1_y0.r16", os.O_RDONLY | os.O_NONBLOCK)
    told, begin, slow = b"", None, True
    while True:
        try:
            some = os.read(fifo, 1 << 16)
        except BlockingIOError:
            some = b""
        if some and begin is None:
            begin = time.monotonic()
        if select.select([parent], [], [], 0.01 if slow or not some else 0)[0]:
            try:
                told += os.read(parent, 4096)
            except OSError:
                break
        bars = [int(part) for part in re.findall(r"\r(\d+)%", told.decode())]
        enough = begin and time.monotonic() > begin + 1.4 if "-q" in options else \
            sum(part >= 33 for part in bars) >= 2
        if slow and enough:
            slow = False
            if number:
                process.send_signal(number)
    for each in (parent, fifo):
        os.close(each)
    clear()
    return process.wait(), told.decode().replace("\r\n", "\n"), bars


def bar():
    status, told, parts = on_terminal(0, number=signal.SIGINT)  # as wide as is usual
    check("a terminal shows a line", len(parts) >= 2 and re.search(rf"\r\d+%, {BAR}\x1b", told), repr(told))
    check("which grows over all tiles", parts == sorted(parts) and 33 <= parts[-1] <= 66, parts)
    check("and leaves with the signal's line", status == -signal.SIGINT and told.split(REMOVED)[-1] ==
          "perlane fill: interrupted; complete: 1 of 3 tiles; the same command continues\n", repr(told))
    status, told, parts = on_terminal(30)
    check("a run that ends removes the line", status == 0 and parts and re.fullmatch(
        r"t\.r16: 3 tiles of 4096x4096, .*\n", told.split(REMOVED)[-1]), repr(told))
    lines = told.replace("\x1b[K", "").split("\r")[:-1]
    check("which is never wider than the terminal", max(map(len, lines)) == 29, lines)
    status, told, _ = on_terminal(100, "-q")
    check("--quiet shows nothing", status == 0 and told == "", repr(told))


# ---- Signals ----


def interrupted(number, line, until):
    """Whether the signal ends a run that has come so far, and what it says, after any progress."""
    process = start("fill " + line, stderr=subprocess.PIPE)
    while process.poll() is None and not until():
        time.sleep(0.01)
    process.send_signal(number)
    lines = process.communicate()[1].decode().splitlines(keepends=True)
    return process.returncode == -number, "".join(lines[-1:])


def begun():
    try:
        return any(os.path.getsize(name) > 0 for name in glob.glob(".map.png.perlane-*"))
    except FileNotFoundError:  # it is tried once before
        return False


def signals():
    write("map.png", b"old")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        ended, message = interrupted(number, "-o map.png --size 100k --octaves 8 --force", begun)
        check(f"signal {number} says what it leaves", ended and
              message == "perlane fill: interrupted; nothing was written to 'map.png'\n", message)
        check("which is the map as it was", listing() == ["map.png"] and read("map.png") == b"old", listing())
    clear()
    for threads in (1, 3):
        os.mkfifo("t_x8_y8.r16")  # where a run that the signal has not reached yet waits
        ended, message = interrupted(signal.SIGINT, f"-o t.r16 --tiles 9x9 --size 1k --octaves 16 --threads {threads}",
                                     lambda: os.path.exists("t_x1_y1.r16"))
        said = re.fullmatch(r"perlane fill: interrupted; complete: (\d+) of 81 tiles; the same command continues\n", message)
        check("of tiles it says how many are complete", ended and said and int(said[1]) >= 11, message)
        os.remove("t_x8_y8.r16")
        there = sorted(f"t_x{t % 9}_y{t // 9}.r16{end}" for t in range(int(said[1]) if said else 0)
                       for end in ("", ".txt"))
        check("and these are all there is, whole", listing() == there and all(
            os.path.getsize(file) == 2 << 20 for file in there if file.endswith("6")), listing())
        clear()


sys.exit(run_steps(bar, signals))
