/* SPDX-License-Identifier: MIT
 *
 * A noise that is an expression: its fields are checked once, when it is made.
 */
#include "../strict.h"

#include <string.h>

#include "../field.h"
#include "../numbers.h"
#include "../range.h"
#include "expression.h"
#include "parse.h"

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

/* ---- From text ---- */

/* Sets what every noise says of itself. */
static void describe_expression(perlane_noise *noise) {
  const perlane_expression *expression = &noise->of.expression;
  int dims = 15;
  noise->octaves = 1;
  for (int i = 0; i < expression->field_count; i++) {
    const perlane_noise *field = expression->field[i];
    const int octaves = field->octaves + field->gully_octaves;
    noise->octaves = octaves > noise->octaves ? octaves : noise->octaves;
    if (i == 0 || field->params.frequency < noise->params.frequency)
      noise->params.frequency = field->params.frequency;
  }
  for (int d = 1; d <= PERLANE_MAX_DIMS; d++)
    for (int i = 0; i < expression->count; i++) {
      int of = d;
      const perlane_noise *field = field_of_step(expression, i, &of);
      if (field && !(field->largest[of - 1] > 0))
        dims &= ~(1 << (d - 1));
    }
  for (int d = 1; d <= PERLANE_MAX_DIMS; d++) {
    noise->largest[d - 1] = dims >> (d - 1) & 1;
    if (noise->largest[d - 1] > 0 && perlane_expression_slopes_status(noise, d) == PERLANE_OK)
      noise->sloped |= 1 << (d - 1);
  }
}

/* Makes the noise of an expression that has been read; that of a field alone is the field. */
static void make_expression(perlane_noise *noise, const perlane_expression *expression) {
  if (expression->count == 1 && expression->step[0].operation == PERLANE_FIELD) {
    if (noise != expression->field[0])
      *noise = *expression->field[0];
    return;
  }
  memset(noise, 0, sizeof *noise);
  noise->params = perlane_params_default();
  noise->is_expression = 1;
  noise->value_scale = 1;
  noise->of.expression = *expression;
  describe_expression(noise);
  noise->ready = PERLANE_READY;
}

/* Reads an expression over named fields, or over those that its text defines. */
static perlane_status read_text(const char *text, struct perlane_names *names, int defines,
                                perlane_noise *fields, int room, perlane_expression *expression,
                                struct perlane_text *problem) {
  const perlane_fp_state caller = perlane_fp_enter();
  const char *begin = text;
  perlane_status status =
      defines ? perlane_definitions_parse(&begin, names, fields, room, problem) : PERLANE_OK;
  if (status == PERLANE_OK)
    status = perlane_expression_parse(text, begin, names, expression, problem);
  perlane_fp_leave(caller);
  return status;
}

/* Collects names; fields may be NULL. */
static perlane_status collect_names(struct perlane_names *to, int32_t count,
                                    const char *const *names, const perlane_noise *const *fields,
                                    struct perlane_text *problem) {
  if (count < 0 || count > PERLANE_MAX_EXPRESSION_FIELDS)
    return PERLANE_REFUSE(PERLANE_ERROR_COUNT, problem, "an expression has at most %d fields",
                          PERLANE_MAX_EXPRESSION_FIELDS);
  perlane_status status = count > 0 && !names ? PERLANE_ERROR_NULL : PERLANE_OK;
  for (int32_t i = 0; i < count && status == PERLANE_OK; i++)
    status = !names[i] ? PERLANE_ERROR_NULL
                       : perlane_names_add(to, names[i], strlen(names[i]),
                                           fields ? fields[i] : NULL, problem);
  if (status == PERLANE_ERROR_NULL)
    perlane_text_print(problem, "%s", perlane_status_string(status));
  return status;
}

/* Reads and makes an expression, unless there is an error. */
static perlane_status make_from_text(perlane_noise *noise, const char *text,
                                     struct perlane_names *names, int defines,
                                     perlane_noise *fields, int room) {
  perlane_expression expression;
  const perlane_status status = read_text(text, names, defines, fields, room, &expression, NULL);
  if (status != PERLANE_OK)
    return status;
  const perlane_fp_state caller = perlane_fp_enter();
  make_expression(noise, &expression);
  perlane_fp_leave(caller);
  return PERLANE_OK;
}

perlane_status perlane_expression_init(perlane_noise *noise, const char *text, int32_t count,
                                       const char *const *names,
                                       const perlane_noise *const *fields) {
  struct perlane_names of = {.count = 0};
  if (!noise || !text || (count > 0 && !fields))
    return PERLANE_ERROR_NULL;
  perlane_status status = collect_names(&of, count, names, fields, NULL);
  for (int32_t i = 0; i < count && status == PERLANE_OK; i++)
    status = !fields[i] ? PERLANE_ERROR_NULL
             : !perlane_field_is_ready(fields[i]) || fields[i]->is_expression || fields[i] == noise
                 ? PERLANE_ERROR_NOISE
                 : PERLANE_OK;
  return status == PERLANE_OK ? make_from_text(noise, text, &of, 0, NULL, 0) : status;
}

perlane_status perlane_expression_init_text(perlane_noise *noise, const char *text, int32_t room,
                                            perlane_noise *fields, int32_t *count) {
  struct perlane_names of = {.count = 0};
  if (!noise || !text || (room > 0 && !fields))
    return PERLANE_ERROR_NULL;
  if (room < 0)
    return PERLANE_ERROR_COUNT;
  if (room > PERLANE_MAX_EXPRESSION_FIELDS)
    room = PERLANE_MAX_EXPRESSION_FIELDS;
  for (int32_t i = 0; i < room; i++)
    if (&fields[i] == noise)
      return PERLANE_ERROR_NOISE;
  const perlane_status status = make_from_text(noise, text, &of, 1, fields, room);
  if (status == PERLANE_OK && count)
    *count = of.count;
  return status;
}

size_t perlane_explain_expression(const char *text, int32_t count, const char *const *names,
                                  char *message, size_t size) {
  struct perlane_text problem = perlane_text_begin(message, size);
  struct perlane_names of = {.count = 0};
  perlane_expression result;
  if (!text)
    perlane_text_print(&problem, "%s", perlane_status_string(PERLANE_ERROR_NULL));
  else if (collect_names(&of, count, names, NULL, &problem) == PERLANE_OK)
    read_text(text, &of, count == 0, NULL, PERLANE_MAX_EXPRESSION_FIELDS, &result, &problem);
  return perlane_text_end(&problem);
}

/* ---- The fields ---- */

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
