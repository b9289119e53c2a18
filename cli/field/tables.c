/* SPDX-License-Identifier: MIT */
#include "field/tables.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "field/field.h"
#include "options/options.h"

/* ---- The tables that a field uses ---- */

/* Returns the number of entries in a hash's table; 0 for none. */
static int hash_numbers(int hash) {
  return hash == PERLANE_HASH_TABLE ? 256 : hash == PERLANE_HASH_PRIMES ? 1024 : 0;
}

static const char *name_of(const char *option, int choice) {
  return perlane_option_find(option)->choices[choice].name;
}

const char *cli_tables_select(struct cli_field *field, unsigned loaded, int hash_given,
                              int gradients_given) {
  static char problem[128];
  perlane_params *params = &field->params;
  const int has_table = loaded >> CLI_HASH_TABLE & 1, has_grid = loaded >> CLI_GRADIENT_GRID & 1;
  const int has_gradients = loaded >> CLI_GRADIENT_TABLE & 1;
  if (has_table && has_grid)
    return "a hash table and a gradient grid exclude each other: a field has one hash, which uses "
           "the one or the other";
  if (!hash_given && has_table && params->hash != PERLANE_HASH_PRIMES)
    params->hash = PERLANE_HASH_TABLE;
  if (!hash_given && has_grid)
    params->hash = PERLANE_HASH_GRID;
  if (!gradients_given && has_gradients)
    params->gradients = PERLANE_GRADIENTS_TABLE;
  const char *hash = name_of("hash", params->hash);
  const int numbers = hash_numbers(params->hash);
  if (has_table && numbers == 0)
    snprintf(problem, sizeof problem,
             "a hash table has no effect with the hash %s; choose table or primes", hash);
  else if (has_table && numbers != field->tables.hash_count)
    snprintf(problem, sizeof problem, "the hash table has %d numbers; the hash %s takes %d",
             field->tables.hash_count, hash, numbers);
  else if (has_grid && params->hash != PERLANE_HASH_GRID)
    snprintf(problem, sizeof problem, "a gradient grid has no effect with the hash %s; choose grid",
             hash);
  else if (has_gradients && params->gradients != PERLANE_GRADIENTS_TABLE)
    snprintf(problem, sizeof problem,
             "a gradient table has no effect with the gradients %s; choose table",
             name_of("gradients", params->gradients));
  else
    return NULL;
  return problem;
}

void cli_tables_drop_unused(struct cli_field *field) {
  perlane_params *params = &field->params;
  if (field->tables.hash_count != hash_numbers(params->hash))
    params->hash_table = NULL;
  if (params->gradients != PERLANE_GRADIENTS_TABLE)
    params->gradient_table = NULL;
  if (params->hash != PERLANE_HASH_GRID)
    params->gradient_grid = NULL;
}

/* ---- Printing ---- */

/* Rows of vectors of numbers. A gradient table is one row, a hash's table one vector. */
enum { ROWS, VECTORS, NUMBERS, LEVELS };

static int outer_level(int table) {
  return CLI_GRADIENT_GRID - table;
}

/* The numbers of a field's table, of which one pointer is not NULL if there are any. */
struct view {
  const int32_t *whole;
  const float *real;
  int32_t count[LEVELS];
};

static struct view view_of(const struct cli_field *field, int table) {
  const perlane_params *params = &field->params;
  if (table == CLI_HASH_TABLE)
    return (struct view){.whole = params->hash_table, .count = {1, 1, field->tables.hash_count}};
  if (table == CLI_GRADIENT_TABLE)
    return (struct view){.real = params->gradient_table,
                         .count = {1, params->gradient_count, params->gradient_dims}};
  return (struct view){
      .real = params->gradient_grid,
      .count = {params->gradient_grid_count[1], params->gradient_grid_count[0], 2}};
}

/* Prints list number `index` of a level. */
static void print_level(FILE *stream, const struct view *view, int level, size_t index) {
  const size_t count = (size_t)view->count[level];
  for (size_t i = 0; i < count; i++) {
    const size_t at = index * count + i;
    fputc(i ? ',' : '[', stream);
    if (level < NUMBERS)
      print_level(stream, view, level + 1, at);
    else if (view->whole)
      fprintf(stream, "%" PRId32, view->whole[at]);
    else if (view->real)
      cli_print_real(stream, (double)view->real[at], 1);
  }
  fputc(']', stream);
}

void cli_list_print(FILE *stream, const struct cli_field *field, int table) {
  const struct view view = view_of(field, table);
  print_level(stream, &view, outer_level(table), 0);
}

int cli_list_exists(const struct cli_field *field, int table, int whole) {
  const struct view view = view_of(field, table);
  return (view.whole || view.real) &&
         (whole || (int64_t)view.count[ROWS] * view.count[VECTORS] <= CLI_MAX_CARRIED_POINTS);
}

/* ---- Reading of numbers ---- */

/* A table that is read. Lists of one level are equally long, but for the lines of a hash's table.
 */
struct list {
  int table;
  const char *text;     /* what is left to read */
  size_t count[LEVELS]; /* elements of a list at each level; 0 until one has been read */
  float *number;
  size_t numbers, capacity;
};

static const char *add_number(struct list *list) {
  double value;
  const char *end = cli_scan_double(list->text, &value);
  if (list->table == CLI_HASH_TABLE && !(end && value == floor(value) && fabs(value) <= 0x1p24))
    return "expected a whole number";
  if (!end)
    return "expected a number";
  if (list->numbers == list->capacity) {
    const size_t capacity = list->capacity ? 2 * list->capacity : 256;
    float *number = realloc(list->number, capacity * sizeof *number);
    if (!number)
      return strerror(ENOMEM);
    list->number = number;
    list->capacity = capacity;
  }
  list->number[list->numbers++] = (float)value;
  list->text = end;
  return NULL;
}

/* Ends a list of so many elements. */
static const char *end_level(struct list *list, int level, size_t count) {
  if (list->count[level] != 0 && list->count[level] != count)
    return level == NUMBERS ? "the vectors differ in length" : "the rows differ in length";
  list->count[level] = count;
  return NULL;
}

static int32_t int32_of(size_t count) {
  return count < INT32_MAX ? (int32_t)count : INT32_MAX;
}

/* Sets a table of the field to a list that has been read. Returns NULL, or why the library refuses
 * it, of which it is asked with this table alone. */
static const char *use(struct cli_field *field, struct list *list) {
  static char message[PERLANE_MESSAGE_BYTES];
  perlane_params alone = perlane_params_default(), *const target[] = {&alone, &field->params};
  struct cli_tables *tables = &field->tables;
  const size_t *count = list->count;
  const int is_hash = list->table == CLI_HASH_TABLE, is_grid = list->table == CLI_GRADIENT_GRID;
  if (is_hash && list->numbers != 256 && list->numbers != 1024)
    return "expected 256 or, for the hash primes, 1024 numbers";
  if (is_grid && count[NUMBERS] != 2)
    return "expected rows of vectors of 2 numbers";
  for (size_t i = 0; is_hash && i < list->numbers; i++)
    tables->hash[i] = (int32_t)list->number[i];
  if (is_hash)
    tables->hash_count = (int)list->numbers;
  /* Vectors that are too many or too long are not read. */
  if (!is_hash && !is_grid && list->number &&
      list->numbers <= sizeof tables->gradient / sizeof(float))
    memcpy(tables->gradient, list->number, list->numbers * sizeof(float));
  if (is_grid) {
    free(tables->grid);
    tables->grid = list->number;
    list->number = NULL;
  }
  for (int i = 0; i < 2; i++)
    if (is_hash) {
      target[i]->hash_table = tables->hash;
    } else if (is_grid) {
      target[i]->gradient_grid = tables->grid;
      target[i]->gradient_grid_count[0] = int32_of(count[VECTORS]);
      target[i]->gradient_grid_count[1] = int32_of(count[ROWS]);
    } else {
      target[i]->gradient_table = tables->gradient;
      target[i]->gradient_count = int32_of(count[VECTORS]);
      target[i]->gradient_dims = int32_of(count[NUMBERS]);
    }
  alone.hash = is_grid                 ? PERLANE_HASH_GRID
               : !is_hash              ? alone.hash
               : list->numbers == 1024 ? PERLANE_HASH_PRIMES
                                       : PERLANE_HASH_TABLE;
  alone.gradients = is_hash || is_grid ? alone.gradients : PERLANE_GRADIENTS_TABLE;
  return perlane_explain_params(&alone, message, sizeof message) > 0 ? message : NULL;
}

/* ---- Lists in texts ---- */

static const char *skip_white(const char *text) {
  return text + strspn(text, " \t\r\n");
}

static const char *read_level(struct list *list, int level) {
  size_t count = 0;
  do {
    if (count == 0 && *list->text != '[')
      return "expected '['";
    list->text = skip_white(list->text + 1);
    const char *problem = level < NUMBERS ? read_level(list, level + 1) : add_number(list);
    if (problem)
      return problem;
    count++;
    list->text = skip_white(list->text);
  } while (*list->text == ',');
  if (*list->text != ']')
    return "expected ',' or ']'";
  list->text++;
  return end_level(list, level, count);
}

const char *cli_list_read(struct cli_field *field, int table, const char **text) {
  struct list list = {.table = table, .text = *text};
  const char *problem = read_level(&list, outer_level(table));
  *text = list.text;
  if (!problem)
    problem = use(field, &list);
  free(list.number);
  return problem;
}

/* ---- Files ---- */

/* Reads the numbers of a line up to its end or a comment. After a problem, list->text is where. */
static const char *read_numbers(struct list *list, const char *line) {
  list->text = cli_skip_blanks(line);
  while (*list->text != '\0' && *list->text != '#') {
    const char *begin = list->text, *problem = add_number(list);
    if (!problem && !strchr(" \t,#", *list->text)) { /* strchr also finds the end of the line */
      list->text = begin;
      problem = "expected blanks or a comma between numbers";
    }
    if (problem)
      return problem;
    list->text = cli_skip_blanks(list->text);
    if (*list->text == ',')
      list->text = cli_skip_blanks(list->text + 1);
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

int cli_read_table(const char *file, struct cli_field *field, int table) {
  FILE *stream = fopen(file, "r");
  if (!stream)
    return cli_fail("cannot read '%s': %s", file, strerror(errno));
  struct cli_lines lines = {.stream = stream,
                            .limit = table == CLI_GRADIENT_GRID ? 256U << 20 : 1U << 20};
  struct list list = {.table = table, .text = ""};
  const char *problem = read_lines(&list, &lines);
  int status = 0;
  const int shown = cli_shown_length(list.text);
  if (problem)
    status = cli_fail("'%s' line %" PRIu64 ": %s%.*s%s%s", file, lines.number, shown ? "'" : "",
                      shown, list.text, shown ? "': " : "", problem);
  else if (lines.problem)
    status =
        cli_fail("cannot read line %" PRIu64 " of '%s': %s", lines.number, file, lines.problem);
  else if ((problem = use(field, &list)) != NULL)
    status = cli_fail("'%s': %s", file, problem);
  fclose(stream);
  free(lines.text);
  free(list.number);
  return status;
}
