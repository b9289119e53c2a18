/* SPDX-License-Identifier: MIT
 *
 * The list of benchmark jobs, which perlane_bench runs with every instruction set. One line of
 * BENCH_JOBS is one job.
 */
#ifndef PERLANE_BENCH_JOBS_H
#define PERLANE_BENCH_JOBS_H

#include <stddef.h>

#include <perlane.h>

enum bench_source {
  GRID = 0,
  MOVING_GRID, /* a grid at another place in each call, as in a world made of tiles */
  POINTS,      /* count[0] random points in 0..1024 along each axis */
  LISTS,       /* the same in lists of job->list points */
  VALUES_AT,   /* the same, one call of perlane_at for each */
  GRID_POINTS  /* the positions of a grid's samples, evaluated as points */
};

enum { LINE_BYTES = 64, MALLOC_PAST_LINE = 16 };

enum bench_output { VALUES = 0, EXTREMES, U16, GRADIENT, CELL_IDS, CELL_OFFSETS };

struct bench_job {
  int dims;
  const char *word; /* the job's name, without its size and octaves */
  size_t count[PERLANE_MAX_DIMS];
  double frequency;
  int octaves;         /* 0 stands for 1 */
  const char *options; /* further options of the field, as text; NULL for none */
  double step_y;       /* 0 stands for 1 */
  size_t pitch;        /* samples from one row of the output to the next; 0 for those of a row */
  int past_line; /* bytes from a cache line to the output; 0 stands for 16, which malloc gives */
  enum bench_source source;
  size_t list; /* points of each list, of which count[0] is a multiple */
  enum bench_output output;
  int on_stack; /* the fill gets no work memory */
};

extern const struct bench_job BENCH_JOBS[];
extern const size_t BENCH_JOB_COUNT;

size_t bench_job_samples(const struct bench_job *job);

/* Returns the number of bytes from the first to after the last that a call of the job writes or
 * skips. */
size_t bench_job_span_bytes(const struct bench_job *job);

/* Returns the number of bytes that a call of the job writes, or reads as coordinates. */
size_t bench_job_output_bytes(const struct bench_job *job);
size_t bench_job_input_bytes(const struct bench_job *job);

/* Writes the job's name, "dims/job/frequency". It fits into BENCH_NAME_BYTES. */
void bench_job_name(const struct bench_job *job, char *name, size_t size);
enum { BENCH_NAME_BYTES = 128 };

#endif
