/* SPDX-License-Identifier: MIT
 *
 * From parsed options to the library's noise, and what is wrong where there is none.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <json-c/json.h>

#include "field/field.h"
#include "options/names.h"

static int given(const struct cli_group groups[CLI_FIELD_GROUPS], const char *name) {
  for (int g = 0; g < CLI_FIELD_GROUPS; g++)
    for (size_t i = 0; i < groups[g].count; i++)
      if (strcmp(groups[g].option[i].name, name) == 0)
        return (int)(groups[g].given >> i & 1);
  return 0;
}

int32_t cli_field_octaves(const struct cli_field *field) {
  return field->params.fractal == PERLANE_FRACTAL_NONE ? 1 : field->params.octaves;
}

/* ---- Files ---- */

/* A file implies the hash or the gradient set that uses it, but does not override another. */

static int read_hash_table(const struct cli_command *command, struct cli_field *field,
                           const struct cli_group groups[CLI_FIELD_GROUPS]) {
  perlane_params *params = &field->params;
  if (!field->hash_table)
    return 0;
  if (field->gradient_grid)
    return cli_refuse(command, "--table and --gradient-grid exclude each other: a field has one "
                               "hash, which uses the one or the other");
  if (params->hash != PERLANE_HASH_PRIMES && !given(groups, "hash"))
    params->hash = PERLANE_HASH_TABLE;
  if (params->hash != PERLANE_HASH_TABLE && params->hash != PERLANE_HASH_PRIMES)
    return cli_refuse(command,
                      "--table: --hash %s uses no such table; expected --hash table or "
                      "primes",
                      cli_name_of(CLI_HASHES, (int)params->hash));
  return cli_read_hash_table(command, field->hash_table, &field->tables, params);
}

static int read_gradients(const struct cli_command *command, struct cli_field *field,
                          const struct cli_group groups[CLI_FIELD_GROUPS]) {
  perlane_params *params = &field->params;
  if (!field->gradients)
    return 0;
  if (!given(groups, "gradient-set"))
    params->gradients = PERLANE_GRADIENTS_TABLE;
  if (params->gradients != PERLANE_GRADIENTS_TABLE)
    return cli_refuse(command,
                      "--gradients: --gradient-set %s has its own; expected "
                      "--gradient-set table, or none",
                      cli_name_of(CLI_GRADIENTS, (int)params->gradients));
  return cli_read_gradients(command, field->gradients, &field->tables, params);
}

static int read_gradient_grid(const struct cli_command *command, struct cli_field *field,
                              const struct cli_group groups[CLI_FIELD_GROUPS]) {
  perlane_params *params = &field->params;
  if (!field->gradient_grid)
    return 0;
  if (!given(groups, "hash"))
    params->hash = PERLANE_HASH_GRID;
  if (params->hash != PERLANE_HASH_GRID)
    return cli_refuse(command,
                      "--gradient-grid: --hash %s uses no grid; expected --hash grid, or "
                      "none",
                      cli_name_of(CLI_HASHES, (int)params->hash));
  return cli_read_gradient_grid(command, field->gradient_grid, &field->tables, params);
}

/* Files that loaded params name are those of options, if the field that these have made of it still
 * uses them. */
static void adopt_files(struct cli_field *field) {
  const perlane_hash hash = field->params.hash;
  if (!field->hash_table && !field->gradient_grid) {
    if (hash == PERLANE_HASH_TABLE || hash == PERLANE_HASH_PRIMES)
      field->hash_table = field->loaded.hash_table;
    if (hash == PERLANE_HASH_GRID)
      field->gradient_grid = field->loaded.gradient_grid;
  }
  if (!field->gradients && field->params.gradients == PERLANE_GRADIENTS_TABLE)
    field->gradients = field->loaded.gradients;
}

/* Loaded params may hold tables of a hash or a gradient set that options have replaced. */
static void drop_unused_tables(struct cli_field *field) {
  perlane_params *params = &field->params;
  const int count = params->hash == PERLANE_HASH_TABLE    ? 256
                    : params->hash == PERLANE_HASH_PRIMES ? 1024
                                                          : 0;
  if (field->tables.hash_count != count)
    params->hash_table = NULL;
  if (params->gradients != PERLANE_GRADIENTS_TABLE)
    params->gradient_table = NULL;
  if (params->hash != PERLANE_HASH_GRID)
    params->gradient_grid = NULL;
}

/* ---- What the library refuses ---- */

/* Prints the options that the library's error is about: those on the command line, or else the
 * first one. */
static void print_culprits(const struct cli_group groups[CLI_FIELD_GROUPS], perlane_status status) {
  int any_given = 0, printed = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int g = 0; g < CLI_FIELD_GROUPS; g++)
      for (size_t i = 0; i < groups[g].count; i++) {
        const struct cli_option *option = &groups[g].option[i];
        const int is_given = cli_is_given(&groups[g], i);
        if (option->status != status)
          continue;
        if (pass == 0) {
          any_given |= is_given;
        } else if (any_given ? is_given : !printed) {
          fprintf(stderr, "%s--%s ", printed ? ", " : "", option->name);
          cli_print_value(stderr, option, groups[g].values);
          printed = 1;
        }
      }
  if (printed)
    fputs(": ", stderr);
}

static int refuse_status(const struct cli_command *command,
                         const struct cli_group groups[CLI_FIELD_GROUPS], perlane_status status,
                         const char *problem) {
  cli_begin_message(command);
  print_culprits(groups, status);
  fputs(problem, stderr);
  return cli_end_refusal(command);
}

/* Prints which period is not a whole number of cells at which octave. Returns 0 if none. */
static int explain_period(const struct cli_field *field) {
  const perlane_params *params = &field->params;
  const int32_t octaves = cli_field_octaves(field);
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    double cells = params->period[a];
    for (int32_t k = 0; cells != 0 && k < octaves; k++, cells *= params->lacunarity)
      if (!(cells >= 1 && cells <= PERLANE_MAX_PERIOD && cells == floor(cells))) {
        fprintf(stderr, "along %c it is ", "xyzw"[a]);
        cli_print_double(stderr, cells);
        fprintf(stderr, " cells at octave %" PRId32 " of %" PRId32 " (lacunarity ", k + 1, octaves);
        cli_print_double(stderr, params->lacunarity);
        fprintf(stderr, "); at every octave it must be a whole number from 1 to %d",
                PERLANE_MAX_PERIOD);
        return 1;
      }
  }
  return 0;
}

static int refuse_period(const struct cli_command *command, const struct cli_field *field,
                         const struct cli_group groups[CLI_FIELD_GROUPS]) {
  cli_begin_message(command);
  print_culprits(groups, PERLANE_ERROR_PERIOD);
  if (field->params.hash == PERLANE_HASH_GRID)
    fputs("with --hash grid the field repeats after the size of its grid, and has no other period",
          stderr);
  else if (!explain_period(field))
    fputs(perlane_status_string(PERLANE_ERROR_PERIOD), stderr);
  return cli_end_refusal(command);
}

/* All that makes the octaves' frequencies. */
static int refuse_frequency(const struct cli_command *command, const struct cli_field *field) {
  cli_begin_message(command);
  fputs("--frequency ", stderr);
  cli_print_double(stderr, field->params.frequency);
  if (cli_field_octaves(field) > 1) {
    fputs(", --lacunarity ", stderr);
    cli_print_double(stderr, field->params.lacunarity);
    fprintf(stderr, ", --octaves %" PRId32, field->params.octaves);
  }
  fprintf(stderr, ": %s", perlane_status_string(PERLANE_ERROR_FREQUENCY));
  return cli_end_refusal(command);
}

static int refuse_field(const struct cli_command *command, const struct cli_field *field,
                        const struct cli_group groups[CLI_FIELD_GROUPS], perlane_status status) {
  const perlane_params *params = &field->params;
  switch (status) {
  case PERLANE_ERROR_PERIOD:
    return refuse_period(command, field, groups);
  case PERLANE_ERROR_FREQUENCY:
    return refuse_frequency(command, field);
  case PERLANE_ERROR_HASH:
    return cli_refuse(command, "--basis %s does not go with --hash %s",
                      cli_name_of(CLI_BASES, (int)params->basis),
                      cli_name_of(CLI_HASHES, (int)params->hash));
  case PERLANE_ERROR_TABLE:
    return cli_refuse(command, "--table FILE is missing: the table of --hash table");
  case PERLANE_ERROR_GRADIENT_COUNT:
    return cli_refuse(command, "--gradients FILE is missing: the vectors of --gradient-set table");
  case PERLANE_ERROR_GRADIENT_GRID:
    return cli_refuse(command, "--gradient-grid FILE is missing: the gradients of --hash grid");
  default:
    return refuse_status(command, groups, status, perlane_status_string(status));
  }
}

int cli_field_make(const struct cli_command *command, struct cli_field *field,
                   const struct cli_group groups[CLI_FIELD_GROUPS], perlane_noise *noise) {
  perlane_status status = perlane_force_isa(field->isa);
  if (status != PERLANE_OK)
    return refuse_status(command, groups, status, cli_isa_problem(field->isa));
  adopt_files(field);
  int failed = read_hash_table(command, field, groups);
  if (failed == 0)
    failed = read_gradients(command, field, groups);
  if (failed == 0)
    failed = read_gradient_grid(command, field, groups);
  if (failed != 0)
    return failed;
  drop_unused_tables(field);
  status = perlane_init(noise, &field->params);
  return status == PERLANE_OK ? 0 : refuse_field(command, field, groups, status);
}

void cli_field_free(struct cli_field *field) {
  cli_tables_free(&field->tables);
  json_object_put(field->loaded.json);
  field->loaded = (struct cli_loaded){0};
}

int cli_field_check_dims(const struct cli_command *command, const struct cli_field *field,
                         const perlane_noise *noise, int32_t dims) {
  float low, high;
  if (perlane_range(noise, dims, &low, &high) == PERLANE_OK)
    return 0;
  cli_begin_message(command);
  fprintf(stderr,
          "--hash %s with --gradient-set %s has no field of %" PRId32 " dimension%s, only of",
          cli_name_of(CLI_HASHES, (int)field->params.hash),
          cli_name_of(CLI_GRADIENTS, (int)field->params.gradients), dims, dims == 1 ? "" : "s");
  const char *between = " ";
  for (int32_t other = 1; other <= PERLANE_MAX_DIMS; other++)
    if (perlane_range(noise, other, &low, &high) == PERLANE_OK) {
      fprintf(stderr, "%s%" PRId32, between, other);
      between = ", ";
    }
  return cli_end_refusal(command);
}
