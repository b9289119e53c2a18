/* SPDX-License-Identifier: MIT
 *
 * The drawing of a curve, with cairo.
 */
#ifndef PERLANE_CLI_PLOT_H
#define PERLANE_CLI_PLOT_H

#include "commands/curve.h"

struct cli_plot {
  const struct cli_curve *curve;
  const perlane_params *params;
  const float *value;                /* curve->samples */
  const float *octave;               /* octave[k * curve->samples + i]: what octave k adds */
  int octaves;                       /* 1 is not drawn apart from the value */
  double bound[PERLANE_MAX_OCTAVES]; /* the most that octave k adds or takes away */
};

/* Each returns NULL, or what is wrong. */
const char *cli_plot_svg(const struct cli_plot *plot, FILE *stream);
const char *cli_plot_pixels(const struct cli_plot *plot, unsigned char *rgb);

#endif
