/* SPDX-License-Identifier: MIT
 *
 * Cellular noise of a brick whose samples are a good part of a cell apart: the 3^D cells around
 * each.
 *
 * A search of its own would hash 9 cells for a sample in 2D, about 20 operations each. But a column
 * meets the same three cells of a row of cells in every sample row, and their parts of the distance
 * along x do not change either. So the points of a row of cells are made once, and spread over the
 * columns, three for each, as a part along x and a coordinate along y (in 3D nine, whose parts
 * include z). The sample rows of a plane within a row of cells share three such rows, and the next
 * row of cells two of them. What is left for a sample is a subtraction, a multiplication, an
 * addition and a minimum for each of 9 points. Spreading takes a permutation in registers where the
 * cells of a vector of columns fit in one, and gathers otherwise.
 *
 * Where cells further away might have a nearer point, cells/search.h searches on.
 */
#ifndef PERLANE_NOISE_CELLS_COLUMNS_H
#define PERLANE_NOISE_CELLS_COLUMNS_H

#include "brick.h"

/* Arrays of the points at one offset from each column's cell: the part of the distance along x
 * and z, the coordinate along y, and the tag. */
enum { COLUMN_PART, COLUMN_Y, COLUMN_TAG, COLUMN_ARRAYS };
enum { POINT_FLOATS = COLUMN_ARRAYS * LANES, THREE_POINTS = 3 * POINT_FLOATS };

enum {
  FLAT_COLUMNS = BRICK_COLUMNS, /* that share the arrays in 2D; DEEP_COLUMNS do in 3D */
  COLUMN_FLOATS = 3 * 3 * COLUMN_ARRAYS * FLAT_COLUMNS,
};
_Static_assert(3 * 9 * COLUMN_ARRAYS * DEEP_COLUMNS <= COLUMN_FLOATS, "scratch memory");

struct cell_columns {
  /* Three rows of cells, each with, for every vector of columns, the points at offsets -1, 0 and 1
   * along z in 3D, then along x, and of each a vector of every array. */
  float points[COLUMN_FLOATS];
  float x[BRICK_WORDS], y[BRICK_WORDS], z[BRICK_WORDS]; /* points of a row of cells; z: the part */
  float tag[BRICK_WORDS];
  uint32_t index[BRICK_COLUMNS]; /* of each column's first cell in them, from `base` on */
  float limit[BRICK_COLUMNS];    /* distances below which no other cell has the nearest */
  uint16_t base[BRICK_COLUMNS / LANES];
  int is_narrow;     /* a vector's cells of one offset are at most LANES */
  size_t most;       /* columns at work */
  size_t step, row;  /* floats from one vector of columns to the next, and from row to row */
  size_t begin, end; /* the columns at work */
  size_t planes;     /* 1 or 3 */
};
_Static_assert(sizeof(struct cell_columns) <= BRICK_SCRATCH, "scratch memory");

static void begin_columns(struct cell_columns *to, const struct brick *brick) {
  const struct brick_axis *x = &brick->of[0];
  to->is_narrow = 1;
  to->planes = brick->cells.dims > 2 ? 3 : 1;
  to->most = brick->cells.dims > 2 ? DEEP_COLUMNS : FLAT_COLUMNS;
  to->step = to->planes * THREE_POINTS;
  to->row = to->step * (to->most / LANES);
  for (size_t i = 0; i < x->count; i += LANES) {
    const float first = x->cell[i], last = x->cell[i + LANES - 1];
    to->is_narrow &= last - first < LANES && first - last < LANES;
    to->base[i / LANES] = (uint16_t)(first < last ? first : last);
    f_store(to->limit + i, ring_distance(&brick->cells, 2, inside_of(f_load(x->fraction + i))));
  }
  for (size_t i = 0; i < x->count; i += LANES) {
    if (!to->is_narrow)
      to->base[i / LANES] = 0;
    const vf base = f_set((float)to->base[i / LANES]);
    const vi index = i_from_f(f_sub(f_load(x->cell + i), base));
    i_store(to->index + i, to->is_narrow ? i_pick(index) : index);
  }
}

/* Entries of `from`, a row of cells, for the columns from i on, at offset `o` - 1. */
PERLANE_INLINE vf points_of_columns(const struct cell_columns *of, const float *from, size_t i,
                                    size_t o) {
  const vi index = i_load(of->index + i);
  from += of->base[i / LANES] + o;
  return of->is_narrow ? f_pick(from, index) : f_look_up(from, index);
}

/* Makes the points of the columns' cells with the word `word` along the other axes; `from_z` is
 * f - o - a along z. */
static void make_row_of_cells(struct cell_columns *to, const struct brick *brick, uint32_t word,
                              float from_z) {
  const struct cells *cells = &brick->cells;
  const struct brick_axis *x = &brick->of[0];
  const vf factor = f_set(cells->factor);
  const size_t rest = (size_t)brick->rings - 1;
  const float a = x->cell[to->begin], b = x->cell[to->end - 1];
  const size_t last = (size_t)(a > b ? a : b) + 3;
  for (size_t i = (size_t)(a < b ? a : b); i < last; i += LANES) {
    const vi h = full_mix(i_add(i_load(x->word + i + rest), i_set(word)));
    f_store(to->x + i, point_along(cells->dims, 0, h, factor));
    f_store(to->y + i, point_along(cells->dims, 1, h, factor));
    if (cells->dims > 2) {
      const vf d = f_sub(point_along(3, 2, h, factor), f_set(from_z));
      f_store(to->z + i, distance_part(is_square(cells), d));
      if (cells->along == 2)
        f_store(to->tag + i, d);
    }
    if (cells->kind == CELL_TAG && cells->along < 0)
      f_store(to->tag + i, tag_of_cell(cells, h));
  }
}

/* Spreads the points of row of cells y, which is counted from one before the brick's first. */
static PERLANE_NOINLINE void spread_cells(struct cell_columns *to, const struct brick *brick,
                                          size_t y, size_t plane) {
  const struct cells cells = brick->cells;
  const struct brick_axis *x = &brick->of[0], *z = &brick->of[2];
  const vf start = f_set(cells.start);
  const size_t rest = (size_t)brick->rings - 1; /* words before those of the first ring */
  float *points = to->points + y % 3 * to->row;
  for (size_t p = 0; p < to->planes; p++) {
    uint32_t word = brick->of[1].word[y + rest];
    float from_z = 0;
    if (to->planes > 1) {
      word += z->word[(size_t)z->cell[plane] + p + rest];
      from_z = (z->fraction[plane] - ((float)p - 1)) - cells.start;
    }
    make_row_of_cells(to, brick, word, from_z);
    for (size_t o = 0; o < 3; o++, points += POINT_FLOATS)
      for (size_t i = to->begin; i < to->end; i += LANES) {
        float *at = points + (i - to->begin) / LANES * to->step;
        const vf from = f_sub(f_sub(f_load(x->fraction + i), f_set((float)o - 1)), start);
        const vf d = f_sub(points_of_columns(to, to->x, i, o), from);
        vf part = distance_part(is_square(&cells), d);
        if (to->planes > 1)
          part = joined_parts(is_largest(&cells), part, points_of_columns(to, to->z, i, o));
        f_store(at, part);
        f_store(at + COLUMN_Y * LANES, points_of_columns(to, to->y, i, o));
        if (cells.kind == CELL_TAG)
          f_store(at + COLUMN_TAG * LANES,
                  cells.along == 0 ? d : points_of_columns(to, to->tag, i, o));
      }
  }
}

/* A sample row. */
struct column_row {
  const float *points[3];
  float from[3]; /* f - o - a along y */
  vf limit;
  const double *position[2]; /* along y and z */
};

/* The nearest points of the vector of columns whose points begin `first` floats into each row. The
 * order of cells is that of 2.15. Constant: `square`, `largest`, and `along_y`, of offsets. */
PERLANE_INLINE struct nearest nearest_of_columns(enum cell_kind kind, int square, int largest,
                                                 int along_y, const struct column_row *row,
                                                 size_t first, size_t planes) {
  struct nearest nearest = none_near();
  for (size_t i = first; i < first + planes * THREE_POINTS; i += THREE_POINTS)
    for (int o = 0; o < 3; o++) {
      PERLANE_UNROLL for (int n = 0; n < 3; n++) {
        const float *point = row->points[o] + i + n * POINT_FLOATS;
        const vf d = f_sub(f_load(point + COLUMN_Y * LANES), f_set(row->from[o]));
        include_cell(kind, &nearest, joined_parts(largest, f_load(point), distance_part(square, d)),
                     kind == CELL_TAG && !along_y ? f_load(point + COLUMN_TAG * LANES) : d);
      }
    }
  return nearest;
}

/* Calls nearest_of_columns with a constant kind of cells. Branches go the same way for all samples.
 */
PERLANE_INLINE struct nearest nearest_in_metric(int square, int largest, const struct cells *cells,
                                                const struct column_row *row, size_t first,
                                                size_t planes) {
  if (cells->kind == CELL_FIRST)
    return nearest_of_columns(CELL_FIRST, square, largest, 0, row, first, planes);
  if (cells->kind == CELL_BOTH)
    return nearest_of_columns(CELL_BOTH, square, largest, 0, row, first, planes);
  return cells->along != 1 ? nearest_of_columns(CELL_TAG, square, largest, 0, row, first, planes)
                           : nearest_of_columns(CELL_TAG, square, largest, 1, row, first, planes);
}

/* The noise of the vector of columns from i on, by a search from `reach` on. */
static PERLANE_NOINLINE vf searched_in_columns(const struct brick *brick,
                                               const struct column_row *row, size_t i, int reach) {
  const double *const position[3] = {brick->of[0].position + i, row->position[0], row->position[1]};
  const struct axis *const axis[3] = {&brick->axis[0], &brick->axis[1], &brick->axis[2]};
  return searched_noise(&brick->cells, axis, position, reach);
}

static PERLANE_NOINLINE void column_samples(const struct cell_columns *of,
                                            const struct brick *brick, const struct column_row *row,
                                            float *to, const struct brick_target *target) {
  const struct cells cells = brick->cells;
  const enum cell_kind kind = cells.kind;
  const size_t planes = of->planes, step = of->step;
  size_t first = 0;
  for (size_t i = of->begin; i < of->end; i += LANES, first += step) {
    struct nearest nearest;
    if (is_square(&cells))
      nearest = nearest_in_metric(1, 0, &cells, row, first, planes);
    else if (is_largest(&cells))
      nearest = nearest_in_metric(0, 1, &cells, row, first, planes);
    else
      nearest = nearest_in_metric(0, 0, &cells, row, first, planes);
    const vf worst = kind == CELL_BOTH ? nearest.second : nearest.first;
    vf v = nearest.second;
    if (cells.reach > 1 && !m_all(f_not_above(worst, f_min(row->limit, f_load(of->limit + i)))))
      v = searched_in_columns(brick, row, i, 2);
    else if (kind != CELL_TAG)
      v = noise_of_distances(kind, &cells, &nearest);
    else if (cells.along >= 0)
      v = output_of_tag(&cells, v);
    store_cells(to + i, target, v);
  }
}

/* The columns at work, in one plane and rows begin .. end - 1. */
static void fill_columns_of_plane(struct cell_columns *of, const struct brick *brick, size_t plane,
                                  size_t begin, size_t end, const struct brick_target *target) {
  const struct brick_axis y = brick->of[1];
  const struct cells cells = brick->cells;
  const size_t pitch = of->row;
  size_t there[3] = {SIZE_MAX, SIZE_MAX, SIZE_MAX};
  _Alignas(64) double y_position[LANES], z_position[LANES];
  struct column_row row;
  row.position[0] = y_position;
  row.position[1] = z_position;
  vf inside = f_set(1);
  if (cells.dims > 2) {
    store_position(z_position, brick, 2, plane);
    inside = inside_of(f_set(brick->of[2].fraction[plane]));
  }
  for (size_t j = begin; j < end; j++) {
    const float fraction = y.fraction[j];
    for (size_t o = 0; o < 3; o++) {
      const size_t of_cells = (size_t)y.cell[j] + o, slot = of_cells % 3;
      if (there[slot] != of_cells && cells.kind != CELL_EDGE)
        spread_cells(of, brick, of_cells, plane);
      there[slot] = of_cells;
      row.points[o] = of->points + slot * pitch;
      row.from[o] = (fraction - ((float)o - 1)) - cells.start;
    }
    row.limit = ring_distance(&cells, 2, f_min(inside, inside_of(f_set(fraction))));
    store_position(y_position, brick, 1, j);
    float *to = target->to + (ptrdiff_t)j * target->row + (ptrdiff_t)plane * target->plane;
    if (cells.kind == CELL_EDGE) /* which needs more than 3^D cells */
      for (size_t i = of->begin; i < of->end; i += LANES)
        store_cells(to + i, target, searched_in_columns(brick, &row, i, 1));
    else
      column_samples(of, brick, &row, to, target);
  }
}

/* Samples begin[a] .. end[a] - 1 along each axis; whole vectors of columns. */
static PERLANE_NOINLINE void fill_columns(const struct brick *brick, const size_t begin[3],
                                          const size_t end[3], const struct brick_target *target) {
  struct cell_columns *of = brick->scratch;
  begin_columns(of, brick);
  for (of->begin = begin[0]; of->begin < end[0]; of->begin += of->most) {
    of->end = of->begin + of->most < end[0] ? of->begin + of->most : end[0];
    for (size_t plane = begin[2]; plane < end[2]; plane++)
      fill_columns_of_plane(of, brick, plane, begin[1], end[1], target);
  }
}

#endif
