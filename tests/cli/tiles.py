#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of maps in tiles: tiles.py PERLANE WORK. Each tile is the crop of the whole map, bit for bit."""
import os
import shutil
import subprocess
import sys

import numpy as np
from PIL import Image

sys.dont_write_bytecode = True  # the source stays as it is
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from checks import check, run_steps

PERLANE = os.path.abspath(sys.argv[1])
WORK = os.path.abspath(sys.argv[2])


def run(*arguments, **options):
    return subprocess.run([PERLANE, *map(str, arguments)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False, **options)


def fill(*arguments):
    done = run("fill", "-q", *arguments)
    check("fill " + " ".join(map(str, arguments)), done.returncode == 0, done.stderr.decode())


def content(file):
    with open(file, "rb") as stream:
        return stream.read()


def samples(file, shape):
    """The samples of a file, in rows."""
    suffix = file.split(".")[-1]
    if suffix == "npy":
        return np.load(file)
    if suffix in ("r16", "raw"):
        return np.fromfile(file, "<u2").reshape(shape)
    image = np.array(Image.open(file))
    return image.astype("<u2") if image.ndim == 2 else image


def clear():
    for file in os.listdir("."):
        os.remove(file)


# ---- Samples ----

FIELD = ["--octaves", 4, "--frequency", 0.03, "--seed", 5]
PICTURES = {"shade": ["--shade", "--palette", "terrain"], "normals": ["--normal-map"],
            "deep normals": ["--normal-map", "--bits", 16],
            "slopes by differences": ["--shade", "--fractal", "eroded"]}


def check_crops(name, suffix, columns, rows, width, height, overlap, arguments=()):
    step = (width - overlap, height - overlap)
    whole = "%dx%d" % (step[0] * (columns - 1) + width, step[1] * (rows - 1) + height)
    arguments = [*FIELD, *arguments]
    fill("-o", "whole." + suffix, "--size", whole, *arguments)
    fill("-o", "map." + suffix, "--size", "%dx%d" % (width, height), "--tiles",
         "%dx%d" % (columns, rows), *(["--overlap", overlap] if overlap else []), *arguments)
    shape = tuple(map(int, whole.split("x")))[::-1]
    want = samples("whole." + suffix, shape)
    same = again = True
    for j in range(rows):
        for i in range(columns):
            tile = "map_x%d_y%d.%s" % (i, j, suffix)
            crop = want[j * step[1]:j * step[1] + height, i * step[0]:i * step[0] + width]
            got = samples(tile, (height, width))
            same &= got.dtype == want.dtype and got.shape == crop.shape and \
                got.tobytes() == crop.tobytes()
            run("fill", "-q", "-o", "again." + suffix, "--params-of", tile)
            again &= content("again." + suffix) == content(tile)
    check("%s: each tile is the crop" % name, same)
    check("and --params-of makes it again", again)
    clear()


def crops():
    for suffix in ("png", "tif", "r16", "npy", "pgm"):
        check_crops("." + suffix, suffix, 3, 2, 70, 41, 0)
    check_crops("shared borders", "r16", 4, 4, 65, 65, 1)
    check_crops("a wide overlap", "npy", 2, 3, 40, 30, 29)
    check_crops("tiles of one sample", "npy", 3, 2, 1, 1, 0)
    check_crops("far from the origin", "png", 2, 2, 64, 48, 1,
                ["--first", "-4000000000000,123456789012345", "--frequency", 1e-3])
    check_crops("other steps", "npy", 2, 2, 64, 48, 0, ["--step", "0.5,-3", "--origin", "7,1e6"])
    for name, picture in PICTURES.items():
        check_crops(name, "png", 2, 2, 60, 50, 1, picture)


def threads():
    files = []
    for count in (1, 3):
        fill("-o", "t.tif", "--tiles", "2", "--size", "700", "--threads", count, *FIELD)
        files.append([content(file) for file in sorted(os.listdir("."))])
        clear()
    check("tiles do not depend on the number of threads", len(files[0]) == 4 and files[0] == files[1])


# ---- Names ----

def names():
    fill("-o", "square.npy", "--tiles", 2, "--size", 8)
    check("one number makes as many rows as columns", sorted(os.listdir(".")) == [
        "square_x%d_y%d.npy%s" % (i, j, end) for i in (0, 1) for j in (0, 1) for end in ("", ".txt")],
        os.listdir("."))
    clear()
    os.makedirs("a.b")
    fill("-o", "a.b/noise", "--format", "pgm", "--tiles", "2x1", "--size", 8)
    check("a name without a suffix", sorted(os.listdir("a.b")) == ["noise_x0_y0", "noise_x1_y0"],
          os.listdir("a.b"))
    shutil.rmtree("a.b")
    done = run("fill", "-o", "map.png", "--tiles", "3x2", "--size", "20x10")
    check("one line reports all", done.stderr.decode().startswith("map.png: 3x2 tiles of 20x10, 16 bits")
          and done.stderr.count(b"\n") == 1, done.stderr.decode())
    clear()
    fill("-o", "map.png", "--tiles", "1x1", "--size", 8)
    check("a single tile has indices", os.listdir(".") == ["map_x0_y0.png"])
    fill("-o", "t.png", "--tiles", "2", "--size", 8, "--first", "5,6", "--save-params", "saved")
    fill("-o", "again.png", "--params", "saved")
    check("saved options are those of the first tile", content("again.png") == content("t_x0_y0.png"))
    fill("-o", "map.png", "--tiles", "2x1", "--size", 8, "--period", "1,1", "--frequency", 1 / 16)
    done = run("fill", "-o", "map.png", "--tiles", "2", "--size", 8, "--period", "1,1",
               "--frequency", 1 / 16)
    check("whole periods are those of the whole map", b"does not tile" not in done.stderr,
          done.stderr.decode())
    clear()


def engines():
    for engine, tile, side, overlap in (
            ("unity", "%d_%d.raw", 33, 1), ("unreal", "x%d_y%d.r16", 1913, 0),
            ("godot", "%d_%d.r16", 513, 1)):
        size = [] if engine == "unreal" else ["--size", "%dx%d" % (side, side)]
        fill("-o", "t" + tile[-4:], "--for", engine, "--tiles", 2, *size)
        one, two = (samples("t_" + tile % (i, 1), (side, side)) for i in (0, 1))
        below = samples("t_" + tile % (0, 0), (side, side))
        check("--for %s makes tiles of %d" % (engine, side), one.shape == (side, side))
        fill("-o", "pair.npy", "--bits", 16, "--size", "%dx%d" % (2 * side - overlap, 2 * side - overlap))
        pair = samples("pair.npy", None)
        begin = side - overlap
        check("which share %d samples" % overlap, one.tobytes() == pair[begin:, :side].tobytes() and
              two.tobytes() == pair[begin:, begin:].tobytes() and
              below.tobytes() == pair[:side, :side].tobytes())
        clear()
    fill("-o", "w", "--for", "unreal", "--tiles", 2, "--size", "127x127", "--overlap", 1)
    one, two = (samples("w_x%d_y0.png" % i, None) for i in (0, 1))
    check("--overlap 1 makes unreal's tiles share their borders", (one[:, -1] == two[:, 0]).all())
    clear()
    fill("-o", "w.r16", "--for", "unreal", "--tiles", "2x1", "--size", "253x253", "--overlap", 1)
    check("files beside each tile", sorted(os.listdir(".")) == sorted(
        "w_x%d_y0.r16%s" % (i, end) for i in (0, 1) for end in ("", ".json", ".txt")), os.listdir("."))
    clear()
    # The whole landscape consists of components of one size, as the engine's documentation lists them.
    quads = [sections * side for sections in (1, 2) for side in (7, 15, 31, 63, 127, 255)]
    for columns, rows in ((1, 2), (2, 3), (7, 1)):
        fill("-o", "w", "--for", "unreal", "--tiles", "%dx%d" % (columns, rows))
        width, height = Image.open("w_x0_y0.png").size
        check("%dx%d tiles of %dx%d make a landscape" % (columns, rows, width, height), any(
            (columns * width - 1) % q == 0 and (rows * height - 1) % q == 0 for q in quads) and
            min(width, height) > 1000)
        clear()


# ---- Refusals ----

def refused(name, text, *arguments, status=2):
    before = sorted(os.listdir("."))
    done = run("fill", *arguments)
    message = done.stderr.decode()
    check(name, done.returncode == status and text in message and sorted(os.listdir(".")) == before,
          "%d %s %s" % (done.returncode, message, os.listdir(".")))


def refusals():
    for tiles in ("0x4", "4x0", "257x1", "-1", "2x2x2", "2,2", "", "x", "2x", "nan"):
        refused("--tiles '%s'" % tiles, "expected COLUMNSxROWS", "-o", "t.png", "--tiles", tiles)
    for overlap in ("-1", "1.5", "65537", "all"):
        refused("--overlap " + overlap, "expected a whole number", "-o", "t.png", "--tiles", 2,
                "--overlap", overlap)
    two = ["--tiles", 2]
    refused("an overlap without tiles", "no effect without --tiles", "-o", "t.png", "--overlap", 1)
    refused("tiles that overlap whole", "must be larger than --overlap 8", "-o", "t.png", *two,
            "--size", "9x8", "--overlap", 8)
    for size in ("8x8x8", "8x8x1"):
        refused("tiles of " + size, "--tiles takes maps with two axes", "-o", "t.npy", *two,
                "--size", size)
    refused("tiles of a line", "--tiles takes maps with two axes", "-o", "t.npy", *two, "--axes", 1)
    for target in ("-", "/dev/null"):
        refused("tiles to " + target, "--tiles needs names for files", "-o", target, *two)
    refused("indices beyond 64 bits", "first along x must be at most", "-o", "t.png", *two, "--size", 1000,
            "--first", "9223372036854774808,0")
    refused("a last tile outside the domain", "sample 9007199254742015 along x", "-o", "t.png", *two, "--frequency", 1,
            "--first", "%d,0" % (2 ** 53 - 1024))
    refused("more samples than can be counted", "too large", "-o", "t.npy", "--tiles", 256,
            "--size", "4000000000x4000000000")
    refused("tiles that do not make a landscape", "--size 1913x1913 does", "-o", "t", "--for",
            "unreal", *two, "--size", "1009x1009")
    refused("tiles that do not fit the disk", "with the 255 tiles after it, needs at least",
            "-o", "t.npy", "--tiles", 16, "--size", "1M", status=1)


def unwritable():
    for place in ("t_x1_y1.r16", "t_x1_y1.r16.txt", "t_x0_y1.r16.json"):
        os.mkdir(place)
        refused("a directory called " + place, "cannot write '%s': Is a directory" % place, "-o",
                "t.r16", "--tiles", 2, "--size", "127x127", "--for", "unreal", "--overlap", 1, status=1)
        os.rmdir(place)
    refused("a directory that does not exist", "cannot write 'no/t_x0_y0.r16'", "-o", "no/t.r16",
            "--tiles", 2, status=1)
    for saved in ("t_x1_y0.r16", "t_x1_y1.r16.txt"):
        refused("--save-params " + saved, "the map or its sidecar has this name", "-o", "t.r16",
                "--tiles", 2, "--size", 8, "--save-params", saved)


def full_disk():
    """In a mount namespace of its own, so that nothing is left mounted."""
    fill("-o", "want.pgm", "--tiles", "4x4", "--size", "128x128")
    inside = ("mount -t tmpfs -o size=256k none \"$0\" && cd \"$0\" || exit 99\n"
              "\"$@\"; status=$?; ls -A; cat *; exit $status")
    try:
        os.mkdir("disk")
        done = subprocess.run(
            ["unshare", "--map-root-user", "--mount", "sh", "-c", inside, os.path.abspath("disk"),
             PERLANE, "fill", "-o", "want.pgm", "--tiles", "4x4", "--size", "128x128", "--force"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    except FileNotFoundError:
        print("not run: there is no unshare command to mount a small disk with")
        return
    if done.returncode == 99 or b"unshare" in done.stderr:
        print("not run: no small disk can be mounted here:", done.stderr.decode().strip())
        return
    there = ["want_x%d_y%d.pgm" % (t % 4, t // 4) for t in range(7)]
    want = "".join(file + "\n" for file in sorted(there)).encode() + \
        b"".join(content(file) for file in sorted(there))
    check("a full disk leaves the tiles before, whole", done.returncode == 1 and done.stdout == want,
          repr(done.stdout[:200]))
    check("and says so", done.stderr.decode() ==
          "perlane fill: cannot write 'want_x3_y1.pgm': No space left on device\n"
          "perlane fill: complete: 7 of 16 tiles, those before 'want_x3_y1.pgm', row by row\n",
          done.stderr.decode())
    os.rmdir("disk")


sys.exit(run_steps(WORK, (crops, threads, names, engines, refusals, unwritable, full_disk)))
