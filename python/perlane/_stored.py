# SPDX-License-Identifier: MIT
"""What files say of a map: JSON, and its options as text. Anybody may have written them.

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

# ---- JSON, which the command reads in the same way ----

MAX_DESCRIPTION = (8 << 20) - 1  # bytes
_MAX_DEPTH = 32  # of objects and arrays that are not empty
_MAX_DIGITS = 20  # whole numbers of more are as good as real ones, and take quadratic time


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for key, value in pairs:
        if key in members:  # readers take one value or the other
            raise ValueError(f"an object has the key '{key:.40}' twice")
        members[key] = value
    return members


def _whole(digits: str) -> int | float:
    return int(digits) if len(digits) <= _MAX_DIGITS else float(digits)


def _depth(value: Any) -> int:
    values = value.values() if isinstance(value, dict) else value
    return 1 + max(map(_depth, values)) if values and isinstance(value, (dict, list)) else 0


def parse_json(text: str) -> Any:
    """Returns the value of a text; raises a ValueError that says what is wrong."""
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_int=_whole)
        is_flat = _depth(value) <= _MAX_DEPTH
    except RecursionError:
        is_flat = False
    if not is_flat:
        raise ValueError("it is nested too deeply")
    return value


def to_json(value: Any) -> bytes:
    """Returns a value as text."""
    return json.dumps(value, indent=2, sort_keys=True).encode() + b"\n"


def includes(stored: Any, wanted: Any) -> bool:
    """Returns True if two values of JSON are equal; objects that are stored may have more keys."""
    if isinstance(wanted, dict) and isinstance(stored, dict):
        return all(key in stored and includes(stored[key], wanted[key]) for key in wanted)
    if isinstance(wanted, (list, tuple)) and isinstance(stored, list):
        return len(stored) == len(wanted) and all(map(includes, stored, wanted))
    return isinstance(stored, bool) == isinstance(wanted, bool) and bool(stored == wanted)


# ---- Maps ----

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
    tables = {name: parse_json(options.pop(name)) for name in TABLES if name in options}
    names = [name for name in options if name not in _OTHERS]
    field = Field(" ".join(f"{name}={options[name]}" for name in names), **tables)
    if ends == "auto":
        low, high = field.range(len(shape))
    elif dtype != "float32" or ends != "actual":
        high, low = _numbers(ends, float)
    if dtype == "float32":  # whose range has no effect
        low, high = -1, 1
    return field, field._samples(shape, **where, dtype=dtype, low=low, high=high)


def version_of(text: str) -> str:
    """Returns the version that a text begins with."""
    return text.partition(" ")[0].partition("=")[2]
