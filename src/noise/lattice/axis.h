/* SPDX-License-Identifier: MIT
 *
 * The part of one axis in all corners of a cell: words and fractions (split.h), and the weights
 * that fractions give (docs/specification.md, 2.3). The axis pass computes them at each of a run of
 * positions and keeps them in arrays: a grid does so once for its columns, rows and planes.
 *
 * A corner's weight is its distance times its fade times the amplitude: a0 = t * (1 - f) * A, a1 =
 * (t - 1) * f * A. The fade f = t^3 * (10 - 15 t + 6 t^2) is computed as 1/2 + c + c * s * (bend1 +
 * bend2 * s) with c = t - 1/2 and s = t * (1 - t).
 *
 * The pass is short loops over the run (positions, cells and hash words, weights) instead of a long
 * one. Each is a chain of dependent operations, and the shorter the chains, the more of them a CPU
 * overlaps.
 */
#ifndef PERLANE_NOISE_LATTICE_AXIS_H
#define PERLANE_NOISE_LATTICE_AXIS_H

#include "split.h"

/* The fade is 1/2 + c + c * s * (bend1 + bend2 * s) with c = t - 1/2, s = t * (1 - t); its
 * derivative slope0 + slope1 * s + slope2 * s^2. */
struct fade {
  float bend1, bend2, slope0, slope1, slope2;
};

PERLANE_INLINE struct fade fade_constants(perlane_fade fade) {
  static const struct fade constants[PERLANE_FADE_COUNT] = {
      {2, 6, 0, 0, 30}, {2, 0, 0, 6, 0}, {0, 0, 1, 0, 0}};
  return constants[fade];
}

/* ---- Arrays ---- */

/* The axis pass of a run of positions, with room for whole vectors. slope, b0 and b1 are NULL
 * without derivatives. */
struct axis_arrays {
  float *centred;         /* fade - 1/2 */
  float *a0, *a1;         /* weights of the lower and the upper corner's gradients */
  uint32_t *word, *next;  /* hash words of the lower and the upper corner */
  float *slope, *b0, *b1; /* derivatives of fade, a0 and a1 by position */
};

/* LANES positions of it. */
struct axis_lanes {
  vf centred, a0, a1;
  vi word, next;
  vf slope, b0, b1;
};

/* Floats per position. */
enum { AXIS_FLOATS = 5, AXIS_SLOPE_FLOATS = 3 };

/* Lays out the arrays of n positions, a multiple of LANES, in memory aligned to 64 bytes. */
PERLANE_INLINE struct axis_arrays axis_arrays_in(float *memory, size_t n, int slopes) {
  struct axis_arrays arrays = {
      .centred = memory,
      .a0 = memory + n,
      .a1 = memory + 2 * n,
      .word = (uint32_t *)(void *)(memory + 3 * n),
      .next = (uint32_t *)(void *)(memory + 4 * n),
  };
  if (slopes) {
    arrays.slope = memory + 5 * n;
    arrays.b0 = memory + 6 * n;
    arrays.b1 = memory + 7 * n;
  }
  return arrays;
}

/* i is a multiple of LANES. */
PERLANE_INLINE struct axis_lanes axis_load(int slopes, const struct axis_arrays *from, size_t i) {
  struct axis_lanes axis = {.centred = f_load_aligned(from->centred + i),
                            .a0 = f_load_aligned(from->a0 + i),
                            .a1 = f_load_aligned(from->a1 + i),
                            .word = i_load_aligned(from->word + i),
                            .next = i_load_aligned(from->next + i)};
  if (slopes) {
    axis.slope = f_load_aligned(from->slope + i);
    axis.b0 = f_load_aligned(from->b0 + i);
    axis.b1 = f_load_aligned(from->b1 + i);
  }
  return axis;
}

/* Stores all but the words. */
PERLANE_INLINE void axis_store_weights(int slopes, const struct axis_arrays *to, size_t i,
                                       const struct axis_lanes *lanes) {
  f_store(to->centred + i, lanes->centred);
  f_store(to->a0 + i, lanes->a0);
  f_store(to->a1 + i, lanes->a1);
  if (slopes) {
    f_store(to->slope + i, lanes->slope);
    f_store(to->b0 + i, lanes->b0);
    f_store(to->b1 + i, lanes->b1);
  }
}

PERLANE_INLINE vf fade_of(vf centred) {
  return f_add(f_set(0.5f), centred);
}

/* ---- Positions ---- */

/* One axis of a grid. */
struct grid_axis {
  const struct field *field;
  const struct perlane_region *grid;
  int number;
};

/* The position of sample i along an axis. */
PERLANE_INLINE double grid_position(const struct perlane_region *grid, int axis, size_t i) {
  return grid->origin[axis] + (double)(grid->first[axis] + (int64_t)i) * grid->step[axis];
}

/* d_stores the positions of samples `start` and on. An index is the sum of two doubles, a multiple
 * of 2^20 and the rest, so that it is rounded once over all of int64. */
static void grid_positions(double *to, const struct grid_axis *of, size_t start, size_t n) {
  const struct perlane_region *grid = of->grid;
  const int64_t first = (int64_t)((uint64_t)grid->first[of->number] + (uint64_t)(ptrdiff_t)start);
  const int64_t rest = first & 0xFFFFF;
  const vd base = d_set((double)(first - rest)), lanes = d_set(LANES);
  const vd origin = d_set(grid->origin[of->number]), step = d_set(grid->step[of->number]);
  vd further = d_add(d_set((double)rest), d_lane_number());
  for (size_t i = 0; i < n; i += LANES) {
    d_store(to + i, d_add(origin, d_mul(d_add(base, further), step)));
    further = d_add(further, lanes);
  }
}

/* ---- Weights ---- */

/* Factors of an octave's weights and, with derivatives, of theirs: steepness is the amplitude times
 * cells, which are per unit of position, or per cell of eroded octaves. */
struct factors {
  vf amplitude, steepness, cells;
};

PERLANE_INLINE struct factors factors_of(const struct field *field, vd amplitude, vd frequency) {
  const vd cells = is_eroded(field) ? d_set(1) : frequency;
  return (struct factors){f_from_d(amplitude), f_from_d(d_mul(amplitude, cells)), f_from_d(cells)};
}

PERLANE_INLINE struct factors factors_in(const struct field *field,
                                         const struct perlane_octave *octave, int dims) {
  return factors_of(field, d_set((double)octave->amplitude[dims - 1]), d_set(octave->frequency));
}

/* Weights from a fraction; words are those of `lanes`. Values are folded around their middle, with
 * fade - 1/2. Folding from one end with the fade itself would be less accurate: the difference of
 * the ends may be above 1. */
PERLANE_INLINE void weigh(int slopes, vf t, struct fade by, struct factors factors,
                          struct axis_lanes *lanes) {
  const vf one = f_set(1), opposite = negative_of(factors.amplitude);
  const vf c = f_sub(t, f_set(0.5f));
  const vf rest = f_sub(one, t);
  const vf s = f_mul(t, rest);
  const vf bend = f_add(f_set(by.bend1), f_mul(f_set(by.bend2), s));
  lanes->centred = f_add(c, f_mul(c, f_mul(s, bend)));
  const vf fade = fade_of(lanes->centred);
  lanes->a0 = f_mul(f_mul(t, f_sub(one, fade)), factors.amplitude);
  lanes->a1 = f_mul(f_mul(rest, fade), opposite); /* t - 1 is -rest */
  if (slopes) {
    const vf by_t =
        f_add(f_mul(f_add(f_mul(f_set(by.slope2), s), f_set(by.slope1)), s), f_set(by.slope0));
    lanes->slope = f_mul(by_t, factors.cells);
    lanes->b0 = f_mul(f_sub(f_sub(one, fade), f_mul(t, by_t)), factors.steepness);
    lanes->b1 = f_mul(f_add(fade, f_mul(f_sub(t, one), by_t)), factors.steepness);
  }
}

/* Replaces fractions in a0 by weights. Constant: `slopes`. */
PERLANE_INLINE void weights(int slopes, const struct axis_arrays *arrays, size_t n,
                            struct fade fade, struct factors factors) {
  const struct axis_arrays to = *arrays;
  for (size_t i = 0; i < n; i += LANES) {
    struct axis_lanes lanes;
    weigh(slopes, f_load(to.a0 + i), fade, factors, &lanes);
    axis_store_weights(slopes, &to, i, &lanes);
  }
}

/* The same, with derivatives if the arrays have room for them. */
static PERLANE_NOINLINE void axis_weights(const struct axis_arrays *to, size_t n,
                                          const struct field *field,
                                          const struct perlane_octave *octave, int dims) {
  const struct fade fade = fade_constants((perlane_fade)field->params->fade);
  const struct factors factors = factors_in(field, octave, dims);
  if (to->slope)
    weights(1, to, n, fade, factors);
  else
    weights(0, to, n, fade, factors);
}

/* ---- The pass of a grid ---- */

/* Samples start .. start + n - 1 along a grid's axis, in one octave: words and fractions alone if
 * the arrays of weights are NULL. Writes whole vectors: lanes past n hold the samples that would
 * follow. */
static PERLANE_NOINLINE void grid_axis_pass(const struct axis_arrays *to,
                                            const struct grid_axis *of, size_t start, size_t n,
                                            const struct perlane_octave *octave) {
  enum { PIECE = 64 };
  _Alignas(64) double position[PIECE];
  struct axis axis;
  make_axis(&axis, of->field, of->number);
  begin_axis(&axis, octave);
  const int near = grid_axis_is_near(of->grid, of->number, octave->frequency);
  for (size_t i = 0; i < n; i += PIECE) {
    const size_t left = n - i, piece = left < PIECE ? left : PIECE;
    const struct split_arrays split = {to->a0 + i, {to->word + i, to->next + i}};
    grid_positions(position, of, start + i, piece);
    split_run(&split, position, piece, near, &axis);
  }
  if (to->centred)
    axis_weights(to, n, of->field, octave, of->grid->dims);
}

#endif
