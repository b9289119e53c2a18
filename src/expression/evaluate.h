/* SPDX-License-Identifier: MIT
 *
 * Evaluating an expression on a run of samples: the program, whose results stay in the first-level
 * cache. Fields at the samples, and coordinates, are in memory before; fields at other positions
 * are evaluated as points.
 */
#ifndef PERLANE_EXPRESSION_EVALUATE_H
#define PERLANE_EXPRESSION_EVALUATE_H

#include "../field.h"
#include "../noise/driver/memory.h"
#include "expression.h"
#include "operations.h"

enum {
  FIRST_FIELD = PERLANE_MAX_DIMS, /* inputs before it are the coordinates */
  FIELDS = PERLANE_MAX_EXPRESSION_FIELDS,
  MAX_INPUTS = FIRST_FIELD + 2 * FIELDS, /* fields at the samples, and as many others */
  MAX_OPERANDS = 3,
};

/* When a step is evaluated, as bits: once for all planes of a tile; for each plane. */
enum { ALL_PLANES = 1, EACH_PLANE = 2 };

/* A tile: the samples of a grid from `first` on. */
struct grid_tile {
  size_t first[PERLANE_MAX_DIMS], count[PERLANE_MAX_DIMS];
};

/* Values that are in memory when a run begins: a coordinate, a field at the samples or at the bare
 * coordinates of an at(), or the result of a step that depends on x and y alone, in a volume. */
struct input {
  const perlane_noise *field; /* NULL for a coordinate or a result */
  struct kept_fill *kept;     /* a fill that goes on from tile to tile, or NULL */
  int axes, dims;             /* bits of the axes that it depends on, and their number */
  int arrays;                 /* values, and derivatives along each of these axes */
  int octaves;
  float *values;
  size_t pitch;                    /* floats from one array to the next */
  size_t stride[PERLANE_MAX_DIMS]; /* floats from one sample to the next along each axis */
  float *memory;                   /* of a run's samples */
};

/* The program of an expression and the memory of its runs. */
struct run {
  const perlane_expression *expression;
  const struct perlane_region *grid;     /* of the samples, or */
  const struct perlane_point_list *list; /* of these; the other is NULL */
  vf nan;                                /* what NaN of the expression becomes */
  int dims, arrays, octaves;
  const double *spacing;  /* the samples: as in perlane_region */
  int inputs, first_flat; /* inputs from first_flat on are results */
  size_t moved_bytes;     /* work memory for fields at other positions; 0 if there are none */
  struct input input[MAX_INPUTS];
  /* An entry for each step, and one for a step that copies an expression of one operand: */
  signed char input_of[PERLANE_MAX_EXPRESSION_STEPS + 1]; /* -1: none */
  unsigned char times[PERLANE_MAX_EXPRESSION_STEPS + 1];  /* when it is evaluated */
  unsigned char pops[PERLANE_MAX_EXPRESSION_STEPS + 1];
  unsigned char argument[PERLANE_MAX_EXPRESSION_STEPS + 1][PERLANE_MAX_DIMS]; /* steps it pops */
  unsigned char slot[PERLANE_MAX_EXPRESSION_STEPS + 1];                       /* of its results */
  struct operand operand[PERLANE_MAX_EXPRESSION_STEPS];
  struct perlane_expression_step last;
  int steps, slots; /* before the last, which stores the results; memory for results */
  size_t samples;   /* of a run at most */
  float *results, *gradient;
  float *shared; /* for each slot, what samples share: a slot may hold a result's operand */
  double *moved;
  void *work; /* of fields at other positions, or NULL */
  size_t work_bytes;
  /* The run: */
  size_t n;
  struct grid_tile tile;
  size_t at[PERLANE_MAX_DIMS]; /* of its first sample in the tile */
};

/* A coordinate's derivatives begin at the row that has the ones at its axis. */
static const float expression_units[2 * PERLANE_MAX_DIMS - 1][RUN_GRANULE] = {
    [PERLANE_MAX_DIMS - 1] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}};

/* ---- Preparation ---- */

/* Returns the axes of the samples, as bits. */
PERLANE_INLINE int all_axes(const struct run *run) {
  return (1 << run->dims) - 1;
}

PERLANE_INLINE int octaves_of(const struct run *run, const struct perlane_expression_step *step) {
  return perlane_expression_octaves(run->expression, step, run->octaves, run->spacing);
}

/* Returns the input of a step's field and axes, which is added if there is room; -1 if not. */
static int find_input(struct run *run, const struct perlane_expression_step *step,
                      const perlane_noise *field, int axes) {
  int s = FIRST_FIELD;
  while (s < run->inputs && (run->input[s].field != field || run->input[s].axes != axes))
    s++;
  if (s == run->inputs && s >= FIRST_FIELD + FIELDS && axes != all_axes(run))
    return -1;
  if (s == run->inputs) {
    struct input *input = &run->input[run->inputs++];
    *input = (struct input){.field = field, .axes = axes, .octaves = octaves_of(run, step)};
    for (int a = 0; a < PERLANE_MAX_DIMS; a++)
      input->dims += axes >> a & 1;
    input->arrays = run->arrays > 1 ? 1 + input->dims : 1;
  }
  return s;
}

/* Returns the axes of a place whose arguments are coordinates in increasing order, as bits; 0 for
 * other places. */
static int axes_of_place(const perlane_expression *expression, int32_t place) {
  int axes = 0;
  for (int k = 0; k < perlane_place_dims(place); k++) {
    const double *affine = perlane_place_affine(expression, place, k);
    int own = perlane_place_pops(place, k) || affine[PERLANE_MAX_DIMS] != 0 ? 3 : 0;
    for (int a = 0; a < PERLANE_MAX_DIMS; a++)
      own |= affine[a] == 1 ? 1 << a : affine[a] != 0 ? 3 : 0;
    if ((own & (own - 1)) != 0 || own <= axes)
      return 0;
    axes |= own;
  }
  return axes;
}

/* Finds the input of a step. In a grid, at() of bare coordinates is filled as a grid of its axes,
 * where that is within the field's domain. */
static int input_of_step(struct run *run, const struct perlane_expression_step *step) {
  const perlane_noise *const *field = run->expression->field;
  if (step->operation == OP_COORDINATE) {
    struct input *input = &run->input[step->operand];
    *input = (struct input){.axes = 1 << step->operand, .dims = 1, .arrays = 1};
    return step->operand;
  }
  if (step->operation == OP_FIELD)
    return find_input(run, step, field[step->operand], all_axes(run));
  if (step->operation == OP_FIELD_AT) {
    const int axes = axes_of_place(run->expression, step->operand);
    const perlane_noise *at = field[perlane_place_field(step->operand)];
    const int input = run->grid && axes != 0 && perlane_region_in_domain(at, run->grid, axes)
                          ? find_input(run, step, at, axes)
                          : -1;
    /* No less than the fills of fields need that lose their room to it. */
    _Static_assert(LIST_WORK_BYTES <= STACK_SCRATCH_BYTES, "lists have enough");
    const size_t bytes = at->params.valleys != 0 ? VALLEY_LIST_BYTES : STACK_SCRATCH_BYTES;
    if (input < 0 && run->moved_bytes < bytes)
      run->moved_bytes = bytes;
    return input;
  }
  return -1;
}

/* Reads the program: steps' arguments and inputs. Results have the memory of their depth in the
 * stack. */
static void read_program(struct run *run) {
  const perlane_expression *expression = run->expression;
  const int result = perlane_expression_arguments(expression, run->argument, run->slot);
  run->slots = 1;
  for (int i = 0; i < expression->count; i++) {
    const struct perlane_expression_step *step = &expression->step[i];
    run->pops[i] = (unsigned char)perlane_pops(step);
    run->input_of[i] = (signed char)input_of_step(run, step);
    run->slots = run->slot[i] < run->slots ? run->slots : run->slot[i] + 1;
  }
  run->steps = expression->count - 1;
  run->last = expression->step[run->steps];
  if (run->last.operation >= OP_NEGATE)
    return;
  run->last.operation = OP_NUMBER; /* a copy */
  run->steps = expression->count;
  run->pops[run->steps] = 1;
  run->argument[run->steps][0] = (unsigned char)result;
  run->slot[run->steps] = run->slot[run->steps - 1];
}

/* Returns whether a step's result is an input that all planes share. */
PERLANE_INLINE int is_flat(const struct run *run, int step) {
  return run->input_of[step] >= run->first_flat;
}

/* Returns the axes that a step depends on, as bits, if those that it pops are those of `axes`. */
static int axes_of_step(const struct run *run, int i, const unsigned char *axes) {
  const struct perlane_expression_step *step = &run->expression->step[i];
  int own = step->operation == OP_COORDINATE ? 1 << step->operand : 0;
  if (step->operation == OP_FIELD)
    own = all_axes(run);
  for (int k = 0; step->operation == OP_FIELD_AT && k < perlane_place_dims(step->operand); k++)
    for (int a = 0; a < PERLANE_MAX_DIMS; a++)
      own |= (perlane_place_affine(run->expression, step->operand, k)[a] != 0) << a;
  for (int k = 0; k < run->pops[i]; k++)
    own |= axes[run->argument[i][k]];
  return own & all_axes(run);
}

/* Finds when steps are evaluated: for each plane, or once for all planes of a tile. Results of the
 * latter that the former use become inputs, as far as there is room. */
static void find_flat(struct run *run) {
  unsigned char axes[PERLANE_MAX_EXPRESSION_STEPS + 1];
  const int is_volume = run->grid && run->grid->count[2] * run->grid->count[3] > 1;
  run->first_flat = run->inputs;
  memset(run->times, 0, sizeof run->times);
  run->times[run->steps] = EACH_PLANE;
  for (int i = 0; i < run->steps; i++)
    axes[i] = (unsigned char)axes_of_step(run, i, axes);
  for (int i = run->steps; i >= 0; i--)
    for (int k = 0; k < run->pops[i]; k++) {
      const int x = run->argument[i][k], operation = run->expression->step[x].operation;
      const int is_costly = operation == OP_FIELD_AT || (operation > OP_FIELD_AT && axes[x] & 1);
      if (is_volume && is_costly && axes[x] >> 2 == 0 && run->input_of[x] < 0 &&
          run->times[i] & EACH_PLANE && run->inputs < MAX_INPUTS &&
          run->inputs < run->first_flat + SHARED_RESULTS) {
        run->input_of[x] = (signed char)run->inputs;
        run->input[run->inputs++] = (struct input){.axes = 3, .dims = 2, .arrays = run->arrays};
      }
      run->times[x] |= is_flat(run, x) ? ALL_PLANES : run->times[i];
    }
}

/* Begins the evaluation of an expression in a grid or a list. */
static void begin_evaluation(struct run *run, const perlane_expression *expression, int dims,
                             int slopes, int octaves, const struct perlane_region *grid,
                             const struct perlane_point_list *list) {
  run->expression = expression;
  run->grid = grid;
  run->list = list;
  run->dims = dims;
  run->arrays = slopes ? 1 + dims : 1;
  run->octaves = octaves;
  run->spacing = grid ? grid->spacing : list->spacing;
  run->nan = f_bits(i_set(0x7FC00000));
  run->inputs = FIRST_FIELD;
  run->moved_bytes = 0;
  run->work = NULL;
  run->work_bytes = 0;
  for (int s = 0; s < FIRST_FIELD; s++)
    run->input[s].axes = 0; /* no input */
  read_program(run);
  find_flat(run);
}

/* Returns 1 if an input has a sample of its own in each column and row. */
PERLANE_INLINE int is_full(const struct run *run, const struct input *input) {
  return (input->axes & 3) == (all_axes(run) & 3);
}

/* Returns how many arrays of an input a run has memory for. */
PERLANE_INLINE size_t arrays_in_run(const struct run *run, const struct input *input) {
  return input->axes && (run->list || !is_full(run, input)) ? (size_t)input->arrays : 0;
}

/* Lays out the memory of runs, whose samples are as many as fit in `bytes`, but at least
 * RUN_GRANULE. */
static void lay_out_run(struct run *run, struct arena *arena, size_t bytes) {
  const size_t arrays = (size_t)run->arrays, dims = PERLANE_MAX_DIMS, begin = arena->bytes;
  size_t inputs = 0;
  for (int s = 0; s < run->inputs; s++)
    inputs += arrays_in_run(run, &run->input[s]);
  run->shared = take_floats(arena, (size_t)run->slots * arrays * RUN_GRANULE);
  const size_t moved = run->moved_bytes > 0 ? 2 * dims : 0;
  const size_t gradients = moved > 0 && arrays > 1 ? dims : 0;
  const size_t each = (size_t)run->slots * arrays + inputs + moved + gradients;
  bytes -= smaller_of(bytes, arena->bytes - begin);
  size_t n = bytes / sizeof(float) / each / RUN_GRANULE * RUN_GRANULE;
  run->samples = n = n > RUN_SAMPLES ? RUN_SAMPLES : n < RUN_GRANULE ? RUN_GRANULE : n;
  run->moved = (double *)(void *)take_floats(arena, moved * n);
  run->gradient = take_floats(arena, gradients * n);
  run->results = take_floats(arena, (size_t)run->slots * arrays * n);
  for (int s = 0; s < run->inputs; s++) {
    struct input *input = &run->input[s];
    input->memory = take_floats(arena, arrays_in_run(run, input) * n);
    input->values = input->memory; /* of a list, which is a tile of one run */
    input->pitch = n;
    input->stride[0] = 1;
    input->stride[1] = input->stride[2] = input->stride[3] = 0;
  }
  memset(run->at, 0, sizeof run->at);
  memset(&run->tile, 0, sizeof run->tile);
  run->tile.count[0] = SIZE_MAX;
}

/* ---- Operands ---- */

/* Returns the memory of step i's results. */
PERLANE_INLINE float *results_of(const struct run *run, int i) {
  return run->results + (size_t)run->slot[i] * (size_t)run->arrays * run->samples;
}

/* Returns the memory of step i's results that samples share. */
PERLANE_INLINE float *shared_of(const struct run *run, int i) {
  return run->shared + (size_t)run->slot[i] * (size_t)run->arrays * RUN_GRANULE;
}

/* Sets an operand that is a result in memory. */
PERLANE_INLINE void set_result(const struct run *run, struct operand *operand,
                               const float *result) {
  *operand = (struct operand){result, result + run->samples, SIZE_MAX, SIZE_MAX, run->samples};
}

/* Sets an operand to an input's arrays at the run's samples: in place, or collected in the run's
 * memory, which is one sample for all where the input does not depend on x. */
static void set_input(const struct run *run, const struct input *input, struct operand *operand) {
  const size_t x = input->stride[0], width = run->tile.count[0];
  const float *first = input->values;
  for (int a = 1; a < PERLANE_MAX_DIMS; a++)
    first += run->at[a] * input->stride[a];
  const int is_row = run->n <= width - run->at[0],
            is_shared = x == 0 && (is_row || input->stride[1] == 0);
  if (x == 1 && (is_row || input->stride[1] == width)) {
    first += run->at[0];
    *operand = (struct operand){first, first + input->pitch, SIZE_MAX, SIZE_MAX, input->pitch};
    return;
  }
  set_result(run, operand, input->memory);
  if (is_shared)
    operand->mask = operand->slope_mask = 0;
  for (int j = 0; j < input->arrays; j++) {
    float *const to = input->memory + (size_t)j * run->samples;
    const float *row = first + (size_t)j * input->pitch;
    for (size_t i = 0; i < RUN_GRANULE && is_shared; i++)
      to[i] = *row;
    for (size_t i = 0, column = run->at[0]; i < run->n && !is_shared; row += input->stride[1]) {
      for (; i < run->n && column < width; i++, column++)
        to[i] = row[column * x];
      column = 0;
    }
  }
}

/* ---- Fields at other positions ---- */

PERLANE_INLINE double list_position(const struct perlane_point_list *list, int axis, size_t i) {
  const ptrdiff_t k = (ptrdiff_t)i * list->stride;
  return list->coords64
             ? list->coords64[axis][k]
             : (list->origin ? list->origin[axis] : NO_ORIGIN) + (double)list->coords[axis][k];
}

/* Adds the positions of the run's samples along an axis, 0 along one that they do not have, times a
 * factor, or sets these first. */
static void add_coordinate(const struct run *run, int axis, double factor, int is_first,
                           double *to) {
  const struct perlane_point_list *list = run->list;
  if (list || axis >= run->dims) {
    for (size_t i = 0; i < run->n; i++) {
      const double x = factor * (axis < run->dims ? list_position(list, axis, i) : 0);
      to[i] = is_first ? x : to[i] + x;
    }
    return;
  }
  size_t index[PERLANE_MAX_DIMS];
  for (int a = 0; a < PERLANE_MAX_DIMS; a++)
    index[a] = run->tile.first[a] + run->at[a];
  const size_t end = run->tile.first[0] + run->tile.count[0];
  for (size_t i = 0; i < run->n; index[1]++, index[0] = run->tile.first[0]) {
    const double row = factor * grid_position(run->grid, axis, index[axis]);
    for (; i < run->n && index[0] < end; i++, index[0]++) {
      const double x = axis == 0 ? factor * grid_position(run->grid, 0, index[0]) : row;
      to[i] = is_first ? x : to[i] + x;
    }
  }
}

/* Sets an argument of at() at the run's samples: its affine part and the rest, unless that is NULL.
 */
static void set_argument(const struct run *run, const double *affine, const struct operand *rest,
                         double *to) {
  const double number = affine[PERLANE_MAX_DIMS];
  int terms = 0;
  for (int a = 0; a < PERLANE_MAX_DIMS; a++)
    if (affine[a] != 0)
      add_coordinate(run, a, affine[a], terms++ == 0, to);
  if (number != 0 || (terms == 0 && !rest)) {
    for (size_t i = 0; i < run->n; i++)
      to[i] = terms > 0 ? to[i] + number : number;
    terms++;
  }
  for (size_t i = 0; i < run->n && rest; i++) {
    const double more = (double)rest->value[i & rest->mask];
    to[i] = terms > 0 ? to[i] + more : more;
  }
}

/* Returns whether an argument has an affine part. */
PERLANE_INLINE int has_affine_part(const double *affine) {
  int is_affine = 0;
  for (int i = 0; i <= PERLANE_MAX_DIMS; i++)
    is_affine |= affine[i] != 0;
  return is_affine;
}

/* Sets the derivatives of a field at a place from those by its arguments. x[k] is the rest of
 * argument k, or NULL. */
static void place_slopes(const struct run *run, int32_t place, const struct operand *const *x,
                         const struct operand *field, float *to) {
  for (int j = 1; j < run->arrays; j++)
    for (size_t i = 0; i < run->n; i += LANES) {
      vf sum = f_set(0);
      for (int k = 0; k < perlane_place_dims(place); k++) {
        const double *affine = perlane_place_affine(run->expression, place, k);
        vf slope = f_set((float)affine[j - 1]);
        if (x[k])
          slope =
              has_affine_part(affine) ? f_add(slope, slope_at(x[k], j, i)) : slope_at(x[k], j, i);
        const vf term = f_mul(slope_at(field, 1 + k, i), slope);
        sum = k == 0 ? term : f_add(sum, term);
      }
      f_store(to + (size_t)j * run->samples + i, sum);
    }
}

/* Evaluates a field at a place as points. */
static void evaluate_place(const struct run *run, const struct perlane_expression_step *step,
                           const struct operand *const *x, float *to) {
  const int32_t place = step->operand;
  const perlane_noise *field = run->expression->field[perlane_place_field(place)];
  const double *coords[PERLANE_MAX_DIMS];
  float *gradient[PERLANE_MAX_DIMS];
  for (int k = 0; k < perlane_place_dims(place); k++) {
    double *const position = run->moved + (size_t)k * run->samples;
    set_argument(run, perlane_place_affine(run->expression, place, k), x[k], position);
    coords[k] = position;
    gradient[k] = run->gradient + (size_t)k * run->samples;
  }
  const struct perlane_point_list list = {.dims = perlane_place_dims(place),
                                          .octaves = octaves_of(run, step),
                                          .n = run->n,
                                          .coords64 = coords,
                                          .stride = 1,
                                          .out = to,
                                          .gradient = run->arrays > 1 ? gradient : NULL,
                                          .work = run->work,
                                          .work_bytes = run->work_bytes};
  PERLANE_KERNEL(LANES_ID, points)(field, &list);
}

/* ---- The program ---- */

/* Sets the operand of step i, an at(). */
static void set_place(struct run *run, int i) {
  const int32_t place = run->expression->step[i].operand;
  const struct operand *x[PERLANE_MAX_DIMS] = {NULL};
  struct operand *const operand = &run->operand[i];
  float *const to = results_of(run, i);
  for (int k = 0, popped = 0; k < perlane_place_dims(place); k++)
    if (perlane_place_pops(place, k))
      x[k] = &run->operand[run->argument[i][popped++]];
  struct operand field = {to, run->gradient, SIZE_MAX, SIZE_MAX, run->samples};
  if (run->input_of[i] >= 0 && !is_flat(run, i))
    set_input(run, &run->input[run->input_of[i]], &field);
  else
    evaluate_place(run, &run->expression->step[i], x, to);
  place_slopes(run, place, x, &field, to);
  set_result(run, operand, to);
  operand->value = field.value;
  operand->mask = field.mask;
}

/* Sets the operands of an operation. */
PERLANE_INLINE void find_operands(const struct run *run, int i,
                                  const struct operand *x[MAX_OPERANDS]) {
  for (int k = 0; k < MAX_OPERANDS; k++)
    x[k] = &run->operand[run->argument[i][k < run->pops[i] ? k : 0]];
}

/* Stores the result of a step in its input. */
static void store_flat(const struct run *run, int i) {
  const struct input *input = &run->input[run->input_of[i]];
  const struct operand *x = &run->operand[i];
  float *const to = input->values + run->at[1] * input->stride[1] + run->at[0];
  for (size_t k = 0; k < run->n; k++)
    to[k] = x->value[k & x->mask];
  for (int j = 1; j < input->arrays; j++)
    for (size_t k = 0; k < run->n; k++)
      to[(size_t)j * input->pitch + k] =
          x->slopes[(size_t)(j - 1) * x->pitch + (k & x->slope_mask)];
}

/* Evaluates the steps before the last at the run's samples, those of this time. */
static PERLANE_NOINLINE void evaluate_terms(struct run *run, int time) {
  const struct perlane_expression_step *step = run->expression->step;
  for (int i = 0; i < run->steps; i++) {
    struct operand *const operand = &run->operand[i];
    const int operation = step[i].operation;
    if (time == EACH_PLANE && is_flat(run, i)) {
      set_input(run, &run->input[run->input_of[i]], operand);
      continue;
    }
    if (operation == OP_RESULT || !(run->times[i] & time))
      continue;
    if (operation == OP_NUMBER) {
      float *const number = shared_of(run, i);
      for (size_t l = 0; l < RUN_GRANULE; l += LANES)
        f_store(number + l, f_set(step[i].number));
      *operand = (struct operand){number, expression_units[0], 0, 0, 0};
    } else if (operation == OP_FIELD_AT) {
      set_place(run, i);
    } else if (operation < OP_FIELD_AT) {
      set_input(run, &run->input[run->input_of[i]], operand);
      if (operation == OP_COORDINATE) {
        operand->slopes = expression_units[PERLANE_MAX_DIMS - 1 - step[i].operand];
        operand->slope_mask = 0;
        operand->pitch = RUN_GRANULE;
      }
    } else {
      const struct operand *x[MAX_OPERANDS];
      find_operands(run, i, x);
      size_t mask = x[0]->mask | x[1]->mask | x[2]->mask;
      for (int k = 0; k < MAX_OPERANDS && run->arrays > 1; k++)
        mask |= x[k]->slope_mask;
      const size_t n = mask ? run->n : RUN_GRANULE, pitch = mask ? run->samples : RUN_GRANULE;
      float *const to = mask ? results_of(run, i) : shared_of(run, i);
      if (run->arrays > 1)
        make_slopes(run->arrays, run->expression, &step[i], x, 0, n, to, pitch, run->nan);
      else
        make_terms(run->expression, &step[i], x, n, to);
      *operand = (struct operand){to, to + pitch, mask, mask, pitch};
    }
    if (is_flat(run, i))
      store_flat(run, i);
  }
}

/* Evaluates the last step at n samples of the run from `start` on; with `streams`, past the caches.
 */
static void evaluate_last(const struct run *run, int streams, size_t start, size_t n, float *to) {
  const struct operand *x[MAX_OPERANDS];
  find_operands(run, run->steps, x);
  if (run->arrays > 1)
    make_slopes(run->arrays, run->expression, &run->last, x, start, n, to, run->samples, run->nan);
  else
    make_results(streams, run->expression, &run->last, x, start, n, to, run->nan);
}

/* Evaluates the last step at the run's samples. Returns the values, and after each other the
 * derivatives, run->samples floats each. */
static const float *evaluate_run(const struct run *run) {
  float *const to = results_of(run, run->steps);
  evaluate_last(run, 0, 0, run->n, to);
  return to;
}

#endif
