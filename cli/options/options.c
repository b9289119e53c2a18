/* SPDX-License-Identifier: MIT
 *
 * Values of options, those of the library's records as well as the command's own.
 */
#include "options/options.h"

#include <string.h>

struct cli_group cli_group_of(const struct cli_option *option, size_t count, void *values,
                              const void *defaults) {
  return (struct cli_group){option, count, values, defaults, .is_foreign = 0};
}

int cli_is_given(const struct cli_group *group, size_t option) {
  return (group->given >> option & 1) != 0;
}

const struct cli_group *cli_find_option(const struct cli_command_line *line, const char *name,
                                        size_t *number) {
  for (size_t g = 0; g < line->groups; g++)
    for (size_t i = 0; i < line->group[g].count && !line->group[g].is_foreign; i++)
      if (strcmp(line->group[g].option[i].name, name) == 0) {
        *number = i;
        return &line->group[g];
      }
  return NULL;
}

int cli_set(const struct cli_option *option, const char *text, void *values) {
  void *value = (char *)values + option->offset;
  if (option->record)
    return perlane_params_set(value, option->record->name, text) == PERLANE_OK;
  const struct cli_kind *kind = option->kind;
  if (kind->max_count > 0)
    return cli_numbers_set(kind, text, value);
  if (kind->parse)
    return kind->parse(text, value);
  const char *name;
  for (int i = 0; (name = cli_choice(option, i)) != NULL; i++)
    if (strcmp(name, text) == 0) {
      *(int *)value = kind->names ? kind->names[i].value : i;
      return 1;
    }
  return 0;
}

/* Returns the name of a value, or `none`. */
static const char *name_of(const struct cli_kind *kind, const void *value) {
  const char *name = kind->names ? cli_name_of(kind->names, *(const int *)value) : NULL;
  if (kind->names)
    return name ? name : kind->none;
  return kind->parse || *(const int *)value < 0 ? kind->none : kind->list(*(const int *)value);
}

void cli_print_value(FILE *stream, const struct cli_option *option, const void *values) {
  const void *value = (const char *)values + option->offset;
  if (option->apply) {
    fputs("none", stream); /* its text is not kept */
  } else if (option->record) {
    char text[CLI_VALUE_TEXT];
    perlane_params_get(value, option->record->name, text, sizeof text);
    fputs(text, stream);
  } else if (option->kind->max_count > 0) {
    cli_numbers_print(stream, option->kind, value);
  } else if (option->kind->print) {
    option->kind->print(stream, value);
  } else {
    fputs(name_of(option->kind, value), stream);
  }
}

void cli_value_text(char *text, size_t size, const struct cli_option *option, const void *values) {
  FILE *stream = fmemopen(text, size, "w");
  text[0] = '\0';
  if (!stream)
    return;
  cli_print_value(stream, option, values);
  fclose(stream);
}

void cli_print_option(FILE *stream, const struct cli_option *option, const void *values) {
  fprintf(stream, "--%s ", option->name);
  cli_print_value(stream, option, values);
}

const char *cli_choice(const struct cli_option *option, int index) {
  if (option->record)
    return index < option->record->choice_count ? option->record->choices[index].name : NULL;
  if (option->kind->names)
    return option->kind->names[index].name;
  return option->kind->list ? option->kind->list(index) : NULL;
}

void cli_print_expected(FILE *stream, const struct cli_option *option) {
  fputs("expected ", stream);
  if (option->record) {
    char text[PERLANE_MESSAGE_BYTES];
    perlane_option_expected(option->record, text, sizeof text);
    fputs(text, stream);
    return;
  }
  if (!cli_choice(option, 0)) {
    fputs(option->kind->expected, stream);
    return;
  }
  const char *name;
  fputs("one of ", stream);
  for (int i = 0; (name = cli_choice(option, i)) != NULL; i++)
    fprintf(stream, "%s%s", i ? ", " : "", name);
}

void cli_print_refusal(FILE *stream, const struct cli_option *option, const char *text) {
  char message[PERLANE_MESSAGE_BYTES];
  if (!option->record) {
    cli_print_expected(stream, option);
    return;
  }
  perlane_explain_option(option->record->name, text, message, sizeof message);
  fputs(message, stream);
}
