/* SPDX-License-Identifier: MIT
 *
 * perlane in GLSL 4.5, or 3.2 of OpenGL ES: perlane_sample(i, j, k). Declare the words before it:
 *
 *   layout(std430, binding = 0) readonly buffer Words { uint perlane_words[]; };
 */
#define PERLANE_FN
#ifndef PERLANE_EXACT
#define PERLANE_EXACT precise
#endif
#define PERLANE_STRUCT(name) struct name {
#define PERLANE_END };
#define PERLANE_WORDS
#define PERLANE_PASS
#define PERLANE_WORD(i) perlane_words[i]
#define PERLANE_FLOAT_OF_BITS(u) uintBitsToFloat(u)
#define PERLANE_BITS_OF_FLOAT(f) floatBitsToUint(f)
#define PERLANE_FLOAT(u) float(u)
#define PERLANE_UINT(f) uint(f)
#define PERLANE_SELECT(condition, yes, no) ((condition) ? (yes) : (no))
#include "perlane_core.h"
#include "perlane_points.h"
