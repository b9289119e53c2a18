/* SPDX-License-Identifier: MIT
 *
 * The lane words in NEON (AArch64), 4 samples at a time. src/noise/words.h says what each word
 * means. No vfma: a fused multiply-add rounds once where the specification rounds twice.
 */
#ifndef PERLANE_NEON_LANES_H
#define PERLANE_NEON_LANES_H

#include <stdint.h>
#include <string.h>

#include "../compiler.h"
#include "../isa.h"

#if (defined(PERLANE_AARCH64) && !defined(PERLANE_NO_NEON)) || defined(PERLANE_EMULATED)
#ifdef PERLANE_EMULATED
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <math.h>
#include <simde/arm/neon.h>
#else
#include <arm_neon.h>
#endif

#define LANES 4
#define ROWS_TOGETHER 4
#define EDGES_APART 0
#define STREAMS 1
#define LANES_BEGIN
#define LANES_END

LANES_BEGIN

typedef float32x4_t vf;
typedef uint32x4_t vi;
typedef struct {
  float64x2_t low, high;
} vd;

#define f_keep(v) PERLANE_KEEP("+w", v)
static inline vf f_load(const float *from) {
  return vld1q_f32(from);
}
static inline vf f_load_aligned(const float *from) {
  return f_load(from);
}
static inline void f_store(float *to, vf v) {
  vst1q_f32(to, v);
}
static inline void f_stream(float *to, vf v) {
  vst1q_f32(to, v);
}
static inline void f_store_some(float *to, vf v, size_t n) {
  float lane[4];
  vst1q_f32(lane, v);
  memcpy(to, lane, n * sizeof(float));
}
static inline void stream_fence(void) {}

static inline vf f_set(float v) {
  return vdupq_n_f32(v);
}
static inline vf f_add(vf a, vf b) {
  return vaddq_f32(a, b);
}
static inline vf f_sub(vf a, vf b) {
  return vsubq_f32(a, b);
}
static inline vf f_mul(vf a, vf b) {
  return vmulq_f32(a, b);
}
/* SIMDe 0.7.4 has neither of these, nor the division of doubles below. */
#ifdef PERLANE_EMULATED
static inline vf f_div(vf a, vf b) {
  return a / b;
}
static inline vf f_sqrt(vf v) {
  float lane[4];
  vst1q_f32(lane, v);
  for (int i = 0; i < 4; i++)
    lane[i] = sqrtf(lane[i]);
  return vld1q_f32(lane);
}
#else
static inline vf f_div(vf a, vf b) {
  return vdivq_f32(a, b);
}
static inline vf f_sqrt(vf v) {
  return vsqrtq_f32(v);
}
#endif
static inline vf f_min(vf a, vf b) {
  return vminq_f32(a, b);
}
static inline vf f_max(vf a, vf b) {
  return vmaxq_f32(a, b);
}
static inline vf f_floor(vf v) {
  return vrndmq_f32(v);
}
static inline vi f_not_above(vf a, vf b) {
  return vcleq_f32(a, b);
}
static inline vf f_select_below(vf a, vf b, vf yes, vf no) {
  return vbslq_f32(vcltq_f32(a, b), yes, no);
}
static inline vf f_from_i(vi v) {
  return vcvtq_f32_s32(vreinterpretq_s32_u32(v));
}
static inline vi i_from_f(vf v) {
  return vreinterpretq_u32_s32(vcvtq_s32_f32(vrndnq_f32(v)));
}
static inline vf f_bits(vi v) {
  return vreinterpretq_f32_u32(v);
}
static inline vi i_bits(vf v) {
  return vreinterpretq_u32_f32(v);
}

static inline vi i_load(const uint32_t *from) {
  return vld1q_u32(from);
}
static inline vi i_load_aligned(const uint32_t *from) {
  return i_load(from);
}
static inline void i_store(uint32_t *to, vi v) {
  vst1q_u32(to, v);
}
static inline void u16_store(uint16_t *to, vi a, vi b) {
  vst1_u16(to, vqmovun_s32(vreinterpretq_s32_u32(a)));
  vst1_u16(to + 4, vqmovun_s32(vreinterpretq_s32_u32(b)));
}
static inline void u8_store(uint8_t *to, vi a, vi b) {
  const int16x4_t lower = vqmovn_s32(vreinterpretq_s32_u32(a));
  const int16x4_t upper = vqmovn_s32(vreinterpretq_s32_u32(b));
  vst1_u8(to, vqmovun_s16(vcombine_s16(lower, upper)));
}
static inline vi i_set(uint32_t v) {
  return vdupq_n_u32(v);
}
static inline vi i_add(vi a, vi b) {
  return vaddq_u32(a, b);
}
static inline vi i_sub(vi a, vi b) {
  return vsubq_u32(a, b);
}
static inline vi i_mul(vi a, vi b) {
  return vmulq_u32(a, b);
}
static inline vi i_and(vi a, vi b) {
  return vandq_u32(a, b);
}
static inline vi i_or(vi a, vi b) {
  return vorrq_u32(a, b);
}
static inline vi i_xor(vi a, vi b) {
  return veorq_u32(a, b);
}
static inline vi i_equal(vi a, vi b) {
  return vceqq_u32(a, b);
}
#define i_shift_left(v, n) vshlq_n_u32(v, n)
#define i_shift_right(v, n) vshrq_n_u32(v, n)
static inline vi i_select(vi mask, vi yes, vi no) {
  return vbslq_u32(mask, yes, no);
}
static inline int i_all(vi mask) {
  return vminvq_u32(mask) != 0;
}

static inline vi i_dot16(vi a, vi b) {
  const int16x8_t x = vreinterpretq_s16_u32(a), y = vreinterpretq_s16_u32(b);
  const int32x4_t low = vmull_s16(vget_low_s16(x), vget_low_s16(y));
  const int32x4_t high = vmull_s16(vget_high_s16(x), vget_high_s16(y));
  return vreinterpretq_u32_s32(vpaddq_s32(low, high));
}

typedef uint8x16_t vtable16;
static inline vtable16 table16(const uint8_t bytes[16]) {
  return vld1q_u8(bytes);
}
#define i_index16(m, at) i_byte_of(i_shift_left(m, 24 - (at)))
static inline vi i_byte_of(vi v) {
  return vorrq_u32(vandq_u32(v, vdupq_n_u32(0x0F000000)), vdupq_n_u32(0x00808080));
}
static inline vf f_table16(vtable16 table, vi index) {
  return vreinterpretq_f32_u8(vqtbl1q_u8(table, vreinterpretq_u8_u32(index)));
}

typedef uint8x16x2_t vtable8;
static inline vtable8 table8(const float entry[8]) {
  vtable8 table;
  table.val[0] = vreinterpretq_u8_f32(vld1q_f32(entry));
  table.val[1] = vreinterpretq_u8_f32(vld1q_f32(entry + 4));
  return table;
}
static inline vi i_index8(vi m) {
  /* The four bytes of entry i are 4i, 4i + 1, 4i + 2, 4i + 3. */
  const uint32x4_t index = vandq_u32(vshrq_n_u32(m, 13), vdupq_n_u32(7));
  return vaddq_u32(vmulq_u32(index, vdupq_n_u32(0x04040404)), vdupq_n_u32(0x03020100));
}
static inline vf f_table8(vtable8 table, vi index) {
  return vreinterpretq_f32_u8(vqtbl2q_u8(table, vreinterpretq_u8_u32(index)));
}

static inline vi i_pick(vi index) {
  return vaddq_u32(vmulq_u32(index, vdupq_n_u32(0x04040404)), vdupq_n_u32(0x03020100));
}
static inline vf f_pick(const float *from, vi pick) {
  return vreinterpretq_f32_u8(
      vqtbl1q_u8(vreinterpretq_u8_f32(f_load(from)), vreinterpretq_u8_u32(pick)));
}

static inline vf f_look_up(const float *table, vi index) {
  const float lane[4] = {table[vgetq_lane_u32(index, 0)], table[vgetq_lane_u32(index, 1)],
                         table[vgetq_lane_u32(index, 2)], table[vgetq_lane_u32(index, 3)]};
  return vld1q_f32(lane);
}
static inline vi i_look_up(const uint8_t *table, vi index) {
  const uint32_t lane[4] = {table[vgetq_lane_u32(index, 0)], table[vgetq_lane_u32(index, 1)],
                            table[vgetq_lane_u32(index, 2)], table[vgetq_lane_u32(index, 3)]};
  return vld1q_u32(lane);
}

static inline vd d_set(double v) {
  const float64x2_t all = vdupq_n_f64(v);
  return (vd){all, all};
}
static inline vd d_lane_number(void) {
  static const double number[4] = {0, 1, 2, 3};
  return (vd){vld1q_f64(number), vld1q_f64(number + 2)};
}
static inline vd d_add(vd a, vd b) {
  return (vd){vaddq_f64(a.low, b.low), vaddq_f64(a.high, b.high)};
}
static inline vd d_sub(vd a, vd b) {
  return (vd){vsubq_f64(a.low, b.low), vsubq_f64(a.high, b.high)};
}
static inline vd d_mul(vd a, vd b) {
  return (vd){vmulq_f64(a.low, b.low), vmulq_f64(a.high, b.high)};
}
static inline vd d_div(vd a, vd b) {
#ifdef PERLANE_EMULATED
  return (vd){a.low / b.low, a.high / b.high};
#else
  return (vd){vdivq_f64(a.low, b.low), vdivq_f64(a.high, b.high)};
#endif
}
static inline vd d_floor(vd v) {
  return (vd){vrndmq_f64(v.low), vrndmq_f64(v.high)};
}
static inline vd d_round(vd v) {
  return (vd){vrndnq_f64(v.low), vrndnq_f64(v.high)};
}
static inline vd d_from_f(vf v) {
  return (vd){vcvt_f64_f32(vget_low_f32(v)), vcvt_f64_f32(vget_high_f32(v))};
}
static inline vd d_load(const double *from) {
  return (vd){vld1q_f64(from), vld1q_f64(from + 2)};
}
static inline vd d_load_floats(const float *from) {
  return d_from_f(vld1q_f32(from));
}
static inline void d_store(double *to, vd v) {
  vst1q_f64(to, v.low);
  vst1q_f64(to + 2, v.high);
}
static inline vd d_reload(const double *from) {
  return d_load(from);
}
static inline vd d_add_words(vd a, vd b) {
  return (vd){
      vreinterpretq_f64_u64(vaddq_u64(vreinterpretq_u64_f64(a.low), vreinterpretq_u64_f64(b.low))),
      vreinterpretq_f64_u64(
          vaddq_u64(vreinterpretq_u64_f64(a.high), vreinterpretq_u64_f64(b.high)))};
}
static inline void d_split(vd v, vi *cell, vf *fraction) {
  const vi a = vreinterpretq_u32_u64(vshlq_n_u64(vreinterpretq_u64_f64(v.low), 8));
  const vi b = vreinterpretq_u32_u64(vshlq_n_u64(vreinterpretq_u64_f64(v.high), 8));
  *cell = vuzp2q_u32(a, b);
  *fraction = vmulq_f32(vcvtq_f32_u32(vuzp1q_u32(a, b)), vdupq_n_f32(0x1p-32f));
}
static inline vi i_max_unsigned(vi a, vi b) {
  return vmaxq_u32(a, b);
}
static inline vf f_from_d(vd v) {
  return vcombine_f32(vcvt_f32_f64(v.low), vcvt_f32_f64(v.high));
}
static inline vi i_from_d(vd v) {
  const int32x2_t low = vmovn_s64(vcvtq_s64_f64(v.low));
  const int32x2_t high = vmovn_s64(vcvtq_s64_f64(v.high));
  return vreinterpretq_u32_s32(vcombine_s32(low, high));
}

LANES_END

#endif

#endif
