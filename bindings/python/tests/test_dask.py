# SPDX-License-Identifier: MIT
"""Lazy arrays of Dask, arrays of xarray, and what is said where a package is missing."""

import pickle
import sys

import numpy as np
import pytest
import xarray
from perlane._map import Map
from perlane._files import parse_map
from support import same

import perlane
from perlane import Field

FIELD = Field(seed=3, frequency=0.05, octaves=3)
GRID = {"first": (-7, 2**40), "origin": (0.5, -3), "step": (0.1, 0.3)}


@pytest.mark.parametrize("integers", [{}, {"dtype": "uint16", "low": -0.5}])
@pytest.mark.parametrize("shape", [(50,), (40, 30), (3, 4, 5, 6)])
def test_lazy_arrays_have_the_bits_of_fill(shape, integers):
    whole = FIELD.fill(shape, first=5, step=0.1, **integers)
    lazy = FIELD.dask(shape, 7, first=5, step=0.1, **integers)
    assert same(lazy.rechunk(11).compute(), whole)
    assert lazy.max().compute() == whole.max()
    assert same(pickle.loads(pickle.dumps(lazy)).compute(), whole)


@pytest.mark.parametrize(
    "index",
    [np.s_[3:70, 5], np.s_[::-3, 10:60:7], np.s_[5:5], np.s_[[3, 40, 7]], np.s_[-1, -1],
     np.s_[None, 3], np.s_[70:2:-1, ::-1], np.s_[:, [1, 1, 50]]],
)  # fmt: skip
def test_slices_are_those_of_numpy(index):
    lazy = FIELD.dask((90, 80), (32, 17), **GRID)
    assert same(np.asarray(lazy[index].compute()), np.asarray(FIELD.fill((90, 80), **GRID)[index]))


def test_slices_fill_what_they_need(monkeypatch):
    filled = []
    block = Map._block
    lazy = FIELD.dask((10**8, 10**8), (10**5, 10**5))
    monkeypatch.setattr(Map, "_block", lambda *args: filled.append(args[2]) or block(*args))
    lazy[10**7 : 10**7 + 5, 10**5 - 10 : 10**5 + 10].compute(scheduler="synchronous")
    assert filled == [(5, 10), (5, 10)]  # of two chunks, the samples that are wanted


def test_names_depend_on_the_arguments():
    table = {"seed": 3, "hash_table": [*range(256)]}
    assert Field(**table).dask((9, 8), 4, step=0.5).name == Field(**table).dask((9, 8), 4, step=0.5).name
    variants = [FIELD.dask((9, 8), 4), FIELD.dask((9, 8), 5), FIELD.dask((9, 8), 4, first=1)]
    variants += [FIELD.dask((9, 8), 4, dtype="uint8"), Field().dask((9, 8), 4)]
    assert len({lazy.name for lazy in variants}) == len(variants)


def test_errors_are_those_of_fill():
    for name, value in {"dtype": "int16", "low": 0, "step": 0, "frist": 1}.items():
        for call in (FIELD.dask, FIELD.xarray):
            with pytest.raises((TypeError, ValueError), match=f"^(no argument is called ')?{name}"):
                call((3, 4), **{name: value})


@pytest.mark.parametrize("chunks", [None, 2])
def test_xarray_has_the_positions_and_the_options(chunks):
    array = FIELD.xarray((3, 4), **GRID, chunks=chunks, dtype="uint16", low=-0.1)
    assert array.dims == ("y", "x") and (array.chunks is None) == (chunks is None)
    assert same(array.values, FIELD.fill((3, 4), **GRID, dtype="uint16", low=-0.1))
    x, y = array.x.values, array.y.values
    values = FIELD.xarray((3, 4), **GRID, name="heights")
    assert same(values.values, FIELD.points(x, y[:, None])) and values.name == "heights"
    expected = FIELD._map((3, 4), **GRID, dtype="uint16", low=-0.1)
    assert parse_map(array.perlane) == expected
    assert (array.add_offset, array.scale_factor) == (-0.1, 1.1 / 65535)
    decoded = xarray.decode_cf(array.to_dataset(name="heights")).heights  # of CF
    assert np.abs(decoded - values.clip(min=-0.1)).max() <= 1.1 / 65535 and list(values.attrs) == ["perlane"]


@pytest.mark.parametrize(
    ("module", "extra", "call"),
    [("dask.array", "dask", lambda: FIELD.dask(3)),
     ("xarray", "xarray", lambda: FIELD.xarray(3)),
     ("zarr", "zarr", lambda: perlane.open_map("."))],
)  # fmt: skip
def test_missing_packages_are_named(module, extra, call, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=rf'needs {module[:4]}.*: pip install "\.\[{extra}\]"'):
        call()
