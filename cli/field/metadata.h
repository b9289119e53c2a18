/* SPDX-License-Identifier: MIT
 *
 * Where files that perlane made carry their params.
 *
 *   PNG    a text chunk with the keyword perlane
 *   TIFF   the tag ImageDescription
 *   PGM    a comment in the header, "# perlane {...}"
 *   SVG    a comment, "<!-- perlane {...} -->", the last one of the file
 *   all    else, a file of the same name with .json behind it, whose object has a member "params"
 *
 * The kind of a file is told by its first bytes.
 */
#ifndef PERLANE_CLI_METADATA_H
#define PERLANE_CLI_METADATA_H

/* The params text that a file made by perlane carries, malloc'ed; NULL with *problem set, to a text
 * that stays until the next call. */
char *cli_metadata_read(const char *file, const char **problem);

#endif
