// SPDX-License-Identifier: MIT
//
// A small grid of gradients over the noise that it makes, and a point whose value is worked out. The
// noise is the library's, with hash=grid and the gradients as the caller's grid.

import { h, labelled, slider } from "./dom.js";
import { drawSigned } from "./how.js";
import { state, update } from "./state.js";

const NX = 7;
const NY = 5;
const CELL = 128; // pixels
const REACH = 50; // pixels of a vector of length 1
const BORDER = CELL / 2;
const [WIDTH, HEIGHT] = [(NX - 1) * CELL + 2 * BORDER, (NY - 1) * CELL + 2 * BORDER];
const CORNERS = ["upper left", "upper right", "lower left", "lower right"];
const INK = "#10202c";
const CHOSEN = "#b0005e";

const fade = (t) => t * t * t * (t * (t * 6 - 15) + 10);
const signed = (value) => value.toFixed(3).replace("-", "−");

export function makeLattice(perlane, onCell) {
  const vectors = new Float32Array(2 * NX * NY);
  const sample = [2.3, 1.62]; // in cells
  let chosen = 2 * NX + 4;

  const canvas = h("canvas", {
    id: "lattice",
    width: WIDTH,
    height: HEIGHT,
    class: "wide-canvas",
    role: "img",
    "aria-label":
      "Noise with the gradient of each lattice point, and a point whose value the table works out. The controls below change them.",
  });
  const names = Array.from({ length: NX * NY }, (_, i) =>
    h("option", { value: i }, `column ${(i % NX) + 1}, row ${Math.floor(i / NX) + 1}`),
  );
  const which = h(
    "select",
    { id: "lattice-point", change: () => choose(Number(which.value)) },
    names,
  );
  const angle = slider(
    "Direction, degrees",
    { id: "lattice-angle", min: -180, max: 180, step: 1, value: 0 },
    fromSliders,
  );
  const length = slider(
    "Length",
    { id: "lattice-length", min: 0, max: 1.5, step: 0.01, value: 1 },
    fromSliders,
  );
  const across = slider(
    "Point, x",
    { id: "sample-x", min: 0, max: NX - 1.01, step: 0.01, value: sample[0] },
    (x) => move(x, sample[1]),
  );
  const down = slider(
    "Point, y",
    { id: "sample-y", min: 0, max: NY - 1.01, step: 0.01, value: sample[1] },
    (y) => move(sample[0], y),
  );
  const seed = h("input", {
    id: "lattice-seed",
    type: "number",
    min: 0,
    max: 9999,
    step: 1,
    change: () =>
      update({ lattice: Math.min(Math.max(Math.round(Number(seed.value)) || 0, 0), 9999) }),
  });
  const body = h("tbody", {});
  const message = h("p", { class: "quiet", role: "status" });

  /** Directions of a seed: white noise as angles, so that a link shows the same ones everywhere. */
  function reseed() {
    const field = perlane.field({ basis: "white", seed: state.lattice, frequency: 1 });
    field
      .fill({ size: [NX, NY] })
      .forEach((value, i) =>
        vectors.set([Math.cos(Math.PI * value), Math.sin(Math.PI * value)], 2 * i),
      );
    field.free();
    seed.value = state.lattice;
    if (canvas.isConnected) choose(chosen);
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
    let field;
    try {
      field = perlane.field({
        preset: "grid",
        frequency: 1 / CELL,
        gradient_grid: { size: [NX, NY], vectors },
      });
      drawSigned(canvas, field.fill({ size: [WIDTH, HEIGHT], origin: [-BORDER, -BORDER] }), 0.75);
      const corners = work();
      drawOver(corners);
      tell(corners, field);
      message.textContent = "";
    } catch (error) {
      message.textContent = error.message;
    } finally {
      field?.free();
    }
  }

  const pixel = (cells) => BORDER + cells * CELL;

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
    context.strokeRect(pixel(corners[0].at[0]), pixel(corners[0].at[1]), CELL, CELL);
    context.setLineDash([5, 5]);
    const [px, py] = sample.map(pixel);
    for (const { at, weight } of corners) {
      context.lineWidth = 1 + 5 * weight;
      context.beginPath();
      context.moveTo(pixel(at[0]), pixel(at[1]));
      context.lineTo(px, py);
      context.stroke();
    }
    context.setLineDash([]);
    for (let i = 0; i < NX * NY; i++) arrow(context, i);
    context.beginPath();
    context.arc(px, py, 9, 0, 7);
    context.fillStyle = "#ffffff";
    context.fill();
    context.lineWidth = 4;
    context.strokeStyle = INK;
    context.stroke();
  }

  function arrow(context, i) {
    const [x, y] = [pixel(i % NX), pixel(Math.floor(i / NX))];
    const [dx, dy] = [vectors[2 * i] * REACH, vectors[2 * i + 1] * REACH];
    const long = Math.hypot(dx, dy);
    const [ex, ey] = long ? [dx / long, dy / long] : [0, 0];
    const head = Math.min(16, long);
    const neck = [x + dx - ex * head, y + dy - ey * head];
    const colour = i === chosen ? CHOSEN : INK;
    for (const [paint, wide] of [
      ["rgb(255 255 255 / 0.85)", 8],
      [colour, 3.5],
    ]) {
      context.strokeStyle = context.fillStyle = paint;
      context.lineJoin = "round";
      context.lineWidth = wide;
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(...neck);
      context.stroke();
      context.lineWidth = wide > 4 ? 5 : 1;
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
    const pair = ([x, y]) => `${x.toFixed(2)}, ${y.toFixed(2)}`.replaceAll("-", "−");
    const sum = corners.reduce((all, { part }) => all + part, 0);
    const row = (...cells) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, cells[0]),
        cells.slice(1).map((each) => h("td", {}, each)),
      );
    body.replaceChildren(
      ...corners.map(({ name, gradient, way, dot, weight, part }) =>
        row(name, pair(gradient), pair(way), signed(dot), weight.toFixed(3), signed(part)),
      ),
      row(
        "sum",
        "",
        "",
        "",
        corners.reduce((all, { weight }) => all + weight, 0).toFixed(3),
        h("strong", { id: "sample-sum" }, signed(sum)),
      ),
      row(
        "the library",
        "",
        "",
        "",
        "",
        h("span", { id: "sample-library" }, signed(field.at(sample[0] * CELL, sample[1] * CELL))),
      ),
    );
    // The middles of 8 x 8 parts of the cell.
    const [cx, cy] = corners[0].at;
    const values = field.fill({
      size: [8, 8],
      origin: [(cx + 1 / 16) * CELL, (cy + 1 / 16) * CELL],
      step: CELL / 8,
    });
    onCell(
      corners.map(({ gradient }) => gradient),
      values,
    );
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

  function move(x, y) {
    sample[0] = Math.min(Math.max(x, 0), NX - 1.01);
    sample[1] = Math.min(Math.max(y, 0), NY - 1.01);
    across.show(sample[0].toFixed(2));
    down.show(sample[1].toFixed(2));
    draw();
  }

  // ---- Dragging ----

  let drag; // what follows the pointer: a function of a place on the canvas
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [
      ((event.clientX - box.left) * WIDTH) / box.width,
      ((event.clientY - box.top) * HEIGHT) / box.height,
    ];
  };
  const distance = (i, x, y) => {
    const [px, py] = [pixel(i % NX), pixel(Math.floor(i / NX))];
    return Math.min(
      Math.hypot(px - x, py - y),
      Math.hypot(px + vectors[2 * i] * REACH - x, py + vectors[2 * i + 1] * REACH - y),
    );
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
  let pending;
  canvas.addEventListener("pointermove", (event) => {
    if (!drag) return;
    if (pending === undefined)
      requestAnimationFrame(() => {
        drag?.(...pending);
        pending = undefined;
      });
    pending = place(event);
  });
  for (const name of ["pointerup", "pointercancel"])
    canvas.addEventListener(name, () => {
      if (pending) drag?.(...pending);
      drag = undefined;
    });

  const random = () => update({ lattice: Math.floor(Math.random() * 10000) });
  const element = h(
    "section",
    {},
    h("h3", {}, "1. A gradient at each lattice point"),
    h(
      "p",
      {},
      "Drag an arrow: only the four cells around it change. Drag the white point: the table works out its value, from the four corners of its cell.",
    ),
    h(
      "div",
      { class: "demo" },
      canvas,
      h(
        "div",
        { class: "beside" },
        h(
          "table",
          { class: "sums", "aria-label": "How the point's value is made" },
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              ["Corner", "Gradient", "Way to the point", "Dot product", "Weight", "Product"].map(
                (each) => h("th", { scope: "col" }, each),
              ),
            ),
          ),
          body,
        ),
        h(
          "div",
          { class: "form" },
          across.element,
          down.element,
          labelled("Lattice point", which),
          angle.element,
          length.element,
          labelled("Seed", seed),
        ),
        h(
          "div",
          { class: "buttons" },
          h(
            "button",
            { type: "button", id: "lattice-shuffle", class: "primary", click: random },
            "New random gradients",
          ),
          h(
            "button",
            {
              type: "button",
              id: "lattice-flat",
              click: () => {
                vectors.fill(0);
                choose(chosen);
              },
            },
            "All zero",
          ),
        ),
      ),
    ),
    message,
  );
  reseed();
  return { element, draw: () => choose(chosen), reseed };
}
