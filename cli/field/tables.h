/* SPDX-License-Identifier: MIT
 *
 * The tables of a field: the hash's, gradients, and a grid of gradients. They come from files, or
 * from lists in texts of options.
 */
#ifndef PERLANE_CLI_TABLES_H
#define PERLANE_CLI_TABLES_H

#include "options/messages.h"
#include "perlane.h"

/* Bits of a set of tables. */
enum { CLI_HASH_TABLE = 1, CLI_GRADIENT_TABLE = 2, CLI_GRADIENT_GRID = 4 };

/* A map carries gradient grids of up to so many points. */
enum { CLI_MAX_CARRIED_POINTS = 65536 };

struct cli_tables {
  int32_t hash[1024];
  int hash_count; /* 256 or 1024 of them */
  float gradient[256 * PERLANE_MAX_DIMS];
  float *grid;
};

struct cli_field;

/* Reads a file into one of the field's tables and sets its params to it. Returns 0, or the exit
 * status after a message. A file has a vector of numbers on each line, with blanks or commas
 * between them, or any of the hash's numbers; empty lines between the rows of a grid; # begins a
 * comment. */
int cli_read_table(const struct cli_command *command, const char *file, struct cli_field *field,
                   unsigned table);

/* Selects the hash and the gradient set that use the tables just loaded, unless others were given.
 * Returns NULL, or what is wrong, in a text that stays until the next call. */
const char *cli_tables_select(struct cli_field *field, unsigned loaded, int hash_given,
                              int gradients_given);

/* Takes the tables that the field's hash and gradient set do not use out of its params. */
void cli_tables_drop_unused(struct cli_field *field);
void cli_tables_free(struct cli_tables *tables);

/* ---- Lists ---- */

/* Prints a table as a list: [1,2,...], [[1,0],[0,1],...], or a grid's rows of gradients. */
void cli_list_print(FILE *stream, const struct cli_field *field, unsigned table);

/* Returns 1 if the field has this table and, unless `whole`, a map may carry it. */
int cli_list_exists(const struct cli_field *field, unsigned table, int whole);

/* Reads the list that *text begins with into the field, and sets *text to what follows it. Returns
 * NULL, or what is wrong, in a text that stays until the next call; *text is then where. */
const char *cli_list_read(struct cli_field *field, unsigned table, const char **text);

#endif
