/* SPDX-License-Identifier: MIT
 *
 * Parsing and printing of single values.
 */
#include "options/values.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Numbers ---- */

const char *cli_scan_double(const char *text, double *value) {
  if (strchr(" \t\n\v\f\r", *text)) /* strtod would pass over these; '\0' is found too */
    return NULL;
  char *end;
  *value = strtod(text, &end);
  return end == text ? NULL : end;
}

/* strtoull would also take "-1", "+1" and " 1", and strtoll the latter two. */
const char *cli_scan_decimal(const char *text, uint64_t *value) {
  char *end;
  errno = 0;
  *value = strtoull(text, &end, 10);
  return isdigit((unsigned char)*text) && errno == 0 ? end : NULL;
}

static const char *scan_i64(const char *text, int64_t *value) {
  char *end;
  errno = 0;
  *value = strtoll(text, &end, 10);
  return isdigit((unsigned char)text[*text == '-']) && errno == 0 ? end : NULL;
}

void cli_print_real(FILE *stream, double value, int is_float) {
  char text[40];
  double read;
  int digits = is_float ? FLT_DIG : DBL_DIG;
  do {
    snprintf(text, sizeof text, "%.*g", digits, value);
    read = strtod(text, NULL);
  } while ((is_float ? (float)read != (float)value : read != value) && digits++ < DBL_DECIMAL_DIG);
  fputs(text, stream);
}

/* ---- Lists of numbers ---- */

static const char *scan_whole(const struct cli_kind *kind, const char *text, int64_t *value) {
  const char *end = scan_i64(text, value);
  if (!end)
    return NULL;
  const int is_kilo = *end == 'k' || *end == 'K', is_mega = *end == 'M';
  if (kind->is_size && (is_kilo || is_mega)) {
    const int64_t unit = is_kilo ? 1024 : 1048576;
    if (*value < 0 || *value > INT64_MAX / unit)
      return NULL;
    *value *= unit;
    end++;
  }
  return *value >= kind->min.whole && *value <= kind->max.whole ? end : NULL;
}

static const char *scan_real(const struct cli_kind *kind, const char *text, double *value) {
  const char *end = cli_scan_double(text, value);
  return end && *value >= kind->min.real && *value <= kind->max.real &&
                 (*value != 0 || !kind->is_nonzero)
             ? end
             : NULL;
}

int cli_numbers_set(const struct cli_kind *kind, const char *text, struct cli_numbers *numbers) {
  struct cli_numbers list = {0};
  if (kind->takes_none && strcmp(text, kind->none) == 0) {
    *numbers = list;
    return 1;
  }
  for (;; text++) {
    union cli_number *number = &list.at[list.count++];
    text = kind->is_whole ? scan_whole(kind, text, &number->whole)
                          : scan_real(kind, text, &number->real);
    if (!text || *text == '\0' || list.count == kind->max_count)
      break;
    if (kind->is_size ? *text != 'x' && *text != 'X' : *text != ',')
      return 0;
  }
  if (!text || *text != '\0' || list.count < kind->min_count ||
      (kind->accepts && !kind->accepts(&list)))
    return 0;
  *numbers = list;
  return 1;
}

void cli_numbers_print(FILE *stream, const struct cli_kind *kind,
                       const struct cli_numbers *numbers) {
  if (numbers->count == 0)
    fputs(kind->none, stream);
  for (int i = 0; i < numbers->count; i++) {
    if (i > 0)
      fputc(kind->is_size ? 'x' : ',', stream);
    if (kind->is_whole)
      fprintf(stream, "%" PRId64, numbers->at[i].whole);
    else
      cli_print_real(stream, numbers->at[i].real, 0);
  }
}

/* ---- Other kinds of values ---- */

static int parse_text(const char *text, void *value) {
  *(const char **)value = text;
  return 1;
}

static void print_text(FILE *stream, const void *value) {
  const char *text = *(const char *const *)value;
  if (text)
    fprintf(stream, "'%s'", text);
  else
    fputs("none", stream);
}

static int parse_switch(const char *text, void *value) {
  const int on = !text || strcmp(text, "on") == 0;
  if (on || strcmp(text, "off") == 0)
    *(int *)value = on;
  else
    return 0;
  return 1;
}

static void print_switch(FILE *stream, const void *value) {
  fputs(*(const int *)value ? "on" : "off", stream);
}

const struct cli_kind CLI_TEXT = {.expected = "a text", .parse = parse_text, .print = print_text};
const struct cli_kind CLI_FILE = {
    .expected = "the name of a file", .parse = parse_text, .print = print_text};
const struct cli_kind CLI_SWITCH = {
    .expected = "on or off", .parse = parse_switch, .print = print_switch};

const char *cli_name_of(const struct cli_name *names, int value) {
  while (names->name && names->value != value)
    names++;
  return names->name;
}

/* ---- Instruction sets ---- */

static const char *isa_name(int index) {
  return index < PERLANE_ISA_COUNT ? perlane_isa_name((perlane_isa)index) : NULL;
}

const struct cli_kind CLI_ISA = {.list = isa_name};

const char *cli_isa_problem(perlane_isa isa) {
  return perlane_isa_built_in(isa) ? "this CPU does not support it"
                                   : "this build has no kernels for it: it is not supported here";
}
