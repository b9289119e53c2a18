/* SPDX-License-Identifier: MIT
 *
 * Gradients: the derivatives are those of the model (model.h), by central differences; with the
 * quintic and the cubic fade they are continuous at cell borders; white noise has none.
 */
#include "support.h"

#include <math.h>

#include "model.h"

/* Tolerance, for one octave of largest value 1 and frequency 1: a slope is a sum of some ten
 * products of numbers up to 2, each of which rounds by up to 1.2e-7; position and value as in
 * oracle.c. */
static const double TOLERANCE = 2e-6;

/* The steps of central differences, in cells: their own error is below 1e-7 of the slope. */
static const double STEP = 0x1p-20;

/* A position this close to a crease, in cells or in units of noise, is skipped: rounding may decide
 * which side it is on. */
static const double NEAR = 0x1p-13, CLOSE = 1e-6;

/* A warp's error moves the position, and with it the slope by up to 25 per cell; and each slope of
 * a displacement is off as the field's is. Stretched slopes are added up, one for each axis. */
struct bounds {
  double slope, error; /* of the sum's derivatives, and of their error */
  double displaced;    /* error of the position */
};

/* In weighted octaves a slope is multiplied by a weight, and a value by a weight's slope, whose own
 * errors count then: a fifth of this tolerance, times slopes of noise of up to 4. */
static struct bounds bounds_of(const struct model *model) {
  const struct shape shape = model_shape(model);
  const struct stretch stretch = model_stretch(model, 4e-7);
  double sum = 0, frequency = model->params.frequency, weights = 0, slope = 0, bend = 0;
  for (int k = 0; k < model->octaves; k++) {
    const double of_values = k * shape.weight * frequency + weights;
    sum += fabs(model->share[k]) * (shape.steepness * frequency + shape.height * weights +
                                    shape.steepness * of_values * 4 / 5);
    slope += fabs(model->share[k]) *
             (shape.steepness * 4 * frequency + shape.height * weights * 4) *
             fmax(1, shape.largest);
    bend += fabs(model->share[k]) * (shape.steepness * 25 * frequency + weights * 100) * frequency *
            fmax(1, shape.largest);
    weights += shape.weight * frequency;
    frequency *= model->params.lacunarity;
  }
  struct bounds bounds = {slope, sum * TOLERANCE * fmax(1, shape.largest), 0};
  if (model->params.warp_amplitude == 0)
    return bounds;
  const double axes = model->dims * stretch.factor;
  bounds.displaced = stretch.error + 0x1p-44 / model->params.frequency;
  bounds.error = axes * (bounds.error + bend * model->dims * bounds.displaced) +
                 slope * axes * model->params.warp_rounds * 8 * TOLERANCE;
  bounds.slope = axes * slope;
  return bounds;
}

static int is_creased(const struct model *model, const double *position, double displaced,
                      double of_sum) {
  struct creases here, there;
  const perlane_curve *curve = &model->params.curve;
  double moved[4];
  model_at(model, position, &here);
  if (model->params.warp_amplitude != 0 && here.border <= displaced)
    return 1;
  for (int32_t i = 0; i < curve->count; i++)
    if (fabs(curve->point[i][0] - here.sum) <= of_sum + 0x1p-20)
      return 1;
  for (int a = 0; a < model->dims; a++)
    for (int side = -1; side <= 1; side += 2) {
      memcpy(moved, position, sizeof moved);
      moved[a] += side * NEAR / model->params.frequency;
      model_at(model, moved, &there);
      if (there.side != here.side)
        return 1;
    }
  return here.nearest < CLOSE * fmax(1, model->largest);
}

/* Returns the derivative of the octaves' sum. */
static double slope_of(const struct model *model, const double *position, int axis) {
  const double step = STEP / model->params.frequency / (model->params.warp_amplitude != 0 ? 4 : 1);
  struct creases below, above;
  double lower[4], upper[4];
  memcpy(lower, position, sizeof lower);
  memcpy(upper, position, sizeof upper);
  lower[axis] -= step;
  upper[axis] += step;
  model_at(model, upper, &above);
  model_at(model, lower, &below);
  return (above.sum - below.sum) / (2 * step);
}

/* Compares a field at random positions, which the kernels' fractions represent exactly, and which
 * are on no cell border in any octave of lacunarity 2. */
static void compare(struct random *random, const perlane_params *params, int dims, int positions,
                    double *worst, size_t *creased) {
  const perlane_noise noise = noise_of(params);
  /* The model leaves out value_offset, which no derivative depends on, and value_scale, which is a
   * factor of all of them: next to a large offset, a double has too few digits left for the
   * difference of two nearby values. */
  perlane_params plain = *params;
  plain.value_scale = 1;
  plain.value_offset = 0;
  static struct model model;
  model_make(&model, &plain, dims);
  const struct bounds bounds = bounds_of(&model);
  const double of_sum = bounds.error / model.params.frequency + bounds.slope * bounds.displaced;
  for (int i = 0; i < positions; i++) {
    double position[4] = {0};
    for (int a = 0; a < dims; a++)
      position[a] =
          (2 * floor(random_between(random, -0x1p20, 0x1p20)) + 1) * 0x1p-12 / params->frequency;
    if (is_creased(&model, position, bounds.displaced, of_sum)) {
      ++*creased;
      continue;
    }
    float gradient[4];
    struct creases here;
    double end_error;
    model_at(&model, position, &here);
    const double end = model_end_slope(&model, here.sum, of_sum, &end_error);
    const double tolerance =
        (bounds.error * fabs(end) + bounds.slope * end_error) * fabs(params->value_scale);
    const float value = perlane_at_gradient(&noise, dims, position, gradient);
    assert_int_equal(bits_of(value), bits_of(perlane_at(&noise, dims, position)));
    for (int a = 0; a < dims; a++) {
      const double expected = params->value_scale * end * slope_of(&model, position, a);
      const double error = fabs((double)gradient[a] - expected);
      *worst = fmax(*worst, error / tolerance);
      if (!(error <= tolerance)) {
        print_message("%dD, axis %d: expected %.9g, got %.9g, tolerance %g, at", dims, a, expected,
                      (double)gradient[a], tolerance);
        for (int b = 0; b < dims; b++)
          print_message(" %a", position[b]);
        print_message("\n");
        print_params(params);
        fail();
      }
    }
  }
}

static double random_frequency(struct random *random) {
  return 1.0 / (double)(1 << random_below(random, 10));
}

/* Each fade and basis by itself, one octave. */
static void fades_and_bases(void **state) {
  (void)state;
  struct random random = random_start("fades and bases");
  for (int fade = 0; fade < PERLANE_FADE_COUNT; fade++)
    for (int basis = 0; basis < PERLANE_BASIS_CELLULAR; basis++) {
      double worst = 0;
      size_t creased = 0;
      for (int dims = 1; dims <= 4; dims++)
        for (size_t c = 0; c < effort(60); c++) {
          perlane_params params = perlane_params_default();
          params.seed = random_word(&random);
          params.frequency = random_frequency(&random);
          params.fade = (int32_t)fade;
          params.basis = (int32_t)basis;
          params.phase = PERLANE_PHASE_NONE; /* positions then stay clear of cell borders */
          compare(&random, &params, dims, 32, &worst, &creased);
        }
      print_message("fade %d, basis %d: largest error is %.2f of its tolerance\n", fade, basis,
                    worst);
      assert_int_equal(creased, 0);
    }
}

/* Keeps a warp from stretching so much that central differences lose their digits. */
static void calm_warp(perlane_params *params) {
  params->warp_amplitude = fmin(params->warp_amplitude, 0.5 / params->frequency);
  params->warp_frequency = fmin(params->warp_frequency, params->frequency);
  params->warp_lacunarity = fmin(params->warp_lacunarity, 2);
  params->warp_octaves = params->warp_octaves > 2 ? 2 : params->warp_octaves;
}

/* Every option, by fractal. */
static void fractals(void **state) {
  (void)state;
  struct random random = random_start("fractals");
  for (int fractal = 0; fractal < PERLANE_FRACTAL_ERODED; fractal++) {
    double worst = 0;
    size_t creased = 0;
    const size_t cases = effort(1500);
    enum { POSITIONS = 32 };
    for (size_t c = 0; c < cases; c++) {
      const int dims = 1 + (int)random_below(&random, 4);
      perlane_params params = random_params(&random, dims);
      while (params.basis == PERLANE_BASIS_CELLULAR)
        params = random_params(&random, dims);
      params.fractal = (int32_t)fractal;
      calm_warp(&params);
      set_frequency(&params, random_frequency(&random));
      params.lacunarity = 2;
      params.contrast = 1; /* others magnify errors at will; one_function.c has them to the bit */
      make_valid(&params, dims);
      compare(&random, &params, dims, POSITIONS, &worst, &creased);
    }
    print_message(
        "fractal %d: largest error is %.2f of its tolerance; %zu of %zu positions skipped: "
        "too near a crease\n",
        fractal, worst, creased, cases * POSITIONS);
    assert_true(creased < cases * POSITIONS / 4);
  }
}

/* What stands between noise and its derivatives by itself: the largest error, in values per cell,
 * and its limit. */
static const struct {
  const char *name, *options;
  double limit;
} FEATURES[] = {
    {"noise", "", 2e-6},
    {"spread, 6 octaves", "octaves=6 normalize=spread lacunarity=1", 2e-6},
    {"curve", "curve=-1:-1,-0.2:-0.4,0.1:0.7,1:1", 6e-6},
    {"smooth curve", "curve=-1:-1,-0.2:-0.4,0.1:0.7,1:1 curve_shape=smooth", 3e-5},
    {"terraces", "terraces=8", 8e-5},
    {"warp of 0.1 cells", "warp_amplitude=0.1 warp_frequency=1", 3e-6},
    {"warp of 1 cell", "warp_amplitude=1 warp_frequency=1", 1.5e-5},
    {"warp of 1 cell, 2 rounds", "warp_amplitude=1 warp_frequency=1 warp_rounds=2", 1e-4},
};

static double feature_error(struct random *random, perlane_params params, int dims) {
  static struct model model;
  params.seed = random_word(random);
  params.frequency = 1;
  const perlane_noise noise = noise_of(&params);
  model_make(&model, &params, dims);
  double worst = 0;
  for (int i = 0; i < 50; i++) {
    double position[4] = {0}, end_error;
    float gradient[4];
    struct creases here;
    for (int a = 0; a < dims; a++)
      position[a] = (2 * floor(random_between(random, -0x1p16, 0x1p16)) + 1) * 0x1p-12;
    if (is_creased(&model, position, 0, 1e-5))
      continue;
    model_at(&model, position, &here);
    perlane_at_gradient(&noise, dims, position, gradient);
    const double end = model_end_slope(&model, here.sum, 0, &end_error);
    for (int a = 0; a < dims; a++)
      worst = fmax(worst, fabs((double)gradient[a] - end * slope_of(&model, position, a)));
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
    double worst[5] = {0};
    for (int dims = 1; dims <= 4; dims++) {
      for (size_t c = 0; c < effort(40); c++)
        worst[dims] = fmax(worst[dims], feature_error(&random, params, dims));
      too_far += !(worst[dims] <= FEATURES[f].limit);
    }
    print_message("%s: largest error %.2g %.2g %.2g %.2g in 1D to 4D, at most %.2g\n",
                  FEATURES[f].name, worst[1], worst[2], worst[3], worst[4], FEATURES[f].limit);
  }
  assert_int_equal(too_far, 0);
}

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
  for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
    for (int dims = 1; dims <= 3; dims++) {
      perlane_params params = perlane_params_default();
      assert_int_equal(perlane_params_parse(&params, options[i], NULL), PERLANE_OK);
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
      cmocka_unit_test(fades_and_bases),
      cmocka_unit_test(fractals),
      cmocka_unit_test(features),
      cmocka_unit_test(continuous_at_borders),
      cmocka_unit_test(white_noise_is_flat),
      cmocka_unit_test(fields_without_a_gradient),
  };
  return cmocka_run_group_tests_name("gradients", tests, NULL, NULL);
}
