// SPDX-License-Identifier: MIT
//
// Code that makes a map again, bit for bit. A map: { text, first, size, step, z, origin }; without an
// origin, index 0 is at 0.

import { firstOf, step } from "./place.js";
import { expressionOf } from "./source.js";
import { state } from "./state.js";

const quote = (text) => `'${text}'`; // a text form has no quotes

const comment = (map) =>
  `${map.size[0]} x ${map.size[1]} samples from ${map.origin ? `position ${map.origin.join(", ")}` : `index ${map.first.join(", ")}`}, ${map.step} apart${map.z === null ? "" : `, at z = ${map.z}`}`;
const slices = (map) => (map.z === null ? 0 : 1);

/** A map's origin along all of its axes; nothing if all are 0. */
const originOf = ({ origin, z }) => (z === null ? origin : [...(origin ?? [0, 0]), z]);

/** A map's size, first sample, step and origin as the command's options have them. */
export function words(map) {
  const { size, first, step, z } = map;
  const origin = originOf(map)?.join(",");
  if (z === null)
    return { size: size.join("x"), first: first.join(","), step: String(step), origin };
  return {
    size: `${size.join("x")}x1`,
    first: `${first.join(",")},0`,
    step: `${step},${step},1`,
    origin,
  };
}

/** more: options of a picture. */
function command(map, file = "map.r32", more = "") {
  const { size, first, step, origin } = words(map);
  const parts = ["perlane fill -o", file, `--size ${size}`, `--first=${first}`];
  if (more) parts.push(more);
  if (step !== "1") parts.push(`--step ${step}`);
  if (origin) parts.push(`--origin=${origin}`);
  const expression = expressionOf(map.text);
  if (expression !== undefined) parts.push(`--expression ${quote(expression)}`);
  else if (map.text) parts.push(`--field ${quote(map.text)}`);
  return parts.join(" ");
}

/** Lines of C for the place of a grid. */
const place = (map) =>
  [
    ...(map.origin ? [] : map.first.map((each, axis) => `grid.first[${axis}] = ${int64(each)};`)),
    `grid.step[0] = grid.step[1] = ${map.step};`,
    ...(originOf(map) ?? [])
      .map((each, axis) => (each === 0 ? "" : `grid.origin[${axis}] = ${each};`))
      .filter(Boolean),
  ]
    .map((line) => `\n  ${line}`)
    .join("");

/** How C makes a map's noise: the header, declarations, and a call that returns 0 unless it fails. */
function made({ text }) {
  const expression = expressionOf(text);
  if (expression === undefined)
    return {
      header: "perlane_text.h",
      declarations: `const char *field = "${text}";`,
      call: "perlane_init_text(&noise, field)",
    };
  return {
    header: "perlane_expression.h",
    declarations: `const int32_t room = PERLANE_MAX_EXPRESSION_FIELDS;
  static perlane_noise fields[PERLANE_MAX_EXPRESSION_FIELDS];
  const char *text = "${expression}";`,
    call: "perlane_expression_init_text(&noise, text, room, fields, NULL)",
  };
}

// INT64_MIN cannot be written as one literal, but no map begins there.
const int64 = (value) =>
  value > 2147483647n || value < -2147483648n ? `INT64_C(${value})` : String(value);

function c(map) {
  const [w, h] = map.size;
  const { header, declarations, call } = made(map);
  return `/* ${comment(map)}. Writes them as floats to map.r32. */
#include <${header}>
#include <stdio.h>

int main(void) {
  static float value[${h}][${w}];
  perlane_noise noise;
  perlane_grid grid = perlane_grid_make(${w}, ${h}, ${slices(map)}, 0);${place(map)}
  ${declarations}
  if (${call} || perlane_fill(&noise, &grid, value[0]))
    return 1;
  FILE *file = fopen("map.r32", "wb");
  if (!file || fwrite(value, sizeof value, 1, file) != 1 || fclose(file))
    return 1;
}
`;
}

function python(map) {
  const flat = map.z === null;
  const expression = expressionOf(map.text);
  const tuple = (each, last) => `(${[...(flat ? [] : [last]), each[1], each[0]].join(", ")})`; // z, y, x
  const parts = [tuple([...map.size], 1)];
  if (!map.origin) parts.push(`first=${tuple(map.first, 0)}`);
  parts.push(`step=${flat ? map.step : tuple([map.step, map.step], 1)}`);
  if (originOf(map)) parts.push(`origin=${tuple(map.origin ?? [0, 0], map.z)}`);
  return `# ${comment(map)}: value[${flat ? "" : "0, "}y, x].
import perlane

field = perlane.${expression === undefined ? `Field("${map.text}")` : `Expression("${expression}")`}
value = field.fill(${parts.join(", ")})
print(value.shape, value.min(), value.max())
`;
}

function javascript(map) {
  const { size, first, step, origin } = words(map);
  const expression = expressionOf(map.text);
  const list = (text) => (text.includes(",") ? `[${text.split(",").join(", ")}]` : text);
  const lines = [`size: [${size.split("x").join(", ")}]`];
  if (!map.origin)
    lines.push(
      `first: [${first
        .split(",")
        .map((each) => `${each}n`)
        .join(", ")}]`,
    );
  lines.push(`step: ${list(step)}`);
  if (origin) lines.push(`origin: ${list(origin)}`);
  return `// ${comment(map)}: values[y * ${map.size[0]} + x].
import { ${expression === undefined ? "field" : "Expression"}, init } from "perlane";

await init();
const values = ${expression === undefined ? `field(${JSON.stringify(map.text)})` : `new Expression(${JSON.stringify(expression)})`}.fill({
${lines.map((line) => `  ${line},`).join("\n")}
});
console.log(values[0]);
`;
}

/** What the map on the screen shows: as many samples as it has pixels. */
export function shownMap({ width, height }) {
  const { text, z, level } = state;
  const size = [width, height];
  return { text, z, size, first: firstOf(state, size), step: step(level) };
}

/** The code for a map in a language; more: a file's name and the options of a picture, for the command. */
export const textIn = (language, map, ...more) =>
  ({ command, c, python, javascript })[language](map, ...more);
