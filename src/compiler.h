/* SPDX-License-Identifier: MIT
 *
 * What the lane kernels need from the compiler.
 */
#ifndef PERLANE_COMPILER_H
#define PERLANE_COMPILER_H

/* For functions that are specialised by constant arguments: see the end of noise/words.h. Without
 * optimization nothing is specialised, and a kernel would be all branches of all that it calls, as
 * often as it calls them: minutes and gigabytes for one instruction set, against seconds. */
#ifdef _MSC_VER
#define PERLANE_INLINE static __forceinline
#elif !defined(__OPTIMIZE__)
#define PERLANE_INLINE static inline
#else
#define PERLANE_INLINE static inline __attribute__((always_inline))
#endif

/* PERLANE_PREFETCH(address) fetches a cache line that is about to be written. The address is an
 * integer, for it may lie outside of the array. */
#if defined(__GNUC__)
/* NOLINTNEXTLINE(performance-no-int-to-ptr): nothing is read through it */
#define PERLANE_PREFETCH(address) __builtin_prefetch((const void *)(address), 1)
#elif defined(_M_X64) || defined(_M_IX86)
#define PERLANE_PREFETCH(address) _mm_prefetch((const char *)(address), _MM_HINT_T0)
#else
#define PERLANE_PREFETCH(address) ((void)(address))
#endif

/* PERLANE_ENSURE(condition) stops where it is untrue, in builds with assertions. (Not assert, which
 * prints: WebAssembly's modules have no such function.) */
#if defined(__GNUC__) && !defined(NDEBUG)
#define PERLANE_ENSURE(condition) ((condition) ? (void)0 : __builtin_trap())
#else
#define PERLANE_ENSURE(condition) ((void)sizeof(condition))
#endif

/* PERLANE_UNROLL before a loop over few rows: gcc keeps the arrays of such a loop in memory unless
 * it unrolls it, which at -O2 it does not by itself. */
#if defined(__GNUC__) && !defined(__clang__)
#define PERLANE_UNROLL _Pragma("GCC unroll 16")
#else
#define PERLANE_UNROLL
#endif

/* PERLANE_REORDER before a function: gcc orders instructions before it assigns registers, too, as
 * it does by itself on other machines than x86. Where a long loop has many independent parts, more
 * of them then overlap: without it points in 3D and 4D take 1.07 to 1.12 of the time. gcc's manual
 * does not recommend the attribute, as it sets a function's flags anew: tests/fusing.c shows that
 * it drops none that bits depend on. */
#if defined(__GNUC__) && !defined(__clang__) && (defined(__x86_64__) || defined(__i386__))
#define PERLANE_REORDER __attribute__((optimize("schedule-insns", "sched-pressure")))
#else
#define PERLANE_REORDER
#endif

/* PERLANE_TARGET_BEGIN("avx2") ... PERLANE_TARGET_END: functions between them may use that
 * instruction set, whatever the compiler's flags allow elsewhere. PERLANE_KEEP("+x", v) makes the
 * compiler keep v in a register of that class instead of loading it again. MSVC has neither: it
 * allows every instruction set everywhere. WebAssembly has no registers of classes. */
#define PERLANE_PRAGMA(text) _Pragma(#text)
#ifdef PERLANE_EMULATED
#define PERLANE_TARGET_BEGIN(isa)
#define PERLANE_TARGET_END
#define PERLANE_KEEP(constraint, v) ((void)(v))
#else
#if defined(__clang__)
#define PERLANE_TARGET_BEGIN(isa)                                                                  \
  PERLANE_PRAGMA(clang attribute push(__attribute__((target(isa))), apply_to = function))
#define PERLANE_TARGET_END _Pragma("clang attribute pop")
#elif defined(_MSC_VER)
#define PERLANE_TARGET_BEGIN(isa)
#define PERLANE_TARGET_END
#else
#define PERLANE_TARGET_BEGIN(isa) _Pragma("GCC push_options") PERLANE_PRAGMA(GCC target(isa))
#define PERLANE_TARGET_END _Pragma("GCC pop_options")
#endif
#if defined(_MSC_VER) || defined(__wasm__)
#define PERLANE_KEEP(constraint, v) ((void)(v))
#else
#define PERLANE_KEEP(constraint, v) __asm__("" : constraint(v))
#endif
#endif

#endif
