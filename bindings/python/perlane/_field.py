# SPDX-License-Identifier: MIT
"""Field: the noise, evaluated on grids and at points."""

from __future__ import annotations

from ctypes import c_double, c_float, c_uint64, c_void_p
from functools import partial
from inspect import Parameter, Signature
from itertools import combinations, starmap
from typing import TYPE_CHECKING, Any, Callable, Literal, NamedTuple, Sequence, Union, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from ._arguments import check_unmasked, finite, number, output, per_axis, thread_count, used_strides
from ._blocks import for_each
from ._dask import dask_array, data_array
from ._labels import keep_labels
from ._library import MAX_DIMS, CellArrays, Grid, Params, __version__, check, library, text_of
from ._options import LOOKS, OPTIONS, encode, real, set_option, set_text, value_of
from ._picture import Picture, light_of, palette_of, prepare
from ._samples import DTYPES, FLOAT32, Samples
from ._tables import TABLES, set_tables, table_of, words

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._keywords import Attributes, Keywords, Look, Palette, Place, Preset
else:
    Attributes = object

Floats = NDArray[np.float32]
_Wholes = Union[int, Sequence[int]]
_Reals = Union[float, Sequence[float]]

_FILLS = {1: library.perlane_fill_u8, 2: library.perlane_fill_u16, 4: library.perlane_fill}
_Addresses = c_void_p * MAX_DIMS
_Position = c_double * MAX_DIMS


def _packed(array: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """Returns an array of this shape that the library can read."""
    if array.shape != shape:
        array = np.broadcast_to(array, shape)
    return array if array.flags.c_contiguous and array.flags.aligned else array.copy()


class Cells(NamedTuple):
    """Cells of cellular noise, a grid of each: what Field.cells returns."""

    id: NDArray[np.uint32]
    """Number of the cell of the nearest point, which all samples of its region share."""
    offset: tuple[Floats, ...]
    """Vector to the nearest point along each axis of the shape, in units of position."""
    f1: Floats
    """Distance to the nearest point, in cells."""
    f2: Floats
    """Distance to the second nearest point, in cells."""
    edge: Floats | None = None
    """Distance to the border of the nearest point's region, in cells; None unless asked for."""


class Field(Attributes):
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

    __slots__ = ("_cost", "_noise", "_params", "_tables", "_text", "__weakref__")

    def __init__(self, text: str | None = None, /, **options: Unpack[Keywords]) -> None:
        params = Params()
        library.perlane_params_init(params)
        if text is not None:
            set_text(params, text)
        tables: dict[str, Any] = {}
        for name, value in options.items():
            if name in TABLES:
                if value is not None:
                    tables[name] = table_of(name, value)
            else:
                set_option(params, name, value)
        set_tables(params, tables, options)
        noise = (c_uint64 * (library.perlane_noise_size() // 8))()
        check(library.perlane_init(noise, params), library.perlane_explain_params, params)
        self._noise = noise  # it refers to the gradient grid, which the tables keep alive
        self._params = params
        self._tables = tables
        self._text = text_of(library.perlane_params_print, params)
        warp = self.warp_rounds * self.warp_octaves * 8 if self.warp_amplitude else 0
        self._cost = (self.octaves + warp) * (8 if self.basis == "cellular" else 1)

    @classmethod
    def preset(cls, name: Preset, /, **options: Unpack[Keywords]) -> Field:
        """Returns the field of another noise library, one of ``perlane.presets()``, with changes.

        >>> Field.preset("improved", octaves=4).points(3.14, 42, 7).shape
        ()
        """
        if name in LOOKS:
            raise ValueError(f"{name!r} is a look, not a preset: Field.look({name!r})")
        return cls("preset=" + "?".join(str(name).split()), **options)

    @classmethod
    def look(cls, name: Look, /, width: float = 1024, **options: Unpack[Keywords]) -> Field:
        """Returns a look, one of ``perlane.looks()``, with changes, for grids of this width.

        >>> Field.look("island", width=256, seed=7).fill((256, 256)).shape
        (256, 256)
        """
        params = Params()
        if name not in LOOKS:
            raise ValueError(f"look must be one of {', '.join(LOOKS)}, not {name!r}")
        problem = f"width must be a number from 1 to 2^53, not {width!r}"
        try:
            status = library.perlane_look(params, encode(name), real(width))
        except TypeError:
            raise TypeError(problem) from None
        if status != 0:
            raise ValueError(problem)
        return cls(text_of(library.perlane_params_print, params), **options)

    # ---- Identity ----

    @property
    def text(self) -> str:
        """The options that differ from the defaults, as text that makes the same field again.

        Tables are not part of it.
        """
        return self._text

    if not TYPE_CHECKING:  # where Attributes has them

        def __getattr__(self, name):
            if name in OPTIONS:
                return value_of(self._params, name)
            if name in TABLES:
                return self._tables.get(name)
            raise AttributeError(f"'Field' object has no attribute {name!r}")

    def __dir__(self) -> list[str]:
        return sorted([*super().__dir__(), *OPTIONS, *TABLES])

    def options(self) -> dict[str, Any]:
        """Returns the value of every option, and the tables. ``Field(**field.options())`` is equal.

        Each is an attribute, too.

        >>> field = Field("octaves=8", period=4)
        >>> field.octaves, field.options()["period"]
        (8, (4, 4, 4, 4))
        """
        return {**{name: value_of(self._params, name) for name in OPTIONS}, **self._tables}

    def replace(self, **changes: Unpack[Keywords]) -> Field:
        """Returns a field with other values of some options. ``copy.replace`` does the same.

        >>> Field(seed=7, octaves=8).replace(octaves=4)
        Field('seed=7 octaves=4')
        """
        # A table selects what uses it.
        chosen = {"gradients" if n == "gradient_table" else "hash" for n in changes if n in TABLES}
        words = [each for each in self._text.split() if each.partition("=")[0] not in chosen]
        tables: Any = self._tables
        return type(self)(" ".join(words), **{**tables, **changes})

    __replace__ = replace

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
        return partial(type(self), **self._tables), (self._text,)

    # ---- Grids ----

    def _check(self, grid: Grid) -> None:
        status = library.perlane_grid_check(self._noise, grid)
        check(status, library.perlane_explain_grid, self._noise, grid)

    def _samples(self, shape: Any, **options: Any) -> Samples:
        """Returns samples that can be filled; raises the errors of fill."""
        samples = Samples.make(shape, **options)
        self._check(samples.grid())
        self._fill(samples.block([0] * len(samples.shape), [1] * len(samples.shape)))
        return samples

    def _run(
        self, samples: Samples, outs: Sequence[Any], threads: int, call: Callable[..., Any],
        octaves: Any = 0,
    ) -> list[NDArray[Any]]:  # fmt: skip
        """Returns arrays of samples, new ones for None, which call(piece, *addresses) fills."""
        grid = samples.grid()
        grid.octaves = number("octaves", octaves, 0, 32)
        self._check(grid)
        arrays = [output(out, samples.shape, samples.dtype) for out in outs]
        if len(arrays) > 1 and len({tuple(used_strides(array)) for array in arrays}) > 1:
            raise ValueError("out: the arrays have different strides")
        if not arrays[0].flags.c_contiguous:
            strides = [stride // samples.dtype.itemsize for stride in used_strides(arrays[0])]
            grid.stride[: len(strides)] = strides[::-1]
            grid.exact_strides = 1
            self._check(grid)  # as a whole, before any piece is written
        if outs[0] is not None and any(starmap(np.shares_memory, combinations(arrays, 2))):
            raise ValueError("out: the arrays overlap")
        status = for_each(grid, threads, arrays, call, self._cost)
        check(status, library.perlane_explain_grid, self._noise, grid)
        return arrays

    def _fill(
        self, samples: Samples, out: Any = None, threads: int = 1, ends: list[float] | None = None,
        octaves: Any = 0,
    ) -> NDArray[Any]:  # fmt: skip
        """Returns an array of samples, and adds each piece's smallest and largest to `ends`."""
        levels = () if samples.dtype == FLOAT32 else (samples.low, samples.high)
        fill = _FILLS[samples.dtype.itemsize]

        def call(piece: Grid, address: int) -> Any:
            if ends is None:
                return fill(self._noise, piece, *levels, address)
            low, high = c_float(), c_float()
            status = library.perlane_fill_extremes(self._noise, piece, address, low, high)
            ends.extend((low.value, high.value))
            return status

        return self._run(samples, [out], threads, call, octaves)[0]

    @overload
    def fill(
        self, shape: _Wholes, *, first: _Wholes = ..., origin: _Reals = ..., step: _Reals = ...,
        dtype: None = ..., out: None = ..., threads: int = ..., octaves: int = ...,
        extremes: Literal[False] = ...,
    ) -> Floats: ...  # fmt: skip

    @overload
    def fill(
        self, shape: _Wholes, *, first: _Wholes = ..., origin: _Reals = ..., step: _Reals = ...,
        dtype: DTypeLike | None = ..., low: float = ..., high: float = ...,
        out: NDArray[Any] | None = ..., threads: int = ..., octaves: int = ...,
        extremes: Literal[False] = ...,
    ) -> NDArray[Any]: ...  # fmt: skip

    @overload
    def fill(
        self, shape: _Wholes, *, first: _Wholes = ..., origin: _Reals = ..., step: _Reals = ...,
        dtype: DTypeLike | None = ..., out: NDArray[Any] | None = ..., threads: int = ...,
        octaves: int = ..., extremes: Literal[True],
    ) -> tuple[Floats, float, float]: ...  # fmt: skip

    def fill(
        self, shape: _Wholes, *, first: _Wholes = 0, origin: _Reals = 0, step: _Reals = 1,
        dtype: DTypeLike | None = None, low: float = -1, high: float = 1,
        out: NDArray[Any] | None = None, threads: int = 1, octaves: int = 0, extremes: bool = False,
    ) -> NDArray[Any] | tuple[Floats, float, float]:  # fmt: skip
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
        out: array that is filled and returned, with any strides whose elements do not overlap and
            whose rows do not interleave.
        threads: number of threads, 0 for one per processor. It never changes a bit.
        octaves: number of octaves, from the first on, that values are the sum of, scaled as in the
            whole field; 0 for all. For coarse levels of detail: see ``octaves_for``.
        extremes: returns (array, smallest, largest) instead; with float32 only.

        Raises a TypeError or ValueError, before anything is written.

        >>> Field(octaves=4).fill((2, 3), first=(10, 20)).shape
        (2, 3)
        """
        if dtype is None and isinstance(out, np.ndarray):
            dtype = out.dtype
            if dtype not in DTYPES.values():
                names = ", ".join(map(str, DTYPES.values()))
                raise TypeError(f"out: expected an array of one of {names}, not of {dtype}")
        samples = Samples.make(
            shape, first=first, origin=origin, step=step, dtype=dtype, low=low, high=high
        )
        if extremes and samples.dtype != FLOAT32:
            raise ValueError(f"extremes: needs dtype float32, not {samples.dtype}")
        ends: list[float] | None = [] if extremes else None
        array = self._fill(samples, out, thread_count(threads), ends, octaves)
        return array if ends is None else (array, min(ends), max(ends))

    def gradient(
        self, shape: _Wholes, *, first: _Wholes = 0, origin: _Reals = 0, step: _Reals = 1,
        out: tuple[Floats, Sequence[Floats]] | None = None, threads: int = 1, octaves: int = 0,
    ) -> tuple[Floats, tuple[Floats, ...]]:  # fmt: skip
        """Returns a grid of values, and their analytic derivatives along each axis of the shape.

        Derivatives are in value per unit of position, float32. Arguments are those of ``fill``;
        out has the arrays that it returns, all with the same strides.

        Raises a ValueError for fields without a gradient: fractal="eroded".

        >>> heights, (along_y, along_x) = Field(octaves=4).gradient((480, 640))
        """
        samples = Samples.make(shape, first=first, origin=origin, step=step)

        def call(piece: Grid, value: int, *slope: int) -> Any:
            to = _Addresses(*slope[::-1])
            return library.perlane_fill_gradient(self._noise, piece, value, to)

        outs: list[Any] = [None] * (1 + len(samples.shape))
        if out is not None:
            try:
                value, slopes = out
                outs = [value, *slopes]
            except (TypeError, ValueError):
                raise TypeError("out: expected an array, and a sequence of derivatives") from None
            if len(outs) != 1 + len(samples.shape):
                raise ValueError(f"out: expected {len(samples.shape)} derivatives, not {len(slopes)}")
        values, *derivatives = self._run(samples, outs, thread_count(threads), call, octaves)
        return values, tuple(derivatives)

    def cells(
        self, shape: _Wholes, *, first: _Wholes = 0, origin: _Reals = 0, step: _Reals = 1,
        threads: int = 1, edge: bool = False,
    ) -> Cells:  # fmt: skip
        """Returns which cell of cellular noise each sample of a grid belongs to, and its point.

        Other fields can be evaluated at the point, so that they have one value for each region.
        Arguments are those of ``fill``; with edge=True the distance to borders is among the results.
        Raises a ValueError unless basis="cellular", and with edge unless cell_metric="euclidean".

        >>> cells = Field(basis="cellular", frequency=0.05).cells((48, 64))
        >>> y, x = np.mgrid[:48, :64] + np.asarray(cells.offset)
        >>> temperature = Field(seed=3).points(x, y)
        """
        samples = Samples.make(shape, first=first, origin=origin, step=step)
        dims = len(samples.shape)

        def call(piece: Grid, *at: int) -> Any:
            number, f1, f2, *offset = at[: 3 + dims]
            arrays = CellArrays(number, (c_void_p * MAX_DIMS)(*offset[::-1]), f1, f2, *at[3 + dims :])
            return library.perlane_fill_cells(self._noise, piece, arrays)

        outs = [None] * (3 + dims + bool(edge))
        number, f1, f2, *rest = self._run(samples, outs, thread_count(threads), call)
        return Cells(number.view(np.uint32), tuple(rest[:dims]), f1, f2, *rest[dims:])

    # ---- Pictures ----

    def _draw(
        self, shape: _Wholes, low: Any, high: Any, threads: int, place: dict[str, Any], bits: int = 8,
        **options: Any,
    ) -> Picture:  # fmt: skip
        others = place.keys() - {"first", "origin", "step"}
        if others:
            raise TypeError(f"a picture has no argument {others.pop()!r}")
        samples = Samples.make(shape, **place)
        if len(samples.shape) < 2 or max((1, *samples.shape[:-2])) > 1:
            raise ValueError(f"shape: expected that of an image, such as (480, 640), not {shape}")
        self._check(samples.grid())
        if low is None or high is None:
            _, smallest, largest = self.fill(shape, threads=threads, extremes=True, **place)
            low, high = smallest if low is None else low, largest if high is None else high
        options.update(low=finite("low", low), high=finite("high", high), bits=bits)
        plan = prepare(self._noise, samples.grid(), options)

        def call(piece: Grid, address: int) -> Any:
            scratch = np.empty(library.perlane_picture_scratch(plan, piece), np.float32)
            to = scratch.ctypes.data, address
            return library.perlane_picture_fill(plan, self._noise, piece, *to)

        pixel: np.dtype[Any] = np.dtype(f"V{3 * bits // 8}")
        run = samples._replace(dtype=pixel), [None], thread_count(threads), call
        pixels = self._run(*run)[0].view(f"u{bits // 8}")
        return pixels.reshape(*samples.shape, 3).view(Picture)

    def palette(
        self, shape: _Wholes, name: Palette = "terrain", /, *, low: float | None = -1,
        high: float | None = 1, threads: int = 1, **place: Unpack[Place],
    ) -> Picture:  # fmt: skip
        """Returns a grid in colours, an array of red, green and blue as bytes: (rows, columns, 3).

        name: as the command's --palette, or a look's.
        low, high: values of the first and the last colour; None for the picture's own.
        place: first, origin and step, as in ``fill``.

        >>> Field.look("island", width=64).palette((48, 64), "land", low=None, high=None).shape
        (48, 64, 3)
        """
        return self._draw(shape, low, high, threads, dict(place), palette=palette_of(name)[0])

    def shade(
        self, shape: _Wholes, palette: Palette = "grey", /, *,
        light: tuple[float, float] | None = None, relief: float | None = None,
        low: float | None = -1, high: float | None = 1, threads: int = 1, **place: Unpack[Place],
    ) -> Picture:  # fmt: skip
        """Returns a grid in colours that are lit as a surface as high as the values.

        palette: as the command's --palette; or a look's name, for its palette, light and relief.
        light: azimuth, clockwise from the top of the picture, and altitude, in degrees.
        relief: height of a value difference of 1, in pixels; None for one that suits the field.
            Other arguments are those of ``palette``.

        Raises a ValueError for fields without slopes, such as white noise.

        >>> Field.look("island", width=64).shade((64, 64), "island", low=None, high=None).dtype
        dtype('uint8')
        """
        index, look = palette_of(palette)
        if look is not None and relief is None:
            relief = look.relief * Samples.make(shape).shape[-1]
        azimuth, altitude = light_of(light, look)
        return self._draw(
            shape, low, high, threads, dict(place), palette=index, shade=1, azimuth=azimuth,
            altitude=altitude, height=np.nan if relief is None else finite("relief", relief),
        )  # fmt: skip

    def normals(
        self, shape: _Wholes, *, strength: float | None = None, y: Literal["up", "down"] = "up",
        dtype: DTypeLike = "uint8", threads: int = 1, **place: Unpack[Place],
    ) -> Picture:  # fmt: skip
        """Returns the surface's normals in tangent space: red right, green up, blue out of it.

        Each is from -1 as 0 to 1 as the largest integer.

        strength: height of a value difference of 1, in pixels; None for one that suits the field.
        y: the direction of green: "up" as in OpenGL, "down" as in Direct3D.
        dtype: uint8 or uint16.

        >>> Field(octaves=4).normals((48, 64), strength=40).shape
        (48, 64, 3)
        """
        if y not in ("up", "down"):
            raise ValueError(f"y: expected 'up' or 'down', not {y!r}")
        if np.dtype(dtype) not in (np.uint8, np.uint16):
            raise TypeError(f"dtype: expected uint8 or uint16, not {np.dtype(dtype)}")
        return self._draw(
            shape, -1, 1, threads, dict(place), bits=8 * np.dtype(dtype).itemsize, normal_map=1,
            normal_down=y == "down",
            height=np.nan if strength is None else finite("strength", strength),
        )  # fmt: skip

    def _repr_png_(self) -> bytes | None:
        """Shows a notebook what the field looks like."""
        for draw in self.shade, self.palette:
            try:
                return draw((192, 384), "grey", low=None, high=None)._repr_png_()
            except ValueError:  # it has no slopes, or only one value, or no values in 2D
                pass
        return None

    # ---- Points ----

    def _points(self, coords: Sequence[Any], origin: Any, threads: Any, sloped: bool) -> Any:
        """Returns the values, and with `sloped` a derivative along each coordinate."""
        dims = len(coords)
        if not 1 <= dims <= MAX_DIMS:
            raise TypeError(f"points: expected 1 to {MAX_DIMS} arrays of coordinates, not {dims}")
        starts, workers = per_axis("origin", origin, dims, finite), thread_count(threads)
        call = partial(self._evaluate, starts, workers, sloped)
        return keep_labels(call, coords, 1 + dims * sloped)

    def _evaluate(
        self, starts: Sequence[float], threads: int, sloped: bool, *coords: ArrayLike
    ) -> tuple[Floats, ...]:
        dims = len(coords)
        given = [np.asanyarray(each) for each in coords]
        for name, each in zip("xyzw", given):
            check_unmasked(name, each)
            if each.dtype.kind not in "iuf":
                raise TypeError(f"{name}: expected numbers, not {each.dtype}")
        single = {each.dtype for each in given} == {FLOAT32}
        if not single:
            given = [np.asarray(each, np.float64) for each in given]
            if any(starts):
                given = [np.asarray(x + start) if start else x for x, start in zip(given, starts)]
        shape = np.broadcast(*given).shape
        outs = [np.empty(shape, np.float32) for _ in range(1 + dims * sloped)]
        packed = [_packed(each, shape) for each in given]

        def call(piece: Grid, *at: int) -> Any:
            points = self._noise, dims, piece.count[0]
            places = _Addresses(*at[:dims]), at[dims]
            slope = _Addresses(*at[dims + 1 :]) if sloped else None
            if not single:
                return library.perlane_points_double(*points, *places, slope)
            if sloped:
                return library.perlane_points_gradient(*points, _Position(*starts), *places, slope)
            return library.perlane_points(*points, _Position(*starts), *places)

        line = Grid(1)
        line.count[0] = outs[0].size
        check(for_each(line, threads if line.count[0] else 1, [*packed, *outs], call, self._cost))
        return tuple(outs)

    def points(self, *coords: ArrayLike, origin: _Reals = 0, threads: int = 1) -> Floats:
        """Returns the values at points, an array of float32 of the shape that coords broadcast to.

        coords: 1 to 4 arrays or numbers, x first: points(x), points(x, y), points(x, y, z) ...
            Arrays of float32 take less memory than others, which are converted to float64.
            With a pandas Series the result is one with its index; with an xarray DataArray, one
            whose dimensions and coordinates are those that xarray makes of them, and lazy if one is.
        origin: number that is added to the coordinates in double, for all axes or one for each.
        threads: number of threads, 0 for one per processor. It never changes a bit.

        The value is NaN where a coordinate is not finite, or more than 2^53 cells from 0.

        >>> x, y = np.linspace(0, 90, 4), np.linspace(0, 50, 3)
        >>> Field().points(x, y[:, None]).shape
        (3, 4)
        """
        values: Floats = self._points(coords, origin, threads, False)[0]
        return values

    def points_gradient(
        self, *coords: ArrayLike, origin: _Reals = 0, threads: int = 1
    ) -> tuple[Floats, tuple[Floats, ...]]:
        """Returns the values at points, and their derivatives along each coordinate, x first.

        Arguments are those of ``points``. Raises a ValueError for fields without a gradient.

        >>> value, (along_x, along_y) = Field().points_gradient(1.5, 2.5)
        """
        values, *slopes = self._points(coords, origin, threads, True)
        return values, tuple(slopes)

    # ---- Range ----

    def range(self, dims: int) -> tuple[float, float]:
        """Returns bounds that no value exceeds, in 1 to 4 dimensions.

        >>> Field(octaves=8).range(2)
        (-1.0, 1.0)
        """
        low, high = c_float(), c_float()
        dims = number("dims", dims, 1, MAX_DIMS)
        check(library.perlane_range(self._noise, dims, low, high))
        return low.value, high.value

    def octaves_for(self, step: float) -> int:
        """Returns how many octaves samples so far apart can show, for the argument of ``fill``.

        Those beyond have more than half a cell per sample, and would only be noise.

        >>> Field(frequency=0.01, octaves=8).octaves_for(8)
        3
        """
        return int(library.perlane_octaves_for(self._noise, finite("step", step)))

    # ---- Dask and xarray ----

    def _attributes(self, samples: Samples) -> dict[str, Any]:
        """Returns what describes a map in a file: all its options as the command's text."""
        options = [f"perlane={__version__}", self._text, *samples.words, *words(self._tables)]
        return {"perlane": " ".join(filter(None, options)), **samples.levels}

    def dask(self, shape: _Wholes, chunks: Any = "auto", **options: Any) -> Any:
        """Returns a grid of values as a lazy dask.array.Array, whose chunks are filled when needed.

        chunks: as in ``dask.array.from_array``. Each is one task on one thread.
        options: first, origin, step, dtype, low and high, as in ``fill``.

        >>> heights = Field(octaves=4).dask((50000, 100000), (2048, 2048), step=0.1)
        >>> heights[:512, -512:].mean().compute().dtype
        dtype('float32')
        """
        return dask_array(self._fill, self._samples(shape, **options), chunks, self._identity())

    def xarray(
        self, shape: _Wholes, *, chunks: Any = None, name: str = "noise", **options: Any
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
        samples = self._samples(shape, **options)
        fill = partial(self._fill, samples)
        if chunks is not None:
            fill = partial(dask_array, self._fill, samples, chunks, self._identity())
        return data_array(fill, samples, name, self._attributes(samples))


def _describe() -> None:
    """Gives Field the options as keywords, and their sentences, from the library's records."""
    options = OPTIONS.values()
    keywords = {**{option.name: option.default for option in options}, **dict.fromkeys(TABLES)}
    parameters = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=d) for name, d in keywords.items()
    ]
    text = Parameter("text", Parameter.POSITIONAL_ONLY, default=None)
    setattr(Field, "__signature__", Signature([text, *parameters]))
    lines = [f"{o.name}: {o.summary} Accepts {o.accepts}; default {o.default}." for o in options]
    lines += [f"{name}: {accepts}." for name, accepts in TABLES.items()]
    Field.__doc__ = "\n    ".join([Field.__doc__ or "", "Options:\n", *lines]) + "\n"


_describe()
