/* SPDX-License-Identifier: MIT
 *
 * Filling a 1D grid, a block at a time. There are no rows to share work: each sample is an edge.
 */
#ifndef PERLANE_NOISE_LINE_H
#define PERLANE_NOISE_LINE_H

#include "combine.h"
#include "finish.h"
#include "store.h"

enum { LINE_BLOCK = 256 };

/* One octave of n samples; with `sum`, added to those in `to`. */
PERLANE_INLINE void line_octave(enum source source, int slopes, int sum,
                                const struct lattice *lattice, const struct axis_arrays *columns,
                                size_t n, const struct samples *to) {
  const struct kind kind = {source, 1, slopes};
  for (size_t i = 0; i < n; i += LANES) {
    const struct axis_lanes x = axis_load(slopes, columns, i);
    const struct lattice_row rows = lattice_row_at(kind, lattice, &x, x.word, NULL, NULL);
    const vf v = rows.value.value;
    f_store(to->array[0] + i, sum ? f_add(f_load(to->array[0] + i), v) : v);
    if (slopes) {
      const vf d = rows.x.value;
      f_store(to->array[1] + i, sum ? f_add(f_load(to->array[1] + i), d) : d);
    }
  }
}

static void line_octave_by(const struct lattice *lattice, const struct axis_arrays *columns,
                           int sum, size_t n, const struct samples *to) {
#define BY(source)                                                                                 \
  columns->slope ? line_octave(source, 1, sum, lattice, columns, n, to)                            \
                 : line_octave(source, 0, sum, lattice, columns, n, to)
  switch (lattice->source) {
  case SOURCE_QUICK:
    BY(SOURCE_QUICK);
    break;
  case SOURCE_LOOKUP:
    BY(SOURCE_LOOKUP);
    break;
  case SOURCE_VALUES:
    BY(SOURCE_VALUES);
    break;
  }
#undef BY
}

static void fill_line(const perlane_noise *noise, const struct perlane_region *grid,
                      const struct perlane_output *output) {
  _Alignas(64) float memory[(AXIS_FLOATS + AXIS_SLOPE_FLOATS) * LINE_BLOCK];
  _Alignas(64) float layer_memory[3][MAX_ARRAYS * LINE_BLOCK];
  const int slopes = output->gradient[0] != NULL, arrays = 1 + slopes;
  const struct axis_arrays columns = axis_arrays_in(memory, LINE_BLOCK, slopes);
  const struct samples sums = samples_in(layer_memory[0], LINE_BLOCK);
  const struct samples layer = samples_in(layer_memory[1], LINE_BLOCK);
  const struct samples weights = samples_in(layer_memory[2], LINE_BLOCK);
  const struct grid_axis x_axis = {noise, grid, 0};
  struct lattice lattice = lattice_of(noise, 1);
  struct extremes extremes = empty_extremes();
  for (size_t start = 0; start < grid->count[0]; start += LINE_BLOCK) {
    const size_t left = grid->count[0] - start, n = left < LINE_BLOCK ? left : LINE_BLOCK;
    for (int k = 0; k < noise->octaves; k++) {
      const struct perlane_octave *octave = &noise->octave[k];
      enter_octave(&lattice, octave, 1);
      grid_axis_pass(&columns, &x_axis, start, n, octave);
      if (noise->shaped) {
        const struct shaping shaping = shaping_of(noise, k, arrays);
        line_octave_by(&lattice, &columns, 0, n, &layer);
        blend(&shaping, n, &layer, &sums, &weights);
      } else {
        line_octave_by(&lattice, &columns, k > 0, n, &sums);
      }
    }
    if (needs_finish(noise))
      finish(noise, n, arrays, &sums);
    store_samples(output, &sums, n, arrays, (ptrdiff_t)start * grid->stride[0], grid->stride[0],
                  &extremes);
  }
  write_extremes(output, &extremes);
}

#endif
