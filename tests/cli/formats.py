#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of what `perlane fill` writes: formats.py PERLANE WORK.

Every format is read back by readers that are not ours, NumPy, Pillow and ImageMagick, and compared
with the values that `perlane points` gives at the same positions. Needs NumPy and Pillow.
"""

import contextlib
import glob
import os
import pty
import re
import resource
import signal
import subprocess
import sys

import numpy as np
from PIL import Image

from command import (PERLANE, check, clear, exr, fill, is_same, levels, listing, pixels, printed,
                     read, refused, run, run_steps, same, start, values, write)

FIELD = "--octaves 3 --frequency 0.037 --seed 99"
SUFFIXES = ["png", "tif", "tiff", "r16", "r32", "raw", "npy", "exr"]


def read_by_imagemagick(file, shape):
    done = subprocess.run(["convert", file, "-depth", "16", "-endian", "LSB", "gray:-"], capture_output=True,
                          check=False)
    return np.frombuffer(done.stdout, "<u2").reshape(shape)


def samples(file, bits, shape):
    """A file's samples by a reader that is not ours."""
    if file.endswith(".npy"):
        return np.load(file)
    if file.endswith((".raw", ".r16", ".r32")):
        return np.fromfile(file, "<f4" if bits == 32 else f"<u{bits // 8}").reshape(shape)
    return pixels(file)


def images():
    """Odd sizes; more than one tile of a TIFF each way; a part of a map."""
    kinds = [("png", 8), ("png", 16), ("tif", 8), ("tif", 16), ("tiff", 32), ("raw", 8), ("raw", 16), ("npy", 8),
             ("npy", 16), ("npy", 32), ("r16", 16), ("r32", 32), ("exr", 32)]
    for size, first, origin in (((1, 1), (0, 0), (0.5, 0.25)), ((61, 43), (-7, 1000), (0, 0)),
                                ((300, 97), (5, 6), (0.125, -3.5))):
        field = values(FIELD, size, first, origin)
        place = f"--size {size[0]}x{size[1]} --first {first[0]},{first[1]} --origin={origin[0]},{origin[1]} {FIELD}"
        for kind, bits in kinds:
            file = "a." + kind
            fill(f"-o a.{kind} --bits {bits} {place}")
            want = field if bits == 32 else levels(field, bits)
            check(f"{size} .{kind} of {bits} bits", is_same(samples(file, bits, field.shape), want))
            if "tif" in kind:
                check("without compression", Image.open(file).tag_v2[259] == 1)
            if bits == 16 and file in ("a.png", "a.tif"):
                check("as ImageMagick reads it", is_same(read_by_imagemagick(file, field.shape), want))
        check(f"{size} to the standard output", run("fill -o - " + place).out == levels(field, 16).tobytes())


def heights():
    """Floats in which the range is LOW,HIGH, in every format that has them; also to `points`."""
    field = values(FIELD, (40, 30)).astype(float)
    for ends, span, low, high in (("0,2500", "", -1, 1), ("-300,1e4", "--range -0.25,0.5", -0.25, 0.5),
                                  ("7,-3", "--range 0.5,-0.5", 0.5, -0.5),
                                  ("10,20", "--range actual", field.min(), field.max())):
        bottom, top = map(float, ends.split(","))
        want = bottom + (field - low) / (high - low) * (top - bottom)
        for file in ("h.tif", "h.npy", "h.r32", "h.exr"):
            done = run(f"fill -q -o {file} --size 40x30 --heights={ends} {span} {FIELD}")
            got = samples(file, 32, field.shape)
            check(f"{file}: --heights {ends} {span}", done.status == 0 and got.dtype == np.float32 and
                  np.abs(got - want).max() < 2e-7 * max(abs(bottom), abs(top)) * 8, done.err)
        fill("-o again.npy --params-of h.tif")
        check("and is made again", is_same(np.load("again.npy"), samples("h.r32", 32, field.shape)))
        fill("-o levels.png --params-of h.tif --bits 16")
        check("whose levels are those of the range", np.abs(
            pixels("levels.png") - (want - bottom) / (top - bottom) * 65535).clip(0, None)[
                (want >= min(bottom, top)) & (want <= max(bottom, top))].max() < 0.6)
    for file in ("h.png", "h.r16", "h.tif"):
        for bits in (16, 8) if file != "h.r16" else (16,):
            fill(f"-o plain{file} --bits {bits} --size 40x30 --range -0.5,0.4 {FIELD}")
            fill(f"-o {file} --bits {bits} --size 40x30 --range -0.5,0.4 --heights -200,1800 {FIELD}")
            got, want = (samples(name, bits, field.shape).astype(int) for name in (file, "plain" + file))
            check(f"{file}: --heights changes what {bits} bits stand for", np.abs(got - want).max() <= 1)
    check("which the file beside them has", b"; 0 is -200, 65535 is 1800\n" in read("h.r16.txt"))
    fill("-o look.tif --size 40 --look island --heights 0,100")
    look = pixels("look.tif")
    # Heights are a scale and an offset in binary32, two roundings of some 100.
    check("a look's heights", look.dtype == np.float32 and abs(look.min()) <= 2e-5 and abs(look.max() - 100) <= 2e-5,
          (look.min(), look.max()))


def open_exr():
    """The channel, the window and the text that other programs see, in a file as OpenEXR documents it."""
    for size in ("1x1", "33x16", "7x17", "501x40"):
        fill(f"-o a.exr --size {size} {FIELD}")
        values, attributes = exr("a.exr")
        fill(f"-o a.npy --size {size} {FIELD}")
        width, height = map(int, size.split("x"))
        window = b"box2i", np.array([0, 0, width - 1, height - 1], "<i4").tobytes()
        check(f"{size}: one channel of floats, Y", attributes["channels"] == (
            b"chlist", b"Y\0" + np.array([2, 1, 1, 1], "<i4").tobytes() + b"\0") and
            attributes["dataWindow"] == attributes["displayWindow"] == window, attributes)
        check("with the values of the map, and its options", is_same(values, np.load("a.npy")) and
              attributes["perlane"] == (b"string", read("a.npy.txt").split(b"\n")[1]), attributes)
        fill("-o again.exr --params-of a.exr")
        same("that make it again", "again.exr", "a.exr")
        fill("-o plain.exr --size 9 --value-scale 0")
    refused("a line of an image", 2, ".exr files hold images", "fill -o x.exr --size 7 --axes 1")


def volumes():
    for size, first, origin in (((70,), (-9,), (0.5,)), ((9, 8, 7), (1, -2, 3), (0, 0.5, 0.25)),
                                ((6, 5, 4, 3), (0, 0, 9, 1), (0.5, 0, 0, 0.125))):
        field = values(FIELD, size, first, origin)
        shape = "x".join(map(str, size))
        place = f"--axes {len(size)} --size {shape} --first={','.join(map(str, first))}"
        place += f" --origin={','.join(map(str, origin))} {FIELD}"
        for kind, bits in (("npy", 32), ("npy", 16), ("r32", 32)):
            fill(f"-o v.{kind} --bits {bits} {place}")
            check(f"a volume of {size} as .{kind}, {bits} bits", is_same(
                samples("v." + kind, bits, field.shape), field if bits == 32 else levels(field, bits)))
        beside = read("v.r32.txt").decode()
        check("its sidecar has the size and the type", f"size={shape} " in beside and
              ": 32-bit floats, little-endian\n" in beside, beside)
    fill("-o c.npy --size 6 --axes 3 " + FIELD)
    check("one number and --axes 3 are a cube", is_same(np.load("c.npy"), values(FIELD, (6, 6, 6))))
    fill("-o s.png --size 31x17x1 --origin 0,0,7.5 " + FIELD)
    check("a slice of a volume is an image", is_same(
        pixels("s.png"), levels(values(FIELD, (31, 17, 1), (), (0, 0, 7.5))[0], 16)))


def threads():
    """Blocks and pieces end at other places with other numbers of threads."""
    for size in ((3000, 2100), (300001, 7), (5, 200000), (200, 150, 90), (3000000,), (40, 30, 20, 50)):
        place = f"fill -q -o - --bits 32 --axes {len(size)} {FIELD} --size "
        name = "x".join(map(str, size))
        whole = run(f"{place} {name} --threads 1").out
        check(f"{name} is whole", len(whole) == 4 * int(np.prod(size)), len(whole))
        for count in (2, 3, 8):
            check(f"{name} with {count} threads", run(f"{place} {name} --threads {count}").out == whole)
        # Its samples are in order: the last of the outermost axis, as a map of their own.
        last = run(place + "x".join(map(str, [*size[:-1], 1])), "--first",
                   ",".join(["0"] * (len(size) - 1) + [str(size[-1] - 1)]))
        check(f"{name} is in order", whole.endswith(last.out) and last.out, last.err)
    for suffix in ("png", "tif", "exr"):
        for count in (1, 3):
            fill(f"-o t{count}.{suffix} --size 1700x1300 --threads {count} {FIELD}")
        same(f"a .{suffix} of any number of threads", "t1." + suffix, "t3." + suffix)


def bigtiff():
    """The beginning of a map of 4 GiB, whose run is ended there."""
    fill("-o small.tif --size 65")
    check("a TIFF below 4 GB is a plain one", read("small.tif")[2:4] == b"*\0")
    process = start("fill -q -o huge.tif --size 64k --bits 8 --force")
    head = b""
    while len(head) < 4 and process.poll() is None:
        for name in glob.glob(".huge.tif.perlane-*"):
            with contextlib.suppress(FileNotFoundError), open(name, "rb") as stream:  # it is tried once before
                head = stream.read(4)
    process.terminate()
    process.wait()
    check("a TIFF of 4 GiB is a BigTIFF", head[2:] == b"+\0", head)


# The engine, options, and what is printed and written beside the map. Unreal's level 32768 is at the actor's
# height, and at scale 1 a level is 1/128 cm.
SETTINGS = [
    ("unreal", "--heights -200,1800 --spacing 10 --size 127x253",
     "Scale X 1000, Y 1000, Z 390.625; Location Z 80000; the sea, 0 m, is level 6554"),
    ("unreal", "--heights 100,612 --size 127", "Scale X 100, Y 100, Z 100; Location Z 35600"),
    ("unity", "--heights -50,250 --spacing 0.5 --size 129 --tiles 2",
     "Terrain Width 64, Length 64, Height 300; Position Y -50; the sea, 0 m, is level 10922"),
    ("godot", "--heights -8848,0 --spacing 3 --size 60x40",
     "R16 Range -8848, 0; R16 Size 60, 40; Vertex Spacing 3; the sea, 0 m, is level 65535"),
]


def settings():
    for engine, options, want in SETTINGS:
        done = run(f"fill -o t --for {engine} {options}")
        check(f"--for {engine} {options}", done.err.split("\n")[1] == f"perlane fill: note: for {engine}: {want}", done.err)
        names = [name for name in listing() if name.endswith(".txt")]
        check("is beside each file", len(names) == (4 if "tiles" in options else 1) and all(
            f"\n# for {engine}: {want}\n" in read(name).decode() and os.path.exists(name[:-4]) for name in names), names)
        done = run("verify .")
        check("and the maps are verified", done.status == 0, done)
        fill(f"-o again.png --params-of {names[0]}"[:-4])
        if engine == "unreal":
            same("with the same map from the same options", "again.png", "t.png")
            fill("-o t.png --size 9")
            check("a plain map has no such file", "t.png.txt" not in listing(), listing())
            write("t.png.txt", "mine")
            fill("-o t.png --size 9")
            check("and one of others stays", read("t.png.txt") == b"mine")
        clear()


def natural():
    """A look's size in nature, which `perlane looks` prints."""
    width, height = re.search(r"^alps .* (\S+) km wide, (\S+) m high", run("looks").out.decode(), re.M).groups()
    for options, spacing in (("", float(width) * 1000 / 512), ("--tiles 2 --size 257", float(width) * 1000 / 512),
                             ("--spacing 3", 3)):
        done = run(f"fill -o a --for unity --look alps --size 513 {options}")
        said = re.search(r"for unity: Terrain Width (\S+), Length \S+, Height (\S+); Position Y (\S+)", done.err)
        fill(f"-o whole.npy --size 513 --look alps")
        side = 256 if "tiles" in options else 512
        low, high = float(height) * np.load("whole.npy").min(), float(height) * np.load("whole.npy").max()
        check(f"a look's size {options}", said and np.allclose(
            [float(each.rstrip(";")) for each in said.groups()], [side * spacing, high - low, low], rtol=1e-5, atol=1e-2),
            (done.err, side * spacing, high - low, low))
    done = run("fill -o plain.npy --size 65 --look alps")
    check("a note that floats are the field's", "note: the floats are the look's values; --heights natural makes metres "
          "of them\n" in done.err, done.err)
    want = np.load("plain.npy") * float(height)
    for name, options, dtype in (("n.npy", "", "f4"), ("n.exr", "", "f4"), ("n.tif", "", "f4"), ("n.tif", "--bits 16", "u2"),
                                 ("n.npy", "--expression a --field-as a=look=alps", "f4")):
        fill(f"-o {name} --size 65 --look alps --heights natural {options}")
        found = samples(name, 32, None)
        if dtype == "u2":
            low, high = map(float, printed(f"fill -o {name} --params-of {name}")["range"].split(","))
            check("the range is that of the map", np.allclose((low, high), (want.min(), want.max()), 1e-6))
            found = low + found / 65535 * (high - low)
        check(f"heights in nature, {name} {options}", np.allclose(found, want, 1e-6, 0.02), abs(found - want).max())
    done = run("fill -o g.exr --for godot --size 65 --look alps")
    check("godot takes them as they are", is_same(pixels("g.exr"), pixels("n.exr")) and done.err.endswith(
        f"note: for godot: Vertex Spacing {float(width) * 1000 / 64:.9g}\n"), done.err)
    done = run("fill -o g.exr --for godot --size 65 --octaves 3 --heights 0,300 --spacing 2")
    check("also without a look", 0 <= pixels("g.exr").min() < 100 and done.err.endswith("note: for godot: Vertex Spacing 2\n"), done.err)
    done = run("fill -o m --for unity --look marble --size 33")
    check("a look without heights", "note: for" not in done.err, done.err)


def sea():
    """The level of height 0, which maps in metres name without an engine, too."""
    for options, level in (("--bits 16 --heights -500,1500", 16384), ("--bits 8 --heights 1500,-500", 191),
                           ("--heights 0,900 --bits 16 --range actual", 0), ("--heights 1,900 --bits 16", None),
                           ("--heights -1,9", None), ("--look island --bits 16", 37224), ("--look alps --bits 16", None),
                           ("--look island", None), ("--bits 16 --range -1,3", None)):
        said = re.findall("the sea, 0 m, is level (.*)\n", run(f"fill -o a.tif --size 1024 {options}").err)
        check(f"the sea of {options}", said == ([str(level)] if level is not None else []), said)


def engines():
    for engine, suffix, side in (("unreal", ".png", 2017), ("unity", ".raw", 1025), ("godot", ".r16", 1024)):
        fill(f"-o terrain_{engine} --for {engine}")
        file = f"terrain_{engine}{suffix}"
        check(f"--for {engine} writes {suffix} of {side} a side",
              samples(file, 16, (side, -1)).shape == (side, side))
    fill("-o odd.r16 --size 77x77")
    for engine, sizes in (("unreal", "505x1009 8129x255 1021x1021 16321x511"), ("godot", "2048x2048 77x5 1x1"),
                          ("unity", "33x33 2049x2049")):
        for size in sizes.split():
            fill(f"-o /dev/null --format r16 --for {engine} --size {size}")
    refused("a size of a file that the engine does not take", 2, "--size 77x77 from 'odd.r16': --for unity imports",
            "fill -o no.raw --for unity --params-of odd.r16")
    refused("tiles of which no size makes a landscape", 2, "--tiles 1x2050: --for unreal joins fewer tiles",
            "fill -o no.png --for unreal --tiles 1x2050")


def again():
    """A file of another format can be made of each; params.py makes each again from itself."""
    field = "--octaves 3 --frequency 0.013 --seed 18446744073709551615 --period 4,8 --gain 0.7"
    place = field + " --size 61x33 --first 5,-6 --origin 0.25,1e-3 --step 1.5,0.75"
    fill("-o floats.r32 " + place)
    for suffix in SUFFIXES:
        fill(f"-o one.{suffix} {place}")
        fill("-o other.r32 --params-of one." + suffix)
        same(f"a .{suffix} is made again as floats", "other.r32", "floats.r32")
    fill(f"-o heights.r16 {field}")
    fill(f"-o deep.raw {field}")
    for file, options in (("floats.tif", "--bits 32"), ("normals.png", "--normal-map --bits 16"),
                          ("picture.tif", "--palette terrain --shade --light 20,30")):
        fill(f"-o {file} {options} {field}")
        fill(f"-o again_{file} --params-of {file}")
        same(f"{file} too", file, "again_" + file)
    for suffix in ("r16", "raw"):
        fill(f"-o again.{suffix} --params-of picture.tif")
    same("a picture's heights", "heights.r16", "again.r16")
    same("which have the usual depth", "deep.raw", "again.raw")
    fill("-o line.npy --size 50 --axes 1")
    fill("-o line2.npy --params-of line.npy --size 20")
    check("a line stays one", np.load("line2.npy").shape == (20,))


def failures():
    """Nothing is left of a map that could not be written, nor of the file beside it."""
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    for suffix in SUFFIXES:
        fill(f"-o full.{suffix} --size 5")
        old = read("full." + suffix)
        refused(f"a .{suffix} on a full disk", 1, "File too large",
                f"fill -o full.{suffix} --size 400x400 --octaves 8", preexec_fn=limit)
        check("which leaves an earlier file as it was", read("full." + suffix) == old)
    os.mkdir("r.r16.txt")
    refused("a sidecar that cannot be written loses the map too", 1, "r.r16.txt", "fill -o r.r16 --size 5x5")


def terminal():
    parent, child = pty.openpty()
    done = subprocess.run([PERLANE, "fill", "-o-", "--value-scale=0", "--range=actual"], stdout=child,
                          stderr=subprocess.PIPE, check=False)
    check("no samples on a terminal", done.returncode == 2 and b"is a terminal" in done.stderr)
    os.close(parent)
    os.close(child)


sys.exit(run_steps(images, heights, open_exr, volumes, threads, settings, natural, sea, engines, again, failures, terminal, bigtiff))
