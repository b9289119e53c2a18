/* SPDX-License-Identifier: MIT
 *
 * Joints: where code takes another way, all entries still agree bit for bit, with every set of
 * kernels and with the reference: fills, their tiles, integers, extremes, derivatives, lists of
 * doubles and of floats, single values, cells, and the field alone as an expression.
 */
#include "calls.h"

#include "../src/thresholds.h"

#include <float.h>
#include <math.h>
#include <perlane_expression.h>

enum { MOST_SAMPLES = 1 << 15, LIST_SAMPLES = 600 };

/* The samples of a grid, and what the reference computes there. */
static float expected[1 + PERLANE_MAX_DIMS][MOST_SAMPLES];
static double position[PERLANE_MAX_DIMS][MOST_SAMPLES];

static void expect_samples(const perlane_noise *noise, const perlane_grid *grid, int has_gradient) {
  const struct call call = {.grid = *grid};
  float low, high;
  assert_ok(perlane_range(noise, grid->dims, &low, &high));
  for (size_t i = 0; i < samples_of(grid); i++) {
    double p[PERLANE_MAX_DIMS];
    float slope[PERLANE_MAX_DIMS] = {0};
    position_of(&call, i, p);
    expected[0][i] = perlane_scalar_kernels.at(noise, grid->dims, p, has_gradient ? slope : NULL);
    assert_true(expected[0][i] >= low && expected[0][i] <= high);
    for (int a = 0; a < grid->dims; a++) {
      position[a][i] = p[a];
      expected[1 + a][i] = slope[a];
    }
  }
}

/* ---- Entries ---- */

/* A field, or an expression, at the samples of a packed grid. */
struct draw {
  const perlane_params *params;
  const perlane_noise *expression;
  perlane_grid grid;
  int has_gradient;
};

static struct call call_of(const struct draw *draw) {
  struct call call = {.expression = draw->expression, .grid = draw->grid};
  for (int a = 0; a <= PERLANE_MAX_DIMS; a++)
    call.known[a] = expected[a];
  return call;
}

static struct call list_of_samples(const struct draw *draw) {
  struct call call = call_of(draw);
  const size_t samples = samples_of(&draw->grid);
  call.grid = grid_of(draw->grid.dims,
                      (size_t[]){samples < LIST_SAMPLES ? samples : LIST_SAMPLES, 1, 1, 1});
  call.grid.octaves = draw->grid.octaves;
  for (int a = 0; a < draw->grid.dims; a++)
    call.coords64[a] = position[a];
  return call;
}

/* Fills of the grid, those of an expression as floats alone, and of two tiles of it. */
static void compare_fills(struct random *random, const struct draw *draw) {
  const struct call whole = call_of(draw);
  const int axis = (int)random_below(random, (uint64_t)draw->grid.dims);
  const uint64_t count = draw->grid.count[axis], at = random_below(random, count);
  static const enum form FORMS_OF[] = {VALUES, GRADIENT, EXTREMES, WORDS, BYTES};
  for (size_t f = 0; f < (draw->expression ? 2 : COUNT_OF(FORMS_OF)); f++) {
    if (FORMS_OF[f] == GRADIENT && !draw->has_gradient)
      continue;
    assert_true(compare_form(random, draw->params, whole, FORMS_OF[f]));
    for (int part = at == 0; part < 2 && f < 2; part++) {
      struct call tile = whole;
      tile.grid.first[axis] += part ? (int64_t)at : 0;
      tile.grid.count[axis] = part ? count - at : at;
      for (int a = 0; a <= PERLANE_MAX_DIMS && part; a++)
        tile.known[a] += at * (uint64_t)draw->grid.stride[axis];
      assert_true(compare_form(random, draw->params, tile, FORMS_OF[f]));
    }
  }
}

/* Lists of the samples' positions as doubles. */
static void compare_lists(struct random *random, const struct draw *draw) {
  const struct call list = list_of_samples(draw);
  assert_true(compare_form(random, draw->params, list, VALUES));
  if (draw->has_gradient)
    assert_true(compare_form(random, draw->params, list, GRADIENT));
}

/* Lists of floats, alone or added to an origin: other positions than the grid's. */
static void compare_floats(struct random *random, const struct draw *draw) {
  static float coordinate[PERLANE_MAX_DIMS][LIST_SAMPLES];
  struct call list = list_of_samples(draw);
  list.origin = random_below(random, 2) ? draw->grid.origin : NULL;
  list.known[0] = NULL;
  for (int a = 0; a < draw->grid.dims; a++) {
    for (size_t i = 0; i < list.grid.count[0]; i++)
      coordinate[a][i] = (float)(position[a][i] - (list.origin ? list.origin[a] : 0));
    list.coords[a] = coordinate[a];
    list.coords64[a] = NULL;
  }
  compare_form(random, draw->params, list, draw->has_gradient ? GRADIENT : VALUES);
}

/* Compares all entries for a packed grid of a field's first octaves; 0: all. Returns 0 if the grid
 * is not in the field's domain. */
static int agree(struct random *random, const perlane_params *params, const perlane_grid *grid) {
  static perlane_noise noise, alone;
  const char *const name = "f";
  const perlane_noise *const field = &noise;
  noise = noise_of(params);
  if (perlane_grid_check(&noise, grid) != PERLANE_OK)
    return 0;
  /* Calls refuse the gradient of a field that is too steep, even if its first octaves are not. */
  struct draw draw = {
      .params = params, .grid = *grid, .has_gradient = noise.sloped >> (grid->dims - 1) & 1};
  noise = limited(&noise, grid->octaves);
  assert_true(samples_of(grid) <= MOST_SAMPLES);
  expect_samples(&noise, grid, draw.has_gradient);
  compare_floats(random, &draw);
  if (params->basis == PERLANE_BASIS_CELLULAR) {
    const struct call list = list_of_samples(&draw);
    compare_cells(random, &noise, grid,
                  &(struct perlane_point_list){.dims = grid->dims,
                                               .octaves = 1,
                                               .n = list.grid.count[0],
                                               .coords64 = list.coords64,
                                               .stride = 1});
  }
  assert_ok(perlane_expression_init(&alone, "max(f, f)", 1, &name, &field));
  for (int is_alone = 0; is_alone < 2; is_alone++) {
    compare_fills(random, &draw);
    compare_lists(random, &draw);
    draw.expression = &alone;
    draw.grid.octaves = 0;
  }
  return 1;
}

static void agree_for(struct random *random, const char *options, const perlane_grid *grid) {
  const perlane_params params = parsed(options);
  assert_true(agree(random, &params, grid));
}

/* ---- Faults that there have been ---- */

/* A row at -0 beside positions that are far: what mirroring a map gives. */
static void mirrored_and_far(void **state) {
  (void)state;
  static const char *const FIELDS[] = {"warp_amplitude=3",
                                       "warp_amplitude=3 basis=simplex",
                                       "warp_amplitude=3 basis=white",
                                       "warp_amplitude=3 basis=cellular",
                                       "warp_amplitude=3 valleys=3 valley_octaves=1",
                                       "valleys=3 valley_octaves=1",
                                       "basis=cellular",
                                       "basis=cellular frequency=0.05",
                                       "fractal=ridged octaves=3"};
  struct random random = random_start("mirrored and far");
  for (size_t i = 0; i < COUNT_OF(FIELDS); i++)
    for (int e = 34; e < 50; e += 10) {
      perlane_grid grid = grid_of(2, (size_t[]){70, 3});
      grid.origin[0] = ldexp(1, e);
      grid.origin[1] = -0.0;
      grid.step[1] = -1;
      agree_for(&random, FIELDS[i], &grid);
    }
}

/* Indices that no double holds, and sums with the origin that round to multiples of many cells:
 * samples leap, or stand still. */
static void leaping_steps(void **state) {
  (void)state;
  static const char *const FIELDS[] = {"basis=simplex frequency=0.3",
                                       "basis=simplex octaves=3",
                                       "basis=cellular frequency=0.3",
                                       "basis=cellular cell_metric=manhattan frequency=0.02",
                                       "basis=white",
                                       "octaves=2",
                                       ""};
  struct random random = random_start("leaping steps");
  for (size_t i = 0; i < COUNT_OF(FIELDS); i++)
    for (int e = 51; e <= 62; e += 3) {
      perlane_grid grid = grid_of(2, (size_t[]){1100, 4});
      grid.first[0] = (INT64_C(1) << e) - 700;
      grid.origin[0] = -ldexp(1, e);
      agree_for(&random, FIELDS[i], &grid);
      grid.first[0] = 1000000007;
      grid.step[0] = ldexp(1, e) / 1000000007;
      agree_for(&random, FIELDS[i], &grid);
    }
}

/* In 4D, displacements with their derivatives leave memory for hardly more than one row. */
static void rows_of_displacements(void **state) {
  (void)state;
  struct random random = random_start("rows of displacements");
  for (size_t width = 47; width <= 66; width += 3) {
    const perlane_grid grid = grid_of(4, (size_t[]){width, 2, 1, 2});
    agree_for(&random, "frequency=0.1 warp_amplitude=3 warp_rounds=2", &grid);
  }
}

/* valley_output=river is a mask with any number of octaves. */
static void rivers_of_fewer_octaves(void **state) {
  (void)state;
  struct random random = random_start("rivers of fewer octaves");
  const perlane_params params =
      parsed("octaves=5 fractal=ping_pong weighted_strength=1 normalize=none amplitude=20 "
             "valleys=0.24 valley_octaves=4 valley_output=river");
  for (int octaves = 1; octaves <= 9; octaves += 4) {
    perlane_grid grid = grid_of(2, (size_t[]){4, 3}); /* the reference takes long */
    grid.step[0] = grid.step[1] = 10;
    grid.octaves = octaves;
    assert_true(agree(&random, &params, &grid));
    for (size_t i = 0; i < 12; i++)
      assert_true(expected[0][i] >= 0 && expected[0][i] <= 0.875f);
  }
}

/* Land whose tile is too large for one network. */
static void tiles_of_several_networks(void **state) {
  (void)state;
  struct random random = random_start("tiles of several networks");
  perlane_grid grid = grid_of(2, (size_t[]){6, 4}); /* the reference takes long */
  grid.step[0] = grid.step[1] = 2;
  agree_for(&random, "frequency=0.04 octaves=2 valleys=3 valley_octaves=6", &grid);
  agree_for(&random, "frequency=0.04 octaves=2 valleys=3 warp_amplitude=9", &grid);
}

/* ---- Random draws at the limits ---- */

/* Returns a number of the list, or one beside it. */
static size_t beside(struct random *random, const size_t *limit, size_t n) {
  const size_t at = limit[random_below(random, n)] + random_below(random, 3);
  return at > 2 ? at - 1 : 1;
}

static const size_t SIDES[] = {1,
                               1,
                               2,
                               SHORT_ROWS,
                               SHORT_RUN,
                               STRIP_GRANULE,
                               NARROW_GRID,
                               TILE_ROWS,
                               TALL_TILE_ROWS,
                               GRADIENT_TILE_ROWS,
                               SHORT_TILE_ROWS,
                               DIRECT_ROWS,
                               PART_EDGE,
                               SMALL_COUNT,
                               WHITE_ROWS,
                               SIMPLEX_ROWS,
                               SIMPLEX_SHORT_ROW,
                               SIMPLEX_SHORT_ROWS,
                               SIMPLEX_MIN_COLUMNS,
                               SIMPLEX_LONG_RUN,
                               SIMPLEX_TILE_COLUMNS,
                               BRICK_COLUMNS,
                               BRICK_ROWS,
                               BRICK_PLANES,
                               BOX_ROWS,
                               DEEP_COLUMNS,
                               POINT_BLOCK,
                               WHOLE_LIST,
                               WARP_COLUMNS,
                               SLOPE_COLUMNS,
                               LAND_STACK_COLUMNS,
                               WARP_LEAST,
                               SHORT_RUN_ROW,
                               TILE_COLUMNS,
                               NARROW_TILE_COLUMNS,
                               VALLEY_TILE_COLUMNS,
                               NARROW_TILE_ROWS,
                               KEPT_ROWS,
                               TILE_PLANES,
                               MAX_STRIP_COLUMNS,
                               WHITE_COLUMNS,
                               SIMPLEX_BLOCK,
                               TILE_ROWS + MAX_BORDER_ROWS,
                               NARROW_COLUMNS(8),
                               NARROW_COLUMNS(16),
                               2 * MAX_STRIP_COLUMNS,
                               RUN_SAMPLES};
static const size_t WHOLES[] = {FEW_POINTS,     FEW_SAMPLES_OF_ONE,  FEW_SAMPLES(4), FEW_SAMPLES(8),
                                WHOLE_LIST,     SIMPLEX_FEW_SAMPLES, POINT_BLOCK,    RUN_SAMPLES,
                                PACKED_SAMPLES, BRICK_SAMPLES,       ROW_ENTRIES};
static const size_t OCTAVES[] = {1, 1, 1, 2, 3, MANY_OCTAVES, 2 * MANY_OCTAVES, 31};
static const size_t BYTES_OF_WORK[] = {
    SCRATCH_BYTES, SMALL_SCRATCH_BYTES, WARP_WORK_BYTES, MIN_SCRATCH_BYTES, WARP_WORK_TILE_BYTES,
    SMALL_STACK,   LARGE_STACK,         LAND_WORK_BYTES, VALLEY_LIST_BYTES, PERLANE_WORK_BYTES};
static const double STEPS[] = {DENSE_STEP,      CLOSE_STEP,     BORDER_STEP, PLANE_STEP,   BOX_STEP,
                               TALL_BRICK_STEP, MAX_SLOPE_STEP, MAX_STEP,    SHARED_PLANES};
static const double CELLS[] = {NEAR_CELLS, 0x1p27,     ASIDE_CELLS, WORD_CELLS,
                               0x1p32,     EVEN_CELLS, EVEN_INDEX,  DOMAIN_CELLS};

/* Chooses the counts of a grid of up to `most` samples. */
static void draw_counts(struct random *random, perlane_grid *grid, size_t most) {
  size_t left = random_below(random, 3) ? most : beside(random, WHOLES, COUNT_OF(WHOLES));
  int order[PERLANE_MAX_DIMS] = {0, 1, 2, 3};
  shuffle_axes(random, order, grid->dims);
  for (int i = 0; i < grid->dims; i++) {
    const size_t side = beside(random, SIDES, COUNT_OF(SIDES));
    const size_t count = i + 1 == grid->dims && left < most ? left : side;
    grid->count[order[i]] = count < left ? count : left;
    left /= grid->count[order[i]];
  }
  pack(grid);
}

/* Chooses the positions along an axis; `frequency` is that of one of the octaves. */
static void draw_axis(struct random *random, perlane_grid *grid, int a, double frequency) {
  const int sign = random_below(random, 2) ? 1 : -1;
  const double count = (double)grid->count[a];
  double cells = STEPS[random_below(random, COUNT_OF(STEPS))];
  if (random_below(random, 2))
    cells *= random_below(random, 2) ? 1 + 0x1p-40 : 1 - 0x1p-40;
  else
    cells = random_between(random, 0.001, 3);
  double *const origin = &grid->origin[a], *const step = &grid->step[a];
  *step = sign * cells / frequency;
  switch (random_below(random, 9)) {
  case 0: /* a mirrored map */
    *origin = -0.0;
    *step = -fabs(*step);
    grid->first[a] = random_below(random, 2) ? 0 : -(int64_t)random_below(random, grid->count[a]);
    break;
  case 1: /* from near to far, or in words of other sizes */
  case 2: {
    const double at = CELLS[random_below(random, COUNT_OF(CELLS))] / frequency;
    const double sides[] = {at, nextafter(at, 0), nextafter(at, INFINITY)};
    *origin = sides[random_below(random, 3)] * (random_below(random, 2) ? 1 : -1);
    if (random_below(random, 2))
      *origin -= *step * floor(count * random_unit(random));
    break;
  }
  case 3: /* indices that no double holds */
  case 4: {
    const int e = 50 + (int)random_below(random, 14); /* 63: as far as there are any */
    const int64_t first =
        e == 63 ? INT64_MAX - (int64_t)grid->count[a] + 1
                : (INT64_C(1) << e) - (int64_t)random_below(random, grid->count[a] + 2);
    grid->first[a] = sign * first - (sign < 0 ? (int64_t)grid->count[a] : 0);
    if (random_below(random, 2))
      *origin = -(double)grid->first[a] * *step;
    else
      *step = ldexp(random_between(random, 1, 2), (int)random_below(random, 50)) / frequency /
              (double)first;
    break;
  }
  case 5: /* products and sums that round to many cells */
    grid->first[a] = sign * (INT64_C(1000000007) + (int64_t)random_below(random, 1000));
    *step = ldexp(1, 40 + (int)random_below(random, 26)) / frequency / 1000000007;
    if (random_below(random, 2))
      *origin = -(double)grid->first[a] * *step;
    break;
  case 6: /* one end near the origin, the other far from it */
    *step = ldexp(random_between(random, 1, 2), 26 + (int)random_below(random, 25)) / frequency /
            (sign * count);
    if (random_below(random, 2))
      *origin = (1 - count) * *step;
    break;
  default:
    *origin = random_between(random, -1e4, 1e4) / frequency;
    grid->first[a] = (int64_t)random_below(random, 2001) - 1000;
  }
}

/* A field of any frequency, whose number of octaves is at a limit. */
static perlane_params draw_params(struct random *random, int dims) {
  static const double FREQUENCIES[] = {0x1p-40, 0x1p60, 1e-200, 1e150};
  perlane_params params = random_params(random, dims);
  if (random_below(random, 4) == 0)
    set_frequency(&params, FREQUENCIES[random_below(random, COUNT_OF(FREQUENCIES))]);
  if (random_below(random, 2)) {
    const size_t octaves = beside(random, OCTAVES, COUNT_OF(OCTAVES));
    params.octaves = (int32_t)octaves;
    if (octaves > 8)
      params.lacunarity = random_between(random, 1, 1.5);
  }
  make_valid(&params, dims);
  return params;
}

static int is_slow(const perlane_params *params) {
  return params->basis == PERLANE_BASIS_CELLULAR || params->warp_amplitude != 0 ||
         params->valleys != 0 || params->octaves > 8;
}

static void random_draws(void **state) {
  (void)state;
  static _Alignas(64) unsigned char work[PERLANE_WORK_BYTES + 1024];
  struct random random = random_start("random draws");
  const size_t cases = effort(900);
  size_t agreed = 0;
  for (size_t c = 0; c < cases; c++) {
    const int dims = 1 + (int)random_below(&random, PERLANE_MAX_DIMS);
    const perlane_params params = draw_params(&random, dims);
    const perlane_noise noise = noise_of(&params);
    perlane_grid grid = grid_of(dims, (size_t[]){1, 1, 1, 1});
    draw_counts(&random, &grid, is_slow(&params) ? 1200 : 6000);
    for (int a = 0; a < dims; a++)
      draw_axis(&random, &grid, a,
                random_below(&random, 2)
                    ? noise.highest_frequency
                    : noise.octave[random_below(&random, (uint64_t)noise.octaves)].frequency);
    if (random_below(&random, 3) == 0)
      grid.octaves =
          1 + (int32_t)random_below(&random, (uint64_t)(noise.octaves + noise.valley_octaves));
    if (random_below(&random, 2)) {
      const size_t lines = beside(&random, BYTES_OF_WORK, COUNT_OF(BYTES_OF_WORK)) / 64;
      grid.work_bytes = 64 * (random_below(&random, 4) ? lines + random_below(&random, 5)
                                                       : random_below(&random, lines + 1));
      grid.work = work;
    }
    agreed += (size_t)agree(&random, &params, &grid);
  }
  print_message("%zu of %zu draws are within their fields' domains\n", agreed, cases);
  assert_true(agreed >= cases / 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mirrored_and_far),          cmocka_unit_test(leaping_steps),
      cmocka_unit_test(rows_of_displacements),     cmocka_unit_test(rivers_of_fewer_octaves),
      cmocka_unit_test(tiles_of_several_networks), cmocka_unit_test(random_draws),
  };
  return cmocka_run_group_tests_name("joints", tests, NULL, NULL);
}
