/* SPDX-License-Identifier: MIT
 *
 * The combination of a cell's corners: edges along x, folded along the other axes
 * (docs/specification.md, 2.6), and its derivatives (2.13).
 *
 * A corner's gradient (gx, gy, gz, gw) adds gx * x + gy * y + ... to the value, x, y, ... being the
 * distances to the corner, and the corners are blended by the fades f. Blending along x first
 * leaves an *edge*: its value (1 - f) * x * gx0 + f * (x - 1) * gx1, where the factors of gx0 and
 * gx1 belong to the column alone (a0 and a1 of axis.h), and its tilts, the blends of gy, gz and gw,
 * whose distances are not applied yet. Two edges fold along another axis a in the same way: blend
 * the values, add a0 * tilt0 + a1 * tilt1, blend the other tilts. Folding along w, z and y last
 * leaves a number; whatever comes before y is the same for all samples of a column in a cell, which
 * is what grids keep as lattice rows.
 *
 * Values are blended around their middle: (lower + upper) / 2 + (f - 1/2) * (upper - lower). Its
 * error is below that of lower + f * (upper - lower), whose difference may be above 1. A derivative
 * along an axis replaces that axis' weights by their derivatives; along the others it is folded as
 * a value is.
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

/* Blends two ends by the fade; with `slope`, the derivative along the axis, as in all that follows.
 */
PERLANE_INLINE vf blend_ends(int slope, vf lower, vf upper, const struct axis_lanes *axis) {
  return slope ? f_mul(axis->slope, f_sub(upper, lower))
               : lerp(fade_of(axis->centred), lower, upper);
}

/* Folds two values that are a cell apart along an axis, from their middle and difference and their
 * tilts along the axis. */
PERLANE_INLINE vf fold_value(vf middle, vf rise, vf tilt0, vf tilt1, vf centred, vf a0, vf a1) {
  return f_add(f_add(middle, f_mul(centred, rise)), f_add(f_mul(a0, tilt0), f_mul(a1, tilt1)));
}

/* The derivative of fold_value along the axis. */
PERLANE_INLINE vf fold_slope(vf rise, vf tilt0, vf tilt1, vf slope, vf b0, vf b1) {
  return f_add(f_mul(slope, rise), f_add(f_mul(b0, tilt0), f_mul(b1, tilt1)));
}

PERLANE_INLINE vf fold_ends(int slope, vf lower, vf upper, vf tilt0, vf tilt1,
                            const struct axis_lanes *axis) {
  const vf rise = f_sub(upper, lower);
  return slope ? fold_slope(rise, tilt0, tilt1, axis->slope, axis->b0, axis->b1)
               : fold_value(middle(lower, upper), rise, tilt0, tilt1, axis->centred, axis->a0,
                            axis->a1);
}

/* The edge between two corners. Constant: `slope`, `source` and `dims`. */
PERLANE_INLINE struct edge edge_between(int slope, enum source source, int dims,
                                        const struct ends *ends, const struct axis_lanes *x) {
  const struct gradient *g0 = &ends->lower, *g1 = &ends->upper;
  struct edge edge;
  if (source == SOURCE_VALUES) {
    const vf none = f_set(0), rise = f_sub(g1->x, g0->x);
    edge.value =
        slope ? f_mul(x->slope, rise) : f_add(middle(g0->x, g1->x), f_mul(x->centred, rise));
    edge.y = edge.z = edge.w = none;
    return edge;
  }
  edge.value = f_add(f_mul(slope ? x->b0 : x->a0, g0->x), f_mul(slope ? x->b1 : x->a1, g1->x));
  if (dims >= 2)
    edge.y = blend_ends(slope, g0->y, g1->y, x);
  if (dims >= 3)
    edge.z = blend_ends(slope, g0->z, g1->z, x);
  if (dims >= 4)
    edge.w = blend_ends(slope, g0->w, g1->w, x);
  return edge;
}

/* Folds two edges along w. */
PERLANE_INLINE struct edge fold_w(int slope, struct edge lower, struct edge upper,
                                  const struct axis_lanes *w) {
  return (struct edge){.value = fold_ends(slope, lower.value, upper.value, lower.w, upper.w, w),
                       .y = blend_ends(slope, lower.y, upper.y, w),
                       .z = blend_ends(slope, lower.z, upper.z, w)};
}

/* Folds two edges along z. */
PERLANE_INLINE struct edge fold_z(int slope, struct edge lower, struct edge upper,
                                  const struct axis_lanes *z) {
  return (struct edge){.value = fold_ends(slope, lower.value, upper.value, lower.z, upper.z, z),
                       .y = blend_ends(slope, lower.y, upper.y, z)};
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

/* The edge row between ends, in 4D those at the lower and the upper w; otherwise `upper` is not
 * read. */
PERLANE_INLINE struct edge_row edge_row_of(struct corner_kind kind, const struct ends *lower,
                                           const struct ends *upper, const struct axis_lanes *x,
                                           const struct axis_lanes *w) {
  const struct edge edge0 = edge_between(0, kind.source, kind.dims, lower, x);
  struct edge slope0, slope1;
  if (kind.slopes)
    slope0 = edge_between(1, kind.source, kind.dims, lower, x);
  if (kind.dims < 4)
    return (struct edge_row){.value = edge0, .x = slope0};
  const struct edge edge1 = edge_between(0, kind.source, kind.dims, upper, x);
  struct edge_row edges = {.value = fold_w(0, edge0, edge1, w)};
  if (kind.slopes) {
    slope1 = edge_between(1, kind.source, kind.dims, upper, x);
    edges.x = fold_w(0, slope0, slope1, w);
    edges.w = fold_w(1, edge0, edge1, w);
  }
  return edges;
}

/* The edge row at words y and z, whose ends are evaluated. */
PERLANE_INLINE struct edge_row edge_row_at(struct corner_kind kind, const struct lattice *lattice,
                                           const struct axis_lanes *x, vi y, vi z,
                                           const struct axis_lanes *w) {
  if (kind.dims < 4) {
    const struct ends ends = ends_of(kind.source, kind.dims, lattice, x, y, z, y);
    return edge_row_of(kind, &ends, NULL, x, w);
  }
  const struct ends lower = ends_of(kind.source, 4, lattice, x, y, z, w->word);
  const struct ends upper = ends_of(kind.source, 4, lattice, x, y, z, w->next);
  return edge_row_of(kind, &lower, &upper, x, w);
}

PERLANE_INLINE struct lattice_row fold_edge_rows(struct corner_kind kind,
                                                 const struct edge_row *lower,
                                                 const struct edge_row *upper,
                                                 const struct axis_lanes *z) {
  struct lattice_row rows;
  rows.value = fold_z(0, lower->value, upper->value, z);
  if (kind.slopes) {
    rows.x = fold_z(0, lower->x, upper->x, z);
    rows.z = fold_z(1, lower->value, upper->value, z);
    if (kind.dims == 4)
      rows.w = fold_z(0, lower->w, upper->w, z);
  }
  return rows;
}

/* Folds the lattice rows around a point along y into samples i and on; with `sum`, adds to them. */
PERLANE_INLINE void fold_lattice_rows(struct corner_kind kind, const struct lattice_row *lower,
                                      const struct lattice_row *upper, const struct axis_lanes *y,
                                      int sum, const struct samples *to, size_t i) {
#define FOLD_Y(slope, channel)                                                                     \
  fold_ends(slope, lower->channel.value, upper->channel.value, lower->channel.y, upper->channel.y, \
            y)
  store_sum(to->array[0] + i, sum, FOLD_Y(0, value));
  if (kind.slopes) {
    store_sum(to->array[1] + i, sum, FOLD_Y(0, x));
    store_sum(to->array[2] + i, sum, FOLD_Y(1, value));
    if (kind.dims >= 3)
      store_sum(to->array[3] + i, sum, FOLD_Y(0, z));
    if (kind.dims >= 4)
      store_sum(to->array[4] + i, sum, FOLD_Y(0, w));
  }
#undef FOLD_Y
}

/* ---- Cells ---- */

/* Corners of a vector of cells that have been looked up, and the words that they belong to. Edges
 * are numbered by their words along y, z and w; each has components at two ends. */
struct cell_corners {
  vi word[PERLANE_MAX_DIMS], next[PERLANE_MAX_DIMS];
  _Alignas(64) float component[1 << (PERLANE_MAX_DIMS - 1)][2][PERLANE_MAX_DIMS][LANES];
};

PERLANE_INLINE vm are_corners(const struct cell_corners *corners, const struct axis_lanes *axis,
                              int a) {
  return m_and(i_equal(axis[a].word, corners->word[a]), i_equal(axis[a].next, corners->next[a]));
}

PERLANE_INLINE int has_corners(int dims, const struct cell_corners *corners,
                               const struct axis_lanes *axis) {
  vm same = are_corners(corners, axis, 0);
  for (int a = 1; a < dims; a++)
    same = m_and(same, are_corners(corners, axis, a));
  return m_all(same);
}

/* Looks up the corners of cells, unless they are those of the vector before: lookups take most of
 * the time, and neighbouring points are often in the same cells, as where a warp has moved a grid's
 * samples. */
PERLANE_INLINE void look_up_corners(int dims, int is_first, const struct lattice *lattice,
                                    const struct axis_lanes *axis, struct cell_corners *to) {
  if (!is_first && has_corners(dims, to, axis))
    return;
  for (int a = 0; a < dims; a++) {
    to->word[a] = axis[a].word;
    to->next[a] = axis[a].next;
  }
  PERLANE_UNROLL for (int corner = 0; corner < 1 << dims; corner++) {
    float *component = to->component[corner >> 1][corner & 1][0];
    const vi x = corner & 1 ? axis->next : axis->word;
#define WORD_OF(a) ((a) >= dims ? x : corner >> (dims - (a)) & 1 ? axis[a].next : axis[a].word)
    if (dims == 2)
      store_gradient(2, lattice, (struct corner){x, WORD_OF(1), x, x}, component, LANES);
    else
      look_up(dims, lattice, x, WORD_OF(1), WORD_OF(2), WORD_OF(3), component, LANES);
#undef WORD_OF
  }
}

/* The edge row at words y and z, or that of edge `number` in 4D and the next one if corners have
 * been looked up. */
PERLANE_INLINE struct edge_row cell_edge_row(struct corner_kind kind, const struct lattice *lattice,
                                             const struct axis_lanes *axis, vi y, vi z, int number,
                                             const struct cell_corners *corners) {
  if (kind.source != SOURCE_LOOKUP)
    return edge_row_at(kind, lattice, axis, y, z, &axis[3]);
#define ENDS(e)                                                                                    \
  load_ends(kind.source, kind.dims, corners->component[e][0][0], corners->component[e][1][0], LANES)
  const struct ends lower = ENDS(number), upper = ENDS(kind.dims == 4 ? number + 1 : number);
#undef ENDS
  return edge_row_of(kind, &lower, &upper, axis, &axis[3]);
}

/* The lower or the upper lattice row of a cell in 2D to 4D. */
PERLANE_INLINE struct lattice_row cell_lattice_row(struct corner_kind kind,
                                                   const struct lattice *lattice,
                                                   const struct axis_lanes *axis, int upper,
                                                   const struct cell_corners *corners) {
  const vi y = upper ? axis[1].next : axis[1].word;
  const int first = upper << (kind.dims - 2), other = first + (1 << (kind.dims - 2)) / 2;
  const struct edge_row edges0 =
      cell_edge_row(kind, lattice, axis, y, kind.dims == 2 ? y : axis[2].word, first, corners);
  if (kind.dims == 2)
    return (struct lattice_row){.value = edges0.value, .x = edges0.x};
  const struct edge_row edges1 =
      cell_edge_row(kind, lattice, axis, y, axis[2].next, other, corners);
  return fold_edge_rows(kind, &edges0, &edges1, &axis[2]);
}

/* Combines the corners of a vector of cells into samples i and on; with `sum`, adds to them.
 * `corners` is memory from one vector to the next. */
PERLANE_INLINE void combine_cells(struct corner_kind kind, const struct lattice *lattice,
                                  const struct axis_lanes *axis, struct cell_corners *corners,
                                  int sum, const struct samples *to, size_t i) {
  if (kind.source == SOURCE_LOOKUP)
    look_up_corners(kind.dims, i == 0, lattice, axis, corners);
  if (kind.dims == 1) {
    const struct edge_row edge =
        cell_edge_row(kind, lattice, axis, axis->word, axis->word, 0, corners);
    store_sum(to->array[0] + i, sum, edge.value.value);
    if (kind.slopes)
      store_sum(to->array[1] + i, sum, edge.x.value);
    return;
  }
  const struct lattice_row lower = cell_lattice_row(kind, lattice, axis, 0, corners);
  const struct lattice_row upper = cell_lattice_row(kind, lattice, axis, 1, corners);
  fold_lattice_rows(kind, &lower, &upper, &axis[1], sum, to, i);
}

#endif
