/* SPDX-License-Identifier: MIT
 *
 * The lane words in SSE4.1, 4 samples at a time. src/noise/words.h says what each word means.
 */
#ifndef PERLANE_SSE_LANES_H
#define PERLANE_SSE_LANES_H

#include <string.h>

#include "../compiler.h"
#include "../isa.h"

#if (defined(PERLANE_X86) && !defined(PERLANE_NO_SSE41)) || defined(PERLANE_EMULATED)
#include "../x86.h"

#define LANES 4
#define ROWS_TOGETHER 3
#define ALIGNED_LOADS
#define LANES_BEGIN PERLANE_TARGET_BEGIN("sse4.1")
#define LANES_END PERLANE_TARGET_END

LANES_BEGIN

typedef __m128 vf;
typedef __m128i vi;
typedef struct {
  __m128d low, high;
} vd;
typedef __m128i vtable16, vtable8;

#define f_keep(v) PERLANE_KEEP("+x", v)
#define MM(name) _mm_##name
#define MM_SI(name) _mm_##name##_si128
#define MM_CASTSI(type) _mm_castsi128_##type
#define MM_ROUND(v, type, mode) _mm_round_##type(v, mode)
#define MM_EACH(v) (v)
#include "../x86/words.h"

OF_ONE(f_load_aligned, vf, const float *, _mm_load_ps)
PERLANE_INLINE vi i_load_aligned(const uint32_t *from) {
  return _mm_load_si128((const __m128i *)(const void *)from);
}
PERLANE_INLINE void f_store_some(float *to, vf v, size_t n) {
  float lane[4];
  f_store(lane, v);
  memcpy(to, lane, n * sizeof(float));
}

PERLANE_INLINE vi f_not_above(vf a, vf b) {
  return _mm_castps_si128(_mm_cmple_ps(a, b));
}
PERLANE_INLINE vf f_select_below(vf a, vf b, vf yes, vf no) {
  return _mm_blendv_ps(no, yes, _mm_cmplt_ps(a, b));
}

PERLANE_INLINE void u16_store(uint16_t *to, vi a, vi b) {
  _mm_storeu_si128((__m128i *)(void *)to, _mm_packus_epi32(a, b));
}
PERLANE_INLINE void u8_store(uint8_t *to, vi a, vi b) {
  const __m128i pairs = _mm_packs_epi32(a, b);
  _mm_storel_epi64((__m128i *)(void *)to, _mm_packus_epi16(pairs, pairs));
}

/* Bytes 0..7 of a table of 8 are the top bytes of its entries, 8..15 the ones below; the other 16
 * bits are zero. */
PERLANE_INLINE vtable8 table8(const float entry[8]) {
  const __m128i pick = _mm_setr_epi8(3, 7, 11, 15, NO_BYTE, NO_BYTE, NO_BYTE, NO_BYTE, 2, 6, 10, 14,
                                     NO_BYTE, NO_BYTE, NO_BYTE, NO_BYTE);
  const vi first = i_bits(f_load(entry)), last = i_bits(f_load(entry + 4));
  return i_or(_mm_shuffle_epi8(first, pick), _mm_slli_epi64(_mm_shuffle_epi8(last, pick), 32));
}

PERLANE_INLINE vi i_index8(vi m) {
  const vi twice = _mm_setr_epi8(NO_BYTE, NO_BYTE, 0, 0, NO_BYTE, NO_BYTE, 4, 4, NO_BYTE, NO_BYTE,
                                 8, 8, NO_BYTE, NO_BYTE, 12, 12);
  const vi index = _mm_srli_epi16(m, 13); /* of the lower halves */
  return i_or(_mm_shuffle_epi8(index, twice), i_set(0x00088080));
}
PERLANE_INLINE vf f_table8(vtable8 table, vi index) {
  return f_table16(table, index);
}

/* The four bytes of entry i are 4i, 4i + 1, 4i + 2, 4i + 3. */
PERLANE_INLINE vi i_pick(vi index) {
  return i_add(i_mul(index, i_set(0x04040404)), i_set(0x03020100));
}
PERLANE_INLINE vf f_pick(const float *from, vi pick) {
  return f_table16(i_bits(f_load(from)), pick);
}

/* Returns the bits of what is there, of whatever type it is. (Not as a float: where 32-bit x86
 * returns one in an x87 register, that quiets NaN.) */
PERLANE_INLINE int bits_at(const float *at) {
  int v;
  memcpy(&v, at, sizeof v);
  return v;
}
PERLANE_INLINE vf f_look_up(const float *table, vi index) {
  return f_bits(_mm_setr_epi32(
      bits_at(table + _mm_cvtsi128_si32(index)), bits_at(table + _mm_extract_epi32(index, 1)),
      bits_at(table + _mm_extract_epi32(index, 2)), bits_at(table + _mm_extract_epi32(index, 3))));
}
PERLANE_INLINE vi i_look_up(const uint8_t *table, vi index) {
  return _mm_setr_epi32(table[_mm_cvtsi128_si32(index)], table[_mm_extract_epi32(index, 1)],
                        table[_mm_extract_epi32(index, 2)], table[_mm_extract_epi32(index, 3)]);
}

PERLANE_INLINE vd d_load(const double *from) {
  return (vd){_mm_loadu_pd(from), _mm_loadu_pd(from + 2)};
}
PERLANE_INLINE vd d_load_floats(const float *from) {
  const __m128i low = _mm_loadl_epi64((const __m128i *)(const void *)from);
  const __m128i high = _mm_loadl_epi64((const __m128i *)(const void *)(from + 2));
  return (vd){_mm_cvtps_pd(_mm_castsi128_ps(low)), _mm_cvtps_pd(_mm_castsi128_ps(high))};
}
PERLANE_INLINE vd d_reload(const double *from) {
  return (vd){_mm_load_pd(from), _mm_load_pd(from + 2)};
}
PERLANE_INLINE vf f_from_d(vd v) {
  return _mm_movelh_ps(_mm_cvtpd_ps(v.low), _mm_cvtpd_ps(v.high));
}
PERLANE_INLINE vi i_from_d(vd v) {
  return _mm_unpacklo_epi64(_mm_cvtpd_epi32(v.low), _mm_cvtpd_epi32(v.high));
}

LANES_END

#endif

#endif
