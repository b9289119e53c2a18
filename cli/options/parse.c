/* SPDX-License-Identifier: MIT
 *
 * Command lines: the arguments are read once, into pairs of an option and a text, which are then
 * applied by stage and source.
 */
#include <stdlib.h>
#include <string.h>

#include "options/options.h"

/* ---- Similar names ---- */

const char CLI_DID_YOU_MEAN[] = "; did you mean ";

/* Returns whether two words differ in at most `edits` letters that are missing, added, changed or
 * swapped with the next. */
static int is_near(const char *a, const char *b, int edits) {
  while (*a != '\0' && *a == *b) {
    a++;
    b++;
  }
  if (*a == *b || edits == 0)
    return *a == *b;
  return (*a != '\0' && is_near(a + 1, b, edits - 1)) ||
         (*b != '\0' && is_near(a, b + 1, edits - 1)) ||
         (*a != '\0' && *b != '\0' &&
          (is_near(a + 1, b + 1, edits - 1) ||
           (a[0] == b[1] && a[1] == b[0] && is_near(a + 2, b + 2, edits - 1))));
}

const char *cli_suggest(const char *between, const char *before, const char *name,
                        const char *typed) {
  const size_t length = strlen(typed), letters = strlen(name);
  const int edits = length > 4 && letters > 4 ? 2 : length > 2 && letters > 2;
  if (length == 0 || (strncmp(name, typed, length) != 0 && !is_near(name, typed, edits)))
    return between;
  fprintf(cli_message(), "%s%s%s", between, before, name);
  return ", ";
}

/* ---- Pairs ---- */

void cli_add_pair(struct cli_command_line *line, struct cli_pair pair) {
  const size_t count = line->pairs;
  if ((count & (count - 1)) == 0) /* the array is full: its room doubles */
    line->pair = cli_need(realloc(line->pair, (2 * count + 1) * sizeof pair));
  line->pair[line->pairs++] = pair;
}

int cli_refuse_pair(const struct cli_pair *pair) {
  return pair->file    ? cli_fail("'%s' line %zu: ", pair->file, pair->place)
         : pair->place ? cli_refuse("--field, character %zu: ", pair->place)
                       : cli_refuse("%s", "");
}

static int apply_pair(struct cli_command_line *line, struct cli_pair pair) {
  const struct cli_option *option = pair.entry->option;
  void *values = pair.entry->values;
  pair.entry->source = pair.source;
  pair.entry->is_negative = pair.text && *pair.text == '-';
  int status = option->apply                        ? option->apply(line, values, pair.text)
               : cli_set(option, pair.text, values) ? 0
                                                    : CLI_WRONG;
  if (status != CLI_WRONG)
    return status;
  status = cli_refuse_pair(&pair);
  if (option->record) {
    char message[PERLANE_MESSAGE_BYTES];
    perlane_explain_text(option->record->name, pair.text, message, sizeof message);
    fputs(message, cli_message());
    return status;
  }
  if (pair.written)
    fprintf(cli_message(), "'%s': ", pair.written);
  else
    fprintf(cli_message(), "--%s '%s': ", option->name, pair.text);
  cli_print_expected(option);
  const char *name, *between = CLI_DID_YOU_MEAN;
  for (int i = 0; pair.text && (name = cli_choice(option, i)) != NULL; i++)
    between = cli_suggest(between, "", name, pair.text);
  fputs(*between == ',' ? "?" : "", cli_message());
  return status;
}

static enum cli_stage stage_of(const struct cli_pair *pair) {
  return pair->source == CLI_SAVED ? CLI_STAGE_SAVED : pair->entry->option->stage;
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

/* Returns 1 if an option can be in a text, or on the command line. */
static int is_known(const struct cli_entry *entry, int in_text) {
  return in_text ? entry->option->in_text != CLI_NEVER : cli_is_argument(entry);
}

struct cli_entry *cli_find_name(struct cli_command_line *line, const char *name, size_t length,
                                int in_text) {
  for (size_t i = 0; i < line->entries; i++) {
    const char *own = line->entry[i].option->name;
    size_t same = 0;
    while (same < length && own[same] == (in_text && name[same] == '_' ? '-' : name[same]))
      same++;
    if (same == length && own[length] == '\0' && is_known(&line->entry[i], in_text))
      return &line->entry[i];
  }
  return NULL;
}

void cli_suggest_names(const struct cli_command_line *line, const char *name, size_t length,
                       int in_text) {
  const char *between = CLI_DID_YOU_MEAN;
  char typed[40]; /* longer than any name */
  snprintf(typed, sizeof typed, "%.*s", (int)(length < sizeof typed ? length : sizeof typed), name);
  for (char *join = typed; in_text && (join = strchr(join, '_')) != NULL;)
    *join = '-';
  if (strcmp(typed, "persistence") == 0) /* its name in many other libraries */
    strcpy(typed, "gain");
  for (size_t i = 0; i < line->entries; i++)
    if (is_known(&line->entry[i], in_text))
      between = cli_suggest(between, in_text ? "" : "--", line->entry[i].option->name, typed);
  fputs(*between == ',' ? "?" : "", cli_message());
}

/* Finds the option of a letter; without one that whose value needs no name. Returns NULL if there
 * is none. */
static struct cli_entry *find_letter(struct cli_command_line *line, char letter) {
  for (size_t i = 0; i < line->entries; i++) {
    const struct cli_option *option = line->entry[i].option;
    if ((letter ? option->letter == letter : option->is_operand) &&
        cli_is_argument(&line->entry[i]))
      return &line->entry[i];
  }
  return NULL;
}

/* ---- Arguments ---- */

/* The arguments that have not been read. */
struct reader {
  struct cli_command_line *line;
  char **next; /* NULL after the last */
};

/* Adds an option with its text, which may be the next argument. */
static int take(struct reader *reader, struct cli_entry *entry, const char *argument, char *text) {
  const struct cli_option *option = entry->option;
  if (option == &CLI_HELP)
    return text ? cli_refuse("'%s': --help takes no value", argument) : cli_help(reader->line);
  if (!text && option->placeholder && !(text = *reader->next++)) {
    const int status = cli_refuse("%s: its value %s is missing; ", argument, option->placeholder);
    cli_print_expected(option);
    return status;
  }
  cli_add_pair(reader->line,
               (struct cli_pair){.entry = entry, .source = CLI_ARGUMENT, .text = text});
  return 0;
}

static int read_long(struct reader *reader, char *argument) {
  char *const name = argument + 2; /* whose '=' C23's strchr returns as it is */
  char *equals = strchr(name, '=');
  const size_t length = equals ? (size_t)(equals - name) : strlen(name);
  struct cli_entry *entry = cli_find_name(reader->line, name, length, 0);
  if (entry)
    return take(reader, entry, argument, equals ? equals + 1 : NULL);
  const int status = cli_refuse("'%s': unknown option", argument);
  cli_suggest_names(reader->line, name, length, 0);
  return status;
}

static int read_letters(struct reader *reader, char *argument) {
  for (char *letter = argument + 1; *letter != '\0'; letter++) {
    struct cli_entry *entry = find_letter(reader->line, *letter);
    if (!entry)
      return cli_refuse("'-%.1s': unknown option", letter);
    const int takes_rest = entry->option->placeholder && letter[1] != '\0';
    const int status = take(reader, entry, argument, takes_rest ? letter + 1 : NULL);
    if (status != 0 || entry->option->placeholder)
      return status;
  }
  return 0;
}

/* Takes an argument for the value of the option that needs no name. */
static int read_operand(struct reader *reader, char *argument) {
  struct cli_entry *entry = find_letter(reader->line, '\0');
  return entry ? take(reader, entry, argument, argument)
               : cli_refuse(
                     "'%s' is one argument too many; options begin with --; usage: perlane %s %s",
                     argument, reader->line->command->name, reader->line->command->synopsis);
}

int cli_parse(struct cli_command_line *line, char **argv) {
  struct reader reader = {.line = line, .next = argv + 1};
  int status = 0, ends_options = 0;
  cli_name_command(line->command->name);
  cli_add_options(line, &CLI_HELP, 1, NULL, NULL, 0);
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
