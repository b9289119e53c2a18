/* SPDX-License-Identifier: MIT
 *
 * What each octave adds to a 1D field, and the metadata of its plot.
 */
#include "commands/curve.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/plot.h"

enum { LEAST_WIDTH = 240, LEAST_HEIGHT = 160, MOST_PIXELS = 32767 /* cairo's limit */ };

const char *cli_curve_problem(const struct cli_curve *curve) {
#ifndef PERLANE_CAIRO
  (void)curve;
  return "this build has no cairo, which draws it; install libcairo2-dev and pkg-config, then "
         "build again";
#else
  if (curve->width < LEAST_WIDTH || curve->height < LEAST_HEIGHT || curve->width > MOST_PIXELS ||
      curve->height > MOST_PIXELS || curve->samples < 2)
    return "a plot's size is at least 240x160 and at most 32767x32767";
  if (!(fabs((double)curve->high - (double)curve->low) > 0))
    return "the ends of the axis of values are equal";
  return NULL;
#endif
}

#ifdef PERLANE_CAIRO

/* ---- Octaves ---- */

static const char *fill(const perlane_params *params, const struct cli_curve *curve, float *out,
                        double *largest) {
  perlane_noise noise;
  perlane_grid grid = perlane_grid_make(curve->samples, 0, 0, 0);
  grid.origin[0] = curve->origin;
  grid.step[0] = curve->step;
  grid.first[0] = curve->first;
  float low, high;
  perlane_status status = perlane_init(&noise, params);
  if (status == PERLANE_OK)
    status = perlane_range(&noise, 1, &low, &high);
  if (status == PERLANE_OK)
    status = perlane_fill(&noise, &grid, out);
  if (status != PERLANE_OK)
    return perlane_status_string(status);
  *largest = fmax(fabs((double)low), fabs((double)high));
  return NULL;
}

/* Sums of more and more octaves, whose differences are what each adds: that holds with every hash,
 * and where an octave's weight comes from the one before. A normalized sum is divided by its
 * amplitudes' total. Contrast, which is no matter of octaves, is left out. */
static const char *fill_octaves(struct cli_plot *plot, float *octave) {
  const size_t samples = plot->curve->samples;
  const int normalized = plot->params->normalize != PERLANE_NORMALIZE_NONE;
  double amplitude[PERLANE_MAX_OCTAVES] = {0}, total[PERLANE_MAX_OCTAVES] = {0};
  perlane_params params = *plot->params;
  params.contrast = 1;
  params.value_scale = 1;
  params.value_offset = 0;
  for (int k = 0; k < plot->octaves; k++) {
    amplitude[k] = k == 0 ? params.amplitude : amplitude[k - 1] * params.gain;
    total[k] = (k == 0 ? 0 : total[k - 1]) + fabs(amplitude[k]);
  }
  const double all = normalized ? total[plot->octaves - 1] : 1;
  double largest = 0, largest_of_one = 0;
  for (int k = 0; k < plot->octaves; k++) {
    float *sum = &octave[(size_t)k * samples];
    params.octaves = k + 1;
    const char *problem = fill(&params, plot->curve, sum, &largest);
    if (problem)
      return problem;
    if (k == 0)
      largest_of_one = normalized ? largest : largest / fabs(amplitude[0]);
    plot->bound[k] = largest_of_one * fabs(amplitude[k]) / all * fabs(plot->params->value_scale);
    for (size_t i = 0; i < samples; i++)
      sum[i] *= (float)(plot->params->value_scale * (normalized ? total[k] / all : 1));
  }
  for (size_t k = (size_t)plot->octaves - 1; k > 0; k--)
    for (size_t i = 0; i < samples; i++)
      octave[k * samples + i] -= octave[(k - 1) * samples + i];
  return NULL;
}

static int octaves_of(const perlane_params *params) {
  return params->fractal == PERLANE_FRACTAL_NONE ? 1 : params->octaves;
}

/* The plot's samples, the value's and then each octave's. To be freed, also after a problem. */
static float *make_plot(struct cli_plot *plot, const perlane_params *params,
                        const struct cli_curve *curve, const char **problem) {
  *plot = (struct cli_plot){.curve = curve, .params = params, .octaves = octaves_of(params)};
  float *value = calloc((size_t)plot->octaves + 1, curve->samples * sizeof *value);
  if (!value) {
    *problem = strerror(ENOMEM);
    return NULL;
  }
  double largest;
  plot->value = value;
  plot->octave = value + curve->samples;
  *problem = fill(params, curve, value, &largest);
  if (!*problem)
    *problem = fill_octaves(plot, value + curve->samples);
  return value;
}

/* ---- Metadata ---- */

/* The character that UTF-8 text begins with, and its length; where there is none, U+FFFD for one
 * byte. */
static unsigned long decode(const unsigned char *text, int *length) {
  static const unsigned long LEAST[] = {0, 0, 0x80, 0x800, 0x10000};
  const int count = text[0] < 0x80   ? 1
                    : text[0] < 0xC0 ? 0
                    : text[0] < 0xE0 ? 2
                    : text[0] < 0xF0 ? 3
                    : text[0] < 0xF8 ? 4
                                     : 0;
  unsigned long character = text[0] & (count < 2 ? 0x7FU : 0x7FU >> count);
  *length = 1;
  for (int i = 1; i < count; i++) {
    if ((text[i] & 0xC0) != 0x80)
      return 0xFFFD;
    character = character << 6 | (text[i] & 0x3FU);
  }
  if (count == 0 || character < LEAST[count] || character > 0x10FFFF ||
      (character >= 0xD800 && character < 0xE000))
    return 0xFFFD;
  *length = count;
  return character;
}

/* A comment ends at "--", and is to be text: JSON's escapes keep out of the way all that is not. */
static void write_comment(FILE *stream, const char *metadata) {
  const unsigned char *text = (const unsigned char *)metadata;
  int length;
  fputs("<!-- perlane ", stream);
  for (char last = ' '; *text; text += length) {
    const unsigned long character = decode(text, &length);
    const int plain = character >= ' ' && character < 0x7F && !(character == '-' && last == '-');
    if (plain)
      fputc((int)character, stream);
    else if (character == '\n' || character == '\t')
      fputc(' ', stream); /* such stand between JSON's words only */
    else if (character < 0x10000)
      fprintf(stream, "\\u%04lx", character);
    else
      fprintf(stream, "\\u%04lx\\u%04lx", 0xD800 + ((character - 0x10000) >> 10),
              0xDC00 + ((character - 0x10000) & 0x3FF));
    last = plain ? (char)character : ' ';
  }
  fputs(" -->\n", stream);
}

/* ---- Pictures ---- */

const char *cli_curve_svg(FILE *stream, const perlane_params *params, const struct cli_curve *curve,
                          const char *metadata) {
  struct cli_plot plot;
  const char *problem;
  float *samples = make_plot(&plot, params, curve, &problem);
  if (!problem)
    problem = cli_plot_svg(&plot, stream);
  free(samples);
  if (!problem && metadata) {
    write_comment(stream, metadata);
    if (ferror(stream))
      problem = strerror(errno);
  }
  return problem;
}

const char *cli_curve_pixels(const perlane_params *params, const struct cli_curve *curve,
                             unsigned char *rgb) {
  struct cli_plot plot;
  const char *problem;
  float *samples = make_plot(&plot, params, curve, &problem);
  if (!problem)
    problem = cli_plot_pixels(&plot, rgb);
  free(samples);
  return problem;
}

#else /* never called, after cli_curve_problem */

const char *cli_curve_svg(FILE *stream, const perlane_params *params, const struct cli_curve *curve,
                          const char *metadata) {
  (void)stream;
  (void)params;
  (void)metadata;
  return cli_curve_problem(curve);
}

const char *cli_curve_pixels(const perlane_params *params, const struct cli_curve *curve,
                             unsigned char *rgb) {
  (void)params;
  (void)rgb;
  return cli_curve_problem(curve);
}

#endif
