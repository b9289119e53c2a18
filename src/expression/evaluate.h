/* SPDX-License-Identifier: MIT
 *
 * Evaluating an expression on a run of samples: the program, whose results stay in the first-level
 * cache. Fields at the samples are in memory before; fields at other positions are evaluated as
 * points.
 */
#ifndef PERLANE_EXPRESSION_EVALUATE_H
#define PERLANE_EXPRESSION_EVALUATE_H

#include "../field.h"
#include "expression.h"
#include "operations.h"

enum {
  RUN_SAMPLES = 1024, /* of a run at most */
  RUN_GRANULE = 16,
  RUN_FLOATS = 7 * 1024, /* on the stack */
  MAX_INPUTS = 16,
};

/* A field whose values are in memory when a run begins: that of a name, or of an at() with bare
 * coordinates. */
struct input {
  const perlane_noise *field;
  int axes, dims;                  /* bits of the axes that it depends on, and their number */
  float *array[MAX_ARRAYS];        /* values; derivatives along each of these axes */
  size_t stride[PERLANE_MAX_DIMS]; /* floats from one sample to the next along each axis */
};

/* An array of positions along an axis, or one for all samples if `mask` is 0. */
struct position_column {
  const double *from;
  size_t mask;
};

/* Memory of a run's samples, and what does not change from run to run. */
struct evaluation_of {
  const perlane_expression *expression;
  int dims, arrays, octaves;
  int depth;       /* results at most */
  int coordinates; /* bits of those that are operands */
  int moves;       /* whether a field is evaluated at other positions */
  int lists;       /* whether runs have arrays of coordinates and positions */
  int inputs;
  struct input input[MAX_INPUTS];
  signed char input_of[PERLANE_MAX_EXPRESSION_STEPS]; /* of each step; -1: none */
  size_t samples;                                     /* of a run at most */
  float *results, *shared; /* of each depth: arrays, and vectors that all samples share */
  float *coordinate_memory, *gradient_memory;
  double *position_memory, *moved_memory;
  /* The run: */
  size_t n;
  size_t at[PERLANE_MAX_DIMS]; /* of its first sample in the inputs' arrays */
  size_t row;                  /* samples of a row, which follow each other in the inputs */
  struct column coordinate[PERLANE_MAX_DIMS];
  struct position_column position[PERLANE_MAX_DIMS];
};

static const double expression_nowhere = 0;
static const float expression_zeros[16] = {0};
static const float expression_ones[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

/* ---- Preparation ---- */

/* Returns the input of a field and axes, which is added if there is room; -1 if not. */
static int find_input(struct evaluation_of *of, const perlane_noise *field, int axes) {
  int s = 0;
  while (s < of->inputs && (of->input[s].field != field || of->input[s].axes != axes))
    s++;
  if (s == MAX_INPUTS)
    return -1;
  if (s == of->inputs) {
    struct input *input = &of->input[of->inputs++];
    *input = (struct input){.field = field, .axes = axes};
    for (int a = 0; a < PERLANE_MAX_DIMS; a++)
      input->dims += axes >> a & 1;
  }
  return s;
}

/* Returns the axes of a place whose arguments are coordinates in increasing order, as bits; 0 for
 * other places. */
static int axes_of_place(int32_t place) {
  int axes = 0;
  for (int k = 0; k < perlane_place_dims(place); k++) {
    const int axis = perlane_place_axis(place, k);
    if (axis < 0 || perlane_place_pops(place, k) || axes >> axis != 0)
      return 0;
    axes |= 1 << axis;
  }
  return axes;
}

/* Begins an evaluation: finds what its steps need. With a grid, at() of bare coordinates is filled
 * as a grid of its axes, where that is within the field's domain. */
static void begin_evaluation(struct evaluation_of *of, const perlane_expression *expression,
                             int dims, int slopes, int octaves, const struct perlane_region *grid) {
  *of = (struct evaluation_of){
      .expression = expression, .dims = dims, .arrays = slopes ? 1 + dims : 1, .octaves = octaves};
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) { /* those that positions do not have */
    of->coordinate[a] = (struct column){expression_zeros, 0};
    of->position[a] = (struct position_column){&expression_nowhere, 0};
  }
  for (int i = 0; i < expression->count; i++)
    if (expression->step[i].operation == PERLANE_FIELD)
      of->input_of[i] = (signed char)find_input(of, expression->field[expression->step[i].operand],
                                                (1 << dims) - 1);
  int depth = 0;
  for (int i = 0; i < expression->count; i++) {
    const struct perlane_expression_step *step = &expression->step[i];
    if (step->operation == PERLANE_COORDINATE)
      of->coordinates |= 1 << step->operand;
    if (step->operation == PERLANE_FIELD_AT) {
      const perlane_noise *field = expression->field[perlane_place_field(step->operand)];
      const int axes = axes_of_place(step->operand);
      const int is_grid = grid && axes != 0 && perlane_region_in_domain(field, grid, axes);
      const int input = is_grid ? find_input(of, field, axes) : -1;
      of->input_of[i] = (signed char)input;
      of->moves |= input < 0;
    }
    depth += 1 - perlane_pops(step);
    of->depth = depth > of->depth ? depth : of->depth;
  }
}

/* Lays out the memory of runs, in `floats` floats that are aligned to a cache line. With `lists`,
 * samples have arrays of coordinates; with `in_run`, inputs have arrays of one run. */
static void lay_out_run(struct evaluation_of *of, float *memory, size_t floats, int lists,
                        int in_run) {
  const size_t arrays = (size_t)of->arrays, dims = PERLANE_MAX_DIMS;
  const size_t inputs = in_run ? (size_t)of->inputs * arrays : 0;
  const size_t lines = lists ? 3 * dims : 0, moved = of->moves ? 2 * dims : 0;
  const size_t gradients = of->arrays > 1 ? dims : 0, depth = (size_t)of->depth;
  const size_t each = depth * arrays + inputs + lines + moved + gradients;
  size_t n = (floats - depth * RUN_GRANULE) / each / RUN_GRANULE * RUN_GRANULE;
  of->lists = lists;
  of->samples = n = n < RUN_SAMPLES ? n : RUN_SAMPLES;
  of->position_memory = (double *)(void *)memory; /* doubles first, which keeps them aligned */
  of->moved_memory = of->position_memory + (lists ? dims * n : 0);
  of->coordinate_memory = memory + (lists ? 2 * dims * n : 0) + moved * n;
  of->gradient_memory = of->coordinate_memory + (lists ? dims * n : 0);
  of->results = of->gradient_memory + gradients * n;
  of->shared = of->results + depth * arrays * n;
  float *input = of->shared + depth * RUN_GRANULE;
  for (int s = 0; s < of->inputs && in_run; s++) {
    of->input[s].stride[0] = 1;
    for (size_t j = 0; j < arrays; j++, input += n)
      of->input[s].array[j] = input;
  }
}

/* ---- Operands ---- */

/* Sets an operand whose derivatives are those of coordinate `axis`; of a number if it is -1. */
PERLANE_INLINE void set_operand(struct operand *operand, int arrays, struct column value,
                                int axis) {
  operand->of[0] = value;
  for (int j = 1; j < arrays; j++)
    operand->of[j] = (struct column){j - 1 == axis ? expression_ones : expression_zeros, 0};
}

/* Sets an operand that is a result. */
PERLANE_INLINE void set_result(struct operand *operand, int arrays, const struct samples *result) {
  for (int j = 0; j < arrays; j++)
    operand->of[j] = (struct column){result->array[j], SIZE_MAX};
}

/* A number that all samples share, in memory for a vector. */
static struct column shared_column(float number, float *memory) {
  f_store(memory, f_set(number));
  return (struct column){memory, 0};
}

/* An array of an input at the run's samples: in its own memory, or collected in `memory`; if they
 * are all the same, one vector in `shared`. */
static struct column input_column(const struct evaluation_of *of, const struct input *input, int j,
                                  float *memory, float *shared) {
  const size_t x = input->stride[0];
  const float *row = input->array[j];
  for (int a = 1; a < PERLANE_MAX_DIMS; a++)
    row += of->at[a] * input->stride[a];
  if (of->n <= of->row - of->at[0] || (x == 1 && input->stride[1] == of->row))
    return x == 1 ? (struct column){row + of->at[0], SIZE_MAX} : shared_column(*row, shared);
  for (size_t i = 0, column = of->at[0]; i < of->n; row += input->stride[1], column = 0)
    for (; i < of->n && column < of->row; i++, column++)
      memory[i] = row[column * x];
  return (struct column){memory, SIZE_MAX};
}

/* ---- Fields at other positions ---- */

/* Sets the positions of a place along argument k: a coordinate, in double, plus a result. */
static void place_positions(const struct evaluation_of *of, int axis, const struct operand *operand,
                            double *to) {
  const struct column none = {expression_zeros, 0}, by = operand ? operand->of[0] : none;
  const struct position_column from =
      axis < 0 ? (struct position_column){&expression_nowhere, 0} : of->position[axis];
  for (size_t i = 0; i < of->n; i++)
    to[i] = from.from[i & from.mask] + (double)by.from[i & by.mask];
}

/* Sets the derivatives of a field at a place from its gradient there. operand[k] is popped for
 * argument k, or NULL. */
static void place_slopes(const struct evaluation_of *of, int32_t place,
                         const struct operand *const *operand, const struct column *gradient,
                         const struct samples *to) {
  const vf zero = f_set(0), one = f_set(1);
  for (int j = 1; j < of->arrays; j++)
    for (size_t i = 0; i < of->n; i += LANES) {
      vf sum = zero;
      for (int k = 0; k < perlane_place_dims(place); k++) {
        const int axis = perlane_place_axis(place, k);
        vf slope = axis == j - 1 ? one : zero;
        if (operand[k]) {
          const vf more = column_at(&operand[k]->of[j], i);
          slope = axis < 0 ? more : f_add(slope, more);
        }
        const vf term = f_mul(column_at(&gradient[k], i), slope);
        sum = k == 0 ? term : f_add(sum, term);
      }
      f_store(to->array[j] + i, sum);
    }
}

/* Evaluates a field at a place as points, which result in `to`. */
static void evaluate_place(const struct evaluation_of *of, int32_t place,
                           const struct operand *const *operand, const struct samples *to) {
  const perlane_noise *field = of->expression->field[perlane_place_field(place)];
  const double *coords[PERLANE_MAX_DIMS];
  float *gradient[PERLANE_MAX_DIMS];
  struct column column[PERLANE_MAX_DIMS];
  for (int k = 0; k < perlane_place_dims(place); k++) {
    double *position = of->moved_memory + (size_t)k * of->samples;
    place_positions(of, perlane_place_axis(place, k), operand[k], position);
    coords[k] = position;
    gradient[k] = of->gradient_memory + (size_t)k * of->samples;
    column[k] = (struct column){gradient[k], SIZE_MAX};
  }
  const struct perlane_point_list list = {.dims = perlane_place_dims(place),
                                          .octaves = perlane_field_octaves(field, of->octaves),
                                          .n = of->n,
                                          .coords64 = coords,
                                          .stride = 1,
                                          .out = to->array[0],
                                          .gradient = of->arrays > 1 ? gradient : NULL};
  PERLANE_KERNEL(LANES_ID, points)(field, &list);
  place_slopes(of, place, operand, column, to);
}

/* ---- The program ---- */

/* Pushes an at(), whose arguments are popped from *top on. */
static void push_place(const struct evaluation_of *of, int i, struct operand *top,
                       const struct samples *to, float *shared) {
  const int32_t place = of->expression->step[i].operand;
  const struct operand *operand[PERLANE_MAX_DIMS] = {NULL};
  for (int k = 0, popped = 0; k < perlane_place_dims(place); k++)
    operand[k] = perlane_place_pops(place, k) ? top + popped++ : NULL;
  if (of->input_of[i] < 0) {
    evaluate_place(of, place, operand, to);
    set_result(top, of->arrays, to);
    return;
  }
  const struct input *input = &of->input[of->input_of[i]];
  struct column gradient[PERLANE_MAX_DIMS];
  for (int k = 0; k < input->dims && of->arrays > 1; k++) {
    float *memory = of->gradient_memory + (size_t)k * of->samples;
    gradient[k] = input_column(of, input, 1 + k, memory, memory);
  }
  place_slopes(of, place, operand, gradient, to);
  set_result(top, of->arrays, to);
  top->of[0] = input_column(of, input, 0, to->array[0], shared);
}

/* Returns an array of a run's results; in `memory` if they are all the same. */
static const float *result_array(const struct evaluation_of *of, const struct column *column,
                                 float *memory) {
  for (size_t i = 0; i < of->n && column->mask == 0; i += LANES)
    f_store(memory + i, f_load(column->from));
  return column->mask ? column->from : memory;
}

/* Returns whether all operands' values are the same for all samples. */
PERLANE_INLINE int are_shared(const struct operand *operand, int count) {
  size_t mask = 0;
  for (int k = 0; k < count; k++)
    mask |= operand[k].of[0].mask;
  return mask == 0;
}

/* Evaluates the program at the run's samples. */
static PERLANE_NOINLINE void evaluate_run(const struct evaluation_of *of,
                                          const float *result[MAX_ARRAYS]) {
  struct operand stack[PERLANE_MAX_EXPRESSION_DEPTH + 1];
  const struct perlane_expression_step *step = of->expression->step;
  const size_t pitch = of->samples, slot = pitch * (size_t)of->arrays;
  const int arrays = of->arrays;
  int depth = 0;
  for (int i = 0; i < of->expression->count; i++, step++) {
    depth -= perlane_pops(step);
    const struct samples to = samples_in(of->results + (size_t)depth * slot, pitch);
    float *shared = of->shared + (size_t)depth * RUN_GRANULE;
    struct operand *top = &stack[depth++];
    switch (step->operation) {
    case PERLANE_NUMBER:
      set_operand(top, arrays, shared_column(step->number, shared), -1);
      continue;
    case PERLANE_COORDINATE:
      set_operand(top, arrays, of->coordinate[step->operand], step->operand);
      continue;
    case PERLANE_FIELD:
      for (int j = 0; j < arrays; j++)
        top->of[j] = input_column(of, &of->input[of->input_of[i]], j, to.array[j], shared);
      continue;
    case PERLANE_RESULT:
      *top = stack[step->operand];
      continue;
    case PERLANE_FIELD_AT:
      push_place(of, i, top, &to, shared);
      continue;
    default:
      if (arrays > 1) {
        operate_on_slopes(arrays, step, top, of->n, &to);
      } else if (are_shared(top, perlane_arity(step->operation))) {
        operate_on_values(step, top, LANES, &(struct samples){{shared}});
        top->of[0] = (struct column){shared, 0};
        continue;
      } else {
        operate_on_values(step, top, of->n, &to);
      }
      set_result(top, arrays, &to);
    }
  }
  for (int j = 0; j < arrays; j++)
    result[j] = result_array(of, &stack[depth - 1].of[j], of->results + (size_t)j * pitch);
}

/* ---- Results ---- */

/* Returns v, with one NaN for all. */
PERLANE_INLINE vf result_of(vf v, vf nan) {
  return f_bits(i_select(f_not_above(v, v), i_bits(v), i_bits(nan)));
}

#endif
