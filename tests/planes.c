/* SPDX-License-Identifier: MIT
 *
 * Expressions in volumes: what depends on x and y alone is evaluated once for all planes. The
 * kernels are those of src/portable/, compiled here with a square root that counts its calls.
 */
#define PERLANE_EMULATED 1
#define LANES_ID portable
#include "../src/strict.h"

#include "../src/portable/lanes.h"

static size_t roots; /* vectors of LANES that have been taken */
static vf counted_root(vf v) {
  roots++;
  return f_sqrt(v);
}
#define f_sqrt(v) counted_root(v)
#include "../src/lane_kernels.h"
#undef f_sqrt

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { COLUMNS = 64, ROWS = 48, PLANES = 40, SAMPLES = COLUMNS * ROWS * PLANES };

/* Fills so many planes, and compares them with the kernels that a call has. Returns how many square
 * roots that took. */
static size_t roots_of_planes(const perlane_noise *expression, size_t planes, int slopes,
                              int has_work) {
  static float got[4][SAMPLES], expected[4][SAMPLES];
  static _Alignas(CACHE_LINE_BYTES) unsigned char work[PERLANE_WORK_BYTES];
  const struct perlane_region region = {.dims = 3,
                                        .count = {COLUMNS, ROWS, planes, 1},
                                        .step = {1, 1, 1, 1},
                                        .stride = {1, COLUMNS, COLUMNS * ROWS, SAMPLES},
                                        .octaves = expression->octaves,
                                        .work = has_work ? work : NULL,
                                        .work_bytes = has_work ? sizeof work : 0};
  struct perlane_output output = {.format = FORMAT_FLOAT, .value = got[0]};
  const perlane_grid grid = perlane_grid_make(COLUMNS, ROWS, planes, 0);
  const size_t bytes = COLUMNS * ROWS * planes * sizeof(float);
  for (int a = 0; a < 3 && slopes; a++)
    output.gradient[a] = got[1 + a];
  roots = 0;
  PERLANE_KERNEL(portable, fill)(expression, &region, &output);
  const size_t counted = roots;
  const perlane_status status =
      slopes ? perlane_fill_gradient(expression, &grid, expected[0],
                                     (float *const[]){expected[1], expected[2], expected[3]})
             : perlane_fill(expression, &grid, expected[0]);
  assert_int_equal(status, PERLANE_OK);
  for (int j = 0; j < (slopes ? 4 : 1); j++)
    assert_memory_equal(got[j], expected[j], bytes);
  return counted;
}

/* Further planes take the roots of their own alone. A field of normally distributed values at a
 * place takes roots, too. */
static void shared_by_planes(void **state) {
  (void)state;
  static const struct {
    const char *text;
    size_t own; /* roots of a sample that depend on z */
  } CASES[] = {
      {"sqrt(x*y) + z", 0},
      {"sqrt(x*y + z)", 1},
      {"sqrt(1 + sqrt(x + y))*a - sqrt(a + 2)", 1},
      {"sqrt(x)/sqrt(a + 1) - sqrt(2*y - x)/sqrt(z - x)", 2},
      {"at(2*x, 3*y, n) - a", 0},
      {"at(x + at(x, y, a), sqrt(x*y), n) + abs(z)", 0},
      {"mix(a, sqrt(z*x), at(2*x, y, n))", 1},
  };
  static perlane_noise a, n, expression;
  static const char *const names[] = {"a", "n"};
  static const perlane_noise *const fields[] = {&a, &n};
  assert_int_equal(perlane_init_text(&a, "octaves=2"), PERLANE_OK);
  assert_int_equal(perlane_init_text(&n, "basis=gaussian"), PERLANE_OK);
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    assert_int_equal(perlane_expression_init(&expression, CASES[i].text, 2, names, fields),
                     PERLANE_OK);
    for (int way = 0; way < 4; way++) {
      const int slopes = way & 1, has_work = way >> 1;
      const size_t of_one = roots_of_planes(&expression, 1, slopes, has_work);
      const size_t of_all = roots_of_planes(&expression, PLANES, slopes, has_work);
      const size_t expected = CASES[i].own * (PLANES - 1) * COLUMNS * ROWS / LANES;
      assert_true(of_one >= COLUMNS * ROWS / LANES);
      if (of_all - of_one != expected)
        fail_msg("%s%s, %s work memory: %zu further planes take %zu roots, not %zu", CASES[i].text,
                 slopes ? " with derivatives" : "", has_work ? "with" : "without",
                 (size_t)(PLANES - 1), of_all - of_one, expected);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(shared_by_planes)};
  return cmocka_run_group_tests_name("planes", tests, NULL, NULL);
}
