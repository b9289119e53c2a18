# SPDX-License-Identifier: MIT
"""Maps that the command of 1.0 stored: stored.py PERLANE WORK.

Every later version reads their options, and makes the same samples of them. Only compression may
change the bytes of a file.
"""

import os
import sys

import numpy as np
from PIL import Image

from command import ROOT, check, fill, read, run, run_steps

STORED = os.path.join(ROOT, "tests", "vectors", "stored")
MAPS = ["floats.npy", "floats.tif", "map.r16", "map16.png", "map16.tif", "map8.png"]


def samples(path):
    return np.asarray(Image.open(path)).tobytes() if path.endswith((".png", ".tif")) else read(path)


def maps():
    for name in MAPS:
        old = os.path.join(STORED, name)
        fill("--params-of", old, "-o", name)
        check(f"{name} is made again by its options", samples(name) == samples(old))
        points = run("points --params-of", old, text="-10 500000\n")
        value = points.out.split()[-1:]
        check(f"and its field has values at points ({name})", points.status == 0 and value not in ([], [b"nan"]), points.err)

    done = run("verify -q", *(os.path.join(STORED, name) for name in MAPS))
    check("and all are verified", done.status == 0, done)


sys.exit(run_steps(maps))
