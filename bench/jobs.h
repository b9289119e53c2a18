/* SPDX-License-Identifier: MIT
 *
 * What is measured with every instruction set. One line of BENCH_JOBS is one job.
 */
#ifndef PERLANE_BENCH_JOBS_H
#define PERLANE_BENCH_JOBS_H

#include <stddef.h>

#include <perlane.h>

enum bench_source {
  GRID = 0,
  PLACES, /* a grid whose place changes from turn to turn, as when a world is made tile by tile */
  POINTS, /* count[0] points anywhere in 0..1024 along each axis */
  POINTS_OF_GRID /* the positions of the grid's samples, one by one: what a kernel without rows
                    takes for the same result */
};

enum bench_output { VALUES = 0, EXTREMES, U16, GRADIENT };

struct bench_job {
  int dims;
  const char *word; /* what to call it, besides its size and octaves; "fbm" comes first with them */
  size_t count[PERLANE_MAX_DIMS];
  double frequency;
  int octaves;   /* 0 for 1 */
  double step_y; /* 0 for 1 */
  enum bench_source source;
  enum bench_output output;
};

extern const struct bench_job BENCH_JOBS[];
extern const size_t BENCH_JOB_COUNT;

size_t bench_job_samples(const struct bench_job *job);
size_t bench_job_bytes(const struct bench_job *job); /* written */

/* Whether a job is run with an instruction set. The scalar reference does the small ones only: its
 * time a sample depends little on their number, and the large ones would take it most of the time
 * that everything takes. */
int bench_job_suits(const struct bench_job *job, perlane_isa isa);

/* dims/job/frequency/isa */
void bench_job_name(const struct bench_job *job, perlane_isa isa, char *name, size_t size);

#endif
