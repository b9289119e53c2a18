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

/* The tiles of a map: 1 by 1 for a single file. */
struct cli_tiles {
  int64_t count[2], overlap;
};

/* Returns engine number index, NULL if there is none. */
const struct cli_engine *cli_engine_at(int index);

/* Returns 1 if the engine makes one terrain of tiles that it places side by side. */
int cli_engine_joins(const struct cli_engine *engine, const struct cli_tiles *tiles);

/* Sets the size of a tile, if --size is not given. */
void cli_engine_usual_size(const struct cli_engine *engine, const struct cli_tiles *tiles,
                           int64_t size[2]);

/* Returns 1 if the engine imports tiles of a size without resampling. */
int cli_engine_takes_size(const struct cli_engine *engine, const struct cli_tiles *tiles,
                          const int64_t size[2]);

#endif
