/* SPDX-License-Identifier: MIT
 *
 * The options that describe a field, shared by the commands that evaluate it.
 */
#ifndef PERLANE_CLI_FIELD_H
#define PERLANE_CLI_FIELD_H

#include "options/options.h"
#include "perlane.h"
#include "field/tables.h"

enum { CLI_FIELD_GROUPS = 6 };

struct cli_field {
  perlane_params params;
  const char *hash_table, *gradients, *gradient_grid; /* files, NULL for none */
  perlane_isa isa;
  struct cli_tables tables; /* what the files hold, once the field has been made */
  const char *save_params, *params_file, *params_of; /* files, NULL for none */
  struct cli_loaded {
    void *json; /* what was loaded, which may be pointed to: a json_object */
    const char *hash_table, *gradients, *gradient_grid; /* files that it names */
  } loaded;
};

struct cli_field cli_field_default(void);

/* The groups of options, whose values are the field's. Once they are parsed, the field is to be
 * freed. */
void cli_field_groups(struct cli_field *field, struct cli_group groups[CLI_FIELD_GROUPS]);

/* Frees the field, made or not. */
void cli_field_free(struct cli_field *field);

/* Reads the files, chooses the kernels and makes the noise that parsed groups describe. The field
 * is to stay where it is for as long as the noise is used. Returns 0, or the exit status after a
 * message. */
int cli_field_make(const struct cli_command *command, struct cli_field *field,
                   const struct cli_group groups[CLI_FIELD_GROUPS], perlane_noise *noise);

/* Refuses a field that does not exist in dims dimensions. Returns 0, or the exit status after a
 * message. */
int cli_field_check_dims(const struct cli_command *command, const struct cli_field *field,
                         const perlane_noise *noise, int32_t dims);

/* Octaves that are evaluated. */
int32_t cli_field_octaves(const struct cli_field *field);

#endif
