/* SPDX-License-Identifier: MIT
 *
 * What proof/quality observes is what the field uses: its lattice has the library's hash and the
 * specification's gradients. The statistics themselves depend on bits that other tests compare, so
 * only make proof computes them.
 */
#include "support.h"

#include "checks.h"

static const int LENGTH[4][4] = {{3000, 1, 1, 1}, {60, 50, 1, 1}, {20, 15, 10, 1}, {8, 8, 8, 6}};
enum { MAX_CELLS = 3072 };

static struct window random_window(struct random *random, int dims) {
  struct window window = {.seed = random_word(random) >> random_below(random, 64), .dims = dims};
  for (int a = 0; a < 4; a++) {
    window.count[a] = (size_t)LENGTH[dims - 1][a];
    window.step[a] = 1 + (int64_t)random_below(random, 5);
    window.first[a] = (int64_t)random_word(random) >> (12 + random_below(random, 50));
    if (random_below(random, 3) == 0)
      window.first[a] = INT64_C(0x80000000) - 10;
  }
  return window;
}

static void the_model_is_the_library(void **state) {
  (void)state;
  struct random random = random_start("lattice");
  uint8_t index[MAX_CELLS], model[MAX_CELLS];
  for (size_t c = 0; c < effort(400); c++) {
    struct window window = random_window(&random, 1 + (int)(c % 4));
    window.octave = (int)random_below(&random, random_below(&random, PERLANE_MAX_OCTAVES) + 1);
    lattice_fill(c % 8 < 4 ? &LATTICE : &LARGE, &window, index);
    lattice_fill(c % 8 < 4 ? &MODEL : &LARGE_MODEL, &window, model);
    assert_memory_equal(index, model, window_cells(&window));
  }
}

/* The checks look at the lattice through a table of gradients; the default gradients, as the
 * specification lists them, must be those of the same indices. */
static void default_gradients_have_these_indices(void **state) {
  (void)state;
  struct random random = random_start("gradients");
  uint8_t index[MAX_CELLS];
  static float memory[4][MAX_CELLS];
  float *const gradient[4] = {memory[0], memory[1], memory[2], memory[3]};
  for (size_t c = 0; c < effort(400); c++) {
    const int dims = 1 + (int)(c % 4);
    const struct window window = random_window(&random, dims);
    lattice_fill(&LATTICE, &window, index);
    perlane_params params = perlane_params_default();
    params.seed = window.seed;
    params.frequency = 1;
    params.phase = PERLANE_PHASE_NONE;
    params.normalize = PERLANE_NORMALIZE_NONE;
    const perlane_noise noise = noise_of(&params);
    perlane_grid grid = {.dims = dims};
    for (int a = 0; a < dims; a++) {
      grid.count[a] = window.count[a];
      grid.origin[a] = (double)window.first[a];
      grid.step[a] = (double)window.step[a];
    }
    assert_int_equal(perlane_fill_gradient(&noise, &grid, NULL, gradient), PERLANE_OK);
    const double unit = dims <= 2 ? 1 : 0.5;
    for (size_t i = 0; i < window_cells(&window); i++)
      for (int a = 0; a < dims; a++)
        assert_true((double)gradient[a][i] == unit * default_gradient(dims, index[i], a));
  }
}

/* Without jitter, the point nearest to a cell's centre is its own, whose value tells the hash. */
static void cells_have_the_models_hash(void **state) {
  (void)state;
  struct random random = random_start("cells");
  static float value[MAX_CELLS];
  for (size_t c = 0; c < effort(300); c++) {
    const int dims = 1 + (int)(c % 3);
    const struct window window = random_window(&random, dims);
    perlane_params params = perlane_params_default();
    params.seed = window.seed;
    params.frequency = 1;
    params.phase = PERLANE_PHASE_NONE;
    params.basis = PERLANE_BASIS_CELLULAR;
    params.cell_output = PERLANE_CELL_OUTPUT_VALUE;
    params.jitter = 0;
    const perlane_noise noise = noise_of(&params);
    perlane_grid grid = {.dims = dims};
    for (int a = 0; a < dims; a++) {
      grid.count[a] = window.count[a];
      grid.origin[a] = (double)window.first[a] + 0.5;
      grid.step[a] = (double)window.step[a];
    }
    assert_int_equal(perlane_fill(&noise, &grid, value), PERLANE_OK);
    for (size_t i = 0; i < window_cells(&window); i++) {
      uint32_t word[3];
      size_t rest = i;
      for (int a = 0; a < dims; a++, rest /= window.count[a - 1]) {
        const int64_t at = (int64_t)(rest % window.count[a]);
        word[a] = CELL_HIGH.word(window.first[a] + at * window.step[a], a, window.seed, 0);
      }
      const uint32_t number = CELL_HIGH.join(dims, word) * 0x9E3779B1u;
      const int32_t odd = (int32_t)(number >> 7 | 1) - 0x1000000;
      assert_int_equal(bits_of(value[i]), bits_of((float)odd * 0x1p-24f));
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_model_is_the_library),
      cmocka_unit_test(default_gradients_have_these_indices),
      cmocka_unit_test(cells_have_the_models_hash),
  };
  return cmocka_run_group_tests_name("quality", tests, NULL, NULL);
}
