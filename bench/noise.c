/* SPDX-License-Identifier: MIT
 *
 * One job with one instruction set.
 */
#include <math.h>
#include <stdlib.h>

#include <perlane.h>

#include "bench_c.h"
#include "buffer.h"
#include "cases.h"
#include "jobs.h"

struct noise_case {
  const struct bench_job *job;
  perlane_isa isa;
};

/* Everything that one call takes. */
struct call {
  const struct bench_job *job;
  perlane_noise noise;
  perlane_grid grid;
  size_t samples, turn;
  float *coords[PERLANE_MAX_DIMS];
  void *out;
  float *gradient[PERLANE_MAX_DIMS];
};

static int takes_points(const struct bench_job *job) {
  return job->source == POINTS || job->source == POINTS_OF_GRID;
}

/* Bits that look random, the same in every run: splitmix64. */
static uint64_t next_random(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return z ^ z >> 31;
}

static void make_points(struct call *call) {
  const struct bench_job *job = call->job;
  uint64_t random = 1;
  for (size_t i = 0; i < call->samples; i++) {
    size_t rest = i;
    for (int axis = 0; axis < job->dims; axis++) {
      if (job->source == POINTS) {
        call->coords[axis][i] = ldexpf((float)(next_random(&random) >> 40), 10 - 24);
      } else {
        call->coords[axis][i] = (float)(rest % job->count[axis]);
        rest /= job->count[axis];
      }
    }
  }
}

/* NULL, or why the job cannot run. */
static const char *prepare(struct call *call, const struct bench_job *job) {
  const char *why;
  call->job = job;
  call->turn = 0;
  call->samples = bench_job_samples(job);
  perlane_params params = perlane_params_default();
  params.frequency = job->frequency;
  params.octaves = job->octaves ? job->octaves : 1;
  const perlane_status status = perlane_init(&call->noise, &params);
  if (status)
    return perlane_status_string(status);
  float *out = bench_buffer(BENCH_OUTPUT, bench_job_bytes(job), &why);
  if (!out)
    return why;
  call->out = out;
  for (int axis = 0; axis < job->dims; axis++)
    call->gradient[axis] = out + (size_t)(1 + axis) * call->samples;
  call->grid = perlane_grid_make(job->count[0], job->count[1], job->count[2], job->count[3]);
  if (job->step_y != 0) {
    call->grid.step[1] = job->step_y;
    call->grid.origin[1] = 0.5 / job->frequency; /* off the lattice points */
  }
  if (takes_points(job)) {
    float *in = bench_buffer(BENCH_INPUT, call->samples * sizeof(float) * (size_t)job->dims, &why);
    if (!in)
      return why;
    for (int axis = 0; axis < job->dims; axis++)
      call->coords[axis] = in + (size_t)axis * call->samples;
    make_points(call);
  }
  return NULL;
}

static perlane_status evaluate(struct call *call) {
  const struct bench_job *job = call->job;
  if (takes_points(job))
    return perlane_points(&call->noise, job->dims, call->samples, NULL,
                          (const float *const *)call->coords, call->out);
  if (job->source == PLACES) {
    const size_t place = call->turn++ % 1024;
    for (int axis = 0; axis < job->dims; axis++)
      call->grid.first[axis] = (int64_t)(place * job->count[axis]);
  }
  float smallest, largest;
  switch (job->output) {
  case EXTREMES:
    return perlane_fill_extremes(&call->noise, &call->grid, call->out, &smallest, &largest);
  case U16:
    return perlane_fill_u16(&call->noise, &call->grid, -1, 1, call->out);
  case GRADIENT:
    return perlane_fill_gradient(&call->noise, &call->grid, call->out, call->gradient);
  default:
    return perlane_fill(&call->noise, &call->grid, call->out);
  }
}

static void run(bench_state *state, const void *argument) {
  const struct noise_case *its = argument;
  static struct call call;
  const char *why = prepare(&call, its->job);
  perlane_status status = perlane_force_isa(its->isa);
  if (!why && status)
    why = perlane_status_string(status);
  if (why) {
    bench_skip(state, why);
    return;
  }
  status = evaluate(&call); /* untimed: the last case's lines leave the caches */
  while (!status && bench_keep_running(state))
    status = evaluate(&call);
  if (status) {
    bench_skip(state, perlane_status_string(status));
    return;
  }
  bench_work(state, (double)call.samples, (double)bench_job_bytes(its->job));
}

void bench_register_noise(void) {
  struct noise_case *its = malloc(BENCH_JOB_COUNT * PERLANE_ISA_COUNT * sizeof *its);
  if (!its)
    abort();
  for (size_t i = 0; i < BENCH_JOB_COUNT; i++)
    for (int isa = PERLANE_ISA_SCALAR; isa < PERLANE_ISA_COUNT; isa++) {
      char name[128];
      const struct bench_job *job = &BENCH_JOBS[i];
      if (!perlane_isa_supported((perlane_isa)isa) || !bench_job_suits(job, (perlane_isa)isa))
        continue;
      *its = (struct noise_case){job, (perlane_isa)isa};
      bench_job_name(job, (perlane_isa)isa, name, sizeof name);
      bench_register(name, run, its++); /* lives until the process ends */
    }
}
