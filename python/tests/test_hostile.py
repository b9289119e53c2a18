# SPDX-License-Identifier: MIT
"""Arrays that are not what they seem: nothing may take more memory than their chunks, or wait.

What could is run in a process of its own, whose memory is limited.
"""

import errno
import json
import os
import resource
import subprocess
import sys
import zlib
from pathlib import Path

import fsspec
import google_crc32c
import numpy as np
import perlane._store
import pytest
from fsspec.implementations.memory import MemoryFileSystem
from perlane._layout import Layout, layout_of
from perlane._stored import parse_json

from perlane import Field
from perlane.zarr import verify, write

FIELD = Field(seed=3, frequency=0.05, octaves=3)
SHAPE, CHUNKS = (100, 130), (32, 48)  # 4 x 3 chunks
MEMORY = 1 << 30


def limited(program, *arguments):
    """Runs a program that has little memory; returns what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", f"import json, perlane.zarr, sys\n{program}", *map(str, arguments)],
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
        text=True,
        capture_output=True,
        timeout=500,  # for what would wait for ever
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def verify_limited(folder):
    return dict(limited("print(json.dumps(perlane.zarr.verify(sys.argv[1])))", folder))


# ---- Chunks ----


def zstd_bomb(size, is_declared):
    """Returns a frame of `size` zeros; one that does not declare it is unpacked as a stream."""
    block = (131072 << 3 | 1 << 1).to_bytes(3, "little") + b"\0"
    header = b"\xe0" + size.to_bytes(8, "little") if is_declared else b"\x00\x58"
    return b"\x28\xb5\x2f\xfd" + header + block * (size // 131072) + b"\x01\0\0"


def zlib_bomb(size):
    packer = zlib.compressobj()
    begin = packer.flush(zlib.Z_FULL_FLUSH)
    piece = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    return begin + piece * (size >> 20) + packer.flush()


def shard(pieces):
    """Returns a shard of these chunks; numbers instead are an offset and a size."""
    data, index = b"", []
    for piece in pieces:
        is_piece = isinstance(piece, bytes)
        index += [len(data), len(piece)] if is_piece else piece
        data += piece if is_piece else b""
    end = np.array(index, "<u8").tobytes()
    return data + end + google_crc32c.value(end).to_bytes(4, "little")


HUGE = 1 << 33
BOMBS = [
    ({}, [zstd_bomb(HUGE, True), zstd_bomb(HUGE, False), zstd_bomb(0, False)]),
    ({"compressor": "zlib"}, [zlib_bomb(HUGE)]),
    ({"zarr_format": 3}, [zstd_bomb(HUGE, True), zstd_bomb(HUGE, False)]),
    (
        {"zarr_format": 3, "shards": (64, 48)},
        [
            shard([zstd_bomb(HUGE, True)] * 2),
            shard([zstd_bomb(HUGE, False)] * 2),
            shard([[2**64 - 1, 2**64 - 1]] * 2),
            shard([[0, 1 << 40], [2**63, 8]]),
        ],
    ),
]


@pytest.mark.parametrize(("format", "bombs"), BOMBS, ids=["zstd", "zlib", "format 3", "shards"])
def test_bombs_take_no_memory(format, bombs, tmp_path):
    write(tmp_path, FIELD, SHAPE, CHUNKS, **format)
    prefix = "c/" if "zarr_format" in format else ""
    names = [f"{prefix}{i % 2}/{i // 2}" for i in range(len(bombs))]
    for name, bomb in zip(names, bombs):
        (tmp_path / name).write_bytes(bomb)
    found = verify_limited(tmp_path)
    assert sorted(found) == sorted(names)
    for problem in found.values():  # a lack of memory has no text, or this one
        assert problem.startswith("damaged: ") and problem[9:] and "allocate" not in problem


def test_a_chunk_must_fill_its_samples():
    """A frame of fewer samples must not leave what the memory had: perhaps the right ones."""
    samples = np.zeros((32, 48), np.float32)
    for compressor in ("zstd", "zlib", None):
        layout = layout_of(FIELD, FIELD._samples(SHAPE), CHUNKS, None, compressor, 2)
        assert layout.unpack(layout.pack(samples)).tobytes() == samples.tobytes()
        for other in (samples[:-1], np.zeros((33, 48), np.float32), samples[:0]):
            with pytest.raises(Exception, match="less|small|end|invalid|reshape"):
                layout.unpack(layout.pack(np.ascontiguousarray(other)))


def test_a_shard_with_a_wrong_index_is_damaged(tmp_path):
    write(tmp_path, FIELD, SHAPE, CHUNKS, zarr_format=3, shards=(64, 48))
    data = (tmp_path / "c/0/0").read_bytes()
    # The last one has the right checksum of an index without entries.
    for wrong in (data[:-1] + bytes([data[-1] ^ 1]), data[1:], data[-9:], b"", bytes(4)):
        (tmp_path / "c/0/0").write_bytes(wrong)
        ((name, problem),) = verify(tmp_path)
        assert name == "c/0/0" and problem.startswith("damaged: "), wrong


KINDS = {
    "a device": (lambda path: path.symlink_to("/dev/zero"), "not a regular file"),
    "a fifo": (lambda path: os.mkfifo(path), "not a regular file"),
    "a folder": (lambda path: path.mkdir(), "Is a directory"),
    "a link to nothing": (lambda path: path.symlink_to("nothing"), "a link to nothing"),
    "a loop": (lambda path: path.symlink_to(path.name), "symbolic links"),
    "a hole": (lambda path: path.open("wb").truncate(HUGE), "more than 7936 bytes"),
}


def test_files_that_are_no_chunks(tmp_path):
    write(tmp_path, FIELD, SHAPE, CHUNKS)
    names = [f"{i % 4}/{i // 4}" for i in range(len(KINDS))]
    for name, (make, _) in zip(names, KINDS.values()):
        (tmp_path / name).unlink()
        make(tmp_path / name)
    (tmp_path / "3/2").unlink()
    (tmp_path / "copy").write_bytes((tmp_path / "2/2").read_bytes())
    (tmp_path / "2/2").unlink()
    (tmp_path / "2/2").symlink_to(tmp_path / "copy")
    os.mkfifo(tmp_path / "0/.0.dead.perlane-part")
    os.mkfifo(tmp_path / ".0.dead.perlane-part")
    (tmp_path / "1/.0.dead.perlane-part").symlink_to("/dev/zero")
    found = verify_limited(tmp_path)
    assert sorted(found) == sorted([*names, "3/2"]) and found.pop("3/2") == "missing"
    for name, (_, problem) in zip(names, KINDS.values()):
        assert found[name].startswith("damaged: ") and problem in found[name]
    with pytest.raises(IsADirectoryError, match=names[2]):  # names what is in the way
        write(tmp_path, FIELD, SHAPE, CHUNKS)
    (tmp_path / names[2]).rmdir()
    program = (
        "field = perlane.Field(sys.argv[2])\n"
        f"print(json.dumps(perlane.zarr.write(sys.argv[1], field, {SHAPE}, {CHUNKS})))"
    )
    assert sum(limited(program, tmp_path, FIELD.text)) == 12
    (left,) = tmp_path.rglob("*.perlane-part")
    assert left.is_symlink()


def test_a_file_in_place_of_a_folder(tmp_path):
    write(tmp_path, FIELD, SHAPE, 128)
    (tmp_path / "0/0").unlink()
    (tmp_path / "0/1").unlink()
    (tmp_path / "0").rmdir()
    (tmp_path / "0").write_text("no folder")
    assert verify(tmp_path) == [(f"0/{i}", "damaged: Not a directory") for i in (0, 1)]
    with pytest.raises(NotADirectoryError, match="/0"):
        write(tmp_path, FIELD, SHAPE, 128)


@pytest.mark.parametrize("change", [-9, 9])
def test_a_chunk_changes_while_it_is_read(change, tmp_path, monkeypatch):
    def fstat(file):
        status = stat_(file)
        os.truncate(tmp_path / "0", 400 + change)
        return status

    write(tmp_path, FIELD, (100,), 100, compressor=None)
    stat_ = os.fstat
    monkeypatch.setattr(perlane._store.os, "fstat", fstat)
    store = perlane._store.store_of(tmp_path)
    assert len(store.get("0", 1 << 20)) == 400 + (change if change < 0 else 1)


def test_links_that_stand_for_folders_are_refused(tmp_path):
    write(tmp_path / "a", FIELD, SHAPE, CHUNKS)
    (tmp_path / "a/2").rename(tmp_path / "elsewhere")
    (tmp_path / "a/2").symlink_to(tmp_path / "elsewhere")
    for name in ("1", ".1.dead.perlane-part"):
        (tmp_path / "elsewhere" / name).write_text("mine")
    before = sorted(tmp_path.rglob("*"))
    problem = f"a link is in the place of a folder of chunks: {tmp_path}/a/2"
    for part in ((1, 1), (3, 4)):
        with pytest.raises(ValueError, match=problem):
            write(tmp_path / "a", FIELD, SHAPE, CHUNKS, part=part)
    assert before == sorted(tmp_path.rglob("*"))
    found = verify(tmp_path / "a")  # which only reads
    assert [key for key, _ in found] == ["2/1"] and (tmp_path / "elsewhere/1").read_text() == "mine"
    (tmp_path / "link").symlink_to(tmp_path / "a")  # but the array itself may be anywhere
    (tmp_path / "a/2").unlink()
    assert write(tmp_path / "link", FIELD, SHAPE, CHUNKS) == (9, 3)


def test_deep_folders_are_not_listed(tmp_path):
    write(tmp_path, FIELD, SHAPE, CHUNKS)
    os.chdir(tmp_path)
    try:
        for _ in range(sys.getrecursionlimit() + 9):
            os.mkdir("9")
            os.chdir("9")
        os.chdir(tmp_path)
        assert write(tmp_path, FIELD, SHAPE, CHUNKS) == (12, 0)
    finally:
        os.chdir("/")
        subprocess.run(["rm", "-rf", tmp_path / "9"], check=True)  # too deep for shutil


def test_objects_are_bounded(tmp_path, monkeypatch):
    write("memory://hostile.zarr", FIELD, SHAPE, CHUNKS)
    mapper = fsspec.get_mapper("memory://hostile.zarr")
    mapper["0/0"], mapper["0/1"] = bytes(1 << 20), b""
    ends = []
    read = MemoryFileSystem.cat_file

    def cat_file(self, path, start=None, end=None):
        ends.append(end)
        if self.size(path) == 0:
            raise OSError("416: Requested Range Not Satisfiable")
        return read(self, path, start, end)

    monkeypatch.setattr(MemoryFileSystem, "cat_file", cat_file)
    found = dict(verify(mapper))
    assert list(found) == ["0/0", "0/1"] and "more than" in found["0/0"]
    assert found["0/1"].startswith("damaged: ")
    assert len(ends) == 15 and None not in ends and sum(end < 1 << 14 for end in ends) == 12

    def fail(self, path, start=None, end=None):
        raise ConnectionError("no network")

    monkeypatch.setattr(MemoryFileSystem, "cat_file", fail)
    with pytest.raises(ConnectionError):  # which is no fault of the array's
        verify(mapper)


def test_a_lack_of_descriptors_is_no_damage(tmp_path, monkeypatch):
    usual = os.open

    def limited_open(path, *others):
        if path.endswith("1"):
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE), path)
        return usual(path, *others)

    write(tmp_path, FIELD, SHAPE, CHUNKS)
    monkeypatch.setattr(os, "open", limited_open)
    with pytest.raises(OSError, match="Too many open files"):
        verify(tmp_path, engine=1)


def test_a_lack_of_memory_is_no_damage(tmp_path, monkeypatch):
    def fail(*_):
        raise MemoryError

    write(tmp_path, FIELD, SHAPE, CHUNKS)
    monkeypatch.setattr(Layout, "unpack", fail)
    with pytest.raises(MemoryError):
        verify(tmp_path)


# ---- Many chunks ----


def describe(folder, shape, chunks):
    """Makes an array that has no chunks."""
    Path(folder).mkdir()
    layout = layout_of(FIELD, FIELD._samples(shape), chunks, None, None, 2)
    for name, value in layout.describe().items():
        (Path(folder) / name).write_text(json.dumps(value))


def test_many_missing_chunks_take_little_memory(tmp_path):
    describe(tmp_path / "a", (65536, 65536), 1)
    program = """
import warnings
perlane.zarr._MAX_FAULTS = 1000
with warnings.catch_warnings(record=True) as caught:
    found = perlane.zarr.verify(sys.argv[1])
print(json.dumps([len(found), [str(each.message) for each in caught]]))
"""
    count, warned = limited(program, tmp_path / "a")
    assert count == 1000 and len(warned) == 1 and "has 1000 faults" in warned[0]
    describe(tmp_path / "b", (16384, 16384), 1)
    program = """
def stop(*done):
    raise KeyError(done)
try:
    perlane.zarr.write(sys.argv[1], perlane.Field(sys.argv[2]), (16384, 16384), 1,
                       compressor=None, engine=1, window=1, progress=stop)
except KeyError as error:
    print(json.dumps(error.args[0]))
"""
    assert limited(program, tmp_path / "b", FIELD.text) == [64, 16384 * 16384]


# ---- Descriptions ----

DEEP = "[" * 100_000 + "]" * 100_000
TEXTS = {
    "nothing": "",
    "no text": "\0",
    "no UTF-8": b"\xff",
    "UTF-16": "{}".encode("utf-16"),
    "a number": "1",
    "a list": "[]",
    "null": "null",
    "deep": DEEP,
    "33 deep": '{"a": ' + "[" * 33 + "0" + "]" * 33 + "}",
    "long": " " * (8 << 20) + "{}",
    "digits": '{"a": ' + "9" * 1_000_000,
}  # fmt: skip
CHANGES = [  # of values in descriptions
    (".zarray", "chunks", [*CHUNKS, 1]), (".zarray", "chunks", "32"), (".zarray", "chunks", {}),
    (".zarray", "chunks", [1e999, 48]), (".zarray", "chunks", [-32, 48]), (".zarray", "chunks", []),
    (".zarray", "chunks", [2**30, 2**30]), (".zarray", "chunks", [10**30, 1]),
    (".zarray", "compressor", {}), (".zarray", "compressor", True), (".zarray", "compressor", "zstd"),
    (".zarray", "compressor", {"id": [], "level": 1}), (".zarray", "compressor", {"id": "zstd", "level": {}}),
    (".zarray", "compressor", {"id": "zstd", "level": 1e999}), (".zarray", "compressor", {"id": "zstd", "level": "1"}),
    (".zarray", "shape", [10**30, 1]), (".zarray", "shape", None), (".zarray", "shape", [float("nan"), 130]),
    (".zarray", "zarr_format", True), (".zarray", "dtype", ["<f4"]), (".zarray", "order", {}),
    (".zattrs", "perlane", 7), (".zattrs", "perlane", None), (".zattrs", "perlane", "x" * 1_000_000),
    (".zattrs", "perlane", ["perlane=0.5.0"]),
]  # fmt: skip


def test_descriptions_are_refused_by_name(tmp_path):
    cases = []
    for name in (".zarray", ".zattrs", "zarr.json"):
        for case, text in {**TEXTS, **KINDS}.items():
            folder = tmp_path / f"{name} {case}"
            write(folder, FIELD, SHAPE, 128, zarr_format=3 if name == "zarr.json" else 2)
            file = folder / name
            if isinstance(text, tuple):
                file.unlink()
                text[0](file)
            else:
                file.write_bytes(text if isinstance(text, bytes) else text.encode())
            cases.append(str(folder))
    for i, (name, key, value) in enumerate(CHANGES):
        folder = tmp_path / f"{name} {i}"
        write(folder, FIELD, SHAPE, 128)
        document = json.loads((folder / name).read_text())
        (folder / name).write_text(json.dumps({**document, key: value}))
        cases.append(str(folder))
    program = """
field, outcomes = perlane.Field(sys.argv[1]), []
for folder in sys.argv[2:]:
    format = 3 if "zarr.json" in folder else 2
    for call in (lambda: perlane.zarr.verify(folder),
                 lambda: perlane.zarr.write(folder, field, (100, 130), 128, zarr_format=format)):
        try:
            outcomes.append(str(call()))
        except ValueError as error:
            outcomes.append(error.args[0] if folder in error.args[0] else repr(error))
        except Exception as error:
            outcomes.append(repr(error)[:99])
print(json.dumps(outcomes))
"""
    outcomes = limited(program, FIELD.text, *cases)
    refusals = [outcome for outcome in outcomes if str(tmp_path) in outcome]
    assert refusals == outcomes and len(refusals) == 2 * len(cases)
    described = [(case, said) for case, said in zip(cases, outcomes[::2])]
    for case, said in described:
        name = Path(case).name
        if name.partition(" ")[2] in {**TEXTS, **KINDS}:
            problem = "cannot read" if "a number" not in name and "a list" not in name else ""
            assert problem in said or "null" in name or "describes no" in said, (case, said)


def test_values_have_their_type(tmp_path):
    write(tmp_path, FIELD, (1, 1), 1)
    for name in ("shape", "chunks"):
        before = (tmp_path / ".zarray").read_text()
        (tmp_path / ".zarray").write_text(json.dumps({**json.loads(before), name: [True, 1]}))
        for call in (lambda: verify(tmp_path), lambda: write(tmp_path, FIELD, (1, 1), 1)):
            with pytest.raises(ValueError, match="expected a whole number|holds another map"):
                call()
        (tmp_path / ".zarray").write_text(before)


@pytest.mark.parametrize("name", [".zarray", ".zattrs", "zarr.json"])
def test_keys_that_come_twice_are_refused(name, tmp_path):
    format = 3 if name == "zarr.json" else 2
    write(tmp_path, FIELD, SHAPE, CHUNKS, zarr_format=format)
    text = (tmp_path / name).read_text()
    value = json.loads(text)
    key = next(iter(value))
    inner = f'"other": {{"{key}": 1, "\\u{ord(key[0]):04x}{key[1:]}": 2}}'
    for added in (f'"{key}": {json.dumps(value[key])}', inner):
        (tmp_path / name).write_text(text.rstrip("}\n") + f", {added}}}")
        problem = rf"{name}: an object has the key '{key}' twice"
        for call in (lambda: verify(tmp_path), lambda: write(tmp_path, FIELD, SHAPE, CHUNKS, zarr_format=format)):  # fmt: skip
            with pytest.raises(ValueError, match=problem):
                call()


def test_json_of_others_is_read():
    assert parse_json('{"a": NaN, "b": [1.5, {"c": null}]}')["b"] == [1.5, {"c": None}]
    assert parse_json("[" * 32 + "0" + "]" * 32) and parse_json("[" * 32 + "{}" + "]" * 32)
    assert parse_json(str(2**63)) == 2**63 and parse_json("9" * 500) == np.inf
