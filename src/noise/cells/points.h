/* SPDX-License-Identifier: MIT
 *
 * Cellular noise at a block of points: the nearest among the points of the 3^D cells around each,
 * whose words an axis pass has made. Where another cell might have a nearer one, cells/search.h
 * searches on.
 */
#ifndef PERLANE_NOISE_CELLS_POINTS_H
#define PERLANE_NOISE_CELLS_POINTS_H

#include "search.h"

enum { CELL_BLOCK = POINT_BLOCK };

/* An axis of a block, in whole vectors. */
struct cell_axis {
  struct axis axis; /* in the current octave */
  _Alignas(64) float fraction[CELL_BLOCK];
  _Alignas(64) uint32_t word[3][CELL_BLOCK]; /* at offsets -1, 0 and 1 */
  const double *position;                    /* that d_store has stored */
};

/* Makes fractions and words of n positions. With `near`, all are near. */
static PERLANE_NOINLINE void cell_words(struct cell_axis *to, size_t n, int near) {
  const struct split_arrays split = {to->fraction, {to->word[0], to->word[1], to->word[2]}};
  split_run_around(&split, -1, 1, to->position, n, near, &to->axis);
}

/* The cells around vector i of a block, at offsets -1, 0 and 1. */
PERLANE_INLINE void load_around(struct cells_around *to, const struct cell_axis *axis, size_t i,
                                vf *inside) {
  to->fraction = f_load(axis->fraction + i);
  *inside = f_min(*inside, inside_of(to->fraction));
  PERLANE_UNROLL for (int o = 0; o < 3; o++) to->word[MAX_REACH - 1 + o] =
      i_load(axis->word[o] + i);
}

/* Searches from `reach` on at vector i of a block. */
static void search_on(const struct cells *cells, const struct cell_axis axis[3], size_t i,
                      int reach, int slopes, struct found *to) {
  const struct axis *const axes[3] = {&axis[0].axis, &axis[1].axis, &axis[2].axis};
  const double *position[3] = {NULL, NULL, NULL};
  for (int a = 0; a < cells->dims; a++)
    position[a] = axis[a].position + i;
  search(cells, axes, position, reach, slopes, to);
}

/* Finds the nearest points of vector i of a block, with room for what is around it along each axis.
 * Constant: `dims` and `slopes`. */
PERLANE_INLINE void find_nearest(int dims, enum cell_kind kind, int slopes,
                                 const struct cells *cells, const struct cell_axis axis[3],
                                 size_t i, struct cells_around around[], vf from[][MAX_OFFSETS],
                                 struct found *to) {
  vf inside = f_set(1);
  PERLANE_UNROLL for (int a = 0; a < dims; a++) load_around(&around[a], &axis[a], i, &inside);
  from_cells(dims, 1, cells, around, from);
  found_within(dims, kind, slopes, cells, around, from, 1, to);
  if (!is_complete(cells, to, 1, inside)) {
    struct found wide; /* in memory, where what is nearer need not be */
    search_on(cells, axis, i, 2, slopes, &wide);
    *to = wide;
    if (kind != CELL_ALL)
      to->both = nearest_of_found(cells, &wide);
  }
}

/* Stores an octave of n points, or adds it to what is there. */
#define POINTS_KERNEL(name, dims)                                                                  \
  static PERLANE_NOINLINE void name(const struct cells *of, const struct cell_axis axis[3],        \
                                    size_t n, int sum, float *to) {                                \
    const struct cells cells = *of;                                                                \
    struct cells_around around[dims];                                                              \
    vf from[dims][MAX_OFFSETS];                                                                    \
    for (size_t i = 0; i < n; i += LANES) {                                                        \
      struct found found;                                                                          \
      find_nearest(dims, cells.kind, 0, &cells, axis, i, around, from, &found);                    \
      store_sum(to + i, sum, noise_of_nearest(cells.kind, &cells, &found.both));                   \
    }                                                                                              \
  }
POINTS_KERNEL(cell_points_1d, 1)
POINTS_KERNEL(cell_points_2d, 2)
POINTS_KERNEL(cell_points_3d, 3)
#undef POINTS_KERNEL

/* ---- All outputs ---- */

#define FIND_KERNEL(name, dims, slopes)                                                            \
  static PERLANE_NOINLINE void name(const struct cells *cells, const struct cell_axis axis[3],     \
                                    size_t i, struct found *to) {                                  \
    struct cells_around around[dims];                                                              \
    vf from[dims][MAX_OFFSETS];                                                                    \
    find_nearest(dims, CELL_ALL, slopes, cells, axis, i, around, from, to);                        \
  }
FIND_KERNEL(find_1d, 1, 0)
FIND_KERNEL(find_2d, 2, 0)
FIND_KERNEL(find_3d, 3, 0)
FIND_KERNEL(find_1d_slopes, 1, 1)
FIND_KERNEL(find_2d_slopes, 2, 1)
FIND_KERNEL(find_3d_slopes, 3, 1)
#undef FIND_KERNEL

/* Finds everything about vector i of a block: with `slopes`, what derivatives need. */
static void find_all(const struct cells *cells, const struct cell_axis axis[3], size_t i,
                     int slopes, struct found *to) {
  const int both = slopes && cells->kind == CELL_BOTH;
  if (cells->kind == CELL_EDGE || cells->kind == CELL_ALL)
    search_on(cells, axis, i, 1, slopes, to);
  else
    (cells->dims == 1   ? both ? find_1d_slopes : find_1d
     : cells->dims == 2 ? both ? find_2d_slopes : find_2d
     : both             ? find_3d_slopes
                        : find_3d)(cells, axis, i, to);
}

/* Arrays of all outputs, in units of cells; NULL for those that are not wanted. */
struct cell_outputs {
  float *id, *first, *second, *border, *along[3];
};

/* Makes all outputs of n points that are wanted. */
static PERLANE_NOINLINE void sample_points(const struct cells *cells,
                                           const struct cell_axis axis[3], size_t n,
                                           const struct cell_outputs *to) {
  const vf none = f_set(0);
  for (size_t i = 0; i < n; i += LANES) {
    struct found found;
    find_all(cells, axis, i, 0, &found);
    if (to->id)
      f_store(to->id + i, found.nearest[0]);
    if (to->first)
      f_store(to->first + i, distance_of_part(cells, found.both.first));
    if (to->second)
      f_store(to->second + i, distance_of_part(cells, found.both.second));
    if (to->border)
      f_store(to->border + i, f_select_below(none, found.border, found.border, none));
    for (int a = 0; a < cells->dims; a++)
      if (to->along[a])
        f_store(to->along[a] + i, found.nearest[1 + a]);
  }
}

/* The first `arrays` arrays of n points of an octave; with `sum`, added to what is in `to`. */
static void cell_points(const struct cells *cells, const struct cell_axis axis[3], size_t n,
                        int sum, int arrays, const struct samples *to) {
  if (cells->kind != CELL_EDGE && arrays == 1) {
    (cells->dims == 1   ? cell_points_1d
     : cells->dims == 2 ? cell_points_2d
                        : cell_points_3d)(cells, axis, n, sum, to->array[0]);
    return;
  }
  for (size_t i = 0; i < n; i += LANES) {
    struct found found;
    vf slope[3];
    find_all(cells, axis, i, arrays > 1, &found);
    store_sum(to->array[0] + i, sum, noise_of_found(cells, &found));
    if (arrays > 1)
      slopes_of_found(cells, &found, slope);
    for (int j = 1; j < arrays; j++)
      store_sum(to->array[j] + i, sum, slope[j - 1]);
  }
}

#endif
