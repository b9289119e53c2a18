/* SPDX-License-Identifier: MIT
 *
 * perlane points: reads positions from the standard input, one per line, and prints the field's
 * value at each on the same line of the standard output.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"

static const struct cli_command POINTS = {
    .name = "points",
    .synopsis = "[OPTION]... <POSITIONS >VALUES",
    .about = "Reads positions from the standard input, one per line: 1 to 4 coordinates,\n"
             "decimal or hexadecimal, separated by blanks or commas. Prints the value at each\n"
             "position, with 9 digits, which identify a float; positions are read in double\n"
             "precision. Line n of the output belongs to line n of the input: blank lines and\n"
             "comments, which begin with #, are printed as they are.\n"
             "\n"
             "The value of a position outside the domain is nan. Such positions are counted on\n"
             "stderr at the end; the exit status is still 0.",
    .examples = "The value at one position in the plane.\n"
                "  $ echo 12.5 -3 | perlane points --octaves 6\n"
                "The value of a map's field between its pixels.\n"
                "  $ echo 100.5 20.25 | perlane points --params-of map.png\n"
                "The bits of the values at a file of positions in space.\n"
                "  $ perlane points --dims 3 --bits-out <positions.csv\n"
                "Perlin's noise of 2002.\n"
                "  $ echo 3.14,42,7 | perlane points --preset improved\n"
                "The value and its slopes along x and y, for normals.\n"
                "  $ echo 1.5 2.5 | perlane points --preset pnoise --period 8,8 --with-gradient\n",
};

enum { MAX_LINE = 1 << 20 };

/* A run of the command. */
struct points {
  struct cli_request request;
  char text[MAX_LINE + 1];     /* a line, without its final LF or CR LF */
  uint64_t line;               /* its number */
  uint64_t positions, outside; /* so far; outside the domain */
};

/* Reads the next line. Returns 0 if there is none, or with *problem. */
static int next_line(struct points *points, const char **problem) {
  char *text = points->text;
  size_t length = 0;
  int next = 0;
  points->line++;
  while (length < MAX_LINE && (next = getc_unlocked(stdin)) > 0 && next != '\n')
    text[length++] = (char)next;
  *problem = length == MAX_LINE             ? "it is longer than 1 MiB"
             : next == 0                    ? "a zero byte, so this is no text"
             : next == EOF && ferror(stdin) ? strerror(errno)
                                            : NULL;
  if (*problem || (next == EOF && length == 0))
    return 0;
  text[length - (length > 0 && text[length - 1] == '\r')] = '\0';
  if (points->line == 1)
    memmove(text, cli_skip_mark(text), strlen(cli_skip_mark(text)) + 1);
  return 1;
}

static const char *skip_blanks(const char *text) {
  return text + strspn(text, " \t");
}

/* Reads a number of a line, and moves *text past it and the blanks and the comma after it. Returns
 * 0 if there is none, or if something else follows it at once. */
static int next_number(const char **text, double *number) {
  const char *end = cli_scan_double(*text, number);
  if (!end || !strchr(" \t,#", *end)) /* strchr also finds the end of the line */
    return 0;
  end = skip_blanks(end);
  *text = *end == ',' ? skip_blanks(end + 1) : end;
  return 1;
}

/* Returns how many characters a message shows of a text that is not a number. */
static int shown_length(const char *wrong) {
  const size_t length = strcspn(wrong, " \t,");
  return length < 40 ? (int)length : 40;
}

static int print_number(float number, int bits_out) {
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  if (bits_out)
    return printf("%08" PRIx32, bits) > 0;
  return (isnan(number) ? printf("nan") : printf("%.9g", (double)number)) > 0;
}

/* Returns 0 if the line could not be written. */
static int print_sample(struct points *points, const double *position) {
  const struct cli_points *options = &points->request.points;
  const perlane_noise *noise = &points->request.field.noise;
  float gradient[PERLANE_MAX_DIMS];
  const float value = options->with_gradient
                          ? perlane_at_gradient(noise, options->dims, position, gradient)
                          : perlane_at(noise, options->dims, position);
  points->positions++;
  points->outside += isnan(value) != 0;
  int printed = print_number(value, options->bits_out);
  for (int32_t a = 0; options->with_gradient && a < options->dims; a++)
    printed = printed && putchar(' ') != EOF && print_number(gradient[a], options->bits_out);
  return printed && putchar('\n') != EOF;
}

/* Checks that the field has values, and gradients if they are wanted, in dims dimensions. */
static int check_field(const struct cli_request *request, int32_t dims) {
  const int status = cli_field_check_dims(&request->field, dims);
  if (status != 0 || !request->points.with_gradient)
    return status;
  const perlane_list empty = {.dims = dims};
  float *const none[PERLANE_MAX_DIMS] = {NULL};
  const perlane_status gradient = perlane_points(&request->field.noise, &empty, NULL, none);
  return gradient == PERLANE_OK
             ? 0
             : cli_refuse("--with-gradient: %s", perlane_status_string(gradient));
}

/* Evaluates the numbers of a line, or prints it if it has none. */
static int evaluate_line(struct points *points) {
  int32_t *dims = &points->request.points.dims;
  const char *text = skip_blanks(points->text);
  double position[PERLANE_MAX_DIMS], number;
  int status = 0, printed = 1, count = 0;
  if (*text == '\0' || *text == '#') {
    printed = puts(points->text) != EOF;
  } else {
    for (; *text != '\0' && next_number(&text, &number); count++)
      if (count < PERLANE_MAX_DIMS)
        position[count] = number;
    if (*text != '\0')
      status = cli_fail("line %" PRIu64 ": not a number: '%.*s'", points->line, shown_length(text),
                        text);
    else if (*dims != 0 ? count != *dims : count > PERLANE_MAX_DIMS)
      status =
          cli_fail("line %" PRIu64 ": %d coordinate%s; expected %s%" PRId32, points->line, count,
                   count == 1 ? "" : "s", *dims ? "" : "1 to ", *dims ? *dims : PERLANE_MAX_DIMS);
    else if (*dims == 0)
      status = check_field(&points->request, count);
    *dims = count;
    if (status == 0)
      printed = print_sample(points, position);
  }
  return printed ? status : cli_fail("cannot write to the standard output: %s", strerror(errno));
}

static int check(struct cli_request *request) {
  return request->points.dims == 0 ? 0 : check_field(request, request->points.dims);
}

static int evaluate_input(struct cli_request *request) {
  struct points *points = (struct points *)(void *)request;
  const char *problem = NULL;
  int status = 0;
  while (status == 0 && next_line(points, &problem))
    status = evaluate_line(points);
  if (status == 0 && problem)
    status = cli_fail("cannot read line %" PRIu64 ": %s", points->line, problem);
  if (status == 0)
    status = cli_finish_stdout();
  else
    fflush(stdout); /* prints the values of the lines before the message */
  if (points->outside > 0)
    cli_note("outside the domain, where the value is nan: %" PRIu64 " of %" PRIu64 " positions",
             points->outside, points->positions);
  return status;
}

int cli_points(char **argv) {
  static struct points points;
  memset(&points, 0, sizeof points);
  cli_request_begin(&points.request, &POINTS, CLI_POINTS);
  return cli_request_run(&points.request, argv, check, evaluate_input);
}
