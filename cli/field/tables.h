/* SPDX-License-Identifier: MIT
 *
 * Tables of a field that come from text files: what the hash looks up, gradients, and a grid of
 * gradients. In all of them, # begins a comment.
 */
#ifndef PERLANE_CLI_TABLES_H
#define PERLANE_CLI_TABLES_H

#include "options/options.h"
#include "perlane.h"

struct cli_tables {
  int32_t hash[1024];
  int hash_count; /* 256 or 1024 of them */
  float gradient[256 * PERLANE_MAX_DIMS];
  float *grid;
};

/* Each reads a file into the tables, which are to stay where they are, and sets the params to use
 * them. Returns 0, or the exit status after a message. */
int cli_read_hash_table(const struct cli_command *command, const char *file,
                        struct cli_tables *tables, perlane_params *params);
int cli_read_gradients(const struct cli_command *command, const char *file,
                       struct cli_tables *tables, perlane_params *params);
int cli_read_gradient_grid(const struct cli_command *command, const char *file,
                           struct cli_tables *tables, perlane_params *params);

void cli_tables_free(struct cli_tables *tables);

#endif
