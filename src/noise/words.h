/* SPDX-License-Identifier: MIT
 *
 * The lane words: the vocabulary of src/noise/, and the contract that each instruction set's
 * lanes.h keeps. The compiler checks each word below. Where no
 * lanes.h has been included, as in a look at one header alone, this machine's simplest is.
 */
#ifndef PERLANE_NOISE_WORDS_H
#define PERLANE_NOISE_WORDS_H

#include "../strict.h"

#include <string.h>

#include "../compiler.h"
#include "../kernels.h"

#ifndef LANES
#ifdef PERLANE_X86
#include "../sse/lanes.h"
#elif defined(PERLANE_AARCH64)
#include "../neon/lanes.h"
#elif defined(PERLANE_WASM)
#include "../simd128/lanes.h"
#elif defined(PERLANE_OTHER)
#include "../portable/lanes.h"
#else
#error "perlane: this machine has no lanes.h"
#endif
#endif

/* clang-format off */
/* Macros of lanes.h:
 *   LANES                    entries of each type, 16 at most
 *   ROWS_TOGETHER            sample rows emitted in one pass: as many as the registers hold, with
 *                            three vectors for each and four that they share
 *   LANES_BEGIN, LANES_END   enclose functions that may use the instruction set
 *   EDGES_APART              1 if the edges of 3D points at lower and upper y are better evaluated in
 *                            two loops, 0 if in one
 *   STREAMS                  1 if large outputs are stored by f_stream, 0 if as others
 *   f_keep(v)                statement: keeps v in a register instead of loading it again
 *   i_shift_left(v, n), i_shift_right(v, n)
 *                            logical shifts by a constant
 *   i_index16(m, at)         what f_table16 looks up by the bits at .. at + 3 of words
 *
 * Types: vf holds floats, vi 32-bit words, vd doubles; vtable16 and vtable8 are tables of 16 and of
 * 8 floats. A mask is a vi with each word all ones or all zeros. Pointers need no alignment
 * unless said. */
/* clang-format on */
_Static_assert(LANES >= 4 && LANES <= 16 && (LANES & (LANES - 1)) == 0, "LANES");
_Static_assert(ROWS_TOGETHER >= 2 && ROWS_TOGETHER <= 4, "ROWS_TOGETHER");
_Static_assert(sizeof(vf) == 4 * LANES && sizeof(vi) == 4 * LANES && sizeof(vd) == 8 * LANES,
               "vectors have LANES entries");

/* Fails to compile unless `name` is a function of this type. `parameters` has its parentheses. */
#define WORD(result, name, parameters) /* NOLINTNEXTLINE(bugprone-macro-parentheses) */            \
  _Static_assert(_Generic(&(name), result(*) parameters : 1, default : 0), #name " in lanes.h")

/* A whole vector. */
WORD(vf, f_load, (const float *from));
WORD(vi, i_load, (const uint32_t *from));
/* A whole vector from memory aligned to 16 bytes: SSE4.1 loads it as part of other instructions. */
WORD(vf, f_load_aligned, (const float *from));
WORD(vi, i_load_aligned, (const uint32_t *from));
WORD(void, f_store, (float *to, vf v));
WORD(void, i_store, (uint32_t * to, vi v));
/* The first n lanes only, 0 < n < LANES. */
WORD(void, f_store_some, (float *to, vf v, size_t n));
/* Bypasses the caches where the machine can; `to` is aligned to the vector. stream_fence orders
 * such stores before whatever tells another thread of them. */
WORD(void, f_stream, (float *to, vf v));
WORD(void, stream_fence, (void));
/* Signed words as 2 * LANES integers of 16 or 8 bits, saturated. */
WORD(void, u16_store, (uint16_t * to, vi a, vi b));
WORD(void, u8_store, (uint8_t * to, vi a, vi b));

/* One value in every lane; the numbers 0, 1, 2, ... */
WORD(vf, f_set, (float v));
WORD(vi, i_set, (uint32_t v));
WORD(vd, d_set, (double v));
WORD(vd, d_load, (const double *from));
WORD(vd, d_load_floats, (const float *from));
/* d_store may store lanes in another order; d_reload loads what it stored. Memory is aligned to 16
 * bytes. */
WORD(void, d_store, (double *to, vd v));
WORD(vd, d_reload, (const double *from));
WORD(vd, d_lane_number, (void));

/* IEEE arithmetic, rounded once. */
WORD(vf, f_add, (vf a, vf b));
WORD(vf, f_sub, (vf a, vf b));
WORD(vf, f_mul, (vf a, vf b));
WORD(vf, f_div, (vf a, vf b));
WORD(vf, f_sqrt, (vf v));
WORD(vd, d_add, (vd a, vd b));
WORD(vd, d_sub, (vd a, vd b));
WORD(vd, d_mul, (vd a, vd b));
WORD(vd, d_div, (vd a, vd b));
/* Not of NaN; of zeros, either. */
WORD(vf, f_min, (vf a, vf b));
WORD(vf, f_max, (vf a, vf b));
/* The largest whole number not above v; the nearest one, ties to even. */
WORD(vf, f_floor, (vf v));
WORD(vd, d_floor, (vd v));
WORD(vd, d_round, (vd v));
/* The mask of a <= b, which is false for NaN. */
WORD(vi, f_not_above, (vf a, vf b));
/* Selects yes where a < b, else no. Not of NaN. */
WORD(vf, f_select_below, (vf a, vf b, vf yes, vf no));

/* Words are signed here. Rounded to nearest, ties to even, where not exact. */
WORD(vf, f_from_i, (vi v));
WORD(vi, i_from_f, (vf v));
/* The sum of doubles' bits as words of 64 bits. */
WORD(vd, d_add_words, (vd a, vd b));
/* Splits the bits of doubles: *fraction receives the lower 24 times 2^-24, *cell the next 32. Of
 * multiples of 2^-24 from 2^28 to below 2^29 *cell is the whole part plus 0xA0000000. */
WORD(void, d_split, (vd v, vi *cell, vf *fraction));
WORD(vi, i_from_d, (vd v));
WORD(vf, f_from_d, (vd v));
/* A vector's bits as the other type. */
WORD(vf, f_bits, (vi v));
WORD(vi, i_bits, (vf v));

/* Modulo 2^32; bitwise; the mask of equal words. */
WORD(vi, i_add, (vi a, vi b));
WORD(vi, i_sub, (vi a, vi b));
WORD(vi, i_mul, (vi a, vi b));
WORD(vi, i_and, (vi a, vi b));
WORD(vi, i_or, (vi a, vi b));
WORD(vi, i_xor, (vi a, vi b));
WORD(vi, i_equal, (vi a, vi b));
WORD(vi, i_max_unsigned, (vi a, vi b));
WORD(vi, i_select, (vi mask, vi yes, vi no));
/* Whether every word of a mask is all ones. */
WORD(int, i_all, (vi mask));
/* The sum of the products of the lower and of the upper signed halves. */
WORD(vi, i_dot16, (vi a, vi b));

/* table16 takes the top bytes of floats whose other bytes are 0. */
WORD(vtable16, table16, (const uint8_t bytes[16]));
WORD(vf, f_table16, (vtable16 table, vi index));
/* Tables of 8 floats whose lower 16 bits are zero, looked up by bits 13 to 15 of words. */
WORD(vtable8, table8, (const float entry[8]));
WORD(vi, i_index8, (vi m));
WORD(vf, f_table8, (vtable8 table, vi index));
/* from[index], for indices below LANES of which i_pick made `pick`. */
WORD(vi, i_pick, (vi index));
WORD(vf, f_pick, (const float *from, vi pick));
/* table[index], in memory. i_look_up may read up to 3 bytes past the entry. */
WORD(vf, f_look_up, (const float *table, vi index));
WORD(vi, i_look_up, (const uint8_t *table, vi index));

#undef WORD

/* Functions of src/noise/ that take a `constant` parameter (a struct of mode flags, an enum, a
 * number of dimensions) are PERLANE_INLINE and called with literals: the compiler makes one copy
 * for each value and drops the tests of it. Where the value is known at run time only, a switch or
 * an if calls each copy; a local macro spells such calls if their other arguments are many. */

#endif
