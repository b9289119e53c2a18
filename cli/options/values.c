/* SPDX-License-Identifier: MIT
 *
 * Parsing and printing of single values.
 */
#include "options/values.h"

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

static int digit_of(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return 16;
}

/* strtoull would take "-1" and " 1". */
static const char *scan_digits(const char *text, int base, uint64_t *value) {
  const char *p = text;
  uint64_t sum = 0;
  for (; digit_of(*p) < base; p++) {
    const uint64_t digit = (uint64_t)digit_of(*p);
    if (sum > (UINT64_MAX - digit) / (uint64_t)base)
      return NULL;
    sum = sum * (uint64_t)base + digit;
  }
  *value = sum;
  return p == text ? NULL : p;
}

const char *cli_scan_decimal(const char *text, uint64_t *value) {
  return scan_digits(text, 10, value);
}

const char *cli_scan_count(const char *text, uint64_t *value) {
  uint64_t number;
  const char *end = cli_scan_decimal(text, &number);
  if (!end)
    return NULL;
  const int shift = *end == 'k' || *end == 'K' ? 10 : *end == 'M' ? 20 : 0;
  if (number > UINT64_MAX >> shift)
    return NULL;
  *value = number << shift;
  return end + (shift != 0);
}

const char *cli_scan_i64(const char *text, int64_t *value) {
  const int negative = *text == '-';
  uint64_t magnitude;
  const char *end = cli_scan_decimal(text + negative, &magnitude);
  if (!end || magnitude > (uint64_t)INT64_MAX + (uint64_t)negative)
    return NULL;
  if (!negative)
    *value = (int64_t)magnitude;
  else
    *value = magnitude == 0 ? 0 : -(int64_t)(magnitude - 1) - 1; /* INT64_MIN has no opposite */
  return end;
}

void cli_print_double(FILE *stream, double value) {
  char text[40];
  for (int digits = DBL_DIG; digits <= DBL_DECIMAL_DIG; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value)
      break;
  }
  fputs(text, stream);
}

/* ---- Kinds of values ---- */

static int parse_u64(const char *text, void *value) {
  const int hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  const char *end = scan_digits(text + (hexadecimal ? 2 : 0), hexadecimal ? 16 : 10, value);
  return end && *end == '\0';
}

static void print_u64(FILE *stream, const void *value) {
  fprintf(stream, "%" PRIu64, *(const uint64_t *)value);
}

static int parse_int32(const char *text, void *value) {
  int64_t wide;
  const char *end = cli_scan_i64(text, &wide);
  if (!end || *end != '\0' || wide < INT32_MIN || wide > INT32_MAX)
    return 0;
  *(int32_t *)value = (int32_t)wide;
  return 1;
}

static void print_int32(FILE *stream, const void *value) {
  fprintf(stream, "%" PRId32, *(const int32_t *)value);
}

/* "inf" and "nan" are numbers here: whether a field can have them is the library's to say. */
static int parse_double(const char *text, void *value) {
  errno = 0;
  const char *end = cli_scan_double(text, value);
  return end && *end == '\0' && !(errno == ERANGE && isinf(*(double *)value));
}

static void print_double(FILE *stream, const void *value) {
  cli_print_double(stream, *(const double *)value);
}

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

const struct cli_kind CLI_U64 = {
    .expected = "a whole number from 0 to 18446744073709551615, decimal or 0x hexadecimal",
    .parse = parse_u64,
    .print = print_u64,
};
const struct cli_kind CLI_INT32 = {
    .expected = "a whole number from -2147483648 to 2147483647",
    .parse = parse_int32,
    .print = print_int32,
};
const struct cli_kind CLI_DOUBLE = {
    .expected = "a number such as 0.5, 1e-3 or 0x1p-4, within the range of double",
    .parse = parse_double,
    .print = print_double,
};
const struct cli_kind CLI_TEXT = {
    .expected = "a text",
    .parse = parse_text,
    .print = print_text,
};
const struct cli_kind CLI_FILE = {
    .expected = "the name of a file",
    .parse = parse_text,
    .print = print_text,
};
const struct cli_kind CLI_SWITCH = {
    .expected = "on or off",
    .parse = parse_switch,
    .print = print_switch,
};

const char *cli_name_of(const struct cli_name *names, int value) {
  while (names->name && names->value != value)
    names++;
  return names->name;
}
