# SPDX-License-Identifier: MIT
"""The C library through ctypes: its structures, its functions and its statuses."""

from __future__ import annotations

import ctypes
import os
import sys
from ctypes import (
    POINTER, c_char_p, c_double, c_float, c_int, c_int32, c_int64, c_size_t, c_uint64, c_void_p,
)  # fmt: skip
from typing import Any

MAX_DIMS = 4
WORK_BYTES = 320 * 1024
VERSION = "2."  # of the structures below, which every version 2.x has


class Params(ctypes.Structure):
    """perlane_params: options are set by name, so only the tables have members here."""

    _fields_ = [
        ("_options", c_uint64 * 61),
        ("_contrast", c_int32),
        ("gradient_dims", c_int32),
        ("gradient_count", c_int32),
        ("gradient_grid_count", c_int32 * 2),
        ("_falloff_shape", c_int32),
        ("hash_table", c_void_p),
        ("gradient_table", c_void_p),
        ("gradient_grid", c_void_p),
        ("_reserved2", c_void_p),
        ("_falloff", c_double * 7),
        ("_valleys", c_double * 4),
        ("_valley_octaves", c_int32),
        ("_valley_output", c_int32),
        ("_reserved", c_uint64 * 4),
    ]


class Grid(ctypes.Structure):
    """perlane_grid, whose axes begin with x: those of a shape in reverse."""

    _fields_ = [
        ("dims", c_int32),
        ("exact_strides", c_int32),
        ("first", c_int64 * MAX_DIMS),
        ("count", c_uint64 * MAX_DIMS),
        ("origin", c_double * MAX_DIMS),
        ("step", c_double * MAX_DIMS),
        ("stride", c_int64 * MAX_DIMS),
        ("work", c_void_p),
        ("work_bytes", c_size_t),
        ("octaves", c_int32),
        ("has_seed", c_int32),
        ("seed", c_uint64),
        ("_reserved", c_uint64 * 3),
    ]


class CellArrays(ctypes.Structure):
    """perlane_cells"""

    _fields_ = [
        ("id", c_void_p),
        ("offset", c_void_p * MAX_DIMS),
        ("f1", c_void_p),
        ("f2", c_void_p),
        ("edge", c_void_p),
        ("_reserved", c_void_p * 2),
    ]


class PictureOptions(ctypes.Structure):
    """perlane_picture"""

    _fields_ = [
        *((number, c_int32) for number in ("kind", "palette", "bits", "_reserved0")),
        *((number, c_double) for number in ("low", "high", "azimuth", "altitude", "relief")),
        ("spacing", c_double * 2),
        ("_reserved", c_uint64 * 4),
    ]


class ChoiceRecord(ctypes.Structure):
    """perlane_choice"""

    _fields_ = [("name", c_char_p), ("summary", c_char_p), ("dims", c_int32)]


class List(ctypes.Structure):
    """perlane_list"""

    _fields_ = [
        ("dims", c_int32),
        ("octaves", c_int32),
        ("count", c_uint64),
        ("stride", c_int64),
        ("step", c_double),
        ("origin", POINTER(c_double)),
        ("coords", c_void_p * MAX_DIMS),
        ("coords64", c_void_p * MAX_DIMS),
        ("_reserved", c_void_p * 3),
    ]


class OptionRecord(ctypes.Structure):
    """perlane_option"""

    _fields_ = [
        *((text, c_char_p) for text in ("name", "heading", "summary")),
        ("choices", POINTER(ChoiceRecord)),
        *((number, c_int32) for number in ("choice_count", "kind", "offset", "size", "dims")),
        *((flag, c_int32) for flag in ("excludes_zero", "min_is_open", "max_is_open")),
        ("min", c_double),
        ("max", c_double),
        ("default_value", c_double),
    ]


_PICTURE, _PARAMS, _GRID = POINTER(PictureOptions), POINTER(Params), POINTER(Grid)
_FLOAT, _COUNTS, _ARRAYS = POINTER(c_float), POINTER(c_uint64), POINTER(c_void_p)
_NAMES, _REALS, _OUTPUTS = POINTER(c_char_p), POINTER(c_double), [_ARRAYS, c_void_p, c_void_p]
_TEXT = [c_char_p, c_size_t]  # a buffer and its size
_PROTOTYPES: dict[str, tuple[Any, list[Any]]] = {  # of functions: the result and the arguments
    "version": (c_char_p, []),
    "status_string preset_name palette_name isa_name": (c_char_p, [c_int32]),
    "layout picture_layout": (c_uint64, []),
    "params_init": (c_int, [_PARAMS]),
    "params_set": (c_int, [_PARAMS, c_char_p, c_char_p]),
    "params_get": (c_size_t, [_PARAMS, c_char_p, *_TEXT]),
    "params_parse": (c_int, [_PARAMS, c_char_p, POINTER(c_size_t)]),
    "params_print explain_params": (c_size_t, [_PARAMS, *_TEXT]),
    "look": (c_int, [_PARAMS, c_char_p, c_double]),
    "look_at": (POINTER(c_char_p), [c_int32]),  # a record that begins with the name
    "option_at": (POINTER(OptionRecord), [c_int32]),
    "option_expected": (c_size_t, [POINTER(OptionRecord), *_TEXT]),
    "explain_text": (c_size_t, [c_char_p, c_char_p, *_TEXT]),
    "explain_grid": (c_size_t, [c_void_p, _GRID, *_TEXT]),
    "init": (c_int, [c_void_p, _PARAMS]),
    "expression_init_text": (c_int, [c_void_p, c_char_p, c_int32, c_void_p, c_void_p]),
    "expression_text": (c_size_t, [c_void_p, *_TEXT]),
    "expression_init": (c_int, [c_void_p, c_char_p, c_int32, _NAMES, _ARRAYS]),
    "range_in": (c_int, [c_void_p, _GRID, _FLOAT, _FLOAT]),
    "reseed": (c_int, [c_void_p, c_uint64]),
    "range": (c_int, [c_void_p, c_int32, _FLOAT, _FLOAT]),
    "grid_check": (c_int, [c_void_p, _GRID]),
    "grid_cut": (c_int, [_GRID, _COUNTS, c_uint64, _COUNTS]),
    "grid_piece": (c_int, [_GRID, _COUNTS, c_uint64, c_uint64, _GRID, POINTER(c_int64)]),
    "fill": (c_int, [c_void_p, _GRID, c_void_p]),
    "fill_gradient": (c_int, [c_void_p, _GRID, c_void_p, _ARRAYS]),
    "fill_u8 fill_u16": (c_int, [c_void_p, _GRID, c_float, c_float, c_void_p]),
    "fill_cells": (c_int, [c_void_p, _GRID, POINTER(CellArrays)]),
    "scatter": (c_int, [c_void_p, c_int32, _REALS, _REALS, c_uint64, *_OUTPUTS, _COUNTS]),
    "points": (c_int, [c_void_p, POINTER(List), c_void_p, _ARRAYS]),
    "isa_current": (c_int, []),
    "selftest": (c_int, [c_int, POINTER(c_uint64)]),
    "picture_init": (c_int, [_PICTURE]),
    "picture_look": (c_int, [_PICTURE, c_char_p, c_double]),
    "picture_prepare": (c_int, [c_void_p, _PICTURE, c_void_p, _GRID]),
    "picture_scratch": (c_size_t, [c_void_p, _GRID]),
    "picture_fill": (c_int, [c_void_p, c_void_p, _GRID, c_void_p, c_void_p]),
}


def _load() -> ctypes.CDLL:
    names = {"win32": "perlane.dll", "darwin": "libperlane.dylib"}
    name = names.get(sys.platform, "libperlane.so")
    # An editable installation leaves the package at its source, and the library in site-packages.
    places = [os.path.dirname(__file__), *(os.path.join(place, "perlane") for place in sys.path)]
    found = [path for path in (os.path.join(place, name) for place in places) if os.path.exists(path)]
    path = os.path.abspath(os.environ.get("PERLANE_LIBRARY") or [*found, name][0])
    try:
        library = ctypes.CDLL(path)  # which releases the GIL during calls
        for functions, prototype in _PROTOTYPES.items():
            for name in functions.split():
                function = getattr(library, f"perlane_{name}")
                function.restype, function.argtypes = prototype
    except (OSError, AttributeError) as error:
        raise ImportError(
            f"cannot load perlane's shared library: {error}; 'pip install .' builds it, and the "
            "environment variable PERLANE_LIBRARY may name another"
        ) from error
    version = library.perlane_version().decode()
    sizes = [ctypes.sizeof(each) for each in (Params, Grid, List, CellArrays)]
    known = [(library.perlane_layout() >> bit & 0xFFF) * 8 for bit in (36, 24, 12, 0)]
    sizes.append(ctypes.sizeof(PictureOptions))
    known.append((library.perlane_picture_layout() & 0xFFFF) * 8)
    if not version.startswith(VERSION) or known != sizes:
        raise ImportError(f"{path} is perlane {version}; this package needs {VERSION}x")
    return library


library = _load()
__version__: str = library.perlane_version().decode()
NoiseMemory = c_uint64 * (library.perlane_layout() >> 48)  # perlane_noise
PlanMemory = c_uint64 * (library.perlane_picture_layout() >> 32)  # perlane_picture_plan


def text_of(function: Any, *arguments: Any) -> str:
    """Returns the text that a function writes to a buffer, which has room for all of it."""
    buffer = ctypes.create_string_buffer(function(*arguments, None, 0) + 1)
    function(*arguments, buffer, len(buffer))
    return buffer.value.decode("utf-8", "replace")


def check(status: int, explain: Any = None, *arguments: Any) -> None:
    """Raises a ValueError for a status other than PERLANE_OK.

    explain: the library's function that says what is wrong with these arguments, if there is one.
    """
    if status != 0:
        reason = explain and text_of(explain, *arguments)
        raise ValueError(reason or library.perlane_status_string(status).decode())


def isa() -> str:
    """Returns the instruction set in use: "avx2", "neon" ... It affects speed, never results.

    The environment variable PERLANE_ISA selects another before the first call.
    """
    name: str = library.perlane_isa_name(library.perlane_isa_current()).decode()
    return name


def selftest() -> int:
    """Returns the digest of a fixed set of fields, which is the same on every machine.

    Raises a RuntimeError if it is wrong: then this build does not compute perlane's bits.

    >>> hex(perlane.selftest())
    '0x1f26e347b9db5ef9'
    """
    digest = c_uint64()
    if library.perlane_selftest(0, digest) != 0:
        raise RuntimeError("this build of perlane computes other bits than it should")
    return digest.value
