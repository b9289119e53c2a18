/* SPDX-License-Identifier: MIT
 *
 * Cutting a grid's sample rows into strips, the columns that are computed together. Where stores
 * bypass the caches, no cache line of the output is shared by two strips.
 */
#ifndef PERLANE_NOISE_OUTPUT_STRIPS_H
#define PERLANE_NOISE_OUTPUT_STRIPS_H

#include "store.h"

enum { STRIP_GRANULE = 16 }; /* columns of a strip are a multiple of it */
_Static_assert(STRIP_GRANULE % LANES == 0, "strips are whole vectors");

struct strips {
  size_t count;   /* columns of the grid */
  size_t in_line; /* samples of a cache line, or 0 where rows are not streamed */
  size_t width;   /* of a strip at most */
  size_t advance; /* columns from one strip to the next */
  size_t lead;    /* columns before the grid in the first strip */
  size_t overlap; /* columns that a strip shares with the next */
  /* The current strip: */
  ptrdiff_t x; /* its first column, below 0 where a cache line begins before the grid */
  size_t columns;
  int last; /* no strip follows */
};

/* Decides where strips begin. For rows that are streamed: where all begin at the same place in a
 * cache line, a strip begins there; otherwise strips overlap by a line, and each row takes its own
 * part. */
static struct strips strips_of(const struct perlane_region *grid,
                               const struct perlane_output *output, int stream) {
  struct strips strips = {.count = grid->count[0]};
  if (!stream)
    return strips;
  const unsigned shift = sample_shift(output);
  const size_t in_line = strips.in_line = (size_t)CACHE_LINE_BYTES >> shift;
  const uintptr_t first = (uintptr_t)(output->value ? output->value : output->gradient[0]) >> shift;
  int alike = 1;
  for (int a = 1; a < grid->dims; a++)
    alike &= grid->count[a] == 1 || grid->stride[a] % (ptrdiff_t)in_line == 0;
  for (int a = 0; output->gradient[0] && a < grid->dims; a++)
    alike &= (((uintptr_t)output->gradient[a] >> shift) - first) % in_line == 0;
  if (alike)
    strips.lead = first % in_line;
  else
    strips.overlap = in_line;
  return strips;
}

/* Makes all strips about equal, of at most `max` columns. Where rows are streamed, whole cache
 * lines are from one strip to the next. */
static void balance_strips(struct strips *strips, size_t max) {
  const size_t granule = strips->in_line > STRIP_GRANULE ? strips->in_line : STRIP_GRANULE;
  const size_t count = strips->lead + strips->count, overlap = strips->overlap;
  if (count <= max) {
    strips->overlap = 0;
    strips->width = strips->advance = (count + STRIP_GRANULE - 1) / STRIP_GRANULE * STRIP_GRANULE;
    return;
  }
  const size_t number = (count - overlap + max - overlap - 1) / (max - overlap);
  const size_t even = (count - overlap + number - 1) / number;
  strips->advance = (even + granule - 1) / granule * granule;
  if (strips->advance + overlap > max)
    strips->advance = (max - overlap) / granule * granule;
  strips->width = strips->advance + overlap;
}

PERLANE_INLINE void begin_strip(struct strips *strips, ptrdiff_t x) {
  const size_t left = (size_t)((ptrdiff_t)strips->count - x);
  strips->x = x;
  strips->last = left <= strips->width;
  strips->columns = strips->last ? left : strips->width;
}

static void first_strip(struct strips *strips) {
  begin_strip(strips, -(ptrdiff_t)strips->lead);
}

/* Returns 0 after the last strip. */
static int next_strip(struct strips *strips) {
  if (strips->last)
    return 0;
  begin_strip(strips, strips->x + (ptrdiff_t)strips->advance);
  return 1;
}

/* The strip's columns that are stored in one row of an output. */
struct span {
  size_t begin, end;
};

/* The part of a row whose column 0 is at `offset` of `array`, which has elements of 1 << shift
 * bytes. A streamed row begins and ends at cache lines, but at the ends of the grid. */
PERLANE_INLINE struct span span_of(const struct strips *strips, const void *array, unsigned shift,
                                   ptrdiff_t offset) {
  struct span span = {strips->x < 0 ? (size_t)-strips->x : 0, strips->columns};
  if (strips->overlap == 0)
    return span;
  const size_t to_line =
      (0 - (((uintptr_t)array >> shift) + (uintptr_t)offset)) & (strips->in_line - 1);
  if (strips->x > 0)
    span.begin = to_line < span.end ? to_line : span.end;
  if (!strips->last)
    span.end = strips->advance + to_line < span.end ? strips->advance + to_line : span.end;
  return span;
}

#endif
