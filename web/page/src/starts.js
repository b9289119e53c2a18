// SPDX-License-Identifier: MIT
//
// Starting points: a field, and the look that suits it.

import { START } from "./state.js";

const usual = { style: "shaded", palette: "terrain", low: null, high: null, light: 315, relief: 1 };

export const STARTS = {
  terrain: { title: "Terrain", text: START },
  ridges: {
    title: "Ridges",
    text: "seed=6 frequency=0.004 octaves=7 lacunarity=2.1 gain=0.45 fractal=ridged weighted_strength=0.3 gradients=sphere value_offset=-0.35",
    low: -0.9,
    high: 1,
  },
  clouds: {
    title: "Clouds",
    text: "seed=11 frequency=0.003 octaves=6 gain=0.52 warp_amplitude=60 warp_frequency=0.003 warp_octaves=2 value_offset=0.05",
    style: "flat",
    palette: "clouds",
    low: -0.7,
    high: 0.7,
  },
  marble: {
    title: "Marble",
    text: "seed=3 frequency=0.004 octaves=4 gain=0.5 fractal=billow warp_amplitude=140 warp_frequency=0.004 warp_octaves=4",
    style: "flat",
    palette: "marble",
    low: -1,
    high: -0.2,
  },
  cells: {
    title: "Cells",
    text: "seed=5 frequency=0.012 basis=cellular cell_output=f2_minus_f1 octaves=2 gain=0.3",
    palette: "earth",
    low: -1,
    high: 0.3,
  },
  terraces: {
    title: "Terraces",
    text: "seed=3 frequency=0.004 octaves=6 gain=0.42 gradients=sphere terraces=24 terrace_sharpness=0.8",
    palette: "earth",
    low: -0.6,
    high: 0.6,
  },
  classic: {
    title: "1983’s classic",
    text: "preset=classic frequency=0.02",
    style: "flat",
    palette: "grey",
    low: -0.8,
    high: 0.8,
  },
};

/** The state of a starting point. */
export function startState(name) {
  const { title, ...values } = STARTS[name];
  return { ...usual, ...values };
}
