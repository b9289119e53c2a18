/* SPDX-License-Identifier: MIT
 *
 * Preparing a field: from the params to each octave's constants (docs/specification.md, section 3).
 */
#include "strict.h"

#include <stddef.h>
#include <string.h>

#include "field.h"
#include "numbers.h"

static const uint64_t READY = UINT64_C(0x7065726C616E6502); /* "perlane", layout 2 */

/* ---- Checks ---- */

static int are_gradients(const float *component, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!(perlane_magnitude((double)component[i]) <= PERLANE_MAX_GRADIENT))
      return 0;
  return 1;
}

static perlane_status check_gradients(const perlane_params *params) {
  if (params->basis != PERLANE_BASIS_PERLIN)
    return PERLANE_OK;
  if (params->hash == PERLANE_HASH_GRID) {
    const int32_t nx = params->gradient_grid_count[0], ny = params->gradient_grid_count[1];
    if (!params->gradient_grid || nx < 1 || ny < 1 || ny > PERLANE_MAX_PERIOD / nx)
      return PERLANE_ERROR_GRADIENT_GRID;
    if (!are_gradients(params->gradient_grid, 2 * (size_t)nx * (size_t)ny))
      return PERLANE_ERROR_GRADIENT;
  } else if (params->gradients == PERLANE_GRADIENTS_TABLE) {
    if (!params->gradient_table || params->gradient_dims < 1 ||
        params->gradient_dims > PERLANE_MAX_DIMS || params->gradient_count < 2 ||
        params->gradient_count > 256)
      return PERLANE_ERROR_GRADIENT_COUNT;
    if (!are_gradients(params->gradient_table,
                       (size_t)params->gradient_dims * (size_t)params->gradient_count))
      return PERLANE_ERROR_GRADIENT;
  }
  return PERLANE_OK;
}

static perlane_status check(const perlane_params *params) {
  for (size_t i = 0; i < sizeof params->reserved / sizeof params->reserved[0]; i++)
    if (params->reserved[i] != 0)
      return PERLANE_ERROR_RESERVED;
  if (params->reserved0 != 0 || params->reserved1 != 0 || params->reserved2)
    return PERLANE_ERROR_RESERVED;
  const perlane_status status = perlane_options_check(params);
  if (status != PERLANE_OK)
    return status;
  if (params->basis != PERLANE_BASIS_PERLIN && params->hash == PERLANE_HASH_GRID)
    return PERLANE_ERROR_HASH;
  if (params->basis == PERLANE_BASIS_GAUSSIAN && params->hash != PERLANE_HASH_LATTICE)
    return PERLANE_ERROR_HASH;
  return check_gradients(params);
}

/* ---- Constants ---- */

/* Bytes of a field before its table, less the octaves that it does not have. */
static size_t used_head_bytes(int octaves) {
  return offsetof(perlane_noise, octave) + (size_t)octaves * sizeof(struct perlane_octave);
}

static int exists(const perlane_params *params, int dims, const struct perlane_gradient_set *set) {
  if (params->hash == PERLANE_HASH_PRIMES && dims != 2)
    return 0;
  return params->basis != PERLANE_BASIS_PERLIN || set->exists;
}

/* Returns 1 / largest; unless that is exact, less two units in the last place of a float, so that
 * rounding cannot carry a sample past 1. A scale beyond the range of float is returned as it is,
 * and refused with the amplitude. */
static double full_scale(double largest) {
  uint64_t bits;
  memcpy(&bits, &largest, sizeof bits);
  if ((bits & UINT64_C(0xFFFFFFFFFFFFF)) == 0 || 1 / largest > (double)FLT_MAX)
    return 1 / largest;
  float scale = (float)(1 / largest);
  uint32_t word;
  memcpy(&word, &scale, sizeof word);
  word -= 2;
  memcpy(&scale, &word, sizeof scale);
  return (double)scale;
}

/* What an octave's noise is multiplied by, and its largest value then. */
struct scale {
  double factor, largest;
};

static struct scale scale_of(const perlane_params *params, const struct perlane_gradient_set *set) {
  const int full = params->normalize == PERLANE_NORMALIZE_FULL;
  switch (params->basis) {
  case PERLANE_BASIS_GAUSSIAN:
    return (struct scale){1, 5.8};
  case PERLANE_BASIS_WHITE:
    return (struct scale){1, 1};
  case PERLANE_BASIS_VALUE:
    return (struct scale){full ? 0x1.fffffp-1 : 1, 1}; /* room for the rounding of the folds */
  case PERLANE_BASIS_PERLIN:
  case PERLANE_BASIS_COUNT:
    break;
  }
  return full && set->largest > 0 ? (struct scale){full_scale(set->largest), 1}
                                  : (struct scale){set->unit, set->largest * set->unit};
}

static void make_gradients(perlane_noise *noise, const perlane_params *params,
                           struct perlane_gradient_set sets[PERLANE_MAX_DIMS]) {
  static const int first_vector[PERLANE_MAX_DIMS] = {0, 1, 3, 6};
  for (int d = 0; d < PERLANE_MAX_DIMS; d++)
    sets[d] = params->basis == PERLANE_BASIS_PERLIN
                  ? perlane_gradient_set_make(params, d + 1, &noise->vector[first_vector[d]])
                  : (struct perlane_gradient_set){0, 0, 0};
}

/* The next octave's keys and phases. */
static void make_octave_keys(struct perlane_octave *octave, const perlane_params *params,
                             uint64_t *stream) {
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    const uint64_t word = perlane_splitmix64(stream);
    octave->key[a] = (uint32_t)(word >> 32);
    octave->phase[a] = params->phase == PERLANE_PHASE_SEEDED ? (uint32_t)word & 0xFFFFFF : 0;
    octave->shift[a] = (uint32_t)params->table_offset[a];
    if (!params->octaves_share)
      octave->shift[a] += octave->key[a];
  }
}

/* Each octave's keys, phases and shifts, from the stream that the seed starts. Octaves that share a
 * lattice have those of the first. */
static void make_keys(perlane_noise *noise) {
  uint64_t state = noise->params.seed;
  const uint64_t start = perlane_splitmix64(&state);
  uint64_t stream = start;
  for (int k = 0; k < noise->octaves; k++) {
    if (noise->params.octaves_share)
      stream = start;
    make_octave_keys(&noise->octave[k], &noise->params, &stream);
  }
}

/* Each octave's frequency and periods. */
static perlane_status make_lattices(perlane_noise *noise, const perlane_params *params) {
  double frequency = params->frequency, period[PERLANE_MAX_DIMS];
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    if (params->period[a] < 0)
      return PERLANE_ERROR_PERIOD;
    period[a] = params->period[a];
  }
  if (params->hash == PERLANE_HASH_GRID && (params->period[0] != 0 || params->period[1] != 0))
    return PERLANE_ERROR_PERIOD;
  for (int k = 0; k < noise->octaves; k++) {
    struct perlane_octave *octave = &noise->octave[k];
    if (!perlane_is_finite(frequency) || !(frequency >= DBL_MIN))
      return PERLANE_ERROR_FREQUENCY;
    octave->frequency = frequency;
    if (frequency > noise->highest_frequency)
      noise->highest_frequency = frequency;
    for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
      if (params->period[a] != 0) {
        if (!(period[a] >= 1 && period[a] <= PERLANE_MAX_PERIOD) ||
            period[a] != (double)(int32_t)period[a])
          return PERLANE_ERROR_PERIOD;
        octave->period[a] = (int32_t)period[a];
      }
      period[a] *= params->lacunarity;
    }
    if (params->hash == PERLANE_HASH_GRID)
      memcpy(octave->period, params->gradient_grid_count, sizeof params->gradient_grid_count);
    frequency *= params->lacunarity;
  }
  return PERLANE_OK;
}

/* Each octave's amplitude, and the scale and offset of their sum. */
static perlane_status make_amplitudes(perlane_noise *noise, const perlane_params *params,
                                      const struct perlane_gradient_set sets[PERLANE_MAX_DIMS]) {
  double share[PERLANE_MAX_OCTAVES], power = params->amplitude, total = 0;
  for (int k = 0; k < noise->octaves; k++) {
    share[k] = power;
    total += perlane_magnitude(power);
    if (!perlane_is_finite(total))
      return PERLANE_ERROR_GAIN;
    power *= params->gain;
  }
  /* Each octave's amplitude and each addition rounds: where several octaves are at their largest
   * value, the sum could pass 1 by that much, hence the margin. */
  double margin = 1;
  if (params->normalize == PERLANE_NORMALIZE_FULL && noise->octaves > 1)
    margin = 1.0 - noise->octaves * 0x1p-23;
  const int size_is_free = !noise->shaped && params->contrast == 1;
  for (int d = 0; d < PERLANE_MAX_DIMS; d++) {
    if (!exists(params, d + 1, &sets[d]))
      continue;
    const struct scale scale = scale_of(params, &sets[d]);
    if (!(scale.largest > 0))
      return PERLANE_ERROR_GRADIENT;
    noise->largest[d] = scale.largest;
    for (int k = 0; k < noise->octaves; k++) {
      struct perlane_octave *octave = &noise->octave[k];
      const double strength =
          params->normalize == PERLANE_NORMALIZE_NONE ? share[k] : share[k] / total * margin;
      octave->strength = (float)strength;
      octave->amplitude[d] =
          noise->shaped
              ? (float)scale.factor
              : (float)(strength * scale.factor * (size_is_free ? params->value_scale : 1));
      if (!perlane_is_finite((double)octave->strength) ||
          !perlane_is_finite((double)octave->amplitude[d]))
        return PERLANE_ERROR_AMPLITUDE;
    }
  }
  noise->value_scale = size_is_free ? 1 : (float)params->value_scale;
  noise->value_offset = (float)params->value_offset;
  if (!perlane_is_finite((double)noise->value_scale) ||
      !perlane_is_finite((double)noise->value_offset))
    return PERLANE_ERROR_AMPLITUDE;
  return PERLANE_OK;
}

/* Makes the members that the field reads; the rest of its table and vectors, and octaves that it
 * does not have, stay as they are. */
static perlane_status make(perlane_noise *noise, const perlane_params *params) {
  const int octaves = params->fractal == PERLANE_FRACTAL_NONE ? 1 : params->octaves;
  memset(noise, 0, used_head_bytes(octaves));
  if (perlane_table_is_used(params))
    memset(noise->table, 0, sizeof noise->table); /* hashes of 256 leave the rest */
  if (perlane_vectors_are_used(params))
    memset(noise->vector, 0, sizeof noise->vector); /* sets do not exist in all dimensions */
  noise->params = *params;
  noise->octaves = octaves;
  const int weighted = params->weighted_strength != 0 && noise->octaves > 1;
  noise->shaped = weighted || (params->fractal != PERLANE_FRACTAL_FBM &&
                               params->fractal != PERLANE_FRACTAL_NONE);
  struct perlane_gradient_set sets[PERLANE_MAX_DIMS];
  make_gradients(noise, params, sets);
  perlane_status status = perlane_table_make(params, noise->table);
  if (status == PERLANE_OK)
    status = make_lattices(noise, params);
  if (status == PERLANE_OK)
    status = make_amplitudes(noise, params, sets);
  for (int dims = 1; dims <= PERLANE_MAX_DIMS && status == PERLANE_OK; dims++)
    if (noise->largest[dims - 1] > 0) {
      float low, high;
      if (!perlane_field_range(noise, dims, &low, &high))
        status = PERLANE_ERROR_AMPLITUDE;
    }
  make_keys(noise);
  noise->ready = READY;
  return status;
}

PERLANE_NOINLINE perlane_status perlane_field_make(perlane_noise *noise,
                                                   const perlane_params *params) {
  perlane_status status = check(params);
  if (status != PERLANE_OK)
    return status;
  perlane_noise made;
  status = make(&made, params);
  if (status != PERLANE_OK)
    return status;
  memcpy(noise, &made, used_head_bytes(made.octaves));
  if (perlane_table_is_used(params))
    memcpy(noise->table, made.table, sizeof made.table);
  if (perlane_vectors_are_used(params))
    memcpy(noise->vector, made.vector, sizeof made.vector);
  return PERLANE_OK;
}

PERLANE_NOINLINE void perlane_field_reseed(perlane_noise *noise, uint64_t seed) {
  perlane_params *params = &noise->params;
  params->seed = seed;
  make_keys(noise);
  perlane_table_reseed(params, noise->table);
  if (perlane_vectors_are_used(params) && params->gradients == PERLANE_GRADIENTS_SPHERE) {
    struct perlane_gradient_set sets[PERLANE_MAX_DIMS];
    make_gradients(noise, params, sets);
  }
}

int perlane_field_is_ready(const perlane_noise *noise) {
  return noise->ready == READY;
}
