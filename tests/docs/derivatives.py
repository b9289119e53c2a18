# SPDX-License-Identifier: MIT
"""Compares derivatives of random fields with difference quotients of their values: derivatives.py

Both are computed in double precision, by the formulas of specification.py, whose bits are the library's.
"""
import contextlib
import fractions
import math
import os
import random
import sys

sys.dont_write_bytecode = True
import specification as spec  # noqa: E402

SEED = os.environ.get("PERLANE_TEST_SEED") or "1"  # the same on every run
PERCENT = int(os.environ.get("PERLANE_TEST_PERCENT") or 100)


# ---- Double precision ---------------------------------------------------------------------------


def exact_cell(cells, phase):
    """Not rounded to 2^-24 of a cell."""
    whole = math.floor(cells)
    f = cells - whole + phase * 2.0**-24
    return None, whole + (f >= 1), f - (f >= 1)


def exact_coordinates(cells, phases):
    """Neither rounded to 2^-24 of a cell nor skewed by a rounded number."""
    root = fractions.Fraction(math.isqrt(3 * 10**60), 10**30)
    skew = (root - 1) / 2 if len(cells) == 2 else fractions.Fraction(1, 3)
    U = [fractions.Fraction(x) for x in cells]
    L = [u + sum(U) * skew + fractions.Fraction(phase, 2**24) for u, phase in zip(U, phases)]
    return [math.floor(n) for n in L], [float(n - math.floor(n)) for n in L]


def exact_gaussian(h):
    u, v = ((h >> 8) + 1) * 2.0**-24, (spec.mixed(h + 0x9E3779B9 & spec.WORD) >> 8) * 2.0**-24
    return -math.sqrt(-2 * math.log(u)) * math.cos(2 * math.pi * v)


@contextlib.contextmanager
def double_precision():
    instead = {
        "Float": float,
        "cell_and_fraction": exact_cell,
        "lattice_coordinates": exact_coordinates,
        "gaussian": exact_gaussian,
        "scale_of": lambda largest: 1 / largest,
    }
    before = {name: getattr(spec, name) for name in instead}
    vars(spec).update(instead)
    try:
        yield
    finally:
        vars(spec).update(before)


class Precise:
    """A field in double precision."""

    def __init__(self, params, dims):
        with double_precision():
            self.field = spec.Field(params, dims)

    def at(self, position, with_slopes=False):
        with double_precision():
            return spec.sample(self.field, position, with_slopes)


# ---- Derivatives of random fields ---------------------------------------------------------------

STEP = 2.0**-17  # of a cell of the octave with the highest frequency


def quotients(field, position, axis, h):
    """On either side, and of both."""
    v, sides = field.at(position)[0], []
    for sign in (-1, 1):
        moved = list(position)
        moved[axis] += sign * h
        sides.append((field.at(moved)[0] - v) / (moved[axis] - position[axis]))
    return [*sides, sum(sides) / 2]


def compare_slopes(field, dims, position):
    """Whether derivatives are the difference quotients; None at a crease, where these differ on the
    two sides or with the step."""
    h = STEP / max(octave.frequency for octave in field.field.octaves)
    v, slopes = field.at(position, True)
    for a in range(dims):
        found = quotients(field, position, a, h)
        allowed = 1e-3 * max(map(abs, slopes + found)) + 1e-11 * (1 + abs(v)) / h
        if abs(found[2] - slopes[a]) > allowed:
            finer = quotients(field, position, a, h / 4)
            steady = max(abs(finer[2] - found[2]), abs(found[1] - found[0]) / 20) < allowed
            return False if steady else None
    return True


def check_slopes(rng):
    results = {True: 0, False: 0, None: 0}
    for n in range(max(8, 240 * PERCENT // 100)):
        dims = 1 + n % 4
        params = spec.random_params(rng, dims, None)
        # A warp that stretches much leaves a quotient no digits.
        params.warp_amplitude = min(params.warp_amplitude, 0.5 / params.frequency)
        params.warp_frequency = min(params.warp_frequency, params.frequency)
        params.warp_octaves = min(params.warp_octaves, 2)
        params.valleys = 0.0  # whose networks are computed in binary32 alone
        if params.terraces > 0:  # large values cross many in a step
            params.normalize, params.curve = "full", ()
        if not spec.has_slopes(params) or spec.displacement_periods(params) is None:
            continue
        field = Precise(params, dims)
        for _ in range(3):
            position = [rng.uniform(-20, 20) / params.frequency for _ in range(dims)]
            found = compare_slopes(field, dims, position)
            results[found] += 1
            if found is False:
                print(f"FAILED derivatives at {position} of {params}")
    print(f"derivatives compared: {results[True] + results[False]}, at creases: {results[None]}")
    return results[False] + (results[True] < 9 * results[None])


def main():
    print(f"derivatives; PERLANE_TEST_SEED={SEED}")
    failed = check_slopes(random.Random(SEED))
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
