# SPDX-License-Identifier: MIT
"""A caller's program, for the type checker alone: what it marks as an error must be one."""

from typing import Any, Tuple

import numpy as np
from numpy.typing import NDArray

import perlane

Floats = NDArray[np.float32]

field: perlane.Field = perlane.Field("octaves=8", seed=7, hash_table=np.arange(256))
values: NDArray[np.uint16] = field.fill(
    (2, 3), first=(1, 2), origin=0.5, step=(1, 2), dtype="uint16", high=2
)
batch: Floats = field.fill((2, 3), seeds=range(9), dtype=np.float32)
filled: NDArray[np.uint8] = field.fill((2, 3), out=np.empty((2, 3), np.uint8), low=-1)
value, dx, dy = field.gradient((2, 3))
floats: Floats = field.fill(5, threads=0)
gradient: perlane.Gradient = field.replace(octaves=2).gradient((2, 3))
steepness: NDArray[Any] = np.hypot(gradient.dx, gradient.dy)
points: Floats = field.points(values, [1, 2, 3], 0.5, origin=(1, 2, 3))
low, high = field.range(2)
name: str = perlane.OPTIONS["seed"].name + perlane.PRESETS[0] + perlane.isa() + field.text
digest: int = perlane.selftest()

lazy: perlane.Gradient = field.points_gradient(1.5, 2, octaves=3)
rock: NDArray[Any] = field.mask((2, 3), "slope", 30, 45, spacing=(1, 2), dtype="uint16", first=2)
field.to_geotiff("map.tif", (2, 3), crs="EPSG:32633", step=(-10, 10), dtype="uint8", low=None)
like: Any = field.fill_like(field.xarray((2, 3), crs=32633), dtype="uint16", high=2)
drawn: int = perlane.Field(seed=None).seed

heights: Floats = field.replace(period=8, curve="0:0,1:1").fill((2, 3))
land: perlane.Expression = perlane.where((field < 0.1) & ~(field > 0), 2 - field, abs(field) / perlane.x)
mixed: perlane.Expression = perlane.mix(land, -field.at(perlane.x, 2.5), np.float64(0.5)) * 2
read: perlane.Expression = perlane.Expression("max(a, b)", a=field, b=land.fields["f1"])
grid: NDArray[np.uint8] = (land + read).fill((2, 3), low=land.range((2, 3), first=1)[0], dtype="uint8")
perlane.zarr.write("map.zarr", land, (2, 3))
octaves: int = field.octaves + perlane.Field.look("island", octaves_share=True).octaves

map_: perlane.Map = perlane.open_map("map.png")
part: NDArray[Any] = map_[:100, -1]
origin: Tuple[float, ...] = map_.origin + map_.field.replace(octaves=1).range(2)

shaded: perlane.Picture = field.shade((2, 3), "island", low=None, light=(90, 30), first=(1, 2))
normals: NDArray[Any] = field.normals((2, 3), dtype="uint16", y="down")

field.shade((2, 3), "mauve")  # type: ignore[arg-type]
field.mask((2, 3), "slopes", 1, 2)  # type: ignore[arg-type]
field.palette((2, 3), steps=2)  # type: ignore[call-arg]
perlane.Field(octave=8)  # type: ignore[call-arg]
perlane.Field(fractal="rigded")  # type: ignore[arg-type]
perlane.Field.preset("mountains")  # type: ignore[arg-type]
field.octave  # type: ignore[attr-defined]
field.octaves = 3  # type: ignore[misc]
field.fill((2, 3), dtype="uint32")  # type: ignore[call-overload]
field.fill("2x3", shape=(2, 3))  # type: ignore[call-overload]
field.fill((2, 3), out=[1, 2])  # type: ignore[call-overload]
field.dask((2, 3), frist=1)  # type: ignore[call-arg]
field.points(1, 2, origin="0")  # type: ignore[arg-type]
perlane.Field(3)  # type: ignore[arg-type]
perlane.Expression("a", a=land)  # type: ignore[arg-type]
land.octaves  # type: ignore[attr-defined]
field + "a"  # type: ignore[operator]
