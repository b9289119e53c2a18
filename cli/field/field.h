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
  const char *table_file[CLI_TABLES]; /* NULL for none */
  struct cli_tables tables;           /* that params point to */
  const char *save_params;            /* a file, NULL for none */
  const char *saved;                  /* the file that options were loaded from, NULL for none */
  perlane_isa isa;
  perlane_noise noise;
};

/* Sets the defaults, and returns the group of options whose values are the field's. The field is to
 * stay where it is, and its tables.grid to be freed in the end. */
struct cli_group cli_field_group(struct cli_field *field);

/* Reads the files, chooses the kernels and makes the noise that a parsed command line describes.
 * Returns 0, or the exit status. */
int cli_field_make(const struct cli_command_line *line, struct cli_field *field);

/* Makes the noise of the field's params, with tables that have been read. Returns 0, or the exit
 * status. */
int cli_field_init(struct cli_field *field);

/* Returns 1 if the library's option of this name is on the command line. */
int cli_field_gives(const struct cli_command_line *line, const char *name);

/* Refuses a field that does not exist in dims dimensions. Returns 0, or the exit status. */
int cli_field_check_dims(const struct cli_field *field, int32_t dims);

/* The number of octaves that are evaluated. */
int32_t cli_field_octaves(const struct cli_field *field);

/* ---- Options as text: --field, --params, --params-of and --save-params ---- */

/* Sets options from a text, from a file of options, or from what a map carries; values are the
 * field's. Return 0, or the exit status. */
int cli_apply_text(const struct cli_command_line *line, void *values, const char *text);
int cli_apply_file(const struct cli_command_line *line, void *values, const char *file);
int cli_apply_map(const struct cli_command_line *line, void *values, const char *map);

/* Prints the options of a command line as text, with `between` between them: those whose values are
 * not the default, and with a map its size, depth and range. If not `whole`, a gradient grid that
 * is too large for a map to carry is left out. Returns a text to be freed, or NULL without memory.
 */
char *cli_text_print(const struct cli_command_line *line, const char *between, int whole);

/* Writes the file that the field's --save-params names, if it does, with all tables whole. Returns
 * 0, or the exit status. */
int cli_save_params_check(const struct cli_field *field); /* that it can be written */
int cli_save_params(const struct cli_command_line *line, const struct cli_field *field);

#endif
