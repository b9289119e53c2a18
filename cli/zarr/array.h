/* SPDX-License-Identifier: MIT
 *
 * A map as an array in Zarr's format 2: a folder with a file for each chunk, and the files .zarray
 * and .zattrs that describe it. Chunks at the array's far edges are whole, with zeros beyond the
 * edge.
 */
#ifndef PERLANE_CLI_ARRAY_H
#define PERLANE_CLI_ARRAY_H

#include "map/map.h"
#include "map/stream.h"

struct cli_array {
  const char *folder;
  struct cli_stream *stream;        /* computes the samples */
  uint64_t side[PERLANE_MAX_DIMS];  /* a chunk's samples along x, y, z, w */
  uint64_t count[PERLANE_MAX_DIMS]; /* chunks along them; 1 beyond the array's dimensions */
  uint64_t first, chunks;           /* the part's first chunk in C order, and their number */
  int level;                        /* of the map's compression */
  int resumes;                      /* whether chunks that exist stay */
  int force, quiet;                 /* no check of the free space, no notes */
  uint64_t found, written,
      written_samples; /* by a fill: chunks that were there, and that were not */
};

/* Makes the array of a stream's map; `sides` are those of chunks along x first, one for all axes,
 * or none for what is usual. Returns NULL, or what is wrong with them. */
const char *cli_array_make(struct cli_array *array, const char *folder, struct cli_stream *stream,
                           const struct cli_numbers *sides, const struct cli_part *part);

/* Bytes of a whole chunk. */
size_t cli_array_chunk_bytes(const struct cli_array *array);

/* Returns the samples of a chunk that are in the array, with the strides of the whole chunk. */
perlane_grid cli_array_grid(const struct cli_array *array, uint64_t chunk);

/* The name of a chunk's file in the folder: its numbers along all axes, x last. */
enum { CLI_CHUNK_NAME = 4 * 21 + 1 };
void cli_array_chunk_name(const struct cli_array *array, uint64_t chunk, char name[CLI_CHUNK_NAME]);

/* ---- Descriptions ---- */

enum { CLI_ZARRAY, CLI_ZATTRS };
extern const char *const CLI_DESCRIPTION[2]; /* names after the folder's */

/* Returns the text of a description, to be freed; NULL without memory. */
char *cli_array_describe(const struct cli_array *array, int which);

/* Takes chunks and compression from the .zarray of a folder. Returns 0, or the exit status. */
int cli_array_read_layout(const char *folder, struct cli_numbers *sides, int *compression);

/* Refuses an array that a description in its folder does not describe. Returns 0, or the exit
 * status after a message with both. */
int cli_array_check(struct cli_array *array, int which);

#endif
