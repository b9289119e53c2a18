/* SPDX-License-Identifier: MIT
 *
 * Positions of points beyond what floats hold: an origin, and double coordinates. They are those of
 * perlane_fill and perlane_at, bit for bit, with every set of kernels.
 */
#include "support.h"

#include <float.h>
#include <math.h>

enum { N = 300 }; /* more than two of the kernels' blocks, and a remainder */

/* Calls body with every set of kernels that this build and CPU have. */
static void with_every_isa(void (*body)(struct random *random), const char *what) {
  struct random random = random_start(what);
  for (int isa = PERLANE_ISA_SCALAR; isa < PERLANE_ISA_COUNT; isa++)
    if (perlane_isa_supported((perlane_isa)isa)) {
      force((perlane_isa)isa);
      body(&random);
    }
  force(PERLANE_ISA_AUTO);
}

static size_t repeats(const float *value) {
  size_t count = 0;
  for (size_t i = 1; i < N; i++)
    count += bits_of(value[i]) == bits_of(value[i - 1]);
  return count;
}

/* At 2e7, where floats are 2 apart, a walk of step 1. */
static void walk_far_out(struct random *random) {
  (void)random;
  static const double start[PERLANE_MAX_DIMS] = {2e7, 30.25, -7.5, 1000};
  for (int dims = 1; dims <= PERLANE_MAX_DIMS; dims++) {
    perlane_params params = perlane_params_default();
    params.frequency = 0.02;
    const perlane_noise noise = noise_of(&params);
    perlane_grid grid = perlane_grid_make(N, 1, 1, 1);
    grid.dims = dims;
    static float near[PERLANE_MAX_DIMS][N], far[PERLANE_MAX_DIMS][N];
    static double wide[PERLANE_MAX_DIMS][N];
    const float *near_coords[PERLANE_MAX_DIMS], *far_coords[PERLANE_MAX_DIMS];
    const double *wide_coords[PERLANE_MAX_DIMS];
    for (int a = 0; a < dims; a++) {
      grid.origin[a] = start[a];
      for (size_t i = 0; i < N; i++) {
        near[a][i] = a == 0 ? (float)i : 0;
        wide[a][i] = start[a] + (double)near[a][i];
        far[a][i] = (float)wide[a][i];
      }
      near_coords[a] = near[a];
      far_coords[a] = far[a];
      wide_coords[a] = wide[a];
    }
    float filled[N], value[N];
    assert_int_equal(perlane_fill(&noise, &grid, filled), PERLANE_OK);
    assert_int_equal(repeats(filled), 0);
    assert_int_equal(perlane_points(&noise, dims, N, NULL, far_coords, value), PERLANE_OK);
    assert_in_range(repeats(value), N / 2 - 1, N / 2 + 1);
    assert_int_equal(perlane_points(&noise, dims, N, start, near_coords, value), PERLANE_OK);
    assert_memory_equal(value, filled, sizeof filled);
    assert_int_equal(perlane_points_double(&noise, dims, N, wide_coords, value, NULL), PERLANE_OK);
    assert_memory_equal(value, filled, sizeof filled);
  }
}

static void an_origin_keeps_points_apart(void **state) {
  (void)state;
  with_every_isa(walk_far_out, "far points");
}

/* Anything, an origin that rounds, and one coordinate in eight that is not in the domain. */
static float random_coordinate(struct random *random) {
  static const float special[] = {INFINITY, -INFINITY, NAN, 0x1p60f, -0x1p100f, -0.0f, 0x1p-149f};
  return random_below(random, 8) ? (float)random_between(random, -1e3, 1e3)
                                 : special[random_below(random, sizeof special / sizeof *special)];
}

static double random_origin(struct random *random) {
  static const double special[] = {INFINITY, NAN, DBL_MAX, 0, 0x1p53, 2e7};
  return random_below(random, 4) ? random_between(random, -1e9, 1e9)
                                 : special[random_below(random, sizeof special / sizeof *special)];
}

/* The same positions as floats and an origin, as doubles, and one at a time. */
static void same_positions(struct random *random) {
  const size_t cases = effort(120);
  size_t inside = 0, outside = 0;
  for (size_t c = 0; c < cases; c++) {
    const int dims = 1 + (int)random_below(random, PERLANE_MAX_DIMS);
    const perlane_params params = random_params(random, dims);
    const perlane_noise noise = noise_of(&params);
    const size_t n = 1 + random_below(random, N);
    const int with_gradient = (int)random_below(random, 2) && has_gradient(&params);
    const int tame = (int)random_below(random, 2);
    double origin[PERLANE_MAX_DIMS];
    static float coordinate[PERLANE_MAX_DIMS][N], value[2][N], slope[2][PERLANE_MAX_DIMS][N];
    static double position[PERLANE_MAX_DIMS][N];
    const float *coords[PERLANE_MAX_DIMS];
    const double *coords64[PERLANE_MAX_DIMS];
    float *gradient[2][PERLANE_MAX_DIMS];
    for (int a = 0; a < dims; a++) {
      origin[a] = tame ? random_between(random, -1e9, 1e9) : random_origin(random);
      for (size_t i = 0; i < n; i++) {
        coordinate[a][i] =
            tame ? (float)random_between(random, -1e3, 1e3) : random_coordinate(random);
        position[a][i] = origin[a] + (double)coordinate[a][i];
      }
      coords[a] = coordinate[a];
      coords64[a] = position[a];
      gradient[0][a] = slope[0][a];
      gradient[1][a] = slope[1][a];
    }
    fill_pattern(value, sizeof value);
    if (with_gradient)
      assert_int_equal(
          perlane_points_gradient(&noise, dims, n, origin, coords, value[0], gradient[0]),
          PERLANE_OK);
    else
      assert_int_equal(perlane_points(&noise, dims, n, origin, coords, value[0]), PERLANE_OK);
    assert_int_equal(perlane_points_double(&noise, dims, n, coords64, value[1],
                                           with_gradient ? gradient[1] : NULL),
                     PERLANE_OK);
    for (size_t i = 0; i < n; i++) {
      double at[PERLANE_MAX_DIMS];
      float slope_at[PERLANE_MAX_DIMS];
      int is_inside = 1, is_beyond = 0;
      for (int a = 0; a < dims; a++) {
        at[a] = position[a][i];
        is_inside &= in_domain(&noise, at[a]);
        is_beyond |= beyond_domain(&noise, at[a]);
      }
      inside += (size_t)is_inside;
      outside += (size_t)is_beyond;
      const float alone = with_gradient ? perlane_at_gradient(&noise, dims, at, slope_at)
                                        : perlane_at(&noise, dims, at);
      assert_int_equal(bits_of(value[0][i]), bits_of(alone));
      assert_int_equal(bits_of(value[1][i]), bits_of(alone));
      if (is_inside || is_beyond)
        assert_int_equal(bits_of(alone) == 0x7FC00000, is_beyond);
      for (int a = 0; with_gradient && a < dims; a++) {
        assert_int_equal(bits_of(slope[0][a][i]), bits_of(slope_at[a]));
        assert_int_equal(bits_of(slope[1][a][i]), bits_of(slope_at[a]));
      }
    }
    if (with_gradient) { /* the gradient alone */
      fill_pattern(slope, sizeof slope);
      assert_int_equal(perlane_points_gradient(&noise, dims, n, origin, coords, NULL, gradient[0]),
                       PERLANE_OK);
      assert_int_equal(perlane_points_double(&noise, dims, n, coords64, NULL, gradient[1]),
                       PERLANE_OK);
      for (int a = 0; a < dims; a++)
        assert_memory_equal(slope[0][a], slope[1][a], n * sizeof(float));
    }
  }
  assert_true(inside > 0 && outside > 0);
}

static void origins_and_doubles_give_the_same_positions(void **state) {
  (void)state;
  with_every_isa(same_positions, "origins and doubles");
}

/* Grids are lists of doubles. */
static void walk_a_grid(struct random *random) {
  const size_t cases = effort(120);
  for (size_t c = 0; c < cases; c++) {
    const int dims = 1 + (int)random_below(random, PERLANE_MAX_DIMS);
    const perlane_params params = random_params(random, dims);
    const perlane_noise noise = noise_of(&params);
    perlane_grid grid = perlane_grid_make(N, 1, 1, 1);
    grid.dims = dims;
    static double position[PERLANE_MAX_DIMS][N];
    static float filled[PERLANE_MAX_DIMS + 1][N], listed[PERLANE_MAX_DIMS + 1][N];
    const double *coords[PERLANE_MAX_DIMS];
    float *filled_slope[PERLANE_MAX_DIMS], *listed_slope[PERLANE_MAX_DIMS];
    for (int a = 0; a < dims; a++) {
      grid.first[a] = (int64_t)random_below(random, 1000000) - 500000;
      grid.origin[a] = random_between(random, -1e10, 1e10);
      grid.step[a] = random_between(random, 0.01, 2);
      for (int64_t i = 0; i < N; i++)
        position[a][i] = grid.origin[a] + (double)(grid.first[a] + (a == 0 ? i : 0)) * grid.step[a];
      coords[a] = position[a];
      filled_slope[a] = filled[a + 1];
      listed_slope[a] = listed[a + 1];
    }
    assert_int_equal(perlane_fill(&noise, &grid, filled[0]), PERLANE_OK);
    assert_int_equal(perlane_points_double(&noise, dims, N, coords, listed[0], NULL), PERLANE_OK);
    assert_memory_equal(filled[0], listed[0], sizeof filled[0]);
    if (!has_gradient(&params))
      continue;
    assert_int_equal(perlane_fill_gradient(&noise, &grid, filled[0], filled_slope), PERLANE_OK);
    assert_int_equal(perlane_points_double(&noise, dims, N, coords, listed[0], listed_slope),
                     PERLANE_OK);
    assert_memory_equal(filled, listed, (size_t)(dims + 1) * sizeof filled[0]);
  }
}

static void grids_equal_lists_of_doubles(void **state) {
  (void)state;
  with_every_isa(walk_a_grid, "grids as doubles");
}

/* The domain ends at 2^53 cells, both included, and a sum is rounded before it is compared. */
static void end_of_the_domain(struct random *random) {
  (void)random;
  static const struct {
    double origin;
    float coordinate;
    int is_inside;
  } AT[] = {
      {0x1p53, 0, 1},
      {0x1p53, 0.5f, 1},
      {0x1p53, 1, 1},
      {0x1p53, 3, 0},
      {-0x1p53, -1, 1},
      {-0x1p53, -3, 0},
      {0x1p54, -0x1p53f, 1},
      {0x1p54, -0x1p52f, 0},
      {NAN, 0, 0},
      {INFINITY, 0, 0},
      {-INFINITY, 1, 0},
      {0, INFINITY, 0},
      {0, NAN, 0},
      {INFINITY, -INFINITY, 0},
      {DBL_MAX, FLT_MAX, 0},
      {-0x1p100, 0x1p100f, 1},
      {0x1p-1074, 0x1p-149f, 1},
      {0, 0x1p53f, 1},
  };
  enum { CASES = sizeof AT / sizeof AT[0] };
  perlane_params params = perlane_params_default();
  params.frequency = 1;
  const perlane_noise noise = noise_of(&params);
  for (size_t c = 0; c < CASES; c++) {
    float x[N], y[N] = {0}, value[N];
    double wide[N], zero[N] = {0};
    const double origin[] = {AT[c].origin, 0};
    const float *const coords[] = {x, y};
    const double *const coords64[] = {wide, zero};
    for (size_t i = 0; i < N; i++) {
      x[i] = i == N / 2 ? AT[c].coordinate : (float)i - (float)AT[c].origin;
      wide[i] = i == N / 2 ? AT[c].origin + (double)AT[c].coordinate : (double)i;
    }
    const double at[] = {wide[N / 2], 0};
    const float expected = perlane_at(&noise, 2, at);
    assert_int_equal(bits_of(expected) != 0x7FC00000, AT[c].is_inside);
    assert_int_equal(perlane_points(&noise, 2, N, origin, coords, value), PERLANE_OK);
    assert_int_equal(bits_of(value[N / 2]), bits_of(expected));
    assert_int_equal(perlane_points_double(&noise, 2, N, coords64, value, NULL), PERLANE_OK);
    assert_int_equal(bits_of(value[N / 2]), bits_of(expected));
    for (size_t i = 0; i < N; i++) /* the others are near, and not touched by it */
      assert_int_equal(bits_of(value[i]) == 0x7FC00000, i == N / 2 && !AT[c].is_inside);
  }
}

static void the_domain_ends_where_it_does_for_one_position(void **state) {
  (void)state;
  with_every_isa(end_of_the_domain, "end of the domain");
}

/* Results in place of the coordinates, of lists with several octaves, too. */
static void in_place(struct random *random) {
  const size_t cases = effort(60);
  for (size_t c = 0; c < cases; c++) {
    const int dims = 1 + (int)random_below(random, PERLANE_MAX_DIMS);
    perlane_params params;
    do
      params = random_params(random, dims);
    while (!has_gradient(&params));
    const perlane_noise noise = noise_of(&params);
    static float coordinate[PERLANE_MAX_DIMS][N], value[N], slope[PERLANE_MAX_DIMS][N];
    double origin[PERLANE_MAX_DIMS];
    const float *coords[PERLANE_MAX_DIMS];
    float *gradient[PERLANE_MAX_DIMS], *replaced[PERLANE_MAX_DIMS];
    for (int a = 0; a < dims; a++) {
      origin[a] = random_between(random, -1e9, 1e9);
      for (size_t i = 0; i < N; i++)
        coordinate[a][i] = (float)random_between(random, -50, 50);
      coords[a] = replaced[a] = coordinate[a];
      gradient[a] = slope[a];
    }
    assert_int_equal(perlane_points_gradient(&noise, dims, N, origin, coords, value, gradient),
                     PERLANE_OK);
    assert_int_equal(perlane_points_gradient(&noise, dims, N, origin, coords, NULL, replaced),
                     PERLANE_OK);
    for (int a = 0; a < dims; a++)
      assert_memory_equal(coordinate[a], slope[a], sizeof slope[a]);
  }
}

static void results_may_replace_coordinates(void **state) {
  (void)state;
  with_every_isa(in_place, "points in place");
}

static void refused_lists(void **state) {
  (void)state;
  const perlane_params params = perlane_params_default();
  const perlane_noise noise = noise_of(&params);
  perlane_noise raw;
  memset(&raw, 0, sizeof raw);
  const double x[4] = {1, 2, 3, 4};
  const double *coords[] = {x, x, x, x, x}, *holes[] = {x, NULL};
  float out[4], slope[4], *gradient[] = {slope, slope}, *gradient_hole[] = {slope, NULL};
  memset(out, 0x5A, sizeof out);
  memset(slope, 0x5A, sizeof slope);
  assert_int_equal(perlane_points_double(NULL, 2, 4, coords, out, NULL), PERLANE_ERROR_NULL);
  assert_int_equal(perlane_points_double(&raw, 2, 4, coords, out, NULL), PERLANE_ERROR_NOISE);
  assert_int_equal(perlane_points_double(&noise, 0, 4, coords, out, NULL), PERLANE_ERROR_DIMS);
  assert_int_equal(perlane_points_double(&noise, 5, 4, coords, out, NULL), PERLANE_ERROR_DIMS);
  assert_int_equal(perlane_points_double(&noise, 2, 4, NULL, out, NULL), PERLANE_ERROR_NULL);
  assert_int_equal(perlane_points_double(&noise, 2, 4, holes, out, NULL), PERLANE_ERROR_NULL);
  assert_int_equal(perlane_points_double(&noise, 2, 4, coords, NULL, NULL), PERLANE_ERROR_NULL);
  assert_int_equal(perlane_points_double(&noise, 2, 4, coords, out, gradient_hole),
                   PERLANE_ERROR_NULL);
  assert_int_equal(perlane_points_double(&noise, 2, PTRDIFF_MAX / 8 + 1, coords, out, NULL),
                   PERLANE_ERROR_COUNT);
  for (int i = 0; i < 4; i++)
    assert_true(bits_of(out[i]) == 0x5A5A5A5A && bits_of(slope[i]) == 0x5A5A5A5A);
  assert_int_equal(perlane_points_double(&noise, 2, 0, NULL, NULL, NULL), PERLANE_OK);
  assert_int_equal(perlane_points_double(&noise, 2, 0, NULL, NULL, gradient), PERLANE_OK);
  assert_int_equal(perlane_points_double(&noise, 2, 4, coords, out, NULL), PERLANE_OK);
  perlane_params steep = params;
  steep.frequency = 1e30;
  steep.value_scale = 1e20;
  const perlane_noise too_steep = noise_of(&steep);
  assert_int_equal(perlane_points_double(&too_steep, 2, 4, coords, out, gradient),
                   PERLANE_ERROR_STEEP);
  assert_int_equal(perlane_points_double(&too_steep, 2, 4, coords, out, NULL), PERLANE_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_origin_keeps_points_apart),
      cmocka_unit_test(origins_and_doubles_give_the_same_positions),
      cmocka_unit_test(grids_equal_lists_of_doubles),
      cmocka_unit_test(the_domain_ends_where_it_does_for_one_position),
      cmocka_unit_test(results_may_replace_coordinates),
      cmocka_unit_test(refused_lists),
  };
  return cmocka_run_group_tests_name("points", tests, NULL, NULL);
}
