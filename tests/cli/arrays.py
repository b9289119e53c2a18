#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of .zarr arrays: arrays.py PERLANE WORK.

What other programs read of them, runs that end in every way and are continued, parts, and
`perlane verify`. It needs zarr and xarray, GDAL's programs and GNU parallel.
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

sys.dont_write_bytecode = True  # the source stays as it is
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from checks import check, run_steps

import numpy as np
import xarray
import zarr

PERLANE = os.path.abspath(sys.argv[1])
WORK = os.path.abspath(sys.argv[2])
SEED = int(os.environ.get("PERLANE_TEST_SEED", "1"))
KILLS = 50
GDAL = shutil.which("gdal_translate")
PARALLEL = shutil.which("parallel")


def run(*arguments, **options):
    return subprocess.run([PERLANE, *map(str, arguments)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False, **options)


def fill(folder, *arguments):
    return run("fill", "-o", folder, *arguments)


def content(file):
    with open(file, "rb") as stream:
        return stream.read()


def write(file, data):
    with open(file, "wb") as stream:
        stream.write(data)


def tree(folder):
    """All files of a folder, by their names in it."""
    return {os.path.relpath(os.path.join(path, file), folder): content(os.path.join(path, file))
            for path, _, files in os.walk(folder) for file in files}


def is_chunk(name):
    return all(part.isdigit() for part in name.split("/"))


def refused(name, done, status, *texts):
    message = done.stderr.decode()
    check(name, done.returncode == status and all(text in message for text in texts) and
          not done.stdout, "%d %s" % (done.returncode, message))


def verified(name, folder, chunks, *arguments):
    done = run("verify", folder, *arguments)
    check(name, done.returncode == 0 and done.stdout.decode() ==
          "%s: %d chunks: %d equal, 0 different, 0 damaged, 0 missing\n" % (folder, chunks, chunks),
          done.stdout.decode() + done.stderr.decode())


# ---- What other programs read ----

def gdal_slices(folder, dims, shape, dtype):
    """The array as GDAL reads it: by slices of two axes, those of one axis as rows."""
    name = os.path.splitext(os.path.basename(folder))[0]
    planes = []
    for index in np.ndindex(*shape[:-2]):
        source = folder if dims < 3 else 'ZARR:"%s":/%s:%s' % (folder, name, ":".join(map(str, index)))
        subprocess.run(["gdal_translate", "-q", "-of", "ENVI", source, "plane.bin"], check=True)
        planes.append(np.fromfile("plane.bin", dtype))
    for file in ("plane.bin", "plane.hdr", "plane.bin.aux.xml"):
        if os.path.exists(file):
            os.remove(file)
    return np.concatenate(planes).reshape(shape)


def readers():
    if not GDAL:
        print("not run: arrays read by GDAL: there is no gdal_translate")
    os.mkdir("group")
    write("group/.zgroup", b'{"zarr_format": 2}')
    for size, chunk, dims in (("1000", "300", 1), ("300x200", "64", 2), ("300x200", "64x300", 2),
                              ("21x13x4", "8x4x3", 3), ("7x6x3x2", "4x3x2x2", 4)):
        for bits, dtype in ((8, "|u1"), (16, "<u2"), (32, "<f4")):
            for compression in ("none", "zlib", "zstd"):
                name = "%s of %d bits, %s, chunks of %s" % (size, bits, compression, chunk)
                options = ["--size", size, "--axes", dims, "--bits", bits, "--octaves", 3,
                           "--frequency", 0.05, "--first", ",".join(["-5"] * dims)]
                done = fill("map.zarr", "--chunk", chunk, "--compression", compression, *options)
                check("writes " + name, done.returncode == 0, done.stderr.decode())
                run("fill", "-o", "map.npy", *options)
                want = np.load("map.npy")
                shape = tuple(map(int, reversed(size.split("x"))))
                array = zarr.open_array("map.zarr", mode="r")
                got = array[...]
                check("zarr reads it", got.dtype == np.dtype(dtype) and got.shape == shape and
                      got.tobytes() == want.tobytes())
                check("its description", array.attrs["_ARRAY_DIMENSIONS"] == list("wzyx"[-dims:]) and
                      array.attrs["perlane"].startswith("perlane=") and
                      (bits == 32 and np.isnan(array.fill_value) or
                       (array.attrs["low"], array.attrs["high"]) == (-1, 1)), dict(array.attrs))
                if GDAL:
                    check("GDAL reads it", gdal_slices("map.zarr", dims, shape, dtype).tobytes() ==
                          want.tobytes())
                chunks = [f for f in tree("map.zarr") if is_chunk(f)]
                verified("verify", "map.zarr", len(chunks))
                done = fill("group/height", "--format", "zarr", "--chunk", chunk, *options)
                with xarray.open_zarr("group", consolidated=False, mask_and_scale=False) as opened:
                    height = opened["height"]
                    check("xarray reads it in a group", height.dims == tuple("wzyx"[-dims:]) and
                          height.values.tobytes() == want.tobytes())
                shutil.rmtree("map.zarr")
                shutil.rmtree("group/height")


def layout():
    """Whole chunks, with zeros beyond the edges; nothing depends on threads."""
    options = ["--size", "100x70", "--chunk", 32, "--compression", "none"]
    fill("a.zarr", "--threads", 1, *options)
    fill("b.zarr", "--threads", 3, *options)
    files = tree("a.zarr")
    check("the same files by any number of threads", files == tree("b.zarr"))
    check("their names", sorted(files) == sorted(
        [".zarray", ".zattrs"] + ["%d/%d" % (y, x) for y in range(3) for x in range(4)]), files.keys())
    corner = np.frombuffer(files["2/3"], "<f4").reshape(32, 32)
    check("zeros beyond the edges", corner[:6, :4].all() and not corner[6:].any() and
          not corner[:, 4:].any())
    done = run("fill", "-o", "again.npy", "--params-of", "a.zarr")
    check("an array carries its options", done.returncode == 0 and
          np.array_equal(np.load("again.npy"), zarr.open_array("a.zarr", mode="r")[...]))
    done = run("points", "--params-of", "a.zarr/.zattrs", input=b"3 4\n")
    check("also for points", done.returncode == 0, done.stderr.decode())
    for size, sides in (("3M", [1 << 20]), ("2k", [1024, 1024]), ("200x200x130", [128, 128, 128])):
        done = fill("c.zarr", "--size", size, "--axes", len(sides), "--bits", 8, "--frequency", 1e-6)
        check("usual chunks of " + size, json.loads(content("c.zarr/.zarray"))["chunks"] == sides,
              done.stderr.decode())
        shutil.rmtree("c.zarr")


# ---- Runs that end early ----

MAP = ["--size", "6000x5000", "--chunk", 200, "--octaves", 8, "--frequency", 0.002, "--bits", 16]
CHUNKS = 30 * 25


def killed():
    print("seed", SEED)
    random.seed(SEED)
    kills = 0
    fill("whole.zarr", *MAP)
    whole = tree("whole.zarr")
    check("all chunks of a map", len(whole) == CHUNKS + 2)
    while kills < KILLS:
        process = subprocess.Popen([PERLANE, "fill", "-q", "-o", "map.zarr", *map(str, MAP)])
        try:
            process.wait(random.uniform(0.002, 0.06))
            shutil.rmtree("map.zarr")  # it was complete
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            kills += 1
    files = tree("map.zarr") if os.path.exists("map.zarr") else {}
    chunks = {name: data for name, data in files.items() if is_chunk(name)}
    check("after %d kills every chunk is complete" % kills,
          all(whole[name] == data for name, data in chunks.items()))
    done = fill("map.zarr", *MAP)
    check("the same command continues", done.returncode == 0 and
          ("chunks: %d written, %d were there" % (CHUNKS - len(chunks), len(chunks))).encode() in
          done.stderr, done.stderr.decode())
    check("to the files of an uninterrupted run", tree("map.zarr") == whole)
    verified("which verify", "map.zarr", CHUNKS)


def signals():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        process = subprocess.Popen([PERLANE, "fill", "-o", "map.zarr", "--size", "256k", "--force",
                                    "--octaves", "16", "--chunk", "256"], stderr=subprocess.PIPE)
        while process.poll() is None and not os.path.exists("map.zarr/0/9"):
            time.sleep(0.001)
        process.send_signal(number)
        message = process.communicate()[1].decode()
        files = [name for name in tree("map.zarr") if name not in (".zarray", ".zattrs")]
        check("%s ends a run" % number.name, process.returncode == -number and
              "interrupted: %d of 1048576 chunks are complete; the same command continues" % len(files) in
              message and all(map(is_chunk, files)), "%d %s" % (process.returncode, message))
        shutil.rmtree("map.zarr")


def temporaries():
    options = ["--size", 64, "--chunk", 32]
    fill("map.zarr", *options)
    dead, live = "map.zarr/0/.1.elsewhere-7-0.perlane-part", "map.zarr/1/.0.elsewhere-8-0.perlane-part"
    write("map.zarr/..zattrs.elsewhere-6-0.perlane-part", b"dead")
    write(dead, b"dead")
    write(live, b"live")
    with open(live, "rb") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        fill("map.zarr", *options)
        check("what killed processes left is removed, and not what another one is writing",
              sorted(tree("map.zarr")) == [".zarray", ".zattrs", "0/0", "0/1", live[9:], "1/0", "1/1"],
              tree("map.zarr").keys())


def small_disk():
    """In a mount namespace of its own, so that nothing is left mounted."""
    script = """mount -t tmpfs -o size=5m none "$1" && cd "$1" || exit 99
fill() { "$0" fill -o map.zarr --size 1024 --chunk 128 --compression none "$@"; }
head -c 2500000 /dev/zero >ballast
fill; echo "refused: $?"; ls
fill --force; echo "full: $?"
find map.zarr -name '*part*'; "$0" verify map.zarr | tail -n 1
rm ballast
fill 2>/dev/null; echo "again: $?"; "$0" verify map.zarr
"""
    try:
        done = subprocess.run(["unshare", "--map-root-user", "--mount", "sh", "-c",
                               script, PERLANE, os.getcwd()], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    except FileNotFoundError:
        print("not run: there is no unshare command to mount a small disk with")
        return
    if done.returncode == 99:
        print("not run: no small disk can be mounted here:", done.stderr.decode().strip())
        return
    lines, errors = done.stdout.decode().splitlines(), done.stderr.decode()
    check("a map larger than the disk is refused, and no folder is left",
          lines[:2] == ["refused: 1", "ballast"] and "are free; --force begins it anyway" in errors,
          lines + [errors])
    found = [int(word) for word in (lines[3] if len(lines) > 3 else "").replace(",", "").split()
             if word.isdigit()]
    check("a full disk keeps what is complete", lines[2] == "full: 1" and len(found) == 5 and
          found[1] > 5 and found[2:4] == [0, 0] and found[4] > 5, lines)
    check("and says how to go on", "No space left on device; %d of 64 chunks are complete; the same "
          "command continues" % found[1] in errors, errors)
    check("which it does", lines[4:] == [
        "again: 0", "map.zarr: 64 chunks: 64 equal, 0 different, 0 damaged, 0 missing"], lines)


# ---- Several processes ----

def parts():
    fill("whole.zarr", *MAP)
    whole = tree("whole.zarr")
    command = [PERLANE, "fill", "-q", "-o", "map.zarr", *map(str, MAP)]
    together = [subprocess.Popen(command) for _ in range(2)]
    check("two processes with the same part", [process.wait() for process in together] == [0, 0] and
          tree("map.zarr") == whole)
    shutil.rmtree("map.zarr")
    for _ in range(10):
        races = [subprocess.Popen([PERLANE, "fill", "-q", "-o", "map.zarr", "--size", "64", "--chunk", "16",
                                   "--seed", str(seed)], stderr=subprocess.DEVNULL) for seed in (1, 2)]
        check("of two maps begun at once one is refused", sorted(r.wait() for r in races) == [0, 1])
        verified("and the other one complete", "map.zarr", 16)
        shutil.rmtree("map.zarr")
    done = fill("map.zarr", "--part", "2/8", *MAP)
    names = sorted((tuple(map(int, name.split("/"))) for name in tree("map.zarr") if is_chunk(name)))
    check("a part", done.returncode == 0 and names == [(i // 30, i % 30) for i in range(93, 187)], names)
    verified("verify the part", "map.zarr", 94, "--part", "2/8")
    done = run("verify", "--part=3/8", "map.zarr")
    check("and another one", done.returncode == 1 and
          done.stdout.endswith(b"map.zarr: 94 chunks: 0 equal, 0 different, 0 damaged, 94 missing\n") and
          done.stdout.startswith(b"map.zarr/6/7: missing\n"), done.stdout)
    check("of which ten are listed", done.stdout.count(b": missing\n") == 10 and
          b"\nand 84 more that are missing\n" in done.stdout, done.stdout)
    processes = [subprocess.Popen(command + ["--part", "%d/8" % k]) for k in range(1, 9)]
    check("eight processes", [process.wait() for process in processes] == [0] * 8 and
          tree("map.zarr") == whole)
    done = fill("map.zarr", "--part", "7/1000000000", *MAP)
    check("more parts than chunks", done.returncode == 0 and b"chunks: 0 written" in done.stderr,
          done.stderr.decode())
    shutil.rmtree("map.zarr")
    if not PARALLEL:
        print("not run: parts by GNU parallel, which is not there")
        return
    done = subprocess.run(["parallel", "-j", "3", *command, "--part", "{}/8", ":::", *"12345678"],
                          stderr=subprocess.PIPE, check=False)
    check("GNU parallel", done.returncode == 0 and tree("map.zarr") == whole, done.stderr.decode())


def documents():
    """The programs of docs/scale.md, with smaller maps."""
    os.mkdir("bin")
    os.symlink(PERLANE, "bin/perlane")
    with open(os.path.join(os.path.dirname(__file__), "../../docs/scale.md"), encoding="utf-8") as page:
        text = page.read().replace("256k", "600").replace("1M", "600").replace("--size 4k", "--size 600")
    path = os.pathsep.join([os.path.abspath("bin"), os.path.dirname(sys.executable), os.environ["PATH"]])
    environment = dict(os.environ, PATH=path, SCRATCH=".", SLURM_CPUS_PER_TASK="2",
                       SLURM_ARRAY_TASK_ID="1", SLURM_ARRAY_TASK_COUNT="64")
    blocks = re.findall(r"```(sh|python)\n(.*?)```", text, re.S)
    check("programs in docs/scale.md", len(blocks) >= 5)
    for kind, program in blocks:
        if "parallel" in program and not PARALLEL:
            continue
        command = ["bash", "-ec"] if kind == "sh" else [sys.executable, "-c"]
        done = subprocess.run([*command, program], env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        check(program.splitlines()[-1], done.returncode == 0, done.stdout.decode())


# ---- Verify ----

def verify():
    options = ["--size", "100x70", "--chunk", 32, "--compression", "none"]
    fill("map.zarr", *options)

    def alter(name, at):
        data = bytearray(content(name))
        data[at] ^= 1
        write(name, bytes(data))
    alter("map.zarr/0/1", 4 * (32 * 3 + 5) + 2)
    alter("map.zarr/2/3", 4 * (32 * 20 + 9))  # beyond the edge
    write("map.zarr/1/0", b"")
    write("map.zarr/1/1", content("map.zarr/1/1") + b"x")
    write("map.zarr/2/0", bytes(10000))
    os.remove("map.zarr/1/2")
    for threads in (1, 3):
        done = run("verify", "map.zarr", "--threads", threads)
        check("verify, %d threads" % threads, done.returncode == 1 and done.stdout.decode() == (
            "map.zarr/0/1: differs from sample 37,3 on\n"
            "map.zarr/1/0: damaged: it does not unpack to a whole chunk\n"
            "map.zarr/1/1: damaged: it does not unpack to a whole chunk\n"
            "map.zarr/1/2: missing\n"
            "map.zarr/2/0: damaged: longer than a chunk can be\n"
            "map.zarr/2/3: differs from sample 105,84 on\n"
            "map.zarr: 12 chunks: 6 equal, 2 different, 3 damaged, 1 missing\n"), done.stdout.decode())
    check("and what to do", b"remove the files listed, and 'perlane fill' writes" in done.stderr,
          done.stderr.decode())
    shutil.copytree("map.zarr", "again.zarr")
    again = fill("again.zarr", *options, "--resume=off")
    check("--resume=off writes all chunks again", again.returncode == 0 and
          b"chunks: 12 written, 0 were there" in again.stderr, again.stderr.decode())
    verified("whatever they held", "again.zarr", 12)
    again = fill("again.zarr", *options, "--resume")
    check("--resume, the default, none", b"chunks: 0 written, 12 were there" in again.stderr,
          again.stderr.decode())
    for line in done.stdout.decode().splitlines()[:-1]:
        file = line.split(":")[0]
        if os.path.exists(file):
            os.remove(file)
    shutil.copytree("map.zarr", "mended.zarr")
    check("mends it", fill("mended.zarr", *options).returncode == 0)
    verified("as verify says", "mended.zarr", 12)
    for compression in ("deflate", "zstd"):
        fill("packed.zarr", *options[:4], "--compression", compression)
        whole = content("packed.zarr/1/1")
        for damage in (whole[:-1], whole + b"x", b"", b"nonsense" * 9):
            write("packed.zarr/1/1", damage)
            done = run("verify", "packed.zarr")
            check("%s, damaged" % compression, done.returncode == 1 and b"packed.zarr/1/1: damaged" in
                  done.stdout and b"11 equal, 0 different, 1 damaged" in done.stdout, done.stdout)
        shutil.rmtree("packed.zarr")
    attributes = content("map.zarr/.zattrs")
    write("map.zarr/.zattrs", attributes.replace(b"perlane=", b"perlane=0.0."))
    done = run("verify", "map.zarr")
    check("another version's array", done.returncode == 1 and b" 6 equal, 0 different" in done.stdout and
          b"note: perlane 0.0." in done.stderr and b"wrote the array, and this is" in done.stderr, done.stdout + done.stderr)
    write("map.zarr/.zattrs", attributes.replace(b"100x70", b"101x70"))
    done = run("verify", "map.zarr")
    check("descriptions that disagree", done.returncode == 1 and b"holds another map" in done.stderr and
          not done.stdout, done.stderr.decode())
    write("map.zarr/.zattrs", attributes)
    refused("a folder that is missing", run("verify", "none.zarr"), 1, "'none.zarr': No such file")
    refused("no folder", run("verify"), 2, "FOLDER is missing")
    refused("two folders", run("verify", "a", "--", "b"), 2, "'b' is one argument too many")
    refused("a part that is none", run("verify", "map.zarr", "--part", "3/2"), 2, "'3/2': expected K/N")


# ---- Existing folders ----

def other_writers():
    """Another program writes the descriptions in another order, with more keys and other spacing."""
    options = ["--size", "100x70", "--chunk", 32, "--bits", 16]
    fill("map.zarr", *options)
    array = json.loads(content("map.zarr/.zarray"))
    array["compressor"].update({"checksum": False, "level": 5})
    attributes = json.loads(content("map.zarr/.zattrs"))
    attributes.update({"a": {"b": [1, [], {}, float("nan"), "\\\"\u20ac"]}, "low": -1.0,
                       "perlane ": "x", "": None, "\u20ac": 1, "\u20ad": 2, "?": 3})
    for indent in (None, 7):
        backwards = [dict(reversed(list(each.items()))) for each in (array, attributes)]
        write("map.zarr/.zarray", json.dumps(backwards[0], indent=indent).encode())
        write("map.zarr/.zattrs", json.dumps(backwards[1], indent=indent).encode())
        before = content("map.zarr/.zarray"), content("map.zarr/.zattrs")
        os.remove("map.zarr/1/1")
        done = fill("map.zarr", *options)
        check("is continued", done.returncode == 0 and b"1 written, 11 were there" in done.stderr and
              before == (content("map.zarr/.zarray"), content("map.zarr/.zattrs")), done.stderr.decode())
        verified("is verified", "map.zarr", 12)


def refusals():
    options = ["--size", "100x70", "--chunk", 32]
    fill("map.zarr", *options)
    before = tree("map.zarr")
    for change in (["--octaves", 2], ["--seed", 3], ["--bits", 16], ["--first", "1,0"]):
        done = fill("map.zarr", *options, *change)
        refused("other options: " + str(change), done, 1, "'map.zarr' holds another map",
                "\n  stored: {", "\n  wanted: {", "perlane=")
    for change in (["--chunk", 16], ["--compression", "none"]):
        refused("another layout: " + str(change), fill("map.zarr", *options, *change), 1,
                "which its .zarray describes", "\n  stored: {", "\n  wanted: {")
    array, attributes = before[".zarray"], before[".zattrs"]
    for name, data in ((".zarray", b""), (".zarray", array[:-3]), (".zarray", b"[" * 100000),
                       (".zarray", b"[1]"), (".zarray", array.replace(b"100", b"1e99")),
                       (".zarray", array.replace(b'"zstd"', b'"blosc"')), (".zarray", b"\0" * 9),
                       (".zarray", array.replace(b"[32, 32]", b"[32]")),
                       (".zattrs", b"{}"), (".zattrs", attributes.replace(b'"perlane"', b'"perl"')),
                       (".zattrs", attributes.replace(b"perlane=", b"")), (".zattrs", b'{"perlane": "'),
                       (".zattrs", b'{"perlane": "\\u12"}'), (".zattrs", b"{" * 100000)):
        write("map.zarr/" + name, data)
        done = fill("map.zarr", *options)
        check("%s: %.20s" % (name, data), done.returncode == 1 and b"map.zarr" in done.stderr,
              done.stderr.decode())
        done = run("verify", "map.zarr")
        check("and by verify", done.returncode in (1, 2) and not done.stdout and done.stderr,
              done.stderr.decode())
        write("map.zarr/" + name, before[name])
    for chunks, text in (("[4, 4, 4]", "chunks of other axes than the map's"),
                         ("[1073741824, 1073741824]", "holds another map")):
        write("map.zarr/.zarray", array.replace(b"[32, 32]", chunks.encode()))
        done = run("verify", "map.zarr")
        refused("by verify, which names .zarray: " + chunks, done, 1, "map.zarr", ".zarray", text)
        check("and no option", b"--chunk" not in done.stderr, done.stderr.decode())
        write("map.zarr/.zarray", array)
    check("change nothing", tree("map.zarr") == before)
    write("file.zarr", b"precious")
    refused("a file", fill("file.zarr"), 1, "it is a file, and a .zarr array is a folder")
    os.mkdir("other.zarr")
    write("other.zarr/0", b"precious")
    refused("another folder", fill("other.zarr"), 1, "a folder with other files and no .zarray")
    check("which stay", content("file.zarr") == content("other.zarr/0") == b"precious" and
          os.listdir("other.zarr") == ["0"])
    refused("a missing folder", fill("none/map.zarr"), 1, "cannot create 'none/map.zarr'")
    os.mkdir("empty.zarr")
    check("an empty folder, with its slash", fill("empty.zarr/", *options).returncode == 0 and
          tree("empty.zarr") == before)
    if os.geteuid() != 0:
        os.mkdir("locked", 0o555)
        refused("a folder that cannot be written", fill("locked/map.zarr"), 1, "Permission denied")
    else:
        refused("a folder that cannot be written", fill("/proc/map.zarr"), 1, "cannot create '/proc/map.zarr'")
    os.remove("map.zarr/1/1")
    os.mkdir("map.zarr/1/1")
    os.mkdir("map.zarr/1/1/x")
    check("a folder in the place of a chunk counts as one", fill("map.zarr", *options).returncode == 0)
    done = run("verify", "map.zarr")
    check("until it is verified", done.returncode == 1 and b"1/1: damaged: Is a directory" in done.stdout,
          done.stdout)
    for name, arguments, text in (
            ("the standard output", ["-o", "-", "--format", "zarr"], "a .zarr array is a folder"),
            ("pictures", ["-o", "x.zarr", "--palette", "terrain"], "pictures in colour are"),
            ("engines", ["-o", "x.zarr", "--for", "unity"], "--for unity imports"),
            ("chunks elsewhere", ["-o", "x.png", "--chunk", 8], "--chunk has an effect on .zarr only"),
            ("parts elsewhere", ["-o", "x.png", "--part", "1/2"], "--part has an effect on .zarr only"),
            ("chunks of other axes", ["-o", "x.zarr", "--chunk", "8x8x8"], "the map has 2 axes"),
            ("large chunks", ["-o", "x.zarr", "--size", "64k", "--chunk", "64k"], "more than 1 GiB"),
            ("many chunks", ["-o", "x.zarr", "--size", "1M", "--chunk", 1], "more than 2^32 chunks"),
            ("part 0", ["-o", "x.zarr", "--part", "0/2"], "K from 1 to N"),
            ("half a part", ["-o", "x.zarr", "--part", "1/"], "K from 1 to N")):
        refused(name, run("fill", *arguments), 2, text)
    check("write nothing", not os.path.exists("x.zarr") and not os.path.exists("x.png"))


def duplicates():
    """A key twice in an object, of which other readers take the last value."""
    options = ["--size", "100x70", "--chunk", 32]
    fill("map.zarr", *options)
    before = tree("map.zarr")
    for name, key, pairs in ((".zarray", "chunks", '"chunks": [16, 16], '),
                             (".zarray", "chunks", '"\\u0063hunks": [16, 16], '),
                             (".zarray", "id", '"id": "zlib", '),
                             (".zattrs", "perlane", '"perlane": "perlane=1.0.0 seed=7", '),
                             (".zattrs", "\\u20AC", '"\u20ac": [{}, [{"a": 1}]], "\\u20AC": 2, ')):
        text = before[name].decode()
        at = max(text.find('"%s"' % key), 1)
        write("map.zarr/" + name, (text[:at] + pairs + text[at:]).encode())
        twice = "duplicate object key near '\"%s\"'" % key
        refused("%s twice in %s" % (key, name), fill("map.zarr", *options), 1, twice)
        refused("by verify", run("verify", "map.zarr"), 1, twice)
        done = run("points", "--params-of", "map.zarr", input=b"1 2\n")
        check("by --params-of, which reads .zattrs", done.returncode == (name == ".zattrs") and
              (twice in done.stderr.decode()) == (name == ".zattrs"), done.stderr.decode())
        write("map.zarr/" + name, before[name])
    check("change nothing", tree("map.zarr") == before)


def scalars():
    """What JSON has no numbers and words for, and numbers that a description must not have."""
    options = ["--size", "100x70", "--chunk", 32, "--compression", "zlib"]
    fill("map.zarr", *options)
    before = tree("map.zarr")[".zarray"]
    for old, new, message in ((b'"level": 1', b'"level": 01', "it is not JSON"),
                              (b'"level": 1', b'"level": +1', "it is not JSON"),
                              (b'"level": 1', b'"level": 1.', "it is not JSON"),
                              (b'"level": 1', b'"level": 1e', "it is not JSON"),
                              (b'"filters": null', b'"filters": nul', "it is not JSON"),
                              (b'"filters": null', b'"filters": nullx', "it is not JSON"),
                              (b'"level": 1', b'"level": 10', "another map"),
                              (b'"level": 1', b'"level": 1.5', "another map"),
                              (b'"chunks": [32, 32]', b'"chunks": [32.0, 32]', "another map"),
                              (b'100', b'9007199254740993', "another map")):
        check("%r is there" % old, old in before)
        write("map.zarr/.zarray", before.replace(old, new))
        refused("%r" % new, fill("map.zarr", *options), 1, message)
    write("map.zarr/.zarray", before.replace(b'"level": 1', b'"level": 9')
          .replace(b'"zarr_format": 2', b'"zarr_format": 2.0'))
    check("other numbers are the same", fill("map.zarr", *options).returncode == 0)


def other_files():
    """Fifos in the place of descriptions and maps; links in the place of folders of chunks."""
    options = ["--size", "100x70", "--chunk", 32]
    fill("map.zarr", *options)
    os.mkfifo("fifo")
    for name in (".zattrs", ".zarray"):
        os.rename("map.zarr/" + name, "kept")
        os.mkfifo("map.zarr/" + name)
        for arguments in (["verify", "map.zarr"], ["fill", "-o", "map.zarr", *options]):
            refused("%s is a fifo" % name, run(*arguments, timeout=600), 1, "it is not a regular file")
        os.rename("kept", "map.zarr/" + name)
    for arguments in (["verify", "fifo"], ["fill", "-o", "x.png", "--params-of", "fifo"],
                      ["points", "--params-of", "/dev/zero"]):
        refused("a stream for a map: %s" % arguments, run(*arguments, timeout=600), 1,
                "it is not a regular file")
    os.mkfifo("samples.r16.txt")
    write("samples.r16", b"samples")
    refused("a fifo beside a map", run("points", "--params-of", "samples.r16", timeout=600), 1,
            "the file of this name and .txt: it is not a regular file")
    os.remove("map.zarr/0/1")
    os.mkfifo("map.zarr/0/1")
    done = run("verify", "map.zarr", timeout=600)
    check("a fifo for a chunk is damaged", done.returncode == 1 and b"0/1: damaged: " in done.stdout,
          done.stdout)
    os.mkdir("outside")
    write("outside/.0.elsewhere-9-0.perlane-part", b"precious")
    for place in ("map.zarr/1", "volume.zarr/0/1"):
        fill("volume.zarr", "--size", "20x20x20", "--chunk", 10, "--resume=off")
        shutil.rmtree(place)
        os.symlink(os.path.abspath("outside"), place)
        shape = options if place[0] == "m" else ["--size", "20x20x20", "--chunk", 10]
        for resume in ("on", "off"):
            done = fill(place.split("/")[0], *shape, "--resume=" + resume)
            refused("a link for a folder of chunks", done, 1, "a link or a file is in the place of a folder")
        os.remove(place)
        write(place, b"precious")
        refused("a file for one", fill(place.split("/")[0], *shape), 1, "a link or a file is in the place")
        os.remove(place)
    check("changes nothing outside", tree("outside") == {".0.elsewhere-9-0.perlane-part": b"precious"})
    os.rename("map.zarr", "outside/map.zarr")
    os.symlink("outside/map.zarr", "map.zarr")
    check("a link for the whole array is followed", fill("map.zarr", *options).returncode == 0 and
          os.path.exists("outside/map.zarr/1/0"))


sys.exit(run_steps(WORK, (readers, layout, killed, signals, temporaries, small_disk,
                          parts, documents, verify, other_writers, refusals, duplicates, scalars, other_files)))
