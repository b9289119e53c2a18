/* SPDX-License-Identifier: MIT
 *
 * Storing samples in the form that the caller asked for (docs/specification.md, 2.14).
 */
#ifndef PERLANE_NOISE_STORE_H
#define PERLANE_NOISE_STORE_H

#include "extremes.h"
#include "samples.h"

enum { CACHE_LINE_BYTES = 64 };

/* The cache lines of n floats: whole ones are from head to before tail. */
struct cache_lines {
  size_t head, tail;
};

PERLANE_INLINE struct cache_lines cache_lines_of(const float *to, size_t n) {
  const size_t in_line = CACHE_LINE_BYTES / sizeof(float);
  const size_t before = (0 - (uintptr_t)to / sizeof(float)) % in_line;
  const size_t head = before < n ? before : n;
  return (struct cache_lines){head, n - (n - head) % in_line};
}

/* With `stream`, whole cache lines bypass the caches. */
static void store_floats(const float *from, size_t n, float *to, ptrdiff_t stride, int stream) {
  if (stride != 1) {
    for (size_t i = 0; i < n; i++)
      to[(ptrdiff_t)i * stride] = from[i];
    return;
  }
  if (!stream) {
    memcpy(to, from, n * sizeof *to);
    return;
  }
  const struct cache_lines lines = cache_lines_of(to, n);
  memcpy(to, from, lines.head * sizeof *to);
  for (size_t i = lines.head; i < lines.tail; i += LANES)
    f_stream(to + i, f_load(from + i));
  memcpy(to + lines.tail, from + lines.tail, (n - lines.tail) * sizeof *to);
}

/* The store saturates, but a large float must not leave the range of a word before. */
PERLANE_INLINE vi integer_levels(vf v, float low, float scale, float max) {
  const vf level = f_mul(f_sub(v, f_set(low)), f_set(scale));
  return i_from_f(f_min(level, f_set(max)));
}

static void store_u16(const float *from, size_t n, float low, float scale, uint16_t *to,
                      ptrdiff_t stride) {
  for (size_t i = 0; i < n; i += LANES) {
    const vi level = integer_levels(f_load(from + i), low, scale, 65535);
    const size_t left = n - i;
    if (stride == 1 && left >= LANES) {
      u16_store(to + i, level);
      continue;
    }
    uint16_t lane[LANES];
    u16_store(lane, level);
    for (size_t l = 0; l < LANES && l < left; l++)
      to[(ptrdiff_t)(i + l) * stride] = lane[l];
  }
}

static void store_u8(const float *from, size_t n, float low, float scale, uint8_t *to,
                     ptrdiff_t stride) {
  for (size_t i = 0; i < n; i += LANES) {
    const vi level = integer_levels(f_load(from + i), low, scale, 255);
    const size_t left = n - i;
    if (stride == 1 && left >= LANES) {
      u8_store(to + i, level);
      continue;
    }
    uint8_t lane[LANES];
    u8_store(lane, level);
    for (size_t l = 0; l < LANES && l < left; l++)
      to[(ptrdiff_t)(i + l) * stride] = lane[l];
  }
}

/* Stores n samples along x, the first of them at `offset` of the output's arrays. */
static PERLANE_NOINLINE void store_samples(const struct perlane_output *output,
                                           const struct samples *samples, size_t n, int arrays,
                                           ptrdiff_t offset, ptrdiff_t stride, int stream,
                                           struct extremes *extremes) {
  const float *value = samples->array[0];
  if (output->extremes)
    include_samples(extremes, value, n);
  if (output->format == PERLANE_U16)
    store_u16(value, n, output->low, output->scale, (uint16_t *)output->value + offset, stride);
  else if (output->format == PERLANE_U8)
    store_u8(value, n, output->low, output->scale, (uint8_t *)output->value + offset, stride);
  else if (output->value)
    store_floats(value, n, (float *)output->value + offset, stride, stream);
  for (int j = 1; j < arrays; j++)
    store_floats(samples->array[j], n, output->gradient[j - 1] + offset, stride, stream);
}

#endif
