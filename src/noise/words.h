/* SPDX-License-Identifier: MIT
 *
 * The lane words: the vocabulary of src/noise/, and the contract that each instruction set's
 * lanes.h keeps. The compiler checks each word's type, tests/words.c what it returns. A file that
 * includes no lanes.h, such as one header compiled alone, gets that of this machine's simplest set.
 */
#ifndef PERLANE_NOISE_WORDS_H
#define PERLANE_NOISE_WORDS_H

#include "../strict.h"

#include <string.h>

#include "../compiler.h"
#include "../kernels.h"
#include "../thresholds.h"

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

#ifndef ALIGNED_LOADS /* most machines load any memory by the same instructions */
PERLANE_INLINE vf f_load_aligned(const float *from) {
  return f_load(from);
}
PERLANE_INLINE vi i_load_aligned(const uint32_t *from) {
  return i_load(from);
}
#endif

#ifndef HAS_MASK_REGISTERS
typedef vi vm;
PERLANE_INLINE vm m_and(vm a, vm b) {
  return i_and(a, b);
}
PERLANE_INLINE vm m_or(vm a, vm b) {
  return i_or(a, b);
}
PERLANE_INLINE vm m_not(vm mask) {
  return i_xor(mask, i_set(0xFFFFFFFF));
}
PERLANE_INLINE vi m_bits(vm mask) {
  return mask;
}
#endif

/* clang-format off */
/* Macros of lanes.h:
 *   LANES                    entries of each type, 16 at most
 *   ROWS_TOGETHER            sample rows emitted in one pass: as many as the registers hold, with
 *                            three vectors for each and four that they share
 *   LANES_BEGIN, LANES_END   enclose functions that may use the instruction set
 *   STREAMS                  1 if large outputs are stored by f_stream, 0 if as others
 *   ALIGNED_LOADS            defined by sets that have f_load_aligned and i_load_aligned
 *   HAS_MASK_REGISTERS       defined by sets that have vm, m_and, m_or, m_not and m_bits
 *   f_keep(v)                statement: keeps v in a register instead of loading it again
 *   i_shift_left(v, n), i_shift_right(v, n)
 *                            logical shifts by a constant, 0 to 31
 *   i_index16(m, at)         what f_table16 looks up by the bits at .. at + 3 of words; `at` is a
 *                            constant, 0 to 24
 *
 * Types: vf holds floats, vi 32-bit words, vd doubles; vtable16 and vtable8 are tables of 16 and of
 * 8 floats. vm is a mask: yes or no for each lane. Pointers need no alignment unless said. */
/* clang-format on */
_Static_assert(LANES >= 4 && LANES <= 16 && (LANES & (LANES - 1)) == 0, "LANES");
_Static_assert(ROWS_TOGETHER >= 2 && ROWS_TOGETHER <= 4, "ROWS_TOGETHER");
_Static_assert(sizeof(vf) == 4 * LANES && sizeof(vi) == 4 * LANES && sizeof(vd) == 8 * LANES,
               "vectors have LANES entries");

/* Fails to compile unless `name` is a function of this type. `parameters` has its parentheses. */
#define WORD(name, result, parameters) /* NOLINTNEXTLINE(bugprone-macro-parentheses) */            \
  _Static_assert(_Generic(&(name), result(*) parameters : 1, default : 0), #name " in lanes.h")

/* A whole vector. */
WORD(f_load, vf, (const float *from));
WORD(i_load, vi, (const uint32_t *from));
/* A whole vector from memory aligned to 16 bytes: SSE4.1 loads it as part of other instructions. */
WORD(f_load_aligned, vf, (const float *from));
WORD(i_load_aligned, vi, (const uint32_t *from));
WORD(f_store, void, (float *to, vf v));
WORD(i_store, void, (uint32_t * to, vi v));
/* The first n lanes only, 0 < n < LANES. */
WORD(f_store_some, void, (float *to, vf v, size_t n));
/* Bypasses the caches where the machine can; `to` is aligned to the vector. stream_fence orders
 * such stores before whatever tells another thread of them. */
WORD(f_stream, void, (float *to, vf v));
WORD(stream_fence, void, (void));
/* Signed words as 2 * LANES integers of 16 or 8 bits, saturated. */
WORD(u16_store, void, (uint16_t * to, vi a, vi b));
WORD(u8_store, void, (uint8_t * to, vi a, vi b));

/* One value in every lane. */
WORD(f_set, vf, (float v));
WORD(i_set, vi, (uint32_t v));
WORD(d_set, vd, (double v));
WORD(d_load, vd, (const double *from));
WORD(d_load_floats, vd, (const float *from));
/* d_store may store lanes in another order; d_reload loads what it stored. Memory is aligned to 16
 * bytes. */
WORD(d_store, void, (double *to, vd v));
WORD(d_reload, vd, (const double *from));

/* IEEE arithmetic of any numbers, rounded once. A NaN may have any bits. */
WORD(f_add, vf, (vf a, vf b));
WORD(f_sub, vf, (vf a, vf b));
WORD(f_mul, vf, (vf a, vf b));
WORD(f_div, vf, (vf a, vf b));
WORD(f_sqrt, vf, (vf v));
WORD(d_add, vd, (vd a, vd b));
WORD(d_sub, vd, (vd a, vd b));
WORD(d_mul, vd, (vd a, vd b));
WORD(d_div, vd, (vd a, vd b));
/* Not of NaN. Of two zeros, a zero of either sign. */
WORD(f_min, vf, (vf a, vf b));
WORD(f_max, vf, (vf a, vf b));
/* The largest whole number not above v, which is not NaN. Where it is 0, a zero of either sign. */
WORD(f_floor, vf, (vf v));
/* The same for |v| <= 2^52; up to 2^53, that number or the one below it. */
WORD(d_floor, vd, (vd v));
/* The nearest whole number, ties to even, for |v| <= 2^51. Where it is 0, a zero of either sign. */
WORD(d_round, vd, (vd v));
/* The mask of a <= b, which is false for NaN. */
WORD(f_not_above, vm, (vf a, vf b));
/* Selects yes where a < b, which is false for NaN, else no. */
WORD(f_select_below, vf, (vf a, vf b, vf yes, vf no));

/* Conversions of signed words, rounded to nearest, ties to even. i_from_f is for |v| <= 2^22; of
 * less than -2^22 it makes any word up to -2^22. i_from_d is for numbers from -2^31 to 2^31 - 1; of
 * others it makes any word. */
WORD(f_from_i, vf, (vi v));
WORD(i_from_f, vi, (vf v));
WORD(i_from_d, vi, (vd v));
WORD(f_from_d, vf, (vd v));
/* The sum of doubles' bits as words of 64 bits. */
WORD(d_add_words, vd, (vd a, vd b));
/* Splits the bits of any doubles: *fraction receives the lower 24 times 2^-24, *cell the next 32.
 * Of multiples of 2^-24 from 2^28 to below 2^29 *cell is the whole part plus 0xA0000000. */
WORD(d_split, void, (vd v, vi *cell, vf *fraction));
/* A vector's bits as the other type. */
WORD(f_bits, vf, (vi v));
WORD(i_bits, vi, (vf v));

/* Modulo 2^32; bitwise; the mask of equal words. */
WORD(i_add, vi, (vi a, vi b));
WORD(i_sub, vi, (vi a, vi b));
WORD(i_mul, vi, (vi a, vi b));
WORD(i_and, vi, (vi a, vi b));
WORD(i_or, vi, (vi a, vi b));
WORD(i_xor, vi, (vi a, vi b));
WORD(i_equal, vm, (vi a, vi b));
WORD(i_max_unsigned, vi, (vi a, vi b));
/* Selects yes where the mask says so, else no. */
WORD(i_select, vi, (vm mask, vi yes, vi no));
WORD(m_and, vm, (vm a, vm b));
WORD(m_or, vm, (vm a, vm b));
WORD(m_not, vm, (vm mask));
/* Words of all ones where the mask says yes, else of zeros. */
WORD(m_bits, vi, (vm mask));
/* Returns 1 if the mask is set in every lane. */
WORD(m_all, int, (vm mask));
/* The sum of the products of the lower and of the upper signed halves, modulo 2^32. */
WORD(i_dot16, vi, (vi a, vi b));

/* Tables of 16 floats whose other bytes than the top ones, which table16 takes, are 0. */
WORD(table16, vtable16, (const uint8_t bytes[16]));
WORD(f_table16, vf, (vtable16 table, vi index));
/* Tables of 8 floats whose lower 16 bits are zero, looked up by bits 13 to 15 of words. */
WORD(table8, vtable8, (const float entry[8]));
WORD(i_index8, vi, (vi m));
WORD(f_table8, vf, (vtable8 table, vi index));
/* from[index], of LANES entries, for indices of which i_pick made `pick`. */
WORD(i_pick, vi, (vi index));
WORD(f_pick, vf, (const float *from, vi pick));
/* table[index], in memory, of floats or of words, for indices below 2^31. i_look_up may read 3
 * bytes past the entry. */
WORD(f_look_up, vf, (const float *table, vi index));
WORD(i_look_up, vi, (const uint8_t *table, vi index));

#undef WORD

/* With PERLANE_POISON, which a configuration of the tests defines, makes memory that holds nothing
 * yet NaN, and words of ones: a sample that depends on it shows. */
PERLANE_INLINE void poison(void *memory, size_t bytes) {
#ifdef PERLANE_POISON
  memset(memory, 0xFF, bytes);
#else
  (void)memory, (void)bytes;
#endif
}

/* Returns 0, 1, 2, ... */
PERLANE_INLINE vd d_lane_number(void) {
  static const double number[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  return d_load(number);
}

/* Functions of src/noise/ that take a `constant` parameter (a struct of mode flags, an enum, a
 * number of dimensions) are PERLANE_INLINE and called with literals: the compiler makes one copy
 * for each value and drops the tests of it. Where the value is known at run time only, a switch or
 * an if calls each copy; a local macro spells such calls if their other arguments are many. */

#endif
