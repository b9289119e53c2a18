// SPDX-License-Identifier: MIT
//
// One cell in four steps: what its corners contribute, the weights, and the sum.

import { h, labelled } from "./dom.js";
import { drawSigned, figure } from "./how.js";

const SIZE = 120;
const FADES = {
  quintic: [(t) => t * t * t * (t * (t * 6 - 15) + 10), "6t⁵ − 15t⁴ + 10t³"],
  cubic: [(t) => t * t * (3 - 2 * t), "3t² − 2t³"],
  linear: [(t) => t, "t"],
};
const STEPS = [
  [
    "Ramps",
    "Each corner makes a ramp: the dot product of its gradient and the vector from the corner to the sample. It is 0 at the corner.",
  ],
  [
    "Weights",
    "The fade curve makes each corner’s weight: 1 at the corner, 0 along the two sides that it does not touch.",
  ],
  ["Contributions", "Ramp times weight: what the corner adds."],
  ["Sum", "The four contributions added: the noise of this cell."],
];
const CORNERS = ["upper left", "upper right", "lower left", "lower right"];

export function makeCell() {
  let corners = [
    [1, 0],
    [0, 1],
    [0, 1],
    [1, 0],
  ];
  let library; // the library's values in the middles of 8 x 8 parts of the cell
  let step = 0;
  const canvases = CORNERS.map((name) =>
    h("canvas", { width: SIZE, height: SIZE, role: "img", "aria-label": `The ${name} corner` }),
  );
  const sum = h("canvas", {
    width: SIZE,
    height: SIZE,
    id: "cell-sum",
    role: "img",
    "aria-label": "The sum of the four corners",
  });
  const curve = h("canvas", {
    width: SIZE,
    height: SIZE,
    role: "img",
    "aria-label": "The fade curve",
  });
  const text = h("p", { class: "explain", role: "status" });
  const proof = h("p", { class: "quiet", id: "cell-proof" });
  const fade = h(
    "select",
    { id: "cell-fade", change: draw },
    Object.entries(FADES).map(([name, [, formula]]) =>
      h("option", { value: name }, `${name}: ${formula}`),
    ),
  );
  const buttons = STEPS.map(([name], i) =>
    h(
      "button",
      {
        type: "button",
        "data-step": i,
        click: () => {
          step = i;
          draw();
        },
      },
      `${i + 1}. ${name}`,
    ),
  );

  const ramp = (k, u, v) => corners[k][0] * (u - (k & 1)) + corners[k][1] * (v - (k >> 1));
  function weight(k, u, v) {
    const curve_ = FADES[fade.value][0];
    const s = curve_(u);
    const t = curve_(v);
    return (k & 1 ? s : 1 - s) * (k >> 1 ? t : 1 - t);
  }
  const total = (u, v) => [0, 1, 2, 3].reduce((all, k) => all + ramp(k, u, v) * weight(k, u, v), 0);

  function picture(canvas, value, end) {
    const values = new Float32Array(SIZE * SIZE);
    for (let y = 0, i = 0; y < SIZE; y++)
      for (let x = 0; x < SIZE; x++, i++) values[i] = value((x + 0.5) / SIZE, (y + 0.5) / SIZE);
    drawSigned(canvas, values, end);
  }

  function draw() {
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(i === step)));
    text.textContent = STEPS[step][1];
    canvases.forEach((canvas, k) => {
      if (step === 0) picture(canvas, (u, v) => ramp(k, u, v), 1.2);
      else if (step === 1) picture(canvas, (u, v) => weight(k, u, v), 1);
      else picture(canvas, (u, v) => ramp(k, u, v) * weight(k, u, v), 0.6);
    });
    sum.classList.toggle("dim", step < 3);
    picture(sum, total, 0.75);
    drawFade();
    if (!library || fade.value !== "quintic") {
      proof.textContent =
        fade.value === "quintic"
          ? ""
          : "With this curve the noise has visible lines along the lattice; the library has it as an option.";
      return;
    }
    let worst = 0;
    for (let i = 0; i < 64; i++) {
      const [u, v] = [((i % 8) + 0.5) / 8, (Math.floor(i / 8) + 0.5) / 8];
      worst = Math.max(worst, Math.abs(total(u, v) - library[i]));
    }
    proof.textContent = `The library’s values in this cell differ from this sum by at most ${worst.toExponential(1)}: they are rounded to floats.`;
  }

  function drawFade() {
    const context = curve.getContext("2d");
    const style = getComputedStyle(curve);
    context.clearRect(0, 0, SIZE, SIZE);
    context.strokeStyle = style.color;
    context.lineWidth = 2;
    context.beginPath();
    for (let i = 0; i <= 60; i++)
      context.lineTo(
        6 + (i / 60) * (SIZE - 12),
        SIZE - 6 - FADES[fade.value][0](i / 60) * (SIZE - 12),
      );
    context.stroke();
  }

  const element = h(
    "section",
    {},
    h("h3", {}, "2. Inside a cell, step by step"),
    h("p", {}, "The cell that contains the white point above: blue is below 0, orange above."),
    h("div", { class: "buttons", role: "group", "aria-label": "Steps" }, buttons),
    text,
    h(
      "div",
      { class: "figures" },
      canvases.map((canvas, i) => figure(canvas, CORNERS[i])),
      figure(sum, "sum"),
      figure(curve, "fade"),
    ),
    h("div", { class: "form" }, labelled("Fade curve", fade)),
    proof,
  );
  return {
    element,
    draw,
    show(given, values) {
      corners = given;
      library = values;
      if (element.isConnected) draw();
    },
  };
}
