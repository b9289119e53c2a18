/* SPDX-License-Identifier: MIT
 *
 * Shaders: their words, what is refused, and the samples of random fields on every device that is
 * here, compared bit by bit with perlane_fill. The environment variable PERLANE_GPU_SHADERS is the
 * folder of tests/gpu/devices.py; without it only this CPU runs them.
 */
#include "../support.h"

#include <math.h>

#include "device.h"
#include "perlane_gpu.h"

static uint32_t words[MAX_WORDS];
static uint32_t out[MAX_SAMPLES];
static float expected[MAX_SAMPLES];

static const struct device {
  const char *name;
  run_shader *run;
  const char *(*open)(const char *folder, const char *name);
} DEVICES[] = {
#ifdef HAVE_CPP
    {"cuda", cuda_run, NULL},
    {"cuda", cuda_samples_run, NULL},
    {"cuda", cuda_flushed_run, NULL},
    {"metal", metal_run, NULL},
#endif
#ifdef HAVE_NVCC
    {"cuda_device", nvidia_run, nvidia_open},
#endif
#ifdef HAVE_OPENCL
    {"opencl", opencl_run, opencl_open},
#endif
#ifdef HAVE_VULKAN
    {"glsl", vulkan_run, vulkan_open},
    {"glsl_declared", vulkan_run, vulkan_open},
    {"hlsl", vulkan_run, vulkan_open},
    {"hlsl_dxc", vulkan_run, vulkan_open},
    {"wgsl", vulkan_run, vulkan_open},
#endif
    {NULL, NULL, NULL},
};

/* Fills `words`; returns their number. */
static size_t tables(const perlane_noise *noise, const perlane_grid *grid) {
  const size_t count = perlane_gpu_words(noise, grid);
  char sentence[PERLANE_MESSAGE_BYTES];
  perlane_explain_gpu(noise, grid, sentence, sizeof sentence);
  assert_string_equal(sentence, "");
  assert_in_range(count, 33, MAX_WORDS - 1);
  words[count] = 0x5A5A5A5A;
  assert_ok(perlane_gpu_tables(noise, grid, words, count));
  assert_int_equal(words[count], 0x5A5A5A5A);
  return count;
}

/* Makes a random field one that shaders compute. */
static perlane_params supported_params(struct random *random, int dims) {
  perlane_params params = random_params(random, dims);
  params.hash = PERLANE_HASH_LATTICE;
  params.hash_table = NULL;
  if (params.basis == PERLANE_BASIS_GAUSSIAN)
    params.basis = PERLANE_BASIS_CELLULAR;
  params.falloff = params.valleys = 0;
  if (params.contrast > 2)
    params.contrast = 2;
  return params;
}

/* A grid of a few thousand samples, in long runs of many, often far from the origin, or around
 * distances from which on positions are split into cells in another way. */
static perlane_grid random_grid(struct random *random, int dims, double frequency) {
  const uint64_t most = long_run() ? (dims == 2 ? 512 : 64) : dims == 2 ? 80 : 18;
  _Static_assert(512 * 512 <= MAX_SAMPLES && 64 * 64 * 64 <= MAX_SAMPLES, "the largest grids");
  perlane_grid grid =
      perlane_grid_make(1 + random_below(random, most), 1 + random_below(random, most),
                        dims == 3 ? 1 + random_below(random, most) : 0, 0);
  for (int a = 0; a < dims; a++) {
    grid.first[a] = (int64_t)(random_word(random) >> (24 + random_below(random, 40)));
    grid.first[a] *= random_below(random, 2) ? 1 : -1;
    if (random_below(random, 2))
      grid.origin[a] = random_between(random, -1e5, 1e5);
    if (random_below(random, 2))
      grid.step[a] = random_between(random, -3, 3);
    if (random_below(random, 8) == 0) {
      const double power =
          ldexp(random_below(random, 2) ? 1 : -1, 25 + (int)random_below(random, 4));
      grid.first[a] = -(int64_t)(grid.count[a] / 2);
      grid.origin[a] = power / frequency;
      grid.step[a] = random_between(random, -0.1, 0.1) / frequency;
    }
  }
  grid.octaves = random_below(random, 4) ? 0 : (int32_t)random_below(random, 9);
  return grid;
}

/* Returns how many samples of random fields differ. */
static size_t differing_samples(const char *name, run_shader *run, size_t cases) {
  struct random random = random_start("fields of shaders");
  size_t samples = 0, differing = 0, refused = 0;
  for (size_t c = 0; c < cases; c++) {
    const int dims = 2 + (int)(c % 2);
    const perlane_params params = supported_params(&random, dims);
    const perlane_grid grid = random_grid(&random, dims, params.frequency);
    perlane_noise noise;
    if (perlane_init(&noise, &params) != PERLANE_OK || perlane_gpu_words(&noise, &grid) == 0) {
      refused++;
      continue;
    }
    const size_t n = (size_t)(grid.count[0] * grid.count[1] * (dims == 3 ? grid.count[2] : 1)),
                 count = tables(&noise, &grid);
    assert_ok(perlane_fill(&noise, &grid, expected));
    run("fill", words, count, NULL, out, n * sizeof *out);
    size_t wrong = 0;
    for (size_t i = 0; i < n; i++)
      wrong += bits_of(expected[i]) != out[i];
    if (wrong != 0 && differing == 0)
      print_params(&params);
    differing += wrong;
    samples += n;
  }
  print_message("%s: %zu of %zu samples differ, in %zu fields; %zu were refused\n", name, differing,
                samples, cases - refused, refused);
  assert_true(refused * 4 < cases);
  return differing;
}

/* Returns how many values of random lists differ. */
static size_t differing_points(const char *name, run_shader *run, size_t cases) {
  enum { POINTS_OF_CASE = 1024 };
  static float coords[3 * POINTS_OF_CASE];
  struct random random = random_start("points of shaders");
  size_t points = 0, outside = 0, differing = 0;
  for (size_t c = 0; c < cases; c++) {
    const int dims = 2 + (int)(c % 2);
    perlane_params params = supported_params(&random, dims);
    if (random_below(&random, 20) == 0)
      params.frequency = 0x1p-1000; /* no finite float leaves the domain */
    const double reach = random_between(&random, 0, random_below(&random, 20) ? 40 : 128);
    const double most = pow(2, reach), far_off = pow(2, random_between(&random, -60, 58));
    double origin[3];
    for (int a = 0; a < 3; a++)
      origin[a] = random_below(&random, 3) ? random_between(&random, -far_off, far_off) : 0;
    for (int i = 0; i < 3 * POINTS_OF_CASE; i++) {
      coords[i] = (float)random_between(&random, -most, most);
      if (random_below(&random, 8) == 0) /* whole, near the negative origin, or any bits */
        coords[i] = random_below(&random, 2)   ? (float)(int64_t)fmod((double)coords[i], 1e9)
                    : random_below(&random, 9) ? (float)-origin[i / POINTS_OF_CASE]
                                               : float_of((uint32_t)random_word(&random));
    }
    coords[c % POINTS_OF_CASE] = c % 3 == 0 ? NAN : INFINITY;
    perlane_noise noise;
    if (perlane_init(&noise, &params) != PERLANE_OK ||
        perlane_gpu_points(&noise, dims, origin, words, PERLANE_GPU_POINT_WORDS) != PERLANE_OK)
      continue;
    const float *const axes[] = {coords, coords + POINTS_OF_CASE, coords + 2 * POINTS_OF_CASE};
    assert_ok(points_of(&noise, dims, POINTS_OF_CASE, origin, axes, expected, NULL));
    run("points", words, PERLANE_GPU_POINT_WORDS, coords, out, POINTS_OF_CASE * sizeof *out);
    size_t wrong = 0;
    for (size_t i = 0; i < POINTS_OF_CASE; i++) {
      wrong += bits_of(expected[i]) != out[i];
      outside += bits_of(expected[i]) == 0x7FC00000;
    }
    if (wrong != 0 && differing == 0)
      print_params(&params);
    differing += wrong;
    points += POINTS_OF_CASE;
  }
  print_message("%s: %zu of %zu points differ; %zu are outside the domain\n", name, differing,
                points, outside);
  assert_true(points > cases * POINTS_OF_CASE / 2);
  return differing;
}

/* Returns 1 if the device computes the bits. */
static int is_exact(const char *name, run_shader *run, size_t cases) {
  int exact = 1;
  for (int32_t i = 0; i < PERLANE_GPU_SELFTESTS; i++) {
    uint32_t digest = 0, computed = 0;
    assert_ok(perlane_gpu_selftest(i, words, &digest));
    run("selftest", words, PERLANE_GPU_SELFTEST_WORDS, NULL, &computed, sizeof computed);
    if (computed != digest)
      print_message("%s: self-test %d: digest %08X\n", name, (int)i, computed);
    exact &= computed == digest;
  }
  exact &= differing_samples(name, run, effort(cases)) == 0;
  return differing_points(name, run, effort(cases)) == 0 && exact;
}

static void devices_compute_the_bits(void **state) {
  (void)state;
  const char *folder = getenv("PERLANE_GPU_SHADERS");
  int exact = 1;
  if (!DEVICES[0].name)
    print_message("not run: shaders: this build has none\n");
  for (const struct device *device = DEVICES; device->name; device++) {
    if (device->open && !folder)
      continue;
    const char *missing = device->open ? device->open(folder, device->name) : NULL;
    if (missing)
      print_message("not run: %s: %s\n", device->name, missing);
    else
      exact &= is_exact(device->name, device->run, device->open ? 400 : 1000);
  }
  assert_true(exact);
}

/* The comparison can fail: Mesa's compiler fuses and reorders what is not precise, or opaque. */
static void shaders_without_precise_differ(void **state) {
  (void)state;
#ifdef HAVE_VULKAN
  static const char *const LOOSE[] = {"glsl_loose", "wgsl_loose"};
  const char *folder = getenv("PERLANE_GPU_SHADERS");
  for (size_t i = 0; folder && i < COUNT_OF(LOOSE); i++)
    if (!vulkan_open(folder, LOOSE[i]))
      assert_true(differing_samples(LOOSE[i], vulkan_run, 20) > 0);
#endif
}

static void refused(const char *options, int dims, const char *sentence) {
  const perlane_noise noise = noise_from(options);
  perlane_grid grid = perlane_grid_make(4, dims > 1 ? 4 : 0, dims > 2 ? 4 : 0, dims > 3 ? 4 : 0);
  char message[PERLANE_MESSAGE_BYTES];
  words[0] = 0x5A5A5A5A;
  assert_int_equal(perlane_gpu_words(&noise, &grid), 0);
  assert_refused(GPU, perlane_gpu_tables(&noise, &grid, words, MAX_WORDS));
  assert_int_equal(words[0], 0x5A5A5A5A);
  perlane_explain_gpu(&noise, &grid, message, sizeof message);
  if (!strstr(message, sentence))
    print_message("%s\n", message);
  assert_non_null(strstr(message, sentence));
}

static void what_shaders_do_not_compute(void **state) {
  (void)state;
  refused("", 1, "2 and 3 dimensions, not 1");
  refused("", 4, "2 and 3 dimensions, not 4");
  refused("basis=gaussian", 2, "not basis=gaussian");
  refused("basis=cellular jitter=1e-9", 2, "with jitter 9.99");
  refused("basis=cellular normalize=none contrast=2", 2, "not contrast=2");
  refused("hash=perlin", 2, "not hash=perlin");
  refused("contrast=3", 2, "not contrast=3");
  refused("warp_amplitude=1e-22", 3, "not warp_amplitude=1e-22");
  refused("warp_amplitude=1 warp_octaves=16 warp_gain=0.1", 3, "a warp's octave of amplitude");
  refused("falloff=1", 2, "not falloff=1");
  refused("valleys=3", 2, "not valleys=3");
  refused("octaves=32 gain=0.1", 2, "an octave of amplitude");
  refused("octaves=32 gain=0.1 fractal=ridged", 2, "an octave of amplitude");
  refused("value_scale=1e-35 contrast=2", 2, "value_scale");
  refused("value_scale=1e-9 contrast=2", 2, "value_scale");
  refused("value_scale=1e-20 curve=-1:-1,1:1", 3, "value_scale");
  refused("normalize=none amplitude=1e-5 contrast=2", 3, "contrast 2 and octaves of amplitude");
  refused("value_offset=1e-35", 2, "value_offset");
  refused("curve=0:0,1:1e-20", 2, "a curve's coefficient");
  perlane_params params = parsed("gradients=table");
  const float vectors[] = {1, 2, 1e-10f, 3};
  params.gradient_table = vectors;
  params.gradient_count = params.gradient_dims = 2;
  const perlane_noise tiny = noise_of(&params);
  params = perlane_params_default();
  const perlane_noise noise = noise_of(&params);
  const perlane_grid grid = perlane_grid_make(4, 4, 0, 0);
  const perlane_grid large = perlane_grid_make(1 << 16, 1 << 16, 0, 0);
  const perlane_grid far_off = perlane_grid_make(UINT64_C(1) << 50, 4, 0, 0);
  perlane_grid bad = grid;
  bad.step[1] = 0;
  assert_refused(GPU, perlane_gpu_tables(&tiny, &grid, words, MAX_WORDS));
  assert_refused(GPU, perlane_gpu_tables(&noise, &large, words, MAX_WORDS));
  assert_refused(GPU, perlane_gpu_tables(&noise, &far_off, words, MAX_WORDS));
  assert_refused(STEP, perlane_gpu_tables(&noise, &bad, words, MAX_WORDS));
  assert_refused(NULL, perlane_gpu_tables(&noise, &grid, NULL, MAX_WORDS));
  assert_refused(NULL, perlane_gpu_tables(&noise, NULL, words, MAX_WORDS));
  assert_refused(COUNT,
                 perlane_gpu_tables(&noise, &grid, words, perlane_gpu_words(&noise, &grid) - 1));
  char message[PERLANE_MESSAGE_BYTES];
  perlane_explain_gpu(&noise, &bad, message, sizeof message);
  assert_non_null(strstr(message, "step along y"));
  const double bad_origin[2] = {0, 0x1p-71};
  params.frequency = 0x1p71;
  const perlane_noise fast = noise_of(&params);
  params = parsed("warp_amplitude=1e-6 warp_frequency=3e21");
  const perlane_noise warped = noise_of(&params);
  static const struct {
    int dims, status;
    size_t room;
  } POINTS[] = {{0, PERLANE_ERROR_DIMS, 99}, {1, PERLANE_ERROR_GPU, 99},
                {2, PERLANE_OK, 59},         {2, PERLANE_ERROR_COUNT, 58},
                {3, PERLANE_OK, 62},         {3, PERLANE_ERROR_COUNT, 61},
                {4, PERLANE_ERROR_GPU, 99},  {5, PERLANE_ERROR_DIMS, 99}};
  for (size_t i = 0; i < COUNT_OF(POINTS); i++)
    assert_int_equal(perlane_gpu_points(&noise, POINTS[i].dims, NULL, words, POINTS[i].room),
                     POINTS[i].status);
  assert_refused(GPU, perlane_gpu_points(&noise, 2, bad_origin, words, 99));
  assert_refused(GPU, perlane_gpu_points(&fast, 2, NULL, words, 99));
  assert_refused(GPU, perlane_gpu_points(&warped, 2, NULL, words, 999));
  assert_refused(NULL, perlane_gpu_points(&noise, 2, NULL, NULL, 99));
  assert_refused(NULL, perlane_gpu_points(NULL, 2, NULL, words, 99));
  uint32_t digest = 0;
  assert_refused(RANGE, perlane_gpu_selftest(-1, words, &digest));
  assert_refused(RANGE, perlane_gpu_selftest(PERLANE_GPU_SELFTESTS, words, &digest));
  assert_refused(NULL, perlane_gpu_selftest(0, NULL, &digest));
  assert_refused(NULL, perlane_gpu_selftest(0, words, NULL));
}

/* Every word of a small grid, as perlane_gpu.h lists them. */
static void words_are_those_of_the_header(void **state) {
  (void)state;
  const perlane_noise noise =
      noise_from("octaves=2 gradients=sphere fade=cubic fractal=ridged weighted_strength=0.5 "
                 "contrast=2 value_scale=3 value_offset=0.25 curve=-1:-1,0:0.5,1:1 terraces=8");
  const perlane_grid grid = perlane_grid_make(5, 3, 2, 0);
  const size_t count = tables(&noise, &grid);
  const uint32_t table = 48, pieces = table + 768, octaves = pieces + 15;
  const uint32_t head[48] = {PERLANE_GPU_LAYOUT,
                             3,
                             5,
                             3,
                             2,
                             2,
                             octaves,
                             0,
                             PERLANE_BASIS_PERLIN,
                             table,
                             bits_of(2),
                             bits_of(0),
                             PERLANE_FRACTAL_RIDGED,
                             bits_of(0.5f),
                             bits_of(2),
                             2,
                             bits_of(3),
                             bits_of(0.25f),
                             3,
                             pieces,
                             bits_of(-1),
                             bits_of(1),
                             bits_of(4),
                             bits_of((float)(0.7 / (1 - 0.7))),
                             12,
                             255};
  assert_memory_equal(words, head, sizeof head);
  assert_int_equal(count, octaves + 2 * (2 + 3 * (5 + 3 + 2)));
  assert_int_equal(words[pieces + 6], bits_of(0.5f)); /* c0 of piece 1 */
  for (int k = 0; k < 2; k++) {
    const uint32_t *at = words + octaves + k * 32;
    assert_int_equal(at[0], bits_of(noise.octave[k].amplitude[2]));
    assert_int_equal(at[1], bits_of(noise.octave[k].strength));
    const uint32_t *y = at + 2 + 3 * 5; /* the fraction of the second row */
    const double units = noise.octave[k].frequency * 16777216 + noise.octave[k].phase[1];
    assert_int_equal(y[2 * 3 + 1], bits_of((float)((uint64_t)(units + 0.5) & 0xFFFFFF) / 16777216));
  }
}

/* The words of samples that are evaluated as points. */
static void words_of_cells_and_warps(void **state) {
  (void)state;
  const perlane_noise noise =
      noise_from("basis=cellular octaves=3 jitter=0.5 cell_metric=manhattan cell_output=f2 "
                 "warp_amplitude=3 warp_frequency=0.5 warp_octaves=2 warp_rounds=2");
  perlane_grid grid = perlane_grid_make(5, 3, 2, 0);
  grid.origin[1] = 0.1;
  grid.octaves = 2;
  const size_t count = tables(&noise, &grid);
  const uint32_t octave = 5 + 3 * 3, displacement = 48 + 2 * octave, first = 48 + 6 * displacement;
  const uint32_t placed[16] = {PERLANE_CELL_OUTPUT_F2,
                               PERLANE_CELL_METRIC_MANHATTAN,
                               3,
                               bits_of(0x1p-12f),
                               bits_of(0.25f + 0x1p-13f),
                               48,
                               6,
                               displacement,
                               0,
                               0x40080000, /* of 3.0 */
                               first + 2 * octave};
  assert_int_equal(words[6], first);
  assert_memory_equal(words + 32, placed, sizeof placed);
  assert_int_equal(count, first + 2 * octave + 2 * (5 + 3 + 2));
  const uint32_t *second = words + first + octave, *warp = words + 48 + displacement;
  assert_int_equal(second[0], bits_of(noise.octave[1].amplitude[2]));
  assert_int_equal(second[4], bits_of(noise.octave[1].bias));
  assert_int_equal(second[5 + 3], noise.octave[1].key[1]);
  assert_int_equal(warp[5], 2);
  assert_int_equal(warp[6], 48);
  assert_int_equal(warp[48 + 3], 0x3FE00000); /* of 0.5 */
  double y;
  memcpy(&y, words + first + 2 * octave + 2 * (5 + 1), sizeof y);
  assert_true(y == 1.1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_shaders_do_not_compute),
      cmocka_unit_test(words_are_those_of_the_header),
      cmocka_unit_test(words_of_cells_and_warps),
      cmocka_unit_test(devices_compute_the_bits),
      cmocka_unit_test(shaders_without_precise_differ),
  };
  return cmocka_run_group_tests_name("gpu", tests, NULL, NULL);
}
