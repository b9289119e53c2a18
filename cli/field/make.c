/* SPDX-License-Identifier: MIT
 *
 * From options to the library's noise, and messages about options that make none.
 */
#include <inttypes.h>
#include <math.h>

#include "field/field.h"

static const char *hash_of(const perlane_params *params) {
  return perlane_option_find("hash")->choices[params->hash].name;
}

int32_t cli_field_octaves(const struct cli_field *field) {
  return field->params.fractal == PERLANE_FRACTAL_NONE ? 1 : field->params.octaves;
}

/* Returns 1 if the library's option of this name is on the command line. */
static int is_given(const struct cli_command_line *line, const char *name) {
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
  const char *problem =
      cli_tables_select(field, loaded, is_given(line, "hash"), is_given(line, "gradients"));
  return problem ? cli_refuse("%s", problem) : 0;
}

/* ---- Fields that the library refuses ---- */

/* Prints the options that the library's error is about: those on the command line, or else the
 * first one. */
static void print_culprits(FILE *message, const struct cli_command_line *line,
                           perlane_status status) {
  int printed = 0;
  for (int of_all = 0; of_all < 2 && !printed && status != PERLANE_OK; of_all++)
    for (struct cli_each each = {.line = line}; cli_next(&each);)
      if (each.option->status == status &&
          (of_all ? !printed : cli_is_given(each.group, each.option))) {
        fputs(printed ? ", " : "", message);
        cli_print_option(message, each.option, each.group->values);
        printed = 1;
      }
  fputs(printed ? ": " : "", message);
}

/* Prints which period is not a whole number of cells at which octave. Returns 0 if none is. */
static int explain_period(FILE *message, const struct cli_field *field) {
  const perlane_params *params = &field->params;
  const int32_t octaves = cli_field_octaves(field);
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    double cells = params->period[a];
    for (int32_t k = 0; cells != 0 && k < octaves; k++, cells *= params->lacunarity)
      if (!(cells >= 1 && cells <= PERLANE_MAX_PERIOD && cells == floor(cells))) {
        fprintf(message, "along %c it is ", "xyzw"[a]);
        cli_print_real(message, cells, 0);
        fprintf(message, " cells at octave %" PRId32 " of %" PRId32 " (lacunarity ", k + 1,
                octaves);
        cli_print_real(message, params->lacunarity, 0);
        fprintf(message, "); at every octave it must be a whole number from 1 to %d",
                PERLANE_MAX_PERIOD);
        return 1;
      }
  }
  return 0;
}

static int refuse_field(const struct cli_command_line *line, const struct cli_field *field,
                        perlane_status problem) {
  const perlane_params *params = &field->params;
  if (problem == PERLANE_ERROR_TABLE)
    return cli_refuse("--hash %s needs --hash-table FILE", hash_of(params));
  if (problem == PERLANE_ERROR_GRADIENT_COUNT)
    return cli_refuse("--gradients table needs --gradient-table FILE");
  if (problem == PERLANE_ERROR_GRADIENT_GRID)
    return cli_refuse("--hash grid needs --gradient-grid FILE");
  if (problem == PERLANE_ERROR_HASH)
    return cli_refuse("--basis %s does not go with --hash %s",
                      perlane_option_find("basis")->choices[params->basis].name, hash_of(params));
  const int status = cli_refuse("%s", "");
  FILE *message = cli_message();
  if (problem == PERLANE_ERROR_FREQUENCY) {
    fputs("--frequency ", message);
    cli_print_real(message, params->frequency, 0);
    if (cli_field_octaves(field) > 1) {
      fputs(", --lacunarity ", message);
      cli_print_real(message, params->lacunarity, 0);
      fprintf(message, ", --octaves %" PRId32, params->octaves);
    }
    fputs(": ", message);
  } else {
    print_culprits(message, line, problem);
  }
  if (problem == PERLANE_ERROR_PERIOD && params->hash == PERLANE_HASH_GRID)
    fputs("with --hash grid the field repeats after the size of its grid, and has no other period",
          message);
  else if (problem == PERLANE_ERROR_ISA)
    fputs(cli_isa_problem(field->isa), message);
  else if (problem != PERLANE_ERROR_PERIOD || !explain_period(message, field))
    fputs(perlane_status_string(problem), message);
  return status;
}

int cli_field_make(const struct cli_command_line *line, struct cli_field *field) {
  perlane_status problem = perlane_force_isa(field->isa);
  if (problem != PERLANE_OK)
    return refuse_field(line, field, problem);
  const int status = read_tables(line, field);
  if (status != 0)
    return status;
  cli_tables_drop_unused(field);
  problem = perlane_init(&field->noise, &field->params);
  return problem == PERLANE_OK ? 0 : refuse_field(line, field, problem);
}

int cli_field_check_dims(const struct cli_field *field, int32_t dims) {
  const perlane_params *params = &field->params;
  float low, high;
  if (perlane_range(&field->noise, dims, &low, &high) == PERLANE_OK)
    return 0;
  const int status =
      cli_refuse("--hash %s with --gradients %s has no field of %" PRId32 " dimension%s, only of",
                 hash_of(params), perlane_option_find("gradients")->choices[params->gradients].name,
                 dims, dims == 1 ? "" : "s");
  const char *between = " ";
  for (int32_t other = 1; other <= PERLANE_MAX_DIMS; other++)
    if (perlane_range(&field->noise, other, &low, &high) == PERLANE_OK) {
      fprintf(cli_message(), "%s%" PRId32, between, other);
      between = ", ";
    }
  return status;
}
