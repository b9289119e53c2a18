# SPDX-License-Identifier: MIT
"""Prints perlane in WGSL, translated from the files of FILES:

    python3 wgsl.py >perlane.wgsl

WGSL has no `precise`. To the bits of every result word 7 is added, which is 0, so that no compiler can
see through it. (Exclusive ors would cancel out where a result passes through two.) Declare the words before it, and call perlane_column(i, j, k):

    @group(0) @binding(0) var<storage, read> perlane_words: array<u32>;
"""

import os
import re

FILES = "perlane_core.h", "perlane_points.h", "perlane_cells.h", "perlane_simplex.h", "perlane_fields.h"
TYPES = {"uint": "u32", "float": "f32"}
CASTS = {"PERLANE_FLOAT_OF_BITS(": "bitcast<f32>(", "PERLANE_BITS_OF_FLOAT(": "bitcast<u32>(",
         "PERLANE_FLOAT(": "f32(", "PERLANE_UINT(": "u32(", "PERLANE_ROOT(": "sqrt(",
         "PERLANE_WORDS ": "uint perlane_begin, ", "PERLANE_PASS ": "perlane_begin, ", "PERLANE_ENTRY ": "",
         "PERLANE_ENTER ": "0u, ", "PERLANE_PART(at) ": "perlane_begin + at, ",
         "0.000000059604644775390625f": "0x1p-24f"}
OPAQUE = """fn perlane_opaque(v: f32) -> f32 {
  return bitcast<f32>(bitcast<u32>(v) + perlane_words[7]);
}
"""


def arguments(text, begin):
    """Returns the arguments of the call whose first one begins there, and where the call ends."""
    found, depth, start = [], 0, begin
    for at in range(begin, len(text)):
        if text[at] == "," and depth == 0:
            found.append(text[start:at].strip())
            start = at + 1
        depth += (text[at] == "(") - (text[at] == ")")
        if depth < 0:
            return found + [text[start:at].strip()], at + 1


def replaced_calls(text, name, replacement):
    while name + "(" in text:
        begin = text.rindex(name + "(")
        found, end = arguments(text, begin + len(name) + 1)
        text = text[:begin] + replacement.format(*found) + text[end:]
    return text


def type_of(kind, size):
    name = TYPES.get(kind, kind)
    return f"array<{name}, {size}>" if size else name


def typed(declarations):
    return ", ".join(f"{name}: {type_of(kind, size)}"
                     for kind, name, size in re.findall(r"(\w+) (\w+)(?:\[(\w+)\])?", declarations))


def translated(text):
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    for name, replacement in CASTS.items():
        text = text.replace(name, replacement)
    text = replaced_calls(text, "PERLANE_WORD", "perlane_words[perlane_begin + {0}]")
    text = replaced_calls(text, "PERLANE_SELECT", "select({2}, {1}, {0})")
    text = re.sub(r"#define (\w+) (\w+)", r"const \1 = \2;", text)
    text = re.sub(r"PERLANE_STRUCT\((\w+)\)(.*?)PERLANE_END",
                  lambda m: f"struct {m[1]} {{ {typed(m[2])} }}", text, flags=re.S)
    text = re.sub(r"PERLANE_FN (\w+) (\w+)\((.*?)\) \{",
                  lambda m: f"fn {m[2]}({typed(m[3])}) -> {TYPES.get(m[1], m[1])} {{",
                  text, flags=re.S)
    text = re.sub(r"PERLANE_EXACT float (\w+) = ([^;]*);", r"float \1 = perlane_opaque(\2);", text)
    return re.sub(r"^( +|.*for \()(uint|float|perlane_\w+) (\w+)(?:\[(\w+)\])?( =|;)",
                  lambda m: f"{m[1]}var {m[3]}: {type_of(m[2], m[4])}{m[5]}", text, flags=re.M)


def main():
    folder = os.path.dirname(os.path.abspath(__file__))
    print("// SPDX-License-Identifier: MIT\n" + OPAQUE)
    for name in FILES:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            print(re.sub(r"\n{3,}", "\n\n", translated(file.read())).strip())


main()
