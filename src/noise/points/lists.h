/* SPDX-License-Identifier: MIT
 *
 * Lists of points of any length: as single values where octaves fill vectors better than points,
 * plain sums without detours, and the rest by blocks.
 */
#ifndef PERLANE_NOISE_POINTS_LISTS_H
#define PERLANE_NOISE_POINTS_LISTS_H

#include "one_value.h"
#include "points.h"

/* ---- Plain sums ---- */

/* Evaluates a plain sum at points of a list, without detours, up to a block that is not near the
 * origin. Returns how many points. Constant: `dims`. */
PERLANE_INLINE size_t plain_points(int dims, const perlane_noise *noise,
                                   const struct perlane_point_list *list) {
  const int slopes = list->gradient != NULL;
  const struct field field = {.params = &noise->params}; /* nothing else is read */
  const size_t block = block_points(dims, slopes);
  struct point_memory memory;
  struct point_coords coords;
  struct samples sums;
  double aside = 0;
  for (int a = 0; a < dims && list->origin; a++)
    aside += perlane_magnitude(list->origin[a]);
  const float limit = near_coordinates(noise->highest_frequency, aside);
  double *const position = list->octaves > 1 ? memory.position : NULL;
  coords.origin = list->origin;
  for (size_t start = 0, n; start < list->n; start += n) {
    n = next_block(list->n - start, block);
    const ptrdiff_t first = (ptrdiff_t)start * list->stride;
    for (int a = 0; a < dims; a++)
      coords.axis[a] = whole_vectors(list->coords[a] + first, list->stride, n,
                                     memory.layer[0] + (size_t)a * block);
    for (int j = 0; j < (slopes ? 1 + dims : 1); j++) {
      float *out = j == 0 ? list->out : list->gradient[j - 1];
      sums.array[j] = out && n % LANES == 0 ? out + start : memory.layer[1] + (size_t)j * block;
    }
    for (int k = 0; k < list->octaves; k++) {
      const struct perlane_octave *octave = &noise->octave[k];
      const vi largest = IN_DIMS(dims, octave_pairs)(k == 0 ? &coords : NULL, position, block,
                                                     octave, n, &memory.pairs);
      if (k == 0 && !are_within(largest, limit))
        return start;
      octave_factors(slopes, &field, dims, octave, &memory);
      combine_pairs(SOURCE_QUICK, dims, slopes, &field, &memory.pairs, n, k > 0, &sums);
    }
    for (int j = 0; j < (slopes ? 1 + dims : 1) && n % LANES != 0; j++) {
      float *out = j == 0 ? list->out : list->gradient[j - 1];
      if (out)
        memcpy(out + start, sums.array[j], n * sizeof *out);
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

/* ---- Any lists ---- */

/* Returns 1 if points fill more vectors than the octaves of each do. */
static int are_octaves_better(size_t points, int octaves) {
  const size_t vectors = ((size_t)octaves + LANES - 1) / LANES;
  return points < LANES && points * vectors <= (size_t)octaves + 1;
}

/* Evaluates a list point by point. */
static void evaluate_singly(const perlane_noise *noise, const struct perlane_point_list *list) {
  for (size_t i = 0; i < list->n; i++) {
    double position[PERLANE_MAX_DIMS];
    float slope[PERLANE_MAX_DIMS];
    for (int a = 0; a < list->dims; a++) {
      const ptrdiff_t element = (ptrdiff_t)i * list->stride;
      position[a] = list->coords ? (double)list->coords[a][element] : list->coords64[a][element];
      if (list->origin)
        position[a] += list->origin[a];
    }
    const float value =
        one_value(noise, list->octaves, list->dims, position, list->gradient ? slope : NULL);
    if (list->out)
      list->out[i] = value;
    for (int a = 0; list->gradient && a < list->dims; a++)
      list->gradient[a][i] = slope[a];
  }
}

/* Evaluates a list. */
static void evaluate_list(const perlane_noise *noise, const struct perlane_point_list *list) {
  const int is_plain = noise->plain && list->coords &&
                       is_quick_set((perlane_gradients)noise->params.gradients, list->dims);
  /* Blocks of other fields, and derivatives, take less time for each point. */
  const size_t points = is_plain && !list->gradient ? list->n : 2 * list->n;
  if (noise->gully_octaves == 0 && are_octaves_better(points, list->octaves)) {
    evaluate_singly(noise, list);
    return;
  }
  const size_t done = is_plain ? IN_DIMS(list->dims, plain_points)(noise, list) : 0;
  if (done < list->n)
    evaluate_rest(noise, list, done);
}

#endif
