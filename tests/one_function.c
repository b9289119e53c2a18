/* SPDX-License-Identifier: MIT
 *
 * One function: single samples, point lists and grids agree bit for bit, with and without
 * gradients, as floats and as integers; and a tile of any position and size equals the crop of the
 * whole map.
 */
#include "support.h"

#include <math.h>

static size_t samples_of(const perlane_grid *grid) {
  size_t samples = 1;
  for (int a = 0; a < grid->dims; a++)
    samples *= grid->count[a];
  return samples;
}

/* A small grid anywhere near the origin. */
static perlane_grid random_grid(struct random *random, int dims) {
  perlane_grid grid = perlane_grid_make(1 + random_below(random, 9), 1 + random_below(random, 5),
                                        1 + random_below(random, 4), 1 + random_below(random, 3));
  grid.dims = dims;
  for (int a = 0; a < dims; a++) {
    grid.origin[a] = random_between(random, -100, 100);
    grid.step[a] = random_between(random, -2, 2);
    grid.first[a] = (int64_t)random_below(random, 100) - 50;
  }
  return grid;
}

static void grid_equals_at(void **state) {
  (void)state;
  struct random random = random_start("grid = at");
  enum { MAX_SAMPLES = 9 * 5 * 4 * 3 };
  const size_t cases = effort(1000);
  for (size_t c = 0; c < cases; c++) {
    const int dims = 1 + (int)random_below(&random, 4);
    const perlane_params params = random_params(&random, dims);
    const perlane_noise noise = noise_of(&params);
    const perlane_grid grid = random_grid(&random, dims);
    float filled[MAX_SAMPLES], value[MAX_SAMPLES], slope[4][MAX_SAMPLES];
    float *const gradient[4] = {slope[0], slope[1], slope[2], slope[3]};
    force_any(&random);
    assert_int_equal(perlane_fill(&noise, &grid, filled), PERLANE_OK);
    force_any(&random);
    const int sloped = has_gradient(&params), has_value = sloped && random_below(&random, 3) != 0;
    assert_int_equal(perlane_fill_gradient(&noise, &grid, has_value ? value : NULL, gradient),
                     sloped ? PERLANE_OK : PERLANE_ERROR_NO_GRADIENT);
    for (size_t s = 0; s < samples_of(&grid); s++) {
      double position[4];
      size_t rest = s;
      for (int a = 0; a < dims; a++) {
        const int64_t i = grid.first[a] + (int64_t)(rest % grid.count[a]);
        position[a] = grid.origin[a] + (double)i * grid.step[a];
        rest /= grid.count[a];
      }
      float at_once[4];
      assert_int_equal(bits_of(perlane_at(&noise, dims, position)), bits_of(filled[s]));
      assert_int_equal(bits_of(perlane_at_gradient(&noise, dims, position, at_once)),
                       sloped ? bits_of(filled[s]) : 0x7FC00000);
      if (has_value)
        assert_int_equal(bits_of(value[s]), bits_of(filled[s]));
      for (int a = 0; a < dims && sloped; a++)
        assert_int_equal(bits_of(at_once[a]), bits_of(slope[a][s]));
    }
  }
  force(PERLANE_ISA_AUTO);
}

/* A grid whose positions are floats is the same list of points. */
static void grid_equals_points(void **state) {
  (void)state;
  struct random random = random_start("grid = points");
  enum { N = 33 };
  const size_t cases = effort(1000);
  for (size_t c = 0; c < cases; c++) {
    const int dims = 1 + (int)random_below(&random, 4);
    const perlane_params params = random_params(&random, dims);
    const perlane_noise noise = noise_of(&params);
    perlane_grid grid = perlane_grid_make(N, 1, 1, 1);
    grid.dims = dims;
    float coordinate[4][N], filled[5][N], listed[5][N];
    const float *coords[4];
    float *filled_slope[4], *listed_slope[4];
    for (int a = 0; a < dims; a++) {
      grid.origin[a] = (double)((int64_t)random_below(&random, 1 << 20) - (1 << 19)) * 0x1p-10;
      grid.step[a] = 0x1p-6 * (double)(1 + random_below(&random, 200));
      coords[a] = coordinate[a];
      filled_slope[a] = filled[a + 1];
      listed_slope[a] = listed[a + 1];
      for (int i = 0; i < N; i++) {
        const double x = grid.origin[a] + (a == 0 ? i : 0) * grid.step[a];
        coordinate[a][i] = (float)x;
        assert_true((double)coordinate[a][i] == x);
      }
    }
    force_any(&random);
    assert_int_equal(perlane_fill(&noise, &grid, filled[0]), PERLANE_OK);
    force_any(&random);
    assert_int_equal(perlane_points(&noise, dims, N, NULL, coords, listed[0]), PERLANE_OK);
    assert_memory_equal(filled[0], listed[0], sizeof filled[0]);
    if (!has_gradient(&params))
      continue;
    force_any(&random);
    assert_int_equal(perlane_fill_gradient(&noise, &grid, NULL, filled_slope), PERLANE_OK);
    force_any(&random);
    fill_pattern(listed, sizeof listed);
    assert_int_equal(
        perlane_points_gradient(&noise, dims, N, NULL, coords, listed[0], listed_slope),
        PERLANE_OK);
    assert_memory_equal(filled, listed, (size_t)(dims + 1) * sizeof filled[0]);
  }
  force(PERLANE_ISA_AUTO);
}

/* The conversion to integers, in plain C. */
static uint32_t as_integer(float value, float low, float high, float max) {
  const float scale = (float)((double)max / ((double)high - (double)low));
  const float above = value - low;
  const float scaled = above * scale;
  return (uint32_t)rintf(fminf(fmaxf(scaled, 0), max)); /* ties to even */
}

static void integers_equal_floats(void **state) {
  (void)state;
  struct random random = random_start("integers = floats");
  enum { MAX_SAMPLES = 9 * 5 * 4 * 3 };
  const size_t cases = effort(3000);
  size_t held = 0;
  for (size_t c = 0; c < cases; c++) {
    const int dims = 1 + (int)random_below(&random, 4);
    const perlane_params params = random_params(&random, dims);
    const perlane_noise noise = noise_of(&params);
    const perlane_grid grid = random_grid(&random, dims);
    float filled[MAX_SAMPLES], low, high;
    uint16_t word[MAX_SAMPLES];
    uint8_t byte[MAX_SAMPLES];
    assert_int_equal(perlane_range(&noise, dims, &low, &high), PERLANE_OK);
    const int apart = (double)high - (double)low > 1e-30; /* or there is no scale in float */
    if (!apart || random_below(&random, 2) == 0) {
      low = (float)random_between(&random, -2, 2);
      high = low + (float)random_between(&random, -2, 2);
    }
    force_any(&random);
    assert_int_equal(perlane_fill(&noise, &grid, filled), PERLANE_OK);
    force_any(&random);
    assert_int_equal(perlane_fill_u16(&noise, &grid, low, high, word), PERLANE_OK);
    force_any(&random);
    assert_int_equal(perlane_fill_u8(&noise, &grid, low, high, byte), PERLANE_OK);
    for (size_t i = 0; i < samples_of(&grid); i++) {
      assert_int_equal(word[i], as_integer(filled[i], low, high, 65535));
      assert_int_equal(byte[i], as_integer(filled[i], low, high, 255));
      held += word[i] == 0 || word[i] == 65535;
    }
  }
  assert_true(held > 0);
  force(PERLANE_ISA_AUTO);
}

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
  assert_int_equal(perlane_fill(&noise, &grid, value), PERLANE_OK);
  /* (value + 255 / 256) * 64 is h / 2. */
  const float low = -255.0f / 256, high = low + 255.0f / 64;
  for (int isa = PERLANE_ISA_SCALAR; isa < PERLANE_ISA_COUNT; isa++) {
    if (!perlane_isa_supported((perlane_isa)isa))
      continue;
    force((perlane_isa)isa);
    assert_int_equal(perlane_fill_u8(&noise, &grid, low, high, byte), PERLANE_OK);
    for (int h = 0; h < 256; h++) {
      assert_true(value[h] == (float)(2 * h - 255) / 256);
      assert_int_equal(byte[h], h / 2 + (h % 4 == 3));
    }
  }
  force(PERLANE_ISA_AUTO);
}

static void extremes_equal_a_scan(void **state) {
  (void)state;
  struct random random = random_start("extremes");
  enum { MAX_SAMPLES = 9 * 5 * 4 * 3 };
  const size_t cases = effort(3000);
  for (size_t c = 0; c < cases; c++) {
    const int dims = 1 + (int)random_below(&random, 4);
    const perlane_params params = random_params(&random, dims);
    const perlane_noise noise = noise_of(&params);
    perlane_grid grid = random_grid(&random, dims);
    if (random_below(&random, 4) == 0) /* zeros of both signs */
      for (int a = 0; a < dims; a++) {
        grid.origin[a] = 0;
        grid.step[a] = 1 / params.frequency;
      }
    float filled[MAX_SAMPLES], value[MAX_SAMPLES], low, high, smallest, largest;
    force_any(&random);
    assert_int_equal(perlane_fill(&noise, &grid, filled), PERLANE_OK);
    force_any(&random);
    assert_int_equal(perlane_fill_extremes(&noise, &grid, value, &smallest, &largest), PERLANE_OK);
    assert_memory_equal(value, filled, samples_of(&grid) * sizeof(float));
    low = high = filled[0];
    for (size_t i = 1; i < samples_of(&grid); i++) {
      low = filled[i] < low ? filled[i] : low;
      high = filled[i] > high ? filled[i] : high;
    }
    assert_int_equal(bits_of(smallest), bits_of(low + 0.0f)); /* + 0: no zero is negative */
    assert_int_equal(bits_of(largest), bits_of(high + 0.0f));
  }
  force(PERLANE_ISA_AUTO);
}

/* A map of values, of integers, or of values and slopes in arrays of their own. */
enum { MAX_SAMPLES = 60 * 40 };
struct map {
  float value[MAX_SAMPLES], slope[4][MAX_SAMPLES];
  uint16_t word[MAX_SAMPLES];
};

static void fill_map(const perlane_noise *noise, const perlane_grid *grid, int what,
                     ptrdiff_t offset, struct map *map) {
  float *const gradient[4] = {map->slope[0] + offset, map->slope[1] + offset,
                              map->slope[2] + offset, map->slope[3] + offset};
  assert_int_equal(what == 0   ? perlane_fill(noise, grid, map->value + offset)
                   : what == 1 ? perlane_fill_u16(noise, grid, -1, 1, map->word + offset)
                               : perlane_fill_gradient(noise, grid, map->value + offset, gradient),
                   PERLANE_OK);
}

/* Cuts a map into random tiles, each filled by itself with any kernel, in strides of the map. */
static void fill_by_tiles(struct random *random, const perlane_noise *noise,
                          const perlane_grid *grid, int what, struct map *map) {
  size_t begin[4] = {0, 0, 0, 0}, size[4] = {1, 1, 1, 1};
  for (int a = 0; a < grid->dims; a++)
    size[a] = 1 + random_below(random, grid->count[a]);
  for (;;) {
    perlane_grid tile = *grid;
    ptrdiff_t offset = 0, stride = 1;
    for (int a = 0; a < grid->dims; a++) {
      const size_t left = grid->count[a] - begin[a];
      tile.first[a] = grid->first[a] + (int64_t)begin[a];
      tile.count[a] = size[a] < left ? size[a] : left;
      tile.stride[a] = stride;
      offset += (ptrdiff_t)begin[a] * stride;
      stride *= (ptrdiff_t)grid->count[a];
    }
    force_any(random);
    fill_map(noise, &tile, what, offset, map);
    int a = 0;
    while (a < grid->dims && (begin[a] += size[a]) >= grid->count[a])
      begin[a++] = 0;
    if (a == grid->dims)
      return;
  }
}

static void tiles_equal_crops(void **state) {
  (void)state;
  struct random random = random_start("tiles = crops");
  static struct map whole, tiled;
  static const int64_t far_first[] = {0, -17, INT64_C(1) << 40, -(INT64_C(1) << 40)};
  static const double far_origin[] = {0, 0.3, -1e6, 0x1p40, -0x1p50, 0x1p50};
  const size_t cases = effort(600);
  for (size_t c = 0; c < cases; c++) {
    const int dims = 1 + (int)random_below(&random, 4);
    perlane_params params = random_params(&random, dims);
    params.octaves = 1 + params.octaves % 3;
    set_frequency(&params, random_between(&random, 0.01, 0.9));
    params.warp_octaves = 1;
    params.lacunarity = 2;
    make_valid(&params, dims);
    const perlane_noise noise = noise_of(&params);
    static const size_t count[4][4] = {
        {500, 1, 1, 1}, {60, 40, 1, 1}, {20, 12, 9, 1}, {11, 9, 5, 4}};
    perlane_grid grid = perlane_grid_make(1, 1, 1, 1);
    grid.dims = dims;
    for (int a = 0; a < dims; a++) {
      grid.count[a] = 1 + random_below(&random, count[dims - 1][a]);
      grid.first[a] = far_first[random_below(&random, 4)];
      grid.origin[a] = far_origin[random_below(&random, 6)];
      grid.step[a] = random_between(&random, 0.01, 3.3) * (random_below(&random, 2) ? 1 : -1);
    }
    fill_pattern(&whole, sizeof whole);
    tiled = whole;
    const int what = (int)random_below(&random, has_gradient(&params) ? 3 : 2);
    force_any(&random);
    fill_map(&noise, &grid, what, 0, &whole);
    fill_by_tiles(&random, &noise, &grid, what, &tiled);
    assert_memory_equal(&whole, &tiled, sizeof whole);
  }
  force(PERLANE_ISA_AUTO);
}

/* Reaches the same position by a step of 1/s and by division, and from either end of an axis. */
static void steps_reach_the_same_samples(void **state) {
  (void)state;
  perlane_params params = perlane_params_default();
  params.frequency = 1;
  const perlane_noise noise = noise_of(&params);
  enum { N = 2000 };
  static float forwards[N], backwards[N];
  for (int s = 3; s < 100; s += 7) {
    perlane_grid grid = perlane_grid_make(N, 0, 0, 0);
    grid.step[0] = 1.0 / s;
    assert_int_equal(perlane_fill(&noise, &grid, forwards), PERLANE_OK);
    for (int i = 0; i < N; i++) {
      const double position = (double)i / s;
      assert_int_equal(bits_of(forwards[i]), bits_of(perlane_at(&noise, 1, &position)));
    }
    grid.first[0] = -(N - 1);
    grid.step[0] = -1.0 / s;
    assert_int_equal(perlane_fill(&noise, &grid, backwards), PERLANE_OK);
    for (int i = 0; i < N; i++)
      assert_int_equal(bits_of(forwards[i]), bits_of(backwards[N - 1 - i]));
  }
}

static void zero_at_lattice_points(void **state) {
  (void)state;
  perlane_params params = perlane_params_default();
  params.phase = PERLANE_PHASE_NONE;
  params.frequency = 1;
  const perlane_noise noise = noise_of(&params);
  for (int dims = 1; dims <= 4; dims++) {
    perlane_grid grid = perlane_grid_make(20, 3, 3, 3);
    grid.dims = dims;
    float value[20 * 27];
    assert_int_equal(perlane_fill(&noise, &grid, value), PERLANE_OK);
    for (int i = 0; i < 20; i++)
      assert_true(value[i] == 0);
  }
}

/* Contrast, size and offset are applied to the field's value and slopes at the end, an operation at
 * a time. */
static void ends_of_samples(void **state) {
  (void)state;
  struct random random = random_start("ends of samples");
  const size_t cases = effort(20000);
  size_t compared = 0;
  for (size_t c = 0; c < cases; c++) {
    const int dims = 1 + (int)random_below(&random, 4);
    perlane_params params = random_params(&random, dims);
    params.contrast = random_below(&random, 4) ? 2 + (int32_t)random_below(&random, 6) : 0;
    make_valid(&params, dims);
    if (params.contrast == 1)
      continue;
    params.curve.count = params.terraces = 0; /* oracle.c has these */
    params.warp_amplitude = 0;                /* which stretches derivatives after that */
    make_valid(&params, dims);
    if (params.contrast == 1)
      continue;
    perlane_params plain = params;
    plain.contrast = 1;
    plain.value_scale = 1;
    plain.value_offset = 0;
    const perlane_noise noise = noise_of(&params), before = noise_of(&plain);
    double position[4];
    for (int a = 0; a < 4; a++)
      position[a] = random_between(&random, -1000, 1000);
    float slope[4], expected_slope[4];
    /* A warp's derivatives come after them. */
    const int sloped = has_gradient(&params) && params.warp_amplitude == 0;
    float v = perlane_at(&before, dims, position);
    if (sloped)
      v = perlane_at_gradient(&before, dims, position, expected_slope);
    float power = fabsf(v);
    for (int i = 2; i < params.contrast; i++)
      power = power * fabsf(v);
    float expected = params.contrast == 0 ? (float)((v > 0) - (v < 0)) : v * power;
    for (int a = 0; a < dims && sloped; a++)
      expected_slope[a] =
          params.contrast == 0 ? 0 : ((float)params.contrast * power) * expected_slope[a];
    if (params.value_scale != 1) {
      expected = expected * (float)params.value_scale;
      for (int a = 0; a < dims && sloped; a++)
        expected_slope[a] = expected_slope[a] * (float)params.value_scale;
    }
    if (params.value_offset != 0)
      expected = expected + (float)params.value_offset;
    assert_int_equal(bits_of(perlane_at(&noise, dims, position)), bits_of(expected));
    if (sloped) {
      assert_int_equal(bits_of(perlane_at_gradient(&noise, dims, position, slope)),
                       bits_of(expected));
      assert_memory_equal(slope, expected_slope, (size_t)dims * sizeof(float));
    }
    compared++;
  }
  assert_true(compared > cases / 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(grid_equals_at),
      cmocka_unit_test(grid_equals_points),
      cmocka_unit_test(integers_equal_floats),
      cmocka_unit_test(ties_go_to_even),
      cmocka_unit_test(extremes_equal_a_scan),
      cmocka_unit_test(tiles_equal_crops),
      cmocka_unit_test(steps_reach_the_same_samples),
      cmocka_unit_test(zero_at_lattice_points),
      cmocka_unit_test(ends_of_samples),
  };
  return cmocka_run_group_tests_name("one function", tests, NULL, NULL);
}
