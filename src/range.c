/* SPDX-License-Identifier: MIT
 *
 * Bounds of a field's values, from its constants alone.
 */
#include "strict.h"

#include <string.h>

#include "field.h"

struct interval {
  double low, high;
};

static double magnitude(double v) {
  return v < 0 ? -v : v;
}

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
    power *= magnitude(v);
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

void perlane_field_range(const perlane_noise *noise, int dims, float *low, float *high) {
  const perlane_params *params = &noise->params;
  /* Fully normalized, rounding has its room within [-1, 1] already. */
  const int full =
      params->normalize == PERLANE_NORMALIZE_FULL && params->basis != PERLANE_BASIS_GAUSSIAN;
  const int octaves = noise->octaves;
  const double rounding = (octaves + 4) * 0x1p-22; /* relative, of the octaves' sum */
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
    total += larger(magnitude(term.low), magnitude(term.high));
  }
  if (full) {
    sum.low = larger(octaves > 1 ? sum.low - total * rounding : sum.low, -1);
    sum.high = smaller(octaves > 1 ? sum.high + total * rounding : sum.high, 1);
  } else {
    sum.low -= total * rounding;
    sum.high += total * rounding;
  }
  if (params->contrast != 1) {
    const double loose = params->contrast * 0x1p-22;
    sum.low = sign_power(sum.low, params->contrast);
    sum.high = sign_power(sum.high, params->contrast);
    if (params->contrast > 1 && !full)
      sum = (struct interval){sum.low - magnitude(sum.low) * loose,
                              sum.high + magnitude(sum.high) * loose};
  }
  if (params->size != 1 || params->offset != 0) {
    sum = times(sum, params->size);
    const double most = larger(magnitude(sum.low), magnitude(sum.high));
    const double loose = (most + magnitude(params->offset)) * 0x1p-22;
    sum.low += params->offset - loose;
    sum.high += params->offset + loose;
  }
  *low = rounded(sum.low, -1);
  *high = rounded(sum.high, 1);
}
