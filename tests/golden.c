/* SPDX-License-Identifier: MIT
 *
 * Golden values: digests of whole fields that every platform, compiler and kernel must reproduce;
 * the hash's test vectors; and values small enough to work out by hand.
 */
#include "reference.h"

#include "support.h"

static uint32_t hash(int dims, const int64_t *cell, uint64_t seed) {
  perlane_params params = perlane_params_default();
  params.seed = seed;
  const perlane_noise noise = noise_of(&params);
  uint32_t word[4] = {0, 0, 0, 0};
  for (int a = 0; a < (dims < 2 ? 2 : dims); a++)
    word[a] = axis_word(a < dims ? cell[a] : 0, a, noise.octave[0].key[a]);
  const uint32_t z = word[2] + word[3]; /* 0 in 1D and 2D */
  return dot16(word[0] + z, word[1] ^ z);
}

static void hash_vectors(void **state) {
  (void)state;
  static const struct {
    int dims;
    int64_t cell[4];
    uint64_t seed;
    uint32_t m, index;
  } vector[] = {
      {1, {0}, 0, 0xF762CE7E, 1},
      {1, {-1}, 1337, 0x3AC11313, 0},
      {2, {0, 0}, 0, 0xF762CE7E, 1},
      {2, {1, 0}, 0, 0xFD2DBC4D, 6},
      {2, {-1, -1}, 1, 0xFE08A9E2, 4},
      {2, {123456, -654321}, 1337, 0x56AAE72C, 5},
      {2, {2147483648, -2147483649}, 42, 0xCEDEB3A2, 7},
      {2, {1099511627787, -4503599627370496}, 7, 0xEAA09B29, 0},
      {3, {0, 0, 0}, 0, 0xDFA796D8, 7},
      {3, {5, -7, 1099511627787}, 0xDEADBEEFCAFEBABE, 0xE450A96C, 0},
      {3, {-3, 2, 1000000}, 0xFFFFFFFFFFFFFFFF, 0x087AC7F7, 10},
      {4, {0, 0, 0, 0}, 0, 0x0F436D18, 3},
      {4, {1, 2, 3, 4}, 1337, 0xF56522D9, 5},
      {4, {-3, 2, 1000000, -1125899906842624}, 0xFFFFFFFFFFFFFFFF, 0xF2C6B35C, 6},
  };
  for (size_t i = 0; i < sizeof vector / sizeof vector[0]; i++) {
    const int dims = vector[i].dims;
    const uint32_t m = hash(dims, vector[i].cell, vector[i].seed);
    assert_int_equal(m, vector[i].m);
    const uint32_t index = dims == 1   ? m >> 17 & 1
                           : dims == 2 ? m >> 17 & 7
                           : dims == 3 ? m >> 16 & 15
                                       : m >> 16 & 31;
    assert_int_equal(index, vector[i].index);
  }
}

/* Octave k is the first octave of seed + k * octave_seed_step. */
static void seeds_of_octaves(void **state) {
  (void)state;
  static const uint64_t step[] = {0, 1, 7, UINT64_MAX, 0x9E3779B97F4A7C15};
  for (size_t i = 0; i < sizeof step / sizeof step[0]; i++) {
    perlane_params params = perlane_params_default();
    params.octaves = 5;
    params.octave_seed_step = step[i];
    const perlane_noise noise = noise_of(&params);
    for (uint64_t k = 0; k < 5; k++) {
      perlane_params single = perlane_params_default();
      single.seed = params.seed + k * step[i];
      const perlane_noise expected = noise_of(&single);
      assert_memory_equal(noise.octave[k].key, expected.octave[0].key, sizeof noise.octave[k].key);
    }
  }
}

/* 1D at 1/4: the fade is 53/512, so the two lattice points weigh 1/4 * 459/512 and -3/4 * 53/512,
 * times the output scale of 2: 459/1024 and -159/1024. At 1/2 they weigh 1/2 and -1/2. */
static void worked_by_hand_1d(void **state) {
  (void)state;
  perlane_params params = perlane_params_default();
  params.frequency = 1;
  unsigned seen = 0;
  for (params.seed = 0; params.seed < 64; params.seed++) {
    const perlane_noise noise = noise_of(&params);
    const float g0 = hash(1, (const int64_t[]){7}, params.seed) >> 17 & 1 ? -1.0f : 1.0f;
    const float g1 = hash(1, (const int64_t[]){8}, params.seed) >> 17 & 1 ? -1.0f : 1.0f;
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
  for (params.seed = 0; params.seed < 64; params.seed++) {
    const perlane_noise noise = noise_of(&params);
    float row[2][2]; /* by y and z */
    for (int y = 0; y < 2; y++)
      for (int z = 0; z < 2; z++) {
        const int64_t left[3] = {-4, 9 + y, 2 + z}, right[3] = {-3, 9 + y, 2 + z};
        const float g0 = perlin_x[hash(3, left, params.seed) >> 16 & 15];
        const float g1 = perlin_x[hash(3, right, params.seed) >> 16 & 15];
        row[y][z] = quarter * (g0 - g1);
      }
    const double position[3] = {-3.5, 9, 2};
    const float value = perlane_at(&noise, 3, position);
    assert_true(value == joined(joined(row[0][0], row[0][1]), joined(row[1][0], row[1][1])));
    assert_true(value >= row[0][0] - 0x1p-23f && value <= row[0][0] + 0x1p-23f);
  }
}

static const struct field {
  const char *name;
  int dims, octaves;
  double frequency, lacunarity, gain;
  uint64_t seed;
  size_t count[4];
  double origin, step;
  int64_t first;
  uint64_t digest;
} FIELDS[] = {
    {"line", 1, 1, 0.01, 2, 0.5, 1337, {5000}, 0, 1, 0, 0x66D2BD380FE10BC5},
    {"map", 2, 1, 0.01, 2, 0.5, 1337, {300, 200}, 0, 1, 0, 0x542DC0CD10EF51B2},
    {"volume", 3, 1, 0.01, 2, 0.5, 1337, {70, 40, 30}, 0, 1, 0, 0xDDE626A6F3A666C6},
    {"hypervolume", 4, 1, 0.05, 2, 0.5, 1337, {33, 15, 9, 7}, 0, 1, 0, 0x00275D9C261C6144},
    {"line of 5 octaves", 1, 5, 0.02, 2, 0.5, 1, {5000}, -33.3, 0.7, -100, 0xC873BA7C2DFDB315},
    {"terrain", 2, 8, 0.005, 2, 0.5, 2, {257, 257}, 0, 1, -128, 0x6C0F6C2C4985B377},
    {"clouds", 3, 5, 0.01, 2.1, 0.6, 3, {65, 33, 17}, 1e6, 1.5, 0, 0xCCC22935CDC2A40D},
    {"moving clouds", 4, 4, 0.03, 1.9, 0.45, 4, {33, 17, 9, 5}, -1e5, 0.3, 7, 0xDFB4CD880A3B48EF},
    {"coarse steps", 2, 2, 1, 2, 0.5, 5, {200, 100}, 0.1, -3.3, 0, 0x5D6C12996F149742},
    {"far map", 2, 3, 0.37, 2, 0.5, 6, {150, 60}, 0x1p40, 0.25, 0, 0x2478545F5340504B},
    {"far tile", 3, 2, 0.37, 2, 0.5, 7, {50, 20, 10}, 0, 1, INT64_C(1) << 40, 0xB052CC57DFEC690F},
    {"edge of the domain", 2, 1, 1, 2, 0.5, 8, {100, 50}, 0x1p52, -0.5, 0, 0xA2E35042352BAD6D},
    {"around 2^31 cells", 4, 1, 1, 2, 0.5, 9, {40, 9, 5, 3}, 0x1p31, 0.25, -5, 0x50BFBEAF6198C2A2},
    {"most octaves", 2, 32, 0.001, 1.3, 0.9, 10, {100, 70}, 0, 1, 0, 0x07A8CDE4449C0FB0},
    {"negative gain", 3, 4, 0.1, 2, -0.7, UINT64_MAX, {30, 20, 10}, 0, 1, 0, 0xE1F241E794FDC32D},
    {"large map", 2, 1, 0.03, 2, 0.5, 11, {1100, 1000}, 0, 1, 0, 0x59FBD9FF5AAB4D8A},
};

static uint64_t digest_field(const struct perlane_kernels *kernels, const struct field *field) {
  perlane_params params = perlane_params_default();
  params.frequency = field->frequency;
  params.octaves = field->octaves;
  params.lacunarity = field->lacunarity;
  params.gain = field->gain;
  params.seed = field->seed;
  const perlane_noise noise = noise_of(&params);
  perlane_grid grid;
  memset(&grid, 0, sizeof grid);
  grid.dims = field->dims;
  size_t samples = 1;
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    grid.first[a] = field->first;
    grid.count[a] = a < field->dims ? field->count[a] : 1;
    grid.origin[a] = field->origin * (a + 1);
    grid.step[a] = field->step / (a + 1);
    grid.stride[a] = (ptrdiff_t)samples;
    samples *= grid.count[a];
  }
  float *value = malloc(samples * sizeof(float));
  assert_non_null(value);
  kernels->fill(&noise, &grid, value);
  const uint64_t digest = perlane_digest(PERLANE_DIGEST_START, value, samples);
  free(value);
  return digest;
}

static void digests(void **state) {
  (void)state;
  struct kernel_list kernels = lane_kernels();
  kernels.table[kernels.count++] = &perlane_scalar_kernels;
  int wrong = 0;
  for (size_t f = 0; f < sizeof FIELDS / sizeof FIELDS[0]; f++)
    for (size_t i = 0; i < kernels.count; i++) {
      const uint64_t digest = digest_field(kernels.table[i], &FIELDS[f]);
      if (digest != FIELDS[f].digest) {
        wrong++;
        print_message("%s, %s: expected 0x%016llX, got 0x%016llX\n", FIELDS[f].name,
                      kernels.table[i]->name, (unsigned long long)FIELDS[f].digest,
                      (unsigned long long)digest);
      }
    }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hash_vectors),      cmocka_unit_test(seeds_of_octaves),
      cmocka_unit_test(worked_by_hand_1d), cmocka_unit_test(worked_by_hand_3d),
      cmocka_unit_test(digests),
  };
  return cmocka_run_group_tests_name("golden", tests, NULL, NULL);
}
