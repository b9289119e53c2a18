/* SPDX-License-Identifier: MIT
 *
 * The table of a field's options: the library's records, and what the command adds to them; and the
 * library's noise that they make.
 */
#include "field/field.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- The command's own ---- */

static int apply_preset(struct cli_command_line *line, void *values, char *text) {
  struct cli_field *field = values;
  (void)line;
  memset(field->tables.text, 0, sizeof field->tables.text); /* a preset has its own */
  return perlane_preset(&field->params, text) == PERLANE_OK ? 0 : CLI_WRONG;
}

static const struct cli_kind PRESET = {.list = perlane_preset_name};

/* A text, or NULL for none. */
static int parse_text(const char *text, void *value) {
  *(const char **)value = strcmp(text, "none") == 0 ? NULL : text;
  return *text != '\0';
}

static const struct cli_kind TABLE = {
    .expected = "a list of numbers", .parse = parse_text, .print = cli_print_name};
const struct cli_kind CLI_EXPRESSION = {
    .expected = "a text", .parse = parse_text, .print = cli_print_name};

#define AT(member) offsetof(struct cli_field, member)

/* The preset comes before the library's options, and the others after them. */
static const struct cli_option OWN[] = {
    {"preset", "NAME", &PRESET, 0,
     .help = "Starts from the field of a known implementation ('perlane info' shows what it sets). "
             "All other options, before or after it, override this. The frequency is then 1: a "
             "map usually needs --frequency as well.",
     .stage = CLI_STAGE_PRESET, .apply = apply_preset},
    {"hash-table", "LIST", &TABLE, AT(tables.text[CLI_HASH_TABLE]), .in_text = CLI_TEXT_ONLY},
    {"gradient-table", "LIST", &TABLE, AT(tables.text[CLI_GRADIENT_TABLE]),
     .in_text = CLI_TEXT_ONLY},
    {"gradient-grid", "LIST", &TABLE, AT(tables.text[CLI_GRADIENT_GRID]), .in_text = CLI_TEXT_ONLY},
    {"field", "TEXT", &CLI_TEXT, 0, .heading = "Options as text",
     .help = "Sets the options that TEXT lists, as in \"octaves=8 frequency=0.002 "
             "fractal=ridged\": the line that a map carries. Other options override it, whatever "
             "their order. A text may also contain tables, as lists: hash_table, gradient_table, "
             "gradient_grid.",
     .stage = CLI_STAGE_TEXT, .in_text = CLI_NEVER, .apply = cli_add_text},
    {"params-of", "FILE", &CLI_FILE, 0,
     .help = "Starts from the options that a map carries, or that --print-params has printed to a "
             "file. All other options, before or after it, override them; a switch is turned off "
             "with =off, as in --shade=off.",
     .stage = CLI_STAGE_TEXT, .in_text = CLI_NEVER, .apply = cli_add_file},
    {"print-params", NULL, &CLI_SWITCH, AT(print_params),
     .help = "Prints the options that make the result, one per line, instead of the result.",
     .in_text = CLI_NEVER},
    {"expression", "TEXT", &CLI_EXPRESSION, AT(expression.text),
     .heading = "Several fields in one (docs/expressions.md)",
     .help = "Combines fields: 'mix(plains, mountains, smooth(-0.1, 0.3, regions)) - 0.01*y'. "
             "--field-as defines each name, or TEXT itself does, before the expression: 'a = "
             "octaves=4; b = seed=2; max(a, b)'. @FILE reads it from a file. --range is then "
             "actual unless given."},
    {"field-as", "NAME=OPTIONS", &CLI_TEXT, 0,
     .help = "Defines a field of --expression by options as --field takes them, with look=NAME for "
             "a look: mountains='look=alps seed=7'; or a name for an expression: land='mix(a, b, "
             "0.3)'. "
             "Replaces a definition of the expression's text.",
     .stage = CLI_STAGE_LOOK, .in_text = CLI_NEVER, .apply = cli_add_field_as},
};

/* ---- The library's records ---- */

enum { MAX_NAME = 32 };

static const char *const PLACEHOLDERS[PERLANE_OPTION_KIND_COUNT] = {
    [PERLANE_OPTION_SEED] = "N",
    [PERLANE_OPTION_REAL] = "F",
    [PERLANE_OPTION_INTEGER] = "N",
    [PERLANE_OPTION_CHOICE] = "NAME",
    [PERLANE_OPTION_AXES] = "X[,Y[,Z[,W]]]",
    [PERLANE_OPTION_CURVE] = "X:Y,X:Y,...",
};

/* Fills the table, and returns the number of options in it. */
static size_t make_table(struct cli_option option[CLI_MAX_OPTIONS]) {
  static char names[CLI_MAX_OPTIONS][MAX_NAME];
  const size_t others = sizeof OWN / sizeof OWN[0] - 1;
  size_t count = 1;
  const char *heading = "";
  option[0] = OWN[0];
  if ((size_t)perlane_option_count() + others >= CLI_MAX_OPTIONS)
    abort();
  for (int32_t i = 0; i < perlane_option_count(); i++, count++) {
    const perlane_option *record = perlane_option_at(i);
    char *name = names[count];
    snprintf(name, MAX_NAME, "%s", record->name);
    for (char *join = name; (join = strchr(join, '_')) != NULL;)
      *join = '-';
    option[count] = (struct cli_option){
        .name = name,
        .placeholder = PLACEHOLDERS[record->kind],
        .record = record,
        .offset = AT(params),
    };
    if (strcmp(record->heading, heading) != 0)
      option[i == 0 ? 0 : count].heading = heading = record->heading;
  }
  memcpy(option + count, OWN + 1, others * sizeof *OWN);
  return count + others;
}

void cli_add_field_options(struct cli_command_line *line, struct cli_field *field) {
  static struct cli_option option[CLI_MAX_OPTIONS];
  static struct cli_field defaults;
  defaults.params = perlane_params_default();
  *field = defaults;
  cli_add_options(line, option, make_table(option), field, &defaults, 0);
}

void cli_field_end(struct cli_field *field) {
  free(field->tables.grid);
  free(field->saved_text);
  cli_expression_end(&field->expression);
}

void cli_field_note_seed(const struct cli_command_line *line, const struct cli_field *field) {
  const uint64_t seed = field->params.seed;
  if (cli_find(line, "seed")->is_negative && seed > INT64_MAX)
    cli_note("--seed -%" PRIu64 " is %" PRIu64, 0 - seed, seed);
}

/* ---- The noise ---- */

int32_t cli_field_octaves(const struct cli_field *field) {
  if (field->expression.text)
    return field->noise.octaves;
  return field->params.fractal == PERLANE_FRACTAL_NONE ? 1 : field->params.octaves;
}

int cli_field_init(struct cli_field *field) {
  char message[PERLANE_MESSAGE_BYTES];
  if (perlane_init(&field->noise, &field->params) == PERLANE_OK)
    return 0;
  perlane_explain_params(&field->params, message, sizeof message);
  return cli_refuse("%s", message);
}

int cli_field_make(const struct cli_command_line *line, struct cli_field *field) {
  if (field->expression.text || field->expression.definitions)
    return cli_expression_make(line, field);
  const int status = cli_tables_read(line, &field->tables, &field->params);
  return status == 0 ? cli_field_init(field) : status;
}

int cli_field_check_dims(const struct cli_field *field, int32_t dims) {
  char message[PERLANE_MESSAGE_BYTES];
  perlane_grid grid = perlane_grid_make(1, 1, 1, 1);
  grid.dims = dims;
  if (perlane_grid_check(&field->noise, &grid) != PERLANE_ERROR_FIELD_DIMS)
    return 0;
  perlane_explain_grid(&field->noise, &grid, message, sizeof message);
  return cli_refuse("%s", message);
}
