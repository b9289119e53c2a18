// SPDX-License-Identifier: MIT
//
// What CUDA's compiler declares, to run its shaders on this CPU.
#include "device.h"

#include <cmath>
#include <cstring>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#define __global__
#define __device__
struct index3 {
  unsigned x, y, z;
};
static index3 blockIdx, blockDim = {1, 1, 1}, threadIdx;
static float __uint_as_float(unsigned u) {
  float f;
  std::memcpy(&f, &u, sizeof f);
  return f;
}
static unsigned __float_as_uint(float f) {
  unsigned u;
  std::memcpy(&u, &f, sizeof u);
  return u;
}
static float __uint2float_rn(unsigned u) {
  return static_cast<float>(u);
}
static float __fadd_rn(float a, float b) {
  return a + b;
}
static float __fsub_rn(float a, float b) {
  return a - b;
}
static float __fmul_rn(float a, float b) {
  return a * b;
}
static void atomicAdd(unsigned *sum, unsigned part) {
  *sum += part;
}

#define fill cuda_fill
#define selftest cuda_selftest
#define points cuda_points
#include "../../src/shaders/fill.cu"

void cuda_run(const char *shader, const uint32_t *words, size_t, const float *coords, void *out,
              size_t bytes) {
  const uint32_t n = static_cast<uint32_t>(bytes / 4);
  std::memset(out, 0, bytes);
  blockIdx.z = blockIdx.y = 0;
  for (blockIdx.x = 0; coords && blockIdx.x < n; blockIdx.x++)
    cuda_points(words, static_cast<float *>(out), coords, n);
  for (blockIdx.z = 0; !coords && blockIdx.z < (words[4] ? words[4] : 1); blockIdx.z++)
    for (blockIdx.y = 0; blockIdx.y < (words[3] + 7) / 8; blockIdx.y++)
      for (blockIdx.x = 0; blockIdx.x < words[2]; blockIdx.x++)
        if (std::strcmp(shader, "fill") == 0)
          cuda_fill(words, static_cast<float *>(out));
        else
          cuda_selftest(words, static_cast<uint *>(out));
}

/* perlane_sample instead of the columns of `fill` */
void cuda_samples_run(const char *shader, const uint32_t *words, size_t count, const float *coords,
                      void *out, size_t bytes) {
  if (std::strcmp(shader, "fill") != 0)
    return cuda_run(shader, words, count, coords, out, bytes);
  for (size_t i = 0; i < bytes / 4; i++) {
    const size_t row = i / words[2];
    static_cast<float *>(out)[i] =
        perlane_sample(words, static_cast<uint>(i % words[2]), static_cast<uint>(row % words[3]),
                       static_cast<uint>(row / words[3]));
  }
}

void cuda_flushed_run(const char *shader, const uint32_t *words, size_t count, const float *coords,
                      void *out, size_t bytes) {
#if defined(__SSE2__)
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040); // subnormal results and operands are 0
  cuda_run(shader, words, count, coords, out, bytes);
  _mm_setcsr(before);
#else
  cuda_run(shader, words, count, coords, out, bytes);
#endif
}
