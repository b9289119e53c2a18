# SPDX-License-Identifier: MIT
"""Lazy arrays for Dask, and labelled ones for xarray."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
from numpy.typing import NDArray

from ._optional import need
from ._samples import Samples

Fill = Callable[[Samples], NDArray[Any]]


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
    if indices.dtype.kind not in "iu" or indices.min() < -count or indices.max() >= count:
        raise IndexError(f"expected slices, or indices of {count} samples, not {index!r}")
    indices = np.where(indices < 0, indices + count, indices)
    begin = int(indices.min())
    return begin, int(indices.max()) - begin + 1, indices - begin


class Lazy:
    """An array that computes what it is indexed by: Dask puts slices of slices together."""

    def __init__(self, fill: Fill, samples: Samples) -> None:
        self.fill = fill
        self.samples = samples
        self.shape = samples.shape
        self.ndim = len(samples.shape)
        self.dtype = samples.dtype

    def __getitem__(self, index: Any) -> NDArray[Any]:
        given = index if isinstance(index, tuple) else (index,)
        place = next((i for i, each in enumerate(given) if each is ...), len(given))
        before, after = given[:place], given[place + 1 :]
        between = [slice(None)] * (self.ndim - len(before) - len(after))
        full = (*before, *between, *after)
        if len(full) > self.ndim:
            raise IndexError(f"expected {self.ndim} indices, not {len(full)}")
        start, counts, inner = zip(*map(_bounds, self.shape, full))
        if 0 in counts:
            samples: NDArray[Any] = np.empty(counts, self.dtype)[inner]
        else:
            samples = self.fill(self.samples.block(start, counts))[inner]
        return samples


def dask_array(fill: Fill, samples: Samples, chunks: Any, identity: Any) -> Any:
    """Returns samples as a dask.array.Array; `identity` is the field's."""
    array = need("dask.array", "Field.dask", "dask")
    token = need("dask.base", "Field.dask", "dask").tokenize(identity, samples, chunks)
    return array.from_array(
        Lazy(fill, samples),
        chunks,
        name=f"perlane-{token}",
        inline_array=True,  # each task has all that it needs
        meta=np.empty((0,) * len(samples.shape), samples.dtype),
    )


def data_array(
    values: Callable[[], Any], samples: Samples, name: str, attributes: dict[str, Any]
) -> Any:
    """Returns values as an xarray.DataArray, with positions as coordinates."""
    xarray = need("xarray", "Field.xarray", "xarray")
    return xarray.DataArray(values(), samples.coordinates, samples.axes, name, attributes)
