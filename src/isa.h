/* SPDX-License-Identifier: MIT
 *
 * The instruction sets that have lane kernels.
 *
 * PERLANE_LANES is the only list of them. CMakeLists.txt and scripts read it as text: one entry,
 * one line. To add one: docs/internals/architecture.md.
 */
#ifndef PERLANE_ISA_H
#define PERLANE_ISA_H

/* MACHINE(ID, perlane_isa without its prefix, name, and of x86 the bits that must be set in CPUID
 * leaf 1's ecx, in leaf 7's ebx, and in XCR0). A machine's sets come in the order of preference,
 * the best last. */
/* clang-format off */
#define PERLANE_LANES(X86, AARCH64, WASM, OTHER)                                                   \
  X86(sse, SSE41, "sse4.1", CPU_SSE41, 0, 0)                                                       \
  X86(avx2, AVX2, "avx2", CPU_SSE41 | CPU_AVX, CPU_AVX2, XCR0_YMM)                                 \
  X86(avx512, AVX512, "avx512", CPU_SSE41 | CPU_AVX, CPU_AVX2 | CPU_AVX512, XCR0_ZMM)              \
  AARCH64(neon, NEON, "neon", 0, 0, 0)                                                             \
  WASM(simd128, SIMD128, "simd128", 0, 0, 0)                                                       \
  OTHER(portable, PORTABLE, "portable", 0, 0, 0)
/* clang-format on */
#define PERLANE_NONE(...)

/* The sets of this machine, and those of others that tests run here: all but WebAssembly's, of
 * which SIMDe, which emulates the rest, has only a part. */
#if defined(__x86_64__) || defined(__i386__) || defined(_M_X64) || defined(_M_IX86)
#define PERLANE_X86 1
#define PERLANE_NATIVE_LANES(X) PERLANE_LANES(X, PERLANE_NONE, PERLANE_NONE, PERLANE_NONE)
#define PERLANE_FOREIGN_LANES(X) PERLANE_LANES(PERLANE_NONE, X, PERLANE_NONE, X)
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define PERLANE_AARCH64 1
#define PERLANE_NATIVE_LANES(X) PERLANE_LANES(PERLANE_NONE, X, PERLANE_NONE, PERLANE_NONE)
#define PERLANE_FOREIGN_LANES(X) PERLANE_LANES(X, PERLANE_NONE, PERLANE_NONE, X)
#elif defined(__wasm__)
#define PERLANE_WASM 1
#define PERLANE_NATIVE_LANES(X) PERLANE_LANES(PERLANE_NONE, PERLANE_NONE, X, PERLANE_NONE)
#define PERLANE_FOREIGN_LANES(X) PERLANE_LANES(X, X, PERLANE_NONE, X)
/* A module with any SIMD128 instruction is refused by engines that lack them: -msimd128 decides. */
#if !defined(__wasm_simd128__) && !defined(PERLANE_NO_SIMD128)
#define PERLANE_NO_SIMD128 1
#endif
#elif defined(__GNUC__)
#define PERLANE_OTHER 1
#define PERLANE_NATIVE_LANES(X) PERLANE_LANES(PERLANE_NONE, PERLANE_NONE, PERLANE_NONE, X)
#define PERLANE_FOREIGN_LANES(X) PERLANE_LANES(X, X, PERLANE_NONE, PERLANE_NONE)
#else
#define PERLANE_NATIVE_LANES(X)                                                                    \
  PERLANE_LANES(PERLANE_NONE, PERLANE_NONE, PERLANE_NONE, PERLANE_NONE)
#define PERLANE_FOREIGN_LANES(X) PERLANE_NATIVE_LANES(X)
#endif

/* Defining PERLANE_NO_SSE41, PERLANE_NO_AVX2 and so on, as 1 or as nothing, leaves an instruction
 * set out of the build. PERLANE_IF_BUILT(AVX2, text) is then nothing, and the text otherwise. */
#define PERLANE_IF_BUILT(ID, ...) PERLANE_FILTER(PERLANE_NO_##ID)(__VA_ARGS__)
#define PERLANE_FILTER(macro) PERLANE_FILTER_OF(macro)
#define PERLANE_FILTER_OF(value) PERLANE_SECOND(PERLANE_##value##_DROPS, PERLANE_ALL, )
#define PERLANE_SECOND(...) PERLANE_SECOND_OF(__VA_ARGS__)
#define PERLANE_SECOND_OF(first, second, ...) second
#define PERLANE__DROPS , PERLANE_NONE
#define PERLANE_1_DROPS , PERLANE_NONE
#define PERLANE_ALL(...) __VA_ARGS__

#endif
