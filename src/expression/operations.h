/* SPDX-License-Identifier: MIT
 *
 * The operations of expressions on runs of samples: values, and derivatives by the chain rule
 * (docs/specification.md, 5).
 */
#ifndef PERLANE_EXPRESSION_OPERATIONS_H
#define PERLANE_EXPRESSION_OPERATIONS_H

#include "../noise/octaves/finish.h"
#include "../noise/output/store.h"
#include "expression.h"

/* The value of a run's samples, and its derivative along each axis, `pitch` floats from one to the
 * next. A mask is all ones where samples have a float each; 0 where they share RUN_GRANULE. */
struct operand {
  const float *value, *slopes;
  size_t mask, slope_mask, pitch;
};

PERLANE_INLINE vf value_at(const struct operand *operand, size_t i, size_t lane) {
  return f_load(operand->value + (i & operand->mask) + lane);
}

/* Along axis j - 1. */
PERLANE_INLINE vf slope_at(const struct operand *operand, int j, size_t i) {
  return f_load(operand->slopes + (size_t)(j - 1) * operand->pitch + (i & operand->slope_mask));
}

PERLANE_INLINE vf lower_of(vf a, vf b) {
  return f_select_below(a, b, a, b);
}

PERLANE_INLINE vf higher_of(vf a, vf b) {
  return f_select_below(b, a, a, b);
}

PERLANE_INLINE vf floor_of_any(vf v) {
  const vf floor =
      f_bits(i_or(i_bits(magnitude_of(f_floor(v))), i_and(i_bits(v), i_set(0x80000000))));
  return f_select(f_not_above(magnitude_of(v), f_set(0x1p23f)), floor, v);
}

/* Returns v, or nan where it is a NaN. */
PERLANE_INLINE vf number_or(vf v, vf nan) {
  return f_select(f_not_above(v, v), v, nan);
}

/* Derivative of |v|. */
PERLANE_INLINE vf magnitude_slope(vf v, vf slope) {
  return f_select_below(v, f_set(0), negative_of(slope), slope);
}

PERLANE_INLINE vf quotient_slope(vf quotient, vf divisor, vf slope, vf divisor_slope) {
  return f_div(f_sub(slope, f_mul(quotient, divisor_slope)), divisor);
}

PERLANE_INLINE vf root_slope(vf root, vf slope) {
  return f_select_below(f_set(0), root, f_mul(slope, f_div(f_set(0.5f), root)), f_set(0));
}

/* h of smooth_min and smooth_max, and its derivative. */
PERLANE_INLINE vf overlap_of(vf a, vf b, vf k) {
  return higher_of(f_sub(k, magnitude_of(f_sub(a, b))), f_set(0));
}
PERLANE_INLINE vf overlap_slope(vf a, vf b, vf k, vf da, vf db) {
  const vf apart = f_sub(a, b), slope = negative_of(magnitude_slope(apart, f_sub(da, db)));
  return f_select_below(f_set(0), f_sub(k, magnitude_of(apart)), slope, f_set(0));
}

/* Returns the curve's value at v, or v where it is a NaN. */
PERLANE_INLINE vf value_on(const struct bent *bent, vf v) {
  return f_select(f_not_above(v, v), bent->value, v);
}

/* Returns 1 if 1 / v is a normal number without rounding: then a product with it is the quotient.
 */
static int has_exact_inverse(float v) {
  uint32_t bits;
  memcpy(&bits, &v, sizeof bits);
  const uint32_t exponent = bits >> 23 & 255;
  return (bits & 0x7FFFFF) == 0 && exponent >= 1 && exponent <= 253;
}

/* Performs an operation on n samples from `start` on, RUN_GRANULE at a time, with the first 3
 * operands of x; that of an operand alone copies it. With `streams`, past the caches. Constant:
 * `slopes`, whether there are more arrays than the values, and `is_last`, whether results are those
 * of the expression, which have one NaN. `to`, with arrays of `pitch` floats, may be the memory of
 * an operand. */
PERLANE_INLINE void operate(int slopes, int is_last, int streams, int arrays,
                            const perlane_expression *expression,
                            const struct perlane_expression_step *step,
                            const struct operand *const *x, size_t start, size_t n, float *to,
                            size_t pitch, vf nan) {
  const vf zero = f_set(0), one = f_set(1), k = f_set(step->number);
  const size_t together = slopes ? LANES : RUN_GRANULE;
  /* Copies: stores of vectors might change what is in memory, as far as compilers know. */
  const struct operand x0 = *x[0], x1 = *x[1], x2 = *x[2];
/* The operands are a, b and c, their derivatives da, db and dc. `bent` is a's on a curve. */
#define EACH_ON(curve, value, slope)                                                               \
  for (size_t i = start; i < start + n; i += together)                                             \
    PERLANE_UNROLL for (size_t lane = 0; lane < together; lane += LANES) {                         \
      const vf a = value_at(&x0, i, lane), b = value_at(&x1, i, lane);                             \
      const vf c = value_at(&x2, i, lane);                                                         \
      const struct bent bent =                                                                     \
          (curve) ? curved(curve, a) : (struct bent){a, a, f_not_above(a, a)};                     \
      const vf v = value;                                                                          \
      for (int j = 1; slopes && j < arrays; j++) {                                                 \
        const vf da = slope_at(&x0, j, i), db = slope_at(&x1, j, i), dc = slope_at(&x2, j, i);     \
        f_store(to + (size_t)j * pitch + (i - start), number_or(slope, nan));                      \
        (void)da, (void)db, (void)dc;                                                              \
      }                                                                                            \
      store_vector(streams, to + (i - start) + lane, is_last ? number_or(v, nan) : v);             \
      (void)b, (void)c, (void)bent;                                                                \
    }                                                                                              \
  return
#define EACH(value, slope) EACH_ON((const struct perlane_pieces *)NULL, value, slope)
  switch ((enum perlane_operation)step->operation) {
  case OP_NUMBER:
  case OP_COORDINATE:
  case OP_FIELD:
  case OP_RESULT:
  case OP_FIELD_AT:
    EACH(a, da);
  case OP_NEGATE:
    EACH(negative_of(a), negative_of(da));
  case OP_ABS:
    EACH(magnitude_of(a), magnitude_slope(a, da));
  case OP_SQRT:
    EACH(f_sqrt(a), root_slope(v, da));
  case OP_FLOOR:
    EACH(floor_of_any(a), zero);
  case OP_CURVE:
    EACH_ON(&expression->curve[step->operand & 255], value_on(&bent, a), slope_on(&bent, da));
  case OP_ADD:
    EACH(f_add(a, b), f_add(da, db));
  case OP_SUBTRACT:
    EACH(f_sub(a, b), f_sub(da, db));
  case OP_MULTIPLY:
    EACH(f_mul(a, b), f_add(f_mul(da, b), f_mul(a, db)));
  case OP_DIVIDE:
    if (!slopes && x1.mask == 0 && has_exact_inverse(*x1.value)) {
      const vf inverse = f_div(one, f_load(x1.value));
      EACH(f_mul(a, inverse), zero);
    }
    EACH(f_div(a, b), quotient_slope(v, b, da, db));
  case OP_MIN:
    EACH(lower_of(a, b), f_select_below(a, b, da, db));
  case OP_MAX:
    EACH(higher_of(a, b), f_select_below(b, a, da, db));
  case OP_STEP:
    EACH(f_select_below(b, a, zero, one), zero);
  case OP_SMOOTH_MIN: {
    const vf quarter = f_div(f_set(0.25f), k), half = f_div(f_set(0.5f), k);
#define H overlap_of(a, b, k)
    EACH(
        f_sub(lower_of(a, b), f_mul(f_mul(H, H), quarter)),
        f_sub(f_select_below(a, b, da, db), f_mul(f_mul(H, half), overlap_slope(a, b, k, da, db))));
  }
  case OP_SMOOTH_MAX: {
    const vf quarter = f_div(f_set(0.25f), k), half = f_div(f_set(0.5f), k);
    EACH(
        f_add(higher_of(a, b), f_mul(f_mul(H, H), quarter)),
        f_add(f_select_below(b, a, da, db), f_mul(f_mul(H, half), overlap_slope(a, b, k, da, db))));
#undef H
  }
#define PRODUCT_SLOPE(a, b, da, db) f_add(f_mul(da, b), f_mul(a, db))
  case OP_ADD_PRODUCT:
    EACH(f_add(a, f_mul(b, c)), f_add(da, PRODUCT_SLOPE(b, c, db, dc)));
  case OP_SUBTRACT_PRODUCT:
    EACH(f_sub(a, f_mul(b, c)), f_sub(da, PRODUCT_SLOPE(b, c, db, dc)));
  case OP_PRODUCT_ADD:
    EACH(f_add(f_mul(a, b), c), f_add(PRODUCT_SLOPE(a, b, da, db), dc));
  case OP_PRODUCT_SUBTRACT:
    EACH(f_sub(f_mul(a, b), c), f_sub(PRODUCT_SLOPE(a, b, da, db), dc));
#undef PRODUCT_SLOPE
  case OP_MIX:
    EACH(f_add(f_mul(a, f_sub(one, c)), f_mul(b, c)),
         f_add(f_add(f_mul(da, f_sub(one, c)), f_mul(db, c)), f_mul(f_sub(b, a), dc)));
  case OP_SELECT: {
    const vf half = f_set(0.5f);
    EACH(f_select_below(c, half, a, b), f_select_below(c, half, da, db));
  }
  case OP_CLAMP:
    EACH(lower_of(higher_of(a, b), c),
         f_select_below(higher_of(a, b), c, f_select_below(b, a, da, db), dc));
  case OP_SMOOTH:
#define Q f_div(f_sub(c, a), f_sub(b, a))
#define T lower_of(higher_of(Q, zero), one)
    EACH(f_mul(f_mul(T, T), f_sub(f_set(3), f_mul(f_set(2), T))),
         f_mul(f_mul(f_set(6), f_mul(T, f_sub(one, T))),
               f_select_below(
                   higher_of(Q, zero), one,
                   f_select_below(
                       zero, Q, quotient_slope(Q, f_sub(b, a), f_sub(dc, da), f_sub(db, da)), zero),
                   zero)));
#undef T
#undef Q
  }
#undef EACH
#undef EACH_ON
}

static PERLANE_NOINLINE void make_terms(const perlane_expression *expression,
                                        const struct perlane_expression_step *step,
                                        const struct operand *const *x, size_t n, float *to) {
  operate(0, 0, 0, 1, expression, step, x, 0, n, to, 0, f_set(0));
}

static PERLANE_NOINLINE void make_results(int streams, const perlane_expression *expression,
                                          const struct perlane_expression_step *step,
                                          const struct operand *const *x, size_t start, size_t n,
                                          float *to, vf nan) {
  operate(0, 1, streams, 1, expression, step, x, start, n, to, 0, nan);
}

static PERLANE_NOINLINE void make_slopes(int arrays, const perlane_expression *expression,
                                         const struct perlane_expression_step *step,
                                         const struct operand *const *x, size_t start, size_t n,
                                         float *to, size_t pitch, vf nan) {
  operate(1, 1, 0, arrays, expression, step, x, start, n, to, pitch, nan);
}

#endif
