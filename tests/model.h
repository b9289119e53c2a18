/* SPDX-License-Identifier: MIT
 *
 * The model: the whole field in double precision and the classic order (a gradient's dot product at
 * every corner, then interpolation along x, y, z and w), against which the float values and
 * derivatives are held. It takes nothing from the library but its params.
 */
#ifndef PERLANE_TESTS_MODEL_H
#define PERLANE_TESTS_MODEL_H

#include "perlane.h"

struct model {
  perlane_params params;
  int dims, octaves;
  double largest; /* noise of one octave, not normalized, is within -largest .. largest */
  double scale;   /* what an octave's noise is multiplied by */
  double share[PERLANE_MAX_OCTAVES]; /* what its part of the sum is multiplied by then */
  int vectors;
  double vector[256][PERLANE_MAX_DIMS];
  uint8_t table[1024];
};

/* params are valid, and the field exists in dims dimensions. */
void model_make(struct model *model, const perlane_params *params, int dims);

/* Where a position lies among the creases of a field and the borders of its cells. */
struct creases {
  uint64_t side;  /* another number on the other side of each */
  double nearest; /* how far some octave's noise or weight is from having a crease, in its units */
};

/* The value at a position; creases may be NULL. */
double model_at(const struct model *model, const double *position, struct creases *creases);

/* What a field makes of one octave's noise of up to `largest`: how many times as steep its part of
 * the sum is, and the weight of the next octave; and the largest number met on the way. */
struct shape {
  double steepness, weight, height, largest;
};
struct shape model_shape(const struct model *model);

/* The hash of one lattice point, of which LATTICE takes its gradients. */
uint32_t model_hash(int dims, const int64_t *cell, uint64_t seed, int octave);

/* The largest noise of one octave near a place, whichever gradients the corners have: for each
 * corner, the vector of the set that adds the most there (or the least, where direction is -1). */
double model_best(const struct model *model, const double *fraction, int direction, int *best);

#endif
