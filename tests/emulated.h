/* SPDX-License-Identifier: MIT */
#ifndef EMULATED_H
#define EMULATED_H

#include "../src/strict.h"

#include "../src/kernels.h"

/* The kernels that tests/emulated.cmake builds through SIMDe. */
extern const struct perlane_kernels emulated_kernels[];
extern const size_t emulated_count;

#endif
