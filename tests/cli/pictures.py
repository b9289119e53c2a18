# SPDX-License-Identifier: MIT
"""Tests of the pictures that `perlane fill` makes: pictures.py PERLANE WORK. tests/picture.c has the library's.

What their pixels are, tests/picture.c tests, and pictures of docs/gallery.md are compared with what their
commands write: here are the options that choose them.
"""

import io
import re
import sys

import numpy

from command import check, fill, pixels, printed, read, refused, run, run_steps


def picture(options, file="picture.png"):
    """The pixels of a picture, [y, x] or [y, x, channel]."""
    fill(f"-o {file} {options}")
    return pixels(file).astype(float)


def points(options, x, y=None):
    """The field at positions."""
    coordinates = zip(x.ravel(), y.ravel()) if y is not None else zip(x.ravel())
    lines = "\n".join(" ".join(float(c).hex() for c in position) for position in coordinates)
    done = run("points " + options, text=lines + "\n")
    assert done.status == 0, done.err
    return numpy.array(done.out.split(), dtype=float).reshape(x.shape)


def near(name, found, want, most):
    check(name, found.shape == want.shape and numpy.abs(found - want).max() <= most, numpy.abs(found - want).max())


# ---- Normal maps and shading ----


def surfaces():
    area = "--frequency 0.03 --octaves 2 --seed 5 --size 48 --normal-map"
    up, down = picture(area), picture(f"{area} --normal-map=down")
    check("--normal-map=down has the other green", numpy.abs(down - up * [1, -1, 1] - [0, 255, 0]).max() <= 1 and numpy.ptp(up) > 99)
    near("=on is the default", picture(f"{area} --normal-map=on"), up, 0)
    near("16 bits are finer", picture(f"{area} --bits 16"), up, 1)
    check("--relief auto is another", numpy.abs(picture(f"{area} --relief 1") - up).max() > 5)
    shade = "--octaves 3 --frequency 0.03 --shade --palette terrain --size 900x700"
    near("shading by any number of threads", picture(shade + " --threads 3"), picture(shade + " --threads 1"), 0)


# ---- Palettes ----


def palettes():
    area = "--frequency 0.01 --octaves 6 --size 300x300"
    grey = picture(f"{area} --bits 16")
    near("grey: --palette grey is the map as it is", picture(f"{area} --bits 16 --palette grey"), grey, 0)
    near("colours span --range", picture(f"{area} --palette viridis --range -0.5,2"),
         picture(f"{area} --palette viridis --range -1,1 --value-scale 0.8 --value-offset -0.6"), 1)


# ---- Looks ----


def looks():
    listed = run("looks").out.decode().splitlines()
    names = [line.split()[0] for line in listed]
    size = re.compile(r"\w[\w-]* +[A-Z][^.]+\. [0-9.]+ k?m wide(, [0-9.]+ m high)?\.")
    check("looks are listed, each with a sentence and its size", len(names) > 10 and all(map(size.fullmatch, listed)))
    check("in metres or kilometres", "mountains" in names and
          listed[names.index("mountains")].endswith(" 24 km wide, 2580 m high.") and
          listed[names.index("marble")].endswith(" 2 m wide."))
    for name in names:
        rgb = picture(f"--size 48 --look {name}")
        check(f"{name} is a picture with many colours", len(numpy.unique(rgb.reshape(-1, 3), axis=0)) > 200)
    fill("-o heights.r16 --size 48 --look island")
    heights = numpy.frombuffer(read("heights.r16"), "<u2").reshape(48, 48)
    check("an island's heights have all levels", (heights.min(), heights.max()) == (0, 65535))
    fill("-o heights.png --size 48 --look island --bits 16")
    check("as in a PNG of 16 bits", (pixels("heights.png") == heights).all())
    fill("-o again.r16 --params-of heights.png")
    check("which carries its options", read("again.r16") == read("heights.r16"))
    fill("-o tiles.r16 --size 24 --tiles 2x2 --look island")
    tiles = [[numpy.frombuffer(read(f"tiles_x{x}_y{y}.r16"), "<u2").reshape(24, 24) for x in (0, 1)] for y in (0, 1)]
    check("tiles are those of the whole map", (numpy.block(tiles) == heights).all())
    near("options change a look wherever they are", picture("--octaves 2 --size 48 --look hills --palette grey"),
         picture("--palette grey --look hills --size 48 --octaves 2"), 0)
    near("also those of a text, which a look depends on", picture("--look hills --field 'size=48 step=2'"),
         picture("--look hills --size 48 --step 2"), 0)


def summits():
    """Land is not cut off flat where its curve ends."""
    looks = [line.split()[0] for line in run("looks").out.decode().splitlines()]
    for name in [name for name in looks if name not in ("cracked-earth", "clouds", "marble")]:
        flat = 0
        for seed in range(1, 5):
            heights = numpy.frombuffer(run(f"fill -q -o - --size 256 --bits 32 --look {name} --seed {seed}").out, "<f4")
            flat = max(flat, *(numpy.count_nonzero(heights == end) for end in (heights.min(), heights.max())))
        check(f"{name} has no flat summits and floors", flat < 8, f"{flat} samples")


def same_look_anywhere():
    """A look's lengths, octaves and centre are those of the map, whatever its units."""
    whole = {}
    for look in ("island", "fjords", "dunes"):
        for name, place in (("samples", ""), ("metres", "--step 8,-8 --origin 524288,4194304"),
                            ("degrees", "--step 0.0078125,-0.0078125 --origin=-8,4")):
            whole[name] = printed(f"fill -o look.npy --size 64 --look {look} {place}")
        for name, unit, x, y in (("metres", 8, 524288, 4194304), ("degrees", 2 ** -7, -8, 4)):
            samples, there = whole["samples"], whole[name]
            check(f"{look} in {name}", all(float(there[key]) == float(samples[key]) * factor for key, factor in (
                ("frequency", 1 / unit), ("warp_amplitude", unit), ("warp_frequency", 1 / unit), ("falloff_end", unit))
                if key in samples) and there.get("valley_octaves") == samples.get("valley_octaves"), there)
            if look == "island":
                check("with its centre in the middle", (float(there["falloff_x"]), float(there["falloff_y"])) == (
                    x + 32 * unit, y - 32 * unit), there)


def same_look_in_long_maps():
    """A falloff around a place beyond the map is a slope, whatever the map's shape; others are in its middle."""
    there = printed("fill -o wide.npy --size 96x48 --look island")
    check("an island is in the middle of a wide map", (there["falloff_x"], there["falloff_y"]) == ("48", "24"), there)
    for look in ("dunes", "fjords", "canyon"):
        for size in ("760x214", "64x200"):
            levels = numpy.frombuffer(run(f"fill -q -o - --size {size} --bits 16 --look {look}").out, "<u2")
            check(f"{look} in {size}", levels.max() == 65535 and levels.min() == 0 and len(numpy.unique(levels)) > 999)


def same_look_in_tiles():
    """Also in tiles of the size that an engine chooses."""
    for engine, tiles, side in (("unreal", "4x4", 4 * 1849), ("unity", "2x2", 2 * 1024)):
        there = printed(f"fill -o t --for {engine} --tiles {tiles} --look island --valleys 0 --range=-1,1")
        whole = printed("fill -o whole.npy --size 64 --look island")
        check(f"{tiles} tiles for {engine} are one island", float(there["falloff_x"]) == float(there["falloff_y"]) == side / 2
              and abs(float(there["frequency"]) * side / 64 / float(whole["frequency"]) - 1) < 1e-12, there)


def same_look_at_odd_sizes():
    """Maps with samples at both borders, whole or of tiles that share theirs, are parts of one another."""
    def heights(size, options=""):
        fill(f"-o look.npy --size {size} --look fjords --octaves 4 --valleys 0 {options}")
        return numpy.load(io.BytesIO(read("look.npy")))
    fine = heights(65)
    check("33 samples are every second of 65", (heights(33) == fine[::2, ::2]).all())
    check("and the same places as in 64", (heights(64) == fine[:64, :64]).all())
    fill("-o parts.npy --size 33 --tiles 2x2 --overlap 1 --look fjords --octaves 4 --valleys 0")
    parts = [[numpy.load(io.BytesIO(read(f"parts_x{x}_y{y}.npy"))) for x in (0, 1)] for y in (0, 1)]
    check("tiles that share borders", all((parts[y][x] == fine[32 * y:, 32 * x:][:33, :33]).all()
                                          for y in (0, 1) for x in (0, 1)))
    fill("-o one.npy --size 1 --look fjords")


def actual_range():
    field = "--size 40x30 --frequency 0.05 --octaves 3"
    values = points("--frequency 0.05 --octaves 3", *numpy.meshgrid(numpy.arange(40.0), numpy.arange(30.0)))
    fill(f"-o actual.r16 {field} --range actual")
    fill(f"-o given.r16 {field} --range={float(values.min())!r},{float(values.max())!r}")
    check("--range actual is that of the map", read("actual.r16") == read("given.r16"))
    fill(f"-o threads.r16 {field} --range actual --threads 3")
    check("with any number of threads", read("threads.r16") == read("actual.r16"))
    for name, options in (("levels of 8 bits", "--bits 8 --size 700x900 --octaves 5 --seed 3"), ("a cube", "--size 30 --axes 3"),
                          ("long rows", "--size 300000x3"), ("heights", "--size 200 --heights 0,900 --bits 16")):
        fill(f"-o actual.raw {options} --range actual")
        fill("-o given.raw --params-of actual.raw")
        check(f"{name} are those of the range that the map carries", read("actual.raw") == read("given.raw"))
    fill("-o actual.tif --size 300x200 --tiles 2x3 --range actual --first -7,5 --threads 2")
    check("of each tile, too", run("verify actual.tif --tiles 2x3").out.startswith(b"6 files: 6 equal"))
    refused("a map of values too close for integers", 2, "low and high must be finite and not too close",
            "fill -o x.png --size 8 --value-scale 1e-40 --range actual")
    refused("a map of one value", 2, "--range actual: all samples are 0",
            "fill -o x.png --size 4 --value-scale 0 --range actual")


# ---- Pictures of saved options ----


def saved():
    """Options that add to the picture of saved params, or ask for one of another kind."""
    field = "--size 32x24 --frequency 0.07"
    shaded, normal = "--palette terrain --shade", "--normal-map"
    fill(f"-o shaded.png {field} {shaded}")
    fill(f"-o normals.png {field} {normal}")
    for name, more, whole in (
            ("shaded", "--light 90,30", shaded + " --light 90,30"), ("shaded", "--relief 5", shaded + " --relief 5"),
            ("normals", "--normal-map=down", normal + " --normal-map=down"),
            ("normals", "--relief 3", normal + " --relief 3"), ("shaded", normal, normal),
            ("shaded", "--palette grey --shade=off --bits 8", "--bits 8"),
            ("shaded", "--shade=off", "--palette terrain"),
            ("normals", "--palette clouds", "--palette clouds"), ("normals", shaded, shaded)):
        near(f"the picture of {name}.png with {more}", picture(f"--params-of {name}.png {more}"),
             picture(f"{field} {whole}"), 0)
    near("a text asks for another kind of picture, too", picture("--params-of normals.png --field palette=clouds"),
         picture(f"{field} --palette clouds"), 0)
    refused("but not what belongs to another picture", 2, "--light has no effect without --shade",
            "fill -o x.png --params-of normals.png --light 90,30")


sys.exit(run_steps(surfaces, palettes, looks, summits, same_look_anywhere, same_look_in_long_maps,
                   same_look_in_tiles, same_look_at_odd_sizes, actual_range, saved))
