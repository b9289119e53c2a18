/* SPDX-License-Identifier: MIT
 *
 * perlane in Metal: perlane_column(words, i, j, k). Compile with -fno-fast-math, or with mathMode
 * safe (fastMathEnabled false) at run time.
 */
#include <metal_stdlib>
#ifdef __FAST_MATH__
#error "perlane: fast arithmetic changes results"
#endif
#pragma clang fp contract(off)
using metal::uint;
#define PERLANE_FN static inline
#define PERLANE_EXACT
#define PERLANE_STRUCT(name) struct name {
#define PERLANE_END };
#define PERLANE_WORDS device const uint *perlane_words,
#define PERLANE_PASS perlane_words,
#define PERLANE_PART(at) perlane_words + (at),
#define PERLANE_ENTRY PERLANE_WORDS
#define PERLANE_ENTER PERLANE_PASS
#define PERLANE_WORD(i) perlane_words[i]
#define PERLANE_FLOAT_OF_BITS(u) as_type<float>(u)
#define PERLANE_BITS_OF_FLOAT(f) as_type<uint>(f)
#define PERLANE_FLOAT(u) float(u)
#define PERLANE_UINT(f) uint(f)
#define PERLANE_ROOT(f) metal::sqrt(f)
#define PERLANE_SELECT(condition, yes, no) ((condition) ? (yes) : (no))
#include "perlane_core.h"
#include "perlane_points.h"
#include "perlane_cells.h"
#include "perlane_simplex.h"
#include "perlane_fields.h"
