# SPDX-License-Identifier: MIT
"""Shared by the tests in Python: a line per check, and their number at the end."""

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
