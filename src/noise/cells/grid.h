/* SPDX-License-Identifier: MIT
 *
 * Filling a grid with cellular noise, brick by brick. In each octave the distance between samples
 * decides how a brick is computed: in boxes that share candidates (cells/boxes.h), or by columns
 * that share the points of a row of cells (cells/columns.h). Where samples share nothing, and far
 * from the origin, the grid is filled as points (block_fill.h).
 */
#ifndef PERLANE_NOISE_CELLS_GRID_H
#define PERLANE_NOISE_CELLS_GRID_H

#include "../output/tile.h"
#include "boxes.h"

/* The axes of a brick share arrays: where each begins. Vectors may begin at the last row or plane.
 */
enum {
  BRICK_AXIS_Y = BRICK_COLUMNS,
  BRICK_AXIS_Z = BRICK_AXIS_Y + BRICK_ROWS + BRICK_GRANULE,
  BRICK_AXIS_SAMPLES = BRICK_AXIS_Z + 2 * BRICK_GRANULE,
  BLENDED_SAMPLES = BRICK_SAMPLES / 3, /* of each of three layers */
};
_Static_assert(BRICK_ROWS % BRICK_GRANULE == 0 && BRICK_PLANES <= BRICK_GRANULE, "whole vectors");
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

/* The largest boxes, in cells and with what is around them, that are faster than columns. */
#define MAX_BOX_AREA (LANES == 4 ? 6.0 : 8.0)
#define MAX_BOX_VOLUME 17.0
#define MAX_SMALL_BOX 5.0
#define MAX_EDGE_BOX 10.0 /* of borders, which columns have none of */

/* The largest distance between samples, in cells, of which columns are faster than points. */
enum { MAX_STEP_HALVES = 3 };
#define MAX_STEP (MAX_STEP_HALVES / 2.0)
#define MAX_SLOPE_STEP 0.1 /* with derivatives, which fill a brick for each axis, too */
_Static_assert(BRICK_COLUMNS *MAX_STEP_HALVES / 2 + 1 + 2 * MAX_REACH <= BRICK_WORDS - LANES, "x");
_Static_assert(BRICK_ROWS *MAX_STEP_HALVES / 2 + 1 + 2 * MAX_REACH <= BRICK_ROW_WORDS, "y and z");

static struct brick_plan plan_of(const struct brick *brick, double frequency,
                                 const size_t size[3]) {
  struct brick_plan plan = {.size = {16, 16, 1}};
  double product = 1;
  const int dims = brick->cells.dims, is_border = brick->cells.kind == CELL_EDGE;
  const int is_wide = dims == 2 && LANES > 4 && !is_border;
  const double far = is_border && dims > 2 ? 0.07 : 0.15;
  for (int a = 0; a < dims; a++) {
    const double cells = perlane_magnitude(brick->grid->step[a]) * frequency;
    if (a == 0)
      plan.size[0] = cells <= 0.015 ? 64 : cells <= 0.03 || is_wide ? 32 : 16;
    else if (a == 1)
      plan.size[1] = dims == 2 && (cells <= 0.03 || is_wide) ? 32 : cells <= far ? 16 : 8;
    else
      plan.size[2] = cells <= (is_border ? far : 0.1) ? 8 : 4;
    plan.size[a] = plan.size[a] < size[a] ? plan.size[a] : size[a];
    product *= (double)plan.size[a] * cells + 1.2;
  }
  plan.is_small = product <= MAX_SMALL_BOX && !is_border;
  plan.has_boxes = !is_largest(&brick->cells) &&
                   (is_border || product <= (dims == 2 ? MAX_BOX_AREA : MAX_BOX_VOLUME));
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
    brick_words(&brick->of[a], &brick->axis[a], brick->rings);
  }
  if (plan.has_boxes) {
    fill_boxes(brick, &plan, target);
    return;
  }
  const size_t begin[3] = {0, 0, 0};
  const size_t end[3] = {brick->of[0].count, brick->of[1].end, brick->of[2].end};
  fill_columns(brick, begin, end, target);
}

/* ---- The fill ---- */

struct brick_fill {
  const struct field *field;
  const struct perlane_region *grid;
  struct sink sink;
  struct open_line line[1 + 3];
  struct tile tile;     /* of all planes of a brick */
  struct samples parts; /* of an octave's derivatives that are added to others */
  int direct;           /* bricks may go straight to the output */
  struct brick brick;
  size_t size[3]; /* of bricks, at most */
};

static void fill_part(struct brick_fill *fill, int k, int sum, float *to) {
  const ptrdiff_t pitch = (ptrdiff_t)fill->tile.pitch;
  const struct brick_target target = {to, pitch, pitch * (ptrdiff_t)fill->size[1], sum, 0};
  fill_octave(&fill->brick, fill->field, k, fill->size, &target);
}

/* An octave and its derivatives, from the distance to the nearest point, D1, and those to it along
 * each axis: each is an output that the brick is filled with. */
static PERLANE_NOINLINE void distances_in_tile(struct brick_fill *fill, int k, int sum,
                                               const struct samples *to) {
  struct cells *const part = &fill->brick.cells;
  const struct cells cells = *part;
  const struct samples *from = sum ? &fill->parts : to;
  part->amplitude = 1;
  part->bias = 0;
  if (is_square(part))
    part->metric = PERLANE_CELL_METRIC_SQUARED;
  for (int j = 0; j <= cells.dims; j++) {
    fill_part(fill, k, 0, from->array[j]);
    part->kind = CELL_TAG;
    part->output = CELL_OUTPUT_OFFSET + j;
    part->along = j;
  }
  *part = cells;
  const size_t n = fill->tile.pitch * fill->size[1] * fill->brick.of[2].end;
  for (size_t i = 0; i < n; i += LANES) {
    const vf distance = f_load(from->array[0] + i);
    const struct nearest nearest = {distance, distance};
    vf along[3], slope[3];
    for (int a = 0; a < cells.dims; a++)
      along[a] = f_load(from->array[1 + a] + i);
    slopes_of_distance(&cells, distance, along, slope);
    store_sum(to->array[0] + i, sum, noise_of_distances(CELL_FIRST, &cells, &nearest));
    for (int a = 0; a < cells.dims; a++)
      store_sum(to->array[1 + a] + i, sum, f_mul(slope[a], f_set(cells.steepness)));
  }
}

static void brick_in_tile(void *producer, int k, int sum, const struct samples *to) {
  struct brick_fill *fill = producer;
  begin_cells(&fill->brick.cells, &fill->field->octave[k]);
  if (fill->tile.arrays > 1)
    distances_in_tile(fill, k, sum, to);
  else
    fill_part(fill, k, sum, to->array[0]);
}

/* Fills the output with a brick of a single octave, if it is whole and its rows are aligned to what
 * is stored together. Returns 0 if it is not. */
static int fill_directly(struct brick_fill *fill, ptrdiff_t offset) {
  const struct brick_axis *of = fill->brick.of;
  const struct perlane_region *grid = fill->grid;
  if (!fill->direct || of[0].begin != 0 || of[0].end % BRICK_GRANULE != 0 ||
      of[1].end % BOX_ROWS != 0)
    return 0;
  float *out = (float *)fill->sink.output->value + offset;
  const int is_aligned = (uintptr_t)out % CACHE_LINE_BYTES == 0 && fill->sink.strips.overlap == 0 &&
                         grid->stride[1] % BRICK_GRANULE == 0 &&
                         grid->stride[2] % BRICK_GRANULE == 0;
  if (fill->sink.streams && !is_aligned)
    return 0;
  const struct brick_target target = {out, grid->stride[1], grid->stride[2], 0, fill->sink.streams};
  begin_cells(&fill->brick.cells, &fill->field->octave[0]);
  fill_octave(&fill->brick, fill->field, 0, fill->size, &target);
  return 1;
}

/* Fills a brick of the current strip, from row at[1] and plane at[2] on. */
static void deliver_brick(struct brick_fill *fill, const size_t at[PERLANE_MAX_DIMS]) {
  const size_t rows = fill->brick.of[1].end, planes = fill->brick.of[2].end;
  const size_t plane = fill->tile.pitch * fill->size[1];
  if (fill_directly(fill, offset_of_row(&fill->sink, at)))
    return;
  sum_octaves(&fill->tile, fill->field->octaves, planes * plane, brick_in_tile, fill);
  for (size_t z = 0; z < planes; z++) {
    const size_t first[PERLANE_MAX_DIMS] = {0, at[1], at[2] + z, 0};
    finish_rows(&fill->tile, z * plane, rows, first);
    store_rows(&fill->tile, z * plane, rows, offset_of_row(&fill->sink, first));
  }
}

/* Chooses the most samples of a brick along each axis, of `samples` at most, and the strips. */
static void size_brick(struct brick_fill *fill, size_t samples) {
  size_t *const size = fill->size;
  const int is_small = samples < BRICK_SAMPLES;
  /* Integers take more columns: strips that overlap by a cache line are wider than that. */
  const int is_float = fill->sink.output->format == PERLANE_FLOAT;
  if (samples < BLENDED_SAMPLES) {
    size[0] = 32;
    size[1] = BOX_ROWS;
  } else if (fill->grid->dims == 2) {
    size[0] = is_small && is_float ? BRICK_COLUMNS / 2 : BRICK_COLUMNS;
    size[1] = samples / size[0];
  } else {
    size[0] = is_float ? 32 : BRICK_COLUMNS;
    /* Columns take many rows, boxes as many planes as rows. */
    const double step = perlane_magnitude(fill->grid->step[1]) * fill->field->highest_frequency;
    size[1] = is_small || size[0] > 32 ? 8 : step > 0.12 ? 32 : 16;
  }
  balance_strips(&fill->sink.strips, size[0]);
  size[0] = fill->tile.pitch = fill->sink.strips.width;
  size[2] = samples / (size[0] * size[1]);
  if (size[2] > (fill->grid->dims == 2 ? 1 : BRICK_PLANES))
    size[2] = fill->grid->dims == 2 ? 1 : BRICK_PLANES;
}

/* Lays out a brick's arrays. Returns how many samples each has: those of the tile, and one more set
 * of them where derivatives are added to those of other octaves. */
static size_t lay_out_brick(struct brick_fill *fill, float samples[BRICK_SAMPLES]) {
  struct tile *tile = &fill->tile;
  const int is_added = tile->arrays > 1 && !tile->blended && fill->field->octaves > 1;
  const size_t sets = sets_of_tile(tile) + (size_t)is_added;
  const size_t n = BRICK_SAMPLES / (sets * (size_t)tile->arrays) / LANES * LANES;
  lay_out_tile(tile, samples, n);
  fill->parts = samples_in(samples + (is_added ? (size_t)tile->arrays * n : 0), n);
  return n;
}

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
  _Alignas(64) float samples[BRICK_SAMPLES + 2 * LANES]; /* store_values reads past rows */
  _Alignas(64) unsigned char scratch[BRICK_SCRATCH];
  _Alignas(64) double positions[BRICK_AXIS_SAMPLES];
  _Alignas(64) float axes[2][BRICK_AXIS_SAMPLES];
  uint32_t columns[BRICK_WORDS], rows[BRICK_ROW_WORDS], planes[BRICK_ROW_WORDS];
  static const size_t start[3] = {0, BRICK_AXIS_Y, BRICK_AXIS_Z};
  struct brick_fill fill;
  struct brick *const brick = &fill.brick;
  struct strips *const strips = &fill.sink.strips;
  struct grid_axis axis[3];
  brick->cells = cells_of(field, grid->dims);
  /* Derivatives are those of the nearest point's distance, in a metric with boxes. */
  const int slopes = output->gradient[0] != NULL;
  if ((slopes && (brick->cells.kind != CELL_FIRST || is_largest(&brick->cells))) ||
      field->gullies > 0 || !can_share_cells(field, grid, slopes ? MAX_SLOPE_STEP : MAX_STEP))
    return 0;
  fill.field = field;
  fill.grid = grid;
  open_sink(&fill.sink, grid, output, field, 1, fill.line, 1 + grid->dims);
  begin_tile(&fill.tile, field, &fill.sink);
  fill.direct = is_plain_octave(&fill.tile);
  size_brick(&fill, lay_out_brick(&fill, samples));
  brick->scratch = scratch;
  brick->grid = grid;
  for (int a = 0; a < 3; a++) {
    axis[a] = (struct grid_axis){field, grid, a};
    make_axis(&brick->axis[a], field, a);
    brick->start[a] = 0;
    brick->of[a] = (struct brick_axis){.fraction = axes[0] + start[a],
                                       .cell = axes[1] + start[a],
                                       .position = positions + start[a],
                                       .word = a == 0   ? columns
                                               : a == 1 ? rows
                                                        : planes};
  }
  size_t at[PERLANE_MAX_DIMS] = {0};
  for (at[2] = 0; at[2] < grid->count[2]; at[2] += fill.size[2]) {
    place_brick(brick, &axis[2], at[2], 0, fill.size[2]);
    for (at[1] = 0; at[1] < grid->count[1]; at[1] += fill.size[1]) {
      place_brick(brick, &axis[1], at[1], 0, fill.size[1]);
      first_strip(strips);
      do {
        place_brick(brick, &axis[0], (size_t)strips->x, strips->x < 0 ? (size_t)-strips->x : 0,
                    strips->columns);
        deliver_brick(&fill, at);
      } while (next_strip(strips));
    }
  }
  close_sink(&fill.sink);
  return 1;
}

#endif
