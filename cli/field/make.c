/* SPDX-License-Identifier: MIT
 *
 * From options to the library's noise, and messages about options that make none.
 */
#include "field/field.h"

int32_t cli_field_octaves(const struct cli_field *field) {
  return field->params.fractal == PERLANE_FRACTAL_NONE ? 1 : field->params.octaves;
}

int cli_field_gives(const struct cli_command_line *line, const char *name) {
  const perlane_option *record = perlane_option_find(name);
  for (struct cli_each each = {.line = line}; cli_next(&each);)
    if (each.option->record == record)
      return cli_is_given(each.group, each.option);
  return 0;
}

static int read_tables(const struct cli_command_line *line, struct cli_field *field) {
  unsigned loaded = 0;
  for (int table = CLI_NO_TABLE + 1; table < CLI_TABLES; table++)
    if (field->table_file[table]) {
      const int status = cli_read_table(field->table_file[table], field, table);
      if (status != 0)
        return status;
      loaded |= 1U << table;
    }
  const char *problem = cli_tables_select(field, loaded, cli_field_gives(line, "hash"),
                                          cli_field_gives(line, "gradients"));
  return problem ? cli_refuse("%s", problem) : 0;
}

int cli_field_init(struct cli_field *field) {
  char message[PERLANE_MESSAGE_BYTES];
  if (perlane_init(&field->noise, &field->params) == PERLANE_OK)
    return 0;
  perlane_explain_params(&field->params, message, sizeof message);
  return cli_refuse("%s", message);
}

int cli_field_make(const struct cli_command_line *line, struct cli_field *field) {
  if (perlane_force_isa(field->isa) != PERLANE_OK)
    return cli_refuse("--isa %s: %s", perlane_isa_name(field->isa), cli_isa_problem(field->isa));
  const int status = read_tables(line, field);
  if (status != 0)
    return status;
  cli_tables_drop_unused(field);
  return cli_field_init(field);
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
