# SPDX-License-Identifier: MIT
"""Lazy arrays for Dask, and labelled ones for xarray."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._map import Map
from ._optional import need


def _bounds(count: int, index: Any) -> tuple[int, int, Any]:
    """Returns the first index of an axis that is wanted, how many from there on, and which."""
    if isinstance(index, slice):
        wanted = range(count)[index]
        if not wanted:
            return 0, 0, slice(None)
        begin, end = sorted((wanted[0], wanted[-1]))
        return begin, end - begin + 1, slice(None, None, wanted.step)
    indices = np.asarray(index)
    if indices.size == 0:
        return 0, 0, indices
    begin, end = int(indices.min()), int(indices.max())
    return begin, end - begin + 1, indices - begin


class Lazy:
    """An array that computes what it is indexed by: Dask puts slices of slices together."""

    def __init__(self, map: Map) -> None:
        self.map = map
        self.shape = map.shape
        self.ndim = len(map.shape)
        self.dtype = np.dtype(map.dtype)

    def __getitem__(self, index: tuple[Any, ...]) -> NDArray[Any]:
        start, counts, inner = zip(*map(_bounds, self.shape, index))
        if 0 in counts:
            samples: NDArray[Any] = np.empty(counts, self.dtype)[inner]
        else:
            samples = self.map.fill(start, counts)[inner]
        return samples


def dask_array(map: Map, chunks: Any) -> Any:
    """Returns a map as a dask.array.Array."""
    array = need("dask.array", "Field.dask", "dask")
    token = need("dask.base", "Field.dask", "dask").tokenize(map.field._identity(), map[1:], chunks)
    return array.from_array(
        Lazy(map),
        chunks,
        name=f"perlane-{token}",
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
    values = (
        map.fill([0] * len(map.shape), map.shape) if chunks is None else dask_array(map, chunks)
    )
    return xarray.DataArray(values, coords, map.dims, name, map.attributes)
