#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares perlane with other libraries of noise for Python, in one process and on one thread.

Usage: compare.py [PICTURE.png]

Prints the rates of Python libraries in Markdown, and how much the pairs of its picture
differ; draws the picture. requirements.txt lists what to install besides perlane.
"""

import os
import statistics
import sys
import time
import warnings
from functools import partial
from unittest import mock

import numpy as np

os.environ["NUMBA_NUM_THREADS"] = "1"  # read when numba is imported
with mock.patch.dict(sys.modules, {"numba": None}):
    import opensimplex as interpreted

import matplotlib
import matplotlib.pyplot as plt
import noise
import opensimplex
import perlin_numpy
import pyfastnoisesimd as fns
from PIL import Image

import perlane
from perlane import Field

warnings.filterwarnings("ignore", "`product` is deprecated")  # in pyfastnoisesimd
ROUNDS = 11
CELL = 32  # samples per cell of the first octave

# ---- Libraries: grids of a shape, and points in 2D ----


def with_noise(shape, octaves):
    *planes, ny, nx = shape
    xs, ys = [i / CELL for i in range(nx)], [i / CELL for i in range(ny)]
    if planes:
        zs = [i / CELL for i in range(planes[0])]
        rows = [[[noise.pnoise3(x, y, z, octaves) for x in xs] for y in ys] for z in zs]
    else:
        rows = [[noise.pnoise2(x, y, octaves) for x in xs] for y in ys]
    return np.array(rows, np.float32)


def points_with_noise(x, y):
    return np.array([noise.pnoise2(*each) for each in zip(x.tolist(), y.tolist())], np.float32)


def with_opensimplex(shape, octaves, module=opensimplex):
    fill = module.noise2array if len(shape) == 2 else module.noise3array
    axes = [np.arange(count) / CELL for count in reversed(shape)]
    return sum(fill(*(axis * 2**k for axis in axes)) / 2**k for k in range(octaves))


def points_with_opensimplex(x, y, module=opensimplex):
    return np.array([module.noise2(*each) for each in zip(x.tolist(), y.tolist())])


def pyfastnoisesimd(octaves):
    field = fns.Noise(seed=7, numWorkers=1)
    field.noiseType = fns.NoiseType.Perlin if octaves == 1 else fns.NoiseType.PerlinFractal
    field.fractal.octaves = octaves
    field.frequency = 1 / CELL
    return field


def with_pyfastnoisesimd(shape, octaves):
    return pyfastnoisesimd(octaves).genAsGrid((1, *shape)[-3:]).reshape(shape)


def points_with_pyfastnoisesimd(x, y):
    coords = fns.empty_coords(x.size)
    coords[0], coords[1], coords[2] = x * CELL, y * CELL, 0
    return pyfastnoisesimd(1).genFromCoords(coords)


def with_perlin_numpy(shape, octaves):
    fill = (perlin_numpy.generate_fractal_noise_2d if len(shape) == 2
            else perlin_numpy.generate_fractal_noise_3d)  # fmt: skip
    res = tuple(count // CELL for count in shape)
    return fill(shape, res, octaves, rng=np.random.default_rng(7))


def with_perlane(shape, octaves):
    return Field(seed=7, frequency=1 / CELL, octaves=octaves).fill(shape)


def points_with_perlane(x, y):
    return Field(seed=7, frequency=1).points(x, y)


# The name, what a job's samples along each axis are divided by to measure it soon enough, and the
# functions.
LIBRARIES = [
    ("noise 1.2.2", 4, with_noise, points_with_noise),
    (
        "opensimplex 0.4.5",
        16,
        partial(with_opensimplex, module=interpreted),
        partial(points_with_opensimplex, module=interpreted),
    ),
    ("opensimplex with numba", 1, with_opensimplex, points_with_opensimplex),
    ("perlin-numpy 0.0.1", 1, with_perlin_numpy, None),
    ("pyfastnoisesimd 0.4.2", 1, with_pyfastnoisesimd, points_with_pyfastnoisesimd),
    (f"perlane {perlane.__version__}", 1, with_perlane, points_with_perlane),
]
GRIDS = {
    "2D, 1 octave": ((1024, 1024), 1),
    "2D, 5 octaves": ((1024, 1024), 5),
    "3D, 1 octave": ((64, 128, 128), 1),
}
POINTS = 2**18

# ---- Rates ----


def calls():
    """Returns {(library, job): (call, samples)}."""
    rng = np.random.default_rng(1)
    found = {}
    for name, divisor, grid, points in LIBRARIES:
        for job, (shape, octaves) in GRIDS.items():
            size = tuple(count // divisor for count in shape)
            found[name, job] = partial(grid, size, octaves), int(np.prod(size))
        if points:
            x, y = rng.uniform(0, 1000, (2, POINTS // divisor**2))
            found[name, "2D points"] = partial(points, x, y), x.size
    return found


def seconds(call):
    """Returns the processor time of a call, which other programs affect less than the clock's."""
    start = time.process_time()
    call()
    return time.process_time() - start


def digits(rate):
    return np.format_float_positional(rate, precision=2, fractional=False, trim="-")


def rates():
    """Prints medians of rounds in which every library has its turn."""
    measured = calls()
    for call, _ in measured.values():
        call()  # numba compiles
    times = {key: [] for key in measured}
    for _ in range(ROUNDS):
        for key, (call, _) in measured.items():
            times[key].append(seconds(call))
    jobs = [*GRIDS, "2D points"]
    print("| millions of samples per second |", " | ".join(jobs), "|")
    print("|---|" + "---:|" * len(jobs))
    for name, *_ in LIBRARIES:
        row = [digits(measured[name, job][1] / statistics.median(times[name, job]) / 1e6)
               if (name, job) in measured else "-" for job in jobs]  # fmt: skip
        print(f"| {name} |", " | ".join(row), "|")


# ---- Pictures ----


def perlin_numpy_2d(shape, res, rng):
    """Returns the values of perlin_numpy.generate_perlin_noise_2d(shape, res, rng=rng)."""
    angles = 2 * np.pi * rng.uniform(size=(res[0] + 1, res[1] + 1))
    gradients = np.sqrt(2) * np.stack([np.sin(angles), np.cos(angles)], axis=2)
    field = Field.preset("grid", gradient_grid=gradients)
    return field.fill(shape, step=(res[0] / shape[0], res[1] / shape[1]))


def pairs():
    """Returns {library: (its picture, perlane's)}, each of 4 octaves and 8 x 8 cells."""
    shape, octaves = (256, 256), 4
    res = np.array([8, 8])
    rng = np.random.default_rng(7)
    return {
        "noise": (
            with_noise(shape, octaves),
            Field.preset("pnoise", frequency=1 / CELL, octaves=octaves).fill(shape),
        ),
        "perlin-numpy": (
            with_perlin_numpy(shape, octaves),
            sum(perlin_numpy_2d(shape, res * 2**k, rng) / 2**k for k in range(octaves)),
        ),
        "pyfastnoisesimd": (
            with_pyfastnoisesimd(shape, octaves),
            Field(seed=7, frequency=1 / CELL, octaves=octaves).fill(shape),
        ),
        "opensimplex": (
            with_opensimplex(shape, octaves),
            Field(seed=7, frequency=0.82 / CELL, octaves=octaves, gradients="sphere").fill(shape),
        ),
    }


def draw(path):
    """Draws every library's picture above perlane's, each in units of its standard deviation."""
    matplotlib.use("Agg")
    found = pairs()
    figure, axes = plt.subplots(2, len(found), figsize=(8.4, 4.5), dpi=100, layout="constrained")
    for column, (name, pair) in zip(axes.T, found.items()):
        same = np.max(abs(pair[0] - pair[1])) < 1e-5
        titles = name, "perlane: the same values" if same else "perlane: other values"
        for each, values, title in zip(column, pair, titles):
            each.imshow(values, "YlGnBu_r", vmin=-2.5 * values.std(), vmax=2.5 * values.std())
            each.set_title(title, fontsize=9, loc="left")
            each.axis("off")
    figure.canvas.draw()
    pixels = np.asarray(figure.canvas.buffer_rgba())[..., :3]
    Image.fromarray(pixels).quantize(64, dither=Image.Dither.NONE).save(path, optimize=True)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        sys.exit("usage: compare.py [PICTURE.png]")
    rates()
    for name, (theirs, ours) in pairs().items():
        print(f"{name}: largest difference {np.max(abs(theirs - ours)):.2g}")
    if len(sys.argv) == 2:
        draw(sys.argv[1])
