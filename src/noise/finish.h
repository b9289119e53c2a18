/* SPDX-License-Identifier: MIT
 *
 * What follows the sum of the octaves: contrast, value_scale and value_offset
 * (docs/specification.md, 2.12 and 2.13).
 */
#ifndef PERLANE_NOISE_FINISH_H
#define PERLANE_NOISE_FINISH_H

#include "octaves.h"

struct finish {
  perlane_fractal shape; /* of a single octave that has not been shaped yet; else FBM */
  float strength, ping_pong;
  int contrast;
  float value_scale,
      value_offset; /* 1 and -0 where there is none: those leave every value as it is */
};

PERLANE_INLINE struct finish finish_of(const struct field *field) {
  return (struct finish){
      .shape = PERLANE_FRACTAL_FBM,
      .strength = field->octave[0].strength,
      .ping_pong = (float)field->params->ping_pong_strength,
      .contrast = field->params->contrast,
      .value_scale = field->value_scale,
      .value_offset = field->value_offset != 0 ? field->value_offset : -0.0f,
  };
}

/* How much there is to do. Constant where it is a parameter. */
enum finish_kind {
  FINISH_NONE,
  FINISH_LINEAR,   /* scale and offset */
  FINISH_CONTRAST, /* contrast, scale and offset */
  FINISH_RIDGED,   /* shaping of the single octave, then all of it */
  FINISH_BILLOW,
  FINISH_PING_PONG,
};

PERLANE_INLINE enum finish_kind finish_kind_of(const struct finish *end) {
  switch (end->shape) {
  case PERLANE_FRACTAL_RIDGED:
    return FINISH_RIDGED;
  case PERLANE_FRACTAL_BILLOW:
    return FINISH_BILLOW;
  case PERLANE_FRACTAL_PING_PONG:
    return FINISH_PING_PONG;
  default:
    break;
  }
  if (end->contrast != 1)
    return FINISH_CONTRAST;
  return end->value_scale != 1 || end->value_offset != 0 ? FINISH_LINEAR : FINISH_NONE;
}

/* |v|^contrast with the sign of v. *factor is its derivative by v. */
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

PERLANE_INLINE vf finish_value(enum finish_kind kind, const struct finish *end, vf v) {
  if (kind == FINISH_NONE)
    return v;
  if (kind >= FINISH_RIDGED) {
    const perlane_fractal fractal = kind == FINISH_RIDGED   ? PERLANE_FRACTAL_RIDGED
                                    : kind == FINISH_BILLOW ? PERLANE_FRACTAL_BILLOW
                                                            : PERLANE_FRACTAL_PING_PONG;
    v = f_mul(shape(fractal, v, f_set(end->ping_pong)).value, f_set(end->strength));
  }
  if (kind >= FINISH_CONTRAST &&
      end->contrast != 1) { /* the branch goes the same way for every sample */
    vf factor;
    v = contrasted(end->contrast, v, &factor);
  }
  return f_add(f_mul(v, f_set(end->value_scale)), f_set(end->value_offset));
}

/* The derivative of finish_value(FINISH_CONTRAST, v), for the derivative d of v. */
PERLANE_INLINE vf finish_slope(const struct finish *end, vf v, vf d) {
  if (end->contrast == 0)
    d = f_set(0);
  else if (end->contrast != 1) {
    vf factor;
    (void)contrasted(end->contrast, v, &factor);
    d = f_mul(factor, d);
  }
  return f_mul(d, f_set(end->value_scale));
}

/* Finishes n values in place. Constant: `kind`. */
PERLANE_INLINE void finish_values(enum finish_kind kind, const struct finish *of, size_t n,
                                  float *value) {
  const struct finish end = *of;
  for (size_t i = 0; i < n; i += LANES)
    f_store(value + i, finish_value(kind, &end, f_load(value + i)));
}

/* Finishes n samples in place. */
static PERLANE_NOINLINE void finish_samples(const struct finish *of, size_t n, int arrays,
                                            const struct samples *samples) {
  const struct finish end = *of;
  for (int j = 1; j < arrays; j++)
    for (size_t i = 0; i < n; i += LANES)
      f_store(samples->array[j] + i,
              finish_slope(&end, f_load(samples->array[0] + i), f_load(samples->array[j] + i)));
  switch (finish_kind_of(&end)) {
  case FINISH_RIDGED:
    finish_values(FINISH_RIDGED, &end, n, samples->array[0]);
    break;
  case FINISH_BILLOW:
    finish_values(FINISH_BILLOW, &end, n, samples->array[0]);
    break;
  case FINISH_PING_PONG:
    finish_values(FINISH_PING_PONG, &end, n, samples->array[0]);
    break;
  default:
    finish_values(FINISH_CONTRAST, &end, n, samples->array[0]);
  }
}

static void finish(const struct field *field, size_t n, int arrays, const struct samples *samples) {
  const struct finish end = finish_of(field);
  if (finish_kind_of(&end) != FINISH_NONE)
    finish_samples(&end, n, arrays, samples);
}

#endif
