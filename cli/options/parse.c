/* SPDX-License-Identifier: MIT
 *
 * Parsing of command lines. The arguments are read once to check them, and once more for each stage
 * to apply its options.
 */
#include <string.h>

#include "options/options.h"

/* A pass over the arguments. */
struct pass {
  const struct cli_command_line *line;
  char **argument;      /* the next one; NULL after the last */
  enum cli_stage stage; /* whose options are applied */
  int has_operand;
};

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

/* Applies an option if this is its stage. Its text may be the next argument. */
static int take(struct pass *pass, const struct cli_each *each, const char *argument,
                const char *text) {
  const struct cli_option *option = each->option;
  void *values = each->group->values;
  int status = 0;
  if (!text && option->placeholder) {
    text = *pass->argument;
    if (!text) {
      status = cli_refuse("%s: its value %s is missing; ", argument, option->placeholder);
      cli_print_expected(option);
      return status;
    }
    pass->argument++;
  }
  if (option->stage != pass->stage && !(option->is_early && pass->stage == CLI_STAGE_EARLY))
    return 0;
  each->group->given |= UINT64_C(1) << (option - each->group->option);
  if (option->apply)
    return option->apply(pass->line, values, text);
  if (!cli_set(option, text, values)) {
    status = option->record ? cli_refuse("%s", "") : cli_refuse("--%s '%s': ", option->name, text);
    cli_print_refusal(option, text);
  }
  return status;
}

static int read_long(struct pass *pass, const char *argument) {
  const char *name = argument + 2, *equals = strchr(name, '=');
  const size_t length = equals ? (size_t)(equals - name) : strlen(name);
  struct cli_each each = {.line = pass->line};
  if (find(&each, name, length, 0))
    return take(pass, &each, argument, equals ? equals + 1 : NULL);
  if (length != strlen("help") || memcmp(name, "help", length) != 0)
    return refuse_name(pass->line, argument, name, length);
  return equals ? cli_refuse("'%s': --help takes no value", argument) : cli_help(pass->line);
}

static int read_letters(struct pass *pass, const char *argument) {
  for (const char *letter = argument + 1; *letter != '\0'; letter++) {
    struct cli_each each = {.line = pass->line};
    if (!find(&each, NULL, 0, *letter))
      return *letter == 'h' ? cli_help(pass->line) : cli_refuse("unknown option '-%.1s'", letter);
    const int takes_rest = each.option->placeholder && letter[1] != '\0';
    const int status = take(pass, &each, argument, takes_rest ? letter + 1 : NULL);
    if (status != 0 || each.option->placeholder)
      return status;
  }
  return 0;
}

/* Takes an argument for the value of the option that needs no name. */
static int read_operand(struct pass *pass, const char *argument) {
  struct cli_each each = {.line = pass->line};
  if (!find(&each, NULL, 0, 0) || (pass->has_operand && each.option->is_operand < 2))
    return cli_refuse("'%s' is one argument too many; options begin with --", argument);
  pass->has_operand = 1;
  return take(pass, &each, argument, argument);
}

int cli_parse(const struct cli_command_line *line, char **argv) {
  int status = 0;
  cli_name_command(line->command->name);
  for (int stage = CLI_STAGES; stage >= 0 && status == 0; stage--) { /* the first applies none */
    struct pass pass = {.line = line, .argument = argv + 1, .stage = (enum cli_stage)stage};
    int ends_options = 0;
    while (status == 0 && *pass.argument) {
      const char *argument = *pass.argument++;
      if (!ends_options && strcmp(argument, "--") == 0)
        ends_options = 1;
      else if (ends_options || argument[0] != '-' || argument[1] == '\0')
        status = read_operand(&pass, argument);
      else
        status = argument[1] == '-' ? read_long(&pass, argument) : read_letters(&pass, argument);
    }
  }
  return status;
}
