// SPDX-License-Identifier: MIT
//
// Inputs of the page that show and change members of the state, as index.html names them.

import { showValue } from "./dom.js";
import { state, update, watch } from "./state.js";

/** An input's word, or its number; null where it is empty or not a number. */
function valueOf({ tagName, value }) {
  if (tagName === "SELECT") return value;
  const number = value.trim() === "" ? NaN : Number(value);
  return Number.isFinite(number) ? number : null;
}

export function bindInputs() {
  const inputs = [...document.querySelectorAll("[data-state]")];
  const switches = [...document.querySelectorAll("[data-has]")];
  const sliderOf = ({ dataset }) => inputs.find((input) => input.dataset.state === dataset.has);

  function show() {
    for (const input of inputs) {
      const value = state[input.dataset.state];
      if (input.type === "range") showValue(input, value);
      else input.value = value ?? "";
    }
    for (const each of switches) {
      each.checked = state[each.dataset.has] !== null;
      sliderOf(each).disabled = !each.checked;
    }
  }

  for (const input of inputs)
    input.addEventListener(input.type === "range" ? "input" : "change", () => {
      update({ [input.dataset.state]: valueOf(input) });
      show();
    });
  for (const each of switches)
    each.addEventListener("change", () =>
      update({ [each.dataset.has]: each.checked ? valueOf(sliderOf(each)) : null }),
    );
  watch(show);
  show();
}
