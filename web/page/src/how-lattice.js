// SPDX-License-Identifier: MIT
//
// A small grid of gradients over the noise that it makes. The noise is the library's, with
// hash=grid and the gradients as the caller's grid.

import { h } from "./dom.js";
import { drawGrey, slider } from "./how.js";

const NX = 7;
const NY = 5;
const CELL = 96; // pixels
const REACH = 38; // pixels of a vector of length 1
const BORDER = CELL / 2;

export function makeLattice(perlane, onCell) {
  const width = (NX - 1) * CELL + 2 * BORDER;
  const height = (NY - 1) * CELL + 2 * BORDER;
  const vectors = new Float32Array(2 * NX * NY);
  let chosen = 2 * NX + 2;

  function shuffle() {
    for (let i = 0; i < NX * NY; i++) {
      const angle = Math.random() * 2 * Math.PI;
      vectors[2 * i] = Math.cos(angle);
      vectors[2 * i + 1] = Math.sin(angle);
    }
  }
  shuffle();

  const canvas = h("canvas", { id: "lattice", width, height, class: "wide-canvas", role: "img", "aria-label": "Noise with the gradient vector of each lattice point. The controls below change them." });
  const names = Array.from({ length: NX * NY }, (_, i) => h("option", { value: i }, `column ${(i % NX) + 1}, row ${Math.floor(i / NX) + 1}`));
  const which = h("select", { id: "lattice-point", change: () => choose(Number(which.value)) }, names);
  const angle = slider("Direction, degrees", { id: "lattice-angle", min: -180, max: 180, step: 1, value: 0 }, () => fromSliders());
  const length = slider("Length", { id: "lattice-length", min: 0, max: 1.5, step: 0.01, value: 1 }, () => fromSliders());
  const message = h("p", { class: "quiet", role: "status" });

  function draw() {
    let field;
    try {
      field = perlane.field({
        preset: "grid",
        frequency: 1 / CELL,
        gradient_grid: { size: [NX, NY], vectors },
      });
      const values = field.fill({ size: [width, height], origin: [-BORDER, -BORDER] });
      drawGrey(canvas, values, -0.75, 0.75);
      report(field);
      message.textContent = "";
    } catch (error) {
      message.textContent = error.message;
    } finally {
      field?.free();
    }
    const context = canvas.getContext("2d");
    context.lineWidth = 1;
    context.strokeStyle = "rgb(255 255 255 / 0.28)";
    context.beginPath();
    for (let x = 0; x < NX; x++) {
      context.moveTo(BORDER + x * CELL + 0.5, 0);
      context.lineTo(BORDER + x * CELL + 0.5, height);
    }
    for (let y = 0; y < NY; y++) {
      context.moveTo(0, BORDER + y * CELL + 0.5);
      context.lineTo(width, BORDER + y * CELL + 0.5);
    }
    context.stroke();
    const [cx, cy] = cell();
    context.strokeStyle = "#ffd166";
    context.lineWidth = 2;
    context.strokeRect(BORDER + cx * CELL, BORDER + cy * CELL, CELL, CELL);
    for (let i = 0; i < NX * NY; i++) arrow(context, i);
  }

  function arrow(context, i) {
    const x = BORDER + (i % NX) * CELL;
    const y = BORDER + Math.floor(i / NX) * CELL;
    const dx = vectors[2 * i] * REACH;
    const dy = vectors[2 * i + 1] * REACH;
    for (const [colour, wide] of [["rgb(0 0 0 / 0.65)", 5], [i === chosen ? "#ffd166" : "#6fd3ff", 2.5]]) {
      context.strokeStyle = context.fillStyle = colour;
      context.lineWidth = wide;
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(x + dx, y + dy);
      context.stroke();
      context.beginPath();
      context.arc(x + dx, y + dy, wide + 1.5, 0, 7);
      context.fill();
    }
  }

  /** The cell whose upper left corner is the chosen point, or the nearest one in the grid. */
  const cell = () => [Math.min(chosen % NX, NX - 2), Math.min(Math.floor(chosen / NX), NY - 2)];

  function report(field) {
    const [cx, cy] = cell();
    const corners = [0, 1, 2, 3].map((k) => {
      const i = (cy + (k >> 1)) * NX + cx + (k & 1);
      return [vectors[2 * i], vectors[2 * i + 1]];
    });
    // The middles of 8 x 8 parts of the cell.
    const part = CELL / 8;
    const values = field.fill({ size: [8, 8], origin: [(cx + 1 / 16) * CELL, (cy + 1 / 16) * CELL], step: part });
    onCell(corners, values);
  }

  function choose(i) {
    chosen = i;
    which.value = i;
    const [x, y] = [vectors[2 * i], vectors[2 * i + 1]];
    angle.show(Math.round((Math.atan2(y, x) * 180) / Math.PI));
    length.show(Math.hypot(x, y).toFixed(2));
    draw();
  }

  function fromSliders() {
    const turn = (Number(angle.input.value) * Math.PI) / 180;
    vectors[2 * chosen] = Math.cos(turn) * Number(length.input.value);
    vectors[2 * chosen + 1] = Math.sin(turn) * Number(length.input.value);
    draw();
  }

  // ---- Dragging ----

  let dragged = false;
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [((event.clientX - box.left) * width) / box.width, ((event.clientY - box.top) * height) / box.height];
  };
  const distance = (i, x, y) => {
    const px = BORDER + (i % NX) * CELL;
    const py = BORDER + Math.floor(i / NX) * CELL;
    return Math.min(Math.hypot(px - x, py - y), Math.hypot(px + vectors[2 * i] * REACH - x, py + vectors[2 * i + 1] * REACH - y));
  };
  canvas.addEventListener("pointerdown", (event) => {
    const [x, y] = place(event);
    let best = 0;
    for (let i = 1; i < NX * NY; i++) if (distance(i, x, y) < distance(best, x, y)) best = i;
    if (distance(best, x, y) > CELL / 2) return;
    canvas.setPointerCapture(event.pointerId);
    dragged = true;
    choose(best);
  });
  let pending;
  canvas.addEventListener("pointermove", (event) => {
    if (!dragged) return;
    const [x, y] = place(event);
    if (pending === undefined)
      requestAnimationFrame(() => {
        const [px, py] = pending;
        pending = undefined;
        const dx = (px - BORDER - (chosen % NX) * CELL) / REACH;
        const dy = (py - BORDER - Math.floor(chosen / NX) * CELL) / REACH;
        const scale = Math.min(1.5 / Math.max(Math.hypot(dx, dy), 1e-9), 1);
        vectors[2 * chosen] = dx * scale;
        vectors[2 * chosen + 1] = dy * scale;
        choose(chosen);
      });
    pending = [x, y];
  });
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, () => (dragged = false));

  const element = h(
    "section",
    {},
    h("h3", {}, "1. A vector at each lattice point"),
    h("p", {}, "At a lattice point the noise is 0, and rises in the direction of the point’s vector. Drag a vector: only the four cells around it change."),
    canvas,
    h(
      "div",
      { class: "form" },
      h("div", { class: "control" }, h("label", { for: "lattice-point" }, "Lattice point"), which),
      angle.element,
      length.element,
    ),
    h(
      "div",
      { class: "buttons" },
      h("button", { type: "button", id: "lattice-shuffle", click: () => { shuffle(); choose(chosen); } }, "New random vectors"),
      h("button", { type: "button", id: "lattice-flat", click: () => { vectors.fill(0); choose(chosen); } }, "All zero"),
    ),
    message,
  );
  return { element, draw: () => choose(chosen) };
}
