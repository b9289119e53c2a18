/* SPDX-License-Identifier: MIT
 *
 * Filling a grid through the points' evaluator, a block of samples at a time: for grids of so few
 * samples that strips would take longer to set up, for fields of many octaves in many dimensions
 * that need more scratch memory than grid.h has, and for gradients of warped and cellular fields.
 * Also tiles of warped fields with gullies: their octaves are points, but gullies follow rows.
 */
#ifndef PERLANE_NOISE_POINTS_BLOCK_FILL_H
#define PERLANE_NOISE_POINTS_BLOCK_FILL_H

#include "../output/sink.h"
#include "lists.h"
#include "warp.h"

enum { FILL_BLOCK = 64, BLOCK_ROWS = 16 };

/* Returns 1 if setting up strips, or tiles of a warp, takes longer than evaluating points. Strips
 * are set up for each octave. */
static int has_few_samples(const struct field *field, const struct perlane_region *grid) {
  const size_t samples = samples_of_grid(grid);
  if (field->params->warp_amplitude != 0)
    return samples <= FILL_BLOCK;
  if (grid->dims == 1 || source_of(field, grid->dims) != SOURCE_QUICK)
    return samples <= 4;
  return samples <= (field->octaves == 1 ? 16 : LANES < 8 ? 32 : FILL_BLOCK);
}

/* Samples that wait for their evaluation: parts of sample rows, one after the other. */
struct pending_block {
  const perlane_noise *noise;
  struct sink *sink;
  size_t samples, rows, capacity;
  union { /* a block is read before its results are written */
    double position[PERLANE_MAX_DIMS][FILL_BLOCK];
    float result[MAX_ARRAYS * FILL_BLOCK];
  } memory;
  struct {
    size_t samples;
    ptrdiff_t offset;
  } row[BLOCK_ROWS];
};

static PERLANE_NOINLINE void evaluate_pending(struct pending_block *block) {
  const struct samples samples = samples_in(block->memory.result, FILL_BLOCK);
  const struct perlane_region *grid = block->sink->grid;
  double(*const position)[FILL_BLOCK] = block->memory.position;
  const double *const coords[] = {position[0], position[1], position[2], position[3]};
  const struct perlane_point_list list = {.dims = grid->dims,
                                          .octaves = grid->octaves,
                                          .n = block->samples,
                                          .coords64 = coords,
                                          .stride = 1,
                                          .out = samples.array[0],
                                          .gradient =
                                              block->sink->arrays > 1 ? &samples.array[1] : NULL};
  evaluate_list(block->noise, &list);
  for (size_t r = 0, start = 0; r < block->rows; start += block->row[r++].samples)
    store_samples(block->sink, &samples, start, block->row[r].samples, block->row[r].offset);
  block->samples = block->rows = 0;
}

/* Adds the row's samples from `start` on, as many as the block has room for. Returns how many. */
static size_t add_to_block(struct pending_block *block, const size_t index[PERLANE_MAX_DIMS],
                           size_t start) {
  const struct perlane_region *grid = block->sink->grid;
  const size_t room = block->capacity - block->samples, left = grid->count[0] - start;
  const size_t n = left < room ? left : room;
  ptrdiff_t offset = (ptrdiff_t)start * grid->stride[0];
  for (int a = 0; a < grid->dims; a++) {
    double *position = block->memory.position[a] + block->samples;
    for (size_t i = 0; i < n; i++)
      position[i] = grid_position(grid, a, a == 0 ? start + i : index[a]);
    offset += a == 0 ? 0 : (ptrdiff_t)index[a] * grid->stride[a];
  }
  block->row[block->rows].samples = n;
  block->row[block->rows++].offset = offset;
  block->samples += n;
  return n;
}

/* Fills a grid through evaluate_list. Blocks have no more points than warped runs have, all of
 * which are read before any is written. */
static PERLANE_NOINLINE void fill_by_lists(const perlane_noise *noise,
                                           const struct perlane_region *grid,
                                           const struct perlane_output *output) {
  struct sink sink;
  struct open_line line[MAX_ARRAYS];
  struct pending_block block;
  open_sink(&sink, grid, output, NULL, 1, line, MAX_ARRAYS);
  block.noise = noise;
  block.capacity = noise->params.warp_amplitude != 0 ? WARP_LEAST : FILL_BLOCK;
  block.sink = &sink;
  block.samples = block.rows = 0;
  size_t index[PERLANE_MAX_DIMS];
  for (index[3] = 0; index[3] < grid->count[3]; index[3]++)
    for (index[2] = 0; index[2] < grid->count[2]; index[2]++)
      for (index[1] = 0; index[1] < grid->count[1]; index[1]++)
        for (size_t i = 0; i < grid->count[0];) {
          i += add_to_block(&block, index, i);
          if (block.samples == block.capacity || block.rows == BLOCK_ROWS)
            evaluate_pending(&block);
        }
  if (block.samples > 0)
    evaluate_pending(&block);
  close_sink(&sink);
}

/* ---- Warped fields with gullies ---- */

enum { CARVED_COLUMNS = 64 };
_Static_assert(WARP_FLOATS >= 2 * 2 * (1 + 2) * CARVED_COLUMNS, "a row is one run of the warp");

/* Fills a 2D grid of a warped field with gullies by tiles: the sums of the octaves, with their
 * derivatives, are evaluated as rows of points; the tile lowers, carves and finishes them. */
static PERLANE_NOINLINE void fill_carved(const struct field *field,
                                         const struct perlane_region *grid,
                                         const struct perlane_output *output) {
  _Alignas(64) float sums[3 * GULLY_ROWS * CARVED_COLUMNS + 2 * LANES]; /* read past rows */
  _Alignas(64) double x[CARVED_COLUMNS];
  perlane_params params = *field->params; /* of a field that ends with the sum */
  params.gullies = params.falloff = 0;
  params.curve.count = params.terraces = 0;
  params.contrast = 1;
  struct field summed = *field;
  summed.params = &params;
  summed.gullies = 0;
  summed.value_scale = 1;
  summed.value_offset = 0;
  const struct grid_axis x_axis = {field, grid, 0};
  struct open_line line[MAX_ARRAYS];
  struct sink sink;
  struct tile tile;
  open_sink(&sink, grid, output, field, 1, line, MAX_ARRAYS);
  begin_tile(&tile, field, &sink);
  balance_strips(&sink.strips, CARVED_COLUMNS);
  tile.pitch = sink.strips.width;
  tile.sums = samples_in(sums, GULLY_ROWS * tile.pitch);
  first_strip(&sink.strips);
  do {
    const size_t lead = sink.strips.x < 0 ? (size_t)-sink.strips.x : 0; /* before the grid */
    const size_t column = (size_t)sink.strips.x + lead, columns = sink.strips.columns - lead;
    grid_positions(x, &x_axis, column, columns);
    size_t index[PERLANE_MAX_DIMS] = {0};
    for (size_t rows; index[1] < grid->count[1]; index[1] += rows) {
      const size_t left = grid->count[1] - index[1];
      rows = left < GULLY_ROWS ? left : GULLY_ROWS;
      for (size_t r = 0; r < rows; r++) {
        const struct samples row = samples_from(&tile.sums, r * tile.pitch + lead);
        const struct point_source source[2] = {{.stored = x,
                                                .first = grid->first[0] + (int64_t)column,
                                                .origin = grid->origin[0],
                                                .step = grid->step[0]},
                                               {.origin = grid_position(grid, 1, index[1] + r)}};
        evaluate_noise(&summed, 2, source, columns, row.array[0], &row.array[1]);
      }
      finish_rows(&tile, 0, rows, index);
      store_rows(&tile, 0, rows, offset_of_row(&sink, index));
    }
  } while (next_strip(&sink.strips));
  close_sink(&sink);
}

#endif
