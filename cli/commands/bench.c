/* SPDX-License-Identifier: MIT
 *
 * perlane bench: the rate of each instruction set on this machine, next to memset's.
 */
#include <stdlib.h>
#include <string.h>

#include "bench/workload.h"
#include "map/clock.h"
#include "commands/commands.h"
#include "options/options.h"

static const struct cli_command BENCH = {
    .name = "bench",
    .synopsis = "[OPTION]...",
    .about = "Measures the rate of one thread with each instruction set of this machine, in\n"
             "millions of samples per second. Next to each rate is its percentage of memset's\n"
             "rate for the same number of bytes, 4 per sample. It can exceed 100%: large grids\n"
             "bypass the caches, and memset may not.\n\n"
             "Jobs are named DIMENSIONS/GRID/FREQUENCY as in 'make bench'; fbm8 has 8 octaves,\n"
             "and points are at random positions. The scalar kernels compute 16384 samples of\n"
             "each job: their rate does not depend on the number.\n\n"
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

/* ---- Measuring ---- */

enum {
  MAX_JOBS = 16,
  MAX_COLUMNS = PERLANE_ISA_COUNT, /* memset's and one for each instruction set but auto */
  MAX_CELLS = MAX_JOBS * MAX_COLUMNS,
  MAX_SAMPLES = 1 << 24,
  MIN_SAMPLES = 1 << 16,    /* of jobs that shrink */
  SCALAR_SAMPLES = 1 << 14, /* enough for the slow kernels */
  KERNEL_RUNS = 2,
  MEMSET_RUNS = 4,
  MIN_ROUNDS = 3
};

/* A table of a row for each job and a column for each instruction set. A cell's index is job *
 * columns + column. */
struct bench {
  struct bench_options options;
  const struct bench_job *job[MAX_JOBS];
  size_t jobs;
  perlane_isa isa[MAX_COLUMNS]; /* that of column 0, memset's, is not used */
  size_t columns;
  size_t max_samples; /* of a job */
  struct bench_workload *cell;
  float *out, *in;
  double (*seconds)[MAX_CELLS]; /* of each round and cell */
  size_t rounds;
};

static size_t cells_of(const struct bench *bench) {
  return bench->jobs * bench->columns;
}

/* Halves the job's longest axis until it has at most max samples: a part of the same shape takes
 * the same work per sample. */
static struct bench_job shrunk(struct bench_job job, size_t max) {
  while (bench_job_samples(&job) > max) {
    size_t *longest = &job.count[0];
    for (int axis = 1; axis < PERLANE_MAX_DIMS; axis++)
      if (job.count[axis] >= *longest)
        longest = &job.count[axis];
    *longest /= 2;
  }
  return job;
}

static perlane_status prepare(struct bench *bench, size_t max_samples) {
  perlane_status status = PERLANE_OK;
  bench->max_samples = max_samples;
  for (size_t cell = 0; cell < cells_of(bench) && status == PERLANE_OK; cell++) {
    const int is_scalar = bench->isa[cell % bench->columns] == PERLANE_ISA_SCALAR;
    const struct bench_job job =
        shrunk(*bench->job[cell / bench->columns], is_scalar ? SCALAR_SAMPLES : max_samples);
    status = bench_prepare(&bench->cell[cell], &job, bench->out, bench->in);
  }
  return status;
}

/* The run before has left the output in the caches, or not. Fills that bypass the caches take up to
 * three times as long when memset has left it there, but only once; memset needs a few runs until
 * large caches keep its lines. */
static int runs_of(const struct bench *bench, size_t cell) {
  return cell % bench->columns == 0 ? MEMSET_RUNS : KERNEL_RUNS;
}

static perlane_status measure_cell(struct bench *bench, size_t cell, double *seconds) {
  struct bench_workload *workload = &bench->cell[cell];
  const size_t column = cell % bench->columns;
  perlane_status status = column == 0 ? PERLANE_OK : perlane_force_isa(bench->isa[column]);
  for (int run = 0; run < runs_of(bench, cell) && status == PERLANE_OK; run++) {
    const double begin = cli_now();
    if (column == 0)
      memset(bench->out, 0, bench_job_output_bytes(&workload->job));
    else
      status = bench_evaluate(workload);
    *seconds = cli_now() - begin;
  }
  return status;
}

static perlane_status measure_round(struct bench *bench, double *seconds) {
  perlane_status status = PERLANE_OK;
  for (size_t cell = 0; cell < cells_of(bench) && status == PERLANE_OK; cell++)
    status = measure_cell(bench, cell, &seconds[cell]);
  return status;
}

/* Measures rounds until the time ends. The jobs grow to their full size while the fewest rounds of
 * the next size, which takes about twice as long, still fit into the time. */
static int measure(struct bench *bench, double end) {
  perlane_status status = prepare(bench, MIN_SAMPLES);
  while (status == PERLANE_OK) {
    double(*seconds)[MAX_CELLS] = realloc(bench->seconds, (bench->rounds + 1) * sizeof *seconds);
    if (!seconds)
      return cli_fail(&BENCH, "out of memory after %zu rounds", bench->rounds);
    bench->seconds = seconds;
    const double begin = cli_now();
    status = measure_round(bench, seconds[bench->rounds++]);
    const double now = cli_now(), round = now - begin;
    if (status == PERLANE_OK && bench->rounds == 1 && bench->max_samples < MAX_SAMPLES &&
        now + MIN_ROUNDS * 2 * round <= end) {
      bench->rounds = 0;
      status = prepare(bench, 2 * bench->max_samples);
    } else if (bench->rounds >= MIN_ROUNDS && now + round > end) {
      break;
    }
  }
  return status == PERLANE_OK ? 0 : cli_fail(&BENCH, "%s", perlane_status_string(status));
}

/* ---- The table ---- */

enum { LABEL_WIDTH = 24, MEMSET_WIDTH = 8, RATE_WIDTH = 6, SHARE_WIDTH = 5 };

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Returns a cell's samples per second, from the median of its times. sorted has room for a time of
 * each round. */
static double rate_of(const struct bench *bench, size_t cell, double *sorted) {
  const size_t rounds = bench->rounds;
  for (size_t r = 0; r < rounds; r++)
    sorted[r] = bench->seconds[r][cell];
  qsort(sorted, rounds, sizeof *sorted, compare);
  const double median = (sorted[(rounds - 1) / 2] + sorted[rounds / 2]) / 2;
  return (double)bench->cell[cell].samples / median;
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

static int print_heading(const struct bench *bench, perlane_isa chosen) {
  int is_marked = 0;
  printf("%*s", LABEL_WIDTH + MEMSET_WIDTH, "memset");
  for (size_t column = 1; column < bench->columns; column++) {
    char title[40];
    const int is_chosen = bench->isa[column] == chosen;
    snprintf(title, sizeof title, "%s%s", perlane_isa_name(bench->isa[column]),
             is_chosen ? "*" : "");
    printf("%*s", RATE_WIDTH + 1 + SHARE_WIDTH, title);
    is_marked |= is_chosen;
  }
  putchar('\n');
  return is_marked;
}

static int print_table(const struct bench *bench, perlane_isa chosen) {
  /* NOLINTNEXTLINE(clang-analyzer-optin.portability.UnixAPI): there is at least one round */
  double *sorted = malloc(bench->rounds * sizeof *sorted);
  if (!sorted)
    return cli_fail(&BENCH, "out of memory after %zu rounds", bench->rounds);
  printf("perlane %s; memset writes %.1f GB/s, %g MiB at a time\n", perlane_version(),
         rate_of(bench, 0, sorted) * sizeof(float) * 1e-9,
         (double)bench_job_output_bytes(&bench->cell[0].job) / (1 << 20));
  printf("Millions of samples per second, and percent of memset's floats per second;\n"
         "one thread, medians of %zu rounds\n\n",
         bench->rounds);
  const int is_marked = print_heading(bench, chosen);
  for (size_t cell = 0; cell < cells_of(bench); cell += bench->columns) {
    char name[BENCH_NAME_BYTES];
    const double memset_rate = rate_of(bench, cell, sorted);
    bench_job_name(&bench->cell[cell].job, name, sizeof name);
    printf("%-*s", LABEL_WIDTH, name);
    print_rate(MEMSET_WIDTH, memset_rate * 1e-6);
    for (size_t column = 1; column < bench->columns; column++) {
      const double rate = rate_of(bench, cell + column, sorted);
      print_rate(RATE_WIDTH, rate * 1e-6);
      print_share(rate / memset_rate * 100);
    }
    putchar('\n');
  }
  free(sorted);
  if (is_marked)
    puts("\n* chosen for this machine, or by PERLANE_ISA");
  if (bench->max_samples < MAX_SAMPLES)
    printf("\nThe jobs shrank: %g s are too short for them. Use --seconds.\n",
           bench->options.seconds.at[0].real);
  return 0;
}

/* ---- The command ---- */

static void choose_jobs(struct bench *bench) {
  for (size_t i = 0; i < BENCH_JOB_COUNT && bench->jobs < MAX_JOBS; i++)
    if (BENCH_JOBS[i].also & IN_COMMAND)
      bench->job[bench->jobs++] = &BENCH_JOBS[i];
}

static int choose_columns(struct bench *bench, perlane_isa chosen) {
  const int all = bench->options.isa == 0;
  const perlane_isa wanted = all ? PERLANE_ISA_AUTO : (perlane_isa)(bench->options.isa - 1);
  bench->columns = 1;
  for (perlane_isa isa = PERLANE_ISA_AUTO + 1; isa < PERLANE_ISA_COUNT; isa++)
    if (perlane_isa_supported(isa) &&
        (all || isa == (wanted == PERLANE_ISA_AUTO ? chosen : wanted)))
      bench->isa[bench->columns++] = isa;
  return bench->columns > 1 ? 0
                            : cli_refuse(&BENCH, "--isa %s: %s", perlane_isa_name(wanted),
                                         cli_isa_problem(wanted));
}

/* Allocates memory that every job fits into, and touches it: the first write to a page takes far
 * longer than later ones. */
static int allocate(struct bench *bench) {
  const struct bench_job *reader = bench->job[0];
  size_t output = 0;
  for (size_t i = 0; i < bench->jobs; i++) {
    const size_t bytes = bench_job_output_bytes(bench->job[i]);
    output = bytes > output ? bytes : output;
    if (bench_job_input_bytes(bench->job[i]) > bench_job_input_bytes(reader))
      reader = bench->job[i];
  }
  const size_t input = bench_job_input_bytes(reader);
  bench->cell = malloc(MAX_CELLS * sizeof *bench->cell);
  /* NOLINTNEXTLINE(clang-analyzer-optin.portability.UnixAPI): no job is empty */
  bench->out = malloc(output);
  bench->in = malloc(input);
  if (!bench->cell || !bench->out || !bench->in)
    return cli_fail(&BENCH, "no memory: %zu MiB are needed", (output + input) >> 20);
  memset(bench->out, 1, output);
  const perlane_status status = bench_prepare(&bench->cell[0], reader, bench->out, bench->in);
  if (status != PERLANE_OK)
    return cli_fail(&BENCH, "%s", perlane_status_string(status));
  bench_make_points(&bench->cell[0]); /* random ones for all, as they come from the same range */
  return 0;
}

static int run(struct bench *bench) {
  const double end = cli_now() + bench->options.seconds.at[0].real;
  const perlane_isa chosen = perlane_isa_current();
  choose_jobs(bench);
  int status = choose_columns(bench, chosen);
  if (status == 0)
    status = allocate(bench);
  if (status == 0)
    status = measure(bench, end);
  perlane_force_isa(PERLANE_ISA_AUTO);
  if (status == 0)
    status = print_table(bench, chosen);
  free(bench->seconds);
  free(bench->in);
  free(bench->out);
  free(bench->cell);
  return status;
}

int cli_bench(int argc, char **argv) {
  struct bench bench = {.options = DEFAULTS};
  struct cli_group group =
      cli_group_of(OPTIONS, sizeof OPTIONS / sizeof OPTIONS[0], &bench.options, &DEFAULTS);
  int status = cli_parse(&(struct cli_command_line){&BENCH, &group, 1}, argc, argv);
  if (status != CLI_PARSED)
    return status;
  status = run(&bench);
  return status == 0 ? cli_finish_stdout(&BENCH) : status;
}
