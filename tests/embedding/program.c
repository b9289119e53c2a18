/* SPDX-License-Identifier: MIT
 *
 * What a program of another project's has of perlane: its version, and what the self-test computes
 * with every instruction set that runs here. C and C++.
 */
#include <perlane.h>

#include <stdio.h>

int main(void) {
  int i;
  printf("perlane %s\n", perlane_version());
  for (i = PERLANE_ISA_SCALAR; i < PERLANE_ISA_COUNT; i++) {
    const perlane_isa isa = (perlane_isa)i;
    uint64_t digest = 0;
    if (!perlane_isa_supported(isa))
      continue;
    if (perlane_selftest(isa, &digest) != PERLANE_OK)
      printf("wrong: ");
    printf("%s 0x%08X%08X\n", perlane_isa_name(isa), (unsigned)(digest >> 32), (unsigned)digest);
  }
  return 0;
}
