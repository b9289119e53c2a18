/* SPDX-License-Identifier: MIT
 *
 * One function: single samples, point lists and grids agree bit for bit, and a tile equals the crop
 * of the whole map, wherever it lies and whatever its size.
 */
#include "support.h"

static void force(perlane_isa isa) {
  assert_int_equal(perlane_force_isa(isa), PERLANE_OK);
}

static perlane_isa random_isa(struct random *random) {
  for (;;) {
    const perlane_isa isa = (perlane_isa)random_below(random, PERLANE_ISA_COUNT);
    if (perlane_isa_supported(isa))
      return isa;
  }
}

static void grid_equals_at(void **state) {
  (void)state;
  struct random random = random_start("grid = at");
  const size_t cases = effort(1000);
  for (size_t c = 0; c < cases; c++) {
    const perlane_params params = random_params(&random);
    const perlane_noise noise = noise_of(&params);
    perlane_grid grid =
        perlane_grid_make(1 + random_below(&random, 9), 1 + random_below(&random, 5),
                          1 + random_below(&random, 4), 1 + random_below(&random, 3));
    grid.dims = 1 + (int32_t)random_below(&random, 4);
    size_t samples = 1;
    for (int a = 0; a < grid.dims; a++) {
      grid.origin[a] = random_between(&random, -100, 100);
      grid.step[a] = random_between(&random, -2, 2);
      grid.first[a] = (int64_t)random_below(&random, 100) - 50;
      samples *= grid.count[a];
    }
    float filled[9 * 5 * 4 * 3];
    force(random_isa(&random));
    assert_int_equal(perlane_fill(&noise, &grid, filled), PERLANE_OK);
    for (size_t s = 0; s < samples; s++) {
      double position[4];
      size_t rest = s;
      for (int a = 0; a < grid.dims; a++) {
        const int64_t i = grid.first[a] + (int64_t)(rest % grid.count[a]);
        position[a] = grid.origin[a] + (double)i * grid.step[a];
        rest /= grid.count[a];
      }
      const float single = perlane_at(&noise, grid.dims, position);
      assert_int_equal(bits_of(single), bits_of(filled[s]));
    }
  }
  force(PERLANE_ISA_AUTO);
}

/* A grid whose positions are floats is the same list of points. */
static void grid_equals_points(void **state) {
  (void)state;
  struct random random = random_start("grid = points");
  enum { N = 33 };
  const size_t cases = effort(600);
  for (size_t c = 0; c < cases; c++) {
    const perlane_params params = random_params(&random);
    const perlane_noise noise = noise_of(&params);
    const int dims = 1 + (int)random_below(&random, 4);
    perlane_grid grid = perlane_grid_make(N, 1, 1, 1);
    grid.dims = dims;
    float coordinate[4][N], filled[N], listed[N];
    const float *coords[4];
    for (int a = 0; a < dims; a++) {
      grid.origin[a] = (double)((int64_t)random_below(&random, 1 << 20) - (1 << 19)) * 0x1p-10;
      grid.step[a] = 0x1p-6 * (double)(1 + random_below(&random, 200));
      coords[a] = coordinate[a];
      for (int i = 0; i < N; i++) {
        const double x = grid.origin[a] + (a == 0 ? i : 0) * grid.step[a];
        coordinate[a][i] = (float)x;
        assert_true((double)coordinate[a][i] == x);
      }
    }
    force(random_isa(&random));
    assert_int_equal(perlane_fill(&noise, &grid, filled), PERLANE_OK);
    force(random_isa(&random));
    assert_int_equal(perlane_points(&noise, dims, N, coords, listed), PERLANE_OK);
    assert_memory_equal(filled, listed, sizeof filled);
  }
  force(PERLANE_ISA_AUTO);
}

/* Cuts a map into random tiles, each filled by itself with any kernel, in strides of the map. */
static void fill_by_tiles(struct random *random, const perlane_noise *noise,
                          const perlane_grid *map, float *out) {
  size_t begin[4] = {0, 0, 0, 0}, size[4] = {1, 1, 1, 1};
  for (int a = 0; a < map->dims; a++)
    size[a] = 1 + random_below(random, map->count[a]);
  for (;;) {
    perlane_grid tile = *map;
    ptrdiff_t place = 0, stride = 1;
    for (int a = 0; a < map->dims; a++) {
      const size_t left = map->count[a] - begin[a];
      tile.first[a] = map->first[a] + (int64_t)begin[a];
      tile.count[a] = size[a] < left ? size[a] : left;
      tile.stride[a] = stride;
      place += (ptrdiff_t)begin[a] * stride;
      stride *= (ptrdiff_t)map->count[a];
    }
    force(random_isa(random));
    assert_int_equal(perlane_fill(noise, &tile, out + place), PERLANE_OK);
    int a = 0;
    while (a < map->dims && (begin[a] += size[a]) >= map->count[a])
      begin[a++] = 0;
    if (a == map->dims)
      return;
  }
}

static void tiles_equal_crops(void **state) {
  (void)state;
  struct random random = random_start("tiles = crops");
  enum { MOST = 60 * 40 };
  static float whole[MOST], tiled[MOST];
  static const int64_t far_first[] = {0, -17, INT64_C(1) << 40, -(INT64_C(1) << 40)};
  static const double far_origin[] = {0, 0.3, -1e6, 0x1p40, -0x1p50, 0x1p50};
  const size_t cases = effort(400);
  for (size_t c = 0; c < cases; c++) {
    perlane_params params = random_params(&random);
    params.octaves = 1 + params.octaves % 3;
    params.frequency = random_between(&random, 0.01, 0.9);
    params.lacunarity = 2;
    const perlane_noise noise = noise_of(&params);
    static const size_t count[4][4] = {
        {500, 1, 1, 1}, {60, 40, 1, 1}, {20, 12, 9, 1}, {11, 9, 5, 4}};
    perlane_grid map = perlane_grid_make(1, 1, 1, 1);
    map.dims = 1 + (int32_t)random_below(&random, 4);
    size_t samples = 1;
    for (int a = 0; a < map.dims; a++) {
      map.count[a] = 1 + random_below(&random, count[map.dims - 1][a]);
      map.first[a] = far_first[random_below(&random, 4)];
      map.origin[a] = far_origin[random_below(&random, 6)];
      map.step[a] = random_between(&random, 0.01, 3.3) * (random_below(&random, 2) ? 1 : -1);
      samples *= map.count[a];
    }
    force(random_isa(&random));
    assert_int_equal(perlane_fill(&noise, &map, whole), PERLANE_OK);
    fill_pattern(tiled, sizeof tiled);
    fill_by_tiles(&random, &noise, &map, tiled);
    assert_memory_equal(whole, tiled, samples * sizeof(float));
  }
  force(PERLANE_ISA_AUTO);
}

/* The same place reached by a step of 1/s and by division, and from either end of an axis. */
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(grid_equals_at),         cmocka_unit_test(grid_equals_points),
      cmocka_unit_test(tiles_equal_crops),      cmocka_unit_test(steps_reach_the_same_samples),
      cmocka_unit_test(zero_at_lattice_points),
  };
  return cmocka_run_group_tests_name("one function", tests, NULL, NULL);
}
