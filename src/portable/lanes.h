/* SPDX-License-Identifier: MIT
 *
 * The lane words in GNU C's vectors, 4 samples at a time, for machines without a lanes.h of their
 * own: the compiler uses the machine's vectors, or one instruction for each lane. src/noise/words.h
 * says what each word means. Nothing depends on the order of bytes.
 */
#ifndef PERLANE_PORTABLE_LANES_H
#define PERLANE_PORTABLE_LANES_H

#include "../compiler.h"
#include "../isa.h"

#if (defined(PERLANE_OTHER) && !defined(PERLANE_NO_PORTABLE)) || defined(PERLANE_EMULATED)
#define ROWS_TOGETHER 2
#define STREAMS 0
#define LOW_WORDS(low, high)                                                                       \
  ((vi){(uint32_t)(low)[0], (uint32_t)(low)[1], (uint32_t)(high)[0], (uint32_t)(high)[1]})
#include "../vectors/words.h"

#define f_keep(v) ((void)(v))
static inline vd d_load_floats(const float *from) {
  return (vd){{(double)from[0], (double)from[1]}, {(double)from[2], (double)from[3]}};
}
static inline int m_all(vi mask) {
  return (mask[0] & mask[1] & mask[2] & mask[3]) != 0;
}
static inline vi i_max_unsigned(vi a, vi b) {
  return i_select((vi)(a > b), a, b);
}
static inline vi i_dot16(vi a, vi b) {
  const signed_words low_a = (signed_words)(a << 16) >> 16, high_a = (signed_words)a >> 16;
  const signed_words low_b = (signed_words)(b << 16) >> 16, high_b = (signed_words)b >> 16;
  return (vi)(low_a * low_b) + (vi)(high_a * high_b);
}

static inline vf f_sqrt(vf v) {
  return (vf){__builtin_sqrtf(v[0]), __builtin_sqrtf(v[1]), __builtin_sqrtf(v[2]),
              __builtin_sqrtf(v[3])};
}
static inline vf f_min(vf a, vf b) {
  return f_select_below(a, b, a, b);
}
static inline vf f_max(vf a, vf b) {
  return f_select_below(a, b, b, a);
}
/* From 2^23 on every float is a whole number; below, adding 2^23 rounds to one. */
static inline vf f_floor(vf v) {
  const vi sign = (vi)v & i_set(0x80000000);
  const vf large = (vf)((vi)f_set(0x1p23f) | sign);
  const vf nearest = (v + large) - large;
  const vf below = nearest - (vf)((vi)f_set(1) & (vi)(nearest > v));
  return f_select_below((vf)((vi)v ^ sign), f_set(0x1p23f), below, v);
}
static inline vi i_from_f(vf v) {
  const vf sum = f_max(v, f_set(-0x1p22f)) + f_set(0x1.8p23f);
  return (vi)sum - (vi)f_set(0x1.8p23f);
}

static inline int32_t clamped(uint32_t v, int32_t max) {
  const int32_t whole = (int32_t)v;
  return whole < 0 ? 0 : whole < max ? whole : max;
}
static inline void u16_store(uint16_t *to, vi a, vi b) {
  for (int i = 0; i < 4; i++) {
    to[i] = (uint16_t)clamped(a[i], UINT16_MAX);
    to[4 + i] = (uint16_t)clamped(b[i], UINT16_MAX);
  }
}
static inline void u8_store(uint8_t *to, vi a, vi b) {
  for (int i = 0; i < 4; i++) {
    to[i] = (uint8_t)clamped(a[i], UINT8_MAX);
    to[4 + i] = (uint8_t)clamped(b[i], UINT8_MAX);
  }
}

static inline vf f_look_up(const float *table, vi index) {
  const any_float *const entry = table;
  return (vf){entry[index[0]], entry[index[1]], entry[index[2]], entry[index[3]]};
}
/* Tables stay where they are: they are constants of src/noise/. */
typedef const uint8_t *vtable16;
static inline vtable16 table16(const uint8_t bytes[16]) {
  return bytes;
}
#define i_index16(m, at) ((m) >> (at)&15)
static inline vf f_table16(vtable16 table, vi index) {
  return (vf)(i_look_up(table, index) << 24);
}
typedef const float *vtable8;
static inline vtable8 table8(const float entry[8]) {
  return entry;
}
static inline vi i_index8(vi m) {
  return m >> 13 & 7;
}
static inline vf f_table8(vtable8 table, vi index) {
  return f_look_up(table, index);
}
static inline vi i_pick(vi index) {
  return index;
}
static inline vf f_pick(const float *from, vi pick) {
  return f_look_up(from, pick);
}

/* As f_floor, of numbers up to 2^52. */
static inline two_doubles floor_of(two_doubles v) {
  const two_words sign = (two_words)v & ((two_words){1, 1} << 63);
  const two_doubles whole = {0x1p52, 0x1p52}, one = {1, 1};
  const two_doubles large = (two_doubles)((two_words)whole | sign);
  const two_doubles nearest = (v + large) - large;
  return nearest - (two_doubles)((two_words)one & (two_words)(nearest > v));
}
static inline vd d_floor(vd v) {
  return (vd){floor_of(v.low), floor_of(v.high)};
}
static inline vd d_round(vd v) {
  const vd large = d_set(0x1.8p52);
  return d_sub(d_add(v, large), large);
}
static inline vf f_from_d(vd v) {
  return (vf){(float)v.low[0], (float)v.low[1], (float)v.high[0], (float)v.high[1]};
}
static inline void d_split(vd v, vi *cell, vf *fraction) {
  const two_words low = (two_words)v.low, high = (two_words)v.high;
  *cell = LOW_WORDS(low >> 24, high >> 24);
  *fraction = f_from_i(LOW_WORDS(low, high) & 0xFFFFFF) * f_set(0x1p-24f);
}
#endif

#endif
