/* SPDX-License-Identifier: MIT
 *
 * Gullies carved into the sum of the octaves (docs/specification.md, 2.22).
 *
 * An octave of gullies is a sum over the 4 x 4 cells around a sample: each has a pivot, and adds a
 * wave across the slope, weighted by the distance to the pivot. The pivots depend on the cell
 * alone, so they are made once for the columns of a row of cells, and shared by its sample rows;
 * what is left is 24 operations for each pivot. Octaves are the outer loop: each bends the slope
 * of the next one, and a sample's state waits in memory.
 */
#ifndef PERLANE_NOISE_OCTAVES_GULLIES_H
#define PERLANE_NOISE_OCTAVES_GULLIES_H

#include "../../field.h"
#include "../lattice/around.h"
#include "../lattice/values.h"
#include "../samples.h"
#include "curve.h"

enum {
  GULLY_CELLS = 4, /* along each axis, from 1 before the sample's own on */
  GULLY_PIVOTS = GULLY_CELLS * GULLY_CELLS,
  GULLY_COLUMNS = 16,
  GULLY_ROWS = 8
};

/* Positions along an axis in an octave: fractions, and the words of the cells around. */
struct gully_axis {
  float fraction[GULLY_COLUMNS];
  uint32_t word[GULLY_CELLS][GULLY_COLUMNS];
};

/* The pivots around columns of samples in a row of cells: the distance along x, and the pivot's
 * distance along y from its cell's corner. */
struct pivots {
  float x[GULLY_PIVOTS][GULLY_COLUMNS], y[GULLY_PIVOTS][GULLY_COLUMNS];
};

/* The state of samples between octaves, besides their values and slopes: T and M. */
struct gully_state {
  float ridge[GULLY_ROWS][GULLY_COLUMNS], strength[GULLY_ROWS][GULLY_COLUMNS];
};

/* Up to GULLY_COLUMNS positions, as d_store stores them. */
static PERLANE_NOINLINE void gully_axis_pass(struct gully_axis *to,
                                             const struct perlane_octave *octave, int number,
                                             const double *position, size_t n) {
  const struct axis axis = {.number = number,
                            .hash = PERLANE_HASH_LATTICE,
                            .multiplier = AXIS_MULTIPLIERS[number],
                            .frequency = octave->frequency,
                            .rounding = ROUNDING_TERM + octave->phase[number] * 0x1p-24,
                            .key = octave->key[number],
                            .period = octave->period[number]};
  for (size_t i = 0; i < n; i += LANES) {
    struct cells_around around;
    cells_around(&around, &axis, position + i, GULLY_CELLS / 2);
    f_store(to->fraction + i, around.fraction);
    for (int o = 0; o < GULLY_CELLS; o++)
      i_store(to->word[o] + i, around.word[MAX_REACH - 1 + o]);
  }
}

/* Distances are in units of a pivot's reach. */
#define GULLY_UNITS 0.671875f

/* The pivots around n columns, whose cells along y are those of sample r, or with `is_list` of the
 * columns themselves. */
static PERLANE_NOINLINE void make_pivots(struct pivots *to, const struct gully_axis *x,
                                         const struct gully_axis *y, int is_list, size_t r,
                                         size_t n) {
  const vf half = f_set(0.5f), bit = f_set(0x1p-16f), units = f_set(GULLY_UNITS);
  for (int o = 0; o < GULLY_CELLS; o++)
    for (size_t i = 0; i < n; i += LANES) {
      const vi y_word = is_list ? i_load(y->word[o] + i) : i_set(y->word[o][r]);
      for (int p = 0; p < GULLY_CELLS; p++) {
        const vi h = full_mix(i_add(i_load(x->word[p] + i), y_word));
        const vf at_x = f_sub(f_mul(f_from_i(i_shift_right(h, 16)), bit), half);
        const vf at_y = f_sub(f_mul(f_from_i(i_and(h, i_set(0xFFFF))), bit), half);
        const vf from = f_sub(f_load(x->fraction + i), f_set((float)(p - 1)));
        f_store(to->x[GULLY_CELLS * o + p] + i, f_sub(f_mul(from, units), f_mul(at_x, units)));
        f_store(to->y[GULLY_CELLS * o + p] + i, f_mul(at_y, units));
      }
    }
}

/* S and C. */
struct stripes {
  vf sine, cosine;
};

/* The stripes at columns i and on, across the unit vector (ux, uy); y is their fraction. */
PERLANE_INLINE struct stripes stripes_at(const struct pivots *pivots, size_t i, vf y, vf ux,
                                         vf uy) {
  const vf one = f_set(1), none = f_set(0), quarter = f_set(0.25f), half = f_set(0.5f);
  const vf whole = f_set(12582912), across_x = f_mul(ux, f_set(1.5f));
  const vf across_y = f_mul(uy, f_set(1.5f));
  vf sines = none, cosines = none, weights = none;
  for (int o = 0; o < GULLY_CELLS; o++) {
    const vf from = f_mul(f_sub(y, f_set((float)(o - 1))), f_set(GULLY_UNITS));
    for (int p = GULLY_CELLS * o; p < GULLY_CELLS * (o + 1); p++) {
      const vf vx = f_load(pivots->x[p] + i), vy = f_sub(from, f_load(pivots->y[p] + i));
      const vf square = f_add(f_mul(vx, vx), f_mul(vy, vy));
      const vf near = f_max(f_sub(one, square), none), w = f_mul(near, near);
      const vf t = f_add(f_mul(vx, across_x), f_mul(vy, across_y));
      const vf turn = f_sub(t, f_sub(f_add(t, whole), whole));
      const vf a = magnitude_of(turn), z = f_sub(quarter, a);
      cosines = f_add(cosines, f_mul(w, f_mul(turn, f_sub(half, a))));
      sines = f_add(sines, f_mul(w, f_mul(z, f_sub(half, magnitude_of(z)))));
      weights = f_add(weights, w);
    }
  }
  const vf length = f_sqrt(f_add(f_mul(sines, sines), f_mul(cosines, cosines)));
  const vf scale = f_div(one, f_max(f_mul(f_set(0.03125f), weights), length));
  return (struct stripes){f_mul(sines, scale), f_mul(cosines, scale)};
}

PERLANE_INLINE vf within(vf v, float limit) {
  return f_max(f_min(v, f_set(limit)), f_set(-limit));
}

/* Carves octave j into a row of n samples. The state is that of the row. */
static PERLANE_NOINLINE void carve_row(const struct perlane_gullies *gullies, int j,
                                       const struct pivots *pivots, const float *fraction,
                                       int is_list, float *ridge, float *strength, size_t n,
                                       const struct samples *samples) {
  const vf one = f_set(1), two = f_set(2), none = f_set(0), depth = f_set(gullies->depth[j]);
  const int is_ridge = gullies->is_ridge && j == gullies->octaves - 1;
  for (size_t i = 0; i < n; i += LANES) {
    vf v = f_load(samples->array[0] + i);
    vf dx = f_load(samples->array[1] + i), dy = f_load(samples->array[2] + i), T, M;
    if (j == 0) {
      const vf steepness = f_set(gullies->steepness);
      dx = within(f_mul(dx, steepness), 0x1p60f);
      dy = within(f_mul(dy, steepness), 0x1p60f);
    }
    const vf length = f_sqrt(f_add(f_mul(dx, dx), f_mul(dy, dy)));
    if (j == 0) {
      const vf m = f_min(length, one);
      T = within(f_mul(v, f_set(gullies->height)), 1);
      M = f_mul(m, f_sub(two, m));
    } else {
      T = f_load(ridge + i);
      M = f_load(strength + i);
    }
    const vf unit = f_bits(
        i_and(i_xor(f_not_above(length, none), i_set(0xFFFFFFFF)), i_bits(f_div(one, length))));
    dx = f_mul(dx, unit);
    dy = f_mul(dy, unit);
    const vf ux = f_bits(i_xor(i_bits(dy), i_set(0x80000000))), uy = dx;
    const vf y = is_list ? f_load(fraction + i) : f_set(*fraction);
    const struct stripes at = stripes_at(pivots, i, y, ux, uy);
    T = f_add(T, f_mul(f_sub(at.cosine, T), M));
    v = f_add(v, f_mul(depth, T));
    const vf angle = f_mul(f_set(0.4375f), M);
    const vf turn =
        f_select_below(none, at.sine, f_bits(i_xor(i_bits(angle), i_set(0x80000000))), angle);
    const vf e = f_min(f_mul(f_set(2.75f), magnitude_of(at.sine)), one);
    M = f_mul(f_mul(M, f_sub(two, M)), f_mul(e, f_sub(two, e)));
    f_store(samples->array[0] + i, is_ridge ? T : v);
    f_store(samples->array[1] + i, f_add(dx, f_mul(turn, ux)));
    f_store(samples->array[2] + i, f_add(dy, f_mul(turn, uy)));
    f_store(ridge + i, T);
    f_store(strength + i, M);
  }
}

/* Carves up to GULLY_ROWS rows, `pitch` floats apart, of up to GULLY_COLUMNS samples at positions
 * x, which d_store has stored; and y, of each row or, with `is_list`, of each sample of one row.
 * Overwrites the slopes. */
static PERLANE_NOINLINE void carve(const struct perlane_gullies *gullies, const double *x,
                                   const double *y, int is_list, size_t rows, size_t pitch,
                                   size_t n, const struct samples *samples) {
  struct gully_axis columns, lines;
  struct gully_state state;
  struct pivots pivots;
  for (int j = 0; j < gullies->octaves; j++) {
    const struct perlane_octave *octave = &gullies->octave[j];
    gully_axis_pass(&columns, octave, 0, x, n);
    gully_axis_pass(&lines, octave, 1, y, is_list ? n : rows);
    for (size_t r = 0; r < rows; r++) {
      int is_same = r > 0;
      for (int o = 0; o < GULLY_CELLS && is_same; o++)
        is_same = lines.word[o][r] == lines.word[o][r - 1];
      if (!is_same)
        make_pivots(&pivots, &columns, &lines, is_list, r, n);
      struct samples row = *samples;
      for (int a = 0; a < 3; a++)
        row.array[a] += r * pitch;
      carve_row(gullies, j, &pivots, lines.fraction + r, is_list, state.ridge[r], state.strength[r],
                n, &row);
    }
  }
}

#endif
