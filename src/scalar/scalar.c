/* SPDX-License-Identifier: MIT
 *
 * The reference: docs/specification.md in plain C, one sample at a time. The section numbers are
 * the specification's. It shares no helper, table or expression with the lane kernels, so that
 * their agreement proves something; it is also the kernel of machines without a known SIMD set.
 */
#include "../strict.h"

#include <string.h>

#include "../kernels.h"

/* One octave of a field of dims dimensions. */
struct layer {
  const perlane_noise *noise;
  const struct perlane_octave *octave;
  int dims;
};

/* A value, and its derivatives along the axes where they are asked for. */
struct sample {
  float value, slope[4];
};

static uint32_t float_bits(float v) {
  uint32_t bits;
  memcpy(&bits, &v, sizeof bits);
  return bits;
}

static float float_of_bits(uint32_t bits) {
  float v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

/* v, negated if `by` has a minus sign, as -0 has too. */
static float sign_flipped(float v, float by) {
  return float_of_bits(float_bits(v) ^ (float_bits(by) & 0x80000000));
}

static float magnitude(float v) {
  return sign_flipped(v, v);
}

/* Nearest whole number, ties to even; from 2^52 on every double is whole. */
static double round_even(double v) {
  const double whole = 4503599627370496.0;
  if (v >= whole || v <= -whole)
    return v;
  return v < 0 ? (v - whole) + whole : (v + whole) - whole;
}

/* Largest whole number not above v, |v| <= 2^53. */
static int64_t floor_whole(double v) {
  int64_t whole = (int64_t)v;
  return (double)whole > v ? whole - 1 : whole;
}

/* Correctly rounded, of a finite v >= 0. Newton's steps from above fall until they are within two
 * units in the last place of a double, and that decides the rounding to float. For a number halfway
 * between two floats has 25 binary digits, the last of them a 1, and its square 49 or 50, as many
 * as v has not: the square differs from v by 1 in the 50th digit or before it, and the number from
 * the root by four units or more. */
static float square_root(float v) {
  if (v == 0)
    return v;
  double root = v > 1 ? (double)v : 1.0;
  for (;;) {
    const double closer = 0.5 * (root + (double)v / root);
    if (!(closer < root))
      return (float)root;
    root = closer;
  }
}

/* 2.2: fraction of the cell, in [0, 1), in whole units of 2^-24. */
static float split_position(double cells, uint32_t phase, int64_t *cell) {
  /* From 2^28 on, whole cells are taken out first, so that 64 bits hold the units of the rest. */
  const int64_t whole = cells < 0x1p28 && cells > -0x1p28 ? 0 : floor_whole(cells);
  const double units = (cells - (double)whole) * 16777216.0, rounded = round_even(units);
  int64_t t = (int64_t)rounded + phase;
  if (units != rounded && (t & 1) != 0 && (units - rounded == 0.5 || units - rounded == -0.5))
    t += units > rounded ? 1 : -1; /* a tie goes to the even sum */
  const int64_t carried = floor_whole((double)t / 16777216.0);
  *cell = whole + carried;
  return (float)(t - carried * 16777216) / 16777216.0f;
}

/* The cell within its period, if there is one. */
static int64_t wrap(int64_t cell, int32_t period) {
  return period == 0 ? cell : (cell % period + period) % period;
}

/* A coordinate's place in its cell. */
struct axis {
  int64_t cell[2];             /* the lower end and the upper one */
  uint32_t word[2];            /* 2.4: of each, for the lattice hash */
  float centred, fade, a0, a1; /* 2.3 */
  float rise, b0, b1;          /* in a derivative along the axis, instead of fade, a0 and a1 */
};

static void weigh(const struct layer *layer, int derive, float t, struct axis *axis) {
  /* Quintic, cubic, linear: the centred fade is c + c s (p + q s); and as c^2 = 1/4 - s, its
   * derivative is a polynomial of s alone. */
  static const float linear[PERLANE_FADE_COUNT] = {2, 2, 0}, square[PERLANE_FADE_COUNT] = {6, 0, 0};
  const float p = linear[layer->noise->params.fade], q = square[layer->noise->params.fade];
  const float amplitude = layer->octave->amplitude[layer->dims - 1];
  const float c = t - 0.5f, s = t * (1.0f - t);
  axis->centred = c + c * (s * (p + q * s));
  axis->fade = 0.5f + axis->centred;
  axis->a0 = (t * (1.0f - axis->fade)) * amplitude;
  axis->a1 = ((t - 1.0f) * axis->fade) * amplitude;
  if (derive) {
    const float d = (5.0f * q * s + (3.0f * p - q)) * s + (1.0f - 0.5f * p);
    const float steepness = (float)((double)amplitude * layer->octave->frequency);
    axis->rise = d * (float)layer->octave->frequency;
    axis->b0 = ((1.0f - axis->fade) - t * d) * steepness;
    axis->b1 = (axis->fade + (t - 1.0f) * d) * steepness;
  }
}

static int32_t signed_half(uint32_t half) {
  return half < 0x8000 ? (int32_t)half : (int32_t)half - 0x10000;
}

static uint32_t dot16(uint32_t a, uint32_t b) {
  /* Each product fits in int32; their sum may not, so it is taken modulo 2^32. */
  const int32_t low = signed_half(a & 0xFFFF) * signed_half(b & 0xFFFF);
  const int32_t high = signed_half(a >> 16) * signed_half(b >> 16);
  return (uint32_t)low + (uint32_t)high;
}

/* 2.4: one axis' share of the lattice hash. */
static uint32_t axis_word(int64_t cell, int axis, uint32_t key) {
  static const uint32_t multiplier[4] = {0x9E3779B1u, 0x85EBCA6Bu, 0xC2B2AE35u, 0x27D4EB2Fu};
  const uint64_t bits = (uint64_t)cell;
  /* (cell + 2^31) >> 32 without overflow: the high word, plus one if bit 31 is set. */
  const uint32_t high = (uint32_t)(bits >> 32) + (uint32_t)(bits >> 31 & 1);
  const uint32_t folded = (uint32_t)bits ^ high * 0x9E3779B1u;
  uint32_t v = folded * multiplier[axis] + key;
  return dot16(v, 0x2C1B3C6Du) ^ v;
}

/* 2.5: m. */
static uint32_t joined_words(int dims, const uint32_t word[4]) {
  if (dims <= 2)
    return dot16(word[0], word[1]);
  if (dims == 3)
    return dot16(word[0], dot16(word[1], word[2]));
  return dot16(dot16(word[0], word[1]), dot16(word[2], word[3]));
}

static uint32_t mixed(uint32_t h) {
  h ^= h >> 16;
  h *= 0x7FEB352Du;
  h ^= h >> 15;
  h *= 0x846CA68Bu;
  return h ^ h >> 16;
}

/* What a table of bytes has for a corner. Axes beyond the field's are looked up at their cell 0. */
static uint32_t table_byte(const struct layer *layer, const int64_t cell[4], int axes) {
  const uint8_t *table = layer->noise->table;
  if (layer->noise->params.hash == PERLANE_HASH_PRIMES) {
    const uint32_t x = (uint32_t)cell[0] * 1836311903u;
    const uint32_t y = (uint32_t)cell[1] * 2971215073u + (uint32_t)UINT64_C(4807526976);
    return table[(x ^ y) & 1023];
  }
  uint32_t h = 0;
  for (int a = 0; a < axes; a++)
    h = table[(h + (a < layer->dims ? (uint32_t)cell[a] + layer->octave->shift[a] : 0)) & 255];
  return h;
}

/* 2.5: the default sets, of the lattice hash. */
static void default_gradient(int dims, uint32_t m, float gradient[4]) {
  static const float k = 53.0f / 128.0f;
  static const float edges3[16][3] = {
      {2, 2, 0},  {-2, 2, 0},  {2, -2, 0}, {-2, -2, 0}, {2, 0, 2},  {-2, 0, 2},
      {2, 0, -2}, {-2, 0, -2}, {0, 2, 2},  {0, -2, 2},  {0, 2, -2}, {0, -2, -2},
      {2, 2, 0},  {0, -2, 2},  {-2, 2, 0}, {0, -2, -2},
  };
  if (dims == 1) {
    gradient[0] = (m >> 13 & 1) ? -1.0f : 1.0f;
  } else if (dims == 2) {
    const uint32_t index = m >> 13 & 7;
    gradient[0] = (index & 1 ? -1.0f : 1.0f) * (index & 4 ? k : 1.0f);
    gradient[1] = (index & 2 ? -1.0f : 1.0f) * (index & 4 ? 1.0f : k);
  } else if (dims == 3) {
    memcpy(gradient, edges3[m >> 13 & 15], sizeof edges3[0]);
  } else {
    const uint32_t index = m >> 13 & 31, missing = index >> 1 & 3;
    const uint32_t sign[3] = {index & 1, index >> 3 & 1, index >> 4 & 1};
    int used = 0;
    for (uint32_t i = 0; i < 4; i++) {
      const uint32_t axis = (i + 3) % 4; /* w, x, y, z */
      gradient[axis] = axis == missing ? 0.0f : (sign[used++] ? -2.0f : 2.0f);
    }
  }
}

/* Which of the set's vectors a corner has; sets come repeated to 256. */
static uint32_t vector_index(const struct layer *layer, const int64_t cell[4], uint32_t m) {
  const perlane_gradients set = layer->noise->params.gradients;
  const int is_edges12 = set == PERLANE_GRADIENTS_EDGES12;
  const int is_pnoise = set == PERLANE_GRADIENTS_PNOISE;
  if (layer->noise->params.hash != PERLANE_HASH_LATTICE) {
    /* In 1D and 2D these are slices of the field of 3D; but pnoise has slopes of its own in 1D. */
    const int is_slice = is_edges12 || (is_pnoise && layer->dims == 2);
    return table_byte(layer, cell, is_slice ? 3 : layer->dims);
  }
  if (set == PERLANE_GRADIENTS_TABLE || (set == PERLANE_GRADIENTS_SPHERE && layer->dims > 1))
    return m >> 12 & 255;
  if (set == PERLANE_GRADIENTS_EDGES32)
    return m >> 13 & 31;
  return m >> 13 & (is_edges12 || is_pnoise ? 15 : 7);
}

static void corner_gradient(const struct layer *layer, const int64_t cell[4],
                            const uint32_t word[4], float gradient[4]) {
  static const int first_vector[4] = {0, 1, 3, 6};
  const perlane_params *params = &layer->noise->params;
  const uint32_t m = joined_words(layer->dims, word);
  if (params->hash == PERLANE_HASH_GRID) {
    const size_t width = (size_t)params->gradient_grid_count[0];
    const size_t point = (size_t)cell[1] * width + (size_t)cell[0];
    memcpy(gradient, &params->gradient_grid[2 * point], 2 * sizeof gradient[0]);
  } else if (params->hash == PERLANE_HASH_LATTICE &&
             params->gradients == PERLANE_GRADIENTS_DEFAULT) {
    default_gradient(layer->dims, m, gradient);
  } else {
    const uint32_t index = vector_index(layer, cell, m);
    for (int a = 0; a < layer->dims; a++)
      gradient[a] = layer->noise->vector[first_vector[layer->dims - 1] + a][index];
  }
}

/* term[0] + y (term[1] + y (term[2] + ...)) */
static float polynomial(float y, int terms, const float *term) {
  float sum = term[terms - 1];
  for (int i = terms - 2; i >= 0; i--)
    sum = term[i] + y * sum;
  return sum;
}

/* ln u for u in (0, 1]: u = 2^exponent * m, m near 1, and ln m = 2 artanh((m - 1) / (m + 1)),
 * whose series has 1/3, 1/5, 1/7 and 1/9. */
static float natural_log(float u) {
  static const float odd[4] = {0x1.555556p-2f, 0x1.99999ap-3f, 0x1.24924ap-3f, 0x1.c71c72p-4f};
  const uint32_t root_half = 0x3F3504F3, one = 0x3F800000;
  const uint32_t exponent = (float_bits(u) + (one - root_half)) >> 23;
  const float m = float_of_bits(float_bits(u) - (exponent << 23) + one);
  const float s = (m - 1.0f) / (m + 1.0f), q = s * s;
  const float t = s + s * (q * polynomial(q, 4, odd));
  return ((float)exponent - 127.0f) * 0x1.62e43p-1f + (t + t);
}

/* sin(2 pi z), |z| <= 1/4: Taylor's series. */
static float sine_of_turn(float z) {
  static const float taylor[7] = {0x1.921fb6p+2f, -0x1.4abbcep+5f, 0x1.466bc6p+6f, -0x1.32d2ccp+6f,
                                  0x1.507834p+5f, -0x1.e3075p+3f,  0x1.e8f434p+1f};
  return z * polynomial(z * z, 7, taylor);
}

/* Box and Muller: a radius and an angle, each from a hash of its own. The angle is folded to the
 * half turn in which the sine takes all its values once. */
static float gaussian_value(uint32_t h) {
  const float u = (float)((h >> 8) + 1) * 0x1p-24f;
  const float radius = square_root(natural_log(u) * -2.0f + 0.0f); /* + 0: the root of -0 is -0 */
  const float turn = (float)(mixed(h + 0x9E3779B9u) >> 8) * 0x1p-24f;
  return radius * sine_of_turn(0.25f - magnitude(turn - 0.5f));
}

static float corner_value(const struct layer *layer, const int64_t cell[4],
                          const uint32_t word[4]) {
  if (layer->noise->params.hash != PERLANE_HASH_LATTICE)
    return (float)(2 * (int32_t)table_byte(layer, cell, layer->dims) - 255) * 0x1p-8f;
  uint32_t h = 0;
  for (int a = 0; a < layer->dims; a++)
    h += word[a];
  h = mixed(h);
  if (layer->noise->params.basis == PERLANE_BASIS_GAUSSIAN)
    return gaussian_value(h);
  return (float)((int32_t)(h >> 7 | 1) - 0x1000000) * 0x1p-24f; /* exact */
}

/* 2.6: a corner, a lattice row between two corners, or several rows folded into one. */
struct row {
  float value, tilt[4]; /* tilt[a]: gradient along axis a */
};

/* What two ends of an axis join to or, with derive, the derivative of that along the axis. */

static float blend(const struct axis *axis, int derive, float lower, float upper) {
  return derive ? axis->rise * (upper - lower) : lower + axis->fade * (upper - lower);
}

static float blend_values(const struct axis *axis, int derive, float lower, float upper) {
  return derive ? axis->rise * (upper - lower)
                : (lower + upper) * 0.5f + axis->centred * (upper - lower);
}

static float add_ramps(const struct axis *axis, int derive, float lower, float upper) {
  return derive ? axis->b0 * lower + axis->b1 * upper : axis->a0 * lower + axis->a1 * upper;
}

/* The noise, or its derivative along an axis where `along` is not -1: the same steps, those along
 * that axis derived. Bit a of a corner's number tells whether it is the upper one along axis a. */
static float combine_corners(int dims, perlane_basis basis, const struct row corner[16],
                             const struct axis axis[4], int along) {
  struct row row[8];
  for (int r = 0; r < 1 << (dims - 1); r++) {
    const struct row *lower = &corner[(size_t)2 * (size_t)r], *upper = lower + 1;
    row[r].value = basis == PERLANE_BASIS_PERLIN
                       ? add_ramps(&axis[0], along == 0, lower->tilt[0], upper->tilt[0])
                       : blend_values(&axis[0], along == 0, lower->value, upper->value);
    for (int a = 1; a < dims; a++)
      row[r].tilt[a] = blend(&axis[0], along == 0, lower->tilt[a], upper->tilt[a]);
  }
  for (int a = dims - 1; a >= 1; a--) {
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): dims is from 1 to 4 */
    const int half = 1 << (a - 1), derive = along == a;
    for (int r = 0; r < half; r++) {
      const struct row *upper = &row[r + half];
      row[r].value = blend_values(&axis[a], derive, row[r].value, upper->value) +
                     add_ramps(&axis[a], derive, row[r].tilt[a], upper->tilt[a]);
      for (int b = 1; b < a; b++)
        row[r].tilt[b] = blend(&axis[a], derive, row[r].tilt[b], upper->tilt[b]);
    }
  }
  return row[0].value; /* NOLINT(clang-analyzer-core.uninitialized.UndefReturn): dims >= 1 */
}

static struct sample octave_at(const struct layer *layer, int slopes, const double cells[4]) {
  const struct perlane_octave *octave = layer->octave;
  const perlane_basis basis = layer->noise->params.basis;
  const int is_flat = basis == PERLANE_BASIS_WHITE || basis == PERLANE_BASIS_GAUSSIAN;
  const int dims = layer->dims;
  struct axis axis[4];
  memset(axis, 0, sizeof axis);
  for (int a = 0; a < dims; a++) {
    int64_t cell;
    weigh(layer, slopes > 0, split_position(cells[a], layer->octave->phase[a], &cell), &axis[a]);
    for (int upper = 0; upper < 2; upper++) {
      axis[a].cell[upper] = wrap(is_flat ? cell : cell + upper, octave->period[a]);
      axis[a].word[upper] = axis_word(axis[a].cell[upper], a, octave->key[a]);
    }
  }
  if (dims == 1) /* 2.4 */
    axis[1].word[0] = axis_word(0, 1, octave->key[1]);
  struct row corner[16];
  memset(corner, 0, sizeof corner);
  for (int c = 0; c < 1 << dims; c++) {
    int64_t cell[4];
    uint32_t word[4];
    for (int a = 0; a < 4; a++) {
      cell[a] = axis[a].cell[c >> a & 1];
      word[a] = axis[a].word[c >> a & 1];
    }
    if (basis == PERLANE_BASIS_PERLIN)
      corner_gradient(layer, cell, word, corner[c].tilt);
    else
      corner[c].value = corner_value(layer, cell, word) * octave->amplitude[dims - 1];
  }
  struct sample sample = {combine_corners(dims, basis, corner, axis, -1), {0}};
  for (int a = 0; a < slopes; a++)
    sample.slope[a] = combine_corners(dims, basis, corner, axis, a);
  return sample;
}

/* Arithmetic on values and their derivatives. */

static struct sample scaled(struct sample v, float factor) {
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

static struct sample line(float constant, float factor, struct sample v) {
  v = scaled(v, factor);
  v.value += constant;
  return v;
}

/* What the fractal makes of an octave's noise and, in *passed, how much of the next octave that
 * lets pass where octaves are weighted; held within 0 and 1 later. Factors of 2 and 1/2 round
 * nothing. */
static struct sample shape(const perlane_params *params, struct sample n, struct sample *passed) {
  if (params->fractal == PERLANE_FRACTAL_FBM) {
    *passed = line(0.5f, 0.5f, n);
    return n;
  }
  if (params->fractal == PERLANE_FRACTAL_PING_PONG) {
    /* n becomes the place, -1 to 1, on a way of length 2 that starts anew at each even number. */
    const float strength = (float)params->ping_pong_strength;
    const float way = (n.value + 1.0f) * strength;
    const float rounds = (float)floor_whole((double)(way * 0.5f));
    n = scaled(n, strength);
    n.value = (way - 2.0f * rounds) - 1.0f;
  }
  struct sample distance = {magnitude(n.value), {0}};
  for (int a = 0; a < 4; a++)
    distance.slope[a] = sign_flipped(n.slope[a], n.value);
  if (params->fractal == PERLANE_FRACTAL_BILLOW) {
    *passed = distance;
    return line(-1.0f, 2.0f, distance);
  }
  *passed = line(1.0f, -1.0f, distance);
  return line(1.0f, -2.0f, distance);
}

/* An octave's part of the sum, where octaves are more than added up. *weight is how much the
 * octaves before let pass of this one; then, of the next. */
static struct sample shaped_octave(const perlane_noise *noise, float strength, struct sample n,
                                   struct sample *weight) {
  struct sample passed;
  const struct sample part = scaled(shape(&noise->params, n, &passed), strength);
  if (noise->params.weighted_strength == 0 || noise->octaves == 1)
    return part;
  if (!(passed.value > 0.0f && passed.value < 1.0f))
    passed = (struct sample){passed.value > 0.0f ? 1.0f : 0.0f, {0}};
  passed = line(1.0f, (float)noise->params.weighted_strength, line(-1.0f, 1.0f, passed));
  const struct sample weighted = product_of(part, *weight);
  *weight = product_of(*weight, passed);
  return weighted;
}

static struct sample with_contrast(struct sample v, int32_t contrast) {
  if (contrast == 0)
    return (struct sample){v.value > 0.0f ? 1.0f : v.value < 0.0f ? -1.0f : 0.0f, {0}};
  float power = magnitude(v.value);
  for (int32_t i = 2; i < contrast; i++)
    power = power * magnitude(v.value);
  struct sample powered = scaled(v, (float)contrast * power);
  powered.value = v.value * power;
  return powered;
}

static struct sample sample_at(const perlane_noise *noise, int dims, int slopes,
                               const double *position) {
  const float nan = float_of_bits(0x7FC00000);
  struct sample v = {0, {0}}, weight = {1, {0}};
  for (int k = 0; k < noise->octaves; k++) {
    const struct layer layer = {noise, &noise->octave[k], dims};
    double cells[4] = {0, 0, 0, 0};
    for (int a = 0; a < dims; a++) {
      cells[a] = position[a] * layer.octave->frequency;
      if (!(cells[a] >= -9007199254740992.0 && cells[a] <= 9007199254740992.0))
        return (struct sample){nan, {nan, nan, nan, nan}};
    }
    struct sample part = octave_at(&layer, slopes, cells);
    if (noise->shaped)
      part = shaped_octave(noise, layer.octave->strength, part, &weight);
    v = k == 0 ? part : sum_of(v, part);
  }
  if (noise->params.contrast != 1)
    v = with_contrast(v, noise->params.contrast);
  if (noise->value_scale != 1.0f)
    v = scaled(v, noise->value_scale);
  if (noise->value_offset != 0.0f)
    v.value += noise->value_offset;
  return v;
}

float perlane_scalar_at(const perlane_noise *noise, int dims, const double *position,
                        float *gradient) {
  const struct sample v = sample_at(noise, dims, gradient ? dims : 0, position);
  for (int a = 0; gradient && a < dims; a++)
    gradient[a] = v.slope[a];
  return v.value;
}

static void write_sample(const struct perlane_output *output, ptrdiff_t place, int slopes,
                         const struct sample *v) {
  const float most = output->format == PERLANE_U8 ? 255.0f : 65535.0f;
  float level = (v->value - output->low) * output->scale;
  level = level > 0.0f ? level : 0.0f;
  level = level < most ? level : most;
  if (output->format == PERLANE_U16)
    ((uint16_t *)output->value)[place] = (uint16_t)round_even((double)level);
  else if (output->format == PERLANE_U8)
    ((uint8_t *)output->value)[place] = (uint8_t)round_even((double)level);
  else if (output->value)
    ((float *)output->value)[place] = v->value;
  for (int a = 0; a < slopes; a++)
    output->gradient[a][place] = v->slope[a];
}

static void scalar_fill(const perlane_noise *noise, const struct perlane_region *grid,
                        const struct perlane_output *output) {
  const int slopes = output->gradient[0] ? grid->dims : 0;
  float smallest = FLT_MAX, largest = -FLT_MAX;
  size_t i[4];
  for (i[3] = 0; i[3] < grid->count[3]; i[3]++)
    for (i[2] = 0; i[2] < grid->count[2]; i[2]++)
      for (i[1] = 0; i[1] < grid->count[1]; i[1]++)
        for (i[0] = 0; i[0] < grid->count[0]; i[0]++) {
          double position[4] = {0, 0, 0, 0};
          ptrdiff_t place = 0;
          for (int a = 0; a < 4; a++) {
            if (a < grid->dims) /* 2.1 */
              position[a] =
                  grid->origin[a] + (double)(grid->first[a] + (int64_t)i[a]) * grid->step[a];
            place += (ptrdiff_t)i[a] * grid->stride[a];
          }
          const struct sample v = sample_at(noise, grid->dims, slopes, position);
          write_sample(output, place, slopes, &v);
          smallest = v.value < smallest ? v.value : smallest;
          largest = v.value > largest ? v.value : largest;
        }
  if (output->extremes) {
    output->extremes[0] = smallest + 0.0f; /* -0 becomes 0 */
    output->extremes[1] = largest + 0.0f;
  }
}

static void scalar_points(const perlane_noise *noise, const struct perlane_point_list *list) {
  const int dims = list->dims, slopes = list->gradient ? dims : 0;
  for (size_t i = 0; i < list->n; i++) {
    double position[4] = {0, 0, 0, 0};
    for (int a = 0; a < dims; a++) /* 2.1 */
      position[a] = list->coords64 ? list->coords64[a][i]
                    : list->origin ? list->origin[a] + (double)list->coords[a][i]
                                   : (double)list->coords[a][i];
    const struct sample v = sample_at(noise, dims, slopes, position);
    if (list->out)
      list->out[i] = v.value;
    for (int a = 0; a < slopes; a++)
      list->gradient[a][i] = v.slope[a];
  }
}

const struct perlane_kernels perlane_scalar_kernels = {
    .name = "scalar",
    .isa = PERLANE_ISA_SCALAR,
    .fill = scalar_fill,
    .points = scalar_points,
    .at = perlane_scalar_at,
};
