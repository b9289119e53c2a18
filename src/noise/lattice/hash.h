/* SPDX-License-Identifier: MIT
 *
 * The mixing steps of the lattice hash (docs/specification.md, 2.4 and 2.10).
 */
#ifndef PERLANE_NOISE_LATTICE_HASH_H
#define PERLANE_NOISE_LATTICE_HASH_H

#include "../words.h"

/* 2.4: one axis' word, from v = cell * multiplier + key. */
PERLANE_INLINE vi axis_word(vi v) {
  return i_xor(i_dot16(v, i_set(0x2C1B3C6D)), v);
}

/* 2.10: "lowbias32" by Chris Wellons. */
PERLANE_INLINE vi full_mix(vi h) {
  h = i_xor(h, i_shift_right(h, 16));
  h = i_mul(h, i_set(0x7FEB352D));
  h = i_xor(h, i_shift_right(h, 15));
  h = i_mul(h, i_set(0x846CA68B));
  return i_xor(h, i_shift_right(h, 16));
}

#endif
