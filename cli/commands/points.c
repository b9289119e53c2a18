/* SPDX-License-Identifier: MIT
 *
 * perlane points: the field's value at each position on the standard input, one a line.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "commands/commands.h"
#include "field/field.h"
#include "field/lines.h"
#include "options/options.h"
#include "field/saved.h"
#include "map/map.h"
#include "map/picture.h"

static const struct cli_command POINTS = {
    .name = "points",
    .synopsis = "[OPTION]... <POSITIONS >VALUES",
    .about = "Reads positions from the standard input, one a line: 1 to 4 coordinates, decimal\n"
             "or hexadecimal, separated by blanks or commas. Blank lines and lines that begin\n"
             "with # are passed over. Prints the field's value at each, in double precision\n"
             "positions: 9 digits, which identify a float, or nan for a position outside the\n"
             "domain.",
    .examples = "The value at one position in the plane.\n"
                "  echo 12.5 -3 | perlane points --octaves 6\n"
                "The value of a map's field between its pixels.\n"
                "  echo 100.5 20.25 | perlane points --params-of map.png\n"
                "A file of positions in space, and of each value the bits.\n"
                "  perlane points --dims 3 --bits-out <positions.csv\n"
                "Perlin's noise of 2002.\n"
                "  echo 3.14,42,7 | perlane points --preset improved\n"
                "The value and its slopes along x and y, for normals.\n"
                "  echo 1.5 2.5 | perlane points --preset pnoise --period 64,64 --with-gradient\n",
};

struct points_options {
  int32_t dims; /* 0 for any: as many as the first line has */
  int with_gradient;
  int bits_out;
};

static int parse_dims(const char *text, void *value) {
  if (strcmp(text, "any") == 0) {
    *(int32_t *)value = 0;
    return 1;
  }
  if (text[0] < '1' || text[0] > '0' + PERLANE_MAX_DIMS || text[1] != '\0')
    return 0;
  *(int32_t *)value = text[0] - '0';
  return 1;
}

static void print_dims(FILE *stream, const void *value) {
  if (*(const int32_t *)value == 0)
    fputs("any", stream);
  else
    fprintf(stream, "%" PRId32, *(const int32_t *)value);
}

static const struct cli_kind DIMS = {
    .expected = "1, 2, 3, 4 or any",
    .parse = parse_dims,
    .print = print_dims,
};

static const struct cli_option OPTIONS[] = {
    {
        .heading = "Input and output",
        .name = "dims",
        .placeholder = "N",
        .kind = &DIMS,
        .offset = offsetof(struct points_options, dims),
        .help = "Coordinates on every line, 1 to 4; any for as many as the first line has.",
    },
    {
        .name = "with-gradient",
        .kind = &CLI_SWITCH,
        .offset = offsetof(struct points_options, with_gradient),
        .help =
            "Prints after each value its derivatives along the axes, in units of value per unit "
            "of position, separated by blanks.",
    },
    {
        .name = "bits-out",
        .kind = &CLI_SWITCH,
        .offset = offsetof(struct points_options, bits_out),
        .help = "Prints each float's 32 bits as 8 hexadecimal digits.",
    },
};

static struct cli_group points_group(struct points_options *options) {
  static const struct points_options defaults;
  return (struct cli_group){
      .option = OPTIONS,
      .count = sizeof OPTIONS / sizeof OPTIONS[0],
      .values = options,
      .defaults = &defaults,
  };
}

struct cli_group cli_points_foreign(void) {
  static struct points_options unused;
  struct cli_group group = points_group(&unused);
  group.is_foreign = 1;
  return group;
}

/* A run of the command. */
struct points {
  const struct cli_command_line *line;
  struct points_options options;
  struct cli_field field;
  perlane_noise noise;
  struct cli_lines lines;
};

/* 0 if the number could not be written. */
static int print_number(float number, int bits_out) {
  if (bits_out) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return printf("%08" PRIx32, bits) > 0;
  }
  if (isnan(number))
    return printf("nan") > 0;
  return printf("%.9g", (double)number) > 0;
}

static int print_sample(const struct points *points, const double *position) {
  const struct points_options *options = &points->options;
  if (!options->with_gradient)
    return print_number(perlane_at(&points->noise, options->dims, position), options->bits_out) &&
           putchar('\n') != EOF;
  float gradient[PERLANE_MAX_DIMS];
  const float value = perlane_at_gradient(&points->noise, options->dims, position, gradient);
  int printed = print_number(value, options->bits_out);
  for (int32_t a = 0; a < options->dims; a++)
    printed = printed && putchar(' ') != EOF && print_number(gradient[a], options->bits_out);
  return printed && putchar('\n') != EOF;
}

static int fail_count(const struct points *points, int count) {
  const int32_t dims = points->options.dims;
  const uint64_t number = points->lines.number;
  fflush(stdout); /* the values of the lines before */
  if (dims == 0)
    return cli_fail(&POINTS, "line %" PRIu64 ": %d coordinates; expected 1 to 4", number, count);
  return cli_fail(&POINTS, "line %" PRIu64 ": %d coordinate%s; expected %" PRId32, number, count,
                  count == 1 ? "" : "s", dims);
}

/* Whether the field has values, and gradients if they are wanted, in dims dimensions. */
static int check_field(const struct points *points, int32_t dims) {
  const int status = cli_field_check_dims(points->line, &points->field, &points->noise, dims);
  if (status != 0 || !points->options.with_gradient)
    return status;
  const perlane_status gradient =
      perlane_points_gradient(&points->noise, dims, 0, NULL, NULL, NULL);
  return gradient == PERLANE_OK
             ? 0
             : cli_refuse(&POINTS, "--with-gradient: %s", perlane_status_string(gradient));
}

static int evaluate_line(struct points *points) {
  struct points_options *options = &points->options;
  const char *text = cli_skip_blanks(points->lines.text);
  if (*text == '\0' || *text == '#')
    return 0;
  double position[PERLANE_MAX_DIMS];
  const char *wrong;
  const int count = cli_scan_numbers(text, PERLANE_MAX_DIMS, position, &wrong);
  if (count < 0) {
    fflush(stdout);
    return cli_fail(&POINTS, "line %" PRIu64 ": not a number: '%.*s'", points->lines.number,
                    cli_shown_length(wrong), wrong);
  }
  if (count > PERLANE_MAX_DIMS || (options->dims != 0 && count != options->dims))
    return fail_count(points, count);
  if (options->dims == 0) {
    const int status = check_field(points, count);
    if (status != 0)
      return status;
    options->dims = count;
  }
  if (!print_sample(points, position))
    return cli_fail(&POINTS, "cannot write to the standard output: %s", strerror(errno));
  return 0;
}

static int evaluate_input(struct points *points) {
  int status = points->options.dims == 0 ? 0 : check_field(points, points->options.dims);
  points->lines = cli_lines_of(stdin);
  while (status == 0 && cli_lines_next(&points->lines))
    status = evaluate_line(points);
  if (status == 0 && points->lines.problem) {
    fflush(stdout);
    status = cli_fail(&POINTS, "cannot read line %" PRIu64 ": %s", points->lines.number,
                      points->lines.problem);
  }
  cli_lines_free(&points->lines);
  return status;
}

int cli_points(int argc, char **argv) {
  static struct cli_map_options map;
  static struct cli_picture picture;
  enum { OWN, FIELD, MAP, PICTURE, GROUPS };
  struct cli_group group[GROUPS];
  const struct cli_command_line line = {&POINTS, group, GROUPS};
  struct points points = {.line = &line, .field = cli_field_default()};
  group[OWN] = points_group(&points.options);
  group[FIELD] = cli_field_group(&points.field);
  group[MAP] = cli_map_group(&map);
  group[PICTURE] = cli_picture_group(&picture);
  group[MAP].is_foreign = group[PICTURE].is_foreign = 1;
  int status = cli_parse(&line, argc, argv);
  if (status == CLI_PARSED) {
    const int32_t dims = points.options.dims;
    status = cli_field_make(&line, &points.field, &points.noise);
    if (status == 0)
      status = evaluate_input(&points);
    points.options.dims = dims; /* as many as the first line has is not what was asked for */
    if (status == 0)
      status = cli_save_params(&line, &points.field);
    if (status == 0)
      status = cli_finish_stdout(&POINTS);
  }
  cli_field_free(&points.field);
  return status;
}
