# SPDX-License-Identifier: MIT
"""Cells

Cellular noise measures distances to random points, one per cell. Above: what it returns. Below: the
distance that it measures, and regular cells."""

import matplotlib.pyplot as plt

from perlane import Field

variants = {
    "f1": {},
    "f2": {"cell_output": "f2"},
    "f2_minus_f1": {"cell_output": "f2_minus_f1"},
    "value": {"cell_output": "value"},
    "edge": {"cell_output": "edge"},
    "f1, manhattan": {"cell_metric": "manhattan"},
    "f1, chebyshev": {"cell_metric": "chebyshev"},
    "f1, jitter 0.4": {"jitter": 0.4},
    "f2_minus_f1, 3 octaves": {"cell_output": "f2_minus_f1", "octaves": 3},
    "edge, jitter 0.4": {"cell_output": "edge", "jitter": 0.4},
}
figure, axes = plt.subplots(2, 5, figsize=(10.4, 4.5))
for each, (title, options) in zip(axes.flat, variants.items()):
    field = Field(seed=8, basis="cellular", frequency=0.03, **options)
    each.imshow(field.fill((205, 205)), "YlGnBu_r")
    each.set_title(title)
    each.axis("off")
plt.show()
