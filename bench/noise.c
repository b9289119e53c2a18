/* SPDX-License-Identifier: MIT
 *
 * Registers every job with every instruction set that runs here.
 */
#include <stdio.h>
#include <stdlib.h>

#include <perlane.h>

#include "bench_c.h"
#include "buffer.h"
#include "cases.h"
#include "workload.h"

/* The scalar reference runs small jobs only. Its time per sample hardly depends on their number,
 * and large jobs would take it most of the time that the whole benchmark takes. */
enum { MAX_SCALAR_SAMPLES = 256 * 256 };

struct noise_case {
  const struct bench_job *job;
  perlane_isa isa;
};

/* Returns NULL, or why the job cannot run. */
static const char *prepare(struct bench_workload *workload, const struct noise_case *entry) {
  const char *why;
  const size_t input = bench_job_input_bytes(entry->job);
  char *out = bench_buffer(BENCH_OUTPUT, bench_job_span_bytes(entry->job) + LINE_BYTES, &why);
  void *in = out && input ? bench_buffer(BENCH_INPUT, input, &why) : NULL;
  if (!out || (input && !in))
    return why;
  out += entry->job->past_line ? entry->job->past_line % LINE_BYTES : MALLOC_PAST_LINE;
  perlane_status status = bench_prepare(workload, entry->job, out, in);
  if (input)
    bench_make_points(workload);
  if (status == PERLANE_OK)
    status = perlane_force_isa(entry->isa);
  return status == PERLANE_OK ? NULL : perlane_status_string(status);
}

static void run(bench_state *state, const void *argument) {
  const struct noise_case *entry = argument;
  static struct bench_workload workload;
  const char *why = prepare(&workload, entry);
  if (why) {
    bench_skip(state, why);
    return;
  }
  /* Not timed: evicts the cache lines of the case before. */
  perlane_status status = bench_evaluate(&workload);
  while (!status && bench_keep_running(state))
    status = bench_evaluate(&workload);
  if (status) {
    bench_skip(state, perlane_status_string(status));
    return;
  }
  bench_work(state, (double)workload.samples, (double)bench_job_output_bytes(entry->job));
}

void bench_register_noise(void) {
  struct noise_case *entry = malloc(BENCH_JOB_COUNT * PERLANE_ISA_COUNT * sizeof *entry);
  if (!entry)
    abort();
  for (size_t i = 0; i < BENCH_JOB_COUNT; i++)
    for (perlane_isa isa = PERLANE_ISA_SCALAR; isa < PERLANE_ISA_COUNT; isa++) {
      char name[BENCH_NAME_BYTES + 16], job[BENCH_NAME_BYTES];
      if (!perlane_isa_supported(isa) ||
          (isa == PERLANE_ISA_SCALAR && bench_job_samples(&BENCH_JOBS[i]) > MAX_SCALAR_SAMPLES))
        continue;
      *entry = (struct noise_case){&BENCH_JOBS[i], isa};
      bench_job_name(&BENCH_JOBS[i], job, sizeof job);
      snprintf(name, sizeof name, "%s/%s", job, perlane_isa_name(isa));
      bench_register(name, run, entry++); /* stays allocated until the process ends */
    }
}
