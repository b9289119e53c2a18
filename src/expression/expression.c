/* SPDX-License-Identifier: MIT
 *
 * A noise that is an expression: what its fields make of it.
 */
#include "../strict.h"

#include <string.h>

#include "../field.h"
#include "../range.h"
#include "expression.h"

/* Returns the field of a step and sets the dimensions that it is evaluated in, if dims are those of
 * the expression; NULL if the step has none. */
static const perlane_noise *field_of_step(const perlane_expression *expression, int step,
                                          int *dims) {
  const int operation = expression->step[step].operation;
  const int32_t operand = expression->step[step].operand;
  if (operation == PERLANE_FIELD)
    return expression->field[operand];
  if (operation != PERLANE_FIELD_AT)
    return NULL;
  *dims = perlane_place_dims(operand);
  return expression->field[perlane_place_field(operand)];
}

/* Sets what every noise says of itself. */
static void describe_expression(perlane_noise *noise) {
  const perlane_expression *expression = &noise->of.expression;
  noise->octaves = 1;
  for (int i = 0; i < expression->field_count; i++) {
    const perlane_noise *field = expression->field[i];
    const int octaves = field->octaves + field->gully_octaves;
    noise->octaves = octaves > noise->octaves ? octaves : noise->octaves;
    if (i == 0 || field->params.frequency < noise->params.frequency)
      noise->params.frequency = field->params.frequency;
  }
  for (int d = 1; d <= PERLANE_MAX_DIMS; d++) {
    int exists = 1, sloped = 1;
    for (int i = 0; i < expression->count; i++) {
      int dims = d;
      const perlane_noise *field = field_of_step(expression, i, &dims);
      exists &= !field || field->largest[dims - 1] > 0;
      sloped &= !field || field->sloped >> (dims - 1) & 1;
    }
    noise->largest[d - 1] = exists;
    noise->sloped |= (exists & sloped) << (d - 1);
  }
}

void perlane_expression_make(perlane_noise *noise, const perlane_expression *program) {
  if (program->count == 1 && program->step[0].operation == PERLANE_FIELD) {
    *noise = *program->field[0];
    return;
  }
  memset(noise, 0, sizeof *noise);
  noise->params = perlane_params_default();
  noise->is_expression = 1;
  noise->value_scale = 1;
  noise->of.expression = *program;
  describe_expression(noise);
  noise->ready = PERLANE_READY;
}

const perlane_noise *perlane_expression_outside(const perlane_noise *noise, double position) {
  const perlane_expression *expression = &noise->of.expression;
  for (int i = 0; i < expression->count; i++)
    if (expression->step[i].operation == PERLANE_FIELD &&
        !perlane_field_in_domain(expression->field[expression->step[i].operand], position))
      return expression->field[expression->step[i].operand];
  return NULL;
}

int perlane_region_in_domain(const perlane_noise *field, const struct perlane_region *region,
                             int axes) {
  int is_inside = 1;
  for (int a = 0; a < PERLANE_MAX_DIMS; a++)
    for (int end = 0; end < 2 && axes >> a & 1; end++) {
      const int64_t index = region->first[a] + end * (int64_t)(region->count[a] - 1);
      is_inside &=
          perlane_field_in_domain(field, region->origin[a] + (double)index * region->step[a]);
    }
  return is_inside;
}

perlane_status perlane_expression_slopes_status(const perlane_noise *noise, int dims) {
  perlane_status status = PERLANE_OK;
  for (int i = 0; i < noise->of.expression.count && status == PERLANE_OK; i++) {
    int of = dims;
    const perlane_noise *field = field_of_step(&noise->of.expression, i, &of);
    if (field && !(field->sloped >> (of - 1) & 1))
      status = perlane_field_gradient_status(field, of);
  }
  return status;
}
