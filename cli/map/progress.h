/* SPDX-License-Identifier: MIT
 *
 * The progress of long work on stderr: a line that changes on a terminal, and lines for the log of
 * a batch job.
 */
#ifndef PERLANE_CLI_PROGRESS_H
#define PERLANE_CLI_PROGRESS_H

#include <stdint.h>
#include <time.h>

/* Seconds since some moment in the past, which stays the same while the program runs. */
static inline double cli_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

struct cli_progress {
  uint64_t total, done; /* samples */
  uint64_t found;       /* of `done`, by an earlier run: they do not count for the rate */
  double begin, shown;  /* times in seconds; `shown` is `begin` before the first line */
  uint64_t shown_done;
  int visible, terminal, drawn;
  const char *name; /* at the beginning of a line */
};

/* Begins to measure the work on a file of this name; nothing is printed if --quiet. */
struct cli_progress cli_progress_begin(const char *name, uint64_t total);

/* Counts samples that were complete before this run. */
void cli_progress_found(struct cli_progress *progress, uint64_t samples);

/* Counts samples, and shows the progress when it is time to. One thread at a time may call it. */
void cli_progress_add(struct cli_progress *progress, uint64_t samples);

/* Removes the line until the next one is due: messages begin in an empty line. */
void cli_progress_hide(struct cli_progress *progress);

/* Removes the line for good. Returns the seconds since cli_progress_begin. */
double cli_progress_end(struct cli_progress *progress);

#endif
