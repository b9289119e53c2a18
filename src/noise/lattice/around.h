/* SPDX-License-Identifier: MIT
 *
 * The hash words of the cells around positions anywhere: far from the origin, and with periods.
 */
#ifndef PERLANE_NOISE_LATTICE_AROUND_H
#define PERLANE_NOISE_LATTICE_AROUND_H

#include "axis.h"

enum { MAX_REACH = 3, MAX_OFFSETS = 2 * MAX_REACH + 1 };

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

#endif
