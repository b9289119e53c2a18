#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""perlane's default field in plain Python, written from docs/specification.md and nothing else.

    specification.py path/to/specification.md [path/to/perlane]

Checks every row of the tables in the document's section 4. Given the perlane command, also
compares its bits with this implementation's at random and awkward positions; their seed is printed
and can be set by the environment variable PERLANE_TEST_SEED.

Section numbers in comments are the document's.
"""

import collections
import math
import os
import random
import re
import struct
import subprocess
import sys

# ---- Arithmetic (1) -----------------------------------------------------------------------------

WORD = 0xFFFFFFFF
LONG = 0xFFFFFFFFFFFFFFFF
NOT_A_NUMBER = 0x7FC00000


def to_float(v):
    """Rounds a double to float.

    Applied to the double sum, difference or product of two floats, this is the float operation: a
    double holds the product exactly, and has enough digits (53 >= 2 * 24 + 2) that rounding a sum
    twice is the same as rounding it once.
    """
    return struct.unpack("<f", struct.pack("<f", v))[0]


def add(a, b):
    return to_float(a + b)


def sub(a, b):
    return to_float(a - b)


def mul(a, b):
    return to_float(a * b)


def lerp(u, a, b):
    return add(a, mul(u, sub(b, a)))


def level(w, a, b):
    return add(mul(add(a, b), 0.5), mul(w, sub(b, a)))


def bits_of(v):
    return NOT_A_NUMBER if math.isnan(v) else struct.unpack("<I", struct.pack("<f", v))[0]


# ---- From the parameters to the constants of an octave (3) --------------------------------------

Params = collections.namedtuple(
    "Params",
    "seed frequency octaves lacunarity gain octave_seed_step",
    defaults=(1337, 0.01, 1, 2.0, 0.5, 1),
)
Octave = collections.namedtuple("Octave", "frequency key amplitude")

SCALE = [float.fromhex(s) for s in ("0x1p+1", "0x1.65f218p+0", "0x1.ee0a2ap-2", "0x1.4d34fap-2")]


def splitmix64(seed):
    state = seed
    while True:
        state = (state + 0x9E3779B97F4A7C15) & LONG
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & LONG
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & LONG
        yield z ^ (z >> 31)


def keys_of(seed):
    numbers = splitmix64(seed & LONG)
    next(numbers)
    return [next(numbers) >> 32 for _ in range(4)]


def octaves_of(params):
    frequencies, powers, total = [params.frequency], [1.0], 1.0
    for _ in range(1, params.octaves):
        frequencies.append(frequencies[-1] * params.lacunarity)
        powers.append(powers[-1] * params.gain)
        total = total + abs(powers[-1])
    margin = 1.0 if params.octaves == 1 else 1.0 - params.octaves * 2.0**-23
    return [
        Octave(
            frequencies[k],
            keys_of(params.seed + k * params.octave_seed_step),
            [to_float(((powers[k] / total) * margin) * scale) for scale in SCALE],
        )
        for k in range(params.octaves)
    ]


# ---- The value at a position (2) ----------------------------------------------------------------


def grid_position(origin, step, index):  # 2.1
    return origin + float(index) * step


def cell_and_fraction(cells):  # 2.2
    t = round(cells * 2.0**24)  # an integer; Python rounds ties to even
    return t, t >> 24, (t & 0xFFFFFF) / 2.0**24


def fade(f):  # 2.3
    c = sub(f, 0.5)
    s = mul(f, sub(1.0, f))
    w = add(c, mul(c, mul(s, add(2.0, mul(6.0, s)))))
    return w, add(0.5, w)


def weights(f, u, amplitude):  # 2.3
    return mul(mul(f, sub(1.0, u)), amplitude), mul(mul(sub(f, 1.0), u), amplitude)


MULTIPLIER = [0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35, 0x27D4EB2F]


def axis_word(cell, axis, key):  # 2.4
    high = (cell + 2**31) >> 32
    v = (cell & WORD) ^ ((high & WORD) * 0x9E3779B1 & WORD)
    v = (v * MULTIPLIER[axis] + key) & WORD
    v ^= v >> 15
    v = v * 0x2C1B3C6D & WORD
    return v ^ (v >> 13)


def signed16(half):
    return half - 0x10000 if half & 0x8000 else half


def dot(a, b):  # 2.5
    low = signed16(a & 0xFFFF) * signed16(b & 0xFFFF)
    return (low + signed16(a >> 16) * signed16(b >> 16)) & WORD


def joined_words(dims, word):
    """m; word[1] is that of y's cell 0 in 1D."""
    if dims <= 2:
        return dot(word[0], word[1])
    s = word[2] if dims == 3 else (word[2] + word[3]) & WORD
    return dot((word[0] + s) & WORD, word[1] ^ s)


def index_of(dims, m):
    if dims == 1:
        return m >> 17 & 1
    return (m >> 17 & 7, m >> 16 & 15, m >> 16 & 31)[dims - 2]


K = 53 / 128
GX2 = [1.0, -1.0, 1.0, -1.0, K, -K, K, -K]
GY2 = [K, K, -K, -K, 1.0, 1.0, -1.0, -1.0]
GX3 = [2.0, -2.0, 2.0, -2.0, 2.0, -2.0, 2.0, -2.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, -2.0, 0.0]
GY3 = [2.0, 2.0, -2.0, -2.0, 0.0, 0.0, 0.0, 0.0, 2.0, -2.0, 2.0, -2.0, 2.0, -2.0, 2.0, -2.0]
GZ3 = [0.0, 0.0, 0.0, 0.0, 2.0, 2.0, -2.0, -2.0, 2.0, 2.0, -2.0, -2.0, 0.0, 2.0, 0.0, -2.0]


def gradient(dims, index):  # 2.5
    if dims == 1:
        return [-1.0 if index else 1.0]
    if dims == 2:
        return [GX2[index], GY2[index]]
    if dims == 3:
        return [GX3[index], GY3[index], GZ3[index]]
    zero = index >> 1 & 3
    signs = iter((index & 1, index >> 3 & 1, index >> 4 & 1))
    g = [0.0] * 4
    for axis in (3, 0, 1, 2):
        if axis != zero:
            g[axis] = -2.0 if next(signs) else 2.0
    return g


Axis = collections.namedtuple("Axis", "w u a0 a1 word")  # word: lower and upper corner's
Row = collections.namedtuple("Row", "value tilt")


def axis_of(dims, axis, cells, octave):
    _, cell, f = cell_and_fraction(cells)
    w, u = fade(f)
    a0, a1 = weights(f, u, octave.amplitude[dims - 1])
    return Axis(w, u, a0, a1, [axis_word(cell + n, axis, octave.key[axis]) for n in (0, 1)])


def row_of(dims, axes, words):  # 2.6; words: those of y, z, w
    x = axes[0]
    g0, g1 = (gradient(dims, index_of(dims, joined_words(dims, [w, *words]))) for w in x.word)
    value = add(mul(x.a0, g0[0]), mul(x.a1, g1[0]))
    return Row(value, [None] + [lerp(x.u, g0[b], g1[b]) for b in range(1, dims)])


def fold(b, axis, low, high):  # 2.6
    value = add(
        level(axis.w, low.value, high.value),
        add(mul(axis.a0, low.tilt[b]), mul(axis.a1, high.tilt[b])),
    )
    return Row(value, [None] + [lerp(axis.u, low.tilt[c], high.tilt[c]) for c in range(1, b)])


def octave_value(dims, octave, cells):
    axes = [axis_of(dims, a, cells[a], octave) for a in range(dims)]
    if dims == 1:
        return row_of(1, axes, [axis_word(0, 1, octave.key[1])]).value

    # Rows by their corner: 0 or 1 along y, z, w. The last axis is folded first.
    rows = {
        corner: row_of(dims, axes, [axes[a + 1].word[n] for a, n in enumerate(corner)])
        for corner in corners(dims - 1)
    }
    for b in range(dims - 1, 0, -1):
        rows = {
            corner: fold(b, axes[b], rows[corner + (0,)], rows[corner + (1,)])
            for corner in corners(b - 1)
        }
    return rows[()].value


def corners(n):
    return [tuple(number >> i & 1 for i in range(n)) for number in range(2**n)]


def value_at(octaves, position):  # 2.1, 2.7
    total = None
    for octave in octaves:
        cells = [x * octave.frequency for x in position]
        if not all(abs(x) <= 2.0**53 for x in cells):
            return math.nan
        n = octave_value(len(position), octave, cells)
        total = n if total is None else add(total, n)
    return total


# ---- The document's tables ----------------------------------------------------------------------


def hex_of(v):
    """As C's %a: no trailing zeros."""
    if math.isnan(v) or math.isinf(v):
        return str(v)
    return re.sub(r"\.?0*p", "p", v.hex()) if v else v.hex().replace(".0", "")


def tables_of(text):
    """Yields each table of section 4: its section's number, the rows as dicts by column."""
    section, header, rows = None, None, []
    for line in text.splitlines() + [""]:
        heading = re.match(r"#+ ([0-9.]+)", line)
        if heading:
            section = heading.group(1).rstrip(".")
        if line.startswith("|"):
            cells = [c.strip() for c in line.strip().strip("|").split("|")]
            if header is None:
                header = cells
            elif not all(re.fullmatch(r":?-+:?", c) for c in cells):
                if len(cells) != len(header):
                    raise SystemExit(f"specification: a row of {section} has another width: {line}")
                rows.append(dict(zip(header, cells)))
        elif header is not None:
            if section and section.split(".")[0] == "4":
                yield section, rows
            header, rows = None, []


def numbers_of(text, convert):
    return [convert(part.strip()) for part in text.strip("()").split(",")]


class Tally:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, what, found, expected):
        if found == expected:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED {what}: {found}, expected {expected}")


def check_row(tally, section, row, computed):
    """Compares the columns that were computed with the row's."""
    expected = {name: row[name] for name in computed}
    tally.check(f"{section} {' | '.join(row.values())}", computed, expected)


def corner_words(cell, key):
    dims = len(cell)
    words = [axis_word(cell[a], a, key[a]) for a in range(dims)]
    return words if dims > 1 else words + [axis_word(0, 1, key[1])]


def check_hash(tally, section, rows, _):
    for row in rows:
        cell = numbers_of(row["cell"], int)
        m = joined_words(len(cell), corner_words(cell, keys_of(int(row["seed"], 0))))
        index = index_of(len(cell), m)
        check_row(tally, section, row, {"m": f"{m:08X}", "index": str(index)})


def check_grid(tally, section, rows, _):
    for row in rows:
        x = grid_position(
            float.fromhex(row["origin"]), float.fromhex(row["step"]), int(row["index"])
        )
        check_row(tally, section, row, {"position": hex_of(x)})


def check_cell(tally, section, rows, _):
    for row in rows:
        t, cell, f = cell_and_fraction(float.fromhex(row["x_k"]))
        check_row(tally, section, row, {"t": str(t), "X": str(cell), "f": hex_of(f)})


def check_fade(tally, section, rows, _):
    for row in rows:
        w, u = fade(float.fromhex(row["f"]))
        check_row(tally, section, row, {"w": hex_of(w), "u": hex_of(u)})


AXES = "xyzw"
WORKED_POSITION = (-432.1, 87.65)


def check_init(tally, section, rows, _):
    if "gain" in rows[0]:
        for row in rows:
            octaves = octaves_of(Params(octaves=int(row["octaves"]), gain=float(row["gain"])))
            found = octaves[int(row["octave"])].amplitude[int(row["dimensions"]) - 1]
            check_row(tally, section, row, {"amplitude": hex_of(found)})
        return
    octaves = octaves_of(Params(octaves=3))
    tally.check(f"{section} number of octaves", len(rows), len(octaves))
    for row in rows:
        octave = octaves[int(row["octave"])]
        computed = {"frequency": hex_of(octave.frequency)}
        for a in range(4):
            computed[f"key {AXES[a]}"] = f"{octave.key[a]:08X}"
            computed[f"amplitude {a + 1}D"] = hex_of(octave.amplitude[a])
        check_row(tally, section, row, computed)


def check_worked(tally, section, rows, _):
    """The worked sample's tables, told apart by their columns."""
    octave = octaves_of(Params())[0]
    axes, by_axis = [], {}
    for a, x in enumerate(WORKED_POSITION):
        cells = x * octave.frequency
        t, cell, f = cell_and_fraction(cells)
        axis = axis_of(2, a, cells, octave)
        axes.append(axis)
        by_axis[AXES[a]] = {
            "position": hex_of(x),
            "x_0": hex_of(cells),
            "t": str(t),
            "cell": str(cell),
            "f": hex_of(f),
            "w": hex_of(axis.w),
            "u": hex_of(axis.u),
            "a0": hex_of(axis.a0),
            "a1": hex_of(axis.a1),
            "word0": f"{axis.word[0]:08X}",
            "word1": f"{axis.word[1]:08X}",
        }
    edges = [row_of(2, axes, [axes[1].word[n]]) for n in (0, 1)]
    value = fold(1, axes[1], *edges).value
    between = level(axes[1].w, edges[0].value, edges[1].value)
    slope = add(mul(axes[1].a0, edges[0].tilt[1]), mul(axes[1].a1, edges[1].tilt[1]))
    for row in rows:
        if "step" in row:
            computed = {a: by_axis[a][row["step"]] for a in "xy"}
        elif "corner" in row:
            i, j = numbers_of(row["corner"], int)
            m = joined_words(2, [axes[0].word[i], axes[1].word[j]])
            g = gradient(2, index_of(2, m))
            computed = {
                "m": f"{m:08X}",
                "index": str(index_of(2, m)),
                "gx": hex_of(g[0]),
                "gy": hex_of(g[1]),
            }
        elif "row" in row:
            edge = edges[int(row["row"])]
            computed = {"P": hex_of(edge.value), "Q": hex_of(edge.tilt[1])}
        else:
            computed = {
                "(P0 + P1) * 0.5 + w[y] * (P1 - P0)": hex_of(between),
                "a0[y] * Q0 + a1[y] * Q1": hex_of(slope),
                "value": hex_of(value),
                "bits": f"{bits_of(value):08X}",
            }
        check_row(tally, section, row, computed)


def check_fields(tally, section, rows, fields):
    for row in rows:
        fields[row["field"]] = octaves_of(
            Params(
                int(row["seed"], 0),
                float(row["frequency"]),
                int(row["octaves"]),
                float(row["lacunarity"]),
                float(row["gain"]),
                int(row["octave_seed_step"], 0),
            )
        )


def check_values(dims):
    def check(tally, section, rows, fields):
        for row in rows:
            position = numbers_of(row["position"], float.fromhex)
            tally.check(f"{section} dimensions", len(position), dims)
            v = value_at(fields[row["field"]], position)
            check_row(tally, section, row, {"value": hex_of(v), "bits": f"{bits_of(v):08X}"})

    return check


TABLES = {
    "4.1": ("hash", check_hash),
    "4.2": ("grid positions", check_grid),
    "4.3": ("cell and fraction", check_cell),
    "4.4": ("fade", check_fade),
    "4.5": ("constants of octaves", check_init),
    "4.6": ("worked sample", check_worked),
    "4.7": ("fields", check_fields),
    "4.8": ("values in 1D", check_values(1)),
    "4.9": ("values in 2D", check_values(2)),
    "4.10": ("values in 3D", check_values(3)),
    "4.11": ("values in 4D", check_values(4)),
}


def check_document(tally, path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    fields, rows_seen = {}, collections.Counter()
    for section, rows in tables_of(text):
        rows_seen[section] += len(rows)
        if section in TABLES:
            TABLES[section][1](tally, section, rows, fields)
        else:
            tally.check(f"{section}: a table that this script does not know", len(rows), 0)
    for section, (name, _) in TABLES.items():
        print(f"section {section}, {name}: {rows_seen[section]} rows")
        tally.check(f"{section} has rows", rows_seen[section] > 0, True)


# ---- The command --------------------------------------------------------------------------------


def random_params(rng):
    return Params(
        seed=rng.choice((0, 1337, 2**64 - 1, rng.getrandbits(64))),
        frequency=rng.choice((0.01, 1.0, 2.0 ** rng.randint(-30, 30), 2.0 ** rng.uniform(-30, 30))),
        octaves=rng.choice((1, 1, 2, 3, 5, 8)),
        lacunarity=rng.choice((2.0, 2.0, 0.5, 1.0, rng.uniform(1.5, 2.5))),
        gain=rng.choice((0.5, 0.5, -0.5, 1.0, 0.0, rng.uniform(-2, 2))),
        octave_seed_step=rng.choice((1, 1, 0, rng.getrandbits(64))),
    )


def random_cells(rng):
    """A coordinate in cells: ordinary, or where something changes."""
    kind = rng.randrange(8)
    if kind <= 1:
        return rng.uniform(-10, 10)
    if kind == 2:  # around a lattice point, in halves of the quantum and less
        return rng.randint(-3, 3) + rng.randint(-4, 4) * 2.0 ** rng.randint(-27, -24)
    if kind == 3:  # around multiples of 2^32 and 2^31, where the hash folds in the high word
        return (rng.randint(-2**21, 2**21) + 0.5 * rng.randint(0, 1)) * 2**32 + rng.uniform(-2, 2)
    if kind == 4:  # around the powers of two
        return rng.choice((-1, 1)) * 2.0 ** rng.randint(20, 53) + rng.randint(-2, 2) * 0.25
    if kind == 5:
        return rng.choice((-1, 1)) * 2.0 ** rng.uniform(-40, 53)
    if kind == 6:
        return float(rng.randint(-10**6, 10**6))
    return rng.choice((0.0, -0.0, 0.5, 2.0**52 + 1, 2.0**53, -(2.0**53), 2.0**53 + 2, 1e300))


def random_position(rng, dims, octaves):
    """Awkward coordinates beside ordinary ones: a single awkward one is enough to be outside."""
    frequency = rng.choice(octaves).frequency
    ordinary = rng.randrange(3) == 0
    return [
        (rng.uniform(-100, 100) if ordinary or rng.randrange(3) == 0 else random_cells(rng))
        / frequency
        for _ in range(dims)
    ]


def run_points(command, params, dims, positions):
    options = [
        ("--seed", params.seed),
        ("--frequency", repr(params.frequency)),
        ("--octaves", params.octaves),
        ("--lacunarity", repr(params.lacunarity)),
        ("--gain", repr(params.gain)),
        ("--octave-seed-step", params.octave_seed_step),
        ("--dims", dims),
    ]
    arguments = [command, "points", "--bits-out"]
    for name, value in options:
        arguments += [name, str(value)]
    lines = "".join(" ".join(x.hex() for x in position) + "\n" for position in positions)
    try:
        done = subprocess.run(
            arguments, input=lines, capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return [], f"{' '.join(arguments)}: {error}"
    if done.returncode != 0 or done.stderr:
        return [], f"{' '.join(arguments)}: exit status {done.returncode}: {done.stderr.strip()}"
    return done.stdout.split(), None


def check_command(tally, command):
    seed = os.environ.get("PERLANE_TEST_SEED") or str(random.SystemRandom().getrandbits(32))
    print(f"comparing with {command}; PERLANE_TEST_SEED={seed}")
    rng = random.Random(seed)
    for dims in range(1, 5):
        compared = outside = 0
        for _ in range(30):
            params = random_params(rng)
            octaves = octaves_of(params)
            positions = [random_position(rng, dims, octaves) for _ in range(20)]
            found, error = run_points(command, params, dims, positions)
            if error or len(found) != len(positions):
                error = error or f"{len(found)} results for {len(positions)} positions: {params}"
                tally.check("the command", error, "one result for each position")
                continue
            for position, bits in zip(positions, found):
                expected = bits_of(value_at(octaves, position))
                where = f"{dims}D {params} at {' '.join(map(hex_of, position))}"
                tally.check(f"{where}: the command", bits.upper(), f"{expected:08X}")
                compared += 1
                outside += expected == NOT_A_NUMBER
        print(f"{dims}D: {compared} positions compared, {outside} of them outside the domain")


def main(arguments):
    if len(arguments) not in (2, 3):
        print(__doc__)
        return 2
    tally = Tally()
    check_document(tally, arguments[1])
    if len(arguments) == 3:
        check_command(tally, arguments[2])
    else:
        print("skipped: comparison with the perlane command (no path given)")
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
