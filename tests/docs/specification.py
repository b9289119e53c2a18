#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""perlane's field in plain Python, written from docs/specification.md and nothing else.

    specification.py path/to/perlane's/folder [path/to/the/command]

Checks every row of tests/vectors/specification/, and the tables of constants and worked examples in
the document itself. Given the perlane command, also compares its bits with this implementation's,
values and derivatives, for random fields at random and awkward positions. PERLANE_TEST_SEED sets
their seed, which is printed.

Section numbers in comments are the document's.
"""

import collections
import csv
import dataclasses
import fractions
import itertools
import math
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

# ---- Arithmetic (1) -----------------------------------------------------------------------------

WORD = 0xFFFFFFFF
LONG = 0xFFFFFFFFFFFFFFFF
NOT_A_NUMBER = 0x7FC00000

PACK, UNPACK = struct.Struct("<f").pack, struct.Struct("<f").unpack


def to_float(v):
    """Rounds a double to float.

    Applied to the double sum, difference, product, quotient or square root of floats, this is the
    float operation: a double has enough digits (53 >= 2 * 24 + 2) that rounding twice is the same
    as rounding once.
    """
    try:
        return UNPACK(PACK(v))[0]
    except OverflowError:
        return math.copysign(math.inf, v)


def add(a, b):
    return to_float(a + b)


def sub(a, b):
    return to_float(a - b)


def mul(a, b):
    return to_float(a * b)


def dot_product(a, b):
    total = mul(a[0], b[0])
    for x, y in zip(a[1:], b[1:]):
        total = add(total, mul(x, y))
    return total


def bits_of(v):
    return NOT_A_NUMBER if math.isnan(v) else struct.unpack("<I", PACK(v))[0]


def float_of(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def with_sign_of(x, y):
    """y, its sign flipped if x has the sign bit."""
    return -y if math.copysign(1.0, x) < 0 else y


def root(x):  # 3.4: a double
    bits = struct.unpack("<Q", struct.pack("<d", x))[0]
    y = struct.unpack("<d", struct.pack("<Q", (bits + 0x3FF0000000000000) >> 1))[0]
    for _ in range(7):
        y = 0.5 * (y + x / y)
    return y


# ---- The parameters -----------------------------------------------------------------------------


@dataclasses.dataclass
class Params:
    seed: int = 1337
    frequency: float = 0.01
    octaves: int = 1
    lacunarity: float = 2.0
    gain: float = 0.5
    octaves_share: str = "off"
    phase: str = "seeded"
    basis: str = "perlin"
    hash: str = "lattice"
    gradients: str = "default"
    fade: str = "quintic"
    jitter: float = 1.0
    cell_metric: str = "euclidean"
    cell_output: str = "f1"
    fractal: str = "fbm"
    normalize: str = "full"
    weighted_strength: float = 0.0
    ping_pong_strength: float = 2.0
    erosion: float = 1.0
    warp_amplitude: float = 0.0
    warp_frequency: float = 0.01
    warp_octaves: int = 1
    warp_lacunarity: float = 2.0
    warp_gain: float = 0.5
    warp_rounds: int = 1
    period: tuple = (0, 0, 0, 0)
    table_offset: tuple = (0, 0, 0, 0)
    amplitude: float = 1.0
    value_scale: float = 1.0
    value_offset: float = 0.0
    contrast: int = 1
    curve: tuple = ()  # of points: x, y
    curve_shape: str = "linear"
    terraces: int = 0
    terrace_sharpness: float = 0.7
    hash_table: tuple = ()
    gradient_table: tuple = ()  # of vectors
    gradient_grid: tuple = ()  # of rows, of vectors


# ---- Gradient sets (2.5, 2.9) -------------------------------------------------------------------

K = 53 / 128
R = float.fromhex("0x1.6a09e6p-1")

SLOPES = [(1.0,), (-1.0,)]
OFFAXIS8 = list(
    zip(
        [1.0, -1.0, 1.0, -1.0, K, -K, K, -K],
        [K, K, -K, -K, 1.0, 1.0, -1.0, -1.0],
    )
)
AXIS4 = [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)]
DIAGONAL4 = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)]
COMPASS8 = [(R, R), (-R, R), (R, -R), (-R, -R), *AXIS4]
EDGES12 = list(
    zip(
        [2.0, -2.0, 2.0, -2.0, 2.0, -2.0, 2.0, -2.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, -2.0, 0.0],
        [2.0, 2.0, -2.0, -2.0, 0.0, 0.0, 0.0, 0.0, 2.0, -2.0, 2.0, -2.0, 2.0, -2.0, 2.0, -2.0],
        [0.0, 0.0, 0.0, 0.0, 2.0, 2.0, -2.0, -2.0, 2.0, 2.0, -2.0, -2.0, 0.0, 2.0, 0.0, -2.0],
    )
)
PNOISE = EDGES12[:12] + [(2.0, 0.0, -2.0), (-2.0, 0.0, -2.0), (0.0, -2.0, 2.0), (0.0, 2.0, 2.0)]
PNOISE_SLOPES = [(float(h + 1),) for h in range(8)] + [(-1.0,)] * 8


def edge32(index):
    zero = index >> 1 & 3
    signs = iter((index & 1, index >> 3 & 1, index >> 4 & 1))
    g = [0.0] * 4
    for axis in (3, 0, 1, 2):
        if axis != zero:
            g[axis] = -2.0 if next(signs) else 2.0
    return tuple(g)


EDGES32 = [edge32(index) for index in range(32)]

# A set by its vectors in index order; the lattice's index bits: shift and mask; lookups after the
# last axis'; unit; the largest raw values with quintic, cubic and linear fade, None where they are
# computed from the vectors.
Gradients = collections.namedtuple("Gradients", "vectors bits slices unit largest")

ONE = (1.0, 1.0, 1.0)
TWO = (2.0, 2.0, 2.0)
HALF = (0.5, 0.5, 0.5)
CUBE = (2.072707622423606, 2.089810379219752, 2.129656324686807)
SETS = {
    ("slopes", 1): Gradients(SLOPES, (13, 7), 0, 1.0, HALF),
    ("offaxis8", 2): Gradients(
        OFFAXIS8, (13, 7), 0, 1.0, (0.7151921741517465, 0.717213607737851, 0.7222057363604975)
    ),
    ("axis4", 2): Gradients(
        AXIS4, (13, 7), 0, 1.0, (0.5352764390514958, 0.5435095264191646, 0.5625)
    ),
    ("diagonal4", 2): Gradients(DIAGONAL4, (13, 7), 0, 1.0, ONE),
    ("compass8", 2): Gradients(COMPASS8, (13, 7), 0, 1.0, None),
    ("edges12", 1): Gradients([g[:1] for g in EDGES12], (13, 15), 2, 0.5, ONE),
    ("edges12", 2): Gradients([g[:2] for g in EDGES12], (13, 15), 1, 0.5, TWO),
    ("edges12", 3): Gradients(EDGES12, (13, 15), 0, 0.5, CUBE),
    ("edges32", 4): Gradients(
        EDGES32, (13, 31), 0, 0.5, (3.07316466809364, 3.0903998430559674, 3.13062647944113)
    ),
    ("pnoise", 1): Gradients(
        PNOISE_SLOPES, (13, 15), 0, 0.4, (2.38013054114538, 2.305206365099435, 2.25)
    ),
    ("pnoise", 2): Gradients([g[:2] for g in PNOISE], (13, 15), 1, 0.5, TWO),
    ("pnoise", 3): Gradients(PNOISE, (13, 15), 0, 0.5, CUBE),
}
DEFAULT = {1: "slopes", 2: "offaxis8", 3: "edges12", 4: "edges32"}


def gradients_of(params, dims):
    """The field's gradient set; raises KeyError where there is none in that many dimensions."""
    if params.hash == "grid":
        vectors = [g for row in params.gradient_grid for g in row]
        return {2: Gradients(vectors, None, 0, 1.0, None)}[dims]
    if params.gradients == "table":
        vectors = params.gradient_table
        return {len(vectors[0]): Gradients(vectors, (12, 255), 0, 1.0, None)}[dims]
    if params.gradients == "sphere" and dims > 1:
        return SETS["sphere", dims]._replace(vectors=sphere(params.seed, dims))
    name = DEFAULT[dims] if params.gradients in ("default", "sphere") else params.gradients
    return SETS[name, dims]


for dims, bound in ((2, 0.7071069), (3, 0.8660256), (4, 1.0000002)):
    SETS["sphere", dims] = Gradients(None, (12, 255), 0, 1.0, [bound] * 3)


def sphere(seed, dims):  # 3.6
    numbers = splitmix64(seed ^ (0x7370686572650000 + dims))
    n = {2: 31, 3: 21, 4: 16}[dims]
    vectors = []
    while len(vectors) < 256:
        r = next(numbers)
        c = [2 * (r >> (a * n) & (2**n - 1)) + 1 - 2**n for a in range(dims)]
        q = sum(x * x for x in c)
        if 4**n <= 64 * q <= 64 * 4**n:
            vectors.append(tuple(to_float(float(x) * inverse_root(float(q))) for x in c))
    return vectors


def inverse_root(x):  # 3.6: a double
    bits = struct.unpack("<Q", struct.pack("<d", x))[0]
    y = struct.unpack("<d", struct.pack("<Q", 0x5FE6EB50C7B537A9 - (bits >> 1)))[0]
    for _ in range(3):
        y = y * (1.5 - (0.5 * x) * (y * y))
    return y


def sum_of_squares(c):
    q = c[0] * c[0]
    for x in c[1:]:
        q = q + x * x
    return q


FADES = ["quintic", "cubic", "linear"]
ROOTS = [float.fromhex(s) for s in ("1", "0x1.6a09e667f3bcdp+0", "0x1.bb67ae8584caap+0", "2")]


def scale_of(largest):  # 3.4
    if math.frexp(largest)[0] == 0.5:
        return 1.0 / largest
    return float_of(bits_of(to_float(1.0 / largest)) - 2)


def bound_of(vectors):  # 3.4
    longest = max(sum_of_squares(g) for g in vectors)
    return (root(longest) * ROOTS[len(vectors[0]) - 1]) * 0.5


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
    return found[0] if output == "f1" else max(found)


def scale_and_bias(params, dims):  # 3.4
    full = params.normalize in ("full", "spread")
    if params.basis == "cellular":
        if params.cell_output == "value" or not full:
            return 1.0, 0.0
        largest = largest_distance(params.cell_metric, params.cell_output, params.jitter, dims)
        return (2 / largest) * (1 - 2.0**-20), -1.0
    if params.basis != "perlin":
        return float.fromhex("0x1.fffffp-1") if full and params.basis == "value" else 1.0, 0.0
    gradients = gradients_of(params, dims)
    if not full:
        return gradients.unit, 0.0
    if gradients.largest:
        return scale_of(gradients.largest[FADES.index(params.fade)]), 0.0
    return scale_of(bound_of(gradients.vectors)), 0.0


# ---- Tables (3.5) -------------------------------------------------------------------------------

# fmt: off
PERLIN = (
    151, 160, 137, 91, 90, 15, 131, 13, 201, 95, 96, 53, 194, 233, 7, 225, 140, 36, 103, 30,
    69, 142, 8, 99, 37, 240, 21, 10, 23, 190, 6, 148, 247, 120, 234, 75, 0, 26, 197, 62,
    94, 252, 219, 203, 117, 35, 11, 32, 57, 177, 33, 88, 237, 149, 56, 87, 174, 20, 125, 136,
    171, 168, 68, 175, 74, 165, 71, 134, 139, 48, 27, 166, 77, 146, 158, 231, 83, 111, 229, 122,
    60, 211, 133, 230, 220, 105, 92, 41, 55, 46, 245, 40, 244, 102, 143, 54, 65, 25, 63, 161,
    1, 216, 80, 73, 209, 76, 132, 187, 208, 89, 18, 169, 200, 196, 135, 130, 116, 188, 159, 86,
    164, 100, 109, 198, 173, 186, 3, 64, 52, 217, 226, 250, 124, 123, 5, 202, 38, 147, 118, 126,
    255, 82, 85, 212, 207, 206, 59, 227, 47, 16, 58, 17, 182, 189, 28, 42, 223, 183, 170, 213,
    119, 248, 152, 2, 44, 154, 163, 70, 221, 153, 101, 155, 167, 43, 172, 9, 129, 22, 39, 253,
    19, 98, 108, 110, 79, 113, 224, 232, 178, 185, 112, 104, 218, 246, 97, 228, 251, 34, 242, 193,
    238, 210, 144, 12, 191, 179, 162, 241, 81, 51, 145, 235, 249, 14, 239, 107, 49, 192, 214, 31,
    181, 199, 106, 157, 184, 84, 204, 176, 115, 121, 50, 45, 127, 4, 150, 254, 138, 236, 205, 93,
    222, 114, 67, 29, 24, 72, 243, 141, 128, 195, 78, 66, 215, 61, 156, 180,
)
# fmt: on


def shuffled(seed):
    p = list(range(256))
    numbers = splitmix64(seed ^ 0x73687566666C6500)
    for i in range(255, 0, -1):
        j = (next(numbers) >> 32) * (i + 1) >> 32
        p[i], p[j] = p[j], p[i]
    return p


def primes(seed):
    numbers = splitmix64(seed ^ 0x7072696D65730000)
    return [next(numbers) >> 56 for _ in range(1024)]


def table_of(params):
    if params.hash == "perlin":
        return PERLIN
    if params.hash == "shuffled":
        return shuffled(params.seed)
    if params.hash == "primes":
        return params.hash_table or primes(params.seed)
    return params.hash_table


# ---- From the parameters to the constants of a field (3) ----------------------------------------

Octave = collections.namedtuple(
    "Octave", "frequency key phase amplitude bias strength period shift"
)


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


def shifts_of(params, keys):  # 3.7
    if params.octaves_share == "on":
        keys = [0] * 4
    return [offset + key & WORD for offset, key in zip(params.table_offset, keys)]


class Field:
    """A field made ready to evaluate in some number of dimensions."""

    def __init__(self, params, dims):
        self.params, self.dims = params, dims
        self.gradients = gradients_of(params, dims) if params.basis == "perlin" else None
        self.table = table_of(params)
        count = 1 if params.fractal == "none" else params.octaves
        self.weighted = params.weighted_strength != 0 and count > 1
        shapes = ("ridged", "billow", "ping-pong", "eroded")
        self.shaped = params.fractal in shapes or self.weighted

        first = params.amplitude if params.normalize == "none" else 1.0
        if params.normalize != "none" and params.amplitude < 0:
            first = -1.0
        frequencies, powers, periods = [params.frequency], [first], [params.period]
        for _ in range(1, count):
            frequencies.append(frequencies[-1] * params.lacunarity)
            powers.append(powers[-1] * params.gain)
            periods.append([p * params.lacunarity for p in periods[-1]])
        total = 0.0
        for power in powers:
            total = total + abs(power)
        margin = 1.0 if count == 1 else 1.0 - count * 2.0**-23
        spread = root(sum_of_squares(powers))
        scale, bias = scale_and_bias(params, dims)
        late = self.shaped or params.contrast != 1 or bool(params.curve) or params.terraces > 0
        last = 1.0 if late else params.value_scale
        self.octaves = []
        for k in range(count):
            a = powers[k]
            if params.normalize == "spread":
                a = a / spread
            elif params.normalize != "none":
                a = a / total
            if params.normalize == "full":
                a = a * margin
            keys, phases = keys_and_phases(params.seed, 0 if params.octaves_share == "on" else k)
            self.octaves.append(
                Octave(
                    frequencies[k],
                    keys,
                    phases if params.phase == "seeded" else [0] * 4,
                    to_float(scale if self.shaped else (a * scale) * last),
                    to_float(bias if self.shaped else (a * bias) * last),
                    to_float(a),
                    [int(p) for p in periods[k]],
                    shifts_of(params, keys),
                )
            )
        self.size = to_float(params.value_scale) if late else 1.0
        self.offset = to_float(params.value_offset)
        self.pieces = pieces_of(params.curve, params.curve_shape) if params.curve else None
        self.rounds = displacements(params, dims) if params.warp_amplitude != 0 else []


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
    common = Params(
        frequency=params.warp_frequency,
        octaves=params.warp_octaves,
        lacunarity=params.warp_lacunarity,
        gain=params.warp_gain,
        period=displacement_periods(params),
    )
    return [
        [Field(dataclasses.replace(common, seed=seed), dims) for seed in of_axes[:dims]]
        for of_axes in rounds
    ]


# ---- Curves and terraces (2.17, 3.11) -----------------------------------------------------------

Piece = collections.namedtuple("Piece", "start c0 c1 c2 c3")
Pieces = collections.namedtuple("Pieces", "pieces low high")


def are_apart(x, following):  # 3.9
    """Whether two points of a curve may follow each other."""
    return following - x >= 1e-6 and to_float(x) < to_float(following)


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
        pieces.append(Piece(*map(to_float, (x[i], y[i], begin, c2, c3))))
    pieces.append(Piece(*map(to_float, (x[-1], y[-1], 0.0, 0.0, 0.0))))
    heights = [piece.c0 for piece in pieces]
    return Pieces(pieces, min(heights), max(heights))


def curved(curve, v):  # 2.17
    """The value on a curve, and the factor of derivatives."""
    first, last = curve.pieces[0].start, curve.pieces[-1].start
    c = first if v < first else last if v > last else v
    i = max(i for i, piece in enumerate(curve.pieces) if i == 0 or c >= piece.start)
    piece = curve.pieces[i]
    t = sub(c, piece.start)
    y = add(piece.c0, mul(add(piece.c1, mul(add(piece.c2, mul(piece.c3, t)), t)), t))
    y = curve.low if y < curve.low else curve.high if y > curve.high else y
    d = add(piece.c1, mul(add(mul(2.0, piece.c2), mul(mul(3.0, piece.c3), t)), t))
    return y, None if v < first or v > last else d


def terraced(terraces, sharpness, v):  # 2.17
    """The value among terraces, and the factor of derivatives."""
    half = to_float(terraces / 2)
    steep = to_float(sharpness / (1 - sharpness))
    t = mul(add(v, 1.0), half)
    w = float(math.floor(t))
    f = sub(t, w)
    m = f if f <= 0.5 else sub(1.0, f)
    b = add(mul(steep, sub(1.0, add(m, m))), 1.0)
    r = to_float(m / b)
    s = r if f <= 0.5 else sub(1.0, r)
    d = to_float(add(steep, 1.0) / mul(b, b))
    return sub(to_float(add(w, s) / half), 1.0), d


# ---- One octave at a position (2.1 to 2.6, 2.8 to 2.10) -----------------------------------------


def grid_position(origin, step, index):  # 2.1
    return origin + float(index) * step


def cell_and_fraction(cells, phase):  # 2.2
    t = round(fractions.Fraction(cells) * 2**24 + phase)  # exact; Python rounds ties to even
    return t, t >> 24, (t & 0xFFFFFF) / 2.0**24


# A, B, d2, d1, d0
CONSTANTS = {
    "quintic": (2.0, 6.0, 30.0, 0.0, 0.0),
    "cubic": (2.0, 0.0, 0.0, 6.0, 0.0),
    "linear": (0.0, 0.0, 0.0, 0.0, 1.0),
}


def fade(name, f):  # 2.3, 2.13: w, u and u's derivative
    a, b, d2, d1, d0 = CONSTANTS[name]
    c = sub(f, 0.5)
    s = mul(f, sub(1.0, f))
    w = add(c, mul(c, mul(s, add(a, mul(b, s)))))
    d = add(mul(add(mul(d2, s), d1), s), d0)
    return w, add(0.5, w), d


def weights(f, u, amplitude):  # 2.3
    return mul(mul(f, sub(1.0, u)), amplitude), mul(mul(sub(f, 1.0), u), amplitude)


MULTIPLIER = [0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35, 0x27D4EB2F]


def axis_word(cell, axis, key):  # 2.4
    high = (cell + 2**31) >> 32
    v = (cell & WORD) ^ ((high & WORD) * 0x9E3779B1 & WORD)
    v = (v * MULTIPLIER[axis] + key) & WORD
    return dot(v, 0x2C1B3C6D) ^ v


def signed16(half):
    return half - 0x10000 if half & 0x8000 else half


def dot(a, b):  # 2.5
    low = signed16(a & 0xFFFF) * signed16(b & 0xFFFF)
    return (low + signed16(a >> 16) * signed16(b >> 16)) & WORD


def joined_words(dims, word):
    """m."""
    if dims == 1:
        return dot(word[0] ^ word[0] >> 15, 0x2C1B3C6D)
    if dims == 2:
        return dot(word[0], word[1])
    if dims == 3:
        return dot(word[0], dot(word[1], word[2]))
    return dot(dot(word[0], word[1]), dot(word[2], word[3]))


def table_index(name, table, shift, cell, slices):  # 2.8
    if name == "primes":
        return table[(cell[0] * 1836311903 ^ (cell[1] * 2971215073 + 4807526976)) & 1023]
    h = 0
    for x, offset in zip(cell, shift):
        h = table[(h + x + offset) & 255]
    for _ in range(slices):
        h = table[h]
    return h


def gradient_at(field, octave, axes, corner):  # 2.5, 2.8, 2.9
    params, gradients = field.params, field.gradients
    if params.hash == "grid":
        x, y = (axis.cell[n] for axis, n in zip(axes, corner))
        return params.gradient_grid[y][x]
    if params.hash == "lattice":
        word = [axis.word[n] for axis, n in zip(axes, corner)]
        shift, mask = gradients.bits
        index = joined_words(field.dims, word) >> shift & mask
    else:
        cell = [axis.cell[n] for axis, n in zip(axes, corner)]
        index = table_index(params.hash, field.table, octave.shift, cell, gradients.slices)
    return gradients.vectors[index % len(gradients.vectors)]


def mixed(h):  # 2.10
    h ^= h >> 16
    h = h * 0x7FEB352D & WORD
    h ^= h >> 15
    h = h * 0x846CA68B & WORD
    return h ^ (h >> 16)


def uniform(h):
    return ((h >> 7 | 1) - 2**24) * 2.0**-24


LN2 = float.fromhex("0x1.62e43p-1")
LOGARITHM = [
    float.fromhex(s) for s in ("0x1.555556p-2", "0x1.99999ap-3", "0x1.24924ap-3", "0x1.c71c72p-4")
]
SINE = [
    float.fromhex(s)
    for s in (
        "0x1.921fb6p+2",
        "-0x1.4abbcep+5",
        "0x1.466bc6p+6",
        "-0x1.32d2ccp+6",
        "0x1.507834p+5",
        "-0x1.e3075p+3",
        "0x1.e8f434p+1",
    )
]


def horner(coefficients, x):
    sum_ = coefficients[-1]
    for c in reversed(coefficients[:-1]):
        sum_ = add(c, mul(x, sum_))
    return sum_


def radius_and_turn(h):  # 2.10
    bits = bits_of(((h >> 8) + 1) * 2.0**-24)
    e = (bits + 0x3F800000 - 0x3F3504F3) >> 23
    m = float_of(bits - (e << 23) + 0x3F800000)
    s = to_float(sub(m, 1.0) / add(m, 1.0))
    q = mul(s, s)
    t = add(s, mul(s, mul(q, horner(LOGARITHM, q))))
    log = add(mul(e - 127.0, LN2), add(t, t))
    radius = to_float(math.sqrt(add(mul(log, -2.0), 0.0)))
    v = (mixed(h + 0x9E3779B9 & WORD) >> 8) * 2.0**-24
    return radius, sub(0.25, abs(sub(v, 0.5)))


def gaussian(h):
    radius, z = radius_and_turn(h)
    return mul(radius, mul(z, horner(SINE, mul(z, z))))


def value_at_corner(field, octave, axes, corner):  # 2.10
    params = field.params
    if params.basis in ("white", "gaussian"):
        corner = (0,) * field.dims
    if params.hash == "lattice":
        h = mixed(sum(axis.word[n] for axis, n in zip(axes, corner)) & WORD)
        return gaussian(h) if params.basis == "gaussian" else uniform(h)
    cell = [axis.cell[n] for axis, n in zip(axes, corner)]
    return (2 * table_index(params.hash, field.table, octave.shift, cell, 0) - 255) * 2.0**-8


class Step:
    """How the two ends of an axis are joined (2.3, 2.6)."""

    def __init__(self, name, f, amplitude):
        self.w, self.u, _ = fade(name, f)
        self.a0, self.a1 = weights(f, self.u, amplitude)

    def value(self, p, q):
        return add(mul(add(p, q), 0.5), mul(self.w, sub(q, p)))

    def tilt(self, p, q):
        return add(p, mul(self.u, sub(q, p)))

    def ramp(self, p, q):
        return add(mul(self.a0, p), mul(self.a1, q))


class Slope:
    """The derivatives of a step's three (2.13)."""

    def __init__(self, name, f, octave):
        _, u, d = fade(name, f)
        g = to_float(octave.amplitude * octave.frequency)
        self.e = mul(d, to_float(octave.frequency))
        self.b0 = mul(sub(sub(1.0, u), mul(f, d)), g)
        self.b1 = mul(add(u, mul(sub(f, 1.0), d)), g)

    def value(self, p, q):
        return mul(self.e, sub(q, p))

    tilt = value

    def ramp(self, p, q):
        return add(mul(self.b0, p), mul(self.b1, q))


Axis = collections.namedtuple("Axis", "f cell word")  # cell, word: the lower and upper corner's
Row = collections.namedtuple("Row", "value tilt")


def axis_of(field, octave, axis, x):  # 2.2, 2.4
    _, cell, f = cell_and_fraction(x * octave.frequency, octave.phase[axis])
    cells = [cell, cell + 1]
    period = octave.period[axis]
    if field.params.hash == "grid":
        grid = field.params.gradient_grid
        period = len(grid) if axis else len(grid[0])
    if period:
        cells = [n % period for n in cells]
    words = []
    if field.params.hash == "lattice":
        words = [axis_word(n, axis, octave.key[axis]) for n in cells]
    return Axis(f, cells, words)


def row_of(field, octave, step, ends):  # 2.6, 2.10
    dims = field.dims
    if field.params.basis == "perlin":
        tilt = [step.tilt(ends[0][b], ends[1][b]) for b in range(1, dims)]
        return Row(step.ramp(ends[0][0], ends[1][0]), [None, *tilt])
    value = step.value(*(mul(v, octave.amplitude) for v in ends))
    return Row(value, [None] + [0.0] * (dims - 1))


def fold(b, step, low, high):  # 2.6
    value = add(step.value(low.value, high.value), step.ramp(low.tilt[b], high.tilt[b]))
    return Row(value, [None] + [step.tilt(low.tilt[c], high.tilt[c]) for c in range(1, b)])


def combine(field, octave, steps, ends):
    """ends: gradients or values by corner, 0 or 1 along each axis. The last axis folds first."""
    dims = field.dims
    rows = {
        corner: row_of(field, octave, steps[0], [ends[(n,) + corner] for n in (0, 1)])
        for corner in corners(dims - 1)
    }
    for b in range(dims - 1, 0, -1):
        rows = {
            corner: fold(b, steps[b], rows[corner + (0,)], rows[corner + (1,)])
            for corner in corners(b - 1)
        }
    return rows[()].value


def corners(n):
    return itertools.product((0, 1), repeat=n)


# ---- Cellular noise (2.15) ----------------------------------------------------------------------

COORDINATE_BITS = {1: 24, 2: 16, 3: 11}


def numbers_of_point(h, dims):
    """The integers that give a point's coordinates."""
    if dims == 1:
        return [h >> 8]
    if dims == 2:
        return [h >> 16, h & 0xFFFF]
    return [h >> 21, h >> 10 & 0x7FF, h & 0x7FF]


def jitter_constants(jitter, dims):
    """j and a."""
    bits = COORDINATE_BITS[dims]
    return to_float(jitter * 2.0**-bits), to_float(0.5 + jitter * (2.0 ** -(bits + 1) - 0.5))


def distances_along(h, constants, f, offset):
    """d along each axis."""
    j, a = constants
    return [
        sub(mul(float(i), j), sub(sub(x, float(o)), a))
        for i, x, o in zip(numbers_of_point(h, len(f)), f, offset)
    ]


def distance(metric, d):
    """D."""
    if metric in ("squared", "euclidean"):
        parts = [mul(x, x) for x in d]
    else:
        parts = [abs(x) for x in d]
    if metric == "chebyshev":
        return max(parts)
    total = parts[0]
    for part in parts[:0:-1]:
        total = add(total, part)
    return total


def number_of_cell(h):
    return uniform(h * 0x9E3779B1 & WORD)


def cellular(field, octave, position):
    params, dims = field.params, field.dims
    metric, output = params.cell_metric, params.cell_output
    reach = 1 if dims == 1 or metric == "chebyshev" else 2
    if dims == 3 and metric == "manhattan":
        reach = 3
    offsets = range(-reach, reach + 1)
    f, words = [], []
    for a, x in enumerate(position):
        _, cell, fraction = cell_and_fraction(x * octave.frequency, octave.phase[a])
        period = octave.period[a]
        cells = [(cell + o) % period if period else cell + o for o in offsets]
        f.append(fraction)
        words.append({o: axis_word(n, a, octave.key[a]) for o, n in zip(offsets, cells)})
    constants = jitter_constants(params.jitter, dims)
    found = []  # in the order of the offsets, x fastest
    for reverse in itertools.product(offsets, repeat=dims):
        offset = reverse[::-1]
        h = mixed(sum(words[a][o] for a, o in enumerate(offset)) & WORD)
        found.append((distance(metric, distances_along(h, constants, f, offset)), len(found), h))
    (d1, _, h), (d2, _, _) = sorted(found)[:2]
    if output == "value":
        return mul(number_of_cell(h), octave.amplitude)
    if metric == "euclidean":
        d1, d2 = to_float(math.sqrt(d1)), to_float(math.sqrt(d2))
    n = {"f1": d1, "f2": d2, "f2_minus_f1": sub(d2, d1)}[output]
    return add(mul(n, octave.amplitude), octave.bias)


def noise(field, octave, position, with_slopes, per_cell=False):
    """n, and its derivatives along the axes, per unit of position or per cell."""
    if field.params.basis == "cellular":
        return cellular(field, octave, position), []
    axes = [axis_of(field, octave, a, x) for a, x in enumerate(position)]
    at = gradient_at if field.params.basis == "perlin" else value_at_corner
    ends = {corner: at(field, octave, axes, corner) for corner in corners(field.dims)}
    name = field.params.fade
    steps = [Step(name, axis.f, octave.amplitude) for axis in axes]
    n, slopes = combine(field, octave, steps, ends), []
    if with_slopes:
        for a, axis in enumerate(axes):
            unit = 1.0 if per_cell else octave.frequency
            slope = Slope(name, axis.f, octave._replace(frequency=unit))
            along = steps[:a] + [slope] + steps[a + 1 :]
            slopes.append(combine(field, octave, along, ends))
    return n, slopes


# ---- The sum of the octaves, and its end (2.7, 2.11 to 2.13, 2.16 to 2.18) ----------------------


def shape(params, n, slopes):  # 2.11, 2.13
    """v and g, each with its derivatives."""
    a = abs(n)
    if params.fractal == "ridged":
        j = [with_sign_of(n, d) for d in slopes]
        v, v_slopes = sub(1.0, add(a, a)), [-add(x, x) for x in j]
        g, g_slopes = sub(1.0, a), [-x for x in j]
    elif params.fractal == "billow":
        j = [with_sign_of(n, d) for d in slopes]
        v, v_slopes = sub(add(a, a), 1.0), [add(x, x) for x in j]
        g, g_slopes = a, j
    elif params.fractal == "ping-pong":
        strength = to_float(params.ping_pong_strength)
        t = mul(add(n, 1.0), strength)
        t = sub(t, mul(2.0, float(math.floor(mul(t, 0.5)))))
        turn = sub(t, 1.0)
        b = abs(turn)
        j = [with_sign_of(turn, mul(strength, d)) for d in slopes]
        v, v_slopes = sub(1.0, add(b, b)), [-add(x, x) for x in j]
        g, g_slopes = sub(1.0, b), [-x for x in j]
    else:
        v, v_slopes = n, slopes
        g, g_slopes = mul(add(n, 1.0), 0.5), [mul(d, 0.5) for d in slopes]
    if not 0.0 < g < 1.0:
        g, g_slopes = min(max(g, 0.0), 1.0), [0.0] * len(slopes)
    return v, v_slopes, g, g_slopes


def octave_sum(field, position, with_slopes):  # 2.7, 2.11, 2.13
    params = field.params
    q = to_float(params.weighted_strength)
    eroded, steepness = params.fractal == "eroded", None
    total, weight, weight_slopes = None, 1.0, [0.0] * field.dims
    for octave in field.octaves:
        x, x_slopes = noise(field, octave, position, with_slopes or eroded, per_cell=eroded)
        if eroded:  # 2.16
            steepness = list(map(add, steepness, x_slopes)) if steepness else x_slopes
            squares = dot_product(steepness, steepness)
            damping = add(1.0, mul(to_float(params.erosion), squares))
            x_slopes = []
        if field.shaped:
            v, v_slopes, g, g_slopes = shape(params, x, x_slopes)
            x, x_slopes = mul(v, octave.strength), [mul(d, octave.strength) for d in v_slopes]
            if eroded:
                x = to_float(x / damping)
            if field.weighted:
                x_slopes = [
                    add(mul(d, weight), mul(x, w)) for d, w in zip(x_slopes, weight_slopes)
                ]
                x = mul(x, weight)
                factor = add(1.0, mul(q, sub(g, 1.0)))
                weight_slopes = [
                    add(mul(w, factor), mul(weight, mul(q, d)))
                    for w, d in zip(weight_slopes, g_slopes)
                ]
                weight = mul(weight, factor)
        if total is None:
            total, slopes = x, x_slopes
        else:
            total, slopes = add(total, x), list(map(add, slopes, x_slopes))
    return total, slopes


def end(field, v, slopes):  # 2.12, 2.13
    contrast = field.params.contrast
    if contrast == 0:
        v, slopes = float((v > 0) - (v < 0)), [0.0] * len(slopes)
    elif contrast > 1:
        p = abs(v)
        for _ in range(contrast - 2):
            p = mul(p, abs(v))
        slopes = [mul(mul(float(contrast), p), d) for d in slopes]
        v = mul(v, p)
    if field.pieces:
        v, factor = curved(field.pieces, v)
        slopes = [0.0 if factor is None else mul(d, factor) for d in slopes]
    if field.params.terraces > 0:
        v, factor = terraced(field.params.terraces, field.params.terrace_sharpness, v)
        slopes = [mul(d, factor) for d in slopes]
    if field.size != 1.0:
        v, slopes = mul(v, field.size), [mul(d, field.size) for d in slopes]
    if field.offset != 0.0:
        v = add(v, field.offset)
    return v, slopes


def has_slopes(params):  # 2.13
    return params.basis != "cellular" and params.fractal != "eroded"


def warped(field, position, with_slopes):  # 2.18
    """The displaced position, and its derivatives: by its axes, along the position's."""
    q, jacobian = position, None
    m = to_float(field.params.warp_amplitude)
    axes = range(field.dims)
    for displacement in field.rounds:
        found = [sample(of_axis, q, with_slopes) for of_axis in displacement]
        q = [p + field.params.warp_amplitude * d for p, (d, _) in zip(position, found)]
        if with_slopes:
            slopes = [s for _, s in found]
            if jacobian:
                columns = list(zip(*jacobian))
                slopes = [[dot_product(s, columns[b]) for b in axes] for s in slopes]
            products = [[mul(m, d) for d in s] for s in slopes]
            jacobian = [
                [add(1.0, products[a][b]) if a == b else products[a][b] for b in axes] for a in axes
            ]
    return q, jacobian


def sample(field, position, with_slopes=False):
    """The value at a position, and its derivatives."""
    jacobian = None
    if field.rounds:
        position, jacobian = warped(field, position, with_slopes)
    for octave in field.octaves:
        if not all(abs(x * octave.frequency) <= 2.0**53 for x in position):
            return math.nan, [math.nan] * (field.dims if with_slopes else 0)
    v, slopes = end(field, *octave_sum(field, position, with_slopes))
    if jacobian:
        slopes = [dot_product(slopes, [row[b] for row in jacobian]) for b in range(field.dims)]
    return v, slopes


def integer(v, low, high, most):  # 2.14
    scale = to_float(most / (high - low))
    return round(min(max(mul(sub(v, low), scale), 0.0), float(most)))


# ---- The test values, and the document's tables ------------------------------------------------


def hex_of(v):
    """As C's %a: no trailing zeros."""
    if math.isnan(v) or math.isinf(v):
        return str(v)
    return re.sub(r"\.?0*p", "p", v.hex()) if v else v.hex().replace(".0", "")


def cells_of(line):
    """The cells of a table's row; a bar within a cell is escaped."""
    return [c.strip() for c in re.split(r"(?<!\\)\|", line.strip())[1:-1]]


def tables_of(text):
    """Yields each table: its section's number, the rows as dicts by column."""
    section, header, rows = None, None, []
    for line in text.splitlines() + [""]:
        heading = re.match(r"#+ ([0-9.]+)", line)
        if heading:
            section = heading.group(1).rstrip(".")
        if line.startswith("|"):
            cells = cells_of(line)
            if header is None:
                header = cells
            elif not all(re.fullmatch(r":?-+:?", c) for c in cells):
                if len(cells) != len(header):
                    raise SystemExit(f"specification: a row of {section} has another width: {line}")
                rows.append(dict(zip(header, cells)))
        elif header is not None:
            if section in TABLES or (section and section.split(".")[0] == "4"):
                yield section, rows
            header, rows = None, []


def numbers_of(text, convert):
    """From "1 2 3", or as the document has them, "(1, 2, 3)"."""
    return [convert(part) for part in text.strip("()").replace(",", " ").split()]


class Tally:
    """Counts checks. With `update`, rows take the values that were computed instead."""

    def __init__(self, update=False):
        self.passed = self.failed = 0
        self.update = update
        self.replaced = {}  # new rows of the document by its old ones

    def check(self, what, found, expected):
        if found == expected:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED {what}: {found}, expected {expected}")


def check_row(tally, section, row, computed):
    """Compares the columns that were computed with the row's."""
    if tally.update:
        old = tuple(row.values())
        row.update(computed)
        tally.replaced[old] = tuple(row.values())
    expected = {name: row[name] for name in computed}
    tally.check(f"{section} {' | '.join(row.values())}", computed, expected)


# A check may add fields by name, for the tables that follow.


def check_scales(tally, section, rows, _):
    if rows and "set" not in rows[0]:
        return  # the largest distances, which cell_scales.csv checks
    for row in rows:
        gradients = SETS[row["set"], int(row["dimensions"])]
        computed = {}
        for i, name in enumerate(FADES):
            largest = gradients.largest[i] if gradients.largest else bound_of(gradients.vectors)
            computed[name] = f"{hex_of(scale_of(largest))} [{repr(largest).removesuffix('.0')}]"
        check_row(tally, section, row, computed)


def check_presets(tally, section, rows, fields):
    for row in rows:
        fields[row["preset"]] = dataclasses.replace(
            PRESET,
            hash=row["hash"],
            gradients=row["gradients"],
            fade=row["fade"],
            normalize=row["normalize"],
            table_offset=(0, 1, 0, 0) if row["table_offset"] == "1 along y" else (0, 0, 0, 0),
        )
        tally.check(f"{section} {row['preset']}", row["table_offset"] in ("0", "1 along y"), True)


def corner_words(cell, key):
    return [axis_word(x, a, key[a]) for a, x in enumerate(cell)]


def default_index(dims, m):
    return m >> 13 & (7, 7, 15, 31)[dims - 1]


def check_hash(tally, section, rows, _):
    for row in rows:
        cell = numbers_of(row["cell"], int)
        keys, phases = keys_and_phases(int(row["seed"], 0), int(row["octave"]))
        m = joined_words(len(cell), corner_words(cell, keys))
        computed = {
            "keys": " ".join(f"{key:08X}" for key in keys),
            "phases": " ".join(map(str, phases)),
            "m": f"{m:08X}",
            "index": str(default_index(len(cell), m)),
        }
        check_row(tally, section, row, computed)


def check_grid(tally, section, rows, _):
    for row in rows:
        x = grid_position(
            float.fromhex(row["origin"]), float.fromhex(row["step"]), int(row["index"])
        )
        check_row(tally, section, row, {"position": hex_of(x)})


def check_cell(tally, section, rows, _):
    for row in rows:
        t, cell, f = cell_and_fraction(float.fromhex(row["x_k"]), int(row["phase"]))
        check_row(tally, section, row, {"t": str(t), "X": str(cell), "f": hex_of(f)})


def check_fade(tally, section, rows, _):
    for row in rows:
        found = fade(row["fade"], float.fromhex(row["f"]))
        check_row(tally, section, row, {name: hex_of(v) for name, v in zip("wud", found)})


AXES = "xyzw"
WORKED_POSITION = (-432.1, 87.65)


def check_amplitudes(tally, section, rows, _):
    for row in rows:
        params = Params(
            octaves=int(row["octaves"]),
            gain=float(row["gain"]),
            normalize=row["normalize"],
            value_scale=float(row["value_scale"]),
        )
        found = Field(params, int(row["dimensions"])).octaves[int(row["octave"])].amplitude
        check_row(tally, section, row, {"amplitude": hex_of(found)})


def check_octaves(tally, section, rows, _):
    fields = [Field(Params(octaves=3), dims) for dims in range(1, 5)]
    tally.check(f"{section} number of octaves", len(rows), 3)
    for row in rows:
        octaves = [field.octaves[int(row["octave"])] for field in fields]
        computed = {"frequency": hex_of(octaves[0].frequency)}
        for a in range(4):
            computed[f"key {AXES[a]}"] = f"{octaves[0].key[a]:08X}"
            computed[f"phase {AXES[a]}"] = str(octaves[0].phase[a])
            computed[f"amplitude {a + 1}D"] = hex_of(octaves[a].amplitude)
        check_row(tally, section, row, computed)


def check_worked(tally, section, rows, _):
    """The worked sample's tables, told apart by their columns."""
    field = Field(Params(), 2)
    octave = field.octaves[0]
    axes, steps, by_axis = [], [], {}
    for a, x in enumerate(WORKED_POSITION):
        cells = x * octave.frequency
        t, cell, f = cell_and_fraction(cells, octave.phase[a])
        axis = axis_of(field, octave, a, x)
        step = Step("quintic", f, octave.amplitude)
        axes.append(axis)
        steps.append(step)
        by_axis[AXES[a]] = {
            "position": hex_of(x),
            "x_0": hex_of(cells),
            "t": str(t),
            "cell": str(cell),
            "f": hex_of(f),
            "w": hex_of(step.w),
            "u": hex_of(step.u),
            "a0": hex_of(step.a0),
            "a1": hex_of(step.a1),
            "word0": f"{axis.word[0]:08X}",
            "word1": f"{axis.word[1]:08X}",
        }
    ends = {corner: gradient_at(field, octave, axes, corner) for corner in corners(2)}
    edges = [row_of(field, octave, steps[0], [ends[0, n], ends[1, n]]) for n in (0, 1)]
    values, tilts = [edge.value for edge in edges], [edge.tilt[1] for edge in edges]
    between, slope = steps[1].value(*values), steps[1].ramp(*tilts)
    value = fold(1, steps[1], *edges).value
    for row in rows:
        if "step" in row:
            computed = {a: by_axis[a][row["step"]] for a in "xy"}
        elif "corner" in row:
            i, j = numbers_of(row["corner"], int)
            m = joined_words(2, [axes[0].word[i], axes[1].word[j]])
            g = ends[i, j]
            computed = {
                "m": f"{m:08X}",
                "index": str(default_index(2, m)),
                "gx": hex_of(g[0]),
                "gy": hex_of(g[1]),
            }
        elif "row" in row:
            edge = edges[int(row["row"])]
            computed = {"P": hex_of(edge.value), "Q": hex_of(edge.tilt[1])}
        else:
            computed = {
                "(P0 + P1) * 0.5 + w[y] * (P1 - P0)": hex_of(between),
                "a0[y] * Q0 + a1[y] * Q1": hex_of(slope),
                "value": hex_of(value),
                "bits": f"{bits_of(value):08X}",
            }
        check_row(tally, section, row, computed)


def check_root(tally, section, rows, _):
    for row in rows:
        check_row(tally, section, row, {"root": hex_of(root(float.fromhex(row["x"])))})


def check_permutations(tally, section, rows, _):
    for row in rows:
        table = {"shuffled": shuffled, "primes": primes}[row["hash"]](int(row["seed"], 0))
        computed = {
            "first": " ".join(map(str, table[:8])),
            "last": " ".join(map(str, table[-4:])),
        }
        check_row(tally, section, row, computed)


def check_vectors(tally, section, rows, _):
    for row in rows:
        vector = sphere(int(row["seed"], 0), int(row["dimensions"]))[int(row["vector"])]
        check_row(tally, section, row, {"components": " ".join(map(hex_of, vector))})


def check_lookups(tally, section, rows, _):
    for row in rows:
        cell = numbers_of(row["cell"], int)
        offset = numbers_of(row["table_offset"], int)
        params = Params(hash=row["hash"], table_offset=offset)
        shift = shifts_of(params, keys_and_phases(params.seed, int(row["octave"]))[0])
        slices = 0
        if row["gradients"] != "-":
            slices = SETS[row["gradients"], len(cell)].slices
        index = table_index(row["hash"], table_of(params), shift, cell, slices)
        check_row(tally, section, row, {"index": str(index)})


def check_numbers(tally, section, rows, _):
    for row in rows:
        h = mixed(int(row["words"], 16))
        radius, z = radius_and_turn(h)
        computed = {
            "h": f"{h:08X}",
            "value": hex_of(uniform(h)),
            "radius": hex_of(radius),
            "z": hex_of(z),
            "gaussian": hex_of(gaussian(h)),
        }
        check_row(tally, section, row, computed)


def check_points(tally, section, rows, _):
    for row in rows:
        f, offset = numbers_of(row["f"], float.fromhex), numbers_of(row["offset"], int)
        h = mixed(int(row["words"], 16))
        constants = jitter_constants(float(row["jitter"]), len(f))
        d = distances_along(h, constants, f, offset)
        computed = {
            "h": f"{h:08X}",
            "i": " ".join(map(str, numbers_of_point(h, len(f)))),
            "j": hex_of(constants[0]),
            "a": hex_of(constants[1]),
            "d": " ".join(map(hex_of, d)),
            **{name: hex_of(distance(name, d)) for name in ("squared", "manhattan", "chebyshev")},
            "number": hex_of(number_of_cell(h)),
        }
        check_row(tally, section, row, computed)


def check_distances(tally, section, rows, _):
    for row in rows:
        dims = int(row["dimensions"])
        params = Params(
            basis="cellular",
            jitter=float(row["jitter"]),
            cell_metric=row["cell_metric"],
            cell_output=row["cell_output"],
        )
        largest = largest_distance(params.cell_metric, params.cell_output, params.jitter, dims)
        computed = {"largest": hex_of(largest), "scale": hex_of(scale_and_bias(params, dims)[0])}
        check_row(tally, section, row, computed)


def check_curves(tally, section, rows, _):
    for row in rows:
        curve = pieces_of(points_of(row["curve"]), row["curve_shape"])
        computed = dict(zip(Piece._fields, map(hex_of, curve.pieces[int(row["piece"])])))
        check_row(tally, section, row, computed)


def check_terraces(tally, section, rows, _):
    for row in rows:
        v = float.fromhex(row["v"])
        found = terraced(int(row["terraces"]), float(row["terrace_sharpness"]), v)
        check_row(tally, section, row, dict(zip(("value", "factor"), map(hex_of, found))))


def check_displacements(tally, section, rows, _):
    for row in rows:
        number = 4 * (int(row["round"]) - 1) + AXES.index(row["axis"])
        seeds = displacement_seeds(int(row["seed"], 0))
        seed = next(itertools.islice(seeds, number, None))
        keys, phases = keys_and_phases(seed, 0)
        computed = {
            "displacement": f"0x{seed:016X}",
            "keys": " ".join(f"{key:08X}" for key in keys),
            "phases": " ".join(map(str, phases)),
        }
        check_row(tally, section, row, computed)


def made_table(n):
    return [i * i // 7 % 256 for i in range(n)]


def made_component(i, j, axis):
    return ((5 * i + 7 * j + 3 * axis) % 11 - 5) / 2


def points_of(text):
    """A curve's points."""
    return tuple(tuple(map(float, point.split(":"))) for point in text.split(","))


def params_of(row, dims):
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
            kind = type(getattr(Params, name))
            found[name] = int(value, 0) if kind is int else kind(value)
    if row["hash_table"]:
        found["hash_table"] = made_table(int(row["hash_table"]))
    if row["gradient_table"]:
        found["gradient_table"] = [
            tuple(made_component(i, 0, a) for a in range(dims))
            for i in range(int(row["gradient_table"]))
        ]
    if row["gradient_grid"]:
        nx, ny = map(int, row["gradient_grid"].split())
        found["gradient_grid"] = [
            [tuple(made_component(i, j, a) for a in (0, 1)) for i in range(nx)] for j in range(ny)
        ]
    return Params(**found)


def check_values(tally, section, rows, fields):
    for row in rows:
        listed = fields[row["field"]]
        position = numbers_of(row["position"], float.fromhex)
        dims = int(listed["dimensions"] or len(position))
        tally.check(f"{section} dimensions", len(position), dims)
        params = params_of(listed, dims)
        v, slopes = sample(Field(params, dims), position, has_slopes(params))
        computed = {"value": hex_of(v), "bits": f"{bits_of(v):08X}"}
        if row["derivatives"]:
            computed["derivatives"] = " ".join(f"{bits_of(d):08X}" for d in slopes)
        check_row(tally, section, row, computed)


def check_sample_of_values(tally, section, rows, fields):
    """The rows that the document repeats."""
    for row in rows:
        position = " ".join(numbers_of(row["position"], str))
        if tally.update:
            for listed in fields["values"]:
                if listed[:2] == (row["parameters"].strip("`"), position):
                    check_row(tally, section, row, {"value": listed[2], "bits": listed[3]})
        repeated = (row["parameters"].strip("`"), position, row["value"], row["bits"])
        tally.check(f"{section}: {repeated} is in values.csv", repeated in fields["values"], True)


def check_integers(tally, section, rows, _):
    for row in rows:
        v, low, high = (float.fromhex(row[name]) for name in ("value", "low", "high"))
        computed = {
            "u16": str(integer(v, low, high, 65535)),
            "u8": str(integer(v, low, high, 255)),
        }
        check_row(tally, section, row, computed)


# The tables in the document, by section.
TABLES = {
    "3.4": ("full scales", check_scales),
    "3.10": ("presets", check_presets),
    "4.1": ("constants of octaves", check_octaves),
    "4.2": ("worked sample", check_worked),
    "4.3": ("sample of the values", check_sample_of_values),
}

# The files of test values.
FILES = {
    "hash": check_hash,
    "grid_positions": check_grid,
    "cells": check_cell,
    "fades": check_fade,
    "amplitudes": check_amplitudes,
    "values": check_values,
    "roots": check_root,
    "seeded_tables": check_permutations,
    "unit_vectors": check_vectors,
    "table_indices": check_lookups,
    "lattice_values": check_numbers,
    "integers": check_integers,
    "cell_points": check_points,
    "cell_scales": check_distances,
    "curves": check_curves,
    "terraces": check_terraces,
    "displacements": check_displacements,
}


def check_files(tally, folder):
    """Returns the rows of fields.csv by the name of the field, and those of values.csv."""

    def rows_of(name):
        with open(os.path.join(folder, f"{name}.csv"), encoding="ascii", newline="") as file:
            return list(csv.DictReader(file))

    fields = {row["field"]: row for row in rows_of("fields")}
    present = {name.removesuffix(".csv") for name in os.listdir(folder) if name.endswith(".csv")}
    tally.check("files of test values", present, {*FILES, "fields"})
    for name, check in FILES.items():
        rows = rows_of(name)
        check(tally, name, rows, fields)
        if tally.update:
            with open(os.path.join(folder, f"{name}.csv"), "w", newline="") as file:
                writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)
        print(f"{name}.csv: {len(rows)} rows")
        tally.check(f"{name}.csv has rows", len(rows) > 0, True)
    return fields, rows_of("values")


def check_document(tally, path, listed, values):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    fields = {
        "values": [
            (listed[row["field"]]["params"], row["position"], row["value"], row["bits"])
            for row in values
        ]
    }
    rows_seen = collections.Counter()
    for section, rows in tables_of(text):
        rows_seen[section] += len(rows)
        if section in TABLES:
            TABLES[section][1](tally, section, rows, fields)
        elif section != "4":
            tally.check(f"{section}: a table that this script does not know", len(rows), 0)
        else:
            names = {row["file"].removesuffix(".csv") for row in rows}
            tally.check("the files that the document lists", names, {*FILES, "fields"})
    for section, (name, _) in TABLES.items():
        print(f"section {section}, {name}: {rows_seen[section]} rows")
        tally.check(f"{section} has rows", rows_seen[section] > 0, True)
    if tally.update:
        lines = []
        for line in text.split("\n"):
            new = tally.replaced.get(tuple(cells_of(line))) if line.startswith("|") else None
            lines.append("| " + " | ".join(new) + " |" if new else line)
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
    permutation = re.search(r"\n((?:    [ 0-9]+\n){16})", text).group(1)
    tally.check("3.5: Perlin's permutation", tuple(map(int, permutation.split())), PERLIN)
    return {name: fields[name] for name in PRESETS}


# ---- The command --------------------------------------------------------------------------------

PRESET = Params(frequency=1.0, octaves_share="on", phase="none")
PRESETS = ["improved", "grid", "diagonal", "circle", "axis", "compass", "pnoise", "classic"]

# The values that an option takes, by dimensions where it matters.
BASES = ["perlin"] * 5 + ["value", "white", "gaussian"]
BASES_IN = {dims: BASES + ["cellular"] * 2 for dims in (1, 2, 3)} | {4: BASES}
METRICS = ["euclidean", "squared", "manhattan", "chebyshev"]
OUTPUTS = ["f1", "f2", "f2_minus_f1", "value"]
HASHES = ["lattice", "perlin", "shuffled", "table"]
SETS_IN = {
    1: ["default", "edges12", "pnoise", "sphere", "table"],
    2: [
        "default", "offaxis8", "axis4", "diagonal4", "compass8", "edges12", "sphere", "pnoise",
        "table",
    ],
    3: ["default", "edges12", "sphere", "pnoise", "table"],
    4: ["default", "edges32", "sphere", "table"],
}
FRACTALS = ["fbm", "fbm", "none", "ridged", "billow", "ping-pong", "eroded", "eroded"]


def random_vector(rng, dims):
    kind = rng.randrange(4)
    if kind == 0:
        return tuple(float(rng.randint(-1, 1)) for _ in range(dims))
    return tuple(to_float(rng.uniform(-1, 1) * (1, 1, 1000)[kind - 1]) for _ in range(dims))


def random_vectors(rng, dims, n):
    """At least one of them not 0."""
    return [tuple([1.0] * dims)] + [random_vector(rng, dims) for _ in range(n - 1)]


def random_periods(rng, params):
    """Periods that fit at every octave, none where those tried do not."""
    periods = []
    for _ in range(4):
        p = rng.choice((0, 1, 2, 3, 7, 10, 64, 256, 1000, 2**rng.randint(1, 20)))
        periods.append(p if periods_fit(p, params.lacunarity, params.octaves) else 0)
    return tuple(periods)


def random_curve(rng):
    """Ordinary points, or odd ones: beside each other, on a line, far out, or on one level."""
    n = rng.choice((2, 3, 4, 5, 8, 16))
    kind = rng.randrange(6)
    if kind == 0:  # x that are next to each other as floats
        x = [rng.choice((0.25, -1.0, 1e3))]
        while len(x) < n:
            x.append(x[-1] + rng.choice((1.001e-6, 2e-6, 2.0**-18, 0.1)))
    elif kind == 1:
        x = sorted(rng.sample(range(-(10**6), 10**6 + 1), n))
        x[rng.randrange(n)] /= 3.0  # not always in order, which is seen to below
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
        y = [0.7 * a for a in x]
        height = 1.0
    points = tuple((a, float(b * height)) for a, b in zip(x, y))
    return points if len(points) > 1 else ((-1.0, -1.0), (1.0, rng.uniform(-1, 1)))


def random_warp(rng, params):
    """A warp, whose periods fit if there are any: else the field has none."""
    step = 1 / params.frequency
    params.warp_amplitude = rng.choice((0.5 * step, 3 * step, step * 2.0 ** rng.uniform(-30, 30)))
    ratio = rng.choice((1.0, 0.5, 2.0, 0.25, 1 / 3, rng.uniform(0.1, 10)))
    params.warp_frequency = params.frequency * ratio
    params.warp_octaves = rng.choice((1, 1, 2, 3))
    params.warp_lacunarity = rng.choice((2.0, 2.0, 1.0, 3.0, rng.uniform(0.5, 2.5)))
    params.warp_gain = rng.choice((0.5, 0.5, -1.0, 0.0, rng.uniform(-2, 2)))
    params.warp_rounds = rng.choice((1, 1, 2, 3))
    if displacement_periods(params) is None:
        params.warp_frequency, params.warp_lacunarity = params.frequency, 2.0
    if displacement_periods(params) is None:
        params.period = (0, 0, 0, 0)


def random_params(rng, dims, preset):
    """A field: `preset`, or the default field, with much of it chosen anew."""
    params = dataclasses.replace(
        preset or Params(),
        seed=rng.choice((0, 1337, 2**64 - 1, rng.getrandbits(64))),
        frequency=rng.choice((0.01, 1.0, 2.0 ** rng.randint(-30, 30), 2.0 ** rng.uniform(-30, 30))),
        octaves=rng.choice((1, 1, 1, 2, 2, 3, 3, 5, 12)),
        lacunarity=rng.choice((2.0, 2.0, 2.0, 0.5, 1.0, 1.5, rng.uniform(1.5, 2.5))),
        gain=rng.choice((0.5, 0.5, -0.5, 1.0, 0.0, rng.uniform(-2, 2))),
    )
    if not preset:
        params.octaves_share = rng.choice(("off", "off", "on"))
        params.phase = rng.choice(("seeded", "seeded", "none"))
        params.basis = rng.choice(BASES_IN[dims])
        hashes = HASHES + (["primes", "grid"] if dims == 2 else [])
        no_tables = params.basis in ("gaussian", "cellular")
        params.hash = "lattice" if no_tables else rng.choice(hashes)
        if params.hash == "grid":
            params.basis = "perlin"
        params.gradients = rng.choice(SETS_IN[dims])
        params.fade = rng.choice(FADES)
        params.jitter = rng.choice((0.0, 1.0, 1.0, rng.random()))
        params.cell_metric = rng.choice(METRICS)
        params.cell_output = rng.choice(OUTPUTS)
    params.normalize = rng.choice((params.normalize, "full", "octaves", "none", "spread"))
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
        params.curve = random_curve(rng)
        params.curve_shape = rng.choice(("linear", "smooth"))
    if rng.randrange(5) == 0:
        params.terraces = rng.choice((1, 2, 3, 5, 8, 1024))
        params.terrace_sharpness = rng.choice((0.7, 0.0, 0.999, rng.random()))
    if rng.randrange(2):
        params.period = random_periods(rng, params)
    if rng.randrange(3) == 0:
        offsets = [rng.randint(-(2**31), 2**31 - 1) for _ in range(4)]
        params.table_offset = rng.choice((tuple(offsets), (offsets[0],) * 4))
    if params.hash == "table":
        params.hash_table = [rng.randrange(256) for _ in range(256)]
    if params.hash == "primes" and rng.randrange(2):
        params.hash_table = [rng.randrange(256) for _ in range(1024)]
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
    return params


def random_cells(rng):
    """A coordinate in cells: ordinary, or where something changes."""
    kind = rng.randrange(8)
    if kind <= 1:
        return rng.uniform(-10, 10)
    if kind == 2:  # around a lattice point, in halves of the quantum and less
        return rng.randint(-3, 3) + rng.randint(-4, 4) * 2.0 ** rng.randint(-27, -24)
    if kind == 3:  # around multiples of 2^32 and 2^31, where the hash folds in the high word
        return (rng.randint(-2**21, 2**21) + 0.5 * rng.randint(0, 1)) * 2**32 + rng.uniform(-2, 2)
    if kind == 4:  # around the powers of two
        return rng.choice((-1, 1)) * 2.0 ** rng.randint(20, 53) + rng.randint(-2, 2) * 0.25
    if kind == 5:
        return rng.choice((-1, 1)) * 2.0 ** rng.uniform(-40, 53)
    if kind == 6:
        return float(rng.randint(-10**6, 10**6))
    return rng.choice((0.0, -0.0, 0.5, 2.0**52 + 1, 2.0**53, -(2.0**53), 2.0**53 + 2, 1e300))


def random_position(rng, field):
    """Awkward coordinates beside ordinary ones: a single awkward one is enough to be outside."""
    frequency = rng.choice(field.octaves).frequency
    ordinary = rng.randrange(3) == 0
    return [
        (rng.uniform(-100, 100) if ordinary or rng.randrange(3) == 0 else random_cells(rng))
        / frequency
        for _ in range(field.dims)
    ]


def write_lines(folder, name, lines):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="ascii") as file:
        file.write("# made by specification.py\n" + "".join(f"{line}\n" for line in lines))
    return path


def options_of(params, start, folder):
    """The command's options that make `params` from `start`."""
    plain = {
        "seed": "--seed",
        "frequency": "--frequency",
        "octaves": "--octaves",
        "lacunarity": "--lacunarity",
        "gain": "--gain",
        "octaves_share": "--octaves-share",
        "phase": "--phase",
        "basis": "--basis",
        "hash": "--hash",
        "gradients": "--gradients",
        "fade": "--fade",
        "jitter": "--jitter",
        "cell_metric": "--cell-metric",
        "cell_output": "--cell-output",
        "fractal": "--fractal",
        "weighted_strength": "--weighted-strength",
        "ping_pong_strength": "--ping-pong-strength",
        "erosion": "--erosion",
        "warp_amplitude": "--warp-amplitude",
        "warp_frequency": "--warp-frequency",
        "warp_octaves": "--warp-octaves",
        "warp_lacunarity": "--warp-lacunarity",
        "warp_gain": "--warp-gain",
        "warp_rounds": "--warp-rounds",
        "amplitude": "--amplitude",
        "value_scale": "--value-scale",
        "value_offset": "--value-offset",
        "contrast": "--contrast",
        "curve_shape": "--curve-shape",
        "terraces": "--terraces",
        "terrace_sharpness": "--terrace-sharpness",
    }
    options = []
    for name, option in plain.items():
        value = getattr(params, name)
        if value != getattr(start, name):
            options += [option, str(value)]
    if params.period != start.period:
        options += ["--period", ",".join(map(str, params.period))]
    if params.table_offset != start.table_offset:
        options += ["--table-offset", ",".join(map(str, params.table_offset))]
    if params.curve != start.curve:
        options.append("--curve=" + ",".join(f"{x!r}:{y!r}" for x, y in params.curve))
    if params.normalize != start.normalize:
        options += ["--normalize", params.normalize]
    if params.hash_table:
        lines = [", ".join(map(str, params.hash_table[i : i + 9])) for i in range(0, 1024, 9)]
        options += ["--hash-table", write_lines(folder, "table", lines)]
    if params.gradients == "table":
        lines = [",".join(map(repr, g)) for g in params.gradient_table]
        options += ["--gradient-table", write_lines(folder, "gradients", lines)]
    if params.gradient_grid:
        rows = [[f"{x!r} {y!r}" for x, y in vectors] for vectors in params.gradient_grid]
        lines = ["\n".join(row) + "\n" for row in rows]
        options += ["--gradient-grid", write_lines(folder, "grid", lines)]
    return options


def run_points(arguments, positions):
    lines = "".join(" ".join(x.hex() for x in position) + "\n" for position in positions)
    try:
        done = subprocess.run(
            arguments, input=lines, capture_output=True, text=True, timeout=600, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return [], f"{' '.join(arguments)}: {error}"
    lines = done.stdout.splitlines()
    nans = sum("7FC00000" in line.upper() for line in lines)  # a note on stderr counts them
    if done.returncode != 0 or bool(done.stderr) != bool(nans) or str(nans or "") not in done.stderr:
        return [], f"{' '.join(arguments)}: exit status {done.returncode}: {done.stderr.strip()}"
    return lines, None


FIELDS_IN = {1: 100, 2: 240, 3: 160, 4: 160}  # how many are compared in so many dimensions
PRESETS_IN = {
    1: ["improved", "pnoise", "classic"],
    2: PRESETS,
    3: ["improved", "pnoise", "classic"],
    4: ["classic"],
}


REFUSES_SLOPES = "--with-gradient: derivatives could exceed"


def steep(params):
    """Whether derivatives may be refused: include/perlane.h says beyond some 1e20 all told, which
    long vectors and contrast count in, too."""
    octaves = params.octaves - 1
    longest = max((abs(c) for g in params.gradient_table or [] for c in g), default=1)
    frequency = params.frequency * max(1, params.lacunarity**octaves)
    amplitude = max(1, abs(params.amplitude)) * max(1, abs(params.gain) ** octaves)
    value = max(1, longest * amplitude)
    curve = zip(params.curve, params.curve[1:])
    factor = max((abs(y1 - y0) / (x1 - x0) for (x0, y0), (x1, y1) in curve), default=1)
    factor = max(1, factor) / (1 - params.terrace_sharpness)
    warp = params.warp_frequency * max(1, params.warp_lacunarity) ** (params.warp_octaves - 1)
    factor *= (1 + params.warp_amplitude * warp * 40) ** params.warp_rounds
    value = value ** max(1, params.contrast) * max(1, abs(params.value_scale))
    return frequency * value * factor > 1e15


def used(params):
    """The parts of a field that are counted."""
    found = {
        "cellular": params.basis == "cellular",
        "eroded": params.fractal == "eroded",
        "spread": params.normalize == "spread",
        "curve": params.curve,
        "terraces": params.terraces,
        "warp": params.warp_amplitude,
        "warp with a period": params.warp_amplitude and any(params.period),
    }
    return [name for name, value in found.items() if value]


def check_command(tally, command, presets):
    seed = os.environ.get("PERLANE_TEST_SEED") or "1"  # the same on every run
    percent = int(os.environ.get("PERLANE_TEST_PERCENT") or 100)
    print(f"comparing with {command}; PERLANE_TEST_SEED={seed}")
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        for dims, count in FIELDS_IN.items():
            compared = outside = 0
            chosen = collections.Counter()
            for n in range(max(10, count * percent // 100)):
                names = PRESETS_IN[dims]
                preset = names[n // 4 % len(names)] if n % 4 == 0 else None
                params = random_params(rng, dims, presets.get(preset))
                field = Field(params, dims)
                count_of_field = 6 if field.rounds else 10  # warped ones take longer
                positions = [random_position(rng, field) for _ in range(count_of_field)]
                with_slopes = rng.randrange(3) > 0 and has_slopes(params)
                arguments = [command, "points", "--bits-out", "--dims", str(dims)]
                arguments += ["--preset", preset] if preset else []
                arguments += options_of(params, presets.get(preset, Params()), folder)
                arguments += ["--with-gradient"] if with_slopes else []
                found, error = run_points(arguments, positions)
                if error and with_slopes and REFUSES_SLOPES in error and steep(params):
                    with_slopes = False
                    arguments.remove("--with-gradient")
                    found, error = run_points(arguments, positions)
                if error or len(found) != len(positions):
                    error = error or f"{len(found)} results for {len(positions)} positions"
                    tally.check(" ".join(arguments), error, "one result for each position")
                    continue
                for position, line in zip(positions, found):
                    v, slopes = sample(field, position, with_slopes)
                    expected = " ".join(f"{bits_of(x):08X}" for x in (v, *slopes))
                    where = f"{' '.join(arguments)} at {' '.join(map(hex_of, position))}"
                    tally.check(where, line.upper(), expected)
                    compared += 1
                    chosen.update(used(params))
                    outside += math.isnan(v)
            print(f"{dims}D: {compared} positions compared, {outside} of them outside the domain")
            print("  " + ", ".join(f"{n} {name}" for name, n in sorted(chosen.items())))


def main(arguments):
    if len(arguments) not in (2, 3):
        print(__doc__)
        return 2
    tally = Tally(update=arguments[2:] == ["update"])
    fields, values = check_files(
        tally, os.path.join(arguments[1], "tests", "vectors", "specification")
    )
    document = os.path.join(arguments[1], "docs", "specification.md")
    presets = check_document(tally, document, fields, values)
    if tally.update:
        print("skipped: comparison with the perlane command (test values renewed)")
    elif len(arguments) == 3:
        check_command(tally, arguments[2], presets)
    else:
        print("skipped: comparison with the perlane command (no path given)")
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
