# SPDX-License-Identifier: MIT
"""Coordinate reference systems: arrays, rasters and GeoTIFF files, as other programs read them."""

import os
import subprocess
import sys

import numpy as np
import pyproj
import pytest
import rasterio
import rioxarray
import xarray

import perlane
from perlane import Field
from perlane._geo import write_geotiff
from support import same

FIELD = Field(seed=3, frequency=0.002, octaves=3, value_scale=300, value_offset=900)
SHAPE = 30, 40
PLACE = {"origin": (5_200_000, 500_000), "step": (-10, 10), "crs": "EPSG:32633"}


def test_systems_are_given_by_their_codes():
    for crs in 32633, "epsg:32633", np.int64(32633), pyproj.CRS(32633), rasterio.CRS.from_epsg(32633):
        map_ = perlane.open_map(FIELD.xarray(SHAPE, **{**PLACE, "crs": crs}))
        assert map_.crs == "EPSG:32633" and map_ == FIELD._map(SHAPE, **PLACE)
    assert FIELD._map(SHAPE).crs is perlane.open_map(FIELD.xarray(SHAPE)).crs is None
    assert perlane.open_map("perlane=1 size=3 crs=none").crs is None
    both = "EPSG:28992+5709"  # also EPSG:7415
    for crs in "epsg:28992+5709", pyproj.CRS(both), rasterio.CRS.from_string(both), pyproj.CRS(7415), rasterio.CRS.from_epsg(7415):
        map_ = perlane.open_map(FIELD.xarray(SHAPE, **{**PLACE, "crs": crs}))
        assert map_.crs == both and map_ == FIELD._map(SHAPE, **{**PLACE, "crs": both})
    bad = "32633", "ESRI:102003", pyproj.CRS("+proj=moll"), 1023, "EPSG:32767", 1.5, True, [32633], "EPSG:32633+", "EPSG:32633+1", "EPSG:1+2+3"
    for crs in bad:
        with pytest.raises((TypeError, ValueError), match="^crs: expected"):
            FIELD.xarray(SHAPE, crs=crs)


def test_arrays_carry_the_system():
    array = FIELD.xarray(SHAPE, **PLACE)
    assert array.rio.crs.to_epsg() == 32633 and array.encoding["grid_mapping"] == "spatial_ref"
    assert pyproj.CRS.from_cf(array.spatial_ref.attrs).to_epsg() == 32633
    assert array.x.attrs["standard_name"] == "projection_x_coordinate" and array.y.units == "metre"
    # A sample is at a pixel's centre.
    assert array.rio.transform() == rasterio.Affine(10, 0, 499_995, 0, -10, 5_200_005)
    with pytest.raises(ValueError, match="crs: .*1024"):
        FIELD.xarray(SHAPE, crs=1024)  # which EPSG has not given to any
    degrees = FIELD.xarray(SHAPE, crs=4326)
    assert degrees.x.attrs["standard_name"] == "longitude" and degrees.rio.crs.to_epsg() == 4326
    heights = FIELD.xarray(SHAPE, **{**PLACE, "crs": "EPSG:32633+5773"})
    assert pyproj.CRS(heights.rio.crs) == pyproj.CRS("EPSG:32633+5773") and heights.x.attrs == array.x.attrs
    code = """if True:
        import sys
        sys.modules["pyproj"] = None
        import perlane
        array = perlane.Field().xarray((2, 3), crs=32633)
        print(array.spatial_ref.attrs)"""
    said = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert said == "{'spatial_ref': 'EPSG:32633'}\n"


@pytest.mark.parametrize("zarr_format", [2, 3])
def test_groups_carry_the_system(zarr_format, tmp_path):
    path, format = tmp_path / "map.zarr", {"zarr_format": zarr_format}
    perlane.zarr.write(path, FIELD, SHAPE, 16, name="height", **format, **PLACE)
    heights = xarray.open_zarr(path).height
    assert heights.rio.crs.to_epsg() == 32633 and perlane.open_map(heights).crs == "EPSG:32633"
    assert same(heights.values, FIELD.xarray(SHAPE, **PLACE).values)
    with pytest.raises(ValueError, match="is a group of other positions: spatial_ref/"):
        other = {**PLACE, "crs": 32634}
        perlane.zarr.write(path, FIELD, SHAPE, 16, name="other", **format, **other)


@pytest.mark.parametrize("levels", [{}, {"dtype": "uint16", "low": 0}], ids=str)
def test_geotiffs(levels, command):
    path = command.folder / "map.tif"
    FIELD.to_geotiff(path, SHAPE, **PLACE, **levels)
    expected = FIELD.fill(SHAPE, origin=PLACE["origin"], step=PLACE["step"], **levels)
    with rasterio.open(path) as file:
        assert same(file.read(1), expected) and file.crs.to_epsg() == 32633
        assert file.tags()["AREA_OR_POINT"] == "Point" and file.xy(0, 0) == (500_000, 5_200_000)
        here = list(file.transform), file.dtypes
    opened = perlane.open_map(path)
    assert opened == FIELD._map(SHAPE, **PLACE, **levels)
    heights = rioxarray.open_rasterio(path, mask_and_scale=True)[0]
    level = opened.scale
    assert np.abs(heights - FIELD.xarray(SHAPE, **PLACE).values).max() <= level
    (command.folder / "text").write_text(opened.text)
    command("fill", "-q", "-o", "again.tif", "--params-of", "text")
    with rasterio.open(command.folder / "again.tif") as file:
        assert same(file.read(1), expected) and (list(file.transform), file.dtypes) == here
    assert sorted(os.listdir(command.folder)) == ["again.tif", "map.tif", "text"]


def test_geotiffs_with_the_system_of_heights(command):
    crs = "EPSG:32633+5773"
    FIELD.to_geotiff(command.folder / "map.tif", SHAPE, **{**PLACE, "crs": crs})
    command("fill", "-q", "-o", "made.tif", "--size", "9", "--step", "10,-10", "--heights", "0,9", "--crs", crs)
    command("verify", "map.tif", "made.tif")
    for name in "map.tif", "made.tif":
        with rasterio.open(command.folder / name) as raster:
            assert raster.crs == rasterio.CRS.from_string(crs)
            like = FIELD.fill_like(raster)
        assert perlane.open_map(like).crs == perlane.open_map(command.folder / name).crs == crs
        assert FIELD.fill_like(like).identical(like)


def test_geotiffs_of_many_blocks(tmp_path, monkeypatch):
    FIELD.to_geotiff(tmp_path / "map.tif", (1500, 8200), **PLACE, threads=2)  # three of 512 rows
    with rasterio.open(tmp_path / "map.tif") as file:
        assert same(file.read(1), FIELD.xarray((1500, 8200), **PLACE).values)
    before, map_ = (tmp_path / "map.tif").read_bytes(), FIELD._map(SHAPE, **PLACE)

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(perlane.Map, "_block", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_geotiff(tmp_path / "map.tif", map_, 1)
    assert (tmp_path / "map.tif").read_bytes() == before and len(os.listdir(tmp_path)) == 1


def test_what_a_geotiff_cannot_be(tmp_path):
    for changes, problem in (
        ({"crs": None}, "crs: expected an EPSG code"),
        ({"step": (10, 10)}, r"step: rows go from north .*; step=\(-10.0, 10.0\)"),
        ({"step": (-10, -20)}, r"step=\(-10.0, 20.0\)"),
        ({"shape": 9, "step": 1, "origin": 0}, "shape: expected two counts"),
        ({"dtype": "float64"}, "dtype"), ({"threads": -1}, "threads"), ({"crs": 1024}, "(?i)epsg"),
    ):  # fmt: skip
        with pytest.raises((TypeError, ValueError), match=problem):
            FIELD.to_geotiff(tmp_path / "no.tif", **{"shape": SHAPE, **PLACE, **changes})
    with pytest.raises(Exception, match="(?i)no such file"):
        FIELD.to_geotiff(tmp_path / "no/no.tif", SHAPE, **PLACE)
    assert not os.listdir(tmp_path)


def test_fields_at_the_positions_of_arrays():
    like = Field(seed=4).xarray(SHAPE, **{**PLACE, "step": (-0.1, 0.1)}, name="relief")
    found = FIELD.fill_like(like, name="height")
    assert found.identical(FIELD.xarray(SHAPE, **{**PLACE, "step": (-0.1, 0.1)}, name="height"))
    assert perlane.open_map(found).crs == "EPSG:32633" and (like + found).shape == SHAPE
    lazy = FIELD.fill_like(like.chunk({"x": 16}), dtype="uint8", low=0)
    assert lazy.chunks == ((30,), (16, 16, 8)) and lazy.dtype == np.uint8
    part = FIELD.fill_like(like[5:, ::2])
    assert np.allclose(part, found[5:, ::2], rtol=1e-6) and part.indexes["x"].equals(like.x[::2].to_index())
    row = FIELD.fill_like(like[3:4])
    assert row.dims == ("y", "x") and np.allclose(row, found[3:4], rtol=1e-6)
    with pytest.raises(ValueError, match="y is one position; keep the axis"):
        FIELD.fill_like(like[3])
    plain = xarray.DataArray(np.zeros((2, 5, 6)), dims=("time", "lat", "lon"))
    assert same(FIELD.fill_like(plain).values, FIELD.fill((2, 5, 6)))
    assert FIELD.fill_like(plain[:1, :1]).shape == (1, 1, 6)
    for coords, problem in (
        ({"lat": [1, 2, 3, 4, 6]}, "lat: expected evenly spaced .* up to 0.75 from it, of 0.0013"),
        ({"lat": [1, 1, 1, 1, 1]}, "lat: expected evenly spaced"),
        ({"lat": np.float32(1e8) + np.arange(5, dtype="f4")}, "lat: expected evenly spaced"),
        ({"lat": [1, 2, np.nan, 4, 5]}, "lat: expected evenly spaced"),
        ({"time": np.array(["2020", "2021"], "M8[ns]")}, r"time: expected numbers .* like.isel\(time=0\)"),
    ):  # fmt: skip
        with pytest.raises((TypeError, ValueError), match=problem):
            FIELD.fill_like(plain.assign_coords(coords))


@pytest.mark.parametrize("step", [1 / 24, 1 / 120, 1 / 240, 0.01])
def test_fields_at_coordinates_of_float32(step):
    whole = -180 + (np.arange(round(360 / step)) + 0.5) * step
    for start in range(0, len(whole) - 120, 997):
        lon = whole[start : start + 120]
        like = xarray.DataArray(np.zeros((2, 120)), {"lat": [1.0, 0], "lon": lon.astype("f4")}, ("lat", "lon"))
        opened = perlane.open_map(FIELD.fill_like(like))
        assert np.abs(opened.coordinates["x"] - lon).max() <= 3 * np.spacing(np.float32(abs(lon).max()))


def test_fields_at_the_positions_of_rasters(tmp_path):
    path = tmp_path / "relief.tif"
    Field(seed=4).to_geotiff(path, SHAPE, **PLACE)
    expected = FIELD.xarray(SHAPE, **PLACE)
    with rasterio.open(path) as raster:
        found = FIELD.fill_like(raster)
    assert same(found.values, expected.values) and found.rio.crs.to_epsg() == 32633
    assert found.attrs == expected.attrs and found.dims == ("y", "x")
    for relief in rioxarray.open_rasterio(path), rioxarray.open_rasterio(path)[0]:  # with a band
        found = FIELD.fill_like(relief)
        assert same(found.values, expected.values) and found.rio.crs.to_epsg() == 32633
        assert found.dims == ("y", "x") and found.attrs == expected.attrs
    profile = {"driver": "GTiff", "width": 3, "height": 2, "count": 1, "dtype": "uint8"}
    system = pyproj.CRS("+proj=moll").to_wkt()  # has no code of EPSG's
    place = rasterio.Affine(2, 0, 10, 0, -2, 20)
    with rasterio.open(path, "w", crs=system, transform=place, **profile):
        pass
    with rasterio.open(path) as raster:
        found = FIELD.fill_like(raster)
        assert found.rio.crs == raster.crs and perlane.open_map(found).crs is None
    assert same(found.values, FIELD.fill((2, 3), origin=(19, 11), step=(-2, 2)))
    turned = rasterio.Affine.rotation(30) @ place
    with rasterio.open(path, "w", crs=system, transform=turned, **profile):
        pass
    with rasterio.open(path) as raster, pytest.raises(ValueError, match="from west to east"):
        FIELD.fill_like(raster)
