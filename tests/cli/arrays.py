#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of .zarr arrays: arrays.py PERLANE WORK.

What other programs read of them, runs that end in every way and are continued, parts, and
`perlane verify`. proof/hostile damages arrays at random. It needs zarr and xarray, GDAL's programs and
GNU parallel.
"""

import fcntl
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

import numpy as np
import xarray
import zarr

from command import (PERLANE, ROOT, check, listing, on_small_disk, read, refused, run, run_steps, start,
                     tree, without_override, words, write)

SEED = int(os.environ.get("PERLANE_TEST_SEED", "1"))
KILLS = 10


def fill(folder, line=""):
    return run(f"fill -o {folder} {line}")


def is_chunk(name):
    return all(part.isdigit() for part in name.split("/"))


def verified(name, folder, chunks, line=""):
    done = run(f"verify {folder} {line}")
    check(name, done.status == 0 and done.out.decode() ==
          f"{folder}: {chunks} chunks: {chunks} equal, 0 different, 0 damaged, 0 missing\n", done)


# ---- What other programs read ----


def gdal_slices(folder, shape, dtype):
    """The array as GDAL reads it: by slices of two axes, those of one axis as rows."""
    name = os.path.splitext(os.path.basename(folder))[0]
    planes = []
    for index in np.ndindex(*shape[:-2]):
        source = folder if len(shape) < 3 else 'ZARR:"%s":/%s:%s' % (folder, name, ":".join(map(str, index)))
        subprocess.run(["gdal_translate", "-q", "-of", "ENVI", source, "plane.bin"], check=True)
        planes.append(np.fromfile("plane.bin", dtype))
    for file in ("plane.bin", "plane.hdr", "plane.bin.aux.xml"):
        if os.path.exists(file):
            os.remove(file)
    return np.concatenate(planes).reshape(shape)


def readers():
    for size, chunk in ("1000", "300"), ("300x200", "64x300"), ("7x6x3x2", "4x3x2x2"):
        for bits, dtype, compression in (8, "|u1", "none"), (16, "<u2", "zlib"), (32, "<f4", "zstd"):
            shape = tuple(map(int, reversed(size.split("x"))))
            axes = list("wzyx"[-len(shape):])
            options = f"--size {size} --axes {len(shape)} --bits {bits} --octaves 3 --frequency 0.05"
            options += " --first " + ",".join(["-5"] * len(shape))
            fill("map.npy", options)
            want = np.load("map.npy").tobytes()
            done = fill("map.zarr", f"--chunk {chunk} --compression {compression} {options}")
            check(f"writes {size} of {bits} bits, {compression}, chunks of {chunk}", done.status == 0, done.err)
            array = zarr.open_array("map.zarr", mode="r")
            check("zarr reads it", array.dtype == np.dtype(dtype) and array.shape == shape and
                  array[...].tobytes() == want)
            check("its description", array.attrs["_ARRAY_DIMENSIONS"] == axes and
                  array.attrs["perlane"].startswith("perlane=") and
                  (bits == 32 and np.isnan(array.fill_value) or
                   (array.attrs["low"], array.attrs["high"]) == (-1, 1)), dict(array.attrs))
            check("GDAL reads it", gdal_slices("map.zarr", shape, dtype).tobytes() == want)
            verified("verify", "map.zarr", sum(map(is_chunk, tree("map.zarr"))))
            shutil.rmtree("map.zarr")
            done = fill("group.zarr", f"--name height --chunk {chunk} {options}")
            with xarray.open_zarr("group.zarr", consolidated=False, mask_and_scale=False) as opened:
                height = opened["height"]
                check("xarray reads it in a group, and its positions", height.dims == tuple(axes) and
                      height.values.tobytes() == want and
                      all((opened[a] == np.arange(-5, n - 5)).all() for a, n in zip(axes, shape)), done.err)
            shutil.rmtree("group.zarr")


def layout():
    """Whole chunks, with zeros beyond the edges; nothing depends on threads."""
    options = SMALL + " --compression none"
    fill("a.zarr", "--threads 1 " + options)
    fill("b.zarr", "--threads 3 " + options)
    files = tree("a.zarr")
    check("the same files by any number of threads", files == tree("b.zarr"))
    check("their names", sorted(files) == sorted(
        [".zarray", ".zattrs"] + [f"{y}/{x}" for y in range(3) for x in range(4)]), files.keys())
    corner = np.frombuffer(files["2/3"], "<f4").reshape(32, 32)
    check("zeros beyond the edges", corner[:6, :4].all() and not corner[6:].any() and not corner[:, 4:].any())
    done = run("fill -o again.npy --params-of a.zarr")
    check("an array carries its options", done.status == 0 and
          np.array_equal(np.load("again.npy"), zarr.open_array("a.zarr", mode="r")[...]))
    check("also for points", run("points --params-of a.zarr/.zattrs", text="3 4\n").status == 0)
    for size, sides in (("3M", [1 << 20]), ("2k", [1024, 1024]), ("200x200x130", [128, 128, 128])):
        done = fill(f"{size}.zarr", f"--size {size} --axes {len(sides)} --bits 8 --frequency 1e-6")
        check("usual chunks of " + size, json.loads(read(f"{size}.zarr/.zarray"))["chunks"] == sides, done.err)


# ---- Runs that end early ----

SMALL = "--size 100x70 --chunk 32"
MAP = "--size 3000x2500 --chunk 100 --octaves 8 --frequency 0.002 --bits 16"
CHUNKS = 30 * 25


def killed():
    print("seed", SEED)
    random.seed(SEED)
    kills = 0
    fill("whole.zarr", MAP)
    whole = tree("whole.zarr")
    check("all chunks of a map", len(whole) == CHUNKS + 2)
    while kills < KILLS:
        process = start("fill -q -o map.zarr " + MAP)
        try:
            process.wait(random.uniform(0.002, 0.06))
            shutil.rmtree("map.zarr")  # it was complete
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            kills += 1
    files = tree("map.zarr") if os.path.exists("map.zarr") else {}
    chunks = {name: data for name, data in files.items() if is_chunk(name)}
    check(f"after {kills} kills every chunk is complete", all(whole[name] == data for name, data in chunks.items()))
    done = fill("map.zarr", MAP)
    check("the same command continues", done.status == 0 and
          f"chunks: {CHUNKS - len(chunks)} written, {len(chunks)} were there" in done.err, done.err)
    check("to the files of an uninterrupted run", tree("map.zarr") == whole)
    verified("which verify", "map.zarr", CHUNKS)


def signals():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        process = start("fill -o map.zarr --size 256k --force --octaves 16 --chunk 256", stderr=subprocess.PIPE)
        while process.poll() is None and not os.path.exists("map.zarr/0/9"):
            time.sleep(0.001)
        process.send_signal(number)
        message = process.communicate()[1].decode()
        files = [name for name in tree("map.zarr") if name not in (".zarray", ".zattrs")]
        check(f"{number.name} ends a run", process.returncode == -number and all(map(is_chunk, files)) and
              f"interrupted: {len(files)} of 1048576 chunks are complete; the same command continues" in message,
              f"{process.returncode} {message}")
        shutil.rmtree("map.zarr")


def temporaries():
    fill("map.zarr", "--size 64 --chunk 32")
    dead, live = "map.zarr/0/.1.elsewhere-7-0.perlane-part", "map.zarr/1/.0.elsewhere-8-0.perlane-part"
    for name in (dead, live, "map.zarr/..zattrs.elsewhere-6-0.perlane-part"):
        write(name, b"part")
    with open(live, "rb") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        fill("map.zarr", "--size 64 --chunk 32")
        check("what killed processes left is removed, and not what another one is writing", sorted(tree(
            "map.zarr")) == [".zarray", ".zattrs", "0/0", "0/1", live[9:], "1/0", "1/1"], tree("map.zarr").keys())


def small_disk():
    done = on_small_disk("5m", """
fill() { "$0" fill -o map.zarr --size 1024 --chunk 128 --compression none "$@"; }
head -c 2500000 /dev/zero >ballast
fill; echo "refused: $?"; ls
fill --force; echo "full: $?"
find map.zarr -name '*part*'; "$0" verify map.zarr | tail -n 1
rm ballast
fill 2>/dev/null; echo "again: $?"; "$0" verify map.zarr
""")
    if done is None:
        return
    lines = done.out.decode().splitlines()
    check("a map larger than the disk is refused, and no folder is left",
          lines[:2] == ["refused: 1", "ballast"] and "are free; --force begins it anyway" in done.err, done)
    found = [int(word) for word in (lines[3] if len(lines) > 3 else "").replace(",", "").split() if word.isdigit()]
    check("a full disk keeps what is complete", lines[2] == "full: 1" and len(found) == 5 and
          found[1] > 5 and found[2:4] == [0, 0] and found[4] > 5, lines)
    check("and says how to go on", f"No space left on device; {found[1]} of 64 chunks are complete; the same command "
          "continues" in done.err, done.err)
    check("which it does", lines[4:] == [
        "again: 0", "map.zarr: 64 chunks: 64 equal, 0 different, 0 damaged, 0 missing"], lines)


# ---- Several processes ----


def parts():
    fill("whole.zarr", MAP)
    whole = tree("whole.zarr")
    line = "fill -q -o map.zarr " + MAP

    def all_of(name, processes):
        check(name, all(process.wait() == 0 for process in processes) and tree("map.zarr") == whole)
    all_of("two processes with the same part", [start(line) for _ in range(2)])
    shutil.rmtree("map.zarr")
    for _ in range(3):
        races = [start(f"fill -q -o map.zarr --size 64 --chunk 16 --seed {seed}") for seed in (1, 2)]
        check("of two maps begun at once one is refused", sorted(race.wait() for race in races) == [0, 1])
        verified("and the other one complete", "map.zarr", 16)
        shutil.rmtree("map.zarr")
    done = fill("map.zarr", "--part 2/8 " + MAP)
    names = sorted(tuple(map(int, name.split("/"))) for name in tree("map.zarr") if is_chunk(name))
    check("a part", done.status == 0 and names == [(i // 30, i % 30) for i in range(93, 187)], names)
    verified("verify the part", "map.zarr", 94, "--part 2/8")
    done = run("verify --part=3/8 map.zarr")
    check("and another one", done.status == 1 and done.out.startswith(b"map.zarr/6/7: missing\n") and
          done.out.endswith(b"map.zarr: 94 chunks: 0 equal, 0 different, 0 damaged, 94 missing\n"), done.out)
    check("of which ten are listed", done.out.count(b": missing\n") == 10 and
          b"\nand 84 more that are missing\n" in done.out, done.out)
    all_of("eight processes", [start(f"{line} --part {k}/8") for k in range(1, 9)])
    done = fill("map.zarr", "--part 7/1000000000 " + MAP)
    check("more parts than chunks", done.status == 0 and "chunks: 0 written" in done.err, done.err)
    shutil.rmtree("map.zarr")
    all_of("GNU parallel", [subprocess.Popen(["parallel", "-j", "3", PERLANE, *words(line), "--part", "{}/8", ":::",
                                              *"12345678"])])


def documents():
    """The commands of docs/scale.md, with smaller maps; python/tests runs its Python."""
    os.mkdir("bin")
    os.symlink(PERLANE, "bin/perlane")
    text = read(os.path.join(ROOT, "docs/scale.md")).decode()
    text = text.replace("256k", "600").replace("1M", "600").replace("--size 4k", "--size 600")
    path = os.pathsep.join([os.path.abspath("bin"), os.path.dirname(sys.executable), os.environ["PATH"]])
    environment = dict(os.environ, PATH=path, SCRATCH=".", SLURM_CPUS_PER_TASK="2", SLURM_ARRAY_TASK_ID="1",
                       SLURM_ARRAY_TASK_COUNT="64")
    programs = re.findall(r"```sh\n(.*?)```", text, re.S)
    check("programs in docs/scale.md", len(programs) == 4)
    for program in programs:
        done = subprocess.run(["bash", "-ec", program], env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        check(program.splitlines()[-1], done.returncode == 0, done.stdout.decode())


# ---- Verify ----


def verify():
    options = SMALL + " --compression none"
    fill("map.zarr", options)

    def alter(name, at):
        data = bytearray(read(name))
        data[at] ^= 1
        write(name, bytes(data))
    alter("map.zarr/0/1", 4 * (32 * 3 + 5) + 2)
    alter("map.zarr/2/3", 4 * (32 * 20 + 9))  # beyond the edge
    write("map.zarr/1/0", b"")
    write("map.zarr/1/1", read("map.zarr/1/1") + b"x")
    write("map.zarr/2/0", bytes(10000))
    os.remove("map.zarr/1/2")
    for threads in (1, 3):
        done = run(f"verify map.zarr --threads {threads}")
        check(f"verify, {threads} threads", done.status == 1 and done.out.decode() == (
            "map.zarr/0/1: differs from sample 37,3 on\n"
            "map.zarr/1/0: damaged: it does not unpack to a whole chunk\n"
            "map.zarr/1/1: damaged: it does not unpack to a whole chunk\n"
            "map.zarr/1/2: missing\n"
            "map.zarr/2/0: damaged: longer than a chunk can be\n"
            "map.zarr/2/3: differs from sample 105,84 on\n"
            "map.zarr: 12 chunks: 6 equal, 2 different, 3 damaged, 1 missing\n"), done.out.decode())
    check("and what to do", "remove the files listed, and 'perlane fill' writes" in done.err, done.err)
    shutil.copytree("map.zarr", "again.zarr")
    for more, said in (("--resume=off", "chunks: 12 written, 0 were there"),
                       ("--resume", "chunks: 0 written, 12 were")):
        again = fill("again.zarr", f"{options} {more}")
        check(more, again.status == 0 and said in again.err, again.err)
        verified("whatever chunks held", "again.zarr", 12)
    for line in done.out.decode().splitlines()[:-1]:
        if os.path.exists(line.split(":")[0]):
            os.remove(line.split(":")[0])
    shutil.copytree("map.zarr", "mended.zarr")
    fill("mended.zarr", options)
    verified("which mends it", "mended.zarr", 12)
    for compression in ("deflate", "zstd"):
        fill(f"{compression}.zarr", f"{SMALL} --compression {compression}")
        whole = read(f"{compression}.zarr/1/1")
        for damage in (whole[:-1], whole + b"x", b"", b"nonsense" * 9):
            write(f"{compression}.zarr/1/1", damage)
            done = run(f"verify {compression}.zarr")
            check(f"{compression}, damaged", done.status == 1 and b".zarr/1/1: damaged" in done.out and
                  b"11 equal, 0 different, 1 damaged" in done.out, done.out)
    os.chmod("map.zarr/0/0", 0)
    refused("a chunk that may not be read is not damaged", 1, "cannot compare 'map.zarr/0/0': Permission denied",
            "verify map.zarr --threads 1", preexec_fn=without_override)
    os.chmod("map.zarr/0/0", 0o644)
    attributes = read("map.zarr/.zattrs")
    write("map.zarr/.zattrs", attributes.replace(b"perlane=", b"perlane=0.0."))
    done = run("verify map.zarr")
    check("another version's array", done.status == 1 and b" 6 equal, 0 different" in done.out and
          "note: perlane 0.0." in done.err and "wrote the array, and this is" in done.err, done)
    write("map.zarr/.zattrs", attributes.replace(b"100x70", b"101x70"))
    refused("descriptions that disagree", 1, "holds another map", "verify map.zarr")
    refused("a folder that is missing", 1, "'none.zarr': No such file", "verify none.zarr")


# ---- Existing folders ----


def other_writers():
    """Another program writes the descriptions in another order, with more keys and other spacing."""
    options = SMALL + " --bits 16"
    fill("map.zarr", options)
    array = json.loads(read("map.zarr/.zarray"))
    array["compressor"].update({"checksum": False, "level": 5})
    attributes = json.loads(read("map.zarr/.zattrs"))
    attributes.update({"a": {"b": [1, [], {}, float("nan"), "\\\"\u20ac"]}, "low": -1.0,
                       "perlane ": "x", "": None, "\u20ac": 1, "\u20ad": 2, "?": 3})
    for indent in (None, 7):
        for name, each in ((".zarray", array), (".zattrs", attributes)):
            write("map.zarr/" + name, json.dumps(dict(reversed(list(each.items()))), indent=indent))
        before = read("map.zarr/.zarray"), read("map.zarr/.zattrs")
        os.remove("map.zarr/1/1")
        done = fill("map.zarr", options)
        check("is continued", done.status == 0 and "1 written, 11 were there" in done.err and
              before == (read("map.zarr/.zarray"), read("map.zarr/.zattrs")), done.err)
        verified("is verified", "map.zarr", 12)


def refusals():
    fill("map.zarr", SMALL)
    before = tree("map.zarr")
    for change in ("--octaves 2", "--seed 3", "--bits 16", "--first 1,0", "--chunk 16", "--compression none"):
        what = "which its .zarray describes" if change[2] == "c" else "'map.zarr' holds another map"
        refused("", 1, what, f"fill -o map.zarr {SMALL} {change}")
        message = run(f"fill -o map.zarr {SMALL} {change}").err
        check("with both descriptions", "\n  stored: {" in message and "\n  wanted: {" in message, message)
    array, attributes = before[".zarray"], before[".zattrs"]
    for name, data in ((".zarray", b"[" * 100000), (".zarray", array.replace(b"100", b"1e99")),
                       (".zarray", array.replace(b'"zstd"', b'"blosc"')),
                       (".zattrs", attributes.replace(b"perlane=", b"")), (".zattrs", b'{"perlane": "')):
        write("map.zarr/" + name, data)
        refused(f"{name}: {data[:20]}", 1, "map.zarr", f"fill -o map.zarr {SMALL}")
        done = run("verify map.zarr")
        check("and by verify", done.status in (1, 2) and not done.out and done.err, done)
        write("map.zarr/" + name, before[name])
    check("change nothing", tree("map.zarr") == before)
    write("file.zarr", b"precious")
    refused("a file", 1, "it is a file, and a .zarr array is a folder", "fill -o file.zarr")
    os.mkdir("other.zarr")
    write("other.zarr/0", b"precious")
    refused("another folder", 1, "a folder with other files and no .zarray", "fill -o other.zarr")
    check("which stay", read("file.zarr") == read("other.zarr/0") == b"precious" and listing("other.zarr") == ["0"])
    os.mkdir("empty.zarr")
    check("an empty folder, with its slash", fill("empty.zarr/", SMALL).status == 0 and tree("empty.zarr") == before)
    refused("a folder that cannot be written", 1, "cannot create '/proc/map.zarr'", "fill -o /proc/map.zarr")
    os.remove("map.zarr/1/1")
    os.makedirs("map.zarr/1/1/x")
    check("a folder in the place of a chunk counts as one", fill("map.zarr", SMALL).status == 0)
    done = run("verify map.zarr")
    check("until it is verified", done.status == 1 and b"1/1: damaged: Is a directory" in done.out, done.out)


sys.exit(run_steps(readers, layout, killed, signals, temporaries, small_disk, parts, documents, verify,
                   other_writers, refusals))
