/* SPDX-License-Identifier: MIT
 *
 * Reads a text line by line, with lines of any length, and the numbers on a line.
 */
#ifndef PERLANE_CLI_LINES_H
#define PERLANE_CLI_LINES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Begins with a stream and zeros; text is to be freed in the end. */
struct cli_lines {
  FILE *stream;
  uint64_t number; /* counts lines from 1 */
  char *text;      /* the line without its final LF or CR LF */
  size_t capacity;
  const char *problem; /* why there is no further line, NULL at the end of the text */
};

int cli_lines_next(struct cli_lines *lines); /* returns 1, or 0 if there is no further line */

const char *cli_skip_blanks(const char *text);

/* Reads the numbers of a line, separated by blanks or a comma, and stores the first `max_count`.
 * Returns how many there are, at least 1, or -1 with *wrong at the text that is not a number. */
int cli_scan_numbers(const char *line, int max_count, double *number, const char **wrong);

/* Returns how many characters of such a text a message should show. */
int cli_shown_length(const char *wrong);

#endif
