/* SPDX-License-Identifier: MIT
 *
 * From options to the library's noise, and messages about options that make none.
 */
#include <inttypes.h>
#include <math.h>

#include "field/field.h"

static int is_given(const struct cli_command_line *line, const char *name) {
  size_t number;
  const struct cli_group *group = cli_find_option(line, name, &number);
  return group && cli_is_given(group, number);
}

static const char *hash_of(const perlane_params *params) {
  return perlane_option_find("hash")->choices[params->hash].name;
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

/* ---- Fields that the library refuses ---- */

/* Prints the options that the library's error is about: those on the command line, or else the
 * first one. */
static void print_culprits(FILE *message, const struct cli_command_line *line,
                           perlane_status status) {
  int any_given = 0, printed = 0;
  for (int pass = 0; pass < 2; pass++)
    for (size_t g = 0; g < line->groups; g++)
      for (size_t i = 0; i < line->group[g].count; i++) {
        const struct cli_option *option = &line->group[g].option[i];
        const int given = cli_is_given(&line->group[g], i);
        if (option->status != status || status == PERLANE_OK)
          continue;
        if (pass == 0) {
          any_given |= given;
        } else if (any_given ? given : !printed) {
          fputs(printed ? ", " : "", message);
          cli_print_option(message, option, line->group[g].values);
          printed = 1;
        }
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
        cli_print_double(message, cells);
        fprintf(message, " cells at octave %" PRId32 " of %" PRId32 " (lacunarity ", k + 1,
                octaves);
        cli_print_double(message, params->lacunarity);
        fprintf(message, "); at every octave it must be a whole number from 1 to %d",
                PERLANE_MAX_PERIOD);
        return 1;
      }
  }
  return 0;
}

static int refuse_field(const struct cli_command_line *line, const struct cli_field *field,
                        perlane_status status) {
  const perlane_params *params = &field->params;
  if (status == PERLANE_ERROR_TABLE)
    return cli_refuse(line->command, "--hash %s needs --hash-table FILE", hash_of(params));
  if (status == PERLANE_ERROR_GRADIENT_COUNT)
    return cli_refuse(line->command, "--gradients table needs --gradient-table FILE");
  if (status == PERLANE_ERROR_GRADIENT_GRID)
    return cli_refuse(line->command, "--hash grid needs --gradient-grid FILE");
  if (status == PERLANE_ERROR_HASH)
    return cli_refuse(line->command, "--basis %s does not go with --hash %s",
                      perlane_option_find("basis")->choices[params->basis].name, hash_of(params));
  FILE *message = cli_begin_message();
  if (status == PERLANE_ERROR_FREQUENCY) {
    fputs("--frequency ", message);
    cli_print_double(message, params->frequency);
    if (cli_field_octaves(field) > 1) {
      fputs(", --lacunarity ", message);
      cli_print_double(message, params->lacunarity);
      fprintf(message, ", --octaves %" PRId32, params->octaves);
    }
    fputs(": ", message);
  } else {
    print_culprits(message, line, status);
  }
  if (status == PERLANE_ERROR_PERIOD && params->hash == PERLANE_HASH_GRID)
    fputs("with --hash grid the field repeats after the size of its grid, and has no other period",
          message);
  else if (status == PERLANE_ERROR_ISA)
    fputs(cli_isa_problem(field->isa), message);
  else if (status != PERLANE_ERROR_PERIOD || !explain_period(message, field))
    fputs(perlane_status_string(status), message);
  return cli_end_refusal(line->command, message);
}

int cli_field_make(const struct cli_command_line *line, struct cli_field *field,
                   perlane_noise *noise) {
  perlane_status status = perlane_force_isa(field->isa);
  if (status != PERLANE_OK)
    return refuse_field(line, field, status);
  const int failed = read_tables(line, field);
  if (failed != 0)
    return failed;
  cli_tables_drop_unused(field);
  status = perlane_init(noise, &field->params);
  return status == PERLANE_OK ? 0 : refuse_field(line, field, status);
}

int cli_field_check_dims(const struct cli_command_line *line, const struct cli_field *field,
                         const perlane_noise *noise, int32_t dims) {
  float low, high;
  if (perlane_range(noise, dims, &low, &high) == PERLANE_OK)
    return 0;
  FILE *message = cli_begin_message();
  fprintf(message, "--hash %s with --gradients %s has no field of %" PRId32 " dimension%s, only of",
          hash_of(&field->params),
          perlane_option_find("gradients")->choices[field->params.gradients].name, dims,
          dims == 1 ? "" : "s");
  const char *between = " ";
  for (int32_t other = 1; other <= PERLANE_MAX_DIMS; other++)
    if (perlane_range(noise, other, &low, &high) == PERLANE_OK) {
      fprintf(message, "%s%" PRId32, between, other);
      between = ", ";
    }
  return cli_end_refusal(line->command, message);
}
