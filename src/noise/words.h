/* SPDX-License-Identifier: MIT
 *
 * The lane words: the vocabulary that src/noise is written in and that each instruction set defines
 * in its lanes.h. This file is their dictionary and contains no code.
 */

/* clang-format off */
/*
 * LANES          entries of each type
 * ROWS_TOGETHER  rows of samples that are emitted in one pass: as many as the registers hold, with
 *                three vectors for each and the four that they share
 *
 * Types:
 *   vf  float               vi  32-bit words               vd  double
 *   vtable16  16 bytes      vtable8  8 floats
 * Masks are vi, each word all ones or all zeros. Memory operands need no alignment unless said.
 *
 *   f_load f_store i_load i_store             a whole vector
 *   f_store_some(to, v, n)                    the first n lanes only, 0 < n < LANES
 *   f_stream(to, v)                           past the caches where the machine can; `to` is
 *                                             aligned to the vector; stream_fence() orders it
 *                                             before whatever tells another thread of it
 *   u16_store u8_store(to, v)                 signed words as LANES integers of 16 or 8 bits,
 *                                             saturated
 *   f_keep(v)                                 a statement: v is in a register from here on, for the
 *                                             compiler to keep rather than load again
 *   f_set i_set d_set                         one value in every lane
 *   d_lane_number                             0, 1, 2, ...
 *   f_add f_sub f_mul f_div f_sqrt            IEEE, rounded once
 *   d_add d_sub d_mul d_div
 *   f_min f_max                               not of NaN, and which zero is left open
 *   f_floor d_floor                           largest whole number not above
 *   d_round                                   nearest whole number, ties to even
 *   f_not_above(a, b)                         mask of a <= b; false for NaN
 *   f_from_i                                  from a signed word
 *   i_from_f i_from_d                         to a signed word, ties to even
 *   d_from_f f_from_d                         exact, or rounded to nearest
 *   f_bits i_bits                             the same bits seen as the other type
 *   i_add i_sub i_mul                         modulo 2^32
 *   i_and i_or i_xor i_equal                  bitwise; mask of equal words
 *   i_shift_left i_shift_right                logical, by a constant
 *   i_select(mask, yes, no)
 *   i_all(mask)                               whether every word is all ones
 *   i_dot16(a, b)                             sum of the products of the two signed halves
 *   table16 i_table16(table, bytes)           each byte b of `bytes`, b < 16, replaced by table[b];
 *                                             0 where b is 128 or more
 *   table8 f_table8(table, index)             table[index & 7]; the entries' low 16 bits are zero
 *   f_look_up(table, index)                   table[index] in memory
 *   i_look_up(table, index)                   the same of bytes; up to 3 bytes behind are read
 */
