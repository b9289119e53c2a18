# SPDX-License-Identifier: MIT
"""Draws the pictures of docs/python.md, docs/images/python-*.png, by the programs below them.

Usage: python draw.py [NAME...]; without a NAME it draws all of them. Needs matplotlib.
"""

import re
import sys
from pathlib import Path
from unittest import mock

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

DOCS = Path(__file__).resolve().parents[3] / "docs"
STYLE = ["default", Path(__file__).with_name("gallery.mplstyle")]
PROGRAM = re.compile(r"^!\[[^]]*\]\(images/python-(\w+)\.png\)\n.*?^```python\n(.*?)^```$", re.M | re.S)
PROGRAMS = dict(PROGRAM.findall((DOCS / "python.md").read_text(encoding="utf-8")))


def path_of(name):
    """Returns the path of a picture."""
    return DOCS / "images" / f"python-{name}.png"


def draw(name):
    """Runs a program, and returns its picture."""
    matplotlib.use("Agg")
    plt.close("all")
    with plt.style.context(STYLE), mock.patch.object(plt, "show"):
        exec(PROGRAMS[name], {})
        canvas = plt.gcf().canvas
        canvas.draw()
    return Image.fromarray(np.asarray(canvas.buffer_rgba())[..., :3])


def main(names):
    for name in names or PROGRAMS:
        if name not in PROGRAMS:
            sys.exit(f"draw.py: expected names of {', '.join(PROGRAMS)}, not {name}")
        # A palette halves the file.
        picture = draw(name).quantize(256, kmeans=4, dither=Image.Dither.NONE)
        picture.save(path_of(name), optimize=True)


if __name__ == "__main__":
    main(sys.argv[1:])
