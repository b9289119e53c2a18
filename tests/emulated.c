/* SPDX-License-Identifier: MIT */
#include "emulated.h"

#define TABLE(id, ID, name, ...) PERLANE_IF_BUILT(ID, PERLANE_KERNELS(id, ID, name " (emulated)"), )

/* clang-format off */
const struct perlane_kernels emulated_kernels[] = {
  PERLANE_FOREIGN_LANES(TABLE)
#ifdef PERLANE_X86 /* AVX-512, too: many x86 CPUs do not have it */
  TABLE(avx512, AVX512, "avx512")
#endif
};
/* clang-format on */
const size_t emulated_count = sizeof emulated_kernels / sizeof emulated_kernels[0];
