// SPDX-License-Identifier: MIT
//
// Compares the WebAssembly module with the native library, bit for bit: parity.mjs PACKAGE FILE, where
// FILE is of wasm_fields. Every call is made with every set of kernels, through the package.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, file] = process.argv.slice(2);
const { currentIsa, field, forceIsa, isas, PerlaneError, selftest } = await import(
  pathToFileURL(`${folder}/node.js`)
);

const { buffer } = Uint8Array.from(readFileSync(file));
let at = 0;
function take(type, n) {
  const array = new type(buffer, at, n);
  at += array.byteLength;
  return array;
}

const bits = (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
function same(a, b) {
  const [x, y] = [bits(a), bits(b)];
  return x.length === y.length && x.every((byte, i) => byte === y[i]);
}

/** The call's outputs, or the status of its error. */
function results(record, coords) {
  const { dims, origin, size, step, text, levels } = record;
  const { hash_table, gradient_table, gradient_grid } = record;
  const given = { hash_table, gradient_table, gradient_grid };
  for (const item of text.split(" ").filter(Boolean)) {
    const [name, value] = item.split("=");
    given[name] = value;
  }
  const grid = { size, step, origin, first: record.first.map(BigInt) };
  const noise = field(given);
  try {
    switch (record.call) {
      case "fill":
        return [noise.fill(grid)];
      case "uint16":
        return [noise.fill({ ...grid, dtype: "uint16", low: levels[0], high: levels[1] })];
      case "uint8":
        return [noise.fill({ ...grid, dtype: "uint8", low: levels[1], high: levels[0] })];
      case "extremes": {
        const { values, smallest, largest } = noise.fillExtremes(grid);
        return [values, Float32Array.of(smallest, largest)];
      }
      case "gradient": {
        const { values, gradient } = noise.fillGradient(grid);
        return [values, ...gradient];
      }
      case "points":
        return [noise.points(coords, { origin })];
      case "doubles":
        return [noise.points(coords)];
      case "at":
        return [Float32Array.from(coords[0], (_, i) => noise.at(...coords.map((axis) => axis[i])))];
      default: {
        const { values, gradient } = noise.pointsGradient(coords, { origin });
        return [values, ...gradient];
      }
    }
  } catch (error) {
    if (error instanceof PerlaneError) return error.status;
    throw error;
  } finally {
    noise.free();
  }
}

let [calls, values, failed] = [0, 0, 0];
while (at < buffer.byteLength) {
  const [length] = take(Uint32Array, 2);
  const record = JSON.parse(new TextDecoder().decode(take(Uint8Array, length)));
  const { call, dims, n, status } = record;
  const type = ["doubles", "at"].includes(call) ? Float64Array : Float32Array;
  const isPoints = ["points", "doubles", "slopes", "at"].includes(call);
  const coords = Array.from({ length: isPoints ? dims : 0 }, () => take(type, n));
  const expected = [];
  if (status === 0) {
    const format = { uint16: Uint16Array, uint8: Uint8Array }[call] ?? Float32Array;
    expected.push(take(format, n));
    if (call === "extremes") expected.push(take(Float32Array, 2));
    if (call === "gradient" || call === "slopes")
      for (let a = 0; a < dims; a++) expected.push(take(Float32Array, n));
  }
  at += -at & 7;
  for (const isa of isas) {
    forceIsa(isa);
    const found = results(record, coords);
    const equal =
      status === 0
        ? Array.isArray(found) && expected.every((each, i) => same(each, found[i]))
        : found === status;
    if (!equal && failed++ < 5)
      console.log(`${currentIsa()} differs: ${JSON.stringify({ ...record, found: Array.isArray(found) ? "" : found })}`);
  }
  calls++;
  values += expected.reduce((sum, each) => sum + each.length, 0);
}

for (const isa of isas) {
  const { ok, digest } = selftest(isa);
  console.log(`${isa}: perlane_selftest ${ok ? "passes" : "fails"}, 0x${digest.toString(16).toUpperCase()}`);
  if (!ok) failed++;
}
console.log(`${calls} calls with ${isas.join(" and ")}, ${values} numbers: ${failed} differ`);
process.exitCode = failed > 0 || calls === 0 ? 1 : 0;
