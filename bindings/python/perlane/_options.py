# SPDX-License-Identifier: MIT
"""The library's records of options, and options as text. Names and bounds come from the library."""

from __future__ import annotations

import math
import reprlib
import secrets
import sys
from itertools import count, takewhile
from typing import Any, NamedTuple

from ._arguments import plain, real, whole
from ._library import MAX_DIMS, OptionRecord, Params, check, library, text_of


class Choice(NamedTuple):
    """One value of an option of kind "choice"."""

    name: str
    summary: str  # one phrase
    dims: tuple[int, ...]  # numbers of dimensions that it exists in


class Option(NamedTuple):
    """The library's description of an option of a field."""

    name: str
    heading: str  # group in the documentation
    summary: str  # one sentence
    kind: str  # "seed", "real", "integer", "choice", "axes" or "curve"
    min: float  # bounds of the value, or of a choice's index; infinite if it only has to be finite
    max: float
    min_is_open: bool  # True if the bound itself is not a valid value
    max_is_open: bool
    excludes_zero: bool
    default: Any
    dims: tuple[int, ...]  # numbers of dimensions in which it has an effect
    choices: tuple[Choice, ...]  # empty unless kind is "choice"
    accepts: str  # the valid values, as a phrase


_KINDS = ("seed", "real", "integer", "choice", "axes", "curve")  # in the order of the C enumeration
_DEFAULTS = Params()
library.perlane_params_init(_DEFAULTS)


def _dims(mask: int) -> tuple[int, ...]:
    return tuple(d for d in range(1, MAX_DIMS + 1) if mask >> (d - 1) & 1)


def _unbounded(bound: float) -> float:
    return math.copysign(math.inf, bound) if abs(bound) == sys.float_info.max else bound


def _read(params: Params, name: str, kind: str) -> Any:
    text = text_of(library.perlane_params_get, params, name.encode())
    if kind in ("seed", "integer"):
        return int(text)
    if kind == "real":
        return float(text)
    if kind == "axes":
        given = [int(each) for each in text.split(",")]
        return tuple(given + [0] * (MAX_DIMS - len(given)))
    if kind == "curve":
        points = [point.split(":") for point in text.split(",")]
        return None if text == "none" else [(float(x), float(y)) for x, y in points]
    return text


def _option(record: OptionRecord) -> Option:
    name, kind = record.name.decode(), _KINDS[record.kind]
    accepts = text_of(library.perlane_option_expected, record)
    if kind == "seed":
        accepts = accepts.replace(", decimal or 0x hexadecimal", "")  # which are forms of a text
        accepts += ", or None for one drawn at random"
    elif kind == "axes":
        accepts = "a whole number, or " + accepts.replace(" with commas between them", "")
    elif kind == "curve":
        accepts = "None or a list of points (x, y)"
    return Option(
        name,
        record.heading.decode(),
        record.summary.decode(),
        kind,
        _unbounded(record.min),
        _unbounded(record.max),
        bool(record.min_is_open),
        bool(record.max_is_open),
        bool(record.excludes_zero),
        _read(_DEFAULTS, name, kind),
        _dims(record.dims),
        tuple(
            Choice(each.name.decode(), each.summary.decode(), _dims(each.dims))
            for each in record.choices[: record.choice_count]
        ),
        accepts,
    )


def _records(function: Any) -> Any:
    return takewhile(bool, map(function, count()))


_OPTIONS = [_option(each.contents) for each in _records(library.perlane_option_at)]
OPTIONS = {option.name: option for option in _OPTIONS}
PRESETS = tuple(name.decode() for name in _records(library.perlane_preset_name))
LOOKS = tuple(look.contents.value.decode() for look in _records(library.perlane_look_at))
PALETTES = tuple(name.decode() for name in _records(library.perlane_palette_name))


def encode(text: str) -> bytes:
    """Returns a text for the library, which ends texts at a NUL."""
    return text.encode("utf-8", "replace").replace(b"\0", b"?")


def _text(option: Option, value: Any) -> str:
    """Returns a value as text; raises a TypeError or ValueError if it has the wrong type or form."""
    if option.kind == "seed" and value is None:
        value = secrets.randbits(32)
    value = plain(value)
    if option.kind in ("seed", "integer"):
        return str(whole(value))
    if option.kind == "real":
        return repr(real(value))
    if option.kind == "axes":
        values = [value] * MAX_DIMS if isinstance(value, (int, float)) else value
        return ",".join(str(whole(each)) for each in values)
    if option.kind == "curve" and not isinstance(value, str):
        if value is None:
            return "none"
        return ",".join(f"{real(x)!r}:{real(y)!r}" for x, y in value)
    if isinstance(value, bool) and option.choices[0].name == "off":
        return "on" if value else "off"
    if not isinstance(value, str):
        raise TypeError
    return value


def value_of(params: Params, name: str) -> Any:
    """Returns the value of an option, in the form in which Option.default is."""
    return _read(params, name, OPTIONS[name].kind)


def set_option(params: Params, name: str, value: Any) -> None:
    """Sets one option; raises a TypeError or ValueError that names it and its valid values."""
    option = OPTIONS.get(name)
    if option is None:
        raise TypeError("Field: " + text_of(library.perlane_explain_text, encode(name), b""))
    problem = f"{name} must be {option.accepts}, not {reprlib.repr(value)}"
    try:
        text = encode(_text(option, value))
    except (TypeError, ValueError) as error:
        raise type(error)(problem) from None
    status = library.perlane_params_set(params, name.encode(), text)
    if status != 0 and option.kind in ("seed", "axes"):  # the library's sentence is about a text
        raise ValueError(problem)
    check(status, library.perlane_explain_text, name.encode(), text)


def set_text(params: Params, text: str) -> None:
    """Sets the options of a text."""
    if not isinstance(text, str):
        raise TypeError(f"Field: expected a text of options, not {reprlib.repr(text)}")
    if text.startswith("perlane="):
        raise ValueError("Field: the text is a map's; perlane.open_map(text).field is its field")
    given = encode(text)
    check(library.perlane_params_parse(params, given, None), library.perlane_explain_text, None, given)
