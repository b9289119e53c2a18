/* SPDX-License-Identifier: MIT
 *
 * Kernels with a thread for each 8 samples along y: blocks along x cover the count of x, and there
 * are (ny + 7) / 8 of them along y, and nz along z, or 1 in 2D. out is packed, x fastest.
 */
#include "perlane.cuh"

extern "C" __global__ void fill(const uint *words, float *out) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x, j = PERLANE_ROWS * blockIdx.y, k = blockIdx.z;
  if (i >= words[2])
    return;
  perlane_samples samples = perlane_column(words, i, j, k);
  for (uint r = 0; r < PERLANE_ROWS && j + r < words[3]; r++)
    out[i + words[2] * (j + r + words[3] * k)] = samples.value[r];
}

extern "C" __global__ void selftest(const uint *words, uint *digest) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x, j = PERLANE_ROWS * blockIdx.y, k = blockIdx.z;
  if (i >= words[2])
    return;
  perlane_samples samples = perlane_column(words, i, j, k);
  for (uint r = 0; r < PERLANE_ROWS && j + r < words[3]; r++)
    atomicAdd(digest, perlane_digest(i + words[2] * (j + r + words[3] * k), samples.value[r]));
}

/* Point i is (coords[i], coords[n + i], coords[2 n + i]). */
extern "C" __global__ void points(const uint *words, float *out, const float *coords, uint n) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] =
        perlane_point(words, coords[i], coords[n + i], words[1] == 3 ? coords[n + n + i] : 0.0f);
}
