/* SPDX-License-Identifier: MIT
 *
 * The options of the map that `perlane fill` makes: which file, how large, where it lies in the
 * field, and what its samples are.
 */
#ifndef PERLANE_CLI_MAP_H
#define PERLANE_CLI_MAP_H

#include <stdint.h>

#include "formats/format.h"
#include "map/engine.h"
#include "options/options.h"
#include "perlane.h"

struct cli_size {
  int dims; /* 0 if it is not given, 1 for a square, or a cube, that is not yet one */
  uint64_t count[PERLANE_MAX_DIMS];
};

struct cli_origin {
  int dims; /* 0 for the origin of all axes */
  double at[PERLANE_MAX_DIMS];
};

struct cli_first {
  int dims; /* likewise */
  int64_t at[PERLANE_MAX_DIMS];
};

struct cli_step {
  int dims; /* 0 if it is not given, 1 for the same along all axes */
  double by[PERLANE_MAX_DIMS];
};

struct cli_range {
  float low, high;
  int automatic; /* the field's own, which are not known yet */
};

struct cli_map_options {
  const char *file;
  const struct cli_format *format; /* NULL for that of the file's suffix */
  struct cli_size size;
  int axes;
  int bits; /* 0 for what is usual in the format */
  struct cli_origin origin;
  struct cli_first first;
  struct cli_step step;
  struct cli_range range;
  const struct cli_engine *engine;
  const char *compression;
  int bigtiff;
};

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
  CLI_MAP_COMPRESSION,
  CLI_MAP_BIGTIFF
};

struct cli_map_options cli_map_default(void);
struct cli_group cli_map_group(struct cli_map_options *map);

/* Units of position from one sample to the next along an axis. */
double cli_map_step(const struct cli_map_options *map, int axis);

#endif
