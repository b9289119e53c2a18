// SPDX-License-Identifier: MIT
//
// "Tile": changes a field to one that repeats, with as little else as that needs.

import { $ } from "./dom.js";
import { FRACTION, MAX_LEVEL, step } from "./place.js";
import { isExpression } from "./source.js";
import { state } from "./state.js";

const MIN_CELLS = 3; // along an edge of a tile, so that it is more than copies of one hill
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
  if (get("valleys") !== 0)
    parts.push(`valley_cells=${Math.max(Math.round(get("valley_cells")), 1)}`);
  for (const name of ["lacunarity", "warp_lacunarity"])
    parts.push(`${name}=${Math.max(Math.round(get(name)), 2)}`);
  return parts.join(" ");
}

/** The period along x and y in units of position, 0 for none; nothing where there is neither. */
export function periodOf(field) {
  if (isExpression(state.text)) return undefined;
  const cells = field.get("period").split(",").map(Number);
  const period = [0, 1].map((axis) => (cells[axis] ?? cells[0]) / Number(field.get("frequency")));
  return period.some((each) => each > 0) ? period : undefined;
}

/** Makes the switch; useText(text, look) changes the field. Returns a function that shows its state. */
export function makeTile(map, currentField, useText) {
  let before; // the text that the switch replaced
  let made; // and what it replaced it with

  function change() {
    if (!$("tile").checked) {
      useText(state.text === made ? before : `${state.text} period=0`);
    } else {
      // The largest power of two that the map shows all of: positions of the next tile are then
      // exact. For large cells the map zooms out.
      const samples = 2 ** Math.floor(Math.log2(Math.min(...map.size)));
      const cells = samples * Math.abs(Number(currentField().get("frequency")));
      let { level } = state;
      while (cells * step(level) < MIN_CELLS - 0.5 && level < MAX_LEVEL) level++;
      const units = samples * step(level);
      const middle = BigInt((units / 2) * 2 ** FRACTION);
      before = state.text;
      if (useText(tiled(currentField(), units), { look: { x: middle, y: middle, level } }))
        made = state.text;
    }
    show();
  }

  function show() {
    const both = map.period?.every((each) => each > 0);
    $("tile").checked = Boolean(both);
    $("tile-size").textContent = both
      ? map.period.map((each) => each / step(state.level)).join(" × ")
      : "";
  }
  $("tile").addEventListener("change", change);
  return show;
}
