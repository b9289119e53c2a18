/* SPDX-License-Identifier: MIT
 *
 * One value: the octaves of a single position side by side, then their sum.
 */
#ifndef PERLANE_NOISE_POINTS_ONE_VALUE_H
#define PERLANE_NOISE_POINTS_ONE_VALUE_H

#include "../octaves/finish.h"
#include "pairs.h"

/* Makes the pairs of octaves k and on at a position near the origin, with plain axes. */
PERLANE_INLINE void plain_octaves(int dims, const struct perlane_octave_arrays *of, size_t k,
                                  const double *position, struct pairs *pairs) {
  const vd frequency = d_load(of->frequency + k);
  PERLANE_UNROLL for (int a = 0; a < dims; a++) plain_pairs(
      pairs, a, k, d_mul(d_set(position[a]), frequency), d_load(of->start[a] + k),
      i_load(of->key[a] + k));
}

/* ---- The sum ---- */

PERLANE_INLINE float sum_of_terms(const float *term, int octaves) {
  float sum = term[0];
  for (int k = 1; k < octaves; k++)
    sum += term[k];
  return sum;
}

/* Sums, shapes and finishes the octaves of one position. */
static float finish_one(const struct field *field, int dims, int slopes, float *terms,
                        float *gradient) {
  _Alignas(64) float memory[2][MAX_ARRAYS * LANES];
  const struct samples sums = samples_in(memory[0], LANES);
  const struct samples weights = samples_in(memory[1], LANES);
  const int arrays = slopes ? 1 + dims : 1;
  for (int k = 0; k < field->octaves && field->shaped; k++) {
    const struct shaping shaping = shaping_of(field, k, arrays);
    const struct samples term = samples_in(terms + k, TERMS);
    blend(&shaping, 1, &term, &sums, &weights);
  }
  for (int j = 0; j < arrays && !field->shaped; j++)
    f_store(sums.array[j], f_set(sum_of_terms(terms + j * TERMS, field->octaves)));
  finish(field, 1, gradient ? arrays : 1, &sums);
  for (int a = 0; gradient && a < dims; a++)
    gradient[a] = sums.array[1 + a][0];
  return sums.array[0][0];
}

/* ---- Values ---- */

PERLANE_INLINE int is_near(double cells) {
  return cells < NEAR_CELLS && cells > -NEAR_CELLS;
}

PERLANE_INLINE int is_position_near(int dims, const double *position, double frequency) {
  int near = 1;
  PERLANE_UNROLL for (int a = 0; a < dims; a++) near &= is_near(position[a] * frequency);
  return near;
}

/* Returns 1 if plain_pairs and quick_pairs evaluate a field. */
static int is_plain_and_quick(const struct field *field, int dims) {
  const perlane_params *params = field->params;
  int plain = source_of(field, dims) == SOURCE_QUICK && params->warp_amplitude == 0;
  for (int a = 0; a < dims; a++)
    plain &= params->period[a] == 0;
  return plain;
}

/* The value of any field. */
static PERLANE_NOINLINE float any_value(const perlane_noise *noise, int dims,
                                        const double *position, float *gradient) {
  const perlane_params *params = &noise->params;
  const struct field field = field_of(noise);
  if (!is_plain_and_quick(&field, dims) ||
      !is_position_near(dims, position, noise->highest_frequency))
    return perlane_scalar_at(noise, dims, position, gradient);
  const int slopes = gradient || is_eroded(&field);
  const size_t octaves = (size_t)noise->octaves;
  const struct perlane_octave_arrays *of = &noise->arrays;
  float steepness[MAX_PAIRS], cells[MAX_PAIRS];
  struct pairs pairs;
  _Alignas(64) float terms[MAX_ARRAYS * TERMS];
  pairs.amplitude = of->amplitude[dims - 1];
  pairs.steepness = steepness;
  pairs.cells = cells;
  for (size_t k = 0; k < octaves; k += LANES) {
    plain_octaves(dims, of, k, position, &pairs);
    if (!slopes)
      continue;
    const struct slope_factors factors = slope_factors(
        &field, d_load_floats(pairs.amplitude + k), d_load(of->frequency + k));
    f_store(steepness + k, factors.steepness);
    f_store(cells + k, factors.cells);
  }
  quick_pairs(dims, slopes, params, &pairs, octaves, terms);
  return finish_one(&field, dims, slopes, terms, gradient);
}

/* The value of a plain sum, without detours. Constant: `dims`. */
PERLANE_INLINE float plain_value(int dims, const perlane_noise *noise, const double *position) {
  const perlane_params *params = &noise->params;
  if (!(noise->plain && is_quick_set((perlane_gradients)params->gradients, dims) &&
        is_position_near(dims, position, noise->highest_frequency)))
    return any_value(noise, dims, position, NULL);
  const size_t octaves = (size_t)noise->octaves;
  struct pairs pairs;
  _Alignas(64) float terms[TERMS];
  pairs.amplitude = noise->arrays.amplitude[dims - 1];
  for (size_t k = 0; k < octaves; k += LANES)
    plain_octaves(dims, &noise->arrays, k, position, &pairs);
  quick_pairs(dims, 0, params, &pairs, octaves, terms);
  return sum_of_terms(terms, noise->octaves);
}

#define PLAIN_VALUE(name, dims)                                                                    \
  static PERLANE_NOINLINE float name(const perlane_noise *noise, const double *position) {         \
    return plain_value(dims, noise, position);                                                     \
  }
PLAIN_VALUE(plain_value_1d, 1)
PLAIN_VALUE(plain_value_2d, 2)
PLAIN_VALUE(plain_value_3d, 3)
PLAIN_VALUE(plain_value_4d, 4)
#undef PLAIN_VALUE

static float one_value(const perlane_noise *noise, int dims, const double *position,
                       float *gradient) {
  if (gradient)
    return any_value(noise, dims, position, gradient);
  switch (dims) {
  case 1:
    return plain_value_1d(noise, position);
  case 2:
    return plain_value_2d(noise, position);
  case 3:
    return plain_value_3d(noise, position);
  default:
    return plain_value_4d(noise, position);
  }
}

#endif
