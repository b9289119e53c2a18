/* SPDX-License-Identifier: MIT
 *
 * Kernels with a work item for each sample: the global size along x may exceed the count, so that
 * groups divide it. out is packed, x fastest.
 */
#include "perlane.cl"

__kernel void fill(__global const uint *words, __global float *out) {
  uint i = get_global_id(0), j = get_global_id(1), k = get_global_id(2);
  if (i < words[2])
    out[i + words[2] * (j + words[3] * k)] = perlane_sample(words, i, j, k);
}

__kernel void selftest(__global const uint *words, __global uint *digest) {
  uint i = get_global_id(0), j = get_global_id(1), k = get_global_id(2);
  if (i < words[2])
    atomic_add(digest, perlane_digest(i + words[2] * (j + words[3] * k),
                                      perlane_sample(words, i, j, k)));
}

/* Point i is (coords[i], coords[n + i], coords[2 n + i]), n the global size. */
__kernel void points(__global const uint *words, __global float *out, __global const float *coords) {
  uint i = get_global_id(0), n = get_global_size(0);
  out[i] = perlane_point(words, coords[i], coords[n + i], words[1] == 3 ? coords[n + n + i] : 0.0f);
}
