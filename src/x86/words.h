/* SPDX-License-Identifier: MIT
 *
 * The lane words that SSE4.1, AVX2 and AVX-512 share: intrinsics that differ in a prefix. A set's
 * lanes.h includes this after LANES, the types and these macros:
 *   MM(name)                   an intrinsic: MM(add_ps) is _mm256_add_ps in AVX2
 *   MM_SI(name)                one of integer vectors: MM_SI(and) is _mm256_and_si256
 *   MM_CASTSI(type)            the cast from integer vectors to ps or pd
 *   MM_ROUND(v, type, mode)    rounds ps or pd to whole numbers
 * No FMA: a fused multiply-add rounds once where the specification rounds twice.
 */
#ifndef PERLANE_X86_WORDS_H
#define PERLANE_X86_WORDS_H

#define STREAMS 1

PERLANE_INLINE vf f_load(const float *from) {
  return MM(loadu_ps)(from);
}
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

PERLANE_INLINE vf f_set(float v) {
  return MM(set1_ps)(v);
}
#define OF_FLOATS(word, name)                                                                      \
  PERLANE_INLINE vf word(vf a, vf b) {                                                             \
    return MM(name)(a, b);                                                                         \
  }
OF_FLOATS(f_add, add_ps)
OF_FLOATS(f_sub, sub_ps)
OF_FLOATS(f_mul, mul_ps)
OF_FLOATS(f_div, div_ps)
OF_FLOATS(f_min, min_ps)
OF_FLOATS(f_max, max_ps)
PERLANE_INLINE vf f_sqrt(vf v) {
  return MM(sqrt_ps)(v);
}
PERLANE_INLINE vf f_floor(vf v) {
  return MM_ROUND(v, ps, _MM_FROUND_FLOOR);
}
PERLANE_INLINE vf f_from_i(vi v) {
  return MM(cvtepi32_ps)(v);
}
PERLANE_INLINE vi i_from_f(vf v) {
  return MM(cvtps_epi32)(v);
}
PERLANE_INLINE vf f_bits(vi v) {
  return MM_CASTSI(ps)(v);
}
PERLANE_INLINE vi i_bits(vf v) {
  return MM_SI(castps)(v);
}

PERLANE_INLINE vi i_set(uint32_t v) {
  return MM(set1_epi32)((int)v);
}
#define OF_WORDS(word, intrinsic)                                                                  \
  PERLANE_INLINE vi word(vi a, vi b) {                                                             \
    return intrinsic(a, b);                                                                        \
  }
OF_WORDS(i_add, MM(add_epi32))
OF_WORDS(i_sub, MM(sub_epi32))
OF_WORDS(i_mul, MM(mullo_epi32))
OF_WORDS(i_and, MM_SI(and))
OF_WORDS(i_or, MM_SI(or))
OF_WORDS(i_xor, MM_SI(xor))
OF_WORDS(i_dot16, MM(madd_epi16))
OF_WORDS(i_max_unsigned, MM(max_epu32))
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
OF_WORDS(i_equal, MM(cmpeq_epi32))
PERLANE_INLINE int i_all(vi mask) {
  return MM(movemask_ps)(f_bits(mask)) == (1 << LANES) - 1;
}
/* Not blendv_epi8, of which gcc 12 makes another function with -funsigned-char. */
PERLANE_INLINE vi i_select(vi mask, vi yes, vi no) {
  return i_bits(MM(blendv_ps)(f_bits(no), f_bits(yes), f_bits(mask)));
}
PERLANE_INLINE vi i_byte_of(vi v) {
  return i_or(i_and(v, i_set(0x0F000000)), i_set(0x00808080));
}
#define i_index16(m, at) i_byte_of(i_shift_left(m, 24 - (at)))
PERLANE_INLINE vf f_table16(vtable16 table, vi index) {
  return f_bits(MM(shuffle_epi8)(table, index));
}
/* Byte shuffles, which take fewer steps than shifts: the fraction's three bytes, the cell's four.
 */
PERLANE_INLINE void d_split(vd v, vi *cell, vf *fraction) {
  static const uint8_t order[32] = {0, 1, 2, 0x80, 8, 9, 10, 0x80, 3, 4, 5, 6, 11, 12, 13, 14,
                                    0, 1, 2, 0x80, 8, 9, 10, 0x80, 3, 4, 5, 6, 11, 12, 13, 14};
  const vi bytes = i_load((const uint32_t *)(const void *)order);
  const vi low = MM(shuffle_epi8)(MM_SI(castpd)(v.low), bytes);
  const vi high = MM(shuffle_epi8)(MM_SI(castpd)(v.high), bytes);
  *cell = MM(unpackhi_epi64)(low, high);
  *fraction = f_mul(f_from_i(MM(unpacklo_epi64)(low, high)), f_set(0x1p-24f));
}
#endif

#if LANES > 4 /* AVX2 and AVX-512 */
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
