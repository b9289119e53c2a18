// SPDX-License-Identifier: MIT
//
// Palettes as a few stops each, from -1 for the lowest value to 1 for the highest. Between stops
// colours are mixed in linear light. All but viridis, embers and the greys are the command's.

const TERRAIN = [
  [-0.6, 10, 34, 80], [-0.25, 20, 66, 124], [-0.08, 42, 109, 163], [-0.015, 84, 158, 188], [0, 128, 192, 198],
  [0, 221, 208, 166], [0.014, 206, 195, 145], [0.032, 143, 166, 88], [0.11, 97, 138, 64], [0.2, 50, 99, 51],
  [0.27, 76, 93, 58], [0.33, 121, 107, 87], [0.42, 141, 132, 123], [0.47, 222, 226, 231], [0.65, 250, 252, 255],
];
const CLOUDS = [
  [-0.8, 44, 100, 174], [-0.05, 72, 134, 202], [0.04, 118, 167, 219], [0.13, 176, 203, 233], [0.23, 217, 229, 242],
  [0.36, 240, 244, 248], [0.6, 252, 253, 254],
];
const LAND = [
  [-1, 9, 30, 72], [-0.4, 20, 66, 124], [-0.12, 42, 109, 163], [-0.02, 84, 158, 188], [0, 128, 192, 198],
  [0, 221, 208, 166], [0.015, 206, 195, 145], [0.04, 134, 158, 84], [0.2, 92, 132, 62], [0.42, 58, 104, 54],
  [0.56, 98, 108, 70], [0.66, 128, 120, 104], [0.76, 160, 156, 150], [0.82, 224, 228, 233], [1, 252, 253, 255],
];
const MEADOW = [
  [-1, 28, 78, 126], [-0.2, 62, 130, 170], [0, 120, 178, 190], [0, 196, 188, 132], [0.03, 142, 164, 86],
  [0.3, 104, 146, 66], [0.6, 82, 126, 56], [1, 132, 142, 80],
];
const DESERT = [
  [-1, 112, 58, 40], [-0.5, 168, 92, 58], [-0.1, 206, 140, 92], [0.3, 196, 112, 70], [0.6, 214, 150, 102],
  [1, 240, 208, 162],
];
const SAND = [
  [-1, 172, 120, 72], [0, 216, 168, 110], [1, 246, 218, 168],
];
const EARTH = [
  [-1, 34, 23, 17], [-0.6, 78, 54, 40], [0.1, 140, 104, 76], [0.6, 178, 140, 104], [1, 204, 170, 132],
];
const STONE = [
  [-1, 42, 40, 38], [-0.5, 84, 80, 75], [0.2, 132, 128, 122], [0.7, 164, 160, 153], [1, 192, 188, 181],
];
const MARBLE = [
  [-1, 58, 62, 74], [-0.85, 120, 125, 136], [-0.6, 190, 193, 199], [-0.1, 228, 228, 230], [1, 250, 249, 246],
];
const WOOD = [
  [-1, 88, 50, 26], [-0.3, 136, 84, 46], [0.5, 182, 124, 74], [1, 212, 162, 108],
];
const PLANET = [
  [-1, 6, 20, 58], [-0.35, 14, 50, 108], [-0.06, 30, 90, 150], [0, 74, 146, 180], [0, 170, 166, 116],
  [0.05, 104, 138, 72], [0.25, 84, 120, 58], [0.45, 150, 134, 88], [0.65, 142, 122, 100], [0.82, 226, 226, 226],
  [1, 252, 253, 255],
];
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

/** Rock: its colour in linear light, and the slopes from which there is some, and nothing else. */
const rock = (srgb, ...slopes) => ({ colour: srgb.map((c) => linearOf(c / 255)), slopes });

export const PALETTES = {
  terrain: { title: "Terrain", stops: TERRAIN, coast: true },
  grey: { title: "Grey", stops: GREY, even: true },
  clouds: { title: "Clouds", stops: CLOUDS },
  land: { title: "Land", stops: LAND, coast: true, rock: rock([116, 106, 94], 0.55, 1.3) },
  meadow: { title: "Meadow", stops: MEADOW, coast: true, rock: rock([138, 124, 98], 0.6, 1.4) },
  desert: { title: "Desert", stops: DESERT, rock: rock([136, 66, 44], 0.5, 1.6) },
  sand: { title: "Sand", stops: SAND },
  earth: { title: "Earth", stops: EARTH },
  stone: { title: "Stone", stops: STONE },
  marble: { title: "Marble", stops: MARBLE },
  wood: { title: "Wood", stops: WOOD },
  planet: { title: "Planet", stops: PLANET, coast: true },
  viridis: { title: "Viridis", stops: VIRIDIS, even: true },
  embers: { title: "Embers", stops: EMBERS },
};

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
