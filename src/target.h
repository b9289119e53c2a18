/* SPDX-License-Identifier: MIT
 *
 * PERLANE_TARGET_BEGIN("avx2") ... PERLANE_TARGET_END: functions between them may use that
 * instruction set, whatever the compiler's flags allow elsewhere.
 */
#ifndef PERLANE_TARGET_H
#define PERLANE_TARGET_H

#define PERLANE_PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define PERLANE_TARGET_BEGIN(isa)                                                                  \
  PERLANE_PRAGMA(clang attribute push(__attribute__((target(isa))), apply_to = function))
#define PERLANE_TARGET_END _Pragma("clang attribute pop")
#else
#define PERLANE_TARGET_BEGIN(isa) _Pragma("GCC push_options") PERLANE_PRAGMA(GCC target(isa))
#define PERLANE_TARGET_END _Pragma("GCC pop_options")
#endif

#endif
