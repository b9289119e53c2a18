/* SPDX-License-Identifier: MIT
 *
 * Kernels with a work item for each 8 samples along y: the global size is nx, (ny + 7) / 8 and nz,
 * or 1 in 2D. Along x it may be larger, so that groups divide it. out is packed, x fastest.
 */
#include "perlane.cl"

__kernel void fill(__global const uint *words, __global float *out) {
  uint i = get_global_id(0), j = PERLANE_ROWS * get_global_id(1), k = get_global_id(2);
  if (i >= words[2])
    return;
  perlane_samples samples = perlane_column(words, i, j, k);
  for (uint r = 0; r < PERLANE_ROWS && j + r < words[3]; r++)
    out[i + words[2] * (j + r + words[3] * k)] = samples.value[r];
}

__kernel void selftest(__global const uint *words, __global uint *digest) {
  uint i = get_global_id(0), j = PERLANE_ROWS * get_global_id(1), k = get_global_id(2);
  if (i >= words[2])
    return;
  perlane_samples samples = perlane_column(words, i, j, k);
  for (uint r = 0; r < PERLANE_ROWS && j + r < words[3]; r++)
    atomic_add(digest, perlane_digest(i + words[2] * (j + r + words[3] * k), samples.value[r]));
}

/* Point i is (coords[i], coords[n + i], coords[2 n + i]), n the global size. */
__kernel void points(__global const uint *words, __global float *out, __global const float *coords) {
  uint i = get_global_id(0), n = get_global_size(0);
  out[i] = perlane_point(words, coords[i], coords[n + i], words[1] == 3 ? coords[n + n + i] : 0.0f);
}
