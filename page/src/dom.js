// SPDX-License-Identifier: MIT
//
// Short forms for the document.

export const $ = (id) => document.getElementById(id);

/** Makes an element: h("label", { for: "seed" }, "Seed"). Functions become listeners. */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") element.addEventListener(key, value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat());
  return element;
}

/** An input with a label above it. */
export const labelled = (label, input) =>
  h("div", { class: "control" }, h("label", { for: input.id }, label), input);

/** A switch, with its label after it. */
export const labelledSwitch = (label, input) =>
  h("div", { class: "control switch-row" }, input, h("label", { for: input.id }, label));

/** A labelled slider with its value: { element, input, show }. */
export function slider(label, attributes, change, unit = "") {
  const out = h("output", { for: attributes.id });
  const show = (value) => {
    input.value = value;
    out.textContent = `${input.value}${unit}`;
  };
  const input = h("input", {
    type: "range",
    ...attributes,
    input: () => {
      show(input.value);
      change(Number(input.value));
    },
  });
  show(input.value);
  const element = h(
    "div",
    { class: "control" },
    h("div", { class: "line" }, h("label", { for: attributes.id }, label), out),
    input,
  );
  return { element, input, show };
}

let ids = 0;
export const uniqueId = (stem) => `${stem}-${++ids}`;

export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A number with a few significant digits, for reading only. */
export function brief(value, digits = 4) {
  if (!Number.isFinite(value)) return String(value);
  const text = Number(value.toPrecision(digits));
  return String(text).replace("-", "−");
}
