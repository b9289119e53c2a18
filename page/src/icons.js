// SPDX-License-Identifier: MIT
//
// Icons as strokes on a square of 24, and buttons that show one.

import { h } from "./dom.js";

const PATHS = {
  dice: "M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM8 8v.01M16 8v.01M12 12v.01M8 16v.01M16 16v.01",
  undo: "M4 9h10a6 6 0 0 1 0 12h-3M8 5L4 9l4 4",
  redo: "M20 9H10a6 6 0 0 0 0 12h3M16 5l4 4-4 4",
  share: "M9 15l6-6M11 6l1.5-1.5a4.2 4.2 0 0 1 6 6L17 12M13 18l-1.5 1.5a4.2 4.2 0 0 1-6-6L7 12",
  full: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  tiles: "M4 4h16v16H4zM4 9.3h16M4 14.7h16M9.3 4v16M14.7 4v16",
  reset: "M5 12a7 7 0 1 0 2.5-5.4M5 4v4h4",
  save: "M12 4v11M7 11l5 5 5-5M4 20h16",
};

export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}

/** A button that shows an icon only; its name is a tooltip, too. */
export const iconButton = (name, label, attributes) =>
  h("button", { type: "button", "aria-label": label, title: label, ...attributes }, icon(name));
