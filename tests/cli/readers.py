#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compressed maps in other programs: readers.py PERLANE WORK [PYTHON].

Threads compress PNG and TIFF files in pieces. Every piece of the stream is checked here, and the
samples that other programs read are compared bit for bit with those of the .npy of the same map.
PYTHON is an interpreter that has tifffile and imagecodecs. Needs NumPy and Pillow.
"""

import os
import shutil
import subprocess
import sys
import zlib

import numpy as np

from command import MORE, check, fill, pixels, png_chunks, read, run_steps, same

# Noise, flat ground, a map that is the same everywhere, pictures; one piece and many, and pieces
# that end within the map's last rows.
MAPS = [
    "--size 3001x1403 --octaves 8 --frequency 0.002 --bits 16",
    "--size 3001x1403 --octaves 8 --frequency 0.002 --bits 8",
    "--size 2048x2048 --octaves 5 --frequency 0.004 --terraces 12 --terrace-sharpness 0.9 --bits 16",
    "--size 2000x1700 --value-scale 0 --bits 16",
    "--size 200000x35 --octaves 2 --frequency 0.01 --bits 16",
    "--size 1x30000 --octaves 2 --frequency 0.01 --bits 16",
    "--size 1300x1100 --octaves 6 --frequency 0.004 --palette terrain --shade",
    "--size 1300x700 --octaves 6 --frequency 0.004 --normal-map --bits 16",
]


def pngs():
    """One zlib stream with a right checksum and nothing behind it; as small as if it had been
    compressed as a whole, with the strategy for runs of bytes. Other programs read the samples."""
    for options in MAPS:
        fill("-o a.png --threads 3 " + options)
        parts = [data for kind, data in png_chunks(read("a.png")) if kind == b"IDAT"]
        stream = zlib.decompressobj()
        filtered = stream.decompress(b"".join(parts)) + stream.flush()
        check(options + ": one whole stream, in chunks with something in them",
              stream.eof and not stream.unused_data and all(parts))
        whole = zlib.compressobj(6, zlib.DEFLATED, 15, 8, zlib.Z_RLE)
        usual = len(whole.compress(filtered) + whole.flush())
        check("at most 2 % larger than in one piece", sum(map(len, parts)) <= 1.02 * usual + 1000,
              f"{sum(map(len, parts))} bytes, {usual} in one piece")
        if "--normal-map" in options:  # Pillow has no colours of 16 bits
            fill("-o whole.png --threads 1 " + options)
            same("by any number of threads", "a.png", "whole.png")
            continue
        if "--palette" in options:
            fill("-o want.tif --compression none " + options)
            want = pixels("want.tif")
        else:
            fill("-o want.npy " + options)
            want = np.load("want.npy")
        check("as Pillow reads it", np.array_equal(pixels("a.png"), want))
        if max(want.shape) > 16000:
            print("not run: ImageMagick on maps that are longer than its limits")
        elif shutil.which("convert"):
            done = subprocess.run(["convert", "a.png", "-depth", str(8 * want.dtype.itemsize), "-endian", "LSB",
                                   "rgb:-" if want.ndim == 3 else "gray:-"], capture_output=True, check=False)
            check("as ImageMagick reads it", done.stdout == want.tobytes(), done.stderr.decode())
        else:
            print("not run: ImageMagick is not installed")


TIFFFILE = "import sys, tifffile, imagecodecs; tifffile.imread('a.tif').tofile('a.raw')"


def tiffs():
    has_gdal = shutil.which("gdal_translate")
    has_tifffile = MORE and os.path.exists(MORE[0]) and subprocess.run(
        [MORE[0], "-c", "import tifffile, imagecodecs"], stderr=subprocess.DEVNULL, check=False).returncode == 0
    for there, name in ((has_gdal, "GDAL's programs"), (has_tifffile, "tifffile and imagecodecs")):
        if not there:
            print(f"not run: {name}: not installed")
    sums = {}
    for bits in (8, 16, 32):
        field = f"--size 1801x1203 --octaves 4 --frequency 0.01 --bits {bits}"
        fill("-o want.npy " + field)
        want = np.load("want.npy").tobytes()
        for compression in ("none", "deflate", "zstd"):
            fill(f"-o a.tif --threads 3 --compression {compression} {field}")
            name = f"a TIFF of {bits} bits, {compression}"
            check(name + " as libtiff reads it", pixels("a.tif").tobytes() == want)
            if has_gdal:
                subprocess.run(["gdal_translate", "-q", "-of", "ENVI", "a.tif", "a.img"], check=True)
                check(name + " as GDAL reads it", read("a.img") == want)
                told = subprocess.run(["gdalinfo", "-checksum", "a.tif"], stdout=subprocess.PIPE, check=True).stdout
                sums.setdefault(bits, set()).update(line for line in told.split(b"\n") if b"Checksum=" in line)
            if has_tifffile:
                done = subprocess.run([MORE[0], "-c", TIFFFILE], stderr=subprocess.PIPE, check=False)
                check(name + " as tifffile reads it", done.returncode == 0 and read("a.raw") == want, done.stderr)
    check("GDAL's checksums do not depend on the compression", all(len(lines) == 1 for lines in sums.values()), sums)


sys.exit(run_steps(pngs, tiffs))
