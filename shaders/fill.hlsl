/* SPDX-License-Identifier: MIT
 *
 * Compute shaders with a thread for each sample: dispatch (nx + 63) / 64, ny, nz groups, nz being 1
 * in 2D. out is packed, x fastest.
 */
StructuredBuffer<uint> perlane_words : register(t0);
#include "perlane.hlsl"

RWStructuredBuffer<float> samples : register(u1);
RWStructuredBuffer<uint> digest : register(u1);

uint index_of(uint3 at) {
  return at.x + perlane_words[2] * (at.y + perlane_words[3] * at.z);
}

[numthreads(64, 1, 1)]
void fill(uint3 at : SV_DispatchThreadID) {
  if (at.x < perlane_words[2])
    samples[index_of(at)] = perlane_sample(at.x, at.y, at.z);
}

[numthreads(64, 1, 1)]
void selftest(uint3 at : SV_DispatchThreadID) {
  if (at.x < perlane_words[2])
    InterlockedAdd(digest[0], perlane_digest(index_of(at), perlane_sample(at.x, at.y, at.z)));
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
