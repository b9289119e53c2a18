# SPDX-License-Identifier: MIT
"""Hash tables, gradient sets and gradient grids that a caller supplies, as arrays."""

from __future__ import annotations

import ctypes
import reprlib
from ctypes import byref
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._library import Params, library
from ._options import set_option

TABLES = {
    "hash_table": "256 whole numbers from 0 to 255, or 1024 for hash='primes'",
    "gradient_table": "2 to 256 vectors of 1 to 4 numbers, an array of shape (vectors, dims)",
    "gradient_grid": "vectors of x and y, an array of shape (rows, columns, 2)",
}


def table_of(name: str, value: Any) -> NDArray[Any]:
    """Returns a table as a read-only copy."""
    problem = f"{name}: expected {TABLES[name]}"
    try:
        given = np.asarray(value)
    except ValueError:  # rows of different lengths
        raise ValueError(problem) from None
    whole = name == "hash_table"
    if not np.can_cast(given.dtype, np.int64 if whole else np.float64, "same_kind"):
        raise TypeError(f"{problem}; not {given.dtype}")
    if whole:
        fits = given.shape in ((256,), (1024,))
    elif name == "gradient_table":
        fits = given.ndim == 2
    else:
        fits = given.ndim == 3 and given.shape[2] == 2
    if not fits:
        raise ValueError(f"{problem}; not {reprlib.repr(value)} of shape {given.shape}")
    with np.errstate(over="ignore"):  # the library refuses infinity, and what is out of bounds
        if whole:
            given = given.astype(np.int64).clip(-(2**31), 2**31 - 1)
        table = given.astype(np.int32 if whole else np.float32, order="C")
    table.flags.writeable = False
    return table


def _get(params: Params, name: str) -> str:
    buffer = ctypes.create_string_buffer(64)  # names of choices are shorter
    library.perlane_params_get(byref(params), name.encode(), buffer, len(buffer))
    return buffer.value.decode()


def _user(name: str, table: NDArray[Any]) -> tuple[str, str]:
    """Returns the option that makes a field use a table, and its value."""
    if name == "gradient_table":
        return "gradients", "table"
    if name == "gradient_grid":
        return "hash", "grid"
    return "hash", "primes" if len(table) == 1024 else "table"


def set_tables(params: Params, tables: dict[str, NDArray[Any]], options: dict[str, Any]) -> None:
    """Gives tables to the library, and selects what uses them unless the options do."""
    for name, table in tables.items():
        option, value = _user(name, table)
        if option not in options and _get(params, option) not in ("primes", "grid"):
            set_option(params, option, value)
        setattr(params, name, table.ctypes.data)
    for name, table in tables.items():
        option, value = _user(name, table)
        if _get(params, option) != value:
            raise ValueError(
                f"{name}: an array of shape {table.shape} needs {option}={value!r}, "
                f"not {_get(params, option)!r}"
            )
    if "gradient_table" in tables:
        params.gradient_count, params.gradient_dims = tables["gradient_table"].shape
    if "gradient_grid" in tables:
        params.gradient_grid_count[:] = tables["gradient_grid"].shape[1::-1]
