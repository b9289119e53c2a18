/* SPDX-License-Identifier: MIT
 *
 * For clang's <intrin.h>, which declares functions that nobody calls. */
#ifndef SETJMP_H
#define SETJMP_H

typedef long long jmp_buf[32];

#endif
