/* SPDX-License-Identifier: MIT
 *
 * The oracle: every field's values are within rounding of the model's (model.h).
 *
 * Tolerance, for one octave's noise and a largest value of 1: 4e-7. About ten float operations on
 * numbers up to 1 round by up to 3e-8 each, and rounding a position to 2^-24 of a cell adds 3e-8
 * times the slope; over 4e8 random cells and positions all that reaches 3.7e-7 in 2D, and 3.0e-7 in
 * 3D and 4D. Distances of cellular noise, up to 2.6 cells, have the errors of about as many
 * operations, and no interpolation between.
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

/* Slopes of noise of largest value 1, per cell: of interpolated noise; of distances, which of two
 * points change by 2, and squared ones by twice their root; and cells are flat inside. */
static double steepest(const struct model *model) {
  const perlane_params *params = &model->params;
  const int is_flat =
      params->basis == PERLANE_BASIS_WHITE || params->basis == PERLANE_BASIS_GAUSSIAN;
  if (params->basis != PERLANE_BASIS_CELLULAR)
    return is_flat ? 0 : 4 * fmax(1, model->largest * model->scale);
  if (params->cell_output == PERLANE_CELL_OUTPUT_VALUE)
    return 0;
  return model->scale * (params->cell_metric == PERLANE_CELL_METRIC_SQUARED ? 8 : 2);
}

/* Damping of an octave, 1 / (1 + E g^2), falls by at most 0.65 sqrt(E) times the change of g. A
 * gradient per cell has the error of gradients.c in each octave so far. */
static double erosion_error(const struct model *model, int octave, double largest) {
  if (model->params.fractal != PERLANE_FRACTAL_ERODED)
    return 0;
  return 0.65 * sqrt(model->params.erosion * model->dims) * 2e-6 * (octave + 1) * fmax(1, largest);
}

/* An upper bound of the error of the octaves' sum. A weight has the errors of all octaves before.
 * Octaves also round as they are shaped, weighed and added up. `displaced` is the error of the
 * position, in its units. */
static double tolerance_of(const struct model *model, double displaced) {
  const struct shape shape = model_shape(model);
  double errors = 0, values = 0, slopes = 0, erosion = 0, frequency = model->params.frequency;
  for (int k = 0; k < model->octaves; k++) {
    const double share = fabs(model->share[k]);
    errors += share * (shape.steepness + k * shape.weight * shape.height);
    values += share * shape.height;
    slopes += share * (shape.steepness + k * shape.weight * shape.height) * steepest(model) *
              frequency * model->dims;
    erosion += share * shape.height * erosion_error(model, k, shape.largest);
    if (model->params.fractal == PERLANE_FRACTAL_ERODED) /* a gradient changes by 25 per cell */
      erosion += share * shape.height * erosion_error(model, k, shape.largest) * 25 / 2e-6 *
                 displaced * frequency * model->dims;
    frequency *= model->params.lacunarity;
  }
  return errors * TOLERANCE * shape.largest + 0x1p-21 * values + erosion + slopes * displaced;
}

/* Whether rounding may carry a position past a place where the sum jumps. Without a warp, and but
 * for cells of equal distance, there is nothing to round. */
static int may_jump(const struct model *model, double displaced, const struct creases *creases) {
  const int is_rounded =
      model->params.warp_amplitude != 0 || model->params.basis == PERLANE_BASIS_CELLULAR;
  return is_rounded && creases->border <= displaced + 0x1p-20 / model->params.frequency;
}

static void every_option(void **state) {
  (void)state;
  struct random random = random_start("every option");
  enum { FEW = 64 };
  double worst = 0;
  size_t skipped = 0;
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
    const int is_warped = params.warp_amplitude != 0; /* positions then round, far out by more */
    const double displaced =
        is_warped ? model_stretch(&model, TOLERANCE).error + 0x1p-52 * 0x1p9 : 0;
    const double of_sum = tolerance_of(&model, displaced);
    for (int i = 0; i < FEW; i++) {
      double position[4];
      struct creases creases;
      for (int a = 0; a < dims; a++)
        position[a] = floor(random_between(&random, -0x1p30, 0x1p30)) *
                      (is_warped || random_below(&random, 4) ? 0x1p-22 : 0x1p-2);
      const double expected = model_at(&model, position, &creases);
      const float value = perlane_at(&noise, dims, position);
      if (may_jump(&model, displaced, &creases)) {
        skipped++;
        continue;
      }
      const double tolerance = model_end_error(&model, creases.sum, of_sum);
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
  print_message("every option: largest error is %.2f of its tolerance; %zu of %zu skipped: where "
                "values jump\n",
                worst, skipped, cases * FEW);
  assert_true(skipped < cases * FEW / 50);
}

/* Each feature by itself, in each dimension that it exists in: the largest error, and its limit. */
static const struct {
  const char *name, *options;
  int dims;
  double limit;
} FEATURES[] = {
    {"spread, 6 octaves", "octaves=6 normalize=spread", 4, 7e-7},
    {"eroded, 1 octave", "fractal=eroded", 4, 8e-7},
    {"eroded, 6 octaves", "fractal=eroded octaves=6", 4, 6e-7},
    {"eroded by 1000, 6 octaves", "fractal=eroded octaves=6 erosion=1000", 4, 6e-6},
    {"eroded, linear fade", "fractal=eroded octaves=3 fade=linear", 4, 6e-7},
    {"curve", "curve=-1:-1,-0.2:-0.4,0.1:0.7,1:1", 4, 1.6e-6},
    {"smooth curve", "curve=-1:-1,-0.2:-0.4,0.1:0.7,1:1 curve_shape=smooth", 4, 1.6e-6},
    {"terraces", "terraces=8", 4, 2.4e-6},
    {"warp of 0.1 cells", "warp_amplitude=0.4 warp_frequency=0.25", 4, 6e-7},
    {"warp of 1 cell", "warp_amplitude=4 warp_frequency=0.25", 4, 1.6e-6},
    {"warp of 1 cell, 4 octaves", "warp_amplitude=4 warp_frequency=0.25 warp_octaves=4", 4, 1.6e-6},
    {"warp of 1 cell, 2 rounds", "warp_amplitude=4 warp_frequency=0.25 warp_rounds=2", 4, 4e-6},
    {"warp of 1 cell, 3 rounds", "warp_amplitude=4 warp_frequency=0.25 warp_rounds=3", 4, 1.2e-5},
    {"F1", "basis=cellular", 3, 4e-7},
    {"F2", "basis=cellular cell_output=f2", 3, 4e-7},
    {"F2 - F1", "basis=cellular cell_output=f2_minus_f1", 3, 6e-7},
    {"F1 squared", "basis=cellular cell_metric=squared", 3, 6e-7},
    {"F2 squared", "basis=cellular cell_metric=squared cell_output=f2", 3, 6e-7},
    {"F1 Manhattan", "basis=cellular cell_metric=manhattan", 3, 4e-7},
    {"F2 Manhattan", "basis=cellular cell_metric=manhattan cell_output=f2", 3, 4e-7},
    {"F1 Chebyshev", "basis=cellular cell_metric=chebyshev", 3, 4e-7},
    {"F2 Chebyshev", "basis=cellular cell_metric=chebyshev cell_output=f2", 3, 4e-7},
    {"F1, not normalized", "basis=cellular normalize=none", 3, 4e-7},
    {"F2, not normalized", "basis=cellular cell_output=f2 normalize=none", 3, 4e-7},
    {"values of cells", "basis=cellular cell_output=value", 3, 0},
    {"F1, 4 octaves", "basis=cellular octaves=4", 3, 6e-7},
};

static double feature_error(struct random *random, perlane_params params, int dims) {
  enum { FEW = 200 };
  static struct model model;
  double worst = 0;
  params.seed = random_word(random);
  params.frequency = 0.25;
  const perlane_noise noise = noise_of(&params);
  model_make(&model, &params, dims);
  const double displaced = model_stretch(&model, TOLERANCE).error;
  for (int i = 0; i < FEW; i++) {
    double position[4];
    struct creases creases;
    for (int a = 0; a < dims; a++)
      position[a] = floor(random_between(random, -0x1p30, 0x1p30)) * 0x1p-22;
    const double expected = model_at(&model, position, &creases);
    if (!may_jump(&model, displaced, &creases))
      worst = fmax(worst, fabs((double)perlane_at(&noise, dims, position) - expected));
  }
  return worst;
}

static void features(void **state) {
  (void)state;
  struct random random = random_start("features");
  int too_far = 0;
  for (size_t f = 0; f < sizeof FEATURES / sizeof FEATURES[0]; f++) {
    perlane_params params = perlane_params_default();
    assert_int_equal(perlane_params_parse(&params, FEATURES[f].options, NULL), PERLANE_OK);
    double worst[5] = {0}, largest = 0;
    for (int dims = 1; dims <= FEATURES[f].dims; dims++) {
      for (size_t c = 0; c < effort(20); c++)
        worst[dims] = fmax(worst[dims], feature_error(&random, params, dims));
      largest = fmax(largest, worst[dims]);
    }
    print_message("%s: largest error %.2g %.2g %.2g %.2g in 1D to 4D, at most %.2g\n",
                  FEATURES[f].name, worst[1], worst[2], worst[3], worst[4], FEATURES[f].limit);
    too_far += !(largest <= FEATURES[f].limit);
  }
  assert_int_equal(too_far, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_octave_near), cmocka_unit_test(one_octave_far),
      cmocka_unit_test(six_octaves),     cmocka_unit_test(far_grid),
      cmocka_unit_test(every_option),    cmocka_unit_test(features),
  };
  return cmocka_run_group_tests_name("oracle", tests, NULL, NULL);
}
