/* SPDX-License-Identifier: MIT
 *
 * SIMDe's AVX-512, with what its version 0.7.4 leaves out and the AVX-512 kernels use: AVX2 on both
 * halves of a register, or plain C.
 */
#include <stdint.h>
#include <string.h>

#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx2.h>
#include <simde/x86/avx512.h>

#ifndef _MM_FROUND_NO_EXC
#define _MM_FROUND_NO_EXC SIMDE_MM_FROUND_NO_EXC
#endif
typedef simde__mmask16 emulated_mask16;
#define __mmask16 emulated_mask16

/* The lanes of a register, in the compiler's own vectors. */
typedef int32_t emulated_i32 __attribute__((vector_size(64)));
typedef uint32_t emulated_u32 __attribute__((vector_size(64)));
typedef uint16_t emulated_u16 __attribute__((vector_size(32)));
typedef uint8_t emulated_u8 __attribute__((vector_size(16)));
typedef float emulated_f32 __attribute__((vector_size(64)));
typedef float emulated_half_f32 __attribute__((vector_size(32)));
typedef double emulated_f64 __attribute__((vector_size(64)));
#define EMULATED_CONVERTED(v, from, to) __builtin_convertvector((from)(v), to)

/* HALVES(name, to, from, expression): a function of a register of type `from`, whose halves are the
 * expression's values of the argument's halves. */
#define HALVES(name, to, to_half, from, from_half, expression)                                     \
  static inline to name(from v) {                                                                  \
    from_half of[2];                                                                               \
    to_half made[2];                                                                               \
    to result;                                                                                     \
    memcpy(of, &v, sizeof of);                                                                     \
    for (int i = 0; i < 2; i++) {                                                                  \
      const from_half half = of[i];                                                                \
      made[i] = expression;                                                                        \
    }                                                                                              \
    memcpy(&result, made, sizeof result);                                                          \
    return result;                                                                                 \
  }
HALVES(emulated_floor_ps, __m512, __m256, __m512, __m256, _mm256_floor_ps(half))
HALVES(emulated_floor_pd, __m512d, __m256d, __m512d, __m256d, _mm256_floor_pd(half))
HALVES(emulated_round_pd, __m512d, __m256d, __m512d, __m256d,
       _mm256_round_pd(half, SIMDE_MM_FROUND_CUR_DIRECTION))
HALVES(emulated_cvtps_epi32, __m512i, __m256i, __m512, __m256, _mm256_cvtps_epi32(half))
HALVES(emulated_cvtpd_epi32, __m256i, __m128i, __m512d, __m256d, _mm256_cvtpd_epi32(half))
#undef HALVES

static inline void emulated_store_some(float *to, unsigned mask, __m512 v) {
  const emulated_f32 lane = (emulated_f32)v;
  for (int i = 0; i < 16; i++)
    if (mask >> i & 1)
      to[i] = lane[i];
}

static inline __m512i emulated_gather(__m512i index, const void *from, size_t scale) {
  int32_t lane[16];
  memcpy(lane, &index, sizeof lane);
  for (int i = 0; i < 16; i++)
    memcpy(&lane[i], (const char *)from + (ptrdiff_t)lane[i] * (ptrdiff_t)scale, sizeof lane[i]);
  memcpy(&index, lane, sizeof index);
  return index;
}

static inline emulated_u32 emulated_at_most(__m512i v, uint32_t most) {
  const emulated_u32 lane = (emulated_u32)v, is_less = (emulated_u32)(lane < most);
  return (lane & is_less) | (most & ~is_less);
}

static inline __m512i emulated_madd_epi16(__m512i a, __m512i b) {
  const emulated_u32 low_a = (emulated_u32)((emulated_i32)((emulated_u32)a << 16) >> 16);
  const emulated_u32 low_b = (emulated_u32)((emulated_i32)((emulated_u32)b << 16) >> 16);
  const emulated_u32 high_a = (emulated_u32)((emulated_i32)a >> 16);
  const emulated_u32 high_b = (emulated_u32)((emulated_i32)b >> 16);
  return (__m512i)(low_a * low_b + high_a * high_b);
}

static inline __m256 emulated_upper_half(__m512 v) {
  __m256 half[2];
  memcpy(half, &v, sizeof half);
  return half[1];
}

#undef _mm512_roundscale_ps
#undef _mm512_roundscale_pd
#undef _mm512_cvtepi32_ps
#undef _mm512_cvtps_epi32
#undef _mm512_cvtpd_ps
#undef _mm512_cvtpd_epi32
#undef _mm512_cvtps_pd
#undef _mm512_stream_ps
#undef _mm512_mask_storeu_ps
#undef _mm512_i32gather_ps
#undef _mm512_i32gather_epi32
#undef _mm512_cvtepu32_ps
#undef _mm512_cvtepu8_epi32
#undef _mm512_cvtusepi32_epi16
#undef _mm512_cvtusepi32_epi8
#undef _mm512_extractf32x8_ps
#undef _mm512_madd_epi16
/* Of floats only down; of doubles down, or in the current direction. */
#define _mm512_roundscale_ps(v, mode) emulated_floor_ps(v)
#define _mm512_roundscale_pd(v, mode)                                                              \
  ((mode) == _MM_FROUND_CUR_DIRECTION ? emulated_round_pd(v) : emulated_floor_pd(v))
#define _mm512_cvtepi32_ps(v) ((__m512)EMULATED_CONVERTED(v, emulated_i32, emulated_f32))
#define _mm512_cvtps_epi32(v) emulated_cvtps_epi32(v)
#define _mm512_cvtpd_ps(v) ((__m256)EMULATED_CONVERTED(v, emulated_f64, emulated_half_f32))
#define _mm512_cvtpd_epi32(v) emulated_cvtpd_epi32(v)
#define _mm512_cvtps_pd(v) ((__m512d)EMULATED_CONVERTED(v, emulated_half_f32, emulated_f64))
#define _mm512_stream_ps(to, v) _mm512_storeu_ps(to, v)
#define _mm512_mask_storeu_ps(to, mask, v) emulated_store_some(to, mask, v)
#define _mm512_i32gather_ps(index, from, scale)                                                    \
  _mm512_castsi512_ps(emulated_gather(index, from, scale))
#define _mm512_i32gather_epi32(index, from, scale) emulated_gather(index, from, scale)
#define _mm512_cvtepu32_ps(v) ((__m512)EMULATED_CONVERTED(v, emulated_u32, emulated_f32))
#define _mm512_cvtepu8_epi32(v) ((__m512i)EMULATED_CONVERTED(v, emulated_u8, emulated_u32))
#define _mm512_cvtusepi32_epi16(v)                                                                 \
  ((__m256i)EMULATED_CONVERTED(emulated_at_most(v, UINT16_MAX), emulated_u32, emulated_u16))
#define _mm512_cvtusepi32_epi8(v)                                                                  \
  ((__m128i)EMULATED_CONVERTED(emulated_at_most(v, UINT8_MAX), emulated_u32, emulated_u8))
#define _mm512_extractf32x8_ps(v, half) emulated_upper_half(v)
#define _mm512_madd_epi16(a, b) emulated_madd_epi16(a, b)
