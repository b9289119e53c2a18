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
  const toPalette = scale(look.palette, look.low, look.high);
  const colour = table(look.palette);
  const angle = (look.light * Math.PI) / 180;
  const altitude = (look.altitude * Math.PI) / 180;
  const lightX = Math.sin(angle) * Math.cos(altitude);
  const lightY = -Math.cos(angle) * Math.cos(altitude);
  const lightZ = Math.sin(altitude);
  const direct = 0.7 / Math.max(lightZ, 0.5);
  const { coast, rock } = PALETTES[look.palette] ?? {};
  const [steep, steepest] = rock?.slopes.map((slope) => slope * slope) ?? [];
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
      let stony = 0; // the share of rock
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
        const water = coast && value < 0;
        if (water) {
          nx *= 0.35;
          ny *= 0.35;
        }
        const slope = nx * nx + ny * ny;
        const lit = (nx * lightX + ny * lightY + lightZ) / Math.sqrt(slope + 1);
        light = 0.3 + direct * (lit > 0 ? lit : 0);
        if (rock && !water) stony = Math.min(Math.max((slope - steep) / (steepest - steep), 0), 1);
      }
      const place = toPalette(value) * COLOURS;
      const entry = 3 * (place < 0 ? 0 : place >= COLOURS ? COLOURS - 1 : place | 0);
      for (let c = 0; c < 3; c++) {
        const ground = colour[entry + c];
        const amount = (stony ? ground + stony * (rock.colour[c] - ground) : ground) * light * 4096;
        pixels[to + c] = SRGB[amount > 4095 ? 4095 : amount | 0];
      }
    }
  }
}
