/* SPDX-License-Identifier: MIT
 *
 * Cellular noise: distances that are known where all points are at the centres of their cells, the
 * nearest of all points where a search of the next cells only would miss it, features far from the
 * origin, and points that are spread evenly.
 */
#include "support.h"

#include <math.h>

static perlane_params cells_of(perlane_cell_metric metric, perlane_cell_output output) {
  perlane_params params = perlane_params_default();
  params.basis = PERLANE_BASIS_CELLULAR;
  params.frequency = 1;
  params.phase = PERLANE_PHASE_NONE;
  params.normalize = PERLANE_NORMALIZE_NONE;
  params.cell_metric = (int32_t)metric;
  params.cell_output = (int32_t)output;
  return params;
}

static double length_of(perlane_cell_metric metric, int dims, const double *d) {
  double squares = 0, sum = 0, most = 0;
  for (int a = 0; a < dims; a++) {
    squares += d[a] * d[a];
    sum += fabs(d[a]);
    most = fmax(most, fabs(d[a]));
  }
  switch (metric) {
  case PERLANE_CELL_METRIC_SQUARED:
    return squares;
  case PERLANE_CELL_METRIC_MANHATTAN:
    return sum;
  case PERLANE_CELL_METRIC_CHEBYSHEV:
    return most;
  case PERLANE_CELL_METRIC_EUCLIDEAN:
  case PERLANE_CELL_METRIC_COUNT:
    break;
  }
  return sqrt(squares);
}

/* Without jitter every cell has its point at its centre: the nearest is the cell's own, and the
 * second is along the axis on which the position is farthest from the centre. */
static void regular_points(void **state) {
  (void)state;
  struct random random = random_start("regular points");
  for (size_t c = 0; c < effort(4000); c++) {
    const int dims = 1 + (int)random_below(&random, 3);
    const perlane_cell_metric metric =
        (perlane_cell_metric)random_below(&random, PERLANE_CELL_METRIC_COUNT);
    double position[3], first[3] = {0}, second[3];
    int farthest = 0;
    for (int a = 0; a < dims; a++) { /* fractions that are exact, and apart from ties */
      const double cell = floor(random_between(&random, -1e6, 1e6));
      first[a] = (double)((int)random_below(&random, 4095) - 2047) * 0x1p-12;
      position[a] = cell + 0.5 + first[a];
      farthest = fabs(first[a]) > fabs(first[farthest]) ? a : farthest;
    }
    memcpy(second, first, sizeof second);
    second[farthest] = 1 - fabs(first[farthest]);
    const double F1 = length_of(metric, dims, first), F2 = length_of(metric, dims, second);
    const double expected[] = {F1, F2, F2 - F1};
    for (int output = 0; output < PERLANE_CELL_OUTPUT_VALUE; output++) {
      perlane_params params = cells_of(metric, (perlane_cell_output)output);
      params.jitter = 0;
      params.seed = random_word(&random);
      const perlane_noise noise = noise_of(&params);
      const double value = (double)perlane_at(&noise, dims, position);
      if (metric == PERLANE_CELL_METRIC_CHEBYSHEV && output != PERLANE_CELL_OUTPUT_F1)
        assert_true(value <= expected[output] + 1e-6); /* a diagonal cell may be as near */
      else
        assert_true(fabs(value - expected[output]) <= 4e-7);
    }
  }
}

static uint32_t dot16(uint32_t a, uint32_t b) {
  return (uint32_t)((int16_t)a * (int16_t)b) + (uint32_t)((int16_t)(a >> 16) * (int16_t)(b >> 16));
}

/* Sets the point of a cell within 2^31 of the origin, with jitter 1 (docs/specification.md, 2.4,
 * 2.10, 2.15). */
static void point_of(const perlane_noise *noise, int dims, const int64_t *cell, double *point) {
  static const uint32_t multiplier[3] = {0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35};
  static const int bits[4] = {0, 24, 16, 11};
  uint32_t h = 0;
  for (int a = 0; a < dims; a++) {
    const uint32_t v = (uint32_t)cell[a] * multiplier[a] + noise->octave[0].key[a];
    h += dot16(v, 0x2C1B3C6D) ^ v;
  }
  h = (h ^ h >> 16) * 0x7FEB352D;
  h = (h ^ h >> 15) * 0x846CA68B;
  h ^= h >> 16;
  const uint32_t field[3] = {h >> (32 - bits[dims]), dims == 2 ? h & 0xFFFF : h >> 10 & 0x7FF,
                             h & 0x7FF};
  for (int a = 0; a < dims; a++)
    point[a] = ldexp(field[a] + 0.5, -bits[dims]);
}

/* Returns a distance over the cells up to `reach` away only. */
static double nearest_within(const perlane_noise *noise, int dims, const double *position,
                             int reach) {
  double best[2] = {INFINITY, INFINITY};
  const int width = 2 * reach + 1;
  for (int i = 0; i < width * width * (dims == 3 ? width : 1); i++) {
    int64_t cell[4] = {0};
    double point[3], d[3];
    for (int a = 0, rest = i; a < dims; a++, rest /= width)
      cell[a] = (int64_t)floor(position[a]) + rest % width - reach;
    point_of(noise, dims, cell, point);
    for (int a = 0; a < dims; a++)
      d[a] = (double)cell[a] + point[a] - position[a];
    const double length = length_of((perlane_cell_metric)noise->params.cell_metric, dims, d);
    best[1] = fmin(best[1], fmax(best[0], length));
    best[0] = fmin(best[0], length);
  }
  return best[noise->params.cell_output == PERLANE_CELL_OUTPUT_F2];
}

/* Searches a field for a position whose nearest points are not within `reach` cells, and checks
 * that the library finds them nevertheless. Returns by how much the short search would be wrong. */
static double beyond_reach(perlane_cell_metric metric, perlane_cell_output output, int dims,
                           int reach, size_t tries) {
  struct random random = {99};
  perlane_params params = cells_of(metric, output);
  const perlane_noise noise = noise_of(&params);
  double worst = 0;
  for (size_t i = 0; i < tries; i++) {
    double position[3];
    for (int a = 0; a < dims; a++) /* next to a corner of the cell, where others are nearest */
      position[a] =
          floor(random_between(&random, -1e5, 1e5)) + (random_below(&random, 2) ? 0.0625 : 0.9375);
    const double value = (double)perlane_at(&noise, dims, position);
    const double found = nearest_within(&noise, dims, position, reach);
    if (found - value < 1e-5)
      continue;
    const double all = nearest_within(&noise, dims, position, 4);
    assert_true(fabs(value - all) <= 1e-6);
    worst = fmax(worst, found - value);
  }
  return worst;
}

/* The farthest cell that may matter is two away, or three in 3D with Manhattan's distance. */
static void nearest_of_all_points(void **state) {
  (void)state;
  static const struct {
    perlane_cell_metric metric;
    perlane_cell_output output;
    int dims, reach;
    size_t tries;
    double at_least; /* by how much a search of `reach` is wrong */
  } CASES[] = {
      {PERLANE_CELL_METRIC_EUCLIDEAN, PERLANE_CELL_OUTPUT_F1, 2, 1, 400000, 0.001},
      {PERLANE_CELL_METRIC_EUCLIDEAN, PERLANE_CELL_OUTPUT_F2, 2, 1, 50000, 0.01},
      {PERLANE_CELL_METRIC_MANHATTAN, PERLANE_CELL_OUTPUT_F1, 2, 1, 50000, 0.01},
      {PERLANE_CELL_METRIC_MANHATTAN, PERLANE_CELL_OUTPUT_F2, 2, 1, 50000, 0.01},
      {PERLANE_CELL_METRIC_EUCLIDEAN, PERLANE_CELL_OUTPUT_F2, 3, 1, 20000, 0.001},
      {PERLANE_CELL_METRIC_MANHATTAN, PERLANE_CELL_OUTPUT_F2, 3, 1, 20000, 0.01},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    const double worst = beyond_reach(CASES[i].metric, CASES[i].output, CASES[i].dims,
                                      CASES[i].reach, CASES[i].tries);
    print_message("%dD, metric %d, output %d: cells up to %d away would be wrong by %.3g\n",
                  CASES[i].dims, (int)CASES[i].metric, (int)CASES[i].output, CASES[i].reach, worst);
    assert_true(worst >= CASES[i].at_least);
  }
}

/* 2^53 cells out a position still has its fraction, if the phase gives it one: along a row of
 * cells, values differ from each other as near the origin. */
static void far_features(void **state) {
  (void)state;
  static const double FAR[] = {0x1p30, 0x1p40, 0x1p52, 0x1p53};
  enum { N = 200 };
  for (size_t f = 0; f < sizeof FAR / sizeof FAR[0]; f++)
    for (int side = -1; side <= 1; side += 2)
      for (int dims = 1; dims <= 3; dims++)
        for (int output = 0; output < PERLANE_CELL_OUTPUT_COUNT; output++) {
          perlane_params params =
              cells_of(PERLANE_CELL_METRIC_EUCLIDEAN, (perlane_cell_output)output);
          params.phase = PERLANE_PHASE_SEEDED;
          const perlane_noise noise = noise_of(&params);
          int repeats = 0;
          float last = -9;
          for (int i = 0; i < N; i++) {
            const double position[3] = {side * (FAR[f] - 2 * i), side * FAR[f] / 2, 3.25 * i};
            const float value = perlane_at(&noise, dims, position);
            repeats += value == last;
            last = value;
          }
          assert_true(repeats < N / 20);
        }
}

/* Points are uniform in their cells: distances have the mean and the spread of independent points,
 * and values are uniform. */
static void distribution(void **state) {
  (void)state;
  enum { SIDE = 256, SAMPLES = SIDE * SIDE };
  static float value[SAMPLES];
  perlane_params params = cells_of(PERLANE_CELL_METRIC_EUCLIDEAN, PERLANE_CELL_OUTPUT_VALUE);
  const perlane_noise noise = noise_of(&params);
  perlane_grid grid = perlane_grid_make(SIDE, SIDE, 0, 0);
  grid.step[0] = grid.step[1] = 7.3; /* points of their own */
  assert_int_equal(perlane_fill(&noise, &grid, value), PERLANE_OK);
  double sum = 0, squares = 0;
  for (int i = 0; i < SAMPLES; i++) {
    sum += (double)value[i];
    squares += (double)value[i] * (double)value[i];
  }
  assert_true(fabs(sum / SAMPLES) < 5 * sqrt(1.0 / 3 / SAMPLES));
  assert_true(fabs(squares / SAMPLES - 1.0 / 3) < 5 * sqrt(4.0 / 45 / SAMPLES));
  /* In 1D the own cell's point is at a distance that is uniform or nearer: the mean of F1 over all
   * positions, with points that are uniform in cells, is 7 / 24. */
  params.cell_output = PERLANE_CELL_OUTPUT_F1;
  const perlane_noise line = noise_of(&params);
  perlane_grid row = perlane_grid_make(SAMPLES, 0, 0, 0);
  row.step[0] = 7.3;
  assert_int_equal(perlane_fill(&line, &row, value), PERLANE_OK);
  sum = 0;
  for (int i = 0; i < SAMPLES; i++)
    sum += (double)value[i];
  print_message("mean of F1 in 1D: %.5f\n", sum / SAMPLES);
  assert_true(fabs(sum / SAMPLES - 7.0 / 24) < 5 * 0.2 / sqrt(SAMPLES));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(regular_points),
      cmocka_unit_test(nearest_of_all_points),
      cmocka_unit_test(far_features),
      cmocka_unit_test(distribution),
  };
  return cmocka_run_group_tests_name("cells", tests, NULL, NULL);
}
