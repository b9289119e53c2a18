/* SPDX-License-Identifier: MIT
 *
 * perlane_fill_parallel: perlane_fill's bits and errors, with any number of threads.
 */
#include <perlane_omp.h>

#include "calls.h"

enum { MAX_FLOATS = 400 * 1000, GUARD = 64 };
static float expected[MAX_FLOATS + 2 * GUARD], found[MAX_FLOATS + 2 * GUARD];

static const int32_t THREADS[] = {0, 1, 2, 3, 7, 64, PERLANE_OMP_MAX_THREADS};
enum { THREAD_NUMBERS = COUNT_OF(THREADS) };

/* Returns the address of sample (0, 0, 0, 0) for which the sample at the lowest address is at
 * `lowest`. */
static float *first_of(const perlane_grid *grid, float *lowest) {
  for (int a = 0; a < grid->dims; a++)
    if (grid->stride[a] < 0)
      lowest -= (ptrdiff_t)(grid->count[a] - 1) * grid->stride[a];
  return lowest;
}

/* All bytes, those between and around the samples too. */
static void same_with(const perlane_noise *noise, const perlane_grid *grid, int32_t threads) {
  fill_pattern(found, sizeof found);
  set_context("%d dims, %zu x %zu x %zu x %zu, %d threads", (int)grid->dims, grid->count[0],
              grid->count[1], grid->count[2], grid->count[3], (int)threads);
  assert_ok(perlane_fill_parallel(noise, grid, first_of(grid, found + GUARD), threads));
  assert_memory_equal(found, expected, sizeof found);
}

static void same_bits(const perlane_noise *noise, const perlane_grid *grid, int numbers) {
  fill_pattern(expected, sizeof expected);
  assert_ok(perlane_fill(noise, grid, first_of(grid, expected + GUARD)));
  for (int i = 0; i < numbers; i++)
    same_with(noise, grid, THREADS[i]);
}

/* Long in one axis, in another, in none; shorter than the number of threads; in one block. */
static const size_t COUNT[][PERLANE_MAX_DIMS] = {
    {1},
    {16383},
    {99991},
    {399999},
    {313, 499},
    {3, 60001},
    {60001, 3},
    {40000, 1},
    {1, 40000},
    {17, 15},
    {67, 71, 73},
    {9, 5, 4001},
    {4001, 5, 9},
    {5, 4001, 9},
    {301, 303, 1},
    {29, 23, 19, 17},
    {5, 7, 9, 601},
    {601, 9, 7, 5},
    {37, 41, 53, 2},
    {1, 1, 1, 33333},
};
enum { COUNTS = COUNT_OF(COUNT) };

static perlane_grid tilted_grid(const size_t count[PERLANE_MAX_DIMS]) {
  perlane_grid grid = perlane_grid_make(count[0], count[1], count[2], count[3]);
  for (int a = 0; a < grid.dims; a++) {
    grid.first[a] = -1000 * (a + 1);
    grid.origin[a] = 0.3 * a;
    grid.step[a] = 0.37 * (a % 2 ? -1 : 1);
  }
  return grid;
}

static void packed_grids(void **state) {
  (void)state;
  perlane_params params = perlane_params_default();
  params.frequency = 0.1;
  params.octaves = 2;
  const perlane_noise noise = noise_of(&params);
  struct random random = random_start("packed grids");
  for (int i = 0; i < COUNTS; i++) {
    if (!chosen(&random))
      continue;
    const perlane_grid grid = tilted_grid(COUNT[i]);
    same_bits(&noise, &grid, THREAD_NUMBERS);
  }
}

/* Axes in any order in memory, either way round, with gaps. */
static void strided_grids(void **state) {
  (void)state;
  struct random random = random_start("strided grids");
  for (size_t n = effort(60); n > 0; n--) {
    perlane_grid grid;
    size_t floats; /* from the lowest to the highest */
    do {
      grid = tilted_grid(COUNT[random_below(&random, COUNTS)]);
      random_strides(&random, &grid);
      floats = 1;
      for (int a = 0; a < grid.dims; a++)
        floats +=
            (grid.count[a] - 1) * (size_t)(grid.stride[a] < 0 ? -grid.stride[a] : grid.stride[a]);
    } while (floats > MAX_FLOATS);
    const perlane_params params = random_params(&random, grid.dims);
    const perlane_noise noise = noise_of(&params);
    if (noise.highest_frequency > 1e6)
      continue;
    same_bits(&noise, &grid, 5);
  }
}

static void fails(const perlane_noise *noise, const perlane_grid *grid, int32_t threads,
                  perlane_status status) {
  fill_pattern(found, sizeof found);
  memcpy(expected, found, sizeof found);
  assert_int_equal(perlane_fill_parallel(noise, grid, found + GUARD, threads), status);
  assert_memory_equal(found, expected, sizeof found);
}

/* Errors that only the whole grid has, or only its last block: nothing is written. */
static void errors(void **state) {
  (void)state;
  const perlane_noise noise = noise_from("");
  const perlane_grid good = perlane_grid_make(400, 400, 0, 0);
  for (int32_t threads = 1; threads <= 3; threads += 2) {
    perlane_grid overlap = good;
    overlap.stride[0] = 100; /* columns overlap with rows further down only */
    overlap.stride[1] = 1;
    fails(NULL, &good, threads, PERLANE_ERROR_NULL);
    fails(&noise, NULL, threads, PERLANE_ERROR_NULL);
    fails(&noise, &overlap, threads, PERLANE_ERROR_STRIDE);
    assert_refused(NULL, perlane_fill_parallel(&noise, &good, NULL, threads));
    for (int a = 0; a < 2; a++) {
      perlane_grid large = good, late = good, far = good;
      large.count[a] = SIZE_MAX / 8;
      late.first[a] = INT64_MAX - 398; /* the last sample's index does not fit */
      late.step[a] = 1e-6;
      far.origin[a] = 0x1p53 / 0.01 - 256; /* the last rows are outside the domain */
      fails(&noise, &large, threads, PERLANE_ERROR_COUNT);
      fails(&noise, &late, threads, PERLANE_ERROR_RANGE);
      fails(&noise, &far, threads, PERLANE_ERROR_RANGE);
    }
  }
  static const int32_t bad[] = {-1, INT32_MIN, PERLANE_OMP_MAX_THREADS + 1, INT32_MAX};
  for (size_t i = 0; i < COUNT_OF(bad); i++)
    fails(&noise, &good, bad[i], PERLANE_ERROR_THREADS);
}

/* Called by several threads at once, each of which would start more. */
static void within_a_parallel_region(void **state) {
  (void)state;
  const perlane_noise noise = noise_from("");
  const perlane_grid grid = perlane_grid_make(300, 300, 0, 0);
  enum { CALLERS = 3, SAMPLES = 300 * 300 };
  static float out[CALLERS][SAMPLES], alone[SAMPLES];
  assert_ok(perlane_fill(&noise, &grid, alone));
  perlane_status status[CALLERS];
#pragma omp parallel for num_threads(CALLERS)
  for (int i = 0; i < CALLERS; i++)
    status[i] = perlane_fill_parallel(&noise, &grid, out[i], 2);
  for (int i = 0; i < CALLERS; i++) {
    assert_int_equal(status[i], PERLANE_OK);
    assert_memory_equal(out[i], alone, sizeof alone);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(packed_grids),
      cmocka_unit_test(strided_grids),
      cmocka_unit_test(errors),
      cmocka_unit_test(within_a_parallel_region),
  };
  return cmocka_run_group_tests_name("omp", tests, NULL, NULL);
}
