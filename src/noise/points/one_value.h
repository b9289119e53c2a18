/* SPDX-License-Identifier: MIT
 *
 * One value: the octaves of a single position side by side, then their sum.
 */
#ifndef PERLANE_NOISE_POINTS_ONE_VALUE_H
#define PERLANE_NOISE_POINTS_ONE_VALUE_H

#include "../octaves/finish.h"
#include "pairs.h"

/* Makes the pairs of all octaves at one position. The field's axes are plain, and the position is
 * near. */
static size_t pairs_of_position(struct pairs *pairs, const struct field *field, int dims,
                                int slopes, const double *position) {
  const struct perlane_octave_arrays *of = &field->noise->arrays;
  const size_t n = ((size_t)field->octaves + LANES - 1) / LANES * LANES;
  for (size_t k = 0; k < n; k += LANES) {
    const vd frequency = d_load(of->frequency + k);
    const float *amplitude = of->amplitude[dims - 1] + k;
    f_store(pairs->amplitude + k, f_load(amplitude));
    if (slopes) {
      const vd cells = is_eroded(field) ? d_set(1) : frequency;
      f_store(pairs->cells + k, f_from_d(cells));
      f_store(pairs->steepness + k, f_from_d(d_mul(d_load_floats(amplitude), cells)));
    }
    for (int a = 0; a < dims; a++) {
      const vi multiplier = i_set(AXIS_MULTIPLIERS[a]);
      const vi key = i_sub(i_load(of->key[a] + k), i_set(CELL_ZERO * AXIS_MULTIPLIERS[a]));
      const struct axis_cell at = plain_cell(d_mul(d_set(position[a]), frequency),
                                             d_load(of->start[a] + k), multiplier, key);
      struct pair_axis *to = &pairs->axis[a];
      f_store(to->fraction + k, at.fraction);
      i_store(to->word + k, at.word);
      i_store(to->next + k, at.next);
    }
  }
  return n;
}

/* Returns 1 if pairs_of_position and quick_pairs evaluate the field at this position. */
static int is_quick_position(const struct field *field, int dims, const double *position) {
  const perlane_params *params = field->params;
  int quick = source_of(field, dims) == SOURCE_QUICK;
  for (int a = 0; a < dims; a++)
    quick &= params->period[a] == 0 &&
             magnitude(position[a] * field->highest_frequency) < NEAR_CELLS;
  return quick;
}

enum { TERMS = MAX_PAIRS + LANES }; /* so that a vector may begin at any octave */

/* Sums octaves k, whose samples are in the arrays at k. */
static void sum_octaves(const struct field *field, int arrays, const struct samples *terms,
                        const struct samples *sums) {
  if (!field->shaped) {
    for (int j = 0; j < arrays; j++) {
      float sum = terms->array[j][0];
      for (int k = 1; k < field->octaves; k++)
        sum += terms->array[j][k];
      f_store(sums->array[j], f_set(sum));
    }
    return;
  }
  float memory[MAX_ARRAYS * LANES];
  const struct samples weights = samples_in(memory, LANES);
  for (int k = 0; k < field->octaves; k++) {
    const struct shaping shaping = shaping_of(field, k, arrays);
    struct samples term;
    for (int j = 0; j < arrays; j++)
      term.array[j] = terms->array[j] + k;
    blend(&shaping, 1, &term, sums, &weights);
  }
}

/* Evaluates a field without a warp. Returns 0 if it cannot. */
static int evaluate_one(const perlane_noise *noise, int dims, const double *position, float *value,
                        float *gradient) {
  const struct field field = field_of(noise);
  if (noise->params.warp_amplitude != 0 || !is_quick_position(&field, dims, position))
    return 0;
  const int slopes = gradient != NULL || is_eroded(&field);
  struct pairs pairs;
  _Alignas(64) float terms_memory[MAX_ARRAYS * TERMS];
  _Alignas(64) float sums_memory[MAX_ARRAYS * LANES];
  const struct samples terms = samples_in(terms_memory, TERMS);
  const struct samples sums = samples_in(sums_memory, LANES);
  const size_t n = pairs_of_position(&pairs, &field, dims, slopes, position);
  quick_pairs(dims, slopes, field.params, &pairs, n, 0, &terms);
  sum_octaves(&field, slopes ? 1 + dims : 1, &terms, &sums);
  finish(&field, 1, gradient ? 1 + dims : 1, &sums);
  *value = sums.array[0][0];
  for (int a = 0; gradient && a < dims; a++)
    gradient[a] = sums.array[1 + a][0];
  return 1;
}

#endif
