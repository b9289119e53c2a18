/* SPDX-License-Identifier: MIT
 *
 * Results: sample rows that are finished in registers and stored in the output's format.
 */
#ifndef PERLANE_NOISE_RESULTS_H
#define PERLANE_NOISE_RESULTS_H

#include "sample_rows.h"

enum result_format { RESULT_FLOAT, RESULT_STREAM, RESULT_U16, RESULT_U8 };

/* How results are made. Constant where it is a parameter. */
struct result_mode {
  enum finish_kind finish;
  enum result_format format;
  int sum;      /* added to the octaves before */
  int extremes; /* smallest and largest are wanted */
};

/* The last n samples of a row, less than a vector, from sample i on. */
static PERLANE_NOINLINE void result_rest(struct fill *fill, const struct cell_row *cell,
                                         const struct axis_arrays *rows, size_t r, size_t i,
                                         size_t n, const float *sums, void *to) {
  const struct emit_mode mode = {.sum = 1}, alone = {.sum = 0};
  const struct cell_lanes lanes = cell_load(0, *cell, i);
  const struct fold_y y = fold_y(0, rows, r);
  const vf v = sums ? sample(mode, lanes, y, sums, i) : sample(alone, lanes, y, NULL, i);
  float last[LANES];
  f_store(last, finish_value(FINISH_LINEAR, &fill->finish, v));
  if (fill->output->extremes)
    include_samples(&fill->extremes, last, n);
  struct perlane_output output = *fill->output;
  output.value = to;
  store_values(&output, last, n, (ptrdiff_t)i, 1, NULL);
}

/* Stores n samples of a row at `to`. */
PERLANE_INLINE void result_row(struct result_mode mode, struct fill *fill, struct cell_row from,
                               const struct axis_arrays *rows, size_t r, size_t n,
                               const float *sums, void *to) {
  const struct emit_mode emit_mode = {.sum = mode.sum};
  const struct fold_y y = fold_y(0, rows, r);
  const struct finish finish = fill->finish;
  const float low = fill->output->low, scale = fill->output->scale;
  struct extremes extremes = fill->extremes;
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    const vf raw = sample(emit_mode, cell_load(0, from, i), y, sums, i);
    const vf v = finish_value(mode.finish, &finish, raw);
    if (mode.extremes)
      include_vector(&extremes, v);
    if (mode.format == RESULT_FLOAT)
      f_store((float *)to + i, v);
    else if (mode.format == RESULT_STREAM)
      f_stream((float *)to + i, v);
    else if (mode.format == RESULT_U16)
      u16_store((uint16_t *)to + i, integer_levels(v, low, scale, 65535));
    else
      u8_store((uint8_t *)to + i, integer_levels(v, low, scale, 255));
  }
  if (mode.extremes)
    fill->extremes = extremes;
  if (i < n)
    result_rest(fill, &from, rows, r, i, n - i, mode.sum ? sums : NULL, to);
}

/* One row of floats whose whole cache lines bypass the caches. */
PERLANE_INLINE void result_stream(struct result_mode mode, struct fill *fill, struct cell_row from,
                                  const struct axis_arrays *rows, size_t r, size_t n,
                                  const float *sums, float *to) {
  struct result_mode edges = mode;
  edges.format = RESULT_FLOAT;
  struct open_line *line = &fill->line[0];
  const struct cache_lines lines = cache_lines_of(to, n, sizeof *to);
  const size_t tail = n - lines.tail;
#define FROM(i) cell_row_from(from, i), rows, r
#define SUMS(i) (mode.sum ? sums + (i) : NULL)
  if (lines.head > 0) {
    result_row(edges, fill, FROM(0), lines.head, SUMS(0),
               open_line(line, to, lines.head * sizeof *to));
    close_line(line);
  }
  result_row(mode, fill, FROM(lines.head), lines.tail - lines.head, SUMS(lines.head),
             to + lines.head);
  if (tail > 0)
    result_row(edges, fill, FROM(lines.tail), tail, SUMS(lines.tail),
               open_line(line, to + lines.tail, tail * sizeof *to));
#undef SUMS
#undef FROM
}

PERLANE_INLINE void result_rows_as(struct result_mode mode, struct fill *fill,
                                   const struct cell_row *cell, const struct axis_arrays *rows,
                                   size_t r0, size_t r1, const struct target *target) {
  const size_t size = sample_bytes(fill->output);
  for (size_t r = r0; r < r1; r++) {
    const ptrdiff_t offset = target->offset + (ptrdiff_t)(r - r0) * fill->grid->stride[1];
    const struct span span = span_of(fill, fill->output->value, size, offset);
    const size_t n = span.end - span.begin;
    const float *sums = mode.sum ? target->sum + (r - r0) * fill->pitch + span.begin : NULL;
    const struct cell_row from = cell_row_from(*cell, span.begin);
    unsigned char *to =
        (unsigned char *)fill->output->value + (offset + (ptrdiff_t)span.begin) * (ptrdiff_t)size;
    if (mode.format == RESULT_STREAM) {
      result_stream(mode, fill, from, rows, r, n, sums, (float *)(void *)to);
    } else if (fill->stream && mode.format != RESULT_FLOAT) {
      unsigned char *buffer = fill->integers + (uintptr_t)to % CACHE_LINE_BYTES;
      result_row(mode, fill, from, rows, r, n, sums, buffer);
      stream_bytes(buffer, n * size, to, &fill->line[0]);
    } else {
      result_row(mode, fill, from, rows, r, n, sums, to);
    }
  }
}

PERLANE_INLINE void result_rows_in(enum finish_kind finish, enum result_format format, int extremes,
                                   struct fill *fill, const struct cell_row *cell,
                                   const struct axis_arrays *rows, size_t r0, size_t r1,
                                   const struct target *target) {
  struct result_mode mode = {finish, format, 0, extremes};
  if (target->sum) {
    mode.sum = 1;
    result_rows_as(mode, fill, cell, rows, r0, r1, target);
  } else {
    result_rows_as(mode, fill, cell, rows, r0, r1, target);
  }
}

PERLANE_INLINE void result_rows_of(enum finish_kind finish, struct fill *fill,
                                   const struct cell_row *cell, const struct axis_arrays *rows,
                                   size_t r0, size_t r1, const struct target *target) {
#define RESULTS(format, extremes)                                                                  \
  result_rows_in(finish, format, extremes, fill, cell, rows, r0, r1, target)
  if (fill->output->extremes) /* floats only */
    fill->stream ? RESULTS(RESULT_STREAM, 1) : RESULTS(RESULT_FLOAT, 1);
  else if (fill->output->format == PERLANE_U16)
    RESULTS(RESULT_U16, 0);
  else if (fill->output->format == PERLANE_U8)
    RESULTS(RESULT_U8, 0);
  else
    fill->stream ? RESULTS(RESULT_STREAM, 0) : RESULTS(RESULT_FLOAT, 0);
#undef RESULTS
}

/* Stores a finished sample row, columns from 0 on. `offset` is that of column 0. */
static void store_row(struct fill *fill, const struct samples *row, ptrdiff_t offset) {
  const struct perlane_output *output = fill->output;
  if (!fill->stream || fill->grid->stride[0] != 1) {
    store_samples(output, row, fill->columns, fill->arrays, offset, fill->grid->stride[0],
                  &fill->extremes);
    return;
  }
  const size_t size = sample_bytes(output);
  for (int j = 0; j < fill->arrays; j++) {
    unsigned char *array = j == 0 ? output->value : (void *)output->gradient[j - 1];
    const struct span span = span_of(fill, array, size, offset);
    const float *from = row->array[j] + span.begin;
    const size_t n = span.end - span.begin;
    if (!array)
      continue;
    array += (offset + (ptrdiff_t)span.begin) * (ptrdiff_t)size;
    if (j == 0 && output->extremes)
      include_samples(&fill->extremes, from, n);
    if (output->format == PERLANE_FLOAT) {
      stream_bytes((const unsigned char *)from, n * size, array, &fill->line[j]);
      continue;
    }
    struct perlane_output integers = *output;
    integers.value = fill->integers + (uintptr_t)array % CACHE_LINE_BYTES;
    store_values(&integers, from, n, 0, 1, NULL);
    stream_bytes(integers.value, n * size, array, &fill->line[j]);
  }
}

/* Results that need shaping or contrast: sample rows are emitted to memory, finished there, and
 * then stored. */
static PERLANE_NOINLINE void shaped_result_rows(struct fill *fill, const struct cell_row *cell,
                                                const struct axis_arrays *rows, size_t r0,
                                                size_t r1, const struct target *target) {
  _Alignas(CACHE_LINE_BYTES) float row[MAX_STRIP_COLUMNS + LANES];
  const struct samples samples = {{row}};
  for (size_t r = r0; r < r1; r++) {
    const float *sum = target->sum ? target->sum + (r - r0) * fill->pitch : NULL;
    const struct target to = {.to = row, .sum = sum};
    emit_value_rows(fill, cell, rows, r, r + 1, &to, 0);
    finish_row(&fill->finish, fill->columns, row);
    store_row(fill, &samples, target->offset + (ptrdiff_t)(r - r0) * fill->grid->stride[1]);
  }
}

static void result_rows(struct fill *fill, const struct cell_row *cell,
                        const struct axis_arrays *rows, size_t r0, size_t r1,
                        const struct target *target) {
  const enum finish_kind kind = finish_kind_of(&fill->finish);
  if (kind == FINISH_NONE)
    result_rows_of(FINISH_NONE, fill, cell, rows, r0, r1, target);
  else if (kind == FINISH_LINEAR)
    result_rows_of(FINISH_LINEAR, fill, cell, rows, r0, r1, target);
  else
    shaped_result_rows(fill, cell, rows, r0, r1, target);
}

#endif
