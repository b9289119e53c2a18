// SPDX-License-Identifier: MIT
//
// Prints the command's palettes, which cli/picture/palette.c has, as a module of the page.
// web/page/build runs it: palettes.js PALETTE_C.

import { readFileSync } from "node:fs";

const text = readFileSync(process.argv[2], "utf8");
const stops = Object.fromEntries([...text.matchAll(/struct stop (\w+)\[\] = \{([^;]*)\};/g)].map(([, name, list]) =>
  [name, [...list.matchAll(/\{(\S+), \{(\d+), (\d+), (\d+)\}\}/g)].map(([, ...numbers]) => numbers.map(Number))]));
const RECORD = /\{"(\w+)", STOPS\((\w+)\), (?:\.has_coast = )?([01])(?:, \{(\d+), (\d+), (\d+)\}, (\S+), (\S+))?\}/g;
const palettes = [...text.matchAll(RECORD)].map(([, name, list, coast, ...rock]) =>
  [name, { stops: stops[list], coast: coast === "1", rock: rock[0] && rock.map(Number) }]);
if (palettes.length === 0 || palettes.length !== Object.keys(stops).length || palettes.some(([, { stops }]) => stops.length < 2))
  throw new Error("web/page/palettes.js: cli/picture/palette.c has another form");
process.stdout.write(`export const COMMAND = ${JSON.stringify(Object.fromEntries(palettes))};\n`);
