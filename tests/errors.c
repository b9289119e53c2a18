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

/* perlane_init_text says these words and writes nothing, or makes the noise of perlane_init. */
static void init_text_says(const char *text, const char *words) {
  static perlane_noise noise, other;
  char message[PERLANE_MESSAGE_BYTES];
  memset(&noise, 0, sizeof noise);
  memset(&other, 0, sizeof other);
  const perlane_status status = perlane_init_text(&noise, text);
  const size_t length = perlane_explain_text(NULL, text, message, sizeof message);
  set_context("text '%s'", text);
  assert_int_equal(status == PERLANE_OK, !words);
  assert_int_equal(length, strlen(message));
  assert_true(words ? strstr(message, words) != NULL : length == 0);
  perlane_params params = perlane_params_default();
  if (!words) {
    assert_int_equal(perlane_params_parse(&params, text, NULL), PERLANE_OK);
    assert_int_equal(perlane_init(&other, &params), PERLANE_OK);
  }
  assert_memory_equal(&noise, &other, sizeof noise);
}

/* Texts of options, and words of the sentence with which perlane_init refuses them; NULL if it does
 * not. What each option may be by itself is tested in options.c. */
static void options_together(void **state) {
  (void)state;
  static const struct {
    const char *options, *words;
  } CASES[] = {
      {"frequency=1e-320", "frequency must be finite and at least 2^-1022 at every octave"},
      {"octaves=32 lacunarity=1e20",
       "is inf at octave 17 of 32; set lacunarity, now 100000000000000000000, closer to 1"},
      {"octaves=32 lacunarity=1e-20", "at octave 17 of 32; set lacunarity, now 1e-20"},
      {"octaves=5 gain=1e300", "gain=1e300 makes the sum of the amplitudes of 5 octaves exceed"},
      {"octaves=5 gain=0", NULL},
      {"octaves=5 gain=-1", NULL},
      {"octaves=5 amplitude=1e300 gain=1e10", NULL}, /* only the sign of amplitude counts */
      {"octaves=5 amplitude=1e300 gain=1e10 normalize=none", "closer to 0, or amplitude"},
      {"octaves=5 amplitude=1e300 normalize=none", "values could exceed 2^100 in magnitude with"},
      /* The relative amplitudes of spread overflow where their sum does not. */
      {"octaves=3 gain=1e100", NULL},
      {"octaves=3 gain=1e100 normalize=spread", "gain=1e100 makes the sum"},
      {"value_scale=1e39", "with value_scale=1e39; choose smaller numbers"},
      {"value_scale=1e29", NULL},
      {"value_offset=-1e39", "with value_offset=-1e39; choose smaller numbers"},
      {"value_offset=3e38 value_scale=1e38", "values could exceed"}, /* their sum is no float */
      {"fractal=ridged value_scale=1e39", "values could exceed"}, /* a multiplication of its own */
      {"normalize=none amplitude=1e39", "with amplitude=1e39; choose"},
      {"normalize=none octaves=2 gain=1 basis=value amplitude=2e38", "values could exceed"},
      {"normalize=none octaves=2 gain=1 basis=value amplitude=1e29", NULL},
      {"basis=gaussian contrast=64", "with contrast=64; choose"}, /* 5.8^64 */
      {"basis=gaussian contrast=35", NULL},
      /* An infinite value would become NaN when it is scaled or offset. */
      {"normalize=none contrast=4 value_scale=0 amplitude=1e18", "values could exceed"},
      {"normalize=none contrast=4 value_scale=0 amplitude=1e7", NULL},
      {"basis=cellular fractal=eroded", "fractal=eroded does not exist for basis=cellular"},
      {"basis=simplex hash=perlin", "basis=simplex needs hash=lattice, not hash=perlin"},
      {"basis=simplex period=0,7", "period=0,7 does not exist for basis=simplex"},
      {"basis=cellular fractal=ridged", NULL},
      {"basis=cellular cell_output=edge cell_metric=manhattan",
       "cell_output=edge needs cell_metric=euclidean, not cell_metric=manhattan"},
      {"cell_output=edge cell_metric=manhattan", NULL},
      {"basis=value fractal=eroded", NULL},
      {"basis=white fractal=eroded", NULL},
      {"basis=gaussian fractal=eroded", NULL},
      {"basis=value hash=perlin", NULL},
      {"basis=value hash=grid", "hash=grid needs basis=perlin, not basis=value"},
      {"basis=white hash=grid", "hash=grid needs basis=perlin, not basis=white"},
      {"hash=table", "hash=table needs hash_table"},
      {"hash=grid", "hash=grid needs gradient_grid"},
      {"gradients=table", "gradients=table needs gradient_table"},
      {"hash=primes", NULL},
      {"warp_octaves=16 warp_lacunarity=1e25", NULL}, /* without a warp */
      {"warp_octaves=16 warp_lacunarity=1e25 warp_amplitude=1",
       "warp_frequency must be finite and at least 2^-1022 at every octave, and is inf at octave"},
      {"warp_octaves=16 warp_lacunarity=1e-25", NULL},
      {"warp_octaves=16 warp_lacunarity=1e-25 warp_amplitude=1", "set warp_lacunarity, now 1e-25"},
      {"warp_octaves=16 warp_gain=1e22", NULL},
      {"warp_octaves=16 warp_gain=1e22 warp_amplitude=1", "warp_gain=1e22 makes the sum"},
      {"warp_octaves=16 warp_gain=0 warp_amplitude=1", NULL},
      {"warp_frequency=1e-308", NULL},
      {"warp_frequency=1e-308 warp_amplitude=1", "and is 1e-308 at octave 1 of 1"},
      {"warp_amplitude=1e308", NULL},
      {"terraces=1 terrace_sharpness=0.9999999999999999", NULL},
      {"falloff=1 falloff_start=3 falloff_end=3",
       "falloff_start must be below falloff_end, but 3 is not below 3"},
      {"falloff_start=3 falloff_end=1", NULL}, /* without a falloff */
      {"falloff=1 falloff_start=2.9999999999999996 falloff_end=3", NULL},
      {"falloff=1 falloff_end=1e-300 falloff_x=1e308", NULL},
      {"falloff=1e39 contrast=0", "values could exceed 2^100 in magnitude with falloff=1e39"},
      {"falloff=-1e29", NULL},
      {"valleys=1e-9", "valleys must be 0 or at least 2^-10"},
      {"valleys=3 octaves=28",
       "octaves and valley_octaves must be 32 together at most, not 28 + 5"},
      {"valleys=3 octaves=27", NULL},
      {"octaves=28 valley_octaves=8", NULL}, /* without valleys */
      {"valleys=3 fractal=eroded", NULL},
      {"valleys=3 period=3,3 valley_cells=1.5", "period along x is 4.5 valley cells"},
      {"valleys=3 period=4,4 valley_cells=1.5", NULL},
      {"valleys=3 period=0,1073741824", "period along y is 2684354560 valley cells"},
      {"valleys=3 period=0,0,1073741824", NULL}, /* which land does not have */
      {"valleys=3 frequency=1e40", "frequency * valley_cells must be at least 2^-1022"},
      {"valleys=3 octaves=30 lacunarity=4 valley_octaves=0",
       "at least 2^-48 of the octaves' highest frequency"},
      {"valleys=10 normalize=none amplitude=1e30", "must be from 2^-60 to 2^60"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    perlane_params params = perlane_params_default();
    assert_int_equal(perlane_params_parse(&params, CASES[i].options, NULL), PERLANE_OK);
    init_says(&params, CASES[i].words);
    init_text_says(CASES[i].options, CASES[i].words);
  }
  perlane_params params = perlane_params_default();
  for (int hash = PERLANE_HASH_LATTICE + 1; hash < PERLANE_HASH_COUNT; hash++) {
    params.hash = (int32_t)hash;
    params.basis = PERLANE_BASIS_CELLULAR;
    init_says(&params, "basis=cellular needs hash=lattice, not hash=");
    params.basis = PERLANE_BASIS_GAUSSIAN;
    init_says(&params, "basis=gaussian needs hash=lattice, not hash=");
  }
}

/* A field that is like `standard` but for one member: perlane_init says these words, or accepts it.
 */
#define INIT_SAYS(member, value, words)                                                            \
  do {                                                                                             \
    params = standard;                                                                             \
    params.member = value;                                                                         \
    init_says(&params, words);                                                                     \
  } while (0)
#define INIT_FAILS(member, value, status, words)                                                   \
  do {                                                                                             \
    params = standard;                                                                             \
    params.member = value;                                                                         \
    init_fails(&params, status, words);                                                            \
  } while (0)

static void other_members(void **state) {
  (void)state;
  const perlane_params standard = perlane_params_default();
  perlane_params params;
  perlane_noise noise;
  INIT_FAILS(reserved0, 1, PERLANE_ERROR_LAYOUT, "a reserved member is not 0");
  INIT_FAILS(reserved2, &noise, PERLANE_ERROR_LAYOUT, "a reserved member is not 0");
  for (size_t i = 0; i < sizeof params.reserved / sizeof params.reserved[0]; i++)
    INIT_FAILS(reserved[i], UINT64_C(1) << 63, PERLANE_ERROR_LAYOUT, "a reserved member is not 0");
  static const double odd[] = {NAN, INFINITY, -INFINITY};
  for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
    INIT_SAYS(falloff, odd[i], "falloff must be a finite number, not ");
    INIT_SAYS(falloff_start, odd[i], "falloff_start must be a finite number of at least 0, not ");
    INIT_SAYS(falloff_end, odd[i], "falloff_end must be a finite number of at least 1e-300, not ");
    INIT_SAYS(falloff_w, odd[i], "falloff_w must be a finite number, not ");
    INIT_SAYS(valleys, odd[i], "valleys must be a number from 0 to 1024, not ");
    INIT_SAYS(valley_gain, odd[i], "valley_gain must be a number from 0 to 1, not ");
  }
  for (int a = 0; a < PERLANE_MAX_DIMS; a++)
    INIT_SAYS(period[a], -1, "period must be"); /* more of these in periods.c */
  assert_int_equal(perlane_init(NULL, &standard), PERLANE_ERROR_NULL);
  assert_int_equal(perlane_init(&noise, NULL), PERLANE_ERROR_NULL);
  assert_int_equal(perlane_init_text(NULL, ""), PERLANE_ERROR_NULL);
  assert_int_equal(perlane_init_text(&noise, NULL), PERLANE_ERROR_NULL);
  init_text_says("", NULL);
  init_text_says(" preset=improved octaves=3\n", NULL);
  init_text_says("octaves=0", "octaves must be a whole number");
  init_text_says("octave=3", "no option is called 'octave'");
  init_text_says("octaves", "expected NAME=VALUE");
  init_text_says("seed=1 preset=improved", "preset must come before");
  /* Control characters are shown, not obeyed: those of ASCII, and of UTF-8 beyond it. */
  init_text_says("octaves=\x1B[2J\x7F", "not '\\x1B[2J\\x7F'");
  init_text_says("octave\x07", "not 'octave\\x07'");
  init_text_says("gain\x08=3", "no option is called 'gain\\x08'");
  init_text_says("preset=\xC2\x9B\xC3\x9B", "not '\\xC2\\x9B\xC3\x9B'");
}

static void hash_tables(void **state) {
  (void)state;
  int32_t hash_table[256] = {0}, primes[1024] = {0};
  perlane_params standard = perlane_params_default(), params;
  standard.hash = PERLANE_HASH_TABLE;
  INIT_SAYS(hash_table, hash_table, NULL);
  static const int32_t not_bytes[] = {-1, 256, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < sizeof not_bytes / sizeof not_bytes[0]; i++)
    for (int place = 0; place < 256; place += 255) {
      char words[100];
      snprintf(words, sizeof words, "hash_table[%d] must be a whole number from 0 to 255, not %d",
               place, (int)not_bytes[i]);
      hash_table[place] = not_bytes[i];
      INIT_SAYS(hash_table, hash_table, words);
      hash_table[place] = 255;
      INIT_SAYS(hash_table, hash_table, NULL);
    }
  standard.hash = PERLANE_HASH_PRIMES;
  INIT_SAYS(hash_table, primes, NULL);
  primes[1023] = 256;
  INIT_SAYS(hash_table, primes, "hash_table[1023]");
  standard.hash = PERLANE_HASH_LATTICE; /* a table that is not used is not read */
  INIT_SAYS(hash_table, primes, NULL);
}

static const float BAD_COMPONENT[] = {NAN, INFINITY, -INFINITY, 1.0001e6f, -1.0001e6f};

static void gradient_tables(void **state) {
  (void)state;
  float vector[2 * 256] = {1, -1e6f};
  perlane_params standard = perlane_params_default(), params;
  standard.gradients = PERLANE_GRADIENTS_TABLE;
  standard.gradient_table = vector;
  standard.gradient_dims = 2;
  standard.gradient_count = 256;
  static const int32_t count[] = {0, 1, -1, 257, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < sizeof count / sizeof count[0]; i++)
    INIT_SAYS(gradient_count, count[i], "gradient_table must have 2 to 256 vectors, not ");
  static const int32_t dims[] = {0, -1, 5, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < sizeof dims / sizeof dims[0]; i++)
    INIT_SAYS(gradient_dims, dims[i], "vectors of gradient_table must have 1 to 4 components");
  INIT_SAYS(gradient_count, 2, NULL);
  INIT_SAYS(gradient_count, 256, NULL);
  for (size_t i = 0; i < sizeof BAD_COMPONENT / sizeof BAD_COMPONENT[0]; i++) {
    vector[511] = BAD_COMPONENT[i];
    INIT_SAYS(gradient_count, 256, "y of gradient_table[255] must be a number from -1000000 to");
    INIT_SAYS(gradient_count, 255, NULL);        /* not one of them */
    INIT_SAYS(basis, PERLANE_BASIS_VALUE, NULL); /* not looked at */
  }
  static const char short_ones[] = "the vectors of gradient_table are all 0, or too short";
  memset(vector, 0, sizeof vector);
  INIT_SAYS(gradient_count, 256, short_ones);
  vector[511] = 1e-40f;
  INIT_SAYS(gradient_count, 255, short_ones);
  for (size_t i = 0; i < sizeof vector / sizeof vector[0]; i++)
    vector[i] = i % 2 ? 1e-42f : 0; /* no float is large enough to bring these to [-1, 1] */
  INIT_SAYS(gradient_count, 256, short_ones);
  INIT_SAYS(normalize, PERLANE_NORMALIZE_OCTAVES, NULL);
  /* Values between 2 - 2^-58 and 2, which leave the range of float on their way. */
  vector[0] = 0x1p-60F;
  vector[1] = -0x1p-60F;
  standard.fractal = PERLANE_FRACTAL_RIDGED;
  standard.normalize = PERLANE_NORMALIZE_NONE;
  standard.gradient_dims = 1;
  standard.gradient_count = 2;
  standard.amplitude = 2;
  standard.value_offset = -0x1.8p127;
  INIT_SAYS(value_scale, 0x1.8p126, "values could exceed");
  standard.value_offset = -0x1.8p90;
  INIT_SAYS(value_scale, 0x1.8p89, NULL);
}

static void gradient_grids(void **state) {
  (void)state;
  float point[2 * 5 * 3] = {1, -1e6f};
  perlane_params standard = perlane_params_default(), params;
  standard.hash = PERLANE_HASH_GRID;
  standard.gradient_grid = point;
  standard.gradient_grid_count[0] = 5;
  standard.gradient_grid_count[1] = 3;
  INIT_SAYS(gradient_grid, point, NULL);
  static const char counts[] = "gradient_grid must have 1 to 1073741824 points, not ";
  static const int32_t count[] = {0, -1, INT32_MIN, INT32_MAX, PERLANE_MAX_PERIOD / 3 + 1};
  for (size_t i = 0; i < sizeof count / sizeof count[0]; i++) {
    INIT_SAYS(gradient_grid_count[0], count[i], counts);
    INIT_SAYS(gradient_grid_count[1], count[i], counts);
  }
  params = standard; /* the product wraps to 0, and to 1 */
  params.gradient_grid_count[0] = params.gradient_grid_count[1] = 65536;
  init_says(&params, counts);
  params.gradient_grid_count[0] = params.gradient_grid_count[1] = INT32_MAX;
  init_says(&params, counts);
  for (size_t i = 0; i < sizeof BAD_COMPONENT / sizeof BAD_COMPONENT[0]; i++) {
    point[29] = BAD_COMPONENT[i];
    INIT_SAYS(gradient_grid, point, "y of gradient_grid[2][4] must be a number from -1000000 to");
    INIT_SAYS(gradient_grid_count[1], 2, NULL); /* not one of them */
  }
  memset(point, 0, sizeof point);
  INIT_SAYS(gradient_grid, point, "the vectors of gradient_grid are all 0");
  point[29] = 1;
  INIT_SAYS(gradient_grid, point, NULL);
  for (int a = 0; a < 2; a++)
    INIT_SAYS(period[a], 5, "period must be 0 with hash=grid");
}

/* A look at twice the width has the values of the same places, bit for bit, where it has the same
 * octaves. */
static void looks(void **state) {
  (void)state;
  enum { SIDE = 33 };
  static float narrow[SIDE * SIDE], wide[SIDE * SIDE];
  perlane_params params, twice;
  int count = 0;
  for (; perlane_look_at(count); count++) {
    const perlane_look_record *look = perlane_look_at(count);
    assert_ptr_equal(perlane_look_find(look->name), look);
    assert_int_equal(perlane_look(&params, look->name, 512), PERLANE_OK);
    assert_int_equal(perlane_look(&twice, look->name, 1024), PERLANE_OK);
    const int shown = params.octaves + (params.valleys != 0 ? params.valley_octaves : 0);
    const int more = twice.octaves + (twice.valleys != 0 ? twice.valley_octaves : 0);
    assert_in_range(more, shown, shown + 1);
    twice.octaves = params.octaves;
    twice.valley_octaves = params.valley_octaves;
    const perlane_noise noise = noise_of(&params), larger = noise_of(&twice);
    perlane_grid grid = perlane_grid_make(SIDE, SIDE, 0, 0);
    grid.step[0] = grid.step[1] = 16;
    assert_int_equal(perlane_fill(&noise, &grid, narrow), PERLANE_OK);
    grid.step[0] = grid.step[1] = 32;
    assert_int_equal(perlane_fill(&larger, &grid, wide), PERLANE_OK);
    assert_memory_equal(narrow, wide, sizeof narrow);
    assert_int_equal(perlane_octaves_for(&noise, params.valleys != 0 ? 4 : 1), shown);
    assert_int_equal(perlane_look(&params, look->name, 4), PERLANE_OK); /* all are too fine */
    assert_true(params.valleys == 0 || params.valley_octaves == 2);
    assert_true(look->width > 0 && look->height >= 0);
    assert_int_equal(look->relief > 0, look->height > 0);
  }
  assert_in_range(count, 12, 17);
  assert_null(perlane_look_at(-1));
  assert_null(perlane_look_at(INT32_MAX));
  static const char *const unknown[] = {"", "Island", "island ", "sea"};
  static const double widths[] = {0, -1, 0.5, NAN, INFINITY, 0x1p54};
  fill_pattern(&params, sizeof params);
  memcpy(&twice, &params, sizeof params);
  for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
    assert_int_equal(perlane_look(&params, unknown[i], 512), PERLANE_ERROR_PRESET);
  for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
    assert_int_equal(perlane_look(&params, "island", widths[i]), PERLANE_ERROR_PARAMETER);
  assert_int_equal(perlane_look(&params, NULL, 512), PERLANE_ERROR_NULL);
  assert_int_equal(perlane_look(NULL, "island", 512), PERLANE_ERROR_NULL);
  assert_null(perlane_look_find(NULL));
  assert_memory_equal(&params, &twice, sizeof params);
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

/* Every kind of fill fails, and writes nothing; and so does the check, whose sentence begins so. */
static void fill_fails(const perlane_noise *noise, const perlane_grid *grid,
                       perlane_status expected, const char *words) {
  static struct outputs out, before;
  char message[PERLANE_MESSAGE_BYTES];
  fill_pattern(&out, sizeof out);
  before = out;
  status_is(perlane_grid_check(noise, grid), expected);
  const size_t length = perlane_explain_grid(noise, grid, message, sizeof message);
  assert_in_range(length, 10, sizeof message - 1);
  assert_int_equal(length, strlen(message));
  message[words ? strlen(words) : 0] = '\0';
  assert_string_equal(message, words ? words : "");
  float *const gradient[4] = {out.slope[0], out.slope[1], out.slope[2], out.slope[3]};
  status_is(perlane_fill(noise, grid, out.value), expected);
  status_is(perlane_fill_extremes(noise, grid, out.value, &out.smallest, &out.largest), expected);
  status_is(perlane_fill_gradient(noise, grid, out.value, gradient), expected);
  status_is(perlane_fill_gradient(noise, grid, NULL, gradient), expected);
  status_is(perlane_fill_u16(noise, grid, -1, 1, out.word), expected);
  status_is(perlane_fill_u8(noise, grid, -1, 1, out.byte), expected);
  assert_memory_equal(&out, &before, sizeof out);
}

/* A grid that is like a map of 8 x 8 but for one member fails, with these first words. */
#define FILL_FAILS(member, value, status, words)                                                   \
  do {                                                                                             \
    perlane_grid grid = good;                                                                      \
    grid.member = value;                                                                           \
    fill_fails(&noise, &grid, status, words);                                                      \
  } while (0)

static void grids_out_of_range(void **state) {
  (void)state;
  const perlane_noise noise = default_noise();
  const perlane_grid good = perlane_grid_make(8, 8, 0, 0);
  float out[SAMPLES];
  char message[PERLANE_MESSAGE_BYTES];
  perlane_noise raw;
  memset(&raw, 0, sizeof raw);
  assert_int_equal(perlane_grid_check(&noise, &good), PERLANE_OK);
  assert_int_equal(perlane_fill(&noise, &good, out), PERLANE_OK);
  assert_int_equal(perlane_explain_grid(&noise, &good, message, sizeof message), 0);
  assert_int_equal(perlane_fill(&noise, &good, NULL), PERLANE_ERROR_NULL);
  fill_fails(NULL, &good, PERLANE_ERROR_NULL, "a pointer is null");
  fill_fails(&noise, NULL, PERLANE_ERROR_NULL, "a pointer is null");
  fill_fails(&raw, &good, PERLANE_ERROR_NOISE, NULL);

  static const int32_t odd[] = {-1, 33, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < COUNT_OF(odd); i++) {
    FILL_FAILS(dims, odd[i], PERLANE_ERROR_DIMS, "dims must be from 1 to 4, not ");
    FILL_FAILS(octaves, odd[i], PERLANE_ERROR_OCTAVES, "octaves must be from 0 to 32, not ");
    FILL_FAILS(exact_strides, odd[i], PERLANE_ERROR_STRIDE, "exact_strides must be 0 or 1, not ");
  }
  FILL_FAILS(dims, 0, PERLANE_ERROR_DIMS, "dims must be from 1 to 4, not 0");
  FILL_FAILS(dims, 5, PERLANE_ERROR_DIMS, "dims must be from 1 to 4, not 5");
  FILL_FAILS(has_seed, 2, PERLANE_ERROR_LAYOUT, "has_seed must be 0 or 1, not 2");
  FILL_FAILS(reserved[2], 1, PERLANE_ERROR_LAYOUT,
             "a reserved member is not 0; start from perlane_grid_make()");
  FILL_FAILS(work_bytes, 4096, PERLANE_ERROR_NULL, "work is null, but work_bytes is 4096");
  perlane_grid endless = good;
  endless.work = out;
  endless.work_bytes = SIZE_MAX;
  fill_fails(&noise, &endless, PERLANE_ERROR_COUNT, "work_bytes is ");
  static const double step[] = {0, -0.0, NAN, INFINITY, -INFINITY};
  static const double origin[] = {NAN, INFINITY, -INFINITY, 1e30, -1e30, 1e308};
  for (int a = 0; a < 2; a++) {
    FILL_FAILS(count[a], 0, PERLANE_ERROR_COUNT,
               a ? "count along y must be from 1 to " : "count along x must");
    for (size_t i = 0; i < COUNT_OF(step); i++)
      FILL_FAILS(step[a], step[i], PERLANE_ERROR_STEP,
                 a ? "step along y must be a nonzero finite number, not " : "step along x");
    for (size_t i = 0; i < COUNT_OF(origin); i++)
      FILL_FAILS(origin[a], origin[i], PERLANE_ERROR_RANGE, NULL);
    FILL_FAILS(step[a], 1e300, PERLANE_ERROR_RANGE,
               a ? "sample 7 along y is at 7e300; " : "sample 7 along x ");
  }
  FILL_FAILS(count[1], PTRDIFF_MAX, PERLANE_ERROR_COUNT, "count along y must be at most ");
  FILL_FAILS(
      origin[1], 1e300, PERLANE_ERROR_RANGE,
      "sample 0 along y is at 1e300; positions must be within 900719925474099200 of 0, which "
      "is 2^53 cells at the highest frequency");
  FILL_FAILS(first[0], INT64_MAX - 6, PERLANE_ERROR_RANGE,
             "first along x must be at most 9223372036854775800 with a count of 8, not "
             "9223372036854775801");
  FILL_FAILS(stride[1], 7, PERLANE_ERROR_STRIDE, NULL); /* rows overlap by one sample */
  FILL_FAILS(stride[1], -7, PERLANE_ERROR_STRIDE,
             "stride along y must be at least 8 in magnitude, not -7, or samples overlap or "
             "interleave");
  FILL_FAILS(stride[1], PTRDIFF_MAX / 4, PERLANE_ERROR_STRIDE, "stride along y, ");
  perlane_grid grid = good;
  grid.stride[0] = 2; /* rows meet, which packed strides would not */
  grid.stride[1] = 8;
  fill_fails(&noise, &grid, PERLANE_ERROR_STRIDE, NULL);
  grid.count[0] = 3; /* rows interleave, and no two samples share a place */
  grid.count[1] = 2;
  grid.stride[1] = 3;
  fill_fails(&noise, &grid, PERLANE_ERROR_STRIDE, NULL);
  const perlane_params warp = parsed("warp_amplitude=1e300"), primes = parsed("hash=primes");
  const perlane_noise warped = noise_of(&warp), flat = noise_of(&primes);
  fill_fails(
      &warped, &good, PERLANE_ERROR_RANGE,
      "sample 0 along x is at 0; positions, which the warp moves by up to 1e300, must be within "
      "900719925474099200 of 0, which is 2^53 cells at the highest frequency");
  const perlane_grid volume = perlane_grid_make(4, 4, 4, 0);
  fill_fails(&flat, &volume, PERLANE_ERROR_FIELD_DIMS,
             "a field with hash=primes does not exist in 3 dimensions, only in 2");
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
      fill_fails(&noise, &grid, PERLANE_ERROR_RANGE, NULL);
      grid.origin[0] -= 4 * side; /* the last sample is outside, by its displacement */
      grid.step[0] = side;
      fill_fails(&noise, &grid, PERLANE_ERROR_RANGE, NULL);
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
  fill_fails(&noise, &grid, PERLANE_ERROR_RANGE, NULL);
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

/* Points, of floats and of doubles, with and without gradient, fail and write nothing. */
static void points_fail(const perlane_noise *noise, int32_t dims, size_t n,
                        const float *const *coords, perlane_status expected) {
  static struct outputs out, before;
  fill_pattern(&out, sizeof out);
  before = out;
  float *const gradient[4] = {out.slope[0], out.slope[1], out.slope[2], out.slope[3]};
  static const double wide[4] = {0.5, 1.5, 2.5, 3.5};
  const double *coords64[4] = {NULL};
  for (int a = 0; a < 4 && coords; a++)
    coords64[a] = coords[a] ? wide : NULL;
  const double *const *const doubles = coords ? coords64 : NULL;
  status_is(points_of_doubles(noise, dims, n, doubles, out.value, NULL), expected);
  status_is(points_of_doubles(noise, dims, n, doubles, out.value, gradient), expected);
  status_is(points_of_doubles(noise, dims, n, doubles, NULL, gradient), expected);
  status_is(points_of(noise, dims, n, NULL, coords, out.value, NULL), expected);
  status_is(points_of(noise, dims, n, NULL, coords, out.value, gradient), expected);
  status_is(points_of(noise, dims, n, NULL, coords, NULL, gradient), expected);
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
  points_fail(&noise, 2, PTRDIFF_MAX / 4 + 1, coords, PERLANE_ERROR_COUNT);
  points_fail(&raw, 2, 4, coords, PERLANE_ERROR_NOISE);
  points_fail(&noise, 2, 0, coords, PERLANE_OK);
  points_fail(&noise, 2, 0, NULL, PERLANE_OK);
  assert_int_equal(points_of(&noise, 2, 0, NULL, NULL, NULL, NULL), PERLANE_OK);
  assert_int_equal(points_of(&noise, 2, 4, NULL, coords, NULL, NULL), PERLANE_ERROR_NULL);
  const double *const wide[] = {&(double){0.5}, &(double){1.5}};
  assert_int_equal(points_of_doubles(&noise, 2, 1, wide, NULL, NULL), PERLANE_ERROR_NULL);
  assert_int_equal(points_of_doubles(&noise, 2, PTRDIFF_MAX / 8 + 1, wide, out, NULL),
                   PERLANE_ERROR_COUNT);
  gradient[1] = NULL;
  assert_int_equal(points_of_doubles(&noise, 2, 1, wide, out, gradient), PERLANE_ERROR_NULL);
  assert_int_equal(points_of(&noise, 2, 4, NULL, coords, out, gradient), PERLANE_ERROR_NULL);
  gradient[1] = slope[1];
  /* Points outside the domain are not an error. */
  assert_int_equal(points_of(&noise, 2, 4, NULL, coords, out, NULL), PERLANE_OK);
  assert_true(out[0] >= -1 && out[0] <= 1);
  for (int i = 1; i < 4; i++)
    assert_int_equal(bits_of(out[i]), 0x7FC00000);
  memset(out, 0, sizeof out);
  assert_int_equal(points_of(&noise, 2, 4, NULL, coords, out, gradient), PERLANE_OK);
  assert_true(out[0] >= -1 && out[0] <= 1 && slope[0][0] - slope[0][0] == 0);
  for (int i = 1; i < 4; i++) {
    assert_int_equal(bits_of(out[i]), 0x7FC00000);
    assert_int_equal(bits_of(slope[0][i]), 0x7FC00000);
    assert_int_equal(bits_of(slope[1][i]), 0x7FC00000);
  }
}

/* A list fails and writes nothing. */
static void list_fails(const perlane_noise *noise, const perlane_list *list,
                       perlane_status expected) {
  static struct outputs out, before;
  fill_pattern(&out, sizeof out);
  before = out;
  float *const gradient[4] = {out.slope[0], out.slope[1], out.slope[2], out.slope[3]};
  status_is(perlane_points(noise, list, out.value, NULL), expected);
  status_is(perlane_points(noise, list, out.value, gradient), expected);
  status_is(perlane_points(noise, list, NULL, gradient), expected);
  assert_memory_equal(&out, &before, sizeof out);
}

static void lists_are_refused(void **state) {
  (void)state;
  const perlane_noise noise = default_noise();
  const float vertex[2][2] = {{0.5f, 1}, {2, 3}};
  const double wide[2][2] = {{0.5, 1}, {2, 3}};
  const perlane_list floats = {
      .dims = 2, .count = 2, .stride = 2, .coords = {&vertex[0][0], &vertex[0][1]}};
  const perlane_list doubles = {
      .dims = 2, .count = 2, .stride = 2, .coords64 = {&wide[0][0], &wide[0][1]}};
  perlane_noise raw;
  memset(&raw, 0, sizeof raw);
  list_fails(NULL, &floats, PERLANE_ERROR_NULL);
  list_fails(&noise, NULL, PERLANE_ERROR_NULL);
  list_fails(&raw, &floats, PERLANE_ERROR_NOISE);
  for (int is_double = 0; is_double < 2; is_double++) {
    const perlane_list list = is_double ? doubles : floats;
    const uint64_t limit = PTRDIFF_MAX / (is_double ? sizeof(double) : sizeof(float));
    float value[2];
    perlane_list bad = list;
    bad.dims = 0;
    list_fails(&noise, &bad, PERLANE_ERROR_DIMS);
    bad.dims = 5;
    list_fails(&noise, &bad, PERLANE_ERROR_DIMS);
    bad.dims = 3;
    list_fails(&noise, &bad, PERLANE_ERROR_NULL);
    bad = list;
    bad.octaves = -1;
    list_fails(&noise, &bad, PERLANE_ERROR_OCTAVES);
    bad.octaves = PERLANE_MAX_OCTAVES + 1;
    list_fails(&noise, &bad, PERLANE_ERROR_OCTAVES);
    bad = list;
    bad.count = limit + 1;
    list_fails(&noise, &bad, PERLANE_ERROR_COUNT);
    bad.count = UINT64_MAX;
    list_fails(&noise, &bad, PERLANE_ERROR_COUNT);
    bad.count = limit;
    list_fails(&noise, &bad, PERLANE_ERROR_STRIDE);
    bad = list;
    bad.stride = (int64_t)(limit / 2) + 1;
    list_fails(&noise, &bad, PERLANE_ERROR_STRIDE);
    bad.stride = -bad.stride;
    list_fails(&noise, &bad, PERLANE_ERROR_STRIDE);
    bad.stride = INT64_MIN;
    list_fails(&noise, &bad, PERLANE_ERROR_STRIDE);
    for (size_t i = 0; i < COUNT_OF(bad.reserved); i++) {
      bad = list;
      bad.reserved[i] = &bad;
      list_fails(&noise, &bad, PERLANE_ERROR_LAYOUT);
    }
    bad = list;
    bad.coords[0] = &vertex[0][0];
    bad.coords64[0] = &wide[0][0];
    list_fails(&noise, &bad, PERLANE_ERROR_COORDS);
    bad = list;
    bad.origin = wide[0];
    if (is_double)
      list_fails(&noise, &bad, PERLANE_ERROR_COORDS);
    bad = list;
    bad.count = 0;
    list_fails(&noise, &bad, PERLANE_OK);
    status_is(perlane_points(&noise, &list, NULL, NULL), PERLANE_ERROR_NULL);
    status_is(perlane_points(&noise, &list, value, NULL), PERLANE_OK);
    for (int i = 0; i < 2; i++)
      assert_int_equal(bits_of(value[i]), bits_of(perlane_at(&noise, 2, wide[i])));
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
  static const double warp[][2] = {{0, 1},        {0, 1},        {0, 1},
                                   {1e40, 1e-40}, {1e-60, 1e60}, {1e-24, 1e29}};
  for (int i = 0; i < (int)COUNT_OF(warp); i++) {
    perlane_params params = perlane_params_default();
    params.frequency = i == 0 ? 1e39 : i == 1 ? 1e30 : i == 3 ? 1e-40 : 1;
    params.warp_amplitude = warp[i][0];
    params.warp_frequency = warp[i][1];
    params.warp_rounds = i == 5 ? 3 : 1; /* the last of which multiplies derivatives by 1e41 */
    params.value_scale = i == 1 ? 1e10 : 1;
    params.octaves = i == 2 ? 3 : 1;
    params.lacunarity = 1e20;
    params.phase = PERLANE_PHASE_NONE;
    const perlane_noise noise = noise_of(&params);
    perlane_grid grid = perlane_grid_make(8, 8, 0, 0);
    grid.step[0] = grid.step[1] = i < 4 ? 1e-40 : 1e-60;
    float value[SAMPLES], coordinate[SAMPLES] = {0}, slope[2][SAMPLES], before[SAMPLES];
    const float *coords[2] = {coordinate, coordinate};
    float *const gradient[2] = {slope[0], slope[1]};
    assert_int_equal(perlane_fill(&noise, &grid, value), PERLANE_OK);
    assert_int_equal(points_of(&noise, 2, SAMPLES, NULL, coords, value, NULL), PERLANE_OK);
    fill_pattern(value, sizeof value);
    memcpy(before, value, sizeof value);
    fill_pattern(slope, sizeof slope);
    status_is(perlane_fill_gradient(&noise, &grid, value, gradient), PERLANE_ERROR_STEEP);
    status_is(points_of(&noise, 2, SAMPLES, NULL, coords, value, gradient), PERLANE_ERROR_STEEP);
    const double zeros[SAMPLES] = {0}, *const coords64[2] = {zeros, zeros};
    status_is(points_of_doubles(&noise, 2, SAMPLES, coords64, value, gradient),
              PERLANE_ERROR_STEEP);
    assert_memory_equal(value, before, sizeof value);
    assert_memory_equal(slope[0], before, sizeof value);
    const double position[2] = {0, 0};
    float at[2];
    assert_true(perlane_at(&noise, 2, position) == 0 || i == 3);
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
    status_is(points_of(&noise, dims, 4, NULL, coords, value, NULL), PERLANE_OK);
    assert_true(perlane_at(&noise, dims, position) >= low);
    if (has_gradient(params))
      assert_true(perlane_at_gradient(&noise, dims, position, slope) >= low);
    return;
  }
  status_is(perlane_range(&noise, dims, &low, &high), PERLANE_ERROR_FIELD_DIMS);
  assert_true(low == 5 && high == 6);
  fill_fails(&noise, &grid, PERLANE_ERROR_FIELD_DIMS, NULL);
  points_fail(&noise, dims, 4, coords, PERLANE_ERROR_FIELD_DIMS);
  assert_int_equal(bits_of(perlane_at(&noise, dims, position)), 0x7FC00000);
  assert_int_equal(bits_of(perlane_at_gradient(&noise, dims, position, slope)), 0x7FC00000);
  for (int a = 0; a < 4; a++)
    assert_true(slope[a] == 7);
}

/* Fields exist in the dimensions of the records of options; with a table, in those of its vectors.
 */
static void dims_of_fields(void **state) {
  (void)state;
  static const char *const with_dims[] = {"basis", "hash", "gradients", "fractal", "normalize"};
  for (int dims = 1; dims <= PERLANE_MAX_DIMS; dims++) {
    for (size_t i = 0; i < COUNT_OF(with_dims); i++) {
      const perlane_option *option = perlane_option_find(with_dims[i]);
      for (int c = 0; c < option->choice_count; c++) {
        perlane_params params = perlane_params_default();
        assert_int_equal(perlane_params_set(&params, option->name, option->choices[c].name),
                         PERLANE_OK);
        give_tables(&params, dims);
        field_has_dims(&params, dims, option->choices[c].dims >> (dims - 1) & 1);
        params.basis = PERLANE_BASIS_VALUE; /* which has no gradients */
        if (params.hash == PERLANE_HASH_LATTICE)
          field_has_dims(&params, dims, 1);
      }
    }
    perlane_params params = parsed("gradients=table");
    give_tables(&params, dims % PERLANE_MAX_DIMS + 1);
    field_has_dims(&params, dims, 0);
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
  grid.work = NULL;
  grid.work_bytes = 0;
  grid.octaves = grid.has_seed = 0;
  memset(grid.reserved, 0, sizeof grid.reserved);
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
      cmocka_unit_test(options_together),
      cmocka_unit_test(other_members),
      cmocka_unit_test(hash_tables),
      cmocka_unit_test(gradient_tables),
      cmocka_unit_test(gradient_grids),
      cmocka_unit_test(warps_leave_the_domain),
      cmocka_unit_test(presets),
      cmocka_unit_test(looks),
      cmocka_unit_test(grids_out_of_range),
      cmocka_unit_test(levels_out_of_range),
      cmocka_unit_test(outputs_missing),
      cmocka_unit_test(points_out_of_range),
      cmocka_unit_test(lists_are_refused),
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
