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
    return "frequency must be finite and above 0 at every octave";
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

/* Writes the strides that the user left at 0, and refuses those that let two samples share a place
 * or an offset leave ptrdiff_t. Taken from the shortest stride up, each must clear all that the
 * shorter ones span: that holds for every nesting of axes in any order, with or without gaps. */
static perlane_status complete_strides(perlane_grid *grid) {
  const size_t most = PTRDIFF_MAX / sizeof(float);
  size_t packed = 1;
  size_t length[PERLANE_MAX_DIMS];
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    if (grid->stride[a] == 0)
      grid->stride[a] = (ptrdiff_t)packed;
    if (packed > most / grid->count[a])
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
    if (stride < span || steps > (most - span) / stride)
      return PERLANE_ERROR_STRIDE;
    span += steps * stride;
  }
  return PERLANE_OK;
}

static int in_domain(const perlane_noise *noise, double position) {
  const double cells = position * noise->highest_frequency;
  return cells >= -0x1p53 && cells <= 0x1p53; /* false for NaN */
}

/* Checks a grid and copies it with every axis and stride filled in. */
static PERLANE_NOINLINE perlane_status complete_grid(const perlane_noise *noise,
                                                     const perlane_grid *grid,
                                                     perlane_grid *complete) {
  if (grid->dims < 1 || grid->dims > PERLANE_MAX_DIMS)
    return PERLANE_ERROR_DIMS;
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
  const perlane_status status = complete_strides(complete);
  if (status != PERLANE_OK)
    return status;
  for (int a = 0; a < grid->dims; a++) {
    const double step = grid->step[a], origin = grid->origin[a];
    if (!(step - step == 0) || step == 0)
      return PERLANE_ERROR_STEP;
    const int64_t steps = (int64_t)(grid->count[a] - 1);
    if (grid->first[a] > INT64_MAX - steps)
      return PERLANE_ERROR_RANGE;
    /* Every rounding on the way is monotonic, so the ends bound what lies between. */
    if (!in_domain(noise, origin + (double)grid->first[a] * step) ||
        !in_domain(noise, origin + (double)(grid->first[a] + steps) * step))
      return PERLANE_ERROR_RANGE;
  }
  return PERLANE_OK;
}

perlane_status perlane_fill(const perlane_noise *noise, const perlane_grid *grid, float *out) {
  if (!noise || !grid || !out)
    return PERLANE_ERROR_NULL;
  if (!perlane_field_is_ready(noise))
    return PERLANE_ERROR_NOISE;
  const struct perlane_kernels *kernels = perlane_kernels_current();
  const perlane_fp_state caller = perlane_fp_enter();
  perlane_grid complete;
  const perlane_status status = complete_grid(noise, grid, &complete);
  if (status == PERLANE_OK)
    kernels->fill(noise, &complete, out);
  perlane_fp_leave(caller);
  return status;
}

perlane_status perlane_points(const perlane_noise *noise, int32_t dims, size_t n,
                              const float *const *coords, float *out) {
  if (!noise)
    return PERLANE_ERROR_NULL;
  if (!perlane_field_is_ready(noise))
    return PERLANE_ERROR_NOISE;
  if (dims < 1 || dims > PERLANE_MAX_DIMS)
    return PERLANE_ERROR_DIMS;
  if (n == 0)
    return PERLANE_OK;
  if (n > PTRDIFF_MAX / sizeof(float))
    return PERLANE_ERROR_COUNT;
  if (!coords || !out)
    return PERLANE_ERROR_NULL;
  for (int32_t a = 0; a < dims; a++)
    if (!coords[a])
      return PERLANE_ERROR_NULL;
  const struct perlane_kernels *kernels = perlane_kernels_current();
  const perlane_fp_state caller = perlane_fp_enter();
  kernels->points(noise, dims, n, coords, out);
  perlane_fp_leave(caller);
  return PERLANE_OK;
}

float perlane_at(const perlane_noise *noise, int32_t dims, const double *position) {
  if (!noise || !position || !perlane_field_is_ready(noise) || dims < 1 ||
      dims > PERLANE_MAX_DIMS) {
    const uint32_t bits = 0x7FC00000;
    float not_a_number;
    memcpy(&not_a_number, &bits, sizeof not_a_number);
    return not_a_number;
  }
  const struct perlane_kernels *kernels = perlane_kernels_current();
  const perlane_fp_state caller = perlane_fp_enter();
  const float value = kernels->at(noise, dims, position);
  perlane_fp_leave(caller);
  return value;
}
