# SPDX-License-Identifier: MIT
"""The noise of other systems

A preset makes the values of another Perlin noise, as [presets.md](migrating/presets.md) describes. The preset
`grid` takes its gradients from the caller: here, from white noise. With the same seed, `circle` and
`classic` have the same tables, so one is the other moved by a cell, with another fade."""

import matplotlib.pyplot as plt
import numpy as np

import perlane
from perlane import Field

gradients = Field(basis="white", frequency=1, value_scale=1.5).fill((2, 16, 16))
tables = {"grid": {"gradient_grid": np.moveaxis(gradients, 0, 2)}}

figure, axes = plt.subplots(2, 4, figsize=(8.4, 4.5))
for each, preset in zip(axes.flat, perlane.presets()):
    field = Field.preset(preset, **tables.get(preset, {}))
    values = field.fill((205, 205), step=8 / 205)  # 8 by 8 cells
    each.imshow(values, "PuOr_r", vmin=-0.9, vmax=0.9)
    each.set_title(preset)
    each.axis("off")
plt.show()
