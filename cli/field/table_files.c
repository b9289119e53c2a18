/* SPDX-License-Identifier: MIT
 *
 * Tables from files.
 */
#include "field/tables.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "field/field.h"
#include "field/lines.h"

/* A file that is being read. */
struct source {
  const struct cli_command *command;
  const char *file;
  struct cli_lines lines;
};

/* The next line that holds more than blanks and a comment, without both; 0 if there is none. */
static int source_next(struct source *source) {
  while (cli_lines_next(&source->lines)) {
    char *text = source->lines.text;
    size_t length = strcspn(text, "#");
    while (length > 0 && strchr(" \t", text[length - 1]))
      length--;
    text[length] = '\0';
    if (*cli_skip_blanks(text) != '\0')
      return 1;
  }
  return 0;
}

CLI_PRINTF(2, 3) static int fail_line(const struct source *source, const char *format, ...) {
  va_list arguments;
  FILE *message = cli_begin_message();
  va_start(arguments, format);
  fprintf(message, "'%s' line %" PRIu64 ": ", source->file, source->lines.number);
  vfprintf(message, format, arguments);
  va_end(arguments);
  return cli_end_failure(source->command, message);
}

/* To be called when there is no further line: 0 if that is because the file ends. */
static int fail_reading(const struct source *source) {
  if (!source->lines.problem)
    return 0;
  return cli_fail(source->command, "cannot read line %" PRIu64 " of '%s': %s", source->lines.number,
                  source->file, source->lines.problem);
}

static int fail_number(const struct source *source, const char *wrong, const char *expected) {
  return fail_line(source, "'%.*s' is not %s", cli_shown_length(wrong), wrong, expected);
}

/* ---- The hash's table ---- */

static int read_hash_table(struct source *source, struct cli_field *field) {
  static const char between[] = " \t,";
  const int max_count = sizeof field->tables.hash / sizeof field->tables.hash[0];
  int count = 0;
  while (source_next(source)) {
    const char *p = source->lines.text;
    while (*(p += strspn(p, between)) != '\0') {
      uint64_t value;
      const char *end = cli_scan_decimal(p, &value);
      if (!end || !strchr(between, *end) || value > 255)
        return fail_number(source, p, "a whole number from 0 to 255");
      if (count == max_count)
        return fail_line(source, "more than %d numbers", max_count);
      field->tables.hash[count++] = (int32_t)value;
      p = end;
    }
  }
  const int status = fail_reading(source);
  if (status == 0 && count != 256 && count != max_count)
    return cli_fail(source->command, "'%s' has %d numbers; expected 256, or %d for --hash primes",
                    source->file, count, max_count);
  field->tables.hash_count = count;
  field->params.hash_table = field->tables.hash;
  return status;
}

/* ---- Gradients ---- */

static int fail_component(const struct source *source, double value) {
  return fail_line(source, "%g is out of range; components go from %g to %g", value,
                   -PERLANE_MAX_GRADIENT, PERLANE_MAX_GRADIENT);
}

static int is_component(double value) {
  return fabs(value) <= PERLANE_MAX_GRADIENT; /* not so for NaN */
}

static int read_gradient_table(struct source *source, struct cli_field *field) {
  int dims = 0, count = 0;
  while (source_next(source)) {
    double component[PERLANE_MAX_DIMS];
    const char *wrong;
    const int found = cli_scan_numbers(source->lines.text, PERLANE_MAX_DIMS, component, &wrong);
    if (found < 0)
      return fail_number(source, wrong, "a number");
    if (found > PERLANE_MAX_DIMS)
      return fail_line(source, "%d numbers; a vector has 1 to %d", found, PERLANE_MAX_DIMS);
    if (count > 0 && found != dims)
      return fail_line(source, "%d number%s, but %d on the lines before", found,
                       found == 1 ? "" : "s", dims);
    if (count == 256)
      return fail_line(source, "more than 256 vectors");
    dims = found;
    for (int a = 0; a < dims; a++) {
      if (!is_component(component[a]))
        return fail_component(source, component[a]);
      field->tables.gradient[count * dims + a] = (float)component[a];
    }
    count++;
  }
  const int status = fail_reading(source);
  if (status != 0)
    return status;
  if (count < 2)
    return cli_fail(source->command, "'%s' has %s; expected 2 to 256, one a line", source->file,
                    count == 0 ? "no vectors" : "1 vector");
  field->params.gradient_table = field->tables.gradient;
  field->params.gradient_dims = dims;
  field->params.gradient_count = count;
  return 0;
}

/* ---- A grid of gradients ---- */

enum { COLUMN_I, COLUMN_J, COLUMN_GX, COLUMN_GY, COLUMNS };
static const char *const COLUMN_NAMES[COLUMNS] = {"i", "j", "gx", "gy"};

struct point {
  uint64_t line, index[2]; /* i, j */
  float gradient[2];
};

struct grid {
  struct source *source;
  int column[COLUMNS], columns; /* which of the file's columns each is, of how many */
  struct point *point;
  size_t count, capacity;
  uint64_t size[2]; /* the largest i and j, plus one */
};

/* Ends the field at *rest, goes on to the next one, and returns it without blanks around it. */
static char *next_field(char **rest) {
  char *field = *rest + strspn(*rest, " \t");
  size_t length = strcspn(field, ",");
  *rest = field[length] == ',' ? field + length + 1 : NULL;
  while (length > 0 && strchr(" \t", field[length - 1]))
    length--;
  field[length] = '\0';
  return field;
}

static int read_header(struct grid *grid) {
  struct source *source = grid->source;
  for (int c = 0; c < COLUMNS; c++)
    grid->column[c] = -1;
  if (!source_next(source)) {
    const int status = fail_reading(source);
    return status != 0 ? status : cli_fail(source->command, "'%s' is empty", source->file);
  }
  for (char *rest = source->lines.text; rest; grid->columns++) {
    const char *name = next_field(&rest);
    for (int c = 0; c < COLUMNS; c++)
      if (strcmp(name, COLUMN_NAMES[c]) == 0) {
        if (grid->column[c] >= 0)
          return fail_line(source, "there are two columns %s", name);
        grid->column[c] = grid->columns;
      }
  }
  for (int c = 0; c < COLUMNS; c++)
    if (grid->column[c] < 0)
      return fail_line(source, "no column %s; expected a header with i, j, gx and gy",
                       COLUMN_NAMES[c]);
  return 0;
}

static int read_value(const struct grid *grid, int column, const char *text, struct point *point) {
  const struct source *source = grid->source;
  double component;
  if (column <= COLUMN_J) {
    uint64_t *index = &point->index[column];
    const char *end = cli_scan_decimal(text, index);
    if (!end || *end != '\0' || *index >= PERLANE_MAX_PERIOD)
      return fail_line(source, "%s '%.40s' is not a whole number from 0 to %d",
                       COLUMN_NAMES[column], text, PERLANE_MAX_PERIOD - 1);
    return 0;
  }
  const char *end = cli_scan_double(text, &component);
  if (!end || *end != '\0')
    return fail_line(source, "%s '%.40s' is not a number", COLUMN_NAMES[column], text);
  point->gradient[column - COLUMN_GX] = (float)component;
  return is_component(component) ? 0 : fail_component(source, component);
}

static int read_point(struct grid *grid) {
  if (grid->count == grid->capacity) {
    const size_t capacity = grid->capacity ? 2 * grid->capacity : 1024;
    struct point *larger =
        grid->count < PERLANE_MAX_PERIOD ? realloc(grid->point, capacity * sizeof *larger) : NULL;
    if (!larger)
      return fail_line(grid->source, "not enough memory for so many points");
    grid->point = larger;
    grid->capacity = capacity;
  }
  struct point *point = &grid->point[grid->count++];
  int found = 0;
  *point = (struct point){.line = grid->source->lines.number};
  for (char *rest = grid->source->lines.text; rest; found++) {
    const char *text = next_field(&rest);
    for (int c = 0; c < COLUMNS; c++) {
      const int status = found == grid->column[c] ? read_value(grid, c, text, point) : 0;
      if (status != 0)
        return status;
    }
  }
  for (int a = 0; a < 2; a++)
    if (grid->size[a] <= point->index[a])
      grid->size[a] = point->index[a] + 1;
  return found == grid->columns
             ? 0
             : fail_line(grid->source, "%d columns; the header has %d", found, grid->columns);
}

/* In the order of the library's array, and of lines. */
static int compare_points(const void *a, const void *b) {
  const struct point *p = a, *q = b;
  for (int axis = 1; axis >= 0; axis--)
    if (p->index[axis] != q->index[axis])
      return p->index[axis] < q->index[axis] ? -1 : 1;
  return p->line < q->line ? -1 : p->line > q->line;
}

/* Sorts the points into an array, if every one is there, and once. */
static int use_points(struct grid *grid, struct cli_field *field) {
  const char *file = grid->source->file;
  const struct cli_command *command = grid->source->command;
  float *gradient = grid->count ? malloc(grid->count * 2 * sizeof *gradient) : NULL;
  if (!gradient)
    return cli_fail(command,
                    grid->count ? "'%s': not enough memory" : "'%s' has a header, but no points",
                    file);
  cli_tables_free(&field->tables); /* of saved options */
  field->tables.grid = gradient;
  qsort(grid->point, grid->count, sizeof *grid->point, compare_points);
  const uint64_t width = grid->size[0], places = width * grid->size[1];
  for (size_t n = 0; n < grid->count || n < places; n++) {
    const struct point *point = &grid->point[n];
    const uint64_t place = n < grid->count ? point->index[1] * width + point->index[0] : UINT64_MAX;
    if (n > 0 && place == n - 1)
      return cli_fail(command,
                      "'%s' line %" PRIu64 ": the point i %" PRIu64 ", j %" PRIu64
                      " again, after line %" PRIu64,
                      file, point->line, point->index[0], point->index[1], point[-1].line);
    if (place != n)
      return cli_fail(command,
                      "'%s': the point i %" PRIu64 ", j %" PRIu64
                      " is missing; by the largest i and j the grid is %" PRIu64 " x %" PRIu64,
                      file, n % width, n / width, width, grid->size[1]);
    memcpy(gradient + 2 * n, point->gradient, sizeof point->gradient);
  }
  field->params.gradient_grid = gradient;
  for (int a = 0; a < 2; a++)
    field->params.gradient_grid_count[a] = (int32_t)grid->size[a];
  return 0;
}

static int read_gradient_grid(struct source *source, struct cli_field *field) {
  struct grid grid = {.source = source};
  int status = read_header(&grid);
  while (status == 0 && source_next(source))
    status = read_point(&grid);
  if (status == 0)
    status = fail_reading(source);
  if (status == 0)
    status = use_points(&grid, field);
  free(grid.point);
  return status;
}

int cli_read_table(const struct cli_command *command, const char *file, struct cli_field *field,
                   unsigned table) {
  FILE *stream = fopen(file, "r");
  if (!stream)
    return cli_fail(command, "cannot read '%s': %s", file, strerror(errno));
  struct source source = {.command = command, .file = file, .lines = cli_lines_of(stream)};
  const int status = table == CLI_HASH_TABLE       ? read_hash_table(&source, field)
                     : table == CLI_GRADIENT_TABLE ? read_gradient_table(&source, field)
                                                   : read_gradient_grid(&source, field);
  fclose(stream);
  cli_lines_free(&source.lines);
  return status;
}
