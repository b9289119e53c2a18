/* SPDX-License-Identifier: MIT
 *
 * The caller's floating-point environment: whatever rounding mode, flushing or exception mask a
 * thread runs under, the bits are the same, no trap fires, and the environment is kept.
 */
#include "support.h"

#include <fenv.h>
#include <float.h>

#if defined(__x86_64__) || defined(__SSE__)
#include <xmmintrin.h>
typedef uint32_t control_word;
static control_word read_control(void) {
  return _mm_getcsr();
}
static void write_control(control_word word) {
  _mm_setcsr(word);
}
enum { STICKY_FLAGS = 0x3F };
static const struct {
  const char *name;
  control_word word;
} SETTINGS[] = {
    {"default", 0x1F80},
    {"round down", 0x1F80 | 0x2000},
    {"round up", 0x1F80 | 0x4000},
    {"round toward zero", 0x1F80 | 0x6000},
    {"flush to zero", 0x1F80 | 0x8000},
    {"denormals are zero", 0x1F80 | 0x0040},
    {"both, as after linking with -ffast-math", 0x1F80 | 0x8040},
    {"all exceptions trap", 0x0000},
    {"everything at once", 0x8040 | 0x4000},
};
#elif defined(__aarch64__)
typedef uint64_t control_word;
static control_word read_control(void) {
  control_word word;
  __asm__ volatile("mrs %0, fpcr" : "=r"(word));
  return word;
}
static void write_control(control_word word) {
  __asm__ volatile("msr fpcr, %0" : : "r"(word));
}
enum { STICKY_FLAGS = 0 };
static const struct {
  const char *name;
  control_word word;
} SETTINGS[] = {
    {"default", 0},
    {"round up", UINT64_C(1) << 22},
    {"round down", UINT64_C(2) << 22},
    {"round toward zero", UINT64_C(3) << 22},
    {"flush to zero", UINT64_C(1) << 24},
    {"default NaN", UINT64_C(1) << 25},
    {"everything at once", UINT64_C(1) << 22 | UINT64_C(3) << 24},
};
#else
typedef int control_word;
static control_word read_control(void) {
  return fegetround();
}
static void write_control(control_word word) {
  fesetround(word);
}
enum { STICKY_FLAGS = 0 };
static const struct {
  const char *name;
  control_word word;
} SETTINGS[] = {
    {"default", FE_TONEAREST},
#ifdef FE_UPWARD
    {"round up", FE_UPWARD},
    {"round down", FE_DOWNWARD},
    {"round toward zero", FE_TOWARDZERO},
#endif
};
#endif

enum { N = 333 };

/* Fields that between them do every kind of arithmetic. */
static perlane_params params_of(int field) {
  perlane_params params = perlane_params_default();
  params.frequency = 0.37;
  params.octaves = 5;
  params.gain = 0.3;
  if (field == 1) {
    params.fractal = PERLANE_FRACTAL_PING_PONG;
    params.weighted_strength = 0.7;
    params.gradients = PERLANE_GRADIENTS_SPHERE;
    params.fade = PERLANE_FADE_CUBIC;
    params.contrast = 3;
    params.size = 1e-38; /* values that are denormal */
    params.offset = 1e-40;
  } else if (field == 2) {
    params.basis = PERLANE_BASIS_GAUSSIAN;
    params.normalize = PERLANE_NORMALIZE_NONE;
    params.fractal = PERLANE_FRACTAL_RIDGED;
  } else if (field == 3) {
    params.hash = PERLANE_HASH_SHUFFLED;
    params.gradients = PERLANE_GRADIENTS_COMPASS8;
    params.normalize = PERLANE_NORMALIZE_OCTAVES;
    params.period[0] = 7;
    params.gain = 1e-9;
  }
  return params;
}
enum { FIELDS = 4 };

/* Everything that computes, under one setting. */
struct results {
  perlane_noise noise;
  float filled[N], slope[2][N], points[N], point_slope[2][N], at[4], at_slope[4][2], extremes[2],
      range[2];
  uint16_t words[N];
  uint8_t bytes[N];
  perlane_status status[9];
  uint64_t digest;
};

/* Inputs made beforehand, under the default environment. */
static float coordinate[2][N];

static void run(int field, control_word setting, struct results *results) {
  const float *const coords[2] = {coordinate[0], coordinate[1]};
  const double position[4][2] = {{0.1, 0.7}, {-3.3, 1e9}, {0x1p-1070, 0.3}, {1e-310, -1e-310}};
  const perlane_params params = params_of(field);
  perlane_grid grid = perlane_grid_make(37, 9, 0, 0);
  grid.step[0] = 0.1;
  grid.step[1] = 0x1p-1060; /* positions that are denormal */
  memset(results, 0, sizeof *results);
  float *const slope[2] = {results->slope[0], results->slope[1]};
  float *const point_slope[2] = {results->point_slope[0], results->point_slope[1]};
  perlane_status *status = results->status;
  control_word after[11];
  int calls = 0;

  const control_word before = read_control();
  write_control(setting);
  status[0] = perlane_init(&results->noise, &params);
  after[calls++] = read_control();
  status[1] = perlane_fill(&results->noise, &grid, results->filled);
  after[calls++] = read_control();
  status[2] = perlane_points(&results->noise, 2, N, coords, results->points);
  after[calls++] = read_control();
  for (int i = 0; i < 4; i++)
    results->at[i] = perlane_at(&results->noise, 2, position[i]);
  after[calls++] = read_control();
  status[3] = perlane_fill_gradient(&results->noise, &grid, NULL, slope);
  after[calls++] = read_control();
  status[4] = perlane_points_gradient(&results->noise, 2, N, coords, NULL, point_slope);
  after[calls++] = read_control();
  for (int i = 0; i < 4; i++)
    perlane_at_gradient(&results->noise, 2, position[i], results->at_slope[i]);
  after[calls++] = read_control();
  status[5] = perlane_fill_u16(&results->noise, &grid, -0.3f, 0.4f, results->words);
  status[6] = perlane_fill_u8(&results->noise, &grid, 1e-39f, 1e-36f, results->bytes);
  after[calls++] = read_control();
  status[7] = perlane_fill_extremes(&results->noise, &grid, results->filled, &results->extremes[0],
                                    &results->extremes[1]);
  after[calls++] = read_control();
  status[8] = perlane_range(&results->noise, 2, &results->range[0], &results->range[1]);
  after[calls++] = read_control();
  if (field == 0) {
    perlane_selftest(PERLANE_ISA_AUTO, &results->digest);
    after[calls++] = read_control();
  }
  write_control(before);

  for (int i = 0; i < 9; i++)
    assert_int_equal(status[i], PERLANE_OK);
  const control_word flags = (control_word)STICKY_FLAGS;
  for (int i = 0; i < calls; i++)
    assert_int_equal(after[i] & ~flags, setting & ~flags);
}

static void every_setting(void **state) {
  (void)state;
  for (int i = 0; i < N; i++) {
    coordinate[0][i] = (float)i * 0.37f - 50;
    coordinate[1][i] = (float)i * 1e7f;
  }
  memset(&coordinate[0][5], 0x01, sizeof(float)); /* a denormal, and values that raise flags */
  coordinate[0][6] = FLT_MAX;
  memset(&coordinate[0][7], 0xFF, sizeof(float));
  static const uint32_t signalling = 0x7FA00001;
  memcpy(&coordinate[1][8], &signalling, sizeof signalling);
  for (int isa = PERLANE_ISA_SCALAR; isa < PERLANE_ISA_COUNT; isa++) {
    if (!perlane_isa_supported((perlane_isa)isa))
      continue;
    assert_int_equal(perlane_force_isa((perlane_isa)isa), PERLANE_OK);
    static struct results expected[FIELDS], actual;
    for (int field = 0; field < FIELDS; field++)
      run(field, SETTINGS[0].word, &expected[field]);
    assert_true(expected[0].digest == PERLANE_SELFTEST_DIGEST);
    for (size_t s = 1; s < sizeof SETTINGS / sizeof SETTINGS[0]; s++) {
      write_control(SETTINGS[s].word);
      const control_word held = read_control();
      write_control(SETTINGS[0].word);
      if ((held & ~(control_word)STICKY_FLAGS) != SETTINGS[s].word) {
        print_message("not run: \"%s\", which this CPU does not offer\n", SETTINGS[s].name);
        continue;
      }
      for (int field = 0; field < FIELDS; field++) {
        run(field, SETTINGS[s].word, &actual);
        if (memcmp(&expected[field], &actual, sizeof actual) != 0)
          print_message("%s: \"%s\" changes the bits of field %d\n",
                        perlane_isa_name((perlane_isa)isa), SETTINGS[s].name, field);
        assert_memory_equal(&expected[field], &actual, sizeof actual);
      }
    }
  }
  assert_int_equal(perlane_force_isa(PERLANE_ISA_AUTO), PERLANE_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_setting)};
  return cmocka_run_group_tests_name("environment", tests, NULL, NULL);
}
