#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of what `perlane fill` writes: formats.py PERLANE WORK.

Every format is read back by readers that are not ours, NumPy, Pillow and ImageMagick, and compared
with the values that `perlane points` gives at the same positions. Needs NumPy and Pillow.
"""
import json
import os
import pty
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import time

import numpy as np
from PIL import Image

sys.dont_write_bytecode = True  # the source stays as it is
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from checks import check, total

PERLANE = os.path.abspath(sys.argv[1])
WORK = os.path.abspath(sys.argv[2])
FIELD = ["--octaves", "3", "--frequency", "0.037", "--seed", "99"]


def run(*arguments, **options):
    return subprocess.run([PERLANE, *map(str, arguments)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, **options)


def fill(*arguments, field=FIELD):
    done = run("fill", *arguments, *field)
    if done.returncode != 0:
        check("fill " + " ".join(map(str, arguments)), False, done.stderr.decode())
    return done


def values(shape, first, origin, field=FIELD):
    """The field's floats at a grid, x fastest: from `points`, bit for bit."""
    axes = [(origin[a] + np.arange(first[a], first[a] + shape[a], dtype=np.float64)).tolist()
            for a in range(len(shape))]
    lines = []
    counters = np.indices(shape[::-1]).reshape(len(shape), -1)[::-1]
    for index in counters.T:
        lines.append(",".join("%.17g" % axes[a][i] for a, i in enumerate(index)))
    done = run("points", "--dims", len(shape), "--bits-out", *field,
               input="\n".join(lines).encode())
    words = np.array([int(word, 16) for word in done.stdout.split()], np.uint32)
    return words.view(np.float32).reshape(shape[::-1])


def levels(field, bits, low=-1.0, high=1.0):
    """As include/perlane.h states the rule, in float, operation by operation."""
    most = 2 ** bits - 1
    scale = np.float32(most / (float(np.float32(high)) - float(np.float32(low))))
    scaled = (field - np.float32(low)) * scale
    return np.clip(np.rint(scaled), 0, most).astype(np.uint16 if bits == 16 else np.uint8)


def read_pfm(file):
    with open(file, "rb") as stream:
        kind, size, scale = (stream.readline().split() for _ in range(3))
        data = stream.read()
    assert kind == [b"Pf"] and float(scale[0]) < 0
    width, height = map(int, size)
    return np.frombuffer(data, "<f4").reshape(height, width)[::-1]


def read_by_imagemagick(file, width, height):
    done = subprocess.run(["convert", file, "-depth", "16", "-endian", "LSB", "gray:-"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return np.frombuffer(done.stdout, "<u2").reshape(height, width)


def same(name, got, want):
    holds = got.shape == want.shape and got.dtype.kind == want.dtype.kind and \
        got.tobytes() == np.ascontiguousarray(want.astype(got.dtype)).tobytes()
    check(name, holds, "%s %s, not %s %s" % (got.shape, got.dtype, want.shape, want.dtype))


def ints(array, bits):
    """Pillow gives 16 bits as 32-bit integers in some modes."""
    return array.astype(np.uint16 if bits == 16 else np.uint8)


def compressions():
    """What libtiff may have been built without is left out, and said so."""
    names = ["none", "deflate", "zstd"]
    done = run("fill", "-o", "z.tif", "--size", 5, "--compression", "zstd")
    if b"does not have that compression" in done.stderr:
        print("not run: zstd, which this libtiff does not have")
        names.remove("zstd")
    return names


def images():
    # Odd sizes; more than one tile of a TIFF each way; a part of a map.
    names = compressions()
    for width, height, first, origin in ((1, 1, (0, 0), (0.5, 0.25)), (61, 43, (-7, 1000), (0.0, 0.0)),
                                         (300, 270, (5, 6), (0.125, -3.5))):
        field = values((width, height), first, origin)
        place = ["--size", "%dx%d" % (width, height), "--first", "%d,%d" % first,
                 "--origin=%r,%r" % origin]
        name = "%dx%d" % (width, height)
        for bits in (8, 16):
            want = levels(field, bits)
            for suffix in ("png", "pgm", "tif", "tiff"):
                fill("-o", "a." + suffix, "--bits", bits, *place)
                same("%s .%s of %d bits" % (name, suffix, bits),
                     ints(np.array(Image.open("a." + suffix)), bits), want)
            for suffix in ("raw", "npy"):
                fill("-o", "a." + suffix, "--bits", bits, *place)
                got = np.load("a.npy") if suffix == "npy" else \
                    np.fromfile("a.raw", "<u%d" % (bits // 8)).reshape(height, width)
                same("%s .%s of %d bits" % (name, suffix, bits), got, want)
        fill("-o", "a.r16", *place)
        same(name + " .r16", np.fromfile("a.r16", "<u2").reshape(height, width), levels(field, 16))
        for suffix, read in (("r32", lambda file: np.fromfile(file, "<f4").reshape(height, width)),
                             ("pfm", read_pfm), ("npy", np.load),
                             ("tif", lambda file: np.array(Image.open(file)))):
            bits = ["--bits", 32] if suffix == "tif" else []
            fill("-o", "a." + suffix, *bits, *place)
            same("%s .%s of floats" % (name, suffix), read("a." + suffix), field)
        for compression in names:
            for bits in (8, 16, 32):
                fill("-o", "a.tif", "--compression", compression, "--bits", bits, *place)
                got = np.array(Image.open("a.tif"))
                same("%s .tif, %s, %d bits" % (name, compression, bits),
                     got if bits == 32 else ints(got, bits),
                     field if bits == 32 else levels(field, bits))
        done = run("fill", "-o", "-", *place, *FIELD)
        check(name + " to the standard output", done.stdout == levels(field, 16).astype("<u2").tobytes())
        if shutil.which("identify"):
            for suffix in ("png", "tif", "pgm"):
                fill("-o", "a." + suffix, "--bits", 16, *place)
                same("%s .%s as ImageMagick reads it" % (name, suffix),
                     read_by_imagemagick("a." + suffix, width, height), levels(field, 16))
            # It turns floats into 16-bit levels of 0 to 1, by its own rounding.
            fill("-o", "a.pfm", "--value-scale", 0.5, "--value-offset", 0.5, *place)
            difference = read_by_imagemagick("a.pfm", width, height) - 65535 * (field * 0.5 + 0.5)
            check("%s .pfm as ImageMagick reads it" % name, np.abs(difference).max() <= 1,
                  np.abs(difference).max())
        else:
            print("not run: ImageMagick is not installed")
    fill("-o", "a.png", "--size", "50x40", "--range", "0.25,-0.5")
    same("--range", ints(np.array(Image.open("a.png")), 16),
         levels(values((50, 40), (0, 0), (0, 0)), 16, 0.25, -0.5))


def volumes():
    for shape, first, origin in (((70,), (-9,), (0.5,)), ((9, 8, 7), (1, -2, 3), (0.0, 0.5, 0.25)),
                                 ((6, 5, 4, 3), (0, 0, 9, 1), (0.5, 0.0, 0.0, 0.125))):
        field = values(shape, first, origin)
        place = ["--axes", len(shape), "--size", "x".join(map(str, shape)), "--first=" + ",".join(map(str, first)),
                 "--origin=" + ",".join(map(repr, origin))]
        fill("-o", "v.npy", *place)
        same("a volume of %s as .npy" % (shape,), np.load("v.npy"), field)
        fill("-o", "v.npy", "--bits", 16, *place)
        same("of integers", np.load("v.npy"), levels(field, 16))
        fill("-o", "v.r32", *place)
        same("as .r32", np.fromfile("v.r32", "<f4").reshape(shape[::-1]), field)
        beside = open("v.r32.txt").read()
        check("its sidecar has the size", "size=" + "x".join(map(str, shape)) + " " in beside)
        check("and the type", ": 32-bit floats, little-endian\n" in beside)
    fill("-o", "c.npy", "--size", 6, "--axes", 3)
    same("one number and --axes 3 are a cube", np.load("c.npy"), values((6, 6, 6), (0, 0, 0), (0, 0, 0)))
    fill("-o", "s.png", "--size", "31x17x1", "--origin", "0,0,7.5")
    same("a slice of a volume is an image", ints(np.array(Image.open("s.png")), 16),
         levels(values((31, 17, 1), (0, 0, 0), (0, 0, 7.5))[0], 16))


def threads():
    """Blocks and pieces end at other places with other numbers of threads."""
    for place in (["--size", "3000x2100"], ["--size", "300001x7"], ["--size", "5x200000"],
                  ["--size", "200x150x90"], ["--size", "3000000", "--axes", "1"], ["--size", "40x30x20x50"]):
        reference = None
        for count in (1, 2, 3, 8):
            done = run("fill", "-o", "-", "--bits", 32, "--threads", count, *place, *FIELD)
            if reference is None:
                reference = done.stdout
                size = 4 * int(np.prod([int(n) for n in place[1].split("x")]))
                check("%s is whole" % place[1], len(reference) == size, len(reference))
            else:
                check("%s with %d threads" % (place[1], count), done.stdout == reference)
        # Its samples are in order: the last of the outermost axis, as a map of their own.
        sides = [int(n) for n in place[1].split("x")]
        part = sides[:-1] + [1]
        first = [0] * (len(sides) - 1) + [sides[-1] - 1]
        done = run("fill", "-o", "-", "--bits", 32, "--size", "x".join(map(str, part)), "--axes", len(sides),
                   "--first", ",".join(map(str, first)), *FIELD)
        check("%s is in order" % place[1], reference.endswith(done.stdout) and done.stdout, done.stderr)
    for suffix in ("png", "tif", "pfm", "pgm"):
        files = []
        for count in (1, 3):
            fill("-o", "t%d.%s" % (count, suffix), "--size", "1700x1300", "--threads", count)
            files.append(open("t%d.%s" % (count, suffix), "rb").read())
        check("a .%s of any number of threads is the same file" % suffix, files[0] == files[1])


def memory():
    """The peak of a map that is larger than what is allowed for it."""
    if os.environ.get("PERLANE_SANITIZED"):
        print("not run: the use of memory, which sanitizers add to")
        return
    script = ("import resource, subprocess, sys\n"
              "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n"
              "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    for suffix, size in (("-", "65536x4096"), ("big.tif", "65536x2048"), ("big.png", "65536x700")):
        done = subprocess.run([sys.executable, "-c", script, PERLANE, "fill", "-q", "-o", suffix,
                               "--size", size, "--threads", "2"], stdout=subprocess.PIPE)
        peak = int(done.stdout) / 1024 if done.returncode == 0 else float("inf")
        check("%s of %s takes at most 256 MiB" % (suffix, size), peak <= 256, "%.0f MiB" % peak)
    with open("big.tif", "rb") as stream:
        check("a TIFF below 4 GB is a plain one", stream.read(4)[2:] == b"*\0")
    for file in ("big.tif", "big.png"):
        os.remove(file)


def bigtiff():
    """The beginning of a map of 4 GiB, whose run is ended there."""
    run_ = subprocess.Popen([PERLANE, "fill", "-q", "-o", "huge.tif", "--size", "64k", "--bits", "8",
                             "--force"], stderr=subprocess.DEVNULL)
    head = b""
    while len(head) < 4 and run_.poll() is None:
        try:
            with open(".huge.tif.perlane-part", "rb") as stream:
                head = stream.read(4)
        except FileNotFoundError:
            pass
    run_.terminate()
    run_.wait()
    check("a TIFF of 4 GiB is a BigTIFF", head[2:] == b"+\0", str(head))


def engines():
    for engine, suffix, side in (("unreal", ".png", 2017), ("unity", ".raw", 1025),
                                 ("godot", ".r16", 1025)):
        fill("-o", "terrain_" + engine, "--for", engine)
        file = "terrain_" + engine + suffix
        check("--for %s writes %s" % (engine, suffix), os.path.exists(file))
        bytes_ = open(file, "rb").read()
        size = Image.open(file).size if suffix == ".png" else (side, len(bytes_) // 2 // side)
        check("of %d a side" % side, size == (side, side))
    fill("-o", "e.raw", "--for", "unity", "--size", "33x33")
    check("unity's bytes are the lowest first", np.array_equal(
        np.fromfile("e.raw", "<u2").reshape(33, 33), levels(values((33, 33), (0, 0), (0, 0)), 16)))
    for arguments, text in ((["--for", "unity", "--size", "1024x1024"], "imports squares of 33, 65"),
                            (["--for", "unreal", "--size", "505x1009"], "imports squares"),
                            (["--for", "godot", "--bits", "8"], "--for godot imports 16"),
                            (["--for", "cryengine"], "expected one of unreal, unity, godot")):
        done = run("fill", "-o", "no.r16" if "unreal" not in arguments else "no.png", *arguments)
        check("refuses " + " ".join(arguments), done.returncode == 2 and text in done.stderr.decode()
              and not [f for f in os.listdir(".") if f.startswith("no.")], done.stderr.decode())
    fill("-o", "u.r16", "--for", "unreal", "--size", "127x127")
    check("unreal reads the shape of raw samples beside them", json.load(open("u.r16.json")) ==
          {"width": 127, "height": 127, "bpp": 16})
    fill("-o", "g.r16", "--for", "godot")
    check("which no other engine needs", not os.path.exists("g.r16.json"))
    fill("-o", "odd.r16", "--size", "77x77")
    done = run("fill", "-o", "no.raw", "--for", "unity", "--params-of", "odd.r16")
    check("says which file a size is from", done.returncode == 2 and
          "--size 77x77 from 'odd.r16': --for unity imports" in done.stderr.decode(),
          done.stderr.decode())
    done = run("fill", "-o", "no.png", "--for", "godot")
    check("refuses a format the engine does not import", done.returncode == 2 and
          "--for godot imports .r16 or .raw" in done.stderr.decode(), done.stderr.decode())


def again():
    """Every file can be made again from itself, and another of another format."""
    field = ["--octaves", "3", "--frequency", "0.013", "--seed", "18446744073709551615",
             "--period", "4,8", "--gain", "0.7"]
    place = ["--size", "61x33", "--first", "5,-6", "--origin", "0.25,1e-3", "--step", "1.5,0.75"]
    for suffix in ("png", "tif", "tiff", "r16", "r32", "raw", "pgm", "pfm", "npy"):
        fill("-o", "one." + suffix, *place, field=field)
        fill("-o", "two." + suffix, "--params-of", "one." + suffix, field=[])
        check("a .%s is made again from itself" % suffix, open("one." + suffix, "rb").read() ==
              open("two." + suffix, "rb").read())
        fill("-o", "other.r32", "--params-of", "one." + suffix, field=[])
        check("and as floats", open("one.r32", "rb").read() == open("other.r32", "rb").read()
              if os.path.exists("one.r32") else os.path.exists("other.r32"))
    for name, arguments in (("floats.tif", ["--compression", "none", "--bits", "32"]),
                            ("picture.tif", ["--palette", "terrain", "--shade", "--light", "20,30"]),
                            ("normals.png", ["--normal-map", "--bits", "16"])):
        fill("-o", name, *arguments, field=field)
        fill("-o", "two_" + name, "--params-of", name, field=[])
        check("%s too" % name, open(name, "rb").read() == open("two_" + name, "rb").read())
    fill("-o", "heights.r16", "--params-of", "picture.tif", field=[])
    fill("-o", "heights2.r16", field=field)
    check("a picture's heights", open("heights.r16", "rb").read() == open("heights2.r16", "rb").read())
    # A kind of picture that the command line asks for replaces that of saved params.
    place = ["--size", "40x30"]
    fill("-o", "deep.raw", *place, field=field)
    fill("-o", "lit.png", "--palette", "terrain", "--shade", *place, field=field)
    for name, wanted, change in (
            ("grey", ["--bits", "8"], ["--palette", "grey", "--shade=off", "--bits", "8"]),
            ("flat", ["--palette", "terrain"], ["--shade=off"]),
            ("lower", ["--palette", "terrain", "--shade", "--light", "9,9"], ["--light", "9,9"]),
            ("normals", ["--normal-map"], ["--normal-map"])):
        fill("-o", "a.png", *wanted, *place, field=field)
        fill("-o", "b.png", "--params-of", "lit.png", *change, field=[])
        check("from a shaded picture to a %s one" % name, np.array_equal(
            np.array(Image.open("a.png")), np.array(Image.open("b.png"))))
    fill("-o", "b.raw", "--params-of", "lit.png", field=[])
    check("its heights have the usual depth", open("deep.raw", "rb").read() == open("b.raw", "rb").read())
    fill("-o", "normals.png", "--normal-map", *place, field=field)
    fill("-o", "b.png", "--params-of", "normals.png", "--palette", "terrain", "--shade", field=[])
    check("and from normals back", np.array_equal(np.array(Image.open("lit.png")),
                                                  np.array(Image.open("b.png"))))
    fill("-o", "line.npy", "--size", "50", "--axes", "1", field=[])
    fill("-o", "line2.npy", "--params-of", "line.npy", "--size", "20", field=[])
    check("a line stays one", np.load("line2.npy").shape == (20,))


def refusals():
    for file, arguments, text in (
            ("x.png", ["--size", "5", "--axes", "1"], ".png files hold images"),
            ("x.npy", ["--size", "5x5", "--axes", "3"], "--axes 3: --size 5x5 has 2"),
            ("x.tif", ["--size", "5x5x5"], ".tif files hold images"),
            ("x.png", ["--size", "2147483648x1"], "too large for a .png file"),
            ("x.tif", ["--size", "1x2147483648"], "too large for a .tif file"),
            ("x.npy", ["--size", "9007199254740992x9007199254740992"], "too large"),
            ("x.png", ["--bits", "32"], "--bits 32: .png files hold 8 or 16"),
            ("x.r16", ["--bits", "8"], "--bits 8: .r16 files hold 16"),
            ("x.pfm", ["--bits", "16"], "--bits 16: .pfm files hold 32"),
            ("x.npy", ["--range", "0,1"], "--range has no effect on floats"),
            ("x.png", ["--first", "1"], "--first 1: the map has 2 axes by --size 1024x1024"),
            ("x.npy", ["--size", "3x3x3", "--origin", "1,2"], "--origin 1,2: the map has 3 axes"),
            ("x.tif", ["--compression", "rar"], "--compression 'rar': expected one of deflate, none"),
            ("x.png", ["--compression", "none"], "--compression has an effect on .tif, .tiff and .zarr only"),
            ("x.png", ["--shade=perhaps"], "--shade 'perhaps': expected on or off"),
            ("x.png", ["--normal-map", "--shade"], "--normal-map and --shade exclude each other"),
            ("x.png", ["--light", "9,9"], "--light has no effect without --shade"),
            ("x.png", ["--threads", "-1"], "expected a whole number from 0 to 1024"),
            ("x.png", ["--threads", "1025"], "expected a whole number from 0 to 1024")):
        done = run("fill", "-o", file, *arguments)
        check("refuses -o %s %s" % (file, " ".join(arguments)),
              done.returncode == 2 and text in done.stderr.decode() and not os.path.exists(file),
              "%d %s" % (done.returncode, done.stderr.decode()))
    if os.environ.get("PERLANE_SANITIZED"):
        print("not run: a limit of memory, which sanitizers exceed")
        return
    done = run("fill", "-o", "x.png", "--size", "2000000000x1", "--threads", "1", "--force", preexec_fn=lambda:
               resource.setrlimit(resource.RLIMIT_AS, (2 ** 30, 2 ** 30)))
    check("says that memory is short", done.returncode == 1 and "memory" in done.stderr.decode().lower()
          and not os.path.exists("x.png"), done.stderr.decode())


def failures():
    """Nothing is left of a map that could not be written, nor of the file beside it."""
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (300000, 300000))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    for suffix in ("png", "tif", "r16", "r32", "npy", "pgm", "pfm", "raw"):
        before = set(os.listdir("."))
        done = run("fill", "-o", "full." + suffix, "--size", "2000x2000", "--octaves", 8,
                   preexec_fn=limit)
        check("a full disk under a .%s is told" % suffix, done.returncode == 1 and
              b"File too large" in done.stderr, done.stderr.decode())
        check("and nothing is left", set(os.listdir(".")) == before)
    if os.path.exists("/dev/full"):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([PERLANE, "fill", "-o", "-"], stdout=full, stderr=subprocess.PIPE)
        check("and on the standard output", done.returncode == 1 and b"No space left" in done.stderr,
              done.stderr.decode())
    os.mkdir("r.r16.txt")
    done = run("fill", "-o", "r.r16", "--size", "5x5")
    check("a sidecar that cannot be written loses the map too", done.returncode == 1 and
          b"r.r16.txt" in done.stderr and not os.path.exists("r.r16"), done.stderr.decode())
    done = run("fill", "-o", "long.tif", "--size", "60000x60000", "--save-params", "missing/x.txt")
    check("params that cannot be written are told at once", done.returncode == 1 and
          b"cannot write 'missing/x.txt'" in done.stderr, done.stderr.decode())
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT):
        for suffix in ("tif", "r32", "npy"):
            before = set(os.listdir("."))
            process = subprocess.Popen([PERLANE, "fill", "-o", "long." + suffix, "--size",
                                        "60000x60000", "--octaves", "8", "--force"],
                                       stderr=subprocess.DEVNULL)
            while process.poll() is None and set(os.listdir(".")) == before:
                time.sleep(0.01)
            time.sleep(0.05)
            process.send_signal(number)
            process.wait()
            check("a .%s that signal %d ends leaves nothing" % (suffix, number),
                  process.returncode == -number and set(os.listdir(".")) == before)


def terminal():
    parent, child = pty.openpty()
    done = subprocess.run([PERLANE, "fill", "-o", "-"], stdout=child, stderr=subprocess.PIPE)
    check("no samples on a terminal", done.returncode == 2 and b"is a terminal" in done.stderr)
    os.close(parent)
    os.close(child)


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    os.makedirs(WORK)
    os.chdir(WORK)
    # fontconfig, which finds the letters of plots, frees nothing at exit; nor does clang's OpenMP.
    with open("leaks", "w", encoding="ascii") as suppressions:
        suppressions.write("leak:libfontconfig\nleak:libomp\n")
    os.environ["LSAN_OPTIONS"] = "suppressions=%s/leaks:print_suppressions=0" % WORK
    for step in (images, volumes, threads, engines, again, refusals, failures, terminal, memory, bigtiff):
        print("-- " + step.__name__)
        step()
    shutil.rmtree(WORK, ignore_errors=True)
    return total()


sys.exit(main())
