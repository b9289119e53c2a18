/* SPDX-License-Identifier: MIT
 *
 * A field made ready: from the params a user chose to each octave's constants
 * (docs/specification.md, section 3).
 */
#include "strict.h"

#include <string.h>

#include "field.h"

static const uint64_t READY = UINT64_C(0x7065726C616E6501); /* "perlane", layout 1 */

/* What one octave's raw noise is multiplied by to span [-1, 1]: the reciprocal of its largest
 * value, two units in the last place low so that rounding cannot carry a sample past 1; where the
 * reciprocal is a power of two it is exact. In 3D and 4D it is halved, as those gradients have
 * components of 0 and +-2. */
static const double OUTPUT_SCALE[PERLANE_MAX_DIMS] = {2.0, 0x1.65f218p+0, 0x1.ee0a2ap-2,
                                                      0x1.4d34fap-2};

perlane_params perlane_params_default(void) {
  perlane_params params;
  memset(&params, 0, sizeof params);
  params.seed = 1337;
  params.frequency = 0.01;
  params.octaves = 1;
  params.lacunarity = 2;
  params.gain = 0.5;
  params.octave_seed_step = 1;
  return params;
}

static int is_finite(double v) {
  return v - v == 0;
}

static double magnitude(double v) {
  return v < 0 ? -v : v;
}

static uint64_t splitmix64(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return z ^ z >> 31;
}

static void seed_keys(uint64_t seed, uint32_t key[PERLANE_MAX_DIMS]) {
  uint64_t state = seed;
  (void)splitmix64(&state); /* the first output is not used */
  for (int axis = 0; axis < PERLANE_MAX_DIMS; axis++)
    key[axis] = (uint32_t)(splitmix64(&state) >> 32);
}

PERLANE_NOINLINE perlane_status perlane_field_make(perlane_noise *noise,
                                                   const perlane_params *params) {
  for (size_t i = 0; i < sizeof params->reserved / sizeof params->reserved[0]; i++)
    if (params->reserved[i] != 0)
      return PERLANE_ERROR_RESERVED;
  if (params->reserved0 != 0)
    return PERLANE_ERROR_RESERVED;
  if (!is_finite(params->frequency) || !(params->frequency > 0))
    return PERLANE_ERROR_FREQUENCY;
  if (params->octaves < 1 || params->octaves > PERLANE_MAX_OCTAVES)
    return PERLANE_ERROR_OCTAVES;
  if (!is_finite(params->lacunarity) || !(params->lacunarity > 0))
    return PERLANE_ERROR_LACUNARITY;
  if (!is_finite(params->gain))
    return PERLANE_ERROR_GAIN;

  perlane_noise made;
  memset(&made, 0, sizeof made);
  double amplitude[PERLANE_MAX_OCTAVES], sum = 0;
  double frequency = params->frequency, power = 1;
  for (int k = 0; k < params->octaves; k++) {
    if (!is_finite(frequency) || !(frequency >= DBL_MIN))
      return PERLANE_ERROR_FREQUENCY;
    made.octave[k].frequency = frequency;
    if (frequency > made.highest_frequency)
      made.highest_frequency = frequency;
    amplitude[k] = power;
    sum += magnitude(power);
    if (!is_finite(sum))
      return PERLANE_ERROR_GAIN;
    seed_keys(params->seed + (uint64_t)k * params->octave_seed_step, made.octave[k].key);
    frequency *= params->lacunarity;
    power *= params->gain;
  }
  /* Each octave's amplitude and each addition rounds: with several octaves at their largest value
   * at one place the sum could pass 1 by that much, hence the margin. */
  const double margin = params->octaves == 1 ? 1.0 : 1.0 - params->octaves * 0x1p-23;
  for (int k = 0; k < params->octaves; k++)
    for (int d = 0; d < PERLANE_MAX_DIMS; d++)
      made.octave[k].amplitude[d] = (float)(amplitude[k] / sum * margin * OUTPUT_SCALE[d]);
  made.params = *params;
  made.ready = READY;
  *noise = made;
  return PERLANE_OK;
}

int perlane_field_is_ready(const perlane_noise *noise) {
  return noise->ready == READY;
}
