/* SPDX-License-Identifier: MIT
 *
 * Options as text: NAME=VALUE with white space between them, tables as lists in brackets, # for a
 * comment up to the end of the line. It may begin with perlane=VERSION, and then with preset=NAME.
 */
#ifndef PERLANE_CLI_TEXT_H
#define PERLANE_CLI_TEXT_H

#include "options/options.h"

/* A text in memory, and where it is from. */
struct cli_text {
  const char *text;
  const char *file; /* NULL for the command line */
};

/* Sets the options that a text lists. Those of other commands have no effect. Returns 0, or the
 * exit status after a message. */
int cli_text_apply(const struct cli_command_line *line, const struct cli_text *text);

/* Prints the options of a command line as text, with `between` between them: those whose values are
 * not the default, and with a map its size, depth and range. If not `whole`, a gradient grid that
 * is too large for a map to carry is left out. Returns a text to be freed, or NULL without memory.
 */
char *cli_text_print(const struct cli_command_line *line, const char *between, int whole);

#endif
