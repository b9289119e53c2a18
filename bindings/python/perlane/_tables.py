# SPDX-License-Identifier: MIT
"""Hash tables, gradient sets and gradient grids that a caller supplies, as arrays."""

from __future__ import annotations

import json
import reprlib
from typing import Any, Mapping

import numpy as np
from numpy.typing import NDArray

from ._arguments import check_unmasked
from ._library import Params, library, text_of
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
        given: NDArray[Any] = np.asanyarray(value)
    except ValueError:  # rows of different lengths
        raise ValueError(problem) from None
    check_unmasked(name, given)
    whole = name == "hash_table"
    with np.errstate(invalid="ignore"):  # of infinity
        is_number = given.dtype.kind in "iuf" and not (whole and np.any(given % 1))
    if not is_number:
        raise TypeError(f"{problem}; not {given.dtype}")
    fits = {
        "hash_table": given.shape in ((256,), (1024,)),
        "gradient_table": given.ndim == 2,
        "gradient_grid": given.shape[2:] == (2,),
    }
    if not fits[name]:
        raise ValueError(f"{problem}; not {reprlib.repr(value)} of shape {given.shape}")
    with np.errstate(all="ignore"):  # the library refuses infinity, and what is out of bounds
        if whole:
            given = given.astype(np.int64).clip(-(2**31), 2**31 - 1)
        table = given.astype(np.int32 if whole else np.float32, order="C")
    table.flags.writeable = False
    return table


def split_tables(text: Any) -> tuple[Any, dict[str, NDArray[Any]]]:
    """Returns a text without its tables, and these, which are lists: hash_table=[0,1,...]."""
    if not isinstance(text, str) or "[" not in text:
        return text, {}
    words, tables = [], {}
    for word in text.split():
        name, _, value = word.replace("-", "_").partition("=")
        if name not in TABLES:
            words.append(word)
            continue
        try:
            tables[name] = table_of(name, json.loads(word.partition("=")[2]))
        except (RecursionError, TypeError, ValueError) as error:
            raise ValueError(str(error) if name in str(error) else f"{name}: {error}") from None
    return " ".join(words), tables


def set_tables(
    params: Params, tables: dict[str, NDArray[Any]], options: Mapping[str, object]
) -> None:
    """Gives tables to the library, and selects what uses them unless the options do."""

    def chosen(option: str) -> str:
        return text_of(library.perlane_params_get, params, option.encode())

    users = {}
    for name, table in tables.items():
        option = "gradients" if name == "gradient_table" else "hash"
        value = "grid" if name == "gradient_grid" else "table"
        value = "primes" if table.shape == (1024,) else value
        if option not in options and chosen(option) not in ("primes", "grid"):
            set_option(params, option, value)
        setattr(params, name, table.ctypes.data)
        users[name] = option, value
    for name, (option, value) in users.items():
        if chosen(option) != value:
            needs = f"an array of shape {tables[name].shape} needs {option}={value!r}"
            raise ValueError(f"{name}: {needs}, not {chosen(option)!r}")
    if "gradient_table" in tables:
        params.gradient_count, params.gradient_dims = tables["gradient_table"].shape
    if "gradient_grid" in tables:
        params.gradient_grid_count[:] = tables["gradient_grid"].shape[1::-1]


def table_words(tables: dict[str, NDArray[Any]]) -> list[str]:
    """Returns tables as the options of a text."""
    lists = {name: json.dumps(table.tolist(), separators=(",", ":")) for name, table in tables.items()}
    return [f"{name}={lists[name]}" for name in TABLES if name in tables]
