// SPDX-License-Identifier: MIT
//
// A map that the GPU computes where the browser offers one, compared with that of WebAssembly.

import { openWebGPU } from "../perlane/webgpu.js";
import { h } from "./dom.js";
import { startState } from "./starts.js";

const SIZE = 256;

async function openDevice(perlane) {
  const adapter = await navigator.gpu?.requestAdapter();
  if (!adapter) throw new Error("this browser offers no GPU to pages");
  return openWebGPU(await adapter.requestDevice(), perlane);
}

export function makeGPU(perlane, pool) {
  const canvas = h("canvas", { width: SIZE, height: SIZE, id: "gpu", role: "img", "aria-label": "Clouds" });
  const shown = h("p", { id: "gpu-shown", role: "status" }, "Computing…");

  function show(bitmap, by, text) {
    canvas.getContext("2d").drawImage(bitmap, 0, 0);
    bitmap.close();
    canvas.dataset.by = by;
    shown.textContent = text;
  }

  async function draw() {
    const { text, ...look } = await startState(perlane, pool, perlane.looks.find(({ name }) => name === "clouds"), SIZE, SIZE, 2);
    const job = { text, level: 0, x: 0n, y: 0n, size: SIZE, look };
    const { bitmap, busy } = await pool.run({ ...job, kind: "tile" });
    const { values: expected } = await pool.run({ kind: "grid", text, size: [SIZE, SIZE], first: [0, 0], step: 1 });
    try {
      const gpu = await openDevice(perlane);
      const field = perlane.field(text);
      const start = performance.now();
      const values = await gpu.fill(field, { size: [SIZE, SIZE] });
      const time = performance.now() - start;
      field.free();
      const [a, b] = [values, expected].map((array) => new Uint32Array(array.buffer));
      const differ = a.filter((word, i) => word !== b[i]).length;
      if (differ > 0) throw new Error(`${differ} samples of the GPU differ`);
      const picture = await pool.run({ ...job, kind: "tile", samples: values });
      bitmap.close();
      const samples = a.length.toLocaleString("en");
      show(picture.bitmap, "gpu", `Drawn by this GPU, in ${time.toFixed(0)} ms. All ${samples} samples have the bits that WebAssembly computed here, in ${busy.toFixed(0)} ms in one thread.`);
    } catch (error) {
      show(bitmap, "wasm", `Drawn by WebAssembly: ${error.message}.`);
    }
  }

  const element = h(
    "section",
    {},
    h("h3", {}, "8. On the GPU"),
    h("p", {}, "A shader computes a map with the bits of WebAssembly, so a server without a GPU knows the terrain that a GPU draws. Each device first computes six fields, and is used only if all their samples are right."),
    canvas,
    shown,
  );
  return { element, draw };
}
