/* SPDX-License-Identifier: MIT
 *
 * Parity: grids and lists of points yield what single positions do (calls.h), with every set of
 * kernels and through the public functions, in every form, and no other byte is written or read.
 */
#include "calls.h"

#include <float.h>
#include <math.h>

static const size_t ONE[PERLANE_MAX_DIMS] = {1, 1, 1, 1};

/* ---- Grids ---- */

static void random_grids(void **state) {
  (void)state;
  struct random random = random_start("random grids");
  const size_t cases = effort(10000);
  for (size_t c = 0; c < cases; c++) {
    const int dims = 1 + (int)random_below(&random, PERLANE_MAX_DIMS);
    const perlane_params params = random_params(&random, dims);
    const perlane_grid grid = random_grid(&random, &params, dims);
    compare_grid(&random, &params, &grid, random_form(&random));
  }
}

/* Returns the length to try after n: each up to several vectors, then those around whole vectors.
 */
static size_t next_length(size_t n) {
  return n < 70 || n % 32 == 31 || n % 32 == 0 ? n + 1 : n + 31 - n % 32;
}

/* Each length up to several vectors, and those around the sizes of blocks and strips, in each
 * form. */
static void lengths(void **state) {
  (void)state;
  struct random random = random_start("lengths");
  static const size_t rows[][PERLANE_MAX_DIMS] = {{1, 1, 1, 1}, {1, 3, 1, 1}, {1, 2, 2, 2}};
  for (int dims = 1; dims <= PERLANE_MAX_DIMS; dims++)
    for (int form = 0; form < FORMS; form++)
      for (size_t n = 1; n < 1540; n = next_length(n)) {
        if (!chosen(&random))
          continue;
        perlane_params params = perlane_params_default();
        params.frequency = 0.4;
        params.octaves = 1 + (int32_t)(n % 2);
        if (random_below(&random, 3) == 0) {
          params = random_params(&random, dims);
          params.octaves = 1 + params.octaves % 3;
          make_valid(&params, dims);
        }
        perlane_grid grid = grid_of(dims, rows[n > 300 ? 0 : random_below(&random, 3)]);
        grid.count[0] = n;
        grid.step[0] = 0.37;
        pack(&grid);
        compare_grid(&random, &params, &grid, (enum form)form);
      }
}

/* Rows of every width up to several vectors, of which several are in the same cells, or none. */
static void widths(void **state) {
  (void)state;
  static const char *const options[] = {"",
                                        "octaves=3",
                                        "octaves=2 fractal=ridged",
                                        "basis=white",
                                        "basis=white octaves=3",
                                        "basis=white hash=shuffled",
                                        "basis=gaussian octaves=2 fractal=billow",
                                        "basis=white normalize=none amplitude=3e-43",
                                        "basis=white normalize=none amplitude=6e-45"};
  struct random random = random_start("widths");
  for (size_t width = 1; width <= 130; width++)
    for (size_t o = 0; o < COUNT_OF(options); o++) {
      if (!chosen(&random))
        continue;
      perlane_params params = parsed(options[o]);
      params.seed = random_word(&random);
      perlane_grid grid = grid_of(2 + (int)random_below(&random, 2), (size_t[]){width, 7, 2, 1});
      grid.step[0] = random_between(&random, 1, 50);
      grid.step[1] = random_below(&random, 2) ? 3 : 120;
      if (random_below(&random, 4) == 0)
        random_strides(&random, &grid);
      compare_grid(&random, &params, &grid, random_form(&random));
    }
}

/* Grids that begin near the origin, where cells are small integers, and end far from it; or the
 * other way round. */
static void far_ends(void **state) {
  (void)state;
  struct random random = random_start("far ends");
  const size_t cases = 40 + effort(400);
  for (size_t c = 0; c < cases; c++) {
    const int dims = 1 + (int)random_below(&random, PERLANE_MAX_DIMS);
    perlane_grid grid = grid_of(dims, ONE);
    perlane_params params = random_params(&random, dims);
    set_frequency(&params, random_between(&random, 0.5, 1));
    params.octaves = 1 + (int)random_below(&random, 2);
    make_valid(&params, dims);
    const int leaving = (int)random_below(&random, (uint64_t)dims);
    for (int a = 0; a < dims; a++)
      grid.count[a] = a == leaving ? 40 : 1 + random_below(&random, 4);
    pack(&grid);
    const double last = ldexp(random_between(&random, 1, 2), 26 + (int)random_below(&random, 25));
    grid.step[leaving] = last / 39 * (random_below(&random, 2) ? 1 : -1);
    if (random_below(&random, 2))
      grid.origin[leaving] = -39 * grid.step[leaving];
    compare_grid(&random, &params, &grid, random_form(&random));
  }
}

/* Sizes around the kernels' strips, tables of rows and planes, and tiles, for each number of
 * octaves that changes them. */
static void block_boundaries(void **state) {
  (void)state;
  static const size_t width[] = {31,  32,  33,  48,  63,  64,  65,  81,  127, 128,  129,
                                 176, 177, 224, 225, 256, 257, 511, 512, 513, 1025, 2049};
  static const size_t height[] = {1, 2, 15, 16, 17, 33};
  static const int octaves[] = {1, 2, 3, 8, 17, 32};
  struct random random = random_start("block boundaries");
  for (size_t o = 0; o < COUNT_OF(octaves); o++)
    for (size_t i = 0; i < COUNT_OF(width); i++) {
      if (random_below(&random, 100) >= 20 + effort(100))
        continue;
      perlane_params params = random_params(&random, 2);
      params.octaves = octaves[o];
      params.lacunarity = 1.3;
      make_valid(&params, 2);
      perlane_grid grid = grid_of(2, (size_t[]){width[i], height[random_below(&random, 6)]});
      grid.step[0] = 0.7;
      grid.step[1] = random_between(&random, -0.4, 0.4);
      compare_grid(&random, &params, &grid, random_form(&random));
    }
  static const size_t rows[] = {511, 512, 513, 1025};
  for (size_t i = 0; i < COUNT_OF(rows); i++)
    for (int k = 1; k <= 9; k += 4) {
      if (random_below(&random, 100) >= 20 + effort(100))
        continue;
      perlane_params params = random_params(&random, 3);
      params.octaves = k;
      make_valid(&params, 3);
      perlane_grid grid = grid_of(3, (size_t[]){5, rows[i], 1 + i % 2});
      grid.step[1] = random_between(&random, 0.01, 1.1);
      compare_grid(&random, &params, &grid, random_form(&random));
      grid.count[2] = rows[i];
      grid.count[1] = 2;
      pack(&grid);
      compare_grid(&random, &params, &grid, random_form(&random));
    }
}

/* Cells and warps, which the reference takes long for. */
static int is_slow(const perlane_params *params) {
  return params->basis == PERLANE_BASIS_CELLULAR || params->warp_amplitude != 0;
}

/* Volumes whose planes have edges in common, in either direction: of few and of many rows of cells,
 * with more of them than are kept, on one strip and on several. */
static void volumes(void **state) {
  (void)state;
  static const size_t width[] = {15, 40, 95, 96, 97, 113, 260}, height[] = {3, 16, 17, 33, 49, 97};
  static const double cells[] = {0.002, 0.02, 0.1, 0.4, 1.3};
  struct random random = random_start("volumes");
  const size_t cases = effort(60);
  for (size_t c = 0; c < cases; c++) {
    const int dims = c % 4 ? 3 : 4;
    perlane_params params = random_params(&random, dims);
    params.octaves =
        1 + (int32_t)random_below(&random, params.basis == PERLANE_BASIS_CELLULAR ? 2 : 6);
    make_valid(&params, dims);
    perlane_grid grid = grid_of(
        dims, (size_t[]){width[random_below(&random, COUNT_OF(width))],
                         height[random_below(&random, is_slow(&params) ? 3 : 6)],
                         2 + random_below(&random, dims == 3 && !is_slow(&params) ? 40 : 10),
                         2 + random_below(&random, 3)});
    for (int a = 0; a < dims; a++) {
      const double step = cells[random_below(&random, 5)] / params.frequency;
      grid.step[a] = random_below(&random, 3) ? step : -step;
      grid.origin[a] = random_between(&random, -100, 100);
    }
    compare_grid(&random, &params, &grid, random_form(&random));
  }
}

/* As many octaves as there may be, which take more scratch memory than strips have. */
static void many_octaves(void **state) {
  (void)state;
  struct random random = random_start("many octaves");
  const size_t cases = effort(60);
  for (size_t c = 0; c < cases; c++) {
    const int dims = 2 + (int)(c % 3);
    perlane_params params = random_params(&random, dims);
    params.lacunarity = random_between(&random, 1, 1.5);
    params.octaves = PERLANE_MAX_OCTAVES - (int32_t)random_below(&random, 16);
    make_valid(&params, dims);
    perlane_grid grid = grid_of(dims, ONE);
    for (int a = 0; a < dims; a++) {
      grid.count[a] = a == 0 ? 1 + random_below(&random, 300) : 1 + random_below(&random, 4);
      grid.step[a] = random_between(&random, 0.1, 1);
      grid.origin[a] = random_between(&random, -100, 100);
    }
    pack(&grid);
    compare_grid(&random, &params, &grid, random_form(&random));
  }
}

/* Outputs large enough to bypass the caches, at every alignment of their rows; of fields that
 * kernels may take short ways for, and of any others. */
static void streamed(void **state) {
  (void)state;
  struct random random = random_start("streamed");
  static const char SUM[] = "octaves=2 value_offset=0.1", RIDGED[] = "fractal=ridged",
                    POWER[] = "octaves=2 contrast=3 value_scale=7", CELLS[] = "basis=cellular",
                    WHITE[] = "basis=white", OCTAVES[] = "octaves=2", DEFAULT[] = "";
  static const struct {
    int dims;
    enum form form;
    const char *options; /* of the field; NULL for any */
    size_t columns;      /* if not those of the others; then rows are packed, or, if even, by chance
                            apart */
  } CASES[] = {
      {2, VALUES, DEFAULT, 0},      {2, EXTREMES, DEFAULT, 0},   {2, VALUES, SUM, 0},
      {2, EXTREMES, SUM, 0},        {2, VALUES, RIDGED, 0},      {2, VALUES, POWER, 0},
      {2, VALUES, NULL, 0},         {2, EXTREMES, NULL, 0},      {2, GRADIENT, DEFAULT, 0},
      {2, GRADIENT, NULL, 0},       {2, GRADIENT_ONLY, NULL, 0}, {2, INTERLEAVED, NULL, 0},
      {2, WORDS, NULL, 0},          {2, BYTES, NULL, 0},         {3, VALUES, DEFAULT, 0},
      {3, VALUES, NULL, 0},         {3, VALUES, DEFAULT, 61},    {3, VALUES, DEFAULT, 128},
      {3, VALUES, SUM, 96},         {3, VALUES, NULL, 80},       {3, GRADIENT, DEFAULT, 64},
      {3, GRADIENT_ONLY, NULL, 77}, {3, WORDS, NULL, 117},       {2, VALUES, CELLS, 0},
      {2, VALUES, WHITE, 0},        {2, BYTES, WHITE, 0},        {3, VALUES, WHITE, 61},
      {3, VALUES, OCTAVES, 61},     {2, WORDS, CELLS, 0},        {2, BYTES, CELLS, 0}};
  for (size_t i = 0; i < effort(5 * COUNT_OF(CASES)); i++) { /* all where a fifth is asked for */
    const size_t c =
        effort(100) < 20 ? random_below(&random, COUNT_OF(CASES)) : i % COUNT_OF(CASES);
    const int dims = CASES[c].dims;
    const size_t columns = CASES[c].columns;
    /* Integers take more samples; the last strip is nearly as wide as the others. */
    const size_t more = CASES[c].form == WORDS ? 2 : CASES[c].form == BYTES ? 4 : 1;
    perlane_grid grid = columns     ? grid_of(3, (size_t[]){columns, 135, 135})
                        : dims == 3 ? grid_of(3, (size_t[]){133, 91, 89})
                        : more > 1  ? grid_of(2, (size_t[]){991, 1060 * more})
                                    : grid_of(2, (size_t[]){1049, 1001});
    if (columns % 2 == 0 && (columns == 0 || random_below(&random, 4) == 0)) {
      /* four elements between rows */
      grid.stride[1] += 4;
      grid.stride[2] = grid.stride[1] * (int64_t)grid.count[1];
    }
    perlane_params params = parsed(CASES[c].options ? CASES[c].options : "");
    if (CASES[c].options) {
      params.seed = random_word(&random);
      params.frequency =
          random_between(&random, 0.01, params.basis == PERLANE_BASIS_WHITE ? 2 : 0.3);
    } else {
      do
        params = random_params(&random, dims);
      while (is_slow(&params) && (dims == 3 || random_below(&random, 2)));
      params.octaves = 1 + (int32_t)random_below(&random, 2);
      params.warp_octaves = params.warp_rounds = 1;
      set_frequency(&params, random_between(&random, 0.01, 0.3));
      make_valid(&params, dims);
    }
    compare_grid(&random, &params, &grid, CASES[c].form);
  }
}

/* ---- Points ---- */

static void random_points(void **state) {
  (void)state;
  struct random random = random_start("random points");
  const size_t cases = effort(12000);
  for (size_t c = 0; c < cases; c++) {
    const int dims = 1 + (int)random_below(&random, PERLANE_MAX_DIMS);
    perlane_params params = random_params(&random, dims);
    if (random_below(&random, 10) == 0)
      set_frequency(&params, random_below(&random, 2) ? 0x1p-110 : 1e18);
    make_valid(&params, dims);
    compare_list(&random, &params, dims,
                 1 + random_below(&random, random_below(&random, 2) ? 40 : MAX_LIST - 16));
  }
}

static void lengths_of_lists(void **state) {
  (void)state;
  struct random random = random_start("lengths of lists");
  for (int dims = 1; dims <= PERLANE_MAX_DIMS; dims++)
    for (size_t n = 1; n < 546; n = next_length(n))
      for (int repeat = 0; repeat < 6; repeat++) {
        if (!chosen(&random))
          continue;
        const perlane_params params = random_params(&random, dims);
        compare_list(&random, &params, dims, n);
      }
}

/* Lists that are evaluated as single values, or octave by octave, of every number of octaves. */
static void short_lists(void **state) {
  (void)state;
  struct random random = random_start("short lists");
  static const char *const FIELDS[] = {"",
                                       "",
                                       "fade=linear value_scale=1e-40",
                                       "fractal=ridged weighted_strength=0.7",
                                       "fractal=billow contrast=3",
                                       "fractal=ping_pong value_offset=-0.5",
                                       "fractal=eroded weighted_strength=0.2",
                                       "gradients=sphere terraces=7",
                                       "basis=value period=12,12,12,12 lacunarity=1",
                                       "hash=shuffled curve=-0.5:0,0.1:1",
                                       "basis=cellular cell_output=f2",
                                       "warp_amplitude=3 warp_octaves=9"};
  for (int dims = 1; dims <= PERLANE_MAX_DIMS; dims++)
    for (size_t n = 1; n <= 40; n++)
      for (size_t f = 0; f < COUNT_OF(FIELDS); f++) {
        if (!chosen(&random))
          continue;
        perlane_params params = parsed(FIELDS[f]);
        params.seed = random_word(&random);
        params.octaves = 1 + (int32_t)random_below(&random, n > 8 ? 4 : PERLANE_MAX_OCTAVES);
        if (params.lacunarity != 1)
          params.lacunarity = random_between(&random, 1, 1.3);
        set_frequency(&params, random_between(&random, 0.01, 0.4));
        make_valid(&params, dims);
        if (dims < 4 || params.basis != PERLANE_BASIS_CELLULAR)
          compare_list(&random, &params, dims, n);
      }
}

enum { MAX_VERTICES = 63 };

/* Evaluates a list of n positions that are members of vertices, the last one first if `backwards`.
 */
static void evaluate_vertices(const perlane_noise *noise, int dims, int octaves, size_t n,
                              const float *const *coords, int in_double, int backwards, float *out,
                              float *const *gradient) {
  float vertex[MAX_VERTICES][3];
  double wide[MAX_VERTICES][3];
  perlane_list list = {.dims = dims, .octaves = octaves, .count = n, .stride = backwards ? -3 : 3};
  for (size_t i = 0; i < n; i++)
    for (int a = 0; a < dims; a++) {
      vertex[backwards ? n - 1 - i : i][a] = coords[a][i];
      wide[backwards ? n - 1 - i : i][a] = (double)coords[a][i];
    }
  for (int a = 0; a < dims; a++) {
    list.coords[a] = in_double ? NULL : &vertex[backwards ? n - 1 : 0][a];
    list.coords64[a] = in_double ? &wide[backwards ? n - 1 : 0][a] : NULL;
  }
  assert_int_equal(perlane_points(noise, &list, out, gradient), PERLANE_OK);
}

/* A grid with a seed has the bits of a reseeded noise. */
static void grids_with_seeds(void **state) {
  enum { SAMPLES = 5 * 4 * 3, ARRAYS = 5 };
  (void)state;
  struct random random = random_start("grids with seeds");
  static float expected[ARRAYS][SAMPLES], got[ARRAYS][SAMPLES];
  for (size_t i = 0; i < effort(1500); i++) {
    const int dims = 1 + (int)random_below(&random, 3);
    perlane_params params = random_params(&random, dims);
    perlane_noise noise = noise_of(&params);
    if (random_below(&random, 4) == 0)
      assert_int_equal(perlane_limit_octaves(&noise, 1 + (int32_t)random_below(&random, 6)),
                       PERLANE_OK);
    perlane_noise reseeded = noise;
    perlane_grid own = perlane_grid_make(5, dims > 1 ? 4 : 0, dims > 2 ? 3 : 0, 0);
    for (int a = 0; a < dims; a++)
      own.first[a] = (int64_t)random_below(&random, 1000) - 500;
    own.octaves = (int32_t)random_below(&random, 4);
    perlane_grid grid = own;
    grid.has_seed = 1;
    grid.seed = random_word(&random);
    assert_int_equal(perlane_reseed(&reseeded, grid.seed), PERLANE_OK);
    force_any(&random);
    fill_pattern(expected, sizeof expected);
    fill_pattern(got, sizeof got);
    float *const to[2][3] = {{expected[1], expected[2], expected[3]}, {got[1], got[2], got[3]}};
    assert_int_equal(perlane_fill_gradient(&noise, &grid, got[0], to[1]),
                     perlane_fill_gradient(&reseeded, &own, expected[0], to[0]));
    assert_memory_equal(got, expected, sizeof got);
    const perlane_cells cells[2] = {{.f1 = expected[0]}, {.f1 = got[0]}};
    assert_int_equal(perlane_fill_cells(&noise, &grid, &cells[1]),
                     perlane_fill_cells(&reseeded, &own, &cells[0]));
    assert_memory_equal(got, expected, sizeof got);
    assert_int_equal(perlane_fill(&noise, &grid, got[0]),
                     perlane_fill(&reseeded, &own, expected[0]));
    assert_int_equal(perlane_fill_u16(&noise, &grid, -1, 1, (uint16_t *)(void *)got[4]),
                     perlane_fill_u16(&reseeded, &own, -1, 1, (uint16_t *)(void *)expected[4]));
    assert_memory_equal(got, expected, sizeof got);
  }
  force(PERLANE_ISA_AUTO);
}

/* A noise that has lost octaves computes everywhere what a grid or a list with fewer octaves does.
 */
static void limited_octaves(void **state) {
  (void)state;
  enum { WIDTH = 9, SAMPLES = MAX_VERTICES };
  struct random random = random_start("limited octaves");
  for (size_t i = 0; i < effort(600); i++) {
    const int dims = 2 + (int)random_below(&random, 2), wide = random_below(&random, 2) == 0;
    perlane_params params = random_params(&random, dims);
    params.octaves = 1 + (int32_t)random_below(&random, 20);
    make_valid(&params, dims);
    force_any(&random);
    const perlane_noise noise = noise_of(&params);
    perlane_noise limited = noise;
    perlane_grid grid = perlane_grid_make(WIDTH, 7, dims == 3, 0);
    grid.octaves = 1 + (int32_t)random_below(&random, (uint64_t)params.octaves + 10);
    assert_int_equal(perlane_limit_octaves(&limited, grid.octaves), PERLANE_OK);
    if (random_below(&random, 4) == 0) {
      params.seed = random_word(&random);
      assert_int_equal(perlane_reseed(&limited, params.seed), PERLANE_OK);
    }
    const perlane_noise whole = noise_of(&params);
    float expected[4][SAMPLES], got[4][SAMPLES], x[3][SAMPLES] = {{0}};
    float *slope[3], *const to[3] = {got[1], got[2], got[3]};
    const float *const coords[3] = {x[0], x[1], x[2]};
    for (int a = 0; a < 3; a++)
      slope[a] = expected[a + 1];
    const perlane_status status = perlane_fill_gradient(&whole, &grid, expected[0], slope);
    const int sloped = status == PERLANE_OK;
    if (!sloped)
      assert_int_equal(perlane_fill(&whole, &grid, expected[0]), PERLANE_OK);
    const size_t bytes = (sloped ? (size_t)dims + 1 : 1) * sizeof got[0];
    grid.octaves = 0;
    set_context("%d of %d octaves, %d dims", (int)limited.octaves, (int)whole.octaves, dims);
    assert_int_equal(sloped ? perlane_fill_gradient(&limited, &grid, got[0], to)
                            : perlane_fill(&limited, &grid, got[0]),
                     PERLANE_OK);
    assert_memory_equal(got, expected, bytes);
    memset(got, 0, sizeof got);
    for (int k = 0; k < SAMPLES; k++) {
      x[0][k] = (float)(k % WIDTH);
      x[1][k] = (float)(k / WIDTH);
    }
    const size_t n = wide ? SAMPLES : WIDTH; /* many points, or few */
    for (size_t k = 0; k < SAMPLES; k += n) {
      const float *const from[3] = {coords[0] + k, coords[1] + k, coords[2] + k};
      float *const out[3] = {to[0] + k, to[1] + k, to[2] + k};
      assert_int_equal(points_of(&limited, dims, n, NULL, from, got[0] + k, sloped ? out : NULL),
                       PERLANE_OK);
    }
    assert_memory_equal(got, expected, bytes);
    memset(got, 0, sizeof got);
    const int in_double = random_below(&random, 2) == 0, backwards = random_below(&random, 2) == 0;
    for (size_t k = 0; k < SAMPLES; k += n) {
      const float *const from[3] = {coords[0] + k, coords[1] + k, coords[2] + k};
      float *const out[3] = {to[0] + k, to[1] + k, to[2] + k};
      evaluate_vertices(&whole, dims, limited.octaves + limited.valley_octaves, n, from, in_double,
                        backwards, got[0] + k, sloped ? out : NULL);
    }
    assert_memory_equal(got, expected, bytes);
    for (int k = 0; k < SAMPLES; k++) {
      const double position[3] = {(double)x[0][k], (double)x[1][k], 0};
      float at[3];
      got[0][k] = sloped ? perlane_at_gradient(&limited, dims, position, at)
                         : perlane_at(&limited, dims, position);
      for (int a = 0; a < dims && sloped; a++)
        got[a + 1][k] = at[a];
    }
    assert_memory_equal(got, expected, bytes);
    float low, high;
    assert_int_equal(perlane_range(&limited, dims, &low, &high), PERLANE_OK);
    for (int k = 0; k < SAMPLES; k++)
      assert_true(low <= got[0][k] && got[0][k] <= high);
    const perlane_cells in_fill = {.f1 = expected[0], .f2 = expected[1]};
    const perlane_cells in_list = {.f1 = got[0], .f2 = got[1]};
    if (params.basis == PERLANE_BASIS_CELLULAR) {
      assert_int_equal(perlane_fill_cells(&whole, &grid, &in_fill), PERLANE_OK);
      assert_int_equal(cells_of_list(&limited, dims, SAMPLES, NULL, coords, &in_list), PERLANE_OK);
      assert_memory_equal(got, expected, 2 * sizeof got[0]);
    }
  }
  perlane_params params = perlane_params_default();
  params.octaves = 3;
  perlane_noise noise = noise_of(&params);
  const perlane_noise before = noise;
  assert_int_equal(perlane_limit_octaves(NULL, 1), PERLANE_ERROR_NULL);
  assert_int_equal(perlane_limit_octaves(&noise, 0), PERLANE_ERROR_OCTAVES);
  assert_int_equal(perlane_limit_octaves(&noise, -1), PERLANE_ERROR_OCTAVES);
  assert_int_equal(perlane_limit_octaves(&noise, PERLANE_MAX_OCTAVES + 1), PERLANE_ERROR_OCTAVES);
  assert_int_equal(perlane_limit_octaves(&noise, PERLANE_MAX_OCTAVES), PERLANE_OK);
  assert_memory_equal(&noise, &before, sizeof noise);
  noise.ready = 0;
  assert_int_equal(perlane_limit_octaves(&noise, 1), PERLANE_ERROR_NOISE);
}

/* ---- Far cells and far indices ---- */

enum { LONG = 45 };

/* A field of few octaves. */
static perlane_params few_octaves(struct random *random, int dims, double frequency) {
  perlane_params params = random_params(random, dims);
  if (random_below(random, 3) == 0) { /* the default, mostly */
    params.basis = PERLANE_BASIS_PERLIN;
    params.hash = PERLANE_HASH_LATTICE;
    params.gradients = PERLANE_GRADIENTS_DEFAULT;
  }
  params.octaves = 1 + (int32_t)random_below(random, 2);
  params.lacunarity = 2;
  set_frequency(&params, frequency);
  make_valid(&params, dims);
  return params;
}

/* A grid as values, integers and derivatives, and its positions as lists of doubles and, if they
 * are floats, of floats. Returns 0 if it leaves the domain. */
static int compare_everything(struct random *random, const perlane_params *params,
                              const perlane_grid *grid) {
  enum { MAX_SAMPLES = LONG * 2 * 2 * 2 };
  static double position[PERLANE_MAX_DIMS][MAX_SAMPLES];
  static float coordinate[PERLANE_MAX_DIMS][MAX_SAMPLES];
  const perlane_noise noise = noise_of(params);
  const struct call fill = {.grid = *grid};
  struct call doubles = {.grid = grid_of(grid->dims, ONE)}, floats = doubles;
  if (!is_inside(&noise, grid))
    return 0;
  doubles.grid.count[0] = floats.grid.count[0] = samples_of(grid);
  int are_floats = 1;
  for (size_t s = 0; s < samples_of(grid); s++) {
    double at[PERLANE_MAX_DIMS];
    position_of(&fill, s, at);
    for (int a = 0; a < grid->dims; a++) {
      position[a][s] = at[a];
      coordinate[a][s] = fabs(at[a]) < 3e38 ? (float)at[a] : 0;
      are_floats &= (double)coordinate[a][s] == at[a];
    }
  }
  for (int a = 0; a < grid->dims; a++) {
    doubles.coords64[a] = position[a];
    floats.coords[a] = coordinate[a];
  }
  compare_form(random, params, fill, VALUES);
  compare_form(random, params, fill, random_below(random, 2) ? WORDS : BYTES);
  compare_form(random, params, fill, GRADIENT);
  compare_form(random, params, doubles, random_below(random, 2) ? VALUES : GRADIENT);
  if (are_floats)
    compare_form(random, params, floats, random_below(random, 2) ? VALUES : GRADIENT);
  return 1;
}

/* Rows that cross the cell at `cells`, reached by way of the origin or of the index. */
static int cross(struct random *random, double cells) {
  static const double frequency[] = {1, 0.5, 0.01, 3, 0x1p-40, 0x1p60, 1e-200, 1e150};
  static const double cells_a_sample[] = {1, 0.375, 0.01, 3, 7.7};
  const int dims = 1 + (int)random_below(random, 4),
            axis = (int)random_below(random, (uint64_t)dims);
  const perlane_params params =
      few_octaves(random, dims, frequency[random_below(random, COUNT_OF(frequency))]);
  const perlane_noise noise = noise_of(&params);
  perlane_grid grid = grid_of(dims, ONE);
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
  const int outwards = (grid.step[axis] < 0) == (at < 0);
  while (!is_inside(&noise, &grid)) {
    if (grid.count[axis] == 1)
      return 0;
    grid.first[axis] += !outwards;
    grid.count[axis]--;
  }
  pack(&grid);
  return compare_everything(random, &params, &grid);
}

static void far_cells(void **state) {
  (void)state;
  struct random random = random_start("far cells");
  static const double CELLS[] = {0x1p24, 0x1p27, 0x1p31, 0x1p32, 0x1p33,
                                 0x1p40, 0x1p51, 0x1p52, 0x1p53};
  size_t crossed = 0;
  const size_t cases = effort(900);
  for (size_t c = 0; c < cases; c++) {
    const double cells = CELLS[c % COUNT_OF(CELLS)];
    crossed += (size_t)cross(&random, random_below(&random, 2) ? cells : -cells);
  }
  assert_true(crossed > cases / 2);
  print_message("rows across far cells: %zu\n", crossed);
}

/* Compares positions on both sides of the limit of near ones, in all directions. In simplex noise
 * the lattice's coordinates are up to twice as large there. */
static void near_limit(void **state) {
  (void)state;
  struct random random = random_start("near limit");
  static const double STEP[] = {0.3, 0.04, 0x1p-23};
  const size_t cases = 20 + effort(200);
  for (size_t c = 0; c < cases; c++) {
    const int dims = 2 + (int)(c % 2);
    perlane_params params = perlane_params_default();
    params.basis = c % 4 < 2 ? PERLANE_BASIS_SIMPLEX : PERLANE_BASIS_PERLIN;
    params.seed = c;
    params.octaves = 1;
    set_frequency(&params, 1);
    perlane_grid grid = grid_of(dims, (size_t[]){LONG, 2, 2});
    for (int a = 0; a < dims; a++) {
      grid.step[a] = STEP[random_below(&random, COUNT_OF(STEP))];
      grid.origin[a] = (random_below(&random, 2) ? 0x1p27 : -0x1p27) +
                       random_between(&random, -0.7, 0.7) * LONG * grid.step[a];
      grid.first[a] = -(int64_t)grid.count[a] / 2;
    }
    pack(&grid);
    assert_true(compare_everything(&random, &params, &grid));
  }
}

/* Integers are made of two vectors of floats at a time, also at the end of the memory that a tile's
 * rows fill, which are an odd number of vectors wide: sanitizers find what is read past it. */
static void full_tiles(void **state) {
  (void)state;
  struct random random = random_start("full tiles");
  static const size_t WIDTH[] = {4, 12, 24, 48};
  for (size_t i = 0; i < COUNT_OF(WIDTH); i++)
    for (int basis = 0; basis < PERLANE_BASIS_COUNT; basis++) {
      perlane_params params = perlane_params_default();
      params.basis = basis;
      perlane_grid grid = grid_of(2, (size_t[]){WIDTH[i], 3072 / WIDTH[i]});
      pack(&grid);
      compare_grid(&random, &params, &grid, WORDS);
      compare_grid(&random, &params, &grid, BYTES);
    }
}

/* Rows of simplex noise along which positions fall. */
static void falling_rows(void **state) {
  (void)state;
  struct random random = random_start("falling rows");
  perlane_params params = perlane_params_default();
  params.basis = PERLANE_BASIS_SIMPLEX;
  set_frequency(&params, 1);
  for (int dims = 2; dims <= 3; dims++) {
    perlane_grid grid = grid_of(dims, (size_t[]){100, 3, 2});
    grid.step[0] = -0.3;
    pack(&grid);
    compare_grid(&random, &params, &grid, WORDS);
  }
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
    const perlane_params params = few_octaves(&random, dims, random_below(&random, 2) ? 1 : 0.37);
    perlane_grid grid = grid_of(dims, (size_t[]){2, 2, 2, 2});
    for (int a = 0; a < dims; a++)
      grid.step[a] = 0.4;
    grid.count[axis] = LONG;
    grid.first[axis] = FIRST[c % COUNT_OF(FIRST)];
    grid.step[axis] = STEP[random_below(&random, COUNT_OF(STEP))];
    if (random_below(&random, 2))
      grid.step[axis] = -grid.step[axis];
    if (random_below(&random, 2)) /* back near the origin */
      grid.origin[axis] = -(double)grid.first[axis] * grid.step[axis];
    pack(&grid);
    rows += (size_t)compare_everything(&random, &params, &grid);
  }
  assert_true(rows > cases / 2);
  print_message("rows of far indices: %zu\n", rows);
}

/* ---- One position at a time ---- */

static void single_positions(void **state) {
  (void)state;
  struct random random = random_start("single positions");
  const struct kernel_list kernels = lane_kernels();
  const size_t cases = effort(4000);
  for (size_t c = 0; c < cases; c++) {
    const int dims = 1 + (int)random_below(&random, PERLANE_MAX_DIMS);
    const perlane_params params = random_params(&random, dims);
    const perlane_noise noise = noise_of(&params);
    double position[PERLANE_MAX_DIMS] = {0};
    const uint64_t reach = random_below(&random, 3);
    for (int a = 0; a < dims; a++)
      position[a] = reach == 0   ? (double)random_coordinate(&random, &noise)
                    : reach == 1 ? near_the_end(&random, &noise, random_between(&random, -1e9, 1e9))
                                 : random_between(&random, -1e3, 1e3);
    float expected[5], actual[5];
    fill_pattern(expected, sizeof expected);
    float *slope = has_gradient(&params) ? expected : NULL;
    expected[4] = perlane_scalar_kernels.at(&noise, dims, position, slope);
    for (size_t i = 0; i <= kernels.count; i++) {
      const struct perlane_kernels *by = i < kernels.count ? kernels.table[i] : NULL;
      fill_pattern(actual, sizeof actual);
      force_any(&random);
      actual[4] = by      ? by->at(&noise, dims, position, slope ? actual : NULL)
                  : slope ? perlane_at_gradient(&noise, dims, position, actual)
                          : perlane_at(&noise, dims, position);
      assert_memory_equal(expected, actual, sizeof actual);
      const float value =
          by ? by->at(&noise, dims, position, NULL) : perlane_at(&noise, dims, position);
      assert_int_equal(bits_of(value), bits_of(expected[4]));
    }
  }
  force(PERLANE_ISA_AUTO);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_grids),     cmocka_unit_test(lengths),
      cmocka_unit_test(widths),           cmocka_unit_test(far_ends),
      cmocka_unit_test(block_boundaries), cmocka_unit_test(volumes),
      cmocka_unit_test(many_octaves),     cmocka_unit_test(streamed),
      cmocka_unit_test(random_points),    cmocka_unit_test(lengths_of_lists),
      cmocka_unit_test(short_lists),      cmocka_unit_test(far_cells),
      cmocka_unit_test(near_limit),       cmocka_unit_test(full_tiles),
      cmocka_unit_test(grids_with_seeds), cmocka_unit_test(limited_octaves),
      cmocka_unit_test(far_indices),      cmocka_unit_test(single_positions),
      cmocka_unit_test(falling_rows),
  };
  const struct kernel_list kernels = lane_kernels();
  for (size_t i = 0; i < kernels.count; i++)
    print_message("checked against the reference: %s\n", kernels.table[i]->name);
  return cmocka_run_group_tests_name("parity", tests, NULL, NULL);
}
