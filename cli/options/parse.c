/* SPDX-License-Identifier: MIT
 *
 * Command lines: the arguments are read once, into pairs of an option and a text, which are then
 * applied by stage and source.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "options/options.h"

/* ---- Pairs ---- */

int cli_add(struct cli_command_line *line, struct cli_pair pair) {
  const size_t count = line->pairs;
  if ((count & (count - 1)) == 0) { /* the array is full: its room doubles */
    struct cli_pair *more = realloc(line->pair, (2 * count + 1) * sizeof *more);
    if (!more)
      return cli_fail("%s", strerror(ENOMEM));
    line->pair = more;
  }
  line->pair[line->pairs++] = pair;
  return 0;
}

int cli_refuse_pair(const struct cli_pair *pair) {
  return pair->file    ? cli_fail("'%s' line %zu: ", pair->file, pair->place)
         : pair->place ? cli_refuse("--field, character %zu: ", pair->place)
                       : cli_refuse("%s", "");
}

static int apply_pair(struct cli_command_line *line, struct cli_pair pair) {
  const struct cli_option *option = pair.option;
  void *values = pair.group->values;
  pair.group->source[option - pair.group->option] = (unsigned char)pair.source;
  if (option->apply)
    return option->apply(line, values, pair.text);
  if (cli_set(option, pair.text, values))
    return 0;
  const int status = cli_refuse_pair(&pair);
  if (!option->record && pair.entry)
    fprintf(cli_message(), "'%s': ", pair.entry);
  else if (!option->record)
    fprintf(cli_message(), "--%s '%s': ", option->name, pair.text);
  cli_print_refusal(option, pair.text);
  return status;
}

static enum cli_stage stage_of(const struct cli_pair *pair) {
  return pair->source == CLI_SAVED ? CLI_STAGE_SAVED : pair->option->stage;
}

int cli_apply(struct cli_command_line *line, int status) {
  for (int stage = CLI_STAGE_TEXT; stage >= CLI_STAGE_LAST; stage--)
    for (int source = CLI_SAVED; source <= CLI_ARGUMENT; source++)
      for (size_t i = 0; i < line->pairs && status == 0; i++) /* texts add pairs meanwhile */
        if ((int)stage_of(&line->pair[i]) == stage && (int)line->pair[i].source == source)
          status = apply_pair(line, line->pair[i]);
  free(line->pair);
  line->pair = NULL;
  line->pairs = 0;
  return status;
}

/* ---- Names ---- */

/* Goes to the option of a name; without a name to that of a letter, and without both to the one
 * whose value needs no name. Returns 0 if there is none. */
static int find(struct cli_each *each, const char *name, size_t length, char letter) {
  while (cli_next(each)) {
    const struct cli_option *option = each->option;
    if (name     ? strlen(option->name) == length && memcmp(option->name, name, length) == 0
        : letter ? option->letter == letter
                 : option->is_operand)
      return 1;
  }
  return 0;
}

/* Returns whether an option begins with what was typed, or differs from it in a letter or two. */
static int is_like(const char *name, const char *typed, size_t length) {
  const size_t letters = strlen(name);
  size_t same = 0, last = 0;
  while (same < length && name[same] == typed[same])
    same++;
  while (same + last < length && same + last < letters &&
         name[letters - 1 - last] == typed[length - 1 - last])
    last++;
  const size_t all = same + last;
  return (length > 0 && same == length) || (all >= 3 && length - all <= 2 && letters - all <= 2);
}

static int refuse_name(const struct cli_command_line *line, const char *argument, const char *name,
                       size_t length) {
  const char *between = "; did you mean ";
  const int status = cli_refuse("'%s': unknown option", argument);
  for (struct cli_each each = {.line = line}; cli_next(&each);)
    if (is_like(each.option->name, name, length)) {
      fprintf(cli_message(), "%s--%s", between, each.option->name);
      between = ", ";
    }
  fputs(*between == ',' ? "?" : "", cli_message());
  return status;
}

/* ---- Arguments ---- */

/* The arguments that have not been read. */
struct reader {
  struct cli_command_line *line;
  char **next; /* NULL after the last */
};

/* Adds an option with its text, which may be the next argument. */
static int take(struct reader *reader, const struct cli_each *each, char *argument, char *text) {
  const struct cli_option *option = each->option;
  if (!text && option->placeholder && !(text = *reader->next++)) {
    const int status = cli_refuse("%s: its value %s is missing; ", argument, option->placeholder);
    cli_print_expected(option);
    return status;
  }
  return cli_add(reader->line,
                 (struct cli_pair){
                     .option = option, .group = each->group, .source = CLI_ARGUMENT, .text = text});
}

static int read_long(struct reader *reader, char *argument) {
  const char *name = argument + 2;
  char *equals = strchr(name, '=');
  const size_t length = equals ? (size_t)(equals - name) : strlen(name);
  struct cli_each each = {.line = reader->line};
  if (find(&each, name, length, 0))
    return take(reader, &each, argument, equals ? equals + 1 : NULL);
  if (length != strlen("help") || memcmp(name, "help", length) != 0)
    return refuse_name(reader->line, argument, name, length);
  return equals ? cli_refuse("'%s': --help takes no value", argument) : cli_help(reader->line);
}

static int read_letters(struct reader *reader, char *argument) {
  for (char *letter = argument + 1; *letter != '\0'; letter++) {
    struct cli_each each = {.line = reader->line};
    if (!find(&each, NULL, 0, *letter))
      return *letter == 'h' ? cli_help(reader->line) : cli_refuse("unknown option '-%.1s'", letter);
    const int takes_rest = each.option->placeholder && letter[1] != '\0';
    const int status = take(reader, &each, argument, takes_rest ? letter + 1 : NULL);
    if (status != 0 || each.option->placeholder)
      return status;
  }
  return 0;
}

/* Takes an argument for the value of the option that needs no name. */
static int read_operand(struct reader *reader, char *argument) {
  struct cli_each each = {.line = reader->line};
  return find(&each, NULL, 0, 0)
             ? take(reader, &each, argument, argument)
             : cli_refuse("'%s' is one argument too many; options begin with --", argument);
}

int cli_parse(struct cli_command_line *line, char **argv) {
  struct reader reader = {.line = line, .next = argv + 1};
  int status = 0, ends_options = 0;
  cli_name_command(line->command->name);
  while (status == 0 && *reader.next) {
    char *argument = *reader.next++;
    if (!ends_options && strcmp(argument, "--") == 0)
      ends_options = 1;
    else if (ends_options || argument[0] != '-' || argument[1] == '\0')
      status = read_operand(&reader, argument);
    else
      status = argument[1] == '-' ? read_long(&reader, argument) : read_letters(&reader, argument);
  }
  return cli_apply(line, status);
}
