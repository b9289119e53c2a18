// SPDX-License-Identifier: MIT
//
// "How it works": experiments with the lattice, its cells and octaves. All noise on this part is the library's;
// only the steps inside a cell are computed here, to show them one by one.

import { h, reducedMotion } from "./dom.js";
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

export const figure = (canvas, ...caption) => h("figure", {}, canvas, h("figcaption", {}, caption));

export function makeHow(root, perlane) {
  root.append(
    h("h2", {}, "How it works"),
    h(
      "p",
      { class: "lead" },
      "Perlin noise has a random gradient, not a random value, at each point of a lattice. At each point it is 0 and rises along the gradient; between the points, the slopes of the points around are blended.",
    ),
  );
  const cell = makeCell();
  const lattice = makeLattice(perlane, (corners, values) => cell.show(corners, values));
  const parts = [lattice, cell, makeValues(perlane), makeParameters(perlane), makeKinds(perlane)];
  const sections = parts.map(({ element }) => element);
  const link = (section) =>
    h(
      "button",
      {
        type: "button",
        click: () => section.scrollIntoView({ behavior: reducedMotion() ? "auto" : "smooth" }),
      },
      section.querySelector("h3").textContent,
    );
  root.append(
    h("nav", { class: "buttons sections", "aria-label": "Sections" }, sections.map(link)),
    ...sections,
  );
  // One part a frame: none of them holds up the page for long.
  const next = () => {
    const part = parts.shift();
    part?.draw();
    if (part) setTimeout(next, 0);
    else root.dataset.ready = "true";
  };
  next();
  return { changed: (names) => names.has("lattice") && lattice.reseed() };
}
