/* SPDX-License-Identifier: MIT
 *
 * Measures perlane_fill_parallel with 1, 2, 4 ... threads: the median rate of each fill, and its
 * ratio to the rate of one thread. Nothing else should run on the machine meanwhile.
 */
#include "perlane_omp.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/workload.h"

enum { REPETITIONS = 9 };

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Returns the median time of a fill in seconds, or 0 if it fails. */
static double median_seconds(const struct bench_workload *workload, int32_t threads) {
  double seconds[REPETITIONS];
  for (int i = 0; i < REPETITIONS; i++) {
    const double begin = omp_get_wtime();
    if (perlane_fill_parallel(&workload->noise, &workload->grid, workload->out, threads) !=
        PERLANE_OK)
      return 0;
    seconds[i] = omp_get_wtime() - begin;
  }
  qsort(seconds, REPETITIONS, sizeof seconds[0], compare);
  return seconds[REPETITIONS / 2];
}

static int measure(const struct bench_job *job) {
  static struct bench_workload workload;
  char name[BENCH_NAME_BYTES];
  bench_job_name(job, name, sizeof name);
  float *out = malloc(bench_job_output_bytes(job));
  /* The first fills touch the memory and start the threads. */
  int ok = out && bench_prepare(&workload, job, out, NULL) == PERLANE_OK &&
           median_seconds(&workload, 0) > 0;
  double alone = 0;
  for (int32_t threads = 1; ok && threads <= omp_get_max_threads(); threads *= 2) {
    const double seconds = median_seconds(&workload, threads);
    alone = threads == 1 ? seconds : alone;
    ok = seconds > 0;
    if (ok)
      printf("%-24s %4d threads %8.3f Gsamples/s %6.2f\n", name, (int)threads,
             (double)workload.samples / seconds / 1e9, alone / seconds);
  }
  free(out);
  return ok;
}

int main(void) {
  for (size_t i = 0; i < BENCH_JOB_COUNT; i++)
    if (BENCH_JOBS[i].also & IN_OMP && !measure(&BENCH_JOBS[i])) {
      fprintf(stderr, "perlane_omp_speed: out of memory, or a fill failed\n");
      return 1;
    }
  return 0;
}
