# SPDX-License-Identifier: MIT
"""Clouds

One volume, whose first axis is the time: clouds drift and change their shape. Samples are twice as
far apart along y as along x, which stretches clouds along the horizon."""

import matplotlib.pyplot as plt
import numpy as np

from perlane import Field

clouds = Field(seed=9, octaves=7, frequency=0.009, gain=0.55, normalize="spread", value_offset=0.1)
frames = clouds.fill((3, 200, 280), step=(35, 2, 1))

sky = np.linspace([0.20, 0.42, 0.72], [0.66, 0.82, 0.94], 200)[:, None]
figure, axes = plt.subplots(1, 3, figsize=(8.4, 2.2))
for time, (each, values) in enumerate(zip(axes, frames)):
    cover = np.clip(1.6 * values, 0, 1)[..., None]
    shadow = 1 - 0.25 * np.clip(values - 0.4, 0, 1)[..., None]
    each.imshow(sky * (1 - cover) + cover * shadow)
    each.set_title(f"t = {time}")
    each.axis("off")
plt.show()
