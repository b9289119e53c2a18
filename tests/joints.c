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

enum { MOST_SAMPLES = 1 << 15, LIST_SAMPLES = 600, CELL_ARRAYS = 7 };

/* What is compared: a field or its first octaves, at the samples of a grid. */
struct draw {
  const perlane_params *params;
  perlane_noise noise;
  perlane_grid grid; /* complete: see grid_of */
  int dims, has_gradient;
  size_t samples;
};

static float expected[5][MOST_SAMPLES], actual[5][MOST_SAMPLES];
static double position[PERLANE_MAX_DIMS][MOST_SAMPLES];

static void print_draw(const struct draw *draw) {
  print_params(draw->params);
  print_message("  %d dims, octaves %d, work memory %zu\n", (int)draw->grid.dims,
                (int)draw->grid.octaves, (size_t)draw->grid.work_bytes);
  for (int a = 0; a < draw->dims; a++)
    print_message("  axis %d: first %lld, count %llu, origin %a, step %a, stride %lld\n", a,
                  (long long)draw->grid.first[a], (unsigned long long)draw->grid.count[a],
                  draw->grid.origin[a], draw->grid.step[a], (long long)draw->grid.stride[a]);
}

/* Fails unless n elements of `size` bytes are equal. */
static void same(const struct draw *draw, const struct perlane_kernels *by, const char *entry,
                 const void *wanted, const void *got, size_t n, size_t size) {
  if (memcmp(wanted, got, n * size) == 0)
    return;
  size_t first = 0, count = 0;
  for (size_t i = n; i-- > 0;)
    if (memcmp((const char *)wanted + i * size, (const char *)got + i * size, size) != 0) {
      first = i;
      count++;
    }
  set_context(" ");
  print_draw(draw);
  uint32_t bits[2] = {0, 0};
  memcpy(&bits[0], (const char *)wanted + first * size, size);
  memcpy(&bits[1], (const char *)got + first * size, size);
  fail_msg("%s by %s: %zu of %zu differ; the first is %zu: %08x, not %08x", entry, by->name, count,
           n, first, bits[1], bits[0]);
}

static void same_floats(const struct draw *draw, const struct perlane_kernels *by,
                        const char *entry, int arrays, size_t n) {
  for (int j = 0; j < arrays; j++)
    same(draw, by, entry, expected[j], actual[j], n, sizeof(float));
}

/* ---- Entries ---- */

static struct perlane_region region_of(const struct draw *draw) {
  struct perlane_region region = {.dims = draw->dims,
                                  .octaves = draw->noise.octaves + draw->noise.valley_octaves,
                                  .work = draw->grid.work,
                                  .work_bytes = (size_t)draw->grid.work_bytes};
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    region.first[a] = draw->grid.first[a];
    region.count[a] = (size_t)draw->grid.count[a];
    region.origin[a] = draw->grid.origin[a];
    region.step[a] = draw->grid.step[a];
    region.stride[a] = (ptrdiff_t)draw->grid.stride[a];
  }
  return region;
}

static struct perlane_output floats_of(float to[5][MOST_SAMPLES], int slopes) {
  struct perlane_output output = {.format = FORMAT_FLOAT, .value = to[0]};
  for (int a = 0; a < slopes; a++)
    output.gradient[a] = to[1 + a];
  return output;
}

/* Fills of the grid, and of two tiles of it. */
static void compare_fills(struct random *random, const struct draw *draw,
                          const struct perlane_kernels *by, const perlane_noise *noise,
                          const char *entry) {
  const struct perlane_region region = region_of(draw);
  for (int slopes = 0; slopes <= draw->dims; slopes += draw->dims) {
    if (slopes > 0 && !draw->has_gradient)
      continue;
    struct perlane_output output = floats_of(actual, slopes);
    memset(actual, 0x55, sizeof actual);
    by->fill(noise, &region, &output);
    same_floats(draw, by, entry, 1 + slopes, draw->samples);
    const int axis = (int)random_below(random, (uint64_t)draw->dims);
    const size_t at = random_below(random, region.count[axis]);
    memset(actual, 0x55, sizeof actual);
    for (int part = 0; part < 2; part++) {
      struct perlane_region tile = region;
      tile.first[axis] += part ? (int64_t)at : 0;
      tile.count[axis] = part ? region.count[axis] - at : at;
      const ptrdiff_t offset = part ? (ptrdiff_t)at * region.stride[axis] : 0;
      output.value = actual[0] + offset;
      for (int a = 0; a < slopes; a++)
        output.gradient[a] = actual[1 + a] + offset;
      if (tile.count[axis] > 0)
        by->fill(noise, &tile, &output);
    }
    same_floats(draw, by, "tiles", 1 + slopes, draw->samples);
  }
}

/* Integers and extremes. */
static void compare_forms(const struct draw *draw, const struct perlane_kernels *by) {
  static uint16_t words[2][MOST_SAMPLES];
  static uint8_t bytes[2][MOST_SAMPLES];
  const struct perlane_region region = region_of(draw);
  float low, high, extremes[2][2] = {{FLT_MAX, -FLT_MAX}};
  assert_int_equal(perlane_range(&draw->noise, draw->dims, &low, &high), PERLANE_OK);
  const float above = high > low ? high - low : 1;
  for (size_t i = 0; i < draw->samples; i++) {
    const float v = expected[0][i];
    assert_true(v >= low && v <= high);
    extremes[0][0] = fminf(extremes[0][0], v);
    extremes[0][1] = fmaxf(extremes[0][1], v);
    const float part = v - low;
    words[0][i] = (uint16_t)rintf(fminf(fmaxf(part * (65535 / above), 0), 65535));
    bytes[0][i] = (uint8_t)rintf(fminf(fmaxf(part * (255 / above), 0), 255));
  }
  extremes[0][0] += 0.0f; /* no zero is negative */
  extremes[0][1] += 0.0f;
  struct perlane_output output = floats_of(actual, 0);
  memset(words[1], 0x55, sizeof words[1]);
  memset(bytes[1], 0x55, sizeof bytes[1]);
  memset(actual, 0x55, sizeof actual);
  output.extremes = extremes[1];
  by->fill(&draw->noise, &region, &output);
  same(draw, by, "extremes", extremes[0], extremes[1], 2, sizeof(float));
  same_floats(draw, by, "values with extremes", 1, draw->samples);
  output = (struct perlane_output){
      .format = FORMAT_U16, .value = words[1], .low = low, .scale = 65535 / above};
  by->fill(&draw->noise, &region, &output);
  same(draw, by, "u16", words[0], words[1], draw->samples, sizeof words[0][0]);
  output = (struct perlane_output){
      .format = FORMAT_U8, .value = bytes[1], .low = low, .scale = 255 / above};
  by->fill(&draw->noise, &region, &output);
  same(draw, by, "u8", bytes[0], bytes[1], draw->samples, sizeof bytes[0][0]);
}

/* Lists of the samples' positions as doubles, packed or apart. */
static void compare_lists(struct random *random, const struct draw *draw,
                          const struct perlane_kernels *by, const perlane_noise *noise,
                          const char *entry) {
  enum { STRIDE = 3 };
  static double apart[PERLANE_MAX_DIMS][STRIDE * LIST_SAMPLES];
  const size_t n = draw->samples < LIST_SAMPLES ? draw->samples : LIST_SAMPLES;
  const int is_apart = (int)random_below(random, 2);
  const double *coords[PERLANE_MAX_DIMS];
  float *gradient[PERLANE_MAX_DIMS];
  for (int a = 0; a < draw->dims; a++) {
    for (size_t i = 0; i < n && is_apart; i++)
      apart[a][STRIDE * i] = position[a][i];
    coords[a] = is_apart ? apart[a] : position[a];
    gradient[a] = actual[1 + a];
  }
  struct perlane_point_list list = {.dims = draw->dims,
                                    .octaves = draw->noise.octaves + draw->noise.valley_octaves,
                                    .n = n,
                                    .coords64 = coords,
                                    .stride = is_apart ? STRIDE : 1,
                                    .out = actual[0]};
  for (int slopes = 0; slopes <= draw->has_gradient; slopes++) {
    list.gradient = slopes ? gradient : NULL;
    memset(actual, 0x55, sizeof actual);
    by->points(noise, &list);
    same_floats(draw, by, entry, slopes ? 1 + draw->dims : 1, n);
  }
}

/* Lists of floats, alone or added to an origin: other positions than the grid's, for which the
 * reference evaluates the same list, once for all kernels. */
static void compare_floats(struct random *random, const struct draw *draw,
                           const struct perlane_kernels *by, int is_first) {
  static float coordinate[PERLANE_MAX_DIMS][LIST_SAMPLES], wanted[5][LIST_SAMPLES];
  const size_t n = draw->samples < LIST_SAMPLES ? draw->samples : LIST_SAMPLES;
  const int has_origin = (int)random_below(random, 2);
  const float *coords[PERLANE_MAX_DIMS];
  float *gradient[2][PERLANE_MAX_DIMS];
  for (int a = 0; a < draw->dims; a++) {
    for (size_t i = 0; i < n; i++)
      coordinate[a][i] = (float)(position[a][i] - (has_origin ? draw->grid.origin[a] : 0));
    coords[a] = coordinate[a];
    gradient[0][a] = wanted[1 + a];
    gradient[1][a] = actual[1 + a];
  }
  struct perlane_point_list list = {.dims = draw->dims,
                                    .octaves = draw->noise.octaves + draw->noise.valley_octaves,
                                    .n = n,
                                    .coords = coords,
                                    .stride = 1,
                                    .origin = has_origin ? draw->grid.origin : NULL};
  list.out = wanted[0];
  list.gradient = draw->has_gradient ? gradient[0] : NULL;
  if (is_first)
    perlane_scalar_kernels.points(&draw->noise, &list);
  list.out = actual[0];
  for (int slopes = 0; slopes <= draw->has_gradient; slopes++) {
    list.gradient = slopes ? gradient[1] : NULL;
    memset(actual, 0x55, sizeof actual);
    by->points(&draw->noise, &list);
    for (int j = 0; j < (slopes ? 1 + draw->dims : 1); j++)
      same(draw, by, "list of floats", wanted[j], actual[j], n, sizeof(float));
  }
}

/* Single values. */
static void compare_singly(struct random *random, const struct draw *draw,
                           const struct perlane_kernels *by, const perlane_noise *noise,
                           const char *entry) {
  for (int tries = 0; tries < 8; tries++) {
    const size_t i = random_below(random, draw->samples);
    double p[PERLANE_MAX_DIMS];
    float wanted[5], got[5] = {0};
    for (int a = 0; a < draw->dims; a++)
      p[a] = position[a][i];
    for (int j = 0; j <= draw->dims; j++)
      wanted[j] = expected[j][i];
    got[0] = by->at(noise, draw->dims, p, draw->has_gradient ? &got[1] : NULL);
    same(draw, by, entry, wanted, got, draw->has_gradient ? 1 + (size_t)draw->dims : 1,
         sizeof(float));
    got[0] = by->at(noise, draw->dims, p, NULL);
    same(draw, by, entry, wanted, got, 1, sizeof(float));
  }
}

/* The cells of the grid, and of a list. */
static void compare_cell_arrays(const struct draw *draw, const struct perlane_kernels *by,
                                int is_first) {
  static float array[2][2][CELL_ARRAYS][MOST_SAMPLES]; /* of grids and lists; wanted and got */
  const struct perlane_region region = region_of(draw);
  const size_t n = draw->samples < LIST_SAMPLES ? draw->samples : LIST_SAMPLES;
  const double *coords64[PERLANE_MAX_DIMS];
  for (int a = 0; a < draw->dims; a++)
    coords64[a] = position[a];
  const struct perlane_point_list list = {
      .dims = draw->dims, .octaves = 1, .n = n, .coords64 = coords64, .stride = 1};
  const int has_edge = draw->noise.params.cell_metric == PERLANE_CELL_METRIC_EUCLIDEAN;
  for (int is_list = 0; is_list < 2; is_list++) {
    for (int which = !is_first; which < 2; which++) {
      float(*to)[MOST_SAMPLES] = array[is_list][which];
      memset(to, 0x55, sizeof array[is_list][which]);
      const perlane_cells cells = {
          .id = (uint32_t *)(void *)to[0],
          .f1 = to[1],
          .f2 = to[2],
          .edge = has_edge ? to[3] : NULL,
          .offset = {to[4], draw->dims > 1 ? to[5] : NULL, draw->dims > 2 ? to[6] : NULL}};
      const struct perlane_kernels *kernels = which ? by : &perlane_scalar_kernels;
      if (is_list)
        kernels->points_cells(&draw->noise, &list, &cells);
      else
        kernels->fill_cells(&draw->noise, &region, &cells);
    }
    for (int i = 0; i < CELL_ARRAYS; i++)
      same(draw, by, is_list ? "cells of a list" : "cells", array[is_list][0][i],
           array[is_list][1][i], is_list ? n : draw->samples, sizeof(float));
  }
}

/* ---- Draws ---- */

/* Evaluates the reference at each sample. */
static void expect_samples(struct draw *draw) {
  const struct call call = {.grid = draw->grid};
  memset(expected, 0x55, sizeof expected);
  for (size_t i = 0; i < draw->samples; i++) {
    double p[PERLANE_MAX_DIMS];
    float slope[PERLANE_MAX_DIMS];
    position_of(&call, i, p);
    expected[0][i] =
        perlane_scalar_kernels.at(&draw->noise, draw->dims, p, draw->has_gradient ? slope : NULL);
    for (int a = 0; a < draw->dims; a++) {
      position[a][i] = p[a];
      if (draw->has_gradient)
        expected[1 + a][i] = slope[a];
    }
  }
}

/* Compares all entries for a packed grid of a field's first octaves; 0: all. Returns 0 if the grid
 * is not in the field's domain. */
static int agree(struct random *random, const perlane_params *params, const perlane_grid *grid) {
  static struct draw draw;
  static perlane_noise whole, alone;
  static struct kernel_list kernels;
  if (kernels.count == 0)
    kernels = all_kernels();
  whole = noise_of(params);
  if (perlane_grid_check(&whole, grid) != PERLANE_OK)
    return 0;
  draw = (struct draw){.params = params,
                       .noise = limited(&whole, grid->octaves),
                       .grid = *grid,
                       .dims = grid->dims,
                       .samples = samples_of(grid)};
  draw.has_gradient = draw.noise.sloped >> (draw.dims - 1) & 1;
  assert_true(draw.samples <= MOST_SAMPLES);
  const char *const name = "f";
  const perlane_noise *const field = &draw.noise;
  assert_int_equal(perlane_expression_init(&alone, "max(f, f)", 1, &name, &field), PERLANE_OK);
  expect_samples(&draw);
  const struct random state = *random;
  /* The reference by itself, which takes longest, for some small grids. */
  const size_t start = random_below(random, draw.samples) >= 2;
  for (size_t k = start; k < kernels.count; k++) {
    const struct perlane_kernels *by = kernels.table[k];
    *random = state; /* the same tiles and points */
    set_context("%s, %d dims", by->name, draw.dims);
    compare_fills(random, &draw, by, &draw.noise, "fill");
    compare_forms(&draw, by);
    compare_lists(random, &draw, by, &draw.noise, "list of doubles");
    compare_floats(random, &draw, by, k == start);
    compare_singly(random, &draw, by, &draw.noise, "single value");
    compare_fills(random, &draw, by, &alone, "fill of the expression max(f, f)");
    compare_lists(random, &draw, by, &alone, "list of the expression max(f, f)");
    compare_singly(random, &draw, by, &alone, "single value of the expression max(f, f)");
    if (draw.noise.params.basis == PERLANE_BASIS_CELLULAR)
      compare_cell_arrays(&draw, by, k == start);
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

/* The domain is that of all octaves, also where fewer are evaluated. */
static void domain_of_fewer_octaves(void **state) {
  (void)state;
  static perlane_noise noise;
  const struct kernel_list kernels = all_kernels();
  assert_int_equal(perlane_init_text(&noise, "octaves=26 frequency=0.75"), PERLANE_OK);
  for (int octaves = 1; octaves <= 26; octaves += 5) {
    const perlane_noise part = limited(&noise, octaves);
    for (int outside = 0; outside < 2; outside++) {
      const double end = domain_end(&noise);
      const double x = outside ? nextafter(end, INFINITY) : end, *coords[1] = {&x};
      for (size_t k = 0; k < kernels.count; k++) {
        float value = 0, slope = 0, *gradient[1] = {&slope};
        struct perlane_point_list list = {.dims = 1,
                                          .octaves = octaves,
                                          .n = 1,
                                          .coords64 = (const double *const *)coords,
                                          .stride = 1,
                                          .out = &value};
        kernels.table[k]->points(&noise, &list);
        assert_int_equal(bits_of(value) == 0x7FC00000, outside);
        list.gradient = gradient;
        kernels.table[k]->points(&noise, &list);
        assert_int_equal(bits_of(value) == 0x7FC00000, outside);
        assert_int_equal(bits_of(slope) == 0x7FC00000, outside);
        assert_int_equal(bits_of(kernels.table[k]->at(&part, 1, &x, NULL)) == 0x7FC00000, outside);
      }
    }
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
  switch (random_below(random, 8)) {
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
    const int e = 50 + (int)random_below(random, 13);
    const int64_t first = (INT64_C(1) << e) - (int64_t)random_below(random, grid->count[a] + 2);
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
  default:
    *origin = random_between(random, -1e4, 1e4);
    grid->first[a] = (int64_t)random_below(random, 2001) - 1000;
  }
}

/* A field and the first of its octaves, whose number is at a limit. */
static perlane_params draw_params(struct random *random, int dims) {
  perlane_params params = random_params(random, dims);
  if (random_below(random, 2)) {
    const size_t octaves = beside(random, OCTAVES, COUNT_OF(OCTAVES));
    params.octaves = (int32_t)octaves;
    if (octaves > 8)
      params.lacunarity = random_between(random, 1, 1.5);
    make_valid(&params, dims);
  }
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
  const size_t cases = effort(600);
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
      cmocka_unit_test(domain_of_fewer_octaves),   cmocka_unit_test(rivers_of_fewer_octaves),
      cmocka_unit_test(tiles_of_several_networks), cmocka_unit_test(random_draws),
  };
  return cmocka_run_group_tests_name("joints", tests, NULL, NULL);
}
