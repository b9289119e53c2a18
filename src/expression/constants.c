/* SPDX-License-Identifier: MIT
 *
 * Operations on numbers (docs/specification.md, 5): those of a text's constants, and of the ends of
 * bounds.
 */
#include "../strict.h"

#include <string.h>

#include "../numbers.h"
#include "expression.h"

static float with_sign_of(float v, uint32_t clear, uint32_t flip) {
  uint32_t bits;
  memcpy(&bits, &v, sizeof bits);
  bits = (bits & ~clear) ^ flip;
  memcpy(&v, &bits, sizeof v);
  return v;
}

static float absolute(float v) {
  return with_sign_of(v, 0x80000000, 0);
}

static float root(float v) {
  const float none = 0;
  return v > 0 && v <= FLT_MAX ? (float)perlane_root((double)v) : v >= 0 ? v : none / none;
}

/* From 2^23 on every float is whole; -0 stays. */
static float whole_below(float v) {
  if (!(absolute(v) < 0x1p23f) || v == 0)
    return v;
  const float whole = (float)(int32_t)v;
  return whole > v ? whole - 1 : whole;
}

/* What smooth_min subtracts where a and b are close. */
static float rounding(float a, float b, float k) {
  const float h = perlane_higher(k - absolute(a - b), 0);
  return h * h * (0.25f / k);
}

static float smooth_step(float low, float high, float v) {
  const float t = perlane_lower(perlane_higher((v - low) / (high - low), 0), 1);
  return t * t * (3 - 2 * t);
}

float perlane_operation_on_numbers(const struct perlane_expression_step *step,
                                   const float *operand) {
  const float a = operand[0], b = operand[1], c = operand[2];
  switch ((enum perlane_operation)step->operation) {
  case OP_NEGATE:
    return with_sign_of(a, 0, 0x80000000);
  case OP_ABS:
    return absolute(a);
  case OP_SQRT:
    return root(a);
  case OP_FLOOR:
    return whole_below(a);
  case OP_ADD:
    return a + b;
  case OP_SUBTRACT:
    return a - b;
  case OP_MULTIPLY:
    return a * b;
  case OP_DIVIDE:
    return a / b;
  case OP_MIN:
    return perlane_lower(a, b);
  case OP_MAX:
    return perlane_higher(a, b);
  case OP_STEP:
    return b < a ? 0 : 1;
  case OP_SMOOTH_MIN:
    return perlane_lower(a, b) - rounding(a, b, step->number);
  case OP_SMOOTH_MAX:
    return perlane_higher(a, b) + rounding(a, b, step->number);
  case OP_ADD_PRODUCT:
    return a + b * c;
  case OP_SUBTRACT_PRODUCT:
    return a - b * c;
  case OP_PRODUCT_ADD:
    return a * b + c;
  case OP_PRODUCT_SUBTRACT:
    return a * b - c;
  case OP_MIX:
    return a * (1 - c) + b * c;
  case OP_CLAMP:
    return perlane_lower(perlane_higher(a, b), c);
  case OP_SELECT:
    return c < 0.5f ? a : b;
  case OP_SMOOTH:
    return smooth_step(a, b, c);
  case OP_NUMBER:
  case OP_COORDINATE:
  case OP_FIELD:
  case OP_RESULT:
  case OP_FIELD_AT:
  case OP_CURVE:
    break;
  }
  return 0;
}
