/* SPDX-License-Identifier: MIT
 *
 * The values of the other bases, in place of gradients (docs/specification.md, 2.10).
 */
#ifndef PERLANE_NOISE_LATTICE_VALUES_H
#define PERLANE_NOISE_LATTICE_VALUES_H

#include "lattice.h"

PERLANE_INLINE vf horner(vf sum, vf x, float next) {
  return f_add(f_set(next), f_mul(x, sum));
}

/* sqrt(-2 ln u) for u in (0, 1]: u = m * 2^e with m near 1, ln m = 2 artanh((m - 1) / (m + 1)). */
PERLANE_INLINE vf gaussian_radius(vf u) {
  const vi bits = i_bits(u);
  const vi biased = i_shift_right(i_add(bits, i_set(0x3F800000 - 0x3F3504F3)), 23);
  const vf m = f_bits(i_add(i_sub(bits, i_shift_left(biased, 23)), i_set(0x3F800000)));
  const vf e = f_sub(f_from_i(biased), f_set(127));
  const vf one = f_set(1);
  const vf s = f_div(f_sub(m, one), f_add(m, one)), q = f_mul(s, s);
  const vf series =
      horner(horner(horner(f_set(0x1.c71c72p-4f), q, 0x1.24924ap-3f), q, 0x1.99999ap-3f), q,
             0x1.555556p-2f);
  const vf t = f_add(s, f_mul(s, f_mul(q, series)));
  const vf log = f_add(f_mul(e, f_set(0x1.62e43p-1f)), f_add(t, t));
  return f_sqrt(f_add(f_mul(log, f_set(-2)), f_set(0)));
}

/* sin(2 pi z), |z| <= 1/4. */
PERLANE_INLINE vf sine_of_turns(vf z) {
  const vf y = f_mul(z, z);
  vf sum = f_set(0x1.e8f434p+1f);
  sum = horner(sum, y, -0x1.e3075p+3f);
  sum = horner(sum, y, 0x1.507834p+5f);
  sum = horner(sum, y, -0x1.32d2ccp+6f);
  sum = horner(sum, y, 0x1.466bc6p+6f);
  sum = horner(sum, y, -0x1.4abbcep+5f);
  sum = horner(sum, y, 0x1.921fb6p+2f);
  return f_mul(z, sum);
}

/* Box-Muller transform of two numbers made from h. */
PERLANE_INLINE vf gaussian(vi h) {
  const vf u = f_mul(f_from_i(i_add(i_shift_right(h, 8), i_set(1))), f_set(0x1p-24f));
  const vi h2 = full_mix(i_add(h, i_set(0x9E3779B9)));
  const vf v = f_mul(f_from_i(i_shift_right(h2, 8)), f_set(0x1p-24f));
  const vf distance = f_bits(i_and(i_bits(f_sub(v, f_set(0.5f))), i_set(0x7FFFFFFF)));
  return f_mul(gaussian_radius(u), sine_of_turns(f_sub(f_set(0.25f), distance)));
}

/* 2^24 times the uniformly distributed number made from h. */
PERLANE_INLINE vf uniform(vi h) {
  const vi odd = i_or(i_shift_right(h, 7), i_set(1));
  return f_from_i(i_sub(odd, i_set(0x1000000)));
}

/* The number of a corner with these words of its axes. They are arguments of their own so that they
 * stay in registers. */
static PERLANE_NOINLINE vf number_at(int dims, const struct lattice *lattice, vi x, vi y, vi z,
                                     vi w) {
  if (lattice->hash != PERLANE_HASH_LATTICE) {
    const struct corner at = {x, y, z, w};
    const vi h = lattice->hash == PERLANE_HASH_PRIMES ? i_look_up(lattice->table, i_xor(x, y))
                                                      : chained_bytes(dims, lattice, at);
    return f_mul(f_from_i(i_sub(i_add(h, h), i_set(255))), f_set(0x1p-8f));
  }
  vi sum = x;
  if (dims >= 2)
    sum = i_add(sum, y);
  if (dims >= 3)
    sum = i_add(sum, z);
  if (dims >= 4)
    sum = i_add(sum, w);
  const vi h = full_mix(sum);
  switch (lattice->corner) {
  case CORNER_NORMAL:
    return gaussian(h);
  case CORNER_UNIFORM:
  case CORNER_GRADIENTS: /* which, as the next, are not numbers */
  case CORNER_OWN:
    break;
  }
  return f_mul(uniform(h), f_set(0x1p-24f));
}

PERLANE_INLINE vf corner_value(int dims, const struct lattice *lattice, struct corner at) {
  return number_at(dims, lattice, at.x, dims >= 2 ? at.y : at.x, dims >= 3 ? at.z : at.x,
                   dims >= 4 ? at.w : at.x);
}

#endif
