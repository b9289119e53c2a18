/* SPDX-License-Identifier: MIT
 *
 * A plot of a 1D field and of what each octave adds to it, as SVG or as pixels.
 */
#ifndef PERLANE_CLI_CURVE_H
#define PERLANE_CLI_CURVE_H

#include <stdint.h>
#include <stdio.h>

#include "perlane.h"

/* Sample i lies at origin + (first + i) * step; the samples spread over the width of the axes. */
struct cli_curve {
  uint32_t width, height; /* of the picture, in pixels */
  size_t samples;         /* at least 2 */
  double origin, step;
  int64_t first;
  float low, high; /* ends of the axis of values; what lies beyond is cut off */
};

/* Why this build cannot plot, or these sizes and ends cannot be plotted; NULL if they can. To be
 * asked before the others, which take it for granted. */
const char *cli_curve_problem(const struct cli_curve *curve);

/* Writes an SVG, with the metadata, a JSON text, in a comment at its end; NULL for none. Each
 * returns NULL, or what is wrong. */
const char *cli_curve_svg(FILE *stream, const perlane_params *params, const struct cli_curve *curve,
                          const char *metadata);

/* The same picture as width * height pixels of 3 bytes: red, green, blue in sRGB. */
const char *cli_curve_pixels(const perlane_params *params, const struct cli_curve *curve,
                             unsigned char *rgb);

#endif
