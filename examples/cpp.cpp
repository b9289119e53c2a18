// SPDX-License-Identifier: MIT
//
// perlane from C++11 and later: the C header, a vector of samples, and errors as exceptions. A
// perlane_noise owns nothing, so the class below needs no destructor and can be copied, moved and
// shared between threads.
#include <perlane.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

// The library says in one sentence what is wrong with parameters and grids.
std::string problem_of(const perlane_params &params) {
  std::array<char, PERLANE_MESSAGE_BYTES> message;
  perlane_explain_params(&params, message.data(), message.size());
  return message.data();
}

std::string problem_of(const perlane_noise &noise, const perlane_grid &grid) {
  std::array<char, PERLANE_MESSAGE_BYTES> message;
  perlane_explain_grid(&noise, &grid, message.data(), message.size());
  return message.data();
}

class Noise {
public:
  explicit Noise(const perlane_params &params) {
    if (perlane_init(&noise_, &params) != PERLANE_OK)
      throw std::invalid_argument(problem_of(params));
  }

  // Returns the samples of a packed grid, x fastest.
  std::vector<float> fill(const perlane_grid &grid) const {
    std::size_t samples = 1;
    for (std::int32_t axis = 0; axis < grid.dims; axis++)
      samples *= grid.count[axis];
    std::vector<float> out(samples);
    if (perlane_fill(&noise_, &grid, out.data()) != PERLANE_OK)
      throw std::invalid_argument(problem_of(noise_, grid));
    return out;
  }

  template <std::size_t Dims>
  float operator()(const std::array<double, Dims> &position) const {
    static_assert(Dims >= 1 && Dims <= PERLANE_MAX_DIMS, "noise has 1 to 4 dimensions");
    return perlane_at(&noise_, static_cast<std::int32_t>(Dims), position.data());
  }

private:
  perlane_noise noise_;
};

// Returns whether a fill equals a single sample, and an invalid parameter throws.
bool works() {
  perlane_params params = perlane_params_default();
  params.fractal = PERLANE_FRACTAL_RIDGED;
  params.octaves = 5;
  const Noise noise(params);

  perlane_grid grid = perlane_grid_make(64, 32, 16, 0);
  grid.first[2] = -8;
  const std::vector<float> volume = noise.fill(grid);
  const float sample = volume[(10 * 32 + 20) * 64 + 30];
  std::cout << "at 30, 20, 2: " << sample << '\n';
  if (sample != noise(std::array<double, 3>{{30, 20, 2}}))
    return false;

  params.octaves = 0;
  try {
    const Noise impossible(params);
  } catch (const std::invalid_argument &error) {
    std::cout << "without octaves: " << error.what() << '\n';
    return true;
  }
  return false;
}

} // namespace

int main() {
  try {
    if (works())
      return 0;
    std::cerr << "cpp: unexpected result\n";
  } catch (const std::exception &error) {
    std::cerr << "cpp: " << error.what() << '\n';
  }
  return 1;
}
