/* SPDX-License-Identifier: MIT
 *
 * Which tables a field uses; tables in texts and files.
 */
#include "field/tables.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "field/field.h"
#include "field/lines.h"
#include "options/values.h"

/* ---- The tables that a field uses ---- */

/* Returns the number of entries in a hash's table; 0 for none. */
static int hash_numbers(perlane_hash hash) {
  return hash == PERLANE_HASH_TABLE ? 256 : hash == PERLANE_HASH_PRIMES ? 1024 : 0;
}

const char *cli_tables_select(struct cli_field *field, unsigned loaded, int hash_given,
                              int gradients_given) {
  static char problem[128];
  perlane_params *params = &field->params;
  const int has_table = (loaded & CLI_HASH_TABLE) != 0,
            has_grid = (loaded & CLI_GRADIENT_GRID) != 0;
  if (has_table && has_grid)
    return "a hash table and a gradient grid exclude each other: a field has one hash, which uses "
           "the one or the other";
  if (!hash_given && has_table && params->hash != PERLANE_HASH_PRIMES)
    params->hash = PERLANE_HASH_TABLE;
  if (!hash_given && has_grid)
    params->hash = PERLANE_HASH_GRID;
  if (!gradients_given && (loaded & CLI_GRADIENT_TABLE))
    params->gradients = PERLANE_GRADIENTS_TABLE;
  const char *hash = perlane_option_find("hash")->choices[params->hash].name;
  const int numbers = hash_numbers((perlane_hash)params->hash);
  if (has_table && numbers == 0)
    snprintf(problem, sizeof problem,
             "a hash table has no effect with the hash %s; choose table or primes", hash);
  else if (has_table && numbers != field->tables.hash_count)
    snprintf(problem, sizeof problem, "the hash table has %d numbers; the hash %s takes %d",
             field->tables.hash_count, hash, numbers);
  else if (has_grid && params->hash != PERLANE_HASH_GRID)
    snprintf(problem, sizeof problem, "a gradient grid has no effect with the hash %s; choose grid",
             hash);
  else if ((loaded & CLI_GRADIENT_TABLE) && params->gradients != PERLANE_GRADIENTS_TABLE)
    snprintf(problem, sizeof problem,
             "a gradient table has no effect with the gradients %s; choose table",
             perlane_option_find("gradients")->choices[params->gradients].name);
  else
    return NULL;
  return problem;
}

void cli_tables_drop_unused(struct cli_field *field) {
  perlane_params *params = &field->params;
  if (field->tables.hash_count != hash_numbers((perlane_hash)params->hash))
    params->hash_table = NULL;
  if (params->gradients != PERLANE_GRADIENTS_TABLE)
    params->gradient_table = NULL;
  if (params->hash != PERLANE_HASH_GRID)
    params->gradient_grid = NULL;
}

void cli_tables_free(struct cli_tables *tables) {
  free(tables->grid);
  tables->grid = NULL;
}

/* ---- Printing ---- */

static void print_vectors(FILE *stream, const float *value, size_t count, size_t dims) {
  fputc('[', stream);
  for (size_t i = 0; i < count; i++) {
    fputs(i ? ",[" : "[", stream);
    for (size_t a = 0; a < dims; a++) {
      fputs(a ? "," : "", stream);
      cli_print_float(stream, value[i * dims + a]);
    }
    fputc(']', stream);
  }
  fputc(']', stream);
}

void cli_list_print(FILE *stream, const struct cli_field *field, unsigned table) {
  const perlane_params *params = &field->params;
  if (table == CLI_GRADIENT_TABLE) {
    print_vectors(stream, params->gradient_table, (size_t)params->gradient_count,
                  (size_t)params->gradient_dims);
    return;
  }
  fputc('[', stream);
  if (table == CLI_HASH_TABLE)
    for (int i = 0; i < field->tables.hash_count; i++)
      fprintf(stream, "%s%" PRId32, i ? "," : "", params->hash_table[i]);
  for (int32_t j = 0; table == CLI_GRADIENT_GRID && j < params->gradient_grid_count[1]; j++) {
    const size_t row = (size_t)params->gradient_grid_count[0];
    fputs(j ? "," : "", stream);
    print_vectors(stream, params->gradient_grid + 2 * row * (size_t)j, row, 2);
  }
  fputc(']', stream);
}

int cli_list_exists(const struct cli_field *field, unsigned table, int whole) {
  const perlane_params *params = &field->params;
  if (table == CLI_HASH_TABLE)
    return params->hash_table != NULL;
  if (table == CLI_GRADIENT_TABLE)
    return params->gradient_table != NULL;
  return params->gradient_grid &&
         (whole || (int64_t)params->gradient_grid_count[0] * params->gradient_grid_count[1] <=
                       CLI_MAX_CARRIED_POINTS);
}

/* ---- Lists in texts ---- */

enum { MAX_DEPTH = 3 };

/* Lists of rows of vectors of numbers, or only the inner ones of these levels; those of one level
 * are equally long, but for the lines of a hash's table. */
struct list {
  unsigned table;
  const char *text;        /* what is left to read */
  size_t count[MAX_DEPTH]; /* elements of a list at each level; 0 until one has been read */
  float *number;
  size_t numbers, capacity;
};

static const char *skip_white(const char *text) {
  return text + strspn(text, " \t\r\n");
}

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
    return level == 2 ? "the vectors differ in length" : "the rows differ in length";
  list->count[level] = count;
  return NULL;
}

static const char *read_level(struct list *list, int level) {
  size_t count = 0;
  do {
    if (count == 0 && *list->text != '[')
      return "expected '['";
    list->text = skip_white(list->text + 1);
    const char *problem = level + 1 < MAX_DEPTH ? read_level(list, level + 1) : add_number(list);
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

static int32_t int32_of(size_t count) {
  return count < INT32_MAX ? (int32_t)count : INT32_MAX;
}

/* Returns NULL, or why the library refuses a table. */
static const char *problem_of(const struct cli_field *field, unsigned table) {
  static char message[PERLANE_MESSAGE_BYTES];
  perlane_params params = perlane_params_default();
  if (table == CLI_HASH_TABLE) {
    params.hash = field->tables.hash_count == 256 ? PERLANE_HASH_TABLE : PERLANE_HASH_PRIMES;
    params.hash_table = field->params.hash_table;
  } else if (table == CLI_GRADIENT_TABLE) {
    params.gradients = PERLANE_GRADIENTS_TABLE;
    params.gradient_table = field->params.gradient_table;
    params.gradient_count = field->params.gradient_count;
    params.gradient_dims = field->params.gradient_dims;
  } else {
    params.hash = PERLANE_HASH_GRID;
    params.gradient_grid = field->params.gradient_grid;
    memcpy(params.gradient_grid_count, field->params.gradient_grid_count,
           sizeof params.gradient_grid_count);
  }
  return perlane_explain_params(&params, message, sizeof message) > 0 ? message : NULL;
}

static const char *use_hash_table(struct cli_field *field, const struct list *list) {
  if (list->numbers != 256 && list->numbers != 1024)
    return "expected 256 or, for the hash primes, 1024 numbers";
  for (size_t i = 0; i < list->numbers; i++)
    field->tables.hash[i] = (int32_t)list->number[i];
  field->tables.hash_count = (int)list->numbers;
  field->params.hash_table = field->tables.hash;
  return NULL;
}

/* Vectors that are too many or too long are not read. */
static const char *use_gradient_table(struct cli_field *field, const struct list *list) {
  const size_t room = sizeof field->tables.gradient / sizeof field->tables.gradient[0];
  if (list->numbers <= room)
    memcpy(field->tables.gradient, list->number, list->numbers * sizeof *list->number);
  field->params.gradient_table = field->tables.gradient;
  field->params.gradient_count = int32_of(list->count[1]);
  field->params.gradient_dims = int32_of(list->count[2]);
  return NULL;
}

static const char *use_gradient_grid(struct cli_field *field, struct list *list) {
  if (list->count[2] != 2)
    return "expected rows of vectors of 2 numbers";
  cli_tables_free(&field->tables);
  field->tables.grid = list->number;
  list->number = NULL;
  field->params.gradient_grid = field->tables.grid;
  field->params.gradient_grid_count[0] = int32_of(list->count[1]);
  field->params.gradient_grid_count[1] = int32_of(list->count[0]);
  return NULL;
}

/* Sets a table of the field to a list that has been read. */
static const char *use(struct cli_field *field, struct list *list) {
  const char *problem = list->table == CLI_HASH_TABLE       ? use_hash_table(field, list)
                        : list->table == CLI_GRADIENT_TABLE ? use_gradient_table(field, list)
                                                            : use_gradient_grid(field, list);
  return problem ? problem : problem_of(field, list->table);
}

const char *cli_list_read(struct cli_field *field, unsigned table, const char **text) {
  struct list list = {.table = table, .text = *text};
  const char *problem = read_level(&list, table == CLI_HASH_TABLE       ? 2
                                          : table == CLI_GRADIENT_TABLE ? 1
                                                                        : 0);
  *text = list.text;
  if (!problem)
    problem = use(field, &list);
  free(list.number);
  return problem;
}

/* ---- Files ---- */

/* Reads the numbers of a line up to its end or a comment. */
static const char *read_numbers(struct list *list, const char *line) {
  list->text = cli_skip_blanks(line);
  while (*list->text != '\0' && *list->text != '#') {
    const char *begin = list->text, *problem = add_number(list);
    if (!problem && !strchr(" \t,#", *list->text)) /* strchr also finds the end of the line */
      problem = "expected blanks or a comma between numbers";
    if (problem) {
      list->text = begin;
      return problem;
    }
    list->text = cli_skip_blanks(list->text);
    if (*list->text == ',')
      list->text = cli_skip_blanks(list->text + 1);
  }
  return NULL;
}

/* Reads a vector from each line. In a grid, empty lines end its rows. */
static const char *read_lines(struct list *list, struct cli_lines *lines) {
  const int is_grid = list->table == CLI_GRADIENT_GRID;
  size_t vectors = 0;
  const char *problem = NULL;
  for (int more = 1; more && !problem;) {
    const size_t before = list->numbers;
    more = cli_lines_next(lines);
    if (more)
      problem = read_numbers(list, lines->text);
    if (!problem)
      list->text = "";
    const size_t found = list->numbers - before;
    const int is_end = !more || *cli_skip_blanks(lines->text) == '\0';
    vectors += found > 0;
    if (!problem && found > 0 && list->table != CLI_HASH_TABLE)
      problem = end_level(list, 2, found);
    if (problem || vectors == 0 || (is_grid ? !is_end : more))
      continue;
    problem = end_level(list, 1, vectors);
    list->count[0]++;
    vectors = 0;
  }
  return problem;
}

int cli_read_table(const struct cli_command *command, const char *file, struct cli_field *field,
                   unsigned table) {
  FILE *stream = fopen(file, "r");
  if (!stream)
    return cli_fail(command, "cannot read '%s': %s", file, strerror(errno));
  struct cli_lines lines = cli_lines_of(stream);
  struct list list = {.table = table, .text = ""};
  const char *problem = read_lines(&list, &lines);
  int status = 0;
  const int shown = cli_shown_length(list.text);
  if (problem)
    status = cli_fail(command, "'%s' line %" PRIu64 ": %s%.*s%s%s", file, lines.number,
                      shown ? "'" : "", shown, list.text, shown ? "': " : "", problem);
  else if (lines.problem)
    status = cli_fail(command, "cannot read line %" PRIu64 " of '%s': %s", lines.number, file,
                      lines.problem);
  else if ((problem = use(field, &list)) != NULL)
    status = cli_fail(command, "'%s': %s", file, problem);
  fclose(stream);
  cli_lines_free(&lines);
  free(list.number);
  return status;
}
