// SPDX-License-Identifier: MIT
//
// The cases of tests/cases.txt, which describes them, in JavaScript: cases.mjs PACKAGE.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { Expression, field, PerlaneError } = await import(
  pathToFileURL(`${process.argv[2]}/sync.js`)
);

/** Replaces \n, \t and \xHH, bytes of UTF-8. */
const unescaped = (text) =>
  Buffer.from(
    Buffer.from(text === '""' ? "" : text)
      .toString("latin1")
      .replace(/\\(n|t|x..)/g, (_, code) =>
        code === "n" ? "\n" : code === "t" ? "\t" : String.fromCharCode(`0${code}`),
      ),
    "latin1",
  ).toString();

const numberOf = (text) =>
  text.replace("-", "") === "inf" ? Number(text.replace("inf", "Infinity")) : Number(text);
const axes = (text, make) => text.split(/[x,]/).map(make);

function gridOf(words) {
  const grid = { size: axes(words[0], Number) };
  for (const word of words.slice(1)) {
    const [name, value] = word.split("=");
    if (name === "first") grid.first = axes(value, BigInt);
    else if (["origin", "step"].includes(name)) grid[name] = axes(value, numberOf);
    else grid[name] = value === "shown" ? value : numberOf(value);
  }
  return grid;
}

const bits = (values) =>
  Array.from(new Uint32Array(Float32Array.from(values).buffer), (word) =>
    word.toString(16).padStart(8, "0"),
  ).join(" ");

/** The FNV-1a hash of arrays' bytes. */
function hashOf(...arrays) {
  let hash = 2166136261;
  for (const { buffer, byteOffset, byteLength } of arrays)
    for (const byte of new Uint8Array(buffer, byteOffset, byteLength))
      hash = Math.imul(hash ^ byte, 16777619);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

function resultOf(call, text, given = "") {
  const noise = text[0] === ":" ? new Expression(unescaped(text.slice(2))) : field(unescaped(text));
  const words = given.split(" ");
  if (call === "text") return noise.text || '""';
  if (call === "points" || call === "slopes") {
    const positions = words.map((word) => axes(word, numberOf));
    const coords = positions[0].map((_, a) =>
      Float64Array.from(positions, (position) => position[a]),
    );
    const { values, gradient } =
      call === "points"
        ? { values: noise.points(coords), gradient: [] }
        : noise.pointsGradient(coords);
    const found = positions.map((_, i) => [values[i], ...gradient.map((each) => each[i])]);
    const alone = positions.map((position) => {
      if (call === "points") return [noise.at(position)];
      const { value, gradient: each } = noise.gradient(...position);
      return [value, ...each];
    });
    return bits(found.flat()) === bits(alone.flat()) ? bits(found.flat()) : "single samples differ";
  }
  if (call === "range")
    return bits(noise.range(given.includes("x") ? gridOf(words) : Number(given)));
  const grid = gridOf(words);
  if (call === "gradient") {
    const { values, gradient } = noise.fillGradient(grid);
    return hashOf(values, ...gradient);
  }
  return hashOf(
    noise.fill(call === "fill" ? grid : { ...grid, dtype: call === "fill8" ? "uint8" : "uint16" }),
  );
}

let [ran, others, failed] = [0, 0, 0];
const file = new URL("../../../tests/cases.txt", import.meta.url);
const lines = readFileSync(file, "utf8").split("\n");
for (const [i, line] of lines.entries()) {
  if (line === "" || line[0] === "#") continue;
  const [call, ...given] = line.split(" | ");
  const expected = given.pop();
  if (call[2] !== "n") {
    others++;
    continue;
  }
  ran++;
  let found;
  try {
    found = resultOf(call.slice(5), ...given);
  } catch (error) {
    if (!(error instanceof PerlaneError)) throw error;
    found = `! ${error.message}`;
    const [, place] = /@(\d+)/.exec(expected) ?? [];
    const name = place && /^[^=\s]*/.exec(unescaped(given[0]).slice(place))[0];
    if (place && error.option !== (name || undefined))
      found = `of option ${error.option}: ${error.message}`;
  }
  const sentence = expected.slice(expected.indexOf(": ") + 2).replace(/\.\.\.$/, "");
  const isRight =
    expected[0] === "!" ? found[0] === "!" && found.includes(sentence) : found === expected;
  if (isRight) continue;
  failed++;
  console.log(`cases.txt:${i + 1}: ${found}\n  expected ${expected}`);
}
console.log(`${ran} cases, and ${others} that are not for npm: ${failed} differ`);
process.exitCode = failed > 0 || ran === 0 ? 1 : 0;
