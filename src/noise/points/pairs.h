/* SPDX-License-Identifier: MIT
 *
 * Pairs of a point and an octave: the kernel that combines the corners of points.
 *
 * Noise at a point combines the 2^D corners of its cell, but each axis contributes the same to all
 * of them: the cell gives two hash words, for the lower and the upper corners, and the fraction t
 * two weights, t * (1 - fade) and (t - 1) * fade. So an axis is evaluated once for a point, and a
 * corner costs one joined word, a lookup of its gradient and its share of the folds
 * (lattice/combine.h).
 *
 * Each lane has a pair of its own, so a vector holds points of one octave, octaves of one point, or
 * short lists of points octave after octave. A CPU overlaps vectors as long as its schedulers have
 * room for the operations that wait, and an operation waits for the chain before it: position,
 * cell, words, gradients and folds in one loop would be a chain of a hundred cycles. Hence two
 * loops, with arrays in the first-level cache between them. One makes the words and fractions of
 * all axes; the other weighs and combines them. In 3D that has many parts that could overlap:
 * PERLANE_REORDER makes gcc order them.
 */
#ifndef PERLANE_NOISE_POINTS_PAIRS_H
#define PERLANE_NOISE_POINTS_PAIRS_H

#include "../lattice/combine.h"

enum {
  MAX_PAIRS = POINT_BLOCK,
  TERMS = MAX_PAIRS + LANES /* of the arrays of their samples: a vector may begin at any of them */
};
_Static_assert(MAX_PAIRS >= PERLANE_MAX_OCTAVES && MAX_PAIRS % LANES == 0, "pairs of one point");

/* The function for a number of dimensions, of four whose names end with it. */
#define IN_DIMS(dims, name)                                                                        \
  ((dims) == 1 ? name##_1d : (dims) == 2 ? name##_2d : (dims) == 3 ? name##_3d : name##_4d)

/* An axis of pairs. The first entries of no two arrays are a multiple of 4 KiB apart: a load would
 * wait for a store to another array that has the same last 12 bits. */
struct pair_axis {
  _Alignas(64) float fraction[MAX_PAIRS + 16];
  _Alignas(64) uint32_t word[MAX_PAIRS + 16], next[MAX_PAIRS + 16];
};

/* Factors of pairs, as in struct factors; steepness and cells with derivatives only. With a step of
 * 0 the pairs share the factors of one vector. */
struct pair_factors {
  const float *amplitude, *steepness, *cells;
  size_t step;
};

/* Pairs, in whole vectors. */
struct pairs {
  struct pair_factors factors;
  struct pair_axis axis[PERLANE_MAX_DIMS];
};

/* ---- Words and fractions ---- */

PERLANE_INLINE void store_cell(struct pair_axis *pairs, size_t i, const struct axis_cell *cell) {
  f_store(pairs->fraction + i, cell->fraction);
  i_store(pairs->word + i, cell->word);
  i_store(pairs->next + i, cell->next);
}

/* Makes the words and fractions of pairs i and on along `count` plain axes, at positions near the
 * origin. Constant: `count`. */
PERLANE_INLINE void plain_pairs(int count, struct pair_axis *pairs, size_t i,
                                const struct near_axis *axis, const vd *position) {
  vd sum[PERLANE_MAX_DIMS];
  PERLANE_UNROLL for (int a = 0; a < count; a++) sum[a] = near_sum(position[a], &axis[a]);
  PERLANE_UNROLL for (int a = 0; a < count; a++) {
    const struct axis_cell cell = near_corners(sum[a], &axis[a]);
    store_cell(&pairs[a], i, &cell);
  }
}

/* ---- Corners ---- */

PERLANE_INLINE struct factors factors_at(int slopes, const struct pair_factors *arrays, size_t i) {
  struct factors factors = {.amplitude = f_load(arrays->amplitude + i * arrays->step)};
  if (slopes) {
    factors.steepness = f_load(arrays->steepness + i * arrays->step);
    factors.cells = f_load(arrays->cells + i * arrays->step);
  }
  return factors;
}

PERLANE_INLINE struct axis_lanes weighed_axis(int slopes, const struct pair_axis *axis, size_t i,
                                              struct fade fade, struct factors factors) {
  struct axis_lanes lanes;
  lanes.word = i_load_aligned(axis->word + i);
  lanes.next = i_load_aligned(axis->next + i);
  weigh(slopes, f_load_aligned(axis->fraction + i), fade, factors, &lanes);
  return lanes;
}

/* Evaluates n pairs; with `sum`, adds to the results. Constant: `kind`. */
PERLANE_INLINE void combine_kind(struct corner_kind kind, const struct field *field,
                                 const struct pairs *pairs, size_t n, int sum,
                                 const struct samples *results) {
  const struct fade fade = fade_constants((perlane_fade)field->params->fade);
  /* Members one by one: a copy of what was just stored in smaller parts would wait for it. */
  struct pair_factors factor_arrays = {.amplitude = pairs->factors.amplitude,
                                       .step = pairs->factors.step};
  struct samples out;
  out.array[0] = results->array[0];
  if (kind.slopes) {
    factor_arrays.steepness = pairs->factors.steepness;
    factor_arrays.cells = pairs->factors.cells;
    PERLANE_UNROLL for (int j = 1; j <= kind.dims; j++) out.array[j] = results->array[j];
  }
  struct lattice lattice;
  struct cell_corners corners;
  if (kind.source == SOURCE_QUICK) /* nothing else is read */
    lattice.tables = gradient_tables((perlane_gradients)field->params->gradients, kind.dims);
  else
    make_lattice(&lattice, field, kind.dims);
  for (size_t i = 0; i < n; i += LANES) {
    const struct factors factors = factors_at(kind.slopes, &factor_arrays, i);
    lattice.amplitude = factors.amplitude;
    struct axis_lanes axis[PERLANE_MAX_DIMS];
    PERLANE_UNROLL for (int a = 0; a < kind.dims; a++) axis[a] =
        weighed_axis(kind.slopes, &pairs->axis[a], i, fade, factors);
    combine_cells(kind, &lattice, axis, &corners, sum, &out, i);
  }
}

#define PAIR_KERNEL(name, source, dims, slopes)                                                    \
  static PERLANE_NOINLINE PERLANE_REORDER void name(const struct field *field,                     \
                                                    const struct pairs *pairs, size_t n, int sum,  \
                                                    const struct samples *results) {               \
    combine_kind((struct corner_kind){source, dims, slopes}, field, pairs, n, sum, results);       \
  }
PAIR_KERNEL(quick_pairs_1d, SOURCE_QUICK, 1, 0)
PAIR_KERNEL(quick_pairs_2d, SOURCE_QUICK, 2, 0)
PAIR_KERNEL(quick_pairs_3d, SOURCE_QUICK, 3, 0)
PAIR_KERNEL(quick_pairs_4d, SOURCE_QUICK, 4, 0)
PAIR_KERNEL(quick_pair_slopes_1d, SOURCE_QUICK, 1, 1)
PAIR_KERNEL(quick_pair_slopes_2d, SOURCE_QUICK, 2, 1)
PAIR_KERNEL(quick_pair_slopes_3d, SOURCE_QUICK, 3, 1)
PAIR_KERNEL(quick_pair_slopes_4d, SOURCE_QUICK, 4, 1)
PAIR_KERNEL(look_up_pairs_1d, SOURCE_LOOKUP, 1, 0)
PAIR_KERNEL(look_up_pairs_2d, SOURCE_LOOKUP, 2, 0)
PAIR_KERNEL(look_up_pairs_3d, SOURCE_LOOKUP, 3, 0)
PAIR_KERNEL(look_up_pairs_4d, SOURCE_LOOKUP, 4, 0)
PAIR_KERNEL(look_up_pair_slopes_1d, SOURCE_LOOKUP, 1, 1)
PAIR_KERNEL(look_up_pair_slopes_2d, SOURCE_LOOKUP, 2, 1)
PAIR_KERNEL(look_up_pair_slopes_3d, SOURCE_LOOKUP, 3, 1)
PAIR_KERNEL(look_up_pair_slopes_4d, SOURCE_LOOKUP, 4, 1)
PAIR_KERNEL(value_pairs_1d, SOURCE_VALUES, 1, 0)
PAIR_KERNEL(value_pairs_2d, SOURCE_VALUES, 2, 0)
PAIR_KERNEL(value_pairs_3d, SOURCE_VALUES, 3, 0)
PAIR_KERNEL(value_pairs_4d, SOURCE_VALUES, 4, 0)
PAIR_KERNEL(value_pair_slopes_1d, SOURCE_VALUES, 1, 1)
PAIR_KERNEL(value_pair_slopes_2d, SOURCE_VALUES, 2, 1)
PAIR_KERNEL(value_pair_slopes_3d, SOURCE_VALUES, 3, 1)
PAIR_KERNEL(value_pair_slopes_4d, SOURCE_VALUES, 4, 1)
#undef PAIR_KERNEL

/* Evaluates n pairs; with `sum`, adds to the results. Constant, where that pays: `source` and
 * `dims`. */
PERLANE_INLINE void combine_pairs(enum source source, int dims, int slopes,
                                  const struct field *field, const struct pairs *pairs, size_t n,
                                  int sum, const struct samples *results) {
#define COMBINE(name)                                                                              \
  if (slopes)                                                                                      \
    IN_DIMS(dims, name##_pair_slopes)(field, pairs, n, sum, results);                              \
  else                                                                                             \
    IN_DIMS(dims, name##_pairs)(field, pairs, n, sum, results)
  if (source == SOURCE_QUICK) {
    COMBINE(quick);
  } else if (source == SOURCE_LOOKUP) {
    COMBINE(look_up);
  } else {
    COMBINE(value);
  }
#undef COMBINE
}

#endif
