# SPDX-License-Identifier: MIT
"""Erosion

`fractal="eroded"` adds less of an octave where the octaves so far are steep: slopes and valleys
become smooth, crests and plains stay rough."""

import matplotlib.pyplot as plt
from matplotlib.colors import LightSource, LinearSegmentedColormap

from perlane import Field

light = LightSource(azdeg=315, altdeg=40)
colours = LinearSegmentedColormap.from_list("land", ["#59683f", "#958a62", "#8a7763", "#f2f1ee"])
options = {"fractal": "eroded", "gradients": "sphere", "normalize": "spread"}
warp = {"warp_amplitude": 30, "warp_frequency": 0.008, "warp_octaves": 4}
figure, axes = plt.subplots(1, 3, figsize=(8.4, 2.95))
for each, erosion in zip(axes, (0, 0.3, 1)):
    field = Field(seed=4, octaves=9, frequency=0.008, erosion=erosion, **options, **warp)
    heights = field.fill((275, 275))
    each.imshow(light.shade(heights, colours, vert_exag=50, blend_mode="soft", vmin=-0.7, vmax=0.9))
    each.set_title(f"erosion={erosion}")
    each.axis("off")
plt.show()
