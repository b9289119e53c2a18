# SPDX-License-Identifier: MIT
"""Tests of options as text: python3 params.py PERLANE WORK, where WORK is a directory to write in.

Covers --field, --params, --params-of, --save-params and the line of text that every map carries.
Prints a line per check, ends with their number, and exits with 1 if any failed. Random options come
from PERLANE_TEST_SEED, which is printed; PERLANE_TEST_PERCENT makes them fewer or more. Maps that
carry options are read and written here byte by byte, as the formats' specifications define them.
"""

import os
import random
import shutil
import struct
import subprocess
import sys
import zlib

sys.dont_write_bytecode = True  # the source stays as it is
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from checks import check, total

if len(sys.argv) != 3:
    sys.exit("usage: python3 params.py PERLANE WORK")
PERLANE = os.path.abspath(sys.argv[1])
WORK = os.path.abspath(sys.argv[2])
shutil.rmtree(WORK, ignore_errors=True)
os.makedirs(WORK)
os.chdir(WORK)
for variable in ("PERLANE_ISA", "POSIXLY_CORRECT"):
    os.environ.pop(variable, None)
SEED = int(os.environ.get("PERLANE_TEST_SEED") or 1)  # the same on every run
print(f"PERLANE_TEST_SEED={SEED}")
dice = random.Random(SEED)
PERCENT = int(os.environ.get("PERLANE_TEST_PERCENT") or 100)
SETS = max(64 * PERCENT // 100, 8)


def run(*arguments, text=None):
    """Returns the status, stdout and stderr of the command."""
    done = subprocess.run([PERLANE, *arguments], input=text or "", text=True, capture_output=True,
                          errors="replace", check=False)
    return done.returncode, done.stdout, done.stderr


def write(name, content):
    with open(name, "wb" if isinstance(content, bytes) else "w") as file:
        file.write(content)
    return name


def read(name):
    with open(name, "rb") as file:
        return file.read()


def fails(name, status, text, *arguments):
    """The command exits so, says so, and leaves no file x.png."""
    got = run(*arguments)
    check(name, got[0] == status and text in got[2] and got[1] == "" and
          not os.path.exists("x.png"), f"status {got[0]}, expected {status} and: {text}\n{got[2]}")


# ---- Files of tables ----

def number():
    """A double's text: short, of 17 digits, denormal, hexadecimal, negative."""
    kind = dice.randrange(6)
    sign = dice.choice(["", "-"])
    if kind == 0:
        return f"{sign}{dice.randrange(1, 100)}"
    if kind == 1:
        return f"{sign}{dice.random() * 10:.17g}"
    if kind == 2:
        return f"{sign}{dice.randrange(1, 1 << 40) * 5e-324!r}"
    if kind == 3:
        return sign + dice.uniform(0.01, 9).hex()
    if kind == 4:
        return f"{sign}{dice.uniform(0.1, 1) * 10.0 ** dice.randrange(-300, 6)!r}"
    return f"{sign}0"


def component():
    """A gradient's component whose float takes 9 digits, is denormal, or a zero with a sign."""
    return dice.choice([f"{dice.uniform(-2, 2):.17g}", f"{dice.randrange(1, 999) * 2.0 ** -149!r}",
                        "-0", "0", "-1", f"{dice.uniform(-1e6, 1e6)!r}", "0x1.fffffep-3"])


write("table256", "\n".join(str(dice.randrange(256)) for _ in range(256)))
write("table1024", " ".join(str(dice.randrange(256)) for _ in range(1024)))
write("vectors", "1,0.25\n" + "".join(f"{component()},{component()}\n" for _ in range(37)))
write("grid", "".join(f"{component()},{component()}\n" + "\n" * (n % 7 == 6)
                          for n in range(34)) + "1,0.5\n")

# ---- Reading the line that a map carries ----


def text_of_png(data):
    at = 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"tEXt" and body.startswith(b"perlane\0"):
            return body[8:].decode("ascii")
        at += 12 + size
    return None


def text_of_tiff(data):
    order = "<" if data[:2] == b"II" else ">"
    big = struct.unpack(order + "H", data[2:4])[0] == 43
    size, head, entry = (8, "Q", 20) if big else (4, "H", 12)
    number = "Q" if big else "I"
    at, = struct.unpack(order + number, data[size:2 * size])
    count, = struct.unpack_from(order + head, data, at)
    at += struct.calcsize(head)
    for i in range(count):
        tag, _, length, place = struct.unpack_from(order + "HH" + 2 * number, data, at + i * entry)
        if tag == 270:
            return data[place:place + length].rstrip(b"\0").decode("ascii")
    return None


def carried(file):
    """Returns the text that a map carries."""
    if file.endswith(".png"):
        return text_of_png(read(file))
    if file.endswith((".tif", ".tiff")):
        return text_of_tiff(read(file))
    if file.endswith(".pgm"):
        return read(file).split(b"\n")[1].decode("ascii").removeprefix("# ")
    comment, line = read(file + ".txt").decode("ascii").splitlines()
    return line if comment.startswith("# ") else None


# ---- The line of a map makes the same map ----


def some_options():
    """Returns random options of a field. Not all sets of them make a field."""
    pick = dice.choice
    options = {}

    def maybe(name, value, chance=0.3):
        if dice.random() < chance:
            options[name] = value() if callable(value) else value

    maybe("--preset", lambda: pick(["improved", "diagonal", "circle", "axis", "compass", "pnoise",
                                    "classic"]))
    maybe("--seed", lambda: pick([str(dice.getrandbits(64)), "0", "18446744073709551615",
                                  "0xFFFFFFFFFFFFFFFF", "9223372036854775808", "9007199254740993"]),
          0.7)
    options["--frequency"] = pick([f"{dice.random():.17g}", "0.125", (dice.random() / 3).hex()])
    maybe("--basis", lambda: pick(["value", "white", "perlin"]), 0.1)
    tables = dice.randrange(8)
    if tables == 0:
        options["--hash-table"] = "table256"
    elif tables == 1:
        options.update({"--hash": "primes", "--hash-table": "table1024"})
    elif tables == 2:
        options["--gradient-grid"] = "grid"
    else:
        maybe("--hash", lambda: pick(["lattice", "perlin", "shuffled", "primes"]))
    if dice.random() < 0.2:
        options["--gradient-table"] = "vectors"
    else:
        maybe("--gradients", lambda: pick(["axis4", "diagonal4", "compass8", "sphere", "pnoise"]))
    maybe("--fade", lambda: pick(["cubic", "linear"]))
    maybe("--octaves", lambda: str(dice.randrange(1, 9)), 0.6)
    maybe("--lacunarity", lambda: pick([f"{dice.uniform(1, 3):.17g}", "2", "3"]), 0.2)
    maybe("--gain", lambda: pick([f"{dice.uniform(-1, 1):.17g}", "0", "-0", "4.9e-324"]))
    maybe("--octaves-share", lambda: pick(["on", "off"]))
    maybe("--phase", lambda: pick(["seeded", "none"]))
    maybe("--fractal", lambda: pick(["none", "ridged", "billow", "ping_pong"]))
    maybe("--ping-pong-strength", lambda: f"{dice.uniform(0.1, 9):.17g}")
    maybe("--weighted-strength", lambda: f"{dice.random():.17g}")
    maybe("--period", lambda: ",".join(str(dice.randrange(9)) for _ in range(dice.randrange(1, 5))),
          0.2)
    maybe("--table-offset", lambda: f"{dice.randrange(-(1 << 31), 1 << 31)},-3")
    maybe("--normalize", lambda: pick(["full", "octaves", "none"]))
    maybe("--amplitude", number, 0.2)
    maybe("--contrast", lambda: str(dice.randrange(1, 5)), 0.2)
    maybe("--value-scale", number, 0.2)
    maybe("--value-offset", number, 0.3)
    return options


def words(options):
    return [f"{name}={value}" for name, value in options.items()]


def is_refused(done):
    """Returns whether there is no field of these options."""
    status, _, error = done
    return status == 2 and "unknown" not in error and "too many" not in error


FIRSTS = ["-9223372036854775808,0", "9007199254740993,-3", "0,0", "-5,1024", "123456789012345,7"]
SUFFIXES = ["png", "tif", "tiff", "r16", "r32", "raw", "pgm", "pfm", "npy"]
maps, refused, sets = set(), 0, 0
while sets < SETS:
    suffix = SUFFIXES[sets % len(SUFFIXES)]
    options = words(some_options())
    options += [f"--size={dice.randrange(5, 30)}x{dice.randrange(5, 20)}"]
    if dice.random() < 0.3:
        options.append(f"--first={dice.choice(FIRSTS)}")
    if dice.random() < 0.5:
        options.append(f"--origin={number()},{number()}")
    if dice.random() < 0.3:
        options.append(f"--step={dice.choice(['2', '0.1,3', '-1e-3'])}")
    picture = dice.random()
    if suffix in ("png", "tif", "tiff") and picture < 0.3:
        options += dice.choice([["--palette=terrain"], ["--shade", "--light=80,20.5"],
                                ["--palette=clouds", "--shade", "--relief=7.1"],
                                ["--normal-map", "--normal-y=down", "--bits=16"]])
    elif suffix in ("png", "tif", "tiff", "raw", "pgm", "npy") and picture < 0.6:
        options.append("--bits=8")
    if suffix.startswith("tif") and dice.random() < 0.5:
        options += ["--compression=none"]
    if suffix not in ("r32", "pfm", "npy"):
        options.append("--range=" + dice.choice(["-1,1", "auto", "0.1,0.30000001", "-1e-40,1",
                                                 "1,-1"]))
    first, again, pasted = (f"{name}.{suffix}" for name in ("a", "b", "c"))
    status, out, error = done = run("fill", "-o", first, *options)
    if is_refused(done):
        refused += 1
        continue
    sets += 1
    line = carried(first) if status == 0 else ""
    runs = [run("fill", "-o", again, "--params-of", first),
            run("fill", "-o", pasted, "--field", line)]
    check(f"set {sets}: --params-of and the pasted line make the same {suffix}",
          status == 0 and [done[0] for done in runs] == [0, 0] and
          read(first) == read(again) == read(pasted) and carried(pasted) == line,
          " ".join(options) + "\n" + line + "\n" + error + runs[0][2] + runs[1][2])
    maps.add(read(first).split(b"IDAT", 1)[-1])
check(f"the maps differ ({len(maps)} of {sets}; {refused} more sets were refused)",
      len(maps) >= SETS * 5 // 8)

POSITIONS = "".join(f"{dice.uniform(-50, 50)!r} {dice.uniform(-9, 9)!r}\n" for _ in range(40))
values, sets = set(), 0
while sets < SETS:
    field = words(some_options()) + dice.choice([[], ["--with-gradient"], ["--dims=2"]])
    field += ["--bits-out"]
    first = run("points", "--save-params", "p.txt", *field, text=POSITIONS)
    if is_refused(first):
        continue
    sets += 1
    second = run("points", "--params", "p.txt", "--save-params", "q.txt", text=POSITIONS)
    third = run("points", "--field", read("p.txt").decode(), text=POSITIONS)
    check(f"points, set {sets}: --params and --field give the same values",
          first[0] == 0 and first[1].count("\n") == 40 and first == second == third and
          read("p.txt") == read("q.txt"), " ".join(field) + "\n" + first[2] + second[2] + third[2])
    values.add(first[1])
check(f"the values differ ({len(values)} of {sets})", len(values) >= SETS * 3 // 4)

# ---- What a text lists ----

VERSION = run("--version")[1].split()[1]
run("fill", "-o", "a.png", "--size", "9x5", "--save-params", "a.txt", "--seed",
    "18446744073709551615", "--gain", "0.1", "--normalize", "none", "--value-offset=-0", "--period",
    "3,4", "--preset", "pnoise", "--threads", "2", "--isa", "scalar", "--shade=off")
LINE = (f"perlane={VERSION} seed=18446744073709551615 frequency=1 gradients=pnoise hash=perlin "
        "period=3,4 gain=0.1 octaves_share=on phase=none normalize=none value_offset=-0 size=9x5 "
        "bits=16 range=-1,1")
line = carried("a.png")
check("a map's line has the version first", line.startswith(f"perlane={VERSION} "), line)
check("then what differs from the defaults, the size, the depth and the range, and no more",
      sorted(line.split()) == sorted(LINE.split()), line)
check("--save-params writes the same, one option a line",
      read("a.txt").decode() == line.replace(" ", "\n") + "\n", read("a.txt"))
# Settings of 0.5 that mean the default now.
OLD = "perlane=0.5.0 seed=5 bigtiff=on compression=lzw size=9x5 bits=16 range=-1,1"
run("fill", "-o", "old.tif", "--field", OLD)
run("fill", "-o", "new.tif", "--seed", "5", "--size", "9x5", "--bits", "16")
check("options of 0.5 that are gone are read as the default", read("old.tif") == read("new.tif"))
write("old.txt", OLD.replace(" ", "\n"))
check("also from a file", run("points", "--params", "old.txt", text="1 2\n")[:2] ==
      run("points", "--seed", "5", text="1 2\n")[:2])
run("fill", "-o", "default.raw", "--size", "3x2x4x1")
side = read("default.raw.txt").decode()
check("a sidecar is a comment and the line", side == (
    "# 3 x 2 x 4 x 1 samples, x fastest: 16-bit unsigned integers, little-endian; 0 is -1, 65535 is 1"
    f"\nperlane={VERSION} size=3x2x4x1 axes=4 bits=16 range=-1,1\n"), side)
run("fill", "-o", "default.npy", "--size", "3x2", "--bits", "8", "--range", "0,0.1")
side = read("default.npy.txt").decode()
check("which describes bytes and the range", side.startswith(
    "# 3 x 2 samples, x fastest: 8-bit unsigned integers; 0 is 0, 255 is 0.1\n"), side)
run("fill", "-o", "default.pfm", "--size", "3x2")
check("and floats", read("default.pfm.txt").startswith(
    b"# 3 x 2 samples, x fastest: 32-bit floats, little-endian\n"))
check("a map can be searched for its options", b"frequency=1 " in read("a.png"))
run("fill", "-o", "b.png", "--size", "5x5", "--hash", "primes", "--hash-table", "table1024",
    "--gradient-table", "vectors", "--save-params", "b.txt")
line = carried("b.png")
entries = dict(entry.split("=", 1) for entry in line.split())
check("a hash table is a list", entries["hash_table"] ==
      "[" + ",".join(read("table1024").decode().split()) + "]")


def to_float(word):
    value = float.fromhex(word) if "x" in word else float(word)
    return struct.pack("f", value)


floats = [[to_float(word) for word in line.split(",")]
          for line in read("vectors").decode().split()]
check("gradients are lists, to the bit", [[to_float(word) for word in vector.split(",")] for vector in
                                          entries["gradient_table"][2:-2].split("],[")] == floats)
run("fill", "-o", "b.png", "--size", "5x5", "--gradient-grid", "grid", "--save-params", "b.txt")
grid = dict(entry.split("=", 1) for entry in read("b.txt").decode().split())["gradient_grid"]
rows = [row.split("],[") for row in grid[3:-3].split("]],[[")]
check("a gradient grid is a list of rows", [len(row) for row in rows] == [7] * 5 and
      rows[4][6] == "1,0.5", grid)
fails("where saved options cannot be written", 1, "cannot write 'missing/a.txt': No such file",
      "points", "--save-params", "missing/a.txt")
os.mkdir("own")
for file, saved in (("own/a.png", "own/a.png"), ("own/a.png", "./own//../own/a.png"),
                    ("own/a.raw", "own/a.raw.txt"), ("own/a.npy", "./own/a.npy.txt")):
    status, out, error = run("fill", "-o", file, "--size", "4", "--save-params", saved)
    check(f"{saved} is refused for the options of {file}",
          status == 2 and not out and "take another name" in error and not os.listdir("own"), error)
status, out, error = run("fill", "-o", "own/a.r16", "--for", "unreal", "--size", "127",
                         "--save-params", "own/a.r16.json")
check("as is the file that Unreal reads", status == 2 and not os.listdir("own"), error)
run("fill", "-o", "own/a.png", "--size", "4")
content = read("own/a.png")
os.symlink("a.png", "own/b.txt")
status, out, error = run("fill", "-o", "own/a.png", "--size", "5", "--save-params", "own/b.txt")
check("and a link to the map", status == 2 and read("own/a.png") == content, error)
status, out, error = run("fill", "-o", "own/a.png", "--size", "4", "--save-params", "own/a.png.txt")
check("but not a file beside a map that carries its own", status == 0, error)
status, out, error = run("fill", "-o", "-", "--size", "4", "--save-params", "own/-")
check("nor one beside the standard output", status == 0, error)

# ---- A large grid ----

with open("large", "w", encoding="ascii") as file:
    for n in range(257 * 257):
        file.write(f"{n * 7 % 11 - 5},{n * 3 % 7 + 1}\n" + "\n" * (n % 257 == 256))
status, out, error = run("fill", "-o", "a.png", "--size", "40", "--frequency", "0.3",
                         "--gradient-grid", "large", "--save-params", "large.txt")
check("a note says that a map does not carry a large grid", status == 0 and
      "note: the map does not carry the gradient grid, which has more than 65536 points; "
      "--save-params does" in error, error)
check("and it does not", "gradient_grid" not in carried("a.png") and "hash=grid" in carried("a.png"))
fails("so its options need the grid", 2, "hash=grid needs gradient_grid", "fill", "-o",
      "x.png", "--params-of", "a.png")
status, out, error = run("fill", "-o", "b.png", "--params-of", "a.png", "--gradient-grid",
                         "large")
check("with which they make the same map", status == 0 and read("a.png") == read("b.png"), error)
status, out, error = run("fill", "-o", "b.png", "--params", "large.txt")
check("saved options have all of it", status == 0 and read("a.png") == read("b.png"), error)
status, out, error = run("fill", "-qo", "b.png", "--params", "large.txt")
check("--quiet leaves the note out", status == 0 and error == "", error)

# ---- Options change what a text says ----


def bits(*arguments):
    done = run("points", "--bits-out", *arguments, text=POSITIONS)
    return done[1] if done[0] == 0 else done


def equal(name, one, other):
    check(name, bits(*one) == bits(*other) and isinstance(bits(*one), str), bits(*one))


base = ["--octaves", "3", "--frequency", "0.3", "--seed", "5"]
text = "octaves=3 frequency=0.3 seed=5"
run("points", "--save-params", "base.txt", *base)
run("points", "--save-params", "table.txt", *base, "--hash-table", "table256")
run("points", "--save-params", "primes.txt", *base, "--hash", "primes", "--hash-table", "table1024")
run("points", "--save-params", "grid.txt", *base, "--gradient-grid", "grid")
run("points", "--save-params", "vectors.txt", *base, "--gradient-table", "vectors")
equal("--field sets what its text lists", ["--field", text], base)
for source in (["--params", "base.txt"], ["--field", text]):
    equal(f"options after {source[0]} change it", [*source, "--seed", "9"], [*base, "--seed", "9"])
    equal("and options before it", ["--seed", "9", *source], [*base, "--seed", "9"])
equal("--field changes --params", ["--field", "seed=9", "--params", "base.txt"],
      [*base, "--seed", "9"])
equal("a later --field changes an earlier one", ["--field", text, "--field", "seed=9"],
      [*base, "--seed", "9"])
equal("a preset replaces --params", ["--params", "base.txt", "--preset", "compass", "--frequency",
                                     "0.2"], ["--preset", "compass", "--frequency", "0.2"])
equal("--field changes a preset", ["--field", "frequency=0.2", "--preset", "compass"],
      ["--preset", "compass", "--frequency", "0.2"])
equal("another hash drops a table", ["--params", "table.txt", "--hash", "perlin"],
      [*base, "--hash", "perlin"])
equal("primes drops a table of 256", ["--params", "table.txt", "--hash", "primes"],
      [*base, "--hash", "primes"])
fails("table drops one of 1024", 2, "hash=table needs hash_table", "points", "--params",
      "primes.txt", "--hash", "table", "--dims", "2")
equal("another table replaces a grid", ["--params", "grid.txt", "--hash-table", "table256"],
      [*base, "--hash-table", "table256"])
equal("a grid replaces a table", ["--params", "table.txt", "--gradient-grid", "grid"],
      [*base, "--gradient-grid", "grid"])
equal("a grid replaces a grid", ["--params", "grid.txt", "--gradient-grid", "grid"],
      [*base, "--gradient-grid", "grid"])
equal("another gradient set drops vectors", ["--params", "vectors.txt", "--gradients", "axis4"],
      [*base, "--gradients", "axis4"])
fails("--params and --params-of", 2, "exclude each other", "points", "--params", "base.txt",
      "--params-of", "a.png")
run("fill", "-o", "a.raw", "--size", "4")
for map_file in "a.png", "a.raw":
    fails(f"--params of {map_file}", 1, "it is a map, and --params-of reads what it carries",
          "points", "--params", map_file)
equal("--params takes a sidecar", ["--params", "a.raw.txt"], [])
for text_file in "base.txt", "large.txt":
    fails(f"--params-of {text_file}", 1, "it is no map, but a text of options; --params reads it",
          "points", "--params-of", text_file)
run("fill", "-o", "a.png", "--size", "20x10", "--range", "auto", *base)
equal("points take the line of a map", ["--params-of", "a.png"], base)
status, out, error = run("fill", "-o", "b.png", "--params", "base.txt", "--size", "20x10",
                         "--range", "auto")
check("and fill takes the options of points", status == 0 and read("a.png") == read("b.png"), error)
run("points", "--save-params", "p.txt", "--dims", "2", "--with-gradient", "--bits-out", *base)
check("whose own options are saved", "dims=2\nwith_gradient=on\nbits_out=on" in
      read("p.txt").decode())
status, out, error = run("fill", "-o", "b.png", "--params", "p.txt", "--size", "20x10", "--range",
                         "auto")
check("and have no effect on fill", status == 0 and read("a.png") == read("b.png"), error)

# ---- Texts by hand ----

hash_list = ",".join(read("table256").decode().split())
for name, text, options in (
        ("a preset and a hexadecimal seed", "preset=improved frequency=0.3 seed=0xFF octaves=4",
         ["--preset", "improved", "--frequency", "0.3", "--seed", "255", "--octaves", "4"]),
        ("a version before the preset", f"perlane={VERSION} preset=improved frequency=0.3",
         ["--preset", "improved", "--frequency", "0.3"]),
        ("a table implies its hash", f"frequency=0.3 hash_table=[{hash_list}]",
         ["--frequency", "0.3", "--hash-table", "table256"]),
        ("blanks in a list", "frequency=0.3 gradient_table=[ [1, 0] ,[ -1,0],\n[0,1] , [0,-1] ] "
         "hash=perlin normalize=none",
         ["--frequency", "0.3", "--hash", "perlin", "--normalize", "none", "--gradients", "axis4"]),
        ("a grid", "frequency=0.3 gradient_grid=[[[1,0],[0,1]],[[-1,0],[0,-1]]] seed=5",
         ["--frequency", "0.3", "--gradient-grid", "small", "--seed", "5"]),
        ("white space and comments", "# seed=9\r\n\t\fseed=5#\n  # x\n octaves=3 # [\n#",
         ["--seed", "5", "--octaves", "3"]),
        ("words joined by dashes", "octaves-share=on fractal=ping-pong octaves=3",
         ["--octaves-share", "on", "--fractal", "ping_pong", "--octaves", "3"]),
        ("the last of two values", "seed=4 octaves=3 seed=5", ["--seed", "5", "--octaves", "3"]),
        ("no options", " ", []), ("an empty text", "", []), ("a version alone", "perlane=9.9.9", [])):
    write("small", "1,0\n0,1\n\n-1,0\n0,-1\n")
    text = text.replace("seed=5#", "seed=5 #")
    equal(f"{name}, with --field", ["--field", text], options)
    write("p.txt", text)
    equal(f"{name}, with --params", ["--params", "p.txt"], options)

# ---- Texts that make no sense ----

BAD = [
    ("octaves", "'octaves': expected NAME=VALUE"),
    ("=3", "'=3': expected NAME=VALUE"),
    ("octaves = 3", "'octaves': expected NAME=VALUE"),
    ("octaves=3,seed=4", "octaves must be a whole number from 1 to 32, not '3,seed=4'"),
    ("Octaves=3", "'Octaves=3': expected NAME=VALUE"),
    ("[1]", "'[1]': expected NAME=VALUE"),
    ("seed=", "hexadecimal, not ''"),
    ("seed=-1", "seed must be a whole number from 0 to 18446744073709551615"),
    ("seed=18446744073709551616", "not '18446744073709551616'"),
    ("frequency=1e400", "frequency must be a finite number above 0, not '1e400'"),
    ("frequency=1,5", "frequency must be"),
    ("gain=nan", "gain must be a finite number"),
    ("octaves=33", "octaves must be a whole number from 1 to 32, not 33"),
    ("contrast=" + "0" * 5000, "': the value is too long"),
    ("hash=mist", "hash must be one of lattice, perlin"),
    ("preset=mist", "'preset=mist': expected one of improved"),
    ("seed=1 preset=improved", "'preset=improved': a preset must come before all other options"),
    ("seed=1 perlane=0.4.0", "'perlane=0.4.0': unknown option"),
    ("sead=1", "'sead=1': unknown option"),
    ("perlane=0.99.0 sead=1",
     f"unknown option; the text is from perlane 0.99.0, and this is {VERSION}"),
    ("isa=scalar", "'isa=scalar': unknown option"),
    ("bigtiff=1", "'bigtiff=1': unknown option"),
    ("compression=lz4", "'compression=lz4': expected one of deflate"),
    ("output=y", "'output=y': unknown option"),
    ("field=seed=3", "unknown option"),
    ("params=p", "unknown option"),
    ("threads=3", "unknown option"),
    ("size=0x3", "'size=0x3': expected WIDTHxHEIGHT"),
    ("shade=1", "'shade=1': expected on or off"),
    ("dims=7", "'dims=7': expected one of any, 1, 2, 3, 4"),
    ("n" * 1000 + "=1", "'" + "n" * 40 + "...': unknown option"),
    ("seed=1\x1b[31m", "not '1\\x1B[31m'"),
    ("\x1b]0;x\x07=1", "\\x1B]0;x\\x07"),
    ('{"perlane": "0.4.0", "options": {}}', "JSON, as perlane 0.4 wrote it; make the file again, or "
                                            "give the options"),
    ("hash_table=7", "hash_table: expected '['"),
    ("hash_table=table256", "hash_table: expected '['"),
    ("hash_table=[1,2]", "hash_table: expected 256 or, for the hash primes, 1024 numbers"),
    ("hash_table=[]", "hash_table: expected a whole number"),
    ("hash_table=[1,]", "hash_table: expected a whole number"),
    ("hash_table=[1 2]", "hash_table: expected ',' or ']'"),
    ("hash_table=[1", "hash_table: expected ',' or ']'"),
    ("hash_table=[", "hash_table: expected a whole number"),
    ("hash_table=[[1]]", "hash_table: expected a whole number"),
    ("hash_table=" + "[" * 100000, "hash_table: expected a whole number"),
    (f"hash_table=[{'0,' * 255}256]", ": hash_table[255] must be a whole number from 0 to 255, not 256"),
    (f"hash_table=[{'0,' * 255}0.5]", "hash_table: expected a whole number"),
    (f"hash_table=[{'0,' * 255}-1]", ": hash_table[255] must be a whole number from 0 to 255, not -1"),
    (f"hash_table=[{hash_list}]seed=1", "hash_table: expected a blank after the list"),
    (f"hash_table=[{hash_list}]] seed=1", "hash_table: expected a blank after the list"),
    (f"hash=perlin hash_table=[{hash_list}]",
     "a hash table has no effect with the hash perlin; choose table or primes"),
    (f"hash_table=[{hash_list}] hash=primes",
     "the hash table has 256 numbers; the hash primes takes 1024"),
    (f"hash_table=[{'0,' * 1023}0]", "the hash table has 1024 numbers; the hash table takes 256"),
    ("gradient_table=[[1,0]]", ": gradient_table must have 2 to 256 vectors, not 1"),
    ("gradient_table=[1,0]", "gradient_table: expected '['"),
    ("gradient_table=[[1,2,3,4,5],[1,2,3,4,5]]", "gradient_table must have 1 to 4 components, not 5"),
    (f"gradient_table=[{'[1,0],' * 256}[1,0]]", "gradient_table must have 2 to 256 vectors, not 257"),
    ("gradient_table=[[1,0],[1]]", "gradient_table: the vectors differ in length"),
    ("gradient_table=[[1,0],[1,nan]]", ": y of gradient_table[1] must be a number from -1000000 to"),
    ("gradient_table=[[1,0],[1,1000001]]", ": y of gradient_table[1] must be a number from -1000000 to"),
    ("gradient_table=[[1,0],[0,1]] gradients=axis4",
     "a gradient table has no effect with the gradients axis4; choose table"),
    ("gradient_grid=[[1,0],[0,1]]", "gradient_grid: expected '['"),
    ("gradient_grid=[[[1,0]],[[0,1],[1,0]]]", "gradient_grid: the rows differ in length"),
    ("gradient_grid=[[[1,0,0]]]", "gradient_grid: expected rows of vectors of 2 numbers"),
    ("gradient_grid=[[[1,1e7]]]", ": y of gradient_grid[0][0] must be a number from -1000000 to"),
    ("gradient_grid=[[[1,0]]] hash=table",
     "a gradient grid has no effect with the hash table; choose grid"),
    (f"gradient_grid=[[[1,0]]] hash_table=[{hash_list}]",
     "a hash table and a gradient grid exclude each other"),
]
for content, message in BAD:
    write("p.txt", "\n\n" + content)
    fails(f"in a file: {content[:60]!r}", 1, message, "fill", "-o", "x.png", "--params", "p.txt")
    check("and where" if "exclude" not in message and " the hash" not in message
          and "the gradients" not in message else "and in which file",
          run("points", "--params", "p.txt")[2].startswith("perlane points: 'p.txt'" if "\n" not in
                                                           content else "perlane"),
          run("points", "--params", "p.txt")[2])
    if len(content) < 10000:
        fails(f"with --field: {content[:60]!r}", 2, message, "fill", "-o", "x.png", "--field", content)
for text, place in (("seed=1 octaves=99", "character 8"), ("  sead=1", "character 3"),
                    ("seed=1\n\nhash_table=[1,2,x]", "character 25")):
    fails(f"{text!r} is wrong at {place}", 2, f"--field, {place}: ", "points", "--field", text)
for text, place in (("seed=1 octaves=99", "line 1"), ("\n\n  sead=1", "line 3"),
                    ("seed=1\n\nhash_table=[1,\n2,x]", "line 4")):
    write("p.txt", text)
    fails(f"{text!r} is wrong in {place}", 1, f"'p.txt' {place}: ", "points", "--params", "p.txt")
for content in (b"seed=1\x00", b"\x89PNG\r\n\0", b"\0"):
    write("p.txt", content)
    fails(f"params {content!r}", 1, "it holds a zero byte, so it is not a text", "points",
          "--params", "p.txt")
write("p.txt", b"seed=\xff\xc3\xa9")
fails("bytes that are not UTF-8", 1, "not '\\xFF\u00e9'", "points", "--params", "p.txt")
write("p.txt", "gain=1e200 octaves=3")
fails("what the library refuses", 2, "gain=1e200 makes", "fill", "-o", "x.png", "--params",
      "p.txt")
for name, message in (("none", "No such file"), (".", "Is a directory"), ("/dev/zero", "zero byte")):
    if os.path.exists(name) or name == "none":
        fails(f"--params {name}", 1, f"cannot read the options in '{name}': ", "points", "--params",
              name)
        check("and why", message in run("points", "--params", name)[2])

# ---- Bounded reading ----


def peak(*arguments, stdin=None):
    """Returns the status, stderr and peak memory in MiB of the command."""
    code = ("import resource, subprocess, sys\n"
            "done = subprocess.run(sys.argv[1:], stdin=sys.stdin, stdout=subprocess.DEVNULL)\n"
            "peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss\n"
            "print(done.returncode, peak // 1024)")
    done = subprocess.run([sys.executable, "-c", code, PERLANE, *arguments], capture_output=True,
                          stdin=stdin, text=True, check=False)
    return *map(int, done.stdout.split()), done.stderr


with open("huge.txt", "wb") as file:
    file.write(b"seed=1\n")
    file.truncate(300 << 20)
with open("huge.raw.txt", "wb") as file:
    file.truncate(300 << 20)
write("huge.raw", b"\x80")
HUGE = (("saved options of 300 MB", ["--params", "huge.txt"], "larger than 64 MiB"),
        ("a sidecar of 300 MB", ["--params-of", "huge.raw"], "larger than 4 MiB"))
for name, arguments, message in HUGE:
    status, memory, error = peak("points", *arguments)
    check(f"{name} are refused unread, with the bound", status == 1 and message in error and
          memory < (2000 if "PERLANE_SANITIZED" in os.environ else 20), f"{status}, {memory} MiB\n{error}")
done = subprocess.run(["sh", "-c", 'yes "" | "$0" points --params /dev/stdin', PERLANE],
                      capture_output=True, text=True, check=False)
check("an endless text is refused after the bound", done.returncode == 1 and
      "larger than 64 MiB" in done.stderr, done.stderr)
os.remove("huge.txt")
os.remove("huge.raw.txt")

# ---- Files that carry options ----

TEXT = "perlane=0.4.0 seed=18446744073709551615 frequency=0.3 octaves=3 size=5x5"
FIELD = ["--seed", "18446744073709551615", "--frequency", "0.3", "--octaves", "3"]


def png(*chunks, width=1):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I",
                                                                        zlib.crc32(kind + body))
    header = struct.pack(">IIBBBBB", width, 1, 8, 0, 0, 0, 0)
    parts = [(b"IHDR", header), *chunks, (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)


def tiff(text, order="<", big=False):
    """A page of one pixel with an ImageDescription."""
    tags = [(256, 3, [1]), (257, 3, [1]), (258, 3, [8]), (259, 3, [1]), (262, 3, [1]),
            (273, 4, [0]), (277, 3, [1]), (278, 3, [1]), (279, 4, [1])]
    data = text.encode() + b"\0"
    head = 16 if big else 8
    room = 8 if big else 4
    pixel = head
    at = head + 2
    body = b"\x80\0" + data + b"\0" * (len(data) % 2)
    if big:
        body += b"\0" * (-(head + len(body)) % 8)
    entries = []
    for tag, kind, value in tags:
        value = [pixel] if tag == 273 else value
        entries.append((tag, kind, 1, struct.pack(order + ("H" if kind == 3 else "I"), *value)))
    entries.append((270, 2, len(data), struct.pack(order + ("Q" if big else "I"), at)))
    entries.sort()
    directory = struct.pack(order + ("Q" if big else "H"), len(entries))
    for tag, kind, count, value in entries:
        directory += struct.pack(order + ("HHQ" if big else "HHI"), tag, kind, count)
        directory += value.ljust(room, b"\0")
    directory += b"\0" * room
    start = head + len(body)
    magic = b"II" if order == "<" else b"MM"
    if big:
        header = magic + struct.pack(order + "HHHQ", 43, 8, 0, start)
    else:
        header = magic + struct.pack(order + "HI", 42, start)
    return header + body + directory


PIXELS = (b"IDAT", zlib.compress(b"\0\x80"))
BYTES = TEXT.encode()
CARRIERS = {
    "png, tEXt": png((b"tEXt", b"Title\0other"), (b"tEXt", b"perlane\0" + BYTES), PIXELS),
    "png, zTXt": png((b"zTXt", b"perlane\0\0" + zlib.compress(BYTES)), PIXELS),
    "png, iTXt": png((b"iTXt", b"perlane\0\0\0\0\0" + BYTES), PIXELS),
    "png, packed iTXt": png((b"iTXt", b"perlane\0\1\0en\0x\0" + zlib.compress(BYTES)), PIXELS),
    "png, after the pixels": png(PIXELS, (b"tEXt", b"perlane\0" + BYTES)),
    "tiff, little-endian": tiff(TEXT),
    "tiff, big-endian": tiff(TEXT, ">"),
    "BigTIFF": tiff(TEXT, "<", True),
    "BigTIFF, big-endian": tiff(TEXT, ">", True),
    "pgm": b"P5\n# " + BYTES + b"\n1 1\n255\n\x80",
    "pgm, among other comments": b"P5 # by hand\n1 # perlane\n#" + BYTES + b"\r\n1\n255\n\x80",
}
for kind, data in CARRIERS.items():
    write("map", data)
    equal(f"the options of a {kind}", ["--params-of", "map"], FIELD)
write("map.txt", "# " + TEXT.replace("=3", "=4") + "\n" + TEXT + "\n")
for kind, data in (("npy", b"\x93NUMPY\x01\0"), ("pfm", b"Pf\n1 1\n-1.0\n\0\0\0\0"),
                   ("file of samples", b"\x80\0"), ("file of no bytes", b""),
                   ("file that begins as a TIFF", b"II*\0\x80\x80"),
                   ("file that begins as a PGM", b"P5\n\x80\x80"),
                   ("png of another program", png(PIXELS))):
    write("map", data)
    equal(f"the options beside a {kind}", ["--params-of", "map"], FIELD)
for content, message in ((b"\0", "a zero byte"), (b"{}", "JSON"), (b"x", "expected NAME=VALUE")):
    write("map.txt", content)
    write("map", b"\x80")
    fails(f"beside it {content!r}", 1, message, "fill", "-o", "x.png", "--params-of", "map")
os.remove("map.txt")
NONE = {
    "a png": png(PIXELS),
    "a png with another text": png((b"tEXt", b"perlane 2\0" + BYTES), PIXELS),
    "a tiff with another description": tiff("a map"),
    "a tiff with a short description": tiff("a"),
    "a pgm": b"P5\n# perlane\n1 1\n255\n# " + BYTES,
    "a text": b"hello",
    "no bytes": b"",
}
for kind, data in NONE.items():
    write("map", data)
    fails(f"no options in {kind}", 1, "cannot read the options of 'map': it carries no options, and "
          "there is no file of this name and .txt", "fill", "-o", "x.png", "--params-of", "map")
JSON = '{"perlane": "0.4.0", "command": "fill", "options": {"seed": 1}}'
for kind, data in (("png", png((b"tEXt", b"perlane\0" + JSON.encode()), PIXELS)),
                   ("tiff", tiff(JSON))):
    write("map", data)
    fails(f"a {kind} of perlane 0.4", 1, "JSON, as perlane 0.4 wrote it", "fill", "-o", "x.png",
          "--params-of", "map")
whole = CARRIERS["png, after the pixels"]
bomb = png((b"zTXt", b"perlane\0\0" + zlib.compress(b" " * (64 << 20))), PIXELS)
DAMAGED = {
    "damaged: ": [whole[:n] for n in (8, 20, 33, 50, len(whole) - 30)] +
                 [b"II*\0", b"MM\0*\xff\xff\xff\xff", tiff(TEXT)[:60], whole.replace(b"seed", b"sead"),
                  png((b"zTXt", b"perlane\0\0" + zlib.compress(BYTES)[:-9]), PIXELS)],
    "larger than 4 MiB": [bomb, png((b"tEXt", b"perlane\0" + b" " * (5 << 20)), PIXELS),
                          tiff("perlane=" + " " * (5 << 20)),
                          whole[:33] + b"\x7f\xff\xff\xfftEXtperlane\0seed=1"],
}
for message, cases in DAMAGED.items():
    for n, data in enumerate(cases):
        write("map", data)
        fails(f"{message}, case {n}", 1, message, "fill", "-o", "x.png", "--params-of", "map")
CHANGED = max(200 * PERCENT // 100, 20)
for n in range(CHANGED):
    kind = dice.choice(sorted(CARRIERS))
    data = bytearray(CARRIERS[kind])
    for _ in range(dice.randrange(1, 4)):
        data[dice.randrange(len(data))] = dice.randrange(256)
    write("map", bytes(data))
    status, out, error = run("points", "--params-of", "map")
    if not (status == 0 or (status in (1, 2) and error.startswith("perlane points: "))):
        check(f"a byte of a {kind} changed", False, f"status {status}\n{error}")
        break
else:
    check(f"{CHANGED} files with bytes changed give a result or say what is wrong", True)
fails("a map that is not there", 1, "cannot read the options of 'nothing': No such file", "points",
      "--params-of", "nothing")

sys.exit(total())
