/* SPDX-License-Identifier: MIT
 *
 * Golden values: digests of whole fields that every platform, compiler and kernel must reproduce;
 * the hash's test vectors; and values small enough to work out by hand.
 */
#include "support.h"

#include "model.h"

/* The model's hash has these vectors; that the library's is the same shows in the values worked out
 * by hand below, and in oracle.c. */
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
    const uint32_t m = model_hash(dims, vector[i].cell, vector[i].seed);
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
    const float g0 = model_hash(1, (const int64_t[]){7}, params.seed) >> 17 & 1 ? -1.0f : 1.0f;
    const float g1 = model_hash(1, (const int64_t[]){8}, params.seed) >> 17 & 1 ? -1.0f : 1.0f;
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
        const float g0 = perlin_x[model_hash(3, left, params.seed) >> 16 & 15];
        const float g1 = perlin_x[model_hash(3, right, params.seed) >> 16 & 15];
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
  fill_values(kernels, &noise, &grid, value);
  const uint64_t digest = perlane_digest(PERLANE_DIGEST_START, value, samples);
  free(value);
  return digest;
}

/* Fields of the other options, of three octaves unless said; the names of presets stand for them.
 */
enum option {
  END,
  BASIS,
  HASH,
  GRADIENTS,
  FADE,
  FRACTAL,
  NORMALIZE,
  WEIGHT,
  OCTAVES,
  CONTRAST,
  SIZE,
  OFFSET,
  PERIOD
};
static const struct choice {
  const char *name;
  int dims;
  struct {
    enum option option;
    double value;
  } set[5];
  uint64_t digest;
} CHOICES[] = {
    {"default, with gradient", 1, {{END, 0}}, 0xCE5C4BE87B4FC147},
    {"default, with gradient", 2, {{END, 0}}, 0xAD595EE4677753EE},
    {"default, with gradient", 3, {{END, 0}}, 0x0C500547C7ED53F0},
    {"default, with gradient", 4, {{END, 0}}, 0xDCA2D0440479997E},
    {"cubic", 2, {{FADE, PERLANE_FADE_CUBIC}}, 0xECE52B574CE55314},
    {"linear", 3, {{FADE, PERLANE_FADE_LINEAR}}, 0x8754F85D02B76942},
    {"cubic value noise",
     2,
     {{BASIS, PERLANE_BASIS_VALUE}, {FADE, PERLANE_FADE_CUBIC}},
     0xE77740D46AAF64A3},
    {"value noise", 4, {{BASIS, PERLANE_BASIS_VALUE}}, 0x7CC28A136D81A06B},
    {"value noise of a table",
     3,
     {{BASIS, PERLANE_BASIS_VALUE}, {HASH, PERLANE_HASH_SHUFFLED}},
     0x437DDEB2763D8C1B},
    {"white", 1, {{BASIS, PERLANE_BASIS_WHITE}}, 0x2AFA2CF84D04BC87},
    {"white", 3, {{BASIS, PERLANE_BASIS_WHITE}}, 0x77EC017573A08EAC},
    {"gaussian", 2, {{BASIS, PERLANE_BASIS_GAUSSIAN}}, 0x008A828E68CC1BC8},
    {"gaussian", 4, {{BASIS, PERLANE_BASIS_GAUSSIAN}}, 0x82B612E9E717CC28},
    {"improved", 3, {{END, 0}}, 0xB55B638250669101},
    {"improved", 2, {{END, 0}}, 0xC5798C6DD3FE0C08},
    {"improved", 1, {{END, 0}}, 0x4800AE0798667873},
    {"grid", 2, {{END, 0}}, 0xD5D874E85992E9F9},
    {"diagonal", 2, {{END, 0}}, 0x42852FB2131DE0D4},
    {"circle", 2, {{END, 0}}, 0x9AC3358B6F26A4C1},
    {"axis", 2, {{END, 0}}, 0x6DC5601B31BFB934},
    {"compass", 2, {{END, 0}}, 0x782AE9A7BA21BC9A},
    {"pnoise", 1, {{PERIOD, 12}}, 0x08A6430464CA8B07},
    {"pnoise", 2, {{PERIOD, 12}}, 0xFCBDBA9F044D9B86},
    {"pnoise", 3, {{PERIOD, 12}}, 0x939CC2F339113974},
    {"classic", 3, {{END, 0}}, 0x03103F15514C9E4C},
    {"unit vectors", 4, {{GRADIENTS, PERLANE_GRADIENTS_SPHERE}}, 0xA6857D88A7B6AAA4},
    {"tables",
     2,
     {{HASH, PERLANE_HASH_TABLE}, {GRADIENTS, PERLANE_GRADIENTS_TABLE}},
     0xB437BF88ECCC20C3},
    {"a table of gradients", 4, {{GRADIENTS, PERLANE_GRADIENTS_TABLE}}, 0x9E346937EA59942C},
    {"ridged", 2, {{OCTAVES, 5}, {FRACTAL, PERLANE_FRACTAL_RIDGED}}, 0x3EBEE1779E29A198},
    {"billow", 3, {{OCTAVES, 5}, {FRACTAL, PERLANE_FRACTAL_BILLOW}}, 0x423C33D64789E913},
    {"ping-pong", 2, {{OCTAVES, 5}, {FRACTAL, PERLANE_FRACTAL_PING_PONG}}, 0xBB6E15B200744CD0},
    {"weighted", 2, {{OCTAVES, 5}, {WEIGHT, 0.6}}, 0xFFA306BBC7D27B21},
    {"weighted ridged",
     3,
     {{OCTAVES, 5}, {FRACTAL, PERLANE_FRACTAL_RIDGED}, {WEIGHT, 1}},
     0x7C29774D45D83F98},
    {"weighted ping-pong",
     1,
     {{OCTAVES, 5}, {FRACTAL, PERLANE_FRACTAL_PING_PONG}, {WEIGHT, 0.3}},
     0x82D4A4A9050E1BE8},
    {"contrast", 2, {{CONTRAST, 3}}, 0x9FFEB147B9BD5C36},
    {"steps, size and offset", 2, {{CONTRAST, 0}, {SIZE, 7.3}, {OFFSET, -0.1}}, 0x8CC87B3E2285465A},
    {"size and offset", 3, {{SIZE, -20}, {OFFSET, 3}}, 0xCEC59C9947953199},
    {"periodic", 2, {{PERIOD, 9}}, 0x90B26DAA4BF25D10},
    {"periodic", 4, {{PERIOD, 5}}, 0x51B05AE1964C0988},
};

static void set_option(perlane_params *params, enum option option, double value) {
  switch (option) {
  case BASIS:
    params->basis = (perlane_basis)value;
    break;
  case HASH:
    params->hash = (perlane_hash)value;
    break;
  case GRADIENTS:
    params->gradients = (perlane_gradients)value;
    break;
  case FADE:
    params->fade = (perlane_fade)value;
    break;
  case FRACTAL:
    params->fractal = (perlane_fractal)value;
    break;
  case NORMALIZE:
    params->normalize = (perlane_normalize)value;
    break;
  case WEIGHT:
    params->weighted_strength = value;
    break;
  case OCTAVES:
    params->octaves = (int32_t)value;
    break;
  case CONTRAST:
    params->contrast = (int32_t)value;
    break;
  case SIZE:
    params->value_scale = value;
    break;
  case OFFSET:
    params->value_offset = value;
    break;
  case PERIOD:
    for (int a = 0; a < PERLANE_MAX_DIMS; a++)
      params->period[a] = (int32_t)value;
    break;
  case END:
    break;
  }
}

/* Values, derivatives and integers of a small grid across the origin. */
static uint64_t digest_choice(const struct perlane_kernels *kernels, const struct choice *choice) {
  perlane_params params = perlane_params_default();
  perlane_preset(&params, choice->name); /* if it is one */
  params.frequency = 0.17;
  params.octaves = 3;
  for (int i = 0; choice->set[i].option != END; i++)
    set_option(&params, choice->set[i].option, choice->set[i].value);
  give_tables(&params, choice->dims);
  const perlane_noise noise = noise_of(&params);
  static const size_t count[4][4] = {{2000}, {67, 41}, {37, 19, 11}, {21, 11, 7, 5}};
  enum { MOST = 21 * 11 * 7 * 5 };
  static float value[MOST], slope[4][MOST];
  static uint16_t word[MOST];
  struct perlane_region grid = {.dims = choice->dims};
  size_t samples = 1;
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    grid.first[a] = -7;
    grid.count[a] = a < choice->dims ? count[choice->dims - 1][a] : 1;
    grid.origin[a] = 0.3 * a;
    grid.step[a] = 0.7;
    grid.stride[a] = (ptrdiff_t)samples;
    samples *= grid.count[a];
  }
  struct perlane_output output = {.format = PERLANE_FLOAT, .value = value};
  for (int a = 0; a < choice->dims; a++)
    output.gradient[a] = slope[a];
  kernels->fill(&noise, &grid, &output);
  uint64_t digest = perlane_digest(PERLANE_DIGEST_START, value, samples);
  for (int a = 0; a < choice->dims; a++)
    digest = perlane_digest(digest, slope[a], samples);
  output = (struct perlane_output){
      .format = PERLANE_U16, .value = word, .low = -0.7f, .scale = 65535 / 1.5f};
  kernels->fill(&noise, &grid, &output);
  for (size_t i = 0; i < samples; i++)
    value[i] = (float)word[i];
  return perlane_digest(digest, value, samples);
}

static int differs(const char *name, const struct perlane_kernels *kernels, uint64_t expected,
                   uint64_t digest) {
  if (digest != expected)
    print_message("%s, %s: expected 0x%016llX, got 0x%016llX\n", name, kernels->name,
                  (unsigned long long)expected, (unsigned long long)digest);
  return digest != expected;
}

static void digests(void **state) {
  (void)state;
  struct kernel_list kernels = lane_kernels();
  kernels.table[kernels.count++] = &perlane_scalar_kernels;
  int wrong = 0;
  for (size_t i = 0; i < kernels.count; i++) {
    for (size_t f = 0; f < sizeof FIELDS / sizeof FIELDS[0]; f++)
      wrong += differs(FIELDS[f].name, kernels.table[i], FIELDS[f].digest,
                       digest_field(kernels.table[i], &FIELDS[f]));
    for (size_t f = 0; f < sizeof CHOICES / sizeof CHOICES[0]; f++)
      wrong += differs(CHOICES[f].name, kernels.table[i], CHOICES[f].digest,
                       digest_choice(kernels.table[i], &CHOICES[f]));
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
