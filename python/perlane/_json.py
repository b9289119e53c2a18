# SPDX-License-Identifier: MIT
"""JSON from files, which anybody may have written. The command reads it in the same way."""

from __future__ import annotations

import json
from typing import Any

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


def parse(text: str) -> Any:
    """Returns the value of a text; raises a ValueError that says what is wrong."""
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_int=_whole)
        is_flat = _depth(value) <= _MAX_DEPTH
    except RecursionError:
        is_flat = False
    if not is_flat:
        raise ValueError("it is nested too deeply")
    return value
