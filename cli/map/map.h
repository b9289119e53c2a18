/* SPDX-License-Identifier: MIT
 *
 * The options of the map that `perlane fill` makes: which file, how large, its position in the
 * field, and what its samples are.
 */
#ifndef PERLANE_CLI_MAP_H
#define PERLANE_CLI_MAP_H

#include <stdint.h>

#include "formats/format.h"
#include "options/options.h"

/* A mask that is written instead of a map (docs/engines.md). */
enum cli_mask_kind { CLI_NO_MASK, CLI_HEIGHT_MASK, CLI_SLOPE_MASK, CLI_RIVER_MASK, CLI_MASK_KINDS };
struct cli_mask {
  enum cli_mask_kind kind;
  double low, high; /* not of rivers */
};

struct cli_map_options {
  const char *file;
  int format; /* an index; -1 for that of the file's suffix */
  struct cli_numbers size;
  struct cli_numbers scale; /* samples in place of each one along each axis */
  int axes;                 /* of a size that is one number */
  int seamless;
  int bits; /* 0 for what is usual in the format */
  struct cli_numbers origin, first;
  struct cli_numbers step;    /* one for all axes, or one for each */
  struct cli_numbers range;   /* low and high; none for the field's, other for the map's: not known
                                 yet */
  struct cli_numbers heights; /* what the range becomes; none for the field's values, other for the
                                 look's in nature */
  struct cli_numbers spacing; /* metres from one sample to the next; none for the look's, or 1 */
  /* A look's size in nature: metres from one sample to the next, and of a value difference of 1,
   * which is 0 for none. */
  double natural_spacing, natural_height;
  struct cli_crs crs;
  int unit; /* CLI_METRES, or 0 for none that is known */
  struct cli_mask mask;
  int engine;                 /* an index; -1 for none */
  struct cli_numbers tiles;   /* along x, y and z; none for a single file */
  struct cli_numbers overlap; /* samples that neighbouring tiles share; none for what is usual */
  struct cli_numbers part;    /* K and N, for the K-th of N parts of the tiles */
};

enum { CLI_METRES = 1 };
extern const struct cli_kind CLI_PART, CLI_TILES, CLI_OVERLAP, CLI_FORMAT, CLI_CRS;
extern const struct cli_kind CLI_LOOK;

/* The part that is all. */
#define CLI_WHOLE                                                                                  \
  {                                                                                                \
    .count = 2, .at = { {.whole = 1}, {.whole = 1} }                                               \
  }

/* Sets the first of a part's things, and the first one after them. */
void cli_part_range(const struct cli_numbers *part, uint64_t count, int64_t range[2]);

/* Makes the field, the picture and the range those of a look; values are the map's. Returns 0, or
 * the exit status. */
int cli_apply_look(struct cli_command_line *line, void *values, char *text);

/* Sets the defaults, and adds the map's options to a command line. */
void cli_add_map_options(struct cli_command_line *line, struct cli_map_options *map,
                         int is_foreign);

/* Units of position from one sample to the next along an axis. */
double cli_map_step(const struct cli_map_options *map, int axis);

/* Metres from one sample to the next along an axis, 0 if they are not known. */
double cli_map_spacing(const struct cli_map_options *map, int axis);

/* ---- Engines: what games import as a terrain (docs/engines.md) ---- */

enum { CLI_ENGINE_FORMATS = 3 };

/* A terrain, or each of its tiles, in metres. */
struct cli_terrain {
  int64_t size[2]; /* samples */
  double low, high, spacing;
  int is_floats; /* the file has the heights themselves */
};

struct cli_engine {
  const char *name;
  int64_t usual;        /* samples along each side, if --size is not given */
  const char *sizes;    /* that it imports as they are: */
  const int64_t *quads; /* components of one of these sides, then 0; empty for all sizes */
  int64_t most;         /* of them along an axis; */
  int64_t most_joined;  /* and of tiles that it places side by side in one terrain, 0 if tiles share
                           their border samples */
  const struct cli_format *format[CLI_ENGINE_FORMATS]; /* the best first, then NULL */
  int numbers_tiles; /* the names of tiles are NAME_0_0, not NAME_x0_y0 */
  void (*print_settings)(FILE *stream, const struct cli_terrain *terrain); /* of its import */
};

extern const struct cli_kind CLI_ENGINE; /* an index */

/* The tiles of a map along x and y, or x, y and z: one for a single file. Those beside one another
 * in planes may overlap. */
enum { CLI_TILE_AXES = 3, CLI_MAX_TILES = 256 * 256 };
struct cli_tiles {
  int axes;
  int64_t count[CLI_TILE_AXES], overlap;
};

/* Returns whether a file's name has places for the indices of tiles, {x}, {y} or {z}; its folders
 * are then made. */
int cli_tiles_are_named(const char *file);

/* Refuses such places unless each tile gets a name of its own. Returns 0, or the exit status. */
int cli_tiles_check_names(const char *file, const struct cli_tiles *tiles);

/* Makes the name of a tile of a map, with its column and row in their places, or before the suffix.
 */
void cli_tile_name(char name[CLI_NAME], const char *file, const struct cli_engine *engine,
                   const struct cli_tiles *tiles, int64_t tile);

/* Returns engine number index, NULL if there is none. */
const struct cli_engine *cli_engine_at(int index);

/* Prints a line with what to type in the engine, if there is one, and the level of the sea, if it
 * has one. */
void cli_engine_print(FILE *stream, const struct cli_engine *engine,
                      const struct cli_terrain *terrain, int bits);

/* Returns 1 if there is an engine, and heights to type there. */
int cli_map_has_settings(const struct cli_map_options *map);

/* Returns the samples of all tiles along an axis. */
int64_t cli_tiles_whole(const struct cli_tiles *tiles, int64_t size, int axis);

/* Returns the number of tiles; and how many samples a tile begins after tile 0, along each axis. */
int64_t cli_tiles_count(const struct cli_tiles *tiles);
void cli_tile_begin(int64_t begin[CLI_TILE_AXES], const struct cli_tiles *tiles,
                    const struct cli_numbers *size, int64_t tile);

/* Returns the tiles of a map. */
struct cli_tiles cli_map_tiles(const struct cli_map_options *map);

/* Sets the size of a map or a tile, if --size is not given. NULL for no engine. */
void cli_engine_usual_size(const struct cli_engine *engine, const struct cli_tiles *tiles,
                           int64_t size[2]);

/* Returns 1 if the engine imports tiles of a size without resampling. */
int cli_engine_takes_size(const struct cli_engine *engine, const struct cli_tiles *tiles,
                          const int64_t size[2]);

#endif
