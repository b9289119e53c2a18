/* SPDX-License-Identifier: MIT
 *
 * perlane bench: how many samples a second each instruction set computes on this machine, next to
 * what memset writes.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "commands/clock.h"
#include "commands/commands.h"
#include "options/isa.h"
#include "options/options.h"

static const struct cli_command BENCH = {
    .name = "bench",
    .synopsis = "[OPTION]...",
    .about = "Measures how many millions of samples a second one thread computes with each\n"
             "instruction set of this machine. Next to each rate is its percentage of memset's\n"
             "rate at the same number of bytes, 4 a sample. It can exceed 100%: large grids\n"
             "bypass the caches, and memset may not.\n\n"
             "A round measures every job with memset and each instruction set in turn, in the\n"
             "same memory, touched before and aligned to 64 bytes. Kernels run twice, memset\n"
             "four times, and the last run counts: it finds the caches as its own kind leaves\n"
             "them. The table shows medians of at least 3 rounds. Scalar kernels compute 16384\n"
             "samples of each job: their rate does not depend on the number. 'at' is the\n"
             "frequency; the 8 octaves begin at 0.002, and points lie at random, at 0.01.\n\n"
             "If the time is too short for 3 rounds, jobs shrink to the sizes that are shown.\n"
             "Whatever else the machine does meanwhile lowers the rates.",
    .examples = "All instruction sets in 4 seconds.\n"
                "  perlane bench\n"
                "The chosen one alone, for longer.\n"
                "  perlane bench --isa auto --seconds 10\n",
};

/* ---- Options ---- */

/* What --isa can be besides the library's names. */
enum { ALL_ISAS = PERLANE_ISA_COUNT };

struct bench_options {
  double seconds;
  perlane_isa isa;
};

static const struct bench_options DEFAULTS = {.seconds = 4, .isa = (perlane_isa)ALL_ISAS};

static int parse_seconds(const char *text, void *value) {
  double seconds;
  const char *end = cli_scan_double(text, &seconds);
  if (!end || *end != '\0' || !(seconds > 0 && seconds <= 3600))
    return 0;
  *(double *)value = seconds;
  return 1;
}

static void print_seconds(FILE *stream, const void *value) {
  cli_print_double(stream, *(const double *)value);
}

static int parse_isas(const char *text, void *value) {
  if (strcmp(text, "all") != 0)
    return CLI_ISA.parse(text, value);
  *(perlane_isa *)value = (perlane_isa)ALL_ISAS;
  return 1;
}

static void print_isas(FILE *stream, const void *value) {
  if (*(const perlane_isa *)value == (perlane_isa)ALL_ISAS)
    fputs("all", stream);
  else
    CLI_ISA.print(stream, value);
}

static const char *isas_name(int index) {
  return index == 0 ? "all" : CLI_ISA.list(index - 1);
}

static const struct cli_kind SECONDS = {
    .expected = "a number of seconds above 0, 3600 at most",
    .parse = parse_seconds,
    .print = print_seconds,
};
static const struct cli_kind ISAS = {
    .parse = parse_isas,
    .print = print_isas,
    .list = isas_name,
};

static const struct cli_option OPTIONS[] = {
    {
        .heading = "Options",
        .name = "seconds",
        .placeholder = "S",
        .kind = &SECONDS,
        .offset = offsetof(struct bench_options, seconds),
        .help = "How long to measure in all. More rounds give steadier medians.",
    },
    {
        .name = "isa",
        .placeholder = "NAME",
        .kind = &ISAS,
        .offset = offsetof(struct bench_options, isa),
        .help = "The kernels to measure; auto for the chosen ones.",
    },
};

/* ---- Jobs ---- */

/* Sizes are powers of two, which halve well. */
static const struct job {
  size_t count[PERLANE_MAX_DIMS]; /* of a grid; for points, count[0] is their number */
  int32_t points;                 /* dimensions of points, 0 for a grid */
  int32_t octaves;
  double frequency;
} JOBS[] = {
    {.count = {4096, 4096}, .octaves = 1, .frequency = 0.01},
    {.count = {4096, 4096}, .octaves = 1, .frequency = 0.1},
    {.count = {4096, 4096}, .octaves = 8, .frequency = 0.002},
    {.count = {256, 256, 256}, .octaves = 1, .frequency = 0.01},
    {.count = {64, 64, 64, 64}, .octaves = 1, .frequency = 0.05},
    {.count = {1 << 20}, .points = 2, .octaves = 1, .frequency = 0.01},
    {.count = {1 << 20}, .points = 3, .octaves = 1, .frequency = 0.01},
};
enum {
  JOB_COUNT = sizeof JOBS / sizeof JOBS[0],
  MOST_SAMPLES = 1 << 24,
  MOST_POINTS = 1 << 20,
  MOST_COORDS = 3,
  LEAST_SAMPLES = 1 << 16,  /* to which jobs shrink */
  SCALAR_SAMPLES = 1 << 14, /* enough for the slow kernels */
  KERNEL_RUNS = 2,          /* of which the last counts */
  MEMSET_RUNS = 4,
  LEAST_ROUNDS = 3,
  ALIGNMENT = 64 /* bytes of a cache line and of the longest vectors */
};

static size_t samples_of(const perlane_grid *grid) {
  size_t product = 1;
  for (int32_t a = 0; a < grid->dims; a++)
    product *= grid->count[a];
  return product;
}

/* A job's grid, halved along its longest axis until it has no more samples than that: a part that
 * keeps the shape is as much work a sample as the whole. */
static perlane_grid grid_of(const struct job *job, size_t most) {
  perlane_grid grid = perlane_grid_make(job->count[0], job->count[1], job->count[2], job->count[3]);
  while (samples_of(&grid) > most) {
    int32_t longest = 0;
    for (int32_t a = 1; a < grid.dims; a++)
      if (grid.count[a] >= grid.count[longest])
        longest = a;
    grid.count[longest] /= 2;
  }
  return grid;
}

/* ---- Measuring ---- */

struct bench {
  struct bench_options options;
  perlane_noise noise[JOB_COUNT];
  perlane_isa isa[PERLANE_ISA_COUNT]; /* of each column; memset's, 0, has PERLANE_ISA_AUTO */
  size_t columns;
  float *out;
  float *coords[MOST_COORDS];
  size_t most;   /* samples of a job */
  double *times; /* of round r, job j, column c at (r * JOB_COUNT + j) * columns + c */
  size_t rounds, capacity;
};

static perlane_grid work_of(const struct bench *bench, size_t job, size_t column) {
  return grid_of(&JOBS[job],
                 bench->isa[column] == PERLANE_ISA_SCALAR ? SCALAR_SAMPLES : bench->most);
}

static perlane_status run_once(const struct bench *bench, size_t job, size_t column,
                               const perlane_grid *grid) {
  if (column == 0) {
    memset(bench->out, 0, samples_of(grid) * sizeof *bench->out);
    return PERLANE_OK;
  }
  if (JOBS[job].points)
    return perlane_points(&bench->noise[job], JOBS[job].points, samples_of(grid),
                          (const float *const *)bench->coords, bench->out);
  return perlane_fill(&bench->noise[job], grid, bench->out);
}

/* What ran before has left the output in the caches or out of them. A fill past the caches takes up
 * to three times as long where memset's lines are in them, and sets that right by itself; memset
 * takes a few runs until large caches hold on to its lines. */
static int runs_of(size_t column) {
  return column == 0 ? MEMSET_RUNS : KERNEL_RUNS;
}

static perlane_status measure(const struct bench *bench, size_t job, size_t column,
                              double *seconds) {
  const perlane_grid grid = work_of(bench, job, column);
  perlane_status status = perlane_force_isa(bench->isa[column]);
  for (int i = 0; i < runs_of(column) && status == PERLANE_OK; i++) {
    const double begin = cli_now();
    status = run_once(bench, job, column, &grid);
    *seconds = cli_now() - begin;
  }
  return status;
}

/* Measures every job in every column. */
static perlane_status measure_round(const struct bench *bench, double *times) {
  for (size_t job = 0; job < JOB_COUNT; job++)
    for (size_t column = 0; column < bench->columns; column++) {
      const perlane_status status = measure(bench, job, column, times++);
      if (status != PERLANE_OK)
        return status;
    }
  return PERLANE_OK;
}

/* How long a round would take that has more samples than the one that took those times. */
static double predict(const struct bench *bench, const struct bench *larger, const double *times) {
  double sum = 0;
  for (size_t job = 0; job < JOB_COUNT; job++)
    for (size_t column = 0; column < bench->columns; column++) {
      const perlane_grid few = work_of(bench, job, column), many = work_of(larger, job, column);
      sum += runs_of(column) * times[job * bench->columns + column] * (double)samples_of(&many) /
             (double)samples_of(&few);
    }
  return sum;
}

/* Chooses the jobs' size: the whole jobs, unless the time is too short for the fewest rounds. */
static perlane_status choose_size(struct bench *bench, double end) {
  double times[JOB_COUNT * PERLANE_ISA_COUNT];
  bench->most = LEAST_SAMPLES;
  const perlane_status status = measure_round(bench, times);
  if (status != PERLANE_OK)
    return status;
  struct bench larger = *bench;
  larger.most = MOST_SAMPLES;
  const double left = end - cli_now();
  while (larger.most > LEAST_SAMPLES && LEAST_ROUNDS * predict(bench, &larger, times) > left)
    larger.most /= 2;
  bench->most = larger.most;
  return PERLANE_OK;
}

/* Room for one more round's times. NULL without memory for it. */
static double *next_times(struct bench *bench) {
  const size_t cells = JOB_COUNT * bench->columns;
  if (bench->rounds == bench->capacity) {
    const size_t capacity = bench->capacity * 2 + 16;
    double *times = realloc(bench->times, capacity * cells * sizeof *times);
    if (!times)
      return NULL;
    bench->times = times;
    bench->capacity = capacity;
  }
  return bench->times + bench->rounds * cells;
}

static int measure_all(struct bench *bench, double end) {
  perlane_status status = choose_size(bench, end);
  const double begin = cli_now();
  double time = begin;
  while (status == PERLANE_OK &&
         (bench->rounds < LEAST_ROUNDS || time + (time - begin) / (double)bench->rounds <= end)) {
    double *times = next_times(bench);
    if (!times)
      return cli_fail(&BENCH, "no memory for the times of %zu rounds", bench->rounds + 1);
    status = measure_round(bench, times);
    bench->rounds++;
    time = cli_now();
  }
  return status == PERLANE_OK ? 0 : cli_fail(&BENCH, "%s", perlane_status_string(status));
}

/* ---- The table ---- */

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Turns the rounds' times into medians, those of job j in column c at j * columns + c. */
static int find_medians(const struct bench *bench, double *medians) {
  double *sorted = malloc(bench->rounds * sizeof *sorted);
  if (!sorted)
    return cli_fail(&BENCH, "no memory to sort the times of %zu rounds", bench->rounds);
  const size_t cells = JOB_COUNT * bench->columns;
  for (size_t cell = 0; cell < cells; cell++) {
    for (size_t r = 0; r < bench->rounds; r++)
      sorted[r] = bench->times[r * cells + cell];
    qsort(sorted, bench->rounds, sizeof *sorted, compare);
    medians[cell] = (sorted[(bench->rounds - 1) / 2] + sorted[bench->rounds / 2]) / 2;
  }
  free(sorted);
  return 0;
}

enum { LABEL_WIDTH = 24, MEMSET_WIDTH = 8, RATE_WIDTH = 6, SHARE_WIDTH = 5 };

static void print_label(const struct bench *bench, size_t number) {
  const struct job *job = &JOBS[number];
  const perlane_grid grid = grid_of(job, bench->most);
  char text[80];
  int length = snprintf(text, sizeof text, "%" PRId32 "D", job->points ? job->points : grid.dims);
  if (job->points)
    length += snprintf(text + length, sizeof text - (size_t)length, ", %zu points", grid.count[0]);
  else
    for (int32_t a = 0; a < grid.dims; a++)
      length += snprintf(text + length, sizeof text - (size_t)length, "%c%zu", a ? 'x' : ' ',
                         grid.count[a]);
  if (job->octaves > 1)
    snprintf(text + length, sizeof text - (size_t)length, ", %" PRId32 " octaves", job->octaves);
  else if (!job->points)
    snprintf(text + length, sizeof text - (size_t)length, " at %g", job->frequency);
  printf("%-*s", LABEL_WIDTH, text);
}

/* Three digits or all before the point. */
static void print_rate(int width, double rate) {
  printf("%*.*f", width, rate < 9.995 ? 2 : rate < 99.95 ? 1 : 0, rate);
}

static void print_share(double share) {
  char text[40];
  if (share < 0.0095)
    snprintf(text, sizeof text, "<.01%%");
  else if (share < 0.095)
    snprintf(text, sizeof text, "%.1g%%", share);
  else
    snprintf(text, sizeof text, "%.*f%%", share < 9.95 ? 1 : 0, share);
  printf(" %*s", SHARE_WIDTH, text);
}

static double rate_of(const struct bench *bench, const double *medians, size_t job, size_t column) {
  const perlane_grid grid = work_of(bench, job, column);
  /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): all have been taken */
  return (double)samples_of(&grid) / medians[job * bench->columns + column];
}

static void print_table(const struct bench *bench, const double *medians, perlane_isa chosen) {
  const perlane_grid first = work_of(bench, 0, 0);
  printf("perlane %s; memset writes %.1f GB/s, %g MiB at a time\n", perlane_version(),
         rate_of(bench, medians, 0, 0) * sizeof(float) * 1e-9,
         (double)(samples_of(&first) * sizeof(float)) / (1 << 20));
  printf("Millions of samples a second, and percent of memset's rate at 4 bytes a sample;\n"
         "one thread, medians of %zu rounds\n\n",
         bench->rounds);
  printf("%*s", LABEL_WIDTH + MEMSET_WIDTH, "memset");
  int marked = 0;
  for (size_t column = 1; column < bench->columns; column++) {
    char title[40];
    marked |= bench->isa[column] == chosen;
    snprintf(title, sizeof title, "%s%s", perlane_isa_name(bench->isa[column]),
             bench->isa[column] == chosen ? "*" : "");
    printf("%*s", RATE_WIDTH + 1 + SHARE_WIDTH, title);
  }
  putchar('\n');
  for (size_t job = 0; job < JOB_COUNT; job++) {
    const double memset_rate = rate_of(bench, medians, job, 0);
    print_label(bench, job);
    print_rate(MEMSET_WIDTH, memset_rate * 1e-6);
    for (size_t column = 1; column < bench->columns; column++) {
      const double rate = rate_of(bench, medians, job, column);
      print_rate(RATE_WIDTH, rate * 1e-6);
      print_share(rate / memset_rate * 100);
    }
    putchar('\n');
  }
  if (marked)
    puts("\n* chosen for this machine, or by PERLANE_ISA");
  if (bench->most < MOST_SAMPLES)
    printf("\nThe jobs shrank: %g s are too short for them. Use --seconds.\n",
           bench->options.seconds);
}

/* ---- The command ---- */

static int choose_columns(struct bench *bench, perlane_isa chosen) {
  const perlane_isa wanted = bench->options.isa;
  bench->columns = 1;
  for (int i = PERLANE_ISA_AUTO + 1; i < PERLANE_ISA_COUNT; i++) {
    const perlane_isa isa = (perlane_isa)i;
    if (perlane_isa_supported(isa) &&
        (wanted == (perlane_isa)ALL_ISAS || isa == (wanted == PERLANE_ISA_AUTO ? chosen : wanted)))
      bench->isa[bench->columns++] = isa;
  }
  return bench->columns > 1 ? 0
                            : cli_refuse(&BENCH, "--isa %s: %s", perlane_isa_name(wanted),
                                         cli_isa_problem(wanted));
}

static int make_noises(struct bench *bench) {
  for (size_t job = 0; job < JOB_COUNT; job++) {
    perlane_params params = perlane_params_default();
    params.frequency = JOBS[job].frequency;
    params.octaves = JOBS[job].octaves;
    const perlane_status status = perlane_init(&bench->noise[job], &params);
    if (status != PERLANE_OK)
      return cli_fail(&BENCH, "%s", perlane_status_string(status));
  }
  return 0;
}

/* The memory is written, as the first touch of a page takes far longer than later ones. */
static int make_buffers(struct bench *bench) {
  const size_t out_bytes = MOST_SAMPLES * sizeof(float);
  const size_t coords_bytes = MOST_COORDS * (size_t)MOST_POINTS * sizeof(float);
  bench->out = aligned_alloc(ALIGNMENT, out_bytes);
  bench->coords[0] = aligned_alloc(ALIGNMENT, coords_bytes);
  if (!bench->out || !bench->coords[0])
    return cli_fail(&BENCH, "no memory: %zu MiB are needed", (out_bytes + coords_bytes) >> 20);
  memset(bench->out, 1, out_bytes);
  uint64_t state = 1;
  for (size_t i = 0; i < MOST_COORDS * (size_t)MOST_POINTS; i++) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    bench->coords[0][i] = (float)(state >> 40) / 4096; /* 0 to 4096 */
  }
  for (int a = 1; a < MOST_COORDS; a++)
    bench->coords[a] = bench->coords[a - 1] + MOST_POINTS;
  return 0;
}

static int run(struct bench *bench) {
  const double end = cli_now() + bench->options.seconds;
  const perlane_isa chosen = perlane_isa_current();
  double medians[JOB_COUNT * PERLANE_ISA_COUNT];
  int status = choose_columns(bench, chosen);
  if (status == 0)
    status = make_noises(bench);
  if (status == 0)
    status = make_buffers(bench);
  if (status == 0)
    status = measure_all(bench, end);
  perlane_force_isa(PERLANE_ISA_AUTO);
  if (status == 0)
    status = find_medians(bench, medians);
  if (status == 0)
    print_table(bench, medians, chosen);
  free(bench->times);
  free(bench->coords[0]);
  free(bench->out);
  return status;
}

int cli_bench(int argc, char **argv) {
  struct bench bench = {.options = DEFAULTS};
  struct cli_group group = {
      .option = OPTIONS,
      .count = sizeof OPTIONS / sizeof OPTIONS[0],
      .values = &bench.options,
      .defaults = &DEFAULTS,
  };
  int status = cli_parse(&(struct cli_command_line){&BENCH, &group, 1}, argc, argv);
  if (status != CLI_PARSED)
    return status;
  status = run(&bench);
  return status == 0 ? cli_finish_stdout(&BENCH) : status;
}
