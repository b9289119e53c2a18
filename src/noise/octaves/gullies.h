/* SPDX-License-Identifier: MIT
 *
 * Gullies carved into the sum of the octaves (docs/specification.md, 2.22).
 *
 * An octave of gullies is a sum over the 4 x 4 cells around a sample: each has a pivot, and adds a
 * wave across the slope, weighted by the distance to the pivot. The pivots depend on the cells
 * alone, so they are made once for a vector of columns and the sample rows of a row of cells. Those
 * whose weight is 0 at all of these samples, about half of them, are left out: what they would add
 * is 0. Octaves are the outer loop: each bends the slope of the next one, and a sample's state
 * waits in memory.
 */
#ifndef PERLANE_NOISE_OCTAVES_GULLIES_H
#define PERLANE_NOISE_OCTAVES_GULLIES_H

#include "../../field.h"
#include "../lattice/split.h"
#include "../lattice/values.h"
#include "../samples.h"

enum {
  GULLY_CELLS = 4, /* along each axis, from 1 before the sample's own on */
  GULLY_PIVOTS = GULLY_CELLS * GULLY_CELLS,
};
_Static_assert((int)GULLY_ROWS >= LANES, "rows are whole vectors");

/* Positions along an axis in an octave: fractions, and the words of the cells around. */
struct gully_axis {
  float fraction[GULLY_ROWS];
  uint32_t word[GULLY_CELLS][GULLY_ROWS];
};

/* The pivots around a vector of columns in sample rows of a row of cells: the distance along x and
 * its square, and the pivot's distance along y from its cell's corner; and the numbers of those
 * within reach. */
struct pivots {
  float x[GULLY_PIVOTS][LANES], square[GULLY_PIVOTS][LANES], y[GULLY_PIVOTS][LANES];
  size_t count;
  uint32_t near[GULLY_PIVOTS];
};

/* The state of rows of a vector of columns between octaves, besides their values: T and M. The
 * slopes of samples are unit vectors between octaves. */
struct gully_state {
  float ridge[GULLY_ROWS][LANES], strength[GULLY_ROWS][LANES];
};

/* Up to GULLY_ROWS positions, as d_store stores them. */
static PERLANE_NOINLINE void gully_axis_pass(struct gully_axis *to,
                                             const struct perlane_octave *octave, int number,
                                             const double *position, size_t n) {
  const struct axis axis = {.hash = PERLANE_HASH_LATTICE,
                            .multiplier = AXIS_MULTIPLIERS[number],
                            .frequency = octave->frequency,
                            .start = axis_start(octave, number),
                            .key = octave->key[number],
                            .period = octave->period[number]};
  const struct split_arrays split = {to->fraction,
                                     {to->word[0], to->word[1], to->word[2], to->word[3]}};
  split_run_around(&split, -1, GULLY_CELLS - 2, position, n, 0, &axis);
}

/* Distances are in units of a pivot's reach. */
#define GULLY_UNITS 0.671875f

/* The distance along an axis from a cell's lower corner to samples with these fractions. */
PERLANE_INLINE vf from_corner(vf fraction, int cell) {
  return f_mul(f_sub(fraction, f_set((float)(cell - 1))), f_set(GULLY_UNITS));
}

/* Finds the pivots within reach of a vector of columns in sample rows `first` to `last`, whose
 * words along y are the same; or with `is_list` all those around a vector of a list, of which few
 * are out of reach. Roundings are monotonic, so no sample between the least fraction and the most
 * is nearer than the nearer of them. (With a period of one cell, rows of any cells have the same
 * words.) */
static PERLANE_NOINLINE void find_pivots(struct pivots *to, const struct gully_axis *x,
                                         const struct gully_axis *y, int is_list, size_t first,
                                         size_t last) {
  const vf half = f_set(0.5f), bit = f_set(0x1p-16f), units = f_set(GULLY_UNITS), none = f_set(0);
  const size_t i = is_list ? first * LANES : 0;
  float least = y->fraction[first], most = least;
  for (size_t r = first + 1; !is_list && r <= last; r++) {
    least = y->fraction[r] < least ? y->fraction[r] : least;
    most = y->fraction[r] > most ? y->fraction[r] : most;
  }
  const vf y0 = is_list ? f_load(y->fraction + i) : f_set(least), y1 = is_list ? y0 : f_set(most);
  float corner[GULLY_CELLS][LANES];
  size_t count = 0;
  for (int p = 0; p < GULLY_CELLS; p++)
    f_store(corner[p], from_corner(f_load(x->fraction + i), p));
  for (int o = 0; o < GULLY_CELLS; o++) {
    const vi y_word = is_list ? i_load(y->word[o] + i) : i_set(y->word[o][first]);
    const vf low = from_corner(y0, o), high = from_corner(y1, o);
    PERLANE_UNROLL for (int p = 0; p < GULLY_CELLS; p++) {
      const int q = GULLY_CELLS * o + p;
      const vi h = full_mix(i_add(i_load(x->word[p] + i), y_word));
      const vf at_x = f_sub(f_mul(f_from_i(i_shift_right(h, 16)), bit), half);
      const vf at_y = f_sub(f_mul(f_from_i(i_and(h, i_set(0xFFFF))), bit), half);
      const vf vx = f_sub(f_load(corner[p]), f_mul(at_x, units)), square = f_mul(vx, vx);
      const vf pivot_y = f_mul(at_y, units);
      const vf vy = f_max(f_max(f_sub(low, pivot_y), f_sub(pivot_y, high)), none);
      f_store(to->x[q], vx);
      f_store(to->square[q], square);
      f_store(to->y[q], pivot_y);
      to->near[count] = (uint32_t)q;
      count += is_list || !i_all(f_not_above(f_set(1), f_add(square, f_mul(vy, vy))));
    }
  }
  to->count = count;
}

/* S and C. */
struct stripes {
  vf sine, cosine;
};

/* The stripes at samples with fraction y, across the unit vector (ux, uy). */
PERLANE_INLINE struct stripes stripes_at(const struct pivots *pivots, vf y, vf ux, vf uy) {
  const vf one = f_set(1), none = f_set(0), quarter = f_set(0.25f), half = f_set(0.5f);
  const vf whole = f_set(12582912), across_x = f_mul(ux, f_set(1.5f));
  const vf across_y = f_mul(uy, f_set(1.5f));
  float corner[GULLY_CELLS][LANES];
  vf sines = none, cosines = none, weights = none;
  for (int o = 0; o < GULLY_CELLS; o++)
    f_store(corner[o], from_corner(y, o));
  for (size_t k = 0; k < pivots->count; k++) {
    const uint32_t p = pivots->near[k];
    const vf vx = f_load(pivots->x[p]);
    const vf vy = f_sub(f_load(corner[p / GULLY_CELLS]), f_load(pivots->y[p]));
    const vf square = f_add(f_load(pivots->square[p]), f_mul(vy, vy));
    const vf near = f_max(f_sub(one, square), none), w = f_mul(near, near);
    const vf t = f_add(f_mul(vx, across_x), f_mul(vy, across_y));
    const vf turn = f_sub(t, f_sub(f_add(t, whole), whole));
    const vf a = magnitude_of(turn), z = f_sub(quarter, a);
    cosines = f_add(cosines, f_mul(w, f_mul(turn, f_sub(half, a))));
    sines = f_add(sines, f_mul(w, f_mul(z, f_sub(half, magnitude_of(z)))));
    weights = f_add(weights, w);
  }
  const vf length = f_sqrt(f_add(f_mul(sines, sines), f_mul(cosines, cosines)));
  const vf scale = f_div(one, f_max(f_mul(f_set(0.03125f), weights), length));
  return (struct stripes){f_mul(sines, scale), f_mul(cosines, scale)};
}

PERLANE_INLINE vf within(vf v, float limit) {
  return f_max(f_min(v, f_set(limit)), f_set(-limit));
}

/* A slope's direction, or 0, and its length. */
struct steering {
  vf x, y, length;
};

PERLANE_INLINE struct steering steer(vf x, vf y) {
  const vf length = f_sqrt(f_add(f_mul(x, x), f_mul(y, y)));
  const vi is_flat = f_not_above(length, f_set(0)), all = i_set(0xFFFFFFFF);
  const vf unit = f_bits(i_and(i_xor(is_flat, all), i_bits(f_div(f_set(1), length))));
  return (struct steering){f_mul(x, unit), f_mul(y, unit), length};
}

/* x * (2 - x) */
PERLANE_INLINE vf eased(vf x) {
  return f_mul(x, f_sub(f_set(2), x));
}

/* Begins the state of `rows` rows. */
static PERLANE_NOINLINE void begin_carving(const struct perlane_gullies *gullies, size_t rows,
                                           size_t pitch, struct gully_state *state,
                                           const struct samples *samples) {
  const vf height = f_set(gullies->height), steepness = f_set(gullies->steepness);
  for (size_t r = 0; r < rows; r++) {
    float *const x = samples->array[1] + r * pitch, *const y = samples->array[2] + r * pitch;
    const struct steering down = steer(within(f_mul(f_load(x), steepness), 0x1p60f),
                                       within(f_mul(f_load(y), steepness), 0x1p60f));
    f_store(state->ridge[r], within(f_mul(f_load(samples->array[0] + r * pitch), height), 1));
    f_store(state->strength[r], eased(f_min(down.length, f_set(1))));
    f_store(x, down.x);
    f_store(y, down.y);
  }
}

/* Carves octave j into sample rows first .. last of a vector of columns, or into a list. */
static PERLANE_NOINLINE void carve_octave(const struct perlane_gullies *gullies, int j,
                                          const struct pivots *pivots, const float *fraction,
                                          int is_list, size_t first, size_t last, size_t pitch,
                                          struct gully_state *state,
                                          const struct samples *samples) {
  const int is_last = j == gullies->octaves - 1, is_ridge = gullies->is_ridge && is_last;
  const vf depth = f_set(gullies->depth[j]);
  for (size_t r = first; r <= last; r++) {
    float *const value = samples->array[0] + r * pitch;
    float *const x = samples->array[1] + r * pitch, *const y = samples->array[2] + r * pitch;
    const vf dx = f_load(x), dy = f_load(y), M = f_load(state->strength[r]);
    const vf ux = negative_of(dy), uy = dx;
    const vf at_y = is_list ? f_load(fraction + r * LANES) : f_set(fraction[r]);
    const struct stripes at = stripes_at(pivots, at_y, ux, uy);
    const vf before = f_load(state->ridge[r]);
    const vf T = f_add(before, f_mul(f_sub(at.cosine, before), M));
    f_store(value, is_ridge ? T : f_add(f_load(value), f_mul(depth, T)));
    if (is_last)
      continue;
    const vf angle = f_mul(f_set(0.4375f), M);
    const vf turn = f_select_below(f_set(0), at.sine, negative_of(angle), angle);
    const struct steering down = steer(f_add(dx, f_mul(turn, ux)), f_add(dy, f_mul(turn, uy)));
    const vf open = f_min(f_mul(f_set(2.75f), magnitude_of(at.sine)), f_set(1));
    f_store(x, down.x);
    f_store(y, down.y);
    f_store(state->ridge[r], T);
    f_store(state->strength[r], f_mul(eased(M), eased(open)));
  }
}

/* Returns the last of the rows from r on that are in the same row of cells. */
PERLANE_INLINE size_t last_in_cells(const struct gully_axis *y, size_t r, size_t rows) {
  for (; r + 1 < rows; r++)
    for (int o = 0; o < GULLY_CELLS; o++)
      if (y->word[o][r + 1] != y->word[o][r])
        return r;
  return r;
}

/* Carves up to GULLY_ROWS rows, `pitch` floats apart, of a vector of samples at positions x, which
 * d_store has stored; and y, of each row. With `is_list` up to GULLY_ROWS samples in vectors, each
 * with its own x and y. Overwrites the slopes. */
static PERLANE_NOINLINE void carve(const struct perlane_gullies *gullies, const double *x,
                                   const double *y, int is_list, size_t rows, size_t pitch,
                                   const struct samples *samples) {
  struct gully_axis columns, lines;
  struct gully_state state;
  struct pivots pivots;
  begin_carving(gullies, rows, pitch, &state, samples);
  for (int j = 0; j < gullies->octaves; j++) {
    const struct perlane_octave *octave = &gullies->octave[j];
    gully_axis_pass(&columns, octave, 0, x, is_list ? rows * LANES : LANES);
    gully_axis_pass(&lines, octave, 1, y, is_list ? rows * LANES : rows);
    for (size_t r = 0, last; r < rows; r = last + 1) {
      last = is_list ? r : last_in_cells(&lines, r, rows);
      find_pivots(&pivots, &columns, &lines, is_list, r, last);
      carve_octave(gullies, j, &pivots, lines.fraction, is_list, r, last, pitch, &state, samples);
    }
  }
}

#endif
