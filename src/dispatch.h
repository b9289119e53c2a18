/* SPDX-License-Identifier: MIT
 *
 * The choice of kernels.
 */
#ifndef PERLANE_DISPATCH_H
#define PERLANE_DISPATCH_H

#ifndef _MSC_VER
#include <stdatomic.h>
#endif

#include "kernels.h"

/* The table in use, NULL before the first choice. Tables are constants, so its value is all that
 * threads have to agree on. */
#ifdef _MSC_VER /* no atomics in C, but whole accesses to pointers */
extern const struct perlane_kernels *volatile perlane_kernels_in_use;
#else
extern _Atomic(const struct perlane_kernels *) perlane_kernels_in_use;
#endif

/* Chooses a table, unless another thread has. */
const struct perlane_kernels *perlane_choose_kernels(void);

/* Returns the table in use, which the first call chooses. */
static inline const struct perlane_kernels *perlane_kernels_current(void) {
  const struct perlane_kernels *table = perlane_kernels_in_use;
  return table ? table : perlane_choose_kernels();
}

/* Returns the table of an instruction set, or NULL if this build or this CPU does not have it. */
const struct perlane_kernels *perlane_kernels_for(perlane_isa isa);

/* Returns the digest of the self-test's fields as these kernels compute them:
 * PERLANE_SELFTEST_DIGEST if all bits are right, also of the fields that came later, whose digest
 * is compared with theirs. */
uint64_t perlane_kernels_digest(const struct perlane_kernels *kernels);

/* Returns the best x86 instruction set for these bits of CPUID and XCR0; xcr0 is 0 if the operating
 * system has not enabled XGETBV. */
perlane_isa perlane_x86_level(uint32_t leaf1_ecx, uint32_t leaf7_ebx, uint64_t xcr0);

#endif
