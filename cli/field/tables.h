/* SPDX-License-Identifier: MIT
 *
 * The tables of a field: the hash's, gradients, and a grid of gradients. Texts of options have them
 * as lists: hash_table=[0,1,...], gradient_table=[[1,0],...], gradient_grid=[[[1,0],...],...].
 */
#ifndef PERLANE_CLI_TABLES_H
#define PERLANE_CLI_TABLES_H

#include "options/options.h"

enum { CLI_HASH_TABLE, CLI_GRADIENT_TABLE, CLI_GRADIENT_GRID, CLI_TABLES };

struct cli_tables {
  const char *text[CLI_TABLES]; /* NULL for none */
  int32_t hash[1024];
  float gradient[256 * PERLANE_MAX_DIMS];
  float *grid; /* to be freed */
};

/* Reads the tables of a field, and selects the hash and the gradient set that use them, unless
 * others are given. A hash or a set from a later source drops a table that it does not use. Returns
 * 0, or the exit status. */
int cli_tables_read(const struct cli_command_line *line, struct cli_tables *tables,
                    perlane_params *params);

#endif
