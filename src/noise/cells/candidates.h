/* SPDX-License-Identifier: MIT
 *
 * The points that can be the nearest somewhere in a box of samples.
 *
 * The difference of two points' distances is extreme at corners of the box, along each axis on its
 * own. So a point is dropped if the one nearest to the box's middle beats it at every corner; with
 * D2, if both of the two nearest do.
 *
 * The distance to the border of the nearest point's region is that to the nearest plane halfway to
 * another point. For borders each candidate is followed by its neighbours, whose planes can be the
 * nearest where it is the nearest point. A neighbour is dropped if one of the two planes nearest to
 * the box's middle beats its own at every corner, where the difference of two planes' distances,
 * which is linear, is extreme.
 *
 * Only what cannot win is dropped: the bits do not depend on the boxes. Chebyshev's metric has no
 * boxes: it would need other rules and loops.
 */
#ifndef PERLANE_NOISE_CELLS_CANDIDATES_H
#define PERLANE_NOISE_CELLS_CANDIDATES_H

#include "brick.h"

enum { CELL_ARRAY = MAX_BOX_CELLS + LANES };

/* Candidates' bounds are exact to this, and distances that compete are. */
#define BOX_MARGIN 0x1p-13f

/* A range of a brick's samples along one axis. */
struct box_axis {
  size_t begin, end;
  float first;     /* the lowest cell, less that of the brick */
  size_t cells;    /* that have samples */
  float low, high; /* the samples' bounds, in cells from `first` */
};

struct box {
  struct box_axis axis[3];
  int rings; /* of cells around those with samples, whose points are listed */
};

static void begin_box(struct box *box, const struct brick *brick, const size_t begin[3],
                      const size_t end[3]) {
  box->rings = brick->rings;
  for (int a = 0; a < brick->cells.dims; a++) {
    const struct brick_axis *axis = &brick->of[a];
    const size_t last = end[a] - 1;
    const float c0 = axis->cell[begin[a]], c1 = axis->cell[last];
    const float first = c0 < c1 ? c0 : c1;
    const float x0 = (c0 - first) + axis->fraction[begin[a]];
    const float x1 = (c1 - first) + axis->fraction[last];
    box->axis[a] = (struct box_axis){
        .begin = begin[a],
        .end = end[a],
        .first = first,
        .cells = (size_t)((c0 < c1 ? c1 : c0) - first) + 1,
        .low = x0 < x1 ? x0 : x1,
        .high = x0 < x1 ? x1 : x0,
    };
  }
}

/* Returns how many cells from a box's samples one of the nearest points can be. */
static int rings_of(const struct cells *cells) {
  if (cells->kind == CELL_EDGE) /* whose neighbours may be as far as any */
    return cells->reach;
  const float half = 0.5f * cells->jitter, corner = 0.5f + half, next = 1 + half;
  const float dims = (float)cells->dims;
  float largest = corner; /* distance that there can be, as in 3.4 */
  float other = next;
  if (cells->metric == PERLANE_CELL_METRIC_MANHATTAN) {
    largest = dims * corner;
    other = (dims - 1) * half + next;
  } else if (is_square(cells)) {
    largest = dims * (corner * corner);
    other = (dims - 1) * (half * half) + next * next;
  }
  if (cells->kind == CELL_BOTH && other > largest)
    largest = other;
  int rings = 1;
  for (; rings < cells->reach; rings++) {
    const float beyond = (float)rings + 0.5f - half;
    if ((is_square(cells) ? beyond * beyond : beyond) > largest + BOX_MARGIN)
      break;
  }
  return rings;
}

/* ---- The cells of a box ---- */

/* The points of all cells of a box; [0] is along x. */
struct box_cells {
  uint32_t hash[CELL_ARRAY];
  float cell[3][CELL_ARRAY];   /* from box_axis.first on */
  float point[3][CELL_ARRAY];  /* within the cell, less `start` */
  float distance[CELL_ARRAY];  /* of points or planes from the middle; then a mask */
  float normal[3][CELL_ARRAY]; /* of the planes halfway to one of the points, as normal_of */
};
_Static_assert(sizeof(struct box_cells) <= BRICK_SCRATCH, "scratch memory");

/* Lists a box's cells in the order of 2.15. Returns their number; 0 if it is too large. */
static PERLANE_NOINLINE size_t list_cells(struct box_cells *listed, const struct brick *brick,
                                          const struct box *box) {
  const int dims = brick->cells.dims;
  const uint32_t *word[3] = {0};
  const float rings = (float)box->rings;
  size_t cells[3] = {1, 1, 1};
  for (int a = 0; a < dims; a++) {
    cells[a] = box->axis[a].cells + 2 * (size_t)box->rings;
    word[a] = brick->of[a].word + (size_t)box->axis[a].first + (brick->rings - box->rings);
  }
  if (cells[0] * cells[1] * cells[2] > MAX_BOX_CELLS)
    return 0;
  const vf lane = f_from_d(d_lane_number());
  size_t n = 0;
  for (size_t z = 0; z < cells[2]; z++)
    for (size_t y = 0; y < cells[1]; y++, n += cells[0]) {
      const vi others = i_set(word[1][y] + (dims > 2 ? word[2][z] : 0));
      const vf cell_y = f_set((float)y - rings), cell_z = f_set((float)z - rings);
      for (size_t x = 0; x < cells[0]; x += LANES) {
        i_store(listed->hash + n + x, i_add(i_load(word[0] + x), others));
        f_store(listed->cell[0] + n + x, f_add(lane, f_set((float)x - rings)));
        f_store(listed->cell[1] + n + x, cell_y);
        f_store(listed->cell[2] + n + x, cell_z);
      }
    }
  i_store(listed->hash + n, i_set(0)); /* the last vector's other lanes, far away */
  f_store(listed->cell[0] + n, f_set(0x1p20f));
  f_store(listed->cell[1] + n, f_set(0));
  f_store(listed->cell[2] + n, f_set(0));
  return n;
}

/* The coordinates of LANES points. */
PERLANE_INLINE vf box_coordinate(const struct box_cells *listed, int a, vf start, size_t i) {
  return f_add(f_load(listed->point[a] + i), f_add(f_load(listed->cell[a] + i), start));
}

/* Makes the points and their distances from the box's middle. Constant: `dims`. */
PERLANE_INLINE void make_points(int dims, struct box_cells *listed, const struct cells *cells,
                                const struct box *box, size_t n) {
  const vf factor = f_set(cells->factor), start = f_set(cells->start);
  for (size_t i = 0; i < n; i += LANES) {
    const vi hash = full_mix(i_load(listed->hash + i));
    vf distance = f_set(0);
    i_store(listed->hash + i, hash);
    for (int a = 0; a < dims; a++) {
      f_store(listed->point[a] + i, point_along(dims, a, hash, factor));
      const vf middle = f_set((box->axis[a].low + box->axis[a].high) * 0.5f);
      const vf d = f_sub(box_coordinate(listed, a, start, i), middle);
      distance = f_add(distance, distance_part(is_square(cells), d));
    }
    f_store(listed->distance + i, distance);
  }
}

/* Returns the number of the cell with the smallest distance. */
static size_t smallest_distance(const struct box_cells *listed, size_t n) {
  vf least = f_load(listed->distance), number = f_set(0);
  for (size_t i = LANES; i < n; i += LANES) {
    const vf distance = f_load(listed->distance + i);
    number = f_select_below(distance, least, f_set((float)i), number);
    least = f_min(least, distance);
  }
  float lane[LANES], first[LANES];
  f_store(lane, least);
  f_store(first, number);
  size_t nearest = 0;
  for (size_t l = 1; l < LANES; l++)
    nearest = lane[l] < lane[nearest] ? l : nearest;
  return (size_t)first[nearest] + nearest;
}

/* Finds the cells with the smallest distance and, if `count` is 2, with the next. */
PERLANE_INLINE void smallest_distances(struct box_cells *listed, size_t n, int count,
                                       size_t nearest[2], vf distance[2]) {
  float *const own = listed->distance;
  nearest[0] = nearest[1] = smallest_distance(listed, n);
  const float first = own[nearest[0]];
  if (count > 1) {
    own[nearest[0]] = FLT_MAX;
    nearest[1] = smallest_distance(listed, n);
    own[nearest[0]] = first;
  }
  distance[0] = f_set(first);
  distance[1] = f_set(own[nearest[1]]);
}

/* ---- Points ---- */

/* Returns 1 if a point is nearer to all samples than those of cells that are not listed. */
static int is_within_rings(const struct box_cells *listed, const struct cells *cells,
                           const struct box *box, size_t number) {
  float furthest = 0, inside = 1;
  for (int a = 0; a < cells->dims; a++) {
    const float low = box->axis[a].low, high = box->axis[a].high;
    const float rest = (float)box->axis[a].cells - high;
    const float x = listed->point[a][number] + (listed->cell[a][number] + cells->start);
    const float below = x - low, above = high - x, d = below > above ? below : above;
    furthest += is_square(cells) ? d * d : d;
    inside = low < inside ? low : inside;
    inside = rest < inside ? rest : inside;
  }
  const float beyond = (float)box->rings + 0.5f - 0.5f * cells->jitter + inside;
  return furthest + BOX_MARGIN < (is_square(cells) ? beyond * beyond : beyond);
}

/* The least by which a point is nearer than LANES others, over the box. */
PERLANE_INLINE vf least_lead(const struct box_cells *listed, const struct cells *cells,
                             const struct box *box, size_t number, vf distance, size_t i) {
  vf least = is_square(cells) ? f_sub(f_load(listed->distance + i), distance) : f_set(0);
  for (int a = 0; a < cells->dims; a++) {
    const float own = listed->point[a][number] + (listed->cell[a][number] + cells->start);
    const float low = box->axis[a].low, high = box->axis[a].high;
    const vf other = box_coordinate(listed, a, f_set(cells->start), i);
    if (is_square(cells)) {
      least = f_sub(least, f_mul(magnitude_of(f_sub(other, f_set(own))), f_set(high - low)));
    } else {
      const vf at_low =
          f_sub(magnitude_of(f_sub(other, f_set(low))), magnitude_of(f_set(own - low)));
      const vf at_high =
          f_sub(magnitude_of(f_sub(other, f_set(high))), magnitude_of(f_set(own - high)));
      least = f_add(least, f_min(at_low, at_high));
    }
  }
  return least;
}

/* Masks the points that can be the nearest. Returns 0 if that of another cell may be one. */
static PERLANE_NOINLINE int mask_points(struct box_cells *listed, const struct brick *brick,
                                        const struct box *box, size_t n) {
  const struct cells *cells = &brick->cells;
  const int count = cells->kind == CELL_BOTH ? 2 : 1;
  size_t nearest[2];
  vf distance[2];
  smallest_distances(listed, n, count, nearest, distance);
  for (int j = 0; j < count && box->rings < brick->rings; j++)
    if (!is_within_rings(listed, cells, box, nearest[j]))
      return 0;
  for (size_t i = 0; i < n; i += LANES) {
    vf lead = least_lead(listed, cells, box, nearest[0], distance[0], i);
    if (count > 1)
      lead = f_min(lead, least_lead(listed, cells, box, nearest[1], distance[1], i));
    f_store(listed->distance + i, f_bits(m_bits(f_not_above(lead, f_set(BOX_MARGIN)))));
  }
  return 1;
}

/* ---- Planes ---- */

/* Makes the planes halfway from point `own` to all others, and their distances from the box's
 * middle: FLT_MAX for the point itself. Constant: `dims`. */
PERLANE_INLINE void make_planes(int dims, struct box_cells *listed, vf start, const struct box *box,
                                size_t n, size_t own) {
  const vf none = f_set(0);
  for (size_t i = 0; i < n; i += LANES) {
    vf distance = none, normal[3], e[3] = {none, none, none};
    for (int a = 0; a < dims; a++)
      e[a] = f_add(f_sub(f_load(listed->point[a] + i), f_set(listed->point[a][own])),
                   f_sub(f_load(listed->cell[a] + i), f_set(listed->cell[a][own])));
    const vm differ = normal_of(dims, e, normal);
    for (int a = 0; a < dims; a++) {
      const vf twice = f_set(box->axis[a].low + box->axis[a].high);
      const vf point =
          f_add(f_set(listed->point[a][own]), f_add(f_set(listed->cell[a][own]), start));
      const vf both = f_add(box_coordinate(listed, a, start, i), f_sub(point, twice));
      distance = f_add(distance, f_mul(both, normal[a]));
      f_store(listed->normal[a] + i, normal[a]);
    }
    f_store(listed->distance + i, f_select(differ, distance, f_set(FLT_MAX)));
  }
}

/* Masks the points whose planes can be the nearest where point `own` is. Constant: `dims`. */
PERLANE_INLINE void mask_planes(int dims, struct box_cells *listed, float start,
                                const struct box *box, size_t n, size_t own) {
  size_t nearest[2];
  vf distance[2];
  make_planes(dims, listed, f_set(start), box, n, own);
  smallest_distances(listed, n, 2, nearest, distance);
  for (size_t i = 0; i < n; i += LANES) {
    vf lead = f_set(-FLT_MAX);
    for (int k = 0; k < 2; k++) {
      vf least = f_sub(f_load(listed->distance + i), distance[k]);
      for (int a = 0; a < dims; a++) {
        const vf wide = f_set(box->axis[a].high - box->axis[a].low);
        const vf other = f_set(listed->normal[a][nearest[k]]);
        least =
            f_sub(least, f_mul(magnitude_of(f_sub(f_load(listed->normal[a] + i), other)), wide));
      }
      lead = f_max(lead, least);
    }
    f_store(listed->distance + i, f_bits(m_bits(f_not_above(lead, f_set(BOX_MARGIN)))));
  }
  listed->distance[own] = 0;
}

/* ---- The list ---- */

/* The points that can be the nearest; for borders, each before its neighbours. */
struct candidates {
  size_t count;
  float tag[MAX_CANDIDATES + LANES]; /* bits of the hash, from which tags are made in place */
  float cell[3][MAX_CANDIDATES];     /* less the brick's first */
  float point[3][MAX_CANDIDATES];
  uint16_t owner[MAX_CANDIDATES];  /* a neighbour's point; a point itself */
  float normal[3][MAX_CANDIDATES]; /* of a neighbour's plane */
};

PERLANE_INLINE void add_candidate(struct candidates *list, const struct box_cells *listed,
                                  const struct box *box, int dims, size_t number, size_t c,
                                  size_t owner) {
  list->owner[c] = (uint16_t)owner;
  memcpy(&list->tag[c], &listed->hash[number], sizeof list->tag[c]);
  for (int a = 0; a < dims; a++) {
    list->cell[a][c] = listed->cell[a][number] + box->axis[a].first;
    list->point[a][c] = listed->point[a][number];
    list->normal[a][c] = listed->normal[a][number];
  }
}

/* Finds the masked cells. Returns their number. */
static size_t masked_cells(uint16_t number[MAX_BOX_CELLS + 1], const struct box_cells *listed,
                           size_t n) {
  size_t count = 0;
  for (size_t i = 0; i < n; i++) {
    uint32_t mask;
    memcpy(&mask, &listed->distance[i], sizeof mask);
    number[count] = (uint16_t)i;
    count += mask & 1;
  }
  return count;
}

/* Lists the masked points, for borders with their neighbours. Returns 0 if they are more than
 * `max`. */
static PERLANE_NOINLINE int list_candidates(struct candidates *list, struct box_cells *listed,
                                            const struct cells *cells, const struct box *box,
                                            size_t n, size_t max) {
  uint16_t point[MAX_BOX_CELLS + 1], other[MAX_BOX_CELLS + 1];
  const int dims = cells->dims, is_border = cells->kind == CELL_EDGE;
  const size_t points = masked_cells(point, listed, n);
  size_t left = max - points, count = 0;
  if (points > max)
    return 0;
  for (size_t p = 0; p < points; p++) {
    const size_t owner = count++;
    add_candidate(list, listed, box, dims, point[p], owner, owner);
    if (!is_border)
      continue;
    if (dims == 2)
      mask_planes(2, listed, cells->start, box, n, point[p]);
    else
      mask_planes(3, listed, cells->start, box, n, point[p]);
    const size_t others = masked_cells(other, listed, n);
    if (others > left)
      return 0;
    left -= others;
    for (size_t i = 0; i < others; i++)
      add_candidate(list, listed, box, dims, other[i], count++, owner);
  }
  list->count = count;
  return 1;
}

#endif
