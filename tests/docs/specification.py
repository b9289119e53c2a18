#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""perlane's field in plain Python, written from docs/specification.md and nothing else.

    specification.py [path/to/the/command]

Parameters, gradient sets, presets and constants are read from the document's tables; the rest follows
its text, section by section, whose numbers are in comments. Checks every row of
tests/vectors/specification/ and the document's table of scales. Given the perlane command, also
compares its bits with this implementation's, values and derivatives, for random fields at random and
awkward positions. PERLANE_TEST_SEED sets their seed, which is printed.
"""

import collections
import csv
import fractions
import functools
import itertools
import json
import math
import operator
import os
import random
import re
import struct
import subprocess
import sys
import types

import numpy

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DOCUMENT = os.path.join(TESTS, "../docs/specification.md")
VECTORS = os.path.join(TESTS, "vectors/specification")

# ---- The document ------------------------------------------------------------------------------


def cells_of(line):
    """The cells of a table's row; a bar within a cell is escaped."""
    return [c.strip() for c in re.split(r"(?<!\\)\|", line.strip())[1:-1]]


def tables_of(text):
    """Lists each table: the number of its section, and the rows as dicts by column."""
    tables, section = [], ""
    for line, before in zip(text.splitlines(), ["", *text.splitlines()]):
        heading = re.match(r"#+ ([0-9.]+)", line)
        section = heading[1].rstrip(".") if heading else section
        if line.startswith("|") and not before.startswith("|"):
            tables.append((section, []))
            header = cells_of(line)
        elif line.startswith("|") and not re.fullmatch(r"\|(:?-+:?\|)+", line):
            row = cells_of(line)
            if len(row) != len(header):
                raise SystemExit(f"specification: a row of {section} has another width: {line}")
            tables[-1][1].append(dict(zip(header, row)))
    return tables


with open(DOCUMENT, encoding="utf-8") as document:
    TEXT = document.read()
TABLES = tables_of(TEXT)


def rows_of(section, column):
    """The rows of the section's table that has this column."""
    return next(rows for number, rows in TABLES if number == section and column in rows[0])


def numbers_in(row):
    return [float.fromhex(x) if "0x" in x else float(x) for x in row.values()]


# ---- Arithmetic (1) -----------------------------------------------------------------------------

WORD = 0xFFFFFFFF
LONG = 0xFFFFFFFFFFFFFFFF
NOT_A_NUMBER = 0x7FC00000

PACK, UNPACK = struct.Struct("<f").pack, struct.Struct("<f").unpack


class Float(float):
    """A binary32 number, whose operations have such results; double(v) leaves it.

    An operation's double result is rounded: a double has enough digits (53 >= 2 * 24 + 2) that rounding
    twice is the same as rounding once.
    """

    def __new__(cls, v):
        try:
            return float.__new__(cls, UNPACK(PACK(v))[0])
        except OverflowError:
            return float.__new__(cls, math.copysign(math.inf, v))


def rounded(operation):
    return lambda *values: Float(operation(*values))


for name in "add radd sub rsub mul rmul truediv rtruediv neg abs".split():
    setattr(Float, f"__{name}__", rounded(getattr(float, f"__{name}__")))

double = float


def dot_product(a, b):
    """From left to right."""
    return functools.reduce(operator.add, map(operator.mul, a, b))


def bits_of(v):
    return NOT_A_NUMBER if math.isnan(v) else struct.unpack("<I", PACK(v))[0]


def float_of(bits):
    return Float(struct.unpack("<f", struct.pack("<I", bits))[0])


def long_of(v):
    return struct.unpack("<Q", struct.pack("<d", v))[0]


def double_of(bits):
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


def with_sign_of(x, y):
    """y, its sign flipped if x has the sign bit."""
    return -y if math.copysign(1.0, x) < 0 else y


def root(x):  # 3.4
    y = double_of((long_of(x) + 0x3FF0000000000000) >> 1)
    for _ in range(7):
        y = 0.5 * (y + x / y)
    return y


def inverse_root(x):  # 3.6
    y = double_of(0x5FE6EB50C7B537A9 - (long_of(x) >> 1))
    for _ in range(3):
        y = y * (1.5 - (0.5 * x) * (y * y))
    return y


# ---- The parameters -----------------------------------------------------------------------------

CHOICES, DEFAULTS = {}, {}
for row in rows_of("", "parameter"):
    kind = row["type or choices, the default first"]
    for name in row["parameter"].split(", "):
        if not row["default"]:
            CHOICES[name] = kind.split(", ")
            DEFAULTS[name] = CHOICES[name][0]
        elif row["default"] == "none":
            DEFAULTS[name] = ()  # points, bytes, vectors; of a grid rows of vectors
        elif "each axis" in kind:
            DEFAULTS[name] = (0, 0, 0, 0)
        else:
            DEFAULTS[name] = float(row["default"]) if kind == "double" else int(row["default"])


def params_of(**changes):
    return types.SimpleNamespace(**{**DEFAULTS, **changes})


def changed(params, **changes):
    return types.SimpleNamespace(**{**vars(params), **changes})


PRESETS = {
    row["preset"]: params_of(
        frequency=1.0,
        octaves_share="on",
        phase="none",
        table_offset=(0, 1, 0, 0) if row["table_offset"] == "1 along y" else (0, 0, 0, 0),
        **{name: row[name] for name in ("hash", "gradients", "fade", "normalize")},
    )
    for row in rows_of("3.10", "preset")
}

# ---- Generators of numbers (3.2, 3.5, 3.6) ------------------------------------------------------


def splitmix64(seed):
    state = seed
    while True:
        state = (state + 0x9E3779B97F4A7C15) & LONG
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & LONG
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & LONG
        yield z ^ (z >> 31)


def keys_and_phases(seed, k):  # 3.2
    """The keys of octave k, and its phases in units of 2^-24 of a cell."""
    start = next(splitmix64(seed))
    w = list(itertools.islice(splitmix64(start), 4 * k, 4 * k + 4))
    return [n >> 32 for n in w], [n & 0xFFFFFF for n in w]


def shuffled(seed):  # 3.5
    p = list(range(256))
    numbers = splitmix64(seed ^ 0x73687566666C6500)
    for i in range(255, 0, -1):
        j = (next(numbers) >> 32) * (i + 1) >> 32
        p[i], p[j] = p[j], p[i]
    return p


def primes(seed):  # 3.5
    return [r >> 56 for r in itertools.islice(splitmix64(seed ^ 0x7072696D65730000), 1024)]


PERLIN = tuple(map(int, re.search(r"\n((?:    [ 0-9]+\n){16})", TEXT)[1].split()))


def table_of(params):
    if params.hash == "perlin":
        return PERLIN
    if params.hash == "shuffled":
        return shuffled(params.seed)
    return params.hash_table or (primes(params.seed) if params.hash == "primes" else ())


def sphere(seed, dims):  # 3.6
    numbers = splitmix64(seed ^ (0x7370686572650000 + dims))
    n = {2: 31, 3: 21, 4: 16}[dims]
    vectors = []
    while len(vectors) < 256:
        r = next(numbers)
        c = [2 * (r >> (a * n) & (2**n - 1)) + 1 - 2**n for a in range(dims)]
        q = sum(x * x for x in c)
        if 4**n <= 64 * q <= 64 * 4**n:
            vectors.append(tuple(Float(double(x) * inverse_root(double(q))) for x in c))
    return vectors


# ---- Gradient sets (2.5, 2.9) and scales (3.4) ---------------------------------------------------

K, R = 53 / 128, float.fromhex("0x1.6a09e6p-1")


def listed(last):
    """The vectors of the table of 2.5 whose last column has this index."""
    rows = [list(row.values())[1:] for row in rows_of("2.5", last) if last == list(row)[-1]]
    return list(zip(*([{"k": K, "-k": -K}.get(c) or float(c) for c in row] for row in rows)))


def edge32(index):
    """A component is 0, or its sign is a bit of the index."""
    row = rows_of("2.5", "gw")[index >> 1 & 3]
    return tuple(0.0 if row[g] == "0" else -2.0 if index >> int(row[g][4:]) & 1 else 2.0
                 for g in ("gx", "gy", "gz", "gw"))  # fmt: skip


AXIS4 = [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)]
EDGES12 = listed("15")
PNOISE = EDGES12[:12] + [(2.0, 0.0, -2.0), (-2.0, 0.0, -2.0), (0.0, -2.0, 2.0), (0.0, 2.0, 2.0)]
SETS_OF_VECTORS = {
    "slopes": [(1.0,), (-1.0,)],
    "offaxis8": listed("7"),
    "axis4": AXIS4,
    "diagonal4": [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)],
    "compass8": [(R, R), (-R, R), (R, -R), (-R, -R), *AXIS4],
    "edges12": EDGES12,
    "edges32": [edge32(index) for index in range(32)],
    "pnoise": PNOISE,
    ("pnoise", 1): [(float(h + 1),) for h in range(8)] + [(-1.0,)] * 8,
}
SLICES = {("edges12", 1): 2, ("edges12", 2): 1, ("pnoise", 2): 1}  # 2.8
DEFAULT = {1: "slopes", 2: "offaxis8", 3: "edges12", 4: "edges32"}
FADES = CHOICES["fade"]
ROOTS = [float.fromhex(s) for s in ("1", "0x1.6a09e667f3bcdp+0", "0x1.bb67ae8584caap+0", "2")]

# A set by its vectors in index order; the lattice's index bits: shift and mask; lookups after the
# last axis'; unit; and the largest raw values by fade, if they are not a bound of the vectors.
Gradients = collections.namedtuple("Gradients", "vectors bits slices unit largest")


def bound_of(vectors):  # 3.4
    longest = max(dot_product(g, g) for g in vectors)
    return (root(longest) * ROOTS[len(vectors[0]) - 1]) * 0.5


def scale_of(largest):  # 3.4
    if math.frexp(largest)[0] == 0.5:
        return 1.0 / largest
    return double(float_of(bits_of(Float(1.0 / largest)) - 2))


def gradients_of(params, dims):
    """The field's gradient set; raises KeyError where there is none in that many dimensions."""
    if params.hash == "grid" or params.gradients == "table":
        vectors = params.gradient_table
        if params.hash == "grid":
            vectors = [g for row in params.gradient_grid for g in row]
        if len(vectors[0]) != dims:
            raise KeyError(dims)
        return Gradients(vectors, (12, 255), 0, 1.0, None)
    name = params.gradients
    if name == "default" or (name == "sphere" and dims == 1):
        name = DEFAULT[dims]
    return set_of(name, dims, params.seed)


def set_of(name, dims, seed=0):
    rows = (row for row in rows_of("2.9", "set") if row["set"] == name)
    row = next(row for row in rows if str(dims) in row["dimensions"].split(", "))
    vectors = SETS_OF_VECTORS.get((name, dims)) or SETS_OF_VECTORS.get(name)
    vectors = [g[:dims] for g in vectors] if vectors else sphere(seed, dims)
    scales = next(row for row in rows_of("3.4", "set") if row["set"] == name and int(row["dimensions"]) == dims)
    largest = {fade: float(re.search(r"\[(.*)\]", scales[fade])[1]) for fade in FADES}
    return Gradients(
        vectors,
        (12 if row["mask"] == "255" else 13, int(row["mask"])),
        SLICES.get((name, dims), 0),
        float(row["unit"].split(",")[0]),
        None if name == "compass8" else largest,
    )


def largest_distance(metric, output, jitter, dims):  # 3.4
    corner = 0.5 + jitter * 0.5
    centre = jitter * 0.5
    beside = 1 + jitter * 0.5
    if metric in ("squared", "euclidean"):
        found = dims * (corner * corner), (dims - 1) * (centre * centre) + beside * beside
        if metric == "euclidean":
            found = tuple(map(root, found))
    elif metric == "manhattan":
        found = dims * corner, (dims - 1) * centre + beside
    else:
        found = corner, beside
    return found[0] if output == "f1" else max(found) * 0.5 if output == "edge" else max(found)


LARGEST_SIMPLEX = dict(zip((2, 3), map(float, re.search(r"`largest` is (\S+) in 2D and (\S+) in 3D", TEXT).groups())))


def scale_and_bias(params, dims):  # 3.4
    full = params.normalize in ("full", "spread")
    if params.basis == "cellular":
        if params.cell_output == "value" or not full:
            return 1.0, 0.0
        largest = largest_distance(params.cell_metric, params.cell_output, params.jitter, dims)
        return (2 / largest) * (1 - 2.0**-20), -1.0
    if params.basis == "simplex":
        return (1 / LARGEST_SIMPLEX[dims]) * (1 - 2.0**-18), 0.0
    if params.basis != "perlin":
        return float.fromhex("0x1.fffffp-1") if full and params.basis == "value" else 1.0, 0.0
    gradients = gradients_of(params, dims)
    if not full:
        return gradients.unit, 0.0
    return scale_of(gradients.largest[params.fade] if gradients.largest else bound_of(gradients.vectors)), 0.0


# ---- From the parameters to the constants of a field (3) ----------------------------------------

Octave = collections.namedtuple("Octave", "frequency key phase amplitude bias strength period shift")


def shifts_of(params, keys):  # 3.7
    share = params.octaves_share == "on"
    return [offset + (0 if share else key) & WORD for offset, key in zip(params.table_offset, keys)]


class Field:
    """A field made ready to evaluate in some number of dimensions."""

    def __init__(self, params, dims):
        self.params, self.dims = params, dims
        self.gradients = gradients_of(params, dims) if params.basis == "perlin" else None
        self.table = table_of(params)
        count = 1 if params.fractal == "none" else params.octaves
        self.weighted = params.weighted_strength != 0 and count > 1
        self.shaped = params.fractal in ("ridged", "billow", "ping-pong", "eroded") or self.weighted

        first = params.amplitude if params.normalize == "none" else math.copysign(1.0, params.amplitude)
        frequencies, powers, periods = [params.frequency], [first], [params.period]
        for _ in range(1, count):
            frequencies.append(frequencies[-1] * params.lacunarity)
            powers.append(powers[-1] * params.gain)
            periods.append([p * params.lacunarity for p in periods[-1]])
        total = functools.reduce(operator.add, map(abs, powers))
        margin = 1.0 if count == 1 else 1.0 - count * 2.0**-23
        spread = root(dot_product(powers, powers))
        scale, bias = scale_and_bias(params, dims)
        late = self.shaped or params.contrast != 1 or bool(params.curve) or params.terraces > 0
        late = late or params.falloff != 0 or params.valleys != 0
        last = 1.0 if late else params.value_scale
        self.frequencies, self.octaves = frequencies, []
        for k, power in enumerate(powers):
            a = {"full": power / total * margin, "octaves": power / total, "none": power, "spread": power / spread}[
                params.normalize
            ]
            keys, phases = keys_and_phases(params.seed, 0 if params.octaves_share == "on" else k)
            self.octaves.append(
                Octave(
                    frequencies[k],
                    keys,
                    phases if params.phase == "seeded" else [0] * 4,
                    Float(scale if self.shaped else (a * scale) * last),
                    Float(bias if self.shaped else (a * bias) * last),
                    Float(a),
                    [int(p) for p in periods[k]],
                    shifts_of(params, keys),
                )
            )
        self.size = Float(params.value_scale if late else 1.0)
        self.offset = Float(params.value_offset)
        self.pieces = pieces_of(params.curve, params.curve_shape) if params.curve else None
        self.rounds = displacements(params, dims) if params.warp_amplitude != 0 else []
        self.land = Land(self) if params.valleys != 0 else None

    def show(self, h):  # 2.23
        """Leaves the octaves that samples h apart show."""
        if self.land:
            cells = h * (self.params.frequency * self.params.valley_cells)
            shown = itertools.takewhile(lambda i: cells * 2.0**i <= 0.5, range(1, self.land.levels + 1))
            self.land.levels = len(list(shown))
        else:
            last = max((k for k, each in enumerate(self.frequencies) if h * each <= 0.5), default=0)
            del self.octaves[last + 1 :]
        return self


def displacement_seeds(seed):  # 2.18
    return splitmix64(seed ^ 0x7761727000000000)


def displacement_periods(params):  # 3.7
    """None where they do not fit."""
    periods = []
    for period in params.period:
        exact = period * (params.warp_frequency / params.frequency)
        if not exact < 2**31:
            return None
        nearest = round(exact)
        if abs(nearest - fractions.Fraction(exact)) > nearest * fractions.Fraction(1, 2**40):
            return None
        if period and not periods_fit(nearest, params.warp_lacunarity, params.warp_octaves):
            return None
        periods.append(nearest)
    return tuple(periods)


def periods_fit(period, lacunarity, octaves):  # 3.7
    length = float(period)
    for _ in range(octaves):
        if not (length == int(length) and 1 <= length <= 2**30):
            return False
        length = length * lacunarity
    return True


def displacements(params, dims):  # 2.18
    """The fields that displace positions: for each round, one for each axis."""
    seeds = displacement_seeds(params.seed)
    rounds = [list(itertools.islice(seeds, 4)) for _ in range(params.warp_rounds)]
    common = {name: getattr(params, "warp_" + name) for name in ("frequency", "octaves", "lacunarity", "gain")}
    common["period"] = displacement_periods(params)
    return [[Field(params_of(seed=seed, **common), dims) for seed in of_axes[:dims]] for of_axes in rounds]


# ---- Curves and terraces (2.17, 3.11) -----------------------------------------------------------

Piece = collections.namedtuple("Piece", "start c0 c1 c2 c3")
Pieces = collections.namedtuple("Pieces", "pieces low high")


def are_apart(x, following):  # 3.9
    """Whether two points of a curve may follow each other."""
    return following - x >= 1e-6 and Float(x) < Float(following)


def pieces_of(points, shape):  # 3.11
    x, y = zip(*points)
    count = len(points) - 1
    width = [x[i + 1] - x[i] for i in range(count)]
    line = [(y[i + 1] - y[i]) / width[i] for i in range(count)]
    slope = [line[0]]
    for i in range(1, count):
        b, a = line[i - 1], line[i]
        p = (b * width[i] + a * width[i - 1]) / (width[i - 1] + width[i])
        steep = 2 * min(abs(b), abs(a), 0.5 * abs(p))
        slope.append(steep if b > 0 and a > 0 else -steep if b < 0 and a < 0 else 0.0)
    slope.append(line[-1])
    pieces = []
    for i in range(count):
        begin, c2, c3 = line[i], 0.0, 0.0
        if shape == "smooth":
            begin, end = slope[i], slope[i + 1]
            c2 = (3 * line[i] - 2 * begin - end) / width[i]
            c3 = (begin + end - 2 * line[i]) / (width[i] * width[i])
        pieces.append(Piece(*map(Float, (x[i], y[i], begin, c2, c3))))
    pieces.append(Piece(*map(Float, (x[-1], y[-1], 0.0, 0.0, 0.0))))
    heights = [piece.c0 for piece in pieces]
    return Pieces(pieces, min(heights), max(heights))


def curved(curve, v):  # 2.17
    """The value on a curve, and the factor of derivatives."""
    first, last = curve.pieces[0].start, curve.pieces[-1].start
    c = first if v < first else last if v > last else v
    i = max(i for i, piece in enumerate(curve.pieces) if i == 0 or c >= piece.start)
    start, c0, c1, c2, c3 = curve.pieces[i]
    t = c - start
    y = c0 + (c1 + (c2 + c3 * t) * t) * t
    y = curve.low if y < curve.low else curve.high if y > curve.high else y
    return y, None if not first <= v <= last else c1 + (2 * c2 + (3 * c3) * t) * t


def terraced(terraces, sharpness, v):  # 2.17
    """The value among terraces, and the factor of derivatives."""
    H = Float(terraces / 2)
    C = Float(sharpness / (1 - sharpness))
    t = (v + 1) * H
    w = math.floor(t)
    f = t - w
    m = f if f <= 0.5 else 1 - f
    b = C * (1 - (m + m)) + 1
    r = m / b
    s = r if f <= 0.5 else 1 - r
    return (w + s) / H - 1, (C + 1) / (b * b)


# ---- One octave at a position (2.1 to 2.6, 2.8 to 2.10) -----------------------------------------


def grid_position(origin, step, index):  # 2.1
    return origin + float(index) * step


def cell_and_fraction(cells, phase):  # 2.2
    t = round(fractions.Fraction(cells) * 2**24 + phase)  # exact; Python rounds ties to even
    return t, t >> 24, Float((t & 0xFFFFFF) / 2.0**24)


FADE = {row["fade"]: (int(row["A"]), int(row["B"])) for row in rows_of("2.3", "A")}
FADE_SLOPE = {row["fade"]: tuple(int(row[d]) for d in ("d2", "d1", "d0")) for row in rows_of("2.13", "d2")}


def fade(name, f):  # 2.3, 2.13: w, u and u's derivative
    (A, B), (d2, d1, d0) = FADE[name], FADE_SLOPE[name]
    c = f - 0.5
    s = f * (1 - f)
    w = c + c * (s * (A + B * s))
    return w, 0.5 + w, (d2 * s + d1) * s + d0


MULTIPLIER = [0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35, 0x27D4EB2F]


def signed16(half):
    return half - 0x10000 if half & 0x8000 else half


def dot(a, b):  # 2.4
    return (signed16(a & 0xFFFF) * signed16(b & 0xFFFF) + signed16(a >> 16) * signed16(b >> 16)) & WORD


def axis_word(cell, axis, key):  # 2.4
    high = (cell + 2**31) >> 32
    c = (cell & WORD) ^ ((high & WORD) * 0x9E3779B1 & WORD)
    v = (c * MULTIPLIER[axis] + key) & WORD
    return dot(v, 0x2C1B3C6D) ^ v


def joined_words(word):  # 2.5: m
    if len(word) == 1:
        return dot(word[0] ^ word[0] >> 15, 0x2C1B3C6D)
    if len(word) == 4:
        return dot(dot(word[0], word[1]), dot(word[2], word[3]))
    return functools.reduce(lambda joined, w: dot(w, joined), reversed(word))


def table_index(name, table, shift, cell, slices):  # 2.8
    if name == "primes":
        return table[(cell[0] * 1836311903 ^ (cell[1] * 2971215073 + 4807526976)) & 1023]
    h = 0
    for x, offset in zip(cell, shift):
        h = table[(h + x + offset) & 255]
    for _ in range(slices):
        h = table[h]
    return h


def mixed(h):  # 2.10
    h ^= h >> 16
    h = h * 0x7FEB352D & WORD
    h ^= h >> 15
    h = h * 0x846CA68B & WORD
    return h ^ (h >> 16)


def uniform(h):  # 2.10
    return Float(((h >> 7 | 1) - 2**24) * 2.0**-24)


LOGARITHM = [*map(Float, numbers_in(rows_of("2.10", "l3")[0]))]
SINE = [*map(Float, numbers_in(rows_of("2.10", "s1")[0]))]


def horner(coefficients, x):
    return functools.reduce(lambda sum_, c: c + x * sum_, reversed(coefficients))


def radius_and_turn(h):  # 2.10
    bits = bits_of(((h >> 8) + 1) * 2.0**-24)
    e = (bits + 0x004AFB0D) >> 23
    M = float_of(bits - (e << 23) + 0x3F800000)
    S = (M - 1) / (M + 1)
    q = S * S
    t = S + S * (q * horner(LOGARITHM, q))
    log = (Float(e) - 127) * float.fromhex("0x1.62e43p-1") + (t + t)
    radius = Float(math.sqrt(log * -2 + 0.0))
    V = Float((mixed(h + 0x9E3779B9 & WORD) >> 8) * 2.0**-24)
    return radius, 0.25 - abs(V - 0.5)


def gaussian(h):  # 2.10
    radius, z = radius_and_turn(h)
    return radius * (z * horner(SINE, z * z))


Axis = collections.namedtuple("Axis", "f cell word")  # cell, word: the lower and upper corner's


def axis_of(field, octave, axis, x):  # 2.2, 2.4
    _, cell, f = cell_and_fraction(x * octave.frequency, octave.phase[axis])
    cells = [cell, cell + 1]
    period = octave.period[axis]
    if field.params.hash == "grid":
        grid = field.params.gradient_grid
        period = len(grid) if axis else len(grid[0])
    if period:
        cells = [n % period for n in cells]
    return Axis(f, cells, [axis_word(n, axis, octave.key[axis]) for n in cells])


def gradient_at(field, octave, axes, corner):  # 2.5, 2.8, 2.9
    params, gradients = field.params, field.gradients
    cell = [axis.cell[n] for axis, n in zip(axes, corner)]
    if params.hash == "grid":
        return [*map(Float, params.gradient_grid[cell[1]][cell[0]])]
    if params.hash == "lattice":
        shift, mask = gradients.bits
        index = joined_words([axis.word[n] for axis, n in zip(axes, corner)]) >> shift & mask
    else:
        index = table_index(params.hash, field.table, octave.shift, cell, gradients.slices)
    return [*map(Float, gradients.vectors[index % len(gradients.vectors)])]


def value_at_corner(field, octave, axes, corner):  # 2.10
    params = field.params
    if params.basis in ("white", "gaussian"):
        corner = (0,) * field.dims
    if params.hash == "lattice":
        h = mixed(sum(axis.word[n] for axis, n in zip(axes, corner)) & WORD)
        return gaussian(h) if params.basis == "gaussian" else uniform(h)
    cell = [axis.cell[n] for axis, n in zip(axes, corner)]
    return Float((2 * table_index(params.hash, field.table, octave.shift, cell, 0) - 255) * 2.0**-8)


class Step:
    """How the two ends of an axis are joined (2.3, 2.6)."""

    def __init__(self, name, f, amplitude):
        self.w, self.u, _ = fade(name, f)
        self.a0 = (f * (1 - self.u)) * amplitude
        self.a1 = ((f - 1) * self.u) * amplitude

    def value(self, p, q):
        return (p + q) * 0.5 + self.w * (q - p)

    def tilt(self, p, q):
        return p + self.u * (q - p)

    def ramp(self, p, q):
        return self.a0 * p + self.a1 * q


class Slope:
    """The derivatives of a step's three (2.13)."""

    def __init__(self, name, f, octave):
        _, u, d = fade(name, f)
        G = Float(double(octave.amplitude) * octave.frequency)
        self.e = d * Float(octave.frequency)
        self.b0 = ((1 - u) - f * d) * G
        self.b1 = (u + (f - 1) * d) * G

    def value(self, p, q):
        return self.e * (q - p)

    tilt = value

    def ramp(self, p, q):
        return self.b0 * p + self.b1 * q


Row = collections.namedtuple("Row", "value tilt")  # tilt by axis, from y on


def row_of(field, octave, step, ends):  # 2.6, 2.10
    if field.params.basis == "perlin":
        (x0, *others0), (x1, *others1) = ends
        return Row(step.ramp(x0, x1), [*map(step.tilt, others0, others1)])
    return Row(step.value(*(v * octave.amplitude for v in ends)), [Float(0)] * (field.dims - 1))


def fold(step, low, high):  # 2.6: along the last axis that they have
    value = step.value(low.value, high.value) + step.ramp(low.tilt[-1], high.tilt[-1])
    return Row(value, [*map(step.tilt, low.tilt[:-1], high.tilt[:-1])])


def combine(field, octave, steps, ends):  # 2.6
    """ends: gradients or values by corner, 0 or 1 along each axis. The last axis folds first."""
    rows = {
        corner: row_of(field, octave, steps[0], [ends[(n,) + corner] for n in (0, 1)])
        for corner in corners(field.dims - 1)
    }
    for b in range(field.dims - 1, 0, -1):
        rows = {corner: fold(steps[b], rows[corner + (0,)], rows[corner + (1,)]) for corner in corners(b - 1)}
    return rows[()].value


def corners(n):
    return itertools.product((0, 1), repeat=n)


# ---- Cellular noise (2.15) ----------------------------------------------------------------------

COORDINATE_BITS = {1: 24, 2: 16, 3: 11}


def numbers_of_point(h, dims):
    """The integers that give a point's coordinates."""
    return {1: [h >> 8], 2: [h >> 16, h & 0xFFFF], 3: [h >> 21, h >> 10 & 0x7FF, h & 0x7FF]}[dims]


def jitter_constants(jitter, dims):
    """j and a."""
    B = COORDINATE_BITS[dims]
    return Float(jitter * 2.0**-B), Float(0.5 + jitter * (2.0 ** -(B + 1) - 0.5))


def distances_along(h, constants, f, offset):
    """d along each axis."""
    j, a = constants
    return [Float(i) * j - ((x - Float(o)) - a) for i, x, o in zip(numbers_of_point(h, len(f)), f, offset)]


def sum_of_axes(parts):
    """x first, then from the last axis on."""
    return functools.reduce(operator.add, parts[:1] + parts[:0:-1])


def distance(metric, d):
    """D."""
    parts = [x * x if metric in ("squared", "euclidean") else abs(x) for x in d]
    return max(parts) if metric == "chebyshev" else sum_of_axes(parts)


def distance_to_border(nearest, cell, j):
    """t, of cells that are (h, offset, d), and its derivatives along the axes."""
    own, other = (numbers_of_point(h, len(d)) for h, _, d in (nearest, cell))
    e = [(Float(b) * j - Float(a) * j) + Float(p - o) for a, b, o, p in zip(own, other, nearest[1], cell[1])]
    s = Float(0.5) / Float(math.sqrt(distance("squared", e)))
    t = sum_of_axes([(a + b) * (x * s) for a, b, x in zip(nearest[2], cell[2], e)])
    return t, [(x * s) * -2 for x in e]


def slopes_of_distance(metric, D, d):
    """w along each axis."""
    if metric == "euclidean":
        S = -1 / Float(math.sqrt(D)) if D != 0 else Float(0)
        return [x * S for x in d]
    if metric == "squared":
        return [x * -2 for x in d]
    signs = [Float((x < 0) - (x > 0)) for x in d]
    if metric == "chebyshev":
        along = [abs(x) for x in d].index(D)
        return [sign if a == along else Float(0) for a, sign in enumerate(signs)]
    return signs


def number_of_cell(h):
    return uniform(h * 0x9E3779B1 & WORD)


def search_cells(field, octave, position):
    """D, the place in the order of offsets, and (h, offset, d) of each cell, nearest first."""
    params, dims, metric = field.params, field.dims, field.params.cell_metric
    reach = 1 if dims == 1 or metric == "chebyshev" else 3 if dims == 3 and metric == "manhattan" else 2
    offsets = range(-reach, reach + 1)
    f, words = [], []
    for a, x in enumerate(position):
        _, cell, fraction = cell_and_fraction(x * octave.frequency, octave.phase[a])
        cells = [(cell + o) % octave.period[a] if octave.period[a] else cell + o for o in offsets]
        f.append(fraction)
        words.append({o: axis_word(n, a, octave.key[a]) for o, n in zip(offsets, cells)})
    constants = jitter_constants(params.jitter, dims)
    found = []  # in the order of the offsets, x fastest
    for reverse in itertools.product(offsets, repeat=dims):
        offset = reverse[::-1]
        h = mixed(sum(words[a][o] for a, o in enumerate(offset)) & WORD)
        d = distances_along(h, constants, f, offset)
        found.append((distance(metric, d), len(found), (h, offset, d)))
    return sorted(found)


def root_of(metric, distance):
    """F1 or F2."""
    return Float(math.sqrt(distance)) if metric == "euclidean" else distance


def cellular(field, octave, position):
    """n, and its derivatives along the axes, per unit of position."""
    params, output, metric = field.params, field.params.cell_output, field.params.cell_metric
    (d1, _, nearest), (d2, _, second), *_ = found = search_cells(field, octave, position)
    if output == "value":
        return number_of_cell(nearest[0]) * octave.amplitude, [Float(0)] * field.dims
    if output == "edge":
        j, _ = jitter_constants(params.jitter, field.dims)
        planes = [(*distance_to_border(nearest, cell, j), place) for _, place, cell in found[1:]]
        edge, slopes, _ = min(planes, key=lambda plane: (plane[0], plane[2]))
        n = edge if edge > 0 else Float(0)
    else:
        w1, w2 = slopes_of_distance(metric, d1, nearest[2]), slopes_of_distance(metric, d2, second[2])
        d1, d2 = root_of(metric, d1), root_of(metric, d2)
        difference = d2 - d1, [b - a for a, b in zip(w1, w2)]
        n, slopes = {"f1": (d1, w1), "f2": (d2, w2), "f2_minus_f1": difference}[output]
    G = Float(double(octave.amplitude) * octave.frequency)
    return n * octave.amplitude + octave.bias, [w * G for w in slopes]


# ---- Simplex noise (2.21) -----------------------------------------------------------------------

SKEW = {2: float.fromhex("0x1.76cf5d0b09954p-2"), 3: float.fromhex("0x1.5555555555555p-2")}
SIMPLEX_SETS = {
    dims: [*zip(*([Float(float(c)) for c in list(row.values())[1:]] for row in rows))]
    for dims, rows in zip((2, 3), (rows for number, rows in TABLES if number == "2.21"))
}


def units_of(v):
    """q(v) * 2^24, a whole number."""
    return round(fractions.Fraction(v) * 2**24)


def lattice_coordinates(cells, phases):
    """X and f along each axis."""
    U = [units_of(x) for x in cells]
    S = [units_of((u / 2**24) * SKEW[len(cells)]) for u in U]
    L = [u + sum(S) + phase for u, phase in zip(U, phases)]
    return [n >> 24 for n in L], [Float((n & 0xFFFFFF) / 2.0**24) for n in L]


def simplex_falloff(c, f, d):
    """T before it is clamped, and S."""
    if len(f) == 2:
        e = d[0] - d[1]
        return (0.75 - e * e) - d[0] * d[1], None
    p, q, r = sorted(f, reverse=True)
    S = ((p + q) + r) - c
    p, q, r = (x - (1 if c > i else 0) for i, x in enumerate((p, q, r)))
    return (0.5 + (S * S) * 0.25) - ((p * p + q * q) + r * r), S


def simplex_part(c, cells, f, keys):
    """A corner's part, then its derivatives along the axes of the lattice."""
    axes = range(len(f))
    order = sorted(axes, key=lambda a: (-f[a], a))
    o = [1 if order.index(a) < c else 0 for a in axes]
    d = [x - n for x, n in zip(f, o)]
    m = joined_words([axis_word(x + n, a, key) for a, (x, n, key) in enumerate(zip(cells, o, keys))])
    g = SIMPLEX_SETS[len(f)][m >> 13 & 7]
    T, S = simplex_falloff(c, f, d)
    T = T if T > 0 else Float(0)
    h = T * T
    k = h * h
    ramp = dot_product(g, d)
    w = ((h * T) * ramp) * (4 if len(f) == 2 else 8)
    bends = [(d[1 - a] - d[a]) - d[a] if len(f) == 2 else S * 0.25 - d[a] for a in axes]
    return [k * ramp] + [k * each + w * bend for each, bend in zip(g, bends)]


def simplex(field, octave, position, frequency):
    """n, and its derivatives along the axes, with the given frequency in G."""
    cells, f = lattice_coordinates([x * octave.frequency for x in position], octave.phase)
    parts = [simplex_part(c, cells, f, octave.key) for c in range(field.dims + 1)]
    if field.dims == 2:
        n, *l = [(a + c) + b for a, b, c in zip(*parts)]
    else:
        n, *l = [(a + b) + (c + d) for a, b, c, d in zip(*parts)]
    s = functools.reduce(operator.add, l)
    G = Float(double(octave.amplitude) * frequency)
    return n * octave.amplitude, [(each + s * Float(SKEW[field.dims])) * G for each in l]


def noise(field, octave, position, with_slopes, per_cell=False):
    """n, and its derivatives along the axes, per unit of position or per cell."""
    if field.params.basis == "simplex":
        n, slopes = simplex(field, octave, position, 1.0 if per_cell else octave.frequency)
        return n, slopes if with_slopes else []
    if field.params.basis == "cellular":
        n, slopes = cellular(field, octave, position)
        return n, slopes if with_slopes else []
    axes = [axis_of(field, octave, a, x) for a, x in enumerate(position)]
    at = gradient_at if field.params.basis == "perlin" else value_at_corner
    ends = {corner: at(field, octave, axes, corner) for corner in corners(field.dims)}
    name = field.params.fade
    steps = [Step(name, axis.f, octave.amplitude) for axis in axes]
    unit = octave._replace(frequency=1.0) if per_cell else octave
    slopes = [combine(field, octave, steps[:a] + [Slope(name, axis.f, unit)] + steps[a + 1 :], ends)
              for a, axis in enumerate(axes) if with_slopes]  # fmt: skip
    return combine(field, octave, steps, ends), slopes


# ---- The sum of the octaves, and its end (2.7, 2.11 to 2.13, 2.16 to 2.18) ----------------------


def shape(params, n, slopes):  # 2.11, 2.13
    """v and g, each with its derivatives."""
    a = abs(n)
    j = [with_sign_of(n, d) for d in slopes]
    if params.fractal == "ridged":
        v, v_slopes, g, g_slopes = 1 - (a + a), [-(x + x) for x in j], 1 - a, [-x for x in j]
    elif params.fractal == "billow":
        v, v_slopes, g, g_slopes = (a + a) - 1, [x + x for x in j], a, j
    elif params.fractal == "ping-pong":
        P = Float(params.ping_pong_strength)
        t = (n + 1) * P
        t = t - 2 * Float(math.floor(t * 0.5))
        b = abs(t - 1)
        j = [with_sign_of(t - 1, P * d) for d in slopes]
        v, v_slopes, g, g_slopes = 1 - (b + b), [-(x + x) for x in j], 1 - b, [-x for x in j]
    else:
        v, v_slopes, g, g_slopes = n, slopes, (n + 1) * 0.5, [d * 0.5 for d in slopes]
    if not 0 < g < 1:
        g, g_slopes = Float(min(max(g, 0), 1)), [Float(0)] * len(slopes)
    return v, v_slopes, g, g_slopes


def octave_sum(field, position, with_slopes):  # 2.7, 2.11, 2.13
    params = field.params
    Q, E = Float(params.weighted_strength), Float(params.erosion)
    eroded, steepness, total = params.fractal == "eroded", None, None
    W, W_slopes = Float(1), [Float(0)] * field.dims
    for octave in field.octaves:
        x, x_slopes = noise(field, octave, position, with_slopes or eroded, per_cell=eroded)
        if eroded:  # 2.16
            steepness = [g + s for g, s in zip(steepness, x_slopes)] if steepness else x_slopes
            damping = 1 + E * dot_product(steepness, steepness)
            x_slopes = []
        if field.shaped:
            v, v_slopes, g, g_slopes = shape(params, x, x_slopes)
            x, x_slopes = v * octave.strength, [d * octave.strength for d in v_slopes]
            x = x / damping if eroded else x
            if field.weighted:
                x_slopes = [d * W + x * w for d, w in zip(x_slopes, W_slopes)]
                x = x * W
                L = 1 + Q * (g - 1)
                W_slopes = [w * L + W * (Q * d) for w, d in zip(W_slopes, g_slopes)]
                W = W * L
        first = total is None
        total, slopes = (x, x_slopes) if first else (total + x, [s + d for s, d in zip(slopes, x_slopes)])
    return total, slopes


def end(field, v, slopes):  # 2.12, 2.13
    contrast = field.params.contrast
    if contrast == 0:
        v, slopes = Float((v > 0) - (v < 0)), [Float(0)] * len(slopes)
    elif contrast > 1:
        p = functools.reduce(operator.mul, [abs(v)] * (contrast - 1))
        v, slopes = v * p, [(contrast * p) * d for d in slopes]
    if field.pieces:
        v, factor = curved(field.pieces, v)
        slopes = [Float(0) if factor is None else d * factor for d in slopes]
    if field.params.terraces > 0:
        v, factor = terraced(field.params.terraces, field.params.terrace_sharpness, v)
        slopes = [d * factor for d in slopes]
    if field.size != 1:
        v, slopes = v * field.size, [d * field.size for d in slopes]
    if field.offset != 0:
        v = v + field.offset
    return v, slopes


def has_slopes(params):  # 2.13
    return params.valley_output != "river" if params.valleys != 0 else params.fractal != "eroded"


def in_domain(field, position):
    frequencies = field.frequencies + ([field.land.F] if field.land else [])
    return all(abs(x * each) <= (2.0**52 if field.land else 2.0**53) for each in frequencies for x in position)


def warped(field, position, with_slopes):  # 2.18
    """The displaced position, its derivatives, by its axes along the position's, and by how much."""
    M = field.params.warp_amplitude
    m, q, J, added = Float(M), position, None, []
    axes = range(field.dims)
    for displacement in field.rounds:
        found = [sample(of_axis, q, with_slopes) for of_axis in displacement]
        added = [M * double(d) for d, _ in found]
        q = [p + each for p, each in zip(position, added)]
        if with_slopes:
            slopes = [s if J is None else [dot_product(s, [row[b] for row in J]) for b in axes] for _, s in found]
            J = [[1 + m * slopes[a][b] if a == b else m * slopes[a][b] for b in axes] for a in axes]
    return q, J, added


def lowered(params, position, v, slopes):  # 2.19
    axes, E, F = range(len(position)), params.falloff_end, params.falloff
    R = params.falloff_start / E
    S = R * R
    u = [min(max(Float((p - getattr(params, "falloff_" + a)) * (1 / E)), -2), 2) for p, a in zip(position, "xyzw")]
    u = [Float(x) for x in u]
    m = [1 - Float(min(x * x, 1)) for x in u]
    is_square = params.falloff_shape == "square"
    q = 1 - functools.reduce(operator.mul, m) if is_square else dot_product(u, u)
    t = Float(min(max((q - Float(S)) * Float(1 / (1 - S)), 0), 1))
    D = Float(12 * F / (1 - S) / E) if slopes else None
    found = []
    for a, slope in zip(axes, slopes):
        w = ((t * (1 - t)) * D) * u[a]
        for b in axes:
            if is_square and b != a:
                w = w * m[b]
        found.append(slope - w)
    return v - Float(F) * ((t * t) * (3 - (t + t))), found


def clamped(v, low, high):
    return Float(low if v < low else high if v > high else v)


# ---- Valleys (2.22) -------------------------------------------------------------------------------

NUMBERS = "length ux uy base rise curve slope lean width head_x head_y"
Channel = collections.namedtuple("Channel", "k a " + NUMBERS)
Point = collections.namedtuple("Point", "place h g o")
Wedge = collections.namedtuple("Wedge", "z a b t free e r m n q f")
Around = collections.namedtuple("Around", "channels corner starts sizes numbers")  # arrays of the channels' numbers

single = numpy.float32  # operations of these, and of arrays of them, round to binary32
ONE = single(1)


def byte(n, g):
    return single((g >> 8 * n) & 255) * single(2.0**-8)


def signed_byte(n, g):
    """From -1 on, below 1."""
    return single(2) * byte(n, g) - ONE


def apart(to, place):
    """diff along both axes."""
    return [single(a - b) * single(2.0**-24) for a, b in zip(to, place)]


def moved(place, by):
    return tuple(p + 16 * int(numpy.rint(v * single(2.0**20))) for p, v in zip(place, by))


def kept_within(v, low, high):
    return numpy.minimum(numpy.maximum(v, single(low)), high)


def length_of(x, y):
    return numpy.sqrt(x * x + y * y)


def line(start, end):
    """The length and the unit vector of a channel."""
    x, y = apart(end, start)
    length = length_of(x, y)
    return (length, x / length, y / length) if length != 0 else (length, ONE, single(0))


def lean_of(s, slope):
    return s / numpy.sqrt(slope * slope - s * s)


def along_and_across(channel, place):
    """a and b."""
    x, y = apart(place, channel.a)
    return x * channel.ux + y * channel.uy, x * channel.uy - y * channel.ux


def wedges_of(around, place):
    """The wedges above a place, an array of each number; z is infinite where there is none."""
    size = around.sizes
    near, far = (
        numpy.where(size == 1, single(trunk), single(side) * (size * size))
        for trunk, side in ((9, 5.0625), (15.50390625, 8.62890625))
    )
    length, ux, uy, base, rise, curve, slope, lean, width, head_x, head_y = around.numbers
    x, y = (
        (p - corner - start).astype(single) * single(2.0**-24)
        for p, corner, start in zip(place, around.corner, around.starts)
    )
    a = x * ux + y * uy
    b = x * uy - y * ux
    free = a - abs(b) * lean
    t = kept_within(free, 0, length)
    e = a - t
    r = numpy.sqrt((e * e + b * b) + width * width)
    m, n = a - head_x, b - head_y
    q = m * m + n * n
    with numpy.errstate(divide="ignore", invalid="ignore", over="ignore"):
        f = numpy.maximum(q - near, single(0)) / (far - q)
        z = ((base + t * (rise + curve * t)) + slope * r) + (slope * size) * (f * f)
    return Wedge(numpy.where(q < far, z, numpy.inf), a, b, t, free, e, r, m, n, q, f), far


class Land:
    def __init__(self, field):
        self.field, params = field, field.params
        total = functools.reduce(operator.add, [abs(double(octave.strength)) for octave in field.octaves])
        self.F = params.frequency * params.valley_cells
        self.S = single(params.valleys * total)
        self.levels = params.valley_octaves
        start = next(splitmix64(params.seed ^ 0x76616C6C65797300))
        words = list(itertools.islice(splitmix64(start), 4 * (self.levels + 1)))
        self.key = [[r >> 32 for r in words[4 * k : 4 * k + 2]] for k in range(self.levels + 1)]
        self.phase = [r % 2**24 if params.phase == "seeded" else 0 for r in words[:2]]
        self.period = [int(p * params.valley_cells) for p in params.period[:2]]
        self.depth, self.width, g, v = [], [], 1.0, params.valley_floor
        for _ in range(self.levels + 1):
            self.depth.append(single(1 - g))
            self.width.append(single(v))
            g, v = g * params.valley_gain, v * 0.375
        for name in ("point", "height", "target", "trunk_of", "side_channel", "around"):  # of a cell, remembered
            setattr(self, name, functools.lru_cache(None)(getattr(self, "find_" + name)))

    def reduced(self, cell, k):
        return [n % (p << k) if p else n for n, p in zip(cell, self.period)]

    def find_point(self, k, cell):
        h = mixed(sum(axis_word(n, a, self.key[k][a]) for a, n in enumerate(self.reduced(cell, k))) & WORD)
        o = [(((i << 8) >> k) >> 4) * 16 for i in (h >> 16, h & 0xFFFF)]
        return Point(tuple((n << (24 - k)) + each for n, each in zip(cell, o)), h, mixed((h + 0x9E3779B9) & WORD), o)

    def find_height(self, cell):
        o = self.point(0, cell).o
        position = [
            (double(n) + (double(each) - double(phase)) * 2.0**-24) / self.F
            for n, each, phase in zip(self.reduced(cell, 0), o, self.phase)
        ]
        v, _ = octave_sum(self.field, position, False)
        return single(lowered(self.field.params, position, v, [])[0] if self.field.params.falloff != 0 else v)

    def find_target(self, cell):
        """The cell of the target, None for a pit."""
        c, z = self.point(0, cell), self.height(cell)
        for reach in (1, 2):
            best, found = single(0), None
            for j, i in itertools.product(range(-reach, reach + 1), repeat=2):
                other = (cell[0] + i, cell[1] + j)
                r = self.point(0, other)
                x, y = apart(r.place, c.place)
                q = x * x + y * y
                if (i, j) == (0, 0) or not q < single(8.25):
                    continue
                fall = (z - self.height(other)) / max(numpy.sqrt(q), single(0.125))
                if reach == 1:
                    fall = fall * (single(0.5) + single((c.h * 0x2C1B3C6D + r.h & WORD) >> 24) * single(2.0**-8))
                if fall > best:
                    best, found = fall, other
            if found:
                return found
        return None

    def trunk(self, cell, A, zA):
        c, z = self.point(0, cell), self.height(cell)
        x, y = apart(c.place, A)
        B = single(0.3125) * signed_byte(1, c.g)
        M = moved(A, (single(0.5) * x - B * y, single(0.5) * y + B * x))
        lines = line(A, M), line(M, c.place)
        slope = self.S * (ONE + single(0.1875) * signed_byte(0, c.g))
        length = lines[0][0] + lines[1][0]
        s = kept_within((z - zA) / length if length != 0 else single(0), 0, single(0.875) * slope)
        width, (_, ux, uy) = self.width[0], lines[0]
        ends = [
            (A, zA - slope * width, x * ux + y * uy, x * uy - y * ux),
            (M, (zA + s * lines[0][0]) - slope * width, lines[1][0], single(0)),
        ]
        return [
            Channel(0, a, *each, base, s, single(0), slope, lean_of(s, slope), width, head_x, head_y)
            for each, (a, base, head_x, head_y) in zip(lines, ends)
        ]

    def find_trunk_of(self, cell):
        c, z, target = self.point(0, cell), self.height(cell), self.target(cell)
        if target is None:
            return self.trunk(cell, c.place, z)[:1]
        T, beyond = self.point(0, target), self.target(target)
        if c.g >> 24 < 128 and not T.g >> 24 < 128 and beyond is not None:
            channels = self.trunk(target, self.point(0, beyond).place, self.height(beyond))
            J = byte(2, c.g)
            p, share = (channels[0], single(0.25) + single(1.5) * J) if J < 0.5 else (channels[1], (J - single(0.5)) * single(1.5))
            e = share * p.length
            A, zA = moved(p.a, (p.ux * e, p.uy * e)), (p.base + p.rise * e) + p.slope * p.width
            x, y = apart(A, c.place)
            if x * x + y * y < single(8.25) and zA < z:
                return self.trunk(cell, A, zA)
        return self.trunk(cell, T.place, self.height(target))

    def find_side_channel(self, k, cell):
        P = self.point(k, cell)
        p, wedge, _ = self.lowest(k - 1, P.place)
        size, g = single(2.0**-k), P.g
        t = kept_within(wedge.a - abs(wedge.b) * (single(0.125) + single(0.875) * byte(1, g)), 0, p.length)
        foot = (p.base + t * (p.rise + p.curve * t)) + p.slope * p.width
        A = moved(p.a, (p.ux * t, p.uy * t))
        length, ux, uy = line(A, P.place)
        if length < single(0.25) * size or length > single(2) * size or byte(2, g) < single(0.0625):
            return None
        slope = p.slope * (ONE + single(0.0625) * byte(3, g))
        s = (self.depth[k] * (ONE + single(0.125) * signed_byte(0, g))) * max(wedge.z - foot, single(0)) / length
        s = min(s, single(0.875) * slope)
        width = self.width[k]
        rise, curve = s * single(0.5), s * (single(0.5) / length)
        return Channel(k, A, length, ux, uy, foot - slope * width, rise, curve, slope, lean_of(s, slope), width, length, single(0))

    def channels_around(self, k, place):
        return self.around(k, tuple(n >> (24 - k) for n in place))

    def find_around(self, k, cell):
        """The channels of the levels 0 .. k around a cell of level k, in their order."""
        found = []
        for level in range(k + 1):
            reach = 3 if level else 4
            x, y = (n >> (k - level) for n in cell)
            around = [(x + i, y + j) for j, i in itertools.product(range(-reach, reach + 1), repeat=2)]
            if level == 0:
                trunks = [self.trunk_of(each) for each in around]
                found += [each[0] for each in trunks] + [each[1] for each in trunks if len(each) == 2]
            else:
                found += [c for c in (self.side_channel(level, each) for each in around) if c]
        corner = [n << (24 - k) for n in cell]
        starts = numpy.array([[a - n for a, n in zip(c.a, corner)] for c in found]).T
        sizes = numpy.array([2.0**-c.k for c in found], single)
        return Around(found, corner, starts, sizes, numpy.array([c[2:] for c in found], single).T)

    def lowest(self, k, place):
        """The channel of the lowest wedge, the wedge, and its far."""
        around = self.channels_around(k, place)
        wedges, far = wedges_of(around, place)
        first = int(numpy.argmin(wedges.z))
        return around.channels[first], Wedge(*(each[first] for each in wedges)), far[first]

    def river(self, place):
        nearest = single(0.875)
        for c in self.channels_around(min(self.levels, 2), place).channels:
            a, b = along_and_across(c, place)
            e = a - kept_within(a, 0, c.length)
            nearest = min(nearest, length_of(e, b) * single(2.0**c.k))
        return nearest

    def value_and_slopes(self, position, with_slopes):
        place = [cell_and_fraction(x * self.F, phase)[0] for x, phase in zip(position, self.phase)]
        if self.field.params.valley_output == "river":
            return Float(self.river(place)), []
        c, w, far = self.lowest(self.levels, place)
        if not with_slopes:
            return Float(w.z) + 0, []
        free, size = 0 < w.free < c.length, single(2.0**-c.k)
        p = c.rise + single(2) * (c.curve * w.t)
        steep = c.slope / w.r if w.r != 0 else single(0)
        A = p if free else steep * w.e
        B = steep * abs(w.b)
        if free:
            B = B + c.lean * (steep * w.e - p)
        B = numpy.copysign(ONE, w.b) * B
        h = (c.slope * size) * (w.f * ((ONE + w.f) / (far - w.q)))
        A, B = A + (single(4) * h) * w.m, B + (single(4) * h) * w.n
        G = single(self.F)
        return Float(w.z) + 0, [Float((A * c.ux + B * c.uy) * G), Float((A * c.uy - B * c.ux) * G)]


def sample(field, position, with_slopes=False):
    """The value at a position, and its derivatives."""
    J, start = None, position
    if field.rounds:
        position, J, _ = warped(field, position, with_slopes)
    if not in_domain(field, position):
        return math.nan, [math.nan] * (field.dims if with_slopes else 0)

    def along_axes(slopes):
        return [dot_product(slopes, [row[b] for row in J]) for b in range(field.dims)] if J else slopes

    if field.land:
        v, slopes = field.land.value_and_slopes(position, with_slopes)
    else:
        v, slopes = octave_sum(field, position, with_slopes)
        if field.params.falloff != 0:
            return end(field, *lowered(field.params, start, v, along_axes(slopes)))
    v, slopes = end(field, v, slopes)
    return v, along_axes(slopes)


def cells_at(field, position):  # 2.20
    """id, the offset along each axis, f1, f2; None outside the domain."""
    octave = field.octaves[0]
    q, _, added = warped(field, position, False) if field.rounds else (position, None, [])
    if not in_domain(field, q):
        return None
    (d1, _, (h, _, d)), (d2, _, _), *_ = search_cells(field, octave, q)
    length = Float(min(1 / octave.frequency, float.fromhex("0x1.fffffep+127")))
    offset = [each * length for each in d]
    if field.rounds:
        offset = [Float(double(each) + by) for each, by in zip(offset, added)]
    return h, offset, root_of(field.params.cell_metric, d1), root_of(field.params.cell_metric, d2)


def integer(v, low, high, most):  # 2.14
    p = (Float(v) - low) * Float(most / (high - low))
    return round(min(max(p, 0), most))


# ---- Expressions (5) ----------------------------------------------------------------------------

# A part of an expression: its value and derivatives; what it is, an operation on parts, a coordinate
# with its axis, a number with that in double, or anything else.
Part = collections.namedtuple("Part", "value slopes kind of")


def divided(a, b):
    if b != 0 or math.isnan(a) or a == 0:
        return a / b if b != 0 else math.nan
    return math.copysign(math.inf, math.copysign(1, a) * math.copysign(1, b))


def quotient(a, b):
    return Float(divided(a, b))


def flipped(v):
    return float_of(struct.unpack("<I", PACK(v))[0] ^ 0x80000000)


def least(a, b):
    return a if a < b else b


def greatest(a, b):
    return a if a > b else b


def square_root(a):
    return Float(math.sqrt(a)) if a >= 0 else Float(math.nan)


def floor_of(a):
    if not abs(a) < 2**23 or a == 0:
        return a
    return Float(math.floor(a))


def smoothly(low, high, a):
    """t, and the value before each of the two comparisons that clamp it."""
    q = quotient(a - low, high - low)
    raised = greatest(q, Float(0))
    return least(raised, Float(1)), q, raised


def magnitude_slope(v, slope):
    return flipped(slope) if v < 0 else slope


def quotient_slope(a, b, da, db):
    return quotient(da - quotient(a, b) * db, b)


def smooth_slope(low, high, a, dlow, dhigh, da):
    t, q, raised = smoothly(low, high, a)
    inner = quotient_slope(a - low, high - low, da - dlow, dhigh - dlow) if q > 0 else Float(0)
    return Float(6) * (t * (Float(1) - t)) * (inner if raised < 1 else Float(0))


def overlap(a, b, k):
    return greatest(k - abs(a - b), Float(0))


def overlap_slope(a, b, k, da, db):
    return flipped(magnitude_slope(a - b, da - db)) if k - abs(a - b) > 0 else Float(0)


def of_smoothing(t):
    return (t * t) * (Float(3) - Float(2) * t)


# Each operation: its value from those of its operands, and its derivative from theirs, too.
OPERATIONS = {
    "negative": (flipped, lambda a, da: flipped(da)),
    "+": (operator.add, lambda a, b, da, db: da + db),
    "-": (operator.sub, lambda a, b, da, db: da - db),
    "*": (operator.mul, lambda a, b, da, db: da * b + a * db),
    "/": (quotient, quotient_slope),
    "min": (least, lambda a, b, da, db: da if a < b else db),
    "max": (greatest, lambda a, b, da, db: da if a > b else db),
    "abs": (abs, magnitude_slope),
    "sqrt": (square_root, lambda a, da: da * quotient(Float(0.5), square_root(a)) if square_root(a) > 0 else Float(0)),
    "floor": (floor_of, lambda a, da: Float(0)),
    "mix": (
        lambda a, b, t: a * (Float(1) - t) + b * t,
        lambda a, b, t, da, db, dt: (da * (Float(1) - t) + db * t) + (b - a) * dt,
    ),
    "select": (
        lambda a, b, t: a if t < Float(0.5) else b,
        lambda a, b, t, da, db, dt: da if t < Float(0.5) else db,
    ),
    "clamp": (
        lambda a, low, high: least(greatest(a, low), high),
        lambda a, low, high, da, dlow, dhigh: (da if a > low else dlow) if greatest(a, low) < high else dhigh,
    ),
    "smooth": (lambda low, high, a: of_smoothing(smoothly(low, high, a)[0]), smooth_slope),
    "step": (lambda edge, a: Float(0 if a < edge else 1), lambda edge, a, dedge, da: Float(0)),
    "smooth_min": (
        lambda a, b, k: least(a, b) - (overlap(a, b, k) * overlap(a, b, k)) * quotient(Float(0.25), k),
        lambda a, b, k, da, db, dk: (da if a < b else db)
        - (overlap(a, b, k) * quotient(Float(0.5), k)) * overlap_slope(a, b, k, da, db),
    ),
    "smooth_max": (
        lambda a, b, k: greatest(a, b) + (overlap(a, b, k) * overlap(a, b, k)) * quotient(Float(0.25), k),
        lambda a, b, k, da, db, dk: (da if a > b else db)
        + (overlap(a, b, k) * quotient(Float(0.5), k)) * overlap_slope(a, b, k, da, db),
    ),
}


def length(vector):
    """That of how far a field's position moves from sample to sample."""
    m = max(map(abs, vector))
    return m * root(functools.reduce(operator.add, [c / m * (c / m) for c in vector])) if 0 < m < math.inf else m


# Operations on doubles, of affine parts.
EXACT = {"negative": lambda a: 0 - a, "+": operator.add, "-": operator.sub, "*": operator.mul, "/": divided}


class Expression:
    """Evaluates a text at a position, while it reads it. Names stand for the parameters of fields, or for
    texts; within at() of such a name, `place` has the parts in the place of its coordinates. Fields have the
    octaves that `steps` show, or all without any."""

    def __init__(self, text, names, position, steps=()):
        self.names, self.position, self.steps, self.place = names, position, steps, None
        self.result = self.read(text, None)

    def read(self, text, place):
        before = self.place, getattr(self, "words", None)
        self.place = place
        self.words = re.findall(r"[0-9.]+(?:e[-+]?[0-9]+)?|\w+|\S", re.sub("#.*", "", text))
        part = self.sum()
        if self.words:
            raise SystemExit(f"specification: unread: {self.words}")
        self.place, self.words = before
        return part

    def take(self, *words):
        return self.words.pop(0) if self.words and self.words[0] in words else None

    def constant(self, v):
        return [Float(v)] * len(self.position)

    def number(self, v, exact):
        return Part(Float(v), self.constant(0), "number", exact)

    def coordinate(self, axis):
        if self.place:
            return self.place[axis] if axis < len(self.place) else self.number(0, 0.0)
        x = self.position[axis] if axis < len(self.position) else 0.0
        return Part(Float(x), [Float(a == axis) for a in range(len(self.position))], "coordinate", axis)

    def apply(self, name, *parts):
        value, slope = OPERATIONS[name]
        v = Float(value(*(part.value for part in parts)))
        if all(part.kind == "number" for part in parts):
            return self.number(v, EXACT[name](*(part.of for part in parts)) if name in EXACT else double(v))
        slopes = [
            Float(slope(*(part.value for part in parts), *(part.slopes[a] for part in parts)))
            for a in range(len(self.position))
        ]
        return Part(v, slopes, name, parts)

    def split(self, part):
        """The affine part of an argument, five doubles, and the rest, or None."""
        name = part.kind
        if name in ("number", "coordinate"):
            place, number = (4, part.of) if name == "number" else (part.of, 1.0)
            return [number if i == place else 0.0 for i in range(5)], None
        if name in ("negative", "+", "-"):
            affines, rests = zip(*map(self.split, part.of))
            rest = rests[-1]
            if rest and name != "+" and (name == "negative" or not rests[0]):
                rest = self.apply("negative", rest)
            elif rests[0]:
                rest = self.apply(name, *rests) if rest else rests[0]
            return [EXACT[name](*numbers) for numbers in zip(*affines)], rest
        if name in ("*", "/") and "number" in [each.kind for each in part.of[name == "/" :]]:
            left, right = part.of
            number = right if right.kind == "number" else left
            affine, rest = self.split(left if right.kind == "number" else right)
            if rest:
                rest = self.apply(name, *((rest, right) if right.kind == "number" else (left, rest)))
            return [EXACT[name](c, number.of) if c != 0 else 0.0 for c in affine], rest
        return [0.0] * 5, part

    def sum(self):
        part = self.product()
        while sign := self.take("+", "-"):
            part = self.apply(sign, part, self.product())
        return part

    def product(self):
        part = self.unary()
        while sign := self.take("*", "/"):
            part = self.apply(sign, part, self.unary())
        return part

    def unary(self):
        return self.apply("negative", self.unary()) if self.take("-") else self.operand()

    def operand(self):
        word = self.words.pop(0)
        if word == "(":
            part = self.sum()
            self.words.pop(0)
            return part
        if word in ("x", "y", "z", "w"):
            return self.coordinate("xyzw".index(word))
        if word in self.names:
            return self.named(word, self.place)
        if word not in OPERATIONS and word not in ("at", "curve"):
            return self.number(float(word), float(word))
        self.words.pop(0)
        if word == "at":
            return self.at()
        parts = [self.sum()]
        if word == "curve":
            return self.curve(parts[0])
        while self.take(","):
            parts.append(self.sum())
        self.words.pop(0)
        return self.apply(word, *parts)

    def curve(self, part):
        points, shape = [], "linear"
        while self.words.pop(0) == ",":
            if self.take("smooth"):
                shape = "smooth"
                continue
            x = double(self.sum().value)
            self.words.pop(0)
            points.append((x, double(self.sum().value)))
        y, factor = curved(pieces_of(points, shape), part.value)
        slopes = [Float(0) if factor is None else factor * slope for slope in part.slopes]
        return Part(Float(y), slopes, "curve", None)

    def at(self):
        place = []
        while not (self.words[0] in self.names and self.words[1] == ")"):
            place.append(self.sum())
            self.words.pop(0)
        name = self.words.pop(0)
        self.words.pop(0)
        return self.named(name, place)

    def named(self, name, place):
        if isinstance(self.names[name], str):
            return self.read(self.names[name], place)
        if not place:
            return self.field(name, self.position, None, [[step] for step in self.steps])
        position, rows, affines = zip(*map(self.argument, place))
        return self.field(name, position, rows, [[step * c for c in each] for step, each in zip(self.steps, zip(*affines))])

    def argument(self, part):
        """A coordinate of at(), in double, its derivatives, and its affine part."""
        affine, rest = self.split(part)
        coordinates = [*self.position, 0.0, 0.0, 0.0][:4] + [1.0]
        terms = [c * x for c, x in zip(affine, coordinates) if c != 0]
        slopes = list(map(Float, affine[: len(self.position)]))
        if rest:
            slopes = [a + b for a, b in zip(slopes, rest.slopes)] if terms else rest.slopes
            terms.append(double(rest.value))
        return functools.reduce(operator.add, terms) if terms else 0.0, slopes, affine

    def field(self, name, position, rows, apart):
        field = Field(self.names[name], len(position))
        v, slopes = sample(field.show(max(map(length, apart))) if apart else field, position, True)
        slopes = list(map(Float, slopes))
        if rows:
            slopes = [dot_product(slopes, [row[a] for row in rows]) for a in range(len(self.position))]
        return Part(Float(v), slopes, "field", name)


# ---- The test values, and the document's tables -------------------------------------------------


def hex_of(v):
    """As C's %a: no trailing zeros."""
    if math.isnan(v) or math.isinf(v):
        return str(v)
    return re.sub(r"\.?0*p", "p", v.hex()) if v else v.hex().replace(".0", "")


def hexes(numbers):
    return " ".join(map(hex_of, numbers))


def words_of(words):
    return " ".join(f"{word:08X}" for word in words)


def numbers_of(text, convert):
    """From "1 2 3", or as the document has them, "(1, 2, 3)"."""
    return [convert(part) for part in text.strip("()").replace(",", " ").split()]


class Tally:
    passed = failed = 0

    def check(self, what, found, expected):
        if found == expected:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED {what}: {found}, expected {expected}")


def points_of(text):
    """A curve's points."""
    return tuple(tuple(map(float, point.split(":"))) for point in text.split(","))


def made_component(i, j, axis):
    return ((5 * i + 7 * j + 3 * axis) % 11 - 5) / 2


def field_of(row, dims):
    """From the text form of the parameters that differ from the default, and the sizes of tables."""
    found = {}
    for part in row["params"].split():
        name, value = part.split("=")
        if name in ("period", "table_offset"):
            values = tuple(map(int, value.split(",")))
            found[name] = values + (0,) * (4 - len(values))
        elif name == "curve":
            found[name] = points_of(value)
        else:
            kind = type(DEFAULTS[name])
            found[name] = int(value, 0) if kind is int else kind(value)
    if row["hash_table"]:
        found["hash_table"] = [i * i // 7 % 256 for i in range(int(row["hash_table"]))]
    if row["gradient_table"]:
        count = int(row["gradient_table"])
        found["gradient_table"] = [tuple(made_component(i, 0, a) for a in range(dims)) for i in range(count)]
    if row["gradient_grid"]:
        nx, ny = map(int, row["gradient_grid"].split())
        found["gradient_grid"] = [
            [tuple(made_component(i, j, a) for a in (0, 1)) for i in range(nx)] for j in range(ny)
        ]
    return params_of(**found)


def keys_of(seed, octave):
    keys, phases = keys_and_phases(seed, octave)
    return {"keys": words_of(keys), "phases": " ".join(map(str, phases))}


def default_index(dims, m):
    shift, mask = set_of(DEFAULT[dims], dims).bits
    return m >> shift & mask


def of_hash(row):
    cell = numbers_of(row["cell"], int)
    seed, octave = int(row["seed"], 0), int(row["octave"])
    m = joined_words([axis_word(x, a, keys_and_phases(seed, octave)[0][a]) for a, x in enumerate(cell)])
    return {**keys_of(seed, octave), "m": words_of([m]), "index": str(default_index(len(cell), m))}


def of_grid(row):
    x = grid_position(float.fromhex(row["origin"]), float.fromhex(row["step"]), int(row["index"]))
    return {"position": hex_of(x)}


def of_cell(row):
    t, cell, f = cell_and_fraction(float.fromhex(row["x_k"]), int(row["phase"]))
    return {"t": str(t), "X": str(cell), "f": hex_of(f)}


def of_fade(row):
    return dict(zip("wud", map(hex_of, fade(row["fade"], Float(float.fromhex(row["f"]))))))


def of_amplitude(row):
    params = params_of(
        octaves=int(row["octaves"]),
        gain=float(row["gain"]),
        normalize=row["normalize"],
        value_scale=float(row["value_scale"]),
    )
    return {"amplitude": hex_of(Field(params, int(row["dimensions"])).octaves[int(row["octave"])].amplitude)}


def of_root(row):
    return {"root": hex_of(root(float.fromhex(row["x"])))}


def of_seeded_table(row):
    table = table_of(params_of(hash=row["hash"], seed=int(row["seed"], 0)))
    return {"first": " ".join(map(str, table[:8])), "last": " ".join(map(str, table[-4:]))}


def of_vector(row):
    return {"components": hexes(sphere(int(row["seed"], 0), int(row["dimensions"]))[int(row["vector"])])}


def of_index(row):
    cell = numbers_of(row["cell"], int)
    params = params_of(hash=row["hash"], table_offset=numbers_of(row["table_offset"], int))
    shift = shifts_of(params, keys_and_phases(params.seed, int(row["octave"]))[0])
    slices = 0 if row["gradients"] == "-" else set_of(row["gradients"], len(cell)).slices
    return {"index": str(table_index(row["hash"], table_of(params), shift, cell, slices))}


def of_words(row):
    h = mixed(int(row["words"], 16))
    numbers = zip(("value", "radius", "z", "gaussian"), (uniform(h), *radius_and_turn(h), gaussian(h)))
    return {"h": words_of([h]), **{name: hex_of(number) for name, number in numbers}}


def of_point(row):
    f, offset = [*map(Float, numbers_of(row["f"], float.fromhex))], numbers_of(row["offset"], int)
    h = mixed(int(row["words"], 16))
    j, a = jitter_constants(float(row["jitter"]), len(f))
    d = distances_along(h, (j, a), f, offset)
    metrics = {name: hex_of(distance(name, d)) for name in ("squared", "manhattan", "chebyshev")}
    i = " ".join(map(str, numbers_of_point(h, len(f))))
    number = hex_of(number_of_cell(h))
    return {"h": words_of([h]), "i": i, "j": hex_of(j), "a": hex_of(a), "d": hexes(d), **metrics, "number": number}


def of_distance(row):
    dims, names = int(row["dimensions"]), ("cell_metric", "cell_output")
    params = params_of(basis="cellular", jitter=float(row["jitter"]), **{name: row[name] for name in names})
    largest = largest_distance(params.cell_metric, params.cell_output, params.jitter, dims)
    return {"largest": hex_of(largest), "scale": hex_of(scale_and_bias(params, dims)[0])}


def of_curve(row):
    curve = pieces_of(points_of(row["curve"]), row["curve_shape"])
    return dict(zip(Piece._fields, map(hex_of, curve.pieces[int(row["piece"])])))


def of_terrace(row):
    v = Float(float.fromhex(row["v"]))
    found = terraced(int(row["terraces"]), float(row["terrace_sharpness"]), v)
    return dict(zip(("value", "factor"), map(hex_of, found)))


def of_displacement(row):
    number = 4 * (int(row["round"]) - 1) + "xyzw".index(row["axis"])
    seed = next(itertools.islice(displacement_seeds(int(row["seed"], 0)), number, None))
    return {"displacement": f"0x{seed:016X}", **keys_of(seed, 0)}


def of_integer(row):
    v, low, high = (float.fromhex(row[name]) for name in ("value", "low", "high"))
    return {"u16": str(integer(v, low, high, 65535)), "u8": str(integer(v, low, high, 255))}


@functools.lru_cache(None)
def listed_field(name, dims):
    return Field(field_of(FIELDS[name], dims), dims)


def of_value(row):
    listed, position = FIELDS[row["field"]], numbers_of(row["position"], float.fromhex)
    if listed["dimensions"] not in ("", str(len(position))):
        return {"dimensions": listed["dimensions"]}
    field = listed_field(row["field"], len(position))
    v, slopes = sample(field, position, has_slopes(field.params))
    return {
        "value": hex_of(v),
        "bits": words_of([bits_of(v)]),
        **({"derivatives": words_of(map(bits_of, slopes))} if row["derivatives"] else {}),
    }


def of_cell_sample(row):
    position = numbers_of(row["position"], float.fromhex)
    found = cells_at(listed_field(row["field"], len(position)), position)
    h, offset, f1, f2 = found or (NOT_A_NUMBER, [math.nan] * len(position), math.nan, math.nan)
    return {"id": words_of([h]), "offset": words_of(map(bits_of, offset)),
            "f1": words_of([bits_of(f1)]), "f2": words_of([bits_of(f2)])}  # fmt: skip


def of_expression(row):
    *definitions, text = row["text"].split(";")
    names = {}
    for definition in definitions:
        name, text_of = definition.split("=", 1)
        is_field = "=" in text_of or not text_of.strip()
        options = {"params": text_of, "hash_table": "", "gradient_table": "", "gradient_grid": ""}
        names[name.strip()] = field_of(options, 0) if is_field else text_of
    found = Expression(text, names, *(numbers_of(row[each], float.fromhex) for each in ("position", "steps"))).result
    return {"bits": words_of([bits_of(found.value)]), "derivatives": words_of(map(bits_of, found.slopes))}


def of_scales(row):
    """The number in brackets is a bound of the vectors for compass8."""
    found = set_of(row["set"], int(row["dimensions"]))
    largest = found.largest or dict.fromkeys(FADES, bound_of(found.vectors))
    return {name: f"{hex_of(scale_of(largest[name]))} [{repr(largest[name]).removesuffix('.0')}]" for name in FADES}


# What is computed for each row of the files of test values.
FILES = {
    "hash": of_hash,
    "grid_positions": of_grid,
    "cells": of_cell,
    "fades": of_fade,
    "amplitudes": of_amplitude,
    "values": of_value,
    "roots": of_root,
    "seeded_tables": of_seeded_table,
    "unit_vectors": of_vector,
    "table_indices": of_index,
    "lattice_values": of_words,
    "integers": of_integer,
    "cell_points": of_point,
    "cell_scales": of_distance,
    "cell_samples": of_cell_sample,
    "curves": of_curve,
    "terraces": of_terrace,
    "displacements": of_displacement,
    "expressions": of_expression,
}


def rows_in(name):
    with open(os.path.join(VECTORS, f"{name}.csv"), encoding="ascii", newline="") as file:
        return list(csv.DictReader(file))


FIELDS = {row["field"]: row for row in rows_in("fields")}


def check_rows(tally, name, rows, compute, update):
    """Compares the columns that are computed with the rows', or replaces them."""
    for row in rows:
        computed = compute(row)
        if update:
            row.update(computed)
        tally.check(f"{name} {' | '.join(row.values())}", computed, {column: row.get(column) for column in computed})
    print(f"{name}: {len(rows)} rows")
    tally.check(f"{name} has rows", len(rows) > 0, True)


def check_files(tally, update):
    names = {*FILES, "fields"}
    tally.check("files of test values", {name for name in os.listdir(VECTORS) if name.endswith(".csv")},
                {name + ".csv" for name in names})  # fmt: skip
    with open(os.path.join(TESTS, "vectors/README.md"), encoding="utf-8") as readme:
        listed = re.findall(r"^\| (\w+)\.csv \|", readme.read().split("\n## ")[1], re.M)
    tally.check("and in their README", set(listed), names)
    for name, compute in FILES.items():
        rows = rows_in(name)
        check_rows(tally, name + ".csv", rows, compute, update)
        if update:
            with open(os.path.join(VECTORS, f"{name}.csv"), "w", newline="", encoding="ascii") as file:
                writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)


def check_scales(tally, update):
    """Checks the document's table of scales (3.4), or replaces its numbers."""
    rows, text = rows_of("3.4", "set"), TEXT
    before = [tuple(row.values()) for row in rows]
    check_rows(tally, "scales", rows, of_scales, update)
    if update:
        for old, row in zip(before, rows):
            text = text.replace(*("| " + " | ".join(each) + " |\n" for each in (old, tuple(row.values()))))
        with open(DOCUMENT, "w", encoding="utf-8") as file:
            file.write(text)


# ---- The command --------------------------------------------------------------------------------

# How often a random field has which choice, and the sets by dimensions; others are equally frequent.
BASES = ["perlin"] * 5 + ["value", "white", "gaussian"]
HASHES = ["lattice", "perlin", "shuffled", "table"]
FRACTALS = CHOICES["fractal"] + ["fbm", "eroded"]
SETS_IN = {dims: [name for name in CHOICES["gradients"] if name in ("default", "table", "sphere") or any(
    row["set"] == name and str(dims) in row["dimensions"].split(", ") for row in rows_of("2.9", "set"))]
    for dims in range(1, 5)}  # fmt: skip
PRESETS_IN = {
    dims: [name for name, preset in PRESETS.items() if dims == 2 or name == "classic" or dims != 4 and
           name in ("improved", "pnoise")] for dims in range(1, 5)
}  # fmt: skip


def random_vectors(rng, dims, n):
    """At least one of them not 0."""
    vectors = [tuple([1.0] * dims)]
    for _ in range(n - 1):
        size = rng.choice((0, 1, 1, 1000))
        numbers = [rng.uniform(-1, 1) * size if size else rng.randint(-1, 1) for _ in range(dims)]
        vectors.append(tuple(double(Float(number)) for number in numbers))
    return vectors


def random_periods(rng, params):
    """Periods that fit at every octave, none where those tried do not."""
    periods = [rng.choice((0, 1, 2, 3, 7, 10, 64, 256, 1000, 2 ** rng.randint(1, 20))) for _ in range(4)]
    return tuple(p if periods_fit(p, params.lacunarity, params.octaves) else 0 for p in periods)


def random_curve(rng):
    """Ordinary points, or odd ones: beside each other, on a line, far out, or on one level."""
    n = rng.choice((2, 3, 4, 5, 8, 16))
    kind = rng.randrange(6)
    if kind == 0:  # x that are next to each other as floats
        x = [rng.choice((0.25, -1.0, 1e3))]
        while len(x) < n:
            x.append(x[-1] + rng.choice((1.001e-6, 2e-6, 2.0**-18, 0.1)))
    elif kind == 1:
        x = rng.sample(range(-(10**6), 10**6 + 1), n)
        x[rng.randrange(n)] /= 3.0
    elif kind == 2:
        x = [k * 2 / (n - 1) - 1 for k in range(n)]
    else:
        x = [rng.uniform(-1, 1) * rng.choice((1, 1, 3)) for _ in range(n)]
    x = sorted(map(float, x))
    x = x[:1] + [b for a, b in zip(x, x[1:]) if are_apart(a, b)]
    height = rng.choice((1.0, 1.0, 10.0, 1e6))
    y = [rng.choice((rng.uniform(-1, 1), rng.uniform(-1, 1), rng.randint(-1, 1))) for _ in x]
    if rng.randrange(4) == 0:
        y.sort()
    if rng.randrange(8) == 0:
        y, height = [0.7 * a for a in x], 1.0
    points = tuple((a, float(b * height)) for a, b in zip(x, y))
    return points if len(points) > 1 else ((-1.0, -1.0), (1.0, rng.uniform(-1, 1)))


def random_warp(rng, params):
    """A warp, whose periods fit if there are any: else the field has none."""
    step = 1 / params.frequency
    params.warp_amplitude = rng.choice((0.5 * step, 3 * step, step * 2.0 ** rng.uniform(-30, 30)))
    params.warp_frequency = params.frequency * rng.choice((1.0, 0.5, 2.0, 0.25, 1 / 3, rng.uniform(0.1, 10)))
    params.warp_octaves = rng.choice((1, 1, 2, 3))
    params.warp_lacunarity = rng.choice((2.0, 2.0, 1.0, 3.0, rng.uniform(0.5, 2.5)))
    params.warp_gain = rng.choice((0.5, 0.5, -1.0, 0.0, rng.uniform(-2, 2)))
    params.warp_rounds = rng.choice((1, 1, 2, 3))
    if displacement_periods(params) is None:
        params.warp_frequency, params.warp_lacunarity = params.frequency, 2.0
    if displacement_periods(params) is None:
        params.period = (0, 0, 0, 0)


def random_falloff(rng, params):
    step = 1 / params.frequency
    params.falloff = rng.choice((2.0, 1.0, -0.5, rng.uniform(-9, 9)))
    params.falloff_shape = rng.choice(CHOICES["falloff_shape"])
    params.falloff_end = step * rng.choice((1.0, 10.0, 300.0, 2.0 ** rng.uniform(-40, 53)))
    params.falloff_start = params.falloff_end * rng.choice((0.0, 0.5, 1 - 2.0**-53, rng.random()))
    for axis in "xyzw":
        setattr(params, "falloff_" + axis, step * rng.choice((0.0, rng.uniform(-10, 10))))


def random_valleys(rng, params):
    """None where the field cannot have them."""
    params.valleys = rng.choice((4.0, 0.5, 1024.0, rng.uniform(1, 6)))
    params.valley_octaves = rng.choice((0, 1, 2, 3))  # 5 take seconds
    params.valley_gain = rng.choice((0.8, 0.0, 1.0, rng.random()))
    params.valley_floor = rng.choice((0.02, 0.0, 0.5, rng.uniform(0, 0.1)))
    params.valley_output = rng.choice(("height", *CHOICES["valley_output"]))
    params.valley_cells = float(rng.choice((2, 1, 3))) if any(params.period) else rng.choice((2.5, rng.uniform(0.1, 9)))
    params.contrast = min(params.contrast, 5)  # of values beyond 1
    total = abs(params.amplitude) * sum(abs(params.gain) ** k for k in range(params.octaves))
    F = params.frequency * params.valley_cells
    highest = params.frequency * max(1, params.lacunarity) ** params.octaves
    if (max(params.period) * params.valley_cells > 2**21 or total > 1e6 or total < 1e-6 or highest > F * 2.0**47 or
            params.valleys > 9 and params.contrast > 1):  # fmt: skip
        params.valleys = 0.0


def random_params(rng, dims, preset):
    """A field: `preset`, or the default field, with much of it chosen anew."""
    params = changed(
        preset or params_of(),
        seed=rng.choice((0, 1337, 2**64 - 1, rng.getrandbits(64))),
        frequency=rng.choice((0.01, 1.0, 2.0 ** rng.randint(-30, 30), 2.0 ** rng.uniform(-30, 30))),
        octaves=rng.choice((1, 1, 1, 2, 2, 3, 3, 5, 12)),
        lacunarity=rng.choice((2.0, 2.0, 2.0, 0.5, 1.0, 1.5, rng.uniform(1.5, 2.5))),
        gain=rng.choice((0.5, 0.5, -0.5, 1.0, 0.0, rng.uniform(-2, 2))),
    )
    if not preset:
        for name in ("octaves_share", "phase"):
            setattr(params, name, rng.choice([DEFAULTS[name], *CHOICES[name]]))
        for name in ("fade", "cell_metric", "cell_output"):
            setattr(params, name, rng.choice(CHOICES[name]))
        params.basis = rng.choice(BASES + ["cellular"] * 2 * (dims < 4) + ["simplex"] * 2 * (dims in (2, 3)))
        if params.basis not in ("gaussian", "cellular", "simplex"):
            params.hash = rng.choice(HASHES + ["primes", "grid"] * (dims == 2))
        params.basis = "perlin" if params.hash == "grid" else params.basis
        params.gradients = rng.choice(SETS_IN[dims])
        if params.cell_output == "edge":
            params.cell_metric = "euclidean"
        params.jitter = rng.choice((0.0, 1.0, 1.0, rng.random()))
    params.normalize = rng.choice([params.normalize, *CHOICES["normalize"]])
    if rng.randrange(2):
        params.fractal = rng.choice(FRACTALS)
        if params.basis == "cellular" and params.fractal == "eroded":
            params.fractal = "fbm"
        params.erosion = rng.choice((1.0, 0.0, 1000.0, rng.uniform(0, 10)))
        params.weighted_strength = rng.choice((0.0, 0.0, 1.0, rng.random()))
        params.ping_pong_strength = rng.choice((1.0, 2.0, rng.uniform(0.1, 20)))
    if rng.randrange(2):
        params.amplitude = rng.choice((1.0, -1.0, rng.uniform(-3, 3)))
        params.value_scale = rng.choice((1.0, 1.0, -1.0, rng.uniform(-100, 100)))
        params.value_offset = rng.choice((0.0, 0.0, rng.uniform(-10, 10)))
        params.contrast = rng.choice((1, 1, 0, 2, 3))
        if params.normalize == "full" and params.basis != "gaussian":
            params.contrast = rng.choice((params.contrast, 5, 64))
    if rng.randrange(4) == 0:
        params.curve, params.curve_shape = random_curve(rng), rng.choice(CHOICES["curve_shape"])
    if rng.randrange(5) == 0:
        params.terraces = rng.choice((1, 2, 3, 5, 8, 1024))
        params.terrace_sharpness = rng.choice((0.7, 0.0, 0.999, rng.random()))
    if rng.randrange(4) == 0:
        random_falloff(rng, params)
        params.contrast = min(params.contrast, 5)  # of values beyond 1
    if rng.randrange(2) and params.basis != "simplex":
        params.period = random_periods(rng, params)
    if rng.randrange(3) == 0:
        offsets = [rng.randint(-(2**31), 2**31 - 1) for _ in range(4)]
        params.table_offset = rng.choice((tuple(offsets), (offsets[0],) * 4))
    if params.hash == "table" or (params.hash == "primes" and rng.randrange(2)):
        params.hash_table = [rng.randrange(256) for _ in range(256 if params.hash == "table" else 1024)]
    if params.gradients == "table":
        params.gradient_table = random_vectors(rng, dims, rng.choice((2, 3, 8, 12, 256)))
    if params.hash == "grid":
        params.period = (0, 0) + params.period[2:]
    if rng.randrange(5) == 0:
        random_warp(rng, params)
    if params.hash == "grid":
        nx, ny = rng.randint(1, 9), rng.randint(1, 9)
        vectors = random_vectors(rng, 2, nx * ny)
        params.gradient_grid = [vectors[j * nx : (j + 1) * nx] for j in range(ny)]
    if dims == 2 and rng.randrange(4) == 0:
        random_valleys(rng, params)
    return params


def random_cells(rng):
    """A coordinate in cells: ordinary, or where something changes."""
    kind = rng.randrange(8)
    if kind <= 1:
        return rng.uniform(-10, 10)
    if kind == 2:  # around a lattice point, in halves of the quantum and less
        return rng.randint(-3, 3) + rng.randint(-4, 4) * 2.0 ** rng.randint(-27, -24)
    if kind == 3:  # around multiples of 2^32 and 2^31, where the hash folds in the high word
        return (rng.randint(-(2**21), 2**21) + 0.5 * rng.randint(0, 1)) * 2**32 + rng.uniform(-2, 2)
    if kind == 4:  # around the powers of two
        return rng.choice((-1, 1)) * 2.0 ** rng.randint(20, 53) + rng.randint(-2, 2) * 0.25
    if kind == 5:
        return rng.choice((-1, 1)) * 2.0 ** rng.uniform(-40, 53)
    if kind == 6:
        return float(rng.randint(-(10**6), 10**6))
    return rng.choice((0.0, -0.0, 0.5, 2.0**52 + 1, 2.0**53, -(2.0**53), 2.0**53 + 2, 1e300))


def random_position(rng, field):
    """Awkward coordinates beside ordinary ones: a single awkward one is enough to be outside."""
    frequency = rng.choice(field.octaves).frequency
    ordinary = rng.randrange(3) == 0
    return [
        (rng.uniform(-100, 100) if ordinary or rng.randrange(3) == 0 else random_cells(rng)) / frequency
        for _ in range(field.dims)
    ]


def options_of(params, start):
    """The command's options that make `params` from `start`; tables as lists in a text."""
    tables = ("hash_table", "gradient_table", "gradient_grid")
    options, field = [], []
    for name, value in vars(params).items():
        if value == getattr(start, name):
            continue
        if name in tables:
            field.append(f"{name}={json.dumps(value, separators=(',', ':'))}")
        elif name == "curve":
            options.append("--curve=" + ",".join(f"{x!r}:{y!r}" for x, y in value))
        else:
            text = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
            options.append(f"--{name.replace('_', '-')}={text}")
    return options + ["--field=" + " ".join(field)] * bool(field)


def run_points(arguments, positions):
    """The lines that the command prints, or what is wrong."""
    lines = "".join(" ".join(x.hex() for x in position) + "\n" for position in positions)
    done = subprocess.run(arguments, input=lines, capture_output=True, text=True, timeout=600, check=False)
    lines = done.stdout.splitlines()
    nans = sum("7FC00000" in line.upper() for line in lines)  # a note on stderr counts them
    if done.returncode != 0 or bool(done.stderr) != bool(nans) or str(nans or "") not in done.stderr:
        return f"exit status {done.returncode}: {done.stderr.strip()}"
    return lines


def steep(params):
    """Whether derivatives may be refused: include/perlane.h says beyond some 1e20 all told, which
    long vectors and contrast count in, too."""
    octaves = params.octaves - 1
    longest = max((abs(c) for g in params.gradient_table for c in g), default=1)
    frequency = params.frequency * max(1, params.lacunarity**octaves)
    amplitude = max(1, abs(params.amplitude)) * max(1, abs(params.gain) ** octaves)
    curve = zip(params.curve, params.curve[1:])
    factor = max((abs(y1 - y0) / (x1 - x0) for (x0, y0), (x1, y1) in curve), default=1)
    factor = max(1, factor) / (1 - params.terrace_sharpness)
    warp = params.warp_frequency * max(1, params.warp_lacunarity) ** (params.warp_octaves - 1)
    factor *= (1 + params.warp_amplitude * warp * 40) ** params.warp_rounds
    amplitude, edge = max(amplitude, abs(params.falloff)), params.falloff_start / params.falloff_end
    frequency = max(frequency, 1 / (1 - edge * edge) / params.falloff_end if params.falloff else 0)
    value = max(1, longest * amplitude) ** max(1, params.contrast) * max(1, abs(params.value_scale))
    return frequency * value * factor > 1e15


def used(params):
    """The parts of a field that are counted."""
    found = [name for name in ("curve", "terraces", "warp_amplitude", "falloff", "valleys") if getattr(params, name)]
    found += [value for value in (params.basis, params.fractal, params.normalize) if value in (
        "cellular", "simplex", "eroded", "spread")]  # fmt: skip
    return found + ["warp with a period"] * bool(params.warp_amplitude and any(params.period))


def compare(tally, arguments, field, positions, with_slopes, found):
    """Compares the lines that the command prints, and counts positions outside the domain."""
    outside = 0
    if len(found) != len(positions):
        tally.check(" ".join(arguments), found, "one result for each position")
        return 0
    for position, line in zip(positions, found):
        v, slopes = sample(field, position, with_slopes)
        where = f"{' '.join(arguments)} at {' '.join(map(hex_of, position))}"
        tally.check(where, line.upper(), words_of(map(bits_of, (v, *slopes))))
        outside += math.isnan(v)
    return outside


FIELDS_IN = {1: 100, 2: 240, 3: 160, 4: 160}  # how many are compared in so many dimensions


def check_command(tally, command):
    seed = os.environ.get("PERLANE_TEST_SEED") or "1"  # the same on every run
    percent = int(os.environ.get("PERLANE_TEST_PERCENT") or 100)
    print(f"comparing with {command}; PERLANE_TEST_SEED={seed}")
    rng = random.Random(seed)
    for dims, count in FIELDS_IN.items():
        compared = outside = 0
        chosen = collections.Counter()
        for n in range(max(10, count * percent // 100)):
            preset = PRESETS_IN[dims][n // 4 % len(PRESETS_IN[dims])] if n % 4 == 0 else None
            params = random_params(rng, dims, PRESETS.get(preset))
            field = Field(params, dims)
            # Warped ones take longer.
            positions = [random_position(rng, field) for _ in range(6 if field.rounds else 10)]
            with_slopes = rng.randrange(3) > 0 and has_slopes(params)
            arguments = [command, "points", "--bits-out", f"--dims={dims}"] + [f"--preset={preset}"] * bool(preset)
            arguments += options_of(params, PRESETS.get(preset) or params_of())
            found = run_points(arguments + ["--with-gradient"] * with_slopes, positions)
            if with_slopes and "--with-gradient: derivatives could exceed" in found and steep(params):
                with_slopes = False
                found = run_points(arguments, positions)
            outside += compare(tally, arguments, field, positions, with_slopes, found)
            compared += len(positions)
            for name in used(params):
                chosen[name] += len(positions)
        print(f"{dims}D: {compared} positions compared, {outside} of them outside the domain")
        print("  " + ", ".join(f"{n} {name}" for name, n in sorted(chosen.items())))
    check_land(tally, command, rng, max(1, 4 * percent // 100))
    check_expressions(tally, command, rng, max(10, 200 * percent // 100))


def check_land(tally, command, rng, count):
    """Compares neighbours on a line, whose channels are the same, with all sizes of valleys."""
    for _ in range(count):
        params = params_of(seed=rng.randrange(2**64), frequency=1.0, octaves=rng.randint(1, 3), valleys=rng.uniform(1.5, 5),
                           valley_octaves=rng.randint(4, 8), valley_gain=rng.uniform(0.6, 0.9))  # fmt: skip
        field, start, step = Field(params, 2), [rng.uniform(-99, 99) for _ in range(2)], rng.uniform(0.0005, 0.002)
        positions = [[start[0] + n * step, start[1] + n * step / 3] for n in range(60)]
        arguments = [command, "points", "--bits-out", "--dims=2", "--with-gradient", *options_of(params, params_of())]
        compare(tally, arguments, field, positions, True, run_points(arguments, positions))
    print(f"{60 * count} neighbours on land compared")


# Parts of random expressions: # is one of them, @ an argument of at(), $ a name.
PARTS = """#+# #-# #*# #/# -# abs(#) sqrt(#) floor(#) min(#,#) max(#,#) mix(#,#,#) select(#,#,#) clamp(#,#,#)
    smooth(#,#,#) step(#,#) smooth_min(#,#,0.3) curve(#,-1:0.5,0:-0.2,2:3) curve(#,-0.4:0,0.1:0.2,0.7:-1,smooth)
    at(@,@,$) at(@,@,$) at(@,@,$) at(@,$)""".split()
ARGUMENTS = """x y+# x-3*#+y z -x 0.8*x-0.6*y (y-2*#)*0.3 7-x/3 #+y*1e4 2*(x-y)/7+# # -(x-#)+0.1 (1/3)*(x+(y-#))
    x*y 0*x x/0 x-x+#""".split()
LEAVES = "$ $ x y z 0.3 2 -1.25 1/3".split()


def random_part(rng, depth, names):
    form = rng.choice(PARTS if depth > 0 and rng.random() > 0.2 else LEAVES).replace("@", "\n")
    form = re.sub("\n", lambda _: rng.choice(ARGUMENTS), form)
    form = re.sub("#", lambda _: f"({random_part(rng, depth - 1, names)})", form)
    return re.sub(r"\$", lambda _: rng.choice(names), form)


def check_expressions(tally, command, rng, count):
    too_long = 0
    for _ in range(count):
        names, text = ["a", "b", "c"], "a=octaves=2; b=seed=2 fractal=ridged octaves=2; c=basis=value frequency=0.03; "
        for name in ("d", "e")[: rng.randrange(3)]:
            text += f"{name} = {random_part(rng, 2, names)}; "
            names.append(name)
        text += random_part(rng, 3, names)
        dims = rng.choice((2, 3))
        position = [rng.choice((rng.uniform(-300, 300), rng.uniform(-1e9, 1e9), -0.0)) for _ in range(dims)]
        arguments = [command, "points", "--bits-out", f"--dims={dims}", "--with-gradient", f"--expression={text}"]
        row = {"text": text, "position": " ".join(map(float.hex, position)), "steps": ""}
        done = subprocess.run(arguments, input=row["position"], capture_output=True, text=True, check=False)
        if "an expression has at most 128" in done.stderr:
            too_long += 1
            continue
        row = of_expression(row)
        tally.check(f"{text} at {position}", done.stdout.strip().upper(), " ".join(row.values()))
    print(f"{count - too_long} expressions compared; {too_long} were too long")
    tally.check("one in a hundred is too long at most", too_long <= 1 + count // 100, True)


def main(arguments):
    tally, update = Tally(), arguments == ["update"]
    check_files(tally, update)
    check_scales(tally, update)
    if arguments and not update:
        check_command(tally, arguments[0])
    else:
        print("skipped: comparison with the perlane command (no path given)")
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed and not update else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
