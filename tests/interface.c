/* SPDX-License-Identifier: MIT
 *
 * What callers in other languages rely on: the layout of structures (tests/proof/layout.h),
 * functions that fill structures in, and strides from elsewhere.
 */
#include "support.h"

#include "perlane_expression.h"
#include "proof/layout.h"

static void structures_are_filled_in(void **state) {
  (void)state;
  perlane_params params, by_value = perlane_params_default();
  memset(&params, 0xFF, sizeof params);
  assert_ok(perlane_params_init(&params));
  assert_memory_equal(&params, &by_value, sizeof params);
  assert_refused(NULL, perlane_params_init(NULL));

  perlane_grid grid, made = perlane_grid_make(7, 6, 5, 4);
  memset(&grid, 0xFF, sizeof grid);
  assert_ok(perlane_grid_init(&grid, 7, 6, 5, 4));
  assert_memory_equal(&grid, &made, sizeof grid);
  assert_refused(NULL, perlane_grid_init(NULL, 7, 6, 5, 4));
  assert_true(perlane_layout() == PERLANE_LAYOUT);
  assert_int_equal((perlane_layout() >> 48) * 8, sizeof(perlane_noise));
  assert_int_equal((perlane_layout() >> 36 & 0xFFF) * 8, sizeof(perlane_params));
  assert_int_equal((perlane_layout() >> 24 & 0xFFF) * 8, sizeof(perlane_grid));
  assert_int_equal((perlane_layout() >> 12 & 0xFFF) * 8, sizeof(perlane_list));
  assert_int_equal((perlane_layout() & 0xFFF) * 8, sizeof(perlane_cells));
}

/* Every pattern of counts that are 0 and that are not. */
static void grids_have_no_holes(void **state) {
  (void)state;
  const perlane_noise noise = noise_from("");
  for (unsigned mask = 0; mask < 16; mask++) {
    uint64_t count[PERLANE_MAX_DIMS];
    int dims = 0;
    for (int a = 0; a < PERLANE_MAX_DIMS; a++)
      count[a] = mask >> a & 1 ? 2 + (uint64_t)a : 0;
    while (dims < PERLANE_MAX_DIMS && count[dims] != 0)
      dims++;
    const int has_hole = mask != (1u << dims) - 1;
    const perlane_grid grid = perlane_grid_make(count[0], count[1], count[2], count[3]);
    assert_int_equal(grid.dims, has_hole ? 0 : dims);
    perlane_grid filled_in;
    assert_int_equal(perlane_grid_init(&filled_in, count[0], count[1], count[2], count[3]),
                     grid.dims == 0 ? PERLANE_ERROR_DIMS : PERLANE_OK);
    assert_memory_equal(&filled_in, &grid, sizeof grid);
    for (int a = 0; a < grid.dims; a++)
      assert_true(grid.count[a] == count[a] && grid.step[a] == 1 && grid.origin[a] == 0 &&
                  grid.first[a] == 0 && grid.stride[a] == 0);
    float out[120];
    memset(out, 0x5A, sizeof out);
    assert_int_equal(perlane_fill(&noise, &grid, out),
                     grid.dims == 0 ? PERLANE_ERROR_DIMS : PERLANE_OK);
    assert_int_equal(bits_of(out[0]) == 0x5A5A5A5A, grid.dims == 0);
  }
}

/* Strides as NumPy has them: of slices, transposed or reversed arrays, and 0 along an axis that an
 * array repeats, or that has one sample. */
static void exact_strides(void **state) {
  (void)state;
  enum { X = 5, Y = 3, PLACES = 64 };
  static const struct {
    uint64_t count[2];
    int64_t stride[2];
    perlane_status status[2]; /* with exact_strides 0 and 1 */
  } CASES[] = {
      {{X, Y}, {1, X}, {PERLANE_OK, PERLANE_OK}},
      {{X, Y}, {Y, 1}, {PERLANE_OK, PERLANE_OK}},
      {{X, Y}, {2, 2 * X + 1}, {PERLANE_OK, PERLANE_OK}},
      {{X, Y}, {-1, X}, {PERLANE_OK, PERLANE_OK}},
      {{X, Y}, {0, 0}, {PERLANE_OK, PERLANE_ERROR_STRIDE}},
      {{X, Y}, {1, 0}, {PERLANE_OK, PERLANE_ERROR_STRIDE}},
      {{X, Y}, {0, 1}, {PERLANE_ERROR_STRIDE, PERLANE_ERROR_STRIDE}},
      {{X, Y}, {0, X}, {PERLANE_OK, PERLANE_ERROR_STRIDE}},
      {{X, 1}, {1, 0}, {PERLANE_OK, PERLANE_OK}},
      {{X, 1}, {-2, 0}, {PERLANE_OK, PERLANE_OK}},
      {{1, Y}, {0, 1}, {PERLANE_OK, PERLANE_OK}},
      {{1, Y}, {0, -4}, {PERLANE_OK, PERLANE_OK}},
      {{1, 1}, {0, 0}, {PERLANE_OK, PERLANE_OK}},
      {{1, 1}, {INT64_MIN, INT64_MAX}, {PERLANE_OK, PERLANE_OK}},
      {{1, Y}, {0, INT64_MIN}, {PERLANE_ERROR_STRIDE, PERLANE_ERROR_STRIDE}},
      {{1, Y}, {0, INT64_MAX}, {PERLANE_ERROR_STRIDE, PERLANE_ERROR_STRIDE}},
      {{1, 2}, {0, PTRDIFF_MAX / 4}, {PERLANE_ERROR_STRIDE, PERLANE_ERROR_STRIDE}},
  };
  const perlane_noise noise = noise_from("");
  for (size_t c = 0; c < COUNT_OF(CASES); c++)
    for (int32_t exact = 0; exact <= 1; exact++)
      for (int isa = PERLANE_ISA_SCALAR; isa < PERLANE_ISA_COUNT; isa++) {
        if (!perlane_isa_supported((perlane_isa)isa))
          continue;
        force((perlane_isa)isa);
        perlane_grid grid = perlane_grid_make(CASES[c].count[0], CASES[c].count[1], 0, 0);
        float packed[X * Y], memory[PLACES];
        assert_ok(perlane_fill(&noise, &grid, packed));
        grid.exact_strides = exact;
        grid.stride[0] = CASES[c].stride[0];
        grid.stride[1] = CASES[c].stride[1];
        memset(memory, 0x5A, sizeof memory);
        float *const out = memory + PLACES / 4;
        assert_int_equal(perlane_grid_check(&noise, &grid), CASES[c].status[exact]);
        assert_int_equal(perlane_fill(&noise, &grid, out), CASES[c].status[exact]);
        size_t written = 0;
        for (size_t i = 0; i < PLACES; i++)
          written += bits_of(memory[i]) != 0x5A5A5A5A;
        if (CASES[c].status[exact] != PERLANE_OK) {
          assert_int_equal(written, 0);
          continue;
        }
        assert_int_equal(written, grid.count[0] * grid.count[1]);
        const int64_t step[2] = {
            grid.count[0] == 1 || (grid.stride[0] == 0 && !exact) ? 1 : grid.stride[0],
            grid.count[1] == 1 || (grid.stride[1] == 0 && !exact) ? (int64_t)grid.count[0]
                                                                  : grid.stride[1]};
        for (uint64_t y = 0; y < grid.count[1]; y++)
          for (uint64_t x = 0; x < grid.count[0]; x++)
            assert_int_equal(bits_of(out[(int64_t)x * step[0] + (int64_t)y * step[1]]),
                             bits_of(packed[y * grid.count[0] + x]));
      }
  force(PERLANE_ISA_AUTO);
}

/* A program whose header had structures of other sizes: macros of the header read this. */
static uint64_t layout = PERLANE_LAYOUT;
#undef PERLANE_LAYOUT
#define PERLANE_LAYOUT layout

/* Every function that initializes a structure refuses such a program, and writes nothing. */
static void other_layouts_are_refused(void **state) {
  (void)state;
  static struct {
    perlane_noise noise, field;
    perlane_params params;
    perlane_grid grid;
    int32_t count;
  } to, before;
  const uint64_t own = layout;
  const perlane_params params = perlane_params_default();
  memset(&before, 0x5A, sizeof before);
  to = before;
  for (int bit = 0; bit < 60; bit += 12) {
    layout = own + (UINT64_C(1) << bit);
    assert_refused(LAYOUT, perlane_params_init(&to.params));
    assert_refused(LAYOUT, perlane_grid_init(&to.grid, 1, 1, 0, 0));
    assert_refused(LAYOUT, perlane_init(&to.noise, &params));
    assert_refused(LAYOUT, perlane_init_text(&to.noise, ""));
    assert_refused(LAYOUT, perlane_expression_init(&to.noise, "x", 0, NULL, NULL));
    assert_refused(LAYOUT,
                   perlane_expression_init_text(&to.noise, "a=; a", 1, &to.field, &to.count));
    assert_memory_equal(&to, &before, sizeof to);
  }
  layout = own;
  assert_ok(perlane_init(&to.noise, &params));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(structures_are_filled_in),
      cmocka_unit_test(grids_have_no_holes),
      cmocka_unit_test(exact_strides),
      cmocka_unit_test(other_layouts_are_refused),
  };
  return cmocka_run_group_tests_name("interface", tests, NULL, NULL);
}
