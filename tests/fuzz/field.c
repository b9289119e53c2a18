/* SPDX-License-Identifier: MIT
 *
 * Fuzzing of the library: the input's bytes become the random choices that tests make (support.h,
 * calls.h): a field and a grid or a list of points, whose members may then be overwritten with
 * numbers of every kind. Whatever they are, the library must refuse them with a sentence and write
 * nothing, or every lane kernel must write what the scalar reference writes, and no other byte.
 */
#include <math.h>

#include "../calls.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* Samples times octaves times corners, for the reference. */
enum { MAX_WORK = 2048 };

/* Corners of a sample, or cells, and those of its displacements. */
static size_t work_of(const perlane_params *params, int dims) {
  static const size_t cells[] = {3, 25, 343};
  const size_t each = params->basis == PERLANE_BASIS_CELLULAR ? cells[dims - 1] : (size_t)1 << dims;
  const size_t octaves = params->fractal == PERLANE_FRACTAL_NONE ? 1 : (size_t)params->octaves;
  const size_t warp = params->warp_amplitude != 0
                          ? (size_t)(params->warp_rounds * params->warp_octaves * dims) << dims
                          : 0;
  return octaves * each + warp;
}

static void check_refusal(const perlane_noise *noise, const perlane_grid *grid) {
  char sentence[PERLANE_MESSAGE_BYTES];
  if (perlane_grid_check(noise, grid) == PERLANE_OK)
    assert_int_equal(perlane_explain_grid(noise, grid, sentence, sizeof sentence), 0);
  else
    refused_grid(noise, grid, sentence);
}

static void fuzz_grid(struct random *random, const perlane_params *params, int dims) {
  const perlane_noise noise = noise_of(params);
  perlane_grid grid = random_grid(random, params, dims);
  for (int a = dims - 1; a >= 0; a--)
    while (grid.count[a] > 1 && samples_of(&grid) * work_of(params, dims) > MAX_WORK)
      grid.count[a] = (grid.count[a] + 1) / 2;
  random_strides(random, &grid);
  perlane_grid damaged = grid;
  if (random_below(random, 2)) {
    damage(random, &damaged, GRID_POINTERS, sizeof grid);
    check_refusal(&noise, &damaged);
  }
  /* A grid that is accepted must be filled, unless it needs other memory. */
  if (perlane_grid_check(&noise, &damaged) == PERLANE_OK && damaged.dims == dims &&
      memcmp(damaged.count, grid.count, sizeof grid.count) == 0 &&
      memcmp(damaged.stride, grid.stride, sizeof grid.stride) == 0)
    grid = damaged;
  compare_grid(random, params, &grid, random_form(random));
}

/* Values are within the range, which every number of dimensions has that the field has. */
static void check_range(struct random *random, const perlane_params *params) {
  const perlane_noise noise = noise_of(params);
  for (int32_t dims = 1; dims <= PERLANE_MAX_DIMS; dims++) {
    float low, high;
    if (perlane_range(&noise, dims, &low, &high) != PERLANE_OK)
      continue;
    assert_true(isfinite(low) && isfinite(high) && low <= high);
    for (int i = 0; i < 4; i++) {
      double position[PERLANE_MAX_DIMS];
      for (int a = 0; a < dims; a++)
        position[a] = near_the_end(random, &noise, (double)random_coordinate(random, &noise));
      const float v = perlane_at(&noise, dims, position);
      float slope[PERLANE_MAX_DIMS];
      const float w = perlane_at_gradient(&noise, dims, position, slope);
      for (int a = 0; a < dims && !isnan(w); a++)
        assert_true(isfinite(slope[a]));
      if (isnan(v) ? bits_of(v) != 0x7FC00000 : v < low || v > high)
        fail_msg("%a is outside of perlane_range", (double)v);
    }
  }
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  return setenv("CMOCKA_TEST_ABORT", "1", 1); /* where an assertion fails */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct random random = {.bytes = data, .left = size};
  const int dims = 1 + (int)random_below(&random, PERLANE_MAX_DIMS);
  perlane_params params = random_params(&random, dims);
  if (random_below(&random, 2))
    damage(&random, &params, PARAMS_POINTERS, sizeof params);
  char message[PERLANE_MESSAGE_BYTES];
  perlane_noise noise, before;
  fill_pattern(&noise, sizeof noise);
  memcpy(&before, &noise, sizeof noise);
  const size_t length = perlane_explain_params(&params, message, sizeof message);
  assert_true(length < sizeof message);
  assert_int_equal(perlane_init(&noise, &params) == PERLANE_OK, length == 0);
  if (length > 0) {
    assert_memory_equal(&noise, &before, sizeof noise);
    return 0;
  }
  check_range(&random, &params);
  float value;
  const float *const coords[] = {&value, &value, &value, &value};
  if (points_of(&noise, dims, 0, NULL, coords, &value, NULL) != PERLANE_OK)
    return 0; /* the field does not exist in so many dimensions */
  const size_t samples = 1 + MAX_WORK / work_of(&params, dims);
  if (random_below(&random, 3) == 0)
    compare_list(&random, &params, dims, 1 + random_below(&random, samples < 256 ? samples : 256));
  else if (params.basis == PERLANE_BASIS_CELLULAR && random_below(&random, 16) == 0)
    compare_random_cells(&random, &params, dims);
  else
    fuzz_grid(&random, &params, dims);
  return 0;
}
