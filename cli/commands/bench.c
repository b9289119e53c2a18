/* SPDX-License-Identifier: MIT
 *
 * perlane bench: the rate of each instruction set on this machine, next to memset's.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"
#include "map/progress.h"
#include "options/options.h"

static const struct cli_command BENCH = {
    .name = "bench",
    .synopsis = "[OPTION]...",
    .about = "Measures the rate of one thread with each instruction set of this machine, in\n"
             "millions of samples per second, next to memset's rate for the same number of\n"
             "bytes, 4 per sample. Each job runs at least 3 times with each, in the same\n"
             "memory; the fastest run counts. The scalar kernels fill a part of each grid.",
    .examples = "Measure all instruction sets in 4 seconds.\n"
                "  perlane bench\n"
                "Measure them for longer, for steadier rates.\n"
                "  perlane bench --seconds 60\n",
};

static const struct cli_numbers DEFAULT = {1, {{.real = 4}}};

static const struct cli_kind SECONDS = {.expected = "a number of seconds above 0, 3600 at most",
                                        .max_count = 1,
                                        .is_nonzero = 1,
                                        .max.real = 3600};

static const struct cli_option OPTIONS[] = {
    {"seconds", "S", &SECONDS, 0, .heading = "Options",
     .help = "How long to measure in all, if 3 runs of each job take no longer."},
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

enum { SAMPLES = 1 << 22, SCALAR_ROWS = 8, MIN_RUNS = 3, NAME_WIDTH = 24, RATE_WIDTH = 10 };
static float *out;

/* Returns the samples per second of the fastest run; of memset for PERLANE_ISA_AUTO. The first runs
 * only warm the caches. */
static double measure(const struct job *job, const perlane_noise *noise, perlane_isa isa,
                      double share) {
  static unsigned char work[PERLANE_WORK_BYTES];
  const int is_scalar = isa == PERLANE_ISA_SCALAR;
  const size_t rows = is_scalar ? SCALAR_ROWS : job->count[1];
  const size_t planes = is_scalar && job->count[2] ? 1 : job->count[2];
  const double samples = (double)(job->count[0] * rows * (planes ? planes : 1));
  perlane_grid grid = perlane_grid_make(job->count[0], rows, planes, 0);
  grid.work = work;
  grid.work_bytes = sizeof work;
  double rate = 0, begin = cli_now();
  const double end = begin + share;
  perlane_force_isa(isa);
  for (int run = 0; run < MIN_RUNS || begin < end; run++) {
    if (isa == PERLANE_ISA_AUTO)
      memset(out, 0, SAMPLES * sizeof *out);
    else
      perlane_fill(noise, &grid, out); /* whose arguments are right */
    const double now = cli_now(), seconds = now - begin;
    rate = rate * seconds < samples ? samples / seconds : rate;
    begin = now;
  }
  return rate;
}

static int run(double seconds) {
  const perlane_isa chosen = perlane_isa_current();
  int columns = 0;
  out = aligned_alloc(64, SAMPLES * sizeof *out);
  if (!out)
    return cli_fail("no memory: %zu MiB are needed", SAMPLES * sizeof *out >> 20);
  memset(out, 1, SAMPLES * sizeof *out); /* the first write to a page takes far longer */
  printf("perlane %s\nMillions of samples per second; one thread, the fastest of at least %d "
         "runs\n\n%*s",
         perlane_version(), MIN_RUNS, NAME_WIDTH, "");
  for (perlane_isa isa = PERLANE_ISA_AUTO; isa < PERLANE_ISA_COUNT; isa++)
    if (perlane_isa_supported(isa)) {
      columns++;
      printf("%*s%s", RATE_WIDTH - (isa == chosen),
             isa == PERLANE_ISA_AUTO ? "memset" : perlane_isa_name(isa), isa == chosen ? "*" : "");
    }
  for (size_t j = 0; j < CLI_COUNT(JOBS); j++) {
    perlane_noise noise;
    perlane_init_text(&noise, JOBS[j].options);
    printf("\n%-*s", NAME_WIDTH, JOBS[j].name);
    for (perlane_isa isa = PERLANE_ISA_AUTO; isa < PERLANE_ISA_COUNT; isa++)
      if (perlane_isa_supported(isa)) {
        const double rate =
            measure(&JOBS[j], &noise, isa, seconds / ((double)CLI_COUNT(JOBS) * columns));
        printf("%*.*f", RATE_WIDTH, rate < 9.995e6 ? 2 : rate < 99.95e6 ? 1 : 0, rate * 1e-6);
        fflush(stdout);
      }
  }
  puts("\n\n* chosen for this machine, or by PERLANE_ISA");
  perlane_force_isa(PERLANE_ISA_AUTO);
  free(out);
  return cli_finish_stdout();
}

int cli_bench(char **argv) {
  struct cli_numbers seconds = DEFAULT;
  struct cli_command_line line = {.command = &BENCH};
  cli_add_options(&line, OPTIONS, CLI_COUNT(OPTIONS), &seconds, &DEFAULT, 0);
  const int status = cli_parse(&line, argv);
  return status == 0 ? run(seconds.at[0].real) : status;
}
