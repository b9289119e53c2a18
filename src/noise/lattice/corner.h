/* SPDX-License-Identifier: MIT
 *
 * The gradients, or values, at the corners of a cell.
 */
#ifndef PERLANE_NOISE_LATTICE_CORNER_H
#define PERLANE_NOISE_LATTICE_CORNER_H

#include "axis.h"
#include "values.h"

/* Stores the components of the gradient at a corner, `pitch` floats apart. */
PERLANE_INLINE void store_gradient(int dims, const struct lattice *lattice, struct corner at,
                                   float *to, size_t pitch) {
  const vi index = index_of(dims, lattice, at);
  for (int a = 0; a < dims; a++)
    f_store(to + (size_t)a * pitch, f_look_up(lattice->vector[a], index));
}

/* The same of the words of a corner's axes. Not inlined: the lookups take longer than a call, and a
 * loop may have 32 of them. The words are arguments of their own so that they stay in registers. */
static PERLANE_NOINLINE void look_up(int dims, const struct lattice *lattice, vi x, vi y, vi z,
                                     vi w, float *to, size_t pitch) {
  store_gradient(dims, lattice, (struct corner){x, y, z, w}, to, pitch);
}

/* The corners at both ends of an edge along x. */
struct ends {
  struct gradient lower, upper;
};

/* The ends of the edge at words y, z, w of the other axes. Not of SOURCE_LOOKUP, whose corners are
 * looked up into memory. */
PERLANE_INLINE struct ends ends_of(enum source source, int dims, const struct lattice *lattice,
                                   const struct axis_lanes *x, vi y, vi z, vi w) {
  const struct corner lower = {x->word, y, z, w}, upper = {x->next, y, z, w};
  struct ends ends;
  if (source == SOURCE_QUICK) {
    ends.lower = quick_gradient(dims, &lattice->tables, joined_words(dims, lower));
    ends.upper = quick_gradient(dims, &lattice->tables, joined_words(dims, upper));
  } else {
    ends.lower.x = f_mul(corner_value(dims, lattice, lower), lattice->amplitude);
    ends.upper.x = f_mul(corner_value(dims, lattice, upper), lattice->amplitude);
  }
  return ends;
}

PERLANE_INLINE int components_of(enum source source, int dims) {
  return source == SOURCE_VALUES ? 1 : dims;
}

/* A gradient or a value from memory, its components `pitch` floats apart. */
PERLANE_INLINE struct gradient load_gradient(int components, const float *component, size_t pitch) {
  struct gradient gradient = {.x = f_load(component)};
  if (components >= 2)
    gradient.y = f_load(component + pitch);
  if (components >= 3)
    gradient.z = f_load(component + 2 * pitch);
  if (components >= 4)
    gradient.w = f_load(component + 3 * pitch);
  return gradient;
}

/* The ends of an edge from memory. */
PERLANE_INLINE struct ends load_ends(enum source source, int dims, const float *lower,
                                     const float *upper, size_t pitch) {
  const int components = components_of(source, dims);
  return (struct ends){load_gradient(components, lower, pitch),
                       load_gradient(components, upper, pitch)};
}

#endif
