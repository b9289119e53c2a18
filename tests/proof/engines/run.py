#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the examples in engines, and compares their terrains with the field's: run.py COMMAND FOLDER.

Godot (GODOT names it, "godot" unless set) builds examples/godot, with the extension, too, if
GODOT_ADDONS is the folder that packaging/godot was installed in; cargo builds examples/bevy; Chromium
opens examples/threejs, with the npm package of build/web and three from npm's registry.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import perlane

ROOT = Path(__file__).resolve().parents[3]
COMMAND, FOLDER = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
SIDE, SPACING = 129, 5.0


def run(*command, **options):
    return subprocess.run(list(map(str, command)), text=True, check=True, timeout=3600, **options)


def said(*command, **options):
    return run(*command, stdout=subprocess.PIPE, **options).stdout


def check_godot(project, given, field, low, high, tolerance):
    """Runs the project; compares heights and normals between samples with those of flat triangles."""
    arguments = [given, SIDE, low, high, SPACING]
    lines = said(GODOT, "--headless", "--path", project, "--script", "terrain.gd", "--", *arguments).splitlines()
    found = np.array([line.split() for line in lines if line.count(" ") == 3 and line[0].isdigit()], float)
    assert len(found) == 40, lines
    x, z = found[:, 0] // SPACING * SPACING, found[:, 1] // SPACING * SPACING
    corner, right, below = (field.points(x + a, z + b) for a, b in ((0, 0), (SPACING, 0), (0, SPACING)))
    assert np.ptp(corner) > 50 * tolerance
    np.testing.assert_allclose(found[:, 2], corner / 2 + right / 4 + below / 4, atol=tolerance)
    up = SPACING / np.sqrt(SPACING**2 + (right - corner) ** 2 + (below - corner) ** 2)
    np.testing.assert_allclose(found[:, 3], up, atol=tolerance / SPACING + 1e-5)


def godot():
    project, addons = FOLDER / "godot", os.environ.get("GODOT_ADDONS")
    shutil.rmtree(project, ignore_errors=True)
    shutil.copytree(ROOT / "examples/godot", project)
    field = perlane.Field("octaves=6", frequency=0.004, value_scale=100, value_offset=50)
    map_ = FOLDER / "map.r16"
    ends = ["--range=-50,150", "--heights=-50,150", f"--step={SPACING}"]
    options = [f"--field={field.text}", f"--size={SIDE}", *ends, f"--spacing={SPACING}"]
    run(COMMAND, "fill", "-q", "-o", map_, "--for=godot", *options)
    check_godot(project, map_, field, -50, 150, 200 / 65535)
    if addons is None:
        print("not run: the extension for Godot: GODOT_ADDONS is not set")
        return
    shutil.copytree(addons, project / "addons/perlane")
    (project / ".godot").mkdir(exist_ok=True)  # the editor lists what it finds there
    (project / ".godot/extension_list.cfg").write_text("res://addons/perlane/perlane.gdextension\n")
    check_godot(project, field.text, field, 0, 0, 2e-3)


def bevy():
    run(sys.executable, "scripts/amalgamate", "bindings/rust/perlane-sys/c", cwd=ROOT)
    build = ["cargo", "run", "-q", "--target-dir", FOLDER / "bevy"]
    assert said(*build, cwd=ROOT / "examples/bevy").startswith("4 chunks of 4225 vertices meet")


def threejs():
    run("bindings/npm/build", ROOT / "build/web", cwd=ROOT)
    page = FOLDER / "threejs"
    shutil.copytree(ROOT / "examples/threejs", page, dirs_exist_ok=True)
    (page / "package.json").write_text("{}")
    packages = ["three@0.187", ROOT / "build/web/package"]
    run("npm", "install", "--install-links", "--ignore-scripts", "--no-audit", "--no-fund", *packages, cwd=page)
    shutil.copy(Path(__file__).parent / "threejs.js", ROOT / "page/threejs.js")  # beside its modules
    try:
        run("node", ROOT / "page/threejs.js", page, FOLDER / "threejs.png")
    finally:
        (ROOT / "page/threejs.js").unlink()


GODOT = os.environ.get("GODOT", "godot")
FOLDER.mkdir(parents=True, exist_ok=True)
for example, needs in (godot, [GODOT]), (bevy, ["cargo"]), (threejs, ["node", "npm", "chromium"]):
    missing = [each for each in needs if shutil.which(each) is None]
    if missing:
        print(f"not run: {example.__name__}: there is no {', '.join(missing)}")
        continue
    example()
    print(f"{example.__name__}: the terrain is the field's")
