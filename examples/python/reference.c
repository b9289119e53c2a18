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
#define CURVE(member) PLACE(perlane_curve, "Curve", member)
#define GRID(member) PLACE(perlane_grid, "Grid", member)
#define NUMBER(keyword, name, value) printf("enum %s %s %d\n", keyword, name, (int)(value))

static void print_params(void) {
  SIZE(perlane_params, "Params");
  PARAM(seed), PARAM(frequency), PARAM(octaves), PARAM(reserved0), PARAM(lacunarity), PARAM(gain);
  PARAM(octaves_share), PARAM(phase), PARAM(basis), PARAM(hash), PARAM(gradients), PARAM(fade);
  PARAM(fractal), PARAM(normalize), PARAM(weighted_strength), PARAM(ping_pong_strength);
  PARAM(erosion);
  PARAM(period), PARAM(table_offset), PARAM(amplitude), PARAM(value_scale), PARAM(value_offset);
  PARAM(curve), PARAM(curve_shape), PARAM(terraces), PARAM(terrace_sharpness);
  PARAM(warp_amplitude), PARAM(warp_frequency), PARAM(warp_lacunarity), PARAM(warp_gain);
  PARAM(warp_octaves), PARAM(warp_rounds), PARAM(jitter), PARAM(cell_metric), PARAM(cell_output);
  PARAM(contrast), PARAM(gradient_dims), PARAM(gradient_count), PARAM(gradient_grid_count);
  PARAM(reserved1), PARAM(hash_table), PARAM(gradient_table), PARAM(gradient_grid);
  PARAM(reserved2), PARAM(reserved);
}

static void print_others(void) {
  SIZE(perlane_curve, "Curve");
  CURVE(count), CURVE(reserved0), CURVE(point);
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
  NUMBER("basis", "cellular", PERLANE_BASIS_CELLULAR);
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
  NUMBER("fractal", "eroded", PERLANE_FRACTAL_ERODED);
  NUMBER("fractal", "", PERLANE_FRACTAL_COUNT);
  NUMBER("normalize", "full", PERLANE_NORMALIZE_FULL);
  NUMBER("normalize", "octaves", PERLANE_NORMALIZE_OCTAVES);
  NUMBER("normalize", "none", PERLANE_NORMALIZE_NONE);
  NUMBER("normalize", "spread", PERLANE_NORMALIZE_SPREAD);
  NUMBER("normalize", "", PERLANE_NORMALIZE_COUNT);
  NUMBER("curve_shape", "linear", PERLANE_CURVE_LINEAR);
  NUMBER("curve_shape", "smooth", PERLANE_CURVE_SMOOTH);
  NUMBER("curve_shape", "", PERLANE_CURVE_SHAPE_COUNT);
  NUMBER("cell_metric", "euclidean", PERLANE_CELL_METRIC_EUCLIDEAN);
  NUMBER("cell_metric", "squared", PERLANE_CELL_METRIC_SQUARED);
  NUMBER("cell_metric", "manhattan", PERLANE_CELL_METRIC_MANHATTAN);
  NUMBER("cell_metric", "chebyshev", PERLANE_CELL_METRIC_CHEBYSHEV);
  NUMBER("cell_metric", "", PERLANE_CELL_METRIC_COUNT);
  NUMBER("cell_output", "f1", PERLANE_CELL_OUTPUT_F1);
  NUMBER("cell_output", "f2", PERLANE_CELL_OUTPUT_F2);
  NUMBER("cell_output", "f2_minus_f1", PERLANE_CELL_OUTPUT_F2_MINUS_F1);
  NUMBER("cell_output", "value", PERLANE_CELL_OUTPUT_VALUE);
  NUMBER("cell_output", "", PERLANE_CELL_OUTPUT_COUNT);
}

enum { X = 37, Y = 21, Z = 5, SAMPLES = X * Y * Z };

static void print_bits(const char *name, const float *values, size_t count) {
  printf("bits %s", name);
  for (size_t i = 0; i < count; i++)
    printf(" %a", (double)values[i]); /* exact */
  printf("\n");
}

/* The map that test.py asks for too, of a field with a curve and a warp. Returns 0, or 1. */
static int print_curved(void) {
  static float value[X * Y];
  perlane_params params = perlane_params_default();
  params.frequency = 0.0625;
  params.basis = PERLANE_BASIS_CELLULAR;
  params.cell_output = PERLANE_CELL_OUTPUT_F2_MINUS_F1;
  params.curve.count = 2;
  params.curve.point[0][0] = -1;
  params.curve.point[0][1] = 0.25;
  params.curve.point[1][0] = 0.5;
  params.curve.point[1][1] = -3;
  params.curve_shape = PERLANE_CURVE_SMOOTH;
  params.warp_amplitude = 9;
  params.warp_octaves = 2;
  perlane_noise noise;
  if (perlane_init(&noise, &params) || perlane_fill_2d(&noise, 0, 0, X, Y, value))
    return 1;
  print_bits("curved", value, (size_t)X * Y);
  return 0;
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
  return print_samples() || print_curved();
}
