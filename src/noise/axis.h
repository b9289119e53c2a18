/* SPDX-License-Identifier: MIT
 *
 * What one axis contributes to all corners of a cell: weights from the fraction, hash words from
 * the cell. The axis pass computes it at each of a run of positions and keeps it in arrays: a grid
 * makes it once for its columns, rows, planes; a list of points for each of its blocks.
 */

/* Where the corners of a cell find their gradients. A constant wherever it is passed. */
enum source {
  SOURCE_QUICK,  /* the lattice hash, and a gradient set that fits in registers */
  SOURCE_LOOKUP, /* any hash, and gradients from memory */
  SOURCE_VALUES, /* any hash, and values instead of gradients: the other bases */
};

struct axis_lanes {
  vf centred;       /* fade less 1/2 */
  vf a0, a1;        /* the fade's part of the weight for the lower and the upper corner */
  vi word, next;    /* hash words of the lower and the upper corner */
  vf slope, b0, b1; /* the derivatives of the fade, a0 and a1 by position; only where wanted */
};

/* The hash of an axis in one octave, in every lane. */
struct axis_hash {
  perlane_hash kind;
  vi multiplier, key; /* key: what is added to the product */
  vi shift;
  const uint8_t *first_table; /* looked up at once along x; NULL otherwise */
  int single;                 /* one value for the cell: the upper corner is the lower one */
  int periodic;
  struct period period;
};

/* An axis in one octave, in every lane. */
struct axis_constants {
  vf amplitude, fade1, fade2;
  vf slope0, slope1, slope2, frequency, steepness; /* for the derivatives */
  struct axis_hash hash;
};

/* The fade is 1/2 + c + c * s * (fade1 + fade2 * s) with c = t - 1/2, s = t * (1 - t). */
PERLANE_INLINE struct axis_constants axis_constants(const perlane_noise *noise,
                                                    const struct perlane_octave *octave, int dims,
                                                    int axis) {
  static const uint32_t lattice[PERLANE_MAX_DIMS] = {0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35,
                                                     0x27D4EB2F};
  static const float fade1[PERLANE_FADE_COUNT] = {2, 2, 0}, fade2[PERLANE_FADE_COUNT] = {6, 0, 0};
  const perlane_params *params = &noise->params;
  const float amplitude = octave->amplitude[dims - 1];
  const float one = fade1[params->fade], two = fade2[params->fade];
  struct axis_constants constants; /* not initialised as a whole: a period takes long to clear */
  constants.amplitude = f_set(amplitude);
  constants.fade1 = f_set(one);
  constants.fade2 = f_set(two);
  constants.slope0 = f_set(1 - 0.5f * one);
  constants.slope1 = f_set(3 * one - two);
  constants.slope2 = f_set(5 * two);
  constants.frequency = f_set((float)octave->frequency);
  constants.steepness = f_set((float)((double)amplitude * octave->frequency));
  struct axis_hash *hash = &constants.hash;
  hash->kind = params->hash;
  hash->multiplier = i_set(lattice[axis]);
  hash->key = i_set(octave->key[axis]);
  hash->shift = i_set(octave->shift[axis]);
  hash->first_table = NULL;
  hash->single = params->basis >= PERLANE_BASIS_WHITE;
  hash->periodic = octave->period[axis] != 0;
  if (hash->periodic)
    hash->period = period_of(octave->period[axis]);
  if (params->hash == PERLANE_HASH_PRIMES) {
    hash->multiplier = i_set(axis == 0 ? 1836311903 : (uint32_t)2971215073);
    hash->key = i_set(axis == 0 ? 0 : (uint32_t)4807526976);
  } else if (params->hash == PERLANE_HASH_GRID) {
    hash->multiplier = i_set(axis == 0 ? 2 : 2 * (uint32_t)octave->period[0]);
  } else if (params->hash != PERLANE_HASH_LATTICE && axis == 0) {
    hash->first_table = noise->table;
  }
  return constants;
}

/* 2.4: one axis' share of the lattice hash, of the cell's product with the axis' multiplier. */
PERLANE_INLINE vi axis_word(vi product, vi key) {
  vi v = i_add(product, key);
  v = i_xor(v, i_shift_right(v, 15));
  v = i_mul(v, i_set(0x2C1B3C6D));
  return i_xor(v, i_shift_right(v, 13));
}

PERLANE_INLINE vi folded(vi low, vi high) {
  return i_xor(low, i_mul(high, i_set(0x9E3779B1)));
}

struct axis_words {
  vi lower, upper;
};

/* Of the lattice hash without a period. Near, the next cell's product is one addition away. */
PERLANE_INLINE struct axis_words lattice_words(int near, struct place place,
                                               const struct axis_hash *hash) {
  if (near) {
    const vi product = i_mul(place.low, hash->multiplier);
    return (struct axis_words){axis_word(product, hash->key),
                               axis_word(i_add(product, hash->multiplier), hash->key)};
  }
  const vi lower = folded(place.low, place.high);
  const vi upper = folded(i_add(place.low, i_set(1)), place.next_high);
  return (struct axis_words){axis_word(i_mul(lower, hash->multiplier), hash->key),
                             axis_word(i_mul(upper, hash->multiplier), hash->key)};
}

PERLANE_INLINE vi word_of_cell(vi cell, const struct axis_hash *hash) {
  switch (hash->kind) {
  case PERLANE_HASH_LATTICE:
    return axis_word(i_mul(cell, hash->multiplier), hash->key);
  case PERLANE_HASH_GRID:
    return i_mul(cell, hash->multiplier);
  case PERLANE_HASH_PRIMES:
    return i_and(i_add(i_mul(cell, hash->multiplier), hash->key), i_set(1023));
  default: {
    const vi byte = i_and(i_add(cell, hash->shift), i_set(0xFF));
    return hash->first_table ? i_look_up(hash->first_table, byte) : byte;
  }
  }
}

/* Of any hash. */
PERLANE_INLINE struct axis_words any_words(int near, struct place place, vd cell,
                                           const struct axis_hash *hash) {
  vi lower = place.low, upper = i_add(place.low, i_set(1));
  if (hash->periodic) {
    lower = wrapped(cell, &hash->period);
    upper = wrapped_next(lower, &hash->period);
  } else if (!near && hash->kind == PERLANE_HASH_LATTICE) {
    lower = folded(lower, place.high);
    upper = folded(upper, place.next_high);
  }
  const vi word = word_of_cell(lower, hash);
  return (struct axis_words){word, hash->single ? word : word_of_cell(upper, hash)};
}

/* The weights at a fraction t of the cell. The fade less 1/2 is what values are folded with, around
 * their middle: more accurate than the fade itself from one end, where the difference of the ends
 * may be above 1 and is rounded accordingly. */
PERLANE_INLINE struct axis_lanes axis_weights(int slopes, vf t,
                                              const struct axis_constants *constants) {
  struct axis_lanes axis;
  const vf one = f_set(1.0f);
  const vf c = f_sub(t, f_set(0.5f));
  const vf s = f_mul(t, f_sub(one, t));
  const vf bend = f_add(constants->fade1, f_mul(constants->fade2, s));
  axis.centred = f_add(c, f_mul(c, f_mul(s, bend)));
  const vf fade = f_add(f_set(0.5f), axis.centred);
  axis.a0 = f_mul(f_mul(t, f_sub(one, fade)), constants->amplitude);
  axis.a1 = f_mul(f_mul(f_sub(t, one), fade), constants->amplitude);
  if (slopes) {
    const vf slope =
        f_add(f_mul(f_add(f_mul(constants->slope2, s), constants->slope1), s), constants->slope0);
    axis.slope = f_mul(slope, constants->frequency);
    axis.b0 = f_mul(f_sub(f_sub(one, fade), f_mul(t, slope)), constants->steepness);
    axis.b1 = f_mul(f_add(fade, f_mul(f_sub(t, one), slope)), constants->steepness);
  }
  return axis;
}

PERLANE_INLINE vf fade_of(vf centred) {
  return f_add(f_set(0.5f), centred);
}

/* How a run of positions finds its places. */
enum reach {
  REACH_FAR,        /* somewhere a position is not near */
  REACH_NEAR,       /* all near */
  REACH_NEAR_FLOAT, /* all near, and position * frequency is exact in float: no cells in double */
};

PERLANE_INLINE struct axis_lanes axis_at(enum source source, int slopes, enum reach reach,
                                         struct place place, vd cell,
                                         const struct axis_constants *constants) {
  struct axis_lanes axis = axis_weights(slopes, place.fraction, constants);
  const int near = reach != REACH_FAR;
  const struct axis_words words = source == SOURCE_QUICK
                                      ? lattice_words(near, place, &constants->hash)
                                      : any_words(near, place, cell, &constants->hash);
  axis.word = words.lower;
  axis.next = words.upper;
  return axis;
}

/* ---- Arrays ---- */

/* With room for whole vectors. slope, b0 and b1 are NULL where they are not needed. */
struct axis_arrays {
  float *centred, *a0, *a1;
  uint32_t *word, *next;
  float *slope, *b0, *b1;
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

PERLANE_INLINE void axis_store(int slopes, const struct axis_arrays *to, size_t i,
                               struct axis_lanes axis) {
  f_store(to->centred + i, axis.centred);
  f_store(to->a0 + i, axis.a0);
  f_store(to->a1 + i, axis.a1);
  i_store(to->word + i, axis.word);
  i_store(to->next + i, axis.next);
  if (slopes) {
    f_store(to->slope + i, axis.slope);
    f_store(to->b0 + i, axis.b0);
    f_store(to->b1 + i, axis.b1);
  }
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

/* ---- The pass over a grid's axis ---- */

/* (double)(index + 0), (double)(index + 1), ...: each rounded once, over all of int64. A multiple
 * of 2^20 below 2^63 is exact in a double, and so is what is left of the index. */
PERLANE_INLINE vd lane_indices(int64_t index) {
  const int64_t rest = index & 0xFFFFF;
  return d_add(d_set((double)(index - rest)), d_add(d_set((double)rest), d_lane_number()));
}

PERLANE_INLINE double magnitude(double v) {
  return v < 0 ? -v : v;
}

/* Whether all samples of a grid's axis are near at this frequency: its ends decide. */
PERLANE_INLINE int grid_axis_is_near(const perlane_grid *grid, int axis, double frequency) {
  const int64_t last = grid->first[axis] + (int64_t)(grid->count[axis] - 1);
  const double x0 = grid->origin[axis] + (double)grid->first[axis] * grid->step[axis];
  const double x1 = grid->origin[axis] + (double)last * grid->step[axis];
  return magnitude(x0 * frequency) < NEAR_CELLS && magnitude(x1 * frequency) < NEAR_CELLS;
}

struct grid_axis {
  const perlane_noise *noise;
  const perlane_grid *grid;
  int axis;
};

/* Samples start .. start + n - 1 of the axis, in one octave. Whole vectors are written: lanes past
 * n hold what lies beyond. */
PERLANE_INLINE void axis_pass_grid(enum source source, int slopes, const struct axis_arrays *to,
                                   const struct grid_axis *of, size_t start, size_t n,
                                   const struct perlane_octave *octave) {
  const perlane_grid *grid = of->grid;
  const int64_t first = (int64_t)((uint64_t)grid->first[of->axis] + start);
  const vd origin = d_set(grid->origin[of->axis]), step = d_set(grid->step[of->axis]);
  const vd frequency = d_set(octave->frequency);
  const struct axis_constants constants = axis_constants(of->noise, octave, grid->dims, of->axis);
  const struct axis_arrays out = *to;
  const int near = grid_axis_is_near(grid, of->axis, octave->frequency);
  for (size_t i = 0; i < n; i += LANES) {
    const vd index = lane_indices(first + (int64_t)i);
    const vd cells = d_mul(d_add(origin, d_mul(index, step)), frequency);
    vd cell;
    if (near) {
      const struct place place = place_near(cells, &cell);
      axis_store(slopes, &out, i, axis_at(source, slopes, REACH_NEAR, place, cell, &constants));
    } else {
      const struct place place = place_far(cells, &cell);
      axis_store(slopes, &out, i, axis_at(source, slopes, REACH_FAR, place, cell, &constants));
    }
  }
}

static void axis_pass(enum source source, const struct axis_arrays *to, const struct grid_axis *of,
                      size_t start, size_t n, const struct perlane_octave *octave) {
  if (to->slope)
    axis_pass_grid(SOURCE_LOOKUP, 1, to, of, start, n, octave);
  else if (source == SOURCE_QUICK)
    axis_pass_grid(SOURCE_QUICK, 0, to, of, start, n, octave);
  else
    axis_pass_grid(SOURCE_LOOKUP, 0, to, of, start, n, octave);
}

/* ---- The pass over a block of points ---- */

/* n float coordinates, all inside the domain; whole vectors are read and written. */
PERLANE_INLINE void axis_pass_points(enum source source, int slopes, enum reach reach,
                                     const struct axis_arrays *to, const float *position, size_t n,
                                     const struct axis_constants *of,
                                     const struct perlane_octave *octave) {
  const struct axis_constants constants = *of; /* stores might change what is in memory */
  const struct axis_arrays out = *to;
  const vf frequency_f = f_set((float)octave->frequency);
  const vd frequency = d_set(octave->frequency);
  for (size_t i = 0; i < n; i += LANES) {
    const vf x = f_load(position + i);
    vd cell = d_set(0);
    struct place place;
    if (reach == REACH_NEAR_FLOAT)
      place = place_near_float(f_mul(x, frequency_f));
    else if (reach == REACH_NEAR)
      place = place_near(d_mul(d_from_f(x), frequency), &cell);
    else
      place = place_far(d_mul(d_from_f(x), frequency), &cell);
    axis_store(slopes, &out, i, axis_at(source, slopes, reach, place, cell, &constants));
  }
}

/* The cases that are worth a loop of their own. */
static void axis_pass_points_by(enum source source, int slopes, enum reach reach,
                                const struct axis_arrays *to, const float *position, size_t n,
                                const struct axis_constants *constants,
                                const struct perlane_octave *octave) {
#define PASS(source, slopes, reach)                                                                \
  axis_pass_points(source, slopes, reach, to, position, n, constants, octave)
  if (source == SOURCE_QUICK && reach == REACH_NEAR_FLOAT)
    PASS(SOURCE_QUICK, 0, REACH_NEAR_FLOAT);
  else if (source == SOURCE_QUICK && reach == REACH_NEAR)
    PASS(SOURCE_QUICK, 0, REACH_NEAR);
  else if (reach == REACH_NEAR_FLOAT)
    slopes ? PASS(SOURCE_LOOKUP, 1, REACH_NEAR_FLOAT) : PASS(SOURCE_LOOKUP, 0, REACH_NEAR_FLOAT);
  else if (reach == REACH_NEAR)
    slopes ? PASS(SOURCE_LOOKUP, 1, REACH_NEAR) : PASS(SOURCE_LOOKUP, 0, REACH_NEAR);
  else
    slopes ? PASS(SOURCE_LOOKUP, 1, REACH_FAR) : PASS(SOURCE_LOOKUP, 0, REACH_FAR);
#undef PASS
}
