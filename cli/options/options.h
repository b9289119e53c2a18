/* SPDX-License-Identifier: MIT
 *
 * Command lines from tables: an option is one entry that says its name, its kind of value, where
 * the value goes and what --help tells about it. Starting values come from the structures that
 * the values go to, so that the help cannot contradict them.
 */
#ifndef PERLANE_CLI_OPTIONS_H
#define PERLANE_CLI_OPTIONS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "perlane.h"
#include "options/messages.h"
#include "options/values.h"

struct cli_option {
  const char *name;
  const char *placeholder; /* stands for the value in the help; NULL for an option without one */
  const struct cli_kind *kind;
  size_t offset;         /* of the value in its structure */
  int flag;              /* the value, an int, that an option without one stands for */
  char letter;           /* the short form, 0 for none */
  char required;         /* there is no starting value */
  char first;            /* it sets values of others, which may then differ, in any order */
  char loads;            /* it names a file that sets values before all others do */
  char local;            /* the value is no part of what is made, so it is not saved with it */
  char content;          /* the value names a file of this content, which is saved instead */
  perlane_status status; /* the library's error about this value, PERLANE_OK for none */
  const char *help;      /* the printer breaks its lines */
};

/* Contents of files that options name: see tables.h. */
enum { CLI_HAS_HASH_TABLE = 1, CLI_HAS_GRADIENTS, CLI_HAS_GRADIENT_GRID };

struct cli_command;

/* A table of options and the structure that their values go to. */
struct cli_group {
  const char *title;
  const struct cli_option *option;
  size_t count;
  void *values;
  uint64_t given; /* bit i: option i was on the command line; hence 64 options at most */
  /* Sets values by what options that load name, if any; returns 0, or the exit status after a
   * message. If the command line then turns out to be wrong, unload frees what it kept. NULL for
   * a group without such options. */
  int (*load)(const struct cli_command *command, struct cli_group *groups, size_t count,
              void *values);
  void (*unload)(void *values);
};

/* ---- Command lines ---- */

enum cli_parsed { CLI_PARSED, CLI_WANTS_HELP, CLI_WRONG, CLI_FAILED };

/* Parses the options of a command that takes no operands. Tells about errors on stderr: what makes
 * no sense is CLI_WRONG, a file that cannot be loaded CLI_FAILED. */
enum cli_parsed cli_parse(const struct cli_command *command, int argc, char **argv,
                          struct cli_group *groups, size_t count);

/* Prints the help with the groups' values as the starting values. Returns the exit status. */
int cli_help(const struct cli_command *command, const struct cli_group *groups, size_t count);

/* From then on, cli_help prints what programs read: a line for each group and option, with tabs
 * between its fields (or no more, with 0):
 *   group   TITLE
 *   option  NAME  LETTER  PLACEHOLDER  VALUES  DEFAULT  HELP
 * VALUES is "names" and all that there are, "file", or "text"; a field without content is "-". */
void cli_help_as_table(int as_table);

/* Whether option number `option` of a group was on the command line. */
int cli_is_given(const struct cli_group *group, size_t option);

/* Prints the value that an option of a group with these values has. */
void cli_print_value(FILE *stream, const struct cli_option *option, const void *values);

/* Sets the value of an option that has one, or switches it on. 0 if text is not of its kind. */
int cli_parse_value(const struct cli_option *option, const char *text, void *values);

/* Prints why a text is no value of the option: "not a number; expected a number such as 0.5". */
void cli_print_wrong(FILE *stream, const struct cli_option *option);

/* ---- Messages ---- */

/* cli_refuse in parts: what is printed on stderr between them is the message. */
void cli_begin_message(const struct cli_command *command);
int cli_end_refusal(const struct cli_command *command);

#endif
