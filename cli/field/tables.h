/* SPDX-License-Identifier: MIT
 *
 * The tables of a field: the hash's, gradients, and a grid of gradients. They come from files, or
 * from lists in texts of options: [1,2,...], [[1,0],[0,1],...], or a grid's rows of gradients.
 */
#ifndef PERLANE_CLI_TABLES_H
#define PERLANE_CLI_TABLES_H

#include "options/messages.h"
#include "perlane.h"

enum { CLI_NO_TABLE, CLI_HASH_TABLE, CLI_GRADIENT_TABLE, CLI_GRADIENT_GRID, CLI_TABLES };

/* A map carries gradient grids of up to so many points. */
enum { CLI_MAX_CARRIED_POINTS = 65536 };

struct cli_tables {
  int32_t hash[1024];
  int hash_count; /* 256 or 1024 of them */
  float gradient[256 * PERLANE_MAX_DIMS];
  float *grid; /* to be freed */
};

struct cli_field;

/* Reads a file into one of the field's tables and sets its params to it. Returns 0, or the exit
 * status. A file has a vector of numbers on each line, with blanks or commas between them, or any
 * of the hash's numbers; empty lines between the rows of a grid; # begins a comment. */
int cli_read_table(const char *file, struct cli_field *field, int table);

/* Reads the list that *text begins with into one of the field's tables, and sets *text to what
 * follows it. Returns NULL, or what is wrong; *text is then where. */
const char *cli_list_read(struct cli_field *field, int table, const char **text);

/* Prints a table as a list. */
void cli_list_print(FILE *stream, const struct cli_field *field, int table);

/* Returns 1 if the field has this table and, unless `whole`, a map may carry it. */
int cli_list_exists(const struct cli_field *field, int table, int whole);

/* Selects the hash and the gradient set that use the tables just loaded, unless others were given.
 * `loaded` has a bit for each table. Returns NULL, or what is wrong, in a text that stays until the
 * next call. */
const char *cli_tables_select(struct cli_field *field, unsigned loaded, int hash_given,
                              int gradients_given);

/* Takes the tables that the field's hash and gradient set do not use out of its params. */
void cli_tables_drop_unused(struct cli_field *field);

#endif
