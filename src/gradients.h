/* SPDX-License-Identifier: MIT
 *
 * Gradient sets.
 */
#ifndef PERLANE_GRADIENTS_H
#define PERLANE_GRADIENTS_H

#include "../include/perlane.h"

/* A gradient set in one number of dimensions. */
struct perlane_gradient_set {
  int exists;
  double unit;    /* vectors times this have the lengths of the set's definition */
  double largest; /* noise that the vectors can yield; 0 if all are 0 */
};

/* Returns whether the field looks vectors up: those of gradient_grid stay where they are, and the
 * default set with the lattice hash is computed. */
int perlane_vectors_are_used(const perlane_params *params);

/* Returns the set of the params and, if vectors are used, stores its components, vector i's along
 * axis a in vector[a][i], repeated to 256 vectors. */
struct perlane_gradient_set perlane_gradient_set_make(const perlane_params *params, int dims,
                                                      float vector[][256]);

#endif
