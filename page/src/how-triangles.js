// SPDX-License-Identifier: MIT
//
// What a lattice of squares and one of triangles leave in the noise: its spectrum, by direction.

import { h } from "./dom.js";
import { drawSigned, figure } from "./how.js";

const SIZE = 160;
const N = 128; // samples along an axis of the spectrum
const BINS = 80; // of its N bins, those around zero, which have all the power
const SEEDS = 6;
const DECIBELS = 40; // from white down to black
// A triangle is smaller than a square of the same frequency.
const KINDS = {
  perlin: { frequency: 1, text: "On squares, a cross: more along the axes." },
  simplex: { frequency: 0.6, text: "On triangles, a disc: the same in all directions." },
};

const FIRST = -BINS / 2;
const WINDOW = Float64Array.from({ length: N }, (_, i) => 1 - Math.cos((2 * Math.PI * i) / N)); // Hann's
const COS = Float64Array.from({ length: N }, (_, i) => Math.cos((2 * Math.PI * i) / N));
const SIN = Float64Array.from({ length: N }, (_, i) => Math.sin((2 * Math.PI * i) / N));

/** The bins of each of `rows` rows of N complex numbers, transposed: BINS rows of `rows`. */
function transform(re, im, rows) {
  const out = [new Float64Array(BINS * rows), new Float64Array(BINS * rows)];
  for (let row = 0; row < rows; row++)
    for (let bin = 0; bin < BINS; bin++) {
      let a = 0;
      let b = 0;
      for (let i = 0; i < N; i++) {
        const angle = ((FIRST + bin) * i) & (N - 1);
        a += re[row * N + i] * COS[angle] + im[row * N + i] * SIN[angle];
        b += im[row * N + i] * COS[angle] - re[row * N + i] * SIN[angle];
      }
      out[0][bin * rows + row] = a;
      out[1][bin * rows + row] = b;
    }
  return out;
}

/** Mean power of SEEDS fields, two as the parts of complex numbers, in [0, 1]. */
function spectrumOf(perlane, options) {
  const power = new Float64Array(BINS * BINS);
  for (let seed = 0; seed < SEEDS; seed += 2) {
    const [re, im] = [seed, seed + 1].map((each) => {
      const field = perlane.field({ ...options, seed: each });
      const values = field.fill({ size: [N, N] });
      field.free();
      return values.map((value, i) => value * WINDOW[i % N] * WINDOW[Math.floor(i / N)]);
    });
    const [a, b] = transform(...transform(re, im, N), BINS);
    for (let i = 0; i < power.length; i++) power[i] += a[i] * a[i] + b[i] * b[i];
  }
  const most = Math.max(...power);
  return power.map((value) => Math.max(1 + (10 * Math.log10(value / most)) / DECIBELS, 0));
}

export function makeTriangles(perlane) {
  const canvas = (id, label) => h("canvas", { id, width: SIZE, height: SIZE, role: "img", "aria-label": label });
  const kinds = Object.entries(KINDS).map(([name, kind]) => ({
    name,
    ...kind,
    ridges: canvas(`ridges-${name}`, `Ridges of ${name} noise`),
    spectrum: canvas(`spectrum-${name}`, `Spectrum of ${name} noise`),
  }));

  function draw() {
    for (const { name, frequency, ridges, spectrum } of kinds) {
      const field = perlane.field({ seed: 9, basis: name, frequency: frequency / 20, fractal: "ridged" });
      drawSigned(ridges, field.fill({ size: [SIZE, SIZE] }), 1);
      field.free();
      const power = spectrumOf(perlane, { basis: name, frequency: frequency / 6 });
      const context = spectrum.getContext("2d");
      const image = context.createImageData(SIZE, SIZE);
      for (let i = 0; i < SIZE * SIZE; i++) {
        const level = 255 * power[((i / SIZE / 2) | 0) * BINS + ((i % SIZE) >> 1)];
        image.data.set([level, level, level, 255], 4 * i);
      }
      context.putImageData(image, 0, 0);
    }
  }

  const element = h(
    "section",
    {},
    h("h3", {}, "7. Why triangles"),
    h("p", {}, "Ridges of one octave, and the spectrum of such noise: its power in each direction, from low frequencies in the middle to high ones at the border."),
    h(
      "div",
      { class: "figures" },
      kinds.flatMap(({ name, text, ridges, spectrum }) => [figure(ridges, h("strong", {}, name)), figure(spectrum, text)]),
    ),
  );
  return { element, draw };
}
