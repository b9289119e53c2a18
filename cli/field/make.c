/* SPDX-License-Identifier: MIT
 *
 * From options to the library's noise, and messages about options that make none.
 */
#include "field/field.h"

static int is_given(const struct cli_command_line *line, const char *name) {
  size_t number;
  const struct cli_group *group = cli_find_option(line, name, &number);
  return group && cli_is_given(group, number);
}

int32_t cli_field_octaves(const struct cli_field *field) {
  return field->params.fractal == PERLANE_FRACTAL_NONE ? 1 : field->params.octaves;
}

static int read_tables(const struct cli_command_line *line, struct cli_field *field) {
  const struct {
    const char *file;
    unsigned table;
  } files[] = {
      {field->hash_table, CLI_HASH_TABLE},
      {field->gradient_table, CLI_GRADIENT_TABLE},
      {field->gradient_grid, CLI_GRADIENT_GRID},
  };
  unsigned loaded = 0;
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
    if (files[i].file) {
      const int status = cli_read_table(line->command, files[i].file, field, files[i].table);
      if (status != 0)
        return status;
      loaded |= files[i].table;
    }
  const char *problem =
      cli_tables_select(field, loaded, is_given(line, "hash"), is_given(line, "gradients"));
  return problem ? cli_refuse(line->command, "%s", problem) : 0;
}

int cli_field_make(const struct cli_command_line *line, struct cli_field *field,
                   perlane_noise *noise) {
  char message[PERLANE_MESSAGE_BYTES];
  if (perlane_force_isa(field->isa) != PERLANE_OK)
    return cli_refuse(line->command, "--isa %s: %s", perlane_isa_name(field->isa),
                      cli_isa_problem(field->isa));
  const int failed = read_tables(line, field);
  if (failed != 0)
    return failed;
  cli_tables_drop_unused(field);
  if (perlane_init(noise, &field->params) == PERLANE_OK)
    return 0;
  perlane_explain_params(&field->params, message, sizeof message);
  return cli_refuse(line->command, "%s", message);
}

int cli_field_check_dims(const struct cli_command_line *line, const perlane_noise *noise,
                         int32_t dims) {
  char message[PERLANE_MESSAGE_BYTES];
  perlane_grid grid = perlane_grid_make(1, 1, 1, 1);
  grid.dims = dims;
  if (perlane_grid_check(noise, &grid) != PERLANE_ERROR_FIELD_DIMS)
    return 0;
  perlane_explain_grid(noise, &grid, message, sizeof message);
  return cli_refuse(line->command, "%s", message);
}
