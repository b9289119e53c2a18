/* SPDX-License-Identifier: MIT
 *
 * Options as text: NAME=VALUE with white space between them, # for a comment up to the end of the
 * line. It may begin with perlane=VERSION, and then with preset=NAME.
 */
#include "field/field.h"

#include <stdlib.h>
#include <string.h>

#include "formats/format.h"

/* ---- Printing ---- */

char *cli_text_print(const struct cli_command_line *line, const char *between) {
  char *text = NULL;
  FILE *stream = cli_open_text(&text);
  const int has_expression = cli_is_changed(cli_find(line, "expression"));
  fprintf(stream, "perlane=%s", perlane_version());
  for (int is_other = 0; is_other <= 1; is_other++) /* the library's options come first */
    for (size_t i = 0; i < line->entries; i++) {
      const struct cli_entry *entry = &line->entry[i];
      const struct cli_option *option = entry->option;
      if ((option->record == NULL) != is_other || entry->is_foreign ||
          (option->record && has_expression) ||
          !(option->in_text == CLI_ALWAYS ||
            (option->in_text < CLI_NEVER && cli_is_changed(entry))))
        continue;
      fputs(between, stream);
      for (const char *name = option->name; *name != '\0'; name++)
        fputc(*name == '-' ? '_' : *name, stream);
      fputc('=', stream);
      cli_print_value(stream, option, entry->values);
    }
  cli_close_text(stream);
  return text;
}

/* ---- Reading ---- */

static const char WHITE[] = " \t\r\n\v\f";

static char *skip_comments(char *text) {
  for (text += strspn(text, WHITE); *text == '#'; text += strspn(text, WHITE))
    text += strcspn(text, "\n");
  return text;
}

static int fail_pair(const struct cli_pair *pair, const char *problem) {
  enum { SHOWN = 40 };
  const int status = cli_refuse_pair(pair);
  fprintf(cli_message(), "'%.*s%s': %s", SHOWN, pair->written,
          strlen(pair->written) > SHOWN ? "..." : "", problem);
  return status;
}

/* Adds the pairs of a text, which is cut into them and has to stay. */
static int add_text(struct cli_command_line *line, char *text, const char *file) {
  struct cli_pair pair = {.source = file ? CLI_SAVED : CLI_FROM_TEXT, .file = file};
  const char *version = NULL, *counted = text;
  size_t number = 1; /* of the line */
  int status = 0, has_options = 0;
  for (char *begin = skip_comments(text); status == 0 && *begin != '\0';) {
    char *end = begin + strcspn(begin, WHITE), *next = *end == '\0' ? end : end + 1;
    for (; counted < begin; counted++)
      number += *counted == '\n';
    pair.written = begin;
    pair.place = file ? number : (size_t)(begin - text) + 1;
    number += *end == '\n';
    counted = next;
    *end = '\0';
    pair.text = strchr(begin, '=');
    if (!pair.text || pair.text == begin)
      return fail_pair(&pair, "expected NAME=VALUE without blanks");
    const size_t length = (size_t)(pair.text++ - begin);
    pair.entry = cli_find_name(line, begin, length, 1);
    if (pair.entry && pair.entry->option->stage == CLI_STAGE_PRESET && has_options)
      return fail_pair(&pair, "a preset must come before all other options");
    if (pair.entry)
      cli_add_pair(line, pair);
    else if (!has_options && !version && strncmp(begin, "perlane=", 8) == 0)
      version = pair.text;
    else {
      status = fail_pair(&pair, "unknown option");
      cli_suggest_names(line, begin, length, 1);
    }
    has_options |= pair.entry != NULL;
    begin = skip_comments(next);
  }
  if (status != 0 && version && strcmp(version, perlane_version()) != 0)
    fprintf(cli_message(), "; the text is from perlane %.16s, and this is %s", version,
            perlane_version());
  return status;
}

/* ---- Options that are texts ---- */

int cli_add_text(struct cli_command_line *line, void *values, char *text) {
  (void)values;
  return add_text(line, text, NULL);
}

/* Adds the text of a file, or says why there is none. */
static int add_saved(struct cli_command_line *line, struct cli_field *field, const char *file,
                     char *text, const char *problem) {
  if (!text)
    return cli_fail("cannot read the options of '%s': %s", file, problem);
  if (field->saved) {
    free(text);
    return cli_refuse("--params-of takes one file");
  }
  field->saved = file;
  field->saved_text = text;
  return add_text(line, text, file);
}

int cli_add_map(struct cli_command_line *line, void *values, char *map) {
  const char *problem;
  char *text = cli_carried_read(map, &problem, NULL);
  return add_saved(line, values, map, text, problem);
}

int cli_add_file(struct cli_command_line *line, void *values, char *file) {
  const char *problem;
  char *text = cli_options_read(file, &problem);
  return add_saved(line, values, file, text, problem);
}

int cli_params_print(const struct cli_command_line *line) {
  char *text = cli_text_print(line, "\n");
  puts(text);
  free(text);
  return cli_finish_stdout();
}
