/* SPDX-License-Identifier: MIT */
#include "../strict.h"

#include "../kernels.h"

#if defined(PERLANE_X86) || defined(PERLANE_EMULATED)
#ifdef PERLANE_EMULATED
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx2.h>
#else
#include <immintrin.h>
#include "../target.h"
PERLANE_TARGET_BEGIN("avx2")
#endif

#include "lanes.h"
#include "../noise/kernels.h"

#ifndef PERLANE_EMULATED
PERLANE_TARGET_END
#endif

const struct perlane_kernels perlane_avx2_kernels = {
#ifdef PERLANE_EMULATED
    .name = "avx2 (simde)",
#else
    .name = "avx2",
#endif
    .isa = PERLANE_ISA_AVX2,
    .fill = kernel_fill,
    .points = kernel_points,
    .at = perlane_scalar_at,
};
#endif
