/* SPDX-License-Identifier: MIT
 *
 * Statistics of the default field, a quick part of proof/quality, which has the checks: gradients
 * are uniform and independent, lines do not repeat, values have the moments, the distribution and
 * the power spectrum that follow from that, also at the origin and at whole numbers, and fields of
 * other seeds and other octaves are unrelated.
 *
 * Seeds are fixed, so that a test that passes always passes. A check rejects fair random numbers
 * for one choice of seeds in 600,000 (statistics.h); there are 88 checks here. For each kind, one
 * check of a bad hash must fail, to show that it can.
 */
#include "support.h"

#include <math.h>

#include "checks.h"

/* Returns 1 if a check rejects a hash by a wide margin, as it must reject a bad one. */
static int fails_clearly(const struct tally *tally) {
  return tally_chance(tally) < 1e-12 || fabs(tally_errors(tally)) > 10;
}

static void print_tally(const char *what, const char *of, int dims, const struct tally *tally) {
  print_message("%s, %s, %dD: %zu trials, the least likely has %.2g of a chance (%s), "
                "all together %+.1f standard errors\n",
                what, of, dims, tally->trials, tally_chance(tally), tally->where,
                tally_errors(tally));
}

static void must_pass(const char *what, int dims, const struct tally *tally) {
  if (!tally_passes(tally)) {
    print_tally(what, "the library", dims, tally);
    fail();
  }
}

static void must_fail(const char *what, const char *of, int dims, const struct tally *tally) {
  if (!fails_clearly(tally)) {
    print_tally(what, of, dims, tally);
    fail();
  }
}

/* ---- What is observed is what the field uses ---- */

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

/* ---- The hash ---- */

/* With little effort, checks of less than one window are skipped. */
static void lattice_passes(const struct hash_check *check, const struct lattice *lattice,
                           int max_dims) {
  for (int dims = 1; dims <= max_dims; dims++) {
    const size_t windows = effort(100 * check->quick[dims - 1]) / 100;
    if (windows > 0) {
      const struct tally tally = check->check(lattice, dims, windows);
      must_pass(check->name, dims, &tally);
    } else if (check->quick[dims - 1] > 0) {
      print_message("not run: statistics of %s in %dD (%s), at this PERLANE_TEST_PERCENT\n",
                    check->name, dims, lattice->name);
    }
  }
  if (check->control) {
    const struct tally control =
        check->check(check->control, check->control_dims, check->control_windows);
    must_fail(check->name, check->control->name, check->control_dims, &control);
  }
}

static void hash_passes(int check) {
  lattice_passes(&HASH_CHECK[check], &LATTICE, 4);
  lattice_passes(&LARGE_CHECK[check], &LARGE, 4);
  if (effort(100) < 100) {
    print_message("not run: statistics of cells, at this PERLANE_TEST_PERCENT\n");
    return;
  }
  lattice_passes(&LARGE_CHECK[check], &CELL_HIGH, 3);
  lattice_passes(&LARGE_CHECK[check], &CELL_LOW, 3);
}

static void hash_checks(void **state) {
  (void)state;
  for (int check = 0; check < HASH_CHECKS; check++)
    hash_passes(check);
}

/* In 3D and 4D on the model, which is quicker at lines across rows. */
static void lines_do_not_repeat(void **state) {
  (void)state;
  int64_t where[2] = {0, 0};
  for (int dims = 1; dims <= 4; dims++)
    for (int axis = 0; axis < dims; axis++)
      assert_int_equal(count_repeats(dims <= 2 ? &LATTICE : &MODEL, dims, axis, 1337, where), 0);
  assert_int_equal(count_repeats(&PERLIN_TABLE, 2, 0, 1337, where), (1 << 20) - 256);
  assert_int_equal(where[1] - where[0], 256);
}

/* ---- The field ---- */

static void moments_are_as_expected(void **state) {
  (void)state;
  struct moments moments;
  perlane_params params = perlane_params_default();
  for (int dims = 1; dims <= 4; dims++) {
    const struct tally tally = check_moments(&params, dims, effort(8), &moments);
    must_pass("moments", dims, &tally);
  }
  params.fade = PERLANE_FADE_CUBIC;
  const struct tally control = check_moments(&params, 2, 1, &moments);
  must_fail("moments", "the cubic fade", 2, &control);
}

static void distribution_is_as_expected(void **state) {
  (void)state;
  double expected[BINS], measured[BINS];
  perlane_params params = perlane_params_default();
  for (int dims = 1; dims <= 2; dims++) {
    const struct tally tally = check_distribution(&params, dims, effort(20), expected, measured);
    must_pass("distribution", dims, &tally);
  }
  params.fade = PERLANE_FADE_CUBIC;
  const struct tally control = check_distribution(&params, 2, 1, expected, measured);
  must_fail("distribution", "the cubic fade", 2, &control);
}

static void spectrum_is_as_expected(void **state) {
  (void)state;
  static struct spectrum spectrum;
  perlane_params params = perlane_params_default();
  const struct tally tally = check_spectrum(&params, 20 + effort(130), &spectrum);
  must_pass("spectrum", 2, &tally);
  /* Perlin's gradients of 2002 lean towards y; made as strong as the default ones, so that nothing
   * else gives them away. */
  params.gradients = PERLANE_GRADIENTS_EDGES12;
  params.value_scale = slice_size();
  const struct tally control = check_spectrum(&params, 100, &spectrum);
  must_fail("spectrum", "edges12", 2, &control);
}

/* ---- Seeds and octaves, origin and whole numbers ---- */

static void seeds_and_octaves_are_unrelated(void **state) {
  (void)state;
  perlane_params params = perlane_params_default();
  for (int dims = 1; dims <= 4; dims++) {
    const struct tally tally = check_unrelated(&params, dims, 1);
    must_pass("unrelated", dims, &tally);
  }
  params.octaves_share = 1;
  const struct tally control = check_unrelated(&params, 1, 1);
  must_fail("unrelated", "octaves_share", 1, &control);
}

static void the_origin_is_like_any_place(void **state) {
  (void)state;
  perlane_params params = perlane_params_default();
  for (int dims = 1; dims <= 4; dims++) {
    const struct tally tally = check_places(&params, dims, effort(4000));
    must_pass("places", dims, &tally);
  }
  params.phase = PERLANE_PHASE_NONE;
  const struct tally control = check_places(&params, 2, 400);
  must_fail("places", "phase none", 2, &control);
}

static void whole_numbers_are_noise(void **state) {
  (void)state;
  perlane_params params = perlane_params_default();
  for (int dims = 1; dims <= 4; dims++) {
    const struct tally tally = check_whole_numbers(&params, dims, effort(40));
    must_pass("whole numbers", dims, &tally);
  }
  params.phase = PERLANE_PHASE_NONE;
  const struct tally control = check_whole_numbers(&params, 2, 2);
  must_fail("whole numbers", "phase none", 2, &control);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_model_is_the_library),
      cmocka_unit_test(default_gradients_have_these_indices),
      cmocka_unit_test(cells_have_the_models_hash),
      cmocka_unit_test(hash_checks),
      cmocka_unit_test(lines_do_not_repeat),
      cmocka_unit_test(moments_are_as_expected),
      cmocka_unit_test(distribution_is_as_expected),
      cmocka_unit_test(spectrum_is_as_expected),
      cmocka_unit_test(seeds_and_octaves_are_unrelated),
      cmocka_unit_test(the_origin_is_like_any_place),
      cmocka_unit_test(whole_numbers_are_noise),
  };
  return cmocka_run_group_tests_name("quality", tests, NULL, NULL);
}
