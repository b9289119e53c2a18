# SPDX-License-Identifier: MIT
"""Zarr arrays: written by any engine, continued, verified, opened by others, in any store."""

import json
import os
from pathlib import Path

import fsspec
import numpy as np
import pytest
import xarray
import zarr
from hypothesis import given
from perlane._stored import parse_map
from support import fields, indices, same

import perlane
from perlane import Field
from perlane.zarr import Written, verify, write

FIELD = Field(seed=3, frequency=0.05, octaves=3)
SHAPE, CHUNKS = (100, 130), (32, 48)  # 4 x 3 chunks


def files(folder):
    """Returns {name: bytes} of a folder's files."""
    paths = [path for path in Path(folder).rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


@given(fields, indices, indices)
def test_texts_make_the_same_map(field, first, other):
    tables = {"gradient_table": [[0.1, 1 / 3], [1e-20, -7]]} if field.basis == "perlin" else {}
    field = field.replace(**tables)
    for dtype in ({}, {"dtype": "uint8", "low": -0.1, "high": 1e-7}):
        place = {"first": (first, other), "origin": 1 / 3, "step": (1, 0.1)}
        try:
            samples = field._samples((3, 5), **place, **dtype)
        except ValueError:  # beyond the domain
            return
        assert parse_map(field._attributes(samples)["perlane"]) == (field, samples)


def test_other_texts_are_refused():
    assert parse_map("perlane=1 size=3x4")[1].shape == (4, 3)
    for words in ("", "octaves=3", "size=0x3", "size=3 bits=7", "size=3x4 hash_table=[1]",
                  "size=3x4 x=1", "size=3x4 size=3y4", "size=3x4 axes=5", "size=3x4 range=1",
                  "size=3x4 first=1,2,3", "size=3x4 step=nan", "size=3x4 bits=8 range=1,1"):  # fmt: skip
        with pytest.raises((ValueError, KeyError, TypeError)):
            parse_map(f"perlane=1 {words}")


FORMATS = [
    {},
    {"compressor": None, "dtype": "uint8"},
    {"compressor": "zlib", "dtype": "uint16", "low": -0.5},
    {"zarr_format": 3},
    {"zarr_format": 3, "shards": (64, 96), "dtype": "uint8"},
]


@pytest.mark.parametrize("format", FORMATS, ids=str)
def test_arrays_are_continued_verified_and_opened(format, tmp_path):
    total = 4 if "shards" in format else 12
    assert write(tmp_path, FIELD, SHAPE, CHUNKS, **format) == Written(0, total)
    kind = {name: format[name] for name in ("dtype", "low") if name in format}
    array = zarr.open_array(tmp_path, mode="r")
    assert same(array[...], FIELD.fill(SHAPE, **kind)) and array.chunks == CHUNKS
    expected = files(tmp_path)
    gone, damaged, other, flipped = sorted(name for name in expected if name[-1].isdigit())[-4:]
    inode = (tmp_path / flipped).stat().st_ino
    (tmp_path / gone).unlink()
    (tmp_path / damaged).write_bytes(expected[damaged][:-9])
    (tmp_path / other).write_bytes(expected[flipped])
    found = dict(verify(tmp_path, engine=2))
    assert list(found) == [gone, damaged, other] and found[gone] == "missing"
    assert found[damaged].startswith(("damaged: ", "differs "))
    assert found[other].startswith("differs from sample (")
    for name in damaged, other:
        (tmp_path / name).unlink()
    seen = []
    progress = lambda *counts: seen.append(counts)  # noqa: E731
    written = write(tmp_path, FIELD, SHAPE, CHUNKS, progress=progress, **format)
    assert written == Written(total - 3, 3) and seen[-1] == (3, 3)
    assert files(tmp_path) == expected and verify(tmp_path) == []
    assert (tmp_path / flipped).stat().st_ino == inode  # it was not written again


@pytest.mark.parametrize(
    ("options", "arguments"),
    [("--size 130x100 --chunk 48x32 --first=-5,3 --step 0.1",
      {"shape": SHAPE, "chunks": CHUNKS, "first": (3, -5), "step": 0.1}),
     ("--size 30x20x5 --chunk 8x6x2 --bits 16 --step 0.1,0.2,.3 --range=-.7,.7 --compression deflate",
      {"shape": (5, 20, 30), "chunks": (2, 6, 8), "step": (0.3, 0.2, 0.1), "compressor": "zlib",
       "dtype": "uint16", "low": -0.7, "high": 0.7})],
)  # fmt: skip
def test_either_continues_what_the_other_wrote(options, arguments, command):
    field = ["--seed", "3", "--frequency", "0.05", "--octaves", "3"]
    fill = lambda name: command("fill", "-q", "-o", name, *field, *options.split())  # noqa: E731
    ours, theirs = command.folder / "ours.zarr", command.folder / "theirs.zarr"
    fill("theirs.zarr")
    total = write(ours, FIELD, **arguments).written
    for name in (".zarray", ".zattrs"):
        assert json.loads((ours / name).read_text()) == json.loads((theirs / name).read_text())
    for folder in (ours, theirs):
        victim = sorted(name for name in files(folder) if name[0] != ".")[-1]
        for again in (lambda: fill(folder.name), lambda: write(folder, FIELD, **arguments)):
            (folder / victim).unlink()
            assert verify(folder) == [(victim, "missing")]
            again()
            assert verify(folder) == []
        assert f"{total} equal" in command("verify", "-q", folder.name)


def test_parts_make_the_whole(tmp_path):
    write(tmp_path / "whole", FIELD, SHAPE, CHUNKS)
    written = [write(tmp_path / "a", FIELD, SHAPE, CHUNKS, part=(k, 5)) for k in (4, 1, 5, 3, 2)]
    assert sorted(each.written for each in written) == [2, 2, 2, 3, 3]
    assert files(tmp_path / "a") == files(tmp_path / "whole")
    (tmp_path / "a/1/1").unlink()  # the fifth
    assert [len(verify(tmp_path / "a", part=(k, 12))) for k in (4, 5, 6)] == [0, 1, 0]


def test_other_maps_and_folders_are_left_alone(tmp_path):
    write(tmp_path / "a", FIELD, SHAPE, CHUNKS)
    (tmp_path / "a/0/0").unlink()
    before = files(tmp_path / "a")
    for change in (
        {"seed": 4}, {"shape": (100, 131)}, {"chunks": 32}, {"dtype": "uint8"}, {"step": 2},
        {"compressor": None}, {"first": 1}, {"origin": 0.5}, {"zarr_format": 3},
    ):  # fmt: skip
        arguments = {"shape": SHAPE, "chunks": CHUNKS, **change}
        field = Field(FIELD.text, seed=arguments.pop("seed", 3))
        with pytest.raises(ValueError, match=r"holds another map(.|\n)*stored: .*\n  wanted: "):
            write(tmp_path / "a", field, **arguments)
    assert files(tmp_path / "a") == before
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ValueError, match="has other files and no .zarray"):
        write(tmp_path, FIELD, SHAPE)
    with pytest.raises(ValueError, match="there is no Zarr array"):
        verify(tmp_path)
    zarr.create_array(tmp_path / "other", shape=SHAPE, dtype="f4", zarr_format=2)
    with pytest.raises(ValueError, match="holds another map"):
        write(tmp_path / "other", FIELD, SHAPE)


def test_attributes_of_others_stay_and_another_version_is_reported(tmp_path):
    write(tmp_path, FIELD, SHAPE, CHUNKS)
    path = tmp_path / ".zattrs"
    path.write_text(json.dumps({**json.loads(path.read_text()), "units": "m"}))
    (tmp_path / "0/0").unlink()
    assert write(tmp_path, FIELD, SHAPE, CHUNKS) == (11, 1)
    assert json.loads(path.read_text())["units"] == "m" and verify(tmp_path) == []
    path.write_text(path.read_text().replace("perlane=", "perlane=9."))
    with pytest.warns(UserWarning, match=r"perlane 9\..* wrote"):
        assert verify(tmp_path) == []


def test_a_full_disk_leaves_what_is_complete(tmp_path, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    write(tmp_path, FIELD, SHAPE, CHUNKS, part=(1, 2))
    before = files(tmp_path)
    with monkeypatch.context() as patch, pytest.raises(OSError, match="No space"):
        patch.setattr(os, "fsync", full)
        write(tmp_path, FIELD, SHAPE, CHUNKS, engine=1)
    assert files(tmp_path) == before
    assert write(tmp_path, FIELD, SHAPE, CHUNKS) == (6, 6)


def test_layouts_that_cannot_be_are_refused(tmp_path):
    for wrong, match in [
        ({"shards": 64}, "zarr_format: expected 2, or 3"),
        ({"zarr_format": 3, "shards": 50}, "shards: expected multiples"),
        ({"zarr_format": 3, "compressor": "zlib"}, "compressor: expected one of"),
        ({"chunks": 0}, "chunks: expected a whole number"),
        ({"shape": (2**40, 2**20), "chunks": 9}, "more than 2\\^32"),
        ({"shape": (2**20, 2**20), "chunks": 2**16}, "more than 1 GiB"),
        ({"part": (3, 2)}, "part: expected"),
        ({"engine": "thread"}, "engine: expected"),
        ({"window": 0}, "window: expected"),
        ({"dtype": "float64"}, "dtype: expected"),
        ({"name": "a/b"}, "name: expected letters"),
    ]:
        arguments = {"shape": SHAPE, "chunks": CHUNKS, **wrong}
        with pytest.raises((ValueError, TypeError), match=match):
            write(tmp_path / "a", FIELD, **arguments)
    assert not list(tmp_path.iterdir())


def test_object_stores(tmp_path):
    write(tmp_path, FIELD, SHAPE, CHUNKS)
    write("memory://maps/a.zarr", FIELD, SHAPE, CHUNKS)
    mapper = fsspec.get_mapper("memory://maps/a.zarr")
    assert dict(mapper) == files(tmp_path)
    del mapper["2/1"]
    assert verify(mapper) == [("2/1", "missing")]
    assert write(mapper, FIELD, SHAPE, CHUNKS) == (11, 1) and dict(mapper) == files(tmp_path)
    with pytest.raises(ValueError, match="memory is of this process alone"):
        write(mapper, FIELD, SHAPE, CHUNKS, engine="processes")


@pytest.mark.parametrize("zarr_format", [2, 3])
def test_groups_are_opened_by_xarray(zarr_format, tmp_path):
    place = {"origin": (10, -3), "first": (5, 2**40), "step": (0.1, -0.25)}
    options = {**place, "zarr_format": zarr_format}
    path, wet = tmp_path / "map.zarr", FIELD.replace(seed=4)
    assert write(path, FIELD, SHAPE, CHUNKS, name="height", **options) == Written(0, 12)
    write(path, wet, SHAPE, CHUNKS, name="wetness", **options)
    assert write(path, FIELD, SHAPE, CHUNKS, name="height", **options) == Written(12, 0)
    assert verify(path, name="height") == verify(path / "wetness") == []
    found = xarray.open_zarr(path, consolidated=False)
    for name, field in ("height", FIELD), ("wetness", wet):
        assert found[name].identical(field.xarray(SHAPE, name=name, **place))
        assert perlane.open_map(found[name]).field == field
    with pytest.raises(ValueError, match="is a group of other positions: y/"):
        write(path, FIELD, SHAPE, CHUNKS, **{**options, "first": 0, "name": "other"})
    for call in verify, perlane.open_map:
        with pytest.raises(ValueError, match="one of a group|describes no array"):
            call(path)
