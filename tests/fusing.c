/* SPDX-License-Identifier: MIT
 *
 * Compiled with FMA, where a compiler may fuse: the settings of strict.h keep products and sums
 * apart, also in functions with PERLANE_REORDER, whose attribute of gcc's sets flags anew.
 */
#ifndef FUSED
#include "../src/strict.h"

#include "../src/compiler.h"
#endif

/* Rounded twice, the result is 0; fused it is 2^-24. */
#define PRODUCT_AND_SUM(attributes, name)                                                          \
  attributes float name(float a, float b, float c); /* NOLINTNEXTLINE(bugprone-*) */               \
  attributes float name(float a, float b, float c) {                                               \
    return a * b + c;                                                                              \
  }

#ifdef FUSED /* this file once more, without strict.h */
PRODUCT_AND_SUM(, fused)
#else
#include <stdio.h>

float fused(float a, float b, float c);
PRODUCT_AND_SUM(static PERLANE_NOINLINE, plain)
PRODUCT_AND_SUM(static PERLANE_NOINLINE PERLANE_REORDER, reordered)

int main(void) {
  enum { SKIPPED = 77 };
  const volatile float a = 1 + 0x1p-12f, c = -(1 + 0x1p-11f); /* not known to the compiler */
  if (!__builtin_cpu_supports("fma")) {
    puts("skipped: this CPU does not have FMA");
    return SKIPPED;
  }
  const float results[] = {plain(a, a, c), reordered(a, a, c), fused(a, a, c)};
  printf("%a, reordered %a, of a file without strict.h %a\n", (double)results[0],
         (double)results[1], (double)results[2]);
  return !(results[0] == 0 && results[1] == 0 && results[2] == 0x1p-24f);
}
#endif
