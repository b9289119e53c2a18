/* SPDX-License-Identifier: MIT
 *
 * The lines of a text, of any length, and the numbers on them.
 */
#ifndef PERLANE_CLI_LINES_H
#define PERLANE_CLI_LINES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct cli_lines {
  FILE *stream;
  uint64_t number;     /* of the line, from 1 */
  char *text;          /* the line, without the LF or CR LF that ended it */
  const char *problem; /* why there is no further line, NULL at the end of the text */
  char *buffer;
  size_t capacity;
};

struct cli_lines cli_lines_of(FILE *stream);
int cli_lines_next(struct cli_lines *lines); /* 1, or 0 if there is no further line */
void cli_lines_free(struct cli_lines *lines);

const char *cli_skip_blanks(const char *text);

/* Reads the numbers of a line, between which there are blanks or a comma, and keeps the first
 * `most`. Returns how many there are, at least 1, or -1 with *wrong at the text that is none. */
int cli_scan_numbers(const char *line, int most, double *number, const char **wrong);

/* How many characters of a text that is no number a message should show. */
int cli_shown_length(const char *wrong);

#endif
