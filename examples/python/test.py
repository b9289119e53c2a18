#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares perlane.py with the C library: structures, enumerators, and the bits of samples.

Usage: test.py LIBPERLANE.SO REFERENCE FOLDER

REFERENCE is reference.c, built with the library. example.py writes to FOLDER.
"""

import ctypes
import os
import subprocess
import sys

import numpy as np

import perlane

HERE = os.path.dirname(os.path.abspath(__file__))
passed = failed = 0


def check(what, holds, found=""):
    global passed, failed
    print("ok" if holds else "FAILED", what, "" if holds else found)
    passed += bool(holds)
    failed += not holds


def same_bits(a, b):
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()


def raises(error, call):
    try:
        call()
    except error as caught:
        return str(caught)
    return None


def check_structures(lines):
    """Every structure's size, and the name, place and size of every member, on both sides."""
    sizes = {line[1]: int(line[2]) for line in lines if line[0] == "size"}
    for name, size in sizes.items():
        structure = getattr(perlane, name)
        there = [
            (line[2], int(line[3]), int(line[4]))
            for line in lines
            if line[:2] == ["member", name]
        ]
        here = [
            (field, getattr(structure, field).offset, getattr(structure, field).size)
            for field, _ in structure._fields_
        ]
        check(f"{name} is as large", ctypes.sizeof(structure) == size, ctypes.sizeof(structure))
        check(f"{name} has its {len(there)} members in place", here == there, (here, there))
    check("all structures were compared", set(sizes) == {"Params", "Curve", "Grid"})


def check_enums(lines):
    for keyword, names in perlane.NAMES.items():
        there = [(line[2:-1], int(line[-1])) for line in lines if line[:2] == ["enum", keyword]]
        here = [([name], number) for number, name in enumerate(names)] + [([], len(names))]
        check(f"{keyword} has the numbers of the enum", here == there, (here, there))


def check_bits(lines):
    there = {
        line[1]: np.array([float.fromhex(word) for word in line[2:]], np.float32)
        for line in lines
        if line[0] == "bits"
    }
    noise = perlane.Noise(
        seed=0xFEDCBA9876543210, frequency=0.0625, octaves=3, fractal="billow", period=(8, 0, 0, 0)
    )
    place = {"first": (-5000000000, 0, 0), "origin": (0, 0.3, 0), "step": (1, 1, -0.7)}
    out, slopes = noise.fill_gradient(37, 21, 5, **place)
    check("a volume has its shape", out.shape == (5, 21, 37))
    check("a volume has C's bits", same_bits(out.ravel(), there["fill"]))
    check("its slopes have C's bits", same_bits(np.ravel(slopes), there["slope"]))
    check("without slopes it is the same", same_bits(noise.fill(37, 21, 5, **place), out))

    i = np.arange(37)
    values, slopes = noise.points_gradient(i * 1.25 - 7, i * -0.75)
    check("points have C's bits", same_bits(values, there["points"]))
    check("their slopes have C's bits", same_bits(slopes[1], there["points_slope"]))
    check("without slopes they are the same", same_bits(noise.points(i * 1.25 - 7, i * -0.75), values))

    curved = perlane.Noise(
        frequency=0.0625, basis="cellular", cell_output="f2_minus_f1", warp_amplitude=9,
        warp_octaves=2, curve=[(-1, 0.25), (0.5, -3)], curve_shape="smooth",
    )
    check("cells, a warp and a curve have C's bits", same_bits(curved.fill(37, 21).ravel(), there["curved"]))


def check_use():
    noise = perlane.Noise(octaves=4)
    heights = noise.fill(40, 30)
    y, x = np.mgrid[0:30, 0:40]
    check("points on a grid are the grid", same_bits(noise.points(x, y), heights))
    far = noise.fill(40, 30, origin=(2e7, -3e7))
    check("far from the origin, too", same_bits(noise.points(2e7 + x, -3e7 + y), far))
    tile = noise.fill(10, 20, first=(25, 7))
    check("a tile is a part of the map", same_bits(tile, heights[7:27, 25:35].copy()))
    check("the range is -1 to 1", noise.range(2) == (-1, 1), noise.range(2))

    improved = perlane.Noise(preset="improved")
    there = float(improved.points(3.14, 42, 7))
    check("a preset is that system", abs(there - 0.136919958) < 2e-7, there)
    table = np.random.default_rng(1).permutation(256)
    grid = np.random.default_rng(2).normal(size=(5, 7, 2))
    own = perlane.Noise(hash="table", hash_table=table, gradients="table",
                        gradient_table=[[1, 0], [0, 1], [-1, 0], [0, -1]], frequency=0.3)
    check("tables are taken", own.fill(8, 8).std() > 0)
    wide = perlane.Noise(preset="grid", gradient_grid=grid, frequency=0.25).fill(28, 20)
    again = perlane.Noise(preset="grid", gradient_grid=grid, frequency=0.25).fill(28, 20, first=(28, 20))
    check("a gradient grid repeats after its columns and rows", same_bits(wide, again))

    for what, error, call in (
        ("an octave too many", perlane.PerlaneError, lambda: perlane.Noise(octaves=33)),
        ("an unknown preset", perlane.PerlaneError, lambda: perlane.Noise(preset="simplex")),
        ("an unknown name", ValueError, lambda: perlane.Noise(fractal="fmb")),
        ("an unknown parameter", TypeError, lambda: perlane.Noise(octave=3)),
        ("a grid of no samples", ValueError, lambda: noise.fill(3, 0)),
        ("a first with too few axes", ValueError, lambda: noise.fill(3, 3, first=(1,))),
        ("a curve of one point", perlane.PerlaneError, lambda: perlane.Noise(curve=[(0, 1)])),
        ("a curve of 17 points", ValueError, lambda: perlane.Noise(curve=[(i, i) for i in range(17)])),
        ("a curve without y", ValueError, lambda: perlane.Noise(curve=[0, 1, 2])),
        ("slopes of cells", perlane.PerlaneError,
         lambda: perlane.Noise(basis="cellular").fill_gradient(3, 3)),
        ("a short table", ValueError, lambda: perlane.Noise(hash="table", hash_table=[1, 2])),
        ("a library that is none", OSError, lambda: perlane.load(__file__)),
    ):
        message = raises(error, call)
        check(f"{what} is an error: {message}", message)


def check_example(library, folder):
    picture = os.path.join(folder, "map.pgm")
    command = [sys.executable, os.path.join(HERE, "example.py"), library, picture]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    check(f"the example runs: {said.stdout.strip()}", said.returncode == 0, said.stderr)
    data = b""
    if said.returncode == 0:
        with open(picture, "rb") as file:
            data = file.read()
    check("it has a picture", data[:15] == b"P5\n640 480\n255\n" and len(data) == 15 + 640 * 480)
    check("with light and shadow", len(set(data[15:])) > 100)


def main():
    if len(sys.argv) != 4:
        sys.exit("usage: test.py LIBPERLANE.SO REFERENCE FOLDER")
    library, reference, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    perlane.load(library)
    text = subprocess.run([reference], capture_output=True, text=True, check=True).stdout
    lines = [line.split() for line in text.splitlines()]
    check_structures(lines)
    check_enums(lines)
    check_bits(lines)
    check_use()
    check_example(library, folder)
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
