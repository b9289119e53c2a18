/* SPDX-License-Identifier: MIT
 *
 * The time that passes.
 */
#ifndef PERLANE_CLI_CLOCK_H
#define PERLANE_CLI_CLOCK_H

#include <time.h>

/* Seconds since some moment in the past, which stays the same while the program runs. */
static inline double cli_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

#endif
