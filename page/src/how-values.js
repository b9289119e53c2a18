// SPDX-License-Identifier: MIT
//
// Why gradients and not values: both on the same lattice.

import { h } from "./dom.js";
import { drawSigned, figure } from "./how.js";

const CELL = 40;
const COLUMNS = 9;
const ROWS = 6;

export function makeValues(perlane) {
  const make = (basis) =>
    h("canvas", {
      width: COLUMNS * CELL,
      height: ROWS * CELL,
      id: `why-${basis}`,
      role: "img",
      "aria-label": `${basis} noise and its lattice`,
    });
  const pictures = { value: make("value"), perlin: make("perlin") };

  function draw() {
    for (const [basis, canvas] of Object.entries(pictures)) {
      const field = perlane.field({ basis, seed: 3, frequency: 1 / CELL, phase: "none" });
      drawSigned(
        canvas,
        field.fill({ size: [COLUMNS * CELL, ROWS * CELL], origin: -CELL / 2 }),
        basis === "value" ? 1 : 0.8,
      );
      field.free();
      const context = canvas.getContext("2d");
      context.fillStyle = "rgb(0 0 0 / 0.75)";
      for (let y = 0; y < ROWS; y++)
        for (let x = 0; x < COLUMNS; x++)
          context.fillRect((x + 0.5) * CELL - 1.5, (y + 0.5) * CELL - 1.5, 3, 3);
    }
  }

  const element = h(
    "section",
    {},
    h("h3", {}, "3. Why gradients, and not values"),
    h(
      "p",
      {},
      "Value noise interpolates random values. Its peaks are on the lattice points, and neighbours with like values grow into blocks of any size. Perlin noise is 0 on every lattice point: its peaks are between them, now here, now there, and few features are larger than a cell. One layer therefore has one size of detail, and layers can be added like notes.",
    ),
    h(
      "div",
      { class: "figures big" },
      figure(pictures.value, "Values: peaks on the points"),
      figure(pictures.perlin, "Gradients: 0 on the points, peaks between them"),
    ),
  );
  return { element, draw };
}
