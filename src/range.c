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
static struct interval shaped(const perlane_params *params, double largest) {
  const int is_distance = params->basis == PERLANE_BASIS_CELLULAR &&
                          params->cell_output != PERLANE_CELL_OUTPUT_VALUE &&
                          (params->normalize == PERLANE_NORMALIZE_OCTAVES ||
                           params->normalize == PERLANE_NORMALIZE_NONE);
  switch ((perlane_fractal)params->fractal) {
  case PERLANE_FRACTAL_RIDGED:
    return (struct interval){1 - 2 * largest, 1};
  case PERLANE_FRACTAL_BILLOW:
    return (struct interval){-1, 2 * largest - 1};
  case PERLANE_FRACTAL_PING_PONG:
    return (struct interval){-1, 1};
  case PERLANE_FRACTAL_FBM:
  case PERLANE_FRACTAL_NONE:
  case PERLANE_FRACTAL_ERODED:
  case PERLANE_FRACTAL_COUNT:
    break;
  }
  return (struct interval){is_distance ? 0 : -largest, largest};
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
    struct interval term = shaped(params, largest);
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

/* Piece i at v, and what rounding may add to that. */
static struct interval on_piece(const struct perlane_pieces *pieces, int i, double v) {
  const double t = v - (double)pieces->start[i], c0 = (double)pieces->c0[i];
  const double c1 = (double)pieces->c1[i] * t, c2 = (double)pieces->c2[i] * (t * t);
  const double c3 = (double)pieces->c3[i] * (t * t * t), y = c0 + (c1 + (c2 + c3));
  /* v itself is rounded to float, too. */
  const double steepness =
      perlane_magnitude((double)pieces->c1[i]) + (2 * perlane_magnitude((double)pieces->c2[i]) +
                                                  3 * perlane_magnitude((double)pieces->c3[i])) *
                                                     (t > 1 ? t * t : 1);
  const double margin = (perlane_magnitude(c0) + perlane_magnitude(c1) + perlane_magnitude(c2) +
                         perlane_magnitude(c3) + steepness * perlane_magnitude(v)) *
                        0x1p-21;
  const double low = (double)pieces->low, high = (double)pieces->high;
  return (struct interval){larger(y - margin, low), smaller(y + margin, high)};
}

/* The curve at v. */
static struct interval curved(const struct perlane_pieces *pieces, double v) {
  int i = 0;
  while (i + 1 < pieces->count && v >= (double)pieces->start[i + 1])
    i++;
  const double y = (double)pieces->c0[i];
  if (v <= (double)pieces->start[0] || i == pieces->count - 1)
    return (struct interval){y, y};
  return on_piece(pieces, i, v);
}

/* The range of a curve, for values in a range. It rises and falls only where its points do; but as
 * their x are rounded, a piece may end a little beyond the next one's first point. */
static struct interval range_of_curve(const struct perlane_pieces *pieces, struct interval v) {
  const struct interval begin = curved(pieces, v.low), end = curved(pieces, v.high);
  struct interval range = {smaller(begin.low, end.low), larger(begin.high, end.high)};
  for (int i = 1; i < pieces->count; i++)
    if ((double)pieces->start[i] >= v.low && (double)pieces->start[i] <= v.high) {
      const struct interval before = on_piece(pieces, i - 1, (double)pieces->start[i]);
      range.low = smaller(smaller(range.low, before.low), (double)pieces->c0[i]);
      range.high = larger(larger(range.high, before.high), (double)pieces->c0[i]);
    }
  return range;
}

/* v, below 2^100 in magnitude, moved to the next border of a terrace in the direction of a sign. */
static double terrace_border(double v, int32_t terraces, int direction) {
  const double half = terraces * 0.5, t = (v + 1) * half;
  if (!(perlane_magnitude(t) < 0x1p22)) /* where floats have no terraces */
    return v + direction * (perlane_magnitude(v) + 1) * 0x1p-20;
  const double whole = (double)(int64_t)t;
  return (direction < 0 ? whole - (whole > t) : whole + (whole < t)) / half - 1;
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
  if (params->curve.count > 0)
    sum = range_of_curve(&noise->pieces, sum);
  if (params->terraces > 0 && is_computable(sum))
    sum = (struct interval){terrace_border(sum.low, params->terraces, -1),
                            terrace_border(sum.high, params->terraces, 1)};
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

static double steepest_piece(const struct perlane_pieces *pieces) {
  double steepest = 1;
  for (int i = 0; i + 1 < pieces->count; i++) {
    const double width = (double)pieces->start[i + 1] - (double)pieces->start[i];
    steepest = larger(steepest, perlane_magnitude((double)pieces->c1[i]) +
                                    2 * perlane_magnitude((double)pieces->c2[i]) * width +
                                    3 * perlane_magnitude((double)pieces->c3[i]) * width * width);
  }
  return steepest;
}

/* Returns a bound of how much a warp stretches positions, and with them derivatives. */
static double stretch_of_warp(const perlane_noise *noise, int dims) {
  const perlane_params *params = &noise->params;
  double steepness = 0, stretch = 1;
  for (int k = 0; k < params->warp_octaves; k++)
    steepness += perlane_magnitude((double)noise->warp_octave[k].amplitude[dims - 1]) *
                 noise->warp_octave[k].frequency * 4; /* the default gradients are short */
  for (int round = 0; round < params->warp_rounds; round++)
    stretch = 1 + dims * params->warp_amplitude * steepness * stretch;
  return stretch;
}

/* Derivatives are computed in float, whose range extreme scales would leave. The limit is generous:
 * no sensible field comes near it. */
PERLANE_NOINLINE perlane_status perlane_field_gradient_status(const perlane_noise *noise,
                                                              int dims) {
  const perlane_params *params = &noise->params;
  if (params->fractal == PERLANE_FRACTAL_ERODED || params->basis == PERLANE_BASIS_CELLULAR)
    return PERLANE_ERROR_NO_GRADIENT;
  const double limit = 0x1p100, vectors = 0x1p24; /* a caller's gradients may be long */
  double total = 0;
  for (int k = 0; k < noise->octaves; k++) {
    const struct perlane_octave *octave = &noise->octave[k];
    const double steepness =
        perlane_magnitude((double)octave->amplitude[dims - 1]) * octave->frequency;
    if (!(octave->frequency <= limit / vectors) || !(steepness <= limit / vectors))
      return PERLANE_ERROR_FREQUENCY;
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
  double steepest = params->curve.count > 0 ? steepest_piece(&noise->pieces) : 1;
  if (params->terraces > 0)
    steepest *= 1 / (1 - params->terrace_sharpness);
  const double stretch = params->warp_amplitude != 0 ? dims * stretch_of_warp(noise, dims) : 1;
  return factor <= limit && stretch <= limit &&
                 total * larger(factor, 1) * stretch * steepest *
                         larger(perlane_magnitude(params->value_scale), 1) <=
                     limit
             ? PERLANE_OK
             : PERLANE_ERROR_FREQUENCY;
}
