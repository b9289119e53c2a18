// SPDX-License-Identifier: MIT
//
// What the parameters of a sum of octaves do together: a picture, and a curve with its octaves.

import { $, canvasOf } from "./dom.js";
import { drawSigned, fillOnce } from "./how.js";

const [W, H] = [1120, 360];
const CURVE = 150;
const PARAMETERS = ["octaves", "gain", "frequency", "lacunarity"];

/** Returns a function that draws them. */
export function makeParameters(perlane) {
  const picture = canvasOf("parameters-picture", W, H);
  const curve = canvasOf("parameters-curve", W, CURVE);

  function draw() {
    const values = PARAMETERS.map((name) => [name, Number($(`parameter-${name}`).value)]);
    const options = { seed: 21, normalize: "none", ...Object.fromEntries(values) };
    const fill = (octaves, size) => fillOnce(perlane, { ...options, octaves }, { size });
    drawSigned(picture, fill(options.octaves, [W, H]), 1);
    const context = curve.getContext("2d");
    const line = (heights, colour, wide) => {
      context.strokeStyle = colour;
      context.lineWidth = wide;
      context.beginPath();
      for (let x = 0; x < W; x++) context.lineTo(x, CURVE / 2 - heights[x] * 62);
      context.stroke();
    };
    context.clearRect(0, 0, W, CURVE);
    const sums = Array.from({ length: options.octaves }, (_, i) => fill(i + 1, [W]));
    for (let k = sums.length - 1; k >= 0; k--) {
      const octave = k ? sums[k].map((value, i) => value - sums[k - 1][i]) : sums[0];
      line(octave, `hsl(${205 + 28 * k} 65% 58%)`, 1.2);
    }
    line(sums.at(-1), getComputedStyle(curve).color, 2.6);
  }
  for (const name of PARAMETERS) $(`parameter-${name}`).addEventListener("input", draw);
  return draw;
}
