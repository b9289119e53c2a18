# SPDX-License-Identifier: MIT
"""What files say of a map: its options as text. Anybody may have written it.

The text is perlane=VERSION, the field's options, those of its samples, then tables; x first.
"""

from __future__ import annotations

import json
import re
import reprlib
from typing import Any

from ._field import Field
from ._samples import DTYPES, Samples
from ._tables import TABLES

_OTHERS = {  # words that change no sample: of pictures, and of TIFF files
    *("palette", "shade", "light", "relief", "normal_map", "normal_strength", "normal_y"),
    *("bigtiff", "compression", "crs"),
}
_SIZE = "[1-9][0-9]{0,18}"
_WORDS = {int: "-?[0-9]{1,19}", float: "[-+.0-9eE]+"}  # the numbers that the command reads


def _numbers(text: str, kind: type[int] | type[float]) -> Any:
    for number in text.split(","):
        if not re.fullmatch(_WORDS[kind], number):
            raise ValueError(f"not a number: {reprlib.repr(number)}")
    values = [kind(number) for number in text.split(",")[::-1]]
    return values[0] if len(values) == 1 else values


def _table(text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("a table is nested too deeply") from None


def parse_map(text: str) -> tuple[Field, Samples]:
    """Returns a field and its samples."""
    words = dict(word.partition("=")[::2] for word in text.split()[1:])
    options = {name.replace("-", "_"): value for name, value in words.items()}
    size, axes = options.pop("size", "").lower(), options.pop("axes", "2")
    is_sized = re.fullmatch(f"{_SIZE}(x{_SIZE}){{0,3}}", size) and re.fullmatch("[1-4]", axes)
    if not (text.startswith("perlane=") and is_sized):
        raise ValueError(f"not the options of a map: {reprlib.repr(text)}")
    shape = [int(count) for count in size.split("x")[::-1]]
    dtype, ends = DTYPES[options.pop("bits", "32")], options.pop("range", "-1,1")
    where = {
        name: _numbers(options.pop(name, usual), kind)
        for name, usual, kind in (("first", "0", int), ("origin", "0", float), ("step", "1", float))
    }
    tables = {name: _table(options.pop(name)) for name in TABLES if name in options}
    names = [name for name in options if name not in _OTHERS]
    field = Field(" ".join(f"{name}={options[name]}" for name in names), **tables)
    if ends == "auto":
        low, high = field.range(len(shape))
    elif dtype != "float32" or ends != "actual":
        high, low = _numbers(ends, float)
    if dtype == "float32":  # whose range has no effect
        low, high = -1, 1
    return field, field._samples(shape, **where, dtype=dtype, low=low, high=high)
