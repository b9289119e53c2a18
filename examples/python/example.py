#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws a shaded map as a PGM picture: heights and slopes in one pass, light from the upper left.

Usage: example.py LIBPERLANE.SO MAP.pgm
"""

import sys

import numpy as np

import perlane


def shade(slope_x, slope_y):
    """Returns the cosine of the angle between the surface normal and the light."""
    light = np.array([-1.0, -1.0, 1.5])
    light /= np.linalg.norm(light)
    normals = np.stack([-slope_x, -slope_y, np.ones_like(slope_x)])
    normals /= np.linalg.norm(normals, axis=0)
    return np.clip(np.tensordot(light, normals, 1), 0, 1)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip().splitlines()[-1])
    try:
        perlane.load(sys.argv[1])
        noise = perlane.Noise(frequency=0.004, octaves=7, value_scale=30)
        heights, (slope_x, slope_y) = noise.fill_gradient(640, 480)
        pixels = np.rint(255 * shade(slope_x, slope_y)).astype(np.uint8)
        with open(sys.argv[2], "wb") as file:
            file.write(b"P5\n%d %d\n255\n" % pixels.shape[::-1])
            file.write(pixels.tobytes())
    except (OSError, perlane.PerlaneError) as error:
        sys.exit(f"example.py: {error}")
    print(f"heights from {heights.min():.1f} to {heights.max():.1f}, shaded in {sys.argv[2]}")


if __name__ == "__main__":
    main()
