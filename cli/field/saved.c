/* SPDX-License-Identifier: MIT
 *
 * Options as text: NAME=VALUE with white space between them, tables as lists in brackets, # for a
 * comment up to the end of the line. It may begin with perlane=VERSION, and then with preset=NAME.
 */
#include "field/saved.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "formats/carried.h"
#include "formats/output.h"

/* ---- Printing ---- */

static int is_printed(const struct cli_option *option, const struct cli_group *group) {
  char value[CLI_VALUE_TEXT], usual[CLI_VALUE_TEXT];
  if (option->in_text != CLI_IF_CHANGED)
    return option->in_text == CLI_ALWAYS;
  cli_value_text(value, sizeof value, option, group->values);
  cli_value_text(usual, sizeof usual, option, group->defaults);
  return strcmp(value, usual) != 0;
}

static void print_name(FILE *stream, const char *between, const char *name) {
  for (fputs(between, stream); *name != '\0'; name++)
    fputc(*name == '-' ? '_' : *name, stream);
  fputc('=', stream);
}

/* In texts the field's numbers and names come first, then other options, then tables. */
enum part { PART_RECORDS, PART_OTHERS, PART_TABLES, PARTS };

static enum part part_of(const struct cli_option *option) {
  return option->record ? PART_RECORDS : option->table ? PART_TABLES : PART_OTHERS;
}

static void print_part(FILE *stream, const struct cli_command_line *line, const char *between,
                       int whole, enum part part) {
  for (size_t g = 0; g < line->groups; g++)
    for (size_t i = 0; i < line->group[g].count && !line->group[g].is_foreign; i++) {
      const struct cli_group *group = &line->group[g];
      const struct cli_option *option = &group->option[i];
      if (part_of(option) != part)
        continue;
      if (part != PART_TABLES && is_printed(option, group)) {
        print_name(stream, between, option->name);
        cli_print_value(stream, option, group->values);
      } else if (part == PART_TABLES && cli_list_exists(group->values, option->table, whole)) {
        print_name(stream, between, option->name);
        cli_list_print(stream, group->values, option->table);
      }
    }
}

char *cli_text_print(const struct cli_command_line *line, const char *between, int whole) {
  char *text = NULL;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  if (!stream)
    return NULL;
  fprintf(stream, "perlane=%s", perlane_version());
  for (int part = 0; part < PARTS; part++)
    print_part(stream, line, between, whole, (enum part)part);
  const int failed = ferror(stream);
  if (fclose(stream) == 0 && !failed)
    return text;
  free(text);
  return NULL;
}

/* ---- Reading ---- */

static const char WHITE[] = " \t\r\n\v\f";

/* One NAME=VALUE of a text. */
struct entry {
  const char *name, *value, *end;
  size_t name_length, value_length;
};

struct reader {
  const struct cli_command_line *line;
  const char *text, *file; /* no file for a text of the command line */
  char version[24];        /* that the text says it is of; empty for none */
  struct cli_field *field; /* whose tables have been read */
  unsigned tables;
  int hash_given, gradients_given;
};

static const char *skip_comments(const char *text) {
  for (text += strspn(text, WHITE); *text == '#'; text += strspn(text, WHITE))
    text += strcspn(text, "\n");
  return text;
}

static const char *end_of_value(const char *value) {
  int open = 0;
  if (*value != '[')
    return value + strcspn(value, WHITE);
  for (; *value != '\0'; value++) {
    open += (*value == '[') - (*value == ']');
    if (open == 0)
      return value + strcspn(value, WHITE);
  }
  return value;
}

static struct entry entry_at(const char *text) {
  struct entry entry = {.name = text,
                        .name_length = strspn(text, "abcdefghijklmnopqrstuvwxyz"
                                                    "0123456789_-")};
  entry.value = text + entry.name_length + (text[entry.name_length] == '=');
  entry.end = end_of_value(entry.value);
  entry.value_length = (size_t)(entry.end - entry.value);
  return entry;
}

/* Begins a message about what the text has at a place, of which it shows the beginning. */
static FILE *begin_failure(const struct reader *reader, const char *place, const char *end) {
  enum { SHOWN = 40 };
  const char *begin = reader->text;
  FILE *message = cli_begin_message();
  uint64_t number = 1;
  if (reader->file) {
    for (const char *p = begin; p < place; p++)
      number += *p == '\n';
    fprintf(message, "'%s' line %" PRIu64, reader->file, number);
  } else {
    fprintf(message, "--field, character %" PRIu64, number + (uint64_t)(place - begin));
  }
  const size_t length = (size_t)(end - place);
  if (length > 0)
    fprintf(message, ": '%.*s%s'", length > SHOWN ? SHOWN : (int)length, place,
            length > SHOWN ? "..." : "");
  fputs(": ", message);
  return message;
}

/* An error on the command line is a refusal, one in a file a failure. */
static int end_failure(const struct reader *reader, FILE *message) {
  return reader->file ? cli_end_failure(reader->line->command, message)
                      : cli_end_refusal(reader->line->command, message);
}

static int fail_entry(const struct reader *reader, const struct entry *entry, const char *problem) {
  FILE *message = begin_failure(reader, entry->name, entry->end);
  fputs(problem, message);
  return end_failure(reader, message);
}

static int fail_unknown(const struct reader *reader, const struct entry *entry) {
  FILE *message = begin_failure(reader, entry->name, entry->end);
  fputs("unknown option", message);
  if (reader->version[0] != '\0' && strcmp(reader->version, perlane_version()) != 0)
    fprintf(message, "; the text is from perlane %s, and this is %s", reader->version,
            perlane_version());
  return end_failure(reader, message);
}

/* Names are joined by '_' or '-', as the library reads them. */
static int is_name(const struct entry *entry, const char *name) {
  for (size_t i = 0; i < entry->name_length; i++)
    if ((entry->name[i] == '_' ? '-' : entry->name[i]) != name[i])
      return 0;
  return name[entry->name_length] == '\0';
}

static const struct cli_option *find(const struct reader *reader, const struct entry *entry,
                                     void **values) {
  for (size_t g = 0; g < reader->line->groups; g++)
    for (size_t i = 0; i < reader->line->group[g].count; i++) {
      const struct cli_option *option = &reader->line->group[g].option[i];
      if (option->in_text == CLI_NEVER || !is_name(entry, option->name))
        continue;
      *values = reader->line->group[g].values;
      return option;
    }
  return NULL;
}

static int read_list(struct reader *reader, const struct entry *entry, unsigned table) {
  const char *end = entry->value;
  const char *problem = cli_list_read(reader->field, table, &end);
  reader->tables |= table;
  if (!problem && end != entry->end)
    problem = "expected a blank after the list";
  if (!problem)
    return 0;
  FILE *message = begin_failure(reader, end, end + strcspn(end, WHITE));
  if (!strstr(problem, "gradient_") && !strstr(problem, "hash_")) /* the library's sentences do */
    fprintf(message, "%.*s: ", (int)entry->name_length, entry->name);
  fputs(problem, message);
  return end_failure(reader, message);
}

static int read_entry(struct reader *reader, const struct entry *entry, int is_first) {
  char value[CLI_VALUE_TEXT];
  void *values;
  const struct cli_option *option = find(reader, entry, &values);
  if (!option)
    return fail_unknown(reader, entry);
  if (option->stage == CLI_STAGE_PRESET && !is_first)
    return fail_entry(reader, entry, "a preset must come before all other options");
  if (option->table != 0) {
    reader->field = values;
    return read_list(reader, entry, option->table);
  }
  reader->hash_given |= is_name(entry, "hash");
  reader->gradients_given |= is_name(entry, "gradients");
  if (entry->value_length >= sizeof value)
    return fail_entry(reader, entry, "the value is too long");
  memcpy(value, entry->value, entry->value_length);
  value[entry->value_length] = '\0';
  if (cli_set(option, value, values))
    return 0;
  FILE *message = begin_failure(reader, entry->name, option->record ? entry->name : entry->end);
  cli_print_refusal(message, option, value);
  return end_failure(reader, message);
}

/* A map's first bytes may look like a text. */
static const char *hint_of(const char *file) {
  const char *problem;
  char *text = file ? cli_carried_read(file, &problem) : NULL;
  free(text);
  return text ? "; it is a map, and --params-of reads what it carries" : "";
}

static int fail_no_name(const struct reader *reader, const struct entry *entry) {
  if (*entry->name == '{')
    return fail_entry(reader, entry,
                      "JSON, as perlane 0.4 wrote it; make the file again, or give the options");
  FILE *message = begin_failure(reader, entry->name, entry->end);
  fprintf(message, "expected NAME=VALUE%s", hint_of(reader->file));
  return end_failure(reader, message);
}

static int apply_text(const struct cli_command_line *line, const char *text, const char *file) {
  struct reader reader = {.line = line, .text = text, .file = file};
  const char *p = skip_comments(text);
  int status = 0, is_first = 1;
  while (status == 0 && *p != '\0') {
    const struct entry entry = entry_at(p);
    if (entry.name_length == 0 || entry.name[entry.name_length] != '=')
      return fail_no_name(&reader, &entry);
    if (is_first && reader.version[0] == '\0' && is_name(&entry, "perlane")) {
      snprintf(reader.version, sizeof reader.version, "%.*s",
               entry.value_length < 16 ? (int)entry.value_length : 16, entry.value);
    } else {
      status = read_entry(&reader, &entry, is_first);
      is_first = 0;
    }
    p = skip_comments(entry.end);
  }
  if (status != 0 || reader.tables == 0)
    return status;
  const char *problem =
      cli_tables_select(reader.field, reader.tables, reader.hash_given, reader.gradients_given);
  if (!problem)
    return 0;
  FILE *message = cli_begin_message();
  if (file)
    fprintf(message, "'%s': %s", file, problem);
  else
    fprintf(message, "--field: %s", problem);
  return end_failure(&reader, message);
}

/* ---- Options that apply texts ---- */

int cli_apply_text(const struct cli_command_line *line, void *values, const char *text) {
  (void)values;
  return apply_text(line, text, NULL);
}

static int apply_saved(const struct cli_command_line *line, struct cli_field *field,
                       const char *file, char *text) {
  if (field->saved) {
    free(text);
    return cli_refuse(line->command, "--params and --params-of exclude each other, and a second "
                                     "file of options");
  }
  field->saved = file;
  const int status = apply_text(line, text, file);
  free(text);
  return status;
}

int cli_apply_file(const struct cli_command_line *line, void *values, const char *file) {
  const char *problem = NULL;
  FILE *stream = fopen(file, "rb");
  char *text = NULL;
  if (stream) {
    text = cli_read_bounded(stream, CLI_MAX_PARAMS, &problem);
    fclose(stream);
  } else {
    problem = strerror(errno);
  }
  return text ? apply_saved(line, values, file, text)
              : cli_fail(line->command, "cannot read the options in '%s': %s%s", file, problem,
                         hint_of(file));
}

int cli_apply_map(const struct cli_command_line *line, void *values, const char *map) {
  const char *problem;
  char *text = cli_carried_read(map, &problem);
  return text ? apply_saved(line, values, map, text)
              : cli_fail(line->command, "cannot read the options of '%s': %s", map, problem);
}

int cli_save_params(const struct cli_command_line *line, const struct cli_field *field) {
  const char *file = field->save_params;
  struct cli_output output;
  if (!file)
    return 0;
  char *text = cli_text_print(line, "\n", 1);
  const char *problem = !text                            ? strerror(ENOMEM)
                        : strlen(text) >= CLI_MAX_PARAMS ? "its tables are larger than the 64 MiB "
                                                           "that --params reads"
                                                         : cli_output_open(&output, file);
  if (text && !problem) {
    fprintf(output.stream, "%s\n", text); /* closing reports a failed write */
    problem = cli_output_close(&output);
  }
  free(text);
  return problem ? cli_fail(line->command, "cannot write '%s': %s", file, problem) : 0;
}
