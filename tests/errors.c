/* SPDX-License-Identifier: MIT
 *
 * Errors: each invalid argument returns its status, and the outputs stay unchanged.
 */
#include "support.h"

#include <float.h>
#include <math.h>

enum { SAMPLES = 64 };

static perlane_noise default_noise(void) {
  const perlane_params params = perlane_params_default();
  return noise_of(&params);
}

static void init_fails(const perlane_params *params, perlane_status expected) {
  perlane_noise noise, before;
  fill_pattern(&noise, sizeof noise);
  memcpy(&before, &noise, sizeof noise);
  assert_int_equal(perlane_init(&noise, params), expected);
  assert_memory_equal(&noise, &before, sizeof noise);
}

/* A field that is like `standard` but for one member. */
#define INIT_FAILS(member, bad, expected)                                                          \
  do {                                                                                             \
    params = standard;                                                                             \
    params.member = bad;                                                                           \
    init_fails(&params, expected);                                                                 \
  } while (0)
#define INIT_WORKS(member, good)                                                                   \
  do {                                                                                             \
    params = standard;                                                                             \
    params.member = good;                                                                          \
    assert_int_equal(perlane_init(&noise, &params), PERLANE_OK);                                   \
  } while (0)

static void params_out_of_range(void **state) {
  (void)state;
  const perlane_params standard = perlane_params_default();
  perlane_params params;
  perlane_noise noise;
  static const double not_positive[] = {0, -0.0, -1, NAN, INFINITY, -INFINITY};
  for (size_t i = 0; i < sizeof not_positive / sizeof not_positive[0]; i++) {
    INIT_FAILS(frequency, not_positive[i], PERLANE_ERROR_PARAMETER);
    INIT_FAILS(lacunarity, not_positive[i], PERLANE_ERROR_PARAMETER);
    INIT_FAILS(ping_pong_strength, not_positive[i], PERLANE_ERROR_PARAMETER);
    INIT_FAILS(warp_frequency, not_positive[i], PERLANE_ERROR_PARAMETER);
    INIT_FAILS(warp_lacunarity, not_positive[i], PERLANE_ERROR_PARAMETER);
    if (not_positive[i] != 0) {
      INIT_FAILS(warp_amplitude, not_positive[i], PERLANE_ERROR_PARAMETER);
      INIT_FAILS(erosion, not_positive[i], PERLANE_ERROR_PARAMETER);
      INIT_FAILS(jitter, not_positive[i], PERLANE_ERROR_PARAMETER);
      INIT_FAILS(terrace_sharpness, not_positive[i], PERLANE_ERROR_PARAMETER);
    }
  }
  INIT_FAILS(erosion, PERLANE_MAX_EROSION + 0x1p-40, PERLANE_ERROR_PARAMETER);
  INIT_WORKS(erosion, 0);
  INIT_WORKS(erosion, PERLANE_MAX_EROSION);
  INIT_FAILS(jitter, 1 + 0x1p-52, PERLANE_ERROR_PARAMETER);
  INIT_WORKS(jitter, 0);
  INIT_WORKS(jitter, 1);
  INIT_FAILS(terrace_sharpness, 1, PERLANE_ERROR_PARAMETER);
  INIT_WORKS(terrace_sharpness, 0);
  INIT_WORKS(terrace_sharpness, 1 - 0x1p-53);
  INIT_WORKS(warp_amplitude, 0);
  INIT_WORKS(warp_amplitude, DBL_MAX);
  INIT_FAILS(ping_pong_strength, PERLANE_MAX_PING_PONG_STRENGTH + 0.5, PERLANE_ERROR_PARAMETER);
  INIT_WORKS(ping_pong_strength, PERLANE_MAX_PING_PONG_STRENGTH);
  static const double not_finite[] = {NAN, INFINITY, -INFINITY};
  for (size_t i = 0; i < sizeof not_finite / sizeof not_finite[0]; i++) {
    INIT_FAILS(gain, not_finite[i], PERLANE_ERROR_PARAMETER);
    INIT_FAILS(amplitude, not_finite[i], PERLANE_ERROR_PARAMETER);
    INIT_FAILS(value_scale, not_finite[i], PERLANE_ERROR_PARAMETER);
    INIT_FAILS(value_offset, not_finite[i], PERLANE_ERROR_PARAMETER);
    INIT_FAILS(weighted_strength, not_finite[i], PERLANE_ERROR_PARAMETER);
    INIT_FAILS(warp_gain, not_finite[i], PERLANE_ERROR_PARAMETER);
  }
  INIT_FAILS(weighted_strength, -0x1p-40, PERLANE_ERROR_PARAMETER);
  INIT_FAILS(weighted_strength, 1 + 0x1p-40, PERLANE_ERROR_PARAMETER);
  INIT_WORKS(weighted_strength, 1);
  INIT_FAILS(amplitude, 0, PERLANE_ERROR_PARAMETER);
  INIT_WORKS(value_scale, 0);
  static const int32_t octaves[] = {0, -1, PERLANE_MAX_OCTAVES + 1, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < sizeof octaves / sizeof octaves[0]; i++)
    INIT_FAILS(octaves, octaves[i], PERLANE_ERROR_PARAMETER);
  static const int32_t contrast[] = {-1, PERLANE_MAX_CONTRAST + 1, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < sizeof contrast / sizeof contrast[0]; i++)
    INIT_FAILS(contrast, contrast[i], PERLANE_ERROR_PARAMETER);
  for (size_t i = 0; i < sizeof octaves / sizeof octaves[0]; i++) {
    INIT_FAILS(warp_octaves, octaves[i], PERLANE_ERROR_PARAMETER);
    INIT_FAILS(warp_rounds, octaves[i], PERLANE_ERROR_PARAMETER);
  }
  INIT_FAILS(warp_octaves, PERLANE_MAX_WARP_OCTAVES + 1, PERLANE_ERROR_PARAMETER);
  INIT_WORKS(warp_octaves, PERLANE_MAX_WARP_OCTAVES);
  INIT_FAILS(warp_rounds, PERLANE_MAX_WARP_ROUNDS + 1, PERLANE_ERROR_PARAMETER);
  INIT_WORKS(warp_rounds, PERLANE_MAX_WARP_ROUNDS);
  static const int32_t terraces[] = {-1, PERLANE_MAX_TERRACES + 1, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < sizeof terraces / sizeof terraces[0]; i++)
    INIT_FAILS(terraces, terraces[i], PERLANE_ERROR_PARAMETER);
  INIT_WORKS(terraces, 1);
  INIT_WORKS(terraces, PERLANE_MAX_TERRACES);
  INIT_WORKS(contrast, 0);
  INIT_WORKS(contrast, PERLANE_MAX_CONTRAST);
  static const int unknown[] = {-1, 1000, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
    INIT_FAILS(basis, (int32_t)unknown[i], PERLANE_ERROR_PARAMETER);
    INIT_FAILS(hash, (int32_t)unknown[i], PERLANE_ERROR_PARAMETER);
    INIT_FAILS(gradients, (int32_t)unknown[i], PERLANE_ERROR_PARAMETER);
    INIT_FAILS(fade, (int32_t)unknown[i], PERLANE_ERROR_PARAMETER);
    INIT_FAILS(fractal, (int32_t)unknown[i], PERLANE_ERROR_PARAMETER);
    INIT_FAILS(normalize, (int32_t)unknown[i], PERLANE_ERROR_PARAMETER);
    INIT_FAILS(curve_shape, unknown[i], PERLANE_ERROR_PARAMETER);
    INIT_FAILS(cell_metric, unknown[i], PERLANE_ERROR_PARAMETER);
    INIT_FAILS(cell_output, unknown[i], PERLANE_ERROR_PARAMETER);
  }
  INIT_FAILS(curve_shape, PERLANE_CURVE_SHAPE_COUNT, PERLANE_ERROR_PARAMETER);
  INIT_FAILS(cell_metric, PERLANE_CELL_METRIC_COUNT, PERLANE_ERROR_PARAMETER);
  INIT_FAILS(cell_output, PERLANE_CELL_OUTPUT_COUNT, PERLANE_ERROR_PARAMETER);
  INIT_FAILS(basis, PERLANE_BASIS_COUNT, PERLANE_ERROR_PARAMETER);
  INIT_FAILS(hash, PERLANE_HASH_COUNT, PERLANE_ERROR_PARAMETER);
  INIT_FAILS(gradients, PERLANE_GRADIENTS_COUNT, PERLANE_ERROR_PARAMETER);
  INIT_FAILS(fade, PERLANE_FADE_COUNT, PERLANE_ERROR_PARAMETER);
  INIT_FAILS(fractal, PERLANE_FRACTAL_COUNT, PERLANE_ERROR_PARAMETER);
  INIT_FAILS(normalize, PERLANE_NORMALIZE_COUNT, PERLANE_ERROR_PARAMETER);
  INIT_FAILS(reserved0, 1, PERLANE_ERROR_PARAMETER);
  INIT_FAILS(reserved1, 1, PERLANE_ERROR_PARAMETER);
  for (size_t i = 0; i < sizeof params.reserved / sizeof params.reserved[0]; i++)
    INIT_FAILS(reserved[i], 1, PERLANE_ERROR_PARAMETER);
  for (int a = 0; a < PERLANE_MAX_DIMS; a++)
    INIT_FAILS(period[a], -1, PERLANE_ERROR_PARAMETER); /* more of these in periods.c */
  assert_int_equal(perlane_init(NULL, &standard), PERLANE_ERROR_NULL);
  assert_int_equal(perlane_init(&noise, NULL), PERLANE_ERROR_NULL);
}

/* Constants that leave the range of double or float on the way. */
static void constants_out_of_range(void **state) {
  (void)state;
  perlane_params standard = perlane_params_default(), params;
  perlane_noise noise;
  standard.octaves = 5;
  INIT_FAILS(gain, 1e300, PERLANE_ERROR_PARAMETER);
  INIT_WORKS(gain, 0);
  INIT_WORKS(gain, -1);
  INIT_WORKS(amplitude, 1e300); /* of which only the sign counts */
  standard.amplitude = 1e300;
  INIT_WORKS(gain, 1e10);
  INIT_FAILS(normalize, PERLANE_NORMALIZE_NONE, PERLANE_ERROR_PARAMETER);
  standard.gain = 1e10;
  INIT_FAILS(normalize, PERLANE_NORMALIZE_NONE, PERLANE_ERROR_PARAMETER);
  standard = perlane_params_default();
  standard.octaves = 32;
  INIT_FAILS(lacunarity, 1e20, PERLANE_ERROR_PARAMETER);
  INIT_FAILS(lacunarity, 1e-20, PERLANE_ERROR_PARAMETER);
  standard = perlane_params_default();
  INIT_FAILS(value_scale, 1e39, PERLANE_ERROR_PARAMETER);
  INIT_FAILS(value_offset, -1e39, PERLANE_ERROR_PARAMETER);
  INIT_WORKS(value_scale, 1e29);
  standard.value_offset = 3e38; /* each is a float, and their sum is not */
  INIT_FAILS(value_scale, 1e38, PERLANE_ERROR_PARAMETER);
  standard = perlane_params_default();
  standard.fractal = PERLANE_FRACTAL_RIDGED; /* size is a multiplication of its own */
  INIT_FAILS(value_scale, 1e39, PERLANE_ERROR_PARAMETER);
  standard = perlane_params_default();
  standard.normalize = PERLANE_NORMALIZE_NONE;
  INIT_FAILS(amplitude, 1e39, PERLANE_ERROR_PARAMETER);
  standard.octaves = 2;
  standard.gain = 1;
  standard.basis = PERLANE_BASIS_VALUE;
  INIT_FAILS(amplitude, 2e38, PERLANE_ERROR_PARAMETER);
  INIT_WORKS(amplitude, 1e29);
  standard = perlane_params_default();
  standard.basis = PERLANE_BASIS_GAUSSIAN;
  INIT_FAILS(contrast, 64, PERLANE_ERROR_PARAMETER); /* 5.8^64 */
  INIT_WORKS(contrast, 35);
  /* An infinite value would become NaN when it is scaled or offset. */
  standard = perlane_params_default();
  standard.normalize = PERLANE_NORMALIZE_NONE;
  standard.contrast = 4;
  standard.value_scale = 0;
  INIT_FAILS(amplitude, 1e18, PERLANE_ERROR_PARAMETER);
  INIT_WORKS(amplitude, 1e7);
  static const float small[] = {0x1p-60F, -0x1p-60F};
  standard = perlane_params_default();
  standard.fractal = PERLANE_FRACTAL_RIDGED; /* values between 2 - 2^-58 and 2 */
  standard.normalize = PERLANE_NORMALIZE_NONE;
  standard.gradients = PERLANE_GRADIENTS_TABLE;
  standard.gradient_table = small;
  standard.gradient_dims = 1;
  standard.gradient_count = 2;
  standard.amplitude = 2;
  standard.value_offset = -0x1.8p127;
  INIT_FAILS(value_scale, 0x1.8p126, PERLANE_ERROR_PARAMETER);
  standard.value_offset = -0x1.8p90;
  INIT_WORKS(value_scale, 0x1.8p89);
}

/* Bases, hashes and fractals that do not go together, and a warp whose constants leave their range,
 * unless there is none. */
static void combinations(void **state) {
  (void)state;
  perlane_params standard = perlane_params_default(), params;
  perlane_noise noise;
  standard.basis = PERLANE_BASIS_CELLULAR;
  INIT_FAILS(fractal, PERLANE_FRACTAL_ERODED, PERLANE_ERROR_PARAMETER);
  INIT_WORKS(fractal, PERLANE_FRACTAL_RIDGED);
  for (int hash = PERLANE_HASH_LATTICE + 1; hash < PERLANE_HASH_COUNT; hash++)
    INIT_FAILS(hash, (int32_t)hash, PERLANE_ERROR_PARAMETER);
  for (int metric = 0; metric < PERLANE_CELL_METRIC_COUNT; metric++)
    INIT_WORKS(cell_metric, (int32_t)metric);
  standard = perlane_params_default();
  for (int basis = 0; basis < PERLANE_BASIS_CELLULAR; basis++) {
    standard.basis = (int32_t)basis;
    INIT_WORKS(fractal, PERLANE_FRACTAL_ERODED);
  }
  standard = perlane_params_default();
  standard.warp_octaves = 16;
  standard.warp_lacunarity = 1e25;
  INIT_WORKS(warp_amplitude, 0);
  INIT_FAILS(warp_amplitude, 1, PERLANE_ERROR_PARAMETER);
  standard.warp_lacunarity = 1e-25;
  INIT_WORKS(warp_amplitude, 0);
  INIT_FAILS(warp_amplitude, 1, PERLANE_ERROR_PARAMETER);
  standard.warp_lacunarity = 2;
  standard.warp_gain = 1e22;
  INIT_WORKS(warp_amplitude, 0);
  INIT_FAILS(warp_amplitude, 1, PERLANE_ERROR_PARAMETER);
  standard.warp_gain = 0;
  INIT_WORKS(warp_amplitude, 1);
  standard.warp_gain = 0.5;
  standard.warp_frequency = 1e-308;
  INIT_FAILS(warp_amplitude, 1, PERLANE_ERROR_PARAMETER);
  INIT_WORKS(warp_amplitude, 0);
  /* The relative amplitudes of spread overflow where their sum does not. */
  standard = perlane_params_default();
  standard.octaves = 3;
  standard.gain = 1e100;
  INIT_WORKS(normalize, PERLANE_NORMALIZE_FULL);
  INIT_FAILS(normalize, PERLANE_NORMALIZE_SPREAD, PERLANE_ERROR_PARAMETER);
}

static void tables_out_of_range(void **state) {
  (void)state;
  int32_t hash_table[256] = {0}, primes[1024] = {0};
  perlane_params standard = perlane_params_default(), params;
  perlane_noise noise;
  standard.hash = PERLANE_HASH_TABLE;
  INIT_FAILS(hash_table, NULL, PERLANE_ERROR_PARAMETER);
  INIT_WORKS(hash_table, hash_table);
  static const int32_t not_bytes[] = {-1, 256, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < sizeof not_bytes / sizeof not_bytes[0]; i++)
    for (int place = 0; place < 256; place += 255) {
      hash_table[place] = not_bytes[i];
      INIT_FAILS(hash_table, hash_table, PERLANE_ERROR_PARAMETER);
      hash_table[place] = 255;
      INIT_WORKS(hash_table, hash_table);
    }
  standard.hash = PERLANE_HASH_PRIMES;
  INIT_WORKS(hash_table, NULL);
  INIT_WORKS(hash_table, primes);
  primes[1023] = 256;
  INIT_FAILS(hash_table, primes, PERLANE_ERROR_PARAMETER);
  /* A table that is not used is not read. */
  standard.hash = PERLANE_HASH_LATTICE;
  INIT_WORKS(hash_table, primes);
  standard.basis = PERLANE_BASIS_VALUE;
  INIT_FAILS(hash, PERLANE_HASH_GRID, PERLANE_ERROR_PARAMETER);
  INIT_WORKS(hash, PERLANE_HASH_PERLIN);
  standard.basis = PERLANE_BASIS_WHITE;
  INIT_FAILS(hash, PERLANE_HASH_GRID, PERLANE_ERROR_PARAMETER);
  standard.basis = PERLANE_BASIS_GAUSSIAN;
  for (int hash = PERLANE_HASH_LATTICE + 1; hash < PERLANE_HASH_COUNT; hash++)
    INIT_FAILS(hash, (int32_t)hash, PERLANE_ERROR_PARAMETER);
}

static const float BAD_COMPONENT[] = {NAN, INFINITY, -INFINITY, 1.0001e6f, -1.0001e6f};

static void gradient_tables_out_of_range(void **state) {
  (void)state;
  float vector[2 * 256] = {1, -1e6f};
  perlane_params standard = perlane_params_default(), params;
  perlane_noise noise;
  standard.gradients = PERLANE_GRADIENTS_TABLE;
  standard.gradient_table = vector;
  standard.gradient_dims = 2;
  standard.gradient_count = 256;
  INIT_FAILS(gradient_table, NULL, PERLANE_ERROR_PARAMETER);
  static const int32_t count[] = {0, 1, -1, 257, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < sizeof count / sizeof count[0]; i++)
    INIT_FAILS(gradient_count, count[i], PERLANE_ERROR_PARAMETER);
  static const int32_t dims[] = {0, -1, 5, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < sizeof dims / sizeof dims[0]; i++)
    INIT_FAILS(gradient_dims, dims[i], PERLANE_ERROR_PARAMETER);
  INIT_WORKS(gradient_count, 2);
  INIT_WORKS(gradient_count, 256);
  for (size_t i = 0; i < sizeof BAD_COMPONENT / sizeof BAD_COMPONENT[0]; i++) {
    vector[511] = BAD_COMPONENT[i];
    INIT_FAILS(gradient_count, 256, PERLANE_ERROR_PARAMETER);
    INIT_WORKS(gradient_count, 255);        /* not one of them */
    INIT_WORKS(basis, PERLANE_BASIS_VALUE); /* not looked at */
  }
  memset(vector, 0, sizeof vector);
  INIT_FAILS(gradient_count, 256, PERLANE_ERROR_PARAMETER);
  vector[511] = 1e-40f;
  INIT_FAILS(gradient_count, 255, PERLANE_ERROR_PARAMETER);
  for (size_t i = 0; i < sizeof vector / sizeof vector[0]; i++)
    vector[i] = i % 2 ? 1e-42f : 0; /* no float is large enough to bring these to [-1, 1] */
  INIT_FAILS(gradient_count, 256, PERLANE_ERROR_PARAMETER);
  INIT_WORKS(normalize, PERLANE_NORMALIZE_OCTAVES);
}

static void gradient_grids_out_of_range(void **state) {
  (void)state;
  float point[2 * 5 * 3] = {1, -1e6f};
  perlane_params standard = perlane_params_default(), params;
  perlane_noise noise;
  standard.hash = PERLANE_HASH_GRID;
  standard.gradient_grid = point;
  standard.gradient_grid_count[0] = 5;
  standard.gradient_grid_count[1] = 3;
  INIT_WORKS(gradient_grid, point);
  INIT_FAILS(gradient_grid, NULL, PERLANE_ERROR_PARAMETER);
  static const int32_t count[] = {0, -1, INT32_MIN, INT32_MAX, PERLANE_MAX_PERIOD / 3 + 1};
  for (size_t i = 0; i < sizeof count / sizeof count[0]; i++) {
    INIT_FAILS(gradient_grid_count[0], count[i], PERLANE_ERROR_PARAMETER);
    INIT_FAILS(gradient_grid_count[1], count[i], PERLANE_ERROR_PARAMETER);
  }
  params = standard; /* the product wraps to 0, and to 1 */
  params.gradient_grid_count[0] = params.gradient_grid_count[1] = 65536;
  init_fails(&params, PERLANE_ERROR_PARAMETER);
  params.gradient_grid_count[0] = params.gradient_grid_count[1] = INT32_MAX;
  init_fails(&params, PERLANE_ERROR_PARAMETER);
  for (size_t i = 0; i < sizeof BAD_COMPONENT / sizeof BAD_COMPONENT[0]; i++) {
    point[29] = BAD_COMPONENT[i];
    INIT_FAILS(gradient_grid, point, PERLANE_ERROR_PARAMETER);
    INIT_WORKS(gradient_grid_count[1], 2); /* not one of them */
  }
  memset(point, 0, sizeof point);
  INIT_FAILS(gradient_grid, point, PERLANE_ERROR_PARAMETER);
  point[29] = 1;
  INIT_WORKS(gradient_grid, point);
  for (int a = 0; a < 2; a++)
    INIT_FAILS(period[a], 5, PERLANE_ERROR_PARAMETER);
}

static void presets(void **state) {
  (void)state;
  static const char *const known[] = {"improved", "grid",    "diagonal", "circle",
                                      "axis",     "compass", "pnoise",   "classic"};
  enum { COUNT = sizeof known / sizeof known[0] };
  perlane_params params;
  perlane_noise noise;
  for (int i = 0; i < COUNT; i++) {
    assert_string_equal(perlane_preset_name(i), known[i]);
    assert_int_equal(perlane_preset(&params, known[i]), PERLANE_OK);
    assert_int_equal(params.octaves, 1);
    assert_true(params.frequency == 1);
    /* All but the grid's, which needs its grid, can be made as they are. */
    assert_int_equal(perlane_init(&noise, &params),
                     strcmp(known[i], "grid") == 0 ? PERLANE_ERROR_PARAMETER : PERLANE_OK);
  }
  static const int none[] = {-1, COUNT, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
    assert_null(perlane_preset_name(none[i]));
  static const char *const unknown[] = {"", "Improved", "improved ", "grid0", "noise"};
  perlane_params before;
  fill_pattern(&params, sizeof params);
  memcpy(&before, &params, sizeof params);
  for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
    assert_int_equal(perlane_preset(&params, unknown[i]), PERLANE_ERROR_PRESET);
  assert_int_equal(perlane_preset(&params, NULL), PERLANE_ERROR_NULL);
  assert_int_equal(perlane_preset(NULL, "grid"), PERLANE_ERROR_NULL);
  assert_memory_equal(&params, &before, sizeof params);
}

static void status_is(perlane_status status, perlane_status expected) {
  if (status != expected)
    print_message("expected \"%s\", got \"%s\"\n", perlane_status_string(expected),
                  perlane_status_string(status));
  assert_int_equal(status, expected);
}

/* Everything that a fill writes to. */
struct outputs {
  float value[SAMPLES], slope[4][SAMPLES], smallest, largest;
  uint16_t word[SAMPLES];
  uint8_t byte[SAMPLES];
};

/* Every kind of fill fails, and writes nothing; and so does the check. */
static void fill_fails(const perlane_noise *noise, const perlane_grid *grid,
                       perlane_status expected) {
  static struct outputs out, before;
  fill_pattern(&out, sizeof out);
  before = out;
  status_is(perlane_grid_check(noise, grid), expected);
  float *const gradient[4] = {out.slope[0], out.slope[1], out.slope[2], out.slope[3]};
  status_is(perlane_fill(noise, grid, out.value), expected);
  status_is(perlane_fill_extremes(noise, grid, out.value, &out.smallest, &out.largest), expected);
  status_is(perlane_fill_gradient(noise, grid, out.value, gradient), expected);
  status_is(perlane_fill_gradient(noise, grid, NULL, gradient), expected);
  status_is(perlane_fill_u16(noise, grid, -1, 1, out.word), expected);
  status_is(perlane_fill_u8(noise, grid, -1, 1, out.byte), expected);
  assert_memory_equal(&out, &before, sizeof out);
}

static void grids_out_of_range(void **state) {
  (void)state;
  const perlane_noise noise = default_noise();
  const perlane_grid good = perlane_grid_make(8, 8, 0, 0);
  perlane_grid grid;
  float out[SAMPLES];
  assert_int_equal(perlane_grid_check(&noise, &good), PERLANE_OK);
  assert_int_equal(perlane_fill(&noise, &good, out), PERLANE_OK);

  fill_fails(NULL, &good, PERLANE_ERROR_NULL);
  fill_fails(&noise, NULL, PERLANE_ERROR_NULL);
  assert_int_equal(perlane_fill(&noise, &good, NULL), PERLANE_ERROR_NULL);
  perlane_noise raw;
  memset(&raw, 0, sizeof raw);
  fill_fails(&raw, &good, PERLANE_ERROR_NOISE);

  static const int32_t dims[] = {0, -1, 5, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < sizeof dims / sizeof dims[0]; i++) {
    grid = good;
    grid.dims = dims[i];
    fill_fails(&noise, &grid, PERLANE_ERROR_DIMS);
  }
  grid = good;
  grid.exact_strides = 2;
  fill_fails(&noise, &grid, PERLANE_ERROR_STRIDE);
  for (int a = 0; a < 2; a++) {
    grid = good;
    grid.count[a] = 0;
    fill_fails(&noise, &grid, PERLANE_ERROR_COUNT);
    grid.count[a] = SIZE_MAX;
    fill_fails(&noise, &grid, PERLANE_ERROR_COUNT);
    grid.count[a] = SIZE_MAX / 8 + 2; /* the product wraps to a small number */
    fill_fails(&noise, &grid, PERLANE_ERROR_COUNT);
    grid.count[a] = PTRDIFF_MAX / sizeof(float) / 8 + 1;
    fill_fails(&noise, &grid, PERLANE_ERROR_COUNT);
    static const double step[] = {0, -0.0, NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof step / sizeof step[0]; i++) {
      grid = good;
      grid.step[a] = step[i];
      fill_fails(&noise, &grid, PERLANE_ERROR_STEP);
    }
    static const double origin[] = {NAN, INFINITY, -INFINITY, 1e30, -1e30, 1e308};
    for (size_t i = 0; i < sizeof origin / sizeof origin[0]; i++) {
      grid = good;
      grid.origin[a] = origin[i];
      fill_fails(&noise, &grid, PERLANE_ERROR_RANGE);
    }
    grid = good;
    grid.first[a] = INT64_MAX - 6; /* the eighth sample's index does not fit */
    grid.step[a] = 1e-6;
    fill_fails(&noise, &grid, PERLANE_ERROR_RANGE);
    grid = good;
    grid.step[a] = 1e300; /* only the last sample is outside */
    fill_fails(&noise, &grid, PERLANE_ERROR_RANGE);
  }
  grid = good;
  grid.stride[1] = 7; /* rows overlap by one sample */
  fill_fails(&noise, &grid, PERLANE_ERROR_STRIDE);
  grid.stride[1] = -7;
  fill_fails(&noise, &grid, PERLANE_ERROR_STRIDE);
  grid = good;
  grid.stride[0] = 2; /* rows interleave, which packed strides would not */
  grid.stride[1] = 8;
  fill_fails(&noise, &grid, PERLANE_ERROR_STRIDE);
  grid = good;
  grid.stride[1] = PTRDIFF_MAX / 4;
  fill_fails(&noise, &grid, PERLANE_ERROR_STRIDE);
  grid.stride[1] = PTRDIFF_MIN;
  fill_fails(&noise, &grid, PERLANE_ERROR_STRIDE);
}

/* The domain ends at 2^53 cells, at every octave, and is legal up to there. */
static void domain_ends(void **state) {
  (void)state;
  perlane_params params = perlane_params_default();
  params.frequency = 1;
  perlane_grid grid = perlane_grid_make(3, 3, 0, 0);
  float out[9];
  for (int sign = -1; sign <= 1; sign += 2) {
    perlane_noise noise = noise_of(&params);
    grid.origin[0] = sign * 0x1p53;
    grid.step[0] = -sign;
    assert_int_equal(perlane_fill(&noise, &grid, out), PERLANE_OK);
    grid.step[0] = sign * 4.0;
    fill_fails(&noise, &grid, PERLANE_ERROR_RANGE);
    grid.count[0] = 2; /* ends at the next double */
    grid.step[0] = sign * 2.0;
    fill_fails(&noise, &grid, PERLANE_ERROR_RANGE);
    grid.count[0] = 3;
    double position[2] = {sign * 0x1p53, 0.5};
    assert_true(perlane_at(&noise, 2, position) <= 1);
    position[0] = sign * (0x1p53 + 2);
    assert_int_equal(bits_of(perlane_at(&noise, 2, position)), 0x7FC00000);
    perlane_params octaves = params;
    octaves.octaves = 2;
    noise = noise_of(&octaves);
    position[0] = sign * 0x1p52;
    assert_true(perlane_at(&noise, 2, position) <= 1);
    position[0] = sign * (0x1p52 + 1);
    assert_int_equal(bits_of(perlane_at(&noise, 2, position)), 0x7FC00000);
  }
  /* The ends of int64 with a step that fits. */
  const perlane_noise noise = noise_of(&params);
  grid = perlane_grid_make(3, 3, 0, 0);
  grid.first[0] = INT64_MIN;
  grid.first[1] = INT64_MAX - 2;
  grid.step[0] = grid.step[1] = 0x1p-11;
  assert_int_equal(perlane_fill(&noise, &grid, out), PERLANE_OK);
}

/* Reports the status of a grid and of points where a warp may leave the domain, of the field or of
 * the displacement. */
static void warps_leave_the_domain(void **state) {
  (void)state;
  for (int is_of_warp = 0; is_of_warp < 2; is_of_warp++)
    for (int side = -1; side <= 1; side += 2) {
      perlane_params params = perlane_params_default();
      params.frequency = is_of_warp ? 0.25 : 1;
      params.warp_frequency = is_of_warp ? 1 : 0.25;
      params.warp_amplitude = 0x1p20;
      const perlane_noise noise = noise_of(&params);
      perlane_grid grid = perlane_grid_make(8, 8, 0, 0);
      grid.origin[0] = side * (0x1p53 - 0x1p20);
      grid.step[0] = -side;
      float out[SAMPLES];
      assert_int_equal(perlane_fill(&noise, &grid, out), PERLANE_OK);
      for (int i = 0; i < SAMPLES; i++)
        assert_true(out[i] >= -1 && out[i] <= 1);
      grid.origin[0] += 2 * side;
      fill_fails(&noise, &grid, PERLANE_ERROR_RANGE);
      grid.origin[0] -= 4 * side; /* the last sample is outside, by its displacement */
      grid.step[0] = side;
      fill_fails(&noise, &grid, PERLANE_ERROR_RANGE);
      /* Points are refused one by one: outside by themselves, or where they are displaced to. */
      int inside = 0, outside = 0;
      for (int i = 0; i < 64; i++) {
        const double position[2] = {side * (0x1p53 - i * 0x1p12), i * 0x1p18};
        float gradient[2];
        const float value = perlane_at(&noise, 2, position);
        const int is_nan = bits_of(value) == 0x7FC00000;
        inside += value >= -1 && value <= 1;
        outside += is_nan;
        assert_int_equal(bits_of(perlane_at_gradient(&noise, 2, position, gradient)),
                         bits_of(value));
        assert_int_equal(bits_of(gradient[1]) == 0x7FC00000, is_nan);
      }
      assert_int_equal(inside + outside, 64);
      assert_true(inside > 8 && (is_of_warp ? outside == 0 : outside > 8));
      const double beyond[2] = {side * (0x1p53 + 0x1p21), 0};
      assert_int_equal(bits_of(perlane_at(&noise, 2, beyond)), 0x7FC00000);
    }
  /* A displacement that no position bears. */
  perlane_params params = perlane_params_default();
  params.warp_amplitude = DBL_MAX;
  const perlane_noise noise = noise_of(&params);
  const perlane_grid grid = perlane_grid_make(8, 8, 0, 0);
  fill_fails(&noise, &grid, PERLANE_ERROR_RANGE);
  const double position[2] = {0.3, 0.4};
  assert_int_equal(bits_of(perlane_at(&noise, 2, position)), 0x7FC00000);
}

static void levels_out_of_range(void **state) {
  (void)state;
  const perlane_noise noise = default_noise();
  const perlane_grid grid = perlane_grid_make(8, 8, 0, 0);
  static const float pair[][2] = {{NAN, 1},       {-1, NAN},      {INFINITY, 1},
                                  {-1, INFINITY}, {-INFINITY, 1}, {0.5f, 0.5f},
                                  {0.0f, -0.0f},  {0, 1e-45f},    {1e-45f, 0}};
  static struct outputs out, before;
  fill_pattern(&out, sizeof out);
  before = out;
  for (size_t i = 0; i < sizeof pair / sizeof pair[0]; i++) {
    status_is(perlane_fill_u16(&noise, &grid, pair[i][0], pair[i][1], out.word),
              PERLANE_ERROR_LEVELS);
    status_is(perlane_fill_u8(&noise, &grid, pair[i][0], pair[i][1], out.byte),
              PERLANE_ERROR_LEVELS);
  }
  status_is(perlane_fill_u16(&noise, &grid, -1, 1, NULL), PERLANE_ERROR_NULL);
  status_is(perlane_fill_u8(&noise, &grid, -1, 1, NULL), PERLANE_ERROR_NULL);
  assert_memory_equal(&out, &before, sizeof out);
  /* The furthest apart, the wrong way round, and next to each other. */
  status_is(perlane_fill_u16(&noise, &grid, -FLT_MAX, FLT_MAX, out.word), PERLANE_OK);
  status_is(perlane_fill_u16(&noise, &grid, 1, -1, out.word), PERLANE_OK);
  status_is(perlane_fill_u8(&noise, &grid, 1, 1 + 0x1p-23f, out.byte), PERLANE_OK);
}

static void outputs_missing(void **state) {
  (void)state;
  const perlane_noise noise = default_noise();
  const perlane_grid grid = perlane_grid_make(8, 8, 0, 0);
  static struct outputs out, before;
  fill_pattern(&out, sizeof out);
  before = out;
  status_is(perlane_fill_extremes(&noise, &grid, NULL, &out.smallest, &out.largest),
            PERLANE_ERROR_NULL);
  status_is(perlane_fill_extremes(&noise, &grid, out.value, NULL, &out.largest),
            PERLANE_ERROR_NULL);
  status_is(perlane_fill_extremes(&noise, &grid, out.value, &out.smallest, NULL),
            PERLANE_ERROR_NULL);
  status_is(perlane_fill_gradient(&noise, &grid, out.value, NULL), PERLANE_ERROR_NULL);
  for (int missing = 0; missing < 2; missing++) {
    float *gradient[4] = {out.slope[0], out.slope[1], NULL, NULL};
    gradient[missing] = NULL;
    status_is(perlane_fill_gradient(&noise, &grid, out.value, gradient), PERLANE_ERROR_NULL);
  }
  assert_memory_equal(&out, &before, sizeof out);
  float *const gradient[2] = {out.slope[0], out.slope[1]}; /* as many as the grid has axes */
  status_is(perlane_fill_gradient(&noise, &grid, NULL, gradient), PERLANE_OK);
}

/* Points, with and without gradient, fail and write nothing. */
static void points_fail(const perlane_noise *noise, int32_t dims, size_t n,
                        const float *const *coords, perlane_status expected) {
  static struct outputs out, before;
  fill_pattern(&out, sizeof out);
  before = out;
  float *const gradient[4] = {out.slope[0], out.slope[1], out.slope[2], out.slope[3]};
  status_is(perlane_points(noise, dims, n, NULL, coords, out.value), expected);
  status_is(perlane_points_gradient(noise, dims, n, NULL, coords, out.value, gradient), expected);
  status_is(perlane_points_gradient(noise, dims, n, NULL, coords, NULL, gradient), expected);
  assert_memory_equal(&out, &before, sizeof out);
}

static void points_out_of_range(void **state) {
  (void)state;
  const perlane_noise noise = default_noise();
  float x[4] = {0.5f, NAN, 1, INFINITY}, y[4] = {1, 2, -INFINITY, 3}, out[4], slope[2][4];
  const float *coords[5] = {x, y, NULL, NULL, NULL};
  float *gradient[4] = {slope[0], slope[1], NULL, NULL};
  perlane_noise raw;
  memset(&raw, 0, sizeof raw);
  points_fail(NULL, 2, 4, coords, PERLANE_ERROR_NULL);
  points_fail(&noise, 2, 4, NULL, PERLANE_ERROR_NULL);
  points_fail(&noise, 3, 4, coords, PERLANE_ERROR_NULL);
  points_fail(&noise, 0, 4, coords, PERLANE_ERROR_DIMS);
  points_fail(&noise, 5, 4, coords, PERLANE_ERROR_DIMS);
  points_fail(&noise, 2, SIZE_MAX, coords, PERLANE_ERROR_COUNT);
  points_fail(&noise, 2, SIZE_MAX / 4 + 2, coords, PERLANE_ERROR_COUNT);
  points_fail(&raw, 2, 4, coords, PERLANE_ERROR_NOISE);
  points_fail(&noise, 2, 0, coords, PERLANE_OK);
  points_fail(&noise, 2, 0, NULL, PERLANE_OK);
  assert_int_equal(perlane_points(&noise, 2, 0, NULL, NULL, NULL), PERLANE_OK);
  assert_int_equal(perlane_points(&noise, 2, 4, NULL, coords, NULL), PERLANE_ERROR_NULL);
  assert_int_equal(perlane_points_gradient(&noise, 2, 4, NULL, coords, out, NULL),
                   PERLANE_ERROR_NULL);
  gradient[1] = NULL;
  assert_int_equal(perlane_points_gradient(&noise, 2, 4, NULL, coords, out, gradient),
                   PERLANE_ERROR_NULL);
  gradient[1] = slope[1];
  /* Points outside the domain are not an error. */
  assert_int_equal(perlane_points(&noise, 2, 4, NULL, coords, out), PERLANE_OK);
  assert_true(out[0] >= -1 && out[0] <= 1);
  for (int i = 1; i < 4; i++)
    assert_int_equal(bits_of(out[i]), 0x7FC00000);
  memset(out, 0, sizeof out);
  assert_int_equal(perlane_points_gradient(&noise, 2, 4, NULL, coords, out, gradient), PERLANE_OK);
  assert_true(out[0] >= -1 && out[0] <= 1 && slope[0][0] - slope[0][0] == 0);
  for (int i = 1; i < 4; i++) {
    assert_int_equal(bits_of(out[i]), 0x7FC00000);
    assert_int_equal(bits_of(slope[0][i]), 0x7FC00000);
    assert_int_equal(bits_of(slope[1][i]), 0x7FC00000);
  }
}

static void at_out_of_range(void **state) {
  (void)state;
  const perlane_noise noise = default_noise();
  perlane_noise raw;
  memset(&raw, 0, sizeof raw);
  const double position[4] = {1.5, 2.5, 3.5, 4.5}, outside[2] = {1, INFINITY};
  float gradient[4], before[4];
  fill_pattern(gradient, sizeof gradient);
  memcpy(before, gradient, sizeof gradient);
  const float bad[] = {
      perlane_at(NULL, 2, position),
      perlane_at(&noise, 2, NULL),
      perlane_at(&noise, 0, position),
      perlane_at(&noise, 5, position),
      perlane_at(&raw, 2, position),
      perlane_at(&noise, 2, outside),
      perlane_at_gradient(NULL, 2, position, gradient),
      perlane_at_gradient(&noise, 2, NULL, gradient),
      perlane_at_gradient(&noise, 2, position, NULL),
      perlane_at_gradient(&noise, 0, position, gradient),
      perlane_at_gradient(&noise, 5, position, gradient),
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    assert_int_equal(bits_of(bad[i]), 0x7FC00000);
  assert_memory_equal(gradient, before, sizeof gradient);
  assert_int_equal(bits_of(perlane_at_gradient(&noise, 2, outside, gradient)), 0x7FC00000);
  assert_int_equal(bits_of(gradient[0]), 0x7FC00000);
  assert_int_equal(bits_of(gradient[1]), 0x7FC00000);
  assert_memory_equal(gradient + 2, before + 2, 2 * sizeof(float)); /* as many as dims */
}

/* Fields whose values are floats and whose derivatives are not. */
static void gradients_out_of_range(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    perlane_params params = perlane_params_default();
    params.frequency = i == 0 ? 1e39 : i == 1 ? 1e30 : 1;
    params.value_scale = i == 1 ? 1e10 : 1;
    params.octaves = i == 2 ? 3 : 1;
    params.lacunarity = 1e20;
    params.phase = PERLANE_PHASE_NONE;
    const perlane_noise noise = noise_of(&params);
    perlane_grid grid = perlane_grid_make(8, 8, 0, 0);
    grid.step[0] = grid.step[1] = 1e-40;
    float value[SAMPLES], coordinate[SAMPLES] = {0}, slope[2][SAMPLES], before[SAMPLES];
    const float *coords[2] = {coordinate, coordinate};
    float *const gradient[2] = {slope[0], slope[1]};
    assert_int_equal(perlane_fill(&noise, &grid, value), PERLANE_OK);
    assert_int_equal(perlane_points(&noise, 2, SAMPLES, NULL, coords, value), PERLANE_OK);
    fill_pattern(value, sizeof value);
    memcpy(before, value, sizeof value);
    fill_pattern(slope, sizeof slope);
    status_is(perlane_fill_gradient(&noise, &grid, value, gradient), PERLANE_ERROR_STEEP);
    status_is(perlane_points_gradient(&noise, 2, SAMPLES, NULL, coords, value, gradient),
              PERLANE_ERROR_STEEP);
    assert_memory_equal(value, before, sizeof value);
    assert_memory_equal(slope[0], before, sizeof value);
    const double position[2] = {0, 0};
    float at[2];
    assert_true(perlane_at(&noise, 2, position) == 0);
    assert_int_equal(bits_of(perlane_at_gradient(&noise, 2, position, at)), 0x7FC00000);
    assert_int_equal(bits_of(at[0]), 0x7FC00000);
    assert_int_equal(bits_of(at[1]), 0x7FC00000);
  }
}

static void range_out_of_range(void **state) {
  (void)state;
  const perlane_noise noise = default_noise();
  perlane_noise raw;
  memset(&raw, 0, sizeof raw);
  float low = 5, high = 6;
  status_is(perlane_range(NULL, 2, &low, &high), PERLANE_ERROR_NULL);
  status_is(perlane_range(&noise, 2, NULL, &high), PERLANE_ERROR_NULL);
  status_is(perlane_range(&noise, 2, &low, NULL), PERLANE_ERROR_NULL);
  status_is(perlane_range(&raw, 2, &low, &high), PERLANE_ERROR_NOISE);
  static const int32_t dims[] = {0, -1, 5, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < sizeof dims / sizeof dims[0]; i++)
    status_is(perlane_range(&noise, dims[i], &low, &high), PERLANE_ERROR_DIMS);
  assert_true(low == 5 && high == 6);
}

/* Each function knows in how many dimensions a field exists. */
static void field_has_dims(const perlane_params *params, int dims, int exists) {
  const perlane_noise noise = noise_of(params);
  perlane_grid grid = perlane_grid_make(4, 3, 2, 2);
  grid.dims = dims;
  const float coordinate[4] = {0.1f, 0.2f, 0.3f, 0.4f};
  const float *const coords[4] = {coordinate, coordinate, coordinate, coordinate};
  const double position[4] = {0.1, 0.2, 0.3, 0.4};
  float value[4], slope[4] = {7, 7, 7, 7}, low = 5, high = 6;
  if (exists) {
    status_is(perlane_range(&noise, dims, &low, &high), PERLANE_OK);
    status_is(perlane_points(&noise, dims, 4, NULL, coords, value), PERLANE_OK);
    assert_true(perlane_at(&noise, dims, position) >= low);
    if (has_gradient(params))
      assert_true(perlane_at_gradient(&noise, dims, position, slope) >= low);
    return;
  }
  status_is(perlane_range(&noise, dims, &low, &high), PERLANE_ERROR_FIELD_DIMS);
  assert_true(low == 5 && high == 6);
  fill_fails(&noise, &grid, PERLANE_ERROR_FIELD_DIMS);
  points_fail(&noise, dims, 4, coords, PERLANE_ERROR_FIELD_DIMS);
  assert_int_equal(bits_of(perlane_at(&noise, dims, position)), 0x7FC00000);
  assert_int_equal(bits_of(perlane_at_gradient(&noise, dims, position, slope)), 0x7FC00000);
  for (int a = 0; a < 4; a++)
    assert_true(slope[a] == 7);
}

static void dims_of_fields(void **state) {
  (void)state;
  for (int dims = 1; dims <= 4; dims++) {
    for (int set = 0; set < PERLANE_GRADIENTS_COUNT; set++)
      for (int table_dims = 1; table_dims <= 4; table_dims++) {
        perlane_params params = perlane_params_default();
        params.gradients = (int32_t)set;
        give_tables(&params, table_dims);
        field_has_dims(&params, dims,
                       set == PERLANE_GRADIENTS_TABLE
                           ? dims == table_dims
                           : gradients_exist((perlane_gradients)set, dims));
        params.basis = PERLANE_BASIS_VALUE; /* which has no gradients */
        field_has_dims(&params, dims, 1);
      }
    perlane_params cells = perlane_params_default();
    cells.basis = PERLANE_BASIS_CELLULAR;
    field_has_dims(&cells, dims, dims <= 3);
    for (int hash = 0; hash < PERLANE_HASH_COUNT; hash++) {
      perlane_params params = perlane_params_default();
      params.hash = (int32_t)hash;
      give_tables(&params, dims);
      field_has_dims(&params, dims,
                     dims == 2 || (hash != PERLANE_HASH_GRID && hash != PERLANE_HASH_PRIMES));
    }
  }
}

/* A fill at the limits of what the address space holds fails before it writes; so does one whose
 * unused axes hold junk succeed, as they are not looked at. */
static void unused_axes_are_ignored(void **state) {
  (void)state;
  const perlane_noise noise = default_noise();
  perlane_grid grid;
  memset(&grid, 0xFF, sizeof grid);
  grid.dims = 1;
  grid.exact_strides = 0;
  grid.first[0] = 0;
  grid.count[0] = 4;
  grid.origin[0] = 0;
  grid.step[0] = 1;
  grid.stride[0] = 0;
  float out[4], expected[4];
  assert_int_equal(perlane_fill(&noise, &grid, out), PERLANE_OK);
  grid = perlane_grid_make(4, 0, 0, 0);
  assert_int_equal(perlane_fill(&noise, &grid, expected), PERLANE_OK);
  assert_memory_equal(out, expected, sizeof out);
}

static void every_status_has_a_text(void **state) {
  (void)state;
  for (int i = 0; i < PERLANE_STATUS_COUNT; i++) {
    assert_string_not_equal(perlane_status_string((perlane_status)i), "unknown status");
    for (int j = 0; j < i; j++)
      assert_string_not_equal(perlane_status_string((perlane_status)i),
                              perlane_status_string((perlane_status)j));
  }
  assert_string_equal(perlane_status_string(PERLANE_STATUS_COUNT), "unknown status");
  assert_string_equal(perlane_status_string((perlane_status)9999), "unknown status");
}

static void version_agrees_with_itself(void **state) {
  (void)state;
  char text[32];
  snprintf(text, sizeof text, "%d.%d.%d", PERLANE_VERSION_MAJOR, PERLANE_VERSION_MINOR,
           PERLANE_VERSION_PATCH);
  assert_string_equal(text, PERLANE_VERSION);
  assert_string_equal(text, perlane_version());
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(params_out_of_range),
      cmocka_unit_test(constants_out_of_range),
      cmocka_unit_test(combinations),
      cmocka_unit_test(warps_leave_the_domain),
      cmocka_unit_test(tables_out_of_range),
      cmocka_unit_test(gradient_tables_out_of_range),
      cmocka_unit_test(gradient_grids_out_of_range),
      cmocka_unit_test(presets),
      cmocka_unit_test(grids_out_of_range),
      cmocka_unit_test(domain_ends),
      cmocka_unit_test(levels_out_of_range),
      cmocka_unit_test(outputs_missing),
      cmocka_unit_test(points_out_of_range),
      cmocka_unit_test(at_out_of_range),
      cmocka_unit_test(gradients_out_of_range),
      cmocka_unit_test(range_out_of_range),
      cmocka_unit_test(dims_of_fields),
      cmocka_unit_test(unused_axes_are_ignored),
      cmocka_unit_test(every_status_has_a_text),
      cmocka_unit_test(version_agrees_with_itself),
  };
  return cmocka_run_group_tests_name("errors", tests, NULL, NULL);
}
