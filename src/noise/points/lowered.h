/* SPDX-License-Identifier: MIT
 *
 * Fields with a falloff. All producers evaluate them without it, and finish nothing; here the sums
 * are lowered by their positions, and finished: of a list block by block, of a grid tile by tile.
 */
#ifndef PERLANE_NOISE_POINTS_LOWERED_H
#define PERLANE_NOISE_POINTS_LOWERED_H

#include "../octaves/falloff.h"
#include "../output/sink.h"
#include "block_fill.h"

enum {
  LOWERED_POINTS = 32,
  LOWERED_COLUMNS = 512,
  LOWERED_TILE_BYTES = 64 * 1024,
  LOWERED_WORK_BYTES = 2 * LOWERED_TILE_BYTES, /* the least that tiles need */
};

/* ---- Lists ---- */

/* Lowers and finishes the sums of n points. (Not inlined: what it needs is not on the stack while
 * the sums are evaluated.) */
static PERLANE_NOINLINE void finish_points(const struct field *field, int dims,
                                           const struct point_source *source, size_t n, float *out,
                                           float *const *gradient, const struct samples *sums) {
  _Alignas(64) float u[PERLANE_MAX_DIMS][LOWERED_POINTS];
  _Alignas(64) double position[LOWERED_POINTS];
  uint32_t inside[LOWERED_POINTS];
  float *const distance[PERLANE_MAX_DIMS] = {u[0], u[1], u[2], u[3]};
  const struct falloff falloff = falloff_of(field->noise, dims);
  const struct finish finish = finish_of_sum(field);
  const int arrays = gradient ? 1 + dims : 1;
  for (int a = 0; a < dims; a++) {
    load_coordinates(&source[a], 0, n, position);
    for (size_t i = 0; i < n; i += LANES)
      f_store(u[a] + i, distances(&falloff, a, d_reload(position + i)));
  }
  for (size_t i = 0; i < n; i += LANES) {
    const vf sum = f_load(sums->array[0] + i);
    i_store(inside + i, f_not_above(sum, sum)); /* not NaN */
  }
  lower(&falloff, n, arrays, distance, sums);
  finish_samples(&finish, n, arrays, sums);
  if (out)
    write_points(inside, sums->array[0], n, out);
  for (int a = 0; gradient && a < dims; a++)
    write_points(inside, sums->array[1 + a], n, gradient[a]);
}

static void evaluate_lowered(const struct field *field, int dims, const struct point_source *source,
                             size_t n, float *out, float *const *gradient) {
  _Alignas(64) float memory[MAX_ARRAYS * LOWERED_POINTS];
  const struct samples sums = samples_in(memory, LOWERED_POINTS);
  for (size_t start = 0; start < n; start += LOWERED_POINTS) {
    const size_t left = n - start, points = left < LOWERED_POINTS ? left : LOWERED_POINTS;
    struct point_source from[PERLANE_MAX_DIMS];
    float *to[PERLANE_MAX_DIMS];
    for (int a = 0; a < dims; a++) {
      from[a] = source_from(&source[a], start);
      to[a] = gradient ? gradient[a] + start : NULL;
    }
    evaluate_list(field, dims, from, points, sums.array[0], gradient ? &sums.array[1] : NULL);
    finish_points(field, dims, from, points, out ? out + start : NULL, gradient ? to : NULL, &sums);
  }
}

/* A single value, as of a list of one point. */
static float one_lowered(const perlane_noise *noise, int dims, const double *position,
                         float *gradient) {
  struct point_source source[PERLANE_MAX_DIMS];
  float value, *to[PERLANE_MAX_DIMS];
  for (int a = 0; a < dims; a++) {
    source[a] = (struct point_source){.coords64 = position + a, .stride = 1};
    to[a] = gradient ? gradient + a : NULL;
  }
  const struct field field = field_of(noise, noise->octaves);
  evaluate_lowered(&field, dims, source, 1, &value, gradient ? to : NULL);
  return value;
}

/* ---- Grids ---- */

/* A fill, and the memory of a tile. */
struct lowered {
  const perlane_noise *noise;
  struct falloff falloff;
  struct finish finish;
  struct sink sink;
  struct perlane_region tile;
  struct perlane_output sums;
  struct samples samples;
  float *u[PERLANE_MAX_DIMS];
  size_t width, rows; /* of a tile at most */
};

/* Divides work memory into the open lines of the tile's rows, distances, and samples. */
static void lay_out_lowered(struct lowered *fill, const struct perlane_region *grid,
                            const struct perlane_output *output) {
  const size_t vectors = (grid->count[0] + LANES - 1) / LANES * LANES;
  const size_t arrays = output->gradient[0] ? 1 + (size_t)grid->dims : 1;
  fill->width = vectors < LOWERED_COLUMNS ? vectors : LOWERED_COLUMNS;
  const size_t row_floats = fill->width * sizeof(float);
  const size_t rows = (LOWERED_TILE_BYTES - READ_PAST_BYTES - PERLANE_MAX_DIMS * row_floats) /
                      (arrays * (row_floats + sizeof(struct open_line)));
  fill->rows = rows < grid->count[1] ? rows : grid->count[1];
  const size_t lines = arrays * fill->rows;
  struct open_line *line = (struct open_line *)grid->work;
  float *floats = (float *)(void *)(line + lines);
  for (int a = 0; a < PERLANE_MAX_DIMS; a++, floats += fill->width)
    fill->u[a] = floats;
  fill->samples = samples_in(floats, fill->width * fill->rows);
  fill->sums = (struct perlane_output){.format = PERLANE_FLOAT, .value = fill->samples.array[0]};
  for (size_t a = 0; a + 1 < arrays; a++)
    fill->sums.gradient[a] = fill->samples.array[1 + a];
  open_sink(&fill->sink, grid, output, NULL, line, (int)lines);
}

/* Lowers, finishes and stores the rows of a tile, which begins at `offset` of the output. */
static void finish_tile(struct lowered *fill, ptrdiff_t offset) {
  const struct perlane_region *tile = &fill->tile, *grid = fill->sink.grid;
  const size_t columns = tile->count[0], arrays = (size_t)fill->sink.arrays;
  const struct field field = field_of(fill->noise, tile->octaves);
  const struct grid_axis x_axis = {&field, tile, 0};
  for (size_t i = 0; i < columns; i += LANES) {
    _Alignas(64) double position[LANES];
    grid_positions(position, &x_axis, i, LANES);
    f_store(fill->u[0] + i, distances(&fill->falloff, 0, d_reload(position)));
  }
  for (size_t r = 0; r < tile->count[1]; r++) {
    for (int a = 1; a < tile->dims; a++) {
      const vf u = distances(&fill->falloff, a, d_set(grid_position(tile, a, a == 1 ? r : 0)));
      for (size_t i = 0; i < columns; i += LANES)
        f_store(fill->u[a] + i, u);
    }
    struct samples row;
    for (size_t j = 0; j < arrays; j++)
      row.array[j] = fill->samples.array[j] + r * fill->width;
    lower(&fill->falloff, columns, (int)arrays, fill->u, &row);
    finish_samples(&fill->finish, columns, (int)arrays, &row);
    struct open_line *line = fill->sink.line + (columns < grid->count[0] ? r * arrays : 0);
    for (size_t j = 0; j < arrays; j++)
      store_array(&fill->sink, (int)j, line + j, row.array[j], columns,
                  offset + (ptrdiff_t)r * grid->stride[1]);
  }
}

/* Fills a grid tile by tile; `producers` fill a tile with sums, in the work memory that is left. */
static void fill_lowered_tiles(struct lowered *fill, perlane_fill_kernel *producers) {
  const struct perlane_region *grid = fill->sink.grid;
  struct perlane_region *tile = &fill->tile;
  size_t at[PERLANE_MAX_DIMS];
  *tile = *grid;
  tile->work = (unsigned char *)grid->work + LOWERED_TILE_BYTES;
  tile->work_bytes = grid->work_bytes - LOWERED_TILE_BYTES;
  tile->stride[0] = 1;
  tile->stride[1] = tile->stride[2] = tile->stride[3] = (ptrdiff_t)fill->width;
  tile->count[2] = tile->count[3] = 1;
  for (at[3] = 0; at[3] < grid->count[3]; at[3]++)
    for (at[2] = 0; at[2] < grid->count[2]; at[2]++)
      for (at[1] = 0; at[1] < grid->count[1]; at[1] += fill->rows)
        for (at[0] = 0; at[0] < grid->count[0]; at[0] += fill->width) {
          const size_t x_left = grid->count[0] - at[0], y_left = grid->count[1] - at[1];
          ptrdiff_t offset = 0;
          for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
            tile->first[a] = grid->first[a] + (int64_t)at[a];
            offset += (ptrdiff_t)at[a] * grid->stride[a];
          }
          tile->count[0] = x_left < fill->width ? x_left : fill->width;
          tile->count[1] = y_left < fill->rows ? y_left : fill->rows;
          producers(fill->noise, tile, &fill->sums);
          finish_tile(fill, offset);
        }
  close_sink(&fill->sink);
}

/* (Not inlined: the fill's structure is not on the stack of fill_by_blocks.) */
static PERLANE_NOINLINE void fill_lowered_in_work(const struct field *field,
                                                  const struct perlane_region *grid,
                                                  const struct perlane_output *output,
                                                  perlane_fill_kernel *producers) {
  struct lowered fill = {.noise = field->noise,
                         .falloff = falloff_of(field->noise, grid->dims),
                         .finish = finish_of_sum(field)};
  lay_out_lowered(&fill, grid, output);
  fill_lowered_tiles(&fill, producers);
}

/* Fills a grid with the values of a field with a falloff. */
static PERLANE_NOINLINE void fill_lowered(const perlane_noise *noise,
                                          const struct perlane_region *grid,
                                          const struct perlane_output *output,
                                          perlane_fill_kernel *producers) {
  const struct field field = field_of(noise, grid->octaves);
  if (grid->work_bytes < LOWERED_WORK_BYTES) /* the stack has no room for a tile and a fill */
    fill_by_blocks(&field, grid, output, (struct list_evaluator){evaluate_lowered, LOWERED_POINTS});
  else
    fill_lowered_in_work(&field, grid, output, producers);
}

#endif
