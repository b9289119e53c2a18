/* SPDX-License-Identifier: MIT
 *
 * What bench/compare runs of each library: prints the names of all jobs and an empty line; then for
 * each number of a job that it reads a hash of the output and the fastest call's nanoseconds. */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "workload.h"

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int run(const struct bench_job *job) {
  static struct bench_workload workload;
  const size_t bytes = bench_job_span_bytes(job), read = bench_job_input_bytes(job);
  unsigned char *const memory = calloc(1, bytes + 2 * LINE_BYTES), *const in = malloc(read + 1);
  unsigned char *const line = memory + LINE_BYTES - (uintptr_t)memory % LINE_BYTES;
  unsigned char *const out =
      line + (job->past_line ? job->past_line % LINE_BYTES : MALLOC_PAST_LINE);
  unsigned long long hash = 0;
  double best = 1, end = 0;
  if (!memory || !in || bench_prepare(&workload, job, out, in) != PERLANE_OK)
    return 0;
  if (read > 0)
    bench_make_points(&workload);
  for (int call = 0; call < 3 || seconds() < end; call++) {
    const double start = seconds();
    if (bench_evaluate(&workload) != PERLANE_OK)
      return 0;
    const double time = seconds() - start;
    best = time < best ? time : best;
    for (size_t i = 0; i < bytes && call == 0; i++)
      hash = (hash ^ out[i]) * 0x100000001B3;
    end = call == 0 ? seconds() + 0.02 : end;
  }
  printf("%llx\t%.0f\n", hash, 1e9 * best);
  free(memory);
  free(in);
  return 1;
}

int main(void) {
  for (size_t i = 0; i <= BENCH_JOB_COUNT; i++) {
    char name[BENCH_NAME_BYTES] = "";
    if (i < BENCH_JOB_COUNT)
      bench_job_name(&BENCH_JOBS[i], name, sizeof name);
    puts(name);
  }
  size_t job;
  while (!fflush(stdout) && scanf("%zu", &job) == 1 && run(&BENCH_JOBS[job]))
    ;
}
