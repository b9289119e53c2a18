/* SPDX-License-Identifier: MIT
 *
 * Filling a grid with cellular noise, brick by brick. In each octave the distance between samples
 * decides how a brick is computed: in boxes that share candidates (cells/boxes.h), or by columns
 * that share the points of a row of cells (cells/columns.h). Where samples share nothing, and far
 * from the origin, the grid is filled as points (block_fill.h).
 */
#ifndef PERLANE_NOISE_CELLS_GRID_H
#define PERLANE_NOISE_CELLS_GRID_H

#include "../output/sink.h"
#include "boxes.h"
#include "edges.h"

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
_Static_assert(BRICK_COLUMNS *MAX_STEP_HALVES / 2 + 1 + 2 * MAX_REACH <= BRICK_WORDS - LANES, "x");
_Static_assert(BRICK_ROWS *MAX_STEP_HALVES / 2 + 1 + 2 * MAX_REACH <= BRICK_ROW_WORDS, "y and z");

static struct brick_plan plan_of(const struct brick *brick, double frequency,
                                 const size_t size[3]) {
  struct brick_plan plan = {.size = {16, 16, 1}};
  double product = 1;
  const int dims = brick->cells.dims, is_edge = brick->cells.kind == CELL_EDGE;
  const int is_wide = dims == 2 && LANES > 4 && !is_edge;
  const double far = is_edge && dims > 2 ? 0.07 : 0.15;
  for (int a = 0; a < dims; a++) {
    const double cells = perlane_magnitude(brick->grid->step[a]) * frequency;
    if (a == 0)
      plan.size[0] = cells <= 0.015 ? 64 : cells <= 0.03 || is_wide ? 32 : 16;
    else if (a == 1)
      plan.size[1] = dims == 2 && (cells <= 0.03 || is_wide) ? 32 : cells <= far ? 16 : 8;
    else
      plan.size[2] = cells <= (is_edge ? far : 0.1) ? 8 : 4;
    plan.size[a] = plan.size[a] < size[a] ? plan.size[a] : size[a];
    product *= (double)plan.size[a] * cells + 1.2;
  }
  plan.is_small = product <= MAX_SMALL_BOX;
  plan.has_boxes =
      brick->cells.metric != PERLANE_CELL_METRIC_CHEBYSHEV &&
      (product <= (dims == 2 ? MAX_BOX_AREA : MAX_BOX_VOLUME) || brick->cells.kind == CELL_EDGE);
  return plan;
}

/* ---- Octaves of a brick ---- */

static void fill_boxes(const struct brick *brick, const struct brick_plan *plan,
                       const struct brick_target *target) {
  const size_t *size = plan->size;
  struct box box;
  size_t at[3], end[3];
  for (at[2] = 0; at[2] < brick->of[2].end; at[2] += size[2])
    for (at[1] = 0; at[1] < brick->of[1].end; at[1] += size[1])
      for (at[0] = 0; at[0] < brick->of[0].end; at[0] += size[0]) {
        for (int a = 0; a < 3; a++)
          end[a] = at[a] + size[a] < brick->of[a].end ? at[a] + size[a] : brick->of[a].end;
        if (brick->cells.kind == CELL_EDGE) {
          fill_edges(brick, at, end, target);
          continue;
        }
        begin_box(&box, brick, at, end);
        if (plan->is_small)
          box.rings = 1;
        if (!fill_box(brick, &box, target))
          fill_columns(brick, at, end, target);
      }
}

static PERLANE_NOINLINE void fill_octave(struct brick *brick, const struct field *field, int k,
                                         const size_t size[3], const struct brick_target *target) {
  const struct perlane_octave *octave = &field->octave[k];
  const int dims = brick->cells.dims;
  begin_cells(&brick->cells, octave);
  for (int a = 0; a < dims; a++)
    begin_axis(&brick->axis[a], octave, dims);
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
  struct open_line line;
  int blended, direct; /* as in struct plan */
  size_t pitch;        /* from one row of a brick to the next */
  struct samples tile, layer, weights;
};

/* All octaves of a brick, and their delivery. `offset` is that of the brick's first sample in the
 * output, which may be before it. */
static void deliver_brick(struct brick_fill *fill, struct brick *brick, const size_t size[3],
                          ptrdiff_t offset) {
  const struct field *field = fill->field;
  const struct perlane_region *grid = fill->grid;
  const struct brick_axis *of = brick->of;
  const ptrdiff_t pitch = (ptrdiff_t)fill->pitch;
  const size_t rows = of[1].end, planes = of[2].end;
  const size_t plane_rows = size[1];
  struct brick_target target = {fill->tile.array[0], pitch, pitch * (ptrdiff_t)plane_rows, 0, 0};
  if (fill->direct && of[0].begin == 0 && of[0].end % BRICK_GRANULE == 0 && rows % BOX_ROWS == 0) {
    float *out = (float *)fill->sink.output->value + offset;
    const int is_aligned = (uintptr_t)out % CACHE_LINE_BYTES == 0 &&
                           fill->sink.strips.overlap == 0 && grid->stride[1] % BRICK_GRANULE == 0 &&
                           grid->stride[2] % BRICK_GRANULE == 0;
    if (is_aligned || !fill->sink.streams) {
      target = (struct brick_target){out, grid->stride[1], grid->stride[2], 0, fill->sink.streams};
      fill_octave(brick, field, 0, size, &target);
      return;
    }
  }
  const size_t samples = planes * plane_rows * fill->pitch;
  for (int k = 0; k < field->octaves; k++) {
    if (fill->blended) {
      const struct shaping shaping = shaping_of(field, k, 1);
      target.to = fill->layer.array[0];
      fill_octave(brick, field, k, size, &target);
      blend(&shaping, samples, &fill->layer, &fill->tile, &fill->weights);
    } else {
      target.sum = k > 0;
      fill_octave(brick, field, k, size, &target);
    }
  }
  finish_in_sink(&fill->sink, samples, &fill->tile);
  for (size_t z = 0; z < planes; z++)
    for (size_t y = 0; y < rows; y++)
      store_row(&fill->sink, &fill->tile, (z * plane_rows + y) * fill->pitch,
                offset + (ptrdiff_t)y * grid->stride[1] + (ptrdiff_t)z * grid->stride[2]);
}

static void begin_bricks(struct brick_fill *fill, const struct field *field,
                         const struct perlane_region *grid, const struct perlane_output *output) {
  fill->field = field;
  fill->grid = grid;
  fill->blended = field->shaped;
  open_sink(&fill->sink, grid, output, field, &fill->line, 1);
  fill->direct = fill->sink.is_raw && !fill->blended && field->octaves == 1 && grid->stride[0] == 1;
  fill->sink.strips = strips_of(grid, output, fill->sink.streams);
}

/* The most samples of a brick along each axis. */
static void size_brick(size_t size[3], const struct brick_fill *fill) {
  const size_t samples = fill->blended ? BLENDED_SAMPLES : BRICK_SAMPLES;
  /* Integers take more columns: strips that overlap by a cache line are wider than that. */
  const int is_float = fill->sink.output->format == PERLANE_FLOAT;
  if (fill->grid->dims == 2) {
    size[0] = fill->blended && is_float ? BRICK_COLUMNS / 2 : BRICK_COLUMNS;
    size[1] = samples / size[0];
    size[2] = 1;
    return;
  }
  size[0] = is_float ? 32 : BRICK_COLUMNS;
  /* Columns take many rows, boxes as many planes as rows. */
  const double step = perlane_magnitude(fill->grid->step[1]) * fill->field->highest_frequency;
  size[1] = fill->blended || size[0] > 32 ? 8 : step > 0.12 ? 32 : 16;
  size[2] = samples / (size[0] * size[1]);
}

/* Returns 1 if all octaves are near, and dense enough that bricks share cells. */
static int can_share_cells(const struct field *field, const struct perlane_region *grid) {
  if (grid->dims == 1)
    return 0;
  for (int k = 0; k < field->octaves; k++)
    for (int a = 0; a < grid->dims; a++) {
      const double frequency = field->octave[k].frequency;
      if (!grid_axis_is_near(grid, a, frequency) ||
          perlane_magnitude(grid->step[a]) * frequency > MAX_STEP)
        return 0;
    }
  return 1;
}

static PERLANE_NOINLINE void fill_bricks(const struct field *field,
                                         const struct perlane_region *grid,
                                         const struct perlane_output *output) {
  _Alignas(64) float samples[BRICK_SAMPLES + 2 * LANES]; /* store_values reads past rows */
  _Alignas(64) float scratch[BRICK_SCRATCH];
  _Alignas(64) double positions[BRICK_AXIS_SAMPLES];
  _Alignas(64) float axes[2][BRICK_AXIS_SAMPLES];
  uint32_t columns[BRICK_WORDS], rows[BRICK_ROW_WORDS], planes[BRICK_ROW_WORDS];
  static const size_t at[3] = {0, BRICK_AXIS_Y, BRICK_AXIS_Z};
  struct brick_fill fill;
  struct brick brick;
  struct grid_axis axis[3];
  size_t size[3];
  begin_bricks(&fill, field, grid, output);
  size_brick(size, &fill);
  struct strips *strips = &fill.sink.strips;
  balance_strips(strips, size[0]);
  size[0] = fill.pitch = strips->width;
  for (size_t j = 0; j < 3; j++) {
    float *layer = samples + j * (fill.blended ? BLENDED_SAMPLES : 0);
    (j == 0 ? &fill.tile : j == 1 ? &fill.layer : &fill.weights)->array[0] = layer;
  }
  brick.cells = cells_of(field, grid->dims);
  brick.scratch = scratch;
  brick.grid = grid;
  for (int a = 0; a < 3; a++) {
    axis[a] = (struct grid_axis){field, grid, a};
    make_axis(&brick.axis[a], field, a);
    brick.start[a] = 0;
    brick.of[a] = (struct brick_axis){.fraction = axes[0] + at[a],
                                      .cell = axes[1] + at[a],
                                      .position = positions + at[a],
                                      .word = a == 0   ? columns
                                              : a == 1 ? rows
                                                       : planes};
  }
  for (size_t z = 0; z < grid->count[2]; z += size[2]) {
    place_brick(&brick, &axis[2], z, 0, size[2]);
    for (size_t y = 0; y < grid->count[1]; y += size[1]) {
      place_brick(&brick, &axis[1], y, 0, size[1]);
      const ptrdiff_t offset = (ptrdiff_t)y * grid->stride[1] + (ptrdiff_t)z * grid->stride[2];
      first_strip(strips);
      do {
        place_brick(&brick, &axis[0], (size_t)strips->x, strips->x < 0 ? (size_t)-strips->x : 0,
                    strips->columns);
        deliver_brick(&fill, &brick, size, offset + strips->x * grid->stride[0]);
      } while (next_strip(strips));
    }
  }
  close_sink(&fill.sink);
}

#endif
