# SPDX-License-Identifier: MIT
"""Octaves

Every octave has twice the frequency and half the amplitude of the one before. A field of n octaves
minus the same field of n - 1 is the last octave, as long as nothing is normalized."""

import matplotlib.pyplot as plt
import numpy as np

from perlane import Field

x = np.linspace(0, 8, 801)
sums = [Field(seed=3, frequency=1, octaves=n, normalize="none").points(x) for n in range(1, 6)]
parts = np.diff(sums, axis=0, prepend=0)

figure, axes = plt.subplots(1, 2, figsize=(8.4, 2.9), sharex=True, sharey=True)
for row, (part, total) in enumerate(zip(parts, sums)):
    colour = plt.get_cmap("viridis")(0.85 * row / (len(sums) - 1))
    axes[0].plot(x, part - 1.2 * row, color=colour)
    axes[1].plot(x, total - 1.2 * row, color=colour)
axes[0].set_title("each octave")
axes[1].set_title("the sum of the octaves so far")
axes[0].set_yticks(-1.2 * np.arange(len(sums)), range(1, len(sums) + 1))
for each in axes:
    each.spines["left"].set_visible(False)
    each.tick_params(left=False)
    each.set_xlabel("x, in cells of the first octave")
plt.show()
