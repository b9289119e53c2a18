// SPDX-License-Identifier: MIT
//
// What the parameters of a sum of octaves do together: a picture, and a curve with its octaves.

import { h, slider } from "./dom.js";
import { drawSigned } from "./how.js";

const [W, H] = [1120, 360];
const CURVE = 150;
const PARAMETERS = {
  octaves: [
    "Octaves",
    { min: 1, max: 8, step: 1, value: 4 },
    "Layers that are added, each finer than the one before.",
  ],
  gain: [
    "Persistence (gain)",
    { min: 0, max: 1, step: 0.01, value: 0.5 },
    "The amplitude of a layer, relative to the one before: from smooth to rough.",
  ],
  frequency: [
    "Frequency",
    { min: 0.002, max: 0.04, step: 0.001, value: 0.01 },
    "Cells of the first layer in a unit: the size of everything.",
  ],
  lacunarity: [
    "Lacunarity",
    { min: 1.2, max: 4, step: 0.05, value: 2 },
    "The frequency of a layer, relative to the one before: how far apart the sizes are.",
  ],
};

export function makeParameters(perlane) {
  const picture = h("canvas", {
    width: W,
    height: H,
    id: "parameters-picture",
    class: "wide-canvas",
    role: "img",
    "aria-label": "The sum of the octaves",
  });
  const curve = h("canvas", {
    width: W,
    height: CURVE,
    id: "parameters-curve",
    class: "wide-canvas",
    role: "img",
    "aria-label": "The upper edge of the picture as a curve, and its octaves",
  });
  const sliders = Object.fromEntries(
    Object.entries(PARAMETERS).map(([name, [label, ends]]) => [
      name,
      slider(label, { id: `parameter-${name}`, ...ends }, draw),
    ]),
  );

  function draw() {
    const options = Object.fromEntries(
      Object.entries(sliders).map(([name, { input }]) => [name, Number(input.value)]),
    );
    const fill = (octaves, size) => {
      const field = perlane.field({ seed: 21, ...options, octaves, normalize: "none" });
      try {
        return field.fill({ size });
      } finally {
        field.free();
      }
    };
    drawSigned(picture, fill(options.octaves, [W, H]), 1);
    const context = curve.getContext("2d");
    const line = (values, colour, wide) => {
      context.strokeStyle = colour;
      context.lineWidth = wide;
      context.beginPath();
      for (let x = 0; x < W; x++) context.lineTo(x, CURVE / 2 - values[x] * 62);
      context.stroke();
    };
    context.clearRect(0, 0, W, CURVE);
    const sums = Array.from({ length: options.octaves }, (_, i) => fill(i + 1, [W]));
    for (let k = sums.length - 1; k >= 0; k--)
      line(
        k ? sums[k].map((value, i) => value - sums[k - 1][i]) : sums[0],
        `hsl(${205 + 28 * k} 65% 58%)`,
        1.2,
      );
    line(sums.at(-1), getComputedStyle(curve).color, 2.6);
  }

  const element = h(
    "section",
    {},
    h("h3", {}, "4. Octaves and their parameters"),
    h(
      "p",
      {},
      "Thin curves are the octaves along the picture’s upper edge, the thick one is their sum.",
    ),
    h(
      "div",
      { class: "form" },
      Object.entries(sliders).map(([name, { element }]) =>
        h("div", {}, element, h("p", { class: "help" }, PARAMETERS[name][2])),
      ),
    ),
    picture,
    curve,
  );
  return { element, draw };
}
