# SPDX-License-Identifier: MIT
"""Coordinate reference systems, in xarray's arrays and GeoTIFF files."""

from __future__ import annotations

import os
import re
import secrets
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arguments import need, number, plain

if TYPE_CHECKING:
    from ._map import Map

REFERENCE = "spatial_ref"  # the coordinate that describes the system, as rioxarray names it


def _codes(crs: Any) -> list[Any]:
    """Returns EPSG's codes of a system of pyproj's or rasterio's: two of a compound one."""
    try:
        parts = need("pyproj", "crs", "gis").CRS(crs).sub_crs_list
    except ImportError:
        parts = []
    codes = [part.to_epsg() for part in parts]
    return codes if len(codes) == 2 and all(codes) else [crs.to_epsg()]


def code_of(crs: Any) -> str | None:
    """Returns EPSG's code of a system, such as EPSG:32633; None for None.

    With heights it has two, EPSG:32633+5773.
    """
    if crs is None:
        return None
    codes = _codes(crs) if hasattr(crs, "to_epsg") else [plain(crs)]
    if isinstance(codes[0], str):
        match = re.fullmatch(r"epsg:(\d+)(?:\+(\d+))?", codes[0], re.IGNORECASE)
        codes = [int(code) for code in match.groups() if code] if match else [None]
    if codes[0] is None:
        raise ValueError(f"crs: expected an EPSG code, such as 'EPSG:32633', not {crs!r:.200}")
    codes = [str(number("crs", code, 1024, 32766)) for code in codes]  # as in a GeoTIFF
    return "EPSG:" + "+".join(codes)


def conventions(crs: str | None) -> dict[str, dict[str, Any]]:
    """Returns the attributes that CF and GDAL expect of coordinates, by their names."""
    if crs is None:
        return {}
    try:
        system = need("pyproj", "crs", "gis").CRS(crs)
    except ImportError:
        return {REFERENCE: {REFERENCE: crs}}
    except RuntimeError as error:  # pyproj's
        raise ValueError(f"crs: {error}") from None
    reference = system.to_cf()
    reference[REFERENCE] = reference["crs_wkt"]  # GDAL's name
    return {REFERENCE: reference, **{axis["axis"].lower(): axis for axis in system.cs_to_cf()}}


def system_of(like: Any) -> str | None:
    """Returns the code of the system of a raster or a DataArray, if it has one that is known."""
    labels = getattr(like, "rio", None)  # if rioxarray is loaded
    try:
        return code_of(labels.crs if labels else getattr(like, "crs", None))
    except ValueError:
        return None


def template(raster: Any) -> Any:
    """Returns a DataArray with the positions and the system of a raster of rasterio's."""
    right, row_right, x, down_row, down, y = raster.transform[:6]
    if row_right or down_row:
        raise ValueError("fill_like: the raster's rows do not go from west to east")
    places = {"y": (down, y, raster.height), "x": (right, x, raster.width)}
    coords: Any = {a: at + (np.arange(n) + 0.5) * step for a, (step, at, n) in places.items()}
    if raster.crs:
        wkt = raster.crs.to_wkt()
        coords[REFERENCE] = (), 0, {"crs_wkt": wkt, REFERENCE: wkt}
    values = np.broadcast_to(0, (raster.height, raster.width))
    return need("xarray", "Field.fill_like", "gis").DataArray(values, coords, ("y", "x"))


def rounding(positions: Any) -> float:
    """Returns how far rounding to their type may take coordinates from an even axis."""
    kind = positions if positions.dtype.kind == "f" else positions.astype(np.float64)
    return 2 * float(np.spacing(np.abs(kind).max()))  # both its ends are rounded, too


def spacing(axis: Any, positions: Any) -> tuple[float, float]:
    """Returns the first position along an axis, and the distance between positions."""
    if positions.dtype.kind not in "iuf":
        hint = "; choose one, such as like.isel({}=0)" if positions.dtype.kind in "mM" else ""
        kind = f"{axis}: expected numbers as coordinates, not {positions.dtype}"
        raise TypeError(kind + hint.format(axis))
    origin, count = float(positions[0]), len(positions)
    exact = (float(positions[-1]) - origin) / (count - 1) if count > 1 else 1.0
    error = rounding(positions)
    tolerance = max(1e-3 * abs(exact), min(error, 0.1 * abs(exact)))

    def deviation(step: float) -> float:
        return float(np.abs(origin + np.arange(count) * step - positions).max())

    # The shortest number within rounding: 0.1 instead of 0.09999999997671693.
    numbers = (float(f"{exact:.{digits}g}") for digits in range(1, 17))
    near = (each for each in numbers if abs(each - exact) * count <= 2 * error)
    step = next((each for each in near if deviation(each) <= error), exact)
    off = deviation(step)
    if not off < tolerance:
        raise ValueError(
            f"{axis}: expected evenly spaced coordinates; these are up to {off:.2g} from it, "
            f"of {tolerance:.2g} that are accepted; for others use Field.points"
        )
    return origin, step


def write_geotiff(path: Any, map_: Map, threads: int) -> None:
    """Writes a map as a GeoTIFF, which is complete or not there."""
    rasterio = need("rasterio", "Field.to_geotiff", "gis")
    if map_.ndim != 2 or map_.crs is None:
        wrong = "shape: expected two counts" if map_.crs else "crs: expected an EPSG code"
        raise ValueError(f"{wrong}; a GeoTIFF is a map of places")
    (height, width), (down, right) = map_.shape, map_.step
    if not down < 0 < right:
        step = f"step=({-abs(down)!r}, {abs(right)!r})"
        raise ValueError(f"step: rows go from north to south and columns to the east; {step}")
    y, x = (float(each[0]) for each in map_.coordinates.values())
    folder, name = os.path.split(os.fspath(path))
    partial = os.path.join(folder, f".{name}.perlane-{secrets.token_hex(4)}")
    profile = {
        "driver": "GTiff", "height": height, "width": width, "count": 1, "dtype": map_.dtype,
        "crs": map_.crs, "tiled": True, "compress": "deflate", "zlevel": 1, "bigtiff": "if_safer",
        # A sample is the value at a point: pixels begin half a step before it.
        "transform": rasterio.Affine(right, 0, x - right / 2, 0, down, y - down / 2),
    }  # fmt: skip
    if map_.dtype.kind == "u":
        profile["predictor"] = 2
    rows = max(1, (1 << 22) // width // 256) * 256  # of 256 in a tile
    try:
        with rasterio.open(partial, "w", **profile) as file:
            file.update_tags(AREA_OR_POINT="Point", TIFFTAG_IMAGEDESCRIPTION=map_.text)
            if map_.dtype.kind == "u":
                file.scales, file.offsets = [map_.scale], [map_.low]
            for row in range(0, height, rows):
                count = min(rows, height - row)
                values = map_.field._fill(map_._block((row, 0), (count, width)), threads)
                file.write(values, 1, window=((row, row + count), (0, width)))
        os.replace(partial, path)
    finally:
        if os.path.exists(partial):
            os.remove(partial)
