# SPDX-License-Identifier: MIT
"""Slopes

`gradient` returns the values and their exact derivatives in one pass. An arrow points downhill, and
is as long as the slope is steep."""

import matplotlib.pyplot as plt
import numpy as np

from perlane import Field

hills = Field(seed=4, octaves=2, frequency=0.01, gain=0.3)
heights, (along_y, along_x) = hills.gradient((240, 640))
y, x = np.mgrid[8:240:12, 8:640:12]

figure, axes = plt.subplots(figsize=(8.4, 3.3))
levels = np.linspace(-0.7, 0.7, 15)
axes.contourf(heights, levels, cmap="BrBG_r", alpha=0.8, extend="both")
axes.contour(heights, levels, colors="#5b4a3a", linewidths=0.4)
downhill = -along_x[y, x], -along_y[y, x]
axes.quiver(x, y, *downhill, angles="xy", scale_units="xy", scale=0.0025, width=0.0011)
axes.set(aspect="equal", xlabel="x", ylabel="y")
plt.show()
