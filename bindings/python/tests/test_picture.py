# SPDX-License-Identifier: MIT
"""Pictures: those of the command, pixel for pixel, and what a notebook is shown."""

import base64
import html
import io
import pickle
import re

import numpy as np
import pytest
import tifffile
from PIL import Image

import perlane
from perlane import Field
from support import same

FIELD = Field(seed=3, frequency=0.02, octaves=5)
PLACE = {"origin": (10, -20.5), "first": (-7, 4), "step": (0.5, -0.25)}
PLACED = ["--origin=-20.5,10", "--first=4,-7", "--step=-0.25,0.5"]


def drawn(command, name, *options):
    command("fill", "-o", name, "--quiet", *options)
    path = command.folder / name
    return tifffile.imread(path) if name.endswith(".tif") else np.asarray(Image.open(path))


@pytest.mark.parametrize("look", perlane.LOOKS)
def test_looks_are_the_commands(look, command):
    wanted = drawn(command, "map.png", "--look", look, "--size=100")
    field = Field.look(look, width=100)
    draw = field.palette if look in ("clouds", "marble") else field.shade
    heights = field.fill((100, 100))
    picture = draw(heights.shape, look, low=heights.min(), high=heights.max())
    assert same(np.asarray(picture), wanted)


@pytest.mark.parametrize("bits", [8, 16])
@pytest.mark.parametrize("kind", ["slope=20..40", "slope=50.5..10", "height=900..3500", "river"])
def test_masks_are_the_commands(kind, bits, command):
    field = Field.look("alps", width=90)
    place = {"origin": (10, -20.5), "first": (-7, 4), "step": (0.5, -0.25)}
    options = [f"--mask={kind}", "--size=90x70", *PLACED]
    options += ["--spacing=30.5"] if "slope" in kind else []
    drawn(command, "map.png", "--field", field.text, "--range=-1,1", "--heights=-50,3450", "--size=90x70", *PLACED)
    options += [] if kind == "river" else ["--range=-1,1", "--heights=-50,3450"]
    drawn(command, "mask.png", "--field", field.text, *options, f"--bits={bits}")
    name, _, ends = kind.partition("=")
    wanted = np.asarray(Image.open(command.folder / "mask.png"))
    heights = perlane.open_map(command.folder / "map.png")
    ends = map(float, ends.split("..")) if ends else ()
    here = heights.field.mask((70, 90), name, *ends, spacing=30.5, dtype=f"u{bits // 8}", threads=2, **place)
    assert same(here, wanted.astype(here.dtype)) and len(np.unique(here)) > 100
    opened = perlane.open_map(command.folder / "mask.png")
    assert same(opened[...], here if kind == "river" else heights.field.fill((70, 90), **place))


def test_parts_of_masks():
    field = Field.look("alps", width=512, value_scale=900)
    whole = field.mask((1100, 5000), "slope", 10, 60)
    assert same(field.mask((60, 50), "slope", 10, 60, first=(830, 4950)), whole[830:890, 4950:].copy())
    assert same(field.mask((9, 9), "slope", 10, 60, step=(2, -3)),
                field.mask((9, 9), "slope", 10, 60, step=(2, -3), spacing=(2, 3)))  # fmt: skip
    for arguments, problem in (
        (((3, 4), "river", 1, 2), "river takes no low and high"),
        (((3, 4), "slopes", 1, 2), "kind: expected 'height', 'slope' or 'river'"),
        (((3, 4), "slope", 1, 1), "low, high: low and high must be"), (((3, 4), "slope", 1), "high: expected"),
        (((3, 4, 5), "slope", 1, 2), "shape: expected that of an image"),
        (((3, 4), "height", "1", 2), "low: expected"),
    ):  # fmt: skip
        with pytest.raises((TypeError, ValueError), match=problem):
            field.mask(*arguments)
    for settings, problem in (
        ({"spacing": 0}, "spacing: a step or a spacing must be"), ({"spacing": (1, 2, 3)}, "spacing"),
        ({"dtype": "f4"}, "dtype: expected uint8 or uint16"), ({"threads": -1}, "threads"),
        ({"first": -(2**63)}, "sample -9223372036854775808 along x is at"), ({"dtyp": 1}, "dtyp"),
    ):  # fmt: skip
        with pytest.raises((TypeError, ValueError), match=problem):
            field.mask((3, 4), "slope", 1, 2, **settings)
    with pytest.raises(ValueError, match="needs a field with valleys"):
        Field().mask((3, 4), "river")


def test_usual_levels_are_those_of_the_range():
    field = FIELD.replace(value_scale=3)
    low, high = field.range(2)
    assert high > 2
    for draw in field.palette, field.shade:
        assert same(draw((64, 64)), draw((64, 64), low=low, high=high))
        assert same(draw((64, 64), low=-1), draw((64, 64), low=-1, high=high))


def test_grey_is_the_map_without_colours():
    grey = FIELD.palette((70, 90), "grey", low=-0.5, high=0.75, **PLACE)
    wanted = FIELD.fill((70, 90), dtype=np.uint8, low=-0.5, high=0.75, **PLACE)
    for channel in range(3):
        assert same(np.ascontiguousarray(grey[..., channel]), wanted)


@pytest.mark.parametrize(
    "options, draw",
    [
        (["--palette=terrain"], lambda f: f.palette((70, 90), **PLACE)),
        (["--shade"], lambda f: f.shade((70, 90), threads=3, **PLACE)),
        (["--shade", "--light=30,60", "--relief=-9", "--palette=planet", "--range=0.5,-0.5"],
         lambda f: f.shade((1, 70, 90), "planet", light=(30, 60), relief=-9, low=0.5, high=-0.5,
                           **{k: (0 if k != "step" else 1, *v) for k, v in PLACE.items()})[0]),
        (["--normal-map"], lambda f: f.normals((70, 90), **PLACE)),
        (["--normal-map=down", "--relief=7", "--bits=16"],
         lambda f: f.normals((70, 90), strength=7, y="down", dtype="uint16", **PLACE)),
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("text", ["fractal=ridged", "basis=cellular cell_output=edge"])
def test_pictures_are_the_commands(options, draw, text, command):
    field = Field(text, seed=3, frequency=0.02, octaves=2)
    volume = "--size=90x70x1" if "--light=30,60" in options else "--size=90x70"
    place = [each + (",1" if "step" in each else ",0") for each in PLACED] if "x1" in volume else PLACED
    wanted = drawn(command, "map.tif", "--field", field.text, volume, *options, *place)
    assert same(np.asarray(draw(field)), wanted.reshape(70, 90, 3))


def test_looks_without_relief_are_palettes(command):
    field = ["--field", FIELD.text, "--size=50x40", "--shade"]
    for name in "clouds", "marble":  # looks, too
        wanted = drawn(command, f"{name}.png", *field, f"--palette={name}")
        assert same(np.asarray(FIELD.shade((40, 50), name)), wanted)


def test_threads_and_pieces_change_no_pixel(monkeypatch):
    for text in "", "fractal=eroded":
        field = Field(text, frequency=0.02)
        whole = field.shade((300, 200), "alps")
        assert same(whole, field.shade((300, 200), "alps", threads=4, relief=1740 / 20000 * 200))
        with monkeypatch.context() as patched:
            patched.setattr("perlane._blocks._PIECE_COST", 1 << 12)
            assert same(whole, field.shade((300, 200), "alps"))


def test_notebooks_show_pictures_and_fields():
    for picture in FIELD.shade((30, 40)), FIELD.normals((30, 40), dtype="uint16")[::-2, 3:]:
        shown = Image.open(io.BytesIO(picture._repr_png_()))
        assert shown.size == picture.shape[1::-1]
        assert same(np.asarray(shown), (picture >> 8 * (picture.itemsize - 1)).astype(np.uint8).view(np.ndarray))
    assert FIELD.shade((30, 40))[0]._repr_png_() is None
    for field in FIELD, Field(basis="white"), Field(basis="cellular"):
        assert shown_in(field).size == (384, 192)
    assert Field(value_scale=0)._repr_html_() is None
    assert Field(gradient_table=np.eye(3))._repr_html_() is None


def shown_in(field):
    """Returns the picture that a notebook shows above the field's options."""
    found = re.fullmatch('<img src="data:image/png;base64,([^"]*)"><pre[^>]*>([^<]*)</pre>', field._repr_html_())
    assert html.unescape(found[2]) == repr(field)
    return Image.open(io.BytesIO(base64.b64decode(found[1])))


@pytest.mark.parametrize("look", ["island", "clouds"])
def test_notebooks_show_whole_looks_as_the_command_draws_them(look, command):
    wanted = drawn(command, "map.png", "--look", look, "--size=384")
    assert same(np.asarray(shown_in(Field.look(look, width=384))), wanted)
    field = Field.look("island", width=1000).replace(seed=3)
    ends = {"low": (heights := field.fill((384, 384), step=1000 / 384)).min(), "high": heights.max()}
    wanted = field.shade((384, 384), "island", step=1000 / 384, **ends)
    assert same(np.asarray(shown_in(pickle.loads(pickle.dumps(field)))), np.asarray(wanted))


def test_wrong_pictures():
    for message, call in {
        "palette must be one of grey, terrain": lambda: FIELD.palette((3, 4), "mauve"),
        "shape: expected that of an image": lambda: FIELD.shade((2, 3, 4)),
        "not 9": lambda: FIELD.normals(9),
        "light: a light's azimuth must be": lambda: FIELD.shade((3, 4), light=(0, 91)),
        "light: expected one number, or 2": lambda: FIELD.shade((3, 4), light=(1, 2, 3)),
        "relief: expected a finite number": lambda: FIELD.shade((3, 4), relief=np.inf),
        "relief: the relief is too high for this step": lambda: FIELD.shade((3, 4), relief=1e200),
        "strength: the relief is too high": lambda: FIELD.normals((3, 4), strength=1e200),
        "shade: this field has no slopes: .* white noise": lambda: Field(basis="white").shade((3, 4)),
        "normals: this field has no slopes": lambda: Field(value_scale=0).normals((3, 4)),
        "low, high: low and high": lambda: FIELD.palette((3, 4), "clouds", low=1, high=1),
        "y: expected 'up' or 'down'": lambda: FIELD.normals((3, 4), y="left"),
        "step along x must be": lambda: FIELD.shade((3, 4), step=0),
    }.items():
        with pytest.raises(ValueError, match=message):
            call()
    for call in (
        lambda: FIELD.normals((3, 4), dtype="float32"),
        lambda: FIELD.shade((3, 4), low="0"),
        lambda: FIELD.shade((3, 4), dtype="uint8"),
    ):
        with pytest.raises(TypeError):
            call()
