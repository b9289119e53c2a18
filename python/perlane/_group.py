# SPDX-License-Identifier: MIT
"""Groups of Zarr arrays with coordinates, the positions of samples, as xarray opens them."""

from __future__ import annotations

import json
import re
import reprlib
from typing import Any, Iterator

from ._samples import Samples
from ._store import Store
from ._stored import MAX_DESCRIPTION, includes, parse_json

_MAX_COORDINATES = 1 << 27  # a chunk has 1 GiB of them


def _described(axis: str, count: int, format: int) -> dict[str, Any]:
    """Returns the descriptions of an axis' coordinates: one chunk of doubles."""
    if format == 3:
        codec = {"name": "bytes", "configuration": {"endian": "little"}}
        return {
            "zarr.json": {
                "attributes": {},
                "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [count]}},
                "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
                "codecs": [codec],
                "data_type": "float64",
                "dimension_names": [axis],
                "fill_value": "NaN",
                "node_type": "array",
                "shape": [count],
                "zarr_format": 3,
            }
        }
    return {
        ".zattrs": {"_ARRAY_DIMENSIONS": [axis]},
        ".zarray": {
            "chunks": [count],
            "compressor": None,
            "dimension_separator": "/",
            "dtype": "<f8",
            "fill_value": "NaN",
            "filters": None,
            "order": "C",
            "shape": [count],
            "zarr_format": 2,
        },
    }


def _files(samples: Samples, format: int) -> Iterator[tuple[str, Any]]:
    """Yields keys, and what is stored under them: bytes or values of JSON."""
    if format == 3:
        yield "zarr.json", {"attributes": {}, "node_type": "group", "zarr_format": 3}
    else:
        yield ".zgroup", {"zarr_format": 2}
    for axis, values in samples.coordinates.items():
        yield f"{axis}/{'c/' * (format == 3)}0", values.astype("<f8").tobytes()
        for key, value in _described(axis, len(values), format).items():
            yield f"{axis}/{key}", value


def enter(store: Store, name: str, samples: Samples, format: int) -> Store:
    """Returns the store of an array in a group, which is made, or has the same coordinates."""
    is_text = isinstance(name, str)
    if not (is_text and re.fullmatch(r"(?![wxyz]$)\w[\w.-]*", name, re.ASCII)):
        accepted = "letters, digits, '_', '-' and '.', such as height, but not x, y, z or w"
        raise ValueError(f"name: expected {accepted}; not {reprlib.repr(name)}")
    if max(samples.shape) > _MAX_COORDINATES:
        raise ValueError("name: a group has coordinates of at most 2^27 samples along an axis")
    marker = "zarr.json" if format == 3 else ".zgroup"
    entries = store.entries()
    if entries and marker not in entries:
        raise ValueError(f"{store.name} has other files and no {marker}; take another name")
    for key, value in _files(samples, format):
        is_json = not isinstance(value, bytes)
        new = json.dumps(value, indent=2, sort_keys=True).encode() + b"\n" if is_json else value
        limit = MAX_DESCRIPTION if is_json else len(value)
        if store.get(key, limit) is None:
            store.put(key, new, keeps=True)
        stored = store.get(key, limit) or b""  # another process may have been faster
        if stored != new and not (is_json and includes(parse_json(stored.decode()), value)):
            raise ValueError(f"{store.name} is a group of other positions: {key} differs")
    return store.inside(name)
