/* SPDX-License-Identifier: MIT
 *
 * Filling a 1D grid, a block at a time. There are no rows to share work: each sample is an edge.
 */
#ifndef PERLANE_NOISE_GRID_LINE_H
#define PERLANE_NOISE_GRID_LINE_H

#include "../lattice/combine.h"
#include "../output/tile.h"

enum { LINE_BLOCK = 256 };

/* One octave of n samples; with `sum`, added to those in `samples`. Constant: `source` and
 * `slopes`. */
PERLANE_INLINE void line_of(enum source source, int slopes, const struct lattice *lattice,
                            const struct axis_arrays *columns, size_t n, int sum,
                            const struct samples *samples) {
  const struct axis_arrays local = *columns;
  struct samples out;
  struct cell_corners corners;
  out.array[0] = samples->array[0];
  out.array[1] = samples->array[1];
  for (size_t i = 0; i < n; i += LANES) {
    const struct axis_lanes x = axis_load(slopes, &local, i);
    combine_cells((struct corner_kind){source, 1, slopes}, lattice, &x, &corners, sum, &out, i);
  }
}

static PERLANE_NOINLINE void line_octave(const struct lattice *lattice,
                                         const struct axis_arrays *columns, size_t n, int sum,
                                         const struct samples *samples) {
#define LINE_OF(source)                                                                            \
  if (columns->slope)                                                                              \
    line_of(source, 1, lattice, columns, n, sum, samples);                                         \
  else                                                                                             \
    line_of(source, 0, lattice, columns, n, sum, samples)
  if (lattice->source == SOURCE_QUICK) {
    LINE_OF(SOURCE_QUICK);
  } else if (lattice->source == SOURCE_LOOKUP) {
    LINE_OF(SOURCE_LOOKUP);
  } else {
    LINE_OF(SOURCE_VALUES);
  }
#undef LINE_OF
}

/* A 1D grid, of which a strip is a block. */
struct line_fill {
  const struct perlane_region *grid;
  struct sink sink;
  struct tile tile;
  struct lattice lattice;
  struct axis_arrays columns;
};

static void line_in_tile(void *producer, int k, int sum, const struct samples *samples) {
  struct line_fill *fill = producer;
  const struct strips *strips = &fill->sink.strips;
  const struct grid_axis x_axis = {fill->tile.field, fill->grid, 0};
  const struct perlane_octave *octave = &fill->tile.field->octave[k];
  begin_octave(&fill->lattice, octave, 1);
  grid_axis_pass(&fill->columns, &x_axis, (size_t)strips->x, strips->columns, octave);
  line_octave(&fill->lattice, &fill->columns, strips->columns, sum, samples);
}

static PERLANE_NOINLINE int fill_line(const struct field *field, const struct perlane_region *grid,
                                      const struct perlane_output *output) {
  _Alignas(64) float memory[(AXIS_FLOATS + AXIS_SLOPE_FLOATS) * LINE_BLOCK];
  _Alignas(64) float samples[3 * 2 * LINE_BLOCK + 2 * LANES]; /* store_values reads past rows */
  struct open_line line[MAX_ARRAYS];
  struct line_fill fill;
  fill.grid = grid;
  make_lattice(&fill.lattice, field, 1);
  open_sink(&fill.sink, grid, output, field, 1, line, MAX_ARRAYS);
  begin_tile(&fill.tile, field, &fill.sink);
  balance_strips(&fill.sink.strips, LINE_BLOCK);
  fill.tile.pitch = fill.sink.strips.width;
  fill.columns = axis_arrays_in(memory, LINE_BLOCK, fill.tile.arrays > 1);
  lay_out_tile(&fill.tile, samples, LINE_BLOCK);
  first_strip(&fill.sink.strips);
  do
    deliver_rows(&fill.tile, 1, (const size_t[PERLANE_MAX_DIMS]){0}, line_in_tile, &fill);
  while (next_strip(&fill.sink.strips));
  close_sink(&fill.sink);
  return 1;
}

#endif
