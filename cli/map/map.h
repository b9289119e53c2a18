/* SPDX-License-Identifier: MIT
 *
 * The options of the map that `perlane fill` makes: which file, how large, its position in the
 * field, and what its samples are.
 */
#ifndef PERLANE_CLI_MAP_H
#define PERLANE_CLI_MAP_H

#include <stdint.h>

#include "formats/format.h"
#include "map/engine.h"
#include "options/options.h"
#include "perlane.h"

/* A share of a map's chunks: number 1 of 1 is the whole map. */
struct cli_part {
  uint64_t number, of;
};

struct cli_map_options {
  const char *file;
  int format; /* an index; -1 for that of the file's suffix */
  struct cli_numbers size;
  int axes; /* of a size that is one number */
  int bits; /* 0 for what is usual in the format */
  struct cli_numbers origin, first;
  struct cli_numbers step;    /* one for all axes, or one for each */
  struct cli_numbers range;   /* low and high; none for those of the field, not known yet */
  int engine;                 /* an index; -1 for none */
  struct cli_numbers tiles;   /* along x and y; none for a single file */
  struct cli_numbers overlap; /* samples that neighbouring tiles share; none for what is usual */
  int compression;            /* CLI_DEFLATE ...; -1 for what is usual in the format */
  struct cli_numbers chunk;   /* one for all axes, or one for each; none for what is usual */
  struct cli_part part;
  int resume; /* whether chunks that exist stay */
};

extern const struct cli_kind CLI_PART; /* a struct cli_part */

/* Numbers of options in the group. */
enum {
  CLI_MAP_OUTPUT,
  CLI_MAP_FORMAT,
  CLI_MAP_SIZE,
  CLI_MAP_AXES,
  CLI_MAP_BITS,
  CLI_MAP_ORIGIN,
  CLI_MAP_FIRST,
  CLI_MAP_STEP,
  CLI_MAP_RANGE,
  CLI_MAP_ENGINE,
  CLI_MAP_TILES,
  CLI_MAP_OVERLAP,
  CLI_MAP_COMPRESSION,
  CLI_MAP_CHUNK,
  CLI_MAP_PART,
  CLI_MAP_RESUME
};

/* Sets the defaults, and returns the group of options whose values are the map's. */
struct cli_group cli_map_group(struct cli_map_options *map);

/* Makes the size one number for each axis, from a single one, or from the usual width and height if
 * none is given. */
void cli_map_complete_size(struct cli_map_options *map, const int64_t usual[2]);

/* Units of position from one sample to the next along an axis. */
double cli_map_step(const struct cli_map_options *map, int axis);

#endif
