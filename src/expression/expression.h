/* SPDX-License-Identifier: MIT
 *
 * The program of an expression: operands and operations in the order in which a stack evaluates
 * them (docs/specification.md, 5). An operation that stands more than once in the text is evaluated
 * first and stays at the bottom of the stack; the result of the expression is at the top.
 */
#ifndef PERLANE_EXPRESSION_EXPRESSION_H
#define PERLANE_EXPRESSION_EXPRESSION_H

#include <string.h>

#include "../../include/perlane_expression.h"
#include "../kernels.h"

typedef struct perlane_expression perlane_expression;

enum perlane_operation {
  OP_NUMBER,     /* pushes `number` */
  OP_COORDINATE, /* pushes coordinate `operand` */
  OP_FIELD,      /* pushes field `operand` at the position */
  OP_RESULT,     /* pushes again the result that has been kept at depth `operand` */
  OP_FIELD_AT,   /* pushes a field at another position, which perlane_place describes */
  OP_NEGATE,
  OP_ABS,
  OP_SQRT,
  OP_FLOOR,
  OP_CURVE, /* number `operand` of the program; never an operation on numbers */
  OP_ADD,
  OP_SUBTRACT,
  OP_MULTIPLY,
  OP_DIVIDE,
  OP_MIN,
  OP_MAX,
  OP_STEP,
  OP_SMOOTH_MIN, /* `number` is k */
  OP_SMOOTH_MAX,
  OP_ADD_PRODUCT, /* a + b * c, whose product is rounded, too */
  OP_SUBTRACT_PRODUCT,
  OP_PRODUCT_ADD, /* a * b + c */
  OP_PRODUCT_SUBTRACT,
  OP_MIX,
  OP_CLAMP,
  OP_SMOOTH,
  OP_SELECT,
};

_Static_assert(sizeof(perlane_expression) <= sizeof(((perlane_noise *)0)->vector),
               "an expression makes no noise larger");

/* Returns how many results an operation other than OP_FIELD_AT pops. */
static inline int perlane_arity(int operation) {
  return operation < OP_NEGATE ? 0 : operation < OP_ADD ? 1 : operation < OP_ADD_PRODUCT ? 2 : 3;
}

/* The place of a OP_FIELD_AT, as its operand: the field, the number of arguments, which of
 * these have a rest that is popped, and the affine part of the first, before those of the others.
 */
static inline int32_t perlane_place_make(int field, int dims, int pops, int first) {
  return field | dims << 8 | pops << 12 | first << 16;
}
static inline int perlane_place_field(int32_t place) {
  return place & 255;
}
static inline int perlane_place_dims(int32_t place) {
  return place >> 8 & 15;
}
static inline int perlane_place_pops(int32_t place, int argument) {
  return place >> (12 + argument) & 1;
}
static inline int perlane_place_first(int32_t place) {
  return place >> 16;
}
static inline const double *perlane_place_affine(const perlane_expression *expression,
                                                 int32_t place, int argument) {
  return expression->affine[perlane_place_first(place) + argument];
}

/* Returns how many results a step pops. */
static inline int perlane_pops(const struct perlane_expression_step *step) {
  int pops = perlane_arity(step->operation);
  for (int k = 0; step->operation == OP_FIELD_AT && k < perlane_place_dims(step->operand); k++)
    pops += perlane_place_pops(step->operand, k);
  return pops;
}

/* Finds the steps whose results each step pops, and unless `slot` is NULL the depth of the stack at
 * which it pushes its own; more arguments than it pops are any. Returns the step whose result is
 * the expression's. */
static inline int perlane_expression_arguments(const perlane_expression *expression,
                                               unsigned char (*argument)[PERLANE_MAX_DIMS],
                                               unsigned char *slot) {
  unsigned char stack[PERLANE_MAX_EXPRESSION_DEPTH + PERLANE_MAX_DIMS] = {0}, top = 0;
  int depth = 0;
  for (int i = 0; i < expression->count; i++) {
    const struct perlane_expression_step *step = &expression->step[i];
    depth -= perlane_pops(step);
    memcpy(argument[i], stack + depth, sizeof argument[i]);
    if (slot)
      slot[i] = (unsigned char)depth;
    top = step->operation == OP_RESULT ? stack[step->operand] : (unsigned char)i;
    stack[depth++] = top;
  }
  return top;
}

/* Returns the result of an operation on up to 3 numbers. */
float perlane_operation_on_numbers(const struct perlane_expression_step *step,
                                   const float *operand);

struct perlane_text;

/* Returns whether perlane_explain_text explains an expression with this as its option. */
int perlane_expression_is_option(const char *option);

/* Appends why a text is refused, as perlane_explain_text documents. */
void perlane_expression_explain(const char *option, const char *text, struct perlane_text *problem);

enum { MAX_FIELD_NAME = 127 }; /* letters of a field's name */

/* Returns a function as messages show it: "min(A, B)". */
const char *perlane_expression_form(int operation);

/* Makes the noise of a program; that of a field alone is the field. */
void perlane_expression_make(perlane_noise *noise, const perlane_expression *program);

/* Returns the first field that stands for its value at the position, and whose domain does not
 * contain it; NULL if there is none. */
const perlane_noise *perlane_expression_outside(const perlane_noise *noise, double position);

/* Returns 1 if all positions of a region along some axes, which are given as bits, are in a field's
 * domain. */
int perlane_region_in_domain(const perlane_noise *field, const struct perlane_region *region,
                             int axes);

/* Returns how many octaves the field of a step has: of the first `octaves` those that samples so
 * far apart along each axis show, which at() scales. */
int perlane_expression_octaves(const perlane_expression *expression,
                               const struct perlane_expression_step *step, int octaves,
                               const double *spacing);

/* As perlane_field_gradient_status, of all fields. */
perlane_status perlane_expression_slopes_status(const perlane_noise *noise, int dims);

/* Bounds an expression's values in a grid, or at any position if it is NULL. */
void perlane_expression_bounds(const perlane_expression *expression, int dims,
                               const struct perlane_region *grid, float *low, float *high);

#endif
