/* SPDX-License-Identifier: MIT
 *
 * What follows the sum of the octaves: contrast, value_scale and value_offset
 * (docs/specification.md, 2.12 and 2.13).
 */
#ifndef PERLANE_NOISE_FINISH_H
#define PERLANE_NOISE_FINISH_H

#include "octaves.h"

/* What is left to do when the octaves have been added up. */
struct ending {
  perlane_fractal shape; /* of the only octave, where that has not been shaped yet; or FBM */
  float strength, ping_pong;
  int contrast;
  float size, offset; /* 1 and -0 where there is none: those leave every value as it is */
};

PERLANE_INLINE struct ending ending_of(const perlane_noise *noise) {
  return (struct ending){
      .shape = PERLANE_FRACTAL_FBM,
      .strength = noise->octave[0].strength,
      .ping_pong = (float)noise->params.ping_pong_strength,
      .contrast = noise->params.contrast,
      .size = noise->size,
      .offset = noise->offset != 0 ? noise->offset : -0.0f,
  };
}

/* How much there is to do: a constant where it is passed. */
enum ending_kind {
  ENDING_NONE,
  ENDING_LINEAR, /* size and offset */
  ENDING_POWER,  /* contrast too */
  ENDING_RIDGED, /* the only octave has still to be shaped; then all the rest */
  ENDING_BILLOW,
  ENDING_PING_PONG,
};

PERLANE_INLINE enum ending_kind ending_kind_of(const struct ending *end) {
  switch (end->shape) {
  case PERLANE_FRACTAL_RIDGED:
    return ENDING_RIDGED;
  case PERLANE_FRACTAL_BILLOW:
    return ENDING_BILLOW;
  case PERLANE_FRACTAL_PING_PONG:
    return ENDING_PING_PONG;
  default:
    break;
  }
  if (end->contrast != 1)
    return ENDING_POWER;
  return end->size != 1 || end->offset != 0 ? ENDING_LINEAR : ENDING_NONE;
}

static int has_ending(const perlane_noise *noise) {
  return noise->params.contrast != 1 || noise->size != 1 || noise->offset != 0;
}

/* |v|^contrast with the sign of v, and the factor that makes its derivative of that of v. */
PERLANE_INLINE vf contrasted(int contrast, vf v, vf *factor) {
  if (contrast == 0) {
    const vf none = f_set(0);
    const vi not_above = f_not_above(v, none), not_below = f_not_above(none, v);
    const vi one = i_bits(f_set(1)), all = i_set(0xFFFFFFFF);
    const vi up = i_and(i_xor(not_above, all), one);
    const vi down = i_and(i_xor(not_below, all), i_or(one, i_set(0x80000000)));
    *factor = none;
    return f_bits(i_or(up, down));
  }
  const vf a = magnitude_of(v);
  vf power = a;
  for (int i = 2; i < contrast; i++)
    power = f_mul(power, a);
  *factor = f_mul(f_set((float)contrast), power);
  return f_mul(v, power);
}

PERLANE_INLINE vf ended(enum ending_kind kind, const struct ending *end, vf v) {
  if (kind == ENDING_NONE)
    return v;
  if (kind >= ENDING_RIDGED) {
    const perlane_fractal fractal = kind == ENDING_RIDGED   ? PERLANE_FRACTAL_RIDGED
                                    : kind == ENDING_BILLOW ? PERLANE_FRACTAL_BILLOW
                                                            : PERLANE_FRACTAL_PING_PONG;
    v = f_mul(shape(fractal, v, f_set(end->ping_pong)).value, f_set(end->strength));
  }
  if (kind >= ENDING_POWER && end->contrast != 1) { /* the same way for every sample */
    vf factor;
    v = contrasted(end->contrast, v, &factor);
  }
  return f_add(f_mul(v, f_set(end->size)), f_set(end->offset));
}

/* The derivative d of v becomes that of ended(v). Not where v has still to be shaped. */
PERLANE_INLINE vf ended_slope(const struct ending *end, vf v, vf d) {
  if (end->contrast == 0)
    d = f_set(0);
  else if (end->contrast != 1) {
    vf factor;
    (void)contrasted(end->contrast, v, &factor);
    d = f_mul(factor, d);
  }
  return f_mul(d, f_set(end->size));
}

static void finish(const perlane_noise *noise, size_t n, int arrays, const struct samples *sums) {
  const struct ending end = ending_of(noise);
  for (size_t i = 0; i < n; i += LANES) {
    const vf v = f_load(sums->array[0] + i);
    for (int j = 1; j < arrays; j++)
      f_store(sums->array[j] + i, ended_slope(&end, v, f_load(sums->array[j] + i)));
    f_store(sums->array[0] + i, ended(ENDING_POWER, &end, v));
  }
}

#endif
