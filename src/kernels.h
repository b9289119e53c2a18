/* SPDX-License-Identifier: MIT
 *
 * What the kernels of one instruction set offer, and which sets this build has.
 */
#ifndef PERLANE_KERNELS_H
#define PERLANE_KERNELS_H

#include "perlane.h"

/* What a fill writes, and where. */
struct perlane_output {
  enum { PERLANE_FLOAT, PERLANE_U16, PERLANE_U8 } format;
  void *value;        /* of that format; NULL for none, with gradients only */
  float low, scale;   /* integers: (value - low) * scale */
  float *gradient[4]; /* one for each axis, or all NULL; with PERLANE_FLOAT only */
  float *extremes;    /* receives the smallest and the largest value; NULL for neither, and with
                         integers or gradients */
};

/* All arguments have been checked. `grid` comes complete: axes beyond dims have count 1, and every
 * stride is the real one. The caller has set the floating-point control word. gradient is NULL
 * where none is wanted; then out is not NULL. */
struct perlane_kernels {
  const char *name;
  perlane_isa isa;
  void (*fill)(const perlane_noise *noise, const perlane_grid *grid,
               const struct perlane_output *output);
  void (*points)(const perlane_noise *noise, int dims, size_t n, const float *const *coords,
                 float *out, float *const *gradient);
  float (*at)(const perlane_noise *noise, int dims, const double *position, float *gradient);
};

extern const struct perlane_kernels perlane_scalar_kernels;
float perlane_scalar_at(const perlane_noise *noise, int dims, const double *position,
                        float *gradient);

#if defined(__x86_64__) || defined(__i386__)
#define PERLANE_X86 1
extern const struct perlane_kernels perlane_sse41_kernels;
extern const struct perlane_kernels perlane_avx2_kernels;
extern const struct perlane_kernels perlane_avx512_kernels;
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define PERLANE_AARCH64 1
extern const struct perlane_kernels perlane_neon_kernels;
#endif

/* The table that every call goes through: chosen on first use (dispatch.c). */
const struct perlane_kernels *perlane_kernels_current(void);

/* The table of an instruction set, or NULL if this build or this CPU does not have it. */
const struct perlane_kernels *perlane_kernels_for(perlane_isa isa);

/* Continues a digest, from PERLANE_DIGEST_START on, with n values: FNV-1a over their words instead
 * of bytes, so that it does not depend on byte order (selftest.c). */
#define PERLANE_DIGEST_START UINT64_C(0xCBF29CE484222325)
uint64_t perlane_digest(uint64_t digest, const float *value, size_t n);

/* The digest of the self-test's fields as these kernels compute them (selftest.c). */
uint64_t perlane_kernels_digest(const struct perlane_kernels *kernels);

/* The best x86 level that CPUID and XCR0 allow: leaf 1's ecx, leaf 7's ebx, XCR0 (0 if the
 * operating system has not enabled XGETBV). */
perlane_isa perlane_x86_level(uint32_t leaf1_ecx, uint32_t leaf7_ebx, uint64_t xcr0);

#endif
