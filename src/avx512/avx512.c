/* SPDX-License-Identifier: MIT */
#include "../strict.h"

#include "../kernels.h"

#if defined(PERLANE_X86) || defined(PERLANE_EMULATED)
#ifdef PERLANE_EMULATED
#include "simde_avx512.h"
#else
#include <immintrin.h>
#include "../target.h"
PERLANE_TARGET_BEGIN("avx512f,avx512vl,avx512bw,avx512dq")
#endif

#include "lanes.h"
#include "../noise/kernels.h"

#ifndef PERLANE_EMULATED
PERLANE_TARGET_END
#endif

const struct perlane_kernels perlane_avx512_kernels = {
#ifdef PERLANE_EMULATED
    .name = "avx512 (simde)",
#else
    .name = "avx512",
#endif
    .isa = PERLANE_ISA_AVX512,
    .fill = kernel_fill,
    .points = kernel_points,
    .at = perlane_scalar_at,
};
#endif
