// SPDX-License-Identifier: MIT
//
// A small grid of gradients over the noise that it makes, and a point whose value is worked out. The
// noise is the library's, with hash=grid and the gradients as the caller's grid.

import { $, between, canvasOf, h, row, showValue } from "./dom.js";
import { drawSigned, fillOnce } from "./how.js";

const [NX, NY] = [7, 5];
const CELL = 128; // pixels
const REACH = 50; // pixels of a vector of length 1
const BORDER = CELL / 2;
const [WIDTH, HEIGHT] = [(NX - 1) * CELL + 2 * BORDER, (NY - 1) * CELL + 2 * BORDER];
const CORNERS = ["upper left", "upper right", "lower left", "lower right"];
const INK = "#10202c";
const CHOSEN = "#b0005e";

const fade = (t) => t * t * t * (t * (t * 6 - 15) + 10);
const signed = (value) => value.toFixed(3).replace("-", "−");
const pair = ([x, y]) => `${x.toFixed(2)}, ${y.toFixed(2)}`.replaceAll("-", "−");
const pixel = (cells) => BORDER + cells * CELL;

/** Returns a function that draws it; onCell(gradients, values) receives the cell of the point. */
export function makeLattice(perlane, onCell) {
  const vectors = new Float32Array(2 * NX * NY);
  const sample = [2.3, 1.62]; // in cells
  let chosen = 2 * NX + 4;
  const canvas = canvasOf("lattice", WIDTH, HEIGHT);
  const [angle, length] = [$("lattice-angle"), $("lattice-length")];
  for (let i = 0; i < NX * NY; i++) {
    const name = `column ${(i % NX) + 1}, row ${Math.floor(i / NX) + 1}`;
    $("lattice-point").append(h("option", { value: i }, name));
  }

  /** Directions of a seed: white noise as angles, so that everyone sees the same ones first. */
  function reseed(seed) {
    const options = { basis: "white", seed, frequency: 1 };
    fillOnce(perlane, options, { size: [NX, NY] }).forEach((value, i) =>
      vectors.set([Math.cos(Math.PI * value), Math.sin(Math.PI * value)], 2 * i),
    );
  }

  /** The four corners of the point's cell: what each adds to its value. */
  function work() {
    const [cx, cy] = sample.map(Math.floor);
    const [u, v] = [sample[0] - cx, sample[1] - cy];
    return CORNERS.map((name, k) => {
      const [right, low] = [k & 1, k >> 1];
      const i = (cy + low) * NX + cx + right;
      const gradient = [vectors[2 * i], vectors[2 * i + 1]];
      const way = [u - right, v - low];
      const dot = gradient[0] * way[0] + gradient[1] * way[1];
      const weight = (right ? fade(u) : 1 - fade(u)) * (low ? fade(v) : 1 - fade(v));
      return { name, gradient, way, dot, weight, part: dot * weight, at: [cx + right, cy + low] };
    });
  }

  function draw() {
    const field = perlane.field({
      preset: "grid",
      frequency: 1 / CELL,
      gradient_grid: { size: [NX, NY], vectors },
    });
    const corners = work();
    drawSigned(canvas, field.fill({ size: [WIDTH, HEIGHT], origin: [-BORDER, -BORDER] }), 0.75);
    drawOver(corners);
    tell(corners, field);
    field.free();
  }

  /** Draws the lattice, the point's cell with the weights of its corners, the arrows, and the point. */
  function drawOver(corners) {
    const context = canvas.getContext("2d");
    context.lineWidth = 1;
    context.strokeStyle = "rgb(0 0 0 / 0.22)";
    context.beginPath();
    for (let x = 0; x < NX; x++) context.rect(pixel(x), -9, 0, HEIGHT + 18);
    for (let y = 0; y < NY; y++) context.rect(-9, pixel(y), WIDTH + 18, 0);
    context.stroke();
    context.strokeStyle = INK;
    context.lineWidth = 2;
    context.strokeRect(...corners[0].at.map(pixel), CELL, CELL);
    context.setLineDash([5, 5]);
    const point = sample.map(pixel);
    for (const { at, weight } of corners) {
      context.lineWidth = 1 + 5 * weight;
      context.beginPath();
      context.moveTo(...at.map(pixel));
      context.lineTo(...point);
      context.stroke();
    }
    context.setLineDash([]);
    for (let i = 0; i < NX * NY; i++) drawArrow(context, i);
    context.beginPath();
    context.arc(...point, 9, 0, 7);
    context.fillStyle = "#ffffff";
    context.fill();
    context.lineWidth = 4;
    context.strokeStyle = INK;
    context.stroke();
  }

  function drawArrow(context, i) {
    const [x, y] = [pixel(i % NX), pixel(Math.floor(i / NX))];
    const [dx, dy] = [vectors[2 * i] * REACH, vectors[2 * i + 1] * REACH];
    const long = Math.hypot(dx, dy);
    const [ex, ey] = long ? [dx / long, dy / long] : [0, 0];
    const head = Math.min(16, long);
    const neck = [x + dx - ex * head, y + dy - ey * head];
    for (const [paint, wide, edge] of [
      ["rgb(255 255 255 / 0.85)", 8, 5],
      [i === chosen ? CHOSEN : INK, 3.5, 1],
    ]) {
      context.strokeStyle = context.fillStyle = paint;
      context.lineJoin = "round";
      context.lineWidth = wide;
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(...neck);
      context.stroke();
      context.lineWidth = edge;
      context.beginPath();
      context.moveTo(x + dx, y + dy);
      context.lineTo(neck[0] - ey * head * 0.45, neck[1] + ex * head * 0.45);
      context.lineTo(neck[0] + ey * head * 0.45, neck[1] - ex * head * 0.45);
      context.closePath();
      context.fill();
      context.stroke();
    }
    context.beginPath();
    context.arc(x, y, 4, 0, 7);
    context.fill();
  }

  /** Fills the table, and hands the cell on. */
  function tell(corners, field) {
    const sum = (name) => corners.reduce((all, corner) => all + corner[name], 0);
    const value = field.at(sample[0] * CELL, sample[1] * CELL);
    $("sums").replaceChildren(
      ...corners.map(({ name, gradient, way, dot, weight, part }) =>
        row(name, pair(gradient), pair(way), signed(dot), weight.toFixed(3), signed(part)),
      ),
      row("sum", "", "", "", sum("weight").toFixed(3), h("strong", {}, signed(sum("part")))),
      row("the library", "", "", "", "", signed(value)),
    );
    const origin = corners[0].at.map((cell) => (cell + 1 / 16) * CELL);
    onCell(
      corners.map(({ gradient }) => gradient),
      field.fill({ size: [8, 8], origin, step: CELL / 8 }),
    );
  }

  function choose(i) {
    chosen = i;
    $("lattice-point").value = i;
    const [x, y] = [vectors[2 * i], vectors[2 * i + 1]];
    showValue(angle, Math.round((Math.atan2(y, x) * 180) / Math.PI));
    showValue(length, Math.hypot(x, y).toFixed(2));
    draw();
  }

  function fromSliders() {
    const turn = (angle.value * Math.PI) / 180;
    vectors.set([Math.cos(turn) * length.value, Math.sin(turn) * length.value], 2 * chosen);
    draw();
  }

  function move(x, y) {
    sample[0] = between(x, 0, NX - 1.01);
    sample[1] = between(y, 0, NY - 1.01);
    showValue($("sample-x"), sample[0].toFixed(2));
    showValue($("sample-y"), sample[1].toFixed(2));
    draw();
  }
  $("lattice-point").addEventListener("change", ({ target }) => choose(Number(target.value)));
  for (const slider of [angle, length]) slider.addEventListener("input", fromSliders);
  $("sample-x").addEventListener("input", ({ target }) => move(Number(target.value), sample[1]));
  $("sample-y").addEventListener("input", ({ target }) => move(sample[0], Number(target.value)));
  $("lattice-shuffle").addEventListener("click", () => {
    reseed(Math.floor(Math.random() * 10000));
    choose(chosen);
  });
  $("lattice-flat").addEventListener("click", () => {
    vectors.fill(0);
    choose(chosen);
  });

  // ---- Dragging ----

  let drag; // what follows the pointer: a function of a place on the canvas
  let pending; // the place that it is drawn at in the next frame
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    const scale = WIDTH / box.width;
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  };
  const distance = (i, x, y) => {
    const [px, py] = [pixel(i % NX), pixel(Math.floor(i / NX))];
    const tip = [px + vectors[2 * i] * REACH, py + vectors[2 * i + 1] * REACH];
    return Math.min(Math.hypot(px - x, py - y), Math.hypot(tip[0] - x, tip[1] - y));
  };
  const dragSample = (x, y) => move((x - BORDER) / CELL, (y - BORDER) / CELL);
  function dragVector(x, y) {
    const dx = (x - pixel(chosen % NX)) / REACH;
    const dy = (y - pixel(Math.floor(chosen / NX))) / REACH;
    const scale = Math.min(1.5 / Math.max(Math.hypot(dx, dy), 1e-9), 1);
    vectors.set([dx * scale, dy * scale], 2 * chosen);
    choose(chosen);
  }
  /** What a pointer takes hold of: the white point, a vector by its index, or nothing. */
  function held(event) {
    const [x, y] = place(event);
    let best = 0;
    for (let i = 1; i < NX * NY; i++) if (distance(i, x, y) < distance(best, x, y)) best = i;
    const apart = Math.hypot(pixel(sample[0]) - x, pixel(sample[1]) - y);
    if (apart < 26 && apart < distance(best, x, y)) return "sample";
    return distance(best, x, y) < CELL / 3 ? best : undefined;
  }
  canvas.addEventListener("pointerdown", (event) => {
    const what = held(event);
    if (what === undefined) return;
    drag = what === "sample" ? dragSample : dragVector;
    if (drag === dragVector) choose(what);
    canvas.setPointerCapture(event.pointerId);
  });
  // A finger that holds something does not scroll the page; one beside everything does.
  canvas.addEventListener(
    "touchstart",
    (event) => held(event.touches[0]) !== undefined && event.preventDefault(),
    { passive: false },
  );
  const follow = () => {
    if (pending) drag?.(...pending);
    pending = undefined;
  };
  canvas.addEventListener("pointermove", (event) => {
    if (!drag) return;
    if (!pending) requestAnimationFrame(follow);
    pending = place(event);
  });
  for (const name of ["pointerup", "pointercancel"])
    canvas.addEventListener(name, () => {
      follow();
      drag = undefined;
    });

  reseed(1);
  return () => choose(chosen);
}
