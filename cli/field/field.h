/* SPDX-License-Identifier: MIT
 *
 * The options that describe a field, for the commands that evaluate one.
 */
#ifndef PERLANE_CLI_FIELD_H
#define PERLANE_CLI_FIELD_H

#include "options/options.h"
#include "perlane.h"
#include "field/tables.h"

struct cli_field {
  perlane_params params;
  const char *hash_table, *gradient_table, *gradient_grid; /* files, NULL for none */
  struct cli_tables tables;                                /* that params point to */
  const char *save_params;                                 /* a file, NULL for none */
  const char *saved; /* the file that options were loaded from, NULL for none */
  perlane_isa isa;
};

/* Sets the defaults, and returns the group of options whose values are the field's. The field is to
 * be freed in the end, and to stay where it is until then. */
struct cli_group cli_field_group(struct cli_field *field);
void cli_field_free(struct cli_field *field);

/* Reads the files, chooses the kernels and makes the noise that a parsed command line describes.
 * The noise is valid for as long as the field. Returns 0, or the exit status after a message. */
int cli_field_make(const struct cli_command_line *line, struct cli_field *field,
                   perlane_noise *noise);

/* Refuses a field that does not exist in dims dimensions. Returns 0, or the exit status after a
 * message. */
int cli_field_check_dims(const struct cli_command_line *line, const perlane_noise *noise,
                         int32_t dims);

/* The number of octaves that are evaluated. */
int32_t cli_field_octaves(const struct cli_field *field);

#endif
