/* SPDX-License-Identifier: MIT
 *
 * The lane words in WebAssembly's SIMD128, 4 samples at a time. src/noise/words.h says what each
 * word means. No relaxed SIMD: its results differ from machine to machine. The comments name what
 * x86 makes of an instruction, where that decided which one is used.
 */
#ifndef PERLANE_SIMD128_LANES_H
#define PERLANE_SIMD128_LANES_H

#include <stddef.h>
#include <stdint.h>

#include "../compiler.h"
#include "../isa.h"

#if defined(PERLANE_WASM) && !defined(PERLANE_NO_SIMD128)
#include <wasm_simd128.h>

#define LANES 4
#define ROWS_TOGETHER 3
#define EDGES_APART 0
#define STREAMS 0
#define LANES_BEGIN
#define LANES_END

LANES_BEGIN

typedef float vf __attribute__((vector_size(16)));
typedef uint32_t vi __attribute__((vector_size(16)));
typedef struct {
  v128_t low, high;
} vd;

#define f_keep(v) PERLANE_KEEP("", v)
static inline vf f_load(const float *from) {
  return (vf)wasm_v128_load(from);
}
static inline vf f_load_aligned(const float *from) {
  return f_load(from);
}
static inline void f_store(float *to, vf v) {
  wasm_v128_store(to, (v128_t)v);
}
static inline void f_stream(float *to, vf v) {
  f_store(to, v);
}
static inline void f_store_some(float *to, vf v, size_t n) {
  v128_t rest = (v128_t)v;
  if (n & 2) {
    wasm_v128_store64_lane(to, rest, 0);
    rest = wasm_i64x2_shuffle(rest, rest, 1, 1);
    to += 2;
  }
  if (n & 1)
    wasm_v128_store32_lane(to, rest, 0);
}
static inline void stream_fence(void) {}

static inline vf f_set(float v) {
  return (vf)wasm_f32x4_splat(v);
}
static inline vf f_add(vf a, vf b) {
  return a + b;
}
static inline vf f_sub(vf a, vf b) {
  return a - b;
}
static inline vf f_mul(vf a, vf b) {
  return a * b;
}
static inline vf f_div(vf a, vf b) {
  return a / b;
}
static inline vf f_sqrt(vf v) {
  return (vf)wasm_f32x4_sqrt((v128_t)v);
}
/* One instruction each: minps, maxps. */
static inline vf f_min(vf a, vf b) {
  return (vf)wasm_f32x4_pmin((v128_t)b, (v128_t)a);
}
static inline vf f_max(vf a, vf b) {
  return (vf)wasm_f32x4_pmax((v128_t)b, (v128_t)a);
}
static inline vf f_floor(vf v) {
  return (vf)wasm_f32x4_floor((v128_t)v);
}
static inline vi f_not_above(vf a, vf b) {
  return (vi)wasm_f32x4_le((v128_t)a, (v128_t)b);
}
static inline vf f_select_below(vf a, vf b, vf yes, vf no) {
  return (vf)wasm_v128_bitselect((v128_t)yes, (v128_t)no, wasm_f32x4_lt((v128_t)a, (v128_t)b));
}
static inline vf f_from_i(vi v) {
  return (vf)wasm_f32x4_convert_i32x4((v128_t)v);
}
static inline vi i_from_f(vf v) {
  return (vi)wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest((v128_t)v));
}
static inline vf f_bits(vi v) {
  return (vf)v;
}
static inline vi i_bits(vf v) {
  return (vi)v;
}

static inline vi i_load(const uint32_t *from) {
  return (vi)wasm_v128_load(from);
}
static inline vi i_load_aligned(const uint32_t *from) {
  return i_load(from);
}
static inline void i_store(uint32_t *to, vi v) {
  wasm_v128_store(to, (v128_t)v);
}
static inline void u16_store(uint16_t *to, vi a, vi b) {
  wasm_v128_store(to, wasm_u16x8_narrow_i32x4((v128_t)a, (v128_t)b));
}
static inline void u8_store(uint8_t *to, vi a, vi b) {
  const v128_t pairs = wasm_i16x8_narrow_i32x4((v128_t)a, (v128_t)b);
  wasm_v128_store64_lane(to, wasm_u8x16_narrow_i16x8(pairs, pairs), 0);
}
static inline vi i_set(uint32_t v) {
  return (vi)wasm_i32x4_splat((int32_t)v);
}
static inline vi i_add(vi a, vi b) {
  return a + b;
}
static inline vi i_sub(vi a, vi b) {
  return a - b;
}
static inline vi i_mul(vi a, vi b) {
  return a * b;
}
static inline vi i_and(vi a, vi b) {
  return a & b;
}
static inline vi i_or(vi a, vi b) {
  return a | b;
}
static inline vi i_xor(vi a, vi b) {
  return a ^ b;
}
static inline vi i_equal(vi a, vi b) {
  return (vi)wasm_i32x4_eq((v128_t)a, (v128_t)b);
}
#define i_shift_left(v, n) ((vi)wasm_i32x4_shl((v128_t)(v), n))
#define i_shift_right(v, n) ((vi)wasm_u32x4_shr((v128_t)(v), n))
static inline vi i_select(vi mask, vi yes, vi no) {
  return (vi)wasm_v128_bitselect((v128_t)yes, (v128_t)no, (v128_t)mask);
}
/* pmovmskb; all_true takes three instructions. */
static inline int i_all(vi mask) {
  return wasm_i8x16_bitmask((v128_t)mask) == 0xFFFF;
}

static inline vi i_dot16(vi a, vi b) {
  return (vi)wasm_i32x4_dot_i16x8((v128_t)a, (v128_t)b);
}

/* Indices from 16 on, 0x80 for one, select 0. */
typedef v128_t vtable16;
static inline vtable16 table16(const uint8_t bytes[16]) {
  return wasm_v128_load(bytes);
}
#define i_index16(m, at) i_byte_of(i_shift_left(m, 24 - (at)))
static inline vi i_byte_of(vi v) {
  return (v & i_set(0x0F000000)) | i_set(0x00808080);
}
static inline vf f_table16(vtable16 table, vi index) {
  return (vf)wasm_i8x16_swizzle(table, (v128_t)index);
}

/* Entries have 16 zero bits at the end: bytes 0..7 are their top bytes, 8..15 the ones below. */
typedef v128_t vtable8;
static inline vtable8 table8(const float entry[8]) {
  return wasm_i8x16_shuffle(wasm_v128_load(entry), wasm_v128_load(entry + 4), 3, 7, 11, 15, 19, 23,
                            27, 31, 2, 6, 10, 14, 18, 22, 26, 30);
}
/* A constant index without entries from 16 to 127 makes swizzle a single pshufb. */
static inline vi i_index8(vi m) {
  const v128_t twice = wasm_i8x16_const(-1, -1, 0, 0, -1, -1, 4, 4, -1, -1, 8, 8, -1, -1, 12, 12);
  const v128_t index = wasm_u16x8_shr((v128_t)m, 13); /* of the lower halves */
  return (vi)wasm_i8x16_swizzle(index, twice) | i_set(0x00088080);
}
static inline vf f_table8(vtable8 table, vi index) {
  return (vf)wasm_i8x16_swizzle(table, (v128_t)index);
}

static inline vi i_pick(vi index) {
  return index * i_set(0x04040404) + i_set(0x03020100);
}
static inline vf f_pick(const float *from, vi pick) {
  return (vf)wasm_i8x16_swizzle(wasm_v128_load(from), (v128_t)pick);
}

static inline vf f_look_up(const float *table, vi index) {
  v128_t v = wasm_v128_load32_zero(table + index[0]);
  v = wasm_v128_load32_lane(table + index[1], v, 1);
  v = wasm_v128_load32_lane(table + index[2], v, 2);
  return (vf)wasm_v128_load32_lane(table + index[3], v, 3);
}
static inline vi i_look_up(const uint8_t *table, vi index) {
  return (vi){table[index[0]], table[index[1]], table[index[2]], table[index[3]]};
}

static inline vd d_set(double v) {
  const v128_t all = wasm_f64x2_splat(v);
  return (vd){all, all};
}
static inline vd d_lane_number(void) {
  return (vd){wasm_f64x2_const(0, 1), wasm_f64x2_const(2, 3)};
}
static inline vd d_add(vd a, vd b) {
  return (vd){wasm_f64x2_add(a.low, b.low), wasm_f64x2_add(a.high, b.high)};
}
static inline vd d_sub(vd a, vd b) {
  return (vd){wasm_f64x2_sub(a.low, b.low), wasm_f64x2_sub(a.high, b.high)};
}
static inline vd d_mul(vd a, vd b) {
  return (vd){wasm_f64x2_mul(a.low, b.low), wasm_f64x2_mul(a.high, b.high)};
}
static inline vd d_div(vd a, vd b) {
  return (vd){wasm_f64x2_div(a.low, b.low), wasm_f64x2_div(a.high, b.high)};
}
static inline vd d_floor(vd v) {
  return (vd){wasm_f64x2_floor(v.low), wasm_f64x2_floor(v.high)};
}
static inline vd d_round(vd v) {
  return (vd){wasm_f64x2_nearest(v.low), wasm_f64x2_nearest(v.high)};
}
static inline vd d_load(const double *from) {
  return (vd){wasm_v128_load(from), wasm_v128_load(from + 2)};
}
static inline vd d_load_floats(const float *from) {
  return (vd){wasm_f64x2_promote_low_f32x4(wasm_v128_load64_zero(from)),
              wasm_f64x2_promote_low_f32x4(wasm_v128_load64_zero(from + 2))};
}
static inline void d_store(double *to, vd v) {
  wasm_v128_store(to, v.low);
  wasm_v128_store(to + 2, v.high);
}
static inline vd d_reload(const double *from) {
  return d_load(from);
}
static inline vd d_add_words(vd a, vd b) {
  return (vd){wasm_i64x2_add(a.low, b.low), wasm_i64x2_add(a.high, b.high)};
}
static inline void d_split(vd v, vi *cell, vf *fraction) {
  const v128_t a = wasm_i64x2_shl(v.low, 8), b = wasm_i64x2_shl(v.high, 8);
  *cell = (vi)wasm_i32x4_shuffle(a, b, 1, 3, 5, 7);
  const vi low = (vi)wasm_i32x4_shuffle(a, b, 0, 2, 4, 6);
  *fraction = f_mul(f_from_i(i_shift_right(low, 8)), f_set(0x1p-24f));
}
static inline vi i_max_unsigned(vi a, vi b) {
  return (vi)wasm_u32x4_max((v128_t)a, (v128_t)b);
}
static inline vf f_from_d(vd v) {
  return (vf)wasm_i64x2_shuffle(wasm_f32x4_demote_f64x2_zero(v.low),
                                wasm_f32x4_demote_f64x2_zero(v.high), 0, 2);
}
/* Adding 1.5 * 2^52 rounds to a whole number, of which the lower word is the result. The conversion
 * that saturates takes five instructions for two lanes. */
static inline vi i_from_d(vd v) {
  const vd sum = d_add(v, d_set(0x1.8p52));
  return (vi)wasm_i32x4_shuffle(sum.low, sum.high, 0, 2, 4, 6);
}

LANES_END

#endif

#endif
