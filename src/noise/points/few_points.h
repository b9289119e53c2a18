/* SPDX-License-Identifier: MIT
 *
 * Short lists of points: as single values where octaves fill vectors better than points, otherwise
 * points side by side, octave by octave. Longer lists go through points.h, which takes longer to
 * begin.
 */
#ifndef PERLANE_NOISE_POINTS_FEW_POINTS_H
#define PERLANE_NOISE_POINTS_FEW_POINTS_H

#include "one_value.h"
#include "points.h"

enum { FEW_POINTS = 32 };

static void evaluate_singly(const perlane_noise *noise, int dims, const struct point_source *source,
                            size_t n, float *out, float *const *gradient) {
  for (size_t i = 0; i < n; i++) {
    double position[PERLANE_MAX_DIMS];
    float slope[PERLANE_MAX_DIMS];
    for (int a = 0; a < dims; a++)
      position[a] = start_of(&source[a], i);
    const float value = one_value(noise, dims, position, gradient ? slope : NULL);
    if (out)
      out[i] = value;
    for (int a = 0; gradient && a < dims; a++)
      gradient[a][i] = slope[a];
  }
}

/* The positions of a list, as d_store stores them, with 0 after the last. */
struct few_positions {
  _Alignas(64) double axis[PERLANE_MAX_DIMS][FEW_POINTS];
};

/* Returns 1 if all are near. Floats are compared that doubles were rounded to, hence the margin. */
static int few_positions(struct few_positions *to, int dims, const struct point_source *source,
                         size_t n, double frequency) {
  vi largest = i_set(0);
  for (int a = 0; a < dims; a++) {
    load_coordinates(&source[a], 0, n, to->axis[a]);
    for (size_t i = 0; i < n; i += LANES)
      largest =
          larger_magnitude(largest, f_from_d(d_mul(d_reload(to->axis[a] + i), d_set(frequency))));
  }
  return i_all(f_not_above(f_bits(largest), f_set((float)(NEAR_CELLS * (1 - 0x1p-20)))));
}

/* Factors of pairs: struct pairs has pointers to them. */
struct pair_factors {
  _Alignas(64) float amplitude[MAX_PAIRS];
  _Alignas(64) float steepness[MAX_PAIRS], cells[MAX_PAIRS];
};

/* Makes the pairs of n points with `count` octaves from k on, an octave every `pitch` pairs. */
static void pairs_of_octaves(int dims, int slopes, struct pairs *pairs,
                             struct pair_factors *factors, const struct field *field, int k,
                             int count, const struct few_positions *positions, size_t n,
                             size_t pitch) {
  const struct perlane_octave_arrays *of = field->arrays;
  for (int a = 0; a < dims; a++)
    for (int j = 0; j < count; j++) {
      const vd frequency = d_set(of->frequency[k + j]), start = d_set(of->start[a][k + j]);
      const vi key = i_set(of->key[a][k + j]);
      const size_t first = (size_t)j * pitch;
      for (size_t i = 0; i < n; i += LANES)
        plain_pairs(pairs, a, first + i, d_mul(d_reload(positions->axis[a] + i), frequency), start,
                    key);
    }
  for (int j = 0; j < count; j++) {
    const float amplitude = of->amplitude[dims - 1][k + j];
    for (size_t i = (size_t)j * pitch; i < (size_t)j * pitch + n; i += LANES) {
      f_store(factors->amplitude + i, f_set(amplitude));
      if (slopes) {
        const struct slope_factors by =
            slope_factors(field, d_set((double)amplitude), d_set(of->frequency[k + j]));
        f_store(factors->steepness + i, by.steepness);
        f_store(factors->cells + i, by.cells);
      }
    }
  }
}

/* Sums octave k, whose terms are of n points. */
static void sum_few(const struct field *field, int k, int arrays, size_t n,
                    const struct samples *term, const struct samples *sums,
                    const struct samples *weights) {
  if (field->shaped) {
    const struct shaping shaping = shaping_of(field, k, arrays);
    blend(&shaping, n, term, sums, weights);
    return;
  }
  for (int j = 0; j < arrays; j++)
    any_sum(term->array[j], n, k > 0, sums->array[j]);
}

PERLANE_INLINE void store_few(float *to, const float *from, size_t n) {
  for (size_t i = 0; i < n; i += LANES)
    if (i + LANES <= n)
      f_store(to + i, f_load(from + i));
    else
      f_store_some(to + i, f_load(from + i), n - i);
}

/* Evaluates a list of up to FEW_POINTS points. Returns 0 if it cannot. */
static PERLANE_NOINLINE int evaluate_few(const perlane_noise *noise, int dims,
                                         const struct point_source *source, size_t n, float *out,
                                         float *const *gradient) {
  const struct field field = field_of(noise);
  const int octaves = field.octaves;
  if (n > FEW_POINTS || source_of(&field, dims) != SOURCE_QUICK || !has_plain_axes(&field, dims) ||
      noise->params.warp_amplitude != 0)
    return 0;
  const size_t vectors = (n + LANES - 1) / LANES;
  if (n < LANES && n * (((size_t)octaves + LANES - 1) / LANES) <= vectors * (size_t)octaves) {
    evaluate_singly(noise, dims, source, n, out, gradient);
    return 1;
  }
  struct few_positions positions;
  if (!few_positions(&positions, dims, source, n, field.highest_frequency))
    return 0;
  const int slopes = gradient || is_eroded(&field), arrays = slopes ? 1 + dims : 1;
  struct pair_factors factors;
  struct pairs pairs;
  pairs.amplitude = factors.amplitude;
  pairs.steepness = factors.steepness;
  pairs.cells = factors.cells;
  _Alignas(64) float terms[MAX_ARRAYS * TERMS], memory[2][MAX_ARRAYS * FEW_POINTS];
  const struct samples sums = samples_in(memory[0], FEW_POINTS);
  const struct samples weights = samples_in(memory[1], FEW_POINTS);
  const size_t pitch = vectors * LANES;
  const int together = MAX_PAIRS / (int)pitch;
  for (int k = 0; k < octaves; k += together) {
    const int left = octaves - k, count = left < together ? left : together;
    pairs_of_octaves(dims, slopes, &pairs, &factors, &field, k, count, &positions, n, pitch);
    evaluate_pairs(SOURCE_QUICK, dims, slopes, &field, &pairs, (size_t)count * pitch, terms);
    for (int j = 0; j < count; j++) {
      const struct samples term = samples_in(terms + (size_t)j * pitch, TERMS);
      sum_few(&field, k + j, arrays, n, &term, &sums, &weights);
    }
  }
  if (!noise->plain)
    finish(&field, n, gradient ? arrays : 1, &sums);
  if (out)
    store_few(out, sums.array[0], n);
  for (int a = 0; gradient && a < dims; a++)
    store_few(gradient[a], sums.array[1 + a], n);
  return 1;
}

#endif
