/* SPDX-License-Identifier: MIT
 *
 * Kernels with a thread for each 8 samples along y: dispatch nx, (ny + 7) / 8 and nz threads, nz
 * being 1 in 2D. out is packed, x fastest.
 */
#include "perlane.metal"

kernel void fill(device const uint *words [[buffer(0)]], device float *out [[buffer(1)]],
                 metal::uint3 at [[thread_position_in_grid]]) {
  uint j = PERLANE_ROWS * at.y;
  if (at.x >= words[2])
    return;
  perlane_samples samples = perlane_column(words, at.x, j, at.z);
  for (uint r = 0; r < PERLANE_ROWS && j + r < words[3]; r++)
    out[at.x + words[2] * (j + r + words[3] * at.z)] = samples.value[r];
}

kernel void selftest(device const uint *words [[buffer(0)]],
                     device metal::atomic_uint *digest [[buffer(1)]],
                     metal::uint3 at [[thread_position_in_grid]]) {
  uint j = PERLANE_ROWS * at.y;
  if (at.x >= words[2])
    return;
  perlane_samples samples = perlane_column(words, at.x, j, at.z);
  for (uint r = 0; r < PERLANE_ROWS && j + r < words[3]; r++) {
    uint index = at.x + words[2] * (j + r + words[3] * at.z);
    metal::atomic_fetch_add_explicit(digest, perlane_digest(index, samples.value[r]),
                                     metal::memory_order_relaxed);
  }
}

/* Point i is (coords[i], coords[n + i], coords[2 n + i]). */
kernel void points(device const uint *words [[buffer(0)]], device float *out [[buffer(1)]],
                   device const float *coords [[buffer(2)]], uint i [[thread_position_in_grid]],
                   uint n [[threads_per_grid]]) {
  out[i] = perlane_point(words, coords[i], coords[n + i], words[1] == 3 ? coords[n + n + i] : 0.0f);
}
