/* SPDX-License-Identifier: MIT
 *
 * Work that takes a while, with its progress: cli_progress DELAY INTERVAL FOUND STEPS PAUSE
 * [NAME UNIT]. Of 1000 units FOUND are there already, each of STEPS adds 10, and a pause in
 * milliseconds follows.
 */
#include <stdlib.h>
#include <time.h>

#include "map/progress.h"

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
    const struct timespec pause = {.tv_nsec = atoi(argv[5]) * 1000000L};
    nanosleep(&pause, NULL);
    cli_progress_add(&progress, 10);
  }
  cli_progress_end(&progress);
  return 0;
}
