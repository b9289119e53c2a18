/* SPDX-License-Identifier: MIT
 *
 * perlane bench: the rate of each instruction set on this machine.
 */
#include <stdlib.h>

#include "commands/commands.h"

static const struct cli_command BENCH = {
    .name = "bench",
    .synopsis = "",
    .about = "Measures the rate of one thread with each instruction set of this machine, in\n"
             "millions of samples per second: the fastest run of a tenth of a second, in one\n"
             "memory. The scalar kernels fill a part of each grid.",
    .examples = "Measure all instruction sets.\n"
                "  perlane bench\n",
};

static const struct job {
  const char *name;
  size_t count[3]; /* 0 beyond the job's dimensions */
  const char *options;
} JOBS[] = {
    {"2D 2048x2048", {2048, 2048, 0}, "frequency=0.01"},
    {"2D 2048x2048, 8 octaves", {2048, 2048, 0}, "frequency=0.005 octaves=8"},
    {"3D 256x256x64", {256, 256, 64}, "frequency=0.01"},
};

enum { SAMPLES = 1 << 22, SCALAR_ROWS = 8, MIN_RUNS = 3 };

/* Returns the samples per second of the fastest run. The first runs only warm the caches. */
static double measure(const struct job *job, perlane_isa isa, float *out) {
  static const double SECONDS = 0.1;
  static unsigned char work[PERLANE_WORK_BYTES];
  const int is_scalar = isa == PERLANE_ISA_SCALAR;
  perlane_grid grid = perlane_grid_make(job->count[0], is_scalar ? SCALAR_ROWS : job->count[1],
                                        is_scalar && job->count[2] ? 1 : job->count[2], 0);
  perlane_noise noise;
  double best = SECONDS, begin = cli_now();
  const double end = begin + SECONDS;
  grid.work = work;
  grid.work_bytes = sizeof work;
  perlane_init_text(&noise, job->options);
  perlane_force_isa(isa);
  for (int run = 0; run < MIN_RUNS || begin < end; run++) {
    perlane_fill(&noise, &grid, out); /* whose arguments are right */
    const double now = cli_now();
    best = now - begin < best ? now - begin : best;
    begin = now;
  }
  return (double)cli_grid_samples(&grid) / best;
}

int cli_bench(char **argv) {
  const int parsed = cli_parse(&(struct cli_command_line){.command = &BENCH}, argv);
  const perlane_isa chosen = perlane_isa_current();
  float *out = parsed == 0 ? malloc(SAMPLES * sizeof *out) : NULL;
  if (!out)
    return parsed ? parsed : cli_fail("no memory: %zu MiB are needed", SAMPLES * sizeof *out >> 20);
  printf("perlane %s\n\n%-24s", perlane_version(), "M samples/s");
  for (perlane_isa isa = PERLANE_ISA_AUTO + 1; isa < PERLANE_ISA_COUNT; isa++)
    if (perlane_isa_supported(isa))
      printf("%*s%s", 10 - (isa == chosen), perlane_isa_name(isa), isa == chosen ? "*" : "");
  for (size_t j = 0; j < CLI_COUNT(JOBS); j++) {
    printf("\n%-24s", JOBS[j].name);
    for (perlane_isa isa = PERLANE_ISA_AUTO + 1; isa < PERLANE_ISA_COUNT; isa++)
      if (perlane_isa_supported(isa))
        printf("%10.4g", measure(&JOBS[j], isa, out) * 1e-6);
  }
  puts("\n\n* chosen for this machine, or by PERLANE_ISA");
  free(out);
  return cli_finish_stdout();
}
