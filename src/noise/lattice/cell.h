/* SPDX-License-Identifier: MIT
 *
 * The cell that a position is in, and its fraction of the cell (docs/specification.md, 2.2).
 */
#ifndef PERLANE_NOISE_LATTICE_CELL_H
#define PERLANE_NOISE_LATTICE_CELL_H

#include "../words.h"

/* A cell along one axis. */
struct cell {
  vi lower, upper; /* words that stand for it and for the next cell in the hash */
  vf fraction;     /* of the position, in [0, 1): a multiple of 2^-24 */
};

/* Positions of a smaller magnitude, in cells, are near: a double holds them to 2^-24 with bits to
 * spare, and their cells fit in a word. */
#define NEAR_CELLS (0x1p27 - 1) /* ROUNDING_TERM plus this and a phase is below 2^29 */

/* The offset of d_split's cells from those of positions to which ROUNDING_TERM was added. */
#define CELL_ZERO 0xB8000000u

/* Splits positions below NEAR_CELLS. `rounding` is ROUNDING_TERM plus the phase. */
PERLANE_INLINE struct cell cell_near(vd cells, vd rounding) {
  struct cell at;
  d_split(d_add(cells, rounding), &at.lower, &at.fraction);
  at.lower = i_sub(at.lower, i_set(CELL_ZERO));
  at.upper = i_add(at.lower, i_set(1));
  return at;
}

/* The words of the cell low + high * 2^32, and of the next one; low is below 2^54 in magnitude.
 * With `fold`, for the lattice hash, they take in the cell's upper half. */
PERLANE_INLINE struct cell words_of_halves(vd low, vd high, int fold) {
  const vd carry = d_floor(d_add(d_mul(low, d_set(0x1p-32)), d_set(0.5)));
  struct cell at;
  at.lower = i_from_d(d_sub(low, d_mul(carry, d_set(0x1p32)))); /* -2^31 .. 2^31 - 1 */
  at.upper = i_add(at.lower, i_set(1));
  if (fold) {
    const vi half = i_from_d(d_add(high, carry)), factor = i_set(0x9E3779B1);
    const vi last = i_equal(at.lower, i_set(0x7FFFFFFF)); /* a mask is -1 */
    at.lower = i_xor(at.lower, i_mul(half, factor));
    at.upper = i_xor(at.upper, i_mul(i_sub(half, last), factor));
  }
  return at;
}

/* Splits positions up to 2^53. *cell receives the cell as a double. With `fold`, for the lattice
 * hash, words take in the cells' upper halves. */
PERLANE_INLINE struct cell cell_far(vd cells, vd rounding, int fold, vd *cell) {
  /* Taking away a multiple of 2^27 cells leaves a position that is near. Both that and adding it
   * to the cell again are exact. */
  const vd aside = d_mul(d_round(d_mul(cells, d_set(0x1p-27))), d_set(0x1p27));
  const vd rounded = d_sub(d_add(d_sub(cells, aside), rounding), d_set(ROUNDING_TERM));
  const vd near = d_floor(rounded);
  *cell = d_add(near, aside);
  struct cell at = words_of_halves(*cell, d_set(0), fold);
  at.fraction = f_from_d(d_sub(rounded, near));
  return at;
}

/* Periods in cells. */
struct period {
  vd cells;
  vd many; /* the largest multiple of it up to 2^52 */
  vi word;
};

/* Periods of 1 to PERLANE_MAX_PERIOD cells, as doubles and as words. No quotient is rounded up to a
 * whole number: that number times the period would exceed 2^52 by less than 1. */
PERLANE_INLINE struct period period_of(vd cells, vi word) {
  return (struct period){cells, d_mul(d_floor(d_div(d_set(0x1p52), cells)), cells), word};
}

/* Returns the cell modulo the period. Every step is exact: cells beyond 2^52 are moved by a
 * multiple of the period first, so that no product is above 2^53. Lanes past the end of a row may
 * hold any position; they become 0, because a table must not be read outside. */
PERLANE_INLINE vi wrapped(vd cell, const struct period *period) {
  const vd side = d_floor(d_add(d_mul(cell, d_set(0x1p-53)), d_set(0.5))); /* -1, 0 or 1 */
  const vd nearer = d_sub(cell, d_mul(side, period->many));
  const vd turns = d_floor(d_div(nearer, period->cells));
  const vi rest = i_from_d(d_sub(nearer, d_mul(turns, period->cells)));
  /* The quotient may have been rounded up to a whole number: then it is one turn too many. */
  const vi negative = i_sub(i_set(0), i_shift_right(rest, 31));
  const vi word = i_add(rest, i_and(period->word, negative));
  const vi below = i_and(i_sub(word, period->word), i_xor(word, i_set(0xFFFFFFFF)));
  return i_and(word, i_sub(i_set(0), i_shift_right(below, 31)));
}

PERLANE_INLINE vi wrapped_next(vi cell, const struct period *period) {
  const vi next = i_add(cell, i_set(1));
  return i_select(i_equal(next, period->word), i_set(0), next);
}

#endif
