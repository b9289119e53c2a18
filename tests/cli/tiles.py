#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of maps in tiles: tiles.py PERLANE WORK. Each tile is the crop of the whole map, bit for bit."""

import os
import re
import struct
import subprocess
import sys
import time
import zlib

import numpy as np
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from command import PERLANE, check, clear, fill, is_same, listing, on_small_disk, pixels, png, printed, png_chunks, read, refused, run, run_steps, same, start, tree, write


def samples(file, shape=None):
    """The samples of a file, in rows."""
    if file.endswith((".r16", ".raw")):
        return np.fromfile(file, "<u2").reshape(shape)
    return np.load(file) if file.endswith(".npy") else pixels(file)


# ---- Samples ----

FIELD = "--octaves 4 --frequency 0.03 --seed 5 "
# Suffix, columns and rows of tiles, width, height and overlap of a tile, other options.
CROPS = [
    *((suffix, 3, 2, 70, 41, 0, "") for suffix in ("png", "tif", "r16", "npy", "exr")),
    ("r16", 4, 4, 65, 65, 1, ""),
    ("npy", 2, 3, 40, 30, 29, ""),
    ("npy", 3, 2, 1, 1, 0, ""),
    ("png", 2, 2, 64, 48, 1, "--first -4000000000000,123456789012345 --frequency 1e-3"),
    ("npy", 2, 2, 64, 48, 0, "--step 0.5,-3 --origin 7,1e6"),
    *(("png", 2, 2, 60, 50, 1, picture) for picture in (
        "--shade --palette terrain", "--normal-map", "--normal-map --bits 16", "--shade --fractal eroded")),
]


def crops():
    for suffix, columns, rows, width, height, overlap, options in CROPS:
        right, down = width - overlap, height - overlap
        shape = (down * (rows - 1) + height, right * (columns - 1) + width)
        fill(f"-o whole.{suffix} --size {shape[1]}x{shape[0]} {FIELD}{options}")
        fill(f"-o map.{suffix} --size {width}x{height} --tiles {columns}x{rows} {FIELD}{options}",
             *(["--overlap", overlap] if overlap else []))
        whole = samples("whole." + suffix, shape)
        wrong = []
        for j in range(rows):
            for i in range(columns):
                tile = f"map_x{i}_y{j}.{suffix}"
                want = whole[j * down:j * down + height, i * right:i * right + width]
                fill(f"-o again.{suffix} --params-of {tile}")
                if not is_same(samples(tile, want.shape[:2]), want) or read(tile) != read("again." + suffix):
                    wrong.append(tile)
        check(f"{columns}x{rows} tiles .{suffix} of {width}x{height}, overlap {overlap} {options}: each is the crop, "
              "and --params-of makes it again", not wrong, wrong)
        clear()


# ---- Names ----


def names():
    fill("-o square.npy --tiles 2 --size 8")
    check("one number makes as many rows as columns", listing() == [
        f"square_x{i}_y{j}.npy{end}" for i in (0, 1) for j in (0, 1) for end in ("", ".txt")], listing())
    os.makedirs("a.b")
    fill("-o a.b/noise --format npy --tiles 2x1 --size 8")
    check("a name without a suffix", listing("a.b") == [
        f"noise_x{i}_y0.npy{end}" for i in (0, 1) for end in ("", ".txt")], listing("a.b"))
    fill("-o planes --format npy --tiles 2x1x1 --size 4x4x3")
    check("planes have numbers, if there is one of them", listing()[1:5] == [
        f"planes_x{i}_y0_z0.npy{end}" for i in (0, 1) for end in ("", ".txt")], listing())
    check("verified by the same names", run("verify planes --format npy --tiles 2x1x1").out.startswith(b"2 files: 2 equal"))
    done = run("fill -o map.png --tiles 3x2 --size 20x10")
    check("one line reports all", done.err.startswith("map.png: 6 tiles of 20x10, 16 bits") and
          done.err.count("\n") == 1, done.err)
    clear()
    fill("-o map.png --tiles 1x1 --size 8")
    check("a single tile has indices", listing() == ["map_x0_y0.png"])
    fill("-o t.png --tiles 2 --size 8 --first 5,6")
    write("saved", run("fill -o t.png --tiles 2 --size 8 --first 5,6 --print-params").out)
    fill("-o again.png --params-of saved")
    same("saved options are those of the first tile", "again.png", "t_x0_y0.png")
    done = run("fill -o map.png --tiles 2 --size 8 --period 1,1 --frequency 0.0625")
    check("whole periods are those of the whole map", "does not tile" not in done.err, done.err)


def planes():
    """Tiles along three axes: parts of a volume, and the frames of an animation, with one range."""
    field = "--octaves 2 --frequency 0.05 --range actual"
    fill(f"-o v.raw --size 21x16x15 --first=-3,4,5 {field}")
    whole = np.fromfile("v.raw", "<u2").reshape(15, 16, 21)
    fill(f"-o t.raw --size 7x8x5 --tiles 3x2x3 --first=-3,4,5 {field}")
    check("tiles of a volume", all(np.array_equal(
        np.fromfile(f"t_x{x}_y{y}_z{z}.raw", "<u2").reshape(5, 8, 7), whole[5 * z:5 * z + 5, 8 * y:8 * y + 8, 7 * x:7 * x + 7])
        for x in range(3) for y in range(2) for z in range(3)) and len(listing()) == 2 * 19)
    check("are verified", run("verify t.raw --tiles 3x2x3") == (0, b"18 files: 18 equal, 0 different, 0 damaged, 0 missing\n", ""))
    write("t_x1_y0_z2.raw", read("t_x1_y0_z1.raw"))
    write("t_x1_y0_z2.raw.txt", read("t_x1_y0_z1.raw.txt"))
    done = run("verify t.raw --tiles 3x2x3")
    check("each at its place", done.out.startswith(b"t_x1_y0_z2.raw: differs in its options, which are of another place"), done)
    clear()
    fill(f"-o f.png --size 21x16x1 --tiles 1x1x15 --first=-3,4,5 {field}")
    check("frames", all(np.array_equal(pixels(f"f_x0_y0_z{z}.png"), whole[z]) for z in range(15)) and len(listing()) == 15)


def seamless():
    """A map goes on where it begins, whatever its field, as far as positions round."""
    for size, options in ((("256", (256, 256)), "--frequency 0.033 --octaves 4"), (("300x200", (200, 300)), "--frequency 0.033 --basis value"),
                          (("96x64x32", (32, 64, 96)), "--frequency 0.04"), (("210x140", (140, 210)), "--look clouds"),
                          (("128", (128, 128)), "--look alps"), (("64", (64, 64)), "--look hills --step 0.1"),
                          (("100x50", (50, 100)), "--frequency 0.1 --step 0.5,-1 --basis cellular"),
                          (("90", (90, 90)), "--frequency 0.2 --warp-amplitude 3 --warp-frequency 0.07 --origin 5,7"),
                          (("64x1", (1, 64)), "--frequency 0.07"), (("1", (1, 1)), "--frequency 0.07")):
        wanted = printed(f"fill -o a.npy --bits 32 --size {size[0]} {options}")
        fill(f"-o a.npy --bits 32 --size {size[0]} {options} --seamless")
        made = printed("fill -o a.npy --params-of a.npy")
        twice = "x".join(str(2 * n) for n in size[1][::-1])
        fill(f"-o b.npy --params-of a.npy --size {twice}")
        a, b = np.load("a.npy"), np.load("b.npy")
        seam = max([float(abs(np.take(b, range(n), axis) - np.take(b, range(n, 2 * n), axis)).max())
                    for axis, n in enumerate(a.shape) if n > 1], default=0)
        near = float(made["frequency"]) / float(wanted["frequency"])
        check(f"{size[0]} {options} repeats, near its frequency", seam < 1e-4 and (0.45 < near < 2.1 or len(a) == 1) and
              (a.size < 2 or np.ptp(a) > 0.1), (seam, near, made))
    wider = printed("fill -o a.npy --size 16x8x12 --frequency 0.125 --seamless")
    check("up to twice the frequency", (wider["frequency"], wider["period"]) == ("0.25", "4,2,3"), wider)
    fill("-o t.npy --tiles 2x1 --size 40 --frequency 0.1 --seamless --bits 32")
    fill("-o u.npy --params-of t_x1_y0.npy --first 80,0")
    check("tiles repeat as a whole", abs(np.load("u.npy") - np.load("t_x0_y0.npy")).max() < 1e-4)


def scaled():
    """Every N-th sample of --scale N is the plain map's, bit for bit; tiles join as the plain ones do."""
    field = "--octaves 4 --frequency 0.03 --bits 32"
    for scale, options, shape in (
            (4, "--size 30x20", (80, 120)), (2, "--size 9 --axes 1", (18,)), (8, "--size 7x6x5 --step 1,-0.5,3", (40, 48, 56)),
            (4, "--size 5 --axes 4", (20, 20, 20, 20)), (4, "--size 21x1 --first 5,7", (1, 84)), (1024, "--size 3x2 --first 1,-9", (2048, 3072)),
            (4, "--size 30x20x1 --first=-3,9,5 --origin 0.5,2,1e4", (1, 80, 120)), (4, "--size 33 --look alps", (132, 132)),
            (4, "--size 32 --look canyon --step 2", (128, 128)), (4, "--size 60x40 --seamless", (160, 240)),
            (16, "--size 1x9 --basis cellular --field seed=3", (144, 1))):
        fill(f"-o plain.npy {field} {options}")
        fill(f"-o more.npy {field} {options} --scale {scale}")
        plain, more = np.load("plain.npy"), np.load("more.npy")
        check(f"{options} --scale {scale}", more.shape == shape and
              is_same(more[tuple(slice(None, None, scale if n > 1 else 1) for n in plain.shape)], plain), more.shape)
        fill(f"-o again.npy --params-of plain.npy --scale {scale}")
        same("from the options of the map", "again.npy", "more.npy")
    clear()
    fill("-o plain.r16 --for godot --size 65 --look mountains --range 0,1")
    fill("-o more.r16 --for godot --size 65 --look mountains --range 0,1 --scale 4")
    check("a terrain keeps its borders", is_same(samples("more.r16", (257, 257))[::4, ::4], samples("plain.r16", (65, 65))))
    for overlap, side in ((0, 48), (1, 45), (5, 33)):
        fill(f"--force -o t.npy --tiles 2x1 --size 12 --overlap {overlap} --first 3,-7 {field} --scale 4")
        fill(f"-o whole.npy --size {2 * side - overlap}x{side} --first 12,-28 --step 0.25 {field}")
        tiles = [np.load("whole.npy")[:, begin:begin + side] for begin in (0, side - overlap)]
        check(f"tiles of overlap {overlap}", all(is_same(np.load(f"t_x{i}_y0.npy"), tile) for i, tile in enumerate(tiles)))
    metres = "--look alps --heights 0,900 --for unity --size 65 -o"
    notes = [run(f"fill {metres} {name} --scale {scale}").err for name, scale in (("a", 1), ("b", 4))]
    check("the terrain is as wide", [re.search(r"Width \d+", note).group() for note in notes] == 2 * ["Width 20000"], notes)


def engines():
    for engine, tile, side, overlap in (("unity", "%d_%d.raw", 33, 1), ("unreal", "x%d_y%d.r16", 1913, 0),
                                        ("godot", "%d_%d.r16", 513, 1)):
        size = "" if engine == "unreal" else f"--size {side}x{side}"
        fill(f"-o t{tile[-4:]} --for {engine} --tiles 2 {size}")
        begin = side - overlap
        fill(f"-o pair.npy --bits 16 --size {begin + side}x{begin + side}")
        pair = np.load("pair.npy")
        check(f"--for {engine} makes tiles of {side} that share {overlap} samples", all(
            is_same(samples("t_" + tile % (i, j), (side, side)),
                    pair[j * begin:j * begin + side, i * begin:i * begin + side]) for i in (0, 1) for j in (0, 1)))
        clear()
    fill("-o w --for unreal --tiles 2 --size 127x127 --overlap 1")
    check("--overlap 1 makes unreal's tiles share their borders",
          (pixels("w_x0_y0.png")[:, -1] == pixels("w_x1_y0.png")[:, 0]).all())
    clear()
    fill("-o w.r16 --for unreal --tiles 2x1 --size 253x253 --overlap 1")
    check("files beside each tile", listing() == sorted(
        f"w_x{i}_y0.r16{end}" for i in (0, 1) for end in ("", ".txt")), listing())
    # The whole landscape consists of components of one size, as the engine's documentation lists them.
    quads = [sections * side for sections in (1, 2) for side in (7, 15, 31, 63, 127, 255)]
    for columns, rows in ((1, 2), (2, 3), (7, 1)):
        clear()
        fill(f"-o w --for unreal --tiles {columns}x{rows}")
        height, width = pixels("w_x0_y0.png").shape
        check(f"{columns}x{rows} tiles of {width}x{height} make a landscape", min(width, height) > 1000 and any(
            (columns * width - 1) % q == 0 and (rows * height - 1) % q == 0 for q in quads))


# ---- Parts ----

TILES = "-o t.r16 --tiles 4x3 --size 64 --octaves 3 --frequency 0.03"


def there():
    return [file for file in listing() if file.endswith(".r16")]


def parts():
    names = [f"t_x{t % 4}_y{t // 4}.r16" for t in range(12)]
    fill(TILES)
    want = {file: read(file) for file in listing()}
    for of in (1, 5, 12, 17):
        clear()
        for k in range(1, of + 1):
            fill(f"{TILES} --part {k}/{of}")
            check(f"part {k}/{of} writes its tiles", there() == sorted(names[:12 * k // of]), there())
        check(f"{of} parts are the map", {file: read(file) for file in listing()} == want)
    inode = {file: os.stat(file).st_ino for file in want if "t_x1_y1" not in file}
    os.remove("t_x1_y1.r16")
    write("t_x2_y2.r16.txt", b"# of a version before\n" + read("t_x2_y2.r16.txt").replace(b"=1.", b"=1.0.", 1))
    done = run(f"fill {TILES}")
    check("what is complete is not written again", "; tiles: 1 written, 11 were there" in done.err and
          all(os.stat(file).st_ino == number for file, number in inode.items()) and
          read("t_x1_y1.r16") == want["t_x1_y1.r16"], done.err)
    os.remove("t_x0_y0.r16")
    for options in ("--seed 1", "--bits 16 --octaves 4", "--range 0,1"):
        refused("a tile of other options", 1, "'t_x1_y0.r16' is there already and does not carry these options",
                f"fill {TILES} {options}")
    os.remove("t_x3_y2.r16.txt")
    refused("a tile without options", 1, "'t_x3_y2.r16' is there already", f"fill {TILES} --part 4/4")
    fill(f"{TILES} --seed 1 --force")
    check("--force writes over tiles", all(read(file) != want[file] for file in names))


def kill(line, tile, before):
    """Kills a run at a tile, where it waits for a reader."""
    os.mkfifo(tile)
    process = start(f"fill -q {line} --threads 1")
    while process.poll() is None and not os.path.exists(before):
        time.sleep(0.002)
    process.kill()
    process.wait()
    os.remove(tile)


def killed():
    kill(f"{TILES} --size 1k --octaves 16", "t_x3_y1.r16", "t_x2_y1.r16")
    complete = {file: os.stat(file).st_ino for file in there()}
    check("a run that is killed leaves tiles", len(complete) == 7, complete)
    fill(f"{TILES} --size 1k --octaves 16")
    check("which stay when it goes on", len(there()) == 12 and len(listing()) == 24 and
          all(os.stat(file).st_ino == number for file, number in complete.items()), listing())
    check("and all are verified", run("verify t.r16 --tiles 4x3").out.startswith(b"12 files: 12 equal, 0 "))


def folders():
    """Names by a pattern, in folders that are made: the files are those of other names."""
    field = "--size 32x24x2 --octaves 2 --frequency 0.03"
    fill(f"-o t.r16 --tiles 4x3x2 {field}")
    want = {(x, y, z): read(f"t_x{x}_y{y}_z{z}.r16") for x in range(4) for y in range(3) for z in range(2)}
    for pattern in ("a b/{z}/{x}/{y}.r16", "./p{z}_{x}1-{y}", "{x}.{y}.{z}/{x}", "a/../c/{y}/{z}/{x}.r16"):
        clear()
        line = f"'{pattern}' --format r16 --tiles 4x3x2"
        processes = [start(f"fill -q -o {line} {field} --part {k}/4") for k in range(1, 5)]  # which make the same folders
        check(f"{pattern}: parts", [process.wait() for process in processes] == 4 * [0])
        names = {at: pattern.format(**dict(zip("xyz", at))) + ("" if ".r16" in pattern else ".r16") for at in want}
        check(f"{pattern}: each tile has its name", {at: read(name) for at, name in names.items()} == want and
              len(tree(".")) == 2 * len(want), sorted(tree(".")))
        check("verified by it", run(f"verify {line}") == (0, b"24 files: 24 equal, 0 different, 0 damaged, 0 missing\n", ""), run(f"verify {line}"))
        os.remove(names[3, 2, 1])
        check("the missing one is named", run(f"verify {line}").out.startswith(f"{names[3, 2, 1]}: missing\n".encode()))
        check("and written again", "; tiles: 1 written, 23 were there" in run(f"fill -o {line} {field}").err)
        refused("tiles of other options", 1, f"'{names[0, 0, 0]}' is there already", f"fill -o {line} {field} --seed 1")
    clear()
    fill("-o '{x}.png' --size 8 --tiles 3x1")
    fill("-o '{x}/{y}' --for unity --size 33 --tiles 2")
    check("one row needs no {y}, and engines give no names", sorted(tree(".")) == sorted([
        "0.png", "1.png", "2.png", *(f"{x}/{y}.raw{end}" for x in (0, 1) for y in (0, 1) for end in ("", ".txt"))]), sorted(tree(".")))
    for pattern in ("{x}{y}.png", "{x}1{y}.png", "{x}.png", "{x}/{y}/{z}.png", "{x}/../{y}.png", "a{y}{x}_{y}.png"):
        for command in ("fill -o", "verify"):
            refused("", 2, f"'{pattern}': each tile needs a name of its own", f"{command} '{pattern}' --tiles 2")
    clear()
    os.makedirs("d/3")
    write("d/1", "mine")
    os.symlink("none", "d/2")
    for pattern, said in (("d/1/{x}/{y}.r16", "Not a directory"), ("d/{x}/{y}.r16", "Not a directory"), ("d/2/{x}_{y}.r16", "No such file")):
        refused("", 1, said, f"fill -o '{pattern}' --size 8 --tiles 4")
        check("nothing is made", (listing("d"), listing("d/3"), read("d/1")) == (["1", "2", "3"], [], b"mine"), listing("d"))
    refused("on a disk without room", 1, "'e/{x}/{y}.r16', 256 tiles, needs", "fill -o 'e/{x}/{y}.r16' --size 1M --tiles 16")


# ---- Verify ----

# Options; the sample of which a byte is changed, and where it is from the end of the file.
VERIFIED = [("a.npy", "--size 33x20", "32,19", 1), ("a.r16", "--size 33x20", "31,19", 4), ("b.raw", "--size 33x20 --bits 8", "23,19", 10),
            ("v.npy", "--size 9x8x7", "8,6,6", 37), ("w.r32", "--size 5x4x3x2", "4,3,2,1", 2),
            ("a.raw", "--size 99 --axes 1", "98", 1), ("n.tif", "--size 40 --bits 32", "", 0),
            ("m.tif", "--size 300x520", "", 0), ("p.tif", "--palette terrain --shade --size 64", "", 0),
            ("a.png", "--size 150x600", "", 0), ("b.png", "--size 20 --bits 8", "", 0),
            ("p.png", "--size 64 --palette terrain", "", 0), ("n.png", "--size 64 --normal-map --bits 16", "", 0),
            ("l.png", "--look island --size 64", "", 0), ("h.tif", "--size 64 --heights 0,900", "", 0)]


def damaged(file, text):
    done = run("verify", file)
    check(f"verify finds {file} {text}", done.status == 1 and done.out.decode().startswith(f"{file}: {text}"),
          done.out + done.err.encode())


def verified():
    for file, options, _, _ in VERIFIED:
        fill(f"-o {file} {options} {FIELD}")
    fill(f"-o e.exr --size 300x70 {FIELD}")
    data = read("e.exr")
    check("an EXR is verified", run("verify e.exr").status == 0)
    row = len(data) - 1208
    for change, changed, said in (("cut off", data[:-1], "it ends too early"), ("longer", data + b"x", "it is longer"),
                                  ("cut off in its text", data[:data.index(b"octaves")], "it ends too early"),
                                  ("of another head", data.replace(b"lineOrder", b"lineorder", 1), "its size, its depth"),
                                  ("with a row elsewhere", data[:row - 69 * 1208 - 8] + bytes(8) + data[row - 69 * 1208:], "its size"),
                                  ("of other rows", data[:row] + bytes(8) + data[row + 8:], "its size, its depth")):
        write("e.exr", changed)
        damaged("e.exr", f"damaged: {said}")
    write("e.exr", data[:row - 1208 + 8] + bytes(4) + data[row - 1208 + 12:])
    damaged("e.exr", "differs from sample 0,68 on\n")
    os.remove("e.exr")
    done = run("verify .")
    os.mkdir("none")
    damaged("none", "not compared: Is a directory\n")
    os.rmdir("none")
    check("a folder is verified", done == (0, b"15 files: 15 equal, 0 different, 0 damaged, 0 missing\n", ""), done)
    for file, _, sample, back in VERIFIED:
        data = read(file)
        if sample:
            write(file, data[:-back] + bytes([data[-back] ^ 1]) + data[len(data) - back + 1:])
            damaged(file, f"differs from sample {sample} on\n")
            write(file, data + b"x")
            damaged(file, "damaged: it is longer than its map")
        for end in (1, len(data) // 3):
            write(file, data[:-end])
            damaged(file, "damaged: ")
        write(file, data)
    for file in ("a.png", "b.png", "p.png", "n.png"):  # as another program writes it
        info = Image.open(file).info["perlane"]
        text = PngInfo()
        text.add_text("perlane", info)
        if file != "n.png":  # which Pillow reads with 8 bits
            Image.open(file).save("again.png", pnginfo=text, compress_level=9)
            done = run("verify again.png")
            check(f"{file} of another program is verified", done.status == 0, done)
        if file == "a.png":
            changed = pixels(file).copy()
            changed[70, 11] ^= 1
            Image.fromarray(changed).save("again.png", pnginfo=text)
            damaged("again.png", "differs from sample 11,70 on\n")
    head, image = read("b.png").split(b"IDAT", 1)[0][:-4], zlib.decompress(b"".join(
        data for kind, data in png_chunks(read("b.png")) if kind == b"IDAT"))
    for name, data in (("a row less", zlib.compress(image[:-21])), ("a row more", zlib.compress(image + image[:21])),
                       ("data after the end", zlib.compress(image) + b"x"), ("a wrong checksum", zlib.compress(image)[:-1] + b"x"),
                       ("another filter", zlib.compress(image[:42] + b"\x09" + image[43:]))):
        write("c.png", head + png((b"IDAT", data))[33:])
        damaged("c.png", "damaged: ")
    os.remove("c.png")
    write("b.png", head + b"\0\0\0\0IDAX" + struct.pack(">I", zlib.crc32(b"IDAX")))
    damaged("b.png", "damaged: ")
    write("b.png", head)
    os.truncate("b.png", 200 << 30)
    damaged("b.png", "damaged: ")
    fill("-o o.png --size 32")
    text = PngInfo()
    text.add_text("perlane", Image.open("o.png").info["perlane"])
    Image.fromarray(pixels("o.png")[:31]).save("o.png", pnginfo=text)
    damaged("o.png", "damaged: its size, its depth or its layout is not that of its options")
    clear()
    fill("-o u --for unity --tiles 2x3 --size 33x33")
    os.remove("u_1_2.raw")
    write("u_0_1.raw", b"\0\0" + read("u_0_1.raw")[2:])
    done = run("verify u --for unity --tiles 2x3")
    check("tiles that are missing are named", done.out == b"u_0_1.raw: differs from sample 0,0 on\n"
          b"u_1_2.raw: missing\n6 files: 4 equal, 1 different, 0 damaged, 1 missing\n" and done.status == 1, done)
    hints = ["give its --tiles" in run(f"verify u{tiles}").err for tiles in ("", " --for unity --tiles 2x3")]
    check("a map that is in tiles asks for --tiles", hints == [True, False], hints)
    done = run("verify -q u --for unity --tiles 2x3 --part 1/3")
    check("a part is verified", done == (0, b"2 files: 2 equal, 0 different, 0 damaged, 0 missing\n", ""), done)


def not_compared():
    """What cannot be read here, or is no map, is not damaged: nobody should remove it."""
    write("photo.png", png((b"IDAT", zlib.compress(b"\0\x80"))))
    write("notes.npy", b"mine")
    os.mkfifo("fifo.raw")
    os.symlink("itself.raw", "itself.raw")
    done = run("verify .")
    check("files of others are not damaged", done.status == 1 and done.out.endswith(
        b"4 files: 0 equal, 0 different, 0 damaged, 0 missing, 4 not compared\n") and "remove" not in done.err, done)
    write("a.exr", b"\x76/1\1" + bytes(99))
    check("an EXR of another program", run("verify a.exr").out.startswith(b"a.exr: not compared: it carries no options"))
    fill("-o map.exr --size 8")
    os.rename("map.exr", "renamed")
    check("a name without a suffix", run("verify renamed").out.startswith(b"renamed: not compared: its name has no suffix") and
          run("verify renamed --format exr").status == 0)
    clear()
    for n in range(40):
        write(f"{n}.tif", b"II*\0")
    done = subprocess.run(["sh", "-c", 'ulimit -n 30; exec "$0" verify .', PERLANE], capture_output=True, check=False)
    check("files are closed, the damaged ones, too", done.stdout.count(b"tif: damaged: Cannot read TIFF header\n") == 40, done)
    clear()


def hostile():
    """Texts that anybody may have written: the head of the file and its length come first, and bound the work."""
    text = "perlane=1.1.0 size={} bits=16 range={} octaves=32"
    for name, size, ends, said in (
            ("huge.r16", "1000000x1000000", "actual", "it ends too early"), ("cut.r16", "8x9", "-1,1", "it ends too early"),
            ("actual.r16", "8x8", "actual", "nothing can be made of its options"), ("long.r16", "8x7", "-1,1", "it is longer than its map")):
        write(name, bytes(128))
        write(name + ".txt", text.format(size, ends) + "\n")
        begin = time.monotonic()
        done = run("verify", name, timeout=60)
        check(f"{name} is damaged, without its samples", done.status == 1 and done.out.startswith(f"{name}: damaged: {said}".encode()) and
              time.monotonic() - begin < 20, done)
    os.mkfifo("f")
    write("secret", "root:x:0")
    for file in ("f", "secret", "/etc/hostname"):
        write("m.r16", bytes(128))
        write("m.r16.txt", f"perlane=1.1.0 size=8x8 bits=16 range=-1,1 expression=@{file}\n")
        done = run("verify m.r16", timeout=60)
        check(f"a text names no file: {file}", done.out.startswith(b"m.r16: damaged: nothing can be made") and "root" not in done.err, done)
        refused("nor for fill", 2, "a text of options names no file", "fill -o x.png --params-of m.r16", timeout=60)
        refused("nor on the command line", 2, "a text of options names no file", "points --field", f"expression=@{file}", timeout=60)
    clear()
    fill("-o e.exr --size 33x17 --seed 5")
    write("e.exr", read("e.exr").replace(b"seed=5", b"\x1b]0;x\x07"))
    done = run("verify e.exr")
    check("no control characters of a file are printed", done.status == 1 and b"\x1b" not in done.out and "\x1b" not in done.err, done)
    clear()


def misplaced():
    """A file that agrees with itself is not yet the tile of its name."""
    line = "--tiles 3x3 --size 64x48 --octaves 4"
    for options, given in (("", ""), ("--overlap 7 --first 5,-6", "--overlap 7"), ("--first=-4000000000000,123456789012345 --frequency 1e-3", "")):
        fill(f"-o m.png {line} {options}")
        check(f"tiles are verified {options}", run(f"verify m.png --tiles 3x3 {given}").status == 0, run(f"verify m.png --tiles 3x3 {given}"))
        for wrong, other in (("m_x2_y2.png", "m_x0_y0.png"), ("m_x0_y0.png", "m_x1_y0.png"), ("m_x1_y1.png", "m_x1_y2.png")):
            content = read(wrong)
            write(wrong, read(other))
            done = run(f"verify m.png --tiles 3x3 {given}")
            check(f"{other} is not {wrong}", done.status == 1 and done.out == f"{wrong}: differs in its options, which are of another place in "
                  "the map, or of another --overlap\n9 files: 8 equal, 1 different, 0 damaged, 0 missing\n".encode(), done)
            write(wrong, content)
        fill(f"-o m_x1_y1.png --params-of m_x1_y1.png --seed 7")
        done = run(f"verify m.png --tiles 3x3 {given}")
        check("nor is one of another seed", done.out.startswith(
            b"m_x1_y1.png: differs in its options, which are of another map: they have seed=7 where others have ") and b"\n9 files: 8 equal" in done.out, done)
        clear()
    fill("-o u --for unity --size 33 --tiles 2")
    check("an engine's tiles share its border", run("verify u --for unity --tiles 2").status == 0)


# ---- Failures; refusals.txt has what is refused at once ----


def unwritable():
    for place in ("t_x1_y1.r16", "t_x1_y1.r16.txt"):
        os.mkdir(place)
        refused("a directory called " + place, 1, f"cannot write '{place}': Is a directory",
                "fill -o t.r16 --tiles 2 --size 127x127 --for unreal --overlap 1")
        os.rmdir(place)


def full_disk():
    fill("-o want.raw --tiles 4x4 --size 128x128")
    os.mkdir("disk")
    done = on_small_disk(
        "256k", '"$0" fill -o want.raw --tiles 4x4 --size 128x128 --force; s=$?; ls -A; cat *; exit $s')
    if done is None:
        return
    there = sorted(f"want_x{t % 4}_y{t // 4}.raw{end}" for t in range(7) for end in ("", ".txt"))
    want = "".join(file + "\n" for file in there).encode() + b"".join(map(read, there))
    check("a full disk leaves the tiles before, whole", done.status == 1 and done.out == want, done.out[:200])
    check("and says so", done.err == "perlane fill: cannot write 'want_x3_y1.raw': No space left on device\n"
          "perlane fill: complete: 7 of 16 tiles; the same command continues\n", done.err)


sys.exit(run_steps(crops, names, planes, seamless, scaled, engines, parts, killed, folders, verified, not_compared, hostile, misplaced, unwritable, full_disk))
