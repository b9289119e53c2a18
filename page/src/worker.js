// SPDX-License-Identifier: MIT
//
// Computes tiles. Does one job after another; the page decides which comes next.

import { instantiate } from "../perlane/core.js";
import { settingsOf } from "./picture.js";
import { dimsOf, gridOf } from "./slice.js";
import { boundsOf, makeField } from "./source.js";

const BINS = 128;

let ready; // settled once the module is instantiated
let perlane;
let field;
let fieldText;
let fieldZ; // of the slice; null for the 2D field
let fieldRange;

// Samples of the tiles drawn last, so that another look needs only pixels: name -> { text, z, samples, stats }.
const kept = new Map();

function keep({ name, text, z, most }, samples, stats) {
  kept.delete(name);
  kept.set(name, { text, z, samples, stats });
  if (kept.size > most) kept.delete(kept.keys().next().value);
}

function useField({ text, z = null }) {
  if (fieldText === text && fieldZ === z) return;
  const next = makeField(perlane, text);
  field?.free();
  field = next;
  fieldText = text;
  fieldZ = z;
  fieldRange = boundsOf(field, dimsOf(z));
}

/** The distribution of the values of a picture's samples, which may have a border of one. */
function histogram({ samples, slopes }, size) {
  const [low, high] = fieldRange;
  const bins = new Uint32Array(BINS);
  const factor = BINS / (high - low || 1);
  const border = slopes === "differences" ? 1 : 0;
  const row = size + 2 * border;
  let min = Infinity;
  let max = -Infinity;
  let sum = 0;
  for (let y = border; y < size + border; y++) {
    for (let at = y * row + border, end = at + size; at < end; at++) {
      const value = samples[at];
      if (Number.isNaN(value)) continue;
      if (value < min) min = value;
      if (value > max) max = value;
      sum += value;
      const bin = ((value - low) * factor) | 0;
      bins[bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin]++;
    }
  }
  return { bins, min, max, sum };
}

// ---- What is measured: simplex noise of 8 octaves ----

const FREQUENCY = 0.004;
const OCTAVES = 8;
let measured; // the samples

function perlaneFill(out, width, rows) {
  const simplex = perlane.field({ basis: "simplex", frequency: FREQUENCY, octaves: OCTAVES });
  simplex.fill({ size: [width, rows], out });
  simplex.free();
}

/** The loop that simplex-noise's users write. */
async function loopOf(address) {
  const { createNoise2D } = await import(address);
  const noise2D = createNoise2D();
  return (out, width, rows) => {
    for (let y = 0, i = 0; y < rows; y++)
      for (let x = 0; x < width; x++, i++) {
        let [sum, amplitude, frequency] = [0, 1, FREQUENCY];
        for (let octave = 0; octave < OCTAVES; octave++) {
          sum += amplitude * noise2D(x * frequency, y * frequency);
          amplitude *= 0.5;
          frequency *= 2;
        }
        out[i] = sum;
      }
  };
}

const WORK = {
  /** A tile: its picture and the distribution of its samples, which may be known; and if not, how long they took. */
  async tile(job) {
    useField(job);
    const start = performance.now();
    const { size, x, y, look, name } = job;
    const step = 2 ** job.level;
    const grid = gridOf(fieldZ, [size, size], [x * BigInt(size), y * BigInt(size)], step);
    const last = kept.get(name);
    const known = last?.text === fieldText && last.z === fieldZ ? last : { samples: job.samples };
    const drawn = field.picture({
      ...grid,
      ...settingsOf(field, look, dimsOf(fieldZ), step),
      samples: known.samples,
    });
    const isNew = drawn.samples !== known.samples;
    const time = isNew ? { busy: performance.now() - start, count: size * size } : {};
    const stats = isNew ? histogram(drawn, size) : known.stats;
    if (name) keep(job, drawn.samples, stats);
    const bitmap = await createImageBitmap(new ImageData(drawn.pixels, size, size));
    return [{ bitmap, stats, ...time }, [bitmap]];
  },

  /** The smallest and the largest value of a grid. */
  extremes(job) {
    useField(job);
    const { smallest, largest } = field.fillExtremes(gridOf(fieldZ, job.size, job.first, job.step));
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
    const spec = gridOf(fieldZ, job.size, job.first, job.step, job.origin);
    const [width, height] = job.size;
    if (job.format === "raw32") {
      const bytes = new Uint8Array(field.fill(spec).buffer);
      return [{ bytes }, [bytes.buffer]];
    }
    const samples = field.fill({ ...spec, dtype: "uint16", low: job.low, high: job.high });
    if (job.format !== "png") {
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

  /** Fills rows of the map that is measured, and throws them away. Returns the best time of some rounds. */
  async measure({ size, rows, rounds, other }) {
    const [width, height] = size;
    const out = (measured =
      measured?.length === width * rows ? measured : new Float32Array(width * rows));
    const fill = other ? await loopOf(other) : perlaneFill;
    let best = Infinity;
    for (let round = 0; round < rounds; round++) {
      const start = performance.now();
      fill(out, width, rows);
      best = Math.min(best, performance.now() - start);
    }
    return [{ ms: (best * height) / rows }, []];
  },

  selftest: () => [perlane.selftest(), []],
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
