/* SPDX-License-Identifier: MIT */
#include "../strict.h"

#include "../kernels.h"

#if defined(PERLANE_AARCH64) || defined(PERLANE_EMULATED)
#ifdef PERLANE_EMULATED
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/arm/neon.h>
#else
#include <arm_neon.h>
#endif

#include "lanes.h"
#include "../noise/kernels.h"

const struct perlane_kernels perlane_neon_kernels = {
#ifdef PERLANE_EMULATED
    .name = "neon (simde)",
#else
    .name = "neon",
#endif
    .isa = PERLANE_ISA_NEON,
    .fill = kernel_fill,
    .points = kernel_points,
    .at = perlane_scalar_at,
};
#endif
