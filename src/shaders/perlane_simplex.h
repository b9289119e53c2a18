/* SPDX-License-Identifier: MIT
 *
 * Simplex noise (2.21 of docs/specification.md). Lattice coordinates are sums of cells and
 * fractions of positions; the gradients are in the field's table. The front end includes this file
 * after perlane_points.h.
 */

/* ---- Lattice coordinates ---- */

/* q */
PERLANE_FN perlane_pair perlane_units(perlane_pair v) {
  if (perlane_exponent(v) > 1050u) { /* from 2^28 on all are multiples of 2^-24 */
    return v;
  }
  perlane_pair large = perlane_pair_of(0x41B00000u | (v.hi & 0x80000000u), 0u); /* 2^28 */
  perlane_pair less = perlane_pair_of(large.hi ^ 0x80000000u, 0u);
  return perlane_double_sum(perlane_double_sum(v, large), less);
}

/* S of U */
PERLANE_FN perlane_place perlane_skew(PERLANE_WORDS perlane_pair U) {
  perlane_pair F = perlane_pair_of(0x3FD76CF5u, 0xD0B09954u);
  if (PERLANE_WORD(1u) == 3u) {
    F = perlane_pair_of(0x3FD55555u, 0x55555555u);
  }
  return perlane_split(perlane_double_product(U, F), 0u);
}

PERLANE_FN perlane_place perlane_both(perlane_place a, perlane_place b) {
  perlane_place sum;
  sum.cell = perlane_plus(a.cell, b.cell);
  sum.fraction = a.fraction + b.fraction; /* below 2^27: the carry comes last */
  return sum;
}

/* f, and the words of the cell and of the next one. */
PERLANE_STRUCT(perlane_side)
float f;
uint word0;
uint word1;
PERLANE_END

/* The axis whose key and phase begin at word `at`. */
PERLANE_FN perlane_side perlane_side_of(PERLANE_WORDS perlane_pair U, perlane_place skew, uint at,
                                        uint multiplier) {
  perlane_place L = perlane_both(perlane_split(U, 0u), skew);
  uint units = L.fraction + PERLANE_WORD(at + 1u);
  perlane_pair X = perlane_plus_word(L.cell, units >> 24u);
  perlane_side side;
  PERLANE_EXACT float f = PERLANE_FLOAT(units & 0xFFFFFFu) * 0.000000059604644775390625f;
  side.f = f;
  side.word0 = perlane_axis_word(X, multiplier, PERLANE_WORD(at));
  side.word1 = perlane_axis_word(perlane_plus_word(X, 1u), multiplier, PERLANE_WORD(at));
  return side;
}

/* ---- Corners ---- */

/* A part of n, and of its derivatives. */
PERLANE_STRUCT(perlane_ramp)
float value;
float x;
float y;
float z;
PERLANE_END

PERLANE_FN perlane_ramp perlane_ramp_sum(perlane_ramp a, perlane_ramp b) {
  PERLANE_EXACT float value = a.value + b.value;
  PERLANE_EXACT float x = a.x + b.x;
  PERLANE_EXACT float y = a.y + b.y;
  PERLANE_EXACT float z = a.z + b.z;
  perlane_ramp sum;
  sum.value = value;
  sum.x = x;
  sum.y = y;
  sum.z = z;
  return sum;
}

/* part_c'[a]; to_centre is what w is multiplied by. */
PERLANE_FN float perlane_ramp_slope(float k, float g, float w, float to_centre) {
  PERLANE_EXACT float kg = k * g;
  PERLANE_EXACT float fading = w * to_centre;
  PERLANE_EXACT float slope = kg + fading;
  return slope;
}

/* (d[b] - d[a]) - d[a], or S * 0.25 - d[a] */
PERLANE_FN float perlane_to_centre(float start, float d, uint is_volume) {
  PERLANE_EXACT float once = start - d;
  PERLANE_EXACT float twice = once - d;
  return PERLANE_SELECT(is_volume == 1u, once, twice);
}

/* The one of three values whose rank is asked for. */
PERLANE_FN float perlane_ranked(uint rank, uint rank_x, uint rank_y, float x, float y, float z) {
  return PERLANE_SELECT(rank_x == rank, x, PERLANE_SELECT(rank_y == rank, y, z));
}

/* Corner c. In 2D, f along z is -1, less than all others. */
PERLANE_FN perlane_ramp perlane_corner(PERLANE_WORDS perlane_side x, perlane_side y, perlane_side z,
                                       uint c) {
  uint is_volume = PERLANE_SELECT(PERLANE_WORD(1u) == 3u, 1u, 0u);
  uint y_x = PERLANE_SELECT(y.f > x.f, 1u, 0u);
  uint z_x = PERLANE_SELECT(z.f > x.f, 1u, 0u);
  uint z_y = PERLANE_SELECT(z.f > y.f, 1u, 0u);
  uint rank_x = y_x + z_x; /* the number of larger fractions */
  uint rank_y = 1u - y_x + z_y;
  uint rank_z = 2u - z_x - z_y;
  PERLANE_EXACT float dx = x.f - PERLANE_SELECT(rank_x < c, 1.0f, 0.0f);
  PERLANE_EXACT float dy = y.f - PERLANE_SELECT(rank_y < c, 1.0f, 0.0f);
  PERLANE_EXACT float dz = z.f - PERLANE_SELECT(rank_z < c, 1.0f, 0.0f);
  uint m = PERLANE_SELECT(rank_y < c, y.word1, y.word0);
  if (is_volume == 1u) {
    m = perlane_dot(m, PERLANE_SELECT(rank_z < c, z.word1, z.word0));
  }
  m = perlane_dot(PERLANE_SELECT(rank_x < c, x.word1, x.word0), m);
  perlane_vector g = perlane_gradient(PERLANE_PASS m);
  PERLANE_EXACT float gx = g.x * dx;
  PERLANE_EXACT float gy = g.y * dy;
  PERLANE_EXACT float flat_ramp = gx + gy;
  PERLANE_EXACT float e = dx - dy;
  PERLANE_EXACT float ee = e * e;
  PERLANE_EXACT float xy = dx * dy;
  PERLANE_EXACT float rest = 0.75f - ee;
  PERLANE_EXACT float T = rest - xy;
  float ramp = flat_ramp;
  float from_x = dy;
  float from_y = dx;
  float S = 0.0f;
  if (is_volume == 1u) {
    float p = perlane_ranked(0u, rank_x, rank_y, x.f, y.f, z.f);
    float q = perlane_ranked(1u, rank_x, rank_y, x.f, y.f, z.f);
    float r = perlane_ranked(2u, rank_x, rank_y, x.f, y.f, z.f);
    float dp = perlane_ranked(0u, rank_x, rank_y, dx, dy, dz);
    float dq = perlane_ranked(1u, rank_x, rank_y, dx, dy, dz);
    float dr = perlane_ranked(2u, rank_x, rank_y, dx, dy, dz);
    PERLANE_EXACT float pq = p + q;
    PERLANE_EXACT float pqr = pq + r;
    PERLANE_EXACT float s = pqr - PERLANE_FLOAT(c);
    PERLANE_EXACT float ss = s * s;
    PERLANE_EXACT float quarter = ss * 0.25f;
    PERLANE_EXACT float most = 0.5f + quarter;
    PERLANE_EXACT float pp = dp * dp;
    PERLANE_EXACT float qq = dq * dq;
    PERLANE_EXACT float rr = dr * dr;
    PERLANE_EXACT float two = pp + qq;
    PERLANE_EXACT float three = two + rr;
    PERLANE_EXACT float falloff = most - three;
    PERLANE_EXACT float gz = g.z * dz;
    PERLANE_EXACT float deep_ramp = flat_ramp + gz;
    PERLANE_EXACT float middle = s * 0.25f;
    T = falloff;
    ramp = deep_ramp;
    S = middle;
    from_x = S;
    from_y = S;
  }
  float clamped = PERLANE_SELECT(T > 0.0f, T, 0.0f);
  PERLANE_EXACT float h = clamped * clamped;
  PERLANE_EXACT float k = h * h;
  PERLANE_EXACT float value = k * ramp;
  perlane_ramp part;
  part.value = value;
  part.x = 0.0f;
  part.y = 0.0f;
  part.z = 0.0f;
  if (PERLANE_WORD(12u) == 5u) { /* 2.16 */
    PERLANE_EXACT float hT = h * clamped;
    PERLANE_EXACT float steep = hT * ramp;
    PERLANE_EXACT float w = steep * PERLANE_SELECT(is_volume == 1u, 8.0f, 4.0f);
    part.x = perlane_ramp_slope(k, g.x, w, perlane_to_centre(from_x, dx, is_volume));
    part.y = perlane_ramp_slope(k, g.y, w, perlane_to_centre(from_y, dy, is_volume));
    part.z = perlane_ramp_slope(k, g.z, w, perlane_to_centre(S, dz, is_volume));
  }
  return part;
}

/* ---- Sum ---- */

/* n'[a] of l[a], with erosion */
PERLANE_FN float perlane_skewed_slope(float l, float skewed, float amplitude) {
  PERLANE_EXACT float sum = l + skewed;
  PERLANE_EXACT float slope = sum * amplitude;
  return slope;
}

/* n at x_k, and with erosion its derivatives. The axes' keys and phases begin at word `at`. */
PERLANE_FN perlane_ramp perlane_simplex(PERLANE_WORDS perlane_pair x_k, perlane_pair y_k,
                                        perlane_pair z_k, uint at, float amplitude) {
  uint is_volume = PERLANE_SELECT(PERLANE_WORD(1u) == 3u, 1u, 0u);
  perlane_pair Ux = perlane_units(x_k);
  perlane_pair Uy = perlane_units(y_k);
  perlane_pair Uz = perlane_units(z_k);
  perlane_place skew = perlane_both(perlane_skew(PERLANE_PASS Ux), perlane_skew(PERLANE_PASS Uy));
  perlane_side z;
  z.f = -1.0f;
  z.word0 = 0u;
  z.word1 = 0u;
  if (is_volume == 1u) {
    skew = perlane_both(skew, perlane_skew(PERLANE_PASS Uz));
    z = perlane_side_of(PERLANE_PASS Uz, skew, at + 6u, 0xC2B2AE35u);
  }
  perlane_side x = perlane_side_of(PERLANE_PASS Ux, skew, at, 0x9E3779B1u);
  perlane_side y = perlane_side_of(PERLANE_PASS Uy, skew, at + 3u, 0x85EBCA6Bu);
  /* 0, 2, 1, or 0 and 1, 2 and 3 */
  perlane_ramp sum = perlane_corner(PERLANE_PASS x, y, z, 0u);
  perlane_ramp others = sum;
  for (uint i = 1u; i <= 2u + is_volume; i++) {
    uint c = PERLANE_SELECT(is_volume == 1u, i, 3u - i);
    perlane_ramp part = perlane_corner(PERLANE_PASS x, y, z, c);
    if ((is_volume == 0u) || (i == 1u)) {
      sum = perlane_ramp_sum(sum, part);
    } else if (i == 2u) {
      others = part;
    } else {
      sum = perlane_ramp_sum(sum, perlane_ramp_sum(others, part));
    }
  }
  PERLANE_EXACT float n = sum.value * amplitude;
  sum.value = n;
  if (PERLANE_WORD(12u) == 5u) {
    PERLANE_EXACT float xy = sum.x + sum.y;
    PERLANE_EXACT float xyz = xy + sum.z;
    float s = PERLANE_SELECT(is_volume == 1u, xyz, xy);
    uint F = PERLANE_SELECT(is_volume == 1u, 0x3EAAAAABu, 0x3EBB67AFu);
    PERLANE_EXACT float skewed = s * PERLANE_FLOAT_OF_BITS(F);
    sum.x = perlane_skewed_slope(sum.x, skewed, amplitude);
    sum.y = perlane_skewed_slope(sum.y, skewed, amplitude);
    float z_slope = perlane_skewed_slope(sum.z, skewed, amplitude);
    sum.z = PERLANE_SELECT(is_volume == 1u, z_slope, 0.0f);
  }
  return sum;
}

/* Adds n of an octave, and its slopes. */
PERLANE_FN perlane_sum perlane_add_simplex(PERLANE_WORDS perlane_sum sum, uint octave,
                                           perlane_ramp n, float strength) {
  PERLANE_EXACT float x = sum.x + n.x;
  PERLANE_EXACT float y = sum.y + n.y;
  PERLANE_EXACT float z = sum.z + n.z;
  perlane_sum sloped = sum;
  sloped.x = x;
  sloped.y = y;
  sloped.z = z;
  return perlane_add_noise(PERLANE_PASS sloped, octave, n.value, strength);
}
