/* SPDX-License-Identifier: MIT
 *
 * Cellular noise of a brick whose samples are close together, box by box. Within a box only few
 * points can be the nearest anywhere. Each of these candidates' distance is separable: a part of
 * the column and a part of the row, so that a sample costs an addition and a minimum a candidate.
 *
 * A candidate is dropped if the point nearest to the box's middle beats it at every corner of the
 * box; with D2, if both of the two nearest do. (Where two points are equally far is a plane, so
 * that the corners decide.) Only points that cannot win are dropped: the bits do not depend on the
 * boxes. Chebyshev's metric has no boxes: it would need other rules and loops.
 */
#ifndef PERLANE_NOISE_CELLS_BOXES_H
#define PERLANE_NOISE_CELLS_BOXES_H

#include "brick.h"

enum {
  MAX_BOX_CELLS = 512,
  CELL_ARRAY = MAX_BOX_CELLS + LANES,
  MAX_CANDIDATES = 104,
  BOX_PARTS = 1536, /* floats of the candidates' parts along an axis */
};
_Static_assert(8 * CELL_ARRAY * sizeof(float) <= BRICK_SCRATCH, "scratch memory");
_Static_assert(4 * BOX_PARTS * sizeof(float) <= BRICK_SCRATCH, "scratch memory");

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

static void begin_box_axis(struct box *box, int a, const struct brick_axis *of, size_t begin,
                           size_t end) {
  const size_t last = end - 1;
  const float c0 = of->cell[begin], c1 = of->cell[last];
  const float first = c0 < c1 ? c0 : c1;
  const float x0 = (c0 - first) + of->fraction[begin], x1 = (c1 - first) + of->fraction[last];
  box->axis[a] = (struct box_axis){
      .begin = begin,
      .end = end,
      .first = first,
      .cells = (size_t)((c0 < c1 ? c1 : c0) - first) + 1,
      .low = x0 < x1 ? x0 : x1,
      .high = x0 < x1 ? x1 : x0,
  };
}

static void begin_box(struct box *box, const struct brick *brick, const size_t begin[3],
                      const size_t end[3]) {
  for (int a = 0; a < brick->cells.dims; a++)
    begin_box_axis(box, a, &brick->of[a], begin[a], end[a]);
  box->rings = brick->rings;
}

/* Cells further than so many from all of a box's samples cannot have one of the nearest points. */
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

/* ---- Candidates ---- */

/* The points of all cells of a box; [0] is along x. */
struct box_cells {
  uint32_t hash[CELL_ARRAY];
  float cell[3][CELL_ARRAY];  /* from box_axis.first on */
  float point[3][CELL_ARRAY]; /* within the cell, less `start` */
  float distance[CELL_ARRAY]; /* from the middle; then the mask of candidates */
};

/* Those that are left. */
struct candidates {
  size_t count;
  uint32_t hash[MAX_CANDIDATES + LANES];
  float cell[3][MAX_CANDIDATES + LANES]; /* less the brick's first */
  float point[3][MAX_CANDIDATES + LANES];
};

/* Lists a box's cells in the order of 2.15. Returns their number; 0 if it is too large. */
static size_t list_cells(struct box_cells *to, const struct brick *brick, const struct box *box) {
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
  const size_t columns = cells[0], planes = cells[2];
  const vf lane = f_from_d(d_lane_number());
  size_t n = 0;
  for (size_t z = 0; z < planes; z++)
    for (size_t y = 0; y < cells[1]; y++, n += columns) {
      const vi others = i_set(word[1][y] + (dims > 2 ? word[2][z] : 0));
      const vf row = f_set((float)y - rings), plane = f_set((float)z - rings);
      for (size_t x = 0; x < columns; x += LANES) {
        i_store(to->hash + n + x, i_add(i_load(word[0] + x), others));
        f_store(to->cell[0] + n + x, f_add(lane, f_set((float)x - rings)));
        f_store(to->cell[1] + n + x, row);
        f_store(to->cell[2] + n + x, plane);
      }
    }
  i_store(to->hash + n, i_set(0)); /* the last vector's other lanes, far away */
  f_store(to->cell[0] + n, f_set(0x1p20f));
  f_store(to->cell[1] + n, f_set(0));
  f_store(to->cell[2] + n, f_set(0));
  return n;
}

/* The coordinate of LANES points. */
PERLANE_INLINE vf box_coordinate(const struct box_cells *of, int a, vf start, size_t i) {
  return f_add(f_load(of->point[a] + i), f_add(f_load(of->cell[a] + i), start));
}

/* Makes the points and their distances from the box's middle. */
static void make_points(struct box_cells *to, const struct cells *cells, const struct box *box,
                        size_t n) {
  const int dims = cells->dims;
  const vf factor = f_set(cells->factor), start = f_set(cells->start);
  for (size_t i = 0; i < n; i += LANES) {
    const vi h = full_mix(i_load(to->hash + i));
    i_store(to->hash + i, h);
    vf sum = f_set(0);
    for (int a = 0; a < dims; a++) {
      f_store(to->point[a] + i, point_along(dims, a, h, factor));
      const vf middle = f_set((box->axis[a].low + box->axis[a].high) * 0.5f);
      const vf d = f_sub(box_coordinate(to, a, start, i), middle);
      sum = f_add(sum, distance_part(is_square(cells), d));
    }
    f_store(to->distance + i, sum);
  }
}

/* Returns the number of the cell with the smallest distance. */
static size_t smallest_distance(const struct box_cells *of, size_t n) {
  vf least = f_load(of->distance), number = f_set(0);
  for (size_t i = LANES; i < n; i += LANES) {
    const vf distance = f_load(of->distance + i);
    number = f_select_below(distance, least, f_set((float)i), number);
    least = f_min(least, distance);
  }
  float lane[LANES], at[LANES];
  f_store(lane, least);
  f_store(at, number);
  size_t nearest = 0;
  for (size_t l = 1; l < LANES; l++)
    nearest = lane[l] < lane[nearest] ? l : nearest;
  return (size_t)at[nearest] + nearest;
}

/* Returns 1 if a point is nearer to all samples than those of cells that are not listed. */
static int is_within_rings(const struct box_cells *of, const struct cells *cells,
                           const struct box *box, size_t point) {
  float furthest = 0, inside = 1;
  for (int a = 0; a < cells->dims; a++) {
    const float low = box->axis[a].low, high = box->axis[a].high;
    const float rest = (float)box->axis[a].cells - high;
    const float at = of->point[a][point] + (of->cell[a][point] + cells->start);
    const float below = at - low, above = high - at, d = below > above ? below : above;
    const float part = is_square(cells) ? d * d : d;
    furthest += part;
    inside = low < inside ? low : inside;
    inside = rest < inside ? rest : inside;
  }
  const float beyond = (float)box->rings + 0.5f - 0.5f * cells->jitter + inside;
  return furthest + BOX_MARGIN < (is_square(cells) ? beyond * beyond : beyond);
}

/* The least by which point `by` is nearer than LANES others, over the box. */
PERLANE_INLINE vf least_lead(const struct box_cells *of, const struct cells *cells,
                             const struct box *box, size_t by, float distance, size_t i) {
  const vf start = f_set(cells->start);
  const vf gap = f_sub(f_load(of->distance + i), f_set(distance));
  vf least = is_square(cells) ? gap : f_set(0);
  for (int a = 0; a < cells->dims; a++) {
    const float own = of->point[a][by] + (of->cell[a][by] + cells->start);
    const float low = box->axis[a].low, high = box->axis[a].high;
    const vf other = box_coordinate(of, a, start, i), wide = f_set(high - low);
    if (is_square(cells)) {
      least = f_sub(least, f_mul(magnitude_of(f_sub(other, f_set(own))), wide));
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

/* Masks the candidates among the listed cells. Returns 0 if another cell may have one; not with
 * `all`. */
static int mask_candidates(struct box_cells *of, const struct cells *cells, const struct box *box,
                           size_t n, int all) {
  const int count = cells->kind == CELL_BOTH ? 2 : 1;
  size_t nearest[2];
  float distance[2];
  for (int i = 0; i < count; i++) {
    nearest[i] = smallest_distance(of, n);
    distance[i] = of->distance[nearest[i]];
    of->distance[nearest[i]] = FLT_MAX;
    if (!all && !is_within_rings(of, cells, box, nearest[i]))
      return 0;
  }
  for (int i = 0; i < count; i++)
    of->distance[nearest[i]] = distance[i];
  const vf margin = f_set(BOX_MARGIN);
  for (size_t i = 0; i < n; i += LANES) {
    vf lead = f_set(FLT_MAX);
    for (int j = 0; j < count; j++)
      lead = f_min(lead, least_lead(of, cells, box, nearest[j], distance[j], i));
    f_store(of->distance + i, f_bits(f_not_above(lead, margin)));
  }
  return 1;
}

/* Lists the candidates; `number` receives those of their cells. Returns 0 if they are too many for
 * `columns` and `rows`. */
static int list_candidates(struct candidates *to, const struct box_cells *of, const struct box *box,
                           int dims, size_t n, size_t columns, size_t rows,
                           uint16_t number[MAX_BOX_CELLS + 1]) {
  size_t count = 0;
  for (size_t i = 0; i < n; i++) {
    uint32_t is_candidate;
    memcpy(&is_candidate, &of->distance[i], sizeof is_candidate);
    number[count] = (uint16_t)i;
    count += is_candidate & 1;
  }
  to->count = count;
  if (count > MAX_CANDIDATES || count * columns > BOX_PARTS || count * rows > BOX_PARTS)
    return 0;
  for (size_t c = 0; c < count; c++) {
    to->hash[c] = of->hash[number[c]];
    for (int a = 0; a < dims; a++) {
      to->cell[a][c] = of->cell[a][number[c]] + box->axis[a].first;
      to->point[a][c] = of->point[a][number[c]];
    }
  }
  return 1;
}

/* ---- Parts of distances ---- */

/* The distance along an axis from LANES samples to a candidate. */
PERLANE_INLINE vf box_distance(const struct brick_axis *axis, float cell, float point, vf start,
                               size_t i) {
  const vf offset = f_sub(f_set(cell), f_load(axis->cell + i));
  return f_sub(f_set(point), f_sub(f_sub(f_load(axis->fraction + i), offset), start));
}

/* The candidates' parts along an axis, for n samples from `begin` on: an array of `pitch` each.
 * Writes whole vectors. */
static void axis_parts(float *to, const struct brick *brick, const struct candidates *of, int a,
                       size_t begin, size_t n, size_t pitch) {
  const struct brick_axis *axis = &brick->of[a];
  const vf start = f_set(brick->cells.start);
  for (size_t c = 0; c < of->count; c++, to += pitch)
    for (size_t i = 0; i < n; i += LANES)
      f_store(to + i,
              distance_part(is_square(&brick->cells),
                            box_distance(axis, of->cell[a][c], of->point[a][c], start, begin + i)));
}

/* As axis_parts, the candidates' tags if the output is the offset along the axis. */
static void axis_offsets(float *to, const struct brick *brick, const struct candidates *of, int a,
                         size_t begin, size_t n, size_t pitch) {
  const vf start = f_set(brick->cells.start);
  for (size_t c = 0; c < of->count; c++, to += pitch)
    for (size_t i = 0; i < n; i += LANES)
      f_store(to + i,
              output_of_tag(&brick->cells, box_distance(&brick->of[a], of->cell[a][c],
                                                        of->point[a][c], start, begin + i)));
}

/* The columns' parts with those of one plane. */
static void plane_parts(float *to, const float *columns, const struct brick *brick,
                        const struct candidates *of, size_t plane, size_t n) {
  const float fraction = brick->of[2].fraction[plane], cell = brick->of[2].cell[plane];
  for (size_t c = 0; c < of->count; c++, to += n, columns += n) {
    const float d = of->point[2][c] - ((fraction - (of->cell[2][c] - cell)) - brick->cells.start);
    const vf part = distance_part(is_square(&brick->cells), f_set(d));
    for (size_t i = 0; i < n; i += LANES)
      f_store(to + i, f_add(f_load(columns + i), part));
  }
}

/* ---- Emission ---- */

/* Samples of a box in one plane. */
struct box_emission {
  const struct cells *cells;
  size_t candidates, columns, rows;
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

/* Repeats statements for each vector t of a granule. */
#define EACH_VECTOR(t, ...)                                                                        \
  {                                                                                                \
    EMIT_ONE(t, 0, __VA_ARGS__)                                                                    \
    EMIT_ONE(t, 1, __VA_ARGS__)                                                                    \
    EMIT_ONE(t, 2, __VA_ARGS__)                                                                    \
    EMIT_ONE(t, 3, __VA_ARGS__)                                                                    \
    if (vectors > 4) {                                                                             \
      EMIT_ONE(t, 4, __VA_ARGS__)                                                                  \
      EMIT_ONE(t, 5, __VA_ARGS__)                                                                  \
      EMIT_ONE(t, 6, __VA_ARGS__)                                                                  \
      EMIT_ONE(t, 7, __VA_ARGS__)                                                                  \
    }                                                                                              \
  }
#define EMIT_ONE(t, number, ...)                                                                   \
  {                                                                                                \
    enum { t = number };                                                                           \
    __VA_ARGS__                                                                                    \
  }

/* Vector t of a candidate's distances, from its parts. */
#define DISTANCE(t, column_part, row_part)                                                         \
  f_add(f_load((column_part) + (t) % GRANULE_VECTORS * LANES),                                     \
        f_set((row_part)[(t) / GRANULE_VECTORS]))

/* Stores the first of each of a granule's `nearest`. */
#define SAMPLES(t, to, target)                                                                     \
  ((to) + (t) / GRANULE_VECTORS * (target)->row + (t) % GRANULE_VECTORS * LANES)
#define STORE_SAMPLES(to, target, nearest)                                                         \
  if ((target)->sum)                                                                               \
    EACH_VECTOR(t,                                                                                 \
                (nearest)[t].first = f_add(f_load(SAMPLES(t, to, target)), (nearest)[t].first);)   \
  if ((target)->stream)                                                                            \
    EACH_VECTOR(t, store_vector(1, SAMPLES(t, to, target), (nearest)[t].first);)                   \
  else                                                                                             \
    EACH_VECTOR(t, store_vector(0, SAMPLES(t, to, target), (nearest)[t].first);)

/* Constant: `kind` and `tags`. */
PERLANE_INLINE void emit_granule(enum cell_kind kind, enum box_tags tags,
                                 const struct box_emission *of, size_t row, size_t column,
                                 float *to, const struct brick_target *target) {
  const int vectors = EMITTED_VECTORS(kind);
  const struct cells *cells = of->cells;
  const size_t columns = of->columns, rows = of->rows;
  const float *column_part = of->column_part + column, *row_part = of->row_part + row;
  const float *end = row_part + of->candidates * rows;
  const size_t tag_pitch = tags == TAG_OF_COLUMN ? columns : tags == TAG_OF_ROW ? rows : 1;
  const float *tag = of->tag + (tags == TAG_OF_COLUMN ? column : tags == TAG_OF_ROW ? row : 0);
  struct nearest nearest[8];
#define TAG(t)                                                                                     \
  (kind != CELL_TAG        ? f_set(FLT_MAX)                                                        \
   : tags == TAG_OF_COLUMN ? f_load(tag + (t) % GRANULE_VECTORS * LANES)                           \
                           : f_set(tag[tags == TAG_OF_ROW ? (t) / GRANULE_VECTORS : 0]))
  EACH_VECTOR(t, nearest[t] = (struct nearest){DISTANCE(t, column_part, row_part), TAG(t)};)
  for (row_part += rows; row_part < end; row_part += rows) {
    column_part += columns;
    tag += tag_pitch;
    EACH_VECTOR(t, include_cell(kind, &nearest[t], DISTANCE(t, column_part, row_part), TAG(t));)
  }
#undef TAG
  if (kind == CELL_TAG) {
    EACH_VECTOR(t, nearest[t].first = nearest[t].second;)
  } else {
    const vf amplitude = f_set(cells->amplitude), bias = f_set(cells->bias);
    if (cells->metric == PERLANE_CELL_METRIC_EUCLIDEAN) {
      if (kind == CELL_BOTH)
        EACH_VECTOR(t, nearest[t].second = f_sqrt(nearest[t].second);)
      if (kind == CELL_FIRST || cells->output == PERLANE_CELL_OUTPUT_F2_MINUS_F1)
        EACH_VECTOR(t, nearest[t].first = f_sqrt(nearest[t].first);)
    }
    if (kind == CELL_BOTH) {
      if (cells->output == PERLANE_CELL_OUTPUT_F2)
        EACH_VECTOR(t, nearest[t].first = nearest[t].second;)
      else
        EACH_VECTOR(t, nearest[t].first = f_sub(nearest[t].second, nearest[t].first);)
    }
    EACH_VECTOR(t, nearest[t].first = f_add(f_mul(nearest[t].first, amplitude), bias);)
  }
  STORE_SAMPLES(to, target, nearest)
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
BOX_KERNEL(emit_tagged, CELL_TAG, TAG_OF_BOX)
BOX_KERNEL(emit_tagged_columns, CELL_TAG, TAG_OF_COLUMN)
BOX_KERNEL(emit_tagged_rows, CELL_TAG, TAG_OF_ROW)
#undef BOX_KERNEL

static void emit_plane(const struct box_emission *of, float *to,
                       const struct brick_target *target) {
  const enum cell_kind kind = of->cells->kind;
  (kind == CELL_FIRST      ? emit_first
   : kind == CELL_BOTH     ? emit_both
   : of->cells->along == 0 ? emit_tagged_columns
   : of->cells->along == 1 ? emit_tagged_rows
                           : emit_tagged)(of, to, target);
}

/* ---- Boxes ---- */

/* Samples box->axis[a].begin .. end - 1 along each axis, and what fills up whole granules and
 * BOX_ROWS rows. Returns 0, having stored nothing, if there are too many candidates. (Not inlined:
 * the candidates are not on the stack of fill_edges.) */
enum { BOX_ROWS = 8 };
static PERLANE_NOINLINE int fill_box(const struct brick *brick, struct box *box,
                                     const struct brick_target *target) {
  const struct cells *cells = &brick->cells;
  const int dims = cells->dims;
  struct candidates candidates;
  uint16_t numbers[MAX_BOX_CELLS + 1];
  struct box_cells *all = brick->scratch;
  const struct box_axis *x = &box->axis[0], *y = &box->axis[1];
  const size_t columns = whole_granules(x->end - x->begin, BRICK_GRANULE);
  const size_t rows = whole_granules(y->end - y->begin, BOX_ROWS);
  size_t n;
  for (;; box->rings = brick->rings) {
    n = list_cells(all, brick, box);
    if (n == 0)
      return 0;
    make_points(all, cells, box, n);
    if (mask_candidates(all, cells, box, n, box->rings == brick->rings))
      break;
  }
  if (!list_candidates(&candidates, all, box, dims, n, columns, rows, numbers))
    return 0;
  const size_t count = candidates.count;
  float tag[MAX_CANDIDATES + LANES];
  if (cells->kind == CELL_TAG)
    for (size_t c = 0; c < count; c += LANES)
      f_store(tag + c, tag_of_cell(cells, i_load(candidates.hash + c)));
  float *column_part = brick->scratch, *row_part = column_part + BOX_PARTS;
  float *own_part = row_part + BOX_PARTS; /* of columns, without a plane */
  float *tag_part = own_part + BOX_PARTS;
  /* The last row's vector may reach into own_part. */
  axis_parts(row_part, brick, &candidates, 1, y->begin, rows, rows);
  axis_parts(dims > 2 ? own_part : column_part, brick, &candidates, 0, x->begin, columns, columns);
  if (cells->along == 0)
    axis_offsets(tag_part, brick, &candidates, 0, x->begin, columns, columns);
  if (cells->along == 1)
    axis_offsets(tag_part, brick, &candidates, 1, y->begin, rows, rows);
  const int has_parts = cells->along == 0 || cells->along == 1;
  const struct box_emission emission = {
      cells, count, columns, rows, column_part, row_part, has_parts ? tag_part : tag};
  float *to = target->to + (ptrdiff_t)x->begin + (ptrdiff_t)y->begin * target->row;
  if (dims == 2) {
    emit_plane(&emission, to, target);
    return 1;
  }
  for (size_t plane = box->axis[2].begin; plane < box->axis[2].end; plane++) {
    plane_parts(column_part, own_part, brick, &candidates, plane, columns);
    if (cells->along == 2)
      axis_offsets(tag, brick, &candidates, 2, plane, 1, 1);
    emit_plane(&emission, to + (ptrdiff_t)plane * target->plane, target);
  }
  return 1;
}

#endif
