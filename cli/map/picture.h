/* SPDX-License-Identifier: MIT
 *
 * The options of pictures beyond the grey map: palettes, shading by the gradient, and normal maps.
 */
#ifndef PERLANE_CLI_PICTURE_H
#define PERLANE_CLI_PICTURE_H

#include "perlane_picture.h"
#include "options/options.h"

enum { CLI_NORMALS_DOWN = 2 };

struct cli_picture {
  int palette; /* an index */
  int shade;
  struct cli_numbers light; /* azimuth and altitude, in degrees */
  /* The height of a value difference of 1, in pixels; none for one that suits the field. */
  struct cli_numbers relief;
  int normal_map; /* 1, or CLI_NORMALS_DOWN: green grows down the picture instead of up */
};

extern const struct cli_picture CLI_NO_PICTURE; /* the defaults */

/* Sets the defaults, and adds the picture's options to a command line. */
void cli_add_picture_options(struct cli_command_line *line, struct cli_picture *picture,
                             int is_foreign);

/* Makes a normal map and colours give way to the other, if that is from a later source. Returns 1
 * if one of the picture's options is on the command line. */
int cli_picture_choose(const struct cli_command_line *line, struct cli_picture *picture);

/* Returns 1 if pixels are RGB; 0 if the picture is the grey map. */
int cli_picture_wanted(const struct cli_picture *picture);

/* Returns a description for the library, less its bits, low and high. */
perlane_picture cli_picture_describe(const struct cli_picture *picture);

/* Makes the plan for the pixels of a grid. Returns 0, or the exit status. */
int cli_picture_prepare(perlane_picture_plan *plan, const perlane_picture *picture,
                        const perlane_noise *noise, const perlane_grid *grid);

#endif
