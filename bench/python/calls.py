#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints how long calls of the Python package take, as the table of docs/python.md: calls.py

The shortest of many rounds on one thread.
"""

import timeit

import numpy as np

from perlane import Field

FIELD = Field(seed=7, octaves=8, frequency=0.01)
OUT = np.empty((64, 64), "f4")
CALLS = {
    "Field(octaves=8)": lambda: Field(octaves=8),
    "field.octaves": lambda: FIELD.octaves,
    "field.replace(seed=2)": lambda: FIELD.replace(seed=2),
    "field.fill((1, 1))": lambda: FIELD.fill((1, 1)),
    "field.fill((64, 64), out=out)": lambda: FIELD.fill((64, 64), out=OUT),
    "field.fill((1024, 1024))": lambda: FIELD.fill((1024, 1024)),
    "field.gradient((1024, 1024))": lambda: FIELD.gradient((1024, 1024)),
    "field.shade((1024, 1024), \"land\")": lambda: FIELD.shade((1024, 1024), "land"),
}
for name, x in {
    "of a number": 0.5,
    "of 1,000": np.random.default_rng(1).uniform(0, 1e4, 1000),
    "of 1,000,000": np.random.default_rng(1).uniform(0, 1e4, 1_000_000),
}.items():
    CALLS[f"field.points(x, y)` {name}`"] = lambda x=x: FIELD.points(x, x)


def seconds(call):
    timer = timeit.Timer(call)
    count = max(1, int(0.01 / max(timer.timeit(1), 1e-7)))
    return min(timer.repeat(40, count)) / count


def shown(time):
    return f"{time * 1e3:.3g} ms" if time >= 1e-3 else f"{time * 1e6:.2g} µs"


print("| call | time |\n|---|---|")
for name, call in CALLS.items():
    print(f"| `{name}` | {shown(seconds(call))} |".replace("``", ""))
