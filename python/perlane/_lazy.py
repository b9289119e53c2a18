# SPDX-License-Identifier: MIT
"""Values without an array of their own: lazy maps, arrays of Dask and xarray, labels of pandas."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Callable, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from ._arguments import need
from ._library import __version__
from ._samples import Samples
from ._tables import table_words

if TYPE_CHECKING:
    from ._field import Field

Results = Tuple[NDArray[Any], ...]


def _span(count: int, index: Any) -> tuple[int, int, Any]:
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


class Map:
    """A grid of a field, computed where it is indexed: ``map[100:200, -1]``, ``map[::2]``.

    Its attributes are field and, for axes in the order of the shape, the arguments of ``fill``:
    shape, first, origin, step, dtype, low, high. Indices are slices, ``...``, and whole numbers or lists of them.
    """

    def __init__(self, field: Field, samples: Samples) -> None:
        self.field = field
        self.shape, self.first, self.origin, self.step, self.dtype, self.low, self.high = samples
        self.ndim = len(self.shape)
        self._samples = samples

    def __getitem__(self, index: Any) -> NDArray[Any]:
        given = index if isinstance(index, tuple) else (index,)
        place = next((i for i, each in enumerate(given) if each is ...), len(given))
        before, after = given[:place], given[place + 1 :]
        between = [slice(None)] * (self.ndim - len(before) - len(after))
        full = (*before, *between, *after)
        if len(full) > self.ndim:
            raise IndexError(f"expected {self.ndim} indices, not {len(full)}")
        start, counts, inner = zip(*map(_span, self.shape, full))
        if 0 in counts:
            values: NDArray[Any] = np.empty(counts, self.dtype)[inner]
        else:
            values = self.field._fill(self._samples.block(start, counts))[inner]
        return values

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("a map has no array that copy=False could share; leave copy out")
        return np.asarray(self[...], dtype)

    def _identity(self) -> Any:
        return self.field._identity(), self._samples

    __dask_tokenize__ = _identity

    @property
    def attributes(self) -> dict[str, Any]:
        """What describes the map in a file: all its options as the command's text."""
        text = f"perlane={__version__} {self.field.text}".rstrip()
        words = [text, *self._samples.words, *table_words(self.field._tables)]
        return {"perlane": " ".join(words), **self._samples.levels}

    def __repr__(self) -> str:
        options = ", ".join(f"{name}={value!r}" for name, value in self._samples._asdict().items())
        return f"<perlane.Map {self.field!r}, {options}>"

    def dask(self, chunks: Any) -> Any:
        """Returns a dask.array.Array; ``chunks`` are those of ``dask.array.from_array``."""
        return need("dask.array", "Field.dask", "dask").from_array(
            self,
            chunks,
            inline_array=True,  # each task has all that it needs
            meta=np.empty((0,) * self.ndim, self.dtype),
        )

    def xarray(self, chunks: Any, name: str) -> Any:
        """Returns an xarray.DataArray, with positions as coordinates; lazy if there are chunks."""
        xarray = need("xarray", "Field.xarray", "xarray")
        values = self[...] if chunks is None else self.dask(chunks)
        samples = self._samples
        return xarray.DataArray(values, samples.coordinates, samples.axes, name, self.attributes)


def keep_labels(call: Callable[..., Results], coords: Sequence[Any], count: int) -> Any:
    """Returns `count` results of call(*coords): as DataArrays or Series if coordinates are."""
    # Nobody has one of a package that is not loaded.
    xarray, pandas = sys.modules.get("xarray"), sys.modules.get("pandas")
    if xarray and any(isinstance(each, xarray.DataArray) for each in coords):
        found = xarray.apply_ufunc(
            call if count > 1 else lambda *arrays: call(*arrays)[0],
            *coords,
            output_core_dims=[()] * count,
            dask="parallelized",
            output_dtypes=[np.float32] * count,
        )
        return found if count > 1 else (found,)
    results = call(*coords)
    series = [each for each in coords if pandas and isinstance(each, pandas.Series)]
    if not series or results[0].shape != series[0].shape:
        return results
    if not all(each.index.equals(series[0].index) for each in series):
        raise ValueError("points: the Series have different indexes")
    return tuple(type(series[0])(each, series[0].index) for each in results)
