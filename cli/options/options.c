/* SPDX-License-Identifier: MIT
 *
 * Values of options, those of the library's records as well as the command's own.
 */
#include "options/options.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Numbers ---- */

const char *cli_scan_double(const char *text, double *value) {
  if (strchr(" \t\n\v\f\r", *text)) /* strtod would pass over these; '\0' is found too */
    return NULL;
  char *end;
  *value = strtod(text, &end);
  return end == text ? NULL : end;
}

/* strtoll would also take "+1" and " 1". */
const char *cli_scan_whole(const char *text, int64_t *value) {
  char *end;
  errno = 0;
  *value = strtoll(text, &end, 10);
  return isdigit((unsigned char)text[*text == '-']) && errno == 0 ? end : NULL;
}

void cli_print_real(FILE *stream, double value, int is_float) {
  char text[40];
  double read;
  int digits = is_float ? FLT_DIG : DBL_DIG;
  do {
    snprintf(text, sizeof text, "%.*g", digits, value);
    read = strtod(text, NULL);
  } while ((is_float ? (float)read != (float)value : read != value) && digits++ < DBL_DECIMAL_DIG);
  fputs(text, stream);
}

/* ---- Lists of numbers ---- */

static const char *scan_whole(const struct cli_kind *kind, const char *text, int64_t *value) {
  const char *end = cli_scan_whole(text, value);
  if (!end)
    return NULL;
  const int is_kilo = *end == 'k' || *end == 'K', is_mega = *end == 'M';
  if (kind->separator == 'x' && (is_kilo || is_mega)) {
    const int64_t unit = is_kilo ? 1024 : 1048576;
    if (*value < 0 || *value > INT64_MAX / unit)
      return NULL;
    *value *= unit;
    end++;
  }
  return *value >= kind->min.whole && *value <= kind->max.whole ? end : NULL;
}

static const char *scan_real(const struct cli_kind *kind, const char *text, double *value) {
  const char *end = cli_scan_double(text, value);
  return end && *value >= kind->min.real && *value <= kind->max.real &&
                 (*value != 0 || !kind->is_nonzero)
             ? end
             : NULL;
}

static int separator_of(const struct cli_kind *kind) {
  return kind->separator ? kind->separator : ',';
}

/* Reads a list of numbers. Returns 0 if text is not of this kind. */
static int set_numbers(const struct cli_kind *kind, const char *text, struct cli_numbers *numbers) {
  struct cli_numbers list = {0};
  if (kind->takes_none && strcmp(text, kind->none) == 0) {
    *numbers = list;
    return 1;
  }
  if (kind->other && strcmp(text, kind->other) == 0) {
    *numbers = (struct cli_numbers){.count = CLI_OTHER};
    return 1;
  }
  for (;; text++) {
    union cli_number *number = &list.at[list.count++];
    text = kind->is_whole ? scan_whole(kind, text, &number->whole)
                          : scan_real(kind, text, &number->real);
    if (!text || *text == '\0' || list.count == kind->max_count)
      break;
    if (tolower((unsigned char)*text) != separator_of(kind))
      return 0;
  }
  if (!text || *text != '\0' || list.count < kind->min_count ||
      (kind->accepts && !kind->accepts(&list)))
    return 0;
  *numbers = list;
  return 1;
}

static void print_numbers(FILE *stream, const struct cli_kind *kind,
                          const struct cli_numbers *numbers) {
  if (numbers->count <= 0)
    fputs(numbers->count == 0 ? kind->none : kind->other, stream);
  for (int i = 0; i < numbers->count; i++) {
    if (i > 0)
      fputc(separator_of(kind), stream);
    if (kind->is_whole)
      fprintf(stream, "%" PRId64, numbers->at[i].whole);
    else
      cli_print_real(stream, numbers->at[i].real, 0);
  }
}

/* ---- Other kinds of values ---- */

static int parse_text(const char *text, void *value) {
  *(const char **)value = text;
  return 1;
}

void cli_print_name(FILE *stream, const void *value) {
  const char *name = *(const char *const *)value;
  fputs(name ? name : "none", stream);
}

const struct cli_kind CLI_TEXT = {
    .expected = "a text", .parse = parse_text, .print = cli_print_name};
const struct cli_kind CLI_FILE = {
    .expected = "the name of a file", .parse = parse_text, .print = cli_print_name};
const struct cli_kind CLI_SWITCH = {
    .names = (const struct cli_name[]){{"off", 0}, {"on", 1}, {NULL, 0}}};

const char *cli_skip_mark(const char *text) {
  static const char mark[] = "\xEF\xBB\xBF";
  return strncmp(text, mark, strlen(mark)) == 0 ? text + strlen(mark) : text;
}

/* ---- Options ---- */

void cli_add_options(struct cli_command_line *line, const struct cli_option *option, size_t count,
                     void *values, const void *defaults, int is_foreign) {
  if (count > CLI_MAX_OPTIONS - line->entries)
    abort(); /* options that nobody could give */
  for (size_t i = 0; i < count; i++)
    line->entry[line->entries++] = (struct cli_entry){
        .option = &option[i], .values = values, .defaults = defaults, .is_foreign = is_foreign};
}

const struct cli_entry *cli_find(const struct cli_command_line *line, const char *name) {
  const struct cli_entry *entry = line->entry;
  while (strcmp(entry->option->name, name) != 0)
    entry++;
  return entry;
}

enum cli_source cli_source_of(const struct cli_command_line *line, const char *name) {
  return cli_find(line, name)->source;
}

int cli_is_given(const struct cli_command_line *line, const char *name) {
  return cli_source_of(line, name) == CLI_ARGUMENT;
}

int cli_is_changed(const struct cli_entry *entry) {
  char value[CLI_VALUE_TEXT], usual[CLI_VALUE_TEXT];
  cli_value_text(value, sizeof value, entry->option, entry->values);
  cli_value_text(usual, sizeof usual, entry->option, entry->defaults);
  return strcmp(value, usual) != 0;
}

int cli_is_argument(const struct cli_entry *entry) {
  return !entry->is_foreign && entry->option->in_text != CLI_TEXT_ONLY;
}

int cli_set(const struct cli_option *option, const char *text, void *values) {
  void *value = (char *)values + option->offset;
  if (option->record)
    return perlane_params_set(value, option->record->name, text) == PERLANE_OK;
  const struct cli_kind *kind = option->kind;
  if (kind->max_count > 0)
    return set_numbers(kind, text, value);
  if (kind->parse)
    return kind->parse(text, value);
  const char *name;
  for (int i = 0; (name = cli_choice(option, i)) != NULL; i++)
    if (strcmp(name, text ? text : "on") == 0) {
      *(int *)value = kind->names ? kind->names[i].value : i;
      return 1;
    }
  return 0;
}

/* Returns the name of a value, or `none`. */
static const char *name_of(const struct cli_kind *kind, int value) {
  const struct cli_name *names = kind->names;
  while (names && names->name && names->value != value)
    names++;
  const char *name = names ? names->name : value < 0 ? NULL : kind->list(value);
  return name ? name : kind->none;
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
    print_numbers(stream, option->kind, value);
  } else if (option->kind->print) {
    option->kind->print(stream, value);
  } else {
    fputs(name_of(option->kind, *(const int *)value), stream);
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

const char *cli_choice(const struct cli_option *option, int index) {
  if (option->record)
    return index < option->record->choice_count ? option->record->choices[index].name : NULL;
  if (option->kind->names)
    return option->kind->names[index].name;
  return option->kind->list ? option->kind->list(index) : NULL;
}

void cli_print_expected(const struct cli_option *option) {
  FILE *message = cli_message();
  const char *name;
  fputs("expected ", message);
  if (option->record) {
    char text[PERLANE_MESSAGE_BYTES];
    perlane_option_expected(option->record, text, sizeof text);
    fputs(text, message);
  } else if (cli_choice(option, 0)) {
    for (int i = 0; (name = cli_choice(option, i)) != NULL; i++)
      fprintf(message, "%s%s", i ? ", " : "one of ", name);
  } else {
    fputs(option->kind->expected, message);
  }
}
