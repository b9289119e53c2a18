/* SPDX-License-Identifier: MIT
 *
 * Golden values: the committed digests (digests.h), which every set of kernels must reproduce; the
 * hash's test values; and values small enough to work out by hand.
 */
#include "digests.h"
#include "model.h"
#include "support.h"

/* The model's hash and the library's keys and phases have the specification's values; that the
 * library's hash does shows in the values worked out by hand below, and in oracle.c. */
static void hash_vectors(void **state) {
  (void)state;
  FILE *file = fopen(VECTORS "/specification/hash.csv", "r");
  assert_non_null(file);
  char line[256];
  int lines = 0;
  while (fgets(line, sizeof line, file)) {
    if (lines++ == 0)
      continue; /* names of columns: cell, seed, octave, keys, phases, m, index */
    int64_t cell[4] = {0};
    int dims = 0;
    char *rest = line;
    for (; dims < 4 && *rest != ','; dims++)
      cell[dims] = strtoll(rest, &rest, 10);
    assert_true(dims > 0 && *rest == ',');
    perlane_params params = perlane_params_default();
    params.seed = strtoull(rest + 1, &rest, 0);
    const int octave = (int)strtol(rest + 1, &rest, 10);
    params.octaves = octave + 1;
    params.lacunarity = 1;
    const perlane_noise noise = noise_of(&params);
    for (int a = 0; a < 4; a++)
      assert_int_equal(strtoul(rest + 1, &rest, 16), noise.octave[octave].key[a]);
    for (int a = 0; a < 4; a++)
      assert_int_equal(strtoul(rest + 1, &rest, 10), noise.octave[octave].phase[a]);
    const uint32_t m = (uint32_t)strtoul(rest + 1, &rest, 16);
    assert_int_equal(m, model_hash(dims, cell, params.seed, octave));
    assert_int_equal(strtoul(rest + 1, NULL, 10), m >> 13 & (dims <= 2 ? 7 : dims == 3 ? 15 : 31));
  }
  fclose(file);
  assert_true(lines > 10);
}

static void octaves_share_a_lattice(void **state) {
  (void)state;
  for (int share = 0; share <= 1; share++)
    for (int phase = 0; phase < PERLANE_PHASE_COUNT; phase++) {
      perlane_params params = perlane_params_default();
      params.octaves = 5;
      params.octaves_share = share;
      params.phase = phase;
      const perlane_noise noise = noise_of(&params);
      const struct perlane_octave *octave = noise.octave;
      for (int k = 1; k < 5; k++)
        for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
          assert_int_equal(octave[k].key[a] == octave[0].key[a], share);
          assert_int_equal(octave[k].phase[a] == octave[0].phase[a],
                           share || phase == PERLANE_PHASE_NONE);
          assert_int_equal(octave[k].phase[a] == 0, phase == PERLANE_PHASE_NONE);
        }
    }
}

/* 1D at 1/4: the fade is 53/512, so the two lattice points weigh 1/4 * 459/512 and -3/4 * 53/512,
 * times the output scale of 2: 459/1024 and -159/1024. At 1/2 they weigh 1/2 and -1/2. */
static void worked_by_hand_1d(void **state) {
  (void)state;
  perlane_params params = perlane_params_default();
  params.frequency = 1;
  params.phase = PERLANE_PHASE_NONE;
  unsigned seen = 0;
  for (params.seed = 0; params.seed < 64; params.seed++) {
    const perlane_noise noise = noise_of(&params);
    const float g0 = model_hash(1, (const int64_t[]){7}, params.seed, 0) >> 13 & 1 ? -1.0f : 1.0f;
    const float g1 = model_hash(1, (const int64_t[]){8}, params.seed, 0) >> 13 & 1 ? -1.0f : 1.0f;
    const double quarter = 7.25, half = 7.5;
    assert_true(perlane_at(&noise, 1, &quarter) == 459.0f / 1024.0f * g0 - 159.0f / 1024.0f * g1);
    assert_true(perlane_at(&noise, 1, &half) == 0.5f * g0 - 0.5f * g1);
    seen |= 1u << ((g0 < 0) + 2 * (g1 < 0));
  }
  assert_int_equal(seen, 15);
}

/* Two values joined at the lower end of a cell, by their middle and half their rise. */
static float joined(float lower, float upper) {
  return (lower + upper) * 0.5f - 0.5f * (upper - lower);
}

/* 3D halfway along an edge of the lattice that runs along x: the two ends of a lattice row weigh
 * 1/4 and -1/4 times their x components, which are Perlin's 0, 1 or -1. The row's own value is what
 * the folds with the rows beyond it must give back, but for the rounding of each join. */
static void worked_by_hand_3d(void **state) {
  (void)state;
  static const float perlin_x[16] = {1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0, 1, 0, -1, 0};
  const float quarter = 0x1.ee0a2ap-1f * 0.25f;
  perlane_params params = perlane_params_default();
  params.frequency = 1;
  params.phase = PERLANE_PHASE_NONE;
  for (params.seed = 0; params.seed < 64; params.seed++) {
    const perlane_noise noise = noise_of(&params);
    float row[2][2]; /* by y and z */
    for (int y = 0; y < 2; y++)
      for (int z = 0; z < 2; z++) {
        const int64_t left[3] = {-4, 9 + y, 2 + z}, right[3] = {-3, 9 + y, 2 + z};
        const float g0 = perlin_x[model_hash(3, left, params.seed, 0) >> 13 & 15];
        const float g1 = perlin_x[model_hash(3, right, params.seed, 0) >> 13 & 15];
        row[y][z] = quarter * (g0 - g1);
      }
    const double position[3] = {-3.5, 9, 2};
    const float value = perlane_at(&noise, 3, position);
    assert_true(value == joined(joined(row[0][0], row[0][1]), joined(row[1][0], row[1][1])));
    assert_true(value >= row[0][0] - 0x1p-23f && value <= row[0][0] + 0x1p-23f);
  }
}

/* ---- Digests ---- */

/* The library's functions, by the kernels that this points to. */
static const struct perlane_kernels *kernels;

static perlane_status fill_floats(const perlane_noise *noise, const perlane_grid *grid,
                                  float *out) {
  fill_values(kernels, noise, grid, out);
  return PERLANE_OK;
}

static perlane_status fill_integers(const perlane_noise *noise, const perlane_grid *grid, float low,
                                    float high, struct perlane_output output, double max) {
  output.low = low;
  output.scale = (float)(max / ((double)high - (double)low));
  const struct perlane_region region = region_of(grid);
  kernels->fill(noise, &region, &output);
  return PERLANE_OK;
}

static perlane_status fill_words(const perlane_noise *noise, const perlane_grid *grid, float low,
                                 float high, uint16_t *out) {
  const struct perlane_output output = {.format = PERLANE_U16, .value = out};
  return fill_integers(noise, grid, low, high, output, 65535);
}

static perlane_status fill_bytes(const perlane_noise *noise, const perlane_grid *grid, float low,
                                 float high, uint8_t *out) {
  const struct perlane_output output = {.format = PERLANE_U8, .value = out};
  return fill_integers(noise, grid, low, high, output, 255);
}

static perlane_status fill_slopes(const perlane_noise *noise, const perlane_grid *grid, float *out,
                                  float *const *gradient) {
  struct perlane_output output = {.format = PERLANE_FLOAT, .value = out};
  memcpy(output.gradient, gradient, (size_t)grid->dims * sizeof *gradient);
  const struct perlane_region region = region_of(grid);
  kernels->fill(noise, &region, &output);
  return PERLANE_OK;
}

static perlane_status fill_and_find(const perlane_noise *noise, const perlane_grid *grid,
                                    float *out, float *smallest, float *largest) {
  float extremes[2];
  const struct perlane_output output = {
      .format = PERLANE_FLOAT, .value = out, .extremes = extremes};
  const struct perlane_region region = region_of(grid);
  kernels->fill(noise, &region, &output);
  *smallest = extremes[0];
  *largest = extremes[1];
  return PERLANE_OK;
}

static perlane_status list_points(const perlane_noise *noise, int32_t dims, size_t n,
                                  const double *origin, const float *const *coords, float *out) {
  struct perlane_point_list list = list_of(dims, n, coords, out, NULL);
  list.origin = origin;
  kernels->points(noise, &list);
  return PERLANE_OK;
}

static perlane_status list_slopes(const perlane_noise *noise, int32_t dims, size_t n,
                                  const double *origin, const float *const *coords, float *out,
                                  float *const *gradient) {
  struct perlane_point_list list = list_of(dims, n, coords, out, gradient);
  list.origin = origin;
  kernels->points(noise, &list);
  return PERLANE_OK;
}

static perlane_status list_doubles(const perlane_noise *noise, int32_t dims, size_t n,
                                   const double *const *coords, float *out,
                                   float *const *gradient) {
  struct perlane_point_list list = list_of(dims, n, NULL, out, gradient);
  list.coords64 = coords;
  kernels->points(noise, &list);
  return PERLANE_OK;
}

static float value_at(const perlane_noise *noise, int32_t dims, const double *position) {
  return kernels->at(noise, dims, position, NULL);
}

static float slopes_at(const perlane_noise *noise, int32_t dims, const double *position,
                       float *gradient) {
  return kernels->at(noise, dims, position, gradient);
}

static void digests(void **state) {
  (void)state;
  static const struct library library = {fill_floats,   fill_words,  fill_bytes,  fill_slopes,
                                         fill_and_find, list_points, list_slopes, list_doubles,
                                         value_at,      slopes_at};
  static struct digest expected[MAX_DIGESTS], found[MAX_DIGESTS];
  const size_t expected_n = read_digests(VECTORS "/digests.txt", expected);
  const struct kernel_list list = all_kernels();
  int differences = 0;
  for (size_t i = 0; i < list.count; i++) {
    kernels = list.table[i];
    const size_t n = compute_digests(&library, found);
    differences += compare_digests(kernels->name, expected, expected_n, found, n);
  }
  assert_int_equal(differences, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hash_vectors),      cmocka_unit_test(octaves_share_a_lattice),
      cmocka_unit_test(worked_by_hand_1d), cmocka_unit_test(worked_by_hand_3d),
      cmocka_unit_test(digests),
  };
  return cmocka_run_group_tests_name("golden", tests, NULL, NULL);
}
