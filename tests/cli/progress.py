#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of what long runs print: progress.py PERLANE CLI_PROGRESS WORK.

The bar on a terminal, the lines in a log, and what a signal leaves and says.
"""
import os
import pty
import re
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True  # the source stays as it is
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from checks import check, run_steps

PERLANE = os.path.abspath(sys.argv[1])
CLI_PROGRESS = os.path.abspath(sys.argv[2])
WORK = os.path.abspath(sys.argv[3])
HOURS = ["--size", "100k", "--octaves", "8", "--force"]
REMOVED = "\r\x1b[K"


def on_terminal(command, until=None, number=signal.SIGINT):
    """What a command prints on a terminal; a signal ends it once `until` was printed twice."""
    parent, child = pty.openpty()
    process = subprocess.Popen(command, stderr=child, stdout=subprocess.DEVNULL)
    os.close(child)
    told = b""
    while True:
        try:
            some = os.read(parent, 4096)
        except OSError:
            break
        if not some:
            break
        told += some
        if until and len(re.findall(until, told.decode())) >= 2:
            process.send_signal(number)
            until = None
    os.close(parent)
    return process.wait(), told.decode().replace("\r\n", "\n")


def lines_of(*arguments):
    done = subprocess.run([CLI_PROGRESS, *map(str, arguments)], stderr=subprocess.PIPE, check=True)
    return done.stderr.decode().split("\n")[:-1]


# ---- Lines ----

def lines():
    form = r"\d+%, [0-9.]+(?: k)? of 1 k samples, [0-9.]+(?: k)? samples/s, 0:\d\d left"
    told = lines_of(0.1, 1000, 0, 100, 5)
    check("a log gets lines", told and all(re.fullmatch(form, line) for line in told), told)
    parts = [int(line.split("%")[0]) for line in told]
    check("the first after a while, then one a tenth", 1 < len(told) <= 6 and
          all(b - a >= 10 for a, b in zip(parts, parts[1:])) and parts[0] >= 1, parts)
    told = lines_of(0.01, 0.1, 0, 9, 50, "a\033.png", "chunks")
    check("and one when that takes long, with name and unit", 2 <= len(told) and
          told[0].startswith("a\\x1B.png: 1%, 10 of 1 k chunks, "), told)
    told = lines_of(0.1, 1000, 500, 30, 5)
    rate = re.search(r"%, (\d+) of 1 k samples, ([0-9.]+)( k)? samples/s", told[0])
    check("what was there before is done, but not at this run's rate", rate and
          int(rate[1]) > 500 and float(rate[2]) * (1000 if rate[3] else 1) <= 2000, told)
    check("short work gets none", lines_of(10, 600, 0, 20, 1) == [])
    done = subprocess.run([PERLANE, "fill", "-o", "p.png", "--size", "64"], stderr=subprocess.PIPE)
    check("nor does a short run", done.stderr.count(b"\n") == 1 and b"left" not in done.stderr)
    os.remove("p.png")


# ---- The bar ----

def bar():
    tiles = ["-o", "t.r16", "--octaves", "16", "--threads", "1", "--size", "1k"]
    form = r"\r *(\d+)% [#.]{30} [0-9.]+ [kMG] samples/s, \d+:\d\d left"
    _, told = on_terminal([PERLANE, "fill", *tiles, "--tiles", "16x16"], form)
    parts = [int(part) for part in re.findall(form, told)]
    check("a terminal shows a bar", len(parts) >= 2, repr(told))
    check("which grows over all tiles", parts == sorted(parts) and parts[-1] < 60, parts)
    check("and leaves with the signal's line", told.split(REMOVED)[-1].startswith(
        "perlane fill: interrupted; complete: "), repr(told))
    for file in os.listdir("."):
        os.remove(file)
    side = "6" if os.environ.get("PERLANE_SANITIZED") else "12"  # for longer than the bar's delay
    status, told = on_terminal([PERLANE, "fill", *tiles, "--tiles", side])
    check("a run that ends removes the bar", status == 0 and "left" in told and re.fullmatch(
        r"t\.r16: \d+x\d+ tiles of 1024x1024, .*\n", told.split(REMOVED)[-1]), repr(told))
    status, told = on_terminal([PERLANE, "fill", "-q", *tiles, "--tiles", side])
    check("--quiet shows nothing", status == 0 and told == "", repr(told))


# ---- Signals ----

def interrupted(number, *arguments, until):
    process = subprocess.Popen([PERLANE, "fill", *arguments], stderr=subprocess.PIPE)
    for _ in range(3000):
        if process.poll() is not None or until():
            break
        time.sleep(0.01)
    process.send_signal(number)
    message = process.communicate()[1].decode()
    return process.returncode == -number, message


def begun():
    return any(file.endswith(".perlane-part") and os.path.getsize(file) for file in os.listdir("."))


def signals():
    with open("map.png", "wb") as stream:
        stream.write(b"old")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        ended, message = interrupted(number, "-o", "map.png", *HOURS, until=begun)
        check("signal %d says what it leaves" % number, ended and
              message == "perlane fill: interrupted; nothing was written to 'map.png'\n", message)
        check("which is the map as it was", os.listdir(".") == ["map.png"] and
              open("map.png", "rb").read() == b"old", os.listdir("."))
    os.remove("map.png")
    for threads in (1, 3):
        tiles_complete(threads)


def tiles_complete(threads):
    tiles = ["-o", "t.r16", "--tiles", "9x9", "--size", "1k", "--octaves", "16", "--threads", threads]
    ended, message = interrupted(signal.SIGINT, *map(str, tiles),
                                 until=lambda: os.path.exists("t_x1_y1.r16"))
    said = re.fullmatch(r"perlane fill: interrupted; complete: (\d+) of 81 tiles, those before "
                        r"'t_x(\d)_y(\d).r16', row by row; the same command makes all of them again\n",
                        message)
    check("of tiles it says which are complete", ended and said and
          int(said[1]) == int(said[3]) * 9 + int(said[2]) >= 11, message)
    count = int(said[1]) if said else 0
    there = sorted("t_x%d_y%d.r16%s" % (t % 9, t // 9, end) for t in range(count) for end in ("", ".txt"))
    check("and these are all there is", sorted(os.listdir(".")) == there, os.listdir("."))
    check("whole", all(os.path.getsize(file) == 2 << 20 for file in there if file.endswith("6")))
    for file in there:
        os.remove(file)


sys.exit(run_steps(WORK, (lines, bar, signals)))
