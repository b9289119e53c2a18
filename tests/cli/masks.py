#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of `perlane fill --mask`: masks.py PERLANE WORK.

Masks are computed here from the heights of the same map with a border, as docs/engines.md defines them.
"""

import os
import sys

import numpy as np

from command import check, clear, fill, is_same, listing, pixels, read, refused, run, run_steps, same, write

FIELD = "--octaves 5 --frequency 0.02 --seed 3"


def bordered(options, size, first=(0, 0)):
    """Heights of a map with a border of one sample, as floats."""
    fill(f"-o border.npy --bits 32 {options}", "--size", f"{size[0] + 2}x{size[1] + 2}", f"--first={first[0] - 1},{first[1] - 1}")
    return np.load("border.npy").astype(float)


def mask(kind, low, high, heights, spacing=(1, 1)):
    """A mask in 0..1."""
    x = (heights[1:-1, 2:] - heights[1:-1, :-2]) / (2 * spacing[0])
    y = (heights[2:, 1:-1] - heights[:-2, 1:-1]) / (2 * spacing[1])
    v = np.degrees(np.arctan(np.sqrt(x * x + y * y))) if kind == "slope" else heights[1:-1, 1:-1]
    t = np.clip((v - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


# Options of the heights, those of the masks, and the metres from sample to sample along x and y.
UNITS = [
    ("--heights -50,950", "--spacing 30", (30, 30)),
    ("--heights -50,950 --range -0.3,0.4", "--spacing 23.5", (23.5, 23.5)),
    ("--heights 0,25", "--for unreal", (1, 1)),
    ("--heights 0,900 --step 10,-25 --frequency 0.002", "--crs EPSG:32633", (10, 25)),
    ("--heights 0,900 --fractal eroded", "--spacing 40", (40, 40)),
]


def units():
    size = (127, 127)
    for field, more, spacing in UNITS:
        heights = bordered(f"{FIELD} {field}", size)
        options = f"{FIELD} {field} {more}"
        suffix = "tif" if "--crs" in options else "png"
        low, high = map(float, np.percentile(heights, (10, 80)).round(1))
        for slopes, ends in (((20, 40), (low, high)), ((45.5, 10), (high, low))):
            for kind, (low, high) in (("slope", slopes), ("height", ends)):
                needed = more if kind == "slope" or "--spacing" not in more else ""
                fill(f"-o a.{kind}.{suffix} {FIELD} {field} {needed} --size 127 --mask {kind}={low}..{high}")
                for file, bits in ((f"a.{kind}.{suffix}", 8), (f"fine.{suffix}", 16)):
                    want = np.rint(mask(kind, low, high, heights, spacing) * (2 ** bits - 1)).astype(f"u{bits // 8}")
                    if bits == 16:
                        fill(f"-o {file} --bits 16 --params-of a.{kind}.{suffix}")
                    got = pixels(file)
                    check(f"{kind}={low}..{high} of {bits} bits", is_same(got, want) and len(np.unique(want)) > 100, (got, want))
                fill(f"-o again.{suffix} --params-of a.{kind}.{suffix}")
                same("is made again by its options", f"a.{kind}.{suffix}", f"again.{suffix}")
        done = run("verify .")
        check("and verified", done.status == 0, done)
        clear()


def natural():
    """A look's heights and width are those in nature."""
    height, width = (float(f"\n{run('looks').out.decode()}".split("\nalps ")[1].split("\n")[0].split(end)[0].split()[-1])
                     for end in (" m high", " km wide"))
    fill("-o whole.npy --look alps --size 128")
    heights = bordered("--params-of whole.npy", (128, 128)) * height
    for kind, low, high in (("slope", 10, 60), ("height", -300, 1100), ("slope", 35, 20)):
        fill(f"-o a.png --look alps --size 128 --mask {kind}={low}..{high}")
        want = mask(kind, low, high, heights, (width * 1000 / 128,) * 2) * 255
        got = pixels("a.png").astype(float)
        check(f"a look's {kind}={low}..{high}", got.shape == want.shape and np.abs(got - want).max() < 0.52 and len(np.unique(got)) > 100, np.abs(got - want).max())


def rivers():
    fill("-o a.river.png --look canyon --size 200 --mask river")
    fill("-o raw.npy --params-of a.river.png --bits 32")
    fill(f"-o field.npy --look canyon --size 200 --valley-output river --contrast 1 --curve none --terraces 0 --value-scale -1 --value-offset 0.875")
    want = np.load("field.npy")
    check("rivers are those of the field", is_same(np.load("raw.npy"), want) and 0 <= want.min() < 0.3 < 0.85 < want.max() <= 0.875)
    fill("-o levels.png --params-of field.npy --range 0,0.875 --bits 8")
    check("in levels from 0 to 0.875", is_same(pixels("a.river.png"), pixels("levels.png")))
    for kind in ("river", "slope=1..2"):
        done = run(f"fill -o b --for unreal --look hills --size 127 --mask {kind}")
        check(f"no heights, nor an engine's, for {kind}", "the sea" not in done.err and "Scale" not in done.err and
              "b.png" in listing() and "b.png.txt" not in listing(), done.err)


def tiles():
    for kind, engine, names, overlap, size in (("slope=10..40", "", "x%d_y%d", 0, (95, 49)),
                                               ("height=500..300", "--for unity --overlap 1", "%d_%d", 1, (33, 33))):
        options = f"{FIELD} --heights 0,900 --mask {kind} {'--spacing 4' * kind.startswith('slope')}"
        fill(f"-o whole.png --size 190x147 {options}")
        whole = pixels("whole.png")
        line = f"-o map{'.png' * (not engine)} --size {size[0]}x{size[1]} --tiles 2x3 {engine} {options}"
        fill(line)
        for i, j in ((0, 0), (1, 0), (0, 2), (1, 2)):
            x, y = i * (size[0] - overlap), j * (size[1] - overlap)
            check(f"{kind}: a tile is the crop of the whole mask", is_same(
                pixels(f"map_{names % (i, j)}.png"), whole[y:y + size[1], x:x + size[0]]))
        done = run(f"verify map.png --tiles 2x3 {engine}")
        check("which verify knows", done.out.startswith(b"6 files: 6 equal"), done)
        os.remove(f"map_{names % (1, 1)}.png")
        check("the same command writes the tile that is missing", "; tiles: 1 written, 5 were there" in run(f"fill {line}").err)
        clear()


def saved():
    """A mask's options make the mask; --mask none makes its map, and another --mask another mask."""
    options = f"--size 60x40 {FIELD} --heights 0,900"
    fill(f"-o map.tif {options}")
    fill(f"-o map.png {options} --bits 16")
    fill(f"-o slope.png {options} --spacing 4 --mask slope=20..40")
    fill(f"-o height.png {options} --mask height=100..700")
    fill("-o again.png --params-of map.tif --mask height=100..700")
    check("the mask of a map", is_same(pixels("again.png"), pixels("height.png")))
    fill("-o heights.png --params-of slope.png --mask none --bits 16 --range 0,900")
    check("--mask none makes the map", is_same(pixels("heights.png"), pixels("map.png")))
    fill("-o b.png --params-of slope.png --mask height=100..700")
    check("another --mask another one", is_same(pixels("b.png"), pixels("height.png")), listing())
    fill("-o c.png --params-of slope.png --first 7,5 --size 30x20")
    check("a part of a mask", is_same(pixels("c.png"), pixels("slope.png")[5:25, 7:37]))
    fill("-o d.tif --params-of slope.png --bits 16")
    check("a finer mask", (np.rint(pixels("d.tif") / 257) == pixels("slope.png")).all())
    fill("-o p.png --params-of slope.png")
    write("p.txt", run("fill -o p.png --params-of slope.png --print-params").out)
    fill("-o q.png --params-of p.txt")
    same("saved options are the mask's", "p.png", "q.png")
    fill("-o e.png --params-of slope.png --field 'mask=height=1..2 mask=height=100..700'")
    check("of two masks, the last", is_same(pixels("e.png"), pixels("height.png")))
    fill("-o f.png --params-of slope.png --mask slope=1..2 --mask height=100..700 --palette grey")
    same("on the command line, too", "f.png", "b.png")
    check("and to the standard output", run(f"fill -o - --format png {options} --mask height=100..700").out == read("height.png"))
    for line, text in (("-o x.npy", "-o: masks are .png, .tif or .tiff files"), ("-o x.png --shade", "a mask has no colours"), ("-o x.png --look alps", "a mask has no colours"),
                       ("-o x.png --range 0,1", "--range has no effect on a mask"),
                       ("-o x.png --heights 0,1", "--heights has no effect on a mask"),
                       ("-o x.png --size 4x4x1", "a mask has two axes"),
                       ("-o x.tif --bits 32", "--bits 32: mask files hold 8 or 16 bits")):
        refused("", 2, text, f"fill {line} --params-of slope.png")


sys.exit(run_steps(units, natural, rivers, tiles, saved))
