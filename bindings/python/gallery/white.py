# SPDX-License-Identifier: MIT
"""White and Gaussian noise

With frequency 1 every sample has a random value of its own, uniform or normal, with equal power at
all frequencies; Perlin noise has the frequencies of its octaves. White noise, too, is a function of
the position: a tile of it is the same bits as that part of the map."""

import matplotlib.pyplot as plt
import numpy as np

from perlane import Field

fields = {
    "white": Field(basis="white", frequency=1),
    "gaussian": Field(basis="gaussian", frequency=1),
    "perlin": Field(basis="perlin", frequency=1 / 16),
}
v = np.linspace(-3.5, 3.5, 701)
density = {
    "white": np.where(abs(v) < 1, 1 / 2, 0),
    "gaussian": np.exp(-(v**2) / 2) / np.sqrt(2 * np.pi),
}
variance = {"white": 1 / 3, "gaussian": 1}
cycles = np.fft.rfftfreq(1024)[1:]

figure, axes = plt.subplots(3, 3, figsize=(8.4, 4.8), width_ratios=(2, 3, 3), sharex="col")
for (picture, histogram, spectrum), (basis, field) in zip(axes, fields.items()):
    values = field.fill((1024, 1024))
    picture.imshow(values[:96, :128], "gray", vmin=-1.5, vmax=1.5)
    picture.set_title(f'basis="{basis}"')
    picture.axis("off")
    histogram.hist(values.ravel(), 140, range=(-3.5, 3.5), density=True, color="#8fb3cf")
    histogram.set_yticks([])
    power = np.mean(abs(np.fft.rfft(values)) ** 2, axis=0)[1:] / 1024
    spectrum.loglog(cycles, power, color="#8fb3cf", lw=2)
    spectrum.set_ylim(1e-5, 1e2)
    if basis in density:
        histogram.plot(v, density[basis], color="#b3412e", lw=1)
        spectrum.axhline(variance[basis], color="#b3412e", lw=1)
axes[0, 1].set_title("histogram, and the density")
axes[0, 2].set_title("power along x, and the variance")
axes[2, 1].set_xlabel("value")
axes[2, 2].set_xlabel("cycles per sample")
plt.show()
