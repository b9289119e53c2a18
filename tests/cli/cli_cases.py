#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The cases of tests/cases.txt, which describes them, with the command: cli_cases.py PERLANE WORK."""

import os
import re
import sys

from command import ROOT, check, read, run, run_steps


def unescaped(text):
    return re.sub(rb"\\(n|t|x..)", lambda match: {b"n": b"\n", b"t": b"\t"}.get(match[1]) or
                  bytes.fromhex(match[1][1:].decode()), text.replace('""', "").encode())


def hash_of(data):
    value = 2166136261
    for byte in data:
        value = (value ^ byte) * 16777619 % 2**32
    return f"{value:08x}"


def result(call, text, given=""):
    """What a case comes to with the command; its messages, from "! " on, if it refuses it."""
    noise = (b"--expression=" + unescaped(text[2:]) if text[0] == ":" else b"--field=" + unescaped(text)).decode()
    if call == "text":
        done = run("points --print-params", noise)
        found = " ".join(done.out.decode().split("\n")[1:-1])
        found = found or '""' if text[0] != ":" else str(found).removeprefix("expression=").replace("&", " ")
    elif call in ("points", "slopes"):
        dims = given.split(" ")[0].count(",") + 1
        done = run(f"points --bits-out --dims {dims}", *["--with-gradient"] * (call == "slopes"), noise,
                   text=given.replace(" ", "\n"))
        found = " ".join(done.out.decode().split())
    else:
        size, *others = given.split(" ")
        settings = dict(word.split("=") for word in others)
        if "low" in settings:
            settings["range"] = f"{settings.pop('low')},{settings.pop('high')}"
        bits = {"fill": 32, "fill16": 16, "fill8": 8}[call]
        done = run(f"fill -q -o - --bits {bits} --axes {size.count('x') + 1} --size {size}", noise,
                   *(f"--{name}={value}" for name, value in settings.items()))
        found = hash_of(done.out)
    return found if done.status == 0 else "! " + done.err if done.status == 2 and not done.out else str(done)


def is_refusal(expected, found):
    """Whether messages have a case's sentence, and the place in the text, which the command counts from 1."""
    _, place, sentence, character = re.fullmatch(r"! (\w+)(?:@(\d+))?: (.*?)(?:\.\.\.| \(character (\d+)\))?", expected).groups()
    where = f"character {int(place) + 1 if place else character}: " if place or character else "perlane "
    return found[0] == "!" and where in found and sentence in found


def cases():
    lines = read(os.path.join(ROOT, "tests/cases.txt")).decode().splitlines()
    lines = [(number, *line.split(" | ")) for number, line in enumerate(lines, 1) if line and line[0] != "#"]
    others = [line for line in lines if line[1][3] == "-"]
    for number, call, *given, expected in lines:
        if call[3] == "x":
            found = result(call[5:], *given)
            holds = is_refusal(expected, found) if expected[0] == "!" else found == expected
            check(f"cases.txt:{number}", holds, f"{found}\nexpected {expected}")
    print(f"{len(others)} cases are not for the command")


sys.exit(run_steps(cases))
