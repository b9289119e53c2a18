/* SPDX-License-Identifier: MIT
 *
 * The files beside a map whose format has no room for a description.
 */
#ifndef PERLANE_CLI_SIDECAR_H
#define PERLANE_CLI_SIDECAR_H

#include <stdio.h>

#include "formats/format.h"

/* Their suffixes, after the map's whole name. */
#define CLI_SIDECAR ".txt"
#define CLI_SHAPE ".json"

/* Writes the map's options and, as a comment, the layout of its samples; low and high are the
 * values that 0 and the largest integer stand for. Returns NULL, or what is wrong. */
const char *cli_sidecar_write(FILE *stream, const struct cli_map *map, float low, float high);

/* Writes what Unreal reads beside a raw heightmap. */
const char *cli_shape_write(FILE *stream, const struct cli_map *map);

#endif
