/* SPDX-License-Identifier: MIT
 *
 * Runs of samples, in arrays that stay in the first-level cache.
 */
#ifndef PERLANE_NOISE_SAMPLES_H
#define PERLANE_NOISE_SAMPLES_H

#include "words.h"

enum { MOST_ARRAYS = 1 + PERLANE_MAX_DIMS };

/* A run of samples: the values, then their derivative along each axis. Room for whole vectors. */
struct samples {
  float *array[MOST_ARRAYS];
};

/* Arrays of `pitch` floats one behind the other. */
PERLANE_INLINE struct samples samples_in(float *memory, size_t pitch) {
  struct samples samples;
  for (size_t j = 0; j < MOST_ARRAYS; j++)
    samples.array[j] = memory + j * pitch;
  return samples;
}

PERLANE_INLINE struct samples samples_from(const struct samples *samples, size_t start) {
  struct samples from;
  for (size_t j = 0; j < MOST_ARRAYS; j++)
    from.array[j] = samples->array[j] + start;
  return from;
}

PERLANE_INLINE vf magnitude_of(vf v) {
  return f_bits(i_and(i_bits(v), i_set(0x7FFFFFFF)));
}

#endif
