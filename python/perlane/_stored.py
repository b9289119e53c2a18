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
from ._map import DTYPES, Map
from ._tables import TABLES

_OTHERS = {  # words that change no sample: of pictures, and of TIFF files
    *("palette", "shade", "light", "relief", "normal_map", "normal_strength", "normal_y"),
    *("bigtiff", "compression", "crs"),
}


def _numbers(text: str, kind: type[int] | type[float]) -> Any:
    values = [kind(number) for number in text.split(",")[::-1]]
    return values[0] if len(values) == 1 else values


def _parse(text: str) -> Map:
    words = dict(word.partition("=")[::2] for word in text.split()[1:])
    options = {name.replace("-", "_"): value for name, value in words.items()}
    if not text.startswith("perlane=") or options.pop("axes", "2") not in ("1", "2", "3", "4"):
        raise ValueError("it begins with no perlane=VERSION, or has other axes than 1 to 4")
    shape = [int(count) for count in options.pop("size").lower().split("x")[::-1]]
    dtype, ends = DTYPES[options.pop("bits", "32")], options.pop("range", "-1,1")
    where = {
        name: _numbers(options.pop(name, usual), kind)
        for name, usual, kind in (("first", "0", int), ("origin", "0", float), ("step", "1", float))
    }
    tables = {name: json.loads(options.pop(name)) for name in TABLES if name in options}
    names = [name for name in options if name not in _OTHERS]
    field = Field(" ".join(f"{name}={options[name]}" for name in names), **tables)
    if dtype == "float32":  # whose range has no effect
        low, high = -1.0, 1.0
    elif ends == "auto":
        low, high = field.range(len(shape))
    else:
        high, low = _numbers(ends, float)
    return field._map(shape, **where, dtype=dtype, low=low, high=high)


def parse_map(text: Any) -> Map:
    """Returns the map that a text describes; raises a ValueError if it describes none."""
    try:
        return _parse(text)
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise ValueError(f"not the options of a map: {reprlib.repr(text)}: {error}") from None
