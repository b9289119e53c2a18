/* SPDX-License-Identifier: MIT
 *
 * The public functions: each checks its arguments, sets the floating-point environment, and makes
 * one call through the kernel table. The calls through a pointer, and those to functions that are
 * never inlined, keep the arithmetic between perlane_fp_enter and perlane_fp_leave.
 */
#include "strict.h"

#include <string.h>

#include "dispatch.h"
#include "expression/expression.h"
#include "field.h"
#include "numbers.h"
#include "options.h"
#include "range.h"
#include "text.h"

const char *perlane_version(void) {
  return PERLANE_VERSION;
}

const char *perlane_status_string(perlane_status status) {
  static const char *const SENTENCE[PERLANE_STATUS_COUNT] = {
      [PERLANE_OK] = "no error",
      [PERLANE_ERROR_NULL] = "a pointer is null",
      [PERLANE_ERROR_NOISE] =
          "the noise was not made by perlane_init, or a field of the expression has changed",
      [PERLANE_ERROR_PARAMETER] =
          ("a parameter or a look's width is invalid; perlane_explain_params or "
           "perlane_explain_text says which parameter"),
      [PERLANE_ERROR_OPTION] = "no option has this name",
      [PERLANE_ERROR_PRESET] =
          "no preset or look has this name, or a preset is not at the beginning",
      [PERLANE_ERROR_SYNTAX] = "the text has an error that perlane_explain_text names",
      [PERLANE_ERROR_DIMS] = "dims must be from 1 to 4",
      [PERLANE_ERROR_FIELD_DIMS] =
          "the field's basis, hash or gradient set does not exist in that many dimensions",
      [PERLANE_ERROR_COUNT] = "a count is 0, or too large for memory or for the output",
      [PERLANE_ERROR_STEP] = "a step or a spacing must be finite and not 0",
      [PERLANE_ERROR_STRIDE] =
          "strides make samples overlap or interleave, or exceed the range of addresses",
      [PERLANE_ERROR_RANGE] = "a sample is outside the domain of 2^53 cells around the origin",
      [PERLANE_ERROR_LEVELS] = "low and high must be finite and not too close",
      [PERLANE_ERROR_NO_GRADIENT] =
          "a field with fractal eroded, without valleys, or valley_output river has no gradient",
      [PERLANE_ERROR_NO_CELLS] = ("a field has no cells unless its basis is cellular, no edges "
                                  "unless euclidean, and with a warp no points to scatter"),
      [PERLANE_ERROR_STEEP] =
          "derivatives could exceed the range of float; lower a frequency, or value_scale",
      [PERLANE_ERROR_ISA] =
          "this instruction set is unknown, not built in, or not supported by this CPU",
      [PERLANE_ERROR_SELFTEST] =
          "the self-test's digest is wrong: this build does not compute perlane's bits",
      [PERLANE_ERROR_LAYOUT] =
          "perlane.h is not the library's, or a reserved member of a structure is not 0",
      [PERLANE_ERROR_THREADS] = "the number of threads is negative or too large",
      [PERLANE_ERROR_GPU] =
          "shaders do not compute this field or grid; perlane_explain_gpu says why",
      [PERLANE_ERROR_OCTAVES] =
          "octaves must be from 1 to 32; 0, all, and -1, those that show, are for grids and lists",
      [PERLANE_ERROR_EXPRESSION] =
          "an expression has no seed and cannot be a field of another; reseed or name its fields",
      [PERLANE_ERROR_COORDS] =
          "a list has coords64 beside coords or an origin; add the origin to coords64",
      [PERLANE_ERROR_PICTURE] =
          "a picture's kind, palette or bits are invalid, or it was not prepared",
      [PERLANE_ERROR_LIGHT] =
          "a light's azimuth must be from 0 to 360 degrees, its altitude from 0 to 90",
      [PERLANE_ERROR_RELIEF] = "the relief is too high for this step from pixel to pixel",
      [PERLANE_ERROR_NO_SLOPES] =
          "this field has no slopes: its gradient is 0, as that of white noise; basis value has",
  };
  const unsigned index = (unsigned)status;
  return index < PERLANE_STATUS_COUNT ? SENTENCE[index] : "unknown status";
}

static perlane_status check_noise(const perlane_noise *noise) {
  return !noise                          ? PERLANE_ERROR_NULL
         : perlane_field_is_ready(noise) ? PERLANE_OK
                                         : PERLANE_ERROR_NOISE;
}

uint64_t perlane_layout(void) {
  return PERLANE_LAYOUT;
}

perlane_status(perlane_init)(perlane_noise *noise, const perlane_params *params) {
  if (!noise || !params)
    return PERLANE_ERROR_NULL;
  const perlane_fp_state caller = perlane_fp_enter();
  const perlane_status status = perlane_field_make(noise, params, NULL);
  perlane_fp_leave(caller);
  return status;
}

perlane_status(perlane_init_text)(perlane_noise *noise, const char *text) {
  perlane_params params = perlane_params_default();
  const perlane_status status =
      noise ? perlane_params_parse(&params, text, NULL) : PERLANE_ERROR_NULL;
  return status == PERLANE_OK ? (perlane_init)(noise, &params) : status;
}

size_t perlane_explain_text(const char *option, const char *text, char *message, size_t size) {
  struct perlane_text problem = perlane_text_begin(message, size);
  perlane_params params = perlane_params_default();
  const perlane_fp_state caller = perlane_fp_enter();
  if (!text)
    perlane_text_refuse(&problem, PERLANE_ERROR_NULL);
  else if (option && perlane_expression_is_option(option))
    perlane_expression_explain(option, text, &problem);
  else if (option)
    perlane_options_set(&params, option, text, &problem);
  else if (perlane_options_parse(&params, text, strlen(text), NULL, &problem) == PERLANE_OK)
    perlane_field_make(NULL, &params, &problem);
  perlane_fp_leave(caller);
  return perlane_text_end(&problem);
}

size_t perlane_explain_params(const perlane_params *params, char *message, size_t size) {
  struct perlane_text problem = perlane_text_begin(message, size);
  const perlane_fp_state caller = perlane_fp_enter();
  if (params)
    perlane_field_make(NULL, params, &problem);
  else
    perlane_text_refuse(&problem, PERLANE_ERROR_NULL);
  perlane_fp_leave(caller);
  return perlane_text_end(&problem);
}

perlane_status perlane_reseed(perlane_noise *noise, uint64_t seed) {
  const perlane_status status = check_noise(noise);
  if (status != PERLANE_OK)
    return status;
  if (noise->is_expression)
    return PERLANE_ERROR_EXPRESSION;
  const perlane_fp_state caller = perlane_fp_enter();
  perlane_field_reseed(noise, seed);
  perlane_fp_leave(caller);
  return PERLANE_OK;
}

perlane_status perlane_limit_octaves(perlane_noise *noise, int32_t octaves) {
  const perlane_status status = check_noise(noise);
  if (status != PERLANE_OK)
    return status;
  if (octaves < 1 || octaves > PERLANE_MAX_OCTAVES)
    return PERLANE_ERROR_OCTAVES;
  const perlane_fp_state caller = perlane_fp_enter();
  perlane_field_limit(noise, octaves);
  perlane_fp_leave(caller);
  return PERLANE_OK;
}

perlane_status(perlane_grid_init)(perlane_grid *grid, uint64_t nx, uint64_t ny, uint64_t nz,
                                  uint64_t nw) {
  if (!grid)
    return PERLANE_ERROR_NULL;
  const uint64_t count[PERLANE_MAX_DIMS] = {nx, ny, nz, nw};
  int dims = nx == 0 ? 0 : ny == 0 ? 1 : nz == 0 ? 2 : nw == 0 ? 3 : 4;
  if ((dims < 2 && nz != 0) || (dims < 3 && nw != 0))
    dims = 0; /* a count of 0 comes before one that is not */
  /* Member by member: compilers clear the whole by a string instruction, which takes as long as
   * the rest of this call. */
  grid->dims = dims;
  grid->exact_strides = 0;
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    grid->first[a] = 0;
    grid->count[a] = a < dims ? count[a] : 0;
    grid->origin[a] = 0;
    grid->step[a] = a < dims;
    grid->stride[a] = 0;
  }
  grid->work = NULL;
  grid->work_bytes = 0;
  grid->octaves = grid->has_seed = 0;
  grid->seed = 0;
  for (int i = 0; i < 3; i++)
    grid->reserved[i] = 0;
  return dims == 0 ? PERLANE_ERROR_DIMS : PERLANE_OK;
}

static perlane_status refuse_stride(const perlane_grid *grid, int axis,
                                    struct perlane_text *problem) {
  return PERLANE_REFUSE(PERLANE_ERROR_STRIDE, problem,
                        "stride along %c, %lld, places samples beyond the range of addresses",
                        "xyzw"[axis], (long long)grid -> stride[axis]);
}

/* Returns 1 if a * b > limit, at least a sixteenth of SIZE_MAX. Divisions are slow, and most counts
 * small. */
static int product_exceeds(size_t a, size_t b, size_t limit) {
  const unsigned half = sizeof(size_t) * 4 - 2;
  return (a | b) >> half != 0 && a > limit / b;
}

/* Sets the region's strides, and refuses those with which samples overlap or an offset leaves
 * ptrdiff_t. From the shortest stride up, each must clear what the shorter ones span: that holds
 * for every nesting of axes in any order, with or without gaps. It also refuses rows that
 * interleave without overlapping: no array has them, and only a search could tell the two apart. */
static perlane_status complete_strides(const perlane_grid *grid, struct perlane_region *region,
                                       struct perlane_text *problem) {
  const size_t limit = PTRDIFF_MAX / sizeof(float);
  size_t packed = 1;
  int are_packed = 1;
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    region->stride[a] = (ptrdiff_t)packed;
    if (region->count[a] == 1)
      continue;
    const int64_t stride = grid->stride[a];
    if (product_exceeds(packed, region->count[a], limit))
      return PERLANE_REFUSE(PERLANE_ERROR_COUNT, problem,
                            "count along %c must be at most %llu, not %llu: memory has addresses "
                            "for no more samples",
                            "xyzw"[a], (unsigned long long)(limit / packed),
                            (unsigned long long)region -> count[a]);
    packed *= region->count[a];
    if (stride == 0 && !grid->exact_strides)
      continue;
    if (stride < -PTRDIFF_MAX || stride > PTRDIFF_MAX)
      return refuse_stride(grid, a, problem);
    region->stride[a] = (ptrdiff_t)stride;
    are_packed = 0;
  }
  if (are_packed)
    return PERLANE_OK;
  size_t length[PERLANE_MAX_DIMS];
  for (int a = 0; a < PERLANE_MAX_DIMS; a++)
    length[a] = (size_t)(region->stride[a] < 0 ? -region->stride[a] : region->stride[a]);
  int order[PERLANE_MAX_DIMS] = {0, 1, 2, 3};
  for (int i = 1; i < PERLANE_MAX_DIMS; i++)
    for (int j = i; j > 0 && length[order[j]] < length[order[j - 1]]; j--) {
      const int longer = order[j - 1];
      order[j - 1] = order[j];
      order[j] = longer;
    }
  size_t span = 1; /* floats from the lowest to the highest sample, both included */
  for (int i = 0; i < PERLANE_MAX_DIMS; i++) {
    const size_t steps = region->count[order[i]] - 1, stride = length[order[i]];
    if (steps == 0)
      continue;
    if (stride < span)
      return PERLANE_REFUSE(PERLANE_ERROR_STRIDE, problem,
                            "stride along %c must be at least %llu in magnitude, not %lld, or "
                            "samples overlap or interleave",
                            "xyzw"[order[i]], (unsigned long long)span,
                            (long long)region -> stride[order[i]]);
    if (steps > (limit - span) / stride)
      return refuse_stride(grid, order[i], problem);
    span += steps * stride;
  }
  return PERLANE_OK;
}

/* Returns 1 if a position is inside the domain, and each that a warp may move it to; 0 for NaN. */
int perlane_field_in_domain(const perlane_noise *noise, double position) {
  if (noise->is_expression)
    return perlane_is_finite(position) && !perlane_expression_outside(noise, position);
  const double farthest = perlane_magnitude(position) + noise->params.warp_amplitude;
  return farthest * perlane_field_highest_frequency(noise) <= 0x1p53;
}

static perlane_status refuse_position(const perlane_noise *noise, int axis, int64_t index,
                                      double position, struct perlane_text *problem) {
  perlane_text_print(problem, "sample %lld along %c is at %g; positions", (long long)index,
                     "xyzw"[axis], position);
  if (noise->is_expression)
    noise = perlane_expression_outside(noise, position);
  if (!noise) /* the position is not finite */
    return PERLANE_REFUSE(PERLANE_ERROR_RANGE, problem, " must be finite");
  const double reach = noise->params.warp_amplitude;
  if (reach != 0)
    perlane_text_print(problem, ", which the warp moves by up to %g,", reach);
  return PERLANE_REFUSE(PERLANE_ERROR_RANGE, problem,
                        " must be within %g of 0, which is 2^53 cells at the highest frequency",
                        0x1p53 / perlane_field_highest_frequency(noise));
}

/* Checks the positions of an axis. Every rounding is monotonic, so the two ends bound all samples
 * between them. A step that is not finite has an end that is not. */
static perlane_status check_positions(const perlane_noise *noise, const perlane_grid *grid,
                                      int axis, struct perlane_text *problem) {
  const double step = grid->step[axis], origin = grid->origin[axis];
  const int64_t first = grid->first[axis], steps = (int64_t)(grid->count[axis] - 1);
  const int has_last = first <= INT64_MAX - steps;
  const double begin = origin + (double)first * step;
  const double end = origin + (double)(has_last ? first + steps : first) * step;
  if (step != 0 && has_last && perlane_field_in_domain(noise, begin) &&
      perlane_field_in_domain(noise, end))
    return PERLANE_OK;
  if (!perlane_is_finite(step) || step == 0)
    return PERLANE_REFUSE(PERLANE_ERROR_STEP, problem,
                          "step along %c must be a nonzero finite number, not %g", "xyzw"[axis],
                          step);
  if (!has_last)
    return PERLANE_REFUSE(PERLANE_ERROR_RANGE, problem,
                          "first along %c must be at most %lld with a count of %llu, not %lld",
                          "xyzw"[axis], (long long)(INT64_MAX - steps),
                          (unsigned long long)grid -> count[axis], (long long)first);
  return perlane_field_in_domain(noise, begin)
             ? refuse_position(noise, axis, first + steps, end, problem)
             : refuse_position(noise, axis, first, begin, problem);
}

static PERLANE_NOINLINE perlane_status refuse_dims(const perlane_noise *noise, int32_t dims,
                                                   struct perlane_text *problem) {
  if (dims < 1 || dims > PERLANE_MAX_DIMS)
    return PERLANE_REFUSE(
        PERLANE_ERROR_DIMS, problem, "dims must be from 1 to %d, not %d%s", PERLANE_MAX_DIMS, dims,
        dims == 0 ? "; perlane_grid_make sets 0 if the first count is 0, or one before another"
                  : "");
  if (noise->is_expression) {
    perlane_text_print(problem, "the expression");
  } else {
    perlane_text_print(problem, "a field with ");
    perlane_options_print(problem, &noise->params, "basis hash gradients valleys");
  }
  perlane_text_print(problem, " does not exist in %d dimension%s, only in", dims,
                     dims == 1 ? "" : "s");
  const char *between = " ";
  for (int d = 1; d <= PERLANE_MAX_DIMS; d++)
    if (noise->largest[d - 1] > 0) {
      perlane_text_print(problem, "%s%d", between, d);
      between = ", ";
    }
  return PERLANE_ERROR_FIELD_DIMS;
}

static inline perlane_status check_dims(const perlane_noise *noise, int32_t dims,
                                        struct perlane_text *problem) {
  if (dims >= 1 && dims <= PERLANE_MAX_DIMS && noise->largest[dims - 1] > 0)
    return PERLANE_OK;
  return refuse_dims(noise, dims, problem);
}

static int are_octaves(int32_t octaves) {
  return octaves == PERLANE_OCTAVES_SHOWN || (octaves >= 0 && octaves <= PERLANE_MAX_OCTAVES);
}

static PERLANE_NOINLINE perlane_status complete_grid(const perlane_noise *noise,
                                                     const perlane_grid *grid,
                                                     struct perlane_region *region,
                                                     struct perlane_text *problem) {
  perlane_status status = check_dims(noise, grid->dims, problem);
  if (status != PERLANE_OK)
    return status;
  if (grid->exact_strides != 0 && grid->exact_strides != 1)
    return PERLANE_REFUSE(PERLANE_ERROR_STRIDE, problem, "exact_strides must be 0 or 1, not %d",
                          grid->exact_strides);
  for (int a = 0; a < grid->dims; a++)
    if (grid->count[a] == 0 || grid->count[a] > (uint64_t)PTRDIFF_MAX)
      return PERLANE_REFUSE(PERLANE_ERROR_COUNT, problem,
                            "count along %c must be from 1 to %llu, not %llu", "xyzw"[a],
                            (unsigned long long)PTRDIFF_MAX, (unsigned long long)grid -> count[a]);
  if (!are_octaves(grid->octaves))
    return PERLANE_REFUSE(PERLANE_ERROR_OCTAVES, problem,
                          "octaves must be from 0 to %d, or -1 for those that show, not %d",
                          PERLANE_MAX_OCTAVES, grid->octaves);
  if (grid->has_seed != 0 && grid->has_seed != 1)
    return PERLANE_REFUSE(PERLANE_ERROR_LAYOUT, problem, "has_seed must be 0 or 1, not %d",
                          grid->has_seed);
  if (grid->has_seed && noise->is_expression)
    return PERLANE_REFUSE(PERLANE_ERROR_EXPRESSION, problem,
                          "an expression has no seed; reseed its fields, and make it again");
  if ((grid->reserved[0] | grid->reserved[1] | grid->reserved[2]) != 0)
    return PERLANE_REFUSE(PERLANE_ERROR_LAYOUT, problem,
                          "a reserved member is not 0; start from perlane_grid_make()");
  region->dims = grid->dims;
  region->octaves = perlane_field_octaves_of(noise, grid->octaves, grid->dims, grid->step);
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    const int is_axis = a < grid->dims;
    region->first[a] = is_axis ? grid->first[a] : 0;
    region->count[a] = is_axis ? (size_t)grid->count[a] : 1;
    region->origin[a] = is_axis ? grid->origin[a] : 0;
    region->step[a] = is_axis ? grid->step[a] : 1;
    region->spacing[a] = is_axis && grid->octaves == PERLANE_OCTAVES_SHOWN ? grid->step[a] : 0;
  }
  if (!grid->work && grid->work_bytes > 0)
    return PERLANE_REFUSE(PERLANE_ERROR_NULL, problem, "work is null, but work_bytes is %llu",
                          (unsigned long long)grid->work_bytes);
  if (grid->work_bytes > UINTPTR_MAX - (uintptr_t)grid->work)
    return PERLANE_REFUSE(PERLANE_ERROR_COUNT, problem,
                          "work_bytes is %llu: memory has addresses for no more than %llu from "
                          "work on",
                          (unsigned long long)grid->work_bytes,
                          (unsigned long long)(UINTPTR_MAX - (uintptr_t)grid->work));
  const size_t skipped = (0 - (uintptr_t)grid->work) % CACHE_LINE_BYTES;
  const size_t used = grid->work_bytes < PERLANE_WORK_BYTES ? grid->work_bytes : PERLANE_WORK_BYTES;
  region->work_bytes = used > skipped ? used - skipped : 0;
  region->work = region->work_bytes > 0 ? (unsigned char *)grid->work + skipped : NULL;
  status = complete_strides(grid, region, problem);
  for (int a = 0; a < grid->dims && status == PERLANE_OK; a++)
    status = check_positions(noise, grid, a, problem);
  return status;
}

perlane_status perlane_field_check_grid(const perlane_noise *noise, const perlane_grid *grid,
                                        struct perlane_text *problem) {
  perlane_status status = grid ? check_noise(noise) : PERLANE_ERROR_NULL;
  if (status != PERLANE_OK)
    return perlane_text_refuse(problem, status);
  const perlane_fp_state caller = perlane_fp_enter();
  struct perlane_region region;
  status = complete_grid(noise, grid, &region, problem);
  perlane_fp_leave(caller);
  return status;
}

perlane_status perlane_grid_check(const perlane_noise *noise, const perlane_grid *grid) {
  return perlane_field_check_grid(noise, grid, NULL);
}

size_t perlane_explain_grid(const perlane_noise *noise, const perlane_grid *grid, char *message,
                            size_t size) {
  struct perlane_text problem = perlane_text_begin(message, size);
  perlane_field_check_grid(noise, grid, &problem);
  return perlane_text_end(&problem);
}

/* ---- Grids ---- */

static perlane_status check_cells(const perlane_noise *noise, const perlane_cells *out) {
  if (out && (out->reserved[0] || out->reserved[1]))
    return PERLANE_ERROR_LAYOUT;
  const int has_borders = noise->params.cell_metric == PERLANE_CELL_METRIC_EUCLIDEAN;
  return noise->params.basis == PERLANE_BASIS_CELLULAR && (!out || !out->edge || has_borders)
             ? PERLANE_OK
             : PERLANE_ERROR_NO_CELLS;
}

static perlane_status slopes_status(const perlane_noise *noise, int32_t dims) {
  if (noise->sloped >> (dims - 1) & 1)
    return PERLANE_OK;
  return noise->is_expression ? perlane_expression_slopes_status(noise, dims)
                              : perlane_field_gradient_status(noise, dims);
}

/* Fills one of the two; the other is NULL. */
static void fill_region(const perlane_noise *noise, const struct perlane_region *region,
                        const struct perlane_output *output, const perlane_cells *cells) {
  const struct perlane_kernels *kernels = perlane_kernels_current();
  if (cells)
    kernels->fill_cells(noise, region, cells);
  else
    kernels->fill(noise, region, output);
}

/* Apart, because the copy takes 20 KiB of stack. */
static PERLANE_NOINLINE void fill_with_seed(const perlane_noise *noise, uint64_t seed,
                                            const struct perlane_region *region,
                                            const struct perlane_output *output,
                                            const perlane_cells *cells) {
  perlane_noise reseeded;
  perlane_field_with_seed(&reseeded, noise, seed);
  fill_region(&reseeded, region, output, cells);
}

static perlane_status fill(const perlane_noise *noise, const perlane_grid *grid,
                           const struct perlane_output *output, const perlane_cells *cells) {
  if (!perlane_field_is_ready(noise))
    return PERLANE_ERROR_NOISE;
  const perlane_fp_state caller = perlane_fp_enter();
  struct perlane_region region;
  perlane_status status = complete_grid(noise, grid, &region, NULL);
  if (status == PERLANE_OK && cells)
    status = check_cells(noise, cells);
  else if (status == PERLANE_OK && output->gradient[0])
    status = slopes_status(noise, grid->dims);
  if (status == PERLANE_OK && grid->has_seed)
    fill_with_seed(noise, grid->seed, &region, output, cells);
  else if (status == PERLANE_OK)
    fill_region(noise, &region, output, cells);
  perlane_fp_leave(caller);
  return status;
}

perlane_status perlane_fill(const perlane_noise *noise, const perlane_grid *grid, float *out) {
  if (!noise || !grid || !out)
    return PERLANE_ERROR_NULL;
  const struct perlane_output output = {.format = FORMAT_FLOAT, .value = out};
  return fill(noise, grid, &output, NULL);
}

perlane_status perlane_fill_extremes(const perlane_noise *noise, const perlane_grid *grid,
                                     float *out, float *smallest, float *largest) {
  if (!noise || !grid || !out || !smallest || !largest)
    return PERLANE_ERROR_NULL;
  float extremes[2];
  const struct perlane_output output = {.format = FORMAT_FLOAT, .value = out, .extremes = extremes};
  const perlane_status status = fill(noise, grid, &output, NULL);
  if (status == PERLANE_OK) {
    *smallest = extremes[0];
    *largest = extremes[1];
  }
  return status;
}

perlane_status perlane_fill_gradient(const perlane_noise *noise, const perlane_grid *grid,
                                     float *out, float *const *gradient) {
  if (!noise || !grid || !gradient)
    return PERLANE_ERROR_NULL;
  struct perlane_output output = {.format = FORMAT_FLOAT, .value = out};
  for (int32_t a = 0; a < grid->dims && a < PERLANE_MAX_DIMS; a++) {
    if (!gradient[a])
      return PERLANE_ERROR_NULL;
    output.gradient[a] = gradient[a];
  }
  return fill(noise, grid, &output, NULL);
}

static PERLANE_NOINLINE void set_scale(struct perlane_output *output, float high, double max) {
  const double distance = (double)high - (double)output->low;
  output->scale = distance != 0 && perlane_is_finite(distance) ? (float)(max / distance) : 0;
}

/* Returns 1 if the levels have a factor. Reads from its bits whether it is finite: arithmetic would
 * trap under a caller who unmasks exceptions. */
static int make_scale(struct perlane_output *output, float high, double max) {
  const perlane_fp_state caller = perlane_fp_enter();
  set_scale(output, high, max);
  perlane_fp_leave(caller);
  const uint32_t exponent = 0x7F800000;
  uint32_t bits;
  memcpy(&bits, &output->scale, sizeof bits);
  return bits != 0 && (bits & exponent) != exponent;
}

static perlane_status fill_integers(const perlane_noise *noise, const perlane_grid *grid,
                                    struct perlane_output *output, float high, double max) {
  if (!noise || !grid || !output->value)
    return PERLANE_ERROR_NULL;
  if (!make_scale(output, high, max))
    return PERLANE_ERROR_LEVELS;
  return fill(noise, grid, output, NULL);
}

perlane_status perlane_fill_u16(const perlane_noise *noise, const perlane_grid *grid, float low,
                                float high, uint16_t *out) {
  struct perlane_output output = {.format = FORMAT_U16, .value = out, .low = low};
  return fill_integers(noise, grid, &output, high, 65535);
}

perlane_status perlane_fill_u8(const perlane_noise *noise, const perlane_grid *grid, float low,
                               float high, uint8_t *out) {
  struct perlane_output output = {.format = FORMAT_U8, .value = out, .low = low};
  return fill_integers(noise, grid, &output, high, 255);
}

/* ---- Points ---- */

static PERLANE_NOINLINE perlane_status gradient_status(const perlane_noise *noise, int32_t dims) {
  if (noise->sloped >> (dims - 1) & 1)
    return PERLANE_OK;
  const perlane_fp_state caller = perlane_fp_enter();
  const perlane_status status = slopes_status(noise, dims);
  perlane_fp_leave(caller);
  return status;
}

/* Sets the octaves that a list's step shows. */
static PERLANE_NOINLINE perlane_status set_shown(const perlane_noise *noise, double step,
                                                 struct perlane_point_list *points) {
  if (!noise->is_expression) /* whose fields choose their own */
    points->octaves = perlane_field_shown(noise, step);
  for (int a = 0; a < points->dims; a++)
    points->spacing[a] = step;
  return perlane_is_finite(step) && step != 0 ? PERLANE_OK : PERLANE_ERROR_STEP;
}

static perlane_status find_shown(const perlane_noise *noise, double step,
                                 struct perlane_point_list *points) {
  const perlane_fp_state caller = perlane_fp_enter();
  const perlane_status status = set_shown(noise, step, points);
  perlane_fp_leave(caller);
  return status;
}

/* Checks a list, but for its arrays, and makes one without outputs of it. */
static perlane_status complete_list(const perlane_noise *noise, const perlane_list *list,
                                    struct perlane_point_list *points) {
  perlane_status status = list ? check_noise(noise) : PERLANE_ERROR_NULL;
  if (status == PERLANE_OK)
    status = check_dims(noise, list->dims, NULL);
  if (status != PERLANE_OK)
    return status;
  for (size_t i = 0; i < sizeof list->reserved / sizeof list->reserved[0]; i++)
    if (list->reserved[i])
      return PERLANE_ERROR_LAYOUT;
  const int is_double = list->coords64[0] != NULL;
  if (is_double && (list->coords[0] || list->origin))
    return PERLANE_ERROR_COORDS;
  const uint64_t limit = PTRDIFF_MAX / (is_double ? sizeof(double) : sizeof(float));
  if (!are_octaves(list->octaves))
    return PERLANE_ERROR_OCTAVES;
  if (list->count > limit)
    return PERLANE_ERROR_COUNT;
  const int64_t stride = list->stride == 0 ? 1 : list->stride;
  const int64_t longest = (int64_t)(limit / (list->count > 0 ? list->count : 1));
  if (stride > longest || stride < -longest)
    return PERLANE_ERROR_STRIDE;
  *points = (struct perlane_point_list){.dims = list->dims,
                                        .octaves = perlane_field_octaves(noise, list->octaves),
                                        .n = (size_t)list->count,
                                        .coords = is_double ? NULL : list->coords,
                                        .coords64 = is_double ? list->coords64 : NULL,
                                        .stride = (ptrdiff_t)stride,
                                        .origin = list->origin};
  return list->octaves == PERLANE_OCTAVES_SHOWN ? find_shown(noise, list->step, points)
                                                : PERLANE_OK;
}

static int has_coordinates(const struct perlane_point_list *list) {
  for (int a = 0; a < list->dims; a++)
    if (list->coords ? !list->coords[a] : !list->coords64[a])
      return 0;
  return 1;
}

static int has_outputs(const struct perlane_point_list *list) {
  for (int a = 0; a < list->dims && list->gradient; a++)
    if (!list->gradient[a])
      return 0;
  return list->gradient || list->out;
}

perlane_status perlane_points(const perlane_noise *noise, const perlane_list *list, float *out,
                              float *const *gradient) {
  struct perlane_point_list points;
  perlane_status status = complete_list(noise, list, &points);
  if (status == PERLANE_OK && gradient)
    status = gradient_status(noise, list->dims);
  if (status != PERLANE_OK || points.n == 0)
    return status;
  points.out = out;
  points.gradient = gradient;
  if (!has_coordinates(&points) || !has_outputs(&points))
    return PERLANE_ERROR_NULL;
  const struct perlane_kernels *kernels = perlane_kernels_current();
  const perlane_fp_state caller = perlane_fp_enter();
  kernels->points(noise, &points);
  perlane_fp_leave(caller);
  return PERLANE_OK;
}

/* Evaluates one position, and its gradient unless that is NULL. */
static inline float value_at(const perlane_noise *noise, int32_t dims, const double *position,
                             float *gradient) {
  if (check_noise(noise) != PERLANE_OK || !position || check_dims(noise, dims, NULL) != PERLANE_OK)
    return perlane_nan();
  if (gradient && !(noise->sloped >> (dims - 1) & 1)) {
    for (int32_t a = 0; a < dims; a++)
      gradient[a] = perlane_nan();
    return perlane_nan();
  }
  const struct perlane_kernels *kernels = perlane_kernels_current();
  const perlane_fp_state caller = perlane_fp_enter();
  const float value = kernels->at(noise, dims, position, gradient);
  perlane_fp_leave(caller);
  return value;
}

float perlane_at(const perlane_noise *noise, int32_t dims, const double *position) {
  return value_at(noise, dims, position, NULL);
}

float perlane_at_gradient(const perlane_noise *noise, int32_t dims, const double *position,
                          float *gradient) {
  return gradient ? value_at(noise, dims, position, gradient) : perlane_nan();
}

/* ---- Cells ---- */

perlane_status perlane_fill_cells(const perlane_noise *noise, const perlane_grid *grid,
                                  const perlane_cells *out) {
  return noise && grid && out ? fill(noise, grid, NULL, out) : PERLANE_ERROR_NULL;
}

perlane_status perlane_points_cells(const perlane_noise *noise, const perlane_list *list,
                                    const perlane_cells *out) {
  struct perlane_point_list points;
  perlane_status status = complete_list(noise, list, &points);
  if (status == PERLANE_OK)
    status = check_cells(noise, out);
  if (status != PERLANE_OK || points.n == 0)
    return status;
  if (!out || !has_coordinates(&points))
    return PERLANE_ERROR_NULL;
  const struct perlane_kernels *kernels = perlane_kernels_current();
  const perlane_fp_state caller = perlane_fp_enter();
  kernels->points_cells(noise, &points, out);
  perlane_fp_leave(caller);
  return PERLANE_OK;
}

/* ---- Range ---- */

/* Bounds a field in `dims` dimensions; an expression at any position if region is NULL. */
static void find_range(const perlane_noise *noise, int32_t dims,
                       const struct perlane_region *region, float *low, float *high) {
  if (noise->is_expression)
    perlane_expression_bounds(&noise->expression, dims, region, low, high);
  else
    (void)perlane_field_range(noise, dims, low, high);
}

perlane_status perlane_range(const perlane_noise *noise, int32_t dims, float *low, float *high) {
  perlane_status status = low && high ? check_noise(noise) : PERLANE_ERROR_NULL;
  if (status == PERLANE_OK)
    status = check_dims(noise, dims, NULL);
  if (status != PERLANE_OK)
    return status;
  const perlane_fp_state caller = perlane_fp_enter();
  find_range(noise, dims, NULL, low, high);
  perlane_fp_leave(caller);
  return PERLANE_OK;
}

perlane_status perlane_range_in(const perlane_noise *noise, const perlane_grid *grid, float *low,
                                float *high) {
  struct perlane_region region;
  perlane_status status = grid && low && high ? check_noise(noise) : PERLANE_ERROR_NULL;
  if (status != PERLANE_OK)
    return status;
  const perlane_fp_state caller = perlane_fp_enter();
  status = complete_grid(noise, grid, &region, NULL);
  if (status == PERLANE_OK)
    find_range(noise, grid->dims, &region, low, high);
  perlane_fp_leave(caller);
  return status;
}
