/* SPDX-License-Identifier: MIT
 *
 * Storing samples in the form that the caller asked for (docs/specification.md, 2.14).
 */
#ifndef PERLANE_NOISE_STORE_H
#define PERLANE_NOISE_STORE_H

#include "extremes.h"
#include "samples.h"

enum { CACHE_LINE_BYTES = 64 };

/* The whole cache lines of n elements of `size` bytes, from head to before tail. */
struct cache_lines {
  size_t head, tail;
};

PERLANE_INLINE struct cache_lines cache_lines_of(const void *to, size_t n, size_t size) {
  const size_t in_line = CACHE_LINE_BYTES / size;
  const size_t before = (0 - (uintptr_t)to / size) % in_line;
  const size_t head = before < n ? before : n;
  return (struct cache_lines){head, n - (n - head) % in_line};
}

/* A cache line of a streamed output that is being put together: the end of a sample row, and where
 * rows are packed, the beginning of the next. Lines that are written in parts, through the caches,
 * cost many times a streamed line. */
struct open_line {
  _Alignas(CACHE_LINE_BYTES) unsigned char bytes[2 * CACHE_LINE_BYTES]; /* room for whole vectors */
  size_t begin, end;    /* bytes of the line that are there */
  unsigned char *start; /* where byte `begin` goes */
};

static void write_line(struct open_line *line) {
  if (line->end - line->begin == CACHE_LINE_BYTES) {
    const float *from = (const float *)(const void *)line->bytes;
    float *to = (float *)(void *)line->start;
    for (size_t i = 0; i < CACHE_LINE_BYTES / sizeof *to; i += LANES)
      f_stream(to + i, f_load(from + i));
  } else if (line->end > line->begin) {
    memcpy(line->start, line->bytes + line->begin, line->end - line->begin);
  }
  line->begin = line->end = 0;
}

/* Opens the line of `to` for n bytes, all within the line. Returns where to put them. */
PERLANE_INLINE void *open_line(struct open_line *line, void *to, size_t n) {
  const size_t offset = (uintptr_t)to % CACHE_LINE_BYTES;
  const int continues = line->end > line->begin && line->end == offset &&
                        line->start + (line->end - line->begin) == (unsigned char *)to;
  if (!continues) {
    write_line(line);
    line->begin = offset;
    line->start = to;
  }
  line->end = offset + n;
  return line->bytes + offset;
}

PERLANE_INLINE void close_line(struct open_line *line) {
  if (line->end == CACHE_LINE_BYTES)
    write_line(line);
}

/* Streams n bytes. */
static void stream_bytes(const unsigned char *from, size_t n, unsigned char *to,
                         struct open_line *line) {
  const struct cache_lines lines = cache_lines_of(to, n, 1);
  if (lines.head > 0) {
    memcpy(open_line(line, to, lines.head), from, lines.head);
    close_line(line);
  }
  for (size_t i = lines.head; i < lines.tail; i += LANES * sizeof(float)) {
    vf v;
    memcpy(&v, from + i, sizeof v);
    f_stream((float *)(void *)(to + i), v);
  }
  if (lines.tail < n)
    memcpy(open_line(line, to + lines.tail, n - lines.tail), from + lines.tail, n - lines.tail);
}

static void store_floats(const float *from, size_t n, float *to, ptrdiff_t stride) {
  if (stride == 1)
    memcpy(to, from, n * sizeof *to);
  else
    for (size_t i = 0; i < n; i++)
      to[(ptrdiff_t)i * stride] = from[i];
}

/* The store saturates, but a large float must not leave the range of a word before. */
PERLANE_INLINE vi integer_levels(vf v, float low, float scale, float max) {
  const vf level = f_mul(f_sub(v, f_set(low)), f_set(scale));
  return i_from_f(f_min(level, f_set(max)));
}

static void store_u16(const float *from, size_t n, float low, float scale, uint16_t *to,
                      ptrdiff_t stride) {
  for (size_t i = 0; i < n; i += 2 * LANES) {
    const vi a = integer_levels(f_load(from + i), low, scale, 65535);
    const vi b = integer_levels(f_load(from + i + LANES), low, scale, 65535);
    const size_t left = n - i;
    if (stride == 1 && left >= 2 * LANES) {
      u16_store(to + i, a, b);
      continue;
    }
    uint16_t lane[2 * LANES];
    u16_store(lane, a, b);
    for (size_t l = 0; l < 2 * LANES && l < left; l++)
      to[(ptrdiff_t)(i + l) * stride] = lane[l];
  }
}

static void store_u8(const float *from, size_t n, float low, float scale, uint8_t *to,
                     ptrdiff_t stride) {
  for (size_t i = 0; i < n; i += 2 * LANES) {
    const vi a = integer_levels(f_load(from + i), low, scale, 255);
    const vi b = integer_levels(f_load(from + i + LANES), low, scale, 255);
    const size_t left = n - i;
    if (stride == 1 && left >= 2 * LANES) {
      u8_store(to + i, a, b);
      continue;
    }
    uint8_t lane[2 * LANES];
    u8_store(lane, a, b);
    for (size_t l = 0; l < 2 * LANES && l < left; l++)
      to[(ptrdiff_t)(i + l) * stride] = lane[l];
  }
}

/* Stores n samples along x as integers or floats, the first of them at `offset` of the output's
 * values. */
static void store_values(const struct perlane_output *output, const float *value, size_t n,
                         ptrdiff_t offset, ptrdiff_t stride) {
  if (output->format == PERLANE_U16)
    store_u16(value, n, output->low, output->scale, (uint16_t *)output->value + offset, stride);
  else if (output->format == PERLANE_U8)
    store_u8(value, n, output->low, output->scale, (uint8_t *)output->value + offset, stride);
  else if (output->value)
    store_floats(value, n, (float *)output->value + offset, stride);
}

/* Array j of the output: the values, then the derivatives along each axis. */
PERLANE_INLINE void *output_array(const struct perlane_output *output, int j) {
  return j == 0 ? output->value : (void *)output->gradient[j - 1];
}

/* Stores n samples along x, values and derivatives, which begin at `start` in their arrays. */
static PERLANE_NOINLINE void store_samples(const struct perlane_output *output,
                                           const struct samples *samples, size_t start, size_t n,
                                           int arrays, ptrdiff_t offset, ptrdiff_t stride,
                                           struct extremes *extremes) {
  if (output->extremes)
    include_samples(extremes, samples->array[0] + start, n);
  store_values(output, samples->array[0] + start, n, offset, stride);
  for (int j = 1; j < arrays; j++)
    store_floats(samples->array[j] + start, n, output->gradient[j - 1] + offset, stride);
}

#endif
