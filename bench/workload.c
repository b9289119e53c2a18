/* SPDX-License-Identifier: MIT */
#include "workload.h"

static unsigned char work[PERLANE_WORK_BYTES];

perlane_status bench_prepare(struct bench_workload *workload, const struct bench_job *job,
                             void *out, void *in) {
  perlane_params params = perlane_params_default();
  params.frequency = job->frequency;
  params.octaves = job->octaves ? job->octaves : 1;
  if (job->options)
    perlane_params_parse(&params, job->options, NULL);
  workload->job = *job;
  workload->samples = bench_job_samples(job);
  workload->calls = 0;
  workload->grid = perlane_grid_make(job->count[0], job->count[1], job->count[2], job->count[3]);
  workload->grid.work = job->on_stack ? NULL : work;
  workload->grid.work_bytes = job->on_stack ? 0 : sizeof work;
  if (job->step_y != 0) {
    workload->grid.step[1] = job->step_y;
    workload->grid.origin[1] = 0.5 / job->frequency; /* between lattice points */
  }
  if (job->pitch)
    workload->grid.stride[1] = (int64_t)job->pitch;
  workload->out = out;
  workload->cells = (perlane_cells){.id = job->output == CELL_IDS ? out : NULL};
  const int has_input = bench_job_input_bytes(job) > 0;
  for (int axis = 0; axis < job->dims; axis++) {
    if (job->output == CELL_OFFSETS)
      workload->cells.offset[axis] = (float *)out + (size_t)axis * workload->samples;
    workload->gradient[axis] = (float *)out + (size_t)(1 + axis) * workload->samples;
    workload->coords[axis] = has_input ? (float *)in + (size_t)axis * workload->samples : NULL;
  }
  return perlane_init(&workload->noise, &params);
}

/* SplitMix64. */
static uint64_t next_random(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return z ^ z >> 31;
}

void bench_make_points(struct bench_workload *workload) {
  const struct bench_job *job = &workload->job;
  uint64_t random = 1;
  for (size_t i = 0; i < workload->samples; i++) {
    size_t rest = i;
    for (int axis = 0; axis < job->dims; axis++) {
      if (job->source != GRID_POINTS) {
        workload->coords[axis][i] = (float)(next_random(&random) >> 40) * 0x1p-14f;
      } else {
        workload->coords[axis][i] = (float)(rest % job->count[axis]);
        rest /= job->count[axis];
      }
    }
  }
}

static perlane_status evaluate_values(struct bench_workload *workload) {
  for (size_t i = 0; i < workload->samples; i++) {
    double position[PERLANE_MAX_DIMS];
    for (int axis = 0; axis < workload->job.dims; axis++)
      position[axis] = (double)workload->coords[axis][i];
    ((float *)workload->out)[i] = perlane_at(&workload->noise, workload->job.dims, position);
  }
  return PERLANE_OK;
}

static perlane_status evaluate_lists(struct bench_workload *workload) {
  const struct bench_job *job = &workload->job;
  perlane_status status = PERLANE_OK;
  for (size_t i = 0; i < workload->samples && status == PERLANE_OK; i += job->list) {
    perlane_list list = {.dims = job->dims, .count = job->list};
    for (int axis = 0; axis < job->dims; axis++)
      list.coords[axis] = workload->coords[axis] + i;
    status = perlane_points(&workload->noise, &list, (float *)workload->out + i, NULL);
  }
  return status;
}

perlane_status bench_evaluate(struct bench_workload *workload) {
  const struct bench_job *job = &workload->job;
  if (job->source == VALUES_AT)
    return evaluate_values(workload);
  if (job->source == LISTS)
    return evaluate_lists(workload);
  if (workload->coords[0]) {
    perlane_list list = {.dims = job->dims, .count = workload->samples};
    for (int axis = 0; axis < job->dims; axis++)
      list.coords[axis] = workload->coords[axis];
    return perlane_points(&workload->noise, &list, workload->out, NULL);
  }
  if (job->source == MOVING_GRID) {
    const size_t place = workload->calls++ % 1024;
    for (int axis = 0; axis < job->dims; axis++)
      workload->grid.first[axis] = (int64_t)(place * job->count[axis]);
  }
  float smallest, largest;
  switch (job->output) {
  case EXTREMES:
    return perlane_fill_extremes(&workload->noise, &workload->grid, workload->out, &smallest,
                                 &largest);
  case U16:
    return perlane_fill_u16(&workload->noise, &workload->grid, -1, 1, workload->out);
  case GRADIENT:
    return perlane_fill_gradient(&workload->noise, &workload->grid, workload->out,
                                 workload->gradient);
  case CELL_IDS:
  case CELL_OFFSETS:
    return perlane_fill_cells(&workload->noise, &workload->grid, &workload->cells);
  default:
    return perlane_fill(&workload->noise, &workload->grid, workload->out);
  }
}
