/* SPDX-License-Identifier: MIT
 *
 * Prints the sizes and offsets of structures, the values of enumerators, and digests of samples.
 * python/test.py compares perlane.py with them.
 */
#include <perlane.h>
#include <stddef.h>
#include <stdio.h>

#define SIZE(c_type, python) printf("size %s %zu\n", python, sizeof(c_type))
#define PLACE(c_type, python, member)                                                              \
  printf("member %s %s %zu %zu\n", python, #member, offsetof(c_type, member),                      \
         sizeof(((c_type *)0)->member))
#define PARAM(member) PLACE(perlane_params, "Params", member)
#define GRID(member) PLACE(perlane_grid, "Grid", member)
#define NUMBER(keyword, name, value) printf("enum %s %s %d\n", keyword, name, (int)(value))

static void print_params(void) {
  SIZE(perlane_params, "Params");
  PARAM(seed), PARAM(frequency), PARAM(octaves), PARAM(reserved0), PARAM(lacunarity), PARAM(gain);
  PARAM(octaves_share), PARAM(phase), PARAM(basis), PARAM(hash), PARAM(gradients), PARAM(fade);
  PARAM(fractal), PARAM(normalize), PARAM(weighted_strength), PARAM(ping_pong_strength);
  PARAM(period), PARAM(table_offset), PARAM(amplitude), PARAM(value_scale), PARAM(value_offset);
  PARAM(contrast), PARAM(gradient_dims), PARAM(gradient_count), PARAM(gradient_grid_count);
  PARAM(reserved1), PARAM(hash_table), PARAM(gradient_table), PARAM(gradient_grid);
  PARAM(reserved2), PARAM(reserved);
}

static void print_others(void) {
  SIZE(perlane_grid, "Grid");
  GRID(dims), GRID(exact_strides), GRID(first), GRID(count), GRID(origin), GRID(step);
  GRID(stride);
}

static void print_enums(void) {
  NUMBER("phase", "seeded", PERLANE_PHASE_SEEDED);
  NUMBER("phase", "none", PERLANE_PHASE_NONE);
  NUMBER("phase", "", PERLANE_PHASE_COUNT);
  NUMBER("basis", "perlin", PERLANE_BASIS_PERLIN);
  NUMBER("basis", "value", PERLANE_BASIS_VALUE);
  NUMBER("basis", "white", PERLANE_BASIS_WHITE);
  NUMBER("basis", "gaussian", PERLANE_BASIS_GAUSSIAN);
  NUMBER("basis", "", PERLANE_BASIS_COUNT);
  NUMBER("hash", "lattice", PERLANE_HASH_LATTICE);
  NUMBER("hash", "perlin", PERLANE_HASH_PERLIN);
  NUMBER("hash", "shuffled", PERLANE_HASH_SHUFFLED);
  NUMBER("hash", "table", PERLANE_HASH_TABLE);
  NUMBER("hash", "grid", PERLANE_HASH_GRID);
  NUMBER("hash", "primes", PERLANE_HASH_PRIMES);
  NUMBER("hash", "", PERLANE_HASH_COUNT);
  NUMBER("gradients", "default", PERLANE_GRADIENTS_DEFAULT);
  NUMBER("gradients", "offaxis8", PERLANE_GRADIENTS_OFFAXIS8);
  NUMBER("gradients", "axis4", PERLANE_GRADIENTS_AXIS4);
  NUMBER("gradients", "diagonal4", PERLANE_GRADIENTS_DIAGONAL4);
  NUMBER("gradients", "compass8", PERLANE_GRADIENTS_COMPASS8);
  NUMBER("gradients", "edges12", PERLANE_GRADIENTS_EDGES12);
  NUMBER("gradients", "edges32", PERLANE_GRADIENTS_EDGES32);
  NUMBER("gradients", "sphere", PERLANE_GRADIENTS_SPHERE);
  NUMBER("gradients", "pnoise", PERLANE_GRADIENTS_PNOISE);
  NUMBER("gradients", "table", PERLANE_GRADIENTS_TABLE);
  NUMBER("gradients", "", PERLANE_GRADIENTS_COUNT);
  NUMBER("fade", "quintic", PERLANE_FADE_QUINTIC);
  NUMBER("fade", "cubic", PERLANE_FADE_CUBIC);
  NUMBER("fade", "linear", PERLANE_FADE_LINEAR);
  NUMBER("fade", "", PERLANE_FADE_COUNT);
  NUMBER("fractal", "fbm", PERLANE_FRACTAL_FBM);
  NUMBER("fractal", "none", PERLANE_FRACTAL_NONE);
  NUMBER("fractal", "ridged", PERLANE_FRACTAL_RIDGED);
  NUMBER("fractal", "billow", PERLANE_FRACTAL_BILLOW);
  NUMBER("fractal", "ping_pong", PERLANE_FRACTAL_PING_PONG);
  NUMBER("fractal", "", PERLANE_FRACTAL_COUNT);
  NUMBER("normalize", "full", PERLANE_NORMALIZE_FULL);
  NUMBER("normalize", "octaves", PERLANE_NORMALIZE_OCTAVES);
  NUMBER("normalize", "none", PERLANE_NORMALIZE_NONE);
  NUMBER("normalize", "", PERLANE_NORMALIZE_COUNT);
}

enum { X = 37, Y = 21, Z = 5, SAMPLES = X * Y * Z };

static void print_bits(const char *name, const float *values, size_t count) {
  printf("bits %s", name);
  for (size_t i = 0; i < count; i++)
    printf(" %a", (double)values[i]); /* exact */
  printf("\n");
}

/* The volume and the points that test.py asks for too. Returns 0, or 1. */
static int print_samples(void) {
  static float value[SAMPLES], slope[3][SAMPLES];
  perlane_params params = perlane_params_default();
  params.seed = UINT64_C(0xFEDCBA9876543210);
  params.frequency = 0.0625;
  params.octaves = 3;
  params.fractal = PERLANE_FRACTAL_BILLOW;
  params.period[0] = 8;
  perlane_noise noise;
  perlane_grid grid = perlane_grid_make(X, Y, Z, 0);
  grid.first[0] = INT64_C(-5000000000);
  grid.origin[1] = 0.3;
  grid.step[2] = -0.7;
  float *const slopes[] = {slope[0], slope[1], slope[2]};
  if (perlane_init(&noise, &params) || perlane_fill_gradient(&noise, &grid, value, slopes))
    return 1;
  print_bits("fill", value, SAMPLES);
  print_bits("slope", slope[0], (size_t)3 * SAMPLES);

  static float x[X], y[X];
  for (int i = 0; i < X; i++) {
    x[i] = (float)i * 1.25F - 7;
    y[i] = (float)i * -0.75F;
  }
  const float *const coords[] = {x, y};
  if (perlane_points_gradient(&noise, 2, X, NULL, coords, value, slopes))
    return 1;
  print_bits("points", value, X);
  print_bits("points_slope", slope[1], X);
  return 0;
}

int main(void) {
  print_params();
  print_others();
  print_enums();
  return print_samples();
}
