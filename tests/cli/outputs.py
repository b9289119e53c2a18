#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of where the command writes to: outputs.py PERLANE WORK.

Files that appear whole or not at all, also after SIGKILL and with several processes at once; streams,
the free space on a disk, and the memory that large maps take.
"""

import itertools
import os
import re
import resource
import signal
import stat
import subprocess
import sys
import threading
import time

from command import (IS_SANITIZED, PERLANE, check, clear, fill, listing, on_small_disk, peak, read, refused, run, run_steps, same, start, tree, without_override, write)

HUGE = "--size 100k --octaves 8 --force"


def begin(line, **options):
    """Starts a run and waits until it has begun to write."""
    before = listing()
    process = start(line, **options)
    while process.poll() is None:
        try:
            if any(os.path.getsize(file) for file in listing() if file not in before):
                break
        except FileNotFoundError:
            continue  # it was only tried
        time.sleep(0.01)
    return process


def limit():
    resource.setrlimit(resource.RLIMIT_FSIZE, (300000, 300000))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


# ---- Streams ----


def read_fifo(fifo, line):
    """What a fifo's reader gets, and the run that wrote it."""
    got = []
    reader = threading.Thread(target=lambda: got.append(read(fifo)), daemon=True)
    reader.start()
    done = run(f"fill -o {fifo} {line}")
    reader.join(600)
    return got[0] if got else None, done


def streams():
    place = "-q --size 70x50 --octaves 3"
    for name in ("png", "r16", "r32", "raw", "npy", "exr"):
        fill(f"-o want.{name} {place}")
        want = read("want." + name)
        for target in ("-", "/dev/stdout"):
            check(f"--format {name} to {target}", run(f"fill -o {target} --format {name} {place}").out == want)
        before = listing()
        os.mkfifo("pipe." + name)
        got, done = read_fifo("pipe." + name, place)
        check("and to a fifo, by its suffix", got == want, done.err)
        check("which stays one, alone", stat.S_ISFIFO(os.stat("pipe." + name).st_mode) and
              listing() == sorted([*before, "pipe." + name]), listing())
        fill(f"-o other.suffix --format {name} {place}")
        same("and to a file of another suffix", "other.suffix", "want." + name)
        check("whose sidecar is beside it as usual",
              os.path.exists(f"want.{name}.txt") == os.path.exists("other.suffix.txt"))
        clear()
    fill("-o raw.raw " + place)
    raw = read("raw.raw")
    check("- alone is raw", run("fill -o - " + place).out == raw)
    os.mkfifo("fifo")
    check("and so is a fifo without a suffix", read_fifo("fifo", place)[0] == raw)
    refused("no TIFF to it", 2, "TIFF needs a regular file", f"fill -o fifo --format tif {place}")
    for options in ("", "--format png", "--for godot --size 1025"):
        fill(f"-o /dev/null {place} {options}")
    check("/dev/null stays a device", stat.S_ISCHR(os.stat("/dev/null").st_mode))
    check("nothing else is written", listing() == ["fifo", "raw.raw", "raw.raw.txt"], listing())


def closed_pipes():
    """A reader that goes away ends the command as it ends cat: by SIGPIPE, without a message."""
    for line in ("fill -q -o - --size 4k", "fill -q -o - --size 4k --format png"):
        for action, want in ((signal.SIG_DFL, (-signal.SIGPIPE, b"")), (signal.SIG_IGN, (
                1, b"perlane fill: cannot write to the standard output: Broken pipe\n"))):
            process = start(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, restore_signals=False,
                            preexec_fn=lambda action=action: signal.signal(signal.SIGPIPE, action))
            process.stdout.read(10)
            process.stdout.close()
            message = process.stderr.read()
            check(f"a closed pipe, {action.name}: {line}", (process.wait(), message) == want, message)


def closed_streams():
    """A map must not be opened as a standard stream that is closed: messages would be written into it."""
    for line in ("fill -q -o - --size 8", "fill -q -o - --format png --size 8"):
        done = run(line, preexec_fn=lambda: os.close(1))
        check("a closed standard output", done.status == 1 and "Bad file descriptor" in done.err, done)
    if not os.path.isdir("/proc/self/fd"):
        print("not run: the files of a process, which /proc has")
        return
    process = begin(f"fill -o map.tif {HUGE}", preexec_fn=lambda: os.closerange(0, 3))
    files = {n: os.readlink(f"/proc/{process.pid}/fd/{n}") for n in listing(f"/proc/{process.pid}/fd")}
    process.kill()
    process.wait()
    check("closed streams are no map", any("map.tif" in file for file in files.values()) and
          not any("map.tif" in files.get(n, "") for n in "012"), files)


# ---- Temporary files ----


def is_part(file, name):
    return re.fullmatch(r"\.%s\.perlane-\w{6}" % re.escape(name), file) is not None


def killed():
    for suffix in ("tif", "png", "r16"):
        name = "map." + suffix
        process = begin(f"fill -o {name} {HUGE}")
        part = listing()
        check(f"until it is complete a .{suffix} has another name", len(part) == 1 and is_part(part[0], name), part)
        fill(f"-o {name} --size 32")
        done = [*part, name] + [name + ".txt"] * (suffix == "r16")
        check("another run writes the map meanwhile", listing() == done and process.poll() is None, listing())
        process.kill()
        process.wait()
        fill(f"-o {name} --size 32 --seed 2")
        check("SIGKILL leaves the file, which no other run touches", listing() == done, listing())
        check("and the map is the other run's", run("verify", name).status == 0)
        clear()


def long_names():
    for length in (4, 231, 242, 251):
        name = "n" * (length - 4) + ".r16"
        fill("--size 8 -o", name)
        check(f"a name of {length} characters", os.path.getsize(name) == 128 and os.path.exists(name + ".txt"))


def unwritable():
    """A folder, and a file, without write permission."""
    os.mkdir("locked")
    write("locked/b.png", b"precious")
    os.chmod("locked", 0o555)
    write("read.png", b"precious")
    os.chmod("read.png", 0o444)
    for name in ("locked/a.r16", "locked/b.png", "read.png"):
        refused("a file that cannot be written", 1, f"cannot write '{name}': Permission denied",
                f"fill -o {name} --size 60000 --octaves 8", preexec_fn=without_override)
    os.chmod("locked", 0o755)
    check("stays as it was", tree(".") == {"locked/b.png": b"precious", "read.png": b"precious"}, listing("locked"))
    os.chmod("read.png", 0o640)
    fill("-o read.png --size 8 --force")
    check("a file that is replaced keeps its permissions", stat.S_IMODE(os.stat("read.png").st_mode) == 0o640)
    os.umask(0o027)
    fill("-o new.png --size 8")
    os.umask(0o022)
    check("a new one has the usual ones", stat.S_IMODE(os.stat("new.png").st_mode) == 0o640)


def foreign():
    """Nothing that perlane did not write is replaced without --force."""
    fill("-o own.png --size 8")
    fill("-o own.r16 --size 8")
    os.rename("own.r16", "lone.r16")
    content = {"photo.png": b"\x89PNG mine", "text.npy": b"mine", "a.tif": b"II*\0", "lone.r16": read("lone.r16")}
    for name, data in content.items():
        write(name, data)
        refused("a file of others", 1, f"'{name}' is there, and nothing in it says that perlane wrote it; take another name, "
                "or --force writes over it", f"fill -o {name} --size 8")
        check("stays", read(name) == data)
        fill(f"-o {name} --size 8 --force")
        fill(f"-o {name} --size 9")
    write("b.r16.txt", b"notes")
    refused("a text beside the map", 1, "'b.r16.txt' is there", "fill -o b.r16 --size 8")
    write("empty.png", b"")
    fill("-o empty.png --size 8")


def races():
    """Of several processes that write one file at once, the last one wins: it is always whole."""
    want = [run(f"fill -q -o - --format npy --size 256 --seed {seed}").out for seed in range(4)]
    for file in ("race.png", "race.npy"):
        wrong = []
        for _ in range(12):
            processes = [start(f"fill -q -o {file} --size 256 --force --seed {seed}", stderr=subprocess.PIPE)
                         for seed in range(4)]
            wrong += [message for process in processes if (message := process.communicate()[1])]
            if run("verify race.png").status != 0 if file == "race.png" else read("race.npy") not in want:
                wrong.append("damaged")
        check(f"races leave a whole {file}, and each process succeeds", not wrong, wrong)
        check("and nothing else", listing() == [file] + [file + ".txt"] * (file == "race.npy"), listing())
        clear()


# ---- Files beside a map ----


def together():
    """A map and what describes it change together."""
    new = "--size 127 --octaves 4 --force"  # a map may have lost its description
    fill("-o map.r16 --for unreal --octaves 3 --size 127")
    before = tree(".")
    fill("-o map.r16 " + new)
    after = {name: read(name) for name in before}
    clear()

    os.mkdir("real")
    os.symlink("real/map.r16", "map.r16")
    for name, content in before.items():
        write("real/" + name, content)
    fill("-o map.r16 " + new)
    check("through a link, which stays, all change beside the target", listing() == ["map.r16", "real"] and
          os.path.islink("map.r16") and tree("real") == after, listing())
    fill("-o again.r16 --params-of map.r16")
    same("and are read there", "again.r16", "map.r16")
    clear()

    if IS_SANITIZED or os.system("strace -qq -o /dev/null true 2>/dev/null") != 0:
        print("not run: renames that fail: there is no strace, it may not trace, or sanitizers do not run below it")
        return
    for fault, n, earlier in itertools.product(("error=EIO", "signal=KILL"), range(1, 5), (before, {})):
        for name, content in earlier.items():
            write(name, content)
        done = subprocess.run(["strace", "-qq", "-o", "/dev/null", "-e", f"inject=?rename,?renameat:{fault}:when={n}",
                               PERLANE, "fill", "-q", "-o", "map.r16", *new.split()], check=False)
        files = {name: content for name, content in tree(".").items() if ".perlane-" not in name}
        is_old = "map.r16" in files and files["map.r16"] != after["map.r16"]
        check(f"{fault} of rename {n} leaves no file beside samples that it is not of",
              set(files.items()) <= set((earlier if is_old else after).items()) and
              (files == after if done.returncode == 0 else "map.r16" in files or not earlier), sorted(files))
        fill("-o map.r16 " + new)
        files = {name: content for name, content in tree(".").items() if ".perlane-" not in name}
        check("and the next run completes", files == after, listing())
        clear()


# ---- The disk ----


def space():
    disk = os.statvfs(".")
    free = disk.f_bavail * disk.f_frsize
    side = 2 ** 20
    while 2 * side * side < 1000 * free:
        side *= 2
    for suffix, bytes_ in (("raw", 2), ("npy", 4), ("tif", 2)):
        least = bytes_ * side * side
        refused(f"a .{suffix} beyond the free space", 1, "--force", f"fill -o big.{suffix} --size {side}")
        message = run(f"fill -o big.{suffix} --size {side}").err
        sizes = list(map(int, re.findall(r"(\d+) (?:bytes )?\([0-9.]+ [MGTPE]\)", message)))
        check("with both sizes", len(sizes) == 2 and sizes[0] == least and sizes[1] < least and
              re.search(r"needs \d+ bytes \([0-9.]+ [GTPE]\), and \d+ \([0-9.]+ \w\) are free", message), message)
    # A failure must not wait for all the blocks that were to follow.
    refused("--force begins it", 1, "File too large", f"fill -o big.raw --size {side} --force", preexec_fn=limit,
            timeout=600)
    refused("a .png, whose size is not known, is begun", 1, "File too large", "fill -o big.png --size 1000000",
            preexec_fn=limit, timeout=600)


def small_disk():
    for name, line, status, files, message in (
            ("a map that fits on a small disk", "a.r16 --size 2048x1023", 0, "a.r16\na.r16.txt\n", ""),
            ("one row too many", "a.r16 --size 2048x1025", 1, "",
             "4198400 bytes (4.2 M), and 4194304 (4.19 M) are free; --force"),
            ("with --force", "a.r16 --size 2048x1025 --force", 1, "", "No space left"),
            ("one that its compression makes fit", "a.png --size 4096x4096 --bits 8 --frequency 1e-5", 0, "a.png\n", "")):
        done = on_small_disk("4m", f'"$0" fill -o {line}; status=$?; ls -A; exit $status')
        if done is None:
            return
        check(name, done.status == status and done.out.decode() == files and message in done.err, done)


# ---- Memory ----


def memory():
    """Peaks in MiB; a buffered row of these maps' tiles would be 200 to 1000, a row of samples 400."""
    if IS_SANITIZED:
        print("not run: the use of memory, which sanitizers add to")
        return
    for line, seconds in (("wide.tif --size 400000x512 --bits 8", 600),
                          ("tall.tif --size 100x1000000", 600),
                          ("wide.tif --size 200000x256 --palette terrain --shade", 600),
                          ("/dev/null --format r32 --size 100000000x1", 600),
                          ("- --format npy --size 100000000 --axes 1", 600), ("big.png --size 65536x700", 600), ("huge.tif --size 1M --force", 4)):
        status, most, _ = peak("fill -q --threads 2 -o " + line, seconds=seconds)
        check(f"at most 128 MiB for {line}", most <= 128 and status in (0, -signal.SIGTERM), f"{most} MiB, {status}")
    refused("a map without memory", 1, "memory", "fill -o x.png --size 2000000000x1 --threads 1 --force",
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (2 ** 30, 2 ** 30)))


sys.exit(run_steps(streams, closed_pipes, closed_streams, killed, long_names, unwritable, foreign, races, together, space,
                   small_disk, memory))
