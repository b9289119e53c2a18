# SPDX-License-Identifier: MIT
"""Erosion

`fractal="eroded"` adds less of an octave where the octaves so far are steep: slopes and valleys
become smooth, crests and plains stay rough."""

import matplotlib.pyplot as plt
from matplotlib.colors import LightSource

from perlane import Field

light = LightSource(azdeg=315, altdeg=40)
colours = plt.get_cmap("gist_earth")
figure, axes = plt.subplots(1, 3, figsize=(8.4, 2.95))
for each, erosion in zip(axes, (0, 0.3, 1)):
    field = Field(
        seed=2, octaves=9, frequency=0.008, fractal="eroded", erosion=erosion, normalize="spread"
    )
    heights = field.fill((275, 275))
    each.imshow(light.shade(heights, colours, vert_exag=60, blend_mode="soft", vmin=-1, vmax=1))
    each.set_title(f"erosion={erosion}")
    each.axis("off")
plt.show()
