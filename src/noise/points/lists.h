/* SPDX-License-Identifier: MIT
 *
 * Lists of points of any length: as single values where octaves fill vectors better than points,
 * otherwise by blocks.
 */
#ifndef PERLANE_NOISE_POINTS_LISTS_H
#define PERLANE_NOISE_POINTS_LISTS_H

#include "one_value.h"
#include "points.h"

/* Returns 1 if points fill more vectors than the octaves of each do. */
PERLANE_INLINE int are_octaves_better(size_t points, int octaves) {
  const size_t vectors = ((size_t)octaves + LANES - 1) / LANES;
  return points < LANES && points * vectors <= (size_t)octaves + 1;
}

/* ---- Plain sums ---- */

/* Memory of a list, with room for what does not fill whole vectors. */
struct plain_memory {
  _Alignas(64) double position[128 * PERLANE_MAX_DIMS];
  struct pairs pairs;
  _Alignas(64) float factor[3][LANES];
  float coords[PERLANE_MAX_DIMS][POINT_BLOCK], sums[MAX_ARRAYS][POINT_BLOCK];
};

/* Evaluates a list point by point. Constant: `dims`. */
PERLANE_INLINE void plain_values(int dims, const perlane_noise *noise,
                                 const struct perlane_point_list *list) {
  for (size_t i = 0; i < list->n; i++) {
    double position[PERLANE_MAX_DIMS];
    PERLANE_UNROLL for (int a = 0; a < dims; a++) {
      const double coordinate = (double)list->coords[a][(ptrdiff_t)i * list->stride];
      position[a] = list->origin ? list->origin[a] + coordinate : coordinate;
    }
    list->out[i] = IN_DIMS(dims, plain_value)(noise, list->octaves, position);
  }
}

/* Evaluates a plain sum at points of a list, without detours, up to a block that is not near the
 * origin. Returns how many points. Constant: `dims`. */
PERLANE_INLINE size_t plain_points(int dims, const perlane_noise *noise,
                                   const struct perlane_point_list *list) {
  const int slopes = list->gradient != NULL;
  if (!slopes && are_octaves_better(list->n, list->octaves)) {
    plain_values(dims, noise, list);
    return list->n;
  }
  const struct field field = {.params = &noise->params}; /* nothing else is read */
  const size_t block = block_points(dims, slopes);
  struct plain_memory memory;
  struct point_coords coords;
  struct samples sums;
  double aside = 0;
  for (int a = 0; a < dims && list->origin; a++)
    aside += perlane_magnitude(list->origin[a]);
  const vf limit = f_set(near_coordinates(noise->highest_frequency, aside));
  coords.origin = list->origin;
  memory.pairs.factors.amplitude = memory.factor[0];
  memory.pairs.factors.steepness = memory.factor[1];
  memory.pairs.factors.cells = memory.factor[2];
  memory.pairs.factors.step = 0;
  for (size_t start = 0, n; start < list->n; start += n) {
    n = next_block(list->n - start, block);
    const ptrdiff_t first = (ptrdiff_t)start * list->stride;
    for (int a = 0; a < dims; a++)
      coords.axis[a] = whole_vectors(list->coords[a] + first, list->stride, n, memory.coords[a]);
    for (int j = 0; j < (slopes ? 1 + dims : 1); j++) {
      float *out = j == 0 ? list->out : list->gradient[j - 1];
      sums.array[j] = out && n % LANES == 0 ? out + start : memory.sums[j];
    }
    for (int k = 0; k < list->octaves; k++) {
      const struct perlane_octave *octave = &noise->octave[k];
      if (k == 0) {
        double *position = list->octaves > 1 ? memory.position : NULL;
        const vi largest =
            IN_DIMS(dims, first_pairs)(&coords, position, block, octave, n, &memory.pairs);
        if (!i_all(f_not_above(f_bits(largest), limit)))
          return start;
      } else {
        IN_DIMS(dims, octave_pairs)(memory.position, block, octave, n, &memory.pairs);
      }
      octave_factors(slopes, &field, dims, octave, memory.factor);
      combine_pairs(SOURCE_QUICK, dims, slopes, &field, &memory.pairs, n, k > 0, &sums);
    }
    for (int j = 0; j < (slopes ? 1 + dims : 1) && n % LANES != 0; j++) {
      float *out = j == 0 ? list->out : list->gradient[j - 1];
      if (out)
        memcpy(out + start, memory.sums[j], n * sizeof *out);
    }
  }
  return list->n;
}

#define PLAIN_POINTS(name, dims)                                                                   \
  static PERLANE_NOINLINE size_t name(const perlane_noise *noise,                                  \
                                      const struct perlane_point_list *list) {                     \
    return plain_points(dims, noise, list);                                                        \
  }
PLAIN_POINTS(plain_points_1d, 1)
PLAIN_POINTS(plain_points_2d, 2)
PLAIN_POINTS(plain_points_3d, 3)
PLAIN_POINTS(plain_points_4d, 4)
#undef PLAIN_POINTS

/* Returns 1 if plain_points evaluates a list: not the derivatives of octaves side by side. */
static int is_plain_list(const perlane_noise *noise, const struct perlane_point_list *list) {
  return noise->plain && list->coords &&
         is_quick_set((perlane_gradients)noise->params.gradients, list->dims) &&
         !(list->gradient && list->octaves > 1 && are_octaves_better(list->n, list->octaves));
}

/* ---- Any fields ---- */

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

/* Evaluates a list of any length. */
static void evaluate_list(const struct field *field, int dims, const struct point_source *source,
                          size_t n, float *out, float *const *gradient) {
  if (n < LANES && field->gullies == 0 &&
      are_octaves_better(2 * n, field->octaves)) /* blocks take less time for each */
    evaluate_singly(field, dims, source, n, out, gradient);
  else
    evaluate_noise(field, dims, source, n, out, gradient);
}

#endif
