/* SPDX-License-Identifier: MIT
 *
 * Combines the corners of cells from any source in any number of dimensions: loops over edges, axes
 * and components, each over a run of positions, instead of a specialisation for each. Lookups,
 * which dominate here, take longer than the loads and stores in between.
 */
#ifndef PERLANE_NOISE_LATTICE_ANY_CORNERS_H
#define PERLANE_NOISE_LATTICE_ANY_CORNERS_H

#include "../samples.h"
#include "combine.h"

enum { ANY_FLOATS = 2432 }; /* of memory: 73 arrays of 32 positions in 4D with derivatives */

/* Arrays over n positions: the components at both ends of an edge, then edges. Component 0 of an
 * edge is its value, component a its tilt along axis a. Edges are numbered by their corners, bit
 * a - 1 along axis a. Set 1 holds their derivatives along x. */
struct any_edges {
  float *memory;
  size_t pitch;
  int components, edges;
  int values; /* the source: edges have no tilts, and arrays of zeros instead */
};

PERLANE_INLINE float *any_end(const struct any_edges *all, int end, int component) {
  return all->memory + (size_t)(end * all->components + component) * all->pitch;
}

PERLANE_INLINE float *any_edge(const struct any_edges *all, int set, int edge, int component) {
  const int ends = 2 * all->components;
  const int array = ends + (set * all->edges + edge) * all->components + component;
  return all->memory + (size_t)array * all->pitch;
}

/* Looks up the gradients at n corners. Neighbouring points are often in the same cell: then those
 * of the vector before are taken again. */
static void look_up_run(int dims, const struct lattice *of, const uint32_t *const word[4], size_t n,
                        float *to, size_t pitch) {
  const uint32_t *x = word[0], *y = word[1], *z = word[2], *w = word[3];
  vi last[PERLANE_MAX_DIMS] = {i_set(0), i_set(0), i_set(0), i_set(0)};
  for (size_t i = 0; i < n; i += LANES) {
    const vi at[] = {i_load(x + i), i_load(y + i), i_load(z + i), i_load(w + i)};
    const vi same_xy = i_and(i_equal(at[0], last[0]), i_equal(at[1], last[1]));
    const vi same_zw = i_and(i_equal(at[2], last[2]), i_equal(at[3], last[3]));
    if (i > 0 && i_all(i_and(same_xy, same_zw))) {
      for (int a = 0; a < dims; a++)
        f_store(to + (size_t)a * pitch + i, f_load(to + (size_t)a * pitch + i - LANES));
      continue;
    }
    look_up(dims, of, at[0], at[1], at[2], at[3], to + i, pitch);
    for (int a = 0; a < PERLANE_MAX_DIMS; a++)
      last[a] = at[a];
  }
}

/* Evaluates the ends of an edge at words along the other axes. */
static void any_ends(const struct any_edges *all, int dims, const struct lattice *of,
                     const struct axis_arrays *arrays, size_t start, size_t n, int edge) {
  const uint32_t *word[PERLANE_MAX_DIMS];
  for (int a = 1; a < PERLANE_MAX_DIMS; a++)
    word[a] = a >= dims ? arrays[0].word : edge >> (a - 1) & 1 ? arrays[a].next : arrays[a].word;
  const uint32_t *y = word[1] + start, *z = word[2] + start, *w = word[3] + start;
  for (int end = 0; end < 2; end++) {
    const uint32_t *x = (end ? arrays[0].next : arrays[0].word) + start;
    float *to = any_end(all, end, 0);
    if (all->values) {
      const vf amplitude = of->amplitude;
      for (size_t i = 0; i < n; i += LANES)
        f_store(to + i, f_mul(number_at(dims, of, i_load(x + i), i_load(y + i), i_load(z + i),
                                        i_load(w + i)),
                              amplitude));
    } else {
      const uint32_t *const words[] = {x, y, z, w};
      look_up_run(dims, of, words, n, to, all->pitch);
    }
  }
}

PERLANE_INLINE vf any_weighted(const float *a0, const float *a1, const float *lower,
                               const float *upper) {
  return f_add(f_mul(f_load(a0), f_load(lower)), f_mul(f_load(a1), f_load(upper)));
}

/* Combines the ends: component 0, and then tilts. `slope` receives derivatives, if not NULL. */
static void any_combine(const struct any_edges *all, int component, const struct axis_arrays *x,
                        size_t start, size_t n, float *value, float *slope) {
  const float *g0 = any_end(all, 0, component), *g1 = any_end(all, 1, component);
  const float *centred = x->centred + start, *a0 = x->a0 + start, *a1 = x->a1 + start;
  for (size_t i = 0; i < n; i += LANES) {
    const vf lower = f_load(g0 + i), upper = f_load(g1 + i), by = f_load(centred + i);
    f_store(value + i, all->values ? f_add(middle(lower, upper), f_mul(by, f_sub(upper, lower)))
                       : component ? lerp(fade_of(by), lower, upper)
                                   : any_weighted(a0 + i, a1 + i, g0 + i, g1 + i));
  }
  if (!slope)
    return;
  const float *by_position = x->slope + start, *b0 = x->b0 + start, *b1 = x->b1 + start;
  for (size_t i = 0; i < n; i += LANES)
    f_store(slope + i, all->values || component
                           ? f_mul(f_load(by_position + i), f_sub(f_load(g1 + i), f_load(g0 + i)))
                           : any_weighted(b0 + i, b1 + i, g0 + i, g1 + i));
}

/* Folds two edges along axis a into the lower one. With `slopes`, the upper one receives the
 * derivative along the axis. */
static void any_fold(const struct any_edges *all, int set, int edge, int a, int slopes,
                     const struct axis_arrays *by, size_t start, size_t n) {
  const int other = edge + (1 << (a - 1));
  for (int b = all->values ? 0 : a - 1; b >= 0; b--) {
    float *lower = any_edge(all, set, edge, b), *upper = any_edge(all, set, other, b);
    const float *tilt0 = any_edge(all, set, edge, a), *tilt1 = any_edge(all, set, other, a);
    for (size_t i = 0; i < n; i += LANES) {
      const struct axis_lanes axis = axis_load(slopes, by, start + i);
      const vf l = f_load(lower + i), u = f_load(upper + i);
      if (b > 0) {
        f_store(lower + i, lerp(fade_of(axis.centred), l, u));
        if (slopes)
          f_store(upper + i, f_mul(axis.slope, f_sub(u, l)));
        continue;
      }
      const vf t0 = all->values ? f_set(0) : f_load(tilt0 + i);
      const vf t1 = all->values ? f_set(0) : f_load(tilt1 + i);
      f_store(lower + i, fold_rows(l, u, t0, t1, &axis));
      if (slopes)
        f_store(upper + i, fold_rows_slope(l, u, t0, t1, &axis));
    }
  }
}

static void any_sum(const float *from, size_t n, int sum, float *to) {
  for (size_t i = 0; i < n; i += LANES) {
    store_sum(to + i, sum, f_load(from + i));
  }
}

/* One octave at n positions, from their axis passes; with `sum`, added to what is in `to`. Stores
 * derivatives if the axis passes have them. */
static PERLANE_NOINLINE void any_corners(int dims, const struct lattice *lattice,
                                         const struct axis_arrays *arrays, size_t n, int sum,
                                         const struct samples *to, float memory[ANY_FLOATS]) {
  const int slopes = arrays[0].slope != NULL, edges = 1 << (dims - 1);
  const int values = lattice->source == SOURCE_VALUES, components = values ? 1 : dims;
  const size_t needed = (size_t)components * (size_t)(2 + (slopes ? 2 : 1) * edges);
  const size_t pitch = ANY_FLOATS / needed / LANES * LANES;
  const struct any_edges all = {memory, pitch, components, edges, values};
  for (size_t start = 0; start < n; start += pitch) {
    const size_t left = n - start, piece = left < pitch ? left : pitch;
    for (int e = 0; e < edges; e++) {
      any_ends(&all, dims, lattice, arrays, start, piece, e);
      for (int c = 0; c < components; c++)
        any_combine(&all, c, &arrays[0], start, piece, any_edge(&all, 0, e, c),
                    slopes ? any_edge(&all, 1, e, c) : NULL);
    }
    /* The derivatives along axes folded before are in edges half + 1 and up. */
    for (int a = dims - 1; a > 0; a--) {
      const int half = 1 << (a - 1);
      for (int e = 0; e < half; e++) {
        any_fold(&all, 0, e, a, slopes, &arrays[a], start, piece);
        if (slopes)
          any_fold(&all, 1, e, a, 0, &arrays[a], start, piece);
        for (int b = a + 1; slopes && b < dims; b++)
          any_fold(&all, 0, (1 << (b - 1)) + e, a, 0, &arrays[a], start, piece);
      }
    }
    any_sum(any_edge(&all, 0, 0, 0), piece, sum, to->array[0] + start);
    if (slopes)
      any_sum(any_edge(&all, 1, 0, 0), piece, sum, to->array[1] + start);
    for (int a = 1; slopes && a < dims; a++)
      any_sum(any_edge(&all, 0, 1 << (a - 1), 0), piece, sum, to->array[1 + a] + start);
  }
}

#endif
