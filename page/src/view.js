// SPDX-License-Identifier: MIT
//
// What can be said about a view of a field: its period, and whether it is too near or too far.

import { step } from "./place.js";
import { dimsOf } from "./slice.js";
import { isExpression } from "./source.js";
import { state } from "./state.js";

/** The period along x and y in units of position, 0 for none; nothing where there is neither. */
export function periodOf(field) {
  if (isExpression(state.text)) return undefined;
  const cells = field.get("period").split(",").map(Number);
  const period = [0, 1].map(
    (axis) => (cells[axis] ?? cells[0] ?? 0) / Number(field.get("frequency")),
  );
  return period.some((each) => each > 0) ? period : undefined;
}

/** A sentence where the map shows less than the field has to show; nothing otherwise. */
export function describeView(field, map, { min, max, bins }) {
  if (!bins || isExpression(state.text) || ["white", "gaussian"].includes(field.get("basis")))
    return "";
  const cells = Math.abs(Number(field.get("frequency"))) * step(state.level); // of a sample
  if (cells >= 0.5)
    return `Zoomed out to static: a pixel is ${cells >= 1 ? `${Math.round(cells)} cell${cells < 1.5 ? "" : "s"}` : "half a cell"} wide. Zoom in.`;
  const [low, high] = field.range(dimsOf(state.z));
  const finest = cells * Number(field.get("lacunarity")) ** (Number(field.get("octaves")) - 1);
  if (finest * Math.max(map.width, map.height) < 1 && max - min < 0.02 * (high - low))
    return "Zoomed in to flat: the whole map is within one cell of the last octave. Zoom out.";
  return "";
}
