// SPDX-License-Identifier: MIT
//
// Prints options.d.ts, the types of a field's options, from the module's records. web/build runs it.

import { looks, options, presets } from "./node.js";

const quoted = (names) => names.map((name) => JSON.stringify(name)).join(" | ");
const types = {
  seed: () => "number | bigint | string",
  real: () => "number",
  integer: () => "number",
  choice(option) {
    const names = option.choices.map((choice) => choice.name);
    return (names[1] === "on" ? "boolean | " : "") + quoted(names);
  },
  axes: () => "number | readonly number[]",
  curve: () => "readonly (readonly [x: number, y: number])[] | string | null",
};

console.log(`// SPDX-License-Identifier: MIT
//
// Generated from the library's description of its options.

export type Preset = ${quoted(presets)};
export type Look = ${quoted(looks)};

/** Options of a field, by name. */
export interface Options {
  /** Another noise library's field, which the other options change. */
  preset?: Preset;
  /** A field by what it shows, for grids that are \`width\` wide; other options change it. */
  look?: Look;
  /** 1024 unless set. */
  width?: number;`);
for (const option of options) {
  console.log(`  /** ${option.summary} Default: ${option.default}. */`);
  console.log(`  ${option.name}?: ${types[option.kind](option)};`);
}
console.log(`  /** 256 values from 0 to 255 for hash "table", or 1024 for "primes". */
  hash_table?: ArrayLike<number>;
  /** Vectors for gradients "table": 2 to 256, each with a component for each axis. */
  gradient_table?: readonly ArrayLike<number>[];
  /** Gradients for hash "grid": x and y of each point, x fastest. */
  gradient_grid?: { size: readonly [nx: number, ny: number]; vectors: ArrayLike<number> };
}`);
