/* SPDX-License-Identifier: MIT
 *
 * Cellular noise: distances that are known where all points are at the centres of their cells, the
 * nearest of all points where a search of the next cells only would miss it, and distances to
 * borders.
 */
#include "calls.h"
#include "perlane_expression.h"

#include <math.h>
#include <stdlib.h>

static perlane_params cells_of(perlane_cell_metric metric, perlane_cell_output output) {
  perlane_params params = perlane_params_default();
  params.basis = PERLANE_BASIS_CELLULAR;
  params.frequency = 1;
  params.phase = PERLANE_PHASE_NONE;
  params.normalize = PERLANE_NORMALIZE_NONE;
  params.cell_metric = (int32_t)metric;
  params.cell_output = (int32_t)output;
  return params;
}

static double length_of(perlane_cell_metric metric, int dims, const double *d) {
  double squares = 0, sum = 0, most = 0;
  for (int a = 0; a < dims; a++) {
    squares += d[a] * d[a];
    sum += fabs(d[a]);
    most = fmax(most, fabs(d[a]));
  }
  switch (metric) {
  case PERLANE_CELL_METRIC_SQUARED:
    return squares;
  case PERLANE_CELL_METRIC_MANHATTAN:
    return sum;
  case PERLANE_CELL_METRIC_CHEBYSHEV:
    return most;
  case PERLANE_CELL_METRIC_EUCLIDEAN:
  case PERLANE_CELL_METRIC_COUNT:
    break;
  }
  return sqrt(squares);
}

/* Without jitter every cell has its point at its centre: the nearest is the cell's own, and the
 * second is along the axis on which the position is farthest from the centre. */
static void regular_points(void **state) {
  (void)state;
  struct random random = random_start("regular points");
  for (size_t c = 0; c < effort(4000); c++) {
    const int dims = 1 + (int)random_below(&random, 3);
    const perlane_cell_metric metric =
        (perlane_cell_metric)random_below(&random, PERLANE_CELL_METRIC_COUNT);
    double position[3], first[3] = {0}, second[3];
    int farthest = 0;
    for (int a = 0; a < dims; a++) { /* fractions that are exact, and apart from ties */
      const double cell = floor(random_between(&random, -1e6, 1e6));
      first[a] = (double)((int)random_below(&random, 4095) - 2047) * 0x1p-12;
      position[a] = cell + 0.5 + first[a];
      farthest = fabs(first[a]) > fabs(first[farthest]) ? a : farthest;
    }
    memcpy(second, first, sizeof second);
    second[farthest] = 1 - fabs(first[farthest]);
    const double F1 = length_of(metric, dims, first), F2 = length_of(metric, dims, second);
    const double expected[] = {F1, F2, F2 - F1, 0, 0.5 - fabs(first[farthest])};
    for (int output = 0; output < PERLANE_CELL_OUTPUT_COUNT; output++) {
      if (output == PERLANE_CELL_OUTPUT_VALUE ||
          (output == PERLANE_CELL_OUTPUT_EDGE && metric != PERLANE_CELL_METRIC_EUCLIDEAN))
        continue;
      perlane_params params = cells_of(metric, (perlane_cell_output)output);
      params.jitter = 0;
      params.seed = random_word(&random);
      const perlane_noise noise = noise_of(&params);
      const double value = (double)perlane_at(&noise, dims, position);
      if (metric == PERLANE_CELL_METRIC_CHEBYSHEV && output != PERLANE_CELL_OUTPUT_F1)
        assert_true(value <= expected[output] + 1e-6); /* a diagonal cell may be as near */
      else
        assert_true(fabs(value - expected[output]) <= 4e-7);
    }
  }
}

static uint32_t dot16(uint32_t a, uint32_t b) {
  return (uint32_t)((int16_t)a * (int16_t)b) + (uint32_t)((int16_t)(a >> 16) * (int16_t)(b >> 16));
}

/* Sets the point of a cell within 2^31 of the origin (docs/specification.md, 2.4, 2.10, 2.15). */
static void point_of(const perlane_noise *noise, int dims, const int64_t *cell, double *point) {
  static const uint32_t multiplier[3] = {0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35};
  static const int bits[4] = {0, 24, 16, 11};
  uint32_t h = 0;
  for (int a = 0; a < dims; a++) {
    const uint32_t v = (uint32_t)cell[a] * multiplier[a] + noise->octave[0].key[a];
    h += dot16(v, 0x2C1B3C6D) ^ v;
  }
  h = (h ^ h >> 16) * 0x7FEB352D;
  h = (h ^ h >> 15) * 0x846CA68B;
  h ^= h >> 16;
  const uint32_t field[3] = {h >> (32 - bits[dims]), dims == 2 ? h & 0xFFFF : h >> 10 & 0x7FF,
                             h & 0x7FF};
  for (int a = 0; a < dims; a++)
    point[a] = 0.5 + noise->params.jitter * (ldexp(field[a] + 0.5, -bits[dims]) - 0.5);
}

enum { MAX_REACH = 4, MAX_AROUND = 9 * 9 * 9 };

/* The vectors to the points of the cells up to `reach` away from a position, and the nearest. */
struct around {
  int count, nearest;
  double d[MAX_AROUND][3], square[MAX_AROUND];
};

static void look_around(const perlane_noise *noise, int dims, const double *position, int reach,
                        struct around *to) {
  const int width = 2 * reach + 1;
  to->count = width * (dims > 1 ? width : 1) * (dims > 2 ? width : 1);
  to->nearest = 0;
  for (int i = 0; i < to->count; i++) {
    int64_t cell[3] = {0};
    double point[3];
    for (int a = 0, rest = i; a < dims; a++, rest /= width)
      cell[a] = (int64_t)floor(position[a]) + rest % width - reach;
    point_of(noise, dims, cell, point);
    for (int a = 0; a < dims; a++)
      to->d[i][a] = (double)cell[a] - position[a] + point[a];
    to->square[i] = length_of(PERLANE_CELL_METRIC_SQUARED, dims, to->d[i]);
    if (to->square[i] < to->square[to->nearest])
      to->nearest = i;
  }
}

/* Returns a distance over the cells up to `reach` away only. */
static double nearest_within(const perlane_noise *noise, int dims, const double *position,
                             int reach) {
  static struct around around;
  double best[2] = {INFINITY, INFINITY};
  look_around(noise, dims, position, reach, &around);
  for (int i = 0; i < around.count; i++) {
    const double length =
        length_of((perlane_cell_metric)noise->params.cell_metric, dims, around.d[i]);
    best[1] = fmin(best[1], fmax(best[0], length));
    best[0] = fmin(best[0], length);
  }
  return best[noise->params.cell_output == PERLANE_CELL_OUTPUT_F2];
}

/* Searches a field for a position whose nearest points are not within `reach` cells, and checks
 * that the library finds them nevertheless. Returns by how much the short search would be wrong. */
static double beyond_reach(perlane_cell_metric metric, perlane_cell_output output, int dims,
                           int reach, size_t tries) {
  struct random random = random_seeded(99);
  perlane_params params = cells_of(metric, output);
  const perlane_noise noise = noise_of(&params);
  double worst = 0;
  for (size_t i = 0; i < tries; i++) {
    double position[3];
    for (int a = 0; a < dims; a++) /* next to a corner of the cell, where others are nearest */
      position[a] =
          floor(random_between(&random, -1e5, 1e5)) + (random_below(&random, 2) ? 0.0625 : 0.9375);
    const double value = (double)perlane_at(&noise, dims, position);
    const double found = nearest_within(&noise, dims, position, reach);
    if (found - value < 1e-5)
      continue;
    const double all = nearest_within(&noise, dims, position, MAX_REACH);
    assert_true(fabs(value - all) <= 1e-6);
    worst = fmax(worst, found - value);
  }
  return worst;
}

/* The farthest cell that may matter is two away, or three in 3D with Manhattan's distance. */
static void nearest_of_all_points(void **state) {
  (void)state;
  static const struct {
    perlane_cell_metric metric;
    perlane_cell_output output;
    int dims, reach;
    size_t tries;
    double at_least; /* by how much a search of `reach` is wrong */
  } CASES[] = {
      {PERLANE_CELL_METRIC_EUCLIDEAN, PERLANE_CELL_OUTPUT_F1, 2, 1, 400000, 0.001},
      {PERLANE_CELL_METRIC_EUCLIDEAN, PERLANE_CELL_OUTPUT_F2, 2, 1, 50000, 0.01},
      {PERLANE_CELL_METRIC_MANHATTAN, PERLANE_CELL_OUTPUT_F1, 2, 1, 50000, 0.01},
      {PERLANE_CELL_METRIC_MANHATTAN, PERLANE_CELL_OUTPUT_F2, 2, 1, 50000, 0.01},
      {PERLANE_CELL_METRIC_EUCLIDEAN, PERLANE_CELL_OUTPUT_F2, 3, 1, 20000, 0.001},
      {PERLANE_CELL_METRIC_MANHATTAN, PERLANE_CELL_OUTPUT_F2, 3, 1, 20000, 0.01},
  };
  for (size_t i = 0; i < COUNT_OF(CASES); i++) {
    const double worst = beyond_reach(CASES[i].metric, CASES[i].output, CASES[i].dims,
                                      CASES[i].reach, CASES[i].tries);
    print_message("%dD, metric %d, output %d: cells up to %d away would be wrong by %.3g\n",
                  CASES[i].dims, (int)CASES[i].metric, (int)CASES[i].output, CASES[i].reach, worst);
    assert_true(worst >= CASES[i].at_least);
  }
}

/* ---- Borders ---- */

/* Returns the distance to the border with another of the points. */
static double border_with(const struct around *around, int dims, int i) {
  const int n = around->nearest;
  double apart = 0;
  for (int a = 0; a < dims; a++)
    apart += (around->d[i][a] - around->d[n][a]) * (around->d[i][a] - around->d[n][a]);
  return (around->square[i] - around->square[n]) / (2 * sqrt(apart));
}

/* Distances to borders are those of a search of 7^D cells in double. In float, components of
 * vectors of up to 2.5 cells are within 2^-22 of theirs, and so are products with unit vectors; a
 * position that is as close as that to two points' border may be taken for one on its other side,
 * where the distance is 0. */
static void borders(void **state) {
  (void)state;
  static struct around around;
  struct random random = random_start("borders");
  enum { LIST = 100 };
  static double coordinate[3][LIST];
  static float value[LIST], reference[LIST];
  double worst = 0;
  for (size_t c = 0; c < 100 + effort(900); c++) {
    const int dims = 1 + (int)(c % 3);
    perlane_params params = cells_of(PERLANE_CELL_METRIC_EUCLIDEAN, PERLANE_CELL_OUTPUT_EDGE);
    params.seed = random_word(&random);
    params.jitter = c % 2 ? 1 : random_unit(&random);
    const perlane_noise noise = noise_of(&params);
    float low, high;
    assert_ok(perlane_range(&noise, dims, &low, &high));
    for (int i = 0; i < LIST; i++)
      for (int a = 0; a < dims; a++)
        coordinate[a][i] = floor(random_between(&random, -1e6, 1e6)) +
                           (double)random_below(&random, 1 << 24) * 0x1p-24;
    const double *const coordinates[3] = {coordinate[0], coordinate[1], coordinate[2]};
    assert_ok(points_of_doubles(&noise, dims, LIST, coordinates, value, NULL));
    force(PERLANE_ISA_SCALAR); /* which searches fewer cells, too */
    assert_ok(points_of_doubles(&noise, dims, LIST, coordinates, reference, NULL));
    force(PERLANE_ISA_AUTO);
    assert_memory_equal(value, reference, sizeof value);
    for (int i = 0; i < LIST; i++) {
      const double position[3] = {coordinate[0][i], coordinate[1][i], coordinate[2][i]};
      look_around(&noise, dims, position, 3, &around);
      double expected = INFINITY;
      for (int k = 0; k < around.count; k++)
        if (k != around.nearest)
          expected = fmin(expected, border_with(&around, dims, k));
      const double error = fabs((double)value[i] - expected);
      assert_true(value[i] >= low && value[i] <= high);
      if (value[i] != 0)
        worst = fmax(worst, error);
      assert_true(error <= 6e-7 || (value[i] == 0 && expected <= 1e-4));
    }
  }
  print_message("largest error of distances to borders: %.2g cells\n", worst);
}

/* ---- Identity ---- */

enum { MOST = 6000, ARRAYS = 7 };
static float found[2][ARRAYS][MOST];

static perlane_cells arrays_in(float to[ARRAYS][MOST]) {
  return (perlane_cells){.id = (uint32_t *)(void *)to[0],
                         .offset = {to[1], to[2], to[3]},
                         .f1 = to[4],
                         .f2 = to[5],
                         .edge = to[6]};
}

static perlane_params random_cellular(struct random *random, int dims) {
  perlane_params params = random_params(random, dims);
  while (params.basis != PERLANE_BASIS_CELLULAR)
    params = random_params(random, dims);
  return params;
}

static void cells_of_all_kernels(void **state) {
  (void)state;
  struct random random = random_start("cells of all kernels");
  for (size_t c = 0; c < effort(120); c++) {
    const int dims = 1 + (int)(c % 3);
    const perlane_params params = random_cellular(&random, dims);
    compare_random_cells(&random, &params, dims);
  }
}

/* Cells are those of the seed, the grid's or the noise's, and of any number of octaves. */
static void cells_of_seeds_and_octaves(void **state) {
  (void)state;
  struct random random = random_start("cells of seeds and octaves");
  for (size_t c = 0; c < effort(120); c++) {
    const int dims = 1 + (int)(c % 3);
    const perlane_params params = random_cellular(&random, dims);
    const perlane_noise noise = noise_of(&params);
    perlane_noise other = noise;
    assert_ok(perlane_reseed(&other, random_word(&random)));
    assert_ok(perlane_limit_octaves(&other, 1 + (int32_t)random_below(&random, 4)));
    perlane_grid grid = perlane_grid_make(50, dims > 1 ? 10 : 0, dims > 2 ? 3 : 0, 0);
    for (int a = 0; a < dims; a++)
      grid.step[a] = random_between(&random, 0.001, 2) / params.frequency;
    if (perlane_grid_check(&noise, &grid) != PERLANE_OK)
      continue;
    perlane_cells expected = arrays_in(found[0]), actual = arrays_in(found[1]);
    if (params.cell_metric != PERLANE_CELL_METRIC_EUCLIDEAN)
      expected.edge = actual.edge = NULL;
    const int seeded = (int)random_below(&random, 2);
    perlane_grid own = grid;
    own.octaves = (int32_t)random_below(&random, 4);
    own.has_seed = seeded;
    own.seed = params.seed;
    if (!seeded)
      assert_ok(perlane_reseed(&other, params.seed));
    memset(found, 0x55, sizeof found);
    force_any(&random);
    assert_ok(perlane_fill_cells(&noise, &grid, &expected));
    assert_ok(perlane_fill_cells(&other, &own, &actual));
    assert_memory_equal(found[0], found[1], sizeof found[0]);
    assert_ok(perlane_reseed(&other, params.seed));
    float place[3][70];
    for (int i = 0; i < 3 * 70; i++)
      place[i / 70][i % 70] = (float)(random_between(&random, -99, 99) / params.frequency);
    const float *const coords[3] = {place[0], place[1], place[2]};
    assert_ok(cells_of_list(&noise, dims, 70, NULL, coords, &expected));
    assert_ok(cells_of_list(&other, dims, 70, NULL, coords, &actual));
    assert_memory_equal(found[0], found[1], sizeof found[0]);
  }
  force(PERLANE_ISA_AUTO);
}

/* All samples of a region have its id, and offsets to the same point; the distances are those of
 * the field's own outputs. */
static void cells_have_points(void **state) {
  (void)state;
  static float value[MOST], x_list[MOST], y_list[MOST];
  const float *const list[2] = {x_list, y_list};
  for (int i = 0; i < MOST; i++) {
    x_list[i] = (float)(i % 75);
    y_list[i] = (float)(i / 75);
  }
  for (int warped = 0; warped < 3; warped++) { /* by how many rounds */
    perlane_params params = cells_of(PERLANE_CELL_METRIC_EUCLIDEAN, PERLANE_CELL_OUTPUT_F1);
    params.frequency = 0.11;
    params.warp_amplitude = warped ? 4 : 0;
    params.warp_rounds = warped > 1 ? warped : 1;
    const perlane_noise noise = noise_of(&params);
    const perlane_grid grid = perlane_grid_make(75, 80, 0, 0);
    const perlane_cells cells = arrays_in(found[0]), of_list = arrays_in(found[1]);
    assert_ok(perlane_fill_cells(&noise, &grid, &cells));
    assert_ok(cells_of_list(&noise, 2, MOST, NULL, list, &of_list));
    assert_memory_equal(found[0], found[1], sizeof found[0]);
    const struct {
      perlane_cell_output output;
      const float *array;
    } outputs[] = {{PERLANE_CELL_OUTPUT_F1, cells.f1},
                   {PERLANE_CELL_OUTPUT_F2, cells.f2},
                   {PERLANE_CELL_OUTPUT_EDGE, cells.edge}};
    for (int j = 0; j < 3; j++) {
      params.cell_output = (int32_t)outputs[j].output;
      const perlane_noise field = noise_of(&params);
      assert_ok(perlane_fill(&field, &grid, value));
      assert_memory_equal(value, outputs[j].array, sizeof value);
    }
    int same = 0;
    for (int i = 0; i < MOST; i++) {
      const double x = i % 75 + (double)cells.offset[0][i], y = i / 75 + (double)cells.offset[1][i];
      if (!warped) {
        const double distance = hypot((double)cells.offset[0][i], (double)cells.offset[1][i]);
        assert_true(fabs(distance * params.frequency - (double)cells.f1[i]) < 1e-6);
        assert_true(cells.f2[i] >= cells.f1[i]);
        /* At the point itself, its id is the nearest, at no distance. */
        const float at[2] = {(float)x, (float)y}, *const coords[2] = {&at[0], &at[1]};
        uint32_t id;
        float distance_there;
        const perlane_cells there = {.id = &id, .f1 = &distance_there};
        assert_ok(cells_of_list(&noise, 2, 1, NULL, coords, &there));
        assert_true(id == cells.id[i] && distance_there < 2e-6f);
      }
      for (int k = i + 1; k < MOST && k < i + 5; k++)
        if (cells.id[i] == cells.id[k]) {
          same++;
          assert_true(fabs(x - (k % 75 + (double)cells.offset[0][k])) < 2e-5);
          assert_true(fabs(y - (k / 75 + (double)cells.offset[1][k])) < 2e-5);
        }
    }
    assert_true(same > MOST);
  }
}

static void cells_refuse(void **state) {
  (void)state;
  const perlane_params cellular = cells_of(PERLANE_CELL_METRIC_EUCLIDEAN, PERLANE_CELL_OUTPUT_F1);
  const perlane_params other = perlane_params_default();
  const perlane_noise noise = noise_of(&cellular), none = noise_of(&other);
  static const perlane_noise raw;
  const perlane_grid grid = perlane_grid_make(3, 3, 0, 0), four = perlane_grid_make(1, 1, 1, 1);
  perlane_grid empty = grid;
  empty.count[1] = 0;
  const perlane_cells nothing = {0}, later = {.reserved = {&empty}};
  const float x = 1, *const coords[4] = {&x, &x, &x, &x}, *const hole[4] = {&x, NULL, NULL, NULL};
  assert_refused(NULL, perlane_fill_cells(NULL, &grid, &nothing));
  assert_refused(NULL, perlane_fill_cells(&noise, NULL, &nothing));
  assert_refused(NULL, perlane_fill_cells(&noise, &grid, NULL));
  assert_refused(NOISE, perlane_fill_cells(&raw, &grid, &nothing));
  assert_refused(NO_CELLS, perlane_fill_cells(&none, &grid, &nothing));
  assert_refused(FIELD_DIMS, perlane_fill_cells(&noise, &four, &nothing));
  assert_refused(COUNT, perlane_fill_cells(&noise, &empty, &nothing));
  assert_refused(LAYOUT, perlane_fill_cells(&noise, &grid, &later));
  assert_ok(perlane_fill_cells(&noise, &grid, &nothing));
  const perlane_params flat = cells_of(PERLANE_CELL_METRIC_MANHATTAN, PERLANE_CELL_OUTPUT_F1);
  const perlane_noise borderless = noise_of(&flat);
  const perlane_cells borders = {.edge = found[0][0]};
  assert_refused(NO_CELLS, perlane_fill_cells(&borderless, &grid, &borders));
  assert_refused(NO_CELLS, cells_of_list(&borderless, 2, 1, NULL, coords, &borders));
  assert_refused(NULL, cells_of_list(NULL, 2, 1, NULL, coords, &nothing));
  assert_refused(NULL, cells_of_list(&noise, 2, 1, NULL, NULL, &nothing));
  assert_refused(NULL, cells_of_list(&noise, 2, 1, NULL, hole, &nothing));
  assert_refused(NULL, cells_of_list(&noise, 2, 1, NULL, coords, NULL));
  assert_refused(NOISE, cells_of_list(&raw, 2, 1, NULL, coords, &nothing));
  assert_refused(NO_CELLS, cells_of_list(&none, 2, 1, NULL, coords, &nothing));
  assert_refused(LAYOUT, cells_of_list(&noise, 2, 1, NULL, coords, &later));
  assert_refused(DIMS, cells_of_list(&noise, 5, 1, NULL, coords, &nothing));
  assert_refused(FIELD_DIMS, cells_of_list(&noise, 4, 1, NULL, coords, &nothing));
  assert_refused(COUNT, cells_of_list(&noise, 2, SIZE_MAX / 4, NULL, coords, &nothing));
  assert_ok(cells_of_list(&noise, 2, 0, NULL, NULL, NULL));
  assert_ok(cells_of_list(&noise, 2, 1, NULL, coords, &nothing));
}

/* ---- Points in boxes ---- */

enum { MOST_SCATTERED = 20000, PROBES = 50 };

struct point {
  double position[3];
  uint32_t id;
  float number;
};

static int in_order(const void *a, const void *b) {
  return memcmp(a, b, sizeof(struct point));
}

/* Stores the points of a box behind `begin` others, and returns how many there are then. */
static size_t scatter(const perlane_noise *noise, int dims, const double *low, const double *high,
                      struct point *points, size_t begin) {
  static double position[3][MOST_SCATTERED];
  static uint32_t id[MOST_SCATTERED];
  static float number[MOST_SCATTERED];
  double *const axes[3] = {position[0], position[1], position[2]};
  uint64_t count = 0, counted = 0;
  assert_ok(perlane_scatter(noise, dims, low, high, MOST_SCATTERED, axes, id, number, &count));
  assert_ok(perlane_scatter(noise, dims, low, high, 0, NULL, NULL, NULL, &counted));
  assert_int_equal(count, counted);
  assert_true(begin + count <= MOST_SCATTERED);
  for (size_t i = 0; i < count; i++) {
    struct point *point = &points[begin + i];
    memset(point, 0, sizeof *point);
    for (int a = 0; a < dims; a++)
      point->position[a] = position[a][i];
    point->id = id[i];
    point->number = number[i];
  }
  return begin + (size_t)count;
}

static size_t first_with(const struct point *points, size_t n, uint32_t id) {
  size_t i = 0;
  while (i < n && points[i].id != id)
    i++;
  return i;
}

/* At its position each point is the nearest, with its id and its number; the nearest point of any
 * position is among those of a box that has it; boxes cut in two have the same points. */
static void points_in_boxes(void **state) {
  (void)state;
  static struct point whole[MOST_SCATTERED], parts[MOST_SCATTERED];
  struct random random = random_start("points in boxes");
  for (size_t c = 0; c < effort(600); c++) {
    const int dims = 1 + (int)random_below(&random, 3);
    perlane_params params = cells_of(PERLANE_CELL_METRIC_EUCLIDEAN, PERLANE_CELL_OUTPUT_VALUE);
    params.seed = random_word(&random);
    params.phase = (int32_t)random_below(&random, PERLANE_PHASE_COUNT);
    params.frequency = random_between(&random, 0.01, 20);
    params.jitter = random_below(&random, 4) ? 1 : random_between(&random, 0, 1);
    for (int a = 0; a < dims; a++)
      params.period[a] = random_below(&random, 3) ? 0 : 1 + (int32_t)random_below(&random, 9);
    const perlane_noise noise = noise_of(&params);
    const int is_far = random_below(&random, 4) == 0;
    const double reach = is_far ? 0x1p53 : random_below(&random, 2) ? 20 : 0x1p26;
    double low[3], high[3], middle[3], probe[3];
    for (int a = 0; a < dims; a++) {
      low[a] = random_between(&random, -reach, reach) * 0.99 / params.frequency;
      high[a] = low[a] + random_between(&random, 0, dims == 3 ? 9 : 30) / params.frequency;
      middle[a] = high[a];
    }
    const size_t n = scatter(&noise, dims, low, high, whole, 0);
    const int cut = (int)random_below(&random, (uint32_t)dims);
    middle[cut] = random_below(&random, 3) && n > 0
                      ? whole[random_below(&random, (uint32_t)n)].position[cut]
                      : random_between(&random, low[cut], high[cut]);
    size_t m = scatter(&noise, dims, low, middle, parts, 0);
    const double kept = low[cut];
    low[cut] = middle[cut];
    m = scatter(&noise, dims, low, high, parts, m);
    low[cut] = kept;
    assert_int_equal(n, m);
    for (int i = 0; i < PROBES && n > 0 && !is_far; i++) {
      const struct point *point = &whole[random_below(&random, (uint32_t)n)];
      const double *const coords64[3] = {&point->position[0], &point->position[1],
                                         &point->position[2]};
      const perlane_list list = {
          .dims = dims, .count = 1, .coords64 = {coords64[0], coords64[1], coords64[2]}};
      uint32_t id;
      float distance;
      const perlane_cells there = {.id = &id, .f1 = &distance};
      assert_ok(perlane_points_cells(&noise, &list, &there));
      assert_true(id == point->id && distance < 1e-6f); /* roundings of 2^-24, and of 2^26 cells */
      const float value = perlane_at(&noise, dims, point->position);
      assert_memory_equal(&value, &point->number, sizeof value);
    }
    for (int i = 0; i < PROBES && !is_far; i++) {
      const double *const coords64[3] = {&probe[0], &probe[1], &probe[2]};
      const perlane_list list = {
          .dims = dims, .count = 1, .coords64 = {coords64[0], coords64[1], coords64[2]}};
      uint32_t id;
      float offset[3];
      const perlane_cells there = {.id = &id, .offset = {&offset[0], &offset[1], &offset[2]}};
      int is_inside = 1;
      for (int a = 0; a < dims; a++)
        probe[a] = random_between(&random, low[a], high[a]);
      assert_ok(perlane_points_cells(&noise, &list, &there));
      for (int a = 0; a < dims; a++) { /* by more than the offset is rounded */
        const double at = probe[a] + (double)offset[a], margin = 1e-5 / params.frequency;
        is_inside &= at > low[a] + margin && at < high[a] - margin;
      }
      assert_true(!is_inside || first_with(whole, n, id) < n);
    }
    qsort(whole, n, sizeof *whole, in_order);
    qsort(parts, m, sizeof *parts, in_order);
    assert_memory_equal(whole, parts, n * sizeof *whole);
    for (size_t i = 0; i < n; i++)
      for (int a = 0; a < dims; a++)
        assert_true(whole[i].position[a] >= low[a] && whole[i].position[a] < high[a]);
    for (int i = 0; i < PROBES && n > 0; i++) { /* boxes of one double each, less than a rounding */
      const struct point *point = &whole[random_below(&random, (uint32_t)n)];
      double beyond[3];
      for (int a = 0; a < dims; a++)
        beyond[a] = nextafter(point->position[a], (double)INFINITY);
      const size_t end = scatter(&noise, dims, point->position, beyond, parts, 0);
      assert_true(first_with(parts, end, point->id) < end);
    }
    if (!is_far && n > 0) { /* as many as cells, but for those at the border */
      double cells = 1, inner = 1;
      for (int a = 0; a < dims; a++) {
        const double side = (high[a] - low[a]) * params.frequency;
        cells *= side + 2;
        inner *= side > 2 ? side - 2 : 0;
      }
      assert_true((double)n <= cells && (double)n >= inner);
    }
  }
}

/* Positions have the roundings of 2.15: those in cell 0 are a whole number of units from the start.
 */
static void scatter_rounds(void **state) {
  (void)state;
  static struct point point[1];
  perlane_params params = cells_of(PERLANE_CELL_METRIC_EUCLIDEAN, PERLANE_CELL_OUTPUT_VALUE);
  params.phase = PERLANE_PHASE_NONE;
  params.frequency = 1;
  params.jitter = 0.7;
  const volatile float unit = (float)(0.7 * 0x1p-16), start = (float)(0.5 + 0.7 * (0x1p-17 - 0.5));
  for (params.seed = 0; params.seed < 20; params.seed++) {
    const perlane_noise noise = noise_of(&params);
    assert_int_equal(scatter(&noise, 2, (const double[]){0, 0}, (const double[]){1, 1}, point, 0),
                     1);
    for (int a = 0; a < 2; a++) {
      const double i = rint((point->position[a] - (double)start) / (double)unit);
      assert_true(point->position[a] == i * (double)unit + (double)start);
    }
  }
}

static void scatter_refuses(void **state) {
  (void)state;
  perlane_params params = cells_of(PERLANE_CELL_METRIC_EUCLIDEAN, PERLANE_CELL_OUTPUT_F1);
  const perlane_params other = perlane_params_default();
  const perlane_noise noise = noise_of(&params), none = noise_of(&other);
  params.warp_amplitude = 1;
  const perlane_noise warped = noise_of(&params);
  static const perlane_noise raw;
  static perlane_noise expression;
  const char *const name = "a";
  const perlane_noise *const field = &noise;
  assert_ok(perlane_expression_init(&expression, "a + 1", 1, &name, &field));
  const double low[4] = {0, 0, 0, 0}, high[4] = {3, 3, 3, 3};
  const double wide[4] = {0x1p21, 0x1p21, 0, 0}, outside[4] = {0, 0x1.1p53, 0, 0};
  const double infinite[4] = {0, (double)INFINITY, 0, 0}, nan[4] = {(double)NAN, 0, 0, 0};
  uint64_t count = 77;
#define SCATTER(noise, dims, low, high)                                                            \
  perlane_scatter(noise, dims, low, high, 0, NULL, NULL, NULL, &count)
  assert_refused(NULL, SCATTER(NULL, 2, low, high));
  assert_refused(NULL, SCATTER(&noise, 2, NULL, high));
  assert_refused(NULL, SCATTER(&noise, 2, low, NULL));
  assert_refused(NULL, perlane_scatter(&noise, 2, low, high, 0, NULL, NULL, NULL, NULL));
  assert_refused(NOISE, SCATTER(&raw, 2, low, high));
  assert_refused(DIMS, SCATTER(&noise, 0, low, high));
  assert_refused(DIMS, SCATTER(&noise, 5, low, high));
  assert_refused(FIELD_DIMS, SCATTER(&noise, 4, low, high));
  assert_refused(NO_CELLS, SCATTER(&none, 2, low, high));
  assert_refused(NO_CELLS, SCATTER(&warped, 2, low, high));
  assert_refused(NO_CELLS, SCATTER(&expression, 2, low, high));
  assert_refused(RANGE, SCATTER(&noise, 2, low, outside));
  assert_refused(RANGE, SCATTER(&noise, 2, low, infinite));
  assert_refused(RANGE, SCATTER(&noise, 2, nan, high));
  assert_refused(COUNT, SCATTER(&noise, 2, low, wide));
  assert_int_equal(count, 77);
  assert_ok(SCATTER(&noise, 2, high, low));
  assert_int_equal(count, 0);
  static const double flat[2][3] = {{0, -0x1p50, -0x1p50}, {0, 0x1p50, 0x1p50}};
  count = 77; /* at once, however long the other axes are */
  assert_ok(SCATTER(&noise, 3, flat[0], flat[1]));
  assert_int_equal(count, 0);
#undef SCATTER
  double position[2] = {0, 7}, *const axes[2] = {NULL, position};
  uint32_t id[2] = {7, 7};
  float number[2] = {7, 7};
  assert_ok(perlane_scatter(&noise, 2, low, high, 1, axes, id, number, &count));
  assert_true(count > 4 && position[0] > 0 && number[0] < 1);
  assert_true(position[1] == 7 && id[1] == 7 && number[1] == 7); /* as before */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(regular_points),
      cmocka_unit_test(nearest_of_all_points),
      cmocka_unit_test(borders),
      cmocka_unit_test(cells_of_all_kernels),
      cmocka_unit_test(cells_of_seeds_and_octaves),
      cmocka_unit_test(cells_have_points),
      cmocka_unit_test(cells_refuse),
      cmocka_unit_test(points_in_boxes),
      cmocka_unit_test(scatter_rounds),
      cmocka_unit_test(scatter_refuses),
  };
  return cmocka_run_group_tests_name("cells", tests, NULL, NULL);
}
