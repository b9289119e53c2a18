// SPDX-License-Identifier: MIT
//
// "Place": the middle of the map as two exact numbers.

import { h } from "./dom.js";
import { format, parse, step } from "./place.js";
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
    return [input, h("div", { class: "control" }, h("label", { for: `go-${axis}` }, `Middle, ${axis}`), input)];
  };
  const [goX, goXRow] = place("x");
  const [goY, goYRow] = place("y");
  const stepShown = h("output", { class: "quiet" });
  const element = h(
    "details",
    {},
    h("summary", {}, "Place"),
    h(
      "div",
      { class: "group" },
      h("div", { class: "two" }, goXRow, goYRow),
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "button", id: "home", click: goHome }, "Origin"),
        h("button", { type: "button", id: "far", click: () => update({ x: parse("1e15"), y: parse("-1e15") }) }, "10¹⁵ away"),
        stepShown,
      ),
      h("p", { class: "help" }, "Positions are exact: 64-bit indices times a power of two."),
    ),
  );

  function show() {
    if (document.activeElement !== goX) goX.value = format(state.x);
    if (document.activeElement !== goY) goY.value = format(state.y);
    stepShown.textContent = `step ${step(state.level)}`;
  }
  return { element, show };
}
