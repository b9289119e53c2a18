/* SPDX-License-Identifier: MIT
 *
 * Bounds of a field's values and derivatives, from its constants.
 */
#include "strict.h"

#include <string.h>

#include "field.h"
#include "numbers.h"

struct interval {
  double low, high;
};

static double larger(double a, double b) {
  return a > b ? a : b;
}

static double smaller(double a, double b) {
  return a < b ? a : b;
}

static struct interval times(struct interval v, double factor) {
  return factor < 0 ? (struct interval){v.high * factor, v.low * factor}
                    : (struct interval){v.low * factor, v.high * factor};
}

/* Returns the range of shaped noise whose magnitude is at most `largest`. */
static struct interval shaped(perlane_fractal fractal, double largest) {
  switch (fractal) {
  case PERLANE_FRACTAL_RIDGED:
    return (struct interval){1 - 2 * largest, 1};
  case PERLANE_FRACTAL_BILLOW:
    return (struct interval){-1, 2 * largest - 1};
  case PERLANE_FRACTAL_PING_PONG:
    return (struct interval){-1, 1};
  case PERLANE_FRACTAL_FBM:
  case PERLANE_FRACTAL_NONE:
  case PERLANE_FRACTAL_COUNT:
    break;
  }
  return (struct interval){-largest, largest};
}

static double sign_power(double v, int exponent) {
  if (exponent == 0)
    return v > 0 ? 1 : v < 0 ? -1 : 0;
  double power = v;
  for (int i = 1; i < exponent; i++)
    power *= perlane_magnitude(v);
  return power;
}

/* Rounds to float, downwards or upwards by the sign of `direction`. */
static float rounded(double v, int direction) {
  float f = (float)v;
  if (direction < 0 ? (double)f <= v : (double)f >= v)
    return f;
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  if ((bits & 0x7FFFFFFF) == 0)
    bits = direction < 0 ? 0x80000001 : 1;
  else
    bits += (direction < 0) == (bits >> 31) ? 1 : UINT32_MAX;
  memcpy(&f, &bits, sizeof f);
  return f;
}

/* A fully normalized sum stays in [-1, 1] with all roundings: field.c leaves room for them. */
static int is_full(const perlane_params *params) {
  return params->normalize == PERLANE_NORMALIZE_FULL && params->basis != PERLANE_BASIS_GAUSSIAN;
}

/* The range of the octaves' sum, before contrast, scale and offset. */
static struct interval sum_of_octaves(const perlane_noise *noise, int dims) {
  const perlane_params *params = &noise->params;
  const int full = is_full(params), octaves = noise->octaves;
  const double rounding = (octaves + 4) * 0x1p-22; /* relative */
  const double largest = noise->largest[dims - 1] * (full ? 1 : 1 + rounding);
  const int weighted = params->weighted_strength != 0 && octaves > 1;
  struct interval sum = {0, 0};
  double total = 0;
  for (int k = 0; k < octaves; k++) {
    struct interval term = shaped((perlane_fractal)params->fractal, largest);
    if (weighted && k > 0) /* the weight may be anything from 0 to 1 */
      term = (struct interval){smaller(term.low, 0), larger(term.high, 0)};
    term = times(term, (double)noise->octave[k].strength);
    sum.low += term.low;
    sum.high += term.high;
    total += larger(perlane_magnitude(term.low), perlane_magnitude(term.high));
  }
  if (!full || octaves > 1) {
    sum.low -= total * rounding;
    sum.high += total * rounding;
  }
  return full ? (struct interval){larger(sum.low, -1), smaller(sum.high, 1)} : sum;
}

/* Whether values, and all steps on the way to them, stay within the range of float. */
static int is_computable(struct interval values) {
  return values.low >= -0x1p100 && values.high <= 0x1p100;
}

PERLANE_NOINLINE int perlane_field_range(const perlane_noise *noise, int dims, float *low,
                                         float *high) {
  const perlane_params *params = &noise->params;
  const int full = is_full(params);
  struct interval sum = sum_of_octaves(noise, dims);
  int fits = is_computable(sum);
  if (params->contrast != 1) {
    const double margin = params->contrast * 0x1p-22;
    sum.low = sign_power(sum.low, params->contrast);
    sum.high = sign_power(sum.high, params->contrast);
    if (params->contrast > 1 && !full)
      sum = (struct interval){sum.low - perlane_magnitude(sum.low) * margin,
                              sum.high + perlane_magnitude(sum.high) * margin};
    fits &= is_computable(sum); /* a scale of 0 would hide infinite values, and make NaN of them */
  }
  if (params->value_scale != 1 || params->value_offset != 0) {
    sum = times(sum, params->value_scale);
    fits &= is_computable(sum); /* the offset must not hide it either */
    const double largest = larger(perlane_magnitude(sum.low), perlane_magnitude(sum.high));
    const double margin = (largest + perlane_magnitude(params->value_offset)) * 0x1p-22;
    sum.low += params->value_offset - margin;
    sum.high += params->value_offset + margin;
  }
  fits &= is_computable(sum);
  *low = fits ? rounded(sum.low, -1) : -FLT_MAX;
  *high = fits ? rounded(sum.high, 1) : FLT_MAX;
  return fits;
}

/* Derivatives are computed in float, whose range extreme scales would leave. The limit is generous:
 * no sensible field comes near it. */
PERLANE_NOINLINE int perlane_field_has_gradient(const perlane_noise *noise, int dims) {
  const perlane_params *params = &noise->params;
  const double limit = 0x1p100, vectors = 0x1p24; /* a caller's gradients may be long */
  double total = 0;
  for (int k = 0; k < noise->octaves; k++) {
    const struct perlane_octave *octave = &noise->octave[k];
    const double steepness =
        perlane_magnitude((double)octave->amplitude[dims - 1]) * octave->frequency;
    if (!(octave->frequency <= limit / vectors) || !(steepness <= limit / vectors))
      return 0;
    total += steepness * vectors *
             (noise->shaped
                  ? 1 + perlane_magnitude((double)octave->strength) * PERLANE_MAX_PING_PONG_STRENGTH
                  : 1);
  }
  const struct interval sum = sum_of_octaves(noise, dims);
  const double bound = larger(perlane_magnitude(sum.low), perlane_magnitude(sum.high));
  double factor = params->contrast;
  for (int i = 1; i < params->contrast; i++)
    factor *= larger(bound, 1);
  return factor <= limit &&
         total * larger(factor, 1) * larger(perlane_magnitude(params->value_scale), 1) <= limit;
}
