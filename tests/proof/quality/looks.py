# SPDX-License-Identifier: MIT
"""Measures the looks of land, and real land, as a table in Markdown.

Ends with 1 if a look is worse than its limit. Needs the environment of bindings/python/tests:
build/python, PYTHONPATH and PERLANE_LIBRARY. docs/internals/quality.md describes the measures.
"""

import heapq
import math
import multiprocessing
import sys

import matplotlib.cbook
import numpy as np

import perlane
from perlane._library import PictureOptions, library

SEAS = ("island", "archipelago", "fjords")  # water is below 0
MOUNTAINS = ("alps", "mountains", *SEAS)
LOOKS = (*MOUNTAINS, "hills", "canyon", "badlands", "dunes")
SIDE = 512


def heights(look, seed, side=SIDE):
    return perlane.Field.look(look, width=side, seed=seed).fill((side, side))


def sample_of(look):
    """Returns the distance between samples, relative to a difference of heights of 1."""
    picture = PictureOptions()
    library.perlane_picture_look(picture, look.encode(), SIDE)
    return 1 / picture.relief


def basins_of(height, has_sea=False):
    """Floods the land from the border and the sea (Barnes, Lehman and Mulla 2014)."""
    sea = (height <= 0) if has_sea else np.zeros(height.shape, bool)
    seen = np.pad(sea[1:-1, 1:-1], 1, constant_values=True)
    # Around the map there are samples that are seen, so that neighbours need no checks.
    ground, width = np.pad(height, 1).ravel().tolist(), height.shape[1] + 2
    seen = np.pad(seen, 1, constant_values=True).ravel()
    inner = np.pad(np.ones(height.shape, bool), 1).ravel()
    queue = [(ground[i], i) for i in np.flatnonzero(seen & inner).tolist()]
    heapq.heapify(queue)
    seen, flooded = seen.tolist(), 0
    around = [dy * width + dx for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
    while queue:
        water, i = heapq.heappop(queue)
        for j in around:
            if not seen[i + j]:
                seen[i + j] = True
                flooded += ground[i + j] < water
                heapq.heappush(queue, (max(ground[i + j], water), i + j))
    return flooded / (~sea).sum()


def axes_of(maps):
    """Counts slopes nearer to an axis than to a diagonal, relative to half of all slopes."""
    slopes = near = 0
    for height in maps:
        dx = np.abs(height[1:-1, 2:] - height[1:-1, :-2])
        dy = np.abs(height[2:, 1:-1] - height[:-2, 1:-1])
        slopes += ((dx > 0) | (dy > 0)).sum()
        near += (np.minimum(dx, dy) < math.tan(math.pi / 8) * np.maximum(dx, dy)).sum()
    return near / slopes / 0.5 - 1


def levels_of(height):
    """Returns the part of 2^16 levels in use, the highest and the lowest thousandth of samples aside."""
    level = np.rint((height - height.min()) / np.ptp(height) * 65535)
    low, high = np.quantile(level, (0.001, 0.999))
    used = np.unique(level)
    return ((used >= low) & (used <= high)).sum() / (high - low + 1)


def slopes_of(height, across, down, has_sea=False):
    """Returns quantiles of the land's slopes, in degrees."""
    gradient = np.hypot(*np.gradient(height.astype(float), down, across))
    slopes = np.degrees(np.arctan(gradient[height > 0] if has_sea else gradient))
    return np.quantile(slopes, (0.1, 0.5, 0.9, 0.99))


def blurred(height, radius):
    """Returns the map without details, which is mirrored at its borders."""
    mirrored = np.vstack((height, height[::-1]))
    mirrored = np.hstack((mirrored, mirrored[:, ::-1]))
    rows, columns = mirrored.shape
    square = np.fft.fftfreq(rows)[:, None] ** 2 + np.fft.rfftfreq(columns) ** 2
    kept = np.fft.rfft2(mirrored) * np.exp(-2 * (math.pi * radius) ** 2 * square)
    return np.fft.irfft2(kept, mirrored.shape)[: rows // 2, : columns // 2]


def stars_of(height):
    """Returns the mean |cos| of the angle from gullies to the direction of the nearest summit."""
    radius = len(height) / 64
    y, x = np.gradient(height - blurred(height, radius))
    xx, xy, yy = (blurred(product, radius)[::4, ::4] for product in (x * x, x * y, y * y))
    across = np.arctan2(2 * xy, xx - yy) / 2
    coarse, reach = blurred(height, 2 * radius), round(4 * radius)
    around = np.lib.stride_tricks.sliding_window_view(coarse, (2 * reach + 1, 2 * reach + 1))
    summits = np.argwhere(around.max((2, 3)) == coarse[reach:-reach, reach:-reach]) + reach
    to = summits - np.indices(height.shape)[:, ::4, ::4].transpose(1, 2, 0)[:, :, None]
    nearest = np.square(to).sum(3).argmin(2)[:, :, None, None]
    to = np.take_along_axis(to, nearest, 2)[:, :, 0]
    return np.abs(np.sin(np.arctan2(to[:, :, 0], to[:, :, 1]) - across)).mean()


def spectrum_of(height):
    """Returns the power of frequency that the mean power follows, from 4 cycles across the map on."""
    side = len(height)
    window = np.hanning(side)
    power = np.abs(np.fft.rfft2((height - height.mean()) * window * window[:, None])).ravel() ** 2
    cycles = np.hypot(np.fft.fftfreq(side)[:, None], np.fft.rfftfreq(side)).ravel() * side
    ends = np.geomspace(4, side / 8, 12)
    mean = [power[(cycles >= low) & (cycles < high)].mean() for low, high in zip(ends, ends[1:])]
    return np.polyfit(np.log(ends[1:] * ends[:-1]) / 2, np.log(mean), 1)[0]


def line(name, cells):
    texts = (text.replace("%", " %") if good else f"**{text}**" for text, good in cells)
    return f"| {name} | {' | '.join(texts)} |"


def shape_cells(slopes, stars, spectrum, median=(0, 90), steepest=90):
    text = "/".join(f"{slope:.0f}" for slope in slopes)
    good = median[0] <= slopes[1] <= median[1] and slopes[3] < steepest
    return (text, good), (f"{stars:.2f}", stars <= 0.75), (f"{spectrum:.1f}", True)


def measure(look):
    """Returns whether a look is good, and its line of the table."""
    has_sea, distance = look in SEAS, sample_of(look)
    basins = np.mean([basins_of(heights(look, seed), has_sea) for seed in range(1, 65)])
    small = [heights(look, seed, 256) for seed in range(1, 25)]
    flat = max((height == end).sum() for height in small for end in (height.min(), height.max()))
    axes = axes_of(small)
    levels = np.mean([levels_of(heights(look, seed, 2048)) for seed in range(1, 4)])
    maps = [heights(look, seed) for seed in range(1, 9)]
    slopes = np.mean([slopes_of(height, distance, distance, has_sea) for height in maps], 0)
    stars = np.mean([stars_of(height) for height in maps])
    spectrum = np.mean([spectrum_of(height) for height in maps])
    median = (20, 28) if look in MOUNTAINS else (0, 90)
    steepest = 90 if look in ("canyon", "dunes") else 50
    cells = ((f"{basins:.1%}", basins <= (0.1 if look == "dunes" else 0.01)), (f"{flat}", flat < 20),
             (f"{axes:+.1%}", look == "dunes" or abs(axes) <= 0.06), (f"{levels:.1%}", levels >= 0.99),
             *shape_cells(slopes, stars, spectrum, median, steepest))  # fmt: skip
    return all(good for _, good in cells), line(look, cells)


def real_land():
    """Returns the line of the hills around Jacksboro, Tennessee."""
    with matplotlib.cbook.get_sample_data("jacksboro_fault_dem.npz") as land:
        height, step = land["elevation"].astype(float), math.radians(land["dy"]) * 6371000
        latitude = math.radians((land["ymin"] + land["ymax"]) / 2)
    square = height[:, : len(height)]
    slopes = slopes_of(height, step * math.cos(latitude), step)
    cells = ((f"{basins_of(height):.1%}", True), ("", True), (f"{axes_of([height]):+.1%}", True),
             ("", True), *shape_cells(slopes, stars_of(square), spectrum_of(square)))  # fmt: skip
    return line("real land", cells)


def main():
    print("| look | basins | flat | axes | levels | slopes | stars | spectrum |\n|---|" + "---:|" * 7)
    with multiprocessing.Pool() as pool:
        good = []
        for is_good, text in pool.imap(measure, LOOKS):
            good.append(is_good)
            print(text, flush=True)
    print(real_land())
    return not all(good)


if __name__ == "__main__":
    sys.exit(main())
