/* SPDX-License-Identifier: MIT
 *
 * The combination of a cell's corners: edges along x, folded along the other axes
 * (docs/specification.md, 2.6), and its derivatives (2.13).
 */
#ifndef PERLANE_NOISE_COMBINE_H
#define PERLANE_NOISE_COMBINE_H

#include "corner.h"
#include "spread.h"

/* A lattice row's edge between two corners, or several rows folded into one: the value on it, and
 * how it tilts along the axes still to fold. */
struct row {
  vf value, y, z, w;
};

PERLANE_INLINE vf lerp(vf t, vf a, vf b) {
  return f_add(a, f_mul(t, f_sub(b, a)));
}

PERLANE_INLINE vf middle(vf lower, vf upper) {
  return f_mul(f_add(lower, upper), f_set(0.5f));
}

PERLANE_INLINE struct row flat_row(vf value) {
  const vf none = f_set(0);
  return (struct row){value, none, none, none};
}

PERLANE_INLINE struct row edge(enum source source, int dims, const struct ends *ends,
                               const struct axis_lanes *x) {
  const struct gradient *g0 = &ends->lower, *g1 = &ends->upper;
  if (source == SOURCE_VALUES)
    return flat_row(f_add(middle(g0->x, g1->x), f_mul(x->centred, f_sub(g1->x, g0->x))));
  struct row row;
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

/* The derivative of an edge along x. */
PERLANE_INLINE struct row edge_slope(enum source source, int dims, const struct ends *ends,
                                     const struct axis_lanes *x) {
  const struct gradient *g0 = &ends->lower, *g1 = &ends->upper;
  if (source == SOURCE_VALUES)
    return flat_row(f_mul(x->slope, f_sub(g1->x, g0->x)));
  struct row row;
  row.value = f_add(f_mul(x->b0, g0->x), f_mul(x->b1, g1->x));
  if (dims >= 2)
    row.y = f_mul(x->slope, f_sub(g1->y, g0->y));
  if (dims >= 3)
    row.z = f_mul(x->slope, f_sub(g1->z, g0->z));
  if (dims >= 4)
    row.w = f_mul(x->slope, f_sub(g1->w, g0->w));
  return row;
}

/* The value between two rows a cell apart along an axis: from their values' middle and rise, and
 * their tilts along the axis. */
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

PERLANE_INLINE struct row fold_w(struct row lower, struct row upper, const struct axis_lanes *w) {
  const vf fade = fade_of(w->centred);
  struct row row;
  row.value = fold_rows(lower.value, upper.value, lower.w, upper.w, w);
  row.y = lerp(fade, lower.y, upper.y);
  row.z = lerp(fade, lower.z, upper.z);
  return row;
}

PERLANE_INLINE struct row fold_w_slope(struct row lower, struct row upper,
                                       const struct axis_lanes *w) {
  struct row row;
  row.value = fold_rows_slope(lower.value, upper.value, lower.w, upper.w, w);
  row.y = f_mul(w->slope, f_sub(upper.y, lower.y));
  row.z = f_mul(w->slope, f_sub(upper.z, lower.z));
  return row;
}

PERLANE_INLINE struct row fold_z(struct row lower, struct row upper, const struct axis_lanes *z) {
  struct row row;
  row.value = fold_rows(lower.value, upper.value, lower.z, upper.z, z);
  row.y = lerp(fade_of(z->centred), lower.y, upper.y);
  return row;
}

PERLANE_INLINE struct row fold_z_slope(struct row lower, struct row upper,
                                       const struct axis_lanes *z) {
  struct row row;
  row.value = fold_rows_slope(lower.value, upper.value, lower.z, upper.z, z);
  row.y = f_mul(z->slope, f_sub(upper.y, lower.y));
  return row;
}

/* What is evaluated, and from what: constants where they are passed, so that only one case remains.
 */
struct kind {
  enum source source;
  int dims;
  int slopes;
};

/* The edges along x of a lattice row, in 4D those at both w folded: with slopes, their derivatives
 * along x and w too. */
struct edges {
  struct row value, x, w;
};

/* Edges folded along z: everything but y. With slopes, the derivatives along the other axes too. */
struct rows {
  struct row value, x, z, w;
};

/* The edges at words y and z. Their ends are those of the lattice's points, or where `spread` is
 * not NULL, have been evaluated there, for column i. */
PERLANE_INLINE struct edges lattice_edges(struct kind kind, const struct lattice *lattice,
                                          const struct axis_lanes *x, vi y, vi z,
                                          const struct axis_lanes *w, const struct spread *spread,
                                          size_t i) {
#define ENDS(row, w_word)                                                                          \
  spread ? spread_ends(kind.source, kind.dims, spread, row, i)                                     \
         : ends_of(kind.source, kind.dims, lattice, x, y, z, w_word)
  struct edges edges;
  if (kind.dims < 4) {
    const struct ends ends = ENDS(0, y);
    edges.value = edge(kind.source, kind.dims, &ends, x);
    if (kind.slopes)
      edges.x = edge_slope(kind.source, kind.dims, &ends, x);
  } else {
    const struct ends ends0 = ENDS(0, w->word), ends1 = ENDS(1, w->next);
    const struct row lower = edge(kind.source, kind.dims, &ends0, x);
    const struct row upper = edge(kind.source, kind.dims, &ends1, x);
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

PERLANE_INLINE struct rows fold_edges(struct kind kind, const struct edges *lower,
                                      const struct edges *upper, const struct axis_lanes *z) {
  struct rows rows;
  rows.value = fold_z(lower->value, upper->value, z);
  if (kind.slopes) {
    rows.x = fold_z(lower->x, upper->x, z);
    rows.z = fold_z_slope(lower->value, upper->value, z);
    if (kind.dims == 4)
      rows.w = fold_z(lower->w, upper->w, z);
  }
  return rows;
}

/* The rows at word y, in any number of dimensions. */
PERLANE_INLINE struct rows lattice_rows(struct kind kind, const struct lattice *lattice,
                                        const struct axis_lanes *x, vi y,
                                        const struct axis_lanes *z, const struct axis_lanes *w) {
  if (kind.dims <= 2) {
    const struct edges edges = lattice_edges(kind, lattice, x, y, y, NULL, NULL, 0);
    return (struct rows){.value = edges.value, .x = edges.x};
  }
  const struct edges lower = lattice_edges(kind, lattice, x, y, z->word, w, NULL, 0);
  const struct edges upper = lattice_edges(kind, lattice, x, y, z->next, w, NULL, 0);
  return fold_edges(kind, &lower, &upper, z);
}

#endif
