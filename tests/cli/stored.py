# SPDX-License-Identifier: MIT
"""Maps that the command of 1.0 stored: stored.py PERLANE WORK.

Every later version reads their options, and makes the same samples of them. Only compression may
change the bytes of a file.
"""

import os
import sys

from command import ROOT, check, run, run_steps

STORED = os.path.join(ROOT, "tests", "vectors", "stored")
MAPS = ["floats.npy", "floats.tif", "map.r16", "map16.png", "map16.tif", "map8.png"]


def maps():
    for name in MAPS:
        file = os.path.join(STORED, name)
        check(f"{name} is made again by its options", run("verify", file).out.startswith(b"1 file: 1 equal"))
        points = run("points --params-of", file, text="-10 500000\n")
        value = points.out.split()[-1:]
        check("and its field has values at points", points.status == 0 and value not in ([], [b"nan"]), points.err)


sys.exit(run_steps(maps))
