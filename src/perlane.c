/* SPDX-License-Identifier: MIT
 *
 * The public functions: each checks its arguments, sets the floating-point environment, and makes
 * one call through the kernel table. The calls through a pointer, and those to functions that are
 * never inlined, keep the arithmetic between perlane_fp_enter and perlane_fp_leave.
 */
#include "strict.h"

#include <string.h>

#include "field.h"
#include "kernels.h"

const char *perlane_version(void) {
  return PERLANE_VERSION;
}

const char *perlane_status_string(perlane_status status) {
  switch (status) {
  case PERLANE_OK:
    return "no error";
  case PERLANE_ERROR_NULL:
    return "a pointer is null";
  case PERLANE_ERROR_NOISE:
    return "the noise was not made by perlane_init";
  case PERLANE_ERROR_FREQUENCY:
    return "frequency must be finite and above 0 at every octave, and with gradients within the "
           "range of float";
  case PERLANE_ERROR_OCTAVES:
    return "octaves must be from 1 to 32";
  case PERLANE_ERROR_LACUNARITY:
    return "lacunarity must be finite and above 0";
  case PERLANE_ERROR_GAIN:
    return "gain must be finite, and its powers too";
  case PERLANE_ERROR_RESERVED:
    return "a reserved field is not 0";
  case PERLANE_ERROR_DIMS:
    return "dims must be from 1 to 4";
  case PERLANE_ERROR_COUNT:
    return "a count is 0, or there are more samples than memory can address";
  case PERLANE_ERROR_STEP:
    return "step must be finite and not 0";
  case PERLANE_ERROR_STRIDE:
    return "strides make samples overlap or leave the range of addresses";
  case PERLANE_ERROR_RANGE:
    return "a sample lies outside the domain of 2^53 cells around the origin";
  case PERLANE_ERROR_ISA:
    return "this instruction set is unknown, not built in, or not supported by this CPU";
  case PERLANE_ERROR_SELFTEST:
    return "the self-test's digest is wrong: this build does not compute perlane's bits";
  case PERLANE_ERROR_BASIS:
    return "this basis is unknown";
  case PERLANE_ERROR_HASH:
    return "this hash is unknown, or the basis does not have it";
  case PERLANE_ERROR_GRADIENTS:
    return "this gradient set is unknown";
  case PERLANE_ERROR_FADE:
    return "this fade is unknown";
  case PERLANE_ERROR_FRACTAL:
    return "this fractal is unknown";
  case PERLANE_ERROR_NORMALIZE:
    return "this normalization is unknown";
  case PERLANE_ERROR_FIELD_DIMS:
    return "the field's hash or gradient set does not exist in that many dimensions";
  case PERLANE_ERROR_WEIGHTED_STRENGTH:
    return "weighted_strength must be from 0 to 1";
  case PERLANE_ERROR_PING_PONG_STRENGTH:
    return "ping_pong_strength must be above 0 and at most 1024";
  case PERLANE_ERROR_PERIOD:
    return "a period must be 0 or a whole number of cells, up to 2^30, at every octave, and a "
           "gradient grid has its own";
  case PERLANE_ERROR_TABLE:
    return "the hash needs its table, with values from 0 to 255";
  case PERLANE_ERROR_GRADIENT_COUNT:
    return "the gradient table must have from 2 to 256 vectors of 1 to 4 components";
  case PERLANE_ERROR_GRADIENT:
    return "a gradient is not finite or above 1e6, or all gradients are 0";
  case PERLANE_ERROR_GRADIENT_GRID:
    return "the gradient grid must have from 1 to 2^30 points";
  case PERLANE_ERROR_AMPLITUDE:
    return "amplitude, value_scale and value_offset must be finite, amplitude not 0, and values "
           "must stay "
           "within the range of float";
  case PERLANE_ERROR_CONTRAST:
    return "contrast must be from 0 to 64";
  case PERLANE_ERROR_LEVELS:
    return "low and high must be finite, and apart";
  case PERLANE_ERROR_PRESET:
    return "there is no preset of this name";
  case PERLANE_ERROR_THREADS:
    return "the number of threads is negative or too large";
  case PERLANE_ERROR_OPTION:
    return "there is no option of this name";
  case PERLANE_ERROR_SYNTAX:
    return "expected NAME=VALUE, with white space between one and the next";
  case PERLANE_ERROR_SEED:
    return "a seed must be a whole number from 0 to 18446744073709551615";
  case PERLANE_ERROR_OCTAVES_SHARE:
    return "octaves_share must be 0 or 1";
  case PERLANE_ERROR_PHASE:
    return "this phase is unknown";
  case PERLANE_ERROR_TABLE_OFFSET:
    return "table_offset must be a whole number from -2147483648 to 2147483647 for each axis";
  case PERLANE_STATUS_COUNT:
    break;
  }
  return "unknown status";
}

perlane_status perlane_init(perlane_noise *noise, const perlane_params *params) {
  if (!noise || !params)
    return PERLANE_ERROR_NULL;
  const perlane_fp_state caller = perlane_fp_enter();
  const perlane_status status = perlane_field_make(noise, params);
  perlane_fp_leave(caller);
  return status;
}

perlane_status perlane_reseed(perlane_noise *noise, uint64_t seed) {
  if (!noise)
    return PERLANE_ERROR_NULL;
  if (!perlane_field_is_ready(noise))
    return PERLANE_ERROR_NOISE;
  const perlane_fp_state caller = perlane_fp_enter();
  perlane_field_reseed(noise, seed);
  perlane_fp_leave(caller);
  return PERLANE_OK;
}

perlane_grid perlane_grid_make(size_t nx, size_t ny, size_t nz, size_t nw) {
  perlane_grid grid;
  memset(&grid, 0, sizeof grid);
  const size_t count[PERLANE_MAX_DIMS] = {nx, ny, nz, nw};
  while (grid.dims < PERLANE_MAX_DIMS && count[grid.dims] != 0) {
    grid.count[grid.dims] = count[grid.dims];
    grid.step[grid.dims] = 1;
    grid.dims++;
  }
  return grid;
}

/* Replaces strides of 0 by those of a packed array, and refuses strides with which samples overlap
 * or an offset leaves ptrdiff_t. From the shortest stride up, each must clear what the shorter ones
 * span: that holds for every nesting of axes in any order, with or without gaps. */
static perlane_status complete_strides(perlane_grid *grid) {
  const size_t limit = PTRDIFF_MAX / sizeof(float);
  size_t packed = 1;
  size_t length[PERLANE_MAX_DIMS];
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    if (grid->stride[a] == 0)
      grid->stride[a] = (ptrdiff_t)packed;
    if (packed > limit / grid->count[a])
      return PERLANE_ERROR_COUNT;
    packed *= grid->count[a];
    length[a] = grid->stride[a] < 0 ? 0 - (size_t)grid->stride[a] : (size_t)grid->stride[a];
  }
  int order[PERLANE_MAX_DIMS] = {0, 1, 2, 3};
  for (int i = 1; i < PERLANE_MAX_DIMS; i++)
    for (int j = i; j > 0 && length[order[j]] < length[order[j - 1]]; j--) {
      const int longer = order[j - 1];
      order[j - 1] = order[j];
      order[j] = longer;
    }
  size_t span = 1; /* floats from the lowest to the highest sample, both included */
  for (int i = 0; i < PERLANE_MAX_DIMS; i++) {
    const size_t steps = grid->count[order[i]] - 1, stride = length[order[i]];
    if (steps == 0)
      continue;
    if (stride < span || steps > (limit - span) / stride)
      return PERLANE_ERROR_STRIDE;
    span += steps * stride;
  }
  return PERLANE_OK;
}

static int in_domain(const perlane_noise *noise, double position) {
  const double cells = position * noise->highest_frequency;
  return cells >= -0x1p53 && cells <= 0x1p53; /* false for NaN */
}

static perlane_status check_dims(const perlane_noise *noise, int32_t dims) {
  if (dims < 1 || dims > PERLANE_MAX_DIMS)
    return PERLANE_ERROR_DIMS;
  return noise->largest[dims - 1] > 0 ? PERLANE_OK : PERLANE_ERROR_FIELD_DIMS;
}

/* Checks a grid, and copies it with every axis and stride set. */
static PERLANE_NOINLINE perlane_status complete_grid(const perlane_noise *noise,
                                                     const perlane_grid *grid,
                                                     perlane_grid *complete) {
  perlane_status status = check_dims(noise, grid->dims);
  if (status != PERLANE_OK)
    return status;
  if (grid->reserved0 != 0)
    return PERLANE_ERROR_RESERVED;
  *complete = *grid;
  for (int a = 0; a < grid->dims; a++)
    if (grid->count[a] == 0 || grid->count[a] > (size_t)PTRDIFF_MAX)
      return PERLANE_ERROR_COUNT;
  for (int a = grid->dims; a < PERLANE_MAX_DIMS; a++) {
    complete->count[a] = 1;
    complete->stride[a] = 0;
  }
  status = complete_strides(complete);
  if (status != PERLANE_OK)
    return status;
  for (int a = 0; a < grid->dims; a++) {
    const double step = grid->step[a], origin = grid->origin[a];
    if (!(step - step == 0) || step == 0)
      return PERLANE_ERROR_STEP;
    const int64_t steps = (int64_t)(grid->count[a] - 1);
    if (grid->first[a] > INT64_MAX - steps)
      return PERLANE_ERROR_RANGE;
    /* Every rounding is monotonic, so the two ends bound all samples between them. */
    if (!in_domain(noise, origin + (double)grid->first[a] * step) ||
        !in_domain(noise, origin + (double)(grid->first[a] + steps) * step))
      return PERLANE_ERROR_RANGE;
  }
  return PERLANE_OK;
}

/* ---- Grids ---- */

static perlane_status fill(const perlane_noise *noise, const perlane_grid *grid,
                           const struct perlane_output *output) {
  if (!perlane_field_is_ready(noise))
    return PERLANE_ERROR_NOISE;
  const struct perlane_kernels *kernels = perlane_kernels_current();
  const perlane_fp_state caller = perlane_fp_enter();
  perlane_grid complete;
  perlane_status status = complete_grid(noise, grid, &complete);
  if (status == PERLANE_OK && output->gradient[0] && !perlane_field_has_gradient(noise, grid->dims))
    status = PERLANE_ERROR_FREQUENCY;
  if (status == PERLANE_OK)
    kernels->fill(noise, &complete, output);
  perlane_fp_leave(caller);
  return status;
}

perlane_status perlane_grid_check(const perlane_noise *noise, const perlane_grid *grid) {
  if (!noise || !grid)
    return PERLANE_ERROR_NULL;
  if (!perlane_field_is_ready(noise))
    return PERLANE_ERROR_NOISE;
  const perlane_fp_state caller = perlane_fp_enter();
  perlane_grid complete;
  const perlane_status status = complete_grid(noise, grid, &complete);
  perlane_fp_leave(caller);
  return status;
}

perlane_status perlane_fill(const perlane_noise *noise, const perlane_grid *grid, float *out) {
  if (!noise || !grid || !out)
    return PERLANE_ERROR_NULL;
  const struct perlane_output output = {.format = PERLANE_FLOAT, .value = out};
  return fill(noise, grid, &output);
}

perlane_status perlane_fill_extremes(const perlane_noise *noise, const perlane_grid *grid,
                                     float *out, float *smallest, float *largest) {
  if (!noise || !grid || !out || !smallest || !largest)
    return PERLANE_ERROR_NULL;
  float extremes[2];
  const struct perlane_output output = {
      .format = PERLANE_FLOAT, .value = out, .extremes = extremes};
  const perlane_status status = fill(noise, grid, &output);
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
  struct perlane_output output = {.format = PERLANE_FLOAT, .value = out};
  for (int32_t a = 0; a < grid->dims && a < PERLANE_MAX_DIMS; a++) {
    if (!gradient[a])
      return PERLANE_ERROR_NULL;
    output.gradient[a] = gradient[a];
  }
  return fill(noise, grid, &output);
}

/* Returns the factor of (value - low), or 0 for invalid levels. Whether it is finite is read from
 * its bits: arithmetic would trap under a caller who unmasks exceptions. */
static PERLANE_NOINLINE float level_scale(float low, float high, double max) {
  const perlane_fp_state caller = perlane_fp_enter();
  const double distance = (double)high - (double)low;
  const float scale = distance != 0 && distance - distance == 0 ? (float)(max / distance) : 0;
  perlane_fp_leave(caller);
  const uint32_t exponent = 0x7F800000;
  uint32_t bits;
  memcpy(&bits, &scale, sizeof bits);
  return (bits & exponent) != exponent ? scale : 0;
}

static perlane_status fill_integers(const perlane_noise *noise, const perlane_grid *grid,
                                    struct perlane_output *output, float high, double max) {
  if (!noise || !grid || !output->value)
    return PERLANE_ERROR_NULL;
  output->scale = level_scale(output->low, high, max);
  if (output->scale == 0)
    return PERLANE_ERROR_LEVELS;
  return fill(noise, grid, output);
}

perlane_status perlane_fill_u16(const perlane_noise *noise, const perlane_grid *grid, float low,
                                float high, uint16_t *out) {
  struct perlane_output output = {.format = PERLANE_U16, .value = out, .low = low};
  return fill_integers(noise, grid, &output, high, 65535);
}

perlane_status perlane_fill_u8(const perlane_noise *noise, const perlane_grid *grid, float low,
                               float high, uint8_t *out) {
  struct perlane_output output = {.format = PERLANE_U8, .value = out, .low = low};
  return fill_integers(noise, grid, &output, high, 255);
}

/* ---- Points ---- */

static int has_gradient(const perlane_noise *noise, int32_t dims) {
  const perlane_fp_state caller = perlane_fp_enter();
  const int has = perlane_field_has_gradient(noise, dims);
  perlane_fp_leave(caller);
  return has;
}

static perlane_status points(const perlane_noise *noise, int32_t dims, size_t n,
                             const float *const *coords, float *out, float *const *gradient,
                             int with_gradient) {
  if (!noise)
    return PERLANE_ERROR_NULL;
  if (!perlane_field_is_ready(noise))
    return PERLANE_ERROR_NOISE;
  const perlane_status status = check_dims(noise, dims);
  if (status != PERLANE_OK)
    return status;
  if (with_gradient && !has_gradient(noise, dims))
    return PERLANE_ERROR_FREQUENCY;
  if (n == 0)
    return PERLANE_OK;
  if (n > PTRDIFF_MAX / sizeof(float))
    return PERLANE_ERROR_COUNT;
  if (!coords || (with_gradient ? !gradient : !out))
    return PERLANE_ERROR_NULL;
  for (int32_t a = 0; a < dims; a++)
    if (!coords[a] || (with_gradient && !gradient[a]))
      return PERLANE_ERROR_NULL;
  const struct perlane_kernels *kernels = perlane_kernels_current();
  const perlane_fp_state caller = perlane_fp_enter();
  kernels->points(noise, dims, n, coords, out, with_gradient ? gradient : NULL);
  perlane_fp_leave(caller);
  return PERLANE_OK;
}

perlane_status perlane_points(const perlane_noise *noise, int32_t dims, size_t n,
                              const float *const *coords, float *out) {
  return points(noise, dims, n, coords, out, NULL, 0);
}

perlane_status perlane_points_gradient(const perlane_noise *noise, int32_t dims, size_t n,
                                       const float *const *coords, float *out,
                                       float *const *gradient) {
  return points(noise, dims, n, coords, out, gradient, 1);
}

static float not_a_number(void) {
  const uint32_t bits = 0x7FC00000;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static float at(const perlane_noise *noise, int32_t dims, const double *position, float *gradient) {
  if (!noise || !position || !perlane_field_is_ready(noise) ||
      check_dims(noise, dims) != PERLANE_OK)
    return not_a_number();
  const struct perlane_kernels *kernels = perlane_kernels_current();
  const perlane_fp_state caller = perlane_fp_enter();
  float value = not_a_number();
  if (!gradient || perlane_field_has_gradient(noise, dims))
    value = kernels->at(noise, dims, position, gradient);
  else
    for (int32_t a = 0; a < dims; a++)
      gradient[a] = value;
  perlane_fp_leave(caller);
  return value;
}

float perlane_at(const perlane_noise *noise, int32_t dims, const double *position) {
  return at(noise, dims, position, NULL);
}

float perlane_at_gradient(const perlane_noise *noise, int32_t dims, const double *position,
                          float *gradient) {
  return gradient ? at(noise, dims, position, gradient) : not_a_number();
}

/* ---- Range ---- */

perlane_status perlane_range(const perlane_noise *noise, int32_t dims, float *low, float *high) {
  if (!noise || !low || !high)
    return PERLANE_ERROR_NULL;
  if (!perlane_field_is_ready(noise))
    return PERLANE_ERROR_NOISE;
  const perlane_status status = check_dims(noise, dims);
  if (status != PERLANE_OK)
    return status;
  const perlane_fp_state caller = perlane_fp_enter();
  (void)perlane_field_range(noise, dims, low, high);
  perlane_fp_leave(caller);
  return PERLANE_OK;
}
