/* SPDX-License-Identifier: MIT
 *
 * Command lines from tables. An option is one entry: its name, its kind of value, where the value
 * is stored and its help. The same entries read and print options as text (field/saved.h).
 */
#ifndef PERLANE_CLI_OPTIONS_H
#define PERLANE_CLI_OPTIONS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "perlane.h"
#include "options/messages.h"
#include "options/values.h"

struct cli_command_line;

/* When an option of a command line is applied, whatever its place there: saved options first, then
 * a preset, then texts of options, and all others last. */
enum cli_stage {
  CLI_STAGE_LAST = 0,
  CLI_STAGE_SAVED,
  CLI_STAGE_PRESET,
  CLI_STAGE_TEXT,
  CLI_STAGES
};

/* Role of an option in texts of options. */
enum cli_in_text {
  CLI_IF_CHANGED = 0, /* printed if it is not the default */
  CLI_ALWAYS,         /* printed */
  CLI_READ_ONLY,      /* read, not printed */
  CLI_NEVER           /* an option of the command line only */
};

struct cli_option {
  const char *name; /* as in "--name", words joined by '-'; in texts they are joined by '_' */
  const char *placeholder; /* for the value in the help; NULL for a switch */
  const struct cli_kind *kind;
  size_t offset;                /* of the value in its structure */
  const char *help;             /* sentences */
  const char *heading;          /* in the help, of this option and those after it; NULL for none */
  const perlane_option *record; /* the library's, which then replaces the kind */
  char letter;                  /* the short form, 0 for none */
  char required;                /* there is no default */
  char is_operand;              /* the value may come without the name */
  enum cli_stage stage;
  enum cli_in_text in_text;
  /* Applies the option in place of its kind; returns 0, or the exit status after a message. */
  int (*apply)(const struct cli_command_line *line, void *values, const char *text);
  unsigned char table; /* the value is a file of this table (field/tables.h), a list in texts */
};

/* A table of options and the structure that their values go to. */
struct cli_group {
  const struct cli_option *option;
  size_t count; /* at most 64 */
  void *values;
  const void *defaults;
  int is_foreign; /* options of another command: known in texts, where they have no effect */
  uint64_t given; /* bit i: option i was on the command line */
};

struct cli_group cli_group_of(const struct cli_option *option, size_t count, void *values,
                              const void *defaults);

struct cli_command_line {
  const struct cli_command *command;
  struct cli_group *group;
  size_t groups;
};

/* ---- Command lines ---- */

enum { CLI_PARSED = -1 };

/* Parses the options of a command, of which one at most takes an operand, and prints the help if
 * they ask for it. An option may be abbreviated to what no other begins with. Returns CLI_PARSED,
 * or the exit status. */
int cli_parse(const struct cli_command_line *line, int argc, char **argv);

/* Prints the help. Returns the exit status. */
int cli_help(const struct cli_command_line *line);

/* ---- Options ---- */

/* Returns 1 if option number `option` of a group was on the command line. */
int cli_is_given(const struct cli_group *group, size_t option);

/* Finds an option by its name among those of the command itself; returns its group, or NULL. */
const struct cli_group *cli_find_option(const struct cli_command_line *line, const char *name,
                                        size_t *number);

/* Sets the value of an option. Returns 0 if text is not a value of it. */
int cli_set(const struct cli_option *option, const char *text, void *values);

/* Prints the value that an option has: to a stream, to an array, and as "--NAME VALUE". */
void cli_print_value(FILE *stream, const struct cli_option *option, const void *values);
void cli_value_text(char *text, size_t size, const struct cli_option *option, const void *values);
void cli_print_option(FILE *stream, const struct cli_option *option, const void *values);

/* Prints what the option takes: "expected a whole number from 1 to 32". */
void cli_print_expected(FILE *stream, const struct cli_option *option);

/* Prints why cli_set refuses a text: the library's sentence, or what the option takes. */
void cli_print_refusal(FILE *stream, const struct cli_option *option, const char *text);

/* Choice number index of an option that has names for its values; NULL beyond the last. */
const char *cli_choice(const struct cli_option *option, int index);

#endif
