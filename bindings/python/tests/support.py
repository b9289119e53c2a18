# SPDX-License-Identifier: MIT
"""Shared by the tests: comparing bits, and random fields and grids."""

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

import perlane


def same(a, b):
    """Compares arrays bit for bit, NaN and the sign of 0 included."""
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()


def value_of(option):
    """Returns a strategy of valid values of one option."""
    if option.kind == "choice":
        return st.sampled_from([choice.name for choice in option.choices])
    if option.kind == "seed":
        return st.integers(0, 2**64 - 1)
    if option.kind == "integer":
        return st.integers(int(option.min), int(option.max))
    if option.kind == "axes":
        low, high = int(max(option.min, -(2**31))), int(min(option.max, 2**31 - 1))
        return st.lists(st.integers(low, high), min_size=1, max_size=4)
    if option.kind == "curve":
        y = st.floats(-1e6, 1e6)
        points = st.lists(st.tuples(st.integers(-9, 9), y), min_size=2, unique_by=lambda p: p[0])
        return st.none() | points.map(sorted)
    low = option.min if np.isfinite(option.min) else -1e300
    high = option.max if np.isfinite(option.max) else 1e300
    reals = st.floats(low, high, exclude_min=option.min_is_open, exclude_max=option.max_is_open)
    return reals.filter(lambda value: value != 0) if option.excludes_zero else reals


# Fields of all kinds that can be evaluated in 2D and 3D and have values of ordinary size.
fields = st.builds(
    perlane.Field,
    seed=st.integers(0, 2**64 - 1),
    frequency=st.floats(0.001, 0.7),
    octaves=st.integers(1, 5),
    basis=value_of(perlane.OPTIONS["basis"]),
    fractal=st.sampled_from(["fbm", "none"]),
    warp_amplitude=st.sampled_from([0, 20]),
)
smooth_fields = st.builds(
    perlane.Field,
    seed=st.integers(0, 2**64 - 1),
    frequency=st.floats(0.001, 0.7),
    octaves=st.integers(1, 4),
    fractal=st.sampled_from(["fbm", "ridged", "billow", "ping_pong"]),
)
shapes = st.lists(st.integers(1, 9), min_size=1, max_size=3).map(tuple)
indices = st.integers(-(2**40), 2**40)


def assume_exists(field, axes):
    """Leaves out cases where the field cannot be evaluated in so many dimensions."""
    basis = next(choice for choice in perlane.OPTIONS["basis"].choices if choice.name == field.basis)
    assume(axes in basis.dims)
