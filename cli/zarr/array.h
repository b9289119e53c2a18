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
  int compression;                  /* CLI_DEFLATE, CLI_NONE or CLI_ZSTD */
  int level;
};

/* Makes the array of a stream's map; `sides` are those of chunks along x first, one for all axes,
 * or none for what is usual. Returns NULL, or what is wrong with them. */
const char *cli_array_make(struct cli_array *array, const char *folder, struct cli_stream *stream,
                           const struct cli_numbers *sides, const struct cli_part *part);

/* Bytes of a whole chunk, and samples of one that are in the array. */
size_t cli_array_chunk_bytes(const struct cli_array *array);
uint64_t cli_array_chunk_samples(const struct cli_array *array, uint64_t chunk);

/* Returns the samples of a chunk that are in the array, with the strides of the whole chunk. */
perlane_grid cli_array_grid(const struct cli_array *array, uint64_t chunk);

/* The name of a chunk's file in the folder: its numbers along all axes, x last. */
enum { CLI_CHUNK_NAME = 4 * 21 + 1 };
void cli_array_chunk_name(const struct cli_array *array, uint64_t chunk, char name[CLI_CHUNK_NAME]);

/* ---- Descriptions ---- */

enum { CLI_ZARRAY, CLI_ZATTRS, CLI_DESCRIPTIONS };
extern const char *const CLI_DESCRIPTION[CLI_DESCRIPTIONS]; /* names after the folder's */

/* Returns the text of a description, to be freed; NULL without memory. */
char *cli_array_describe(const struct cli_array *array, int which);

/* Reads a description that is JSON. Returns its text, to be freed, or NULL with *problem set. */
char *cli_array_read(const char *folder, int which, const char **problem);

/* Reads the chunks and the compression that a .zarray describes. Returns 1, or 0 if perlane writes
 * no such arrays. */
int cli_array_parse(const char *zarray, struct cli_numbers *sides, int *compression, int *level);

#endif
