# SPDX-License-Identifier: MIT
"""Tests of saved params: python3 params.py PERLANE WORK, where WORK is a directory to write in.

Prints a line per check, ends with their number, and exits with 1 if any failed. Random options come
from PERLANE_TEST_SEED, which is printed; PERLANE_TEST_PERCENT makes them fewer or more. The files that carry params are written here, byte by byte,
as the formats' specifications say.
"""

import json
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
SEED = int(os.environ.get("PERLANE_TEST_SEED") or random.SystemRandom().randrange(1 << 32))
print(f"PERLANE_TEST_SEED={SEED}")
dice = random.Random(SEED)
PERCENT = int(os.environ.get("PERLANE_TEST_PERCENT") or 100)
SETS = max(64 * PERCENT // 100, 8)


def run(*arguments, text=None):
    """Status, stdout and stderr of the command."""
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
write("grid.csv", "i,j,gx,gy\n" + "".join(f"{n % 7},{n // 7},{component()},{component()}\n"
                                          for n in range(34)) + "6,4,1,0.5\n")

# ---- What is made from params is the same ----


def some_options():
    """Random options of a field. Not all sets of them make a field."""
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
        options["--table"] = "table256"
    elif tables == 1:
        options.update({"--hash": "primes", "--table": "table1024"})
    elif tables == 2:
        options["--gradient-grid"] = "grid.csv"
    else:
        maybe("--hash", lambda: pick(["lattice", "perlin", "shuffled", "primes"]))
    if dice.random() < 0.2:
        options["--gradients"] = "vectors"
    else:
        maybe("--gradient-set", lambda: pick(["axis4", "diagonal4", "compass8", "circle", "pnoise"]))
    maybe("--fade", lambda: pick(["cubic", "linear"]))
    maybe("--octaves", lambda: str(dice.randrange(1, 9)), 0.6)
    maybe("--lacunarity", lambda: pick([f"{dice.uniform(1, 3):.17g}", "2", "3"]), 0.2)
    maybe("--gain", lambda: pick([f"{dice.uniform(-1, 1):.17g}", "0", "-0", "4.9e-324"]))
    maybe("--persistence", lambda: f"{dice.random():.3g}", 0.1)
    maybe("--octave-seed-step", lambda: pick(["0", str(dice.getrandbits(64))]))
    maybe("--fractal", lambda: pick(["none", "ridged", "billow", "turbulence", "ping-pong"]))
    maybe("--ping-pong-strength", lambda: f"{dice.uniform(0.1, 9):.17g}")
    maybe("--weighted-strength", lambda: f"{dice.random():.17g}")
    maybe("--period", lambda: ",".join(str(dice.randrange(9)) for _ in range(dice.randrange(1, 5))),
          0.2)
    maybe("--repeat", "6,4", 0.1)
    maybe("--table-offset", lambda: f"{dice.randrange(-(1 << 31), 1 << 31)},-3")
    maybe("--base", "-2147483648", 0.1)
    maybe(pick(["--normalize", "--normalize-octaves", "--raw"]), None)
    maybe("--amplitude", number, 0.2)
    maybe("--contrast", lambda: str(dice.randrange(1, 5)), 0.2)
    maybe("--value-scale", number, 0.2)
    maybe("--value-offset", number, 0.3)
    return options


def words(options):
    return [name if value is None else f"{name}={value}" for name, value in options.items()]


def is_refused(done):
    """Whether there is no field of these options."""
    status, _, error = done
    return ((status == 2 and "unknown" not in error and "too many" not in error) or
            (status == 1 and "256 numbers; expected 1024" in error))


FIRSTS = ["-9223372036854775808,0", "9007199254740993,-3", "0,0", "-5,1024", "123456789012345,7"]
images, refused, sets = set(), 0, 0
while sets < SETS:
    image = words(some_options())
    image += [f"--size={dice.randrange(5, 30)}x{dice.randrange(5, 20)}"]
    if dice.random() < 0.3:
        image.append(f"--first={dice.choice(FIRSTS)}")
    if dice.random() < 0.5:
        image.append(f"--origin={number()},{number()}")
    if dice.random() < 0.3:
        image.append("--bits=8")
    image.append("--range=" + dice.choice(["-1,1", "auto", "0.1,0.30000001", "-1e-40,1", "1,-1"]))
    status, out, error = done = run("fill", "-o", "a.png", *image)
    if is_refused(done):
        refused += 1
        continue
    sets += 1
    again = run("fill", "-o", "b.png", "--params-of", "a.png")
    check(f"fill, set {sets}", status == 0 and again[0] == 0 and read("a.png") == read("b.png"),
          " ".join(image) + "\n" + error + again[2])
    images.add(read("a.png").split(b"IDAT", 1)[1])
check(f"they are different images ({len(images)} of {sets}; {refused} more were refused)",
      len(images) >= SETS * 5 // 8)

POSITIONS = "".join(f"{dice.uniform(-50, 50)!r} {dice.uniform(-9, 9)!r}\n" for _ in range(40))
values, sets = set(), 0
while sets < SETS:
    field = words(some_options()) + dice.choice([[], ["--with-gradient"], ["--dims=2"]])
    field += ["--bits-out"]
    first = run("points", "--save-params", "p.json", *field, text=POSITIONS)
    if is_refused(first):
        continue
    sets += 1
    second = run("points", "--params", "p.json", "--save-params", "q.json", text=POSITIONS)
    check(f"points, set {sets}", first[0] == 0 and first[1].count("\n") == 40 and
          first == second and read("p.json") == read("q.json"),
          " ".join(field) + "\n" + first[2] + second[2])
    values.add(first[1])
check(f"they are different values ({len(values)} of {sets})", len(values) >= SETS * 3 // 4)

# ---- What is saved ----

run("fill", "-o", "a.png", "--size", "9x5", "--save-params", "a.json", "--seed",
    "18446744073709551615", "--persistence", "0.1", "--raw", "--value-offset=-0", "--repeat", "3,4")
saved = json.loads(read("a.json"))
check("the file is an object of version, command and options", list(saved) == [
    "perlane", "command", "options"] and saved["command"] == "fill" and saved["perlane"] == run(
        "--version")[1].split()[1], saved)
options = saved["options"]
check("with values as the options print them", options["seed"] == 18446744073709551615 and
      options["size"] == "9x5" and options["gain"] == 0.1 and options["period"] == "3,4" and
      options["bits"] == 16 and options["value-offset"] == "-0" and options["raw"] is True, options)
check("one of several names and flags", not {"persistence", "repeat", "base", "normalize",
                                             "normalize-octaves", "preset"} & set(options), options)
check("and nothing that changes no result", not {"output", "isa", "params", "save-params"} &
      set(options), options)
listed = [line.split("\t")[1] for line in run("list-options", "fill")[1].splitlines()
          if line.startswith("option")]
left = set(listed) - set(options)
check("all others are there", left == {
    "output", "isa", "params", "params-of", "save-params", "preset", "repeat", "persistence", "base",
    "normalize", "normalize-octaves", "table", "gradients", "gradient-grid", "help", "threads",
    "quiet", "for"}, left)
text = read("a.json")
check("in ASCII", text.isascii() and b"--" not in text)


def carried(png):
    """The text that a PNG carries under the keyword perlane, and its chunk's type."""
    data = read(png)
    at = 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind in (b"tEXt", b"zTXt") and body.startswith(b"perlane\0"):
            return (body[8:] if kind == b"tEXt" else zlib.decompress(body[9:])), kind
        at += 12 + size
    return None, None


text, kind = carried("a.png")
check("the image carries the same on one line", text and kind == b"tEXt" and b"\n" not in text and
      json.loads(text) == saved, text)
run("fill", "-o", "b.png", "--size", "5x5", "--hash", "primes", "--table", "table1024",
    "--gradients", "vectors", "--save-params", "b.json")
text, kind = carried("b.png")
saved = json.loads(read("b.json"))
check("a table is saved by its content", saved["options"]["table"] == [
    int(word) for word in read("table1024").split()])
floats = [[struct.unpack("f", struct.pack("f", float.fromhex(word) if "x" in word else float(word)))[0]
           for word in line.split(",")] for line in read("vectors").decode().split()]
check("gradients too, to the bit", str(saved["options"]["gradients"]) and [
    [struct.pack("f", x) for x in vector] for vector in saved["options"]["gradients"]] == [
        [struct.pack("f", x) for x in vector] for vector in floats])
check("and the image carries them, compressed", text and kind == b"zTXt" and
      json.loads(text) == saved)
run("fill", "-o", "b.png", "--size", "5x5", "--gradient-grid", "grid.csv", "--save-params", "b.json")
grid = json.loads(read("b.json"))["options"]["gradient-grid"]
check("a gradient grid is its counts and components", grid["count"] == [7, 5] and
      len(grid["gradients"]) == 70 and grid["gradients"][-2:] == [1, 0.5], grid)
fails("where params cannot be written", 1, "cannot write 'missing/a.json': No such file",
      "points", "--save-params", "missing/a.json")
os.mkdir("own")
for file, params in (("own/a.png", "own/a.png"), ("own/a.png", "./own//../own/a.png"),
                     ("own/a.raw", "own/a.raw.json"), ("own/a.npy", "./own/a.npy.json")):
    status, out, error = run("fill", "-o", file, "--size", "4", "--save-params", params)
    check(f"{params} is not saved where {file} or its own params go",
          status == 2 and not out and "take another name" in error and not os.listdir("own"), error)
run("fill", "-o", "own/a.svg", "--curve")
content = open("own/a.svg").read()
os.symlink("a.svg", "own/b.json")
status, out, error = run("fill", "-o", "own/a.svg", "--curve", "--save-params", "own/b.json")
check("nor by a link", status == 2 and open("own/a.svg").read() == content, error)
status, out, error = run("fill", "-o", "own/a.png", "--size", "4", "--save-params",
                         "own/a.png.json")
check("but beside a map that carries its own", status == 0, error)
status, out, error = run("fill", "-o", "-", "--size", "4", "--save-params", "own/-")
check("and beside the standard output", status == 0, error)

# ---- A large grid ----

with open("large.csv", "w") as file:
    file.write("i,j,gx,gy\n")
    for n in range(257 * 257):
        file.write(f"{n % 257},{n // 257},{n * 7 % 11 - 5},{n * 3 % 7 + 1}\n")
status, out, error = run("fill", "-o", "a.png", "--size", "40", "--frequency", "0.3",
                         "--gradient-grid", "large.csv", "--save-params", "large.json")
check("a note tells that an image does not carry a large grid", status == 0 and
      "the gradient grid has more than 65536 points: the params in the file carry its name only"
      in error, error)
check("but its name", json.loads(carried("a.png")[0])["options"]["gradient-grid"] == "large.csv")
run("fill", "-o", "b.png", "--params-of", "a.png")
check("from which it is read again", read("a.png") == read("b.png"))
status, out, error = run("fill", "-o", "b.png", "--params", "large.json")
check("a file of params has all of it", read("a.png").split(b"IDAT", 1)[1] ==
      read("b.png").split(b"IDAT", 1)[1])
check("and the note says that an image of these has nothing",
      "do not carry it; --save-params does" in error, error)
fails("so that params of this image lack it", 2, "--gradient-grid FILE is missing", "fill", "-o",
      "x.png", "--params-of", "b.png")
os.remove("large.csv")
fails("as do those of the former, once the file is gone", 1, "cannot read 'large.csv'", "fill", "-o",
      "x.png", "--params-of", "a.png")

# ---- Options change what is loaded ----


def bits(*arguments):
    done = run("points", "--bits-out", *arguments, text=POSITIONS)
    return done[1] if done[0] == 0 else done


def equal(name, one, other):
    check(name, bits(*one) == bits(*other) and isinstance(bits(*one), str), bits(*one))


base = ["--octaves", "3", "--frequency", "0.3", "--seed", "5"]
run("points", "--save-params", "base.json", *base)
run("points", "--save-params", "table.json", *base, "--table", "table256")
run("points", "--save-params", "primes.json", *base, "--hash", "primes", "--table", "table1024")
run("points", "--save-params", "grid.json", *base, "--gradient-grid", "grid.csv")
run("points", "--save-params", "vectors.json", *base, "--gradients", "vectors")
equal("options after --params change it", ["--params", "base.json", "--seed", "9"],
      [*base, "--seed", "9"])
equal("options before it, too", ["--seed", "9", "--params", "base.json"], [*base, "--seed", "9"])
equal("a preset as well", ["--params", "base.json", "--preset", "compass", "--frequency", "0.2"],
      ["--preset", "compass", "--frequency", "0.2"])
equal("another hash drops a table", ["--params", "table.json", "--hash", "perlin"],
      [*base, "--hash", "perlin"])
equal("a table of 256 is none of primes", ["--params", "table.json", "--hash", "primes"],
      [*base, "--hash", "primes"])
fails("nor is one of 1024 one of table", 2, "--table FILE is missing", "points", "--params",
      "primes.json", "--hash", "table", "--dims", "2")
equal("another table replaces one", ["--params", "grid.json", "--table", "table256"],
      [*base, "--table", "table256"])
equal("a grid too", ["--params", "table.json", "--gradient-grid", "grid.csv"],
      [*base, "--gradient-grid", "grid.csv"])
equal("even another", ["--params", "grid.json", "--gradient-grid", "grid.csv"],
      [*base, "--gradient-grid", "grid.csv"])
equal("another gradient set drops vectors", ["--params", "vectors.json", "--gradient-set", "axis4"],
      [*base, "--gradient-set", "axis4"])
fails("--params and --params-of", 2, "exclude each other", "points", "--params", "base.json",
      "--params-of", "a.png")
run("fill", "-o", "a.raw", "--size", "4")
for map_file in "a.png", "a.raw":
    fails(f"--params of {map_file}", 1, "it is a map, and --params-of reads the params that it carries",
          "points", "--params", map_file)
fails("--params of what lies beside a map", 1, "belongs to a map: give --params-of the map's own name",
      "points", "--params", "a.raw.json")
for json_file in "a.raw.json", "base.json":
    fails(f"--params-of {json_file}", 1, "it is no map, but JSON; --params reads saved params",
          "points", "--params-of", json_file)
fails("a wrong option after params", 2, "--seed 'x'", "fill", "-o", "x.png", "--params", "table.json",
      "--seed", "x")
fails("no output", 2, "is missing: the file to write", "fill", "--params", "table.json")
check("help after params is help", run("fill", "--params", "nothing", "--help") == run(
    "fill", "--help"))
run("fill", "-o", "a.png", "--size", "20x10", "--range", "auto", *base)
equal("points take params of fill", ["--params-of", "a.png"], base)
status, out, error = run("fill", "-o", "b.png", "--params", "base.json", "--size", "20x10",
                         "--range", "auto")
check("and fill those of points", status == 0 and read("a.png") == read("b.png"), error)


def params(options, **others):
    return write("p.json", json.dumps({"perlane": "0.3.0", "command": "points", "options": options,
                                       **others}))


params({"frequency": 0.3, "preset": "improved", "persistence": 0.25, "base": 2, "octaves": "4"})
equal("presets and second names may be written by hand", ["--params", "p.json"], [
    "--preset", "improved", "--frequency", "0.3", "--gain", "0.25", "--base", "2", "--octaves", "4"])
params({"frequency": 0.3, "table": [int(word) for word in read("table256").split()]})
equal("a table implies its hash", ["--params", "p.json"],
      ["--frequency", "0.3", "--table", "table256"])
params({"frequency": 0.3, "gradient-grid": "grid.csv", "gradients": "vectors"})
equal("tables may be names of files", ["--params", "p.json"],
      ["--frequency", "0.3", "--gradient-grid", "grid.csv", "--gradients", "vectors"])
equal("which another hash makes not read", ["--params", "p.json", "--hash", "perlin",
                                            "--gradient-set", "axis4"],
      ["--frequency", "0.3", "--hash", "perlin", "--gradient-set", "axis4"])
write("p.json", '\r\n\t{ "options": { "seed": "0xFF", "raw" : true, "normalize": false,\n'
      '"frequency":3E-1, "seed": 255 } }\r\n')
equal("blanks, hexadecimal strings, exponents, the last of two", ["--params", "p.json"],
      ["--seed", "255", "--raw", "--frequency", "0.3"])

# ---- Params that make no sense ----

BAD = [
    ("", "line 1: unexpected end of data"),
    ("{", "line 1: unexpected end of data"),
    ('{"options":\n{"seed": 1}', "line 2: unexpected end of data"),
    ("null", "line 1: null is not an object"),
    ("[1]", "not an object, but other JSON"),
    ("7", "not an object, but other JSON"),
    ('"text"', "not an object, but other JSON"),
    ("{}", 'there is no object "options"'),
    ('{"option": {}}', "option: no such member; expected perlane, command and options"),
    ('{"options": []}', "options: expected an object"),
    ('{"options": null}', "options: expected an object"),
    ('{"options": {}, "command": 1}', "command: expected a command's name"),
    ('{"options": {}, "perlane": null}', "perlane: expected a version"),
    ('{"options": {}} x', "line 1: unexpected character"),
    ('{"options": {}}{}', "line 1: unexpected character"),
    ('{"options": {"seed": 1,}}', "line 1: "),
    ("{'options': {}}", "line 1: unexpected character"),
    ("{\"options\": {}, 'a\"b': 1}", "line 1: unexpected character"),
    ('{"options": {"seed": "\\', "line 1: unexpected end of data"),
    ('{"options": {"seed": 01}}', "line 1: "),
    ('{"options": /* */ {}}', "line 1: unexpected character"),
    ('{"options": {"seed": NaN}}', "seed: 'NaN' is not a number in JSON"),
    ('{"options": {"frequency": -Infinity}}', "frequency: '-Infinity' is not a number in JSON"),
    ('{"options":\n{"seed": 18446744073709551616}}', "line 2: a whole number beyond 64 bits"),
    ('{"options": {"gain": -9223372036854775809}}', "line 1: a whole number beyond 64 bits"),
    ('{"options": {"gain": ' + "9" * 5000 + "}}", "line 1: a whole number beyond 64 bits"),
    ('{"options": {"frequency": 1e400}}', "frequency: '1e400': not a number; expected"),
    ('{"options": {"seed": -1}}', "seed: '-1': not such a number; expected a whole number from 0"),
    ('{"options": {"seed": 1.5}}', "seed: '1.5': not such a number"),
    ('{"options": {"seed": "1\\u0000"}}', "seed: a string with a zero in it"),
    ('{"options": {"seed": null}}', "seed: expected a number or a string"),
    ('{"options": {"seed": true}}', "seed: expected a number or a string"),
    ('{"options": {"seed": {}}}', "seed: expected a number or a string"),
    ('{"options": {"hash": "mist"}}', "hash: 'mist': unknown hash; expected one of lattice, perlin"),
    ('{"options": {"preset": "mist"}}', "preset: 'mist': unknown preset; expected one of improved"),
    ('{"options": {"raw": 1}}', "raw: expected true or false"),
    ('{"options": {"raw": "true"}}', "raw: expected true or false"),
    ('{"options": {"sead": 1}}', "'sead': there is no such option of 'fill'"),
    ('{"options": {"isa": "scalar"}}', "'isa': there is no such option of 'fill'"),
    ('{"options": {"output": "y"}}', "'output': there is no such option"),
    ('{"options": {"a\\u001b[31m\\n": 1}}', "'a?[31m?': there is no such option"),
    ('{"options": {"%s": 1}}' % ("n" * 1000), "'" + "n" * 40 + "...': there is no such option"),
    ('{"options": {"sead": 1}, "perlane": "0.99"}',
     "there is no such option of 'fill' among those that are saved; the params are of perlane 0.99"),
    ('{"options": {"seed": ' + "[" * 100000 + "}}", "line 1: nesting too deep"),
    ('{"options": {"table": [1, 2]}}', "table: not a table; expected 256 numbers"),
    ('{"options": {"table": 7}}', "table: not a table"),
    ('{"options": {"table": "a\\u0000"}}', "table: a file's name cannot have a zero in it"),
    ('{"options": {"table": "none"}}', "cannot read 'none': No such file"),
    ('{"options": {"table": %s}}' % ([0] * 255 + [256]), "number 255 is not a whole number from 0 to"),
    ('{"options": {"table": %s}}' % ([0.5] + [0] * 255), "number 0 is not a whole number from 0 to"),
    ('{"options": {"table": %s, "hash": "perlin"}}' % ([0] * 256), "table: hash perlin uses no table"),
    ('{"options": {"table": %s, "hash": "primes"}}' % ([0] * 256),
     "table: 256 numbers; hash primes takes 1024"),
    ('{"options": {"table": %s}}' % ([0] * 1024), "table: 1024 numbers; hash table takes 256"),
    ('{"options": {"gradients": []}}', "gradients: not vectors"),
    ('{"options": {"gradients": [[1, 0]]}}', "gradients: not vectors"),
    ('{"options": {"gradients": [1, 0]}}', "gradients: not vectors"),
    ('{"options": {"gradients": [[1,2,3,4,5], [1]]}}', "gradients: not vectors"),
    ('{"options": {"gradients": %s}}' % ([[1, 0]] * 257), "gradients: not vectors"),
    ('{"options": {"gradients": [[1, 0], [1]]}}', "vector 1 does not have 2 components as the first"),
    ('{"options": {"gradients": [[1, 0], 5]}}', "vector 1 does not have 2 components as the first"),
    ('{"options": {"gradients": [[1, 0], [1, NaN]]}}', "component 1 is not a number from"),
    ('{"options": {"gradients": [[1, 0], [1, "1"]]}}', "component 1 is not a number from"),
    ('{"options": {"gradients": [[1, 0], [1, 1000001]]}}', "component 1 is not a number from"),
    ('{"options": {"gradients": [[1, 0], [0, 1]], "gradient-set": "axis4"}}',
     "gradients: gradient-set axis4 has its own"),
    ('{"options": {"gradient-grid": {}}}', "gradient-grid: not a grid; expected"),
    ('{"options": {"gradient-grid": [1]}}', "gradient-grid: not a grid; expected"),
    ('{"options": {"gradient-grid": {"count": [1], "gradients": [1, 0]}}}', "not a grid"),
    ('{"options": {"gradient-grid": {"count": [0, 1], "gradients": []}}}',
     "count 0 is not a whole number from 1 to"),
    ('{"options": {"gradient-grid": {"count": [1, 1e0], "gradients": []}}}',
     "count 1 is not a whole number from 1 to"),
    ('{"options": {"gradient-grid": {"count": [1073741824, 1073741824], "gradients": [1]}}}',
     "1 components; 1073741824 x 1073741824 gradients have 2305843009213693952"),
    ('{"options": {"gradient-grid": {"count": [1, 1], "gradients": [1, 1e7]}}}',
     "component 1 is not a number from"),
    ('{"options": {"gradient-grid": {"count": [1, 1], "gradients": [1, 0]}, "hash": "table"}}',
     "gradient-grid: hash table uses no grid"),
    (b'{"options": {"seed": "1\x00"}}', "a zero byte, so this is no text"),
    (b'{"options": {"seed": "\xff"}}', "line 1: "),
    (b"\x89PNG\r\n", "line 1: "),
]
for content, message in BAD:
    write("p.json", content)
    fails(f"params {str(content)[:60]!r}", 1, message, "fill", "-o", "x.png", "--params", "p.json")
write("p.json", '{"options": {"octaves": 33}}')
fails("what the library refuses", 2, "--octaves 33: octaves must be", "fill", "-o", "x.png",
      "--params", "p.json")
for name, message in (("none", "No such file"), (".", "Is a directory"), ("/dev/zero", "zero byte")):
    if os.path.exists(name) or name == "none":
        fails(f"--params {name}", 1, f"cannot read the params of '{name}': ", "points", "--params",
              name)
        check("and why", message in run("points", "--params", name)[2])
write("p.json", '{"command": "points", "options": {"dims": 3, "no-such-thing": 1, "seed": 4}}')
check("another command's options are passed over", run("fill", "-o", "x.png", "--size", "5x5",
                                                       "--params", "p.json")[0] == 0)
os.remove("x.png")

# ---- Files that carry params ----

TEXT = json.dumps({"perlane": "0.3.0", "command": "fill",
                   "options": {"seed": 18446744073709551615, "frequency": 0.3, "octaves": 3}})
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
SIDE = json.dumps({"shape": [1, 1], "params": json.loads(TEXT)}, indent=2)
CARRIERS = {
    "png, tEXt": png((b"tEXt", b"Title\0other"), (b"tEXt", b"perlane\0" + BYTES), PIXELS),
    "png, zTXt": png((b"zTXt", b"perlane\0\0" + zlib.compress(BYTES)), PIXELS),
    "png, iTXt": png((b"iTXt", b"perlane\0\0\0\0\0" + BYTES), PIXELS),
    "png, behind the pixels": png(PIXELS, (b"tEXt", b"perlane\0" + BYTES)),
    "tiff, little-endian": tiff(TEXT),
    "tiff, big-endian": tiff(TEXT, ">"),
    "BigTIFF": tiff(TEXT, "<", True),
    "BigTIFF, big-endian": tiff(TEXT, ">", True),
    "pgm": b"P5\n# perlane " + BYTES + b"\n1 1\n255\n\x80",
    "pgm, among other comments": b"P5 # by hand\n1 # perlane\n# perlane " + BYTES +
                                 b"\r\n1\n255\n\x80",
    "svg": b'<?xml version="1.0"?>\n<svg><!-- perlane {} --></svg>\n<!-- perlane ' + BYTES +
           b" -->\n",
    "svg without a declaration": b"<svg/><!-- perlane " + BYTES + b" -->",
}
for kind, data in CARRIERS.items():
    write("map", data)
    equal(f"params of a {kind}", ["--params-of", "map"], FIELD)
write("map.json", SIDE)
for kind, data in (("npy", b"\x93NUMPY\x01\0"), ("pfm", b"Pf\n1 1\n-1.0\n\0\0\0\0"),
                   ("file of pixels", b"\x80\0"), ("file of no bytes", b""),
                   ("file that begins as a TIFF", b"II*\0\x80\x80"),
                   ("file that begins as a PGM", b"P5\n\x80\x80"),
                   ("file that begins as an SVG", b"<svg\x80"),
                   ("png of another program", png(PIXELS))):
    write("map", data)
    equal(f"params beside a {kind}", ["--params-of", "map"], FIELD)
WRONG = [("{", "line 1: unexpected end of data"), ("[]", 'it has no object "params"'),
         ('{"params": 1}', 'it has no object "params"'), ("{}", 'it has no object "params"'),
         ("\0", "a zero byte"), ('{"params": {}}', 'there is no object "options"')]
for content, message in WRONG:
    write("map.json", content)
    write("map", b"\x80")
    fails(f"beside it {content!r}", 1, message, "fill", "-o", "x.png", "--params-of", "map")
os.remove("map.json")
NONE = {
    "a png": png(PIXELS),
    "a png with another text": png((b"tEXt", b"perlane 2\0" + BYTES), PIXELS),
    "a tiff with another description": tiff("a map"),
    "a pgm": b"P5\n# perlane\n1 1\n255\n# perlane {}",
    "an svg": b"<svg><!-- perlane --></svg>",
    "an svg with an open comment": b"<svg/><!-- perlane {",
    "a text": b"hello",
    "no bytes": b"",
}
for kind, data in NONE.items():
    write("map", data)
    fails(f"no params in {kind}", 1, "cannot read the params of 'map': it carries no params, and no "
          "file of this name and .json is there", "fill", "-o", "x.png", "--params-of", "map")
whole = CARRIERS["png, behind the pixels"]
DAMAGED = {
    "a damaged PNG: ": [whole[:n] for n in (8, 20, 33, 50, len(whole) - 30)],
    "a damaged TIFF": [b"II*\0", b"MM\0*\xff\xff\xff\xff", tiff(TEXT)[:60]],
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
fails("a map that is not there", 1, "cannot read the params of 'nothing': No such file", "points",
      "--params-of", "nothing")

sys.exit(total())
