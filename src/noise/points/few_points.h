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

static void evaluate_singly(const struct field *field, int dims, const struct point_source *source,
                            size_t n, float *out, float *const *gradient) {
  for (size_t i = 0; i < n; i++) {
    double position[PERLANE_MAX_DIMS];
    float slope[PERLANE_MAX_DIMS];
    for (int a = 0; a < dims; a++)
      position[a] = start_of(&source[a], i);
    const float value =
        one_value(field->noise, field->octaves, dims, position, gradient ? slope : NULL);
    if (out)
      out[i] = value;
    for (int a = 0; gradient && a < dims; a++)
      gradient[a][i] = slope[a];
  }
}

/* Points side by side, an octave every `pitch` pairs. */
struct few {
  const struct field *field;
  int dims, arrays;
  size_t n, pitch;
  struct pairs pairs;
  _Alignas(64) double position[PERLANE_MAX_DIMS][FEW_POINTS]; /* as d_store stores them */
  _Alignas(64) float amplitude[MAX_PAIRS];
  _Alignas(64) float steepness[MAX_PAIRS], cells[MAX_PAIRS];
  _Alignas(64) float terms[MAX_ARRAYS * TERMS];
  _Alignas(64) float sums[MAX_ARRAYS * FEW_POINTS], weights[MAX_ARRAYS * FEW_POINTS];
};

/* Returns 1 if all positions are near. Floats are compared that doubles were rounded to, hence the
 * margin. */
static int load_few(struct few *few, const struct point_source *source) {
  const vd frequency = d_set(few->field->highest_frequency);
  vi largest = i_set(0);
  for (int a = 0; a < few->dims; a++) {
    load_coordinates(&source[a], 0, few->n, few->position[a]);
    for (size_t i = 0; i < few->n; i += LANES)
      largest =
          larger_magnitude(largest, f_from_d(d_mul(d_reload(few->position[a] + i), frequency)));
  }
  return i_all(f_not_above(f_bits(largest), f_set((float)(NEAR_CELLS * (1 - 0x1p-20)))));
}

/* Makes the pairs of all points with `count` octaves from k on. */
static PERLANE_NOINLINE void pairs_of_octaves(struct few *few, int k, int count) {
  const struct perlane_octave_arrays *of = few->field->arrays;
  const size_t n = few->n;
  for (int a = 0; a < few->dims; a++)
    for (int j = 0; j < count; j++) {
      const vd frequency = d_set(of->frequency[k + j]), start = d_set(of->start[a][k + j]);
      const vi key = i_set(of->key[a][k + j]);
      const size_t first = (size_t)j * few->pitch;
      for (size_t i = 0; i < n; i += LANES)
        plain_pairs(&few->pairs, a, first + i, d_mul(d_reload(few->position[a] + i), frequency),
                    start, key);
    }
  for (int j = 0; j < count; j++) {
    const size_t first = (size_t)j * few->pitch;
    const float amplitude = of->amplitude[few->dims - 1][k + j];
    for (size_t i = first; i < first + n; i += LANES)
      f_store(few->amplitude + i, f_set(amplitude));
    for (size_t i = first; i < first + n && few->arrays > 1; i += LANES) {
      const struct slope_factors by =
          slope_factors(few->field, d_set((double)amplitude), d_set(of->frequency[k + j]));
      f_store(few->steepness + i, by.steepness);
      f_store(few->cells + i, by.cells);
    }
  }
}

/* Shapes `count` octaves from k on and adds them to the sums. */
static PERLANE_NOINLINE void blend_few(struct few *few, int k, int count) {
  const struct samples sums = samples_in(few->sums, FEW_POINTS);
  const struct samples weights = samples_in(few->weights, FEW_POINTS);
  for (int j = 0; j < count; j++) {
    const struct shaping shaping = shaping_of(few->field, k + j, few->arrays);
    const struct samples term = samples_in(few->terms + (size_t)j * few->pitch, TERMS);
    blend(&shaping, few->n, &term, &sums, &weights);
  }
}

static PERLANE_NOINLINE void add_few(struct few *few, int k, int count) {
  for (int array = 0; array < few->arrays; array++)
    for (size_t i = 0; i < few->n; i += LANES) {
      const float *term = few->terms + array * TERMS + i;
      float *to = few->sums + array * FEW_POINTS + i;
      vf sum = f_load(term);
      if (k > 0)
        sum = f_add(f_load(to), sum);
      for (int j = 1; j < count; j++)
        sum = f_add(sum, f_load(term + (size_t)j * few->pitch));
      f_store(to, sum);
    }
}

PERLANE_INLINE void store_few(float *to, const float *from, size_t n) {
  for (size_t i = 0; i < n; i += LANES)
    if (i + LANES <= n)
      f_store(to + i, f_load(from + i));
    else
      f_store_some(to + i, f_load(from + i), n - i);
}

/* Evaluates points side by side. Returns 0 if not all are near. */
static PERLANE_NOINLINE int evaluate_together(const struct field *field, int dims,
                                              const struct point_source *source, size_t n,
                                              float *out, float *const *gradient) {
  struct few few;
  few.field = field;
  few.dims = dims;
  few.arrays = gradient || is_eroded(field) ? 1 + dims : 1;
  few.n = n;
  few.pitch = (n + LANES - 1) / LANES * LANES;
  few.pairs.amplitude = few.amplitude;
  few.pairs.steepness = few.steepness;
  few.pairs.cells = few.cells;
  if (!load_few(&few, source))
    return 0;
  const int together = MAX_PAIRS / (int)few.pitch;
  for (int k = 0; k < field->octaves; k += together) {
    const int left = field->octaves - k, count = left < together ? left : together;
    pairs_of_octaves(&few, k, count);
    evaluate_pairs(SOURCE_QUICK, dims, few.arrays > 1, field, &few.pairs, (size_t)count * few.pitch,
                   few.terms);
    (field->shaped ? blend_few : add_few)(&few, k, count);
  }
  if (!field->noise->plain) {
    const struct samples sums = samples_in(few.sums, FEW_POINTS);
    const struct positions at = {
        {few.position[0], few.position[1], few.position[2], few.position[3]}, 0};
    finish(field, dims, n, gradient ? 1 + dims : 1, &at, &sums);
  }
  if (out)
    store_few(out, few.sums, n);
  for (int a = 0; gradient && a < dims; a++)
    store_few(gradient[a], few.sums + (1 + a) * FEW_POINTS, n);
  return 1;
}

/* Evaluates a short list. Returns 0 if it cannot. */
static int evaluate_few(const struct field *field, int dims, const struct point_source *source,
                        size_t n, float *out, float *const *gradient) {
  if (n > FEW_POINTS)
    return 0;
  const int quick = source_of(field, dims) == SOURCE_QUICK && has_plain_axes(field, dims) &&
                    field->params->warp_amplitude == 0;
  /* Vectors of octaves, and of points octave by octave; those of other fields cost blocks less. */
  const size_t octaves = (size_t)field->octaves, vectors = n * ((octaves + LANES - 1) / LANES);
  if (n < LANES && vectors * (quick ? 1 : 2) <= octaves + 1) {
    evaluate_singly(field, dims, source, n, out, gradient);
    return 1;
  }
  return quick && evaluate_together(field, dims, source, n, out, gradient);
}

/* Evaluates a list of any length. */
static void evaluate_list(const struct field *field, int dims, const struct point_source *source,
                          size_t n, float *out, float *const *gradient) {
  if (!evaluate_few(field, dims, source, n, out, gradient))
    evaluate_noise(field, dims, source, n, out, gradient);
}

#endif
