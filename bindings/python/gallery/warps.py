# SPDX-License-Identifier: MIT
"""Warps

Positions are displaced by other noise before the field is evaluated. A second round displaces them
by the displacement found there, which folds the field."""

import matplotlib.pyplot as plt

from perlane import Field

warps = {
    "no warp": {},
    "amplitude 60": {"warp_amplitude": 60},
    "amplitude 200": {"warp_amplitude": 200},
    "200, two rounds": {"warp_amplitude": 200, "warp_rounds": 2},
}
figure, axes = plt.subplots(1, 4, figsize=(8.4, 2.25))
for each, (title, warp) in zip(axes, warps.items()):
    field = Field(seed=4, frequency=0.01, octaves=4, warp_frequency=0.007, warp_octaves=3, **warp)
    each.imshow(field.fill((205, 205)), "twilight_shifted", vmin=-0.7, vmax=0.7)
    each.set_title(title)
    each.axis("off")
plt.show()
