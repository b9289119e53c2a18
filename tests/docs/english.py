#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finds phrases that must not come back in the texts that users read: english.py ROOT

Checks the prose of pages and the manual, comments of public headers and examples, and the command's
strings. Prints each phrase found; exits with 1 if there is one."""

import glob
import os
import re
import sys

# Each phrase with a sentence that contains it, which proves that the check can fail.
PHRASES = {
    r"\btells\b": "docs/embedding.md tells how",
    r"\bnothing without\b": "--light is nothing without --shade",
    r"\bnumber but 0\b": "a finite number but 0",
    r"\b(what|which) it misses\b": "it says what it misses",
    r"\bbehind (a|the) (buffer|array|row|file)": "bytes behind the array are kept",
    r"\bover and over\b": "memset, over and over",
    r"\bfor want of\b": "not built, for want of a compiler",
    r"\blies? (at|in|on|within|outside)\b": "a sample lies outside",
    r"\bcells a sample\b": "0.01 cells a sample",
    r"\bis fit to\b": "the whole is fit to be filled",
    r"[.:;] Of (?!course)\w": "It is listed. Of all rows the last one counts.",
    r"\b(as|at) so\b": "at so many cells per sample",
    r"\ba (third|quarter|fifth|sixth|tenth) (longer|faster|slower|larger|smaller)\b": "a tenth slower",
    r"\bmake no sense\b": "arguments that make no sense",
    r"\bhave values like\b": "integer positions have values like any others",
    r"\bThe same of any\b": "The same of any output",
    r"\.md\)?`? has\b": "[engines.md](engines.md) has the steps",
    r"\b(page|module|manual|README) has\b": "This page has the ways to do so",
    r"\b(libraries|packages|programs) of (Python|JavaScript|Rust)\b": "other libraries of Python",
    r"\b([Tt]hose that are|what is) left\b": "what is left of a line is kept",
    r"\b(two|three|several|first|later|\d) rounds?\b": "a warp of two rounds",
    r"\bnoise systems?\b": "the field of a known noise system",
    r"\b(is|are) no (part|plain|multiple)\b": "rows whose length is no multiple of a line",
    r"\bat hand\b": "MSVC itself was not at hand",
    r"\ba (third|quarter|fifth|sixth|tenth) (to a|less|more)\b": "points take a quarter less time",
    r"[\d.]+ / [\d.]+ / [\d.]+": "| 0.34 / 0.27 / 0.13 |",
    r"\bheld (at|in|to) (0|the)\b": "what lies outside is held at the ends",
    r"(?<=[ (,])_[A-Z]{3,}\w*(?=[,.;) ])": "PERLANE_ERROR_NULL, _DIMS, _RANGE",
}
START = re.compile(r"^/\* (?:What|Whether|Where|How|Of|The same) ", re.M)  # of a function's comment
OF = re.compile(r"^(?:- |\d+\. )?Of (?!course)", re.M)  # of a paragraph


def prose(path, text):
    """Returns the parts of a file that users read."""
    if path.endswith((".c", ".h")):
        kind = r'"(?:\\.|[^"\\\n])*"' if os.sep + "cli" + os.sep in path else r"/\*.*?\*/"
        text = "\n".join(re.findall(kind, text, re.S))
    text = re.sub(r"^```.*?^```$|`[^`\n]*`", "", text, flags=re.M | re.S)
    return re.sub(r"\s+(\* )?", " ", text)


def main(root):
    patterns = ["*.md", "docs/**/*.md", "docs/perlane.1", "include/*.h", "omp/*.h", "examples/*.[cm]*",
                "cli/**/*.[ch]"]
    paths = [path for pattern in patterns
             for path in glob.glob(os.path.join(root, pattern), recursive=True)]
    failed = sum(not re.search(*pair) for pair in PHRASES.items()) + (len(paths) < 30)
    for path in paths:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        found = [match[0] for phrase in PHRASES for match in re.finditer(phrase, prose(path, text))]
        name = os.path.relpath(path, root)
        found += START.findall(text) if name.startswith(("include", "omp")) else []
        found += OF.findall(text) if name.endswith(".md") else []
        for words in found:
            print(f"FAILED {name}: {words}")
        failed += len(found)
    print(f"{len(paths)} passed, {failed} failed")
    sys.exit(failed != 0)


main(os.path.abspath(sys.argv[1]))
