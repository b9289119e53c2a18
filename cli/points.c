/* SPDX-License-Identifier: MIT
 *
 * perlane points: the field's value at each position on the standard input, one a line.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "commands.h"
#include "options.h"

static const struct cli_command POINTS = {
    .name = "points",
    .synopsis = "[OPTION]... <POSITIONS >VALUES",
    .about = "Reads positions from the standard input, one a line: 1 to 4 coordinates, decimal or\n"
             "hexadecimal, separated by blanks or commas. Blank lines and lines that begin with #\n"
             "are passed over. Prints the field's value at each, in double precision positions:\n"
             "9 digits, which identify a float, or nan for a position outside the domain.",
    .examples = "  echo 12.5 -3 | perlane points --octaves 6\n"
                "  perlane points --dims 3 --bits-out <positions.csv\n",
};

struct points_options {
  int32_t dims; /* 0: as many as the first line has */
  int bits_out;
};

static int parse_dims(const char *text, void *value) {
  if (text[0] < '1' || text[0] > '0' + PERLANE_MAX_DIMS || text[1] != '\0')
    return 0;
  *(int32_t *)value = text[0] - '0';
  return 1;
}

static void print_dims(FILE *stream, const void *value) {
  if (*(const int32_t *)value == 0)
    fputs("as many as the first line has", stream);
  else
    fprintf(stream, "%" PRId32, *(const int32_t *)value);
}

static const struct cli_kind DIMS = {
    .wrong = "impossible number of dimensions",
    .expected = "1, 2, 3 or 4",
    .parse = parse_dims,
    .print = print_dims,
};

static const struct cli_option OPTIONS[] = {
    {
        .name = "dims",
        .placeholder = "N",
        .kind = &DIMS,
        .offset = offsetof(struct points_options, dims),
        .help = "coordinates on every line, 1 to 4",
    },
    {
        .name = "bits-out",
        .kind = &CLI_FLAG,
        .offset = offsetof(struct points_options, bits_out),
        .help = "print each float's 32 bits as 8 hexadecimal digits",
    },
};

static struct cli_group points_group(struct points_options *options) {
  return (struct cli_group){
      .title = "Input and output",
      .option = OPTIONS,
      .count = sizeof OPTIONS / sizeof OPTIONS[0],
      .values = options,
  };
}

static const char *skip_blanks(const char *text) {
  return text + strspn(text, " \t");
}

/* Reads the coordinates of a line that begins with no blank, of which it keeps the first four.
 * Returns how many there are, or -1 with *wrong at the text that is no number. */
static int scan_position(const char *line, double position[PERLANE_MAX_DIMS], const char **wrong) {
  int count = 0;
  const char *p = line;
  for (;;) {
    double value;
    const char *end = cli_scan_double(p, &value);
    *wrong = p;
    if (!end || !strchr(" \t,", *end)) /* which finds the end of the line too */
      return -1;
    if (count < PERLANE_MAX_DIMS)
      position[count] = value;
    if (count < INT32_MAX)
      count++;
    p = skip_blanks(end);
    if (*p == '\0')
      return count;
    if (*p == ',')
      p = skip_blanks(p + 1);
  }
}

/* 0 if the value could not be written. */
static int print_value(float value, int bits_out) {
  if (bits_out) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return printf("%08" PRIx32 "\n", bits) > 0;
  }
  if (isnan(value))
    return puts("nan") != EOF;
  return printf("%.9g\n", (double)value) > 0;
}

/* Says what is wrong with a line once the values of those before it are out. */
static int fail_line(uint64_t number, const char *problem, const char *text, int length) {
  fflush(stdout);
  return cli_fail(&POINTS, "line %" PRIu64 ": %s'%.*s'", number, problem, length, text);
}

static int fail_count(uint64_t number, int count, int32_t dims) {
  fflush(stdout);
  if (dims == 0)
    return cli_fail(&POINTS, "line %" PRIu64 ": %d coordinates; expected 1 to 4", number, count);
  return cli_fail(&POINTS, "line %" PRIu64 ": %d coordinate%s; expected %" PRId32, number, count,
                  count == 1 ? "" : "s", dims);
}

static int evaluate_line(const perlane_noise *noise, struct points_options *options, char *line,
                         size_t length, uint64_t number) {
  if (length > 0 && line[length - 1] == '\n')
    line[--length] = '\0';
  if (length > 0 && line[length - 1] == '\r')
    line[--length] = '\0';
  if (strlen(line) != length)
    return fail_line(number, "a zero byte after ", line, (int)strnlen(line, 40));
  const char *text = skip_blanks(line);
  if (*text == '\0' || *text == '#')
    return 0;

  double position[PERLANE_MAX_DIMS];
  const char *wrong;
  const int count = scan_position(text, position, &wrong);
  if (count < 0) {
    const size_t shown = strcspn(wrong, " \t,");
    return fail_line(number, "not a number: ", wrong, shown < 40 ? (int)shown : 40);
  }
  if (count > PERLANE_MAX_DIMS || (options->dims != 0 && count != options->dims))
    return fail_count(number, count, options->dims);
  options->dims = count;
  if (!print_value(perlane_at(noise, count, position), options->bits_out))
    return cli_fail(&POINTS, "cannot write to the standard output: %s", strerror(errno));
  return 0;
}

static int evaluate_input(const perlane_noise *noise, struct points_options *options) {
  char *line = NULL;
  size_t capacity = 0;
  int status = 0;
  for (uint64_t number = 1; status == 0; number++) {
    errno = 0;
    const ssize_t length = getline(&line, &capacity, stdin);
    if (length < 0) {
      if (!feof(stdin))
        status = cli_fail(&POINTS, "cannot read line %" PRIu64 ": %s", number, strerror(errno));
      break;
    }
    status = evaluate_line(noise, options, line, (size_t)length, number);
  }
  free(line);
  return status;
}

int cli_points(int argc, char **argv) {
  struct cli_field field = cli_field_default();
  struct points_options options = {0};
  struct cli_group groups[] = {points_group(&options), cli_field_group(&field)};
  switch (cli_parse(&POINTS, argc, argv, groups, 2)) {
  case CLI_PARSED:
    break;
  case CLI_WANTS_HELP:
    field = cli_field_default();
    options = (struct points_options){0};
    return cli_help(&POINTS, groups, 2);
  case CLI_WRONG:
    return CLI_USAGE;
  }
  perlane_noise noise;
  int status = cli_field_make(&POINTS, &groups[1], &noise);
  if (status == 0)
    status = evaluate_input(&noise, &options);
  return status == 0 ? cli_finish_stdout(&POINTS) : status;
}
