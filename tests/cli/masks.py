#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of `perlane fill --mask`: masks.py PERLANE WORK.

Masks are computed here from the heights of the same map with a border, as docs/engines.md defines them.
"""

import os
import sys
import time

import numpy as np

from command import check, clear, fill, is_same, levels, listing, on_small_disk, pixels, read, refused, run, run_steps, same, start

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
        fill(f"-o plain.png {FIELD} {field} --size 127 --bits 16")
        low, high = map(float, np.percentile(heights, (10, 80)).round(1))
        for slopes, ends in (((20, 40), (low, high)), ((45.5, 10), (high, low))):
            fill(f"-o a.{suffix} {options} --size 127 --bits 16 --mask slope={slopes[0]}..{slopes[1]} "
                 f"--mask height={ends[0]}..{ends[1]}")
            check(f"the map of {options} is that without masks", is_same(pixels(f"a.{suffix}"), pixels("plain.png")))
            for kind, (low, high) in (("slope", slopes), ("height", ends)):
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
    fill("-o a.png --look alps --size 128 --mask slope=10..60 --mask height=-300..1100 --mask slope=35..20")
    check("masks of a picture", pixels("a.png").shape == (128, 128, 3) and listing() == [
        "a.height.png", "a.png", "a.slope.png", "a.slope2.png", "border.npy", "border.npy.txt", "whole.npy", "whole.npy.txt"], listing())
    for name, kind, low, high in (("slope", "slope", 10, 60), ("height", "height", -300, 1100), ("slope2", "slope", 35, 20)):
        want = mask(kind, low, high, heights, (width * 1000 / 128,) * 2) * 255
        got = pixels(f"a.{name}.png").astype(float)
        check(f"a look's {name}", np.abs(got - want).max() < 0.52 and len(np.unique(got)) > 100, np.abs(got - want).max())


def rivers():
    look = "--look canyon --heights 0,500"
    fill(f"-o a.r16 {look} --size 200 --mask river")
    fill("-o raw.npy --params-of a.river.png --bits 32")
    fill(f"-o field.npy --look canyon --size 200 --valley-output river --contrast 1 --curve none --terraces 0 --value-scale -1 --value-offset 0.875")
    want = np.load("field.npy")
    check("rivers are those of the field", is_same(np.load("raw.npy"), want) and 0 <= want.min() < 0.3 < 0.85 < want.max() <= 0.875)
    fill("-o levels.png --params-of field.npy --range 0,0.875 --bits 8")
    check("in levels from 0 to 0.875", is_same(pixels("a.river.png"), pixels("levels.png")))
    done = run("fill -o b.tif --look hills --size 64 --mask river")
    check("and no heights, which a sea would be among", "the sea" not in done.err, done.err)


def tiles():
    options = f"{FIELD} --heights 0,900 --spacing 4 --mask slope=10..40 --mask height=500..300"
    fill(f"-o whole.png --size 190x147 {options}")
    for engine, names, overlap, size in (("", "x%d_y%d", 0, (95, 49)), ("--for unity --overlap 1", "%d_%d", 1, (33, 33))):
        fill(f"-o map{'.png' if not engine else ''} --size {size[0]}x{size[1]} --tiles 2x3 {engine} {options}")
        for kind in ("slope", "height"):
            whole = pixels(f"whole.{kind}.png")
            for i, j in ((0, 0), (1, 0), (0, 2), (1, 2)):
                tile = f"map.{kind}_{names % (i, j)}.png"
                x, y = i * (size[0] - overlap), j * (size[1] - overlap)
                check(f"{tile} is the crop of the whole mask", is_same(pixels(tile), whole[y:y + size[1], x:x + size[0]]))
        check("beside as many tiles of the map", len(listing()) == (3 if not engine else 3) + (18 if not engine else 24), listing())
        done = run(f"verify map.slope.png --tiles 2x3 {'--tile-names %X_%Y --overlap 1' if engine else ''}")
        check("which verify knows", done.out.startswith(b"6 files: 6 equal"), done)
        one = f"map.slope_{names % (1, 1)}.png"
        inode = os.stat(f"map.slope_{names % (0, 1)}.png").st_ino
        content = read(one)
        os.remove(one)
        done = run(f"fill -o map{'.png' if not engine else ''} --size {size[0]}x{size[1]} --tiles 2x3 {engine} {options}")
        check("the same command writes the tile of a mask that is missing, and no other", read(one) == content and
              done.err.count("; tiles: 0 written, 6 were there") == 2 and "; tiles: 1 written, 5 were there" in done.err and
              os.stat(f"map.slope_{names % (0, 1)}.png").st_ino == inode, done.err)
        for name in listing():
            if name.startswith("map"):
                os.remove(name)


def saved():
    """A mask's options make the mask; --mask none makes its map, and another --mask one beside it."""
    options = f"--size 60x40 {FIELD} --heights 0,900 --bits 16"
    fill(f"-o map.png {options}")
    fill(f"-o a.png {options} --spacing 4 --mask slope=20..40 --mask height=100..700")
    fill("-o heights.png --params-of a.slope.png --mask none --bits 16 --range 0,900")
    check("--mask none makes the map", is_same(pixels("heights.png"), pixels("map.png")))
    fill("-o b.png --params-of a.slope.png --mask height=100..700 --bits 16 --range 0,900")
    check("another --mask is beside the map", is_same(pixels("b.png"), pixels("map.png")) and
          is_same(pixels("b.height.png"), pixels("a.height.png")), listing())
    fill("-o c.png --params-of a.slope.png --first 7,5 --size 30x20")
    check("a part of a mask", is_same(pixels("c.png"), pixels("a.slope.png")[5:25, 7:37]))
    fill("-o d.tif --params-of a.slope.png --bits 16")
    check("a finer mask", (np.rint(pixels("d.tif") / 257) == pixels("a.slope.png")).all())
    fill("-o p.png --params-of a.slope.png --save-params p.txt")
    fill("-o q.png --params p.txt")
    same("saved options are the mask's", "p.png", "q.png")
    fill("-o e.png --params-of a.slope.png --field 'mask=height=1..2 mask=height=100..700'")
    check("of two masks of a text, the last", is_same(pixels("e.png"), pixels("a.height.png")))
    for line, text in (("-o x.npy", "-o: masks are .png, .tif or .tiff files"), ("-o x.png --shade", "a mask has no colours"),
                       ("-o x.png --range 0,1", "--range has no effect on a mask"),
                       ("-o x.png --heights 0,1", "--heights has no effect on a mask"),
                       ("-o x.png --seeds 1..2", "--seeds has no effect on a mask"),
                       ("-o x.png --size 4x4x1", "a mask has two axes"),
                       ("-o x.tif --bits 32", "--bits 32: mask files hold 8 or 16 bits")):
        refused("", 2, text, f"fill {line} --params-of a.slope.png")


def failures():
    os.mkdir("a.slope.png")
    refused("a mask that cannot be written", 1, "cannot write 'a.slope.png': Is a directory",
            "fill -o a.png --size 20 --heights 0,9 --spacing 1 --mask height=1..2 --mask slope=1..2")
    os.rmdir("a.slope.png")
    options = "-o a.png --size 64x400000 --heights 0,9 --spacing 1 --octaves 8 --threads 1 --mask slope=1..2 --mask height=1..2"
    process = start(f"fill -q {options}")
    while process.poll() is None and not (os.path.exists("a.png") and any(".a.slope" in name for name in listing())):
        time.sleep(0.002)
    process.terminate()
    check("a run that ends within a mask", process.wait() == -15 and listing() == ["a.png"], listing())
    check("leaves the map whole", run("verify a.png").status == 0)
    done = on_small_disk("80k", '"$0" fill -o m.raw --size 100x300 --bits 16 --heights 0,900 --spacing 900 --mask slope=1..40 '
                         '--frequency 0.2 --octaves 4 --force; s=$?; ls -A; "$0" verify m.raw; exit $s')
    if done is not None:
        check("a full disk leaves the map without the mask", done.status == 1 and
              done.out.startswith(b"m.raw\nm.raw.txt\n1 file: 1 equal") and
              "cannot write 'm.slope.png': No space left on device" in done.err, done)


sys.exit(run_steps(units, natural, rivers, tiles, saved, failures))
