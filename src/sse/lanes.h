/* SPDX-License-Identifier: MIT
 *
 * The lane words in SSE4.1, 4 samples at a time. src/noise/words.h says what each word means.
 */
#ifndef PERLANE_SSE_LANES_H
#define PERLANE_SSE_LANES_H

#include <stdint.h>
#include <string.h>

#include "../compiler.h"
#include "../isa.h"

#if (defined(PERLANE_X86) && !defined(PERLANE_NO_SSE41)) || defined(PERLANE_EMULATED)
#ifdef PERLANE_EMULATED
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/sse4.1.h>
#else
#include "../x86.h"
#endif

#define LANES 4
#define ROWS_TOGETHER 3
#define EDGES_APART 0
#define STREAMS 1
#define LANES_BEGIN PERLANE_TARGET_BEGIN("sse4.1")
#define LANES_END PERLANE_TARGET_END

LANES_BEGIN

typedef __m128 vf;
typedef __m128i vi;
typedef struct {
  __m128d low, high;
} vd;

#define f_keep(v) PERLANE_KEEP("+x", v)
static inline vf f_load(const float *from) {
  return _mm_loadu_ps(from);
}
static inline vf f_load_aligned(const float *from) {
  return _mm_load_ps(from);
}
static inline void f_store(float *to, vf v) {
  _mm_storeu_ps(to, v);
}
static inline void f_stream(float *to, vf v) {
  _mm_stream_ps(to, v);
}
static inline void f_store_some(float *to, vf v, size_t n) {
  float lane[4];
  _mm_storeu_ps(lane, v);
  memcpy(to, lane, n * sizeof(float));
}
static inline void stream_fence(void) {
  _mm_sfence();
}

static inline vf f_set(float v) {
  return _mm_set1_ps(v);
}
static inline vf f_add(vf a, vf b) {
  return _mm_add_ps(a, b);
}
static inline vf f_sub(vf a, vf b) {
  return _mm_sub_ps(a, b);
}
static inline vf f_mul(vf a, vf b) {
  return _mm_mul_ps(a, b);
}
static inline vf f_div(vf a, vf b) {
  return _mm_div_ps(a, b);
}
static inline vf f_sqrt(vf v) {
  return _mm_sqrt_ps(v);
}
static inline vf f_min(vf a, vf b) {
  return _mm_min_ps(a, b);
}
static inline vf f_max(vf a, vf b) {
  return _mm_max_ps(a, b);
}
static inline vf f_floor(vf v) {
  return _mm_floor_ps(v);
}
static inline vi f_not_above(vf a, vf b) {
  return _mm_castps_si128(_mm_cmple_ps(a, b));
}
static inline vf f_select_below(vf a, vf b, vf yes, vf no) {
  return _mm_blendv_ps(no, yes, _mm_cmplt_ps(a, b));
}
static inline vf f_from_i(vi v) {
  return _mm_cvtepi32_ps(v);
}
static inline vi i_from_f(vf v) {
  return _mm_cvtps_epi32(v);
}
static inline vf f_bits(vi v) {
  return _mm_castsi128_ps(v);
}
static inline vi i_bits(vf v) {
  return _mm_castps_si128(v);
}

static inline vi i_load(const uint32_t *from) {
  return _mm_loadu_si128((const __m128i *)(const void *)from);
}
static inline vi i_load_aligned(const uint32_t *from) {
  return _mm_load_si128((const __m128i *)(const void *)from);
}
static inline void i_store(uint32_t *to, vi v) {
  _mm_storeu_si128((__m128i *)(void *)to, v);
}
static inline void u16_store(uint16_t *to, vi a, vi b) {
  _mm_storeu_si128((__m128i *)(void *)to, _mm_packus_epi32(a, b));
}
static inline void u8_store(uint8_t *to, vi a, vi b) {
  const __m128i pairs = _mm_packs_epi32(a, b);
  _mm_storel_epi64((__m128i *)(void *)to, _mm_packus_epi16(pairs, pairs));
}
static inline vi i_set(uint32_t v) {
  return _mm_set1_epi32((int)v);
}
static inline vi i_add(vi a, vi b) {
  return _mm_add_epi32(a, b);
}
static inline vi i_sub(vi a, vi b) {
  return _mm_sub_epi32(a, b);
}
static inline vi i_mul(vi a, vi b) {
  return _mm_mullo_epi32(a, b);
}
static inline vi i_and(vi a, vi b) {
  return _mm_and_si128(a, b);
}
static inline vi i_or(vi a, vi b) {
  return _mm_or_si128(a, b);
}
static inline vi i_xor(vi a, vi b) {
  return _mm_xor_si128(a, b);
}
static inline vi i_equal(vi a, vi b) {
  return _mm_cmpeq_epi32(a, b);
}
#define i_shift_left(v, n) _mm_slli_epi32(v, n)
#define i_shift_right(v, n) _mm_srli_epi32(v, n)
static inline vi i_select(vi mask, vi yes, vi no) {
  /* Not _mm_blendv_epi8, of which gcc 12 makes another function with -funsigned-char. */
  return _mm_castps_si128(
      _mm_blendv_ps(_mm_castsi128_ps(no), _mm_castsi128_ps(yes), _mm_castsi128_ps(mask)));
}
static inline int i_all(vi mask) {
  return _mm_movemask_epi8(mask) == 0xFFFF;
}

static inline vi i_dot16(vi a, vi b) {
  return _mm_madd_epi16(a, b);
}

typedef __m128i vtable16;
static inline vtable16 table16(const uint8_t bytes[16]) {
  return _mm_loadu_si128((const __m128i *)(const void *)bytes);
}
#define i_index16(m, at) i_byte_of(i_shift_left(m, 24 - (at)))
static inline vi i_byte_of(vi v) {
  return _mm_or_si128(_mm_and_si128(v, _mm_set1_epi32(0x0F000000)), _mm_set1_epi32(0x00808080));
}
static inline vf f_table16(vtable16 table, vi index) {
  return _mm_castsi128_ps(_mm_shuffle_epi8(table, index));
}

/* In place of a byte's index: 0. A cast, as char may be unsigned. */
#define NO_BYTE (char)0x80

/* Entries have 16 zero bits at the end: bytes 0..7 are their top bytes, 8..15 the ones below. */
typedef __m128i vtable8;
static inline vtable8 table8(const float entry[8]) {
  const __m128i pick = _mm_setr_epi8(3, 7, 11, 15, NO_BYTE, NO_BYTE, NO_BYTE, NO_BYTE, 2, 6, 10, 14,
                                     NO_BYTE, NO_BYTE, NO_BYTE, NO_BYTE);
  const __m128i first = _mm_castps_si128(_mm_loadu_ps(entry));
  const __m128i last = _mm_castps_si128(_mm_loadu_ps(entry + 4));
  return _mm_or_si128(_mm_shuffle_epi8(first, pick),
                      _mm_slli_epi64(_mm_shuffle_epi8(last, pick), 32));
}
static inline vi i_index8(vi m) {
  const __m128i twice = _mm_setr_epi8(NO_BYTE, NO_BYTE, 0, 0, NO_BYTE, NO_BYTE, 4, 4, NO_BYTE,
                                      NO_BYTE, 8, 8, NO_BYTE, NO_BYTE, 12, 12);
  const __m128i index = _mm_mulhi_epu16(m, _mm_set1_epi32(1 << 3)); /* of the lower halves */
  return _mm_or_si128(_mm_shuffle_epi8(index, twice), _mm_set1_epi32(0x00088080));
}
static inline vf f_table8(vtable8 table, vi index) {
  return _mm_castsi128_ps(_mm_shuffle_epi8(table, index));
}

/* The four bytes of entry i are 4i, 4i + 1, 4i + 2, 4i + 3. */
static inline vi i_pick(vi index) {
  return _mm_add_epi32(_mm_mullo_epi32(index, _mm_set1_epi32(0x04040404)),
                       _mm_set1_epi32(0x03020100));
}
static inline vf f_pick(const float *from, vi pick) {
  return _mm_castsi128_ps(_mm_shuffle_epi8(_mm_castps_si128(f_load(from)), pick));
}

static inline vf f_look_up(const float *table, vi index) {
  return _mm_setr_ps(table[_mm_cvtsi128_si32(index)], table[_mm_extract_epi32(index, 1)],
                     table[_mm_extract_epi32(index, 2)], table[_mm_extract_epi32(index, 3)]);
}
static inline vi i_look_up(const uint8_t *table, vi index) {
  return _mm_setr_epi32(table[_mm_cvtsi128_si32(index)], table[_mm_extract_epi32(index, 1)],
                        table[_mm_extract_epi32(index, 2)], table[_mm_extract_epi32(index, 3)]);
}

static inline vd d_set(double v) {
  const __m128d all = _mm_set1_pd(v);
  return (vd){all, all};
}
static inline vd d_lane_number(void) {
  return (vd){_mm_setr_pd(0, 1), _mm_setr_pd(2, 3)};
}
static inline vd d_add(vd a, vd b) {
  return (vd){_mm_add_pd(a.low, b.low), _mm_add_pd(a.high, b.high)};
}
static inline vd d_sub(vd a, vd b) {
  return (vd){_mm_sub_pd(a.low, b.low), _mm_sub_pd(a.high, b.high)};
}
static inline vd d_mul(vd a, vd b) {
  return (vd){_mm_mul_pd(a.low, b.low), _mm_mul_pd(a.high, b.high)};
}
static inline vd d_div(vd a, vd b) {
  return (vd){_mm_div_pd(a.low, b.low), _mm_div_pd(a.high, b.high)};
}
static inline vd d_floor(vd v) {
  return (vd){_mm_floor_pd(v.low), _mm_floor_pd(v.high)};
}
/* The current direction is to nearest even: the library's boundary sees to it. Naming that
 * direction would have SIMDe 0.7.4 round ties away from zero on AArch64. */
static inline vd d_round(vd v) {
  return (vd){_mm_round_pd(v.low, _MM_FROUND_CUR_DIRECTION),
              _mm_round_pd(v.high, _MM_FROUND_CUR_DIRECTION)};
}
static inline vd d_load(const double *from) {
  return (vd){_mm_loadu_pd(from), _mm_loadu_pd(from + 2)};
}
static inline vd d_load_floats(const float *from) {
  const __m128i low = _mm_loadl_epi64((const __m128i *)(const void *)from);
  const __m128i high = _mm_loadl_epi64((const __m128i *)(const void *)(from + 2));
  return (vd){_mm_cvtps_pd(_mm_castsi128_ps(low)), _mm_cvtps_pd(_mm_castsi128_ps(high))};
}
static inline void d_store(double *to, vd v) {
  _mm_store_pd(to, v.low);
  _mm_store_pd(to + 2, v.high);
}
static inline vd d_reload(const double *from) {
  return (vd){_mm_load_pd(from), _mm_load_pd(from + 2)};
}
static inline vd d_add_words(vd a, vd b) {
  return (vd){_mm_castsi128_pd(_mm_add_epi64(_mm_castpd_si128(a.low), _mm_castpd_si128(b.low))),
              _mm_castsi128_pd(_mm_add_epi64(_mm_castpd_si128(a.high), _mm_castpd_si128(b.high)))};
}
static inline void d_split(vd v, vi *cell, vf *fraction) {
  const __m128 a = _mm_castsi128_ps(_mm_slli_epi64(_mm_castpd_si128(v.low), 8));
  const __m128 b = _mm_castsi128_ps(_mm_slli_epi64(_mm_castpd_si128(v.high), 8));
  const __m128i low = _mm_castps_si128(_mm_shuffle_ps(a, b, 0x88));
  *cell = _mm_castps_si128(_mm_shuffle_ps(a, b, 0xDD));
  *fraction = _mm_mul_ps(_mm_cvtepi32_ps(_mm_srli_epi32(low, 8)), _mm_set1_ps(0x1p-24f));
}
static inline vi i_max_unsigned(vi a, vi b) {
  return _mm_max_epu32(a, b);
}
static inline vf f_from_d(vd v) {
  return _mm_movelh_ps(_mm_cvtpd_ps(v.low), _mm_cvtpd_ps(v.high));
}
static inline vi i_from_d(vd v) {
  return _mm_unpacklo_epi64(_mm_cvtpd_epi32(v.low), _mm_cvtpd_epi32(v.high));
}

LANES_END

#endif

#endif
