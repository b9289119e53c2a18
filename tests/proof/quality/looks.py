# SPDX-License-Identifier: MIT
"""Measures the looks of land, as a table in Markdown: looks.py [FILE]

Ends with 1 if a look is worse than its limit. Measures the basins and axes of real land, a square map of
floats, with a FILE. Needs the environment of bindings/python/tests: build/python, PYTHONPATH and
PERLANE_LIBRARY.

- Basins: the part of the land that lies in closed depressions, below the lowest way to the map's border
  or to the sea. Real land has valleys instead.
- Flat: the largest number of samples at one end of a map's range, where a curve has ended.
- Axes: slopes nearer to an axis than to a diagonal, over half of them all, less 1.
- Levels: the part of the 2^16 levels that a map of 2048 x 2048 samples uses. The others are those of a
  single summit or pit.
"""

import heapq
import math
import multiprocessing
import sys

import numpy as np

import perlane

# Looks of land whose water is below 0, and the maximum of basins: pits of the control, and narrow beds
# that samples miss. Dunes have hollows between them.
SEAS = ("island", "archipelago", "fjords")
BASINS = dict.fromkeys(("alps", "mountains", "hills", "island", "archipelago", "fjords", "canyon", "badlands"), 0.01)
BASINS.update(dunes=0.1)
DIRECTED = ("dunes",)  # slopes have a direction of their own


def heights(look, seed, side):
    return perlane.Field.look(look, width=side, seed=seed).fill((side, side))


def basins_of(height, has_sea=False):
    """Floods the land from the border and the sea (Barnes, Lehman and Mulla 2014)."""
    side = len(height)
    sea = (height <= 0) if has_sea else np.zeros(height.shape, bool)
    seen = np.pad(sea[1:-1, 1:-1], 1, constant_values=True)
    # Around the map there are samples that are seen, so that neighbours need no checks.
    ground, width = np.pad(height, 1).ravel().tolist(), side + 2
    seen = np.pad(seen, 1, constant_values=True).ravel()
    inner = np.pad(np.ones(height.shape, bool), 1).ravel()
    queue = [(ground[i], i) for i in np.flatnonzero(seen & inner)]
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
    """Counts slopes nearer to an axis than to a diagonal, as axes of the table."""
    slopes = near = 0
    for height in maps:
        dx = np.abs(height[1:-1, 2:] - height[1:-1, :-2])
        dy = np.abs(height[2:, 1:-1] - height[:-2, 1:-1])
        slopes += ((dx > 0) | (dy > 0)).sum()
        near += (np.minimum(dx, dy) < math.tan(math.pi / 8) * np.maximum(dx, dy)).sum()
    return near / slopes / 0.5 - 1


def levels_of(height):
    low, high = height.min(), height.max()
    return len(np.unique(np.rint((height - low) / (high - low) * 65535))) / 65536


def measure(look):
    """Returns whether a look is good, and its line of the table."""
    basins = np.mean([basins_of(heights(look, seed, 512), look in SEAS) for seed in range(1, 9)])
    small = [heights(look, seed, 256) for seed in range(1, 25)]
    flat = max((height == end).sum() for height in small for end in (height.min(), height.max()))
    axes = axes_of(small)
    levels = np.mean([levels_of(heights(look, seed, 2048)) for seed in range(1, 4)])
    cells = ((f"{basins:.1%}", basins <= BASINS[look]), (f"{flat}", flat < 20),
             (f"{axes:+.1%}", look in DIRECTED or abs(axes) <= 0.06), (f"{levels:.1%}", levels >= 0.95))  # fmt: skip
    texts = (text.replace("%", " %") if good else f"**{text}**" for text, good in cells)
    return all(good for _, good in cells), f"| {look} | {' | '.join(texts)} |"


def main():
    if sys.argv[1:]:
        height = np.fromfile(sys.argv[1], np.float32)
        height = height.reshape(math.isqrt(height.size), -1)
        print(f"| {sys.argv[1]} | {basins_of(height):.1%} | {axes_of([height]):+.1%} |")
        return 0
    print("| look | basins | flat | axes | levels |\n|---|---:|---:|---:|---:|")
    with multiprocessing.Pool() as pool:
        good = []
        for is_good, line in pool.imap(measure, BASINS):
            good.append(is_good)
            print(line, flush=True)
    return not all(good)


if __name__ == "__main__":
    sys.exit(main())
