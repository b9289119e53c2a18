/* SPDX-License-Identifier: MIT
 *
 * Curves and terraces (docs/specification.md, 2.17). Not inlined: they take longer than a call, and
 * finishing is inlined in many places.
 */
#ifndef PERLANE_NOISE_OCTAVES_CURVE_H
#define PERLANE_NOISE_OCTAVES_CURVE_H

#include "../field.h"

/* A value; the factor of its derivatives; and the mask of those that are not +0. */
struct bent {
  vf value, slope;
  vi moves;
};

PERLANE_INLINE vf f_select(vi mask, vf yes, vf no) {
  return f_bits(i_select(mask, i_bits(yes), i_bits(no)));
}

/* Comparisons select instead of f_min and f_max, which may return either of two zeros. */
PERLANE_INLINE struct bent curved(const struct perlane_pieces *pieces, vf v) {
  const vf last = f_set(pieces->start[pieces->count - 1]), first = f_set(pieces->start[0]);
  const vi not_above = f_not_above(v, last), not_below = f_not_above(first, v);
  const vf c = f_select(not_below, f_select(not_above, v, last), first);
  vf start = first, c0 = f_set(pieces->c0[0]), c1 = f_set(pieces->c1[0]);
  vf c2 = f_set(pieces->c2[0]), c3 = f_set(pieces->c3[0]);
  for (int i = 1; i < pieces->count; i++) {
    const vf next = f_set(pieces->start[i]);
    const vi reached = f_not_above(next, c);
    start = f_select(reached, next, start);
    c0 = f_select(reached, f_set(pieces->c0[i]), c0);
    c1 = f_select(reached, f_set(pieces->c1[i]), c1);
    c2 = f_select(reached, f_set(pieces->c2[i]), c2);
    c3 = f_select(reached, f_set(pieces->c3[i]), c3);
  }
  const vf t = f_sub(c, start), low = f_set(pieces->low), high = f_set(pieces->high);
  const vf y = f_add(c0, f_mul(f_add(c1, f_mul(f_add(c2, f_mul(c3, t)), t)), t));
  const vf slope = f_add(c1, f_mul(f_add(f_mul(f_set(2), c2), f_mul(f_mul(f_set(3), c3), t)), t));
  const vf capped = f_select(f_not_above(y, high), y, high);
  return (struct bent){f_select(f_not_above(low, y), capped, low), slope,
                       i_and(not_above, not_below)};
}

PERLANE_INLINE struct bent terraced(float half_terraces, float bend, vf v) {
  const vf one = f_set(1), half = f_set(0.5f), height = f_set(half_terraces);
  const vf t = f_mul(f_add(v, one), height);
  const vf whole = f_floor(t), f = f_sub(t, whole);
  const vi lower = f_not_above(f, half);
  const vf m = f_select(lower, f, f_sub(one, f));
  const vf b = f_add(f_mul(f_set(bend), f_sub(one, f_add(m, m))), one);
  const vf r = f_div(m, b);
  const vf s = f_select(lower, r, f_sub(one, r));
  return (struct bent){f_sub(f_div(f_add(whole, s), height), one),
                       f_div(f_add(f_set(bend), one), f_mul(b, b)), i_set(0xFFFFFFFF)};
}

#endif
