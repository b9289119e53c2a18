// SPDX-License-Identifier: MIT
//
// Finds the options that change nothing in a field: it is evaluated with other values of each.
// Runs in a worker.

import { sliderOf } from "./ranges.js";

const POINTS = 96;
const AXES = ["3,5,0,0", "0,0,0,0"];

/** Other values of an option, to be tried. */
function others(option, field) {
  const now = field.get(option.name);
  const { min, max } = option.kind === "real" || option.kind === "integer" ? sliderOf(option) : {};
  const values = {
    choice: () => option.choices.map(({ name }) => name),
    real: () => [min, max, (min + 2 * max) / 3, Number(now) * 1.5].map(String),
    integer: () => [min, max, Number(now) + 1].map(String),
    seed: () => ["1", "2"],
    axes: () => AXES,
    curve: () => ["-1:1,1:-0.5", "none"],
  }[option.kind]();
  return values.filter((value) => value !== now);
}

/** Returns the names of the options that have no effect in 2D on the field of a text. */
export function withoutEffect(perlane, text) {
  const field = perlane.field(text);
  const scale = 40 / Math.abs(Number(field.get("frequency")) || 1);
  const place = (stride) => Float64Array.from({ length: POINTS }, (_, i) => (((i + 1) * stride) % 1) * scale);
  const coordinates = [place(0.754877666), place(0.569840291)];
  const usual = field.points(coordinates);
  const differs = (option, value) => {
    let other;
    try {
      other = perlane.field(`${text} ${option.name}=${value}`);
      return other.points(coordinates).some((each, i) => !Object.is(each, usual[i]));
    } catch {
      return false; // not a value for this field
    } finally {
      other?.free();
    }
  };
  const names = perlane.options
    .filter((option) => option.dims.includes(2) && !others(option, field).some((value) => differs(option, value)))
    .map(({ name }) => name);
  field.free();
  return names;
}
