/* SPDX-License-Identifier: MIT
 *
 * Errors that cases.txt cannot have: tables, null pointers, memory that is no noise, members that
 * no text has, and lists of points. Outputs stay unchanged.
 */
#include "../src/field.h"
#include "support.h"

#include <math.h>

enum { SAMPLES = 64 };

static perlane_noise default_noise(void) {
  const perlane_params params = perlane_params_default();
  return noise_of(&params);
}

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
    assert_int_equal(perlane_field_shown(&noise, params.valleys != 0 ? 4 : 1), shown);
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
  const perlane_noise noise = default_noise();
  const perlane_params standard = perlane_params_default();
  perlane_params params = standard;
  params.reserved0 = 1;
  init_fails(&params, PERLANE_ERROR_LAYOUT, "a reserved member is not 0");
  params = standard;
  params.reserved2 = &params;
  init_fails(&params, PERLANE_ERROR_LAYOUT, "a reserved member is not 0");
  for (size_t i = 0; i < COUNT_OF(params.reserved); i++) {
    params = standard;
    params.reserved[i] = UINT64_C(1) << 63;
    init_fails(&params, PERLANE_ERROR_LAYOUT, "a reserved member is not 0");
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
  endless.work = &params;
  endless.work_bytes = SIZE_MAX;
  fill_fails(&noise, &endless, PERLANE_ERROR_COUNT, "work_bytes is ");
}

static void null_pointers(void **state) {
  (void)state;
  static const perlane_noise raw;
  const perlane_noise noise = default_noise();
  const perlane_params params = perlane_params_default();
  perlane_noise other;
  assert_int_equal(perlane_init(NULL, &params), PERLANE_ERROR_NULL);
  assert_int_equal(perlane_init(&other, NULL), PERLANE_ERROR_NULL);
  assert_int_equal(perlane_init_text(NULL, ""), PERLANE_ERROR_NULL);
  assert_int_equal(perlane_init_text(&other, NULL), PERLANE_ERROR_NULL);
  float low = 5, high = 6;
  status_is(perlane_range(NULL, 2, &low, &high), PERLANE_ERROR_NULL);
  status_is(perlane_range(&noise, 2, NULL, &high), PERLANE_ERROR_NULL);
  status_is(perlane_range(&noise, 2, &low, NULL), PERLANE_ERROR_NULL);
  status_is(perlane_range(&raw, 2, &low, &high), PERLANE_ERROR_NOISE);
  assert_true(low == 5 && high == 6);
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
      perlane_at_gradient(NULL, 2, position, gradient),
      perlane_at_gradient(&noise, 2, NULL, gradient),
      perlane_at_gradient(&noise, 2, position, NULL),
      perlane_at_gradient(&noise, 0, position, gradient),
      perlane_at_gradient(&noise, 5, position, gradient),
  };
  for (size_t i = 0; i < COUNT_OF(bad); i++)
    assert_int_equal(bits_of(bad[i]), 0x7FC00000);
  assert_memory_equal(gradient, before, sizeof gradient);
  perlane_at_gradient(&noise, 2, outside, gradient);
  assert_memory_equal(gradient + 2, before + 2, 2 * sizeof(float)); /* as many as dims */
}

static void outputs_missing(void **state) {
  (void)state;
  const perlane_noise noise = default_noise();
  const perlane_grid grid = perlane_grid_make(8, 8, 0, 0);
  static struct outputs out, before;
  fill_pattern(&out, sizeof out);
  before = out;
  status_is(perlane_fill(&noise, &grid, NULL), PERLANE_ERROR_NULL);
  status_is(perlane_fill_u16(&noise, &grid, -1, 1, NULL), PERLANE_ERROR_NULL);
  status_is(perlane_fill_u8(&noise, &grid, -1, 1, NULL), PERLANE_ERROR_NULL);
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
    bad.octaves = -2;
    list_fails(&noise, &bad, PERLANE_ERROR_OCTAVES);
    bad.octaves = PERLANE_OCTAVES_SHOWN;
    static const double STEPS[] = {0, -0.0, INFINITY, -INFINITY, NAN};
    for (size_t i = 0; i < COUNT_OF(STEPS); i++) {
      bad.step = STEPS[i];
      list_fails(&noise, &bad, PERLANE_ERROR_STEP);
    }
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
    float *const missing[] = {value, NULL};
    status_is(perlane_points(&noise, &list, NULL, NULL), PERLANE_ERROR_NULL);
    status_is(perlane_points(&noise, &list, value, missing), PERLANE_ERROR_NULL);
    status_is(perlane_points(&noise, &list, value, NULL), PERLANE_OK);
    for (int i = 0; i < 2; i++)
      assert_int_equal(bits_of(value[i]), bits_of(perlane_at(&noise, 2, wide[i])));
  }
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
  const perlane_list list = {
      .dims = dims, .count = 4, .coords = {coordinate, coordinate, coordinate, coordinate}};
  list_fails(&noise, &list, PERLANE_ERROR_FIELD_DIMS);
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
