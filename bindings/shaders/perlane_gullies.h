/* SPDX-License-Identifier: MIT
 *
 * Gullies, 2.22 of docs/specification.md. The front end includes this file after perlane_cells.h.
 */

/* S and C. */
PERLANE_STRUCT(perlane_stripes)
float sine;
float cosine;
PERLANE_END

/* v of the cell at offset o - 1 along an axis, whose pivot is at i. */
PERLANE_FN float perlane_from_pivot(float f, uint o, uint i) {
  PERLANE_EXACT float offset = PERLANE_FLOAT(o) - 1.0f;
  PERLANE_EXACT float away = f - offset;
  PERLANE_EXACT float from_corner = away * 0.671875f;
  PERLANE_EXACT float part = PERLANE_FLOAT(i) * 0.0000152587890625f;
  PERLANE_EXACT float centred = part - 0.5f;
  PERLANE_EXACT float pivot = centred * 0.671875f;
  PERLANE_EXACT float v = from_corner - pivot;
  return v;
}

/* s of z, or c of r */
PERLANE_FN float perlane_wave(float r) {
  PERLANE_EXACT float rest = 0.5f - perlane_magnitude(r);
  PERLANE_EXACT float wave = r * rest;
  return wave;
}

PERLANE_FN float perlane_hypotenuse(float x, float y) {
  return perlane_root(perlane_products(x, x, y, y));
}

/* The stripes of an octave across the unit vector (ux, uy). */
PERLANE_FN perlane_stripes perlane_stripes_of(perlane_line X, perlane_line Y, float ux, float uy) {
  PERLANE_EXACT float across_x = ux * 1.5f;
  PERLANE_EXACT float across_y = uy * 1.5f;
  float SS = 0.0f;
  float SC = 0.0f;
  float SW = 0.0f;
  perlane_line ly = Y;
  for (uint y = 0u; y < 4u; y++) {
    uint word_y = perlane_line_word(ly);
    ly = perlane_line_next(ly);
    perlane_line lx = X;
    for (uint x = 0u; x < 4u; x++) {
      uint h = perlane_mixed(perlane_line_word(lx) + word_y);
      lx = perlane_line_next(lx);
      float vx = perlane_from_pivot(X.f, x, h >> 16u);
      float vy = perlane_from_pivot(Y.f, y, h & 0xFFFFu);
      PERLANE_EXACT float below = 1.0f - perlane_products(vx, vx, vy, vy);
      float n = PERLANE_SELECT(below > 0.0f, below, 0.0f);
      PERLANE_EXACT float w = n * n;
      float t = perlane_products(vx, across_x, vy, across_y);
      PERLANE_EXACT float large = t + 12582912.0f;
      PERLANE_EXACT float whole = large - 12582912.0f;
      PERLANE_EXACT float r = t - whole;
      PERLANE_EXACT float z = 0.25f - perlane_magnitude(r);
      PERLANE_EXACT float ws = w * perlane_wave(z);
      PERLANE_EXACT float wc = w * perlane_wave(r);
      PERLANE_EXACT float sines = SS + ws;
      PERLANE_EXACT float cosines = SC + wc;
      PERLANE_EXACT float weights = SW + w;
      SS = sines;
      SC = cosines;
      SW = weights;
    }
  }
  float l = perlane_hypotenuse(SS, SC);
  PERLANE_EXACT float least = 0.03125f * SW;
  float g = perlane_quotient(1.0f, PERLANE_SELECT(least > l, least, l));
  PERLANE_EXACT float S = SS * g;
  PERLANE_EXACT float C = SC * g;
  perlane_stripes stripes;
  stripes.sine = S;
  stripes.cosine = C;
  return stripes;
}

PERLANE_FN float perlane_within(float v, float limit) {
  float least = perlane_flipped(limit, 0x80000000u);
  float above = PERLANE_SELECT(v < least, least, v);
  return PERLANE_SELECT(above > limit, limit, above);
}

/* x * (2 - x) */
PERLANE_FN float perlane_full(float x) {
  PERLANE_EXACT float rest = 2.0f - x;
  PERLANE_EXACT float full = x * rest;
  return full;
}

/* The sum of the octaves with gullies, whose words begin at word `head`; or their T. */
PERLANE_FN float perlane_carved(PERLANE_WORDS perlane_ramp sum, perlane_pair p_x, perlane_pair p_y,
                                uint head) {
  uint octaves = PERLANE_WORD(head);
  uint is_ridge = PERLANE_WORD(head + 1u);
  float steepness = PERLANE_FLOAT_OF_BITS(PERLANE_WORD(head + 3u));
  PERLANE_EXACT float height = sum.value * PERLANE_FLOAT_OF_BITS(PERLANE_WORD(head + 2u));
  PERLANE_EXACT float slope_x = sum.x * steepness;
  PERLANE_EXACT float slope_y = sum.y * steepness;
  float value = sum.value;
  float T = perlane_within(height, 1.0f);
  float dx = perlane_within(slope_x, 1152921504606846976.0f); /* 2^60 */
  float dy = perlane_within(slope_y, 1152921504606846976.0f);
  float length = perlane_hypotenuse(dx, dy);
  float M = perlane_full(PERLANE_SELECT(length < 1.0f, length, 1.0f));
  uint at = head + 8u;
  for (uint j = 0u; j < octaves; j++) {
    perlane_pair frequency = perlane_pair_of(PERLANE_WORD(at + 2u), PERLANE_WORD(at + 1u));
    perlane_line X = perlane_line_of(PERLANE_PASS perlane_double_product(p_x, frequency), at + 3u,
                                     0x9E3779B1u, 1u);
    perlane_line Y = perlane_line_of(PERLANE_PASS perlane_double_product(p_y, frequency), at + 6u,
                                     0x85EBCA6Bu, 1u);
    float unit = 0.0f;
    if (length > 0.0f) {
      unit = perlane_quotient(1.0f, length);
    }
    PERLANE_EXACT float uy = dx * unit;
    PERLANE_EXACT float down = dy * unit;
    float ux = perlane_flipped(down, 0x80000000u);
    perlane_stripes at_p = perlane_stripes_of(X, Y, ux, uy);
    PERLANE_EXACT float apart = at_p.cosine - T;
    PERLANE_EXACT float moved = apart * M;
    PERLANE_EXACT float next_T = T + moved;
    T = next_T;
    PERLANE_EXACT float deep = PERLANE_FLOAT_OF_BITS(PERLANE_WORD(at)) * T;
    PERLANE_EXACT float carved = value + deep;
    value = carved;
    PERLANE_EXACT float angle = 0.4375f * M;
    float turn = perlane_flipped(angle, PERLANE_SELECT(at_p.sine > 0.0f, 0x80000000u, 0u));
    PERLANE_EXACT float turn_x = turn * ux;
    PERLANE_EXACT float turn_y = turn * uy;
    PERLANE_EXACT float next_x = uy + turn_x;
    PERLANE_EXACT float next_y = down + turn_y;
    dx = next_x;
    dy = next_y;
    length = perlane_hypotenuse(dx, dy);
    PERLANE_EXACT float open = 2.75f * perlane_magnitude(at_p.sine);
    float opened = perlane_full(PERLANE_SELECT(open < 1.0f, open, 1.0f));
    PERLANE_EXACT float next_M = perlane_full(M) * opened;
    M = next_M;
    at += 9u;
  }
  return PERLANE_SELECT(is_ridge == 1u, T, value);
}
