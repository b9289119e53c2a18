/* SPDX-License-Identifier: MIT
 *
 * The reference: section 2 of docs/specification.md in plain C, one sample at a time, with its
 * names, and in its order where functions do not need later ones. It shares no function, table or
 * expression with the lane kernels of src/noise, so that their agreement proves something. Both
 * read the constants of section 3 (each octave's frequency, amplitude, keys, shifts and periods,
 * the tables, the vectors) from perlane_noise, where src/field.c has stored them;
 * tests/docs/specification.py computes these, too. It is also the kernel of machines without a lane
 * kernel.
 */
#include "../strict.h"

#include <string.h>

#include "../field.h"
#include "../kernels.h"

/* ---- 1. Arithmetic ---- */

static uint32_t float_bits(float v) {
  uint32_t bits;
  memcpy(&bits, &v, sizeof bits);
  return bits;
}

static float float_with_bits(uint32_t bits) {
  float v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

/* sgn(q) v of 2.13: v, with its sign flipped if q has a minus sign, as -0 has. */
static float sgn(float q, float v) {
  return float_with_bits(float_bits(v) ^ (float_bits(q) & 0x80000000));
}

static float magnitude(float v) {
  return sgn(v, v);
}

/* Nearest integer, ties to even. From 2^52 on every double is an integer. */
static double round_even(double v) {
  const double whole = 4503599627370496.0;
  if (v >= whole || v <= -whole)
    return v;
  return v < 0 ? (v - whole) + whole : (v + whole) - whole;
}

/* |v| <= 2^53. */
static int64_t floor_integer(double v) {
  int64_t integer = (int64_t)v;
  return (double)integer > v ? integer - 1 : integer;
}

/* The correctly rounded root of a finite v >= 0. Halving the exponent and the digits gives a number
 * within 7 percent of the root. From Newton's first step on, steps fall from above until they are
 * within two units in the last place of a double. That is enough to round to float: a number
 * halfway between two floats has 25 binary digits, the last of them a 1, so its square has 49 or 50
 * digits, more than v. The square therefore differs from v by at least 1 in the 50th digit, and the
 * number from the root by at least four units. */
static float square_root(float v) {
  if (v == 0)
    return v;
  const double square = (double)v;
  uint64_t bits;
  memcpy(&bits, &square, sizeof bits);
  bits = (bits + 0x3FF0000000000000) >> 1;
  double root;
  memcpy(&root, &bits, sizeof root);
  root = 0.5 * (root + square / root);
  for (;;) {
    const double closer = 0.5 * (root + square / root);
    if (!(closer < root))
      return (float)root;
    root = closer;
  }
}

/* A value, and its derivatives along the axes where they are asked for. */
struct sample {
  float value, slope[4];
};

static struct sample product_with(struct sample v, float factor) {
  v.value *= factor;
  for (int a = 0; a < 4; a++)
    v.slope[a] *= factor;
  return v;
}

static struct sample sum_of(struct sample v, struct sample w) {
  v.value += w.value;
  for (int a = 0; a < 4; a++)
    v.slope[a] += w.slope[a];
  return v;
}

static struct sample product_of(struct sample v, struct sample w) {
  for (int a = 0; a < 4; a++)
    v.slope[a] = v.slope[a] * w.value + v.value * w.slope[a];
  v.value *= w.value;
  return v;
}

/* ---- 2. The value at a position ---- */

/* A field of dims dimensions: that of a noise, or a displacement of its warp (2.18). Where one
 * octave is evaluated, a copy of the field points to it. */
struct field {
  const perlane_noise *noise; /* of the tables and vectors */
  const perlane_params *params;
  const struct perlane_octave *octave;
  int dims, octaves, shaped, slopes; /* slopes: 0, or dims for derivatives */
};

/* A coordinate of the position in one octave; [0] is the lower corner's, [1] the upper one's. */
struct axis {
  int64_t X[2];       /* 2.2 */
  float w, u, a0, a1; /* 2.3 */
  uint32_t word[2];   /* 2.4 */
  float e, b0, b1;    /* 2.13 */
};

/* ---- 2.1 Position ---- */

static double grid_position(const struct perlane_region *grid, int axis, size_t i) {
  const int64_t n = grid->first[axis] + (int64_t)i;
  return grid->origin[axis] + (double)n * grid->step[axis];
}

/* The highest frequency of the octaves decides for all of them, also where fewer are evaluated. */
static int domain_has(int dims, const double *x, double highest_frequency) {
  for (int a = 0; a < dims; a++) {
    const double x_k = x[a] * highest_frequency;
    if (!(x_k >= -9007199254740992.0 && x_k <= 9007199254740992.0))
      return 0;
  }
  return 1;
}

static struct sample outside_domain(void) {
  const float nan = float_with_bits(0x7FC00000);
  return (struct sample){nan, {nan, nan, nan, nan}};
}

/* ---- 2.2 Cell and fraction ---- */

static float split_position(double x_k, uint32_t phase, int64_t *X) {
  /* From 2^28 on, whole cells are set aside, so that an int64_t holds t. */
  const int64_t aside = x_k < 0x1p28 && x_k > -0x1p28 ? 0 : floor_integer(x_k);
  const double units = (x_k - (double)aside) * 16777216.0, rounded = round_even(units);
  int64_t t = (int64_t)rounded + phase;
  const double error = units - rounded;
  if ((error == 0.5 || error == -0.5) && t % 2 != 0) /* a tie, which goes to the even sum */
    t += error > 0 ? 1 : -1;
  const int64_t cell = floor_integer((double)t / 16777216.0);
  *X = aside + cell;
  return (float)(t - cell * 16777216) / 16777216.0f;
}

static int64_t modulo(int64_t X, int32_t S) {
  return S == 0 ? X : (X % S + S) % S;
}

/* ---- 2.3 Fade and weights ---- */

static void weigh(const struct field *layer, float f, struct axis *axis) {
  static const float A[PERLANE_FADE_COUNT] = {2, 2, 0}, B[PERLANE_FADE_COUNT] = {6, 0, 0};
  const perlane_fade fade = (perlane_fade)layer->params->fade;
  const float amplitude = layer->octave->amplitude[layer->dims - 1];
  const float c = f - 0.5f, s = f * (1.0f - f);
  axis->w = c + c * (s * (A[fade] + B[fade] * s));
  axis->u = 0.5f + axis->w;
  axis->a0 = (f * (1.0f - axis->u)) * amplitude;
  axis->a1 = ((f - 1.0f) * axis->u) * amplitude;
}

/* ---- 2.4 Axis words ---- */

static int32_t signed_half(uint32_t half) {
  return half < 0x8000 ? (int32_t)half : (int32_t)half - 0x10000;
}

static uint32_t dot(uint32_t a, uint32_t b) {
  /* Each product fits in int32_t; their sum may not, so it is taken modulo 2^32. */
  const int32_t low = signed_half(a & 0xFFFF) * signed_half(b & 0xFFFF);
  const int32_t high = signed_half(a >> 16) * signed_half(b >> 16);
  return (uint32_t)low + (uint32_t)high;
}

static uint32_t axis_word(int64_t X, int axis, uint32_t key) {
  static const uint32_t multiplier[4] = {0x9E3779B1u, 0x85EBCA6Bu, 0xC2B2AE35u, 0x27D4EB2Fu};
  const uint64_t bits = (uint64_t)X;
  /* (X + 2^31) >> 32: the upper word, plus one if bit 31 is set. */
  const uint32_t high = (uint32_t)(bits >> 32) + (uint32_t)(bits >> 31 & 1);
  const uint32_t low = (uint32_t)bits;
  const uint32_t c = low ^ high * 0x9E3779B1u;
  const uint32_t v = c * multiplier[axis] + key;
  return dot(v, 0x2C1B3C6Du) ^ v;
}

/* ---- 2.5 Gradients ---- */

/* m */
static uint32_t join_words(int dims, const uint32_t word[4]) {
  if (dims == 1)
    return dot(word[0] ^ word[0] >> 15, 0x2C1B3C6Du);
  if (dims == 2)
    return dot(word[0], word[1]);
  if (dims == 3)
    return dot(word[0], dot(word[1], word[2]));
  return dot(dot(word[0], word[1]), dot(word[2], word[3]));
}

static void default_gradient(int dims, uint32_t m, float g[4]) {
  static const float k = 53.0f / 128.0f;
  static const float edges3[16][3] = {
      {2, 2, 0},  {-2, 2, 0},  {2, -2, 0}, {-2, -2, 0}, {2, 0, 2},  {-2, 0, 2},
      {2, 0, -2}, {-2, 0, -2}, {0, 2, 2},  {0, -2, 2},  {0, 2, -2}, {0, -2, -2},
      {2, 2, 0},  {0, -2, 2},  {-2, 2, 0}, {0, -2, -2},
  };
  if (dims == 1) {
    g[0] = (m >> 13 & 1) ? -1.0f : 1.0f;
  } else if (dims == 2) {
    const uint32_t index = m >> 13 & 7;
    g[0] = (index & 1 ? -1.0f : 1.0f) * (index & 4 ? k : 1.0f);
    g[1] = (index & 2 ? -1.0f : 1.0f) * (index & 4 ? 1.0f : k);
  } else if (dims == 3) {
    memcpy(g, edges3[m >> 13 & 15], sizeof edges3[0]);
  } else {
    const uint32_t index = m >> 13 & 31, missing = index >> 1 & 3;
    const uint32_t sign[3] = {index & 1, index >> 3 & 1, index >> 4 & 1};
    int used = 0;
    for (uint32_t i = 0; i < 4; i++) {
      const uint32_t axis = (i + 3) % 4; /* w, x, y, z */
      g[axis] = axis == missing ? 0.0f : (sign[used++] ? -2.0f : 2.0f);
    }
  }
}

/* ---- 2.6 Combination ---- */

/* A row; or a corner: its gradient in tilt, or with another basis its v0 or v1 in value. */
struct row {
  float value, tilt[4];
};

/* Where `derive` is set, these are the steps of 2.13. */
static float join_tilts(const struct axis *x, int derive, float lower, float upper) {
  return derive ? x->e * (upper - lower) : lower + x->u * (upper - lower);
}

static float join_values(const struct axis *x, int derive, float lower, float upper) {
  return derive ? x->e * (upper - lower) : (lower + upper) * 0.5f + x->w * (upper - lower);
}

static float add_ramps(const struct axis *x, int derive, float lower, float upper) {
  return derive ? x->b0 * lower + x->b1 * upper : x->a0 * lower + x->a1 * upper;
}

/* n; or its derivative along the axis `along`, if that is not -1. Bit a of a corner's number says
 * that it is the upper one along axis a. */
static float combine(int dims, perlane_basis basis, const struct row corner[16],
                     const struct axis axis[4], int along) {
  struct row row[8] = {{0, {0}}};
  for (int r = 0; r < 1 << (dims - 1); r++) {
    const struct row *g0 = &corner[(size_t)2 * (size_t)r], *g1 = g0 + 1;
    row[r].value = basis == PERLANE_BASIS_PERLIN
                       ? add_ramps(&axis[0], along == 0, g0->tilt[0], g1->tilt[0])
                       : join_values(&axis[0], along == 0, g0->value, g1->value);
    for (int b = 1; b < dims; b++)
      row[r].tilt[b] = join_tilts(&axis[0], along == 0, g0->tilt[b], g1->tilt[b]);
  }
  for (int b = dims - 1; b >= 1; b--) {
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): dims is from 1 to 4 */
    const int half = 1 << (b - 1), derive = along == b;
    for (int r = 0; r < half; r++) {
      struct row *L = &row[r], *H = &row[r + half];
      L->value = join_values(&axis[b], derive, L->value, H->value) +
                 add_ramps(&axis[b], derive, L->tilt[b], H->tilt[b]);
      for (int c = 1; c < b; c++)
        L->tilt[c] = join_tilts(&axis[b], derive, L->tilt[c], H->tilt[c]);
    }
  }
  return row[0].value;
}

/* ---- 2.8 Hashes with a table, and the grid ---- */

/* h, after as many lookups as `axes`: those beyond the field's dimensions are the slice at 0. */
static uint32_t table_index(const struct field *layer, const int64_t X[4], int axes) {
  const uint8_t *P = layer->noise->table;
  if (layer->params->hash == PERLANE_HASH_PRIMES) {
    const uint32_t x = (uint32_t)X[0] * 1836311903u;
    const uint32_t y = (uint32_t)X[1] * 2971215073u + (uint32_t)UINT64_C(4807526976);
    return P[(x ^ y) & 1023];
  }
  uint32_t h = 0;
  for (int a = 0; a < axes; a++)
    h = P[(h + (a < layer->dims ? (uint32_t)X[a] + layer->octave->shift[a] : 0)) & 255];
  return h;
}

/* ---- 2.9 Gradient sets ---- */

/* The index of a corner's vector; field.c repeats a set's vectors to 256. */
static uint32_t vector_index(const struct field *layer, const int64_t X[4], uint32_t m) {
  const perlane_gradients set = (perlane_gradients)layer->params->gradients;
  const int is_edges12 = set == PERLANE_GRADIENTS_EDGES12;
  const int is_pnoise = set == PERLANE_GRADIENTS_PNOISE;
  if (layer->params->hash != PERLANE_HASH_LATTICE) { /* 2.8 */
    const int is_slice = is_edges12 || (is_pnoise && layer->dims == 2);
    return table_index(layer, X, is_slice ? 3 : layer->dims);
  }
  if (set == PERLANE_GRADIENTS_TABLE || (set == PERLANE_GRADIENTS_SPHERE && layer->dims > 1))
    return m >> 12 & 255;
  if (set == PERLANE_GRADIENTS_EDGES32)
    return m >> 13 & 31;
  return m >> 13 & (is_edges12 || is_pnoise ? 15 : 7);
}

static void corner_gradient(const struct field *layer, const int64_t X[4], const uint32_t word[4],
                            float g[4]) {
  static const int first_vector[4] = {0, 1, 3, 6};
  const perlane_params *params = layer->params;
  const uint32_t m = join_words(layer->dims, word);
  if (params->hash == PERLANE_HASH_GRID) { /* 2.8 */
    const size_t SX = (size_t)params->gradient_grid_count[0];
    const size_t point = (size_t)X[1] * SX + (size_t)X[0];
    memcpy(g, &params->gradient_grid[2 * point], 2 * sizeof g[0]);
  } else if (params->hash == PERLANE_HASH_LATTICE &&
             params->gradients == PERLANE_GRADIENTS_DEFAULT) {
    default_gradient(layer->dims, m, g);
  } else {
    const uint32_t index = vector_index(layer, X, m);
    for (int a = 0; a < layer->dims; a++)
      g[a] = layer->noise->vector[first_vector[layer->dims - 1] + a][index];
  }
}

/* ---- 2.10 Values instead of gradients ---- */

static uint32_t mixed(uint32_t h) {
  h ^= h >> 16;
  h *= 0x7FEB352Du;
  h ^= h >> 15;
  h *= 0x846CA68Bu;
  return h ^ h >> 16;
}

/* term[0] + y * (term[1] + y * (term[2] + ...)) */
static float polynomial(float y, int terms, const float *term) {
  float sum = term[terms - 1];
  for (int i = terms - 2; i >= 0; i--)
    sum = term[i] + y * sum;
  return sum;
}

static float gaussian_number(uint32_t h) {
  static const float l[4] = {0x1.555556p-2f, 0x1.99999ap-3f, 0x1.24924ap-3f, 0x1.c71c72p-4f};
  static const float s[7] = {0x1.921fb6p+2f, -0x1.4abbcep+5f, 0x1.466bc6p+6f, -0x1.32d2ccp+6f,
                             0x1.507834p+5f, -0x1.e3075p+3f,  0x1.e8f434p+1f};
  const float U = (float)((h >> 8) + 1) * 0x1p-24f;
  const uint32_t e = (float_bits(U) + 0x004AFB0D) >> 23;
  const float M = float_with_bits(float_bits(U) - (e << 23) + 0x3F800000);
  const float S = (M - 1.0f) / (M + 1.0f), q = S * S;
  const float t = S + S * (q * polynomial(q, 4, l));
  const float log = ((float)e - 127.0f) * 0x1.62e43p-1f + (t + t);
  const float radius = square_root(log * -2.0f + 0.0f);
  const float V = (float)(mixed(h + 0x9E3779B9u) >> 8) * 0x1p-24f;
  const float z = 0.25f - magnitude(V - 0.5f);
  const float sine = z * polynomial(z * z, 7, s);
  return radius * sine;
}

static float uniform_number(uint32_t h) {
  return (float)((int32_t)(h >> 7 | 1) - 0x1000000) * 0x1p-24f;
}

static float corner_number(const struct field *layer, const int64_t X[4], const uint32_t word[4]) {
  if (layer->params->hash != PERLANE_HASH_LATTICE)
    return (float)(2 * (int32_t)table_index(layer, X, layer->dims) - 255) * 0x1p-8f;
  uint32_t h = 0;
  for (int a = 0; a < layer->dims; a++)
    h += word[a];
  h = mixed(h);
  return layer->params->basis == PERLANE_BASIS_GAUSSIAN ? gaussian_number(h) : uniform_number(h);
}

/* ---- 2.11 Shaped octaves, and their derivatives of 2.13 ---- */

/* Returns v, and g before it is clamped. */
static struct sample shape(const perlane_params *params, struct sample n, struct sample *g) {
  const float P = (float)params->ping_pong_strength;
  struct sample v = n;
  if (params->fractal == PERLANE_FRACTAL_FBM || params->fractal == PERLANE_FRACTAL_NONE ||
      params->fractal == PERLANE_FRACTAL_ERODED) {
    g->value = (n.value + 1.0f) * 0.5f;
    for (int i = 0; i < 4; i++)
      g->slope[i] = n.slope[i] * 0.5f;
    return v;
  }
  float q = n.value, factor = 1;
  if (params->fractal == PERLANE_FRACTAL_PING_PONG) {
    float t = (n.value + 1.0f) * P;
    t = t - 2.0f * (float)floor_integer((double)(t * 0.5f));
    q = t - 1.0f;
    factor = P;
  }
  const int is_billow = params->fractal == PERLANE_FRACTAL_BILLOW;
  const float a = magnitude(q); /* b of ping-pong */
  v.value = is_billow ? (a + a) - 1.0f : 1.0f - (a + a);
  g->value = is_billow ? a : 1.0f - a;
  for (int i = 0; i < 4; i++) {
    const float j = sgn(q, factor * n.slope[i]);
    v.slope[i] = is_billow ? j + j : -(j + j);
    g->slope[i] = is_billow ? j : -j;
  }
  return v;
}

/* Returns x, and makes W that of the next octave. q is that of 2.16. */
static struct sample shaped_octave(const struct field *field, float strength, float q,
                                   struct sample n, struct sample *W) {
  const perlane_params *params = field->params;
  const float Q = (float)params->weighted_strength, E = (float)params->erosion;
  struct sample g, L;
  struct sample x = product_with(shape(params, n, &g), strength);
  if (params->fractal == PERLANE_FRACTAL_ERODED)
    x.value = x.value / (1.0f + E * q);
  if (params->weighted_strength == 0 || field->octaves == 1)
    return x;
  if (!(g.value > 0.0f && g.value < 1.0f))
    g = (struct sample){g.value > 0.0f ? 1.0f : 0.0f, {0}};
  L.value = 1.0f + Q * (g.value - 1.0f);
  for (int i = 0; i < 4; i++)
    L.slope[i] = Q * g.slope[i];
  const struct sample weighted = product_of(x, *W);
  *W = product_of(*W, L);
  return weighted;
}

/* ---- 2.13 Derivatives ---- */

static void weigh_derivatives(const struct field *layer, float f, struct axis *axis) {
  static const float d2[PERLANE_FADE_COUNT] = {30, 0, 0}, d1[PERLANE_FADE_COUNT] = {0, 6, 0},
                     d0[PERLANE_FADE_COUNT] = {0, 0, 1};
  const perlane_fade fade = (perlane_fade)layer->params->fade;
  const float amplitude = layer->octave->amplitude[layer->dims - 1];
  const float s = f * (1.0f - f), d = (d2[fade] * s + d1[fade]) * s + d0[fade];
  const double frequency = /* 2.16: per cell */
      layer->params->fractal == PERLANE_FRACTAL_ERODED ? 1.0 : layer->octave->frequency;
  const float F = (float)frequency, G = (float)((double)amplitude * frequency);
  axis->e = d * F;
  axis->b0 = ((1.0f - axis->u) - f * d) * G;
  axis->b1 = (axis->u + (f - 1.0f) * d) * G;
}

/* ---- 2.14 Integers ---- */

static uint16_t integer_of(const struct perlane_output *output, float v) {
  const float M = output->format == FORMAT_U8 ? 255.0f : 65535.0f;
  float p = (v - output->low) * output->scale;
  p = p > 0.0f ? p : 0.0f;
  p = p < M ? p : M;
  return (uint16_t)round_even((double)p);
}

/* ---- 2.15 Cellular noise ---- */

static float smaller_of(float a, float b) {
  return a < b ? a : b;
}

static float larger_of(float a, float b) {
  return a > b ? a : b;
}

/* D */
static float cell_distance(perlane_cell_metric metric, int dims, const float d[3]) {
  const float dx = d[0], dy = d[1], dz = d[2];
  if (metric == PERLANE_CELL_METRIC_CHEBYSHEV) {
    float D = magnitude(dx);
    for (int a = 1; a < dims; a++)
      D = larger_of(D, magnitude(d[a]));
    return D;
  }
  if (metric == PERLANE_CELL_METRIC_MANHATTAN)
    return dims == 1   ? magnitude(dx)
           : dims == 2 ? magnitude(dx) + magnitude(dy)
                       : (magnitude(dx) + magnitude(dz)) + magnitude(dy);
  return dims == 1 ? dx * dx : dims == 2 ? dx * dx + dy * dy : (dx * dx + dz * dz) + dy * dy;
}

/* The cells around a position: f, and at each offset from -3 to 3 along each axis the word. */
struct cells {
  int dims, R;
  float f[3];
  uint32_t word[3][7];
};

/* A cell's point: h, float(i) * j and d along each axis, and D. */
struct cell_point {
  int o[3];
  uint32_t h;
  float p[3], d[3], D;
};

static struct cell_point point_of_cell(const perlane_params *params, const struct cells *cells,
                                       int x, int y, int z) {
  static const int B[4] = {0, 24, 16, 11};
  const int dims = cells->dims;
  const double bit = 1.0 / (double)(1 << B[dims]);
  const float j = (float)(params->jitter * bit);
  const float a = (float)(0.5 + params->jitter * (bit / 2 - 0.5));
  struct cell_point point = {.o = {x, y, z}};
  uint32_t sum = 0;
  for (int b = 0; b < dims; b++)
    sum += cells->word[b][point.o[b] + 3];
  const uint32_t h = point.h = mixed(sum);
  const uint32_t i[3] = {dims == 1   ? h >> 8
                         : dims == 2 ? h >> 16
                                     : h >> 21,
                         dims == 2 ? h & 0xFFFF : h >> 10 & 0x7FF, h & 0x7FF};
  for (int b = 0; b < dims; b++) {
    point.p[b] = (float)i[b] * j;
    point.d[b] = point.p[b] - ((cells->f[b] - (float)point.o[b]) - a);
  }
  point.D = cell_distance((perlane_cell_metric)params->cell_metric, dims, point.d);
  return point;
}

/* Each cell in the order of the text. */
/* NOLINTBEGIN(bugprone-macro-parentheses): x, y and z are declared */
#define EACH_CELL(cells, x, y, z)                                                                  \
  for (int R = (cells)->R, z = (cells)->dims > 2 ? -R : 0; z <= ((cells)->dims > 2 ? R : 0); z++)  \
    for (int y = (cells)->dims > 1 ? -R : 0; y <= ((cells)->dims > 1 ? R : 0); y++)                \
      for (int x = -R; x <= R; x++)
/* NOLINTEND(bugprone-macro-parentheses) */

/* t; N receives e * s. */
static float border_distance(int dims, const struct cell_point *n, const struct cell_point *c,
                             float N[3]) {
  float e[3] = {0, 0, 0}, part[3] = {0, 0, 0};
  for (int b = 0; b < dims; b++)
    e[b] = (c->p[b] - n->p[b]) + (float)(c->o[b] - n->o[b]);
  const float s = 0.5f / square_root(cell_distance(PERLANE_CELL_METRIC_SQUARED, dims, e));
  for (int b = 0; b < dims; b++) {
    N[b] = e[b] * s;
    part[b] = (n->d[b] + c->d[b]) * N[b];
  }
  return dims == 1 ? part[0] : dims == 2 ? part[0] + part[1] : (part[0] + part[2]) + part[1];
}

/* E; normal receives e * s of the cell with the smallest t. */
static float edge_distance(const perlane_params *params, const struct cells *cells,
                           const struct cell_point *n, float normal[3]) {
  float E = FLT_MAX;
  EACH_CELL(cells, x, y, z) {
    const struct cell_point c = point_of_cell(params, cells, x, y, z);
    float N[3] = {0, 0, 0};
    if (memcmp(c.o, n->o, sizeof c.o) == 0)
      continue;
    const float t = border_distance(cells->dims, n, &c, N);
    if (t < E) {
      E = t;
      memcpy(normal, N, sizeof N);
    }
  }
  return E > 0 ? E : 0;
}

/* What a search finds: the two nearest points. */
struct found {
  struct cells cells;
  struct cell_point nearest, second;
};

static struct found search_cells(const struct field *layer, const double *x_k) {
  const struct perlane_octave *octave = layer->octave;
  const perlane_params *params = layer->params;
  const perlane_cell_metric metric = (perlane_cell_metric)params->cell_metric;
  const int dims = layer->dims;
  struct found found;
  memset(&found, 0, sizeof found);
  found.cells.dims = dims;
  found.cells.R = dims == 1 || metric == PERLANE_CELL_METRIC_CHEBYSHEV   ? 1
                  : dims == 3 && metric == PERLANE_CELL_METRIC_MANHATTAN ? 3
                                                                         : 2;
  for (int a = 0; a < dims; a++) {
    int64_t X;
    found.cells.f[a] = split_position(x_k[a], octave->phase[a], &X);
    for (int o = -found.cells.R; o <= found.cells.R; o++)
      found.cells.word[a][o + 3] = axis_word(modulo(X + o, octave->period[a]), a, octave->key[a]);
  }
  found.nearest.D = found.second.D = FLT_MAX;
  EACH_CELL(&found.cells, x, y, z) {
    const struct cell_point c = point_of_cell(params, &found.cells, x, y, z);
    if (c.D < found.nearest.D) {
      found.second = found.nearest;
      found.nearest = c;
    } else if (c.D < found.second.D) {
      found.second = c;
    }
  }
  return found;
}

/* F1 or F2 */
static float distance_of(const perlane_params *params, float D) {
  return params->cell_metric == PERLANE_CELL_METRIC_EUCLIDEAN ? square_root(D) : D;
}

/* F1 or F2 of a cell; its derivatives are w. */
static struct sample distance_to(const perlane_params *params, int dims,
                                 const struct cell_point *c) {
  struct sample F = {distance_of(params, c->D), {0}};
  int is_along = 0;
  for (int a = 0; a < dims; a++) {
    const float d = c->d[a], sign = d > 0 ? -1.0f : d < 0 ? 1.0f : 0.0f;
    switch ((perlane_cell_metric)params->cell_metric) {
    case PERLANE_CELL_METRIC_SQUARED:
      F.slope[a] = d * -2.0f;
      break;
    case PERLANE_CELL_METRIC_MANHATTAN:
      F.slope[a] = sign;
      break;
    case PERLANE_CELL_METRIC_CHEBYSHEV:
      F.slope[a] = !is_along && magnitude(d) == c->D ? sign : 0.0f;
      is_along = is_along || magnitude(d) == c->D;
      break;
    case PERLANE_CELL_METRIC_EUCLIDEAN:
    case PERLANE_CELL_METRIC_COUNT:
      F.slope[a] = d * (c->D == 0 ? 0.0f : -1.0f / F.value);
    }
  }
  return F;
}

static struct sample cellular_noise(const struct field *layer, const double x_k[4]) {
  const struct perlane_octave *octave = layer->octave;
  const perlane_params *params = layer->params;
  const int dims = layer->dims, slopes = layer->slopes;
  const struct found found = search_cells(layer, x_k);
  const float amplitude = octave->amplitude[dims - 1];
  const struct sample F1 = distance_to(params, dims, &found.nearest);
  const struct sample F2 = distance_to(params, dims, &found.second);
  struct sample n = F1;
  switch ((perlane_cell_output)params->cell_output) {
  case PERLANE_CELL_OUTPUT_VALUE:
    return (struct sample){uniform_number(found.nearest.h * 0x9E3779B1u) * amplitude, {0}};
  case PERLANE_CELL_OUTPUT_F2:
    n = F2;
    break;
  case PERLANE_CELL_OUTPUT_F2_MINUS_F1:
    n.value = F2.value - F1.value;
    for (int a = 0; a < dims; a++)
      n.slope[a] = F2.slope[a] - F1.slope[a];
    break;
  case PERLANE_CELL_OUTPUT_EDGE:
    n.value = edge_distance(params, &found.cells, &found.nearest, n.slope);
    for (int a = 0; a < dims; a++)
      n.slope[a] = n.slope[a] * -2.0f;
    break;
  case PERLANE_CELL_OUTPUT_F1:
  case PERLANE_CELL_OUTPUT_COUNT:
    break;
  }
  n.value = n.value * amplitude + octave->bias;
  for (int a = 0; a < 4; a++)
    n.slope[a] = a < slopes ? n.slope[a] * (float)((double)amplitude * octave->frequency) : 0.0f;
  return n;
}

/* ---- 2.21 Simplex noise ---- */

/* q */
static double to_units(double v) {
  return v < 0x1p28 && v > -0x1p28 ? round_even(v * 16777216.0) / 16777216.0 : v;
}

/* A simplex: along each axis f, its rank from the largest on, and the words of the cell and of the
 * next one. */
struct simplex {
  int dims, rank[3];
  float f[3];
  uint32_t word[3][2];
};

static struct simplex simplex_at(const struct field *layer, const double x_k[4]) {
  const struct perlane_octave *octave = layer->octave;
  struct simplex simplex = {.dims = layer->dims};
  const double F = simplex.dims == 2 ? 0x1.76cf5d0b09954p-2 : 0x1.5555555555555p-2;
  double U[3] = {0, 0, 0}, S[3] = {0, 0, 0};
  for (int a = 0; a < simplex.dims; a++) {
    U[a] = to_units(x_k[a]);
    S[a] = to_units(U[a] * F);
  }
  for (int a = 0; a < simplex.dims; a++) {
    /* Cells and units of 2^-24 apart: together they have more digits than a double. */
    int64_t X = floor_integer(U[a]);
    int64_t units = (int64_t)((U[a] - (double)X) * 16777216.0) + octave->phase[a];
    for (int b = 0; b < simplex.dims; b++) {
      const int64_t whole = floor_integer(S[b]);
      X += whole;
      units += (int64_t)((S[b] - (double)whole) * 16777216.0);
    }
    X += units / 16777216;
    simplex.f[a] = (float)(units % 16777216) / 16777216.0f;
    for (int upper = 0; upper < 2; upper++)
      simplex.word[a][upper] = axis_word(X + upper, a, octave->key[a]);
  }
  for (int a = 0; a < simplex.dims; a++)
    for (int b = 0; b < simplex.dims; b++)
      simplex.rank[a] += simplex.f[b] > simplex.f[a] || (b < a && simplex.f[b] == simplex.f[a]);
  return simplex;
}

/* T before it is clamped. */
static float corner_falloff(int dims, const float d[3], float S) {
  if (dims == 2) {
    const float e = d[0] - d[1];
    return (0.75f - e * e) - d[0] * d[1];
  }
  return (0.5f + (S * S) * 0.25f) - ((d[0] * d[0] + d[1] * d[1]) + d[2] * d[2]);
}

static const float *simplex_gradient(int dims, int index) {
  static const float set[2][8][3] = {{{176, 29},
                                      {-176, -29},
                                      {29, 176},
                                      {-29, -176},
                                      {-135, 220},
                                      {135, -220},
                                      {-220, 135},
                                      {220, -135}},
                                     {{23, -1, -1},
                                      {-23, 1, 1},
                                      {1, 25, -11},
                                      {-1, -25, 11},
                                      {1, -11, 25},
                                      {-1, 11, -25},
                                      {-21, 15, 15},
                                      {21, -15, -15}}};
  return set[dims - 2][index];
}

/* Corner c's part of n, and of its derivatives along the axes of the lattice: the c axes with the
 * largest f are at their upper end. */
static struct sample simplex_corner(const struct simplex *simplex, int c) {
  const int dims = simplex->dims;
  uint32_t word[4] = {0, 0, 0, 0};
  float d[3] = {0, 0, 0}, sorted[3] = {0, 0, 0}, pqr[3] = {0, 0, 0};
  for (int a = 0; a < dims; a++) {
    const int rank = simplex->rank[a], o = rank < c;
    d[a] = simplex->f[a] - (float)o;
    word[a] = simplex->word[a][o];
    pqr[rank] = simplex->f[a];
    sorted[rank] = d[a];
  }
  const float S = ((pqr[0] + pqr[1]) + pqr[2]) - (float)c;
  const float *g = simplex_gradient(dims, join_words(dims, word) >> 13 & 7);
  float T = corner_falloff(dims, dims == 2 ? d : sorted, S);
  T = T > 0.0f ? T : 0.0f;
  const float h = T * T, k = h * h;
  const float ramp =
      dims == 2 ? g[0] * d[0] + g[1] * d[1] : (g[0] * d[0] + g[1] * d[1]) + g[2] * d[2];
  const float w = ((h * T) * ramp) * (dims == 2 ? 4.0f : 8.0f);
  struct sample n = {k * ramp, {0, 0, 0, 0}};
  for (int a = 0; a < dims; a++)
    n.slope[a] = k * g[a] + w * (dims == 2 ? (d[1 - a] - d[a]) - d[a] : S * 0.25f - d[a]);
  return n;
}

static struct sample simplex_noise(const struct field *layer, const double x_k[4]) {
  const int dims = layer->dims, slopes = layer->slopes;
  const struct simplex simplex = simplex_at(layer, x_k);
  const float amplitude = layer->octave->amplitude[dims - 1];
  const double frequency = /* 2.16: per cell */
      layer->params->fractal == PERLANE_FRACTAL_ERODED ? 1.0 : layer->octave->frequency;
  const float F = dims == 2 ? 0x1.76cf5ep-2f : 0x1.555556p-2f;
  const float G = (float)((double)amplitude * frequency);
  struct sample corner[4];
  for (int c = 0; c <= dims; c++)
    corner[c] = simplex_corner(&simplex, c);
  struct sample n = dims == 2 ? sum_of(sum_of(corner[0], corner[2]), corner[1])
                              : sum_of(sum_of(corner[0], corner[1]), sum_of(corner[2], corner[3]));
  const float both = n.slope[0] + n.slope[1], all = dims == 2 ? both : both + n.slope[2];
  n.value = n.value * amplitude;
  for (int a = 0; a < 4; a++)
    n.slope[a] = a < slopes ? (n.slope[a] + all * F) * G : 0.0f;
  return n;
}

/* ---- 2.16 Eroded octaves ---- */

/* q */
static float square_of(int dims, const float g[4]) {
  float q = g[0] * g[0];
  for (int a = 1; a < dims; a++)
    q = q + g[a] * g[a];
  return q;
}

/* ---- 2.7 Octaves ---- */

/* Sets X and the words of the lower and the upper corner of x_k's cell along an axis, which are the
 * same if is_flat, and returns the fraction. */
static float corners_along(const struct perlane_octave *octave, int axis, int is_flat, double x_k,
                           int64_t X[2], uint32_t word[2]) {
  int64_t cell;
  const float f = split_position(x_k, octave->phase[axis], &cell);
  for (int upper = 0; upper < 2; upper++) {
    X[upper] = modulo(is_flat ? cell : cell + upper, octave->period[axis]);
    word[upper] = axis_word(X[upper], axis, octave->key[axis]);
  }
  return f;
}

/* n of one octave at x_k. */
static struct sample octave_noise(const struct field *layer, const double x_k[4]) {
  const struct perlane_octave *octave = layer->octave;
  const perlane_basis basis = (perlane_basis)layer->params->basis;
  const int is_flat = basis == PERLANE_BASIS_WHITE || basis == PERLANE_BASIS_GAUSSIAN; /* 2.10 */
  const int dims = layer->dims, slopes = layer->slopes;
  struct axis axis[4];
  memset(axis, 0, sizeof axis);
  for (int a = 0; a < dims; a++) {
    const float f = corners_along(octave, a, is_flat, x_k[a], axis[a].X, axis[a].word);
    weigh(layer, f, &axis[a]);
    if (slopes > 0)
      weigh_derivatives(layer, f, &axis[a]);
  }
  struct row corner[16];
  memset(corner, 0, sizeof corner);
  for (int i = 0; i < 1 << dims; i++) {
    int64_t X[4];
    uint32_t word[4];
    for (int a = 0; a < 4; a++) {
      X[a] = axis[a].X[i >> a & 1];
      word[a] = axis[a].word[i >> a & 1];
    }
    if (basis == PERLANE_BASIS_PERLIN)
      corner_gradient(layer, X, word, corner[i].tilt);
    else
      corner[i].value = corner_number(layer, X, word) * octave->amplitude[dims - 1];
  }
  struct sample n = {combine(dims, basis, corner, axis, -1), {0}};
  for (int a = 0; a < slopes; a++)
    n.slope[a] = combine(dims, basis, corner, axis, a);
  return n;
}

static struct sample sum_of_octaves(const struct field *field, const double x[4]) {
  const int is_eroded = field->params->fractal == PERLANE_FRACTAL_ERODED;
  struct sample sum = {0, {0}}, W = {1, {0}};
  float g[4] = {0, 0, 0, 0}, q = 0;
  for (int k = 0; k < field->octaves; k++) {
    struct field layer = *field;
    layer.octave = &field->octave[k];
    layer.slopes = is_eroded ? field->dims : field->slopes;
    double x_k[4] = {0, 0, 0, 0};
    for (int a = 0; a < field->dims; a++)
      x_k[a] = x[a] * layer.octave->frequency;
    struct sample n = field->params->basis == PERLANE_BASIS_CELLULAR  ? cellular_noise(&layer, x_k)
                      : field->params->basis == PERLANE_BASIS_SIMPLEX ? simplex_noise(&layer, x_k)
                                                                      : octave_noise(&layer, x_k);
    if (is_eroded) {
      if (k == 0)
        memcpy(g, n.slope, sizeof g);
      else
        for (int a = 0; a < 4; a++)
          g[a] = g[a] + n.slope[a];
      q = square_of(field->dims, g);
    }
    if (field->shaped)
      n = shaped_octave(field, layer.octave->strength, q, n, &W);
    sum = k == 0 ? n : sum_of(sum, n);
  }
  return sum;
}

/* ---- 2.17 Curves and terraces ---- */

static struct sample curved(const struct perlane_pieces *pieces, struct sample v) {
  const float first = pieces->start[0], last = pieces->start[pieces->count - 1];
  const int is_inside = v.value >= first && v.value <= last;
  const float c = v.value < first ? first : v.value > last ? last : v.value;
  int i = 0;
  while (i + 1 < pieces->count && c >= pieces->start[i + 1])
    i++;
  const float t = c - pieces->start[i];
  const float c0 = pieces->c0[i], c1 = pieces->c1[i], c2 = pieces->c2[i], c3 = pieces->c3[i];
  const float y = c0 + (c1 + (c2 + c3 * t) * t) * t;
  const float slope = c1 + (2.0f * c2 + (3.0f * c3) * t) * t;
  for (int a = 0; a < 4; a++)
    v.slope[a] = is_inside ? slope * v.slope[a] : 0.0f;
  v.value = y < pieces->low ? pieces->low : y > pieces->high ? pieces->high : y;
  return v;
}

static struct sample terraced(const perlane_params *params, struct sample v) {
  const float H = (float)(params->terraces / 2.0);
  const float C = (float)(params->terrace_sharpness / (1.0 - params->terrace_sharpness));
  const float t = (v.value + 1.0f) * H;
  /* From 2^23 on every float is whole. */
  const float w = magnitude(t) < 8388608.0f ? (float)floor_integer((double)t) : t;
  const float f = t - w;
  const float m = f <= 0.5f ? f : 1.0f - f;
  const float b = C * (1.0f - (m + m)) + 1.0f;
  const float r = m / b;
  const float s = f <= 0.5f ? r : 1.0f - r;
  const float slope = (C + 1.0f) / (b * b);
  for (int a = 0; a < 4; a++)
    v.slope[a] = slope * v.slope[a];
  v.value = (w + s) / H - 1.0f;
  return v;
}

/* ---- 2.12 The end of a sample ---- */

static struct sample with_contrast(struct sample v, int32_t C) {
  if (C == 0)
    return (struct sample){v.value > 0.0f ? 1.0f : v.value < 0.0f ? -1.0f : 0.0f, {0}};
  const float a = magnitude(v.value);
  float p = a;
  for (int32_t i = 2; i < C; i++)
    p = p * a;
  struct sample power = product_with(v, (float)C * p);
  power.value = v.value * p;
  return power;
}

static struct sample end_of_sample(const perlane_noise *noise, struct sample v) {
  if (noise->params.contrast != 1)
    v = with_contrast(v, noise->params.contrast);
  if (noise->params.curve.count > 0)
    v = curved(&noise->pieces, v);
  if (noise->params.terraces > 0)
    v = terraced(&noise->params, v);
  if (noise->value_scale != 1.0f)
    v = product_with(v, noise->value_scale);
  if (noise->value_offset != 0.0f)
    v.value += noise->value_offset;
  return v;
}

/* ---- 2.18 Warp ---- */

/* d_(r,a) */
static struct sample displacement(const perlane_noise *noise, int dims, int slopes, int r, int a,
                                  const double position[4]) {
  /* Their other parameters are those of the default field, which are 0 here. */
  static const perlane_params params;
  struct perlane_octave octave[PERLANE_MAX_WARP_OCTAVES];
  if (!domain_has(dims, position, noise->highest_warp_frequency))
    return outside_domain();
  perlane_field_displacement(noise, r - 1, a, octave);
  const struct field field = {.noise = noise,
                              .params = &params,
                              .octave = octave,
                              .dims = dims,
                              .octaves = noise->params.warp_octaves,
                              .slopes = slopes};
  return sum_of_octaves(&field, position);
}

/* J_r[a] from J_(r-1) and the derivatives of d_(r,a); J_0 is the identity. */
static void stretch(int dims, int r, int a, float m, const float slope[4], float before[4][4],
                    float J[4]) {
  for (int b = 0; b < dims; b++) {
    float sum = slope[b];
    if (r > 1) {
      sum = slope[0] * before[0][b];
      for (int c = 1; c < dims; c++)
        sum = sum + slope[c] * before[c][b];
    }
    J[b] = a == b ? 1.0f + m * sum : m * sum;
  }
}

/* ---- 2.19 Falloff ---- */

static float clamped(float v, float low, float high) {
  return v < low ? low : v > high ? high : v;
}

static struct sample with_falloff(const perlane_params *params, int dims, const double *p,
                                  struct sample v) {
  const double c[4] = {params->falloff_x, params->falloff_y, params->falloff_z, params->falloff_w};
  const double E = params->falloff_end, R = params->falloff_start / E, S = R * R;
  const int is_square = params->falloff_shape == PERLANE_FALLOFF_SQUARE;
  const float D = (float)(12.0 * params->falloff / (1.0 - S) / E);
  float u[4], m[4], q = 0.0f;
  for (int a = 0; a < dims; a++) {
    u[a] = clamped((float)((p[a] - c[a]) * (1.0 / E)), -2.0f, 2.0f);
    m[a] = 1.0f - smaller_of(u[a] * u[a], 1.0f);
    q = is_square ? (a == 0 ? m[0] : q * m[a]) : (a == 0 ? u[0] * u[0] : q + u[a] * u[a]);
  }
  if (is_square)
    q = 1.0f - q;
  const float t = clamped((q - (float)S) * (float)(1.0 / (1.0 - S)), 0.0f, 1.0f);
  v.value = v.value - (float)params->falloff * ((t * t) * (3.0f - (t + t)));
  for (int a = 0; a < dims; a++) {
    float w = (t * (1.0f - t)) * D * u[a];
    for (int b = 0; b < dims; b++)
      if (is_square && b != a)
        w = w * m[b];
    v.slope[a] = v.slope[a] - w;
  }
  return v;
}

/* ---- 2.22 Valleys ---- */

/* Cells on either side of a position's whose channels it needs: of level 0 and of the others for
 * their own wedges, of the last level but one because points of the last stand on their hillsides,
 * and so on. */
enum {
  TRUNK_WINDOW = 4,
  SIDE_WINDOW = 3,
  MAX_TRUNKS = 15, /* along an axis: of 7 = 4 + (6 + 1) / 2 cells on either side */
  MAX_SIDES = 13,  /* along an axis: of 6 = 3 + (6 + 1) / 2 */
  SIDES = 7 * 7 + 11 * 11 + (PERLANE_MAX_VALLEY_OCTAVES - 2) * MAX_SIDES * MAX_SIDES
};

/* Places are relative to the lower corner of the position's cell of level 0, so 32 bits suffice. */
struct channel {
  int32_t a[2];
  float length, u[2], base, rise, curve, slope, lean, head[2]; /* length below 0: no channel */
};

/* The cells of a level of which there are channels. */
struct window {
  int32_t first[2]; /* relative to the first cell of the level in the position's of level 0 */
  int count;        /* along each axis */
  struct channel *channel;
};

struct network {
  struct perlane_valleys constants;
  const struct field *control;
  int64_t X[2]; /* the position's cell of level 0 */
  struct window window[PERLANE_MAX_VALLEY_OCTAVES + 1];
  struct channel trunk[2][MAX_TRUNKS * MAX_TRUNKS], side[SIDES]; /* trunk: channels 1 and 2 */
};

struct wedge {
  const struct channel *channel;
  int level;
  float z, a, b, t, e, r, m, n, q, f, far;
  int is_free; /* i */
};

static float byte_of(uint32_t g, int n) {
  return (float)(g >> 8 * n & 255) * 0x1p-8f;
}

static float apart(int32_t to, int32_t from) {
  return (float)(to - from) * 0x1p-24f;
}

static int32_t move(float v) {
  return 16 * (int32_t)round_even((double)(v * 0x1p20f));
}

/* Of a level's cells of 2^shift units. */
static int32_t cell_of(int32_t place, int shift) {
  return (int32_t)floor_integer((double)place / (double)((int32_t)1 << shift));
}

struct network_point {
  int32_t place[2], offset[2];
  uint32_t h, g;
};

static struct network_point point_of(const struct network *network, int k, int32_t x, int32_t y) {
  const struct perlane_valleys *constants = &network->constants;
  const int32_t cell[2] = {x, y};
  uint32_t word[2];
  for (int a = 0; a < 2; a++) {
    const int64_t X = network->X[a] * ((int64_t)1 << k) + cell[a];
    word[a] = axis_word(modulo(X, constants->period[a] << k), a, constants->key[k][a]);
  }
  struct network_point point = {.h = mixed(word[0] + word[1])};
  point.g = mixed(point.h + 0x9E3779B9u);
  const uint32_t i[2] = {point.h >> 16, point.h & 0xFFFF};
  for (int a = 0; a < 2; a++) {
    point.offset[a] = (int32_t)(i[a] << 8 >> k >> 4) * 16;
    point.place[a] = cell[a] * ((int32_t)1 << (24 - k)) + point.offset[a];
  }
  return point;
}

static float height_of(const struct network *network, const struct network_point *point,
                       const int32_t cell[2]) {
  const struct perlane_valleys *constants = &network->constants;
  double position[4] = {0, 0, 0, 0};
  for (int a = 0; a < 2; a++) {
    const int64_t X = modulo(network->X[a] + cell[a], constants->period[a]);
    const double fraction = ((double)point->offset[a] - (double)constants->phase[a]) * 0x1p-24;
    position[a] = ((double)X + fraction) / constants->frequency;
  }
  const struct sample v = sum_of_octaves(network->control, position);
  const perlane_params *params = network->control->params;
  return params->falloff == 0 ? v.value : with_falloff(params, 2, position, v).value;
}

/* The points of the cells of level 0 that the trunks of a window need: each one's target, and that
 * one's, are within 4 cells. */
enum { BEYOND = 4, MAX_POINTS = MAX_TRUNKS + 2 * BEYOND };

struct trunk_points {
  int count; /* along an axis */
  struct network_point point[MAX_POINTS * MAX_POINTS];
  float z[MAX_POINTS * MAX_POINTS];
};

/* The index of a point's target; its own if it is a pit. */
static int target_of(const struct trunk_points *points, int c) {
  for (int reach = 1; reach <= 2; reach++) {
    float best = 0;
    int target = c;
    for (int j = -reach; j <= reach; j++)
      for (int i = -reach; i <= reach; i++) {
        const int r = c + j * points->count + i;
        const struct network_point *from = &points->point[c], *to = &points->point[r];
        const float x = apart(to->place[0], from->place[0]);
        const float y = apart(to->place[1], from->place[1]);
        const float q = x * x + y * y;
        if (r == c || !(q < 8.25f))
          continue;
        float fall = (points->z[c] - points->z[r]) / larger_of(square_root(q), 0.125f);
        if (reach == 1)
          fall = fall * (0.5f + (float)((from->h * 0x2C1B3C6Du + to->h) >> 24) * 0x1p-8f);
        if (fall > best) {
          best = fall;
          target = r;
        }
      }
    if (target != c)
      return target;
  }
  return c;
}

static void draw_channel(struct channel *channel, const int32_t from[2], const int32_t to[2]) {
  const float x = apart(to[0], from[0]), y = apart(to[1], from[1]);
  channel->a[0] = from[0];
  channel->a[1] = from[1];
  channel->length = square_root(x * x + y * y);
  channel->u[0] = channel->length == 0 ? 1.0f : x / channel->length;
  channel->u[1] = channel->length == 0 ? 0.0f : y / channel->length;
}

static void draw_trunk(const struct network *network, const struct trunk_points *points, int c,
                       const int32_t A[2], float zA, struct channel trunk[2]) {
  const struct network_point *point = &points->point[c];
  const float x = apart(point->place[0], A[0]), y = apart(point->place[1], A[1]);
  const float B = 0.3125f * (2.0f * byte_of(point->g, 1) - 1.0f);
  const int32_t M[2] = {A[0] + move(0.5f * x - B * y), A[1] + move(0.5f * y + B * x)};
  draw_channel(&trunk[0], A, M);
  draw_channel(&trunk[1], M, point->place);
  const float S = network->constants.slope, width = network->constants.width[0];
  const float slope = S * (1.0f + 0.1875f * (2.0f * byte_of(point->g, 0) - 1.0f));
  const float sum = trunk[0].length + trunk[1].length;
  const float s = clamped(sum == 0 ? 0.0f : (points->z[c] - zA) / sum, 0.0f, 0.875f * slope) + 0.0f;
  for (int i = 0; i < 2; i++) {
    trunk[i].slope = slope;
    trunk[i].lean = s / square_root(slope * slope - s * s);
    trunk[i].rise = s;
    trunk[i].curve = 0;
  }
  trunk[0].base = zA - slope * width;
  trunk[1].base = (zA + s * trunk[0].length) - slope * width;
  trunk[0].head[0] = x * trunk[0].u[0] + y * trunk[0].u[1];
  trunk[0].head[1] = x * trunk[0].u[1] - y * trunk[0].u[0];
  trunk[1].head[0] = trunk[1].length;
  trunk[1].head[1] = 0;
}

/* The place on a channel of level 0 at a distance from its lower end, and its height. */
static float on_trunk(const struct network *network, const struct channel *channel, float e,
                      int32_t A[2]) {
  for (int a = 0; a < 2; a++)
    A[a] = channel->a[a] + move(channel->u[a] * e);
  return (channel->base + channel->rise * e) + channel->slope * network->constants.width[0];
}

static void make_trunk(const struct network *network, const struct trunk_points *points, int c,
                       struct channel trunk[2]) {
  const struct network_point *point = points->point;
  const int T = target_of(points, c);
  if (T == c) {
    draw_trunk(network, points, c, point[c].place, points->z[c], trunk);
    trunk[1].length = -1;
    return;
  }
  const int U = target_of(points, T);
  if (point[c].g >> 24 < 128 && point[T].g >> 24 >= 128 && U != T) {
    draw_trunk(network, points, T, point[U].place, points->z[U], trunk);
    const float J = byte_of(point[c].g, 2);
    int32_t A[2];
    const float zA = J < 0.5f
                         ? on_trunk(network, &trunk[0], (0.25f + 1.5f * J) * trunk[0].length, A)
                         : on_trunk(network, &trunk[1], ((J - 0.5f) * 1.5f) * trunk[1].length, A);
    const float x = apart(A[0], point[c].place[0]), y = apart(A[1], point[c].place[1]);
    if (x * x + y * y < 8.25f && zA < points->z[c]) {
      draw_trunk(network, points, c, A, zA, trunk);
      return;
    }
  }
  draw_trunk(network, points, c, point[T].place, points->z[T], trunk);
}

static void make_trunks(struct network *network) {
  const struct window *window = &network->window[0];
  struct trunk_points points = {.count = window->count + 2 * BEYOND};
  for (int i = 0; i < points.count * points.count; i++) {
    const int32_t cell[2] = {window->first[0] - BEYOND + i % points.count,
                             window->first[1] - BEYOND + i / points.count};
    points.point[i] = point_of(network, 0, cell[0], cell[1]);
    points.z[i] = height_of(network, &points.point[i], cell);
  }
  for (int i = 0; i < window->count * window->count; i++) {
    struct channel trunk[2];
    const int y = i / window->count + BEYOND, x = i % window->count + BEYOND;
    make_trunk(network, &points, y * points.count + x, trunk);
    network->trunk[0][i] = trunk[0];
    network->trunk[1][i] = trunk[1];
  }
}

/* Makes the wedge above a place; returns 0 if there is none. */
static int wedge_above(const struct network *network, const struct channel *channel, int level,
                       const int32_t P[2], struct wedge *w) {
  const float x = apart(P[0], channel->a[0]), y = apart(P[1], channel->a[1]);
  const float size = 1.0f / (float)(1 << level), width = network->constants.width[level];
  const float near = level == 0 ? 9.0f : 5.0625f * (size * size);
  w->channel = channel;
  w->level = level;
  w->far = level == 0 ? 15.50390625f : 8.62890625f * (size * size);
  w->a = x * channel->u[0] + y * channel->u[1];
  w->b = x * channel->u[1] - y * channel->u[0];
  w->m = w->a - channel->head[0];
  w->n = w->b - channel->head[1];
  w->q = w->m * w->m + w->n * w->n;
  if (!(w->q < w->far))
    return 0;
  const float free = w->a - magnitude(w->b) * channel->lean;
  w->is_free = free > 0 && free < channel->length;
  w->t = clamped(free, 0.0f, channel->length);
  w->e = w->a - w->t;
  w->r = square_root((w->e * w->e + w->b * w->b) + width * width);
  w->f = larger_of(w->q - near, 0.0f) / (w->far - w->q);
  w->z =
      ((channel->base + w->t * (channel->rise + channel->curve * w->t)) + channel->slope * w->r) +
      (channel->slope * size) * (w->f * w->f);
  return 1;
}

/* The channels of a level that a place needs; those of level 0 are 1 and 2 in turn. */
struct around {
  int32_t first[2]; /* indices in the window */
  int count;        /* along each axis */
};

static struct around channels_around(const struct network *network, int level, const int32_t P[2]) {
  const int reach = level == 0 ? TRUNK_WINDOW : SIDE_WINDOW;
  struct around around = {.count = 2 * reach + 1};
  for (int a = 0; a < 2; a++)
    around.first[a] = cell_of(P[a], 24 - level) - reach - network->window[level].first[a];
  return around;
}

static const struct channel *channel_in(const struct network *network, int level, int part,
                                        const struct around *around, int i) {
  const struct window *window = &network->window[level];
  const int y = around->first[1] + i / around->count, x = around->first[0] + i % around->count;
  return (part ? network->trunk[1] : window->channel) + y * window->count + x;
}

/* The lowest wedge of the land of the levels up to k. */
static struct wedge lowest_wedge(const struct network *network, int k, const int32_t P[2]) {
  struct wedge lowest = {.z = float_with_bits(0x7F800000)};
  for (int level = 0; level <= k; level++) {
    const struct around around = channels_around(network, level, P);
    for (int part = 0; part < (level == 0 ? 2 : 1); part++)
      for (int i = 0; i < around.count * around.count; i++) {
        const struct channel *channel = channel_in(network, level, part, &around, i);
        if (channel->length < 0)
          continue;
        struct wedge wedge;
        if (wedge_above(network, channel, level, P, &wedge) && wedge.z < lowest.z)
          lowest = wedge;
      }
  }
  return lowest;
}

static void make_side_channel(const struct network *network, int k, int32_t x, int32_t y,
                              struct channel *channel) {
  const struct network_point point = point_of(network, k, x, y);
  const struct wedge w = lowest_wedge(network, k - 1, point.place);
  const struct channel *p = w.channel;
  const uint32_t g = point.g;
  const float size = 1.0f / (float)(1 << k), width = network->constants.width[k];
  const float t = /* NOLINTNEXTLINE(clang-analyzer-core.*): there always is a lowest wedge */
      clamped(w.a - magnitude(w.b) * (0.125f + 0.875f * byte_of(g, 1)), 0.0f, p->length);
  const float foot =
      (p->base + t * (p->rise + p->curve * t)) + p->slope * network->constants.width[w.level];
  const int32_t A[2] = {p->a[0] + move(p->u[0] * t), p->a[1] + move(p->u[1] * t)};
  draw_channel(channel, A, point.place);
  const float length = channel->length;
  if (length < 0.25f * size || length > 2.0f * size || byte_of(g, 2) < 0.0625f) {
    channel->length = -1;
    return;
  }
  const float slope = p->slope * (1.0f + 0.0625f * byte_of(g, 3));
  const float depth = network->constants.depth[k];
  const float s = smaller_of(depth * (1.0f + 0.125f * (2.0f * byte_of(g, 0) - 1.0f)) *
                                 larger_of(w.z - foot, 0.0f) / length,
                             0.875f * slope);
  channel->slope = slope;
  channel->lean = s / square_root(slope * slope - s * s);
  channel->rise = s * 0.5f;
  channel->curve = s * (0.5f / length);
  channel->base = foot - slope * width;
  channel->head[0] = length;
  channel->head[1] = 0;
}

/* Makes the channels around a place in the cell of level 0 that the network has. */
static void make_network(struct network *network, const int32_t P[2]) {
  const int levels = network->constants.levels;
  int reach = 0;
  for (int k = levels; k >= 0; k--) {
    reach = (reach + 1) / 2 + (k == 0 ? TRUNK_WINDOW : SIDE_WINDOW);
    network->window[k].count = 2 * reach + 1;
    for (int a = 0; a < 2; a++)
      network->window[k].first[a] = cell_of(P[a], 24 - k) - reach;
  }
  network->window[0].channel = network->trunk[0];
  make_trunks(network);
  struct channel *next = network->side;
  for (int k = 1; k <= levels; k++) {
    struct window *window = &network->window[k];
    window->channel = next;
    next += window->count * window->count;
    for (int i = 0; i < window->count * window->count; i++)
      make_side_channel(network, k, window->first[0] + i % window->count,
                        window->first[1] + i / window->count, &window->channel[i]);
  }
}

static float river_at(const struct network *network, const int32_t P[2]) {
  const int levels = network->constants.levels;
  float nearest = 0.875f;
  for (int level = 0; level <= levels && level <= 2; level++) {
    const struct around around = channels_around(network, level, P);
    for (int part = 0; part < (level == 0 ? 2 : 1); part++)
      for (int i = 0; i < around.count * around.count; i++) {
        const struct channel *channel = channel_in(network, level, part, &around, i);
        if (channel->length < 0)
          continue;
        const float x = apart(P[0], channel->a[0]), y = apart(P[1], channel->a[1]);
        const float a = x * channel->u[0] + y * channel->u[1];
        const float b = x * channel->u[1] - y * channel->u[0];
        const float e = a - clamped(a, 0.0f, channel->length);
        nearest = smaller_of(square_root(e * e + b * b) * (float)(1 << level), nearest);
      }
  }
  return nearest;
}

static struct sample land_sample(const struct network *network, const int32_t P[2], int slopes) {
  const struct wedge w = lowest_wedge(network, network->constants.levels, P);
  const struct channel *c = w.channel;
  struct sample v = {.value = w.z + 0.0f};
  if (!slopes)
    return v;
  const float size = 1.0f / (float)(1 << w.level), G = (float)network->constants.frequency;
  const float p = c->rise + 2.0f * (c->curve * w.t), steep = w.r == 0 ? 0.0f : c->slope / w.r;
  float A = w.is_free ? p : steep * w.e, B = steep * magnitude(w.b);
  if (w.is_free)
    B = B + c->lean * (steep * w.e - p);
  B = sgn(w.b, B);
  const float h = (c->slope * size) * (w.f * ((1.0f + w.f) / (w.far - w.q)));
  A = A + (4.0f * h) * w.m;
  B = B + (4.0f * h) * w.n;
  v.slope[0] = (A * c->u[0] + B * c->u[1]) * G;
  v.slope[1] = (A * c->u[1] - B * c->u[0]) * G;
  return v;
}

/* The land at q, of the levels 0 .. levels. `control` is the field of all octaves. (Its network
 * takes 97 KiB of the stack, which fields without valleys are not to have.) */
static PERLANE_NOINLINE struct sample land_at(const struct field *control, int levels, int slopes,
                                              const double *q) {
  struct network network = {.control = control};
  int32_t P[2];
  perlane_field_valleys(control->noise, levels, &network.constants);
  for (int a = 0; a < 2; a++) {
    const float f = split_position(q[a] * network.constants.frequency, network.constants.phase[a],
                                   &network.X[a]);
    P[a] = (int32_t)(f * 0x1p24f);
  }
  if (network.constants.is_river && levels > 2)
    network.constants.levels = 2;
  make_network(&network, P);
  if (network.constants.is_river)
    return (struct sample){.value = river_at(&network, P)};
  return land_sample(&network, P, slopes);
}

/* ---- The value ---- */

/* The field of the first `octaves` octaves of a noise. */
static struct field field_of(const perlane_noise *noise, int octaves, int dims, int slopes) {
  return (struct field){.noise = noise,
                        .params = &noise->params,
                        .octave = noise->octave,
                        .dims = dims,
                        .octaves = octaves,
                        .shaped = noise->shaped,
                        .slopes = slopes};
}

/* q, what was added to p, and J_r of the last round. */
static void displace(const perlane_noise *noise, int dims, int slopes, const double *p, double q[4],
                     double added[4], float J[4][4]) {
  const double M = noise->params.warp_amplitude;
  float before[4][4];
  memset(q, 0, 4 * sizeof q[0]);
  memcpy(q, p, (size_t)dims * sizeof q[0]);
  memset(J, 0, sizeof before);
  for (int r = 1; M != 0 && r <= noise->params.warp_rounds; r++) {
    double next[4] = {0, 0, 0, 0};
    memcpy(before, J, sizeof before);
    for (int a = 0; a < dims; a++) {
      const struct sample d = displacement(noise, dims, slopes, r, a, q);
      added[a] = M * (double)d.value;
      next[a] = p[a] + added[a];
      stretch(dims, r, a, (float)M, d.slope, before, J[a]);
    }
    memcpy(q, next, sizeof next);
  }
}

/* The sample of the first `octaves` octaves; with valleys of all, and of as many levels of side
 * valleys as there are octaves beyond these. */
static struct sample sample_at(const perlane_noise *noise, int octaves, int dims, int slopes,
                               const double *p) {
  const perlane_params *params = &noise->params;
  const int has_valleys = params->valleys != 0;
  const int levels = has_valleys && octaves > noise->octaves ? octaves - noise->octaves : 0;
  double q[4], added[4];
  float J[4][4];
  displace(noise, dims, slopes, p, q, added, J);
  if (!domain_has(dims, q, noise->highest_frequency))
    return outside_domain();
  const struct field field =
      field_of(noise, has_valleys ? noise->octaves : octaves, dims, has_valleys ? 0 : slopes);
  struct sample v = has_valleys ? land_at(&field, levels, slopes, q) : sum_of_octaves(&field, q);
  const int has_falloff = params->falloff != 0 && !has_valleys;
  if (!has_falloff)
    v = end_of_sample(noise, v);
  if (params->warp_amplitude != 0) {
    const struct sample at_q = v;
    for (int b = 0; b < slopes; b++) {
      v.slope[b] = at_q.slope[0] * J[0][b];
      for (int a = 1; a < dims; a++)
        v.slope[b] = v.slope[b] + at_q.slope[a] * J[a][b];
    }
  }
  return has_falloff ? end_of_sample(noise, with_falloff(params, dims, p, v)) : v;
}

/* ---- 2.20 Cells ---- */

/* A position's outputs. */
struct cell_sample {
  uint32_t id;
  float offset[PERLANE_MAX_DIMS], f1, f2, edge;
};

static struct cell_sample cells_at(const perlane_noise *noise, int dims, const double *p,
                                   int with_edge) {
  const float nan = float_with_bits(0x7FC00000);
  const struct cell_sample outside = {0x7FC00000, {nan, nan, nan, nan}, nan, nan, nan};
  const struct field field = field_of(noise, 1, dims, 0);
  const double frequency = field.octave->frequency;
  const float L = 1 / frequency > (double)FLT_MAX ? FLT_MAX : (float)(1 / frequency);
  double q[4], added[4], x_0[4] = {0, 0, 0, 0};
  float J[4][4];
  displace(noise, dims, 0, p, q, added, J);
  if (!domain_has(dims, q, noise->highest_frequency))
    return outside;
  for (int a = 0; a < dims; a++)
    x_0[a] = q[a] * frequency;
  const struct found found = search_cells(&field, x_0);
  struct cell_sample sample = {.id = found.nearest.h,
                               .f1 = distance_of(field.params, found.nearest.D),
                               .f2 = distance_of(field.params, found.second.D)};
  float normal[3];
  if (with_edge)
    sample.edge = edge_distance(field.params, &found.cells, &found.nearest, normal);
  for (int a = 0; a < dims; a++) {
    sample.offset[a] = found.nearest.d[a] * L;
    if (noise->params.warp_amplitude != 0)
      sample.offset[a] = (float)((double)sample.offset[a] + added[a]);
  }
  return sample;
}

/* ---- 5 Expressions ---- */

#include "../expression/scalar.h"

/* ---- The kernels ---- */

/* A field or an expression at x, of which entries from dims on are 0. */
static struct sample any_sample_at(const perlane_noise *noise, int octaves, const double spacing[4],
                                   int dims, int slopes, const double x[4]) {
  return noise->is_expression ? expression_at(&noise->expression, octaves, spacing, dims, slopes, x)
                              : sample_at(noise, octaves, dims, slopes, x);
}

float perlane_scalar_at(const perlane_noise *noise, int dims, const double *position,
                        float *gradient) {
  const double spacing[4] = {0, 0, 0, 0};
  double x[4] = {0, 0, 0, 0};
  memcpy(x, position, (size_t)dims * sizeof *x);
  const struct sample v =
      any_sample_at(noise, perlane_field_octaves(noise, 0), spacing, dims, gradient ? dims : 0, x);
  for (int a = 0; gradient && a < dims; a++)
    gradient[a] = v.slope[a];
  return v.value;
}

static void write_sample(const struct perlane_output *output, ptrdiff_t offset, int slopes,
                         const struct sample *v) {
  if (output->format == FORMAT_U16)
    ((uint16_t *)output->value)[offset] = integer_of(output, v->value);
  else if (output->format == FORMAT_U8)
    ((uint8_t *)output->value)[offset] = (uint8_t)integer_of(output, v->value);
  else if (output->value)
    ((float *)output->value)[offset] = v->value;
  for (int a = 0; a < slopes; a++)
    output->gradient[a][offset] = v->slope[a];
}

/* Sets the position of sample i (2.1), and returns where it is in the output. */
static ptrdiff_t place_sample(const struct perlane_region *grid, const size_t i[4], double x[4]) {
  ptrdiff_t offset = 0;
  for (int a = 0; a < grid->dims; a++) {
    x[a] = grid_position(grid, a, i[a]);
    offset += (ptrdiff_t)i[a] * grid->stride[a];
  }
  return offset;
}

/* Moves on to the next sample, x first; returns 0 after the last one. */
static int next_sample(const struct perlane_region *grid, size_t i[4]) {
  for (int a = 0; a < 4; a++) {
    if (++i[a] < grid->count[a])
      return 1;
    i[a] = 0;
  }
  return 0;
}

static void scalar_fill(const perlane_noise *noise, const struct perlane_region *grid,
                        const struct perlane_output *output) {
  const int slopes = output->gradient[0] ? grid->dims : 0;
  float smallest = float_with_bits(0x7F800000), largest = -smallest;
  size_t i[4] = {0, 0, 0, 0};
  do {
    double x[4] = {0, 0, 0, 0};
    const ptrdiff_t offset = place_sample(grid, i, x);
    const struct sample v =
        any_sample_at(noise, grid->octaves, grid->spacing, grid->dims, slopes, x);
    write_sample(output, offset, slopes, &v);
    smallest = v.value < smallest ? v.value : smallest;
    largest = v.value > largest ? v.value : largest;
  } while (next_sample(grid, i));
  if (smallest > largest) /* no value is a number */
    smallest = largest = float_with_bits(0x7FC00000);
  if (output->extremes) {
    output->extremes[0] = smallest + 0.0f; /* -0 becomes 0 */
    output->extremes[1] = largest + 0.0f;
  }
}

/* Sets the position of point i (2.1). */
static void point_position(const struct perlane_point_list *list, size_t i, double position[4]) {
  const ptrdiff_t index = (ptrdiff_t)i * list->stride;
  for (int a = 0; a < list->dims; a++)
    position[a] = list->coords64 ? list->coords64[a][index]
                  : list->origin ? list->origin[a] + (double)list->coords[a][index]
                                 : (double)list->coords[a][index];
}

static void scalar_points(const perlane_noise *noise, const struct perlane_point_list *list) {
  const int dims = list->dims, slopes = list->gradient ? dims : 0;
  for (size_t i = 0; i < list->n; i++) {
    double position[4] = {0, 0, 0, 0};
    point_position(list, i, position);
    const struct sample v =
        any_sample_at(noise, list->octaves, list->spacing, dims, slopes, position);
    if (list->out)
      list->out[i] = v.value;
    for (int a = 0; a < slopes; a++)
      list->gradient[a][i] = v.slope[a];
  }
}

/* Writes a sample's outputs to entry i of each array that there is. */
static void write_cells(const perlane_cells *out, int dims, ptrdiff_t i,
                        const struct cell_sample *sample) {
  if (out->id)
    out->id[i] = sample->id;
  for (int a = 0; a < dims; a++)
    if (out->offset[a])
      out->offset[a][i] = sample->offset[a];
  if (out->f1)
    out->f1[i] = sample->f1;
  if (out->f2)
    out->f2[i] = sample->f2;
  if (out->edge)
    out->edge[i] = sample->edge;
}

static void scalar_fill_cells(const perlane_noise *noise, const struct perlane_region *grid,
                              const perlane_cells *out) {
  size_t i[4] = {0, 0, 0, 0};
  do {
    double x[4] = {0, 0, 0, 0};
    const ptrdiff_t offset = place_sample(grid, i, x);
    const struct cell_sample sample = cells_at(noise, grid->dims, x, out->edge != NULL);
    write_cells(out, grid->dims, offset, &sample);
  } while (next_sample(grid, i));
}

static void scalar_points_cells(const perlane_noise *noise, const struct perlane_point_list *list,
                                const perlane_cells *out) {
  for (size_t i = 0; i < list->n; i++) {
    double position[4] = {0, 0, 0, 0};
    point_position(list, i, position);
    const struct cell_sample sample = cells_at(noise, list->dims, position, out->edge != NULL);
    write_cells(out, list->dims, (ptrdiff_t)i, &sample);
  }
}

const struct perlane_kernels perlane_scalar_kernels = {
    .name = "scalar",
    .isa = PERLANE_ISA_SCALAR,
    .fill = scalar_fill,
    .points = scalar_points,
    .at = perlane_scalar_at,
    .fill_cells = scalar_fill_cells,
    .points_cells = scalar_points_cells,
};
