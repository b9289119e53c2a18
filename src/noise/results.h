/* SPDX-License-Identifier: MIT
 *
 * Results: sample rows that are finished and converted to the output's format in registers, and
 * whose extremes are found there.
 */
#ifndef PERLANE_NOISE_RESULTS_H
#define PERLANE_NOISE_RESULTS_H

#include "sample_rows.h"

/* LANES results from column i on. Constant: `kind`; and `add`, whether there is a sum to add to. */
PERLANE_INLINE vf result(enum finish_kind kind, int add, const struct finish *finish,
                         const struct emission *from, struct fold_y y, const float *sum, size_t i) {
  return finish_value(kind, finish, sample(add, cell_load(from, i), y, add ? sum + i : NULL));
}

/* Columns begin .. end - 1 of row r as integers, at `to`. Writes whole vectors. Constant: `kind`.
 */
PERLANE_INLINE void integer_columns(enum finish_kind kind, int format, int add,
                                    const struct fill *fill, const struct emission *of, size_t r,
                                    size_t begin, size_t end, void *to) {
  const struct emission from = *of;
  const struct fold_y y = fold_y(&from, r);
  const struct finish finish = fill->finish;
  const float *sum = add ? from.sum + r * from.sum_pitch : NULL;
  const float low = fill->output->low, levels = fill->output->scale;
  const float max = format == PERLANE_U16 ? 65535 : 255;
  for (size_t i = begin; i < end; i += 2 * LANES) {
    const vf a = result(kind, add, &finish, &from, y, sum, i);
    const vf b = result(kind, add, &finish, &from, y, sum, i + LANES);
    const vi level_a = integer_levels(a, low, levels, max);
    const vi level_b = integer_levels(b, low, levels, max);
    if (format == PERLANE_U16)
      u16_store((uint16_t *)to + (i - begin), level_a, level_b);
    else
      u8_store((uint8_t *)to + (i - begin), level_a, level_b);
  }
}

/* The same as floats, finished in any way, and their extremes. Constant: `kind`; and `stream`,
 * whether they are stored past the caches. */
PERLANE_INLINE void float_columns(enum finish_kind kind, int stream, int add, struct fill *fill,
                                  const struct emission *of, size_t r, size_t begin, size_t end,
                                  float *to) {
  const struct emission from = *of;
  const struct fold_y y = fold_y(&from, r);
  const struct finish finish = fill->finish;
  const float *sum = add ? from.sum + r * from.sum_pitch : NULL;
  struct extremes extremes = fill->extremes;
  size_t i = begin;
  for (; i + LANES <= end; i += LANES) {
    const vf v = result(kind, add, &finish, &from, y, sum, i);
    include_vector(&extremes, v);
    if (stream)
      f_stream(to + (i - begin), v);
    else
      f_store(to + (i - begin), v);
  }
  fill->extremes = extremes;
  if (i < end) {
    f_store(to + (i - begin), result(kind, add, &finish, &from, y, sum, i));
    include_samples(&fill->extremes, to + (i - begin), end - i);
  }
}

static PERLANE_NOINLINE void result_columns(struct fill *fill, const struct emission *of, size_t r,
                                            size_t begin, size_t end, void *to, int stream) {
#define INTEGERS(kind, format)                                                                     \
  of->sum ? integer_columns(kind, format, 1, fill, of, r, begin, end, to)                          \
          : integer_columns(kind, format, 0, fill, of, r, begin, end, to)
#define FLOATS(kind, add)                                                                          \
  stream ? float_columns(kind, 1, add, fill, of, r, begin, end, to)                                \
         : float_columns(kind, 0, add, fill, of, r, begin, end, to)
  if (fill->output->format == PERLANE_U16 && fill->ending == FINISH_NONE)
    INTEGERS(FINISH_NONE, PERLANE_U16);
  else if (fill->output->format == PERLANE_U16)
    INTEGERS(FINISH_LINEAR, PERLANE_U16);
  else if (fill->output->format == PERLANE_U8)
    INTEGERS(FINISH_LINEAR, PERLANE_U8);
  else if (fill->ending == FINISH_RIDGED) /* shapes are those of a single octave */
    FLOATS(FINISH_RIDGED, 0);
  else if (fill->ending == FINISH_BILLOW)
    FLOATS(FINISH_BILLOW, 0);
  else if (fill->ending == FINISH_PING_PONG)
    FLOATS(FINISH_PING_PONG, 0);
  else if (fill->ending == FINISH_CURVED && of->sum)
    FLOATS(FINISH_CURVED, 1);
  else if (fill->ending == FINISH_CURVED)
    FLOATS(FINISH_CURVED, 0);
  else if (of->sum)
    FLOATS(FINISH_LINEAR, 1);
  else
    FLOATS(FINISH_LINEAR, 0);
#undef FLOATS
#undef INTEGERS
}

/* Integers are streamed in pieces, so that one is on its way to memory while the next is computed.
 */
enum { PIECE_BYTES = 512 };

/* One row of a streamed output; column `begin` goes to `to`. */
static void stream_results(struct fill *fill, const struct emission *of, size_t r, size_t begin,
                           size_t end, unsigned char *to) {
  _Alignas(CACHE_LINE_BYTES) unsigned char piece[PIECE_BYTES];
  const size_t size = sample_bytes(fill->output);
  const struct cache_lines lines = cache_lines_of(to, end - begin, size);
  struct open_line *line = &fill->line[0];
  if (lines.head > 0) {
    result_columns(fill, of, r, begin, begin + lines.head, open_line(line, to, lines.head * size),
                   0);
    close_line(line);
  }
  const size_t lines_end = begin + lines.tail;
  to += lines.head * size;
  begin += lines.head;
  if (fill->output->format == PERLANE_FLOAT) {
    result_columns(fill, of, r, begin, lines_end, to, 1);
    to += (lines_end - begin) * size;
    begin = lines_end;
  }
  while (begin < lines_end) {
    const size_t left = lines_end - begin, most = PIECE_BYTES / size, n = left < most ? left : most;
    result_columns(fill, of, r, begin, begin + n, piece, 0);
    stream_bytes(piece, n * size, to, line);
    to += n * size;
    begin += n;
  }
  if (lines_end < end)
    result_columns(fill, of, r, lines_end, end, open_line(line, to, (end - lines_end) * size), 0);
}

/* Sample rows as results; row r's column 0 goes to offset + r * stride of the output's values. */
static void result_rows(struct fill *fill, const struct emission *of, ptrdiff_t offset) {
  const size_t size = sample_bytes(fill->output), whole = of->columns / (2 * LANES) * (2 * LANES);
  for (size_t r = 0; r < of->rows; r++) {
    const ptrdiff_t row = offset + (ptrdiff_t)r * fill->grid->stride[1];
    const struct span span = span_of(fill, fill->output->value, size, row);
    unsigned char *to = (unsigned char *)fill->output->value + row * (ptrdiff_t)size;
    if (fill->stream) {
      stream_results(fill, of, r, span.begin, span.end, to + span.begin * size);
      continue;
    }
    result_columns(fill, of, r, 0, whole, to, 0);
    if (whole < of->columns) {
      float rest[2 * LANES];
      result_columns(fill, of, r, whole, of->columns, rest, 0);
      memcpy(to + whole * size, rest, (of->columns - whole) * size);
    }
  }
}

#endif
