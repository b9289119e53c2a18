/* SPDX-License-Identifier: MIT
 *
 * A noise that is an expression: what perlane.c asks of its program and its fields.
 */
#include "../strict.h"

#include <string.h>

#include "../field.h"
#include "../numbers.h"
#include "../range.h"
#include "expression.h"

/* Returns the field of a step, or NULL, and replaces the expression's dimensions by those that it
 * is evaluated in. */
static const perlane_noise *field_of_step(const perlane_expression *expression,
                                          const struct perlane_expression_step *step, int *dims) {
  if (step->operation == OP_FIELD_AT)
    *dims = perlane_place_dims(step->operand);
  return step->operation == OP_FIELD      ? expression->field[step->operand]
         : step->operation == OP_FIELD_AT ? expression->field[perlane_place_field(step->operand)]
                                          : NULL;
}

/* Sets what every noise says of itself. */
static void describe_expression(perlane_noise *noise) {
  const perlane_expression *expression = &noise->expression;
  noise->octaves = 1;
  for (int i = 0; i < expression->field_count; i++) {
    const perlane_noise *field = expression->field[i];
    const int octaves = field->octaves + field->valley_octaves;
    noise->octaves = octaves > noise->octaves ? octaves : noise->octaves;
    if (i == 0 || field->params.frequency < noise->params.frequency)
      noise->params.frequency = field->params.frequency;
  }
  for (int d = 1; d <= PERLANE_MAX_DIMS; d++) {
    int exists = 1, sloped = 1;
    for (int i = 0; i < expression->count; i++) {
      int dims = d;
      const perlane_noise *field = field_of_step(expression, &expression->step[i], &dims);
      exists &= !field || field->largest[dims - 1] > 0;
      sloped &= !field || field->sloped >> (dims - 1) & 1;
    }
    noise->largest[d - 1] = exists;
    noise->sloped |= (exists & sloped) << (d - 1);
  }
}

void perlane_expression_make(perlane_noise *noise, const perlane_expression *program) {
  if (program->count == 1 && program->step[0].operation == OP_FIELD) {
    *noise = *program->field[0];
    return;
  }
  memset(noise, 0, sizeof *noise);
  noise->params = perlane_params_default();
  noise->is_expression = 1;
  noise->value_scale = 1;
  noise->expression = *program;
  for (int i = 0; i < program->field_count; i++)
    noise->expression.identity[i] = program->field[i]->identity;
  describe_expression(noise);
  noise->ready = PERLANE_READY;
}

const perlane_noise *perlane_expression_outside(const perlane_noise *noise, double position) {
  const perlane_expression *expression = &noise->expression;
  const struct perlane_expression_step *step = expression->step;
  for (; step < expression->step + expression->count; step++)
    if (step->operation == OP_FIELD &&
        !perlane_field_in_domain(expression->field[step->operand], position))
      return expression->field[step->operand];
  return NULL;
}

/* Returns the position of a region's first sample along an axis, or of the last if `end` is 1. */
static double end_of_axis(const struct perlane_region *region, int axis, int end) {
  const int64_t index = region->first[axis] + end * (int64_t)(region->count[axis] - 1);
  return region->origin[axis] + (double)index * region->step[axis];
}

int perlane_region_in_domain(const perlane_noise *field, const struct perlane_region *region,
                             int axes) {
  int is_inside = 1;
  for (int a = 0; a < PERLANE_MAX_DIMS; a++)
    for (int end = 0; end < 2 && axes >> a & 1; end++)
      is_inside &= perlane_field_in_domain(field, end_of_axis(region, a, end));
  return is_inside;
}

perlane_status perlane_expression_slopes_status(const perlane_noise *noise, int dims) {
  perlane_status status = PERLANE_OK;
  for (int i = 0; i < noise->expression.count && status == PERLANE_OK; i++) {
    int own_dims = dims;
    const perlane_noise *field =
        field_of_step(&noise->expression, &noise->expression.step[i], &own_dims);
    if (field && !(field->sloped >> (own_dims - 1) & 1))
      status = perlane_field_gradient_status(field, own_dims);
  }
  return status;
}

/* Returns the length of a vector, which is exact if one component is not 0. */
static double length_of(const double v[PERLANE_MAX_DIMS]) {
  double largest = 0, sum = 0;
  for (int k = 0; k < PERLANE_MAX_DIMS; k++)
    largest = perlane_magnitude(v[k]) > largest ? perlane_magnitude(v[k]) : largest;
  if (largest == 0 || !perlane_is_finite(largest))
    return largest;
  for (int k = 0; k < PERLANE_MAX_DIMS; k++)
    sum += v[k] / largest * (v[k] / largest);
  return largest * perlane_root(sum);
}

int perlane_expression_octaves(const perlane_expression *expression,
                               const struct perlane_expression_step *step, int octaves,
                               const double *spacing) {
  int dims = 0; /* of a place */
  const perlane_noise *field = field_of_step(expression, step, &dims);
  double longest = 0;
  for (int a = 0; a < PERLANE_MAX_DIMS && spacing[a] != 0; a++) {
    double moved[PERLANE_MAX_DIMS] = {dims == 0 ? spacing[a] : 0};
    for (int k = 0; k < dims; k++)
      moved[k] = spacing[a] * perlane_place_affine(expression, step->operand, k)[a];
    const double length = length_of(moved);
    longest = length > longest ? length : longest;
  }
  const int given = perlane_field_octaves(field, octaves);
  const int shown = perlane_field_shown(field, longest);
  return shown < given ? shown : given;
}

/* ---- Range ----
 *
 * Most operations rise or fall with each operand as long as the others stay, so they have their
 * extremes where operands are at the ends of their bounds, and roundings are monotonic: evaluated
 * there in the values' own arithmetic, they bound all values. The formulas of mix, smooth,
 * smooth_min and smooth_max are monotonic but for roundings, for which their bounds are widened. */

/* Bounds of values, and whether one may be no number; `low` exceeds `high` if none is a number.
 * Equal operands that are pushed unchanged have the same `source`, other results 0. */
struct bounds {
  float low, high;
  int nan, source;
};

static float infinite(void) {
  const uint32_t bits = 0x7F800000;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static float largest_magnitude(struct bounds a) {
  return perlane_higher(-a.low, a.high);
}

static struct bounds anything(void) {
  return (struct bounds){-infinite(), infinite(), 1, 0};
}

/* Returns an operand's value, of those that can give extremes or no number. */
static float candidate(struct bounds a, int which) {
  if (!(a.low <= a.high) || (which == 3 && a.nan))
    return perlane_nan();
  if (which == 2 && a.low < 0 && a.high > 0)
    return 0;
  return which == 1 ? a.high : a.low;
}

/* Bounds an operation by its values at the candidates. The factors of a square are the same. */
static struct bounds at_candidates(const struct perlane_expression_step *step,
                                   const struct bounds *x) {
  const int operation = step->operation, operands = perlane_arity(operation);
  const int factor = operation == OP_ADD_PRODUCT || operation == OP_SUBTRACT_PRODUCT;
  const int is_square =
      (operation == OP_MULTIPLY || (operation >= OP_ADD_PRODUCT && operation < OP_MIX)) &&
      x[factor].source != 0 && x[factor].source == x[factor + 1].source;
  struct bounds result = {infinite(), -infinite(), 0, 0};
  for (int i = 0; i < 1 << 2 * operands; i++) {
    float operand[3] = {0, 0, 0};
    for (int k = 0; k < operands; k++)
      operand[k] = candidate(x[k], i >> 2 * k & 3);
    if (is_square)
      operand[factor + 1] = operand[factor];
    const float value = perlane_operation_on_numbers(step, operand);
    result.low = perlane_lower(value, result.low);
    result.high = perlane_higher(value, result.high);
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
  case OP_DIVIDE:
    if (x[1].low <= 0 && x[1].high >= 0)
      return anything();
    break;
  case OP_SMOOTH_MIN:
  case OP_SMOOTH_MAX:
    sharp.operation += OP_MIN - OP_SMOOTH_MIN;
    if (sharp.operation == OP_MIN)
      outer.high = at_candidates(&sharp, x).high;
    else
      outer.low = at_candidates(&sharp, x).low;
    if (perlane_higher(x[0].low - x[1].high, x[1].low - x[0].high) <
        step->number) /* they may be close */
      scale = step->number < 0x1p63f
                  ? perlane_lower(largest_magnitude(x[0]), largest_magnitude(x[1])) + step->number
                  : infinite(); /* h * h overflows */
    break;
  case OP_MIX:
    scale = largest_magnitude(x[0]) * perlane_higher(1 - x[2].low, x[2].high - 1) +
            largest_magnitude(x[1]) * largest_magnitude(x[2]);
    break;
  case OP_SMOOTH: {
    const float least = x[1].low - x[0].high, most = x[1].high - x[0].low; /* of high - low */
    outer = (struct bounds){0, 1, 0, 0};
    scale = (least > 0 && most < infinite()) || (most < 0 && least > -infinite()) ? 1 : infinite();
    break;
  }
  default:
    break;
  }
  if (scale != 0) {
    result.low = perlane_higher(result.low - (scale * 0x1p-20f + 0x1p-70f), outer.low);
    result.high = perlane_lower(result.high + (scale * 0x1p-20f + 0x1p-70f), outer.high);
  }
  return result;
}

/* Bounds a coordinate, in a grid unless it is NULL. */
static struct bounds of_coordinate(int axis, int dims, const struct perlane_region *grid) {
  if (axis >= dims)
    return (struct bounds){0};
  if (!grid)
    return anything();
  const float begin = (float)end_of_axis(grid, axis, 0), end = (float)end_of_axis(grid, axis, 1);
  return (struct bounds){perlane_lower(begin, end), perlane_higher(begin, end), 0, 0};
}

/* Adds the products of a factor and numbers from one end to another to bounds. */
static void add_products(double factor, const double end[2], double bounds[2]) {
  const int falls = factor * end[0] > factor * end[1];
  bounds[0] += factor * end[falls];
  bounds[1] += factor * end[!falls];
}

/* Returns 1 if all places of a field in a grid are in its domain, where it has a value. Arguments'
 * rests are in `popped`. */
static int is_inside(const perlane_expression *expression, int32_t place, int dims,
                     const struct perlane_region *grid, const struct bounds *popped) {
  const perlane_noise *field = expression->field[perlane_place_field(place)];
  int inside = 1;
  for (int k = 0; k < perlane_place_dims(place); k++) {
    const double *affine = perlane_place_affine(expression, place, k);
    double bounds[2] = {0, 0};
    for (int a = 0; a < dims; a++)
      if (affine[a] != 0 && grid)
        add_products(affine[a], (double[]){end_of_axis(grid, a, 0), end_of_axis(grid, a, 1)},
                     bounds);
      else
        inside &= affine[a] == 0;
    add_products(affine[PERLANE_MAX_DIMS], (double[]){1, 1}, bounds);
    if (perlane_place_pops(place, k)) {
      inside &= !popped->nan;
      add_products(1, (double[]){(double)popped->low, (double)popped->high}, bounds);
      popped++;
    }
    inside &=
        perlane_field_in_domain(field, bounds[0]) && perlane_field_in_domain(field, bounds[1]);
  }
  return inside;
}

PERLANE_NOINLINE void perlane_expression_bounds(const perlane_expression *expression, int dims,
                                                const struct perlane_region *grid, float *low,
                                                float *high) {
  struct bounds stack[PERLANE_MAX_EXPRESSION_DEPTH + 3] = {{0}}, *top = stack;
  for (int i = 0; i < expression->count; i++, top++) {
    const struct perlane_expression_step *step = &expression->step[i];
    int own_dims = dims;
    const perlane_noise *field = field_of_step(expression, step, &own_dims);
    top -= perlane_pops(step);
    switch (step->operation) {
    case OP_NUMBER:
      *top = (struct bounds){step->number, step->number, 0, 0};
      break;
    case OP_COORDINATE:
      *top = of_coordinate(step->operand, dims, grid);
      break;
    case OP_RESULT:
      *top = stack[step->operand];
      break;
    case OP_FIELD:
    case OP_FIELD_AT:
      top->nan = step->operation == OP_FIELD
                     ? !grid
                     : !is_inside(expression, step->operand, dims, grid, top);
      if (!perlane_field_range(field, own_dims, &top->low, &top->high))
        *top = anything();
      break;
    case OP_CURVE:
      if (top->low <= top->high)
        perlane_curve_range(&expression->curve[step->operand & 255], &top->low, &top->high);
      break;
    default:
      *top = of_step(step, top);
    }
    const int is_pushed = step->operation > OP_NUMBER && step->operation < OP_FIELD_AT;
    top->source = is_pushed ? step->operation << 8 | step->operand : 0;
  }
  const struct bounds result = top[-1];
  *low = result.low <= result.high ? result.low : -infinite();
  *high = result.low <= result.high ? result.high : infinite();
}
