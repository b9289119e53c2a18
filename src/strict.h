/* SPDX-License-Identifier: MIT
 *
 * The floating-point arithmetic that perlane's bits rest on: IEEE single and double, each operation
 * rounded once to nearest even, nothing fused, reordered or flushed to zero. Every source file
 * includes this one first, before any other header, because pragmas apply only to what follows
 * them. perlane_selftest finds what no macro shows.
 */
#ifndef PERLANE_STRICT_H
#define PERLANE_STRICT_H

#ifdef __cplusplus
#error "perlane: compile this file as C; perlane.h and perlane.hpp are for C++"
#endif
#if defined(_MSC_VER) && !defined(__clang__) &&                                                    \
    (!defined(__STDC_VERSION__) || __STDC_VERSION__ < 201112L)
#error "perlane: compile this file with /std:c11"
#endif
#ifdef _M_FP_FAST
#error "perlane: /fp:fast changes results; compile this file with /fp:precise"
#endif
#ifdef __FAST_MATH__
#error "perlane: -ffast-math (or -Ofast) changes results; compile this file without it"
#endif
#if defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "perlane: compile without -fassociative-math, -freciprocal-math and -fno-signed-zeros"
#endif
#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ != 0
#error "perlane: -ffinite-math-only changes results; compile this file without it"
#endif

/* NEON of 32-bit ARM has no subnormal numbers. gcc computes nothing with it unless asked to. */
#if defined(__clang__) && defined(__arm__) && defined(__ARM_NEON)
#error "perlane: clang would use NEON, which flushes subnormal numbers; add -mfpu=vfpv3-d16"
#endif

/* Contraction: gcc in its gnu modes would fuse even _mm_add_ps(_mm_mul_ps()) when FMA is enabled.
 */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("fp-contract=off")
#ifdef __MINGW32__ /* whose gcc warns of the ABI of static functions */
#pragma GCC diagnostic ignored "-Wpsabi"
#endif
#elif defined(_MSC_VER) && !defined(__clang__)
#pragma float_control(precise, on)
#pragma fp_contract(off)
#else
/* clang has no macros for -freciprocal-math and the like, but switches them off where it has this
 * pragma. It comes first, because it switches contraction on. */
#if defined(__clang__) && (defined(__x86_64__) || defined(__i386__) || defined(__s390x__))
#pragma float_control(precise, on)
#endif
#pragma STDC FP_CONTRACT OFF
#endif

/* Before any header: MSVC's would have getenv and others replaced by functions of its own. */
#if defined(_MSC_VER) && !defined(_CRT_SECURE_NO_WARNINGS)
#define _CRT_SECURE_NO_WARNINGS
#endif

#include <float.h>
#include <limits.h>
#include <stdint.h>

#include "../include/perlane.h" /* refuses packed structures */

/* 16, gcc's value where the CPU has half precision, means the same as 0 for float.
 * MSVC need not define it: with SSE2, which it has unless told otherwise, it is 0. */
#if defined(_MSC_VER) && !defined(FLT_EVAL_METHOD)
#if defined(_M_IX86_FP) && _M_IX86_FP < 2
#error "perlane: float arithmetic must be evaluated in float; compile this file with /arch:SSE2"
#endif
#elif !defined(FLT_EVAL_METHOD) || (FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16)
#error "perlane: float arithmetic must be evaluated in float; on 32-bit x86 use -msse2 -mfpmath=sse"
#endif
_Static_assert(FLT_RADIX == 2 && FLT_MANT_DIG == 24 && DBL_MANT_DIG == 53, "IEEE float and double");
_Static_assert(CHAR_BIT == 8 && sizeof(float) == 4 && sizeof(double) == 8, "IEEE float and double");
_Static_assert(sizeof(1.0) == sizeof(double),
               "perlane: compile without -fsingle-precision-constant");

/* Keeps a function's arithmetic from being inlined across a change of the control word. Functions
 * begin at cache lines, so that the speed of their loops does not depend on the code before them:
 * the same code of a fill took a sixth longer 16 bytes further on. */
#ifdef _MSC_VER
#define PERLANE_NOINLINE __declspec(noinline)
#else
#define PERLANE_NOINLINE __attribute__((noinline, aligned(64)))
#endif

/* The control word (rounding mode, flush to zero, exception masks) is set to the default for the
 * duration of a call. Callers who run under the default pay for a read and a comparison. */
#if defined(__x86_64__) || defined(__SSE__) || defined(_M_X64) || defined(_M_IX86)
#include <xmmintrin.h>
#define PERLANE_FP_FLAGS 0x3Fu     /* sticky: bits 0 to 5 */
#define PERLANE_FP_DEFAULT 0x1F80u /* round to nearest, no flushing, all exceptions masked */
typedef uint32_t perlane_fp_state;

static inline perlane_fp_state perlane_fp_read(void) {
  return _mm_getcsr();
}

static inline void perlane_fp_write(perlane_fp_state word) {
  _mm_setcsr(word);
}

#elif defined(__aarch64__)
#define PERLANE_FP_FLAGS 0u   /* in a register of their own */
#define PERLANE_FP_DEFAULT 0u /* round to nearest, no flushing, no traps */
typedef uint64_t perlane_fp_state;

static inline perlane_fp_state perlane_fp_read(void) {
  uint64_t word;
  __asm__ volatile("mrs %0, fpcr" : "=r"(word) : : "memory");
  return word;
}

static inline void perlane_fp_write(perlane_fp_state word) {
  __asm__ volatile("msr fpcr, %0" : : "r"(word) : "memory");
}
#endif

#ifdef PERLANE_FP_DEFAULT
static inline perlane_fp_state perlane_fp_enter(void) {
  const perlane_fp_state caller = perlane_fp_read();
  if ((caller & ~(perlane_fp_state)PERLANE_FP_FLAGS) != PERLANE_FP_DEFAULT)
    perlane_fp_write(PERLANE_FP_DEFAULT);
  return caller;
}

static inline void perlane_fp_leave(perlane_fp_state caller) {
  if ((caller & ~(perlane_fp_state)PERLANE_FP_FLAGS) != PERLANE_FP_DEFAULT)
    perlane_fp_write(caller);
}

#elif defined(__wasm__) /* has one rounding mode, and neither flushing nor traps */
typedef int perlane_fp_state;

static inline perlane_fp_state perlane_fp_enter(void) {
  return 0;
}

static inline void perlane_fp_leave(perlane_fp_state caller) {
  (void)caller;
}

#else
#include <fenv.h>
typedef fenv_t perlane_fp_state;

static inline perlane_fp_state perlane_fp_enter(void) {
  fenv_t caller;
  fegetenv(&caller);
  fesetenv(FE_DFL_ENV);
  return caller;
}

static inline void perlane_fp_leave(perlane_fp_state caller) {
  fesetenv(&caller);
}
#endif

#endif
