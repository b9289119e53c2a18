# SPDX-License-Identifier: MIT
"""Terrain

Eroded octaves, warped twice; hillshading by matplotlib."""

import matplotlib.pyplot as plt
from matplotlib.colors import LightSource, to_rgba

from perlane import Field

terrain = Field(
    seed=5,
    octaves=10,
    frequency=0.004,
    fractal="eroded",
    gradients="sphere",
    normalize="spread",
    warp_amplitude=75,
    warp_frequency=0.004,
    warp_octaves=8,
    warp_rounds=2,
)
heights = terrain.fill((320, 840))

light = LightSource(azdeg=315, altdeg=40)
colours = plt.get_cmap("gist_earth")
picture = light.shade(heights, colours, vert_exag=120, blend_mode="soft", vmin=-0.6, vmax=0.75)
picture[heights < -0.1] = to_rgba("#2c5f86")
plt.figure(figsize=(8.4, 3.2))
plt.figimage(picture)
plt.show()
