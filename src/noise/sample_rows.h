/* SPDX-License-Identifier: MIT
 *
 * Emission: the sample rows of a cell row, from the lattice rows around it, 3 multiplications and 3
 * additions a sample.
 */
#ifndef PERLANE_NOISE_SAMPLE_ROWS_H
#define PERLANE_NOISE_SAMPLE_ROWS_H

#include "store.h"
#include "strip.h"

/* Columns of a narrow strip: none with 4 lanes, where broadcasting a row's weights takes as long as
 * its samples. */
enum { NARROW = LANES > 4 ? 8 * LANES : 0 };

/* A channel of a cell row: middle and rise of its two lattice rows' values, and both tilts. */
struct cell_row {
  const float *middle, *rise, *tilt0, *tilt1;
};

PERLANE_INLINE struct cell_row cell_row_of(const struct fill *fill, size_t k, int channel) {
  const struct strip_octave *octave = &fill->octave[k];
  const float *arrays = channel_array(fill, k, channel, 0);
  return (struct cell_row){
      arrays + MIDDLE * fill->pitch,
      arrays + RISE * fill->pitch,
      arrays + (TILT + octave->lower) * fill->pitch,
      arrays + (TILT + octave->upper) * fill->pitch,
  };
}

/* The same, from column i on. */
PERLANE_INLINE struct cell_row cell_row_from(struct cell_row cell, size_t i) {
  return (struct cell_row){cell.middle + i, cell.rise + i, cell.tilt0 + i, cell.tilt1 + i};
}

/* The y weights of one sample row, in every lane; or those of the derivative along y. */
struct fold_y {
  vf centred, a0, a1;
};

struct cell_lanes {
  vf middle, rise, tilt0, tilt1;
};

/* How sample rows are emitted. Constant where it is a parameter. */
struct emit_mode {
  int slope;  /* the derivative along y, which needs no middle */
  int sum;    /* added to the octaves before */
  int stream; /* bypasses the caches */
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

PERLANE_INLINE vf sample(struct emit_mode mode, struct cell_lanes cell, struct fold_y y,
                         const float *sum, size_t i) {
  const vf v = mode.slope ? fold_slope(cell.rise, cell.tilt0, cell.tilt1, y.centred, y.a0, y.a1)
                          : fold_value(cell.middle, cell.rise, cell.tilt0, cell.tilt1, y.centred,
                                       y.a0, y.a1);
  return mode.sum ? f_add(f_load(sum + i), v) : v;
}

/* Samples begin .. end - 1 of one sample row. */
PERLANE_INLINE void emit_row(struct emit_mode mode, struct cell_row cell, struct fold_y y,
                             size_t begin, size_t end, float *to, const float *sum) {
  size_t i = begin;
  for (; i + LANES <= end; i += LANES)
    f_store(to + i, sample(mode, cell_load(mode.slope, cell, i), y, sum, i));
  if (i < end)
    f_store_some(to + i, sample(mode, cell_load(mode.slope, cell, i), y, sum, i), end - i);
}

/* gcc keeps the arrays of a loop over few rows in memory, unless it unrolls the loop, which at -O2
 * it does not by itself. */
#if defined(__GNUC__) && !defined(__clang__)
#define UNROLL _Pragma("GCC unroll 16")
#else
#define UNROLL
#endif

/* Several sample rows at once: the lattice rows are loaded once for all. Constant: `rows`. */
PERLANE_INLINE void emit_together(int rows, struct emit_mode mode, struct cell_row cell,
                                  const struct fold_y *y, size_t n, float *first, ptrdiff_t pitch,
                                  const float *first_sum, size_t sum_pitch) {
  struct fold_y by[ROWS_TOGETHER];
  float *to[ROWS_TOGETHER];
  const float *sum[ROWS_TOGETHER];
  UNROLL for (int r = 0; r < rows; r++) {
    by[r] = y[r];
    to[r] = first + r * pitch;
    sum[r] = mode.sum ? first_sum + (size_t)r * sum_pitch : NULL;
  }
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    struct cell_lanes lanes = cell_load(mode.slope, cell, i);
    if (!mode.slope)
      f_keep(lanes.middle);
    f_keep(lanes.rise);
    f_keep(lanes.tilt0);
    f_keep(lanes.tilt1);
    vf v[ROWS_TOGETHER];
    UNROLL for (int r = 0; r < rows; r++) v[r] = sample(mode, lanes, by[r], sum[r], i);
    UNROLL for (int r = 0; r < rows; r++) f_store(to[r] + i, v[r]);
  }
  if (i < n) {
    const struct cell_lanes lanes = cell_load(mode.slope, cell, i);
    UNROLL for (int r = 0; r < rows; r++)
        f_store_some(to[r] + i, sample(mode, lanes, by[r], sum[r], i), n - i);
  }
}

/* Sample rows r0 .. r1 - 1, one or two columns of vectors after the other: in a narrow strip, rows
 * are too short for a loop each. */
PERLANE_INLINE void emit_narrow(struct emit_mode mode, struct cell_row cell,
                                const struct axis_arrays *table, size_t r0, size_t r1, size_t n,
                                float *to, ptrdiff_t pitch, const float *sum, size_t sum_pitch) {
  const struct axis_arrays rows = *table;
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    const int two = i + LANES + LANES <= n;
    struct cell_lanes lanes = cell_load(mode.slope, cell, i), lanes2 = lanes;
    if (two)
      lanes2 = cell_load(mode.slope, cell, i + LANES);
    float *row = to + i;
    const float *sums = mode.sum ? sum + i : NULL;
    for (size_t r = r0; r < r1; r++) {
      const struct fold_y y = fold_y(mode.slope, &rows, r);
      const vf v = sample(mode, lanes, y, sums, 0);
      if (two)
        f_store(row + LANES, sample(mode, lanes2, y, sums, LANES));
      f_store(row, v);
      row += pitch;
      sums = mode.sum ? sums + sum_pitch : NULL;
    }
    if (two)
      i += LANES;
  }
  if (i < n) {
    const struct cell_lanes lanes = cell_load(mode.slope, cell, i);
    for (size_t r = r0; r < r1; r++) {
      const float *sums = mode.sum ? sum + (r - r0) * sum_pitch : NULL;
      f_store_some(to + (ptrdiff_t)(r - r0) * pitch + i,
                   sample(mode, lanes, fold_y(mode.slope, &rows, r), sums, i), n - i);
    }
  }
}

/* Samples begin .. end - 1 of a row, less than a cache line, into an open line. Writes whole
 * vectors. */
PERLANE_INLINE void emit_to_line(struct emit_mode mode, struct cell_row cell, struct fold_y y,
                                 size_t begin, size_t end, float *to, const float *sum,
                                 struct open_line *line) {
  if (begin == end)
    return;
  float *piece = open_line(line, to + begin, (end - begin) * sizeof *to);
  for (size_t i = begin; i < end; i += LANES)
    f_store(piece + (i - begin), sample(mode, cell_load(mode.slope, cell, i), y, sum, i));
}

/* One sample row whose whole cache lines bypass the caches. */
PERLANE_INLINE void stream_row(struct emit_mode mode, struct cell_row cell, struct fold_y y,
                               size_t n, float *to, const float *sum, struct open_line *line) {
  const struct cache_lines lines = cache_lines_of(to, n, sizeof *to);
  emit_to_line(mode, cell, y, 0, lines.head, to, sum, line);
  close_line(line);
  for (size_t i = lines.head; i < lines.tail; i += LANES)
    f_stream(to + i, sample(mode, cell_load(mode.slope, cell, i), y, sum, i));
  emit_to_line(mode, cell, y, lines.tail, n, to, sum, line);
}

/* Where an octave's sample rows go, and the sums that they are added to, or NULL. Results
 * (results.h) go to the output's values from `offset` on. */
struct target {
  float *to; /* of column 0, which is not there in a strip that begins before the grid */
  ptrdiff_t pitch;
  const float *sum;
  int is_result;
  ptrdiff_t offset; /* of column 0, of results and of streamed samples: `to` is then the array */
  struct open_line *line;
};

/* Sample rows r0 .. r1 - 1 of the row table, all in the octave's current cell row. */
PERLANE_INLINE void emit_rows_as(struct emit_mode mode, const struct fill *fill,
                                 struct cell_row cell, const struct axis_arrays *rows, size_t r0,
                                 size_t r1, const struct target *target) {
#define SUM(r) (mode.sum ? target->sum + ((r)-r0) * fill->pitch : NULL)
  const size_t n = fill->columns;
  float *to = target->to;
  size_t r = r0;
  if (mode.stream) {
    for (; r < r1; r++) {
      const ptrdiff_t offset = target->offset + (ptrdiff_t)(r - r0) * target->pitch;
      const struct span span = span_of(fill, target->to, sizeof *to, offset);
      const size_t i = span.begin;
      const float *ahead =
          (const float *)((uintptr_t)target->to + 4 * (uintptr_t)(offset + 4 * target->pitch));
      if (span.begin % 16 != 0 || fill->x <= 0)
        __builtin_prefetch(ahead + span.begin, 1);
      if (fill->last)
        __builtin_prefetch(ahead + span.end, 1);
      stream_row(mode, cell_row_from(cell, i), fold_y(mode.slope, rows, r), span.end - i,
                 target->to + (offset + (ptrdiff_t)i), mode.sum ? SUM(r) + i : NULL, target->line);
    }
    return;
  }
  if (n <= NARROW && r1 - r0 > ROWS_TOGETHER) {
    emit_narrow(mode, cell, rows, r0, r1, n, to, target->pitch, target->sum, fill->pitch);
    return;
  }
  struct fold_y y[ROWS_TOGETHER];
  for (; r + ROWS_TOGETHER <= r1; r += ROWS_TOGETHER, to += ROWS_TOGETHER * target->pitch) {
    UNROLL for (size_t j = 0; j < ROWS_TOGETHER; j++) y[j] = fold_y(mode.slope, rows, r + j);
    emit_together(ROWS_TOGETHER, mode, cell, y, n, to, target->pitch, SUM(r), fill->pitch);
  }
  if (ROWS_TOGETHER > 2 && r + 2 <= r1) {
    UNROLL for (size_t j = 0; j < 2; j++) y[j] = fold_y(mode.slope, rows, r + j);
    emit_together(2, mode, cell, y, n, to, target->pitch, SUM(r), fill->pitch);
    r += 2;
    to += 2 * target->pitch;
  }
  if (r < r1)
    emit_row(mode, cell, fold_y(mode.slope, rows, r), 0, n, to, SUM(r));
#undef SUM
}

PERLANE_INLINE void emit_rows(int slope, const struct fill *fill, struct cell_row cell,
                              const struct axis_arrays *rows, size_t r0, size_t r1,
                              const struct target *target, int stream) {
#define EMIT(sum, stream)                                                                          \
  emit_rows_as((struct emit_mode){slope, sum, stream}, fill, cell, rows, r0, r1, target)
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

/* Values, where a call's time does not matter. */
static PERLANE_NOINLINE void emit_value_rows(const struct fill *fill, const struct cell_row *cell,
                                             const struct axis_arrays *rows, size_t r0, size_t r1,
                                             const struct target *target, int stream) {
  emit_rows(0, fill, *cell, rows, r0, r1, target, stream);
}

#endif
