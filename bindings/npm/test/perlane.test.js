// SPDX-License-Identifier: MIT
//
// The npm package's tests. cases.mjs has the cases of all languages.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import { inspect } from "node:util";
import { runInNewContext } from "node:vm";
import { Worker } from "node:worker_threads";

import {
  Expression,
  field,
  gpuSelftests,
  init,
  instantiate,
  instantiateSync,
  looks,
  noise2D,
  noise3D,
  options,
  palette,
  palettes,
  PerlaneError,
  presets,
  selftest,
  version,
} from "perlane";
import * as small from "perlane/noise";
import * as sync from "perlane/sync";
import { functions } from "perlane/webgpu";

await init();

const bits = (array) => new Uint32Array(array.buffer, array.byteOffset, array.length);

function throws(option, call, message = /./) {
  assert.throws(call, (error) => {
    assert.ok(error instanceof PerlaneError, String(error));
    assert.equal(error.option, option);
    assert.match(error.message, message);
    return true;
  });
}

test("the kernels compute the digest of every build, in the package's version", () => {
  assert.ok(selftest().ok);
  const about = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  assert.equal(version, JSON.parse(about).version);
});

test("options describe themselves", () => {
  const octaves = options.find((option) => option.name === "octaves");
  const { heading, summary, expected, ...numbers } = octaves;
  assert.deepEqual([heading, expected], ["Octaves", "a whole number from 1 to 32"]);
  const flags = { minIsOpen: false, maxIsOpen: false, excludesZero: false };
  const dims = [1, 2, 3, 4];
  const bounds = { min: 1, max: 32, ...flags, default: 1, dims, choices: [] };
  assert.deepEqual(numbers, { name: "octaves", kind: "integer", ...bounds });
  for (const option of options) {
    assert.match(option.summary, /^[A-Z].*\.$/);
    assert.ok(option.min < option.max);
    assert.equal(option.choices.length > 0, option.kind === "choice");
    assert.equal(field({ [option.name]: option.default }).text, "", option.name);
    for (const choice of option.choices) assert.ok(choice.dims.length > 0 && choice.summary);
  }
  assert.ok(presets.includes("improved"));
  assert.ok(Object.isFrozen(options) && Object.isFrozen(octaves));
});

test("texts and objects make the same field", () => {
  const text =
    "seed=18446744073709551615 frequency=0.25 period=8,4 octaves_share=on fractal=ping_pong curve=-1:0,0.5:0.25,1:1";
  const given = { seed: 2n ** 64n - 1n, frequency: 0.25, period: [8, 4], octaves_share: true };
  const curve = [-1, 0, 0.5, 0.25, 1, 1].flatMap((_, i, all) =>
    i % 2 ? [] : [all.slice(i, i + 2)],
  );
  assert.equal(field({ ...given, fractal: "ping-pong", curve }).text, text);
  assert.equal(`${field(text)}`, text);
  for (const none of [undefined, { octaves: undefined }, { curve: null }])
    assert.equal(field(none).text, "");
  assert.equal(field({ preset: "improved" }).text, field("preset=improved").text);
  assert.equal(field({ octaves: 3, preset: "improved" }).get("octaves"), "3");
  assert.equal(field({ frequency: 1e-7, value_scale: 1e21 }).get("value-scale"), "1e21");
  assert.equal(field(text).get("seed"), String(given.seed));
});

test("looks are for grids of a width", () => {
  assert.ok(Object.isFrozen(looks) && looks.every(Object.isFrozen));
  for (const { name: look } of looks)
    assert.equal(field({ look }).text, field({ look, width: 1024 }).text);
  const { summary, ...island } = looks.find(({ name }) => name === "island");
  assert.equal(summary, "One island with a mountain range in the sea.");
  const size = { relief: 630 / 16000, width: 16000, height: 630 };
  assert.deepEqual(island, {
    name: "island",
    palette: "land",
    azimuth: 315,
    altitude: 40,
    ...size,
  });
  const look = field({ look: "island", width: 512, octaves: 3 });
  assert.match(look.text, /octaves=3.* falloff_x=256/);
  throws("look", () => field({ look: "sea" }), /expected one of alps, /);
  throws("width", () => field({ look: "island", width: 0 }), /from 1 to 2/);
});

test("pictures: greys are bytes, samples are drawn again, pieces fit together", () => {
  const noise = field("octaves=4 frequency=0.02");
  const size = [300, 200];
  const ends = { size, low: -0.5, high: 0.7 };
  const grey = noise.picture(ends);
  const reds = grey.pixels.filter((_, i) => i % 4 === 0);
  assert.deepEqual(reds, new Uint8ClampedArray(noise.fill({ ...ends, dtype: "uint8" })));
  assert.deepEqual(bits(grey.samples), bits(noise.fill({ size })));
  assert.deepEqual([grey.slopes, grey.relief], ["none", 0]);
  assert.ok(grey.pixels.every((byte, i) => i % 4 !== 3 || byte === 255));
  const lit = { size, palette: "land", shade: true, light: [200, 20] };
  const shaded = noise.picture(lit);
  const { samples, slopes, relief } = shaded;
  const pixels = (more, other = noise) => other.picture({ ...lit, ...more }).pixels;
  assert.equal(slopes, "gradient");
  assert.deepEqual(pixels({ relief }), shaded.pixels);
  assert.deepEqual(pixels({ samples, light: [315, 45] }), pixels({ light: [315, 45] }));
  assert.notDeepEqual(pixels({ samples: new Float32Array(samples.length) }), shaded.pixels);
  assert.deepEqual(pixels({ samples: grey.samples }), shaded.pixels); // has no slopes: ignored
  noise.reseed(2);
  assert.deepEqual(pixels(), pixels({}, field("seed=2 octaves=4 frequency=0.02")));
  for (const text of ["basis=cellular frequency=0.05", "frequency=0.05"]) {
    const cells = field(text);
    const large = { size: [1100, 2000], step: 0.5 };
    const part = pixels({ ...large, size: [1100, 3], first: [0, 999] }, cells);
    assert.deepEqual(pixels(large, cells).subarray(4 * 1100 * 999, 4 * 1100 * 1002), part);
    const down = cells.picture({ size: [9, 7, 1], normalMap: true, normalY: "down" });
    assert.equal(down.pixels.length, 4 * 63);
  }
});

test("expressions: fields combined in one text, in every function of fields", () => {
  const text =
    "plains=octaves=4;peaks=seed=2 octaves=6 fractal=ridged;mix(plains,peaks,0.3)-0.001*y";
  const peaks = field("seed=2 octaves=6 fractal=ridged");
  const parts = { plains: { octaves: 4 }, peaks };
  const land = new Expression("mix(plains, peaks, 0.3) - 0.001*y", parts);
  assert.equal(`${land}`, text);
  const size = [1100, 1000];
  const expected = new Expression(text).fill({ size });
  peaks.reseed(3); // expressions have copies
  peaks.free();
  assert.deepEqual(bits(land.fill({ size })), bits(expected));
  const [low, high] = land.range({ size });
  const { smallest, largest } = land.fillExtremes({ size });
  assert.ok(low <= smallest && smallest < largest && largest <= high && Number.isFinite(low));
  assert.deepEqual(land.range(2), [-Infinity, Infinity]);
  assert.deepEqual(field().range({ size }), field().range(2));
  assert.equal(land.fill({ size, dtype: "uint8", low, high }).length, expected.length);
  const [octaves, coarse] = [field("octaves=8 frequency=0.01"), { size, step: [1, 8] }];
  const shown = octaves.fill({ ...coarse, octaves: "shown" });
  assert.deepEqual(bits(shown), bits(octaves.fill({ ...coarse, octaves: 3 })));
  const lit = { low, high, palette: "land", shade: true };
  const { pixels, slopes } = land.picture({ size, ...lit });
  assert.equal(slopes, "gradient");
  const part = land.picture({ size: [1100, 2], first: [0, 700], ...lit });
  assert.deepEqual(part.pixels, pixels.subarray(4 * 1100 * 700, 4 * 1100 * 702));
  const root = new Expression("sqrt(a)", { a: "frequency=0.001" });
  const roots = root.fillExtremes({ size: [3000, 1000] });
  assert.ok(roots.values.some(Number.isNaN) && roots.smallest >= 0 && roots.largest > 0);
  const none = new Expression("sqrt(-1 - x*x)").fillExtremes({ size: 9 });
  assert.deepEqual([none.smallest, none.largest], [NaN, NaN]);
});

test("expressions keep the tables of their fields", () => {
  const vectors = Float32Array.from({ length: 32 }, (_, i) => Math.sin(i));
  const make = () =>
    field({ preset: "grid", frequency: 0.25, gradient_grid: { size: [4, 4], vectors } });
  const base = make();
  const twice = new Expression("2*base", { base });
  const expected = make().at(3, 5) * 2;
  base.free();
  const others = Array.from({ length: 9 }, () =>
    field({ preset: "grid", gradient_grid: { size: [4, 4], vectors: vectors.map(() => 0.5) } }),
  );
  assert.equal(twice.at(3, 5), expected);
  assert.notEqual(expected, 0);
  others.forEach((each) => each.free());
  twice.free();
  throws(undefined, () => twice.at(3, 5), /freed/);
});

test("an expression as deep as can be, of every kind of step, fits the module's stack", () => {
  let deep = "at(x + 20*a, y, b)";
  for (const each of "abcabca") deep = `min(${each}, smooth_max(x, ${deep}, 0.5))`;
  const a = "octaves=3 warp_amplitude=5";
  const c = "basis=simplex warp_amplitude=9 warp_octaves=2";
  const expression = new Expression(deep, { a, b: "basis=cellular octaves=2", c });
  const grid = { size: [700, 300], low: -1, high: 1, shade: true };
  assert.equal(expression.picture(grid).pixels.length, 840000);
  const x = Float64Array.of(1.5, -7);
  const single = Float32Array.of(expression.at(1.5, 1.5), expression.at(-7, -7));
  assert.deepEqual(bits(expression.points([x, x])), bits(single));
});

test("expressions that cannot be made say why", async () => {
  const other = instantiateSync(await readFile(new URL("../perlane.wasm", import.meta.url)));
  const whole = new Expression("a", { a: "" });
  for (const [option, message, ...given] of [
    ["expression", /no field is called 'c'/, "a + c", { a: "" }],
    ["expression", /unlike '2a'/, "a", { "2a": "" }],
    ["expression", /unlike 'a\\x20b'/, "a", { "a b": "" }],
    ["expression", /./, "a \0", { a: "" }],
    ["octaves", /from 1 to 32/, "a", { a: { octaves: 0 } }],
    ["a", /cannot be a part of another/, "a", { a: whole }],
    ["a", /same instance/, "a", { a: other.field() }],
  ])
    throws(option, () => new Expression(...given), message);
  assert.throws(() => new Expression(), TypeError);
  throws("octaves", () => whole.get("octaves"), /its fields have them/);
  throws("seed", () => whole.reseed(2), /its fields/);
  throws("low", () => new Expression("x").fill({ size: [4, 4], dtype: "uint8" }));
  throws("low", () => new Expression("x").picture({ size: [4, 4] }));
  throws("basis", () => new Expression("2*a", { a: "basis=cellular" }).fillCells({ size: 4 }));
  assert.throws(() => new Expression("2*a", { a: "" }).gpuWords({ size: [4, 4] }), PerlaneError);
});

test("pictures and palettes that do not exist say why", () => {
  const size = [8, 8];
  assert.equal(palettes[0], "grey");
  const [land, sand] = ["land", "sand"].map(palette);
  assert.deepEqual([land.coast, sand.coast, sand.slopes], [true, false, [0, 0]]);
  assert.equal(land.colours.length % 3, 0);
  const noise = field("basis=white");
  for (const wrong of [
    { light: [0, 91] },
    { light: [0] },
    { normalY: "left" },
    { low: 1, high: 1 },
    { size: [4, 4, 2] },
    { size: 4 },
    { samples: [1] },
    { colour: 1 },
    { normalMap: true },
  ])
    throws(Object.keys(wrong)[0], () => noise.picture({ size, ...wrong }));
  throws("shade", () => noise.picture({ size, shade: true }), /basis value has/);
  throws("palette", () => noise.picture({ size, palette: "mauve" }), /one of grey, terrain/);
  throws("relief", () => field().picture({ size, shade: true, relief: 1e300 }), /too high/);
  throws("palette", () => palette("mauve"));
});

test("errors have the option's name", () => {
  for (const [given, message] of [
    [{ octaves: 8.5 }, /whole number from 1 to 32, not '?8\.5/],
    [{ persistence: 0.5 }, /did you mean gain/],
    [{ gain: NaN }],
    [{ seed: -(2n ** 63n) - 1n }],
    [{ seed: 2 ** 53 }, /use a BigInt, 9007199254740992n/],
    [{ seed: -(2 ** 53) }, /use a BigInt, -9007199254740992n/],
    [{ seed: Infinity }, /whole/],
    [{ fractal: "fbm octaves=3" }],
    [{ hash_table: new Array(256).fill(256), hash: "table" }],
    [{ gradient_table: [[1, 0], [1]], gradients: "table" }],
  ])
    throws(Object.keys(given)[0], () => field(given), message);
  assert.throws(() => field(7), TypeError);
  const noise = field();
  for (const [given, message] of [
    [{ dytpe: "uint8" }, /no such setting.*dtype/],
    [{ size: undefined }],
    [{ size: [4, 0] }],
    [{ size: [1, 1, 1, 1, 1] }],
    [{ size: [2 ** 40, 2 ** 10] }],
    [{ first: 2 ** 53 }],
    [{ first: 2n ** 63n }],
    [{ first: 2n ** 63n - 2n, step: 1e-9 }],
    [{ first: [0, 0] }],
    [{ step: 0 }],
    [{ step: "1" }],
    [{ octaves: 2 ** 32 }, /from 0 to 32/],
    [{ octaves: 1.5 }, /from 0 to 32/],
    [{ dtype: "int8" }],
    [{ out: new Float32Array(5) }, /4 elements, not 5/],
    [{ out: new Float64Array(4) }],
    [{ low: 0 }],
    [{ low: 1, high: 1, dtype: "uint8" }],
  ])
    throws(Object.keys(given)[0], () => noise.fill({ size: 4, ...given }), message);
  throws("name", () => noise.get("name"));
  throws("dtype", () => noise.fillExtremes({ size: 4, dtype: "uint8" }));
  throws("gradient", () => noise.fillGradient({ size: [4, 4], gradient: [new Float32Array(16)] }));
  throws("gradient", () => field("fractal=eroded").gradient(1, 2));
  throws("dims", () => noise.range(5));
  for (const position of [[], [[]], [null], [1, 2, 3, 4, 5]])
    throws("position", () => noise.at(...position), /1 to 4 coordinates/);
  for (const position of [[1, undefined], ["1"], [1, 2n], [[1, "2"]]])
    throws("position", () => noise.gradient(...position), /expected numbers/);
  throws("coords", () => noise.points([new Float32Array(3), new Float32Array(4)]));
  throws("coords", () => noise.points([new Float32Array(3), new Float64Array(3)]));
  throws("origin", () => noise.points([new Float64Array(3)], { origin: 1 }));
  noise.free();
  noise.free();
  assert.throws(() => noise.at(1), PerlaneError);
});

test("cells have ids and points", () => {
  const text = "basis=cellular frequency=0.1 normalize=none";
  const grid = { size: [40, 30], first: [-7, 5], step: 0.5 };
  const { id, offset, f1, f2, edge } = field(text).fillCells({ ...grid, edge: true });
  assert.deepEqual(bits(f1), bits(field(text).fill(grid)));
  assert.deepEqual(bits(edge), bits(field(`${text} cell_output=edge`).fill(grid)));
  assert.deepEqual(Object.keys(field(text).fillCells(grid)), ["id", "offset", "f1", "f2"]);
  assert.ok(id instanceof Uint32Array && offset.length === 2 && f2.every((v, i) => v >= f1[i]));
  const points = new Map();
  id.forEach((number, i) => {
    const x = ((i % 40) - 7) * 0.5 + offset[0][i];
    const y = (Math.floor(i / 40) + 5) * 0.5 + offset[1][i];
    const [px, py] = points.get(number) ?? points.set(number, [x, y]).get(number);
    assert.ok(Math.hypot(x - px, y - py) < 1e-5);
  });
  assert.ok(points.size > 3);
  assert.throws(() => field("octaves=2").fillCells(grid), /no cells unless its basis is cellular/);
});

test("points of cells are scattered once over boxes side by side", () => {
  const noise = field("basis=cellular frequency=0.1 normalize=none cell_output=value");
  const { position, id, number } = noise.scatter([-7, 5], [193, 105]);
  assert.ok(id.length > 150 && id.length < 250 && id.length === position[1].length);
  assert.deepEqual(bits(number), bits(noise.points(position)));
  const parts = [noise.scatter([-7, 5], [100, 105]), noise.scatter([100, 5], [193, 105])];
  const ids = parts.flatMap((part) => [...part.id]);
  assert.deepEqual(ids.sort(), [...id].sort());
  assert.equal(noise.scatter([0, 0, 0], [9, 9, 0]).id.length, 0);
  assert.throws(() => noise.scatter([0], [1, 2]), /as many coordinates/);
  assert.throws(() => noise.scatter([0, 0], [1, NaN]), /finite numbers/);
  assert.throws(() => field("").scatter([0, 0], [1, 1]), /no points to scatter/);
});

test("large outputs are the parts of one map", () => {
  const noise = field("frequency=0.05 octaves=2");
  for (const size of [[700001], [1201, 901], [700, 600, 3], [5, 4, 3, 20000]]) {
    const { values, smallest, largest } = noise.fillExtremes({ size, step: 0.7 });
    assert.deepEqual(bits(values), bits(noise.fill({ size, step: 0.7 })));
    const ends = [Math.min, Math.max].map((end) => values.reduce((a, b) => end(a, b)));
    assert.deepEqual([smallest, largest], ends);
    for (let i = 0; i < 200; i++) {
      let at = Math.floor(((i * 0.618034) % 1) * values.length);
      const value = values[at];
      const first = size.map((n) => [at % n, (at = Math.floor(at / n))][0]);
      const one = { size: size.map(() => 1), first, step: 0.7 };
      assert.equal(noise.fill(one)[0], value);
    }
  }
  const x = Float32Array.from({ length: 50000 }, (_, i) => i * 0.37);
  const values = noise.points([x, x]);
  for (const i of [0, 16383, 16384, 49999]) assert.equal(values[i], noise.at(x[i], x[i]));
});

test("integers go from the lowest to the highest value unless levels are given", () => {
  const [noise, size] = [field("octaves=3 value_scale=2"), [33, 17]];
  const [low, high] = noise.range(2);
  const words = noise.fill({ size, dtype: "uint16" });
  assert.deepEqual(noise.fill({ size, dtype: "uint16", low, high }), words);
  const out = new Uint8ClampedArray(33 * 17);
  const bytes = noise.fill({ size, out, low: high, high: low });
  assert.ok(bytes.every((byte, i) => Math.abs(255 - byte - words[i] / 257) <= 1));
});

test("outputs of the caller", () => {
  const noise = field("seed=3");
  const size = [20, 10];
  const memory = new Float32Array(1000).fill(7);
  const out = memory.subarray(100, 300);
  assert.equal(noise.fill({ size, out }), out);
  assert.deepEqual(bits(Float32Array.from(out)), bits(noise.fill({ size })));
  assert.ok(memory.every((v, i) => (i >= 100 && i < 300) || v === 7));
  const gradient = [new Float32Array(200), new Float32Array(200)];
  assert.equal(noise.fillGradient({ size, gradient }).gradient[1], gradient[1]);
  throws("step", () => noise.fill({ size, out, step: Infinity }));
  const x = Float32Array.from({ length: 40000 }, (_, i) => i * 0.37);
  const expected = noise.pointsGradient([x, x]);
  const places = [x.slice(), x.slice(), x.slice()];
  noise.pointsGradient(places.slice(0, 2), { out: places[0], gradient: places.slice(1) });
  assert.deepEqual(places.map(bits), [expected.values, ...expected.gradient].map(bits));
  const shifted = new Float32Array(x.buffer, 4, 30000);
  const coords = [x.subarray(0, 30000), x.slice(0, 30000)];
  const others = [new Float32Array(30000), coords[1]];
  for (const [name, call] of [
    [
      "gradient",
      () => noise.fillGradient({ size, out, gradient: [gradient[0], memory.subarray(299, 499)] }),
    ],
    ["gradient", () => noise.fillGradient({ size, gradient: [out, out] })],
    ["gradient", () => noise.pointsGradient(coords, { out: coords[1], gradient: others })],
    ["out", () => noise.points(coords, { out: shifted })],
    ["out", () => noise.points([new Float64Array(x.buffer)], { out: x.subarray(0, 20000) })],
  ])
    throws(name, call, /overlaps/);
});

test("settings that a call does not take", () => {
  const noise = field();
  throws(
    "out",
    () => field("basis=cellular").fillCells({ size: 4, out: new Float32Array(4) }),
    /no such setting/,
  );
  const list = [Float32Array.of(1)];
  throws("orgin", () => noise.points(list, { orgin: 3 }), /no such setting.*origin/);
  throws("gradient", () => noise.points(list, { gradient: list }), /no such setting/);
  throws("threads", () => noise.pointsGradient(list, { threads: 3 }), /no such setting.*gradient/);
  throws("orgin", () => noise.gpuPointWords(2, { orgin: 3 }), /no such setting/);
});

test("tables are copied, are lists in texts, and wrong ones are refused", () => {
  const hash_table = Array.from({ length: 256 }, (_, i) => (i * 37) & 255);
  const primes = Array.from({ length: 1024 }, (_, i) => i & 255);
  const gradient_table = [Float32Array.of(1, 0.5), [-1, 0.5]];
  const vectors = Float32Array.from({ length: 12 }, (_, i) => Math.cos(i));
  const gradient_grid = { size: [3, 2], vectors };
  const pairs = [0, 2, 4, 6, 8, 10].map((i) => [...vectors.slice(i, i + 2)]);
  const rows = JSON.stringify([pairs.slice(0, 3), pairs.slice(3)]);
  const found = [
    [{ hash_table: Uint8Array.from(hash_table) }, "hash=table", `hash_table=[${hash_table}]`],
    [{ hash_table: primes }, "hash=primes", `octaves=1 hash=primes hash-table=[${primes}]`],
    [{ gradient_table }, "gradients=table", "gradient_table=[[1,0.5],[-1,0.5]] hash=lattice"],
    [{ gradient_grid }, "hash=grid", `gradient_grid=${rows}`],
  ].map(([tables, text, list]) => {
    const noise = field(tables);
    assert.equal(noise.text, text);
    assert.equal(field(list).at(55, 66), noise.at(55, 66));
    return [noise, noise.at(55, 66)];
  });
  assert.equal(new Set(found.map(([, value]) => value)).size, 4);
  vectors.fill(1);
  for (let i = 0; i < 50; i++) field("octaves=3").fill({ size: [64, 64] }); // memory of others
  for (const [noise, value] of found) assert.equal(noise.at(55, 66), value);
  for (const list of ["[1,", "[]", "[1,2]"])
    throws("hash_table", () => field(`hash_table=${list}`), /expected/);
  for (const options of [{ hash: "perlin" }, { hash: "primes" }, { gradient_grid }])
    throws("hash_table", () => field({ ...options, hash_table }), /needs hash: "table"/);
  throws("gradient_table", () => field({ gradient_table, gradients: "sphere" }), /needs gradients/);
  for (const bad of [1.5, "1", true, 2 ** 32, NaN])
    throws("hash_table", () => field({ hash_table: [bad, ...hash_table.slice(1)] }), /whole/);
  for (const wrong of [{}, 5, { size: 5, vectors }, { size: [3, 2] }, { size: [1.5, 4], vectors }])
    throws("gradient_grid", () => field({ gradient_grid: wrong }), /expected size, \[nx, ny\]/);
});

test("words for shaders", async () => {
  const terrain = field("octaves=3 frequency=0.2");
  const grid = { size: [7, 5], first: -9, step: 0.5 };
  const words = terrain.gpuWords(grid);
  assert.deepEqual([...words.subarray(1, 6)], [2, 7, 5, 0, 3]);
  const out = new Uint32Array(words.length);
  assert.equal(terrain.gpuWords({ ...grid, out }), out);
  assert.deepEqual(out, words);
  assert.notDeepEqual(terrain.gpuWords({ ...grid, first: -8 }), words);
  const points = terrain.gpuPointWords(3, { origin: [1e9, 0, -1e9] });
  assert.deepEqual([...points.subarray(1, 6)], [3, 0, 0, 0, 3]);
  assert.deepEqual(new Float64Array(points.buffer, 4 * 26, 3), Float64Array.of(1e9, 0, -1e9));
  throws("hash", () => field("hash=perlin").gpuWords(grid), /shaders compute hash lattice/);
  throws(undefined, () => terrain.gpuWords({ size: 7 }), /2 and 3 dimensions/);
  throws(undefined, () => terrain.gpuPointWords(4), /2 and 3 dimensions/);
  for (const dims of [5, -1, 1e9]) throws("dims", () => terrain.gpuPointWords(dims));
  throws("out", () => terrain.gpuWords({ ...grid, out: new Uint32Array(1) }), /expected \d+ el/);
  const tests = gpuSelftests();
  assert.equal(new Set(tests.map(({ digest }) => digest)).size, tests.length);
  for (const { words: each } of tests) assert.equal(each[0], words[0]); // the layout
  assert.match(functions, /fn perlane_sample\(/); // page.mjs runs them
});

test("a new seed; positions are arguments, arrays and typed arrays", () => {
  const noise = field("octaves=2 gradients=sphere");
  assert.equal(noise.reseed(77n), noise);
  assert.equal(noise.text, "seed=77 gradients=sphere octaves=2");
  const again = field(noise.text);
  for (const position of [[1.25, 7.5], [[1.25, 7.5]], [Float64Array.of(1.25, 7.5)]]) {
    assert.equal(noise.at(...position), again.at(1.25, 7.5));
    assert.deepEqual(noise.gradient(...position), again.gradient(1.25, 7.5));
  }
  assert.equal(noise.reseed(-1).get("seed"), "18446744073709551615");
  throws("seed", () => noise.reseed(2n ** 64n));
});

test("memory is used again, and doubles where it is too small", async (context) => {
  const grow = context.mock.method(WebAssembly.Memory.prototype, "grow");
  const { field: make } = await instantiate(readFile(new URL("../perlane.wasm", import.meta.url)));
  const gradient_grid = { size: [2, 2], vectors: new Array(8).fill(1) };
  for (let seed = 0; seed < 3000; seed++) {
    const noise = make({ seed, gradient_grid });
    if (seed === 0) noise.fill({ size: [1000, 1100] });
    noise.free();
    assert.throws(() => make("gain=x"), PerlaneError);
  }
  const few = grow.mock.callCount();
  assert.ok(few <= 6);
  const fields = Array.from({ length: 3000 }, (_, seed) => make({ seed }));
  const values = () => fields.map((noise) => noise.at(1.5, 2.5));
  const [count, before] = [grow.mock.callCount(), values()];
  assert.ok(count <= few + 6);
  fields.slice(1000, 2000).forEach((noise) => noise.free());
  for (let seed = 1000; seed < 2000; seed++) fields[seed] = make({ seed });
  assert.equal(grow.mock.callCount(), count);
  assert.deepEqual(values(), before);
  assert.throws(() => make().fill({ size: [1 << 14, 1 << 14, 1 << 14] }), PerlaneError);
});

test("expressions in a loop take the memory of their fields, and a full memory says what to do", (context) => {
  const { grow } = WebAssembly.Memory.prototype;
  context.mock.method(WebAssembly.Memory.prototype, "grow", function (pages) {
    if (this.buffer.byteLength + 65536 * pages > 2 ** 28) throw new RangeError("too large");
    return grow.call(this, pages);
  });
  const instance = instantiateSync(readFileSync(new URL("../perlane.wasm", import.meta.url)));
  const made = [];
  for (let i = 0; i < 9000; i++) made.push(new instance.Expression("x"));
  assert.equal(made.at(-1).at(2), 2);
  const large = "a = octaves=2; b = seed=2; c = seed=3; d = seed=4; a + b + c + d";
  const fillMemory = () => {
    for (;;) made.push(new instance.Expression(large));
  };
  throws(undefined, fillMemory, /^no memory is left; free\(\)/);
  assert.equal(made[0].at(3), 3);
});

/** The exports of a file of CommonJS in a context of its own, where there are no functions of the host. */
function inContext(name, globals = {}) {
  const context = { module: { exports: {} }, ...globals };
  runInNewContext(readFileSync(new URL(`../${name}.cjs`, import.meta.url), "utf8"), context);
  return context.module.exports;
}

test("hosts without TextEncoder and atob, such as Jest with jsdom", () => {
  const other = inContext("sync");
  assert.equal(other.field("octaves=4").at(1.5, 2), field("octaves=4").at(1.5, 2));
  assert.equal(inContext("noise").noise2D("seed=7")(1.5, 2), noise2D("seed=7")(1.5, 2));
  for (const text of ["größe=1", "\u{1f30d}=\ud83c", "100%=%41"]) {
    const message = (make) => {
      try {
        return make(text);
      } catch (error) {
        return error.message;
      }
    };
    assert.equal(message(other.field), message(field));
    assert.ok(message(field).includes(text.split("=")[0]), message(field));
  }
});

test("hosts without WebAssembly get a sentence", async () => {
  const message =
    "perlane computes with WebAssembly, which this host lacks or has switched off, as Lockdown Mode does; switch it on";
  for (const name of ["sync", "noise"])
    assert.throws(() => inContext(name, { WebAssembly: undefined }), { message });
  const there = globalThis.WebAssembly;
  globalThis.WebAssembly = undefined;
  const failing = assert.rejects(instantiate(Uint8Array.of()), { name: "PerlaneError", message });
  await failing.finally(() => (globalThis.WebAssembly = there));
});

test("fields in JSON, on a console, and in structured clones", () => {
  const noise = field("octaves=3");
  assert.equal(JSON.stringify({ noise }), '{"noise":"octaves=3"}');
  assert.equal(inspect(noise), 'Field "octaves=3"');
  assert.equal(inspect(new Expression("x + 1")), 'Expression "x+1"');
  const sentence = /a field, whose text can be sent instead.* could not be cloned/;
  assert.throws(() => structuredClone(noise), sentence);
});

test("functions of coordinates", () => {
  const given = { seed: 5, octaves: 4, frequency: 0.7 };
  const [two, three] = [noise2D(given), noise3D(given)];
  for (let i = 0; i < 100; i++) {
    const position = [i * 0.37 - 9, 5 - i * 1.1, i * i];
    assert.equal(two(...position), field(given).at(position[0], position[1]));
    assert.equal(three(...position), field(given).at(position));
  }
  assert.equal(noise2D()(1.5, 2.5), field().at(1.5, 2.5));
  assert.ok(Number.isNaN(two(1)) && Number.isNaN(three(0, 1e300, 0)));
  throws("octaves", () => noise2D({ octaves: 99 }));
});

test("perlane/noise has the bits of perlane", () => {
  let state = 1;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  for (let i = 0; i < 200; i++) {
    const options = {
      seed: BigInt(Math.floor(random() * 2 ** 53)) * 2047n,
      frequency: 10 ** (4 * random() - 3),
      octaves: 1 + Math.floor(12 * random()),
      lacunarity: 0.5 + 2.5 * random(),
      gain: 3 * random() - 1.5,
      basis: i % 2 ? "perlin" : "simplex",
    };
    const found = [small.noise2D(options), small.noise3D(options)];
    const wanted = [noise2D(options), noise3D(options)];
    for (let j = 0; j < 100; j++) {
      // far from the origin, beyond the domain, and at lattice points, too
      const size = 2 ** ((j % 2 ? 12 : 62) * random());
      const at = [0, 1, 2].map((a) =>
        (j % 5 === a ? Math.round : Number)((2 * random() - 1) * size),
      );
      assert.deepEqual(
        found.map((noise) => noise(...at)),
        wanted.map((noise) => noise(...at)),
        `${JSON.stringify({ ...options, seed: String(options.seed) })} ${at}`,
      );
    }
  }
  for (const text of ["", "seed=-1", "seed=0xFF octaves=3", " basis=simplex  gain=-0.5\n"])
    assert.equal(small.noise2D(text)(1.5, 2.5), noise2D(text)(1.5, 2.5), text);
  for (const seed of ["7", 7, 7n, undefined])
    assert.equal(small.noise2D({ seed })(1.5, 2.5), noise2D({ seed })(1.5, 2.5));
  for (const noise of [small.noise2D(), createRequire(import.meta.url)("perlane/noise").noise2D()])
    assert.ok(
      Number.isNaN(noise(1)) &&
        Number.isNaN(noise(NaN, 0)) &&
        noise(1.5, 2.5) === noise2D()(1.5, 2.5),
    );
});

test("perlane/noise refuses what perlane refuses, and other options", () => {
  for (const given of [
    "octaves=33",
    "octaves=",
    "frequency",
    "seed=x",
    { octaves: 0 },
    { octaves: 1.5 },
    { octaves: null },
    { frequency: 0 },
    { frequency: Infinity },
    { frequency: true },
    { lacunarity: -2 },
    { octaves: 32, lacunarity: 1e30 },
    { gain: NaN },
    { octaves: 32, gain: 1e30 },
    { seed: 2 ** 53 },
    { seed: 2n ** 64n },
    { seed: 1.5 },
    { seed: "" },
    { seed: -(2n ** 63n) - 1n },
  ]) {
    const option = typeof given === "string" ? given.split("=")[0] : Object.keys(given).at(-1);
    assert.throws(() => field(given), PerlaneError, option);
    const is = (error) =>
      error instanceof RangeError && error.option === option && error.message.startsWith(option);
    for (const make of [small.noise2D, small.noise3D]) assert.throws(() => make(given), is);
  }
  for (const given of ["warp_amplitude=1", "basis=cellular", "octave=2"]) {
    const is = (error) => given.startsWith(error.option) && /"perlane" has/.test(error.message);
    assert.throws(() => small.noise2D(given), is);
  }
  assert.throws(() => small.noise2D({ warp_amplitude: 1 }), /"perlane" has/);
  assert.throws(() => small.noise2D(7), TypeError);
});

test("perlane/noise needs little memory, and uses it again", async () => {
  const [bytes, again] = await inWorker(`
    require("node:v8").setFlagsFromString("--expose-gc");
    const gc = require("node:vm").runInNewContext("gc");
    let memory;
    const { Instance } = WebAssembly;
    WebAssembly.Instance = function (module) { const made = new Instance(module); memory = made.exports.memory; return made; };
    const { noise2D } = require("perlane/noise");
    const sizes = [];
    for (let round = 0; round < 2; round++) {
      let all = Array.from({ length: 20000 }, (_, seed) => noise2D({ seed }));
      sizes.push(memory.buffer.byteLength);
      all = undefined;
      for (let i = 0; i < 10; i++) { gc(); await new Promise((resolve) => setTimeout(resolve, 20)); }
    }
    return sizes;`);
  assert.ok(bytes < 3e6, String(bytes));
  assert.equal(again, bytes);
});

test("the module inside JavaScript: ESM and CommonJS", async () => {
  const fill = (entry) => bits(entry.field("octaves=8").fill({ size: [33, 17] }));
  const want = fill({ field });
  const names = Object.keys(await import("perlane")).sort();
  for (const entry of [sync, ...["perlane", "perlane/sync"].map(createRequire(import.meta.url))]) {
    assert.deepEqual(fill(entry), want);
    assert.deepEqual(Object.keys(entry).sort(), names);
    assert.equal(await entry.init(), undefined);
  }
  const wasm = await readFile(new URL("../perlane.wasm", import.meta.url));
  assert.deepEqual(fill(instantiateSync(wasm)), want);
});

/** Runs an async function's body in a worker, which has instances of its own, and returns its result. */
async function inWorker(body) {
  const code = `(async () => { ${body} })().then((result) => require("node:worker_threads").parentPort.postMessage(result));`;
  const worker = new Worker(code, { eval: true });
  return new Promise((resolve, reject) => worker.on("message", resolve).on("error", reject));
}

test("the browser's entry fetches the module, again if it could not", async () => {
  const file = new URL("../perlane.js", import.meta.url);
  const [errors, value, found] = await inWorker(`
    const perlane = await import(${JSON.stringify(file)});
    const { field, options, looks, version } = perlane;
    const errors = [() => field(), () => options.map(String), () => [...looks], () => "" + version, () => Object.keys(options)].map((use) => {
      try { use(); } catch (error) { return error.message; }
    });
    for (const answer of [() => { throw new TypeError("offline"); }, () => new Response("<!doctype html>")]) {
      globalThis.fetch = async () => answer();
      errors.push(await perlane.init().catch((error) => error.message));
    }
    globalThis.fetch = async (url) => new Response(await require("node:fs/promises").readFile(url));
    await perlane.init();
    return [errors, perlane.field("octaves=8").at(1.5, 2.5), perlane.version];`);
  assert.deepEqual(
    errors.slice(0, 5),
    new Array(5).fill("perlane is not ready: first await init()"),
  );
  assert.match(
    errors[5],
    /could not be loaded: offline\. .*"perlane\/sync".*optimizeDeps.*init\(source\)/,
  );
  assert.match(errors[6], /could not be loaded: .*magic/);
  assert.equal(value, field("octaves=8").at(1.5, 2.5));
  assert.equal(found, version);
  await assert.rejects(
    instantiate(new Response("", { status: 404, statusText: "Not Found" })),
    /404/,
  );
});

test("workers", async () => {
  const want = bits(field("octaves=8").fill({ size: [64, 64] }));
  for (const load of [
    `const { field } = await import("perlane/sync")`,
    `const { field } = require("perlane")`,
  ])
    assert.deepEqual(
      bits(await inWorker(`${load}; return field("octaves=8").fill({ size: [64, 64] });`)),
      want,
    );
});
