/* SPDX-License-Identifier: MIT
 *
 * Cellular noise of a 2D brick whose samples are a good part of a cell apart: the nine cells around
 * each. The points of a row of cells are spread over the columns once, three for each column; the
 * sample rows within a row of cells share three rows of them. Where cells further away might have a
 * nearer point, cell_search.h searches on.
 */
#ifndef PERLANE_NOISE_CELL_COLUMNS_H
#define PERLANE_NOISE_CELL_COLUMNS_H

#include "cell_brick.h"

/* Points of a row of cells at offset -1, 0 or 1 from each column's: the part of the distance along
 * x, the coordinate along y, and the number. */
struct column_points {
  float part[BRICK_COLUMNS], y[BRICK_COLUMNS], number[BRICK_COLUMNS];
};

struct cell_columns {
  struct column_points points[3][3]; /* of three rows of cells; [0] of a row is at offset -1 */
  float x[BRICK_WORDS], y[BRICK_WORDS], number[BRICK_WORDS]; /* points of a row of cells */
  uint32_t index[BRICK_COLUMNS]; /* of each column's first cell in them, from `base` on */
  float limit[BRICK_COLUMNS];    /* distances below which no other cell has the nearest */
  uint16_t base[BRICK_COLUMNS / LANES];
  int is_narrow; /* a vector's cells of one offset are at most LANES */
};
_Static_assert(sizeof(struct cell_columns) <= BRICK_SCRATCH * sizeof(float), "scratch memory");

static void enter_columns(struct cell_columns *to, const struct brick *brick) {
  const struct brick_axis *x = &brick->of[0];
  to->is_narrow = 1;
  for (size_t i = 0; i < x->count; i += LANES) {
    const float first = x->cell[i], last = x->cell[i + LANES - 1];
    const float base = first < last ? first : last;
    to->is_narrow &= last - first < LANES && first - last < LANES;
    to->base[i / LANES] = (uint16_t)base;
    f_store(to->limit + i, ring_distance(&brick->cells, 2, inside_of(f_load(x->fraction + i))));
  }
  for (size_t i = 0; i < x->count; i += LANES) {
    const vf base = f_set(to->is_narrow ? (float)to->base[i / LANES] : 0);
    const vi index = i_from_f(f_sub(f_load(x->cell + i), base));
    i_store(to->index + i, to->is_narrow ? i_pick(index) : index);
  }
}

/* Entries of `from` for LANES columns; `offset` is that of the cell, from 0 on. */
PERLANE_INLINE vf points_of_columns(const struct cell_columns *of, const float *from, size_t i,
                                    size_t offset) {
  const vi index = i_load(of->index + i);
  return of->is_narrow ? f_pick(from + of->base[i / LANES] + offset, index)
                       : f_look_up(from + offset, index);
}

/* The points of row of cells y, which is counted from `reach` before the brick's first. */
static PERLANE_NOINLINE void spread_cells(struct cell_columns *to, const struct brick *brick,
                                          size_t y) {
  const struct cells cells = brick->cells;
  const struct brick_axis *x = &brick->of[0];
  const vf factor = f_set(cells.factor), start = f_set(cells.start);
  const vi row = i_set(brick->of[1].word[y]);
  const float a = x->cell[0], b = x->cell[x->count - 1];
  const size_t n = (size_t)(a > b ? a : b) + 3;
  for (size_t i = 0; i < n; i += LANES) {
    const vi h = full_mix(i_add(i_load(x->word + i), row));
    f_store(to->x + i, point_x(2, h, factor));
    f_store(to->y + i, point_y(2, h, factor));
    if (cells.kind == CELL_TAG)
      f_store(to->number + i, number_of_cell(h, f_set(cells.amplitude)));
  }
  for (size_t o = 0; o < 3; o++) {
    struct column_points *points = &to->points[y % 3][o];
    for (size_t i = 0; i < x->count; i += LANES) {
      const vf from = f_sub(f_sub(f_load(x->fraction + i), f_set((float)o - 1)), start);
      const vf d = f_sub(points_of_columns(to, to->x, i, o), from);
      f_store(points->part + i, is_square(&cells) ? distance_part(1, d) : distance_part(0, d));
      f_store(points->y + i, points_of_columns(to, to->y, i, o));
      if (cells.kind == CELL_TAG)
        f_store(points->number + i, points_of_columns(to, to->number, i, o));
    }
  }
}

/* A sample row. */
struct column_row {
  const struct column_points *points[3];
  float from[3]; /* f - o - a along y */
  vf limit;
  const double *position;
};

/* Constant: `kind`. */
PERLANE_INLINE void column_samples(enum cell_kind kind, const struct cell_columns *of,
                                   const struct brick *brick, const struct column_row *row,
                                   float *to, const struct brick_target *target) {
  const struct cells cells = brick->cells;
  for (size_t i = 0; i < brick->of[0].count; i += LANES) {
    struct nearest nearest = none_near();
    for (int o = 0; o < 3; o++) {
      const struct column_points *points = row->points[o];
      const vf from = f_set(row->from[o]);
      const vf d0 = f_sub(f_load(points[0].y + i), from), d1 = f_sub(f_load(points[1].y + i), from);
      const vf d2 = f_sub(f_load(points[2].y + i), from);
#define DISTANCE(square, larger, o)                                                                \
  joined_parts(larger, f_load(points[o].part + i), distance_part(square, d##o))
#define INCLUDE(square, larger, o)                                                                 \
  include_cell(kind, &nearest, DISTANCE(square, larger, o),                                        \
               kind == CELL_TAG ? f_load(points[o].number + i) : d##o)
      if (is_square(&cells)) {
        INCLUDE(1, 0, 0);
        INCLUDE(1, 0, 1);
        INCLUDE(1, 0, 2);
      } else if (cells.metric == PERLANE_CELL_METRIC_MANHATTAN) {
        INCLUDE(0, 0, 0);
        INCLUDE(0, 0, 1);
        INCLUDE(0, 0, 2);
      } else {
        INCLUDE(0, 1, 0);
        INCLUDE(0, 1, 1);
        INCLUDE(0, 1, 2);
      }
#undef INCLUDE
#undef DISTANCE
    }
    const vf worst = kind == CELL_BOTH ? nearest.second : nearest.first;
    vf v = nearest.second;
    if (cells.reach > 1 && !i_all(f_not_above(worst, f_min(row->limit, f_load(of->limit + i))))) {
      const double *const position[3] = {brick->of[0].position + i, row->position, NULL};
      nearest = search_cells(&brick->cells, brick->axis, position, 2);
      v = noise_of_search(&brick->cells, &nearest);
    } else if (kind != CELL_TAG) {
      v = noise_of_distances(kind, &cells, &nearest);
    }
    store_cells(to + i, target, v);
  }
}

#define COLUMNS_KERNEL(name, kind)                                                                 \
  static PERLANE_NOINLINE void name(const struct cell_columns *of, const struct brick *brick,      \
                                    const struct column_row *row, float *to,                       \
                                    const struct brick_target *target) {                           \
    column_samples(kind, of, brick, row, to, target);                                              \
  }
COLUMNS_KERNEL(first_cell_row, CELL_FIRST)
COLUMNS_KERNEL(both_cells_row, CELL_BOTH)
COLUMNS_KERNEL(tagged_cell_row, CELL_TAG)
#undef COLUMNS_KERNEL

/* A whole brick. */
static void fill_columns(const struct brick *brick, const struct brick_target *target) {
  const struct brick_axis *y = &brick->of[1];
  const struct cells *cells = &brick->cells;
  struct cell_columns *of = (struct cell_columns *)(void *)brick->scratch;
  size_t there[3] = {SIZE_MAX, SIZE_MAX, SIZE_MAX};
  _Alignas(64) double position[LANES];
  struct column_row row;
  row.position = position;
  enter_columns(of, brick);
  for (size_t j = y->begin; j < y->end; j++) {
    const float fraction = y->fraction[j];
    for (size_t o = 0; o < 3; o++) {
      const size_t of_cells = (size_t)y->cell[j] + o, slot = of_cells % 3;
      if (there[slot] != of_cells)
        spread_cells(of, brick, of_cells);
      there[slot] = of_cells;
      row.points[o] = of->points[slot];
      row.from[o] = (fraction - ((float)o - 1)) - cells->start;
    }
    row.limit = ring_distance(cells, 2, inside_of(f_set(fraction)));
    store_position(position, brick, 1, j);
    float *to = target->to + (ptrdiff_t)j * target->row;
    switch (cells->kind) {
    case CELL_FIRST:
      first_cell_row(of, brick, &row, to, target);
      break;
    case CELL_BOTH:
      both_cells_row(of, brick, &row, to, target);
      break;
    case CELL_TAG:
      tagged_cell_row(of, brick, &row, to, target);
    }
  }
}

#endif
