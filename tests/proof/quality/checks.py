# SPDX-License-Identifier: MIT
"""Statistics of the noise, as a report in Markdown: checks.py [PERCENT]

Gradient indices are tested like random numbers: uniform, and independent of each other. The field is
compared with what follows from that. Windows, seeds and lines come from a fixed list, so a check that
passes always passes; PERCENT of them are used. Bad hashes and fields must be found out. Ends with 1 if
the library failed a check, or what is bad passed one. Needs what pictures.py needs.
"""

import itertools
import math
import multiprocessing
import sys
import time
from typing import NamedTuple

import numpy as np

import perlane

np.seterr(divide="ignore")  # of means that cannot vary
PERCENT = float(sys.argv[1]) if sys.argv[1:] else 100


def split_mix(seed, n):
    """Output number n, from 0, of SplitMix64."""
    z = (seed + (n + 1) * 0x9E3779B97F4A7C15) % 2**64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return z ^ z >> 31


def signed(word):
    return word - 2**64 if word >> 63 else word


# ---- Trials against chance ----


def normal_of_chi_square(x, freedom):
    """The normal variable of about the same probability (Wilson and Hilferty)."""
    variance = 2 / (9 * freedom)
    return (math.cbrt(x / freedom) - (1 - variance)) / math.sqrt(variance)


def chi_square_tail(x, freedom):
    if not x < math.inf:  # infinite, or no number: nothing fair is
        return 0
    if freedom <= 2:
        return math.erfc(math.sqrt(x / 2)) if freedom == 1 else math.exp(-x / 2)
    return math.erfc(normal_of_chi_square(x, freedom) / math.sqrt(2)) / 2


class Tally:
    """Trials, statistics whose distribution is known for fair random numbers: chi-squares.

    A check fails if fair numbers would show its least likely trial, among that many, with a probability
    below 1e-6, or if all together are more than 5 standard errors from what is expected, which fair
    numbers are with a probability of 6e-7: one false alarm in 600,000 choices of seeds.
    """

    def __init__(self):
        self.trials, self.smallest, self.where, self.square, self.freedom = 0, 1, "", 0, 0

    def add(self, squares, freedom, where, alone=False):
        """Counts trials; those that depend on each other stay out of the total (alone)."""
        squares = np.atleast_1d(squares)
        worst = int(np.argmax(np.nan_to_num(squares, nan=math.inf)))
        tail = chi_square_tail(squares[worst], freedom)
        self.trials += len(squares)
        if tail < self.smallest or not self.where:
            self.smallest, self.where = tail, where + f", number {worst}" * (len(squares) > 1)
        if not alone:
            self.square += squares.sum()
            self.freedom += freedom * len(squares)

    def chance(self):
        return -math.expm1(self.trials * math.log1p(-min(self.smallest, 1 - 1e-16)))

    def errors(self):
        return normal_of_chi_square(self.square, self.freedom) if self.freedom else 0

    def passes(self):
        return self.trials > 0 and self.chance() >= 1e-6 and abs(self.errors()) <= 5


# ---- Where gradient indices come from; axes are x first, arrays as in NumPy ----


class Window(NamedTuple):
    """Cells first + i * step along each axis."""

    seed: int
    first: list
    count: tuple
    step: tuple = (1, 1, 1, 1)
    octave: int = 0

    def place(self, shift=0.0):
        dims = len(self.count)
        return {"shape": self.count[::-1], "origin": [first + shift for first in self.first[:dims]][::-1],
                "step": self.step[:dims][::-1]}


def from_library(hash_="lattice"):
    """Reads the index off the derivative along x at lattice points, where a field's gradient is the
    lattice's own, of a table with the gradients (0, 0, 0), (1, 0, 0), ... (255, 0, 0). All octaves have
    the same frequency, so their lattices coincide, and each is 1024 times as strong as the one before:
    rounded to a whole number, the derivative is the last one's index."""

    def words(window):
        table = np.zeros((256, len(window.count)))
        table[:, 0] = range(256)
        field = perlane.Field(
            seed=window.seed, frequency=1, octaves=window.octave + 1, lacunarity=1, gain=1024,
            amplitude=0.5 ** (10 * window.octave), normalize="none", phase="none", hash=hash_,
            octaves_share=hash_ != "lattice", gradient_table=table)  # or hash tables would be shifted
        index = np.rint(field.gradient(**window.place()).dx).astype(np.uint32)
        return index << 12 if hash_ == "lattice" else index << 13  # bits 12 and up of m; small sets: 13 and up

    return words


MULTIPLIER = (0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35, 0x27D4EB2F)


def dot(a, b):
    b = np.asarray(b, np.uint32)

    def halves(v):
        return (half.astype(np.uint16).view(np.int16).astype(np.int32) for half in (v, v >> 16))

    (a_low, a_high), (b_low, b_high) = halves(a), halves(b)
    return (a_low * b_low + a_high * b_high).view(np.uint32)


def one_multiply(cell, axis, seed, octave):
    """v of the specification's section 2.4."""
    key = split_mix(split_mix(seed, 0), 4 * octave + axis) >> 32
    high = (cell + 0x80000000 >> 32).astype(np.uint32)
    return (cell.astype(np.uint32) ^ high * np.uint32(MULTIPLIER[0])) * np.uint32(MULTIPLIER[axis]) + np.uint32(key)


def model_word(*of):
    v = one_multiply(*of)
    return dot(v, 0x2C1B3C6D) ^ v


def shifted_seed(cell, axis, seed, octave):
    return model_word(cell + signed(seed) if axis == 0 else cell, axis, 0, octave)


def shared_stream(cell, axis, seed, octave):
    return model_word(cell, axis, (seed + octave) % 2**64, 0)


def times_prime(cell, axis, seed, octave):
    return cell.astype(np.uint32) * np.uint32(MULTIPLIER[axis]) ^ np.uint32((seed + octave) % 2**32 if axis == 0 else 0)


def model_join(x, y=None, z=None, w=None):
    """m of 2.5."""
    if y is None:
        return dot(x ^ x >> 15, 0x2C1B3C6D)
    return dot(x, y) if z is None else dot(x, dot(y, z)) if w is None else dot(dot(x, y), dot(z, w))


def cell_join(*words):
    """h of 2.15: the mixed sum of the words."""
    h = sum(words[1:], words[0])
    h = (h ^ h >> 16) * np.uint32(0x7FEB352D)
    h = (h ^ h >> 15) * np.uint32(0x846CA68B)
    return h ^ h >> 16


def added_planes(x, y, *planes):
    s = sum(planes[1:], planes[0])
    return dot(x + s, y + s)


def xor_join(*words):
    v = np.bitwise_xor.reduce(np.broadcast_arrays(*words)) * np.uint32(0x27D4EB2D)
    return (v ^ v >> 15) << 16


def from_words(word, join):
    def words(window):
        return join(*(word(first + np.arange(count) * step, axis, window.seed, window.octave).reshape(-1, *[1] * axis)
                      for axis, (first, count, step) in enumerate(zip(window.first, window.count, window.step))))

    return words


class Lattice(NamedTuple):
    """A hash, of which an index is as many bits as there are gradients, from `shift` on."""

    name: str
    words: object
    shift: int = 13
    is_large: bool = False  # sets of 256 gradients

    def choices(self, dims):
        return 256 if self.is_large else (2, 8, 16, 32)[dims - 1]

    def index(self, window):
        return (self.words(window) >> self.shift) % self.choices(len(window.count))


DEFAULT = Lattice("lattice (default)", from_library())
LARGE = Lattice("sets of 256", from_library(), 12, True)
PERLIN_TABLE = Lattice("Perlin's table", from_library("perlin"))
MODEL = Lattice("the specification's", from_words(model_word, model_join))
CELL_HIGH = Lattice("cells, bits from 24 on", from_words(model_word, cell_join), 24, True)
CELL_LOW = CELL_HIGH._replace(name="cells, bits from 8 on", shift=8)
LOW_BITS = Lattice("bits from 0 on", MODEL.words, 0, True)


# ---- Which windows ----

WINDOW = {1: (65536,), 2: (128,) * 2, 3: (32,) * 3, 4: (16,) * 4}


def window_of(list_, number, count):
    """Every other window has a small seed, as people choose them, the others any 64 bits. They are up to
    2^12, 2^24, 2^36 and 2^45 cells from the origin in turn, and every eighth lies across the origin and
    across 2^31, where cells stop being 32-bit numbers."""
    words = split_mix(list_, number)
    seed = split_mix(words, 0) if number % 2 else number // 2
    first = [signed(split_mix(words, axis + 1)) >> (51, 39, 27, 18)[number % 4] for axis in range(4)]
    if number % 8 == 5:
        first = [-5, 0x80000000 - 7] * 2
    return Window(seed, first[:len(count)], count)


# ---- The hash ----


def add_pairs(tally, choices, a, b, lag, where):
    """Tallies what b has to do with a at a lag, apart from how often each value occurs: the sum of the
    squares of all products of a Walsh function of one and of the other. Each product has mean 0, and no two
    of different places are correlated, also where places overlap; Pearson's statistic of overlapping pairs
    is no chi-square. By Parseval's theorem the sum follows from the squares of the counts and their totals."""
    a = a[tuple(slice(max(-d, 0), -d if d > 0 else None) for d in lag[::-1])]
    b = b[tuple(slice(max(d, 0), d if d < 0 else None) for d in lag[::-1])]
    times = np.bincount((a * choices + b).ravel(), minlength=choices**2).reshape(choices, -1).astype(float)
    totals = (times.sum(0) ** 2).sum() + (times.sum(1) ** 2).sum()
    n = a.size
    tally.add((choices * (choices * (times**2).sum() - totals) + n * n) / n, (choices - 1) ** 2, f"{where}, lag {lag}")


def add_uniformity(tally, choices, index, where):
    expected = index.size / choices
    times = np.bincount(index.ravel(), minlength=choices)
    tally.add(((times - expected) ** 2).sum() / expected, choices - 1, f"{where}, uniformity")


def add_window(tally, lattice, window, reach):
    """How even indices are, and independent of those at each lag that is not the negative of another."""
    dims = len(window.count)
    index, choices = lattice.index(window), lattice.choices(dims)
    where = f"seed {window.seed:#x}, step {window.step}"
    add_uniformity(tally, choices, index, where)
    for lag in itertools.product(range(-reach, reach + 1), repeat=dims):
        if lag[::-1] > (0,) * dims:
            add_pairs(tally, choices, index, index, lag, where)


def neighbours(tally, lattice, dims, windows):
    for i in range(windows):
        add_window(tally, lattice, window_of(0x4E656967, i, WINDOW[dims]), (16, 3, 1, 1)[dims - 1])


STRIDES = [2 << s for s in range(40)] + [3, 5, 7, 9, 15, 17, 31, 33, 63, 65, 127, 129, 255, 257, 1023, 1025, 4095,
                                         65535, 65537, 16777213]  # fmt: skip


def strides(tally, lattice, dims, windows):
    """The same for cells that are 2^j or an odd number apart, along one axis or all."""
    for i, (s, stride) in itertools.product(range(windows), enumerate(STRIDES)):
        for along in range(dims == 1, dims + 1):  # 0: along all
            count = WINDOW[dims] if dims > 1 or stride <= 1 << 34 else (8192,)  # to stay in the domain
            window = window_of(0x53747269, (i * len(STRIDES) + s) * 5 + along, count)
            add_window(tally, lattice, window._replace(
                first=[first >> 1 for first in window.first],
                step=tuple(stride if along in (0, a + 1) else 1 for a in range(dims))), 1)  # fmt: skip


def corners(tally, lattice, dims, windows):
    """One bit of the indices at the corners of a cell (2D: of 2x2 cells): the product of any subset of
    them, as signs, is 1 as often as -1. Subsets that others become by moving a cell say nothing new: only
    those count that touch the lower side of each axis."""
    side = 3 if dims <= 2 else 2
    places = list(itertools.product(range(side), repeat=dims))
    subsets = np.arange(1 << len(places))
    counts = np.logical_and.reduce([
        subsets & sum(1 << p for p, place in enumerate(places) if place[a] == 0) != 0 for a in range(dims)])  # fmt: skip
    for i in range(windows):
        window = window_of(0x436F726E, i, {1: (65536,), 2: (256,) * 2, 3: (40,) * 3, 4: (16,) * 4}[dims])
        index = lattice.index(window)
        for bit in range(lattice.choices(dims).bit_length() - 1):
            pattern = 0
            for p, place in enumerate(places):
                part = index[tuple(slice(a, n - side + 1 + a) for a, n in zip(place, index.shape))]
                pattern = pattern | (part >> bit & 1) << p
            times = np.bincount(pattern.ravel(), minlength=len(subsets)).astype(float)
            for p in range(len(places)):  # the Walsh transform
                low, high = np.moveaxis(times.reshape(-1, 2, 1 << p), 1, 0)
                times = np.stack((low + high, low - high), 1).ravel()
            tally.add(times[counts] ** 2 / pattern.size, 1, f"seed {window.seed:#x}, bit {bit}")


def slices(tally, lattice, dims, windows):
    """Lines (2D), planes (3D) and volumes (4D) across an axis: each is uniform, and independent of the next."""
    choices = lattice.choices(dims)
    longer = 4 if lattice.is_large and dims == 2 else 1  # enough for pairs of 256
    for i, across in itertools.product(range(windows), range(dims)):
        count = [n * longer for n in {2: (4096,), 3: (128, 128), 4: (32, 32, 16)}[dims]]
        count.insert(across, 64)
        window = window_of(0x536C6963, i * 4 + across, tuple(count))
        layers = np.moveaxis(lattice.index(window), dims - 1 - across, 0).reshape(64, -1)
        for s in range(63):
            where = f"seed {window.seed:#x}, slice {window.first[across] + s} across {'xyzw'[across]}"
            add_uniformity(tally, choices, layers[s], where)
            add_pairs(tally, choices, layers[s], layers[s + 1], (0,), where)


DELTAS = [1, 2, 3, 4, 16, 255, 256, 65536, 1 << 18, 1 << 24, 1 << 31, 1 << 32, 1 << 48, 1 << 63, 0x9E3779B97F4A7C15]


def seeds(tally, lattice, dims, windows):
    """Seeds s and s + delta: cell by cell, and next to it."""
    lags = [(0,) * dims, *(tuple(move * (a == b) for b in range(dims)) for a in range(dims) for move in (-1, 1))]
    for i in range(windows):
        window = window_of(0x53656564, i, WINDOW[dims])
        index = lattice.index(window)
        for delta in DELTAS:
            other = lattice.index(window._replace(seed=(window.seed + delta) % 2**64))
            for lag in lags:
                add_pairs(tally, lattice.choices(dims), index, other, lag, f"seed {window.seed:#x}, delta {delta:#x}")


# An octave, and an octave of this seed or of a later one, at cells scaled by so much.
AGAINST = [(0, 1, 0, 1), (0, 1, 0, 2), (1, 2, 0, 2), (0, 2, 0, 4), (0, 3, 0, 8), (2, 3, 0, 1), (1, 0, 1, 1),
           (2, 0, 2, 1), (3, 0, 3, 1), (1, 0, 1, 2), (0, 1, 1, 2), (0, 2, 1, 4), (0, 0, 1, 2), (0, 0, 2, 4),
           (2, 1, 1, 1), (3, 1, 1, 4)]  # fmt: skip


def octaves(tally, lattice, dims, windows):
    for i, (octave, other, delta, scale) in itertools.product(range(windows), AGAINST):
        window = window_of(0x4F637461, i, WINDOW[dims])
        index = lattice.index(window._replace(octave=octave))
        for corner in itertools.product((0, 1), repeat=dims):
            scaled = [scale * first + moved for first, moved in zip(window.first, corner)]
            found = lattice.index(Window((window.seed + delta) % 2**64, scaled, window.count, (scale,) * 4, other))
            add_pairs(tally, lattice.choices(dims), index, found, (0,) * dims,
                      f"seed {window.seed:#x}, octave {octave}; seed + {delta}, octave {other}, x{scale}, corner {corner}")


PLANE, QUANTILES = 512, 16


def spectra(tally, lattice, dims, windows):
    """The power spectrum of one bit of the indices in a plane along any two axes: no frequency stands out,
    and powers are distributed as those of white noise."""
    # A frequency and its negative have the same power, so half of them count, but for those that are their own.
    y, x = np.indices((PLANE // 2 + 1, PLANE))
    half = (y % (PLANE // 2) != 0) | (x % (PLANE // 2) != 0) & (x < PLANE // 2)
    for i, (u, v) in itertools.product(range(windows), itertools.combinations(range(dims), 2)):
        window = window_of(0x53706563, i * 6 + u + v, tuple(PLANE if a in (u, v) else 1 for a in range(dims)))
        index = lattice.index(window).reshape(PLANE, PLANE)
        for bit in range(lattice.choices(dims).bit_length() - 1):
            where = f"seed {window.seed:#x}, plane {'xyzw'[u]}{'xyzw'[v]}, bit {bit}"
            power = (np.abs(np.fft.fft2(1.0 - 2 * (index >> bit & 1))) ** 2)[:PLANE // 2 + 1][half] / PLANE**2
            tally.add(2 * power, 2, where, alone=True)  # exponentially distributed: half a chi-square
            share = np.bincount(np.minimum(QUANTILES * np.exp(-power), QUANTILES - 1).astype(int), minlength=QUANTILES)
            even = power.size / QUANTILES
            # One degree less for the total power, which is the same for all planes of signs.
            tally.add(((share - even) ** 2).sum() / even, QUANTILES - 2, where + ", distribution")


def count_repeats(lattice, dims, axis, seed):
    """Runs of 64 indices, among the 2^20 that start along an axis, that occur twice, and the distance of the
    first such pair. Fair numbers have one with a probability of 3e-8 for each line in 1D, and next to none
    in 2D to 4D."""
    first = [signed(split_mix(seed, a)) >> 40 for a in range(dims)]
    count = tuple((1 << 20) + 63 if a == axis else 1 for a in range(dims))
    line = lattice.index(Window(seed, first, count)).astype(np.uint8).tobytes()
    seen, repeats, distance = {}, 0, 0
    for i in range(1 << 20):
        before = seen.setdefault(line[i:i + 64], i)
        if before != i:
            repeats += 1
            distance = distance or i - before
    return repeats, distance


# ---- The field ----

# What section 3.4 of the specification scales values by, and the default gradients of 2.5.
SCALE = (2, float.fromhex("0x1.65f218p+0"), float.fromhex("0x1.ee0a2ap-2"), float.fromhex("0x1.4d34fap-2"))
K = 53 / 128
EDGES = [tuple(np.insert(signs, a, 0)) for a in range(3) for signs in itertools.product((2, -2), repeat=2)]
GRADIENTS = [np.array(vectors, float) for vectors in (
    [(1,), (-1,)], [(x, y * K) for x in (1, -1) for y in (1, -1)] + [(x * K, y) for x in (1, -1) for y in (1, -1)],
    EDGES + [(2, 2, 0), (0, -2, 2), (-2, 2, 0), (0, -2, -2)],
    [tuple(np.insert(signs, a, 0)) for a in range(4) for signs in itertools.product((2, -2), repeat=3)])]  # fmt: skip


def fade(t):
    return t * t * t * (t * (t * 6 - 15) + 10)


def ramps(fractions):
    """What each gradient of a corner would add to the value at fractions of a cell: (corners, fractions,
    gradients)."""
    dims = fractions.shape[1]
    found = []
    for corner in itertools.product((0, 1), repeat=dims):
        distance = fractions - corner
        weight = SCALE[dims - 1] * fade(1 - np.abs(distance)).prod(1)
        found.append(weight[:, None] * (distance @ GRADIENTS[dims - 1].T))
    return np.array(found)


def moments_at(fractions):
    """Moments of the value at fractions of a cell, of value^1 .. value^4: cumulants of independent corners
    add up, and means are 0."""
    ramp = ramps(fractions)
    second, third, fourth = ((ramp**k).mean(2) for k in (2, 3, 4))
    sum_ = second.sum(0)
    return np.array([0 * sum_, sum_, third.sum(0), (fourth - 3 * second**2).sum(0) + 3 * sum_**2])


# Samples are 2 + 25/steps cells apart along each axis, so that no two share a lattice point, and every
# `steps` of them take each of the fractions (i + 1/2) / steps once: what is expected of them is a sum over
# these fractions, with nothing left to approximate.
STEPS = (64, 64, 32, 8)
SAMPLES = {1: (1 << 19,), 2: (1024,) * 2, 3: (64, 128, 128), 4: (32,) * 4}


def all_fractions(dims):
    steps = STEPS[dims - 1]
    return (np.indices((steps,) * dims).reshape(dims, -1).T + 0.5) / steps


def fill_apart(options, dims, seed):
    steps = STEPS[dims - 1]
    origin = [(signed(split_mix(seed, a)) >> 44) + 0.5 / steps for a in range(dims)][::-1]
    field = perlane.Field(options, frequency=1, seed=seed, phase="none")  # samples are at known fractions
    return field.fill(SAMPLES[dims], origin=origin, step=2 + 25 / steps).ravel().astype(float)


def add_moments(tally, mean, expected, error, where):
    for k, off in enumerate(mean[:len(expected)] - expected):
        z = off / error[k] if off else 0
        tally.add(z * z, 1, f"{where}: mean of value^{k + 1}, {z:+.1f} standard errors", alone=True)


def powers(values):
    return np.array([np.mean(values**k) for k in range(1, 9)])


def moments_of(options, dims, fields):
    """Expected and measured moments of one octave, their standard errors, and the number of samples."""
    at = moments_at(all_fractions(dims))
    mean = np.mean([powers(fill_apart(options, dims, seed)) for seed in range(fields)], 0)
    # A sample varies around what is expected at its own place. The third and fourth power's variance is that
    # of the samples: an upper bound, as part of it is between the fractions, which are spread evenly.
    variance = [at[1].mean(), (at[3] - at[1] ** 2).mean(), mean[5] - mean[2] ** 2, mean[7] - mean[3] ** 2]
    n = fields * math.prod(SAMPLES[dims])
    return at.mean(1), mean[:4], np.sqrt(np.array(variance) / n), n


def moments(tally, options, dims, fields):
    """Mean, variance, third and fourth moment of one octave."""
    expected, mean, error, _ = moments_of(options, dims, fields)
    add_moments(tally, mean, expected, error, "all")


BINS = 41


def binned(values):
    return np.bincount(np.clip((values + 1) / 2 * BINS, 0, BINS - 1).astype(int).ravel(), minlength=BINS)


def distribution(tally, options, dims, fields):
    """One octave in equal bins of [-1, 1], against all combinations of gradients."""
    expected = np.zeros(BINS)
    for corner_ramps in np.moveaxis(ramps(all_fractions(dims)), 1, 0):
        total = corner_ramps[0]
        for ramp in corner_ramps[1:]:
            total = np.add.outer(total, ramp)
        expected += binned(total)
    times = expected / expected.sum() * math.prod(SAMPLES[dims])
    is_rare = times < 20  # too few to be nearly normal: together
    for seed in range(1000, 1000 + fields):
        seen = binned(fill_apart(options, dims, seed))
        pairs = [*zip(seen[~is_rare], times[~is_rare]), (seen[is_rare].sum(), times[is_rare].sum())]
        square = sum((found - n) ** 2 / n for found, n in pairs if n >= 20)
        if pairs[-1][1] < 1e-9 and pairs[-1][0]:
            square = math.inf
        tally.add(square, sum(n >= 20 for _, n in pairs) - 1, f"seed {seed}", alone=True)


def unrelated(tally, options, dims, fields):
    """Fields are unrelated if none of their lattices is another's. Of all pairs among 12 fields of 8 equal
    octaves, the seeds s, s + 1, s + 2, s + 3 at the positions x, 2x, 4x; and among the first four octaves of
    one seed, each alone, at these positions: the correlation of their samples."""
    first, second = np.tril_indices(12, -1)
    for i in range(2 * fields):
        of_octaves = i % 2
        seed = i // 4 if i % 4 < 2 else split_mix(0x556E7265, i)
        origin = np.array([(signed(split_mix(split_mix(seed, i), a)) >> 30) / 2**14 for a in range(dims)][::-1])
        values = []
        for number, scale in itertools.product(range(4), (1, 2, 4)):
            kind = ({"seed": seed, "octaves": number + 1, "gain": 2**20} if of_octaves  # next to nothing of the others
                    else {"seed": (seed + number) % 2**64, "octaves": 8, "gain": 1})
            field = perlane.Field(options, frequency=1, **kind)
            values.append(field.fill(SAMPLES[dims], origin=scale * origin, step=scale * (2 + 25 / STEPS[dims - 1])).ravel())
        values = np.array(values, float)
        sums, squares = values @ values.T, values**2 @ (values**2).T
        tally.add(sums[first, second] ** 2 / squares[first, second], 1, f"{('seeds', 'octaves')[of_octaves]}, seed {seed:#x}")


def places(tally, options, dims, number):
    """Moments over many seeds, half of them consecutive, at the origin and at multiples of 1/frequency: those
    of any position. Of eight octaves mean and variance."""
    one = moments_at(all_fractions(dims)).mean(1)
    cells = np.array([[0] * dims, [1] + [0] * (dims - 1), [1] * dims, *(
        [signed(split_mix(p, a)) >> 20 + 14 * (p - 3) for a in range(dims)] for p in (3, 4, 5))], float)  # fmt: skip
    for count, frequency in itertools.product((1, 8), (1, 0.01, 3)):
        field = perlane.Field(options, frequency=frequency, octaves=count)
        values = np.array([field.replace(seed=split_mix(0x506C6163, s) if s % 2 else s // 2).points(
            *(cells / frequency).T) for s in range(number)], float)  # fmt: skip
        amplitude = float(field.gain) ** np.arange(count)
        expected = one if count == 1 else np.array([0, one[1] * (amplitude**2).sum() / amplitude.sum() ** 2])
        for cell, column in zip(cells, values.T):
            mean = powers(column)
            error = np.sqrt([(mean[2 * k + 1] - mean[k] ** 2) / number for k in range(4)])
            add_moments(tally, mean, expected, error, f"{count} octaves, frequency {frequency}, cell {cell[0]:g}..")


def whole_numbers(tally, options, dims, fields):
    """Fields of frequency 1 at whole numbers, which all have the same fraction of a cell: the mean is 0 and
    the variance that of the fraction, which the phase gives."""
    for i in range(fields):
        seed = split_mix(0x57686F6C, i) if i % 2 else i // 2
        fraction = [(split_mix(split_mix(seed, 0), a) & 0xFFFFFF) / 2**24 for a in range(dims)]  # 3.2
        moment = moments_at(np.array([fraction]))[:, 0]
        origin = [signed(split_mix(seed, a + 99)) >> 44 for a in range(dims)][::-1]
        values = perlane.Field(options, frequency=1, seed=seed).fill(
            {1: (65536,), 2: (256,) * 2, 3: (64, 32, 32), 4: (16,) * 4}[dims], origin=origin, step=2).astype(float)  # fmt: skip
        for k in (0, 1):
            # The square hardly varies near a lattice point: there its rounding counts, too.
            rounding = 1e-6 * moment[1] if k else 0
            variance = max(moment[2 * k + 1] - moment[k] ** 2, 0) / values.size + rounding**2
            z = ((values ** (k + 1)).mean() - moment[k]) / math.sqrt(variance)
            tally.add(z * z, 1, f"seed {seed:#x}: mean of value^{k + 1}, {z:+.1f} standard errors")


CELLS, SIDE, RINGS, SECTORS, RING_WIDTH = 32, 256, 10, 12, 0.2  # the latter in cycles per cell


def sorted_power(values):
    """The power in each ring and sector, as a share of the variance; sector s is around the direction
    s / SECTORS of a half turn."""
    frequency = np.fft.fftfreq(SIDE, 1 / SIDE)
    v, u = np.meshgrid(frequency, frequency, indexing="ij")
    ring = (np.hypot(u, v) / CELLS / RING_WIDTH).astype(int)
    sector = (np.arctan2(v, u) / np.pi % 1 * SECTORS + 0.5).astype(int) % SECTORS
    inside = (ring < RINGS) & ((u != 0) | (v != 0))
    power = np.abs(np.fft.fft2(values)) ** 2 / SIDE**4
    return np.bincount((ring * SECTORS + sector)[inside], power[inside], RINGS * SECTORS)


def spectrum(tally, options, _dims, fields):
    """Periodic fields, 20 more than these, against what independent uniform gradients have. A field is the
    sum over lattice points of g.x times the kernel (fade around the point) * dx, and g.y times (fade) * dy.
    Gradients that are independent, of mean 0 and with the same mean square along x and y, and no
    correlation of the two, have the same power at all frequencies; so the field has that of the kernels."""
    distance = np.fft.fftfreq(SIDE, 1 / CELLS)
    weight = fade(np.clip(1 - np.abs(distance), 0, 1))
    expected = 0
    for a in range(2):
        kernel = np.outer(weight, weight * distance) if a == 0 else np.outer(weight * distance, weight)
        expected = expected + (GRADIENTS[1][:, a] ** 2).mean() * (CELLS * SCALE[1]) ** 2 * sorted_power(kernel)
    n = fields + 20  # few have no spread to compare with
    found = np.array([sorted_power(perlane.Field(options, seed=2000 + i, phase="none", frequency=CELLS / SIDE, period=(
        CELLS, CELLS)).fill((SIDE, SIDE))) for i in range(n)])  # fmt: skip
    t = (found.mean(0) - expected) / (found.std(0) / math.sqrt(n - 1))
    z = np.copysign((8 * n - 7) / (8 * n - 5) * np.sqrt((n - 1) * np.log1p(t * t / (n - 1))), t)  # Wallace
    tally.add(z * z, 1, "ring and sector", alone=True)


# ---- All of them ----

# Checks of the hash: how many windows in 1D to 4D, and of sets of 256 gradients; what must fail.
HASH = [
    (neighbours, (4000, 8000, 2000, 500), (800, 1600, 400, 100), (PERLIN_TABLE, 3, 1)),
    (strides, (200, 60, 10, 3), (50, 20, 6, 2),
     (Lattice("one multiplication", from_words(one_multiply, model_join)), 2, 4)),
    (corners, (4000, 2000, 1000, 100), (1000, 1000, 500, 50),
     (Lattice("planes added", from_words(model_word, added_planes)), 3, 200)),
    (slices, (0, 1500, 120, 40), (0, 300, 60, 20), (Lattice("primes, xor", from_words(times_prime, xor_join), 16), 2, 4)),
    (seeds, (400, 800, 150, 60), (200, 200, 60, 20),
     (Lattice("seed added to x", from_words(shifted_seed, model_join)), 2, 1)),
    (octaves, (100, 200, 20, 4), (50, 60, 10, 2),
     (Lattice("octaves as seeds", from_words(shared_stream, model_join)), 2, 1)),
    (spectra, (0, 400, 60, 20), (0, 100, 20, 6), (Lattice("primes, xor", from_words(times_prime, xor_join), 16), 2, 1)),
]  # fmt: skip
# Checks of the field: how many fields (places: seeds), and the options of one that must fail.
FIELD = [
    (moments, (200, 200, 200, 200), ("fade=cubic", 2, 1)),
    (distribution, (400, 400, 0, 0), ("fade=cubic", 2, 1)),
    # Perlin's gradients of 2002 lean towards y; as strong as the default ones, so that nothing else gives them away.
    (spectrum, (0, 4000, 0, 0), ("gradients=edges12 value_scale=1.2905869560598577", 2, 80)),
    (unrelated, (60, 40, 20, 10), ("octaves_share=on", 1, 1)),
    (places, (20000, 20000, 10000, 10000), ("phase=none", 2, 400)),
    (whole_numbers, (4000, 4000, 4000, 4000), ("phase=none", 2, 2)),
]


def part(full):
    return max(int(full * PERCENT / 100), 1) if full else 0


def all_of(title, checks, subject, max_dims=4):
    return [(title, check, subject, dims, part(full[dims - 1]), True)
            for check, full in checks for dims in range(1, max_dims + 1) if full[dims - 1]]  # fmt: skip


SMALL_SETS, LARGE_SETS = [(row[0], row[1]) for row in HASH], [(row[0], row[2]) for row in HASH]
TASKS = [
    *all_of("The hash, default gradients", SMALL_SETS, DEFAULT),
    *all_of("The hash, sets of 256 gradients", LARGE_SETS, LARGE),
    *all_of("Cells, the highest 8 bits", LARGE_SETS, CELL_HIGH, 3),  # there are none in 4D
    *all_of("Cells, bits 8 to 15", LARGE_SETS, CELL_LOW, 3),
    *(("Bad hashes, which must fail", row[0], *row[3], False) for row in HASH),
    *(("Bad bits for sets of 256, which must fail", row[0], LOW_BITS, 2, 1, False) for row in HASH[:4]),
    *all_of("The field", [row[:2] for row in FIELD], ""),
    *(("Bad fields, which must fail", row[0], *row[2], False) for row in FIELD),
]


def run(number):
    """Runs a check. Returns whether it is as it must be, and its line of the report."""
    title, check, subject, dims, count, must_pass = TASKS[number]
    start, tally = time.monotonic(), Tally()
    check(tally, subject, dims, count)
    name = check.__name__.replace("_", " ") + ("" if must_pass else f", {getattr(subject, 'name', subject)}")
    says = f"{'passes' if tally.passes() else 'fails'}, {time.monotonic() - start:.0f} s"
    if tally.passes() != must_pass:
        says = f"**{says}**: {tally.where}"
    return tally.passes() == must_pass, f"| {name} | {dims}D | {tally.trials} | {tally.smallest:.2g} | " \
        f"{tally.chance():.2g} | {tally.errors():+.1f} | {says} |"


def line(case):
    dims, axis = case
    ours = sum(count_repeats(DEFAULT, dims, axis, seed)[0] for seed in (0, 1, 1337, 0xDEADBEEFCAFEBABE))
    table, distance = count_repeats(PERLIN_TABLE, dims, axis, 1)
    return not ours and table > 0, f"| {dims}D | {'xyzw'[axis]} | {ours} | {table} | after {distance} cells |"


def moment(dims):
    expected, mean, error, n = moments_of("", dims, part(200))
    cube, square = expected[1] ** 1.5, expected[1] ** 2
    return True, f"| {dims}D | {n} | {mean[0]:.1e} ± {error[0]:.1e} | {mean[1]:.6f} ± {error[1]:.6f} | {expected[1]:.6f} | " \
        f"{mean[2] / cube:.1e} ± {error[2] / cube:.1e} | {mean[3] / square:.4f} ± {error[3] / square:.4f} | " \
        f"{expected[3] / square:.4f} |"


def same_as_the_library(c):
    """Whether the model of the hash, at which some checks look instead, is the library's."""
    dims = 1 + c % 4
    seed, octave = split_mix(1, c), c // 8 % 32
    first = [signed(split_mix(c, a)) >> 12 + c % 50 if c % 3 else 0x80000000 - 10 for a in range(dims)]
    window = Window(seed, first, ((3000,), (60, 50), (20, 15, 10), (8, 8, 8, 6))[dims - 1], (1 + c % 5,) * dims, octave)
    same = all(np.array_equal(lattice.index(window), lattice._replace(words=MODEL.words).index(window))
               for lattice in (DEFAULT, LARGE))  # fmt: skip
    if dims == 4:
        return same
    # Without jitter, the point nearest to a cell's centre is its own; ids are the mixed sums.
    place = window.place(0.5)
    ids = perlane.Field("basis=cellular frequency=1 phase=none jitter=0", seed=seed).cells(place.pop("shape"), **place).id
    return same and np.array_equal(ids, CELL_HIGH.words(window._replace(octave=0)))


def main():
    start = time.monotonic()
    good = [all(map(same_as_the_library, range(400)))]
    print(f"The library and the model of its hash {'agree' if good[0] else '**differ**'}.")
    columns = "| check | | trials | least likely | chance of such a one | all together, standard errors | |"
    with multiprocessing.Pool() as pool:
        title = ""
        for task, (is_good, text) in zip(TASKS, pool.imap(run, range(len(TASKS)))):
            if task[0] != title:
                title = task[0]
                print(f"\n## {title}\n\n{columns}\n{'|---' * 7}|")
            good.append(is_good)
            print(text, flush=True)
        for title, columns, function, cases in (
                ("Repeats: runs of 64 cells that occur twice among 2^20 along an axis",
                 "| | axis | lattice (default), 4 seeds | Perlin's table | the first of the latter |", line,
                 [(dims, axis) for dims in range(1, 5) for axis in range(dims)]),
                ("Moments of one octave", "| | samples | mean | variance | expected | skewness | kurtosis | expected |",
                 moment, range(1, 5))):  # fmt: skip
            print(f"\n## {title}\n\n{columns}\n{'|---' * (columns.count('|') - 1)}|")
            for is_good, text in pool.imap(function, cases):
                good.append(is_good)
                print(text, flush=True)
    print(f"\n{time.monotonic() - start:.0f} s: {'all as it must be' if all(good) else 'NOT AS IT MUST BE'}")
    return not all(good)


if __name__ == "__main__":
    sys.exit(main())
