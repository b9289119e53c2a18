/* SPDX-License-Identifier: MIT
 *
 * Gradients: those of cellular noise point away from points and borders.
 * docs/derivatives.py compares derivatives with difference quotients, golden.c and parity.c have
 * their bits.
 */
#include "support.h"

#include <math.h>

/* Tolerance, for one octave of largest value 1 and frequency 1: a slope is a sum of some ten
 * products of numbers up to 2, each of which rounds by up to 1.2e-7. */
static const double TOLERANCE = 2e-6;

/* From the last fraction of a cell to the first of the next, along one axis or to a corner along
 * all, the gradient may change by at most 2^-24 times its own slope, which is below 25 for each
 * axis, and rounding. With linear fades it jumps; values never do. */
static void continuous_at_borders(void **state) {
  (void)state;
  struct random random = random_start("borders");
  for (int fade = 0; fade < PERLANE_FADE_COUNT; fade++) {
    double widest = 0, jump = 0;
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
      const int is_corner = c % 4 == 0;
      float after[4], before[4];
      for (int a = 0; a < dims; a++)
        position[a] = is_corner || a == axis ? floor(position[a]) : position[a];
      const float v = perlane_at_gradient(&noise, dims, position, after);
      for (int a = 0; a < dims; a++)
        position[a] -= is_corner || a == axis ? 0x1p-24 : 0;
      const float w = perlane_at_gradient(&noise, dims, position, before);
      jump = fmax(jump, fabs((double)v - (double)w));
      for (int a = 0; a < dims; a++)
        widest = fmax(widest, fabs((double)after[a] - (double)before[a]));
    }
    print_message("fade %d: largest step of the gradient at a border %.3g\n", fade, widest);
    assert_true(jump <= 4 * 5 * 0x1p-24 + TOLERANCE);
    if (fade == PERLANE_FADE_LINEAR)
      assert_true(widest > 0.5);
    else
      assert_true(widest <= 4 * 25 * 0x1p-24 + 2 * TOLERANCE);
  }
}

/* Rows across three cells in steps of 1e-5 cells, on which an edge between simplices that is not
 * smooth would show: their second differences are nothing but rounding, of each of the skewed
 * coordinates by up to 2^-25 cells, where slopes are below 12, and of values by up to five units in
 * the last place. */
static void simplices_have_no_seams(void **state) {
  (void)state;
  struct random random = random_start("seams");
  enum { N = 300000 };
  float *row = malloc(N * sizeof *row);
  assert_non_null(row);
  for (int dims = 2; dims <= 3; dims++) {
    double widest = 0;
    for (size_t c = 0; c < effort(4); c++) {
      perlane_params params = parsed("basis=simplex frequency=1e-5");
      params.seed = random_word(&random);
      const perlane_noise noise = noise_of(&params);
      perlane_grid grid = perlane_grid_make(N, 1, dims == 3, 0);
      for (int a = 0; a < dims; a++)
        grid.origin[a] = random_between(&random, -1e8, 1e8);
      assert_ok(perlane_fill(&noise, &grid, row));
      for (size_t i = 1; i + 1 < N; i++)
        widest = fmax(widest, fabs((double)row[i + 1] - 2 * (double)row[i] + (double)row[i - 1]));
    }
    print_message("simplices in %dD: largest second difference across them %.3g\n", dims, widest);
    assert_true(widest <= 4 * (dims * 6 + 5) * 0x1p-24);
  }
  free(row);
}

/* Cells of a random metric, in values that are distances: one per unit of position. */
static perlane_params random_cells(struct random *random) {
  perlane_params params = parsed("basis=cellular frequency=1 normalize=none");
  params.seed = random_word(random);
  params.jitter = random_unit(random);
  params.cell_metric = (int32_t)random_below(random, PERLANE_CELL_METRIC_COUNT);
  return params;
}

static void random_position(struct random *random, double position[3]) {
  for (int a = 0; a < 3; a++)
    position[a] = random_between(random, -1000, 1000);
}

/* What perlane_points_cells says about the nearest point is computed without derivatives. A unit
 * vector is as inaccurate as a float's 2^-24 beside the distance. */
static void away_from_points(void **state) {
  (void)state;
  struct random random = random_start("points");
  for (size_t c = 0; c < effort(20000); c++) {
    const int dims = 1 + (int)random_below(&random, 3);
    const perlane_params params = random_cells(&random);
    const perlane_noise noise = noise_of(&params);
    double position[3];
    float slope[3], d[3], f1;
    random_position(&random, position);
    const float *coords[3];
    const float zero = 0;
    perlane_cells cells = {.f1 = &f1};
    for (int a = 0; a < dims; a++) {
      coords[a] = &zero;
      cells.offset[a] = &d[a];
    }
    assert_ok(cells_of_list(&noise, dims, 1, position, coords, &cells));
    assert_true(perlane_at_gradient(&noise, dims, position, slope) == f1);
    double largest = 0;
    for (int a = 0; a < dims; a++)
      largest = fmax(largest, fabs((double)d[a]));
    for (int a = 0; a < dims; a++) {
      const double away = -(double)d[a], sign = away < 0 ? -1 : away > 0 ? 1 : 0;
      const double expected[PERLANE_CELL_METRIC_COUNT] = {
          [PERLANE_CELL_METRIC_EUCLIDEAN] = f1 > 0 ? away / (double)f1 : 0,
          [PERLANE_CELL_METRIC_SQUARED] = 2 * away,
          [PERLANE_CELL_METRIC_MANHATTAN] = sign,
          [PERLANE_CELL_METRIC_CHEBYSHEV] = fabs(away) == largest ? sign : 0,
      };
      assert_true(fabs((double)slope[a] - expected[params.cell_metric]) <= 0x1p-22);
    }
  }
}

/* Against the gradient, the border is as far as the distance to it says. Positions are rounded to
 * 2^-24 of a cell, and the distance to a few times that where two points are close together. */
static void away_from_borders(void **state) {
  (void)state;
  struct random random = random_start("borders of regions");
  for (size_t c = 0; c < effort(20000); c++) {
    const int dims = 1 + (int)random_below(&random, 3);
    perlane_params params = random_cells(&random);
    params.cell_metric = PERLANE_CELL_METRIC_EUCLIDEAN;
    params.cell_output = PERLANE_CELL_OUTPUT_EDGE;
    const perlane_noise noise = noise_of(&params);
    double position[3], square = 0;
    float slope[3];
    random_position(&random, position);
    const double edge = (double)perlane_at_gradient(&noise, dims, position, slope);
    for (int a = 0; a < dims; a++) {
      square += (double)slope[a] * (double)slope[a];
      position[a] -= edge * (double)slope[a];
    }
    assert_true(fabs(square - 1) <= 0x1p-21);
    assert_true(perlane_at(&noise, dims, position) <= 0x1p-20f);
  }
}

/* A coordinate of -0 is the position 0 if there is an origin of 0, otherwise -0: derivatives of a
 * falloff have its sign. */
static void signs_of_zeros(void **state) {
  (void)state;
  enum { N = 40 };
  const perlane_noise noise = noise_from("basis=white frequency=1 fractal=ridged falloff=1");
  const struct kernel_list kernels = all_kernels();
  float x[N], y[N];
  const float *const coords[2] = {x, y};
  for (int i = 0; i < N; i++) {
    x[i] = (float)i;
    y[i] = -0.0f;
  }
  for (size_t k = 0; k < kernels.count; k++)
    for (int has_origin = 0; has_origin < 2; has_origin++) {
      static const double origin[2] = {0, 0};
      float value[N], slope[2][N];
      float *const gradient[2] = {slope[0], slope[1]};
      kernels.table[k]->points(&noise,
                               &(struct perlane_point_list){.dims = 2,
                                                            .octaves = noise.octaves,
                                                            .n = N,
                                                            .stride = 1,
                                                            .coords = coords,
                                                            .origin = has_origin ? origin : NULL,
                                                            .out = value,
                                                            .gradient = gradient});
      for (int i = 0; i < N; i++) {
        const double position[2] = {i, has_origin ? 0 : -0.0};
        float expected[2];
        perlane_at_gradient(&noise, 2, position, expected);
        assert_int_equal(bits_of(slope[1][i]), bits_of(expected[1]));
      }
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(simplices_have_no_seams), cmocka_unit_test(continuous_at_borders),
      cmocka_unit_test(away_from_points),        cmocka_unit_test(away_from_borders),
      cmocka_unit_test(signs_of_zeros),
  };
  return cmocka_run_group_tests_name("gradients", tests, NULL, NULL);
}
