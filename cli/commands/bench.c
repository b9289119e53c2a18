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
             "Jobs are named DIMENSIONS/GRID/FREQUENCY. fbm8 and eroded have 8 octaves, chunk\n"
             "has 4; points are at random positions, single values too, a call for each. The\n"
             "scalar kernels compute 16384 samples of each job: their rate does not depend on\n"
             "the number.\n\n"
             "A round measures every job with memset and each instruction set in turn, in the\n"
             "same memory, aligned to 64 bytes. Kernels run twice and memset four times, and\n"
             "only the last run counts: it finds the caches as its own kind leaves them. The\n"
             "table shows medians of at least 3 rounds.\n\n"
             "If the time is too short for 3 rounds, jobs shrink to the sizes that are shown.\n"
             "Other programs that run at the same time lower the rates.",
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
     .help = "How long to measure in all. More rounds give steadier medians."},
    {"isa", "NAME", &ISAS, AT(isa), .help = "The kernels to measure; auto for the chosen ones."},
};

/* ---- Jobs ---- */

enum { MILLION = 1 << 20 };

static const struct job {
  const char *word; /* in the name, after the dimensions */
  int dims;
  double frequency;
  size_t count[PERLANE_MAX_DIMS];
  enum { GRID, POINTS, SINGLE } source; /* points: as many as count[0] */
  const char *options;                  /* further ones, as text */
} JOBS[] = {
    {"grid", 2, 0.01, {4096, 4096, 1, 1}, GRID, ""},
    {"fbm8", 2, 0.005, {4096, 4096, 1, 1}, GRID, "octaves=8"},
    {"eroded", 2, 0.01, {2048, 2048, 1, 1}, GRID, "octaves=8 fractal=eroded"},
    {"warp", 2, 0.01, {2048, 2048, 1, 1}, GRID, "warp_amplitude=20"},
    {"cells", 2, 0.05, {2048, 2048, 1, 1}, GRID, "basis=cellular"},
    {"grid", 3, 0.01, {256, 256, 256, 1}, GRID, ""},
    {"chunk", 3, 0.01, {33, 33, 33, 1}, GRID, "octaves=4"},
    {"points", 2, 0.3, {MILLION, 1, 1, 1}, POINTS, ""},
    {"points", 3, 0.3, {MILLION, 1, 1, 1}, POINTS, ""},
    {"single", 2, 0.3, {1 << 14, 1, 1, 1}, SINGLE, "octaves=4"},
};

enum {
  JOB_COUNT = sizeof JOBS / sizeof JOBS[0],
  MAX_COLUMNS = PERLANE_ISA_COUNT, /* memset's and one for each instruction set but auto */
  MAX_CELLS = JOB_COUNT * MAX_COLUMNS,
  MAX_SAMPLES = 1 << 24,
  MAX_COORDINATES = 3 * MILLION,
  MIN_SAMPLES = 1 << 16,    /* of jobs that shrink */
  SCALAR_SAMPLES = 1 << 14, /* enough for the slow kernels */
  KERNEL_RUNS = 2,
  MEMSET_RUNS = 4,
  MIN_ROUNDS = 3,
  MAX_ROUNDS = 4096
};

/* A table of a row for each job and a column for each instruction set. A cell's index is job *
 * columns + column. */
struct bench {
  struct bench_options options;
  perlane_isa isa[MAX_COLUMNS]; /* that of column 0, memset's, is not used */
  size_t columns;
  size_t max_samples; /* of a job */
  perlane_noise noise[JOB_COUNT];
  float *out, *in;
  double seconds[MAX_ROUNDS][MAX_CELLS];
  size_t rounds;
};

/* Returns the job of a cell. Halves its longest axis until it has few enough samples: a part of the
 * same shape takes the same work per sample. */
static struct job job_of(const struct bench *bench, size_t cell, size_t *samples) {
  struct job job = JOBS[cell / bench->columns];
  const int is_scalar = bench->isa[cell % bench->columns] == PERLANE_ISA_SCALAR;
  const size_t max = is_scalar ? SCALAR_SAMPLES : bench->max_samples;
  size_t *count = job.count;
  while ((*samples = count[0] * count[1] * count[2] * count[3]) > max) {
    size_t *longest = count;
    for (int axis = 1; axis < job.dims; axis++)
      if (count[axis] >= *longest)
        longest = &count[axis];
    *longest /= 2;
  }
  return job;
}

/* "2D/grid 4096x4096/0.01" */
static void print_name(const struct job *job, int width) {
  int printed = printf("%dD/%s ", job->dims, job->word);
  for (int axis = 0; axis < (job->source == GRID ? job->dims : 1); axis++)
    printed += printf(axis ? "x%zu" : "%zu", job->count[axis]);
  printed += printf("/%g", job->frequency);
  printf("%*s", width - printed, "");
}

/* ---- Measuring ---- */

static perlane_status evaluate(const struct bench *bench, size_t cell) {
  size_t samples;
  const struct job job = job_of(bench, cell, &samples);
  const perlane_noise *noise = &bench->noise[cell / bench->columns];
  const float *coordinates[PERLANE_MAX_DIMS] = {bench->in, bench->in + MILLION,
                                                bench->in + (size_t)2 * MILLION};
  static unsigned char work[PERLANE_WORK_BYTES];
  perlane_grid grid = perlane_grid_make(job.count[0], job.count[1], job.dims > 2 ? job.count[2] : 0,
                                        job.dims > 3 ? job.count[3] : 0);
  grid.work = work;
  grid.work_bytes = sizeof work;
  if (cell % bench->columns == 0)
    memset(bench->out, 0, samples * sizeof *bench->out);
  else if (job.source == GRID)
    return perlane_fill(noise, &grid, bench->out);
  else if (job.source == POINTS)
    return perlane_points(noise, job.dims, samples, NULL, coordinates, bench->out);
  else
    for (size_t i = 0; i < samples; i++) {
      const double position[] = {(double)bench->in[i], (double)bench->in[i + MILLION]};
      bench->out[i] = perlane_at(noise, job.dims, position);
    }
  return PERLANE_OK;
}

/* The run before has left the output in the caches, or not. Fills that bypass the caches take up to
 * three times as long when memset has left it there, but only once; memset needs a few runs until
 * large caches keep its lines. */
static perlane_status measure_cell(const struct bench *bench, size_t cell, double *seconds) {
  const size_t column = cell % bench->columns;
  perlane_status status = column == 0 ? PERLANE_OK : perlane_force_isa(bench->isa[column]);
  for (int run = column == 0 ? MEMSET_RUNS : KERNEL_RUNS; run > 0 && status == PERLANE_OK; run--) {
    const double begin = cli_now();
    status = evaluate(bench, cell);
    *seconds = cli_now() - begin;
  }
  return status;
}

/* Measures rounds until the time ends. The jobs grow to their full size while the fewest rounds of
 * the next size, which takes about twice as long, still fit into the time. */
static perlane_status measure(struct bench *bench, double end) {
  perlane_status status = PERLANE_OK;
  bench->max_samples = MIN_SAMPLES;
  while (status == PERLANE_OK && bench->rounds < MAX_ROUNDS) {
    const double begin = cli_now();
    for (size_t cell = 0; cell < JOB_COUNT * bench->columns && status == PERLANE_OK; cell++)
      status = measure_cell(bench, cell, &bench->seconds[bench->rounds][cell]);
    bench->rounds++;
    const double now = cli_now(), round = now - begin;
    if (bench->rounds == 1 && bench->max_samples < MAX_SAMPLES &&
        now + MIN_ROUNDS * 2 * round <= end) {
      bench->rounds = 0;
      bench->max_samples *= 2;
    } else if (bench->rounds >= MIN_ROUNDS && now + round > end) {
      break;
    }
  }
  return status;
}

/* ---- The table ---- */

enum { LABEL_WIDTH = 24, MEMSET_WIDTH = 8, RATE_WIDTH = 6, SHARE_WIDTH = 5 };

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Returns a cell's samples per second, from the median of its times. */
static double rate_of(const struct bench *bench, size_t cell) {
  static double sorted[MAX_ROUNDS];
  const size_t rounds = bench->rounds;
  size_t samples;
  job_of(bench, cell, &samples);
  for (size_t r = 0; r < rounds; r++)
    sorted[r] = bench->seconds[r][cell];
  qsort(sorted, rounds, sizeof *sorted, compare);
  return (double)samples * 2 / (sorted[(rounds - 1) / 2] + sorted[rounds / 2]);
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

static void print_table(const struct bench *bench, perlane_isa chosen) {
  int is_marked = 0;
  size_t samples;
  job_of(bench, 0, &samples);
  printf("perlane %s; memset writes %.1f GB/s, %g MiB at a time\n", perlane_version(),
         rate_of(bench, 0) * sizeof(float) * 1e-9, (double)(samples * sizeof(float)) / MILLION);
  printf("Millions of samples per second, and percent of memset's floats per second;\n"
         "one thread, medians of %zu rounds\n\n",
         bench->rounds);
  printf("%*s", LABEL_WIDTH + MEMSET_WIDTH, "memset");
  for (size_t column = 1; column < bench->columns; column++) {
    const char *name = perlane_isa_name(bench->isa[column]);
    const int is_chosen = bench->isa[column] == chosen;
    printf("%*s%s", RATE_WIDTH + 1 + SHARE_WIDTH - is_chosen, name, is_chosen ? "*" : "");
    is_marked |= is_chosen;
  }
  putchar('\n');
  for (size_t cell = 0; cell < JOB_COUNT * bench->columns; cell += bench->columns) {
    const struct job job = job_of(bench, cell, &samples);
    const double memset_rate = rate_of(bench, cell);
    print_name(&job, LABEL_WIDTH);
    print_rate(MEMSET_WIDTH, memset_rate * 1e-6);
    for (size_t column = 1; column < bench->columns; column++) {
      const double rate = rate_of(bench, cell + column);
      print_rate(RATE_WIDTH, rate * 1e-6);
      print_share(rate / memset_rate * 100);
    }
    putchar('\n');
  }
  if (is_marked)
    puts("\n* chosen for this machine, or by PERLANE_ISA");
  if (bench->max_samples < MAX_SAMPLES)
    printf("\nThe jobs shrank: %g s are too short for them. Use --seconds.\n",
           bench->options.seconds.at[0].real);
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

/* Makes the fields and random points in 0..1024, and touches the output: the first write to a page
 * takes far longer than later ones. */
static perlane_status prepare(struct bench *bench) {
  uint64_t random = 1;
  perlane_status status = PERLANE_OK;
  memset(bench->out, 1, MAX_SAMPLES * sizeof *bench->out);
  for (size_t i = 0; i < MAX_COORDINATES; i++) {
    random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    bench->in[i] = (float)(random >> 40) * 0x1p-14F;
  }
  for (size_t j = 0; j < JOB_COUNT && status == PERLANE_OK; j++) {
    perlane_params params = perlane_params_default();
    params.frequency = JOBS[j].frequency;
    status = perlane_params_parse(&params, JOBS[j].options, NULL);
    if (status == PERLANE_OK)
      status = perlane_init(&bench->noise[j], &params);
  }
  return status;
}

static int run(struct bench *bench) {
  enum { LINE = 64, OUT_BYTES = MAX_SAMPLES * 4, IN_BYTES = MAX_COORDINATES * 4 };
  const double end = cli_now() + bench->options.seconds.at[0].real;
  const perlane_isa chosen = perlane_isa_current();
  int status = choose_columns(bench, chosen);
  if (status != 0)
    return status;
  bench->out = aligned_alloc(LINE, OUT_BYTES);
  bench->in = aligned_alloc(LINE, IN_BYTES);
  if (bench->out && bench->in) {
    perlane_status problem = prepare(bench);
    if (problem == PERLANE_OK)
      problem = measure(bench, end);
    if (problem == PERLANE_OK)
      print_table(bench, chosen);
    else
      status = cli_fail("%s", perlane_status_string(problem));
  } else {
    status = cli_fail("no memory: %d MiB are needed", (OUT_BYTES + IN_BYTES) >> 20);
  }
  perlane_force_isa(PERLANE_ISA_AUTO);
  free(bench->in);
  free(bench->out);
  return status == 0 ? cli_finish_stdout() : status;
}

int cli_bench(char **argv) {
  static struct bench bench;
  struct cli_group group = CLI_GROUP_OF(OPTIONS, &bench.options, &DEFAULTS);
  bench.options = DEFAULTS;
  bench.rounds = 0;
  const int status = cli_parse(&(struct cli_command_line){&BENCH, &group, 1}, argv);
  return status == 0 ? run(&bench) : status;
}
