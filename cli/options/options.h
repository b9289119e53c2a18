/* SPDX-License-Identifier: MIT
 *
 * Command lines from tables. An option is one record: its name, its kind of value, where the value
 * is stored, and its help. Arguments and texts of options become pairs of a record and a text,
 * which are applied by stage and source. The same records print options as text (field/saved.c) and
 * the help, from which scripts/man and perlane.bash make the manual and completions.
 */
#ifndef PERLANE_CLI_OPTIONS_H
#define PERLANE_CLI_OPTIONS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "perlane_text.h"
#include "options/messages.h"

/* ---- Values ---- */

/* Room for the text of any option's value: a curve of 32 numbers. */
enum { CLI_VALUE_TEXT = 1024 };

/* A name for one of an enumeration's values. */
struct cli_name {
  const char *name;
  int value;
};

union cli_number {
  int64_t whole;
  double real;
};

enum { CLI_OTHER = -1 };
struct cli_numbers {
  int count; /* 0 for the kind's `none`, CLI_OTHER for its `other` */
  union cli_number at[PERLANE_MAX_DIMS];
};

/* A kind of value: a list of numbers if max_count is not 0, one of a list of names, or what
 * functions of its own make of a text. */
struct cli_kind {
  const char *expected; /* a phrase; not needed where there is a list of names */
  const char *none;     /* the text of no name, and of no numbers */
  const char *other;    /* the text of CLI_OTHER; NULL for none */

  /* A struct cli_numbers. */
  int min_count, max_count;
  int is_whole, is_nonzero;
  char separator; /* 0 for a comma; with x, k stands for 1024 and M for 1048576 */
  int takes_none; /* the text of `none` is a value */
  union cli_number min, max;
  int (*accepts)(const struct cli_numbers *numbers); /* further conditions, or NULL */

  /* An int: a value with a name, or the index of a name, -1 for none. */
  const struct cli_name *names;
  const char *(*list)(int index); /* NULL beyond the last */

  int (*parse)(const char *text, void *value); /* 1, or 0 if text is not of this kind */
  void (*print)(FILE *stream, const void *value);
};

/* A kind of lists of `least` to `most` numbers; `none_text` is that of no numbers. */
#define CLI_NUMBERS(expects, none_text, least, most, ...)                                          \
  {                                                                                                \
    .expected = (expects), .none = (none_text), .min_count = (least), .max_count = (most),         \
    __VA_ARGS__                                                                                    \
  }
#define CLI_WHOLES(from, to) .is_whole = 1, .min.whole = (from), .max.whole = (to)
#define CLI_REALS(most) .min.real = -(most), .max.real = (most)

extern const struct cli_kind CLI_TEXT, CLI_FILE;
void cli_print_name(FILE *stream, const void *value); /* as these do */

/* An int: 1 for "on" and for the option alone, 0 for "off". */
extern const struct cli_kind CLI_SWITCH;

/* Each reads one number at the very start of text, with '.' as the decimal point, and returns
 * what follows it, or NULL if there is none or it is out of range. A double beyond range is
 * infinite. */
const char *cli_scan_double(const char *text, double *value);
const char *cli_scan_whole(const char *text, int64_t *value);

/* Prints a number with the fewest digits that identify it, as a double or as a float. */
void cli_print_real(FILE *stream, double value, int is_float);

/* Returns what follows the mark that some programs begin texts in UTF-8 with. */
const char *cli_skip_mark(const char *text);

/* ---- Options ---- */

struct cli_command_line;

/* The source of an option's value. Later ones override those before them. */
enum cli_source {
  CLI_DEFAULT,
  CLI_SAVED,     /* the text of --params-of */
  CLI_FROM_TEXT, /* the text of --field */
  CLI_ARGUMENT   /* an option of its own */
};

/* Order in which options take effect, whatever their order on the command line, from the last to
 * the first. Within a stage, they do so by their source. */
enum cli_stage {
  CLI_STAGE_LAST = 0,
  CLI_STAGE_LOOK,
  CLI_STAGE_PLACE, /* the size and position of the map, which a look depends on */
  CLI_STAGE_PRESET,
  CLI_STAGE_SAVED, /* all options of saved texts */
  CLI_STAGE_TEXT,  /* texts of options, which add theirs */
};

/* Role of an option in texts of options. */
enum cli_in_text {
  CLI_IF_CHANGED = 0, /* printed if it is not the default */
  CLI_ALWAYS,         /* printed */
  CLI_TEXT_ONLY,      /* printed likewise, and no option of the command line */
  CLI_NEVER           /* an option of the command line only */
};

/* Facts about what a command line makes, which options need, or which leave them without an effect;
 * the names of facts are in messages (commands/fill_rules.c). */
enum cli_fact {
  CLI_IS_TIFF = 1 << 0,
  CLI_IS_IMAGE_FILE = 1 << 1, /* it takes colours */
  CLI_IS_STREAM = 1 << 2,
  CLI_HAS_TILES = 1 << 3,
  CLI_IS_FLOATS = 1 << 4, /* as the field has them */
  CLI_IS_PICTURE = 1 << 5,
  CLI_IS_SHADED = 1 << 6,
  CLI_IS_NORMAL_MAP = 1 << 7,
  CLI_IS_MASK = 1 << 8,
  CLI_HAS_SLOPES = 1 << 9,   /* a mask of slopes is made */
  CLI_HAS_SETTINGS = 1 << 10 /* there are heights to type in an engine */
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
  char is_operand;              /* any number of values may come without the name */
  enum cli_stage stage;
  enum cli_in_text in_text;
  unsigned needs;    /* one of these facts; 0 for none */
  unsigned excludes; /* each of these */
  /* Applies the option in place of its kind. Returns 0, the exit status, or CLI_WRONG if text is no
   * value of the option. */
  int (*apply)(struct cli_command_line *line, void *values, char *text);
};

/* An option of a command line. */
struct cli_entry {
  const struct cli_option *option;
  void *values;           /* the structure that has its value */
  const void *defaults;   /* such a structure with the default */
  enum cli_source source; /* of the value */
  int is_negative;        /* the value's text begins with - */
  int is_foreign;         /* another command's: known in texts, where it has no effect */
};

struct cli_command {
  const char *name;
  const char *synopsis;
  const char *about;
  const char *examples;
};

/* An option and the text of its value. */
struct cli_pair {
  struct cli_entry *entry;
  enum cli_source source;
  char *text;          /* NULL for a switch alone */
  const char *written; /* both as a text of options has them; NULL on the command line */
  const char *file;    /* that the text was read from, or NULL */
  size_t place;        /* the line of the file, or the character in the text of --field */
};

enum { CLI_MAX_OPTIONS = 128 };

/* A command line: its options, and the pairs that have been read and not applied. */
struct cli_command_line {
  const struct cli_command *command;
  struct cli_entry entry[CLI_MAX_OPTIONS];
  size_t entries;
  struct cli_pair *pair;
  size_t pairs;
};

/* ---- Command lines ---- */

enum { CLI_HELPED = -1, CLI_WRONG = -2 };

/* Adds a table of options, whose values are members of a structure. */
void cli_add_options(struct cli_command_line *line, const struct cli_option *option, size_t count,
                     void *values, const void *defaults, int is_foreign);
#define CLI_COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Reads the options of a command, of which one at most takes operands, and applies them. Returns 0;
 * CLI_HELPED after printing the help, if that is what they ask for; or the exit status. */
int cli_parse(struct cli_command_line *line, char **argv);

/* Adds a pair to those that will be applied. */
void cli_add_pair(struct cli_command_line *line, struct cli_pair pair);

/* Applies the pairs by stage and source, if `status`, that of adding them, is 0, and removes them.
 * Returns 0, or the exit status. */
int cli_apply(struct cli_command_line *line, int status);

/* Begins the message that a pair is wrong: where it was read. Returns the exit status. */
int cli_refuse_pair(const struct cli_pair *pair);

/* The option of the help, which is the last of each command, and its text. Returns CLI_HELPED, or
 * the exit status. */
extern const struct cli_option CLI_HELP;
int cli_help(const struct cli_command_line *line);

/* Adds a name to the message if it begins with what was typed, or differs from it in a letter or
 * two. Returns what comes before the next name; CLI_DID_YOU_MEAN before the first. */
extern const char CLI_DID_YOU_MEAN[];
const char *cli_suggest(const char *between, const char *before, const char *name,
                        const char *typed);

/* Finds the option of a name of a text, whose words are joined by '_' or '-', or of the command
 * line. Returns NULL if there is none. The other adds similar names to the message. */
struct cli_entry *cli_find_name(struct cli_command_line *line, const char *name, size_t length,
                                int in_text);
void cli_suggest_names(const struct cli_command_line *line, const char *name, size_t length,
                       int in_text);

/* Finds an option by its name, which must exist. */
const struct cli_entry *cli_find(const struct cli_command_line *line, const char *name);

/* Returns where an option's value is from. */
enum cli_source cli_source_of(const struct cli_command_line *line, const char *name);

/* Returns 1 if an option was on the command line by itself. */
int cli_is_given(const struct cli_command_line *line, const char *name);

/* Returns 1 unless the value of an option prints as the default does. */
int cli_is_changed(const struct cli_entry *entry);

/* Returns 1 if an option can be on the command line. */
int cli_is_argument(const struct cli_entry *entry);

/* Sets the value of an option. Returns 0 if text is not a value of it. */
int cli_set(const struct cli_option *option, const char *text, void *values);

/* Prints the value that an option has: to a stream, and to an array. */
void cli_print_value(FILE *stream, const struct cli_option *option, const void *values);
void cli_value_text(char *text, size_t size, const struct cli_option *option, const void *values);

/* Adds what the option takes to the message: "expected a whole number from 1 to 32". */
void cli_print_expected(const struct cli_option *option);

/* Choice number index of an option that has names for its values; NULL beyond the last. */
const char *cli_choice(const struct cli_option *option, int index);

#endif
