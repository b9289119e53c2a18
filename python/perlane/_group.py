# SPDX-License-Identifier: MIT
"""Groups of Zarr arrays with coordinates, the positions of samples, as xarray opens them."""

from __future__ import annotations

import re
import reprlib
from typing import Any, Iterator

from ._layout import array_in_memory, zarray
from ._samples import Samples
from ._store import Store
from ._stored import MAX_DESCRIPTION, includes, parse_json, to_json

_MAX_COORDINATES = 1 << 27  # a chunk has 1 GiB of them


def _files(samples: Samples, format: int) -> Iterator[tuple[str, bytes]]:
    if format == 3:
        yield "zarr.json", to_json({"attributes": {}, "node_type": "group", "zarr_format": 3})
    else:
        yield ".zgroup", to_json({"zarr_format": 2})
    for axis, values in samples.coordinates.items():
        data = values.astype("<f8")
        files: dict[str, Any] = {}
        if format == 3:
            array_in_memory(files, data.shape, data.dtype, dimension_names=[axis])[...] = data
            files = {key: value.to_bytes() for key, value in sorted(files.items())}
        else:
            files["0"] = data.tobytes()
            files[".zattrs"] = to_json({"_ARRAY_DIMENSIONS": [axis]})
            files[".zarray"] = to_json(zarray(data.shape, data.shape, data.dtype, None))
        yield from ((f"{axis}/{key}", value) for key, value in files.items())


def _is_same(key: str, stored: bytes, wanted: bytes) -> bool:
    if stored == wanted or key.endswith("/0"):
        return stored == wanted
    return includes(parse_json(stored.decode()), parse_json(wanted.decode()))


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
        if store.get(key, MAX_DESCRIPTION + len(value)) is None:
            store.put(key, value, keeps=True)  # another process may be faster
        if not _is_same(key, store.get(key, MAX_DESCRIPTION + len(value)) or b"", value):
            raise ValueError(f"{store.name} is a group of other positions: {key} differs")
    return store.inside(name)
