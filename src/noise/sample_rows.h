/* SPDX-License-Identifier: MIT
 *
 * Emission: rows of samples from the two lattice rows around them, 3 multiplies and 3 adds each, as
 * they are, added to sums, or made into results on their way to the output.
 */
#ifndef PERLANE_NOISE_SAMPLE_ROWS_H
#define PERLANE_NOISE_SAMPLE_ROWS_H

#include "store.h"
#include "strip.h"

/* Columns of a strip. With 4 lanes a row's weights take as long to broadcast as samples to compute.
 */
enum { NARROW = LANES > 4 ? 8 * LANES : 0 };

/* What the samples of a cell row are made of: the middle and the rise of its two lattice rows'
 * values, and both rows' tilts. */
struct cell_row {
  const float *middle, *rise, *tilt0, *tilt1;
};

PERLANE_INLINE struct cell_row cell_row_of(const struct fill *fill, size_t k, int family) {
  const struct strip_octave *octave = &fill->octave[k];
  const float *arrays = family_array(fill, k, family, 0);
  return (struct cell_row){
      arrays + MIDDLE * fill->pitch,
      arrays + RISE * fill->pitch,
      arrays + (TILT + octave->lower) * fill->pitch,
      arrays + (TILT + octave->upper) * fill->pitch,
  };
}

/* One row's y fold, in every lane, or the derivative of it. */
struct fold_y {
  vf centred, a0, a1;
};

struct cell_lanes {
  vf middle, rise, tilt0, tilt1;
};

/* How rows are emitted: constants where they are passed. */
struct emission {
  int slope;  /* the derivative along y: without the middle */
  int sum;    /* added to what the octaves before yielded */
  int stream; /* past the caches */
};

PERLANE_INLINE struct fold_y fold_y(int slope, const struct axis_arrays *rows, size_t r) {
  if (slope)
    return (struct fold_y){f_set(rows->slope[r]), f_set(rows->b0[r]), f_set(rows->b1[r])};
  return (struct fold_y){f_set(rows->centred[r]), f_set(rows->a0[r]), f_set(rows->a1[r])};
}

PERLANE_INLINE struct cell_lanes cell_load(int slope, struct cell_row cell, size_t i) {
  struct cell_lanes lanes;
  if (!slope)
    lanes.middle = f_load(cell.middle + i);
  lanes.rise = f_load(cell.rise + i);
  lanes.tilt0 = f_load(cell.tilt0 + i);
  lanes.tilt1 = f_load(cell.tilt1 + i);
  return lanes;
}

/* A vector of samples, 3 multiplies and 3 adds, plus the sum of the octaves before. */
PERLANE_INLINE vf sample(struct emission how, struct cell_lanes cell, struct fold_y y,
                         const float *sum, size_t i) {
  const vf v =
      how.slope ? fold_slope(cell.rise, cell.tilt0, cell.tilt1, y.centred, y.a0, y.a1)
                : fold_value(cell.middle, cell.rise, cell.tilt0, cell.tilt1, y.centred, y.a0, y.a1);
  return how.sum ? f_add(f_load(sum + i), v) : v;
}

/* The samples from `begin` to before `end` of one row. */
PERLANE_INLINE void emit_row(struct emission how, struct cell_row cell, struct fold_y y,
                             size_t begin, size_t end, float *to, const float *sum) {
  size_t i = begin;
  for (; i + LANES <= end; i += LANES)
    f_store(to + i, sample(how, cell_load(how.slope, cell, i), y, sum, i));
  if (i < end)
    f_store_some(to + i, sample(how, cell_load(how.slope, cell, i), y, sum, i), end - i);
}

/* Several rows of the same cell row at once, `rows` a constant: the lattice rows are loaded once
 * for all. */
PERLANE_INLINE void emit_together(int rows, struct emission how, struct cell_row cell,
                                  const struct fold_y *y, size_t n, float *first, ptrdiff_t pitch,
                                  const float *first_sum, size_t sum_pitch) {
  struct fold_y by[ROWS_TOGETHER];
  float *to[ROWS_TOGETHER];
  const float *sum[ROWS_TOGETHER];
  for (int r = 0; r < rows; r++) {
    by[r] = y[r];
    to[r] = first + r * pitch;
    sum[r] = how.sum ? first_sum + (size_t)r * sum_pitch : NULL;
  }
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    struct cell_lanes lanes = cell_load(how.slope, cell, i);
    if (!how.slope)
      f_keep(lanes.middle);
    f_keep(lanes.rise);
    f_keep(lanes.tilt0);
    f_keep(lanes.tilt1);
    vf v[ROWS_TOGETHER];
    for (int r = 0; r < rows; r++)
      v[r] = sample(how, lanes, by[r], sum[r], i);
    for (int r = 0; r < rows; r++)
      f_store(to[r] + i, v[r]);
  }
  if (i < n) {
    const struct cell_lanes lanes = cell_load(how.slope, cell, i);
    for (int r = 0; r < rows; r++)
      f_store_some(to[r] + i, sample(how, lanes, by[r], sum[r], i), n - i);
  }
}

/* All rows r0 .. r1 - 1 of a cell row, a column or two of vectors after the other: for a narrow
 * strip, where rows are too short for a loop of their own. */
PERLANE_INLINE void emit_narrow(struct emission how, struct cell_row cell,
                                const struct axis_arrays *table, size_t r0, size_t r1, size_t n,
                                float *to, ptrdiff_t pitch, const float *sum, size_t sum_pitch) {
  const struct axis_arrays rows = *table;
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    const int two = i + LANES + LANES <= n;
    struct cell_lanes lanes = cell_load(how.slope, cell, i), lanes2 = lanes;
    if (two)
      lanes2 = cell_load(how.slope, cell, i + LANES);
    float *place = to + i;
    const float *sums = how.sum ? sum + i : NULL;
    for (size_t r = r0; r < r1; r++) {
      const struct fold_y y = fold_y(how.slope, &rows, r);
      const vf v = sample(how, lanes, y, sums, 0);
      if (two)
        f_store(place + LANES, sample(how, lanes2, y, sums, LANES));
      f_store(place, v);
      place += pitch;
      sums = how.sum ? sums + sum_pitch : NULL;
    }
    if (two)
      i += LANES;
  }
  if (i < n) {
    const struct cell_lanes lanes = cell_load(how.slope, cell, i);
    for (size_t r = r0; r < r1; r++) {
      const float *sums = how.sum ? sum + (r - r0) * sum_pitch : NULL;
      f_store_some(to + (ptrdiff_t)(r - r0) * pitch + i,
                   sample(how, lanes, fold_y(how.slope, &rows, r), sums, i), n - i);
    }
  }
}

/* One row past the caches, in whole lines; what precedes the first line and follows the last goes
 * through the caches. */
PERLANE_INLINE void stream_row(struct emission how, struct cell_row cell, struct fold_y y, size_t n,
                               float *to, const float *sum) {
  const struct lines lines = lines_of(to, n);
  emit_row(how, cell, y, 0, lines.head, to, sum);
  for (size_t i = lines.head; i < lines.tail; i += LANES)
    f_stream(to + i, sample(how, cell_load(how.slope, cell, i), y, sum, i));
  emit_row(how, cell, y, lines.tail, n, to, sum);
}

/* Where an octave's rows go, and the sums that they are added to, NULL for none. Results go to the
 * output's values, in its format, from `place` on. */
struct target {
  float *to;
  ptrdiff_t pitch;
  const float *sum;
  int is_result;
  ptrdiff_t place;
};

/* Rows r0 .. r1 - 1 of the row table, all in the octave's current cell row. */
PERLANE_INLINE void emit_rows_as(struct emission how, const struct fill *fill, struct cell_row cell,
                                 const struct axis_arrays *rows, size_t r0, size_t r1,
                                 const struct target *target) {
#define SUM(r) (how.sum ? target->sum + ((r)-r0) * fill->pitch : NULL)
  const size_t n = fill->columns;
  float *to = target->to;
  size_t r = r0;
  if (how.stream) {
    for (; r < r1; r++, to += target->pitch) {
      const struct span span = span_of(fill, (uintptr_t)to, sizeof *to);
      const struct cell_row from = {cell.middle + span.begin, cell.rise + span.begin,
                                    cell.tilt0 + span.begin, cell.tilt1 + span.begin};
      stream_row(how, from, fold_y(how.slope, rows, r), span.end - span.begin, to + span.begin,
                 how.sum ? SUM(r) + span.begin : NULL);
    }
    return;
  }
  if (n <= NARROW && r1 - r0 > ROWS_TOGETHER) {
    emit_narrow(how, cell, rows, r0, r1, n, to, target->pitch, target->sum, fill->pitch);
    return;
  }
  struct fold_y y[ROWS_TOGETHER];
  for (; r + ROWS_TOGETHER <= r1; r += ROWS_TOGETHER, to += ROWS_TOGETHER * target->pitch) {
    for (size_t j = 0; j < ROWS_TOGETHER; j++)
      y[j] = fold_y(how.slope, rows, r + j);
    emit_together(ROWS_TOGETHER, how, cell, y, n, to, target->pitch, SUM(r), fill->pitch);
  }
  if (ROWS_TOGETHER > 2 && r + 2 <= r1) {
    for (size_t j = 0; j < 2; j++)
      y[j] = fold_y(how.slope, rows, r + j);
    emit_together(2, how, cell, y, n, to, target->pitch, SUM(r), fill->pitch);
    r += 2;
    to += 2 * target->pitch;
  }
  if (r < r1)
    emit_row(how, cell, fold_y(how.slope, rows, r), 0, n, to, SUM(r));
#undef SUM
}

PERLANE_INLINE void emit_rows(int slope, const struct fill *fill, struct cell_row cell,
                              const struct axis_arrays *rows, size_t r0, size_t r1,
                              const struct target *target, int stream) {
#define EMIT(sum, stream)                                                                          \
  emit_rows_as((struct emission){slope, sum, stream}, fill, cell, rows, r0, r1, target)
  if (target->sum && stream)
    EMIT(1, 1);
  else if (target->sum)
    EMIT(1, 0);
  else if (stream)
    EMIT(0, 1);
  else
    EMIT(0, 0);
#undef EMIT
}

#endif
