/* SPDX-License-Identifier: MIT
 *
 * Parity: every lane kernel writes exactly what the scalar reference writes, and no other byte.
 */
#include "support.h"

enum { GUARD_FLOATS = 64 };

struct span {
  ptrdiff_t lowest, highest; /* offsets of a grid's samples from its first */
};

static struct span span_of(const perlane_grid *grid) {
  struct span span = {0, 0};
  for (int a = 0; a < grid->dims; a++) {
    const ptrdiff_t end = (ptrdiff_t)(grid->count[a] - 1) * grid->stride[a];
    *(end < 0 ? &span.lowest : &span.highest) += end;
  }
  return span;
}

/* Fills the grid with the reference and with each kernel, and compares the whole memory around. */
static void compare_grid(const perlane_params *params, const perlane_grid *grid,
                         size_t misalignment) {
  const perlane_noise noise = noise_of(params);
  const struct kernel_list kernels = lane_kernels();
  const struct span span = span_of(grid);
  const size_t floats = (size_t)(span.highest - span.lowest) + 1 + 2 * GUARD_FLOATS + misalignment;
  const size_t first = GUARD_FLOATS + misalignment + (size_t)-span.lowest;
  float *expected = aligned_alloc(64, (floats * sizeof(float) + 63) / 64 * 64);
  float *actual = aligned_alloc(64, (floats * sizeof(float) + 63) / 64 * 64);
  assert_non_null(expected);
  assert_non_null(actual);
  fill_pattern(expected, floats * sizeof(float));
  perlane_scalar_kernels.fill(&noise, grid, expected + first);
  for (size_t i = 0; i < kernels.count; i++) {
    fill_pattern(actual, floats * sizeof(float));
    kernels.table[i]->fill(&noise, grid, actual + first);
    if (memcmp(expected, actual, floats * sizeof(float)) != 0) {
      print_message("%s differs from the reference\n", kernels.table[i]->name);
      print_params(params);
      for (int a = 0; a < grid->dims; a++)
        print_message("  axis %d: first %lld, count %zu, origin %a, step %a, stride %td\n", a,
                      (long long)grid->first[a], grid->count[a], grid->origin[a], grid->step[a],
                      grid->stride[a]);
      for (size_t j = 0, shown = 0; j < floats && shown < 5; j++)
        if (bits_of(expected[j]) != bits_of(actual[j])) {
          print_message("  offset %td: expected %a (%08x), got %a (%08x)\n",
                        (ptrdiff_t)j - (ptrdiff_t)first, (double)expected[j], bits_of(expected[j]),
                        (double)actual[j], bits_of(actual[j]));
          shown++;
        }
      fail();
    }
  }
  free(expected);
  free(actual);
}

/* Axes nested in a random order, with random gaps, forwards or backwards. */
static void random_strides(struct random *random, perlane_grid *grid) {
  int order[PERLANE_MAX_DIMS] = {0, 1, 2, 3};
  if (random_below(random, 4) == 0)
    for (int i = grid->dims - 1; i > 0; i--) {
      const int j = (int)random_below(random, (uint64_t)i + 1), axis = order[i];
      order[i] = order[j];
      order[j] = axis;
    }
  ptrdiff_t next = random_below(random, 8) == 0 ? 3 : 1;
  for (int i = 0; i < grid->dims; i++) {
    const int axis = order[i];
    grid->stride[axis] = next;
    next = next * (ptrdiff_t)grid->count[axis] +
           (random_below(random, 3) ? 0 : (ptrdiff_t)random_below(random, 9));
    if (random_below(random, 12) == 0)
      grid->stride[axis] = -grid->stride[axis];
  }
}

static double random_step(struct random *random) {
  static const double step[] = {0.001, 0.01, 0.1, 0.25, 0.5, 0.9, 1.0, 1.7, 2.0, 3.3};
  const double size = random_below(random, 2)
                          ? step[random_below(random, sizeof step / sizeof step[0])]
                          : random_between(random, 0.001, 3.3);
  return random_below(random, 4) ? size : -size;
}

static void random_axis(struct random *random, perlane_grid *grid, int axis) {
  static const double origin[] = {0,      0,      0.5,     -1,     1e3,    -1e6,
                                  0x1p24, 0x1p31, -0x1p31, 0x1p32, -0x1p40};
  grid->step[axis] = random_step(random);
  grid->origin[axis] = random_below(random, 2)
                           ? origin[random_below(random, sizeof origin / sizeof origin[0])]
                           : random_between(random, -1e4, 1e4);
  grid->first[axis] = (int64_t)random_below(random, 2001) - 1000;
  if (random_below(random, 8) == 0)
    grid->first[axis] *= INT64_C(0x10000001);
}

static perlane_grid unused_axes(int dims) {
  perlane_grid grid;
  memset(&grid, 0, sizeof grid);
  grid.dims = dims;
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    grid.count[a] = 1;
    grid.step[a] = 1;
  }
  return grid;
}

static void random_grids(void **state) {
  (void)state;
  struct random random = random_start("random grids");
  static const size_t most[PERLANE_MAX_DIMS][PERLANE_MAX_DIMS] = {
      {600, 1, 1, 1}, {70, 40, 1, 1}, {45, 9, 7, 1}, {37, 5, 4, 3}};
  const size_t cases = effort(6000);
  for (size_t c = 0; c < cases; c++) {
    const perlane_params params = random_params(&random);
    perlane_grid grid = unused_axes(1 + (int)random_below(&random, PERLANE_MAX_DIMS));
    for (int a = 0; a < grid.dims; a++) {
      grid.count[a] = 1 + random_below(&random, most[grid.dims - 1][a]);
      random_axis(&random, &grid, a);
    }
    random_strides(&random, &grid);
    compare_grid(&params, &grid, random_below(&random, 16));
  }
}

/* Each length from 1 to more than four vectors, at each alignment. */
static void every_short_length(void **state) {
  (void)state;
  const perlane_params params = {.seed = 5,
                                 .frequency = 0.17,
                                 .octaves = 2,
                                 .lacunarity = 2.1,
                                 .gain = 0.6,
                                 .octave_seed_step = 1};
  for (int dims = 1; dims <= 2; dims++)
    for (size_t n = 1; n <= 70; n++)
      for (size_t misalignment = 0; misalignment < 16; misalignment += 1 + n % 3) {
        perlane_grid grid = unused_axes(dims);
        grid.count[0] = n;
        grid.count[1] = dims == 2 ? 3 : 1;
        grid.stride[0] = 1;
        grid.stride[1] = (ptrdiff_t)n;
        compare_grid(&params, &grid, misalignment);
      }
}

/* Sizes around the kernels' strips, tables of rows and planes, and tiles, for each number of
 * octaves that changes them. */
static void block_boundaries(void **state) {
  (void)state;
  static const size_t width[] = {31, 32, 33, 191, 192, 193, 255, 257, 1023, 1024, 1025, 2049};
  static const size_t height[] = {1, 2, 15, 16, 17, 33};
  static const int octaves[] = {1, 2, 3, 8, 17, 32};
  struct random random = random_start("block boundaries");
  for (size_t o = 0; o < sizeof octaves / sizeof octaves[0]; o++)
    for (size_t i = 0; i < sizeof width / sizeof width[0]; i++) {
      perlane_params params = random_params(&random);
      params.octaves = octaves[o];
      params.lacunarity = 1.3;
      perlane_grid grid = unused_axes(2);
      grid.count[0] = width[i];
      grid.count[1] = height[random_below(&random, 6)];
      grid.step[0] = 0.7;
      grid.step[1] = random_between(&random, -0.4, 0.4);
      grid.stride[0] = 1;
      grid.stride[1] = (ptrdiff_t)width[i];
      compare_grid(&params, &grid, i % 16);
    }
  static const size_t rows[] = {511, 512, 513, 1025};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    for (int k = 1; k <= 9; k += 4) {
      perlane_params params = random_params(&random);
      params.octaves = k;
      perlane_grid grid = unused_axes(3);
      grid.count[0] = 5;
      grid.count[1] = rows[i];
      grid.count[2] = 1 + i % 2;
      grid.step[1] = random_between(&random, 0.01, 1.1);
      grid.stride[0] = 1;
      grid.stride[1] = 5;
      grid.stride[2] = 5 * (ptrdiff_t)rows[i];
      compare_grid(&params, &grid, i);
      grid.count[2] = rows[i];
      grid.count[1] = 2;
      grid.stride[2] = 10;
      compare_grid(&params, &grid, i);
    }
}

/* Outputs large enough to bypass the caches, at every alignment of their rows. */
static void streamed(void **state) {
  (void)state;
  struct random random = random_start("streamed");
  for (int octaves = 1; octaves <= 2; octaves++) {
    perlane_params params = random_params(&random);
    params.octaves = octaves;
    params.frequency = random_between(&random, 0.01, 0.3);
    perlane_grid grid = unused_axes(2);
    grid.count[0] = 1049;
    grid.count[1] = 1001;
    grid.stride[0] = 1;
    grid.stride[1] = 1053;
    compare_grid(&params, &grid, random_below(&random, 16));
  }
}

static float random_coordinate(struct random *random, double frequency) {
  switch (random_below(random, 16)) {
  case 0: { /* special values, and the edge of the domain */
    static const float special[] = {0.0f,       -0.0f,           0x1p-149f,       -0x1p-149f,
                                    0x1p-126f,  -0x1p-25f,       -0x1.8p-25f,     0x1p-25f,
                                    0x1.8p-24f, -0x1p-24f,       0x1.fffffep-1f,  0.5f,
                                    -0.5f,      0x1.fffffep127f, -0x1.fffffep127f};
    return special[random_below(random, sizeof special / sizeof special[0])];
  }
  case 1: {
    static const uint32_t bits[] = {0x7F800000, 0xFF800000, 0x7FC00000, 0x7FA00001, 0xFFFFFFFF};
    float value;
    memcpy(&value, &bits[random_below(random, sizeof bits / sizeof bits[0])], sizeof value);
    return value;
  }
  case 2: { /* cell counts where a path or a word of the hash changes, one float to either side */
    static const double cells[] = {0x1p27, 0x1p31, 0x1p32, 0x1p33, 0x1p40, 0x1p52, 0x1p53, 0x1p54};
    const double at = cells[random_below(random, sizeof cells / sizeof cells[0])] / frequency;
    const float value = at > 3e38 ? 3e38f : (float)at;
    uint32_t bits = bits_of(value) + (uint32_t)random_below(random, 5) - 2;
    float moved;
    memcpy(&moved, &bits, sizeof moved);
    return random_below(random, 2) ? moved : -moved;
  }
  case 3:
    return (float)(random_between(random, -0x1p40, 0x1p40) / frequency);
  case 4: /* lattice points */
    return (float)((double)((int64_t)random_below(random, 2000) - 1000) / frequency);
  case 5:
    return (float)random_between(random, -1e-6, 1e-6);
  default:
    return (float)random_between(random, -1000, 1000);
  }
}

static void random_points(void **state) {
  (void)state;
  struct random random = random_start("random points");
  const struct kernel_list kernels = lane_kernels();
  enum { MOST = 700 };
  float *coordinate[PERLANE_MAX_DIMS], *expected, *actual;
  const size_t bytes = (MOST + 2 * GUARD_FLOATS) * sizeof(float);
  for (int a = 0; a < PERLANE_MAX_DIMS; a++)
    assert_non_null(coordinate[a] = malloc(bytes));
  assert_non_null(expected = malloc(bytes));
  assert_non_null(actual = malloc(bytes));
  const size_t cases = effort(8000);
  for (size_t c = 0; c < cases; c++) {
    perlane_params params = random_params(&random);
    if (random_below(&random, 10) == 0)
      params.frequency = random_below(&random, 2) ? 0x1p-110 : 1e18;
    const perlane_noise noise = noise_of(&params);
    const int dims = 1 + (int)random_below(&random, PERLANE_MAX_DIMS);
    const size_t n = 1 + random_below(&random, random_below(&random, 2) ? 40 : MOST);
    const size_t at = GUARD_FLOATS + random_below(&random, 16);
    const int tame = random_below(&random, 2) == 0; /* whole blocks take the near paths */
    const float *coords[PERLANE_MAX_DIMS];
    for (int a = 0; a < dims; a++) {
      const size_t offset = random_below(&random, 16);
      coords[a] = coordinate[a] + offset;
      for (size_t i = 0; i < n; i++)
        coordinate[a][offset + i] = tame ? (float)random_between(&random, -50, 50)
                                         : random_coordinate(&random, params.frequency);
    }
    fill_pattern(expected, bytes);
    perlane_scalar_kernels.points(&noise, dims, n, coords, expected + at);
    for (size_t i = 0; i < kernels.count; i++) {
      fill_pattern(actual, bytes);
      kernels.table[i]->points(&noise, dims, n, coords, actual + at);
      if (memcmp(expected, actual, bytes) == 0)
        continue;
      print_message("%s differs from the reference, %d dims, %zu points\n", kernels.table[i]->name,
                    dims, n);
      print_params(&params);
      for (size_t j = 0, shown = 0; j < n && shown < 5; j++)
        if (bits_of(expected[at + j]) != bits_of(actual[at + j])) {
          print_message("  point %zu:", j);
          for (int a = 0; a < dims; a++)
            print_message(" %a", (double)coords[a][j]);
          print_message(": expected %08x, got %08x\n", bits_of(expected[at + j]),
                        bits_of(actual[at + j]));
          shown++;
        }
      fail();
    }
  }
  for (int a = 0; a < PERLANE_MAX_DIMS; a++)
    free(coordinate[a]);
  free(expected);
  free(actual);
}

/* The result may replace any one of the coordinates. */
static void points_in_place(void **state) {
  (void)state;
  struct random random = random_start("points in place");
  const struct kernel_list kernels = lane_kernels();
  enum { N = 301 };
  const perlane_params params = {.seed = 9,
                                 .frequency = 0.37,
                                 .octaves = 3,
                                 .lacunarity = 2,
                                 .gain = 0.5,
                                 .octave_seed_step = 1};
  const perlane_noise noise = noise_of(&params);
  for (int replaced = 0; replaced < 3; replaced++) {
    float original[3][N], expected[N];
    const float *coords[3] = {original[0], original[1], original[2]};
    for (int a = 0; a < 3; a++)
      for (int i = 0; i < N; i++)
        original[a][i] = (float)random_between(&random, -99, 99);
    perlane_scalar_kernels.points(&noise, 3, N, coords, expected);
    for (size_t k = 0; k < kernels.count; k++) {
      float copy[N];
      memcpy(copy, original[replaced], sizeof copy);
      const float *mixed[3] = {original[0], original[1], original[2]};
      mixed[replaced] = copy;
      kernels.table[k]->points(&noise, 3, N, mixed, copy);
      assert_memory_equal(copy, expected, sizeof copy);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_grids),     cmocka_unit_test(every_short_length),
      cmocka_unit_test(block_boundaries), cmocka_unit_test(streamed),
      cmocka_unit_test(random_points),    cmocka_unit_test(points_in_place),
  };
  const struct kernel_list kernels = lane_kernels();
  for (size_t i = 0; i < kernels.count; i++)
    print_message("checked against the reference: %s\n", kernels.table[i]->name);
  return cmocka_run_group_tests_name("parity", tests, NULL, NULL);
}
