#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of what the command refuses: refusals.py PERLANE WORK.

The command lines of refusals.txt, wrong values of every option, and files of tables that make no
sense. A refusal has a message and a status, prints nothing, and changes no file.
"""

import itertools
import os
import re
import sys

from command import ROOT, check, parameters, refused, run, run_steps, write


def numbers(n):
    return "".join(f"{i % 256}\n" for i in range(n))


def make_tables():
    os.mkdir("tables")
    os.mkdir("tables/folder.png")
    os.symlink("missing.png", "tables/dangling.png")
    os.symlink("turning.png", "tables/turning.png")
    for name, content in (("numbers", numbers(256)), ("numbers1024", numbers(1024)),
                          ("vectors", "1,0\n0,1\n"), ("vectors3", "1 0 0\n0 1 0\n"),
                          ("grid", "1,0\n0,1\n\n-1,0\n0,-1\n"), ("zeros", "0,0\n0,0\n"), ("zero", "0,0\n")):
        write("tables/" + name, content)


def cases(line):
    """Yields the exit status, the command line and the text for each word of the line's lists."""
    command, text = re.fullmatch(r"(.*?) => ?(.*)", line).groups()
    parts = re.split(r"\{(.*?)\}", command[2:])
    for chosen in itertools.product(*(re.findall(r"'[^']*'|\S+", part) for part in parts[1::2])):
        filled = parts[0] + "".join(word + rest for word, rest in zip(chosen, parts[2::2]))
        yield int(command[0]), filled, text.replace("{}", chosen[-1].strip("'")) if chosen else text


def command_lines():
    make_tables()
    with open(os.path.join(ROOT, "tests/cli/refusals.txt"), encoding="utf-8") as file:
        for line in file.read().splitlines():
            for status, command, text in cases(line) if line[:1] in "12" and line else ():
                refused("", status, text, command)


# ---- Options, one by one ----

def options():
    """Wrong values of each of the field's options are refused by name, with the library's sentence;
    tests/options.c has what else the library refuses."""
    records, choices = parameters()
    for name, _, _, valid in records:
        text = f"{name} must be {'one of ' + ', '.join(choices[name]) if name in choices else valid}, not "
        for value in ("", " 1", "?"):
            refused("", 2, text + f"'{value}'\n", "points", f"--{name.replace('_', '-')}={value}")
    refused("", 2, "--preset 'mist': expected one of", "points --preset mist")


def missing_values():
    for command, least in (("fill", 60), ("points", 40), ("bench", 1), ("verify", 2)):
        found = re.findall(r"^  (?:-(.), |    )--([a-z-]+) [A-Z]", run(command + " --help").out.decode(), re.M)
        check(f"{command} has options with values", len(found) >= least, found)
        for short, name in found:
            refused("", 2, f"--{name}: its value", command, "--" + name)
            if short:
                refused("", 2, f"-{short}: its value", command, "-" + short)
    check("an option without a name is like no other", "did you mean" not in run("fill --=3").err)


def instruction_sets():
    table = run("info").out.decode()
    unsupported = re.findall(r"^(\S+) +(?:yes|no) +no ", table, re.M)
    if not unsupported:
        print("not run: instruction sets to refuse: this machine has all")
    for isa in unsupported:
        for command in ("fill -o x.png", "points"):
            refused("", 2, f"--isa {isa}: this ", command, "--isa", isa)


# ---- Files of tables ----

COUNT = "expected 256 or, for the hash primes, 1024 numbers"
VECTORS = "gradient_table must have 2 to 256 vectors, not "
ROWS = "expected rows of vectors of 2 numbers"
BAD = {
    "--hash-table": [
        ("", COUNT), ("# none\n", COUNT), (numbers(255), COUNT), (numbers(257), COUNT),
        (numbers(1025), COUNT), ("0,1;2", " line 1: '1;2': expected a whole number"),
        ("1\n" * (1 << 20), "the file is larger than its maximum of 1 MiB"), ("#" * (1 << 20), "longer than 1 MiB"),
        ("0,,1", " line 1: expected a whole number"), ("1 2\n3 \0004\n", "a zero byte"),
        *((f"1 2 # 3\n4\n5, {number} 6\n", f" line 3: '{number}': expected a whole number")
          for number in "1.5 99999999999999999999 x + nan".split()),
        *((numbers(255) + number, "hash_table[255] must be a whole number from 0 to 255, not ")
          for number in "256 -1 0x101 1e3".split())],
    "--gradient-table": [
        ("# x,y\n\n", VECTORS + "0"), ("1,0\n", VECTORS + "1"), (numbers(257), VECTORS + "257"),
        ("1 0 0 0 0\n0 1 0 0 0", "the vectors of gradient_table must have 1 to 4 components, not 5"),
        ("1,0\n1y,0\n", " line 2: '1y': expected a number"), ("1,,0\n", " line 1: expected a number"),
        ("1,0\n#\n1\n", " line 3: the vectors differ in length"),
        *((f"1,0\n1,{number}\n", "y of gradient_table[1] must be a number from -1000000 to 1000000, not ")
          for number in "1000001 -2e6 nan inf 1e400".split())],
    "--gradient-grid": [
        ("", ROWS), ("\n# x y\n", ROWS), ("1 0 0\n0 1 0\n", ROWS),
        ("i,j,gx,gy\n0,0,1,0\n", " line 1: 'i': expected a number"),
        ("1 0\n\n1\n", " line 3: the vectors differ in length"),
        ("1 0\n0 1\n\n1 0\n\n0 1\n", " line 5: the rows differ in length"),
        ("1 0\n0 1\n\n1 0\n", " line 5: the rows differ in length"),
        ("1 0\n\n# one\n0,-1e7\n", "y of gradient_grid[1][0] must be a number from -1000000 to 1000000, not -1")],
}


def tables():
    for option, contents in BAD.items():
        for content, text in contents:
            write("bad", content)
            refused(f"{option} {content[:40]!r}", 1, text, f"fill -o x.png {option} bad")
            check("and the file is named", "'bad'" in run(f"points {option} bad").err)


# ---- What a terminal must not get ----


def names():
    odd = b"\033]0;x\007\233\302\233\377\303\251\n."
    want = "\\x1B]0;x\\x07\\x9B\\xC2\\x9B\\xFF\u00e9\\x0A."
    for line in ("fill -o", "fill -o x.png --size", "fill -o x.png --hash-table", "fill -o x.png --params",
                 "fill -o x.png --params-of", "points --hash", "bench --seconds", "", "points"):
        said = run(line, os.fsdecode(odd)).err
        check(f"control characters and broken UTF-8 are escaped: {line}", want in said and
              not re.search(r"[^\n -~\u00e9]", said), said)
    check("also in the line about the run", "a\\x1Bb.png: 4x4" in run("fill --size 4 -o", "a\033b.png").err)
    os.environ["PERLANE_ISA"] = "\033[31m"
    check("and in what info prints", b"'\\x1B[31m': no such" in run("info").out)
    del os.environ["PERLANE_ISA"]


sys.exit(run_steps(command_lines, options, missing_values, instruction_sets, tables, names))
