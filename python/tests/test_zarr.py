# SPDX-License-Identifier: MIT
"""Zarr arrays: the command's, of any engine, continued, verified, in folders and object stores."""

import fcntl
import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import fsspec
import numpy as np
import pytest
import zarr
from fsspec.implementations.memory import MemoryFileSystem
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
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in Path(folder).rglob("*")
        if path.is_file()
    }


def chunks_of(folder):
    return {name: data for name, data in files(folder).items() if not name.startswith(".z")}


# ---- Texts ----


@given(fields, indices, indices)
def test_texts_make_the_same_map(field, first, other):
    for dtype in ({}, {"dtype": "uint8", "low": -0.1, "high": 1e-7}):
        try:
            samples = field._samples(
                (3, 5), first=(first, other), origin=1 / 3, step=(1, 0.1), **dtype
            )
        except ValueError:  # beyond the domain
            return
        assert parse_map(field._attributes(samples)["perlane"]) == (field, samples)


@pytest.mark.parametrize(
    "tables",
    [{"hash_table": np.arange(256)[::-1]},
     {"gradient_table": [[0.1, 1 / 3], [1e-20, -7]]},
     {"gradient_grid": np.linspace(-1, 1, 24).reshape(3, 4, 2)}],
    ids=lambda tables: next(iter(tables)),
)  # fmt: skip
def test_texts_have_tables(tables, command):
    field = Field(seed=5, **tables)
    samples = field._samples((30, 40))
    text = field._attributes(samples)["perlane"]
    assert parse_map(text) == (field, samples)
    write(command.folder / "a.zarr", field, (30, 40), 16)
    command("fill", "-q", "-o", "a.zarr", "--size", "40x30", "--chunk", "16",
            "--field", text.split("size=")[0].partition(" ")[2] + " ".join(
                word for word in text.split() if "_table=[" in word or "_grid=[" in word))  # fmt: skip
    assert "0 missing" in command("verify", "-q", "a.zarr") and not verify(
        command.folder / "a.zarr"
    )


def test_other_texts_are_refused():
    assert parse_map("perlane=1 size=3x4")[1].shape == (4, 3)
    for words in ("", "octaves=3", "size=0x3", "size=3 bits=7", "size=3x4 hash_table=[1]",
                  "size=3x4 x=1", "size=3x4 size=3y4", "size=3x4 axes=5", "size=3x4 range=1",
                  "size=3x4 first=1,2,3", "size=3x4 step=nan", "size=3x4 bits=8 range=1,1"):  # fmt: skip
        with pytest.raises((ValueError, KeyError, TypeError)):
            parse_map(f"perlane=1 {words}")
    with pytest.raises(ValueError, match="not the options of a map: 'seed=3 size=3x4'"):
        parse_map("seed=3 size=3x4")


# ---- The command's arrays ----

CASES = [
    ("--size 130x100 --chunk 48x32 --first=-5,3 --step 0.1",
     {"shape": SHAPE, "chunks": CHUNKS, "first": (3, -5), "step": 0.1}),
    ("--size 30x20x5 --chunk 8x6x2 --bits 16 --step 0.1,0.2,.3 --range=-.7,.7",
     {"shape": (5, 20, 30), "chunks": (2, 6, 8), "step": (0.3, 0.2, 0.1),
      "dtype": "uint16", "low": -0.7, "high": 0.7}),
    ("--size 5000 --axes 1 --chunk 128 --bits 8 --compression none --origin 1e10",
     {"shape": 5000, "chunks": 128, "dtype": "uint8", "origin": 1e10, "compressor": None}),
    ("--size 9x8x7x6 --chunk 4 --compression deflate --first 1,2,3,4",
     {"shape": (6, 7, 8, 9), "chunks": 4, "compressor": "zlib", "first": (4, 3, 2, 1)}),
    ("--size 130x100", {"shape": SHAPE}),
]  # fmt: skip


@pytest.mark.parametrize(("options", "arguments"), CASES)
def test_either_continues_what_the_other_wrote(options, arguments, command):
    def fill(name):
        field = ["--seed", "3", "--frequency", "0.05", "--octaves", "3"]
        command("fill", "-q", "-o", name, *field, *options.split())

    ours, theirs = command.folder / "ours.zarr", command.folder / "theirs.zarr"
    fill("theirs.zarr")
    total = len(chunks_of(theirs))
    assert write(ours, FIELD, **arguments) == (0, total)
    for name in (".zarray", ".zattrs"):
        assert json.loads((ours / name).read_text()) == json.loads((theirs / name).read_text())
    opened = [zarr.open_array(path, mode="r") for path in (ours, theirs)]
    assert same(opened[0][...], opened[1][...])
    for folder in (ours, theirs):
        victim = sorted(chunks_of(folder))[-1]
        expected = (folder / victim).read_bytes()
        for again in (lambda: fill(folder.name), lambda: write(folder, FIELD, **arguments)):
            (folder / victim).unlink()
            assert verify(folder) == [(victim, "missing")]
            again()
            assert verify(folder) == [] and len(chunks_of(folder)) == total
        assert len((folder / victim).read_bytes()) == len(expected)
        assert f"{total} equal" in command("verify", "-q", folder.name)


def test_other_words_for_the_same_map(command):
    command("fill", "-q", "-o", "a.zarr", "--size", "130x100", "--chunk", "48x32", "--bits", "8",
            "--range", "auto", "--step", "1,1", "--origin=0,-0.0", "--octaves", "2")  # fmt: skip
    field = Field(octaves=2)
    low, high = field.range(2)
    folder = command.folder / "a.zarr"
    before = files(folder)
    assert write(folder, field, SHAPE, CHUNKS, dtype="uint8", low=low, high=high) == (12, 0)
    assert files(folder) == before and verify(folder) == []


# ---- Continuing ----


def test_only_missing_chunks_are_written(tmp_path):
    assert write(tmp_path / "a", FIELD, SHAPE, CHUNKS) == Written(0, 12)
    expected = files(tmp_path / "a")
    gone = ["0/0", "3/2"]
    for name in gone:
        (tmp_path / "a" / name).unlink()
    inodes = {path: path.stat().st_ino for path in (tmp_path / "a").rglob("*") if path.is_file()}
    seen = []
    progress = lambda *counts: seen.append(counts)  # noqa: E731
    assert write(tmp_path / "a", FIELD, SHAPE, CHUNKS, progress=progress) == Written(10, 2)
    assert seen == [(1, 2), (2, 2)] and files(tmp_path / "a") == expected
    assert all(path.stat().st_ino == inode for path, inode in inodes.items())


def test_parts_make_the_whole(tmp_path):
    write(tmp_path / "whole", FIELD, SHAPE, CHUNKS)
    written = [write(tmp_path / "a", FIELD, SHAPE, CHUNKS, part=(k, 5)) for k in (4, 1, 5, 3, 2)]
    assert sorted(each.written for each in written) == [2, 2, 2, 3, 3]
    assert files(tmp_path / "a") == files(tmp_path / "whole")
    assert [len(verify(tmp_path / "a", part=(k, 20))) for k in range(1, 21)] == [0] * 20
    (tmp_path / "a/1/1").unlink()  # the fifth
    assert [len(verify(tmp_path / "a", part=(k, 12))) for k in (4, 5, 6)] == [0, 1, 0]


@pytest.mark.parametrize("change", [
    {"seed": 4}, {"shape": (100, 131)}, {"chunks": 32}, {"dtype": "uint8"}, {"compressor": None},
    {"step": 2}, {"first": 1}, {"origin": 0.5}, {"zarr_format": 3},
], ids=lambda change: next(iter(change)))  # fmt: skip
def test_other_maps_are_refused(change, tmp_path):
    arguments = {"shape": SHAPE, "chunks": CHUNKS, **change}
    field = Field(FIELD.text, seed=arguments.pop("seed", 3))
    write(tmp_path / "a", FIELD, SHAPE, CHUNKS)
    (tmp_path / "a/0/0").unlink()
    before = files(tmp_path / "a")
    with pytest.raises(ValueError, match=r"holds another map(.|\n)*stored: .*\n  wanted: "):
        write(tmp_path / "a", field, **arguments)
    assert files(tmp_path / "a") == before


def test_folders_of_others_are_left_alone(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ValueError, match="has other files and no .zarray"):
        write(tmp_path, FIELD, SHAPE)
    with pytest.raises(ValueError, match="there is no Zarr array"):
        verify(tmp_path)
    zarr.create_array(tmp_path / "other", shape=SHAPE, dtype="f4", zarr_format=2)
    with pytest.raises(ValueError, match="holds another map"):
        write(tmp_path / "other", FIELD, SHAPE)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["notes.txt"]


def test_a_run_that_was_killed_early_is_continued(tmp_path):
    write(tmp_path / "a", FIELD, SHAPE, CHUNKS)
    expected = files(tmp_path / "a")
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    for name in ("0", "1", "2", "3"):
        shutil.rmtree(tmp_path / "b" / name)
    (tmp_path / "b/.zarray").unlink()
    assert write(tmp_path / "b", FIELD, SHAPE, CHUNKS) == (0, 12)
    dead, alive = (tmp_path / "b/1" / f".0.{name}.perlane-part" for name in ("dead", "alive"))
    dead.write_bytes(b"half")
    alive.write_bytes(b"half")
    with alive.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert write(tmp_path / "b", FIELD, SHAPE, CHUNKS) == (12, 0)
    assert not dead.exists() and alive.exists()
    alive.unlink()
    assert files(tmp_path / "b") == expected


def test_attributes_of_others_and_another_level_stay(tmp_path):
    write(tmp_path, FIELD, SHAPE, CHUNKS, compressor="zlib")
    for name, change in {".zattrs": {"units": "m"}, ".zarray": {"compressor": {"id": "zlib", "level": 9}}}.items():  # fmt: skip
        described = json.loads((tmp_path / name).read_text())
        (tmp_path / name).write_text(json.dumps({**described, **change}))
    fast = (tmp_path / "0/0").read_bytes()
    (tmp_path / "0/0").unlink()
    before = files(tmp_path)
    assert write(tmp_path, FIELD, SHAPE, CHUNKS, compressor="zlib") == (11, 1)
    assert len((tmp_path / "0/0").read_bytes()) < len(fast) and verify(tmp_path) == []
    assert {**files(tmp_path), "0/0": b""} == {**before, "0/0": b""}


def test_options_of_files_are_ignored(tmp_path):
    write(tmp_path, FIELD, SHAPE, CHUNKS)
    text = (tmp_path / ".zattrs").read_text()
    (tmp_path / ".zattrs").write_text(text.replace(" size=", " bigtiff=on compression=lzw crs=EPSG:32633 size="))
    (tmp_path / "1/1").unlink()
    assert verify(tmp_path) == [("1/1", "missing")]
    assert write(tmp_path, FIELD, SHAPE, CHUNKS) == (11, 1) and verify(tmp_path) == []


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


# ---- Verifying ----


@pytest.mark.parametrize("format", [{}, {"compressor": "zlib"}, {"compressor": None},
                                    {"zarr_format": 3, "shards": (64, 96)}])  # fmt: skip
def test_verify_finds_every_fault(format, tmp_path):
    write(tmp_path, FIELD, SHAPE, CHUNKS, **format)
    assert verify(tmp_path) == []
    names = sorted(name for name in chunks_of(tmp_path) if name != "zarr.json")
    other, flipped = names[-2], names[-1]
    (tmp_path / names[0]).unlink()
    shutil.copy(tmp_path / flipped, tmp_path / other)
    damaged = tmp_path / names[1]
    whole = damaged.read_bytes()
    for data in (whole[:-9], whole + b"more", b""):
        damaged.write_bytes(data)
        found = dict(verify(tmp_path, engine=2))
        assert list(found) == [names[0], names[1], other]
        kinds = ("damaged: ", "differs ") if "shards" in format else "damaged: "
        assert found[names[0]] == "missing" and found[names[1]].startswith(kinds)
    assert found[other].startswith("differs from sample (")


def test_verify_compares_samples_beyond_the_edge(tmp_path):
    write(tmp_path, FIELD, SHAPE, CHUNKS, compressor=None)
    corner = bytearray((tmp_path / "3/2").read_bytes())
    corner[-1] = 1
    (tmp_path / "3/2").write_bytes(corner)
    assert verify(tmp_path) == [("3/2", "differs from sample (127, 143) on")]


def test_verify_reports_another_version(tmp_path):
    write(tmp_path, FIELD, SHAPE, CHUNKS)
    described = (tmp_path / ".zattrs").read_text()
    (tmp_path / ".zattrs").write_text(described.replace("perlane=", "perlane=9."))
    with pytest.warns(UserWarning, match=r"perlane 9\..* wrote"):
        assert verify(tmp_path) == []
    with pytest.raises(ValueError, match="holds another map"):
        write(tmp_path, FIELD, SHAPE, CHUNKS)


# ---- Formats, stores and engines ----


@pytest.mark.parametrize("kind", [{}, {"dtype": "uint16", "low": -0.5}, {"dtype": "uint8"}])
@pytest.mark.parametrize("shards", [None, (64, 96)])
@pytest.mark.parametrize("compressor", ["zstd", None])
def test_format_3(kind, shards, compressor, tmp_path):
    arguments = {"zarr_format": 3, "shards": shards, "compressor": compressor, **kind}
    total = 4 if shards else 12
    assert write(tmp_path, FIELD, SHAPE, CHUNKS, **arguments) == (0, total)
    array = zarr.open_array(tmp_path, mode="r")
    assert same(array[...], FIELD.fill(SHAPE, **kind))
    assert (array.chunks, array.shards) == (CHUNKS, shards)
    assert array.metadata.dimension_names == ("y", "x")
    expected = files(tmp_path)
    (tmp_path / "c/1/1").unlink()
    assert verify(tmp_path) == [("c/1/1", "missing")]
    assert write(tmp_path, FIELD, SHAPE, CHUNKS, **arguments) == (total - 1, 1)
    assert files(tmp_path) == expected and verify(tmp_path) == []


def test_layouts_that_cannot_be_are_refused(tmp_path):
    for wrong, match in [
        ({"shards": 64}, "zarr_format: expected 2, or 3"),
        ({"zarr_format": 3, "shards": 50}, "shards: expected multiples"),
        ({"zarr_format": 3, "compressor": "zlib"}, "compressor: expected one of"),
        ({"compressor": "lz4"}, "compressor: expected one of"),
        ({"chunks": 0}, "chunks: expected a whole number"),
        ({"shape": (2**40, 2**20), "chunks": 9}, "more than 2\\^32"),
        ({"shape": (2**20, 2**20), "chunks": 2**16}, "more than 1 GiB"),
        ({"part": (3, 2)}, "part: expected"),
        ({"part": 1}, r"part: expected \(k, n\), not 1"),
        ({"part": (1, 2, 3)}, "part: expected"),
        ({"engine": "thread"}, "engine: expected"),
        ({"window": 0}, "window: expected"),
        ({"dtype": "float64"}, "dtype: expected"),
    ]:
        arguments = {"shape": SHAPE, "chunks": CHUNKS, **wrong}
        with pytest.raises((ValueError, TypeError), match=match):
            write(tmp_path / "a", FIELD, **arguments)
    grid = Field(gradient_grid=np.ones((257, 256, 2)))
    with pytest.raises(ValueError, match="gradient grids of at most 65536 points"):
        write(tmp_path / "a", grid, SHAPE)
    assert not list(tmp_path.iterdir())


def test_object_stores(tmp_path, monkeypatch):
    write(tmp_path, FIELD, SHAPE, 8)
    write("memory://maps/a.zarr", FIELD, SHAPE, 8)
    mapper = fsspec.get_mapper("memory://maps/a.zarr")
    assert dict(mapper) == files(tmp_path)
    del mapper["2/3"]
    assert verify(mapper) == [("2/3", "missing")]
    calls = []
    for name in ("info", "exists", "cat_file", "pipe_file", "_open"):
        call = getattr(MemoryFileSystem, name)
        counted = lambda *args, call=call, **kw: calls.append(1) or call(*args, **kw)  # noqa: E731
        monkeypatch.setattr(MemoryFileSystem, name, counted)
    assert write(mapper, FIELD, SHAPE, 8) == (220, 1)
    assert 0 < len(calls) < 60  # lists what is there, and does not ask for each chunk
    assert dict(mapper) == files(tmp_path)
    assert write(mapper, FIELD, SHAPE, 8, part=(2, 3)) == (74, 0)
    with pytest.raises(ValueError, match="memory is of this process alone"):
        write(mapper, FIELD, SHAPE, 8, engine="processes")
    write(f"file://{tmp_path}/local", FIELD, SHAPE, 8)
    assert files(tmp_path / "local") == dict(mapper)
    with pytest.raises(TypeError, match="store: expected a path"):
        write({}, FIELD, SHAPE)


class Later(Executor):
    """Runs the oldest tasks when a new one comes after `most` are waiting."""

    def __init__(self, most):
        self.waiting, self.most, self.longest = [], most, 0

    def submit(self, call, /, *arguments):
        future = Future()
        self.waiting.append((future, call, arguments))
        self.longest = max(self.longest, len(self.waiting))
        if len(self.waiting) == self.most:
            while self.waiting:
                future_, call, arguments = self.waiting.pop(0)
                future_.set_result(call(*arguments))
        return future


def test_engines_write_the_same(tmp_path):
    write(tmp_path / "a", FIELD, SHAPE, CHUNKS, engine=1)
    later = Later(6)
    for i, engine in enumerate([2, "processes", later]):
        assert write(tmp_path / f"{i}", FIELD, SHAPE, CHUNKS, engine=engine, window=6) == (0, 12)
        assert files(tmp_path / f"{i}") == files(tmp_path / "a")
    assert later.longest == 6  # tasks that wait are never more than the window
    assert verify(tmp_path / "a", engine="processes") == []


@pytest.mark.parametrize("engine", [2, "processes"])
def test_an_error_ends_the_run(engine, tmp_path):
    def fail(done, total):
        raise KeyError(done)

    threads = threading.active_count()
    with pytest.raises(KeyError) as error:
        write(tmp_path, FIELD, (1000, 1000), 20, engine=engine, window=8, progress=fail)
    before = files(tmp_path)
    assert 2 < len(before) <= 2 + 2 * 8 and not any("part" in name for name in before)
    assert (
        threading.active_count() == threads and str(error.value) == "2"
    )  # chunks of the first task
    assert write(tmp_path, FIELD, (1000, 1000), 20) == (len(before) - 2, 2500 - len(before) + 2)


def test_a_process_is_killed(tmp_path):
    def kill(done, total):
        if done == 30:
            os.kill(next(iter(pool._processes)), signal.SIGKILL)

    write(tmp_path / "expected", FIELD, SHAPE, 5)
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, context) as pool, pytest.raises(BrokenProcessPool):
        write(tmp_path / "a", FIELD, SHAPE, 5, engine=pool, window=4, progress=kill)
    present = len(list((tmp_path / "a").rglob("*/[0-9]*")))
    assert 30 <= present < 520
    assert write(tmp_path / "a", FIELD, SHAPE, 5) == (present, 520 - present)
    assert files(tmp_path / "a") == files(tmp_path / "expected")


def test_two_runs_at_the_same_time(tmp_path):
    with ThreadPoolExecutor() as pool:
        runs = [pool.submit(write, tmp_path / "a", FIELD, SHAPE, 5) for _ in range(3)]
    assert all(sum(run.result()) == 520 for run in runs)
    write(tmp_path / "b", FIELD, SHAPE, 5)
    assert files(tmp_path / "a") == files(tmp_path / "b")


def test_many_chunks_are_few_tasks(tmp_path):
    later = Later(8)
    sizes = []
    submit = later.submit
    later.submit = lambda call, *args: (
        sizes.append(len(args[2])) or submit(lambda *args: (len(args[2]), []), *args)
    )
    write(tmp_path, FIELD, (1024, 1024 * 1024), (1, 1024), engine=later, window=8)
    assert sum(sizes) == 1024 * 1024 and set(sizes) == {64} and later.longest == 8


# ---- Groups ----


@pytest.mark.parametrize("zarr_format", [2, 3])
def test_groups_are_opened_by_xarray(zarr_format, tmp_path):
    xarray = pytest.importorskip("xarray")
    place = {"origin": (10, -3), "first": (5, 2**40), "step": (0.1, -0.25)}
    options = {**place, "zarr_format": zarr_format, "name": "height"}
    assert write(tmp_path / "map.zarr", FIELD, SHAPE, CHUNKS, **options) == Written(0, 12)
    wet = FIELD.replace(seed=4)
    write(tmp_path / "map.zarr", wet, SHAPE, CHUNKS, **{**options, "name": "wetness"})
    assert write(tmp_path / "map.zarr", FIELD, SHAPE, CHUNKS, **options) == Written(12, 0)
    assert verify(tmp_path / "map.zarr", name="height") == verify(tmp_path / "map.zarr/wetness") == []
    found = xarray.open_zarr(tmp_path / "map.zarr", consolidated=False)
    for name, field in ("height", FIELD), ("wetness", wet):
        wanted = field.xarray(SHAPE, name=name, **place)
        assert found[name].identical(wanted)
        assert perlane.open_map(found[name]).field == field
        assert perlane.open_map(tmp_path / "map.zarr" / name).origin == (10, -3)
    chunk = "0/1" if zarr_format == 2 else "c/0/1"
    (tmp_path / "map.zarr/height" / chunk).unlink()
    assert [fault.key for fault in verify(tmp_path / "map.zarr", name="height")] == [chunk]
    assert write(tmp_path / "map.zarr", FIELD, SHAPE, CHUNKS, part=(1, 3), **options).written == 1
    with pytest.raises(ValueError, match="is a group of other positions: y/"):
        write(tmp_path / "map.zarr", FIELD, SHAPE, CHUNKS, **{**options, "first": 0, "name": "other"})
    with pytest.raises(ValueError, match="map.zarr holds another map|has other files"):
        write(tmp_path / "map.zarr", FIELD, SHAPE, CHUNKS, zarr_format=zarr_format)
    for call in verify, perlane.open_map:
        with pytest.raises(ValueError, match="one of a group|describes no array"):
            call(tmp_path / "map.zarr")


def test_groups_of_the_command(command):
    there = ["--origin=-3,10", "--first=7,5", "--step=-0.25,0.1", "--quiet"]
    fill = ["fill", "-o", "a.zarr", "--name=height", "--size=130x100", "--chunk=48x32", *there]
    place = {"origin": (10, -3), "first": (5, 7), "step": (0.1, -0.25), "name": "height"}
    write(command.folder / "b.zarr", FIELD, SHAPE, CHUNKS, part=(1, 2), **place)
    assert command(*fill, "--field", FIELD.text) == ""
    assert write(command.folder / "a.zarr", FIELD, SHAPE, CHUNKS, **place) == Written(12, 0)
    command(*[each.replace("a.zarr", "b.zarr") for each in fill], "--field", FIELD.text)
    for part in "--part=2/2", "--part=1/2":
        command(*[each.replace("a.zarr", "c.zarr") for each in fill], part, "--field", FIELD.text)
    chunks = chunks_of(command.folder / "a.zarr/height")
    assert all(chunks_of(command.folder / f"{name}.zarr/height") == chunks for name in "bc")
    for axis in "xy":
        a, b = (command.folder / f"{name}.zarr/{axis}" for name in "ab")
        assert (a / "0").read_bytes() == (b / "0").read_bytes()
    assert "12 equal" in command("verify", "--quiet", "b.zarr/height")
    xarray = pytest.importorskip("xarray")
    found = xarray.open_zarr(command.folder / "a.zarr", consolidated=False)
    assert perlane.open_map(found.height).field == FIELD and found.height.dims == ("y", "x")
    for arguments in (["--step=-0.25,0.2"], ["--name=x"]):
        with pytest.raises(subprocess.CalledProcessError):
            command(*fill, *arguments, "--field", FIELD.text)


def test_groups_in_memory_and_wrong_names(tmp_path):
    write("memory://group.zarr", FIELD, SHAPE, CHUNKS, name="height")
    assert verify("memory://group.zarr", name="height") == verify("memory://group.zarr/height") == []
    for name in "x", "", ".height", "a/b", "höhe", 3.5j:
        with pytest.raises(ValueError, match="name: expected letters"):
            write(tmp_path / "map.zarr", FIELD, SHAPE, CHUNKS, name=name)
    with pytest.raises(ValueError, match="at most 2\\^27 samples"):
        write(tmp_path / "map.zarr", FIELD, (1, 2**28), 1024, name="height")
    (tmp_path / "other").touch()
    with pytest.raises(ValueError, match="has other files and no .zgroup"):
        write(tmp_path, FIELD, SHAPE, CHUNKS, name="height")
