// SPDX-License-Identifier: MIT
//
// The same in one dimension: a curve and its octaves.

import { h } from "./dom.js";
import { slider } from "./how.js";

const W = 720;
const H = 300;

export function makeLine(perlane) {
  const canvas = h("canvas", { width: W, height: H, class: "wide-canvas", id: "line", role: "img", "aria-label": "A curve of noise, and its octaves" });
  const count = slider("Octaves", { id: "line-count", min: 1, max: 7, step: 1, value: 5 }, draw);
  const gain = slider("Gain", { id: "line-gain", min: 0, max: 1, step: 0.01, value: 0.5 }, draw);
  const move = slider("Position", { id: "line-position", min: 0, max: 1000, step: 1, value: 0 }, draw);

  function draw() {
    const n = Number(count.input.value);
    const sums = [];
    for (let octaves = 1; octaves <= n; octaves++) {
      const field = perlane.field({ seed: 21, frequency: 1 / 180, octaves, gain: gain.input.value, normalize: "none" });
      sums.push(field.fill({ size: [W], first: [Number(move.input.value)] }));
      field.free();
    }
    const context = canvas.getContext("2d");
    const style = getComputedStyle(canvas);
    context.clearRect(0, 0, W, H);
    const line = (values, middle, scale, colour, wide) => {
      context.strokeStyle = colour;
      context.lineWidth = wide;
      context.beginPath();
      for (let x = 0; x < W; x++) context.lineTo(x, middle - values[x] * scale);
      context.stroke();
    };
    for (let k = n - 1; k >= 0; k--) {
      const octave = k ? sums[k].map((value, i) => value - sums[k - 1][i]) : sums[0];
      line(octave, 178 + 19 * k, 50, `hsl(${200 + 32 * k} 60% 55%)`, 1.3);
    }
    line(sums[n - 1], 85, 62, style.color, 2.2);
    context.fillStyle = style.color;
    context.font = `${Math.round((13 * W) / Math.min(canvas.clientWidth || W, W))}px system-ui, sans-serif`;
    context.fillText("sum", 8, 26);
    context.fillText("octaves", 8, 168);
  }

  const element = h(
    "section",
    {},
    h("h3", {}, "4. A line of noise"),
    h("p", {}, "Each coloured curve is an octave, half as wide as the one before; the thick curve is their sum."),
    canvas,
    h("div", { class: "form" }, count.element, gain.element, move.element),
  );
  return { element, draw };
}
