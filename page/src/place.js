// SPDX-License-Identifier: MIT
//
// Positions, exact at any distance. A coordinate is a BigInt in units of 2^-FRACTION of a unit of
// position. A level is the base-2 logarithm of the step: sample i of level k is at position i * 2^k.

export const FRACTION = 24;
export const MIN_LEVEL = -10;
export const MAX_LEVEL = 20;

const LIMIT = 1n << 62n;

/** The index of the sample at or before a coordinate. */
export const indexOf = (coordinate, level) => coordinate >> BigInt(FRACTION + level);
export const coordinateOf = (index, level) => index << BigInt(FRACTION + level);

/** A coordinate as a number, the nearest to it. */
export const numberOf = (coordinate) =>
  Number(coordinate >> BigInt(FRACTION)) +
  Number(coordinate & ((1n << BigInt(FRACTION)) - 1n)) / 2 ** FRACTION;

/** Keeps indices within 63 bits at every level. */
export function clamp(coordinate) {
  const limit = LIMIT << BigInt(FRACTION + MIN_LEVEL);
  return coordinate > limit ? limit : coordinate < -limit ? -limit : coordinate;
}

/** A coordinate in decimal, with all of its digits. */
export function format(coordinate) {
  const sign = coordinate < 0n ? "-" : "";
  const size = coordinate < 0n ? -coordinate : coordinate;
  const whole = size >> BigInt(FRACTION);
  const rest = size & ((1n << BigInt(FRACTION)) - 1n);
  const digits = String((rest * 10n ** BigInt(FRACTION)) >> BigInt(FRACTION)).padStart(
    FRACTION,
    "0",
  );
  return `${sign}${whole}.${digits}`.replace(/\.?0+$/, "");
}

/** Reads what format() writes, and numbers such as 1e15; undefined for anything else. */
export function parse(text) {
  const match = /^\s*([+-]?)(\d+)(?:\.(\d*))?(?:e\+?(\d{1,2}))?\s*$/i.exec(
    text.replace(/[\s_\u2009]/g, ""),
  );
  if (!match) return undefined;
  const [, sign, whole, fraction = "", exponent = "0"] = match;
  const scaled = (BigInt(whole + fraction) * 10n ** BigInt(exponent)) << BigInt(FRACTION);
  const size = scaled / 10n ** BigInt(fraction.length);
  return clamp(sign === "-" ? -size : size);
}

export const step = (level) => 2 ** level;

/** The index of the first sample of a map of a size around x, y. */
export const firstOf = ({ x, y, level }, [width, height]) => [
  indexOf(x, level) - BigInt(width >> 1),
  indexOf(y, level) - BigInt(height >> 1),
];

// The map is of the 2D field, or the slice of the 3D field at a z.
const isFlat = (z) => z === null || z === undefined;
export const dimsOf = (z) => (isFlat(z) ? 2 : 3);

/** A grid of the map as the library takes it; origin is that of index 0 along x and y. */
export const gridOf = ({ z, size, first, step, origin = [0, 0] }) =>
  isFlat(z)
    ? { size, first, step, origin }
    : { size: [...size, 1], first: [...first, 0n], step: [step, step, 1], origin: [...origin, z] };
