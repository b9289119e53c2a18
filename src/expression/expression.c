/* SPDX-License-Identifier: MIT
 *
 * The public functions of expressions: as those of perlane.c, each checks its arguments, sets the
 * floating-point environment, and makes one call through the kernel table.
 */
#include "../strict.h"

#include <string.h>

#include "../checks.h"
#include "../dispatch.h"
#include "../field.h"
#include "../range.h"
#include "parse.h"

size_t perlane_expression_size(void) {
  return sizeof(perlane_expression);
}

/* ---- From text ---- */

/* Reads an expression over named fields, or over those that its text defines if names is NULL. */
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

perlane_status perlane_expression_init(perlane_expression *expression, const char *text,
                                       int32_t count, const char *const *names,
                                       const perlane_noise *const *fields) {
  struct perlane_names of = {.count = 0};
  perlane_expression result;
  if (!expression || !text || (count > 0 && !fields))
    return PERLANE_ERROR_NULL;
  perlane_status status = collect_names(&of, count, names, fields, NULL);
  for (int32_t i = 0; i < count && status == PERLANE_OK; i++)
    status = !fields[i]                           ? PERLANE_ERROR_NULL
             : !perlane_field_is_ready(fields[i]) ? PERLANE_ERROR_NOISE
                                                  : PERLANE_OK;
  if (status == PERLANE_OK)
    status = read_text(text, &of, 0, NULL, 0, &result, NULL);
  if (status == PERLANE_OK)
    *expression = result;
  return status;
}

perlane_status perlane_expression_init_text(perlane_expression *expression, const char *text,
                                            int32_t room, perlane_noise *fields, int32_t *count) {
  struct perlane_names of = {.count = 0};
  perlane_expression result;
  if (!expression || !text || (room > 0 && !fields))
    return PERLANE_ERROR_NULL;
  if (room < 0)
    return PERLANE_ERROR_COUNT;
  if (room > PERLANE_MAX_EXPRESSION_FIELDS)
    room = PERLANE_MAX_EXPRESSION_FIELDS;
  const perlane_status status = read_text(text, &of, 1, fields, room, &result, NULL);
  if (status != PERLANE_OK)
    return status;
  *expression = result;
  if (count)
    *count = of.count;
  return PERLANE_OK;
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

/* ---- Checks ---- */

/* Checks the fields of an expression in a grid, or in dims dimensions if it is NULL. */
static perlane_status check_fields(const perlane_expression *expression, int32_t dims,
                                   const perlane_grid *grid, int with_gradient) {
  perlane_status status = PERLANE_OK;
  for (int32_t i = 0; i < expression->count && status == PERLANE_OK; i++) {
    const struct perlane_expression_step *step = &expression->step[i];
    const int is_named = step->operation == PERLANE_FIELD;
    if (!is_named && step->operation != PERLANE_FIELD_AT)
      continue;
    const perlane_noise *field =
        expression->field[is_named ? step->operand : perlane_place_field(step->operand)];
    const int32_t of = is_named ? dims : perlane_place_dims(step->operand);
    struct perlane_region region;
    status = is_named && grid ? perlane_grid_complete(field, grid, &region, NULL)
                              : perlane_dims_check(field, of, NULL);
    if (status == PERLANE_OK && with_gradient && !(field->sloped >> (of - 1) & 1))
      status = perlane_field_gradient_status(field, of);
  }
  return status;
}

static int is_ready(const perlane_expression *expression) {
  return expression->ready == PERLANE_EXPRESSION_READY;
}

static perlane_status complete(const perlane_expression *expression, const perlane_grid *grid,
                               struct perlane_region *region, int with_gradient) {
  const perlane_status status = perlane_grid_complete(NULL, grid, region, NULL);
  return status == PERLANE_OK ? check_fields(expression, grid->dims, grid, with_gradient) : status;
}

perlane_status perlane_expression_check(const perlane_expression *expression,
                                        const perlane_grid *grid) {
  if (!expression || !grid)
    return PERLANE_ERROR_NULL;
  if (!is_ready(expression))
    return PERLANE_ERROR_NOISE;
  const perlane_fp_state caller = perlane_fp_enter();
  struct perlane_region region;
  const perlane_status status = complete(expression, grid, &region, 0);
  perlane_fp_leave(caller);
  return status;
}

/* ---- Grids ---- */

static perlane_status fill(const perlane_expression *expression, const perlane_grid *grid,
                           const struct perlane_output *output) {
  if (!is_ready(expression))
    return PERLANE_ERROR_NOISE;
  const struct perlane_kernels *kernels = perlane_kernels_current();
  const perlane_fp_state caller = perlane_fp_enter();
  struct perlane_region region;
  const perlane_status status = complete(expression, grid, &region, output->gradient[0] != NULL);
  if (status == PERLANE_OK && expression->step[0].operation == PERLANE_FIELD &&
      expression->count == 1) {
    region.octaves = perlane_first_octaves(expression->field[0], region.octaves);
    kernels->fill(expression->field[0], &region, output);
  } else if (status == PERLANE_OK) {
    kernels->fill_expression(expression, &region, output);
  }
  perlane_fp_leave(caller);
  return status;
}

perlane_status perlane_expression_fill(const perlane_expression *expression,
                                       const perlane_grid *grid, float *out) {
  const struct perlane_output output = {.format = PERLANE_FLOAT, .value = out};
  return expression && grid && out ? fill(expression, grid, &output) : PERLANE_ERROR_NULL;
}

static perlane_status fill_integers(const perlane_expression *expression, const perlane_grid *grid,
                                    struct perlane_output *output, float high, double max) {
  if (!expression || !grid || !output->value)
    return PERLANE_ERROR_NULL;
  output->scale = perlane_level_scale(output->low, high, max);
  return output->scale == 0 ? PERLANE_ERROR_LEVELS : fill(expression, grid, output);
}

perlane_status perlane_expression_fill_u16(const perlane_expression *expression,
                                           const perlane_grid *grid, float low, float high,
                                           uint16_t *out) {
  struct perlane_output output = {.format = PERLANE_U16, .value = out, .low = low};
  return fill_integers(expression, grid, &output, high, 65535);
}

perlane_status perlane_expression_fill_u8(const perlane_expression *expression,
                                          const perlane_grid *grid, float low, float high,
                                          uint8_t *out) {
  struct perlane_output output = {.format = PERLANE_U8, .value = out, .low = low};
  return fill_integers(expression, grid, &output, high, 255);
}

perlane_status perlane_expression_fill_extremes(const perlane_expression *expression,
                                                const perlane_grid *grid, float *out,
                                                float *smallest, float *largest) {
  float extremes[2];
  const struct perlane_output output = {
      .format = PERLANE_FLOAT, .value = out, .extremes = extremes};
  if (!expression || !grid || !out || !smallest || !largest)
    return PERLANE_ERROR_NULL;
  const perlane_status status = fill(expression, grid, &output);
  if (status == PERLANE_OK) {
    *smallest = extremes[0];
    *largest = extremes[1];
  }
  return status;
}

perlane_status perlane_expression_fill_gradient(const perlane_expression *expression,
                                                const perlane_grid *grid, float *out,
                                                float *const *gradient) {
  struct perlane_output output = {.format = PERLANE_FLOAT, .value = out};
  if (!expression || !grid || !gradient)
    return PERLANE_ERROR_NULL;
  for (int32_t a = 0; a < grid->dims && a < PERLANE_MAX_DIMS; a++) {
    if (!gradient[a])
      return PERLANE_ERROR_NULL;
    output.gradient[a] = gradient[a];
  }
  return fill(expression, grid, &output);
}

/* ---- Points ---- */

static perlane_status points(const perlane_expression *expression,
                             const struct perlane_point_list *list) {
  if (!is_ready(expression))
    return PERLANE_ERROR_NOISE;
  perlane_status status = perlane_dims_check(NULL, list->dims, NULL);
  if (status == PERLANE_OK) {
    const perlane_fp_state caller = perlane_fp_enter();
    status = check_fields(expression, list->dims, NULL, list->gradient != NULL);
    perlane_fp_leave(caller);
  }
  if (status != PERLANE_OK || list->n == 0)
    return status;
  status = perlane_list_check(list);
  if (status != PERLANE_OK)
    return status;
  const struct perlane_kernels *kernels = perlane_kernels_current();
  const perlane_fp_state caller = perlane_fp_enter();
  kernels->points_expression(expression, list);
  perlane_fp_leave(caller);
  return PERLANE_OK;
}

perlane_status perlane_expression_points(const perlane_expression *expression,
                                         const perlane_list *list, float *out,
                                         float *const *gradient) {
  struct perlane_point_list of;
  const perlane_status status =
      expression && list ? perlane_list_complete(list, out, gradient, &of) : PERLANE_ERROR_NULL;
  return status == PERLANE_OK ? points(expression, &of) : status;
}

float perlane_expression_at(const perlane_expression *expression, int32_t dims,
                            const double *position, float *gradient) {
  const double *coords[PERLANE_MAX_DIMS] = {NULL};
  float *slope[PERLANE_MAX_DIMS] = {NULL};
  const uint32_t nan = 0x7FC00000;
  float value;
  memcpy(&value, &nan, sizeof value);
  if (!expression || !position)
    return value;
  for (int32_t a = 0; a < dims && a < PERLANE_MAX_DIMS; a++) {
    coords[a] = position + a;
    slope[a] = gradient + (gradient ? a : 0);
  }
  const struct perlane_point_list list = {.dims = dims,
                                          .n = 1,
                                          .coords64 = coords,
                                          .stride = 1,
                                          .out = &value,
                                          .gradient = gradient ? slope : NULL};
  const perlane_status status = points(expression, &list);
  if (status == PERLANE_ERROR_NO_GRADIENT || status == PERLANE_ERROR_STEEP)
    for (int32_t a = 0; a < dims && gradient; a++)
      gradient[a] = value;
  return value;
}
