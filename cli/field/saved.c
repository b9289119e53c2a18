/* SPDX-License-Identifier: MIT
 *
 * Options as text: NAME=VALUE with white space between them, tables as lists in brackets, # for a
 * comment up to the end of the line. It may begin with perlane=VERSION, and then with preset=NAME.
 */
#include "field/field.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "formats/carried.h"
#include "formats/output.h"

/* ---- Printing ---- */

static int is_printed(const struct cli_option *option, const struct cli_group *group, int whole) {
  char value[CLI_VALUE_TEXT], usual[CLI_VALUE_TEXT];
  if (option->table)
    return cli_list_exists(group->values, option->table, whole);
  if (option->in_text != CLI_IF_CHANGED)
    return option->in_text == CLI_ALWAYS;
  cli_value_text(value, sizeof value, option, group->values);
  cli_value_text(usual, sizeof usual, option, group->defaults);
  return strcmp(value, usual) != 0;
}

/* The field's numbers and names come first, then other options, then tables. */
enum part { PART_RECORDS, PART_OTHERS, PART_TABLES, PARTS };

static enum part part_of(const struct cli_option *option) {
  return option->record ? PART_RECORDS : option->table ? PART_TABLES : PART_OTHERS;
}

char *cli_text_print(const struct cli_command_line *line, const char *between, int whole) {
  char *text = NULL;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  if (!stream)
    return NULL;
  fprintf(stream, "perlane=%s", perlane_version());
  for (int part = 0; part < PARTS; part++)
    for (struct cli_each each = {.line = line}; cli_next(&each);) {
      const struct cli_option *option = each.option;
      if ((int)part_of(option) != part || !is_printed(option, each.group, whole))
        continue;
      fputs(between, stream);
      for (const char *name = option->name; *name != '\0'; name++)
        fputc(*name == '-' ? '_' : *name, stream);
      fputc('=', stream);
      if (option->table)
        cli_list_print(stream, each.group->values, option->table);
      else
        cli_print_value(stream, option, each.group->values);
    }
  const int failed = ferror(stream);
  if (fclose(stream) == 0 && !failed)
    return text;
  free(text);
  return NULL;
}

/* ---- Reading ---- */

static const char WHITE[] = " \t\r\n\v\f";

/* Settings of perlane 0.5 that mean the default: large TIFF files are BigTIFF by themselves. */
static const char *const OLD[] = {"bigtiff=on", "bigtiff=off", "compression=lzw"};

/* One NAME=VALUE of a text. Names are joined by '_' or '-', as the library reads them. */
struct entry {
  const char *begin, *value, *end;
  char name[40]; /* joined by '-'; empty if it is longer than those of all options */
};

struct reader {
  const struct cli_command_line *line;
  const char *text, *file; /* no file for a text of the command line */
  char version[24];        /* that the text says it is of; empty for none */
  int has_options;         /* whether one was before this entry */
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
  struct entry entry = {.begin = text};
  const size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_-");
  for (size_t i = 0; i < length && length < sizeof entry.name; i++)
    entry.name[i] = text[i] == '_' ? '-' : text[i];
  entry.value = length > 0 && text[length] == '=' ? text + length + 1 : NULL;
  entry.end = end_of_value(entry.value ? entry.value : text + length);
  return entry;
}

static int is_old(const struct entry *entry) {
  const size_t length = (size_t)(entry->end - entry->begin);
  int is_one = 0;
  for (size_t i = 0; i < sizeof OLD / sizeof OLD[0]; i++)
    is_one |= strlen(OLD[i]) == length && memcmp(OLD[i], entry->begin, length) == 0;
  return is_one;
}

/* Says what is wrong at a place in the text, of which the message shows the beginning: an error on
 * the command line is a refusal, one in a file a failure. */
static int fail_at(const struct reader *reader, const char *place, const char *end,
                   const char *problem) {
  enum { SHOWN = 40 };
  const size_t length = (size_t)(end - place);
  uint64_t number = 1;
  int status;
  if (reader->file) {
    for (const char *p = reader->text; p < place; p++)
      number += *p == '\n';
    status = cli_fail("'%s' line %" PRIu64, reader->file, number);
  } else {
    number += (uint64_t)(place - reader->text);
    status = cli_refuse("--field, character %" PRIu64, number);
  }
  if (length > 0)
    fprintf(cli_message(), ": '%.*s%s'", length > SHOWN ? SHOWN : (int)length, place,
            length > SHOWN ? "..." : "");
  fprintf(cli_message(), ": %s", problem);
  return status;
}

static int fail_entry(const struct reader *reader, const struct entry *entry, const char *problem) {
  return fail_at(reader, entry->begin, entry->end, problem);
}

static int fail_unknown(const struct reader *reader, const struct entry *entry) {
  const int status = fail_entry(reader, entry, "unknown option");
  if (reader->version[0] != '\0' && strcmp(reader->version, perlane_version()) != 0)
    fprintf(cli_message(), "; the text is from perlane %s, and this is %s", reader->version,
            perlane_version());
  return status;
}

static int read_list(struct reader *reader, const struct entry *entry, int table) {
  char named[128];
  const char *end = entry->value;
  const char *problem = cli_list_read(reader->field, table, &end);
  reader->tables |= 1U << table;
  if (!problem && end != entry->end)
    problem = "expected a blank after the list";
  if (!problem)
    return 0;
  const int is_named = strstr(problem, "gradient_") || strstr(problem, "hash_"); /* the library's */
  snprintf(named, sizeof named, "%.*s%s%s", is_named ? 0 : (int)(entry->value - 1 - entry->begin),
           entry->begin, is_named ? "" : ": ", problem);
  return fail_at(reader, end, end + strcspn(end, WHITE), named);
}

static int read_entry(struct reader *reader, const struct entry *entry) {
  char value[CLI_VALUE_TEXT];
  const size_t length = (size_t)(entry->end - entry->value);
  struct cli_each each = {.line = reader->line, .foreign = 1};
  const struct cli_option *option = NULL;
  while (!option && cli_next(&each))
    if (each.option->in_text != CLI_NEVER && strcmp(each.option->name, entry->name) == 0)
      option = each.option;
  if (is_old(entry))
    return 0;
  if (!option)
    return fail_unknown(reader, entry);
  if (option->stage == CLI_STAGE_PRESET && reader->has_options)
    return fail_entry(reader, entry, "a preset must come before all other options");
  if (option->table) {
    reader->field = each.group->values;
    return read_list(reader, entry, option->table);
  }
  reader->hash_given |= strcmp(entry->name, "hash") == 0;
  reader->gradients_given |= strcmp(entry->name, "gradients") == 0;
  if (length >= sizeof value)
    return fail_entry(reader, entry, "the value is too long");
  memcpy(value, entry->value, length);
  value[length] = '\0';
  if (cli_set(option, value, each.group->values))
    return 0;
  const int status = fail_at(reader, entry->begin, option->record ? entry->begin : entry->end, "");
  cli_print_refusal(option, value);
  return status;
}

static int fail_no_name(const struct reader *reader, const struct entry *entry) {
  if (*entry->begin == '{')
    return fail_entry(reader, entry,
                      "JSON, as perlane 0.4 wrote it; make the file again, or give the options");
  return fail_entry(reader, entry, "expected NAME=VALUE");
}

static int apply_text(const struct cli_command_line *line, const char *text, const char *file) {
  struct reader reader = {.line = line, .text = text, .file = file};
  int status = 0;
  for (const char *p = skip_comments(text); status == 0 && *p != '\0';) {
    const struct entry entry = entry_at(p);
    if (!entry.value)
      return fail_no_name(&reader, &entry);
    if (!reader.has_options && reader.version[0] == '\0' && strcmp(entry.name, "perlane") == 0) {
      snprintf(reader.version, sizeof reader.version, "%.16s", entry.value);
      reader.version[strcspn(reader.version, WHITE)] = '\0';
    } else {
      status = read_entry(&reader, &entry);
      reader.has_options = 1;
    }
    p = skip_comments(entry.end);
  }
  if (status != 0 || reader.tables == 0)
    return status;
  const char *problem =
      cli_tables_select(reader.field, reader.tables, reader.hash_given, reader.gradients_given);
  if (!problem)
    return 0;
  return file ? cli_fail("'%s': %s", file, problem) : cli_refuse("--field: %s", problem);
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
    return cli_refuse("--params and --params-of exclude each other, and a second "
                      "file of options");
  }
  field->saved = file;
  const int status = apply_text(line, text, file);
  free(text);
  return status;
}

/* A map's first bytes may look like a text. */
static const char *hint_of(const char *file) {
  const char *problem;
  char *text = cli_carried_read(file, &problem);
  free(text);
  return text ? "; it is a map, and --params-of reads what it carries" : "";
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
  const int status = text ? apply_saved(line, values, file, text)
                          : cli_fail("cannot read the options in '%s': %s", file, problem);
  if (status == CLI_FAILURE)
    fputs(hint_of(file), cli_message());
  return status;
}

int cli_apply_map(const struct cli_command_line *line, void *values, const char *map) {
  const char *problem;
  char *text = cli_carried_read(map, &problem);
  return text ? apply_saved(line, values, map, text)
              : cli_fail("cannot read the options of '%s': %s", map, problem);
}

int cli_save_params_check(const struct cli_field *field) {
  const char *problem = field->save_params ? cli_output_try(field->save_params) : NULL;
  return problem ? cli_fail("cannot write '%s': %s", field->save_params, problem) : 0;
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
  return problem ? cli_fail("cannot write '%s': %s", file, problem) : 0;
}
