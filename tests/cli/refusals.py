#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of what the command refuses: refusals.py PERLANE WORK.

The command lines of refusals.txt, and wrong values of every option. A refusal has a message and a
status, prints nothing, and changes no file.
"""

import itertools
import os
import re
import sys

from command import ROOT, check, parameters, refused, run, run_steps, write


def make_tables():
    os.mkdir("tables")
    os.mkdir("tables/folder.png")
    os.symlink("missing.png", "tables/dangling.png")
    os.symlink("turning.png", "tables/turning.png")
    write("tables/numbers", "1\n")


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
    tests/cases.txt has what else the library refuses."""
    records, choices = parameters()
    for name, _, _, valid in records:
        text = f"{name} must be {'one of ' + ', '.join(choices[name]) if name in choices else valid}, not "
        for value in ("", " 1", "?"):
            refused("", 2, text + f"'{value}'\n", "points", f"--{name.replace('_', '-')}={value}")
    refused("", 2, "--preset 'mist': expected one of", "points --preset mist")


def missing_values():
    for command, least in (("fill", 60), ("points", 40), ("verify", 2)):
        found = re.findall(r"^  (?:-(.), |    )--([a-z-]+) [A-Z]", run(command + " --help").out.decode(), re.M)
        check(f"{command} has options with values", len(found) >= least, found)
        for short, name in found:
            refused("", 2, f"--{name}: its value", command, "--" + name)
            if short:
                refused("", 2, f"-{short}: its value", command, "-" + short)
    check("an option without a name is like no other", "did you mean" not in run("fill --=3").err)


# ---- What a terminal must not get ----


def names():
    odd = b"\033]0;x\007\233\302\233\377\303\251\n."
    want = "\\x1B]0;x\\x07\\x9B\\xC2\\x9B\\xFF\u00e9\\x0A."
    for line in ("fill -o", "fill -o x.png --size", "fill -o x.png --params-of",
                 "fill -o x.png --params-of", "points --hash", "looks", "", "points"):
        said = run(line, os.fsdecode(odd)).err
        check(f"control characters and broken UTF-8 are escaped: {line}", want in said and
              not re.search(r"[^\n -~\u00e9]", said), said)
    check("also in the line about the run", "a\\x1Bb.png: 4x4" in run("fill --size 4 -o", "a\033b.png").err)
    os.environ["PERLANE_ISA"] = "\033[31m"
    check("and in what info prints", b"'\\x1B[31m': no such" in run("info").out)
    del os.environ["PERLANE_ISA"]


sys.exit(run_steps(command_lines, options, missing_values, names))
