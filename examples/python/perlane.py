# SPDX-License-Identifier: MIT
"""perlane from Python, through ctypes and NumPy: one file to copy, and the shared library.

    import perlane
    perlane.load("build/libperlane.so")       # or set PERLANE_LIBRARY
    noise = perlane.Noise(seed=7, frequency=0.005, octaves=6, fractal="ridged")
    heights = noise.fill(512, 256)            # heights[y, x], float32

Keywords are the members of perlane_params, which perlane.h documents. Calls release Python's global
lock, so several threads can fill tiles at once.
"""

import ctypes
import os
from ctypes import POINTER, byref, c_char_p, c_double, c_float, c_int, c_int32, c_int64
from ctypes import c_size_t, c_uint64, c_void_p

import numpy as np

MAX_DIMS = 4
MAX_CURVE_POINTS = 16

# The enumerators of perlane.h, without their prefixes, in order.
NAMES = {
    "phase": "seeded none".split(),
    "basis": "perlin value white gaussian cellular".split(),
    "hash": "lattice perlin shuffled table grid primes".split(),
    "gradients": "default offaxis8 axis4 diagonal4 compass8 edges12 edges32 sphere pnoise "
    "table".split(),
    "fade": "quintic cubic linear".split(),
    "fractal": "fbm none ridged billow ping_pong eroded".split(),
    "normalize": "full octaves none spread".split(),
    "curve_shape": "linear smooth".split(),
    "cell_metric": "euclidean squared manhattan chebyshev".split(),
    "cell_output": "f1 f2 f2_minus_f1 value".split(),
}


class Curve(ctypes.Structure):
    """perlane_curve"""

    _fields_ = [
        ("count", c_int32),
        ("reserved0", c_int32),
        ("point", c_double * 2 * MAX_CURVE_POINTS),
    ]


class Params(ctypes.Structure):
    """perlane_params"""

    _fields_ = [
        ("seed", c_uint64),
        ("frequency", c_double),
        ("octaves", c_int32),
        ("reserved0", c_int32),
        ("lacunarity", c_double),
        ("gain", c_double),
        ("octaves_share", c_int32),
        ("phase", c_int32),
        ("basis", c_int32),
        ("hash", c_int32),
        ("gradients", c_int32),
        ("fade", c_int32),
        ("fractal", c_int32),
        ("normalize", c_int32),
        ("weighted_strength", c_double),
        ("ping_pong_strength", c_double),
        ("erosion", c_double),
        ("period", c_int32 * MAX_DIMS),
        ("table_offset", c_int32 * MAX_DIMS),
        ("amplitude", c_double),
        ("value_scale", c_double),
        ("value_offset", c_double),
        ("curve", Curve),
        ("curve_shape", c_int32),
        ("terraces", c_int32),
        ("terrace_sharpness", c_double),
        ("warp_amplitude", c_double),
        ("warp_frequency", c_double),
        ("warp_lacunarity", c_double),
        ("warp_gain", c_double),
        ("warp_octaves", c_int32),
        ("warp_rounds", c_int32),
        ("jitter", c_double),
        ("cell_metric", c_int32),
        ("cell_output", c_int32),
        ("contrast", c_int32),
        ("gradient_dims", c_int32),
        ("gradient_count", c_int32),
        ("gradient_grid_count", c_int32 * 2),
        ("reserved1", c_int32),
        ("hash_table", POINTER(c_int32)),
        ("gradient_table", POINTER(c_float)),
        ("gradient_grid", POINTER(c_float)),
        ("reserved2", c_void_p),
        ("reserved", c_uint64 * 16),
    ]


class Grid(ctypes.Structure):
    """perlane_grid"""

    _fields_ = [
        ("dims", c_int32),
        ("exact_strides", c_int32),
        ("first", c_int64 * MAX_DIMS),
        ("count", c_uint64 * MAX_DIMS),
        ("origin", c_double * MAX_DIMS),
        ("step", c_double * MAX_DIMS),
        ("stride", c_int64 * MAX_DIMS),
    ]


FloatArray = POINTER(c_float)
DoubleArray = POINTER(c_double)
PROTOTYPES = {
    "perlane_version": (c_char_p, []),
    "perlane_status_string": (c_char_p, [c_int]),
    "perlane_params_init": (c_int, [POINTER(Params)]),
    "perlane_noise_size": (c_size_t, []),
    "perlane_preset": (c_int, [POINTER(Params), c_char_p]),
    "perlane_init": (c_int, [c_void_p, POINTER(Params)]),
    "perlane_range": (c_int, [c_void_p, c_int32, FloatArray, FloatArray]),
    "perlane_grid_init": (c_int, [POINTER(Grid)] + [c_uint64] * MAX_DIMS),
    "perlane_fill": (c_int, [c_void_p, POINTER(Grid), FloatArray]),
    "perlane_fill_gradient": (
        c_int,
        [c_void_p, POINTER(Grid), FloatArray, POINTER(FloatArray)],
    ),
    "perlane_points_double": (
        c_int,
        [c_void_p, c_int32, c_size_t, POINTER(DoubleArray), FloatArray, POINTER(FloatArray)],
    ),
    "perlane_selftest": (c_int, [c_int, POINTER(c_uint64)]),
}

_library = None


class PerlaneError(ValueError):
    """A status other than PERLANE_OK; `status` is its number."""

    def __init__(self, status):
        super().__init__(_library.perlane_status_string(status).decode())
        self.status = status


def load(path=None):
    """Loads the shared library from path, or else from the environment variable PERLANE_LIBRARY."""
    global _library
    path = path or os.environ.get("PERLANE_LIBRARY")
    if not path:
        raise OSError("libperlane.so not given: call perlane.load(path) or set PERLANE_LIBRARY")
    library = ctypes.CDLL(os.path.abspath(path))
    for name, (result, arguments) in PROTOTYPES.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    # The structures above match one minor version.
    version = library.perlane_version().decode()
    if not version.startswith("0.5."):
        raise OSError(f"{path} is perlane {version}, not 0.5")
    _library = library


def _check(status):
    if status != 0:
        raise PerlaneError(status)


def _pointer(array, kind=FloatArray):
    return array.ctypes.data_as(kind)


def _pointers(arrays, kind=FloatArray):
    return (kind * len(arrays))(*[_pointer(array, kind) for array in arrays])


class Noise:
    """A field. Noise(preset="improved", octaves=4) starts from a preset instead of the default.

    hash_table, gradient_table (vectors x dims), gradient_grid (rows x columns x 2) and curve
    (points x 2) are arrays; their counts are set automatically."""

    def __init__(self, preset=None, **params):
        if _library is None:
            load()
        values = Params()
        _check(_library.perlane_params_init(byref(values)))
        if preset is not None:
            _check(_library.perlane_preset(byref(values), preset.encode()))
        self._arrays = []  # perlane_init does not copy the gradient grid
        for name, value in params.items():
            self._set(values, name, value)
        self._field = (c_uint64 * ((_library.perlane_noise_size() + 7) // 8))()
        _check(_library.perlane_init(self._field, byref(values)))

    def _set(self, values, name, value):
        if name in NAMES and isinstance(value, str):
            if value not in NAMES[name]:
                raise ValueError(f"{name} must be one of {', '.join(NAMES[name])}, not {value!r}")
            value = NAMES[name].index(value)
        if name in ("period", "table_offset"):
            value = (c_int32 * MAX_DIMS)(*value)
        elif name == "curve":
            points = np.asarray(value, np.float64)
            if points.ndim != 2 or points.shape[1] != 2 or len(points) > MAX_CURVE_POINTS:
                raise ValueError(f"a curve must have at most {MAX_CURVE_POINTS} points of x and y")
            value = Curve(count=len(points))
            for place, point in zip(value.point, points):
                place[:] = point
        elif name == "hash_table":
            array = np.ascontiguousarray(value, np.int32)
            if array.size not in (256, 1024):
                raise ValueError(f"a hash table must have 256 or 1024 entries, not {array.size}")
            self._arrays.append(array)
            value = array.ctypes.data_as(POINTER(c_int32))
        elif name in ("gradient_table", "gradient_grid"):
            array = np.ascontiguousarray(value, np.float32)
            self._arrays.append(array)
            if name == "gradient_table":
                values.gradient_count, values.gradient_dims = array.shape
            else:
                rows, columns, _ = array.shape
                values.gradient_grid_count = (c_int32 * 2)(columns, rows)
            value = _pointer(array)
        elif name not in (field for field, _ in Params._fields_):
            raise TypeError(f"perlane_params has no {name}")
        setattr(values, name, value)

    def _grid(self, counts, first, origin, step):
        if not 1 <= len(counts) <= MAX_DIMS or min(counts) < 1:
            raise ValueError("a grid must have 1 to 4 counts of at least 1: x, y, z, w")
        grid = Grid()
        _check(_library.perlane_grid_init(byref(grid), *counts, *[0] * (MAX_DIMS - len(counts))))
        for axis in range(len(counts)):
            for name, value in ("first", first), ("origin", origin), ("step", step):
                if value is not None:
                    if len(value) != len(counts):
                        raise ValueError(f"{name} has {len(value)} axes, the grid {len(counts)}")
                    getattr(grid, name)[axis] = value[axis]
        return grid

    def fill(self, *counts, first=None, origin=None, step=None):
        """Returns a grid of float32. Counts, first, origin and step are in the order x, y, z, w;
        NumPy's indices are in the reverse order: fill(nx, ny)[y, x]."""
        grid = self._grid(counts, first, origin, step)
        out = np.empty(counts[::-1], np.float32)
        _check(_library.perlane_fill(self._field, byref(grid), _pointer(out)))
        return out

    def fill_gradient(self, *counts, first=None, origin=None, step=None):
        """Returns (values, [dx, dy, ...]): a grid as fill does, and its derivatives along each axis."""
        grid = self._grid(counts, first, origin, step)
        out = np.empty(counts[::-1], np.float32)
        slopes = [np.empty_like(out) for _ in counts]
        _check(
            _library.perlane_fill_gradient(
                self._field, byref(grid), _pointer(out), _pointers(slopes)
            )
        )
        return out, slopes

    def _points(self, coords, with_gradient):
        # Doubles hold whatever numbers come in, and positions far from the origin.
        arrays = np.broadcast_arrays(*[np.asarray(axis, np.float64) for axis in coords])
        arrays = [np.ascontiguousarray(axis) for axis in arrays]
        out = np.empty(arrays[0].shape, np.float32)
        slopes = [np.empty_like(out) for _ in arrays] if with_gradient else None
        _check(
            _library.perlane_points_double(
                self._field,
                len(arrays),
                out.size,
                _pointers(arrays, DoubleArray),
                _pointer(out),
                _pointers(slopes) if with_gradient else None,
            )
        )
        return out, slopes

    def points(self, *coords):
        """Returns the values at positions, one array per axis; NaN outside the domain."""
        return self._points(coords, False)[0]

    def points_gradient(self, *coords):
        """Returns (values, [dx, dy, ...]): values as points does, and derivatives along each axis."""
        return self._points(coords, True)

    def range(self, dims):
        """Returns the bounds of the field's values in dims dimensions."""
        low, high = c_float(), c_float()
        _check(_library.perlane_range(self._field, dims, byref(low), byref(high)))
        return low.value, high.value
