/* SPDX-License-Identifier: MIT
 *
 * perlane in OpenCL C 1.2: perlane_column(words, i, j, k). Build it without -cl-fast-relaxed-math
 * and the options that it implies.
 */
#ifdef __FAST_RELAXED_MATH__
#error "perlane: -cl-fast-relaxed-math changes results"
#endif
#pragma OPENCL FP_CONTRACT OFF
#define PERLANE_FN static inline
#define PERLANE_EXACT
#define PERLANE_STRUCT(name) typedef struct name name; struct name {
#define PERLANE_END };
#define PERLANE_WORDS __global const uint *perlane_words,
#define PERLANE_PASS perlane_words,
#define PERLANE_PART(at) perlane_words + (at),
#define PERLANE_ENTRY PERLANE_WORDS
#define PERLANE_ENTER PERLANE_PASS
#define PERLANE_WORD(i) perlane_words[i]
#define PERLANE_FLOAT_OF_BITS(u) as_float(u)
#define PERLANE_BITS_OF_FLOAT(f) as_uint(f)
#define PERLANE_FLOAT(u) ((float)(u))
#define PERLANE_UINT(f) ((uint)(f))
#define PERLANE_ROOT(f) sqrt(f)
#define PERLANE_SELECT(condition, yes, no) ((condition) ? (yes) : (no))
#include "perlane_core.h"
#include "perlane_points.h"
#include "perlane_cells.h"
#include "perlane_simplex.h"
#include "perlane_fields.h"
