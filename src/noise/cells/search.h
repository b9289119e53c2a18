/* SPDX-License-Identifier: MIT
 *
 * The search for the nearest points of LANES positions anywhere: far from the origin, with periods,
 * and over as many cells as it takes. Slower than those of cells/points.h and cells/grid.h, which
 * leave to it derivatives, and what they do not find among the 3^D cells around a position.
 */
#ifndef PERLANE_NOISE_CELLS_SEARCH_H
#define PERLANE_NOISE_CELLS_SEARCH_H

#include "cells.h"

/* The cells from `first` to `last` along an axis that has any. */
/* NOLINTBEGIN(bugprone-macro-parentheses): o is declared */
#define EACH_OFFSET(o, has_any, reach)                                                             \
  for (int o = (has_any) ? -(reach) : 0; o <= ((has_any) ? (reach) : 0); o++)
/* NOLINTEND(bugprone-macro-parentheses) */

/* The hash of a cell, as a float of its bits, and its offsets. */
struct found_cell {
  vf hash, offset[3];
};

/* D1, D2, and the cells that have them; the second one for derivatives only. */
struct found {
  vf first, second;
  struct found_cell nearest, next;
};

/* Selects yes where a < b, else no. */
PERLANE_INLINE struct found_cell cell_where_below(int dims, vf a, vf b, struct found_cell yes,
                                                  struct found_cell no) {
  no.hash = f_select_below(a, b, yes.hash, no.hash);
  for (int i = 0; i < dims; i++)
    no.offset[i] = f_select_below(a, b, yes.offset[i], no.offset[i]);
  return no;
}

/* The hash of a cell. */
PERLANE_INLINE vi hash_around(int dims, const struct cells_around around[3], const int offset[3]) {
  vi h = around[0].word[offset[0] + MAX_REACH];
  for (int a = 1; a < dims; a++)
    h = i_add(h, around[a].word[offset[a] + MAX_REACH]);
  return full_mix(h);
}

/* The distance along axis a to the point of a cell at `offset`; *point receives its coordinate,
 * less `start`. */
PERLANE_INLINE vf distance_along(const struct cells *cells, const struct cells_around *around,
                                 int a, vi h, vf offset, vf *point) {
  *point = point_along(cells->dims, a, h, f_set(cells->factor));
  return f_sub(*point, f_sub(f_sub(around->fraction, offset), f_set(cells->start)));
}

/* All cells up to `reach` away. Constant: `slopes`. */
PERLANE_INLINE struct found found_within(const struct cells *cells,
                                         const struct cells_around around[3], int reach,
                                         int slopes) {
  const int dims = cells->dims;
  struct nearest both = none_near();
  const vf none = f_set(0);
  const struct found_cell no_cell = {none, {none, none, none}};
  struct found found = {.nearest = no_cell, .next = no_cell};
  EACH_OFFSET(z, dims > 2, reach)
  EACH_OFFSET(y, dims > 1, reach)
  EACH_OFFSET(x, 1, reach) {
    const int offset[3] = {x, y, z};
    const vi h = hash_around(dims, around, offset);
    vf point, part[3] = {none, none, none};
    for (int a = 0; a < dims; a++)
      part[a] = part_of_distance(
          cells, distance_along(cells, &around[a], a, h, f_set((float)offset[a]), &point));
    vf distance = part[0];
    if (dims > 2)
      distance = parts_together(cells, distance, part[2]);
    if (dims > 1)
      distance = parts_together(cells, distance, part[1]);
    const struct found_cell cell = {f_bits(h), {f_set((float)x), f_set((float)y), f_set((float)z)}};
    if (slopes)
      found.next =
          cell_where_below(dims, distance, both.first, found.nearest,
                           cell_where_below(dims, distance, both.second, cell, found.next));
    found.nearest = cell_where_below(dims, distance, both.first, cell, found.nearest);
    include_cell(CELL_BOTH, &both, distance, distance);
  }
  found.first = both.first;
  found.second = both.second;
  return found;
}

/* The smallest distance to a plane between the point found and another. Rows of cells are skipped
 * that are too far from all positions: a plane is at least half as far as its point, less half of
 * the distance to the nearest. With `slopes`, which is constant, `nearest_normal` receives that of
 * the plane; then cells come in the order of 2.15. */
PERLANE_INLINE vf edge_within(const struct cells *cells, const struct cells_around around[3],
                              const struct found *found, int slopes, vf nearest_normal[3]) {
  const int dims = cells->dims, count = 2 * cells->reach + 1;
  int order[2 * 2 + 1] = {0, -1, 1, -2, 2};
  for (int i = 0; i < count && slopes; i++)
    order[i] = i - cells->reach;
  const vf nearest = f_sqrt(found->first), beside = f_set(0.5f - 0.5f * cells->jitter);
  const vi own_hash = i_bits(found->nearest.hash);
  const vf none = f_set(0);
  vf own[3], own_point[3], edge = f_set(FLT_MAX);
  vf apart[3][5];
  for (int a = 0; a < dims; a++) {
    own[a] =
        distance_along(cells, &around[a], a, own_hash, found->nearest.offset[a], &own_point[a]);
    for (int i = 0; i < count; i++) {
      const vf o = f_set((float)order[i]), f = around[a].fraction;
      const vf least = f_add(order[i] > 0 ? f_sub(o, f) : f_sub(f, f_add(o, f_set(1))), beside);
      apart[a][i] = order[i] == 0 ? none : f_mul(least, least);
    }
  }
  for (int z = 0; z < (dims > 2 ? count : 1); z++)
    for (int y = 0; y < (dims > 1 ? count : 1); y++) {
      vf far = dims > 1 ? apart[1][y] : none;
      if (dims > 2)
        far = f_add(far, apart[2][z]);
      const vf reach = f_add(nearest, f_add(edge, edge));
      if (i_all(f_not_above(reach, f_mul(f_sqrt(far), f_set(1 - 0x1p-13f)))))
        continue;
      for (int x = 0; x < count; x++) {
        const int offset[3] = {order[x], order[y], order[z]};
        const vi h = hash_around(dims, around, offset);
        vf normal[3], part[3] = {none, none, none}, e[3] = {none, none, none};
        for (int a = 0; a < dims; a++) {
          const vf o = f_set((float)offset[a]);
          vf point;
          const vf d = distance_along(cells, &around[a], a, h, o, &point);
          part[a] = f_add(own[a], d);
          e[a] = f_add(f_sub(point, own_point[a]), f_sub(o, found->nearest.offset[a]));
        }
        const vi differs = normal_of(dims, e, normal);
        vf t = f_mul(part[0], normal[0]);
        if (dims > 2)
          t = f_add(t, f_mul(part[2], normal[2]));
        if (dims > 1)
          t = f_add(t, f_mul(part[1], normal[1]));
        t = f_bits(i_select(differs, i_bits(t), i_bits(f_set(FLT_MAX))));
        for (int a = 0; a < dims && slopes; a++)
          nearest_normal[a] = f_select_below(t, edge, normal[a], nearest_normal[a]);
        edge = f_min(edge, t);
      }
    }
  return edge;
}

/* w: the derivatives of the distance to the point of a cell, from its D and the distances along
 * each axis. */
PERLANE_INLINE void slopes_of_distance(const struct cells *cells, vf distance, const vf along[3],
                                       vf slope[3]) {
  const vf none = f_set(0), one = f_set(1), minus_one = f_set(-1);
  const vf scale = f_select_below(none, distance, f_div(minus_one, f_sqrt(distance)), none);
  vi others = i_set(0xFFFFFFFF); /* mask: no axis before has the largest part */
  for (int a = 0; a < cells->dims; a++) {
    const vf d = along[a];
    slope[a] = f_select_below(none, d, minus_one, f_select_below(d, none, one, none));
    if (is_square(cells)) {
      slope[a] = f_mul(d, cells->metric == PERLANE_CELL_METRIC_SQUARED ? f_set(-2) : scale);
    } else if (cells->metric == PERLANE_CELL_METRIC_CHEBYSHEV) {
      const vi largest = i_and(others, f_not_above(distance, magnitude_of(d)));
      slope[a] = f_bits(i_and(i_bits(slope[a]), largest));
      others = i_xor(others, largest);
    }
  }
}

/* The same, of a cell that a search has found. */
PERLANE_INLINE void slopes_of_cell(const struct cells *cells, const struct cells_around around[3],
                                   const struct found_cell *cell, vf distance, vf slope[3]) {
  vf point, along[3];
  for (int a = 0; a < cells->dims; a++)
    along[a] = distance_along(cells, &around[a], a, i_bits(cell->hash), cell->offset[a], &point);
  slopes_of_distance(cells, distance, along, slope);
}

/* The derivatives of the noise, from the normal that edge_within found. */
PERLANE_INLINE void slopes_found(const struct cells *cells, const struct axis *axes,
                                 const struct cells_around around[3], const struct found *found,
                                 const vf normal[3], vf slope[3]) {
  const int dims = cells->dims, is_difference = cells->output == PERLANE_CELL_OUTPUT_F2_MINUS_F1;
  vf second[3];
  slopes_of_cell(cells, around, &found->nearest, found->first, slope);
  slopes_of_cell(cells, around, &found->next, found->second, second);
  for (int a = 0; a < dims; a++) {
    if (cells->kind == CELL_BOTH)
      slope[a] = is_difference ? f_sub(second[a], slope[a]) : second[a];
    else if (cells->kind == CELL_EDGE)
      slope[a] = f_mul(normal[a], f_set(-2));
    slope[a] = cells->kind == CELL_TAG ? f_set(0) : f_mul(slope[a], f_set(axes[0].steepness));
  }
}

/* Constant: cells->dims and `slopes`, whether `slope` receives derivatives. */
PERLANE_INLINE void search_from(const struct cells *cells, const struct axis *axes,
                                const double *const position[3], int reach, struct cell_sample *to,
                                int slopes, vf slope[3]) {
  struct cells_around around[3];
  struct found found;
  vf normal[3] = {f_set(0), f_set(0), f_set(0)};
  vf inside = f_set(1), point;
  for (int a = 0; a < cells->dims; a++) {
    cells_around(&around[a], &axes[a], position[a], cells->reach);
    inside = f_min(inside, inside_of(around[a].fraction));
  }
  for (;; reach++) {
    found = found_within(cells, around, reach, slopes);
    const vf worst = is_second_needed(cells) ? found.second : found.first;
    if (reach >= cells->reach || i_all(f_not_above(worst, ring_distance(cells, reach + 1, inside))))
      break;
  }
  to->first = found.first;
  to->second = found.second;
  if (cells->kind != CELL_FIRST && cells->kind != CELL_EDGE) {
    to->hash = found.nearest.hash;
    for (int a = 0; a < cells->dims; a++)
      to->along[a] = distance_along(cells, &around[a], a, i_bits(found.nearest.hash),
                                    found.nearest.offset[a], &point);
  }
  if (cells->kind == CELL_EDGE || cells->kind == CELL_ALL)
    to->edge = edge_within(cells, around, &found, slopes, normal);
  if (slopes)
    slopes_found(cells, axes, around, &found, normal, slope);
}

#define SEARCH_KERNEL(name, of_dims)                                                               \
  static PERLANE_NOINLINE void name(const struct cells *of, const struct axis *axes,               \
                                    const double *const position[3], int reach,                    \
                                    struct cell_sample *to) {                                      \
    struct cells cells = *of;                                                                      \
    cells.dims = of_dims;                                                                          \
    search_from(&cells, axes, position, reach, to, 0, NULL);                                       \
  }
#define SLOPES_KERNEL(name, of_dims)                                                               \
  static PERLANE_NOINLINE void name(const struct cells *of, const struct axis *axes,               \
                                    const double *const position[3], struct cell_sample *to,       \
                                    vf *slope) {                                                   \
    struct cells cells = *of;                                                                      \
    cells.dims = of_dims;                                                                          \
    search_from(&cells, axes, position, 1, to, 1, slope);                                          \
  }
SEARCH_KERNEL(search_1d, 1)
SEARCH_KERNEL(search_2d, 2)
SEARCH_KERNEL(search_3d, 3)
SLOPES_KERNEL(search_1d_slopes, 1)
SLOPES_KERNEL(search_2d_slopes, 2)
SLOPES_KERNEL(search_3d_slopes, 3)
#undef SEARCH_KERNEL
#undef SLOPES_KERNEL

/* Searches at LANES positions; `reach` is where to begin. */
static void search_cells(const struct cells *cells, const struct axis *axes,
                         const double *const position[3], int reach, struct cell_sample *to) {
  (cells->dims == 1   ? search_1d
   : cells->dims == 2 ? search_2d
                      : search_3d)(cells, axes, position, reach, to);
}

/* The tag that a search has found, as output_of_tag takes it. */
PERLANE_INLINE vf tag_of_sample(const struct cells *cells, const struct cell_sample *of) {
  return cells->along < 0 ? of->hash : of->along[cells->along];
}

/* The noise that a search has found. */
PERLANE_INLINE vf noise_of_sample(const struct cells *cells, const struct cell_sample *of) {
  const struct nearest nearest = {of->first, of->second};
  if (cells->kind == CELL_TAG)
    return output_of_tag(cells, tag_of_sample(cells, of));
  if (cells->kind == CELL_EDGE)
    return noise_of_edge(cells, of->edge);
  return cells->kind == CELL_BOTH ? noise_of_distances(CELL_BOTH, cells, &nearest)
                                  : noise_of_distances(CELL_FIRST, cells, &nearest);
}

/* Searches for the noise, and if `arrays` are more than one for its derivatives, from reach 1. */
static void search_noise(const struct cells *cells, const struct axis *axes,
                         const double *const position[3], int reach, int arrays, vf *noise) {
  struct cell_sample sample;
  if (arrays > 1)
    (cells->dims == 1   ? search_1d_slopes
     : cells->dims == 2 ? search_2d_slopes
                        : search_3d_slopes)(cells, axes, position, &sample, noise + 1);
  else
    search_cells(cells, axes, position, reach, &sample);
  noise[0] = noise_of_sample(cells, &sample);
}

#endif
