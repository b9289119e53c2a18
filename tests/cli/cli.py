#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of what the command does with its options: cli.py PERLANE WORK.

Options are compared with their text form, and notes, tables and help with what they must be. formats.py
and outputs.py have files, refusals.py what is refused.
"""

import functools
import itertools
import os
import random
import re
import resource
import signal
import subprocess
import sys

import numpy as np

from command import (HAS_FULL, WORK, check, clear, fill, is_same, listing, parameters, pixels, printed, run,
                     run_steps, same, words, write)

# Tables, as texts of options have them.
HASH256 = "hash_table=[%s]" % ",".join(str((i * 197 + 31) % 256) for i in range(256))
HASH1024 = "hash_table=[%s]" % ",".join(str((i * i * 7 + i * 13) % 256) for i in range(1024))
VECTORS = "gradient_table=[[1,0],[-1,0],[0,1],[0,-1]]"
GRID = "gradient_grid=[[[1,0],[0.6,-0.8],[0,1]],[[-1,0],[0.5,0.5],[-0.6,0.8]]]"

# ---- Images ----

# Options that make the same image.
EQUAL = [
    *((f"the range is that of the field's values {field}", f"--size 61x23 --range auto {field}", f"--size 61x23 {field}")
      for field in ("", "--normalize none --octaves 3", "--value-scale 5 --bits 8", "--basis gaussian")),
    ("values after =", "--size 33x21 --origin=-3.5,2 --first=-5,7", "--size 33x21 --origin -3.5,2 --first -5,7"),
    ("hexadecimal and exponents, a capital X", "--size 33X21 --origin -0x1.cp1,2e0 --first -5,7",
     "--size 33x21 --origin -3.5,2 --first -5,7"),
    ("bits that are chosen", "--size 9 --bits auto", "--size 9"),
    ("the last of two values", "--size 9 --octaves 3 --normalize none --normalize octaves",
     "--size 9 --octaves 3 --normalize octaves"),
]


def spellings():
    for name, one, other in EQUAL:
        fill("-o a.png", *words(one))
        fill("-o b.png", *words(other))
        check(name, is_same(pixels("a.png"), pixels("b.png")))
    fill("-ob.PNG --size 9")
    fill("--output c.png --size 9")
    same("names of -o and suffixes", "b.PNG", "c.png")
    done = run("fill -qo c.png --size 9")
    check("two short options in one argument", done.status == 0 and not done.err)
    for size, shape in (("33", (33, 33)), ("3Kx2k", (2048, 3072)), ("1Mx1", (1, 1 << 20))):
        fill("-o a.png --bits 8 --size", size)
        check(f"--size {size}", pixels("a.png").shape == shape)


# ---- What a run says ----

LATTICE = "note: with --frequency 1 every"
# Options, the beginning of the line that follows the report, or None where there is none.
NOTES = [
    ("--size 9 --preset improved", LATTICE),
    ("--size 9 --frequency 1 --phase none", LATTICE),
    ("--size 9 --preset improved --origin 0.5,0", None),
    ("--size 9 --preset improved --step 0.5", None),
    ("--size 9 --frequency 1", None),
    ("--size 300x256 --frequency 0.03125 --period 8,8", "note: the map does not tile along x, where it has 9.375 "
     "of --period's 8 cells; --seamless chooses a frequency with which it does\n"),
    ("--size 100x512 --frequency 0.03 --step 1,0.5 --period 3,8", "note: the map does not tile along y, where it "
     "has 7.68 of --period's 8 cells; --seamless chooses"),
    ("--size 64 --frequency 0.7071067811865476 --period 8", "of --period's 8 cells; --seamless"),
    ("--size 64 --frequency 0.75 --period 8", None),
    ("--size 300 --first 300,0 --frequency 0.03125 --period 8,8", None),
    ("--size 9 --seed -1", "note: --seed -1 is 18446744073709551615\n"),
    ("--size 9 --field seed=-9223372036854775808", "note: --seed -9223372036854775808 is 9223372036854775808\n"),
    ("--size 9 --seed 18446744073709551615", None),
    ("--size 9 --octaves 9 --frequency 0.03", "note: all but the first 5 of 9 octaves are finer than the samples; --octaves 5 leaves them out\n"),
    ("--size 9 --octaves 5 --frequency 0.03 --step 1,-2", "note: all but the first 4 of 5 octaves are finer than the samples; --octaves 4 leaves them out\n"),
    ("--size 9 --octaves 5 --frequency 0.03", None),
    ("--size 1000001x1 --octaves 2", "note: GDAL, OpenCV and netpbm refuse PNGs of more than 1000000 samples a side"),
    ("--size 1000000x1 --octaves 2", None),
    ("--size 64 --look island", "note: a picture in colours; --bits 16 makes a map of the look's values\n"),
    ("--size 64 --look clouds --bits 16", None),
    ("--size 9 --format tif", "note: a .tif file with the suffix .png; 'perlane verify' needs --format tif\n"),
    ("--size 9 --format png", None),
    ("--size 64 --look island --palette land", None),
    ("--size 64x64x1 --step 1,1,8 --octaves 4 --frequency 0.03 --range actual", None),
    ("--size 64x64x1 --range actual", None),
    ("--size 64x64x1 --look clouds --palette clouds", "note: --range is that of this slice alone; slices that follow one another"),
]


def reports():
    done = run("fill -o a.png")
    check("1024x1024 and 16 bits by default", pixels("a.png").shape == (1024, 1024) and pixels("a.png").dtype == "u2")
    check("a report", re.fullmatch(
        r"a\.png: 1024x1024, 16 bits, 1 octave, [a-z0-9.]+, \d+ threads?, [\d.]+ s\n", done.err), done.err)
    for options, note in NOTES:
        lines = run("fill -o a.png " + options).err
        check(f"notes of {options}", lines.count("\n") == (1 if note is None else 2) and (note or "") in lines, lines)
        fill("-o a.png " + options)  # --quiet leaves notes out


def range_notes():
    """How many samples are clamped, and which range would use all levels."""
    field = "--octaves 6 --frequency 0.01 --size 200x150"
    for bits, more in itertools.product((8, 16), ("", "--heights 0,900 ", "--tiles 2 ")):
        def levels(options):
            clear()
            said = run(f"fill -o a.png --bits {bits} {options} {more}{field}").err
            return np.concatenate([pixels(file).ravel() for file in listing()]).astype(float), said
        found, said = levels("--range -0.25,0.375")
        share = re.search(r"note: ([\d.]+) % of the samples are beyond --range and clamped", said)
        clamped = 100 * np.mean((found == 0) | (found == 2 ** bits - 1))
        check(f"samples that {bits} bits clamp, {more}", share and abs(float(share[1]) - clamped) < 0.06, (clamped, said))
        found, said = levels("")
        used = re.search(r"note: the values use (\d+) % of --range -1,1; --range (\S+),(\S+) would use all levels", said)
        low, high = 2 * found.min() / (2 ** bits - 1) - 1, 2 * found.max() / (2 ** bits - 1) - 1
        slack = 0.011 + 2 / 2 ** bits
        check(f"values that {bits} bits do not have, {more}", used and abs(int(used[1]) - 50 * (high - low)) < 1 and
              low - slack < float(used[2]) <= low and high <= float(used[3]) < high + slack, (low, high, said))
    for options in ("--range actual", "--look island", "--bits 32 --format tif", "--range auto --octaves 1", "--palette land"):
        done = run(f"fill -o b.png {field} {options}")
        check(f"no note with {options}", done.status == 0 and "note: the values" not in done.err, done.err)


# ---- Kernels ----


@functools.cache
def info():
    """What info prints, which takes long, as it tests every kernel."""
    return run("info").out.decode()


def kernels():
    table = info()
    rows = [line.split() for line in table.split("\n\n")[1].splitlines()[1:]]
    supported = [row[0] for row in rows if row[2] == "yes"]
    chosen = [row[0] for row in rows if row[3] == "yes"]
    digest = re.search(r"expected (0x[0-9A-F]{16})$", table, re.M)
    check("scalar kernels are supported, and one is chosen", "scalar" in supported and len(chosen) == 1, table)
    check("every supported kernel has the expected digest", digest and all(
        row[4:] == [digest[1], "ok"] for row in rows if row[0] in supported), table)
    check("info begins with the version", table.startswith(run("--version").out.decode()))
    check("info does not mention an unset PERLANE_ISA", "PERLANE_ISA" not in table)
    os.environ["PERLANE_ISA"] = "scalar"
    told = run("info").out.decode()
    check("info mentions PERLANE_ISA, which chooses the kernels", "PERLANE_ISA is set to 'scalar'\n" in told and
          re.search(r"^scalar .* yes +0x", told, re.M), told)
    del os.environ["PERLANE_ISA"]
    found = set()
    for isa in supported:
        os.environ["PERLANE_ISA"] = isa
        done = run("fill -o - --size 523x307 --octaves 6")
        check(f"PERLANE_ISA={isa} is what ran", f", {isa}," in done.err, done.err)
        found.add(done.out)
    check("with the same map", len(found) == 1)
    del os.environ["PERLANE_ISA"]


# Files of a machine, and the processors that its control groups leave.
QUOTAS = [
    ({}, "inf"),
    ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "150000 100000\n"}, "1.5"),
    ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "max 100000\n"}, "inf"),
    ({"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/cpu.max": "400000 100000\n", "sys/fs/cgroup/a/cpu.max": "50000 100000\n"}, "0.5"),
    ({"proc/self/cgroup": "1:cpu:/docker/x\n0::/\n", "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "300000\n",
      "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n"}, "3"),
    ({"proc/self/cgroup": "9:memory:/\n8:cpu,cpuacct:/a\n", "sys/fs/cgroup/cpu/a/cpu.cfs_quota_us": "25000\n",
      "sys/fs/cgroup/cpu/a/cpu.cfs_period_us": "50000\n", "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n"}, "0.5"),
    ({"proc/self/cgroup": "8:cpuset:/\nbroken\n", "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "1\n"}, "inf"),
]


def processors():
    for files, want in QUOTAS:
        clear()
        for name, content in files.items():
            os.makedirs(os.path.dirname(name), exist_ok=True)
            write(name, content)
        found = subprocess.run([os.path.join(os.path.dirname(WORK), "quota"), "."], capture_output=True, text=True, check=True).stdout
        check(f"a quota of {want} processors", found == want + "\n", (files, found))
    for wish, want in (("3", "3 threads"), ("1", "1 thread,")):
        done = run("fill -o - --size 2k", env={**os.environ, "OMP_NUM_THREADS": wish})
        check(f"OMP_NUM_THREADS={wish} is obeyed", want in done.err or ", 1 thread," in
              run("fill -o - --size 2k --threads 3").err, done.err)


# ---- The field's options ----

OTHERS = {"seed": ["7"], "real": ["0.375"], "integer": ["2"], "per axis": ["5", "0,7", "5,7"], "curve": ["-1:0,1:1"]}
dice = random.Random(30)
POSITIONS = "".join(f"{dice.uniform(-20, 70)!r},{dice.uniform(0, 400)!r}\n" for _ in range(60))


def bits(*options, text=POSITIONS):
    done = run("points --bits-out", *options, text=text)
    return done.out if done.status == 0 else done.err


def options():
    """Each option sets what the text of its name does; specification.py checks what that is."""
    records, choices = parameters()
    for name, kind, default, _ in records:
        for value in [each for each in choices.get(name) or OTHERS[kind] if each not in ("table", "grid")]:
            set_ = printed("points", f"--{name.replace('_', '-')}={value}")
            check(f"{name}={value}", set_ == ({name: value} if value != default else {}), set_)
    check("defaults", bits() == bits(*(f"--{name.replace('_', '-')}={default}" for name, _, default, _ in records)))


# Options that make the same field.
SAME_FIELD = [
    ("a preset before other options", "--preset compass --fade cubic --frequency 0.3 --seed 9",
     "--frequency 0.3 --seed 9 --preset compass --fade cubic"),
    ("and among them", "--preset compass --fade cubic --frequency 0.3 --seed 9",
     "--fade cubic --seed 9 --frequency 0.3 --preset compass"),
    ("the last preset", "--preset axis --preset compass", "--preset compass"),
    ("a table implies its hash", f"--field {HASH256}", f"--hash table --field {HASH256}"),
    ("also over a preset's", f"--preset diagonal --field {HASH256}", f"--preset diagonal --hash table --field {HASH256}"),
    ("but not over primes", f"--preset axis --field {HASH1024}", f"--hash primes --field {HASH1024} --preset axis"),
    ("gradients imply their set", f"--field {VECTORS}", f"--gradients table --field {VECTORS}"),
    ("a grid implies its hash", f"--field {GRID}", f"--hash grid --field {GRID}"),
    ("numbers in any form", f"--field {GRID}",
     "--field gradient_grid=[[[+1,-0],[0x.9999999999999ap0,-8e-1],[0e5,1]],[[-1.0,0],[.5,5e-1],[-0.6,0.8]]]"),
    ("none drops it", f"--field '{GRID} hash=lattice gradient_grid=none'", ""),
]


def fields():
    for name, one, other in SAME_FIELD:
        found = [bits(*words(each)) for each in (one, other)]
        check(name, found[0] == found[1] and isinstance(found[0], bytes), found[0])
    presets = dict(re.findall(r"^(\w+) +(frequency=.*)$", info(), re.M))
    grids = {name: f"--field={GRID}" if name == "grid" else "--seed=1" for name in presets}
    check("presets are what info prints of them", len(presets) == 8 and all(
        bits(grids[name], "--preset", name) == bits(grids[name], "--field", text) for name, text in presets.items()))


# ---- Points ----

# Name, input, what it makes, where A and B stand for the values at 12 -0.5 and 13 -0.5, and options.
POINTS = [
    ("blanks", "12 -0.5\n13 -0.5\n", "A\nB\n", "--bits-out"),
    ("tabs, commas, blanks around", "\t12\t-0.5\n  13 , -0.5  \n", "A\nB\n", "--bits-out"),
    ("commas without blanks, also at the end", "12,-0.5\n13,-0.5,\n", "A\nB\n", "--bits-out"),
    ("hexadecimal", "0x1.8p+3 -0x1p-1\n0xD,-0X.8\n", "A\nB\n", "--bits-out"),
    ("exponents and signs", "+1.2e1 -5E-1\n", "A\n", "--bits-out"),
    ("CRLF, no newline at the end", "12 -0.5\r\n13 -0.5", "A\nB\n", "--bits-out"),
    ("comments and blank lines stay where they are", "# x y\n\n12 -0.5\n \n\r\n #13\n13 -0.5\n",
     "# x y\n\nA\n \n\n #13\nB\n", "--bits-out"),
    ("no lines", "", "", ""),
    ("only comments", "# nothing\n", "# nothing\n", ""),
    ("--dims that the lines have", "12 -0.5\n", "A\n", "--bits-out --dims 2"),
    ("--dims any", "12 -0.5\n", "A\n", "--bits-out --dims 2 --dims any"),
    ("nan and inf", "nan 1\n1 inf\n-inf 1\n1e19 0\n", "nan\nnan\nnan\nnan\n", ""),
    ("their bits", "nan 1\n1 1e400\n", "7fc00000\n7fc00000\n", "--bits-out"),
    ("with derivatives", "inf 1\n", "nan nan nan\n", "--with-gradient"),
    ("a grid of one gradient: x less its fade", "0.25 3\n", "0.146484375\n",
     "--frequency 1 --phase none --normalize none --field gradient_grid=[[[1,0]]]"),
    ("a line of 400000 characters", "12" + " " * 300000 + "-0.5" + "0" * 100000 + "\n", "A\n", "--bits-out"),
]
# Input on which points stops, after so many values, and its message.
STOPS = [
    ("1 2\n3 4\n5\n6 7\n", "", 2, "line 3: 1 coordinate; expected 2"),
    ("1 2\n3 4 5\n", "", 1, "line 2: 3 coordinates; expected 2"),
    ("#\n1 2\n\n3 4 5\n", "", 3, "line 4: 3 coordinates; expected 2"),
    ("1 2\n", "--dims 3", 0, "line 1: 2 coordinates; expected 3"),
    ("1 2 3 4 5\n", "", 0, "line 1: 5 coordinates; expected 1 to 4"),
    ("1 2\n1 two\n", "", 1, "line 2: not a number: 'two'"),
    ("1 2x\n", "", 0, "line 1: not a number: '2x'"),
    ("1,,2\n", "", 0, "line 1: not a number: ''"),
    (",1\n", "", 0, "line 1: not a number: ''"),
    ("1 2#3\n", "", 0, "line 1: not a number: '#3'"),
    ("1;2\n", "", 0, "line 1: not a number: '1;2'"),
    ("1 \0132\n", "", 0, "line 1: not a number"),
    ("1 2\n1 2\0003\n", "", 1, "line 2: a zero byte"),
    ("1 2\0", "", 0, "line 1: a zero byte"),
]


def points():
    marks = {mark: run("points --bits-out", text=text).out.decode().strip() for mark, text in
             (("A", "12 -0.5"), ("B", "13 -0.5"))}
    for name, text, want, line in POINTS:
        done = run("points " + line, text=text)
        check(name, done.status == 0 and done.out.decode() == re.sub("[AB]", lambda m: marks[m[0]], want),
              done.out[:200].decode() + done.err)
    for text, line, count, message in STOPS:
        done = run("points " + line, text=text)
        check(f"points stops at {text!r}", done.status == 1 and message in done.err and done.out.count(b"\n") == count,
              done.out.decode() + done.err)
    done = run("points --preset improved", text="1 2 3 4\n")
    check("and at dimensions that the field does not have", done.status == 2 and not done.out and
          "does not exist in 4 dimensions, only in 1, 2, 3" in done.err, done.err)
    done = run("points --with-gradient --frequency 1e39", text="1 2\n")
    check("and at derivatives beyond float", done.status == 2 and not done.out and
          "--with-gradient: derivatives could exceed" in done.err, done.err)
    done = run("points", text="1e300,5\n1 2\ninf 1\n")
    check("positions outside are counted", done.status == 0 and done.err ==
          "perlane points: note: outside the domain, where the value is nan: 2 of 3 positions\n", done.err)
    folder = os.open(".", os.O_RDONLY)
    done = run("points", stdin=folder)
    check("a folder as the input", done.status == 1 and not done.out)
    os.close(folder)
    done = run("points", stdin=None, preexec_fn=lambda: os.close(0))
    check("a closed input", done.status == 1 and not done.out)
    names = subprocess.run(["locale", "-a"], stdout=subprocess.PIPE, check=False).stdout.decode().split()
    commas = [name for name in names if name.startswith("de_DE")]
    for name in commas:
        check("a locale with a decimal comma", run("points --bits-out", text="12 -0.5\n", env={
            **os.environ, "LC_ALL": name}).out.decode() == marks["A"] + "\n")
    if not commas:
        print("not run: points with a decimal comma: no such locale is installed")


# ---- Help ----


def helps():
    text = run("--help").out.decode()
    check("perlane help is perlane --help", run("help") == run("--help"))
    check("perlane --help names the commands", all(word in text for word in
          ("fill", "points", "scatter", "info", "looks", "--help", "--version")) and max(map(len, text.splitlines())) <= 80, text)
    records = parameters()[0]
    for command in ("fill", "points", "scatter", "info", "looks", "verify"):
        done = run(command + " --help")
        text = done.out.decode()
        check(f"{command} --help succeeds and says nothing on stderr", done.status == 0 and not done.err)
        check("has an example, and fits 80 columns", re.search(f"^  .*perlane {command}", text, re.M) and
              max(map(len, text.splitlines())) <= 80)
        options = dict(re.findall(r"^  (?:-.,|   ) --([a-z-]+)(.*(?:\n {20}.*)*)", text, re.M))
        options = {name: re.sub(r"\s+", " ", body) for name, body in options.items()}
        check("has all starting values", all("(default: " in body or "(required)" in body
                                             for name, body in options.items() if name != "help"), options)
        for name, kind, default, _ in records if command in ("fill", "points") else ():
            check(f"and --{name}'s", f"(default: {default})" in options.get(name.replace("_", "-"), ""))
        check(f"{command} -h, and help {command}", run(command + " -h") == run("help " + command) == run("--help " + command) == done)
    check("options before --help do not change it", run("fill --octaves 9 --help") == run("fill --help"))
    check("--version", re.fullmatch(rb"perlane \d+\.\d+\.\d+\S*\n", run("--version").out) and
          run("-V") == run("--version"))


# ---- Limits ----


def limits():
    """What ends early says why; formats.py and outputs.py have what is left then."""
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (16 << 10, 16 << 10))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with open("values", "wb") as file:
        done = run("points", text="".join(f"{i + 0.5}\n" for i in range(20000)), stdout=file, preexec_fn=limit)
    check("values beyond the file size limit", done.status == 1 and "standard output: File too large" in done.err, done)
    os.remove("values")
    # Threads that cannot start: their stacks are larger than any memory.
    done = run("fill -o threads.png --size 512 --threads 64", env={**os.environ, "OMP_STACKSIZE": "1000000G"})
    if done.status == 0:
        print("not run: threads that do not start: this OpenMP starts them with stacks of any size, or does without")
    else:
        check("threads that do not start", "thread" in done.err.lower() and not listing(), done.err)
    if not HAS_FULL:
        print("not run: there is no /dev/full to stand for a full disk")
        return
    for line in ("points", "scatter --basis cellular --from 0 --to 9e4", "fill --help", "points --help", "info", "looks --help", "--help",
                 "--version", "fill -o -"):
        with open("/dev/full", "wb") as full:
            done = run(line, text="1 2\n", stdout=full)
        check(f"a full disk: {line}", done.status == 1 and "standard output: No space left" in done.err, done.err)


sys.exit(run_steps(spellings, reports, range_notes, kernels, processors, options, fields, points, helps, limits))
