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
PERLANE_INLINE void plain_octaves(int dims, const struct perlane_octave_arrays *octaves, size_t k,
                                  const double *position, struct pairs *pairs) {
  const vd frequency = d_load(octaves->frequency + k);
  PERLANE_UNROLL for (int a = 0; a < dims; a++) {
    const struct near_axis axis =
        near_axis(a, frequency, d_load(octaves->start[a] + k), i_load(octaves->key[a] + k));
    const vd lanes = d_set(position[a]);
    plain_pairs(1, &pairs->axis[a], k, &axis, &lanes);
  }
}

/* Makes the pairs of octaves k and on at any position inside the domain, along any axis. */
static PERLANE_NOINLINE void any_octaves(const struct field *field, int a, size_t k,
                                         double position, int near, struct pairs *pairs) {
  _Alignas(64) double stored[LANES];
  struct axis axis;
  struct pair_axis *to = &pairs->axis[a];
  const struct split_arrays split = {to->fraction + k, {to->word + k, to->next + k}};
  make_axis(&axis, field, a);
  begin_axis_octaves(&axis, field, k);
  d_store(stored, d_set(position));
  split_run(&split, stored, LANES, near, &axis);
}

/* ---- The sum ---- */

PERLANE_INLINE float sum_of_terms(const float *term, int octaves) {
  float sum = term[0];
  for (int k = 1; k < octaves; k++)
    sum += term[k];
  return sum;
}

/* Shapes the terms in place; `shares` receives what each leaves of the next octave's weight. The
 * derivatives of eroded octaves become their sums. */
static void shape_terms(const struct field *field, int dims, int arrays, float *terms,
                        float *shares) {
  const struct shaping shaping = shaping_of(field, 0, arrays);
  const vf one = f_set(1), none = f_set(0), ping_pong = f_set(shaping.ping_pong);
  const struct samples octaves = samples_in(terms, TERMS);
  for (int j = 1; j <= dims && is_eroded(field); j++)
    for (int k = 1; k < field->octaves; k++)
      octaves.array[j][k] = octaves.array[j][k - 1] + octaves.array[j][k];
  for (size_t k = 0; k < (size_t)field->octaves; k += LANES) {
    const struct shaped v = shape(shaping.fractal, f_load(octaves.array[0] + k), ping_pong);
    const vf strength = f_load(field->arrays->strength + k);
    vf value = f_mul(v.value, strength);
    if (is_eroded(field))
      value = f_div(value, damping(1 + dims, f_set(shaping.erosion), octaves.array, k));
    f_store(octaves.array[0] + k, value);
    for (int j = 1; j < arrays; j++) {
      const vf slope = f_load(octaves.array[j] + k);
      f_store(octaves.array[j] + k,
              f_mul(shape_slope(shaping.fractal, slope, v.turn, ping_pong).value, strength));
    }
    if (shaping.weighted) {
      const vf kept = f_min(f_max(v.weight, none), one);
      f_store(shares + k, f_add(one, f_mul(f_set(shaping.weighting), f_sub(kept, one))));
    }
  }
}

static float weighted_sum(const float *term, const float *share, int octaves) {
  float sum = term[0], weight = share[0];
  for (int k = 1; k < octaves; k++) {
    sum += term[k] * weight;
    weight *= share[k];
  }
  return sum;
}

/* Sums octaves whose weights have derivatives. */
static void blend_terms(const struct field *field, int arrays, float *terms,
                        const struct samples *sums) {
  float memory[MAX_ARRAYS * LANES];
  const struct samples weights = samples_in(memory, LANES);
  for (int k = 0; k < field->octaves; k++) {
    const struct shaping shaping = shaping_of(field, k, arrays);
    const struct samples term = samples_in(terms + k, TERMS);
    blend(&shaping, 1, &term, sums, &weights);
  }
}

/* Shapes and sums the octaves of one position. Sums and their derivatives are vectors of which the
 * first lane counts. */
static PERLANE_NOINLINE void sum_shaped(const struct field *field, int dims, int arrays,
                                        float *terms, float *sums) {
  float shares[PERLANE_MAX_OCTAVES];
  const struct samples vectors = samples_in(sums, LANES);
  const int weighted = field->params->weighted_strength != 0 && field->octaves > 1;
  if (weighted && arrays > 1) {
    blend_terms(field, arrays, terms, &vectors);
    return;
  }
  shape_terms(field, dims, arrays, terms, shares);
  for (int j = 0; j < arrays; j++)
    f_store(vectors.array[j], f_set(weighted ? weighted_sum(terms, shares, field->octaves)
                                             : sum_of_terms(terms + j * TERMS, field->octaves)));
}

/* Finishes the sums at a position inside the domain. */
static PERLANE_NOINLINE void finish_one(const struct field *field, int dims, int arrays,
                                        const double *position, float *sums) {
  _Alignas(64) double stored[PERLANE_MAX_DIMS][LANES];
  const struct samples samples = samples_in(sums, LANES);
  const struct positions positions = {{stored[0], stored[1], stored[2], stored[3]}, 0};
  for (int a = 0; a < dims && has_falloff(field); a++)
    d_store(stored[a], d_set(position[a]));
  finish(field, dims, 1, arrays, &positions, &samples);
}

/* ---- Values ---- */

static int is_in_domain(int dims, const double *position, double frequency) {
  int inside = 1;
  for (int a = 0; a < dims; a++)
    inside &= perlane_magnitude(position[a] * frequency) <= 0x1p53;
  return inside;
}

/* Evaluates the octaves of a field of any basis that is interpolated, at a position inside the
 * domain: terms, and with `slopes` their derivatives, TERMS apart. */
static PERLANE_NOINLINE void lattice_terms(const struct field *field, int dims, int near,
                                           int slopes, const double *position, float *terms) {
  const struct perlane_octave_arrays *constants = field->arrays;
  const int plain = near && has_plain_axes(field, dims);
  const size_t octaves = (size_t)field->octaves;
  float steepness[PERLANE_MAX_OCTAVES], cells[PERLANE_MAX_OCTAVES];
  struct pairs pairs;
  pairs.factors.amplitude = constants->amplitude[dims - 1];
  pairs.factors.steepness = steepness;
  pairs.factors.cells = cells;
  pairs.factors.step = 1;
  for (size_t k = 0; k < octaves; k += LANES) {
    if (plain)
      plain_octaves(dims, constants, k, position, &pairs);
    for (int a = 0; a < dims && !plain; a++)
      any_octaves(field, a, k, position[a], near, &pairs);
    if (!slopes)
      continue;
    const struct factors factors = factors_of(
        field, d_load_floats(constants->amplitude[dims - 1] + k), d_load(constants->frequency + k));
    f_store(steepness + k, factors.steepness);
    f_store(cells + k, factors.cells);
  }
  const struct samples results = samples_in(terms, TERMS);
  combine_pairs(source_of(field, dims), dims, slopes, field, &pairs, octaves, 0, &results);
}

/* Octaves of simplex noise at a position near the origin. Constant: `dims`. */
PERLANE_INLINE void simplex_terms(int dims, const struct field *field, const double *position,
                                  float *terms) {
  const struct perlane_octave_arrays *constants = field->arrays;
  const struct simplex_tables tables = simplex_tables(dims);
  for (size_t k = 0; k < (size_t)field->octaves; k += LANES) {
    const vd frequency = d_load(constants->frequency + k);
    vd cells[3];
    struct simplex_axis axis[3];
    struct axis_cell split[3];
    PERLANE_UNROLL for (int a = 0; a < dims; a++) {
      cells[a] = d_mul(d_set(position[a]), frequency);
      axis[a].start = d_load(constants->start[a] + k);
      axis[a].key = simplex_key(dims, 1, a, i_load(constants->key[a] + k));
    }
    simplex_cells(dims, 1, cells, axis, split);
    const struct simplex_sum sum = simplex_at(dims, 0, &tables, split);
    f_store(terms + k, f_mul(sum.value, f_load(constants->amplitude[dims - 1] + k)));
  }
}

static PERLANE_NOINLINE void simplex_terms_2d(const struct field *field, const double *position,
                                              float *terms) {
  simplex_terms(2, field, position, terms);
}
static PERLANE_NOINLINE void simplex_terms_3d(const struct field *field, const double *position,
                                              float *terms) {
  simplex_terms(3, field, position, terms);
}

/* The same of any position inside the domain, with derivatives if there are `arrays` of them. */
static PERLANE_NOINLINE void any_simplex_terms(const struct field *field, int dims, int near,
                                               int arrays, const double *position, float *terms) {
  const struct perlane_octave_arrays *constants = field->arrays;
  _Alignas(64) double stored[3][LANES];
  struct simplex_octaves octaves;
  struct simplex_run run = {.octaves = &octaves};
  octaves.near = near;
  for (int a = 0; a < dims; a++) {
    d_store(stored[a], d_set(position[a]));
    run.position[a] = stored[a];
  }
  for (size_t k = 0; k < (size_t)field->octaves; k += LANES) {
    const float *amplitude = constants->amplitude[dims - 1] + k;
    const vd frequency = d_load(constants->frequency + k);
    const struct samples results = samples_in(terms + k, TERMS);
    d_store(octaves.frequency, frequency);
    f_store(octaves.amplitude, f_load(amplitude));
    f_store(octaves.steepness, factors_of(field, d_load_floats(amplitude), frequency).steepness);
    for (int a = 0; a < dims; a++) {
      d_store(octaves.start[a], d_load(constants->start[a] + k));
      i_store(octaves.key[a], simplex_key(dims, near, a, i_load(constants->key[a] + k)));
    }
    simplex_run(dims, &run, LANES, 0, arrays, &results);
  }
}

/* Octaves of cellular noise at a position inside the domain, with derivatives if there are `arrays`
 * of them. */
static PERLANE_NOINLINE void cell_terms(const struct field *field, int dims, int near, int arrays,
                                        const double *position, float *terms) {
  _Alignas(64) double stored[3][LANES];
  struct cells cells = cells_of(field, dims);
  struct cell_axis axis[3];
  for (int a = 0; a < dims; a++) {
    make_axis(&axis[a].axis, field, a);
    d_store(stored[a], d_set(position[a]));
    axis[a].position = stored[a];
  }
  for (size_t k = 0; k < (size_t)field->octaves; k += LANES) {
    const struct samples results = samples_in(terms + k, TERMS);
    begin_cell_octaves(&cells, field, k);
    for (int a = 0; a < dims; a++) {
      begin_axis_octaves(&axis[a].axis, field, k);
      cell_words(&axis[a], LANES, near);
    }
    cell_points(&cells, axis, LANES, 0, arrays, &results);
  }
}

/* Displaces a position. The octaves of a round's displacements are evaluated side by side, as if
 * they were those of one field: of as many axes as fit. Returns 0 outside the domain. */
static PERLANE_NOINLINE int displace_one(const perlane_noise *noise, int dims,
                                         const double *position,
                                         double displaced[PERLANE_MAX_DIMS]) {
  struct perlane_octave octave[PERLANE_MAX_OCTAVES];
  struct perlane_octave_arrays arrays;
  double start[PERLANE_MAX_DIMS];
  _Alignas(64) float terms[TERMS];
  const int octaves = noise->params.warp_octaves, fit = PERLANE_MAX_OCTAVES / octaves;
  memcpy(displaced, position, (size_t)dims * sizeof *position);
  for (int i = 0; i < noise->params.warp_rounds * dims;) {
    const int round = i / dims, first = i % dims;
    const int axes = dims - first < fit ? dims - first : fit;
    if (first == 0)
      memcpy(start, displaced, sizeof start);
    if (!is_in_domain(dims, start, noise->highest_warp_frequency))
      return 0;
    const int near = is_position_near(dims, start, noise->highest_warp_frequency);
    struct field field = displacement_of(noise, round, first, octave);
    for (int a = 1; a < axes; a++)
      perlane_field_displacement(noise, round, first + a, octave + a * octaves);
    field.octaves = axes * octaves;
    field.arrays = &arrays;
    perlane_field_arrays(&arrays, octave, field.octaves, dims, LANES);
    lattice_terms(&field, dims, near, 0, start, terms);
    for (int a = 0; a < axes; a++, i++)
      displaced[first + a] =
          position[first + a] +
          noise->params.warp_amplitude * (double)sum_of_terms(terms + a * octaves, octaves);
  }
  return 1;
}

/* Evaluates and sums the octaves at a position, without its warp. Returns 0, having summed nothing,
 * outside the domain. */
static PERLANE_NOINLINE int sum_at(const struct field *field, int dims, int arrays,
                                   const double *position, float *sums) {
  const int near = is_position_near(dims, position, field->highest_frequency);
  const int slopes = arrays > 1 || is_eroded(field);
  _Alignas(64) float terms[MAX_ARRAYS * TERMS];
  const enum perlane_producer producer = basis_of(field)->producer;
  poison(terms, sizeof terms);
  if (!near && !is_in_domain(dims, position, field->highest_frequency))
    return 0;
  switch (producer) {
  case BY_LATTICE:
  case BY_WHITE:
    lattice_terms(field, dims, near, slopes, position, terms);
    break;
  case BY_CELLS:
    cell_terms(field, dims, near, arrays, position, terms);
    break;
  case BY_SIMPLEX:
    if (near && !slopes)
      (dims == 2 ? simplex_terms_2d : simplex_terms_3d)(field, position, terms);
    else
      any_simplex_terms(field, dims, near, slopes ? 1 + dims : 1, position, terms);
  }
  if (field->shaped)
    sum_shaped(field, dims, arrays, terms, sums);
  for (int j = 0; j < arrays && !field->shaped; j++)
    f_store(sums + j * LANES, f_set(sum_of_terms(terms + j * TERMS, field->octaves)));
  return 1;
}

/* Returns the value of a list of one point, which a kernel evaluates. */
static float value_of_list(perlane_points_kernel *evaluate, const perlane_noise *noise, int octaves,
                           int dims, const double *position, float *gradient) {
  const double *coords[PERLANE_MAX_DIMS];
  float value, *slope[PERLANE_MAX_DIMS];
  for (int a = 0; a < dims; a++) {
    coords[a] = position + a;
    slope[a] = gradient ? gradient + a : NULL;
  }
  const struct perlane_point_list list = {.dims = dims,
                                          .octaves = octaves,
                                          .n = 1,
                                          .coords64 = coords,
                                          .stride = 1,
                                          .out = &value,
                                          .gradient = gradient ? slope : NULL};
  evaluate(noise, &list);
  return value;
}

/* Returns 1 if a single value is that of a list of one point. */
PERLANE_INLINE int is_value_of_list(const perlane_noise *noise, int slopes) {
  return noise->params.valleys != 0 || (noise->params.warp_amplitude != 0 && slopes);
}

/* The value of any field. */
static PERLANE_NOINLINE float any_value(const perlane_noise *noise, int octaves, int dims,
                                        const double *position, float *gradient) {
  const struct field field = field_of(noise, octaves);
  const int is_warped = noise->params.warp_amplitude != 0, arrays = gradient ? 1 + dims : 1;
  double displaced[PERLANE_MAX_DIMS];
  _Alignas(64) float sums[MAX_ARRAYS * LANES];
  if (is_value_of_list(noise, gradient != NULL))
    return value_of_list(evaluate_any_list, noise, octaves, dims, position, gradient);
  if ((is_warped && !displace_one(noise, dims, position, displaced)) ||
      !sum_at(&field, dims, arrays, is_warped ? displaced : position, sums))
    for (int j = 0; j < arrays; j++)
      f_store(sums + j * LANES, f_bits(i_set(0x7FC00000)));
  else if (!ends_with_sum(&field))
    finish_one(&field, dims, arrays, position, sums);
  for (int j = 1; j < arrays; j++)
    gradient[j - 1] = sums[j * LANES];
  return sums[0];
}

/* Returns 1 if a value is that of a plain sum near the origin. Constant: `dims`. */
PERLANE_INLINE int is_plain_value(int dims, const perlane_noise *noise, const double *position) {
  return noise->plain && is_quick_set((perlane_gradients)noise->params.gradients, dims) &&
         is_position_near(dims, position, noise->highest_frequency);
}

/* That value. Constant: `dims`. */
PERLANE_INLINE float plain_sum(int dims, const perlane_noise *noise, int octaves,
                               const double *position) {
  const perlane_params *params = &noise->params;
  struct pairs pairs;
  _Alignas(64) float terms[TERMS];
  poison(&pairs, sizeof pairs);
  poison(terms, sizeof terms);
  pairs.factors.amplitude = noise->of.arrays.amplitude[dims - 1];
  pairs.factors.step = 1;
  for (size_t k = 0; k < (size_t)octaves; k += LANES)
    plain_octaves(dims, &noise->of.arrays, k, position, &pairs);
  const struct field field = {.params = params}; /* nothing else is read */
  struct samples results;                        /* nothing else is read */
  results.array[0] = terms;
  combine_pairs(SOURCE_QUICK, dims, 0, &field, &pairs, (size_t)octaves, 0, &results);
  return sum_of_terms(terms, octaves);
}

#define PLAIN_SUM(name, dims)                                                                      \
  static PERLANE_NOINLINE float name(const perlane_noise *noise, int octaves,                      \
                                     const double *position) {                                     \
    return plain_sum(dims, noise, octaves, position);                                              \
  }
PLAIN_SUM(plain_sum_1d, 1)
PLAIN_SUM(plain_sum_2d, 2)
PLAIN_SUM(plain_sum_3d, 3)
PLAIN_SUM(plain_sum_4d, 4)
#undef PLAIN_SUM

/* Which of both ways a value takes is decided where no frame is large: the stack never has both. */
#define PLAIN_VALUE(name, dims, sum)                                                               \
  static PERLANE_NOINLINE float name(const perlane_noise *noise, int octaves,                      \
                                     const double *position) {                                     \
    return is_plain_value(dims, noise, position)                                                   \
               ? sum(noise, octaves, position)                                                     \
               : any_value(noise, octaves, dims, position, NULL);                                  \
  }
PLAIN_VALUE(plain_value_1d, 1, plain_sum_1d)
PLAIN_VALUE(plain_value_2d, 2, plain_sum_2d)
PLAIN_VALUE(plain_value_3d, 3, plain_sum_3d)
PLAIN_VALUE(plain_value_4d, 4, plain_sum_4d)
#undef PLAIN_VALUE

/* The value of the first `octaves` octaves. */
static float one_value(const perlane_noise *noise, int octaves, int dims, const double *position,
                       float *gradient) {
  if (gradient)
    return any_value(noise, octaves, dims, position, gradient);
  return IN_DIMS(dims, plain_value)(noise, octaves, position);
}

#endif
