/* SPDX-License-Identifier: MIT
 *
 * Parity: grids and lists of points yield what single positions do (calls.h), with every set of
 * kernels and through the public functions, in every form, and no other byte is written or read.
 */
#include "calls.h"

#include <float.h>
#include <math.h>

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
                                        "basis=white normalize=none amplitude=1e-36",
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
                                       "warp_amplitude=3 warp_octaves=9",
                                       "warp_amplitude=3 falloff=2"};
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

/* ---- Rows of one kind ---- */

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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_grids),     cmocka_unit_test(lengths),
      cmocka_unit_test(widths),           cmocka_unit_test(volumes),
      cmocka_unit_test(streamed),         cmocka_unit_test(random_points),
      cmocka_unit_test(lengths_of_lists), cmocka_unit_test(short_lists),
      cmocka_unit_test(full_tiles),       cmocka_unit_test(falling_rows),
  };
  const struct kernel_list kernels = lane_kernels();
  for (size_t i = 0; i < kernels.count; i++)
    print_message("checked against the reference: %s\n", kernels.table[i]->name);
  return cmocka_run_group_tests_name("parity", tests, NULL, NULL);
}
