/* SPDX-License-Identifier: MIT
 *
 * The subcommands. Each gets the arguments from its own name on and returns the exit status:
 * 0, 1 for a failure, 2 for invalid arguments; CLI_HELPED after printing its help.
 */
#ifndef PERLANE_CLI_COMMANDS_H
#define PERLANE_CLI_COMMANDS_H

#include "options/options.h"

int cli_fill(char **argv);
int cli_verify(char **argv);
int cli_points(char **argv);
int cli_info(char **argv);
int cli_looks(char **argv);
int cli_bench(char **argv);

#endif
