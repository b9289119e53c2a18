/* SPDX-License-Identifier: MIT
 *
 * Parsing of command lines: every argument becomes a setting, an option and its text, and the
 * settings are then applied in the order of their stages.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "options/options.h"

struct setting {
  struct cli_group *group;
  const struct cli_option *option;
  const char *text; /* NULL for a switch without one */
};

struct parser {
  const struct cli_command_line *line;
  char **argv;
  int argc, next; /* the argument to look at */
  int has_operand;
  struct setting *setting;
  size_t settings;
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
  for (size_t g = 0; g < line->groups; g++)
    for (size_t i = 0; i < line->group[g].count && !line->group[g].is_foreign; i++) {
      const struct cli_option *option = &line->group[g].option[i];
      if (name     ? strncmp(option->name, name, length) != 0
          : letter ? option->letter != letter
                   : !option->is_operand)
        continue;
      match = (struct match){&line->group[g], option, match.count + 1};
      if (!name || option->name[length] == '\0')
        return (struct match){&line->group[g], option, 1};
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

/* ---- Arguments ---- */

static int refuse_missing(const struct parser *parser, const struct cli_option *option,
                          const char *argument) {
  FILE *message = cli_begin_message();
  fprintf(message, "%s: its value %s is missing; ", argument, option->placeholder);
  cli_print_expected(message, option);
  return cli_end_refusal(parser->line->command, message);
}

static int refuse_name(const struct parser *parser, const char *argument, const char *name,
                       size_t length) {
  const struct cli_command_line *line = parser->line;
  const char *between = "; did you mean ";
  FILE *message = cli_begin_message();
  fprintf(message, "'%s': unknown option", argument);
  for (size_t g = 0; g < line->groups; g++)
    for (size_t i = 0; i < line->group[g].count && !line->group[g].is_foreign; i++)
      if (is_like(line->group[g].option[i].name, name, length)) {
        fprintf(message, "%s--%s", between, line->group[g].option[i].name);
        between = ", ";
      }
  return cli_end_refusal(line->command, message);
}

/* Adds a setting, whose text may be the next argument. */
static int add(struct parser *parser, struct match match, const char *argument, const char *text) {
  if (!text && match.option->placeholder) {
    if (parser->next == parser->argc)
      return refuse_missing(parser, match.option, argument);
    text = parser->argv[parser->next++];
  }
  parser->setting[parser->settings++] = (struct setting){match.group, match.option, text};
  return CLI_PARSED;
}

static int read_long(struct parser *parser, const char *argument) {
  const char *name = argument + 2, *equals = strchr(name, '=');
  const size_t length = equals ? (size_t)(equals - name) : strlen(name);
  const struct match match = find(parser->line, name, length, 0);
  if (match.count == 1 && match.option)
    return add(parser, match, argument, equals ? equals + 1 : NULL);
  if (match.count == 1)
    return equals ? cli_refuse(parser->line->command, "'%s': --help takes no value", argument)
                  : cli_help(parser->line);
  return refuse_name(parser, argument, name, length);
}

static int read_letters(struct parser *parser, const char *argument) {
  for (const char *letter = argument + 1; *letter != '\0'; letter++) {
    const struct match match = find(parser->line, NULL, 0, *letter);
    if (match.count == 0)
      return cli_refuse(parser->line->command, "unknown option '-%.1s'", letter);
    if (!match.option)
      return cli_help(parser->line);
    const int takes_rest = match.option->placeholder && letter[1] != '\0';
    const int status = add(parser, match, argument, takes_rest ? letter + 1 : NULL);
    if (status != CLI_PARSED || match.option->placeholder)
      return status;
  }
  return CLI_PARSED;
}

/* Takes an argument for the value of the option that needs no name. */
static int read_operand(struct parser *parser, const char *argument) {
  const struct match match = find(parser->line, NULL, 0, 0);
  if (match.count == 1 && !parser->has_operand) {
    parser->has_operand = 1;
    return add(parser, match, argument, argument);
  }
  return cli_refuse(parser->line->command, "'%s' is one argument too many; options begin with --",
                    argument);
}

static int read_arguments(struct parser *parser) {
  int status = CLI_PARSED, ends_options = 0;
  while (status == CLI_PARSED && parser->next < parser->argc) {
    const char *argument = parser->argv[parser->next++];
    if (!ends_options && strcmp(argument, "--") == 0)
      ends_options = 1;
    else if (ends_options || argument[0] != '-' || argument[1] == '\0')
      status = read_operand(parser, argument);
    else
      status = argument[1] == '-' ? read_long(parser, argument) : read_letters(parser, argument);
  }
  return status;
}

/* ---- Settings ---- */

static int apply(const struct cli_command_line *line, const struct setting *setting) {
  const struct cli_option *option = setting->option;
  setting->group->given |= UINT64_C(1) << (option - setting->group->option);
  if (option->apply)
    return option->apply(line, setting->group->values, setting->text);
  if (cli_set(option, setting->text, setting->group->values))
    return 0;
  FILE *message = cli_begin_message();
  if (!option->record)
    fprintf(message, "--%s '%s': ", option->name, setting->text);
  cli_print_refusal(message, option, setting->text);
  return cli_end_refusal(line->command, message);
}

static int apply_all(const struct parser *parser) {
  for (int n = 1; n <= CLI_STAGES; n++) {
    const enum cli_stage stage = n < CLI_STAGES ? (enum cli_stage)n : CLI_STAGE_LAST;
    for (size_t i = 0; i < parser->settings; i++) {
      const struct setting *setting = &parser->setting[i];
      const int status = setting->option->stage == stage ? apply(parser->line, setting) : 0;
      if (status != 0)
        return status;
    }
  }
  return CLI_PARSED;
}

int cli_parse(const struct cli_command_line *line, int argc, char **argv) {
  struct parser parser = {.line = line, .argv = argv, .argc = argc, .next = 1};
  size_t characters = 1; /* each argument has at most as many settings */
  for (int i = 1; i < argc; i++)
    characters += strlen(argv[i]);
  parser.setting = calloc(characters, sizeof *parser.setting);
  if (!parser.setting)
    return cli_fail(line->command, "%s", strerror(ENOMEM));
  int status = read_arguments(&parser);
  if (status == CLI_PARSED)
    status = apply_all(&parser);
  free(parser.setting);
  return status;
}
