/* SPDX-License-Identifier: MIT
 *
 * The dispatcher: which instruction sets it detects, what lowers its choice, and that no choice
 * changes a bit.
 */
#include "support.h"

#include <math.h>

/* CPUID and XGETBV of made-up machines. */
static void levels_of_x86(void **state) {
  (void)state;
  const uint32_t ssse3 = 1u << 9, sse41 = 1u << 19, osxsave = 1u << 27, avx = 1u << 28;
  const uint32_t avx2 = 1u << 5, all = ssse3 | sse41 | osxsave | avx;
  assert_int_equal(perlane_x86_level(0, 0, 0), PERLANE_ISA_SCALAR);
  assert_int_equal(perlane_x86_level(ssse3, avx2, 7), PERLANE_ISA_SCALAR);
  assert_int_equal(perlane_x86_level(sse41, 0, 0), PERLANE_ISA_SCALAR);
  assert_int_equal(perlane_x86_level(ssse3 | sse41, avx2, 7), PERLANE_ISA_SSE41);
  assert_int_equal(perlane_x86_level(all, 0, 7), PERLANE_ISA_SSE41);
  assert_int_equal(perlane_x86_level(all & ~avx, avx2, 7), PERLANE_ISA_SSE41);
  assert_int_equal(perlane_x86_level(all & ~osxsave, avx2, 7), PERLANE_ISA_SSE41);
  /* An operating system that does not save the upper halves of the registers. */
  assert_int_equal(perlane_x86_level(all, avx2, 0), PERLANE_ISA_SSE41);
  assert_int_equal(perlane_x86_level(all, avx2, 2), PERLANE_ISA_SSE41);
  assert_int_equal(perlane_x86_level(all, avx2, 3), PERLANE_ISA_SSE41);
  assert_int_equal(perlane_x86_level(all, avx2, 7), PERLANE_ISA_AVX2);
  const uint32_t part[] = {1u << 16, 1u << 17, 1u << 30, 1u << 31};
  const uint32_t avx512 = part[0] | part[1] | part[2] | part[3];
  for (int i = 0; i < 4; i++)
    assert_int_equal(perlane_x86_level(all, avx2 | (avx512 & ~part[i]), 0xE7), PERLANE_ISA_AVX2);
  assert_int_equal(perlane_x86_level(all, avx512, 0xE7), PERLANE_ISA_SSE41);
  /* Masks, the upper halves of ZMM0 to 15, and ZMM16 to 31 are bits of their own. */
  for (int bit = 5; bit <= 7; bit++)
    assert_int_equal(perlane_x86_level(all, avx2 | avx512, 0xE7u & ~(1u << bit)), PERLANE_ISA_AVX2);
  assert_int_equal(perlane_x86_level(all, avx2 | avx512, 0xE7), PERLANE_ISA_AVX512);
}

static void environment_lowers_the_choice(void **state) {
  (void)state;
  unsetenv("PERLANE_ISA");
  assert_ok(perlane_force_isa(PERLANE_ISA_AUTO));
  assert_int_equal(perlane_isa_current(), best_isa());
  for (int i = PERLANE_ISA_SCALAR; i < PERLANE_ISA_COUNT; i++) {
    setenv("PERLANE_ISA", perlane_isa_name((perlane_isa)i), 1);
    assert_ok(perlane_force_isa(PERLANE_ISA_AUTO));
    assert_int_equal(perlane_isa_current(),
                     perlane_isa_supported((perlane_isa)i) ? (perlane_isa)i : best_isa());
  }
  static const char *const ignored[] = {"", "auto", "avx1024", "AVX2 ", "scalar,avx2"};
  for (size_t i = 0; i < COUNT_OF(ignored); i++) {
    setenv("PERLANE_ISA", ignored[i], 1);
    assert_ok(perlane_force_isa(PERLANE_ISA_AUTO));
    assert_int_equal(perlane_isa_current(), best_isa());
  }
  unsetenv("PERLANE_ISA");
  assert_ok(perlane_force_isa(PERLANE_ISA_AUTO));
}

static void forcing(void **state) {
  (void)state;
  for (int i = PERLANE_ISA_SCALAR; i < PERLANE_ISA_COUNT; i++) {
    const perlane_isa isa = (perlane_isa)i;
    const perlane_isa before = perlane_isa_current();
    if (perlane_isa_supported(isa)) {
      assert_true(perlane_isa_built_in(isa));
      assert_ok(perlane_force_isa(isa));
      assert_int_equal(perlane_isa_current(), isa);
    } else {
      assert_refused(ISA, perlane_force_isa(isa));
      assert_int_equal(perlane_isa_current(), before);
    }
  }
  static const int unknown[] = {-1, PERLANE_ISA_COUNT, 1000};
  for (size_t i = 0; i < COUNT_OF(unknown); i++) {
    const perlane_isa isa = (perlane_isa)unknown[i];
    assert_refused(ISA, perlane_force_isa(isa));
    assert_false(perlane_isa_built_in(isa));
    assert_false(perlane_isa_supported(isa));
    assert_string_equal(perlane_isa_name(isa), "unknown");
    assert_refused(ISA, perlane_selftest(isa, NULL));
  }
  assert_ok(perlane_force_isa(PERLANE_ISA_AUTO));
}

static void names(void **state) {
  (void)state;
  for (int i = 0; i < PERLANE_ISA_COUNT; i++)
    assert_int_equal(perlane_isa_from_name(perlane_isa_name((perlane_isa)i)), i);
  assert_int_equal(perlane_isa_from_name("SSE41"), PERLANE_ISA_SSE41);
  assert_int_equal(perlane_isa_from_name("Avx2"), PERLANE_ISA_AVX2);
  static const char *const none[] = {"", ".", "avx", "avx22", "sse4", "unknown"};
  for (size_t i = 0; i < COUNT_OF(none); i++)
    assert_int_equal(perlane_isa_from_name(none[i]), PERLANE_ISA_COUNT);
  assert_int_equal(perlane_isa_from_name(NULL), PERLANE_ISA_COUNT);
}

static float wrong_value(const perlane_noise *noise, int dims, const double *position,
                         float *gradient) {
  const float value = perlane_scalar_at(noise, dims, position, gradient);
  return gradient ? value : nextafterf(value, 2);
}

static float wrong_slope(const perlane_noise *noise, int dims, const double *position,
                         float *gradient) {
  const float value = perlane_scalar_at(noise, dims, position, gradient);
  if (gradient)
    gradient[dims - 1] = nextafterf(gradient[dims - 1], 2);
  return value;
}

/* Returns kernels of this machine, as the reference takes long. */
static struct perlane_kernels fast_kernels(void) {
  const struct kernel_list kernels = lane_kernels();
  return kernels.count > 0 ? *kernels.table[0] : perlane_scalar_kernels;
}

static void selftest_covers_single_values(void **state) {
  (void)state;
  struct perlane_kernels wrong = fast_kernels();
  wrong.at = wrong_value;
  assert_true(perlane_kernels_digest(&wrong) != PERLANE_SELFTEST_DIGEST);
  wrong.at = wrong_slope;
  assert_true(perlane_kernels_digest(&wrong) != PERLANE_SELFTEST_DIGEST);
}

static struct perlane_kernels right;

/* A wrong bit in one kind of output alone. */
static enum { INTEGERS, SIMPLEX, FALLOFFS, VALLEYS, BORDERS, CELLS, KINDS } wrong_kind;

static void wrong_fill(const perlane_noise *noise, const struct perlane_region *grid,
                       const struct perlane_output *output) {
  const perlane_params *params = &noise->params;
  const int is_wrong[KINDS] = {output->format != FORMAT_FLOAT,
                               params->basis == PERLANE_BASIS_SIMPLEX,
                               params->falloff != 0,
                               params->valleys != 0,
                               params->cell_output == PERLANE_CELL_OUTPUT_EDGE,
                               0};
  right.fill(noise, grid, output);
  *(unsigned char *)output->value ^= (unsigned char)is_wrong[wrong_kind];
}

static void wrong_cells(const perlane_noise *noise, const struct perlane_region *grid,
                        const perlane_cells *out) {
  right.fill_cells(noise, grid, out);
  *out->id ^= wrong_kind == CELLS;
}

static void selftest_covers_every_kind(void **state) {
  (void)state;
  right = fast_kernels();
  struct perlane_kernels wrong = right;
  wrong.fill = wrong_fill;
  wrong.fill_cells = wrong_cells;
  for (wrong_kind = 0; wrong_kind < KINDS; wrong_kind++)
    assert_true(perlane_kernels_digest(&wrong) != PERLANE_SELFTEST_DIGEST);
}

static void selftests(void **state) {
  (void)state;
  size_t native = 0; /* sets of kernels besides the reference */
  for (int i = PERLANE_ISA_SCALAR; i < PERLANE_ISA_COUNT; i++) {
    if (!perlane_isa_supported((perlane_isa)i))
      continue;
    uint64_t digest = 0;
    native += i != PERLANE_ISA_SCALAR;
    assert_ok(perlane_selftest((perlane_isa)i, &digest));
    assert_true(digest == PERLANE_SELFTEST_DIGEST);
  }
  assert_ok(perlane_selftest(PERLANE_ISA_AUTO, NULL));
  /* The foreign kernels compute the same. */
  const struct kernel_list kernels = lane_kernels();
  for (size_t i = native; i < kernels.count; i++)
    assert_true(perlane_kernels_digest(kernels.table[i]) == PERLANE_SELFTEST_DIGEST);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(levels_of_x86),
      cmocka_unit_test(environment_lowers_the_choice),
      cmocka_unit_test(forcing),
      cmocka_unit_test(names),
      cmocka_unit_test(selftests),
      cmocka_unit_test(selftest_covers_single_values),
      cmocka_unit_test(selftest_covers_every_kind),
  };
  return cmocka_run_group_tests_name("dispatch", tests, NULL, NULL);
}
