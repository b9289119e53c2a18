#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compressed maps in other programs: readers.py PERLANE WORK.

Threads compress PNG and TIFF files in pieces. Every piece of the stream is checked here, and the
samples that other programs read are compared bit for bit with those of the .npy of the same map.
Needs GDAL's programs and ImageMagick; NumPy, Pillow, tifffile, imagecodecs, and rasterio, whose wheel
brings a GDAL of its own.
"""

import json
import os
import random
import re
import struct
import subprocess
import sys
import zlib

import numpy as np
import rasterio
import tifffile
from PIL import Image

from command import check, fill, is_same, listing, pixels, png_chunks, read, run, run_steps, same, write

# Noise, flat ground, a map that is the same everywhere, pictures; one piece and many, and pieces
# that end within the map's last rows.
MAPS = [
    "--size 2001x1403 --octaves 8 --frequency 0.002 --bits 16",
    "--size 1024x1024 --octaves 5 --frequency 0.004 --terraces 12 --terrace-sharpness 0.9 --bits 16",
    "--size 1500x1000 --value-scale 0 --range -1,1 --bits 16",
    "--size 200000x35 --octaves 2 --frequency 0.01 --bits 16",
    "--size 1300x1100 --octaves 6 --frequency 0.004 --palette terrain --shade",
    "--size 1300x700 --octaves 6 --frequency 0.004 --normal-map --bits 16",
]


def pngs():
    """One zlib stream with a right checksum and nothing behind it; as small as if it had been
    compressed as a whole, with the strategy for runs of bytes. Other programs read the samples."""
    for options in MAPS:
        fill("-o a.png --threads 3 " + options)
        parts = [data for kind, data in png_chunks(read("a.png")) if kind == b"IDAT"]
        stream = zlib.decompressobj()
        filtered = stream.decompress(b"".join(parts)) + stream.flush()
        check(options + ": one whole stream, in chunks with something in them",
              stream.eof and not stream.unused_data and all(parts))
        whole = zlib.compressobj(6, zlib.DEFLATED, 15, 8, zlib.Z_RLE)
        usual = len(whole.compress(filtered) + whole.flush())
        check("at most 2 % larger than in one piece", sum(map(len, parts)) <= 1.02 * usual + 1000,
              f"{sum(map(len, parts))} bytes, {usual} in one piece")
        if "--normal-map" in options:  # Pillow has no colours of 16 bits
            fill("-o whole.png --threads 1 " + options)
            same("by any number of threads", "a.png", "whole.png")
            continue
        if "--palette" in options:
            fill("-o want.tif " + options)
            want = pixels("want.tif")
        else:
            fill("-o want.npy " + options)
            want = np.load("want.npy")
        check("as Pillow reads it", np.array_equal(pixels("a.png"), want))
        if max(want.shape) > 16000:
            print("not run: ImageMagick on maps that are longer than its limits")
        else:
            done = subprocess.run(["convert", "a.png", "-depth", str(8 * want.dtype.itemsize), "-endian", "LSB",
                                   "rgb:-" if want.ndim == 3 else "gray:-"], capture_output=True, check=False)
            check("as ImageMagick reads it", done.stdout == want.tobytes(), done.stderr.decode())


# ---- GeoTIFF ----

def by_gdal(file):
    """What GDAL's program reads of a file, as rasterio tells it."""
    told = json.loads(subprocess.run(["gdalinfo", "-json", file], stdout=subprocess.PIPE, check=True).stdout)
    corner, right, _, _, _, down = told["geoTransform"]
    code = int(re.findall(r'ID\["EPSG",(\d+)\]', told["coordinateSystem"]["wkt"])[-1])
    return [code, [right, 0, corner, 0, down, told["geoTransform"][3]], told["metadata"][""]["AREA_OR_POINT"],
            told["bands"][0]["type"].lower()]


def by_rasterio(name):
    with rasterio.open(name) as file:
        return [file.crs.to_epsg(), list(file.transform)[:6], file.tags()["AREA_OR_POINT"], file.dtypes[0],
                file.read(1).astype(float)]


def keys(file):
    """Numbers of a GeoTIFF's tags, read here: the scale, the tie point and the keys."""
    data = read(file)
    at, = struct.unpack_from("<I", data, 4)
    count, = struct.unpack_from("<H", data, at)
    tags = {tag: (length, place) for tag, _, length, place in struct.iter_unpack(
        "<HHII", data[at + 2:at + 2 + 12 * count])}
    found = [struct.unpack_from(f"<{tags[tag][0]}{kind}", data, tags[tag][1])
             for tag, kind in ((33550, "d"), (33922, "d"), (34735, "H")) if tag in tags]
    return found


def places():
    """Each tile has its coordinates, in which `perlane points` finds its samples."""
    field = "--octaves 3 --frequency 0.004 --seed 4"
    for code, origin, step in ((32633, (500000, 5200000), (10, -20)), (4326, (14.25, 46.5), (0.5, -0.25)),
                               (7844, (130, -20), (2, -2)), (2154, (-7, 7), (1e-3, -1e-3))):
        geographic = code in (4326, 7844)
        place = f"--crs epsg:{code} --origin={origin[0]},{origin[1]} --step={step[0]},{step[1]}"
        fill(f"-o g.tif --size 40x30 --tiles 2 --force --overlap 1 --bits 32 {place} {field}")
        for i, j in ((0, 0), (1, 0), (0, 1), (1, 1)):
            file, x, y = f"g_x{i}_y{j}.tif", origin[0] + 39 * i * step[0], origin[1] + 29 * j * step[1]
            check(f"{file}: the tags of EPSG:{code}", keys(file) == [
                (step[0], -step[1], 0), (0, 0, 0, x, y, 0),
                (1, 1, 0, 3, 1024, 0, 1, 2 if geographic else 1, 1025, 0, 1, 2, 2048 if geographic else 3072, 0, 1, code)],
                keys(file))
            want = [code, [step[0], 0, x - step[0] / 2, 0, step[1], y - step[1] / 2], "Point", "float32"]
            check(f"{file} as GDAL's program reads it", by_gdal(file) == want, by_gdal(file))
            told = subprocess.run(["listgeo", "-no_norm", file], capture_output=True, text=True, check=True).stdout
            check(f"{file} as libgeotiff reads it", "GTModelTypeGeoKey (Short,1): ModelType" + (
                "Geographic\n" if geographic else "Projected\n") in told and "GTRasterTypeGeoKey (Short,1): RasterPixelIsPoint\n"
                in told, told)
            found = by_rasterio(file)
            check(f"{file} as rasterio reads it", found[:4] == want, found[:4])
            row, column = 17, 23
            position = f"{x + column * step[0]!r} {y + row * step[1]!r}"
            value = run("points --params-of " + file, text=position).out
            check("a pixel is the value at its coordinates", abs(float(value) - found[4][row][column]) < 1e-5, value)
    fill("-o again.tif --params-of g_x1_y1.tif")
    same("options have the coordinate system", "again.tif", "g_x1_y1.tif")
    fill("-o no.tif --params-of g_x1_y1.tif --crs none")
    fill("-o plain.tif --size 40")
    check("without --crs there is no place", keys("no.tif") == keys("plain.tif") == [])
    fill("-o up.png --params-of g_x1_y1.tif --step 1")  # no TIFF: its rows may go up
    for bits, low, high in ((8, 400, 3200), (16, -250.5, 1000), (16, 900, 100)):
        fill(f"-o h.tif --params-of g_x1_y1.tif --bits 32 --heights={low},{high} --range -0.4,0.7")
        fill(f"-o i.tif --params-of g_x1_y1.tif --bits {bits} --heights={low},{high} --range -0.4,0.7")
        with rasterio.open("i.tif") as file, rasterio.open("h.tif") as floats:
            values = file.read(1) * file.scales[0] + file.offsets[0]
            heights = np.clip(floats.read(1).astype(float), *sorted((low, high)))
            check(f"scale and offset of {bits} bits from {low} to {high}", floats.scales == (1,) and np.abs(
                values - heights).max() <= abs(high - low) / (2 ** bits - 1) * 0.51, (file.scales, file.offsets))


def units():
    """Heights are in metres, where the system's own unit is no other."""
    for code, options, unit in ((32633, "--heights 0,900", "m"), (4326, "--look alps --heights natural --bits 16", "m"),
                                (2229, "--heights 0,900", ""), (32633, "--bits 32", ""), (32633, "--heights 0,900 --mask slope=3..9", "")):
        place = f"--size 64 --crs EPSG:{code} --step 10,-10"
        fill(f"-o u.tif {place} {options}" + (" --spacing 10" if "mask" in options else ""))
        fill("-o again.tif --params-of u.tif")
        same(f"the options have the unit of {options}", "again.tif", "u.tif")
        with rasterio.open("u.tif") as file:
            check(f"which in EPSG:{code} is {unit or 'none'}", file.units == (unit or None,), file.units)
    fill("-o d.tif --size 64 --crs EPSG:32633 --step 10,-10 --heights 0,900")
    fill("-o v.tif --params-of d.tif --mask slope=3..9")
    check("a mask of a map of heights", is_same(pixels("u.tif"), pixels("v.tif")))
    with rasterio.open("v.tif") as file:
        check("which has none", file.units == (None,), file.units)


def heights():
    """A second code is the system of heights, and of nothing else."""
    for horizontal, vertical, options in ((32633, 5773, ""), (4326, 3855, "--bits 16"), (2229, 5703, ""), (25832, 7837, "--look alps")):
        crs = f"epsg:{horizontal}+{vertical}"
        fill(f"-o v.tif --size 30x20 --tiles 2x1 --step 10,-20 --heights 400,900 --crs {crs} {options}")
        told = subprocess.run(["gdalinfo", "v_x1_y0.tif"], capture_output=True, text=True, check=True).stdout
        check(f"GDAL reads {crs}", "\nCOMPOUNDCRS[" in told and f'ID["EPSG",{horizontal}]],\n    VERTCRS[' in told and
              f'ID["EPSG",{vertical}]]]\n' in told, told)
        check("in keys of GeoTIFF 1.1", keys("v_x0_y0.tif")[2] == (
            1, 1, 1, 5, 1024, 0, 1, 2 if horizontal == 4326 else 1, 1025, 0, 1, 2, 2048 if horizontal == 4326 else 3072, 0, 1, horizontal,
            4096, 0, 1, vertical, 4099, 0, 1, 9001), keys("v_x0_y0.tif"))
        with rasterio.open("v_x0_y0.tif") as file:
            check("with heights in metres", file.units == ("m",) and file.crs == rasterio.crs.CRS.from_string(crs.upper()) and
                  350 < (file.read(1) * file.scales[0] + file.offsets[0]).min() < 950, (file.units, file.crs))
        check("and tiles are verified", run("verify v.tif --tiles 2x1").status == 0)
        fill("-o again.tif --params-of v_x1_y0.tif")
        same("options have both", "again.tif", "v_x1_y0.tif")
        for change in ("--mask height=500..600", "--palette land", f"--crs EPSG:{horizontal}"):
            fill(f"-o w.tif --params-of v_x0_y0.tif {change}")
            check(f"there are no heights with {change}", keys("w.tif")[2] == (1, 1, 0, 3, *keys("v_x0_y0.tif")[2][4:16]), keys("w.tif"))
        for file in listing():
            os.remove(file)
    write("saved", "perlane=2.0.0 size=4x4 step=10,-10 bits=32 crs=EPSG:2229+6360")  # as Python may have it
    fill("-o v.tif --params-of saved")
    check("a text's system stays, with its own unit", keys("v.tif")[2][3:] == (4, 1024, 0, 1, 1, 1025, 0, 1, 2, 3072, 0, 1, 2229, 4096, 0, 1, 6360))


def scattered():
    """GDAL reads points of each system."""
    for code in (4326, 32633, 2229):
        for z, end, more in (("", "", ""), (",1", ",2", "+5773")):
            points = run(f"scatter --basis cellular --frequency 2 --from 10,20{z} --to 20,30{end} --crs EPSG:{code}{more}").out
            write("trees.geojson", points)
            count = points.count(b'"Feature"')
            told = subprocess.run(["ogrinfo", "-ro", "-so", "-al", "trees.geojson"], capture_output=True, text=True, check=True).stdout
            check(f"GDAL reads points of EPSG:{code}{more}", f'ID["EPSG",{code}]]' in told and ('ID["EPSG",5773]]]\n' in told) == bool(more) and
                  f"Feature Count: {count}\n" in told and "id: Integer" in told and "number: Real" in told, told)


def other_layouts():
    """A TIFF that another program has compressed again, or cut into other tiles or strips."""
    for options in ("--bits 16", "--bits 8 --palette land", "--bits 32"):
        fill(f"-o m.tif --size 700x530 {options} --octaves 4 --frequency 0.03")
        for name, layout in (("a COG", "-of COG -co BLOCKSIZE=512"), ("tiles of 512", "-co TILED=YES -co BLOCKXSIZE=512 -co BLOCKYSIZE=512"),
                             ("tiles of 16", "-co TILED=YES -co BLOCKXSIZE=16 -co BLOCKYSIZE=16 -co COMPRESS=DEFLATE -co PREDICTOR=2"),
                             ("strips", "-co COMPRESS=LZW"), ("one strip", "-co BLOCKYSIZE=530"), ("BigTIFF, big-endian", "-co BIGTIFF=YES -co ENDIANNESS=BIG")):
            if "PREDICTOR" in layout and "32" in options:
                layout = layout.replace("PREDICTOR=2", "PREDICTOR=3")
            done = subprocess.run(["gdal_translate", "-q", *layout.split(), "m.tif", "n.tif"], capture_output=True, text=True, check=False)
            check(f"{name}, {options}, is equal", done.returncode == 0 and run("verify n.tif") == (
                0, b"1 file: 1 equal, 0 different, 0 damaged, 0 missing\n", ""), (done.stderr, run("verify n.tif")))
        data = pixels("m.tif").copy()
        data[431, 77] = 255 - data[431, 77] if data.ndim == 3 else 1
        tifffile.imwrite("n.tif", data, description=Image.open("m.tif").tag_v2[270], metadata=None, rowsperstrip=7)
        done = run("verify n.tif")
        check("and different after a change", done.out.startswith(b"n.tif: differs from sample 77,431 on\n"), done)


def systems():
    """Codes that are taken have the kind that PROJ knows."""
    dice = random.Random(7)
    taken, wrong = 0, []
    for code in [*dice.sample(range(2000, 5100), 60), *dice.sample(range(5100, 10700), 60),
                 *dice.sample(range(20000, 32767), 80), 3857, 27700, 2056, 25832, 4258, 4269, 3413, 3035]:
        done = run(f"fill -q -o c.tif --size 2 --step 1,-1 --crs EPSG:{code}")
        if done.status == 0:
            taken += 1
            wkt = rasterio.crs.CRS.from_epsg(code).to_wkt()
            if not wkt.startswith("GEOGCS" if keys("c.tif")[2][7] == 2 else "PROJCS"):
                wrong.append((code, wkt[:20]))
    check("codes of coordinate systems are what they are", taken > 60 and not wrong, (taken, wrong))
    dice, taken, wrong = random.Random(8), 0, []
    for code in [*dice.sample(range(3800, 10700), 150), *range(5600, 5800, 3), 3855, 5703, 7837, 5773]:
        if run(f"fill -q -o c.tif --size 2 --step 1,-1 --heights 0,9 --crs EPSG:32633+{code}").status == 0:
            taken += 1
            wkt = rasterio.crs.CRS.from_epsg(code).to_wkt()
            if not re.match(r'VERT_CS\[.*UNIT\["metre",1,.*,UP\]', wkt):
                wrong.append((code, wkt))
    check("codes of heights are of metres, upwards", taken > 40 and not wrong, (taken, wrong))
    metric, wrong = 0, []
    for code in [*range(2040, 32767, 97), 2154, 2222, 2229, 2867, 3857, 4326, 25832, 26910, 27700, 28992, 32633, 32761]:
        done = run(f"fill -q -o m.tif --size 2 --step 1,-1 --heights 0,9 --mask slope=1..2 --crs EPSG:{code}")
        if done.status == 0:
            metric += 1
            system = rasterio.crs.CRS.from_epsg(code)
            if system.linear_units_factor[1] != 1 or not system.is_projected:
                wrong.append(code)
    check("slopes are of systems in metres", metric >= 6 and not wrong, (metric, wrong))


sys.exit(run_steps(pngs, places, units, heights, scattered, other_layouts, systems))
