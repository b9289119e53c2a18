/* SPDX-License-Identifier: MIT
 *
 * Compute shaders with a thread for each 8 samples along y: dispatch (nx + 63) / 64, (ny + 7) / 8,
 * nz groups, nz being 1 in 2D. samples is packed, x fastest.
 */
StructuredBuffer<uint> perlane_words : register(t0);
#include "perlane.hlsl"

RWStructuredBuffer<float> samples : register(u1);
RWStructuredBuffer<uint> digest : register(u1);

uint index_of(uint i, uint j, uint k) {
  return i + perlane_words[2] * (j + perlane_words[3] * k);
}

[numthreads(64, 1, 1)]
void fill(uint3 at : SV_DispatchThreadID) {
  uint j = PERLANE_ROWS * at.y;
  if (at.x >= perlane_words[2])
    return;
  perlane_samples column = perlane_column(at.x, j, at.z);
  for (uint r = 0; r < PERLANE_ROWS && j + r < perlane_words[3]; r++)
    samples[index_of(at.x, j + r, at.z)] = column.value[r];
}

[numthreads(64, 1, 1)]
void selftest(uint3 at : SV_DispatchThreadID) {
  uint j = PERLANE_ROWS * at.y;
  if (at.x >= perlane_words[2])
    return;
  perlane_samples column = perlane_column(at.x, j, at.z);
  for (uint r = 0; r < PERLANE_ROWS && j + r < perlane_words[3]; r++)
    InterlockedAdd(digest[0], perlane_digest(index_of(at.x, j + r, at.z), column.value[r]));
}

/* Point i is (coords[i], coords[n + i], coords[2 n + i]); dispatch (n + 63) / 64 groups. */
StructuredBuffer<float> coords : register(t2);

[numthreads(64, 1, 1)]
void points(uint3 at : SV_DispatchThreadID) {
  uint i = at.x, size, stride;
  coords.GetDimensions(size, stride);
  uint n = size / perlane_words[1];
  if (i < n)
    samples[i] = perlane_point(coords[i], coords[n + i],
                               perlane_words[1] == 3 ? coords[n + n + i] : 0.0f);
}
