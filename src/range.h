/* SPDX-License-Identifier: MIT
 *
 * Bounds of a field's values and derivatives.
 */
#ifndef PERLANE_RANGE_H
#define PERLANE_RANGE_H

#include "../include/perlane.h"

/* perlane_range, less its checks. Returns whether values stay within the range of float. */
int perlane_field_range(const perlane_noise *noise, int dims, float *low, float *high);

/* Replaces the bounds of values by those of a curve there. */
void perlane_curve_range(const struct perlane_pieces *pieces, float *low, float *high);

/* Returns 1 if the derivatives of the octaves' sum stay within the range of float. */
int perlane_field_is_sloped(const perlane_noise *noise, int dims);

/* Returns whether the field has a gradient, all of whose values stay within the range of float:
 * PERLANE_OK, PERLANE_ERROR_NO_GRADIENT or PERLANE_ERROR_STEEP. */
perlane_status perlane_field_gradient_status(const perlane_noise *noise, int dims);

#endif
