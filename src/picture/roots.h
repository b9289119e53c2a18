/* SPDX-License-Identifier: MIT
 *
 * Square roots, rounded correctly, in one instruction: the library calls no sqrt, whose errno would
 * keep compilers from that.
 */
#ifndef PERLANE_ROOTS_H
#define PERLANE_ROOTS_H

#include "../isa.h"

#if defined(PERLANE_X86)
#include <emmintrin.h>

static inline float perlane_root_of_float(float v) {
  return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(v)));
}

static inline double perlane_root_of_double(double v) {
  const __m128d vector = _mm_set_sd(v);
  return _mm_cvtsd_f64(_mm_sqrt_sd(vector, vector));
}

#elif defined(__aarch64__) || defined(_M_ARM64)
#include <arm_neon.h>

static inline float perlane_root_of_float(float v) {
  return vget_lane_f32(vsqrt_f32(vdup_n_f32(v)), 0);
}

static inline double perlane_root_of_double(double v) {
  return vget_lane_f64(vsqrt_f64(vdup_n_f64(v)), 0);
}

#else /* WebAssembly's instructions; elsewhere in libm, which those machines link */

static inline float perlane_root_of_float(float v) {
  return __builtin_sqrtf(v);
}

static inline double perlane_root_of_double(double v) {
  return __builtin_sqrt(v);
}
#endif

#endif
