# SPDX-License-Identifier: MIT
"""Draws the pictures of docs/internals/quality.md, and prints how values and slopes are distributed: pictures.py

Needs the environment that bindings/python/tests uses: build/python with matplotlib, PYTHONPATH and
PERLANE_LIBRARY. Takes about a minute.
"""

from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np

import perlane

IMAGES = Path(__file__).resolve().parents[3] / "docs/images"
NAMES = ("default", "improved")
OURS, THEIRS, THIRD = "#0072b2", "#d55e00", "#009e73"  # which the colour-blind can distinguish
MANY = 40  # fields, of which improved is always the same one
APART = {"step": (0.718033988749895, 0.618033988749895)}

mpl.use("Agg")
mpl.rcParams.update({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
                     "grid.color": "#d8d8d8", "lines.linewidth": 1.3, "legend.frameon": False})  # fmt: skip


def field(name, **options):
    return perlane.Field(**options) if name == "default" else perlane.Field.preset(name, **options)


def save(name):
    plt.savefig(IMAGES / f"quality-{name}.png", dpi=100)
    plt.close("all")


def fields():
    _, axes = plt.subplots(2, 2, figsize=(6.8, 7.2), layout="constrained")
    for (octaves, frequency, most), row in zip(((1, 1 / 20, 1), (8, 1 / 80, 0.6)), axes):
        for name, axis in zip(NAMES, row):
            values = field(name, octaves=octaves, frequency=frequency).fill((320, 320))
            axis.imshow(values, cmap=plt.get_cmap("gray", 24), vmin=-most, vmax=most)
            axis.set(xticks=[], yticks=[], title=f"{name}, {octaves} octave{'s' * (octaves > 1)}, ±{most}")
    save("fields")


# ---- Spectra ----

CELLS, SIDE = 64, 512


def power(values):
    return np.abs(np.fft.fft2(values)) ** 2


def spectrum_of(name):
    """The share of the variance per unit of area, with 0 cycles in the middle."""
    total = np.zeros((SIDE, SIDE))
    for i in range(200):
        place = {"seed": i} if name == "default" else {"table_offset": (17 * i, 29 * i)}
        noise = field(name, phase="none", frequency=CELLS / SIDE, period=(CELLS, CELLS), **place)
        total += power(noise.fill((SIDE, SIDE)))
    return shares(total)


def expected_spectrum():
    """That of the kernel: the fade times the distance along either axis."""
    distance = np.fft.fftfreq(SIDE, 1 / CELLS)
    t = np.clip(1 - np.abs(distance), 0, 1)
    fade = t * t * t * (t * (t * 6 - 15) + 10)
    return shares(power(np.outer(fade, fade * distance)) + power(np.outer(fade * distance, fade)))


def shares(total):
    total[0, 0] = 0
    return np.fft.fftshift(total) * CELLS * CELLS / total.sum()


def spectra():
    found = [*map(spectrum_of, NAMES), expected_spectrum()]
    frequency = np.fft.fftshift(np.fft.fftfreq(SIDE, 1 / SIDE)) / CELLS
    _, axes = plt.subplots(1, 2, figsize=(9, 4.3), layout="constrained")
    extent = (frequency[0], frequency[-1], frequency[-1], frequency[0])
    for name, axis, share in zip(NAMES, axes, found):
        image = axis.imshow(10 * np.log10(np.maximum(share, 1e-9)), cmap="inferno", vmin=-60, vmax=0, extent=extent)
        axis.set(xlim=(-2.5, 2.5), ylim=(2.5, -2.5), title=name, xlabel="cycles per cell along x",
                 ylabel="cycles per cell along y")  # fmt: skip
        axis.grid(False)
    plt.colorbar(image, ax=axes, label="dB")
    save("spectra")
    directions(found, *np.meshgrid(frequency, frequency))


def directions(found, u, v):
    """Power along the axes and the diagonals; of the band that has most of it, and of slopes, by direction."""
    _, ((first, second), (third, fourth)) = plt.subplots(2, 2, figsize=(10, 8.6), layout="constrained")
    length, degrees = np.hypot(u, v), np.degrees(np.arctan2(v, u)) % 180
    radii = np.arange(1, 20) / 8
    for name, axis, share in zip(NAMES, (first, second), found):
        for label, angle, colour in (("x", 0, OURS), ("y", 90, THEIRS), ("diagonals", 45, THIRD)):
            near = np.abs((degrees - angle + 45) % 90 - 45) < 7.5 if angle == 45 else \
                np.abs((degrees - angle + 90) % 180 - 90) < 7.5  # fmt: skip
            for of, style in ((share, "o-"), (found[2], ":")):
                means = [of[near & (length >= r) & (length < r + 1 / 8)].mean() for r in radii]
                axis.semilogy(radii + 1 / 16, means, style, color=colour if of is share else "black", markersize=3,
                              label=label if of is share else "default, expected" if angle == 45 else None)  # fmt: skip
        axis.set(title=f"Power along directions, {name}", xlabel="cycles per cell", ylim=(1e-6, 1), xlim=(0, 2.5),
                 ylabel="share of the variance per unit of area")  # fmt: skip
        axis.legend()
    band = (length >= 0.4) & (length < 1)
    turns = np.arange(0, 181, 5)
    for label, share, style in zip((*NAMES, "default, expected"), found, (OURS, THEIRS, "black")):
        means = [share[band & (np.abs((degrees - turn + 90) % 180 - 90) < 2.5)].mean() for turn in turns]
        line = ":" if style == "black" else "-"
        third.plot(turns, np.array(means) / share[band].mean(), line, color=style, label=label)
    third.set(title="Power from 0.4 to 1 cycle per cell", xlabel="direction in degrees; 0 is x, 90 is y",
              ylabel="over the mean of all directions", ylim=(0.5, 1.5), xticks=range(0, 181, 45))  # fmt: skip
    for label, options, colour in (("default", {}, OURS), ("improved", {}, THEIRS),
                                   ("sphere: 256 directions", {"gradients": "sphere"}, THIRD)):  # fmt: skip
        times = np.zeros(90)
        for i in range(MANY):
            noise = field("improved" if label == "improved" else "default", seed=i, frequency=1, **options)
            slopes = noise.gradient((1024, 1024), origin=i * 0.01234567, **APART)
            times += np.histogram((np.degrees(np.arctan2(slopes.dy, slopes.dx)) + 2) % 360, 90, (0, 360))[0]
        fourth.plot(np.arange(91) * 4, np.append(times, times[0]) / times.mean(), color=colour, label=label)
    fourth.set(title="How often slopes have a direction", xlabel="direction of the slope in degrees", ylim=(0, 3.2),
               xticks=range(0, 361, 90))
    third.legend()
    fourth.legend()
    save("directions")


# ---- Values ----

K = 53 / 128
OFFAXIS8 = np.array([(1, K), (-1, K), (1, -K), (-1, -K), (K, 1), (-K, 1), (K, -1), (-K, -1)])
SCALE = float.fromhex("0x1.65f218p+0")


def expected_histogram(bins):
    """Of all combinations of gradients, at 64 x 64 places in a cell."""
    t = (np.arange(64) + 0.5) / 64
    fade = t * t * t * (t * (t * 6 - 15) + 10)
    times = 0
    for y, fy in zip(t, fade):
        for x, fx in zip(t, fade):
            ramps = [SCALE * wx * wy * (OFFAXIS8 @ (x - i, y - j)) for j, wy in ((0, 1 - fy), (1, fy))
                     for i, wx in ((0, 1 - fx), (1, fx))]  # fmt: skip
            sums = np.add.outer(np.add.outer(ramps[0], ramps[1]), np.add.outer(ramps[2], ramps[3]))
            times = times + np.histogram(sums, bins)[0]
    return times / times.sum()


def histogram():
    bins = np.linspace(-1, 1, 42)
    middle, density = (bins[1:] + bins[:-1]) / 2, 41 / 2
    _, axes = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
    for octaves, axis in zip((1, 8), axes):
        for name, colour in zip(NAMES, (OURS, THEIRS)):
            times = sum(np.histogram(field(name, seed=i, octaves=octaves, frequency=1).fill(
                (1024, 1024), origin=i * 0.01234567, **APART), bins)[0] for i in range(MANY))  # fmt: skip
            axis.step(middle, times * density / times.sum(), where="mid", color=colour, label=name)
        axis.set(title=f"{octaves} octave{'s' * (octaves > 1)}", xlabel="value", ylabel="density", ylim=(0, 3))
    axes[0].plot(middle, expected_histogram(bins) * density, "k.", label="default, expected")
    axes[0].legend()
    axes[1].legend()
    save("histogram")


SHAPES = {1: (1 << 20,), 2: (1024, 1024), 3: (64, 128, 128), 4: (32,) * 4}


def value_range():
    print("| | octaves | smallest | largest | deviation | 98 % within ± | 99.8 % within ± |")
    print("|---|---|---|---|---|---|---|")
    for octaves in (1, 8):
        for dims, shape in SHAPES.items():
            place = {"step": [0.618034 + 0.05 * a for a in range(dims)][::-1]}
            values = np.concatenate([perlane.Field(seed=i, octaves=octaves, frequency=1).fill(
                shape, origin=0.4142 + i * 1e5, **place).ravel() for i in range(20)])  # fmt: skip
            parts = np.quantile(np.abs(values), (0.98, 0.998))
            print(f"| {dims}D | {octaves} | {values.min():.3f} | {values.max():.3f} | {values.std():.3f} | "
                  f"{parts[0]:.3f} | {parts[1]:.3f} |")  # fmt: skip


def slopes():
    print("\nMean square of the slope along x, y, z, w over their mean:")
    for name, options, dims in (("default, 2D", {}, 2), ("default, 3D", {}, 3),
                                ("sphere, 3D", {"gradients": "sphere"}, 3), ("default, 4D", {}, 4)):  # fmt: skip
        squares = np.zeros(dims)
        for i in range(20):
            noise = perlane.Field(seed=i, frequency=1, **options)
            found = noise.gradient(SHAPES[dims], origin=i * 1e5 + 1 / 64, step=2 + 25 / 32)
            squares += [np.square(slope, dtype=float).mean() for slope in found[1 : 1 + dims]]
        print(name, *(f"{square:.3f}" for square in squares / squares.mean()))


for draw in (fields, spectra, histogram, value_range, slopes):
    draw()
