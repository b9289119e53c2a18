# SPDX-License-Identifier: MIT
"""The same bits as the specification, the command's files and the digest."""

import csv
import re
from pathlib import Path

import numpy as np
import pytest

import perlane
from perlane import Field
from support import same

ROOT = Path(__file__).resolve().parents[3]
VECTORS = ROOT / "tests" / "vectors" / "specification"
TEXTS = [
    "",
    "seed=7 octaves=8 frequency=0.002 fractal=ridged",
    "octaves=4 frequency=0.03 fractal=eroded warp_amplitude=30 warp_octaves=2 terraces=7",
    "basis=cellular frequency=0.06 cell_output=f2_minus_f1 curve=-1:0.25,0.5:-3 curve_shape=smooth",
    "basis=gaussian frequency=0.9 normalize=none value_scale=0.2",
    "preset=improved frequency=0.07 octaves=3",
]


def test_digest():
    header = (ROOT / "include" / "perlane.h").read_text()
    assert perlane.selftest() == int(re.search(r"DIGEST UINT64_C\((0x\w+)\)", header)[1], 16)
    assert perlane.__version__ == re.search(r'PERLANE_VERSION "(.*)"', header)[1]
    assert perlane.isa() in ("scalar", "sse4.1", "avx2", "avx512", "neon", "portable")


def tables_of(row):
    """Returns the tables that tests/vectors/README.md defines."""
    tables = {}
    if row["hash_table"]:
        i = np.arange(int(row["hash_table"]))
        tables["hash_table"] = i * i // 7 % 256
    if row["gradient_table"]:
        i, a = np.ogrid[: int(row["gradient_table"]), : int(row["dimensions"])]
        tables["gradient_table"] = ((5 * i + 3 * a) % 11 - 5) / 2
    if row["gradient_grid"]:
        columns, rows = map(int, row["gradient_grid"].split())
        j, i, a = np.ogrid[:rows, :columns, :2]
        tables["gradient_grid"] = ((5 * i + 7 * j + 3 * a) % 11 - 5) / 2
    return tables


def test_values_of_the_specification():
    with open(VECTORS / "fields.csv", newline="") as file:
        found = {
            row["field"]: Field(row["params"], **tables_of(row)) for row in csv.DictReader(file)
        }
    with open(VECTORS / "values.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        position = [float.fromhex(word) for word in row["position"].split()]
        field = found[row["field"]]
        assert np.float32(field.points(*position)).view(np.uint32) == int(row["bits"], 16), row
        if row["derivatives"]:
            slopes = np.array(field.points_gradient(*position)[1 : 1 + len(position)], np.float32)
            assert [f"{word:08X}" for word in slopes.view(np.uint32)] == row["derivatives"].split(), row
    assert len(rows) > 400


@pytest.mark.parametrize("text", TEXTS)
def test_files_of_the_command(command, text):
    for bits, dtype in (32, np.float32), (16, np.uint16), (8, np.uint8):
        options = ["--bits", str(bits), "--size", "70x50", "--first", "-9,4", "--step", "1,0.5"]
        levels = [] if bits == 32 else ["--range=auto"]
        command("fill", "-q", "-o", "map.npy", "--field", text, *options, *levels, "--force")
        field = Field(text)
        here = field.fill((50, 70), first=(4, -9), step=(0.5, 1), dtype=dtype, threads=2)
        assert same(np.load(command.folder / "map.npy"), here)


def test_points_of_the_command(command):
    coords = np.random.default_rng(5).uniform(-1e5, 1e5, (3, 200))
    lines = "\n".join(" ".join(map(float.hex, point)) for point in coords.T.tolist())
    text = "octaves=5 frequency=0.03 fractal=billow seed=18446744073709551615"
    said = command("points", "--field", text, "--with-gradient", "--bits-out", text=lines)
    bits = np.array([[int(word, 16) for word in line.split()] for line in said.splitlines()])
    slopes = Field(text).points_gradient(*coords)[:4]
    assert same(np.stack(slopes, 1), bits.astype(np.uint32).view(np.float32))
