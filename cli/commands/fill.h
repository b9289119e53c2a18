/* SPDX-License-Identifier: MIT
 *
 * The steps of `perlane fill`, from the command line to the files. Each returns 0, or the exit
 * status.
 */
#ifndef PERLANE_CLI_FILL_H
#define PERLANE_CLI_FILL_H

#include "formats/carried.h"
#include "formats/format.h"
#include "map/plan.h"

/* What will be done. */
struct cli_job {
  const struct cli_format *format;
  const struct cli_engine *engine; /* NULL for none */
  char name[CLI_NAME];             /* of the file, if it is not the one that was asked for */
  struct cli_plan plan;
};

/* Chooses the format, and the size and depth that were not given. What was given and cannot be is
 * refused; what saved options have gives way to the format. */
int cli_fill_complete(struct cli_request *request, struct cli_job *job);

/* Checks that the output and the files beside it can be written, before anything is computed. */
int cli_fill_check(struct cli_request *request, struct cli_job *job);

/* Writes the map, or its tiles, and the files beside them. */
int cli_fill_write(struct cli_request *request, struct cli_job *job);

#endif
