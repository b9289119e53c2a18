/* SPDX-License-Identifier: MIT
 *
 * A run of `perlane fill`, from the command line to the files, and its steps.
 */
#ifndef PERLANE_CLI_FILL_H
#define PERLANE_CLI_FILL_H

#include "field/field.h"
#include "formats/format.h"
#include "map/map.h"
#include "map/picture.h"
#include "map/progress.h"
#include "map/stream.h"
#include "options/options.h"
#include "zarr/run.h"

enum { FILL_MAP, FILL_PICTURE, FILL_WORK, FILL_FIELD, FILL_FOREIGN, FILL_GROUPS };

/* Files beside the map. */
enum { FILL_SIDECAR, FILL_SHAPE, FILL_BESIDE };

struct cli_fill {
  struct cli_map_options options;
  struct cli_picture picture;
  struct cli_work {
    struct cli_numbers threads; /* 0 for all processors */
    int force;
    int quiet;
  } work;
  struct cli_field field;
  struct cli_group group[FILL_GROUPS];
  struct cli_command_line line;
  char *name; /* of the file, if it is not the one that the options have */
  struct cli_fill_tiles {
    int64_t count[2], overlap; /* 1 by 1 for a single file */
    struct cli_numbers first;  /* that of tile 0 */
    int64_t tile;              /* the one that the options are those of */
    char *name;                /* its file */
    const char *output;        /* the name without indices */
  } tiles;
  char *interrupted;         /* what a signal prints once the map is complete */
  char *beside[FILL_BESIDE]; /* names, NULL for none */
  const struct cli_format *format;
  const struct cli_engine *engine; /* NULL for none */
  int compression;                 /* CLI_DEFLATE or another */
  struct cli_map map;
  perlane_noise noise;
  struct cli_picture_plan plan; /* used for pictures */
  struct cli_stream stream;
  struct cli_progress progress;
  struct cli_array array; /* for .zarr, and likewise the run over its chunks */
  struct cli_run run;
};

extern const struct cli_kind CLI_THREADS;

/* Sets the defaults of a run, which is to be ended and to stay where it is until then. */
void cli_fill_begin(struct cli_fill *fill, const struct cli_command *command);
void cli_fill_end(struct cli_fill *fill);

/* The steps, in this order. Each returns 0, or the exit status after a message. */
int cli_fill_complete(struct cli_fill *fill); /* chooses what was not given */
int cli_fill_plan(struct cli_fill *fill); /* makes the field, and checks all there is to check */
int cli_fill_write(struct cli_fill *fill);

/* ---- Tiles ---- */

/* Sets the tiles of a map whose format is known. Returns 0, or the exit status after a message. */
int cli_fill_choose_tiles(struct cli_fill *fill);

/* Returns the number of tiles; the samples of them all; the samples of the whole map along x or y.
 */
int64_t cli_fill_tile_count(const struct cli_fill *fill);
uint64_t cli_fill_samples(const struct cli_fill *fill);
uint64_t cli_fill_whole(const struct cli_fill *fill, int axis);

/* Returns the name of a tile's file, to be freed; NULL without memory. */
char *cli_fill_tile_name(const struct cli_fill *fill, int64_t tile);

/* Makes the options, the grid and the files' names those of a tile. Returns 0, or the exit status
 * after a message. */
int cli_fill_go_to(struct cli_fill *fill, int64_t tile);

/* ---- Arrays ---- */

/* Writes the chunks of a .zarr array that are missing. Returns 0, or the exit status after a
 * message. */
int cli_fill_store(struct cli_fill *fill);

/* Refuses an array that a description in its folder does not describe. Returns 0, or the exit
 * status after a message with both. */
int cli_fill_check_store(struct cli_fill *fill, int description);

/* Refuses a map that does not fit on the disk of an open file or folder, or notes that it may not.
 * Returns 0, or the exit status after a message. */
int cli_fill_check_space(const struct cli_fill *fill, int file, uint64_t bytes);

/* Returns 1 if option number `option` of the map was on the command line. */
int cli_fill_given(const struct cli_fill *fill, size_t option);

/* Prints one of the map's options: "--size 5x5", with where the size is from if it is not given. */
void cli_fill_print(FILE *stream, const struct cli_fill *fill, size_t option);

#endif
