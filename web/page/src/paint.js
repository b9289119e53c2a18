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
 * look: style, palette, low, high; light and altitude in degrees. height turns a difference of two
 * values into a slope. Light and rock are those of the command's --shade.
 */
export function paint(values, size, look, height, pixels) {
  const row = size + 2;
  const out = new Uint32Array(pixels.buffer, pixels.byteOffset, size * size);
  const { zero, below, above } = scale(look.palette, look.low, look.high);
  const colour = table(look.palette);
  const angle = (look.light * Math.PI) / 180;
  const altitude = (look.altitude * Math.PI) / 180;
  const lightX = Math.sin(angle) * Math.cos(altitude);
  const lightY = -Math.cos(angle) * Math.cos(altitude);
  const lightZ = Math.sin(altitude);
  const direct = 0.7 / Math.max(lightZ, 0.5);
  const { coast, rock } = PALETTES[look.palette] ?? {};
  const [steep, steepest] = rock?.slopes.map((slope) => slope * slope) ?? [Infinity, Infinity];
  const [rockR, rockG, rockB] = rock?.colour ?? [0, 0, 0];
  const shaded = look.style === "shaded";
  const normals = look.style === "normals";
  const quieter = coast ? 0.35 : 1; // slopes under water
  for (let y = 1, to = 0; y <= size; y++) {
    for (let x = 1; x <= size; x++, to++) {
      const at = y * row + x;
      const value = values[at];
      if (!(value - value === 0)) {
        out[to] = (x + y) & 8 ? 0xff606060 : 0xff707070; // outside the field's domain: a quiet pattern
        continue;
      }
      let light = 4096;
      let stony = 0; // the share of rock
      if (shaded || normals) {
        let nx = (values[at - 1] - values[at + 1]) * height;
        let ny = (values[at - row] - values[at + row]) * height;
        if (normals) {
          const length = 127.5 / Math.sqrt(nx * nx + ny * ny + 1);
          const [r, g, b] = [127.5 + nx * length, 127.5 - ny * length, 127.5 + length];
          out[to] = 0xff000000 | (Math.round(b) << 16) | (Math.round(g) << 8) | Math.round(r);
          continue;
        }
        if (value < 0) {
          nx *= quieter;
          ny *= quieter;
        }
        const slope = nx * nx + ny * ny;
        const lit = (nx * lightX + ny * lightY + lightZ) / Math.sqrt(slope + 1);
        light = 4096 * (0.3 + (lit > 0 ? direct * lit : 0));
        if (slope > steep && !(coast && value < 0)) stony = slope < steepest ? (slope - steep) / (steepest - steep) : 1;
      }
      const place = (zero + value * (value < 0 ? below : above)) * COLOURS;
      const entry = 3 * (place < 0 ? 0 : place >= COLOURS ? COLOURS - 1 : place | 0);
      let r = colour[entry];
      let g = colour[entry + 1];
      let b = colour[entry + 2];
      if (stony) {
        r += stony * (rockR - r);
        g += stony * (rockG - g);
        b += stony * (rockB - b);
      }
      // More light than white is white: the table goes on.
      out[to] = 0xff000000 | (SRGB[(b * light) | 0] << 16) | (SRGB[(g * light) | 0] << 8) | SRGB[(r * light) | 0];
    }
  }
}
