# SPDX-License-Identifier: MIT
"""Stored maps that are opened again: what they are, and any part of them."""

import os
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
import tifffile
import xarray
import zarr
from hypothesis import given
from perlane._files import parse_map
from PIL import Image
from support import fields, indices, same

import perlane
from perlane import Field

STORED = Path(__file__).resolve().parents[3] / "tests/vectors/stored"
FIELD = Field(seed=3, frequency=0.05, octaves=3, hash_table=np.arange(256))
EXR = b"\x76\x2f\x31\x01\2\0\0\0"
PLACE = {"origin": (10, -20.5), "first": (-7, 2**40), "step": (0.5, -0.25)}


@given(fields, indices, indices)
def test_texts_make_the_same_map(field, first, other):
    tables = {"gradient_table": [[0.1, 1 / 3], [1e-20, -7]]} if field.basis == "perlin" else {}
    field = field.replace(**tables)
    for dtype in ({}, {"dtype": "uint8", "low": -0.1, "high": 1e-7}):
        place = {"first": (first, other), "origin": 1 / 3, "step": (1, 0.1)}
        try:
            made = field._map((3, 5), **place, **dtype)
        except ValueError:  # beyond the domain
            return
        assert parse_map(made.attributes["perlane"]) == made


def test_a_map_is_an_array_that_is_computed_where_it_is_indexed():
    heights = FIELD.fill((40, 30), **PLACE)
    opened = perlane.open_map(FIELD.xarray((40, 30), **PLACE))
    assert opened.field == FIELD and opened.shape == (40, 30) and opened.dtype == np.float32
    assert (opened.origin, opened.first, opened.step) == tuple(PLACE.values())
    for index in (
        np.s_[3:20, ::-3], np.s_[-1], np.s_[..., 4], np.s_[:], np.s_[5, -30], np.s_[[3, -1, 3], 2:4],
        np.s_[7:7], np.s_[::-1, [0, 29]],
    ):  # fmt: skip
        assert same(np.asarray(opened[index]), np.asarray(heights[index])), index
    assert same(np.asarray(opened), heights) and np.asarray(opened, "f8").dtype == np.float64
    with pytest.raises(ValueError, match="no array that copy=False could share"):
        opened.__array__(copy=False)  # as NumPy 2 calls it
    assert "step=(0.5, -0.25)" in repr(opened)
    for index in np.s_[40], np.s_[:, -31], np.s_[1, 2, 3], np.s_[0.5], np.s_[[True] * 40]:
        with pytest.raises(IndexError):
            opened[index]


@pytest.mark.parametrize("suffix", ["png", "tif", "exr", "npy"])
def test_files_of_the_command(command, suffix):
    options = ["--field", "seed=3 octaves=5 frequency=0.02", "--size=50x40", "--quiet"]
    place = ["--origin=-20.5,10", "--first=4,-7", "--step=-0.25,0.5"]
    levels = [] if suffix in ("npy", "exr") else ["--range=actual"]
    command("fill", "-o", f"map.{suffix}", *options, *place, *levels)
    opened = perlane.open_map(command.folder / f"map.{suffix}")
    assert opened.field == Field(seed=3, octaves=5, frequency=0.02) and opened.shape == (40, 50)
    assert opened.first == (-7, 4) and opened.origin == (10, -20.5) and opened.step == (0.5, -0.25)
    command("fill", "-o", "map.raw", *options, *place, *levels, f"--bits={opened.dtype.itemsize * 8}")
    stored = np.fromfile(command.folder / "map.raw", opened.dtype).reshape(40, 50)
    assert same(opened[...], stored)


def test_pictures_and_heights_in_metres(command):
    command("fill", "-o", "land.png", "--look=island", "--size=256", "--quiet")
    command("fill", "-o", "normals.png", "--normal-map=down", "--relief=3", "--size=9", "--quiet")
    assert perlane.open_map(str(command.folder / "normals.png")).dtype == np.uint8
    assert perlane.open_map(command.folder / "land.png").field == Field.look("island", width=256)
    command("fill", "-o", "land.npy", "--look=island", "--heights=natural", "--size=64", "--quiet")
    assert same(perlane.open_map(command.folder / "land.npy")[...], np.load(command.folder / "land.npy"))


def big_tiff(text):
    head = b"MM\0+" + struct.pack(">HHQ", 8, 0, 16)
    return head + struct.pack(">QHHQQQ", 1, 270, 2, len(text), 52, 0) + text


def png(*chunks):
    framed = [struct.pack(">I", len(c) - 4) + c + struct.pack(">I", zlib.crc32(c)) for c in chunks]
    return b"".join([b"\x89PNG\r\n\x1a\n", *framed])


def test_files_that_other_programs_have_written_again(tmp_path):
    text = FIELD._map((4, 5)).attributes["perlane"].encode()
    packed = zlib.compress(text)
    for data in (
        big_tiff(text),
        png(b"IHDRx", b"tEXtother\0x", b"zTXtperlane\0\0" + packed, b"IEND"),
        png(b"iTXtperlane\0\1\0en\0\0" + packed, b"IEND"),
        png(b"iTXtperlane\0\0\0\0\0" + text, b"IEND"),
    ):
        (tmp_path / "map").write_bytes(data)
        assert perlane.open_map(tmp_path / "map").field == FIELD
    changed = png(b"tEXtperlane\0" + text, b"IEND").replace(b"seed=3", b"seed=4")
    for data in b"", b"\x89PNG\r\n", b"II*\0", png(b"IEND"), png(b"zTXtperlane\0\0x"), EXR, EXR + b"a\0b\0\xff\xff\0\0", EXR + b"\0", b"P5\n", b"P5", changed:
        (tmp_path / "map").write_bytes(data)
        with pytest.raises(ValueError, match="map: (damaged|it carries no options)"):
            perlane.open_map(tmp_path / "map")


def test_files_that_would_be_read_for_hours(tmp_path):
    path = tmp_path / "map"
    for head in b"\x89PNG\r\n\x1a\n", b"MM\0+" + struct.pack(">HHQQ", 8, 0, 16, 2**62):
        path.write_bytes(head)
        os.truncate(path, 2**36)
        with pytest.raises(ValueError, match="map: it carries no options"):
            perlane.open_map(path)
    path.write_bytes(b"")
    os.mkfifo(f"{path}.txt")
    os.mkfifo(tmp_path / "fifo")
    for name in "map", "fifo":
        with pytest.raises(ValueError, match="not a file"):
            perlane.open_map(tmp_path / name)


def test_attributes_and_arrays(tmp_path):
    for zarr_format in 2, 3:
        path = tmp_path / f"{zarr_format}.zarr"
        perlane.zarr.write(path, FIELD, (30, 20), 16, zarr_format=zarr_format, dtype="uint8", low=0, **PLACE)
        for source in path, f"file://{path}", zarr.open_array(path), dict(zarr.open_array(path).attrs):
            opened = perlane.open_map(source)
            assert same(opened[...], FIELD.fill((30, 20), dtype="uint8", low=0, **PLACE))
            assert (opened.low, opened.high) == (0, 1)


def test_arrays_that_are_no_longer_their_map_are_refused():
    whole = FIELD.xarray((30, 20), **PLACE)
    levels = FIELD.xarray((30, 20), **PLACE, dtype="uint8", chunks=8)
    for array in whole, levels, whole.drop_vars("y"), whole.astype("f8"), whole.variable:
        assert perlane.open_map(array).field == FIELD
    with xarray.set_options(keep_attrs=True):
        for array, problem in (
            (whole[:, 1:], r"shape \(30, 19\), not \(30, 20\)"), (whole[0], "shape"),
            (whole * 2, r"another value at \(0, 0\)"), (levels.astype("f4") * 2, "another value"),
            (whole.where(whole > 0), "another value"), (levels + 1, "another value"),
            (whole.assign_coords(x=whole.x + 0.25), "other positions along x"),
            (whole[::-1], "other positions along y"),
            (FIELD.replace(seed=4).xarray((30, 20), **PLACE).assign_attrs(whole.attrs), "another value"),
        ):  # fmt: skip
            with pytest.raises(ValueError, match=f"the array is not the map of its options: it has {problem}"):
                perlane.open_map(array)


def test_what_is_no_map(tmp_path):
    text = FIELD.xarray(3).attrs["perlane"]
    with pytest.raises(ValueError, match=r"perlane.open_map\(text\).field is its field"):
        Field(text)
    assert perlane.open_map(text).field == FIELD
    for source in {}, 3, FIELD.xarray(3).to_dataset(name="other"):
        with pytest.raises(ValueError, match="no attribute 'perlane'"):
            perlane.open_map(source)
    map_ = "perlane=1.0.0 size=9x9"
    assert perlane.open_map(f"{map_} range=actual").dtype == np.float32
    wrong = [5, None, [map_], "perlane=1", "perlane=1 octaves=3", "perlane=1 size=0x3"]
    wrong += [f"perlane=1 size=3 {words}" for words in (
        "seed=3 expression=x", "expression=", "expression=x+", "expression=x hash_table=[1]")]  # fmt: skip
    wrong += [f"{map_} {words}" for words in (
        "bits=9", "bits=8 range=1", "bits=8 range=1,1", "bits=8 expression=x range=auto", "hash_table=[1]",
        "hash_table=[1.5]", "x=1", "size=3y4", "axes=5", "first=1,2,3", "step=nan")]  # fmt: skip
    for text in wrong:
        with pytest.raises(ValueError, match="not the options of a map"):
            perlane.open_map({"perlane": text})
    with pytest.raises(ValueError, match="'actual'"):
        perlane.open_map(f"{map_} bits=8 range=actual")
    for words in "first=1", "hash_table=[1", "crs=EPSG:1", "origin=1e1":
        with pytest.raises(ValueError, match="more than 400 digits"):
            perlane.open_map(f"{map_} {words}{'0' * 400}")
    with pytest.raises(ValueError, match="recursion"):
        perlane.open_map(f"{map_} hash_table={'[' * 100_000}")
    with pytest.raises(FileNotFoundError):
        perlane.open_map(tmp_path / "map.png")
    with pytest.raises(ValueError, match="there is no Zarr array"):
        perlane.open_map(tmp_path)


@pytest.mark.parametrize("name", [path.name for path in STORED.iterdir() if path.suffix != ".txt"])
def test_stored_maps_of_one_zero(name):
    opened = perlane.open_map(STORED / name)
    if name.endswith(".zarr"):
        assert perlane.zarr.verify(STORED / name) == []
    read = {".npy": np.load, ".r16": lambda path: np.fromfile(path, "<u2").reshape(opened.shape)}
    read.update({".tif": tifffile.imread, ".png": lambda path: np.asarray(Image.open(path))})
    if STORED.joinpath(name).suffix in read:
        stored = read[STORED.joinpath(name).suffix](STORED / name)
        assert stored.ndim == 3 or same(opened[...], stored)  # of a picture it has the heights
