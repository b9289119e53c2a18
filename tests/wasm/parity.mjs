// SPDX-License-Identifier: MIT
//
// Compares the WebAssembly module with the command, bit for bit, over random fields, grids and points:
// parity.mjs PACKAGE COMMAND.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, command] = process.argv.slice(2);
const { Expression, field, options, PerlaneError, presets, selftest } = await import(
  pathToFileURL(`${folder}/sync.js`)
);

const seed = process.env.PERLANE_TEST_SEED ?? "1"; // the same on every run
const cases = Math.max(Math.floor(6 * (process.env.PERLANE_TEST_PERCENT ?? 100)), 30);
console.log(`PERLANE_TEST_SEED=${seed}`);
let state = BigInt(seed);
function word() {
  state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
  let z = BigInt.asUintN(64, (state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n);
  z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
  return z ^ (z >> 31n);
}
const below = (n) => Number(word() % BigInt(n));
const between = (low, high) => low + ((high - low) * below(2 ** 48)) / 2 ** 48;
const oneOf = (list) => list[below(list.length)];
const repeat = (n, make) => Array.from({ length: n }, make);

function valueOf({ name, kind, min, max, choices }, dims) {
  if (kind === "choice") {
    const there = choices.filter(
      (choice) => choice.dims.includes(dims) && !["table", "grid", "primes"].includes(choice.name),
    );
    return oneOf(there).name;
  }
  if (kind === "seed") return String(word());
  if (kind === "integer") return min + below(Math.min(max - min, 8) + 1);
  if (kind === "axes") return repeat(dims, () => below(9)).join(",");
  if (kind === "curve") return `-1:${between(-1, 1)},${between(0, 0.5)}:${between(-9, 9)},1:0.25`;
  if (name.endsWith("frequency")) return between(0.001, 0.5);
  return between(Math.max(min, -2), Math.min(max, 3));
}

function someField(dims) {
  const parts = [`frequency=${between(0.001, 0.3)}`];
  if (below(6) === 0) parts.unshift(`preset=${oneOf(presets)}`);
  for (const option of options)
    if (
      option.dims.includes(dims) &&
      below(10) < (["seed", "octaves", "basis", "fractal"].includes(option.name) ? 6 : 1)
    )
      parts.push(`${option.name}=${valueOf(option, dims)}`);
  return parts.join(" ");
}

/** Runs the command; returns its output, or null where it refuses the field. */
function run(line, text, input = "") {
  const { status, stdout, stderr } = spawnSync(command, [...line.split(" "), "--field", text], {
    input,
    maxBuffer: 1 << 26,
  });
  if (status !== 0 && status !== 2) throw Error(`${line} --field '${text}': ${stderr}`);
  return status === 0 ? stdout : null;
}

const bytes = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength);

/** What the command computes, and a function of what the module does, as bytes. */
function someCase(dims, text) {
  if (below(2)) {
    const size = repeat(dims, () => 1 + below([3000, 70, 17, 8][dims - 1]));
    const first = repeat(dims, () =>
      below(6) ? BigInt(below(2001) - 1000) : BigInt.asIntN(63, word()),
    );
    const origin = repeat(dims, () =>
      below(3) ? between(-1e4, 1e4) : between(0, 1) * 2 ** (20 + below(22)),
    );
    const step = first.map(
      (n) => oneOf([1, -1]) * (n > -5000n && n < 5000n ? between(0.01, 3) : 2 ** -30),
    );
    const [dtype, bits] = oneOf([
      ["float32", 32],
      ["uint16", 16],
      ["uint8", 8],
    ]);
    const levels = bits === 32 ? {} : { low: -0.75, high: 0.5 };
    const range = bits === 32 ? "" : " --range=-0.75,0.5";
    const line = `fill -q -o - --axes ${dims} --size ${size.join("x")} --first=${first} --origin=${origin} --step=${step} --bits ${bits}${range}`;
    return [
      line,
      run(line, text),
      (noise) =>
        bytes(
          noise.fill({ size, first, origin, step, ...(bits === 32 ? {} : { dtype, ...levels }) }),
        ),
    ];
  }
  const coords = repeat(dims, () => Float64Array.from(repeat(1 + below(60), () => 0)));
  const n = coords[0].length;
  for (let a = 0; a < dims; a++)
    coords[a] = Float64Array.from({ length: n }, () => between(-1, 1) * 2 ** below(40));
  if (below(4) === 0) coords[0][n >> 1] = 1e30; // outside the domain
  const input = coords[0].reduce(
    (lines, _, i) => lines + coords.map((axis) => axis[i]).join(",") + "\n",
    "",
  );
  const withGradient = below(3) === 0;
  const line = `points --dims ${dims} --bits-out${withGradient ? " --with-gradient" : ""}`;
  const found = run(line, text, input);
  const words =
    found && Uint32Array.from(found.toString().trim().split(/\s/), (each) => Number(`0x${each}`));
  if (withGradient)
    return [
      line,
      words && bytes(words),
      (noise) => {
        const { values, gradient } = noise.pointsGradient(coords);
        return bytes(
          Float32Array.from(
            words,
            (_, i) => [values, ...gradient][i % (dims + 1)][Math.floor(i / (dims + 1))],
          ),
        );
      },
    ];
  const at = (noise) =>
    Float32Array.from(coords[0], (_, i) => noise.at(...coords.map((axis) => axis[i])));
  return [
    line,
    words && bytes(words),
    (noise) => bytes(below(2) ? at(noise) : noise.points(coords)),
  ];
}

let [compared, refused, failed] = [0, 0, 0];
while (compared < cases) {
  const dims = 1 + below(4);
  const text = someField(dims);
  const [line, expected, compute] = someCase(dims, text);
  let found = null;
  try {
    const noise = field(text);
    found = compute(noise);
    noise.free();
  } catch (error) {
    if (!(error instanceof PerlaneError)) throw error;
  }
  if (expected === null ? found !== null : !found || Buffer.compare(found, expected) !== 0)
    if (failed++ < 5) console.log(`differs: ${line} --field '${text}'`);
  if (expected === null) refused++;
  else compared++;
}
// Expressions: the bits of tests/vectors/specification/expressions.csv, which the native library has.
const real = (text) => {
  const [, sign, whole, digits, power] = /^(-?)0x([01])\.([0-9a-f]*)p([+-]\d+)$/.exec(text);
  return (sign ? -1 : 1) * Number(`0x${whole}${digits}`) * 2 ** (power - 4 * digits.length);
};
const hex = (array) =>
  Array.from(new Uint32Array(array.buffer), (word) =>
    word.toString(16).toUpperCase().padStart(8, "0"),
  ).join(" ");
const vectors = readFileSync(
  new URL("../vectors/specification/expressions.csv", import.meta.url),
  "utf8",
)
  .trim()
  .split("\n")
  .slice(1);
for (const vector of vectors) {
  const [, quoted, plain, position, bits, derivatives] =
    /^(?:"(.*)"|([^,]*)),([^,]*),([^,]*),([^,]*)$/.exec(vector);
  const expression = new Expression(quoted ?? plain);
  const place = position.split(" ").map(real);
  const { value, gradient } = expression.gradient(place);
  const point = expression.points(place.map((each) => Float64Array.of(each)));
  if (
    [expression.at(place), value, point[0]].some((each) => hex(Float32Array.of(each)) !== bits) ||
    hex(gradient) !== derivatives
  )
    if (failed++ < 5) console.log(`differs: ${vector}: ${hex(point)} ${hex(gradient)}`);
  expression.free();
}
const { ok, digest } = selftest();
console.log(`perlane_selftest ${ok ? "passes" : "fails"}, 0x${digest.toString(16).toUpperCase()}`);
if (!ok) failed++;
console.log(
  `${vectors.length} values of expressions, ${compared} fields, ${refused} more are refused: ${failed} differ`,
);
process.exitCode = failed > 0 ? 1 : 0;
