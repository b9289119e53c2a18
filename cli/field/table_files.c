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

static int source_open(struct source *source, const struct cli_command *command, const char *file) {
  FILE *stream = fopen(file, "r");
  if (!stream)
    return cli_fail(command, "cannot read '%s': %s", file, strerror(errno));
  *source = (struct source){.command = command, .file = file, .lines = cli_lines_of(stream)};
  return 0;
}

static void source_close(struct source *source) {
  fclose(source->lines.stream);
  cli_lines_free(&source->lines);
}

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

static int read_bytes(struct source *source, int most, int *count, int32_t *table) {
  *count = 0;
  while (source_next(source)) {
    static const char between[] = " \t,";
    const char *p = source->lines.text;
    while (*(p += strspn(p, between)) != '\0') {
      uint64_t value;
      const char *end = cli_scan_decimal(p, &value);
      if (!end || !strchr(between, *end) || value > 255)
        return fail_number(source, p, "a whole number from 0 to 255");
      if (*count == most)
        return fail_line(source, "more than %d numbers", most);
      table[(*count)++] = (int32_t)value;
      p = end;
    }
  }
  return fail_reading(source);
}

int cli_read_hash_table(const struct cli_command *command, const char *file,
                        struct cli_field *field) {
  struct source source;
  int status = source_open(&source, command, file);
  if (status != 0)
    return status;
  const int most = sizeof field->tables.hash / sizeof field->tables.hash[0];
  int *count = &field->tables.hash_count;
  status = read_bytes(&source, most, count, field->tables.hash);
  source_close(&source);
  field->params.hash_table = field->tables.hash;
  if (status == 0 && *count != 256 && *count != most)
    status = cli_fail(command, "'%s' has %d numbers; expected 256, or %d for --hash primes", file,
                      *count, most);
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

static int read_vectors(struct source *source, float *gradient, perlane_params *params) {
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
      gradient[count * dims + a] = (float)component[a];
    }
    count++;
  }
  const int status = fail_reading(source);
  if (status != 0)
    return status;
  if (count < 2)
    return cli_fail(source->command, "'%s' has %s; expected 2 to 256, one a line", source->file,
                    count == 0 ? "no vectors" : "1 vector");
  params->gradient_dims = dims;
  params->gradient_count = count;
  return 0;
}

int cli_read_gradient_table(const struct cli_command *command, const char *file,
                            struct cli_field *field) {
  struct source source;
  int status = source_open(&source, command, file);
  if (status != 0)
    return status;
  status = read_vectors(&source, field->tables.gradient, &field->params);
  source_close(&source);
  field->params.gradient_table = field->tables.gradient;
  return status;
}

/* ---- A grid of gradients ---- */

enum { COLUMN_I, COLUMN_J, COLUMN_GX, COLUMN_GY, COLUMN_COUNT };

static const char *const COLUMNS[COLUMN_COUNT] = {"i", "j", "gx", "gy"};

struct point {
  uint64_t line;
  uint32_t index[2]; /* i, j */
  float gradient[2];
};

/* The points of a file in its order. */
struct points {
  struct point *point;
  size_t count, capacity;
  uint32_t size[2]; /* the largest i and j, plus one */
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

/* Finds out which of the header's fields, counted from 0, each column is. */
static int read_header(struct source *source, int place[COLUMN_COUNT], int *fields) {
  for (int c = 0; c < COLUMN_COUNT; c++)
    place[c] = -1;
  *fields = 0;
  if (!source_next(source)) {
    const int status = fail_reading(source);
    return status != 0 ? status : cli_fail(source->command, "'%s' is empty", source->file);
  }
  for (char *rest = source->lines.text; rest; ++*fields) {
    const char *name = next_field(&rest);
    for (int c = 0; c < COLUMN_COUNT; c++) {
      if (strcmp(name, COLUMNS[c]) != 0)
        continue;
      if (place[c] >= 0)
        return fail_line(source, "there are two columns %s", name);
      place[c] = *fields;
    }
  }
  for (int c = 0; c < COLUMN_COUNT; c++)
    if (place[c] < 0)
      return fail_line(source, "no column %s; expected a header with i, j, gx and gy", COLUMNS[c]);
  return 0;
}

static int read_value(const struct source *source, int column, const char *text,
                      struct point *point) {
  if (column == COLUMN_I || column == COLUMN_J) {
    uint64_t index;
    const char *end = cli_scan_decimal(text, &index);
    if (!end || *end != '\0' || index >= PERLANE_MAX_PERIOD)
      return fail_line(source, "%s '%.40s' is not a whole number from 0 to %d", COLUMNS[column],
                       text, PERLANE_MAX_PERIOD - 1);
    point->index[column == COLUMN_J] = (uint32_t)index;
    return 0;
  }
  double component;
  const char *end = cli_scan_double(text, &component);
  if (!end || *end != '\0')
    return fail_line(source, "%s '%.40s' is not a number", COLUMNS[column], text);
  if (!is_component(component))
    return fail_component(source, component);
  point->gradient[column == COLUMN_GY] = (float)component;
  return 0;
}

static int read_point(const struct source *source, const int place[COLUMN_COUNT], int fields,
                      struct point *point) {
  int found = 0;
  *point = (struct point){.line = source->lines.number};
  for (char *rest = source->lines.text; rest; found++) {
    const char *text = next_field(&rest);
    for (int c = 0; c < COLUMN_COUNT; c++) {
      const int status = found == place[c] ? read_value(source, c, text, point) : 0;
      if (status != 0)
        return status;
    }
  }
  if (found != fields)
    return fail_line(source, "%d columns; the header has %d", found, fields);
  return 0;
}

static int points_grow(struct points *points) {
  const size_t capacity = points->capacity ? 2 * points->capacity : 1024;
  struct point *point = realloc(points->point, capacity * sizeof *point);
  if (!point)
    return 0;
  points->point = point;
  points->capacity = capacity;
  return 1;
}

static int read_points(struct source *source, struct points *points) {
  int place[COLUMN_COUNT], fields;
  int status = read_header(source, place, &fields);
  if (status != 0)
    return status;
  while (source_next(source)) {
    if (points->count == PERLANE_MAX_PERIOD)
      return fail_line(source, "more than %d points", PERLANE_MAX_PERIOD);
    if (points->count == points->capacity && !points_grow(points))
      return fail_line(source, "not enough memory for so many points");
    struct point *point = &points->point[points->count];
    status = read_point(source, place, fields, point);
    if (status != 0)
      return status;
    points->count++;
    for (int a = 0; a < 2; a++)
      if (points->size[a] <= point->index[a])
        points->size[a] = point->index[a] + 1;
  }
  status = fail_reading(source);
  if (status == 0 && points->count == 0)
    status = cli_fail(source->command, "'%s' has a header, but no points", source->file);
  return status;
}

static size_t place_of(const struct points *points, const struct point *point) {
  return (size_t)point->index[1] * points->size[0] + point->index[0];
}

/* Whether every point is there, and once. A stray index makes a size that memory need not have:
 * among one place more than there are points, one is free. */
static int check_points(const struct source *source, const struct points *points) {
  const uint64_t size = (uint64_t)points->size[0] * points->size[1];
  const size_t looked_at = size < points->count + 1 ? (size_t)size : points->count + 1;
  /* Of the point at each place.
   * NOLINTNEXTLINE(clang-analyzer-optin.portability.UnixAPI): read_points has found one */
  uint64_t *line = calloc(looked_at, sizeof *line);
  int status = 0;
  if (!line)
    return cli_fail(source->command, "%s", strerror(ENOMEM));
  for (size_t n = 0; n < points->count && status == 0; n++) {
    const struct point *point = &points->point[n];
    const size_t place = place_of(points, point);
    if (place >= looked_at)
      continue;
    if (line[place] != 0)
      status = cli_fail(source->command,
                        "'%s' line %" PRIu64 ": the point i %" PRIu32 ", j %" PRIu32
                        " again, after line %" PRIu64,
                        source->file, point->line, point->index[0], point->index[1], line[place]);
    line[place] = point->line;
  }
  for (size_t place = 0; place < looked_at && status == 0; place++)
    if (line[place] == 0)
      status = cli_fail(source->command,
                        "'%s': the point i %" PRIu32 ", j %" PRIu32
                        " is missing; by the largest i and j the grid is %" PRIu32 " x %" PRIu32,
                        source->file, (uint32_t)(place % points->size[0]),
                        (uint32_t)(place / points->size[0]), points->size[0], points->size[1]);
  free(line);
  return status;
}

static int make_grid(const struct source *source, const struct points *points,
                     struct cli_field *field) {
  float *grid = malloc(points->count * 2 * sizeof *grid);
  if (!grid)
    return cli_fail(source->command, "%s", strerror(ENOMEM));
  for (size_t n = 0; n < points->count; n++)
    memcpy(grid + 2 * place_of(points, &points->point[n]), points->point[n].gradient,
           sizeof points->point[n].gradient);
  cli_tables_free(&field->tables); /* of saved options */
  field->tables.grid = grid;
  field->params.gradient_grid = grid;
  for (int a = 0; a < 2; a++)
    field->params.gradient_grid_count[a] = (int32_t)points->size[a];
  return 0;
}

int cli_read_gradient_grid(const struct cli_command *command, const char *file,
                           struct cli_field *field) {
  struct source source;
  struct points points = {0};
  int status = source_open(&source, command, file);
  if (status != 0)
    return status;
  status = read_points(&source, &points);
  if (status == 0)
    status = check_points(&source, &points);
  if (status == 0)
    status = make_grid(&source, &points, field);
  free(points.point);
  source_close(&source);
  return status;
}
