# SPDX-License-Identifier: MIT
"""Labels of pandas and xarray, which values at labelled points keep."""

from __future__ import annotations

import sys
from typing import Any, Callable, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

Arrays = Tuple[NDArray[Any], ...]


def keep_labels(call: Callable[..., Arrays], coords: Sequence[Any], count: int) -> Any:
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
