/* SPDX-License-Identifier: MIT
 *
 * The options that maps carry, as a line of text:
 *
 *   PNG    a text chunk with the keyword perlane
 *   TIFF   the tag ImageDescription
 *   PGM    a comment in the header, "# perlane=..."
 *   Zarr   the attribute perlane in .zattrs
 *   others a file of the same name with .txt after it
 */
#ifndef PERLANE_CLI_CARRIED_H
#define PERLANE_CLI_CARRIED_H

#include <stddef.h>
#include <stdio.h>

#include "formats/format.h"

/* Suffixes of the files beside a map, after its whole name: its options, and for Unreal its shape.
 */
#define CLI_SIDECAR ".txt"
#define CLI_SHAPE ".json"

/* Bytes of a text of options: in a file of its own, and in a map; and of a file of JSON in which it
 * is escaped. */
enum { CLI_MAX_PARAMS = 64 << 20, CLI_MAX_CARRIED = 4 << 20, CLI_MAX_DESCRIPTION = 8 << 20 };

/* Returns the text that a map carries, to be freed; or NULL, and *problem is what is wrong, in a
 * text that stays until the next call. */
char *cli_carried_read(const char *map, const char **problem);

/* Opens a file for reading, if it is a regular one: reading of others may wait for ever, or not
 * end. Returns NULL with *problem set, and errno ENOENT if there is no such file. A name of NULL is
 * one that there was no memory for. */
FILE *cli_open_regular(const char *file, const char **problem);

/* Reads a text to its end, if it has less than `limit` bytes and no zero byte. Returns it, to be
 * freed; or NULL with *problem set. */
char *cli_read_bounded(FILE *stream, size_t limit, const char **problem);

/* Returns the name of the file beside a map, with a suffix such as ".txt", to be freed; NULL
 * without memory. */
char *cli_beside(const char *map, const char *suffix);

/* Writes the map's options and, as a comment, the layout of its samples; low and high are the
 * values that 0 and the largest integer stand for. Returns NULL, or what is wrong. */
const char *cli_sidecar_write(FILE *stream, const struct cli_map *map, float low, float high);

/* Writes the shape of raw samples in JSON. Returns NULL, or what is wrong. */
const char *cli_shape_write(FILE *stream, const struct cli_map *map);

#endif
