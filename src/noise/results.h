/* SPDX-License-Identifier: MIT
 *
 *
 */
#ifndef PERLANE_NOISE_RESULTS_H
#define PERLANE_NOISE_RESULTS_H

#include "sample_rows.h"

/* How results are stored: a constant where it is passed. */
enum result_format { RESULT_FLOAT, RESULT_STREAM, RESULT_U16, RESULT_U8 };

/* What is made of samples on their way to the output: constants where they are passed. */
struct making {
  enum ending_kind ending;
  enum result_format format;
  int sum;      /* added to what the octaves before yielded */
  int extremes; /* told in the end */
};

/* The last n samples of a row, from i on, less than a vector. */
static PERLANE_NOINLINE void result_rest(struct fill *fill, const struct cell_row *cell,
                                         const struct axis_arrays *rows, size_t r, size_t i,
                                         size_t n, const float *sums, ptrdiff_t place) {
  const struct emission how = {.sum = 1}, alone = {.sum = 0};
  const struct cell_lanes lanes = cell_load(0, *cell, i);
  const struct fold_y y = fold_y(0, rows, r);
  const vf v = sums ? sample(how, lanes, y, sums, i) : sample(alone, lanes, y, NULL, i);
  float last[LANES];
  switch (ending_kind_of(&fill->ending)) {
  case ENDING_RIDGED:
    f_store(last, ended(ENDING_RIDGED, &fill->ending, v));
    break;
  case ENDING_BILLOW:
    f_store(last, ended(ENDING_BILLOW, &fill->ending, v));
    break;
  case ENDING_PING_PONG:
    f_store(last, ended(ENDING_PING_PONG, &fill->ending, v));
    break;
  default:
    f_store(last, ended(ENDING_POWER, &fill->ending, v));
  }
  const struct samples rest = {.array = {last}};
  deliver(fill->output, &rest, n, 1, place + (ptrdiff_t)i, 1, 0, &fill->extremes);
}

/* Samples begin .. end - 1 of a row, written to the output from `place` on. */
PERLANE_INLINE void result_row(struct making how, struct fill *fill, const struct cell_row *cell,
                               const struct axis_arrays *rows, size_t r, size_t begin, size_t end,
                               const float *sums, ptrdiff_t place) {
  const struct emission emission = {.sum = how.sum};
  const struct fold_y y = fold_y(0, rows, r);
  const struct ending ending = fill->ending;
  const struct perlane_output output = *fill->output;
  const struct cell_row from = *cell;
  float *floats = (float *)output.value + place;
  uint16_t *words = (uint16_t *)output.value + place;
  uint8_t *bytes = (uint8_t *)output.value + place;
  struct extremes extremes = fill->extremes;
  size_t i = begin;
  for (; i + LANES <= end; i += LANES) {
    const vf n = sample(emission, cell_load(0, from, i), y, sums, i);
    const vf v = ended(how.ending, &ending, n);
    if (how.extremes)
      take_vector(&extremes, v);
    if (how.format == RESULT_FLOAT)
      f_store(floats + i, v);
    else if (how.format == RESULT_STREAM)
      f_stream(floats + i, v);
    else if (how.format == RESULT_U16)
      u16_store(words + i, integer_levels(v, output.low, output.scale, 65535));
    else
      u8_store(bytes + i, integer_levels(v, output.low, output.scale, 255));
  }
  if (how.extremes)
    fill->extremes = extremes;
  if (i < end)
    result_rest(fill, cell, rows, r, i, end - i, how.sum ? sums : NULL, place);
}

PERLANE_INLINE void result_rows_as(struct making how, struct fill *fill,
                                   const struct cell_row *cell, const struct axis_arrays *rows,
                                   size_t r0, size_t r1, const struct target *target) {
  const size_t n = fill->columns;
  for (size_t r = r0; r < r1; r++) {
    const float *sums = how.sum ? target->sum + (r - r0) * fill->pitch : NULL;
    const ptrdiff_t place = target->place + (ptrdiff_t)(r - r0) * fill->grid->stride[1];
    if (how.format != RESULT_STREAM) {
      result_row(how, fill, cell, rows, r, 0, n, sums, place);
      continue;
    }
    struct making edges = how;
    edges.format = RESULT_FLOAT;
    const struct span span = span_of(fill, (uintptr_t)((float *)fill->output->value + place), sizeof(float));
    const size_t b = span.begin;
    const struct lines lines = lines_of((float *)fill->output->value + place + b, span.end - b);
    result_row(edges, fill, cell, rows, r, b, b+lines.head, sums, place);
    result_row(how, fill, cell, rows, r, b+lines.head, b+lines.tail, sums, place);
    result_row(edges, fill, cell, rows, r, b+lines.tail, span.end, sums, place);
  }
}

PERLANE_INLINE void result_rows_in(enum ending_kind ending, enum result_format format, int extremes,
                                   struct fill *fill, const struct cell_row *cell,
                                   const struct axis_arrays *rows, size_t r0, size_t r1,
                                   const struct target *target) {
  struct making how = {ending, format, 0, extremes};
  if (target->sum && ending < ENDING_RIDGED) { /* only a single octave is shaped here */
    how.sum = 1;
    result_rows_as(how, fill, cell, rows, r0, r1, target);
  } else {
    result_rows_as(how, fill, cell, rows, r0, r1, target);
  }
}

PERLANE_INLINE void result_rows_of(enum ending_kind ending, struct fill *fill,
                                   const struct cell_row *cell, const struct axis_arrays *rows,
                                   size_t r0, size_t r1, const struct target *target) {
#define RESULTS(format, extremes)                                                                  \
  result_rows_in(ending, format, extremes, fill, cell, rows, r0, r1, target)
  if (fill->output->extremes) /* of floats */
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
#define RESULTS(ending)                                                                            \
  case ending:                                                                                     \
    result_rows_of(ending, fill, cell, rows, r0, r1, target);                                      \
    break
  switch (ending_kind_of(&fill->ending)) {
    RESULTS(ENDING_NONE);
    RESULTS(ENDING_LINEAR);
    RESULTS(ENDING_POWER);
    RESULTS(ENDING_RIDGED);
    RESULTS(ENDING_BILLOW);
    RESULTS(ENDING_PING_PONG);
  }
#undef RESULTS
}

#endif
