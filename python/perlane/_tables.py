# SPDX-License-Identifier: MIT
"""Hash tables, gradient sets and gradient grids that a caller supplies, as arrays."""

from __future__ import annotations

import reprlib
from ctypes import byref
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._library import Params, library, text_of
from ._options import set_option, shortest

MAX_CARRIED_POINTS = 65536  # of a gradient grid in a text
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


def set_tables(params: Params, tables: dict[str, NDArray[Any]], options: dict[str, Any]) -> None:
    """Gives tables to the library, and selects what uses them unless the options do."""
    users = {}
    for name, table in tables.items():
        option = "gradients" if name == "gradient_table" else "hash"
        value = (
            "primes" if table.shape == (1024,) else "grid" if name == "gradient_grid" else "table"
        )
        chosen = text_of(library.perlane_params_get, byref(params), option.encode())
        if option not in options and chosen not in ("primes", "grid"):
            set_option(params, option, value)
        setattr(params, name, table.ctypes.data)
        users[name] = option, value
    for name, (option, value) in users.items():
        chosen = text_of(library.perlane_params_get, byref(params), option.encode())
        if chosen != value:
            raise ValueError(
                f"{name}: an array of shape {tables[name].shape} needs {option}={value!r}, "
                f"not {chosen!r}"
            )
    if "gradient_table" in tables:
        params.gradient_count, params.gradient_dims = tables["gradient_table"].shape
    if "gradient_grid" in tables:
        params.gradient_grid_count[:] = tables["gradient_grid"].shape[1::-1]


# ---- Text ----


def is_carried(name: str, table: NDArray[Any]) -> bool:
    """Returns True unless a table is too large for a text."""
    return name != "gradient_grid" or table.size // 2 <= MAX_CARRIED_POINTS


def _list(table: Any) -> str:
    if isinstance(table, np.ndarray):
        return "[" + ",".join(map(_list, table)) + "]"
    return str(table) if isinstance(table, np.int32) else shortest(table, np.float32)


def words(tables: dict[str, NDArray[Any]]) -> list[str]:
    """Returns the tables that a text carries as the options of the command."""
    carried = [name for name in TABLES if name in tables and is_carried(name, tables[name])]
    return [f"{name}={_list(tables[name])}" for name in carried]
