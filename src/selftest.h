/* SPDX-License-Identifier: MIT
 *
 * The digest of the self-test.
 */
#ifndef PERLANE_SELFTEST_H
#define PERLANE_SELFTEST_H

#include "kernels.h"

/* Continues a digest, from PERLANE_DIGEST_START on, with n values: FNV-1a over their words instead
 * of bytes, so that it does not depend on byte order. */
#define PERLANE_DIGEST_START UINT64_C(0xCBF29CE484222325)
uint64_t perlane_digest(uint64_t digest, const float *value, size_t n);

/* Returns the digest of the self-test's fields as these kernels compute them:
 * PERLANE_SELFTEST_DIGEST if all bits are right, also of the fields that came later, whose digest
 * is compared with theirs. */
uint64_t perlane_kernels_digest(const struct perlane_kernels *kernels);

#endif
