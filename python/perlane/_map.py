# SPDX-License-Identifier: MIT
"""A map: a field on a grid, and the line of text that describes it in files.

The text is the command's: perlane=VERSION, the field's options, the map's, then tables, with x
first. Axes here are those of a shape, x last.
"""

from __future__ import annotations

import re
import reprlib
from typing import Any, Callable, NamedTuple, Sequence

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ._arguments import grid_of
from ._field import Field
from ._json import parse
from ._library import __version__

MAX_CARRIED_POINTS = 65536  # of a gradient grid in a text
_DTYPES = {"32": "float32", "16": "uint16", "8": "uint8"}
_TABLES = ("hash_table", "gradient_table", "gradient_grid")
_SIZE = "[1-9][0-9]{0,18}"
_WORDS = {int: "-?[0-9]{1,19}", float: "[-+.0-9eE]+"}  # of the texts that are numbers, the command's


def _number(text: str, kind: type[int] | type[float]) -> Any:
    if not re.fullmatch(_WORDS[kind], text):
        raise ValueError(f"not a number: {reprlib.repr(text)}")
    return kind(text)


def _shortest(value: float, kind: Callable[[str], Any] = float) -> str:
    """Returns the first of a number's decimals that is read back as it is, as the command does."""
    digits = range(15, 18) if kind is float else range(6, 10)
    texts = [f"{value:.{n}g}" for n in digits]
    return next((text for text in texts if kind(text) == value), texts[-1])


def _single(value: float) -> str:
    """Returns the text of a number in single precision."""
    return _shortest(float(np.float32(value)), np.float32)


def _list(table: Any) -> str:
    if isinstance(table, np.ndarray):
        return "[" + ",".join(map(_list, table)) + "]"
    return str(table) if isinstance(table, np.int32) else _single(table)


class Map(NamedTuple):
    """A field on a grid."""

    field: Field
    shape: tuple[int, ...]
    first: tuple[int, ...]
    origin: tuple[float, ...]
    step: tuple[float, ...]
    dtype: str
    low: float  # values that become 0 and the largest integer; -1 and 1 for float32
    high: float

    @classmethod
    def make(
        cls,
        field: Field,
        shape: int | Sequence[int],
        *,
        first: int | Sequence[int] = 0,
        origin: float | Sequence[float] = 0,
        step: float | Sequence[float] = 1,
        dtype: DTypeLike | None = None,
        low: float = -1,
        high: float = 1,
    ) -> Map:
        """Returns a map; raises the errors of Field.fill."""
        grid = grid_of(shape, first, origin, step)
        field._check(grid)
        axes = range(grid.dims - 1, -1, -1)
        where: dict[str, Any] = {
            name: tuple(getattr(grid, name)[a] for a in axes)
            for name in ("first", "origin", "step")
        }
        sample = field.fill([1] * grid.dims, dtype=dtype, low=low, high=high, **where)
        counts = tuple(grid.count[a] for a in axes)
        return cls(
            field, counts, dtype=sample.dtype.name, low=float(low), high=float(high), **where
        )

    @property
    def dims(self) -> tuple[str, ...]:
        """The names of the axes."""
        return tuple("wzyx"[-len(self.shape) :])

    def fill(
        self, start: Sequence[int], counts: Sequence[int], out: NDArray[Any] | None = None
    ) -> NDArray[Any]:
        """Returns a block of the map, computed by this thread alone."""
        return self.field.fill(
            counts,
            first=[first + begin for first, begin in zip(self.first, start)],
            origin=self.origin,
            step=self.step,
            dtype=self.dtype,
            low=self.low,
            high=self.high,
            out=out,
        )

    # ---- Text ----

    @property
    def text(self) -> str:
        """The line of text; a gradient grid that is too large for it is left out."""
        dims = len(self.shape)
        bits = next(bits for bits, dtype in _DTYPES.items() if dtype == self.dtype)
        words = [
            f"perlane={__version__}",
            self.field.text,
            f"size={'x'.join(map(str, self.shape[::-1]))}",
        ]
        words += [f"axes={dims}"] * (dims != 2) + [f"bits={bits}"]
        if any(self.origin):
            words.append("origin=" + ",".join(map(_shortest, self.origin[::-1])))
        if any(self.first):
            words.append("first=" + ",".join(map(str, self.first[::-1])))
        steps = self.step[::-1] if len(set(self.step)) > 1 else self.step[:1]
        if steps != (1,):
            words.append("step=" + ",".join(map(_shortest, steps)))
        words.append(f"range={_shortest(self.low)},{_shortest(self.high)}")
        for name in _TABLES:
            table = self.field._tables.get(name)
            if table is not None and not (name == "gradient_grid" and self.is_too_large):
                words.append(f"{name}={_list(table)}")
        return " ".join(filter(None, words))

    @property
    def attributes(self) -> dict[str, Any]:
        """The attributes of an array: the text, and for integers what their ends stand for."""
        attributes: dict[str, Any] = {"perlane": self.text}
        if self.dtype != "float32":
            ends = [float(_single(end)) for end in (self.low, self.high)]
            attributes.update(low=ends[0], high=ends[1])
        return attributes

    @property
    def is_too_large(self) -> bool:
        """True if the field's gradient grid is too large for a text."""
        grid = self.field._tables.get("gradient_grid")
        return grid is not None and grid.size // 2 > MAX_CARRIED_POINTS

    @classmethod
    def parse(cls, text: str) -> Map:
        """Returns the map that a text describes, which the command may have written."""
        words = dict(word.partition("=")[::2] for word in text.split()[1:])
        options = {name.replace("-", "_"): value for name, value in words.items()}
        size, axes = options.pop("size", "").lower(), options.pop("axes", "2")
        is_sized = re.fullmatch(f"{_SIZE}(x{_SIZE}){{0,3}}", size) and re.fullmatch("[1-4]", axes)
        if not (text.startswith("perlane=") and is_sized):
            raise ValueError(f"not the options of a map: {reprlib.repr(text)}")
        options.pop("bigtiff", None)  # of another map that the options were taken from
        shape = [int(count) for count in size.split("x")[::-1]]

        def numbers(name: str, usual: str, kind: type[int] | type[float]) -> Any:
            values = [_number(number, kind) for number in options.pop(name, usual).split(",")[::-1]]
            return values[0] if len(values) == 1 else values

        first, origin = numbers("first", "0", int), numbers("origin", "0", float)
        step = numbers("step", "1", float)
        dtype, ends = _DTYPES[options.pop("bits", "32")], options.pop("range", "-1,1")
        tables = {name: parse(options.pop(name)) for name in _TABLES if name in options}
        field = Field(" ".join(f"{name}={value}" for name, value in options.items()), **tables)
        low, high = -1.0, 1.0
        if ends != "auto":
            low, high = (_number(end, float) for end in ends.split(","))
        if dtype == "float32":  # whose range has no effect
            low, high = -1.0, 1.0
        elif ends == "auto":
            low, high = field.range(len(shape))
        return cls.make(
            field, shape, first=first, origin=origin, step=step, dtype=dtype, low=low, high=high
        )


def version_of(text: str) -> str:
    """Returns the version that a text begins with."""
    return text.partition(" ")[0].partition("=")[2]
