// SPDX-License-Identifier: MIT
//
// The map is a 2D field, or the slice of the 3D field at a z.

/** A grid of the map as the library takes it; origin is that of index 0 along x and y. */
export const gridOf = (z, size, first, step, origin = [0, 0]) =>
  z === null || z === undefined
    ? { size, first, step, origin }
    : { size: [...size, 1], first: [...first, 0n], step: [step, step, 1], origin: [...origin, z] };

export const dimsOf = (z) => (z === null || z === undefined ? 2 : 3);
