/* SPDX-License-Identifier: MIT
 *
 * x86's intrinsics, or SIMDe's emulation of them. Where clang stands in for MSVC, <immintrin.h>
 * leaves out what the compiler's flags do not allow everywhere, though target attributes may allow
 * it in some functions: there every header is included by its own name.
 */
#ifndef PERLANE_X86_H
#define PERLANE_X86_H

#include <stddef.h>
#include <stdint.h>

#ifdef PERLANE_EMULATED
#include <simde_avx512.h> /* tests/ */
#elif defined(__x86_64__) || defined(__i386__) || defined(_M_X64) || defined(_M_IX86)
#include <immintrin.h>
#endif

/* clang-format off */
#if defined(_MSC_VER) && defined(__clang__)
#include <tmmintrin.h>
#include <smmintrin.h>
#include <avxintrin.h>
#include <avx2intrin.h>
#include <avx512fintrin.h>
#include <avx512vlintrin.h>
#include <avx512bwintrin.h>
#include <avx512dqintrin.h>
#include <avx512vlbwintrin.h>
#include <avx512vldqintrin.h>
#endif
/* clang-format on */

#endif
