/* SPDX-License-Identifier: MIT
 *
 * Kinds of values that options have, and numbers, which are written with a decimal point whatever
 * the locale.
 */
#ifndef PERLANE_CLI_VALUES_H
#define PERLANE_CLI_VALUES_H

#include <stdint.h>
#include <stdio.h>

#include "perlane.h"

/* Room for the text of any option's value: a curve of 32 numbers. */
enum { CLI_VALUE_TEXT = 1024 };

/* A name for one of an enumeration's values. */
struct cli_name {
  const char *name;
  int value;
};

/* The first name that a value has in a list, which ends with NULL; NULL if it has none. */
const char *cli_name_of(const struct cli_name *names, int value);

union cli_number {
  int64_t whole;
  double real;
};

struct cli_numbers {
  int count; /* 0 for the kind's `none` */
  union cli_number at[PERLANE_MAX_DIMS];
};

/* A kind of value: a list of numbers if max_count is not 0, one of a list of names, or what
 * functions of its own make of a text. */
struct cli_kind {
  const char *expected; /* a phrase; not needed where there is a list of names */
  const char *none;     /* the text of no name, and of no numbers */

  /* A struct cli_numbers. */
  int min_count, max_count;
  int is_whole, is_nonzero;
  int is_size;    /* with x instead of commas, and k for 1024 and M for 1048576 */
  int takes_none; /* the text of `none` is a value */
  union cli_number min, max;
  int (*accepts)(const struct cli_numbers *numbers); /* further conditions, or NULL */

  /* An int: a value with a name, or the index of a name, -1 for none. */
  const struct cli_name *names;
  const char *(*list)(int index); /* NULL beyond the last */

  int (*parse)(const char *text, void *value); /* 1, or 0 if text is not of this kind */
  void (*print)(FILE *stream, const void *value);
};

extern const struct cli_kind CLI_TEXT, CLI_FILE;

/* An int: 1 for "on" and for the option alone, 0 for "off". */
extern const struct cli_kind CLI_SWITCH;

/* Each reads one number at the very start of text, with '.' as the decimal point, and returns
 * what follows it, or NULL if there is none or it is out of range. A double beyond range is
 * infinite. */
const char *cli_scan_double(const char *text, double *value);
const char *cli_scan_decimal(const char *text, uint64_t *value);

/* Prints a number with the fewest digits that identify it, as a double or as a float. */
void cli_print_real(FILE *stream, double value, int is_float);

/* Read and print a list of numbers; cli_numbers_set returns 0 if text is not of this kind. */
int cli_numbers_set(const struct cli_kind *kind, const char *text, struct cli_numbers *numbers);
void cli_numbers_print(FILE *stream, const struct cli_kind *kind,
                       const struct cli_numbers *numbers);

extern const struct cli_kind CLI_ISA; /* a perlane_isa */

/* Returns why an instruction set cannot be used here, as a phrase. */
const char *cli_isa_problem(perlane_isa isa);

#endif
