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

let ids = 0;
export const uniqueId = (stem) => `${stem}-${++ids}`;

export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A number with a few significant digits, for reading only. */
export function brief(value, digits = 4) {
  if (!Number.isFinite(value)) return String(value);
  const text = Number(value.toPrecision(digits));
  return String(text).replace("-", "−");
}
