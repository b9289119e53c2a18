/* SPDX-License-Identifier: MIT
 *
 * The lane words in WebAssembly's SIMD128, 4 samples at a time. src/noise/words.h says what each
 * word means. No relaxed SIMD: its results differ from machine to machine. The comments name what
 * x86 makes of an instruction, where that decided which one is used.
 */
#ifndef PERLANE_SIMD128_LANES_H
#define PERLANE_SIMD128_LANES_H

#include "../compiler.h"
#include "../isa.h"

#if defined(PERLANE_WASM) && !defined(PERLANE_NO_SIMD128)
#include <wasm_simd128.h>

#define ROWS_TOGETHER 3
#define STREAMS 0
#define HAS_REGISTERS
#define BYTES_OF(table, index) wasm_i8x16_swizzle((v128_t)(table), (v128_t)(index))
#define LOW_WORDS(low, high) wasm_i32x4_shuffle((v128_t)(low), (v128_t)(high), 0, 2, 4, 6)
#include "../vectors/words.h"

#define f_keep(v) PERLANE_KEEP("", v)

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
static inline vi i_from_f(vf v) {
  return (vi)wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest((v128_t)v));
}

static inline void u16_store(uint16_t *to, vi a, vi b) {
  wasm_v128_store(to, wasm_u16x8_narrow_i32x4((v128_t)a, (v128_t)b));
}
static inline void u8_store(uint8_t *to, vi a, vi b) {
  const v128_t pairs = wasm_i16x8_narrow_i32x4((v128_t)a, (v128_t)b);
  wasm_v128_store64_lane(to, wasm_u8x16_narrow_i16x8(pairs, pairs), 0);
}
/* pmovmskb; all_true takes three instructions. */
static inline int m_all(vi mask) {
  return wasm_i8x16_bitmask((v128_t)mask) == 0xFFFF;
}

static inline vi i_dot16(vi a, vi b) {
  return (vi)wasm_i32x4_dot_i16x8((v128_t)a, (v128_t)b);
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

static inline vf f_look_up(const float *table, vi index) {
  v128_t v = wasm_v128_load32_zero(table + index[0]);
  v = wasm_v128_load32_lane(table + index[1], v, 1);
  v = wasm_v128_load32_lane(table + index[2], v, 2);
  return (vf)wasm_v128_load32_lane(table + index[3], v, 3);
}
static inline vd d_load_floats(const float *from) {
  return (vd){(two_doubles)wasm_f64x2_promote_low_f32x4(wasm_v128_load64_zero(from)),
              (two_doubles)wasm_f64x2_promote_low_f32x4(wasm_v128_load64_zero(from + 2))};
}
static inline vd d_floor(vd v) {
  return (vd){(two_doubles)wasm_f64x2_floor((v128_t)v.low),
              (two_doubles)wasm_f64x2_floor((v128_t)v.high)};
}
static inline vd d_round(vd v) {
  return (vd){(two_doubles)wasm_f64x2_nearest((v128_t)v.low),
              (two_doubles)wasm_f64x2_nearest((v128_t)v.high)};
}
static inline void d_split(vd v, vi *cell, vf *fraction) {
  const v128_t a = wasm_i64x2_shl((v128_t)v.low, 8), b = wasm_i64x2_shl((v128_t)v.high, 8);
  *cell = (vi)wasm_i32x4_shuffle(a, b, 1, 3, 5, 7);
  *fraction = f_from_i((vi)LOW_WORDS(a, b) >> 8) * f_set(0x1p-24f);
}
static inline vi i_max_unsigned(vi a, vi b) {
  return (vi)wasm_u32x4_max((v128_t)a, (v128_t)b);
}
static inline vf f_from_d(vd v) {
  return (vf)wasm_i64x2_shuffle(wasm_f32x4_demote_f64x2_zero((v128_t)v.low),
                                wasm_f32x4_demote_f64x2_zero((v128_t)v.high), 0, 2);
}

#endif

#endif
