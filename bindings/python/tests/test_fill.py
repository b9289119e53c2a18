# SPDX-License-Identifier: MIT
"""Grids: shapes, strides, integers, tiles, threads, gradients, cells and errors."""

import itertools
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perlane import Field
from support import assume_exists, fields, same, shapes

FIELD = Field(seed=3, frequency=0.05, octaves=3)


@st.composite
def strided(draw, shape, dtype):
    """Returns a view with this shape and any strides, and the array that it is a part of."""
    order = draw(st.permutations(range(len(shape))))
    steps = [draw(st.sampled_from([1, 2, 3, -1, -2])) for _ in shape]
    padding = [draw(st.integers(0, 3)) for _ in shape]
    sizes = [shape[axis] * abs(steps[axis]) + padding[axis] for axis in order]
    whole = np.full(sizes, 77, dtype)
    view = whole.transpose(np.argsort(order))
    view = view[tuple(slice(n * abs(s)) for n, s in zip(shape, steps))]
    view = view[tuple(slice(None, None, s) for s in steps)]
    return whole, view


@given(st.data(), fields, shapes, st.sampled_from([np.float32, np.uint16, np.uint8]), st.booleans())
def test_strides(data, field, shape, dtype, given_dtype):
    whole, view = data.draw(strided(shape, dtype))
    assume_exists(field, len(shape))
    untouched = whole.copy()
    extra = {"dtype": dtype} if given_dtype else {}
    assert field.fill(shape, out=view, **extra) is view
    packed = field.fill(shape, dtype=dtype)
    assert packed.flags.c_contiguous and same(np.ascontiguousarray(view), packed)
    view[...] = 77
    assert same(whole, untouched)


@given(fields, st.sampled_from([(700, 300), (3, 90000), (300000,), (40, 70, 80), (1, 1)]),
       st.integers(0, 9))  # fmt: skip
def test_threads_change_no_bit(field, shape, threads):
    assume_exists(field, len(shape))
    assert same(field.fill(shape, threads=threads), field.fill(shape))


@pytest.mark.parametrize("shape", [(700, 300), (3, 90000), (40, 70, 80)])
def test_threads_change_no_derivative(shape):
    axes = 1 + len(shape)
    assert all(map(same, FIELD.gradient(shape, threads=3)[:axes], FIELD.gradient(shape)[:axes]))
    assert set(FIELD.gradient(shape)[axes:]) <= {None}
    with pytest.raises(ValueError, match="has no gradient"):
        Field(fractal="eroded").gradient(shape, threads=2)


@given(fields, shapes, st.sampled_from([np.uint16, np.uint8]))
def test_integers_are_those_of_the_range(field, shape, dtype):
    assume_exists(field, len(shape))
    low, high = field.range(len(shape))
    if low < high:
        usual = field.fill(shape, dtype=dtype)
        assert same(usual, field.fill(shape, dtype=dtype, low=low, high=high))
        assert same(usual, field.fill(shape, dtype=dtype, high=high))


def test_first_octaves():
    field = Field(octaves=8, frequency=0.01, normalize="none")
    expected = field.fill((33, 17), step=(1, -8), octaves=3)
    assert same(expected, field.fill((33, 17), step=(1, -8), octaves="shown"))
    assert not same(expected, field.fill((33, 17), step=(1, -8)))
    x, y = np.arange(17) * -8.0, np.arange(33)[:, None]
    assert same(expected, field.points(x, y, octaves="shown", step=8))
    with pytest.raises(ValueError, match="a step or a spacing must be finite and not 0"):
        field.points(x, y, octaves="shown")
    for octaves in (-1, 33, 1.5, "2", True):
        with pytest.raises((TypeError, ValueError), match="octaves"):
            FIELD.fill((33, 17), octaves=octaves)


@pytest.mark.parametrize("threads", [1, 3])
def test_cells(threads):
    field = Field(basis="cellular", frequency=0.07, normalize="none", warp_amplitude=5)
    arguments = {"first": (3, -9), "origin": 0.25, "step": (0.5, -2)}
    cells = field.cells((70, 90), **arguments, threads=threads, edge=True)
    assert cells.id.dtype == np.uint32 and same(cells.f1, field.fill((70, 90), **arguments))
    assert same(cells.f2, Field(field.text, cell_output="f2").fill((70, 90), **arguments))
    assert same(cells.edge, Field(field.text, cell_output="edge").fill((70, 90), **arguments))
    assert field.cells((4, 4)).edge is None
    assert cells.dz is None and [id(each) for each in cells] == [
        id(each) for each in (cells.id, cells.f1, cells.f2, cells.dx, cells.dy, cells.edge)]
    again = pickle.loads(pickle.dumps(cells))
    assert all(map(same, again, cells)) and same(again.edge, cells.edge) and type(again) is type(cells)
    y = 0.25 + (3 + np.arange(70))[:, None] * 0.5 + cells.dy
    x = 0.25 + (-9 + np.arange(90)) * -2.0 + cells.dx
    for number in np.unique(cells.id):
        inside = cells.id == number
        assert np.ptp(x[inside]) < 1e-4 and np.ptp(y[inside]) < 1e-4
    with pytest.raises(ValueError, match="no cells unless its basis is cellular"):
        Field().cells((4, 4))


def test_points_of_cells():
    field = Field(basis="cellular", frequency=0.07, cell_output="value", normalize="none")
    points = field.scatter((-50, 10), (200, 140))
    assert [each.dtype for each in points] == [np.float64, np.float64, np.uint32, np.float32]
    assert points.z is None and 150 < len(points.x) < 200
    assert np.all((points.x >= -50) & (points.x < 200) & (points.y >= 10) & (points.y < 140))
    assert same(points.number, field.points(points.x, points.y))
    left, right = field.scatter((-50, 10), (points.x[3], 140)), field.scatter((points.x[3], 10), (200, 140))
    assert sorted([*left.y, *right.y]) == sorted(points.y) and not np.isin(left.x, right.x).any()
    assert len(field.scatter(0, 100).x) > 5 and len(field.scatter((0, 0, 0), (30, 30, 30))) == 5
    assert len(field.scatter((5, 5), (5, 9)).id) == 0
    for text, low, message in [
        ("", (0, 0), "no cells"), ("basis=cellular", (0,), "as many coordinates"),
        ("basis=cellular", (0, float("nan")), "low"), ("basis=cellular", (0, -1e19), "domain"),
    ]:  # fmt: skip
        with pytest.raises(ValueError, match=message):
            Field(text).scatter(low, (3, 3))


def overlapping(*strides):
    return np.lib.stride_tricks.as_strided(np.zeros(64, np.float32), (3, 4), strides)


def read_only():
    array = np.zeros((3, 4), np.float32)
    array.flags.writeable = False
    return array


def unaligned(dtype=np.float32):
    return np.zeros(12 * np.dtype(dtype).itemsize + 1, np.uint8)[1:].view(dtype).reshape(3, 4)


def torn():
    """An array whose strides are not whole numbers of elements."""
    return np.zeros((3, 4), np.dtype([("a", np.float32), ("b", np.uint8)]))["a"]


ERRORS = [  # the argument, its wrong values, and what the message names
    (ValueError, "shape", [(), (1, 1, 1, 1, 1), (3, 0), (-3, 4), (2**63, 1)], "shape"),
    (ValueError, "shape", [(2**63 - 1, 2**63 - 1), (2**40, 2**40)], "count along"),
    (TypeError, "shape", ["34", (3.5, 4), ((3, 4), 5), None, (True, 4)], "shape"),
    (ValueError, "first", [(1, 2, 3), 2**63, -(2**64)], "first"),
    (TypeError, "first", [0.5, np.True_], "first"),
    (ValueError, "first", [2**63 - 3], "first along"),
    (ValueError, "origin", [1e300], "is at 1e300"),
    (ValueError, "origin", [math.nan, (0, math.inf), 10**400], "origin"),
    (TypeError, "origin", ["0"], "origin"),
    (ValueError, "step", [0, math.nan], "step"),
    (TypeError, "step", [(1, None)], "step"),
    (TypeError, "dtype", [np.float64, np.dtype(">f4"), np.int16], "dtype"),
    (TypeError, "dtype", ["wood"], "not understood"),
    (ValueError, "low", [0], "low, high"),
    (ValueError, "threads", [-1, 1025], "threads"),
    (TypeError, "threads", [1.5, True], "threads"),
    (TypeError, "out", [[[0.0]], bytearray(48)], "out"),
    (TypeError, "out", [np.zeros((3, 4)), np.zeros((3, 4), ">f4")], "out"),
    (TypeError, "out", [np.ma.zeros((3, 4), np.float32)], "out: expected an array without a mask"),
    (ValueError, "out", [np.zeros((4, 3), np.float32), np.zeros(12, np.float32)], "out"),
    (ValueError, "out", [read_only()], "out: the array is read-only"),
    (ValueError, "out", [unaligned(), unaligned(np.uint16), torn()], "out: the array is not aligned"),
    (ValueError, "out", [overlapping(*strides) for strides in ((4, 4), (16, 0), (8, 4))],
     "stride along .*overlap"),
]  # fmt: skip
CASES = [(error, {name: value}, match) for error, name, values, match in ERRORS for value in values]
CASES += [
    (ValueError, {"dtype": np.uint8, "low": 1}, "low"),
    (ValueError, {"dtype": np.uint8, "low": math.nan}, "low"),
    (ValueError, {"dtype": np.uint16, "high": math.inf}, "high"),
    (ValueError, {"dtype": np.uint16, "high": 1e300}, "low and high"),
    (TypeError, {"dtype": np.uint16, "high": "1"}, "high"),
    (TypeError, {"dtype": np.float32, "out": np.zeros((3, 4), np.uint8)}, "out"),
]


@pytest.mark.parametrize(("error", "arguments", "name"), CASES)
@pytest.mark.parametrize("threads", [1, 4])
def test_errors_name_the_argument_and_write_nothing(error, arguments, name, threads):
    out = np.full(
        (3, 4), 5, arguments.get("dtype", np.float32) if error is ValueError else np.float32
    )
    given = {"shape": (3, 4), "threads": threads, **arguments}
    if given["shape"] == (3, 4):
        given.setdefault("out", out)
    before = np.array(given.get("out", out)).tobytes()
    with pytest.raises(error, match=name):
        FIELD.fill(**given)
    assert np.array(given.get("out", out)).tobytes() == before


@pytest.mark.parametrize("threads", [1, 2])
def test_grids_are_checked_as_a_whole_before_their_pieces_are_written(threads):
    field = Field(octaves=32, lacunarity=1.0001, frequency=0.5)
    out = np.full((2048, 1024), 77, np.float32)
    with pytest.raises(ValueError, match="sample .* along y is at"):
        field.fill(out.shape, first=(2**54 - 2000, 0), out=out, threads=threads)
    wide = np.lib.stride_tricks.as_strided(out, (4, 2**19), (2**20, 4))
    with pytest.raises(ValueError, match="stride along y .*overlap"):
        field.fill(wide.shape, out=wide, threads=threads)
    assert (out == 77).all()


def test_more_memory_than_there_is():
    with pytest.raises(MemoryError):
        FIELD.fill((2**30, 2**30))
    with pytest.raises(MemoryError):
        FIELD.gradient((2**30, 2**30))


def test_outputs_of_subclasses(tmp_path):
    mapped = np.memmap(tmp_path / "map", np.float32, "w+", shape=(30, 40))
    assert FIELD.fill((30, 40), out=mapped) is mapped
    mapped.flush()
    assert same(np.fromfile(tmp_path / "map", np.float32).reshape(30, 40), FIELD.fill((30, 40)))


def test_axes_of_one_sample_may_have_any_stride():
    for shape in itertools.product((1, 3), repeat=3):
        strides = [7 if n == 1 else 4 * 3**axis for axis, n in enumerate(shape)]
        out = np.lib.stride_tricks.as_strided(np.zeros(27, np.float32), shape, strides)
        assert same(FIELD.fill(shape, out=out).copy("C"), FIELD.fill(shape))


@pytest.mark.parametrize("field", [
    FIELD, Field(basis="cellular", frequency=0.1), Field(gradients="sphere", warp_amplitude=20),
    Field(hash_table=np.arange(256)[::-1], frequency=0.1),
], ids=lambda field: field.text or "default")  # fmt: skip
def test_batches_of_seeds(field):
    seeds = [3, 0, 2**64 - 1, -1, np.uint64(2**63), 3.0]
    for dtype, threads in (None, 1), ("uint16", 3), ("uint8", 0):
        place = {"dtype": dtype, "first": (-7, 2**40), "step": 0.5}
        batch = field.fill((9, 20), seeds=seeds, threads=threads, **place)
        assert batch.shape == (6, 9, 20)
        for seed, values in zip(seeds, batch):
            assert same(values, field.replace(seed=int(seed) % 2**64).fill((9, 20), **place))
    assert same(field.fill((9, 20), seeds=np.arange(2), octaves=1)[1], field.replace(seed=1).fill((9, 20), octaves=1))
    batch = field.fill((300, 400), seeds=range(16), threads=4)  # so long that threads work at one time
    assert all(same(values, field.replace(seed=seed).fill((300, 400))) for seed, values in enumerate(batch))


def test_batches_that_are_refused():
    assert FIELD.fill((3, 4), seeds=[]).shape == (0, 3, 4)
    out = np.zeros((2, 300, 400), np.float32)
    assert FIELD.fill((300, 400), seeds=range(2), out=out, threads=2) is out and out.any()
    before = out.copy()
    for error, seeds, settings, match in (
        (TypeError, 3, {}, "seeds: expected whole numbers, such as range"),
        (TypeError, ["1"], {}, "seeds: expected a whole number"),
        (ValueError, [2**64], {}, "seeds: expected a whole number from"),
        (ValueError, [1, 2, 3], {"out": out}, r"shape \(3, 300, 400\)"),
        (ValueError, [1, 2], {"out": out[:, :, ::-1]}, "without gaps"),
        (ValueError, [1, 2], {"out": out, "octaves": 33}, "octaves"),
    ):
        with pytest.raises(error, match=match):
            FIELD.fill((300, 400), seeds=seeds, **settings)
    with pytest.raises(ValueError, match="expression"):
        (FIELD + 1).fill((300, 400), seeds=range(2), out=out)
    assert same(out, before)
