// SPDX-License-Identifier: MIT
//
// Game engines: the files that they take and what to type there, as the command's --for prints it.

const short = (value) => String(Number(value.toPrecision(9)));

/** The nearest whole number, ties to even. */
function round(value) {
  const below = Math.floor(value);
  return value - below === 0.5 ? below + (below % 2) : Math.round(value);
}

// settings: the heights of black and white and the spacing, in metres.
export const ENGINES = {
  unreal: {
    title: "Unreal",
    format: "png",
    sizes: [505, 1009, 2017, 4033],
    settings: ({ low, high, spacing }) =>
      `Scale X ${short(spacing * 100)}, Y ${short(spacing * 100)}, Z ${short(((high - low) * 100) / 512)}; Location Z ${short((low + high) * 50)}`,
  },
  unity: {
    title: "Unity",
    format: "raw",
    sizes: [513, 1025, 2049, 4097],
    settings: ({ size, low, high, spacing }) =>
      `Terrain Width ${short((size[0] - 1) * spacing)}, Length ${short((size[1] - 1) * spacing)}, Height ${short(high - low)}; Position Y ${short(low)}`,
  },
  godot: {
    title: "Godot",
    format: "raw16",
    sizes: [512, 1024, 2048, 4096],
    settings: ({ size, low, high, spacing }) =>
      `R16 Range ${short(low)}, ${short(high)}; R16 Size ${size.join(", ")}; Vertex Spacing ${short(spacing)}`,
  },
};

/** The line of what to type in an engine. */
export function settingsOf(name, terrain) {
  const sea = -terrain.low / (terrain.high - terrain.low);
  const level = sea >= 0 && sea <= 1 ? `; the sea, 0 m, is level ${round(sea * 65535)}` : "";
  return `for ${name}: ${ENGINES[name].settings(terrain)}${level}`;
}

/** Options that make the values from `range` on heights, as the command's --heights does. */
export function scaled(field, range, heights) {
  const [low, high] = range.map(Math.fround);
  const scale = (heights[1] - heights[0]) / (high - low);
  const offset = (Number(field.get("value_offset")) - low) * scale + heights[0];
  return `value_scale=${Number(field.get("value_scale")) * scale} value_offset=${offset}`;
}
