# SPDX-License-Identifier: MIT
"""Draws the pictures of docs/python.md, docs/images/python-*.png, by the programs below them.

Usage: python draw.py [NAME...]; without a NAME it draws all of them. Needs matplotlib.
"""

import contextlib
import hashlib
import re
import sys
from pathlib import Path
from unittest import mock

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image, PngImagePlugin

import perlane

DOCS = Path(__file__).resolve().parents[3] / "docs"
STYLE = ["default", Path(__file__).with_name("gallery.mplstyle")]
PROGRAM = re.compile(r"^!\[[^]]*\]\(images/python-(\w+)\.png\)\n.*?^```python\n(.*?)^```$", re.M | re.S)
PROGRAMS = dict(PROGRAM.findall((DOCS / "python.md").read_text(encoding="utf-8")))


def path_of(name):
    """Returns the path of a picture."""
    return DOCS / "images" / f"python-{name}.png"


def digested(method, digest):
    """Returns a method of Field that adds the arrays it returns to a digest."""

    def call(*args, **keywords):
        result = method(*args, **keywords)
        values, slopes = result if isinstance(result, tuple) else (result, ())
        for array in (values, *slopes):
            digest.update(array)
        return result

    return call


def run(name):
    """Runs a program. Returns its figure, and the digests of the program and of its samples.

    The picture carries them: samples are the same bits everywhere, as the pixels are not.
    """
    samples = hashlib.sha256()
    plt.close("all")
    matplotlib.use("Agg")
    with contextlib.ExitStack() as stack:
        stack.enter_context(plt.style.context(STYLE))
        for method in ("fill", "gradient", "points", "points_gradient"):
            made = digested(getattr(perlane.Field, method), samples)
            stack.enter_context(mock.patch.object(perlane.Field, method, made))
        stack.enter_context(mock.patch.object(plt, "show"))
        exec(PROGRAMS[name], {})
        figure = plt.gcf()
        figure.canvas.draw()
    script = hashlib.sha256(PROGRAMS[name].encode())
    return figure, {"Script": script.hexdigest(), "Samples": samples.hexdigest()}


def pixels(figure):
    return np.asarray(figure.canvas.buffer_rgba())[..., :3]


def main(names):
    for name in names or PROGRAMS:
        if name not in PROGRAMS:
            sys.exit(f"draw.py: expected names of {', '.join(PROGRAMS)}, not {name}")
        figure, texts = run(name)
        info = PngImagePlugin.PngInfo()
        for key, text in texts.items():
            info.add_text(key, text)
        # A palette halves the file.
        picture = Image.fromarray(pixels(figure)).quantize(256, kmeans=4, dither=Image.Dither.NONE)
        picture.save(path_of(name), optimize=True, pnginfo=info)


if __name__ == "__main__":
    main(sys.argv[1:])
