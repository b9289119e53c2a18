/* SPDX-License-Identifier: MIT
 *
 * A brick of a grid's samples, which cellular noise is computed in, octave by octave: up to 3072
 * samples that are neighbours along every axis, so that they share the points of few cells.
 *
 * The distance of a point separates into a part of the column, a part of the row and one of the
 * plane: d = |px - x|^2 + |py - y|^2, or the sum or maximum of magnitudes. So a brick needs each
 * axis once: n positions along x, m along y, instead of n * m pairs; and a sample costs one
 * addition and one minimum for each point that could be its nearest. How few those are depends on
 * the distance between samples. Up to about a twentieth of a cell, boxes of samples share a list of
 * candidates, about two of them at 0.01 cells per sample (cells/boxes.h). From there on listing
 * would take longer than filling, and each sample visits the 3^D cells around it, whose points are
 * laid out by columns (cells/columns.h).
 */
#ifndef PERLANE_NOISE_CELLS_BRICK_H
#define PERLANE_NOISE_CELLS_BRICK_H

#include "../output/store.h"
#include "search.h"

enum {
  BRICK_GRANULE = 16,   /* columns are a multiple of it, in the arrays */
  BRICK_WORDS = 224,    /* of the cells along x */
  BRICK_ROW_WORDS = 64, /* along y, and along z */
  BRICK_SCRATCH = 6160 * sizeof(float),
};
_Static_assert(BRICK_GRANULE % LANES == 0, "columns are whole vectors");

/* The samples of a brick along one axis, in the current octave. Those outside the grid are copies
 * of the nearest one inside, but for their positions. */
struct brick_axis {
  size_t begin, end, count; /* samples inside the grid; samples in the arrays, whole vectors */
  int32_t first;            /* the lowest cell */
  float *fraction, *cell;   /* cell: less `first` */
  double *position;         /* that d_store has stored */
  uint32_t *word;           /* of the cells from first - brick.rings on */
};

struct brick {
  struct cells cells;
  struct axis axis[PERLANE_MAX_DIMS];
  struct brick_axis of[3];
  int rings;     /* of cells around the samples that have words */
  void *scratch; /* BRICK_SCRATCH bytes, aligned to 64 */
  const struct perlane_region *grid;
  size_t start[3]; /* the first sample's index; modulo 2^64 where it is before the grid */
};

/* The destination of an octave's samples: memory whose rows and planes are so far apart. */
struct brick_target {
  float *to;
  ptrdiff_t row, plane;
  int sum;    /* they are added to what is there */
  int stream; /* they bypass the caches; `to` and its rows are aligned to cache lines */
};

PERLANE_INLINE size_t whole_granules(size_t n, size_t granule) {
  return (n + granule - 1) / granule * granule;
}

/* Moves the brick to up to `end` samples of an axis, from index `start` on. */
static void place_brick(struct brick *brick, const struct grid_axis *axis, size_t start,
                        size_t begin, size_t end) {
  struct brick_axis *of = &brick->of[axis->number];
  const size_t left = axis->grid->count[axis->number] - start;
  brick->start[axis->number] = start;
  of->begin = begin;
  of->end = begin == 0 && left < end ? left : end;
  of->count = whole_granules(of->end, BRICK_GRANULE);
  grid_positions(of->position, axis, start, of->count);
}

/* Fractions and cells of an axis, whose positions are near. */
static PERLANE_NOINLINE void begin_brick_axis(struct brick_axis *of, const struct axis *axis) {
  const vd frequency = axis->frequency, start = axis->start;
  uint32_t cell[BRICK_COLUMNS] = {0};
  const struct brick_axis at = *of;
  for (size_t i = 0; i < at.count; i += LANES) {
    vf fraction;
    const vd cells = d_mul(d_reload(at.position + i), frequency);
    i_store(cell + i, near_cell(d_add(cells, start), &fraction));
    f_store(at.fraction + i, fraction);
  }
  const int32_t first = (int32_t)cell[at.begin], last = (int32_t)cell[at.end - 1];
  of->first = first < last ? first : last;
  for (size_t i = 0; i < at.count; i += LANES)
    f_store(at.cell + i, f_from_i(i_sub(i_load(cell + i), i_set((uint32_t)of->first))));
  for (size_t i = 0; i < at.begin; i++) {
    at.cell[i] = at.cell[at.begin];
    at.fraction[i] = at.fraction[at.begin];
  }
  for (size_t i = at.end; i < at.count; i++) {
    at.cell[i] = at.cell[at.end - 1];
    at.fraction[i] = at.fraction[at.end - 1];
  }
}

/* The words of all cells from `rings` before the first to `rings` after the last; whole vectors. */
static void brick_words(const struct brick_axis *of, const struct axis *axis, int32_t period,
                        int rings) {
  const float a = of->cell[of->begin], b = of->cell[of->end - 1];
  const size_t n = whole_granules((size_t)(a > b ? a : b) + 1 + 2 * (size_t)rings, LANES);
  words_of_cells(of->first - rings, n, axis, period, of->word);
}

/* The position of one sample along an axis, in every lane, as d_store stores it. */
PERLANE_INLINE void store_position(double *to, const struct brick *brick, int a, size_t i) {
  const struct perlane_region *grid = brick->grid;
  const int64_t n = (int64_t)((uint64_t)grid->first[a] + brick->start[a] + i);
  d_store(to, d_set(grid->origin[a] + (double)n * grid->step[a]));
}

/* Stores LANES samples of noise. */
PERLANE_INLINE void store_cells(float *to, const struct brick_target *target, vf v) {
  if (target->sum)
    v = f_add(f_load(to), v);
  store_vector(target->stream, to, v);
}

#endif
