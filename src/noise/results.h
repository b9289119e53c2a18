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

/* The last n samples of a row, from i on: less than a vector. */
static PERLANE_NOINLINE void result_rest(struct fill *fill, const struct cell_row *cell,
                                         const struct axis_arrays *rows, size_t r, size_t i,
                                         size_t n, const float *sums, ptrdiff_t offset) {
  const struct emit_mode mode = {.sum = 1}, alone = {.sum = 0};
  const struct cell_lanes lanes = cell_load(0, *cell, i);
  const struct fold_y y = fold_y(0, rows, r);
  const vf v = sums ? sample(mode, lanes, y, sums, i) : sample(alone, lanes, y, NULL, i);
  float last[LANES];
  switch (finish_kind_of(&fill->finish)) {
  case FINISH_RIDGED:
    f_store(last, finish_value(FINISH_RIDGED, &fill->finish, v));
    break;
  case FINISH_BILLOW:
    f_store(last, finish_value(FINISH_BILLOW, &fill->finish, v));
    break;
  case FINISH_PING_PONG:
    f_store(last, finish_value(FINISH_PING_PONG, &fill->finish, v));
    break;
  default:
    f_store(last, finish_value(FINISH_CONTRAST, &fill->finish, v));
  }
  const struct samples rest = {.array = {last}};
  store_samples(fill->output, &rest, n, 1, offset + (ptrdiff_t)i, 1, 0, &fill->extremes);
}

/* Samples begin .. end - 1 of a row, stored in the output from `offset` on. */
PERLANE_INLINE void result_row(struct result_mode mode, struct fill *fill,
                               const struct cell_row *cell, const struct axis_arrays *rows,
                               size_t r, size_t begin, size_t end, const float *sums,
                               ptrdiff_t offset) {
  const struct emit_mode emit_mode = {.sum = mode.sum};
  const struct fold_y y = fold_y(0, rows, r);
  const struct finish finish = fill->finish;
  const struct perlane_output output = *fill->output;
  const struct cell_row from = *cell;
  float *floats = (float *)output.value + offset;
  uint16_t *words = (uint16_t *)output.value + offset;
  uint8_t *bytes = (uint8_t *)output.value + offset;
  struct extremes extremes = fill->extremes;
  size_t i = begin;
  for (; i + LANES <= end; i += LANES) {
    const vf n = sample(emit_mode, cell_load(0, from, i), y, sums, i);
    const vf v = finish_value(mode.finish, &finish, n);
    if (mode.extremes)
      include_vector(&extremes, v);
    if (mode.format == RESULT_FLOAT)
      f_store(floats + i, v);
    else if (mode.format == RESULT_STREAM)
      f_stream(floats + i, v);
    else if (mode.format == RESULT_U16)
      u16_store(words + i, integer_levels(v, output.low, output.scale, 65535));
    else
      u8_store(bytes + i, integer_levels(v, output.low, output.scale, 255));
  }
  if (mode.extremes)
    fill->extremes = extremes;
  if (i < end)
    result_rest(fill, cell, rows, r, i, end - i, mode.sum ? sums : NULL, offset);
}

PERLANE_INLINE void result_rows_as(struct result_mode mode, struct fill *fill,
                                   const struct cell_row *cell, const struct axis_arrays *rows,
                                   size_t r0, size_t r1, const struct target *target) {
  const size_t n = fill->columns;
  for (size_t r = r0; r < r1; r++) {
    const float *sums = mode.sum ? target->sum + (r - r0) * fill->pitch : NULL;
    const ptrdiff_t offset = target->offset + (ptrdiff_t)(r - r0) * fill->grid->stride[1];
    if (mode.format != RESULT_STREAM) {
      result_row(mode, fill, cell, rows, r, 0, n, sums, offset);
      continue;
    }
    struct result_mode edges = mode;
    edges.format = RESULT_FLOAT;
    const struct cache_lines lines = cache_lines_of((float *)fill->output->value + offset, n);
    result_row(edges, fill, cell, rows, r, 0, lines.head, sums, offset);
    result_row(mode, fill, cell, rows, r, lines.head, lines.tail, sums, offset);
    result_row(edges, fill, cell, rows, r, lines.tail, n, sums, offset);
  }
}

PERLANE_INLINE void result_rows_in(enum finish_kind finish, enum result_format format, int extremes,
                                   struct fill *fill, const struct cell_row *cell,
                                   const struct axis_arrays *rows, size_t r0, size_t r1,
                                   const struct target *target) {
  struct result_mode mode = {finish, format, 0, extremes};
  if (target->sum && finish < FINISH_RIDGED) { /* shaping is for a single octave */
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

static void result_rows(struct fill *fill, const struct cell_row *cell,
                        const struct axis_arrays *rows, size_t r0, size_t r1,
                        const struct target *target) {
#define RESULTS(finish)                                                                            \
  case finish:                                                                                     \
    result_rows_of(finish, fill, cell, rows, r0, r1, target);                                      \
    break
  switch (finish_kind_of(&fill->finish)) {
    RESULTS(FINISH_NONE);
    RESULTS(FINISH_LINEAR);
    RESULTS(FINISH_CONTRAST);
    RESULTS(FINISH_RIDGED);
    RESULTS(FINISH_BILLOW);
    RESULTS(FINISH_PING_PONG);
  }
#undef RESULTS
}

#endif
