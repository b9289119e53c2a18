/* SPDX-License-Identifier: MIT
 *
 * The producer of grids of cellular noise, brick by brick. In each octave the distance between
 * samples decides how a brick is computed: in boxes that share candidates (cells/boxes.h), or by
 * columns that share the points of a row of cells (cells/columns.h). Where samples share nothing,
 * and far from the origin, points are evaluated instead.
 */
#ifndef PERLANE_NOISE_CELLS_PRODUCER_H
#define PERLANE_NOISE_CELLS_PRODUCER_H

#include "../driver/driver.h"
#include "boxes.h"

/* The axes of a brick share arrays: where each begins. Vectors may begin at the last row or plane.
 */
enum {
  BRICK_AXIS_Y = BRICK_COLUMNS,
  BRICK_AXIS_Z = BRICK_AXIS_Y + BRICK_ROWS + BRICK_GRANULE,
  BRICK_AXIS_SAMPLES = BRICK_AXIS_Z + 2 * BRICK_GRANULE,
  BLENDED_SAMPLES = BRICK_SAMPLES / 3, /* of each of three layers */
};
_Static_assert(BRICK_ROWS % BRICK_GRANULE == 0 && BRICK_PLANES <= (int)BRICK_GRANULE,
               "whole vectors");
_Static_assert(BLENDED_SAMPLES >= BRICK_COLUMNS * 8, "a brick has a plane");
_Static_assert(BLENDED_SAMPLES / (BRICK_COLUMNS / 2) % BOX_ROWS == 0 &&
                   BRICK_SAMPLES / BRICK_COLUMNS % BOX_ROWS == 0,
               "a brick has the rows of whole boxes");

/* ---- The plan of an octave ---- */

struct brick_plan {
  int has_boxes;
  size_t size[3]; /* of boxes */
  int is_small;   /* most boxes need one ring of cells only */
};

_Static_assert(BRICK_COLUMNS *MAX_STEP_HALVES / 2 + 1 + 2 * MAX_REACH <= BRICK_WORDS - LANES, "x");
_Static_assert(BRICK_ROWS *MAX_STEP_HALVES / 2 + 1 + 2 * MAX_REACH <= BRICK_ROW_WORDS, "y and z");

static struct brick_plan plan_of(const struct brick *brick, double frequency,
                                 const size_t size[3]) {
  struct brick_plan plan = {.size = {16, 16, 1}};
  double product = 1;
  const int dims = brick->cells.dims, is_border = brick->cells.kind == CELL_EDGE;
  const int is_wide = dims == 2 && LANES > 4 && !is_border;
  const double far = is_border && dims > 2 ? BORDER_STEP : BOX_STEP;
  for (int a = 0; a < dims; a++) {
    const double cells = perlane_magnitude(brick->grid->step[a]) * frequency;
    if (a == 0)
      plan.size[0] = cells <= DENSE_STEP ? 64 : cells <= CLOSE_STEP || is_wide ? 32 : 16;
    else if (a == 1)
      plan.size[1] = dims == 2 && (cells <= CLOSE_STEP || is_wide) ? 32 : cells <= far ? 16 : 8;
    else
      plan.size[2] = cells <= (is_border ? far : PLANE_STEP) ? 8 : 4;
    plan.size[a] = plan.size[a] < size[a] ? plan.size[a] : size[a];
    product *= (double)plan.size[a] * cells + 1.2;
  }
  plan.is_small = product <= MAX_SMALL_BOX && !is_border;
  plan.has_boxes = !is_largest(&brick->cells) &&
                   (is_border || product <= (dims == 2 ? MAX_BOX_AREA(LANES) : MAX_BOX_VOLUME));
  return plan;
}

/* ---- Octaves of a brick ---- */

static void fill_boxes(const struct brick *brick, const struct brick_plan *plan,
                       const struct brick_target *target) {
  const size_t *size = plan->size;
  size_t at[3], end[3];
  for (at[2] = 0; at[2] < brick->of[2].end; at[2] += size[2])
    for (at[1] = 0; at[1] < brick->of[1].end; at[1] += size[1])
      for (at[0] = 0; at[0] < brick->of[0].end; at[0] += size[0]) {
        for (int a = 0; a < 3; a++)
          end[a] = at[a] + size[a] < brick->of[a].end ? at[a] + size[a] : brick->of[a].end;
        fill_range(brick, plan->is_small ? 1 : brick->rings, at, end, target);
      }
}

/* Fills a brick with an octave, of which `brick->cells` has the output. */
static PERLANE_NOINLINE void fill_octave(struct brick *brick, const struct field *field, int k,
                                         const size_t size[3], const struct brick_target *target) {
  const struct perlane_octave *octave = &field->octave[k];
  const int dims = brick->cells.dims;
  for (int a = 0; a < dims; a++)
    begin_axis(&brick->axis[a], octave);
  const struct brick_plan plan = plan_of(brick, octave->frequency, size);
  brick->rings = plan.has_boxes ? rings_of(&brick->cells) : 1;
  for (int a = 0; a < dims; a++) {
    begin_brick_axis(&brick->of[a], &brick->axis[a]);
    brick_words(&brick->of[a], &brick->axis[a], octave->period[a], brick->rings);
  }
  if (plan.has_boxes) {
    fill_boxes(brick, &plan, target);
    return;
  }
  const size_t begin[3] = {0, 0, 0};
  const size_t end[3] = {brick->of[0].count, brick->of[1].end, brick->of[2].end};
  fill_columns(brick, begin, end, target);
}

/* ---- The producer ---- */

/* A tile is a brick. */
struct brick_fill {
  struct space space;
  struct samples parts; /* of an octave's derivatives that are added to others */
  struct brick brick;
  struct grid_axis axis[3];
  size_t size[3]; /* of bricks, at most */
};

static void fill_part(struct brick_fill *fill, int k, int sum, float *to) {
  const ptrdiff_t pitch = (ptrdiff_t)fill->space.tile.pitch;
  const struct brick_target target = {to, pitch, pitch * (ptrdiff_t)fill->size[1], sum, 0};
  fill_octave(&fill->brick, fill->space.field, k, fill->size, &target);
}

/* An octave and its derivatives, from the distance to the nearest point, D1, and those to it along
 * each axis: each is an output that the brick is filled with. */
static PERLANE_NOINLINE void distances_in_tile(struct brick_fill *fill, int k, int sum,
                                               const struct samples *to) {
  struct cells *const part = &fill->brick.cells;
  const struct cells cells = *part;
  const struct samples *from = sum ? &fill->parts : to;
  part->amplitude = f_set(1);
  part->bias = f_set(0);
  if (is_square(part))
    part->metric = PERLANE_CELL_METRIC_SQUARED;
  for (int j = 0; j <= cells.dims; j++) {
    fill_part(fill, k, 0, from->array[j]);
    part->kind = CELL_TAG;
    part->output = CELL_OUTPUT_OFFSET + j;
    part->along = j;
  }
  *part = cells;
  const size_t n = fill->space.tile.pitch * fill->size[1] * fill->brick.of[2].end;
  for (size_t i = 0; i < n; i += LANES) {
    const vf distance = f_load(from->array[0] + i);
    const struct nearest nearest = {distance, distance};
    vf along[3], slope[3];
    for (int a = 0; a < cells.dims; a++)
      along[a] = f_load(from->array[1 + a] + i);
    slopes_of_distance(&cells, distance, along, slope);
    store_sum(to->array[0] + i, sum, noise_of_distances(CELL_FIRST, &cells, &nearest));
    for (int a = 0; a < cells.dims; a++)
      store_sum(to->array[1 + a] + i, sum, f_mul(slope[a], cells.steepness));
  }
}

static void brick_octave_of_tile(struct space *space, int k, int sum, const struct samples *to) {
  struct brick_fill *fill = (struct brick_fill *)space;
  begin_cells(&fill->brick.cells, &space->field->octave[k]);
  if (space->tile.arrays > 1)
    distances_in_tile(fill, k, sum, to);
  else
    fill_part(fill, k, sum, to->array[0]);
}

/* Fills the output with a brick of a single octave, if it is whole and its rows are aligned to what
 * is stored together. */
static int brick_leaves(struct space *space, ptrdiff_t offset) {
  struct brick_fill *fill = (struct brick_fill *)space;
  const struct brick_axis *of = fill->brick.of;
  const struct perlane_region *grid = space->grid;
  const int streams = space->sink.streams;
  if (of[0].begin != 0 || of[0].end % BRICK_GRANULE != 0 || of[1].end % BOX_ROWS != 0)
    return 0;
  float *out = (float *)space->sink.output->value + offset;
  const int is_aligned = (uintptr_t)out % CACHE_LINE_BYTES == 0 &&
                         space->sink.strips.overlap == 0 && grid->stride[1] % BRICK_GRANULE == 0 &&
                         grid->stride[2] % BRICK_GRANULE == 0;
  if (streams && !is_aligned)
    return 0;
  const struct brick_target target = {out, grid->stride[1], grid->stride[2], 0, streams};
  begin_cells(&fill->brick.cells, &space->field->octave[0]);
  fill_octave(&fill->brick, space->field, 0, fill->size, &target);
  return 1;
}

static void brick_columns(struct space *space) {
  struct brick_fill *fill = (struct brick_fill *)space;
  const struct strips *strips = &space->sink.strips;
  place_brick(&fill->brick, &fill->axis[0], (size_t)strips->x,
              strips->x < 0 ? (size_t)-strips->x : 0, strips->columns);
}

static void brick_rows(struct space *space) {
  struct brick_fill *fill = (struct brick_fill *)space;
  place_brick(&fill->brick, &fill->axis[1], space->block_y, 0, fill->size[1]);
}

static void brick_planes(struct space *space) {
  struct brick_fill *fill = (struct brick_fill *)space;
  place_brick(&fill->brick, &fill->axis[2], space->z, 0, fill->size[2]);
}

/* ---- The plan ---- */

/* Returns 1 if derivatives are added to those of other octaves, from a set of arrays of their own.
 */
static int has_parts(const struct space *space) {
  return space->tile.arrays > 1 && !space->tile.blended && space->field->octaves > 1;
}

/* Returns how many samples an array of a brick has. */
static size_t samples_of_brick(const struct space *space) {
  const size_t parts = has_parts(space) ? (size_t)space->tile.arrays : 0;
  return BRICK_SAMPLES / (arrays_of_tile(&space->tile) + parts) / LANES * LANES;
}

static void lay_out_bricks(struct space *space, struct arena *arena) {
  struct brick_fill *fill = (struct brick_fill *)space;
  struct tile *tile = &space->tile;
  static const size_t start[3] = {0, BRICK_AXIS_Y, BRICK_AXIS_Z};
  static const size_t words[3] = {BRICK_WORDS, BRICK_ROW_WORDS, BRICK_ROW_WORDS};
  float *fraction = take_floats(arena, BRICK_AXIS_SAMPLES);
  float *cell = take_floats(arena, BRICK_AXIS_SAMPLES);
  double *position = take(arena, BRICK_AXIS_SAMPLES, sizeof *position);
  fill->brick.scratch = take(arena, BRICK_SCRATCH, 1);
  for (int a = 0; a < 3; a++) {
    uint32_t *word = take(arena, words[a], sizeof *word);
    if (arena->next)
      fill->brick.of[a] = (struct brick_axis){.fraction = fraction + start[a],
                                              .cell = cell + start[a],
                                              .position = position + start[a],
                                              .word = word};
  }
  float *samples = take_floats(arena, BRICK_SAMPLES);
  const size_t n = samples_of_brick(space);
  if (!arena->next)
    return;
  lay_out_tile(tile, samples, n);
  fill->parts = samples_in(samples + (has_parts(space) ? (size_t)tile->arrays * n : 0), n);
}

/* Chooses the most samples of a brick along each axis, and the strips. */
static int plan_bricks(struct space *space, size_t bytes) {
  struct brick_fill *fill = (struct brick_fill *)space;
  struct arena arena = {.next = NULL};
  size_t *const size = fill->size;
  const size_t samples = samples_of_brick(space);
  const int dims = space->grid->dims, is_small = samples < BRICK_SAMPLES;
  /* Integers take more columns: strips that overlap by a cache line are wider than that. */
  const int is_float = space->sink.output->format == FORMAT_FLOAT;
  lay_out_bricks(space, &arena);
  if (arena.bytes > bytes)
    return 0;
  if (samples < BLENDED_SAMPLES) {
    size[0] = 32;
    size[1] = BOX_ROWS;
  } else if (dims == 2) {
    size[0] = is_small && is_float ? BRICK_COLUMNS / 2 : BRICK_COLUMNS;
    size[1] = samples / size[0];
  } else {
    size[0] = is_float ? 32 : BRICK_COLUMNS;
    /* Columns take many rows, boxes as many planes as rows. */
    const double step = perlane_magnitude(space->grid->step[1]) * space->field->highest_frequency;
    size[1] = is_small || size[0] > 32 ? 8 : step > TALL_BRICK_STEP ? 32 : 16;
  }
  balance_strips(&space->sink.strips, size[0]);
  size[0] = space->tile.pitch = space->sink.strips.width;
  size[2] = smaller_of(samples / (size[0] * size[1]), dims == 2 ? 1 : BRICK_PLANES);
  space->direct = is_plain_octave(space);
  space->band_rows = space->block_rows = space->tile_rows = size[1];
  space->tile_planes = size[2];
  return 1;
}

static const struct producer BRICK_PRODUCER = {.plan = plan_bricks,
                                               .lay_out = lay_out_bricks,
                                               .columns = brick_columns,
                                               .rows = brick_rows,
                                               .planes = brick_planes,
                                               .octave = brick_octave_of_tile,
                                               .leave = brick_leaves};

/* Returns 1 if all octaves are near, and dense enough that bricks share cells: samples are at most
 * `max_step` cells apart. */
static int can_share_cells(const struct field *field, const struct perlane_region *grid,
                           double max_step) {
  if (grid->dims == 1)
    return 0;
  for (int k = 0; k < field->octaves; k++)
    for (int a = 0; a < grid->dims; a++) {
      const double frequency = field->octave[k].frequency;
      if (!grid_axis_is_near(grid, a, frequency) ||
          perlane_magnitude(grid->step[a]) * frequency > max_step)
        return 0;
    }
  return 1;
}

/* Returns 0, having filled nothing, if points are faster, or are needed. */
static PERLANE_NOINLINE int fill_bricks(const struct field *field,
                                        const struct perlane_region *grid,
                                        const struct perlane_output *output) {
  struct brick_fill fill;
  struct brick *const brick = &fill.brick;
  const int slopes = output->gradient[0] != NULL;
  brick->cells = cells_of(field, grid->dims);
  /* Derivatives are those of the nearest point's distance, in a metric with boxes. */
  if ((slopes && (brick->cells.kind != CELL_FIRST || is_largest(&brick->cells))) ||
      !can_share_cells(field, grid, slopes ? MAX_SLOPE_STEP : MAX_STEP))
    return 0;
  brick->grid = grid;
  for (int a = 0; a < 3; a++) {
    fill.axis[a] = (struct grid_axis){field, grid, a};
    make_axis(&brick->axis[a], field, a);
    brick->start[a] = 0;
  }
  begin_space(&fill.space, &BRICK_PRODUCER, field, grid, output);
  return fill_space(&fill.space);
}

#endif
