/* SPDX-License-Identifier: MIT
 *
 * One value: the octaves of a single position side by side, then their sum.
 */
#ifndef PERLANE_NOISE_POINTS_ONE_VALUE_H
#define PERLANE_NOISE_POINTS_ONE_VALUE_H

#include "../octaves/finish.h"
#include "pairs.h"
#include "warp.h"

/* Makes the pairs of octaves k and on at a position near the origin, with plain axes. */
PERLANE_INLINE void plain_octaves(int dims, const struct perlane_octave_arrays *of, size_t k,
                                  const double *position, struct pairs *pairs) {
  const vd frequency = d_load(of->frequency + k);
  PERLANE_UNROLL for (int a = 0; a < dims; a++) plain_pairs(
      pairs, a, k, d_mul(d_set(position[a]), frequency), d_load(of->start[a] + k),
      i_load(of->key[a] + k));
}

/* The constants of octaves k and on that are not in arrays, as few fields have any. */
struct rare_constants {
  vi shift;
  struct period period;
};

static struct rare_constants rare_constants(const struct field *field, int a, int k) {
  double cells[LANES];
  uint32_t word[LANES], shift[LANES];
  for (int i = 0; i < LANES; i++) {
    const int at = k + i < field->octaves ? k + i : field->octaves - 1;
    const int32_t period = field->octave[at].period[a];
    word[i] = (uint32_t)(period ? period : 1);
    cells[i] = word[i];
    shift[i] = field->octave[at].shift[a];
  }
  return (struct rare_constants){i_load(shift), period_of(d_load(cells), i_load(word))};
}

/* Makes the pairs of octaves k and on at any position inside the domain, along any axis. */
static PERLANE_NOINLINE void any_octaves(const struct field *field, int a, int k, double position,
                                         int near, struct pairs *pairs) {
  const struct perlane_octave_arrays *of = field->arrays;
  struct axis axis = axis_of(field, a);
  axis.period = field->octave[0].period[a];
  struct rare_constants rare;
  if (axis.period != 0 || axis.hash != PERLANE_HASH_LATTICE)
    rare = rare_constants(field, a, k);
  else
    rare.shift = i_set(0);
  const struct cell at = any_cell(&axis, near, d_mul(d_set(position), d_load(of->frequency + k)),
                                  d_load(of->start[a] + k), &rare.period);
  const vi key = i_load(of->key[a] + k);
  struct pair_axis *to = &pairs->axis[a];
  f_store(to->fraction + k, at.fraction);
  i_store(to->word + k, word_of_cell(at.lower, &axis, key, rare.shift));
  i_store(to->next + k, word_of_cell(at.upper, &axis, key, rare.shift));
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

static int is_in_domain(int dims, const double *position, double frequency) {
  int inside = 1;
  for (int a = 0; a < dims; a++)
    inside &= magnitude(position[a] * frequency) <= 0x1p53;
  return inside;
}

/* Returns 1 if all axes are plain. */
static int has_plain_axes(const struct field *field, int dims) {
  int plain = field->params->hash == PERLANE_HASH_LATTICE &&
              field->params->basis <= PERLANE_BASIS_VALUE;
  for (int a = 0; a < dims; a++)
    plain &= field->octave[0].period[a] == 0;
  return plain;
}

static float outside_domain(int dims, float *gradient) {
  const vf not_a_number = f_bits(i_set(0x7FC00000));
  float value[LANES];
  f_store(value, not_a_number);
  for (int a = 0; gradient && a < dims; a++)
    gradient[a] = value[0];
  return value[0];
}

/* The value of any field but a cellular one, without its warp. */
static PERLANE_NOINLINE float field_value(const struct field *field, int dims,
                                          const double *position, float *gradient) {
  if (!is_in_domain(dims, position, field->highest_frequency))
    return outside_domain(dims, gradient);
  const struct perlane_octave_arrays *of = field->arrays;
  const int slopes = gradient || is_eroded(field);
  const int near = is_position_near(dims, position, field->highest_frequency);
  const int plain = near && has_plain_axes(field, dims);
  const size_t octaves = (size_t)field->octaves;
  float steepness[PERLANE_MAX_OCTAVES], cells[PERLANE_MAX_OCTAVES];
  struct pairs pairs;
  _Alignas(64) float terms[MAX_ARRAYS * TERMS];
  pairs.amplitude = of->amplitude[dims - 1];
  pairs.steepness = steepness;
  pairs.cells = cells;
  for (size_t k = 0; k < octaves; k += LANES) {
    if (plain)
      plain_octaves(dims, of, k, position, &pairs);
    for (int a = 0; a < dims && !plain; a++)
      any_octaves(field, a, (int)k, position[a], near, &pairs);
    if (!slopes)
      continue;
    const struct slope_factors factors =
        slope_factors(field, d_load_floats(pairs.amplitude + k), d_load(of->frequency + k));
    f_store(steepness + k, factors.steepness);
    f_store(cells + k, factors.cells);
  }
  if (source_of(field, dims) == SOURCE_QUICK)
    quick_pairs(dims, slopes, field->params, &pairs, octaves, terms);
  else
    any_pairs(field, dims, slopes, &pairs, octaves, terms);
  return finish_one(field, dims, slopes, terms, gradient);
}

/* The position after the warp. */
static PERLANE_NOINLINE void displace_one(const perlane_noise *noise, int dims,
                                          const double *position,
                                          double displaced[PERLANE_MAX_DIMS]) {
  struct perlane_octave octave[PERLANE_MAX_WARP_OCTAVES];
  struct perlane_octave_arrays arrays;
  double from[PERLANE_MAX_DIMS];
  memcpy(displaced, position, (size_t)dims * sizeof *position);
  for (int round = 0; round < noise->params.warp_rounds; round++) {
    memcpy(from, displaced, sizeof from);
    for (int a = 0; a < dims; a++) {
      struct field field = displacement_of(noise, round, a, octave);
      perlane_field_arrays(&arrays, octave, field.octaves);
      field.arrays = &arrays;
      const double by = (double)field_value(&field, dims, from, NULL);
      displaced[a] = position[a] + noise->params.warp_amplitude * by;
    }
  }
}

/* The value of any field. */
static PERLANE_NOINLINE float any_value(const perlane_noise *noise, int dims,
                                        const double *position, float *gradient) {
  const struct field field = field_of(noise);
  const int is_warped = noise->params.warp_amplitude != 0;
  if (noise->params.basis == PERLANE_BASIS_CELLULAR || (is_warped && gradient)) {
    struct point_source source[PERLANE_MAX_DIMS];
    float value, *to[PERLANE_MAX_DIMS];
    for (int a = 0; a < dims; a++) {
      source[a] = (struct point_source){.coords64 = position + a};
      to[a] = gradient ? gradient + a : NULL;
    }
    evaluate_noise(noise, dims, source, 1, &value, gradient ? to : NULL);
    return value;
  }
  double displaced[PERLANE_MAX_DIMS];
  if (is_warped)
    displace_one(noise, dims, position, displaced);
  return field_value(&field, dims, is_warped ? displaced : position, gradient);
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
