/* SPDX-License-Identifier: MIT
 *
 * Filling a grid through the points' evaluator, a block of a sample row at a time: for fields that
 * need more scratch memory than grid.h has, of many octaves in many dimensions, and for the
 * gradients of warped fields.
 */
#ifndef PERLANE_NOISE_POINTS_BLOCK_FILL_H
#define PERLANE_NOISE_POINTS_BLOCK_FILL_H

#include "../output/sink.h"
#include "warp.h"

enum { FILL_BLOCK = 64 };

/* The positions of n samples along an axis. */
static void set_positions(double *to, const struct perlane_region *grid, int a, size_t first,
                          size_t n) {
  for (size_t i = 0; i < n; i++)
    to[i] = grid->origin[a] + (double)(grid->first[a] + (int64_t)(first + i)) * grid->step[a];
}

static PERLANE_NOINLINE void fill_by_blocks(const perlane_noise *noise,
                                            const struct perlane_region *grid,
                                            const struct perlane_output *output) {
  double x[FILL_BLOCK];
  float memory[MAX_ARRAYS * FILL_BLOCK];
  const struct samples samples = samples_in(memory, FILL_BLOCK);
  struct point_source source[PERLANE_MAX_DIMS] = {{.coords64 = x}};
  const int slopes = output->gradient[0] != NULL;
  float *const *gradient = slopes ? &samples.array[1] : NULL;
  struct sink sink;
  struct open_line line[MAX_ARRAYS];
  open_sink(&sink, grid, output, NULL, line, MAX_ARRAYS);
  size_t at[PERLANE_MAX_DIMS];
  for (at[3] = 0; at[3] < grid->count[3]; at[3]++)
    for (at[2] = 0; at[2] < grid->count[2]; at[2]++)
      for (at[1] = 0; at[1] < grid->count[1]; at[1]++) {
        ptrdiff_t offset = 0;
        for (int a = 1; a < PERLANE_MAX_DIMS; a++) {
          offset += (ptrdiff_t)at[a] * grid->stride[a];
          set_positions(&source[a].origin, grid, a, at[a], 1);
        }
        for (size_t i = 0; i < grid->count[0]; i += FILL_BLOCK) {
          const size_t left = grid->count[0] - i, n = left < FILL_BLOCK ? left : FILL_BLOCK;
          set_positions(x, grid, 0, i, n);
          evaluate_noise(noise, grid->dims, source, n, samples.array[0], gradient);
          store_samples(&sink, &samples, 0, n, offset + (ptrdiff_t)i * grid->stride[0]);
        }
      }
  close_sink(&sink);
}

#endif
