/* SPDX-License-Identifier: MIT
 *
 * Errors that cases.txt cannot have: tables, null pointers, memory that is no noise, members that
 * no text has, and lists of points. Outputs stay unchanged.
 */
#include "../src/field.h"
#include "calls.h"

#include <math.h>

enum { SAMPLES = 64 };

/* A field that is like `standard` but for one member: perlane_init says these words, or accepts it.
 */
#define INIT_SAYS(member, value, words)                                                            \
  do {                                                                                             \
    params = standard;                                                                             \
    params.member = value;                                                                         \
    init_says(&params, words);                                                                     \
  } while (0)

static void hash_tables(void **state) {
  (void)state;
  int32_t hash_table[256] = {0}, primes[1024] = {0};
  perlane_params standard = perlane_params_default(), params;
  standard.hash = PERLANE_HASH_TABLE;
  INIT_SAYS(hash_table, hash_table, NULL);
  static const int32_t not_bytes[] = {-1, 256, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < COUNT_OF(not_bytes); i++)
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
  for (size_t i = 0; i < COUNT_OF(count); i++)
    INIT_SAYS(gradient_count, count[i], "gradient_table must have 2 to 256 vectors, not ");
  static const int32_t dims[] = {0, -1, 5, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < COUNT_OF(dims); i++)
    INIT_SAYS(gradient_dims, dims[i], "vectors of gradient_table must have 1 to 4 components");
  INIT_SAYS(gradient_count, 2, NULL);
  INIT_SAYS(gradient_count, 256, NULL);
  for (size_t i = 0; i < COUNT_OF(BAD_COMPONENT); i++) {
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
  for (size_t i = 0; i < COUNT_OF(vector); i++)
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
  for (size_t i = 0; i < COUNT_OF(count); i++) {
    INIT_SAYS(gradient_grid_count[0], count[i], counts);
    INIT_SAYS(gradient_grid_count[1], count[i], counts);
  }
  params = standard; /* the product wraps to 0, and to 1 */
  params.gradient_grid_count[0] = params.gradient_grid_count[1] = 65536;
  init_says(&params, counts);
  params.gradient_grid_count[0] = params.gradient_grid_count[1] = INT32_MAX;
  init_says(&params, counts);
  for (size_t i = 0; i < COUNT_OF(BAD_COMPONENT); i++) {
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
    assert_ok(perlane_look(&params, look->name, 512));
    assert_ok(perlane_look(&twice, look->name, 1024));
    const int shown = params.octaves + (params.valleys != 0 ? params.valley_octaves : 0);
    const int more = twice.octaves + (twice.valleys != 0 ? twice.valley_octaves : 0);
    assert_in_range(more, shown, shown + 1);
    twice.octaves = params.octaves;
    twice.valley_octaves = params.valley_octaves;
    const perlane_noise noise = noise_of(&params), larger = noise_of(&twice);
    perlane_grid grid = perlane_grid_make(SIDE, SIDE, 0, 0);
    grid.step[0] = grid.step[1] = 16;
    assert_ok(perlane_fill(&noise, &grid, narrow));
    grid.step[0] = grid.step[1] = 32;
    assert_ok(perlane_fill(&larger, &grid, wide));
    assert_memory_equal(narrow, wide, sizeof narrow);
    assert_int_equal(perlane_field_shown(&noise, params.valleys != 0 ? 4 : 1), shown);
    assert_ok(perlane_look(&params, look->name, 4)); /* all are too fine */
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
  for (size_t i = 0; i < COUNT_OF(unknown); i++)
    assert_refused(PRESET, perlane_look(&params, unknown[i], 512));
  for (size_t i = 0; i < COUNT_OF(widths); i++)
    assert_refused(PARAMETER, perlane_look(&params, "island", widths[i]));
  assert_refused(NULL, perlane_look(&params, NULL, 512));
  assert_refused(NULL, perlane_look(NULL, "island", 512));
  assert_null(perlane_look_find(NULL));
  assert_memory_equal(&params, &twice, sizeof params);
}

/* Everything that a fill writes to. */
struct outputs {
  float value[SAMPLES], slope[4][SAMPLES], smallest, largest;
  uint16_t word[SAMPLES];
  uint8_t byte[SAMPLES];
};

/* Every kind of fill fails; the sentence begins so. */
static void fill_fails(const perlane_noise *noise, const perlane_grid *grid,
                       perlane_status expected, const char *words) {
  char sentence[PERLANE_MESSAGE_BYTES];
  assert_int_equal(refused_grid(noise, grid, sentence), expected);
  if (words)
    assert_int_equal(strncmp(sentence, words, strlen(words)), 0);
}

/* A grid that is like a map of 8 x 8 but for one member. */
#define FILL_FAILS(member, value, status, words)                                                   \
  do {                                                                                             \
    perlane_grid grid = good;                                                                      \
    grid.member = value;                                                                           \
    fill_fails(&noise, &grid, status, words);                                                      \
  } while (0)

static void members_without_texts(void **state) {
  (void)state;
  static const perlane_noise raw;
  const perlane_noise noise = noise_from("");
  perlane_params reserved[2 + COUNT_OF(((perlane_params *)NULL)->reserved)];
  for (size_t i = 0; i < COUNT_OF(reserved); i++) {
    reserved[i] = perlane_params_default();
    if (i < 2)
      reserved[i].reserved2 = i == 0 ? &noise : NULL;
    else
      reserved[i].reserved[i - 2] = UINT64_C(1) << 63;
    reserved[i].reserved0 = i == 1;
    init_fails(&reserved[i], PERLANE_ERROR_LAYOUT, "a reserved member is not 0");
  }
  const perlane_grid good = perlane_grid_make(8, 8, 0, 0);
  fill_fails(NULL, &good, PERLANE_ERROR_NULL, "a pointer is null");
  fill_fails(&noise, NULL, PERLANE_ERROR_NULL, "a pointer is null");
  fill_fails(&raw, &good, PERLANE_ERROR_NOISE, NULL);
  FILL_FAILS(exact_strides, -1, PERLANE_ERROR_STRIDE, "exact_strides must be 0 or 1, not -1");
  FILL_FAILS(exact_strides, 2, PERLANE_ERROR_STRIDE, "exact_strides must be 0 or 1, not 2");
  FILL_FAILS(has_seed, 2, PERLANE_ERROR_LAYOUT, "has_seed must be 0 or 1, not 2");
  FILL_FAILS(reserved[2], 1, PERLANE_ERROR_LAYOUT,
             "a reserved member is not 0; start from perlane_grid_make()");
  FILL_FAILS(work_bytes, 4096, PERLANE_ERROR_NULL, "work is null, but work_bytes is 4096");
  perlane_grid endless = good;
  endless.work = reserved;
  endless.work_bytes = SIZE_MAX;
  fill_fails(&noise, &endless, PERLANE_ERROR_COUNT, "work_bytes is ");
}

static void null_pointers(void **state) {
  (void)state;
  static const perlane_noise raw;
  const perlane_noise noise = noise_from("");
  const perlane_params params = perlane_params_default();
  perlane_noise other = noise;
  assert_refused(NULL, perlane_init(NULL, &params));
  assert_refused(NULL, perlane_init(&other, NULL));
  assert_refused(NULL, perlane_init_text(NULL, ""));
  assert_refused(NULL, perlane_init_text(&other, NULL));
  assert_refused(NULL, perlane_reseed(NULL, 1));
  assert_refused(NULL, perlane_limit_octaves(NULL, 1));
  static const int32_t octaves[] = {0, -1, PERLANE_MAX_OCTAVES + 1};
  for (size_t i = 0; i < COUNT_OF(octaves); i++)
    assert_refused(OCTAVES, perlane_limit_octaves(&other, octaves[i]));
  assert_ok(perlane_limit_octaves(&other, PERLANE_MAX_OCTAVES));
  assert_memory_equal(&other, &noise, sizeof other);
  other = raw;
  assert_refused(NOISE, perlane_reseed(&other, 1));
  assert_refused(NOISE, perlane_limit_octaves(&other, 1));
  assert_memory_equal(&other, &raw, sizeof other);
  float low = 5, high = 6;
  assert_refused(NULL, perlane_range(NULL, 2, &low, &high));
  assert_refused(NULL, perlane_range(&noise, 2, NULL, &high));
  assert_refused(NULL, perlane_range(&noise, 2, &low, NULL));
  assert_refused(NOISE, perlane_range(&raw, 2, &low, &high));
  assert_true(low == 5 && high == 6);
  const double position[4] = {1.5, 2.5, 3.5, 4.5}, outside[2] = {1, INFINITY};
  float gradient[4], before[4];
  fill_pattern(gradient, sizeof gradient);
  memcpy(before, gradient, sizeof gradient);
  const struct {
    const perlane_noise *noise;
    int32_t dims;
    const double *position;
  } NOTHING[] = {{NULL, 2, position},
                 {&noise, 2, NULL},
                 {&noise, 0, position},
                 {&noise, 5, position},
                 {&raw, 2, position}};
  for (size_t i = 0; i < COUNT_OF(NOTHING); i++) {
    const float value = perlane_at(NOTHING[i].noise, NOTHING[i].dims, NOTHING[i].position);
    const float sloped =
        perlane_at_gradient(NOTHING[i].noise, NOTHING[i].dims, NOTHING[i].position, gradient);
    assert_true(bits_of(value) == 0x7FC00000 && bits_of(sloped) == 0x7FC00000);
  }
  assert_int_equal(bits_of(perlane_at_gradient(&noise, 2, position, NULL)), 0x7FC00000);
  assert_memory_equal(gradient, before, sizeof gradient);
  perlane_at_gradient(&noise, 2, outside, gradient);
  assert_memory_equal(gradient + 2, before + 2, 2 * sizeof(float)); /* as many as dims */
}

static void outputs_missing(void **state) {
  (void)state;
  const perlane_noise noise = noise_from("");
  const perlane_grid grid = perlane_grid_make(8, 8, 0, 0);
  static struct outputs out, before;
  float *const slopes[2] = {out.slope[0], out.slope[1]}; /* as many as the grid has axes */
  float *const no_x[2] = {NULL, slopes[1]}, *const no_y[2] = {slopes[0], NULL};
  fill_pattern(&out, sizeof out);
  before = out;
  assert_refused(NULL, perlane_fill(&noise, &grid, NULL));
  assert_refused(NULL, perlane_fill_u16(&noise, &grid, -1, 1, NULL));
  assert_refused(NULL, perlane_fill_u8(&noise, &grid, -1, 1, NULL));
  assert_refused(NULL, perlane_fill_extremes(&noise, &grid, NULL, &out.smallest, &out.largest));
  assert_refused(NULL, perlane_fill_extremes(&noise, &grid, out.value, NULL, &out.largest));
  assert_refused(NULL, perlane_fill_extremes(&noise, &grid, out.value, &out.smallest, NULL));
  assert_refused(NULL, perlane_fill_gradient(&noise, &grid, out.value, NULL));
  assert_refused(NULL, perlane_fill_gradient(&noise, &grid, out.value, no_x));
  assert_refused(NULL, perlane_fill_gradient(&noise, &grid, out.value, no_y));
  assert_memory_equal(&out, &before, sizeof out);
  assert_ok(perlane_fill_gradient(&noise, &grid, NULL, slopes));
}

/* A list fails and writes nothing. */
static void list_fails(const perlane_noise *noise, const perlane_list *list,
                       perlane_status expected) {
  static struct outputs out, before;
  fill_pattern(&out, sizeof out);
  before = out;
  float *const gradient[4] = {out.slope[0], out.slope[1], out.slope[2], out.slope[3]};
  assert_int_equal(perlane_points(noise, list, out.value, NULL), expected);
  assert_int_equal(perlane_points(noise, list, out.value, gradient), expected);
  assert_int_equal(perlane_points(noise, list, NULL, gradient), expected);
  assert_memory_equal(&out, &before, sizeof out);
}

static void lists_are_refused(void **state) {
  (void)state;
  enum { SHOWN = PERLANE_OCTAVES_SHOWN };
  static const perlane_noise raw;
  static const float vertex[2][2] = {{0.5f, 1}, {2, 3}};
  static const double wide[2][2] = {{0.5, 1}, {2, 3}};
  const perlane_noise noise = noise_from("");
  for (int is_double = 0; is_double < 2; is_double++) {
    const uint64_t limit = PTRDIFF_MAX / (is_double ? sizeof(double) : sizeof(float));
    const int64_t half = (int64_t)(limit / 2) + 1;
    const struct {
      int32_t dims, octaves;
      double step;
      uint64_t count;
      int64_t stride;
      perlane_status status;
    } CASES[] = {
        {0, 0, 1, 2, 2, PERLANE_ERROR_DIMS},
        {5, 0, 1, 2, 2, PERLANE_ERROR_DIMS},
        {3, 0, 1, 2, 2, PERLANE_ERROR_NULL},
        {2, SHOWN - 1, 1, 2, 2, PERLANE_ERROR_OCTAVES},
        {2, PERLANE_MAX_OCTAVES + 1, 1, 2, 2, PERLANE_ERROR_OCTAVES},
        {2, SHOWN, 0, 2, 2, PERLANE_ERROR_STEP},
        {2, SHOWN, -0.0, 2, 2, PERLANE_ERROR_STEP},
        {2, SHOWN, -INFINITY, 2, 2, PERLANE_ERROR_STEP},
        {2, SHOWN, NAN, 2, 2, PERLANE_ERROR_STEP},
        {2, 0, 1, UINT64_MAX, 2, PERLANE_ERROR_COUNT},
        {2, 0, 1, limit + 1, 2, PERLANE_ERROR_COUNT},
        {2, 0, 1, limit, 2, PERLANE_ERROR_STRIDE},
        {2, 0, 1, 2, half, PERLANE_ERROR_STRIDE},
        {2, 0, 1, 2, -half, PERLANE_ERROR_STRIDE},
        {2, 0, 1, 2, INT64_MIN, PERLANE_ERROR_STRIDE},
        {2, 0, 1, 0, 2, PERLANE_OK}, /* and writes nothing */
    };
    perlane_list good = {.dims = 2, .count = 2, .stride = 2}, bad;
    float value[2], *const missing[] = {value, NULL};
    for (int a = 0; a < 2; a++) {
      good.coords[a] = is_double ? NULL : &vertex[0][a];
      good.coords64[a] = is_double ? &wide[0][a] : NULL;
    }
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
      bad = good;
      bad.dims = CASES[i].dims;
      bad.octaves = CASES[i].octaves;
      bad.step = CASES[i].step;
      bad.count = CASES[i].count;
      bad.stride = CASES[i].stride;
      list_fails(&noise, &bad, CASES[i].status);
    }
    for (size_t i = 0; i < COUNT_OF(bad.reserved); i++) {
      bad = good;
      bad.reserved[i] = &bad;
      list_fails(&noise, &bad, PERLANE_ERROR_LAYOUT);
    }
    bad = good;
    bad.coords[0] = &vertex[0][0];
    bad.coords64[0] = &wide[0][0];
    list_fails(&noise, &bad, PERLANE_ERROR_COORDS);
    bad = good;
    bad.origin = wide[0];
    if (is_double)
      list_fails(&noise, &bad, PERLANE_ERROR_COORDS);
    list_fails(NULL, &good, PERLANE_ERROR_NULL);
    list_fails(&noise, NULL, PERLANE_ERROR_NULL);
    list_fails(&raw, &good, PERLANE_ERROR_NOISE);
    assert_refused(NULL, perlane_points(&noise, &good, NULL, NULL));
    assert_refused(NULL, perlane_points(&noise, &good, value, missing));
    assert_ok(perlane_points(&noise, &good, value, NULL));
    for (int i = 0; i < 2; i++)
      assert_int_equal(bits_of(value[i]), bits_of(perlane_at(&noise, 2, wide[i])));
  }
}

/* Each function knows in how many dimensions a field exists. */
static void exists_in(const perlane_params *params, int dims, int exists) {
  static const float x[4] = {0.1f, 0.2f, 0.3f, 0.4f};
  static const double position[4] = {0.1, 0.2, 0.3, 0.4};
  const perlane_list list = {.dims = dims, .count = 4, .coords = {x, x, x, x}};
  const perlane_noise noise = noise_of(params);
  perlane_grid grid = perlane_grid_make(4, 3, 2, 2);
  float out[4], slope[4], low = 5, high = 6;
  grid.dims = dims;
  assert_int_equal(perlane_range(&noise, dims, &low, &high),
                   exists ? PERLANE_OK : PERLANE_ERROR_FIELD_DIMS);
  assert_int_equal(isnan(perlane_at(&noise, dims, position)), !exists);
  assert_int_equal(isnan(perlane_at_gradient(&noise, dims, position, slope)),
                   !exists || !has_gradient(params));
  if (exists) {
    assert_ok(perlane_grid_check(&noise, &grid));
    assert_ok(perlane_points(&noise, &list, out, NULL));
  } else {
    assert_true(low == 5 && high == 6);
    fill_fails(&noise, &grid, PERLANE_ERROR_FIELD_DIMS, NULL);
    list_fails(&noise, &list, PERLANE_ERROR_FIELD_DIMS);
  }
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
        assert_ok(perlane_params_set(&params, option->name, option->choices[c].name));
        give_tables(&params, dims);
        exists_in(&params, dims, option->choices[c].dims >> (dims - 1) & 1);
        params.basis = PERLANE_BASIS_VALUE; /* which has no gradients */
        if (params.hash == PERLANE_HASH_LATTICE)
          exists_in(&params, dims, 1);
      }
    }
    perlane_params params = parsed("gradients=table");
    give_tables(&params, dims % PERLANE_MAX_DIMS + 1);
    exists_in(&params, dims, 0);
  }
}

/* Axes that a grid does not have hold junk. */
static void unused_axes_are_ignored(void **state) {
  (void)state;
  const perlane_noise noise = noise_from("");
  const perlane_grid plain = perlane_grid_make(4, 0, 0, 0);
  perlane_grid grid = plain;
  float out[4], expected[4];
  for (int a = 1; a < PERLANE_MAX_DIMS; a++) {
    memset(&grid.first[a], 0xFF, sizeof grid.first[a]);
    memset(&grid.count[a], 0xFF, sizeof grid.count[a]);
    memset(&grid.origin[a], 0xFF, sizeof grid.origin[a]);
    memset(&grid.step[a], 0xFF, sizeof grid.step[a]);
    memset(&grid.stride[a], 0xFF, sizeof grid.stride[a]);
  }
  assert_ok(perlane_fill(&noise, &grid, out));
  assert_ok(perlane_fill(&noise, &plain, expected));
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
  assert_string_equal(perlane_version(), PERLANE_VERSION);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hash_tables),
      cmocka_unit_test(gradient_tables),
      cmocka_unit_test(gradient_grids),
      cmocka_unit_test(looks),
      cmocka_unit_test(members_without_texts),
      cmocka_unit_test(null_pointers),
      cmocka_unit_test(outputs_missing),
      cmocka_unit_test(lists_are_refused),
      cmocka_unit_test(dims_of_fields),
      cmocka_unit_test(unused_axes_are_ignored),
      cmocka_unit_test(every_status_has_a_text),
  };
  return cmocka_run_group_tests_name("errors", tests, NULL, NULL);
}
