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
             "millions of samples per second. Next to each rate is its percentage of memset's\n"
             "rate for the same number of bytes, 4 per sample. It can exceed 100%: large grids\n"
             "bypass the caches, and memset may not.\n\n"
             "Jobs are named DIMENSIONS/GRID/FREQUENCY. fbm8 and eroded sum 8 octaves, chunk\n"
             "and single 4. points and single evaluate random positions, points in one call,\n"
             "single in a call for each. The scalar kernels compute 16384 samples of each job:\n"
             "their rate does not depend on the number.\n\n"
             "Each job runs at least 3 times with each instruction set, in the same memory,\n"
             "aligned to 64 bytes; the fastest run counts. Other programs that run at the same\n"
             "time lower the rates.",
    .examples = "Measure all instruction sets in 4 seconds.\n"
                "  perlane bench\n"
                "Measure the chosen one alone, for longer.\n"
                "  perlane bench --isa auto --seconds 10\n",
};

/* ---- Options ---- */

struct bench_options {
  struct cli_numbers seconds;
  int isa; /* 0 for all, or one more than a perlane_isa */
};

static const struct bench_options DEFAULTS = {.seconds = {1, {{.real = 4}}}};

static const char *isas_name(int index) {
  return index == 0 ? "all" : CLI_ISA.list(index - 1);
}

static const struct cli_kind SECONDS = {.expected = "a number of seconds above 0, 3600 at most",
                                        .max_count = 1,
                                        .is_nonzero = 1,
                                        .max.real = 3600};
static const struct cli_kind ISAS = {.list = isas_name};

#define AT(member) offsetof(struct bench_options, member)

static const struct cli_option OPTIONS[] = {
    {"seconds", "S", &SECONDS, AT(seconds), .heading = "Options",
     .help = "How long to measure in all, if 3 runs of each job take no longer."},
    {"isa", "NAME", &ISAS, AT(isa), .help = "The kernels to measure; auto for the chosen ones."},
};

/* ---- Jobs ---- */

enum { MILLION = 1 << 20 };

static const struct job {
  const char *word; /* in the name, after the dimensions */
  int dims;
  double frequency;
  size_t count[3];
  enum { GRID, POINTS, SINGLE } source; /* points: as many as count[0] */
  const char *options;                  /* further ones, as text */
} JOBS[] = {
    {"grid", 2, 0.01, {2048, 2048, 1}, GRID, ""},
    {"fbm8", 2, 0.005, {2048, 2048, 1}, GRID, "octaves=8"},
    {"eroded", 2, 0.01, {1024, 1024, 1}, GRID, "octaves=8 fractal=eroded"},
    {"warp", 2, 0.01, {1024, 1024, 1}, GRID, "warp_amplitude=20"},
    {"cells", 2, 0.05, {1024, 1024, 1}, GRID, "basis=cellular"},
    {"grid", 3, 0.01, {256, 256, 64}, GRID, ""},
    {"chunk", 3, 0.01, {33, 33, 33}, GRID, "octaves=4"},
    {"points", 2, 0.3, {MILLION, 1, 1}, POINTS, ""},
    {"points", 3, 0.3, {MILLION, 1, 1}, POINTS, ""},
    {"single", 2, 0.3, {1 << 14, 1, 1}, SINGLE, "octaves=4"},
};

enum {
  JOB_COUNT = sizeof JOBS / sizeof JOBS[0],
  MAX_COLUMNS = PERLANE_ISA_COUNT, /* memset's and one for each instruction set but auto */
  MAX_SAMPLES = 4 * MILLION,
  MAX_COORDINATES = 3 * MILLION,
  SCALAR_SAMPLES = 1 << 14, /* enough for the slow kernels */
  MIN_RUNS = 3
};

/* A table of a row for each job and a column for each instruction set. */
struct bench {
  struct bench_options options;
  perlane_isa isa[MAX_COLUMNS]; /* that of column 0, memset's, is not used */
  int columns;
  float *out, *in;
};

/* Returns how many samples a job has. */
static size_t samples_of(const struct job *job) {
  return job->count[0] * job->count[1] * job->count[2];
}

/* Leaves enough of a job for slow kernels: its rows are as long as before. */
static struct job shortened(struct job job) {
  for (int a = 2; a >= 0; a--)
    while (samples_of(&job) > SCALAR_SAMPLES && job.count[a] > 1)
      job.count[a] /= 2;
  return job;
}

/* ---- Measuring ---- */

static perlane_status evaluate(const struct bench *bench, const struct job *job,
                               const perlane_noise *noise, int column) {
  static unsigned char work[PERLANE_WORK_BYTES];
  const size_t samples = samples_of(job);
  const float *coordinates[3] = {bench->in, bench->in + MILLION, bench->in + 2 * (size_t)MILLION};
  perlane_grid grid =
      perlane_grid_make(job->count[0], job->count[1], job->dims > 2 ? job->count[2] : 0, 0);
  grid.work = work;
  grid.work_bytes = sizeof work;
  if (column == 0)
    memset(bench->out, 0, samples * sizeof *bench->out);
  else if (job->source == GRID)
    return perlane_fill(noise, &grid, bench->out);
  else if (job->source == POINTS)
    return perlane_points(noise, job->dims, samples, NULL, coordinates, bench->out);
  else
    for (size_t i = 0; i < samples; i++) {
      const double position[] = {(double)bench->in[i], (double)bench->in[i + MILLION]};
      bench->out[i] = perlane_at(noise, job->dims, position);
    }
  return PERLANE_OK;
}

/* Sets the samples per second of the fastest run. The first ones only warm the caches. */
static perlane_status measure(const struct bench *bench, struct job job, const perlane_noise *noise,
                              int column, double *rate) {
  const double share = bench->options.seconds.at[0].real / (JOB_COUNT * bench->columns);
  const double end = cli_now() + share;
  perlane_status status = column == 0 ? PERLANE_OK : perlane_force_isa(bench->isa[column]);
  if (bench->isa[column] == PERLANE_ISA_SCALAR && column > 0)
    job = shortened(job);
  *rate = 0;
  for (int run = 0; (run < MIN_RUNS || cli_now() < end) && status == PERLANE_OK; run++) {
    const double begin = cli_now();
    status = evaluate(bench, &job, noise, column);
    const double seconds = cli_now() - begin;
    if (*rate * seconds < (double)samples_of(&job))
      *rate = (double)samples_of(&job) / seconds;
  }
  return status;
}

/* ---- The table ---- */

enum { LABEL_WIDTH = 24, MEMSET_WIDTH = 8, RATE_WIDTH = 6, SHARE_WIDTH = 5 };

/* "2D/grid 4096x4096/0.01" */
static void print_name(const struct job *job) {
  int printed = printf("%dD/%s ", job->dims, job->word);
  for (int axis = 0; axis < (job->source == GRID ? job->dims : 1); axis++)
    printed += printf(axis ? "x%zu" : "%zu", job->count[axis]);
  printed += printf("/%g", job->frequency);
  printf("%*s", LABEL_WIDTH - printed, "");
}

/* Three digits, or all digits before the point. */
static void print_rate(int width, double rate) {
  printf("%*.*f", width, rate < 9.995 ? 2 : rate < 99.95 ? 1 : 0, rate);
}

static void print_share(double share) {
  if (share < 0.0095)
    printf(" %*s%%", SHARE_WIDTH - 1, "<.01");
  else
    printf(" %*.*f%%", SHARE_WIDTH - 1, share < 0.0995 ? 2 : share < 9.95 ? 1 : 0, share);
}

/* Returns whether an instruction set is the chosen one. */
static int print_head(const struct bench *bench, perlane_isa chosen) {
  int is_marked = 0;
  printf("perlane %s\nMillions of samples per second, and percent of memset's floats per second;\n"
         "one thread, the fastest of at least %d runs\n\n%*s",
         perlane_version(), MIN_RUNS, LABEL_WIDTH + MEMSET_WIDTH, "memset");
  for (int column = 1; column < bench->columns; column++) {
    const int is_chosen = bench->isa[column] == chosen;
    printf("%*s%s", RATE_WIDTH + 1 + SHARE_WIDTH - is_chosen, perlane_isa_name(bench->isa[column]),
           is_chosen ? "*" : "");
    is_marked |= is_chosen;
  }
  putchar('\n');
  return is_marked;
}

static perlane_status print_row(const struct bench *bench, const struct job *job) {
  perlane_params params = perlane_params_default();
  perlane_noise noise;
  double rate, memset_rate = 0;
  params.frequency = job->frequency;
  perlane_status status = perlane_params_parse(&params, job->options, NULL);
  if (status == PERLANE_OK)
    status = perlane_init(&noise, &params);
  print_name(job);
  for (int column = 0; column < bench->columns && status == PERLANE_OK; column++) {
    status = measure(bench, *job, &noise, column, &rate);
    print_rate(column == 0 ? MEMSET_WIDTH : RATE_WIDTH, rate * 1e-6);
    if (column == 0)
      memset_rate = rate;
    else
      print_share(rate / memset_rate * 100);
    fflush(stdout);
  }
  putchar('\n');
  return status;
}

/* ---- The command ---- */

static int choose_columns(struct bench *bench, perlane_isa chosen) {
  const int all = bench->options.isa == 0;
  const perlane_isa wanted = all ? PERLANE_ISA_AUTO : (perlane_isa)(bench->options.isa - 1);
  bench->columns = 1;
  for (perlane_isa isa = PERLANE_ISA_AUTO + 1; isa < PERLANE_ISA_COUNT; isa++)
    if (perlane_isa_supported(isa) &&
        (all || isa == (wanted == PERLANE_ISA_AUTO ? chosen : wanted)))
      bench->isa[bench->columns++] = isa;
  return bench->columns > 1
             ? 0
             : cli_refuse("--isa %s: %s", perlane_isa_name(wanted), cli_isa_problem(wanted));
}

/* Makes random points in 0..1024, and touches the output: the first write to a page takes far
 * longer than later ones. */
static void prepare(struct bench *bench) {
  uint64_t random = 1;
  memset(bench->out, 1, MAX_SAMPLES * sizeof *bench->out);
  for (size_t i = 0; i < MAX_COORDINATES; i++) {
    random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    bench->in[i] = (float)(random >> 40) * 0x1p-14F;
  }
}

static int run(struct bench *bench) {
  enum { LINE = 64, OUT_BYTES = MAX_SAMPLES * 4, IN_BYTES = MAX_COORDINATES * 4 };
  const perlane_isa chosen = perlane_isa_current();
  perlane_status status = PERLANE_OK;
  bench->out = aligned_alloc(LINE, OUT_BYTES);
  bench->in = aligned_alloc(LINE, IN_BYTES);
  if (bench->out && bench->in) {
    prepare(bench);
    const int is_marked = print_head(bench, chosen);
    for (int j = 0; j < JOB_COUNT && status == PERLANE_OK; j++)
      status = print_row(bench, &JOBS[j]);
    if (is_marked)
      puts("\n* chosen for this machine, or by PERLANE_ISA");
  }
  perlane_force_isa(PERLANE_ISA_AUTO);
  const int has_memory = bench->out && bench->in;
  free(bench->in);
  free(bench->out);
  return !has_memory ? cli_fail("no memory: %d MiB are needed", (OUT_BYTES + IN_BYTES) >> 20)
         : status != PERLANE_OK ? cli_fail("%s", perlane_status_string(status))
                                : cli_finish_stdout();
}

int cli_bench(char **argv) {
  struct bench bench = {.options = DEFAULTS};
  struct cli_group group = CLI_GROUP_OF(OPTIONS, &bench.options, &DEFAULTS);
  int status = cli_parse(&(struct cli_command_line){&BENCH, &group, 1}, argv);
  if (status == 0)
    status = choose_columns(&bench, perlane_isa_current());
  return status == 0 ? run(&bench) : status;
}
