// SPDX-License-Identifier: MIT
//
// "Measure": the time to fill a map in this browser, beside the loop over simplex-noise that it replaces.

import { $, h, row } from "./dom.js";

const SIZE = [4096, 4096];
const ROUNDS = 5;
const SHARE = 16; // of the rows that the loop computes: it takes seconds for all of them

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
    const add = (name, ms) => body.append(row(name, time(ms)));
    $("speed").replaceChildren(h("table", {}, body), state);
    try {
      let best = Infinity;
      for (let round = 0; round < ROUNDS; round++) best = Math.min(best, await allThreads());
      add(`perlane, ${pool.size} threads`, best);
      add("perlane, one thread", await job(SIZE[1], { rounds: ROUNDS }));
      add(
        "simplex-noise 4 in a loop, one thread",
        await job(SIZE[1] / SHARE, { rounds: ROUNDS, isLoop: true }),
      );
      state.textContent = `Simplex noise, 8 octaves, 4096 × 4096 samples; best of ${ROUNDS}. The loop computes a ${SHARE}th of the rows, times ${SHARE}.`;
    } catch (error) {
      state.textContent = `Not measured: ${error.message}`;
    }
  }
  $("measure").addEventListener("click", run);
}
