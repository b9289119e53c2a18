/* SPDX-License-Identifier: MIT
 *
 * Pairs of a point and an octave, in any order: a vector holds octaves of one point as readily as
 * points of one octave, since each lane has constants of its own. That keeps vectors full where
 * points are few.
 */
#ifndef PERLANE_NOISE_POINTS_PAIRS_H
#define PERLANE_NOISE_POINTS_PAIRS_H

#include "../lattice/any_corners.h"
#include "../samples.h"

enum {
  MAX_PAIRS = 128,
  TERMS = MAX_PAIRS + LANES /* of the arrays of their samples: a vector may begin at any of them */
};
_Static_assert(MAX_PAIRS >= PERLANE_MAX_OCTAVES && MAX_PAIRS % LANES == 0, "pairs of one point");

/* An axis of pairs, as axis_words stores it. */
struct pair_axis {
  _Alignas(64) float fraction[MAX_PAIRS];
  _Alignas(64) uint32_t word[MAX_PAIRS], next[MAX_PAIRS];
};

/* Pairs, in whole vectors: what their corners are made of. */
struct pairs {
  const float *amplitude, *steepness, *cells; /* as in struct axis; the latter with derivatives */
  struct pair_axis axis[PERLANE_MAX_DIMS];
};

/* Makes the words and fractions along a plain axis of pairs near the origin. */
PERLANE_INLINE void plain_pairs(struct pairs *pairs, int a, size_t i, vd cells, vd start, vi key) {
  const uint32_t multiplier = AXIS_MULTIPLIERS[a];
  const vi step = i_set(multiplier);
  const struct axis_cell at =
      plain_cell(d_add(cells, start), step, i_sub(key, i_set(CELL_ZERO * multiplier)), step);
  struct pair_axis *to = &pairs->axis[a];
  f_store(to->fraction + i, at.fraction);
  i_store(to->word + i, at.word);
  i_store(to->next + i, at.next);
}

/* Factors of derivatives: steepness and cells. */
struct slope_factors {
  vf steepness, cells;
};

PERLANE_INLINE struct slope_factors slope_factors(const struct field *field, vd amplitude,
                                                  vd frequency) {
  const vd cells = is_eroded(field) ? d_set(1) : frequency;
  return (struct slope_factors){f_from_d(d_mul(amplitude, cells)), f_from_d(cells)};
}

PERLANE_INLINE struct axis_lanes weighed_axis(int slopes, const struct pair_axis *axis, size_t i,
                                              struct fade fade, struct factors factors) {
  struct axis_lanes lanes;
  lanes.word = i_load_aligned(axis->word + i);
  lanes.next = i_load_aligned(axis->next + i);
  weigh(slopes, f_load_aligned(axis->fraction + i), fade, factors, &lanes);
  return lanes;
}

/* Evaluates n pairs. Constant: `kind`. */
PERLANE_INLINE void combine_pairs(struct corner_kind kind, const perlane_params *params,
                                  struct lattice *lattice, const struct pairs *pairs, size_t n,
                                  float *terms) {
  const struct fade fade = fade_constants((perlane_fade)params->fade);
  const struct samples to = samples_in(terms, TERMS);
  for (size_t i = 0; i < n; i += LANES) {
    struct factors factors = {.amplitude = f_load(pairs->amplitude + i)};
    if (kind.slopes) {
      factors.steepness = f_load(pairs->steepness + i);
      factors.cells = f_load(pairs->cells + i);
    }
    lattice->amplitude = factors.amplitude;
    struct axis_lanes axis[PERLANE_MAX_DIMS];
    PERLANE_UNROLL for (int a = 0; a < kind.dims; a++) axis[a] =
        weighed_axis(kind.slopes, &pairs->axis[a], i, fade, factors);
    if (kind.dims == 1) {
      const struct edge_row edge =
          edge_row_at(kind, lattice, axis, axis->word, axis->word, NULL, NULL, 0);
      f_store(to.array[0] + i, edge.value.value);
      if (kind.slopes)
        f_store(to.array[1] + i, edge.x.value);
      continue;
    }
    const struct axis_lanes *z = &axis[kind.dims > 2 ? 2 : 1], *w = &axis[kind.dims - 1];
    const struct lattice_row lower = lattice_row_at(kind, lattice, axis, axis[1].word, z, w);
    const struct lattice_row upper = lattice_row_at(kind, lattice, axis, axis[1].next, z, w);
    fold_lattice_rows(kind, &lower, &upper, &axis[1], 0, &to, i);
  }
}

/* Constant: `kind`. */
PERLANE_INLINE void pairs_of_kind(struct corner_kind kind, const struct field *field,
                                  const struct pairs *pairs, size_t n, float *terms) {
  struct lattice lattice;
  if (kind.source == SOURCE_QUICK) /* nothing else is read */
    lattice.tables = gradient_tables((perlane_gradients)field->params->gradients, kind.dims);
  else
    make_lattice(&lattice, field, kind.dims);
  combine_pairs(kind, field->params, &lattice, pairs, n, terms);
}

#define PAIR_KERNEL(name, source, dims, slopes)                                                    \
  static PERLANE_NOINLINE void name(const struct field *field, const struct pairs *pairs,          \
                                    size_t n, float *terms) {                                      \
    pairs_of_kind((struct corner_kind){source, dims, slopes}, field, pairs, n, terms);             \
  }
PAIR_KERNEL(quick_pairs_1d, SOURCE_QUICK, 1, 0)
PAIR_KERNEL(quick_pairs_2d, SOURCE_QUICK, 2, 0)
PAIR_KERNEL(quick_pairs_3d, SOURCE_QUICK, 3, 0)
PAIR_KERNEL(quick_pairs_4d, SOURCE_QUICK, 4, 0)
PAIR_KERNEL(quick_pair_slopes_1d, SOURCE_QUICK, 1, 1)
PAIR_KERNEL(quick_pair_slopes_2d, SOURCE_QUICK, 2, 1)
PAIR_KERNEL(quick_pair_slopes_3d, SOURCE_QUICK, 3, 1)
PAIR_KERNEL(quick_pair_slopes_4d, SOURCE_QUICK, 4, 1)
PAIR_KERNEL(value_pairs_2d, SOURCE_VALUES, 2, 0)
PAIR_KERNEL(value_pairs_3d, SOURCE_VALUES, 3, 0)
PAIR_KERNEL(look_up_pairs_2d, SOURCE_LOOKUP, 2, 0)
PAIR_KERNEL(look_up_pairs_3d, SOURCE_LOOKUP, 3, 0)
#undef PAIR_KERNEL

/* Evaluates pairs of fields with any corners, a vector at a time. */
static PERLANE_NOINLINE void any_pairs(const struct field *field, int dims, int slopes,
                                       const struct pairs *pairs, size_t n, float *terms) {
  _Alignas(64) float memory[PERLANE_MAX_DIMS][(AXIS_FLOATS + AXIS_SLOPE_FLOATS) * LANES];
  _Alignas(64) float any_memory[ANY_FLOATS];
  const struct fade fade = fade_constants((perlane_fade)field->params->fade);
  struct axis_arrays arrays[PERLANE_MAX_DIMS];
  struct lattice lattice;
  make_lattice(&lattice, field, dims);
  for (size_t i = 0; i < n; i += LANES) {
    struct factors factors = {.amplitude = f_load(pairs->amplitude + i)};
    if (slopes) {
      factors.steepness = f_load(pairs->steepness + i);
      factors.cells = f_load(pairs->cells + i);
    }
    for (int a = 0; a < dims; a++) {
      arrays[a] = axis_arrays_in(memory[a], LANES, slopes);
      const struct axis_lanes lanes = weighed_axis(slopes, &pairs->axis[a], i, fade, factors);
      axis_store_weights(slopes, &arrays[a], 0, &lanes);
      i_store(arrays[a].word, lanes.word);
      i_store(arrays[a].next, lanes.next);
    }
    lattice.amplitude = factors.amplitude;
    const struct samples to = samples_in(terms + i, TERMS);
    any_corners(dims, &lattice, arrays, LANES, 0, &to, any_memory);
  }
}

/* Evaluates n pairs. Constant, where that pays: `source` and `dims`. */
PERLANE_INLINE void evaluate_pairs(enum source source, int dims, int slopes,
                                   const struct field *field, const struct pairs *pairs, size_t n,
                                   float *terms) {
  if (source == SOURCE_QUICK && slopes)
    (dims == 1   ? quick_pair_slopes_1d
     : dims == 2 ? quick_pair_slopes_2d
     : dims == 3 ? quick_pair_slopes_3d
                 : quick_pair_slopes_4d)(field, pairs, n, terms);
  else if (source == SOURCE_QUICK)
    (dims == 1   ? quick_pairs_1d
     : dims == 2 ? quick_pairs_2d
     : dims == 3 ? quick_pairs_3d
                 : quick_pairs_4d)(field, pairs, n, terms);
  else if (slopes || dims == 1 || dims == 4)
    any_pairs(field, dims, slopes, pairs, n, terms);
  else if (source == SOURCE_VALUES)
    (dims == 2 ? value_pairs_2d : value_pairs_3d)(field, pairs, n, terms);
  else
    (dims == 2 ? look_up_pairs_2d : look_up_pairs_3d)(field, pairs, n, terms);
}

#endif
