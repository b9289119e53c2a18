// SPDX-License-Identifier: MIT
//
// What each parameter of a sum of octaves does: a curve and a picture that only it changes.

import { h } from "./dom.js";
import { drawSigned, slider } from "./how.js";

const [W, H] = [560, 150];
const [PW, PH] = [260, 150];
const USUAL = { octaves: 4, gain: 0.5, frequency: 0.01, lacunarity: 2 };
const PARAMETERS = [
  ["octaves", "Octaves", { min: 1, max: 8, step: 1 }, "Layers that are added, each finer than the one before."],
  ["gain", "Persistence (gain)", { min: 0, max: 1, step: 0.01 }, "The amplitude of a layer, relative to the one before: from smooth to rough."],
  ["frequency", "Frequency", { min: 0.002, max: 0.04, step: 0.001 }, "Cells of the first layer in a unit: the size of everything."],
  ["lacunarity", "Lacunarity", { min: 1.2, max: 4, step: 0.05 }, "The frequency of a layer, relative to the one before: how far apart the sizes are."],
];

function makeParameter(perlane, [name, label, ends, text]) {
  const curve = h("canvas", { width: W, height: H, id: `curve-${name}`, role: "img", "aria-label": `${label}: a curve and its octaves` });
  const picture = h("canvas", { width: PW, height: PH, id: `picture-${name}`, role: "img", "aria-label": `${label}: a picture` });
  const control = slider(label, { id: `parameter-${name}`, ...ends, value: USUAL[name] }, draw);

  function fill(octaves, size) {
    const field = perlane.field({ seed: 21, ...USUAL, [name]: control.input.value, octaves, normalize: "none" });
    try {
      return field.fill({ size });
    } finally {
      field.free();
    }
  }

  function draw() {
    const count = name === "octaves" ? Number(control.input.value) : USUAL.octaves;
    drawSigned(picture, fill(count, [PW, PH]), 1);
    const context = curve.getContext("2d");
    const style = getComputedStyle(curve);
    context.clearRect(0, 0, W, H);
    const line = (values, colour, wide) => {
      context.strokeStyle = colour;
      context.lineWidth = wide;
      context.beginPath();
      for (let x = 0; x < W; x++) context.lineTo(x, H / 2 - values[x] * 62);
      context.stroke();
    };
    const sums = Array.from({ length: count }, (_, i) => fill(i + 1, [W]));
    for (let k = count - 1; k >= 0; k--) line(k ? sums[k].map((value, i) => value - sums[k - 1][i]) : sums[0], `hsl(${205 + 28 * k} 65% 58%)`, 1.2);
    line(sums[count - 1], style.color, 2.6);
  }

  const element = h("div", { class: "parameter" }, h("div", {}, control.element, h("p", { class: "help" }, text)), curve, picture);
  return { element, draw };
}

export function makeParameters(perlane) {
  const rows = PARAMETERS.map((parameter) => makeParameter(perlane, parameter));
  const element = h(
    "section",
    {},
    h("h3", {}, "4. Octaves and their parameters"),
    h("p", {}, "Thin curves are the octaves, the thick one is their sum. Each row changes one parameter and leaves the others alone."),
    rows.map((row) => row.element),
  );
  return { element, draw: () => rows.forEach((row) => row.draw()) };
}
