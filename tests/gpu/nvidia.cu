// SPDX-License-Identifier: MIT
//
// CUDA's shaders on a device of NVIDIA.
#include "device.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#define fill nvidia_fill
#define selftest nvidia_selftest
#define points nvidia_points
#include "../../src/shaders/fill.cu"

static unsigned *words_memory, *out_memory;
static float *coords_memory;

static void check(cudaError_t error, const char *call) {
  if (error == cudaSuccess)
    return;
  std::printf("%s: %s\n", call, cudaGetErrorString(error));
  std::exit(1);
}
#define CHECK(call) check(call, #call)

const char *nvidia_open(const char *, const char *) {
  cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess)
    return "CUDA has no device";
  std::printf("CUDA: %s\n", properties.name);
  CHECK(cudaMalloc(&words_memory, sizeof(unsigned) * MAX_WORDS));
  CHECK(cudaMalloc(&out_memory, sizeof(unsigned) * MAX_SAMPLES));
  CHECK(cudaMalloc(&coords_memory, 3 * sizeof(float) * MAX_SAMPLES));
  return NULL;
}

void nvidia_run(const char *shader, const uint32_t *words, size_t count, const float *coords,
                void *out, size_t bytes) {
  const unsigned n = static_cast<unsigned>(bytes / 4);
  const dim3 blocks((words[2] + 63) / 64, (words[3] + 7) / 8, words[4] ? words[4] : 1);
  float *const samples = reinterpret_cast<float *>(out_memory);
  CHECK(cudaMemcpy(words_memory, words, 4 * count, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(out_memory, 0, bytes));
  if (coords)
    CHECK(cudaMemcpy(coords_memory, coords, words[1] * bytes, cudaMemcpyHostToDevice));
  if (coords)
    nvidia_points<<<(n + 63) / 64, 64>>>(words_memory, samples, coords_memory, n);
  else if (std::strcmp(shader, "fill") == 0)
    nvidia_fill<<<blocks, 64>>>(words_memory, samples);
  else
    nvidia_selftest<<<blocks, 64>>>(words_memory, out_memory);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(out, out_memory, bytes, cudaMemcpyDeviceToHost));
}
