// SPDX-License-Identifier: MIT
//
// The same jobs as in speed.c, by the WebAssembly module: speed.mjs MODULE prints each job's name and
// rate, in millions of samples per second of CPU time.

import { readFileSync } from "node:fs";

const POINTS = 65536;
const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]));
const wasm = instance.exports;
let end = wasm.__heap_base.value;

function allocate(bytes) {
  const address = Math.ceil(end / 64) * 64;
  end = address + bytes;
  const missing = Math.ceil((end - wasm.memory.buffer.byteLength) / 65536);
  if (missing > 0) wasm.memory.grow(missing);
  return address;
}

const [params, noise, text, grid] = [2048, 32768, 1024, 256].map(allocate);
const lists = [2, 3].map(() => allocate(128));
const coords = [0, 1, 2].map(() => allocate(POINTS * 4));
const out = allocate(4096 * 4096 * 4);
let random = 12345;
for (const coord of coords) {
  const values = new Float32Array(wasm.memory.buffer, coord, POINTS);
  for (let i = 0; i < POINTS; i++) {
    random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
    values[i] = (random / 2 ** 32) * 10000;
  }
}
lists.forEach((list, i) => {
  const view = new DataView(wasm.memory.buffer, list);
  view.setInt32(0, 2 + i, true); // perlane_list: dims, count, coords
  view.setBigUint64(8, BigInt(POINTS), true);
  coords.forEach((coord, a) => view.setUint32(28 + 4 * a, coord, true));
});

function make(options) {
  wasm.perlane_params_init(params);
  new Uint8Array(wasm.memory.buffer).set(new TextEncoder().encode(`${options}\0`), text);
  if (wasm.perlane_params_parse(params, text, 0) || wasm.perlane_init(noise, params))
    throw new Error(options);
}

const now = () => process.cpuUsage().user + process.cpuUsage().system; // microseconds

function measure(name, rounds, samples, call) {
  const times = [];
  for (let i = -4; i < rounds; i++) {
    // the first ones before the engine has optimised the code
    const start = now();
    if (call() !== 0) throw new Error(name);
    if (i >= 0) times.push(now() - start);
  }
  times.sort((a, b) => a - b);
  console.log(`${name}\t${(samples / times[rounds >> 1]).toFixed(1)}`);
}

const fill =
  (nx, ny, nz = 0) =>
  () =>
    wasm.perlane_grid_init(grid, BigInt(nx), BigInt(ny), BigInt(nz), 0n) ||
    wasm.perlane_fill(noise, grid, out);
const points = (dims) => () => wasm.perlane_points(noise, lists[dims - 2], out, 0);

make("frequency=0.01");
measure("2D 4096x4096, 0.01", 7, 2 ** 24, fill(4096, 4096));
measure("2D 512x512, 0.01", 31, 2 ** 18, fill(512, 512));
measure("3D 256x256x64, 0.01", 9, 2 ** 22, fill(256, 256, 64));
make("frequency=0.002 octaves=8");
measure("2D 2048x2048, 8 octaves from 0.002", 7, 2 ** 22, fill(2048, 2048));
make("frequency=0.002 octaves=4 warp_amplitude=100 warp_frequency=0.004");
measure("2D 512x512, warp and 4 octaves", 9, 2 ** 18, fill(512, 512));
make("frequency=0.01 basis=cellular");
measure("2D 512x512, cells, 0.01", 15, 2 ** 18, fill(512, 512));
make("frequency=0.01");
measure("points in 2D", 31, POINTS, points(2));
measure("points in 3D", 31, POINTS, points(3));
