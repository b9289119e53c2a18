/* SPDX-License-Identifier: MIT
 *
 * One plan of memory. What a fill needs is handed out by one function, which runs twice: first it
 * only measures, then it lays out the memory that has been found to suffice.
 */
#ifndef PERLANE_NOISE_DRIVER_MEMORY_H
#define PERLANE_NOISE_DRIVER_MEMORY_H

#include "../words.h"

/* Vectors may read so far past the end of a fill's memory. */
enum { READ_PAST_BYTES = 2 * 4 * LANES };

/* Memory that is handed out from `next` on, in whole cache lines; only measured if that is NULL. */
struct arena {
  unsigned char *next;
  size_t pitch;          /* columns of a strip, a multiple of those in a cache line */
  size_t bytes, columns; /* what has been handed out: bytes, and floats for each column */
};

PERLANE_INLINE size_t smaller_of(size_t a, size_t b) {
  return a < b ? a : b;
}

PERLANE_INLINE size_t whole_lines(size_t bytes) {
  return (bytes + CACHE_LINE_BYTES - 1) / CACHE_LINE_BYTES * CACHE_LINE_BYTES;
}

PERLANE_INLINE void *take(struct arena *arena, size_t n, size_t size) {
  unsigned char *memory = arena->next;
  const size_t bytes = whole_lines(n * size);
  arena->bytes += bytes;
  arena->next = memory ? memory + bytes : NULL;
  return memory;
}

PERLANE_INLINE float *take_floats(struct arena *arena, size_t n) {
  return take(arena, n, sizeof(float));
}

/* Hands out n floats for each column. */
PERLANE_INLINE float *take_columns(struct arena *arena, size_t n) {
  unsigned char *memory = arena->next;
  arena->columns += n;
  arena->next = memory ? memory + n * arena->pitch * sizeof(float) : NULL;
  return (float *)(void *)memory;
}

#endif
