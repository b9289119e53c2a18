/* SPDX-License-Identifier: MIT
 *
 * Lists of positions with an array for each axis, as tests have them.
 */
#ifndef PERLANE_TESTS_LISTS_H
#define PERLANE_TESTS_LISTS_H

#include "perlane.h"

static inline perlane_list list_of(int32_t dims, size_t n, const double *origin,
                                   const float *const *coords) {
  perlane_list list = {.dims = dims, .count = n, .origin = origin};
  for (int a = 0; a < dims && a < PERLANE_MAX_DIMS && coords; a++)
    list.coords[a] = coords[a];
  return list;
}

static inline perlane_list list_of_doubles(int32_t dims, size_t n, const double *const *coords) {
  perlane_list list = {.dims = dims, .count = n};
  for (int a = 0; a < dims && a < PERLANE_MAX_DIMS && coords; a++)
    list.coords64[a] = coords[a];
  return list;
}

static inline perlane_status points_of(const perlane_noise *noise, int32_t dims, size_t n,
                                       const double *origin, const float *const *coords, float *out,
                                       float *const *gradient) {
  const perlane_list list = list_of(dims, n, origin, coords);
  return perlane_points(noise, &list, out, gradient);
}

static inline perlane_status points_of_doubles(const perlane_noise *noise, int32_t dims, size_t n,
                                               const double *const *coords, float *out,
                                               float *const *gradient) {
  const perlane_list list = list_of_doubles(dims, n, coords);
  return perlane_points(noise, &list, out, gradient);
}

static inline perlane_status cells_of_list(const perlane_noise *noise, int32_t dims, size_t n,
                                           const double *origin, const float *const *coords,
                                           const perlane_cells *out) {
  const perlane_list list = list_of(dims, n, origin, coords);
  return perlane_points_cells(noise, &list, out);
}

/* Returns PERLANE_OK if a field has a gradient in dims dimensions, else why it has none. */
static inline perlane_status gradient_of(const perlane_noise *noise, int32_t dims) {
  float *const none[PERLANE_MAX_DIMS] = {NULL};
  return points_of(noise, dims, 0, NULL, NULL, NULL, none);
}

#endif
