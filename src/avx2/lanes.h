/* SPDX-License-Identifier: MIT
 *
 * The lane words in AVX2, 8 samples at a time. src/noise/words.h says what each word means.
 * No FMA: a fused multiply-add rounds once where the specification rounds twice.
 */
#ifndef PERLANE_AVX2_LANES_H
#define PERLANE_AVX2_LANES_H

#include <stdint.h>
#include <string.h>

#include "../compiler.h"
#include "../isa.h"

#if (defined(PERLANE_X86) && !defined(PERLANE_NO_AVX2)) || defined(PERLANE_EMULATED)
#ifdef PERLANE_EMULATED
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx2.h>
#else
#include "../x86.h"
#endif

#define LANES 8
#define ROWS_TOGETHER 3
#define EDGES_APART 1
#define STREAMS 1
#define LANES_BEGIN PERLANE_TARGET_BEGIN("avx2")
#define LANES_END PERLANE_TARGET_END

LANES_BEGIN

typedef __m256 vf;
typedef __m256i vi;
/* low holds lanes 0, 1, 4, 5: d_split, which works within halves of registers, then yields words in
 * order. */
typedef struct {
  __m256d low, high;
} vd;

#define f_keep(v) PERLANE_KEEP("+x", v)
static inline vf f_load(const float *from) {
  return _mm256_loadu_ps(from);
}
static inline vf f_load_aligned(const float *from) {
  return f_load(from);
}
static inline void f_store(float *to, vf v) {
  _mm256_storeu_ps(to, v);
}
static inline void f_stream(float *to, vf v) {
  _mm256_stream_ps(to, v);
}
static inline void f_store_some(float *to, vf v, size_t n) {
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  _mm256_maskstore_ps(to, _mm256_cmpgt_epi32(_mm256_set1_epi32((int)n), lane), v);
}
static inline void stream_fence(void) {
  _mm_sfence();
}

static inline vf f_set(float v) {
  return _mm256_set1_ps(v);
}
static inline vf f_add(vf a, vf b) {
  return _mm256_add_ps(a, b);
}
static inline vf f_sub(vf a, vf b) {
  return _mm256_sub_ps(a, b);
}
static inline vf f_mul(vf a, vf b) {
  return _mm256_mul_ps(a, b);
}
static inline vf f_div(vf a, vf b) {
  return _mm256_div_ps(a, b);
}
static inline vf f_sqrt(vf v) {
  return _mm256_sqrt_ps(v);
}
static inline vf f_min(vf a, vf b) {
  return _mm256_min_ps(a, b);
}
static inline vf f_max(vf a, vf b) {
  return _mm256_max_ps(a, b);
}
static inline vf f_floor(vf v) {
  return _mm256_floor_ps(v);
}
static inline vi f_not_above(vf a, vf b) {
  return _mm256_castps_si256(_mm256_cmp_ps(a, b, _CMP_LE_OQ));
}
static inline vf f_select_below(vf a, vf b, vf yes, vf no) {
  return _mm256_blendv_ps(no, yes, _mm256_cmp_ps(a, b, _CMP_LT_OQ));
}
static inline vf f_from_i(vi v) {
  return _mm256_cvtepi32_ps(v);
}
static inline vi i_from_f(vf v) {
  return _mm256_cvtps_epi32(v);
}
static inline vf f_bits(vi v) {
  return _mm256_castsi256_ps(v);
}
static inline vi i_bits(vf v) {
  return _mm256_castps_si256(v);
}

static inline vi i_load(const uint32_t *from) {
  return _mm256_loadu_si256((const __m256i *)(const void *)from);
}
static inline vi i_load_aligned(const uint32_t *from) {
  return i_load(from);
}
static inline void i_store(uint32_t *to, vi v) {
  _mm256_storeu_si256((__m256i *)(void *)to, v);
}
static inline void u16_store(uint16_t *to, vi a, vi b) {
  const __m256i words = _mm256_permute4x64_epi64(_mm256_packus_epi32(a, b), 0xD8);
  _mm256_storeu_si256((__m256i *)(void *)to, words);
}
static inline void u8_store(uint8_t *to, vi a, vi b) {
  const __m256i words = _mm256_permute4x64_epi64(_mm256_packs_epi32(a, b), 0xD8);
  const __m128i bytes =
      _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
  _mm_storeu_si128((__m128i *)(void *)to, bytes);
}
static inline vi i_set(uint32_t v) {
  return _mm256_set1_epi32((int)v);
}
static inline vi i_add(vi a, vi b) {
  return _mm256_add_epi32(a, b);
}
static inline vi i_sub(vi a, vi b) {
  return _mm256_sub_epi32(a, b);
}
static inline vi i_mul(vi a, vi b) {
  return _mm256_mullo_epi32(a, b);
}
static inline vi i_and(vi a, vi b) {
  return _mm256_and_si256(a, b);
}
static inline vi i_or(vi a, vi b) {
  return _mm256_or_si256(a, b);
}
static inline vi i_xor(vi a, vi b) {
  return _mm256_xor_si256(a, b);
}
static inline vi i_equal(vi a, vi b) {
  return _mm256_cmpeq_epi32(a, b);
}
#define i_shift_left(v, n) _mm256_slli_epi32(v, n)
#define i_shift_right(v, n) _mm256_srli_epi32(v, n)
static inline vi i_select(vi mask, vi yes, vi no) {
  /* Not _mm256_blendv_epi8, of which gcc 12 makes another function with -funsigned-char. */
  return _mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(no), _mm256_castsi256_ps(yes),
                                              _mm256_castsi256_ps(mask)));
}
static inline int i_all(vi mask) {
  return _mm256_movemask_epi8(mask) == -1;
}

static inline vi i_dot16(vi a, vi b) {
  return _mm256_madd_epi16(a, b);
}

typedef __m256i vtable16;
static inline vtable16 table16(const uint8_t bytes[16]) {
  return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)bytes));
}
#define i_index16(m, at) i_byte_of(i_shift_left(m, 24 - (at)))
static inline vi i_byte_of(vi v) {
  return _mm256_or_si256(_mm256_and_si256(v, _mm256_set1_epi32(0x0F000000)),
                         _mm256_set1_epi32(0x00808080));
}
static inline vf f_table16(vtable16 table, vi index) {
  return _mm256_castsi256_ps(_mm256_shuffle_epi8(table, index));
}

typedef __m256 vtable8;
static inline vtable8 table8(const float entry[8]) {
  return _mm256_loadu_ps(entry);
}
static inline vi i_index8(vi m) {
  return _mm256_srli_epi32(m, 13);
}
static inline vf f_table8(vtable8 table, vi index) {
  return _mm256_permutevar8x32_ps(table, index);
}

static inline vi i_pick(vi index) {
  return index;
}
static inline vf f_pick(const float *from, vi pick) {
  return _mm256_permutevar8x32_ps(f_load(from), pick);
}

static inline vf f_look_up(const float *table, vi index) {
  return _mm256_i32gather_ps(table, index, 4);
}
static inline vi i_look_up(const uint8_t *table, vi index) {
  const __m256i words = _mm256_i32gather_epi32((const int *)(const void *)table, index, 1);
  return _mm256_and_si256(words, _mm256_set1_epi32(0xFF));
}

static inline vd d_set(double v) {
  const __m256d all = _mm256_set1_pd(v);
  return (vd){all, all};
}
static inline vd d_lane_number(void) {
  return (vd){_mm256_setr_pd(0, 1, 4, 5), _mm256_setr_pd(2, 3, 6, 7)};
}
static inline vd d_add(vd a, vd b) {
  return (vd){_mm256_add_pd(a.low, b.low), _mm256_add_pd(a.high, b.high)};
}
static inline vd d_sub(vd a, vd b) {
  return (vd){_mm256_sub_pd(a.low, b.low), _mm256_sub_pd(a.high, b.high)};
}
static inline vd d_mul(vd a, vd b) {
  return (vd){_mm256_mul_pd(a.low, b.low), _mm256_mul_pd(a.high, b.high)};
}
static inline vd d_div(vd a, vd b) {
  return (vd){_mm256_div_pd(a.low, b.low), _mm256_div_pd(a.high, b.high)};
}
static inline vd d_floor(vd v) {
  return (vd){_mm256_floor_pd(v.low), _mm256_floor_pd(v.high)};
}
/* The current direction is to nearest even: the library's boundary sees to it. Naming that
 * direction would have SIMDe 0.7.4 round ties away from zero on AArch64. */
static inline vd d_round(vd v) {
  return (vd){_mm256_round_pd(v.low, _MM_FROUND_CUR_DIRECTION),
              _mm256_round_pd(v.high, _MM_FROUND_CUR_DIRECTION)};
}
static inline __m256d d_middle_quarters_exchanged(__m256d v) {
  return _mm256_permute4x64_pd(v, 0xD8);
}
static inline vd d_load(const double *from) {
  const __m256d low = _mm256_castpd128_pd256(_mm_loadu_pd(from));
  const __m256d high = _mm256_castpd128_pd256(_mm_loadu_pd(from + 2));
  return (vd){_mm256_insertf128_pd(low, _mm_loadu_pd(from + 4), 1),
              _mm256_insertf128_pd(high, _mm_loadu_pd(from + 6), 1)};
}
static inline vd d_load_floats(const float *from) {
  const __m128 a = _mm_loadu_ps(from), b = _mm_loadu_ps(from + 4);
  return (vd){_mm256_cvtps_pd(_mm_movelh_ps(a, b)), _mm256_cvtps_pd(_mm_movehl_ps(b, a))};
}
static inline void d_store(double *to, vd v) {
  _mm256_storeu_pd(to, v.low);
  _mm256_storeu_pd(to + 4, v.high);
}
static inline vd d_reload(const double *from) {
  return (vd){_mm256_loadu_pd(from), _mm256_loadu_pd(from + 4)};
}
static inline vd d_add_words(vd a, vd b) {
  return (vd){
      _mm256_castsi256_pd(_mm256_add_epi64(_mm256_castpd_si256(a.low), _mm256_castpd_si256(b.low))),
      _mm256_castsi256_pd(
          _mm256_add_epi64(_mm256_castpd_si256(a.high), _mm256_castpd_si256(b.high)))};
}
static inline void d_split(vd v, vi *cell, vf *fraction) {
  const __m256 a = _mm256_castsi256_ps(_mm256_slli_epi64(_mm256_castpd_si256(v.low), 8));
  const __m256 b = _mm256_castsi256_ps(_mm256_slli_epi64(_mm256_castpd_si256(v.high), 8));
  const __m256i low = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0x88));
  *cell = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0xDD));
  *fraction =
      _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_srli_epi32(low, 8)), _mm256_set1_ps(0x1p-24f));
}
static inline vi i_max_unsigned(vi a, vi b) {
  return _mm256_max_epu32(a, b);
}
static inline vf f_from_d(vd v) {
  const vf of = _mm256_set_m128(_mm256_cvtpd_ps(v.high), _mm256_cvtpd_ps(v.low));
  return _mm256_castpd_ps(d_middle_quarters_exchanged(_mm256_castps_pd(of)));
}
static inline vi i_from_d(vd v) {
  const vi of = _mm256_set_m128i(_mm256_cvtpd_epi32(v.high), _mm256_cvtpd_epi32(v.low));
  return _mm256_castpd_si256(d_middle_quarters_exchanged(_mm256_castsi256_pd(of)));
}

LANES_END

#endif

#endif
