// SPDX-License-Identifier: MIT
//
// Palettes as a few stops each, from -1 for the lowest value to 1 for the highest. Between stops
// colours are mixed in linear light. terrain and clouds are those of the command.

const TERRAIN = [
  [-0.6, 10, 34, 80], [-0.25, 20, 66, 124], [-0.08, 42, 109, 163], [-0.015, 84, 158, 188], [0, 128, 192, 198],
  [0, 221, 208, 166], [0.014, 206, 195, 145], [0.032, 143, 166, 88], [0.11, 97, 138, 64], [0.2, 50, 99, 51],
  [0.27, 76, 93, 58], [0.33, 121, 107, 87], [0.42, 141, 132, 123], [0.47, 222, 226, 231], [0.65, 250, 252, 255],
];
const CLOUDS = [
  [-0.8, 44, 100, 174], [-0.05, 72, 134, 202], [0.04, 118, 167, 219], [0.13, 176, 203, 233], [0.23, 217, 229, 242],
  [0.36, 240, 244, 248], [0.6, 252, 253, 254],
];
const VIRIDIS = [
  [-1, 68, 1, 84], [-0.75, 71, 44, 122], [-0.5, 59, 81, 139], [-0.25, 44, 113, 142], [0, 33, 144, 141],
  [0.25, 39, 173, 129], [0.5, 92, 200, 99], [0.75, 170, 220, 50], [1, 253, 231, 37],
];
const EMBERS = [
  [-1, 8, 6, 20], [-0.5, 48, 12, 58], [-0.15, 122, 28, 62], [0.1, 196, 62, 38], [0.35, 240, 128, 32],
  [0.65, 252, 204, 96], [1, 255, 250, 222],
];
const MARBLE = [
  [-1, 38, 44, 54], [-0.6, 84, 92, 104], [-0.25, 160, 164, 170], [0, 212, 212, 212], [0.3, 236, 234, 230],
  [1, 252, 251, 248],
];
const EARTH = [
  [-1, 46, 26, 20], [-0.5, 96, 50, 34], [-0.15, 164, 92, 54], [0.1, 206, 140, 84], [0.4, 228, 190, 136],
  [1, 248, 234, 206],
];
const GREY = [[-1, 0, 0, 0], [1, 255, 255, 255]];

export const PALETTES = {
  terrain: { title: "Terrain", stops: TERRAIN, coast: true },
  grey: { title: "Grey", stops: GREY, even: true },
  clouds: { title: "Clouds", stops: CLOUDS },
  viridis: { title: "Viridis", stops: VIRIDIS, even: true },
  embers: { title: "Embers", stops: EMBERS },
  marble: { title: "Marble", stops: MARBLE },
  earth: { title: "Earth", stops: EARTH },
};

export const COLOURS = 2048;

export const linearOf = (srgb) => (srgb <= 0.04045 ? srgb / 12.92 : ((srgb + 0.055) / 1.055) ** 2.4);
const srgbOf = (linear) => (linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055);

/** sRGB bytes by linear light, for light from 0 to 1. */
export const SRGB = Uint8Array.from({ length: 4096 }, (_, i) => Math.round(255 * srgbOf((i + 0.5) / 4096)));

/** A palette's colours in linear light: three numbers each, lowest value first. */
export function colours(name) {
  const { stops, even } = PALETTES[name] ?? PALETTES.grey;
  const out = new Float32Array(3 * COLOURS);
  for (let i = 0; i < COLOURS; i++) {
    const at = (2 * i + 1) / COLOURS - 1;
    let above = stops.findIndex((stop) => stop[0] > at);
    if (above < 0) above = stops.length - 1;
    const low = stops[Math.max(above - 1, 0)];
    const high = stops[above];
    const share = high[0] > low[0] ? Math.min(Math.max((at - low[0]) / (high[0] - low[0]), 0), 1) : 0;
    for (let c = 1; c <= 3; c++) {
      // Greys and viridis are even to the eye, so they are mixed as they are stored.
      const mixed = even
        ? linearOf((low[c] + share * (high[c] - low[c])) / 255)
        : linearOf(low[c] / 255) + share * (linearOf(high[c] / 255) - linearOf(low[c] / 255));
      out[3 * i + c - 1] = mixed;
    }
  }
  return out;
}

/** Returns the function from a value to a position in the palette, from 0 to 1. */
export function scale(name, low, high) {
  if (PALETTES[name]?.coast && low < 0 && high > 0)
    return (value) => (value < 0 ? 0.5 - (0.5 * value) / low : 0.5 + (0.5 * value) / high);
  const factor = 1 / (high - low || 1);
  return (value) => (value - low) * factor;
}
