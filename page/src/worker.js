// SPDX-License-Identifier: MIT
//
// Computes tiles. Does one job after another; the page decides which comes next.

import { instantiate } from "perlane";

import { settingsOf } from "./picture.js";
import { dimsOf, gridOf } from "./place.js";
import { makeField } from "./source.js";

let ready; // settled once the module is instantiated
let perlane;
let field;
let fieldText;

function useField(text) {
  if (fieldText === text) return;
  const next = makeField(perlane, text);
  field?.free();
  field = next;
  fieldText = text;
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
async function makeLoop() {
  const { createNoise2D } = await import("simplex-noise");
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

/**
 * Rows of a PNG of 16 bits: big-endian, each after the number of its filter. Sub, 1, needs no other
 * row and halves the size of smooth maps.
 */
function pngRows(samples, width) {
  const height = samples.length / width;
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
  return bytes;
}

// Each returns its result, and what of it is transferred.
const WORK = {
  async tile({ size, level, x, y, z, look }) {
    const step = 2 ** level;
    const grid = gridOf({
      z,
      size: [size, size],
      first: [x * BigInt(size), y * BigInt(size)],
      step,
    });
    const { pixels } = field.picture({ ...grid, ...settingsOf(field, look, dimsOf(z), step) });
    const bitmap = await createImageBitmap(new ImageData(pixels, size, size));
    return [bitmap, [bitmap]];
  },

  /** The smallest and the largest value of a grid. */
  extremes(map) {
    const { smallest, largest } = field.fillExtremes(gridOf(map));
    return [{ smallest, largest }, []];
  },

  /** A grid of floats. */
  grid(map) {
    const values = field.fill(gridOf(map));
    return [values, [values.buffer]];
  },

  /** Rows for a file: bytes as they are stored in it. */
  rows(map) {
    const { format, low, high, size } = map;
    const levels = format === "raw32" ? {} : { dtype: "uint16", low, high };
    const samples = field.fill({ ...gridOf(map), ...levels });
    const bytes = format === "png" ? pngRows(samples, size[0]) : new Uint8Array(samples.buffer);
    return [bytes, [bytes.buffer]];
  },

  /** Fills rows of the map that is measured, and throws them away. Returns the best time of some rounds. */
  async measure({ size: [width, height], rows, rounds, isLoop }) {
    if (measured?.length !== width * rows) measured = new Float32Array(width * rows);
    const fill = isLoop ? await makeLoop() : perlaneFill;
    let best = Infinity;
    for (let round = 0; round < rounds; round++) {
      const start = performance.now();
      fill(measured, width, rows);
      best = Math.min(best, performance.now() - start);
    }
    return [(best * height) / rows, []];
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
      if (data.text !== undefined) useField(data.text);
      const [result, transfer] = await WORK[data.kind](data);
      postMessage({ id: data.id, result }, transfer);
    }
  } catch (error) {
    postMessage({ id: data.id, error: String(error.message ?? error) });
  }
};
