# SPDX-License-Identifier: MIT
"""Draws the picture of docs/internals/quality.md, docs/images/quality.png: fields and power spectra.

Needs the environment of bindings/python/tests: build/python, PYTHONPATH and PERLANE_LIBRARY.
"""

import io
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

import perlane

ROOT = Path(__file__).resolve().parents[3]
FIELDS = {"default": {}, "improved": {"preset": "improved"}, "simplex": {"basis": "simplex"}}
PER_CELL, SIDE, MANY = 6, 512, 200


def field(options, **others):
    preset = options.get("preset")
    return perlane.Field.preset(preset, **others) if preset else perlane.Field(**options, **others)


def spectrum(options):
    """The mean power of many parts of the field with Blackman's window, in decibels."""
    noise, window, total = field(options, frequency=1 / PER_CELL), np.blackman(SIDE), 0
    for i in range(MANY):
        part = noise.fill((SIDE, SIDE), first=(521 * i, 739 * i))
        total = total + np.abs(np.fft.fft2(part * window * window[:, None])) ** 2
    return 10 * np.log10(np.fft.fftshift(total / total.max()))


mpl.use("Agg")
plt.style.use(["default", ROOT / "bindings/python/gallery/gallery.mplstyle"])
_, rows = plt.subplots(3, 3, figsize=(8, 7.9))
half = PER_CELL / 2
for (name, options), (one, eight, power) in zip(FIELDS.items(), rows.T):
    one.imshow(field(options, frequency=1 / 20).fill((320, 320)), cmap="gray", vmin=-1, vmax=1)
    eight.imshow(field(options, frequency=1 / 80, octaves=8).fill((320, 320)), cmap="gray", vmin=-0.6, vmax=0.6)
    power.imshow(spectrum(options), cmap="inferno", vmin=-60, vmax=0, extent=(-half, half, half, -half))
    one.set(xticks=[], yticks=[], title=name)
    eight.set(xticks=[], yticks=[])
    power.set(xticks=range(-3, 4), yticks=range(-3, 4))
drawn = io.BytesIO()
plt.savefig(drawn)
# A palette makes a third of the file.
palette = Image.open(drawn).convert("RGB").quantize(256, kmeans=4, dither=Image.Dither.NONE)
palette.save(ROOT / "docs/images/quality.png", optimize=True)
