/* SPDX-License-Identifier: MIT
 *
 * The help, which scripts/man and perlane.bash read, too.
 */
#include <string.h>

#include "options/options.h"

enum { COLUMN = 30, INDENT = 2, WIDTH = 80 };

static const struct cli_option HELP = {
    .name = "help",
    .letter = 'h',
    .help = "Prints this.",
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

static void print_choices(const struct cli_option *option) {
  const char *name;
  for (int i = 0; (name = cli_choice(option, i)) != NULL; i++) {
    struct cursor cursor = {COLUMN + INDENT, COLUMN + INDENT};
    if (!option->record)
      continue;
    printf("\n%*s", cursor.indent, "");
    cursor.indent += INDENT;
    printf("%s:", name);
    cursor.column += (int)strlen(name) + 1;
    print_words(&cursor, option->record->choices[i].summary);
  }
}

static void print_names(struct cursor *cursor, const struct cli_option *option) {
  const char *name;
  print_words(cursor, "One of");
  for (int i = 0; (name = cli_choice(option, i)) != NULL; i++) {
    char word[32];
    snprintf(word, sizeof word, "%s%s", name, cli_choice(option, i + 1) ? "," : ".");
    print_words(cursor, word);
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
  if (option != &HELP && !option->record && cli_choice(option, 0))
    print_names(&cursor, option);
  if (option != &HELP && !option->required)
    print_default(&cursor, option, defaults);
  if (option->record)
    print_choices(option);
  putchar('\n');
}

int cli_help(const struct cli_command_line *line) {
  const struct cli_command *command = line->command;
  printf("Usage: perlane %s %s\n\n%s\n", command->name, command->synopsis, command->about);
  for (struct cli_each each = {.line = line}; cli_next(&each);) {
    if (each.option->heading)
      printf("\n%s:\n", each.option->heading);
    print_option(each.option, each.group->defaults);
  }
  putchar('\n');
  print_option(&HELP, NULL);
  printf("\nExamples:\n%s", command->examples);
  const int status = cli_finish_stdout();
  return status == 0 ? CLI_HELPED : status;
}
