/* SPDX-License-Identifier: MIT
 *
 * What one axis contributes to all corners of a cell (docs/specification.md, 2.1 to 2.4): weights
 * from the fraction, hash words from the cell. The axis pass computes it at each of a run of
 * positions and keeps it in arrays: a grid does so once for its columns, rows and planes, a list of
 * points for each of its blocks. The pass is three short loops over the run (cells, hash words,
 * weights) instead of a long one. Each is a chain of dependent operations, and the shorter the
 * chains, the more of them a CPU overlaps.
 */
#ifndef PERLANE_NOISE_AXIS_H
#define PERLANE_NOISE_AXIS_H

#include "cell.h"
#include "hash.h"

/* An axis in one octave. */
struct axis {
  float amplitude, fade1, fade2;
  float slope0, slope1, slope2, frequency, steepness; /* for the derivatives */
  perlane_hash hash;
  uint32_t multiplier, key; /* key: what is added to the product */
  double rounding;          /* ROUNDING plus the phase */
  uint32_t shift;
  const uint8_t *first_table; /* looked up at once along x; NULL otherwise */
  int single;                 /* one value for the cell: the upper corner is the lower one */
  int32_t period;             /* 0: none */
  int plain;                  /* the lattice hash of both corners, without a period */
};

/* The fade is 1/2 + c + c * s * (fade1 + fade2 * s) with c = t - 1/2, s = t * (1 - t). */
static struct axis axis_of(const perlane_noise *noise, const struct perlane_octave *octave,
                           int dims, int number) {
  static const uint32_t lattice[PERLANE_MAX_DIMS] = {0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35,
                                                     0x27D4EB2F};
  static const float fade1[PERLANE_FADE_COUNT] = {2, 2, 0}, fade2[PERLANE_FADE_COUNT] = {6, 0, 0};
  const perlane_params *params = &noise->params;
  const float amplitude = octave->amplitude[dims - 1];
  const float one = fade1[params->fade], two = fade2[params->fade];
  struct axis axis = {
      .amplitude = amplitude,
      .fade1 = one,
      .fade2 = two,
      .slope0 = 1 - 0.5f * one,
      .slope1 = 3 * one - two,
      .slope2 = 5 * two,
      .frequency = (float)octave->frequency,
      .steepness = (float)((double)amplitude * octave->frequency),
      .hash = params->hash,
      .multiplier = lattice[number],
      .key = octave->key[number],
      .rounding = ROUNDING + octave->phase[number] * 0x1p-24,
      .shift = octave->shift[number],
      .single = params->basis >= PERLANE_BASIS_WHITE,
      .period = octave->period[number],
  };
  if (params->hash == PERLANE_HASH_PRIMES) {
    axis.multiplier = number == 0 ? 1836311903 : (uint32_t)2971215073;
    axis.key = number == 0 ? 0 : (uint32_t)4807526976;
  } else if (params->hash == PERLANE_HASH_GRID) {
    axis.multiplier = number == 0 ? 2 : 2 * (uint32_t)octave->period[0];
  } else if (params->hash != PERLANE_HASH_LATTICE && number == 0) {
    axis.first_table = noise->table;
  }
  axis.plain = axis.hash == PERLANE_HASH_LATTICE && !axis.single && axis.period == 0;
  return axis;
}

/* ---- Arrays ---- */

/* With room for whole vectors. slope, b0 and b1 are NULL where they are not needed. */
struct axis_arrays {
  float *centred;         /* fade less 1/2 */
  float *a0, *a1;         /* the fade's part of the weight for the lower and the upper corner */
  uint32_t *word, *next;  /* hash words of the lower and the upper corner */
  float *slope, *b0, *b1; /* the derivatives of the fade, a0 and a1 by position */
};

/* The same of LANES positions. */
struct axis_lanes {
  vf centred, a0, a1;
  vi word, next;
  vf slope, b0, b1;
};

/* Floats that the arrays of one position take. */
enum { AXIS_FLOATS = 5, AXIS_SLOPE_FLOATS = 3 };

/* Lays the arrays of n positions, a multiple of LANES, out in `memory`, aligned to 64 bytes. */
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

PERLANE_INLINE struct axis_lanes axis_load(int slopes, const struct axis_arrays *from, size_t i) {
  struct axis_lanes axis = {.centred = f_load(from->centred + i),
                            .a0 = f_load(from->a0 + i),
                            .a1 = f_load(from->a1 + i),
                            .word = i_load(from->word + i),
                            .next = i_load(from->next + i)};
  if (slopes) {
    axis.slope = f_load(from->slope + i);
    axis.b0 = f_load(from->b0 + i);
    axis.b1 = f_load(from->b1 + i);
  }
  return axis;
}

PERLANE_INLINE vf fade_of(vf centred) {
  return f_add(f_set(0.5f), centred);
}

/* ---- First loop: places ---- */

/* They are kept where the loops that follow leave their results: the fraction in a0, the cells'
 * words in word and next. Where the next cell's word is 1 more it is left out. */
PERLANE_INLINE void place_store(const struct axis_arrays *to, size_t i, struct place place,
                                int both) {
  f_store(to->a0 + i, place.fraction);
  i_store(to->word + i, place.lower);
  if (both)
    i_store(to->next + i, place.upper);
}

/* A place that is not plain and near. */
PERLANE_INLINE struct place any_place(vd cells, int near, const struct axis *axis,
                                      const struct period *period) {
  vd cell;
  const vd rounding = d_set(axis->rounding);
  struct place place = near ? place_near(cells, rounding, &cell)
                            : place_far(cells, rounding, axis->hash == PERLANE_HASH_LATTICE, &cell);
  if (axis->period != 0) {
    place.lower = wrapped(cell, period);
    place.upper = wrapped_next(place.lower, period);
  }
  return place;
}

/* Positions of a grid: its samples from `start` on. */
struct grid_axis {
  const perlane_noise *noise;
  const struct perlane_region *grid;
  int number;
};

PERLANE_INLINE double magnitude(double v) {
  return v < 0 ? -v : v;
}

/* Whether all samples of a grid's axis are near at this frequency: its ends decide. */
static int grid_axis_is_near(const struct perlane_region *grid, int axis, double frequency) {
  const int64_t last = grid->first[axis] + (int64_t)(grid->count[axis] - 1);
  const double x0 = grid->origin[axis] + (double)grid->first[axis] * grid->step[axis];
  const double x1 = grid->origin[axis] + (double)last * grid->step[axis];
  return magnitude(x0 * frequency) < NEAR_CELLS && magnitude(x1 * frequency) < NEAR_CELLS;
}

/* `plain`, a constant: the axis is, and all positions are near. Sample indices are the sum of two
 * doubles, rounded once over all of int64: a multiple of 2^20, and the rest. */
PERLANE_INLINE void grid_places(int plain, const struct axis_arrays *arrays,
                                const struct grid_axis *of, size_t start, size_t n,
                                double frequency, int near, const struct axis *axis) {
  const struct axis_arrays to = *arrays;
  const struct perlane_region *grid = of->grid;
  const int64_t first = (int64_t)((uint64_t)grid->first[of->number] + start);
  const int64_t rest = first & 0xFFFFF;
  const vd base = d_set((double)(first - rest));
  const vd origin = d_set(grid->origin[of->number]), step = d_set(grid->step[of->number]);
  const vd frequencies = d_set(frequency), lanes = d_set(LANES);
  const vd rounding = d_set(axis->rounding);
  const struct period period = period_of(axis->period ? axis->period : 1);
  vd further = d_add(d_set((double)rest), d_lane_number());
  for (size_t i = 0; i < n; i += LANES) {
    const vd index = d_add(base, further);
    further = d_add(further, lanes);
    const vd cells = d_mul(d_add(origin, d_mul(index, step)), frequencies);
    vd cell;
    if (plain)
      place_store(&to, i, place_near(cells, rounding, &cell), 0);
    else
      place_store(&to, i, any_place(cells, near, axis, &period), 1);
  }
}

/* Positions of points along an axis, all inside the domain: floats if all are near, or doubles. */
struct positions {
  const float *near; /* NULL for doubles */
  const double *any;
};

/* Whole vectors are read and written. */
PERLANE_INLINE void point_places(int plain, int near, const struct axis_arrays *arrays,
                                 struct positions position, size_t n, double frequency,
                                 const struct axis *axis) {
  const struct axis_arrays to = *arrays;
  const vd frequencies = d_set(frequency), rounding = d_set(axis->rounding);
  const struct period period = period_of(axis->period ? axis->period : 1);
  for (size_t i = 0; i < n; i += LANES) {
    const vd x = near ? d_from_f(f_load(position.near + i)) : d_load(position.any + i);
    vd cell;
    if (plain)
      place_store(&to, i, place_near(d_mul(x, frequencies), rounding, &cell), 0);
    else
      place_store(&to, i, any_place(d_mul(x, frequencies), near, axis, &period), 1);
  }
}

/* ---- Second loop: hash words ---- */

/* Of a plain axis, near: the next cell's v is one addition away. */
static void plain_words(const struct axis_arrays *arrays, size_t n, const struct axis *axis) {
  const struct axis_arrays of = *arrays;
  const vi multiplier = i_set(axis->multiplier), key = i_set(axis->key);
  for (size_t i = 0; i < n; i += LANES) {
    const vi v = i_add(i_mul(i_load(of.word + i), multiplier), key);
    i_store(of.word + i, axis_word(v));
    i_store(of.next + i, axis_word(i_add(v, multiplier)));
  }
}

PERLANE_INLINE vi word_of_cell(vi cell, const struct axis *axis) {
  const vi multiplier = i_set(axis->multiplier), key = i_set(axis->key);
  switch (axis->hash) {
  case PERLANE_HASH_LATTICE:
    return axis_word(i_add(i_mul(cell, multiplier), key));
  case PERLANE_HASH_GRID:
    return i_mul(cell, multiplier);
  case PERLANE_HASH_PRIMES:
    return i_and(i_add(i_mul(cell, multiplier), key), i_set(1023));
  default: {
    const vi byte = i_and(i_add(cell, i_set(axis->shift)), i_set(0xFF));
    return axis->first_table ? i_look_up(axis->first_table, byte) : byte;
  }
  }
}

static void any_words(const struct axis_arrays *arrays, size_t n, const struct axis *axis) {
  for (size_t i = 0; i < n; i += LANES) {
    const vi word = word_of_cell(i_load(arrays->word + i), axis);
    const vi next = axis->single ? word : word_of_cell(i_load(arrays->next + i), axis);
    i_store(arrays->word + i, word);
    i_store(arrays->next + i, next);
  }
}

/* ---- Third loop: weights ---- */

/* The fade less 1/2 is what values are folded with, around their middle: more accurate than the
 * fade itself from one end, where the difference of the ends may be above 1 and is rounded
 * accordingly. */
PERLANE_INLINE void weights(int slopes, const struct axis_arrays *arrays, size_t n,
                            const struct axis *of) {
  const struct axis_arrays to = *arrays;
  const struct axis axis = *of;
  const vf one = f_set(1), amplitude = f_set(axis.amplitude), opposite = f_set(-axis.amplitude);
  for (size_t i = 0; i < n; i += LANES) {
    const vf t = f_load(to.a0 + i);
    const vf c = f_sub(t, f_set(0.5f));
    const vf rest = f_sub(one, t);
    const vf s = f_mul(t, rest);
    const vf bend = f_add(f_set(axis.fade1), f_mul(f_set(axis.fade2), s));
    const vf centred = f_add(c, f_mul(c, f_mul(s, bend)));
    const vf fade = fade_of(centred);
    f_store(to.centred + i, centred);
    f_store(to.a0 + i, f_mul(f_mul(t, f_sub(one, fade)), amplitude));
    f_store(to.a1 + i, f_mul(f_mul(rest, fade), opposite)); /* t - 1 is -rest */
    if (slopes) {
      const vf by_t = f_add(f_mul(f_add(f_mul(f_set(axis.slope2), s), f_set(axis.slope1)), s),
                            f_set(axis.slope0));
      const vf steepness = f_set(axis.steepness);
      f_store(to.slope + i, f_mul(by_t, f_set(axis.frequency)));
      f_store(to.b0 + i, f_mul(f_sub(f_sub(one, fade), f_mul(t, by_t)), steepness));
      f_store(to.b1 + i, f_mul(f_add(fade, f_mul(f_sub(t, one), by_t)), steepness));
    }
  }
}

/* ---- The pass ---- */

/* The second and the third loop. */
static void hash_and_weigh(const struct axis_arrays *to, size_t n, int near,
                           const struct axis *axis) {
  if (axis->plain && near)
    plain_words(to, n, axis);
  else
    any_words(to, n, axis);
  if (to->slope)
    weights(1, to, n, axis);
  else
    weights(0, to, n, axis);
}

/* Samples start .. start + n - 1 of a grid's axis, in one octave. Whole vectors are written: lanes
 * past n hold what lies beyond. */
static void grid_axis_pass(const struct axis_arrays *to, const struct grid_axis *of, size_t start,
                           size_t n, const struct perlane_octave *octave) {
  const struct axis axis = axis_of(of->noise, octave, of->grid->dims, of->number);
  const int near = grid_axis_is_near(of->grid, of->number, octave->frequency);
  if (axis.plain && near)
    grid_places(1, to, of, start, n, octave->frequency, 1, &axis);
  else
    grid_places(0, to, of, start, n, octave->frequency, near, &axis);
  hash_and_weigh(to, n, near, &axis);
}

/* n coordinates along an axis, in one octave; whole vectors are read and written. */
static void point_axis_pass(const struct axis_arrays *to, struct positions position, size_t n,
                            const struct perlane_octave *octave, const struct axis *axis) {
  const int near = position.near != NULL;
#define PLACES(plain, near) point_places(plain, near, to, position, n, octave->frequency, axis)
  if (near && axis->plain)
    PLACES(1, 1);
  else if (near)
    PLACES(0, 1);
  else
    PLACES(0, 0);
#undef PLACES
  hash_and_weigh(to, n, near, axis);
}

#endif
