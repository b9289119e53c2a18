/* SPDX-License-Identifier: MIT
 *
 * Cellular noise of a brick whose samples are close together, box by box: within a box only few
 * points can be the nearest anywhere (cells/candidates.h). The distance to a candidate is
 * separable, and so is that to a border's plane: a part of the column and a part of the row, so
 * that a sample costs an addition and a minimum a candidate.
 */
#ifndef PERLANE_NOISE_CELLS_BOXES_H
#define PERLANE_NOISE_CELLS_BOXES_H

#include "candidates.h"
#include "columns.h"

enum { BOX_PARTS = 1536 }; /* floats of the candidates' parts along an axis */
_Static_assert(4 * BOX_PARTS * sizeof(float) <= BRICK_SCRATCH, "scratch memory");

/* ---- Parts of distances ---- */

/* Stores the candidates' parts along an axis, for n samples from `begin` on: an array of `pitch`
 * each, in whole vectors. With `is_offset`, parts are the distances along the axis. */
static void axis_parts(float *part, const struct brick *brick, const struct candidates *list, int a,
                       size_t begin, size_t n, size_t pitch, int is_offset) {
  const struct brick_axis *axis = &brick->of[a];
  const vf start = f_set(brick->cells.start);
  const int square = is_square(&brick->cells);
#define ALONG(c)                                                                                   \
  f_sub(f_set(list->point[a][c]),                                                                  \
        f_sub(f_sub(f_load(axis->fraction + begin + i),                                            \
                    f_sub(f_set(list->cell[a][c]), f_load(axis->cell + begin + i))),               \
              start))
  for (size_t c = 0; c < list->count; c++, part += pitch) {
    const size_t owner = list->owner[c];
    if (owner != c)
      for (size_t i = 0; i < n; i += LANES)
        f_store(part + i, f_mul(f_add(ALONG(owner), ALONG(c)), f_set(list->normal[a][c])));
    else if (is_offset)
      for (size_t i = 0; i < n; i += LANES)
        f_store(part + i, ALONG(c));
    else
      for (size_t i = 0; i < n; i += LANES)
        f_store(part + i, distance_part(square, ALONG(c)));
  }
#undef ALONG
}

/* ---- Emission ---- */

/* Samples of a box in one plane. */
struct box_emission {
  const struct cells *cells;
  const struct candidates *list;
  size_t columns, rows;
  const float *column_part, *row_part; /* an array for each candidate */
  const float *tag;                    /* of each candidate, or with its parts an array for each */
};

/* Places of tags: each candidate has one, or one for each of the columns, or rows. */
enum box_tags { TAG_OF_BOX, TAG_OF_COLUMN, TAG_OF_ROW };

/* Sums of registers: 8 vectors of samples, or 4 where each needs two registers of 16. They are
 * BRICK_GRANULE columns of a few rows. */
enum { GRANULE_VECTORS = BRICK_GRANULE / LANES };
#define EMITTED_VECTORS(kind) ((kind) == CELL_FIRST || LANES == 16 ? 8 : 4)
#define EMITTED_ROWS(kind) ((size_t)EMITTED_VECTORS(kind) / GRANULE_VECTORS)

/* Each vector t of a granule. NOLINTNEXTLINE(bugprone-macro-parentheses): t is declared */
#define EACH_VECTOR(t) PERLANE_UNROLL for (int t = 0; t < vectors; t++)

/* Vector t of a candidate's distances, from its parts. */
#define DISTANCE(t, column_part, row_part)                                                         \
  f_add(f_load((column_part) + (t) % GRANULE_VECTORS * LANES),                                     \
        f_set((row_part)[(t) / GRANULE_VECTORS]))

/* Constant: `kind` and `tags`. */
PERLANE_INLINE void emit_granule(enum cell_kind kind, enum box_tags tags,
                                 const struct box_emission *of, size_t row, size_t column,
                                 float *to, const struct brick_target *target) {
  const int vectors = EMITTED_VECTORS(kind);
  const struct cells *cells = of->cells;
  const size_t columns = of->columns, rows = of->rows;
  const float *column_part = of->column_part + column, *row_part = of->row_part + row;
  const float *end = row_part + of->list->count * rows;
  const size_t tag_pitch = tags == TAG_OF_COLUMN ? columns : tags == TAG_OF_ROW ? rows : 1;
  const float *tag = of->tag + (tags == TAG_OF_COLUMN ? column : tags == TAG_OF_ROW ? row : 0);
  struct nearest nearest[8];
  vf v[8];
#define TAG(t)                                                                                     \
  (kind != CELL_TAG        ? f_set(FLT_MAX)                                                        \
   : tags == TAG_OF_COLUMN ? f_load(tag + (t) % GRANULE_VECTORS * LANES)                           \
                           : f_set(tag[tags == TAG_OF_ROW ? (t) / GRANULE_VECTORS : 0]))
  if (kind == CELL_EDGE) {
    const float *own_column = column_part, *own_row = row_part;
    const size_t count = of->list->count;
    EACH_VECTOR(t) nearest[t] = none_near();
    EACH_VECTOR(t) v[t] = f_set(FLT_MAX);
    for (size_t c = 1; c <= count; c++) {
      column_part += columns;
      row_part += rows;
      if (c < count && of->list->owner[c] != c) {
        EACH_VECTOR(t) v[t] = f_min(v[t], DISTANCE(t, column_part, row_part));
      } else {
        EACH_VECTOR(t) include_cell(kind, &nearest[t], DISTANCE(t, own_column, own_row), v[t]);
        EACH_VECTOR(t) v[t] = f_set(FLT_MAX);
        own_column = column_part;
        own_row = row_part;
      }
    }
  } else {
    EACH_VECTOR(t) nearest[t] = (struct nearest){DISTANCE(t, column_part, row_part), TAG(t)};
    for (row_part += rows; row_part < end; row_part += rows) {
      column_part += columns;
      tag += tag_pitch;
      EACH_VECTOR(t) include_cell(kind, &nearest[t], DISTANCE(t, column_part, row_part), TAG(t));
    }
  }
#undef TAG
  const vf amplitude = cells->amplitude, bias = cells->bias;
  if (kind == CELL_TAG) {
    EACH_VECTOR(t) v[t] = nearest[t].second;
  } else if (kind == CELL_EDGE) {
    EACH_VECTOR(t) v[t] = noise_of_border(cells, nearest[t].second);
  } else {
    const int is_root = cells->metric == PERLANE_CELL_METRIC_EUCLIDEAN;
    EACH_VECTOR(t) v[t] = kind == CELL_BOTH ? nearest[t].second : nearest[t].first;
    if (is_root) {
      EACH_VECTOR(t) v[t] = f_sqrt(v[t]);
    }
    if (kind == CELL_BOTH && cells->output == PERLANE_CELL_OUTPUT_F2_MINUS_F1) {
      if (is_root) {
        EACH_VECTOR(t) nearest[t].first = f_sqrt(nearest[t].first);
      }
      EACH_VECTOR(t) v[t] = f_sub(v[t], nearest[t].first);
    }
    EACH_VECTOR(t) v[t] = f_add(f_mul(v[t], amplitude), bias);
  }
#define SAMPLES(t) (to + (t) / GRANULE_VECTORS * target->row + (t) % GRANULE_VECTORS * LANES)
  if (target->sum) {
    EACH_VECTOR(t) v[t] = f_add(f_load(SAMPLES(t)), v[t]);
  }
  if (target->stream) {
    EACH_VECTOR(t) f_stream(SAMPLES(t), v[t]);
  } else {
    EACH_VECTOR(t) f_store(SAMPLES(t), v[t]);
  }
#undef SAMPLES
}

PERLANE_INLINE void emit_box(enum cell_kind kind, enum box_tags tags, const struct box_emission *of,
                             float *to, const struct brick_target *target) {
  for (size_t row = 0; row < of->rows; row += EMITTED_ROWS(kind))
    for (size_t column = 0; column < of->columns; column += BRICK_GRANULE)
      emit_granule(kind, tags, of, row, column,
                   to + (ptrdiff_t)row * target->row + (ptrdiff_t)column, target);
}

#define BOX_KERNEL(name, kind, tags)                                                               \
  static PERLANE_NOINLINE void name(const struct box_emission *of, float *to,                      \
                                    const struct brick_target *target) {                           \
    emit_box(kind, tags, of, to, target);                                                          \
  }
BOX_KERNEL(emit_first, CELL_FIRST, TAG_OF_BOX)
BOX_KERNEL(emit_both, CELL_BOTH, TAG_OF_BOX)
BOX_KERNEL(emit_borders, CELL_EDGE, TAG_OF_BOX)
BOX_KERNEL(emit_tagged, CELL_TAG, TAG_OF_BOX)
BOX_KERNEL(emit_tagged_columns, CELL_TAG, TAG_OF_COLUMN)
BOX_KERNEL(emit_tagged_rows, CELL_TAG, TAG_OF_ROW)
#undef BOX_KERNEL

/* ---- Boxes ---- */

/* Fills samples box->axis[a].begin .. end - 1 along each axis, and what fills up whole granules and
 * BOX_ROWS rows. Returns 0, having stored nothing, if there are too many candidates. (Not inlined:
 * the candidates are not on the stack of fill_columns.) */
static PERLANE_NOINLINE int fill_box(const struct brick *brick, struct box *box,
                                     const struct brick_target *target) {
  const struct cells *cells = &brick->cells;
  const int dims = cells->dims, along = cells->along;
  struct candidates list;
  float plane_part[BRICK_PLANES * MAX_CANDIDATES + LANES];
  struct box_cells *listed = brick->scratch;
  const struct box_axis *x = &box->axis[0], *y = &box->axis[1];
  const size_t columns = whole_granules(x->end - x->begin, BRICK_GRANULE);
  const size_t rows = whole_granules(y->end - y->begin, BOX_ROWS);
  const size_t max = BOX_PARTS / (columns > rows ? columns : rows);
  const size_t begin = dims > 2 ? box->axis[2].begin : 0, end = dims > 2 ? box->axis[2].end : 1;
  size_t n;
  for (;; box->rings = brick->rings) {
    n = list_cells(listed, brick, box);
    if (n == 0)
      return 0;
    if (dims == 2)
      make_points(2, listed, cells, box, n);
    else
      make_points(3, listed, cells, box, n);
    if (mask_points(listed, brick, box, n))
      break;
  }
  if (!list_candidates(&list, listed, cells, box, n, max < MAX_CANDIDATES ? max : MAX_CANDIDATES))
    return 0;
  for (size_t c = 0; c < list.count && cells->kind == CELL_TAG; c += LANES)
    f_store(list.tag + c, tag_of_cell(cells, i_bits(f_load(list.tag + c))));
  float *column_part = brick->scratch, *row_part = column_part + BOX_PARTS;
  float *own_part = row_part + BOX_PARTS; /* of columns, without a plane */
  float *tag_part = own_part + BOX_PARTS;
  /* The last row's vector may reach into own_part. */
  axis_parts(row_part, brick, &list, 1, y->begin, rows, rows, 0);
  axis_parts(dims > 2 ? own_part : column_part, brick, &list, 0, x->begin, columns, columns, 0);
  if (dims > 2)
    axis_parts(plane_part, brick, &list, 2, begin, end - begin, BRICK_PLANES, 0);
  if (along == 0)
    axis_parts(tag_part, brick, &list, 0, x->begin, columns, columns, 1);
  if (along == 1)
    axis_parts(tag_part, brick, &list, 1, y->begin, rows, rows, 1);
  const struct box_emission emission = {cells,
                                        &list,
                                        columns,
                                        rows,
                                        column_part,
                                        row_part,
                                        along == 0 || along == 1 ? tag_part : list.tag};
  for (size_t plane = begin; plane < end; plane++) {
    float *out = target->to + (ptrdiff_t)x->begin + (ptrdiff_t)y->begin * target->row +
                 (ptrdiff_t)plane * target->plane;
    if (dims > 2) {
      for (size_t c = 0; c < list.count; c++)
        for (size_t i = c * columns; i < (c + 1) * columns; i += LANES)
          f_store(column_part + i,
                  f_add(f_load(own_part + i), f_set(plane_part[c * BRICK_PLANES + plane - begin])));
    }
    if (along == 2)
      axis_parts(list.tag, brick, &list, 2, plane, 1, 1, 1);
    (cells->kind == CELL_FIRST  ? emit_first
     : cells->kind == CELL_BOTH ? emit_both
     : cells->kind == CELL_EDGE ? emit_borders
     : along == 0               ? emit_tagged_columns
     : along == 1               ? emit_tagged_rows
                                : emit_tagged)(&emission, out, target);
  }
  return 1;
}

enum { FILLED = -2, NO_HALVES = -1 };
static const size_t MIN_HALF[3] = {BRICK_GRANULE, BOX_ROWS, 1}; /* samples */

/* Fills a range as a box of `rings` rings. Returns FILLED, or the axis along which to halve it:
 * that of its largest extent, for borders alone. (Not inlined: the box is not on the stack of
 * fill_range.) */
static PERLANE_NOINLINE int fill_as_box(const struct brick *brick, int rings, const size_t begin[3],
                                        const size_t end[3], const struct brick_target *target) {
  struct box box;
  int longest = NO_HALVES;
  begin_box(&box, brick, begin, end);
  box.rings = rings;
  if (fill_box(brick, &box, target))
    return FILLED;
#define EXTENT(a) (box.axis[a].high - box.axis[a].low)
  for (int a = 0; a < brick->cells.dims && brick->cells.kind == CELL_EDGE; a++)
    if (end[a] - begin[a] > MIN_HALF[a] && (longest < 0 || EXTENT(a) > EXTENT(longest)))
      longest = a;
#undef EXTENT
  return longest;
}

/* Fills samples begin[a] .. end[a] - 1 along each axis: as a box of `rings` rings; of borders,
 * whose columns are slow, else as two halves; else as columns. (It calls itself up to eight times.)
 */
static void fill_range(const struct brick *brick, int rings, const size_t begin[3],
                       const size_t end[3], const struct brick_target *target) {
  size_t first_end[3], next_begin[3];
  const int longest = fill_as_box(brick, rings, begin, end, target);
  if (longest == NO_HALVES)
    fill_columns(brick, begin, end, target);
  if (longest < 0)
    return;
  memcpy(first_end, end, sizeof first_end);
  memcpy(next_begin, begin, sizeof next_begin);
  first_end[longest] = next_begin[longest] =
      begin[longest] + whole_granules((end[longest] - begin[longest] + 1) / 2, MIN_HALF[longest]);
  fill_range(brick, rings, begin, first_end, target);
  fill_range(brick, rings, next_begin, end, target);
}

#endif
