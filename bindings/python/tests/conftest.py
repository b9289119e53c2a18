# SPDX-License-Identifier: MIT
"""Settings shared by the tests: the same random cases on every run, and the closing line.

The tests take perlane from the path. CMake also gives them, in the environment:

    PERLANE_COMMAND    the command
    PERLANE_TEST_SEED, PERLANE_TEST_PERCENT  other, more or fewer random cases
"""

import os
import subprocess

import hypothesis
import hypothesis.core
import pytest

SEED = int(os.environ.get("PERLANE_TEST_SEED") or 1)
PERCENT = int(os.environ.get("PERLANE_TEST_PERCENT") or 100)
hypothesis.core.global_force_seed = SEED  # as --hypothesis-seed does
hypothesis.settings.register_profile(
    "perlane",
    max_examples=max(60 * PERCENT // 100, 5),
    deadline=None,
    database=None,
)
hypothesis.settings.load_profile("perlane")


@pytest.fixture
def command(tmp_path):
    """Runs the command in an empty folder; returns what it prints."""
    path = os.environ.get("PERLANE_COMMAND")
    if not path:
        pytest.skip("needs the command: PERLANE_COMMAND")

    def run(*arguments, text=None):
        done = subprocess.run(
            [path, *arguments], input=text, text=True, capture_output=True, cwd=tmp_path, check=True
        )
        return done.stdout

    run.folder = tmp_path
    return run


def pytest_terminal_summary(terminalreporter):
    stats = terminalreporter.stats
    terminalreporter.write_line(f"PERLANE_TEST_SEED={SEED}")
    for report in stats.get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        terminalreporter.write_line(f"not run: {report.nodeid}: {reason}")
    failed = len(stats.get("failed", [])) + len(stats.get("error", []))
    terminalreporter.write_line(f"{len(stats.get('passed', []))} passed, {failed} failed")
