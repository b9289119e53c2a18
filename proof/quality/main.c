/* SPDX-License-Identifier: MIT
 *
 * perlane_quality: all checks at full length, as a report in Markdown (about seven minutes of
 * one core); with a percentage, that much of it. perlane_quality data FOLDER writes what the
 * pictures show. Ends with 1 if the library failed a check, or a bad hash passed those that must
 * find it out.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "checks.h"
#include "pictures.h"

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

static void row(const char *name, int dims, const struct tally *tally, double start) {
  const int passes = tally_passes(tally);
  bad |= !passes;
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

static void heading(const char *title) {
  printf("\n## %s\n\n", title);
}

static void tally_heading(void) {
  printf("| check | | trials | least likely | chance of such a one | all together, standard errors "
         "| time | |\n|---|---|---|---|---|---|---|---|\n");
}

static void hash(const char *title, const struct lattice *lattice,
                 const struct hash_check checks[HASH_CHECKS], int max_dims) {
  heading(title);
  tally_heading();
  for (int c = 0; c < HASH_CHECKS; c++)
    for (int dims = 1; dims <= max_dims; dims++)
      if (checks[c].full[dims - 1] > 0) {
        const double start = seconds();
        const struct tally tally = checks[c].check(lattice, dims, part(checks[c].full[dims - 1]));
        row(checks[c].name, dims, &tally, start);
      }
}

/* Lists what checks of sets of 256 find of a bad index. */
static void bad_index(void) {
  heading("What must fail: sets of 256 with the lowest bits of m");
  tally_heading();
  const int before = bad;
  int found = 1;
  for (int c = 0; c < HASH_CHECKS; c++)
    if (LARGE_CHECK[c].control) {
      const double start = seconds();
      const struct tally tally = LARGE_CHECK[c].check(
          LARGE_CHECK[c].control, LARGE_CHECK[c].control_dims, LARGE_CHECK[c].control_windows);
      found &= !tally_passes(&tally);
      row(LARGE_CHECK[c].name, LARGE_CHECK[c].control_dims, &tally, start);
    }
  bad = before | !found;
}

/* Lists which checks find which bad hash, at the length of the tests. */
static void bad_hashes(void) {
  static const struct lattice *const hashes[] = {&LATTICE,       &PERLIN_TABLE, &ONE_MULTIPLY,
                                                 &ADDED_PLANES,  &PRIMES_XOR,   &SHIFTED_SEEDS,
                                                 &SHARED_STREAMS};
  enum { COUNT = sizeof hashes / sizeof hashes[0] };
  heading("The same checks on bad hashes, shorter, 2D and 3D");
  printf("Largest of: standard errors of all trials together, and of the least likely one after "
         "allowing for their number; above 5 fails.\n\n| check |");
  for (int h = 0; h < COUNT; h++)
    printf(" %s |", hashes[h]->name);
  printf("\n|---|");
  for (int h = 0; h < COUNT; h++)
    printf("---|");
  printf("\n");
  for (int c = 0; c < HASH_CHECKS; c++)
    for (int dims = 2; dims <= 3; dims++) {
      printf("| %s, %dD |", HASH_CHECK[c].name, dims);
      for (int h = 0; h < COUNT; h++) {
        size_t windows = HASH_CHECK[c].quick[dims - 1];
        if (HASH_CHECK[c].control_dims == dims && HASH_CHECK[c].control_windows > windows)
          windows = HASH_CHECK[c].control_windows;
        const struct tally tally = HASH_CHECK[c].check(hashes[h], dims, windows);
        const double chance = fmax(tally_chance(&tally), 1e-300);
        const double worst = fmax(fabs(tally_errors(&tally)), sqrt(-2 * log(chance)));
        printf(tally_passes(&tally) ? " %.1f |" : " **%.0f** |", worst);
        if (hashes[h] == HASH_CHECK[c].control && dims == HASH_CHECK[c].control_dims)
          bad |= tally_passes(&tally);
      }
      printf("\n");
      fflush(stdout);
    }
}

static void repeats(void) {
  heading("Repeats: runs of 64 cells that occur twice among 2^20 along an axis");
  printf("| | axis | lattice (default), 4 seeds | Perlin's table | the first of the latter |\n"
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

static void biased_lines(void) {
  heading("Biased lines");
  static const double bias[] = {0.5, 0.2, 0.1, 0.05, 0.02, 0.01};
  double times[3];
  count_narrow_words(times);
  for (int bits = 0; bits < 3; bits++)
    printf("- at most %d of the 8 gradients: %.0f of 2^32 words, one in %.0f\n", 4 >> bits,
           times[bits], 0x1p32 / times[bits]);
  printf("\n| mean of exp(2 pi i index / 256) over the line, above | share of lines | one in |\n"
         "|---|---|---|\n");
  for (int i = 0; i < 6; i++) {
    const double share = share_of_biased_lines(bias[i]);
    printf("| %g | %.2g | %.0f |\n", bias[i], share, 1 / share);
  }
  static const double correlation[] = {0.05, 0.1, 0.2, 0.5};
  size_t correlated[4];
  const size_t lines = part(200000);
  count_correlated_lines(lines, 4, correlation, correlated);
  printf(
      "\n| correlation along the line, up to 32 cells apart, above | of %zu lines |\n|---|---|\n",
      lines);
  for (int i = 0; i < 4; i++)
    printf("| %g | %zu |\n", correlation[i], correlated[i]);
  printf("\nThe line of word 0, for seed 1337, from the library:\n\n");
  for (int axis = 0; axis < 2; axis++) {
    struct window window = {.seed = 1337, .dims = 2, .step = {1, 1}, .count = {4096, 4096}};
    window.first[axis] = cell_of_word_0(axis, window.seed);
    window.count[axis] = 1;
    uint8_t index[4096];
    int others = 0;
    lattice_fill(&LATTICE, &window, index);
    for (int i = 0; i < 4096; i++)
      others += index[i] != 0;
    printf("- %c = %lld: of 4096 cells, %d have another index than 0\n", "xy"[axis],
           (long long)window.first[axis], others);
    bad |= others > 0;
  }
}

static void moments(void) {
  heading("Moments of one octave");
  printf("| | samples | mean | variance | expected | skewness | kurtosis | expected | chance | |\n"
         "|---|---|---|---|---|---|---|---|---|---|\n");
  const perlane_params params = perlane_params_default();
  for (int dims = 1; dims <= 4; dims++) {
    struct moments m;
    const struct tally tally = check_moments(&params, dims, part(200), &m);
    const double variance = m.expected[1];
    printf("| %dD | %zu | %.1e ± %.1e | %.6f ± %.6f | %.6f | %.1e ± %.1e | %.4f ± %.4f | %.4f | "
           "%.2g | %s |\n",
           dims, m.samples, m.measured[0], m.error[0], m.measured[1], m.error[1], variance,
           m.measured[2] / pow(variance, 1.5), m.error[2] / pow(variance, 1.5),
           m.measured[3] / (variance * variance), m.error[3] / (variance * variance),
           m.expected[3] / (variance * variance), tally_chance(&tally),
           tally_passes(&tally) ? "passes" : "**fails**");
    fflush(stdout);
    bad |= !tally_passes(&tally);
  }
}

static void field(void) {
  heading("The field");
  tally_heading();
  const perlane_params params = perlane_params_default();
  for (int dims = 1; dims <= 2; dims++) {
    double expected[BINS], measured[BINS];
    const double start = seconds();
    const struct tally tally = check_distribution(&params, dims, part(400), expected, measured);
    row("distribution", dims, &tally, start);
  }
  static struct spectrum spectrum;
  double start = seconds();
  struct tally tally = check_spectrum(&params, 20 + part(4000), &spectrum);
  row("spectrum", 2, &tally, start);
  for (int dims = 1; dims <= 4; dims++) {
    static const size_t fields[] = {60, 40, 20, 10};
    start = seconds();
    tally = check_unrelated(&params, dims, part(fields[dims - 1]));
    row("unrelated", dims, &tally, start);
  }
  for (int dims = 1; dims <= 4; dims++) {
    start = seconds();
    tally = check_places(&params, dims, part(dims < 3 ? 400000 : 100000));
    row("places", dims, &tally, start);
  }
  for (int dims = 1; dims <= 4; dims++) {
    start = seconds();
    tally = check_whole_numbers(&params, dims, part(4000));
    row("whole numbers", dims, &tally, start);
  }
  heading("What must fail");
  tally_heading();
  const int before = bad;
  struct moments m;
  double expected[BINS], measured[BINS];
  perlane_params other = params;
  other.fade = PERLANE_FADE_CUBIC;
  int found = 1;
  start = seconds();
  tally = check_moments(&other, 2, 1, &m);
  found &= !tally_passes(&tally);
  row("moments, cubic fade", 2, &tally, start);
  start = seconds();
  tally = check_distribution(&other, 2, 1, expected, measured);
  found &= !tally_passes(&tally);
  row("distribution, cubic fade", 2, &tally, start);
  other = params;
  other.gradients = PERLANE_GRADIENTS_EDGES12;
  other.value_scale = slice_size();
  start = seconds();
  tally = check_spectrum(&other, 200, &spectrum);
  found &= !tally_passes(&tally);
  row("spectrum, edges12", 2, &tally, start);
  other = params;
  other.octaves_share = 1;
  start = seconds();
  tally = check_unrelated(&other, 2, 1);
  found &= !tally_passes(&tally);
  row("unrelated, octaves_share", 2, &tally, start);
  other = params;
  other.phase = PERLANE_PHASE_NONE;
  start = seconds();
  tally = check_places(&other, 2, 20000);
  found &= !tally_passes(&tally);
  row("places, phase none", 2, &tally, start);
  start = seconds();
  tally = check_whole_numbers(&other, 2, 2);
  found &= !tally_passes(&tally);
  row("whole numbers, phase none", 2, &tally, start);
  bad = before | !found;
}

/* ---- What is not a test: how it is ---- */

static void value_range(void) {
  enum { FINE = 20000 };
  static const double quantile[] = {0.001, 0.01, 0.5, 0.99, 0.999};
  static const size_t count[4][4] = {{1 << 20}, {1024, 1024}, {128, 128, 64}, {32, 32, 32, 32}};
  heading("Values");
  printf("| | octaves | samples | smallest | largest | deviation | 0.1 %% | 1 %% | 50 %% | 99 %% | "
         "99.9 %% |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (int dims = 1; dims <= 4; dims++)
    for (int octaves = 1; octaves <= 8; octaves += 7) {
      double times[FINE] = {0}, n = 0, squares = 0, smallest = 1, largest = -1;
      perlane_grid grid = {.dims = dims};
      size_t samples = 1;
      for (int a = 0; a < dims; a++)
        samples *= grid.count[a] = count[dims - 1][a];
      float *value = have(samples * sizeof *value);
      for (size_t i = 0; i < part(200); i++) {
        perlane_params params = perlane_params_default();
        params.seed = i;
        params.octaves = octaves;
        params.frequency = 1;
        perlane_noise noise;
        perlane_init(&noise, &params);
        for (int a = 0; a < dims; a++) {
          grid.origin[a] = 0.4142 * (a + 1) + (double)i * 1e5;
          grid.step[a] = 0.618034 + 0.05 * a;
        }
        if (perlane_fill(&noise, &grid, value) != PERLANE_OK)
          exit(2);
        for (size_t s = 0; s < samples; s++) {
          const double v = (double)value[s];
          squares += v * v;
          smallest = fmin(smallest, v);
          largest = fmax(largest, v);
          times[(int)fmin((v + 1) / 2 * FINE, FINE - 1)]++;
        }
        n += (double)samples;
      }
      free(value);
      printf("| %dD | %d | %.0f | %.3f | %.3f | %.3f |", dims, octaves, n, smallest, largest,
             sqrt(squares / n));
      for (int q = 0; q < 5; q++) {
        double below = 0;
        int bin = 0;
        while ((below += times[bin]) < quantile[q] * n)
          bin++;
        printf(" %.3f |", (bin + 0.5) / FINE * 2 - 1);
      }
      printf("\n");
      fflush(stdout);
    }
}

static void slopes(void) {
  static const size_t count[4][4] = {{1 << 20}, {1024, 1024}, {128, 128, 64}, {32, 32, 32, 32}};
  static const struct {
    const char *name;
    int dims;
    perlane_gradients set;
    perlane_hash hash;
  } fields[] = {
      {"default", 2, PERLANE_GRADIENTS_DEFAULT, PERLANE_HASH_LATTICE},
      {"edges12, Perlin's table", 2, PERLANE_GRADIENTS_EDGES12, PERLANE_HASH_PERLIN},
      {"default", 3, PERLANE_GRADIENTS_DEFAULT, PERLANE_HASH_LATTICE},
      {"sphere", 3, PERLANE_GRADIENTS_SPHERE, PERLANE_HASH_LATTICE},
      {"default", 4, PERLANE_GRADIENTS_DEFAULT, PERLANE_HASH_LATTICE},
  };
  heading("Mean square of the slope along each axis, over their mean");
  printf("| field | | x | y | z | w |\n|---|---|---|---|---|---|\n");
  for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++) {
    const int dims = fields[f].dims;
    double square[4] = {0}, all = 0;
    perlane_grid grid = {.dims = dims};
    size_t samples = 1;
    for (int a = 0; a < dims; a++)
      samples *= grid.count[a] = count[dims - 1][a];
    float *memory = have((size_t)dims * samples * sizeof *memory), *gradient[4];
    for (int a = 0; a < dims; a++)
      gradient[a] = memory + (size_t)a * samples;
    for (size_t i = 0; i < part(40); i++) {
      perlane_params params = perlane_params_default();
      params.seed = i;
      params.frequency = 1;
      params.gradients = (int32_t)fields[f].set;
      params.hash = (int32_t)fields[f].hash;
      perlane_noise noise;
      perlane_init(&noise, &params);
      for (int a = 0; a < dims; a++) {
        grid.origin[a] = (double)i * 1e5 + 1.0 / 64; /* all fractions equally often */
        grid.step[a] = 2 + 25.0 / 32;
      }
      if (perlane_fill_gradient(&noise, &grid, NULL, gradient) != PERLANE_OK)
        exit(2);
      for (int a = 0; a < dims; a++)
        for (size_t s = 0; s < samples; s++)
          square[a] += (double)gradient[a][s] * (double)gradient[a][s];
    }
    for (int a = 0; a < dims; a++)
      all += square[a] / dims;
    printf("| %s | %dD |", fields[f].name, dims);
    for (int a = 0; a < 4; a++)
      a < dims ? printf(" %.3f |", square[a] / all) : printf(" |");
    printf("\n");
    free(memory);
  }
}

static void flat_edges(void) {
  static const struct {
    const char *name;
    perlane_gradients set;
    perlane_hash hash;
  } fields[] = {{"default", PERLANE_GRADIENTS_DEFAULT, PERLANE_HASH_LATTICE},
                {"edges12, Perlin's table", PERLANE_GRADIENTS_EDGES12, PERLANE_HASH_PERLIN},
                {"axis4", PERLANE_GRADIENTS_AXIS4, PERLANE_HASH_LATTICE}};
  enum { WIDE = 1024 };
  heading("Edges of 2D cells along which the field is 0 from end to end");
  printf("| field | along x | along y |\n|---|---|---|\n");
  static float value[WIDE * WIDE];
  for (int f = 0; f < 3; f++) {
    perlane_params params = perlane_params_default();
    params.frequency = 1;
    params.phase = PERLANE_PHASE_NONE; /* whole numbers are edges */
    params.gradients = (int32_t)fields[f].set;
    params.hash = (int32_t)fields[f].hash;
    perlane_noise noise;
    perlane_init(&noise, &params);
    printf("| %s |", fields[f].name);
    for (int axis = 0; axis < 2; axis++) {
      size_t flat = WIDE * WIDE;
      static uint8_t slope[WIDE * WIDE];
      memset(slope, 0, sizeof slope);
      for (int third = 1; third <= 2; third++) { /* two places: values may cross 0 at one */
        perlane_grid grid = perlane_grid_make(WIDE, WIDE, 0, 0);
        grid.origin[axis] = third * 0.3;
        if (perlane_fill(&noise, &grid, value) != PERLANE_OK)
          exit(2);
        for (size_t i = 0; i < WIDE * WIDE; i++)
          slope[i] |= fabsf(value[i]) > 1e-6f;
      }
      for (size_t i = 0; i < WIDE * WIDE; i++)
        flat -= slope[i];
      printf(" %.1f %% |", 100.0 * (double)flat / (WIDE * WIDE));
    }
    printf("\n");
  }
}

int main(int arguments, char **argument) {
  if (arguments == 3 && strcmp(argument[1], "data") == 0) {
    write_picture_data(argument[2]);
    return 0;
  }
  if (arguments > 2 || (arguments == 2 && !((percent = atof(argument[1])) > 0))) {
    fprintf(stderr, "usage: perlane_quality [PERCENT]\n       perlane_quality data FOLDER\n");
    return 2;
  }
  const double start = seconds();
  hash("The hash, default gradients", &LATTICE, HASH_CHECK, 4);
  hash("The hash, sets of 256 gradients", &LARGE, LARGE_CHECK, 4);
  hash("Cells, the highest 8 bits", &CELL_HIGH, LARGE_CHECK, 3); /* there are none in 4D */
  hash("Cells, bits 8 to 15", &CELL_LOW, LARGE_CHECK, 3);
  bad_index();
  bad_hashes();
  repeats();
  biased_lines();
  moments();
  field();
  value_range();
  slopes();
  flat_edges();
  printf("\n%.0f s: %s\n", seconds() - start, bad ? "NOT AS IT MUST BE" : "all as it must be");
  return bad;
}
