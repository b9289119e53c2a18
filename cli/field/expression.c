/* SPDX-License-Identifier: MIT
 *
 * --expression and --field-as. Options as text have no blanks in their values: in the text that
 * maps carry, which is the library's of the noise, '&' stands for a blank.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "field/field.h"
#include "formats/format.h"

static const char WHITE[] = " \t\r\n\v\f&";

static int is_white(char c) {
  return c != '\0' && strchr(WHITE, c) != NULL;
}

/* ---- Definitions ---- */

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

/* Returns whether options begin with a look of this map. That of another width, look=NAME:WIDTH,
 * the library knows. */
enum { LOOK = 5 };
static int is_look_of_map(const char *options) {
  return strncmp(options, "look=", LOOK) == 0 && !memchr(options, ':', strcspn(options, WHITE));
}

/* Writes the options of a look, with those after it, which are the value of an option. Returns 0,
 * or the exit status. */
static int write_look(FILE *stream, const struct cli_field *field, const char *option,
                      const char *text) {
  char name[64], options[4096];
  const size_t length = strcspn(text, WHITE);
  perlane_params params;
  snprintf(name, sizeof name, "%.*s", (int)length, text);
  if (length >= sizeof name || !cli_field_look(field, name, &params))
    return cli_refuse("%s: no look is called '%s'; 'perlane looks' lists them", option, name);
  if (perlane_params_parse(&params, text + length, NULL) != PERLANE_OK) {
    perlane_explain_text(NULL, text + length, options, sizeof options);
    return cli_refuse("%s: %s", option, options);
  }
  perlane_params_print(&params, options, sizeof options);
  fputs(options, stream);
  return 0;
}

/* Writes the options of a definition, or its expression, which is checked with the whole text.
 * Returns 0, or the exit status. */
static int write_options(FILE *stream, const char *name, int length, const char *text) {
  char message[PERLANE_MESSAGE_BYTES];
  perlane_params params = perlane_params_default();
  const int is_checked = strchr(text, '=') && strncmp(text, "look=", LOOK) != 0;
  if (is_checked && perlane_params_parse(&params, text, NULL) != PERLANE_OK) {
    perlane_explain_text(NULL, text, message, sizeof message);
    return cli_refuse("--field-as %.*s: %s", length, name, message);
  }
  fputs(text, stream);
  return 0;
}

int cli_add_field_as(struct cli_command_line *line, void *values, char *text) {
  struct cli_field *field = values;
  char *definitions = NULL;
  int status = 0;
  text += strspn(text, WHITE);
  const size_t name = name_length(text, strlen(text));
  const char *options = strchr(text, '=');
  if (name == 0)
    return cli_refuse("--field-as '%s': expected NAME=OPTIONS", text);
  if (strchr(text, ';'))
    return cli_refuse("--field-as '%.*s': options have no semicolons", (int)name, text);
  for (char *at = text; (at = strchr(at, '\n')) != NULL;) /* which would end the definition */
    *at = ' ';
  options += 1 + strspn(options + 1, WHITE);
  FILE *stream = cli_open_text(&definitions);
  if (field->expression.definitions)
    fputs(field->expression.definitions, stream);
  fprintf(stream, "%.*s=", (int)name, text);
  if (is_look_of_map(options))
    status = write_look(stream, field, line ? "--field-as" : "--expression", options + LOOK);
  else
    status = write_options(stream, text, (int)name, options);
  fputc(';', stream);
  cli_close_text(stream);
  free(field->expression.definitions);
  field->expression.definitions = definitions;
  return status;
}

/* ---- The whole text ---- */

/* Returns the length of a statement, which ends with its line or a semicolon outside parentheses.
 */
static size_t statement_length(const char *text) {
  size_t length = 0;
  for (int open = 0; text[length] != '\0'; length++) {
    open += (text[length] == '(') - (text[length] == ')');
    if (open <= 0 && (text[length] == ';' || text[length] == '\n'))
      break;
  }
  return length;
}

/* Moves to the next statement, and sets its length, and that of the name if it is a definition.
 * What follows the definitions is the expression, of any number of lines. */
static char *next_statement(char *text, size_t *length, size_t *name) {
  while (is_white(*text) || *text == ';')
    text++;
  *length = statement_length(text);
  *name = name_length(text, strcspn(text, ";\n"));
  return text;
}

/* Joins the definitions of --field-as and a text. Blanks take the place of its comments, and of
 * definitions that those replace: messages count characters. */
static char *join(const char *definitions, const char *text) {
  const size_t before = strlen(definitions);
  size_t length, name;
  char *joined = cli_need(malloc(before + strlen(text) + 1));
  strcpy(joined, definitions);
  char *own = strcpy(joined + before, text);
  for (char *at = joined; (at = strchr(at, '&')) != NULL;)
    *at = ' ';
  for (char *at = own; (at = strchr(at, '#')) != NULL;)
    memset(at, ' ', strcspn(at, "\n"));
  for (char *at = next_statement(own, &length, &name); name > 0;
       at = next_statement(at + length, &length, &name))
    if (is_defined(definitions, at, name))
      memset(at, ' ', length += at[length] == ';');
  return joined;
}

char *cli_expression_text(const perlane_noise *noise) {
  const size_t size = perlane_expression_text(noise, NULL, 0) + 1;
  char *text = cli_need(malloc(size));
  perlane_expression_text(noise, text, size);
  for (char *at = text; (at = strchr(at, ' ')) != NULL;)
    *at = '&';
  return text;
}

/* Makes the noise of a text. Returns 0, or the exit status: the message then has the place in what
 * follows the first `before` characters, of a file if there is one. */
static int init(struct cli_field *field, const char *text, size_t before, const char *file) {
  static const char PLACE[] = " (character ";
  struct cli_expression *expression = &field->expression;
  char message[PERLANE_MESSAGE_BYTES];
  size_t lines = 0, begin = before;
  if (!expression->fields)
    expression->fields =
        cli_need(malloc(PERLANE_MAX_EXPRESSION_FIELDS * sizeof *expression->fields));
  if (perlane_expression_init_text(&field->noise, text, PERLANE_MAX_EXPRESSION_FIELDS,
                                   expression->fields, NULL) == PERLANE_OK)
    return 0;
  perlane_explain_text("expression", text, message, sizeof message);
  const int status = file ? cli_fail("'%s'", file) : cli_refuse("--expression");
  char *place = strstr(message, PLACE);
  const size_t character = place ? strtoul(place + strlen(PLACE), NULL, 10) : 0;
  for (size_t count = 0; *text != '\0' && count + 1 < character; text++) {
    count += (*text & 0xC0) != 0x80;
    if (*text == '\n' && count > before) {
      lines++;
      begin = count;
    }
  }
  if (lines > 0)
    fprintf(cli_message(), " line %zu", lines + 1);
  if (character > before) {
    *place = '\0';
    fprintf(cli_message(), ", character %zu", character - begin);
  }
  fprintf(cli_message(), ": %s", message);
  return status;
}

/* Adds the looks that a text defines to the definitions: they are looks of this map. */
static int add_looks(struct cli_field *field, const char *text) {
  char *const copy = cli_need(strdup(text));
  size_t length, name;
  int status = 0;
  for (char *at = copy; status == 0; at += length + 1) {
    at = next_statement(at, &length, &name);
    const int is_last = at[length] == '\0';
    if (name == 0)
      break;
    const char *options = strchr(at, '=') + 1;
    at[strcspn(at, ";\n#")] = '\0';
    if (is_look_of_map(options + strspn(options, WHITE)) &&
        !is_defined(field->expression.definitions, at, name))
      status = cli_add_field_as(NULL, field, at);
    if (is_last)
      break;
  }
  free(copy);
  return status;
}

void cli_expression_note(const char *text) {
  char notes[PERLANE_MESSAGE_BYTES];
  if (perlane_explain_text("notes", text, notes, sizeof notes) > 0)
    cli_note("%s", notes);
}

/* Makes the noise of the definitions and a text, which may be that of a file, and makes the text
 * that of the noise. With `noted`, says what the text may not mean. */
static int make(struct cli_field *field, const char *text, const char *file, int noted) {
  struct cli_expression *expression = &field->expression;
  const int looks = add_looks(field, text);
  if (looks != 0)
    return looks;
  const char *definitions = expression->definitions ? expression->definitions : "";
  char *joined = join(definitions, text);
  const int status = init(field, joined, strlen(definitions), file);
  if (status == 0 && noted)
    cli_expression_note(joined);
  free(joined);
  free(expression->definitions);
  expression->definitions = NULL;
  if (status == 0) {
    free(expression->whole);
    expression->text = expression->whole = cli_expression_text(&field->noise);
  }
  return status;
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

char *cli_expression_read(const char *what, const char *file) {
  const char *problem = NULL;
  FILE *stream = fopen(file, "rb");
  char *text = stream ? cli_read_bounded(stream, &problem) : NULL;
  if (!text)
    cli_fail("cannot read the %s in '%s': %s", what, file, problem ? problem : strerror(errno));
  if (stream)
    fclose(stream);
  return text;
}

static int read_file(struct cli_field *field, const char *file, int noted) {
  char *text = cli_expression_read("expression", file);
  const int status = text ? make(field, text, file, noted) : CLI_FAILURE;
  free(text);
  return status;
}

int cli_expression_make(const struct cli_command_line *line, struct cli_field *field) {
  const struct cli_expression *expression = &field->expression;
  const char *text = expression->text;
  const int status = refuse_options(line);
  if (status != 0)
    return status;
  if (!text)
    return cli_refuse("--field-as has no effect without --expression");
  if (*text == '@' && !cli_is_given(line, "expression")) /* anybody may have written it */
    return cli_refuse("expression=%.40s: a text of options names no file; --expression @FILE does",
                      text);
  const int noted = cli_is_given(line, "expression");
  return *text == '@' ? read_file(field, text + 1, noted) : make(field, text, NULL, noted);
}

int cli_expression_scale(struct cli_field *field, double scale, double offset) {
  struct cli_expression *expression = &field->expression;
  const char *last = strrchr(expression->text, ';');
  char *text = NULL;
  FILE *stream = cli_open_text(&text);
  const size_t before = last ? (size_t)(last + 1 - expression->text) : 0;
  fprintf(stream, "%.*s(%s)*", (int)before, expression->text, expression->text + before);
  cli_print_real(stream, scale, 0);
  fputc('+', stream);
  cli_print_real(stream, offset, 0);
  cli_close_text(stream);
  const int status = make(field, text, NULL, 0);
  free(text);
  return status;
}

void cli_expression_end(struct cli_expression *expression) {
  free(expression->definitions);
  free(expression->whole);
  free(expression->fields);
}
