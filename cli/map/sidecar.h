/* SPDX-License-Identifier: MIT
 *
 * The file beside a map whose format has no room to say what it is: FILE.json.
 */
#ifndef PERLANE_CLI_SIDECAR_H
#define PERLANE_CLI_SIDECAR_H

#include <stdio.h>

#include "formats/format.h"

struct cli_levels {
  float low, high; /* the values that 0 and the largest integer stand for; of floats, the bounds */
};

char *cli_sidecar_name(const char *file); /* to be freed; NULL without memory */

/* Returns NULL, or what is wrong. */
const char *cli_sidecar_write(FILE *stream, const char *file, const struct cli_map *map,
                              const struct cli_levels *levels);

#endif
