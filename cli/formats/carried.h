/* SPDX-License-Identifier: MIT
 *
 * The options that maps carry, as a line of text:
 *
 *   PNG    a text chunk with the keyword perlane
 *   TIFF   the tag ImageDescription
 *   EXR    the attribute perlane
 *   others a file of the same name with .txt after it
 */
#ifndef PERLANE_CLI_CARRIED_H
#define PERLANE_CLI_CARRIED_H

#include <stddef.h>
#include <stdio.h>

#include "formats/format.h"
#include "formats/output.h"

/* Suffix of the file of options beside a map, after its whole name. */
#define CLI_SIDECAR ".txt"

/* Returns the text that a map carries, to be freed; or NULL, and *problem is what is wrong, in a
 * text that stays until the next call. is_damaged, which may be NULL, receives 1 if the file is of
 * a format that carries a text, and cannot be read to its end. */
char *cli_carried_read(const char *map, const char **problem, int *is_damaged);

/* What would be lost with a file: nothing if it does not exist, is empty, or no regular file. */
enum cli_content { CLI_NOTHING, CLI_OPTIONS, CLI_DESCRIPTION, CLI_A_MAP, CLI_FOREIGN };
enum cli_content cli_content_of(const char *file);

/* Reads a text to its end, if it has less than `limit` bytes and no zero byte. Returns it, to be
 * freed; or NULL with *problem set. */
char *cli_read_bounded(FILE *stream, size_t limit, const char **problem);

/* Adds a suffix to a file's name. Returns the new name. */
const char *cli_beside(char name[CLI_NAME], const char *map, const char *suffix);

/* Writes the map's options and, as comments, the layout of its samples and its note. */
void cli_sidecar_write(FILE *stream, const struct cli_map *map);

/* Removes a file that cli_sidecar_write has written; others stay. Returns NULL, or what is wrong.
 */
const char *cli_beside_remove(const char *file);

#endif
