/* SPDX-License-Identifier: MIT
 *
 * Bounds of a field's values and derivatives, from its constants.
 */
#include "strict.h"

#include <string.h>

#include "field.h"
#include "numbers.h"
#include "range.h"

struct interval {
  double low, high;
};

/* More than what subnormal amplitudes, strengths and sums can lose together by rounding, times the
 * longest gradient; in other fields it is nothing beside the other bounds of rounding. */
static const double SUBNORMALS = 0x1p-118;

static double larger(double a, double b) {
  return a > b ? a : b;
}

static double smaller(double a, double b) {
  return a < b ? a : b;
}

static double magnitude_of(struct interval v) {
  return larger(perlane_magnitude(v.low), perlane_magnitude(v.high));
}

static struct interval widened(struct interval v, double margin) {
  return (struct interval){v.low - margin, v.high + margin};
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

/* The range of the sum of the first octaves, however many, before contrast, scale and offset. */
static struct interval range_of_octaves(const perlane_noise *noise, int dims) {
  const perlane_params *params = &noise->params;
  const int full = is_full(params), octaves = noise->octaves;
  const double rounding = (octaves + 4) * 0x1p-22; /* relative */
  const double largest = noise->largest[dims - 1] * (full ? 1 : 1 + rounding);
  const int weighted = params->weighted_strength != 0 && octaves > 1;
  struct interval partial = {0, 0}, sum = {0, 0};
  double total = 0;
  for (int k = 0; k < octaves; k++) {
    struct interval term = shaped(params, largest);
    if (weighted && k > 0) /* the weight may be anything from 0 to 1 */
      term = (struct interval){smaller(term.low, 0), larger(term.high, 0)};
    term = times(term, (double)noise->octave[k].strength);
    partial = (struct interval){partial.low + term.low, partial.high + term.high};
    sum = k == 0 ? partial
                 : (struct interval){smaller(sum.low, partial.low), larger(sum.high, partial.high)};
    total += magnitude_of(term);
  }
  /* The amplitude of the first of several octaves is rounded, even if the others are left out. */
  if (!full || perlane_field_all_octaves(params) > 1)
    sum = widened(sum, total * rounding);
  sum = widened(sum, SUBNORMALS);
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
static struct interval curve_at(const struct perlane_pieces *pieces, double v) {
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
  const struct interval begin = curve_at(pieces, v.low), end = curve_at(pieces, v.high);
  struct interval range = {smaller(begin.low, end.low), larger(begin.high, end.high)};
  for (int i = 1; i < pieces->count; i++)
    if ((double)pieces->start[i] >= v.low && (double)pieces->start[i] <= v.high) {
      const struct interval before = on_piece(pieces, i - 1, (double)pieces->start[i]);
      range.low = smaller(smaller(range.low, before.low), (double)pieces->c0[i]);
      range.high = larger(larger(range.high, before.high), (double)pieces->c0[i]);
    }
  return range;
}

void perlane_curve_range(const struct perlane_pieces *pieces, float *low, float *high) {
  const struct interval curve =
      range_of_curve(pieces, (struct interval){(double)*low, (double)*high});
  *low = rounded(curve.low, -1);
  *high = rounded(curve.high, 1);
}

/* ---- What follows the sum, at both ends of its range ----
 *
 * In the kernels' own operations and roundings, so that no sample can differ from these bounds by a
 * rounding. Contrast, terraces, scale and offset rise with the value, or fall with it. */

struct ends {
  float low, high;
};

/* Returns 1 if values, and all steps on the way to them, stay within the range of float. */
static int are_computable(double low, double high) {
  return low >= -0x1p100 && high <= 0x1p100;
}

/* Makes a step's results the ends, and returns whether they are computable. */
static int set_ends(struct ends *v, float low, float high) {
  *v = (struct ends){low, high};
  return are_computable((double)low, (double)high);
}

static float contrasted(float v, int contrast) {
  if (contrast == 0)
    return v > 0 ? 1.0f : v < 0 ? -1.0f : 0.0f;
  const float a = (float)perlane_magnitude((double)v);
  float power = a;
  for (int i = 2; i < contrast; i++)
    power *= a;
  return v * power;
}

/* The border of v's terrace in the direction of a sign. From 2^23 on every float is whole. */
static float terrace_border(float v, int32_t terraces, int direction) {
  const float half = (float)(terraces * 0.5), t = (v + 1.0f) * half;
  if (!(t > -0x1p23f && t < 0x1p23f))
    return t / half - 1.0f;
  const float whole = (float)(int32_t)t; /* towards 0 */
  const float border =
      direction < 0 ? (whole > t ? whole - 1.0f : whole) : (whole < t ? whole + 1.0f : whole);
  return border / half - 1.0f;
}

/* The range of the octaves' sum, with value_scale where the octaves' amplitudes have it. */
static struct interval scaled_sum(const perlane_noise *noise, int dims) {
  const double scale = noise->params.value_scale;
  struct interval sum = range_of_octaves(noise, dims);
  if (noise->value_scale != 1 || scale == 1 || !are_computable(sum.low, sum.high))
    return sum;
  sum = times(sum, scale);
  return widened(sum, magnitude_of(sum) * 0x1p-22 + SUBNORMALS);
}

/* The land is not below the lowest height of the network, and above the highest by 1.6875 S at
 * most: a position is within sqrt(2) cells of the point of its own cell, to which a trunk of a
 * slope of up to 1.1875 S leads. */
static int add_valleys(const perlane_noise *noise, struct ends *v) {
  const struct interval before = {(double)v->low, (double)v->high};
  struct perlane_valleys valleys;
  perlane_field_valleys(noise, 0, &valleys);
  if (valleys.is_river)
    return set_ends(v, 0, 0.875f);
  const double rise = 1.75 * (double)valleys.slope;
  const double rounding = (magnitude_of(before) + rise) * 0x1p-18;
  return set_ends(v, rounded(before.low - rounding, -1), rounded(before.high + rise + rounding, 1));
}

/* Returns whether the field's values are computable, and if so stores their range. Each step is
 * checked, as a curve or a scale of 0 would hide infinite values. */
static int range_of_values(const perlane_noise *noise, int dims, struct ends *range) {
  const perlane_params *params = &noise->params;
  const float falloff = (float)params->falloff, scale = noise->value_scale;
  const struct interval sum = scaled_sum(noise, dims);
  if (!are_computable(sum.low, sum.high))
    return 0;
  struct ends v = {rounded(sum.low, -1), rounded(sum.high, 1)};
  if (!set_ends(&v, falloff > 0 ? v.low - falloff : v.low, falloff < 0 ? v.high - falloff : v.high))
    return 0;
  if (noise->params.valleys != 0 && !add_valleys(noise, &v))
    return 0;
  if (params->contrast != 1 &&
      !set_ends(&v, contrasted(v.low, params->contrast), contrasted(v.high, params->contrast)))
    return 0;
  if (params->curve.count > 0)
    perlane_curve_range(&noise->pieces, &v.low, &v.high);
  if (params->terraces > 0 && !set_ends(&v, terrace_border(v.low, params->terraces, -1),
                                        terrace_border(v.high, params->terraces, 1)))
    return 0;
  if (scale != 1 &&
      !set_ends(&v, (scale < 0 ? v.high : v.low) * scale, (scale < 0 ? v.low : v.high) * scale))
    return 0;
  if (noise->value_offset != 0 &&
      !set_ends(&v, v.low + noise->value_offset, v.high + noise->value_offset))
    return 0;
  *range = v;
  return 1;
}

PERLANE_NOINLINE int perlane_field_range(const perlane_noise *noise, int dims, float *low,
                                         float *high) {
  struct ends range = {-FLT_MAX, FLT_MAX};
  const int fits = range_of_values(noise, dims, &range);
  *low = range.low;
  *high = range.high;
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

/* Derivatives, and the products that they are made of, are computed in float, whose range extreme
 * scales would leave. The limit is generous: no sensible field comes near it. */
static const double LIMIT = 0x1p100;

/* Returns a bound of how much a warp stretches positions, and with them derivatives. Returns
 * DBL_MAX if the displacements' own derivatives could pass the limit: warp_amplitude multiplies
 * them only after they have been computed. */
static double stretch_of_warp(const perlane_noise *noise, int dims) {
  const perlane_params *params = &noise->params;
  double steepness = 0, stretch = 1;
  for (int k = 0; k < params->warp_octaves; k++) {
    const double frequency = noise->warp_octave[k].frequency;
    if (!(frequency <= LIMIT))
      return DBL_MAX;
    steepness += perlane_magnitude((double)noise->warp_octave[k].amplitude[dims - 1]) * frequency *
                 4; /* the default gradients are short */
  }
  for (int round = 0; round < params->warp_rounds; round++) {
    const double slope = dims * steepness * stretch;
    if (!(slope <= LIMIT))
      return DBL_MAX;
    stretch = 1 + params->warp_amplitude * slope;
  }
  return stretch;
}

/* Returns a bound of the derivatives of land: on hillsides of a slope of up to 2 S, and where
 * wedges fade by f, which land of up to 1.75 S above the lowest height of the network limits. */
static double steepness_of_land(const perlane_noise *noise, int dims) {
  struct perlane_valleys valleys;
  perlane_field_valleys(noise, noise->valley_octaves, &valleys);
  const double S = (double)valleys.slope, bound = magnitude_of(range_of_octaves(noise, dims)) +
                                                  perlane_magnitude(noise->params.falloff);
  const double f = perlane_root((1.75 * S + 2 * bound) / (S * 0x1p-9));
  const double fading = f * (1 + f) * (1 + f);
  return f <= 0x1p60 && fading <= LIMIT ? 2 * S * (4 + 5 * fading) * valleys.frequency : DBL_MAX;
}

/* Returns a bound of the derivatives of the octaves' sum, lowered and warped; DBL_MAX if they, or
 * what they are made of, could pass the limit. */
static double steepness_of_sum(const perlane_noise *noise, int dims) {
  const perlane_params *params = &noise->params;
  const double vectors = 0x1p24; /* a caller's gradients may be long */
  double total = 0;
  for (int k = 0; k < noise->octaves; k++) {
    const struct perlane_octave *octave = &noise->octave[k];
    const double steepness =
        perlane_magnitude((double)octave->amplitude[dims - 1]) * octave->frequency;
    if (!(octave->frequency <= LIMIT / vectors) || !(steepness <= LIMIT / vectors))
      return DBL_MAX;
    total += steepness * vectors *
             (noise->shaped
                  ? 1 + perlane_magnitude((double)octave->strength) * PERLANE_MAX_PING_PONG_STRENGTH
                  : 1);
  }
  const double ratio = params->falloff_start / params->falloff_end;
  if (params->valleys != 0)
    total = steepness_of_land(noise, dims);
  else if (params->falloff != 0)
    total += perlane_magnitude(params->falloff) * 24 / (1 - ratio * ratio) / params->falloff_end;
  if (params->warp_amplitude == 0)
    return total;
  const double stretch = dims * stretch_of_warp(noise, dims);
  const double reach_end = 0x1.ffffffp127; /* of numbers that are finite as floats */
  return stretch <= LIMIT && params->warp_amplitude < reach_end ? total * stretch : DBL_MAX;
}

PERLANE_NOINLINE int perlane_field_is_sloped(const perlane_noise *noise, int dims) {
  return steepness_of_sum(noise, dims) <= LIMIT;
}

PERLANE_NOINLINE perlane_status perlane_field_gradient_status(const perlane_noise *noise,
                                                              int dims) {
  const perlane_params *params = &noise->params;
  if (params->valleys != 0 ? params->valley_output == PERLANE_VALLEY_OUTPUT_RIVER
                           : params->fractal == PERLANE_FRACTAL_ERODED)
    return PERLANE_ERROR_NO_GRADIENT;
  double factor = params->contrast;
  if (factor > 1) {
    const struct interval sum = range_of_octaves(noise, dims);
    struct perlane_valleys valleys = {0};
    if (params->valleys != 0)
      perlane_field_valleys(noise, 0, &valleys);
    const double bound =
        magnitude_of(sum) + perlane_magnitude(params->falloff) + 1.75 * (double)valleys.slope;
    for (int i = 1; i < params->contrast; i++)
      factor *= larger(bound, 1);
  }
  double steepest = params->curve.count > 0 ? steepest_piece(&noise->pieces) : 1;
  if (params->terraces > 0)
    steepest *= 1 / (1 - params->terrace_sharpness);
  const double total = steepness_of_sum(noise, dims);
  return factor <= LIMIT && total <= LIMIT &&
                 total * larger(factor, 1) * steepest *
                         larger(perlane_magnitude(params->value_scale), 1) <=
                     LIMIT
             ? PERLANE_OK
             : PERLANE_ERROR_STEEP;
}
