/* SPDX-License-Identifier: MIT
 *
 * Contact sheets: small pictures of a map with one seed after another, to choose from.
 */
#ifndef PERLANE_CLI_SHEET_H
#define PERLANE_CLI_SHEET_H

#include "map/plan.h"

/* Draws the sheet of a request whose size and depth are complete, and plans its file. The request
 * stays that of the map, with the first seed. *pixels is to be freed in any case. Returns 0, or the
 * exit status. */
int cli_sheet_make(struct cli_plan *plan, unsigned char **pixels, struct cli_request *request);

#endif
