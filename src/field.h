/* SPDX-License-Identifier: MIT */
#ifndef PERLANE_FIELD_H
#define PERLANE_FIELD_H

#include "perlane.h"

/* perlane_init less its null checks, under the standard floating-point environment (field.c). */
perlane_status perlane_field_make(perlane_noise *noise, const perlane_params *params);

/* Whether perlane_field_make made it. */
int perlane_field_is_ready(const perlane_noise *noise);

/* perlane_range less its checks (range.c). Returns whether values stay within the range of float.
 */
int perlane_field_range(const perlane_noise *noise, int dims, float *low, float *high);

/* Whether derivatives stay within the range of float (range.c). */
int perlane_field_has_gradient(const perlane_noise *noise, int dims);

/* Checks the bounds of the options that are one number or choice (options.c). */
perlane_status perlane_options_check(const perlane_params *params);

static inline double perlane_magnitude(double v) {
  return v < 0 ? -v : v;
}

/* SplitMix64, which all that comes from a seed is made of: the next of its outputs. */
static inline uint64_t perlane_splitmix64(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return z ^ z >> 31;
}

/* ---- Gradient sets (gradients.c) ---- */

/* Vectors of the params' gradient set in dims dimensions; 0 where it does not exist. */
int perlane_gradient_count(const perlane_params *params, int dims);

/* Stores the set's components, entry i's component c in vector[c][i], repeated up to 256 entries.
 */
void perlane_gradient_vectors(const perlane_params *params, int dims, float vector[][256]);

/* What stored vectors are multiplied by to have the set's own lengths. */
double perlane_gradient_unit(const perlane_params *params, int dims);

/* The largest noise that the stored vectors can yield; 0 if all are 0. */
double perlane_gradient_largest(const perlane_params *params, int dims, const float vector[][256]);

/* The same for gradient_grid, of that many points. */
double perlane_gradient_grid_largest(const float *grid, size_t points);

/* ---- Hash tables (tables.c) ---- */

/* Fills in the table of the params' hash, if it has one. */
perlane_status perlane_table_make(const perlane_params *params, uint8_t table[1024]);

#endif
