/* SPDX-License-Identifier: MIT
 *
 * The progress of long work on stderr: a bar with the rate and the time left on a terminal, and
 * lines for the log of a batch job.
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
  uint64_t total, done; /* units of work */
  uint64_t found;       /* of `done`, by an earlier run: they do not count for the rate */
  double begin, shown;  /* times in seconds; `shown` is `begin` before the first line */
  uint64_t shown_done;
  int visible, terminal, drawn;
  const char *unit; /* "samples" unless it is set */
  const char *name; /* at the beginning of a line; NULL for none */
  /* The bar appears after `delay` seconds and changes every `interval`. Lines: the first after
   * `delay`, others at least as long after the one before, when a tenth more is done or
   * `interval` seconds have passed. */
  double delay, interval;
};

/* Begins to measure; nothing is printed if `wanted` is 0. The members after `visible` may be
 * changed before the first call of cli_progress_add. */
struct cli_progress cli_progress_begin(uint64_t total, int wanted);

/* Counts units that were complete before this run. */
void cli_progress_found(struct cli_progress *progress, uint64_t units);

/* Counts units, and shows the progress when it is time to. One thread at a time may call it. */
void cli_progress_add(struct cli_progress *progress, uint64_t units);

/* Removes the bar until the next one is due: messages begin in an empty line. */
void cli_progress_hide(struct cli_progress *progress);

/* Removes the bar for good. Returns the seconds since cli_progress_begin. */
double cli_progress_end(struct cli_progress *progress);

#endif
