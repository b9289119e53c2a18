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

  perlane::grid map(33, 9);
  std::vector<std::uint64_t> work(PERLANE_WORK_BYTES / sizeof(std::uint64_t));
  map.use_work(work.data(), PERLANE_WORK_BYTES);
  std::vector<float> values_of(33 * 9), dx(33 * 9), dy(33 * 9);
  float low = 0, high = 0, smallest = 0, largest = 0;
  expect(noise.fill_extremes(values_of, map, smallest, largest) == PERLANE_OK &&
             noise.range(2, low, high) == PERLANE_OK && low <= smallest && smallest < largest &&
             largest <= high,
         "extremes within the range");
  expect(noise.fill_gradient<2>(values_of, map, {dx, dy}) == PERLANE_OK, "a gradient");
  float slope[2];
  const double corner[] = {32, 8};
  expect(perlane_at_gradient(noise.get(), 2, corner, slope) == values_of.back() &&
             slope[0] == dx.back() && slope[1] == dy.back(),
         "its last sample");
  dy.pop_back();
  fails(
      [&] {
        return noise.fill_gradient<2>(values_of, map, {dx, dy});
      },
      PERLANE_ERROR_COUNT, "too small");
  fails([&] { return noise.fill_gradient<1>(values_of, map, {dx}); }, PERLANE_ERROR_DIMS,
        "each axis");
  static perlane::field copy(noise);
  map.octaves = 3;
  expect(copy.limit_octaves(3) == PERLANE_OK && noise.fill(values_of, map) == PERLANE_OK &&
             copy(32, 8) == values_of.back(),
         "a field of fewer octaves");
  expect(copy.reseed(8) == PERLANE_OK && copy(32, 8) != values_of.back(), "another seed");
  static const perlane::field cellular("basis=cellular");
  std::vector<std::uint32_t> id(33 * 9);
  perlane_cells cells = {};
  cells.id = id.data();
  expect(cellular.fill_cells(cells, id.size(), map) == PERLANE_OK && id[0] != 0, "cells");
  fails([&] { return cellular.fill_cells(cells, id.size() - 1, map); }, PERLANE_ERROR_COUNT,
        "too small");
  fails([&] { return noise.fill_cells(cells, id.size(), map); }, PERLANE_ERROR_NO_CELLS, "cells");

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

  const struct { float x, y; } vertices[2] = {{1.5F, 3}, {101, -6}};
  std::array<float, 2> few;
  perlane_list list = {};
  list.dims = 2;
  list.count = list.stride = 2;
  list.coords[0] = &vertices[0].x;
  list.coords[1] = &vertices[0].y;
  expect(noise.points<2>(list, few, {dx, dy}) == PERLANE_OK && few == values && dx[1] != dy[1],
         "a list and its gradient");
  list.octaves = map.octaves;
  expect(noise.points(list, few) == PERLANE_OK && few != values, "a list with fewer octaves");
  fails([&] { return noise.points(list, perlane::span<float>(few.data(), 1)); },
        PERLANE_ERROR_COUNT, "too small for the list");
  fails([&] { return noise.points<1>(list, few, {dx}); }, PERLANE_ERROR_DIMS, "each axis");

  static const auto copied = [] {
    return perlane::field(perlane::field::expression("a = seed=7 octaves=5 fractal=ridged\n"
                                                     "b = seed=2\nmax(a, b) - b"));
  }();
  static const perlane::field b("seed=2");
  const float larger = noise(3, 4) > b(3, 4) ? noise(3, 4) : b(3, 4);
  expect(copied(3, 4) == larger - b(3, 4), "an expression whose fields outlive the first copy");
  static perlane::field source = perlane::field::expression("a = seed=7; a*a");
  const float square = source(3, 4);
  {
    const auto target = std::make_unique<perlane::field>(std::move(source));
    expect((*target)(3, 4) == square, "an expression that was moved");
  }
  expect(source(3, 4) == square, "a moved-from expression when the other one is gone");

#ifndef PERLANE_EXCEPTIONS
  static const perlane::field unknown = perlane::field::expression("a = octaves=2; hill");
  expect(!unknown && unknown.message() == "no field is called 'hill'", unknown.message().c_str());
  expect(unknown.fill(rows, perlane::grid(8, 8)) == PERLANE_ERROR_NOISE, "no expression");
  static const perlane::field wrong("octaves=0");
  expect(!wrong && wrong.message() == "octaves must be a whole number from 1 to 32, not 0",
         wrong.message().c_str());
  expect(wrong.fill(rows, perlane::grid(8, 8)) == PERLANE_ERROR_NOISE, "a fill of no field");
  perlane_params params = perlane_params_default();
  params.gain = 1.0 / 0.0;
  static const perlane::field infinite(params);
  expect(infinite.message().find("gain") == 0, infinite.message().c_str());
#else
  fails([] { static_cast<void>(perlane::field::expression("hill")); }, PERLANE_ERROR_SYNTAX,
        "no field is called 'hill'");
  fails([] { static_cast<void>(perlane::field("octaves=0")); }, PERLANE_ERROR_PARAMETER,
        "octaves must be");
#endif
  std::printf("%d failures\n", failures);
  return failures != 0;
}
