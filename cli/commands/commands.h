/* SPDX-License-Identifier: MIT
 *
 * The subcommands. Each gets the arguments from its own name on and returns the exit status:
 * 0, 1 for a failure, 2 for invalid arguments; CLI_HELPED after printing its help.
 */
#ifndef PERLANE_CLI_COMMANDS_H
#define PERLANE_CLI_COMMANDS_H

#include "map/plan.h"

int cli_fill(char **argv);
int cli_verify(char **argv);
int cli_points(char **argv);
int cli_scatter(char **argv);
int cli_info(char **argv);
int cli_looks(char **argv);

/* ---- The steps of `perlane fill`, from the command line to the files ---- */

/* Returns a file's name, to which the suffix of a format is added if the name has none. NULL for no
 * format. */
const char *cli_fill_file(char name[CLI_NAME], const char *file, const struct cli_format *usual);

/* Returns the options in a text that a map carries, without comments and ends of lines before and
 * after them; the text is changed. */
char *cli_fill_options(char *text);

/* Chooses the format, and the size and depth that were not given. What was given and cannot be is
 * refused; what saved options have gives way to the format. */
cli_step cli_fill_complete;

/* Refuses options of the command line that do not go together. */
cli_step cli_fill_rules;

/* Checks that the output and the files beside it can be written, before anything is computed. */
cli_step cli_fill_check;

/* Writes the map, or its tiles, and the files beside them; or prints the options. */
cli_step cli_fill_write;

#endif
