/* SPDX-License-Identifier: MIT */
#include "field/tables.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- Numbers ---- */

/* Levels of a table's numbers: a gradient table is one row, a hash's table one vector. */
enum { ROWS, VECTORS, NUMBERS, LEVELS };

/* A table that is read. Lists of one level are equally long, but for the lines of a hash's table.
 */
struct list {
  int table;
  const char *text;     /* what is left to read */
  size_t count[LEVELS]; /* elements of a list at each level; 0 until one has been read */
  float *number;
  size_t numbers;
};

/* Ends a list of so many elements. */
static const char *end_level(struct list *list, int level, size_t count) {
  if (list->count[level] != 0 && list->count[level] != count)
    return level == NUMBERS ? "the vectors differ in length" : "the rows differ in length";
  list->count[level] = count;
  return NULL;
}

/* Reads the numbers of a line up to its end or a comment. After a problem, list->text is where. */
static const char *read_numbers(struct list *list, const char *line) {
  const int is_hash = list->table == CLI_HASH_TABLE;
  for (list->text = cli_skip_blanks(line); *list->text != '\0' && *list->text != '#';) {
    const char *next = list->text;
    const size_t count = list->numbers;
    double value;
    if (!cli_next_number(&next, &value) ||
        (is_hash && !(value == floor(value) && fabs(value) <= 0x1p24)))
      return is_hash ? "expected a whole number" : "expected a number";
    if ((count & (count - 1)) == 0) { /* the array is full: its room doubles */
      float *number = realloc(list->number, (2 * count + 1) * sizeof *number);
      if (!number)
        return strerror(ENOMEM);
      list->number = number;
    }
    list->number[list->numbers++] = (float)value;
    list->text = next;
  }
  list->text = "";
  return NULL;
}

/* Reads a vector from each line. In a grid, empty lines end its rows. */
static const char *read_lines(struct list *list, struct cli_lines *lines) {
  const char *problem = NULL;
  size_t vectors = 0;
  int more = 1;
  while (more && !problem) {
    const size_t before = list->numbers;
    more = cli_lines_next(lines);
    problem = more ? read_numbers(list, lines->text) : NULL;
    const size_t found = list->numbers - before;
    const int ends_row =
        !more || (list->table == CLI_GRADIENT_GRID && *cli_skip_blanks(lines->text) == '\0');
    vectors += found > 0;
    if (!problem && found > 0 && list->table != CLI_HASH_TABLE)
      problem = end_level(list, NUMBERS, found);
    if (!problem && vectors > 0 && ends_row) {
      problem = end_level(list, VECTORS, vectors);
      list->count[ROWS]++;
      vectors = 0;
    }
  }
  return problem;
}

/* ---- Tables ---- */

/* The option of a table, what messages call it, and the option, and its choice, that uses it. */
static const struct {
  const char *option, *name, *user;
  int32_t choice;
} TABLES[CLI_TABLES] = {
    [CLI_HASH_TABLE] = {"hash-table", "a hash table", "hash", PERLANE_HASH_TABLE},
    [CLI_GRADIENT_TABLE] = {"gradient-table", "a gradient table", "gradients",
                            PERLANE_GRADIENTS_TABLE},
    [CLI_GRADIENT_GRID] = {"gradient-grid", "a gradient grid", "hash", PERLANE_HASH_GRID},
};

static int32_t int32_of(size_t count) {
  return count < INT32_MAX ? (int32_t)count : INT32_MAX;
}

/* Sets the members of params that describe a table. */
static void set_table(perlane_params *params, const struct cli_tables *tables,
                      const struct list *list) {
  if (list->table == CLI_HASH_TABLE) {
    params->hash_table = tables->hash;
  } else if (list->table == CLI_GRADIENT_TABLE) {
    params->gradient_table = tables->gradient;
    params->gradient_count = int32_of(list->count[VECTORS]);
    params->gradient_dims = int32_of(list->count[NUMBERS]);
  } else {
    params->gradient_grid = tables->grid;
    params->gradient_grid_count[0] = int32_of(list->count[VECTORS]);
    params->gradient_grid_count[1] = int32_of(list->count[ROWS]);
  }
}

/* Keeps the numbers of a table. Returns NULL, or why the library refuses them, for which it gets
 * params with this table alone. */
static const char *keep(struct cli_tables *tables, struct list *list) {
  static char message[PERLANE_MESSAGE_BYTES];
  perlane_params alone = perlane_params_default();
  if (list->table == CLI_HASH_TABLE) {
    if (list->numbers != 256 && list->numbers != 1024)
      return "expected 256 or, for the hash primes, 1024 numbers";
    for (size_t i = 0; i < list->numbers; i++)
      tables->hash[i] = (int32_t)list->number[i];
    alone.hash = list->numbers == 256 ? PERLANE_HASH_TABLE : PERLANE_HASH_PRIMES;
  } else if (list->table == CLI_GRADIENT_TABLE) {
    if (list->number && list->numbers <= sizeof tables->gradient / sizeof(float)) /* else refused */
      memcpy(tables->gradient, list->number, list->numbers * sizeof(float));
    alone.gradients = PERLANE_GRADIENTS_TABLE;
  } else {
    if (list->count[NUMBERS] != 2)
      return "expected rows of vectors of 2 numbers";
    free(tables->grid);
    tables->grid = list->number;
    list->number = NULL;
    alone.hash = PERLANE_HASH_GRID;
  }
  set_table(&alone, tables, list);
  return perlane_explain_params(&alone, message, sizeof message) > 0 ? message : NULL;
}

static int read_table(struct cli_tables *tables, struct list *list, enum cli_source source) {
  const char *file = tables->file[list->table];
  struct stat entry;
  if (*file == '[') /* as versions before 1.2 wrote tables into maps */
    return cli_fail("a text of options has a list of numbers, which is not read; put them into a "
                    "file, and add --%s FILE",
                    TABLES[list->table].option);
  if (source == CLI_SAVED && stat(file, &entry) == 0 && !S_ISREG(entry.st_mode))
    return cli_fail("cannot read '%s': a saved text names it, and it is not a regular file", file);
  FILE *stream = fopen(file, "r");
  if (!stream)
    return cli_fail("cannot read '%s': %s", file, strerror(errno));
  struct cli_lines lines = {.stream = stream,
                            .limit = list->table == CLI_GRADIENT_GRID ? 256U << 20 : 1U << 20};
  const char *problem = read_lines(list, &lines);
  int status = 0;
  const int shown = cli_shown_length(list->text);
  if (problem)
    status = cli_fail("'%s' line %" PRIu64 ": %s%.*s%s%s", file, lines.number, shown ? "'" : "",
                      shown, list->text, shown ? "': " : "", problem);
  else if (lines.problem)
    status =
        cli_fail("cannot read line %" PRIu64 " of '%s': %s", lines.number, file, lines.problem);
  else if ((problem = keep(tables, list)) != NULL)
    status = cli_fail("'%s': %s", file, problem);
  fclose(stream);
  free(lines.text);
  free(list->number);
  return status;
}

/* ---- Selection ---- */

/* Selects the hash or the gradient set that uses a table, and reads it. */
static int read_one(const struct cli_command_line *line, struct cli_tables *tables,
                    perlane_params *params, int table) {
  const char *user = TABLES[table].user;
  const int is_hash = table == CLI_HASH_TABLE;
  const enum cli_source own = cli_source_of(line, TABLES[table].option);
  const enum cli_source users = cli_source_of(line, user);
  int32_t *choice = table == CLI_GRADIENT_TABLE ? &params->gradients : &params->hash;
  const int takes_primes = is_hash && *choice == PERLANE_HASH_PRIMES;
  struct list list = {.table = table, .text = ""};
  if (users < own && !takes_primes)
    *choice = TABLES[table].choice;
  const int is_used = *choice == TABLES[table].choice || takes_primes;
  const perlane_choice *choices = perlane_option_find(user)->choices;
  if (!is_used && users == own)
    return cli_refuse("%s has no effect with the %s %s; choose %s%s", TABLES[table].name, user,
                      choices[*choice].name, choices[TABLES[table].choice].name,
                      is_hash ? " or primes" : "");
  const int status = is_used ? read_table(tables, &list, own) : 0;
  if (status != 0)
    return status;
  const int is_other = is_hash && is_used && list.numbers != (takes_primes ? 1024 : 256);
  if (is_other && users <= own)
    return cli_refuse("the hash table has %zu numbers; the hash %s takes %d", list.numbers,
                      choices[*choice].name, takes_primes ? 1024 : 256);
  if (is_used && !is_other)
    set_table(params, tables, &list);
  else
    tables->file[table] = NULL;
  return 0;
}

int cli_tables_read(const struct cli_command_line *line, struct cli_tables *tables,
                    perlane_params *params) {
  const char **hash = &tables->file[CLI_HASH_TABLE], **grid = &tables->file[CLI_GRADIENT_GRID];
  const enum cli_source of_hash = cli_source_of(line, TABLES[CLI_HASH_TABLE].option);
  const enum cli_source of_grid = cli_source_of(line, TABLES[CLI_GRADIENT_GRID].option);
  int status = 0;
  if (*hash && *grid && of_hash == of_grid)
    return cli_refuse("a hash table and a gradient grid exclude each other: a field has one hash, "
                      "which uses the one or the other");
  if (*hash && *grid)
    *(of_hash < of_grid ? hash : grid) = NULL;
  for (int table = 0; table < CLI_TABLES && status == 0; table++)
    if (tables->file[table])
      status = read_one(line, tables, params, table);
  return status;
}
