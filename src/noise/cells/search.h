/* SPDX-License-Identifier: MIT
 *
 * The search for the nearest points of LANES positions anywhere: far from the origin, with periods,
 * and over as many cells as it takes. Slower than those of cells/points.h and cells/grid.h, which
 * leave to it what they do not find among the 3^D cells around a position.
 */
#ifndef PERLANE_NOISE_CELLS_SEARCH_H
#define PERLANE_NOISE_CELLS_SEARCH_H

#include "cells.h"

/* The cells around positions along one axis. */
struct cells_around {
  vf fraction;
  vi word[MAX_OFFSETS]; /* at offsets from -MAX_REACH on */
};

PERLANE_INLINE vi wrapped_before(vi cell, const struct period *period) {
  const vi last = i_sub(period->word, i_set(1));
  return i_select(i_equal(cell, i_set(0)), last, i_sub(cell, i_set(1)));
}

/* The axis of LANES positions that d_store has stored, with words at offsets up to `reach`. */
static PERLANE_NOINLINE void cells_around(struct cells_around *to, const struct axis *axis,
                                          const double *position, int reach) {
  const vi multiplier = i_set(axis->multiplier), key = i_set(axis->key);
  vi *word = to->word + MAX_REACH;
  vd cell;
  const struct cell at =
      cell_far(d_mul(d_reload(position), d_set(axis->frequency)), d_set(axis->rounding), 0, &cell);
  to->fraction = at.fraction;
  if (axis->period != 0) {
    const struct period period = period_of_axis(axis);
    word[0] = wrapped(cell, &period);
    for (int o = 1; o <= reach; o++) {
      word[o] = wrapped_next(word[o - 1], &period);
      word[-o] = wrapped_before(word[1 - o], &period);
    }
  } else {
    const vi high =
        i_from_d(d_floor(d_add(d_mul(cell, d_set(0x1p-32)), d_set(0.5)))); /* as in cell_far */
    for (int o = -reach; o <= reach; o++) {
      const vi low = i_add(at.lower, i_set((uint32_t)o)), all = i_set(0xFFFFFFFF);
      /* Bit 31 changes that way only if the sum leaves the range of a signed word. */
      const vi above = i_and(i_xor(at.lower, all), low), below = i_and(at.lower, i_xor(low, all));
      const vi carry = o > 0   ? i_shift_right(above, 31)
                       : o < 0 ? i_sub(i_set(0), i_shift_right(below, 31))
                               : i_set(0);
      word[o] = i_xor(low, i_mul(i_add(high, carry), i_set(0x9E3779B1)));
    }
  }
  for (int o = -reach; o <= reach; o++)
    word[o] = axis_word(i_add(i_mul(word[o], multiplier), key));
}

/* D1, D2, and the hash of the cell that has D1, as a float of its bits. */
struct found {
  vf first, second, hash;
};

/* All cells up to `reach` away. */
static struct found found_within(const struct cells *cells, const struct cells_around around[3],
                                 int reach) {
  const int dims = cells->dims;
  const vf factor = f_set(cells->factor), start = f_set(cells->start);
  const int y_reach = dims > 1 ? reach : 0, z_reach = dims > 2 ? reach : 0;
  struct nearest both = none_near(), tagged = both;
  for (int z = -z_reach; z <= z_reach; z++)
    for (int y = -y_reach; y <= y_reach; y++)
      for (int x = -reach; x <= reach; x++) {
        const int offset[3] = {x, y, z};
        vi h = around[0].word[x + MAX_REACH];
        for (int a = 1; a < dims; a++)
          h = i_add(h, around[a].word[offset[a] + MAX_REACH]);
        h = full_mix(h);
        vf part[3] = {factor, factor, factor};
        for (int a = 0; a < dims; a++) {
          const vf point = a == 2      ? point_z(h, factor)
                           : a == 1    ? (dims == 2 ? point_y(2, h, factor) : point_y(3, h, factor))
                           : dims == 1 ? point_x(1, h, factor)
                           : dims == 2 ? point_x(2, h, factor)
                                       : point_x(3, h, factor);
          const vf from = f_sub(f_sub(around[a].fraction, f_set((float)offset[a])), start);
          part[a] = part_of_distance(cells, f_sub(point, from));
        }
        vf distance = part[0];
        if (dims > 2)
          distance = parts_together(cells, distance, part[2]);
        if (dims > 1)
          distance = parts_together(cells, distance, part[1]);
        include_cell(CELL_BOTH, &both, distance, distance);
        include_cell(CELL_TAG, &tagged, distance, f_bits(h));
      }
  return (struct found){both.first, both.second, tagged.second};
}

/* The nearest points, and the hash as tag, of LANES positions; `reach` is where to begin. */
static PERLANE_NOINLINE struct nearest search_cells(const struct cells *cells,
                                                    const struct axis *axes,
                                                    const double *const position[3], int reach) {
  struct cells_around around[3];
  struct found found;
  vf inside = f_set(1);
  for (int a = 0; a < cells->dims; a++) {
    cells_around(&around[a], &axes[a], position[a], cells->reach);
    inside = f_min(inside, inside_of(around[a].fraction));
  }
  for (;; reach++) {
    found = found_within(cells, around, reach);
    const vf worst = cells->kind == CELL_BOTH ? found.second : found.first;
    if (reach >= cells->reach || i_all(f_not_above(worst, ring_distance(cells, reach + 1, inside))))
      break;
  }
  return (struct nearest){found.first, cells->kind == CELL_BOTH ? found.second : found.hash};
}

PERLANE_INLINE vf noise_of_search(const struct cells *cells, const struct nearest *nearest) {
  if (cells->kind == CELL_TAG)
    return number_of_cell(i_bits(nearest->second), f_set(cells->amplitude));
  return cells->kind == CELL_BOTH ? noise_of_distances(CELL_BOTH, cells, nearest)
                                  : noise_of_distances(CELL_FIRST, cells, nearest);
}

#endif
