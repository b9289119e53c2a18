/* SPDX-License-Identifier: MIT
 *
 * The split of a position into its cell along an axis, its fraction of the cell, and the hash words
 * of that cell and its neighbours (docs/specification.md, 2.1 to 2.4, 2.8). Everything that has
 * positions splits them here: nothing else decides which are near, or knows how cells are counted.
 *
 * Near the origin cell and fraction come from one sum: a position in cells plus 1.5 * 2^28, the
 * phase included, is a double whose last bit stands for 2^-24 of a cell. Its low 24 bits are the
 * fraction, the next 32 the cell, which two shuffles separate; no floor, no conversion. With the
 * hash input v = cell * multiplier + key, the next cell's input is one addition away.
 */
#ifndef PERLANE_NOISE_LATTICE_SPLIT_H
#define PERLANE_NOISE_LATTICE_SPLIT_H

#include "../../numbers.h"
#include "../field.h"
#include "../samples.h"
#include "hash.h"

/* ---- Near and far ---- */

/* Returns 1 if a coordinate in cells is near; -0.0 is, as 0 is, and NaN is not. */
PERLANE_INLINE int is_near(double cells) {
  return (cells < NEAR_CELLS) & (cells > -NEAR_CELLS);
}

/* Returns 1 if all coordinates of a position are near at a frequency. Constant: `dims`. */
PERLANE_INLINE int is_position_near(int dims, const double *position, double frequency) {
  int near = 1;
  PERLANE_UNROLL for (int a = 0; a < dims; a++) near &= is_near(position[a] * frequency);
  return near;
}

/* Returns 1 if a sample of a grid is near at a frequency, and steps are even there. */
PERLANE_INLINE int is_sample_near(const struct perlane_region *grid, int axis, int64_t index,
                                  double frequency) {
  const double n = (double)index, offset = n * grid->step[axis];
  return perlane_magnitude(n) <= EVEN_INDEX && perlane_magnitude(offset * frequency) < EVEN_CELLS &&
         is_near((grid->origin[axis] + offset) * frequency);
}

/* Returns 1 if all samples along an axis of a grid are near at a frequency, and as far apart as the
 * step says. Its two ends decide. */
static int grid_axis_is_near(const struct perlane_region *grid, int axis, double frequency) {
  const int64_t first = grid->first[axis], last = first + (int64_t)(grid->count[axis] - 1);
  return is_sample_near(grid, axis, first, frequency) &&
         is_sample_near(grid, axis, last, frequency);
}

/* Returns the largest magnitude of coordinates whose positions are all near at a frequency, when
 * `aside` or less is added to them; below 0 if none is, or floats are too coarse to decide. */
PERLANE_INLINE float near_coordinates(double frequency, double aside) {
  const double limit = NEAR_CELLS / frequency - aside;
  /* A float less by 2^-20 absorbs all roundings, of doubles to float too. */
  return !(limit >= 2 * (double)FLT_MIN) ? -1 /* NaN, too */
         : limit < (double)FLT_MAX       ? (float)(limit * (1 - 0x1p-20))
                                         : FLT_MAX;
}

/* Largest magnitudes of coordinates, in each lane, as words: those of -0.0 and 0 are the same, that
 * of NaN is the largest. */
PERLANE_INLINE vi larger_magnitude(vi largest, vf coordinates) {
  return i_max_unsigned(largest, i_bits(magnitude_of(coordinates)));
}

/* Returns 1 if no coordinate is larger than what near_coordinates returned. */
PERLANE_INLINE int are_within(vi largest, float limit) {
  return m_all(f_not_above(f_bits(largest), f_set(limit)));
}

/* ---- Axes ---- */

/* 2.4: each axis' factor in the lattice hash. */
static const uint32_t AXIS_MULTIPLIERS[PERLANE_MAX_DIMS] = {0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35,
                                                            0x27D4EB2F};

/* An axis, and from begin_axis or begin_axis_octaves on its constants: in one octave, or in an
 * octave for each lane. */
struct axis {
  int number;
  perlane_hash hash;
  uint32_t multiplier;
  const uint8_t *first_table; /* the hash's, looked up in the split along x; or NULL */
  int single;                 /* all corners of a cell are its lower corner */
  int is_periodic;
  vd frequency, start; /* axis_start */
  vi key, shift;       /* the key is added to the product */
  vd period;           /* in cells, if it is periodic */
};

static void make_axis(struct axis *axis, const struct field *field, int number) {
  const perlane_params *params = field->params;
  axis->number = number;
  axis->hash = (perlane_hash)params->hash;
  axis->multiplier = AXIS_MULTIPLIERS[number];
  axis->first_table = NULL;
  axis->single = basis_of(field)->producer == BY_WHITE;
  axis->is_periodic = field->octave[0].period[number] != 0;
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

static void begin_axis(struct axis *axis, const struct perlane_octave *octave) {
  axis->frequency = d_set(octave->frequency);
  axis->start = d_set(axis_start(octave, axis->number));
  axis->key = i_set(octave->key[axis->number]);
  axis->shift = i_set(octave->shift[axis->number]);
  axis->period = d_set(octave->period[axis->number]);
}

/* Sets lane i to octave k + i, those beyond the field's octaves to its last. */
static void begin_axis_octaves(struct axis *axis, const struct field *field, size_t k) {
  const struct perlane_octave_arrays *arrays = field->arrays;
  const int a = axis->number;
  double period[LANES];
  uint32_t shift[LANES];
  axis->frequency = d_load(arrays->frequency + k);
  axis->start = d_load(arrays->start[a] + k);
  axis->key = i_load(arrays->key[a] + k);
  if (axis->hash == PERLANE_HASH_LATTICE && !axis->is_periodic)
    return;
  for (size_t i = 0; i < LANES; i++) {
    const struct perlane_octave *octave = octave_from(field, k + i);
    period[i] = octave->period[a];
    shift[i] = octave->shift[a];
  }
  axis->period = d_load(period);
  axis->shift = i_load(shift);
}

/* Constants of an axis with the lattice hash and without a period, in an octave or in an octave for
 * each lane. A cell's input differs from the one before it by `step`: the multiplier, or 0 on a
 * single axis. */
struct near_axis {
  vd frequency, start;
  vi multiplier, key, step;
};

/* Offset of d_split's cells from those of positions to which ROUNDING_TERM was added. */
#define CELL_ZERO 0xB8000000u

/* Returns the key that takes the offset away from cells of sums of `terms` ROUNDING_TERMs. */
PERLANE_INLINE vi near_key(uint32_t multiplier, uint32_t terms, vi key) {
  return i_sub(key, i_set(terms * CELL_ZERO * multiplier));
}

PERLANE_INLINE struct near_axis near_axis(int number, vd frequency, vd start, vi key) {
  const uint32_t multiplier = AXIS_MULTIPLIERS[number];
  const vi step = i_set(multiplier);
  return (struct near_axis){frequency, start, step, near_key(multiplier, 1, key), step};
}

PERLANE_INLINE struct near_axis near_axis_in(int number, const struct perlane_octave *octave) {
  return near_axis(number, d_set(octave->frequency), d_set(axis_start(octave, number)),
                   i_set(octave->key[number]));
}

/* ---- Near positions ---- */

/* The fraction of a cell and the words of its lower and its upper corner. */
struct axis_cell {
  vf fraction;
  vi word, next;
};

/* A position as the sum that near_input splits. */
PERLANE_INLINE vd near_sum(vd position, const struct near_axis *axis) {
  return d_add(d_mul(position, axis->frequency), axis->start);
}

/* Returns the hash input of the cell, for a key from near_key. */
PERLANE_INLINE vi near_input(vd sum, vi multiplier, vi key, vf *fraction) {
  vi cell;
  d_split(sum, &cell, fraction);
  return i_add(i_mul(cell, multiplier), key);
}

PERLANE_INLINE struct axis_cell corners_of_input(vf fraction, vi input, vi step) {
  return (struct axis_cell){fraction, axis_word(input), axis_word(i_add(input, step))};
}

PERLANE_INLINE struct axis_cell near_corners(vd sum, const struct near_axis *axis) {
  vf fraction;
  const vi input = near_input(sum, axis->multiplier, axis->key, &fraction);
  return corners_of_input(fraction, input, axis->step);
}

/* Makes the words of cells at offsets `low` to `high`, which are constant, from 0 or less to 0 or
 * more. */
PERLANE_INLINE void words_of_input(vi input, vi step, int low, int high, vi *word) {
  vi at = input;
  PERLANE_UNROLL for (int o = 0; o >= low; o--) {
    word[o - low] = axis_word(at);
    at = i_sub(at, step);
  }
  at = input;
  PERLANE_UNROLL for (int o = 1; o <= high; o++) {
    at = i_add(at, step);
    word[o - low] = axis_word(at);
  }
}

/* Returns the cell. */
PERLANE_INLINE vi near_cell(vd sum, vf *fraction) {
  vi cell;
  d_split(sum, &cell, fraction);
  return i_sub(cell, i_set(CELL_ZERO));
}

/* q of 2.21, of positions in cells: their sum with ROUNDING_TERM has units of 2^-24. Sums of words
 * of several such sums have one exponent, which near_key takes away. */
PERLANE_INLINE vd with_units(vd v) {
  return d_add(v, d_set(ROUNDING_TERM));
}
PERLANE_INLINE vd without_units(vd v) {
  return d_sub(v, d_set(ROUNDING_TERM));
}
PERLANE_INLINE vd units(vd v) {
  return without_units(with_units(v));
}
PERLANE_INLINE double unit_of(double v) {
  return (v + ROUNDING_TERM) - ROUNDING_TERM;
}

/* ---- Any positions ---- */

/* Returns a multiple of 2^27 cells that leaves of a position up to 2^53 one that is near. Taking it
 * away and adding it to the cell again are exact. */
PERLANE_INLINE vd far_part(vd cells) {
  return d_mul(d_round(d_mul(cells, d_set(0x1p-27))), d_set(0x1p27));
}

PERLANE_INLINE vd units_far(vd v) {
  const vd aside = far_part(v);
  return d_add(aside, units(d_sub(v, aside)));
}

/* Returns how far a position in cells up to 2^53 is from whole cells near it, rounded to units; all
 * sums but the one with the phase are exact. */
PERLANE_INLINE vd cells_from(vd cells, double phase, double from) {
  const vd aside = far_part(cells), start = d_set(ROUNDING_TERM + phase);
  const vd rest = without_units(d_add(d_sub(cells, aside), start));
  return d_add(rest, d_sub(aside, d_set(from)));
}

/* Returns the cell of a position in cells up to 2^53. */
PERLANE_INLINE vd far_cell(vd cells, vd start, vf *fraction) {
  const vd aside = far_part(cells);
  const vd rounded = without_units(d_add(d_sub(cells, aside), start));
  const vd whole = d_floor(rounded);
  *fraction = f_from_d(d_sub(rounded, whole));
  return d_add(whole, aside);
}

/* A cell as words: the lower one is signed. */
struct cell_halves {
  vi low, high;
};

/* The cell low + high * 2^32; low is below 2^54 in magnitude. */
PERLANE_INLINE struct cell_halves halves_of(vd low, vd high) {
  const vd carry = d_floor(d_add(d_mul(low, d_set(0x1p-32)), d_set(0.5)));
  return (struct cell_halves){i_from_d(d_sub(low, d_mul(carry, d_set(0x1p32)))),
                              i_from_d(d_add(high, carry))};
}

/* Returns what the lattice hash makes the word of a cell's neighbour at offset o of. */
PERLANE_INLINE vi word_of_halves(struct cell_halves cell, int o) {
  const vi low = i_add(cell.low, i_set((uint32_t)o)), all = i_set(0xFFFFFFFF);
  /* Bit 31 changes that way only if the sum leaves the range of a signed word. */
  const vi turned = o > 0 ? i_and(i_xor(cell.low, all), low) : i_and(cell.low, i_xor(low, all));
  const vi beyond = i_shift_right(turned, 31);
  const vi high = o == 0 ? cell.high : o > 0 ? i_add(cell.high, beyond) : i_sub(cell.high, beyond);
  return i_xor(low, i_mul(high, i_set(0x9E3779B1)));
}

/* A whole number of cells in two halves, and a fraction of a cell: more digits than a double has.
 */
struct long_sum {
  vd high, low, fraction;
};

PERLANE_INLINE void add_long(struct long_sum *sum, vd v) {
  const vd whole = d_floor(v), high = d_floor(d_mul(whole, d_set(0x1p-32)));
  sum->high = d_add(sum->high, high);
  sum->low = d_add(sum->low, d_sub(whole, d_mul(high, d_set(0x1p32))));
  sum->fraction = d_add(sum->fraction, d_sub(v, whole));
}

/* The corners of the cell of a sum and a start. `key` is the octave's. */
PERLANE_INLINE struct axis_cell far_corners(const struct long_sum *sum, int number, vd start,
                                            vi key) {
  const vd fraction = d_add(sum->fraction, without_units(start));
  const vd carry = d_floor(fraction);
  const vi multiplier = i_set(AXIS_MULTIPLIERS[number]);
  const struct cell_halves cell = halves_of(d_add(sum->low, carry), sum->high);
  return (struct axis_cell){
      f_from_d(d_sub(fraction, carry)),
      axis_word(i_add(i_mul(word_of_halves(cell, 0), multiplier), key)),
      axis_word(i_add(i_mul(word_of_halves(cell, 1), multiplier), key)),
  };
}

/* Periods in cells. */
struct period {
  vd cells;
  vd many; /* the largest multiple of it up to 2^52 */
  vi word;
};

/* Periods of 1 to PERLANE_MAX_PERIOD cells. No quotient is rounded up to a whole number: that
 * number times the period would exceed 2^52 by less than 1. */
PERLANE_INLINE struct period period_of(vd cells) {
  return (struct period){cells, d_mul(d_floor(d_div(d_set(0x1p52), cells)), cells),
                         i_from_d(cells)};
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

PERLANE_INLINE vi wrapped_before(vi cell, const struct period *period) {
  const vi last = i_sub(period->word, i_set(1));
  return i_select(i_equal(cell, i_set(0)), last, i_sub(cell, i_set(1)));
}

/* Returns the fraction of a position, and the words of its cell and the next one, which are not
 * hashed yet. */
PERLANE_INLINE struct axis_cell split_position(const struct axis *axis, int near, vd position) {
  const vd cells = d_mul(position, axis->frequency), start = axis->start;
  struct axis_cell at;
  if (near && !axis->is_periodic) {
    at.word = near_cell(d_add(cells, start), &at.fraction);
    at.next = i_add(at.word, i_set(1));
  } else {
    const vd cell = far_cell(cells, start, &at.fraction);
    const struct cell_halves halves = halves_of(cell, d_set(0));
    if (axis->is_periodic) {
      const struct period period = period_of(axis->period);
      at.word = wrapped(cell, &period);
      at.next = wrapped_next(at.word, &period);
    } else if (axis->hash == PERLANE_HASH_LATTICE) {
      at.word = word_of_halves(halves, 0);
      at.next = word_of_halves(halves, 1);
    } else {
      at.word = halves.low;
      at.next = i_add(halves.low, i_set(1));
    }
  }
  if (axis->single)
    at.next = at.word;
  return at;
}

/* The hash word of a cell. */
PERLANE_INLINE vi word_of_cell(vi cell, const struct axis *axis) {
  const vi multiplier = i_set(axis->multiplier);
  switch (axis->hash) {
  case PERLANE_HASH_LATTICE:
    return axis_word(i_add(i_mul(cell, multiplier), axis->key));
  case PERLANE_HASH_GRID:
    return i_mul(cell, multiplier);
  case PERLANE_HASH_PRIMES: {
    const vi first = i_set(axis->number == 0 ? 0 : (uint32_t)4807526976);
    return i_and(i_add(i_mul(cell, multiplier), first), i_set(1023));
  }
  default: {
    const vi byte = i_and(i_add(cell, axis->shift), i_set(0xFF));
    return axis->first_table ? i_look_up(axis->first_table, byte) : byte;
  }
  }
}

/* The cells around positions along an axis with the lattice hash. */
enum { MAX_REACH = 3, MAX_OFFSETS = 2 * MAX_REACH + 1 };
struct cells_around {
  vf fraction;
  vi word[MAX_OFFSETS]; /* at offsets from -MAX_REACH on */
};

/* Those of LANES positions that d_store has stored, anywhere, at offsets `low` to `high`. */
static PERLANE_NOINLINE void cells_around(struct cells_around *to, const struct axis *axis,
                                          const double *position, int low, int high) {
  vi *word = to->word + MAX_REACH;
  const vd cell = far_cell(d_mul(d_reload(position), axis->frequency), axis->start, &to->fraction);
  if (axis->is_periodic) {
    const struct period period = period_of(axis->period);
    word[0] = wrapped(cell, &period);
    for (int o = 1; o <= high; o++)
      word[o] = wrapped_next(word[o - 1], &period);
    for (int o = -1; o >= low; o--)
      word[o] = wrapped_before(word[o + 1], &period);
  } else {
    const struct cell_halves halves = halves_of(cell, d_set(0));
    for (int o = low; o <= high; o++)
      word[o] = word_of_halves(halves, o);
  }
  for (int o = low; o <= high; o++)
    word[o] = axis_word(i_add(i_mul(word[o], i_set(axis->multiplier)), axis->key));
}

/* Makes the words of n consecutive cells along an axis with the lattice hash, in whole vectors, in
 * an octave with this period; 0: none. */
static PERLANE_NOINLINE void words_of_cells(int32_t first, size_t n, const struct axis *axis,
                                            int32_t period, uint32_t *word) {
  uint32_t cell = (uint32_t)first;
  if (period != 0)
    cell = (uint32_t)(first % period < 0 ? first % period + period : first % period);
  for (size_t i = 0; i < n; i++) {
    word[i] = cell++;
    if (cell == (uint32_t)period && period != 0)
      cell = 0;
  }
  for (size_t i = 0; i < n; i += LANES)
    i_store(word + i,
            axis_word(i_add(i_mul(i_load(word + i), i_set(axis->multiplier)), axis->key)));
}

/* ---- Runs of positions ---- */

/* The arrays of a run of positions: fractions, and the words at each offset, MAX_SPLIT_WORDS of
 * them at most. */
enum { MAX_SPLIT_WORDS = 4 };
struct split_arrays {
  float *fraction;
  uint32_t *word[MAX_SPLIT_WORDS];
};

/* Splits n near positions along an axis with the lattice hash and without a period. Constant: `low`
 * and `high`. */
PERLANE_INLINE void split_near_run(const struct split_arrays *arrays, int low, int high,
                                   const double *position, size_t n, const struct axis *of) {
  const struct split_arrays to = *arrays; /* which a store to an array might change */
  const struct near_axis axis = {
      .frequency = of->frequency,
      .start = of->start,
      .multiplier = i_set(of->multiplier),
      .key = near_key(of->multiplier, 1, of->key),
      .step = i_set(of->single ? 0 : of->multiplier),
  };
  for (size_t i = 0; i < n; i += LANES) {
    vf fraction;
    vi word[MAX_SPLIT_WORDS];
    const vi input =
        near_input(near_sum(d_reload(position + i), &axis), axis.multiplier, axis.key, &fraction);
    words_of_input(input, axis.step, low, high, word);
    f_store(to.fraction + i, fraction);
    PERLANE_UNROLL for (int o = 0; o <= high - low; o++) i_store(to.word[o] + i, word[o]);
  }
}

/* The corners of any positions inside the domain, on any axis. */
static void split_any_run(const struct split_arrays *to, const double *position, size_t n, int near,
                          const struct axis *axis) {
  for (size_t i = 0; i < n; i += LANES) {
    const struct axis_cell at = split_position(axis, near, d_reload(position + i));
    f_store(to->fraction + i, at.fraction);
    i_store(to->word[0] + i, at.word);
    i_store(to->word[1] + i, at.next);
  }
  for (size_t i = 0; i < n; i += LANES)
    for (int o = 0; o < 2; o++)
      i_store(to->word[o] + i, word_of_cell(i_load(to->word[o] + i), axis));
}

PERLANE_INLINE int is_plain_axis(const struct axis *axis) {
  return axis->hash == PERLANE_HASH_LATTICE && !axis->is_periodic;
}

/* Splits n positions that d_store has stored into fractions and the words of both corners. With
 * `near`, all are near. Reads and writes whole vectors. */
static PERLANE_NOINLINE void split_run(const struct split_arrays *to, const double *position,
                                       size_t n, int near, const struct axis *axis) {
  if (near && is_plain_axis(axis))
    split_near_run(to, 0, 1, position, n, axis);
  else
    split_any_run(to, position, n, near, axis);
}

/* The same into the words of the cells at offsets `low` to `high`, along an axis with the lattice
 * hash. Constant: `low` and `high`. */
PERLANE_INLINE void split_run_around(const struct split_arrays *to, int low, int high,
                                     const double *position, size_t n, int near,
                                     const struct axis *axis) {
  if (near && is_plain_axis(axis)) {
    split_near_run(to, low, high, position, n, axis);
    return;
  }
  for (size_t i = 0; i < n; i += LANES) {
    struct cells_around around;
    cells_around(&around, axis, position + i, low, high);
    f_store(to->fraction + i, around.fraction);
    for (int o = low; o <= high; o++)
      i_store(to->word[o - low] + i, around.word[MAX_REACH + o]);
  }
}

#endif
