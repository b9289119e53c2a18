// SPDX-License-Identifier: MIT
//
// Why gradients and not values: both on the same lattice.

import { canvasOf } from "./dom.js";
import { drawSigned, fillOnce } from "./how.js";

const CELL = 40;
const [COLUMNS, ROWS] = [9, 6];
const SIZE = [COLUMNS * CELL, ROWS * CELL];
const ENDS = { value: 1, perlin: 0.8 };

/** Returns a function that draws both. */
export const makeValues = (perlane) => () => {
  for (const [basis, end] of Object.entries(ENDS)) {
    const options = { basis, seed: 3, frequency: 1 / CELL, phase: "none" };
    const canvas = canvasOf(`why-${basis}`, ...SIZE);
    drawSigned(canvas, fillOnce(perlane, options, { size: SIZE, origin: -CELL / 2 }), end);
    const context = canvas.getContext("2d");
    context.fillStyle = "rgb(0 0 0 / 0.75)";
    for (let y = 0; y < ROWS; y++)
      for (let x = 0; x < COLUMNS; x++)
        context.fillRect((x + 0.5) * CELL - 1.5, (y + 0.5) * CELL - 1.5, 3, 3);
  }
};
