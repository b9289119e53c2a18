/* SPDX-License-Identifier: MIT
 *
 * The scalar reference's own functions (its hash, its combination of corners), for tests that look
 * inside it. A copy: the library's table stays what it is.
 */
#ifndef PERLANE_TESTS_REFERENCE_H
#define PERLANE_TESTS_REFERENCE_H

#include "../src/strict.h"

#include "../src/kernels.h"

#define perlane_scalar_kernels copy_of_scalar_kernels
#define perlane_scalar_at copy_of_scalar_at
#include "../src/scalar/scalar.c"
#undef perlane_scalar_kernels
#undef perlane_scalar_at

#endif
