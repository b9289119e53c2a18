# SPDX-License-Identifier: MIT
"""Terrain

Eroded octaves, warped twice; hillshading by matplotlib."""

import matplotlib.pyplot as plt
from matplotlib.colors import LightSource, LinearSegmentedColormap, to_rgba

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
colours = LinearSegmentedColormap.from_list(
    "land", ["#59683f", "#747a4c", "#958a62", "#8a7763", "#a39a90", "#f2f1ee"]
)
picture = light.shade(heights, colours, vert_exag=110, blend_mode="soft", vmin=-0.1, vmax=0.8)
picture[heights < -0.1] = to_rgba("#41647a")
plt.figure(figsize=(8.4, 3.2))
plt.figimage(picture)
plt.show()
