/* SPDX-License-Identifier: MIT
 *
 * Known systems: each preset yields the values that the system's own code printed
 * (vectors/systems/).
 */
#include "support.h"

#include <math.h>

static const char *path_of(const char *name, char path[512]) {
  snprintf(path, 512, "%s/systems/%s", VECTORS, name);
  return path;
}

static struct table *read_vectors(const char *name) {
  char path[512];
  return read_table(path_of(name, path));
}

/* Integers of a file that holds nothing else, but for a comment. */
static void read_integers(const char *name, int32_t *value, int n) {
  char path[512], *text = read_file(path_of(name, path)), *at = text;
  while (*at == '#')
    at += strcspn(at, "\n") + 1;
  for (int i = 0; i < n; i++) {
    char *end;
    value[i] = (int32_t)strtol(at, &end, 10);
    assert_ptr_not_equal(end, at);
    at = end;
  }
  assert_int_equal(strspn(at, " \r\n"), strlen(at));
  free(text);
}

/* ---- Comparison ---- */

/* 1e-6 for values of octaves that are normalized; about 3e-7 of it is rounding of the position to
 * 2^-24 of a cell and of the sum. */
static const double TOLERANCE = 1e-6;

struct comparison {
  const char *what;
  int rows, left_out;
  double worst;
};

static perlane_params preset(const char *name) {
  perlane_params params;
  assert_ok(perlane_preset(&params, name));
  return params;
}

static void compare(struct comparison *comparison, const perlane_params *params, int dims,
                    const double *position, double expected, double tolerance) {
  const perlane_noise noise = noise_of(params);
  const float value = perlane_at(&noise, dims, position);
  const double error = fabs((double)value - expected);
  comparison->rows++;
  comparison->worst = fmax(comparison->worst, error);
  if (!(error <= tolerance)) {
    print_message("%s: expected %.9g, got %.9g at", comparison->what, expected, (double)value);
    for (int a = 0; a < dims; a++)
      print_message(" %.17g", position[a]);
    print_message("\n");
    print_params(params);
    fail();
  }
}

static void report(const struct comparison *comparison, int rows, const char *why_left_out) {
  print_message("%s: %d rows, largest error %.3g\n", comparison->what, comparison->rows,
                comparison->worst);
  if (comparison->left_out)
    print_message("%s: %d rows left out: %s\n", comparison->what, comparison->left_out,
                  why_left_out);
  assert_int_equal(comparison->rows, rows);
}

/* Options that a column sets, for each row; octaves of 0 stand for the noise itself. */
struct setting {
  const char *column, *option;
};

static void set_options(perlane_params *params, const struct table *table, int row,
                        const struct setting *settings) {
  for (; settings->column; settings++) {
    const char *text = text_of(table, row, settings->column);
    const int is_noise = strcmp(settings->option, "octaves") == 0 && strcmp(text, "0") == 0;
    assert_ok(perlane_params_set(params, settings->option, is_noise ? "1" : text));
  }
}

/* A file of samples, with the columns of their coordinates and of the value. Values are value_scale
 * times those of normalized octaves. */
static void compare_file(const char *file, const perlane_params *params,
                         const char *const columns[], int dims, const struct setting *settings,
                         int rows) {
  struct comparison comparison = {.what = file};
  struct table *vectors = read_vectors(file);
  perlane_params of_row = *params;
  for (int i = 0; i < vectors->rows; i++) {
    double position[3];
    for (int a = 0; a < dims; a++)
      position[a] = number(vectors, i, columns[a]);
    set_options(&of_row, vectors, i, settings);
    compare(&comparison, &of_row, dims, position, number(vectors, i, columns[dims]),
            TOLERANCE * of_row.value_scale);
  }
  free_table(vectors);
  report(&comparison, rows, "");
}
#define COLUMNS(...) ((const char *const[]){__VA_ARGS__})
static const struct setting NONE[] = {{NULL, NULL}};
static const struct setting OCTAVES[] = {
    {"octaves", "octaves"}, {"persistence", "gain"}, {NULL, NULL}};

/* ---- Systems ---- */

static void improved(void **state) {
  (void)state;
  const perlane_params params = preset("improved");
  compare_file("improved3d.csv", &params, COLUMNS("x_hex", "y_hex", "z_hex", "noise_hex"), 3, NONE,
               634);
}

static float *read_grid(const char *name, int32_t count[2]) {
  struct table *vectors = read_vectors(name);
  assert_int_equal(vectors->rows, count[0] * count[1]);
  float *gradient = malloc(2 * (size_t)vectors->rows * sizeof(float));
  assert_non_null(gradient);
  for (int row = 0; row < vectors->rows; row++) {
    const int i = (int)number(vectors, row, "i"), j = (int)number(vectors, row, "j");
    gradient[2 * (j * count[0] + i)] = (float)number(vectors, row, "gx_bits");
    gradient[2 * (j * count[0] + i) + 1] = (float)number(vectors, row, "gy_bits");
  }
  free_table(vectors);
  return gradient;
}

static void grid(void **state) {
  (void)state;
  perlane_params params[2] = {preset("grid"), preset("grid")};
  static const int32_t count[2][2] = {{64, 32}, {37, 53}};
  float *gradient[2];
  for (int g = 0; g < 2; g++) {
    memcpy(params[g].gradient_grid_count, count[g], sizeof count[g]);
    gradient[g] =
        read_grid(g ? "seed0_grid1.csv" : "seed0_grid0.csv", params[g].gradient_grid_count);
    params[g].gradient_grid = gradient[g];
  }
  struct comparison comparison = {.what = "seed0_2d.csv"};
  struct table *vectors = read_vectors("seed0_2d.csv");
  for (int i = 0; i < vectors->rows; i++) {
    if (strstr(text_of(vectors, i, "category"), "negative")) {
      comparison.left_out++;
      continue;
    }
    perlane_params *field = &params[(int)number(vectors, i, "grid")];
    set_options(field, vectors, i, OCTAVES);
    const double position[2] = {number(vectors, i, "x_bits"), number(vectors, i, "y_bits")};
    compare(&comparison, field, 2, position, number(vectors, i, "noise_bits"), TOLERANCE);
  }
  free_table(vectors);
  report(&comparison, 334, "negative coordinates, which that system truncates toward zero");

  struct comparison map = {.what = "seed0_gen.csv"};
  vectors = read_vectors("seed0_gen.csv");
  params[0].octaves = 4;
  params[0].gain = 0.5;
  for (int i = 0; i < vectors->rows; i++) {
    const double position[2] = {(number(vectors, i, "i") + 3) / 8,
                                (number(vectors, i, "j") + 5) / 8};
    compare(&map, &params[0], 2, position, number(vectors, i, "noise_bits"), TOLERANCE);
  }
  free_table(vectors);
  report(&map, 400, "");
  free(gradient[0]);
  free(gradient[1]);
}

static void diagonal(void **state) {
  (void)state;
  int32_t table[256];
  read_integers("seed1_perm.txt", table, 256);
  perlane_params params = preset("diagonal");
  params.hash = PERLANE_HASH_TABLE;
  params.hash_table = table;
  compare_file("seed1_2d.csv", &params, COLUMNS("x_bits", "y_bits", "noise_bits"), 2, NONE, 334);
  params.frequency = 0.005;
  params.gain = 0.5;
  compare_file("seed1_fbm.csv", &params, COLUMNS("x", "y", "fbm_bits"), 2,
               (const struct setting[]){{"octaves", "octaves"}, {NULL, NULL}}, 100);
}

static void circle(void **state) {
  (void)state;
  int32_t table[256];
  float gradient[2 * 256];
  struct table *vectors = read_vectors("seed2_tables.csv");
  assert_int_equal(vectors->rows, 256);
  for (int i = 0; i < 256; i++) {
    gradient[2 * i] = (float)number(vectors, i, "gx_hex");
    gradient[2 * i + 1] = (float)number(vectors, i, "gy_hex");
    table[i] = (int32_t)number(vectors, i, "perm");
  }
  free_table(vectors);
  perlane_params params = preset("circle");
  params.hash = PERLANE_HASH_TABLE;
  params.hash_table = table;
  params.gradients = PERLANE_GRADIENTS_TABLE;
  params.gradient_table = gradient;
  params.gradient_dims = 2;
  params.gradient_count = 256;
  compare_file("seed2_2d.csv", &params, COLUMNS("x_hex", "y_hex", "noise_hex"), 2, NONE, 334);
  static const struct setting settings[] = {
      {"octaves", "octaves"},     {"contrast", "contrast"},
      {"frequency", "frequency"}, {"amplitude", "amplitude"},
      {"persistence", "gain"},    {"lacunarity", "lacunarity"},
      {"size", "value_scale"},    {NULL, NULL}};
  compare_file("seed2_fbm.csv", &params, COLUMNS("x", "y", "fbm_hex"), 2, settings, 200);
}

static void axis(void **state) {
  (void)state;
  int32_t table[1024];
  read_integers("seed3_table.txt", table, 1024);
  perlane_params params = preset("axis");
  params.hash_table = table;
  compare_file("seed3_2d.csv", &params, COLUMNS("x_bits", "y_bits", "noise_f64_hex"), 2, OCTAVES,
               400);
}

static void compass(void **state) {
  (void)state;
  perlane_params params = preset("compass");
  compare_file("seed4_2d.csv", &params, COLUMNS("x_hex", "y_hex", "noise_hex"), 2, NONE, 334);
  params.octaves = 4;
  params.lacunarity = 2;
  params.gain = 0.5;
  compare_file("seed4_fbm.csv", &params, COLUMNS("x0", "y0", "noise_f64sum_hex"), 2, NONE, 1024);
}

/* Returns 1 if a sample is so near the origin that no octave has begun to repeat there. */
static int before_repeat(const perlane_params *params, int dims, const double *position,
                         const int32_t *repeat) {
  double frequency = 1;
  for (int k = 0; k < params->octaves; k++) {
    for (int a = 0; a < dims; a++) {
      const double cell = floor(position[a] * frequency), length = floor(repeat[a] * frequency);
      if (cell <= -length || cell + 1 >= length)
        return 0;
    }
    frequency *= params->lacunarity;
  }
  return 1;
}

/* That system computes in float. In 1D its ramps reach 8, and their interpolation, times 0.4,
 * rounds by up to 1.5e-6. Octave k's coordinates have k roundings of the frequency and one of the
 * product, of at most 2^-24 each, which a slope of up to 4 turns into errors of the value; none of
 * that where frequencies are powers of two. */
static double pnoise_tolerance(const perlane_params *params, int dims, const double *position) {
  const double one_octave = dims == 1 ? 2 * TOLERANCE : TOLERANCE;
  if (params->lacunarity == 2)
    return one_octave;
  double error = 0, total = 0, frequency = 1, share = 1;
  for (int k = 0; k < params->octaves; k++) {
    for (int a = 0; a < dims; a++)
      error += share * 4 * (k + 1) * 0x1p-24 * fabs(position[a]) * frequency;
    total += share;
    share *= params->gain;
    frequency *= params->lacunarity;
  }
  return one_octave + error / total;
}

static void pnoise(void **state) {
  (void)state;
  struct comparison exact = {.what = "pnoise.csv, lacunarity 2"};
  struct comparison rounded = {.what = "pnoise.csv, other lacunarities"};
  static const char *const coordinate[3] = {"x", "y", "z"};
  static const char *const repeats[3] = {"repeatx", "repeaty", "repeatz"};
  struct table *vectors = read_vectors("pnoise.csv");
  for (int i = 0; i < vectors->rows; i++) {
    perlane_params params = preset("pnoise");
    params.octaves = (int32_t)number(vectors, i, "octaves");
    params.gain = (double)(float)number(vectors, i, "persistence");
    params.lacunarity = (double)(float)number(vectors, i, "lacunarity");
    const int dims = text_of(vectors, i, "func")[6] - '0';
    double position[3];
    int32_t repeat[3];
    int negative = 0;
    for (int a = 0; a < dims; a++) {
      position[a] = (double)(float)number(vectors, i, coordinate[a]);
      repeat[a] = (int32_t)number(vectors, i, repeats[a]);
      params.period[a] = repeat[a];
      params.table_offset[a] = (int32_t)number(vectors, i, "base");
      negative |= position[a] < 0;
    }
    struct comparison *comparison = params.lacunarity == 2 ? &exact : &rounded;
    perlane_noise noise;
    const perlane_status status = perlane_init(&noise, &params);
    if (status != PERLANE_OK)
      init_says(&params, "period along ");
    if (negative || status != PERLANE_OK) {
      if (!before_repeat(&params, dims, position, repeat)) {
        comparison->left_out++;
        continue;
      }
      memset(params.period, 0, sizeof params.period);
    }
    compare(comparison, &params, dims, position, number(vectors, i, "value_f32_bits"),
            pnoise_tolerance(&params, dims, position));
  }
  free_table(vectors);
  static const char *const why =
      "negative coordinates beyond a repeat, where that system is not periodic, and a "
      "repeat that does not fit, where it has seams";
  report(&exact, 490, why);
  report(&rounded, 17, why);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(improved), cmocka_unit_test(grid), cmocka_unit_test(diagonal),
      cmocka_unit_test(circle),   cmocka_unit_test(axis), cmocka_unit_test(compass),
      cmocka_unit_test(pnoise),
  };
  return cmocka_run_group_tests_name("systems", tests, NULL, NULL);
}
