/* SPDX-License-Identifier: MIT
 *
 * The lane words in AVX2, 8 samples at a time. src/noise/words.h says what each word means.
 */
#ifndef PERLANE_AVX2_LANES_H
#define PERLANE_AVX2_LANES_H

#include "../compiler.h"
#include "../isa.h"

#if (defined(PERLANE_X86) && !defined(PERLANE_NO_AVX2)) || defined(PERLANE_EMULATED)
#include "../x86.h"

#define LANES 8
#define ROWS_TOGETHER 3
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
typedef __m256i vtable16;
typedef __m256 vtable8;

#define f_keep(v) PERLANE_KEEP("+x", v)
#define MM(name) _mm256_##name
#define MM_SI(name) _mm256_##name##_si256
#define MM_CASTSI(type) _mm256_castsi256_##type
#define MM_ROUND(v, type, mode) _mm256_round_##type(v, mode)
#define MM_EACH(v) _mm256_broadcastsi128_si256(v)
#include "../x86/words.h"

PERLANE_INLINE void f_store_some(float *to, vf v, size_t n) {
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  _mm256_maskstore_ps(to, _mm256_cmpgt_epi32(_mm256_set1_epi32((int)n), lane), v);
}

PERLANE_INLINE vi f_not_above(vf a, vf b) {
  return _mm256_castps_si256(_mm256_cmp_ps(a, b, _CMP_LE_OQ));
}
PERLANE_INLINE vf f_select_below(vf a, vf b, vf yes, vf no) {
  return _mm256_blendv_ps(no, yes, _mm256_cmp_ps(a, b, _CMP_LT_OQ));
}

PERLANE_INLINE void u16_store(uint16_t *to, vi a, vi b) {
  const __m256i words = _mm256_permute4x64_epi64(_mm256_packus_epi32(a, b), 0xD8);
  _mm256_storeu_si256((__m256i *)(void *)to, words);
}
PERLANE_INLINE void u8_store(uint8_t *to, vi a, vi b) {
  const __m256i words = _mm256_permute4x64_epi64(_mm256_packs_epi32(a, b), 0xD8);
  const __m128i bytes =
      _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
  _mm_storeu_si128((__m128i *)(void *)to, bytes);
}

PERLANE_INLINE vtable8 table8(const float entry[8]) {
  return f_load(entry);
}
PERLANE_INLINE vf f_table8(vtable8 table, vi index) {
  return _mm256_permutevar8x32_ps(table, index);
}
PERLANE_INLINE vf f_pick(const float *from, vi pick) {
  return f_table8(f_load(from), pick);
}

PERLANE_INLINE vf f_look_up(const float *table, vi index) {
  return _mm256_i32gather_ps(table, index, 4);
}
PERLANE_INLINE vi i_look_up(const uint8_t *table, vi index) {
  return i_and(_mm256_i32gather_epi32((const int *)(const void *)table, index, 1), i_set(0xFF));
}

PERLANE_INLINE __m256d d_middle_quarters_exchanged(__m256d v) {
  return _mm256_permute4x64_pd(v, 0xD8);
}
PERLANE_INLINE vd d_load(const double *from) {
  const __m256d low = _mm256_castpd128_pd256(_mm_loadu_pd(from));
  const __m256d high = _mm256_castpd128_pd256(_mm_loadu_pd(from + 2));
  return (vd){_mm256_insertf128_pd(low, _mm_loadu_pd(from + 4), 1),
              _mm256_insertf128_pd(high, _mm_loadu_pd(from + 6), 1)};
}
PERLANE_INLINE vd d_load_floats(const float *from) {
  const __m128 a = _mm_loadu_ps(from), b = _mm_loadu_ps(from + 4);
  return (vd){_mm256_cvtps_pd(_mm_movelh_ps(a, b)), _mm256_cvtps_pd(_mm_movehl_ps(b, a))};
}
PERLANE_INLINE vf f_from_d(vd v) {
  const vf of = _mm256_set_m128(_mm256_cvtpd_ps(v.high), _mm256_cvtpd_ps(v.low));
  return _mm256_castpd_ps(d_middle_quarters_exchanged(_mm256_castps_pd(of)));
}
PERLANE_INLINE vi i_from_d(vd v) {
  const vi of = _mm256_set_m128i(_mm256_cvtpd_epi32(v.high), _mm256_cvtpd_epi32(v.low));
  return _mm256_castpd_si256(d_middle_quarters_exchanged(_mm256_castsi256_pd(of)));
}

LANES_END

#endif

#endif
