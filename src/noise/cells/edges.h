/* SPDX-License-Identifier: MIT
 *
 * Distances to borders in a box. The distance to the plane halfway between two points is separable,
 * as that to a point is. So each point that can be the nearest in the box has a list of neighbours,
 * whose planes can be the nearest where it is, and a sample takes the smallest of these distances
 * by the rule of cells with tags.
 *
 * A neighbour is dropped if one of the two whose planes are nearest to the box's middle beats it at
 * every corner of the box: the difference of two planes' distances is linear.
 */
#ifndef PERLANE_NOISE_CELLS_EDGES_H
#define PERLANE_NOISE_CELLS_EDGES_H

#include "boxes.h"
#include "columns.h"

/* The points that can be the nearest, and their neighbours, one list after the other. */
struct edges {
  struct candidates own, other;
  float normal[3][MAX_CANDIDATES + LANES]; /* of the planes, as normal_of */
  uint8_t end[MAX_CANDIDATES];             /* of each point's neighbours */
};

/* A box's cells, and the planes between one of their points and all others: the distance from the
 * box's middle is in all.distance, FLT_MAX for the point itself. */
struct edge_cells {
  struct box_cells all;
  float normal[3][CELL_ARRAY];
  uint16_t number[MAX_BOX_CELLS + 1]; /* of the candidates */
};
_Static_assert(sizeof(struct edge_cells) <= BRICK_SCRATCH, "scratch memory");

/* Makes the planes. Constant: `dims`. */
PERLANE_INLINE void make_planes(int dims, struct edge_cells *to, float start, const struct box *box,
                                size_t n, size_t own) {
  struct box_cells *of = &to->all;
  const vf none = f_set(0);
  float from[3];
  for (int a = 0; a < dims; a++) {
    const float twice = box->axis[a].low + box->axis[a].high;
    from[a] = of->point[a][own] + (of->cell[a][own] + start) - twice;
  }
  for (size_t i = 0; i < n; i += LANES) {
    vf distance = none, normal[3], e[3] = {none, none, none};
    for (int a = 0; a < dims; a++)
      e[a] = f_add(f_sub(f_load(of->point[a] + i), f_set(of->point[a][own])),
                   f_sub(f_load(of->cell[a] + i), f_set(of->cell[a][own])));
    const vi differ = normal_of(dims, e, normal);
    for (int a = 0; a < dims; a++) {
      const vf both = f_add(box_coordinate(of, a, f_set(start), i), f_set(from[a]));
      distance = f_add(distance, f_mul(both, normal[a]));
      f_store(to->normal[a] + i, normal[a]);
    }
    f_store(of->distance + i, f_bits(i_select(differ, i_bits(distance), i_bits(f_set(FLT_MAX)))));
  }
}

/* Masks a point's neighbours, in all.distance. Constant: `dims`. */
PERLANE_INLINE void mask_neighbours(int dims, struct edge_cells *of, float start,
                                    const struct box *box, size_t n, size_t own) {
  float *distance = of->all.distance, nearest[2];
  size_t at[2];
  make_planes(dims, of, start, box, n, own);
  for (int k = 0; k < 2; k++) {
    at[k] = smallest_distance(&of->all, n);
    nearest[k] = distance[at[k]];
    distance[at[k]] = FLT_MAX;
  }
  for (int k = 0; k < 2; k++)
    distance[at[k]] = nearest[k];
  for (size_t i = 0; i < n; i += LANES) {
    vf lead = f_set(-FLT_MAX);
    for (int k = 0; k < 2; k++) {
      vf least = f_sub(f_load(distance + i), f_set(nearest[k]));
      for (int a = 0; a < dims; a++) {
        const vf wide = f_set(box->axis[a].high - box->axis[a].low);
        const vf other = f_set(of->normal[a][at[k]]);
        least = f_sub(least, f_mul(magnitude_of(f_sub(f_load(of->normal[a] + i), other)), wide));
      }
      lead = f_max(lead, least);
    }
    f_store(distance + i, f_bits(f_not_above(lead, f_set(BOX_MARGIN))));
  }
  distance[own] = 0;
}

/* Appends the masked cells to the list. Returns 0 if they are too many. */
static int append_masked(struct candidates *to, const struct box_cells *of, const struct box *box,
                         int dims, size_t n, size_t most) {
  for (size_t i = 0; i < n; i++) {
    uint32_t mask;
    memcpy(&mask, &of->distance[i], sizeof mask);
    for (int a = 0; a < dims; a++) {
      to->cell[a][to->count] = of->cell[a][i] + box->axis[a].first;
      to->point[a][to->count] = of->point[a][i];
    }
    to->count += mask & 1;
    if (to->count > most)
      return 0;
  }
  return 1;
}

/* Lists the neighbours of each of edges->own, of which `number` has the cells. Returns 0 if they
 * are more than `most`. */
static int list_neighbours(struct edges *edges, struct edge_cells *of, const struct cells *cells,
                           const struct box *box, size_t n, const uint16_t *number, size_t most) {
  const int dims = cells->dims;
  edges->other.count = 0;
  for (size_t p = 0; p < edges->own.count; p++) {
    const size_t begin = edges->other.count;
    if (dims == 2)
      mask_neighbours(2, of, cells->start, box, n, number[p]);
    else
      mask_neighbours(3, of, cells->start, box, n, number[p]);
    if (!append_masked(&edges->other, &of->all, box, dims, n, most))
      return 0;
    edges->end[p] = (uint8_t)edges->other.count;
    for (size_t c = begin; c < edges->other.count; c += LANES) {
      const vf none = f_set(0);
      vf normal[3], e[3] = {none, none, none};
      for (int a = 0; a < dims; a++)
        e[a] = f_add(f_sub(f_load(edges->other.point[a] + c), f_set(edges->own.point[a][p])),
                     f_sub(f_load(edges->other.cell[a] + c), f_set(edges->own.cell[a][p])));
      normal_of(dims, e, normal);
      for (int a = 0; a < dims; a++)
        f_store(edges->normal[a] + c, normal[a]);
    }
  }
  return 1;
}

/* ---- Parts of distances ---- */

/* The parts of all distances along an axis, for n samples from `begin` on, an array of `pitch`
 * each: of each point, then of the planes between it and its neighbours. Writes whole vectors. */
static void edge_parts(float *to, const struct brick *brick, const struct edges *of, int a,
                       size_t begin, size_t n, size_t pitch) {
  const struct brick_axis *axis = &brick->of[a];
  const vf start = f_set(brick->cells.start);
  size_t c = 0;
  for (size_t p = 0; p < of->own.count; p++) {
    const float cell = of->own.cell[a][p], point = of->own.point[a][p];
    for (size_t i = 0; i < n; i += LANES)
      f_store(to + i, distance_part(1, box_distance(axis, cell, point, start, begin + i)));
    for (to += pitch; c < of->end[p]; c++, to += pitch) {
      const float other_cell = of->other.cell[a][c], other = of->other.point[a][c];
      const vf normal = f_set(of->normal[a][c]);
      for (size_t i = 0; i < n; i += LANES) {
        const vf d = box_distance(axis, cell, point, start, begin + i);
        const vf d_other = box_distance(axis, other_cell, other, start, begin + i);
        f_store(to + i, f_mul(f_add(d, d_other), normal));
      }
    }
  }
}

/* ---- Emission ---- */

static void emit_edge_granule(const struct box_emission *of, const struct edges *edges, size_t row,
                              size_t column, float *to, const struct brick_target *target) {
  enum { vectors = EMITTED_VECTORS(CELL_EDGE) };
  const size_t columns = of->columns, rows = of->rows;
  const float *column_part = of->column_part + column, *row_part = of->row_part + row;
  struct nearest nearest[8];
  EACH_VECTOR(t, nearest[t] = none_near();)
  size_t c = 0;
  for (size_t p = 0; p < edges->own.count; p++) {
    const float *own_column = column_part, *own_row = row_part;
    vf edge[8];
    EACH_VECTOR(t, edge[t] = f_set(FLT_MAX);)
    for (; c < edges->end[p]; c++) {
      column_part += columns;
      row_part += rows;
      EACH_VECTOR(t, edge[t] = f_min(edge[t], DISTANCE(t, column_part, row_part));)
    }
    EACH_VECTOR(t, include_cell(CELL_EDGE, &nearest[t], DISTANCE(t, own_column, own_row), edge[t]);)
    column_part += columns;
    row_part += rows;
  }
  EACH_VECTOR(t, nearest[t].first = noise_of_edge(of->cells, nearest[t].second);)
  STORE_SAMPLES(to, target, nearest)
}

static PERLANE_NOINLINE void emit_edges(const struct box_emission *of, const struct edges *edges,
                                        float *to, const struct brick_target *target) {
  for (size_t row = 0; row < of->rows; row += EMITTED_ROWS(CELL_EDGE))
    for (size_t column = 0; column < of->columns; column += BRICK_GRANULE)
      emit_edge_granule(of, edges, row, column,
                        to + (ptrdiff_t)row * target->row + (ptrdiff_t)column, target);
}

/* As fill_box. */
static PERLANE_NOINLINE int fill_edge_box(const struct brick *brick, const size_t begin[3],
                                          const size_t end[3], const struct brick_target *target) {
  const struct cells *cells = &brick->cells;
  const int dims = cells->dims;
  struct box made;
  begin_box(&made, brick, begin, end);
  const struct box *box = &made;
  struct edges edges;
  struct edge_cells *of = brick->scratch;
  uint16_t *number = of->number;
  struct box_cells *all = &of->all;
  const struct box_axis *x = &box->axis[0], *y = &box->axis[1];
  const size_t columns = whole_granules(x->end - x->begin, BRICK_GRANULE);
  const size_t rows = whole_granules(y->end - y->begin, BOX_ROWS);
  const size_t widest = columns > rows ? columns : rows;
  const size_t n = list_cells(all, brick, box);
  if (n == 0)
    return 0;
  make_points(all, cells, box, n);
  mask_candidates(all, cells, box, n, 1);
  if (!list_candidates(&edges.own, all, box, dims, n, columns, rows, number))
    return 0;
  size_t most = BOX_PARTS / widest;
  most = (most < MAX_CANDIDATES ? most : MAX_CANDIDATES) - edges.own.count;
  if (!list_neighbours(&edges, of, cells, box, n, number, most))
    return 0;
  const size_t count = edges.own.count + edges.other.count;
  float *column_part = brick->scratch, *row_part = column_part + BOX_PARTS;
  float *own_part = row_part + BOX_PARTS; /* of columns, without a plane */
  edge_parts(row_part, brick, &edges, 1, y->begin, rows, rows);
  edge_parts(dims > 2 ? own_part : column_part, brick, &edges, 0, x->begin, columns, columns);
  const struct box_emission emission = {cells, count, columns, rows, column_part, row_part, NULL};
  float *to = target->to + (ptrdiff_t)x->begin + (ptrdiff_t)y->begin * target->row;
  if (dims == 2) {
    emit_edges(&emission, &edges, to, target);
    return 1;
  }
  for (size_t plane = box->axis[2].begin; plane < box->axis[2].end; plane++) {
    float part[MAX_CANDIDATES + LANES];
    edge_parts(part, brick, &edges, 2, plane, 1, 1);
    for (size_t c = 0; c < count; c++)
      for (size_t i = 0; i < columns; i += LANES)
        f_store(column_part + c * columns + i,
                f_add(f_load(own_part + c * columns + i), f_set(part[c])));
    emit_edges(&emission, &edges, to + (ptrdiff_t)plane * target->plane, target);
  }
  return 1;
}

static const size_t LEAST_BOX[3] = {BRICK_GRANULE, BOX_ROWS, 1};

/* Returns the longest axis of a box that has halves along it; -1 if there is none. */
static PERLANE_NOINLINE int longest_axis(const struct brick *brick, const size_t begin[3],
                                         const size_t end[3]) {
  struct box box;
  int longest = -1;
  begin_box(&box, brick, begin, end);
  for (int a = 0; a < brick->cells.dims; a++) {
    const float length = box.axis[a].high - box.axis[a].low;
    if (end[a] - begin[a] > LEAST_BOX[a] &&
        (longest < 0 || length > box.axis[longest].high - box.axis[longest].low))
      longest = a;
  }
  return longest;
}

/* Fills a box; if it has too many candidates, its halves; if it has no halves, by searches. (It
 * calls itself up to eight times: whatever needs stack is in other functions.) */
static void fill_edges(const struct brick *brick, const size_t begin[3], const size_t end[3],
                       const struct brick_target *target) {
  if (fill_edge_box(brick, begin, end, target))
    return;
  const int longest = longest_axis(brick, begin, end);
  if (longest < 0) {
    fill_columns(brick, begin, end, target);
    return;
  }
  const size_t half = (end[longest] - begin[longest] + 1) / 2;
  size_t middle[2][3];
  memcpy(middle[0], end, sizeof middle[0]);
  memcpy(middle[1], begin, sizeof middle[1]);
  middle[0][longest] = middle[1][longest] =
      begin[longest] + whole_granules(half, LEAST_BOX[longest]);
  fill_edges(brick, begin, middle[0], target);
  fill_edges(brick, middle[1], end, target);
}

#endif
