# SPDX-License-Identifier: MIT
"""Field: the noise, evaluated on grids and at points."""

from __future__ import annotations

import ctypes
import functools
import inspect
import math
import reprlib
from ctypes import byref, c_double, c_float, c_size_t, c_uint64, c_void_p
from typing import Any, Callable, Literal, Sequence, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from . import _blocks
from ._library import MAX_DIMS, Grid, Params, check, library, sentence
from ._options import NAMES, OPTIONS, PRESETS, encode, real, set_option, unknown, whole

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

_FILLS = {
    np.dtype(np.float32): library.perlane_fill,
    np.dtype(np.uint16): library.perlane_fill_u16,
    np.dtype(np.uint8): library.perlane_fill_u8,
}
_TABLES = {
    "hash_table": "256 whole numbers from 0 to 255, or 1024 for hash='primes'",
    "gradient_table": "2 to 256 vectors of 1 to 4 numbers, an array of shape (vectors, dims)",
    "gradient_grid": "vectors of x and y, an array of shape (rows, columns, 2)",
}


# ---- Arguments ----


def _number(name: str, value: Any, low: int, high: int) -> int:
    expected = f"{name}: expected a whole number from {low} to {high}, not {reprlib.repr(value)}"
    try:
        number = whole(value)
    except TypeError:
        raise TypeError(expected) from None
    if not low <= number <= high:
        raise ValueError(expected)
    return number


def _index(name: str, value: Any) -> int:
    return _number(name, value, -(2**63), 2**63 - 1)


def _finite(name: str, value: Any) -> float:
    expected = f"{name}: expected a finite number, not {reprlib.repr(value)}"
    try:
        number = real(value)
    except TypeError:
        raise TypeError(expected) from None
    if not math.isfinite(number):
        raise ValueError(expected)
    return number


def _per_axis(name: str, value: Any, dims: int, number: Callable[[str, Any], Any]) -> list[Any]:
    """Returns one number per axis from a number for all, or from a sequence in the same order."""
    values = list(value) if np.ndim(value) == 1 else [value] * dims
    if len(values) != dims:
        raise ValueError(
            f"{name}: expected a number, or {dims}, one for each axis; not {len(values)}"
        )
    return [number(name, each) for each in values]


def _shape(shape: Any) -> tuple[int, ...]:
    counts = tuple(shape) if np.ndim(shape) == 1 else (shape,)
    if not 1 <= len(counts) <= MAX_DIMS:
        raise ValueError(f"shape: expected 1 to {MAX_DIMS} counts, not {len(counts)}")
    return tuple(_number("shape", count, 1, 2**63 - 1) for count in counts)


def _threads(threads: Any) -> int:
    return _number("threads", threads, 0, _blocks.MAX_THREADS) or _blocks.processors()


def _grid(shape: Any, first: Any, origin: Any, step: Any) -> Grid:
    counts = _shape(shape)
    dims = len(counts)
    grid = Grid(dims=dims)
    grid.count[:dims] = counts[::-1]
    grid.first[:dims] = _per_axis("first", first, dims, _index)[::-1]
    grid.origin[:dims] = _per_axis("origin", origin, dims, _finite)[::-1]
    grid.step[:dims] = _per_axis("step", step, dims, _finite)[::-1]
    return grid


def _output(out: Any, shape: tuple[int, ...], dtype: DTypeLike | None) -> NDArray[Any]:
    """Returns the array to fill: `out` if it fits, or a new one."""
    kind = out.dtype if dtype is None and isinstance(out, np.ndarray) else np.dtype(dtype or "f4")
    if kind not in _FILLS:
        raise TypeError(f"dtype: expected float32, uint16 or uint8, not {kind}")
    if out is None:
        return np.empty(shape, kind)
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out: expected a NumPy array, not {type(out).__name__}")
    if out.dtype != kind:
        raise TypeError(f"out: expected an array of {kind}, not {out.dtype}")
    if out.shape != shape:
        raise ValueError(f"out: expected an array of shape {shape}, not {out.shape}")
    if not out.flags.writeable:
        raise ValueError("out: the array is read-only")
    if not out.flags.aligned or any(stride % out.itemsize for stride in _strides(out)):
        raise ValueError("out: the array is not aligned to its elements")
    return out


def _strides(array: NDArray[Any]) -> list[int]:
    """Returns the strides in bytes; 0 for axes of one element, whose strides have no meaning."""
    return [stride if n > 1 else 0 for n, stride in zip(array.shape, array.strides)]


def _addresses(arrays: Sequence[NDArray[Any]], offset: int) -> Any:
    return (c_void_p * len(arrays))(*[array.ctypes.data + offset for array in arrays])


# ---- Tables ----


def _table(name: str, value: Any) -> NDArray[Any]:
    """Returns a table as a read-only copy."""
    problem = f"{name}: expected {_TABLES[name]}"
    try:
        given = np.asarray(value)
        if name == "hash_table":
            good = given.shape in ((256,), (1024,)) and given.dtype.kind in "iu"
            good = good and bool(np.all((given >= 0) & (given <= 255)))
            table = given.astype(np.int32) if good else given
        else:
            with np.errstate(over="ignore"):  # the library refuses infinity
                table = np.array(given, np.float32, order="C")
            shape = table.shape
            good = len(shape) == 2 and 2 <= shape[0] <= 256 and 1 <= shape[1] <= MAX_DIMS
            if name == "gradient_grid":
                good = len(shape) == 3 and shape[2] == 2 and 1 <= shape[0] * shape[1] <= 2**30
    except (TypeError, ValueError):
        raise TypeError(problem) from None
    if not good:
        raise ValueError(f"{problem}; not {given.dtype} of shape {given.shape}")
    table.flags.writeable = False
    return table


def _option(params: Params, name: str) -> str:
    buffer = ctypes.create_string_buffer(64)
    library.perlane_params_get(byref(params), name.encode(), buffer, len(buffer))
    return buffer.value.decode()


def _set_tables(params: Params, tables: dict[str, NDArray[Any]], options: dict[str, Any]) -> None:
    """Gives the tables to the library, and chooses what uses them unless it was chosen."""
    uses = {
        "hash_table": ("hash", ("table", "primes")),
        "gradient_table": ("gradients", ("table",)),
        "gradient_grid": ("hash", ("grid",)),
    }
    for name, table in tables.items():
        option, values = uses[name]
        if _option(params, option) not in values and option not in options:
            set_option(params, option, values[0])
        if _option(params, option) not in values:
            raise ValueError(f"{name}: has no effect with {option}={_option(params, option)!r}")
        setattr(params, name, table.ctypes.data)
    if "hash_table" in tables:
        if len(tables["hash_table"]) != (1024 if _option(params, "hash") == "primes" else 256):
            raise ValueError(f"hash_table: expected {_TABLES['hash_table']}")
    if "gradient_table" in tables:
        params.gradient_count, params.gradient_dims = tables["gradient_table"].shape
    if "gradient_grid" in tables:
        params.gradient_grid_count[:] = tables["gradient_grid"].shape[1::-1]


# ---- The field ----


class Field:
    """A field of noise: a function from a position of 1 to 4 coordinates to one float.

    ``Field("octaves=8 seed=7")``, ``Field(octaves=8, seed=7)`` and both together: keywords come
    after the text. The same text makes the same bits here, in C, in the command and in JavaScript.
    Fields are immutable and may be used by any number of threads at once.

    Positions and shapes of grids are rows first, as in NumPy: x is the last axis. Points, and
    options with a value for each axis, are x first.

    Raises a TypeError for an unknown option or a value of the wrong type, a ValueError for a value
    that is not accepted; both name the option and what it accepts.

    >>> Field(seed=7, octaves=8, fractal="ridged")
    Field('seed=7 octaves=8 fractal=ridged')
    >>> Field(octaves=33)
    Traceback (most recent call last):
    ValueError: octaves: expected a whole number from 1 to 32, not 33
    """

    __slots__ = ("_noise", "_tables", "_text", "__weakref__")

    def __init__(self, text: str | None = None, /, **options: Any) -> None:
        params = Params()
        library.perlane_params_init(byref(params))
        if text is not None:
            self._parse(params, text)
        tables = {}
        for name, value in options.items():
            if name in _TABLES:
                if value is not None:
                    tables[name] = _table(name, value)
            elif name in OPTIONS:
                set_option(params, name, value)
            else:
                raise TypeError(f"Field: {unknown(name, [*OPTIONS, *_TABLES])}")
        _set_tables(params, tables, options)
        noise = (c_uint64 * (library.perlane_noise_size() // 8))()
        check(library.perlane_init(noise, byref(params)), NAMES)
        self._noise = noise  # it refers to the gradient grid, which the tables keep alive
        self._tables = tables
        buffer = ctypes.create_string_buffer(
            library.perlane_params_print(byref(params), None, 0) + 1
        )
        library.perlane_params_print(byref(params), buffer, len(buffer))
        self._text = buffer.value.decode()

    @staticmethod
    def _parse(params: Params, text: str) -> None:
        if not isinstance(text, str):
            raise TypeError(f"Field: expected a text of options, not {reprlib.repr(text)}")
        where = c_size_t()
        status = library.perlane_params_parse(byref(params), encode(text), byref(where))
        if status != 0:
            fault = (encode(text)[where.value :].split() or [b""])[0].decode()
            name = fault.split("=")[0].replace("-", "_")
            problem = sentence(status)
            if name in OPTIONS and status == OPTIONS[name].status:
                problem = f"expected {OPTIONS[name].accepts}"
            elif "=" in fault and name not in (*OPTIONS, "preset"):
                problem = unknown(name, OPTIONS)
            raise ValueError(f"{fault}: {problem}")

    @classmethod
    def preset(cls, name: str, /, **options: Any) -> Field:
        """Returns the field of another noise library, one of ``perlane.presets()``, with changes.

        >>> Field.preset("improved", octaves=4).range(2)
        (-1.0, 1.0)
        """
        if name not in PRESETS:
            raise ValueError(f"preset: expected one of {', '.join(PRESETS)}, not {name!r}")
        return cls(f"preset={name}", **options)

    # ---- Identity ----

    @property
    def text(self) -> str:
        """The options that differ from the defaults, as text that makes the same field again.

        Tables are not part of it.
        """
        return self._text

    def _identity(self) -> tuple[Any, ...]:
        tables = sorted((name, a.shape, a.tobytes()) for name, a in self._tables.items())
        return (self._text, *tables)

    def __eq__(self, other: object) -> bool:
        return self._identity() == other._identity() if isinstance(other, Field) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._identity())

    def __repr__(self) -> str:
        tables = "".join(f", {name}=<{a.dtype} {a.shape}>" for name, a in self._tables.items())
        return f"Field({self._text!r}{tables})"

    def __reduce__(self) -> tuple[Any, ...]:
        return functools.partial(type(self), **self._tables), (self._text,)

    # ---- Grids ----

    def _fill(
        self, grid: Grid, arrays: Sequence[NDArray[Any]], threads: int, call: Callable[..., Any]
    ) -> list[Any]:
        """Returns what call(grid, offset in bytes) returns for each block of arrays of one layout."""
        out = arrays[0]
        dims = grid.dims
        grid.exact_strides = 1
        grid.stride[:dims] = [stride // out.itemsize for stride in _strides(out)[::-1]]
        check(library.perlane_grid_check(self._noise, byref(grid)))

        def fill(block: _blocks.Block) -> Any:
            part = Grid.from_buffer_copy(grid)
            offset = 0
            for axis, (begin, end) in enumerate(block):
                part.first[axis] += begin
                part.count[axis] = end - begin
                offset += begin * part.stride[axis] * out.itemsize
            return call(byref(part), offset)

        return _blocks.for_each(_blocks.cut(grid.count[:dims], threads), threads, fill)

    @overload
    def fill(
        self,
        shape: int | Sequence[int],
        *,
        first: int | Sequence[int] = ...,
        origin: float | Sequence[float] = ...,
        step: float | Sequence[float] = ...,
        dtype: DTypeLike | None = ...,
        low: float = ...,
        high: float = ...,
        out: NDArray[Any] | None = ...,
        threads: int = ...,
        extremes: Literal[False] = ...,
    ) -> NDArray[Any]: ...

    @overload
    def fill(
        self,
        shape: int | Sequence[int],
        *,
        first: int | Sequence[int] = ...,
        origin: float | Sequence[float] = ...,
        step: float | Sequence[float] = ...,
        dtype: DTypeLike | None = ...,
        out: NDArray[Any] | None = ...,
        threads: int = ...,
        extremes: Literal[True],
    ) -> tuple[Floats, float, float]: ...

    def fill(
        self,
        shape: int | Sequence[int],
        *,
        first: int | Sequence[int] = 0,
        origin: float | Sequence[float] = 0,
        step: float | Sequence[float] = 1,
        dtype: DTypeLike | None = None,
        low: float = -1,
        high: float = 1,
        out: NDArray[Any] | None = None,
        threads: int = 1,
        extremes: bool = False,
    ) -> NDArray[Any] | tuple[Floats, float, float]:
        """Returns a grid of values, an array of this shape.

        Sample i of an axis is at the position origin + (first + i) * step. A tile of a map has the
        map's origin and step and its own first; its samples are the map's, bit for bit.

        shape: number of samples of each axis, 1 to 4 of them, rows first: (ny, nx), (nz, ny, nx).
        first: index of the first sample, in 64 bits; may be negative.
        origin: coordinate of index 0, in units of position.
        step: distance between samples, in units of position; not 0, may be negative.
            first, origin and step are a number for all axes, or one for each in the shape's order.
        dtype: float32 (the default) for values, which are within ``range(dims)``; uint16 or uint8
            for integers (value - low) / (high - low) * 65535, or * 255, rounded and clamped.
        low, high: values that become 0 and the largest integer.
        out: array that is filled and returned, with any strides whose elements do not overlap.
        threads: number of threads, 0 for one per processor. It never changes a bit.
        extremes: returns (array, smallest, largest) instead; with float32 only.

        Raises a TypeError or ValueError, before anything is written.

        >>> Field(octaves=4).fill((2, 3), first=(10, 20)).shape
        (2, 3)
        """
        grid = _grid(shape, first, origin, step)
        levels = (_finite("low", low), _finite("high", high))
        workers = _threads(threads)
        if out is None:
            check(library.perlane_grid_check(self._noise, byref(grid)))  # before memory is taken
        array = _output(out, tuple(grid.count[: grid.dims][::-1]), dtype)
        start = array.ctypes.data
        if array.dtype != np.float32:
            if extremes:
                raise ValueError("extremes: needs dtype float32")
            fill = _FILLS[array.dtype]
            self._fill(
                grid,
                [array],
                workers,
                lambda part, offset: check(fill(self._noise, part, *levels, start + offset)),
            )
            return array
        if levels != (-1, 1):
            raise ValueError(
                "low, high: have no effect on float32; they need dtype uint16 or uint8"
            )
        if not extremes:
            self._fill(
                grid,
                [array],
                workers,
                lambda part, offset: check(library.perlane_fill(self._noise, part, start + offset)),
            )
            return array

        def fill_extremes(part: Any, offset: int) -> tuple[float, float]:
            ends = c_float(), c_float()
            check(
                library.perlane_fill_extremes(
                    self._noise, part, start + offset, byref(ends[0]), byref(ends[1])
                )
            )
            return ends[0].value, ends[1].value

        smallest, largest = zip(*self._fill(grid, [array], workers, fill_extremes))
        return array, min(smallest), max(largest)

    def gradient(
        self,
        shape: int | Sequence[int],
        *,
        first: int | Sequence[int] = 0,
        origin: float | Sequence[float] = 0,
        step: float | Sequence[float] = 1,
        threads: int = 1,
    ) -> tuple[Floats, tuple[Floats, ...]]:
        """Returns a grid of values, and their analytic derivatives along each axis of the shape.

        Derivatives are in value per unit of position, float32. Arguments are those of ``fill``.

        Raises a ValueError for fields without a gradient: fractal="eroded", basis="cellular".

        >>> heights, (along_y, along_x) = Field(octaves=4).gradient((480, 640))
        """
        grid = _grid(shape, first, origin, step)
        workers = _threads(threads)
        check(library.perlane_grid_check(self._noise, byref(grid)))
        arrays = [np.empty(grid.count[: grid.dims][::-1], np.float32) for _ in range(grid.dims + 1)]
        values, slopes = arrays[0], arrays[1:]
        self._fill(
            grid,
            arrays,
            workers,
            lambda part, offset: check(
                library.perlane_fill_gradient(
                    self._noise, part, values.ctypes.data + offset, _addresses(slopes[::-1], offset)
                )
            ),
        )
        return values, tuple(slopes)

    # ---- Points ----

    def _points(
        self, coords: Sequence[ArrayLike], origin: Any, threads: int, sloped: bool
    ) -> tuple[Floats, tuple[Floats, ...]]:
        dims = len(coords)
        if not 1 <= dims <= MAX_DIMS:
            raise TypeError(f"points: expected 1 to {MAX_DIMS} arrays of coordinates, not {dims}")
        given = [np.asarray(each) for each in coords]
        for name, each in zip("xyzw", given):
            if not np.can_cast(each.dtype, np.float64, "same_kind"):
                raise TypeError(f"{name}: expected numbers, not {each.dtype}")
        starts = _per_axis("origin", origin, dims, _finite)
        workers = _threads(threads)
        single = all(each.dtype == np.float32 for each in given)
        if not single:
            given = [each + np.float64(start) for each, start in zip(given, starts)]
        spread = np.broadcast_arrays(*given)
        arrays = [
            np.ascontiguousarray(each, np.float32 if single else np.float64) for each in spread
        ]
        values = np.empty(spread[0].shape, np.float32)
        slopes = [np.empty_like(values) for _ in range(dims if sloped else 0)]
        here = (c_double * dims)(*starts)

        def evaluate(block: _blocks.Block) -> None:
            ((begin, end),) = block
            out = values.ctypes.data + 4 * begin
            from_ = _addresses(arrays, begin * arrays[0].itemsize)
            to = _addresses(slopes, 4 * begin) if sloped else None
            field = self._noise, dims, end - begin
            if not single:
                check(library.perlane_points_double(*field, from_, out, to))
            elif sloped:
                check(library.perlane_points_gradient(*field, here, from_, out, to))
            else:
                check(library.perlane_points(*field, here, from_, out))

        _blocks.for_each(_blocks.cut([values.size], workers), workers, evaluate)
        return values, tuple(slopes)

    def points(
        self, *coords: ArrayLike, origin: float | Sequence[float] = 0, threads: int = 1
    ) -> Floats:
        """Returns the values at points, an array of float32 of the shape that coords broadcast to.

        coords: 1 to 4 arrays or numbers, x first: points(x), points(x, y), points(x, y, z) ...
            Arrays of float32 take less memory than others, which are converted to float64.
        origin: number that is added to the coordinates in double, for all axes or one for each.
        threads: number of threads, 0 for one per processor. It never changes a bit.

        The value is NaN where a coordinate is not finite, or more than 2^53 cells from 0.

        >>> x, y = np.linspace(0, 90, 4), np.linspace(0, 50, 3)
        >>> Field().points(x, y[:, None]).shape
        (3, 4)
        """
        return self._points(coords, origin, threads, False)[0]

    def points_gradient(
        self, *coords: ArrayLike, origin: float | Sequence[float] = 0, threads: int = 1
    ) -> tuple[Floats, tuple[Floats, ...]]:
        """Returns the values at points, and their derivatives along each coordinate, x first.

        Arguments are those of ``points``. Raises a ValueError for fields without a gradient.

        >>> value, (along_x, along_y) = Field().points_gradient(1.5, 2.5)
        """
        return self._points(coords, origin, threads, True)

    # ---- Range ----

    def range(self, dims: int) -> tuple[float, float]:
        """Returns bounds of the values in so many dimensions, 1 to 4: no value is outside.

        >>> Field(value_scale=500, value_offset=100).range(2)
        (-400.0, 600.0)
        """
        low, high = c_float(), c_float()
        number = _number("dims", dims, 1, MAX_DIMS)
        check(library.perlane_range(self._noise, number, byref(low), byref(high)))
        return low.value, high.value


def _describe() -> None:
    """Gives Field the options as keywords, and their sentences, from the library's records."""
    kinds = inspect.Parameter
    text = kinds("text", kinds.POSITIONAL_ONLY, default=None)
    keywords = [kinds(o.name, kinds.KEYWORD_ONLY, default=o.default) for o in OPTIONS.values()]
    keywords += [kinds(name, kinds.KEYWORD_ONLY, default=None) for name in _TABLES]
    setattr(Field, "__signature__", inspect.Signature([text, *keywords]))
    lines = [f"    {o.name}: {o.summary} {o.accepts.capitalize()}; default {o.default}."
             for o in OPTIONS.values()]  # fmt: skip
    lines += [f"    {name}: {accepts}." for name, accepts in _TABLES.items()]
    Field.__doc__ = f"{Field.__doc__}\n    Options:\n\n" + "\n".join(lines) + "\n"


_describe()
