// SPDX-License-Identifier: MIT
//
// Turns the values of a tile into pixels. Runs in the workers.

import { COLOURS, colours, PALETTES, scale, SRGB } from "./palettes.js";

const lookup = new Map();
function table(name) {
  if (!lookup.has(name)) lookup.set(name, colours(name));
  return lookup.get(name);
}

/**
 * Paints size x size pixels from (size + 2) x (size + 2) values: those of the tile, and one more on
 * each side, so that slopes need no other tile.
 *
 * look: style, palette, low, high, light in degrees; height turns a difference of two values into
 * a slope.
 */
export function paint(values, size, look, height, pixels) {
  const row = size + 2;
  const toPalette = scale(look.palette, look.low, look.high);
  const colour = table(look.palette);
  const angle = (look.light * Math.PI) / 180;
  const altitude = Math.PI / 4;
  const lightX = Math.sin(angle) * Math.cos(altitude);
  const lightY = -Math.cos(angle) * Math.cos(altitude);
  const lightZ = Math.sin(altitude);
  const shaded = look.style === "shaded";
  const coast = shaded && PALETTES[look.palette]?.coast;
  let to = 0;
  for (let y = 1; y <= size; y++) {
    for (let x = 1; x <= size; x++, to += 4) {
      const at = y * row + x;
      const value = values[at];
      pixels[to + 3] = 255;
      if (!(value - value === 0)) {
        // Outside the field's domain: a quiet pattern.
        pixels[to] = pixels[to + 1] = pixels[to + 2] = (x + y) & 8 ? 96 : 112;
        continue;
      }
      let light = 1;
      if (look.style !== "flat") {
        let nx = -(values[at + 1] - values[at - 1]) * height;
        let ny = -(values[at + row] - values[at - row]) * height;
        if (look.style === "normals") {
          const scale = 127.5 / Math.sqrt(nx * nx + ny * ny + 1);
          pixels[to] = 127.5 + nx * scale;
          pixels[to + 1] = 127.5 - ny * scale;
          pixels[to + 2] = 127.5 + scale;
          continue;
        }
        if (coast && value < 0) {
          nx *= 0.3;
          ny *= 0.3;
        }
        const lit = (nx * lightX + ny * lightY + lightZ) / Math.sqrt(nx * nx + ny * ny + 1);
        light = 0.28 + (0.72 * (lit > 0 ? lit : 0)) / lightZ;
      }
      const place = toPalette(value) * COLOURS;
      const entry = 3 * (place < 0 ? 0 : place >= COLOURS ? COLOURS - 1 : place | 0);
      for (let c = 0; c < 3; c++) {
        const amount = colour[entry + c] * light * 4096;
        pixels[to + c] = SRGB[amount > 4095 ? 4095 : amount | 0];
      }
    }
  }
}
