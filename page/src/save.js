// SPDX-License-Identifier: MIT
//
// Saves a map of any size: the pool computes bands of rows, each of which the browser may keep on disk.

import { words } from "./code.js";
import { png } from "./png.js";
import { isExpression } from "./source.js";

const BAND = 1 << 19; // samples of a band

export const FORMATS = {
  png: { title: "PNG 16 bits", suffix: "png" },
  raw: { title: "Raw 16 bits .raw", suffix: "raw" },
  raw16: { title: "Raw 16 bits .r16", suffix: "r16" },
  raw32: { title: "Raw floats .r32", suffix: "r32" },
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
  const bands = new Array(Math.ceil(height / rows));
  let begun = 0;
  let done = 0;
  const work = async () => {
    while (begun < bands.length) {
      signal.throwIfAborted();
      const band = begun++;
      const size = [width, Math.min(rows, height - band * rows)];
      const first = [map.first[0], map.first[1] + BigInt(band * rows)];
      const job = { kind: "rows", ...map, format, size, first };
      bands[band] = new Blob([await pool.run(job)]);
      progress(++done / bands.length);
    }
  };
  await Promise.all(Array.from({ length: 2 * pool.size }, work)); // as many as the pool has places for
  signal.throwIfAborted();
  if (format !== "png") return new Blob(bands);
  const { size, first, step, origin = "" } = words(map);
  const made = isExpression(map.text) ? map.text.replaceAll(" ", "&") : map.text; // as the command has it
  const place = `size=${size} bits=16 first=${first} step=${step}${origin && ` origin=${origin}`}`;
  const text = `perlane=${version} ${made} ${place} range=${map.low},${map.high}`;
  return new Blob(await png(map.size, text, new Blob(bands), signal), { type: "image/png" });
}

export function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
