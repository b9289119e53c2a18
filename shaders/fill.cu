/* SPDX-License-Identifier: MIT
 *
 * Kernels with a thread for each sample: blocks along x cover the count of x, y and z are blocks'
 * own indices. out is packed, x fastest.
 */
#include "perlane.cuh"

extern "C" __global__ void fill(const uint *words, float *out) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y, k = blockIdx.z;
  if (i < words[2])
    out[i + words[2] * (j + words[3] * k)] = perlane_sample(words, i, j, k);
}

extern "C" __global__ void selftest(const uint *words, uint *digest) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y, k = blockIdx.z;
  if (i < words[2])
    atomicAdd(digest, perlane_digest(i + words[2] * (j + words[3] * k),
                                     perlane_sample(words, i, j, k)));
}

/* Point i is (coords[i], coords[n + i], coords[2 n + i]). */
extern "C" __global__ void points(const uint *words, float *out, const float *coords, uint n) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] =
        perlane_point(words, coords[i], coords[n + i], words[1] == 3 ? coords[n + n + i] : 0.0f);
}
