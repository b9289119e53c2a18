#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compressed maps in other programs: readers.py PERLANE WORK [PYTHON].

Threads compress PNG and TIFF files in pieces. Every piece of the stream is checked here, and the
samples that other programs read are compared bit for bit with those of the .npy of the same map.
PYTHON is an interpreter that has tifffile and imagecodecs. Needs NumPy and Pillow.
"""
import os
import shutil
import struct
import subprocess
import sys
import zlib

import numpy as np
from PIL import Image

sys.dont_write_bytecode = True  # the source stays as it is
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from checks import check, run_steps

PERLANE = os.path.abspath(sys.argv[1])
WORK = os.path.abspath(sys.argv[2])
PYTHON = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 and os.path.exists(sys.argv[3]) else None
Image.MAX_IMAGE_PIXELS = None

# Noise, flat ground, a map that is the same everywhere, pictures; one piece and many, and pieces
# that end within the map's last rows.
MAPS = {
    "noise": ["--size", "3001x1403", "--octaves", 8, "--frequency", 0.002],
    "noise of 8 bits": ["--size", "3001x1403", "--octaves", 8, "--frequency", 0.002, "--bits", 8],
    "terraces": ["--size", "2048x2048", "--octaves", 5, "--frequency", 0.004, "--terraces", 12,
                 "--terrace-sharpness", 0.9],
    "one value": ["--size", "2000x1700", "--value-scale", 0],
    "long rows": ["--size", "200000x35", "--octaves", 2, "--frequency", 0.01],
    "rows of one sample": ["--size", "1x30000", "--octaves", 2, "--frequency", 0.01],
    "a picture": ["--size", "1300x1100", "--octaves", 6, "--frequency", 0.004, "--palette", "terrain",
                  "--shade"],
    "normals of 16 bits": ["--size", "1300x700", "--octaves", 6, "--frequency", 0.004, "--normal-map",
                           "--bits", 16],
}


def fill(file, arguments):
    done = subprocess.run([PERLANE, "fill", "-q", "-o", file, "--threads", "3", *map(str, arguments)],
                          stderr=subprocess.PIPE)
    if done.returncode != 0:
        check("fill -o " + file, False, done.stderr.decode())


def samples(arguments):
    """The map as floats would be quantized, from a format without compression."""
    fill("want.npy", arguments + ([] if "--bits" in arguments else ["--bits", 16]))
    return np.load("want.npy")


def is_picture(arguments):
    return "--palette" in arguments or "--normal-map" in arguments


# ---- PNG ----

def chunks(file):
    """Names and data of a PNG's chunks, whose checksums are right."""
    with open(file, "rb") as stream:
        data = stream.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    place, found = 8, []
    while place < len(data):
        length, = struct.unpack_from(">I", data, place)
        body = data[place + 4:place + 8 + length]
        assert struct.unpack_from(">I", data, place + 8 + length)[0] == zlib.crc32(body), body[:4]
        found.append((body[:4], body[4:]))
        place += 12 + length
    return found


def png_stream():
    """One zlib stream with a right checksum and nothing behind it; as small as if it had been
    compressed as a whole, with the strategy for runs of bytes."""
    for name, arguments in MAPS.items():
        fill("a.png", arguments)
        found = chunks("a.png")
        packed = b"".join(data for kind, data in found if kind == b"IDAT")
        stream = zlib.decompressobj()
        filtered = stream.decompress(packed) + stream.flush()
        check(name + " is one whole stream", stream.eof and not stream.unused_data)
        check("in chunks with something in them", all(data for kind, data in found if kind == b"IDAT"))
        check("that end with IEND", found[-1] == (b"IEND", b""))
        whole = zlib.compressobj(6, zlib.DEFLATED, 15, 8, zlib.Z_RLE)
        usual = len(whole.compress(filtered) + whole.flush())
        check("at most 2 % larger than in one piece", len(packed) <= 1.02 * usual + 1000,
              "%d bytes, %d in one piece" % (len(packed), usual))


def png_readers():
    for name, arguments in MAPS.items():
        fill("a.png", arguments)
        image = np.array(Image.open("a.png"))
        if is_picture(arguments):
            fill("want.tif", arguments + ["--compression", "none"])
            if "--bits" in arguments:  # Pillow has no colours of 16 bits
                fill("whole.png", arguments + ["--threads", 1])
                check(name + ", by any number of threads",
                      open("a.png", "rb").read() == open("whole.png", "rb").read())
                continue
            want = np.array(Image.open("want.tif"))
        else:
            want = samples(arguments)
        check(name + " as Pillow reads it", np.array_equal(image.astype(want.dtype), want))
        if max(want.shape) > 16000:
            print("not run: ImageMagick on %s, which are longer than its limits" % name)
        elif shutil.which("convert"):
            kind = "rgb:-" if want.ndim == 3 else "gray:-"
            depth = str(8 * want.dtype.itemsize)
            done = subprocess.run(["convert", "a.png", "-depth", depth, "-endian", "LSB", kind],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            check(name + " as ImageMagick reads it", done.stdout == want.tobytes(), done.stderr.decode())
        else:
            print("not run: ImageMagick is not installed")


# ---- TIFF ----

def tiff_maps():
    for bits in (8, 16, 32):
        arguments = ["--size", "1801x1203", "--octaves", 4, "--frequency", 0.01, "--bits", bits]
        want = samples(arguments)
        for compression in ("none", "deflate", "zstd"):
            fill("a.tif", arguments + ["--compression", compression])
            yield "%d bits, %s" % (bits, compression), want


def tiff_readers():
    sums = {}
    for name, want in tiff_maps():
        got = np.array(Image.open("a.tif"))
        check(name + " as libtiff reads it", got.astype(want.dtype).tobytes() == want.tobytes())
        if shutil.which("gdal_translate"):
            subprocess.run(["gdal_translate", "-q", "-of", "ENVI", "a.tif", "a.img"], check=True,
                           stdout=subprocess.DEVNULL)
            check(name + " as GDAL reads it", open("a.img", "rb").read() == want.tobytes())
            told = subprocess.run(["gdalinfo", "-checksum", "a.tif"], stdout=subprocess.PIPE, check=True)
            sums.setdefault(want.dtype, set()).update(
                line for line in told.stdout.split(b"\n") if b"Checksum=" in line)
        else:
            print("not run: GDAL's programs are not installed")
    check("GDAL's checksums do not depend on the compression",
          all(len(lines) == 1 for lines in sums.values()), sums)


TIFFFILE = "import sys, tifffile; tifffile.imread('a.tif').tofile('a.raw')"


def tifffile():
    if not PYTHON or subprocess.run([PYTHON, "-c", "import tifffile, imagecodecs"],
                                    stderr=subprocess.DEVNULL).returncode != 0:
        print("not run: tifffile and imagecodecs are not installed")
        return
    for name, want in tiff_maps():
        done = subprocess.run([PYTHON, "-c", TIFFFILE], stderr=subprocess.PIPE)
        check(name + " as tifffile reads it", done.returncode == 0 and
              open("a.raw", "rb").read() == want.tobytes(), done.stderr.decode())


sys.exit(run_steps(WORK, (png_stream, png_readers, tiff_readers, tifffile)))
