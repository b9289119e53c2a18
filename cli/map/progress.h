/* SPDX-License-Identifier: MIT
 *
 * How far a map is, on a terminal: a line on stderr with the rate and the time that is left.
 */
#ifndef PERLANE_CLI_PROGRESS_H
#define PERLANE_CLI_PROGRESS_H

#include <stdint.h>

struct cli_progress {
  uint64_t total, done; /* samples */
  double begin, shown;  /* times in seconds; nothing was shown while 0 */
  int visible;
};

/* A line appears if stderr is a terminal, `wanted` is not 0, and the map takes longer than half a
 * second. */
struct cli_progress cli_progress_begin(uint64_t total, int wanted);
void cli_progress_add(struct cli_progress *progress, uint64_t samples);
/* Removes the line. Returns the seconds since the beginning. */
double cli_progress_end(struct cli_progress *progress);

#endif
