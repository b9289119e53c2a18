/* SPDX-License-Identifier: MIT
 *
 * The lane words in AVX-512 (F, VL, BW and DQ), 16 samples at a time. src/noise/words.h says what
 * each word means.
 */
#ifndef PERLANE_AVX512_LANES_H
#define PERLANE_AVX512_LANES_H

#include "../compiler.h"
#include "../isa.h"

#if (defined(PERLANE_X86) && !defined(PERLANE_NO_AVX512)) || defined(PERLANE_EMULATED)
#include "../x86.h"

#define LANES 16
#define ROWS_TOGETHER 4
/* clang 18 to 21 and gcc 14 can do without vectors of 512 bits (-mno-evex512), and zig, which lists
 * all features that a CPU may lack, has them do so. Other versions refuse the name. */
#if defined(__clang__) ? __clang_major__ >= 18 && __clang_major__ <= 21 : __GNUC__ == 14
#define LANES_BEGIN PERLANE_TARGET_BEGIN("avx512f,avx512vl,avx512bw,avx512dq,evex512")
#else
#define LANES_BEGIN PERLANE_TARGET_BEGIN("avx512f,avx512vl,avx512bw,avx512dq")
#endif
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
typedef __m512 vtable16, vtable8;
typedef __mmask16 vm;

#define f_keep(v) PERLANE_KEEP("+v", v)
#define MM(name) _mm512_##name
#define MM_SI(name) _mm512_##name##_si512
#define MM_CASTSI(type) _mm512_castsi512_##type
#define MM_ROUND(v, type, mode) _mm512_roundscale_##type(v, mode)
#include "../x86/words.h"

PERLANE_INLINE void f_store_some(float *to, vf v, size_t n) {
  _mm512_mask_storeu_ps(to, (__mmask16)((1u << n) - 1), v);
}

PERLANE_INLINE vm f_not_above(vf a, vf b) {
  return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ);
}
PERLANE_INLINE vf f_select_below(vf a, vf b, vf yes, vf no) {
  return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(a, b, _CMP_LT_OQ), no, yes);
}

/* The conversions saturate unsigned words, so that what is negative becomes 0 first. */
PERLANE_INLINE void u16_store(uint16_t *to, vi a, vi b) {
  const vi zero = i_set(0);
  __m256i *half = (__m256i *)(void *)to;
  _mm256_storeu_si256(half, _mm512_cvtusepi32_epi16(_mm512_max_epi32(a, zero)));
  _mm256_storeu_si256(half + 1, _mm512_cvtusepi32_epi16(_mm512_max_epi32(b, zero)));
}
PERLANE_INLINE void u8_store(uint8_t *to, vi a, vi b) {
  const vi zero = i_set(0);
  __m128i *half = (__m128i *)(void *)to;
  _mm_storeu_si128(half, _mm512_cvtusepi32_epi8(_mm512_max_epi32(a, zero)));
  _mm_storeu_si128(half + 1, _mm512_cvtusepi32_epi8(_mm512_max_epi32(b, zero)));
}
PERLANE_INLINE vm i_equal(vi a, vi b) {
  return _mm512_cmpeq_epi32_mask(a, b);
}
PERLANE_INLINE vi i_select(vm mask, vi yes, vi no) {
  return _mm512_mask_blend_epi32(mask, no, yes);
}
#define HAS_MASK_REGISTERS
PERLANE_INLINE vm m_and(vm a, vm b) {
  return (vm)(a & b);
}
PERLANE_INLINE vm m_or(vm a, vm b) {
  return (vm)(a | b);
}
PERLANE_INLINE vm m_not(vm mask) {
  return (vm)~mask;
}
PERLANE_INLINE vi m_bits(vm mask) {
  return _mm512_movm_epi32(mask);
}
PERLANE_INLINE int m_all(vm mask) {
  return mask == 0xFFFF;
}

PERLANE_INLINE vtable16 table16(const uint8_t bytes[16]) {
  const __m128i all = _mm_loadu_si128((const __m128i *)(const void *)bytes);
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu8_epi32(all), 24));
}
#define i_index16(m, at) i_shift_right(m, at)
PERLANE_INLINE vf f_table16(vtable16 table, vi index) {
  return _mm512_permutexvar_ps(index, table);
}

/* The entries twice: the permutation looks at 4 bits of an index. */
PERLANE_INLINE vtable8 table8(const float entry[8]) {
  return _mm512_broadcast_f32x8(_mm256_loadu_ps(entry));
}
PERLANE_INLINE vf f_table8(vtable8 table, vi index) {
  return _mm512_permutexvar_ps(index, table);
}
PERLANE_INLINE vf f_pick(const float *from, vi pick) {
  return f_table8(f_load(from), pick);
}

PERLANE_INLINE vf f_look_up(const float *table, vi index) {
  return _mm512_i32gather_ps(index, table, 4);
}
PERLANE_INLINE vi i_look_up(const uint8_t *table, vi index) {
  return i_and(_mm512_i32gather_epi32(index, table, 1), i_set(0xFF));
}

PERLANE_INLINE vd d_load(const double *from) {
  return d_reload(from);
}
PERLANE_INLINE vd d_load_floats(const float *from) {
  return (vd){_mm512_cvtps_pd(_mm256_loadu_ps(from)), _mm512_cvtps_pd(_mm256_loadu_ps(from + 8))};
}
PERLANE_INLINE void d_split(vd v, vi *cell, vf *fraction) {
  const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
  const __m512i odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
  const vi a = _mm512_slli_epi64(_mm512_castpd_si512(v.low), 8);
  const vi b = _mm512_slli_epi64(_mm512_castpd_si512(v.high), 8);
  *cell = _mm512_permutex2var_epi32(a, odd, b);
  *fraction = f_mul(_mm512_cvtepu32_ps(_mm512_permutex2var_epi32(a, even, b)), f_set(0x1p-32f));
}
PERLANE_INLINE vf f_from_d(vd v) {
  return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(v.low)), _mm512_cvtpd_ps(v.high),
                            1);
}
PERLANE_INLINE vi i_from_d(vd v) {
  return _mm512_inserti32x8(_mm512_castsi256_si512(_mm512_cvtpd_epi32(v.low)),
                            _mm512_cvtpd_epi32(v.high), 1);
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

LANES_END

#endif

#endif
