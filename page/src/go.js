// SPDX-License-Identifier: MIT
//
// "Place": the middle of the map as two exact numbers, and the z of a slice of the 3D field.

import { h, labelled, labelledSwitch } from "./dom.js";
import { format, parse, step } from "./place.js";
import { isExpression } from "./source.js";
import { state, update } from "./state.js";

export function makeGo(goHome) {
  const place = (axis) => {
    const input = h("input", {
      id: `go-${axis}`,
      type: "text",
      spellcheck: "false",
      autocomplete: "off",
      inputmode: "decimal",
      change: () => {
        const value = parse(input.value);
        input.setAttribute("aria-invalid", String(value === undefined));
        if (value !== undefined) update({ [axis]: value });
      },
    });
    return [input, labelled(`Middle, ${axis}`, input)];
  };
  const [goX, goXRow] = place("x");
  const [goY, goYRow] = place("y");
  const flat = h("input", {
    id: "slice",
    type: "checkbox",
    change: () => update({ z: flat.checked ? Number(z.value) : null }),
  });
  const zShown = h("output", { for: "slice-z" });
  const z = h("input", {
    id: "slice-z",
    type: "range",
    min: 0,
    max: 1,
    step: 0.001,
    value: 0,
    input: () => update({ z: Number(z.value) }),
  });
  const stepShown = h("output", { class: "quiet" });
  const element = h(
    "details",
    {},
    h("summary", {}, "Place"),
    h(
      "div",
      { class: "group" },
      h("div", { class: "two" }, goXRow, goYRow),
      labelledSwitch("A slice of the 3D field", flat),
      h(
        "div",
        { class: "control" },
        h("div", { class: "line" }, h("label", { for: "slice-z" }, "z of the slice"), zShown),
        z,
      ),
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "button", id: "home", click: goHome }, "Origin"),
        stepShown,
      ),
      h(
        "p",
        { class: "help" },
        "Positions are exact, also at 1e15: 64-bit indices times a power of two.",
      ),
    ),
  );

  /** Gives the slider eight cells of the field, or 1000 units of an expression. */
  function fit(field) {
    const max = isExpression(state.text)
      ? 1000
      : Number((8 / Math.abs(Number(field.get("frequency")))).toPrecision(3));
    z.max = Math.max(max, state.z ?? 0);
    z.step = max / 1000;
  }

  function show() {
    flat.checked = state.z !== null;
    if (state.z !== null) z.value = state.z;
    zShown.textContent = state.z ?? "none: 2D";
    if (document.activeElement !== goX) goX.value = format(state.x);
    if (document.activeElement !== goY) goY.value = format(state.y);
    stepShown.textContent = `step ${step(state.level)}`;
  }
  return { element, show, fit };
}
