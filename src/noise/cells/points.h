/* SPDX-License-Identifier: MIT
 *
 * Cellular noise at a block of points: the nearest among the points of the 3^D cells around each,
 * whose words an axis pass has made. Where another cell might have a nearer one, cells/search.h
 * searches on.
 */
#ifndef PERLANE_NOISE_CELLS_POINTS_H
#define PERLANE_NOISE_CELLS_POINTS_H

#include "search.h"

enum { CELL_BLOCK = 256 }; /* points of a block at most */

/* An axis of a block, in whole vectors. */
struct cell_axis {
  _Alignas(64) float fraction[CELL_BLOCK];
  _Alignas(64) uint32_t word[3][CELL_BLOCK]; /* at offsets -1, 0 and 1 */
  const double *position;                    /* that d_store has stored */
};

/* Makes fractions and words of n positions. With `near`, all are near. */
static PERLANE_NOINLINE void cell_words(struct cell_axis *to, size_t n, int near,
                                        const struct axis *axis) {
  const double *position = to->position;
  if (!near || axis->period != 0) {
    for (size_t i = 0; i < n; i += LANES) {
      struct cells_around around;
      cells_around(&around, axis, position + i, 1);
      f_store(to->fraction + i, around.fraction);
      for (int o = 0; o < 3; o++)
        i_store(to->word[o] + i, around.word[MAX_REACH - 1 + o]);
    }
    return;
  }
  const vd frequency = d_set(axis->frequency), rounding = d_set(axis->rounding);
  const vi multiplier = i_set(axis->multiplier);
  const vi key = i_set(axis->key - CELL_ZERO * axis->multiplier);
  for (size_t i = 0; i < n; i += LANES) {
    vi cell;
    vf fraction;
    d_split(d_add(d_mul(d_reload(position + i), frequency), rounding), &cell, &fraction);
    const vi v = i_add(i_mul(cell, multiplier), key);
    f_store(to->fraction + i, fraction);
    i_store(to->word[0] + i, axis_word(i_sub(v, multiplier)));
    i_store(to->word[1] + i, axis_word(v));
    i_store(to->word[2] + i, axis_word(i_add(v, multiplier)));
  }
}

/* One axis of LANES positions: f - o - a at each offset, and the words. */
struct point_axis {
  vf from[3];
  vi word[3];
};

PERLANE_INLINE struct point_axis point_axis_at(const struct cell_axis *axis, size_t i, vf start,
                                               vf *inside) {
  const vf fraction = f_load(axis->fraction + i), one = f_set(1);
  *inside = f_min(*inside, inside_of(fraction));
  return (struct point_axis){
      {f_sub(f_add(fraction, one), start), f_sub(fraction, start),
       f_sub(f_sub(fraction, one), start)},
      {i_load(axis->word[0] + i), i_load(axis->word[1] + i), i_load(axis->word[2] + i)}};
}

/* Distances to a cell's point along each axis, and the cell's hash. */
struct cell_offset {
  vf dx, dy, dz;
  vi hash;
};

PERLANE_INLINE struct cell_offset cell_offset(int dims, vf factor, vi word, vf x, vf y, vf z) {
  struct cell_offset to;
  to.hash = full_mix(word);
  to.dx = f_sub(point_x(dims, to.hash, factor), x);
  to.dy = f_sub(point_y(dims, to.hash, factor), y);
  to.dz = dims > 2 ? f_sub(point_z(to.hash, factor), z) : to.dx;
  return to;
}

/* Constant: `dims`. */
PERLANE_INLINE vf distance_of(int dims, const struct cells *cells, const struct cell_offset *to) {
  if (is_square(cells))
    return cell_distance(PERLANE_CELL_METRIC_SQUARED, dims, to->dx, to->dy, to->dz);
  if (cells->metric == PERLANE_CELL_METRIC_MANHATTAN)
    return cell_distance(PERLANE_CELL_METRIC_MANHATTAN, dims, to->dx, to->dy, to->dz);
  return cell_distance(PERLANE_CELL_METRIC_CHEBYSHEV, dims, to->dx, to->dy, to->dz);
}

/* The tag of a cell, as output_of_tag takes it. */
PERLANE_INLINE vf tag_at(const struct cells *cells, const struct cell_offset *to) {
  return cells->along < 0    ? f_bits(to->hash)
         : cells->along == 0 ? to->dx
         : cells->along == 1 ? to->dy
                             : to->dz;
}

/* The three cells along x with the word `word` along the other axes. The branch goes the same way
 * for all points. */
PERLANE_INLINE void include_three(int dims, enum cell_kind kind, const struct cells *cells,
                                  struct nearest *nearest, const struct point_axis *x, vi word,
                                  vf y, vf z) {
  const vf factor = f_set(cells->factor);
  const struct cell_offset a = cell_offset(dims, factor, i_add(x->word[0], word), x->from[0], y, z);
  const struct cell_offset b = cell_offset(dims, factor, i_add(x->word[1], word), x->from[1], y, z);
  const struct cell_offset c = cell_offset(dims, factor, i_add(x->word[2], word), x->from[2], y, z);
  vf da, db, dc;
#define DISTANCES(metric)                                                                          \
  da = cell_distance(metric, dims, a.dx, a.dy, a.dz);                                              \
  db = cell_distance(metric, dims, b.dx, b.dy, b.dz);                                              \
  dc = cell_distance(metric, dims, c.dx, c.dy, c.dz)
  if (is_square(cells)) {
    DISTANCES(PERLANE_CELL_METRIC_SQUARED);
  } else if (cells->metric == PERLANE_CELL_METRIC_MANHATTAN) {
    DISTANCES(PERLANE_CELL_METRIC_MANHATTAN);
  } else {
    DISTANCES(PERLANE_CELL_METRIC_CHEBYSHEV);
  }
#undef DISTANCES
  vf tag[3] = {da, db, dc};
  if (kind == CELL_TAG) {
    tag[0] = tag_at(cells, &a);
    tag[1] = tag_at(cells, &b);
    tag[2] = tag_at(cells, &c);
  }
  include_cell(kind, nearest, da, tag[0]);
  include_cell(kind, nearest, db, tag[1]);
  include_cell(kind, nearest, dc, tag[2]);
}

/* Constant: `dims` and `kind`. */
PERLANE_INLINE void nearest_cells(int dims, enum cell_kind kind, const struct cells *of,
                                  const struct axis *axes, const struct cell_axis axis[3], size_t n,
                                  int sum, float *to) {
  const struct cells cells = *of;
  const vf start = f_set(cells.start);
  for (size_t i = 0; i < n; i += LANES) {
    struct nearest nearest = none_near();
    vf inside = f_set(1);
    const struct point_axis x = point_axis_at(&axis[0], i, start, &inside);
    const struct point_axis y = dims > 1 ? point_axis_at(&axis[1], i, start, &inside) : x;
    if (dims == 1) {
      include_three(1, kind, &cells, &nearest, &x, i_set(0), start, start);
    } else if (dims == 2) {
      for (int o = 0; o < 3; o++)
        include_three(2, kind, &cells, &nearest, &x, y.word[o], y.from[o], start);
    } else {
      const struct point_axis z = point_axis_at(&axis[2], i, start, &inside);
      for (int p = 0; p < 3; p++)
        for (int o = 0; o < 3; o++)
          include_three(3, kind, &cells, &nearest, &x, i_add(y.word[o], z.word[p]), y.from[o],
                        z.from[p]);
    }
    const vf worst = kind == CELL_BOTH ? nearest.second : nearest.first;
    if (cells.reach > 1 && !i_all(f_not_above(worst, ring_distance(&cells, 2, inside)))) {
      const double *position[3] = {NULL, NULL, NULL};
      for (int a = 0; a < dims; a++)
        position[a] = axis[a].position + i;
      struct cell_sample sample;
      search_cells(of, axes, position, 2, &sample);
      nearest = (struct nearest){sample.first,
                                 kind == CELL_TAG ? tag_of_sample(&cells, &sample) : sample.second};
    }
    const vf v = kind == CELL_TAG ? output_of_tag(&cells, nearest.second)
                                  : noise_of_distances(kind, &cells, &nearest);
    store_sum(to + i, sum, v);
  }
}

#define CELL_KERNEL(name, dims)                                                                    \
  static PERLANE_NOINLINE void name(const struct cells *cells, const struct axis *axes,            \
                                    const struct cell_axis axis[3], size_t n, int sum,             \
                                    float *to) {                                                   \
    nearest_cells(dims, cells->kind, cells, axes, axis, n, sum, to);                               \
  }
CELL_KERNEL(cell_points_1d, 1)
CELL_KERNEL(cell_points_2d, 2)
CELL_KERNEL(cell_points_3d, 3)
#undef CELL_KERNEL

/* ---- All outputs ---- */

/* Arrays of all outputs, in units of cells; NULL for those that are not wanted. */
struct cell_outputs {
  float *id, *first, *second, *edge, *along[3];
};

/* The three cells along x with the word `word` along the other axes. Constant: `dims`. */
PERLANE_INLINE void sample_three(int dims, const struct cells *cells, struct cell_sample *to,
                                 const struct point_axis *x, vi word, vf y, vf z) {
  for (int o = 0; o < 3; o++) {
    const vi own = i_add(x->word[o], word);
    const struct cell_offset cell = cell_offset(dims, f_set(cells->factor), own, x->from[o], y, z);
    const vf distance = distance_of(dims, cells, &cell), along[3] = {cell.dx, cell.dy, cell.dz};
    to->hash = f_select_below(distance, to->first, f_bits(cell.hash), to->hash);
    for (int a = 0; a < dims; a++)
      to->along[a] = f_select_below(distance, to->first, along[a], to->along[a]);
    struct nearest nearest = {to->first, to->second};
    include_cell(CELL_BOTH, &nearest, distance, distance);
    to->first = nearest.first;
    to->second = nearest.second;
  }
}

/* As sample_near. Constant: `dims`. */
PERLANE_INLINE int sample_around(int dims, const struct cells *cells,
                                 const struct cell_axis axis[3], size_t i, struct cell_sample *to) {
  const vf start = f_set(cells->start);
  vf inside = f_set(1);
  const struct point_axis x = point_axis_at(&axis[0], i, start, &inside);
  const struct point_axis y = dims > 1 ? point_axis_at(&axis[1], i, start, &inside) : x;
  to->first = to->second = f_set(FLT_MAX);
  if (dims == 1) {
    sample_three(1, cells, to, &x, i_set(0), start, start);
  } else if (dims == 2) {
    for (int o = 0; o < 3; o++)
      sample_three(2, cells, to, &x, y.word[o], y.from[o], start);
  } else {
    const struct point_axis z = point_axis_at(&axis[2], i, start, &inside);
    for (int p = 0; p < 3; p++)
      for (int o = 0; o < 3; o++)
        sample_three(3, cells, to, &x, i_add(y.word[o], z.word[p]), y.from[o], z.from[p]);
  }
  const vf worst = is_second_needed(cells) ? to->second : to->first;
  return cells->reach == 1 || i_all(f_not_above(worst, ring_distance(cells, 2, inside)));
}

#define SAMPLE_KERNEL(name, dims)                                                                  \
  static PERLANE_NOINLINE int name(const struct cells *cells, const struct cell_axis axis[3],      \
                                   size_t i, struct cell_sample *to) {                             \
    return sample_around(dims, cells, axis, i, to);                                                \
  }
SAMPLE_KERNEL(sample_around_1d, 1)
SAMPLE_KERNEL(sample_around_2d, 2)
SAMPLE_KERNEL(sample_around_3d, 3)
#undef SAMPLE_KERNEL

/* Samples the 3^D cells around vector i of the points. Returns 0 if others may have nearer points.
 */
PERLANE_INLINE int sample_near(const struct cells *cells, const struct cell_axis axis[3], size_t i,
                               struct cell_sample *to) {
  return (cells->dims == 1   ? sample_around_1d
          : cells->dims == 2 ? sample_around_2d
                             : sample_around_3d)(cells, axis, i, to);
}

/* Makes all outputs of n points that are wanted. */
static PERLANE_NOINLINE void sample_points(const struct cells *cells, const struct axis *axes,
                                           const struct cell_axis axis[3], size_t n,
                                           const struct cell_outputs *to) {
  const int dims = cells->dims;
  const vf none = f_set(0);
  for (size_t i = 0; i < n; i += LANES) {
    const double *position[3] = {NULL, NULL, NULL};
    struct cell_sample sample;
    int reach = 1;
    for (int a = 0; a < dims; a++)
      position[a] = axis[a].position + i;
    if (!to->edge)
      reach = sample_near(cells, axis, i, &sample) ? 0 : 2;
    if (reach > 0)
      search_cells(cells, axes, position, reach, &sample);
    if (to->id)
      f_store(to->id + i, sample.hash);
    if (to->first)
      f_store(to->first + i, distance_of_part(cells, sample.first));
    if (to->second)
      f_store(to->second + i, distance_of_part(cells, sample.second));
    if (to->edge)
      f_store(to->edge + i, f_select_below(none, sample.edge, sample.edge, none));
    for (int a = 0; a < dims; a++)
      if (to->along[a])
        f_store(to->along[a] + i, sample.along[a]);
  }
}

/* The first `arrays` arrays of n points of an octave; with `sum`, added to what is in `to`.
 * Borders, and derivatives of more than the nearest point's distance, need a search. */
static void cell_points(const struct cells *cells, const struct axis *axes,
                        const struct cell_axis axis[3], size_t n, int sum, int arrays,
                        const struct samples *to) {
  if (cells->kind == CELL_EDGE || arrays > 1) {
    for (size_t i = 0; i < n; i += LANES) {
      const double *position[3] = {NULL, NULL, NULL};
      for (int a = 0; a < cells->dims; a++)
        position[a] = axis[a].position + i;
      vf v[MAX_ARRAYS];
      struct cell_sample sample;
      if (cells->kind == CELL_FIRST && sample_near(cells, axis, i, &sample)) {
        v[0] = noise_of_sample(cells, &sample);
        slopes_of_distance(cells, sample.first, sample.along, v + 1);
        for (int j = 1; j < arrays; j++)
          v[j] = f_mul(v[j], f_set(axes[0].steepness));
      } else {
        search_noise(cells, axes, position, 1, arrays, v);
      }
      for (int j = 0; j < arrays; j++)
        store_sum(to->array[j] + i, sum, v[j]);
    }
    return;
  }
  (cells->dims == 1   ? cell_points_1d
   : cells->dims == 2 ? cell_points_2d
                      : cell_points_3d)(cells, axes, axis, n, sum, to->array[0]);
}

#endif
