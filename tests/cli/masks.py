#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of `perlane fill --mask`: masks.py PERLANE WORK.

Metres and degrees are those of planes; tests/picture.c has the masks of other land.
"""

import os
import re
import sys

import numpy as np

from command import check, clear, fill, is_same, listing, pixels, read, refused, run, run_steps, same, write

FIELD = "--octaves 5 --frequency 0.02 --seed 3"


def smooth(low, high, v):
    t = np.clip((v - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


def planes():
    """Options of maps of 0.002*x + 0.003*y; and in metres the height of a value difference of 1, that of the value 0,
    and the distance from sample to sample along x and y."""
    height, width = map(float, re.search(r"^alps .* (\S+) km wide, (\S+) m high", run("looks").out.decode(), re.M).groups()[::-1])
    return [("--heights -50,950 --range -1,1 --spacing 3", 500, 450, (3, 3)),
            ("--heights 0,250 --range 0.5,0 --for unreal", -500, 250, (1, 1)),
            ("--heights 0,9000 --range 0,1 --step 10,-25 --crs EPSG:32633", 9000, 0, (10, 25)),
            ("--look alps", height, 0, (width * 1000 / 126,) * 2)]


def units():
    for options, unit, zero, spacing in planes():
        step = np.array([10, -25] if "--step" in options else [1, 1])
        y, x = np.mgrid[:127, :127]
        heights = zero + unit * (0.002 * x * step[0] + 0.003 * y * step[1])
        slope = np.degrees(np.arctan(np.hypot(*(np.array([0.002, 0.003]) * step * unit / spacing))))
        suffix = "tif" if "--crs" in options else "png"
        for kind, low, high, v in (("slope", slope * 0.7, slope * 1.2, slope), ("height", *np.percentile(heights, (80, 10)), heights)):
            fill(f"-o a.{kind}.{suffix} --size 127 --expression 0.002*x+0.003*y {options} --mask {kind}={low:.17g}..{high:.17g}"
                 .replace("--spacing 3 --mask height", "--mask height"))
            got = pixels(f"a.{kind}.{suffix}").astype(float)
            check(f"{kind} of {options}", np.abs(got - smooth(low, high, v) * 255).max() < 0.6, (got, smooth(low, high, v) * 255))
            fill(f"-o again.{suffix} --params-of a.{kind}.{suffix}")
            same("is made again by its options", f"a.{kind}.{suffix}", f"again.{suffix}")
        done = run("verify .")
        check("and verified", done.status == 0, done)
        clear()


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


sys.exit(run_steps(units, rivers, tiles, saved))
