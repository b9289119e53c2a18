// SPDX-License-Identifier: MIT
//
// Octaves: the sum so far, and the octave that was added last.

import { h } from "./dom.js";
import { drawGrey, slider } from "./how.js";

const W = 320;
const H = 220;

export function makeOctaves(perlane) {
  const sum = h("canvas", { width: W, height: H, id: "octave-sum", role: "img", "aria-label": "The sum of the octaves" });
  const last = h("canvas", { width: W, height: H, role: "img", "aria-label": "The octave that was added last" });
  const count = slider("Octaves", { id: "octave-count", min: 1, max: 8, step: 1, value: 3 }, draw);
  const gain = slider("Gain", { id: "octave-gain", min: 0.2, max: 0.8, step: 0.01, value: 0.5 }, draw);
  const fractal = h("select", { id: "octave-fractal", change: draw }, ["fbm", "ridged", "billow"].map((name) => h("option", { value: name }, name)));
  const text = h("p", { class: "explain", role: "status" });

  const fill = (octaves, first) => {
    const field = perlane.field({ seed: 4, frequency: 1 / 110, octaves, gain: gain.input.value, fractal: fractal.value, normalize: "none", amplitude: 1 });
    try {
      return field.fill({ size: [W, H], first });
    } finally {
      field.free();
    }
  };

  function draw() {
    const n = Number(count.input.value);
    const all = fill(n, 0);
    const before = n > 1 ? fill(n - 1, 0) : new Float32Array(all.length);
    const added = all.map((value, i) => value - before[i]);
    // The picture's range follows the values: with normalize=none the sum grows with each octave.
    const ends = (values) => values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);
    drawGrey(sum, all, ...ends(all));
    drawGrey(last, added, ...ends(added));
    const share = Number(gain.input.value) ** (n - 1);
    text.textContent = `Octave ${n} has cells of ${(110 / 2 ** (n - 1)).toPrecision(3)} pixels and ${Number(share.toPrecision(2))} of the first octave’s amplitude.`;
  }

  const figure = (canvas, caption) => h("figure", {}, canvas, h("figcaption", {}, caption));
  const element = h(
    "section",
    {},
    h("h3", {}, "3. Octaves"),
    h("p", {}, "One layer of noise has features of one size. Layers of half the size and a part of the height add detail."),
    h("div", { class: "figures big" }, figure(sum, "sum"), figure(last, "the last octave alone, with more contrast")),
    h("div", { class: "form" }, count.element, gain.element, h("div", { class: "control" }, h("label", { for: "octave-fractal" }, "Fractal"), fractal)),
    text,
  );
  return { element, draw };
}
