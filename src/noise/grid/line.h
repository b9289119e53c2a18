/* SPDX-License-Identifier: MIT
 *
 * Filling a 1D grid, a block at a time. There are no rows to share work: each sample is an edge.
 */
#ifndef PERLANE_NOISE_GRID_LINE_H
#define PERLANE_NOISE_GRID_LINE_H

#include "../lattice/any_corners.h"
#include "../output/sink.h"

enum { LINE_BLOCK = 256 };

/* One octave of n samples; with `sum`, added to those in `to`. Constant: `slopes`. */
PERLANE_INLINE void quick_line(int slopes, const struct lattice *lattice,
                               const struct axis_arrays *columns, size_t n, int sum,
                               const struct samples *to) {
  const struct corner_kind kind = {SOURCE_QUICK, 1, slopes};
  const struct axis_arrays from = *columns;
  float *value = to->array[0], *derivative = to->array[1];
  for (size_t i = 0; i < n; i += LANES) {
    const struct axis_lanes x = axis_load(slopes, &from, i);
    const struct edge_row edge = edge_row_at(kind, lattice, &x, x.word, x.word, NULL, NULL, 0);
    const vf v = edge.value.value;
    f_store(value + i, sum ? f_add(f_load(value + i), v) : v);
    if (slopes) {
      const vf d = edge.x.value;
      f_store(derivative + i, sum ? f_add(f_load(derivative + i), d) : d);
    }
  }
}

static PERLANE_NOINLINE void line_octave(const struct lattice *lattice,
                                         const struct axis_arrays *columns, size_t n, int sum,
                                         const struct samples *to, float any[ANY_FLOATS]) {
  if (lattice->source != SOURCE_QUICK)
    any_corners(1, lattice, columns, n, sum, to, any);
  else if (columns->slope)
    quick_line(1, lattice, columns, n, sum, to);
  else
    quick_line(0, lattice, columns, n, sum, to);
}

static PERLANE_NOINLINE void fill_line(const struct field *field, const struct perlane_region *grid,
                                       const struct perlane_output *output) {
  _Alignas(64) float memory[(AXIS_FLOATS + AXIS_SLOPE_FLOATS) * LINE_BLOCK];
  _Alignas(64) float layer_memory[3][MAX_ARRAYS * LINE_BLOCK];
  _Alignas(64) float any_memory[ANY_FLOATS];
  const int slopes = output->gradient[0] || is_eroded(field), arrays = 1 + slopes;
  const struct axis_arrays columns = axis_arrays_in(memory, LINE_BLOCK, slopes);
  const struct samples sums = samples_in(layer_memory[0], LINE_BLOCK);
  const struct samples layer = samples_in(layer_memory[1], LINE_BLOCK);
  const struct samples weights = samples_in(layer_memory[2], LINE_BLOCK);
  const struct grid_axis x_axis = {field, grid, 0};
  struct lattice lattice;
  struct sink sink;
  struct open_line line[MAX_ARRAYS];
  make_lattice(&lattice, field, 1);
  open_sink(&sink, grid, output, field, line, MAX_ARRAYS);
  for (size_t start = 0; start < grid->count[0]; start += LINE_BLOCK) {
    const size_t left = grid->count[0] - start, n = left < LINE_BLOCK ? left : LINE_BLOCK;
    for (int k = 0; k < field->octaves; k++) {
      const struct perlane_octave *octave = &field->octave[k];
      begin_octave(&lattice, octave, 1);
      grid_axis_pass(&columns, &x_axis, start, n, octave);
      if (field->shaped) {
        const struct shaping shaping = shaping_of(field, k, arrays);
        line_octave(&lattice, &columns, n, 0, &layer, any_memory);
        blend(&shaping, n, &layer, &sums, &weights);
      } else {
        line_octave(&lattice, &columns, n, k > 0, &sums, any_memory);
      }
    }
    finish_in_sink(&sink, n, &sums);
    store_samples(&sink, &sums, 0, n, (ptrdiff_t)start * grid->stride[0]);
  }
  close_sink(&sink);
}

#endif
