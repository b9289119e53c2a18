#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a table and two pictures of the results of perlane_bench.

Usage: report.py RESULTS.json FOLDER

Writes FOLDER/table.md, and with gnuplot FOLDER/speed.png and FOLDER/sizes.png from the .dat files
next to them. Of a case's repetitions, the median counts.
"""

import json
import math
import os
import shutil
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
MEMSET = "-/memset 64 MiB/-"
AFRESH = "-/memset afresh 64 MiB/-"
STREAM = "-/stream 64 MiB/-"
CLOCK = ("-/clock/-", "-")

# The most important ratios: a job's samples per second divided by another job's, or by memset's
# floats per second.
RATIOS = [
    ("2D 4096x4096, 0.01 cells per sample", "2D/grid 4096x4096/0.01", MEMSET),
    ("2D 4096x4096, 0.1", "2D/grid 4096x4096/0.1", MEMSET),
    ("2D 4096x4096, 0.5", "2D/grid 4096x4096/0.5", MEMSET),
    ("2D 4096x4096, 8 octaves from 0.005", "2D/fbm8 4096x4096/0.005", MEMSET),
    ("2D tile 64x64, 0.01", "2D/tile 64x64/0.01", MEMSET),
    ("3D 256^3, 0.01", "3D/grid 256^3/0.01", MEMSET),
    ("3D 256^3, 5 octaves from 0.01", "3D/fbm5 256^3/0.01", MEMSET),
    ("3D chunk 32^3, 4 octaves from 0.01", "3D/chunk 32^3 fbm4/0.01", MEMSET),
    ("4D 64^4, 0.05", "4D/grid 64^4/0.05", MEMSET),
    ("2D points, frequency 1", "2D/points 1M/1", MEMSET),
    ("3D points, frequency 1", "3D/points 1M/1", MEMSET),
    ("2D points, frequency 0.3 over 1", "2D/points 1M/0.3", "2D/points 1M/1"),
    ("3D points, frequency 0.3 over 1", "3D/points 1M/0.3", "3D/points 1M/1"),
    ("2D warp of 1 octave over points", "2D/warp 2048x2048/0.01", "2D/points 4096/0.3"),
    ("2D warp of 4 octaves, field of 5, over points", "2D/warp of 4 2048x2048 fbm5/0.01",
     "2D/points 4096/0.3"),
    ("3D warp of 1 octave over points", "3D/warp 128^3/0.01", "3D/points 4096/1"),
    ("2D 4 octaves: eroded over fbm", "2D/eroded 2048x2048 fbm4/0.005", "2D/fbm4 4096x4096/0.005"),
    ("2D 8 octaves: eroded over fbm", "2D/eroded 2048x2048 fbm8/0.005", "2D/fbm8 4096x4096/0.005"),
    ("2D curve over the plain fill", "2D/curve 2048x2048/0.01", "2D/grid 2048x2048/0.01"),
    ("2D terraces over the plain fill", "2D/terraces 2048x2048/0.01", "2D/grid 2048x2048/0.01"),
    ("2D 1024x1024, 0.01: grid over points", "2D/grid 1024x1024/0.01",
     "2D/points of grid 1024x1024/0.01"),
    ("3D 128^3, 0.01: grid over points", "3D/grid 128^3/0.01", "3D/points of grid 128^3/0.01"),
]

# The jobs of the first picture, in words.
SPEED = {
    "2D/tile 64x64/0.01": "2D tile of 64x64",
    "2D/grid 4096x4096/0.01": "2D map of 4096x4096",
    "2D/fbm4 4096x4096/0.005": "the same, 4 octaves",
    "2D/fbm8 4096x4096/0.005": "the same, 8 octaves",
    "2D/u16 4096x4096/0.01": "the same, 16-bit integers",
    "2D/gradient 4096x4096/0.01": "the same, with its gradient",
    "2D/eroded 2048x2048 fbm8/0.005": "2D eroded map, 8 octaves",
    "2D/warp 2048x2048/0.01": "2D warped map",
    "2D/cells 2048x2048/0.01": "2D cellular noise",
    "3D/grid 256^3/0.01": "3D volume of 256x256x256",
    "3D/fbm5 256^3/0.01": "the same, 5 octaves",
    "3D/chunk 32^3 fbm4/0.01": "3D chunk of 32x32x32, 4 octaves",
    "4D/grid 64^4/0.05": "4D volume of 64x64x64x64",
    "2D/points 1M/1": "2D points",
    "3D/points 1M/1": "3D points",
    "2D/at 4096 fbm8/0.01": "2D single values, 8 octaves",
}

# The jobs of the second picture: one grid in every size.
SIZES = [f"2D/grid {n}x{n}/0.01" for n in (32 << i for i in range(10))]


class Case:
    """The median of a case's repetitions. `job` is its name without the instruction set."""

    def __init__(self, name, runs):
        self.job, self.isa = name.rsplit("/", 1)
        self.order = runs[0]["family_index"]
        unit = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}[runs[0]["time_unit"]]
        rates = [run["items_per_second"] for run in runs]
        self.rate = statistics.median(rates)
        self.seconds = unit * statistics.median(run["cpu_time"] for run in runs)
        self.samples = round(rates[0] * runs[0]["cpu_time"] * unit)
        self.bytes = round(runs[0].get("bytes_per_second", 0) * runs[0]["cpu_time"] * unit)
        self.byte_rate = self.rate * self.bytes / self.samples
        self.spread = max(rates) / min(rates) - 1


class Results:
    def __init__(self, results):
        self.context = results["context"]
        self.isas = self.context["isas"].split()
        runs = {}
        for run in results["benchmarks"]:
            if run["run_type"] == "iteration" and not run.get("error_occurred"):
                runs.setdefault(run["run_name"], []).append(run)
        cases = sorted((Case(*item) for item in runs.items()), key=lambda case: case.order)
        self.at = {(case.job, case.isa): case for case in cases}
        self.jobs = [job for job in dict.fromkeys(case.job for case in cases) if job[0] != "-"]
        self.memsets = {case.bytes: case for case in cases
                        if case.job.startswith("-/memset") and case.job != AFRESH}
        self.repetitions = max(map(len, runs.values()))

    def get(self, job, isa):
        """The case, or None. Ceilings do not depend on the instruction set."""
        return self.at.get((job, "-" if job.startswith("-") else isa))


def title(job):
    dims, what, frequency = job.split("/")
    return f"{dims} {what}, {frequency}"


def digits(value, count=3):
    return f"{value:.{max(0, count - 1 - math.floor(math.log10(value)))}f}"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    return lines + ["| " + " | ".join(row) + " |" for row in rows] + [""]


def facts(results):
    context = results.context
    lines = [f"- CPU: {context['cpu']}; {context['num_cpus']} cores, one of them used",
             f"- perlane {context['perlane']}, {context['compiler']}, {context['build']} build",
             f"- {context['date'][:10]}; medians of {results.repetitions} repetitions"]
    if results.repetitions > 1:
        spreads = sorted(case.spread for case in results.at.values())
        lines[-1] += (f"; fastest and slowest are at most {100 * statistics.median(spreads):.0f} % apart in half of "
                      f"the cases, {100 * spreads[len(spreads) * 9 // 10]:.0f} % in 9 of 10")
    if CLOCK in results.at:
        lines.append(f"- clock, measured by a chain of dependent additions: {results.at[CLOCK].rate / 1e9:.2f} GHz")
    for job, label in ((MEMSET, "memset of the same 64 MiB repeatedly"),
                       (AFRESH, "memset of 64 MiB that no cache holds"),
                       (STREAM, "64 MiB of streaming stores")):
        case = results.get(job, "-")
        if case:
            lines.append(f"- {label}: {case.byte_rate / 1e9:.1f} GB/s, {case.rate / 1e6:.0f} Mfloats/s")
    if context["build"] not in ("Release", "RelWithDebInfo"):
        lines.append("- **This build is not optimised: its times do not represent the library.**")
    return lines + [""]


def ratios(results):
    rows = []
    for label, job, other in RATIOS:
        pairs = [(results.get(job, isa), results.get(other, isa)) for isa in results.isas]
        rows.append([label] + [digits(a.rate / b.rate) if a and b else "–" for a, b in pairs])
    return ["## Ratios", "",
            "Samples per second as a multiple of memset's floats per second for the same 64 MiB "
            "repeatedly, or of the named job's samples per second.", "",
            *table(["one thread"] + results.isas, rows)]


def jobs(results):
    rows = []
    for job in results.jobs:
        row = [title(job)]
        for isa in results.isas:
            case = results.get(job, isa)
            if case:
                memset = results.memsets.get(case.bytes)
                row.append(digits(case.rate / 1e6) + (f" ({digits(case.byte_rate / memset.byte_rate, 2)})" if memset else ""))
            else:
                row.append("–")
        rows.append(row)
    return ["## Every job", "",
            "Millions of samples per second; in brackets, the bytes written per second as a fraction of memset's "
            "for as many bytes. The coordinates that points read are not counted.", "",
            *table(["job, cells per sample"] + results.isas, rows)]


def ceilings(results):
    rows = []
    for _, memset in sorted(results.memsets.items()):
        stream = results.get(memset.job.replace("memset", "stream"), "-")
        rows.append([memset.job.split("/")[1].removeprefix("memset ")]
                    + [f"{case.byte_rate / 1e9:.1f}" if case else "–" for case in (memset, stream)])
    return ["## Ceilings", "", *table(["GB/s", "memset", "streaming stores"], rows)]


def calls(results):
    return ["## Small calls", ""] + [f"- {job.split('/')[1]}: {case.seconds * 1e9:.1f} ns"
                                     for (job, _), case in results.at.items() if job.startswith("-/call")] + [""]


def speed_rows(results):
    """The data of the first picture: the jobs that were measured, in the order of SPEED."""
    rows = ["# job\t" + "\t".join(results.isas)]
    for job, words in SPEED.items():
        cases = [results.get(job, isa) for isa in results.isas]
        if any(cases):
            rows.append("\t".join([words] + [f"{case.rate:.6g}" if case else "NaN" for case in cases]))
    return rows


def size_rows(results):
    """The data of the second picture: samples, then seconds of memset and each instruction set."""
    rows = ["# samples\tmemset\t" + "\t".join(results.isas)]
    for job in SIZES:
        cases = [results.get(job, isa) for isa in results.isas]
        case = next(filter(None, cases), None)
        if case:
            times = [results.memsets.get(case.bytes)] + cases
            rows.append("\t".join([str(case.samples)] + [f"{c.seconds:.6g}" if c else "NaN" for c in times]))
    return rows


def draw(name, rows, *more):
    """Draws a picture, if gnuplot is there."""
    with open(f"{name}.dat", "w", encoding="utf-8") as file:
        file.write("\n".join(rows) + "\n")
    if len(rows) > 1 and shutil.which("gnuplot"):
        subprocess.run(["gnuplot", "-c", os.path.join(HERE, f"{name}.gp"), f"{name}.dat", f"{name}.png", *more], check=True)
    else:
        print(f"report: no {name}.png: none of its jobs was measured, or gnuplot is missing (Debian: gnuplot-nox)")


def main(path, folder):
    with open(path, encoding="utf-8") as file:
        results = Results(json.load(file))
    os.chdir(folder)
    lines = ["# Results of perlane_bench", ""]
    for section in (facts, ratios, jobs, ceilings, calls):
        lines += section(results)
    with open("table.md", "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    stream = results.get(STREAM, "-")
    isas = " ".join(results.isas)
    draw("speed", speed_rows(results), isas, f"{stream.rate if stream else 0:.0f}")
    draw("sizes", size_rows(results), isas)
    print(f"wrote {folder}/table.md")


main(*sys.argv[1:])
