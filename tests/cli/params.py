# SPDX-License-Identifier: MIT
"""Tests of options as text: params.py PERLANE WORK.

Covers --field, --params-of, --print-params and the line of text that every map carries. Fields are those of
tests/cases.txt. Random maps come from PERLANE_TEST_SEED, which is printed; PERLANE_TEST_PERCENT makes them fewer or
more.
"""

import io
import os
import random
import re
import struct
import subprocess
import sys
import zlib

from PIL import Image

from command import IS_SANITIZED, PERLANE, ROOT, check, fill, listing, peak, png, read, refused, run, run_steps, same, write

SEED = int(os.environ.get("PERLANE_TEST_SEED") or 1)  # the same on every run
print(f"PERLANE_TEST_SEED={SEED}")
dice = random.Random(SEED)
PERCENT = int(os.environ.get("PERLANE_TEST_PERCENT") or 100)
SETS = max(64 * PERCENT // 100, 8)


# ---- Values ----

def number():
    """A double's text: short, of 17 digits, denormal, hexadecimal, negative."""
    return dice.choice(["", "-"]) + dice.choice([
        "0", str(dice.randrange(1, 100)), f"{dice.random() * 10:.17g}", repr(dice.randrange(1, 1 << 40) * 5e-324),
        dice.uniform(0.01, 9).hex(), repr(dice.uniform(0.1, 1) * 10.0 ** dice.randrange(-300, 6))])


def vector():
    return f"[{dice.uniform(-2, 2)!r},{dice.uniform(-2, 2)!r}]"


HASH256 = "hash_table=[%s]" % ",".join(str(dice.randrange(256)) for _ in range(256))
HASH1024 = "hash_table=[%s]" % ",".join(str(dice.randrange(256)) for _ in range(1024))
VECTORS = "gradient_table=[%s]" % ",".join(vector() for _ in range(38))
GRID = "gradient_grid=[%s]" % ",".join("[%s]" % ",".join(vector() for _ in range(7)) for _ in range(5))


# ---- Reading the line that a map carries ----


def carried(file):
    """Returns the text that a map carries."""
    if file.endswith((".png", ".tif", ".tiff")):
        with Image.open(file) as image:
            return image.text["perlane"] if file.endswith(".png") else image.tag_v2[270]
    comment, line = read(file + ".txt").decode("ascii").splitlines()
    return line if comment.startswith("# ") else None


# ---- The line of a map makes the same map ----

with open(os.path.join(ROOT, "tests/cases.txt"), encoding="utf-8") as file:
    FIELDS = [text for text, result in re.findall(r"^...x text \| ([^:\\\n]*) \| (.*)", file.read(), re.M) if result[0] != "!"]


def some_place(suffix):
    """Random options of a map."""
    options = [f"--size={dice.randrange(5, 30)}x{dice.randrange(5, 20)}"]
    if dice.random() < 0.3:
        options.append("--first=" + dice.choice(["-9223372036854775808,0", "9007199254740993,-3", "0,0", "-5,1024",
                                                 "123456789012345,7"]))
    if dice.random() < 0.5:
        options.append(f"--origin={number()},{number()}")
    if dice.random() < 0.3:
        options.append(f"--step={dice.choice(['2', '0.1,3', '-1e-3'])}")
    picture = dice.random()
    if suffix in ("png", "tif", "tiff") and picture < 0.3:
        options += dice.choice([["--palette=terrain"], ["--shade", "--light=80,20.5"],
                                ["--palette=clouds", "--shade", "--relief=7.1"],
                                ["--normal-map=down", "--bits=16"]])
    elif suffix in ("png", "tif", "tiff", "raw", "npy") and picture < 0.6:
        options.append("--bits=8")
    if suffix not in ("r32", "npy"):
        options.append("--range=" + dice.choice(["-1,1", "auto", "0.1,0.30000001", "-1e-40,1", "1,-1"]))
    return options


def is_refused(done):
    """Whether there is no field of these options."""
    return done.status == 2 and "unknown" not in done.err and "too many" not in done.err


def maps():
    found, refusals, sets = set(), 0, 0
    while sets < SETS:
        suffix = ("png", "tif", "tiff", "r16", "r32", "raw", "npy")[sets % 7]
        field = " ".join([dice.choice(FIELDS), dice.choice(["", "", "", "hash=primes " + HASH1024, HASH256, GRID, VECTORS])])
        options = ["--field", field.replace('""', ""), *some_place(suffix)]
        first, again, pasted = (f"{name}.{suffix}" for name in ("a", "b", "c"))
        done = run("fill -o " + first, *options)
        if is_refused(done):
            refusals += 1
            continue
        sets += 1
        line = carried(first) if done.status == 0 else ""
        runs = [run(f"fill -o {again} --params-of {first}"), run(f"fill -o {pasted} --field", line)]
        check(f"set {sets}: --params-of and the pasted line make the same {suffix}",
              done.status == 0 and [each.status for each in runs] == [0, 0] and
              read(first) == read(again) == read(pasted) and carried(pasted) == line,
              " ".join(options) + "\n" + line + "\n" + done.err + runs[0].err + runs[1].err)
        found.add(read(first).split(b"IDAT", 1)[-1])
    check(f"the maps differ ({len(found)} of {sets}; {refusals} more sets were refused)", len(found) >= SETS * 5 // 8)


POSITIONS = "".join(f"{dice.uniform(-50, 50)!r} {dice.uniform(-9, 9)!r}\n" for _ in range(40))


# ---- What a text lists ----

VERSION = run("--version").out.decode().split()[1]


def lines():
    line = ("fill -o a.png --size 9x5 --seed 18446744073709551615 --gain 0.1 --normalize none "
         "--value-offset=-0 --period 3,4 --preset pnoise --threads 2 --shade=off --origin 0.30000000000000004,7")
    options = run(line + " --print-params")
    check("--print-params makes no file", options.status == 0 and listing() == [], options)
    fill(line[5:])
    line = carried("a.png")
    check("a map's line has the version first", line.startswith(f"perlane={VERSION} "), line)
    check("then what differs from the defaults, the size, the depth and the range, and no more", sorted(line.split()) ==
          sorted(f"perlane={VERSION} seed=18446744073709551615 frequency=1 gradients=pnoise hash=perlin period=3,4 "
                 "gain=0.1 octaves_share=on phase=none normalize=none value_offset=-0 origin=0.30000000000000004,7 size=9x5 bits=16 range=auto"
                 .split()), line)
    check("--print-params prints the same, one option a line", options.out.decode() == line.replace(" ", "\n") + "\n", options.out)
    done = run("fill -o inverted.png --size 4 --range 1,-1")
    check("a note says that a range goes down", "note: --range 1,-1 inverts the map: its low values are white\n" in
          done.err, done.err)
    for file, options, want in (
            ("a.raw", "--size 3x2x4x1", "# 3 x 2 x 4 x 1 samples, x fastest: 16-bit unsigned integers, little-endian; "
             f"0 is -1, 65535 is 1\nperlane={VERSION} size=3x2x4x1 axes=4 bits=16 range=auto\n"),
            ("a.npy", "--size 3x2 --bits 8 --range 0,0.1",
             "# 3 x 2 samples, x fastest: 8-bit unsigned integers; 0 is 0, 255 is 0.1\n"),
            ("a.r32", "--size 3x2", "# 3 x 2 samples, x fastest: 32-bit floats, little-endian\n")):
        fill(f"-o {file} {options}")
        side = read(file + ".txt").decode()
        check(f"the sidecar of {file}", side == want if want.count("\n") > 1 else side.startswith(want), side)
    check("a map can be searched for its options", b"frequency=1 " in read("a.png"))


def tables():
    """Texts have tables, as lists, which are the same in Python."""
    fill("-o a.png --size 9 --hash primes --field", f"{HASH1024} {VECTORS}")
    check("a map carries its tables", carried("a.png").split()[1:] == [
        "hash=primes", "gradients=table", "size=9x9", "bits=16", "range=auto", HASH1024, VECTORS], carried("a.png"))
    check("with which it is verified", run("verify a.png").status == 0)
    equal("another one replaces it", "--params-of a.png --hash table --field", "--field", one_more=[HASH256],
          other_more=[f"{VECTORS} {HASH256}"])
    write("old", f"hash=table {HASH256}")
    equal("or none is needed", "--params-of old --field 'hash_table=none hash=lattice'", "")
    write("old", "hash_table=/etc/hostname")
    refused("no file is opened", 2, "hash_table: expected a list such as [1,2]", "points --params-of old")


# ---- Options change what a text says ----

BASE = "--octaves 3 --frequency 0.3 --seed 5"
TEXT = "--field 'octaves=3 frequency=0.3 seed=5'"
SAME = [
    ("--field sets what its text lists", TEXT, BASE),
    *((f"options {where} {source[:8]} change it", line, BASE.replace("5", "9")) for source in ("--params-of base", TEXT)
      for where, line in (("after", source + " --seed 9"), ("before", "--seed 9 " + source))),
    ("--field changes --params-of", "--field seed=9 --params-of base", BASE.replace("5", "9")),
    ("a later --field changes an earlier one", TEXT + " --field seed=9", BASE.replace("5", "9")),
    ("a preset replaces --params-of", "--params-of base --preset compass --frequency 0.2",
     "--preset compass --frequency 0.2"),
    ("--field changes a preset", "--field frequency=0.2 --preset compass", "--preset compass --frequency 0.2"),
    ("another hash drops a table", "--params-of table --hash perlin", BASE + " --hash perlin"),
    ("primes drops a table of 256", "--params-of table --hash primes", BASE + " --hash primes"),
    ("another table replaces a grid", f"--params-of grid.p --field {HASH256}", f"{BASE} --field {HASH256}"),
    ("a grid replaces a table", f"--params-of table --field {GRID}", f"{BASE} --field {GRID}"),
    ("a grid replaces a grid", f"--params-of grid.p --field {GRID}", f"{BASE} --field {GRID}"),
    ("another gradient set drops vectors", "--params-of vectors.p --gradients axis4", BASE + " --gradients axis4"),
    ("--params-of takes a sidecar", "--params-of a.raw.txt", ""),
    ("points take the line of a map", "--params-of a.png", BASE),
]


def equal(name, one, other, one_more=(), other_more=()):
    found = [run("points --bits-out " + options, *more, text=POSITIONS) for options, more in ((one, one_more), (other, other_more))]
    check(name, found[0] == found[1] and found[0].status == 0, found[0].err + found[1].err)


def save(name, options):
    write(name, run("points --print-params " + options).out)


def changes():
    for name, options in (("base", ""), ("table", f"--field {HASH256}"), ("grid.p", f"--field {GRID}"),
                          ("primes", f"--hash primes --field {HASH1024}"), ("vectors.p", f"--field {VECTORS}")):
        save(name, f"{BASE} {options}")
    fill("-o a.raw --size 4")
    fill(f"-o a.png --size 20x10 --range auto {BASE}")
    for case in SAME:
        equal(*case)
    refused("table drops one of 1024", 2, "hash=table needs hash_table",
            "points --params-of primes --hash table --dims 2")
    refused("", 2, "--params-of takes one file", "points --params-of base --params-of a.png")
    save("own", f"--dims 2 --with-gradient --bits-out {BASE}")
    save("again", "--params-of own")
    first = run(f"points --dims 2 --with-gradient --bits-out {BASE}", text=POSITIONS)
    check("options of points are saved", b"dims=2\nwith_gradient=on\nbits_out=on" in read("own"))
    again = run("points --params-of own", text=POSITIONS)
    pasted = run("points --field", read("own").decode(), text=POSITIONS)
    check("and give the same values and options", first == again == pasted and first.status == 0 and
          first.out.count(b"\n") == 40 and read("own") == read("again"), first.err + again.err + pasted.err)
    for saved in ("base", "own"):
        fill(f"-o b.png --params-of {saved} --size 20x10 --range auto")
        same(f"fill takes the options of points: {saved}", "a.png", "b.png")


# ---- Texts by hand ----

GOOD = [
    ("preset=improved frequency=0.3 seed=0xFF octaves=4", "--preset improved --frequency 0.3 --seed 255 --octaves 4"),
    (f"perlane={VERSION} preset=improved frequency=0.3", "--preset improved --frequency 0.3"),
    (f"frequency=0.3 {HASH256}", f"--frequency 0.3 --field {HASH256}"),
    (f"{VECTORS} hash=perlin gradients=axis4 gradient_table=none", "--hash perlin --gradients axis4"),
    (f"frequency=0.3 {GRID} seed=5", f"--frequency 0.3 --field {GRID} --seed 5"),
    ("# seed=9\r\n\t\fseed=5 #\n  # x\n octaves=3 # [\n#", "--seed 5 --octaves 3"),
    ("octaves-share=on fractal=ping-pong octaves=3", "--octaves-share on --fractal ping_pong --octaves 3"),
    ("seed=4 octaves=3 seed=5", "--seed 5 --octaves 3"), ("perlane=9.9.9", ""), ("#", ""),
]

# ---- Texts that make no sense ----

BAD = [
    ("octaves", "'octaves': expected NAME=VALUE without blanks"),
    ("=3", "'=3': expected NAME=VALUE without blanks"),
    ("seed=1 preset=improved", "'preset=improved': a preset must come before all other options"),
    ("seed=1 perlane=1.0.0", "'perlane=1.0.0': unknown option"),
    ("perlane=0.99.0 sead=1",
     f"; the text is from perlane 0.99.0, and this is {VERSION}"),
    ("threads=3", "unknown option"),
    ("size=0x3", "'size=0x3': expected WIDTHxHEIGHT"),
    ("shade=1", "'shade=1': expected one of off, on"),
    ("n" * 1000 + "=1", "'" + "n" * 40 + "...': unknown option"),
    ("\x1b]0;x\x07=1", "\\x1B]0;x\\x07"),
    ("{}", "'{}': expected NAME=VALUE without blanks"),
]
# Entries that do not go together.
CONTRARY = [
    ("gain=1e200 octaves=3", "gain=1e200 makes"),
    ("normal_map=on palette=land", "--normal-map excludes --palette and --shade"),
]
# Texts that are wrong at a character, and in a line.
PLACES = [
    ("seed=1 octaves=99", "character 8", "line 1"), ("  sead=1", "character 3", "line 1"),
    ("\n\n  sead=1", "character 5", "line 3"), ("seed=1\n# 3\n\r\nhash=x\n", "character 14", "line 4"),
]


def texts():
    for text, options in GOOD:
        write("p.txt", text)
        equal(f"{text[:60]!r}, with --params-of", "--params-of p.txt", options)
        write("q", "")
        check("with --field", run("points --bits-out --field", text, text=POSITIONS) ==
              run("points --bits-out " + options, text=POSITIONS))
    for text, message in BAD:
        write("p.txt", "\n\n" + text)
        refused(f"in a file: {text[:60]!r}", 1, message, "fill -o x.png --params-of p.txt")
        check("and in which file", run("points --params-of p.txt").err.startswith("perlane points: 'p.txt'"))
        if len(text) < 10000:
            refused(f"with --field: {text[:60]!r}", 2, message, "fill -o x.png --field", text)
    for text, character, line in PLACES:
        write("p.txt", text)
        refused(f"{text!r}", 2, f"--field, {character}: ", "points --field", text)
        refused(f"{text!r}, in a file", 1, f"'p.txt' {line}: ", "points --params-of p.txt")
    for content in (b"seed=1\x00", b"\0", b""):
        write("p.txt", content)
        refused(f"{content!r}", 1, "it carries no options", "points --params-of p.txt")
    write("p.txt", b"seed=\xff\xc3\xa9")
    refused("bytes that are not UTF-8", 1, "not '\\xFF\u00e9'", "points --params-of p.txt")
    write("p.txt", b"\xef\xbb\xbfseed=5")
    equal("a byte-order mark is skipped", "--params-of p.txt", "--seed 5")
    for text, message in CONTRARY:
        write("p.txt", text)
        for options in ("--params-of p.txt", f"--field '{text}'"):
            refused("", 2, message, "fill -o x.png " + options)
    for name, message in (("none", "No such file"), (".", "Is a directory"), ("/dev/zero", "not a regular file")):
        refused("", 1, f"cannot read the options of '{name}': ", "points --params-of", name)
        check("with the reason", message in run("points --params-of", name).err)


def bounds():
    """Files are read up to a bound of their size."""
    with open("huge.txt", "wb") as file:
        file.write(b"seed=1\n" * (1 << 20))
    os.symlink("huge.txt", "huge.raw.txt")
    write("huge.raw", b"\x80")
    for options, message in (("--params-of huge.txt", "larger than 4 MiB"),
                             ("--params-of huge.raw", "larger than 4 MiB")):
        status, most, error = peak("points " + options)
        check(f"{options} of 7 MB is refused unread, with the bound", status == 1 and message in error and
              most < (2000 if IS_SANITIZED else 20), f"{status}, {most} MiB\n{error}")
    done = subprocess.run(["sh", "-c", 'yes "" | "$0" points --params-of /dev/stdin', PERLANE], capture_output=True,
                          text=True, check=False)
    check("an endless text is refused after the bound", done.returncode == 1 and "larger than 4 MiB" in done.stderr)


# ---- Files that carry options ----

CARRIED = "perlane=1.0.0 seed=18446744073709551615 frequency=0.3 octaves=3 size=5x5"
FIELD = "--seed 18446744073709551615 --frequency 0.3 --octaves 3"


def tiff(text):
    """A page of one pixel with an ImageDescription."""
    file = io.BytesIO()
    Image.new("L", (1, 1)).save(file, "TIFF", description=text)
    return file.getvalue()


PIXELS = (b"IDAT", zlib.compress(b"\0\x80"))
BYTES = CARRIED.encode()
CARRIERS = {
    "png, tEXt": png((b"tEXt", b"Title\0other"), (b"tEXt", b"perlane\0" + BYTES), PIXELS),
    "png, zTXt": png((b"zTXt", b"perlane\0\0" + zlib.compress(BYTES)), PIXELS),
    "png, iTXt": png((b"iTXt", b"perlane\0\0\0\0\0" + BYTES), PIXELS),
    "png, packed iTXt": png((b"iTXt", b"perlane\0\1\0en\0x\0" + zlib.compress(BYTES)), PIXELS),
    "png, after the pixels": png(PIXELS, (b"tEXt", b"perlane\0" + BYTES)),
    "png, after chunks that make no sense": png((b"iCCP", b"x"), (b"gAMA", b""), (b"tEXt", b"perlane\0" + BYTES), PIXELS),
    "tiff": tiff(CARRIED),
}
BESIDE = {
    "npy": b"\x93NUMPY\x01\0", "file of samples": b"\x80\0", "file of no bytes": b"",
    "file that begins as a TIFF": b"II*\0\x80\x80",
    "png of another program": png(PIXELS),
}
NONE = "cannot read the options of 'map': it carries no options, and there is no file of this name and .txt"
WHOLE = CARRIERS["png, after the pixels"]
# Files without options, or damaged ones, by what is said of them.
WRONG = {
    NONE: [png(PIXELS), png((b"tEXt", b"perlane 2\0" + BYTES), PIXELS), tiff("a map"), tiff("a"),
           b"\0hello", b""],
    "it ends too early": [WHOLE[:n] for n in (8, 20, 33, 50, len(WHOLE) - 30)],
    "larger than 4 MiB": [tiff("perlane=" + " " * (5 << 20))],
    "cannot read the options of 'map': ": [
        b"II*\0", b"MM\0*\xff\xff\xff\xff", tiff(CARRIED)[:60], WHOLE.replace(b"seed", b"sead"), WHOLE[:33] + b"\0" * 99,
        b"II+\0\x08\0\0\0" + struct.pack("<QQ", 16, 1 << 60) + b"\0" * 99,
        png((b"zTXt", b"perlane\0\0" + zlib.compress(BYTES)[:-9]), PIXELS),
        png((b"zTXt", b"perlane\0\0" + zlib.compress(b" " * (64 << 20))), PIXELS),
        png((b"tEXt", b"perlane\0" + b" " * (5 << 20)), PIXELS), WHOLE[:33] + b"\x7f\xff\xff\xfftEXtperlane\0seed=1"],
}


def carriers():
    for kind, data in CARRIERS.items():
        write("map", data)
        equal(f"the options of a {kind}", "--params-of map", FIELD)
    write("map.txt", "# " + CARRIED.replace("=3", "=4") + "\n" + CARRIED + "\n")
    for kind, data in BESIDE.items():
        write("map", data)
        equal(f"the options beside a {kind}", "--params-of map", FIELD)
    write("map", b"\x80")
    for content, message in ((b"\0", "a zero byte"), (b"x", "expected NAME=VALUE without blanks")):
        write("map.txt", content)
        refused(f"beside it {content!r}", 1, message, "fill -o x.png --params-of map")
    os.remove("map.txt")
    for message, files in WRONG.items():
        for n, data in enumerate(files):
            write("map", data)
            refused(f"{message}, case {n}", 1, message, "fill -o x.png --params-of map")
            check("and not as another", (message == NONE) == (NONE in run("points --params-of map").err))
    write("map", png((b"tEXt", b"perlane\0perlane=1.0.0 seed"), PIXELS))
    done = run("fill -o x.png --params-of map")
    check("--params-of does not recommend itself", done.status == 1 and
          done.err.endswith("line 1: 'seed': expected NAME=VALUE without blanks\n"), done.err)
    for n in range(max(200 * PERCENT // 100, 20)):
        kind = dice.choice(sorted(CARRIERS))
        data = bytearray(CARRIERS[kind])
        for _ in range(dice.randrange(1, 4)):
            data[dice.randrange(len(data))] = dice.randrange(256)
        write("map", bytes(data))
        done = run("points --params-of map")
        if done.status not in (0, 1, 2) or (done.status and not done.err.startswith("perlane points: ")):
            check(f"a byte of a {kind} changed", False, done)
    check(f"{n + 1} files with bytes changed give a result or say what is wrong", n > 0)
    refused("a map that is not there", 1, "cannot read the options of 'nothing': No such file",
            "points --params-of nothing")


sys.exit(run_steps(maps, lines, tables, changes, texts, bounds, carriers))
