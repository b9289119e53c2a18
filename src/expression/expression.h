/* SPDX-License-Identifier: MIT
 *
 * What perlane.c asks of a noise that is an expression.
 */
#ifndef PERLANE_EXPRESSION_EXPRESSION_H
#define PERLANE_EXPRESSION_EXPRESSION_H

#include "../kernels.h"
#include "program.h"

/* Makes the noise of a program; that of a field alone is the field. */
void perlane_expression_make(perlane_noise *noise, const perlane_expression *program);

/* Returns the first field that stands for its value at the position, and whose domain does not
 * contain it; NULL if there is none. */
const perlane_noise *perlane_expression_outside(const perlane_noise *noise, double position);

/* Returns 1 if all positions of a region along some axes, which are given as bits, are in a field's
 * domain. */
int perlane_region_in_domain(const perlane_noise *field, const struct perlane_region *region,
                             int axes);

/* As perlane_field_gradient_status, of all fields. */
perlane_status perlane_expression_slopes_status(const perlane_noise *noise, int dims);

/* Bounds an expression's values in a grid, or at any position if it is NULL. */
void perlane_expression_bounds(const perlane_expression *expression, int dims,
                               const struct perlane_region *grid, float *low, float *high);

#endif
