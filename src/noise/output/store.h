/* SPDX-License-Identifier: MIT
 *
 * Storing samples in the form that the caller asked for (docs/specification.md, 2.14).
 */
#ifndef PERLANE_NOISE_OUTPUT_STORE_H
#define PERLANE_NOISE_OUTPUT_STORE_H

#include "../samples.h"

/* The output's samples have 1 << sample_shift bytes. */
PERLANE_INLINE unsigned sample_shift(const struct perlane_output *output) {
  return output->format == FORMAT_FLOAT ? 2 : output->format == FORMAT_U16 ? 1 : 0;
}

/* Array j of the output: the values, then the derivatives along each axis. */
PERLANE_INLINE void *output_array(const struct perlane_output *output, int j) {
  return j == 0 ? output->value : (void *)output->gradient[j - 1];
}

/* ---- Past the caches ---- */

/* Stores LANES samples, with `stream` past the caches, where `out` is aligned to the vector: the
 * one place that does. */
PERLANE_INLINE void store_vector(int stream, float *out, vf v) {
  if (stream)
    f_stream(out, v);
  else
    f_store(out, v);
}

/* Stores n bytes past the caches: whole cache lines. */
static void stream_lines(const void *bytes, size_t n, void *out) {
  const float *samples = bytes;
  for (size_t i = 0; i < n / sizeof *samples; i += LANES)
    store_vector(1, (float *)out + i, f_load(samples + i));
}

/* A cache line of a streamed output that is being put together: the end of a sample row, and where
 * rows are packed, the beginning of the next. Lines that are written in parts, through the caches,
 * cost many times a streamed line. */
struct open_line {
  _Alignas(CACHE_LINE_BYTES) unsigned char bytes[2 * CACHE_LINE_BYTES]; /* room for whole vectors */
  unsigned begin, end;  /* bytes of the line that are there */
  unsigned char *start; /* where byte `begin` goes */
};

static void write_line(struct open_line *line) {
  if (line->end - line->begin == CACHE_LINE_BYTES)
    stream_lines(line->bytes, CACHE_LINE_BYTES, line->start);
  else if (line->end > line->begin)
    memcpy(line->start, line->bytes + line->begin, line->end - line->begin);
  line->begin = line->end = 0;
}

/* Opens the line of `out` for n bytes, all within it. Returns where to put them, with room for
 * whole vectors. (Inlined: calls between streamed stores cost several times their instructions.) */
PERLANE_INLINE void *open_line(struct open_line *line, unsigned char *out, size_t n) {
  const unsigned offset = (uintptr_t)out % CACHE_LINE_BYTES;
  const int continues =
      line->end > line->begin && line->end == offset && line->start + (offset - line->begin) == out;
  if (!continues) {
    write_line(line);
    line->begin = offset;
    line->start = out;
  }
  line->end = offset + (unsigned)n;
  return line->bytes + offset;
}

/* Ends what open_line began. */
PERLANE_INLINE void close_line(struct open_line *line) {
  if (line->end == CACHE_LINE_BYTES)
    write_line(line);
}

/* Streams n bytes that are in memory. */
static void stream_bytes(struct open_line *line, const unsigned char *bytes, size_t n,
                         unsigned char *out) {
  const size_t before = (0 - (uintptr_t)out) % CACHE_LINE_BYTES, head = before < n ? before : n;
  const size_t tail = n - (n - head) % CACHE_LINE_BYTES;
  if (head > 0) {
    memcpy(open_line(line, out, head), bytes, head);
    close_line(line);
  }
  stream_lines(bytes + head, tail - head, out + head);
  if (tail < n)
    memcpy(open_line(line, out + tail, n - tail), bytes + tail, n - tail);
}

/* ---- Conversion ---- */

/* Copies a run. Calling memcpy takes longer than a short one, whose last vector ends with it and so
 * copies some samples again. */
PERLANE_INLINE void copy_floats(const float *values, size_t n, float *out) {
  size_t i = 0;
  if (n > SHORT_RUN || n < LANES) {
    memcpy(out, values, n * sizeof *out);
    return;
  }
  for (; i + LANES <= n; i += LANES)
    f_store(out + i, f_load(values + i));
  if (i < n)
    f_store(out + n - LANES, f_load(values + n - LANES));
}

static void store_floats(const float *values, size_t n, float *out, ptrdiff_t stride) {
  if (stride == 1)
    copy_floats(values, n, out);
  else
    for (size_t i = 0; i < n; i++)
      out[(ptrdiff_t)i * stride] = values[i];
}

/* The store saturates, but a large float must not leave the range of a word before. */
PERLANE_INLINE vi integer_levels(vf v, float low, float scale, float max) {
  const vf level = f_mul(f_sub(v, f_set(low)), f_set(scale));
  return i_from_f(f_min(level, f_set(max)));
}

/* Stores 2 * LANES samples as integers. Constant: `format`. */
PERLANE_INLINE void store_levels(int format, void *out, vf a, vf b, float low, float scale) {
  const float max = format == FORMAT_U16 ? 65535 : 255;
  const vi level_a = integer_levels(a, low, scale, max),
           level_b = integer_levels(b, low, scale, max);
  if (format == FORMAT_U16)
    u16_store(out, level_a, level_b);
  else
    u8_store(out, level_a, level_b);
}

/* Constant: `format`. */
PERLANE_INLINE void store_integers(int format, const struct perlane_output *output,
                                   const float *values, size_t n, void *array, ptrdiff_t stride) {
  const size_t size = format == FORMAT_U16 ? sizeof(uint16_t) : sizeof(uint8_t);
  const float low = output->low, scale = output->scale;
  unsigned char *const out = array;
  for (size_t i = 0; i < n; i += 2 * LANES) {
    const vf a = f_load(values + i), b = f_load(values + i + LANES);
    const size_t left = n - i;
    if (stride == 1 && left >= 2 * LANES) {
      store_levels(format, out + i * size, a, b, low, scale);
      continue;
    }
    unsigned char lane[2 * LANES * sizeof(uint16_t)];
    store_levels(format, lane, a, b, low, scale);
    for (size_t l = 0; l < 2 * LANES && l < left; l++)
      memcpy(out + (ptrdiff_t)(i + l) * stride * (ptrdiff_t)size, lane + l * size, size);
  }
}

/* Stores n samples along x as integers or floats. Reads 2 * LANES samples at a time. */
static void store_values(const struct perlane_output *output, const float *values, size_t n,
                         void *array, ptrdiff_t stride) {
  if (output->format == FORMAT_U16)
    store_integers(FORMAT_U16, output, values, n, array, stride);
  else if (output->format == FORMAT_U8)
    store_integers(FORMAT_U8, output, values, n, array, stride);
  else
    store_floats(values, n, array, stride);
}

#endif
