/* SPDX-License-Identifier: MIT */
#include "field/field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The option of a table, in texts too, the option, and its choice, that uses it, and how deep its
 * lists are. */
static const struct {
  const char *option, *name, *user;
  int32_t choice;
  int depth;
} TABLES[CLI_TABLES] = {
    [CLI_HASH_TABLE] = {"hash-table", "hash_table", "hash", PERLANE_HASH_TABLE, 1},
    [CLI_GRADIENT_TABLE] = {"gradient-table", "gradient_table", "gradients",
                            PERLANE_GRADIENTS_TABLE, 2},
    [CLI_GRADIENT_GRID] = {"gradient-grid", "gradient_grid", "hash", PERLANE_HASH_GRID, 3},
};

/* A table that is read. All lists of one depth are equally long. */
struct list {
  int32_t count[4]; /* elements of a list, by its depth; 0 until one has been read */
  float *number;
  size_t numbers;
};

/* Reads a list, whose elements are numbers at depth 1. Returns what follows it, or NULL. */
static const char *read_list(struct list *list, const char *text, int depth) {
  int32_t count = 0;
  do {
    double number;
    text++;
    text = depth > 1 ? *text == '[' ? read_list(list, text, depth - 1) : NULL
                     : cli_scan_double(text, &number);
    if (!text)
      return NULL;
    if (depth == 1)
      list->number[list->numbers++] = (float)number;
    count++;
  } while (*text == ',');
  if (*text != ']' || (list->count[depth] != 0 && list->count[depth] != count))
    return NULL;
  list->count[depth] = count;
  return text + 1;
}

/* Sets the members of params that describe a table. */
static void set_table(perlane_params *params, struct cli_tables *tables, struct list *list,
                      int table) {
  if (table == CLI_HASH_TABLE) {
    for (size_t i = 0; i < list->numbers; i++)
      tables->hash[i] = (int32_t)list->number[i];
    params->hash_table = tables->hash;
  } else if (table == CLI_GRADIENT_TABLE) {
    memcpy(tables->gradient, list->number, list->numbers * sizeof(float));
    params->gradient_table = tables->gradient;
    params->gradient_count = list->count[2];
    params->gradient_dims = list->count[1];
  } else {
    free(tables->grid);
    tables->grid = list->number;
    list->number = NULL;
    params->gradient_grid = tables->grid;
    params->gradient_grid_count[0] = list->count[2];
    params->gradient_grid_count[1] = list->count[3];
  }
}

/* Returns what is wrong with a list as a table of `numbers` numbers, or of any if that is 0. */
static const char *problem_of(const struct list *list, int table, size_t numbers) {
  int is_whole = 1;
  for (size_t i = 0; i < list->numbers && table == CLI_HASH_TABLE; i++)
    is_whole &= list->number[i] == floorf(list->number[i]) && fabsf(list->number[i]) <= 0x1p24F;
  return !is_whole                                             ? "expected whole numbers"
         : table == CLI_HASH_TABLE && list->numbers != numbers ? "expected 256 numbers, or 1024 "
                                                                 "with hash=primes"
         : table == CLI_GRADIENT_TABLE &&
                 (list->count[2] > 256 || list->count[1] > PERLANE_MAX_DIMS)
             ? "expected 2 to 256 vectors of 1 to 4 numbers"
         : table == CLI_GRADIENT_GRID && list->count[1] != 2
             ? "expected rows of vectors of 2 numbers"
             : NULL;
}

/* Selects the hash or the gradient set that uses a table, and reads it. */
static int read_one(const struct cli_command_line *line, struct cli_tables *tables,
                    perlane_params *params, int table) {
  const char *name = TABLES[table].name, *text = tables->text[table];
  const enum cli_source own = cli_source_of(line, TABLES[table].option);
  const enum cli_source users = cli_source_of(line, TABLES[table].user);
  int32_t *choice = table == CLI_GRADIENT_TABLE ? &params->gradients : &params->hash;
  const int is_primes = table == CLI_HASH_TABLE && *choice == PERLANE_HASH_PRIMES;
  const size_t numbers = is_primes ? 1024 : 256;
  struct list list = {.number = cli_need(malloc((strlen(text) / 2 + 1) * sizeof(float)))};
  if (users < own && !is_primes)
    *choice = TABLES[table].choice;
  const int is_used = is_primes || *choice == TABLES[table].choice;
  const char *end = *text == '[' ? read_list(&list, text, TABLES[table].depth) : NULL;
  const char *problem = !end || *end != '\0'
                            ? "expected a list such as [1,2], a list of such lists "
                              "for vectors, and one of those for rows, without "
                              "blanks"
                            : problem_of(&list, table, numbers);
  const int fits = is_used && (table != CLI_HASH_TABLE || list.numbers == numbers);
  int status = 0;
  if (!fits && users > own)
    tables->text[table] = NULL;
  else if (!is_used)
    status = cli_refuse("%s has no effect with %s=%s", name, TABLES[table].user,
                        perlane_option_find(TABLES[table].user)->choices[*choice].name);
  else if (problem)
    status = cli_refuse("%s: %s", name, problem);
  else
    set_table(params, tables, &list, table);
  free(list.number);
  return status;
}

int cli_tables_read(const struct cli_command_line *line, struct cli_tables *tables,
                    perlane_params *params) {
  const char **hash = &tables->text[CLI_HASH_TABLE], **grid = &tables->text[CLI_GRADIENT_GRID];
  const enum cli_source of_hash = cli_source_of(line, TABLES[CLI_HASH_TABLE].option);
  const enum cli_source of_grid = cli_source_of(line, TABLES[CLI_GRADIENT_GRID].option);
  int status = 0;
  if (*hash && *grid && of_hash == of_grid)
    return cli_refuse("hash_table and gradient_grid exclude each other: a field has one hash");
  if (*hash && *grid)
    *(of_hash < of_grid ? hash : grid) = NULL;
  for (int table = 0; table < CLI_TABLES && status == 0; table++)
    if (tables->text[table])
      status = read_one(line, tables, params, table);
  return status;
}
