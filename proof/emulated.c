/* SPDX-License-Identifier: MIT
 *
 * Stands in for src/dispatch.c where the lane kernels are built through SIMDe (PERLANE_EMULATED):
 * then every instruction set is there on every machine.
 */
#include "../src/strict.h"

#include "../src/kernels.h"

extern const struct perlane_kernels perlane_sse41_kernels, perlane_avx2_kernels,
    perlane_avx512_kernels, perlane_neon_kernels;

static const struct perlane_kernels *const TABLES[PERLANE_ISA_COUNT] = {
    [PERLANE_ISA_SCALAR] = &perlane_scalar_kernels, [PERLANE_ISA_SSE41] = &perlane_sse41_kernels,
    [PERLANE_ISA_AVX2] = &perlane_avx2_kernels,     [PERLANE_ISA_AVX512] = &perlane_avx512_kernels,
    [PERLANE_ISA_NEON] = &perlane_neon_kernels,
};
static const struct perlane_kernels *current = &perlane_scalar_kernels;

const struct perlane_kernels *perlane_kernels_for(perlane_isa isa) {
  return (unsigned)isa < PERLANE_ISA_COUNT ? TABLES[isa] : NULL;
}

const struct perlane_kernels *perlane_kernels_current(void) {
  return current;
}

int perlane_isa_built_in(perlane_isa isa) {
  return perlane_kernels_for(isa) != NULL;
}

const char *perlane_isa_name(perlane_isa isa) {
  static const char *const names[PERLANE_ISA_COUNT] = {"auto", "scalar", "sse4.1",
                                                       "avx2", "avx512", "neon"};
  return names[isa];
}

perlane_status perlane_force_isa(perlane_isa isa) {
  if (!perlane_kernels_for(isa))
    return PERLANE_ERROR_ISA;
  current = perlane_kernels_for(isa);
  return PERLANE_OK;
}
