/* SPDX-License-Identifier: MIT
 *
 * The choice of kernels.
 */
#ifndef PERLANE_DISPATCH_H
#define PERLANE_DISPATCH_H

#include "kernels.h"

/* Returns the table in use, which the first call chooses. */
const struct perlane_kernels *perlane_kernels_current(void);

/* Returns the table of an instruction set, or NULL if this build or this CPU does not have it. */
const struct perlane_kernels *perlane_kernels_for(perlane_isa isa);

/* Returns the best x86 instruction set for these bits of CPUID and XCR0; xcr0 is 0 if the operating
 * system has not enabled XGETBV. */
perlane_isa perlane_x86_level(uint32_t leaf1_ecx, uint32_t leaf7_ebx, uint64_t xcr0);

#endif
