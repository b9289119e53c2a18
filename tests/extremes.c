/* SPDX-License-Identifier: MIT
 *
 * Extreme arguments: cells and indices at the limits of a word, a double and the domain; points
 * that are NaN or infinite; counts whose product overflows; outputs of more than 2^32 samples.
 */
#define _GNU_SOURCE /* memfd_create */
#include "support.h"

#include <math.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static const uint32_t QUIET_NAN = 0x7FC00000;

static perlane_isa isas(size_t i) { /* those that run here, from scalar on; AUTO after the last */
  for (int isa = PERLANE_ISA_SCALAR; isa < PERLANE_ISA_COUNT; isa++)
    if (perlane_isa_supported((perlane_isa)isa) && i-- == 0)
      return (perlane_isa)isa;
  return PERLANE_ISA_AUTO;
}

static double position_of(const perlane_grid *grid, int axis, size_t i) {
  return grid->origin[axis] + (double)(grid->first[axis] + (int64_t)i) * grid->step[axis];
}

/* ---- Far cells ---- */

enum { LONG = 45, MAX_SAMPLES = LONG * 2 * 2 * 2 };

/* Returns 1 if the whole grid is within the domain, as perlane.h defines it. */
static int within_domain(const perlane_noise *noise, const perlane_grid *grid) {
  for (int a = 0; a < grid->dims; a++)
    for (size_t i = 0; i < grid->count[a]; i++)
      if (!in_domain(noise, position_of(grid, a, i)))
        return 0;
  return 1;
}

/* Every kind of fill with every instruction set gives what the reference gives sample by sample;
 * points too, in double and where positions are floats. */
static void compare_with_samples(const perlane_noise *noise, const perlane_grid *grid) {
  const int dims = grid->dims;
  float expected[5][MAX_SAMPLES], actual[5][MAX_SAMPLES], coordinate[4][MAX_SAMPLES];
  double coordinate64[4][MAX_SAMPLES];
  uint16_t word[MAX_SAMPLES], expected_word[MAX_SAMPLES];
  const float *const coords[4] = {coordinate[0], coordinate[1], coordinate[2], coordinate[3]};
  const double *const coords64[4] = {coordinate64[0], coordinate64[1], coordinate64[2],
                                     coordinate64[3]};
  float *const slope[4] = {actual[1], actual[2], actual[3], actual[4]};
  size_t samples = 1;
  int floats = 1;
  for (int a = 0; a < dims; a++)
    samples *= grid->count[a];
  for (size_t s = 0; s < samples; s++) {
    double position[4];
    float gradient[4];
    size_t rest = s;
    for (int a = 0; a < dims; a++) {
      position[a] = position_of(grid, a, rest % grid->count[a]);
      rest /= grid->count[a];
      coordinate64[a][s] = position[a];
      const int fits = fabs(position[a]) < 3e38;
      coordinate[a][s] = fits ? (float)position[a] : 0;
      floats &= fits && (double)coordinate[a][s] == position[a];
    }
    expected[0][s] = perlane_scalar_kernels.at(noise, dims, position, gradient);
    assert_true(expected[0][s] >= -1 && expected[0][s] <= 1);
    for (int a = 0; a < dims; a++)
      expected[1 + a][s] = gradient[a];
  }
  for (size_t i = 0; isas(i) != PERLANE_ISA_AUTO; i++) {
    force(isas(i));
    fill_pattern(actual, sizeof actual);
    assert_int_equal(perlane_fill(noise, grid, actual[0]), PERLANE_OK);
    if (memcmp(actual[0], expected[0], samples * sizeof(float)) != 0) {
      print_message("%s differs from the reference, %d dims:\n",
                    perlane_isa_name(perlane_isa_current()), dims);
      print_params(&noise->params);
      for (int a = 0; a < dims; a++)
        print_message("  axis %d: first %lld, count %llu, origin %a, step %a\n", a,
                      (long long)grid->first[a], (unsigned long long)grid->count[a],
                      grid->origin[a], grid->step[a]);
    }
    assert_memory_equal(actual[0], expected[0], samples * sizeof(float));
    assert_int_equal(perlane_fill_u16(noise, grid, -1, 1, i ? word : expected_word), PERLANE_OK);
    if (i)
      assert_memory_equal(word, expected_word, samples * sizeof word[0]);
    if (perlane_fill_gradient(noise, grid, actual[0], slope) == PERLANE_OK)
      for (int r = 0; r <= dims; r++)
        assert_memory_equal(actual[r], expected[r], samples * sizeof(float));
    fill_pattern(actual, sizeof actual);
    assert_int_equal(perlane_points_double(noise, dims, samples, coords64, actual[0], NULL),
                     PERLANE_OK);
    assert_memory_equal(actual[0], expected[0], samples * sizeof(float));
    if (!floats)
      continue;
    fill_pattern(actual, sizeof actual);
    assert_int_equal(perlane_points(noise, dims, samples, NULL, coords, actual[0]), PERLANE_OK);
    assert_memory_equal(actual[0], expected[0], samples * sizeof(float));
    if (perlane_points_gradient(noise, dims, samples, NULL, coords, actual[0], slope) == PERLANE_OK)
      for (int r = 0; r <= dims; r++)
        assert_memory_equal(actual[r], expected[r], samples * sizeof(float));
  }
}

/* A field whose values stay in [-1, 1]. */
static perlane_params tame_params(struct random *random, int dims) {
  perlane_params params = random_params(random, dims);
  params.normalize = PERLANE_NORMALIZE_FULL;
  params.value_scale = params.amplitude = 1;
  params.value_offset = 0;
  if (params.basis == PERLANE_BASIS_GAUSSIAN)
    params.basis = PERLANE_BASIS_WHITE;
  if (random_below(random, 3) == 0) { /* the default, mostly */
    params.basis = PERLANE_BASIS_PERLIN;
    params.hash = PERLANE_HASH_LATTICE;
    params.gradients = PERLANE_GRADIENTS_DEFAULT;
  }
  params.octaves = 1 + (int32_t)random_below(random, 2);
  params.lacunarity = 2;
  make_valid(&params, dims);
  return params;
}

/* Rows that cross the cell at `cells`, reached by way of the origin or of the index. */
static size_t cross(struct random *random, double cells) {
  static const double frequency[] = {1, 0.5, 0.01, 3, 0x1p-40, 0x1p60, 1e-200, 1e150};
  static const double cells_a_sample[] = {1, 0.375, 0.01, 3, 7.7};
  const int dims = 1 + (int)random_below(random, 4),
            axis = (int)random_below(random, (uint64_t)dims);
  perlane_params params = tame_params(random, dims);
  set_frequency(&params, frequency[random_below(random, sizeof frequency / sizeof frequency[0])]);
  make_valid(&params, dims);
  const perlane_noise noise = noise_of(&params);
  perlane_grid grid = perlane_grid_make(1, 1, 1, 1);
  grid.dims = dims;
  for (int a = 0; a < dims; a++) {
    grid.count[a] = a == axis ? LONG : 1 + random_below(random, 2);
    grid.origin[a] = random_between(random, -9, 9) / noise.highest_frequency;
    grid.step[a] = 0.3 / noise.highest_frequency;
  }
  const double at = cells / noise.highest_frequency;
  grid.step[axis] = cells_a_sample[random_below(random, 5)] / noise.highest_frequency;
  if (random_below(random, 2))
    grid.step[axis] = -grid.step[axis];
  grid.origin[axis] = at;
  grid.first[axis] = -(int64_t)random_below(random, LONG);
  const double index = at / grid.step[axis];
  if (random_below(random, 2) && fabs(index) < 0x1p62) {
    grid.origin[axis] = 0;
    grid.first[axis] += (int64_t)index;
  }
  /* At the end of the domain, as many samples as there are. */
  while (!within_domain(&noise, &grid)) {
    if (grid.count[axis] == 1)
      return 0;
    if (fabs(position_of(&grid, axis, 0)) > fabs(position_of(&grid, axis, grid.count[axis] - 1)))
      grid.first[axis]++;
    grid.count[axis]--;
  }
  compare_with_samples(&noise, &grid);
  return 1;
}

static void far_cells(void **state) {
  (void)state;
  struct random random = random_start("far cells");
  static const double CELLS[] = {0x1p24, 0x1p27, 0x1p31, 0x1p32, 0x1p33,
                                 0x1p40, 0x1p51, 0x1p52, 0x1p53};
  size_t crossed = 0;
  const size_t cases = effort(900);
  for (size_t c = 0; c < cases; c++) {
    const double cells = CELLS[c % (sizeof CELLS / sizeof CELLS[0])];
    crossed += cross(&random, random_below(&random, 2) ? cells : -cells);
  }
  assert_true(crossed > cases / 2);
  force(PERLANE_ISA_AUTO);
  print_message("rows across far cells: %zu\n", crossed);
}

/* Indices at the ends of int64, and indices that have the same double as the next. */
static void far_indices(void **state) {
  (void)state;
  struct random random = random_start("far indices");
  static const int64_t FIRST[] = {INT64_MIN,
                                  INT64_MIN + 1,
                                  INT64_MAX - LONG + 1,
                                  -(INT64_C(1) << 62) - 7,
                                  (INT64_C(1) << 62) - 9,
                                  (INT64_C(1) << 53) - 20,
                                  -(INT64_C(1) << 53) - 20,
                                  (INT64_C(1) << 60) + 3,
                                  UINT32_MAX - INT64_C(20),
                                  INT32_MIN - INT64_C(20)};
  static const double STEP[] = {0x1p-10, 0x1p-11, 0x1.8p-12, 0x1p-40, 0x1.23456789ABCDEp-13,
                                1e-300};
  size_t rows = 0;
  const size_t cases = effort(600);
  for (size_t c = 0; c < cases; c++) {
    const int dims = 1 + (int)random_below(&random, 4),
              axis = (int)random_below(&random, (uint64_t)dims);
    perlane_params params = tame_params(&random, dims);
    set_frequency(&params, random_below(&random, 2) ? 1 : 0.37);
    make_valid(&params, dims);
    const perlane_noise noise = noise_of(&params);
    perlane_grid grid = perlane_grid_make(2, 2, 2, 2);
    grid.dims = dims;
    for (int a = 0; a < dims; a++)
      grid.step[a] = 0.4;
    grid.count[axis] = LONG;
    grid.first[axis] = FIRST[c % (sizeof FIRST / sizeof FIRST[0])];
    grid.step[axis] = STEP[random_below(&random, sizeof STEP / sizeof STEP[0])];
    if (random_below(&random, 2))
      grid.step[axis] = -grid.step[axis];
    if (random_below(&random, 2)) /* back near the origin */
      grid.origin[axis] = -(double)grid.first[axis] * grid.step[axis];
    if (!within_domain(&noise, &grid))
      continue;
    compare_with_samples(&noise, &grid);
    rows++;
  }
  assert_true(rows > cases / 2);
  force(PERLANE_ISA_AUTO);
  print_message("rows of far indices: %zu\n", rows);
}

/* ---- Beyond the domain ---- */

struct outputs {
  float value[MAX_SAMPLES], slope[4][MAX_SAMPLES], smallest, largest;
  uint16_t word[MAX_SAMPLES];
  uint8_t byte[MAX_SAMPLES];
};

static void fills_yield(const perlane_noise *noise, const perlane_grid *grid,
                        perlane_status expected) {
  static struct outputs out, before;
  fill_pattern(&out, sizeof out);
  before = out;
  float *const gradient[4] = {out.slope[0], out.slope[1], out.slope[2], out.slope[3]};
  assert_int_equal(perlane_fill(noise, grid, out.value), expected);
  assert_int_equal(perlane_fill_extremes(noise, grid, out.value, &out.smallest, &out.largest),
                   expected);
  assert_int_equal(perlane_fill_gradient(noise, grid, out.value, gradient), expected);
  assert_int_equal(perlane_fill_u16(noise, grid, -1, 1, out.word), expected);
  assert_int_equal(perlane_fill_u8(noise, grid, -1, 1, out.byte), expected);
  if (expected != PERLANE_OK)
    assert_memory_equal(&out, &before, sizeof out);
  else
    assert_memory_not_equal(&out, &before, sizeof out);
}

/* The last double within the domain, and the next one, at either end, as the first or the last
 * sample along any axis: for each fill, one position and points. */
static void just_beyond(void **state) {
  (void)state;
  struct random random = random_start("just beyond");
  static const double FREQUENCY[] = {1, 0.01, 3, 0x1p-30, 1e-200, 1e9};
  size_t cases = 0;
  for (size_t i = 0; isas(i) != PERLANE_ISA_AUTO; i++)
    for (int dims = 1; dims <= 4; dims++)
      for (int axis = 0; axis < dims; axis++)
        for (int octaves = 1; octaves <= 3; octaves += 2)
          for (size_t f = 0; f < sizeof FREQUENCY / sizeof FREQUENCY[0]; f++) {
            if (!chosen(&random))
              continue;
            force(isas(i));
            perlane_params params = perlane_params_default();
            params.frequency = FREQUENCY[f];
            params.octaves = octaves;
            const perlane_noise noise = noise_of(&params);
            double inside = 0x1p53 / noise.highest_frequency;
            while (inside * noise.highest_frequency > 0x1p53)
              inside = nextafter(inside, 0);
            while (nextafter(inside, INFINITY) * noise.highest_frequency <= 0x1p53)
              inside = nextafter(inside, INFINITY);
            const double outside = nextafter(inside, INFINITY);
            for (int side = 0; side < 4; side++) {
              const double sign = side % 2 ? -1 : 1, toward = side / 2 ? 1 : -1;
              perlane_grid grid = perlane_grid_make(2, 2, 2, 2);
              grid.dims = dims;
              grid.count[axis] = 17;
              for (int a = 0; a < dims; a++)
                grid.step[a] = 1 / params.frequency;
              /* Inwards from the end, or up to it: 16 steps that a double holds. */
              grid.step[axis] = sign * ldexp(1, ilogb(inside) - 40);
              grid.first[axis] = toward < 0 ? -16 : 0;
              if (toward > 0)
                grid.step[axis] = -grid.step[axis];
              grid.origin[axis] = sign * inside;
              fills_yield(&noise, &grid, PERLANE_OK);
              grid.origin[axis] = sign * outside;
              fills_yield(&noise, &grid, PERLANE_ERROR_RANGE);
              double position[4] = {0.1, 0.2, 0.3, 0.4};
              float gradient[4];
              position[axis] = sign * inside;
              assert_true(fabsf(perlane_at(&noise, dims, position)) <= 1);
              assert_true(fabsf(perlane_at_gradient(&noise, dims, position, gradient)) <= 1);
              position[axis] = sign * outside;
              assert_int_equal(bits_of(perlane_at(&noise, dims, position)), QUIET_NAN);
              assert_int_equal(bits_of(perlane_at_gradient(&noise, dims, position, gradient)),
                               QUIET_NAN);
              for (int a = 0; a < dims; a++)
                assert_int_equal(bits_of(gradient[a]), QUIET_NAN);
              cases++;
            }
          }
  force(PERLANE_ISA_AUTO);
  print_message("ends of the domain: %zu\n", cases);
}

/* ---- Points that are no numbers, or hardly ---- */

static const uint32_t ODD[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007FFFFF,
    0x807FFFFF, 0x00800000, 0xB3000000, /* -2^-25: the cell below, unless it rounds to 0 */
    0xB2FFFFFF, 0xB3000001, 0x33000000, 0xB3800000, 0x3F7FFFFF,
    0xBF7FFFFF, 0x4B800000, 0x4D000000, 0xCD000000,             /* 2^27 */
    0x4F000000, 0xCF000000, 0x4EFFFFFF, 0x4F800000, 0xCF800000, /* 2^31, 2^32 */
    0x5F000000, 0xDF000000,                                     /* 2^63 */
    0x5A000000, 0x5A000001, 0xDA000000, 0xDA000001,             /* 2^53 and the next */
    0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000,
    0xFFC00000, 0x7F800001, 0x7FA00001, 0xFFFFFFFF};
enum { ODDS = sizeof ODD / sizeof ODD[0] };

static void odd_points(void **state) {
  (void)state;
  struct random random = random_start("odd points");
  static const size_t LENGTH[] = {1,  2,  3,  4,  5,  7,   8,   9,   15,  16,  17,
                                  31, 33, 64, 65, 96, 127, 128, 129, 255, 256, 300};
  enum { LENGTHS = sizeof LENGTH / sizeof LENGTH[0], MAX_POINTS = 300 };
  static float coordinate[4][MAX_POINTS], expected[5][MAX_POINTS], actual[5][MAX_POINTS];
  static const float *const coords[4] = {coordinate[0], coordinate[1], coordinate[2],
                                         coordinate[3]};
  static float *const slope[4] = {actual[1], actual[2], actual[3], actual[4]};
  size_t outside = 0, inside = 0;
  const size_t cases = effort(600);
  for (size_t c = 0; c < cases; c++) {
    const int dims = 1 + (int)random_below(&random, 4);
    const size_t n = LENGTH[c % LENGTHS];
    perlane_params params = tame_params(&random, dims);
    set_frequency(&params, random_below(&random, 2) ? 1 : 0.3);
    make_valid(&params, dims);
    const perlane_noise noise = noise_of(&params);
    const uint64_t rarity = 1 + random_below(&random, 40);
    for (size_t p = 0; p < n; p++) {
      double position[4];
      float gradient[4];
      int is_inside = 1, is_beyond = 0;
      for (int a = 0; a < dims; a++) {
        coordinate[a][p] = (float)random_between(&random, -30, 30);
        if (random_below(&random, rarity) == 0)
          memcpy(&coordinate[a][p], &ODD[random_below(&random, ODDS)], sizeof(float));
        position[a] = (double)coordinate[a][p];
        is_inside &= in_domain(&noise, position[a]);
        is_beyond |= beyond_domain(&noise, position[a]);
      }
      expected[0][p] = perlane_scalar_kernels.at(&noise, dims, position, gradient);
      for (int a = 0; a < dims; a++)
        expected[1 + a][p] = gradient[a];
      if (is_inside || is_beyond)
        assert_int_equal(bits_of(expected[0][p]) == QUIET_NAN, is_beyond);
      for (int a = 0; a < dims; a++)
        assert_int_equal(bits_of(gradient[a]) == QUIET_NAN, bits_of(expected[0][p]) == QUIET_NAN);
      inside += (size_t)is_inside;
      outside += (size_t)is_beyond;
    }
    for (size_t i = 0; isas(i) != PERLANE_ISA_AUTO; i++) {
      force(isas(i));
      fill_pattern(actual, sizeof actual);
      assert_int_equal(perlane_points(&noise, dims, n, NULL, coords, actual[0]), PERLANE_OK);
      assert_memory_equal(actual[0], expected[0], n * sizeof(float));
      const int sloped = has_gradient(&params);
      fill_pattern(actual, sizeof actual);
      assert_int_equal(perlane_points_gradient(&noise, dims, n, NULL, coords, actual[0], slope),
                       sloped ? PERLANE_OK : PERLANE_ERROR_NO_GRADIENT);
      for (int r = 0; r <= dims && sloped; r++)
        assert_memory_equal(actual[r], expected[r], n * sizeof(float));
      double position[4];
      float gradient[4];
      for (int a = 0; a < dims; a++)
        position[a] = (double)coordinate[a][n - 1];
      assert_int_equal(bits_of(perlane_at(&noise, dims, position)), bits_of(expected[0][n - 1]));
      assert_int_equal(bits_of(perlane_at_gradient(&noise, dims, position, gradient)),
                       sloped ? bits_of(expected[0][n - 1]) : QUIET_NAN);
    }
  }
  assert_true(outside > 0 && inside > 0);
  force(PERLANE_ISA_AUTO);
  print_message("points among odd ones: %zu, outside the domain: %zu\n", inside, outside);
}

/* ---- Counts and strides ---- */

static void counts_overflow(void **state) {
  (void)state;
  const perlane_params params = perlane_params_default();
  const perlane_noise noise = noise_of(&params);
  /* Products that are too large, or wrap: to 0, to 1, to a few. */
  static const struct {
    int dims;
    size_t count[4];
  } TOO_MANY[] = {
      {1, {PTRDIFF_MAX / sizeof(float) + 1, 1, 1, 1}},
      {1, {SIZE_MAX, 1, 1, 1}},
      {1, {(size_t)PTRDIFF_MAX + 1, 1, 1, 1}},
      {2, {(size_t)1 << 32, (size_t)1 << 32, 1, 1}},
      {2, {((size_t)1 << 32) + 1, ((size_t)1 << 32) - 1, 1, 1}},
      {2, {3, 0xAAAAAAAAAAAAAAABu, 1, 1}}, /* 2^65 + 1 */
      {3, {(size_t)1 << 21, (size_t)1 << 21, (size_t)1 << 22, 1}},
      {3, {5, 13, 0x3F03F03F03F03F04u, 1}},
      {3, {1, 1, PTRDIFF_MAX / sizeof(float) + 1, 1}},
      {4, {65536, 65536, 65536, 65536}},
      {4, {65537, 65535, 65537, 65535}},
      {4, {1, 1, 1, SIZE_MAX}},
      {4, {2, 2, 2, PTRDIFF_MAX / sizeof(float) / 8 + 1}},
  };
  for (size_t i = 0; i < sizeof TOO_MANY / sizeof TOO_MANY[0]; i++)
    for (int strided = 0; strided < 2; strided++) {
      perlane_grid grid = perlane_grid_make(1, 1, 1, 1);
      grid.dims = TOO_MANY[i].dims;
      for (int a = 0; a < grid.dims; a++) {
        grid.count[a] = TOO_MANY[i].count[a];
        grid.step[a] = 1e-20;
        grid.stride[a] = strided ? a + 1 : 0;
      }
      fills_yield(&noise, &grid, PERLANE_ERROR_COUNT);
    }
  /* The largest count passes the check of sizes, and fails for another reason. */
  perlane_grid grid = perlane_grid_make(PTRDIFF_MAX / sizeof(float), 0, 0, 0);
  grid.step[0] = NAN;
  fills_yield(&noise, &grid, PERLANE_ERROR_STEP);
  grid = perlane_grid_make(PTRDIFF_MAX / sizeof(float) / 2, 2, 0, 0);
  grid.step[0] = 1e-20;
  grid.step[1] = NAN;
  fills_yield(&noise, &grid, PERLANE_ERROR_STEP);
  /* Strides that wrap when they are multiplied or negated. */
  static const ptrdiff_t STRIDE[] = {PTRDIFF_MIN,        PTRDIFF_MAX,
                                     PTRDIFF_MIN + 1,    PTRDIFF_MAX / 2 + 1,
                                     (ptrdiff_t)1 << 62, -((ptrdiff_t)1 << 61) - 1};
  for (int axis = 0; axis < 4; axis++)
    for (size_t i = 0; i < sizeof STRIDE / sizeof STRIDE[0]; i++) {
      grid = perlane_grid_make(3, 3, 3, 3);
      grid.stride[axis] = STRIDE[i];
      fills_yield(&noise, &grid, PERLANE_ERROR_STRIDE);
    }
  grid = perlane_grid_make(3, 3, 3, 3); /* each fits, and their sum does not */
  for (int a = 1; a < 4; a++)
    grid.stride[a] = (PTRDIFF_MAX / (ptrdiff_t)sizeof(float) / 6) + a;
  fills_yield(&noise, &grid, PERLANE_ERROR_STRIDE);
  /* The last index there is. */
  grid = perlane_grid_make(3, 0, 0, 0);
  grid.step[0] = 1e-18;
  grid.first[0] = INT64_MAX - 2;
  fills_yield(&noise, &grid, PERLANE_OK);
  grid.first[0]++;
  fills_yield(&noise, &grid, PERLANE_ERROR_RANGE);
  grid.first[0] = INT64_MAX;
  fills_yield(&noise, &grid, PERLANE_ERROR_RANGE);
  grid.first[0] = INT64_MIN;
  fills_yield(&noise, &grid, PERLANE_OK);
  const float x = 0;
  const float *const coords[1] = {&x};
  static const size_t COUNT[] = {PTRDIFF_MAX / sizeof(float) + 1, (size_t)PTRDIFF_MAX, SIZE_MAX,
                                 SIZE_MAX / sizeof(float) + 2};
  for (size_t i = 0; i < sizeof COUNT / sizeof COUNT[0]; i++) {
    float out = 7, slope = 8;
    float *const slopes[1] = {&slope};
    assert_int_equal(perlane_points(&noise, 1, COUNT[i], NULL, coords, &out), PERLANE_ERROR_COUNT);
    assert_int_equal(perlane_points_gradient(&noise, 1, COUNT[i], NULL, coords, &out, slopes),
                     PERLANE_ERROR_COUNT);
    assert_true(out == 7 && slope == 8);
  }
}

/* Returns address space that has no memory until it is written to, or NULL if there is none. */
static unsigned char *sparse(size_t bytes) {
  void *memory =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

/* Few samples, so far apart that offsets in samples and in bytes leave 32 bits. */
static void far_strides(void **state) {
  (void)state;
  struct random random = random_start("far strides");
  const size_t bytes = (size_t)3 << 36;
  unsigned char *memory = sparse(bytes);
  if (!memory) {
    print_message("not run: strides beyond 2^32, there is not enough address space\n");
    return;
  }
  static const ptrdiff_t STRIDE[] = {((ptrdiff_t)1 << 31) + 5, ((ptrdiff_t)1 << 32) + 64,
                                     ((ptrdiff_t)1 << 33) - 3, ((ptrdiff_t)1 << 30) + 1};
  const size_t cases = effort(60);
  size_t filled = 0;
  for (size_t c = 0; c < cases; c++) {
    const int dims = 1 + (int)random_below(&random, 4),
              axis = (int)random_below(&random, (uint64_t)dims);
    const perlane_params params = tame_params(&random, dims);
    const perlane_noise noise = noise_of(&params);
    perlane_grid grid = perlane_grid_make(5, 3, 2, 2), near;
    grid.dims = dims;
    for (int a = 0; a < dims; a++)
      grid.step[a] = 0.21 / noise.highest_frequency;
    near = grid;
    /* One axis goes far, the others stay packed. */
    ptrdiff_t stride = 1;
    for (int a = 0; a < dims; a++) {
      grid.stride[a] = stride;
      if (a != axis)
        stride *= (ptrdiff_t)grid.count[a];
    }
    const size_t far = c % (sizeof STRIDE / sizeof STRIDE[0]);
    grid.stride[axis] = STRIDE[far];
    const size_t span = (grid.count[axis] - 1) * (size_t)STRIDE[far] + 200;
    if (span * sizeof(float) > bytes)
      grid.count[axis] = near.count[axis] = 2;
    float *first = (float *)(void *)memory;
    if (random_below(&random, 2)) {
      first += (grid.count[axis] - 1) * (size_t)STRIDE[far];
      grid.stride[axis] = -grid.stride[axis];
    }
    float expected[60], slope[4][60];
    float *const slopes[4] = {slope[0], slope[1], slope[2], slope[3]};
    const int sloped = has_gradient(&params);
    assert_int_equal(sloped ? perlane_fill_gradient(&noise, &near, expected, slopes)
                            : perlane_fill(&noise, &near, expected),
                     PERLANE_OK);
    force_any(&random);
    const int gradient = random_below(&random, 2) == 0 && dims == 1 && sloped;
    float *const interleaved[1] = {first + 1};
    assert_int_equal(gradient ? perlane_fill_gradient(&noise, &grid, first, interleaved)
                              : perlane_fill(&noise, &grid, first),
                     PERLANE_OK);
    const size_t samples = near.count[0] * (dims > 1 ? near.count[1] : 1) *
                           (dims > 2 ? near.count[2] : 1) * (dims > 3 ? near.count[3] : 1);
    for (size_t s = 0; s < samples; s++) {
      size_t rest = s;
      ptrdiff_t at = 0;
      for (int a = 0; a < dims; a++) {
        at += (ptrdiff_t)(rest % grid.count[a]) * grid.stride[a];
        rest /= grid.count[a];
      }
      assert_int_equal(bits_of(first[at]), bits_of(expected[s]));
      if (gradient)
        assert_int_equal(bits_of(first[at + 1]), bits_of(slope[0][s]));
    }
    filled++;
  }
  munmap(memory, bytes);
  force(PERLANE_ISA_AUTO);
  print_message("fills with far strides: %zu\n", filled);
}

/* ---- More than 2^32 samples ---- */

#ifdef __linux__

/* Maps the same few bytes over and over to fill address space of `bytes`, but for the last
 * window, which has its own: what is never written to, or written elsewhere, shows there. */
struct folded {
  unsigned char *start, *last;
  size_t bytes, window;
  int file;
};

static int fold(struct folded *folded, size_t window, size_t bytes) {
  *folded = (struct folded){NULL, NULL, (bytes + window - 1) / window * window, window, -1};
  void *all =
      mmap(NULL, folded->bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED)
    return 0;
  folded->start = all;
  folded->last = folded->start + folded->bytes - window;
  folded->file = memfd_create("folded", 0);
  int fits = folded->file >= 0 && ftruncate(folded->file, (off_t)(2 * window)) == 0;
  for (size_t at = 0; at < folded->bytes && fits; at += window)
    fits = mmap(folded->start + at, window, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                folded->file, folded->start + at == folded->last ? (off_t)window : 0) != MAP_FAILED;
  return fits;
}

static void unfold(struct folded *folded) {
  if (folded->start)
    munmap(folded->start, folded->bytes);
  if (folded->file >= 0)
    close(folded->file);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Grids that repeat as the memory under them does, so that every sample is compared: each falls on
 * those whose bits are the same. The field's period is 64 cells, of 4 samples. */
enum { HUGE_LINE, HUGE_MAP, HUGE_VOLUME, HUGE_SLOPES, HUGE_POINTS, HUGE_KINDS };
static const char *const HUGE_NAME[HUGE_KINDS] = {"a line of floats", "a map of bytes",
                                                  "a volume of u16", "a map with slopes",
                                                  "a list of points"};
enum { WIDTH = 4096, PERIOD_SAMPLES = 256 };

static void fill_huge(int kind, const perlane_noise *noise, perlane_grid *grid, size_t n,
                      struct folded folded[5]) {
  float *array[5];
  for (int i = 0; i < 5; i++)
    array[i] = (float *)(void *)folded[i].start;
  const float *const coords[2] = {array[3], array[4]};
  const perlane_status status =
      kind == HUGE_LINE     ? perlane_fill(noise, grid, array[0])
      : kind == HUGE_MAP    ? perlane_fill_u8(noise, grid, -1, 1, folded[0].start)
      : kind == HUGE_VOLUME ? perlane_fill_u16(noise, grid, -1, 1, (uint16_t *)(void *)array[0])
      : kind == HUGE_SLOPES ? perlane_fill_gradient(noise, grid, array[0], array + 1)
                            : perlane_points(noise, 2, n, NULL, coords, array[0]);
  assert_int_equal(status, PERLANE_OK);
}

static void huge(int kind) {
  const size_t over = ((size_t)1 << 32) + 3 * 16 * WIDTH;
  const size_t size = kind == HUGE_MAP ? 1 : kind == HUGE_VOLUME ? 2 : sizeof(float);
  const size_t few = (size_t)WIDTH * PERIOD_SAMPLES; /* samples of a window */
  const size_t rest = over % few;                    /* of the last */
  perlane_params params = perlane_params_default();
  params.frequency = 1;
  for (int a = 0; a < 4; a++)
    params.period[a] = PERIOD_SAMPLES / 4;
  const perlane_noise noise = noise_of(&params);
  perlane_grid grid = kind == HUGE_LINE     ? perlane_grid_make(over, 0, 0, 0)
                      : kind == HUGE_VOLUME ? perlane_grid_make(WIDTH, 16, over / WIDTH / 16, 0)
                                            : perlane_grid_make(WIDTH, over / WIDTH, 0, 0);
  for (int a = 0; a < grid.dims; a++) {
    grid.origin[a] = 0.0625;
    grid.step[a] = 0.25;
  }
  perlane_grid small = grid; /* what a window holds */
  if (kind == HUGE_LINE)
    small.count[0] = few;
  else
    small.count[grid.dims - 1] = few / WIDTH / (kind == HUGE_VOLUME ? 16 : 1);
  if (kind == HUGE_VOLUME) /* planes, 16 of which are a period */
    grid.step[2] = small.step[2] = 4;
  const int arrays = kind == HUGE_SLOPES ? 3 : kind == HUGE_POINTS ? 5 : 1;
  for (size_t i = 1; isas(i) != PERLANE_ISA_AUTO; i++) {
    struct folded folded[5] = {{0}}, window[5] = {{0}};
    int fits = 1;
    for (int array = 0; array < arrays; array++)
      fits = fits && fold(&folded[array], few * size, over * size) &&
             fold(&window[array], few * size, few * size);
    if (!fits) {
      print_message("not run: %s of more than 2^32 samples, there is not enough address space\n",
                    HUGE_NAME[kind]);
    } else {
      for (int axis = 0; axis < 2 && kind == HUGE_POINTS; axis++)
        for (size_t s = 0; s < few; s++) {
          const float v = (float)(s * (7 + (size_t)axis) % 9973) * 0.01f;
          ((float *)(void *)window[3 + axis].start)[s] = v;
          ((float *)(void *)folded[3 + axis].start)[s] = v;
          ((float *)(void *)folded[3 + axis].last)[s] = v;
        }
      force(isas(i));
      const double start = seconds();
      fill_huge(kind, &noise, &grid, over, folded);
      const double took = seconds() - start;
      force(PERLANE_ISA_SCALAR);
      fill_huge(kind, &noise, &small, few, window);
      for (int array = 0; array < arrays; array++)
        assert_true(memcmp(folded[array].start, window[array].start, few * size) == 0 &&
                    memcmp(folded[array].last, window[array].start, rest * size) == 0);
      print_message("%s: %s of %zu samples in %.1f s\n", perlane_isa_name(isas(i)), HUGE_NAME[kind],
                    over, took);
    }
    for (int array = 0; array < 5; array++) {
      unfold(&folded[array]);
      unfold(&window[array]);
    }
  }
  force(PERLANE_ISA_AUTO);
}

static void beyond_32_bits(void **state) {
  (void)state;
  if (!long_run()) {
    print_message("not run: more than 2^32 samples in a call, which take minutes: "
                  "PERLANE_TEST_PERCENT=101 has them run\n");
    return;
  }
  print_message("not run: more than 2^32 samples with scalar, which would take hours\n");
  for (int kind = 0; kind < HUGE_KINDS; kind++)
    huge(kind);
}

#else
static void beyond_32_bits(void **state) {
  (void)state;
  print_message("not run: more than 2^32 samples in a call, which take Linux's memory files\n");
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(far_cells),       cmocka_unit_test(far_indices),
      cmocka_unit_test(just_beyond),     cmocka_unit_test(odd_points),
      cmocka_unit_test(counts_overflow), cmocka_unit_test(far_strides),
      cmocka_unit_test(beyond_32_bits),
  };
  return cmocka_run_group_tests_name("extremes", tests, NULL, NULL);
}
