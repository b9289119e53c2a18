# SPDX-License-Identifier: MIT
"""Lazy arrays for Dask, and labelled ones for xarray."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._map import Map, single
from ._optional import need


class Lazy:
    """An array that computes what an index of slices and numbers asks for."""

    def __init__(self, map: Map) -> None:
        self.map = map
        self.shape = map.shape
        self.ndim = len(map.shape)
        self.dtype = np.dtype(map.dtype)

    def __getitem__(self, index: tuple[int | slice, ...]) -> NDArray[Any]:
        ranges = [
            range(n)[i] if isinstance(i, slice) else range(i, i + 1)
            for n, i in zip(self.shape, index)
        ]
        inner = [slice(None, None, r.step) if isinstance(i, slice) else 0
                 for r, i in zip(ranges, index)]  # fmt: skip
        if not all(ranges):
            return np.empty([len(r) for r in ranges], self.dtype)[tuple(inner)]
        start = [min(r[0], r[-1]) for r in ranges]
        counts = [abs(r[-1] - r[0]) + 1 for r in ranges]
        return self.map.fill(start, counts)[tuple(inner)]


def dask_array(map: Map, chunks: Any) -> Any:
    """Returns a map as a dask.array.Array."""
    array = need("dask.array", "Field.dask", "dask")
    token = need("dask.base", "Field.dask", "dask").tokenize(map.field._identity(), map[1:], chunks)
    return array.from_array(
        Lazy(map),
        chunks,
        name=f"perlane-{token}",
        fancy=False,
        inline_array=True,  # each task has all that it needs
        meta=np.empty((0,) * len(map.shape), map.dtype),
    )


def data_array(map: Map, chunks: Any, name: str) -> Any:
    """Returns a map as an xarray.DataArray, lazy unless chunks is None."""
    xarray = need("xarray", "Field.xarray", "xarray")
    coords = {
        dim: origin + (first + np.arange(count)) * step
        for dim, count, first, origin, step in zip(
            map.dims, map.shape, map.first, map.origin, map.step
        )
    }
    attrs: dict[str, Any] = {"perlane": map.text}
    if map.dtype != "float32":
        attrs.update(low=float(single(map.low)), high=float(single(map.high)))
    values = (
        map.fill([0] * len(map.shape), map.shape) if chunks is None else dask_array(map, chunks)
    )
    return xarray.DataArray(values, coords, map.dims, name, attrs)
