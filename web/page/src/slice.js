// SPDX-License-Identifier: MIT
//
// The map is a 2D field, or the slice of the 3D field at a z.

/** A grid of the map as the library takes it. */
export const gridOf = (z, size, first, step) =>
  z === null || z === undefined
    ? { size, first, step }
    : { size: [...size, 1], first: [...first, 0n], step: [step, step, 1], origin: [0, 0, z] };

export const dimsOf = (z) => (z === null || z === undefined ? 2 : 3);
