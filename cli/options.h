/* SPDX-License-Identifier: MIT
 *
 * Command lines from tables: an option is one line that says its name, its kind of value, where
 * the value goes and what --help tells about it. Starting values come from the structures that
 * the values go to, so that the help cannot contradict them.
 */
#ifndef PERLANE_CLI_OPTIONS_H
#define PERLANE_CLI_OPTIONS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "perlane.h"

enum { CLI_FAILURE = 1, CLI_USAGE = 2 }; /* exit statuses */

/* A kind of value. */
struct cli_kind {
  const char *wrong;                           /* what a text is that cannot be parsed */
  const char *expected;                        /* what to write instead */
  int (*parse)(const char *text, void *value); /* 1, or 0 if text is not of this kind */
  void (*print)(FILE *stream, const void *value);
  void (*list)(FILE *stream); /* all values there are, NULL if they are too many */
};

struct cli_option {
  const char *name;
  const char *placeholder; /* stands for the value in the help; NULL for an option without one */
  const struct cli_kind *kind;
  size_t offset;         /* of the value in its structure */
  char letter;           /* the short form, 0 for none */
  char required;         /* there is no starting value */
  perlane_status status; /* the library's error about this value, PERLANE_OK for none */
  const char *help;      /* lines after the first are indented by the printer */
};

/* A table of options and the structure that their values go to. */
struct cli_group {
  const char *title;
  const struct cli_option *option;
  size_t count;
  void *values;
  uint64_t given; /* bit i: option i was on the command line; hence 64 options at most */
};

struct cli_command {
  const char *name;
  const char *synopsis;
  const char *about;
  const char *examples;
};

extern const struct cli_kind CLI_U64, CLI_INT32, CLI_DOUBLE, CLI_FLAG, CLI_ISA;

/* ---- The field's options, shared by the commands that evaluate it ---- */

struct cli_field {
  perlane_params params;
  perlane_isa isa;
};

struct cli_field cli_field_default(void);
struct cli_group cli_field_group(struct cli_field *field);

/* Chooses the kernels and makes the field that a parsed group describes. Returns 0, or the exit
 * status after a message. */
int cli_field_make(const struct cli_command *command, const struct cli_group *group,
                   perlane_noise *noise);

/* ---- Command lines ---- */

enum cli_parsed { CLI_PARSED, CLI_WANTS_HELP, CLI_WRONG };

/* Parses the options of a command that takes no operands. Tells about errors on stderr. */
enum cli_parsed cli_parse(const struct cli_command *command, int argc, char **argv,
                          struct cli_group *groups, size_t count);

/* Prints the help with the groups' values as the starting values. Returns the exit status. */
int cli_help(const struct cli_command *command, const struct cli_group *groups, size_t count);

/* ---- Numbers ---- */

/* Each reads one number at the very start of text, with '.' as the decimal point, and returns
 * what follows it, or NULL if there is none or it is out of range. A double beyond range is
 * infinite. */
const char *cli_scan_double(const char *text, double *value);
const char *cli_scan_i64(const char *text, int64_t *value);
const char *cli_scan_decimal(const char *text, uint64_t *value);

void cli_print_double(FILE *stream, double value); /* with the fewest digits that identify it */

/* ---- Messages ---- */

#if defined(__GNUC__)
#define CLI_PRINTF(text, rest) __attribute__((format(printf, text, rest)))
#else
#define CLI_PRINTF(text, rest)
#endif

/* Print "perlane COMMAND: message" on stderr, the second with a hint at --help; return the exit
 * status for it. command may be NULL. */
int cli_fail(const struct cli_command *command, const char *format, ...) CLI_PRINTF(2, 3);
int cli_refuse(const struct cli_command *command, const char *format, ...) CLI_PRINTF(2, 3);

/* Makes sure that all output has reached stdout. Returns 0, or the exit status after a message. */
int cli_finish_stdout(const struct cli_command *command);

#endif
