/* SPDX-License-Identifier: MIT
 *
 * Filling a grid with cellular noise, brick by brick. In each octave the distance between samples
 * decides how a brick is computed: in boxes that share candidates (cell_boxes.h), by columns that
 * share the points of a row of cells (cell_columns.h), or as points.
 */
#ifndef PERLANE_NOISE_CELL_GRID_H
#define PERLANE_NOISE_CELL_GRID_H

#include "cell_boxes.h"
#include "cell_columns.h"
#include "cell_points.h"
#include "delivery.h"

/* Floats of the arrays of an axis, with room for the vectors that begin in its last rows. */
enum {
  BRICK_AXIS_SAMPLES = BRICK_COLUMNS + 4 * 16,
  BLENDED_SAMPLES = BRICK_SAMPLES / 4, /* of each of three layers */
};

/* ---- The plan of an octave ---- */

enum brick_method { BY_BOXES, BY_COLUMNS, BY_POINTS };

struct brick_plan {
  enum brick_method method;
  size_t size[3]; /* of boxes */
  int is_small;   /* most boxes need one ring of cells only */
};

/* The largest boxes, in cells and with what is around them, that are faster than columns. */
#ifndef TW64
#define TW64 .015
#define TAREA (LANES == 16 ? 4.7 : 5.5)
#define TVOL (LANES == 16 ? 8.0 : 10.0)
#endif
#define MAX_BOX_AREA TAREA
#define MAX_BOX_VOLUME TVOL
#define MAX_SMALL_BOX 5.0

static struct brick_plan plan_of(const struct perlane_region *grid, const struct brick *brick,
                                 double frequency, const size_t size[3]) {
  struct brick_plan plan = {BY_POINTS, {16, 16, 8}, 0};
  double cells[3] = {0, 0, 0}, product = 1;
  const int dims = grid->dims;
  if (dims == 1)
    return plan;
  for (int a = 0; a < dims; a++) {
    if (!grid_axis_is_near(grid, a, frequency))
      return plan;
    cells[a] = magnitude(grid->step[a]) * frequency;
    if (a == 0)
      plan.size[0] = cells[0] <= TW64 ? 64 : cells[0] <= 0.03 ? 32 : 16;
    else if (a == 1)
      plan.size[1] = dims == 2 && cells[1] <= 0.03 ? 32 : cells[1] <= 0.15 ? 16 : 8;
    else
      plan.size[2] = cells[2] <= 0.1 ? 8 : 4;
    product *= (double)(plan.size[a] < size[a] ? plan.size[a] : size[a]) * cells[a] + 1.2;
  }
  plan.is_small = product <= MAX_SMALL_BOX;
  const int reach = brick->cells.reach;
  int fits = 1; /* the words of a brick's cells */
  for (int a = 0; a < dims; a++)
    fits &= cells[a] * (double)size[a] + 2 * reach + 2 + LANES < BRICK_WORDS;
  if (fits && product <= (dims == 2 ? MAX_BOX_AREA : MAX_BOX_VOLUME))
    plan.method = BY_BOXES;
  else if (fits)
    plan.method = BY_COLUMNS;
  return plan;
}

/* ---- Octaves of a brick ---- */

static void fill_boxes(const struct brick *brick, const size_t size[3], int is_small,
                       const struct brick_target *target) {
  const int dims = brick->cells.dims;
  struct box box;
  size_t at[3] = {0, 0, 0};
  const size_t z_end = dims > 2 ? brick->of[2].end : 1;
  for (at[2] = 0; at[2] < z_end; at[2] += size[2])
    for (at[1] = 0; at[1] < brick->of[1].end; at[1] += size[1])
      for (at[0] = 0; at[0] < brick->of[0].end; at[0] += size[0]) {
        for (int a = 0; a < dims; a++) {
          const struct brick_axis *of = &brick->of[a];
          const size_t end = at[a] + size[a] < of->end ? at[a] + size[a] : of->end;
          enter_box_axis(&box, a, of, at[a], end);
        }
        box.rings = is_small ? 1 : brick->rings;
        if (!fill_box(brick, &box, target))
          search_box(brick, &box, target);
      }
}

/* A brick as points, row by row. */
static PERLANE_NOINLINE void fill_points(const struct brick *brick,
                                         const struct brick_target *target) {
  const int dims = brick->cells.dims;
  struct cell_axis axis[3], one[3];
  _Alignas(64) double position[2][LANES];
  float *memory = brick->scratch;
  const size_t n = brick->of[0].count;
  for (int a = 0; a < dims; a++) {
    one[a] = (struct cell_axis){memory, {0}, a > 0 ? position[a - 1] : brick->of[0].position};
    for (int o = 0; o < 3; o++)
      one[a].word[o] = (uint32_t *)(void *)(memory + (size_t)(o + 1) * n);
    axis[a] = one[a];
    memory += 4 * n;
  }
  double *positions[2];
  for (int a = 1; a < dims; a++, memory += 2 * n)
    positions[a - 1] = axis[a].position = (double *)(void *)memory;
  cell_words(&axis[0], n, 0, &brick->axis[0]);
  const size_t z_end = dims > 2 ? brick->of[2].end : 1, y_end = dims > 1 ? brick->of[1].end : 1;
  for (size_t z = 0; z < z_end; z++)
    for (size_t y = 0; y < y_end; y++) {
      for (int a = 1; a < dims; a++) {
        if (a == 2 && y > 0)
          continue;
        store_position(position[a - 1], brick, a, a == 1 ? y : z);
        cell_words(&one[a], LANES, 0, &brick->axis[a]);
        for (size_t i = LANES; i < n; i += LANES) {
          f_store(axis[a].fraction + i, f_load(axis[a].fraction));
          for (int o = 0; o < 3; o++)
            i_store(axis[a].word[o] + i, i_load(axis[a].word[o]));
        }
        for (size_t i = 0; i < n; i += LANES)
          d_store(positions[a - 1] + i, d_reload(position[a - 1]));
      }
      cell_points(&brick->cells, brick->axis, axis, n, target->sum,
                  target->to + (ptrdiff_t)y * target->row + (ptrdiff_t)z * target->plane);
    }
}

static void fill_octave(struct brick *brick, const struct field *field, int k, const size_t size[3],
                        const struct brick_target *target) {
  const struct perlane_octave *octave = &field->octave[k];
  const int dims = brick->cells.dims;
  enter_cells(&brick->cells, octave);
  for (int a = 0; a < dims; a++)
    enter_axis(&brick->axis[a], octave, dims);
  const struct brick_plan plan = plan_of(brick->grid, brick, octave->frequency, size);
  if (plan.method == BY_POINTS) {
    fill_points(brick, target);
    return;
  }
  brick->rings = plan.method == BY_COLUMNS ? 1 : rings_of(&brick->cells);
  for (int a = 0; a < dims; a++) {
    enter_brick_axis(&brick->of[a], &brick->axis[a]);
    brick_words(&brick->of[a], &brick->axis[a], brick->rings);
  }
  if (plan.method == BY_COLUMNS)
    fill_columns(brick, target);
  else
    fill_boxes(brick, plan.size, plan.is_small, target);
}

/* ---- The fill ---- */

/* All octaves of a brick, and their delivery. `offset` is that of the brick's first sample in the
 * output, which may be before it. */
static void deliver_brick(struct fill *fill, struct brick *brick, const size_t size[3],
                          ptrdiff_t offset) {
  const struct field *field = fill->field;
  const struct perlane_region *grid = fill->grid;
  const struct brick_axis *of = brick->of;
  const ptrdiff_t pitch = (ptrdiff_t)fill->pitch;
  const size_t rows = fill->dims > 1 ? of[1].end : 1, planes = fill->dims > 2 ? of[2].end : 1;
  const size_t plane_rows = size[1];
  struct brick_target target = {fill->tile.array[0], pitch, pitch * (ptrdiff_t)plane_rows, 0, 0};
  if (fill->direct && of[0].begin == 0 && of[0].end % BRICK_GRANULE == 0 &&
      (fill->dims == 1 || rows % BOX_ROWS == 0)) {
    float *out = (float *)fill->output->value + offset;
    const int is_aligned = (uintptr_t)out % CACHE_LINE_BYTES == 0 && fill->overlap == 0 &&
                           grid->stride[1] % BRICK_GRANULE == 0 &&
                           grid->stride[2] % BRICK_GRANULE == 0;
    if (is_aligned || !fill->stream) {
      target = (struct brick_target){out, grid->stride[1], grid->stride[2], 0, fill->stream};
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
  finish(field, samples, 1, &fill->tile);
  for (size_t z = 0; z < planes; z++)
    for (size_t y = 0; y < rows; y++)
      store_row(fill, &fill->tile, (z * plane_rows + y) * fill->pitch,
                offset + (ptrdiff_t)y * grid->stride[1] + (ptrdiff_t)z * grid->stride[2]);
}

static void make_fill(struct fill *fill, const struct field *field,
                      const struct perlane_region *grid, const struct perlane_output *output) {
  const size_t samples = grid->count[0] * grid->count[1] * grid->count[2];
  fill->field = field;
  fill->grid = grid;
  fill->output = output;
  fill->dims = grid->dims;
  fill->arrays = 1;
  fill->packed = 0;
  fill->blended = field->shaped;
  fill->finish = finish_of(field);
  fill->ending = finish_kind_of(&fill->finish);
  fill->plain = output->format == PERLANE_FLOAT && !output->extremes && fill->ending == FINISH_NONE;
  fill->direct = fill->plain && !fill->blended && field->octaves == 1 && grid->stride[0] == 1;
  fill->stream = samples >= 4 * 1024 * 1024 / sample_bytes(output);
  fill->extremes = empty_extremes();
  fill->line[0].begin = fill->line[0].end = 0;
  align_strips(fill);
}

/* The most samples of a brick along each axis. */
static void size_brick(size_t size[3], const struct fill *fill) {
  const size_t samples = fill->blended ? BLENDED_SAMPLES : BRICK_SAMPLES;
  size[1] = size[2] = 1;
  if (fill->dims < 3) {
    size[0] = fill->blended ? BRICK_COLUMNS / 2 : BRICK_COLUMNS;
    if (fill->dims == 2)
      size[1] = samples / size[0];
    return;
  }
  /* Integers of whole cache lines take more columns. */
  size[0] = sample_bytes(fill->output) < sizeof(float) ? BRICK_COLUMNS : 32;
  size[1] = !fill->blended && size[0] == 32 ? 16 : 8;
  size[2] = samples / (size[0] * size[1]);
}

static PERLANE_NOINLINE void fill_cells(const struct field *field,
                                        const struct perlane_region *grid,
                                        const struct perlane_output *output) {
  _Alignas(64) float samples[BRICK_SAMPLES], scratch[BRICK_SCRATCH];
  _Alignas(64) double positions[BRICK_AXIS_SAMPLES];
  _Alignas(64) float axes[2][BRICK_AXIS_SAMPLES];
  uint32_t words[3][BRICK_WORDS];
  static const size_t at[3] = {0, BRICK_COLUMNS, BRICK_COLUMNS + BRICK_ROWS + 16};
  struct fill fill;
  struct brick brick;
  struct grid_axis axis[3];
  size_t size[3];
  make_fill(&fill, field, grid, output);
  size_brick(size, &fill);
  size[0] = fill.pitch = balanced_columns(&fill, size[0]);
  for (size_t j = 0; j < 3; j++) {
    float *layer = samples + j * (fill.blended ? BLENDED_SAMPLES : 0);
    (j == 0 ? &fill.tile : j == 1 ? &fill.layer : &fill.weights)->array[0] = layer;
  }
  brick.cells = cells_of(field, grid->dims);
  brick.scratch = scratch;
  brick.grid = grid;
  for (int a = 0; a < 3; a++) {
    axis[a] = (struct grid_axis){field, grid, a};
    brick.axis[a] = axis_of(field, a);
    brick.start[a] = 0;
    brick.of[a] = (struct brick_axis){.fraction = axes[0] + at[a],
                                      .cell = axes[1] + at[a],
                                      .position = positions + at[a],
                                      .word = words[a]};
  }
  for (size_t z = 0; z < grid->count[2]; z += size[2]) {
    place_brick(&brick, &axis[2], z, 0, size[2]);
    for (size_t y = 0; y < grid->count[1]; y += size[1]) {
      place_brick(&brick, &axis[1], y, 0, size[1]);
      const ptrdiff_t offset = (ptrdiff_t)y * grid->stride[1] + (ptrdiff_t)z * grid->stride[2];
      for (fill.x = -(ptrdiff_t)fill.lead;; fill.x += (ptrdiff_t)fill.advance) {
        const size_t left = (size_t)((ptrdiff_t)grid->count[0] - fill.x);
        fill.last = left <= fill.pitch;
        fill.columns = fill.last ? left : fill.pitch;
        place_brick(&brick, &axis[0], (size_t)fill.x, fill.x < 0 ? (size_t)-fill.x : 0,
                    fill.columns);
        deliver_brick(&fill, &brick, size, offset + fill.x * grid->stride[0]);
        if (fill.last)
          break;
      }
    }
  }
  write_line(&fill.line[0]);
  if (fill.stream)
    stream_fence();
  write_extremes(output, &fill.extremes);
}

#endif
