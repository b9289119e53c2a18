// SPDX-License-Identifier: MIT
//
// The library's kinds of noise side by side, with their distributions.

import { h, slider } from "./dom.js";
import { drawSigned } from "./how.js";

const SIZE = 160;
const BINS = 40;
const TEXT = {
  white: "A random value for each cell, nothing between.",
  gaussian: "The same, normally distributed.",
  value: "Random values, interpolated: soft squares.",
  perlin: "Random gradients, interpolated: even, without blocks.",
  cellular: "Distances to random points.",
  simplex: "Random gradients at the corners of triangles: alike in all directions.",
};
const ORDER = ["white", "gaussian", "value", "perlin"];

export function makeKinds(perlane) {
  // Kinds come from the records; those that are not in the order above follow it.
  const names = perlane.options
    .find((option) => option.name === "basis")
    .choices.map((choice) => choice.name);
  const sorted = [
    ...ORDER.filter((name) => names.includes(name)),
    ...names.filter((name) => !ORDER.includes(name)),
  ];
  const kinds = sorted.map((name) => ({
    name,
    picture: h("canvas", { width: SIZE, height: SIZE, role: "img", "aria-label": `${name} noise` }),
    bars: h("canvas", {
      width: SIZE,
      height: 48,
      class: "bars",
      role: "img",
      "aria-label": `Distribution of ${name} noise`,
    }),
  }));
  const cells = slider(
    "Cell, pixels",
    { id: "kind-cell", min: 1, max: 40, step: 1, value: 16 },
    draw,
  );
  const octaves = slider(
    "Octaves",
    { id: "kind-octaves", min: 1, max: 6, step: 1, value: 1 },
    draw,
  );

  function draw() {
    for (const { name, picture, bars } of kinds) {
      const field = perlane.field({
        seed: 9,
        basis: name,
        frequency: 1 / cells.input.value,
        octaves: octaves.input.value,
      });
      const values = field.fill({ size: [SIZE, SIZE] });
      let [low, high] = field.range(2);
      field.free();
      if (high - low > 8) [low, high] = [-3, 3]; // of normal distributions, the part that is seen
      drawSigned(
        picture,
        values.map((value) => value - (low + high) / 2),
        (high - low) / 2,
      );
      const counts = new Float64Array(BINS);
      for (const value of values)
        counts[
          Math.min(Math.max(Math.floor(((value - low) / (high - low)) * BINS), 0), BINS - 1)
        ]++;
      const top = Math.max(...counts);
      const context = bars.getContext("2d");
      context.clearRect(0, 0, SIZE, 48);
      context.fillStyle = getComputedStyle(bars).color;
      counts.forEach((n, i) =>
        context.fillRect((i * SIZE) / BINS, 48 - (46 * n) / top, SIZE / BINS - 1, (46 * n) / top),
      );
    }
  }

  const element = h(
    "section",
    {},
    h("h3", {}, "5. Kinds of noise"),
    h("p", {}, "The same lattice and seed. Below each picture, how often its values occur."),
    h(
      "div",
      { class: "figures" },
      kinds.map(({ name, picture, bars }) =>
        h(
          "figure",
          {},
          picture,
          bars,
          h("figcaption", {}, h("strong", {}, name), " ", TEXT[name] ?? ""),
        ),
      ),
    ),
    h("div", { class: "form" }, cells.element, octaves.element),
  );
  return { element, draw };
}
