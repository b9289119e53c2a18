/* SPDX-License-Identifier: MIT
 *
 * Bounds of a field's values and derivatives, from its constants alone.
 */
#include "strict.h"

#include <string.h>

#include "field.h"

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

/* What the fractal makes of noise whose magnitude is at most `largest`. */
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

/* The float at or next to v on the side of `direction`. */
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

/* Fully normalized, rounding has its room within [-1, 1] already. */
static int is_full(const perlane_params *params) {
  return params->normalize == PERLANE_NORMALIZE_FULL && params->basis != PERLANE_BASIS_GAUSSIAN;
}

/* Of the octaves' sum, before contrast, size and offset. */
static struct interval sum_of_octaves(const perlane_noise *noise, int dims) {
  const perlane_params *params = &noise->params;
  const int full = is_full(params), octaves = noise->octaves;
  const double rounding = (octaves + 4) * 0x1p-22; /* relative */
  const double largest = noise->largest[dims - 1] * (full ? 1 : 1 + rounding);
  const int weighted = params->weighted_strength != 0 && octaves > 1;
  struct interval sum = {0, 0};
  double total = 0;
  for (int k = 0; k < octaves; k++) {
    struct interval term = shaped(params->fractal, largest);
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

/* Whether no step on the way to such a value can leave the range of float. */
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
    const double loose = params->contrast * 0x1p-22;
    sum.low = sign_power(sum.low, params->contrast);
    sum.high = sign_power(sum.high, params->contrast);
    if (params->contrast > 1 && !full)
      sum = (struct interval){sum.low - perlane_magnitude(sum.low) * loose,
                              sum.high + perlane_magnitude(sum.high) * loose};
    fits &= is_computable(sum); /* a size of 0 would make NaN of what is infinite by then */
  }
  if (params->value_scale != 1 || params->value_offset != 0) {
    sum = times(sum, params->value_scale);
    fits &= is_computable(sum); /* nor may the offset bring it back */
    const double most = larger(perlane_magnitude(sum.low), perlane_magnitude(sum.high));
    const double loose = (most + perlane_magnitude(params->value_offset)) * 0x1p-22;
    sum.low += params->value_offset - loose;
    sum.high += params->value_offset + loose;
  }
  fits &= is_computable(sum);
  *low = fits ? rounded(sum.low, -1) : -FLT_MAX;
  *high = fits ? rounded(sum.high, 1) : FLT_MAX;
  return fits;
}

/* Derivatives are computed in float: with a scale near the end of its range, steps on the way could
 * leave it. The bound is generous; nothing sensible comes near. */
PERLANE_NOINLINE int perlane_field_has_gradient(const perlane_noise *noise, int dims) {
  const perlane_params *params = &noise->params;
  const double most = 0x1p100, vectors = 0x1p24; /* a caller's gradients may be long */
  double total = 0;
  for (int k = 0; k < noise->octaves; k++) {
    const struct perlane_octave *octave = &noise->octave[k];
    const double steepness =
        perlane_magnitude((double)octave->amplitude[dims - 1]) * octave->frequency;
    if (!(octave->frequency <= most / vectors) || !(steepness <= most / vectors))
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
  return factor <= most &&
         total * larger(factor, 1) * larger(perlane_magnitude(params->value_scale), 1) <= most;
}
