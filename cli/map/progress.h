/* SPDX-License-Identifier: MIT
 *
 * The progress of a map: a line on stderr, if that is a terminal.
 */
#ifndef PERLANE_CLI_PROGRESS_H
#define PERLANE_CLI_PROGRESS_H

#include <stdint.h>

struct cli_progress {
  uint64_t total, done; /* samples */
  double begin, shown;  /* times in seconds; `shown` is 0 before the first line */
  int visible;
};

/* Begins to measure. The line appears if stderr is a terminal, `wanted` is nonzero, and the map
 * takes longer than half a second. */
struct cli_progress cli_progress_begin(uint64_t total, int wanted);
void cli_progress_add(struct cli_progress *progress, uint64_t samples);

/* Removes the line. Returns the seconds since cli_progress_begin. */
double cli_progress_end(struct cli_progress *progress);

#endif
