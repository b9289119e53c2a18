# SPDX-License-Identifier: MIT
"""The cases of tests/cases.txt, which describes them."""

import re
from pathlib import Path

import numpy as np
import pytest

from perlane import Expression, Field

FILE = Path(__file__).resolve().parents[3] / "tests" / "cases.txt"
LINES = [(number, *line.split(" | ")) for number, line in enumerate(FILE.read_text("utf-8").splitlines(), 1)
         if line and line[0] != "#"]  # fmt: skip
CASES = [line for line in LINES if line[1][1] == "p"]


def unescaped(text):
    def byte(match):
        return {"n": b"\n", "t": b"\t"}.get(match[1].decode()) or bytes.fromhex(match[1][1:].decode())

    return re.sub(rb"\\(n|t|x..)", byte, text.replace('""', "").encode()).decode("utf-8")


def noise_of(text):
    return Expression(unescaped(text[2:])) if text[0] == ":" else Field(unescaped(text))


def axes(text, kind):
    return tuple(map(kind, re.split("[x,]", text)))[::-1]


def grid_of(arguments):
    shape, *others = arguments.split(" ")
    grid = {"shape": axes(shape, int)}
    for name, value in (word.split("=") for word in others):
        kind = {"first": int, "octaves": str if value == "shown" else int}.get(name, float)
        grid[name] = axes(value, kind) if name in ("first", "origin", "step") else kind(value)
    return grid


def bits(values):
    return " ".join(f"{word:08x}" for word in np.asarray(values, np.float32).ravel().view(np.uint32))


def derivatives(gradient, dims):
    return [getattr(gradient, name) for name in ("value", "dx", "dy", "dz", "dw")[: 1 + dims]]


def hash_of(*arrays):
    value = 2166136261
    for byte in b"".join(array.tobytes() for array in arrays):
        value = (value ^ byte) * 16777619 % 2**32
    return f"{value:08x}"


def result(call, text, arguments=""):
    noise = noise_of(text)
    if call == "text":
        return noise.text or '""'
    if call in ("points", "slopes"):
        coords = np.array([axes(word, float)[::-1] for word in arguments.split(" ")]).T
        if call == "points":
            return bits(noise.points(*coords))
        return bits(np.array(derivatives(noise.points_gradient(*coords), len(coords))).T)
    if call == "range":
        is_grid = "x" in arguments
        return bits(noise.range(grid_of(arguments)["shape"] if is_grid else int(arguments)))
    grid = grid_of(arguments)
    if call == "gradient":
        return hash_of(*derivatives(noise.gradient(**grid), len(grid["shape"])))
    return hash_of(noise.fill(**grid, dtype={"fill16": "uint16", "fill8": "uint8"}.get(call)))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"line {case[0]}")
def test_case(case):
    _, call, *given, expected = case
    try:
        found = result(call[5:], *given)
    except (ValueError, MemoryError) as error:
        found = f"! {error}"
    if expected[0] == "!":
        assert found[:2] == "! " and expected.split(": ", 1)[1].removesuffix("...") in found
    else:
        assert found == expected


def test_there_are_cases_and_others_that_do_not_apply():
    assert {line[1][1] for line in LINES} == {"p", "-"} and CASES
