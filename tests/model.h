/* SPDX-License-Identifier: MIT
 *
 * The model: the whole field in double precision and in the classic order (a gradient's dot product
 * at every corner, then interpolation along x, y, z and w). The library's float values and
 * derivatives are compared with it. It uses nothing of the library but the type of its params.
 */
#ifndef PERLANE_TESTS_MODEL_H
#define PERLANE_TESTS_MODEL_H

#include "perlane.h"

struct model {
  perlane_params params;
  int dims, octaves;
  double largest;                    /* magnitude of one octave's noise, before normalization */
  double scale, bias;                /* factor of an octave's noise, and what is added then */
  double share[PERLANE_MAX_OCTAVES]; /* factor of its part of the sum, after the fractal */
  int vectors;
  double vector[256][PERLANE_MAX_DIMS];
  uint8_t table[1024];
};

/* Sets up a model. params must be valid, and the field must exist in dims dimensions. */
void model_make(struct model *model, const perlane_params *params, int dims);

/* The creases of a field and the borders of its cells around a position, and how its value comes
 * about. */
struct creases {
  uint64_t side;  /* differs on the two sides of each crease and border */
  double nearest; /* distance of an octave's noise or weight from a crease, in its own units */
  double border;  /* bound of the distance along an axis to where the sum may jump, in units of
                     position, at least */
  double sum;     /* of the octaves, before contrast, curve and terraces */
};

/* Returns the value at a position. creases may be NULL. */
double model_at(const struct model *model, const double *position, struct creases *creases);

/* Returns what contrast, curve, terraces, scale and offset make of a sum of octaves. */
double model_end(const struct model *model, double sum);

/* Returns how much the value may change if the sum is off by an error. */
double model_end_error(const struct model *model, double sum, double error);

/* Returns the derivative of that, and how much it may be off. */
double model_end_slope(const struct model *model, double sum, double error, double *slope_error);

/* Bounds of a warp: how far its own error moves a position, in units of position, if the noise of a
 * displacement has an error of `noise`, and the largest factor by which it stretches distances. */
struct stretch {
  double error, factor;
};
struct stretch model_stretch(const struct model *model, double noise);

/* Bounds of what a fractal makes of one octave's noise: the factor on the slope of its part of the
 * sum, the slope of the next octave's weight, the largest part of the sum, and the largest
 * intermediate result. */
struct shape {
  double steepness, weight, height, largest;
};
struct shape model_shape(const struct model *model);

/* Returns the point of a cell of cellular noise in the first octave, from the cell's lower corner.
 */
void model_point(const perlane_params *params, int dims, const int64_t *cell, double *point);

/* Returns the hash of a lattice point in an octave, from which PERLANE_HASH_LATTICE takes its
 * gradient. */
uint32_t model_hash(int dims, const int64_t *cell, uint64_t seed, int octave);

/* Returns the largest noise of one octave at a fraction of a cell, over all choices of gradients at
 * its corners; the smallest if direction is -1. best receives each corner's vector. */
double model_best(const struct model *model, const double *fraction, int direction, int *best);

#endif
