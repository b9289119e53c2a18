/* SPDX-License-Identifier: MIT
 *
 * A job that is ready to run.
 */
#ifndef PERLANE_BENCH_WORKLOAD_H
#define PERLANE_BENCH_WORKLOAD_H

#include <perlane_text.h>

#include "jobs.h"

struct bench_workload {
  struct bench_job job;
  perlane_noise noise;
  perlane_grid grid;
  size_t samples, calls;
  float *coords[PERLANE_MAX_DIMS];
  void *out;
  float *gradient[PERLANE_MAX_DIMS];
  perlane_cells cells;
};

/* Prepares a job that writes to out and reads coordinates from in, whose sizes are those of
 * bench_job_output_bytes and bench_job_input_bytes. Both stay the caller's. Returns perlane_init's
 * status. */
perlane_status bench_prepare(struct bench_workload *workload, const struct bench_job *job,
                             void *out, void *in);

/* Writes the coordinates that the job reads, the same ones in every run. */
void bench_make_points(struct bench_workload *workload);

/* Evaluates the job once. */
perlane_status bench_evaluate(struct bench_workload *workload);

#endif
