# SPDX-License-Identifier: MIT
"""Compares the specification's float arithmetic with the same formulas in double precision.

usage: accuracy.py

Values and derivatives of each feature by itself must be within a bound of those in double; and the
derivatives of random fields must be what difference quotients of their values are. The arithmetic is
that of specification.py, whose bits are the library's.
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


class Both:
    """A field in both precisions."""

    def __init__(self, params, dims):
        self.single = spec.Field(params, dims)
        with double_precision():
            self.double = spec.Field(params, dims)

    def single_at(self, position, with_slopes=False):
        return spec.sample(self.single, position, with_slopes)

    def double_at(self, position, with_slopes=False):
        with double_precision():
            return spec.sample(self.double, position, with_slopes)


# ---- Each feature by itself ---------------------------------------------------------------------

CURVE = {"curve": ((-1.0, -1.0), (-0.2, -0.4), (0.1, 0.7), (1.0, 1.0))}


def warp(cells, **more):
    return {"warp_amplitude": 4.0 * cells, "warp_frequency": 0.25, **more}


def cells(metric, output, **more):
    return {"basis": "cellular", "cell_metric": metric, "cell_output": output, **more}


# Its parameters, the number of dimensions, and the bounds of errors of values, and of derivatives in
# values per cell.
# (Unit vectors are as inaccurate as a position's 2^-25 of a cell beside the distance.)
FEATURES = [
    ("one octave", {}, 4, 4e-7, 2e-6),
    ("6 octaves", {"octaves": 6}, 4, 4e-7, None),
    ("cubic fade", {"fade": "cubic"}, 4, 4e-7, 2e-6),
    ("linear fade", {"fade": "linear"}, 4, 4e-7, 2e-6),
    ("value noise", {"basis": "value"}, 4, 4e-7, 2e-6),
    ("white noise", {"basis": "white"}, 4, 0, 0),
    ("Gaussian noise", {"basis": "gaussian"}, 4, 5.8 * 4e-7, 0),
    ("ridged, weighted", {"fractal": "ridged", "octaves": 3, "weighted_strength": 1.0}, 4, 2e-6, None),
    ("billow", {"fractal": "billow", "octaves": 3}, 4, 1e-6, None),
    ("ping-pong", {"fractal": "ping-pong", "octaves": 3}, 4, 2e-6, None),
    ("spread, 6 octaves", {"octaves": 6, "normalize": "spread", "lacunarity": 1.0}, 4, 7e-7, 2e-6),
    ("eroded, 1 octave", {"fractal": "eroded"}, 4, 8e-7, None),
    ("eroded, 6 octaves", {"fractal": "eroded", "octaves": 6}, 4, 6e-7, None),
    ("eroded by 1000", {"fractal": "eroded", "octaves": 6, "erosion": 1000.0}, 4, 6e-6, None),
    ("eroded, linear", {"fractal": "eroded", "octaves": 3, "fade": "linear"}, 4, 6e-7, None),
    ("contrast 3", {"contrast": 3}, 4, 1.2e-6, 6e-6),
    ("curve", CURVE, 4, 1.6e-6, 6e-6),
    ("smooth curve", {**CURVE, "curve_shape": "smooth"}, 4, 1.6e-6, 3e-5),
    ("terraces", {"terraces": 8}, 4, 2.4e-6, 8e-5),
    ("warp of 0.1 cells", warp(0.1), 4, 6e-7, 3e-6),
    ("warp of 1 cell", warp(1), 4, 1.6e-6, 1.5e-5),
    ("warp of 4 octaves", warp(1, warp_octaves=4), 4, 1.6e-6, None),
    ("warp of 2 rounds", warp(1, warp_rounds=2), 4, 4e-6, 1e-4),
    ("warp of 3 rounds", warp(1, warp_rounds=3), 4, 1.2e-5, None),
    ("F1", cells("euclidean", "f1"), 3, 4e-7, 2e-5),
    ("F2", cells("euclidean", "f2"), 3, 4e-7, 2e-5),
    ("F2 - F1", cells("euclidean", "f2_minus_f1"), 3, 6e-7, 2e-5),
    ("distance to the border", cells("euclidean", "edge"), 3, 1.6e-6, 2e-5),
    ("F1 squared", cells("squared", "f1"), 3, 6e-7, 2e-6),
    ("F2 squared", cells("squared", "f2"), 3, 6e-7, 2e-6),
    ("F1 Manhattan", cells("manhattan", "f1"), 3, 4e-7, 2e-6),
    ("F2 Manhattan", cells("manhattan", "f2"), 3, 4e-7, 2e-6),
    ("F1 Chebyshev", cells("chebyshev", "f1"), 3, 4e-7, 2e-6),
    ("F2 Chebyshev", cells("chebyshev", "f2"), 3, 4e-7, 2e-6),
    ("F1, raw", cells("euclidean", "f1", normalize="none"), 3, 4e-7, 2e-5),
    ("F2, raw", cells("euclidean", "f2", normalize="none"), 3, 4e-7, 2e-5),
    ("values of cells", cells("euclidean", "value"), 3, 0, 0),
    ("F1, 4 octaves", cells("euclidean", "f1", octaves=4), 3, 6e-7, None),
]


def is_on_an_edge(params, dims, position):
    """Whether rounding decides between two values: of two cells, or of two slopes of a curve."""
    if params.cell_output in ("value", "edge"):
        gap = spec.changed(params, cell_output="f2_minus_f1", normalize="none")
        return Both(gap, dims).double_at(position)[0] < 1e-5
    before = Both(spec.changed(params, curve=()), dims).double_at(position)[0]
    return any(abs(x - before) < 1e-5 for x, _ in params.curve)


def errors_of(rng, params, dims, with_slopes):
    """The largest errors of values and derivatives; without a warp, which rounds positions, far out
    as well."""
    field = Both(spec.changed(params, seed=rng.getrandbits(64)), dims)
    worst = [0.0, 0.0]
    for far in (1e2, 1e3, 1e3 if params.warp_amplitude else 2.0**34) * 3:
        position = [rng.uniform(-far, far) for _ in range(dims)]
        if is_on_an_edge(field.single.params, dims, position):
            continue
        v, slopes = field.single_at(position, with_slopes)
        expected, expected_slopes = field.double_at(position, with_slopes)
        worst[0] = max(worst[0], abs(v - expected))
        for a, b in zip(slopes, expected_slopes):
            worst[1] = max(worst[1], abs(a - b) / params.frequency)
    return worst


def check_features(rng):
    failed = 0
    for name, options, most_dims, *limits in FEATURES:
        params = spec.params_of(frequency=0.25, **options)
        worst = []  # by dimensions: of values, of derivatives
        for dims in range(1, most_dims + 1):
            tries = range(max(1, 3 * PERCENT // 100))
            found = [errors_of(rng, params, dims, limits[1] is not None) for _ in tries]
            worst.append([max(errors) for errors in zip(*found)])
        for what, errors, limit in zip(("values", "derivatives"), zip(*worst), limits):
            if limit is not None:
                bad = max(errors) > limit
                failed += bad
                listed = " ".join(f"{error:.2g}" for error in errors)
                print(f"{'FAILED ' * bad}{name}, {what}: errors {listed}, at most {limit:.2g}")
    return failed


# ---- Simplex noise by distance --------------------------------------------------------------------

# The distance from the origin in cells, and the bounds of errors of values and derivatives.
DISTANCES = [(2.0**20, 1e-6, 1e-5), (2.0**30, 1e-6, 1e-5), (2.0**35, 2e-5, None), (2.0**40, 7e-4, None)]


def check_simplex(rng):
    """Its skew has as many digits as a double: it is the less accurate the further away."""
    failed = 0
    for far, *limits in DISTANCES:
        worst = [0.0, 0.0]
        for n in range(max(8, 160 * PERCENT // 100)):
            dims = 2 + n % 2
            field = Both(spec.params_of(basis="simplex", frequency=1.0, seed=rng.getrandbits(64)), dims)
            position = [rng.choice((-1, 1)) * far * rng.uniform(0.5, 1) for _ in range(dims)]
            (v, slopes), (expected, expected_slopes) = field.single_at(position, True), field.double_at(position, True)
            worst[0] = max(worst[0], abs(v - expected))
            worst[1] = max(worst[1], *(abs(a - b) for a, b in zip(slopes, expected_slopes)))
        for what, error, limit in zip(("values", "derivatives"), worst, limits):
            bad = limit is not None and error > limit
            failed += bad
            print(f"{'FAILED ' * bad}simplex within 2^{math.log2(far):.0f} cells, {what}: error {error:.2g}"
                  + (f", at most {limit:.2g}" if limit else ""))  # fmt: skip
    return failed


# ---- Derivatives of random fields ---------------------------------------------------------------

STEP = 2.0**-17  # of a cell of the octave with the highest frequency


def quotients(field, position, axis, h):
    """On either side, and of both."""
    v, sides = field.double_at(position)[0], []
    for sign in (-1, 1):
        moved = list(position)
        moved[axis] += sign * h
        sides.append((field.double_at(moved)[0] - v) / (moved[axis] - position[axis]))
    return [*sides, sum(sides) / 2]


def compare_slopes(field, dims, position):
    """Whether derivatives are the difference quotients; None at a crease, where these differ on the
    two sides or with the step."""
    h = STEP / max(octave.frequency for octave in field.double.octaves)
    v, slopes = field.double_at(position, True)
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
        if params.terraces > 0:  # large values cross many in a step
            params.normalize, params.curve = "full", ()
        if not spec.has_slopes(params) or spec.displacement_periods(params) is None:
            continue
        field = Both(params, dims)
        for _ in range(3):
            position = [rng.uniform(-20, 20) / params.frequency for _ in range(dims)]
            found = compare_slopes(field, dims, position)
            results[found] += 1
            if found is False:
                print(f"FAILED derivatives at {position} of {params}")
    print(f"derivatives compared: {results[True] + results[False]}, at creases: {results[None]}")
    return results[False] + (results[True] < 9 * results[None])


def main():
    print(f"accuracy; PERLANE_TEST_SEED={SEED}")
    rng = random.Random(SEED)
    failed = check_features(rng) + check_simplex(rng) + check_slopes(rng)
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
