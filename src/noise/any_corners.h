/* SPDX-License-Identifier: MIT
 *
 * Combines the corners of cells from any source in any number of dimensions: loops over edges, axes
 * and channels instead of a specialisation for each. Lookups, which dominate here, take longer than
 * the loops.
 */
#ifndef PERLANE_NOISE_ANY_CORNERS_H
#define PERLANE_NOISE_ANY_CORNERS_H

#include "combine.h"
#include "samples.h"

/* An edge, or several folded into one: its value, and in vector[a] its tilt along axis a. */
struct tilted {
  vf vector[PERLANE_MAX_DIMS];
};

enum { MAX_EDGES = 1 << (PERLANE_MAX_DIMS - 1) };

PERLANE_INLINE struct tilted tilted_edge(struct edge edge) {
  return (struct tilted){{edge.value, edge.y, edge.z, edge.w}};
}

/* Folds two edges along axis a. Constant: `slope`, for the derivative along the axis instead. */
PERLANE_INLINE void fold_tilted(int slope, struct tilted *to, const struct tilted *lower,
                                const struct tilted *upper, int a, const struct axis_lanes *by) {
  const vf *l = lower->vector, *u = upper->vector;
  const vf fade = fade_of(by->centred);
  to->vector[0] = slope ? fold_rows_slope(l[0], u[0], l[a], u[a], by)
                        : fold_rows(l[0], u[0], l[a], u[a], by);
  for (int b = 1; b < a; b++)
    to->vector[b] =
        slope ? f_mul(by->slope, f_sub(u[b], l[b])) : lerp(fade, l[b], u[b]);
}

/* One octave at n positions, from their axis passes; with `sum`, added to what is in `to`. Stores
 * derivatives if the axis passes have them. */
static PERLANE_NOINLINE void any_corners(int dims, const struct lattice *lattice,
                                         const struct axis_arrays *arrays, size_t n, int sum,
                                         const struct samples *to) {
  const int slopes = arrays[0].slope != NULL, edges = 1 << (dims - 1);
  const int values = lattice->source == SOURCE_VALUES;
  struct tilted channel[MAX_ARRAYS][MAX_EDGES]; /* as the arrays of samples */
  for (size_t i = 0; i < n; i += LANES) {
    struct axis_lanes axis[PERLANE_MAX_DIMS];
    for (int a = 0; a < dims; a++)
      axis[a] = axis_load(slopes, &arrays[a], i);
    for (int e = 0; e < edges; e++) { /* bit a - 1 of e is its corner along axis a */
      vi word[PERLANE_MAX_DIMS];
      for (int a = 1; a < PERLANE_MAX_DIMS; a++)
        word[a] = a >= dims ? i_set(0) : e >> (a - 1) & 1 ? axis[a].next : axis[a].word;
      const struct corner lower = {axis[0].word, word[1], word[2], word[3]};
      const struct corner upper = {axis[0].next, word[1], word[2], word[3]};
      const struct ends ends = {any_gradient(dims, lattice, lower),
                                any_gradient(dims, lattice, upper)};
      channel[0][e] =
          tilted_edge(values ? edge_between(SOURCE_VALUES, 4, &ends, &axis[0])
                             : edge_between(SOURCE_LOOKUP, 4, &ends, &axis[0]));
      if (slopes)
        channel[1][e] = tilted_edge(values ? edge_slope(SOURCE_VALUES, 4, &ends, &axis[0])
                                           : edge_slope(SOURCE_LOOKUP, 4, &ends, &axis[0]));
    }
    for (int a = dims - 1; a > 0; a--) {
      const int half = 1 << (a - 1);
      for (int e = 0; e < half; e++) {
        for (int c = 1; slopes && c <= dims; c = c == 1 ? a + 2 : c + 1)
          fold_tilted(0, &channel[c][e], &channel[c][e], &channel[c][e + half], a, &axis[a]);
        if (slopes)
          fold_tilted(1, &channel[a + 1][e], &channel[0][e], &channel[0][e + half], a, &axis[a]);
        fold_tilted(0, &channel[0][e], &channel[0][e], &channel[0][e + half], a, &axis[a]);
      }
    }
    for (int c = 0; c < (slopes ? 1 + dims : 1); c++) {
      const vf v = channel[c][0].vector[0];
      f_store(to->array[c] + i, sum ? f_add(f_load(to->array[c] + i), v) : v);
    }
  }
}

#endif
