/* SPDX-License-Identifier: MIT
 *
 * Filling a grid through the points' evaluator, a block of a sample row at a time: for fields that
 * need more scratch memory than grid.h has, of many octaves in many dimensions.
 */
#ifndef PERLANE_NOISE_BLOCK_FILL_H
#define PERLANE_NOISE_BLOCK_FILL_H

#include "extremes.h"
#include "points.h"
#include "store.h"

enum { FILL_BLOCK = 128 };

struct block_fill {
  double position[PERLANE_MAX_DIMS][FILL_BLOCK];
  float memory[MAX_ARRAYS * FILL_BLOCK];
};

static void set_positions(double *to, const struct perlane_region *grid, int a, size_t first,
                          size_t step, size_t n) {
  for (size_t i = 0; i < n; i++)
    to[i] =
        grid->origin[a] + (double)(grid->first[a] + (int64_t)(first + i * step)) * grid->step[a];
}

static PERLANE_NOINLINE void fill_by_blocks(const struct field *field,
                                            const struct perlane_region *grid,
                                            const struct perlane_output *output) {
  struct block_fill block;
  const struct samples samples = samples_in(block.memory, FILL_BLOCK);
  const double *coords[PERLANE_MAX_DIMS];
  for (int a = 0; a < PERLANE_MAX_DIMS; a++)
    coords[a] = block.position[a];
  const int slopes = output->gradient[0] != NULL;
  struct perlane_point_list list = {.dims = grid->dims,
                                    .coords64 = coords,
                                    .out = samples.array[0],
                                    .gradient = slopes ? &samples.array[1] : NULL};
  struct extremes extremes = empty_extremes();
  size_t at[PERLANE_MAX_DIMS];
  for (at[3] = 0; at[3] < grid->count[3]; at[3]++)
    for (at[2] = 0; at[2] < grid->count[2]; at[2]++)
      for (at[1] = 0; at[1] < grid->count[1]; at[1]++) {
        ptrdiff_t offset = 0;
        for (int a = 1; a < PERLANE_MAX_DIMS; a++) {
          offset += (ptrdiff_t)at[a] * grid->stride[a];
          if (a < grid->dims)
            set_positions(block.position[a], grid, a, at[a], 0, FILL_BLOCK);
        }
        for (size_t x = 0; x < grid->count[0]; x += list.n) {
          const size_t left = grid->count[0] - x;
          list.n = left < FILL_BLOCK ? left : FILL_BLOCK;
          set_positions(block.position[0], grid, 0, x, 1, list.n);
          evaluate_points(field, &list);
          store_samples(output, &samples, 0, list.n, slopes ? 1 + grid->dims : 1,
                        offset + (ptrdiff_t)x * grid->stride[0], grid->stride[0], &extremes);
        }
      }
  write_extremes(output, &extremes);
}

#endif
