# SPDX-License-Identifier: MIT
"""Noise: what a Field and an Expression share, evaluation on grids and at points."""

from __future__ import annotations

import math
import sys
import threading
from binascii import b2a_base64
from ctypes import c_double, c_float, c_void_p
from dataclasses import replace
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any, Callable, Literal, Sequence, Tuple, TypeVar, Union, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from ._arguments import (
    check_names, check_output, check_unmasked, finite, need, number, octave_count, per_axis,
    sequence, thread_count, used_strides,
)  # fmt: skip
from ._blocks import for_each, share
from ._geo import REFERENCE, spacing, system_of, template, write_geotiff
from ._library import MAX_DIMS, Grid, List, check, library
from ._map import DTYPES, FLOAT32, Map, levels, map_of
from ._picture import Picture, bits_of, prepare

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from ._keywords import (
        FillOptions, Float32, Levels, MapOptions, Palette, Place, UInt8, UInt16,
    )  # fmt: skip

Floats = NDArray[np.float32]
Wholes = Union[int, Sequence[int]]
Octaves = Union[int, Literal["shown"]]
Reals = Union[float, Sequence[float]]
Out = TypeVar("Out", bound=NDArray[Any])

_FILLS = {1: library.perlane_fill_u8, 2: library.perlane_fill_u16, 4: library.perlane_fill}
Addresses = c_void_p * MAX_DIMS
_NO_ADDRESSES = Addresses()
_Position = c_double * MAX_DIMS


def _keep_labels(call: Callable[..., tuple[Floats, ...]], coords: Sequence[Any], count: int) -> Any:
    """Returns `count` results of call(*coords): labelled or lazy if coordinates are."""
    # Nobody has one of a package that is not loaded.
    modules: Any = sys.modules
    xarray, pandas, dask = map(modules.get, ("xarray", "pandas", "dask.array"))
    is_labelled = xarray and any(isinstance(each, xarray.DataArray) for each in coords)
    if is_labelled or dask and any(isinstance(each, dask.Array) for each in coords):
        wanted = call if count > 1 else lambda *arrays: call(*arrays)[0]
        kinds = [np.float32] * count
        if is_labelled:
            outputs: Any = {"output_core_dims": [()] * count, "dask": "parallelized"}
            found = xarray.apply_ufunc(wanted, *coords, output_dtypes=kinds, **outputs)
        else:
            for axis, each in zip("xyzw", coords):
                check_unmasked(axis, getattr(each, "_meta", each))  # before there are tasks
            scalars = ",".join(["()"] * len(coords)) + "->" + ",".join(["()"] * count)
            found = dask.apply_gufunc(wanted, scalars, *coords, output_dtypes=kinds)
        return found if count > 1 else (found,)
    results = call(*coords)
    series = [each for each in coords if pandas and isinstance(each, pandas.Series)]
    if not series or results[0].shape != series[0].shape:
        return results
    if not all(each.index.equals(series[0].index) for each in series):
        raise ValueError("points: the Series have different indexes")
    return tuple(type(series[0])(each, series[0].index) for each in results)


def _packed(array: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """Returns an array of this shape without gaps."""
    if array.shape != shape:
        array = np.broadcast_to(array, shape)
    return array if array.flags.c_contiguous and array.flags.aligned else array.copy()


def _readable(arrays: list[NDArray[Any]]) -> tuple[list[NDArray[Any]], int]:
    """Returns arrays of one shape that the library can read, and their stride in elements."""
    shape = np.broadcast(*arrays).shape
    if len(shape) == 1 and len({each.strides for each in arrays}) == 1:  # rows of points, say
        stride, rest = divmod(arrays[0].strides[0], arrays[0].itemsize)
        if stride and not rest and all([each.shape == shape and each.flags.aligned for each in arrays]):
            return arrays, stride
    return [_packed(each, shape) for each in arrays], 1


class Members(Tuple[Any, ...]):
    """A tuple whose members have names; how many there are depends on the number of axes."""

    def __new__(cls, **members: Any) -> Self:
        made = super().__new__(cls, members.values())
        made.__dict__.update(members)
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, Any]]:
        return (), self.__dict__

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{n}={m!r}' for n, m in self.__dict__.items())})"


class Gradient(Members):
    """Values and their derivatives, an array or a number of each: value, dx, dy = gradient."""

    value: Any
    dx: Any
    """Derivative along x, in value per unit of position."""
    dy: Any = None
    """None without this axis, as dz and dw."""
    dz: Any = None
    dw: Any = None


def _gradient(members: Sequence[Any]) -> Gradient:
    return Gradient(**dict(zip(("value", "dx", "dy", "dz", "dw"), members)))


class Noise:
    """A function from a position of 1 to 4 coordinates to one float. Noises are immutable.

    Positions and shapes of grids are rows first, as in NumPy: x is the last axis. Points are x first.
    """

    __slots__ = ("_cost", "_noise", "_text", "__weakref__")
    _cost: int
    """Cost of a sample in 1D, in octaves of a grid."""
    _look: tuple[Any, float] | None = None
    """Name and width of the look that the noise began as."""
    _noise: Any
    _text: str

    @property
    def text(self) -> str:
        """The options that differ from the defaults, as text that makes the same noise again.

        Tables are not part of it.
        """
        return self._text

    def _words(self) -> tuple[list[str], list[str]]:
        """Returns the first and the last words of a map's text."""
        raise NotImplementedError

    # ---- Identity ----

    def _identity(self) -> tuple[Any, ...]:
        raise NotImplementedError

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        return self._identity()

    def __eq__(self, other: object) -> bool:
        return self._identity() == other._identity() if isinstance(other, Noise) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._identity())

    # ---- Grids ----

    def _check(self, grid: Grid) -> None:
        status = library.perlane_grid_check(self._noise, grid)
        check(status, library.perlane_explain_grid, self._noise, grid)

    def _map(self, shape: Any, **options: Any) -> Map:
        """Returns a map that can be filled; raises the errors of fill."""
        check_names(options, "first", "origin", "step", "dtype", "low", "high", "crs")
        map_ = map_of(self, shape, **options)
        self._check(map_._grid())
        self._fill(map_._block([0] * map_.ndim, [1] * map_.ndim))
        return map_

    def _run(
        self, map_: Map, threads: Any, call: Callable[..., Any], *, octaves: Any = 0,
        count: int = 1, out: Any = None,
    ) -> list[NDArray[Any]]:  # fmt: skip
        """Returns arrays of samples, new ones or `out`, which call(piece, *addresses) fills."""
        workers, grid = thread_count(threads), map_._grid()
        grid.octaves = octave_count(octaves)
        self._check(grid)
        if out is None:
            arrays = [np.empty(map_.shape, map_.dtype) for _ in range(count)]
        else:
            check_output(out, map_.shape, map_.dtype)
            arrays = [out]
            if not out.flags.c_contiguous:
                strides = [stride // out.itemsize for stride in used_strides(out)]
                grid.stride[: len(strides)] = strides[::-1]
                grid.exact_strides = 1
                self._check(grid)  # as a whole, before any piece is written
        places = [(array.ctypes.data, array.itemsize) for array in arrays]
        status = for_each(grid, workers, places, call, self._cost)
        check(status, library.perlane_explain_grid, self._noise, grid)
        return arrays

    def _filler(self, map_: Map, noise: Any) -> Callable[..., Any]:
        """Returns the function that fills a piece at an address with samples of the map's type."""
        ends = () if map_.dtype == FLOAT32 else (map_.low, map_.high)
        fill = _FILLS[map_.dtype.itemsize]
        return lambda piece, address: fill(noise, piece, *ends, address)

    def _fill(self, map_: Map, threads: Any = 1, **options: Any) -> NDArray[Any]:
        return self._run(map_, threads, self._filler(map_, self._noise), **options)[0]

    def _batch(
        self, map_: Map, seeds: Any, threads: Any, *, octaves: Any, out: Any
    ) -> NDArray[Any]:  # fmt: skip
        """Returns the map with each of the seeds instead of the field's."""
        given = sequence(seeds)
        if given is None:
            raise TypeError(f"seeds: expected whole numbers, such as range(1000), not {seeds!r:.200}")
        values = [number("seeds", each, -(2**63), 2**64 - 1) % 2**64 for each in given]
        workers, grid, shape = thread_count(threads), map_._grid(), (len(values), *map_.shape)
        grid.octaves = octave_count(octaves)
        self._check(grid)
        batch: NDArray[Any] = np.empty(shape, map_.dtype) if out is None else out
        if out is not None:
            check_output(out, shape, map_.dtype)
            if not out.flags.c_contiguous:
                raise ValueError("out: of several seeds, expected an array without gaps")
        thread = threading.local()  # each has a noise, whose seed it changes, and a grid

        def fill(index: int) -> int:
            if not hasattr(thread, "noise"):
                thread.noise = type(self._noise).from_buffer_copy(self._noise)
                thread.grid = Grid.from_buffer_copy(grid)
                thread.call = self._filler(map_, thread.noise)
            check(library.perlane_reseed(thread.noise, values[index]))
            place = batch.ctypes.data + index * size, map_.dtype.itemsize
            return for_each(thread.grid, 1, [place], thread.call, self._cost)

        size = math.prod(map_.shape) * map_.dtype.itemsize
        check(max(share(fill, len(values), workers), default=0))
        return batch

    @overload
    def fill(
        self, shape: Wholes, *, dtype: Float32 | None = None, out: None = None,
        **options: Unpack[FillOptions],
    ) -> Floats: ...  # fmt: skip
    @overload
    def fill(
        self, shape: Wholes, *, dtype: UInt8, out: None = None, **options: Unpack[FillOptions]
    ) -> NDArray[np.uint8]: ...
    @overload
    def fill(
        self, shape: Wholes, *, dtype: UInt16, out: None = None, **options: Unpack[FillOptions]
    ) -> NDArray[np.uint16]: ...
    @overload
    def fill(
        self, shape: Wholes, *, out: Out, dtype: DTypeLike | None = None, **options: Unpack[FillOptions]
    ) -> Out: ...
    def fill(
        self, shape: Wholes, *, first: Wholes = 0, origin: Reals = 0, step: Reals = 1,
        dtype: DTypeLike | None = None, low: float | None = None, high: float | None = None,
        out: NDArray[Any] | None = None, threads: int = 1, octaves: Octaves = 0, seeds: Any = None,
    ) -> NDArray[Any]:  # fmt: skip
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
        low, high: values that become 0 and the largest integer; None for those of ``range(dims)``.
        out: array that is filled and returned, with any strides whose elements do not overlap and
            whose rows do not interleave.
        threads: number of threads, 0 for one per processor. It never changes a bit.
        octaves: number of octaves, from the first on, that values are the sum of, scaled as in the
            whole field; 0 for all; "shown" for those that the longest step shows: up to half a cell
            per sample. Those beyond would only be noise in coarse levels of detail.
        seeds: makes a batch of shape (len(seeds), *shape), which has at i the grid of
            ``replace(seed=seeds[i])``; threads then share the seeds. Not of expressions.

        Raises a TypeError or ValueError, before anything is written.

        >>> Field(octaves=4).fill((2, 3), first=(10, 20)).shape
        (2, 3)
        >>> Field(octaves=4).fill((64, 64), seeds=range(1000), threads=0).shape
        (1000, 64, 64)
        """
        if dtype is None and isinstance(out, np.ndarray) and out.dtype in DTYPES.values():
            dtype = out.dtype
        map_ = map_of(
            self, shape, first=first, origin=origin, step=step, dtype=dtype, low=low, high=high
        )
        if seeds is None:
            return self._fill(map_, threads, out=out, octaves=octaves)
        return self._batch(map_, seeds, threads, out=out, octaves=octaves)

    def gradient(
        self, shape: Wholes, *, first: Wholes = 0, origin: Reals = 0, step: Reals = 1,
        threads: int = 1, octaves: Octaves = 0,
    ) -> Gradient:  # fmt: skip
        """Returns a grid of values, and their analytic derivatives along x, y, z and w.

        Derivatives are in value per unit of position, float32. Arguments are those of ``fill``.

        Raises a ValueError for fields without a gradient: fractal="eroded" without valleys, or valley_output="river".

        >>> value, dx, dy = Field(octaves=4).gradient((480, 640))
        >>> steepness = np.hypot(dx, dy)
        """
        map_ = map_of(self, shape, first=first, origin=origin, step=step)

        def call(piece: Grid, value: int, *slopes: int) -> Any:
            return library.perlane_fill_gradient(self._noise, piece, value, Addresses(*slopes))

        count = 1 + map_.ndim
        return _gradient(self._run(map_, threads, call, octaves=octaves, count=count))

    # ---- Pictures ----

    def _draw(
        self, map_: Map, kind: str, ends: Any, threads: int, *, bits: int = 8, **options: Any
    ) -> NDArray[Any]:
        """Returns the pixels of a picture, each as bytes."""
        self._check(map_._grid())
        plan = prepare(self._noise, map_._grid(), kind, ends, bits=bits, **options)

        def call(piece: Grid, address: int) -> Any:
            scratch = np.empty(library.perlane_picture_scratch(plan, piece), np.float32)
            to = scratch.ctypes.data, address
            return library.perlane_picture_fill(plan, self._noise, piece, *to)

        channels = 1 if kind in ("height", "slope") else 3
        pixel = np.dtype(f"V{channels * bits // 8}")
        return self._run(replace(map_, dtype=pixel), threads, call)[0].view(f"u{bits // 8}")

    def _picture(
        self, shape: Wholes, kind: str, low: Any, high: Any, threads: int, place: Any, **options: Any
    ) -> Picture:
        check_names(place, "first", "origin", "step")
        map_ = map_of(self, shape, **place)
        if map_.ndim < 2 or max((1, *map_.shape[:-2])) > 1:
            raise ValueError(f"shape: expected that of an image, such as (480, 640), not {shape}")
        ends = levels(self, map_.ndim, low, high)
        pixels = self._draw(map_, kind, ends, threads, **options)
        return pixels.reshape(*map_.shape, 3).view(Picture)

    def palette(
        self, shape: Wholes, name: Palette = "terrain", /, *, low: float | None = None,
        high: float | None = None, threads: int = 1, **place: Unpack[Place],
    ) -> Picture:  # fmt: skip
        """Returns a grid in colours, an array of red, green and blue as bytes: (rows, columns, 3).

        name: as the command's --palette, or a look's.
        low, high: values of the first and the last colour; None for those of ``range(dims)``.
        place: first, origin and step, as in ``fill``.

        >>> Field.look("island", width=64).palette((48, 64), "land", low=-0.8, high=1.5).shape
        (48, 64, 3)
        """
        return self._picture(shape, "palette", low, high, threads, place, palette=name)

    def shade(
        self, shape: Wholes, palette: Palette = "grey", /, *,
        light: tuple[float, float] | None = None, relief: float | None = None,
        low: float | None = None, high: float | None = None, threads: int = 1, **place: Unpack[Place],
    ) -> Picture:  # fmt: skip
        """Returns a grid in colours that are lit as a surface as high as the values.

        palette: as the command's --palette; or a look's name, for its palette, light and relief.
        light: azimuth, clockwise from the top of the picture, and altitude, in degrees.
        relief: height of a value difference of 1, in pixels; None for one that suits the field.
            Other arguments are those of ``palette``.

        Raises a ValueError for fields without slopes, such as white noise.

        >>> Field.look("island", width=64).shade((64, 64), "island").dtype
        dtype('uint8')
        """
        lit = {"palette": palette, "light": light, "relief": relief}
        return self._picture(shape, "shade", low, high, threads, place, **lit)

    def normals(
        self, shape: Wholes, *, strength: float | None = None, y: Literal["up", "down"] = "up",
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
        kind, bits = "normals" if y == "up" else "normals down", bits_of(dtype)
        return self._picture(shape, kind, -1, 1, threads, place, relief=strength, bits=bits)

    def mask(
        self, shape: Wholes, kind: Literal["height", "slope", "river"], low: float | None = None,
        high: float | None = None, /, *, spacing: Reals | None = None, dtype: DTypeLike = "uint8",
        threads: int = 1, **place: Unpack[Place],
    ) -> NDArray[Any]:  # fmt: skip
        """Returns a mask of a grid, for layers of rock, grass and snow, as the command's --mask.

        It is 0 up to `low` and the largest integer from `high` on, and smooth between them; with
        `low` above `high` the other way round.

        kind: "height" for values, "slope" for slopes in degrees, or "river", which takes no low and
            high: the largest integer in the beds of valleys, 0 from 0.875 of their cells away.
        spacing: distance between samples in the unit of values; None for that of positions.
        dtype: uint8 or uint16.
        place: first, origin and step, as in ``fill``.

        >>> alps = Field.look("alps", width=64, value_scale=2000)
        >>> rock = alps.mask((64, 64), "slope", 30, 45, spacing=150)
        >>> snow = alps.mask((64, 64), "height", 900, 1200)
        """
        check_names(place, "first", "origin", "step")
        bits = bits_of(dtype)
        if kind == "river":
            if (low, high) != (None, None):
                raise TypeError("mask: river takes no low and high")
            of_type: Any = {"dtype": dtype, "low": 0, "high": 0.875}
            return self._rivers().fill(shape, threads=threads, **of_type, **place)
        if kind not in ("height", "slope"):
            raise ValueError(f"kind: expected 'height', 'slope' or 'river', not {kind!r}")
        map_ = map_of(self, shape, **place)
        if map_.ndim != 2:
            raise ValueError(f"shape: expected that of an image, such as (480, 640), not {shape}")
        apart = per_axis("spacing", map_.step if spacing is None else spacing, 2, finite)
        ends = finite("low", low), finite("high", high)
        return self._draw(map_, kind, ends, threads, bits=bits, spacing=apart[::-1])

    def _rivers(self) -> Noise:
        """Returns the field that is 0.875 in the beds of valleys, and falls to 0."""
        raise ValueError("mask: river needs a field with valleys, such as valleys=4")

    def _repr_html_(self) -> str | None:
        """Shows a notebook what the noise looks like, a look as a whole, and its options."""
        palette, width = self._look or ("grey", 384)
        shape, step = (384 if self._look else 192, 384), width / 384
        for kind in ["look"] if self._look else ["shade", "palette"]:
            try:
                values = self.fill(shape, threads=0, step=step)
                ends = float(values.min()), float(values.max())
                picture = self._picture(shape, kind, *ends, 0, {"step": step}, palette=palette)
            except ValueError:  # it has no slopes, or only one value, or no values in 2D
                continue
            png = b2a_base64(picture._repr_png_() or b"", newline=False).decode()
            style = "max-width: 60em; white-space: pre-wrap"
            text = f'<pre style="{style}">{escape(repr(self))}</pre>'
            return f'<img src="data:image/png;base64,{png}">{text}'
        return None

    # ---- Points ----

    def _points(
        self, coords: Sequence[Any], origin: Any, threads: Any, octaves: Any, step: Any, sloped: bool
    ) -> Any:
        """Returns the values, and with `sloped` a derivative along each coordinate."""
        dims = len(coords)
        if not 1 <= dims <= MAX_DIMS:
            raise TypeError(f"points: expected 1 to {MAX_DIMS} arrays of coordinates, not {dims}")
        if dims == 1 and np.ndim(coords[0]) > 1:
            raise TypeError(
                f"points: expected an array for each coordinate, not one of shape "
                f"{np.shape(coords[0])}; for rows of points: points(*numpy.asarray(rows).T)"
            )
        starts, workers = per_axis("origin", origin, dims, finite), thread_count(threads)
        count, apart = octave_count(octaves), finite("step", step)
        call = partial(self._evaluate, starts, workers, count, apart, sloped)
        results = _keep_labels(call, coords, 1 + dims * sloped)
        return [r.item() if type(r) is np.ndarray and r.ndim == 0 else r for r in results]

    def _evaluate(
        self, starts: Sequence[float], threads: int, octaves: int, step: float, sloped: bool,
        *coords: ArrayLike,
    ) -> tuple[Floats, ...]:  # fmt: skip
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
        given, stride = _readable(given)
        outs = [np.empty(given[0].shape, np.float32) for _ in range(1 + dims * sloped)]
        place = _Position(*starts) if single else None

        def call(piece: Grid, *at: int) -> Any:
            arrays = Addresses(*at[:dims])
            coords = (arrays,) if single else (_NO_ADDRESSES, arrays)
            points = List(dims, octaves, piece.count[0], stride, step, place, *coords)
            slopes = Addresses(*at[dims + 1 :]) if sloped else None
            return library.perlane_points(self._noise, points, at[dims], slopes)

        line, places = Grid(1), [(each.ctypes.data, each.itemsize * stride) for each in given]
        line.count[0] = outs[0].size
        places += [(out.ctypes.data, out.itemsize) for out in outs]
        check(for_each(line, threads if line.count[0] else 1, places, call, self._cost))
        return tuple(outs)

    def points(
        self, *coords: Any, origin: Reals = 0, threads: int = 1, octaves: Octaves = 0, step: float = 0
    ) -> Any:
        """Returns the values at points, an array of float32 of the shape that coords broadcast to.

        coords: 1 to 4 arrays or numbers, x first: points(x), points(x, y), points(x, y, z) ...
            Arrays of float32 take less memory than others, which are converted to float64.
            Of numbers alone the result is a float; with a pandas Series, one with its index; with
            an xarray DataArray, one whose dimensions and coordinates are those that xarray makes
            of them; lazy if one is. A single array may have one axis only: points(*rows.T).
        origin: number that is added to the coordinates in double, for all axes or one for each.
        threads: number of threads, 0 for one per processor. It never changes a bit.
        octaves: as in ``fill``; with "shown", those that points `step` apart show, as in a mesh.

        The value is NaN where a coordinate is not finite, or more than 2^53 cells from 0.

        >>> x, y = np.linspace(0, 90, 4), np.linspace(0, 50, 3)
        >>> Field().points(x, y[:, None]).shape
        (3, 4)
        """
        return self._points(coords, origin, threads, octaves, step, False)[0]

    def points_gradient(
        self, *coords: Any, origin: Reals = 0, threads: int = 1, octaves: Octaves = 0, step: float = 0
    ) -> Gradient:
        """Returns the values at points, and their derivatives along x, y, z and w.

        Arguments are those of ``points``. Raises a ValueError for fields without a gradient.

        >>> slopes = Field().points_gradient([1, 2], 2.5)
        >>> slopes.dy.shape, len(slopes), slopes.dz
        ((2,), 3, None)
        """
        return _gradient(self._points(coords, origin, threads, octaves, step, True))

    # ---- Range ----

    def range(self, dims: Wholes, **place: Unpack[Place]) -> tuple[float, float]:
        """Returns bounds that no value exceeds, in 1 to 4 dimensions or in a grid.

        dims: number of dimensions; or a grid's shape, for an expression of coordinates.
        place: first, origin and step of the grid, as in ``fill``.

        >>> Field(octaves=8).range(2)
        (-1.0, 1.0)
        >>> (Field() - 0.01 * perlane.y).range((101, 640))
        (-2.0, 1.0)
        """
        low, high = c_float(), c_float()
        if sequence(dims) is None:
            check_names(place)
            count = number("dims", dims, 1, MAX_DIMS)
            check(library.perlane_range(self._noise, count, low, high))
        else:
            check_names(place, "first", "origin", "step")
            grid = map_of(self, dims, **place)._grid()
            self._check(grid)
            check(library.perlane_range_in(self._noise, grid, low, high))
        return low.value, high.value

    # ---- Dask, xarray and GeoTIFF ----

    def dask(self, shape: Wholes, chunks: Any = "auto", **options: Unpack[MapOptions]) -> Any:
        """Returns a grid of values as a lazy dask.array.Array, whose chunks are filled when needed.

        chunks: as in ``dask.array.from_array``. Each is one task on one thread.
        options: first, origin, step, dtype, low and high, as in ``fill``.

        >>> heights = Field(octaves=4).dask((50000, 100000), (2048, 2048), step=0.1)
        >>> heights[:512, -512:].mean().compute().dtype
        dtype('float32')
        """
        return self._lazy(self._map(shape, **options), chunks)

    def _lazy(self, map_: Map, chunks: Any) -> Any:
        meta = np.empty((0,) * map_.ndim, map_.dtype)
        array = need("dask.array", "Field.dask", "dask")
        return array.from_array(map_, chunks, inline_array=True, meta=meta)

    def _labelled(self, map_: Map, coords: Any, axes: Any, chunks: Any, name: str) -> Any:
        xarray = need("xarray", "Field.xarray", "xarray")
        values = map_[...] if chunks is None else self._lazy(map_, chunks)
        array = xarray.DataArray(values, coords, axes, name, map_.attributes)
        if REFERENCE in array.coords:
            array.encoding["grid_mapping"] = REFERENCE
        return array

    def xarray(
        self, shape: Wholes, *, chunks: Any = None, name: str = "noise",
        **options: Unpack[MapOptions],
    ) -> Any:  # fmt: skip
        """Returns a grid of values as an xarray.DataArray, with positions as its coordinates.

        The dimensions are the last ones of ("w", "z", "y", "x"); the attribute perlane has the
        options as text. Integers have CF's attributes scale_factor and add_offset.

        chunks: None fills the array now; others make it lazy, as with ``dask``.
        options: first, origin, step, dtype, low and high, as in ``fill``; and crs, the coordinate
            reference system of x and y: an EPSG code, or one of pyproj or rasterio that has one;
            with heights two, "EPSG:32633+5773". It becomes the coordinate spatial_ref, which
            rioxarray and GDAL read.

        >>> heights = Field(octaves=4).xarray((3, 4), origin=10, step=0.5)
        >>> heights.sel(y=10.5, x=[10, 11]).shape
        (2,)
        """
        map_ = self._map(shape, **options)
        return self._labelled(map_, map_.labels, map_.axes, chunks, name)

    def fill_like(self, like: Any, *, name: str = "noise", **levels: Unpack[Levels]) -> Any:
        """Returns the values at the positions of a raster, an xarray.DataArray with its coordinates.

        like: a DataArray with evenly spaced coordinates, whose axis "band" is left out, lazy or
            not; or a raster that rasterio has opened, of which pixels' centres are the positions.
        levels: dtype, low and high, as in ``fill``.

        >>> relief = Field(octaves=4).xarray((3, 4), origin=10, step=-0.5)
        >>> (relief + Field(seed=3).fill_like(relief)).shape
        (3, 4)
        """
        crs = system_of(like)
        like = like if hasattr(like, "dims") else template(like)
        axes = [axis for axis in like.dims if axis != "band"]
        for lost in {*"xyzw"} & {*like.coords} - {*axes}:
            raise ValueError(f"fill_like: {lost} is one position; keep the axis, as in like[3:4]")
        origin, step = zip(*[spacing(axis, like[axis].values) for axis in axes])
        shape = [like.sizes[axis] for axis in axes]
        map_ = self._map(shape, origin=origin, step=step, crs=crs, **levels)
        coords = {n: c for n, c in like.coords.items() if n != "band" and {*c.dims} <= {*axes}}
        chunks = like.chunks and [like.chunksizes[axis] for axis in axes]
        return self._labelled(map_, coords, axes, chunks, name)

    def to_geotiff(
        self, path: Any, shape: Wholes, *, threads: int = 0, **options: Unpack[MapOptions]
    ) -> None:
        """Writes a grid of values as a GeoTIFF, from north to south, which is complete or absent.

        Samples are values at points. The file carries the options as text, for ``open_map``, and
        of integers the scale and the offset.

        path, shape, threads: the file; the others as in ``fill``.
        options: crs and others, as in ``xarray``.

        Raises a ValueError unless crs is given, step is negative along y and positive along x.

        >>> place = {"origin": (5_200_000, 500_000), "step": (-10, 10), "crs": "EPSG:32633"}
        >>> Field.look("alps", width=64).to_geotiff("alps.tif", (64, 64), **place)
        """
        write_geotiff(path, self._map(shape, **options), thread_count(threads))
