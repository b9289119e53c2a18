/* SPDX-License-Identifier: MIT
 *
 * Bounds of an expression's values, operation by operation. Most operations rise or fall with each
 * operand as long as the others stay, so they have their extremes where operands are at the ends of
 * their bounds, and roundings are monotonic: evaluated there in the values' own arithmetic, they
 * bound all values. The formulas of mix, smooth, smooth_min and smooth_max are monotonic but for
 * roundings, for which their bounds are widened.
 */
#include "../strict.h"

#include <string.h>

#include "../range.h"
#include "expression.h"

/* Bounds of values, and whether one may be no number; `low` exceeds `high` if none is a number.
 * Equal operands that are pushed unchanged have the same `source`, other results 0. */
struct bounds {
  float low, high;
  int nan, source;
};

static float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static float infinite(void) {
  return float_of(0x7F800000);
}

static float lesser(float a, float b) {
  return a < b ? a : b;
}

static float greater(float a, float b) {
  return a > b ? a : b;
}

static float largest_magnitude(struct bounds a) {
  return greater(-a.low, a.high);
}

static struct bounds anything(void) {
  return (struct bounds){-infinite(), infinite(), 1, 0};
}

/* Returns an operand's value, of those that can give extremes or no number. */
static float candidate(struct bounds a, int which) {
  if (!(a.low <= a.high) || (which == 3 && a.nan))
    return float_of(0x7FC00000);
  if (which == 2 && a.low < 0 && a.high > 0)
    return 0;
  return which == 1 ? a.high : a.low;
}

/* Bounds an operation by its values at the candidates. The factors of a square are the same. */
static struct bounds at_candidates(const struct perlane_expression_step *step,
                                   const struct bounds *x) {
  const int operation = step->operation, operands = perlane_arity(operation);
  const int factor = operation == PERLANE_ADD_PRODUCT || operation == PERLANE_SUBTRACT_PRODUCT;
  const int is_square = (operation == PERLANE_MULTIPLY ||
                         (operation >= PERLANE_ADD_PRODUCT && operation < PERLANE_MIX)) &&
                        x[factor].source != 0 && x[factor].source == x[factor + 1].source;
  struct bounds result = {infinite(), -infinite(), 0, 0};
  for (int i = 0; i < 1 << 2 * operands; i++) {
    float operand[3] = {0, 0, 0};
    for (int k = 0; k < operands; k++)
      operand[k] = candidate(x[k], i >> 2 * k & 3);
    if (is_square)
      operand[factor + 1] = operand[factor];
    const float value = perlane_scalar_operation(step, operand);
    result.low = lesser(value, result.low);
    result.high = greater(value, result.high);
    result.nan |= value != value;
  }
  return result;
}

/* Bounds a step's result from those of its operands. */
static struct bounds of_step(const struct perlane_expression_step *step, const struct bounds *x) {
  struct perlane_expression_step sharp = *step; /* of smooth_min and smooth_max, min and max */
  struct bounds result = at_candidates(step, x), outer = anything();
  float scale = 0; /* roundings are less than 2^-20 of it */
  switch (step->operation) {
  case PERLANE_DIVIDE:
    if (x[1].low <= 0 && x[1].high >= 0)
      return anything();
    break;
  case PERLANE_SMOOTH_MIN:
  case PERLANE_SMOOTH_MAX:
    sharp.operation += PERLANE_MIN - PERLANE_SMOOTH_MIN;
    if (sharp.operation == PERLANE_MIN)
      outer.high = at_candidates(&sharp, x).high;
    else
      outer.low = at_candidates(&sharp, x).low;
    if (greater(x[0].low - x[1].high, x[1].low - x[0].high) < step->number) /* they may be close */
      scale = step->number < 0x1p63f
                  ? lesser(largest_magnitude(x[0]), largest_magnitude(x[1])) + step->number
                  : infinite(); /* h * h overflows */
    break;
  case PERLANE_MIX:
    scale = largest_magnitude(x[0]) * greater(1 - x[2].low, x[2].high - 1) +
            largest_magnitude(x[1]) * largest_magnitude(x[2]);
    break;
  case PERLANE_SMOOTH: {
    const float least = x[1].low - x[0].high, most = x[1].high - x[0].low; /* of high - low */
    outer = (struct bounds){0, 1, 0, 0};
    scale = (least > 0 && most < infinite()) || (most < 0 && least > -infinite()) ? 1 : infinite();
    break;
  }
  default:
    break;
  }
  if (scale != 0) {
    result.low = greater(result.low - (scale * 0x1p-20f + 0x1p-70f), outer.low);
    result.high = lesser(result.high + (scale * 0x1p-20f + 0x1p-70f), outer.high);
  }
  return result;
}

/* Bounds a coordinate, in a grid unless it is NULL. */
static struct bounds of_coordinate(int axis, int dims, const struct perlane_region *grid) {
  if (axis >= dims)
    return (struct bounds){0};
  if (!grid)
    return anything();
  const int64_t first = grid->first[axis], last = first + (int64_t)(grid->count[axis] - 1);
  const float begin = (float)(grid->origin[axis] + (double)first * grid->step[axis]);
  const float end = (float)(grid->origin[axis] + (double)last * grid->step[axis]);
  return (struct bounds){lesser(begin, end), greater(begin, end), 0, 0};
}

static struct bounds of_field(const perlane_noise *field, int dims, int may_leave_domain) {
  struct bounds result = {.nan = may_leave_domain};
  return perlane_field_range(field, dims, &result.low, &result.high) ? result : anything();
}

PERLANE_NOINLINE void perlane_expression_bounds(const perlane_expression *expression, int dims,
                                                const struct perlane_region *grid, float *low,
                                                float *high) {
  struct bounds stack[PERLANE_MAX_EXPRESSION_DEPTH + 1];
  int depth = 0;
  for (int i = 0; i < expression->count; i++) {
    const struct perlane_expression_step *step = &expression->step[i];
    depth -= perlane_pops(step);
    struct bounds *top = &stack[depth++];
    switch (step->operation) {
    case PERLANE_NUMBER:
      *top = (struct bounds){step->number, step->number, 0, 0};
      break;
    case PERLANE_COORDINATE:
      *top = of_coordinate(step->operand, dims, grid);
      break;
    case PERLANE_FIELD:
      *top = of_field(expression->field[step->operand], dims, !grid);
      break;
    case PERLANE_RESULT:
      *top = stack[step->operand];
      break;
    case PERLANE_FIELD_AT:
      *top = of_field(expression->field[perlane_place_field(step->operand)],
                      perlane_place_dims(step->operand), 1);
      break;
    default:
      *top = of_step(step, top);
    }
    if (step->operation > PERLANE_NUMBER && step->operation < PERLANE_FIELD_AT)
      top->source = step->operation << 8 | step->operand;
  }
  const struct bounds result = stack[depth - 1];
  *low = result.low <= result.high ? result.low : -infinite();
  *high = result.low <= result.high ? result.high : infinite();
}
