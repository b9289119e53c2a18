// SPDX-License-Identifier: MIT
//
// "Measure": the time to fill a map in this browser, beside the loop over simplex-noise that it replaces.

import { $, h } from "./dom.js";

const SIZE = [4096, 4096];
const ROUNDS = 5;
const SHARE = 16; // of the rows that the loop computes: it takes seconds for all of them
const LOOP = new URL("../simplex-noise/simplex-noise.js", import.meta.url).href;

const time = (ms) => `${ms < 100 ? ms.toFixed(1) : Math.round(ms).toLocaleString("en")} ms`;

export function makeMeasure(pool) {
  const job = (rows, more) => pool.run({ kind: "measure", size: SIZE, rows, rounds: 1, ...more });

  async function allThreads() {
    const start = performance.now();
    await pool.bands(SIZE[1], (_, rows) => job(rows));
    return performance.now() - start;
  }

  async function run() {
    const body = h("tbody");
    const state = h("small", {}, "Measuring…");
    const row = (name, ms) =>
      body.append(h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, time(ms))));
    $("speed").replaceChildren(h("table", {}, body), state);
    try {
      let best = Infinity;
      for (let round = 0; round < ROUNDS; round++) best = Math.min(best, await allThreads());
      row(`perlane, ${pool.size} threads`, best);
      row("perlane, one thread", (await job(SIZE[1], { rounds: ROUNDS })).ms);
      row(
        "simplex-noise 4 in a loop, one thread",
        (await job(SIZE[1] / SHARE, { rounds: ROUNDS, other: LOOP })).ms,
      );
      state.textContent = `Simplex noise, 8 octaves, 4096 × 4096 samples; best of ${ROUNDS}. The loop computes a ${SHARE}th of the rows, times ${SHARE}.`;
    } catch (error) {
      state.textContent = `Not measured: ${error.message}`;
    }
  }
  $("measure").addEventListener("click", run);
}
