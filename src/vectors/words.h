/* SPDX-License-Identifier: MIT
 *
 * The lane words that NEON, SIMD128 and portable share, in GNU C's vectors, 4 samples at a time. A
 * set's lanes.h includes this after its macros, and adds the other words:
 *   LOW_WORDS(low, high)       the lower words of two pairs of 64 bits
 *   SELECT(mask, yes, no)      i_select, where the compiler does not find its instruction
 *   HAS_REGISTERS              the machine has vectors of 16 bytes, and this:
 *   BYTES_OF(table, index)     16 bytes of a table; 0 by an index of 0x80
 */
#ifndef PERLANE_VECTORS_WORDS_H
#define PERLANE_VECTORS_WORDS_H

#include <stddef.h>
#include <stdint.h>

#define LANES 4
#define LANES_BEGIN
#define LANES_END

/* clang warns of comparisons whose meaning is to change for vectors of AltiVec's own types. */
#if defined(__clang__) && defined(__ALTIVEC__)
#pragma clang diagnostic ignored "-Wdeprecated-altivec-src-compat"
#endif

typedef float vf __attribute__((vector_size(16)));
typedef uint32_t vi __attribute__((vector_size(16)));
typedef int32_t signed_words __attribute__((vector_size(16)));
typedef double two_doubles __attribute__((vector_size(16)));
typedef uint64_t two_words __attribute__((vector_size(16)));
typedef struct {
  two_doubles low, high;
} vd;
/* Kernels use one piece of memory for floats and for words. */
typedef float any_float __attribute__((may_alias));
typedef uint32_t any_word __attribute__((may_alias));

#ifndef SELECT
#define SELECT(mask, yes, no) (((yes) & (mask)) | ((no) & ~(mask)))
#endif

#ifdef HAS_REGISTERS
typedef float unaligned_vf __attribute__((vector_size(16), aligned(4), may_alias));
typedef uint32_t unaligned_vi __attribute__((vector_size(16), aligned(4), may_alias));
typedef double unaligned_doubles __attribute__((vector_size(16), aligned(8), may_alias));
static inline vf f_load(const float *from) {
  return *(const unaligned_vf *)(const void *)from;
}
static inline vi i_load(const uint32_t *from) {
  return *(const unaligned_vi *)(const void *)from;
}
static inline void f_store(float *to, vf v) {
  *(unaligned_vf *)(void *)to = v;
}
static inline void i_store(uint32_t *to, vi v) {
  *(unaligned_vi *)(void *)to = v;
}
static inline vd d_load(const double *from) {
  return (vd){*(const unaligned_doubles *)(const void *)from,
              *(const unaligned_doubles *)(const void *)(from + 2)};
}
static inline void d_store(double *to, vd v) {
  *(unaligned_doubles *)(void *)to = v.low;
  *(unaligned_doubles *)(void *)(to + 2) = v.high;
}
#else
/* Loads and stores name each lane, which compilers make one instruction of where there is one.
 * Where there is none, gcc would keep a vector that was copied whole in integer registers: on
 * RISC-V that takes 5 times as many instructions. */
static inline vf f_load(const float *from) {
  const any_float *const lane = from;
  return (vf){lane[0], lane[1], lane[2], lane[3]};
}
static inline vi i_load(const uint32_t *from) {
  const any_word *const lane = from;
  return (vi){lane[0], lane[1], lane[2], lane[3]};
}
static inline void f_store(float *to, vf v) {
  any_float *const lane = to;
  for (int i = 0; i < LANES; i++)
    lane[i] = v[i];
}
static inline void i_store(uint32_t *to, vi v) {
  any_word *const lane = to;
  for (int i = 0; i < LANES; i++)
    lane[i] = v[i];
}
static inline vd d_load(const double *from) {
  return (vd){{from[0], from[1]}, {from[2], from[3]}};
}
static inline void d_store(double *to, vd v) {
  for (int i = 0; i < 2; i++) {
    to[i] = v.low[i];
    to[2 + i] = v.high[i];
  }
}
#endif
static inline void f_store_some(float *to, vf v, size_t n) {
  any_float *const lane = to;
  if (n & 2) {
    lane[0] = v[0];
    lane[1] = v[1];
  }
  if (n & 1)
    lane[n - 1] = n == 1 ? v[0] : v[2];
}
static inline vi i_look_up(const uint8_t *table, vi index) {
  const uint32_t lane[4] = {table[index[0]], table[index[1]], table[index[2]], table[index[3]]};
  return i_load(lane);
}
static inline void f_stream(float *to, vf v) {
  f_store(to, v);
}
static inline void stream_fence(void) {}

static inline vf f_set(float v) {
  return (vf){v, v, v, v};
}
#define OF_TWO(word, result, type, operator)                                                       \
  static inline result word(type a, type b) {                                                      \
    return (result)(a operator b);                                                                 \
  }
OF_TWO(f_add, vf, vf, +)
OF_TWO(f_sub, vf, vf, -)
OF_TWO(f_mul, vf, vf, *)
OF_TWO(f_div, vf, vf, /)
OF_TWO(f_not_above, vi, vf, <=)
OF_TWO(i_add, vi, vi, +)
OF_TWO(i_sub, vi, vi, -)
OF_TWO(i_mul, vi, vi, *)
OF_TWO(i_and, vi, vi, &)
OF_TWO(i_or, vi, vi, |)
OF_TWO(i_xor, vi, vi, ^)
OF_TWO(i_equal, vi, vi, ==)
static inline vi i_select(vi mask, vi yes, vi no) {
  return SELECT(mask, yes, no);
}
static inline vf f_select_below(vf a, vf b, vf yes, vf no) {
  return (vf)i_select((vi)(a < b), (vi)yes, (vi)no);
}
#define OF_DOUBLES(word, operator)                                                                 \
  static inline vd word(vd a, vd b) {                                                              \
    return (vd){a.low operator b.low, a.high operator b.high };                                    \
  }
OF_DOUBLES(d_add, +)
OF_DOUBLES(d_sub, -)
OF_DOUBLES(d_mul, *)
OF_DOUBLES(d_div, /)
static inline vf f_bits(vi v) {
  return (vf)v;
}
static inline vi i_bits(vf v) {
  return (vi)v;
}
static inline vf f_from_i(vi v) {
  return __builtin_convertvector((signed_words)v, vf);
}

static inline vi i_set(uint32_t v) {
  return (vi){v, v, v, v};
}
#define i_shift_left(v, n) ((v) << (n))
#define i_shift_right(v, n) ((v) >> (n))

static inline vd d_set(double v) {
  return (vd){{v, v}, {v, v}};
}
static inline vd d_reload(const double *from) {
  return d_load(from);
}
static inline vd d_add_words(vd a, vd b) {
  return (vd){(two_doubles)((two_words)a.low + (two_words)b.low),
              (two_doubles)((two_words)a.high + (two_words)b.high)};
}

/* Adding 1.5 * 2^52 rounds to a whole number, whose lower word is the result. */
static inline vi i_from_d(vd v) {
  const two_doubles term = d_set(0x1.8p52).low;
  const two_words low = (two_words)(v.low + term), high = (two_words)(v.high + term);
  return (vi)LOW_WORDS(low, high);
}

#ifdef HAS_REGISTERS
typedef vi vtable16;
static inline vtable16 table16(const uint8_t bytes[16]) {
  return i_load((const uint32_t *)(const void *)bytes);
}
static inline vf f_table16(vtable16 table, vi index) {
  return (vf)BYTES_OF(table, index);
}
static inline vi i_byte_of(vi v) {
  return (v & i_set(0x0F000000)) | i_set(0x00808080);
}
#define i_index16(m, at) i_byte_of((m) << (24 - (at)))
/* The four bytes of entry i are 4i, 4i + 1, 4i + 2, 4i + 3. */
static inline vi i_pick(vi index) {
  return index * i_set(0x04040404) + i_set(0x03020100);
}
static inline vf f_pick(const float *from, vi pick) {
  return (vf)BYTES_OF(f_load(from), pick);
}
#endif

#endif
