// SPDX-License-Identifier: MIT
//
// "How it works": five experiments from the lattice to the finished field. All noise on this part
// is the library's; only the steps inside a cell are computed here, to show them one by one.

import { h } from "./dom.js";
import { makeLattice } from "./how-lattice.js";
import { makeCell } from "./how-cell.js";
import { makeOctaves } from "./how-octaves.js";
import { makeLine } from "./how-line.js";
import { makeKinds } from "./how-kinds.js";

/** Draws values as greys, from low as black to high as white. */
export function drawGrey(canvas, values, low = -1, high = 1) {
  const context = canvas.getContext("2d");
  const image = context.createImageData(canvas.width, canvas.height);
  const words = new Uint32Array(image.data.buffer);
  const factor = 255.99 / (high - low);
  for (let i = 0; i < values.length; i++) {
    const grey = Math.min(Math.max((values[i] - low) * factor, 0), 255) | 0;
    words[i] = 0xff000000 | (grey * 0x010101);
  }
  context.putImageData(image, 0, 0);
}

/** A labelled slider: { element, input }. */
export function slider(label, attributes, change) {
  const id = attributes.id;
  const out = h("output", { for: id }, String(attributes.value));
  const input = h("input", {
    type: "range",
    ...attributes,
    input: () => {
      out.textContent = input.value;
      change(Number(input.value));
    },
  });
  const element = h("div", { class: "control" }, h("div", { class: "line" }, h("label", { for: id }, label), out), input);
  const show = (value) => {
    input.value = value;
    out.textContent = input.value;
  };
  return { element, input, show };
}

export function makeHow(root, perlane) {
  root.append(
    h("h2", {}, "How it works"),
    h("p", { class: "lead" }, "Perlin noise has a random direction at each point of a lattice: its value is 0 there and rises that way, and between the points these slopes are blended. The pictures below are computed while you change them."),
  );
  const cell = makeCell();
  const lattice = makeLattice(perlane, (corners, values) => cell.show(corners, values));
  const parts = [lattice, cell, makeOctaves(perlane), makeLine(perlane), makeKinds(perlane)];
  for (const part of parts) root.append(part.element);
  // One part a frame: none of them holds up the page for long.
  const next = () => {
    const part = parts.shift();
    if (!part) return void (root.dataset.ready = "true");
    part.draw();
    setTimeout(next, 0);
  };
  next();
}
