/* SPDX-License-Identifier: MIT
 *
 * Results: sample rows that go from registers to the places of the sink, finished and converted
 * there, and whose extremes are found there.
 */
#ifndef PERLANE_NOISE_GRID_RESULTS_H
#define PERLANE_NOISE_GRID_RESULTS_H

#include "../output/sink.h"
#include "sample_rows.h"

/* LANES results from column i on. Constant: `kind`; and `add`, whether there is a sum to add to. */
PERLANE_INLINE vf result(int kind, int add, const struct finish *finish,
                         const struct emission *emission, struct fold_y y, const float *sum,
                         size_t i) {
  const vf v = sample(add, cell_load(emission, i), y, add ? sum + i : NULL);
  return finish_value(kind, finish, v, NULL);
}

/* Row r's columns of a place as integers. Constant: `kind`, `format`, `add`. */
PERLANE_INLINE void integer_columns(int kind, int format, int add, const struct sink *sink,
                                    const struct emission *emission, size_t r, size_t begin,
                                    size_t end, unsigned char *bytes) {
  const struct emission local = *emission;
  const struct fold_y y = fold_y(&local, r);
  const struct finish finish = sink->finish;
  const float *sum = add ? local.sum + r * local.sum_pitch : NULL;
  const float low = sink->output->low, scale = sink->output->scale;
  const size_t size = format == PERLANE_U16 ? 2 : 1;
  for (size_t i = begin; i < end; i += 2 * LANES) {
    const vf a = result(kind, add, &finish, &local, y, sum, i);
    const vf b = result(kind, add, &finish, &local, y, sum, i + LANES);
    store_levels(format, bytes + (i - begin) * size, a, b, low, scale);
  }
}

/* Row r's columns of a place as floats, which need nothing else. Constant: `stream`, `add`. */
PERLANE_INLINE void raw_columns(int stream, int add, const struct emission *emission, size_t r,
                                size_t begin, size_t end, unsigned char *bytes) {
  const struct emission local = *emission;
  const struct fold_y y = fold_y(&local, r);
  const float *sum = add ? local.sum + r * local.sum_pitch : NULL;
  float *const out = (float *)(void *)bytes;
  for (size_t i = begin; i < end; i += LANES)
    store_vector(stream, out + (i - begin),
                 sample(add, cell_load(&local, i), y, add ? sum + i : NULL));
}

/* Row r's columns of a place as floats, finished in any way, and their extremes. Constant: `kind`,
 * `stream`, `add`. */
PERLANE_INLINE void float_columns(int kind, int stream, int add, struct sink *sink,
                                  const struct emission *emission, size_t r, size_t begin,
                                  size_t end, unsigned char *bytes) {
  const struct emission local = *emission;
  const struct fold_y y = fold_y(&local, r);
  const struct finish finish = sink->finish;
  const float *sum = add ? local.sum + r * local.sum_pitch : NULL;
  struct extremes extremes = sink->extremes;
  float *const out = (float *)(void *)bytes;
  size_t i = begin;
  for (; i + LANES <= end; i += LANES) {
    const vf v = result(kind, add, &finish, &local, y, sum, i);
    include_vector(&extremes, v);
    store_vector(stream, out + (i - begin), v);
  }
  sink->extremes = extremes;
  if (i < end) {
    f_store(out + (i - begin), result(kind, add, &finish, &local, y, sum, i));
    include_samples(&sink->extremes, out + (i - begin), end - i);
  }
}

/* Row r's columns of a place in a line: few. */
static PERLANE_NOINLINE void raw_in_line(const struct emission *emission, size_t r, size_t begin,
                                         size_t end, unsigned char *bytes) {
  if (emission->sum)
    raw_columns(0, 1, emission, r, begin, end, bytes);
  else
    raw_columns(0, 0, emission, r, begin, end, bytes);
}

static PERLANE_NOINLINE void result_columns(struct sink *sink, const struct emission *emission,
                                            size_t r, size_t begin, size_t end,
                                            unsigned char *bytes, int stream) {
#define INTEGERS(kind, format)                                                                     \
  emission->sum ? integer_columns(kind, format, 1, sink, emission, r, begin, end, bytes)           \
                : integer_columns(kind, format, 0, sink, emission, r, begin, end, bytes)
#define FLOATS(kind, add)                                                                          \
  stream ? float_columns(kind, 1, add, sink, emission, r, begin, end, bytes)                       \
         : float_columns(kind, 0, add, sink, emission, r, begin, end, bytes)
#define SHAPE(fractal) (FINISH_CURVED + PERLANE_FRACTAL_##fractal)
  const int kind = sink->ending; /* shapes are those of a single octave */
  if (sink->output->format == PERLANE_U16 && kind == FINISH_NONE)
    INTEGERS(FINISH_NONE, PERLANE_U16);
  else if (sink->output->format == PERLANE_U16)
    INTEGERS(FINISH_LINEAR, PERLANE_U16);
  else if (sink->output->format == PERLANE_U8)
    INTEGERS(FINISH_LINEAR, PERLANE_U8);
  else if (kind == SHAPE(RIDGED))
    FLOATS(SHAPE(RIDGED), 0);
  else if (kind == SHAPE(BILLOW))
    FLOATS(SHAPE(BILLOW), 0);
  else if (kind == SHAPE(PING_PONG))
    FLOATS(SHAPE(PING_PONG), 0);
  else if (kind == FINISH_CURVED && emission->sum)
    FLOATS(FINISH_CURVED, 1);
  else if (kind == FINISH_CURVED)
    FLOATS(FINISH_CURVED, 0);
  else if (emission->sum)
    FLOATS(FINISH_LINEAR, 1);
  else
    FLOATS(FINISH_LINEAR, 0);
#undef SHAPE
#undef FLOATS
#undef INTEGERS
}

/* Sample rows to array j of the output, in which row r's column 0 is at offset + r * stride.
 * Constant: `is_raw`. */
PERLANE_INLINE void result_rows(int is_raw, struct sink *sink, const struct emission *emission,
                                int j, ptrdiff_t offset) {
  _Alignas(CACHE_LINE_BYTES) unsigned char piece[PIECE_BYTES];
  for (size_t r = 0; r < emission->rows; r++) {
    /* Not a running sum: it would overflow after the last row of the largest stride. */
    struct leaving row = row_leaving(sink, j, offset + (ptrdiff_t)r * sink->grid->stride[1], piece);
    struct place place = {0};
    while (next_place(sink, &row, &place))
      if (is_raw && !place.stream)
        raw_in_line(emission, r, place.begin, place.end, place.to);
      else if (is_raw && emission->sum)
        raw_columns(1, 1, emission, r, place.begin, place.end, place.to);
      else if (is_raw)
        raw_columns(1, 0, emission, r, place.begin, place.end, place.to);
      else
        result_columns(sink, emission, r, place.begin, place.end, place.to, place.stream);
  }
}

static PERLANE_NOINLINE void raw_rows(struct sink *sink, const struct emission *emission, int j,
                                      ptrdiff_t offset) {
  result_rows(1, sink, emission, j, offset);
}

static PERLANE_NOINLINE void finished_rows(struct sink *sink, const struct emission *emission,
                                           int j, ptrdiff_t offset) {
  result_rows(0, sink, emission, j, offset);
}

#endif
