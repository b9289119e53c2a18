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

/* In weighted octaves a slope is multiplied by a weight, and a value by a weight's slope, whose own
 * errors count then: a fifth of this tolerance, times slopes of noise of up to 4. */
static double tolerance_of(const struct model *model) {
  const struct shape shape = model_shape(model);
  double sum = 0, frequency = model->params.frequency, weights = 0;
  for (int k = 0; k < model->octaves; k++) {
    const double of_values = k * shape.weight * frequency + weights;
    sum += fabs(model->share[k]) * (shape.steepness * frequency + shape.height * weights +
                                    shape.steepness * of_values * 4 / 5);
    weights += shape.weight * frequency;
    frequency *= model->params.lacunarity;
  }
  return sum * TOLERANCE * fmax(1, shape.largest);
}

static int is_creased(const struct model *model, const double *position) {
  struct creases here, there;
  double moved[4];
  model_at(model, position, &here);
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

static double slope_of(const struct model *model, const double *position, int axis) {
  const double step = STEP / model->params.frequency;
  double lower[4], upper[4];
  memcpy(lower, position, sizeof lower);
  memcpy(upper, position, sizeof upper);
  lower[axis] -= step;
  upper[axis] += step;
  return (model_at(model, upper, NULL) - model_at(model, lower, NULL)) / (2 * step);
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
  const double tolerance = tolerance_of(&model) * fabs(params->value_scale);
  for (int i = 0; i < positions; i++) {
    double position[4] = {0};
    for (int a = 0; a < dims; a++)
      position[a] =
          (2 * floor(random_between(random, -0x1p20, 0x1p20)) + 1) * 0x1p-12 / params->frequency;
    if (is_creased(&model, position)) {
      ++*creased;
      continue;
    }
    float gradient[4];
    const float value = perlane_at_gradient(&noise, dims, position, gradient);
    assert_int_equal(bits_of(value), bits_of(perlane_at(&noise, dims, position)));
    for (int a = 0; a < dims; a++) {
      const double expected = params->value_scale * slope_of(&model, position, a);
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
    for (int basis = 0; basis < PERLANE_BASIS_COUNT; basis++) {
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

/* Every option, by fractal. */
static void fractals(void **state) {
  (void)state;
  struct random random = random_start("fractals");
  for (int fractal = 0; fractal < PERLANE_FRACTAL_COUNT; fractal++) {
    double worst = 0;
    size_t creased = 0;
    const size_t cases = effort(1500);
    enum { POSITIONS = 32 };
    for (size_t c = 0; c < cases; c++) {
      const int dims = 1 + (int)random_below(&random, 4);
      perlane_params params = random_params(&random, dims);
      params.fractal = (int32_t)fractal;
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fades_and_bases),
      cmocka_unit_test(fractals),
      cmocka_unit_test(continuous_at_borders),
      cmocka_unit_test(white_noise_is_flat),
  };
  return cmocka_run_group_tests_name("gradients", tests, NULL, NULL);
}
