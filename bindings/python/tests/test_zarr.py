# SPDX-License-Identifier: MIT
"""Zarr arrays: written by threads or a cluster, continued, verified, and opened by others."""

import signal
import subprocess
import sys
from pathlib import Path

import fsspec
import numpy as np
import pytest
import rasterio
import xarray
import zarr
from distributed import Client, LocalCluster
from support import same

import perlane
from perlane import Field
from perlane.zarr import Written, verify, write

FIELD = Field(seed=3, frequency=0.05, octaves=3)
SHAPE, CHUNKS = (100, 130), (32, 48)  # 4 x 3 chunks
FORMATS = [
    {},
    {"compressors": None, "dtype": "uint8", "low": 1, "high": 2},  # chunks of zeros alone
    {"zarr_format": 3, "compressors": zarr.codecs.BloscCodec(), "dtype": "uint16", "low": -0.5},
    {"shards": (64, 96), "dtype": "uint8"},
]


def files(folder):
    """Returns {name: bytes} of a folder's files."""
    paths = [path for path in Path(folder).rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


@pytest.mark.parametrize("format", FORMATS, ids=str)
def test_arrays_are_continued_verified_and_opened(format, tmp_path):
    total = 4 if "shards" in format else 12
    assert write(tmp_path, FIELD, SHAPE, CHUNKS, **format) == Written(0, total)
    kind = {name: format[name] for name in ("dtype", "low", "high") if name in format}
    array = zarr.open_array(tmp_path, mode="r")
    assert same(array[...], FIELD.fill(SHAPE, **kind)) and array.chunks == CHUNKS
    expected = files(tmp_path)
    other, damaged, gone, kept = sorted(name for name in expected if name[-1].isdigit())[:4]
    inode = (tmp_path / kept).stat().st_ino
    (tmp_path / gone).unlink()
    (tmp_path / damaged).write_bytes(expected[damaged][:-9])
    changed = Field(seed=4).fill(SHAPE)[:8, :8].astype(array.dtype) + 1
    zarr.open_array(tmp_path, mode="r+")[5:9, 7:11] = changed[:4, :4]
    found = dict(verify(tmp_path, threads=2))
    assert list(found) == [other, damaged, gone] and found[gone] == "missing"
    assert found[damaged].startswith(("damaged: ", "differs "))  # Blosc does not check its input
    assert found[other] == "differs from sample (5, 7) on"
    for name in damaged, other:
        (tmp_path / name).unlink()
    seen = []
    progress = lambda *counts: seen.append(counts)  # noqa: E731
    again = {name: value for name, value in format.items() if name != "zarr_format"}  # the store has one
    written = write(tmp_path, FIELD, SHAPE, CHUNKS, progress=progress, **again)
    assert written == Written(total - 3, 3) and seen[-1] == (total, total)
    assert files(tmp_path) == expected and verify(tmp_path) == []
    assert (tmp_path / kept).stat().st_ino == inode  # it was not written again


def test_a_killed_run_leaves_whole_chunks_and_is_continued(tmp_path):
    program = """
import os, sys, perlane
kill = lambda done, total: done < 9 or os.kill(os.getpid(), 9)
perlane.zarr.write(sys.argv[1], perlane.Field(sys.argv[2]), (2000, 2000), 128, progress=kill)
"""
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path), FIELD.text])
    assert done.returncode == -signal.SIGKILL
    inodes = {path: path.stat().st_ino for path in tmp_path.rglob("*/*") if path.name.isdigit()}
    missing = verify(tmp_path)
    assert {problem for _, problem in missing} == {"missing"} and 9 <= len(inodes)
    written = write(tmp_path, FIELD, (2000, 2000), 128)
    assert written == Written(len(inodes), len(missing)) and sum(written) == 256
    assert {path: path.stat().st_ino for path in inodes} == inodes and verify(tmp_path) == []


def test_an_interrupt_ends_a_run(tmp_path):
    def interrupt(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(tmp_path, FIELD, (1000, 1000), 50, threads=2, progress=interrupt)
    assert 0 < len(files(tmp_path)) < 100 and len(verify(tmp_path)) > 300


def test_parts_make_the_whole(tmp_path):
    written = [write(tmp_path, FIELD, SHAPE, CHUNKS, part=(k, 5)) for k in (4, 1, 5, 3, 2)]
    assert sorted(each.written for each in written) == [2, 2, 2, 3, 3] and verify(tmp_path) == []
    (tmp_path / "1/1").unlink()  # the fifth
    assert [len(verify(tmp_path, part=(k, 12))) for k in (4, 5, 6)] == [0, 1, 0]


def test_other_maps_and_folders_are_left_alone(tmp_path):
    write(tmp_path / "a", FIELD, SHAPE, CHUNKS)
    zarr.open_array(tmp_path / "a", mode="r+").attrs["units"] = "m"  # which may stay
    (tmp_path / "a/0/0").unlink()
    before = files(tmp_path / "a")
    for change in (
        {"seed": 4}, {"shape": (100, 131)}, {"chunks": 32}, {"dtype": "uint8"}, {"step": 2},
        {"compressors": None}, {"first": 1}, {"origin": 0.5}, {"zarr_format": 3}, {"name": "b"},
        {"shards": (64, 48)},
    ):  # fmt: skip
        arguments = {"shape": SHAPE, "chunks": CHUNKS, **change}
        field = Field(FIELD.text, seed=arguments.pop("seed", 3))
        with pytest.raises(ValueError, match="take another name"):
            write(tmp_path / "a", field, **arguments)
    assert files(tmp_path / "a") == before
    assert write(tmp_path / "a", FIELD, SHAPE, CHUNKS) == Written(11, 1)
    with pytest.raises(ValueError, match="holds something else, a; take another name"):
        write(tmp_path, FIELD, SHAPE)
    zarr.create_array(tmp_path / "other", shape=SHAPE, dtype="f4")
    for call in (verify, lambda path: write(path, FIELD, SHAPE, zarr_format=3)):
        with pytest.raises(ValueError, match="no attribute 'perlane'"):
            call(tmp_path / "other")
    for call in verify, perlane.open_map:
        with pytest.raises(ValueError, match="there is no Zarr array"):
            call(tmp_path)


def test_arguments_are_checked_before_anything_is_written(tmp_path):
    for wrong in (
        {"zarr_format": 4}, {"part": (3, 2)}, {"part": 3}, {"chunks": 0}, {"name": "a/b"}, {"name": "x"},
        {"dtype": "float64"}, {"shards": 50}, {"zarr_format": 2, "shards": (64, 96)}, {"frist": 1},
        {"threads": -1},
    ):  # fmt: skip
        with pytest.raises((ValueError, TypeError), match=list(wrong)[-1].rstrip("s")):
            write(tmp_path / "a", FIELD, **{"shape": SHAPE, "chunks": CHUNKS, **wrong})
    assert not list(tmp_path.iterdir())


def test_object_stores(tmp_path):
    write(tmp_path, FIELD, SHAPE, CHUNKS)
    url, files_there = "memory://a.zarr", fsspec.get_mapper("memory://a.zarr")
    write(url, FIELD, SHAPE, CHUNKS)
    del files_there["2/1"]
    assert verify(url) == [("2/1", "missing")] and perlane.open_map(url).field == FIELD
    store = zarr.storage.FsspecStore.from_url(url)
    assert write(store, FIELD, SHAPE, CHUNKS) == (11, 1) and dict(files_there) == files(tmp_path)


@pytest.mark.parametrize("zarr_format", [2, 3])
def test_groups_are_opened_by_xarray_and_arrays_by_gdal(zarr_format, tmp_path):
    place = {"origin": (10, -3), "first": (5, 2**40), "step": (0.1, -0.25)}
    options = {**place, "zarr_format": zarr_format}
    path, wet = tmp_path / "map.zarr", FIELD.replace(seed=4)
    assert write(path, FIELD, SHAPE, CHUNKS, name="height", **options) == Written(0, 12)
    write(path, wet, SHAPE, CHUNKS, name="wetness", dtype="uint8", **options)
    assert write(path, FIELD, SHAPE, CHUNKS, name="height", **options) == Written(12, 0)
    assert verify(path, name="height") == verify(path / "wetness") == []
    found = xarray.open_zarr(path, consolidated=True)
    assert found.height.identical(FIELD.xarray(SHAPE, name="height", **place))
    wetness = wet.xarray(SHAPE, name="wetness", dtype="uint8", **place)
    levels = xarray.open_zarr(path, mask_and_scale=False).wetness
    assert levels.equals(wetness) and levels.attrs == wetness.attrs
    assert np.abs(found.wetness - wet.xarray(SHAPE, **place)).max() <= 1 / 255  # half a level
    assert perlane.open_map(found.wetness) == perlane.open_map(levels)
    with pytest.raises(ValueError, match="is a group of other positions: y/"):
        write(path, FIELD, SHAPE, CHUNKS, **{**options, "first": 0, "name": "other"})
    assert not (path / "other").exists()
    if zarr_format == 2:
        with rasterio.open(path / "wetness") as opened:
            assert same(opened.read(1), wet.fill(SHAPE, dtype="uint8", **place))


def test_a_cluster_writes_the_same(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write("whole", FIELD, (1000, 1000), 50)
    # Workers that are processes are those of docs/scale.md.
    with LocalCluster(2, processes=False, dashboard_address=None) as c, Client(c) as client:
        assert write("a", FIELD, (1000, 1000), 50, client=client) == Written(0, 400)
        assert files("a") == files("whole")
        Path("a/3/7").unlink()
        assert verify("a", client=client) == [("3/7", "missing")]
        with pytest.raises(RuntimeError, match="a store that the client's workers share"):
            write(zarr.storage.MemoryStore(), FIELD, SHAPE, client=client)
