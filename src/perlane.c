/* SPDX-License-Identifier: MIT
 *
 * The public functions: each checks its arguments, sets the floating-point environment, and makes
 * one call through the kernel table. The calls through a pointer, and those to functions that are
 * never inlined, keep the arithmetic between perlane_fp_enter and perlane_fp_leave.
 */
#include "strict.h"

#include <string.h>

#include "dispatch.h"
#include "field.h"
#include "range.h"

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
    return "gain and the sum of the octaves' amplitudes must be finite";
  case PERLANE_ERROR_RESERVED:
    return "a reserved member is not 0";
  case PERLANE_ERROR_DIMS:
    return "dims must be from 1 to 4";
  case PERLANE_ERROR_COUNT:
    return "a count is 0, or there are more samples than memory can address";
  case PERLANE_ERROR_STEP:
    return "step must be finite and not 0";
  case PERLANE_ERROR_STRIDE:
    return "strides make samples overlap or exceed the range of addresses";
  case PERLANE_ERROR_RANGE:
    return "a sample is outside the domain of 2^53 cells around the origin";
  case PERLANE_ERROR_ISA:
    return "this instruction set is unknown, not built in, or not supported by this CPU";
  case PERLANE_ERROR_SELFTEST:
    return "the self-test's digest is wrong: this build does not compute perlane's bits";
  case PERLANE_ERROR_BASIS:
    return "this basis is unknown";
  case PERLANE_ERROR_HASH:
    return "this hash is unknown, or does not exist for this basis";
  case PERLANE_ERROR_GRADIENTS:
    return "this gradient set is unknown";
  case PERLANE_ERROR_FADE:
    return "this fade is unknown";
  case PERLANE_ERROR_FRACTAL:
    return "this fractal is unknown, or does not exist for this basis";
  case PERLANE_ERROR_NORMALIZE:
    return "this normalization is unknown";
  case PERLANE_ERROR_FIELD_DIMS:
    return "the field's basis, hash or gradient set does not exist in that many dimensions";
  case PERLANE_ERROR_WEIGHTED_STRENGTH:
    return "weighted_strength must be from 0 to 1";
  case PERLANE_ERROR_PING_PONG_STRENGTH:
    return "ping_pong_strength must be above 0 and at most 1024";
  case PERLANE_ERROR_PERIOD:
    return "a period must be a whole number of cells, at most 2^30, at every octave, of the warp "
           "too, and 0 along the axes of a gradient grid";
  case PERLANE_ERROR_TABLE:
    return "the hash table is missing or has a value outside 0 to 255";
  case PERLANE_ERROR_GRADIENT_COUNT:
    return "the gradient table must have from 2 to 256 vectors of 1 to 4 components";
  case PERLANE_ERROR_GRADIENT:
    return "a gradient is not finite or exceeds 1e6, or all gradients are 0";
  case PERLANE_ERROR_GRADIENT_GRID:
    return "the gradient grid must have from 1 to 2^30 points";
  case PERLANE_ERROR_AMPLITUDE:
    return "amplitude, value_scale and value_offset must be finite, amplitude must not be 0, and "
           "values must stay within the range of float";
  case PERLANE_ERROR_CONTRAST:
    return "contrast must be from 0 to 64";
  case PERLANE_ERROR_LEVELS:
    return "low and high must be finite and not too close";
  case PERLANE_ERROR_PRESET:
    return "no preset has this name";
  case PERLANE_ERROR_THREADS:
    return "the number of threads is negative or too large";
  case PERLANE_ERROR_OPTION:
    return "no option has this name";
  case PERLANE_ERROR_SYNTAX:
    return "expected a list of NAME=VALUE, separated by white space";
  case PERLANE_ERROR_SEED:
    return "a seed must be a whole number from 0 to 18446744073709551615";
  case PERLANE_ERROR_OCTAVES_SHARE:
    return "octaves_share must be 0 or 1";
  case PERLANE_ERROR_PHASE:
    return "this phase is unknown";
  case PERLANE_ERROR_TABLE_OFFSET:
    return "table_offset must be a whole number from -2147483648 to 2147483647 for each axis";
  case PERLANE_ERROR_NO_GRADIENT:
    return "a field with fractal eroded or basis cellular has no gradient";
  case PERLANE_ERROR_EROSION:
    return "erosion must be from 0 to 1000";
  case PERLANE_ERROR_CURVE:
    return "a curve must have from 2 to 16 points x:y, of magnitude up to 1e6, whose x increase by "
           "at least 1e-6 and differ as floats";
  case PERLANE_ERROR_CURVE_SHAPE:
    return "this curve shape is unknown";
  case PERLANE_ERROR_TERRACES:
    return "terraces must be from 0 to 1024";
  case PERLANE_ERROR_TERRACE_SHARPNESS:
    return "terrace_sharpness must be at least 0 and below 1";
  case PERLANE_ERROR_WARP_AMPLITUDE:
    return "warp_amplitude must be finite and not negative";
  case PERLANE_ERROR_WARP_FREQUENCY:
    return "warp_frequency must be finite and above 0 at every octave of the warp";
  case PERLANE_ERROR_WARP_OCTAVES:
    return "warp_octaves must be from 1 to 16";
  case PERLANE_ERROR_WARP_LACUNARITY:
    return "warp_lacunarity must be finite and above 0";
  case PERLANE_ERROR_WARP_GAIN:
    return "warp_gain and the sum of the warp's amplitudes must be finite";
  case PERLANE_ERROR_WARP_ROUNDS:
    return "warp_rounds must be from 1 to 3";
  case PERLANE_ERROR_CELL_METRIC:
    return "this cell metric is unknown";
  case PERLANE_ERROR_CELL_OUTPUT:
    return "this cell output is unknown";
  case PERLANE_ERROR_JITTER:
    return "jitter must be from 0 to 1";
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

size_t perlane_noise_size(void) {
  return sizeof(perlane_noise);
}

size_t perlane_params_size(void) {
  return sizeof(perlane_params);
}

size_t perlane_grid_size(void) {
  return sizeof(perlane_grid);
}

static perlane_grid packed_grid(int32_t dims, const uint64_t *count) {
  perlane_grid grid;
  memset(&grid, 0, sizeof grid);
  grid.dims = dims;
  for (int32_t a = 0; a < dims; a++) {
    grid.count[a] = count[a];
    grid.step[a] = 1;
  }
  return grid;
}

perlane_grid perlane_grid_make(uint64_t nx, uint64_t ny, uint64_t nz, uint64_t nw) {
  const uint64_t count[PERLANE_MAX_DIMS] = {nx, ny, nz, nw};
  int32_t dims = PERLANE_MAX_DIMS;
  while (dims > 0 && count[dims - 1] == 0)
    dims--;
  for (int32_t a = 0; a < dims; a++)
    if (count[a] == 0)
      dims = 0;
  return packed_grid(dims, count);
}

perlane_status perlane_grid_init(perlane_grid *grid, uint64_t nx, uint64_t ny, uint64_t nz,
                                 uint64_t nw) {
  if (!grid)
    return PERLANE_ERROR_NULL;
  *grid = perlane_grid_make(nx, ny, nz, nw);
  return grid->dims == 0 ? PERLANE_ERROR_DIMS : PERLANE_OK;
}

/* Sets the region's strides, and refuses those with which samples overlap or an offset leaves
 * ptrdiff_t. From the shortest stride up, each must clear what the shorter ones span: that holds
 * for every nesting of axes in any order, with or without gaps. */
static perlane_status complete_strides(const perlane_grid *grid, struct perlane_region *region) {
  const size_t limit = PTRDIFF_MAX / sizeof(float);
  size_t packed = 1;
  size_t length[PERLANE_MAX_DIMS];
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    int64_t stride = a < grid->dims ? grid->stride[a] : 0;
    if (region->count[a] == 1 || (stride == 0 && !grid->exact_strides))
      stride = (int64_t)packed;
    if (packed > limit / region->count[a])
      return PERLANE_ERROR_COUNT;
    packed *= region->count[a];
    if (stride < -PTRDIFF_MAX || stride > PTRDIFF_MAX)
      return PERLANE_ERROR_STRIDE;
    region->stride[a] = (ptrdiff_t)stride;
    length[a] = (size_t)(stride < 0 ? -stride : stride);
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
    const size_t steps = region->count[order[i]] - 1, stride = length[order[i]];
    if (steps == 0)
      continue;
    if (stride < span || steps > (limit - span) / stride)
      return PERLANE_ERROR_STRIDE;
    span += steps * stride;
  }
  return PERLANE_OK;
}

static int is_in_domain(double cells) {
  return cells >= -0x1p53 && cells <= 0x1p53; /* false for NaN */
}

/* Returns 1 if a position is inside the domain, and each that a warp may move it to. */
static int in_domain(const perlane_noise *noise, double position) {
  const double reach = noise->params.warp_amplitude;
  const double low = position - reach, high = position + reach;
  if (!is_in_domain(low * noise->highest_frequency) ||
      !is_in_domain(high * noise->highest_frequency))
    return 0;
  return reach == 0 || (is_in_domain(low * noise->highest_warp_frequency) &&
                        is_in_domain(high * noise->highest_warp_frequency));
}

static perlane_status check_dims(const perlane_noise *noise, int32_t dims) {
  if (dims < 1 || dims > PERLANE_MAX_DIMS)
    return PERLANE_ERROR_DIMS;
  return noise->largest[dims - 1] > 0 ? PERLANE_OK : PERLANE_ERROR_FIELD_DIMS;
}

/* Checks a grid, and fills in the region that it describes. */
static PERLANE_NOINLINE perlane_status complete_grid(const perlane_noise *noise,
                                                     const perlane_grid *grid,
                                                     struct perlane_region *region) {
  perlane_status status = check_dims(noise, grid->dims);
  if (status != PERLANE_OK)
    return status;
  if (grid->exact_strides != 0 && grid->exact_strides != 1)
    return PERLANE_ERROR_STRIDE;
  for (int a = 0; a < grid->dims; a++)
    if (grid->count[a] == 0 || grid->count[a] > (uint64_t)PTRDIFF_MAX)
      return PERLANE_ERROR_COUNT;
  region->dims = grid->dims;
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    const int used = a < grid->dims;
    region->first[a] = used ? grid->first[a] : 0;
    region->count[a] = used ? (size_t)grid->count[a] : 1;
    region->origin[a] = used ? grid->origin[a] : 0;
    region->step[a] = used ? grid->step[a] : 1;
  }
  status = complete_strides(grid, region);
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
  struct perlane_region region;
  perlane_status status = complete_grid(noise, grid, &region);
  if (status == PERLANE_OK && output->gradient[0])
    status = perlane_field_gradient_status(noise, grid->dims);
  if (status == PERLANE_OK)
    kernels->fill(noise, &region, output);
  perlane_fp_leave(caller);
  return status;
}

perlane_status perlane_grid_check(const perlane_noise *noise, const perlane_grid *grid) {
  if (!noise || !grid)
    return PERLANE_ERROR_NULL;
  if (!perlane_field_is_ready(noise))
    return PERLANE_ERROR_NOISE;
  const perlane_fp_state caller = perlane_fp_enter();
  struct perlane_region region;
  const perlane_status status = complete_grid(noise, grid, &region);
  perlane_fp_leave(caller);
  return status;
}

perlane_status perlane_fill(const perlane_noise *noise, const perlane_grid *grid, float *out) {
  if (!noise || !grid || !out)
    return PERLANE_ERROR_NULL;
  const struct perlane_output output = {.format = PERLANE_FLOAT, .value = out};
  return fill(noise, grid, &output);
}

static perlane_status fill_packed(const perlane_noise *noise, int32_t dims, const int64_t *first,
                                  const uint64_t *count, float *out) {
  perlane_grid grid = packed_grid(dims, count);
  memcpy(grid.first, first, (size_t)dims * sizeof first[0]);
  return perlane_fill(noise, &grid, out);
}

perlane_status perlane_fill_2d(const perlane_noise *noise, int64_t x, int64_t y, uint64_t width,
                               uint64_t height, float *out) {
  const int64_t first[] = {x, y};
  const uint64_t count[] = {width, height};
  return fill_packed(noise, 2, first, count, out);
}

perlane_status perlane_fill_3d(const perlane_noise *noise, int64_t x, int64_t y, int64_t z,
                               uint64_t width, uint64_t height, uint64_t depth, float *out) {
  const int64_t first[] = {x, y, z};
  const uint64_t count[] = {width, height, depth};
  return fill_packed(noise, 3, first, count, out);
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

static perlane_status gradient_status(const perlane_noise *noise, int32_t dims) {
  const perlane_fp_state caller = perlane_fp_enter();
  const perlane_status status = perlane_field_gradient_status(noise, dims);
  perlane_fp_leave(caller);
  return status;
}

static perlane_status points(const perlane_noise *noise, const struct perlane_point_list *list,
                             int with_gradient) {
  if (!noise)
    return PERLANE_ERROR_NULL;
  if (!perlane_field_is_ready(noise))
    return PERLANE_ERROR_NOISE;
  perlane_status status = check_dims(noise, list->dims);
  if (status == PERLANE_OK && with_gradient)
    status = gradient_status(noise, list->dims);
  if (status != PERLANE_OK)
    return status;
  if (list->n == 0)
    return PERLANE_OK;
  if (list->n > PTRDIFF_MAX / (list->coords64 ? sizeof(double) : sizeof(float)))
    return PERLANE_ERROR_COUNT;
  if ((!list->coords && !list->coords64) || (with_gradient ? !list->gradient : !list->out))
    return PERLANE_ERROR_NULL;
  for (int a = 0; a < list->dims; a++)
    if ((list->coords ? !list->coords[a] : !list->coords64[a]) ||
        (with_gradient && !list->gradient[a]))
      return PERLANE_ERROR_NULL;
  const struct perlane_kernels *kernels = perlane_kernels_current();
  const perlane_fp_state caller = perlane_fp_enter();
  kernels->points(noise, list);
  perlane_fp_leave(caller);
  return PERLANE_OK;
}

perlane_status perlane_points(const perlane_noise *noise, int32_t dims, size_t n,
                              const double *origin, const float *const *coords, float *out) {
  const struct perlane_point_list list = {
      .dims = dims, .n = n, .coords = coords, .origin = origin, .out = out};
  return points(noise, &list, 0);
}

perlane_status perlane_points_gradient(const perlane_noise *noise, int32_t dims, size_t n,
                                       const double *origin, const float *const *coords, float *out,
                                       float *const *gradient) {
  const struct perlane_point_list list = {
      .dims = dims, .n = n, .coords = coords, .origin = origin, .out = out, .gradient = gradient};
  return points(noise, &list, 1);
}

perlane_status perlane_points_double(const perlane_noise *noise, int32_t dims, size_t n,
                                     const double *const *coords, float *out,
                                     float *const *gradient) {
  const struct perlane_point_list list = {
      .dims = dims, .n = n, .coords64 = coords, .out = out, .gradient = gradient};
  return points(noise, &list, gradient != NULL);
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
  if (!gradient || perlane_field_gradient_status(noise, dims) == PERLANE_OK)
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
