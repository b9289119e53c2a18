// SPDX-License-Identifier: MIT
//
// Saves a map of any size: the pool computes bands of rows, one worker packs them in order.

import { words } from "./code.js";
import { isExpression } from "./source.js";

const BAND = 1 << 19; // samples of a band

export const FORMATS = {
  png: { title: "PNG 16 bits", suffix: "png", type: "image/png" },
  raw: { title: "Raw 16 bits .raw", suffix: "raw", type: "application/octet-stream" },
  raw16: { title: "Raw 16 bits .r16", suffix: "r16", type: "application/octet-stream" },
  raw32: { title: "Raw floats .r32", suffix: "r32", type: "application/octet-stream" },
};

/**
 * Computes the file and returns it as a blob.
 *
 * @param map { text, first, size, step, z, origin, low, high }
 * @param progress called with a share from 0 to 1
 * @param signal an AbortSignal
 */
export async function save(pool, map, format, version, progress, signal) {
  const [width, height] = map.size;
  const rows = Math.max(1, Math.floor(BAND / width));
  const bands = Math.ceil(height / rows);
  const packer = new Worker(new URL("packer.js", import.meta.url), { type: "module" });
  let taken = 0;
  let wake = () => {};
  let failed;
  let blob;
  packer.onmessage = ({ data }) => {
    if (data.error) failed = new Error(data.error);
    if (data.taken) progress(++taken / bands);
    blob = data.blob ?? blob;
    wake();
  };
  packer.onerror = (event) => {
    failed = new Error(event.message ?? "the file could not be written");
    wake();
  };
  const until = async (ready) => {
    while (!ready()) {
      if (failed) throw failed;
      signal.throwIfAborted();
      await new Promise((resolve) => {
        wake = resolve;
        signal.addEventListener("abort", resolve, { once: true });
      });
    }
    signal.throwIfAborted();
  };
  try {
    const { size, first, step, origin } = words(map);
    const range = format === "raw32" ? "" : ` range=${map.low},${map.high}`;
    const made = isExpression(map.text) ? map.text.replaceAll(" ", "&") : map.text; // as the command has it
    const text = `perlane=${version} ${made} size=${size} bits=16 first=${first} step=${step}${origin ? ` origin=${origin}` : ""}${range}`;
    packer.postMessage({ kind: "start", format, width, height, text });
    const running = [];
    let sent = 0;
    for (let band = 0; band < bands; band++) {
      const y = band * rows;
      running.push(
        pool.run({
          kind: "rows",
          text: map.text,
          z: map.z,
          format,
          first: [map.first[0], map.first[1] + BigInt(y)],
          size: [width, Math.min(rows, height - y)],
          step: map.step,
          origin: map.origin,
          low: map.low,
          high: map.high,
        }),
      );
      if (running.length <= pool.size + 1 && band + 1 < bands) continue;
      while (running.length && (band + 1 === bands || running.length > pool.size)) {
        const { bytes } = await running.shift();
        signal.throwIfAborted();
        packer.postMessage({ kind: "rows", bytes }, [bytes.buffer]);
        sent++;
        await until(() => sent - taken < 4); // a slow packer slows the pool, and memory stays small
      }
    }
    await until(() => taken === bands);
    packer.postMessage({ kind: "finish", type: FORMATS[format].type });
    await until(() => blob);
    return blob;
  } finally {
    packer.terminate();
  }
}

export function download(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}
