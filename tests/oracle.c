/* SPDX-License-Identifier: MIT
 *
 * The oracle: gradient noise in double precision and the classic order (a gradient's dot product at
 * every corner, then interpolation along x, y, z and w), against which the float values are held.
 *
 * Tolerance, per octave of amplitude 1: 4e-7. About ten float operations on numbers up to 1 round
 * by up to 3e-8 each, and rounding a position to 2^-24 of a cell adds 3e-8 times the slope; over
 * 4e8 random cells and positions all that reaches 3.7e-7 in 2D, and 3.0e-7 in 3D and 4D.
 */
#include "support.h"

#include <math.h>

enum { N = 4096 };
static const double TOLERANCE = 4e-7;

static uint64_t split_mix(uint64_t seed, int output) {
  uint64_t z = seed + (uint64_t)output * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static uint32_t word_of(int64_t cell, int axis, uint64_t seed) {
  static const uint32_t p[4] = {2654435761u, 2246822507u, 3266489909u, 668265263u};
  const int64_t high = (int64_t)floor(((double)cell + 2147483648.0) / 4294967296.0);
  uint32_t v = ((uint32_t)cell ^ (uint32_t)high * 2654435761u) * p[axis];
  v += (uint32_t)(split_mix(seed, axis + 2) >> 32);
  v = (v ^ (v >> 15)) * 739982445u;
  return v ^ (v >> 13);
}

static uint32_t hash_of(int dims, const int64_t *corner, uint64_t seed) {
  const uint32_t x = word_of(corner[0], 0, seed), y = word_of(dims > 1 ? corner[1] : 0, 1, seed);
  const uint32_t z =
      (dims > 2 ? word_of(corner[2], 2, seed) : 0) + (dims > 3 ? word_of(corner[3], 3, seed) : 0);
  const uint32_t a = x + z, b = y ^ z;
  return (uint32_t)((int16_t)a * (int16_t)b) + (uint32_t)((int16_t)(a >> 16) * (int16_t)(b >> 16));
}

static double dot(int dims, const int64_t *corner, uint64_t seed, const double *d) {
  const uint32_t m = hash_of(dims, corner, seed);
  if (dims == 1)
    return m >> 17 & 1 ? -d[0] : d[0];
  if (dims == 2) {
    const double k = 0.4140625, sx = m >> 17 & 1 ? -1 : 1, sy = m >> 18 & 1 ? -1 : 1;
    return m >> 19 & 1 ? sx * k * d[0] + sy * d[1] : sx * d[0] + sy * k * d[1];
  }
  if (dims == 3) { /* as in Perlin's improved noise of 2002 */
    const uint32_t h = m >> 16 & 15;
    const double u = h < 8 ? d[0] : d[1], v = h < 4 ? d[1] : h == 12 || h == 14 ? d[0] : d[2];
    return (h & 1 ? -u : u) + (h & 2 ? -v : v);
  }
  static const int rest[4][3] = {{3, 1, 2}, {3, 0, 2}, {3, 0, 1}, {0, 1, 2}};
  const uint32_t h = m >> 16 & 31;
  const int *axis = rest[h >> 1 & 3];
  return (h & 1 ? -1 : 1) * d[axis[0]] + (h & 8 ? -1 : 1) * d[axis[1]] +
         (h & 16 ? -1 : 1) * d[axis[2]];
}

static double octave(int dims, const double *p, uint64_t seed) {
  static const double largest[4] = {0.5, 0.715192174151747, 1.0363538112118, 1.53658233404682};
  int64_t cell[4];
  double t[4], corner_value[16];
  for (int a = 0; a < dims; a++) {
    cell[a] = (int64_t)floor(p[a]);
    t[a] = p[a] - floor(p[a]);
  }
  for (int c = 0; c < 1 << dims; c++) {
    int64_t corner[4];
    double d[4];
    for (int a = 0; a < dims; a++) {
      corner[a] = cell[a] + (c >> a & 1);
      d[a] = t[a] - (c >> a & 1);
    }
    corner_value[c] = dot(dims, corner, seed, d);
  }
  for (int a = 0; a < dims; a++) {
    const double f = t[a] * t[a] * t[a] * (t[a] * (t[a] * 6 - 15) + 10);
    for (int c = 0; c < 1 << (dims - 1 - a); c++)
      corner_value[c] = corner_value[2 * c] + f * (corner_value[2 * c + 1] - corner_value[2 * c]);
  }
  return corner_value[0] / largest[dims - 1];
}

static double field(const perlane_params *params, int dims, const double *position) {
  double sum = 0, amplitudes = 0;
  for (int k = 0; k < params->octaves; k++) {
    double p[4];
    for (int a = 0; a < dims; a++)
      p[a] = position[a] * params->frequency * pow(params->lacunarity, k);
    sum += pow(params->gain, k) *
           octave(dims, p, params->seed + (uint64_t)k * params->octave_seed_step);
    amplitudes += fabs(pow(params->gain, k));
  }
  /* Several octaves are held back by 2^-23 each, for the rounding of their sum. */
  const double margin = params->octaves == 1 ? 1 : 1 - params->octaves * 0x1p-23;
  return sum / amplitudes * margin;
}

static void compare(int octaves, double extent) {
  struct random random = random_start("oracle");
  for (int dims = 1; dims <= 4; dims++) {
    double worst = 0;
    const size_t cases = effort(60);
    for (size_t c = 0; c < cases; c++) {
      perlane_params params = perlane_params_default();
      params.seed = random_word(&random);
      /* Powers of two, so that the oracle sees the same positions. */
      params.frequency = 0.25;
      params.octaves = octaves;
      const perlane_noise noise = noise_of(&params);
      static float coordinate[4][N], value[N];
      const float *coords[4] = {coordinate[0], coordinate[1], coordinate[2], coordinate[3]};
      for (int a = 0; a < dims; a++)
        for (int i = 0; i < N; i++)
          coordinate[a][i] = (float)random_between(&random, -extent, extent);
      assert_int_equal(perlane_points(&noise, dims, N, coords, value), PERLANE_OK);
      for (int i = 0; i < N; i++) {
        double position[4];
        for (int a = 0; a < dims; a++)
          position[a] = (double)coordinate[a][i];
        const double error = fabs((double)value[i] - field(&params, dims, position));
        if (error > worst)
          worst = error;
      }
    }
    print_message("%dD, %d octave(s), positions to %g: largest error %.3g\n", dims, octaves, extent,
                  worst);
    assert_true(worst <= TOLERANCE);
  }
}

static void one_octave_near(void **state) {
  (void)state;
  compare(1, 100);
}

static void one_octave_far(void **state) {
  (void)state;
  compare(1, 0x1p34);
}

/* The amplitudes of several octaves add up to 1, so the bound is that of one octave. */
static void six_octaves(void **state) {
  (void)state;
  compare(6, 100);
}

/* Far from the origin a grid has the same shape as near it: positions are in double. */
static void far_grid(void **state) {
  (void)state;
  perlane_params params = perlane_params_default();
  params.frequency = 0.125;
  const perlane_noise noise = noise_of(&params);
  perlane_grid grid = perlane_grid_make(64, 64, 0, 0);
  grid.origin[0] = 0x1p40;
  grid.origin[1] = -0x1p40;
  grid.step[0] = grid.step[1] = 0.0625;
  static float value[64 * 64];
  assert_int_equal(perlane_fill(&noise, &grid, value), PERLANE_OK);
  double worst = 0;
  for (int y = 0; y < 64; y++)
    for (int x = 0; x < 64; x++) {
      const double position[2] = {grid.origin[0] + x * 0.0625, grid.origin[1] + y * 0.0625};
      const double error = fabs((double)value[y * 64 + x] - field(&params, 2, position));
      if (error > worst)
        worst = error;
    }
  print_message("2D grid at 2^40: largest error %.3g\n", worst);
  assert_true(worst <= TOLERANCE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_octave_near),
      cmocka_unit_test(one_octave_far),
      cmocka_unit_test(six_octaves),
      cmocka_unit_test(far_grid),
  };
  return cmocka_run_group_tests_name("oracle", tests, NULL, NULL);
}
