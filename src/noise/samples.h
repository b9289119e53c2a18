/* SPDX-License-Identifier: MIT
 *
 * Runs of samples between the steps of a fill. They stay in the first-level cache.
 */
#ifndef PERLANE_NOISE_SAMPLES_H
#define PERLANE_NOISE_SAMPLES_H

#include "words.h"

enum { MAX_ARRAYS = 1 + PERLANE_MAX_DIMS };

/* The values of a run of samples, then their derivatives along each axis, with room for whole
 * vectors. */
struct samples {
  float *array[MAX_ARRAYS];
};

/* Lays out arrays of `pitch` floats, one after the other. */
PERLANE_INLINE struct samples samples_in(float *memory, size_t pitch) {
  struct samples samples;
  PERLANE_UNROLL for (size_t j = 0; j < MAX_ARRAYS; j++) samples.array[j] = memory + j * pitch;
  return samples;
}

/* The samples from `start` on. */
PERLANE_INLINE struct samples samples_from(const struct samples *samples, size_t start) {
  struct samples part;
  PERLANE_UNROLL for (int j = 0; j < MAX_ARRAYS; j++) part.array[j] = samples->array[j] + start;
  return part;
}

/* Stores v; with `sum`, adds it to what is there. */
PERLANE_INLINE void store_sum(float *out, int sum, vf v) {
  f_store(out, sum ? f_add(f_load(out), v) : v);
}

PERLANE_INLINE vf magnitude_of(vf v) {
  return f_bits(i_and(i_bits(v), i_set(0x7FFFFFFF)));
}

PERLANE_INLINE vf negative_of(vf v) {
  return f_bits(i_xor(i_bits(v), i_set(0x80000000)));
}

PERLANE_INLINE vf f_select(vm mask, vf yes, vf no) {
  return f_bits(i_select(mask, i_bits(yes), i_bits(no)));
}

#endif
