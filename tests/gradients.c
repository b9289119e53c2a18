/* SPDX-License-Identifier: MIT
 *
 * Gradients: with the quintic and the cubic fade they are continuous at cell borders; white noise
 * has none, nor have eroded and cellular fields. docs/accuracy.py compares derivatives with
 * difference quotients, golden.c and parity.c have their bits.
 */
#include "support.h"

#include <math.h>

/* Tolerance, for one octave of largest value 1 and frequency 1: a slope is a sum of some ten
 * products of numbers up to 2, each of which rounds by up to 1.2e-7. */
static const double TOLERANCE = 2e-6;

/* From the last fraction of a cell to the first of the next, the gradient may change by at most
 * 2^-24 times its own slope, which is below 25, and rounding. With linear fades it jumps. */
static void continuous_at_borders(void **state) {
  (void)state;
  struct random random = random_start("borders");
  for (int fade = 0; fade < PERLANE_FADE_COUNT; fade++) {
    double widest = 0;
    for (size_t c = 0; c < effort(4000); c++) {
      const int dims = 1 + (int)random_below(&random, 4);
      perlane_params params = perlane_params_default();
      params.seed = random_word(&random);
      params.frequency = 1;
      params.phase = PERLANE_PHASE_NONE;
      params.fade = (int32_t)fade;
      params.basis = random_below(&random, 3) ? PERLANE_BASIS_PERLIN : PERLANE_BASIS_VALUE;
      const perlane_noise noise = noise_of(&params);
      double position[4];
      for (int a = 0; a < dims; a++)
        position[a] = floor(random_between(&random, -0x1p20, 0x1p20)) * 0x1p-10;
      const int axis = (int)random_below(&random, (uint64_t)dims);
      float after[4], before[4];
      position[axis] = floor(position[axis]);
      perlane_at_gradient(&noise, dims, position, after);
      position[axis] -= 0x1p-24;
      perlane_at_gradient(&noise, dims, position, before);
      for (int a = 0; a < dims; a++)
        widest = fmax(widest, fabs((double)after[a] - (double)before[a]));
    }
    print_message("fade %d: largest step of the gradient at a border %.3g\n", fade, widest);
    if (fade == PERLANE_FADE_LINEAR)
      assert_true(widest > 0.5);
    else
      assert_true(widest <= 25 * 0x1p-24 + 2 * TOLERANCE);
  }
}

static void white_noise_is_flat(void **state) {
  (void)state;
  for (int basis = PERLANE_BASIS_WHITE; basis <= PERLANE_BASIS_GAUSSIAN; basis++)
    for (int dims = 1; dims <= 4; dims++) {
      perlane_params params = perlane_params_default();
      params.basis = (int32_t)basis;
      params.frequency = 0.3;
      params.octaves = 3;
      const perlane_noise noise = noise_of(&params);
      perlane_grid grid = perlane_grid_make(60, 5, 4, 3);
      grid.dims = dims;
      enum { SAMPLES = 60 * 5 * 4 * 3 };
      static float slope[4][SAMPLES];
      float *const gradient[4] = {slope[0], slope[1], slope[2], slope[3]};
      memset(slope, 0, sizeof slope);
      assert_int_equal(perlane_fill_gradient(&noise, &grid, NULL, gradient), PERLANE_OK);
      for (int a = 0; a < dims; a++)
        for (int i = 0; i < SAMPLES; i++)
          assert_true(slope[a][i] == 0);
    }
}

/* Eroded and cellular fields have none: each function says so, and writes nothing. */
static void fields_without_a_gradient(void **state) {
  (void)state;
  enum { N = 12 };
  static const char *const options[] = {"fractal=eroded",
                                        "fractal=eroded basis=white",
                                        "fractal=eroded erosion=0 octaves=3",
                                        "basis=cellular octaves=2",
                                        "basis=cellular cell_output=value",
                                        "basis=cellular warp_amplitude=3"};
  for (size_t i = 0; i < COUNT_OF(options); i++)
    for (int dims = 1; dims <= 3; dims++) {
      perlane_params params = parsed(options[i]);
      const perlane_noise noise = noise_of(&params);
      perlane_grid grid = perlane_grid_make(3, 2, 2, 0);
      grid.dims = dims;
      float out[5][N], before[5][N];
      float *const gradient[4] = {out[1], out[2], out[3], out[4]};
      const float x[N] = {0.5f, 1.5f};
      const double wide[N] = {0.5, 1.5}, position[4] = {0.1, 0.2, 0.3, 0.4};
      const float *const coords[3] = {x, x, x};
      const double *const coords64[3] = {wide, wide, wide};
      fill_pattern(out, sizeof out);
      memcpy(before, out, sizeof out);
      assert_int_equal(perlane_fill_gradient(&noise, &grid, out[0], gradient),
                       PERLANE_ERROR_NO_GRADIENT);
      assert_int_equal(perlane_fill_gradient(&noise, &grid, NULL, gradient),
                       PERLANE_ERROR_NO_GRADIENT);
      assert_int_equal(perlane_points_gradient(&noise, dims, N, NULL, coords, out[0], gradient),
                       PERLANE_ERROR_NO_GRADIENT);
      assert_int_equal(perlane_points_gradient(&noise, dims, 0, NULL, NULL, NULL, NULL),
                       PERLANE_ERROR_NO_GRADIENT);
      assert_int_equal(perlane_points_double(&noise, dims, N, coords64, out[0], gradient),
                       PERLANE_ERROR_NO_GRADIENT);
      assert_memory_equal(out, before, sizeof out);
      assert_int_equal(perlane_grid_check(&noise, &grid), PERLANE_OK);
      assert_int_equal(perlane_points_double(&noise, dims, N, coords64, out[0], NULL), PERLANE_OK);
      assert_true(perlane_at(&noise, dims, position) >= -1);
      assert_int_equal(bits_of(perlane_at_gradient(&noise, dims, position, out[1])), 0x7FC00000);
      for (int a = 0; a < 4; a++)
        assert_int_equal(bits_of(out[1][a]), a < dims ? 0x7FC00000 : bits_of(before[1][a]));
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(continuous_at_borders),
      cmocka_unit_test(white_noise_is_flat),
      cmocka_unit_test(fields_without_a_gradient),
  };
  return cmocka_run_group_tests_name("gradients", tests, NULL, NULL);
}
