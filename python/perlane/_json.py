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


def _check_depth(value: Any, room: int) -> None:
    values = value.values() if isinstance(value, dict) else value
    if values and isinstance(value, (dict, list)):
        if room == 0:
            raise ValueError("it is nested too deeply")
        for each in values:
            _check_depth(each, room - 1)


def parse(text: str) -> Any:
    """Returns the value of a text; raises a ValueError that says what is wrong."""
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_int=_whole)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    _check_depth(value, _MAX_DEPTH)
    return value
