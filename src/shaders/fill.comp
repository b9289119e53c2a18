/* SPDX-License-Identifier: MIT
 *
 * A compute shader with an invocation for each 8 samples along y: dispatch (nx + 63) / 64,
 * (ny + 7) / 8, nz groups, nz being 1 in 2D. samples is packed, x fastest. With SELFTEST it adds up
 * a digest instead; with POINTS it evaluates points: number i is (coords[i], coords[n + i],
 * coords[2 n + i]).
 */
#version 450
#extension GL_GOOGLE_include_directive : require
#ifdef PERLANE_FLOAT_CONTROLS /* for Vulkan: round to nearest even, and keep the sign of zeros */
#extension GL_EXT_spirv_intrinsics : require
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4467], 4462, 32);
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4466], 4461, 32);
#endif
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Words { uint perlane_words[]; };
#include "perlane.glsl"

#ifdef SELFTEST
layout(std430, binding = 1) buffer Digest { uint digest; };
#else
layout(std430, binding = 1) writeonly buffer Samples { float samples[]; };
#endif
#ifdef POINTS
layout(std430, binding = 2) readonly buffer Coordinates { float coords[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint n = uint(coords.length()) / perlane_words[1];
  if (i < n)
    samples[i] = perlane_point(coords[i], coords[n + i],
                               perlane_words[1] == 3u ? coords[n + n + i] : 0.0);
}
#else
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint j = PERLANE_ROWS * gl_GlobalInvocationID.y;
  uint k = gl_GlobalInvocationID.z;
  uint nx = perlane_words[2];
  uint ny = perlane_words[3];
  if (i >= nx)
    return;
  perlane_samples column = perlane_column(i, j, k);
  for (uint r = 0; r < PERLANE_ROWS && j + r < ny; r++) {
    uint index = i + nx * (j + r + ny * k);
#ifdef SELFTEST
    atomicAdd(digest, perlane_digest(index, column.value[r]));
#else
    samples[index] = column.value[r];
#endif
  }
}
#endif
