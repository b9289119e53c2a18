/* SPDX-License-Identifier: MIT
 *
 * The reference of expressions: section 5 of docs/specification.md, one sample at a time. A part of
 * src/scalar/scalar.c, whose rules it follows.
 */
#ifndef PERLANE_EXPRESSION_SCALAR_H
#define PERLANE_EXPRESSION_SCALAR_H

#include "expression.h"

static float any_floor(float v) {
  if (!(magnitude(v) < 8388608.0f) || v == 0)
    return v;
  return (float)floor_integer((double)v);
}

static float one_nan(float v) {
  return v == v ? v : float_with_bits(0x7FC00000);
}

/* The derivative of |v|: v', with its sign flipped if v < 0. */
static float flipped(float v, float slope) {
  return v < 0 ? sgn(-1, slope) : slope;
}

/* The result of an operation on a, b and c, and its derivative from a', b' and c'. */
static float operation_on(const struct perlane_expression_step *step, const float operand[3],
                          const float derivative[3], float *slope) {
  const float a = operand[0], b = operand[1], c = operand[2], k = step->number;
  const float da = derivative[0], db = derivative[1], dc = derivative[2];
  const float ab = a * b, dab = da * b + a * db, bc = b * c, dbc = db * c + b * dc;
  const float smaller = smaller_of(a, b), d_smaller = a < b ? da : db;
  const float larger = larger_of(a, b), d_larger = a > b ? da : db;
  const float rest = k - magnitude(a - b), h = larger_of(rest, 0);
  const float dh = rest > 0 ? sgn(-1, flipped(a - b, da - db)) : 0;
#define RETURN(value, derived)                                                                     \
  *slope = derived;                                                                                \
  return value
  switch ((enum perlane_operation)step->operation) {
  case OP_NUMBER:
  case OP_COORDINATE:
  case OP_FIELD:
  case OP_RESULT:
  case OP_FIELD_AT:
  case OP_CURVE:
    break;
  case OP_NEGATE:
    RETURN(sgn(-1, a), sgn(-1, da));
  case OP_ABS:
    RETURN(magnitude(a), flipped(a, da));
  case OP_SQRT: {
    const float r = a >= 0 ? square_root(a) : float_with_bits(0x7FC00000);
    RETURN(r, r > 0 ? da * (0.5f / r) : 0);
  }
  case OP_FLOOR:
    RETURN(any_floor(a), 0);
  case OP_ADD:
    RETURN(a + b, da + db);
  case OP_SUBTRACT:
    RETURN(a - b, da - db);
  case OP_MULTIPLY:
    RETURN(ab, dab);
  case OP_DIVIDE:
    RETURN(a / b, (da - a / b * db) / b);
  case OP_MIN:
    RETURN(smaller, d_smaller);
  case OP_MAX:
    RETURN(larger, d_larger);
  case OP_STEP:
    RETURN(b < a ? 0 : 1, 0);
  case OP_SMOOTH_MIN:
    RETURN(smaller - h * h * (0.25f / k), d_smaller - h * (0.5f / k) * dh);
  case OP_SMOOTH_MAX:
    RETURN(larger + h * h * (0.25f / k), d_larger + h * (0.5f / k) * dh);
  case OP_ADD_PRODUCT:
    RETURN(a + bc, da + dbc);
  case OP_SUBTRACT_PRODUCT:
    RETURN(a - bc, da - dbc);
  case OP_PRODUCT_ADD:
    RETURN(ab + c, dab + dc);
  case OP_PRODUCT_SUBTRACT:
    RETURN(ab - c, dab - dc);
  case OP_MIX:
    RETURN(a * (1 - c) + b * c, (da * (1 - c) + db * c) + (b - a) * dc);
  case OP_SELECT:
    RETURN(c < 0.5f ? a : b, c < 0.5f ? da : db);
  case OP_CLAMP:
    RETURN(smaller_of(larger, c), larger < c ? d_larger : dc);
  case OP_SMOOTH: {
    const float q = (c - a) / (b - a), m = larger_of(q, 0), t = smaller_of(m, 1);
    const float dq = ((dc - da) - q * (db - da)) / (b - a), dt = m < 1 && q > 0 ? dq : 0;
    RETURN(t * t * (3 - 2 * t), 6 * (t * (1 - t)) * dt);
  }
  }
#undef RETURN
  return 0;
}

/* A field at a place, whose rests are popped from stack[0] on. */
static struct sample field_at_place(const perlane_expression *expression, int octaves,
                                    int32_t place, const double x[4], int slopes,
                                    const struct sample *stack) {
  const perlane_noise *field = expression->field[perlane_place_field(place)];
  const int dims = perlane_place_dims(place);
  double p[4] = {0, 0, 0, 0};
  struct sample argument[4] = {{0}};
  for (int k = 0; k < dims; k++) {
    const double *c = perlane_place_affine(expression, place, k);
    int terms = 0;
    for (int a = 0; a < 4; a++)
      if (c[a] != 0)
        p[k] = terms++ > 0 ? p[k] + c[a] * x[a] : c[a] * x[a];
    if (c[4] != 0)
      p[k] = terms++ > 0 ? p[k] + c[4] : c[4];
    for (int a = 0; a < 4; a++)
      argument[k].slope[a] = (float)c[a];
    if (perlane_place_pops(place, k)) {
      const struct sample e = *stack++;
      p[k] = terms > 0 ? p[k] + (double)e.value : (double)e.value;
      for (int a = 0; a < 4; a++)
        argument[k].slope[a] = terms > 0 ? (float)c[a] + e.slope[a] : e.slope[a];
    }
  }
  const struct sample v = sample_at(field, octaves, dims, slopes > 0 ? dims : 0, p);
  struct sample r = product_with(argument[0], v.slope[0]);
  for (int k = 1; k < dims; k++)
    r = sum_of(r, product_with(argument[k], v.slope[k]));
  r.value = v.value;
  return r;
}

/* An expression at x, of which entries from dims on are 0. */
static struct sample expression_at(const perlane_expression *expression, int octaves,
                                   const double spacing[4], int dims, int slopes,
                                   const double x[4]) {
  struct sample stack[PERLANE_MAX_EXPRESSION_DEPTH + 3] = {{0}}, *top = stack;
  for (int i = 0; i < expression->count; i++, top++) {
    const struct perlane_expression_step *step = &expression->step[i];
    const int is_field = step->operation == OP_FIELD || step->operation == OP_FIELD_AT;
    const int own = is_field ? perlane_expression_octaves(expression, step, octaves, spacing) : 0;
    top -= perlane_pops(step);
    switch (step->operation) {
    case OP_NUMBER:
      *top = (struct sample){.value = step->number};
      break;
    case OP_COORDINATE:
      *top = (struct sample){.value = (float)x[step->operand]};
      top->slope[step->operand] = 1;
      break;
    case OP_FIELD:
      *top = sample_at(expression->field[step->operand], own, dims, slopes, x);
      break;
    case OP_RESULT:
      *top = stack[step->operand];
      break;
    case OP_FIELD_AT:
      *top = field_at_place(expression, own, step->operand, x, slopes, top);
      break;
    case OP_CURVE:
      *top = curved(&expression->curve[step->operand & 255], *top);
      break;
    default: {
      const float operand[] = {top[0].value, top[1].value, top[2].value};
      for (int a = 0; a < (slopes > 0 ? slopes : 1); a++) {
        const float derivative[] = {top[0].slope[a], top[1].slope[a], top[2].slope[a]};
        top->value = operation_on(step, operand, derivative, &top->slope[a]);
      }
    }
    }
  }
  struct sample result = top[-1];
  result.value = one_nan(result.value);
  for (int a = 0; a < slopes; a++)
    result.slope[a] = one_nan(result.slope[a]);
  return result;
}

#endif
