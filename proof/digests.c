/* SPDX-License-Identifier: MIT
 *
 * The bits that perlane promises, as a table of digests: of fields of every kind, through every
 * function that evaluates them.
 *
 *   digests          prints the table, as the scalar kernels compute it
 *   digests TABLE    computes it with every set of kernels that this machine runs, compares, and
 *                    prints a line for each set; exit status 1 if anything differs
 *
 * It uses the public interface only. Its own arithmetic on positions is exact, or rounds once, so
 * that it may be compiled with any flags, -ffast-math included: what differs then is the library.
 */
#include <inttypes.h>
#include <perlane.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout.h"

static const struct field {
  const char *name;
  int dims, octaves; /* 1 octave unless said */
  double frequency, lacunarity, gain;
  double origin, step; /* step 0.7 unless said */
  int64_t first;
  perlane_basis basis;
  perlane_hash hash;
  perlane_gradients gradients;
  perlane_fade fade;
  perlane_fractal fractal;
  perlane_normalize normalize;
  double weighted_strength, ping_pong_strength, size, offset;
  int period, contrast;
  int large; /* 4 MiB of samples and more, through perlane_fill only */
} FIELDS[] = {
    {"1d", 1, .frequency = 0.11},
    {"2d", 2, .frequency = 0.11},
    {"3d", 3, .frequency = 0.11},
    {"4d", 4, .frequency = 0.11},
    {"1d-fbm", 1, 8, 0.013, .lacunarity = 2.1, .gain = 0.6},
    {"2d-fbm", 2, 8, .frequency = 0.013},
    {"3d-fbm", 3, 8, 0.013, .lacunarity = 1.9, .gain = -0.7},
    {"4d-fbm", 4, 8, .frequency = 0.013},
    {"2d-most-octaves", 2, 32, 0.001, .lacunarity = 1.3, .gain = 0.9},
    {"2d-coarse-steps", 2, .frequency = 0.9, .step = -3.3},
    {"2d-fine-steps", 2, .frequency = 0.01, .step = 0.013},

    /* Positions beyond the whole numbers of float, of 32 bits, and at the end of the domain. */
    {"1d-far", 1, 2, 0.37, .origin = 0x1p31},
    {"2d-far", 2, 3, 0.37, .origin = 0x1p40, .step = 0.25},
    {"3d-far-tile", 3, 2, 0.37, .first = INT64_C(1) << 40},
    {"4d-far", 4, .frequency = 1.1, .origin = -0x1p31, .step = 0.25},
    {"2d-edge-of-the-domain", 2, .frequency = 1, .origin = 0x1p52, .step = -0.5},

    {"2d-ridged", 2, 5, 0.05, .fractal = PERLANE_FRACTAL_RIDGED},
    {"3d-ridged-weighted", 3, 5, 0.05, .fractal = PERLANE_FRACTAL_RIDGED, .weighted_strength = 0.5},
    {"2d-billow", 2, 5, 0.05, .fractal = PERLANE_FRACTAL_BILLOW},
    {"3d-ping-pong", 3, 3, 0.05, .fractal = PERLANE_FRACTAL_PING_PONG, .ping_pong_strength = 3.7},
    {"2d-ping-pong-weighted", 2, 3, 0.05, .fractal = PERLANE_FRACTAL_PING_PONG,
     .weighted_strength = 1},
    {"2d-none", 2, 3, 0.05, .fractal = PERLANE_FRACTAL_NONE},

    {"1d-hash-perlin", 1, 2, 0.2, .hash = PERLANE_HASH_PERLIN},
    {"2d-hash-perlin", 2, 2, 0.2, .hash = PERLANE_HASH_PERLIN},
    {"3d-hash-perlin", 3, 2, 0.2, .hash = PERLANE_HASH_PERLIN},
    {"4d-hash-perlin", 4, 2, 0.2, .hash = PERLANE_HASH_PERLIN},
    {"3d-hash-shuffled", 3, 2, 0.2, .hash = PERLANE_HASH_SHUFFLED},
    {"2d-hash-table", 2, 2, 0.2, .hash = PERLANE_HASH_TABLE},
    {"2d-hash-grid", 2, 2, 0.2, .hash = PERLANE_HASH_GRID},
    {"2d-hash-primes", 2, 2, 0.2, .hash = PERLANE_HASH_PRIMES},

    {"1d-period", 1, 3, 0.17, .period = 7},
    {"2d-period", 2, 3, 0.17, .period = 9},
    {"3d-period", 3, 3, 0.17, .period = 12},
    {"4d-period", 4, 3, 0.17, .period = 5},

    {"2d-offaxis8", 2, 2, 0.2, .gradients = PERLANE_GRADIENTS_OFFAXIS8},
    {"2d-axis4", 2, 2, 0.2, .gradients = PERLANE_GRADIENTS_AXIS4},
    {"2d-diagonal4", 2, 2, 0.2, .gradients = PERLANE_GRADIENTS_DIAGONAL4},
    {"2d-compass8", 2, 2, 0.2, .gradients = PERLANE_GRADIENTS_COMPASS8},
    {"1d-edges12", 1, 2, 0.2, .gradients = PERLANE_GRADIENTS_EDGES12},
    {"2d-edges12", 2, 2, 0.2, .gradients = PERLANE_GRADIENTS_EDGES12},
    {"3d-edges12", 3, 2, 0.2, .gradients = PERLANE_GRADIENTS_EDGES12},
    {"4d-edges32", 4, 2, 0.2, .gradients = PERLANE_GRADIENTS_EDGES32},
    {"2d-sphere", 2, 2, 0.2, .gradients = PERLANE_GRADIENTS_SPHERE},
    {"3d-sphere", 3, 2, 0.2, .gradients = PERLANE_GRADIENTS_SPHERE},
    {"4d-sphere", 4, 2, 0.2, .gradients = PERLANE_GRADIENTS_SPHERE},
    {"1d-pnoise", 1, 2, 0.2, .gradients = PERLANE_GRADIENTS_PNOISE},
    {"2d-pnoise", 2, 2, 0.2, .gradients = PERLANE_GRADIENTS_PNOISE},
    {"3d-pnoise", 3, 2, 0.2, .gradients = PERLANE_GRADIENTS_PNOISE},
    {"2d-table", 2, 2, 0.2, .gradients = PERLANE_GRADIENTS_TABLE},
    {"4d-table", 4, 2, 0.2, .gradients = PERLANE_GRADIENTS_TABLE},

    {"2d-cubic", 2, 2, 0.2, .fade = PERLANE_FADE_CUBIC},
    {"3d-linear", 3, 2, 0.2, .fade = PERLANE_FADE_LINEAR},

    {"1d-value", 1, 2, 0.3, .basis = PERLANE_BASIS_VALUE},
    {"2d-value", 2, 2, 0.3, .basis = PERLANE_BASIS_VALUE, .fade = PERLANE_FADE_CUBIC},
    {"3d-value", 3, 2, 0.3, .basis = PERLANE_BASIS_VALUE, .hash = PERLANE_HASH_SHUFFLED},
    {"4d-value", 4, 2, 0.3, .basis = PERLANE_BASIS_VALUE},
    {"1d-white", 1, .frequency = 0.8, .basis = PERLANE_BASIS_WHITE},
    {"3d-white", 3, .frequency = 0.8, .basis = PERLANE_BASIS_WHITE},
    {"2d-gaussian", 2, 3, 0.8, .basis = PERLANE_BASIS_GAUSSIAN},
    {"4d-gaussian", 4, .frequency = 0.8, .basis = PERLANE_BASIS_GAUSSIAN},

    {"2d-contrast", 2, 3, 0.1, .contrast = 5},
    {"3d-size-and-offset", 3, 3, 0.1, .size = -20, .offset = 3.3},
    {"2d-octaves-only", 2, 3, 0.1, .normalize = PERLANE_NORMALIZE_OCTAVES},
    {"2d-not-normalized", 2, 3, 0.1, .normalize = PERLANE_NORMALIZE_NONE},
    /* Zeros, where a process that flushes subnormal numbers to zero has its way. */
    {"2d-subnormal", 2, 2, 0.1, .size = 0x1p-132},

    /* Written past the caches. */
    {"2d-large", 2, .frequency = 0.03, .large = 1},
    {"2d-large-fbm", 2, 2, 0.03, .large = 1},
};
enum { FIELD_COUNT = sizeof FIELDS / sizeof FIELDS[0] };

enum { SMALL = 2000, MOST = 1031 * 1031, POINTS = 509, POSITIONS = 199 };
static const size_t COUNT[PERLANE_MAX_DIMS][PERLANE_MAX_DIMS] = {
    {1009}, {61, 23}, {29, 11, 5}, {17, 7, 5, 3}};
static const size_t LARGE[PERLANE_MAX_DIMS] = {1031, 1031};

/* SplitMix64: what tables and positions are made of. */
static uint64_t random_word(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return z ^ z >> 31;
}

/* Any of 2^24 numbers in [-1, 1): exact in a float. */
static float random_signed(uint64_t *state) {
  return (float)((int32_t)(random_word(state) >> 40) - 0x800000) * 0x1p-23f;
}

static void require(const struct field *field, perlane_status status) {
  if (status == PERLANE_OK)
    return;
  fprintf(stderr, "%s: %s\n", field->name, perlane_status_string(status));
  exit(2);
}

static perlane_noise noise_of(const struct field *field) {
  static int32_t hash_table[1024];
  static float vector[PERLANE_MAX_DIMS * 256], lattice[2 * 41 * 29];
  uint64_t random = 1;
  for (size_t i = 0; i < sizeof hash_table / sizeof hash_table[0]; i++)
    hash_table[i] = (int32_t)(random_word(&random) >> 56);
  for (size_t i = 0; i < sizeof vector / sizeof vector[0]; i++)
    vector[i] = random_signed(&random);
  for (size_t i = 0; i < sizeof lattice / sizeof lattice[0]; i++)
    lattice[i] = random_signed(&random);

  perlane_params params = perlane_params_default();
  params.frequency = field->frequency;
  params.basis = field->basis;
  params.hash = field->hash;
  params.gradients = field->gradients;
  params.fade = field->fade;
  params.fractal = field->fractal;
  params.normalize = field->normalize;
  params.weighted_strength = field->weighted_strength;
  params.value_offset = field->offset;
  if (field->octaves != 0)
    params.octaves = field->octaves;
  if (field->lacunarity != 0)
    params.lacunarity = field->lacunarity;
  if (field->gain != 0)
    params.gain = field->gain;
  if (field->ping_pong_strength != 0)
    params.ping_pong_strength = field->ping_pong_strength;
  if (field->size != 0)
    params.value_scale = field->size;
  if (field->contrast != 0)
    params.contrast = field->contrast;
  for (int a = 0; a < PERLANE_MAX_DIMS; a++)
    params.period[a] = field->period != 0 ? field->period + a : 0;
  if (field->hash == PERLANE_HASH_TABLE || field->hash == PERLANE_HASH_PRIMES)
    params.hash_table = hash_table;
  if (field->hash == PERLANE_HASH_GRID) {
    params.gradient_grid = lattice;
    params.gradient_grid_count[0] = 41;
    params.gradient_grid_count[1] = 29;
  }
  if (field->gradients == PERLANE_GRADIENTS_TABLE) {
    params.gradient_table = vector;
    params.gradient_dims = field->dims;
    params.gradient_count = 211;
  }
  perlane_noise noise;
  require(field, perlane_init(&noise, &params));
  return noise;
}

static perlane_grid grid_of(const struct field *field) {
  const size_t *count = field->large ? LARGE : COUNT[field->dims - 1];
  perlane_grid grid = perlane_grid_make(count[0], count[1], count[2], count[3]);
  for (int a = 0; a < field->dims; a++) {
    grid.first[a] = field->first - 7 - a;
    grid.origin[a] = field->origin;
    grid.step[a] = field->step != 0 ? field->step : 0.7;
  }
  return grid;
}

static size_t samples_of(const perlane_grid *grid) {
  size_t samples = 1;
  for (int a = 0; a < grid->dims; a++)
    samples *= grid->count[a];
  return samples;
}

/* Coordinate a of position i: anywhere around 0, or as far around the field's origin as that is
 * from 0, half as far again at times; so the field at the edge of the domain is left, too. */
static double coordinate_of(const struct field *field, int a, size_t i) {
  uint64_t random = i * PERLANE_MAX_DIMS + (uint64_t)a;
  const double reach = field->origin != 0 ? 2 * field->origin : 1024;
  return field->origin + reach * (double)random_signed(&random);
}

/* ---- Digests ---- */

/* FNV-1a over words instead of bytes, so that byte order makes no difference. */
static uint64_t add_word(uint64_t digest, uint32_t word) {
  return (digest ^ word) * UINT64_C(0x100000001B3);
}

static uint64_t add_floats(uint64_t digest, const float *value, size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint32_t word;
    memcpy(&word, &value[i], sizeof word);
    digest = add_word(digest, word);
  }
  return digest;
}

/* What the functions are given to write into. */
static float value[MOST], slope[PERLANE_MAX_DIMS][SMALL];
static float *const slopes[] = {slope[0], slope[1], slope[2], slope[3]};

static uint64_t add_slopes(uint64_t digest, int dims, size_t n) {
  for (int a = 0; a < dims; a++)
    digest = add_floats(digest, slope[a], n);
  return digest;
}

#define START UINT64_C(0xCBF29CE484222325)

static uint64_t fill(const struct field *field, const perlane_noise *noise) {
  const perlane_grid grid = grid_of(field);
  require(field, perlane_fill(noise, &grid, value));
  return add_floats(START, value, samples_of(&grid));
}

static uint64_t fill_u16(const struct field *field, const perlane_noise *noise) {
  static uint16_t integer[SMALL];
  const perlane_grid grid = grid_of(field);
  require(field, perlane_fill_u16(noise, &grid, -0.7f, 0.8f, integer));
  uint64_t digest = START;
  for (size_t i = 0; i < samples_of(&grid); i++)
    digest = add_word(digest, integer[i]);
  return digest;
}

static uint64_t fill_u8(const struct field *field, const perlane_noise *noise) {
  static uint8_t integer[SMALL];
  const perlane_grid grid = grid_of(field);
  require(field, perlane_fill_u8(noise, &grid, 0.9f, -0.9f, integer));
  uint64_t digest = START;
  for (size_t i = 0; i < samples_of(&grid); i++)
    digest = add_word(digest, integer[i]);
  return digest;
}

static uint64_t fill_gradient(const struct field *field, const perlane_noise *noise) {
  const perlane_grid grid = grid_of(field);
  require(field, perlane_fill_gradient(noise, &grid, value, slopes));
  const size_t samples = samples_of(&grid);
  return add_slopes(add_floats(START, value, samples), field->dims, samples);
}

static uint64_t fill_extremes(const struct field *field, const perlane_noise *noise) {
  const perlane_grid grid = grid_of(field);
  float extreme[2];
  require(field, perlane_fill_extremes(noise, &grid, value, &extreme[0], &extreme[1]));
  return add_floats(add_floats(START, value, samples_of(&grid)), extreme, 2);
}

/* Points, three of which lie outside the domain: infinity, no number, and too far. */
static const float *const *points_of(const struct field *field) {
  static float coordinate[PERLANE_MAX_DIMS][POINTS];
  static const float *const coords[] = {coordinate[0], coordinate[1], coordinate[2], coordinate[3]};
  static const uint32_t outside[] = {0x7F800000, 0x7FC00000, 0xFF7FFFFF};
  for (int a = 0; a < field->dims; a++)
    for (size_t i = 0; i < POINTS; i++)
      coordinate[a][i] = (float)coordinate_of(field, a, i);
  memcpy(&coordinate[0][POINTS / 2], outside, sizeof outside);
  return coords;
}

static uint64_t points(const struct field *field, const perlane_noise *noise) {
  require(field, perlane_points(noise, field->dims, POINTS, NULL, points_of(field), value));
  return add_floats(START, value, POINTS);
}

static uint64_t points_gradient(const struct field *field, const perlane_noise *noise) {
  require(field, perlane_points_gradient(noise, field->dims, POINTS, NULL, points_of(field), value,
                                         slopes));
  return add_slopes(add_floats(START, value, POINTS), field->dims, POINTS);
}

static uint64_t at(const struct field *field, const perlane_noise *noise) {
  for (size_t i = 0; i < POSITIONS; i++) {
    double position[PERLANE_MAX_DIMS];
    for (int a = 0; a < field->dims; a++)
      position[a] = coordinate_of(field, a, i);
    value[i] = perlane_at(noise, field->dims, position);
  }
  return add_floats(START, value, POSITIONS);
}

static uint64_t at_gradient(const struct field *field, const perlane_noise *noise) {
  uint64_t digest = START;
  for (size_t i = 0; i < POSITIONS; i++) {
    double position[PERLANE_MAX_DIMS];
    float gradient[PERLANE_MAX_DIMS];
    for (int a = 0; a < field->dims; a++)
      position[a] = coordinate_of(field, a, i);
    value[i] = perlane_at_gradient(noise, field->dims, position, gradient);
    digest = add_floats(digest, gradient, (size_t)field->dims);
  }
  return add_floats(digest, value, POSITIONS);
}

/* perlane_fill first: large fields go no further. */
static const struct function {
  const char *name;
  uint64_t (*digest)(const struct field *field, const perlane_noise *noise);
} FUNCTIONS[] = {
    {"fill", fill},
    {"fill_u16", fill_u16},
    {"fill_u8", fill_u8},
    {"fill_gradient", fill_gradient},
    {"fill_extremes", fill_extremes},
    {"points", points},
    {"points_gradient", points_gradient},
    {"at", at},
    {"at_gradient", at_gradient},
};
enum { FUNCTION_COUNT = sizeof FUNCTIONS / sizeof FUNCTIONS[0] };

/* ---- The table ---- */

struct line {
  char name[64];
  uint64_t digest;
};
enum { MOST_LINES = FIELD_COUNT * FUNCTION_COUNT };

/* All digests, as the kernels in use compute them. */
static size_t compute(struct line *line) {
  size_t n = 0;
  for (size_t f = 0; f < FIELD_COUNT; f++) {
    const perlane_noise noise = noise_of(&FIELDS[f]);
    for (size_t i = 0; i < (FIELDS[f].large ? 1 : (size_t)FUNCTION_COUNT); i++, n++) {
      snprintf(line[n].name, sizeof line[n].name, "%s/%s", FIELDS[f].name, FUNCTIONS[i].name);
      line[n].digest = FUNCTIONS[i].digest(&FIELDS[f], &noise);
    }
  }
  return n;
}

static size_t read_table(const char *path, struct line *line) {
  FILE *file = fopen(path, "r");
  if (!file) {
    perror(path);
    exit(2);
  }
  size_t n = 0;
  while (n < MOST_LINES && fscanf(file, "%63s %" SCNx64, line[n].name, &line[n].digest) == 2)
    n++;
  fclose(file);
  return n;
}

/* Compares what the kernels in use compute with the table, and tells how many lines differ. */
static int check(const char *kernels, const struct line *expected, size_t lines) {
  static struct line line[MOST_LINES];
  const size_t n = compute(line);
  int wrong = n != lines;
  if (wrong)
    printf("%s: %zu digests, but the table has %zu\n", kernels, n, lines);
  for (size_t i = 0; i < n && i < lines; i++)
    if (line[i].digest != expected[i].digest || strcmp(line[i].name, expected[i].name) != 0) {
      printf("%s: expected %s %016" PRIX64 ", got %s %016" PRIX64 "\n", kernels, expected[i].name,
             expected[i].digest, line[i].name, line[i].digest);
      wrong++;
    }
  return wrong;
}

/* Whether this process flushes subnormal numbers to zero, as the start-up code that -ffast-math
 * links in has it do. */
static int flushes(void) {
  static volatile float tiny = 0x1p-126f, half = 0.5f;
  return tiny * half == 0;
}

int main(int argc, char **argv) {
  static struct line table[MOST_LINES];
  if (argc == 1) {
    perlane_force_isa(PERLANE_ISA_SCALAR);
    const size_t n = compute(table);
    for (size_t i = 0; i < n; i++)
      printf("%-40s %016" PRIX64 "\n", table[i].name, table[i].digest);
    return 0;
  }
  const size_t lines = read_table(argv[1], table);
  if (flushes())
    printf("this process flushes subnormal numbers to zero\n");
  int differ = 0;
  for (int i = PERLANE_ISA_SCALAR; i < PERLANE_ISA_COUNT; i++) {
    const perlane_isa isa = (perlane_isa)i;
    if (!perlane_isa_built_in(isa))
      continue;
    const char *kernels = perlane_isa_name(isa);
    if (perlane_force_isa(isa) != PERLANE_OK) {
      printf("%s: not run, this CPU does not have it\n", kernels);
      continue;
    }
    const int wrong = check(kernels, table, lines);
    const int selftest = perlane_selftest(isa, NULL) == PERLANE_OK;
    printf("%s: %zu digests, %d differ; perlane_selftest %s\n", kernels, lines, wrong,
           selftest ? "passes" : "fails");
    differ |= wrong != 0 || !selftest;
  }
  return differ;
}
