/* SPDX-License-Identifier: MIT
 *
 * The gradients, or values, at the corners of a cell.
 */
#ifndef PERLANE_NOISE_LATTICE_CORNER_H
#define PERLANE_NOISE_LATTICE_CORNER_H

#include "axis.h"
#include "values.h"

/* Stores the components of the gradient at the words of a corner's axes, `pitch` floats apart. Not
 * inlined: the lookups take longer than a call, and a loop may have 32 of them. The words are
 * arguments of their own so that they stay in registers. */
static PERLANE_NOINLINE void look_up(int dims, const struct lattice *lattice, vi x, vi y, vi z,
                                     vi w, float *to, size_t pitch) {
  const struct corner at = {x, y, z, w};
  if (lattice->source == SOURCE_QUICK) {
    const struct gradient g = quick_gradient(dims, &lattice->tables, joined_words(dims, at));
    f_store(to, g.x);
    f_store(to + pitch, g.y);
    if (dims >= 3)
      f_store(to + 2 * pitch, g.z);
    return;
  }
  const vi index = index_of(dims, lattice, at);
  f_store(to, f_look_up(lattice->vector[0], index));
  if (dims >= 2)
    f_store(to + pitch, f_look_up(lattice->vector[1], index));
  if (dims >= 3)
    f_store(to + 2 * pitch, f_look_up(lattice->vector[2], index));
  if (dims >= 4)
    f_store(to + 3 * pitch, f_look_up(lattice->vector[3], index));
}

PERLANE_INLINE struct gradient looked_up_gradient(int dims, const struct lattice *lattice,
                                                  struct corner at) {
  if (dims == 2) {
    const vi index = index_of(2, lattice, at);
    struct gradient g = flat_gradient(f_look_up(lattice->vector[0], index));
    g.y = f_look_up(lattice->vector[1], index);
    return g;
  }
  _Alignas(64) float component[PERLANE_MAX_DIMS][LANES];
  look_up(dims, lattice, at.x, dims >= 2 ? at.y : at.x, dims >= 3 ? at.z : at.x,
          dims >= 4 ? at.w : at.x, component[0], LANES);
  struct gradient g = flat_gradient(f_load(component[0]));
  if (dims >= 2)
    g.y = f_load(component[1]);
  if (dims >= 3)
    g.z = f_load(component[2]);
  if (dims >= 4)
    g.w = f_load(component[3]);
  return g;
}

PERLANE_INLINE struct gradient corner_gradient(enum source source, int dims,
                                               const struct lattice *lattice, struct corner at) {
  if (source == SOURCE_QUICK)
    return quick_gradient(dims, &lattice->tables, joined_words(dims, at));
  if (source == SOURCE_LOOKUP)
    return looked_up_gradient(dims, lattice, at);
  struct gradient g;
  g.x = corner_value(dims, lattice, at);
  return g;
}

/* The corners at both ends of an edge along x. */
struct ends {
  struct gradient lower, upper;
};
/* The ends of the edge at words y, z, w of the other axes. */
PERLANE_INLINE struct ends ends_of(enum source source, int dims, const struct lattice *lattice,
                                   const struct axis_lanes *x, vi y, vi z, vi w) {
  const struct corner lower = {x->word, y, z, w}, upper = {x->next, y, z, w};
  struct ends ends;
  ends.lower = corner_gradient(source, dims, lattice, lower);
  ends.upper = corner_gradient(source, dims, lattice, upper);
  if (source == SOURCE_VALUES) {
    ends.lower.x = f_mul(ends.lower.x, lattice->amplitude);
    ends.upper.x = f_mul(ends.upper.x, lattice->amplitude);
  }
  return ends;
}

#endif
