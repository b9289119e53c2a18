/* SPDX-License-Identifier: MIT
 *
 * perlane_quality: all checks at full length, as a report in Markdown (about seven minutes of
 * one core); with a percentage, that much of it. Ends with 1 if the library failed a check, or what
 * is bad passed those that must find it out.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "checks.h"

static int bad;
static double percent = 100;

static size_t part(size_t full) {
  const size_t n = (size_t)((double)full * percent / 100);
  return full > 0 && n == 0 ? 1 : n;
}

static double seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void heading(const char *title) {
  printf("\n## %s\n\n"
         "| check | | trials | least likely | chance of such a one | all together, standard errors "
         "| time | |\n|---|---|---|---|---|---|---|---|\n",
         title);
}

/* Prints a check's result, which is as it must be if it passes or, of what is bad, fails. */
static void row(const char *name, int dims, const struct tally *tally, double start,
                int must_pass) {
  const int passes = tally_passes(tally);
  bad |= passes != must_pass;
  printf("| %s | %dD | %zu | %.2g | %.2g |", name, dims, tally->trials, tally->smallest,
         tally_chance(tally));
  if (tally->freedom > 0)
    printf(" %+.1f |", tally_errors(tally));
  else
    printf(" |");
  printf(" %.0f s | %s |\n", seconds() - start, passes ? "passes" : "**fails**");
  if (!passes)
    printf("| | | | %s | | | | |\n", tally->where);
  fflush(stdout);
}

static void hash(const char *title, const struct lattice *lattice,
                 const struct hash_check checks[HASH_CHECKS], int max_dims) {
  heading(title);
  for (int c = 0; c < HASH_CHECKS; c++)
    for (int dims = 1; dims <= max_dims; dims++)
      if (checks[c].full[dims - 1] > 0) {
        const double start = seconds();
        const struct tally tally = checks[c].check(lattice, dims, part(checks[c].full[dims - 1]));
        row(checks[c].name, dims, &tally, start, 1);
      }
}

static void controls(const struct hash_check checks[HASH_CHECKS]) {
  for (int c = 0; c < HASH_CHECKS; c++)
    if (checks[c].control) {
      char name[96];
      const double start = seconds();
      const struct tally tally =
          checks[c].check(checks[c].control, checks[c].control_dims, checks[c].control_windows);
      snprintf(name, sizeof name, "%s, %s", checks[c].name, checks[c].control->name);
      row(name, checks[c].control_dims, &tally, start, 0);
    }
}

static void field(void) {
  const perlane_params params = perlane_params_default();
  heading("The field");
  for (int c = 0; c < FIELD_CHECKS; c++)
    for (int dims = 1; dims <= 4; dims++)
      if (FIELD_CHECK[c].full[dims - 1] > 0) {
        const double start = seconds();
        const struct tally tally =
            FIELD_CHECK[c].check(&params, dims, part(FIELD_CHECK[c].full[dims - 1]));
        row(FIELD_CHECK[c].name, dims, &tally, start, 1);
      }
  heading("What must fail");
  for (int c = 0; c < FIELD_CHECKS; c++) {
    const perlane_params other = field_with(FIELD_CHECK[c].control);
    char name[96];
    const double start = seconds();
    const struct tally tally =
        FIELD_CHECK[c].check(&other, FIELD_CHECK[c].control_dims, FIELD_CHECK[c].control_fields);
    snprintf(name, sizeof name, "%s, %s", FIELD_CHECK[c].name, FIELD_CHECK[c].control);
    row(name, FIELD_CHECK[c].control_dims, &tally, start, 0);
  }
}

static void repeats(void) {
  printf("\n## Repeats: runs of 64 cells that occur twice among 2^20 along an axis\n\n"
         "| | axis | lattice (default), 4 seeds | Perlin's table | the first of the latter |\n"
         "|---|---|---|---|---|\n");
  for (int dims = 1; dims <= 4; dims++)
    for (int axis = 0; axis < dims; axis++) {
      static const uint64_t seeds[] = {0, 1, 1337, UINT64_C(0xDEADBEEFCAFEBABE)};
      size_t ours = 0;
      int64_t where[2] = {0, 0};
      for (int s = 0; s < 4; s++)
        ours += count_repeats(&LATTICE, dims, axis, seeds[s], where);
      const size_t table = count_repeats(&PERLIN_TABLE, dims, axis, 1, where);
      printf("| %dD | %c | %zu | %zu | after %lld cells |\n", dims, "xyzw"[axis], ours, table,
             (long long)(where[1] - where[0]));
      bad |= ours > 0 || table == 0;
    }
}

static void moments(void) {
  printf("\n## Moments of one octave\n\n"
         "| | samples | mean | variance | expected | skewness | kurtosis | expected |\n"
         "|---|---|---|---|---|---|---|---|\n");
  const perlane_params params = perlane_params_default();
  for (int dims = 1; dims <= 4; dims++) {
    struct moments m;
    check_moments(&params, dims, part(FIELD_CHECK[MOMENTS].full[dims - 1]), &m);
    const double variance = m.expected[1], cube = pow(variance, 1.5), square = variance * variance;
    printf("| %dD | %zu | %.1e ± %.1e | %.6f ± %.6f | %.6f | %.1e ± %.1e | %.4f ± %.4f | %.4f |\n",
           dims, m.samples, m.measured[0], m.error[0], m.measured[1], m.error[1], variance,
           m.measured[2] / cube, m.error[2] / cube, m.measured[3] / square, m.error[3] / square,
           m.expected[3] / square);
    fflush(stdout);
  }
}

/* The checks look at the lattice through a table of gradients, and at cells through a model of the
 * specification's: both must be the library's, or their results mean nothing. */
static void same_as_the_library(void) {
  enum { CELLS = 4096, CASES = 400 };
  static uint8_t index[CELLS], model[CELLS];
  static uint32_t id[CELLS];
  static const size_t count[4][4] = {
      {3000, 1, 1, 1}, {60, 50, 1, 1}, {20, 15, 10, 1}, {8, 8, 8, 6}};
  int differ = 0;
  for (uint64_t c = 0; c < CASES; c++) {
    struct window window = {
        .seed = split_mix(1, c), .dims = 1 + (int)(c % 4), .octave = (int)(c / 8 % 32)};
    perlane_grid grid = {.dims = window.dims};
    for (int a = 0; a < 4; a++) {
      window.first[a] =
          c % 3 ? (int64_t)split_mix(c, (uint64_t)a) >> (12 + c % 50) : INT64_C(0x80000000) - 10;
      grid.step[a] = (double)(window.step[a] = 1 + (int64_t)(c % 5));
      grid.count[a] = window.count[a] = count[window.dims - 1][a];
      grid.origin[a] = (double)window.first[a] + 0.5;
    }
    lattice_fill(c % 8 < 4 ? &LATTICE : &LARGE, &window, index);
    lattice_fill(c % 8 < 4 ? &MODEL : &LARGE_MODEL, &window, model);
    differ += memcmp(index, model, window_cells(&window)) != 0;
    if (window.dims == 4)
      continue;
    /* Without jitter, the point nearest to a cell's centre is its own; ids are the mixed sums. */
    perlane_params params = field_with("basis=cellular frequency=1 phase=none jitter=0");
    params.seed = window.seed;
    window.octave = 0;
    perlane_noise noise;
    const perlane_cells cells = {.id = id};
    differ += perlane_init(&noise, &params) || perlane_fill_cells(&noise, &grid, &cells);
    lattice_fill(&CELL_HIGH, &window, index);
    lattice_fill(&CELL_LOW, &window, model);
    for (size_t i = 0; i < window_cells(&window); i++)
      differ += id[i] >> 24 != index[i] || (id[i] >> 8 & 0xFF) != model[i];
  }
  printf("\n%d differences between the library and what the checks look at\n", differ);
  bad |= differ > 0;
}

int main(int arguments, char **argument) {
  if (arguments > 2 || (arguments == 2 && !((percent = atof(argument[1])) > 0))) {
    fprintf(stderr, "usage: perlane_quality [PERCENT]\n");
    return 2;
  }
  const double start = seconds();
  same_as_the_library();
  hash("The hash, default gradients", &LATTICE, HASH_CHECK, 4);
  hash("The hash, sets of 256 gradients", &LARGE, LARGE_CHECK, 4);
  hash("Cells, the highest 8 bits", &CELL_HIGH, LARGE_CHECK, 3); /* there are none in 4D */
  hash("Cells, bits 8 to 15", &CELL_LOW, LARGE_CHECK, 3);
  heading("What must fail: bad hashes, and bad bits for sets of 256");
  controls(HASH_CHECK);
  controls(LARGE_CHECK);
  repeats();
  field();
  moments();
  printf("\n%.0f s: %s\n", seconds() - start, bad ? "NOT AS IT MUST BE" : "all as it must be");
  return bad;
}
