# SPDX-License-Identifier: MIT
"""Expressions: operators, functions and texts make the same bits, wherever a field is taken."""

import copy
import operator
import pickle

import numpy as np
import pytest
import xarray
from hypothesis import given
from hypothesis import strategies as st
from perlane._files import parse_map
from PIL import Image
from support import same

import perlane
from perlane import Expression, Field

SHAPE = (9, 21)
PLAINS = Field(octaves=2, frequency=0.03)
PEAKS = Field(seed=2, octaves=3, frequency=0.04, fractal="ridged")
MASK = Field(seed=3, frequency=0.05)
Y, X = np.mgrid[: SHAPE[0], : SHAPE[1]].astype(np.float32)
LAND = perlane.where(MASK > 0, PEAKS * MASK, PLAINS - 0.25)


def single(value):
    return value if isinstance(value, np.ndarray) else np.float32(value)


# ---- Values ----

leaves = st.sampled_from(
    [(field, field.fill(SHAPE)) for field in (PLAINS, PEAKS, MASK)]
    + [(perlane.x, X), (perlane.y, Y), (Expression("a", a=PEAKS), PEAKS.fill(SHAPE))]
)
numbers = st.floats(-1e6, 1e6, width=32).map(lambda number: (number, np.float32(number)))
BINARY = [operator.add, operator.sub, operator.mul, operator.truediv]


@np.errstate(all="ignore")
def apply(call):
    operation, *pairs = call
    return tuple(operation(*values) for values in zip(*pairs))


def combined(trees):
    binary = st.tuples(st.sampled_from(BINARY), trees, trees | numbers)
    turned = binary.map(lambda each: (each[0], each[2], each[1]))
    unary = st.tuples(st.sampled_from([operator.neg, operator.abs]), trees)
    return st.one_of(binary, turned, unary).map(apply)


@given(st.recursive(leaves, combined, max_leaves=12))
def test_operators_are_those_of_numpy(pair):
    noise, wanted = pair
    values = noise.fill(SHAPE)
    wanted = np.where(np.isnan(wanted), np.float32(np.nan), wanted)
    assert same(values, np.broadcast_to(wanted, SHAPE).astype(np.float32))
    if isinstance(noise, Expression):
        assert Expression(noise.text) == noise
        assert len(set(noise.fields.values())) == len(noise.fields) <= 3


@pytest.mark.parametrize(
    "noise, text",
    [
        (perlane.minimum(PLAINS, PEAKS), "min(a, b)"),
        (perlane.maximum(PLAINS, PEAKS), "max(a, b)"),
        (perlane.sqrt(PLAINS + PEAKS + 3), "sqrt(a + b + 3)"),
        (perlane.floor(PLAINS * 8) + PEAKS, "floor(8 * a) + b"),
        (perlane.mix(PLAINS, PEAKS, 0.25), "mix(a, b, 0.25)"),
        (perlane.clamp(PLAINS, -0.1, PEAKS), "clamp(a, -0.1, b)"),
        (perlane.smooth(-0.5, 0.5, PLAINS) + PEAKS, "smooth(-0.5, 0.5, a) + b"),
        (perlane.step(PLAINS, PEAKS), "step(a, b)"),
        (PLAINS <= PEAKS, "step(a, b)"),
        (PLAINS >= PEAKS, "step(b, a)"),
        (PLAINS < PEAKS, "1 - step(b, a)"),
        (0.1 < PLAINS + 0 * PEAKS, "1 - step(a + 0 * b, 0.1)"),
        (perlane.where(PLAINS > PEAKS, PLAINS, -1), "select(-1, a, 1 - step(a, b))"),
        ((PLAINS > 0) & (PEAKS > 0.5), "min(1 - step(a, 0), 1 - step(b, 0.5))"),
        (~(PLAINS > 0) | (PEAKS > 0.5), "max(1 - (1 - step(a, 0)), 1 - step(b, 0.5))"),
        (np.minimum(PLAINS, PEAKS), "min(a, b)"),
        (np.maximum(np.abs(PLAINS), np.float32(0.25)) + PEAKS, "max(abs(a), 0.25) + b"),
        (perlane.smooth_min(PLAINS, PEAKS, 0.5), "smooth_min(a, b, 0.5)"),
        (perlane.smooth_max(PLAINS, PEAKS, 0.5), "smooth_max(a, b, 0.5)"),
    ],
)  # fmt: skip
def test_functions_are_those_of_the_text(noise, text):
    values = noise.fill((200, 300))  # where each comparison is true and false
    assert same(values, Expression(text, a=PLAINS, b=PEAKS).fill((200, 300))) and values.std() > 0


def test_at_is_the_field_at_another_position():
    moved = PLAINS.at(perlane.x + 1000.5, perlane.y - 20 * MASK)
    assert moved.formula == "at(x + 1000.5, y - 20 * f1, f2)"
    y = Y - np.float64(20 * MASK.fill(SHAPE))
    assert same(moved.fill(SHAPE), PLAINS.points(X + 1000.5, y))
    flat = PLAINS.at(perlane.x, perlane.y)
    assert same(flat.fill((3, *SHAPE))[2], PLAINS.fill(SHAPE))
    with pytest.raises(ValueError, match="the name of a field after 4 coordinates"):
        PLAINS.at(1, 2, 3, 4, 5)


def test_numbers_of_numpy_are_operands():
    for number in np.float32(0.1), np.float64(0.1), np.int16(3), 3:
        assert same((number * PLAINS).fill(SHAPE), single(number) * PLAINS.fill(SHAPE))
    assert (3 * PLAINS).formula == "3 * f1"


# ---- Texts and identity ----


def test_names_of_expressions_and_looks():
    named = Expression("a = octaves=2; b = seed=2\nland = mix(a,\n  b, 0.3)\nat(x + 20*b, 2*y, land) # land")
    plain = Expression("a = octaves=2; b = seed=2; mix(at(x + 20*b, 2*y, a), at(x + 20*b, 2*y, b), 0.3)")
    assert same(named.fill(SHAPE), plain.fill(SHAPE))
    assert " valleys=4 " in Expression("a = look=alps; a + 1").fields["a"].text


def test_long_texts_take_no_time():
    blanks = " " * 10**6
    text = f"a{blanks}={blanks};{blanks}# {blanks}\n{blanks}a{blanks}+ 1{blanks}"
    assert repr(Expression(text)) == "Expression('a + 1', a=Field(''))"


def test_expressions_keep_their_names():
    a = Expression("max(hill, hill2)", hill=PLAINS, hill2=PEAKS)
    b = Expression("hill - 1e3 * e3", hill=MASK, e3=PEAKS)
    both = a * b
    assert both.formula == "(max(hill, hill2)) * (hill3 - 1e3 * hill2)"
    assert both.fields == {"hill": PLAINS, "hill2": PEAKS, "hill3": MASK}
    assert same(both.fill(SHAPE), a.fill(SHAPE) * b.fill(SHAPE))
    assert sum([PLAINS] * 40).formula.count("(") == 0  # which may be 128 deep


def test_texts_with_parts():
    land = (PLAINS + 1) * (PLAINS + 1)
    assert land.text.endswith(";part1=f1+1;part1*part1"), land.text
    again = Expression(land.text)
    assert again == land and again.formula == "(f1+1)*(f1+1)"


def test_identity():
    other = perlane.where(MASK > 0, PEAKS * MASK, PLAINS - 0.25)
    for same_one in other, pickle.loads(pickle.dumps(LAND)), copy.deepcopy(LAND), eval(repr(LAND)):
        assert same_one == LAND and hash(same_one) == hash(LAND)
        assert same(same_one.fill(SHAPE), LAND.fill(SHAPE))
    assert LAND != other + 0 and LAND != PLAINS
    assert Expression("a", a=PLAINS) != Expression("a", a=PEAKS)
    table = Field(hash_table=np.arange(256)[::-1]) + 0
    assert same(pickle.loads(pickle.dumps(table)).fill(SHAPE), table.fill(SHAPE))


def test_fields_stay_alive():
    expression = sum(Field(seed=i) for i in range(12))
    junk = [Field(seed=i) for i in range(99)]
    assert same(expression.fill(SHAPE), sum(field.fill(SHAPE) for field in junk[:12]))


# ---- Everything a field has ----


@pytest.mark.parametrize("integers", [{}, {"dtype": "uint16"}, {"dtype": "uint8", "low": -2}])
def test_arrays_and_maps(integers, tmp_path):
    place = {"first": (5, -7), "step": 0.5, **integers}
    whole = LAND.fill((70, 90), threads=3, **place)
    assert same(LAND.fill((70, 90), out=np.empty_like(whole), **place), whole)
    lazy = LAND.dask((70, 90), 32, **place)
    assert same(lazy.compute(), whole)
    assert lazy.name == pickle.loads(pickle.dumps(LAND)).dask((70, 90), 32, **place).name
    labelled = LAND.xarray((70, 90), **place)
    assert same(labelled.values, whole)
    assert perlane.open_map(labelled).field == LAND
    assert same(LAND.fill_like(labelled, **integers).values, whole)
    path = tmp_path / "map.zarr"
    assert perlane.zarr.write(path, LAND, (70, 90), 32, **place) == (0, 9)
    assert perlane.zarr.write(path, LAND, (70, 90), 32, **place) == (9, 0)
    assert perlane.zarr.verify(path) == []
    assert same(perlane.open_map(path)[...], whole)
    with pytest.raises(ValueError, match="another map"):
        perlane.zarr.write(path, LAND + 0, (70, 90), 32, **place)


def test_the_command_makes_the_same_maps(command):
    command("fill", "-o", "a.npy", "--size", "30x20", "--step", "0.5", "--expression", LAND.text)
    assert same(np.load(command.folder / "a.npy"), LAND.fill((20, 30), step=0.5))
    assert perlane.open_map(command.folder / "a.npy").field == LAND
    options = LAND.xarray((20, 30), step=0.5, dtype="uint16").perlane
    (command.folder / "options.txt").write_text(options)
    command("fill", "-o", "b.png", "--params-of", "options.txt")
    assert same(np.asarray(Image.open(command.folder / "b.png"), np.uint16), parse_map(options)[...])


def test_pictures_and_points():
    alone = Expression("a", a=PLAINS)  # as the field
    assert same(alone.shade((30, 40), "land"), PLAINS.shade((30, 40), "land"))
    assert same(alone.mask((30, 40), "slope", 0, 20), PLAINS.mask((30, 40), "slope", 0, 20))
    assert LAND._repr_html_().startswith("<img src=")
    points = LAND.points(xarray.DataArray(X[0], dims="x"), xarray.DataArray(Y[:, 0], dims="y"))
    assert same(points.values.T.copy(), LAND.fill(SHAPE))


def test_ranges():
    a, b = PLAINS.range(2), PEAKS.range(2)
    assert (PLAINS + PEAKS).range(2) == (a[0] + b[0], a[1] + b[1])
    slope = PLAINS + 0.5 * perlane.x
    assert slope.range(2) == (-np.inf, np.inf)
    low, high = slope.range((9, 21), first=(0, 10), step=2)
    assert (low, high) == (a[0] + 10, a[1] + 30)
    assert PLAINS.range((9, 21)) == a
    slope.fill((9, 21), dtype="uint8", low=low, high=high)
    with pytest.raises(ValueError, match="low, high: give both"):
        slope.fill((9, 21), dtype="uint8", low=low)
    with pytest.raises(TypeError, match="no argument is called 'step'; expected none"):
        slope.range(2, step=3)


# ---- Errors ----


@pytest.mark.parametrize(
    "kind, words, call",
    [
        (TypeError, "operand: expected a Field, an Expression or a finite number, not 'a'",
         lambda: PLAINS + "a"),
        (TypeError, "operand: .*, not True", lambda: PLAINS * True),
        (TypeError, "operand: .*, not array", lambda: np.ones(3) * PLAINS),
        (TypeError, r"numpy.sin takes no fields: fill first, as in numpy.sin\(field.fill\(shape\)\)",
         lambda: np.sin(PLAINS)),
        (ValueError, "operand: .*, not inf", lambda: perlane.minimum(PLAINS, np.inf)),
        (ValueError, "expected a number that a float can hold, not '1e.300'", lambda: PLAINS * 1e300),
        (TypeError, "neither true nor false", lambda: 0 < PLAINS < 1),
        (TypeError, "neither true nor false", lambda: max(PLAINS, PEAKS)),
        (ValueError, "no field is called 'b'", lambda: Expression("max(a, b)", a=PLAINS)),
        (ValueError, "name of a function or a coordinate, 'x'", lambda: Expression("x", x=PLAINS)),
        (ValueError, r"no digit first, unlike 'a\\x20b'", lambda: Expression("a", **{"a b": PLAINS})),
        (ValueError, "at most 16 fields", lambda: sum(Field(seed=i) for i in range(17))),
        (ValueError, "at most 128 names", lambda: sum([PLAINS * MASK] * 64)),
        (TypeError, "a: expected a perlane.Field, not Expression", lambda: Expression("a", a=LAND)),
        (TypeError, "expected a text, not 3", lambda: Expression(3)),
        (ValueError, "within .* of 0", lambda: LAND.fill((3, 3), step=1e300)),
        (ValueError, "river needs a field with valleys", lambda: LAND.mask((3, 3), "river")),
        (ValueError, "with tables cannot be written as text",
         lambda: (Field(hash_table=np.arange(256)) + 1).xarray((3, 3))),
        (AttributeError, "no attribute 'cells'", lambda: LAND.cells((3, 3))),
    ],
)  # fmt: skip
def test_errors(kind, words, call):
    with pytest.raises(kind, match=words):
        call()


def test_where_may_leave_out_what_is_no_number():
    land = perlane.where(PLAINS > 0, perlane.sqrt(PLAINS), PEAKS)
    assert np.isfinite(land.fill((64, 64))).all()
