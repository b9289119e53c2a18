/* SPDX-License-Identifier: MIT
 *
 * Positions are doubles, and cells integers of 64 bits (2.1, 2.2, 2.4 of docs/specification.md);
 * here both are pairs of words, and double arithmetic is done on their bits. The front end includes
 * this file after perlane_core.h.
 */

/* ---- 64 bits ---- */

PERLANE_STRUCT(perlane_pair)
uint lo;
uint hi;
PERLANE_END

PERLANE_FN perlane_pair perlane_pair_of(uint hi, uint lo) {
  perlane_pair pair;
  pair.lo = lo;
  pair.hi = hi;
  return pair;
}

/* Shifts by 0 to 63 bits. */
PERLANE_FN perlane_pair perlane_right(perlane_pair a, uint n) {
  uint k = n & 31u;
  uint hi = a.hi >> k;
  uint lo = (a.lo >> k) | ((a.hi << 1u) << (31u - k));
  return perlane_pair_of(PERLANE_SELECT(n > 31u, 0u, hi), PERLANE_SELECT(n > 31u, hi, lo));
}

PERLANE_FN perlane_pair perlane_left(perlane_pair a, uint n) {
  uint k = n & 31u;
  uint lo = a.lo << k;
  uint hi = (a.hi << k) | ((a.lo >> 1u) >> (31u - k));
  return perlane_pair_of(PERLANE_SELECT(n > 31u, lo, hi), PERLANE_SELECT(n > 31u, 0u, lo));
}

PERLANE_FN perlane_pair perlane_plus(perlane_pair a, perlane_pair b) {
  uint lo = a.lo + b.lo;
  return perlane_pair_of(a.hi + b.hi + PERLANE_SELECT(lo < a.lo, 1u, 0u), lo);
}

PERLANE_FN perlane_pair perlane_minus(perlane_pair a, perlane_pair b) {
  return perlane_pair_of(a.hi - b.hi - PERLANE_SELECT(a.lo < b.lo, 1u, 0u), a.lo - b.lo);
}

/* a + b of one word */
PERLANE_FN perlane_pair perlane_plus_word(perlane_pair a, uint b) {
  return perlane_plus(a, perlane_pair_of(0u, b));
}

/* The whole product of two words. */
PERLANE_FN perlane_pair perlane_times(uint a, uint b) {
  uint low = (a & 0xFFFFu) * (b & 0xFFFFu);
  uint middle = (a & 0xFFFFu) * (b >> 16u) + (low >> 16u);
  uint other = (a >> 16u) * (b & 0xFFFFu) + (middle & 0xFFFFu);
  return perlane_pair_of((a >> 16u) * (b >> 16u) + (middle >> 16u) + (other >> 16u), a * b);
}

/* The number of zero bits above the first 1 of a, which is not 0. */
PERLANE_FN uint perlane_zeros(uint a) {
  uint top = a >> 16u;
  uint half_word = PERLANE_SELECT(top != 0u, top, a);
  uint exponent = PERLANE_BITS_OF_FLOAT(PERLANE_FLOAT(half_word)) >> 23u;
  return PERLANE_SELECT(top != 0u, 142u, 158u) - exponent;
}

/* ---- Doubles, as their bits ---- */

PERLANE_FN uint perlane_exponent(perlane_pair a) {
  return (a.hi >> 20u) & 2047u;
}

PERLANE_FN perlane_pair perlane_mantissa(perlane_pair a) {
  return perlane_pair_of((a.hi & 0xFFFFFu) | 0x100000u, a.lo);
}

/* A finite float; subnormal ones count as 0. */
PERLANE_FN perlane_pair perlane_double(uint bits) {
  uint hi = ((bits & 0x7FFFFFFFu) >> 3u) + 0x38000000u;
  uint magnitude = PERLANE_SELECT((bits & 0x7F800000u) == 0u, 0u, hi);
  return perlane_pair_of(magnitude | (bits & 0x80000000u), bits << 29u);
}

/* The rounded sum of two doubles that are finite, and 0 or far from subnormal. The sign of a sum of
 * 0 is of no use to the caller. */
PERLANE_FN perlane_pair perlane_double_sum(perlane_pair a, perlane_pair b) {
  perlane_pair x = a;
  perlane_pair y = b;
  uint size_a = a.hi & 0x7FFFFFFFu;
  uint size_b = b.hi & 0x7FFFFFFFu;
  if ((size_a < size_b) || ((size_a == size_b) && (a.lo < b.lo))) {
    x = b;
    y = a;
  }
  uint exponent = perlane_exponent(x);
  uint distance = exponent - perlane_exponent(y);
  if (perlane_exponent(y) == 0u) {
    return x;
  }
  /* Mantissas with 10 more bits. The last one stands for all bits beyond it. */
  uint shift = PERLANE_SELECT(distance > 63u, 63u, distance);
  perlane_pair of_y = perlane_left(perlane_mantissa(y), 10u);
  perlane_pair part = perlane_right(of_y, shift);
  perlane_pair back = perlane_left(part, shift);
  part.lo = part.lo | PERLANE_SELECT(((back.lo ^ of_y.lo) | (back.hi ^ of_y.hi)) != 0u, 1u, 0u);
  perlane_pair m = perlane_left(perlane_mantissa(x), 10u);
  if (((x.hi ^ y.hi) >> 31u) == 0u) {
    m = perlane_plus(m, part);
  } else {
    m = perlane_minus(m, part);
  }
  if ((m.hi | m.lo) == 0u) {
    return m;
  }
  uint zeros = 0u;
  if (m.hi != 0u) {
    zeros = perlane_zeros(m.hi);
  } else {
    zeros = 32u + perlane_zeros(m.lo);
  }
  if (zeros == 0u) {
    uint last = m.lo & 1u;
    m = perlane_right(m, 1u);
    m.lo = m.lo | last;
  } else {
    m = perlane_left(m, zeros - 1u);
  }
  uint beyond = m.lo & 1023u;
  m = perlane_right(m, 10u);
  m = perlane_plus_word(m, PERLANE_SELECT(beyond + (m.lo & 1u) > 512u, 1u, 0u));
  return perlane_pair_of((m.hi + ((exponent - zeros) << 20u)) | (x.hi & 0x80000000u), m.lo);
}

/* The rounded product of two doubles that are finite, and 0 or normal. Products from 2^77 on, which
 * are outside the domain, are some number from there on; those below 2^-1022 are 0. */
PERLANE_FN perlane_pair perlane_double_product(perlane_pair a, perlane_pair b) {
  uint sign = (a.hi ^ b.hi) & 0x80000000u;
  uint exponents = perlane_exponent(a) + perlane_exponent(b);
  if ((perlane_exponent(a) == 0u) || (perlane_exponent(b) == 0u) || (exponents < 1025u)) {
    return perlane_pair_of(sign, 0u);
  }
  perlane_pair x = perlane_left(perlane_mantissa(a), 11u);
  perlane_pair y = perlane_mantissa(b);
  /* 117 bits: high, then middle.lo, then low.lo */
  perlane_pair low = perlane_times(x.lo, y.lo);
  perlane_pair middle = perlane_plus_word(perlane_times(x.hi, y.lo), low.hi);
  perlane_pair other = perlane_plus_word(perlane_times(x.lo, y.hi), middle.lo);
  perlane_pair high = perlane_times(x.hi, y.hi);
  high = perlane_plus_word(perlane_plus_word(high, middle.hi), other.hi);
  uint is_long = high.hi >> 20u;
  uint beyond = other.lo;
  perlane_pair m = high;
  if (is_long == 0u) {
    m = perlane_left(high, 1u);
    m.lo = m.lo | (beyond >> 31u);
    beyond = beyond << 1u;
  }
  uint is_tie = PERLANE_SELECT(((beyond << 1u) | low.lo) == 0u, 1u, 0u);
  uint up = PERLANE_SELECT(is_tie == 1u, m.lo & 1u, 1u) & (beyond >> 31u);
  m = perlane_plus_word(m, up);
  uint exponent = exponents - 1024u + is_long;
  uint bounded = PERLANE_SELECT(exponent > 1100u, 1100u, exponent);
  return perlane_pair_of((m.hi + (bounded << 20u)) | sign, m.lo);
}

/* ---- 2.2 Cell and fraction ---- */

PERLANE_STRUCT(perlane_place)
perlane_pair cell;
uint fraction;
PERLANE_END

/* |x| <= 2^53 */
PERLANE_FN perlane_place perlane_split(perlane_pair x, uint phase) {
  uint exponent = perlane_exponent(x);
  perlane_pair m = perlane_mantissa(x);
  perlane_pair cell = perlane_pair_of(0u, 0u);
  uint fraction = 0u;
  if (exponent > 1051u) { /* a multiple of 2^-24 */
    uint left = exponent - 1051u;
    cell = perlane_right(perlane_left(m, 1u), 25u - left);
    fraction = PERLANE_SELECT(left > 23u, 0u, (m.lo << (left & 31u)) & 0xFFFFFFu);
  } else if (exponent > 997u) {
    uint right = 1051u - exponent;
    perlane_pair units = perlane_right(m, right);
    perlane_pair beyond = perlane_left(perlane_left(m, 63u - right), 1u);
    uint is_tie = PERLANE_SELECT(((beyond.hi << 1u) | beyond.lo) == 0u, 1u, 0u);
    uint up = PERLANE_SELECT(is_tie == 1u, (units.lo + phase) & 1u, 1u) & (beyond.hi >> 31u);
    units = perlane_plus_word(units, up);
    fraction = units.lo & 0xFFFFFFu;
    cell = perlane_right(units, 24u);
  }
  if ((x.hi >> 31u) == 1u) {
    cell = perlane_plus_word(cell, PERLANE_SELECT(fraction != 0u, 1u, 0u));
    cell = perlane_minus(perlane_pair_of(0u, 0u), cell);
    fraction = (0x1000000u - fraction) & 0xFFFFFFu;
  }
  uint shifted = fraction + phase;
  perlane_place place;
  place.cell = perlane_plus_word(cell, shifted >> 24u);
  place.fraction = shifted & 0xFFFFFFu;
  return place;
}

/* X mod S; X itself if S is 0. */
PERLANE_FN perlane_pair perlane_modulo(perlane_pair X, uint S) {
  if (S == 0u) {
    return X;
  }
  uint flip = 0u - (X.hi >> 31u); /* all bits of a negative number: -1 - X is not negative */
  uint lo = X.lo ^ flip;
  uint rest = (X.hi ^ flip) % S;
  for (uint i = 0u; i < 32u; i++) {
    rest = (rest << 1u) | ((lo >> (31u - i)) & 1u);
    rest -= PERLANE_SELECT(rest >= S, S, 0u);
  }
  return perlane_pair_of(0u, PERLANE_SELECT(flip == 0u, rest, S - 1u - rest));
}

/* ---- 2.4 Axis words ---- */

PERLANE_FN uint perlane_axis_word(perlane_pair X, uint multiplier, uint key) {
  uint c = X.lo ^ ((X.hi + (X.lo >> 31u)) * 0x9E3779B1u);
  uint v = c * multiplier + key;
  return perlane_dot(v, 0x2C1B3C6Du) ^ v;
}

/* The axis whose key, phase and period begin at word `at`. */
PERLANE_FN perlane_axis perlane_point_axis(PERLANE_WORDS perlane_pair x, uint at, uint multiplier,
                                           float amplitude) {
  uint key = PERLANE_WORD(at);
  uint S = PERLANE_WORD(at + 2u);
  perlane_place place = perlane_split(x, PERLANE_WORD(at + 1u));
  perlane_pair next = perlane_plus_word(place.cell, PERLANE_SELECT(PERLANE_WORD(8u) == 2u, 0u, 1u));
  uint word0 = perlane_axis_word(perlane_modulo(place.cell, S), multiplier, key);
  uint word1 = perlane_axis_word(perlane_modulo(next, S), multiplier, key);
  PERLANE_EXACT float f = PERLANE_FLOAT(place.fraction) * 0.000000059604644775390625f;
  return perlane_weigh(PERLANE_PASS word0, word1, f, amplitude);
}

/* ---- Points ---- */

/* Returns 1 if x is in the domain, else 0. */
PERLANE_FN uint perlane_is_inside(perlane_pair x) {
  uint size = x.hi & 0x7FFFFFFFu;
  return PERLANE_SELECT((size < 0x43400000u) || ((size == 0x43400000u) && (x.lo == 0u)), 1u, 0u);
}

PERLANE_FN uint perlane_is_finite(perlane_pair x) {
  return PERLANE_SELECT(perlane_exponent(x) == 2047u, 0u, 1u);
}

/* The origin along an axis plus a float, as bits; infinite if either is not finite. */
PERLANE_FN perlane_pair perlane_position_of(PERLANE_WORDS uint axis, uint bits) {
  perlane_pair origin =
      perlane_pair_of(PERLANE_WORD(27u + axis + axis), PERLANE_WORD(26u + axis + axis));
  if (((bits & 0x7F800000u) == 0x7F800000u) || (perlane_is_finite(origin) == 0u)) {
    return perlane_pair_of(0x7FF00000u, 0u);
  }
  return perlane_double_sum(origin, perlane_double(bits));
}
