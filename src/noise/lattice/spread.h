/* SPDX-License-Identifier: MIT
 *
 * Corners of a block of columns, for gradients and values that are slow to evaluate.
 *
 * A lookup costs a dozen times a load. Where cells are wide, tens or hundreds of columns share a
 * lattice point, and evaluating every column's two corners would look the same ones up again and
 * again. So the columns are divided into runs in the same cell, the lattice points between runs are
 * evaluated once each, whole vectors of points at a time, and copied to the columns of their runs
 * by plain stores of whole vectors: what a run writes past its end, the next run overwrites. A
 * point is the upper corner of one run and the lower one of the next, so n runs have n + 1 points.
 */
#ifndef PERLANE_NOISE_LATTICE_SPREAD_H
#define PERLANE_NOISE_LATTICE_SPREAD_H

#include "corner.h"

enum { SPREAD_FLOATS = 512 }; /* of all arrays together: two for each point, in 2D */

/* Runs of columns in the same cell: the start of each, then the end of the last. */
struct runs {
  uint16_t *start; /* count + 1 entries */
  size_t count;
};

/* Arrays over the columns, for each edge row (two in 4D, at lower and upper w), end of its edges
 * and component. */
struct spread {
  size_t columns; /* of each array; a vector's room follows */
  float *corner;
};

/* The lattice points along x of a block, and each run's two. */
struct lattice_points {
  size_t count;
  uint32_t *word;
  float *component; /* one array of points after the other */
  uint16_t *lower, *upper;
};

/* Scratch memory for both. */
enum {
  SPREAD_CORNERS = SPREAD_FLOATS + 16 * LANES,
  SPREAD_WORDS = MAX_SPREAD_POINTS + LANES,
  SPREAD_COMPONENTS = 2 * (MAX_SPREAD_POINTS + LANES),
  SPREAD_SCRATCH = SPREAD_CORNERS + SPREAD_WORDS + SPREAD_COMPONENTS + MAX_SPREAD_POINTS / 2,
};

PERLANE_INLINE void spread_in(float *memory, struct spread *spread, struct lattice_points *points) {
  spread->corner = memory;
  memory += SPREAD_CORNERS;
  points->word = (uint32_t *)(void *)memory;
  memory += SPREAD_WORDS;
  points->component = memory;
  memory += SPREAD_COMPONENTS;
  points->lower = (uint16_t *)(void *)memory;
  points->upper = points->lower + MAX_SPREAD_POINTS / 2;
}

/* Edge rows evaluated together. */
PERLANE_INLINE int spread_edge_rows(int dims) {
  return dims < 4 ? 1 : 2;
}

/* Columns of a block, a multiple of every LANES: 128 in 2D, fewer with more edge rows and
 * components. */
PERLANE_INLINE size_t spread_columns(enum source source, int dims) {
  const size_t arrays = 2 * (size_t)spread_edge_rows(dims) * (size_t)components_of(source, dims),
               granule = 16;
  const size_t columns = SPREAD_FLOATS / arrays / granule * granule;
  return columns < MAX_SPREAD_POINTS / 2 ? columns : MAX_SPREAD_POINTS / 2;
}

/* Offset of an array. */
PERLANE_INLINE size_t spread_array(const struct spread *spread, int components, int row, int end,
                                   int component) {
  const int array = (row * 2 + end) * components + component;
  return (size_t)array * (spread->columns + LANES);
}

static void find_runs(struct runs *runs, const struct axis_arrays *columns, size_t n) {
  runs->count = 0;
  for (size_t i = 0; i < n; i++)
    if (i == 0 || columns->word[i] != columns->word[i - 1] ||
        columns->next[i] != columns->next[i - 1])
      runs->start[runs->count++] = (uint16_t)i;
  runs->start[runs->count] = (uint16_t)n;
}

/* Returns the number of the point with a word: `shared`, or a new one. */
PERLANE_INLINE uint16_t lattice_point(struct lattice_points *points, uint32_t word,
                                      const uint16_t *shared) {
  if (shared && points->word[*shared] == word)
    return *shared;
  points->word[points->count] = word;
  return (uint16_t)points->count++;
}

/* Lists the points of runs r0 .. r1 - 1. Neighbouring cells share one. */
static void collect_points(struct lattice_points *points, const struct runs *runs, size_t r0,
                           size_t r1, const struct axis_arrays *columns) {
  uint16_t *lower = points->lower, *upper = points->upper;
  points->count = 0;
  for (size_t r = r0; r < r1; r++, lower++, upper++) {
    const size_t column = runs->start[r];
    *lower = lattice_point(points, columns->word[column], r > r0 ? upper - 1 : NULL);
    *upper = lattice_point(points, columns->next[column], r > r0 ? lower - 1 : NULL);
  }
  for (size_t i = 0; i < LANES; i++) /* lanes past the last point must look up a valid one */
    points->word[points->count + i] = points->word[0];
}

/* Evaluates all points at words y, z, w of the other axes. */
static void evaluate_lattice_points(enum source source, int dims, const struct lattice *lattice,
                                    struct lattice_points *points, vi y, vi z, vi w) {
  const size_t pitch = (points->count + LANES - 1) / LANES * LANES;
  for (size_t i = 0; i < points->count; i += LANES) {
    const vi x = i_load(points->word + i);
    float *to = points->component + i;
    if (source == SOURCE_VALUES)
      f_store(to, f_mul(number_at(dims, lattice, x, y, z, w), lattice->amplitude));
    else
      look_up(dims, lattice, x, y, z, w, to, pitch);
  }
}

/* Stores whole vectors: what a run writes past its end, the next run overwrites. */
static void spread_points(struct spread *spread, int components, int row,
                          const struct lattice_points *points, const struct runs *runs, size_t r0,
                          size_t r1, size_t first, size_t n) {
  const size_t pitch = (points->count + LANES - 1) / LANES * LANES;
  for (int c = 0; c < components; c++) {
    const float *component = points->component + (size_t)c * pitch;
    float *lower = spread->corner + spread_array(spread, components, row, 0, c);
    float *upper = spread->corner + spread_array(spread, components, row, 1, c);
    for (size_t r = r0; r < r1; r++) {
      const size_t start = runs->start[r] > first ? runs->start[r] - first : 0;
      const size_t stop = runs->start[r + 1] - first, end = stop < n ? stop : n;
      const vf v0 = f_set(component[points->lower[r - r0]]);
      const vf v1 = f_set(component[points->upper[r - r0]]);
      for (size_t i = start; i < end; i += LANES) {
        f_store(lower + i, v0);
        f_store(upper + i, v1);
      }
    }
  }
}

/* The ends of the edge at column i. */
PERLANE_INLINE struct ends spread_ends(enum source source, int dims, const struct spread *spread,
                                       int row, size_t i) {
  const int components = components_of(source, dims);
  return load_ends(source, dims, spread->corner + spread_array(spread, components, row, 0, 0) + i,
                   spread->corner + spread_array(spread, components, row, 1, 0) + i,
                   spread->columns + LANES);
}

#endif
