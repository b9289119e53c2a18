/* SPDX-License-Identifier: MIT
 *
 * The gradients, or values, at the corners of a cell.
 */
#ifndef PERLANE_NOISE_CORNER_H
#define PERLANE_NOISE_CORNER_H

#include "axis.h"
#include "values.h"

/* Not inlined: the lookups take longer than a call, and a loop may have 32 of them. */
static PERLANE_NOINLINE struct gradient looked_up_gradient(int dims, const struct lattice *lattice,
                                                           struct corner at) {
  const vi index = index_of(dims, lattice, at);
  struct gradient g;
  g.x = f_look_up(lattice->vector[0], index);
  if (dims >= 2)
    g.y = f_look_up(lattice->vector[1], index);
  if (dims >= 3)
    g.z = f_look_up(lattice->vector[2], index);
  if (dims >= 4)
    g.w = f_look_up(lattice->vector[3], index);
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
