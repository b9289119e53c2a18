/* SPDX-License-Identifier: MIT
 *
 * Replaces src/dispatch.c where all lane kernels are built through SIMDe (PERLANE_EMULATED): every
 * instruction set that SIMDe emulates then runs on every machine.
 */
#include "../../src/strict.h"

#include "../../src/dispatch.h"

#define DEFINE_TABLE(id, ID, name, ...)                                                            \
  static const struct perlane_kernels id##_kernels = PERLANE_KERNELS(id, ID, name " (emulated)");
#define TABLE(id, ID, ...) [PERLANE_ISA_##ID] = &id##_kernels,
#define NAME(id, ID, name, ...) [PERLANE_ISA_##ID] = (name),

PERLANE_LANES(DEFINE_TABLE, DEFINE_TABLE, PERLANE_NONE, DEFINE_TABLE)
/* clang-format off */
static const struct perlane_kernels *const TABLES[PERLANE_ISA_COUNT] = {
  [PERLANE_ISA_SCALAR] = &perlane_scalar_kernels,
  PERLANE_LANES(TABLE, TABLE, PERLANE_NONE, TABLE)
};
static const char *const NAMES[PERLANE_ISA_COUNT] = {
  [PERLANE_ISA_AUTO] = "auto", [PERLANE_ISA_SCALAR] = "scalar",
  PERLANE_LANES(NAME, NAME, NAME, NAME)
};
/* clang-format on */
_Atomic(const struct perlane_kernels *) perlane_kernels_in_use = &perlane_scalar_kernels;

const struct perlane_kernels *perlane_kernels_for(perlane_isa isa) {
  return (unsigned)isa < PERLANE_ISA_COUNT ? TABLES[isa] : NULL;
}

const struct perlane_kernels *perlane_choose_kernels(void) {
  return perlane_kernels_in_use;
}

int perlane_isa_built_in(perlane_isa isa) {
  return perlane_kernels_for(isa) != NULL;
}

const char *perlane_isa_name(perlane_isa isa) {
  return NAMES[isa];
}

perlane_status perlane_force_isa(perlane_isa isa) {
  if (!perlane_kernels_for(isa))
    return PERLANE_ERROR_ISA;
  perlane_kernels_in_use = perlane_kernels_for(isa);
  return PERLANE_OK;
}
