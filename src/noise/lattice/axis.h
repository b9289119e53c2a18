/* SPDX-License-Identifier: MIT
 *
 * The part of one axis in all corners of a cell (docs/specification.md, 2.1 to 2.4): weights from
 * the fraction, hash words from the cell. The axis pass computes it at each of a run of positions
 * and keeps it in arrays: a grid does so once for its columns, rows and planes, a list of points
 * for each of its blocks.
 *
 * Cell and fraction of a position p near the origin come from one sum: p in cells plus 1.5 * 2^28,
 * the phase included, is a double whose last bit stands for 2^-24 of a cell. Its low 24 bits are
 * the fraction, the next 32 the cell, which two shuffles separate; no floor, no conversion. With v
 * = cell * multiplier + key the next cell's v is one addition away, and a word is v mixed with
 * itself.
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

#include "../../numbers.h"
#include "../field.h"
#include "cell.h"
#include "hash.h"

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

/* An axis, and from begin_axis on its constants in an octave. */
struct axis {
  int number;
  struct fade fade;
  perlane_hash hash;
  uint32_t multiplier;
  const uint8_t *first_table;        /* the hash's, looked up in the axis pass along x; or NULL */
  int per_cell;                      /* derivatives are per cell, not per unit of position */
  int single;                        /* all corners of a cell are its lower corner */
  int makes_words;                   /* the basis makes words itself: cells.h, simplex.h */
  float amplitude, steepness, cells; /* steepness is amplitude times cells, which are per unit */
  double frequency, rounding;        /* axis_start */
  uint32_t key, shift;               /* the key is added to the product */
  int32_t period;                    /* 0: none */
  int plain;                         /* the lattice hash, no period, words of the axis pass */
};

/* 2.4: each axis' factor in the lattice hash. */
static const uint32_t AXIS_MULTIPLIERS[PERLANE_MAX_DIMS] = {0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35,
                                                            0x27D4EB2F};

/* (Not returned: a copy of what was just stored in smaller parts would wait for it.) */
static void make_axis(struct axis *axis, const struct field *field, int number) {
  const perlane_params *params = field->params;
  const struct perlane_basis_record *basis = basis_of(field);
  *axis = (struct axis){
      .number = number,
      .fade = fade_constants((perlane_fade)params->fade),
      .hash = (perlane_hash)params->hash,
      .multiplier = AXIS_MULTIPLIERS[number],
      .per_cell = is_eroded(field),
      .single = basis->producer == PERLANE_WHITE,
      .makes_words = basis->corner == PERLANE_OWN,
  };
  if (params->hash == PERLANE_HASH_PRIMES)
    axis->multiplier = number == 0 ? 1836311903 : (uint32_t)2971215073;
  else if (params->hash == PERLANE_HASH_GRID)
    axis->multiplier = number == 0 ? 2 : 2 * (uint32_t)field->octave[0].period[0];
  else if (params->hash != PERLANE_HASH_LATTICE && number == 0)
    axis->first_table = field->noise->table;
}

/* Returns what is added to positions in cells: ROUNDING_TERM plus the phase. */
PERLANE_INLINE double axis_start(const struct perlane_octave *octave, int number) {
  return ROUNDING_TERM + octave->phase[number] * 0x1p-24;
}

PERLANE_INLINE void begin_axis(struct axis *axis, const struct perlane_octave *octave, int dims) {
  const int number = axis->number;
  axis->amplitude = octave->amplitude[dims - 1];
  axis->frequency = octave->frequency;
  const double cells = axis->per_cell ? 1 : octave->frequency;
  axis->cells = (float)cells;
  axis->steepness = (float)((double)axis->amplitude * cells);
  axis->rounding = axis_start(octave, number);
  axis->key = octave->key[number];
  axis->shift = octave->shift[number];
  axis->period = octave->period[number];
  axis->plain = axis->hash == PERLANE_HASH_LATTICE && !axis->makes_words && axis->period == 0;
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

/* Whether all samples along an axis are near at this frequency. Its two ends decide. */
static int grid_axis_is_near(const struct perlane_region *grid, int axis, double frequency) {
  const int64_t last = grid->first[axis] + (int64_t)(grid->count[axis] - 1);
  const double x0 = grid->origin[axis] + (double)grid->first[axis] * grid->step[axis];
  const double x1 = grid->origin[axis] + (double)last * grid->step[axis];
  return perlane_magnitude(x0 * frequency) < NEAR_CELLS &&
         perlane_magnitude(x1 * frequency) < NEAR_CELLS;
}

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

/* ---- Cells and hash words ---- */

/* The fraction and the words of an axis. */
struct axis_cell {
  vf fraction;
  vi word, next;
};

/* That of a plain axis near the origin, from what d_split splits, whose offset `key` takes away.
 * The next cell's hash input differs by `step`: the multiplier, or 0 on a single axis. */
PERLANE_INLINE struct axis_cell plain_cell(vd split, vi multiplier, vi key, vi step) {
  struct axis_cell at;
  vi cell;
  d_split(split, &cell, &at.fraction);
  const vi v = i_add(i_mul(cell, multiplier), key);
  at.word = axis_word(v);
  at.next = axis_word(i_add(v, step));
  return at;
}

/* Stores the fractions in a0, where the next loop looks for them, and the words. `of` is plain, and
 * the positions are near. */
static void plain_words(const struct axis_arrays *arrays, const double *position, size_t n,
                        const struct axis *of) {
  const struct axis_arrays to = *arrays;
  const vd frequency = d_set(of->frequency), rounding = d_set(of->rounding);
  const vi multiplier = i_set(of->multiplier), key = i_set(of->key - CELL_ZERO * of->multiplier);
  const vi step = i_set(of->single ? 0 : of->multiplier);
  for (size_t i = 0; i < n; i += LANES) {
    const vd cells = d_mul(d_reload(position + i), frequency);
    const struct axis_cell at = plain_cell(d_add(cells, rounding), multiplier, key, step);
    f_store(to.a0 + i, at.fraction);
    i_store(to.word + i, at.word);
    i_store(to.next + i, at.next);
  }
}

/* The cell of positions on any axis: its word is not hashed yet. `period` is read if the axis has
 * one. */
PERLANE_INLINE struct cell any_cell(const struct axis *axis, int near, vd cells, vd rounding,
                                    const struct period *period) {
  vd cell;
  struct cell at = !near || axis->period != 0
                       ? cell_far(cells, rounding, axis->hash == PERLANE_HASH_LATTICE, &cell)
                       : cell_near(cells, rounding);
  if (axis->period != 0) {
    at.lower = wrapped(cell, period);
    at.upper = wrapped_next(at.lower, period);
  }
  if (axis->single)
    at.upper = at.lower;
  return at;
}

/* The hash word of a cell. `key` and `shift` are those of the octave. */
PERLANE_INLINE vi word_of_cell(vi cell, const struct axis *axis, vi key, vi shift) {
  const vi multiplier = i_set(axis->multiplier);
  switch (axis->hash) {
  case PERLANE_HASH_LATTICE:
    return axis_word(i_add(i_mul(cell, multiplier), key));
  case PERLANE_HASH_GRID:
    return i_mul(cell, multiplier);
  case PERLANE_HASH_PRIMES: {
    const vi first = i_set(axis->number == 0 ? 0 : (uint32_t)4807526976);
    return i_and(i_add(i_mul(cell, multiplier), first), i_set(1023));
  }
  default: {
    const vi byte = i_and(i_add(cell, shift), i_set(0xFF));
    return axis->first_table ? i_look_up(axis->first_table, byte) : byte;
  }
  }
}

PERLANE_INLINE struct period period_of_axis(const struct axis *axis) {
  const int32_t cells = axis->period ? axis->period : 1;
  return period_of(d_set(cells), i_set((uint32_t)cells));
}

/* Stores fractions and hash words for any axis and any positions inside the domain. */
static void any_words(const struct axis_arrays *to, const double *position, size_t n, int near,
                      const struct axis *axis) {
  const struct period period = period_of_axis(axis);
  const vd frequency = d_set(axis->frequency), rounding = d_set(axis->rounding);
  const vi key = i_set(axis->key), shift = i_set(axis->shift);
  for (size_t i = 0; i < n; i += LANES) {
    const vd cells = d_mul(d_reload(position + i), frequency);
    const struct cell at = any_cell(axis, near, cells, rounding, &period);
    f_store(to->a0 + i, at.fraction);
    i_store(to->word + i, at.lower);
    i_store(to->next + i, at.upper);
  }
  for (size_t i = 0; i < n; i += LANES) {
    i_store(to->word + i, word_of_cell(i_load(to->word + i), axis, key, shift));
    i_store(to->next + i, word_of_cell(i_load(to->next + i), axis, key, shift));
  }
}

/* Words and fractions at n positions that d_store has stored. Reads and writes whole vectors. */
static PERLANE_NOINLINE void axis_words(const struct axis_arrays *to, const double *position,
                                        size_t n, int near, const struct axis *axis) {
  if (axis->plain && near)
    plain_words(to, position, n, axis);
  else
    any_words(to, position, n, near, axis);
}

/* ---- Weights ---- */

/* Factors of an octave's weights and, with derivatives, of theirs. */
struct factors {
  vf amplitude, steepness, cells;
};

/* Weights from a fraction; words are those of `lanes`. Values are folded around their middle, with
 * fade - 1/2. Folding from one end with the fade itself would be less accurate: the difference of
 * the ends may be above 1. */
PERLANE_INLINE void weigh(int slopes, vf t, struct fade by, struct factors factors,
                          struct axis_lanes *lanes) {
  const vf one = f_set(1), opposite = f_bits(i_xor(i_bits(factors.amplitude), i_set(0x80000000)));
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

PERLANE_INLINE void weights(int slopes, const struct axis_arrays *arrays, size_t n,
                            const struct axis *axis) {
  const struct axis_arrays to = *arrays;
  const struct fade fade = axis->fade;
  const struct factors factors = {f_set(axis->amplitude), f_set(axis->steepness),
                                  f_set(axis->cells)};
  for (size_t i = 0; i < n; i += LANES) {
    struct axis_lanes lanes;
    weigh(slopes, f_load(to.a0 + i), fade, factors, &lanes);
    axis_store_weights(slopes, &to, i, &lanes);
  }
}

/* Replaces fractions by weights, and by derivatives if the arrays have room for them. */
static PERLANE_NOINLINE void axis_weights(const struct axis_arrays *to, size_t n,
                                          const struct axis *axis) {
  if (to->slope)
    weights(1, to, n, axis);
  else
    weights(0, to, n, axis);
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
  begin_axis(&axis, octave, of->grid->dims);
  const int near = grid_axis_is_near(of->grid, of->number, octave->frequency);
  for (size_t i = 0; i < n; i += PIECE) {
    const size_t left = n - i, piece = left < PIECE ? left : PIECE;
    const struct axis_arrays words = {.a0 = to->a0 + i, .word = to->word + i, .next = to->next + i};
    grid_positions(position, of, start + i, piece);
    axis_words(&words, position, piece, near, &axis);
  }
  if (to->centred)
    axis_weights(to, n, &axis);
}

#endif
