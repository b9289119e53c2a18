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

/** A button; more: attributes and listeners besides the click. */
export const button = (text, click, more) => h("button", { type: "button", click, ...more }, text);

/** A row of a table, which begins with its name. */
export const row = (name, ...cells) =>
  h("tr", {}, h("th", { scope: "row" }, name), ...cells.map((each) => h("td", {}, each)));

/** Shows a value at a slider and in the output that belongs to it. */
export function showValue(slider, value = slider.value) {
  if (value !== null) slider.value = value; // without one, the slider stays where it was
  const out = document.querySelector(`output[for="${slider.id}"]`);
  if (out) out.textContent = value === null ? "none" : `${value}${out.dataset.unit ?? ""}`;
}

/** The canvas with an id, of a size in pixels. */
export const canvasOf = (id, width, height) => Object.assign($(id), { width, height });

/** Listens to keys without modifiers but Shift: keys has a function for each. */
export const onKeys = (element, keys) =>
  element.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key](event);
  });

export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export const between = (value, low, high) => Math.min(Math.max(value, low), high);

export const sentenceCase = (text) => text[0].toUpperCase() + text.slice(1);

/** A number with a few significant digits, for reading only. */
export const brief = (value, digits = 4) =>
  String(Number(value.toPrecision(digits))).replace("-", "−");

/** Copies a text, and has a button say so for a moment. Returns whether it could. */
export async function copyFrom(element, text) {
  const copied = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  element.dataset.said = $("said").textContent = copied ? "Copied" : "Press Ctrl+C";
  clearTimeout(element.silence);
  element.silence = setTimeout(() => delete element.dataset.said, 2000);
  return copied;
}
