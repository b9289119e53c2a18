# SPDX-License-Identifier: MIT
"""Lists of points, and the range of values."""

import math
import subprocess
import sys
import tracemalloc

import dask.array
import numpy as np
import pandas
import pytest
import xarray
from hypothesis import given
from hypothesis import strategies as st

from perlane import Field
from support import assume_exists, fields, same, smooth_fields

FIELD = Field(seed=3, frequency=0.05, octaves=3)


def test_broadcasting():
    x, y, z = np.arange(5.0), np.arange(4.0)[:, None], np.arange(3.0)[:, None, None]
    assert same(FIELD.points(x, y, z), FIELD.fill((3, 4, 5)))
    assert same(FIELD.points(x, 0), FIELD.fill((1, 5))[0])
    assert FIELD.points(1, 2, origin=(3, 0)) == FIELD.points(4, 2)
    for x in 1, 1.5, np.float32(1), np.array(1):  # one point
        found = [FIELD.points(x, 2), *FIELD.points_gradient(x, 2)[:3]]
        assert all(type(each) is float for each in found) and found[0] == FIELD.points([x], 2)[0]
    assert FIELD.points([], []).shape == (0,) and FIELD.points(np.zeros((0, 3)), 1).shape == (0, 3)
    assert FIELD.points([[1, 2]], [[3], [4]]).shape == (2, 2)


@given(fields, st.integers(1, 3), st.integers(0, 9), st.data())
def test_layouts_and_types_do_not_matter(field, dims, n, data):
    assume_exists(field, dims)
    seed = data.draw(st.integers(0, 2**32 - 1))
    single = np.random.default_rng(seed).uniform(-1e3, 1e3, (dims, n)).astype(np.float32)
    origin = data.draw(st.tuples(*[st.floats(-1e12, 1e12)] * dims))
    double = single.astype(np.float64)
    expected = field.points(*(double + np.array(origin)[:, None]))
    assert same(field.points(*double, origin=origin), expected)
    assert same(field.points(*single, origin=origin), expected)
    assert same(field.points(*[row[::-1] for row in single], origin=origin)[::-1].copy(), expected)
    assert same(field.points(*[list(map(float, row)) for row in single], origin=origin), expected)
    mixed = [single[0], *double[1:]]
    assert same(field.points(*mixed, origin=origin), expected)


def test_series_keep_their_index():
    table = pandas.DataFrame({"x": [1.0, 2.5, 7.0], "y": [4, 5, 6]}, index=["a", "b", "c"])
    value = FIELD.points(table.x, table.y)
    assert value.index.equals(table.index) and value.dtype == np.float32
    assert same(value.to_numpy(), FIELD.points(table.x.to_numpy(), table.y.to_numpy()))
    assert FIELD.points(table.x, 3)["b"] == FIELD.points(2.5, 3)
    slopes = FIELD.points_gradient(table.x, table.y, origin=1)
    assert slopes.dy["c"] == FIELD.points_gradient(8, 7).dy and slopes.dz is None
    assert FIELD.points(table.x, np.zeros((2, 1))).shape == (2, 3)  # which is no Series
    with pytest.raises(ValueError, match="the Series have different indexes"):
        FIELD.points(table.x, table.y.rename({"a": "d"}))


def test_arrays_of_xarray_keep_their_dimensions():
    x = xarray.DataArray([10.0, 11.0, 12.0], dims="x", coords={"x": [10, 11, 12]})
    y = xarray.DataArray([5.0, 6.0], dims="y")
    value = FIELD.points(x, y)  # broadcasts by name
    assert value.dims == ("x", "y") and value.dtype == np.float32
    assert same(value.T.to_numpy(), FIELD.fill((2, 3), first=(5, 10)))
    assert value.sel(x=11)[1] == FIELD.points(11, 6)
    lazy = FIELD.points_gradient(x.chunk(2), y)
    assert lazy.value.chunks == ((2, 1), (2,)) and same(lazy.value.to_numpy(), value.to_numpy())
    assert same(lazy.dx.to_numpy(), FIELD.points_gradient(x, y).dx.to_numpy())


def test_arrays_of_dask_stay_lazy():
    x, y = np.arange(6.0), np.arange(4.0)
    lazy = FIELD.points(dask.array.from_array(x, 4), y[:, None])
    assert lazy.chunks == ((4,), (4, 2)) and same(lazy.compute(), FIELD.points(x, y[:, None]))
    slopes = FIELD.points_gradient(dask.array.from_array(x, 4), 3.5, octaves=2)
    assert same(slopes.dy.compute(), FIELD.points_gradient(x, 3.5, octaves=2).dy)
    masked = dask.array.ma.masked_less(dask.array.from_array(x, 4), 2)
    with pytest.raises(TypeError, match="y: expected an array without a mask"):
        FIELD.points(x, masked)


def test_rows_of_points_are_used_as_they_are():
    random = np.random.default_rng(5)
    for kind in np.float32, np.float64:
        rows = random.uniform(-99, 99, (500_000, 4)).astype(kind)
        expected = FIELD.points(*rows.T[:3].copy(), threads=2)
        for columns in rows.T[:3], rows.T[1:][::-1][1:], rows[::-1].T[:3]:
            packed = FIELD.points(*columns.copy(), threads=2)
            tracemalloc.start()
            found = FIELD.points(*columns, threads=2)
            used = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            assert same(found, packed) and used < 2 * packed.nbytes  # no copy of coordinates
        mixed = FIELD.points(*rows.T[:2], rows[:, 2].copy())  # strides that differ
        assert same(mixed, expected) and same(FIELD.points(*rows.T[:, :1][:3])[0:1], expected[:1])


@given(smooth_fields, st.integers(1, 4), st.integers(0, 6))
def test_levels_of_detail(field, dims, octaves):
    coords = np.random.default_rng(dims).uniform(-50, 50, (dims, 5))
    grid = np.arange(3.0), *[0.0] * (dims - 1)
    assert same(field.points(*grid, octaves=octaves), field.fill((1,) * (dims - 1) + (3,), octaves=octaves).ravel())
    found = field.points_gradient(*coords, octaves=octaves)
    assert len(found) == 1 + dims and same(found.value, field.points(*coords, octaves=octaves))
    if octaves >= field.octaves:
        assert same(found.dx, field.points_gradient(*coords).dx)


def test_packages_are_not_loaded_for_labels():
    packages = {"asyncio", "concurrent.futures", "dask", "pandas", "xarray"}
    code = f"import sys, perlane; perlane.Field().points(1, 2); print({packages} & {{*sys.modules}})"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "set()\n"


def test_coordinates_may_be_arrays_of_any_kind():
    expected = FIELD.fill((1, 9))[0]
    for kind in np.float32, np.float64, np.int8, np.uint64, np.float16, np.longdouble, ">f8":
        x = np.arange(9).astype(kind)
        fixed, packed = x.copy(), np.zeros(9, [("a", np.uint8), ("x", kind)])
        fixed.flags.writeable = False
        packed["x"] = x
        loose = np.frombuffer(b"\0" + x.tobytes(), np.uint8)[1:].view(kind)
        assert x.itemsize == 1 or not loose.flags.aligned
        for each in x, fixed, packed["x"], loose:
            for threads in 1, 3:
                assert same(FIELD.points(each, np.zeros(9, kind), threads=threads), expected)


@given(smooth_fields, st.integers(1, 4), st.integers(0, 6))
def test_gradients(field, dims, n):
    double = np.random.default_rng(n).uniform(-50, 50, (dims, n))
    single = double.astype(np.float32)
    for coords in double, single, [*single[:1], *double[1:]]:
        found = field.points_gradient(*coords)[: 1 + dims]
        assert same(found[0], field.points(*coords))
        for threads in 0, 3:
            assert all(map(same, field.points_gradient(*coords, threads=threads), found))
    doubles = field.points_gradient(*single.astype(np.float64))[: 1 + dims]
    assert all(map(same, doubles, field.points_gradient(*single)))


def test_threads_change_no_bit():
    x, y = np.random.default_rng(4).uniform(-1e4, 1e4, (2, 100_003))
    for kind in np.float64, np.float32:
        xs, ys = x.astype(kind), y.astype(kind)
        assert same(FIELD.points(xs, ys, threads=3), FIELD.points(xs, ys))
        slopes, slopes3 = (FIELD.points_gradient(xs, ys, threads=t)[:3] for t in (1, 3))
        assert all(map(same, slopes, slopes3))


@pytest.mark.parametrize(
    "error, match, coords, settings",
    [
        (TypeError, "points: expected 1 to 4 arrays", (), {}),
        (TypeError, "points: expected 1 to 4 arrays", (1, 2, 3, 4, 5), {}),
        (TypeError, "x: expected numbers", ("1",), {}),
        (TypeError, "y: expected numbers", (1, 1j), {}),
        (TypeError, "z: expected numbers", (1, 1, None), {}),
        (TypeError, "x: expected numbers", (True, 1), {}),
        (TypeError, "y: expected an array without a mask", (1, np.ma.masked_less([1, 2], 2)), {}),
        (ValueError, "broadcast", ([1, 2], [1, 2, 3]), {}),
        (TypeError, r"shape \(9, 2\); for rows of points: points\(\*numpy", (np.ones((9, 2)),), {}),
        (TypeError, "for rows of points", ([(1, 2), (3, 4)],), {}),
        (TypeError, "for rows of points", (xarray.DataArray([[1.0, 2.0]]).chunk(1),), {}),
        (TypeError, "for rows of points", (pandas.DataFrame({"x": [1, 2], "y": [3, 4]}),), {}),
        (ValueError, "origin", (1, 2), {"origin": (1, 2, 3)}),
        (ValueError, "origin", (1, 2), {"origin": math.nan}),
        (TypeError, "origin", (1, 2), {"origin": "1"}),
        (ValueError, "threads", (1, 2), {"threads": -1}),
        (ValueError, "octaves: expected a whole number from 0 to 32", (1, 2), {"octaves": 33}),
    ],
)
def test_errors(error, match, coords, settings):
    for call in FIELD.points, FIELD.points_gradient:
        with pytest.raises(error, match=match):
            call(*coords, **settings)


def test_range():
    for dims in 0, 5, 2**32 + 1, -1:
        with pytest.raises(ValueError, match="dims: expected a whole number from 1 to 4"):
            FIELD.range(dims)
    with pytest.raises(TypeError, match="dims"):
        FIELD.range(2.5)
