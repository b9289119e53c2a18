/* SPDX-License-Identifier: MIT
 *
 * The table of a field's options: the library's records, and what the command adds to them.
 */
#include "field/field.h"

#include <string.h>

/* ---- The command's own ---- */

static int parse_preset(const char *text, void *value) {
  return perlane_preset(value, text) == PERLANE_OK;
}

static const struct cli_kind PRESET_NAME = {
    .parse = parse_preset,
    .list = perlane_preset_name,
    .none = "none", /* params do not keep which preset they come from */
};

#define AT(member) offsetof(struct cli_field, member)

/* The preset comes before the library's options, and the others after them. */
static const struct cli_option OWN[] = {
    {"preset", "NAME", &PRESET_NAME, AT(params),
     .help = "Starts from the field of a known implementation ('perlane info' shows what it sets). "
             "All other options, before or after it, override this. The frequency is then 1: a "
             "map usually needs --frequency as well.",
     .stage = CLI_STAGE_PRESET, .in_text = CLI_READ_ONLY},
    {"hash-table", "FILE", &CLI_FILE, AT(table_file[CLI_HASH_TABLE]),
     .heading = "Tables of the field, from files of numbers in which # begins a comment",
     .help = "256 numbers from 0 to 255, or 1024 with --hash primes, separated by blanks, commas "
             "or line ends. Selects --hash table unless another hash is given.",
     .table = CLI_HASH_TABLE},
    {"gradient-table", "FILE", &CLI_FILE, AT(table_file[CLI_GRADIENT_TABLE]),
     .help = "2 to 256 vectors of 1 to 4 components, one vector per line. Selects --gradients "
             "table unless another set is given.",
     .table = CLI_GRADIENT_TABLE},
    {"gradient-grid", "FILE", &CLI_FILE, AT(table_file[CLI_GRADIENT_GRID]),
     .help = "The vectors of a grid of lattice points, one vector per line, x first, and an empty "
             "line after each row; the field repeats beyond the grid. Selects --hash grid unless "
             "another hash is given.",
     .table = CLI_GRADIENT_GRID},
    {"field", "TEXT", &CLI_TEXT, 0, .heading = "Options as text",
     .help = "Sets the options that TEXT lists, as in \"octaves=8 frequency=0.002 "
             "fractal=ridged\": the line that a map carries. Other options override it, whatever "
             "their order.",
     .stage = CLI_STAGE_TEXT, .in_text = CLI_NEVER, .apply = cli_apply_text},
    {"params", "FILE", &CLI_FILE, 0,
     .help = "Starts from the options in a file that --save-params wrote. All other options, "
             "before or after it, override them.",
     .stage = CLI_STAGE_SAVED, .in_text = CLI_NEVER, .apply = cli_apply_file},
    {"params-of", "MAP", &CLI_FILE, 0,
     .help = "Starts from the options that a map made by perlane carries. Turn a saved switch "
             "off with =off, as in --shade=off.",
     .stage = CLI_STAGE_SAVED, .in_text = CLI_NEVER, .apply = cli_apply_map},
    {"save-params", "FILE", &CLI_FILE, AT(save_params),
     .help = "Writes the options that make the result to a file, with the contents of tables.",
     .in_text = CLI_NEVER},
    {"isa", "NAME", &CLI_ISA, AT(isa), .heading = "Computation",
     .help = "The instruction set to compute with, which never changes the result.",
     .in_text = CLI_NEVER},
};

/* ---- The library's records ---- */

enum { MAX_OPTIONS = 64, MAX_NAME = 32 };

static const char *const PLACEHOLDERS[PERLANE_OPTION_KIND_COUNT] = {
    [PERLANE_OPTION_SEED] = "N",
    [PERLANE_OPTION_REAL] = "F",
    [PERLANE_OPTION_INTEGER] = "N",
    [PERLANE_OPTION_CHOICE] = "NAME",
    [PERLANE_OPTION_AXES] = "X[,Y[,Z[,W]]]",
    [PERLANE_OPTION_CURVE] = "X:Y,X:Y,...",
};

/* Fills the table, and returns the number of options in it. */
static size_t make_table(struct cli_option option[MAX_OPTIONS]) {
  static char names[MAX_OPTIONS][MAX_NAME];
  const size_t others = sizeof OWN / sizeof OWN[0] - 1;
  size_t count = 1;
  const char *heading = "";
  option[0] = OWN[0];
  for (int32_t i = 0; i < perlane_option_count() && count + others < MAX_OPTIONS; i++, count++) {
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

struct cli_group cli_field_group(struct cli_field *field) {
  static struct cli_option option[MAX_OPTIONS];
  static struct cli_field defaults;
  defaults.params = perlane_params_default();
  *field = defaults;
  return (struct cli_group){
      .option = option, .count = make_table(option), .values = field, .defaults = &defaults};
}
