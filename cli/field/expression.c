/* SPDX-License-Identifier: MIT
 *
 * --expression and --field-as. Options as text have no blanks in their values: in the text that
 * maps carry, '&' stands for a blank.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "field/field.h"
#include "formats/carried.h"

static const char WHITE[] = " \t\r\n\v\f&";

static int is_white(char c) {
  return c != '\0' && strchr(WHITE, c) != NULL;
}

static int is_letter(char c) {
  return c == '_' || c == '.' || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* ---- Definitions ---- */

/* Writes a statement with one '&' for the blanks between two of its words, and none elsewhere. */
static void write_statement(FILE *stream, const char *text, size_t length) {
  char last = '=';
  for (size_t i = 0; i < length; i++) {
    if (is_white(text[i]))
      continue;
    const int is_apart = i > 0 && is_white(text[i - 1]);
    if (is_apart && (is_letter(last) || last == '\'') && is_letter(text[i]))
      fputc('&', stream);
    fputc(last = text[i], stream);
  }
}

/* Returns the length of the name of a definition; 0 if a statement is none. */
static size_t name_length(const char *statement, size_t length) {
  const char *equals = memchr(statement, '=', length);
  size_t name = equals ? (size_t)(equals - statement) : 0;
  while (name > 0 && is_white(statement[name - 1]))
    name--;
  return name;
}

/* Returns whether definitions have one of this name. */
static int is_defined(const char *definitions, const char *name, size_t length) {
  for (const char *at = definitions; at && *at != '\0'; at += strcspn(at, ";") + 1)
    if (strncmp(at, name, length) == 0 && at[length] == '=')
      return 1;
  return 0;
}

/* Writes the options of a look, with those after it. Returns 0, or the exit status. */
static int write_look(FILE *stream, const struct cli_field *field, const char *text) {
  char name[64], options[4096];
  const size_t length = strcspn(text, WHITE);
  perlane_params params;
  snprintf(name, sizeof name, "%.*s", (int)length, text);
  if (length >= sizeof name || !cli_field_look(field, name, &params))
    return cli_refuse("--field-as: no look is called '%s'; 'perlane looks' lists them", name);
  if (perlane_params_parse(&params, text + length, NULL) != PERLANE_OK) {
    perlane_explain_text(text + length, options, sizeof options);
    return cli_refuse("--field-as: %s", options);
  }
  perlane_params_print(&params, options, sizeof options);
  write_statement(stream, options, strlen(options));
  return 0;
}

int cli_add_field_as(struct cli_command_line *line, void *values, char *text) {
  struct cli_field *field = values;
  char *definitions = NULL;
  size_t size;
  int status = 0;
  (void)line;
  text += strspn(text, WHITE);
  const size_t name = name_length(text, strlen(text));
  const char *options = strchr(text, '=');
  if (name == 0)
    return cli_refuse("--field-as '%s': expected NAME=OPTIONS", text);
  if (strchr(text, ';') || strchr(text, '\n'))
    return cli_refuse("--field-as '%.*s': options have no semicolons and line ends", (int)name,
                      text);
  options += 1 + strspn(options + 1, WHITE);
  FILE *stream = open_memstream(&definitions, &size);
  if (!stream)
    return cli_fail("%s", strerror(ENOMEM));
  if (field->expression.definitions)
    fputs(field->expression.definitions, stream);
  fprintf(stream, "%.*s=", (int)name, text);
  if (strncmp(options, "look=", 5) == 0)
    status = write_look(stream, field, options + 5);
  else
    write_statement(stream, options, strlen(options));
  fputc(';', stream);
  fclose(stream);
  free(field->expression.definitions);
  field->expression.definitions = definitions;
  return status;
}

/* ---- The whole text ---- */

/* Returns a text without its comments. */
static char *without_comments(const char *text) {
  char *copy = strdup(text);
  for (char *at = copy; at && (at = strchr(at, '#')) != NULL;)
    memset(at, ' ', strcspn(at, "\n"));
  return copy;
}

/* Writes a text's statements, less the definitions that are replaced. What follows them is the
 * expression, of any number of lines. */
static void write_text(FILE *stream, const char *definitions, const char *text) {
  for (;;) {
    text += strspn(text, WHITE);
    text += strspn(text, ";");
    const size_t length = strcspn(text, ";\n"), name = name_length(text, length);
    if (is_white(*text))
      continue;
    if (name == 0)
      break;
    if (!is_defined(definitions, text, name)) {
      write_statement(stream, text, length);
      fputc(';', stream);
    }
    text += length;
  }
  write_statement(stream, text, strlen(text));
}

static int refuse_options(const struct cli_command_line *line) {
  for (size_t i = 0; i < line->entries; i++) {
    const struct cli_entry *entry = &line->entry[i];
    if (entry->option->record && entry->source > CLI_SAVED)
      return cli_refuse(
          "--%s is an option of one field: with --expression, --field-as NAME='%s=...' "
          "sets it",
          entry->option->name, entry->option->record->name);
  }
  return 0;
}

/* Reads the file of @FILE. Returns NULL after a message. */
static char *read_file(const char *file) {
  const char *problem = NULL;
  FILE *stream = fopen(file, "rb");
  char *text = stream ? cli_read_bounded(stream, CLI_MAX_CARRIED, &problem) : NULL;
  if (!text)
    cli_fail("cannot read the expression in '%s': %s", file, problem ? problem : strerror(errno));
  if (stream)
    fclose(stream);
  return text;
}

/* Makes the whole text of the definitions and a text. */
static int set_whole(struct cli_expression *expression, const char *text) {
  char *whole = NULL, *copy = without_comments(text);
  size_t size;
  FILE *stream = copy ? open_memstream(&whole, &size) : NULL;
  if (stream && expression->definitions)
    fputs(expression->definitions, stream);
  if (stream)
    write_text(stream, expression->definitions, copy);
  free(copy);
  if (!stream || fclose(stream) != 0)
    return cli_fail("%s", strerror(ENOMEM));
  free(expression->whole);
  free(expression->definitions);
  expression->definitions = NULL;
  expression->text = expression->whole = whole;
  return 0;
}

int cli_expression_make(const struct cli_command_line *line, struct cli_field *field) {
  struct cli_expression *expression = &field->expression;
  int status = refuse_options(line);
  if (status == 0 && !expression->text)
    status = cli_refuse("--field-as has no effect without --expression");
  if (status != 0)
    return status;
  if (*expression->text == '@') {
    char *text = read_file(expression->text + 1);
    status = text ? set_whole(expression, text) : CLI_FAILURE;
    free(text);
  } else if (expression->text != expression->whole) {
    status = set_whole(expression, expression->text);
  }
  return status == 0 ? cli_expression_init(field) : status;
}

int cli_expression_init(struct cli_field *field) {
  struct cli_expression *expression = &field->expression;
  char message[PERLANE_MESSAGE_BYTES];
  if (!expression->fields)
    expression->fields = malloc(PERLANE_MAX_EXPRESSION_FIELDS * sizeof *expression->fields);
  char *text = strdup(expression->text);
  if (!text || !expression->fields) {
    free(text);
    return cli_fail("%s", strerror(ENOMEM));
  }
  for (char *join = text; (join = strchr(join, '&')) != NULL;)
    *join = ' ';
  const perlane_status status = perlane_expression_init_text(
      &field->noise, text, PERLANE_MAX_EXPRESSION_FIELDS, expression->fields, NULL);
  perlane_explain_expression(text, 0, NULL, message, sizeof message);
  free(text);
  return status == PERLANE_OK ? 0 : cli_refuse("--expression: %s", message);
}

int cli_expression_scale(struct cli_field *field, double scale, double offset) {
  struct cli_expression *expression = &field->expression;
  const char *last = strrchr(expression->text, ';');
  char *text = NULL;
  size_t size;
  FILE *stream = open_memstream(&text, &size);
  if (!stream)
    return cli_fail("%s", strerror(ENOMEM));
  const size_t before = last ? (size_t)(last + 1 - expression->text) : 0;
  fprintf(stream, "%.*s(%s)*", (int)before, expression->text, expression->text + before);
  cli_print_real(stream, scale, 0);
  fputc('+', stream);
  cli_print_real(stream, offset, 0);
  fclose(stream);
  free(expression->whole);
  expression->text = expression->whole = text;
  return cli_expression_init(field);
}

void cli_expression_end(struct cli_expression *expression) {
  free(expression->definitions);
  free(expression->whole);
  free(expression->fields);
}
