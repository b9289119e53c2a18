// SPDX-License-Identifier: MIT
//
// "Tile": changes a field to one that repeats, with as little else as that needs.

import { h } from "./dom.js";
import { FRACTION, step } from "./place.js";
import { state } from "./state.js";

const MIN_CELLS = 3; // along an edge of a tile: one would be nine copies of a hill in three by three tiles
const SIMPLEX = 1.6; // Perlin cells per simplex cell, for hills of the same size

/** Returns the text of a field like this one that repeats every `size` units along x and y. */
function tiled(field, size) {
  const get = (name) => Number(field.get(name));
  const isSimplex = field.get("basis") === "simplex";
  const cellsOf = (name, least, factor = 1) =>
    Math.max(Math.round(Math.abs(get(name)) * factor * size), least);
  const cells = cellsOf("frequency", MIN_CELLS, isSimplex ? SIMPLEX : 1);
  const parts = [field.text, `frequency=${cells / size} period=${cells},${cells} falloff=0`];
  if (isSimplex) parts.push("basis=perlin");
  if (get("warp_amplitude") !== 0)
    parts.push(`warp_frequency=${cellsOf("warp_frequency", 1) / size}`);
  for (const name of ["lacunarity", "warp_lacunarity"])
    parts.push(`${name}=${Math.max(Math.round(get(name)), 2)}`);
  return parts.join(" ");
}

/** Makes the switch; useText(text, look) changes the field. */
export function makeTile(map, currentField, useText) {
  let before; // the text that the switch replaced
  let made; // and what it replaced it with
  const box = h("input", { type: "checkbox", id: "tile", "aria-describedby": "tile-help", change });
  const size = h("output", { class: "quiet", for: "tile" });
  const help = h(
    "p",
    { class: "help tip", id: "tile-help", role: "tooltip" },
    "Makes the field repeat: whole lacunarities, frequencies that fit, and no falloff. Export saves one tile.",
  );
  const element = h(
    "div",
    { class: "control" },
    h("div", { class: "line" }, h("label", { for: "tile" }, "Tile"), size, box),
    help,
  );

  function change() {
    if (!box.checked) {
      useText(state.text === made ? before : `${state.text} period=0`);
    } else {
      // The largest power of two that the map shows all of: positions of the next tile are then exact.
      const units = 2 ** Math.floor(Math.log2(Math.min(map.width, map.height))) * step(state.level);
      const middle = BigInt((units / 2) * 2 ** FRACTION);
      before = state.text;
      if (useText(tiled(currentField(), units), { look: { x: middle, y: middle } }))
        made = state.text;
    }
    show();
  }

  function show() {
    const both = map.period?.every((each) => each > 0);
    box.checked = Boolean(both);
    size.textContent = both ? map.period.map((each) => each / step(state.level)).join(" × ") : "";
  }
  return { element, show };
}
