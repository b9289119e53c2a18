/* SPDX-License-Identifier: MIT
 *
 * Params: the options that made something, as JSON, and what sets them again. Numbers are written
 * with the digits that identify them, tables by their content, so that the same comes out.
 */
#ifndef PERLANE_CLI_PARAMS_H
#define PERLANE_CLI_PARAMS_H

#include "field/field.h"
#include "options/options.h"

/* The params of these groups as JSON text on one line, ASCII, malloc'ed; NULL without memory. The
 * field has been made. A gradient grid of more than CLI_GRID_EMBEDDED points is left out, which a
 * note on stderr tells. */
char *cli_params_text(const struct cli_command *command, const struct cli_group *groups,
                      size_t count, const struct cli_field *field);

enum { CLI_GRID_EMBEDDED = 65536 };

/* Writes the file that the field's --save-params names, if it does, with all tables whole. Returns
 * 0, or the exit status after a message. */
int cli_params_save(const struct cli_command *command, const struct cli_group *groups, size_t count,
                    const struct cli_field *field);

/* Sets the groups' values to what the field's --params or --params-of names, if there is one. For
 * as long as they are used, the field keeps what they point to. Returns 0, or the exit status
 * after a message. */
int cli_params_load(const struct cli_command *command, struct cli_group *groups, size_t count,
                    struct cli_field *field);

#endif
