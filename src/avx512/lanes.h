/* SPDX-License-Identifier: MIT
 *
 * The lane words in AVX-512 (F, VL, BW and DQ), 16 samples at a time. src/noise/words.h says what
 * each word means. No FMA: a fused multiply-add rounds once where the specification rounds twice.
 */
#ifndef PERLANE_AVX512_LANES_H
#define PERLANE_AVX512_LANES_H

#include <stdint.h>
#include <string.h>

#include "../compiler.h"
#include "../isa.h"

#if (defined(PERLANE_X86) && !defined(PERLANE_NO_AVX512)) || defined(PERLANE_EMULATED)
#ifdef PERLANE_EMULATED
#include <simde_avx512.h> /* tests/ */
#else
#include "../x86.h"
#endif

#define LANES 16
#define ROWS_TOGETHER 4
#define EDGES_APART 0
#define STREAMS 1
#define LANES_BEGIN PERLANE_TARGET_BEGIN("avx512f,avx512vl,avx512bw,avx512dq")
#define LANES_END PERLANE_TARGET_END

LANES_BEGIN

/* Without optimisation gcc's intrinsics with an immediate are macros, which convert their masks
 * in a way that the warning does not like. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif

typedef __m512 vf;
typedef __m512i vi;
typedef struct {
  __m512d low, high;
} vd;

#define f_keep(v) PERLANE_KEEP("+v", v)
static inline vf f_load(const float *from) {
  return _mm512_loadu_ps(from);
}
static inline vf f_load_aligned(const float *from) {
  return f_load(from);
}
static inline void f_store(float *to, vf v) {
  _mm512_storeu_ps(to, v);
}
static inline void f_stream(float *to, vf v) {
  _mm512_stream_ps(to, v);
}
static inline void f_store_some(float *to, vf v, size_t n) {
  _mm512_mask_storeu_ps(to, (__mmask16)((1u << n) - 1), v);
}
static inline void stream_fence(void) {
  _mm_sfence();
}

static inline vf f_set(float v) {
  return _mm512_set1_ps(v);
}
static inline vf f_add(vf a, vf b) {
  return _mm512_add_ps(a, b);
}
static inline vf f_sub(vf a, vf b) {
  return _mm512_sub_ps(a, b);
}
static inline vf f_mul(vf a, vf b) {
  return _mm512_mul_ps(a, b);
}
static inline vf f_div(vf a, vf b) {
  return _mm512_div_ps(a, b);
}
static inline vf f_sqrt(vf v) {
  return _mm512_sqrt_ps(v);
}
static inline vf f_min(vf a, vf b) {
  return _mm512_min_ps(a, b);
}
static inline vf f_max(vf a, vf b) {
  return _mm512_max_ps(a, b);
}
static inline vf f_floor(vf v) {
  return _mm512_roundscale_ps(v, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}
static inline vi f_not_above(vf a, vf b) {
  return _mm512_movm_epi32(_mm512_cmp_ps_mask(a, b, _CMP_LE_OQ));
}
static inline vf f_select_below(vf a, vf b, vf yes, vf no) {
  return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(a, b, _CMP_LT_OQ), no, yes);
}
static inline vf f_from_i(vi v) {
  return _mm512_cvtepi32_ps(v);
}
static inline vi i_from_f(vf v) {
  return _mm512_cvtps_epi32(v);
}
static inline vf f_bits(vi v) {
  return _mm512_castsi512_ps(v);
}
static inline vi i_bits(vf v) {
  return _mm512_castps_si512(v);
}

static inline vi i_load(const uint32_t *from) {
  return _mm512_loadu_si512(from);
}
static inline vi i_load_aligned(const uint32_t *from) {
  return i_load(from);
}
static inline void i_store(uint32_t *to, vi v) {
  _mm512_storeu_si512(to, v);
}
/* The conversions saturate unsigned words, so that what is negative becomes 0 first. */
static inline void u16_store(uint16_t *to, vi a, vi b) {
  const vi zero = _mm512_setzero_si512();
  __m256i *half = (__m256i *)(void *)to;
  _mm256_storeu_si256(half, _mm512_cvtusepi32_epi16(_mm512_max_epi32(a, zero)));
  _mm256_storeu_si256(half + 1, _mm512_cvtusepi32_epi16(_mm512_max_epi32(b, zero)));
}
static inline void u8_store(uint8_t *to, vi a, vi b) {
  const vi zero = _mm512_setzero_si512();
  __m128i *half = (__m128i *)(void *)to;
  _mm_storeu_si128(half, _mm512_cvtusepi32_epi8(_mm512_max_epi32(a, zero)));
  _mm_storeu_si128(half + 1, _mm512_cvtusepi32_epi8(_mm512_max_epi32(b, zero)));
}
static inline vi i_set(uint32_t v) {
  return _mm512_set1_epi32((int)v);
}
static inline vi i_add(vi a, vi b) {
  return _mm512_add_epi32(a, b);
}
static inline vi i_sub(vi a, vi b) {
  return _mm512_sub_epi32(a, b);
}
static inline vi i_mul(vi a, vi b) {
  return _mm512_mullo_epi32(a, b);
}
static inline vi i_and(vi a, vi b) {
  return _mm512_and_si512(a, b);
}
static inline vi i_or(vi a, vi b) {
  return _mm512_or_si512(a, b);
}
static inline vi i_xor(vi a, vi b) {
  return _mm512_xor_si512(a, b);
}
static inline vi i_equal(vi a, vi b) {
  return _mm512_movm_epi32(_mm512_cmpeq_epi32_mask(a, b));
}
#define i_shift_left(v, n) _mm512_slli_epi32(v, n)
#define i_shift_right(v, n) _mm512_srli_epi32(v, n)
static inline vi i_select(vi mask, vi yes, vi no) {
  return _mm512_mask_blend_epi32(_mm512_movepi32_mask(mask), no, yes);
}
static inline int i_all(vi mask) {
  return _mm512_movepi32_mask(mask) == 0xFFFF;
}

static inline vi i_dot16(vi a, vi b) {
  return _mm512_madd_epi16(a, b);
}

typedef __m512 vtable16;
static inline vtable16 table16(const uint8_t bytes[16]) {
  const __m128i all = _mm_loadu_si128((const __m128i *)(const void *)bytes);
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu8_epi32(all), 24));
}
#define i_index16(m, at) i_shift_right(m, at)
static inline vf f_table16(vtable16 table, vi index) {
  return _mm512_permutexvar_ps(index, table);
}

/* The entries twice: the permutation looks at 4 bits of an index. */
typedef __m512 vtable8;
static inline vtable8 table8(const float entry[8]) {
  return _mm512_broadcast_f32x8(_mm256_loadu_ps(entry));
}
static inline vi i_index8(vi m) {
  return _mm512_srli_epi32(m, 13);
}
static inline vf f_table8(vtable8 table, vi index) {
  return _mm512_permutexvar_ps(index, table);
}

static inline vi i_pick(vi index) {
  return index;
}
static inline vf f_pick(const float *from, vi pick) {
  return _mm512_permutexvar_ps(pick, f_load(from));
}

static inline vf f_look_up(const float *table, vi index) {
  return _mm512_i32gather_ps(index, table, 4);
}
static inline vi i_look_up(const uint8_t *table, vi index) {
  return _mm512_and_si512(_mm512_i32gather_epi32(index, table, 1), _mm512_set1_epi32(0xFF));
}

static inline vd d_set(double v) {
  const __m512d all = _mm512_set1_pd(v);
  return (vd){all, all};
}
static inline vd d_lane_number(void) {
  return (vd){_mm512_setr_pd(0, 1, 2, 3, 4, 5, 6, 7), _mm512_setr_pd(8, 9, 10, 11, 12, 13, 14, 15)};
}
static inline vd d_add(vd a, vd b) {
  return (vd){_mm512_add_pd(a.low, b.low), _mm512_add_pd(a.high, b.high)};
}
static inline vd d_sub(vd a, vd b) {
  return (vd){_mm512_sub_pd(a.low, b.low), _mm512_sub_pd(a.high, b.high)};
}
static inline vd d_mul(vd a, vd b) {
  return (vd){_mm512_mul_pd(a.low, b.low), _mm512_mul_pd(a.high, b.high)};
}
static inline vd d_div(vd a, vd b) {
  return (vd){_mm512_div_pd(a.low, b.low), _mm512_div_pd(a.high, b.high)};
}
static inline vd d_floor(vd v) {
  return (vd){_mm512_roundscale_pd(v.low, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC),
              _mm512_roundscale_pd(v.high, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC)};
}
/* The current direction is to nearest even: the library's boundary sees to it. */
static inline vd d_round(vd v) {
  return (vd){_mm512_roundscale_pd(v.low, _MM_FROUND_CUR_DIRECTION),
              _mm512_roundscale_pd(v.high, _MM_FROUND_CUR_DIRECTION)};
}
static inline vd d_load(const double *from) {
  return (vd){_mm512_loadu_pd(from), _mm512_loadu_pd(from + 8)};
}
static inline vd d_load_floats(const float *from) {
  return (vd){_mm512_cvtps_pd(_mm256_loadu_ps(from)), _mm512_cvtps_pd(_mm256_loadu_ps(from + 8))};
}
static inline void d_store(double *to, vd v) {
  _mm512_storeu_pd(to, v.low);
  _mm512_storeu_pd(to + 8, v.high);
}
static inline vd d_reload(const double *from) {
  return d_load(from);
}
static inline vd d_add_words(vd a, vd b) {
  return (vd){
      _mm512_castsi512_pd(_mm512_add_epi64(_mm512_castpd_si512(a.low), _mm512_castpd_si512(b.low))),
      _mm512_castsi512_pd(
          _mm512_add_epi64(_mm512_castpd_si512(a.high), _mm512_castpd_si512(b.high)))};
}
static inline void d_split(vd v, vi *cell, vf *fraction) {
  const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
  const __m512i odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
  const __m512i a = _mm512_slli_epi64(_mm512_castpd_si512(v.low), 8);
  const __m512i b = _mm512_slli_epi64(_mm512_castpd_si512(v.high), 8);
  const __m512i low = _mm512_permutex2var_epi32(a, even, b);
  *cell = _mm512_permutex2var_epi32(a, odd, b);
  *fraction = _mm512_mul_ps(_mm512_cvtepu32_ps(low), _mm512_set1_ps(0x1p-32f));
}
static inline vi i_max_unsigned(vi a, vi b) {
  return _mm512_max_epu32(a, b);
}
static inline vf f_from_d(vd v) {
  return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(v.low)), _mm512_cvtpd_ps(v.high),
                            1);
}
static inline vi i_from_d(vd v) {
  return _mm512_inserti32x8(_mm512_castsi256_si512(_mm512_cvtpd_epi32(v.low)),
                            _mm512_cvtpd_epi32(v.high), 1);
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

LANES_END

#endif

#endif
