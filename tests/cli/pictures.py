# SPDX-License-Identifier: MIT
"""Tests of the pictures that `perlane fill` makes: pictures.py PERLANE WORK.

Colours, shading and normals are computed here from what `perlane points` prints at the pixels'
positions, with slopes as differences of values: nothing is shared with the command but its help.
Prints a line per check, ends with their number, and exits with 1 if any failed.
"""

import os
import subprocess
import sys
import zlib

import numpy
import PIL.Image

sys.dont_write_bytecode = True  # the source stays as it is
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from checks import check, total

perlane = os.path.abspath(sys.argv[1])
work = sys.argv[2]
os.makedirs(work, exist_ok=True)
os.chdir(work)


def run(*arguments, stdin=None):
    return subprocess.run([perlane, *arguments], input=stdin, capture_output=True, text=True)


def fill(options, file="picture.png"):
    """The pixels of a picture, [y, x] or [y, x, channel]."""
    if os.path.exists(file):
        os.remove(file)
    result = run("fill", "-o", file, *options.split())
    if result.returncode != 0:
        check(f"fill {options}", False, result.stderr)
        sys.exit(total())
    return numpy.asarray(PIL.Image.open(file)).astype(float)


def fill_rgb16(options, width, height):
    """Pillow reads RGB with 8 bits only; the upper and the lower byte are in a PNG's own rows."""
    fill(options)
    data, compressed, at = open("picture.png", "rb").read(), b"", 8
    while at < len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        if data[at + 4 : at + 8] == b"IHDR":
            bits, colour = data[at + 16], data[at + 17]
            assert (bits, colour) == (16, 2), (bits, colour)
        if data[at + 4 : at + 8] == b"IDAT":
            compressed += data[at + 8 : at + 8 + length]
        at += 12 + length
    raw = zlib.decompress(compressed)
    stride, rows, above = 6 * width, [], bytearray(6 * width)
    for y in range(height):
        begin = y * (stride + 1)
        kind, row = raw[begin], bytearray(raw[begin + 1 : begin + 1 + stride])
        for i in range(stride):
            left, corner = (row[i - 6], above[i - 6]) if i >= 6 else (0, 0)
            up = above[i]
            p = left + up - corner
            paeth = min((left, up, corner), key=lambda v: abs(p - v))
            row[i] = (row[i] + (0, left, up, (left + up) // 2, paeth)[kind]) & 255
        rows.append(row)
        above = row
    pixels = numpy.array([numpy.frombuffer(bytes(row), ">u2") for row in rows], dtype=float)
    return pixels.reshape(height, width, 3)


def refuses(name, options, text):
    file = "refused.png"
    if os.path.exists(file):
        os.remove(file)
    result = run("fill", "-o", file, *options.split())
    check(name, result.returncode == 2 and text in result.stderr and not os.path.exists(file),
          f"status {result.returncode}: {result.stderr}")


def points(options, x, y=None):
    """The field at positions."""
    coordinates = zip(x.ravel(), y.ravel()) if y is not None else zip(x.ravel())
    lines = "\n".join(" ".join(float(c).hex() for c in position) for position in coordinates)
    result = run("points", *options.split(), stdin=lines + "\n")
    assert result.returncode == 0, result.stderr
    return numpy.array(result.stdout.split(), dtype=float).reshape(x.shape)


def samples(options, size, h=1 / 16):
    """Values and slopes at the pixels. Values are floats, wrong by up to 6e-8 each, so slopes by
    up to 6e-8 / h, and by h * h / 6 of a third derivative."""
    x, y = numpy.meshgrid(numpy.arange(size, dtype=float), numpy.arange(size, dtype=float))
    dx = (points(options, x + h, y) - points(options, x - h, y)) / (2 * h)
    dy = (points(options, x, y + h) - points(options, x, y - h)) / (2 * h)
    return points(options, x, y), dx, dy


def to_linear(srgb):
    return numpy.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


def to_srgb(linear):
    linear = numpy.clip(linear, 0, 1)
    return numpy.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)


def luminance(rgb):
    return to_linear(rgb / 255) @ (0.2126, 0.7152, 0.0722)


# ---- Normal maps ----

SIZE = 48
FIELD = "--frequency 0.03 --octaves 2 --seed 5"
VALUE, DX, DY = samples(FIELD, SIZE)


def normals(strength, most, y_sign):
    n = numpy.stack([-strength * DX, y_sign * strength * DY, numpy.ones_like(DX)], axis=2)
    n /= numpy.sqrt((n * n).sum(axis=2, keepdims=True))
    return numpy.floor((n + 1) / 2 * most + 0.5)


for way, sign in (("", 1), ("--normal-y up", 1), ("--normal-y down", -1)):
    found = fill(f"{FIELD} --size {SIZE}x{SIZE} --normal-map --normal-strength 20 {way}")
    wrong = numpy.abs(found - normals(20, 255, sign)).max()
    # Slopes of 20 * value are wrong by 1e-4, a hundredth of a level, which may be rounded.
    check(f"normal map {way or 'by default'}: as from differences", found.ndim == 3 and wrong <= 1,
          f"wrong by {wrong}")

found = fill_rgb16(f"{FIELD} --size {SIZE}x{SIZE} --normal-map --normal-strength 20 --bits 16",
                   SIZE, SIZE)
wrong = numpy.abs(found - normals(20, 65535, 1)).max()
check("normal map of 16 bits: as from differences", wrong <= 5, f"wrong by {wrong}")
components = found / 65535 * 2 - 1
check("normals of 16 bits have length 1", numpy.abs((components ** 2).sum(axis=2) - 1).max() < 1e-4)

for field in ("--frequency 0.05", "--frequency 0.004 --octaves 8", "--frequency 0.1 --basis value",
              "--frequency 0.03 --octaves 4 --fractal ridged --value-scale 100"):
    n = fill(f"{field} --size 512x512 --normal-map") / 255 * 2 - 1
    slope = numpy.sqrt(((n[:, :, 0] ** 2 + n[:, :, 1] ** 2) / n[:, :, 2] ** 2).mean())
    # One picture holds few cells of the first octave, and so is no exact sample of slopes.
    check(f"normal map, automatic strength, {field}: slopes of about 1 in 2", 0.4 < slope < 0.6,
          f"{slope}")

# ---- Shading ----


def light_on(azimuth, altitude, relief):
    a, h = numpy.radians(azimuth), numpy.radians(altitude)
    normal = numpy.stack([-relief * DX, -relief * DY, numpy.ones_like(DX)])
    towards = numpy.array([numpy.sin(a) * numpy.cos(h), -numpy.cos(a) * numpy.cos(h), numpy.sin(h)])
    lambert = numpy.tensordot(towards, normal, 1) / numpy.sqrt((normal ** 2).sum(axis=0))
    return 0.3 + 0.7 * numpy.maximum(lambert, 0) / max(numpy.sin(h), 0.5)


for light in ((315, 45), (270, 45), (80, 20), (0, 90)):
    found = fill(f"{FIELD} --size {SIZE}x{SIZE} --shade --relief 30 --light {light[0]},{light[1]}")
    grey = to_linear(0.25 * VALUE + 0.7)
    wanted = 255 * to_srgb(grey * light_on(*light, 30))[:, :, None]
    wrong = numpy.abs(found - wanted).max()
    # Half a level from rounding, and what tables of 4096 values and 16384 lights leave.
    check(f"shade, light from {light}: as computed", wrong <= 1, f"wrong by {wrong}")

for name, azimuth, facing in (("west", 270, DX), ("east", 90, -DX),
                              ("north", 0, DY), ("south", 180, -DY)):
    # The surface that rises to the east faces west.
    lit = fill(f"{FIELD} --size {SIZE}x{SIZE} --shade --light {azimuth},45")[:, :, 0]
    steep = numpy.percentile(facing, 90)
    level = lit[numpy.abs(facing) < 1e-3].mean()
    check(f"shade: light from {name} brightens what faces it, and darkens the other side",
          lit[facing > steep].mean() > level + 5 and lit[facing < -steep].mean() < level - 5)

whole = fill(f"{FIELD} --size 200x100 --shade --palette terrain")
tile = fill(f"{FIELD} --size 70x40 --first 90,30 --shade --palette terrain")
check("shade: a tile has the pixels of the whole", numpy.array_equal(whole[30:70, 90:160], tile))
check("shade of value noise",
      fill("--basis value --frequency 0.1 --size 64x64 --shade").std() > 5)

# ---- Fields without a gradient ----

ERODED = "--fractal eroded --octaves 5 --frequency 0.03 --warp-amplitude 12 --warp-octaves 3"
CELLULAR = "--basis cellular --cell-output f2_minus_f1 --frequency 0.08"


def test_differences(field):
    """Slopes come from the neighbouring pixels' values."""
    step = numpy.array([0.75, 1.25])
    x, y = numpy.meshgrid(numpy.arange(-1, 41) * step[0], numpy.arange(-1, 31) * step[1])
    values = points(field, x, y)
    dx = 10 * (values[1:-1, 2:] - values[1:-1, :-2])
    dy = 10 * (values[2:, 1:-1] - values[:-2, 1:-1])
    n = numpy.stack([-dx, dy, numpy.ones_like(dx)], axis=2)
    n /= numpy.sqrt((n * n).sum(axis=2, keepdims=True))
    options = f"{field} --step 0.75,1.25"
    normal_map = f"{options} --normal-map --normal-strength 20"
    found = fill(f"{normal_map} --size 40x30")
    wrong = numpy.abs(found - numpy.floor((n + 1) / 2 * 255 + 0.5)).max()
    check(f"normal map, {field}: as from differences", wrong <= 1, f"wrong by {wrong}")
    check(f"normal map, {field}: a slice of a volume",
          fill(f"{field} --normal-map --size 40x30x1").std() > 5)
    shade = f"{options} --shade --palette terrain"
    whole = fill(f"{shade} --size 200x100")
    for more in ("--threads 1", "--threads 3", "--isa scalar"):
        check(f"shade, {field}: the same pixels with {more}",
              numpy.array_equal(whole, fill(f"{shade} --size 200x100 {more}")))
    tile = fill(f"{shade} --size 70x40 --first 90,30")
    check(f"shade, {field}: a tile has the pixels of the whole",
          numpy.array_equal(whole[30:70, 90:160], tile))
    n = fill(f"{field} --size 400x400 --normal-map") / 255 * 2 - 1
    slope = numpy.sqrt(((n[:, :, 0] ** 2 + n[:, :, 1] ** 2) / n[:, :, 2] ** 2).mean())
    check(f"normal map, automatic strength, {field}: slopes of about 1 in 2", 0.35 < slope < 0.65,
          f"{slope}")


test_differences(ERODED)
test_differences(CELLULAR)

# ---- Palettes ----

MAP = "--frequency 0.01 --octaves 6 --size 300x300"
grey = fill(f"{MAP} --bits 16")
check("grey: --palette grey is the map as it is",
      numpy.array_equal(grey, fill(f"{MAP} --bits 16 --palette grey")))

for palette, extra in (("clouds", ""), ("clouds", "--range -0.3,0.6")):
    rgb = fill(f"{MAP} --palette {palette} {extra}")
    levels = fill(f"{MAP} --bits 16 {extra}").ravel()
    light = luminance(rgb).ravel()
    light = light[numpy.lexsort((light, levels))]  # one level may hold two colours
    check(f"{palette} {extra}: never darker with more of them",
          (light - numpy.maximum.accumulate(light)).min() >= -1e-12 and light[-1] > light[0] + 0.3)

for extra in ("", "--range -0.5,2", "--range -3,0.25"):
    rgb = fill(f"{MAP} --palette terrain {extra}")
    water = rgb[:, :, 2] - rgb[:, :, 0] > 40
    clear = numpy.abs(grey - 32767.5) > 1  # these two levels hold both signs
    check(f"terrain {extra}: water below 0 and land from there on",
          rgb.ndim == 3 and numpy.array_equal(water[clear], (grey < 32767.5)[clear]))
rgb = fill("--value-scale 0 --value-offset 0 --size 2x2 --palette terrain")
check("terrain: 0 is land", (rgb[:, :, 0] > rgb[:, :, 2]).all())

white = fill("--basis white --phase none --frequency 0.0625 --size 128x128 --palette clouds")
cells = white.reshape(8, 16, 8, 16, 3)
check("white noise: one colour a cell", (cells == cells[:, :1, :, :1]).all()
      and len(numpy.unique(cells.reshape(-1, 3), axis=0)) > 20)

# ---- What does not go together ----

refuses("a normal map has no palette", "--normal-map --palette terrain", "--palette")
refuses("a normal map has no shade", "--normal-map --shade", "--shade")
refuses("colours have 8 bits", "--palette clouds --bits 16", "--bits 16")
refuses("shading has 8 bits", "--shade --bits 16", "--bits 16")
refuses("white noise has no slopes to shade", "--basis white --shade", "white noise")
refuses("white noise has no normals", "--basis gaussian --normal-map", "white noise")
refuses("a field without slopes", "--contrast 0 --shade", "no slopes")
refuses("slopes beyond the last index", "--fractal eroded --shade --size 4x4 "
        "--first 9223372036854775804,0 --frequency 1e-4", "outside the domain")
refuses("light without shade", "--light 90,45", "--shade")
refuses("strength without a normal map", "--normal-strength 3", "--normal-map")
refuses("no such palette", "--palette mauve", "expected one of grey, terrain, clouds")
refuses("no such light", "--shade --light 400,45", "expected an azimuth from 0 to 360")
refuses("no such altitude", "--shade --light 40,95", "expected an azimuth from 0 to 360")
refuses("no such relief", "--shade --relief high", "expected a finite number of pixels")
refuses("a relief beyond all floats", "--shade --relief 1e200", "too high")

# ---- Pictures of saved options ----


def test_saved_pictures():
    """Options that add to the picture of saved params, or ask for one of another kind."""
    field = "--size 32x24 --frequency 0.07"
    saved = {"shaded": f"{field} --palette terrain --shade", "normals": f"{field} --normal-map"}
    for name, options in saved.items():
        fill(options, f"{name}.png")
    for name, more, whole in (
            ("shaded", "--light 90,30", f"{saved['shaded']} --light 90,30"),
            ("shaded", "--relief 5", f"{saved['shaded']} --relief 5"),
            ("normals", "--normal-y down", f"{saved['normals']} --normal-y down"),
            ("normals", "--normal-strength 3", f"{saved['normals']} --normal-strength 3"),
            ("shaded", "--normal-map", saved["normals"]),
            ("normals", "--palette clouds", f"{field} --palette clouds"),
            ("normals", "--palette terrain --shade", saved["shaded"])):
        check(f"the picture of {name}.png with {more}",
              numpy.array_equal(fill(f"--params-of {name}.png {more}"), fill(whole)))
    refuses("but not what belongs to another picture", "--params-of normals.png --light 90,30",
            "--light has no effect without --shade")


test_saved_pictures()
sys.exit(total())
