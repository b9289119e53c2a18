/* SPDX-License-Identifier: MIT
 *
 * The lane words that SSE4.1, AVX2 and AVX-512 share: intrinsics that differ in a prefix. A set's
 * lanes.h includes this after LANES, the types and these macros:
 *   MM(name)                   an intrinsic: MM(add_ps) is _mm256_add_ps in AVX2
 *   MM_SI(name)                one of integer vectors: MM_SI(and) is _mm256_and_si256
 *   MM_CASTSI(type)            the cast from integer vectors to ps or pd
 *   MM_ROUND(v, type, mode)    rounds ps or pd to whole numbers
 *   MM_EACH(v)                 v in each 128 bits, in sets without registers for masks
 * No FMA: a fused multiply-add rounds once where the specification rounds twice.
 */
#ifndef PERLANE_X86_WORDS_H
#define PERLANE_X86_WORDS_H

#define STREAMS 1

#define OF_ONE(word, result, type, intrinsic)                                                      \
  PERLANE_INLINE result word(type v) {                                                             \
    return intrinsic(v);                                                                           \
  }
#define OF_TWO(word, type, intrinsic)                                                              \
  PERLANE_INLINE type word(type a, type b) {                                                       \
    return intrinsic(a, b);                                                                        \
  }

OF_ONE(f_load, vf, const float *, MM(loadu_ps))
PERLANE_INLINE void f_store(float *to, vf v) {
  MM(storeu_ps)(to, v);
}
PERLANE_INLINE void f_stream(float *to, vf v) {
  MM(stream_ps)(to, v);
}
PERLANE_INLINE void stream_fence(void) {
  _mm_sfence();
}
PERLANE_INLINE vi i_load(const uint32_t *from) {
  return MM_SI(loadu)((const vi *)(const void *)from);
}
PERLANE_INLINE void i_store(uint32_t *to, vi v) {
  MM_SI(storeu)((vi *)(void *)to, v);
}

OF_ONE(f_set, vf, float, MM(set1_ps))
OF_TWO(f_add, vf, MM(add_ps))
OF_TWO(f_sub, vf, MM(sub_ps))
OF_TWO(f_mul, vf, MM(mul_ps))
OF_TWO(f_div, vf, MM(div_ps))
OF_TWO(f_min, vf, MM(min_ps))
OF_TWO(f_max, vf, MM(max_ps))
OF_ONE(f_sqrt, vf, vf, MM(sqrt_ps))
PERLANE_INLINE vf f_floor(vf v) {
  return MM_ROUND(v, ps, _MM_FROUND_FLOOR);
}
OF_ONE(f_from_i, vf, vi, MM(cvtepi32_ps))
OF_ONE(i_from_f, vi, vf, MM(cvtps_epi32))
OF_ONE(f_bits, vf, vi, MM_CASTSI(ps))
OF_ONE(i_bits, vi, vf, MM_SI(castps))

PERLANE_INLINE vi i_set(uint32_t v) {
  return MM(set1_epi32)((int)v);
}
OF_TWO(i_add, vi, MM(add_epi32))
OF_TWO(i_sub, vi, MM(sub_epi32))
OF_TWO(i_mul, vi, MM(mullo_epi32))
OF_TWO(i_and, vi, MM_SI(and))
OF_TWO(i_or, vi, MM_SI(or))
OF_TWO(i_xor, vi, MM_SI(xor))
OF_TWO(i_dot16, vi, MM(madd_epi16))
OF_TWO(i_max_unsigned, vi, MM(max_epu32))
#define i_shift_left(v, n) MM(slli_epi32)(v, n)
#define i_shift_right(v, n) MM(srli_epi32)(v, n)

PERLANE_INLINE vd d_set(double v) {
  return (vd){MM(set1_pd)(v), MM(set1_pd)(v)};
}
#define OF_DOUBLES(word, name)                                                                     \
  PERLANE_INLINE vd word(vd a, vd b) {                                                             \
    return (vd){MM(name)(a.low, b.low), MM(name)(a.high, b.high)};                                 \
  }
OF_DOUBLES(d_add, add_pd)
OF_DOUBLES(d_sub, sub_pd)
OF_DOUBLES(d_mul, mul_pd)
OF_DOUBLES(d_div, div_pd)
PERLANE_INLINE vd d_floor(vd v) {
  return (vd){MM_ROUND(v.low, pd, _MM_FROUND_FLOOR), MM_ROUND(v.high, pd, _MM_FROUND_FLOOR)};
}
/* The current direction is to nearest even: the library's boundary sees to it. Naming that
 * direction would have SIMDe 0.7.4 round ties away from zero on AArch64. */
PERLANE_INLINE vd d_round(vd v) {
  return (vd){MM_ROUND(v.low, pd, _MM_FROUND_CUR_DIRECTION),
              MM_ROUND(v.high, pd, _MM_FROUND_CUR_DIRECTION)};
}
PERLANE_INLINE void d_store(double *to, vd v) {
  MM(storeu_pd)(to, v.low);
  MM(storeu_pd)(to + LANES / 2, v.high);
}
PERLANE_INLINE vd d_add_words(vd a, vd b) {
  return (vd){MM_CASTSI(pd)(MM(add_epi64)(MM_SI(castpd)(a.low), MM_SI(castpd)(b.low))),
              MM_CASTSI(pd)(MM(add_epi64)(MM_SI(castpd)(a.high), MM_SI(castpd)(b.high)))};
}

#if LANES < 16 /* SSE4.1 and AVX2, which have no registers for masks */
OF_TWO(i_equal, vi, MM(cmpeq_epi32))
PERLANE_INLINE int m_all(vi mask) {
  return MM(movemask_ps)(f_bits(mask)) == (1 << LANES) - 1;
}
/* Not blendv_epi8, of which gcc 12 makes another function with -funsigned-char. */
PERLANE_INLINE vi i_select(vi mask, vi yes, vi no) {
  return i_bits(MM(blendv_ps)(f_bits(no), f_bits(yes), f_bits(mask)));
}

PERLANE_INLINE vtable16 table16(const uint8_t bytes[16]) {
  return MM_EACH(_mm_loadu_si128((const __m128i *)(const void *)bytes));
}
PERLANE_INLINE vi i_byte_of(vi v) {
  return i_or(i_and(v, i_set(0x0F000000)), i_set(0x00808080));
}
#define i_index16(m, at) i_byte_of(i_shift_left(m, 24 - (at)))
PERLANE_INLINE vf f_table16(vtable16 table, vi index) {
  return f_bits(MM(shuffle_epi8)(table, index));
}

/* In place of a byte's index: 0. A cast, as char may be unsigned. */
#define NO_BYTE (char)0x80

/* Bytes 0 to 2 of a double's bits are the fraction, bytes 3 to 6 the cell. */
PERLANE_INLINE void d_split(vd v, vi *cell, vf *fraction) {
  const vi parts =
      MM_EACH(_mm_setr_epi8(0, 1, 2, NO_BYTE, 8, 9, 10, NO_BYTE, 3, 4, 5, 6, 11, 12, 13, 14));
  const vi a = MM(shuffle_epi8)(MM_SI(castpd)(v.low), parts);
  const vi b = MM(shuffle_epi8)(MM_SI(castpd)(v.high), parts);
  *cell = MM(unpackhi_epi64)(a, b);
  *fraction = f_mul(f_from_i(MM(unpacklo_epi64)(a, b)), f_set(0x1p-24f));
}
#endif

#if LANES > 4 /* AVX2 and AVX-512 */
/* Permutations look at the lower bits of an index. */
PERLANE_INLINE vi i_index8(vi m) {
  return i_shift_right(m, 13);
}
PERLANE_INLINE vi i_pick(vi index) {
  return index;
}
PERLANE_INLINE vd d_reload(const double *from) {
  return (vd){MM(loadu_pd)(from), MM(loadu_pd)(from + LANES / 2)};
}
#endif

#endif
