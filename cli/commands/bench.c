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
             "bytes, 4 per sample. The jobs fill grids of noise with 1 octave in 2D, 8 octaves\n"
             "in 2D, and 1 octave in 3D. The scalar kernels fill a small part of each grid:\n"
             "their rate does not depend on its size.\n\n"
             "Each job runs at least 3 times with each instruction set, in the same memory,\n"
             "aligned to 64 bytes; the fastest run counts. Other programs that run at the same\n"
             "time lower the rates.",
    .examples = "Measure all instruction sets in 4 seconds.\n"
                "  perlane bench\n"
                "Measure them for longer, for steadier rates.\n"
                "  perlane bench --seconds 60\n",
};

/* ---- Options ---- */

static const struct cli_numbers DEFAULT = {1, {{.real = 4}}};

static const struct cli_kind SECONDS = {.expected = "a number of seconds above 0, 3600 at most",
                                        .max_count = 1,
                                        .is_nonzero = 1,
                                        .max.real = 3600};

static const struct cli_option OPTIONS[] = {
    {"seconds", "S", &SECONDS, 0, .heading = "Options",
     .help = "How long to measure in all, if 3 runs of each job take no longer."},
};

/* ---- Jobs ---- */

static const struct job {
  const char *name;
  size_t count[3]; /* 0 beyond the job's dimensions */
  double frequency;
  int32_t octaves;
} JOBS[] = {
    {"2D 2048x2048", {2048, 2048, 0}, 0.01, 1},
    {"2D 2048x2048, 8 octaves", {2048, 2048, 0}, 0.005, 8},
    {"3D 256x256x64", {256, 256, 64}, 0.01, 1},
};

enum {
  JOB_COUNT = sizeof JOBS / sizeof JOBS[0],
  MAX_COLUMNS = PERLANE_ISA_COUNT, /* memset's and one for each instruction set but auto */
  MAX_SAMPLES = 1 << 22,
  SCALAR_ROWS = 8, /* enough for the slow kernels */
  MIN_RUNS = 3
};

/* A table of a row for each job and a column for each instruction set. */
struct bench {
  struct cli_numbers seconds;
  perlane_isa isa[MAX_COLUMNS]; /* that of column 0, memset's, is not used */
  int columns;
  float *out;
};

/* ---- Measuring ---- */

/* Sets the samples per second of the fastest run. The first ones only warm the caches. */
static perlane_status measure(const struct bench *bench, const struct job *job,
                              const perlane_noise *noise, int column, double *rate) {
  static unsigned char work[PERLANE_WORK_BYTES];
  const int is_scalar = column > 0 && bench->isa[column] == PERLANE_ISA_SCALAR;
  const size_t rows = is_scalar ? SCALAR_ROWS : job->count[1];
  const size_t planes = is_scalar && job->count[2] ? 1 : job->count[2];
  const size_t samples = job->count[0] * rows * (planes ? planes : 1);
  perlane_grid grid = perlane_grid_make(job->count[0], rows, planes, 0);
  grid.work = work;
  grid.work_bytes = sizeof work;
  const double share = bench->seconds.at[0].real / (JOB_COUNT * bench->columns);
  const double end = cli_now() + share;
  perlane_status status = column == 0 ? PERLANE_OK : perlane_force_isa(bench->isa[column]);
  *rate = 0;
  for (int run = 0; (run < MIN_RUNS || cli_now() < end) && status == PERLANE_OK; run++) {
    const double begin = cli_now();
    if (column == 0)
      memset(bench->out, 0, samples * sizeof *bench->out);
    else
      status = perlane_fill(noise, &grid, bench->out);
    const double seconds = cli_now() - begin;
    if (*rate * seconds < (double)samples)
      *rate = (double)samples / seconds;
  }
  return status;
}

/* ---- The table ---- */

enum { NAME_WIDTH = 24, RATE_WIDTH = 10 };

static void print_head(const struct bench *bench, perlane_isa chosen) {
  printf("perlane %s\nMillions of samples per second; one thread, the fastest of at least %d "
         "runs\n\n%*s",
         perlane_version(), MIN_RUNS, NAME_WIDTH + RATE_WIDTH, "memset");
  for (int column = 1; column < bench->columns; column++) {
    const int is_chosen = bench->isa[column] == chosen;
    printf("%*s%s", RATE_WIDTH - is_chosen, perlane_isa_name(bench->isa[column]),
           is_chosen ? "*" : "");
  }
  putchar('\n');
}

static perlane_status print_row(const struct bench *bench, const struct job *job) {
  perlane_params params = perlane_params_default();
  perlane_noise noise;
  params.frequency = job->frequency;
  params.octaves = job->octaves;
  perlane_status status = perlane_init(&noise, &params);
  printf("%-*s", NAME_WIDTH, job->name);
  for (int column = 0; column < bench->columns && status == PERLANE_OK; column++) {
    double rate;
    status = measure(bench, job, &noise, column, &rate);
    printf("%*.*f", RATE_WIDTH, rate < 9.995e6 ? 2 : rate < 99.95e6 ? 1 : 0, rate * 1e-6);
    fflush(stdout);
  }
  putchar('\n');
  return status;
}

/* ---- The command ---- */

static int run(struct bench *bench) {
  enum { LINE = 64, BYTES = MAX_SAMPLES * 4 };
  const perlane_isa chosen = perlane_isa_current();
  perlane_status status = PERLANE_OK;
  bench->columns = 1;
  for (perlane_isa isa = PERLANE_ISA_AUTO + 1; isa < PERLANE_ISA_COUNT; isa++)
    if (perlane_isa_supported(isa))
      bench->isa[bench->columns++] = isa;
  bench->out = aligned_alloc(LINE, BYTES);
  if (!bench->out)
    return cli_fail("no memory: %d MiB are needed", BYTES >> 20);
  memset(bench->out, 1, BYTES); /* the first write to a page takes far longer than later ones */
  print_head(bench, chosen);
  for (int j = 0; j < JOB_COUNT && status == PERLANE_OK; j++)
    status = print_row(bench, &JOBS[j]);
  puts("\n* chosen for this machine, or by PERLANE_ISA");
  perlane_force_isa(PERLANE_ISA_AUTO);
  free(bench->out);
  return status == PERLANE_OK ? cli_finish_stdout() : cli_fail("%s", perlane_status_string(status));
}

int cli_bench(char **argv) {
  struct bench bench = {.seconds = DEFAULT};
  struct cli_command_line line = {.command = &BENCH};
  cli_add_options(&line, OPTIONS, CLI_COUNT(OPTIONS), &bench.seconds, &DEFAULT, 0);
  const int status = cli_parse(&line, argv);
  return status == 0 ? run(&bench) : status;
}
