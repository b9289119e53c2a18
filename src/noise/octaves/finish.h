/* SPDX-License-Identifier: MIT
 *
 * What follows the sum of the octaves: falloff, contrast, curve, terraces, value_scale and
 * value_offset (docs/specification.md, 2.12 and 2.13).
 */
#ifndef PERLANE_NOISE_OCTAVES_FINISH_H
#define PERLANE_NOISE_OCTAVES_FINISH_H

#include "curve.h"
#include "falloff.h"
#include "gullies.h"
#include "octaves.h"

struct finish {
  perlane_fractal shape; /* of a single octave that has not been shaped yet; else FBM */
  float strength, ping_pong;
  int contrast;
  const struct perlane_pieces *pieces; /* of the curve, or NULL */
  float half_terraces, bend;           /* half_terraces is 0 without terraces */
  float value_scale,
      value_offset; /* 1 and -0 where there is none: those leave every value as it is */
};

/* Finishes sums, whose octaves are shaped, after the falloff. */
PERLANE_INLINE struct finish finish_of(const struct field *field) {
  const double sharpness = field->params->terraces != 0 ? field->params->terrace_sharpness : 0;
  return (struct finish){
      .shape = PERLANE_FRACTAL_FBM,
      .strength = field->octave[0].strength,
      .ping_pong = (float)field->params->ping_pong_strength,
      .contrast = field->params->contrast,
      .pieces = field->params->curve.count > 0 ? &field->noise->pieces : NULL,
      .half_terraces = (float)(field->params->terraces * 0.5),
      .bend = (float)(sharpness / (1 - sharpness)),
      .value_scale = field->value_scale,
      .value_offset = field->value_offset != 0 ? field->value_offset : -0.0f,
  };
}

PERLANE_INLINE int is_bent(const struct finish *end) {
  return end->pieces || end->half_terraces != 0;
}

/* How much there is to do. Constant where it is a parameter. */
enum finish_kind {
  FINISH_NONE,
  FINISH_LINEAR, /* scale and offset */
  FINISH_CURVED, /* contrast, curve, terraces, scale and offset */
  FINISH_RIDGED, /* shaping of the single octave, then all of it */
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
  if (end->contrast != 1 || is_bent(end))
    return FINISH_CURVED;
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

/* Values after curve and terraces. */
static PERLANE_NOINLINE vf bent_value(const struct finish *end, vf v) {
  if (end->pieces)
    v = curved(end->pieces, v).value;
  return end->half_terraces != 0 ? terraced(end->half_terraces, end->bend, v).value : v;
}

/* Their derivative, for the derivative d of v. */
static PERLANE_NOINLINE vf bent_slope(const struct finish *end, vf v, vf d) {
  if (end->pieces) {
    const struct bent curve = curved(end->pieces, v);
    v = curve.value;
    d = f_bits(i_and(i_bits(f_mul(curve.slope, d)), curve.moves));
  }
  return end->half_terraces != 0 ? f_mul(terraced(end->half_terraces, end->bend, v).slope, d) : d;
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
  /* These branches go the same way for every sample. */
  if (kind >= FINISH_CURVED && end->contrast != 1) {
    vf factor;
    v = contrasted(end->contrast, v, &factor);
  }
  if (kind >= FINISH_CURVED && is_bent(end))
    v = bent_value(end, v);
  return f_add(f_mul(v, f_set(end->value_scale)), f_set(end->value_offset));
}

/* The derivative of finish_value(FINISH_CURVED, v), for the derivative d of v. */
PERLANE_INLINE vf finish_slope(const struct finish *end, vf v, vf d) {
  if (end->contrast != 1) {
    vf factor;
    v = contrasted(end->contrast, v, &factor);
    d = end->contrast == 0 ? f_set(0) : f_mul(factor, d);
  }
  if (is_bent(end))
    d = bent_slope(end, v, d);
  return f_mul(d, f_set(end->value_scale));
}

/* Finishes n values in place. Constant: `kind`. */
PERLANE_INLINE void finish_values(enum finish_kind kind, const struct finish *finish, size_t n,
                                  float *value) {
  const struct finish end = *finish;
  for (size_t i = 0; i < n; i += LANES)
    f_store(value + i, finish_value(kind, &end, f_load(value + i)));
}

/* Finishes n samples in place. */
static PERLANE_NOINLINE void finish_samples(const struct finish *finish, size_t n, int arrays,
                                            const struct samples *samples) {
  const struct finish end = *finish;
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
    finish_values(FINISH_CURVED, &end, n, samples->array[0]);
  }
}

PERLANE_INLINE int ends_with_sum(const struct field *field) {
  return perlane_ends_with_sum(field->params, field->value_scale, field->value_offset);
}

/* Carves gullies into the sums of n samples in a list, and overwrites their slopes. */
static PERLANE_NOINLINE void carve_list(const struct field *field, size_t n,
                                        const struct positions *positions,
                                        const struct samples *sums) {
  struct perlane_gullies gullies;
  perlane_field_gullies(field->noise, field->gullies, &gullies);
  for (size_t i = 0; i < n; i += GULLY_ROWS) {
    const size_t left = n - i, vectors = (left + LANES - 1) / LANES;
    const struct samples part = {{sums->array[0] + i, sums->array[1] + i, sums->array[2] + i}};
    carve(&gullies, positions->at[0] + i, positions->at[1] + i, 1,
          vectors < GULLY_ROWS / LANES ? vectors : GULLY_ROWS / LANES, LANES, &part);
  }
}

/* Returns how many arrays of the sum the steps after it read, of a field whose output has
 * `arrays`. */
PERLANE_INLINE int arrays_after_sum(const struct field *field, int dims, int arrays) {
  return field->gullies > 0 ? 1 + dims : arrays;
}

/* Lowers the sums of n samples in a list by the falloff, and carves gullies into them. */
static void lower_list(const struct field *field, int dims, size_t n, int arrays,
                       const struct positions *positions, const struct samples *sums) {
  if (has_falloff(field)) {
    const struct falloff falloff = falloff_of(field->params);
    lower(&falloff, dims, n, arrays_after_sum(field, dims, arrays), positions, sums);
  }
  if (field->gullies > 0)
    carve_list(field, n, positions, sums);
}

/* Lowers n samples in a list, carves gullies into them, and finishes `arrays` of them in place. */
static void finish(const struct field *field, int dims, size_t n, int arrays,
                   const struct positions *positions, const struct samples *samples) {
  lower_list(field, dims, n, arrays, positions, samples);
  const struct finish end = finish_of(field);
  finish_samples(&end, n, arrays, samples);
}

#endif
