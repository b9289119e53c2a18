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

/* Meaning of a name. */
struct match {
  struct cli_group *group;
  const struct cli_option *option; /* NULL for --help */
  int count;                       /* of options that it could stand for */
};

/* The option of a name, or the only one that begins with it; without a name that of a letter, and
 * without both the one whose value needs no name. */
static struct match find(const struct cli_command_line *line, const char *name, size_t length,
                         char letter) {
  struct match match = {.count = name ? strncmp("help", name, length) == 0 : letter == 'h'};
  for (struct cli_each each = {.line = line}; cli_next(&each);) {
    const struct cli_option *option = each.option;
    if (name     ? strncmp(option->name, name, length) != 0
        : letter ? option->letter != letter
                 : !option->is_operand)
      continue;
    match = (struct match){each.group, option, match.count + 1};
    if (!name || option->name[length] == '\0')
      return (struct match){each.group, option, 1};
  }
  return match;
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
  return same == length || (all >= 3 && length - all <= 2 && letters - all <= 2);
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
static int take(struct pass *pass, struct match match, const char *argument, const char *text) {
  const struct cli_option *option = match.option;
  void *values = match.group->values;
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
  if (option->stage != pass->stage)
    return 0;
  match.group->given |= UINT64_C(1) << (option - match.group->option);
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
  const struct match match = find(pass->line, name, length, 0);
  if (match.count != 1)
    return refuse_name(pass->line, argument, name, length);
  if (match.option)
    return take(pass, match, argument, equals ? equals + 1 : NULL);
  return equals ? cli_refuse("'%s': --help takes no value", argument) : cli_help(pass->line);
}

static int read_letters(struct pass *pass, const char *argument) {
  for (const char *letter = argument + 1; *letter != '\0'; letter++) {
    const struct match match = find(pass->line, NULL, 0, *letter);
    if (match.count == 0)
      return cli_refuse("unknown option '-%.1s'", letter);
    if (!match.option)
      return cli_help(pass->line);
    const int takes_rest = match.option->placeholder && letter[1] != '\0';
    const int status = take(pass, match, argument, takes_rest ? letter + 1 : NULL);
    if (status != 0 || match.option->placeholder)
      return status;
  }
  return 0;
}

/* Takes an argument for the value of the option that needs no name. */
static int read_operand(struct pass *pass, const char *argument) {
  const struct match match = find(pass->line, NULL, 0, 0);
  if (match.count == 0 || pass->has_operand)
    return cli_refuse("'%s' is one argument too many; options begin with --", argument);
  pass->has_operand = 1;
  return take(pass, match, argument, argument);
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
