# SPDX-License-Identifier: MIT
"""Fields from options: every option, text, identity, copies, tables, and errors."""

import copy
import inspect
import math
import pickle
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import perlane
from perlane import Field
from support import same, value_of


@pytest.mark.parametrize("option", perlane.OPTIONS.values(), ids=lambda option: option.name)
def test_every_option_is_a_keyword_with_its_default_and_sentence(option):
    keyword = inspect.signature(Field).parameters[option.name]
    assert keyword.default == option.default
    assert Field(**{option.name: option.default}).text == ""
    assert f"{option.name}: {option.summary}" in Field.__doc__


@pytest.mark.parametrize("option", perlane.OPTIONS.values(), ids=lambda option: option.name)
def test_errors_name_the_option_and_what_it_accepts(option):
    numbers = [1j, "1", b"1", np.ma.masked, [1], np.ones(2), True, np.True_]
    is_number = option.kind in ("seed", "integer", "real")
    wrong_types = numbers if is_number else [True if option.kind == "axes" else 1j]
    for value in wrong_types:
        with pytest.raises(TypeError) as error:
            Field(**{option.name: value})
        assert f"{option.name} must be {option.accepts}, not " in str(error.value)
    beyond = {
        "choice": ["fmb", "", "a b", "x\0", "\ud800"],
        "seed": [-(2**63) - 1, 2**64, 10**400],
        "curve": [[], [(0, 1)], [(0, 1), (0, 2)], [(i, i) for i in range(17)], [(0, math.nan), (1, 1)]],
        "axes": [(), (1, 2, 3, 4, 5), (2**31,), (-(2**31) - 1,)],
        "integer": [option.min - 1, option.max + 1, 2**32 + option.min],
        "real": [math.nan, math.inf, -math.inf, 10**400],
    }[option.kind]
    if option.kind == "real" and option.excludes_zero:
        beyond.append(0)
    for value in beyond:
        with pytest.raises(ValueError) as error:
            Field(**{option.name: value})
        assert option.name in str(error.value) and " must " in str(error.value), value
        if option.kind in ("seed", "axes"):  # which may be no texts
            assert not re.search("hexadecimal|comma", option.accepts + str(error.value))


@pytest.mark.parametrize("two", [2, 2.0, np.float32(2), np.int8(2), np.array(2), np.array(2.0)])
def test_whole_numbers_may_be_floats_wherever_one_is_expected(two):
    field = Field(octaves=two, seed=two, frequency=two, period=two)
    assert field == Field(octaves=2, seed=2, frequency=2, period=2) == Field("", period=[two] * 4,
        octaves=2, seed=2, frequency=2)  # fmt: skip
    grid = {"first": two, "step": two, "threads": two, "octaves": two}
    assert same(field.fill((two, two), **grid), field.fill((2, 2), first=2, step=2))
    assert field.range(two) == field.range(2) and same(field.fill(two), field.fill(2))
    for kind in list, np.array:
        place = {name: kind([two, two]) for name in ("shape", "first", "origin", "step")}
        assert same(field.fill(**place), field.fill((2, 2), first=2, origin=2, step=2))


@given(st.fixed_dictionaries({}, optional={name: value_of(o) for name, o in perlane.OPTIONS.items()}))
def test_text_repr_pickle_and_copies_make_the_same_field(options):
    try:
        field = Field(**options)
    except ValueError:  # options that exclude each other
        return
    again = [Field(field.text), eval(repr(field), {"Field": Field}), copy.copy(field)]
    again += [copy.deepcopy(field), Field(**field.options()), field.replace()]
    again += [pickle.loads(pickle.dumps(field, p)) for p in range(pickle.HIGHEST_PROTOCOL + 1)]
    assert all(each == field and hash(each) == hash(field) for each in again)
    assert all(each.text == field.text for each in again)


def test_options_are_attributes():
    field = Field("octaves=8 curve=0:0,1:2 seed=18446744073709551615", period=4, frequency=0.25)
    assert (field.octaves, field.seed, field.frequency) == (8, 2**64 - 1, 0.25)
    assert (field.period, field.curve, field.fractal) == ((4,) * 4, [(0, 0), (1, 2)], "fbm")
    assert Field().curve is Field().hash_table is None and field.octaves_share == "off"
    assert {"octaves", "hash_table", "fill"} <= set(dir(field))
    with pytest.raises(AttributeError, match="octave'"):
        field.octave


def test_replace():
    field = Field(octaves=8, hash_table=range(256), gradient_table=np.eye(2))
    assert field.replace(octaves=3).octaves == 3 and field.octaves == 8
    assert field.replace(hash_table=range(255, -1, -1)).hash_table[0] == 255
    plain = field.replace(hash_table=None, gradient_table=None)
    assert plain == Field(octaves=8) and plain.replace(hash_table=np.arange(1024) % 256).hash == "primes"
    if hasattr(copy, "replace"):
        assert copy.replace(field, octaves=3) == field.replace(octaves=3)


def test_seeds_are_drawn():
    drawn = [Field(seed=None), Field("octaves=3", seed=None), Field().replace(seed=None)]
    seeds = {field.seed for field in drawn}
    assert len(seeds) == 3 and max(seeds) < 2**32
    for field in drawn:
        assert repr(field) == f"Field({field.text!r})" and f"seed={field.seed}" in field.text
        assert Field(field.text) == field
    assert perlane.OPTIONS["seed"].accepts.endswith("or None for one drawn at random")


def test_text_and_keywords():
    assert Field("seed=7\n octaves=3") == Field(seed=7, octaves=3) == Field("seed=9 octaves=3", seed=7)
    assert Field() == Field("") == Field(None) and Field().text == ""
    assert Field(seed=1) != Field(seed=2) and Field() != ""
    assert len({Field(seed=1), Field("seed=1"), Field(seed=2)}) == 2
    assert Field(octaves_share=True) == Field(octaves_share=np.True_) == Field("octaves_share=on")
    assert Field(curve="0:0,1:1") == Field(curve=[(0, 0), (1, 1)]) == Field(curve=np.array([[0, 0], [1, 1]]))


@pytest.mark.parametrize(
    "text, message",
    [
        ("seed=1\0", "seed must be"),
        ("fractal=\ud800", "fractal must be one of"),
        ("hash_table=[1]", "hash_table: expected 256 whole numbers"),
        ("seed=1 hash_table=[1", "hash_table: Expecting ',' delimiter"),
        ("gradient-grid=[['a']]", "gradient_grid: Expecting value"),
    ],
)
def test_wrong_texts(text, message):
    with pytest.raises(ValueError) as error:
        Field(text)
    assert str(error.value).startswith(message)


def test_wrong_keywords():
    with pytest.raises(TypeError, match="no option is called 'octave'; did you mean octaves"):
        Field(octave=3)
    with pytest.raises(TypeError, match="expected a text of options, not 3"):
        Field(3)
    with pytest.raises(TypeError):
        Field("", "")


def test_looks():
    for name in perlane.LOOKS:
        assert Field.look(name) == Field.look(name, width=1024)
    wide, narrow = (Field.look("island", width=width, octaves=4, valley_octaves=3) for width in (512, 256))
    assert wide.fill((9, 9), step=64) == pytest.approx(narrow.fill((9, 9), step=32))
    for name, width in (("sea", 256), ("island", 0), ("island", math.nan)):
        with pytest.raises(ValueError, match="look must be|width: expected a"):
            Field.look(name, width=width)
    for width in "5", None, True:
        with pytest.raises(TypeError, match="width: expected a finite number"):
            Field.look("island", width=width)


def test_presets():
    for name in perlane.PRESETS:
        if name != "grid":
            assert Field.preset(name, octaves=2) == Field(f"preset={name} octaves=2")
    for name in "simplex", "", "axis seed=1":
        with pytest.raises(ValueError, match="preset must be one of improved, grid"):
            Field.preset(name)
    with pytest.raises(ValueError, match=r"Field.look\('mountains'\)"):
        Field.preset("mountains")


def test_fields_are_immutable():
    with pytest.raises(AttributeError):
        Field().text = ""
    with pytest.raises(AttributeError, match=r"field.replace\(octaves=3\) returns another"):
        Field().octaves = 3
    with pytest.raises(AttributeError, match=r"field.replace\(hash_table=None\)"):
        Field().hash_table = None


# ---- Tables ----

PERMUTATION = np.random.default_rng(1).permutation(256)
VECTORS = np.random.default_rng(2).normal(size=(7, 2))
GRID = np.random.default_rng(3).normal(size=(5, 6, 2))
TABLED = {
    "permutation": Field(hash_table=PERMUTATION, frequency=0.3),
    "list": Field(hash_table=PERMUTATION.astype(float).tolist(), hash="table", frequency=0.3),
    "primes": Field.preset("axis", hash_table=np.arange(1024) % 251, frequency=0.3),
    "1024": Field(hash_table=np.arange(1024) % 251, frequency=0.3),
    "vectors": Field(gradient_table=VECTORS, hash_table=PERMUTATION, frequency=0.3),
    "grid": Field(gradient_grid=GRID, frequency=0.3),
}


@pytest.mark.parametrize("name", TABLED)
def test_tables(name):
    field = TABLED[name]
    values = field.fill((31, 33))
    again = pickle.loads(pickle.dumps(field))
    assert again == field and hash(again) == hash(field)
    assert same(again.fill((31, 33)), values) and values.std() > 0
    assert [other for other in TABLED if TABLED[other] == field] == (
        ["permutation", "list"] if name in ("permutation", "list") else [name]
    )
    assert "_table=<" in repr(field) or "gradient_grid=<float32 (5, 6, 2)>" in repr(field)


@pytest.mark.parametrize("name", TABLED)
def test_tables_in_texts_are_lists(name, command):
    field = TABLED[name]
    (command.folder / "options").write_text(field.xarray((8, 9)).perlane)
    command("fill", "-q", "-o", "map.npy", "--params-of", "options")
    assert same(np.load(command.folder / "map.npy"), field.fill((8, 9)))
    assert perlane.open_map(command.folder / "map.npy").field == field
    before, after = field._words()
    assert Field(" ".join([*before, *after])) == field
    none = dict.fromkeys(("hash_table", "gradient_table", "gradient_grid"))
    assert Field(" ".join(after), **none) == Field()


def test_tables_are_copied():
    for name, table in (
        ("hash_table", PERMUTATION),
        ("gradient_table", VECTORS),
        ("gradient_grid", GRID),
    ):
        mine = table.copy()
        field = Field(**{name: mine}, frequency=0.3)
        before = field.fill((20, 20))
        mine[:] = 1
        assert same(field.fill((20, 20)), before), name


WRONG = [
    (ValueError, "hash_table", [[1] * 255, *([bad] + [1] * 255 for bad in (256, -1, 2**32))]),
    (TypeError, "hash_table", [[1.5] * 256, [math.inf] * 256, [True] * 256, "x"]),
    (TypeError, "hash_table", [np.ma.masked_equal(PERMUTATION, 3)]),
    (ValueError, "gradient_table", [VECTORS[:1], [1, 2], [[1, 2], [3]], np.ones((257, 2))]),
    (ValueError, "gradient_table", [np.ones((2, 5)), [[1e39, 0], [0, 1]], [[math.nan, 0], [0, 1]]]),
    (TypeError, "gradient_table", [[["1", "2"], ["3", "4"]]]),
    (TypeError, "gradient_grid", [np.ones((2, 2, 2)) * 1j]),
    (ValueError, "gradient_grid", [np.ones((2, 2)), np.ones((2, 2, 3)), np.ones((0, 2, 2))]),
    (ValueError, "gradient_grid", [np.full((2, 2, 2), np.inf)]),
]
MISMATCHED = [
    {"hash_table": PERMUTATION, "hash": "perlin"},
    {"hash_table": PERMUTATION, "hash": "primes"},
    {"hash_table": [1] * 1024, "hash": "table"},
    {"hash_table": PERMUTATION, "gradient_grid": GRID},
    {"gradient_table": VECTORS, "gradients": "sphere"},
]


@pytest.mark.parametrize(
    ("error", "options"),
    [(error, {name: value}) for error, name, values in WRONG for value in values]
    + [(ValueError, options) for options in MISMATCHED],
)
def test_wrong_tables(error, options):
    with pytest.raises(error, match="hash_table|gradient"):
        Field(**options)
