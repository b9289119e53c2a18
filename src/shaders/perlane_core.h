/* SPDX-License-Identifier: MIT
 *
 * Octaves and the end of a sample, section 2 of docs/specification.md, in a subset of GLSL, HLSL,
 * OpenCL C, CUDA and Metal: words and floats only, whose sums and products are rounded once
 * everywhere. Every result has a name, so that PERLANE_EXACT covers it and nothing can be fused or
 * reordered. Include the file of your language, which includes this one: docs/gpu.md.
 *
 * PERLANE_WORD(i) is word i of a field, as perlane_gpu.h lists them. The words of the fields by
 * which a warp displaces positions are within those of the whole field: PERLANE_WORDS declares
 * where a field's words begin, PERLANE_PASS hands that on, and PERLANE_PART hands on those from an
 * index on. PERLANE_ENTRY and PERLANE_ENTER are PERLANE_WORDS and PERLANE_PASS of what a shader
 * calls.
 */

/* ---- 1. Arithmetic ---- */

PERLANE_FN float perlane_magnitude(float v) {
  return PERLANE_FLOAT_OF_BITS(PERLANE_BITS_OF_FLOAT(v) & 0x7FFFFFFFu);
}

/* |v| < 2^32; never -0. */
PERLANE_FN float perlane_floor(float v) {
  float a = perlane_magnitude(v);
  float whole = PERLANE_FLOAT(PERLANE_UINT(a));
  PERLANE_EXACT float next = whole + 1.0f;
  float below = PERLANE_SELECT(whole < a, next, whole);
  uint minus = PERLANE_BITS_OF_FLOAT(below) | 0x80000000u;
  return PERLANE_SELECT(v < 0.0f, PERLANE_FLOAT_OF_BITS(minus), whole);
}

/* The correctly rounded quotient of a, 0 or normal, and b, normal, or 0 if it is not normal. A
 * device's own quotients may be wrong in the last bits, here by up to 8 units. From such an
 * estimate of the 25 or 26 bits of the quotient of the mantissas, less 40 so that it is not too
 * large, the remainder leads to the exact one: it fits into a word, whose upper part is never
 * needed. */
PERLANE_FN float perlane_quotient(float a, float b) {
  uint bits_a = PERLANE_BITS_OF_FLOAT(a);
  uint bits_b = PERLANE_BITS_OF_FLOAT(b);
  uint sign = (bits_a ^ bits_b) & 0x80000000u;
  uint m = (bits_a & 0x7FFFFFu) | 0x800000u;
  uint d = (bits_b & 0x7FFFFFu) | 0x800000u;
  uint less = PERLANE_SELECT(m < d, 1u, 0u);
  uint shift = 24u + less;
  PERLANE_EXACT float ratio = PERLANE_FLOAT(m) / PERLANE_FLOAT(d);
  PERLANE_EXACT float scaled = ratio * PERLANE_FLOAT_OF_BITS((127u + shift) << 23u);
  uint q = PERLANE_UINT(scaled) - 40u;
  uint rest = (m << shift) - q * d;
  PERLANE_EXACT float further = PERLANE_FLOAT(rest) / PERLANE_FLOAT(d);
  uint more = PERLANE_UINT(further);
  q += more;
  rest -= more * d;
  uint over = rest >> 31u; /* `more` was one too many */
  q -= over;
  rest += over * d;
  uint under = PERLANE_SELECT(rest >= d, 1u, 0u);
  q += under;
  rest -= under * d;
  uint up = PERLANE_SELECT(rest != 0u, 1u, (q >> 1u) & 1u) & q;
  uint exponent_a = (bits_a >> 23u) & 255u;
  uint exponent_b = (bits_b >> 23u) & 255u;
  uint is_tiny =
      PERLANE_SELECT((exponent_a == 0u) || (exponent_a + 126u < exponent_b + less), 1u, 0u);
  uint exponent = exponent_a + 126u - exponent_b - less;
  uint bits = ((exponent << 23u) + (q >> 1u) + up) | sign;
  return PERLANE_FLOAT_OF_BITS(PERLANE_SELECT(is_tiny == 1u, sign, bits));
}

/* The correctly rounded root of v, 0 or normal. A device's own root may be wrong by up to 8 units
 * in the last place. The estimate here is that of the root's first 25 bits, less 34 so that it is
 * not too large. Its remainder is at most 52 times twice the root, and so fits into a word. No root
 * is halfway between two floats. */
PERLANE_FN float perlane_root(float v) {
  uint bits = PERLANE_BITS_OF_FLOAT(v);
  uint m = (bits & 0x7FFFFFu) | 0x800000u;
  uint shift = 26u - ((bits >> 23u) & 1u);
  PERLANE_EXACT float square = PERLANE_FLOAT(m) * PERLANE_FLOAT_OF_BITS((127u + shift) << 23u);
  uint q = PERLANE_UINT(PERLANE_ROOT(square)) - 34u;
  uint rest = (m << shift) - q * q;
  PERLANE_EXACT float further = PERLANE_FLOAT(rest) / PERLANE_FLOAT(q + q);
  uint more = PERLANE_UINT(further);
  rest -= more * (q + q + more);
  q += more;
  uint over = rest >> 31u; /* `more` was one too many */
  q -= over;
  rest += over * (q + q + 1u);
  q += PERLANE_SELECT(rest > q + q, 1u, 0u);
  uint root = (((bits >> 23u) + 125u) << 22u) & 0x7F800000u;
  return PERLANE_FLOAT_OF_BITS(PERLANE_SELECT(bits == 0u, 0u, root + ((q + 1u) >> 1u)));
}

/* ---- 2.3 Fade and weights ---- */

/* A coordinate of the position in one octave. If `derived` is 1, w and u are e of 2.13, and a0 and
 * a1 are b0 and b1. */
PERLANE_STRUCT(perlane_axis)
uint word0;
uint word1;
uint derived;
float f;
float w;
float u;
float a0;
float a1;
PERLANE_END

PERLANE_FN perlane_axis perlane_weigh(PERLANE_WORDS uint word0, uint word1, float f,
                                      float amplitude) {
  float A = PERLANE_FLOAT_OF_BITS(PERLANE_WORD(10u));
  float B = PERLANE_FLOAT_OF_BITS(PERLANE_WORD(11u));
  PERLANE_EXACT float c = f - 0.5f;
  PERLANE_EXACT float g = 1.0f - f;
  PERLANE_EXACT float s = f * g;
  PERLANE_EXACT float p0 = B * s;
  PERLANE_EXACT float p1 = A + p0;
  PERLANE_EXACT float p2 = s * p1;
  PERLANE_EXACT float p3 = c * p2;
  PERLANE_EXACT float w = c + p3;
  PERLANE_EXACT float u = 0.5f + w;
  PERLANE_EXACT float v = 1.0f - u;
  PERLANE_EXACT float h = f - 1.0f;
  PERLANE_EXACT float b0 = f * v;
  PERLANE_EXACT float b1 = h * u;
  PERLANE_EXACT float a0 = b0 * amplitude;
  PERLANE_EXACT float a1 = b1 * amplitude;
  perlane_axis axis;
  axis.word0 = word0;
  axis.word1 = word1;
  axis.derived = 0u;
  axis.f = f;
  axis.w = w;
  axis.u = u;
  axis.a0 = a0;
  axis.a1 = a1;
  return axis;
}

/* 2.13, per cell: the axis with which 2.6 combines the derivative along it. */
PERLANE_FN perlane_axis perlane_derived(PERLANE_WORDS perlane_axis axis, float amplitude) {
  uint quintic = PERLANE_WORD(11u);
  uint curved = PERLANE_WORD(10u);
  float d2 = PERLANE_SELECT(quintic != 0u, 30.0f, 0.0f);
  float d1 = PERLANE_SELECT((curved != 0u) && (quintic == 0u), 6.0f, 0.0f);
  float d0 = PERLANE_SELECT(curved == 0u, 1.0f, 0.0f);
  float f = axis.f;
  PERLANE_EXACT float g = 1.0f - f;
  PERLANE_EXACT float s = f * g;
  PERLANE_EXACT float p2 = d2 * s;
  PERLANE_EXACT float p1 = p2 + d1;
  PERLANE_EXACT float p0 = p1 * s;
  PERLANE_EXACT float d = p0 + d0;
  PERLANE_EXACT float v = 1.0f - axis.u;
  PERLANE_EXACT float fd = f * d;
  PERLANE_EXACT float c0 = v - fd;
  PERLANE_EXACT float h = f - 1.0f;
  PERLANE_EXACT float hd = h * d;
  PERLANE_EXACT float c1 = axis.u + hd;
  PERLANE_EXACT float b0 = c0 * amplitude;
  PERLANE_EXACT float b1 = c1 * amplitude;
  perlane_axis derived = axis;
  derived.derived = 1u;
  derived.w = d;
  derived.u = d;
  derived.a0 = b0;
  derived.a1 = b1;
  return derived;
}

/* ---- 2.4, 2.10 Hash ---- */

PERLANE_FN uint perlane_low(uint a) {
  return ((a & 0xFFFFu) ^ 0x8000u) - 0x8000u;
}

PERLANE_FN uint perlane_high(uint a) {
  return ((a >> 16u) ^ 0x8000u) - 0x8000u;
}

PERLANE_FN uint perlane_dot(uint a, uint b) {
  return perlane_low(a) * perlane_low(b) + perlane_high(a) * perlane_high(b);
}

PERLANE_FN uint perlane_mixed(uint word) {
  uint h = word;
  h = h ^ (h >> 16u);
  h = h * 0x7FEB352Du;
  h = h ^ (h >> 15u);
  h = h * 0x846CA68Bu;
  return h ^ (h >> 16u);
}

/* The word of two axes of a corner: for gradients, or for numbers. */
PERLANE_FN uint perlane_join(PERLANE_WORDS uint a, uint b) {
  return PERLANE_SELECT(PERLANE_WORD(8u) == 0u, perlane_dot(a, b), a + b);
}

/* ---- 2.5, 2.9, 2.10 Gradients and numbers ---- */

PERLANE_STRUCT(perlane_vector)
float x;
float y;
float z;
PERLANE_END

PERLANE_FN float perlane_uniform(uint h) {
  uint n = (h >> 7u) | 1u;
  uint size = PERLANE_SELECT(n < 0x1000000u, 0x1000000u - n, n - 0x1000000u);
  PERLANE_EXACT float number = PERLANE_FLOAT(size) * 0.000000059604644775390625f;
  uint sign = PERLANE_SELECT(n < 0x1000000u, 0x80000000u, 0u);
  return PERLANE_FLOAT_OF_BITS(PERLANE_BITS_OF_FLOAT(number) | sign);
}

PERLANE_FN float perlane_number(uint word) {
  return perlane_uniform(perlane_mixed(word));
}

/* A component of edges12: 0, 2 and -2 differ in their upper two bits, of which codes has 16. */
PERLANE_FN float perlane_edge(uint codes, uint index) {
  return PERLANE_FLOAT_OF_BITS((codes >> (index + index)) << 30u);
}

PERLANE_FN perlane_vector perlane_gradient(PERLANE_WORDS uint m) {
  perlane_vector g;
  g.z = 0.0f;
  uint table = PERLANE_WORD(9u);
  if (table != 0u) {
    uint at = table + ((m >> PERLANE_WORD(24u)) & PERLANE_WORD(25u));
    g.x = PERLANE_FLOAT_OF_BITS(PERLANE_WORD(at));
    g.y = PERLANE_FLOAT_OF_BITS(PERLANE_WORD(at + 256u));
    if (PERLANE_WORD(1u) == 3u) {
      g.z = PERLANE_FLOAT_OF_BITS(PERLANE_WORD(at + 512u));
    }
    return g;
  }
  uint index = (m >> 13u) & 15u;
  if (PERLANE_WORD(1u) == 3u) {
    g.x = perlane_edge(0x3100DDDDu, index);
    g.y = perlane_edge(0xDDDD00F5u, index);
    g.z = perlane_edge(0xC4F5F500u, index);
    return g;
  }
  uint one = 0x3F800000u;
  uint k = 0x3ED40000u; /* 53/128 */
  uint x = PERLANE_SELECT((index & 4u) != 0u, k, one);
  g.x = PERLANE_FLOAT_OF_BITS(x | (index << 31u));
  g.y = PERLANE_FLOAT_OF_BITS((x ^ one ^ k) | ((index << 30u) & 0x80000000u));
  return g;
}

/* ---- 2.6 Combination ---- */

PERLANE_STRUCT(perlane_row)
float value;
float y;
float z;
PERLANE_END

PERLANE_FN perlane_row perlane_no_row() {
  perlane_row row;
  row.value = 0.0f;
  row.y = 0.0f;
  row.z = 0.0f;
  return row;
}

PERLANE_FN float perlane_mix(float low, float high, perlane_axis axis) {
  PERLANE_EXACT float d = high - low;
  PERLANE_EXACT float p = axis.u * d;
  PERLANE_EXACT float mixed = low + p;
  return PERLANE_SELECT(axis.derived == 1u, p, mixed);
}

/* The middle of two values, which w moves. */
PERLANE_FN float perlane_between(float low, float high, perlane_axis axis) {
  PERLANE_EXACT float s = low + high;
  PERLANE_EXACT float h = s * 0.5f;
  PERLANE_EXACT float d = high - low;
  PERLANE_EXACT float e = axis.w * d;
  PERLANE_EXACT float between = h + e;
  return PERLANE_SELECT(axis.derived == 1u, e, between);
}

PERLANE_FN float perlane_ramps(float low, float high, perlane_axis axis) {
  PERLANE_EXACT float p = axis.a0 * low;
  PERLANE_EXACT float q = axis.a1 * high;
  PERLANE_EXACT float ramps = p + q;
  return ramps;
}

/* The row whose other axes have this word. */
PERLANE_FN perlane_row perlane_row_of(PERLANE_WORDS perlane_axis x, uint word, float amplitude) {
  uint m0 = perlane_join(PERLANE_PASS x.word0, word);
  uint m1 = perlane_join(PERLANE_PASS x.word1, word);
  perlane_row row = perlane_no_row();
  if (PERLANE_WORD(8u) == 0u) {
    perlane_vector g0 = perlane_gradient(PERLANE_PASS m0);
    perlane_vector g1 = perlane_gradient(PERLANE_PASS m1);
    row.value = perlane_ramps(g0.x, g1.x, x);
    row.y = perlane_mix(g0.y, g1.y, x);
    row.z = perlane_mix(g0.z, g1.z, x);
  } else {
    PERLANE_EXACT float v0 = perlane_number(m0) * amplitude;
    PERLANE_EXACT float v1 = perlane_number(m1) * amplitude;
    row.value = perlane_between(v0, v1, x);
  }
  return row;
}

PERLANE_FN float perlane_fold(float low, float high, float low_tilt, float high_tilt,
                              perlane_axis axis) {
  PERLANE_EXACT float m = perlane_between(low, high, axis);
  PERLANE_EXACT float t = perlane_ramps(low_tilt, high_tilt, axis);
  PERLANE_EXACT float folded = m + t;
  return folded;
}

/* The two rows of a plane of the cell, folded along z. */
PERLANE_FN perlane_row perlane_plane(PERLANE_WORDS perlane_axis x, uint word, perlane_axis z,
                                     float amplitude) {
  uint m0 = perlane_join(PERLANE_PASS word, z.word0);
  uint m1 = perlane_join(PERLANE_PASS word, z.word1);
  perlane_row low = perlane_row_of(PERLANE_PASS x, m0, amplitude);
  perlane_row high = perlane_row_of(PERLANE_PASS x, m1, amplitude);
  perlane_row plane;
  plane.value = perlane_fold(low.value, high.value, low.z, high.z, z);
  plane.y = perlane_mix(low.y, high.y, z);
  plane.z = 0.0f;
  return plane;
}

/* The contribution of a cell's lower or upper y: to n, and with erosion to its derivatives along x
 * and z. It is the same for all samples of a column in a row of cells. */
PERLANE_STRUCT(perlane_face)
perlane_row n;
perlane_row x;
perlane_row z;
PERLANE_END

PERLANE_FN perlane_face perlane_face_of(PERLANE_WORDS perlane_axis x, uint word, perlane_axis z,
                                        float amplitude) {
  uint is_volume = PERLANE_SELECT(PERLANE_WORD(1u) == 3u, 1u, 0u);
  uint slopes = PERLANE_SELECT(PERLANE_WORD(12u) == 5u, 1u + is_volume, 0u); /* 2.16 */
  perlane_face face;
  face.n = perlane_no_row();
  face.x = face.n;
  face.z = face.n;
  for (uint slope = 0u; slope <= slopes; slope++) {
    perlane_axis ax = x;
    perlane_axis az = z;
    if (slope == 1u) {
      ax = perlane_derived(PERLANE_PASS x, amplitude);
    } else if (slope == 2u) {
      az = perlane_derived(PERLANE_PASS z, amplitude);
    }
    perlane_row row = perlane_no_row();
    if (is_volume == 1u) {
      row = perlane_plane(PERLANE_PASS ax, word, az, amplitude);
    } else {
      row = perlane_row_of(PERLANE_PASS ax, word, amplitude);
    }
    if (slope == 0u) {
      face.n = row;
    } else if (slope == 1u) {
      face.x = row;
    } else {
      face.z = row;
    }
  }
  return face;
}

PERLANE_FN float perlane_across(perlane_row low, perlane_row high, perlane_axis y) {
  return perlane_fold(low.value, high.value, low.y, high.y, y);
}

/* ---- 2.11 Shaped octaves ---- */

/* The sum of the octaves so far, W, and g of 2.16. */
PERLANE_STRUCT(perlane_sum)
float value;
float weight;
float x;
float y;
float z;
PERLANE_END

PERLANE_FN perlane_sum perlane_no_octaves() {
  perlane_sum sum;
  sum.value = 0.0f;
  sum.weight = 1.0f;
  sum.x = 0.0f;
  sum.y = 0.0f;
  sum.z = 0.0f;
  return sum;
}

/* b of ping-pong */
PERLANE_FN float perlane_folded(float n, float P) {
  PERLANE_EXACT float n1 = n + 1.0f;
  PERLANE_EXACT float t = n1 * P;
  PERLANE_EXACT float h = t * 0.5f;
  PERLANE_EXACT float twice = 2.0f * perlane_floor(h);
  PERLANE_EXACT float reduced = t - twice;
  PERLANE_EXACT float b = reduced - 1.0f;
  return perlane_magnitude(b);
}

/* With erosion g of 2.16 includes the slopes of n. */
PERLANE_FN perlane_sum perlane_shape(PERLANE_WORDS perlane_sum sum, float n, float strength) {
  uint fractal = PERLANE_WORD(12u);
  float Q = PERLANE_FLOAT_OF_BITS(PERLANE_WORD(13u));
  PERLANE_EXACT float n1 = n + 1.0f;
  PERLANE_EXACT float g = n1 * 0.5f;
  PERLANE_EXACT float v = n;
  if ((fractal > 1u) && (fractal < 5u)) {
    float a = perlane_magnitude(n);
    if (fractal == 4u) {
      a = perlane_folded(n, PERLANE_FLOAT_OF_BITS(PERLANE_WORD(14u)));
    }
    PERLANE_EXACT float twice = a + a;
    PERLANE_EXACT float crest = 1.0f - twice;
    PERLANE_EXACT float hill = twice - 1.0f;
    PERLANE_EXACT float rest = 1.0f - a;
    v = PERLANE_SELECT(fractal == 3u, hill, crest);
    g = PERLANE_SELECT(fractal == 3u, a, rest);
  }
  PERLANE_EXACT float x = v * strength;
  if (fractal == 5u) {
    PERLANE_EXACT float xx = sum.x * sum.x;
    PERLANE_EXACT float yy = sum.y * sum.y;
    PERLANE_EXACT float zz = sum.z * sum.z;
    PERLANE_EXACT float xy = xx + yy;
    PERLANE_EXACT float q = xy + zz;
    PERLANE_EXACT float steep = PERLANE_FLOAT_OF_BITS(PERLANE_WORD(14u)) * q;
    PERLANE_EXACT float divisor = 1.0f + steep;
    x = perlane_quotient(x, divisor);
  }
  PERLANE_EXACT float weighted = x * sum.weight;
  float above0 = PERLANE_SELECT(g > 0.0f, g, 0.0f);
  float clamped = PERLANE_SELECT(above0 < 1.0f, above0, 1.0f);
  PERLANE_EXACT float g1 = clamped - 1.0f;
  PERLANE_EXACT float part = Q * g1;
  PERLANE_EXACT float L = 1.0f + part;
  PERLANE_EXACT float next = sum.weight * L;
  perlane_sum shaped = sum;
  shaped.value = weighted;
  shaped.weight = next;
  return shaped;
}

/* ---- 2.7 Octaves ---- */

/* Adds n of an octave. */
PERLANE_FN perlane_sum perlane_add_noise(PERLANE_WORDS perlane_sum sum, uint octave, float n,
                                         float strength) {
  perlane_sum next = sum;
  next.value = n;
  if (PERLANE_WORD(12u) != 0u) {
    next = perlane_shape(PERLANE_PASS sum, n, strength);
  }
  PERLANE_EXACT float total = sum.value + next.value;
  next.value = PERLANE_SELECT(octave == 0u, next.value, total);
  return next;
}

/* Adds an octave at y, between two faces of a cell. */
PERLANE_FN perlane_sum perlane_add(PERLANE_WORDS perlane_sum sum, uint octave, perlane_face low,
                                   perlane_face high, perlane_axis y, float amplitude,
                                   float strength) {
  float n = perlane_across(low.n, high.n, y);
  perlane_sum sloped = sum;
  if (PERLANE_WORD(12u) == 5u) {
    perlane_axis ay = perlane_derived(PERLANE_PASS y, amplitude);
    PERLANE_EXACT float gx = sum.x + perlane_across(low.x, high.x, y);
    PERLANE_EXACT float gy = sum.y + perlane_across(low.n, high.n, ay);
    PERLANE_EXACT float gz = sum.z + perlane_across(low.z, high.z, y);
    sloped.x = gx;
    sloped.y = gy;
    sloped.z = gz;
  }
  return perlane_add_noise(PERLANE_PASS sloped, octave, n, strength);
}

/* ---- 2.12, 2.17 The end of a sample ---- */

PERLANE_FN float perlane_contrast(float v, uint C) {
  float a = perlane_magnitude(v);
  PERLANE_EXACT float p = a;
  for (uint i = 2u; i < C; i++) {
    PERLANE_EXACT float next = p * a;
    p = next;
  }
  PERLANE_EXACT float power = v * p;
  /* Mesa's compiler would take two comparisons with 0 for a function that makes -0 of -0. */
  uint bits = PERLANE_BITS_OF_FLOAT(v);
  uint one = (bits & 0x80000000u) | 0x3F800000u;
  uint sign = PERLANE_SELECT((bits << 1u) == 0u, 0u, one);
  return PERLANE_SELECT(C == 0u, PERLANE_FLOAT_OF_BITS(sign), power);
}

PERLANE_FN float perlane_curved(PERLANE_WORDS float v, uint count) {
  uint at = PERLANE_WORD(19u);
  float first = PERLANE_FLOAT_OF_BITS(PERLANE_WORD(at));
  float last = PERLANE_FLOAT_OF_BITS(PERLANE_WORD(at + 5u * count - 5u));
  float from_first = PERLANE_SELECT(v < first, first, v);
  float c = PERLANE_SELECT(v > last, last, from_first);
  uint piece = at;
  for (uint i = 1u; i < count; i++) {
    uint next = at + 5u * i;
    piece = PERLANE_SELECT(c >= PERLANE_FLOAT_OF_BITS(PERLANE_WORD(next)), next, piece);
  }
  PERLANE_EXACT float t = c - PERLANE_FLOAT_OF_BITS(PERLANE_WORD(piece));
  PERLANE_EXACT float p3 = PERLANE_FLOAT_OF_BITS(PERLANE_WORD(piece + 4u)) * t;
  PERLANE_EXACT float s2 = PERLANE_FLOAT_OF_BITS(PERLANE_WORD(piece + 3u)) + p3;
  PERLANE_EXACT float p2 = s2 * t;
  PERLANE_EXACT float s1 = PERLANE_FLOAT_OF_BITS(PERLANE_WORD(piece + 2u)) + p2;
  PERLANE_EXACT float p1 = s1 * t;
  PERLANE_EXACT float y = PERLANE_FLOAT_OF_BITS(PERLANE_WORD(piece + 1u)) + p1;
  float low = PERLANE_FLOAT_OF_BITS(PERLANE_WORD(20u));
  float high = PERLANE_FLOAT_OF_BITS(PERLANE_WORD(21u));
  float above = PERLANE_SELECT(y < low, low, y);
  return PERLANE_SELECT(y > high, high, above);
}

PERLANE_FN float perlane_terraced(float v, float H, float C) {
  PERLANE_EXACT float v1 = v + 1.0f;
  PERLANE_EXACT float t = v1 * H;
  float w = t; /* from 2^23 on every float is whole */
  if (perlane_magnitude(t) < 8388608.0f) {
    w = perlane_floor(t);
  }
  PERLANE_EXACT float f = t - w;
  PERLANE_EXACT float rest = 1.0f - f;
  float m = PERLANE_SELECT(f <= 0.5f, f, rest);
  PERLANE_EXACT float twice = m + m;
  PERLANE_EXACT float part = 1.0f - twice;
  PERLANE_EXACT float product = C * part;
  PERLANE_EXACT float b = product + 1.0f;
  float r = perlane_quotient(m, b);
  PERLANE_EXACT float r1 = 1.0f - r;
  float s = PERLANE_SELECT(f <= 0.5f, r, r1);
  PERLANE_EXACT float level = w + s;
  PERLANE_EXACT float y = perlane_quotient(level, H) - 1.0f;
  return y;
}

PERLANE_FN float perlane_end(PERLANE_WORDS float sum) {
  PERLANE_EXACT float v = sum;
  uint contrast = PERLANE_WORD(15u);
  if (contrast != 1u) {
    v = perlane_contrast(v, contrast);
  }
  uint pieces = PERLANE_WORD(18u);
  if (pieces != 0u) {
    v = perlane_curved(PERLANE_PASS v, pieces);
  }
  uint terraces = PERLANE_WORD(22u);
  if (terraces != 0u) {
    v = perlane_terraced(v, PERLANE_FLOAT_OF_BITS(terraces),
                         PERLANE_FLOAT_OF_BITS(PERLANE_WORD(23u)));
  }
  uint scale = PERLANE_WORD(16u);
  if (scale != 0x3F800000u) {
    PERLANE_EXACT float scaled = v * PERLANE_FLOAT_OF_BITS(scale);
    v = scaled;
  }
  uint offset = PERLANE_WORD(17u);
  if (offset != 0u) {
    PERLANE_EXACT float shifted = v + PERLANE_FLOAT_OF_BITS(offset);
    v = shifted;
  }
  return v;
}
