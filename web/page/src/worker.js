// SPDX-License-Identifier: MIT
//
// Computes tiles. Does one job after another; the page decides which comes next.

import { instantiate } from "../perlane/core.js";
import { withoutEffect } from "./effects.js";
import { paint } from "./paint.js";
import { dimsOf, gridOf } from "./slice.js";

const BINS = 128;

let ready; // settled once the module is instantiated
let perlane;
let field;
let fieldText;
let fieldZ; // of the slice; null for the 2D field
let fieldRange;
let slopes = new Map(); // level -> root mean square of a step's difference

function useField({ text, z = null }) {
  if (fieldText === text && fieldZ === z) return;
  const next = perlane.field(text);
  field?.free();
  field = next;
  fieldText = text;
  fieldZ = z;
  fieldRange = field.range(dimsOf(z));
  slopes = new Map();
}

/** Differences of neighbouring samples at positions that depend on nothing but the level. */
function slopeAt(level) {
  if (slopes.has(level)) return slopes.get(level);
  const step = 2 ** level;
  const n = 300;
  const x = new Float64Array(3 * n);
  const y = new Float64Array(3 * n);
  for (let i = 0; i < n; i++) {
    const px = Math.floor(((i * 0.754877666) % 1) * 65536) * step;
    const py = Math.floor(((i * 0.569840291) % 1) * 65536) * step;
    x.set([px, px + step, px], 3 * i);
    y.set([py, py, py + step], 3 * i);
  }
  const values = field.points(fieldZ === null ? [x, y] : [x, y, new Float64Array(3 * n).fill(fieldZ)]);
  let sum = 0;
  let count = 0;
  for (let i = 0; i < 3 * n; i += 3) {
    const square = (values[i + 1] - values[i]) ** 2 + (values[i + 2] - values[i]) ** 2;
    if (!Number.isFinite(square)) continue;
    sum += square;
    count++;
  }
  const slope = Math.sqrt(sum / Math.max(count, 1));
  slopes.set(level, slope);
  return slope;
}

function histogram(values, size) {
  const [low, high] = fieldRange;
  const bins = new Uint32Array(BINS);
  const factor = BINS / (high - low || 1);
  let min = Infinity;
  let max = -Infinity;
  let sum = 0;
  for (let y = 1; y <= size; y++) {
    for (let x = 1, at = y * (size + 2) + 1; x <= size; x++, at++) {
      const value = values[at];
      if (!(value - value === 0)) continue;
      if (value < min) min = value;
      if (value > max) max = value;
      sum += value;
      const bin = ((value - low) * factor) | 0;
      bins[bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin]++;
    }
  }
  return { bins, min, max, sum };
}

async function picture(values, job) {
  const pixels = new Uint8ClampedArray(4 * job.size * job.size);
  const look = { ...job.look, low: job.look.low ?? fieldRange[0], high: job.look.high ?? fieldRange[1] };
  const slope = slopeAt(job.level);
  // Without a rise, slopes of 1 in 1.6, root mean square, at every level and for every field.
  const rise = look.rise === null ? (slope > 0 ? 0.62 / slope : 0) : look.rise / 2 ** job.level;
  const height = 0.5 * rise * look.relief; // differences are those of every other sample
  paint(values, job.size, look, height, pixels);
  return createImageBitmap(new ImageData(pixels, job.size, job.size));
}

const WORK = {
  /** A tile: values with a border of one sample, the picture, and the distribution. */
  async tile(job) {
    useField(job);
    const start = performance.now();
    const side = job.size + 2;
    const first = [job.x * BigInt(job.size) - 1n, job.y * BigInt(job.size) - 1n];
    const values = field.fill(gridOf(fieldZ, [side, side], first, 2 ** job.level));
    const busy = performance.now() - start;
    const stats = histogram(values, job.size);
    const bitmap = await picture(values, job);
    return [{ values, bitmap, stats, busy, samples: side * side }, [values.buffer, bitmap, stats.bins.buffer]];
  },

  /** The picture of a tile again, in another style. */
  async paint(job) {
    useField(job);
    const bitmap = await picture(job.values, job);
    return [{ bitmap }, [bitmap]];
  },

  /** The smallest and the largest value of a grid. */
  extremes(job) {
    useField(job);
    const { smallest, largest } = field.fillExtremes({ size: job.size, first: job.first, step: job.step });
    return [{ smallest, largest }, []];
  },

  /** A grid of floats. */
  grid(job) {
    useField(job);
    const values = field.fill(gridOf(fieldZ, job.size, job.first, job.step));
    return [{ values }, [values.buffer]];
  },

  /** Rows for a file: bytes as they are stored in it. */
  rows(job) {
    useField(job);
    const spec = gridOf(fieldZ, job.size, job.first, job.step);
    const [width, height] = job.size;
    if (job.format === "raw32") {
      const bytes = new Uint8Array(field.fill(spec).buffer);
      return [{ bytes }, [bytes.buffer]];
    }
    const samples = field.fill({ ...spec, dtype: "uint16", low: job.low, high: job.high });
    if (job.format === "raw16") {
      const bytes = new Uint8Array(samples.buffer);
      return [{ bytes }, [bytes.buffer]];
    }
    // PNG: big-endian, each row after the number of its filter. Sub, 1, needs no other row and
    // halves the size of smooth maps.
    const bytes = new Uint8Array(height * (2 * width + 1));
    for (let y = 0, to = 0; y < height; y++) {
      bytes[to++] = 1;
      let left = 0;
      for (let x = 0; x < width; x++) {
        const value = samples[y * width + x];
        bytes[to++] = (value >> 8) - (left >> 8);
        bytes[to++] = (value & 255) - (left & 255);
        left = value;
      }
    }
    return [{ bytes }, [bytes.buffer]];
  },

  /** The options that change nothing. */
  effects({ text }) {
    return [{ names: withoutEffect(perlane, text) }, []];
  },

  /** Samples per second of this worker: Perlin noise with 8 octaves, in grids of 256 x 256. */
  rate() {
    const plain = perlane.field("octaves=8 frequency=0.002");
    const out = new Float32Array(256 * 256);
    const rounds = 32;
    let best = Infinity; // of a few times, as browsers round them
    for (let time = 0; time < 4; time++) {
      const start = performance.now();
      for (let i = 0; i < rounds; i++) plain.fill({ size: [256, 256], first: [256 * i, 0], out });
      best = Math.min(best, performance.now() - start);
    }
    plain.free();
    return [{ rate: (1000 * rounds * out.length) / best }, []];
  },

  selftest() {
    const start = performance.now();
    const { ok, digest } = perlane.selftest();
    return [{ ok, digest, isa: perlane.currentIsa(), ms: performance.now() - start }, []];
  },
};

onmessage = async ({ data }) => {
  try {
    if (data.module) {
      ready = instantiate(data.module);
      perlane = await ready;
    } else {
      await ready;
      const [result, transfer] = await WORK[data.kind](data);
      postMessage({ id: data.id, result }, transfer);
    }
  } catch (error) {
    postMessage({ id: data.id, error: String(error.message ?? error) });
  }
};
