/* SPDX-License-Identifier: MIT
 *
 * The driver of every fill.
 *
 * The octaves of a field are evaluated one by one, and most of what is done to them needs all
 * samples of one octave, or their sum: shapes, weights, erosion; then the falloff, gullies, and
 * what finishes a sum. So a fill goes tile by tile, a few sample rows of a strip that stay in the
 * cache. A producer evaluates one octave at all samples of the tile, or adds it to them; the driver
 * shapes and sums octaves, sculpts and finishes them and hands them to the sink.
 * Where nothing is left to do but to finish in registers, a producer may send the last octave
 * straight to the sink's places.
 */
#ifndef PERLANE_NOISE_OUTPUT_TILE_H
#define PERLANE_NOISE_OUTPUT_TILE_H

#include "../lattice/axis.h"
#include "sink.h"

enum { SCULPTED_COLUMNS = 64 };

struct tile {
  const struct field *field;
  struct sink *sink;
  int arrays;        /* of each octave: 1, or 1 + dims with derivatives, which erosion needs */
  int blended;       /* octaves are shaped one by one, in `layer`, before they are added */
  int slopes_summed; /* the producer adds derivatives to the sums, for erosion */
  int direct;        /* the last octave may go straight to places, where the sink finishes it */
  size_t pitch;      /* floats from one sample row to the next */
  struct samples sums, layer, weights;
};

/* Begins a fill, whose sink is open. */
static void begin_tile(struct tile *tile, const struct field *field, struct sink *sink) {
  tile->field = field;
  tile->sink = sink;
  tile->arrays = sink->arrays > 1 || needs_slopes(field) ? 1 + sink->grid->dims : 1;
  tile->blended = field->shaped && sink->finish.shape == PERLANE_FRACTAL_FBM;
  tile->slopes_summed = 0;
  tile->direct = sink->in_registers && !tile->blended;
}

/* Returns 1 if the samples of a single octave are the output's: rows may go to places as they are.
 */
PERLANE_INLINE int is_plain_octave(const struct tile *tile) {
  return tile->direct && tile->sink->is_raw && tile->arrays == 1 && tile->field->octaves == 1;
}

/* Returns how many sets of arrays the tile needs. */
PERLANE_INLINE size_t sets_of_tile(const struct tile *tile) {
  return tile->blended ? 3 : 1;
}

/* Lays out the tile's arrays, of n floats each, one after the other. */
static void lay_out_tile(struct tile *tile, float *memory, size_t n) {
  const size_t set = tile->blended ? (size_t)tile->arrays * n : 0;
  tile->sums = samples_in(memory, n);
  tile->layer = samples_in(memory + set, n);
  tile->weights = samples_in(memory + 2 * set, n);
}

/* Sums the first octaves of n samples. `evaluate` evaluates octave k at all of them; with `sum`, it
 * adds it to what is in `samples`. Constant: `evaluate`. */
PERLANE_INLINE void sum_octaves(const struct tile *tile, int octaves, size_t n,
                                void (*evaluate)(void *producer, int k, int sum,
                                                 const struct samples *samples),
                                void *producer) {
  for (int k = 0; k < octaves; k++) {
    if (!tile->blended) {
      evaluate(producer, k, k > 0, &tile->sums);
      continue;
    }
    struct shaping shaping = shaping_of(tile->field, k, tile->arrays);
    shaping.slopes_summed = tile->slopes_summed;
    evaluate(producer, k, 0, &tile->layer);
    blend(&shaping, n, &tile->layer, &tile->sums, &tile->weights);
  }
}

/* Carves gullies into columns of rows of the current strip: see finish_rows. */
static PERLANE_NOINLINE void carve_rows(const struct tile *tile,
                                        const struct perlane_gullies *gullies, const double *x,
                                        size_t columns, const struct samples *rows, size_t count,
                                        size_t y) {
  _Alignas(64) double lines[GULLY_ROWS];
  const struct grid_axis y_axis = {tile->field, tile->sink->grid, 1};
  for (size_t r = 0; r < count; r += GULLY_ROWS) {
    const size_t left = count - r, n = left < GULLY_ROWS ? left : GULLY_ROWS;
    grid_positions(lines, &y_axis, y + r, n);
    for (size_t i = 0; i < columns; i += LANES) {
      const struct samples part = samples_from(rows, r * tile->pitch + i);
      carve(gullies, x + i, lines, 0, n, tile->pitch, &part);
    }
  }
}

/* Subtracts the falloff from rows of the current strip and carves gullies into them: see
 * finish_rows. */
static PERLANE_NOINLINE void sculpt_rows(const struct tile *tile, const struct samples *rows,
                                         size_t count, const size_t index[PERLANE_MAX_DIMS]) {
  _Alignas(64) double x[SCULPTED_COLUMNS], others[PERLANE_MAX_DIMS][LANES];
  const struct perlane_region *grid = tile->sink->grid;
  const struct strips *strips = &tile->sink->strips;
  const struct grid_axis x_axis = {tile->field, grid, 0};
  const struct falloff falloff = falloff_of(tile->field->params);
  const struct positions positions = {{x, others[1], others[2], others[3]}, 1};
  const int arrays = arrays_after_sum(tile->field, grid->dims, tile->sink->arrays);
  struct perlane_gullies gullies;
  if (tile->field->gullies > 0)
    perlane_field_gullies(tile->field->noise, tile->field->gullies, &gullies);
  for (int a = 2; a < grid->dims; a++)
    d_store(others[a], d_set(grid_position(grid, a, index[a])));
  for (size_t start = 0; start < strips->columns; start += SCULPTED_COLUMNS) {
    const size_t left = strips->columns - start;
    const size_t columns = left < SCULPTED_COLUMNS ? left : SCULPTED_COLUMNS;
    grid_positions(x, &x_axis, (size_t)strips->x + start, columns);
    for (size_t r = 0; r < count && has_falloff(tile->field); r++) {
      const struct samples part = samples_from(rows, r * tile->pitch + start);
      d_store(others[1], d_set(grid_position(grid, 1, index[1] + r)));
      subtract_falloff(&falloff, grid->dims, columns, arrays, &positions, &part);
    }
    if (tile->field->gullies > 0) {
      const struct samples part = samples_from(rows, start);
      carve_rows(tile, &gullies, x, columns, &part, count, index[1]);
    }
  }
}

/* Finishes `rows` sample rows of the current strip, which begin at `start` in the tile's arrays and
 * at row index[1] of plane index[2] and volume index[3]. */
static void finish_rows(const struct tile *tile, size_t start, size_t rows,
                        const size_t index[PERLANE_MAX_DIMS]) {
  const struct samples samples = samples_from(&tile->sums, start);
  if (needs_positions(tile->field))
    sculpt_rows(tile, &samples, rows, index);
  finish_in_sink(tile->sink, rows * tile->pitch, &samples);
}

/* Stores the rows that finish_rows has finished. */
static void store_rows(const struct tile *tile, size_t start, size_t rows, ptrdiff_t offset) {
  /* Not a running sum: it would overflow after the last row of the largest stride. */
  for (size_t r = 0; r < rows; r++)
    store_row(tile->sink, &tile->sums, start + r * tile->pitch,
              offset + (ptrdiff_t)r * tile->sink->grid->stride[1]);
}

/* The offset in the output of column 0 of the current strip in row index[1] of plane index[2] and
 * volume index[3]. */
PERLANE_INLINE ptrdiff_t offset_of_row(const struct sink *sink,
                                       const size_t index[PERLANE_MAX_DIMS]) {
  const ptrdiff_t *stride = sink->grid->stride;
  ptrdiff_t offset = sink->strips.x * stride[0];
  PERLANE_UNROLL for (int a = 1; a < PERLANE_MAX_DIMS; a++) offset +=
      (ptrdiff_t)index[a] * stride[a];
  return offset;
}

/* Fills `rows` sample rows of the current strip, the first of which is row index[1] of plane
 * index[2] and volume index[3]. Constant: `evaluate`. */
PERLANE_INLINE void
deliver_rows(const struct tile *tile, size_t rows, const size_t index[PERLANE_MAX_DIMS],
             void (*evaluate)(void *producer, int k, int sum, const struct samples *samples),
             void *producer) {
  sum_octaves(tile, tile->field->octaves, rows * tile->pitch, evaluate, producer);
  finish_rows(tile, 0, rows, index);
  store_rows(tile, 0, rows, offset_of_row(tile->sink, index));
}

#endif
