#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the benchmark and its report: test.py PERLANE_BENCH. Times are not checked."""

import json
import os
import platform
import re
import resource
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # keeps the source folder clean
import report

HERE = os.path.dirname(os.path.abspath(__file__))
BENCH = sys.argv.pop(1) if len(sys.argv) > 1 else "perlane_bench"
GIANTS = r"8192x8192|16384x16384|[0-9]{3,} MiB|afresh"


def bench(*options, **more):
    return subprocess.run([BENCH, *options], capture_output=True, text=True, check=False, **more)


def make_report(results, folder, path=None):
    """Runs report.py as a program on results, given as a text or as an object for JSON."""
    with tempfile.TemporaryDirectory() as place:
        file = os.path.join(place, "results.json")
        with open(file, "w", encoding="utf-8") as stream:
            stream.write(results if isinstance(results, str) else json.dumps(results))
        env = dict(os.environ, PATH=path) if path is not None else None
        return subprocess.run([sys.executable, os.path.join(HERE, "report.py"), file, folder],
                              capture_output=True, text=True, check=False, env=env)


def run_of(name, rate, family=0, samples=1000, **more):
    """One repetition in the form that Google Benchmark writes."""
    seconds = samples / rate
    return {"name": name, "run_name": name, "run_type": "iteration", "family_index": family,
            "repetitions": 3, "cpu_time": seconds * 1e6, "time_unit": "us",
            "items_per_second": rate, "bytes_per_second": 4 * rate, **more}


def results_of(*runs):
    return {"context": {"isas": "scalar avx2", "build": "Release"}, "benchmarks": list(runs)}


class Report(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = os.path.join(place.name, "results")

    def table(self):
        with open(os.path.join(self.folder, "table.md"), encoding="utf-8") as file:
            return file.read()

    def test_medians(self):
        cases = report.cases_of(results_of(
            run_of("2D/a/1/avx2", 5e9), run_of("2D/a/1/avx2", 1e9), run_of("2D/a/1/avx2", 2e9)))
        self.assertEqual([case.rate for case in cases], [2e9])
        self.assertEqual((cases[0].samples, cases[0].bytes), (1000, 4000))

    def test_medians_of_aggregates(self):
        aggregate = {"run_type": "aggregate"}
        cases = report.cases_of(results_of(
            run_of("2D/a/1/avx2", 5e9, aggregate_name="mean", **aggregate),
            run_of("2D/a/1/avx2", 2e9, aggregate_name="median", **aggregate)))
        self.assertEqual([case.rate for case in cases], [2e9])

    def test_order_is_that_of_registration(self):
        cases = report.cases_of(results_of(run_of("2D/b/1/avx2", 1e9, 7),
                                           run_of("2D/a/1/avx2", 1e9, 3)))
        self.assertEqual([case.job for case in cases], ["2D/a/1", "2D/b/1"])

    def test_ratios(self):
        done = make_report(results_of(run_of("2D/grid 4096x4096/0.01/avx2", 4e9),
                                      run_of("2D/odd/0.01/avx2", 4e9, samples=500),
                                      run_of("-/memset 64 MiB/-/-", 5e9)), self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("| 2D 4096x4096, 0.01 cells per sample | 0.800 |", self.table())
        self.assertIn("| 2D grid 4096x4096, 0.01 | 4000 (0.80) |", self.table())
        self.assertIn("| 2D odd, 0.01 | 4000 (0.80*) |", self.table())

    def test_calls(self):
        make_report(results_of(run_of("2D/a/1/avx2", 1e9),
                               run_of("-/call of f, rounding upwards/-/-", 4e7, samples=1)),
                    self.folder)
        self.assertIn("- call of f, rounding upwards: 25.0 ns\n", self.table())

    def test_cycles(self):
        # 6144 more samples take 6144 * 4 / 8 more cycles.
        clock, cycles = 2e9, 6144 * 4 / 8
        done = make_report(results_of(
            run_of("-/clock/-/-", clock),
            run_of("2D/emission 512x4/0.01/avx2", 2048 / (1000 / clock), samples=2048),
            run_of("2D/emission 512x16/0.01/avx2", 8192 / ((1000 + cycles) / clock),
                   samples=8192)), self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(self.table(), r"emission alone.*\| 4.00 \(4.00\) \|")

    def test_failed_cases_are_listed(self):
        done = make_report(results_of(
            run_of("2D/a/1/avx2", 1e9),
            {"name": "2D/b/1/avx2", "run_name": "2D/b/1/avx2", "run_type": "iteration",
             "family_index": 1, "error_occurred": True, "error_message": "no room"}), self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("- 2D/b/1/avx2: no room", self.table())

    def test_unoptimised_builds_are_reported(self):
        results = results_of(run_of("2D/a/1/avx2", 1e9))
        results["context"]["build"] = "Debug"
        make_report(results, self.folder)
        self.assertIn("not optimised", self.table())

    def test_table_without_gnuplot(self):
        done = make_report(results_of(run_of("2D/a/1/avx2", 1e9)), self.folder, path="")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("gnuplot is not installed", done.stderr)
        self.assertIn("2D a, 1", self.table())

    def refused(self, results, message, folder=None):
        done = make_report(results, folder or self.folder)
        self.assertEqual(done.returncode, 1)
        self.assertIn(message, done.stderr)
        self.assertNotIn("Traceback", done.stderr)

    def test_errors(self):
        good = results_of(run_of("2D/a/1/avx2", 1e9))
        self.refused('{"context": {', "is not the JSON of a complete run")
        self.refused("[]", "does not hold the results")
        self.refused(results_of(), "hold no cases")
        self.refused(results_of(run_of("2D/avx2", 1e9)), "is not named dims/job/frequency/isa")
        self.refused(good, "cannot make the folder", folder=os.path.join(__file__, "x"))
        os.makedirs(os.path.join(self.folder, "table.md"))
        self.refused(good, "cannot write")


class Bench(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        listed = bench("--benchmark_list_tests")
        cls.names = listed.stdout.split("\n")[:-1]
        cls.jobs = {}  # the instruction sets that run each
        for name in cls.names:
            job, isa = name.rsplit("/", 1)
            cls.jobs.setdefault(job, []).append(isa)

    def test_names(self):
        self.assertGreater(len(self.jobs), 50)
        self.assertEqual(len(self.names), len(set(self.names)))
        for name in self.names:
            self.assertRegex(name, r"^([1-4]D|-)/[^/]+/([0-9.e+-]+|-)/[a-z0-9.-]+$")

    def test_every_isa_runs_every_job(self):
        isas = {isa for isas in self.jobs.values() for isa in isas} - {"-", "scalar"}
        for job, its in self.jobs.items():
            if not job.startswith("-"):
                self.assertEqual(set(its) - {"scalar"}, isas, job)
        self.assertIn(["scalar"], [its[:1] for its in self.jobs.values()])
        if platform.machine() == "x86_64" and os.path.exists("/proc/cpuinfo"):
            with open("/proc/cpuinfo", encoding="utf-8") as file:
                flags = file.read()
            for flag, isa in (" sse4_1 ", "sse4.1"), (" avx2 ", "avx2"):
                self.assertEqual(flag in flags, isa in isas)

    def test_jobs_in_the_report_exist(self):
        asked = {job for _, *pair in report.RATIOS for job in pair} | {*report.SIZES, *report.SPEED}
        asked |= {job for _, *pair, _ in report.CYCLES for job in pair if job}
        asked |= {report.CLOCK, report.STREAM, report.AFRESH}
        self.assertEqual(asked - set(self.jobs), set())

    def test_run_and_report(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "results.json")
            done = bench("--benchmark_min_time=0.0001", f"--benchmark_filter=-{GIANTS}",
                         f"--benchmark_out={file}", "--benchmark_out_format=json")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("ERROR", done.stdout)
            with open(file, encoding="utf-8") as stream:
                results = json.load(stream)
            made = make_report(results, folder)
            self.assertEqual(made.returncode, 0, made.stderr)
            with open(os.path.join(folder, "table.md"), encoding="utf-8") as stream:
                table = stream.read()
            pictures = [name for name in os.listdir(folder) if name.endswith(".png")]
        isas = results["context"]["isas"].split()
        self.assertEqual(set(isas), {isa for its in self.jobs.values() for isa in its} - {"-"})
        head, *rows = re.search(r"(?s)## Every job.*?(\|.*?)\n\n", table)[1].split("\n")
        self.assertEqual(head, "| job, cells per sample | " + " | ".join(isas) + " |")
        cells = {row.split(" | ")[0].strip("| "): row.strip(" |").split(" | ")[1:] for row in rows}
        for job, its in self.jobs.items():
            if job.startswith("-") or re.search(GIANTS, job):
                continue
            row = cells[report.title(job)]
            for isa, cell in zip(isas, row):
                missing = cell == "–"
                self.assertEqual(missing, isa not in its, f"{job} {isa}")
        self.assertNotIn("Not measured", table)
        if "no pictures" not in made.stderr:
            self.assertEqual(set(pictures), {"speed.png", "sizes.png"})
        else:
            print("not run: the pictures: gnuplot is not installed")

    def test_too_little_memory(self):
        little = 700 << 20
        done = bench("--benchmark_filter=16384x16384", preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_AS, (little, little)))
        self.assertIn("needs 1024 MiB, of which the system gave 512", done.stdout)

    def test_errors(self):
        for option in "--benchmark_filter=nothing is called so", "--no-such-option":
            done = bench(option)
            self.assertNotEqual(done.returncode, 0)
            self.assertNotEqual(done.stderr, "")


if __name__ == "__main__":
    outcome = unittest.main(exit=False).result
    failed = len(outcome.failures) + len(outcome.errors)
    print(f"{outcome.testsRun - failed} passed, {failed} failed")
    sys.exit(failed > 0)
