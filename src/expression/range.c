/* SPDX-License-Identifier: MIT
 *
 * Bounds of an expression's values, operation by operation. An operation that rises or falls with
 * each operand has its extremes at the ends of their bounds, where it is evaluated in the values'
 * own arithmetic: roundings are monotonic, so no value is beyond. Other operations are bounded step
 * by step of their formulas.
 */
#include "../strict.h"

#include <string.h>

#include "../range.h"
#include "expression.h"

/* Bounds of values, and whether one may be no number. */
struct bounds {
  float low, high;
  int nan;
};

static float infinite(void) {
  const uint32_t bits = 0x7F800000;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static float lesser(float a, float b) {
  return a < b ? a : b;
}

static float greater(float a, float b) {
  return a > b ? a : b;
}

static struct bounds anything(void) {
  return (struct bounds){-infinite(), infinite(), 1};
}

static struct bounds exactly(float number) {
  return number == number ? (struct bounds){number, number, 0} : anything();
}

static int is_bounded(struct bounds a) {
  return a.low > -infinite() && a.high < infinite();
}

static struct bounds hull(struct bounds a, struct bounds b) {
  return (struct bounds){lesser(a.low, b.low), greater(a.high, b.high), a.nan | b.nan};
}

/* Evaluates an operation at the ends of its operands' bounds. */
static struct bounds at_ends(enum perlane_operation operation, struct bounds a, struct bounds b) {
  const struct perlane_expression_step step = {(int32_t)operation, 0, 0};
  struct bounds result = {infinite(), -infinite(), a.nan | b.nan};
  for (int i = 0; i < 4; i++) {
    const float operand[3] = {i & 1 ? a.high : a.low, i & 2 ? b.high : b.low, 0};
    const float value = perlane_scalar_operation(&step, operand);
    if (value != value)
      return anything();
    result = (struct bounds){lesser(result.low, value), greater(result.high, value), result.nan};
  }
  return result;
}

/* Bounds an operation of one or two operands; that of one ignores b. */
static struct bounds of_operation(enum perlane_operation operation, struct bounds a,
                                  struct bounds b) {
  struct bounds result;
  switch (operation) {
  case PERLANE_ABS:
    result = at_ends(PERLANE_ABS, a, a);
    result.low = a.low < 0 && a.high > 0 ? 0 : result.low;
    return result;
  case PERLANE_SQRT:
    result =
        at_ends(PERLANE_SQRT, (struct bounds){greater(a.low, 0), greater(a.high, 0), a.nan}, a);
    result.nan |= a.low < 0;
    return result;
  case PERLANE_DIVIDE:
    if (b.low <= 0 && b.high >= 0)
      return anything();
    break;
  case PERLANE_MIN: /* of NaN and b it is b */
    result = (struct bounds){lesser(a.low, b.low), lesser(a.high, b.high), b.nan};
    return a.nan ? hull(result, b) : result;
  case PERLANE_MAX:
    result = (struct bounds){greater(a.low, b.low), greater(a.high, b.high), b.nan};
    return a.nan ? hull(result, b) : result;
  case PERLANE_STEP:
    result = at_ends(PERLANE_STEP, a, b);
    return (struct bounds){result.low, a.nan | b.nan ? 1 : result.high, 0};
  case PERLANE_NEGATE:
  case PERLANE_FLOOR:
    return at_ends(operation, a, a);
  default:
    break;
  }
  result = at_ends(operation, a, b);
  result.nan |= !is_bounded(a) || !is_bounded(b); /* infinities may cancel */
  return result;
}

/* h * h * (0.25 / k) of smooth_min and smooth_max. */
static struct bounds rounding_off(struct bounds a, struct bounds b, float k) {
  const struct bounds apart =
      of_operation(PERLANE_ABS, of_operation(PERLANE_SUBTRACT, a, b), exactly(0));
  const struct bounds h =
      of_operation(PERLANE_MAX, of_operation(PERLANE_SUBTRACT, exactly(k), apart), exactly(0));
  return of_operation(PERLANE_MULTIPLY, of_operation(PERLANE_MULTIPLY, h, h), exactly(0.25f / k));
}

/* A blend with weights from 0 to 1 is between a and b, but for the roundings. */
static struct bounds of_mix(struct bounds a, struct bounds b, struct bounds t) {
  const struct bounds rest = of_operation(PERLANE_SUBTRACT, exactly(1), t);
  struct bounds result = of_operation(PERLANE_ADD, of_operation(PERLANE_MULTIPLY, a, rest),
                                      of_operation(PERLANE_MULTIPLY, b, t));
  if (t.low >= 0 && t.high <= 1 && is_bounded(a) && is_bounded(b)) {
    const struct bounds between = hull(a, b);
    const double most = (double)greater(-between.low, between.high);
    const double margin = (most < 0 ? -most : most) * 0x1p-21 + 0x1p-140;
    result.low = greater(result.low, (float)((double)between.low - margin));
    result.high = lesser(result.high, (float)((double)between.high + margin));
  }
  return result;
}

/* A smoothstep rises with t, but for the roundings, and never exceeds 1. */
static struct bounds of_smooth(struct bounds low, struct bounds high, struct bounds a) {
  const struct bounds q = of_operation(PERLANE_DIVIDE, of_operation(PERLANE_SUBTRACT, a, low),
                                       of_operation(PERLANE_SUBTRACT, high, low));
  const struct bounds t =
      of_operation(PERLANE_MIN, of_operation(PERLANE_MAX, q, exactly(0)), exactly(1));
  return (struct bounds){greater(t.low * t.low * (3 - 2 * t.low) - 0x1p-21f, 0),
                         lesser(t.high * t.high * (3 - 2 * t.high) + 0x1p-21f, 1), 0};
}

/* Bounds a step's result from those of its operands. */
static struct bounds of_step(const struct perlane_expression_step *step, const struct bounds *x) {
  switch ((enum perlane_operation)step->operation) {
  case PERLANE_SMOOTH_MIN:
    return of_operation(PERLANE_SUBTRACT, of_operation(PERLANE_MIN, x[0], x[1]),
                        rounding_off(x[0], x[1], step->number));
  case PERLANE_SMOOTH_MAX:
    return of_operation(PERLANE_ADD, of_operation(PERLANE_MAX, x[0], x[1]),
                        rounding_off(x[0], x[1], step->number));
  case PERLANE_ADD_PRODUCT:
    return of_operation(PERLANE_ADD, x[0], of_operation(PERLANE_MULTIPLY, x[1], x[2]));
  case PERLANE_SUBTRACT_PRODUCT:
    return of_operation(PERLANE_SUBTRACT, x[0], of_operation(PERLANE_MULTIPLY, x[1], x[2]));
  case PERLANE_PRODUCT_ADD:
    return of_operation(PERLANE_ADD, of_operation(PERLANE_MULTIPLY, x[0], x[1]), x[2]);
  case PERLANE_PRODUCT_SUBTRACT:
    return of_operation(PERLANE_SUBTRACT, of_operation(PERLANE_MULTIPLY, x[0], x[1]), x[2]);
  case PERLANE_MIX:
    return of_mix(x[0], x[1], x[2]);
  case PERLANE_CLAMP:
    return of_operation(PERLANE_MIN, of_operation(PERLANE_MAX, x[0], x[1]), x[2]);
  case PERLANE_SMOOTH:
    return of_smooth(x[0], x[1], x[2]);
  default:
    return of_operation((enum perlane_operation)step->operation, x[0], x[1]);
  }
}

/* Bounds a coordinate, in a grid unless it is NULL. */
static struct bounds of_coordinate(int axis, int dims, const struct perlane_region *grid) {
  if (axis >= dims)
    return exactly(0);
  if (!grid)
    return anything();
  const int64_t first = grid->first[axis], last = first + (int64_t)(grid->count[axis] - 1);
  const float begin = (float)(grid->origin[axis] + (double)first * grid->step[axis]);
  const float end = (float)(grid->origin[axis] + (double)last * grid->step[axis]);
  return (struct bounds){lesser(begin, end), greater(begin, end), 0};
}

static struct bounds of_field(const perlane_noise *field, int dims, int may_leave_domain) {
  struct bounds result;
  if (!perlane_field_range(field, dims, &result.low, &result.high))
    return anything();
  result.nan = may_leave_domain;
  return result;
}

PERLANE_NOINLINE void perlane_expression_bounds(const perlane_expression *expression, int dims,
                                                const struct perlane_region *grid, float *low,
                                                float *high) {
  struct bounds stack[PERLANE_MAX_EXPRESSION_DEPTH + 3] = {{0}};
  int depth = 0;
  for (int i = 0; i < expression->count; i++) {
    const struct perlane_expression_step *step = &expression->step[i];
    depth -= perlane_pops(step);
    struct bounds *top = &stack[depth++];
    if (step->operation == PERLANE_NUMBER)
      *top = exactly(step->number);
    else if (step->operation == PERLANE_COORDINATE)
      *top = of_coordinate(step->operand, dims, grid);
    else if (step->operation == PERLANE_RESULT)
      *top = stack[step->operand];
    else if (step->operation == PERLANE_FIELD)
      *top = of_field(expression->field[step->operand], dims, !grid);
    else if (step->operation == PERLANE_FIELD_AT)
      *top = of_field(expression->field[perlane_place_field(step->operand)],
                      perlane_place_dims(step->operand), 1);
    else
      *top = of_step(step, top);
  }
  *low = stack[depth - 1].low;
  *high = stack[depth - 1].high;
}
