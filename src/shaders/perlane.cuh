/* SPDX-License-Identifier: MIT
 *
 * perlane in CUDA: perlane_column(words, i, j, k). Compile with any flags of nvcc but -use_fast_math,
 * and by clang with -ffp-contract=off.
 */
#ifdef __FAST_MATH__
#error "perlane: fast arithmetic changes results"
#endif
typedef unsigned int uint;

/* A float whose products and sums nvcc never fuses, as it does those of plain floats unless
 * -fmad=false is given. */
struct perlane_float {
  float plain;
  perlane_float() = default;
  __device__ perlane_float(float v) : plain(v) {}
  __device__ operator float() const { return plain; }
};
#define PERLANE_OPERATOR(sign, operation)                                                          \
  static inline __device__ perlane_float operator sign(perlane_float a, perlane_float b) {         \
    return operation;                                                                              \
  }                                                                                                \
  static inline __device__ perlane_float operator sign(perlane_float a, float b) {                 \
    return a sign perlane_float(b);                                                                \
  }                                                                                                \
  static inline __device__ perlane_float operator sign(float a, perlane_float b) {                 \
    return perlane_float(a) sign b;                                                                \
  }
PERLANE_OPERATOR(+, __fadd_rn(a.plain, b.plain))
PERLANE_OPERATOR(-, __fsub_rn(a.plain, b.plain))
PERLANE_OPERATOR(*, __fmul_rn(a.plain, b.plain))
PERLANE_OPERATOR(/, a.plain / b.plain)
#undef PERLANE_OPERATOR

template <class T> static inline __device__ T perlane_select(bool condition, T yes, T no) {
  return condition ? yes : no;
}
static inline __device__ perlane_float perlane_select(bool condition, perlane_float yes, float no) {
  return condition ? yes.plain : no;
}
static inline __device__ perlane_float perlane_select(bool condition, float yes, perlane_float no) {
  return condition ? yes : no.plain;
}

#define PERLANE_FN static inline __device__
#define PERLANE_EXACT
#define PERLANE_STRUCT(name) struct name {
#define PERLANE_END };
#define PERLANE_WORDS const uint *perlane_words,
#define PERLANE_PASS perlane_words,
#define PERLANE_PART(at) perlane_words + (at),
#define PERLANE_ENTRY PERLANE_WORDS
#define PERLANE_ENTER PERLANE_PASS
#define PERLANE_WORD(i) perlane_words[i]
#define PERLANE_FLOAT_OF_BITS(u) perlane_float(__uint_as_float(u))
#define PERLANE_BITS_OF_FLOAT(f) __float_as_uint(f)
#define PERLANE_FLOAT(u) perlane_float(__uint2float_rn(u))
#define PERLANE_UINT(f) ((uint)(f))
#define PERLANE_ROOT(f) sqrtf(f)
#define PERLANE_SELECT(condition, yes, no) perlane_select(condition, yes, no)
#define float perlane_float
#include "perlane_core.h"
#include "perlane_points.h"
#include "perlane_cells.h"
#include "perlane_simplex.h"
#include "perlane_fields.h"
#undef float
