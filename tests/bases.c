/* SPDX-License-Identifier: MIT
 *
 * Statistics of bases that have one number per cell: white noise is uniform and Gaussian noise
 * normal, and both are without correlation.
 *
 * Statistics use fixed seeds, so that a test that passes always passes. Each may be 5 standard
 * errors from its expected value; a fair source exceeds that in one of 1.7 million trials.
 */
#include "support.h"

#include <math.h>

enum { SIDE = 512, SAMPLES = SIDE * SIDE };
static const double ERRORS = 5;

/* One sample of each cell, anywhere in it. */
static void fill_cells(perlane_params params, int dims, float *out) {
  static const size_t count[4][4] = {{SAMPLES}, {SIDE, SIDE}, {64, 64, 64}, {32, 32, 16, 16}};
  params.frequency = 1;
  const perlane_noise noise = noise_of(&params);
  perlane_grid grid = perlane_grid_make(1, 1, 1, 1);
  grid.dims = dims;
  for (int a = 0; a < dims; a++) {
    grid.count[a] = count[dims - 1][a];
    grid.origin[a] = 0.25 * (a + 1) - 500;
  }
  assert_int_equal(perlane_fill(&noise, &grid, out), PERLANE_OK);
}

static perlane_params params_of(perlane_basis basis, uint64_t seed) {
  perlane_params params = perlane_params_default();
  params.basis = (int32_t)basis;
  params.seed = seed;
  return params;
}

static double mean_of_product(const float *a, const float *b, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += (double)a[i] * (double)b[i];
  return sum / (double)n;
}

static void is_near(const char *what, double value, double expected, double standard_error) {
  if (!(fabs(value - expected) <= ERRORS * standard_error)) {
    print_message("%s: expected %g, got %g, which is %.1f standard errors off\n", what, expected,
                  value, fabs(value - expected) / standard_error);
    fail();
  }
}

/* Checks the moments of samples whose distribution has this variance and this fourth moment. */
static void has_moments(const float *value, double variance, double fourth) {
  double sum = 0, squares = 0, cubes = 0;
  for (size_t i = 0; i < SAMPLES; i++) {
    const double v = (double)value[i];
    sum += v;
    squares += v * v;
    cubes += v * v * v;
  }
  is_near("mean", sum / SAMPLES, 0, sqrt(variance / SAMPLES));
  is_near("variance", squares / SAMPLES, variance, sqrt((fourth - variance * variance) / SAMPLES));
  /* The sixth moments, 1/7 and 15, are below 15 * variance^3. */
  is_near("third moment", cubes / SAMPLES, 0, sqrt(15 * pow(variance, 3) / SAMPLES));
}

/* The share of samples below a bound. */
static void has_quantile(const float *value, double bound, double share) {
  size_t below = 0;
  for (size_t i = 0; i < SAMPLES; i++)
    below += (double)value[i] < bound;
  char what[64];
  snprintf(what, sizeof what, "share below %g", bound);
  is_near(what, (double)below / SAMPLES, share, sqrt(share * (1 - share) / SAMPLES));
}

/* Products of independent samples have mean 0 and the squared variance for variance. */
static void is_uncorrelated(const char *what, const float *a, const float *b, size_t n,
                            double variance) {
  is_near(what, mean_of_product(a, b, n), 0, variance / sqrt((double)n));
}

static float cells[SAMPLES], other[SAMPLES];

static void distribution(perlane_basis basis, double variance, double fourth) {
  for (int dims = 1; dims <= 4; dims++) {
    const perlane_params params = params_of(basis, 100 + (uint64_t)dims);
    fill_cells(params, dims, cells);
    has_moments(cells, variance, fourth);
    for (int i = -15; i <= 15; i++) {
      const double bound = i / 5.0;
      if (basis == PERLANE_BASIS_GAUSSIAN)
        has_quantile(cells, bound, erfc(-bound / sqrt(2)) / 2);
      else if (fabs(bound) < 1)
        has_quantile(cells, bound, (1 + bound) / 2);
    }
    /* Neighbours along each axis; a distance beyond the end of an axis serves as well. */
    static const size_t along[4][4] = {
        {1}, {1, SIDE}, {1, 64, 64 * 64}, {1, 32, 32 * 32, 32 * 32 * 16}};
    for (int a = 0; a < dims; a++) {
      const size_t next = along[dims - 1][a];
      is_uncorrelated("neighbours", cells, cells + next, SAMPLES - next, variance);
    }
    is_uncorrelated("diagonal neighbours", cells, cells + along[dims - 1][dims - 1] + 1,
                    SAMPLES - along[dims - 1][dims - 1] - 1, variance);
    perlane_params next_seed = params;
    next_seed.seed++;
    fill_cells(next_seed, dims, other);
    is_uncorrelated("the next seed", cells, other, SAMPLES, variance);
    /* The second octave by itself: of gain 1, the sum less the first. */
    perlane_params octaves = params;
    octaves.octaves = 2;
    octaves.lacunarity = 1;
    octaves.gain = 1;
    octaves.normalize = PERLANE_NORMALIZE_NONE;
    fill_cells(octaves, dims, other);
    for (size_t i = 0; i < SAMPLES; i++)
      other[i] -= cells[i];
    is_uncorrelated("octaves", cells, other, SAMPLES, variance);
  }
}

/* Uniform in -1 .. 1: variance 1/3, fourth moment 1/5. */
static void white_noise(void **state) {
  (void)state;
  distribution(PERLANE_BASIS_WHITE, 1.0 / 3, 1.0 / 5);
  for (size_t i = 0; i < SAMPLES; i++)
    assert_true(fabsf(cells[i]) < 1);
}

/* Normal: variance 1, fourth moment 3. */
static void gaussian_noise(void **state) {
  (void)state;
  distribution(PERLANE_BASIS_GAUSSIAN, 1, 3);
  float largest = 0;
  for (uint64_t seed = 0; seed < effort(40); seed++) {
    fill_cells(params_of(PERLANE_BASIS_GAUSSIAN, seed), 2, cells);
    for (size_t i = 0; i < SAMPLES; i++)
      largest = fmaxf(largest, fabsf(cells[i]));
  }
  print_message("gaussian noise: largest magnitude %g\n", (double)largest);
  assert_true(largest < 5.8f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(white_noise),
      cmocka_unit_test(gaussian_noise),
  };
  return cmocka_run_group_tests_name("bases", tests, NULL, NULL);
}
