# SPDX-License-Identifier: MIT
"""Field: the noise, evaluated on grids and at points."""

from __future__ import annotations

import ctypes
import functools
import reprlib
from ctypes import byref, c_double, c_float, c_uint64, c_void_p
from inspect import Parameter, Signature
from typing import Any, Callable, Iterable, Literal, Sequence, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from ._arguments import finite, grid_of, number, output, per_axis, thread_count, used_strides
from ._blocks import for_each
from ._library import MAX_DIMS, Grid, Params, check, library
from ._options import OPTIONS, encode, set_option, unknown
from ._tables import TABLES, set_tables, table_of

Floats = NDArray[np.float32]

_FILLS: dict[np.dtype[Any], Any] = {
    np.dtype(np.float32): library.perlane_fill,
    np.dtype(np.uint16): library.perlane_fill_u16,
    np.dtype(np.uint8): library.perlane_fill_u8,
}


def _pointers(addresses: Iterable[int]) -> Any:
    pointers = list(addresses)
    return (c_void_p * len(pointers))(*pointers)


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
    ValueError: octaves must be a whole number from 1 to 32, not 33
    """

    __slots__ = ("_noise", "_tables", "_text", "__weakref__")

    def __init__(self, text: str | None = None, /, **options: Any) -> None:
        params = Params()
        library.perlane_params_init(byref(params))
        if text is not None:
            self._parse(params, text)
        tables = {}
        for name, value in options.items():
            if name in TABLES:
                if value is not None:
                    tables[name] = table_of(name, value)
            elif name in OPTIONS:
                set_option(params, name, value)
            else:
                raise TypeError(f"Field: {unknown(name, [*OPTIONS, *TABLES])}")
        set_tables(params, tables, options)
        noise = (c_uint64 * (library.perlane_noise_size() // 8))()
        status = library.perlane_init(noise, byref(params))
        check(status, library.perlane_explain_params, byref(params))
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
        given = encode(text)
        status = library.perlane_params_parse(byref(params), given, None)
        check(status, library.perlane_explain_text, given)

    @classmethod
    def preset(cls, name: str, /, **options: Any) -> Field:
        """Returns the field of another noise library, one of ``perlane.presets()``, with changes.

        >>> Field.preset("improved", octaves=4).points(3.14, 42, 7).shape
        ()
        """
        return cls("preset=" + "?".join(str(name).split()), **options)

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
        """Calls call(piece, addresses in arrays of the same strides) for each piece of the grid."""
        dims, size = grid.dims, arrays[0].itemsize
        grid.exact_strides = 1
        grid.stride[:dims] = [stride // size for stride in used_strides(arrays[0])[::-1]]
        self._check(grid)

        def fill(piece: Grid, offset: int) -> Any:
            return call(byref(piece), *[array.ctypes.data + offset * size for array in arrays])

        return for_each(grid, threads, fill)

    def _check(self, grid: Grid) -> None:
        status = library.perlane_grid_check(self._noise, byref(grid))
        check(status, library.perlane_explain_grid, self._noise, byref(grid))

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
        dtype: float32 for values, which are within ``range(dims)``; uint16 or uint8 for integers,
            (value - low) / (high - low) * 65535, or * 255, rounded and clamped. Default: that of
            out, or float32.
        low, high: values that become 0 and the largest integer.
        out: array that is filled and returned, with any strides whose elements do not overlap.
        threads: number of threads, 0 for one per processor. It never changes a bit.
        extremes: returns (array, smallest, largest) instead; with float32 only.

        Raises a TypeError or ValueError, before anything is written.

        >>> Field(octaves=4).fill((2, 3), first=(10, 20)).shape
        (2, 3)
        """
        grid = grid_of(shape, first, origin, step)
        levels = finite("low", low), finite("high", high)
        workers = thread_count(threads)
        if out is None:
            self._check(grid)  # before memory is taken
        array = output(out, tuple(grid.count[: grid.dims][::-1]), dtype, list(_FILLS))
        fill = _FILLS[array.dtype]
        is_float = array.dtype == np.float32
        if is_float and levels != (-1, 1):
            raise ValueError(
                "low, high: have no effect on float32; they need dtype uint16 or uint8"
            )
        if extremes:
            if not is_float:
                raise ValueError(f"extremes: needs dtype float32, not {array.dtype}")
            fill = library.perlane_fill_extremes

        def call(piece: Any, address: int) -> tuple[float, float]:
            ends = c_float(), c_float()
            before = () if is_float else levels
            after = [byref(end) for end in ends if extremes]
            check(fill(self._noise, piece, *before, address, *after))
            return ends[0].value, ends[1].value

        ends = self._fill(grid, [array], workers, call)
        if not extremes:
            return array
        return array, min(low for low, _ in ends), max(high for _, high in ends)

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
        grid = grid_of(shape, first, origin, step)
        workers = thread_count(threads)
        self._check(grid)
        counts = grid.count[: grid.dims][::-1]
        values, *slopes = [np.empty(counts, np.float32) for _ in range(grid.dims + 1)]

        def call(piece: Any, value: int, *slope: int) -> None:
            to = _pointers(slope[::-1])
            check(library.perlane_fill_gradient(self._noise, piece, value, to))

        self._fill(grid, [values, *slopes], workers, call)
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
        starts = per_axis("origin", origin, dims, finite)
        workers = thread_count(threads)
        single = all(each.dtype == np.float32 for each in given)
        if not single:
            given = [np.asarray(each, np.float64) for each in given]
            given = [each + start if start else each for each, start in zip(given, starts)]
        arrays = [np.require(each, None, ["C", "A"]) for each in np.broadcast_arrays(*given)]
        values, *slopes = [
            np.empty(np.broadcast(*given).shape, np.float32) for _ in range(1 + dims * sloped)
        ]
        start_of_axes = (c_double * dims)(*starts)

        def call(piece: Grid, begin: int) -> None:
            coordinates = _pointers(each.ctypes.data + begin * each.itemsize for each in arrays)
            out, *slope = [each.ctypes.data + begin * each.itemsize for each in (values, *slopes)]
            points = self._noise, dims, piece.count[0]
            if not single:
                to = _pointers(slope) if sloped else None
                check(library.perlane_points_double(*points, coordinates, out, to))
            elif sloped:
                to = _pointers(slope)
                check(library.perlane_points_gradient(*points, start_of_axes, coordinates, out, to))
            else:
                check(library.perlane_points(*points, start_of_axes, coordinates, out))

        line = Grid(dims=1, count=(values.size,))
        if values.size > 0:
            for_each(line, workers, call)
        else:
            call(line, 0)  # which checks the field
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

        >>> Field(octaves=8).range(2)
        (-1.0, 1.0)
        """
        low, high = c_float(), c_float()
        dims = number("dims", dims, 1, MAX_DIMS)
        check(library.perlane_range(self._noise, dims, byref(low), byref(high)))
        return low.value, high.value

    # ---- Dask and xarray ----

    def dask(self, shape: int | Sequence[int], chunks: Any = "auto", **options: Any) -> Any:
        """Returns a grid of values as a lazy dask.array.Array, whose chunks are filled when needed.

        chunks: as in ``dask.array.from_array``. Each is one task on one thread.
        options: first, origin, step, dtype, low and high, as in ``fill``.

        >>> heights = Field(octaves=4).dask((50000, 100000), (2048, 2048), step=0.1)
        >>> heights[:512, -512:].mean().compute().dtype
        dtype('float32')
        """
        from ._dask import dask_array
        from ._map import Map

        return dask_array(Map.make(self, shape, **options), chunks)

    def xarray(
        self,
        shape: int | Sequence[int],
        *,
        chunks: Any = None,
        name: str = "noise",
        **options: Any,
    ) -> Any:
        """Returns a grid of values as an xarray.DataArray, with positions as its coordinates.

        The dimensions are the last ones of ("w", "z", "y", "x"); the attribute perlane has the
        options as text.

        chunks: None fills the array now; others make it lazy, as with ``dask``.
        options: first, origin, step, dtype, low and high, as in ``fill``.

        >>> heights = Field(octaves=4).xarray((3, 4), origin=10, step=0.5)
        >>> heights.sel(y=10.5, x=[10, 11]).shape
        (2,)
        """
        from ._dask import data_array
        from ._map import Map

        return data_array(Map.make(self, shape, **options), chunks, name)


def _describe() -> None:
    """Gives Field the options as keywords, and their sentences, from the library's records."""
    options = OPTIONS.values()
    defaults = {**{option.name: option.default for option in options}, **dict.fromkeys(TABLES)}
    parameters = [Parameter("text", Parameter.POSITIONAL_ONLY, default=None)]
    for name, default in defaults.items():
        parameters.append(Parameter(name, Parameter.KEYWORD_ONLY, default=default))
    setattr(Field, "__signature__", Signature(parameters))
    lines = [
        f"    {o.name}: {o.summary} Accepts {o.accepts}; default {o.default}." for o in options
    ]
    lines += [f"    {name}: {accepts}." for name, accepts in TABLES.items()]
    Field.__doc__ = f"{Field.__doc__ or ''}\n    Options:\n\n" + "\n".join(lines) + "\n"


_describe()
