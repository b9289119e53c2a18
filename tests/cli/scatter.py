#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of `perlane scatter`: scatter.py PERLANE WORK. scatter_points prints what the library finds."""

import json
import os
import subprocess
import sys

import numpy as np

from command import IS_SANITIZED, WORK, check, fill, peak, run, run_steps, write

POINTS = os.path.join(os.path.dirname(WORK), "scatter_points")
TREES = "basis=cellular frequency=0.2 seed=4 jitter=0.8"
BOX = "--from 0,-20 --to 300,200"


def scatter(line, field=TREES):
    """The columns of points, by their names."""
    done = run(f"scatter {line}", f"--field={field}")
    if done.status != 0 or done.err:
        check(f"scatter {line}", False, done.err)
    head, *lines = done.out.decode().splitlines()
    return dict(zip(head.split(","), zip(*(map(float, each.split(",")) for each in lines)), strict=bool(lines)))


def library(field, low, high):
    out = subprocess.run([POINTS, field, str(len(low)), *map(repr, (*low, *high))], capture_output=True, text=True, check=True)
    return [tuple(map(float.fromhex, line.split(","))) for line in out.stdout.splitlines()]


def bits():
    """Numbers read back as the library's, in its order within a block and for any number of blocks."""
    for field, low, high, is_block in (
            (TREES, (0.0, -20.0), (300.0, 200.0), True), (TREES, (-7.25,), (5000.0,), True),
            (TREES, (1.5, 0.0, -9.0), (60.0, 41.0, 33.0), True), ("basis=cellular frequency=3", (0.0, 0.0), (100.0, 20.0), False),
            ("basis=cellular frequency=1e-9 phase=none", (-4e12, 3e12), (-3.7e12, 3.05e12), False),
            ("basis=cellular frequency=1", (9e15, -9e15), (9e15 + 600, -9e15 + 60), False), ("basis=cellular frequency=1", (0.0,), (7e4,), False),
            ("basis=cellular frequency=1", (0.0, 0.0, 0.0), (70.0, 50.0, 9.0), False)):
        ends = [",".join(map(repr, end)) for end in (low, high)]
        found = scatter(f"--from={ends[0]} --to={ends[1]}", field)
        want = library(field, low, high)
        *places, number = found.values()
        got = list(zip(*places, np.float32(number).astype(float)))
        check(f"{len(want)} points of {field} from {ends[0]}", len(want) > 50 and (got == want if is_block else sorted(got) == sorted(want)))
        check("whose columns have names", list(found) == ["x", "y", "z"][:len(low)] + ["id", "number"], found.keys())


def boxes():
    whole = scatter(BOX)
    parts = [scatter(f"--from {x},{y} --to {x + 100},{y + 110}") for y in (-20, 90) for x in (0, 100, 200)]
    check("boxes side by side have each point once", sorted(sum((list(part["x"]) for part in parts), [])) == sorted(whole["x"]))
    check("an empty one has none", run("scatter --from 0,0 --to 1e-9,1e-9", f"--field={TREES}").out == b"x,y,id,number\n")
    if IS_SANITIZED:
        print("not run: the use of memory, which sanitizers add to")
        return
    status, most, _ = peak("scatter --basis cellular --frequency 1 --from 0,0 --to 4000,4000 --density=-2")
    check("memory does not grow with the box", status == 0 and most <= 32, (status, most))


def densities():
    whole = scatter(BOX)
    positions = "".join(f"{x!r} {y!r}\n" for x, y in zip(whole["x"], whole["y"]))
    for density, field in (("seed=5 octaves=3 frequency=0.02", "--seed 5 --octaves 3 --frequency 0.02"),
                           ("0.01*x - 1", "--expression=0.01*x-1"), ("a = seed=5\nb = seed=6; max(a, b)", "--expression=a=seed=5;b=seed=6;max(a,b)"),
                           ("sqrt(x - 100)", "--expression=sqrt(x-100)"),
                           ("look=alps:300 seed=7", "--expression=f=look=alps:300&seed=7;f")):
        values = np.array(run("points", *field.split(" "), text=positions).out.split(), np.float32)
        found = scatter(f"{BOX} '--density={density}'")
        keep = np.array(whole["number"], np.float32) < values
        check(f"density {density!r} keeps points below it", 0 < keep.sum() < len(keep) and list(found) == ["x", "y", "id", "number", "density"]
              and all(found[name] == tuple(np.array(whole[name])[keep]) for name in whole) and
              (np.array(found["density"], np.float32) == values[keep]).all())


def texts():
    """The options that are printed make the same points, in a file or on the command line."""
    fields = "a = seed=5  frequency=0.03 # one\nb = seed=6;\n max(a, # of two\n 0.5*b) - 0.1"
    write("density", fields)
    for line in (BOX, f"{BOX} --density 'seed=5 octaves=3 frequency=0.02'", f"{BOX} --density 'seed=5 frequency=0.02 # all;'",
                 f"{BOX} --density=0.25", f"{BOX} --density @density --crs EPSG:32633", f"--from=-1e-3,0,7.1 --to 30,40,50 '--density={fields}'"):
        want = run(f"scatter {line}", f"--field={TREES}")
        write("saved", run(f"scatter {line} --print-params", f"--field={TREES}").out)
        check(f"{line} from its options", want.out.count(b"\n") > 9 and run("scatter --params-of saved") == want, want.err)
        check("which other commands take, too", fill("-o x.npy --size 8 --params-of saved").status == 0 and
              run("points -q --params-of saved", text="1 2 3\n").status == 0)
    check("none drops a density", run("scatter --params-of saved --density none").out.startswith(b"x,y,z,id,number\n"))
    check("a file of definitions is an expression", scatter(f"{BOX} --density @density") == scatter(f"{BOX} '--density={fields}'"))
    check("quiet", "note: --seed -2" in run(f"scatter {BOX} --basis cellular --seed -2").err and
          not run(f"scatter -q {BOX} --basis cellular --seed -2").err)


def geojson():
    """As RFC 7946 has it; with the member of 2008 for the systems that it has not."""
    want = scatter(f"{BOX} --density seed=5")
    for code, box in ((32633, BOX), (4326, "--from=-180,-90 --to 180,90")):
        want = scatter(f"{box} --density seed=5")
        done = run(f"scatter {box} --density seed=5 --crs epsg:{code}", f"--field={TREES}")
        found = json.loads(done.out)
        features = [(each["type"], each["geometry"]["type"], *each["geometry"]["coordinates"], *each["properties"].values())
                    for each in found["features"]]
        check(f"features of EPSG:{code} are the points", features == [("Feature", "Point", *point) for point in zip(*want.values())] and
              list(found["features"][0]["properties"]) == ["id", "number", "density"], done.err)
        check("with their system, if it is not that of all GeoJSON", found.get("crs", {}).get("properties") == (
            None if code == 4326 else {"name": f"urn:ogc:def:crs:EPSG::{code}"}) and found["type"] == "FeatureCollection")
    done = run("scatter --from 0,0 --to 1e-9,1e-9 --crs EPSG:4326", f"--field={TREES}")
    check("also without any", json.loads(done.out) == {"type": "FeatureCollection", "features": []})
    done = run("scatter --from 0,0,5 --to 99,80,20 --crs EPSG:4326+5773", f"--field={TREES}")
    check("with their system", json.loads(done.out)["crs"]["properties"]["name"] == "urn:ogc:def:crs,crs:EPSG::4326,crs:EPSG::5773")
    done = run("scatter --from 0,0,5 --to 99,80,20 --crs EPSG:4326", f"--field={TREES}")
    check("with heights", {len(each["geometry"]["coordinates"]) for each in json.loads(done.out)["features"]} == {3})


sys.exit(run_steps(bits, boxes, densities, texts, geojson))
