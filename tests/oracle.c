/* SPDX-License-Identifier: MIT
 *
 * The oracle: every field's values are within rounding of the model's (model.h).
 *
 * Tolerance, for one octave's noise and a largest value of 1: 4e-7. About ten float operations on
 * numbers up to 1 round by up to 3e-8 each, and rounding a position to 2^-24 of a cell adds 3e-8
 * times the slope; over 4e8 random cells and positions all that reaches 3.7e-7 in 2D, and 3.0e-7 in
 * 3D and 4D.
 */
#include "support.h"

#include <math.h>

#include "model.h"

enum { N = 4096 };
static const double TOLERANCE = 4e-7;

/* The amplitudes of normalized octaves add up to 1, so their bound is that of one octave. */
static void compare(int octaves, double extent) {
  struct random random = random_start("oracle");
  for (int dims = 1; dims <= 4; dims++) {
    double worst = 0;
    const size_t cases = effort(60);
    for (size_t c = 0; c < cases; c++) {
      perlane_params params = perlane_params_default();
      params.seed = random_word(&random);
      /* Powers of two, so that the model sees the same positions. */
      params.frequency = 0.25;
      params.octaves = octaves;
      const perlane_noise noise = noise_of(&params);
      struct model model;
      model_make(&model, &params, dims);
      static float coordinate[4][N], value[N];
      const float *coords[4] = {coordinate[0], coordinate[1], coordinate[2], coordinate[3]};
      for (int a = 0; a < dims; a++)
        for (int i = 0; i < N; i++)
          coordinate[a][i] = (float)random_between(&random, -extent, extent);
      assert_int_equal(perlane_points(&noise, dims, N, NULL, coords, value), PERLANE_OK);
      for (int i = 0; i < N; i++) {
        double position[4];
        for (int a = 0; a < dims; a++)
          position[a] = (double)coordinate[a][i];
        worst = fmax(worst, fabs((double)value[i] - model_at(&model, position, NULL)));
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
  struct model model;
  model_make(&model, &params, 2);
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
      worst = fmax(worst, fabs((double)value[y * 64 + x] - model_at(&model, position, NULL)));
    }
  print_message("2D grid at 2^40: largest error %.3g\n", worst);
  assert_true(worst <= TOLERANCE);
}

/* A weight has the errors of all octaves before. Octaves also round as they are shaped, weighed and
 * added up, and values at their end. */
static double tolerance_of(const struct model *model) {
  const struct shape shape = model_shape(model);
  double errors = 0, values = 0;
  for (int k = 0; k < model->octaves; k++) {
    errors += fabs(model->share[k]) * (shape.steepness + k * shape.weight * shape.height);
    values += fabs(model->share[k]) * shape.height;
  }
  return errors * TOLERANCE * shape.largest * fabs(model->params.value_scale) +
         0x1p-21 * (values * fabs(model->params.value_scale) + fabs(model->params.value_offset));
}

static void every_option(void **state) {
  (void)state;
  struct random random = random_start("every option");
  enum { FEW = 64 };
  double worst = 0;
  const size_t cases = effort(8000);
  for (size_t c = 0; c < cases; c++) {
    const int dims = 1 + (int)random_below(&random, 4);
    perlane_params params = random_params(&random, dims);
    set_frequency(&params, 0.25); /* powers of two, so that the model sees the same positions */
    params.lacunarity = 2;
    params.contrast = 1; /* others magnify errors at will; one_function.c has them to the bit */
    make_valid(&params, dims);
    const perlane_noise noise = noise_of(&params);
    static struct model model;
    model_make(&model, &params, dims);
    const double tolerance = tolerance_of(&model);
    for (int i = 0; i < FEW; i++) {
      double position[4];
      for (int a = 0; a < dims; a++)
        position[a] = floor(random_between(&random, -0x1p30, 0x1p30)) *
                      (random_below(&random, 4) ? 0x1p-22 : 0x1p-2);
      const double expected = model_at(&model, position, NULL);
      const float value = perlane_at(&noise, dims, position);
      const double error = fabs((double)value - expected);
      worst = fmax(worst, error / tolerance);
      if (!(error <= tolerance)) {
        print_message("%dD: expected %.9g, got %.9g, tolerance %g, at", dims, expected,
                      (double)value, tolerance);
        for (int a = 0; a < dims; a++)
          print_message(" %a", position[a]);
        print_message("\n");
        print_params(&params);
        fail();
      }
    }
  }
  print_message("every option: largest error is %.2f of its tolerance\n", worst);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_octave_near), cmocka_unit_test(one_octave_far),
      cmocka_unit_test(six_octaves),     cmocka_unit_test(far_grid),
      cmocka_unit_test(every_option),
  };
  return cmocka_run_group_tests_name("oracle", tests, NULL, NULL);
}
