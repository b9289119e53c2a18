// SPDX-License-Identifier: MIT
#include "device.h"

#include "../../shaders/fill.metal"

void metal_run(const char *shader, const uint32_t *words, size_t, void *out, size_t bytes) {
  std::memset(out, 0, bytes);
  for (uint z = 0; z < (words[4] ? words[4] : 1); z++)
    for (uint y = 0; y < words[3]; y++)
      for (uint x = 0; x < words[2]; x++)
        if (std::strcmp(shader, "fill") == 0)
          fill(words, static_cast<float *>(out), metal::uint3{x, y, z});
        else
          selftest(words, static_cast<metal::atomic_uint *>(out), metal::uint3{x, y, z});
}
