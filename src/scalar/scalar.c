/* SPDX-License-Identifier: MIT
 *
 * The reference: docs/specification.md in plain C, one sample at a time. The section numbers are
 * the specification's. It shares no helper, table or expression with the lane kernels, so that
 * their agreement proves something; it is also the kernel of machines without a known SIMD set.
 */
#include "../strict.h"

#include <string.h>

#include "../kernels.h"

static float not_a_number(void) {
  const uint32_t bits = 0x7FC00000;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
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

/* 2.2: fraction of the cell, in [0, 1), in whole units of 2^-24. */
static float split_position(double cells, int64_t *cell) {
  const double units = round_even(cells * 16777216.0);
  *cell = floor_whole(units / 16777216.0);
  return (float)((units - (double)*cell * 16777216.0) / 16777216.0);
}

/* 2.3: the quintic fade less 1/2. */
static float centred_fade(float t) {
  const float c = t - 0.5f;
  const float s = t * (1.0f - t);
  return c + c * (s * (2.0f + 6.0f * s));
}

/* 2.4: one axis' share of the hash. */
static uint32_t axis_word(int64_t cell, int axis, uint32_t key) {
  static const uint32_t multiplier[4] = {0x9E3779B1u, 0x85EBCA6Bu, 0xC2B2AE35u, 0x27D4EB2Fu};
  const uint64_t bits = (uint64_t)cell;
  /* (cell + 2^31) >> 32 without overflow: the high word, plus one if bit 31 is set. */
  const uint32_t high = (uint32_t)(bits >> 32) + (uint32_t)(bits >> 31 & 1);
  const uint32_t folded = (uint32_t)bits ^ high * 0x9E3779B1u;
  uint32_t v = folded * multiplier[axis] + key;
  v ^= v >> 15;
  v *= 0x2C1B3C6Du;
  return v ^ v >> 13;
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

/* 2.5: the gradient of a corner, from its axis words. */
static void corner_gradient(int dims, const uint32_t word[4], float gradient[4]) {
  static const float edges3[16][3] = {
      {2, 2, 0},  {-2, 2, 0},  {2, -2, 0}, {-2, -2, 0}, {2, 0, 2},  {-2, 0, 2},
      {2, 0, -2}, {-2, 0, -2}, {0, 2, 2},  {0, -2, 2},  {0, 2, -2}, {0, -2, -2},
      {2, 2, 0},  {0, -2, 2},  {-2, 2, 0}, {0, -2, -2},
  };
  if (dims == 1) {
    const uint32_t m = dot16(word[0], word[1]);
    gradient[0] = (m >> 17 & 1) ? -1.0f : 1.0f;
  } else if (dims == 2) {
    const uint32_t index = dot16(word[0], word[1]) >> 17 & 7;
    const float longer = 1.0f, shorter = 53.0f / 128.0f;
    gradient[0] = index & 4 ? shorter : longer;
    gradient[1] = index & 4 ? longer : shorter;
    if (index & 1)
      gradient[0] = -gradient[0];
    if (index & 2)
      gradient[1] = -gradient[1];
  } else if (dims == 3) {
    const uint32_t m = dot16(word[0] + word[2], word[1] ^ word[2]);
    memcpy(gradient, edges3[m >> 16 & 15], sizeof edges3[0]);
  } else {
    const uint32_t z = word[2] + word[3];
    const uint32_t index = dot16(word[0] + z, word[1] ^ z) >> 16 & 31;
    const uint32_t sign[3] = {index & 1, index >> 3 & 1, index >> 4 & 1};
    const uint32_t missing = index >> 1 & 3;
    int used = 0;
    for (uint32_t i = 0; i < 4; i++) {
      const uint32_t axis = (i + 3) % 4; /* w, x, y, z */
      gradient[axis] = axis == missing ? 0.0f : (sign[used++] ? -2.0f : 2.0f);
    }
  }
}

/* 2.6: a lattice row between two corners, or several folded into one. */
struct row {
  float value, tilt[4]; /* tilt[a]: gradient along axis a, a = 1..3 */
};

/* 2.3 */
struct weights {
  float centred, fade, a0, a1;
};

static struct weights weights_at(float t, float amplitude) {
  struct weights at;
  at.centred = centred_fade(t);
  at.fade = 0.5f + at.centred;
  at.a0 = (t * (1.0f - at.fade)) * amplitude;
  at.a1 = ((t - 1.0f) * at.fade) * amplitude;
  return at;
}

static struct row fold(int axis, struct row lower, struct row upper, struct weights at) {
  struct row joined = lower;
  joined.value = ((lower.value + upper.value) * 0.5f + at.centred * (upper.value - lower.value)) +
                 (at.a0 * lower.tilt[axis] + at.a1 * upper.tilt[axis]);
  for (int a = 1; a < axis; a++)
    joined.tilt[a] = lower.tilt[a] + at.fade * (upper.tilt[a] - lower.tilt[a]);
  return joined;
}

/* Bit a of a corner's number tells whether it is the upper one along axis a. */
static float combine_corners(int dims, float gradient[16][4], const struct weights at[4]) {
  struct row row[8] = {{0, {0}}};
  for (int r = 0; r < 1 << (dims - 1); r++) {
    const float *g0 = gradient[2 * r], *g1 = gradient[2 * r + 1];
    row[r].value = at[0].a0 * g0[0] + at[0].a1 * g1[0];
    for (int a = 1; a < dims; a++)
      row[r].tilt[a] = g0[a] + at[0].fade * (g1[a] - g0[a]);
  }
  for (int a = dims - 1; a >= 1; a--) {
    const int half = 1 << (a - 1);
    for (int r = 0; r < half; r++)
      row[r] = fold(a, row[r], row[r + half], at[a]);
  }
  return row[0].value;
}

static float octave_at(const struct perlane_octave *octave, int dims, const double cells[4]) {
  struct weights at[4];
  uint32_t word[4][2] = {{0}};
  for (int a = 0; a < dims; a++) {
    int64_t cell;
    const float t = split_position(cells[a], &cell);
    at[a] = weights_at(t, octave->amplitude[dims - 1]);
    word[a][0] = axis_word(cell, a, octave->key[a]);
    word[a][1] = axis_word(cell + 1, a, octave->key[a]);
  }
  if (dims == 1)
    word[1][0] = axis_word(0, 1, octave->key[1]);
  float gradient[16][4];
  for (int c = 0; c < 1 << dims; c++) {
    uint32_t corner[4];
    for (int a = 0; a < 4; a++)
      corner[a] = word[a][c >> a & 1];
    corner_gradient(dims, corner, gradient[c]);
  }
  return combine_corners(dims, gradient, at);
}

float perlane_scalar_at(const perlane_noise *noise, int dims, const double *position) {
  float sum = 0;
  for (int k = 0; k < noise->params.octaves; k++) {
    double cells[4] = {0, 0, 0, 0};
    for (int a = 0; a < dims; a++) {
      cells[a] = position[a] * noise->octave[k].frequency;
      if (!(cells[a] >= -9007199254740992.0 && cells[a] <= 9007199254740992.0))
        return not_a_number();
    }
    const float value = octave_at(&noise->octave[k], dims, cells);
    sum = k == 0 ? value : sum + value;
  }
  return sum;
}

static void scalar_fill(const perlane_noise *noise, const perlane_grid *grid, float *out) {
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
          out[place] = perlane_scalar_at(noise, grid->dims, position);
        }
}

static void scalar_points(const perlane_noise *noise, int dims, size_t n,
                          const float *const *coords, float *out) {
  for (size_t i = 0; i < n; i++) {
    double position[4] = {0, 0, 0, 0};
    for (int a = 0; a < dims; a++)
      position[a] = (double)coords[a][i];
    out[i] = perlane_scalar_at(noise, dims, position);
  }
}

const struct perlane_kernels perlane_scalar_kernels = {
    .name = "scalar",
    .isa = PERLANE_ISA_SCALAR,
    .fill = scalar_fill,
    .points = scalar_points,
    .at = perlane_scalar_at,
};
