/* SPDX-License-Identifier: MIT
 *
 * The options --field, --params, --params-of and --save-params.
 */
#ifndef PERLANE_CLI_SAVED_H
#define PERLANE_CLI_SAVED_H

#include "field/field.h"
#include "options/options.h"

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
int cli_save_params(const struct cli_command_line *line, const struct cli_field *field);

#endif
