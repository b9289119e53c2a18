/* SPDX-License-Identifier: MIT
 *
 * Golden values: the committed digests (digests.h) and the specification's test values, which every
 * set of kernels must reproduce; and what can be worked out by hand.
 */
#include "calls.h"
#include "digests.h"
#include "perlane_expression.h"

/* ---- The specification's test values ---- */

/* The library's keys and phases; that its hash is right shows in the values below. */
static void hash_vectors(void **state) {
  (void)state;
  struct table *hash = read_table(VECTORS "/specification/hash.csv");
  for (int row = 0; row < hash->rows; row++) {
    perlane_params params = perlane_params_default();
    params.seed = strtoull(text_of(hash, row, "seed"), NULL, 0);
    const int octave = (int)number(hash, row, "octave");
    params.octaves = octave + 1;
    params.lacunarity = 1;
    const perlane_noise noise = noise_of(&params);
    const char *key = text_of(hash, row, "keys"), *phase = text_of(hash, row, "phases");
    char *next;
    for (int a = 0; a < 4; a++, key = next)
      assert_int_equal(strtoul(key, &next, 16), noise.octave[octave].key[a]);
    for (int a = 0; a < 4; a++, phase = next)
      assert_int_equal(strtoul(phase, &next, 10), noise.octave[octave].phase[a]);
  }
  assert_true(hash->rows > 10);
  free_table(hash);
}

/* Component a of vector (i, j) of the tables that tests/vectors/README.md describes. */
static float component(int i, int j, int a) {
  return (float)((5 * i + 7 * j + 3 * a) % 11 - 5) / 2;
}

static perlane_params params_of(const struct table *fields, int row, int dims) {
  static int32_t hash_table[1024];
  static float vector[4 * 256], point[2 * 64];
  perlane_params params = parsed(text_of(fields, row, "params"));
  for (int i = 0; i < 1024; i++)
    hash_table[i] = i * i / 7 % 256;
  if (*text_of(fields, row, "hash_table"))
    params.hash_table = hash_table;
  params.gradient_count = (int32_t)strtol(text_of(fields, row, "gradient_table"), NULL, 10);
  for (int i = 0; i < params.gradient_count * dims; i++)
    vector[i] = component(i / dims, 0, i % dims);
  if (params.gradient_count > 0) {
    params.gradient_table = vector;
    params.gradient_dims = dims;
  }
  char *rest;
  const int nx = (int)strtol(text_of(fields, row, "gradient_grid"), &rest, 10);
  const int ny = (int)strtol(rest, NULL, 10);
  for (int i = 0; i < 2 * nx * ny; i++)
    point[i] = component(i / 2 % nx, i / 2 / nx, i % 2);
  if (nx > 0) {
    params.gradient_grid = point;
    params.gradient_grid_count[0] = nx;
    params.gradient_grid_count[1] = ny;
  }
  return params;
}

/* Returns the number of coordinates. */
static int read_position(const char *text, double position[PERLANE_MAX_DIMS]) {
  int dims = 0;
  while (*text) {
    char *end;
    position[dims++] = strtod(text, &end);
    text = end;
  }
  return dims;
}

/* As a list of one point, by each set of kernels and, without a spacing, through the public
 * function. */
static void check_value(const struct table *values, int row, const char *name,
                        const perlane_noise *noise, const double *spacing) {
  const struct kernel_list kernels = all_kernels();
  const char *derivatives = text_of(values, row, "derivatives");
  double position[PERLANE_MAX_DIMS];
  const int dims = read_position(text_of(values, row, "position"), position);
  for (size_t k = 0; k < kernels.count + (spacing == NULL); k++) {
    float value, derivative[PERLANE_MAX_DIMS];
    struct call call = {.form = *derivatives ? GRADIENT : VALUES,
                        .grid = grid_of(dims, (size_t[]){1, 1, 1, 1}),
                        .spacing = spacing,
                        .value = &value};
    for (int a = 0; a < dims; a++) {
      call.coords64[a] = &position[a];
      call.gradient[a] = &derivative[a];
    }
    const struct perlane_kernels *by = k < kernels.count ? kernels.table[k] : NULL;
    assert_ok(evaluate(by, noise, &call));
    int differs = bits_of(value) != strtoul(text_of(values, row, "bits"), NULL, 16);
    char *next = NULL;
    for (int a = 0; a < dims && *derivatives; a++)
      differs |= bits_of(derivative[a]) != strtoul(next ? next : derivatives, &next, 16);
    if (differs)
      fail_msg("%s: %s %s at %s: got %08X, expected %s; derivatives: %s", by ? by->name : "public",
               name, text_of(values, row, name), text_of(values, row, "position"), bits_of(value),
               text_of(values, row, "bits"), derivatives);
  }
}

/* Returns the noise of a row, whose field is another table's, and its position. */
static perlane_noise noise_of_row(const struct table *rows, int row, int *dims,
                                  double position[PERLANE_MAX_DIMS]) {
  static struct table *fields;
  if (!fields)
    fields = read_table(VECTORS "/specification/fields.csv");
  int field = 0;
  while (strcmp(text_of(fields, field, "field"), text_of(rows, row, "field")) != 0)
    assert_true(++field < fields->rows);
  *dims = read_position(text_of(rows, row, "position"), position);
  const perlane_params params = params_of(fields, field, *dims);
  return noise_of(&params);
}

static void specified_values(void **state) {
  (void)state;
  struct table *values = read_table(VECTORS "/specification/values.csv");
  for (int row = 0; row < values->rows; row++) {
    int dims;
    double position[PERLANE_MAX_DIMS];
    const perlane_noise noise = noise_of_row(values, row, &dims, position);
    check_value(values, row, "field", &noise, NULL);
  }
  assert_true(values->rows > 400);
  free_table(values);
}

static void specified_expressions(void **state) {
  (void)state;
  static perlane_noise expression, made[PERLANE_MAX_EXPRESSION_FIELDS];
  struct table *values = read_table(VECTORS "/specification/expressions.csv");
  for (int row = 0; row < values->rows; row++) {
    double spacing[PERLANE_MAX_DIMS];
    const int has_spacing = read_position(text_of(values, row, "steps"), spacing) > 0;
    assert_ok(perlane_expression_init_text(&expression, text_of(values, row, "text"),
                                           PERLANE_MAX_EXPRESSION_FIELDS, made, NULL));
    check_value(values, row, "text", &expression, has_spacing ? spacing : NULL);
  }
  assert_true(values->rows > 20);
  free_table(values);
}

/* The cells of samples, as lists of one point. */
static void specified_cells(void **state) {
  (void)state;
  struct table *samples = read_table(VECTORS "/specification/cell_samples.csv");
  const struct kernel_list kernels = all_kernels();
  for (int row = 0; row < samples->rows; row++) {
    int dims;
    double position[PERLANE_MAX_DIMS];
    const perlane_noise noise = noise_of_row(samples, row, &dims, position);
    const double *const coords[] = {&position[0], &position[1], &position[2]};
    const struct perlane_point_list list = {
        .dims = dims, .octaves = noise.octaves, .n = 1, .coords64 = coords, .stride = 1};
    for (size_t k = 0; k <= kernels.count; k++) {
      uint32_t id;
      float offset[3], f1, f2;
      const perlane_cells cells = {
          .id = &id, .offset = {&offset[0], &offset[1], &offset[2]}, .f1 = &f1, .f2 = &f2};
      (k < kernels.count ? kernels.table[k] : &perlane_scalar_kernels)
          ->points_cells(&noise, &list, &cells);
      assert_int_equal(id, strtoul(text_of(samples, row, "id"), NULL, 16));
      assert_int_equal(bits_of(f1), strtoul(text_of(samples, row, "f1"), NULL, 16));
      assert_int_equal(bits_of(f2), strtoul(text_of(samples, row, "f2"), NULL, 16));
      const char *next = text_of(samples, row, "offset");
      for (int a = 0; a < dims; a++) {
        char *end;
        assert_int_equal(bits_of(offset[a]), strtoul(next, &end, 16));
        next = end;
      }
    }
  }
  assert_true(samples->rows > 50);
  free_table(samples);
}

/* ---- What can be worked out by hand ---- */

/* Halves between two integers, which only value noise of a table meets on purpose: at lattice
 * points its values are (2h - 255) / 256. */
static void ties_go_to_even(void **state) {
  (void)state;
  int32_t table[256];
  for (int i = 0; i < 256; i++)
    table[i] = i;
  perlane_params params = perlane_params_default();
  params.phase = PERLANE_PHASE_NONE;
  params.octaves_share = 1;
  params.frequency = 1;
  params.basis = PERLANE_BASIS_VALUE;
  params.hash = PERLANE_HASH_TABLE;
  params.normalize = PERLANE_NORMALIZE_NONE;
  params.hash_table = table;
  const perlane_noise noise = noise_of(&params);
  const perlane_grid grid = perlane_grid_make(256, 0, 0, 0);
  float value[256];
  uint8_t byte[256];
  assert_ok(perlane_fill(&noise, &grid, value));
  /* (value + 255 / 256) * 64 is h / 2. */
  const float low = -255.0f / 256, high = low + 255.0f / 64;
  for (int isa = PERLANE_ISA_SCALAR; isa < PERLANE_ISA_COUNT; isa++) {
    if (!perlane_isa_supported((perlane_isa)isa))
      continue;
    force((perlane_isa)isa);
    assert_ok(perlane_fill_u8(&noise, &grid, low, high, byte));
    for (int h = 0; h < 256; h++) {
      assert_true(value[h] == (float)(2 * h - 255) / 256);
      assert_int_equal(byte[h], h / 2 + (h % 4 == 3));
    }
  }
  force(PERLANE_ISA_AUTO);
}

/* Zeros of both signs, of which +0 is the smallest and the largest. */
static void zero_at_lattice_points(void **state) {
  (void)state;
  const perlane_noise noise = noise_from("frequency=1 phase=none");
  for (perlane_isa isa = next_isa(PERLANE_ISA_AUTO); isa != PERLANE_ISA_AUTO; isa = next_isa(isa))
    for (int dims = 1; dims <= 4; dims++) {
      const perlane_grid grid = grid_of(dims, (size_t[]){20, 3, 3, 3});
      float value[20 * 27], smallest, largest;
      int negative = 0;
      force(isa);
      assert_ok(perlane_fill_extremes(&noise, &grid, value, &smallest, &largest));
      for (size_t i = 0; i < samples_of(&grid); i++) {
        assert_true(value[i] == 0);
        negative += bits_of(value[i]) != 0;
      }
      assert_true((dims > 1 || negative > 0) && bits_of(smallest) == 0 && bits_of(largest) == 0);
      perlane_grid one = grid_of(1, (size_t[]){1});
      for (; one.first[0] < 20; one.first[0]++) { /* of which some are -0 */
        assert_ok(perlane_fill_extremes(&noise, &one, value, &smallest, &largest));
        assert_true(bits_of(smallest) == 0 && bits_of(largest) == 0);
      }
    }
  force(PERLANE_ISA_AUTO);
}

/* ---- Digests ---- */

static void digests(void **state) {
  (void)state;
  static struct digest expected[MAX_DIGESTS], found[MAX_DIGESTS];
  const size_t expected_n = read_digests(VECTORS "/digests.txt", expected);
  int differences = 0;
  for (perlane_isa isa = next_isa(PERLANE_ISA_AUTO); isa != PERLANE_ISA_AUTO; isa = next_isa(isa)) {
    force(isa);
    /* The reference takes most of the time for the largest maps: too long where it is emulated. */
    const int is_slow = isa == PERLANE_ISA_SCALAR && effort(100) < 20;
    const size_t n = compute_digests(found, is_slow ? 100 * 1000 : SIZE_MAX);
    differences += compare_digests(perlane_isa_name(isa), expected, expected_n, found, n);
  }
  force(PERLANE_ISA_AUTO);
  assert_int_equal(differences, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hash_vectors),    cmocka_unit_test(specified_values),
      cmocka_unit_test(specified_cells), cmocka_unit_test(specified_expressions),
      cmocka_unit_test(ties_go_to_even), cmocka_unit_test(zero_at_lattice_points),
      cmocka_unit_test(digests),
  };
  return cmocka_run_group_tests_name("golden", tests, NULL, NULL);
}
