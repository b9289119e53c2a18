/* SPDX-License-Identifier: MIT
 *
 * Kernels with a thread for each sample: out is packed, x fastest.
 */
#include "perlane.metal"

kernel void fill(device const uint *words [[buffer(0)]], device float *out [[buffer(1)]],
                 metal::uint3 at [[thread_position_in_grid]]) {
  if (at.x < words[2])
    out[at.x + words[2] * (at.y + words[3] * at.z)] = perlane_sample(words, at.x, at.y, at.z);
}

kernel void selftest(device const uint *words [[buffer(0)]],
                     device metal::atomic_uint *digest [[buffer(1)]],
                     metal::uint3 at [[thread_position_in_grid]]) {
  if (at.x < words[2]) {
    uint part = perlane_digest(at.x + words[2] * (at.y + words[3] * at.z),
                               perlane_sample(words, at.x, at.y, at.z));
    metal::atomic_fetch_add_explicit(digest, part, metal::memory_order_relaxed);
  }
}

/* Point i is (coords[i], coords[n + i], coords[2 n + i]). */
kernel void points(device const uint *words [[buffer(0)]], device float *out [[buffer(1)]],
                   device const float *coords [[buffer(2)]], uint i [[thread_position_in_grid]],
                   uint n [[threads_per_grid]]) {
  out[i] = perlane_point(words, coords[i], coords[n + i], words[1] == 3 ? coords[n + n + i] : 0.0f);
}
