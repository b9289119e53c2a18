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
CLOCK = "-/clock/-"
LANES = {"sse4.1": 4, "neon": 4, "portable": 4, "avx2": 8, "avx512": 16}

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

# Cycles: a label, the case, the case whose time is subtracted, and the samples that remain.
LATTICE_ROWS = 65 - 2  # 64 rows of cells have 65 lattice rows, 1 row of cells has 2
CYCLES = [
    ("emission of a 64x64 grid, everything included", "2D/emission 64x64/0.01", None, 64 * 64),
    ("emission of a 1024x8 grid, everything included", "2D/emission 1024x8/0.01", None, 1024 * 8),
    ("emission alone: 512x16 minus 512x4", "2D/emission 512x16/0.01", "2D/emission 512x4/0.01",
     512 * 12),
    ("a lattice row: 1024x64 in 64 rows of cells minus 1024x64 in one", "2D/lattice rows 1024x64/0.01",
     "2D/emission 1024x64/0.01", 1024 * LATTICE_ROWS),
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


class Failure(Exception):
    """A message for the user in place of a report."""


class Case:
    """The median of one case. `job` is its name without the instruction set."""

    def __init__(self, name, runs):
        self.job, self.isa = name.rsplit("/", 1)
        self.order = min(run.get("family_index", 0) for run in runs)
        self.error = next((run.get("error_message") or run.get("skip_message") or "failed"
                           for run in runs if not measured(run)), None)
        runs = [run for run in runs if measured(run)]
        if not runs:
            return
        unit = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}
        seconds = [run["cpu_time"] * unit[run["time_unit"]] for run in runs]
        self.error = None
        self.rate = statistics.median(run["items_per_second"] for run in runs)
        self.seconds = statistics.median(seconds)
        self.samples = round(runs[0]["items_per_second"] * seconds[0])
        self.bytes = round(runs[0].get("bytes_per_second", 0) * seconds[0])
        self.byte_rate = self.rate * self.bytes / self.samples
        rates = [run["items_per_second"] for run in runs]
        self.slowest, self.fastest = min(rates), max(rates)

    def spread(self):
        """A remark on a number whose repetitions differ by more than a tenth."""
        if self.fastest < 1.1 * self.slowest:
            return ""
        return (f" (single repetitions between {100 * self.slowest / self.rate:.0f} % and "
                f"{100 * self.fastest / self.rate:.0f} % of it)")


def measured(run):
    return not run.get("error_occurred") and not run.get("skipped")


def cases_of(results):
    """All cases in the order of registration; the runs themselves are shuffled."""
    runs = {}
    medians = {}
    for run in results["benchmarks"]:
        name = run.get("run_name", run["name"])
        if name.count("/") != 3:
            raise Failure(f"the case '{name}' is not named dims/job/frequency/isa")
        if run.get("run_type") != "aggregate":
            runs.setdefault(name, []).append(run)
        elif run["aggregate_name"] == "median":
            medians[name] = [run]
    cases = [Case(name, runs.get(name) or medians[name]) for name in {**medians, **runs}]
    return sorted(cases, key=lambda case: case.order)


class Results:
    def __init__(self, results):
        self.context = results["context"]
        cases = cases_of(results)
        if not cases:
            raise Failure("the results hold no cases")
        self.failed = [case for case in cases if case.error]
        self.at = {(case.job, case.isa): case for case in cases if not case.error}
        self.isas = [isa for isa in self.context.get("isas", "").split()
                     if any(case.isa == isa for case in cases)]
        known = dict.fromkeys(case.job for case in cases if not case.error)
        self.jobs = [job for job in known if not job.startswith("-")]
        self.memsets = {case.bytes: case for (job, _), case in self.at.items()
                        if job.startswith("-/memset") and job != AFRESH}
        self.repetitions = max((run.get("repetitions", 1) for run in results["benchmarks"]),
                               default=1)

    def get(self, job, isa):
        """The case, or None. Ceilings do not depend on the instruction set."""
        return self.at.get((job, "-" if job.startswith("-") else isa))

    def ratio(self, job, other, isa):
        over, under = self.get(job, isa), self.get(other, isa)
        return over.rate / under.rate if over and under else None

    def of_memset(self, case):
        """The case's bytes per second as a fraction of memset's for as many bytes, or else for 64
        MiB; and whether it was for as many."""
        same = self.memsets.get(case.bytes)
        other = same or self.get(MEMSET, "-")
        return (case.byte_rate / other.byte_rate if other else None), bool(same)


def title(job):
    dims, what, frequency = job.split("/")
    return f"{dims} {what}, {frequency}"


def decimals(value):
    """Three significant digits."""
    if value is None:
        return "–"
    return f"{value:.{max(0, 2 - math.floor(math.log10(value)))}f}" if value > 0 else f"{value:.2f}"


def share(value):
    """A fraction, with two significant digits."""
    if value >= 0.095:
        return f"{value:.2f}"
    return f"{value:.{1 - math.floor(math.log10(value))}f}"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    return lines + ["| " + " | ".join(row) + " |" for row in rows] + [""]


def facts(results):
    context = results.context
    clock = results.get(CLOCK, "-")
    caches = ", ".join(f"L{cache['level']} {cache['size'] // 1024} KiB"
                       for cache in context.get("caches", []) if cache["type"] != "Instruction")
    lines = [
        f"- CPU: {context.get('cpu', 'unknown')}; {context.get('num_cpus', '?')} cores, one "
        "of them used" + (f"; caches {caches}" if caches else ""),
        f"- perlane {context.get('perlane', '?')}, {context.get('compiler', 'unknown compiler')}, "
        f"{context.get('build', '?')} build",
        f"- {context.get('date', '')[:10]}; "
        + (f"medians of {results.repetitions} repetitions" if results.repetitions > 1
           else "one repetition"),
    ]
    if results.repetitions > 1:
        widths = sorted(case.fastest / case.slowest - 1 for case in results.at.values())
        lines[-1] += (f"; fastest and slowest are at most {100 * statistics.median(widths):.0f} % "
                      f"apart in half of the cases, {100 * widths[len(widths) * 9 // 10]:.0f} % in "
                      "9 of 10")
    if clock:
        lines.insert(1, f"- clock, measured by a chain of dependent additions: {clock.rate / 1e9:.2f} GHz")
    said = [(MEMSET, "memset of the same 64 MiB repeatedly"),
            (AFRESH, "memset of 64 MiB that no cache holds"),
            (STREAM, "64 MiB of streaming stores")]
    for job, label in said:
        case = results.get(job, "-")
        if case:
            lines.append(f"- {label}: {case.byte_rate / 1e9:.1f} GB/s, "
                         f"{case.rate / 1e6:.0f} Mfloats/s{case.spread()}")
    if context.get("build") not in ("Release", "RelWithDebInfo"):
        lines.append("- **This build is not optimised: its times do not represent the library.**")
    return lines + [""]


def ratios(results):
    lines = ["## Ratios", "",
             "Samples per second as a multiple of memset's floats per second for the same 64 MiB "
             "repeatedly, or of the named job's samples per second.", ""]
    rows = [[label] + [decimals(results.ratio(job, other, isa)) for isa in results.isas]
            for label, job, other in RATIOS]
    return lines + table(["one thread"] + results.isas, rows)


def cycles(results):
    clock = results.get(CLOCK, "-")
    lines = ["## Cycles", ""]
    if not clock:
        return lines + [f"Not available without the case `{CLOCK}/-`.", ""]
    lines += ["Cycles for 8 samples of emission or 8 columns of a lattice row; in brackets, for one "
              "vector of the instruction set. The cycles of a lattice row include what emission "
              "loses if sample rows do not share lattice rows.", ""]
    rows = []
    isas = [isa for isa in results.isas if isa != "scalar"]  # it has no lattice rows
    for label, job, less, samples in CYCLES:
        row = [label]
        for isa in isas:
            case, taken = results.get(job, isa), results.get(less, isa) if less else None
            if not case or (less and not taken):
                row.append("–")
                continue
            each = (case.seconds - (taken.seconds if taken else 0)) * clock.rate / samples
            lanes = LANES.get(isa)
            row.append(decimals(8 * each) + (f" ({decimals(lanes * each)})" if lanes else ""))
        rows.append(row)
    return lines + table(["cycles"] + isas, rows)


def jobs(results):
    lines = ["## Every job", "",
             "Millions of samples per second; in brackets, the bytes written per second as a "
             "fraction of memset's for as many bytes (with a star: for 64 MiB, if memset of as many "
             "was not measured). The coordinates that points read are not counted.", ""]
    rows = []
    for job in results.jobs:
        row = [title(job)]
        for isa in results.isas:
            case = results.get(job, isa)
            if not case:
                row.append("–")
                continue
            ratio, same = results.of_memset(case)
            part = f" ({share(ratio)}{'' if same else '*'})" if ratio else ""
            row.append(decimals(case.rate / 1e6) + part)
        rows.append(row)
    return lines + table(["job, cells per sample"] + results.isas, rows)


def ceilings(results):
    lines = ["## Ceilings", ""]
    kinds = ["memset", "stream"]
    sizes = sorted(results.memsets)
    rows = []
    for size in sizes:
        label = results.memsets[size].job.split("/")[1].removeprefix("memset ")
        cases = [results.get(f"-/{kind} {label}/-", "-") for kind in kinds]
        rows.append([label] + [f"{case.byte_rate / 1e9:.1f}" if case else "–" for case in cases])
    lines += table(["GB/s", "memset", "streaming stores"], rows) if rows else []
    for (job, _), case in results.at.items():
        if job.startswith("-/perlane_init"):
            lines.append(f"- {job.split('/')[1]}: {case.seconds * 1e6:.2f} µs")
    return lines + [""]


def caller(results):
    cases = [(job.split("/")[1], case) for (job, _), case in results.at.items()
             if job.startswith("-/call of ")]
    if not cases:
        return []
    return ["## The caller's floating-point environment", ""] + [
        f"- {what}: {case.seconds * 1e9:.1f} ns{case.spread()}"
        for what, case in cases] + [""]


def failures(results):
    if not results.failed:
        return []
    return ["## Not measured", ""] + [f"- {case.job}/{case.isa}: {case.error}"
                                      for case in results.failed] + [""]


def markdown(results):
    sections = [facts, ratios, cycles, jobs, ceilings, caller, failures]
    lines = ["# Results of perlane_bench", ""]
    return "\n".join(lines + [line for section in sections for line in section(results)])


def rate_of(case):
    return f"{case.rate:.6g}" if case else "NaN"


def speed_rows(results):
    """The data of the first picture: the jobs that were measured, in the order of SPEED."""
    rows = ["# job\t" + "\t".join(results.isas)]
    for job, words in SPEED.items():
        cases = [results.get(job, isa) for isa in results.isas]
        if any(cases):
            rows.append("\t".join([words] + [rate_of(case) for case in cases]))
    return rows


def size_rows(results):
    """The data of the second picture: samples, then seconds of memset and each instruction set."""
    rows = ["# samples\tmemset\t" + "\t".join(results.isas)]
    for job in SIZES:
        cases = [results.get(job, isa) for isa in results.isas]
        case = next((case for case in cases if case), None)
        if case:
            times = [results.memsets.get(case.bytes)] + cases
            rows.append("\t".join([str(case.samples)]
                                  + [f"{c.seconds:.6g}" if c else "NaN" for c in times]))
    return rows


def draw(results, folder):
    """Draws the pictures and returns their paths."""
    stream = results.get(STREAM, "-")
    pictures = {"speed": (speed_rows(results), [f"{stream.rate:.0f}" if stream else "0"]),
                "sizes": (size_rows(results), [])}
    for name, (rows, _) in pictures.items():
        write(os.path.join(folder, f"{name}.dat"), "\n".join(rows) + "\n")
    if not shutil.which("gnuplot"):
        print("report: no pictures, because gnuplot is not installed (Debian: gnuplot-nox)",
              file=sys.stderr)
        return []
    drawn = []
    for name, (rows, more) in pictures.items():
        if len(rows) < 2:
            print(f"report: no {name}.png, because none of its jobs was measured", file=sys.stderr)
            continue
        picture = os.path.join(folder, f"{name}.png")
        data = os.path.join(folder, f"{name}.dat")
        done = subprocess.run(["gnuplot", "-c", os.path.join(HERE, f"{name}.gp"), data, picture,
                               " ".join(results.isas)] + more, capture_output=True, text=True)
        if done.returncode or not os.path.exists(picture):
            raise Failure(f"gnuplot did not draw {picture}:\n{done.stderr.strip()}")
        drawn.append(picture)
    return drawn


def write(path, text):
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise Failure(f"cannot write {path}: {error.strerror}") from error


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except OSError as error:
        raise Failure(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise Failure(f"{path} is not the JSON of a complete run: {error}") from error


def main(arguments):
    if len(arguments) != 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    path, folder = arguments
    try:
        data = read(path)
        if not isinstance(data, dict) or not {"context", "benchmarks"} <= data.keys():
            raise Failure(f"{path} does not hold the results of a benchmark")
        results = Results(data)
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            raise Failure(f"cannot make the folder {folder}: {error.strerror}") from error
        written = [os.path.join(folder, "table.md")]
        write(written[0], markdown(results))
        written += draw(results, folder)
    except Failure as failure:
        print(f"report: {failure}", file=sys.stderr)
        return 1
    for path in written:
        print(f"wrote {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
