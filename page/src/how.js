// SPDX-License-Identifier: MIT
//
// "How it works": experiments with the lattice, its cells and octaves. All noise on this part is the library's;
// only the steps inside a cell are computed here, to show them one by one.

import { $, showValue } from "./dom.js";
import { makeCell } from "./how-cell.js";
import { makeKinds } from "./how-kinds.js";
import { makeLattice } from "./how-lattice.js";
import { makeParameters } from "./how-parameters.js";
import { makeValues } from "./how-values.js";

const NEGATIVE = [20, 88, 168];
const ZERO = [247, 246, 242];
const POSITIVE = [196, 82, 10];
const SIGNED = Uint32Array.from({ length: 512 }, (_, i) => {
  const share = Math.abs(i - 255.5) / 255.5;
  const [r, g, b] = ZERO.map((from, c) =>
    Math.round(from + share * ((i < 256 ? NEGATIVE : POSITIVE)[c] - from)),
  );
  return 0xff000000 | (b << 16) | (g << 8) | r;
});

/** Draws values with two colours: blue below 0, orange above, and white at 0. */
export function drawSigned(canvas, values, end) {
  const context = canvas.getContext("2d");
  const image = context.createImageData(canvas.width, canvas.height);
  const words = new Uint32Array(image.data.buffer);
  const factor = 256 / end;
  for (let i = 0; i < values.length; i++)
    words[i] = SIGNED[Math.min(Math.max(256 + values[i] * factor, 0), 511) | 0];
  context.putImageData(image, 0, 0);
}

/** The values of a field that exists only for them. */
export function fillOnce(perlane, options, grid) {
  const field = perlane.field(options);
  try {
    return field.fill(grid);
  } finally {
    field.free();
  }
}

export function makeHow(perlane) {
  for (const slider of $("part-how").querySelectorAll("[type=range]")) {
    showValue(slider);
    slider.addEventListener("input", () => showValue(slider));
  }
  const showCell = makeCell();
  const parts = [
    makeLattice(perlane, showCell),
    makeValues(perlane),
    makeParameters(perlane),
    makeKinds(perlane),
  ];
  // One part a frame: none of them holds up the page for long.
  const next = () => {
    const draw = parts.shift();
    draw?.();
    if (draw) setTimeout(next, 0);
    else $("part-how").dataset.ready = "true";
  };
  next();
}
