/* SPDX-License-Identifier: MIT
 *
 * Which kernels run: one table per instruction set, one atomic pointer to the current table.
 */
#include "strict.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "kernels.h"

#ifdef PERLANE_X86
#include <cpuid.h>
#endif

static _Atomic(const struct perlane_kernels *) current;

static const struct perlane_kernels *const TABLES[PERLANE_ISA_COUNT] = {
    [PERLANE_ISA_SCALAR] = &perlane_scalar_kernels,
#ifdef PERLANE_X86
    [PERLANE_ISA_SSE41] = &perlane_sse41_kernels,   [PERLANE_ISA_AVX2] = &perlane_avx2_kernels,
    [PERLANE_ISA_AVX512] = &perlane_avx512_kernels,
#endif
#ifdef PERLANE_AARCH64
    [PERLANE_ISA_NEON] = &perlane_neon_kernels,
#endif
};

perlane_isa perlane_x86_level(uint32_t leaf1_ecx, uint32_t leaf7_ebx, uint64_t xcr0) {
  const uint32_t ssse3 = 1u << 9, sse41 = 1u << 19, osxsave = 1u << 27, avx = 1u << 28;
  const uint32_t avx2 = 1u << 5,
                 avx512 = 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31; /* F DQ BW VL */
  /* What the operating system saves: XMM and YMM registers; masks and all of ZMM too. */
  const uint64_t ymm_state = 0x6, zmm_state = 0xE6;
  if ((leaf1_ecx & (ssse3 | sse41)) != (ssse3 | sse41))
    return PERLANE_ISA_SCALAR;
  if ((leaf1_ecx & (osxsave | avx)) != (osxsave | avx) || (xcr0 & ymm_state) != ymm_state ||
      !(leaf7_ebx & avx2))
    return PERLANE_ISA_SSE41;
  if ((leaf7_ebx & avx512) != avx512 || (xcr0 & zmm_state) != zmm_state)
    return PERLANE_ISA_AVX2;
  return PERLANE_ISA_AVX512;
}

/* The best instruction set of this CPU and operating system. */
static perlane_isa detect(void) {
#if defined(PERLANE_X86)
  uint32_t eax, ebx, ecx, edx, leaf7_ebx = 0, leaf1_ecx = 0;
  uint64_t xcr0 = 0;
  if (!__get_cpuid(1, &eax, &ebx, &leaf1_ecx, &edx))
    return PERLANE_ISA_SCALAR;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx))
    leaf7_ebx = ebx;
  if (leaf1_ecx & 1u << 27) { /* OSXSAVE: without it XGETBV is an illegal instruction */
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    xcr0 = (uint64_t)high << 32 | low;
  }
  return perlane_x86_level(leaf1_ecx, leaf7_ebx, xcr0);
#elif defined(PERLANE_AARCH64)
  return PERLANE_ISA_NEON;
#else
  return PERLANE_ISA_SCALAR;
#endif
}

int perlane_isa_built_in(perlane_isa isa) {
  return isa == PERLANE_ISA_AUTO || ((unsigned)isa < PERLANE_ISA_COUNT && TABLES[isa] != NULL);
}

int perlane_isa_supported(perlane_isa isa) {
  /* The levels of one architecture follow each other in the enum, and a build has only one
   * architecture's: what is built in and not above the best is supported. */
  return perlane_isa_built_in(isa) && isa <= detect();
}

const struct perlane_kernels *perlane_kernels_for(perlane_isa isa) {
  return isa != PERLANE_ISA_AUTO && perlane_isa_supported(isa) ? TABLES[isa] : NULL;
}

static const struct perlane_kernels *choose(void) {
  const char *wish = getenv("PERLANE_ISA");
  const struct perlane_kernels *wished =
      wish ? perlane_kernels_for(perlane_isa_from_name(wish)) : NULL;
  return wished ? wished : TABLES[detect()];
}

const struct perlane_kernels *perlane_kernels_current(void) {
  const struct perlane_kernels *table = atomic_load_explicit(&current, memory_order_acquire);
  if (table)
    return table;
  /* Threads that race here choose the same table; one that was forced meanwhile wins. */
  const struct perlane_kernels *chosen = choose();
  if (atomic_compare_exchange_strong(&current, &table, chosen))
    return chosen;
  return table;
}

perlane_isa perlane_isa_current(void) {
  return perlane_kernels_current()->isa;
}

perlane_status perlane_force_isa(perlane_isa isa) {
  const struct perlane_kernels *table =
      isa == PERLANE_ISA_AUTO ? choose() : perlane_kernels_for(isa);
  if (!table)
    return PERLANE_ERROR_ISA;
  atomic_store_explicit(&current, table, memory_order_release);
  return PERLANE_OK;
}

static const char *const NAMES[PERLANE_ISA_COUNT] = {
    [PERLANE_ISA_AUTO] = "auto", [PERLANE_ISA_SCALAR] = "scalar", [PERLANE_ISA_SSE41] = "sse4.1",
    [PERLANE_ISA_AVX2] = "avx2", [PERLANE_ISA_AVX512] = "avx512", [PERLANE_ISA_NEON] = "neon",
};

const char *perlane_isa_name(perlane_isa isa) {
  return (unsigned)isa < PERLANE_ISA_COUNT ? NAMES[isa] : "unknown";
}

/* Equal but for the case of letters and for dots. ASCII only: the locale has no say. */
static int same_name(const char *a, const char *b) {
  for (;; a++, b++) {
    while (*a == '.')
      a++;
    while (*b == '.')
      b++;
    const char lower_a = *a >= 'A' && *a <= 'Z' ? (char)(*a + 32) : *a;
    const char lower_b = *b >= 'A' && *b <= 'Z' ? (char)(*b + 32) : *b;
    if (lower_a != lower_b)
      return 0;
    if (*a == '\0')
      return 1;
  }
}

perlane_isa perlane_isa_from_name(const char *name) {
  if (name)
    for (int isa = 0; isa < PERLANE_ISA_COUNT; isa++)
      if (same_name(name, NAMES[isa]))
        return (perlane_isa)isa;
  return PERLANE_ISA_COUNT;
}
