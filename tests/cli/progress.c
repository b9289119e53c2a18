/* SPDX-License-Identifier: MIT
 *
 * The progress of work by a clock of its own: cli_progress DELAY INTERVAL FOUND STEPS PAUSE [NAME
 * UNIT]. Of 1000 units FOUND are there already, and each of STEPS adds 10 after so many
 * milliseconds.
 */
#include <stdlib.h>
#include <time.h>

#include "map/progress.h"

/* CMakeLists.txt gives clock_gettime the name of this one. */
int test_clock(clockid_t clock, struct timespec *time);

static long long milliseconds;

int test_clock(clockid_t clock, struct timespec *time) {
  (void)clock;
  *time = (struct timespec){.tv_sec = (time_t)(milliseconds / 1000),
                            .tv_nsec = (long)(milliseconds % 1000) * 1000000};
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 6 && argc != 8)
    return 2;
  struct cli_progress progress = cli_progress_begin(1000, 1);
  progress.delay = atof(argv[1]);
  progress.interval = atof(argv[2]);
  if (argc == 8) {
    progress.name = argv[6];
    progress.unit = argv[7];
  }
  cli_progress_found(&progress, (uint64_t)atoi(argv[3]));
  for (int step = 0; step < atoi(argv[4]); step++) {
    milliseconds += atoi(argv[5]);
    cli_progress_add(&progress, 10);
  }
  cli_progress_end(&progress);
  return 0;
}
