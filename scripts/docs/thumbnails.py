#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the thumbnails of docs/parameters.md: thumbnails.py PERLANE [--check]

Each picture docs/images/option-NAME.png that the page shows has a thumbnail for each choice of the
option that needs no table, or for each of VALUES. With --check it writes nothing, and fails if a
picture is not what it would draw."""

import os
import re
import subprocess
import sys
import tempfile

from PIL import Image, ImageChops, ImageDraw, ImageFont

DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs")
SIDE, GAP, LABEL = 96, 6, 14  # pixels
GREYS = 32
# The options that a picture's thumbnails share, and the values of options that are no choices.
SHARED = {
    "basis": "frequency=0.04",
    "gradients": "frequency=0.05",
    "fade": "frequency=0.04 basis=value",
    "jitter": "basis=cellular frequency=0.05",
    "cell_metric": "basis=cellular frequency=0.05",
    "cell_output": "basis=cellular frequency=0.05",
    "gain": "octaves=6 frequency=0.03",
    "fractal": "octaves=5 frequency=0.03",
    "warp_amplitude": "octaves=4 frequency=0.03 warp_frequency=0.03 warp_octaves=3",
    "falloff_shape": "octaves=5 frequency=0.04 falloff=2 falloff_start=36 falloff_end=52",
    "normalize": "octaves=5 frequency=0.03",
    "terraces": "octaves=3 frequency=0.03 terrace_sharpness=0.9",
}
VALUES = {
    "jitter": ["0", "0.5", "1"],
    "gain": ["0.3", "0.5", "0.7"],
    "warp_amplitude": ["0", "10", "30"],
    "terraces": ["0", "8"],
}
RANGES = {"cell_output": "actual", "cell_metric": "actual", "jitter": "actual", "fractal": "actual"}
PLACES = {"falloff_shape": "-48,-48"}


def choices(page, option):
    rows = re.search(rf"### Choices of `{option}`\n(.*?)(\n#|\Z)", page, re.S)[1]
    listed = re.findall(r"^\| `(\w+)` \| (.*?)(?: \((\dD[^)]*)\))? \|$", rows, re.M)
    return [name for name, text, dims in listed
            if (not dims or "2D" in dims) and "caller" not in text and name != "default"]


def thumbnail(perlane, option, value):
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "map.png")
        subprocess.run(
            [perlane, "fill", "-q", "-o", file, "--size", str(SIDE), "--bits", "8",
             "--field", f"{SHARED[option]} {option}={value}", "--range", RANGES.get(option, "-0.8,0.8"),
             "--origin", PLACES.get(option, "0,0")], check=True)  # fmt: skip
        with Image.open(file) as image:
            return image.convert("L").point(lambda v: v * GREYS // 256 * 255 // (GREYS - 1))


def sheet(perlane, option, values):
    picture = Image.new("L", (len(values) * (SIDE + GAP) - GAP, SIDE + LABEL), 255)
    draw = ImageDraw.Draw(picture)
    font = getattr(ImageFont, "load_default_imagefont", ImageFont.load_default)()  # of fixed pixels
    for i, value in enumerate(values):
        picture.paste(thumbnail(perlane, option, value), (i * (SIDE + GAP), 0))
        draw.text((i * (SIDE + GAP), SIDE + 2), value, 0, font)
    return picture


def main(perlane, check):
    with open(os.path.join(DOCS, "parameters.md"), encoding="utf-8") as file:
        page = file.read()
    shown = re.findall(r"\(images/(option-(\w+)\.png)\)", page)
    failed = len(shown) != len(SHARED)
    for name, option in shown:
        drawn = sheet(perlane, option, VALUES.get(option) or choices(page, option))
        path = os.path.join(DOCS, "images", name)
        if not check:
            drawn.save(path, optimize=True)
            continue
        with Image.open(path) as image:
            same = image.size == drawn.size and not ImageChops.difference(image.convert("L"), drawn).getbbox()
        print(f"{'ok' if same else 'FAILED'}: {name}")
        failed += not same
    if check:
        print(f"{len(shown) - failed} passed, {failed} failed")
    return failed != 0


sys.exit(main(sys.argv[1], "--check" in sys.argv))
