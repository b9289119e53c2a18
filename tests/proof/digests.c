/* SPDX-License-Identifier: MIT
 *
 * Compares the digests of tests/digests.h with the committed ones, through the public interface.
 *
 *   digests         prints the digests, as the scalar kernels compute them
 *   digests FILE    computes them with every set of kernels that this machine runs, compares them
 *                   with the file, and prints a line for each set; exit status 1 if any differs
 */
#include "../digests.h"
#include "layout.h"

/* Returns whether this process flushes subnormal numbers to zero, as the start-up code that
 * -ffast-math links in makes it do. */
static int flushes(void) {
  static volatile float tiny = 0x1p-126f, half = 0.5f;
  return tiny * half == 0;
}

/* Fills a grid from a stack that is aligned to 4 bytes, as those of other languages may be on
 * 32-bit x86. */
static void fill_misaligned(void) {
#if defined(__GNUC__) && defined(__i386__)
  static perlane_noise noise;
  static float out[32 * 32];
  const perlane_params params = perlane_params_default();
  const perlane_grid grid = perlane_grid_make(32, 32, 0, 0);
  const uintptr_t call[] = {(uintptr_t)perlane_fill, (uintptr_t)&noise, (uintptr_t)&grid,
                            (uintptr_t)out};
  perlane_init(&noise, &params);
  for (int i = 0; i < 4; i++) {
    int bytes = 4 * i;
    __asm__ volatile("movl %%esp, %%edi; andl $-16, %%esp; subl %%eax, %%esp; pushl 12(%%esi);"
                     "pushl 8(%%esi); pushl 4(%%esi); call *(%%esi); movl %%edi, %%esp"
                     : "+a"(bytes)
                     : "S"(call)
                     : "edi", "ecx", "edx", "memory", "cc");
  }
#endif
}

int main(int argc, char **argv) {
  static struct digest expected[MAX_DIGESTS], found[MAX_DIGESTS];
  if (argc == 1) {
    perlane_force_isa(PERLANE_ISA_SCALAR);
    const size_t n = compute_digests(found, SIZE_MAX);
    for (size_t i = 0; i < n; i++)
      printf("%-40s %016" PRIX64 "\n", found[i].name, found[i].value);
    return 0;
  }
  const size_t expected_n = read_digests(argv[1], expected);
  if (flushes())
    printf("this process flushes subnormal numbers to zero\n");
  int failed = 0;
  for (int i = PERLANE_ISA_SCALAR; i < PERLANE_ISA_COUNT; i++) {
    const perlane_isa isa = (perlane_isa)i;
    if (!perlane_isa_built_in(isa))
      continue;
    const char *kernels = perlane_isa_name(isa);
    if (perlane_force_isa(isa) != PERLANE_OK) {
      printf("%s: not run, this CPU does not have it\n", kernels);
      continue;
    }
    fill_misaligned();
    const size_t n = compute_digests(found, SIZE_MAX);
    const int differences = compare_digests(kernels, expected, expected_n, found, n);
    const int selftest = perlane_selftest(isa, NULL) == PERLANE_OK;
    printf("%s: %zu digests, %d differ; perlane_selftest %s\n", kernels, n, differences,
           selftest ? "passes" : "fails");
    failed |= differences != 0 || !selftest;
  }
  return failed;
}
