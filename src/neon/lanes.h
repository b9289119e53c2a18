/* SPDX-License-Identifier: MIT
 *
 * The lane words in NEON (AArch64), 4 samples at a time. src/noise/words.h says what each word
 * means. No vfma: a fused multiply-add rounds once where the specification rounds twice.
 */
#ifndef PERLANE_NEON_LANES_H
#define PERLANE_NEON_LANES_H

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

#define ROWS_TOGETHER 4
#define STREAMS 1
#define HAS_REGISTERS
#define BYTES_OF(table, index)                                                                     \
  vreinterpretq_u32_u8(vqtbl1q_u8((uint8x16_t)(table), (uint8x16_t)(index)))
#define LOW_WORDS(low, high) vuzp1q_u32((vi)(low), (vi)(high))
#define SELECT vbslq_u32
#include "../vectors/words.h"

#define f_keep(v) PERLANE_KEEP("+w", v)

static inline vf f_sqrt(vf v) {
#ifdef PERLANE_EMULATED /* SIMDe 0.7.4 has no vsqrtq_f32 */
  return (vf){sqrtf(v[0]), sqrtf(v[1]), sqrtf(v[2]), sqrtf(v[3])};
#else
  return vsqrtq_f32(v);
#endif
}
static inline vf f_min(vf a, vf b) {
  return vminq_f32(a, b);
}
static inline vf f_max(vf a, vf b) {
  return vmaxq_f32(a, b);
}
static inline vf f_floor(vf v) {
  return vrndmq_f32(v);
}
static inline vi i_from_f(vf v) {
  return vreinterpretq_u32_s32(vcvtq_s32_f32(vrndnq_f32(v)));
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
static inline int m_all(vi mask) {
  return vminvq_u32(mask) != 0;
}

static inline vi i_dot16(vi a, vi b) {
  const int16x8_t x = vreinterpretq_s16_u32(a), y = vreinterpretq_s16_u32(b);
  const int32x4_t low = vmull_s16(vget_low_s16(x), vget_low_s16(y));
  const int32x4_t high = vmull_s16(vget_high_s16(x), vget_high_s16(y));
  return vreinterpretq_u32_s32(vpaddq_s32(low, high));
}

typedef uint8x16x2_t vtable8;
static inline vtable8 table8(const float entry[8]) {
  vtable8 table;
  table.val[0] = vreinterpretq_u8_f32(vld1q_f32(entry));
  table.val[1] = vreinterpretq_u8_f32(vld1q_f32(entry + 4));
  return table;
}
static inline vi i_index8(vi m) {
  return i_pick(m >> 13 & 7);
}
static inline vf f_table8(vtable8 table, vi index) {
  return vreinterpretq_f32_u8(vqtbl2q_u8(table, vreinterpretq_u8_u32(index)));
}

static inline vf f_look_up(const float *table, vi index) {
  const any_float *const entry = table;
  const float lane[4] = {entry[index[0]], entry[index[1]], entry[index[2]], entry[index[3]]};
  return f_load(lane);
}
static inline vd d_load_floats(const float *from) {
  const vf v = f_load(from);
  return (vd){vcvt_f64_f32(vget_low_f32(v)), vcvt_f64_f32(vget_high_f32(v))};
}
static inline vd d_floor(vd v) {
  return (vd){vrndmq_f64(v.low), vrndmq_f64(v.high)};
}
static inline vd d_round(vd v) {
  return (vd){vrndnq_f64(v.low), vrndnq_f64(v.high)};
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

#endif

#endif
