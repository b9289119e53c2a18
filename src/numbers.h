/* SPDX-License-Identifier: MIT
 *
 * Helpers of the files that prepare a field.
 */
#ifndef PERLANE_NUMBERS_H
#define PERLANE_NUMBERS_H

#include <stdint.h>
#include <string.h>

/* Clears the sign: that of -0 too, whose bits as an unsigned number would be above all others. */
static inline double perlane_magnitude(double v) {
  uint64_t bits;
  memcpy(&bits, &v, sizeof bits);
  bits &= UINT64_C(0x7FFFFFFFFFFFFFFF);
  memcpy(&v, &bits, sizeof v);
  return v;
}

static inline int perlane_is_finite(double v) {
  return v - v == 0;
}

/* Returns the quiet NaN whose bits are 7FC00000. */
static inline float perlane_nan(void) {
  const uint32_t bits = 0x7FC00000;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Return b if one is no number. */
static inline float perlane_lower(float a, float b) {
  return a < b ? a : b;
}
static inline float perlane_higher(float a, float b) {
  return a > b ? a : b;
}

/* Returns the square root of a normal v above 0, to within a unit in the last place: the same on
 * every machine, whatever its library's (docs/specification.md, 3.4). */
static inline double perlane_root(double v) {
  uint64_t bits;
  memcpy(&bits, &v, sizeof bits);
  bits = (bits + UINT64_C(0x3FF0000000000000)) >> 1;
  double root;
  memcpy(&root, &bits, sizeof root);
  for (int i = 0; i < 7; i++)
    root = 0.5 * (root + v / root);
  return root;
}

/* Returns the next output of SplitMix64, from which everything seeded is made. */
static inline uint64_t perlane_splitmix64(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return z ^ z >> 31;
}

#endif
