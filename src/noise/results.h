/* SPDX-License-Identifier: MIT
 *
 * Results: sample rows that are scaled and converted to the output's format in registers, and whose
 * extremes are found there.
 */
#ifndef PERLANE_NOISE_RESULTS_H
#define PERLANE_NOISE_RESULTS_H

#include "sample_rows.h"

/* Columns begin .. end - 1 of row r, at `to`. Writes whole vectors. Constant: `format`; `add`; and
 * `stream`, whether floats are stored past the caches. */
PERLANE_INLINE void result_columns_as(int format, int add, int stream, struct fill *fill,
                                      const struct emission *of, size_t r, size_t begin, size_t end,
                                      void *to) {
  const struct emission from = *of;
  const struct fold_y y = fold_y(&from, r);
  const float *sum = add ? from.sum + r * from.sum_pitch : NULL;
  const vf scale = f_set(fill->finish.value_scale), offset = f_set(fill->finish.value_offset);
  const float low = fill->output->low, levels = fill->output->scale;
  struct extremes extremes = fill->extremes;
  for (size_t i = begin; i < end; i += LANES) {
    const vf raw = sample(add, cell_load(&from, i), y, add ? sum + i : NULL);
    const vf v = f_add(f_mul(raw, scale), offset);
    const size_t n = i - begin;
    if (format == PERLANE_FLOAT) {
      if (stream)
        f_stream((float *)to + n, v);
      else
        f_store((float *)to + n, v);
      if (i + LANES <= end)
        include_vector(&extremes, v);
    } else if (format == PERLANE_U16) {
      u16_store((uint16_t *)to + n, integer_levels(v, low, levels, 65535));
    } else {
      u8_store((uint8_t *)to + n, integer_levels(v, low, levels, 255));
    }
  }
  if (format == PERLANE_FLOAT) {
    fill->extremes = extremes;
    const size_t rest = (end - begin) % LANES; /* none where stores bypass the caches */
    if (fill->output->extremes && rest > 0)
      include_samples(&fill->extremes, (float *)to + (end - begin - rest), rest);
  }
}

static PERLANE_NOINLINE void result_columns(struct fill *fill, const struct emission *of, size_t r,
                                            size_t begin, size_t end, void *to, int stream) {
#define COLUMNS(format, stream)                                                                    \
  of->sum ? result_columns_as(format, 1, stream, fill, of, r, begin, end, to)                      \
          : result_columns_as(format, 0, stream, fill, of, r, begin, end, to)
  if (fill->output->format == PERLANE_U16)
    COLUMNS(PERLANE_U16, 0);
  else if (fill->output->format == PERLANE_U8)
    COLUMNS(PERLANE_U8, 0);
  else if (stream)
    COLUMNS(PERLANE_FLOAT, 1);
  else
    COLUMNS(PERLANE_FLOAT, 0);
#undef COLUMNS
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
  while (begin < lines_end) {
    const size_t left = lines_end - begin, most = PIECE_BYTES / size, n = left < most ? left : most;
    if (fill->output->format == PERLANE_FLOAT) {
      result_columns(fill, of, r, begin, lines_end, to, 1);
      to += left * size;
      break;
    }
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
  const size_t size = sample_bytes(fill->output), whole = of->columns / LANES * LANES;
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
      float rest[LANES];
      result_columns(fill, of, r, whole, of->columns, rest, 0);
      memcpy(to + whole * size, rest, (of->columns - whole) * size);
    }
  }
}

#endif
