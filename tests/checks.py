# SPDX-License-Identifier: MIT
"""Shared by the tests in Python: a line per check, and their number at the end."""

import os
import shutil

passed = failed = 0


def check(name, holds, explanation=""):
    global passed, failed
    if holds:
        passed += 1
        print("ok:", name)
    else:
        failed += 1
        print("FAILED:", name)
        for line in str(explanation).splitlines()[-16:]:
            print("  |", line)


def total():
    """Prints the number of checks. Returns the exit status: 1 if any failed, or there were none."""
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


def run_steps(work, steps):
    """Runs functions, each in a new folder of this name. Returns the exit status."""
    for step in steps:
        print("-- " + step.__name__, flush=True)
        shutil.rmtree(work, ignore_errors=True)
        os.makedirs(work)
        os.chdir(work)
        step()
        os.chdir("/")
    shutil.rmtree(work, ignore_errors=True)
    return total()
