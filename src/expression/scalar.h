/* SPDX-License-Identifier: MIT
 *
 * The reference of expressions: section 5 of docs/specification.md, one sample at a time. A part of
 * src/scalar/scalar.c, whose rules it follows.
 */
#ifndef PERLANE_EXPRESSION_SCALAR_H
#define PERLANE_EXPRESSION_SCALAR_H

#include "program.h"

static float not_below_zero_root(float v) {
  return v >= 0 ? square_root(v) : float_with_bits(0x7FC00000);
}

static float any_floor(float v) {
  if (!(magnitude(v) < 8388608.0f) || v == 0)
    return v;
  return (float)floor_integer((double)v);
}

static float min_of(float a, float b) {
  return a < b ? a : b;
}

static float max_of(float a, float b) {
  return a > b ? a : b;
}

/* A term of |v|': v', with its sign flipped if v < 0. */
static float flipped(float v, float slope) {
  return v < 0 ? sgn(-1, slope) : slope;
}

/* The result of an operation on a, b and c, with n derivatives. */
static struct sample operation_on(const struct perlane_expression_step *step,
                                  const struct sample *a, const struct sample *b,
                                  const struct sample *c, int n) {
  const float A = a->value, B = b->value, C = c->value, k = step->number;
  struct sample r = {0};
/* The operands' values are A, B and C, the derivatives along an axis Da, Db and Dc. */
#define SET(v, derivative)                                                                         \
  r.value = (v);                                                                                   \
  for (int i = 0; i < n; i++) {                                                                    \
    const float Da = a->slope[i], Db = b->slope[i], Dc = c->slope[i];                              \
    r.slope[i] = (derivative);                                                                     \
    (void)Da, (void)Db, (void)Dc;                                                                  \
  }                                                                                                \
  break
  switch ((enum perlane_operation)step->operation) {
  case PERLANE_NUMBER:
  case PERLANE_COORDINATE:
  case PERLANE_FIELD:
  case PERLANE_RESULT:
  case PERLANE_FIELD_AT:
    break;
  case PERLANE_NEGATE:
    SET(sgn(-1, A), sgn(-1, Da));
  case PERLANE_ABS:
    SET(magnitude(A), flipped(A, Da));
  case PERLANE_SQRT:
    SET(not_below_zero_root(A), r.value > 0 ? Da * (0.5f / r.value) : 0);
  case PERLANE_FLOOR:
    SET(any_floor(A), 0);
  case PERLANE_ADD:
    SET(A + B, Da + Db);
  case PERLANE_SUBTRACT:
    SET(A - B, Da - Db);
  case PERLANE_MULTIPLY:
    SET(A * B, Da * B + A * Db);
  case PERLANE_DIVIDE:
    SET(A / B, (Da - r.value * Db) / B);
  case PERLANE_MIN:
    SET(min_of(A, B), A < B ? Da : Db);
  case PERLANE_MAX:
    SET(max_of(A, B), A > B ? Da : Db);
  case PERLANE_STEP:
    SET(B < A ? 0 : 1, 0);
  case PERLANE_SMOOTH_MIN:
  case PERLANE_SMOOTH_MAX: {
    const float rest = k - magnitude(A - B), h = max_of(rest, 0);
    if (step->operation == PERLANE_SMOOTH_MIN) {
      SET(min_of(A, B) - h * h * (0.25f / k),
          (A < B ? Da : Db) - h * (0.5f / k) * (rest > 0 ? sgn(-1, flipped(A - B, Da - Db)) : 0));
    }
    SET(max_of(A, B) + h * h * (0.25f / k),
        (A > B ? Da : Db) + h * (0.5f / k) * (rest > 0 ? sgn(-1, flipped(A - B, Da - Db)) : 0));
  }
  case PERLANE_ADD_PRODUCT:
    SET(A + B * C, Da + (Db * C + B * Dc));
  case PERLANE_SUBTRACT_PRODUCT:
    SET(A - B * C, Da - (Db * C + B * Dc));
  case PERLANE_PRODUCT_ADD:
    SET(A * B + C, (Da * B + A * Db) + Dc);
  case PERLANE_PRODUCT_SUBTRACT:
    SET(A * B - C, (Da * B + A * Db) - Dc);
  case PERLANE_MIX:
    SET(A * (1 - C) + B * C, (Da * (1 - C) + Db * C) + (B - A) * Dc);
  case PERLANE_CLAMP: {
    const float m = max_of(A, B);
    SET(min_of(m, C), m < C ? (A > B ? Da : Db) : Dc);
  }
  case PERLANE_SMOOTH: {
    const float q = (C - A) / (B - A), m = max_of(q, 0), t = min_of(m, 1);
    SET(t * t * (3 - 2 * t),
        6 * (t * (1 - t)) * (m < 1 ? (q > 0 ? ((Dc - Da) - q * (Db - Da)) / (B - A) : 0) : 0));
  }
  }
#undef SET
  return r;
}

float perlane_scalar_operation(const struct perlane_expression_step *step, const float *operand) {
  const struct sample a = {.value = operand[0]}, b = {.value = operand[1]},
                      c = {.value = operand[2]};
  return operation_on(step, &a, &b, &c, 0).value;
}

/* A field at a place, whose arguments are popped from stack[0] on. */
static struct sample field_at_place(const perlane_noise *field, int octaves, int32_t place,
                                    const double x[4], int slopes, const struct sample *stack) {
  const int dims = perlane_place_dims(place);
  double p[4] = {0, 0, 0, 0};
  float derivative[4][4] = {{0}};
  for (int k = 0; k < dims; k++) {
    const int axis = perlane_place_axis(place, k), pops = perlane_place_pops(place, k);
    const float e = pops ? stack->value : 0;
    p[k] = axis < 0 ? (double)e : pops ? x[axis] + (double)e : x[axis];
    for (int i = 0; i < slopes; i++) {
      const float own = i == axis ? 1.0f : 0.0f;
      derivative[k][i] = axis < 0 ? stack->slope[i] : pops ? own + stack->slope[i] : own;
    }
    stack += pops;
  }
  const struct sample v =
      sample_at(field, perlane_field_octaves(field, octaves), dims, slopes > 0 ? dims : 0, p);
  struct sample r = {.value = v.value};
  for (int i = 0; i < slopes; i++) {
    r.slope[i] = v.slope[0] * derivative[0][i];
    for (int k = 1; k < dims; k++)
      r.slope[i] = r.slope[i] + v.slope[k] * derivative[k][i];
  }
  return r;
}

static float one_nan(float v) {
  return v == v ? v : float_with_bits(0x7FC00000);
}

/* An expression at x, of which entries from dims on are 0. */
static struct sample expression_at(const perlane_expression *expression, int octaves, int dims,
                                   int slopes, const double x[4]) {
  struct sample stack[PERLANE_MAX_EXPRESSION_DEPTH + 4] = {{0}};
  int depth = 0;
  for (int i = 0; i < expression->count; i++) {
    const struct perlane_expression_step *step = &expression->step[i];
    struct sample r = {0};
    depth -= perlane_pops(step);
    switch (step->operation) {
    case PERLANE_NUMBER:
      r.value = step->number;
      break;
    case PERLANE_COORDINATE:
      r.value = (float)x[step->operand];
      r.slope[step->operand] = 1;
      break;
    case PERLANE_FIELD: {
      const perlane_noise *field = expression->field[step->operand];
      r = sample_at(field, perlane_field_octaves(field, octaves), dims, slopes, x);
      break;
    }
    case PERLANE_RESULT:
      r = stack[step->operand];
      break;
    case PERLANE_FIELD_AT:
      r = field_at_place(expression->field[perlane_place_field(step->operand)], octaves,
                         step->operand, x, slopes, &stack[depth]);
      break;
    default:
      r = operation_on(step, &stack[depth], &stack[depth + 1], &stack[depth + 2], slopes);
    }
    stack[depth++] = r;
  }
  struct sample result = stack[depth - 1];
  result.value = one_nan(result.value);
  for (int i = 0; i < slopes; i++)
    result.slope[i] = one_nan(result.slope[i]);
  return result;
}

#endif
