#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the API reference with the headers: every public name is in it, with its comment.

Usage: doxygen_test.py HEADER... (after doxygen, which writes its XML to build/docs/xml)

This script parses the headers itself, independently of the filter that prepares them for doxygen.
Only letters and digits are compared.
"""

import glob
import re
import sys
import xml.etree.ElementTree as ElementTree

# Undocumented names, which have no comment: enumerators that count the others, macros for linking and
# include guards. The members of perlane_noise are undocumented, too.
PRIVATE = re.compile(r"PERLANE_(\w+_)?API$|PERLANE_\w+_COUNT$|PERLANE_(\w+_)?H$")
COMMENT = r"/\*(?P<words>(?:[^*]|\*(?!/))*)\*/"
passed = failed = 0


def check(what, holds, found=""):
    global passed, failed
    if not holds:
        print("FAILED", what, found)
    passed += bool(holds)
    failed += not holds


def letters(text):
    return re.sub(r"[^a-z0-9]", "", text.lower())


def words_of(comment):
    """The text that the reference should have for a comment."""
    lines = [re.sub(r"^ ?\*", "", line) for line in comment.splitlines()]
    return letters(re.sub(r"(?:^|\n) *Returns ", " ", "\n".join(lines)))


def members(body):
    """Yields name and words of each member or enumerator between braces."""
    entry = re.compile(
        r"^  (?:[\w ]+[ *])?(?P<name>\w+)(?:\[\w+\])*(?: = \w+)?[;,]? *(?:" + COMMENT + ")?[;,]?",
        re.M,
    )
    for found in entry.finditer(body):
        yield found["name"], words_of(found["words"] or "")


def public(text):
    """Yields (kind, name, words) of everything a header declares; members are named STRUCT.MEMBER."""
    for found in re.finditer(r"^#define (\w+) [^/\n]*(?:" + COMMENT + ")?", text, re.M):
        # A macro's comment is on its line or above it.
        above = re.search(r"\n" + COMMENT + r"\n$", text[: found.start()])
        yield "define", found[1], words_of(found["words"] or (above and above["words"]) or "")

    opened = r"^" + COMMENT + r"\n(?:typedef )?"
    for found in re.finditer(opened + r"enum (\w+) \{\n(.*?)^\}", text, re.M | re.S):
        yield "enum", found[2], words_of(found["words"])
        for name, words in members(found[3]):
            yield "enumvalue", name, words
    for found in re.finditer(opened + r"struct (\w+) \{\n(.*?)^\}", text, re.M | re.S):
        if found[2] == "perlane_unpacked":  # no interface, but a check
            continue
        yield "struct", found[2], words_of(found["words"])
        if found[2] not in ("perlane_noise", "perlane_octave", "perlane_octave_arrays"):
            for name, words in members(found[3]):
                yield "variable", f"{found[2]}.{name}", words

    words = ""
    for found in re.finditer(r"^" + COMMENT + r"\n(?=\w)|^(?:PERLANE_API|static inline) [^(]*?(\w+)\(", text, re.M):
        if found[2]:
            yield "function", found[2], words
        else:
            words = words_of(found["words"])


def reference():
    """Returns the words of everything in doxygen's XML, by (kind, name)."""
    there = {}
    for path in glob.glob("build/docs/xml/*.xml"):
        for compound in ElementTree.parse(path).getroot().iter("compounddef"):
            struct = ""
            if compound.get("kind") == "struct":
                struct = compound.findtext("compoundname") + "."
                there["struct", struct[:-1]] = described(compound)
            for member in compound.iter("memberdef"):
                there[member.get("kind"), struct + member.findtext("name")] = described(member)
                for value in member.iter("enumvalue"):
                    there["enumvalue", value.findtext("name")] = described(value)
    return there


def described(element):
    parts = [element.find("briefdescription"), element.find("detaileddescription")]
    return letters(" ".join("".join(part.itertext()) for part in parts))


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: doxygen_test.py HEADER...")
    there = reference()
    here = set()
    for header in sys.argv[1:]:
        with open(header, encoding="utf-8") as file:
            text = file.read()
        for kind, name, words in public(text):
            if PRIVATE.match(name) and not words:
                continue
            here.add((kind, name))
            found = there.get((kind, name))
            check(f"{kind} {name} is in the reference", found is not None)
            check(f"{kind} {name} has words", words)
            # A comment above some macros is also the first one's.
            check(f"{kind} {name} has its own words", (found or "").endswith(words) if kind == "define"
                  else found == words, (words, found))
    for kind, name in there:
        check(f"{kind} {name} is public", (kind, name) in here)
    for kind in "define", "enum", "enumvalue", "struct", "variable", "function":
        print(f"{sum(1 for other, _ in here if other == kind)} of kind {kind}")
    check("there is something of every kind", len({kind for kind, _ in here}) == 6)
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
