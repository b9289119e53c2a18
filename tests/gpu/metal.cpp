// SPDX-License-Identifier: MIT
#include "device.h"

#include "../../src/shaders/fill.metal"

void metal_run(const char *shader, const uint32_t *words, size_t, const float *coords, void *out,
               size_t bytes) {
  const uint n = static_cast<uint>(bytes / 4);
  std::memset(out, 0, bytes);
  for (uint i = 0; coords && i < n; i++)
    points(words, static_cast<float *>(out), coords, i, n);
  for (uint z = 0; !coords && z < (words[4] ? words[4] : 1); z++)
    for (uint y = 0; y < (words[3] + 7) / 8; y++)
      for (uint x = 0; x < words[2]; x++)
        if (std::strcmp(shader, "fill") == 0)
          fill(words, static_cast<float *>(out), metal::uint3{x, y, z});
        else
          selftest(words, static_cast<metal::atomic_uint *>(out), metal::uint3{x, y, z});
}
