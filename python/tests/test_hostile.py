# SPDX-License-Identifier: MIT
"""Arrays that are not what they seem: nothing may take more memory than their chunks, or wait.

What could is run in a process of its own, whose memory is limited. proof/hostile damages arrays at
random.
"""

import json
import os
import resource
import subprocess
import sys
import zlib

import google_crc32c
import numpy as np
import pytest

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
BOMBS = {
    "zstd": ({}, [zstd_bomb(HUGE, True), zstd_bomb(HUGE, False), zstd_bomb(0, False)]),
    "zlib": ({"compressor": "zlib"}, [zlib_bomb(HUGE)]),
    "shards": (
        {"zarr_format": 3, "shards": (64, 48)},
        [
            shard([zstd_bomb(HUGE, True)] * 2),
            shard([zstd_bomb(HUGE, False)] * 2),
            shard([[2**64 - 1, 2**64 - 1]] * 2),
            shard([[0, 1 << 40], [2**63, 8]]),
        ],
    ),
}
KINDS = {
    "a device": (lambda path: path.symlink_to("/dev/zero"), "not a regular file"),
    "a fifo": (lambda path: os.mkfifo(path), "not a regular file"),
    "a folder": (lambda path: path.mkdir(), "Is a directory"),
    "a link to nothing": (lambda path: path.symlink_to("nothing"), "a link to nothing"),
    "a loop": (lambda path: path.symlink_to(path.name), "symbolic links"),
    "a hole": (lambda path: path.open("wb").truncate(HUGE), "more than 7936 bytes"),
}


def test_bombs_take_no_memory(tmp_path):
    names = {}
    for kind, (format, bombs) in BOMBS.items():
        write(tmp_path / kind, FIELD, SHAPE, CHUNKS, **format)
        prefix = "c/" if "zarr_format" in format else ""
        names[kind] = [f"{prefix}{i % 2}/{i // 2}" for i in range(len(bombs))]
        for name, bomb in zip(names[kind], bombs):
            (tmp_path / kind / name).write_bytes(bomb)
    program = "print(json.dumps([perlane.zarr.verify(folder) for folder in sys.argv[1:]]))"
    found = limited(program, *(tmp_path / kind for kind in BOMBS))
    for wanted, faults in zip(names.values(), found):
        assert sorted(name for name, _ in faults) == sorted(wanted)
        for _, problem in faults:  # a lack of memory has no text, or this one
            assert problem.startswith("damaged: ") and problem[9:] and "allocate" not in problem


def test_files_that_are_no_chunks(tmp_path):
    write(tmp_path, FIELD, SHAPE, CHUNKS)
    names = [f"{i % 4}/{i // 4}" for i in range(len(KINDS))]
    for name, (make, _) in zip(names, KINDS.values()):
        (tmp_path / name).unlink()
        make(tmp_path / name)
    os.mkfifo(tmp_path / "0/.0.dead.perlane-part")
    (tmp_path / "1/.0.dead.perlane-part").symlink_to("/dev/zero")
    found = dict(limited("print(json.dumps(perlane.zarr.verify(sys.argv[1])))", tmp_path))
    assert sorted(found) == sorted(names)
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


def test_links_that_stand_for_folders_are_refused(tmp_path):
    write(tmp_path / "a", FIELD, SHAPE, CHUNKS)
    (tmp_path / "a/2").rename(tmp_path / "elsewhere")
    (tmp_path / "a/2").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere/1").write_text("mine")
    problem = f"a link is in the place of a folder of chunks: {tmp_path}/a/2"
    with pytest.raises(ValueError, match=problem):
        write(tmp_path / "a", FIELD, SHAPE, CHUNKS)
    assert (tmp_path / "elsewhere/1").read_text() == "mine"
    (tmp_path / "link").symlink_to(tmp_path / "a")  # but the array itself may be anywhere
    (tmp_path / "a/2").unlink()
    assert write(tmp_path / "link", FIELD, SHAPE, CHUNKS) == (9, 3)


TEXTS = {
    "nothing": b"",
    "UTF-16": "{}".encode("utf-16"),
    "a list": b"[]",
    "deep": b"[" * 100_000 + b"]" * 100_000,
    "long": b" " * (8 << 20) + b"{}",
    "digits": b'{"a": ' + b"9" * 1_000_000,
    "twice": b'{"a": 1, "\\u0061": 2}',
    "infinite": b'{"chunks": [1e999, 48]}',
}


def test_descriptions_are_refused_by_name(tmp_path):
    cases = []
    for name in (".zarray", ".zattrs", "zarr.json"):
        for case, text in {**TEXTS, **KINDS}.items():
            folder = tmp_path / f"{name} {case}"
            write(folder, FIELD, SHAPE, 128, zarr_format=3 if name == "zarr.json" else 2)
            if isinstance(text, tuple):
                (folder / name).unlink()
                text[0](folder / name)
            else:
                (folder / name).write_bytes(text)
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
            outcomes.append(error.args[0])
        except Exception as error:
            outcomes.append(repr(error)[:99])
print(json.dumps(outcomes))
"""
    outcomes = limited(program, FIELD.text, *cases)
    assert len(outcomes) == 2 * len(cases)
    assert [said for said in outcomes if str(tmp_path) not in said] == []
