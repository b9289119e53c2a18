// SPDX-License-Identifier: MIT
//
// perlane/noise: fields of Perlin and simplex noise as functions of coordinates, and nothing else. The
// values have the bits of "perlane". bindings/npm/build puts the module into this file, as into sync.js.

import wasm from "./noise.wasm";

if (typeof WebAssembly === "undefined")
  throw new Error(
    "perlane computes with WebAssembly, which this host lacks or has switched off, as Lockdown Mode does; switch it on",
  );

const module = wasm instanceof WebAssembly.Module ? wasm : new WebAssembly.Module(wasm);
const {
  memory,
  __heap_base: start,
  perlin2,
  perlin3,
  simplex2,
  simplex3,
} = new WebAssembly.Instance(module).exports;

const USUAL = {
  seed: 1337,
  frequency: 0.01,
  octaves: 1,
  lacunarity: 2,
  gain: 0.5,
  basis: "perlin",
};

function wrong(option, message) {
  return Object.assign(new RangeError(`${option} ${message}`), { option });
}

/** The options of a field, from a text or an object. */
function read(given) {
  if (typeof given !== "string" && (typeof given !== "object" || given === null))
    throw new TypeError("expected a text or an object of options");
  const pairs =
    typeof given === "string"
      ? given
          .split(/\s+/)
          .filter(Boolean)
          .map((each) => each.match(/([^=]*)=?(.*)/s).slice(1))
      : Object.entries(given);
  for (const [name] of pairs)
    if (!Object.hasOwn(USUAL, name))
      throw wrong(
        name,
        `is not an option of perlane/noise, which has ${Object.keys(USUAL).join(", ")}; "perlane" has all options`,
      );
  const options = {
    ...USUAL,
    ...Object.fromEntries(pairs.filter(([, value]) => value !== undefined)),
  };
  const real = (name, fits, expected) => {
    const value =
      /^(number|string)$/.test(typeof options[name]) && options[name] !== ""
        ? Number(options[name])
        : NaN;
    if (!(Number.isFinite(value) && fits(value))) throw wrong(name, `must be ${expected}`);
    return value;
  };
  if (options.basis !== "perlin" && options.basis !== "simplex")
    throw wrong("basis", 'must be "perlin" or "simplex"; "perlane" has the others');
  return {
    basis: options.basis,
    seed: seedOf(options.seed),
    frequency: real("frequency", (value) => value > 0, "a finite number above 0"),
    octaves: real(
      "octaves",
      (value) => Number.isInteger(value) && value >= 1 && value <= 32,
      "a whole number from 1 to 32",
    ),
    lacunarity: real("lacunarity", (value) => value > 0, "a finite number above 0"),
    gain: real("gain", () => true, "a finite number"),
  };
}

function seedOf(given) {
  const isText = typeof given === "string" && /^-?(\d+|0x[\da-f]+)$/i.test(given);
  const isWhole = isText || typeof given === "bigint" || Number.isSafeInteger(given);
  const seed =
    isText && given.startsWith("-") ? -BigInt(given.slice(1)) : BigInt(isWhole ? given : 2n ** 64n);
  if (seed < -(2n ** 63n) || seed >= 2n ** 64n)
    throw wrong("seed", "must be a whole number of up to 64 bits, from 2^53 on a BigInt or a text");
  return seed;
}

// ---- The constants of octaves: docs/specification.md, 3.1 to 3.4 ----

/** Output number n of SplitMix64's stream. */
function output(start, n) {
  const word = (value) => BigInt.asUintN(64, value);
  let z = word(start + BigInt(n) * 0x9e3779b97f4a7c15n);
  z = word((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
  z = word((z ^ (z >> 27n)) * 0x94d049bb133111ebn);
  return z ^ (z >> 31n);
}

const SCALES = {
  perlin: { 2: 0x165f218 / 2 ** 24, 3: 0x1ee0a2a / 2 ** 26 },
  simplex: {
    2: (1 / 13.7527482505538) * (1 - 2 ** -18),
    3: (1 / 0.2872974605145) * (1 - 2 ** -18),
  },
};

/** The powers of a factor, each from the one before it. */
function powers(first, factor, count) {
  const list = [first];
  while (list.length < count) list.push(list.at(-1) * factor);
  return list;
}

const OCTAVE_BYTES = 64; // of struct octave in noise.c

/** Writes a field's octaves to memory. */
function write(address, { basis, seed, frequency, octaves, lacunarity, gain }, dims) {
  const frequencies = powers(frequency, lacunarity, octaves);
  const weights = powers(1, gain, octaves);
  const total = weights.reduce((sum, weight) => sum + Math.abs(weight), 0);
  const margin = octaves === 1 ? 1 : 1 - octaves * 2 ** -23;
  if (!frequencies.every((each) => each >= 2 ** -1022 && each < Infinity))
    throw wrong(
      "lacunarity",
      "brings an octave's frequency out of range; set it closer to 1, or use fewer octaves",
    );
  if (total === Infinity)
    throw wrong(
      "gain",
      "brings the octaves' amplitudes out of range; set it closer to 0, or use fewer octaves",
    );
  const stream = output(seed, 1);
  const view = new DataView(memory.buffer, address, OCTAVE_BYTES * octaves);
  for (let k = 0; k < octaves; k++) {
    const at = OCTAVE_BYTES * k;
    for (let a = 0; a < 4; a++) {
      const r = a < dims ? output(stream, 4 * k + a + 1) : 0n;
      view.setFloat64(at + 8 * a, 1.5 * 2 ** 28 + Number(r & 0xffffffn) / 2 ** 24, true);
      view.setUint32(at + 32 + 4 * a, Number(r >> 32n), true);
    }
    view.setFloat64(at + 48, frequencies[k], true);
    view.setFloat32(at + 56, (weights[k] / total) * margin * SCALES[basis][dims], true);
  }
}

// ---- Memory ----

const free = Array.from({ length: 33 }, () => []); // addresses by numbers of octaves
let end = Math.ceil(start.value / OCTAVE_BYTES) * OCTAVE_BYTES;

const release = ({ address, octaves }) => free[octaves].push(address);
const registry =
  typeof FinalizationRegistry === "undefined" ? undefined : new FinalizationRegistry(release);

function allocate(octaves) {
  const address = free[octaves].pop();
  if (address !== undefined) return address;
  const bytes = OCTAVE_BYTES * octaves;
  if (end + bytes > memory.buffer.byteLength) memory.grow(16);
  end += bytes;
  return end - bytes;
}

/** Returns make(address, octaves), a function of coordinates that keeps its octaves in memory. */
function noise(given, dims, make) {
  const options = read(given);
  const { octaves } = options;
  const address = allocate(octaves);
  try {
    write(address, options, dims);
  } catch (error) {
    release({ address, octaves });
    throw error;
  }
  const value = make[options.basis](address, octaves);
  registry?.register(value, { address, octaves });
  return value;
}

// A function for each basis: engines inline a call whose target is always the same.
export const noise2D = (options = "") =>
  noise(options, 2, {
    perlin: (address, octaves) => (x, y) => perlin2(address, octaves, x, y),
    simplex: (address, octaves) => (x, y) => simplex2(address, octaves, x, y),
  });
export const noise3D = (options = "") =>
  noise(options, 3, {
    perlin: (address, octaves) => (x, y, z) => perlin3(address, octaves, x, y, z),
    simplex: (address, octaves) => (x, y, z) => simplex3(address, octaves, x, y, z),
  });
