// SPDX-License-Identifier: MIT
//
// One cell in four steps: what its corners contribute, the weights, and the sum.

import { $, button, canvasOf } from "./dom.js";
import { drawSigned } from "./how.js";

const SIZE = 120;
const FADES = {
  quintic: (t) => t * t * t * (t * (t * 6 - 15) + 10),
  cubic: (t) => t * t * (3 - 2 * t),
  linear: (t) => t,
};
// Each step: what a corner's picture shows, the value of its darkest colours, and a sentence.
const STEPS = {
  Ramps: [
    ({ ramp }) => ramp,
    1.2,
    "Each corner makes a ramp: the dot product of its gradient and the vector from the corner to the sample. It is 0 at the corner.",
  ],
  Weights: [
    ({ weight }) => weight,
    1,
    "The fade curve makes each corner’s weight: 1 at the corner, 0 along the two sides that it does not touch.",
  ],
  Contributions: [
    ({ ramp, weight }) => ramp * weight,
    0.6,
    "Ramp times weight: what the corner adds.",
  ],
  Sum: [
    ({ ramp, weight }) => ramp * weight,
    0.6,
    "The four contributions added: the noise of this cell.",
  ],
};

/** Returns a function that shows a cell: its gradients, and the library's values in the middles of 8 x 8 parts. */
export function makeCell() {
  let corners; // their gradients
  let library;
  let step = "Ramps";
  const canvases = [...document.querySelectorAll(".corner")];
  for (const canvas of canvases) canvas.width = canvas.height = SIZE;
  const sum = canvasOf("cell-sum", SIZE, SIZE);
  const curve = canvasOf("cell-curve", SIZE, SIZE);
  const buttons = Object.keys(STEPS).map((name, i) =>
    button(`${i + 1}. ${name}`, () => {
      step = name;
      draw();
    }),
  );
  $("cell-steps").append(...buttons);
  $("cell-fade").addEventListener("change", draw);

  /** What corner k is at a place in the cell. */
  function at(k, u, v) {
    const [right, low] = [k & 1, k >> 1];
    const [s, t] = [u, v].map(FADES[$("cell-fade").value]);
    return {
      ramp: corners[k][0] * (u - right) + corners[k][1] * (v - low),
      weight: (right ? s : 1 - s) * (low ? t : 1 - t),
    };
  }
  const total = (u, v) =>
    [0, 1, 2, 3].reduce((all, k) => {
      const { ramp, weight } = at(k, u, v);
      return all + ramp * weight;
    }, 0);

  /** A function's values in the middles of n x n parts of the cell. */
  const grid = (n, value) =>
    Float32Array.from({ length: n * n }, (_, i) =>
      value(((i % n) + 0.5) / n, (Math.floor(i / n) + 0.5) / n),
    );

  function draw() {
    const [shown, end, sentence] = STEPS[step];
    const fade = $("cell-fade").value;
    buttons.forEach((each, i) =>
      each.setAttribute("aria-pressed", String(Object.keys(STEPS)[i] === step)),
    );
    $("cell-text").textContent = sentence;
    canvases.forEach((canvas, k) =>
      drawSigned(
        canvas,
        grid(SIZE, (u, v) => shown(at(k, u, v))),
        end,
      ),
    );
    sum.classList.toggle("dim", step !== "Sum");
    drawSigned(sum, grid(SIZE, total), 0.75);
    drawFade(FADES[fade]);
    const worst = Math.max(...grid(8, total).map((value, i) => Math.abs(value - library[i])));
    $("cell-proof").textContent =
      fade === "quintic"
        ? `The library’s values in this cell differ from this sum by at most ${worst.toExponential(1)}: they are rounded to floats.`
        : "With this curve the noise has visible lines along the lattice; the library has it as an option.";
  }

  function drawFade(fade) {
    const context = curve.getContext("2d");
    const length = SIZE - 12;
    context.clearRect(0, 0, SIZE, SIZE);
    context.strokeStyle = getComputedStyle(curve).color;
    context.lineWidth = 2;
    context.beginPath();
    for (let t = 0; t <= 1; t += 1 / 64)
      context.lineTo(6 + t * length, SIZE - 6 - fade(t) * length);
    context.stroke();
  }

  return (gradients, values) => {
    [corners, library] = [gradients, values];
    draw();
  };
}
