/* SPDX-License-Identifier: MIT
 *
 * The smallest and the largest value of a fill, found on the way.
 */
#ifndef PERLANE_NOISE_OUTPUT_EXTREMES_H
#define PERLANE_NOISE_OUTPUT_EXTREMES_H

#include "../words.h"

/* Smallest and largest so far, in each lane. */
struct extremes {
  vf smallest, largest;
};

PERLANE_INLINE struct extremes empty_extremes(void) {
  return (struct extremes){f_set(FLT_MAX), f_set(-FLT_MAX)};
}

PERLANE_INLINE void include_vector(struct extremes *extremes, vf v) {
  extremes->smallest = f_min(extremes->smallest, v);
  extremes->largest = f_max(extremes->largest, v);
}

static void include_samples(struct extremes *extremes, const float *samples, size_t n) {
  size_t i = 0;
  for (; i + LANES <= n; i += LANES)
    include_vector(extremes, f_load(samples + i));
  for (; i < n; i++)
    include_vector(extremes, f_set(samples[i]));
}

/* A zero of either sign becomes +0. */
static void write_extremes(const struct perlane_output *output, const struct extremes *extremes) {
  if (!output->extremes)
    return;
  float low[LANES], high[LANES];
  f_store(low, extremes->smallest);
  f_store(high, extremes->largest);
  for (size_t l = 1; l < LANES; l++) {
    low[0] = low[l] < low[0] ? low[l] : low[0];
    high[0] = high[l] > high[0] ? high[l] : high[0];
  }
  output->extremes[0] = low[0] + 0.0f;
  output->extremes[1] = high[0] + 0.0f;
}

#endif
