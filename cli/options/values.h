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

/* A name for one of an enumeration's values. */
struct cli_name {
  const char *name;
  int value;
};

/* The first name that a value has in a list, which ends with NULL. */
const char *cli_name_of(const struct cli_name *names, int value);

/* A kind of value: one of a list of names, or what functions of its own make of a text. */
struct cli_kind {
  const char *expected;                        /* a phrase; not needed where there is a list */
  const struct cli_name *names;                /* of an enumeration; NULL for other kinds */
  int (*parse)(const char *text, void *value); /* 1, or 0 if text is not of this kind */
  void (*print)(FILE *stream, const void *value);
  const char *(*list)(int index); /* the names of all values, then NULL; if they are few */
  const void *(*item)(int index); /* what the value, a pointer, is for each name; NULL is `none` */
  const char *none;
};

extern const struct cli_kind CLI_TEXT, CLI_FILE;

/* An int: 1 for "on" and for the option alone, 0 for "off". */
extern const struct cli_kind CLI_SWITCH;

/* Each reads one number at the very start of text, with '.' as the decimal point, and returns
 * what follows it, or NULL if there is none or it is out of range. A double beyond range is
 * infinite. */
const char *cli_scan_double(const char *text, double *value);
const char *cli_scan_i64(const char *text, int64_t *value);
const char *cli_scan_decimal(const char *text, uint64_t *value);

/* The same for sizes and counts, which may end in k for 1024 or M for 1048576. */
const char *cli_scan_count(const char *text, uint64_t *value);

/* Print with the fewest digits that identify the value. */
void cli_print_double(FILE *stream, double value);
void cli_print_float(FILE *stream, float value);

extern const struct cli_kind CLI_ISA; /* a perlane_isa */

/* Returns why an instruction set cannot be used here, as a phrase. */
const char *cli_isa_problem(perlane_isa isa);

#endif
