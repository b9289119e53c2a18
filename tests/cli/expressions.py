#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of --expression and --field-as: expressions.py PERLANE WORK.

Values are compared with those computed here, in float, from maps of the fields alone.
"""

import sys

import numpy as np

from command import check, fill, pixels, read, refused, run, run_steps, words, write

PLAINS, PEAKS, REGIONS = "octaves=4 frequency=0.02", "seed=-2 octaves=6 frequency=0.03 fractal=ridged", "seed=3 frequency=0.005"
NAMES = ("--field-as", f"plains={PLAINS}", "--field-as", f"peaks = {PEAKS}", "--field-as", f"regions={REGIONS}")
TEXT = "mix(plains, peaks, smooth(-0.1, 0.3, regions)) - 0.01*y"


def field(options, place="--size 300x200"):
    fill(f"-o one.npy --bits 32 {place}", *(f"--field={options}",))
    return np.load("one.npy")


def by_hand():
    one = np.float32(1)
    plains, peaks, regions = map(field, (PLAINS, PEAKS, REGIONS))
    t = np.clip((regions - np.float32(-0.1)) / (np.float32(0.3) - np.float32(-0.1)), 0, one)
    t = (t * t) * (3 - 2 * t)
    y = np.arange(200, dtype=np.float32)[:, None]
    return (plains * (one - t) + peaks * t) - np.float32(0.01) * y


def values():
    fill("-o map.npy --bits 32 --size 300x200", f"--expression={TEXT}", *NAMES)
    check("an expression's values are those of its fields", np.array_equal(np.load("map.npy"), by_hand()))
    fill("-o part.npy --bits 32 --size 40x30 --first 100,50", f"--expression={TEXT}", *NAMES)
    check("a part is a part of the map", np.array_equal(np.load("part.npy"), by_hand()[50:80, 100:140]))
    printed = run("points", f"--expression={TEXT}", *NAMES, text="100 50\n").out
    check("points have the map's values", np.float32(printed) == by_hand()[50, 100], printed)
    fill("-o volume.npy --size 9x8x7", "--expression=at(x, y, h) - 0.1*z", "--field-as=h=octaves=3 frequency=0.1")
    flat = field("octaves=3 frequency=0.1", "--size 9x8")
    z = np.arange(7, dtype=np.float32)[:, None, None]
    check("a map of heights in a volume", np.array_equal(np.load("volume.npy"), flat - np.float32(0.1) * z))


def texts():
    fill("-o map.png --size 300x200", f"--expression={TEXT}", *NAMES)
    values = by_hand()
    low, high = values.min(), values.max()
    fill("-o given.png --size 300x200", f"--expression={TEXT}", *NAMES, f"--range={float(low)!r},{float(high)!r}")
    check("the range is that of the map", read("map.png") == read("given.png"))
    for name, options in (("what the map carries", ["--params-of", "map.png"]),
                          ("a text with definitions", ["--size=300x200", f"--expression=plains={PLAINS}; peaks={PEAKS};regions={REGIONS}; {TEXT}"])):
        fill("-o again.png", *options)
        check(f"{name} makes it again", read("again.png") == read("map.png"))
    with open("land.txt", "w", encoding="utf-8") as stream:
        stream.write(f"# land\nplains = {PLAINS} # low\n\npeaks={PEAKS}\nregions = {REGIONS}\n\nmix(plains, peaks, # high\n"
                     "    smooth(-0.1, 0.3, regions))\n  - 0.01*y\n")
    fill("-o again.png --size 300x200 --expression @land.txt")
    check("so does a file of lines", read("again.png") == read("map.png"))
    fill("-o saved.png --params-of map.png")
    write("saved.txt", run("fill -o saved.png --params-of map.png --print-params").out)
    fill("-o again.png --params-of saved.txt")
    check("and a file of options", read("again.png") == read("map.png"))
    fill("-o other.r16 --params-of map.png --field-as=regions=seed=4", "--range=-1,1")
    fill("-o again.r16 --size 300x200 --range=-1,1", f"--expression={TEXT}", *NAMES[:4], "--field-as", "regions=seed=4")
    check("--field-as replaces a definition", read("other.r16") == read("again.r16"))
    check("verify makes the values again", run("verify map.png saved.png other.r16").out.startswith(b"3 files: 3 equal"))


def no_numbers():
    """Samples that are not numbers have the lowest level, with a range that is given or found."""
    fill("-o actual.r16 --size 40x3 --expression=sqrt(x-9)")
    fill(f"-o given.r16 --size 40x3 --expression=sqrt(x-9) --range=0,{float(np.sqrt(np.float32(30)))!r}")
    samples = np.frombuffer(read("actual.r16"), "<u2")
    check("not a number is 0", read("actual.r16") == read("given.r16") and not samples[:9].any() and samples.max() == 65535)


def maps():
    fill("-o t.r16 --size 150x100 --tiles 2x2", f"--expression={TEXT}", *NAMES)
    fill("-o whole.r16 --size 300x200", f"--expression={TEXT}", *NAMES)
    whole = np.frombuffer(read("whole.r16"), "<u2").reshape(200, 300)
    check("tiles are parts of the map", all(np.array_equal(
        np.frombuffer(read(f"t_x{x}_y{y}.r16"), "<u2").reshape(100, 150), whole[100 * y:100 * y + 100, 150 * x:150 * x + 150])
        for x in (0, 1) for y in (0, 1)))
    check("and are verified", run("verify t.r16 --tiles 2x2").out.startswith(b"4 files: 4 equal"))
    fill("-o heights.r16 --size 300x200 --heights 0,900 --spacing 10 --for unity", "--size=513", f"--expression={TEXT}", *NAMES)
    note = read("heights.r16.txt")
    check("heights for an engine", b"900" in note, note)
    fill("-o mask.png --size 64 --expression=a-0.01*x --field-as=a=octaves=3 --heights 0,500 --mask height=100..300")
    check("masks", run("verify mask.png").out.startswith(b"1 file: 1 equal"))
    fill("-o same.png --look hills --size 64 --expression=a-0.01*x --field-as=a=octaves=3 --heights 0,500 --mask height=100..300")
    check("whose heights are those that were given, not a look's", (pixels("mask.png") == pixels("same.png")).all())
    fill("-o look.png --look hills --size 64 --expression=a-0.01*x --field-as=a=octaves=3 --mask height=10..100")
    check("or the look's", 0 < pixels("look.png").mean() < 255)
    fill("-o shade.png --size 64 --look alps --shade", "--expression=max(a, b)", "--field-as", "a=look=alps", "--field-as", "b=look=hills seed=5")
    fill("-o text.npy --size 64", "--expression=a = look=alps # high\nb=look=hills seed=5; max(a, b)")
    fill("-o same.npy --size 64", "--expression=max(a, b)", "--field-as", "a=look=alps", "--field-as", "b=look=hills seed=5")
    fill("-o wide.npy --size 64 --expression=a --field-as", "a=look=alps:500 seed=3")
    fill("-o wide_text.npy --size 64", "--expression=b=look=alps:500 seed=3; b")
    fill("-o map_text.npy --size 64", "--expression=b=look=alps seed=3; b")
    check("or of another width", read("wide.npy") == read("wide_text.npy") != read("map_text.npy"))
    check("looks in the text are those of the map", read("text.npy") == read("same.npy"))
    write("named.txt", "p = octaves=2\nland = mix(p,\n  0.3, # flat\n  0.5)\nat(2*x, y, land) + 1")
    fill("-o named.npy --size 64 --expression @named.txt")
    fill("-o same.npy --size 64", "--expression=mix(at(2*x, y, p), 0.3, 0.5) + 1", "--field-as", "p=octaves=2")
    check("definitions of expressions", read("named.npy") == read("same.npy"))
    check("and are verified", run("verify named.npy").out.startswith(b"1 file: 1 equal"))
    for line, option in (("fill -o named.npy --size 8 --force", "--expression"), ("points", "--expression"),
                         ("scatter --basis cellular --from 0,0 --to 1,1", "--density")):
        check(f"notes of {line}", [("note: nothing uses the definition of 'b'" in run(line + quiet, f"{option}=b=; x").err) for quiet in ("", " -q")] == [True, False])
    check("pictures of looks", run("verify shade.png").out.startswith(b"1 file: 1 equal"))


def wrong():
    for name, message, options in (
            ("an option of one field", "--octaves is an option of one field", "--expression a --field-as a=seed=2 --octaves 3"),
            ("an option of a field", "--field-as a: octaves must be", "--expression a --field-as a=octaves=99"),
            ("an unknown name among others, at its place", "--expression, character 7: ", ["--expression=p + 3 m", *NAMES, "--field-as=p=octaves=2"]),
            ("a definition in the text, at its place", "--expression, character 17: ", ["--expression=a=seed=3; a + 3 m", "--field-as=a=seed=4"]),
            ("a character after others of several bytes", "--expression line 2, character 1: ", ["--expression=a = octaves=2 # \u00fc\n\u00fc"]),
            ("an unknown look in the text", "no look is called 'sea'", ["--expression=a=look=sea; a"]),
            ("an unknown look", "--field-as: no look is called 'sea'", "--expression a --field-as a=look=sea"),
            ("no name", "--field-as 'octaves': expected NAME=OPTIONS", "--expression a --field-as octaves"),
            ("no expression", "--field-as has no effect without --expression", "--field-as a=octaves=2"),
            ("an infinite range", "--range actual: samples are infinite", "--expression 1/(x-x)"),
            ("a map without numbers", "--range actual: samples are infinite, or none is a number", "--expression sqrt(x-99)")):
        refused(f"{name} is refused", 2, message, "fill -o x.png --size 8", *(words(options) if isinstance(options, str) else options))
    check("line ends in --field-as are blanks", run("points --expression=a --field-as", "a=octaves=3\n  seed=4", text="1 2\n").out ==
          run("points --octaves 3 --seed 4", text="1 2\n").out)
    write("land.txt", "# land\nplains = octaves=2\n\nplains + # high\n  * 3\n")
    refused("a place in a file", 1, "'land.txt' line 5, character 3: ", "fill -o x.png --expression @land.txt")
    refused("a missing file", 1, "cannot read the expression in 'none.txt'", "fill -o x.png --expression @none.txt")


sys.exit(run_steps(values, texts, no_numbers, maps, wrong))
