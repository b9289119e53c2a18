/* SPDX-License-Identifier: MIT
 *
 * The checks of perlane.c that the functions of expressions make, too. They are called under the
 * standard floating-point environment, but for perlane_level_scale and perlane_list_complete.
 */
#ifndef PERLANE_CHECKS_H
#define PERLANE_CHECKS_H

#include "kernels.h"
#include "text.h"

/* Returns the status of a field in so many dimensions; `problem` gets its sentence, unless it is
 * NULL. */
perlane_status perlane_dims_check(const perlane_noise *noise, int32_t dims,
                                  struct perlane_text *problem);

/* Checks a grid of a field, or of none if noise is NULL, and fills in the region that it describes.
 * `problem` gets the sentence of perlane_explain_grid, unless it is NULL. */
perlane_status perlane_grid_complete(const perlane_noise *noise, const perlane_grid *grid,
                                     struct perlane_region *region, struct perlane_text *problem);

/* Returns 1 if all positions of a region along some axes, which are given as bits, are in the
 * field's domain. */
int perlane_region_in_domain(const perlane_noise *noise, const struct perlane_region *region,
                             int axes);

/* Returns the factor of (value - low) for integers up to max, or 0 for invalid levels. */
float perlane_level_scale(float low, float high, double max);

/* Checks a list, but not its dimensions and pointers, and fills in the points that it describes. */
perlane_status perlane_list_complete(const perlane_list *list, float *out, float *const *gradient,
                                     struct perlane_point_list *points);

/* Returns PERLANE_ERROR_NULL if a list of points lacks coordinates or an output. */
perlane_status perlane_list_check(const struct perlane_point_list *list);

#endif
