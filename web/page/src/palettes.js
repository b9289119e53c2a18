// SPDX-License-Identifier: MIT
//
// Palettes as a few stops each, from -1 for the lowest value to 1 for the highest: the command's,
// and three of the page's own. Between stops colours are mixed in linear light.

import { COMMAND } from "./command-palettes.js";

const VIRIDIS = [
  [-1, 68, 1, 84], [-0.75, 71, 44, 122], [-0.5, 59, 81, 139], [-0.25, 44, 113, 142], [0, 33, 144, 141],
  [0.25, 39, 173, 129], [0.5, 92, 200, 99], [0.75, 170, 220, 50], [1, 253, 231, 37],
];
const EMBERS = [
  [-1, 8, 6, 20], [-0.5, 48, 12, 58], [-0.15, 122, 28, 62], [0.1, 196, 62, 38], [0.35, 240, 128, 32],
  [0.65, 252, 204, 96], [1, 255, 250, 222],
];
const GREY = [[-1, 0, 0, 0], [1, 255, 255, 255]];

export const linearOf = (srgb) => (srgb <= 0.04045 ? srgb / 12.92 : ((srgb + 0.055) / 1.055) ** 2.4);
const srgbOf = (linear) => (linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055);

const title = (name) => name[0].toUpperCase() + name.slice(1);

/** Rock: its colour in linear light, and the slopes from which there is some, and nothing else. */
const rockOf = ([r, g, b, ...slopes]) => ({ colour: [r, g, b].map((c) => linearOf(c / 255)), slopes });

const { terrain, ...others } = COMMAND;
const palettes = {
  terrain,
  grey: { stops: GREY, even: true },
  ...others,
  viridis: { stops: VIRIDIS, even: true },
  embers: { stops: EMBERS },
};
export const PALETTES = Object.fromEntries(Object.entries(palettes).map(([name, palette]) =>
  [name, { ...palette, title: title(name), rock: palette.rock && rockOf(palette.rock) }]));

export const COLOURS = 2048;

/** sRGB bytes by linear light in 4096ths; light above 1 is white. */
export const SRGB = Uint8Array.from({ length: 8192 }, (_, i) => Math.min(Math.round(255 * srgbOf((i + 0.5) / 4096)), 255));

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

/** Returns a value's position in the palette, from 0 to 1, as zero + value * (below or above). */
export function scale(name, low, high) {
  if (PALETTES[name]?.coast) // beyond a range without water, or without land, all is shore
    return { zero: 0.5, below: low < 0 ? -0.5 / low : 0, above: high > 0 ? 0.5 / high : 0 };
  const factor = 1 / (high - low || 1);
  return { zero: -low * factor, below: factor, above: factor };
}
