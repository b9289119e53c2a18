/* SPDX-License-Identifier: MIT
 *
 * The search for the nearest points of LANES positions, one in each lane.
 *
 * A point is in its cell, at most half a jitter from the middle. So a point in a cell r away along
 * some axis is at least r - 1/2 - jitter/2 away, plus what the position is inside its own cell:
 * ring_distance. Once the nearest point found (or the second nearest, where that is needed) is no
 * further than this for the next ring of cells, no other cell can change the result, and the search
 * ends. In 2D the 9 cells around a position have the nearest point so often that fewer than 1 in
 * 1000 searches of vectors visits 25; `reach`, 2.15's R, is where the metric itself ends it.
 *
 * It exists once, for any words: found_within. Blocks of points call it with the words of an axis
 * pass and a reach of 1 (cells/points.h); everything else, and what these leave, calls `search`,
 * which makes the words of any positions: far from the origin, and with periods.
 */
#ifndef PERLANE_NOISE_CELLS_SEARCH_H
#define PERLANE_NOISE_CELLS_SEARCH_H

#include "../lattice/split.h"
#include "cells.h"

/* The result of a search: D1 and D2, or D1 and its tag; of CELL_ALL the cell that has D1, and where
 * derivatives need it the one that has D2: its hash, as a float of its bits, then the distances to
 * its point along each axis; the distance to the border, and the half normal of the border's plane.
 */
struct found {
  struct nearest both;
  vf nearest[4], next[4];
  vf border, normal[3];
};

/* The cells from -reach to `reach` along an axis that has any. */
/* NOLINTBEGIN(bugprone-macro-parentheses): o is declared */
#define EACH_OFFSET(o, has_any, reach)                                                             \
  for (int o = (has_any) ? -(reach) : 0; o <= ((has_any) ? (reach) : 0); o++)
/* NOLINTEND(bugprone-macro-parentheses) */

/* Positions in the coordinates of the cells up to `reach` away, less `start`. Constant: `dims` and
 * `reach`. */
PERLANE_INLINE void from_cells(int dims, int reach, const struct cells *cells,
                               const struct cells_around around[], vf from[][MAX_OFFSETS]) {
  PERLANE_UNROLL for (int a = 0; a < dims; a++) {
    PERLANE_UNROLL for (int o = -reach; o <= reach; o++) from[a][o + MAX_REACH] =
        f_sub(f_sub(around[a].fraction, f_set((float)o)), f_set(cells->start));
  }
}

/* The hash of the cell at these offsets. Constant: `dims`. */
PERLANE_INLINE vi hash_around(int dims, const struct cells_around around[], int x, int y, int z) {
  vi word = dims > 1 ? around[1].word[y + MAX_REACH] : i_set(0);
  if (dims > 2)
    word = i_add(word, around[2].word[z + MAX_REACH]);
  return full_mix(i_add(around[0].word[x + MAX_REACH], word));
}

/* The point of the cell at these offsets, with positions in the coordinates of all cells. Constant:
 * `dims`. */
PERLANE_INLINE struct cell_point point_around(int dims, const struct cells *cells, vi hash,
                                              vf from[][MAX_OFFSETS], int x, int y, int z) {
  return cell_point(dims, f_set(cells->factor), hash, from[0][x + MAX_REACH],
                    from[dims > 1 ? 1 : 0][y + MAX_REACH], from[dims > 2 ? 2 : 0][z + MAX_REACH]);
}

/* Includes a point at a distance. Constant: `dims`, and `slopes`, whether the second cell is kept.
 */
PERLANE_INLINE void include_point(int dims, enum cell_kind kind, int slopes,
                                  const struct cells *cells, struct found *found,
                                  const struct cell_point *point, vf distance) {
  const vf tag[4] = {f_bits(point->hash), point->along[0], point->along[1], point->along[2]};
  PERLANE_UNROLL for (int t = 0; t < 1 + dims && kind == CELL_ALL; t++) {
    if (slopes)
      found->next[t] =
          f_select_below(distance, found->both.first, found->nearest[t],
                         f_select_below(distance, found->both.second, tag[t], found->next[t]));
    found->nearest[t] = f_select_below(distance, found->both.first, tag[t], found->nearest[t]);
  }
  include_cell(kind == CELL_ALL ? CELL_BOTH : kind, &found->both, distance,
               kind == CELL_TAG ? tag_at(cells, point) : distance);
}

/* Finds the nearest points in all cells up to `reach` away, in the order of 2.15. The branches on
 * the metric and the kind go the same way for all points. The hashes of several rows of cells are
 * made before their points: the operations of a cell are one long chain, and a CPU's schedulers
 * hold too few of them for many cells to overlap. Constant: `dims` and `slopes`. */
PERLANE_INLINE void found_within(int dims, enum cell_kind kind, int slopes,
                                 const struct cells *cells, const struct cells_around around[],
                                 vf from[][MAX_OFFSETS], int reach, struct found *found) {
  const int rows = reach == 1 && dims > 1 ? 3 : 1;
  vi hash[3 * 3];
  _Static_assert(MAX_OFFSETS <= 3 * 3, "a row fits");
  found->both = none_near();
  for (int t = 0; t < 4; t++)
    found->nearest[t] = found->next[t] = f_set(0);
  EACH_OFFSET(z, dims > 2, reach)
  for (int row = dims > 1 ? -reach : 0; row <= (dims > 1 ? reach : 0); row += rows) {
    vi *cell = hash;
    for (int y = row; y < row + rows; y++)
      EACH_OFFSET(x, 1, reach) *cell++ = hash_around(dims, around, x, y, z);
    cell = hash;
    for (int y = row; y < row + rows; y++)
      EACH_OFFSET(x, 1, reach) {
        const struct cell_point point = point_around(dims, cells, *cell++, from, x, y, z);
        include_point(dims, kind, slopes, cells, found, &point, distance_to(dims, cells, &point));
      }
  }
}

/* Returns 1 if no cell further away than `reach` can change what has been found. */
PERLANE_INLINE int is_complete(const struct cells *cells, const struct found *found, int reach,
                               vf inside) {
  const vf worst = is_second_needed(cells) ? found->both.second : found->both.first;
  return reach >= cells->reach ||
         m_all(f_not_above(worst, ring_distance(cells, reach + 1, inside)));
}

/* Finds the smallest distance to a plane between the nearest point and another, and its half
 * normal. Rows of cells are skipped that are too far from all positions: a plane is at least half
 * as far as its point, less half of the distance to the nearest. With `slopes` cells come in the
 * order of 2.15, which decides between equal distances. Constant: `dims`. */
PERLANE_INLINE void find_border(int dims, int slopes, const struct cells *cells,
                                const struct cells_around around[], vf from[][MAX_OFFSETS],
                                struct found *found) {
  const int count = 2 * cells->reach + 1;
  int order[2 * 2 + 1] = {0, -1, 1, -2, 2};
  for (int i = 0; i < count && slopes; i++)
    order[i] = i - cells->reach;
  const vf nearest = f_sqrt(found->both.first), beside = f_set(0.5f - 0.5f * cells->jitter);
  const vf none = f_set(0);
  vf own_point[3], own_offset[3], border = f_set(FLT_MAX), apart[3][5];
  for (int a = 0; a < dims; a++) {
    const vf f = around[a].fraction;
    own_point[a] = point_along(dims, a, i_bits(found->nearest[0]), f_set(cells->factor));
    /* A whole number but for roundings. */
    own_offset[a] =
        f_from_i(i_from_f(f_add(f_sub(found->nearest[1 + a], own_point[a]), from[a][MAX_REACH])));
    for (int i = 0; i < count; i++) {
      const vf o = f_set((float)order[i]);
      const vf least = f_add(order[i] > 0 ? f_sub(o, f) : f_sub(f, f_add(o, f_set(1))), beside);
      apart[a][i] = order[i] == 0 ? none : f_mul(least, least);
    }
    found->normal[a] = none;
  }
  for (int z = 0; z < (dims > 2 ? count : 1); z++)
    for (int y = 0; y < (dims > 1 ? count : 1); y++) {
      vf far = dims > 1 ? apart[1][y] : none;
      if (dims > 2)
        far = f_add(far, apart[2][z]);
      const vf reach = f_add(nearest, f_add(border, border));
      if (m_all(f_not_above(reach, f_mul(f_sqrt(far), f_set(1 - 0x1p-13f)))))
        continue;
      for (int x = 0; x < count; x++) {
        const int offset[3] = {order[x], order[y], order[z]};
        const struct cell_point other =
            point_around(dims, cells, hash_around(dims, around, order[x], order[y], order[z]), from,
                         order[x], order[y], order[z]);
        vf normal[3], part[3] = {none, none, none}, e[3] = {none, none, none};
        for (int a = 0; a < dims; a++) {
          part[a] = f_add(found->nearest[1 + a], other.along[a]);
          e[a] = f_add(f_sub(other.point[a], own_point[a]),
                       f_sub(f_set((float)offset[a]), own_offset[a]));
        }
        const vm differs = normal_of(dims, e, normal);
        vf t = f_mul(part[0], normal[0]);
        if (dims > 2)
          t = f_add(t, f_mul(part[2], normal[2]));
        if (dims > 1)
          t = f_add(t, f_mul(part[1], normal[1]));
        t = f_select(differs, t, f_set(FLT_MAX));
        for (int a = 0; a < dims && slopes; a++)
          found->normal[a] = f_select_below(t, border, normal[a], found->normal[a]);
        border = f_min(border, t);
      }
    }
  found->border = border;
}

/* Defines a search from `reach` on, among the cells up to the largest reach around positions. */
#define SEARCH_KERNEL(name, dims, slopes)                                                          \
  static PERLANE_NOINLINE void name(const struct cells *cells, const struct cells_around around[], \
                                    int reach, struct found *to) {                                 \
    vf from[dims][MAX_OFFSETS], inside = f_set(1);                                                 \
    for (int a = 0; a < (dims); a++)                                                               \
      inside = f_min(inside, inside_of(around[a].fraction));                                       \
    from_cells(dims, MAX_REACH, cells, around, from);                                              \
    do                                                                                             \
      found_within(dims, CELL_ALL, slopes, cells, around, from, reach, to);                        \
    while (!is_complete(cells, to, reach++, inside));                                              \
    if (cells->kind == CELL_EDGE || cells->kind == CELL_ALL)                                       \
      find_border(dims, slopes, cells, around, from, to);                                          \
  }
SEARCH_KERNEL(search_1d, 1, 0)
SEARCH_KERNEL(search_2d, 2, 0)
SEARCH_KERNEL(search_3d, 3, 0)
SEARCH_KERNEL(search_1d_slopes, 1, 1)
SEARCH_KERNEL(search_2d_slopes, 2, 1)
SEARCH_KERNEL(search_3d_slopes, 3, 1)
#undef SEARCH_KERNEL

/* Searches from `reach` on at LANES positions that d_store has stored. */
static PERLANE_NOINLINE void search(const struct cells *cells, const struct axis *const axis[3],
                                    const double *const position[3], int reach, int slopes,
                                    struct found *to) {
  struct cells_around around[3];
  for (int a = 0; a < cells->dims; a++)
    cells_around(&around[a], axis[a], position[a], -cells->reach, cells->reach);
  (cells->dims == 1   ? slopes ? search_1d_slopes : search_1d
   : cells->dims == 2 ? slopes ? search_2d_slopes : search_2d
   : slopes           ? search_3d_slopes
                      : search_3d)(cells, around, reach, to);
}

/* ---- The noise ---- */

/* Returns D1, and D2 or the tag of a CELL_ALL search. */
PERLANE_INLINE struct nearest nearest_of_found(const struct cells *cells,
                                               const struct found *found) {
  return (struct nearest){found->both.first, cells->kind == CELL_TAG
                                                 ? found->nearest[1 + cells->along]
                                                 : found->both.second};
}

/* Returns the noise of a CELL_ALL search. */
PERLANE_INLINE vf noise_of_found(const struct cells *cells, const struct found *found) {
  const struct nearest nearest = nearest_of_found(cells, found);
  return cells->kind == CELL_EDGE ? noise_of_border(cells, found->border)
                                  : noise_of_nearest(cells->kind, cells, &nearest);
}

/* Searches for the noise. (Not inlined: what has been found is not on the stack of others.) */
static PERLANE_NOINLINE vf searched_noise(const struct cells *cells,
                                          const struct axis *const axis[3],
                                          const double *const position[3], int reach) {
  struct found found;
  search(cells, axis, position, reach, 0, &found);
  return noise_of_found(cells, &found);
}

/* w: the derivatives of the distance to the point of a cell, from its D and the distances along
 * each axis. */
PERLANE_INLINE void slopes_of_distance(const struct cells *cells, vf distance, const vf along[3],
                                       vf slope[3]) {
  const vf none = f_set(0), one = f_set(1), minus_one = f_set(-1);
  const vf scale = f_select_below(none, distance, f_div(minus_one, f_sqrt(distance)), none);
  vm others = f_not_above(none, one); /* no axis before has the largest part */
  for (int a = 0; a < cells->dims; a++) {
    const vf d = along[a];
    slope[a] = f_select_below(none, d, minus_one, f_select_below(d, none, one, none));
    if (is_square(cells)) {
      slope[a] = f_mul(d, cells->metric == PERLANE_CELL_METRIC_SQUARED ? f_set(-2) : scale);
    } else if (cells->metric == PERLANE_CELL_METRIC_CHEBYSHEV) {
      const vm largest = m_and(others, f_not_above(distance, magnitude_of(d)));
      slope[a] = f_select(largest, slope[a], none);
      others = m_and(others, m_not(largest));
    }
  }
}

/* The derivatives of the noise of a CELL_ALL search. */
PERLANE_INLINE void slopes_of_found(const struct cells *cells, const struct found *found,
                                    vf slope[3]) {
  const int is_difference = cells->output == PERLANE_CELL_OUTPUT_F2_MINUS_F1;
  vf second[3];
  slopes_of_distance(cells, found->both.first, &found->nearest[1], slope);
  if (cells->kind == CELL_BOTH)
    slopes_of_distance(cells, found->both.second, &found->next[1], second);
  for (int a = 0; a < cells->dims; a++) {
    if (cells->kind == CELL_BOTH)
      slope[a] = is_difference ? f_sub(second[a], slope[a]) : second[a];
    else if (cells->kind == CELL_EDGE)
      slope[a] = f_mul(found->normal[a], f_set(-2));
    slope[a] = cells->kind == CELL_TAG ? f_set(0) : f_mul(slope[a], cells->steepness);
  }
}

#endif
