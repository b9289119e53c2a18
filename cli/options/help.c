/* SPDX-License-Identifier: MIT
 *
 * The help, of which scripts/man makes manual pages, and perlane.bash completions.
 */
#include <string.h>

#include "options/options.h"

enum { COLUMN = 30, INDENT = 2, WIDTH = 80 };

const struct cli_option CLI_HELP = {
    .name = "help",
    .kind = &CLI_SWITCH,
    .help = "Prints this.",
    .heading = "",
    .letter = 'h',
    .required = 1,
    .in_text = CLI_NEVER,
};

/* The position of the next word. */
struct cursor {
  int column, indent;
};

static void print_word(struct cursor *cursor, const char *word, int length) {
  if (cursor->column > cursor->indent && cursor->column + 1 + length > WIDTH) {
    printf("\n%*s", cursor->indent, "");
    cursor->column = cursor->indent;
  } else if (cursor->column > cursor->indent) {
    putchar(' ');
    cursor->column++;
  }
  printf("%.*s", length, word);
  cursor->column += length;
}

static void print_words(struct cursor *cursor, const char *text) {
  for (size_t length; *text != '\0'; text += length + (text[length] != '\0')) {
    length = strcspn(text, " ");
    print_word(cursor, text, (int)length);
  }
}

/* A default value stays in one piece. */
static void print_default(struct cursor *cursor, const struct cli_option *option,
                          const void *defaults) {
  char text[128], word[160];
  cli_value_text(text, sizeof text, option, defaults);
  print_word(cursor, word, snprintf(word, sizeof word, "(default: %s)", text));
}

/* Prints the dimensions that a choice exists in, if others exist in more: "(1D, 2D)". */
static void print_dims(struct cursor *cursor, const perlane_option *record, int index) {
  const int32_t dims = record->choices[index].dims;
  int32_t all = 0;
  char word[8];
  for (int32_t i = 0; i < record->choice_count; i++)
    all |= record->choices[i].dims;
  for (int d = 1; d <= PERLANE_MAX_DIMS && dims != all; d++)
    if (dims >> (d - 1) & 1)
      print_word(cursor, word,
                 snprintf(word, sizeof word, "%s%dD%s", dims & ((1 << (d - 1)) - 1) ? "" : "(", d,
                          dims >> d ? "," : ")"));
}

/* Prints a record's choices, each with its summary, on lines of their own. */
static void print_records(const struct cli_option *option) {
  const char *name;
  int width = 0;
  for (int i = 0; (name = cli_choice(option, i)) != NULL; i++)
    width = (int)strlen(name) > width ? (int)strlen(name) : width;
  for (int i = 0; (name = cli_choice(option, i)) != NULL; i++) {
    const int column = COLUMN + INDENT + width + INDENT;
    struct cursor cursor = {column, column};
    printf("\n%*s%-*s", COLUMN + INDENT, "", width + INDENT, name);
    print_words(&cursor, option->record->choices[i].summary);
    print_dims(&cursor, option->record, i);
  }
}

/* Prints the choices of one of the command's own options, in a sentence. */
static void print_names(struct cursor *cursor, const struct cli_option *option) {
  const char *name, *next = cli_choice(option, 0);
  char word[32];
  if (next)
    print_words(cursor, "One of");
  for (int i = 1; (name = next) != NULL; i++) {
    next = cli_choice(option, i);
    print_word(cursor, word, snprintf(word, sizeof word, "%s%c", name, next ? ',' : '.'));
  }
}

static void print_option(const struct cli_option *option, const void *defaults) {
  struct cursor cursor = {COLUMN, COLUMN};
  const int width =
      printf("  %c%c%s --%s%s%s", option->letter ? '-' : ' ', option->letter ? option->letter : ' ',
             option->letter ? "," : " ", option->name, option->placeholder ? " " : "",
             option->placeholder ? option->placeholder : "");
  if (width > COLUMN - 2)
    printf("\n%*s", COLUMN, "");
  else
    printf("%*s", COLUMN - width, "");
  print_words(&cursor, option->record ? option->record->summary : option->help);
  if (option->placeholder && !option->record)
    print_names(&cursor, option);
  if (!option->required)
    print_default(&cursor, option, defaults);
  if (option->record)
    print_records(option);
  putchar('\n');
}

int cli_help(const struct cli_command_line *line) {
  const struct cli_command *command = line->command;
  printf("Usage: perlane %s %s\n\n%s\n", command->name, command->synopsis, command->about);
  for (size_t i = 0; i < line->entries; i++) {
    const struct cli_option *option = line->entry[i].option;
    if (!cli_is_argument(&line->entry[i]))
      continue;
    if (option->heading)
      printf("\n%s%s", option->heading, *option->heading ? ":\n" : "");
    print_option(option, line->entry[i].defaults);
  }
  printf("\nExamples:\n%s", command->examples);
  const int status = cli_finish_stdout();
  return status == 0 ? CLI_HELPED : status;
}
