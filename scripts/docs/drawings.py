#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws docs/images/fill.svg: drawings.py"""

import os

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "images", "fill.svg")
GREY, LIGHT, LOWER, UPPER, SAMPLE = "#777777", "#dddddd", "#0072b2", "#d55e00", "#009e73"
parts = []


def line(x0, y0, x1, y1, colour=GREY, width=1.0, more=""):
    parts.append(f'<line x1="{x0}" y1="{y0}" x2="{x1}" y2="{y1}" stroke="{colour}" stroke-width="{width}" {more}/>')


def box(x, y, width, height, fill="none", stroke=GREY):
    parts.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}" stroke="{stroke}"/>')


def dot(x, y, radius, colour):
    parts.append(f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{colour}"/>')


def text(x, y, words, colour="#222222", size=13, more=""):
    parts.append(f'<text x="{x}" y="{y}" fill="{colour}" font-size="{size}" {more}>{words}</text>')


def cells():
    """One row of cells: two lattice rows, and the sample rows between them."""
    left, top, cell, columns = 30, 90, 128, 8  # columns of samples per cell
    text(left, 32, "A row of cells", size=16, more='font-weight="bold"')
    text(left, 54, "The lattice rows are computed once; each sample row is emitted from both.", GREY)
    for i in range(4):
        line(left + i * cell, top, left + i * cell, top + cell, LIGHT, 2)
    for y, colour, name in ((top, UPPER, "upper"), (top + cell, LOWER, "lower")):
        line(left, y, left + 3 * cell, y, colour, 2.5)
        for i in range(3 * columns + 1):
            dot(left + i * cell / columns, y, 3, colour)
        for i in range(4):
            dot(left + i * cell, y, 6, colour)
        text(left + 3 * cell + 14, y - 3, f"{name} lattice row:", colour)
        text(left + 3 * cell + 14, y + 14, "value and tilt of each column", colour)
    for row in range(1, 8):
        y = top + row * cell / 8
        line(left, y, left + 3 * cell, y, LIGHT)
        for i in range(3 * columns + 1):
            dot(left + i * cell / columns, y, 1.6, GREY)
    y, start = top + 3 * cell / 8, left + cell
    for i in range(columns):
        x = start + i * cell / columns
        line(x, top, x, top + cell, SAMPLE, 1, 'stroke-dasharray="2 3"')
        dot(x, y, 3.5, SAMPLE)
    box(start - 6, y - 6, cell - 4, 12, stroke=SAMPLE)
    text(left + 3 * cell + 14, y + 12, "a vector of 8 samples: w, c0 and c1", SAMPLE)
    text(left + 3 * cell + 14, y + 29, "are the same for the whole row", SAMPLE)
    text(left, top + cell + 34, "The lower lattice row is the upper one of the next row of cells, and is kept.", GREY)


def fill():
    """A map in strips, each from top to bottom, and what happens in one."""
    left, top, width, height = 720, 90, 170, 220
    text(left, 32, "One fill", size=16, more='font-weight="bold"')
    text(left, 54, "Strips from left to right, each from top to bottom.", GREY)
    strip, cell, tile = width / 3, 44, 22
    box(left, top, strip, 2.5 * cell, LIGHT, "none")
    box(left, top + 2.5 * cell, strip, tile, SAMPLE, "none")
    for i in range(4):
        line(left + i * strip, top, left + i * strip, top + height, GREY, 1.5)
    for i in range(6):
        line(left, top + i * cell, left + width, top + i * cell, LOWER, 1, 'stroke-dasharray="4 3"')
    box(left, top, width, height)
    steps = ["1 axis pass: for each octave, the fade",
             "   and hash words of each column",
             "2 at each lattice row that is missing:",
             "   gradients of two corners, and edges",
             "3 tile of 16 sample rows: emitted octave",
             "   by octave, and summed",
             "4 last octave: scaled, converted, stored",
             "   in whole cache lines"]
    for i, words in enumerate(steps):
        text(left + width + 20, top + 14 + 24 * i, words, more='xml:space="preserve"')
    text(left, top + height + 20, "strip: up to 512 columns", GREY, 12)
    text(left, top + height + 36, "dashed: lattice rows; green: the tile in work", GREY, 12)


cells()
fill()
with open(PATH, "w", encoding="utf-8") as file:
    file.write("\n".join(['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1180 370" font-family="sans-serif">',
                          '<rect width="1180" height="370" fill="white"/>', *parts, "</svg>", ""]))
