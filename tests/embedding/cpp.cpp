// SPDX-License-Identifier: MIT
//
// What perlane.hpp computes and refuses. Exceptions are on or off, as PERLANE_EXCEPTIONS says.
#include <perlane.hpp>

#include <cstdio>
#include <cstring>
#include <vector>

namespace {

int failures = 0;

void expect(bool right, const char *what) {
  if (!right) {
    std::printf("wrong: %s\n", what);
    failures++;
  }
}

// Runs a call, and expects it to fail with this sentence.
template <class Call>
void fails(Call call, perlane_status expected, const char *sentence) {
#ifdef PERLANE_EXCEPTIONS
  static_cast<void>(expected);
  try {
    call();
    expect(false, sentence);
  } catch (const std::invalid_argument &error) {
    expect(std::strstr(error.what(), sentence) != nullptr, error.what());
  }
#else
  expect(call() == expected, sentence);
#endif
}

} // namespace

int main() {
  static const perlane::field noise("seed=7 octaves=5 fractal=ridged");
  expect(static_cast<bool>(noise) && noise.message().empty(), "a field");

  perlane::grid grid(33, 9, 3);
  grid.first[1] = -4;
  std::vector<float> volume(33 * 9 * 3);
  expect(noise.fill(volume, grid) == PERLANE_OK, "a fill");
  expect(volume[(2 * 9 + 5) * 33 + 20] == noise(20, 1, 2.0), "a sample");

  // Rows of 40 samples, of which the last has 33.
  grid.stride[1] = 40;
  grid.stride[2] = 9 * 40;
  std::vector<float> rows(40 * 9 * 3 - 7);
  expect(noise.fill(rows, grid) == PERLANE_OK, "a fill with strides");
  expect(rows[26 * 40 + 32] == volume.back(), "its last sample");
  rows.pop_back();
  fails([&] { return noise.fill(rows, grid); }, PERLANE_ERROR_COUNT, "too small");
  grid.stride[1] = -40;
  fails([&] { return noise.fill(rows, grid); }, PERLANE_ERROR_STRIDE, "below 0");
  grid.stride[1] = 5;
  fails([&] { return noise.fill(rows, grid); }, PERLANE_ERROR_STRIDE, "stride along y");

  std::vector<std::uint16_t> heights(64 * 64);
  std::array<std::uint8_t, 64> bytes;
  expect(noise.fill(heights, perlane::grid(64, 64), -1, 1) == PERLANE_OK, "16 bits");
  expect(noise.fill(bytes, perlane::grid(64), 0, 1) == PERLANE_OK, "8 bits");
  fails([&] { return noise.fill(heights, perlane::grid(64, 64), 1, 1); }, PERLANE_ERROR_LEVELS,
        "low");

  const std::vector<float> x = {0.5F, 100}, y = {2, -7};
  std::array<float, 2> values;
  const float *const none = nullptr;
  expect(noise.points<2>({x, y}, values, {1, 1}) == PERLANE_OK, "points");
  expect(values[0] == noise(1.5, 3) && values[1] == noise(101, -6), "their values");
  fails(
      [&] {
        return noise.points<2>({x, y}, perlane::span<float>(values.data(), 1));
      },
      PERLANE_ERROR_COUNT, "differ in number");
  fails([&] { return noise.points<1>({perlane::span<const float>(none, 2)}, values); },
        PERLANE_ERROR_NULL, "null");

#ifndef PERLANE_EXCEPTIONS
  static const perlane::field wrong("octaves=0");
  expect(!wrong && wrong.message() == "octaves must be a whole number from 1 to 32, not 0",
         wrong.message().c_str());
  expect(wrong.fill(rows, perlane::grid(8, 8)) == PERLANE_ERROR_NOISE, "a fill of no field");
  perlane_params params = perlane_params_default();
  params.gain = 1.0 / 0.0;
  static const perlane::field infinite(params);
  expect(infinite.message().find("gain") == 0, infinite.message().c_str());
#else
  fails([] { static_cast<void>(perlane::field("octaves=0")); }, PERLANE_ERROR_PARAMETER,
        "octaves must be");
#endif
  std::printf("%d failures\n", failures);
  return failures != 0;
}
