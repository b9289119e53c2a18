/* SPDX-License-Identifier: MIT
 *
 * What game engines import as a terrain: docs/engines.md tells how.
 */
#ifndef PERLANE_CLI_ENGINE_H
#define PERLANE_CLI_ENGINE_H

#include "formats/format.h"
#include "options/values.h"

enum { CLI_ENGINE_SIZES = 8, CLI_ENGINE_FORMATS = 3 };

struct cli_engine {
  const char *name;
  int64_t usual;                  /* samples along each side, if --size is not given */
  int64_t size[CLI_ENGINE_SIZES]; /* that it imports as they are, then 0 */
  const struct cli_format *format[CLI_ENGINE_FORMATS]; /* the best first, then NULL */
  int reads_json;  /* the shape of a raw file from FILE.json: width, height, bpp */
  int joins_tiles; /* places tiles side by side in one terrain; others share their border samples */
  const char *before_x, *before_y; /* a tile's indices in its name */
};

extern const struct cli_kind CLI_ENGINE; /* an index */

/* Returns engine number index, NULL if there is none. */
const struct cli_engine *cli_engine_at(int index);

/* Whether it imports a square of that many samples a side. */
int cli_engine_has_size(const struct cli_engine *engine, int64_t size);

/* Return whether so many tiles along x and y, placed side by side, make a terrain without
 * resampling; and the size of tiles that do, if --size is not given. */
int cli_engine_joins(const int64_t tiles[2], const int64_t size[2]);
void cli_engine_joined_size(const struct cli_engine *engine, const int64_t tiles[2],
                            int64_t size[2]);

int cli_engine_has_format(const struct cli_engine *engine, const struct cli_format *format);

#endif
