/* SPDX-License-Identifier: MIT
 *
 * perlane in HLSL, shader model 5.0: perlane_column(i, j, k). Declare the words before it:
 *
 *   StructuredBuffer<uint> perlane_words : register(t0);
 */
#define PERLANE_FN
#ifndef PERLANE_EXACT
#define PERLANE_EXACT precise
#endif
#define PERLANE_STRUCT(name) struct name {
#define PERLANE_END };
#define PERLANE_WORDS uint perlane_begin,
#define PERLANE_PASS perlane_begin,
#define PERLANE_PART(at) perlane_begin + (at),
#define PERLANE_ENTRY
#define PERLANE_ENTER 0u,
#define PERLANE_WORD(i) perlane_words[perlane_begin + (i)]
#define PERLANE_FLOAT_OF_BITS(u) asfloat(u)
#define PERLANE_BITS_OF_FLOAT(f) asuint(f)
#define PERLANE_FLOAT(u) float(u)
#define PERLANE_UINT(f) uint(f)
#define PERLANE_ROOT(f) sqrt(f)
#define PERLANE_SELECT(condition, yes, no) ((condition) ? (yes) : (no))
#include "perlane_core.h"
#include "perlane_points.h"
#include "perlane_cells.h"
#include "perlane_simplex.h"
#include "perlane_fields.h"
