// SPDX-License-Identifier: MIT
//
// The library's kinds of noise side by side, with their distributions.

import { $, h } from "./dom.js";
import { drawSigned } from "./how.js";

const SIZE = 160;
const BARS = 48; // height
const BINS = 40;
const KINDS = {
  white: "A random value for each cell, nothing between.",
  gaussian: "The same, normally distributed.",
  value: "Random values, interpolated: soft squares.",
  perlin: "Random gradients, interpolated: even, without blocks.",
  cellular: "Distances to random points.",
  simplex: "Random gradients at the corners of triangles: alike in all directions.",
};

/** Returns a function that draws them. */
export function makeKinds(perlane) {
  const canvas = (height, label, more) =>
    h("canvas", { width: SIZE, height, role: "img", "aria-label": label, ...more });
  const kinds = Object.entries(KINDS).map(([name, text]) => {
    const picture = canvas(SIZE, `${name} noise`);
    const bars = canvas(BARS, `Distribution of ${name} noise`, { class: "bars" });
    const caption = h("figcaption", {}, h("strong", {}, name), ` ${text}`);
    $("kinds").append(h("figure", {}, picture, bars, caption));
    return { name, picture, bars };
  });

  function draw() {
    const [frequency, octaves] = [1 / $("kind-cell").value, $("kind-octaves").value];
    for (const { name, picture, bars } of kinds) {
      const field = perlane.field({ seed: 9, basis: name, frequency, octaves });
      const values = field.fill({ size: [SIZE, SIZE] });
      let [low, high] = field.range(2);
      field.free();
      if (high - low > 8) [low, high] = [-3, 3]; // of normal distributions, the part that is seen
      const middle = (low + high) / 2;
      const centred = values.map((value) => value - middle);
      drawSigned(picture, centred, (high - low) / 2);
      const counts = new Float64Array(BINS);
      for (const value of values) {
        const bin = Math.floor(((value - low) / (high - low)) * BINS);
        counts[Math.min(Math.max(bin, 0), BINS - 1)]++;
      }
      const top = Math.max(...counts);
      const context = bars.getContext("2d");
      context.clearRect(0, 0, SIZE, BARS);
      context.fillStyle = getComputedStyle(bars).color;
      counts.forEach((count, i) => {
        const height = ((BARS - 2) * count) / top;
        context.fillRect((i * SIZE) / BINS, BARS - height, SIZE / BINS - 1, height);
      });
    }
  }
  for (const id of ["kind-cell", "kind-octaves"]) $(id).addEventListener("input", draw);
  return draw;
}
