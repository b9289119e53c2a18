// SPDX-License-Identifier: MIT
//
// Ends of sliders. Numbers can be typed beyond them: they only cover what is useful on a screen.
// Options that are not here get ends from their own bounds, or from their default.

const USEFUL = {
  frequency: [0.0002, 0.5, "log"],
  lacunarity: [1.2, 4],
  gain: [0, 1],
  octaves: [1, 16],
  ping_pong_strength: [0.2, 8],
  erosion: [0, 8],
  warp_amplitude: [0, 400],
  warp_frequency: [0.0002, 0.1, "log"],
  warp_octaves: [1, 8],
  warp_lacunarity: [1.2, 4],
  warp_gain: [0, 1],
  amplitude: [-2, 2],
  value_scale: [-2, 2],
  value_offset: [-1, 1],
  contrast: [0, 8],
  terraces: [0, 48],
};

/** Returns { min, max, log } for an option's slider. */
export function sliderOf(option) {
  const known = USEFUL[option.name];
  if (known) return { min: known[0], max: known[1], log: known[2] === "log" };
  const usual = Number(option.default) || 1;
  if (Number.isFinite(option.max) && option.max - option.min <= 64)
    return { min: option.min, max: option.max, log: false };
  if (option.min === 0 && option.minIsOpen) return { min: usual / 50, max: usual * 50, log: true };
  const low = option.min >= 0 ? option.min : -4 * Math.abs(usual);
  return { min: low, max: Math.max(low + 1, 4 * Math.abs(usual)), log: false };
}
