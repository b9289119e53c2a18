/* SPDX-License-Identifier: MIT
 *
 * Combines the corners of points in 2D whose gradients are in memory. Lookups take most of the
 * time, and neighbouring points are often in the same cells, as where a warp has moved a grid's
 * samples: their gradients are looked up once.
 */
#ifndef PERLANE_NOISE_POINTS_LOOKUP_POINTS_H
#define PERLANE_NOISE_POINTS_LOOKUP_POINTS_H

#include "quick_points.h"

/* Returns 1 if lookup_corners evaluates this lattice. */
static int is_simple_lookup(const struct lattice *lattice, int dims) {
  return dims == 2 && lattice->source == SOURCE_LOOKUP && lattice->hash == PERLANE_HASH_LATTICE;
}

PERLANE_INLINE int same_words(const struct axis_lanes *a, const struct axis_lanes *b) {
  return i_all(i_and(i_equal(a->word, b->word), i_equal(a->next, b->next)));
}

PERLANE_INLINE void lookup_corners(int slopes, const struct lattice *of, struct block *block,
                                   size_t n, int sum, const struct samples *to) {
  struct lattice lattice = {.hash = PERLANE_HASH_LATTICE}; /* of which nothing else is read */
  lattice.index_shift = of->index_shift;
  lattice.index_mask = of->index_mask;
  lattice.vector[0] = of->vector[0];
  lattice.vector[1] = of->vector[1];
  const struct corner_kind kind = {SOURCE_LOOKUP, 2, slopes};
  const struct axis_arrays x_arrays = axis_of_block(block, 2, slopes, slopes, 0);
  const struct axis_arrays y_arrays = axis_of_block(block, 2, slopes, slopes, 1);
  const struct samples out = *to;
  struct axis_lanes last_x = axis_load(slopes, &x_arrays, 0);
  struct axis_lanes last_y = axis_load(slopes, &y_arrays, 0);
  struct ends lower =
      ends_of(kind.source, 2, &lattice, &last_x, last_y.word, last_y.word, last_y.word);
  struct ends upper =
      ends_of(kind.source, 2, &lattice, &last_x, last_y.next, last_y.next, last_y.next);
  for (size_t i = 0; i < n; i += LANES) {
    const struct axis_lanes x = axis_load(slopes, &x_arrays, i);
    const struct axis_lanes y = axis_load(slopes, &y_arrays, i);
    if (!same_words(&x, &last_x) || !same_words(&y, &last_y)) {
      lower = ends_of(kind.source, 2, &lattice, &x, y.word, y.word, y.word);
      upper = ends_of(kind.source, 2, &lattice, &x, y.next, y.next, y.next);
      last_x = x;
      last_y = y;
    }
    const struct edge row0 = edge_between(kind.source, 2, &lower, &x);
    const struct edge row1 = edge_between(kind.source, 2, &upper, &x);
    store_sum(out.array[0] + i, sum, fold_rows(row0.value, row1.value, row0.y, row1.y, &y));
    if (!slopes)
      continue;
    const struct edge slope0 = edge_slope(kind.source, 2, &lower, &x);
    const struct edge slope1 = edge_slope(kind.source, 2, &upper, &x);
    store_sum(out.array[1] + i, sum, fold_rows(slope0.value, slope1.value, slope0.y, slope1.y, &y));
    store_sum(out.array[2] + i, sum, fold_rows_slope(row0.value, row1.value, row0.y, row1.y, &y));
  }
}

#endif
