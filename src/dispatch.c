/* SPDX-License-Identifier: MIT
 *
 * Which kernels run: one table per instruction set, one atomic pointer to the current table.
 */
#include "strict.h"

#if defined(__wasm__) && !defined(__wasi__) && !defined(__EMSCRIPTEN__)
#define getenv(name) NULL /* WebAssembly by itself has no environment */
#else
#include <stdlib.h>
#endif

#include "compiler.h"
#include "dispatch.h"

#ifdef _MSC_VER
#include <intrin.h>
#elif defined(PERLANE_X86)
#include <cpuid.h>
#endif

/* ---- Tables, from the list in isa.h ---- */

#define DEFINE_TABLE(id, ID, name, ...)                                                            \
  PERLANE_IF_BUILT(ID, static const struct perlane_kernels id##_kernels =                          \
                           PERLANE_KERNELS(id, ID, name);)
#define TABLE(id, ID, ...) PERLANE_IF_BUILT(ID, [PERLANE_ISA_##ID] = &id##_kernels, )
#define NAME(id, ID, name, ...) [PERLANE_ISA_##ID] = (name),
#define COUNT(id, ...) COUNT_TO_##id,
#define NEEDS(id, ID, name, ...) [PERLANE_ISA_##ID] = {__VA_ARGS__},

enum { PERLANE_LANES(COUNT, COUNT, COUNT, COUNT) LANES_COUNT };
_Static_assert(2 + LANES_COUNT == PERLANE_ISA_COUNT,
               "perlane_isa has auto, scalar, and the instruction sets of isa.h");
PERLANE_NATIVE_LANES(DEFINE_TABLE)

/* The sets of this build that every CPU of the machine has. */
#define SURE(id, ID, name, ecx, ebx, ...) PERLANE_IF_BUILT(ID, +((ecx) == 0 && (ebx) == 0))
/* clang-format off */
static const struct perlane_kernels *const TABLES[PERLANE_ISA_COUNT] = {
  PERLANE_IF_BUILT(SCALAR, [PERLANE_ISA_SCALAR] = &perlane_scalar_kernels, )
  PERLANE_NATIVE_LANES(TABLE)
};
static const char *const NAMES[PERLANE_ISA_COUNT] = {
  [PERLANE_ISA_AUTO] = "auto", [PERLANE_ISA_SCALAR] = "scalar",
  PERLANE_LANES(NAME, NAME, NAME, NAME)
};

/* Features that an x86 CPU has, or that an instruction set needs. */
struct x86_bits {
  uint32_t leaf1_ecx, leaf7_ebx;
  uint64_t xcr0; /* registers that the operating system saves */
};
#define CPU_SSE41 (1u << 9 | 1u << 19)                         /* SSSE3, SSE4.1 */
#define CPU_AVX (1u << 27 | 1u << 28)                          /* OSXSAVE, AVX */
#define CPU_AVX2 (1u << 5)
#define CPU_AVX512 (1u << 16 | 1u << 17 | 1u << 30 | 1u << 31) /* F, DQ, BW, VL */
#define XCR0_YMM 0x6                                           /* XMM and YMM */
#define XCR0_ZMM 0xE6                                          /* masks and all of ZMM, too */
enum { SURE_SETS = 0 PERLANE_IF_BUILT(SCALAR, +1) PERLANE_NATIVE_LANES(SURE) };
_Static_assert(SURE_SETS > 0, "perlane: a CPU may have none of the instruction sets of this build; "
                              "build it without PERLANE_NO_SCALAR");
static const struct x86_bits X86_NEEDS[PERLANE_ISA_COUNT] = {
  PERLANE_LANES(NEEDS, PERLANE_NONE, PERLANE_NONE, PERLANE_NONE)
};
/* clang-format on */

/* ---- Detection ---- */

static int has_isa(struct x86_bits cpu, perlane_isa isa) {
  const struct x86_bits needs = X86_NEEDS[isa];
  return (cpu.leaf1_ecx & needs.leaf1_ecx) == needs.leaf1_ecx &&
         (cpu.leaf7_ebx & needs.leaf7_ebx) == needs.leaf7_ebx &&
         (cpu.xcr0 & needs.xcr0) == needs.xcr0;
}

#define PREFER(id, ID, ...) best = has_isa(cpu, PERLANE_ISA_##ID) ? PERLANE_ISA_##ID : best;
#define PREFER_BUILT(id, ID, ...) PERLANE_IF_BUILT(ID, PREFER(id, ID, ))

perlane_isa perlane_x86_level(uint32_t leaf1_ecx, uint32_t leaf7_ebx, uint64_t xcr0) {
  const struct x86_bits cpu = {leaf1_ecx, leaf7_ebx, xcr0};
  perlane_isa best = PERLANE_ISA_SCALAR;
  PERLANE_LANES(PREFER, PERLANE_NONE, PERLANE_NONE, PERLANE_NONE)
  return best;
}

#ifdef PERLANE_X86
/* Stores eax, ebx, ecx and edx of a leaf of CPUID, and returns whether the CPU has the leaf. */
static int read_cpuid(uint32_t leaf, uint32_t word[4]) {
#ifdef _MSC_VER
  int highest[4], stored[4];
  __cpuid(highest, 0);
  __cpuidex(stored, (int)leaf, 0);
  for (int i = 0; i < 4; i++)
    word[i] = (uint32_t)stored[i];
  return (uint32_t)highest[0] >= leaf;
#else
  return __get_cpuid_count(leaf, 0, &word[0], &word[1], &word[2], &word[3]);
#endif
}

PERLANE_TARGET_BEGIN("xsave")
static uint64_t read_xcr0(void) {
#ifdef _MSC_VER
  return _xgetbv(0);
#else
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (uint64_t)high << 32 | low;
#endif
}
PERLANE_TARGET_END
#endif

static struct x86_bits this_cpu(void) {
  struct x86_bits cpu = {0, 0, 0};
#ifdef PERLANE_X86
  uint32_t word[4];
  if (read_cpuid(1, word))
    cpu.leaf1_ecx = word[2];
  if (read_cpuid(7, word))
    cpu.leaf7_ebx = word[1];
  if (cpu.leaf1_ecx & 1u << 27) /* without OSXSAVE, XGETBV is an illegal instruction */
    cpu.xcr0 = read_xcr0();
#endif
  return cpu;
}

static perlane_isa best_isa(void) {
  const struct x86_bits cpu = this_cpu();
  perlane_isa best = PERLANE_ISA_SCALAR;
  PERLANE_NATIVE_LANES(PREFER_BUILT)
  (void)cpu;
  return best;
}

int perlane_isa_built_in(perlane_isa isa) {
  return isa == PERLANE_ISA_AUTO || ((unsigned)isa < PERLANE_ISA_COUNT && TABLES[isa] != NULL);
}

int perlane_isa_supported(perlane_isa isa) {
  return perlane_isa_built_in(isa) && has_isa(this_cpu(), isa);
}

/* ---- Choice ---- */

#ifdef _MSC_VER
const struct perlane_kernels *volatile perlane_kernels_in_use;
#else
_Atomic(const struct perlane_kernels *) perlane_kernels_in_use;
#endif

const struct perlane_kernels *perlane_kernels_for(perlane_isa isa) {
  return isa != PERLANE_ISA_AUTO && perlane_isa_supported(isa) ? TABLES[isa] : NULL;
}

static const struct perlane_kernels *choose(void) {
  const char *wish = getenv("PERLANE_ISA");
  const struct perlane_kernels *wished =
      wish ? perlane_kernels_for(perlane_isa_from_name(wish)) : NULL;
  return wished ? wished : TABLES[best_isa()];
}

/* Threads that race here choose the same table; one that was forced meanwhile wins. */
const struct perlane_kernels *perlane_choose_kernels(void) {
  const struct perlane_kernels *before = NULL, *const chosen = choose();
#ifdef _MSC_VER
  before = _InterlockedCompareExchangePointer((void *volatile *)&perlane_kernels_in_use,
                                              (void *)chosen, NULL);
#else
  atomic_compare_exchange_strong(&perlane_kernels_in_use, &before, chosen);
#endif
  return before ? before : chosen;
}

perlane_isa perlane_isa_current(void) {
  return perlane_kernels_current()->isa;
}

perlane_status perlane_force_isa(perlane_isa isa) {
  const struct perlane_kernels *table =
      isa == PERLANE_ISA_AUTO ? choose() : perlane_kernels_for(isa);
  if (!table)
    return PERLANE_ERROR_ISA;
  perlane_kernels_in_use = table;
  return PERLANE_OK;
}

/* ---- Names ---- */

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
