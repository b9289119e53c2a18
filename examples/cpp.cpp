// SPDX-License-Identifier: MIT
//
// perlane from C++17 and later, by perlane.hpp: a volume in a vector, single values, and the
// library's sentence about what is wrong.
#include <perlane.hpp>

#include <cstring>
#include <iostream>
#include <vector>

int main() {
  if (std::strcmp(perlane_version(), PERLANE_VERSION) != 0) {
    std::cerr << "cpp: compiled with perlane.h of " PERLANE_VERSION ", but the library is "
              << perlane_version() << '\n';
    return 1;
  }

  static const perlane::field noise("octaves=5 fractal=ridged");
  perlane::grid grid(64, 32, 16);
  grid.first[2] = -8;
  std::vector<float> volume(64 * 32 * 16);
  if (noise.fill(volume, grid) != PERLANE_OK) {
    std::cerr << "cpp: the grid cannot be filled\n";
    return 1;
  }
  const float sample = volume[(10 * 32 + 20) * 64 + 30];
  std::cout << "at 30, 20, 2: " << sample << '\n';

  static const perlane::field impossible("octaves=0");
  std::cout << "without octaves: " << impossible.message() << '\n';
  return sample == noise(30, 20, 2) && !impossible ? 0 : 1;
}
