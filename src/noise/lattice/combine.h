/* SPDX-License-Identifier: MIT
 *
 * The combination of a cell's corners: edges along x, folded along the other axes
 * (docs/specification.md, 2.6), and its derivatives (2.13).
 */
#ifndef PERLANE_NOISE_LATTICE_COMBINE_H
#define PERLANE_NOISE_LATTICE_COMBINE_H

#include "../samples.h"
#include "corner.h"
#include "spread.h"

/* An edge along x, or several folded into one: the value on it, and its tilts along the axes that
 * are still to fold. The specification calls it a row. */
struct edge {
  vf value, y, z, w;
};

PERLANE_INLINE vf lerp(vf t, vf a, vf b) {
  return f_add(a, f_mul(t, f_sub(b, a)));
}

PERLANE_INLINE vf middle(vf lower, vf upper) {
  return f_mul(f_add(lower, upper), f_set(0.5f));
}

PERLANE_INLINE struct edge flat_edge(vf value) {
  const vf none = f_set(0);
  return (struct edge){value, none, none, none};
}

PERLANE_INLINE struct edge edge_between(enum source source, int dims, const struct ends *ends,
                                        const struct axis_lanes *x) {
  const struct gradient *g0 = &ends->lower, *g1 = &ends->upper;
  if (source == SOURCE_VALUES)
    return flat_edge(f_add(middle(g0->x, g1->x), f_mul(x->centred, f_sub(g1->x, g0->x))));
  struct edge row;
  row.value = f_add(f_mul(x->a0, g0->x), f_mul(x->a1, g1->x));
  const vf fade = fade_of(x->centred);
  if (dims >= 2)
    row.y = lerp(fade, g0->y, g1->y);
  if (dims >= 3)
    row.z = lerp(fade, g0->z, g1->z);
  if (dims >= 4)
    row.w = lerp(fade, g0->w, g1->w);
  return row;
}

/* The derivative of edge_between along x. */
PERLANE_INLINE struct edge edge_slope(enum source source, int dims, const struct ends *ends,
                                      const struct axis_lanes *x) {
  const struct gradient *g0 = &ends->lower, *g1 = &ends->upper;
  if (source == SOURCE_VALUES)
    return flat_edge(f_mul(x->slope, f_sub(g1->x, g0->x)));
  struct edge row;
  row.value = f_add(f_mul(x->b0, g0->x), f_mul(x->b1, g1->x));
  if (dims >= 2)
    row.y = f_mul(x->slope, f_sub(g1->y, g0->y));
  if (dims >= 3)
    row.z = f_mul(x->slope, f_sub(g1->z, g0->z));
  if (dims >= 4)
    row.w = f_mul(x->slope, f_sub(g1->w, g0->w));
  return row;
}

/* Folds two edges that are a cell apart along an axis: the middle and the difference of their
 * values, and their tilts along the axis. */
PERLANE_INLINE vf fold_value(vf middle, vf rise, vf tilt0, vf tilt1, vf centred, vf a0, vf a1) {
  return f_add(f_add(middle, f_mul(centred, rise)), f_add(f_mul(a0, tilt0), f_mul(a1, tilt1)));
}

PERLANE_INLINE vf fold_rows(vf lower, vf upper, vf tilt0, vf tilt1, const struct axis_lanes *axis) {
  return fold_value(middle(lower, upper), f_sub(upper, lower), tilt0, tilt1, axis->centred,
                    axis->a0, axis->a1);
}

/* The derivative of fold_value along the axis. */
PERLANE_INLINE vf fold_slope(vf rise, vf tilt0, vf tilt1, vf slope, vf b0, vf b1) {
  return f_add(f_mul(slope, rise), f_add(f_mul(b0, tilt0), f_mul(b1, tilt1)));
}

PERLANE_INLINE vf fold_rows_slope(vf lower, vf upper, vf tilt0, vf tilt1,
                                  const struct axis_lanes *axis) {
  return fold_slope(f_sub(upper, lower), tilt0, tilt1, axis->slope, axis->b0, axis->b1);
}

PERLANE_INLINE struct edge fold_w(struct edge lower, struct edge upper,
                                  const struct axis_lanes *w) {
  const vf fade = fade_of(w->centred);
  struct edge row;
  row.value = fold_rows(lower.value, upper.value, lower.w, upper.w, w);
  row.y = lerp(fade, lower.y, upper.y);
  row.z = lerp(fade, lower.z, upper.z);
  return row;
}

PERLANE_INLINE struct edge fold_w_slope(struct edge lower, struct edge upper,
                                        const struct axis_lanes *w) {
  struct edge row;
  row.value = fold_rows_slope(lower.value, upper.value, lower.w, upper.w, w);
  row.y = f_mul(w->slope, f_sub(upper.y, lower.y));
  row.z = f_mul(w->slope, f_sub(upper.z, lower.z));
  return row;
}

PERLANE_INLINE struct edge fold_z(struct edge lower, struct edge upper,
                                  const struct axis_lanes *z) {
  struct edge row;
  row.value = fold_rows(lower.value, upper.value, lower.z, upper.z, z);
  row.y = lerp(fade_of(z->centred), lower.y, upper.y);
  return row;
}

PERLANE_INLINE struct edge fold_z_slope(struct edge lower, struct edge upper,
                                        const struct axis_lanes *z) {
  struct edge row;
  row.value = fold_rows_slope(lower.value, upper.value, lower.z, upper.z, z);
  row.y = f_mul(z->slope, f_sub(upper.y, lower.y));
  return row;
}

/* What is evaluated, and from what. Constant where it is a parameter. */
struct corner_kind {
  enum source source;
  int dims;
  int slopes; /* whether derivatives are, too */
};

/* An edge row at one column: the edge at given words of y and z, in 4D folded along w; with slopes,
 * its derivatives along x and w. */
struct edge_row {
  struct edge value, x, w;
};

/* A lattice row at one column: edge rows folded along z, so that only y is left; with slopes, its
 * derivatives along x, z and w. */
struct lattice_row {
  struct edge value, x, z, w;
};

/* The edge row at words y and z. Its ends are evaluated here, or taken from column i of `spread` if
 * that is not NULL. */
PERLANE_INLINE struct edge_row edge_row_at(struct corner_kind kind, const struct lattice *lattice,
                                           const struct axis_lanes *x, vi y, vi z,
                                           const struct axis_lanes *w, const struct spread *spread,
                                           size_t i) {
#define ENDS(row, w_word)                                                                          \
  spread ? spread_ends(kind.source, kind.dims, spread, row, i)                                     \
         : ends_of(kind.source, kind.dims, lattice, x, y, z, w_word)
  struct edge_row edges;
  if (kind.dims < 4) {
    const struct ends ends = ENDS(0, y);
    edges.value = edge_between(kind.source, kind.dims, &ends, x);
    if (kind.slopes)
      edges.x = edge_slope(kind.source, kind.dims, &ends, x);
  } else {
    const struct ends ends0 = ENDS(0, w->word), ends1 = ENDS(1, w->next);
    const struct edge lower = edge_between(kind.source, kind.dims, &ends0, x);
    const struct edge upper = edge_between(kind.source, kind.dims, &ends1, x);
    edges.value = fold_w(lower, upper, w);
    if (kind.slopes) {
      edges.x = fold_w(edge_slope(kind.source, kind.dims, &ends0, x),
                       edge_slope(kind.source, kind.dims, &ends1, x), w);
      edges.w = fold_w_slope(lower, upper, w);
    }
  }
#undef ENDS
  return edges;
}

PERLANE_INLINE struct lattice_row fold_edge_rows(struct corner_kind kind,
                                                 const struct edge_row *lower,
                                                 const struct edge_row *upper,
                                                 const struct axis_lanes *z) {
  struct lattice_row rows;
  rows.value = fold_z(lower->value, upper->value, z);
  if (kind.slopes) {
    rows.x = fold_z(lower->x, upper->x, z);
    rows.z = fold_z_slope(lower->value, upper->value, z);
    if (kind.dims == 4)
      rows.w = fold_z(lower->w, upper->w, z);
  }
  return rows;
}

/* Folds the lattice rows around a point along y into samples i and on; with `sum`, adds to them. */
PERLANE_INLINE void fold_lattice_rows(struct corner_kind kind, const struct lattice_row *lower,
                                      const struct lattice_row *upper, const struct axis_lanes *y,
                                      int sum, const struct samples *to, size_t i) {
#define FOLD_Y(fold, channel)                                                                      \
  fold(lower->channel.value, upper->channel.value, lower->channel.y, upper->channel.y, y)
  store_sum(to->array[0] + i, sum, FOLD_Y(fold_rows, value));
  if (kind.slopes) {
    store_sum(to->array[1] + i, sum, FOLD_Y(fold_rows, x));
    store_sum(to->array[2] + i, sum, FOLD_Y(fold_rows_slope, value));
    if (kind.dims >= 3)
      store_sum(to->array[3] + i, sum, FOLD_Y(fold_rows, z));
    if (kind.dims >= 4)
      store_sum(to->array[4] + i, sum, FOLD_Y(fold_rows, w));
  }
#undef FOLD_Y
}

/* The lattice row at word y, in any number of dimensions. */
PERLANE_INLINE struct lattice_row
lattice_row_at(struct corner_kind kind, const struct lattice *lattice, const struct axis_lanes *x,
               vi y, const struct axis_lanes *z, const struct axis_lanes *w) {
  if (kind.dims <= 2) {
    const struct edge_row edges = edge_row_at(kind, lattice, x, y, y, NULL, NULL, 0);
    return (struct lattice_row){.value = edges.value, .x = edges.x};
  }
  const struct edge_row lower = edge_row_at(kind, lattice, x, y, z->word, w, NULL, 0);
  const struct edge_row upper = edge_row_at(kind, lattice, x, y, z->next, w, NULL, 0);
  return fold_edge_rows(kind, &lower, &upper, z);
}

#endif
