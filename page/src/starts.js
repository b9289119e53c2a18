// SPDX-License-Identifier: MIT
//
// Starting points: plain noise, and the library's looks, drawn as the command draws them.

import { button, h } from "./dom.js";
import { lookOf } from "./picture.js";
import { coordinateOf } from "./place.js";
import { initial } from "./state.js";

/**
 * A look's field for a map of a size. A falloff is that of a square map: it is made to fit, unless
 * it is a slope around a place beyond the map.
 */
function fieldOf(perlane, look, width, height) {
  const field = perlane.field({ look, width });
  const [centre, ratio] = [Number(field.get("falloff_y")), height / width];
  let { text } = field;
  const scale = (name, factor) => (text += ` ${name}=${Number(field.get(name)) * factor}`);
  if (Number(field.get("falloff")) !== 0 && centre >= 0 && centre <= width) {
    scale("falloff_y", ratio);
    if (ratio < 1) ["falloff_start", "falloff_end"].forEach((name) => scale(name, ratio));
  }
  const fitted = perlane.field(text);
  ({ text } = fitted); // as the state has it
  field.free();
  fitted.free();
  return text;
}

/** The values of the first and the last colour, from every n-th sample of a map; none if they are no numbers. */
export async function endsOf(pool, { text, z, size, first = [0n, 0n], step = 1 }, every = 1) {
  const [columns, rows] = size.map((each) => Math.ceil(each / every));
  const [left, top] = first.map((each) => each / BigInt(every));
  const ends = await pool.bands(rows, (from, count) => {
    const part = { size: [columns, count], first: [left, top + BigInt(from)], step: step * every };
    return pool.run({ kind: "extremes", text, z, ...part });
  });
  const short = (value) => (Number.isFinite(value) ? Number(value.toPrecision(9)) : null); // which is exact in float
  const numbers = ends.filter(({ smallest }) => !Number.isNaN(smallest));
  return {
    low: short(Math.min(...numbers.map(({ smallest }) => smallest))),
    high: short(Math.max(...numbers.map(({ largest }) => largest))),
  };
}

/**
 * The state that shows a look on a map of a size whose first sample has index 0, 0. Its colours are
 * for the values of every n-th sample.
 */
export async function startState(perlane, pool, look, [width, height], every = 1) {
  if (look.text) return { ...FLAT, text: look.text };
  const { name, palette, relief, azimuth, altitude } = look;
  const text = fieldOf(perlane, name, width, height);
  return {
    text,
    z: null,
    x: coordinateOf(BigInt(width >> 1), 0),
    y: coordinateOf(BigInt(height >> 1), 0),
    level: 0,
    style: relief > 0 ? "shaded" : "flat",
    palette,
    ...(await endsOf(pool, { text, size: [width, height] }, every)),
    light: azimuth,
    altitude,
    rise: relief > 0 ? relief * width : null,
    relief: 1,
    water: perlane.palette(palette).coast ? 0 : null,
  };
}

// Starts that show nothing but noise.
const PLAIN = [
  { name: "noise", summary: "Perlin noise: one octave.", text: "frequency=0.03" },
  { name: "cells", summary: "Distances to random points.", text: "frequency=0.03 basis=cellular" },
];
const FLAT = { ...lookOf(initial()), style: "flat", palette: "grey", z: null };

const THUMBNAIL = 96; // samples along an edge

/** All starts: plain noise, and the looks. */
export const startsOf = (perlane) => [...PLAIN, ...perlane.looks];

/** A button for each start, which choose(start) follows; attribute names what tests and styles find. */
export const startButtons = (starts, attribute, choose) =>
  starts.map((start) => {
    const more = { [attribute]: start.name, title: start.summary };
    const made = button(start.name.replace("-", " "), () => choose(start), more);
    made.prepend(h("canvas", { width: 1, height: 1, "aria-hidden": "true" }));
    return made;
  });

/** Draws starts on the canvases of all of their buttons. */
export async function drawThumbnails(perlane, pool) {
  const size = THUMBNAIL;
  for (const start of startsOf(perlane)) {
    const { text, ...picture } = await startState(perlane, pool, start, [size, size]);
    const look = { ...FLAT, ...picture };
    const bitmap = await pool.run({ kind: "tile", text, level: 0, x: 0n, y: 0n, size, look });
    for (const canvas of document.querySelectorAll(
      `:is([data-start="${start.name}"], [data-hero="${start.name}"]) canvas`,
    )) {
      canvas.width = canvas.height = size;
      canvas.getContext("2d").drawImage(bitmap, 0, 0);
    }
    bitmap.close();
  }
}
